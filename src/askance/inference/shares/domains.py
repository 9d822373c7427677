"""Shares by domain: of each group of one sample, whose design stays whole."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from askance.arguments import checked
from askance.channels.tally import Tally
from askance.errors import InputError
from askance.exact.ratio import whole as whole_number
from askance.inference.shares.estimate import estimate
from askance.inference.shares.information import Estimate
from askance.inference.withheld_groups import (
    Cell,
    group_name,
    groups_json,
    why_each_withheld,
    why_withheld,
    withheld_groups,
    withheld_marks,
)
from askance.results import Listing, listed, number
from askance.typing import Json

SMALL = 30
"""A group whose reports are worth fewer plain answers than so many is called small."""


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class DomainEstimates:
    """The estimated share of each answer in each of several groups.

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
    """

    by: tuple[str, ...]
    groups: tuple[tuple[Any, ...], ...]
    reports: tuple[int, ...]
    estimates: tuple[Estimate | None, ...]
    minimum: int = 1

    @property
    def small(self) -> tuple[bool, ...]:
        """Which groups tell as little as fewer than 30 plain answers, or are withheld."""
        return tuple(
            one is None or not float(one.effective_sample_size.min()) >= SMALL
            for one in self.estimates
        )

    @property
    def withheld(self) -> tuple[str, ...]:
        """Why the estimate of a group is not told, in words; nothing where it is."""
        return why_each_withheld(self)

    def to_dict(self) -> Json:
        """Write the estimate of each group for JSON."""
        return groups_json(self, [{"small": small} for small in self.small])

    def columns(self) -> tuple[list[str], list[list[Cell]]]:
        """The head of a table, and a row for each group and answer, numbers as they are."""
        head = [*self.by, "answer", "share", "se", "lower", "upper", "plain", "reports", "small"]
        rows: list[list[Cell]] = []
        together = zip(self.groups, self.reports, self.small, self.estimates, strict=True)
        for group, reports, small, one in together:
            named: list[Cell] = [group_name(value) for value in group]
            if one is None:
                rows.append([*named, *[None] * 6, reports, why_withheld(reports, self.minimum)[0]])
                continue
            told = (one.value, one.se, one.lower, one.upper, one.effective_sample_size)
            for at, answer in enumerate(one.labels):
                figures = [float(column[at]) for column in told]
                rows.append([*named, answer, *figures, reports, "small" if small else ""])
        return head, rows

    def _table(self) -> Listing:
        _, rows = self.columns()
        told, wide = self._told(), len(self.by)
        level = f"{100 * told[0].level:g} % from" if told else "from"
        names = [*self.by, "answer", "share", "se", level, "to", "plain answers", "reports", ""]
        cells = [[_cell(cell, whole=at >= wide + 5) for at, cell in enumerate(row)] for row in rows]
        what = "each answer"
        if told and len(told[0].labels) == 2:  # the other share says nothing new
            what = told[0].labels[0]
            kept = [at for at, row in enumerate(rows) if row[wide] in (None, what)]
            cells = [cells[at][:wide] + cells[at][wide + 1 :] for at in kept]
            del names[wide]
        return f"share of {what}{self._by()}", names, cells, list(self.notes)

    def _by(self) -> str:
        return f", by {', '.join(self.by)}" if self.by else ""

    def _told(self) -> list[Estimate]:
        return [one for one in self.estimates if one is not None]

    @property
    def title(self) -> str:
        """What is told of whom."""
        return f"share of each answer{self._by()}"

    @property
    def notes(self) -> tuple[str, ...]:
        """How it was computed, and which groups tell little."""
        told = self._told()
        method = max(told, key=lambda one: one.reports).method if told else "nothing learnt"
        notes = [f"{sum(self.reports):,} reports; {method}"]
        known = list(zip(self.reports, self.small, self.estimates, strict=True))
        if any(small and one is not None for _, small, one in known):
            notes.append(f"small: worth fewer than {SMALL} plain answers; join such groups")
        marks = withheld_marks(self)
        notes += marks
        if marks and not told:
            notes.append("nothing is left to show: every group is withheld")
        return tuple(notes)


def _cell(cell: Cell, *, whole: bool) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, str):
        return cell
    return f"{cell:,.0f}" if whole else number(float(cell))


@checked
def estimate_domains(
    tallies: Mapping[Any, Tally],
    level: float = 0.95,
    *,
    by: str | Sequence[str] = "group",
    minimum: int = 1,
) -> DomainEstimates:
    """Estimate the share of each answer in each domain: in groups of one sample.

    Each group is estimated as by `estimate`. In a complex sample the design stays whole, since a
    tally by groups holds what all strata and clusters say of each: a cluster without anybody of
    the group counts as one with nobody, and is not left out (subpopulations: Cochran, 1977).

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
        cell suppression: Cox, 1980).

    Returns
    -------
    DomainEstimates

    Raises
    ------
    InputError
        If there is no group, or one has not as many values as there are columns.

    >>> import askance as ak
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> said = ["yes", "no", "no", "yes"] * 100 + ["no"] * 20
    >>> town = ["a"] * 400 + ["b"] * 20
    >>> ak.inference.estimate_domains(ak.tally(q, said, by=town), by="town")
    share of yes, by town
    town  share      se  95 % from      to  plain answers  reports
    a       0.5    0.05     0.4025  0.5975            100      400
    b         0  0.1936          0  0.4374              5       20  small
    420 reports; clipped inversion, the most likely shares
    small: worth fewer than 30 plain answers; join such groups
    """
    names = (by,) if isinstance(by, str) else tuple(by)
    least = whole_number(
        minimum, "estimate_domains.minimum", "a whole number of reports in [1, ∞)", 1
    )
    if not tallies:
        raise InputError("estimate_domains.tallies", got="no group", allowed="one or more")
    groups = tuple(one if isinstance(one, tuple) else (one,) for one in tallies)
    if not all(isinstance(one, str) for one in names):
        raise InputError("estimate_domains.by", got=names, allowed="names of columns")
    for group in groups:
        if len(group) != len(names):
            raise InputError(
                "estimate_domains.by",
                got=", ".join(names),
                allowed=f"{len(group)} names, one for each value of a group",
            )
    held = tuple(one.total for one in tallies.values())
    told = zip(tallies.values(), withheld_groups(groups, held, least, names), held, strict=True)
    return DomainEstimates(
        by=names,
        groups=groups,
        reports=held,
        estimates=tuple(None if out or not n else estimate(one, level) for one, out, n in told),
        minimum=least,
    )
