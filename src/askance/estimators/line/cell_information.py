"""What ranges of any shape are expected to tell about shares: rings, parts left out, withheld."""

import numpy as np

from askance.channels.range_channel import AbstractRangeChannel, heard_of
from askance.typing import Booleans, Floats, Integers

_ROUNDING = 9  # decimals at which sums of marks are equal
_LEAST = 1e-9  # of the largest eigenvalue: a sum that reports do not tell


Law = tuple[Integers, Floats]
"""Ranges, shape (c, 2), and the chance of each that whoever is in it sends it."""


def atoms(channel: AbstractRangeChannel) -> Integers:
    """Give each step of the line a number, alike where no report tells them apart.

    Each range gets a mark of its own; steps inside the same ranges have equal sums of marks, and so
    does each step that is sent exactly, which no other has.

    >>> from askance.channels.ring_channel import RingChannel
    >>> from askance.exact.floor import Floor
    >>> from askance.exact.line import Line
    >>> atoms(RingChannel(Line(0, 5, 1), [1, 0, 1, 0], Floor([1] * 5, 1))).tolist()
    [0, 1, 1, 0, 0]
    """
    ends, _ = channel.cells()
    marks = 2 + np.sin(np.arange(1.0, len(ends) + 1) ** 2)
    sums = np.round(heard_of(channel.line.ticks, ends, marks), _ROUNDING)
    _, first, number = np.unique(sums, return_index=True, return_inverse=True)
    ranks = np.argsort(np.argsort(first))
    found: Integers = ranks[number].astype(np.int64)
    return found


def reach(number: Integers) -> tuple[Integers, Integers]:
    """Give for each step the first and the last step that it is not told apart from.

    >>> first, last = reach(np.array([0, 1, 1, 0]))
    >>> first.tolist(), last.tolist()
    ([0, 1, 1, 0], [3, 2, 2, 3])
    """
    first, last = np.full(number.max() + 1, len(number)), np.zeros(number.max() + 1, dtype=np.int64)
    np.minimum.at(first, number, np.arange(len(number)))
    np.maximum.at(last, number, np.arange(len(number)))
    return first[number], last[number]


def identified(channel: AbstractRangeChannel) -> bool:
    """Say whether the shares of all atoms can be learnt: only their sum is known beforehand.

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance.exact.line import Line
    >>> identified(RangeChannel(Line(0, 4, 1), [1, 0, 1]))
    True
    """
    _, one, steps = np.unique(atoms(channel), return_index=True, return_counts=True)
    if len(one) < 2:
        return False
    even = np.full(channel.line.ticks, 1 / channel.line.ticks)
    found = _information(channel, 1.0, even, channel.cells())[np.ix_(one, one)] * np.sqrt(
        np.outer(steps, steps)
    )
    ascending = np.linalg.eigvalsh(found)
    return bool(ascending[1] > _LEAST * ascending[-1])


def shares_covariance(
    channel: AbstractRangeChannel,
    n: float,
    shares: Floats,
    sums: Floats,
    law: Law | None = None,
) -> Floats:
    """Give the variance of sums of shares of steps, from n reports that were sent.

    The information is n/P Σ_S g_S 1_S 1_Sᵀ / P(S) − n s sᵀ/P², over the ranges S that can be sent,
    each with the chance g_S given an answer in it; s = Σ_S g_S 1_S is the chance to be heard of and
    P = s · shares. Shares sum to one, so a sum c counts as c − c · shares.

    Parameters
    ----------
    channel : AbstractRangeChannel
    n : float
    shares : array, shape (ticks,)
        Positive.
    sums : array, shape (r, ticks)
        Which steps each sum takes, or with what weight: constant on `atoms`.
    law : (array of int, shape (c, 2), array, shape (c,)), optional
        The ranges and their chances, where these are not the channel's own.

    Returns
    -------
    array, shape (r,)
    """
    number = atoms(channel)
    _, one = np.unique(number, return_index=True)
    information = _information(channel, n, shares, channel.cells() if law is None else law)
    inverse = np.linalg.pinv(information[np.ix_(one, one)], rcond=_LEAST, hermitian=True)
    centred = (sums - (sums @ shares)[:, None])[:, one]
    variance: Floats = np.einsum("ri,ij,rj->r", centred, inverse, centred)
    return variance


def _information(channel: AbstractRangeChannel, n: float, shares: Floats, law: Law) -> Floats:
    accepted = np.zeros(channel.line.ticks, dtype=bool)
    for start, end in channel.open:
        accepted[start:end] = True
    heard = np.where(accepted, 1.0, heard_of(channel.line.ticks, *law))
    total, added = float(heard @ shares), _added(channel, shares, law, accepted)
    found: Floats = n / total * added - n / total**2 * np.outer(heard, heard)
    return found


def _added(channel: AbstractRangeChannel, shares: Floats, law: Law, accepted: Booleans) -> Floats:
    """Add up g_S 1_S 1_Sᵀ / P(S): each range is a square block, a ring's outside all but one."""
    ends, chances = law
    n, weight = channel.line.ticks, chances / channel.inside(ends, shares)
    cell = ~accepted[ends.min(axis=1)] | (np.abs(np.diff(ends, axis=1)[:, 0]) > 1)
    low, high = np.sort(ends, axis=1)[cell].T
    outside, weight = (ends[:, 0] > ends[:, 1])[cell], weight[cell]
    corners = np.zeros((n + 1) ** 2)
    for row, column, sign in ((low, low, 1), (low, high, -1), (high, low, -1), (high, high, 1)):
        corners += sign * np.bincount(row * (n + 1) + column, weight, (n + 1) ** 2)
    blocks = corners.reshape(n + 1, n + 1).cumsum(axis=0).cumsum(axis=1)[:n, :n]
    rings = heard_of(n, np.stack([low, high], axis=1)[outside], weight[outside])
    found: Floats = blocks + weight[outside].sum() - rings[:, None] - rings[None, :]
    found[accepted] = found[:, accepted] = 0
    found[accepted, accepted] = 1 / shares[accepted]
    return found
