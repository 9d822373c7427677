"""The likely distribution of a number of which each person told one side of one cut."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
import numpy.typing as npt
from scipy.optimize import isotonic_regression

from askance.channels.ranges import Ranges
from askance.inference.ranges.support import ordered
from askance.typing import Booleans, Floats, Integers

_FAINT = 1e-8  # of all weight: a level may come that close to one
SMALL, LARGE = 1e-100, 1e100  # beyond, weights lose digits


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """Masses on disjoint intervals, with what is missing to the maximum.

    Attributes
    ----------
    lower, upper, mass : array, shape (m,)
    gap : float
    method : str
    unseen, confounded : tuple of (float, float)
        As in `Distribution`.
    """

    lower: Floats
    upper: Floats
    mass: Floats
    gap: float
    method: str
    unseen: tuple[tuple[float, float], ...] = ()
    confounded: tuple[tuple[float, float], ...] = ()


def current_status(ranges: Ranges) -> Fit | None:
    """Fit ranges that are all one-sided by isotonic regression; None if one is not.

    The share up to each cut is the isotonic share of ranges that end there (Ayer, Brunk, Ewing,
    Reid & Silverman, 1955). It takes one sort. Until the first range that ends at its cut nothing
    lies below, from the last that begins there everything does; between them, neighbours that end
    at their cuts and those after them that begin there share one level. Where some weigh next to
    nothing beside the rest, levels come too close to one for their differences: None too, and where
    weights are in a strange unit.

    >>> fit = current_status(Ranges([-np.inf, 1, 2], [1, np.inf, np.inf]))
    >>> fit.upper.tolist(), fit.mass.tolist()
    ([1.0, inf], [0.3333333333333333, 0.6666666666666667])
    """
    above = ranges.upper == np.inf
    if not ranges.plain or np.count_nonzero(above == (ranges.lower == -np.inf)):
        return None
    ends, sides, weights = _packed(ranges, above) or _sorted(ranges, above)
    if len(ends) == 2 or (weights is not None and not _sound(weights)):
        return None
    turns = (sides[1:] != sides[:-1]).nonzero()[0]
    if weights is None:
        return _level(ends, turns, turns[1:] - turns[:-1], len(ranges))
    return _level(ends, turns, np.add.reduceat(weights, turns)[:-1], weights.sum())


def _sound(weights: Floats) -> bool:
    total = float(weights.sum())
    return SMALL < total < LARGE and weights[:-1].min() >= _FAINT * total


def _level(ends: Floats, turns: Integers, runs: npt.NDArray[Any], n: float) -> Fit:
    """Fit the share up to each cut.

    Parameters
    ----------
    ends : array
        −∞, the cuts, ∞.
    turns : array of int, shape (2 k + 1,)
        How many cuts come before each run of ranges on one side of theirs, first one of ranges
        below.
    runs : array, shape (2 k,)
        How many ranges each holds; beyond the last all are below.
    n : float
        How many they all are.
    """
    below, people = runs[::2], runs[::2] + runs[1::2]
    share = below / people
    solved = isotonic_regression(share, weights=people)
    starts = solved.blocks[:-1]
    level, at = solved.x[starts], turns[::2][solved.blocks]
    upto = np.concatenate(([0.0], level, [1.0]))
    mass = upto[1:] - upto[:-1]
    if not mass[-1]:  # a share of one but for rounding
        level, starts, at, mass = level[:-1], starts[:-1], at[:-1], mass[:-1]
    return Fit(
        lower=ends[at],
        upper=ends[at + 1],
        mass=mass,
        gap=_excess((share - solved.x) * people, level, starts) / n,
        method="isotonic regression",
    )


def _packed(ranges: Ranges, above: Booleans) -> tuple[Floats, Booleans, None] | None:
    """Sort cuts without a sign and of equal weight, by whole numbers that hold cut and side.

    Returns
    -------
    ends : array, shape (n + 2,)
        −∞, the cuts, ∞.
    sides : array of bool, shape (n + 2,)
        Whether the range begins at its cut; ranges that end there come first at a tie. The outer
        two are those of a range below all cuts, and of one above.
    """
    n, weights = len(ranges), ranges.weights
    if not n or not weights[0] or np.count_nonzero(weights != weights[0]):
        return None
    ends, sides = np.empty(n + 2), np.empty(n + 2, dtype=np.bool_)
    ends[0], ends[-1], sides[0], sides[-1] = -np.inf, np.inf, True, False
    cuts = np.negative(ranges.upper, out=ends[1:-1])
    np.maximum(cuts, ranges.lower, out=cuts)
    if np.count_nonzero(np.signbit(cuts) == above):
        return None
    bits = cuts.view(np.uint64)  # of doubles without a sign these are in the same order
    bits <<= 1
    bits |= above
    bits.sort()
    sides[1:-1] = bits & 1
    bits >>= 1
    return ends, sides, None


def _sorted(ranges: Ranges, above: Booleans) -> tuple[Floats, Booleans, Floats]:
    """Sort cuts of any sign and weight; see `_packed`. One weight of zero is added behind."""
    seen = ranges.weights > 0
    rows = np.concatenate([np.flatnonzero(seen & ~above), np.flatnonzero(seen & above)])
    order, cuts = ordered(np.where(above, ranges.lower, ranges.upper)[rows])
    rows = rows[order]
    ends = np.concatenate([[-np.inf], cuts, [np.inf]])
    sides = np.concatenate([[True], above[rows], [False]])
    return ends, sides, np.append(ranges.weights[rows], 0.0)


def _excess(over: Floats, level: Floats, starts: Integers) -> float:
    """Give by how much the slope exceeds n at its highest.

    The slope is n at both ends of a block of equal levels and differs inside it by what the ranges
    that end there leave over; beyond the blocks, where the level is 0 or 1, it is below n.
    """
    left = np.zeros(len(over) + 1)
    over.cumsum(out=left[1:])
    fallen = left[starts] - np.minimum.reduceat(left[1:], starts)
    return max((fallen / (level * (1 - level))).tolist(), default=0.0)
