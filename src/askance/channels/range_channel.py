"""Answers on a line: the law of the cut points, how likely each range is, what can be learnt."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.channels.identification import describe_piece, non_identified
from askance.channels.ranges import Ranges
from askance.results import Listing, json_of, listed, number, result_frame, result_stream
from askance.typing import Booleans, Floats, Integers, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.line import Floor, Line
from askance_collect.exact.ratio import read_integer


class AbstractRangeChannel(ABC):
    """The law of the ranges that a number on a line is reported as.

    A range is a pair of ticks: ``(a, b)`` with a < b is above a, up to b, where 0 and the last tick
    are no limit; with a > b it is the outside of a ring, above a or up to b. Given the answer, the
    chance of a report is the same for every number in the range, and 0 for every other: a report
    never lies, and inside it nothing is told.
    """

    __slots__ = ()
    line: Line

    @property
    @abstractmethod
    def open(self) -> tuple[tuple[int, int], ...]:
        """The stretches ``(a, b]`` of ticks in which an answer is sent exactly."""

    @abstractmethod
    def cells(self) -> tuple[Integers, Floats]:
        """List the ranges that can be reported, shape (c, 2), and each one's chance."""

    @abstractmethod
    def cell_chance(self, low: int, high: int) -> Fraction:
        """The exact chance that a range is reported, given an answer in it."""

    def null_chance(self, step: int) -> Fraction:
        """The exact chance that an answer in a step is withheld: 0 where a range is always sent."""
        if not 0 <= step < self.line.ticks:
            raise InputError("step", got=step, allowed=f"a step in [0, {self.line.ticks})")
        return Fraction(0)

    def inclusion_probability(self) -> Floats:
        """Inclusion probability of each step: that its answer is reported, shape (ticks,)."""
        return np.ones(self.line.ticks)

    @abstractmethod
    def can_report(self, ends: npt.ArrayLike) -> Booleans:
        """Whether each range, shape (c, 2), can be reported."""

    @abstractmethod
    def range_probabilities(self, ends: npt.ArrayLike, chances: npt.ArrayLike) -> Floats:
        """Sum the chances of the steps in each range, shape (c, 2)."""

    @abstractmethod
    def pieces(self, low: int, high: int) -> tuple[tuple[int, int], ...]:
        """What a reported range means, as ascending pieces ``(low, high]`` of the line."""

    @abstractmethod
    def ranges(self, ends: npt.ArrayLike, counts: npt.ArrayLike | None = None) -> Ranges:
        """Write reported ranges in the unit of the line."""

    @abstractmethod
    def cut_ticks(self) -> Integers:
        """List the inner ticks between which mass can be told apart, ascending."""


def as_ranges(
    line: Line,
    ends: npt.ArrayLike,
    counts: npt.ArrayLike | None = None,
    pieces: Sequence[int] | None = None,
) -> Ranges:
    """Write ranges between ticks, of one piece each or of so many, in the unit of the line.

    >>> as_ranges(Line(17, 20, 1), [[0, 1], [2, 3], [1, 2]], None, [2, 1])
    Ranges((-inf, 18] | (19, inf], (18, 19])
    """
    ticks = np.asarray(ends, dtype=np.int64).reshape(-1, 2)
    if np.any((ticks < 0) | (ticks > line.ticks)):
        raise InputError("cells", allowed=f"ticks in [0, {line.ticks}]")
    used, index = np.unique(ticks, return_inverse=True)
    numbers = np.array([float(line.value_at(int(tick))) for tick in used])[index].reshape(-1, 2)
    low = np.where(ticks[:, 0] > 0, numbers[:, 0], -np.inf)
    high = np.where(ticks[:, 1] < line.ticks, numbers[:, 1], np.inf)
    return Ranges(low, high, counts, pieces=pieces)


def piece_written(line: Line, low: int, high: int) -> str:
    """Write a piece of a line by its two ends.

    >>> piece_written(Line(17, 20, "1/2"), 1, 2)
    '(35/2, 18]'
    """
    return f"({line.value_at(low)}, {line.value_at(high)}]"


def range_written(channel: AbstractRangeChannel, low: int, high: int) -> str:
    """Write a reported range by the pieces that it means."""
    return " or ".join(piece_written(channel.line, *piece) for piece in channel.pieces(low, high))


