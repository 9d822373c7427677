"""Tables for a terminal: what was learnt, how a rehearsal went, what respondents risk."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, final
from unicodedata import category

import numpy as np

from askance.analysis import Analysis, Check
from askance.present.findings import (
    Quantity,
    count,
    explain_left_out,
    explain_open_survey,
    left_open,
    list_glosses,
    list_ticked,
    note_evidence,
    percent_level,
    promise,
    quantities,
    shorten,
    use_wording,
    warn_of_misfit,
)
from askance.privacy.guarantee import Guarantee, Notion
from askance.survey.deployed import minimum_of
from askance.survey.report_preview import figure
from askance.typing import Floats
from askance_collect.arguments import checked
from askance_collect.errors import MissingExtra

try:
    from rich.console import Console, ConsoleOptions, Group, RenderableType
    from rich.constrain import Constrain
    from rich.padding import Padding
    from rich.segment import Segment
    from rich.table import Table
    from rich.text import Text
except ImportError as error:
    raise MissingExtra("rich", "survey") from error

if TYPE_CHECKING:
    from askance.analysis import CheckedQuestion, ChecklistFinding, Finding
    from askance.survey.report_preview import ReportPreview, ShareLaw

_EFFECTIVE_N = "Effective n: the number of direct, truthful answers with the same precision."

_Part = Text | Padding | Constrain | Group
_WIDE, _NAME = 80, 24


@checked
def estimate_table(analysis: Analysis) -> Group:
    """Tabulate every estimate with its confidence interval, for a terminal of 80 columns or more.

    Parameters
    ----------
    analysis : Analysis
        By `askance.analysis.analyse`.

    Returns
    -------
    rich Group
        What ``rich.console.Console().print`` prints.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sent = {question.name: {} for question in form.questions}
    >>> sent["affair"] = {0: 262, 1: 438, 2: 300, None: 20}
    >>> analysis = ak.analyse(form, ak.engines.Counts(1020, sent))
    >>> from rich.console import Console
    >>> Console(width=80).print(estimate_table(analysis))
                                                    Estimate   95 % interval  Eff. n
    ...
    Since you married, have you had an affair?
    1,000 reports, 20 blank
      yes                                             32.4 %  27.5 to 37.5 %    334
      no                                              67.6 %  62.5 to 72.5 %    334
    ...
    """
    return _table(analysis, rehearsal=False)


@checked
def rehearsal_table(analysis: Analysis) -> Group:
    """Tabulate a rehearsal: the guarantee, the truth, the estimate, its effective sample size.

    Parameters
    ----------
    analysis : Analysis
        By `askance.analysis.analyse`, with the truth that is known.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> sent = {question.name: {} for question in form.questions}
    >>> sent["affair"] = {0: 262, 1: 438, 2: 300, None: 20}
    >>> known = {"affair": {"yes": 0.3225}}
    >>> analysis = ak.analyse(form, ak.engines.Counts(1020, sent), truth=known)
    >>> from rich.console import Console
    >>> Console(width=80).print(rehearsal_table(analysis))
                                              Truth  Estimate   95 % interval  Eff. n
    ...
      yes                                    32.2 %    32.4 %  27.5 to 37.5 %    334
    ...
    """
    return _table(analysis, rehearsal=True)


@checked
def risk_tables(check: Check, *, details: bool = False) -> Group:
    """Tabulate the privacy guarantees of a form: first on one page, then question by question.

    What holds of several questions is said once, at the end.

    Parameters
    ----------
    check : Check
        By `askance.analysis.check`.
    details : bool
        Whether to say what each figure means of each question, and to draw the histograms.

    >>> import askance as ak
    >>> from rich.console import Console
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> Console(width=80).print(risk_tables(ak.check(form)))
    Marriage and faith
    ...
    No report is more than 6 times as likely from one answer as from another.
    ...
    """
    by_question = [_list_sentences(question) for question in check.questions]
    shared = _find_shared(check, by_question)
    parts: list[_Part] = [summary_table(check), *_set_heading("In detail")]
    for question, sentences in zip(check.questions, by_question, strict=True):
        parts += _set_question(
            question, [sentence for sentence in sentences if sentence not in shared], details
        )
    for trait in check.traits:
        heading = f"Together, about {trait.name}: {', '.join(trait.questions)}"
        parts += [
            _text(""),
            _text(heading, "bold"),
            *_set_guarantees(trait.guarantees, details=True),
        ]
        if trait.risk:
            parts.append(_text(trait.risk))
        if not trait.guarantees:
            parts.append(_text("Nothing bounds what they reveal together."))
    common = [
        f"{', '.join(names)}: {sentence}" for sentence, names in shared.items()
    ] + _describe_manipulation(check)
    if common:
        parts += [*_set_heading("Of several questions"), *map(_text, common)]
    if glosses := [] if details else list_glosses(check):
        lines = (f"{label}: {gloss}." for label, gloss in glosses)
        parts += [*_set_heading("The figures"), *map(_text, lines)]
    return Group(Trimmed(Group(*parts)))


@checked
def summary_table(check: Check) -> Group:
    """Tabulate a form on one page: what is asked, how each report is protected, how precise it is.

    Parameters
    ----------
    check : Check
        By `askance.analysis.check`.

    >>> import askance as ak
    >>> from rich.console import Console
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> Console(width=80).print(summary_table(ak.check(form)))
    Marriage and faith
    form SHA-256 ...
    ...
    Since you married, have you had an affair? (affair)                 ± 5.2 points
      No report is more than 6 times as likely from one answer as from another.
    ...
    """
    parts: list[_Part] = [
        _text(check.title, "bold"),
        _text(f"form SHA-256 {check.fingerprint}", "dim"),
        _text(""),
    ]
    middle = [
        question.precision[len(question.precision) // 2 :][:1] for question in check.questions
    ]
    sizes = [n for several in middle for n, _ in several]
    head = f"95 % interval from {count(sizes[0])} reports" if sizes else ""
    parts.append(_align([("Question", head)], [len(head)], "dim"))
    widths = [max((len(width) for several in middle for _, width in several), default=0)]
    for question, several in zip(check.questions, middle, strict=True):
        width = several[0][1] if several else ""
        parts.append(_align([(f"{question.text} ({question.name})", width)], widths))
        if question.protection:
            parts.append(Padding(_text(question.protection, "dim"), (0, 0, 0, 2), expand=False))
    parts += [_text(f"\n{line}", "dim") for line in _describe_spreads(check)]
    parts += [_text("")] if check.warnings else []
    parts += [_text(f"Note. {warning}", "yellow") for warning in check.warnings]
    return Group(Trimmed(Group(*parts)))


@final
@dataclass(frozen=True, slots=True)
class Trimmed:
    """A renderable printed without trailing blanks.

    Attributes
    ----------
    printed : rich renderable

    >>> from rich.console import Console
    >>> Console(width=9).print(Trimmed("as it is, printed"))
    as it is,
    printed
    """

    printed: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        """Print each line up to its last sign."""
        for line in console.render_lines(self.printed, options, pad=False):
            while line and not line[-1].text.rstrip():
                line.pop()
            *segments, last = line or [Segment("")]
            yield from (*segments, Segment(last.text.rstrip(), last.style), Segment.line())


def _table(analysis: Analysis, rehearsal: bool) -> Group:
    heading = percent_level(f.estimate.level for f in analysis.findings if not f.suppressed)
    columns = [*("Truth",) * rehearsal, "Estimate", heading, "Eff. n"]
    findings = [use_wording(finding) for finding in analysis.findings]
    rows = [
        _write_cells(quantities(finding), rehearsal, worths=finding.protected)
        for finding in findings
    ]
    cells = [columns, *(row[1:] for block in rows for row in block)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    parts: list[_Part] = [_align([("", *columns)], widths, "dim")]
    for finding, block in zip(findings, rows, strict=True):
        parts.append(_text(f"\n{finding.text}", "bold"))
        words = promise(finding) if rehearsal else ()
        counted = _word_counts(finding, minimum_of(analysis.form))
        parts += [_text(line, "dim") for line in (*words, counted)]
        doubts = warn_of_misfit(
            finding.fit.findings, finding.fit.doubted and not finding.suppressed
        )
        parts += [_text(line, "bold red") for line in doubts]
        parts += [_align(block, widths)] if block else []
        if finding.manipulation and not finding.suppressed:
            parts.append(_text(finding.manipulation.sentence, "dim"))
        parts += [_text(line, "dim") for line in left_open(finding)]
    for list_finding in analysis.lists:
        parts += _set_list(list_finding, widths, rehearsal)
    parts += [_text(f"\n{check.question}: {check.sentence}", "dim") for check in analysis.attention]
    parts += [
        _text(f"\n{name}: {sentence}", "dim")
        for name, sentences in note_evidence(analysis).items()
        for sentence in sentences
    ]
    if open_note := explain_open_survey(analysis.fieldwork):
        parts.append(_text(f"\n{open_note}", "bold"))
    if analysis.left_out:
        parts.append(_text(f"\n{explain_left_out(analysis.left_out)}", "bold"))
    if any(row[-1] for block in rows for row in block):
        parts.append(_text(f"\n{_EFFECTIVE_N}", "dim"))
    return Group(Trimmed(Group(*parts)))


def _write_cells(
    figures: Iterable[Quantity], rehearsal: bool, *, worths: bool = False
) -> list[tuple[str, ...]]:
    return [
        (
            f"  {quantity.name}",
            *(quantity.written_truth,) * rehearsal,
            quantity.estimate,
            quantity.interval,
            quantity.worth if worths else "",
        )
        for quantity in figures
    ]


def _set_list(finding: "ChecklistFinding", widths: Sequence[int], rehearsal: bool) -> list[_Part]:
    """Set what was learnt of a list to tick: each item, and both of each two."""
    parts: list[_Part] = [_text(f"\n{finding.text}", "bold")]
    shares = ("Ticked by", finding.items), ("Both ticked by", finding.pairs)
    for heading, several in shares:
        if block := _write_cells(list_ticked(several), rehearsal):
            parts += [_text(heading, "dim"), _align(block, widths)]
    if len(parts) == 1:
        parts.append(_text("withheld: too few reports", "dim"))
    return parts


def _align(rows: Iterable[tuple[str, ...]], widths: Sequence[int], style: str = "") -> Constrain:
    table = Table.grid(expand=True, padding=(0, 2, 0, 0))
    table.add_column(ratio=1, overflow="fold")
    for width in widths:
        table.add_column(justify="right", no_wrap=True, min_width=width)
    for row in rows:
        table.add_row(*(_text(cell, style) for cell in row))
    return Constrain(table, max(_WIDE, _NAME + sum(widths) + 2 * len(widths)))


def _word_counts(finding: "Finding", minimum: int) -> str:
    several = "" if finding.reports == 1 else "s"
    counts = f"{count(finding.reports)} report{several}, {count(finding.blank)} blank"
    if finding.not_asked:
        counts += f", {count(finding.not_asked)} not asked"
    few = f"; withheld: fewer than the minimum of the survey, {count(minimum)}"
    return counts + few if finding.suppressed else counts


def _describe_spreads(check: Check) -> list[str]:
    """Say for which people shares and intervals are given; by question where they differ."""
    by_spread: dict[str, list[str]] = {}
    for question in check.questions:
        by_spread.setdefault(_describe_people(question), []).append(question.name)
    common = max(by_spread, key=lambda assumed_population: len(by_spread[assumed_population]))
    parts = [
        f"{assumed_population} ({', '.join(names)})"
        for assumed_population, names in by_spread.items()
        if assumed_population != common
    ]
    return [
        f"Shares of people and intervals: {', '.join([*parts, 'else ' * bool(parts) + common])}."
    ]


def _describe_people(question: "CheckedQuestion") -> str:
    """Describe for which people a question's figures are; only intervals where nothing is vague."""
    supposed, expected = question.assumed_population, question.precision_population
    if supposed == expected or question.preview is None:
        return expected
    return f"{supposed} and intervals {expected}" if question.precision else supposed


