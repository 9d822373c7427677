"""Groups side by side on one page: a panel for each answer, a row for each group, one scale.

A dot is an estimate, hollow where its group is small; a level line its interval; the dashed line
everybody's estimate. How many of a group reported is said once, and so is every other number.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import final

from askance.inference.domains import SMALL, DomainEstimates, LineDomains, group_name, why_withheld
from askance.inference.line.cells import LineEstimate
from askance.inference.shares.information import Estimate
from askance.present.figures import curve_figure, inline, page_style
from askance.present.findings import Quantity, count, figures_of, keep_distinct, percent_level
from askance.present.page_sheet import (
    LIMITS,
    Drawing,
    Mark,
    dot_plot,
    list_fingerprints,
    render_template,
)
from askance.present.sentences import load_sentences
from askance.results import kept_mapping
from askance_collect.arguments import checked
from askance_collect.errors import InputError

EVERYBODY = "Everybody"

_MOST_ROWS = 40
_MOST_PANELS = 12
_MOST_CURVES = 12
_HALF = 180  # pixels: a plot where two panels stand side by side
_EDGE = 1e-9

_AS_GIVEN, *_OF_GROUPS = map(str, load_sentences("notes.toml")["groups"].values())


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupFinding:
    """What was learnt of one question, of everybody and by groups: domains of one sample.

    Attributes
    ----------
    text : str
        The question, or the column.
    description : str
        How it was asked, in a sentence.
    overall : Estimate or LineEstimate or None
        Of everybody; None where it is withheld.
    groups : DomainEstimates or LineDomains or None
        From `askance.inference.estimate_domains`; None where nobody is told apart.
    wording : mapping of str to str
        What answers are called on the page, by their names.
    names : mapping of str to mapping
        What values of a column of groups are called, by that column.
    promise : tuple of str
        What a report can give away, in sentences.
    pool : str
        The command that pools small groups, if there is one.
    """

    text: str
    description: str
    overall: Estimate | LineEstimate | None
    groups: DomainEstimates | LineDomains | None = None
    wording: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    promise: tuple[str, ...] = ()
    pool: str = ""

    def __post_init__(self) -> None:
        named = {by: kept_mapping(labels) for by, labels in self.names.items()}
        object.__setattr__(self, "wording", kept_mapping(self.wording))
        object.__setattr__(self, "names", kept_mapping(named))


@checked
def render_groups(
    title: str,
    findings: Sequence[GroupFinding],
    *,
    language: str = "en",
    notes: Sequence[str] = (),
    command: str = "",
    form_fingerprint: str = "",
    data_fingerprint: str = "",
) -> str:
    """Render estimates by group as one self-contained HTML page.

    Of two answers the first is shown, of more each by itself, of a number its average and its
    quantiles: a panel each, in which groups are rows on one scale, everybody first. A small group
    is told as such, and never as a bare 0 or 100 %.

    Parameters
    ----------
    title : str
    findings : sequence of GroupFinding
    language : str
        Of the title and of questions, such as "en".
    notes : sequence of str
        What is said of all, in sentences.
    command, form_fingerprint, data_fingerprint : str
        How to compute this again, and from what.

    Raises
    ------
    InputError
        If a note is no text, or a finding none.
    MissingExtra
        If Jinja2 or matplotlib is not installed.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> said = ["yes", "no", "no", "yes"] * 100 + ["yes"] * 20
    >>> town = ["a"] * 400 + ["b"] * 20
    >>> groups = ak.inference.estimate_domains(ak.tally(q, said, by=town), by="town")
    >>> page = render_groups("Said", [GroupFinding(
    ...     text="said", description="By a coin.", groups=groups,
    ...     overall=ak.estimate(ak.tally(q, said)))])
    >>> page[:15], "100.0&nbsp;%" in page, "too few to say" in page
    ('<!doctype html>', False, True)
    """
    for note in notes:
        if not isinstance(note, str):
            raise InputError("render_groups.notes", got=note, allowed="sentences")
    articles = [_write_article(finding, f"q{index}") for index, finding in enumerate(findings, 1)]
    by = dict.fromkeys(article.by for article in articles if article.by)
    levels = [estimate.level for finding in findings for estimate in _list_estimates(finding)]
    return render_template(
        "groups.html",
        title=title,
        language=language,
        prints=list_fingerprints(form_fingerprint, data_fingerprint),
        command=command,
        limits=(*LIMITS[:2], _AS_GIVEN, *(_OF_GROUPS if by else ()), LIMITS[3]),
        notes=notes,
        reports=count(max(map(_count_reports, findings), default=0)),
        by="; ".join(by),
        findings=articles,
        interval=percent_level(levels),
    )


def _count_reports(finding: GroupFinding) -> int:
    """How many reports there are of all groups, or of everybody."""
    if finding.groups is not None:
        return sum(finding.groups.reports)
    return 0 if finding.overall is None else finding.overall.reports


def _list_estimates(finding: GroupFinding) -> list[Estimate | LineEstimate]:
    """All estimates that are not withheld."""
    groups = finding.groups.estimates if finding.groups is not None else ()
    return [estimate for estimate in (finding.overall, *groups) if estimate is not None]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """A row of every panel: a group, or everybody.

    Attributes
    ----------
    label, reports, mark : str
        The mark says that a group is small, or why nothing is told of it.
    quantities : tuple of Quantity
        Nothing where it is withheld.
    overall : bool
    """

    label: str
    reports: str
    mark: str
    quantities: tuple[Quantity, ...]
    overall: bool

    @property
    def figures(self) -> list[tuple[str, str]]:
        """Each estimate with its interval, in words."""
        return [(_word_estimate(self, quantity), quantity.interval) for quantity in self.quantities]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _PanelRow:
    """What the template sets of one group in one panel."""

    label: str
    reports: str
    mark: str
    estimate: str
    interval: str
    marks: Mark
    overall: bool
    few: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Panel:
    """A dot and an interval for each row, the ticks below, and where everybody's estimate lies."""

    title: str
    rows: tuple[_PanelRow, ...]
    ticks: tuple[tuple[float, str], ...]
    all: tuple[float, ...]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _GroupArticle:
    """What the template sets for one question; every text in it is still unescaped."""

    id: str
    text: str
    how: str
    by: str
    rows: tuple[_Group, ...]
    more: tuple[_Group, ...]
    panels: tuple[_Panel, ...]
    figures: tuple[Drawing, ...]
    curves: str
    notes: tuple[str, ...]
    pool: str
    promise: tuple[str, ...]