def added_up(ends: npt.ArrayLike, chances: npt.ArrayLike) -> Floats:
    """Add up the chances of the steps of each range, rings' outsides too.

    >>> added_up([[0, 2], [2, 1]], [0.5, 0.25, 0.25]).tolist()
    [0.75, 0.75]
    """
    low, high = np.asarray(ends, dtype=np.int64).reshape(-1, 2).T
    upto = np.concatenate([[0.0], np.cumsum(chances)])
    sums: Floats = upto[high] - upto[low] + upto[-1] * (low > high)
    return sums


def inclusion_by_step(ticks: int, ends: Integers, chances: Floats) -> Floats:
    """Sum for each step the chances of the ranges, rings' outsides too, that hold it.

    >>> inclusion_by_step(3, np.array([[0, 2], [2, 1]]), np.array([0.5, 0.25])).tolist()
    [0.75, 0.5, 0.25]
    """
    low, high = ends.T
    change = np.bincount(low, chances, ticks + 1) - np.bincount(high, chances, ticks + 1)
    outside = float(chances[low > high].sum())
    return outside + np.cumsum(change)[:ticks]


def read_weights(weights: Sequence[object], where: str) -> tuple[int, ...]:
    """Read whole weights; what is no whole number is refused, not cut off.

    >>> read_weights([1, 2.0], "weights")
    (1, 2)
    """
    plain = tuple(weight for weight in weights if type(weight) is int)
    if len(plain) == len(weights):
        return plain
    return tuple(
        read_integer(weight, where, "whole numbers, none below 0", 0) for weight in weights
    )


Stretches = tuple[tuple[int, int], ...]
"""Ticks ``(a, b]``, ascending and not touching."""


def read_stretches(pairs: Sequence[tuple[int, int]], ticks: int) -> Stretches:
    """Read stretches of a line of so many ticks.

    >>> read_stretches([(2, 4), (6, 7)], 8)
    ((2, 4), (6, 7))
    """
    try:
        stretches = tuple((int(low), int(high)) for low, high in pairs)
    except (TypeError, ValueError) as error:
        raise InputError(
            "RangeChannel.open", got=str(error), allowed="pairs of ticks (a, b]"
        ) from error
    ends = [-1, *(end for stretch in stretches for end in stretch)]
    ascending = all(low < high for low, high in pairwise(ends))
    if not ascending or ends[-1] > ticks or (0, ticks) in stretches:
        raise InputError(
            "RangeChannel.open",
            got=stretches,
            allowed=f"ascending ticks (a, b] in [0, {ticks}] that do not touch or fill the line",
        )
    return stretches


def within(stretches: Stretches, ends: Integers) -> Booleans:
    """Say which ranges, shape (c, 2), lie inside a stretch.

    >>> within(((2, 4),), np.array([[2, 3], [2, 5]])).tolist()
    [True, False]
    """
    low, high = ends.T
    inside = np.zeros(len(ends), dtype=bool)
    for start, end in stretches:
        inside |= (start <= low) & (high <= end)
    return inside


def left_over(stretches: Stretches, low: int, high: int) -> Stretches:
    """What a range leaves outside the stretches; all of it, if it is inside one.

    >>> left_over(((3, 5),), 0, 8), left_over(((3, 5),), 3, 4)
    (((0, 3), (5, 8)), ((3, 4),))
    """
    if any(start <= low and high <= end for start, end in stretches):
        return ((low, high),)
    inner = [end for pair in stretches if pair[0] < high and pair[1] > low for end in pair]
    ends = [low, *inner, high]
    return tuple((a, b) for a, b in zip(ends[::2], ends[1::2], strict=True) if a < b)


def floor_outside(floor: Floor, stretches: Stretches) -> Floor:
    """Count the size of what is sent exactly as 0.

    >>> floor_outside(Floor([1, 2, 3], 1), ((1, 2),)).sizes
    (1, 0, 3)
    """
    sizes = list(floor.sizes)
    for low, high in stretches:
        sizes[low:high] = [0] * (high - low)
    return Floor(sizes, floor.minimum)


