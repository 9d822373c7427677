"""Shares that can be traded for one another, though every range keeps its chance.

The most likely chances of the ranges are one set of numbers, the masses may be many: where all
ranges that hold a place hold one of two others too, say. Ranges of one piece never leave a choice:
every place is the last of one of them and the first of one, so they tie all levels of F together.
"""

from typing import Any

import numpy as np

from askance.channels.confounded import directions
from askance.channels.ranges import Ranges
from askance.estimators.ranges.intersections import Intersections
from askance.typing import Floats

_TIGHT = 1e-6
_NOTHING = 1e-9


def trades(ranges: Ranges, lower: Floats, upper: Floats) -> Floats:
    """Give all directions in which the masses of some places can move, shape (d, places).

    Parameters
    ----------
    ranges : Ranges
    lower, upper : array, shape (places,)
        Ascending; each in a range, or beside it.

    >>> rings = Ranges.unions([[(0, 1), (2, 3)], [(1, 2), (3, 4)]])
    >>> trades(rings, np.arange(4.0), np.arange(1.0, 5)).shape
    (2, 4)
    """
    k, rows = len(lower), ranges if ranges.weights.all() else ranges[ranges.weights > 0]
    first, past = np.searchsorted(lower, rows.lower), np.searchsorted(upper, rows.upper, "right")
    whole = np.append(rows.starts, rows.starts[-1] + 1)  # all masses sum to one
    free = directions(np.append(first, 0), np.append(np.maximum(first, past), k), whole, k + 1)
    moves = np.diff(free, axis=0).T
    return np.where(np.abs(moves) > _NOTHING, moves, 0.0)


def shared_out(ranges: Ranges, cells: Intersections, mass: Floats) -> tuple[Floats, Floats]:
    """Give a share to every place that may have one in some most likely distribution.

    Returns
    -------
    mass : array, shape (m,)
    moves : array, shape (d, places)
        The trades of the places that have mass now.
    """
    if ranges.plain:
        return mass, np.zeros((0, np.count_nonzero(mass)))
    runs = cells.runs
    near = np.flatnonzero((mass > 0) | (runs.pull(runs.chances(mass)) >= runs.n * (1 - _TIGHT)))
    moves, found = trades(ranges, cells.lower[near], cells.upper[near]), [mass[near]]
    for at in np.flatnonzero((mass[near] == 0) & np.any(moves, axis=0)):
        most, _ = furthest(mass[near], moves, np.eye(len(near))[at])
        found += [most] * bool(most[at] > _NOTHING)
    shares = np.zeros(len(mass))
    shares[near] = np.mean(found, axis=0)
    kept = np.flatnonzero(shares)
    if len(kept) < len(near):
        moves = trades(ranges, cells.lower[kept], cells.upper[kept]) if len(moves) else moves
    return shares, moves if len(moves) else np.zeros((0, len(kept)))


def furthest(mass: Floats, moves: Floats, value: Floats) -> tuple[Floats, Floats]:
    """Find the masses of the largest Σ mass · value that trades reach, and what bars more.

    Returns
    -------
    mass : array, shape (m,)
    spared : array, shape (m,)
        By how much less each place is worth than its chances are elsewhere: trades change Σ mass ·
        (value + spared) no more. 0 where mass is left.
    """
    from scipy.optimize import linprog

    unit = max(float(np.abs(value).max()), np.finfo(float).tiny)
    gain = moves @ (value / unit) if len(moves) else np.zeros(0)
    if not np.any(np.abs(gain) > _NOTHING):
        return mass, np.zeros(len(mass))
    found: Any = linprog(-gain, A_ub=-moves.T, b_ub=mass, bounds=(None, None))
    return (mass + found.x @ moves).clip(0), -unit * found.ineqlin.marginals


def extremes(mass: Floats, moves: Floats, low: Floats, high: Floats) -> tuple[float, float]:
    """Give the least Σ mass · low and the largest Σ mass · high that trades reach.

    >>> extremes(np.array([0.5, 0.5]), np.array([[1.0, -1.0]]), np.zeros(2), np.arange(2.0))
    (0.0, 1.0)
    """
    least = furthest(mass, moves, -low)[0] if np.isfinite(low).all() else mass
    most = furthest(mass, moves, high)[0] if np.isfinite(high).all() else mass
    return float(least @ low), float(most @ high)


def levels(mass: Floats, moves: Floats) -> Floats:
    """Give the least and the largest share before each place that trades reach, shape (2, m + 1).

    >>> levels(np.full(4, 0.25), np.array([[1.0, 0, -1, 0], [0, 1, 0, -1]])).tolist()
    [[0.0, 0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0, 1.0]]
    """
    upto, order = np.append(0.0, np.cumsum(mass)), np.arange(len(mass))
    told = np.minimum(np.tile(upto / max(upto[-1], _NOTHING), (2, 1)), 1.0)
    moved = np.cumsum(np.pad(moves.T, ((1, 0), (0, 0))), axis=0).round(9)
    for move in np.unique(moved, axis=0) if len(moves) else ():
        at = np.flatnonzero((moved == move).all(axis=1))
        before = (order < at[0]).astype(float)
        for row, sign in enumerate((-1, 1)):
            told[row, at] += before @ (furthest(mass, moves, sign * before)[0] - mass)
    bounded: Floats = told.clip(0, 1)
    return bounded
