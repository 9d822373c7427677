"""The law of one cut that tells most about a mean."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from askance.arguments import checked
from askance.channels.continuous import continuous_law
from askance.channels.cut_law import CutLaw
from askance.design.cuts.panelled_law import PanelledLaw
from askance.design.cuts.steepness import Slope, steepness
from askance.design.cuts.tails import panelled, share_above
from askance.errors import InputError


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OptimalCuts:
    """The best law of one cut, and how precise it lets an estimate be.

    Attributes
    ----------
    cuts : CutLaw
    variance : float
        n times the limiting variance of the best estimate: no law of one cut has less.

    >>> from scipy import stats
    >>> even = stats.uniform()
    >>> OptimalCuts(cuts=CutLaw(even), variance=0.25).cuts.number
    1
    """

    cuts: CutLaw
    variance: float


@checked
def optimal_cuts(prior: Any, slope: Slope | None = None) -> OptimalCuts:
    r"""Find the law of one cut that tells most about the mean of φ(Y).

    .. math:: g(u) \propto |\varphi'(u)|\sqrt{F(u)(1 - F(u))},\qquad
              n\operatorname{Var} = \Bigl(\int|\varphi'|\sqrt{F(1 - F)}\,du\Bigr)^2

    Parameters
    ----------
    prior : distribution or callable
        F, of the answers; smooth between its ends. Without ``sf`` and ``isf``, which SciPy's have,
        the upper tail is followed to 2^-40 only.
    slope : callable, optional
        φ′, of an array of numbers; 1, for the mean itself, if left out.

    Raises
    ------
    NotIdentified
        If the integral is infinite: the tails are too heavy for the mean to be learnt at the rate
        1/√n by any law of one cut. A tail 1/y^α is refused from α = 2.2 down; 2 is the limit.
    InputError
        If the slope is 0 everywhere or somewhere no number.

    References
    ----------
    Ding & Ding (2022), Theorem 2; the bound has the square that its last line omits.

    >>> from scipy import stats
    >>> best = optimal_cuts(stats.logistic())
    >>> round(best.variance, 9)  # π²
    9.869604401
    >>> from askance.privacy.coverage import coverage
    >>> round(float(coverage(best.cuts, stats.logistic()).value), 9)
    0.75
    """
    law = continuous_law(prior, "optimal_cuts.prior")
    above, steep = share_above(law), steepness(slope)

    def height(u: Any) -> Any:
        return steep(u) * np.sqrt(np.asarray(law.cdf(u)) * above(u))

    edges, mass = panelled(law, height)
    whole = float(mass.sum())
    variance = whole * whole
    if not 0 < variance < np.inf:
        raise InputError(
            "optimal_cuts",
            got=f"an integral of {whole}",
            allowed="a number above 0 that can be squared",
            remedy="take another unit" if whole else "take a slope that is not 0 everywhere",
        )
    upto = np.concatenate([[0.0], np.cumsum(mass) / whole])
    found = PanelledLaw(lambda u: height(u) / whole, edges, upto)
    return OptimalCuts(cuts=CutLaw(found), variance=variance)