def _list_sentences(question: "CheckedQuestion") -> list[str]:
    """List the sentences on a question, without its figures."""
    sentences = shorten(question)
    if question.preview is not None:
        sentences += [*question.preview.sentences, *question.preview.learnt]
    accepted = [f"The survey accepts that: {question.accepted}"] if question.accepted else []
    return [*sentences, *question.risks, *accepted]


def _find_shared(check: Check, by_question: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    """Find the sentences that hold of several questions, with the names of these.

    Those of groups by chance stay below the name of their group.
    """
    names: dict[str, list[str]] = {}
    for question, sentences in zip(check.questions, by_question, strict=True):
        grouped = question.kind == "table" and not question.by_answer
        for sentence in () if grouped else dict.fromkeys(sentences):
            names.setdefault(sentence, []).append(question.name)
    return {sentence: of for sentence, of in names.items() if len(set(of)) > 1}


def _set_heading(title: str) -> list[_Part]:
    return [_text(f"\n{title}", "bold underline")]


def _set_question(
    question: "CheckedQuestion", sentences: Sequence[str], details: bool
) -> list[_Part]:
    parts: list[_Part] = [_text("")]
    parts.append(_text(f"{question.text} ({question.name})", "bold"))
    parts += map(_text, sentences)
    if question.preview is not None:
        parts += _set_preview(question.preview, details)
    parts += _set_guarantees(question.guarantees, details, question.assumed_population)
    if details and question.worst_case:
        parts.append(_text(question.worst_case))
    if question.precision:
        widths = ", ".join(f"{width} from {count(n)}" for n, width in question.precision)
        people = question.precision_population
        precision = _wrap_line(f"Precision of a 95 % interval: {widths} reports, {people}")
        parts.append(_text(precision, "dim"))
    return parts


def _describe_manipulation(check: Check) -> list[str]:
    """Describe the poisoning bounds of all questions in one sentence."""
    names: dict[str, list[str]] = {}
    supposing = False
    for question in check.questions:
        if (bound := question.manipulation) is not None and bound.direct_shift_text:
            plainly = "" if bound.unit == "points" else f" (directly {bound.direct_shift_text})"
            which, star = ", unbiased," * bound.unbiased, "*" * bool(bound.population)
            far = f"{which} by {bound.shift_text}{star}{plainly}"
            names.setdefault(far, []).append(question.name)
            supposing |= bool(bound.population)
            fabricated = f"{count(bound.false_reports)} of {count(bound.reports)}"
            head = f"If {fabricated} reports were fabricated"
            share = f"{100 * bound.false_reports / bound.reports:.1f} points"
    if not names:
        return []
    effects = "; ".join(f"{', '.join(group)}{far}" for far, group in names.items())
    supposed = " (*: people as supposed above)" * supposing
    return [f"{head}, a direct share could shift by up to {share}; {effects}{supposed}."]


def _wrap_line(text: str) -> str:
    """Wrap a line without separating ± from its number."""
    tied = wrap(text.replace("± ", "±\0"), _WIDE, break_long_words=False, break_on_hyphens=False)
    return "\n".join(tied).replace("\0", " ")


def _set_preview(preview: "ReportPreview", details: bool) -> list[Text]:
    """Draw how many reports fit which share of people: in a line, or as a histogram."""
    counted = "; ".join([preview.assumed_population, *preview.notes])
    if not details:
        return [_text(f"Reports by people they fit, {counted}: {sparkline(preview.law)}")]
    heading = f"What share of people a report fits, and how many of 100 reports do ({counted}):"
    return [_text(heading, "dim"), *map(_text, histogram(preview.law))]


def _set_guarantees(
    guarantees: Iterable[Guarantee], details: bool, assumed_population: str = ""
) -> list[Padding]:
    """Set all guarantees in a line; in detail each on its own, with what it promises below."""
    if not details:
        figures = _join_figures(guarantees, assumed_population)
        return [Padding(_text(figures), (0, 0, 0, 2), expand=False)] if figures else []
    lines = []
    for guarantee in guarantees:
        lines += [
            (f"{guarantee.notion.label}: {figure(guarantee)}", "", 2),
            (guarantee.promise, "dim", 4),
        ]
    return [
        Padding(_text(text, style), (0, 0, 0, indent), expand=False)
        for text, style, indent in lines
    ]


def _join_figures(guarantees: Iterable[Guarantee], assumed_population: str) -> str:
    """Join all guarantees into one line, equal losses together."""
    shares, others = [], dict[tuple[str, str], list[str]]()
    for guarantee in guarantees:
        label, value = guarantee.notion.label, figure(guarantee)
        if guarantee.notion.is_width:
            shares.append(f"{label}: {value}")
        else:
            is_single = guarantee.notion is Notion.FLATNESS or not guarantee.notion.is_loss
            others.setdefault((value, label * is_single), []).append(label)
    losses = [f"{', '.join(several)}: {value}" for (value, _), several in others.items()]
    return "; ".join([*([", ".join([*shares, assumed_population])] if shares else []), *losses])


def _text(line: str, style: str = "") -> Text:
    """Make a rich text without markup and without control characters."""
    clean = (
        "\N{REPLACEMENT CHARACTER}" if category(sign) == "Cc" and sign != "\n" else sign
        for sign in line
    )
    return Text("".join(clean), style=style)


def format_line(line: str, style: str = "") -> Trimmed:
    """Make a printable line without markup and control characters.

    >>> from rich.console import Console
    >>> Console(width=9).print(format_line("all [as it is]"))
    all [as
    it is]
    """
    return Trimmed(_text(line, style))


_WIDEST = 40
_BINS = 10
_BLOCKS = "▁▂▃▄▅▆▇█"


def histogram(law: "ShareLaw") -> tuple[str, ...]:
    """Draw how many of 100 reports leave each tenth of all people possible, in 70 columns.

    Parameters
    ----------
    law : ShareLaw

    >>> from askance.privacy.coverage import CoverageLaw
    >>> law = CoverageLaw(values=[0.25, 0.35, 1], chances=[0.25, 0.25, 0.5], n=0)
    >>> for line in histogram(law):
    ...     print(line)
      20 to 30 %   25  ████████████████████
      30 to 40 %   25  ████████████████████
      40 to 50 %    0
      50 to 60 %    0
      60 to 70 %    0
      70 to 80 %    0
      80 to 90 %    0
     90 to 100 %   50  ████████████████████████████████████████
    """
    shares = _count_tenths(law)
    used = np.flatnonzero(shares > 0)
    scale = _WIDEST / shares.max()
    return tuple(
        f"{f'{10 * tenth} to {10 * tenth + 10} %':>12}{_format_count(float(shares[tenth])):>5}  "
        f"{'█' * round(shares[tenth] * scale)}".rstrip()
        for tenth in range(used[0], used[-1] + 1)
    )


def sparkline(law: "ShareLaw") -> str:
    """Draw the same in a line: how many reports leave each tenth of all people possible.

    >>> from askance.privacy.coverage import CoverageLaw
    >>> sparkline(CoverageLaw(values=[0.25, 0.35, 1], chances=[0.125, 0.375, 0.5], n=0))
    '0 % ··▂▆·····█ 100 %'
    """
    shares = _count_tenths(law)
    tall = np.ceil(shares / shares.max() * len(_BLOCKS) - 1e-9).astype(int)
    return f"0 % {''.join(_BLOCKS[height - 1] if height else '·' for height in tall)} 100 %"


def _count_tenths(law: "ShareLaw") -> Floats:
    tenth = np.clip(np.ceil(law.values * _BINS - 1e-9).astype(int) - 1, 0, _BINS - 1)
    return np.bincount(tenth, law.chances, _BINS).astype(float)


def _format_count(share: float) -> str:
    return "<1" if 0 < share < 0.005 else f"{100 * share:.0f}"
