"""Laws of random cuts: of a given coverage, of least variance, and the trade-off between both."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar, final
from warnings import catch_warnings, simplefilter

import numpy as np
import numpy.typing as npt
from scipy.special import betaln

from askance.channels.cut_law import MOST_CUTS, CutLaw, cut_count
from askance.channels.number_law import ContinuousLaw, QuantileLaw, continuous_law, narrowed
from askance.chart import Axis, Chart, MarkKind, Series, chart_frame, draw
from askance.inference.provenance import Computation
from askance.privacy.coverage import coverage, pair_mean
from askance.results import (
    Listing,
    doubles,
    json_of,
    keep_read_only,
    listed,
    number,
    read_only,
    result_frame,
    result_stream,
)
from askance.typing import Floats, Json
from askance_collect.arguments import checked, no_less
from askance_collect.errors import InputError, NotIdentified
from askance_collect.exact.ratio import read_ratio

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
    tau = read_ratio(coverage, "coverage")
    shape, least = _least_coverage(number)
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
def _least_coverage(number: int) -> tuple[float, float]:
    """The shape with the least coverage, and that coverage."""
    from scipy.optimize import minimize_scalar

    if number == 1:
        return math.inf, 0.5
    ends = (math.log(1e-3), math.log(_NARROWEST))
    optimum = minimize_scalar(
        lambda log: _coverage(math.exp(log), number), bounds=ends, method="bounded"
    )
    return math.exp(optimum.x), float(optimum.fun)


def _shape(tau: float, number: int, tightest: float) -> float:
    from scipy.optimize import brentq

    log = brentq(
        lambda log: _coverage(math.exp(log), number) - tau,
        math.log(_WIDEST),
        math.log(tightest),
        xtol=1e-13,
    )
    return math.exp(log)


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
    spread = float(integrate_panels(law, lambda u: np.asarray(law.cdf(u)) * above(u))[1].sum())
    tau, least = float(read_ratio(coverage, "coverage")), 1 - 2 * spread / (high - low)
    if not least - _ROUNDING <= tau < 1:
        raise InputError(
            "coverage",
            got=str(coverage),
            allowed=f"a coverage in [{no_less(least)}, 1): what even cuts over the "
            "support or more have",
        )
    return math.sqrt(6) * (high - low) * (1 - tau) / spread


Slope = Callable[[Any], Any]


def steepness(slope: Slope | None) -> Callable[[Floats], Floats]:
    """|φ′| of an array of numbers; 1, for the mean itself, if it is left out.

    Raises
    ------
    InputError
        If the slope is no function; from what is given, if it has no number for each number.

    >>> steepness(lambda u: -2 * u)(np.array([1.0, 3.0])).tolist()
    [2.0, 6.0]
    """
    if slope is None:
        return np.ones_like
    if not callable(slope):
        raise InputError("slope", got=slope, allowed="a function of an array of numbers")

    def steep(u: Floats) -> Floats:
        with np.errstate(all="ignore"):
            slopes = np.abs(doubles(slope(u), "slope"))
        if slopes.shape not in {(), u.shape}:
            raise InputError(
                "slope",
                got=f"{slopes.size} numbers for {u.size}",
                allowed="as many numbers, or a single one",
            )
        return slopes

    return steep


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

    computation: ClassVar[Computation] = Computation.OPTIMAL_CUTS
    cuts: CutLaw
    variance: float


@checked
def optimal_cuts(prior: Any, slope: Slope | None = None) -> OptimalCuts:
    r"""Find the law of one cut with the least variance of the estimated mean of φ(Y).

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
    height = _Height(law=law, slope=slope)
    edges, mass = integrate_panels(law, height)
    total = float(mass.sum())
    variance = total * total
    if not 0 < variance < np.inf:
        raise InputError(
            "optimal_cuts",
            got=f"an integral of {total}",
            allowed="a number above 0 that can be squared",
            remedy="take another unit" if total else "take a slope that is not 0 everywhere",
        )
    upto = np.concatenate([[0.0], np.cumsum(mass) / total])
    best_law = PanelledLaw(replace(height, total=total), edges, upto)
    return OptimalCuts(cuts=CutLaw(best_law), variance=variance)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Height:
    """|φ′| √(F(1 − F)) by its integral: a function that crosses processes."""

    law: ContinuousLaw
    slope: Slope | None
    total: float = 1.0

    def __call__(self, u: Any) -> Any:
        upto, above = np.asarray(self.law.cdf(u)), share_above(self.law)(u)
        return steepness(self.slope)(u) * np.sqrt(upto * above) / self.total


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

    @checked
    def se(self, n: float) -> Floats:
        """Limiting standard error with n reports at each coverage.

        Raises
        ------
        InputError
            If n is not above 0.
        """
        if not 0 < n < np.inf:
            raise InputError("n", got=n, allowed="a number of reports in (0, ∞)")
        return read_only(np.sqrt(self.variance / n))

    @checked
    def _chart(self, n: float = 1000) -> Chart:
        """Describe the standard error with n reports against the coverage, and the best cuts."""
        best = (self.best[0], float(np.sqrt(self.best[1] / n)))
        curve = np.column_stack([self.coverage, self.se(n)])[np.isfinite(self.variance)]
        points = np.vstack([curve, best])
        x, error = points[np.argsort(points[:, 0])].T
        label = f"standard error, {n:,.0f} reports"
        line = Series(mark=MarkKind.LINE, label="best cuts of each coverage", x=x, value=error)
        x, error = np.array(best).reshape(2, 1)
        dot = Series(mark=MarkKind.POINT, label="most precise", x=x, value=error, continues=True)
        return Chart(
            series=(line, dot),
            x=Axis(name="coverage", label="coverage τ"),
            y=Axis(name="standard error", label=label, limits=(0, math.inf)),
        )

    @checked
    def plot(self, ax: Any = None, *, label: str = "", color: Any = None, n: float = 1000) -> Any:
        """Draw the standard error with n reports against the coverage, and the best cuts.

        Parameters
        ----------
        ax, label, color
            As for every result.
        n : float
            Reports.

        Raises
        ------
        InputError
            If n is not positive.
        MissingExtra
            If matplotlib is not installed.
        """
        if not 0 < n < math.inf:
            raise InputError("plot.n", got=n, allowed="a positive number of reports")
        return draw(self._chart(n), ax, label=label, color=color)

    plot_data = chart_frame

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

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


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
    values = doubles(coverages, "coverages")
    if values.ndim != 1 or not ((values > 0.5) & (values < 1)).all():
        raise InputError(
            "coverages", got=coverages, allowed="a list of numbers strictly in (1/2, 1)"
        )
    tau = np.sort(values)
    density = getattr(law, "pdf", None)
    if density is None:
        raise InputError("coverage_tradeoff.prior", got="no density", allowed="a law with a pdf")
    best = optimal_cuts(law, slope)
    variance = [_variance(law, density, (1 - t) / (2 * t - 1), slope) for t in tau]
    optimum = (float(coverage(best.cuts, law).value), best.variance)
    return CoverageTradeoff(coverage=tau, variance=np.array(variance), best=optimum)


