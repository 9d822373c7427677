"""Shares that can be traded for one another, though every range keeps its chance.

The most likely chances of the ranges are one set of numbers, the masses may be many: where all
ranges that hold a place hold one of two others too, say. Ranges of one piece never leave a choice:
every place is the last of one of them and the first of one, so they tie all levels of F together.
"""

from typing import Any

import numpy as np

from askance.channels.identification import directions
from askance.estimators.ranges.runs import Alike, Runs, collapsed, ranks
from askance.typing import Floats, Integers

_TIGHT = 1e-6
_NOTHING = 1e-9
_NEAR, _CENTRED, _MOST_TURNS = 0.25, 1e-10, 100  # full steps within a quarter of the centre


def trades(runs: Runs, support: Integers) -> Floats:
    """Give all directions in which the masses of a support can move, shape (d, places).

    >>> from askance.channels.ranges import Ranges
    >>> from askance.estimators.ranges.intersections import intersections
    >>> rings = Ranges.unions([[(0, 1), (2, 3)], [(1, 2), (3, 4)]])
    >>> trades(intersections(rings).runs, np.arange(4)).shape
    (2, 4)
    """
    tied = _tied(runs, support)
    parts = int(tied.max()) + 1
    if parts == 1:
        return np.zeros((0, len(support)))
    levels = tied[ranks(runs.m, support)]
    rows = [
        _pieces(collapsed(part, parts - 1, [levels] * len(part.ends)), 0)
        for part in runs.parts
        if not _single(part)
    ]
    low, high = np.concatenate([row.reshape(2, -1) for row in rows], axis=1)
    count = np.concatenate([np.full(row.shape[1], row.shape[2]) for row in rows])
    free = directions(low, high, np.cumsum(np.append(0, count)), parts)[tied]
    moves = np.diff(free, axis=0).T
    return np.where(np.abs(moves) > _NOTHING, moves, 0.0)


def _tied(runs: Runs, support: Integers) -> Integers:
    """Give one number to all levels that ranges of one piece tie together.

    The whole is such a range, since all masses sum to one; so is a place that was observed exactly.
    The lowest level and the highest are number 0.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    s, rank = len(support), ranks(runs.m, support)
    ends = [np.array([[0], [s]]), np.stack([rank[runs.points], rank[runs.points + 1]])]
    ends += [
        _pieces(collapsed(part, s, [rank] * len(part.ends)), s)[..., 0]
        for part in filter(_single, runs.parts)
    ]
    low, high = np.concatenate(ends, axis=1)
    graph = csr_array((np.ones(len(low)), (low, high)), shape=(s + 1, s + 1))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)


def _single(part: Alike) -> bool:
    return len(part.ends) + part.reach <= 2


def _pieces(part: Alike, last: int) -> Integers:
    """Give the levels at both ends of each piece, shape (2, rows, pieces)."""
    before = (len(part.ends) + part.reach) % 2
    ends = np.pad(np.stack(part.ends), ((before, part.reach), (0, 0)))
    if part.reach:
        ends[-1] = last
    return np.stack([ends[::2].T, ends[1::2].T])


def shared_out(runs: Runs, mass: Floats) -> tuple[Floats, Floats]:
    """Give a share to every place that may have one in some most likely distribution.

    Of all such divisions it is the analytic centre, whichever was found.

    Returns
    -------
    mass : array, shape (m,)
    moves : array, shape (d, places)
        The trades of the places that have mass now.
    """
    none = np.zeros((0, np.count_nonzero(mass)))
    if all(map(_single, runs.parts)):
        return mass, none
    near = np.flatnonzero((mass > 0) | (runs.pull(runs.chances(mass)) >= runs.n * (1 - _TIGHT)))
    moves, found = trades(runs, near), [mass[near]]
    if not len(moves):
        return mass, none
    for at in np.flatnonzero((mass[near] == 0) & np.any(moves, axis=0)):
        most, _ = furthest(mass[near], moves, np.eye(len(near))[at])
        found += [most] * bool(most[at] > _NOTHING)
    shares = np.zeros(len(mass))
    shares[near] = np.mean(found, axis=0)
    kept = np.flatnonzero(shares)
    if len(kept) < len(near):
        moves = trades(runs, kept)
    shares[kept] = centred(shares[kept], moves)
    return shares, moves if len(moves) else np.zeros((0, len(kept)))


def centred(mass: Floats, moves: Floats) -> Floats:
    """Divide positive masses as the trades allow with the largest product: their analytic centre.

    There is one, wherever the division began: no rounding on the way there decides what is shown.

    >>> centred(np.array([0.1, 0.5, 0.4]), np.array([[1.0, -1.0, 0.0]])).round(9).tolist()
    [0.3, 0.3, 0.4]
    """
    for _ in range(_MOST_TURNS if len(moves) else 0):
        slopes = moves / mass
        gain = slopes.sum(axis=1)
        step = np.linalg.lstsq(slopes @ slopes.T, gain)[0]
        far = np.sqrt(max(float(gain @ step), 0.0))
        mass = mass + step @ moves / (1 + far * (far > _NEAR))
        if far < _CENTRED:
            break
    return mass


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
