"""Shares that are none below 0 and sum to one, made of unbiased ones, which need be neither.

Cut at 0, moved to the nearest point of the simplex, drawn towards equal shares, or the mean under a
Dirichlet prior.
"""

import math
from collections.abc import Callable

import numpy as np

from askance.typing import Floats, Integers

_FAR = 30.0  # standard deviations beyond which a series serves
_CLOSE = 1e-12  # of the sum of shares


def clipped(raw: Floats) -> Floats:
    """Cut shares at 0 and divide them by their sum; equal ones where none is above 0.

    Called Norm-Mul by Wang et al. (2020), section IV.

    >>> clipped(np.array([0.6, 0.6, -0.2])).tolist()
    [0.5, 0.5, 0.0]
    """
    positive: Floats = raw.clip(0)
    total = float(positive.sum())
    return positive / total if total > 0 else np.full(len(raw), 1 / len(raw))


def projected(raw: Floats) -> Floats:
    """The nearest shares on the simplex: all moved by one number, those below 0 cut.

    Called Norm-Sub by Wang et al. (2020), section IV; the projection is by Michelot (1986).

    >>> projected(np.array([0.7, 0.6, -0.3])).round(9).tolist()
    [0.55, 0.45, 0.0]
    """
    falling = -np.sort(-raw)
    thresholds = (np.cumsum(falling) - 1) / np.arange(1, len(raw) + 1)
    last = int(np.flatnonzero(falling > thresholds)[-1])
    shares = np.maximum(raw - thresholds[last], 0.0)
    nearest: Floats = shares / shares.sum()
    return nearest


def shrunk(raw: Floats, variance: Floats) -> Floats:
    r"""Shrink shares towards equal ones (empirical Bayes, James–Stein), onto the simplex.

    .. math:: \frac1k + \frac{A}{A + v_a} \Bigl(\hat\pi_a - \frac1k\Bigr), \qquad
              A = \max\Bigl(0, \frac{1}{k - 1} \sum_a \bigl[(\hat\pi_a - \tfrac1k)^2 - v_a\bigr]
              \Bigr)

    the posterior mean where shares are normal about 1/k with variance A, estimated by moments, and
    unbiased shares normal about them with variance v. Negative ones are then moved onto the
    simplex.

    References
    ----------
    Efron & Morris (1973), for estimated prior variances.

    >>> shrunk(np.array([0.4, 0.3, 0.2, 0.1]), np.full(4, 1.0)).tolist()  # all is noise
    [0.25, 0.25, 0.25, 0.25]
    >>> shrunk(np.array([0.7, 0.3]), np.full(2, 0.02)).round(9).tolist()  # A = .04
    [0.633333333, 0.366666667]
    """
    k = len(raw)
    deviations = raw - 1 / k
    prior = max(0.0, float((deviations**2 - variance).sum()) / (k - 1))
    return projected(1 / k + prior / (prior + variance) * deviations)


def posterior_mean(raw: Floats, variance: Floats, prior: float, times: Integers) -> Floats:
    r"""The posterior mean of shares under a Dirichlet prior, by the normal law of each.

    A Dirichlet law is that of independent Gamma numbers of a common rate, given their sum. With the
    sum held at one on average, by the rate T, each share has by itself the density

    .. math:: \propto \pi^{\alpha - 1} e^{-T \pi} e^{-(\pi - \hat\pi)^2 / 2v}

    whose mean is that of `truncated_mean`. Approximate in two ways: unbiased shares count as normal
    and, but for their sum, independent, and the sum is one on average. Of five answers to k-ary
    response by 800 people a twentieth of a standard error is lost, by 50 a ninth.

    Parameters
    ----------
    raw, variance : array, shape (k,)
        Unbiased shares, and what of their variance they do not share with each other.
    prior : float
        α in (0, 2].
    times : array of int, shape (k,)
        How many answers have each of these.

    >>> once = np.ones(3, dtype=int)
    >>> posterior_mean(np.array([0.5, 0.3, 0.2]), np.full(3, 1e-8), 1.0, once).round(6).tolist()
    [0.5, 0.3, 0.2]
    >>> posterior_mean(np.array([0.9, 0.3, -0.2]), np.full(3, 1e4), 1.0, once).round(3).tolist()
    [0.333, 0.333, 0.333]
    """
    spread = np.sqrt(variance)

    def means(rate: float) -> Floats:
        return spread * truncated_mean(raw / spread - rate * spread, prior)

    def excess(rate: float) -> float:
        return float(times @ means(rate)) - 1

    values = means(_solve_rate(excess, float(times.sum()) * prior))
    shares: Floats = values / (times @ values)
    return shares


def _solve_rate(excess: Callable[[float], float], start: float) -> float:
    """Find the rate at which the shares sum to one: the sum falls as it rises."""
    from scipy.optimize import brentq

    first = excess(0.0)
    if abs(first) <= _CLOSE:
        return 0.0
    end = math.copysign(start, first)
    while excess(end) * first > 0:
        end *= 2
    return float(brentq(excess, 0.0, end, xtol=1e-300, rtol=_CLOSE))


def truncated_mean(centre: Floats, power: float) -> Floats:
    r"""The mean of the law on (0, ∞) with density proportional to x^(α−1) exp(−(x − μ)²/2).

    .. math:: \alpha \, \frac{D_{-\alpha-1}(-\mu)}{D_{-\alpha}(-\mu)}

    by the integral of the parabolic cylinder function (DLMF 12.5.1). For α = 1 it is the mean of a
    normal number that is above 0, μ + φ(μ)/Φ(μ).

    Parameters
    ----------
    centre : array
        μ.
    power : float
        α in (0, 2].

    >>> truncated_mean(np.array([0.0, 8.0]), 1.0).round(9).tolist()  # √(2/π) is .797884561
    [0.797884561, 8.0]
    """
    from scipy.special import pbdv

    near = centre.clip(-_FAR, _FAR)
    mean = power * pbdv(-power - 1, -near)[0] / pbdv(-power, -near)[0]
    below = power / np.maximum(-centre, 1.0) * (1 - (power + 1) / np.maximum(centre**2, 1.0))
    above: Floats = centre + (power - 1) / np.maximum(centre, 1.0)
    return np.where(centre < -_FAR, below, np.where(centre > _FAR, above, mean))
