"""The analysis page: one self-contained HTML file without any request."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, final

import numpy as np

from askance.analysis import Analysis, ChecklistFinding
from askance.channels.channel import Channel
from askance.inference.line.cells import LineEstimate
from askance.inference.shares.compliance import random_answerers
from askance.inference.shares.information import Estimate
from askance.inference.shares.sensitivity import Sensitivity, sensitivity
from askance.mechanisms.randomised_response import Warner
from askance.mechanisms.respondent_path import (
    AbstractPathMechanism,
    Draw,
    Outcome,
    PathTree,
    respondent_path,
)
from askance.present import figures, findings
from askance.present.figures import LIGHT, inline, page_style
from askance.present.findings import (
    Quantity,
    count,
    headline,
    left_open,
    note_evidence,
    percent_level,
    promise,
    quantities,
    select_first,
    use_wording,
)
from askance.present.page_sheet import (
    HOW,
    LIMITS,
    DotPlot,
    Drawing,
    dot_plot,
    list_fingerprints,
    render_template,
)
from askance.present.path_picture import Invited, path_drawing
from askance.survey.deployed import frame_of, is_made_by, recipe_of
from askance_collect.arguments import checked
from askance_collect.wire.form import Form
from askance_collect.wire.form_schema import in_first_language
from askance_collect.wire.question import Choice, Question, TableQuestion

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from askance.analysis import Finding


@checked
def render_analysis(analysis: Analysis) -> str:
    """Render an analysis as one self-contained HTML page, with every estimate and its interval.

    One HTML file, at most 500 kB for surveys of usual length, without a script and without a
    request; finished in light, in dark and on paper. Equal analyses give equal bytes: there is no
    date in it.

    Raises
    ------
    MissingExtra
        If Jinja2 or matplotlib is not installed.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sent = {question.name: {} for question in form.questions}
    >>> sent["affair"] = {0: 262, 1: 438, 2: 300, None: 20}
    >>> analysis = ak.analyse(form, ak.engines.Counts(1020, sent))
    >>> page = render_analysis(analysis)
    >>> page[:15], "<script" in page, len(page) < 150_000
    ('<!doctype html>', False, True)
    """
    form, ids = analysis.form, _name_articles(analysis)
    by_name = {question.name: question for question in form.questions}
    attention = {check.question: (check.sentence,) for check in analysis.attention}
    noted = {**attention, **note_evidence(analysis)}
    articles = [
        write_article(
            use_wording(finding), by_name.get(finding.name), index, noted.get(finding.name, ())
        )
        for index, finding in enumerate(analysis.findings, 1)
    ]
    return render_template(
        "analysis.html",
        title=form.document["title"][form.languages[0]],
        language=form.languages[0],
        prints=list_fingerprints(analysis.form_fingerprint, analysis.data_fingerprint),
        command=analysis.command,
        limits=LIMITS,
        reports=count(analysis.reports),
        findings=_insert_lists(analysis, articles),
        questions=len(articles),
        left_out=findings.explain_left_out(analysis.left_out) if analysis.left_out else "",
        one_look=findings.explain_open_survey(analysis.fieldwork),
        sections=_title_sections(form, ids),
        pictures=_collect_images(form, ids),
        protected=sum(article.protected for article in articles),
        rehearsal=any(article.rehearsed for article in articles),
        interval=percent_level(f.estimate.level for f in analysis.findings if not f.suppressed),
    )


def _name_articles(analysis: Analysis) -> dict[str, str]:
    """The id of the article at which each question stands: a list's stands before its first."""
    ids = {finding.name: f"q{index}" for index, finding in enumerate(analysis.findings, 1)}
    lists = enumerate(analysis.lists, 1)
    return ids | {list_finding.questions[0]: f"l{index}" for index, list_finding in lists}


def _title_sections(form: Form, ids: Mapping[str, str]) -> dict[str, str]:
    """The title of each section of the form, by the id of the article at which it begins."""
    sections = form.document.get("sections", ())
    names = [form.questions[section["at"]].name for section in sections]
    return {
        ids[name]: section["title"][form.languages[0]]
        for name, section in zip(names, sections, strict=True)
        if name in ids
    }


