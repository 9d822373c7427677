"""Families of distributions fitted to ranges by maximum likelihood, and how well they fit."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np
from scipy.special import gammaincc

from askance.channels.ranges import Ranges, single_numbers
from askance.chart import CUMULATIVE, Axis, Chart, MarkKind, Series, chart_frame, draw_in_unit
from askance.inference.fit_result import Convergence, GoodnessOfFit, Untested
from askance.inference.maximisation import maximise
from askance.inference.provenance import Computation
from askance.inference.ranges.npmle import npmle
from askance.results import (
    Listing,
    counted,
    doubles,
    figure_rows,
    json_of,
    listed,
    normal_quantile,
    read_only,
    result_frame,
    result_stream,
)
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, NotIdentified, refuse_unknown


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FamilyFit:
    """Parameters of a scipy distribution, fitted to ranges.

    Attributes
    ----------
    family : scipy.stats continuous distribution
    names : tuple of str
        Its shapes, then ``loc`` and ``scale``.
    value : array, shape (k,)
    covariance : array, shape (k, k)
        Zero for parameters that were fixed.
    log_likelihood : float
    free : int
        How many parameters were estimated.
    n : float
        How many numbers were observed, counting weights.
    chi2 : (float, int)
        Neyman's smooth test: the statistic and its degrees of freedom; large if the family does not
        fit.
    convergence : Convergence

    >>> from scipy.stats import norm
    >>> from askance.channels.ranges import Ranges
    >>> from askance.inference.parametric import fit_family
    >>> counts = {(-np.inf, 8): 31, (8, 10): 40, (10, 12): 62, (12, np.inf): 67}
    >>> fit_family(Ranges.from_counts(counts), norm)
    norm, fitted to ranges
    parameter  value      se  95 % from     to
    loc        10.88  0.2133      10.46   11.3
    scale      2.744  0.2231       2.34  3.218
    200 ranges; log-likelihood -268.682; AIC 541.364
    goodness of fit: χ² 1.245 on 1, p 0.264
    the maximum of the likelihood, certified by its gap
    """

    computation: ClassVar[Computation] = Computation.PARAMETRIC_FAMILY
    family: Any
    names: tuple[str, ...]
    value: Floats
    covariance: Floats
    log_likelihood: float
    free: int
    n: float
    chi2: tuple[float, int]
    convergence: Convergence

    @property
    def se(self) -> Floats:
        """Standard error of each parameter; 0 where it was fixed."""
        return read_only(np.sqrt(np.clip(np.diag(self.covariance), 0, None)))

    @property
    def aic(self) -> float:
        """Akaike's criterion: twice the free parameters, less twice the log-likelihood."""
        return 2 * self.free - 2 * self.log_likelihood

    @property
    def p_value(self) -> float:
        """The p-value of the goodness-of-fit test; not a number if untestable."""
        statistic, df = self.chi2
        return float(gammaincc(df / 2, statistic / 2)) if df else float("nan")

    @property
    def law(self) -> Any:
        """The fitted distribution, frozen: ``law.cdf``, ``law.mean()`` and so on, as in scipy."""
        return self.family(*self.value)

    @checked
    def intervals(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """A normal interval for each parameter; the scale's on its logarithm."""
        z = normal_quantile(level)
        lower, upper = self.value - z * self.se, self.value + z * self.se
        factor = np.exp(z * self.se[-1] / self.value[-1])
        lower[-1], upper[-1] = self.value[-1] / factor, self.value[-1] * factor
        return read_only(lower), read_only(upper)

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Not tested: the law of the cuts is not given. `chi2` tests the family."""
        return GoodnessOfFit(untested=Untested.UNKNOWN_LAW)

    def to_dict(self) -> Json:
        """Write the fit for JSON."""
        names = "names value se covariance log_likelihood aic free n chi2 p_value"
        return json_of(self, names) | {"family": self.family.name} | self.convergence.to_dict()

    def _table(self) -> Listing:
        rows = figure_rows(self.names, self.value, self.se, *self.intervals())
        notes = [
            f"{counted(self.n, 'range')}; log-likelihood {self.log_likelihood:.6g}; "
            f"AIC {self.aic:.6g}",
            f"goodness of fit: χ² {self.chi2[0]:.4g} on {self.chi2[1]}, p {self.p_value:.3g}",
            self.convergence.value,
        ]
        head = ["parameter", "value", "se", "95 % from", "to"]
        return f"{self.family.name}, fitted to ranges", head, rows, notes

    def _chart(self) -> Chart:
        """Describe the fitted cumulative share."""
        low, high = self.law.ppf([0.001, 0.999])
        places = np.linspace(float(low), float(high), 400)
        line = Series(
            mark=MarkKind.LINE, label="fitted share", x=places, value=self.law.cdf(places)
        )
        return Chart(series=(line,), x=Axis(name="value"), y=CUMULATIVE)

    plot = draw_in_unit
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


_STEP = 1e-4  # of central differences: the fourth root of rounding


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FamilyLikelihood:
    """Parameters on a scale without bounds: shapes as they are, location in scales, log scale.

    Attributes
    ----------
    ranges : Ranges
    family : scipy.stats continuous distribution
    first : array
        Shapes, location and scale where the search begins; fixed ones stay there.
    free : tuple of int
        Which of them are sought.
    """

    ranges: Ranges
    family: Any
    first: Floats
    free: tuple[int, ...]

    @property
    def weights(self) -> Floats:
        """How often each range was observed."""
        return self.ranges.weights

    @property
    def origin(self) -> Floats:
        """Where the search begins."""
        start = self.first.copy()
        start[-2:] = 0.0
        return start[list(self.free)]

    def values(self, position: Floats) -> Floats:
        """Shapes, location and scale at a point of the search space."""
        move = self.first.copy()
        move[-2:] = 0.0
        move[list(self.free)] = position
        with np.errstate(over="ignore"):
            location = self.first[-2] + self.first[-1] * move[-2]
            return np.array([*move[:-2], location, self.first[-1] * np.exp(move[-1])])

    def stretch(self, position: Floats) -> Floats:
        """The derivative of all parameters by the place of the search."""
        slopes = np.ones(len(self.first))
        slopes[-2:] = self.first[-1], self.values(position)[-1]
        return np.diag(slopes)[:, list(self.free)]

    def log_likelihoods(self, position: Floats) -> Floats:
        """The log-likelihood log P(Y in R_i) for every range; −∞ where the parameters cannot be."""
        values = self.values(position)
        if not np.isfinite(values).all() or not np.all(self.family._argcheck(*values[:-2])):
            return np.full(len(self.ranges), -np.inf)
        return log_chance(self.ranges, self.law(position))

    def law(self, position: Floats) -> "_Law":
        """The distribution at a point of the search space."""
        return _Law(family=self.family, values=tuple(self.values(position).tolist()))

    def total(self, position: Floats) -> float:
        """The log-likelihood."""
        is_observed = self.weights > 0
        return float(self.weights[is_observed] @ self.log_likelihoods(position)[is_observed])

    def steps(self, position: Floats) -> Floats:
        """The moves of the central differences, one row a parameter."""
        return np.diag(_STEP * np.maximum(1.0, np.abs(position)))

    def scores(self, position: Floats) -> Floats:
        """The derivative of each range's log-likelihood, shape (n, p): central differences."""
        moves = self.steps(position)
        with np.errstate(invalid="ignore"):
            columns = [
                (self.log_likelihoods(position + move) - self.log_likelihoods(position - move))
                / (2 * move.sum())
                for move in moves
            ]
        slopes: Floats = np.nan_to_num(np.stack(columns, axis=1), posinf=0.0, neginf=0.0)
        return slopes

    def curvature(self, position: Floats) -> Floats:
        """The second derivative of the log-likelihood."""
        moves = self.steps(position)
        rows = [
            self.weights
            @ (self.scores(position + move) - self.scores(position - move))
            / (2 * move.sum())
            for move in moves
        ]
        matrix = np.stack(rows)
        return np.asarray((matrix + matrix.T) / 2)

    def slope(self, position: Floats) -> Floats:
        """The gradient of the log-likelihood."""
        return self.weights @ self.scores(position)

    def informations(self, position: Floats) -> Iterator[Callable[[], Floats]]:
        """The observed information, then that of the scores (BHHH)."""
        yield lambda: -self.curvature(position)
        scores = self.scores(position)
        yield lambda: scores.T @ (self.weights[:, None] * scores)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Law:
    """A family at some parameters: what scipy's frozen distribution says, without its set-up."""

    family: Any
    values: tuple[float, ...]

    def cdf(self, x: Floats) -> Floats:
        return np.asarray(self.family.cdf(x, *self.values))

    def sf(self, x: Floats) -> Floats:
        return np.asarray(self.family.sf(x, *self.values))

    def logcdf(self, x: Floats) -> Floats:
        return np.asarray(self.family.logcdf(x, *self.values))

    def logsf(self, x: Floats) -> Floats:
        return np.asarray(self.family.logsf(x, *self.values))

    def logpdf(self, x: Floats) -> Floats:
        return np.asarray(self.family.logpdf(x, *self.values))


def log_chance(ranges: Ranges, law: Any) -> Floats:
    """The log-probability of each range, of a truncated one given its window.

    An exact number counts with its density.

    >>> from scipy.stats import uniform
    >>> np.exp(log_chance(Ranges([-np.inf, 0.25], [0.5, 0.5]), uniform())).tolist()
    [0.5, 0.25]
    """
    lower, upper = ranges.lower, ranges.upper
    logs = np.empty(len(lower))
    begun, ended = np.isneginf(lower), np.isposinf(upper)
    exact = single_numbers(lower, upper)
    inner = ~(begun | ended | exact)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs[ended] = law.logsf(lower[ended])
        logs[begun] = law.logcdf(upper[begun])
        logs[exact] = law.logpdf(upper[exact])
        logs[inner] = np.log(np.maximum(_interval_chance(law, lower[inner], upper[inner]), 0.0))
    if not ranges.is_single_piece:
        logs = np.asarray(np.logaddexp.reduceat(logs, ranges.starts[:-1]), dtype=float)
    windows = ranges.windows
    if windows is None:
        return logs
    return np.where(np.isneginf(logs), logs, logs - log_chance(windows, law))


def _interval_chance(law: Any, lower: Floats, upper: Floats) -> Floats:
    """The chance of each range, from the tail that it is nearer to."""
    low, high = law.cdf(lower), law.cdf(upper)
    right = low > 0.5
    inside = np.asarray(high - low, dtype=float)
    if right.any():
        inside[right] = law.sf(lower[right]) - law.sf(upper[right])
    return inside


_WIDER = (1.0, 4.0, 16.0, 64.0)
_FLAT = 1e-7  # curvature a range, below which a change is not seen


@checked
def fit_family(
    ranges: Ranges,
    family: Any,
    *,
    fixed: Mapping[str, float] | None = None,
    start: Mapping[str, float] | None = None,
) -> FamilyFit:
    r"""Fit a parametric family to interval-censored numbers, by maximum likelihood.

    .. math:: \hat\theta = \arg\max_\theta \sum_i w_i \log P_\theta(Y \in R_i)

    Of truncated ranges P is that given the window, Y ∈ ``(entry, exit]``. Exact numbers count with
    their density. Standard errors come from the observed information. The goodness of fit is
    Neyman's smooth test for ranges (`FamilyFit.chi2`), which needs neither bins nor a bootstrap.

    Parameters
    ----------
    ranges : Ranges
    family : scipy.stats continuous distribution
        Such as ``scipy.stats.norm`` or ``scipy.stats.weibull_min``.
    fixed : mapping of str to float, optional
        Parameters that are known, such as ``{"loc": 0}`` for a number that cannot be negative.
    start : mapping of str to float, optional
        Where to begin; shapes at 1, location and scale from the quartiles of `npmle` if left out.

    Raises
    ------
    InputError
        If there is no range, a parameter's name is unknown, all are fixed, or the ranges are
        impossible where the search begins.
    NotIdentified
        If some change of the parameters hardly changes the likelihood.

    References
    ----------
    Turnbull (1976) for the likelihood of ranges; Neyman (1937) for the test.

    >>> from scipy.stats import norm
    >>> fit = fit_family(Ranges([-np.inf, -1, 1], [-1, 1, np.inf], counts=[20, 60, 20]), norm)
    >>> round(abs(float(fit.value[0])), 6), round(float(fit.value[1]), 6)  # 1 / Φ⁻¹(0.8)
    (0.0, 1.188183)
    """
    if not ranges.total > 0:
        raise InputError("Ranges", got="no range", allowed="at least one with a positive weight")
    _refuse_family(family)
    names = (*(family.shapes.replace(" ", "").split(",") if family.shapes else ()), "loc", "scale")
    pinned = _read_parameters("fixed", fixed, names)
    initial = _read_parameters("start", start, names)
    if len(pinned) == len(names):
        raise InputError("fit_family.fixed", got=pinned, allowed="at least one parameter left free")
    problem = _begin(ranges, family, names, pinned, initial)
    optimum = maximise(problem, _search(problem))
    position = optimum.parameters
    values, slope = problem.values(position), problem.stretch(position)
    information = -problem.curvature(position)
    _refuse_flat(information, position, ranges.total)
    return FamilyFit(
        family=family,
        names=names,
        value=values,
        covariance=slope @ np.linalg.pinv(information, hermitian=True) @ slope.T,
        log_likelihood=optimum.total,
        free=len(problem.origin),
        n=ranges.total,
        chi2=smooth_test(problem, position),
        convergence=Convergence.CONVERGED if optimum.settled else Convergence.STOPPED,
    )


def _begin(
    ranges: Ranges,
    family: Any,
    names: tuple[str, ...],
    fixed: Mapping[str, float],
    start: Mapping[str, float],
) -> FamilyLikelihood:
    """Begin where the family has the data's quartiles, or with a wider scale if it must."""
    free = tuple(i for i, name in enumerate(names) if name not in fixed)
    matched = _match_quartiles(ranges, family, names, {**start, **fixed})
    for first in matched:
        problem = FamilyLikelihood(ranges=ranges, family=family, first=first, free=free)
        if np.isfinite(problem.total(problem.origin)):
            return problem
    raise InputError(
        "fit_family",
        got=dict(zip(names, matched[0].tolist(), strict=True)),
        allowed="parameters under which every range is possible",
        remedy="give start, or fix a parameter such as loc",
    )


def _search(problem: FamilyLikelihood) -> Floats:
    """Search the parameters without derivatives, from where the family has the data's quartiles."""
    from scipy.optimize import minimize

    def loss(position: Floats) -> float:
        return -problem.total(position)

    end = minimize(loss, problem.origin, method="Nelder-Mead", tol=1e-6)
    return np.asarray(end.x, dtype=np.float64)


def _refuse_family(family: Any) -> None:
    methods = ("shapes", "cdf", "ppf", "logpdf", "logcdf")
    if not all(hasattr(family, name) for name in methods):
        description = family if isinstance(family, str) else type(family).__name__
        discrete = hasattr(family, "pmf")
        fixed = hasattr(family, "dist")
        raise InputError(
            "fit_family.family",
            got=description,
            allowed="a continuous distribution of scipy.stats, such as scipy.stats.norm",
            remedy="a discrete one has no density"
            if discrete
            else "give its family, without parameters; fixed={…} holds some"
            if fixed
            else "",
        )


def _refuse_flat(information: Floats, position: Floats, n: float) -> None:
    size = np.maximum(1.0, np.abs(position))
    least = float(np.linalg.eigvalsh(information * np.outer(size, size))[0])
    if not least > _FLAT * n:
        raise NotIdentified(
            "fit_family",
            got=f"a change of the parameters worth {least / n:.1e} a range",
            allowed="ranges that identify the parameters",
            remedy="fix a parameter, or choose a family with fewer",
        )


def _read_parameters(
    argument: str, values: Mapping[str, float] | None, names: tuple[str, ...]
) -> dict[str, float]:
    for name, value in (values or {}).items():
        refuse_unknown(f"fit_family.{argument}", name, names)
        if not np.isfinite(doubles(value, f"fit_family.{argument}[{name!r}]")).all():
            raise InputError(
                f"fit_family.{argument}[{name!r}]", got=value, allowed="a finite number"
            )
    return {name: float(value) for name, value in (values or {}).items()}


def _match_quartiles(
    ranges: Ranges, family: Any, names: tuple[str, ...], parameters: Mapping[str, float]
) -> Floats:
    """Match the family to quartiles of the most likely distribution; then widen its scale, in rows.

    The median stays the same, so that the ends of a bounded support move outwards.
    """
    shapes = [float(parameters.get(name, 1.0)) for name in names[:-2]]
    fit = npmle(ranges.untruncated())
    observed = np.array([_midpoint(*fit.quantile(share)) for share in (0.25, 0.5, 0.75)])
    standard = np.asarray(family.ppf([0.25, 0.5, 0.75], *shapes), dtype=float)
    spread = (observed[2] - observed[0]) / (standard[2] - standard[0])
    if "loc" in parameters and standard[0] > 0:
        spread = max((observed[1] - parameters["loc"]) / standard[1], spread)
    finite = np.concatenate([ranges.lower, ranges.upper])
    finite = finite[np.isfinite(finite)]
    spread = spread if spread > 0 else max(float(np.ptp(finite)) / 4 if len(finite) else 0.0, 1.0)
    scales = [float(parameters.get("scale", wider * spread)) for wider in _WIDER]
    places = [parameters.get("loc", observed[1] - scale * standard[1]) for scale in scales]
    return np.column_stack([np.tile(shapes, (len(scales), 1)), places, scales])


def _midpoint(low: float, high: float) -> float:
    if np.isfinite(low) and np.isfinite(high):
        return (low + high) / 2
    return low if np.isfinite(low) else high if np.isfinite(high) else 0.0


TERMS = 4
"""How many polynomials a departure from the family may be made of."""

_RANK = 1e-5  # a range, of what the ranges cannot tell from the parameters
_LEAST = 1.0
"""Departures of which the ranges tell less than one number that is seen are not tested."""


def smooth_test(problem: FamilyLikelihood, position: Floats) -> tuple[float, int]:
    r"""Test whether the family fits, against densities f(y) exp(Σ a_k φ_k(F(y))).

    .. math:: X^2 = S^\top (I_{aa} - I_{a\theta} I_{\theta\theta}^{-1}
              I_{\theta a})^{-1} S, \quad S_k = \sum_i w_i E[\varphi_k(V) \mid V \in F(R_i)]

    with φ_k the normalised Legendre polynomials on [0, 1], V uniform, and I the observed
    information. It is the score test of a = 0, so only the fit under the family is needed; θ was
    estimated, which the projection allows for (Neyman, 1937; Rao, 1948).

    Parameters
    ----------
    problem : FamilyLikelihood
    position : array
        The fitted place of its search.

    Returns
    -------
    statistic : float
    df : int
        Its degrees of freedom: as many of the polynomials as the ranges can see.
    """
    ranges = problem.ranges
    departures, spread = _polynomials(ranges, problem.law(position))
    pull, steps = ranges.weights @ departures, problem.steps(position)
    cross = np.stack(
        [
            (
                _score_departures(problem, position - step)
                - _score_departures(problem, position + step)
            )
            / (2 * step.sum())
            for step in steps
        ]
    )
    own = np.linalg.pinv(-problem.curvature(position), hermitian=True)
    identified = _identified_departures(ranges.weights, departures, problem.scores(position))
    sizes, turned = np.linalg.eigh(identified.T @ (spread - cross.T @ own @ cross) @ identified)
    is_tested = sizes > max(_RANK * ranges.total, _LEAST)
    pulls = turned[:, is_tested].T @ identified.T @ pull
    return float(np.sum(pulls**2 / sizes[is_tested])), int(is_tested.sum())


def _identified_departures(weights: Floats, departures: Floats, scores: Floats) -> Floats:
    """Departures that are distinguishable from a change of the parameters."""
    own = np.linalg.pinv((scores.T * weights) @ scores, hermitian=True)
    residuals = departures - scores @ (own @ ((scores.T * weights) @ departures))
    sizes, turned = np.linalg.eigh((residuals.T * weights) @ residuals)
    return turned[:, sizes > _RANK * weights.sum()]


def _score_departures(problem: FamilyLikelihood, position: Floats) -> Floats:
    return problem.ranges.weights @ _polynomials(problem.ranges, problem.law(position))[0]


def _polynomials(ranges: Ranges, law: Any) -> tuple[Floats, Floats]:
    """Average each φ over each range, and give Σ w_i (1 − Cov(φ | F(R_i))); the rule is exact.

    Of truncated ranges averages are counted from those of their windows, whose covariance is in the
    place of 1.
    """
    mean, within = _moments(ranges, law)
    if ranges.windows is None:
        return mean, ranges.total * np.eye(TERMS) - within
    window_mean, window_spread = _moments(ranges.windows, law)
    return mean - window_mean, window_spread - within


def _moments(ranges: Ranges, law: Any) -> tuple[Floats, Floats]:
    """Average each φ over each range, and add up Σ w_i Cov(φ | F(R_i))."""
    low, high = law.cdf(ranges.lower), law.cdf(ranges.upper)
    nodes, weights = np.polynomial.legendre.leggauss(TERMS + 1)
    places = low[:, None] + (high - low)[:, None] * (nodes + 1) / 2
    norms = np.sqrt(2 * np.arange(1, TERMS + 1) + 1)
    basis = np.polynomial.legendre.legvander(2 * places - 1, TERMS)[..., 1:] * norms
    starts = ranges.starts
    rows = np.repeat(np.arange(len(ranges)), np.diff(starts))
    width = np.maximum(high - low, np.finfo(float).tiny)
    part = (width / np.add.reduceat(width, starts[:-1])[rows])[:, None] * weights / 2
    mean = np.add.reduceat(np.einsum("nqk,nq->nk", basis, part), starts[:-1])
    square = np.einsum("nqj,nqk,nq->jk", basis, basis, part * ranges.weights[rows, None])
    within = square - (mean.T * ranges.weights) @ mean
    return mean, within
