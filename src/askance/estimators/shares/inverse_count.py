"""The mean of one over a binomial count, given that it is positive; and what is usually taken."""

import math

import numpy as np

from askance.arguments import checked
from askance.errors import InputError

_SUMMED = 100.0  # mean count up to which terms are few
_CLOSE = 1e-18  # of the sum: where the series is cut


@checked
def mean_inverse(n: int, share: float) -> float:
    """Give E[1/N | N > 0] for N ~ Binomial(n, share), the price of an uncertain sample size.

    Up to a mean count of 100 the sum over the probability mass function: 14 standard deviations and
    60 values either side of the mode, which leaves out less than e^−90 of the mass. Beyond, the
    factorial series of `inverse_series`, whose error is bounded.

    Parameters
    ----------
    n : int
        How many trials, at least one.
    share : float
        Chance of each, in (0, 1].

    Raises
    ------
    InputError
        If n is no whole number of at least one, or the share is outside its range.

    >>> mean_inverse(2, 0.7)  # (2 · 0.7 · 0.3 + 0.49 / 2) / 0.91
    0.730769230769...
    """
    refuse_trials("mean_inverse", n, share)
    if share == 1:
        return 1 / n
    return inverse_series(n, share)[0] if n * share > _SUMMED else inverse_sum(n, share)


def inverse_sum(n: int, share: float) -> float:
    """Sum 1/N over the bulk of the binomial law.

    >>> inverse_sum(1, 0.25)
    1.0
    """
    reach = 14 * math.sqrt(n * share * (1 - share)) + 60
    mode = (n + 1) * share
    count = np.arange(max(1, int(mode - reach)), min(n, int(mode + reach)) + 1, dtype=float)
    ratio = np.log((n - count[:-1]) / (count[:-1] + 1)) + math.log(share / (1 - share))
    log = np.concatenate([[0.0], np.cumsum(ratio)])
    mass = np.exp(log - log.max())
    return float((mass / count).sum() / mass.sum())


def inverse_series(n: int, share: float) -> tuple[float, float]:
    """Give Σ_i (i − 1)! / ((n + 1)…(n + i) share^i) (Stephan, 1945), and a bound on its error.

    After t terms 1/N is short by t!/(N (N + 1)…(N + t)), at most (t + 2) t!/((N + 1)…(N + t + 1))
    for N ≥ 1, whose mean is at most (t + 2) t!/((n + 1)…(n + t + 1) share^(t+1)). The series is cut
    where this is below 10^−18 of its first term. Taking N = 0 in adds less than P(N = 0) (1 + t)
    and a lower tail of the shifted binomials; with a mean count above 100 both are below 10^−20.

    Returns
    -------
    value, bound : float

    >>> value, bound = inverse_series(10**9, 0.5)
    >>> value * 10**9, bound < 1e-25
    (2.000000002..., True)
    """
    value, term, size = 0.0, 1 / ((n + 1) * share), 1.0
    for at in range(1, 40):
        value += term
        term *= at / ((n + at + 1) * share)
        size = (at + 2) * term
        if size <= _CLOSE * value:
            break
    return value, size


@checked
def grab_savage(n: int, share: float) -> float:
    """Approximate E[1/N | N > 0] for N ~ Binomial(n, share) by 1/((n + 1) share − 1).

    For comparison only: `mean_inverse` is exact and what every variance here uses. With few reports
    the approximation can be infinite or negative. It approximates the conditional mean, so that it
    must not be divided by P(N > 0) again.

    Parameters
    ----------
    n, share : int, float
        As in `mean_inverse`, which refuses the same.

    References
    ----------
    Grab & Savage (1954), as used by Li, Zhou, Qin & Xu (2022) before Corollary 11.

    >>> round(grab_savage(100, 0.7) / mean_inverse(100, 0.7) - 1, 6)
    -6.3e-05
    """
    refuse_trials("grab_savage", n, share)
    below = (n + 1) * share - 1
    return 1 / below if below else float("inf")


def refuse_trials(where: str, n: int, share: float) -> None:
    """Refuse what is no number of trials or no chance.

    Raises
    ------
    InputError
        If n is below one or the share is not in (0, 1].

    >>> refuse_trials("mean_inverse", 3, 0.5)
    """
    if n < 1 or not 0 < share <= 1:
        raise InputError(where, got=(n, share), allowed="n in [1, ∞) and a share in (0, 1]")
