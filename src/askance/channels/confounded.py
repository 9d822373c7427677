"""Which shares the frequencies of ranges leave open, however many ranges there are."""

import numpy as np
import numpy.typing as npt

from askance.channels.ranges import Ranges
from askance.typing import Floats, Integers

_NOTHING = 1e-10


def confounded(sent: Ranges) -> tuple[tuple[float, float], ...]:
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
    """
    ends = np.unique(np.concatenate([sent.lower, sent.upper]))
    low, high = np.searchsorted(ends, sent.lower), np.searchsorted(ends, sent.upper)
    k = len(ends)
    held = np.cumsum(np.bincount(low, minlength=k) - np.bincount(high, minlength=k))[:-1] > 0
    free = _directions(sent, low, high, held)
    moves = np.abs(np.diff(free, axis=0, prepend=0.0)).max(axis=1, initial=0.0)
    if np.abs(free[-1]).max(initial=0.0) > np.sqrt(_NOTHING):
        moves = np.ones(len(held))
    at = np.flatnonzero(held & (moves > np.sqrt(_NOTHING)))
    return tuple(zip(ends[at].tolist(), ends[at + 1].tolist(), strict=True))


def _directions(sent: Ranges, low: Integers, high: Integers, held: npt.NDArray[np.bool_]) -> Floats:
    """Find how the levels above the lowest can move without changing the chance of any range."""
    from scipy.linalg import eigh
    from scipy.sparse import csr_array

    unseen = np.flatnonzero(~held)  # nobody there is heard of: both its levels are one
    row = np.repeat(np.arange(len(sent)), np.diff(sent.starts))
    row = np.concatenate([row, len(sent) + np.arange(len(unseen))])
    low, high = np.concatenate([low, unseen]), np.concatenate([high, unseen + 1])
    sign = np.repeat([1.0, -1.0], len(row))
    told = csr_array((sign, (np.tile(row, 2), np.concatenate([high, low]))))[:, 1:]
    values, vectors = eigh((told.T @ told).toarray())
    free: Floats = vectors[:, values < _NOTHING * float(values[-1])]
    return free
