"""What reported cells are expected to tell about the distribution at the ticks that can be cut."""

import numpy as np

from askance.channels.range_channel import RangeChannel
from askance.estimators.intervals.local_rise import two_curves
from askance.estimators.ranges.distribution import Distribution
from askance.typing import Floats


def se_and_worth(channel: RangeChannel, fit: Distribution, numbers: Floats) -> tuple[float, Floats]:
    """Give the standard error of the mean's bounds, and what the reports are worth at each tick.

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
    """Give how the bounds of the mean fall with F at each tick that can be cut, shape (2, c).

    Summing by parts, E_low = x_last − Σ F(x_i)(x_i − x_{i−1}) and E_high alike one step later.

    >>> from askance.exact.line import Line
    >>> channel = RangeChannel(Line(0, 4, 1), [1, 0, 1])
    >>> mean_coefficients(channel, np.arange(5.0)).tolist()
    [[-1.0, -2.0], [-2.0, -1.0]]
    """
    ends = np.concatenate([[0], channel.cut_ticks(), [channel.line.ticks]])
    steps = np.diff(numbers[ends])
    return np.stack([-steps[:-1], -steps[1:]])
