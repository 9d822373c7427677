"""Answers on a line asked by a random ring: inside it, or outside."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.channels.exact_stretches import Stretches
from askance.channels.line_channel import AbstractRangeChannel, added_up, as_ranges
from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.exact.floor import Floor
from askance.exact.line import Line
from askance.exact.pair_law import PairLaw
from askance.typing import Booleans, Floats, Integers

Ticks = tuple[int, int]


@final
@dataclass(frozen=True, slots=True, init=False)
class RingChannel(AbstractRangeChannel):
    """One pair of inner ticks a < b at random; the report is ``(a, b]`` or what lies outside it.

    Parameters
    ----------
    line : Line
    weights : sequence of int
        One non-negative weight for each inner tick; a pair is drawn by the product of its two.
    floor : Floor
        The least size that both the inside and the outside of a drawn pair have.

    Raises
    ------
    InputError
        If there is not one weight per inner tick and one size per step, or no pair keeps the floor.

    References
    ----------
    Ding & Ding (2022), Example 3.

    >>> ring = RingChannel(Line(0, 4, 1), [1, 1, 1], Floor([1, 1, 1, 1], 1))
    >>> ring.cell_chance(1, 2), ring.pieces(3, 1)
    (Fraction(1, 3), ((0, 1), (3, 4)))
    """

    line: Line
    law: PairLaw

    @checked
    def __init__(self, line: Line, weights: Sequence[int], floor: Floor) -> None:
        if len(floor.sizes) != line.ticks:
            raise InputError(
                "RingChannel.floor", got=f"{len(floor.sizes)} sizes", allowed=f"{line.ticks} sizes"
            )
        object.__setattr__(self, "line", line)
        object.__setattr__(self, "law", PairLaw([int(weight) for weight in weights], floor))

    @property
    def weights(self) -> tuple[int, ...]:
        """The weight of each inner tick."""
        return self.law.weights

    @property
    def floor(self) -> Floor:
        """The least size of the inside and of the outside."""
        return self.law.floor

    @property
    def open(self) -> Stretches:
        """Nothing is sent exactly."""
        return ()

    def cell_chance(self, low: int, high: int) -> Fraction:
        """Give the chance that a pair is drawn: that its inside, or outside, is reported."""
        first, last = sorted((low, high))
        if not 0 < first < last < self.line.ticks:
            raise InputError(
                "cell", got=(low, high), allowed=f"two inner ticks of {self.line.ticks}"
            )
        return Fraction(self.law.weight(first, last), self.law.total)

    def null_chance(self, step: int) -> Fraction:
        """Give 0: a ring always tells on which side an answer is."""
        if not 0 <= step < self.line.ticks:
            raise InputError("step", got=step, allowed=f"a step in [0, {self.line.ticks})")
        return Fraction(0)

    def heard(self) -> Floats:
        """Give 1 for each step, shape (ticks,)."""
        return np.ones(self.line.ticks)

    def cells(self) -> tuple[Integers, Floats]:
        """List both sides of every pair that can be drawn, with the pair's chance.

        Returns
        -------
        ends : array of int, shape (c, 2)
            Ticks ``(a, b)``: an inside where a < b, an outside where a > b.
        chances : array, shape (c,)
        """
        ends = np.stack(np.triu_indices(self.line.ticks + 1, 1), axis=1)
        ends = ends[self.possible(ends)]
        law = np.array([0, *self.weights, 0], dtype=float)
        chances = law[ends[:, 0]] * law[ends[:, 1]] / self.law.total
        return np.concatenate([ends, ends[:, ::-1]]), np.concatenate([chances, chances])

    def possible(self, ends: npt.ArrayLike) -> Booleans:
        """Say which ranges, shape (c, 2), are a side of a pair that can be drawn."""
        cells, n = np.asarray(ends, dtype=np.int64).reshape(-1, 2), self.line.ticks
        inner: Booleans = np.all((cells > 0) & (cells < n), axis=1)
        first, last = np.sort(np.where(inner[:, None], cells, 0), axis=1).T
        drawn = np.array([False, *(weight > 0 for weight in self.weights), False])
        upto, floor = np.array(self.floor.upto), self.floor
        inside = upto[last] - upto[first]
        enough = (inside >= floor.least) & (inside <= floor.total - floor.least)
        found: Booleans = inner & (first < last) & drawn[first] & drawn[last] & enough
        return found

    def cut_ticks(self) -> Integers:
        """List the ticks that a pair can have; below the first and above the last is one piece."""
        found = {
            tick for a, first, last, _ in self.law.rows() for tick in (a, *range(first, last + 1))
        }
        return np.array([tick for tick in sorted(found) if self.weights[tick - 1]], dtype=np.int64)

    def inside(self, ends: npt.ArrayLike, chances: npt.ArrayLike) -> Floats:
        """Add up over the steps of each range, shape (c, 2), the chances of the steps."""
        return added_up(ends, chances)

    def pieces(self, low: int, high: int) -> tuple[Ticks, ...]:
        """Give what a report means: one piece for the inside, two for the outside."""
        return ((low, high),) if low < high else ((0, high), (low, self.line.ticks))

    def ranges(self, ends: npt.ArrayLike, counts: npt.ArrayLike | None = None) -> Ranges:
        """Write reports given as ticks as ranges of numbers, in one piece or two."""
        cells = np.asarray(ends, dtype=np.int64).reshape(-1, 2).tolist()
        meant = [self.pieces(low, high) for low, high in cells]
        flat = [piece for pieces in meant for piece in pieces]
        return as_ranges(self.line, flat, counts, [len(pieces) for pieces in meant])
