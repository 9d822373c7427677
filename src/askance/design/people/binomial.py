"""Binomial laws over their bulk, and the tests that they make possible."""

import math

import numpy as np
from scipy.special import bdtrik, betainc, gammaln, xlog1py, xlogy

from askance.typing import Floats

MOST_EXACT = 10_000
"""The most reports for which every count is gone through."""

_REACH = 9.0  # standard deviations
_SPARE = 40  # counts, where a standard deviation is short


def bulk(n: float, chance: float) -> Floats:
    """List the counts that Binomial(n, chance) takes but for less than 1e-15 of its chance.

    >>> bulk(3, 0.5).tolist(), len(bulk(10**6, 0.5))
    ([0.0, 1.0, 2.0, 3.0], 9081)
    """
    reach = _REACH * math.sqrt(n * chance * (1 - chance)) + _SPARE
    low, high = max(0, math.floor(n * chance - reach)), min(n, math.ceil(n * chance + reach))
    return np.arange(low, high + 1.0)


def mass(counts: Floats, n: Floats | float, chance: float) -> Floats:
    """Give the chance of each count under Binomial(n, chance); zero outside 0 … n.

    >>> mass(np.array([-1.0, 0, 1, 2]), 2, 0.5).round(12).tolist()
    [0.0, 0.25, 0.5, 0.25]
    """
    inside = (counts >= 0) & (counts <= n)
    at = np.where(inside, counts, 0.0)
    ways = gammaln(np.add(n, 1.0)) - gammaln(at + 1) - gammaln(n - at + 1)
    found: Floats = np.exp(ways + xlogy(at, chance) + xlog1py(n - at, -chance)) * inside
    return found


def upper_tail(least: Floats, n: Floats, chance: float) -> Floats:
    """Give the chance of at least so many.

    >>> upper_tail(np.array([0.0, 2, 3]), np.array([2.0, 2, 2]), 0.5).tolist()
    [1.0, 0.25, 0.0]
    """
    inside = (least >= 1) & (least <= n)
    first = np.where(inside, least, 1.0)
    tail: Floats = np.where(inside, betainc(first, n - first + 1, chance), 1.0 * (least < 1))
    return tail


def critical(n: Floats, chance: float, alpha: float) -> Floats:
    """Give the least count that is reached with chance at most alpha; n + 1 where there is none.

    >>> critical(np.array([4.0, 5.0]), 0.5, 0.05).tolist()  # 0.5⁴ > 0.05 ≥ 0.5⁵
    [5.0, 5.0]
    """
    guess = np.nan_to_num(np.ceil(bdtrik(1 - alpha, np.maximum(n, 1), chance))) + 1
    found: Floats = np.clip(guess, 0, n + 1)
    settled = False
    while not settled:
        up = (upper_tail(found, n, chance) > alpha) & (found <= n)
        down = (found >= 1) & (upper_tail(found - 1, n, chance) <= alpha)
        settled = not (up | down).any()
        found = found + up - (down & ~up)
    return found
