"""What reported ranges are expected to tell: about shares, about F, and where people stop."""

import numpy as np

from askance.channels.range_channel import (
    AbstractRangeChannel,
    RangeChannel,
    heard_of,
    narrowed_chances,
    within,
)
from askance.errors import InputError
from askance.inference.intervals.local_rise import two_curves
from askance.inference.ranges.distribution import Distribution
from askance.typing import Booleans, Floats, Integers

_ROUNDING = 9  # decimals at which sums of marks are equal
_LEAST = 1e-9  # of the largest eigenvalue: a sum that reports do not tell


Law = tuple[Integers, Floats]
"""Ranges, shape (c, 2), and the chance of each that whoever is in it sends it."""


def atoms(channel: AbstractRangeChannel) -> Integers:
    """Each step of the line a number, alike where no report tells them apart.

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
    """For each step the first and the last step that it is not told apart from.

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
    """The variance of sums of shares of steps, from n reports that were sent.

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


def se_and_worth(channel: RangeChannel, fit: Distribution, numbers: Floats) -> tuple[float, Floats]:
    """The standard error of the mean's bounds, and what the reports are worth at each tick.

    A most likely distribution sits on few intervals, so the information is taken twice: with its
    masses where they are, and spread evenly up to half the way to their neighbours. The first
    flatters a smooth distribution, the second one with a gap; the larger error and the smaller
    worth count. One answer spread over the whole line is added, so that no cell is thought
    impossible.

    Returns
    -------
    se : float
    worth : array, shape (c,)
        At each tick that can be cut, how many direct observations of F would vary as little.
    """
    found = [_expected(channel, fit.n, cdf, numbers) for cdf in two_curves(fit, numbers)]
    variance, worth = zip(*found, strict=True)
    return float(np.sqrt(max(variance))), np.minimum(*worth)


def _expected(
    channel: RangeChannel, n: float, cdf: Floats, numbers: Floats
) -> tuple[float, Floats]:
    covariance = cdf_covariance(channel, n, cdf)
    shift, inner = mean_coefficients(channel, numbers), cdf[channel.cut_ticks()]
    variance = np.einsum("ij,jk,ik->i", shift, covariance, shift).max()
    return float(variance), inner * (1 - inner) / np.diag(covariance)


def cdf_covariance(channel: RangeChannel, n: float, cdf: Floats) -> Floats:
    """Invert the expected information on F at the ticks that can be cut.

    n Σ_S g_S (e_high − e_low)(e_high − e_low)ᵀ / F(S), over cells S with chance g_S of being one:
    the Laplacian of a graph whose nodes are the ticks, grounded at the ends of the line. For one
    cut it is diagonal, and the variance at a tick is F(1 − F)/(n g).

    Parameters
    ----------
    channel : RangeChannel
    n : float
        Reports.
    cdf : array, shape (t + 1,)
        F at all ticks, strictly increasing.

    Returns
    -------
    array, shape (c, c)

    >>> from askance.exact.line import Line
    >>> channel = RangeChannel(Line(0, 3, 1), [1, 3])
    >>> found = cdf_covariance(channel, 100, np.array([0, 0.2, 0.5, 1]))
    >>> found.round(9).tolist()  # 0.2 · 0.8 / 25 and 0.5 · 0.5 / 75
    [[0.0064, 0.0], [0.0, 0.003333333]]
    """
    cuts, ticks = channel.cut_ticks(), channel.line.ticks
    cells, chances = channel.cells()
    weight = n * chances / (cdf[cells[:, 1]] - cdf[cells[:, 0]])
    node = np.full(ticks + 1, -1)
    node[cuts] = np.arange(len(cuts))
    low, high = node[cells[:, 0]], node[cells[:, 1]]
    size = len(cuts)
    own = np.bincount(low + 1, weight, size + 1) + np.bincount(high + 1, weight, size + 1)
    both = (low >= 0) & (high >= 0)
    shared = np.bincount(low[both] * size + high[both], weight[both], size**2)
    information = -shared.reshape(size, size).astype(float)
    information += information.T + np.diag(own[1:])
    covariance: Floats = np.linalg.inv(information)
    return covariance


def mean_coefficients(channel: RangeChannel, numbers: Floats) -> Floats:
    """How the bounds of the mean fall with F at each tick that can be cut, shape (2, c).

    Summing by parts, E_low = x_last − Σ F(x_i)(x_i − x_{i−1}) and E_high alike one step later.

    >>> from askance.exact.line import Line
    >>> channel = RangeChannel(Line(0, 4, 1), [1, 0, 1])
    >>> mean_coefficients(channel, np.arange(5.0)).tolist()
    [[-1.0, -2.0], [-2.0, -1.0]]
    """
    ends = np.concatenate([[0], channel.cut_ticks(), [channel.line.ticks]])
    steps = np.diff(numbers[ends])
    return np.stack([-steps[:-1], -steps[1:]])


_ROUNDS = 200  # of EM, on no more shares than there are cuts


def stopped_law(
    channel: AbstractRangeChannel, ends: Integers, counts: Floats
) -> tuple[Integers, Floats]:
    """The chance of each range, if people take as many steps as these are likeliest to have.

    After j candidates a range has a chance that is the same from every answer in it. So what share
    of people stopped after each j follows from how narrow the ranges are, without their
    distribution: the most likely mixture, climbed to by EM.

    Parameters
    ----------
    channel : RangeChannel
        Of people who never stop; nothing is withheld.
    ends : array of int, shape (c, 2)
        The ranges that were sent, the whole line left out.
    counts : array, shape (c,)

    Returns
    -------
    ends : array of int, shape (d, 2)
    chances : array, shape (d,)
        Of those who took a step at all.

    Raises
    ------
    InputError
        If the channel is not one of cuts that come in turn.

    >>> from askance.exact.line import Line
    >>> two = RangeChannel(Line(0, 3, 1), [1, 1], 2)
    >>> one_step = np.array([[0, 1], [1, 3], [0, 2], [2, 3]]), np.full(4, 25.0)
    >>> ends, chances = stopped_law(two, *one_step)
    >>> {tuple(end): round(at, 1) for end, at in zip(ends.tolist(), chances.tolist())}
    {(0, 1): 0.5, (0, 2): 0.5, (1, 2): 0.0, (1, 3): 0.5, (2, 3): 0.5}
    """
    if not isinstance(channel, RangeChannel) or channel.withhold:
        raise InputError("stopped_law.channel", allowed="cuts that come in turn, none withheld")
    whole, cells = (0, channel.line.ticks), channel.cells()[0]
    cells = cells[~np.all(cells == whole, axis=1)]
    laws = [
        chance / (1 - chance[whole])
        for steps in range(1, channel.number + 1)
        for chance in [narrowed_chances(channel.weights, steps, channel.floor)]
    ]
    ranged = ~within(channel.open, ends)
    sent = np.array([law[tuple(ends[ranged].T)] for law in laws])
    weights = np.full(len(laws), 1 / len(laws))
    seen = counts[ranged] / max(counts[ranged].sum(), 1)
    for _ in range(_ROUNDS):
        mixed = weights @ sent
        weights = weights * (sent @ (seen / mixed)) if seen.any() else weights
    chances = sum(w * law[tuple(cells.T)] for w, law in zip(weights, laws, strict=True))
    return cells, np.where(within(channel.open, cells), 1.0, chances)
