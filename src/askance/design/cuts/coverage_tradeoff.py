"""What coverage costs: how precise an estimate can be at each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from scipy.special import betaln

from askance.arguments import checked
from askance.channels.canvas import axes
from askance.channels.continuous import ContinuousLaw, continuous_law
from askance.channels.listing import Listing, listed, number
from askance.channels.readonly import doubles, json_of, keep_read_only, read_only
from askance.design.cuts.optimal_cuts import optimal_cuts
from askance.design.cuts.steepness import Slope, steepness
from askance.design.cuts.tails import panelled, share_above
from askance.errors import InputError, NotIdentified
from askance.privacy.coverage import coverage
from askance.typing import Floats, Json


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CoverageTradeoff:
    """Precision against coverage, for one cut at a random quantile of the answers.

    Attributes
    ----------
    coverage : array, shape (c,)
        τ, ascending.
    variance : array, shape (c,)
        n times the limiting variance of the best estimate; infinite where no estimate settles at
        the rate 1/√n.
    best : (float, float)
        Coverage and variance of the cuts that tell most, whatever their coverage.

    >>> curve = CoverageTradeoff(coverage=[0.7, 0.9], variance=[1, 4], best=(0.65, 0.9))
    >>> curve.se(100).tolist()
    [0.1, 0.2]
    """

    coverage: Floats
    variance: Floats
    best: tuple[float, float]

    def __post_init__(self) -> None:
        keep_read_only(self, "coverage variance")

    @checked
    def se(self, n: float) -> Floats:
        """Give the limiting standard error with n reports at each coverage.

        Raises
        ------
        InputError
            If n is not above 0.
        """
        if not 0 < n < np.inf:
            raise InputError("n", got=n, allowed="a number of reports in (0, ∞)")
        return read_only(np.sqrt(self.variance / n))

    @checked
    def plot(self, ax: Any = None, *, n: float = 1000) -> Any:
        """Draw the standard error with n reports against the coverage, and the best cuts.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        error = self.se(n)
        ax = axes(ax)
        known = np.isfinite(self.variance)
        best = (self.best[0], float(np.sqrt(self.best[1] / n)))
        drawn = np.vstack([np.column_stack([self.coverage, error])[known], best])
        ax.plot(*drawn[np.argsort(drawn[:, 0])].T, linewidth=1.5)
        ax.plot(*best, "o", color="black")
        ax.annotate("tells most", best, (6, -12), textcoords="offset points")
        ax.set(xlabel="coverage τ", ylabel=f"standard error, {n:,.0f} reports")
        ax.set_ylim(bottom=0)
        return ax

    def to_dict(self) -> Json:
        """Write the curve for JSON; None is a variance that is infinite."""
        return json_of(self)

    def _table(self) -> Listing:
        pairs = zip(self.coverage, self.variance, strict=True)
        rows = [[number(float(tau)), number(float(variance))] for tau, variance in pairs]
        note = (
            f"no cuts have less than {number(self.best[1])}; they have coverage {self.best[0]:.4g}"
        )
        return "precision at each coverage", ["coverage", "n × variance"], rows, [note]


@checked
def coverage_tradeoff(
    prior: Any,
    coverages: Sequence[float] = (0.52, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95),
    slope: Slope | None = None,
) -> CoverageTradeoff:
    r"""Say how precise the mean of φ(Y) can be at each coverage, with `cuts_with_coverage`.

    .. math:: n\operatorname{Var} = \int \frac{\varphi'^2 F (1 - F)}{g}\,du

    Parameters
    ----------
    prior : distribution
        F, of the answers; with a ``pdf``, as SciPy's have.
    coverages : sequence of float
        Each strictly between 1/2 and 1.
    slope : callable, optional
        φ′; 1, for the mean itself, if left out.

    Raises
    ------
    InputError
        If the prior has no density or a coverage is outside (1/2, 1).
    NotIdentified
        If no law of one cut lets the mean be learnt at the rate 1/√n.

    References
    ----------
    Ding & Ding (2022), Theorem 2 and section S1; the variance is the information bound of
    current status data, which the most likely distribution attains (Groeneboom & Wellner, 1992).

    >>> from scipy import stats
    >>> coverage_tradeoff(stats.uniform(), [0.55, 0.6, 0.625, 0.75])
    precision at each coverage
    coverage  n × variance
        0.55           inf
         0.6        0.1667
       0.625        0.1542
        0.75        0.2313
    no cuts have less than 0.1542; they have coverage 0.625
    """
    law = continuous_law(prior, "coverage_tradeoff.prior")
    asked = doubles(coverages, "coverages")
    if asked.ndim != 1 or not ((asked > 0.5) & (asked < 1)).all():
        raise InputError(
            "coverages", got=coverages, allowed="a list of numbers strictly in (1/2, 1)"
        )
    tau = np.sort(asked)
    density = getattr(law, "pdf", None)
    if density is None:
        raise InputError("coverage_tradeoff.prior", got="no density", allowed="a law with a pdf")
    best = optimal_cuts(law, slope)
    variance = [_variance(law, density, (1 - one) / (2 * one - 1), slope) for one in tau]
    optimum = (float(coverage(best.cuts, law).value), best.variance)
    return CoverageTradeoff(coverage=tau, variance=np.array(variance), best=optimum)


def _variance(
    law: ContinuousLaw, density: Callable[[Any], Any], shape: float, slope: Slope | None
) -> float:
    above, steep, scale = share_above(law), steepness(slope), np.exp(betaln(shape, shape))

    def height(u: Any) -> Any:
        share = np.asarray(law.cdf(u)) * above(u)
        with np.errstate(all="ignore"):
            found = steep(u) ** 2 * scale * share ** (2 - shape) / density(u)
        return np.where(np.isnan(found), np.inf, found)

    try:
        with np.errstate(over="ignore"):
            return float(panelled(law, height)[1].sum())
    except NotIdentified:
        return float("inf")
