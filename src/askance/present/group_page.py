"""Groups side by side on one page: a panel for each answer, a row for each group, one scale.

A dot is an estimate, hollow where its group is small; a level line its interval; the dashed line
everybody's estimate. How many of a group reported is said once, and so is every other number.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import final

from askance.arguments import checked
from askance.errors import InputError
from askance.inference.domains import SMALL, DomainEstimates, LineDomains, group_name, why_withheld
from askance.inference.line.cells import LineEstimate
from askance.inference.shares.information import Estimate
from askance.present.figures import curves_beside, house_style, inline
from askance.present.findings import Quantity, count, distinct, figures_of, percent_level
from askance.present.page_sheet import LIMITS, Drawing, Mark, dot_plot, prints_of, rendered
from askance.results import kept_mapping

EVERYBODY = "Everybody"

_MOST_ROWS = 40
_MOST_PANELS = 12
_MOST_CURVES = 12
_HALF = 180  # pixels: a plot where two panels stand side by side
_EDGE = 1e-9

_AS_GIVEN = (
    "It takes answers as given. People who misread the question or answered untruthfully are in "
    "the figures: askance compliance shows how much that could matter."
)
_OF_GROUPS = (
    "Intervals of two groups may overlap although the groups differ, and need not where they do "
    "not: askance compare tests a difference.",
    "Of many groups the highest and the lowest are so in part by chance.",
)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupFinding:
    """What was learnt of one question, of everybody and by groups: domains of one sample.

    Attributes
    ----------
    text : str
        The question, or the column.
    how : str
        How it was asked, in a sentence.
    whole : Estimate or LineEstimate or None
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
    how: str
    whole: Estimate | LineEstimate | None
    groups: DomainEstimates | LineDomains | None = None
    wording: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    promise: tuple[str, ...] = ()
    pool: str = ""

    def __post_init__(self) -> None:
        named = {by: kept_mapping(told) for by, told in self.names.items()}
        object.__setattr__(self, "wording", kept_mapping(self.wording))
        object.__setattr__(self, "names", kept_mapping(named))


