"""A number by domain: of each group of one sample, and which groups are withheld."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

from askance.inference.line.cells import LineEstimate
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

_MEDIAN = 0.5


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class LineDomains:
    """The estimated distribution of a number in each of several groups, as shares have theirs.

    Attributes
    ----------
    estimates : tuple of LineEstimate or None
        None where it is withheld; that, and all else, as in `askance.inference.DomainEstimates`.
    """

    by: tuple[str, ...]
    groups: tuple[tuple[Any, ...], ...]
    reports: tuple[int, ...]
    minimum: int = 1
    estimates: tuple[LineEstimate | None, ...]

    @property
    def withheld(self) -> tuple[str, ...]:
        """Why the estimate of a group is not told, in words; nothing where it is."""
        return why_each_withheld(self)

    @property
    def told(self) -> tuple[LineEstimate, ...]:
        """The estimates that are not withheld."""
        return tuple(one for one in self.estimates if one is not None)

    def to_dict(self) -> Json:
        """Write the estimate of each group for JSON."""
        return groups_json(self, [{} for _ in self.groups])

    def columns(self) -> tuple[list[str], list[list[Cell]]]:
        """The head of a table, and rows of the average and the quantiles of each group."""
        head = [*self.by, "what", "estimate", "se", "lower", "upper", "reports", "withheld"]
        rows: list[list[Cell]] = []
        for group, reports, one in zip(self.groups, self.reports, self.estimates, strict=True):
            named: list[Cell] = [group_name(value) for value in group]
            if one is None:
                why = why_withheld(reports, self.minimum)[0]
                rows.append([*named, *[None] * 5, reports, why])
                continue
            rows.append([*named, "average", one.mean, one.se, one.lower, one.upper, reports, ""])
            for share, (lower, at, upper) in one.quantiles.items():
                rows.append([*named, f"quantile {share:g}", at, None, lower, upper, reports, ""])
        return head, rows

    @property
    def title(self) -> str:
        """What is told of whom, in which unit."""
        unit = next((f" ({one.unit})" for one in self.told if one.unit), "")
        return f"number{unit}" + (f", by {', '.join(self.by)}" if self.by else "")

    @property
    def level(self) -> float:
        """Of the intervals."""
        return self.told[0].level if self.told else 0.95

    @property
    def notes(self) -> tuple[str, ...]:
        """How it was computed, and which groups are withheld."""
        method = max(self.told, key=lambda one: one.reports).method if self.told else "none learnt"
        return (f"{sum(self.reports):,} reports; {method}", *withheld_marks(self))

    def _table(self) -> Listing:
        level = f"{100 * self.level:g} % from"
        head = [*self.by, "mean", "se", level, "to", "median", level, "to", "reports", ""]
        rows = []
        for group, reports, one in zip(self.groups, self.reports, self.estimates, strict=True):
            named = [group_name(value) for value in group]
            if one is None:
                why = why_withheld(reports, self.minimum)[0]
                rows.append([*named, *["–"] * 7, f"{reports:,}", why])
                continue
            low, middle, high = one.quantiles[_MEDIAN]
            told = (one.mean, one.se, one.lower, one.upper, middle, low, high)
            rows.append([*named, *map(number, told), f"{reports:,}", ""])
        return self.title, head, rows, list(self.notes)


def line_domains(
    by: Sequence[str],
    members: Sequence[tuple[tuple[Any, ...], int]],
    estimate: Callable[[int], LineEstimate],
    minimum: int,
) -> LineDomains:
    """Estimate a number in each group, but in those that are withheld.

    Parameters
    ----------
    by : sequence of str
    members : sequence of (group, int)
        Each group, and how many reports it has.
    estimate : callable
        Gives the estimate of a group by its place.
    minimum : int
        Of fewer reports nothing is shown.
    """
    groups, reports = tuple(group for group, _ in members), tuple(n for _, n in members)
    held = withheld_groups(groups, reports, max(minimum, 1), by).tolist()
    return LineDomains(
        by=tuple(by),
        groups=groups,
        reports=reports,
        estimates=tuple(
            None if held[at] or not reports[at] else estimate(at) for at in range(len(groups))
        ),
        minimum=minimum,
    )