def _variance(
    law: ContinuousLaw, density: Callable[[Any], Any], shape: float, slope: Slope | None
) -> float:
    above, steep, scale = share_above(law), steepness(slope), np.exp(betaln(shape, shape))

    def height(u: Any) -> Any:
        share = np.asarray(law.cdf(u)) * above(u)
        with np.errstate(all="ignore"):
            integrand = steep(u) ** 2 * scale * share ** (2 - shape) / density(u)
        return np.where(np.isnan(integrand), np.inf, integrand)

    try:
        with np.errstate(over="ignore"):
            return float(integrate_panels(law, height)[1].sum())
    except NotIdentified:
        return float("inf")


_HALVES = 2.0 ** -np.arange(1, 1001)  # down to where doubles end
_ROUNDED = 40  # halves that 1 − p can still tell apart
_TRIFLE = 1e-17  # part of an integral that adding it no longer changes
_SMALL = 1e-4  # part of it before the last octave, so that one octave without weight ends no tail
_SETTLING = 0.97  # ratio of octaves from which a sum is taken to be infinite
_LAST = 20  # octaves that are asked for it
_PANELS_PER_OCTAVE = 4  # panels an octave

Function = Callable[[Any], Any]


def share_above(law: ContinuousLaw) -> Function:
    """The function that says how much lies above a number, as finely as the law knows it.

    >>> from scipy import stats
    >>> float(share_above(stats.norm())(20)) > 0
    True
    """
    return law.sf if hasattr(law, "sf") else lambda u: 1 - law.cdf(u)


def integrate_panels(law: ContinuousLaw, height: Function) -> tuple[Floats, Floats]:
    """Cut the line at the quantiles 2^-1, 2^-2, … of both tails and integrate between them.

    Octaves of a tail 1/y^α weigh in a constant ratio in the end. The integral is finite where that
    is below 1; it is refused from .97 up, where a thousand octaves do not show it.

    Returns
    -------
    edges : array, shape (c + 1,)
    mass : array, shape (c,)
        What a function that is nowhere negative has between them.

    Raises
    ------
    NotIdentified
        If the integral over a tail is infinite.
    InputError
        If the function is no number somewhere, or the law has no two quantiles to cut at.

    >>> from scipy import stats
    >>> edges, mass = integrate_panels(stats.norm(), lambda u: stats.norm.pdf(u))
    >>> round(float(mass.sum()), 12)
    1.0
    """
    with catch_warnings():
        simplefilter("ignore")  # quantiles that overflow are left out by _sound
        lower_quantiles = law.ppf(_HALVES)
        upper_quantiles = (
            law.isf(_HALVES) if hasattr(law, "isf") else law.ppf(1 - _HALVES[:_ROUNDED])
        )
    lower = _follow_tail(_keep_sound(lower_quantiles, law.cdf), height, -1)
    upper = _follow_tail(_keep_sound(upper_quantiles, share_above(law)), height, 1)
    edges = np.unique(np.concatenate([lower, upper]))
    if len(edges) < 2:
        raise InputError("prior", got="steps", allowed="a law that is smooth between its ends")
    return edges, integral(height, edges[:-1], edges[1:])


