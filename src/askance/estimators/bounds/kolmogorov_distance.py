"""The largest difference of two distributions that may be known only up to intervals."""

from typing import Any

import numpy as np

from askance.arguments import checked
from askance.estimators.bounds.sample import sampled
from askance.estimators.ranges.distribution import Distribution


@checked
def kolmogorov_bounds(fit: Distribution, other: Any) -> tuple[float, float]:
    r"""Bound the largest difference between two cumulative shares.

    .. math:: D = \sup_t |F(t) - G(t)|

    Parameters
    ----------
    fit : Distribution
        F, whose masses may lie anywhere inside their intervals.
    other : Distribution, array_like or scipy distribution
        G: another fit, a sample of exact numbers, or a frozen distribution of `scipy.stats`.

    Returns
    -------
    low, high : float
        The least and the largest D that the intervals allow; both are attained or approached, but
        the least may be larger where shares can be traded (`Distribution.trades`).

    Raises
    ------
    InputError
        If the sample is empty, or holds what is no finite number.

    References
    ----------
    Turnbull (1976) for the intervals. Both bounds follow from `Distribution.cdf_bounds` point by
    point: a curve raised or lowered to the other's bounds is still a distribution.

    >>> from askance.channels.ranges import Ranges
    >>> from askance.estimators.ranges.npmle import npmle
    >>> fit = npmle(Ranges([0, 2], [2, 4]))
    >>> kolmogorov_bounds(fit, [2, 4]), kolmogorov_bounds(fit, [1, 1])
    ((0.0, 0.5), (0.5, 1.0))
    """
    rival = other if hasattr(other, "cdf") else sampled(other, "kolmogorov_bounds.other")
    ends = [fit.lower, fit.upper]
    if isinstance(rival, Distribution):
        ends += [rival.lower, rival.upper]
    at = np.concatenate(ends)
    at = np.unique(np.concatenate([at, np.nextafter(at, -np.inf), np.nextafter(at, np.inf)]))
    low, high = fit.cdf_bounds(at)
    if isinstance(rival, Distribution):
        below, above = rival.cdf_bounds(at)
    else:
        with np.errstate(over="ignore"):
            below = above = np.asarray(rival.cdf(at), dtype=float)
    least = np.maximum(low - above, below - high).max()
    return max(float(least), 0.0), float(np.maximum(high - below, above - low).max())
