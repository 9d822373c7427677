"""The usual approximation to the mean of one over a binomial count, to compare with."""

from askance.estimators.shares.inverse_count import refuse_trials


def grab_savage(n: int, share: float) -> float:
    """Approximate E[1/N | N > 0] for N ~ Binomial(n, share) by 1/((n + 1) share − 1).

    For comparison only: `mean_inverse` is exact and what every variance here uses. With few reports
    the approximation can be infinite or negative. It approximates the conditional mean, so that it
    must not be divided by P(N > 0) again.

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

    References
    ----------
    Grab & Savage (1954), as used by Li, Zhou, Qin & Xu (2022) before Corollary 11.

    >>> from askance.estimators.shares.inverse_count import mean_inverse
    >>> round(grab_savage(100, 0.7) / mean_inverse(100, 0.7) - 1, 6)
    -6.3e-05
    """
    refuse_trials("grab_savage", n, share)
    below = (n + 1) * share - 1
    return 1 / below if below else float("inf")
