"""Answers on a line: the law of the cut points, which says how likely each range is reported."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import final

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.channels.exact_stretches import (
    Stretches,
    floor_outside,
    left_over,
    read_stretches,
    within,
)
from askance.channels.line_channel import (
    AbstractRangeChannel,
    added_up,
    as_ranges,
    heard_of,
    read_weights,
)
from askance.channels.narrowing_law import narrowed_chances, narrowed_units
from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.exact.floor import Floor
from askance.exact.line import Line
from askance.exact.ratio import whole
from askance.typing import Booleans, Floats, Integers


@final
@dataclass(frozen=True, slots=True, init=False)
class RangeChannel(AbstractRangeChannel):
    """Independent cuts at random ticks of a line; the report is the cell that holds the answer.

    Parameters
    ----------
    line : Line
    weights : sequence of int
        One non-negative weight for each inner tick 1 … ``line.ticks − 1``: the law of one cut.
    number : int
        How many candidate cuts are drawn, independently; equal ones count once.
    floor : Floor, optional
        The least size of a reported cell. The candidates come in turn, and one that would leave
        less on a side of the range it falls in is passed over, on whichever side the answer is.
    withhold : bool
        Let all candidates cut, and send nothing where the cell has less than the floor. Then what
        is not sent tells something too.
    open : sequence of (int, int)
        Ticks ``(a, b]``, ascending and not touching, inside which an answer is sent exactly, as its
        step. A cell means its steps outside them; the floor's sizes count as 0 there.

    Raises
    ------
    InputError
        If there is not one weight per inner tick, a weight is negative, or all are zero; if the
        floor has another line's sizes, or is one that no cut keeps.

    >>> RangeChannel(Line(0, 4, 1), [1, 1, 1], 1).cell_chance(0, 2)
    Fraction(1, 3)
    >>> RangeChannel(Line(0, 4, 1), [1, 1, 1], 2, floor=Floor([1] * 4, 2)).cell_chance(0, 2)
    Fraction(5, 9)
    """

    line: Line
    weights: tuple[int, ...] = field(repr=False)
    number: int
    floor: Floor | None
    withhold: bool
    open: Stretches

    @checked
    def __init__(
        self,
        line: Line,
        weights: Sequence[int],
        number: int = 1,
        *,
        floor: Floor | None = None,
        withhold: bool = False,
        open: Sequence[tuple[int, int]] = (),
    ) -> None:
        law = read_weights(weights, "RangeChannel.weights")
        if len(law) != line.ticks - 1 or min(law) < 0 or not sum(law):
            raise InputError(
                "RangeChannel.weights",
                got=f"{len(law)} weights",
                allowed=f"{line.ticks - 1} non-negative weights, not all zero",
            )
        count = whole(number, "RangeChannel.number", "an integer in [1, ∞)")
        opened = read_stretches(open, line.ticks)
        object.__setattr__(self, "line", line)
        object.__setattr__(self, "weights", law)
        object.__setattr__(self, "number", count)
        object.__setattr__(self, "floor", _kept(floor, law, opened, withhold))
        object.__setattr__(self, "withhold", withhold)
        object.__setattr__(self, "open", opened)

    @property
    def total(self) -> int:
        """What the weights sum to."""
        return sum(self.weights)

    @property
    def plain(self) -> bool:
        """Whether every cell of independent cuts is reported, and nothing else."""
        return self.floor is None and not self.open

    @property
    def complete(self) -> bool:
        """Whether every answer is reported, as one piece of the line."""
        return not self.withhold and not self.open

    def share(self, low: int, high: int) -> Fraction:
        """Give the chance that one cut falls on a tick in ``low … high`` inclusive."""
        return Fraction(sum(self.weights[max(low, 1) - 1 : max(high, 0)]), self.total)

    def cell_chance(self, low: int, high: int) -> Fraction:
        r"""Give the chance that ``(low, high]`` is reported by whoever is in it, exactly.

        With G(S) the chance that one cut falls in S and m cuts, by inclusion and exclusion over the
        two ends: Σ ±(1 − G(inside ∪ ends))^m; with candidates passed over, by counting the draws
        round by round. It does not depend on where in the cell the answer lies, which is what makes
        every report flat (Ding & Ding, 2022, Definition 1).
        """
        if not 0 <= low < high <= self.line.ticks:
            raise InputError(
                "cell", got=(low, high), allowed=f"ticks 0 <= low < high <= {self.line.ticks}"
            )
        if within(self.open, np.array([[low, high]]))[0]:
            return Fraction(int(high == low + 1))
        if self.floor is None:
            return self._independent(low, high)
        if self.withhold:
            return self._independent(low, high) * int(self.floor.keeps(low, high))
        units = narrowed_units(self.weights, self.number, self.floor)
        return Fraction(int(units[low, high]), self.total**self.number)

    def _independent(self, low: int, high: int) -> Fraction:
        lows = (low + 1, low) if low else (low + 1,)
        highs = (high - 1, high) if high < self.line.ticks else (high - 1,)
        chance = Fraction(0)
        for first in lows:
            for last in highs:
                sign = -1 if (first == low) != (last == high) else 1
                chance += sign * (1 - self.share(first, last)) ** self.number
        return chance

    def null_chance(self, step: int) -> Fraction:
        """Give the exact chance that an answer in a step is withheld; 0 without `withhold`."""
        if not 0 <= step < self.line.ticks:
            raise InputError("step", got=step, allowed=f"a step in [0, {self.line.ticks})")
        accepted = any(low <= step < high for low, high in self.open)
        if self.floor is None or not self.withhold or accepted:
            return Fraction(0)
        units = narrowed_units(self.weights, self.number, None)[: step + 1, step + 1 :]
        upto = np.array(self.floor.upto)
        small = upto[None, step + 1 :] - upto[: step + 1, None] < self.floor.least
        return Fraction(int(units[small].sum()), self.total**self.number)

    def heard(self) -> Floats:
        """Give for each step the chance that an answer in it is reported, shape (ticks,)."""
        sent = np.ones(self.line.ticks)
        if self.withhold:
            sent = heard_of(self.line.ticks, *self.cells())
        for low, high in self.open:
            sent[low:high] = 1
        return sent

    def cells(self) -> tuple[Integers, Floats]:
        """List every cell that can be reported, with its chance.

        Returns
        -------
        ends : array of int, shape (c, 2)
            Ticks ``(low, high]``; a step that is sent exactly is a cell too.
        chances : array, shape (c,)
            Chance that each is reported by whoever is in it, as in `cell_chance`.
        """
        kept = None if self.withhold else self.floor
        chances = narrowed_chances(self.weights, self.number, kept)
        ends = np.stack(np.triu_indices(self.line.ticks + 1, 1), axis=1)
        ends = ends[self.possible(ends)]
        return ends, np.where(within(self.open, ends), 1.0, chances[tuple(ends.T)])

    def possible(self, ends: npt.ArrayLike) -> Booleans:
        """Say which ranges, shape (c, 2), some draw of the cuts and some answer report."""
        cells, n = np.asarray(ends, dtype=np.int64).reshape(-1, 2), self.line.ticks
        inside: Booleans = np.all((cells >= 0) & (cells <= n), axis=1)
        low, high = np.where(inside[:, None], cells, 0).T
        drawn = np.array([True, *(weight > 0 for weight in self.weights), True])
        inner = (low > 0).astype(int) + (high < n)
        cut = drawn[low] & drawn[high] & (inner <= self.number) & self._keeps(low, high)
        cut = np.where(inner > 0, cut, self._may_stay_whole())
        exact = within(self.open, np.stack([low, high], axis=1))
        found: Booleans = inside & (low < high) & np.where(exact, high == low + 1, cut)
        return found

    def _keeps(self, low: Integers, high: Integers) -> Booleans:
        """Say which cells are large enough; if cuts are passed over, what lies beyond is too."""
        if self.floor is None:
            return np.ones(len(low), dtype=bool)
        upto, least = np.array(self.floor.upto), self.floor.least
        enough: Booleans = upto[high] - upto[low] >= least
        if self.withhold:
            return enough
        enough &= (low == 0) | (upto[low] >= least)
        enough &= (high == self.line.ticks) | (upto[-1] - upto[high] >= least)
        return enough

    def _may_stay_whole(self) -> bool:
        drawn = np.flatnonzero(self.weights) + 1
        return not self.withhold and len(self._cuts()) < len(drawn)

    def _cuts(self) -> Integers:
        """List the ticks that cut the whole line, and so every tick that ever cuts."""
        drawn = np.flatnonzero(self.weights) + 1
        if self.floor is None:
            return drawn
        below = np.array(self.floor.upto)[drawn]
        sides = np.stack([below, self.floor.total - below]) >= self.floor.least
        return drawn[sides.any(axis=0) if self.withhold else sides.all(axis=0)]

    def cut_ticks(self) -> Integers:
        """List the inner ticks t at which the share up to t can be learnt.

        Those that cut; with them all ticks of a stretch of the acceptable range that holds one of
        them, or an end of the line.
        """
        known = {0, self.line.ticks, *self._cuts().tolist()}
        for low, high in self.open:
            if known & set(range(low, high + 1)):
                known |= set(range(low, high + 1))
        return np.array(sorted(known)[1:-1], dtype=np.int64)

    def inside(self, ends: npt.ArrayLike, chances: npt.ArrayLike) -> Floats:
        """Add up over the steps of each range, shape (c, 2), the chances of the steps."""
        cells = np.asarray(ends, dtype=np.int64).reshape(-1, 2)
        outside = np.array(chances, dtype=float)
        for low, high in self.open:
            outside[low:high] = 0
        exact = within(self.open, cells)
        return np.where(exact, added_up(cells, chances), added_up(cells, outside))

    def pieces(self, low: int, high: int) -> Stretches:
        """Give what a reported cell means: its part outside the acceptable range, or its step.

        >>> RangeChannel(Line(0, 9, 1), [1] * 8, open=[(3, 5)]).pieces(0, 8)
        ((0, 3), (5, 8))
        """
        return left_over(self.open, low, high)

    def ranges(self, ends: npt.ArrayLike, counts: npt.ArrayLike | None = None) -> Ranges:
        """Write cells given as ticks as ranges of numbers, open where there is no limit."""
        if not self.open:
            return as_ranges(self.line, ends, counts)
        cells = np.asarray(ends, dtype=np.int64).reshape(-1, 2).tolist()
        meant = [self.pieces(low, high) for low, high in cells]
        flat = [piece for pieces in meant for piece in pieces]
        return as_ranges(self.line, flat, counts, [len(pieces) for pieces in meant])


def _kept(
    floor: Floor | None, weights: Sequence[int], opened: Stretches, withhold: bool
) -> Floor | None:
    """Count as 0 what is sent exactly, and refuse a floor that no cut keeps."""
    if floor is None:
        if withhold:
            raise InputError("RangeChannel.withhold", got=True, allowed="a floor to go with it")
        return None
    n = len(weights) + 1
    if len(floor.sizes) != n:
        raise InputError(
            "RangeChannel.floor", got=f"{len(floor.sizes)} sizes", allowed=f"{n} sizes"
        )
    kept = floor_outside(floor, opened)
    cuts = [tick for tick, weight in enumerate(weights, start=1) if weight]
    sides = [sorted((kept.size(0, tick), kept.size(tick, n))) for tick in cuts]
    most = max(pair[1 if withhold else 0] for pair in sides)
    if most < kept.least:
        raise InputError(
            "RangeChannel.floor",
            got=f"a least size of {kept.least} of {kept.total}",
            allowed=f"at most {most}: no cut leaves more" + " on both sides" * (not withhold),
        )
    return kept
