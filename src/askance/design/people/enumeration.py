"""Every way in which n reports can fall, and the best test among them."""

import math

import numpy as np
from scipy.special import gammaln, xlogy

from askance.typing import Floats

_MOST_WAYS = 20_000  # some two hundred reports of three kinds
_TIE = 1e-9  # log-likelihood ratios that are the same but for rounding


def enumerable(n: float, reports: int) -> bool:
    """Say whether there are few enough ways for n reports of so many kinds.

    >>> enumerable(150, 3), enumerable(500, 3)
    (True, False)
    """
    return math.comb(int(n) + reports - 1, reports - 1) <= _MOST_WAYS


def counts(n: int, reports: int) -> Floats:
    """List every way in which n reports can be of so many kinds, shape (ways, reports).

    >>> counts(2, 2).tolist()
    [[0.0, 2.0], [1.0, 1.0], [2.0, 0.0]]
    """
    ways = np.zeros((1, 0))
    for _ in range(reports - 1):
        left = (n - ways.sum(axis=1)).astype(int)
        nth = np.concatenate([np.arange(most + 1.0) for most in left])
        ways = np.column_stack([np.repeat(ways, left + 1, axis=0), nth])
    return np.column_stack([ways, n - ways.sum(axis=1)])


def likelihood_ratio_power(n: int, null: Floats, true: Floats, alpha: float) -> float:
    """Give the power of the most powerful test that errs at most alpha of the time.

    Neyman & Pearson's: reject where the likelihood ratio is largest, ties together.

    >>> likelihood_ratio_power(5, np.array([0.5, 0.5]), np.array([0.9, 0.1]), 0.05)  # 0.9⁵
    0.590490...
    """
    ways = counts(n, len(null))
    if not n:
        return 0.0
    arrangements = gammaln(n + 1) - gammaln(ways + 1).sum(axis=1)
    first, second = xlogy(ways, null).sum(axis=1), xlogy(ways, true).sum(axis=1)
    with np.errstate(invalid="ignore"):
        ratio = np.where(np.isinf(first), np.inf, second - first)
    order = np.argsort(-ratio)
    errs = np.cumsum(np.exp(arrangements + first)[order])
    finds = np.cumsum(np.exp(arrangements + second)[order])
    with np.errstate(invalid="ignore"):
        ends = np.append(np.abs(np.diff(ratio[order])) > _TIE, True)
    allowed = np.flatnonzero(ends & (errs <= alpha * (1 + 1e-12)))
    return float(finds[allowed[-1]]) if len(allowed) else 0.0
