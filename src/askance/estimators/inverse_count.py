"""The mean of one over a binomial count, given that it is positive."""

import math

import numpy as np

from askance.errors import InputError

_WIDEST = 2_000_000


def mean_inverse(n: int, share: float) -> float:
    """Give E[1/N | N > 0] for N ~ Binomial(n, share), the price of an uncertain sample size.

    Summed over the probability mass function wherever its bulk holds at most two million values,
    as it always does for n ≤ 10^6: 14 standard deviations and 60 values either side of the mode,
    which leaves out less than e^−90 of the mass. Beyond that the mean count exceeds 10^9 and the
    factorial series Σ_i (i − 1)! / ((n + 1)…(n + i) share^i) (Stephan, 1945) is cut after four
    terms, with a relative error below 10^−25.

    Parameters
    ----------
    n : int
        How many trials, at least one.
    share : float
        Chance of each, in (0, 1].

    Raises
    ------
    InputError
        If n or the share is outside its range.

    >>> mean_inverse(2, 0.7)  # (2 · 0.7 · 0.3 + 0.49 / 2) / 0.91
    0.730769230769...
    """
    if n < 1 or not 0 < share <= 1:
        raise InputError(
            "mean_inverse", got=(n, share), allowed="n in [1, ∞) and a share in (0, 1]"
        )
    if share == 1:
        return 1 / n
    reach = 14 * math.sqrt(n * share * (1 - share)) + 60
    if 2 * reach > _WIDEST:
        terms, term = 0.0, 1.0
        for at in range(1, 5):
            term *= max(at - 1, 1) / ((n + at) * share)
            terms += term
        return terms
    mode = (n + 1) * share
    count = np.arange(max(1, int(mode - reach)), min(n, int(mode + reach)) + 1, dtype=float)
    ratio = np.log((n - count[:-1]) / (count[:-1] + 1)) + math.log(share / (1 - share))
    log = np.concatenate([[0.0], np.cumsum(ratio)])
    mass = np.exp(log - log.max())
    return float((mass / count).sum() / mass.sum())
