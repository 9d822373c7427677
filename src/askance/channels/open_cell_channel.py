"""Cuts of which some cells are told exactly: the acceptable range is drawn with the cuts."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from typing import final

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.channels.range_channel import (
    AbstractRangeChannel,
    RangeChannel,
    Stretches,
    added_up,
    as_ranges,
)
from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.exact.line import Line
from askance.typing import Booleans, Floats, Integers


def read_cells(given: object, number: int, where: str) -> tuple[int, ...]:
    """Read which of the cells that so many cuts leave are told exactly: not all of them.

    >>> read_cells([3, 1], 2, "open_cells")
    (1, 3)
    """
    listed = isinstance(given, Sequence) and all(type(one) is int for one in given)
    cells = tuple(sorted(given)) if listed else ()  # type: ignore[call-overload]
    inside = all(1 <= one <= number + 1 for one in cells)
    if not listed or not inside or len(set(cells)) < len(cells) or len(cells) > number:
        raise InputError(
            where,
            got=given,
            allowed=f"distinct whole numbers from 1 to {number + 1}, at most {number} of them",
            remedy="the lowest cell is 1; if all of them were told exactly nothing was protected",
        )
    return cells


@final
@dataclass(frozen=True, slots=True, init=False)
class OpenCellChannel(AbstractRangeChannel):
    """Independent cuts; an answer in one of some cells, counted from below, is sent exactly.

    The acceptable range is then a union of random cells: of two cuts, say, whoever is between them
    tells the number, as its step, and all others say only on which side they are. Which cells are
    open is fixed beforehand; where they lie is drawn. The report is a step or a cell, flat inside.

    Parameters
    ----------
    cuts : RangeChannel
        Independent cuts without a floor and without fixed stretches that are sent exactly.
    cells : sequence of int
        Numbers k of the open cells, from 1 to one more than there are cuts: with k − 1 cuts below
        the answer. Between equal cuts there is an empty cell, which counts.

    Raises
    ------
    InputError
        If the cuts have a floor or stretches of their own, or the cells are none, all, or unknown.

    References
    ----------
    Ding & Ding (2022), section III-A and Definition 2, the third form of A. A form cannot express
    it: it has fixed stretches.

    >>> two = RangeChannel(Line(0, 4, 1), [1, 1, 1], 2)
    >>> between = OpenCellChannel(two, [2])
    >>> between.cell_chance(0, 2), between.cell_chance(1, 2), between.cell_chance(1, 3)
    (Fraction(1, 3), Fraction(4, 9), Fraction(0, 1))
    """

    line: Line = field(repr=False)
    cuts: RangeChannel
    told: tuple[int, ...]

    @checked
    def __init__(self, cuts: RangeChannel, cells: Sequence[int]) -> None:
        if not cuts.plain:
            raise InputError(
                "OpenCellChannel.cuts",
                got="a floor, or stretches that are sent exactly",
                allowed="independent cuts",
            )
        told = read_cells(cells, cuts.number, "OpenCellChannel.cells")
        if not told:
            raise InputError("OpenCellChannel.cells", got="none", allowed="at least one cell")
        object.__setattr__(self, "line", cuts.line)
        object.__setattr__(self, "cuts", cuts)
        object.__setattr__(self, "told", told)

    @property
    def open(self) -> Stretches:
        """No fixed stretch is sent exactly."""
        return ()

    def cell_chance(self, low: int, high: int) -> Fraction:
        r"""The chance that ``(low, high]`` is reported by whoever is in it, exactly.

        As a cell, Σ_j C(m, j) P(max of j cuts is low) P(min of the other m − j is high) over the j
        whose cell j + 1 is closed; and if it is one step, the chance that its cell is open, too.
        """
        if not 0 <= low < high <= self.line.ticks:
            raise InputError(
                "cell", got=(low, high), allowed=f"ticks 0 <= low < high <= {self.line.ticks}"
            )
        m, share = self.cuts.number, self.cuts.share
        chance = Fraction(0)
        for j in range(m + 1):
            if j + 1 in self.told:
                if high == low + 1:
                    chance += comb(m, j) * share(0, low) ** j * (1 - share(0, low)) ** (m - j)
                continue
            below = share(0, low) ** j - share(0, low - 1) ** j if low else Fraction(int(j == 0))
            end = self.line.ticks
            above = share(high, end) ** (m - j) - share(high + 1, end) ** (m - j)
            chance += comb(m, j) * below * (above if high < end else Fraction(int(j == m)))
        return chance

    def null_chance(self, step: int) -> Fraction:
        """0: nothing is withheld."""
        if not 0 <= step < self.line.ticks:
            raise InputError("step", got=step, allowed=f"a step in [0, {self.line.ticks})")
        return Fraction(0)

    def inclusion_probability(self) -> Floats:
        """1 for each step, shape (ticks,)."""
        return np.ones(self.line.ticks)

    def cells(self) -> tuple[Integers, Floats]:
        """List the cells and steps that can be reported, shape (c, 2), and each one's chance."""
        ends = np.stack(np.triu_indices(self.line.ticks + 1, 1), axis=1)
        ends = ends[self.possible(ends)]
        chances = closed_chances(self.cuts, self.told)
        steps = np.arange(self.line.ticks)
        chances[steps, steps + 1] += self._told()
        return ends, chances[tuple(ends.T)]

    def _told(self) -> Floats:
        """The chance that an answer in each step is sent exactly, shape (ticks,)."""
        m = self.cuts.number
        upto = np.cumsum([0.0, *self.cuts.weights]) / self.cuts.total
        each = [comb(m, k - 1) * upto ** (k - 1) * (1 - upto) ** (m - k + 1) for k in self.told]
        sent: Floats = np.sum(each, axis=0)
        return sent

    def possible(self, ends: npt.ArrayLike) -> Booleans:
        """Say which ranges, shape (c, 2), can be reported."""
        cells, n = np.asarray(ends, dtype=np.int64).reshape(-1, 2), self.line.ticks
        inside: Booleans = np.all((cells >= 0) & (cells <= n), axis=1)
        low, high = np.where(inside[:, None], cells, 0).T
        m, told, drawn = self.cuts.number, self.told, np.flatnonzero(self.cuts.weights) + 1
        cut = np.isin(np.arange(n + 1), [0, n, *drawn])
        between = any(k not in told for k in range(2, m + 1))
        as_cell = np.where(low == 0, (1 not in told) & (high < n), between)
        as_cell = np.where((low > 0) & (high == n), m + 1 not in told, as_cell)
        as_step = np.where(
            low >= drawn[-1], m + 1 in told, np.where(low < drawn[0], 1 in told, True)
        )
        as_cell, as_step = as_cell & cut[low] & cut[high], as_step & (high == low + 1)
        found: Booleans = inside & (low < high) & (as_cell | as_step)
        return found

    def cut_ticks(self) -> Integers:
        """List the inner ticks up to which the share can be learnt.

        Those that chains of reports, each beginning where one ends, join to an end of the line.
        """
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        ends = np.concatenate([self.cells()[0], [[0, self.line.ticks]]])
        size = self.line.ticks + 1
        graph = csr_array((np.ones(len(ends)), tuple(ends.T)), shape=(size, size))
        part = connected_components(graph, directed=False)[1]
        known: Integers = np.flatnonzero(part == part[0])[1:-1]
        return known

    def inside(self, ends: npt.ArrayLike, chances: npt.ArrayLike) -> Floats:
        """Add up over the steps of each range, shape (c, 2), the chances of the steps."""
        return added_up(ends, chances)

    def pieces(self, low: int, high: int) -> Stretches:
        """What a report means: what stands in it."""
        return ((low, high),)

    def ranges(self, ends: npt.ArrayLike, counts: npt.ArrayLike | None = None) -> Ranges:
        """Write reports given as ticks as ranges of numbers, open where there is no limit."""
        return as_ranges(self.line, ends, counts)


def closed_chances(cuts: RangeChannel, told: Sequence[int]) -> Floats:
    """The chance of each cell, shape (ticks + 1, ticks + 1), if it is not one of those told.

    >>> closed_chances(RangeChannel(Line(0, 2, 1), [1], 1), [2]).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    m, n = cuts.number, cuts.line.ticks
    law = np.array([0, *cuts.weights, 0], dtype=float) / cuts.total
    upto, beyond = np.cumsum(law), np.cumsum(law[::-1])[::-1]
    chances, first = np.zeros((n + 1, n + 1)), np.arange(n + 1) == 0
    for j in range(m + 1):
        if j + 1 not in told:
            below = law * _between(upto, upto - law, j) + (j == 0) * first
            above = law * _between(beyond, beyond - law, m - j) + (j == m) * first[::-1]
            chances += comb(m, j) * np.triu(np.multiply.outer(below, above), 1)
    return chances


def _between(high: Floats, low: Floats, power: int) -> Floats:
    """(high^p − low^p)/(high − low), without taking differences."""
    terms = [high**at * low ** (power - 1 - at) for at in range(power)]
    return np.sum(terms, axis=0) if terms else np.zeros(len(high))
