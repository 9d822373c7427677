"""Which shares the frequencies of ranges leave open, however many ranges there are."""

import numpy as np

from askance.channels.ranges import Ranges
from askance.typing import Floats, Integers

_NOTHING = 1e-10  # of a squared length: what rounding leaves of a direction that changes nothing


def confounded(
    sent: Ranges, whole: tuple[float, float] | None = None
) -> tuple[tuple[float, float], ...]:
    """Give the pieces whose shares can be traded for one another without any range noticing.

    Frequencies give the chance of every range, up to one factor: how many are heard of. Written in
    the levels F(t) at the ends t of the ranges, a chance is a sum of differences. A piece between
    two neighbouring ends is confounded if the levels can move so that its difference changes and
    no chance does. If the highest level can move, so can the factor, and every piece is confounded.

    Parameters
    ----------
    sent : Ranges
        Every distinct range that can be reported; weights are not used. What none of them holds is
        left out: the shares are those of people who can be heard of.
    whole : (float, float), optional
        Where all numbers lie, if it is known too how many were asked. Then chances are known
        themselves, not up to a factor, and the shares are those of all.

    Returns
    -------
    tuple of (float, float)
        Pieces ``(lower, upper]``, ascending.

    References
    ----------
    Ding & Ding (2022), Theorem 7, for cells of cuts, where nothing is confounded.

    >>> confounded(Ranges([0, 1, 0, 2, 0], [1, 3, 2, 3, 3]))
    ()
    >>> confounded(Ranges([0, 1], [2, 3]))  # the ends can both gain what the middle loses
    ((0.0, 1.0), (1.0, 2.0), (2.0, 3.0))
    >>> ring = Ranges.unions([[(1, 2)], [(0, 1), (2, 4)], [(2, 3)], [(0, 2), (3, 4)]])
    >>> confounded(ring)  # the two tails are always told together
    ((0.0, 1.0), (3.0, 4.0))
    >>> confounded(Ranges([0, 1], [2, 3]), (0, 3))  # of 10 asked 3 were below 2, 6 above 1
    ()
    """
    if whole is not None:
        return _of_all(sent, *whole)
    ends = np.unique(np.concatenate([sent.lower, sent.upper]))
    low, high = np.searchsorted(ends, sent.lower), np.searchsorted(ends, sent.upper)
    k = len(ends)
    held = np.cumsum(np.bincount(low, minlength=k) - np.bincount(high, minlength=k))[:-1] > 0
    unseen = np.flatnonzero(~held)
    starts = np.append(sent.starts, sent.starts[-1] + 1 + np.arange(len(unseen)))
    free = directions(np.append(low, unseen), np.append(high, unseen + 1), starts, k)
    moves = np.abs(np.diff(free, axis=0)).max(axis=1, initial=0.0)
    if np.abs(free[-1]).max(initial=0.0) > np.sqrt(_NOTHING):
        moves = np.ones(len(held))
    at = np.flatnonzero(held & (moves > np.sqrt(_NOTHING)))
    return tuple(zip(ends[at].tolist(), ends[at + 1].tolist(), strict=True))


def _of_all(sent: Ranges, first: float, last: float) -> tuple[tuple[float, float], ...]:
    """Look at levels from 0 to 1, both known."""
    lower, upper = np.clip(sent.lower, first, last), np.clip(sent.upper, first, last)
    ends = np.unique(np.concatenate([lower, upper, [first, last]]))
    low, high = np.searchsorted(ends, lower), np.searchsorted(ends, upper)
    k = len(ends)
    starts = np.append(sent.starts, sent.starts[-1] + 1)
    free = directions(np.append(low, 0), np.append(high, k - 1), starts, k)
    moves = np.abs(np.diff(free, axis=0)).max(axis=1, initial=0.0)
    at = np.flatnonzero(moves > np.sqrt(_NOTHING))
    return tuple(zip(ends[at].tolist(), ends[at + 1].tolist(), strict=True))


def directions(low: Integers, high: Integers, starts: Integers, k: int) -> Floats:
    """Find how k levels, but the lowest, can move without changing the chance of any range.

    Two levels that a range of one piece joins move together. What is left is linear algebra on a
    level for each such part.

    Parameters
    ----------
    low, high : array of int
        The levels at the ends of each piece.
    starts : array of int, shape (r + 1,)
        The first piece of each of r ranges, and how many pieces there are.
    k : int

    Returns
    -------
    array, shape (k, d)
        A basis of all moves, in columns.

    >>> told = np.array([0, 1]), np.array([2, 3]), np.array([0, 1, 2])  # (0, 2] and (1, 3]
    >>> np.abs(directions(*told, 4)).round(6).ravel().tolist()  # the second and fourth together
    [0.0, 1.0, 0.0, 1.0]
    """
    from scipy.linalg import eigh
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    pieces = np.diff(starts)
    alone = np.repeat(pieces == 1, pieces)
    joined = (low[alone], high[alone])
    if np.bincount(joined[1], minlength=k)[1:].all():  # each level hangs on a lower one
        return np.zeros((k, 0))
    graph = csr_array((np.ones(len(joined[0])), joined), shape=(k, k))
    parts, part = connected_components(graph, directed=False)
    if parts == 1:
        return np.zeros((k, 0))
    row = np.tile(np.repeat(np.arange(len(pieces)), pieces)[~alone], 2)
    column = np.concatenate([part[high[~alone]], part[low[~alone]]])
    sign = np.repeat([1.0, -1.0], len(row) // 2)
    told = csr_array((sign, (row, column)), shape=(len(pieces), parts))
    ground = np.eye(parts)[part[:1]]  # the lowest level stays where it is
    values, vectors = eigh((told.T @ told).toarray() + len(pieces) * ground.T @ ground)
    free: Floats = vectors[:, values < _NOTHING * len(pieces)][part]
    return free