@final
@dataclass(frozen=True, slots=True, init=False)
class RangeChannel(AbstractRangeChannel):
    """Independent cuts at random ticks of a line; the report is the cell that holds the answer.

    Parameters
    ----------
    line : Line
    cut_weights : sequence of int
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
    cut_weights: tuple[int, ...] = field(repr=False)
    number: int
    floor: Floor | None
    withhold: bool
    open: Stretches

    @checked
    def __init__(
        self,
        line: Line,
        cut_weights: Sequence[int],
        number: int = 1,
        *,
        floor: Floor | None = None,
        withhold: bool = False,
        open: Sequence[tuple[int, int]] = (),
    ) -> None:
        law = read_weights(cut_weights, "RangeChannel.cut_weights")
        if len(law) != line.ticks - 1 or min(law) < 0 or not sum(law):
            raise InputError(
                "RangeChannel.cut_weights",
                got=f"{len(law)} weights",
                allowed=f"{line.ticks - 1} non-negative weights, not all zero",
            )
        count = read_integer(number, "RangeChannel.number", "an integer in [1, ∞)")
        opened = read_stretches(open, line.ticks)
        object.__setattr__(self, "line", line)
        object.__setattr__(self, "cut_weights", law)
        object.__setattr__(self, "number", count)
        object.__setattr__(self, "floor", _check_floor(floor, law, opened, withhold))
        object.__setattr__(self, "withhold", withhold)
        object.__setattr__(self, "open", opened)

    @property
    def total(self) -> int:
        """What the weights sum to."""
        return sum(self.cut_weights)

    @property
    def reports_every_cell(self) -> bool:
        """Whether every cell of independent cuts is reported, and nothing else."""
        return self.floor is None and not self.open

    @property
    def reports_every_answer(self) -> bool:
        """Whether every answer is reported, as one piece of the line."""
        return not self.withhold and not self.open

    def cut_chance(self, low: int, high: int) -> Fraction:
        """The chance that one cut falls on a tick in ``low … high`` inclusive."""
        return Fraction(sum(self.cut_weights[max(low, 1) - 1 : max(high, 0)]), self.total)

    def cell_chance(self, low: int, high: int) -> Fraction:
        r"""The exact chance that ``(low, high]`` is reported, given an answer in it.

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
            return self._independent_chance(low, high)
        if self.withhold:
            return self._independent_chance(low, high) * int(self.floor.allows_range(low, high))
        units = narrowed_units(self.cut_weights, self.number, self.floor)
        return Fraction(int(units[low, high]), self.total**self.number)

    def _independent_chance(self, low: int, high: int) -> Fraction:
        lows = (low + 1, low) if low else (low + 1,)
        highs = (high - 1, high) if high < self.line.ticks else (high - 1,)
        chance = Fraction(0)
        for first in lows:
            for last in highs:
                sign = -1 if (first == low) != (last == high) else 1
                chance += sign * (1 - self.cut_chance(first, last)) ** self.number
        return chance

    def null_chance(self, step: int) -> Fraction:
        """The exact chance that an answer in a step is withheld; 0 without `withhold`."""
        none = AbstractRangeChannel.null_chance(self, step)
        accepted = any(low <= step < high for low, high in self.open)
        if self.floor is None or not self.withhold or accepted:
            return none
        units = narrowed_units(self.cut_weights, self.number, None)[: step + 1, step + 1 :]
        upto = np.array(self.floor.cumulative_sizes)
        small = upto[None, step + 1 :] - upto[: step + 1, None] < self.floor.minimum
        return Fraction(int(units[small].sum()), self.total**self.number)

    def inclusion_probability(self) -> Floats:
        """Inclusion probability of each step: that its answer is reported, shape (ticks,)."""
        probability = np.ones(self.line.ticks)
        if self.withhold:
            probability = inclusion_by_step(self.line.ticks, *self.cells())
        for low, high in self.open:
            probability[low:high] = 1
        return probability

    def cells(self) -> tuple[Integers, Floats]:
        """List every cell that can be reported, with its chance.

        Returns
        -------
        ends : array of int, shape (c, 2)
            Ticks ``(low, high]``; a step that is sent exactly is a cell too.
        chances : array, shape (c,)
            Chance that each is reported by whoever is in it, as in `cell_chance`.
        """
        floor = None if self.withhold else self.floor
        chances = narrowed_chances(self.cut_weights, self.number, floor)
        ends = np.stack(np.triu_indices(self.line.ticks + 1, 1), axis=1)
        ends = ends[self.can_report(ends)]
        return ends, np.where(within(self.open, ends), 1.0, chances[tuple(ends.T)])

    def can_report(self, ends: npt.ArrayLike) -> Booleans:
        """Whether some cuts and some answer give each range, shape (c, 2), as the report."""
        cells, n = np.asarray(ends, dtype=np.int64).reshape(-1, 2), self.line.ticks
        inside: Booleans = np.all((cells >= 0) & (cells <= n), axis=1)
        low, high = np.where(inside[:, None], cells, 0).T
        drawable = np.array([True, *(weight > 0 for weight in self.cut_weights), True])
        inner = (low > 0).astype(int) + (high < n)
        cut = (
            drawable[low]
            & drawable[high]
            & (inner <= self.number)
            & self._is_large_enough(low, high)
        )
        cut = np.where(inner > 0, cut, self._may_stay_whole())
        exact = within(self.open, np.stack([low, high], axis=1))
        is_possible: Booleans = inside & (low < high) & np.where(exact, high == low + 1, cut)
        return is_possible

    def _is_large_enough(self, low: Integers, high: Integers) -> Booleans:
        """Say which cells are large enough; if cuts are passed over, what lies beyond is too."""
        if self.floor is None:
            return np.ones(len(low), dtype=bool)
        upto, least = np.array(self.floor.cumulative_sizes), self.floor.minimum
        enough: Booleans = upto[high] - upto[low] >= least
        if self.withhold:
            return enough
        enough &= (low == 0) | (upto[low] >= least)
        enough &= (high == self.line.ticks) | (upto[-1] - upto[high] >= least)
        return enough

    def _may_stay_whole(self) -> bool:
        drawable_ticks = np.flatnonzero(self.cut_weights) + 1
        return not self.withhold and len(self._cutting_ticks()) < len(drawable_ticks)

    def _cutting_ticks(self) -> Integers:
        """List the ticks that cut the whole line, and so every tick that ever cuts."""
        drawable_ticks = np.flatnonzero(self.cut_weights) + 1
        if self.floor is None:
            return drawable_ticks
        below = np.array(self.floor.cumulative_sizes)[drawable_ticks]
        sides = np.stack([below, self.floor.total - below]) >= self.floor.minimum
        return drawable_ticks[sides.any(axis=0) if self.withhold else sides.all(axis=0)]

    def cut_ticks(self) -> Integers:
        """List the inner ticks t at which the share up to t can be learnt.

        Those that cut; with them all ticks of a stretch of the acceptable range that holds one of
        them, or an end of the line.
        """
        learnable = {0, self.line.ticks, *self._cutting_ticks().tolist()}
        for low, high in self.open:
            if learnable & set(range(low, high + 1)):
                learnable |= set(range(low, high + 1))
        return np.array(sorted(learnable)[1:-1], dtype=np.int64)

    def range_probabilities(self, ends: npt.ArrayLike, chances: npt.ArrayLike) -> Floats:
        """Sum the chances of the steps in each range, shape (c, 2)."""
        cells = np.asarray(ends, dtype=np.int64).reshape(-1, 2)
        outside = np.array(chances, dtype=float)
        for low, high in self.open:
            outside[low:high] = 0
        exact = within(self.open, cells)
        return np.where(exact, added_up(cells, chances), added_up(cells, outside))

    def pieces(self, low: int, high: int) -> Stretches:
        """What a reported cell means: its part outside the acceptable range, or its step.

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


def _check_floor(
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
    outside = floor_outside(floor, opened)
    cuts = [tick for tick, weight in enumerate(weights, start=1) if weight]
    sides = [sorted((outside.size(0, tick), outside.size(tick, n))) for tick in cuts]
    most = max(pair[1 if withhold else 0] for pair in sides)
    if most < outside.minimum:
        raise InputError(
            "RangeChannel.floor",
            got=f"a least size of {outside.minimum} of {outside.total}",
            allowed=f"at most {most}: no cut leaves more" + " on both sides" * (not withhold),
        )
    return outside


Units = npt.NDArray[np.object_]
"""An array of Python's integers, which never overflow."""