def _write_article(finding: GroupFinding, name: str) -> _GroupArticle:
    members = _list_members(finding)
    positions = _choose_panels(members)
    reduced = [
        replace(row, quantities=tuple(row.quantities[k] for k in positions if row.quantities))
        for row in members
    ]
    rows, more = reduced[: _MOST_ROWS + 1], reduced[_MOST_ROWS + 1 :]
    small = any(row.mark == "small" for row in members)
    figures = _draw_curves(finding, members, name)
    level = percent_level(estimate.level for estimate in _list_estimates(finding))
    return _GroupArticle(
        id=name,
        text=finding.text,
        how=finding.description,
        by=", ".join(finding.groups.by) if finding.groups is not None else "",
        rows=tuple(rows),
        more=tuple(more),
        panels=_write_panels(rows) if finding.groups is not None else _write_single_panel(rows[0]),
        figures=figures,
        curves=f"Share of people at or below each number, with a band of {level}s; "
        "dashed: everybody",
        notes=_list_notes(finding, members, len(positions)),
        pool=finding.pool if small and not isinstance(finding.groups, LineDomains) else "",
        promise=finding.promise,
    )


def _list_members(finding: GroupFinding) -> list[_Group]:
    """List everybody and each group, with their estimates."""
    groups, overall = finding.groups, finding.overall
    n = _count_reports(finding)
    all_people = _Group(
        label=EVERYBODY,
        reports=count(n),
        mark="" if overall is not None else why_withheld(n, n + 1)[0],
        quantities=_list_quantities(overall, finding),
        overall=True,
    )
    if groups is None:
        return [all_people]
    return [
        all_people,
        *(_describe_group(finding, groups, i) for i in _order_groups(finding, groups)),
    ]


