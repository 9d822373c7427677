"""Cuts asked in two other ways: with the ends of the line joined, or with cells told exactly."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.channels.range_channel import (
    AbstractRangeChannel,
    RangeChannel,
    Stretches,
    Units,
    added_up,
    as_ranges,
    reaches,
    read_cells,
    read_weights,
)
from askance.channels.ranges import Ranges
from askance.typing import Booleans, Floats, Integers
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.line import Floor, Line, PairLaw
from askance_collect.exact.ratio import read_integer
from askance_collect.wire.question import MOST_CUTS

Ticks = tuple[int, int]


@final
@dataclass(frozen=True, slots=True, init=False)
class RingChannel(AbstractRangeChannel):
    """Several random cuts on a ring, the line with its ends joined; the report is an arc.

    With two cuts a < b: ``(a, b]`` or what lies outside it. With q cuts t₁ < … < t_q the report is
    ``(tᵢ, tᵢ₊₁]`` or what lies above t_q or up to t₁.

    Parameters
    ----------
    line : Line
    cut_weights : sequence of int
        One non-negative weight for each inner tick; cuts are drawn by the product of theirs.
    floor : Floor
        The least size that each arc of the drawn cuts has.
    number : int
        q, how many cuts are drawn. A form asks rings of two cuts only.

    Attributes
    ----------
    total : int
        Computed: what the weights of all eligible draws sum to.

    Raises
    ------
    InputError
        If there is not one weight per inner tick and one size per step, `number` is not in
        [2, 16], or no cuts keep the floor.

    References
    ----------
    Ding & Ding (2022), Example 3.

    >>> ring = RingChannel(Line(0, 4, 1), [1, 1, 1], Floor([1, 1, 1, 1], 1))
    >>> ring.cell_chance(1, 2), ring.pieces(3, 1)
    (Fraction(1, 3), ((0, 1), (3, 4)))
    >>> three = RingChannel(Line(0, 6, 1), [1] * 5, Floor([1] * 6, 2), number=3)
    >>> three.cell_chance(1, 3), three.cell_chance(5, 1), three.cell_chance(1, 4)
    (Fraction(1, 1), Fraction(1, 1), Fraction(0, 1))
    """

    line: Line
    cut_weights: tuple[int, ...] = field(repr=False)
    floor: Floor
    number: int
    total: int = field(repr=False, compare=False)

    @checked
    def __init__(
        self, line: Line, cut_weights: Sequence[int], floor: Floor, number: int = 2
    ) -> None:
        if len(floor.sizes) != line.ticks:
            raise InputError(
                "RingChannel.floor", got=f"{len(floor.sizes)} sizes", allowed=f"{line.ticks} sizes"
            )
        law = read_weights(cut_weights, "RingChannel.cut_weights")
        allowed = f"an integer in [2, {MOST_CUTS}]"
        count = read_integer(number, "RingChannel.number", allowed, 2, MOST_CUTS)
        attributes = {"line": line, "cut_weights": law, "floor": floor, "number": count}
        for name, value in attributes.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "total", self.law.total if count == 2 else _count_draws(self))

    @property
    def law(self) -> PairLaw:
        """The law of two cuts, as a form publishes it; more cuts raise an error.

        Raises
        ------
        InputError
            If there are more.
        """
        if self.number > 2:
            raise InputError(
                "RingChannel.law",
                got=f"{self.number} cuts",
                allowed="a ring of two cuts",
                remedy="a form asks rings of two cuts only; more of them stay in Python",
            )
        return PairLaw(self.cut_weights, self.floor)

    @property
    def open(self) -> Stretches:
        """Nothing is sent exactly."""
        return ()

    def cell_chance(self, low: int, high: int) -> Fraction:
        """The chance that cuts are drawn which leave this arc."""
        first, last = sorted((low, high))
        if not 0 < first < last < self.line.ticks:
            raise InputError(
                "cell", got=(low, high), allowed=f"two inner ticks of {self.line.ticks}"
            )
        if self.number > 2:
            return Fraction(int(arc_units(self)[low, high]), self.total)
        eligible = self.floor.allows_range(first, last) and self.floor.allows_range(last, first)
        return Fraction(
            self.cut_weights[low - 1] * self.cut_weights[high - 1] * eligible, self.total
        )

    def cells(self) -> tuple[Integers, Floats]:
        """List every arc of cuts that can be drawn, with its chance.

        Returns
        -------
        ends : array of int, shape (c, 2)
            Ticks ``(a, b)``: an inner arc where a < b, the outer one where a > b.
        chances : array, shape (c,)
        """
        ends = np.stack(np.triu_indices(self.line.ticks + 1, 1), axis=1)
        ends = np.concatenate([ends, ends[:, ::-1]])
        ends = ends[self.can_report(ends)]
        if self.number > 2:
            return ends, _arc_chances(self)[tuple(ends.T)]
        law = np.array([0, *self.cut_weights, 0], dtype=float)
        return ends, law[ends[:, 0]] * law[ends[:, 1]] / self.total

    def can_report(self, ends: npt.ArrayLike) -> Booleans:
        """Whether each range, shape (c, 2), is an arc between cuts that can be drawn."""
        cells, n = np.asarray(ends, dtype=np.int64).reshape(-1, 2), self.line.ticks
        inner: Booleans = np.all((cells > 0) & (cells < n), axis=1)
        low, high = np.where(inner[:, None], cells, 0).T
        drawable = np.array([False, *(weight > 0 for weight in self.cut_weights), False])
        if self.number > 2:
            some: Booleans = inner & (_arcs(self, drawable.astype(np.int64))[low, high] > 0)
            return some
        first, last = np.minimum(low, high), np.maximum(low, high)
        upto, floor = np.array(self.floor.cumulative_sizes), self.floor
        inside = upto[last] - upto[first]
        enough = (inside >= floor.minimum) & (inside <= floor.total - floor.minimum)
        is_possible: Booleans = inner & (first < last) & drawable[first] & drawable[last] & enough
        return is_possible

    def cut_ticks(self) -> Integers:
        """List the ticks that can be drawn; below the first and above the last is one piece."""
        return np.unique(self.cells()[0])

    def range_probabilities(self, ends: npt.ArrayLike, chances: npt.ArrayLike) -> Floats:
        """Sum the chances of the steps in each range, shape (c, 2)."""
        return added_up(ends, chances)

    def pieces(self, low: int, high: int) -> tuple[Ticks, ...]:
        """What a report means: one piece for an inner arc, two for the outer one."""
        return ((low, high),) if low < high else ((0, high), (low, self.line.ticks))

    def ranges(self, ends: npt.ArrayLike, counts: npt.ArrayLike | None = None) -> Ranges:
        """Write reports given as ticks as ranges of numbers, in one piece or two."""
        cells = np.asarray(ends, dtype=np.int64).reshape(-1, 2).tolist()
        meant = [self.pieces(low, high) for low, high in cells]
        flat = [piece for pieces in meant for piece in pieces]
        return as_ranges(self.line, flat, counts, [len(pieces) for pieces in meant])


def _count_draws(ring: RingChannel) -> int:
    """Count all draws of three or more cuts: each has one outer arc."""
    inner = len(ring.cut_weights)
    if inner != ring.line.ticks - 1 or min(ring.cut_weights, default=-1) < 0:
        raise InputError(
            "RingChannel.cut_weights",
            got=f"{inner} weights",
            allowed=f"{ring.line.ticks - 1} non-negative weights",
        )
    units = np.tril(arc_units(ring), -1).sum()
    if not units:
        floor = ring.floor
        raise InputError(
            "RingChannel",
            got=f"no {ring.number} ticks with {floor.minimum} of {floor.total} on each arc",
            allowed=f"a floor of up to 1/{ring.number} of {floor.total}, that some ticks keep",
            remedy="take a lower floor, fewer cuts or a smaller step",
        )
    return int(units)


@lru_cache(maxsize=2)
def arc_units(ring: RingChannel) -> Units:
    """Count the draws that leave each arc, shape (ticks + 1, ticks + 1): outer ones below.

    >>> ring = RingChannel(Line(0, 4, 1), [1, 1, 1], Floor([1] * 4, 1), 3)
    >>> arc_units(ring)[1:4, 1:4].tolist()
    [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    """
    return _arcs(ring, np.array([0, *ring.cut_weights, 0], dtype=object))


@lru_cache(maxsize=2)
def _arc_chances(ring: RingChannel) -> Floats:
    law = np.array([0, *ring.cut_weights, 0], dtype=float) / sum(ring.cut_weights)
    weights = np.maximum(_arcs(ring, law), 0)
    chances: Floats = weights / np.tril(weights, -1).sum()
    return chances


def _arcs(ring: RingChannel, law: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Follow the cuts around the ring, arc by arc; of signs, say whether there are any.

    An arc is left by walks from one of its ends around to the other in the remaining q − 1 arcs.
    `flat` holds those that have not passed the ends of the line yet, from each tick (row) to each
    (column), `round_` those that have; each step multiplies by the weight of the tick it comes to.
    Whether an arc is enough ascends with its far end, so sums up to there suffice.
    """
    n = len(law) - 1
    upto, floor = np.array(ring.floor.cumulative_sizes), ring.floor
    _, farthest = reaches(n, floor)
    highest = np.searchsorted(upto, upto + (floor.total - floor.minimum), side="right") - 1
    flat, round_ = np.diag(np.sign(law)), np.zeros((n + 1, n + 1), dtype=law.dtype)
    for _ in range(ring.number - 1):
        passing = np.cumsum(flat, axis=1)
        passing = passing[:, np.maximum(highest, np.arange(n + 1))] - passing
        flat, round_ = (
            _extend_walks(flat, farthest) * law,
            (_extend_walks(round_, farthest) + passing) * law,
        )
        if law.dtype.kind == "i":
            flat, round_ = np.sign(flat), np.sign(round_)
        elif law.dtype.kind == "f":  # a common factor keeps small chances from vanishing
            most = max(flat.max(), round_.max(), np.finfo(float).tiny)
            flat, round_ = flat / most, round_ / most
    low, high = np.triu_indices(n + 1, 1)
    arcs = np.zeros((n + 1, n + 1), dtype=law.dtype)
    inner, outer = low <= farthest[high], high <= highest[low]
    arcs[low, high] = law[high] * round_[high, low] * inner
    arcs[high, low] = law[low] * flat[low, high] * outer
    return arcs


def _extend_walks(walks: npt.NDArray[Any], farthest: Integers) -> npt.NDArray[Any]:
    """Lengthen walks by one arc upwards: to each tick from all that are far enough below it."""
    upto = np.cumsum(walks, axis=1)
    return np.where(farthest >= 0, upto[:, np.maximum(farthest, 0)], 0)


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
    line : Line
        Of the cuts.
    exact_cells : tuple of int
        The open cells, counted from below.

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
    exact_cells: tuple[int, ...]

    @checked
    def __init__(self, cuts: RangeChannel, cells: Sequence[int]) -> None:
        if not cuts.reports_every_cell:
            raise InputError(
                "OpenCellChannel.cuts",
                got="a floor, or stretches that are sent exactly",
                allowed="independent cuts",
            )
        open_cells = read_cells(cells, cuts.number, "OpenCellChannel.cells")
        if not open_cells:
            raise InputError("OpenCellChannel.cells", got="none", allowed="at least one cell")
        object.__setattr__(self, "line", cuts.line)
        object.__setattr__(self, "cuts", cuts)
        object.__setattr__(self, "exact_cells", open_cells)

    @property
    def open(self) -> Stretches:
        """No fixed stretch is sent exactly."""
        return ()

    def cell_chance(self, low: int, high: int) -> Fraction:
        r"""The exact chance that ``(low, high]`` is reported, given an answer in it.

        As a cell, Σ_j C(m, j) P(max of j cuts is low) P(min of the other m − j is high) over the j
        whose cell j + 1 is closed; and if it is one step, the chance that its cell is open, too.
        """
        if not 0 <= low < high <= self.line.ticks:
            raise InputError(
                "cell", got=(low, high), allowed=f"ticks 0 <= low < high <= {self.line.ticks}"
            )
        m, share = self.cuts.number, self.cuts.cut_chance
        chance = Fraction(0)
        for j in range(m + 1):
            if j + 1 in self.exact_cells:
                if high == low + 1:
                    chance += comb(m, j) * share(0, low) ** j * (1 - share(0, low)) ** (m - j)
                continue
            below = share(0, low) ** j - share(0, low - 1) ** j if low else Fraction(int(j == 0))
            end = self.line.ticks
            above = share(high, end) ** (m - j) - share(high + 1, end) ** (m - j)
            chance += comb(m, j) * below * (above if high < end else Fraction(int(j == m)))
        return chance

    def cells(self) -> tuple[Integers, Floats]:
        """List the cells and steps that can be reported, shape (c, 2), and each one's chance."""
        ends = np.stack(np.triu_indices(self.line.ticks + 1, 1), axis=1)
        ends = ends[self.can_report(ends)]
        chances = closed_chances(self.cuts, self.exact_cells)
        steps = np.arange(self.line.ticks)
        chances[steps, steps + 1] += self._exactly_sent()
        return ends, chances[tuple(ends.T)]

    def _exactly_sent(self) -> Floats:
        """The chance that an answer in each step is sent exactly, shape (ticks,)."""
        m = self.cuts.number
        upto = np.cumsum([0.0, *self.cuts.cut_weights]) / self.cuts.total
        cell_chances = [
            comb(m, k - 1) * upto ** (k - 1) * (1 - upto) ** (m - k + 1) for k in self.exact_cells
        ]
        chance: Floats = np.sum(cell_chances, axis=0)
        return chance

    def can_report(self, ends: npt.ArrayLike) -> Booleans:
        """Whether each range, shape (c, 2), can be reported."""
        cells, n = np.asarray(ends, dtype=np.int64).reshape(-1, 2), self.line.ticks
        inside: Booleans = np.all((cells >= 0) & (cells <= n), axis=1)
        low, high = np.where(inside[:, None], cells, 0).T
        m, open_cells, drawable = (
            self.cuts.number,
            self.exact_cells,
            np.flatnonzero(self.cuts.cut_weights) + 1,
        )
        cut = np.isin(np.arange(n + 1), [0, n, *drawable])
        between = any(k not in open_cells for k in range(2, m + 1))
        as_cell = np.where(low == 0, (1 not in open_cells) & (high < n), between)
        as_cell = np.where((low > 0) & (high == n), m + 1 not in open_cells, as_cell)
        as_step = np.where(
            low >= drawable[-1],
            m + 1 in open_cells,
            np.where(low < drawable[0], 1 in open_cells, True),
        )
        as_cell, as_step = as_cell & cut[low] & cut[high], as_step & (high == low + 1)
        is_possible: Booleans = inside & (low < high) & (as_cell | as_step)
        return is_possible

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
        return np.flatnonzero(part == part[0])[1:-1]

    def range_probabilities(self, ends: npt.ArrayLike, chances: npt.ArrayLike) -> Floats:
        """Sum the chances of the steps in each range, shape (c, 2)."""
        return added_up(ends, chances)

    def pieces(self, low: int, high: int) -> Stretches:
        """What a report means: what stands in it."""
        return ((low, high),)

    def ranges(self, ends: npt.ArrayLike, counts: npt.ArrayLike | None = None) -> Ranges:
        """Write reports given as ticks as ranges of numbers, open where there is no limit."""
        return as_ranges(self.line, ends, counts)


def closed_chances(cuts: RangeChannel, open_cells: Sequence[int]) -> Floats:
    """The chance of each cell, shape (ticks + 1, ticks + 1), if it is not one of those told.

    >>> closed_chances(RangeChannel(Line(0, 2, 1), [1], 1), [2]).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    m, n = cuts.number, cuts.line.ticks
    law = np.array([0, *cuts.cut_weights, 0], dtype=float) / cuts.total
    upto, beyond = np.cumsum(law), np.cumsum(law[::-1])[::-1]
    chances, first = np.zeros((n + 1, n + 1)), np.arange(n + 1) == 0
    for j in range(m + 1):
        if j + 1 not in open_cells:
            below = law * _power_quotient(upto, upto - law, j) + (j == 0) * first
            above = law * _power_quotient(beyond, beyond - law, m - j) + (j == m) * first[::-1]
            chances += comb(m, j) * np.triu(np.multiply.outer(below, above), 1)
    return chances


def _power_quotient(high: Floats, low: Floats, power: int) -> Floats:
    """(high^p − low^p)/(high − low), without taking differences."""
    terms = [high**i * low ** (power - 1 - i) for i in range(power)]
    return np.sum(terms, axis=0) if terms else np.zeros(len(high))