@lru_cache(maxsize=2)
def narrowed_units(weights: tuple[int, ...], number: int, floor: Floor | None) -> Units:
    """Count the draws of all candidates after which a range is a cell, out of total^number.

    >>> narrowed_units((1, 1), 1, None).tolist()
    [[0, 1, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0]]
    """
    return _follow_cuts(np.array([0, *weights, 0], dtype=object), number, floor)


def narrowed_chances(weights: Sequence[int], number: int, floor: Floor | None) -> Floats:
    """Chance, in doubles, that each range is a cell, shape (ticks + 1, ticks + 1).

    >>> narrowed_chances((1, 1), 1, Floor([1, 1, 1], 2)).tolist()[0]
    [0.0, 0.0, 0.0, 1.0]
    """
    law = np.array([0, *weights, 0], dtype=float) / sum(weights)
    return _follow_cuts(law, number, floor)


def _follow_cuts(law: npt.NDArray[Any], number: int, floor: Floor | None) -> npt.NDArray[Any]:
    """Follow the ranges through the candidates.

    A range stays unless a tick inside it is drawn that leaves enough on both sides. It arises from
    each longer one that shares one of its ends, if the other end is drawn and what is cut off is
    enough too. Whether a side is enough ascends with its far end, so sums from there on suffice.
    """
    n = len(law) - 1
    nearest, farthest = reaches(n, floor)
    upto = np.cumsum(law)
    inside = upto[np.maximum(farthest, 0)][None, :] - upto[nearest - 1][:, None]
    stay = np.maximum(upto[-1] - np.where(farthest[None, :] >= nearest[:, None], inside, 0), 0)
    enough = np.arange(n + 1)[None, :] >= nearest[:, None]
    chance = np.zeros((n + 1, n + 1), dtype=law.dtype)
    chance[0, n] = 1
    for _ in range(number):
        above = np.zeros((n + 1, n + 2), dtype=law.dtype)
        above[:, : n + 1] = np.cumsum(chance[:, ::-1], axis=1)[:, ::-1]
        below = np.zeros((n + 2, n + 1), dtype=law.dtype)
        below[1:] = np.cumsum(chance, axis=0)
        arising = law[None, :] * above[:, nearest] + law[:, None] * below[farthest + 1]
        chance = chance * stay + np.where(enough, arising, 0)
    return chance


