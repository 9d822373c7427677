"""What every channel from a number on a line to a range has in common."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.exact.line import Line
from askance.exact.ratio import whole
from askance.typing import Booleans, Floats, Integers


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
        """Give the exact chance that a range is reported by whoever is in it."""

    @abstractmethod
    def null_chance(self, step: int) -> Fraction:
        """Give the exact chance that an answer in a step is withheld."""

    @abstractmethod
    def heard(self) -> Floats:
        """Give for each step the chance that an answer in it is reported, shape (ticks,)."""

    @abstractmethod
    def possible(self, ends: npt.ArrayLike) -> Booleans:
        """Say which of some ranges, shape (c, 2), can be reported."""

    @abstractmethod
    def inside(self, ends: npt.ArrayLike, chances: npt.ArrayLike) -> Floats:
        """Add up over the steps of each range, shape (c, 2), the chances of the steps."""

    @abstractmethod
    def pieces(self, low: int, high: int) -> tuple[tuple[int, int], ...]:
        """Give what a reported range means, as ascending pieces ``(low, high]`` of the line."""

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
    used, at = np.unique(ticks, return_inverse=True)
    numbers = np.array([float(line.at(int(tick))) for tick in used])[at].reshape(-1, 2)
    low = np.where(ticks[:, 0] > 0, numbers[:, 0], -np.inf)
    high = np.where(ticks[:, 1] < line.ticks, numbers[:, 1], np.inf)
    return Ranges(low, high, counts, pieces=pieces)


def piece_written(line: Line, low: int, high: int) -> str:
    """Write a piece of a line by its two ends.

    >>> piece_written(Line(17, 20, "1/2"), 1, 2)
    '(35/2, 18]'
    """
    return f"({line.at(low)}, {line.at(high)}]"


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


def heard_of(ticks: int, ends: Integers, chances: Floats) -> Floats:
    """Sum for each step the chances of the ranges, rings' outsides too, that hold it.

    >>> heard_of(3, np.array([[0, 2], [2, 1]]), np.array([0.5, 0.25])).tolist()
    [0.75, 0.5, 0.25]
    """
    low, high = ends.T
    change = np.bincount(low, chances, ticks + 1) - np.bincount(high, chances, ticks + 1)
    outside = float(chances[low > high].sum())
    sums: Floats = outside + np.cumsum(change)[:ticks]
    return sums


def read_weights(given: Sequence[object], where: str) -> tuple[int, ...]:
    """Read whole weights; what is no whole number is refused, not cut off.

    >>> read_weights([1, 2.0], "weights")
    (1, 2)
    """
    if all(type(weight) is int for weight in given):
        return tuple(given)  # type: ignore[arg-type]
    return tuple(whole(one, where, "whole numbers, none below 0", 0) for one in given)