@checked
def render_groups(
    title: str,
    found: Sequence[GroupFinding],
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
    found : sequence of GroupFinding
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
    >>> page = render_groups("Said", [GroupFinding(text="said", how="By a coin.", groups=groups,
    ...     whole=ak.estimate(ak.tally(q, said)))])
    >>> page[:15], "100.0&nbsp;%" in page, "too few to say" in page
    ('<!doctype html>', False, True)
    """
    for note in notes:
        if not isinstance(note, str):
            raise InputError("render_groups.notes", got=note, allowed="sentences")
    for one in found:
        if not isinstance(one, GroupFinding):
            raise InputError("render_groups.found", got=one, allowed="each a GroupFinding")
    shown = [_show(one, f"q{at}") for at, one in enumerate(found, 1)]
    by = dict.fromkeys(one.by for one in shown if one.by)
    levels = [told.level for one in found for told in _told(one)]
    return rendered(
        "groups.html",
        title=title,
        language=language,
        prints=prints_of(form_fingerprint, data_fingerprint),
        command=command,
        limits=(*LIMITS[:2], _AS_GIVEN, *(_OF_GROUPS if by else ()), LIMITS[3]),
        notes=notes,
        reports=count(max(map(_reports, found), default=0)),
        by="; ".join(by),
        findings=shown,
        interval=percent_level(levels),
    )


def _reports(one: GroupFinding) -> int:
    """How many reports there are of all groups, or of everybody."""
    if one.groups is not None:
        return sum(one.groups.reports)
    return 0 if one.whole is None else one.whole.reports


def _told(one: GroupFinding) -> list[Estimate | LineEstimate]:
    """All estimates that are not withheld."""
    groups = one.groups.estimates if one.groups is not None else ()
    return [told for told in (one.whole, *groups) if told is not None]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """A row of every panel: a group, or everybody.

    Attributes
    ----------
    label, reports, mark : str
        The mark says that a group is small, or why nothing is told of it.
    held : tuple of Quantity
        Nothing where it is withheld.
    everybody : bool
    """

    label: str
    reports: str
    mark: str
    held: tuple[Quantity, ...]
    everybody: bool

    @property
    def figures(self) -> list[tuple[str, str]]:
        """Each estimate with its interval, in words."""
        return [(_estimate(self, one), one.interval) for one in self.held]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """What the template sets of one group in one panel."""

    label: str
    reports: str
    mark: str
    told: str
    interval: str
    place: Mark
    everybody: bool
    few: bool = False


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Panel:
    """A dot and an interval for each row, the ticks below, and where everybody's estimate lies."""

    title: str
    rows: tuple[_Row, ...]
    ticks: tuple[tuple[float, str], ...]
    all: tuple[float, ...]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
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


def _show(one: GroupFinding, name: str) -> _Shown:
    members = _members(one)
    at = _panels_of(members)
    kept = [replace(row, held=tuple(row.held[k] for k in at if row.held)) for row in members]
    rows, more = kept[: _MOST_ROWS + 1], kept[_MOST_ROWS + 1 :]
    small = any(row.mark == "small" for row in members)
    figures = _curves(one, members, name)
    level = percent_level(told.level for told in _told(one))
    return _Shown(
        id=name,
        text=one.text,
        how=one.how,
        by=", ".join(one.groups.by) if one.groups is not None else "",
        rows=tuple(rows),
        more=tuple(more),
        panels=_panels(rows) if one.groups is not None else _alone(rows[0]),
        figures=figures,
        curves=f"Share of people at or below each number, with a band of {level}s; "
        "dashed: everybody",
        notes=_notes(one, members, len(at)),
        pool=one.pool if small and not isinstance(one.groups, LineDomains) else "",
        promise=one.promise,
    )


def _members(one: GroupFinding) -> list[_Group]:
    """Everybody, and each group, with what is held of it."""
    groups, whole = one.groups, one.whole
    n = _reports(one)
    everybody = _Group(
        label=EVERYBODY,
        reports=count(n),
        mark="" if whole is not None else why_withheld(n, n + 1)[0],
        held=_held(whole, one),
        everybody=True,
    )
    if groups is None:
        return [everybody]
    return [everybody, *(_group(one, groups, at) for at in _order(one, groups))]


def _group(one: GroupFinding, groups: DomainEstimates | LineDomains, at: int) -> _Group:
    reports, told = groups.reports[at], groups.estimates[at]
    small = told is not None and not min(_worths(told)) >= SMALL
    named = zip(groups.by, map(group_name, groups.groups[at]), strict=True)
    return _Group(
        label=" · ".join(one.names.get(by, {}).get(name, name) for by, name in named),
        reports=count(reports),
        mark="small" if small else why_withheld(reports, groups.minimum)[0] * (told is None),
        held=_held(told, one),
        everybody=False,
    )


def _order(one: GroupFinding, groups: DomainEstimates | LineDomains) -> list[int]:
    """Put groups in the order of a question's answers where they are told apart by one."""
    ranks = []
    for column, by in zip(zip(*groups.groups, strict=True), groups.by, strict=True):
        named = list(map(group_name, column))
        known = [*one.names.get(by, ()), *named]
        ranks.append([known.index(name) for name in named])
    return sorted(range(len(groups.groups)), key=lambda at: [rank[at] for rank in ranks])


def _worths(told: Estimate | LineEstimate) -> list[float]:
    """How many plain answers each share is worth, or the average."""
    if isinstance(told, Estimate):
        return [float(one) for one in told.effective_sample_size]
    return [told.effective_sample_size]


def _held(told: Estimate | LineEstimate | None, one: GroupFinding) -> tuple[Quantity, ...]:
    """List what an estimate holds, in the words of the page; of two answers the first."""
    if told is None:
        return ()
    wording = distinct(one.wording) if isinstance(told, Estimate) else {}
    held = tuple(
        replace(each, label=wording.get(each.label, each.label)) for each in figures_of(told)
    )
    return held[:1] if isinstance(told, Estimate) and len(held) == 2 else held


def _panels_of(rows: Sequence[_Group]) -> list[int]:
    """Which of all figures have a panel: all, or the largest shares."""
    held = next((row.held for row in rows if row.held), ())
    largest = sorted(range(len(held)), key=lambda at: -held[at].low)[:_MOST_PANELS]
    return sorted(largest)


def _panels(rows: Sequence[_Group]) -> tuple[_Panel, ...]:
    """Set the groups beside each other, a panel for each figure, all on one scale."""
    told = [row for row in rows if row.held]
    if not told:
        return ()
    figures = range(len(told[0].held))
    single = len(figures) == 1
    shown = rows if single else told
    drawn = [_drawn(row, at) for at in figures for row in told]
    plot = dot_plot(drawn) if single else dot_plot(drawn, _HALF)
    marks = iter(plot.marks)
    panels = []
    for at in figures:
        found = {row.label: (row, next(marks)) for row in told}
        whole = found[EVERYBODY][1].estimate if told[0].everybody else None
        set_rows = tuple(_row(row, at, found.get(row.label, (row, _NOWHERE))[1]) for row in shown)
        panels.append(
            _Panel(
                title=_title(told[0].held[at]),
                rows=set_rows,
                ticks=plot.ticks,
                all=tuple(dict.fromkeys(whole or ())),
            )
        )
    return tuple(panels)


def _title(held: Quantity) -> str:
    return f"Share of “{held.label}”" if held.unit is None else held.name


_NOWHERE = Mark(estimate=None, interval=None, truth=None)


def _alone(everybody: _Group) -> tuple[_Panel, ...]:
    """Set the answers below each other where nobody is told apart."""
    held = everybody.held
    if not held:
        return ()
    plot = dot_plot(held)
    rows = tuple(
        replace(_row(everybody, at, mark), label=held[at].label, everybody=False)
        for at, mark in enumerate(plot.marks)
    )
    unit = held[0].unit
    title = f"Figures, in {unit}" if unit else "Share of each answer"
    if len(held) == 1:
        title = _title(held[0])
    return (_Panel(title=title, rows=rows, ticks=plot.ticks, all=()),)


def _drawn(row: _Group, at: int) -> Quantity:
    """What the marks of a row stand for: no estimate where a group is too small for one."""
    held = row.held[at]
    nothing = float("nan")
    return replace(held, low=nothing, high=nothing) if _at_edge(row, held) else held


def _at_edge(row: _Group, held: Quantity) -> bool:
    """Whether a small group's share would be told as 0 or 100 %."""
    small = row.mark == "small" and held.unit is None
    return small and not _EDGE < held.low < 1 - _EDGE


def _dots(row: _Group) -> list[Quantity]:
    """The figures of a row that a dot can stand for."""
    return [one for one in row.held if not _at_edge(row, one) and one.low == one.high]


def _estimate(row: _Group, held: Quantity) -> str:
    return "too few to say" if _at_edge(row, held) else held.told


def _row(row: _Group, at: int, mark: Mark) -> _Row:
    held = row.held[at] if row.held else None
    return _Row(
        label=row.label,
        reports=row.reports,
        mark=row.mark,
        told=_estimate(row, held) if held else "",
        interval=held.interval if held else "",
        place=mark,
        everybody=row.everybody,
        few=held is not None and _at_edge(row, held),
    )


def _notes(one: GroupFinding, members: Sequence[_Group], panels: int) -> tuple[str, ...]:
    """How it was computed, what marks mean, and what is not shown."""
    found = _told(one)
    notes = [f"Method: {max(found, key=lambda told: told.reports).method}."] if found else []
    if one.groups is not None:
        notes += [f"{mark}." for mark in one.groups.notes[1:]]
    if isinstance(one.groups, LineDomains) and any(row.mark == "small" for row in members):
        notes.append(f"small: worth fewer than {SMALL} plain answers; join such groups.")
    if any(one for row in members if row.mark == "small" for one in _dots(row)):
        notes.append("A hollow dot is the estimate of a small group.")
    figures = len(next((row.held for row in members if row.held), ()))
    if panels < figures:
        notes.append(f"The {panels} commonest of {figures} answers are shown.")
    return tuple(notes)


def _curves(one: GroupFinding, members: Sequence[_Group], name: str) -> tuple[Drawing, ...]:
    """Draw the distribution of a number in each group, beside that of everybody."""
    if not isinstance(one.groups, LineDomains):
        return ()
    whole = one.whole if isinstance(one.whole, LineEstimate) else None
    ordered = [one.groups.estimates[at] for at in _order(one, one.groups)]
    pairs = zip(members[1:], ordered, strict=True)
    told = [(row.label, found) for row, found in pairs if found is not None]
    drawn = []
    with house_style():
        for at, (label, found) in enumerate(told[:_MOST_CURVES]):
            figure = curves_beside(found, whole)
            svg = inline(figure, f"{name}c{at}", label, f"{one.text}: {label}")
            drawn.append(Drawing(svg=svg, caption=label))
    return tuple(drawn)
