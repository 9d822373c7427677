"""Independent cuts with a promised coverage."""

import math
from functools import lru_cache
from typing import Any

from askance.arguments import checked, no_less
from askance.channels.continuous import continuous_law
from askance.channels.cut_law import MOST_CUTS, CutLaw, cut_count
from askance.channels.quantile_law import QuantileLaw
from askance.errors import InputError
from askance.exact.ratio import ratio
from askance.privacy.coverage import pair_mean

_WIDEST, _NARROWEST = 1e-9, 1e3  # shapes of the Beta law


@checked
def cuts_with_coverage(coverage: object, prior: Any, number: int = 1) -> CutLaw:
    r"""Find cuts at random quantiles of the answers whose coverage is the one promised.

    .. math:: U = F^{-1}(B),\quad B \sim \mathrm{Beta}(a, a);\qquad
              a = \frac{1 - \tau}{2\tau - 1}\ \text{for one cut}

    For several cuts the largest spread with this coverage is found numerically.

    Parameters
    ----------
    coverage : number
        τ, under the prior.
    prior : distribution or callable
        F, what is thought of the answers. If they are otherwise, so is the coverage: judge the cuts
        with `coverage` under other distributions too.
    number : int
        How many cuts are drawn.

    Raises
    ------
    InputError
        If no such cuts have this coverage; the message says which coverages they can have.

    References
    ----------
    Ding & Ding (2022), Theorem 1, made constructive; 1/2 is the infimum for one cut.

    >>> from scipy import stats
    >>> law = cuts_with_coverage("3/5", stats.norm(45, 15))
    >>> law.law.shape
    2.0
    >>> from askance.privacy.coverage import coverage
    >>> round(float(coverage(law, stats.norm(45, 15)).value), 12)
    0.6
    """
    law = continuous_law(prior, "cuts_with_coverage.prior")
    number = cut_count(number, "number")
    tau = ratio(coverage, "coverage")
    shape, least = _least(number)
    if not least < tau < 1:
        raise InputError(
            "coverage",
            got=str(coverage),
            allowed=f"a coverage strictly between {no_less(least)} and 1 "
            f"for {number} cut{'s' * (number > 1)}",
            remedy="a coverage of 1 tells nothing; for less, draw more cuts",
        )
    if number == 1:
        return CutLaw(QuantileLaw(law, float((1 - tau) / (2 * tau - 1))))
    return CutLaw(QuantileLaw(law, _shape(float(tau), number, shape)), number)


def _coverage(shape: float, number: int) -> float:
    from scipy.stats import uniform

    even = uniform()
    return pair_mean([CutLaw(QuantileLaw(even, shape), number)], even)[0]


@lru_cache(maxsize=MOST_CUTS)
def _least(number: int) -> tuple[float, float]:
    """Give the shape with the least coverage, and that coverage."""
    from scipy.optimize import minimize_scalar

    if number == 1:
        return math.inf, 0.5
    ends = (math.log(1e-3), math.log(_NARROWEST))
    found = minimize_scalar(
        lambda log: _coverage(math.exp(log), number), bounds=ends, method="bounded"
    )
    return math.exp(found.x), float(found.fun)


def _shape(tau: float, number: int, tightest: float) -> float:
    from scipy.optimize import brentq

    log = brentq(
        lambda log: _coverage(math.exp(log), number) - tau,
        math.log(_WIDEST),
        math.log(tightest),
        xtol=1e-13,
    )
    return math.exp(log)
