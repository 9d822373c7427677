"""Ranges and noise side by side: parameters at which a mean comes out equally precise."""

import math
from typing import Any

import numpy as np

from askance.arguments import checked, no_less
from askance.channels.continuous import continuous_law
from askance.channels.readonly import doubles
from askance.design.cuts.tails import panelled, share_above
from askance.errors import InputError
from askance.exact.ratio import ratio

_ROUNDING = 1e-9  # chance beyond the support that is only rounding


@checked
def analogous_epsilon(coverage: object, prior: Any, support: tuple[float, float]) -> float:
    r"""Say which ε of Laplace noise lets a mean be estimated as precisely as cuts of a coverage.

    .. math:: \varepsilon = \sqrt6\,(b - a)\,\frac{1 - \tau}{D},\qquad D = \int F(1 - F)\,du

    One cut, even over an interval of width W ⊇ [a, b], has coverage 1 − 2D/W and the unbiased mean
    has variance σ² + W²/12; noise of scale (b − a)/ε has σ² + 2(b − a)²/ε². The two promises stay
    of different kinds: only what they cost is the same.

    Parameters
    ----------
    coverage : number
        τ.
    prior : distribution or callable
        F, of the answers.
    support : (float, float)
        a and b, between which all answers lie.

    Raises
    ------
    InputError
        If the prior reaches beyond the support, or the coverage needs cuts narrower than it.

    References
    ----------
    Ding & Ding (2022), Figure 14, for Proposition 1's mean at its best slope.

    >>> from scipy import stats
    >>> round(analogous_epsilon("2/3", stats.uniform(), (0, 1)), 6)  # √24
    4.898979
    """
    law = continuous_law(prior, "analogous_epsilon.prior")
    ends = doubles(support, "support")
    pair = ends.shape == (2,) and bool(np.isfinite(ends).all()) and ends[0] < ends[1]
    if not pair or law.cdf(ends[0]) > _ROUNDING or law.cdf(ends[1]) < 1 - _ROUNDING:
        raise InputError(
            "support",
            got=support,
            allowed="two finite numbers, ascending, that hold all answers of the prior",
        )
    low, high = float(ends[0]), float(ends[1])
    above = share_above(law)
    spread = float(panelled(law, lambda u: np.asarray(law.cdf(u)) * above(u))[1].sum())
    tau, least = float(ratio(coverage, "coverage")), 1 - 2 * spread / (high - low)
    if not least - _ROUNDING <= tau < 1:
        raise InputError(
            "coverage",
            got=str(coverage),
            allowed=f"a coverage in [{no_less(least)}, 1): what even cuts over the "
            "support or more have",
        )
    return math.sqrt(6) * (high - low) * (1 - tau) / spread