def reaches(n: int, floor: Floor | None) -> tuple[Integers, Integers]:
    """For each tick the nearest upper and the nearest lower end of a range that is enough.

    n + 1 and −1 where there is none.
    """
    ticks = np.arange(n + 1)
    if floor is None:
        return ticks + 1, ticks - 1
    sizes = np.array(floor.cumulative_sizes)
    nearest = np.searchsorted(sizes, sizes + floor.minimum)
    farthest = np.searchsorted(sizes, sizes - floor.minimum, side="right") - 1
    return nearest, farthest


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RangeIdentification:
    """Where a law of cuts resolves a distribution.

    Attributes
    ----------
    cuts : tuple of float
        The points at which the share of numbers up to there can be learnt; ascending.
    pieces : tuple of (float, float)
        The ``(lower, upper]`` between them: how much lies in each can be learnt, where inside it
        cannot.
    step : float
        How finely the line itself is divided.
    non_identified : tuple of (float, float)
        Pieces of which only sums can be learnt, because the ranges that are sent never tell them
        apart; then F is learnt only up to what they trade.

    >>> RangeIdentification(cuts=(1.0,), pieces=((0.0, 1.0), (1.0, 3.0)), step=1.0).unresolved
    ((1.0, 3.0),)
    """

    cuts: tuple[float, ...]
    pieces: tuple[tuple[float, float], ...]
    step: float
    non_identified: tuple[tuple[float, float], ...] = ()

    @property
    def unresolved(self) -> tuple[tuple[float, float], ...]:
        """The pieces wider than one step: the part of the line that stays open."""
        return tuple(piece for piece in self.pieces if piece[1] - piece[0] > self.step * (1 + 1e-9))

    @property
    def complete(self) -> bool:
        """Whether the distribution is identified at every step of the line."""
        return not self.unresolved and not self.non_identified

    def to_dict(self) -> Json:
        """Write the diagnosis for JSON."""
        return json_of(
            self, "cuts pieces step unlearnt=unresolved confounded=non_identified complete"
        )

    def _frame(self) -> dict[str, Any]:
        lower, upper = ([piece[i] for piece in self.unresolved] for i in (0, 1))
        return {"lower": lower, "upper": upper}

    def _table(self) -> Listing:
        rows = [[describe_piece(piece), number(piece[1] - piece[0])] for piece in self.unresolved]
        notes = [f"learnt at {len(self.cuts)} points, in steps of {number(self.step)}"]
        if self.cuts:
            notes[0] += f" from {number(self.cuts[0])} to {number(self.cuts[-1])}"
        if self.non_identified:
            notes.append(
                "only sums are identified of " + ", ".join(map(describe_piece, self.non_identified))
            )
        return "what stays open", ["inside", "width"], rows, notes

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def identified_range(
    channel: AbstractRangeChannel, support: tuple[float, float] | None = None
) -> RangeIdentification:
    """Say on which part of the line the distribution can be learnt.

    The share of numbers up to t is learnt exactly if a cut can fall on t: then ranges that end
    there are reported, and their frequencies give F(t). Between neighbouring possible cuts, two
    distributions with the same mass are equally likely to be reported, whatever the number of cuts.
    Where ranges are withheld, or are rings, the pieces between cuts may still be confounded.

    Parameters
    ----------
    channel : AbstractRangeChannel
    support : (float, float), optional
        Where the numbers are known to be; the whole line if left out.

    Raises
    ------
    InputError
        If the support is empty or reaches beyond the line.

    References
    ----------
    Ding & Ding (2022), Theorem 7, for cuts on a grid.

    >>> from askance_collect.exact.line import Line
    >>> identified_range(RangeChannel(Line(0, 6, 1), [0, 1, 1, 0, 0]))
    what stays open
    inside  width
    (0, 2]      2
    (3, 6]      3
    learnt at 2 points, in steps of 1 from 2 to 3
    """
    line = channel.line
    first, last = float(line.value_at(0)), float(line.value_at(line.ticks))
    low, high = (first, last) if support is None else support
    if not first <= low < high <= last:
        raise InputError(
            "identified_range.support", got=support, allowed=f"(low, high) inside [{first}, {last}]"
        )
    places = (float(line.value_at(int(tick))) for tick in channel.cut_ticks())
    cuts = tuple(cut for cut in places if low < cut < high)
    ends = (float(low), *cuts, float(high))
    return RangeIdentification(
        cuts=cuts,
        pieces=tuple(pairwise(ends)),
        step=float(line.step),
        non_identified=_non_identified(channel, low, high),
    )


