"""Groups of one sample: shares and numbers in each, and which groups of few people are withheld."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, product
from typing import Any, ClassVar, NamedTuple, Protocol, final

import numpy as np

from askance.channels.tally import Tally
from askance.chart import Axis, Chart, chart_frame, draw_result, rows_chart
from askance.inference.fit_result import GoodnessOfFit, joined_fits
from askance.inference.line.cells import LineEstimate
from askance.inference.provenance import Computation
from askance.inference.shares.estimate import estimate
from askance.inference.shares.information import Estimate
from askance.results import (
    Cell,
    Listing,
    counted,
    folded,
    group_count,
    group_estimate,
    group_items,
    group_names,
    json_of,
    listed,
    number,
    plain_json,
    result_frame,
    result_stream,
)
from askance.typing import Booleans, Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.ratio import read_integer

SMALL = 30
"""A group whose reports are worth fewer plain answers than so many is called small."""


@final
@folded
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class DomainEstimates:
    """The estimated share of each answer in each of several groups.

    It is iterable as a mapping is: ``domains["north"]`` is the `Estimate` of that group, of groups
    by two columns ``domains["north", "old"]``, and ``items()`` goes through all.

    Attributes
    ----------
    by : tuple of str
        What people are told apart by.
    groups : tuple of tuple
        A value of each of these for every group; None where it is missing.
    reports : tuple of int
        How many reports of each group were received, blanks left out.
    estimates : tuple of Estimate or None
        None where it is withheld: reports are fewer than ``minimum``, or those of such a group
        could be found by subtraction.
    minimum : int
    remainder : Estimate or None
        The shares in all withheld groups together. None where it is withheld too: fewer than two
        groups are withheld, they hold fewer than ``minimum`` reports together, no group is shown,
        or the sample is complex, in which groups are not independent.
    """

    computation: ClassVar[Computation] = Computation.DOMAIN_SHARES
    by: tuple[str, ...]
    groups: tuple[tuple[Any, ...], ...]
    reports: tuple[int, ...]
    estimates: tuple[Estimate | None, ...]
    minimum: int = 1
    remainder: Estimate | None = None

    @property
    def small(self) -> tuple[bool, ...]:
        """Groups as imprecise as fewer than 30 plain answers, or withheld.

        Fewer than 30 of their reports say something, or the standard error is above that of 30
        plain answers to an evenly split question, ½/√30.
        """
        return tuple(
            fit is None or fit.reports < SMALL or not fit.se.max() <= 0.5 / SMALL**0.5
            for fit in self.estimates
        )

    @property
    def withheld(self) -> tuple[str, ...]:
        """Reason for withholding each group's estimate, in words; empty if it is shown."""
        return why_each_withheld(self)

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Whether the channel can have sent the shown groups' reports, tested as one family."""
        return fit_of_groups(self)

    @property
    def remainder_reports(self) -> int:
        """How many reports the withheld groups hold together."""
        groups = zip(self.reports, self.estimates, strict=True)
        return sum(n for n, fit in groups if fit is None)

    def to_dict(self) -> Json:
        """Write the estimate of each group for JSON, and of the withheld ones together."""
        together: Json | None = None
        if self.remainder is not None:
            together = json_of(self, "reports=remainder_reports estimate=remainder")
        groups = groups_json(self, [{"small": small} for small in self.small])
        return groups | {"remainder": together}

    def columns(self) -> tuple[list[str], list[list[Cell]]]:
        """The head of a table, and a row for each group and answer, numbers as they are.

        The last rows are of the withheld groups together, if they are shown.
        """
        head = [*self.by, "answer", "share", "se", "lower", "upper", "plain", "reports", "small"]
        rows: list[list[Cell]] = []
        together = zip(self.groups, self.reports, self.small, self.estimates, strict=True)
        for group, reports, small, fit in together:
            named: list[Cell] = [group_name(value) for value in group]
            if fit is None:
                rows.append([*named, *[None] * 6, reports, why_withheld(reports, self.minimum)[0]])
                continue
            mark = "small" if small else ""
            rows += [[*named, *row, reports, mark] for row in _answer_rows(fit)]
        if self.remainder is not None:
            named = [_OTHERS, *[""] * (len(self.by) - 1)]
            reports = self.remainder_reports
            rows += [[*named, *row, reports, _TOGETHER] for row in _answer_rows(self.remainder)]
        return head, rows

    def _table(self) -> Listing:
        _, rows = self.columns()
        estimates, wide = self._shown_estimates(), len(self.by)
        level = f"{100 * estimates[0].level:g} % from" if estimates else "from"
        names = [*self.by, "answer", "share", "se", level, "to", "plain answers", "reports", ""]
        cells = [
            [_write_cell(cell, is_count=i >= wide + 5) for i, cell in enumerate(row)]
            for row in rows
        ]
        answer = "each answer"
        if estimates and len(estimates[0].labels) == 2:  # the other share says nothing new
            answer = estimates[0].labels[0]
            indices = [i for i, row in enumerate(rows) if row[wide] in (None, answer)]
            cells = [cells[i][:wide] + cells[i][wide + 1 :] for i in indices]
            del names[wide]
        return self.title_of(answer), names, cells, list(self.notes)

    def _by(self) -> str:
        return f", by {', '.join(self.by)}" if self.by else ""

    def _shown_estimates(self) -> list[Estimate]:
        return [fit for fit in self.estimates if fit is not None]

    @property
    def title(self) -> str:
        """Title: the shares and their groups."""
        return self.title_of("each answer")

    @checked
    def title_of(self, answer: str) -> str:
        """Title of the shares of one answer, and their groups."""
        return f"share of {answer}{self._by()}"

    @property
    def notes(self) -> tuple[str, ...]:
        """How it was computed, and which groups are small or withheld."""
        estimates = self._shown_estimates()
        method = (
            max(estimates, key=lambda fit: fit.reports).method if estimates else "nothing learnt"
        )
        notes = [f"{counted(sum(self.reports), 'report')}; {method}"]
        groups = list(zip(self.reports, self.small, self.estimates, strict=True))
        if any(small and fit is not None for _, small, fit in groups):
            notes.append(f"small: effective n below {SMALL}; collapse such groups")
        marks = withheld_marks(self)
        if self.remainder is not None:
            count = sum(n > 0 and fit is None for n, _, fit in groups)
            notes.append(
                f"{_TOGETHER}: {count} withheld groups with {self.minimum} reports or more between "
                "them; the overall estimate less those shown reveals it too"
            )
        notes += marks
        if marks and not estimates:
            notes.append("nothing is left to show: every group is withheld")
        return (*notes, *self.goodness_of_fit.misfit)

    def _chart(self) -> Chart:
        """Describe groups side by side: as rows, or as series in the rows of the answers.

        Of two answers the first alone is drawn. More than seven series could not be told apart.
        """
        names = map(_label_group, self.groups, self.estimates)
        fits = dict(zip(names, self.estimates, strict=True))
        fits |= {_OTHERS: self.remainder} if self.remainder is not None else {}
        shown = self._shown_estimates()[:1]
        labels = shown[0].labels if shown else ("each answer",)
        labels = labels[:1] if len(labels) == 2 else labels
        cells = np.full((3, len(labels), len(fits)), np.nan)
        for i, fit in enumerate(fits.values()):
            if fit is not None:
                columns = np.array([fit.value, fit.lower, fit.upper])
                cells[:, :, i] = columns[:, : len(labels)]
        x = Axis(name="share", label=f"share of {labels[0]}" * (len(labels) == 1), limits=(0, 1))
        charted = partial(rows_chart, level=shown[0].level if shown else 0.95, x=x)
        if len(labels) == 1 or len(fits) > _MOST_SERIES:
            prefix = [f"{label}: " * (len(labels) > 1) for label in labels]
            rows, (value, low, high) = map("".join, product(prefix, fits)), cells.reshape(3, -1)
            return charted(list(rows), value, (low, high), y="group")
        charts = [
            charted(labels, value, (low, high), y="answer", label=name)
            for name, (value, low, high) in zip(fits, cells.transpose(2, 0, 1), strict=True)
        ]
        return replace(charts[0], series=tuple(chart.series[0] for chart in charts))

    def _by_group(self) -> Mapping[Any, Estimate | None]:
        return dict(zip(_group_keys(self.groups), self.estimates, strict=True))

    plot = draw_result
    plot_data = chart_frame
    __iter__ = group_names
    __len__ = group_count
    __getitem__ = group_estimate
    items = group_items
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def _group_keys(groups: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Name each group by its value, or by a tuple where groups are by several columns."""
    return [group[0] if len(group) == 1 else group for group in groups]


_OTHERS, _TOGETHER = "all others", "together"
_MOST_SERIES = 7


def _label_group(group: tuple[Any, ...], fit: object) -> str:
    """Name a group by its values, and say if its estimate is withheld."""
    return ", ".join(map(group_name, group)) + " (withheld)" * (fit is None)


def _answer_rows(fit: Estimate) -> list[list[Cell]]:
    """Write a row for each answer: its name, share, error, interval and worth in plain answers."""
    measures = (fit.value, fit.se, fit.lower, fit.upper, fit.effective_sample_size)
    return [
        [answer, *(float(column[i]) for column in measures)] for i, answer in enumerate(fit.labels)
    ]


def fit_of_groups(domains: "DomainEstimates | LineDomains") -> GoodnessOfFit:
    """Join the tests of fit of the groups that are not withheld to one family."""
    fits = zip(domains.groups, domains.estimates, strict=True)
    return joined_fits(
        {
            ", ".join(map(group_name, group)): fit.goodness_of_fit
            for group, fit in fits
            if fit is not None
        }
    )


def _write_cell(cell: Cell, *, is_count: bool) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, str):
        return cell
    return f"{cell:,.0f}" if is_count else number(float(cell))


@checked
def estimate_domains(
    tallies: Mapping[Any, Tally],
    level: float = 0.95,
    *,
    by: str | Sequence[str] = "group",
    minimum: int = 1,
    collapse: Sequence[Any] = (),
) -> DomainEstimates:
    """Estimate the share of each answer in each domain: in groups of one sample.

    Each group is estimated as by `estimate`. In a complex sample the sampling design stays whole,
    since a tally by groups holds what all strata and clusters say of each: a cluster without
    anybody of the group counts as one with nobody, and is not left out (subpopulations: Cochran,
    1977).

    Parameters
    ----------
    tallies : mapping of groups to Tally
        As `askance.tally` gives with ``by``.
    level : float
        Of the intervals.
    by : str or sequence of str
        What the groups are called: the column, or the columns, of ``by``.
    minimum : int
        A group with fewer reports than so many is listed, and its estimate withheld. So are the
        next smallest groups, where a withheld one could else be found by subtraction from the
        estimate of everybody or, by several columns, from those by fewer of them (complementary
        cell suppression: Cox, 1980). All withheld groups together are shown as one, if they are
        two or more with so many reports: what is shown of everybody and of the others tells it.
    collapse : sequence of sequences of groups
        Groups to take as one, as ``--collapse`` does: ``[("other", "woman")]`` gives one group,
        "other or woman". They are collapsed before any is withheld. Groups of one complex sample
        are collapsed in their column, before they are counted: they are not independent.

    Returns
    -------
    DomainEstimates

    Raises
    ------
    InputError
        If there is no group, or one has not as many values as there are columns; or groups to
        collapse are fewer than two, not there, named twice, or of one complex sample.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> reports = ["yes", "no", "no", "yes"] * 100 + ["no"] * 20
    >>> town = ["a"] * 400 + ["b"] * 20
    >>> ak.inference.estimate_domains(ak.tally(q, reports, by=town), by="town")
    share of yes, by town
    town  share      se  95 % from      to  plain answers  reports
    a       0.5    0.05     0.4025  0.5975            100      400
    b         0  0.1966          0  0.4374              1       20  small
    420 reports; clipped inversion, the most likely shares
    small: effective n below 30; collapse such groups
    >>> counted = ak.tally(q, reports, by=town)
    >>> ak.inference.estimate_domains(counted, by="town", collapse=[("a", "b")]).groups
    (('a or b',),)
    """
    tallies = _collapse(tallies, collapse)
    names = (by,) if isinstance(by, str) else tuple(by)
    least = read_integer(
        minimum, "estimate_domains.minimum", "a whole number of reports in [1, ∞)", 1
    )
    if not tallies:
        raise InputError("estimate_domains.tallies", got="no group", allowed="one or more")
    groups = tuple(group if isinstance(group, tuple) else (group,) for group in tallies)
    if not all(isinstance(name, str) for name in names):
        raise InputError("estimate_domains.by", got=names, allowed="names of columns")
    for group in groups:
        if len(group) != len(names):
            raise InputError(
                "estimate_domains.by",
                got=", ".join(names),
                allowed=f"{len(group)} names, one for each value of a group",
            )
    reports = tuple(tally.total for tally in tallies.values())
    withheld = withheld_groups(groups, reports, least, names)
    domains = zip(tallies.values(), withheld, reports, strict=True)
    return DomainEstimates(
        by=names,
        groups=groups,
        reports=reports,
        estimates=tuple(
            None if out or not n else estimate(tally, level) for tally, out, n in domains
        ),
        minimum=least,
        remainder=_estimate_remainder(list(tallies.values()), withheld, least, level),
    )


def _estimate_remainder(
    tallies: Sequence[Tally], withheld: Booleans, minimum: int, level: float
) -> Estimate | None:
    """Estimate the shares in withheld groups together; None where that is withheld too.

    Everybody's estimate less those shown is this sum, so it discloses nothing that they do not.
    """
    parts = [tally for tally, out in zip(tallies, withheld, strict=True) if out and tally.total]
    is_any_shown = any(tally.total for tally, out in zip(tallies, withheld, strict=True) if not out)
    is_complex = any(tally.sample is not None for tally in parts)
    reports = sum(tally.total for tally in parts)
    if len(parts) < 2 or reports < minimum or not is_any_shown or is_complex:
        return None
    return estimate(sum(parts[1:], parts[0]), level)


def _collapse(tallies: Mapping[Any, Tally], collapse: Sequence[Any]) -> Mapping[Any, Tally]:
    """Add up the tallies of groups that are taken as one, in the place of the first of them."""
    into: dict[Any, Any] = {}
    for i, groups in enumerate(collapse):
        where = f"estimate_domains.collapse[{i}]"
        if isinstance(groups, str) or not isinstance(groups, Sequence) or len({*groups}) < 2:
            raise InputError(where, got=groups, allowed="two groups or more, in a list")
        for group in groups:
            if group not in tallies or group in into:
                listed = ", ".join(str(name) for name in list(tallies)[:_LISTED])
                allowed = f"groups that are in no other list: {listed}"
                raise InputError(where, got=group, allowed=allowed)
        into |= dict.fromkeys(groups, _common_name(groups))
    collapsed: dict[Any, Tally] = {}
    for group, tally in tallies.items():
        name = into.get(group, group)
        collapsed[name] = collapsed[name] + tally if name in collapsed else tally
    if len(collapsed) != len({*tallies} - {*into}) + len({*into.values()}):
        raise InputError(
            "estimate_domains.collapse",
            got=", ".join(str(name) for name in {*into.values()} & {*tallies}),
            allowed="groups whose common name is that of no other group",
        )
    return collapsed


_LISTED = 20


def _common_name(groups: Sequence[Any]) -> Any:
    """Name groups together: by each column, or by the one they have."""
    if not isinstance(groups[0], tuple):
        return " or ".join(map(group_name, groups))
    columns = (dict.fromkeys(values) for values in zip(*groups, strict=True))
    return tuple(
        next(iter(values)) if len(values) == 1 else " or ".join(map(group_name, values))
        for values in columns
    )


_MEDIAN = 0.5


@final
@folded
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class LineDomains:
    """The estimated distribution of a number in each of several groups.

    It is iterable as `askance.inference.DomainEstimates` are.

    Attributes
    ----------
    estimates : tuple of LineEstimate or None
        None where it is withheld; that, and all else, as in `askance.inference.DomainEstimates`.

    >>> import askance as ak
    >>> cuts = ak.RangeChannel(ak.Line(17, 21, 1, "years"), [0, 1, 0])
    >>> ages = ak.estimate_line(cuts, ak.Ranges([-np.inf, 19], [19, np.inf], counts=[60, 40]))
    >>> towns = ak.inference.LineDomains(
    ...     by=("town",), groups=(("a",), ("b",)), reports=(100, 3), minimum=10,
    ...     estimates=(ages, None))
    >>> list(towns), towns["b"] is None
    (['a', 'b'], True)
    """

    computation: ClassVar[Computation] = Computation.DOMAIN_NUMBERS
    by: tuple[str, ...]
    groups: tuple[tuple[Any, ...], ...]
    reports: tuple[int, ...]
    minimum: int = 1
    estimates: tuple[LineEstimate | None, ...]

    @property
    def withheld(self) -> tuple[str, ...]:
        """Reason for withholding each group's estimate, in words; empty if it is shown."""
        return why_each_withheld(self)

    @property
    def released(self) -> tuple[LineEstimate, ...]:
        """The estimates that are not withheld."""
        return tuple(fit for fit in self.estimates if fit is not None)

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Whether the shown groups' ranges follow the law of the cuts, tested as one family."""
        return fit_of_groups(self)

    def to_dict(self) -> Json:
        """Write the estimate of each group for JSON."""
        return groups_json(self, [{} for _ in self.groups])

    def columns(self) -> tuple[list[str], list[list[Cell]]]:
        """The head of a table, and rows of the average and the quantiles of each group."""
        head = [*self.by, "what", "estimate", "se", "lower", "upper", "reports", "withheld"]
        rows: list[list[Cell]] = []
        for group, reports, fit in zip(self.groups, self.reports, self.estimates, strict=True):
            named: list[Cell] = [group_name(value) for value in group]
            if fit is None:
                why = why_withheld(reports, self.minimum)[0]
                rows.append([*named, *[None] * 5, reports, why])
                continue
            rows.append([*named, "average", fit.mean, fit.se, fit.lower, fit.upper, reports, ""])
            for share, (lower, middle, upper) in fit.quantiles.items():
                rows.append(
                    [*named, f"quantile {share:g}", middle, None, lower, upper, reports, ""]
                )
        return head, rows

    @property
    def title(self) -> str:
        """Title: the number, its unit and the groups."""
        unit = next((f" ({fit.unit})" for fit in self.released if fit.unit), "")
        return f"number{unit}" + (f", by {', '.join(self.by)}" if self.by else "")

    @property
    def level(self) -> float:
        """Of the intervals."""
        return self.released[0].level if self.released else 0.95

    @property
    def notes(self) -> tuple[str, ...]:
        """How it was computed, and which groups are withheld."""
        method = (
            max(self.released, key=lambda fit: fit.reports).method
            if self.released
            else "none learnt"
        )
        summary = f"{counted(sum(self.reports), 'report')}; {method}"
        return (summary, *withheld_marks(self), *self.goodness_of_fit.misfit)

    def _table(self) -> Listing:
        level = f"{100 * self.level:g} % from"
        head = [*self.by, "mean", "se", level, "to", "median", level, "to", "reports", ""]
        rows = []
        for group, reports, fit in zip(self.groups, self.reports, self.estimates, strict=True):
            named = [group_name(value) for value in group]
            if fit is None:
                why = why_withheld(reports, self.minimum)[0]
                rows.append([*named, *["–"] * 7, f"{reports:,}", why])
                continue
            low, middle, high = fit.quantiles[_MEDIAN]
            figures = (fit.mean, fit.se, fit.lower, fit.upper, middle, low, high)
            rows.append([*named, *map(number, figures), f"{reports:,}", ""])
        return self.title, head, rows, list(self.notes)

    def _chart(self) -> Chart:
        """Describe the mean of each group with its interval, one row for each group."""
        names = list(map(_label_group, self.groups, self.estimates))
        cells = [
            (fit.mean, fit.lower, fit.upper) if fit is not None else (np.nan,) * 3
            for fit in self.estimates
        ]
        value, *ends = np.array(cells).reshape(-1, 3).T
        unit = next((f", {fit.unit}" for fit in self.released if fit.unit), "")
        x = Axis(name="mean", label=f"mean{unit}")
        return rows_chart(names, value, (ends[0], ends[1]), level=self.level, x=x, y="group")

    def _by_group(self) -> Mapping[Any, LineEstimate | None]:
        return dict(zip(_group_keys(self.groups), self.estimates, strict=True))

    plot = draw_result
    plot_data = chart_frame
    __iter__ = group_names
    __len__ = group_count
    __getitem__ = group_estimate
    items = group_items
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def line_domains(
    by: Sequence[str],
    members: Sequence[tuple[tuple[Any, ...], int]],
    estimate_of: Callable[[int], LineEstimate],
    minimum: int,
) -> LineDomains:
    """Estimate a number in each group that is not withheld.

    Parameters
    ----------
    by : sequence of str
    members : sequence of (group, int)
        Each group, and how many reports it has.
    estimate_of : callable
        Gives the estimate of a group by its place.
    minimum : int
        Of fewer reports nothing is shown.
    """
    groups, reports = tuple(group for group, _ in members), tuple(n for _, n in members)
    withheld = withheld_groups(groups, reports, max(minimum, 1), by).tolist()
    return LineDomains(
        by=tuple(by),
        groups=groups,
        reports=reports,
        estimates=tuple(
            None if withheld[i] or not reports[i] else estimate_of(i) for i in range(len(groups))
        ),
        minimum=minimum,
    )


_Sum = tuple[Integers, Booleans]  # of each cell in which sum it is; of each sum whether it is shown


@final
class _MarginTable(NamedTuple):
    """A table that may be shown: people cross-classified by some of the columns.

    Attributes
    ----------
    columns : frozenset of int
    cell : Integers
        Its cell in which each group lies.
    visible : Booleans
        Which of its cells are not withheld.
    """

    columns: frozenset[int]
    cell: Integers
    visible: Booleans


def withheld_groups(
    groups: Sequence[tuple[Any, ...]],
    reports: Sequence[int],
    minimum: int,
    by: Sequence[str] = (),
) -> Booleans:
    """Mask of groups to withhold: those with few reports, and others that would disclose them.

    Where everybody's estimate is shown, and those of all groups but one, that one is found by
    subtraction. So the next smallest groups are withheld too, of those alike in size the first by
    name, until those withheld hold ``minimum`` reports together: of everybody and, by several
    columns, of each cell that a table by fewer of them shows; and until no sums and differences of
    all these leave a group of few reports alone (complementary cell suppression: Cox, 1980).
    Neither the order of groups nor that of the columns ``by`` matters: of two tables that withhold
    differently, each would show what the other withholds.

    >>> withheld_groups([("a",), ("b",), ("c",)], [12, 400, 60], 50).tolist()
    [True, False, True]
    >>> withheld_groups([()], [12], 50).tolist()  # of everybody
    [True]
    """
    n, wide = np.array(reports, dtype=np.int64), len(groups[0])
    order = sorted(range(wide), key=lambda column: [*by[column : column + 1]])
    tables: list[_MarginTable] = []
    for size in range(wide + 1):
        for columns in combinations(order, size):
            cell = _number_cells([tuple(group[column] for column in columns) for group in groups])
            within = [table for table in tables if table.columns < set(columns)]
            withheld = _withhold_cells(_sum_by_cell(cell, n), minimum, cell, within)
            tables.append(
                _MarginTable(frozenset(columns), cell, ~withheld & (_sum_by_cell(cell, n) > 0))
            )
    return (~tables[-1].visible & (_sum_by_cell(tables[-1].cell, n) > 0))[tables[-1].cell]


def why_withheld(reports: int, minimum: int) -> tuple[str, str]:
    """The mark of a withheld group by its number of reports, and the reason.

    >>> why_withheld(12, 50)
    ('withheld', 'fewer than 50 reports')
    """
    if not reports:
        return "no reports", "no reports"
    if reports < minimum:
        return "withheld", f"fewer than {minimum} reports"
    return "withheld too", "else a group with fewer could be derived by subtraction"


def _number_cells(groups: Sequence[tuple[Any, ...]]) -> Integers:
    """Number the different groups, in the order of their names."""
    distinct = sorted(dict.fromkeys(groups), key=lambda group: [*map(group_name, group)])
    number = {group: i for i, group in enumerate(distinct)}
    return np.array([number[group] for group in groups])


def _sum_by_cell(cell: Integers, n: Integers, count: int = 0) -> Integers:
    """Sum over the groups of each cell."""
    return np.bincount(cell, n, count).astype(np.int64)


def _withhold_cells(
    n: Integers, minimum: int, cell: Integers, within: Sequence[_MarginTable]
) -> Booleans:
    """Choose the cells of a table to withhold, given the tables by fewer columns."""
    sums: list[_Sum] = []
    for table in within:
        of = np.zeros(len(n), dtype=np.int64)
        of[cell] = table.cell
        sums.append((of, table.visible))
    out = (n > 0) & (n < minimum)
    withheld = [_sum_by_cell(of, np.where(out, n, 0), len(visible)) for of, visible in sums]
    disclosure = _DisclosureCheck.from_sums(n, minimum, sums, out)
    while (disclosed := _find_disclosed(minimum, sums, withheld, disclosure)) is not None:
        candidates = disclosed & ~out & (n > 0)
        if not candidates.any():  # of the whole
            candidates = ~out & (n > 0)
        if not candidates.any():
            break
        worst = int(np.flatnonzero(candidates)[np.argmin(n[candidates])])
        out[worst] = True
        disclosure.waiting.append(worst)
        for total, (of, _) in zip(withheld, sums, strict=True):
            total[of[worst]] += n[worst]
    return out


def _find_disclosed(
    minimum: int, sums: Sequence[_Sum], withheld: Sequence[Integers], disclosure: "_DisclosureCheck"
) -> Booleans | None:
    """Find cells to withhold one more of; None if no small group is disclosed."""
    for (of, visible), total in zip(sums, withheld, strict=True):
        short = np.flatnonzero(visible & (total > 0) & (total < minimum))
        if len(short):
            lacking: Booleans = of == short[0]
            return lacking
    group = disclosure.find_disclosed() if len(sums) > 1 else None
    if group is None:  # one sum leaves one difference, and of everybody alone there is none
        return None
    disclosed: Booleans = np.zeros(len(group), dtype=bool)
    for of, visible in sums[1:]:
        is_touched = np.zeros(len(visible), dtype=bool)
        is_touched[of[group]] = True
        disclosed |= is_touched[of]
    return disclosed


_PRIME = (1 << 31) - 1  # whose remainders are a sum of bits, and products fit into 63


def _reduce_modulo(numbers: Integers) -> Integers:
    """Reduce numbers in [0, 2^63) modulo 2^31 − 1."""
    part = (numbers & _PRIME) + (numbers >> 31)
    part = (part & _PRIME) + (part >> 31)
    part[part == _PRIME] = 0
    return part


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _DisclosureCheck:
    """Disclosure check: which small groups follow from the sums that are shown.

    Withheld cells are unknowns x, and what is shown says A x, with a column of A, of 0 and 1, for
    each. A group is hidden if some change of the unknowns, v with A v = 0, changes its sum. One
    more column is either independent of those before it, or brings one more such v and takes none
    away. So each is dealt with once: in the basis of independent columns, whose inverse is kept,
    with exact numbers modulo a prime.

    Attributes
    ----------
    rows : Integers, shape (cells, tables)
        The number of each cell's sums, the last one where a sum is not shown.
    small : list of (Integers, Booleans)
        The cells of each table, and whether they are small groups that are not known to be hidden.
    waiting : list of int
        Cells withheld that have no column yet.
    cells : list of int
        Those whose columns are independent.
    pivot : Integers
        In which row of the basis each sum stands; −1 if in none.
    inverse : Integers
        Of the basis, transposed; filled as far as it has columns.
    """

    rows: Integers
    small: list[tuple[Integers, Booleans]]
    waiting: list[int]
    cells: list[int]
    pivot: Integers
    inverse: Integers

    @classmethod
    def from_sums(
        cls, n: Integers, minimum: int, sums: Sequence[_Sum], out: Booleans
    ) -> "_DisclosureCheck":
        """Begin with sums, and with the cells that are withheld for themselves."""
        ends = np.cumsum([0, *(len(visible) for _, visible in sums)])
        rows = [
            np.where(visible[of], of + first, ends[-1])
            for (of, visible), first in zip(sums, ends[:-1], strict=True)
        ]
        families = [np.arange(len(n)), *(of for of, _ in sums[1:])]
        sizes = [_sum_by_cell(of, n) for of in families]
        max_rank = min(int(sum(visible.sum() for _, visible in sums)), len(n))
        return cls(
            rows=np.array(rows, dtype=np.int64).reshape(len(sums), len(n)).T.copy(),
            small=[
                (of, (size > 0) & (size < minimum))
                for of, size in zip(families, sizes, strict=True)
            ],
            waiting=np.flatnonzero(out).tolist(),
            cells=[],
            pivot=np.full(ends[-1] + 1, -1),
            inverse=np.zeros((max_rank, max_rank), dtype=np.int64),
        )

    def find_disclosed(self) -> Booleans | None:
        """Find the cells of a small group that a combination of shown sums discloses."""
        if any(small.any() for _, small in self.small):
            for cell in self.waiting:
                self._withhold(cell)
            self.waiting.clear()
        for of, small in self.small:
            disclosed = np.flatnonzero(small)
            if len(disclosed):
                same: Booleans = of == disclosed[0]
                return same
        return None

    def _withhold(self, cell: int) -> None:
        """Add a column: to the basis, or else a change that no sum shows."""
        size, last = len(self.cells), len(self.pivot) - 1
        own = self.rows[cell]
        pivots = self.pivot[own]
        parts = _reduce_modulo(self.inverse[pivots[pivots >= 0], :size].sum(axis=0))
        used = np.flatnonzero(parts)
        others = np.array(self.cells, dtype=np.int64)[used]
        weights = np.repeat(parts[used], self.rows.shape[1])
        explained = np.bincount(self.rows[others].ravel(), weights, last + 1).astype(np.int64)
        remainder = _reduce_modulo(
            np.bincount(own, minlength=last + 1) + _PRIME - _reduce_modulo(explained)
        )
        remainder[last] = 0
        free = np.flatnonzero(remainder)
        if not len(free):
            self._hide(np.append(others, cell), np.append(_PRIME - parts[used], 1))
            return
        row = int(free[0])
        self._extend(parts, row, pow(int(remainder[row]), -1, _PRIME))
        self.pivot[row] = size
        self.cells.append(cell)

    def _hide(self, cells: Integers, change: Integers) -> None:
        """Strike off the small groups that a change of withheld cells hides."""
        for of, small in self.small:
            if small.any():
                changes = np.bincount(of[cells], change, len(small)).astype(np.int64)
                np.logical_and(small, _reduce_modulo(changes) == 0, out=small)

    def _extend(self, parts: Integers, row: int, over: int) -> None:
        """Put one more row and column into the inverse, by what is left there of the column."""
        size = len(self.cells)
        members = (self.rows[np.array(self.cells, dtype=np.int64)] == row).any(axis=1)
        across = _reduce_modulo(self.inverse[:size, :size][:, members].sum(axis=1))
        across = _reduce_modulo(across * over)
        row_indices, column_indices = np.flatnonzero(across), np.flatnonzero(parts)
        block = np.ix_(row_indices, column_indices)
        added = self.inverse[block] + _reduce_modulo(
            np.multiply.outer(across[row_indices], parts[column_indices])
        )
        self.inverse[block] = _reduce_modulo(added)
        self.inverse[size, :size] = _reduce_modulo((_PRIME - parts) * over)
        self.inverse[:size, size] = _reduce_modulo(_PRIME - across)
        self.inverse[size, size] = over


class _ByGroup(Protocol):
    """Estimates by group, of whatever kind; None where one is withheld."""

    @property
    def by(self) -> tuple[str, ...]: ...
    @property
    def groups(self) -> tuple[tuple[Any, ...], ...]: ...
    @property
    def reports(self) -> tuple[int, ...]: ...
    @property
    def estimates(self) -> tuple[Any, ...]: ...
    @property
    def minimum(self) -> int: ...


def why_each_withheld(domains: _ByGroup) -> tuple[str, ...]:
    """Reason for withholding each group's estimate, in words; empty if it is shown."""
    groups = zip(domains.reports, domains.estimates, strict=True)
    return tuple(
        "" if fit is not None else why_withheld(n, domains.minimum)[1] for n, fit in groups
    )


def withheld_marks(domains: _ByGroup) -> list[str]:
    """Explain each mark that withheld groups of a table bear."""
    groups = zip(domains.reports, domains.estimates, strict=True)
    marks = dict(why_withheld(n, domains.minimum) for n, fit in groups if n and fit is None)
    return [f"{mark}: {why}" for mark, why in sorted(marks.items())]


def groups_json(domains: _ByGroup, extras: Sequence[Json]) -> Json:
    """Write estimates by group for JSON, with further fields of each."""
    rows = zip(
        domains.groups,
        domains.reports,
        extras,
        why_each_withheld(domains),
        domains.estimates,
        strict=True,
    )
    return {
        "by": list(domains.by),
        "minimum": domains.minimum,
        "groups": [
            {
                "group": group_json(domains.by, group),
                "reports": reports,
                **more,
                "withheld": why or None,
                "estimate": None if fit is None else fit.to_dict(),
            }
            for group, reports, more, why, fit in rows
        ],
    }


def group_name(value: Any) -> str:
    """Name a group by its value; a text that is the name of what is missing is in quotes.

    >>> group_name("north"), group_name(2.0), group_name(20230101.0), group_name(None)
    ('north', '2', '20230101', 'missing')
    >>> group_name("missing")
    '“missing”'
    """
    if value is None:
        return "missing"
    if value == "missing":
        return "\N{LEFT DOUBLE QUOTATION MARK}missing\N{RIGHT DOUBLE QUOTATION MARK}"
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def group_json(by: Sequence[str], group: Sequence[Any]) -> Json:
    """Write the values of a group for JSON, a date as text.

    >>> from datetime import date
    >>> group_json(["town", "asked"], ["a", date(2026, 1, 2)])
    {'town': 'a', 'asked': '2026-01-02'}
    """
    values = map(plain_json, group)
    return {
        name: value if value is None or isinstance(value, str | int | float) else str(value)
        for name, value in zip(by, values, strict=True)
    }