def _collect_images(form: Form, ids: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Image and alternative text of each question, by the id of its article."""
    return {
        ids[name]: (image.image.uri, in_first_language(image.image.alt))
        for image in form.images
        if image.answer is None and (name := form.questions[image.question].name) in ids
    }


def _insert_lists(
    analysis: Analysis, question_articles: Sequence["QuestionArticle"]
) -> list["QuestionArticle"]:
    """Put each list to tick before its questions."""
    first = {
        list_finding.questions[0]: (index, list_finding)
        for index, list_finding in enumerate(analysis.lists, 1)
    }
    articles = []
    for finding, article in zip(analysis.findings, question_articles, strict=True):
        if finding.name in first:
            articles.append(write_list_article(*first[finding.name]))
        articles.append(article)
    return articles


_CARELESS = (0.05, 0.1)
_MOST_DOTS = 24
_MOST_ROWS = 200
_ROOM = 120  # pixels of a plot, where two questions stand beside each other
_MOST_STRIPS = 8
_STRIP_TICKS = (
    0.02,
    0.04,
    0.06,
    0.08,
    0.1,
)  # on the axis of strips, whose nought stands beside that of shares


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionArticle:
    """One question's texts, figures and tables for the template, not yet escaped."""

    id: str
    text: str
    how: str
    protected: bool
    counted: str
    headline: Quantity | None
    rows: tuple[Quantity, ...]
    more: tuple[Quantity, ...]
    plot: DotPlot | None
    figures: tuple[Drawing, ...]
    promise: tuple[str, ...]
    rest: tuple[str, ...]
    guarantees: tuple[tuple[str, str, str], ...]
    notes: tuple[str, ...]
    withheld: str
    doubt: tuple[str, ...] = ()
    path: str = ""
    pairs: bool = False
    folded: bool = False

    @property
    def of(self) -> str:
        """The heading of the rows: answers, or quantities of a number."""
        units = {row.unit for row in self.rows if row.unit is not None}
        return f"Figure, in {units.pop()}" if units else "Answer"

    @property
    def more_name(self) -> str:
        """What the folded table holds."""
        if self.pairs:
            return "people who tick both of two"
        return f"the next {len(self.more)} commonest answers"

    @property
    def about(self) -> str:
        """The title of the folded part below the results."""
        parts = (
            ("each combination", self.folded),
            (self.more_name, self.more),
            ("figures", self.figures),
            ("what a report can give away", self.promise),
            ("notes", True),
        )
        *first, last = [part for part, has_it in parts if has_it]
        text = f"{', '.join(first)} and {last}" if first else last
        return f"{text[0].upper()}{text[1:]}"

    @property
    def rehearsed(self) -> bool:
        """Whether the truth is known."""
        return any(row.truth is not None for row in self.rows)

    @property
    def worths(self) -> bool:
        """Whether rows differ in how many plain answers they are worth: else it is said once."""
        return self.protected and len({row.worth for row in self.rows if row.worth}) > 1


def write_article(
    finding: "Finding", question: Question | None, index: int, first_notes: tuple[str, ...] = ()
) -> QuestionArticle:
    """Make a finding ready for the page.

    Parameters
    ----------
    finding : Finding
    question : Question or None
        As it stands in the form, where the form asks it.
    index : int
        Position in the survey, from 1: keeps ids in the page apart.
    first_notes : tuple of str
        What is to be noted first.
    """
    rows = _order_rows(finding)
    return QuestionArticle(
        id=f"q{index}",
        text=finding.text,
        how=HOW[finding.report_kind],
        protected=finding.protected,
        counted=_describe_count(finding),
        headline=headline(finding),
        rows=rows[:_MOST_DOTS],
        more=rows[_MOST_DOTS:_MOST_ROWS],
        plot=dot_plot(rows[:_MOST_DOTS], _ROOM) if rows else None,
        figures=() if finding.suppressed else _draw_figures(finding, f"q{index}"),
        promise=promise(finding),
        rest=finding.sentences[len(select_first(finding.sentences, by_answer=finding.by_answer)) :],
        guarantees=findings.list_figures(finding.guarantees),
        notes=(*first_notes, *_list_notes(finding)),
        withheld=_explain_withheld(finding),
        doubt=findings.warn_of_misfit(
            finding.fit.findings, finding.fit.doubted and not finding.suppressed
        ),
        path=_draw_path(question, f"q{index}p"),
        folded=getattr(question, "checkbox_count", 0) > 0,
    )


def write_list_article(index: int, finding: ChecklistFinding) -> QuestionArticle:
    """Make what was learnt of a list to tick ready for the page.

    Parameters
    ----------
    index : int
        Position among the lists, from 1.
    finding : ChecklistFinding
    """
    rows, pairs = findings.list_ticked(finding.items), findings.list_ticked(finding.pairs)
    several = len(finding.questions)
    reports = max((share.reports for share in finding.items), default=0)
    how = f"sent item by item: {several} questions" if several > 1 else "sent as one report"
    return QuestionArticle(
        id=f"l{index}",
        text=finding.text,
        how=f"A list with several ticks allowed, {how}",
        protected=False,
        counted=f"{count(reports)} report{'' if reports == 1 else 's'}.",
        headline=max(rows, key=lambda row: row.low, default=None),
        rows=rows[:_MOST_DOTS],
        more=pairs if len(rows) <= _MOST_DOTS else rows[_MOST_DOTS:],
        plot=dot_plot(rows[:_MOST_DOTS], _ROOM) if rows else None,
        figures=(),
        promise=(),
        rest=(),
        guarantees=(),
        notes=("Shares are of all who answered; they need not sum to 100 %.",),
        withheld="Too few people reported on this list.",
        pairs=len(rows) <= _MOST_DOTS,
    )


def _draw_path(question: Question | None, name: str) -> str:
    """Draw what a respondent does, where the form's table is that of the mechanism it names."""
    if isinstance(question, Choice):
        question = question.underlying_question
    if not isinstance(question, TableQuestion):
        return ""
    path = _draw_groups(question) if question.groups else _find_path(question)
    if path is None:
        return ""
    return path_drawing(path, name, f"What a respondent does: {in_first_language(question.text)}")


def _find_path(question: TableQuestion) -> PathTree | None:
    recipe = recipe_of(question)
    if not isinstance(recipe, AbstractPathMechanism | Warner) or not is_made_by(recipe, question):
        return None
    return respondent_path(recipe, frame_of(question))


def _draw_groups(question: TableQuestion) -> Draw | Invited | None:
    """Build the path of a question with groups: a fork with a path for each group."""
    outcomes, first = [], 0
    for group, own in zip(question.groups, question.group_questions, strict=True):
        path, width = _find_path(own), sum(question.table.rows[0][first : first + group.reports])
        if path is None:
            return None
        outcomes.append(Outcome(Fraction(width, question.table.total), group.name, path))
        first += group.reports
    if question.invited:
        return Invited(tuple((outcome.label, outcome.next_step) for outcome in outcomes))
    return Draw("The device draws a group", tuple(outcomes))


def _describe_count(finding: "Finding") -> str:
    """State the number of reports, and their effective sample size if all answers share one."""
    plural = "" if finding.reports == 1 else "s"
    reports = f"{findings.count(finding.reports)} report{plural}"
    worths = {row.worth for row in quantities(finding) if row.worth}
    if not finding.protected or len(worths) != 1:
        return f"{reports}."
    (worth,) = worths
    return f"{reports}, effective sample size {worth}."


def _order_rows(finding: "Finding") -> tuple[Quantity, ...]:
    """The rows of the table; of many answers the commonest first."""
    rows = quantities(finding)
    if len(rows) <= _MOST_DOTS:
        return rows
    return tuple(sorted(rows, key=lambda row: -row.low))


def _explain_withheld(finding: "Finding") -> str:
    if not finding.reports:
        return "Nobody reported on this question."
    few = "one person" if finding.reports == 1 else f"{findings.count(finding.reports)} people"
    return (
        f"Only {few} reported on this question. "
        "With so few, the interval would be too wide to act on, and a figure could be mistaken "
        "for a fact about individuals."
    )


def _draw_figures(finding: "Finding", name: str) -> tuple[Drawing, ...]:
    estimate = finding.estimate
    if isinstance(estimate, Estimate):
        return _draw_strips(finding, name)
    interval = findings.percent_level([estimate.level])
    caption = f"Share of people at or below each number, with a band of {interval}s."
    with page_style():
        figure = figures.curve_figure(estimate, finding.truth)
        curve = Drawing(svg=inline(figure, f"{name}a", finding.text, caption), caption=caption)
        revealed = finding.protected and len(estimate.coverage) > 0
        return (curve, _draw_coverage(estimate, f"{name}b")) if revealed else (curve,)


def _draw_strips(finding: "Finding", name: str) -> tuple[Drawing, ...]:
    """Draw the first share by the share of noncompliers, for each kind of noncompliance."""
    tally, first, estimate = finding.tally, headline(finding), finding.estimate
    if tally is None or not tally.total or finding.fit.doubted or first is None:
        return ()
    assert isinstance(estimate, Estimate)
    if len(tally.channel.frame) > _MOST_STRIPS or not np.isfinite(estimate.se).all():
        return ()
    column, steps = estimate.labels.index(first.label), 4 if len(estimate.labels) == 2 else 2
    chances = _find_random_chances(tally.channel)
    kinds = {
        f"Share of “{first.label}” if some picked an answer at random": random_answerers(chances),
        "The same if some sent false reports to mislead": None,
    }
    strips = {
        title: sensitivity(tally, kind, most="1/10", steps=steps, level=estimate.level)
        for title, kind in kinds.items()
    }
    top = min(1.0, 1.1 * max(float(strip.upper[:, column].max()) for strip in strips.values()))
    interval = findings.percent_level([estimate.level])
    drawings = []
    with page_style():
        for i, (title, strip) in enumerate(strips.items()):
            caption = f"{title}, by how many. Pale: the {interval}."
            figure = _draw_strip(strip, column, top)
            drawings.append(
                Drawing(svg=inline(figure, f"{name}{'ab'[i]}", title, caption), caption=caption)
            )
    return tuple(drawings)


def _draw_strip(strip: Sensitivity, column: int, top: float) -> "Figure":
    """Draw the share of one answer by how many people do not comply, with its interval.

    The scale of shares ends at ``top``, so that strips can be compared.
    """
    columns = {
        name: getattr(strip, name)[:, [column]] for name in ("low", "high", "lower", "upper")
    }
    figure, ax = figures.sheet(210, left_margin=58, bottom_margin=52)
    single = replace(strip, labels=(strip.labels[column],), **columns)
    single.plot(ax=ax).get_legend().remove()
    *inner, interval = ax.collections  # no inner one where the share is a line
    interval.set(facecolor=LIGHT.tint, alpha=1, linewidth=0, zorder=0.5)
    for band in inner:
        band.set(facecolor=LIGHT.accent, alpha=0.35, linewidth=0)
    ax.set(ylim=(0, top), xlabel=f"share of people who {strip.kind}", ylabel="")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(figures.percent)
    ax.locator_params(axis="y", nbins=4)
    ax.set_xticks(_STRIP_TICKS)
    ax.grid(axis="y")
    return figure


def _find_random_chances(channel: Channel) -> dict[str, object]:
    """The chance of each report from people who pick an answer by chance."""
    table, k = channel.table, len(channel.frame)
    assert table is not None  # what is deployed is written in whole parts
    return {
        report: Fraction(sum(table.rows[i][column] for i in range(k)), k * table.total)
        for column, report in enumerate(channel.reports)
    }


def _draw_coverage(estimate: LineEstimate, name: str) -> Drawing:
    caption = (
        "The share of people that each report leaves possible, according to the estimate. Reports "
        "further left reveal more about their senders."
    )
    figure = figures.coverage_figure(estimate)
    return Drawing(svg=inline(figure, name, "How much was revealed", caption), caption=caption)


def _list_notes(finding: "Finding") -> list[str]:
    blank = f"Left blank: {findings.count(finding.blank)}."
    if finding.not_asked:
        not_asked = findings.count(finding.not_asked)
        blank += f" Not asked, because of an earlier answer: {not_asked}."
    if finding.expected_blank > 0:
        blank += (
            f" Chance alone leaves about {findings.count(finding.expected_blank)} blank, whatever "
            "the answer, so a blank alone is no sign of a refusal."
        )
    if finding.suppressed:
        return [blank]
    notes = (*_note_bounds(finding), *left_open(finding), *_describe_random(finding))
    false = [finding.manipulation.sentence] if finding.manipulation else []
    return [blank, *notes, *false, _describe_method(finding)]


def _note_bounds(finding: "Finding") -> list[str]:
    first = headline(finding)
    if first is None or first.low == first.high or first.plain == 0:
        return []
    return [
        f"The {first.label} is given as a range because reports locate a number only up to a step "
        "of the scale; the interval adds sampling error."
    ]


def _describe_method(finding: "Finding") -> str:
    gap = finding.estimate.gap
    convergence = finding.estimate.convergence
    certificate = f" (gap {gap:.1e} per report)" if gap > 0 else ""
    return f"Method: {finding.estimate.method}; {convergence.value}{certificate}."


def _describe_random(finding: "Finding") -> list[str]:
    first, estimate = headline(finding), finding.estimate
    if first is None or first.estimate == findings.UNKNOWN or first.plain == 0:
        return []
    if isinstance(estimate, LineEstimate):
        middle = float(estimate.ticks[0] + estimate.integer + estimate.ticks[-1]) / 2
        means = [
            findings.mean_without_random((first.low + first.high) / 2, middle, share)
            for share in _CARELESS
        ]
        texts = [findings.number(mean, first.error) for mean in means]
        return [_word_if_random(f"the mean among the others would be {texts[0]}", texts[1])]
    index = estimate.labels.index(first.label)
    shares = [findings.without_random(estimate.value, share)[index] for share in _CARELESS]
    texts = [findings.share(float(share)) for share in shares]
    return [_word_if_random(f"“{first.label}” among the others would be {texts[0]}", texts[1])]


def _word_if_random(first: str, second: str) -> str:
    return f"If 5 % of people had answered at random, {first}; if 10 %, {second}."