def _non_identified(
    channel: AbstractRangeChannel, low: float, high: float
) -> tuple[tuple[float, float], ...]:
    """Find what reports trade; where every cell is sent, they trade nothing."""
    if isinstance(channel, RangeChannel) and channel.reports_every_answer:
        return ()
    traded = non_identified(channel.ranges(channel.cells()[0]))
    inside = ((max(start, low), min(end, high)) for start, end in traded)
    return tuple((start, end) for start, end in inside if start < end)


def read_cells(written: object, number: int, where: str) -> tuple[int, ...]:
    """Read the numbers of the cells that are reported exactly: some cells, not all.

    >>> read_cells([3, 1], 2, "open_cells")
    (1, 3)
    """
    listed: Sequence[object] = written if isinstance(written, Sequence) else [written]
    cells = tuple(sorted(cell for cell in listed if type(cell) is int))
    inside = all(1 <= cell <= number + 1 for cell in cells)
    if (
        len(cells) < len(listed)
        or not inside
        or len(set(cells)) < len(cells)
        or len(cells) > number
    ):
        raise InputError(
            where,
            got=written,
            allowed=f"distinct whole numbers from 1 to {number + 1}, at most {number} of them",
            remedy=(
                "the lowest cell is 1; if all of them were sent exactly, nothing would be protected"
            ),
        )
    return cells
