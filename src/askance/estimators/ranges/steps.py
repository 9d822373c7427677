"""Where mass can lie if some numbers are heard of more often than others."""

from dataclasses import dataclass
from typing import final

import numpy as np

from askance.channels.identification import Selection
from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.estimators.ranges.growing import most_likely
from askance.estimators.ranges.intersections import intersections, runs_over
from askance.estimators.ranges.runs import Runs
from askance.typing import Booleans, Floats, Integers

_ROUGH = 1e-6  # the gap of a start


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Steps:
    """Places where mass can lie, in ascending order.

    Between two neighbouring ends of the data every number lies in the same ranges, so the
    likelihood rises where a number is least often heard of: the place is the hull of those steps.

    Attributes
    ----------
    lower, upper : array, shape (m,)
    price : array, shape (m,)
        How likely a number there is to be heard of; positive where a range holds it.
    held : array of bool, shape (m,)
        Whether a range holds it.
    upto : array of int
        How many of the places end by each of the ``breaks``.
    breaks : array
        Every end of the data and of the steps of s.
    """

    lower: Floats
    upper: Floats
    price: Floats
    held: Booleans
    upto: Integers
    breaks: Floats

    def runs(self, ranges: Ranges) -> Runs:
        """Write ranges over the places, and over one more behind the last that no range holds."""
        low, high = _on_line(ranges, self.breaks[0], self.breaks[-1])
        first = self.upto[np.searchsorted(self.breaks, low)]
        past = self.upto[np.searchsorted(self.breaks, high)]
        return runs_over(ranges, first, past, len(self.price) + 1)

    def start(self, ranges: Ranges) -> Floats:
        """Give the most likely masses if all were equally often heard of."""
        cells = intersections(ranges)
        upper = np.minimum(cells.upper, self.breaks[-1])
        mass = np.zeros(len(self.price))
        found, _ = most_likely(cells.runs, _ROUGH)
        mass[self.upto[np.searchsorted(self.breaks, upper)] - 1] = found
        return mass


def steps(ranges: Ranges, selection: Selection, *, silent: bool = False) -> Steps:
    """Find the places, and refuse ranges that cannot have been sent.

    Parameters
    ----------
    ranges : Ranges
    selection : Selection
    silent : bool
        Whether places count that no range holds, because nulls can come from there: those of them
        from which they come most often.

    Raises
    ------
    InputError
        If there is no range, or one reaches beyond the line or holds numbers that are never heard
        of.
    """
    if not ranges.weights.any():
        raise InputError("Ranges", got="no range", allowed="at least one with a positive weight")
    ranges = ranges[ranges.weights > 0]
    low, high = _on_line(ranges, selection.ends[0], selection.ends[-1])
    _refuse_impossible(ranges, selection, low, high)
    breaks = np.unique(np.concatenate([selection.ends, low, high]))
    chance = selection.chance[np.searchsorted(selection.ends, breaks[1:]) - 1]
    low_at, high_at = np.searchsorted(breaks, low), np.searchsorted(breaks, high)
    k = len(breaks)
    begun, ended = np.bincount(low_at, minlength=k), np.bincount(high_at, minlength=k)
    atom = np.cumsum((begun + ended)[:-1] > 0)
    least = np.full(atom[-1] + 1, np.inf)
    np.minimum.at(least, atom, chance)
    held = np.cumsum(begun - ended)[:-1] > 0
    rarest = chance.min(where=~held, initial=np.inf)
    kept = np.flatnonzero((held & (chance == least[atom])) | (silent & ~held & (chance == rarest)))
    start = np.flatnonzero(np.diff(atom[kept], prepend=-1))
    stop = np.append(start[1:], len(kept)) - 1
    return Steps(
        lower=breaks[kept[start]],
        upper=breaks[kept[stop] + 1],
        price=chance[kept[start]],
        held=held[kept[start]],
        upto=np.searchsorted(kept[stop], np.arange(k)),
        breaks=breaks,
    )


def _on_line(ranges: Ranges, first: float, last: float) -> tuple[Floats, Floats]:
    """Bring infinite ends onto the line; leave the others, which must lie on it already."""
    low = np.where(np.isneginf(ranges.lower), first, ranges.lower)
    high = np.where(np.isposinf(ranges.upper), last, ranges.upper)
    return low, high


def _refuse_impossible(ranges: Ranges, selection: Selection, low: Floats, high: Floats) -> None:
    first, last = selection.ends[0], selection.ends[-1]
    wrong = (low < first) | (high > last) | (low >= high)
    for begin, end in selection.unseen:
        wrong |= (low < end) & (high > begin)
    if wrong.any():
        at = int(np.argmax(wrong))
        raise InputError(
            f"Ranges[{int(np.searchsorted(ranges.starts, at, side='right')) - 1}]",
            got=f"({ranges.lower[at]}, {ranges.upper[at]}]",
            allowed=f"ranges in ({first}, {last}] that hold nobody whose report is never sent",
            remedy="check that the reports belong to this selection",
        )