def _describe_group(finding: GroupFinding, groups: DomainEstimates | LineDomains, i: int) -> _Group:
    reports, estimate = groups.reports[i], groups.estimates[i]
    small = estimate is not None and not min(_list_worths(estimate)) >= SMALL
    named = zip(groups.by, map(group_name, groups.groups[i]), strict=True)
    return _Group(
        label=" · ".join(finding.names.get(by, {}).get(name, name) for by, name in named),
        reports=count(reports),
        mark="small" if small else why_withheld(reports, groups.minimum)[0] * (estimate is None),
        quantities=_list_quantities(estimate, finding),
        overall=False,
    )


def _order_groups(finding: GroupFinding, groups: DomainEstimates | LineDomains) -> list[int]:
    """Sort groups in the order of the answers of the question that defines them."""
    ranks = []
    for column, by in zip(zip(*groups.groups, strict=True), groups.by, strict=True):
        named = list(map(group_name, column))
        order = [*finding.names.get(by, ()), *named]
        ranks.append([order.index(name) for name in named])
    return sorted(range(len(groups.groups)), key=lambda i: [rank[i] for rank in ranks])


def _list_worths(estimate: Estimate | LineEstimate) -> list[float]:
    """How many plain answers each share is worth, or the average."""
    if isinstance(estimate, Estimate):
        return [float(worth) for worth in estimate.effective_sample_size]
    return [estimate.effective_sample_size]


def _list_quantities(
    estimate: Estimate | LineEstimate | None, finding: GroupFinding
) -> tuple[Quantity, ...]:
    """List what an estimate holds, in the words of the page; of two answers the first."""
    if estimate is None:
        return ()
    wording = keep_distinct(finding.wording) if isinstance(estimate, Estimate) else {}
    quantities = tuple(
        replace(quantity, label=wording.get(quantity.label, quantity.label))
        for quantity in figures_of(estimate)
    )
    return quantities[:1] if isinstance(estimate, Estimate) and len(quantities) == 2 else quantities


def _choose_panels(rows: Sequence[_Group]) -> list[int]:
    """Choose the figures that get a panel: all, or the largest shares."""
    quantities = next((row.quantities for row in rows if row.quantities), ())
    largest = sorted(range(len(quantities)), key=lambda i: -quantities[i].low)[:_MOST_PANELS]
    return sorted(largest)


def _write_panels(rows: Sequence[_Group]) -> tuple[_Panel, ...]:
    """Write a panel for each figure, with a row for each group, all on one scale."""
    estimated = [row for row in rows if row.quantities]
    if not estimated:
        return ()
    figures = range(len(estimated[0].quantities))
    single = len(figures) == 1
    listed = rows if single else estimated
    marked = [_choose_marks(row, i) for i in figures for row in estimated]
    plot = dot_plot(marked) if single else dot_plot(marked, _HALF)
    marks = iter(plot.marks)
    panels = []
    for i in figures:
        by_label = {row.label: (row, next(marks)) for row in estimated}
        overall = by_label[EVERYBODY][1].estimate if estimated[0].overall else None
        set_rows = tuple(
            _write_row(row, i, by_label.get(row.label, (row, _NOWHERE))[1]) for row in listed
        )
        panels.append(
            _Panel(
                title=_title_panel(estimated[0].quantities[i]),
                rows=set_rows,
                ticks=plot.ticks,
                all=tuple(dict.fromkeys(overall or ())),
            )
        )
    return tuple(panels)


def _title_panel(quantity: Quantity) -> str:
    return f"Share of “{quantity.label}”" if quantity.unit is None else quantity.name


_NOWHERE = Mark(estimate=None, interval=None, truth=None)