def _keep_sound(edges: Floats, beyond: Function) -> Floats:
    """Keep the quantiles up to where the law's own tail is lost to rounding."""
    sound = np.isclose(beyond(edges), _HALVES[: len(edges)], rtol=0.5, atol=0)
    return edges[: int(np.argmin(np.append(sound, False)))]


def _follow_tail(edges: Floats, height: Function, side: int) -> Floats:
    """Follow a tail until no weight is left."""
    edges = edges[: int(np.argmin(np.append(side * np.diff(edges) > 0, False))) + 1]
    mass = np.abs(integral(height, edges[:-1], edges[1:]))
    if np.isnan(mass).any():
        raise InputError("slope", got="no number", allowed="finite numbers")
    with np.errstate(over="ignore", invalid="ignore"):
        ratio = mass[1:] / np.maximum(mass[:-1], np.finfo(float).tiny)
        part = mass / np.maximum(np.cumsum(mass), np.finfo(float).tiny)
    light = np.flatnonzero((part[1:] < _TRIFLE) & (part[:-1] < _SMALL)) + 1
    heavy = not len(light) and ratio[-_LAST:].max(initial=0) > _SETTLING
    if heavy or not np.isfinite(mass).all():
        raise NotIdentified(
            "prior",
            got=f"{'an upper' if side > 0 else 'a lower'} tail too heavy",
            allowed="tails and a slope whose integral is finite",
            remedy="declare bounds, or learn quantiles instead",
        )
    edges = edges[: light[0] + 2] if len(light) else edges
    inner = (
        edges[:-1, None]
        + np.diff(edges)[:, None] * np.arange(_PANELS_PER_OCTAVE) / _PANELS_PER_OCTAVE
    )
    return np.append(inner.ravel(), edges[-1])


_NODES, _WEIGHT = np.polynomial.legendre.leggauss(24)


@final
@dataclass(frozen=True, slots=True, eq=False)
class PanelledLaw:
    """A distribution on ascending panels, smooth inside each.

    Attributes
    ----------
    density : callable
        Takes an array of numbers inside the panels.
    edges : array, shape (c + 1,)
        Ends of the panels, finite and ascending; what lies beyond is without weight.
    upto : array, shape (c + 1,)
        Cumulative chance at each edge.

    >>> law = PanelledLaw(lambda x: 2 * x, np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.25, 1.0]))
    >>> law.cdf([0.25, 0.5]).round(12).tolist(), law.ppf([0.5]).round(6).tolist()
    ([0.0625, 0.25], [0.707107])
    """

    density: Callable[[Floats], Floats] = field(repr=False)
    edges: Floats = field(repr=False)
    upto: Floats = field(repr=False)

    def __post_init__(self) -> None:
        keep_read_only(self, "edges upto")

    def pdf(self, x: npt.ArrayLike) -> Floats:
        """The density; 0 beyond the panels."""
        points = np.asarray(x, dtype=float)
        inside = (points >= self.edges[0]) & (points <= self.edges[-1])
        return np.where(inside, self.density(np.clip(points, *self.edges[[0, -1]])), 0.0)

    def cdf(self, x: npt.ArrayLike) -> Floats:
        """The chance of a number up to here."""
        points = np.clip(np.asarray(x, dtype=float), *self.edges[[0, -1]])
        panel = np.clip(
            np.searchsorted(self.edges, points, side="right") - 1, 0, len(self.upto) - 2
        )
        chances = self.upto[panel] + integral(self.density, self.edges[panel], points)
        upto: Floats = np.clip(chances, 0, 1)
        return upto

    def ppf(self, q: npt.ArrayLike) -> Floats:
        """The point that is not exceeded with this chance, by halving its panel."""
        share = np.asarray(q, dtype=float)
        panel = np.clip(np.searchsorted(self.upto, share, side="right") - 1, 0, len(self.upto) - 2)
        ends = self.edges[panel], self.edges[panel + 1]
        _, high = narrowed(lambda points: self.cdf(points) < share, *ends, 52)
        return np.where((share >= 0) & (share <= 1), high, np.nan)


def integral(f: Callable[[Any], Any], low: Floats, high: Floats) -> Floats:
    """Integrate a smooth function over each of several intervals by 24 Gauss nodes.

    >>> integral(lambda x: x**2, np.array([0.0]), np.array([3.0])).round(12).tolist()
    [9.0]
    """
    half = (high - low) / 2
    nodes = low[..., None] + half[..., None] * (1 + _NODES)
    areas: Floats = half * (f(nodes) @ _WEIGHT)
    return areas
