"""Exact limits of binomial chances, for counts of any size."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from askance.results import doubles
from askance.typing import Floats, Integers

_CLOSE = 1e-9  # of the tail
_LEAST = -740.0  # the logarithm of the least double
_HALVES = 64


def clopper_pearson(
    counts: npt.NDArray[Any], trials: npt.ArrayLike, tail: float
) -> tuple[Floats, ...]:
    """Clopper & Pearson's (1934) interval of a binomial chance; counts need not be whole.

    SciPy's inverse of the incomplete beta function is off by factors for rare answers of many
    reports; it is kept where it inverts, and what it misses is bisected.

    >>> low, high = clopper_pearson(np.array([0.0, 1000.0]), 10**9, 0.0125)
    >>> low.tolist(), high.tolist()
    ([0.0, 9.304...e-07], [4.382...e-09, 1.07...e-06])
    """
    from scipy.special import betainc, betaincc, betainccinv, betaincinv

    n = np.broadcast_to(doubles(trials, "trials"), counts.shape)
    successes, failures = np.maximum(counts, 1e-300), np.maximum(n - counts, 1e-300)
    low = _solve_limits(
        lambda chance, rows: betainc(successes[rows], n[rows] - counts[rows] + 1, chance) - tail,
        betaincinv(successes, n - counts + 1, tail),
        tail,
    )
    high = _solve_limits(
        lambda chance, rows: tail - betaincc(counts[rows] + 1, failures[rows], chance),
        betainccinv(counts + 1, failures, tail),
        tail,
    )
    return np.where(counts > 0, low, 0.0), np.where(counts < n, high, 1.0)


def _solve_limits(excess: Callable[[Floats, Integers], Any], guess: Any, tail: float) -> Floats:
    """Find the root of each increasing function; keep guesses that are already accurate."""
    limits: Floats = np.where(np.isfinite(guess), guess, 0.5).astype(np.float64)
    off = np.flatnonzero(~(np.abs(excess(limits, np.arange(len(limits)))) <= _CLOSE * tail))
    low, high = np.full(len(off), _LEAST), np.zeros(len(off))  # logarithms of chances
    for _ in range(_HALVES if len(off) else 0):
        middle = (low + high) / 2
        above = excess(np.exp(middle), off) > 0
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    limits[off] = np.exp((low + high) / 2)
    return limits
