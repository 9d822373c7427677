"""How far a share lies from what was told, whether few people tell of it or many."""

import math

from scipy.special import betainc, ndtri

_LEAST = 1e-300  # a chance whose deviate is a number still
_CLOSE = 1e-10  # of that part
_NEAR = 1e-9  # the estimate and θ are one


def squared_deviate(fall: float, pull: float, share: float) -> float:
    r"""Give the square of the normal deviate that is as rare as what was told.

    Twice the fall of the log-likelihood has a known law where many tell of a share, not where few
    do. So it is read as what m people told plainly, each whether the number is up to the point: for
    one part p of them that says so, and one m, the fall from p to the share θ and the slope there
    are the same. (One cut a person, on a coarse grid: they are those who were asked there.) How
    rare at most pm of m are, pm itself counted half (Lancaster, 1961), tells the normal deviate.

    Parameters
    ----------
    fall : float
        Of the log-likelihood, from its top to θ; 0 is no deviate.
    pull : float
        m(θ − p) = −θ(1 − θ) dl/dθ, positive.
    share : float
        θ, above the estimate.

    >>> squared_deviate(10 * math.log(2), 5, 0.5)  # none of ten is up to the median: chance 1/2048
    10.8...
    >>> round(squared_deviate(2, 1000, 0.5), 3)  # two standard errors, of a million people
    4.0
    """
    if fall <= 0:
        return 0.0
    part = _part(min(fall / pull, -math.log1p(-share) / share), share)
    if part == 0:
        rare = math.exp(-fall) / 2
    else:
        people = pull / (share - part)
        said = people * part
        upto = betainc(people - said, said + 1, 1 - share)
        rare = float(upto + betainc(people - said + 1, said, 1 - share)) / 2
    return float(ndtri(min(max(rare, _LEAST), 0.5)) ** 2)


def _part(ratio: float, share: float) -> float:
    """Solve KL(p ‖ θ)/(θ − p) = ratio for p in [0, θ)."""
    from scipy.optimize import brentq

    def excess(part: float) -> float:
        off = part - share
        fall = (1 - part) * math.log1p(-off / (1 - share))
        fall += part * math.log1p(off / share) if part else 0.0
        return fall / -off - ratio

    nearest = share * (1 - _NEAR)
    if excess(0.0) <= 0:
        return 0.0
    return (
        float(brentq(excess, 0.0, nearest, xtol=1e-15, rtol=_CLOSE))
        if excess(nearest) < 0
        else nearest
    )