def _write_single_panel(overall: _Group) -> tuple[_Panel, ...]:
    """Write one panel with a row for each answer, where there are no groups."""
    quantities = overall.quantities
    if not quantities:
        return ()
    plot = dot_plot(quantities)
    rows = tuple(
        replace(_write_row(overall, i, mark), label=quantities[i].label, overall=False)
        for i, mark in enumerate(plot.marks)
    )
    unit = quantities[0].unit
    title = f"Figures, in {unit}" if unit else "Share of each answer"
    if len(quantities) == 1:
        title = _title_panel(quantities[0])
    return (_Panel(title=title, rows=rows, ticks=plot.ticks, all=()),)


def _choose_marks(row: _Group, i: int) -> Quantity:
    """Choose the figures that a row marks; no estimate for too small a group."""
    quantity = row.quantities[i]
    nothing = float("nan")
    return replace(quantity, low=nothing, high=nothing) if _is_at_edge(row, quantity) else quantity


def _is_at_edge(row: _Group, quantity: Quantity) -> bool:
    """Whether a small group's share would be told as 0 or 100 %."""
    small = row.mark == "small" and quantity.unit is None
    return small and not _EDGE < quantity.low < 1 - _EDGE


def _list_dots(row: _Group) -> list[Quantity]:
    """The figures of a row that a dot can stand for."""
    return [
        quantity
        for quantity in row.quantities
        if not _is_at_edge(row, quantity) and quantity.low == quantity.high
    ]


def _word_estimate(row: _Group, quantity: Quantity) -> str:
    return "too few to say" if _is_at_edge(row, quantity) else quantity.estimate


def _write_row(row: _Group, i: int, mark: Mark) -> _PanelRow:
    quantity = row.quantities[i] if row.quantities else None
    return _PanelRow(
        label=row.label,
        reports=row.reports,
        mark=row.mark,
        estimate=_word_estimate(row, quantity) if quantity else "",
        interval=quantity.interval if quantity else "",
        marks=mark,
        overall=row.overall,
        few=quantity is not None and _is_at_edge(row, quantity),
    )


def _list_notes(finding: GroupFinding, members: Sequence[_Group], panels: int) -> tuple[str, ...]:
    """How it was computed, what marks mean, and what is not shown."""
    estimates = _list_estimates(finding)
    notes = (
        [f"Method: {max(estimates, key=lambda estimate: estimate.reports).method}."]
        if estimates
        else []
    )
    if finding.groups is not None:
        notes += [f"{mark}." for mark in finding.groups.notes[1:]]
    if isinstance(finding.groups, LineDomains) and any(row.mark == "small" for row in members):
        notes.append(f"small: effective n below {SMALL}; collapse such groups.")
    if any(dot for row in members if row.mark == "small" for dot in _list_dots(row)):
        notes.append("A hollow dot is the estimate of a small group.")
    figures = len(next((row.quantities for row in members if row.quantities), ()))
    if panels < figures:
        notes.append(f"The {panels} commonest of {figures} answers are shown.")
    return tuple(notes)


def _draw_curves(
    finding: GroupFinding, members: Sequence[_Group], name: str
) -> tuple[Drawing, ...]:
    """Draw each group's distribution of a number, with everybody's as a dashed line."""
    if not isinstance(finding.groups, LineDomains):
        return ()
    overall = finding.overall if isinstance(finding.overall, LineEstimate) else None
    ordered = [finding.groups.estimates[i] for i in _order_groups(finding, finding.groups)]
    pairs = zip(members[1:], ordered, strict=True)
    labelled = [(row.label, estimate) for row, estimate in pairs if estimate is not None]
    drawings = []
    with page_style():
        for i, (label, estimate) in enumerate(labelled[:_MOST_CURVES]):
            figure = curve_figure(estimate, everybody=overall)
            svg = inline(figure, f"{name}c{i}", label, f"{finding.text}: {label}")
            drawings.append(Drawing(svg=svg, caption=label))
    return tuple(drawings)
