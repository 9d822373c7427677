"""Small areas whose direct estimates and covariates are known: the model of Fay and Herriot.

Each group has an estimate with a standard error, from whatever sample and channel, and is drawn
towards what its covariates say of groups like it. How far groups lie from that is not known, and is
integrated out: with it known all is normal, so that what is said of a group is a mixture of normal
laws over fixed points, without chance.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from askance.chart import Axis, Chart, MarkKind, Series, chart_frame, draw_result, rows_chart
from askance.inference.fit_result import GoodnessOfFit, Untested
from askance.inference.provenance import Computation
from askance.inference.regression.covariates import covariates_of
from askance.results import (
    Cells,
    Listing,
    cells_of,
    doubles,
    figure_rows,
    group_count,
    group_estimate,
    group_items,
    group_names,
    json_of,
    listed,
    normal_quantile,
    number,
    result_frame,
    result_stream,
)
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError

_POINTS = 200  # variances between groups
_KEYS = {
    "shrinkage": "borrowed",
    "between_sd": "between",
    "is_between_sd_known": "is_between_known",
}
"""Attributes that JSON has under another key."""
_FAINT = 1e-12  # of the weight of the likeliest
_ENDLESS = 1e9  # times the square of how far figures lie apart, where the support has no ends
_MOST = 1e100
_NOWHERE = 1e-100  # of a normal law, inside the support
_FAR, _HALVINGS = 12.0, 44


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AreaFigure:
    """The figure of one group of `FayHerriotEstimates`.

    Attributes
    ----------
    group : str
    value, se, lower, upper, direct, direct_se, shrinkage : float
        As those of `FayHerriotEstimates`.
    level : float

    >>> fit = fay_herriot([0.1, 0.3, 0.2, 0.6, 0.5], [0.1] * 5, [1, 2, 3, 4, 5])
    >>> round(fit["1"].value, 3), round(fit["1"].shrinkage, 2)
    (0.129, 0.25)
    """

    group: str
    value: float
    se: float
    lower: float
    upper: float
    direct: float
    direct_se: float
    shrinkage: float
    level: float

    def to_dict(self) -> Json:
        """Write the figure for JSON; None for a direct one of a group that has none."""
        return json_of(self, keys=_KEYS)

    def _table(self) -> Listing:
        cells = [number(getattr(self, name)) for name in _OF_A_GROUP]
        level = f"{100 * self.level:g} % from"
        head = ["value", "se", level, "to", "by itself", "its se", "borrowed"]
        return f"estimate of {self.group}, shrunk towards its covariates", head, [cells], []

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


_OF_A_GROUP = "value", "se", "lower", "upper", "direct", "direct_se", "shrinkage"


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FayHerriotEstimates:
    """One figure of each group, drawn towards what its covariates say: a mapping to `AreaFigure`.

    Attributes
    ----------
    groups : tuple of str
    value : array, shape (groups,)
        Posterior means.
    se : array, shape (groups,)
        Posterior standard deviations: of what the estimate of the group leaves open, and of the
        coefficients and the variance between groups that are not known.
    lower, upper : array, shape (groups,)
        Ends of the interval with equal tails.
    direct, direct_se : array, shape (groups,)
        As given; not a number of a group without an estimate.
    shrinkage : array, shape (groups,)
        How much of the value comes from the covariates and not from the group: 1 of a group
        without an estimate.
    terms : tuple of str
        The intercept, and the covariates.
    coefficients, coefficient_se : array, shape (terms,)
        Posterior means and standard deviations.
    between_sd : float
        The standard deviation of true figures about what covariates say: the posterior median, or
        as it was given.
    is_between_sd_known : bool
        Whether it was given.
    support : (float, float)
        Between which figures can be.
    level : float

    >>> fit = fay_herriot([0.1, 0.3, 0.2, 0.6, 0.5], [0.1] * 5, [1, 2, 3, 4, 5])
    >>> fit.terms, fit.coefficients.round(3).tolist()
    (('intercept', 'x1'), [0.01, 0.11])
    """

    computation: ClassVar[Computation] = Computation.FAY_HERRIOT
    groups: tuple[str, ...]
    value: Floats
    se: Floats
    lower: Floats
    upper: Floats
    direct: Floats
    direct_se: Floats
    shrinkage: Floats
    terms: tuple[str, ...]
    coefficients: Floats
    coefficient_se: Floats
    between_sd: float
    is_between_sd_known: bool = False
    support: tuple[float, float]
    level: float

    def columns(self) -> Cells:
        """The head of a table, and its rows, numbers as they are."""
        head = ["group", "value", "se", "lower", "upper", "direct", "borrowed"]
        columns = (self.value, self.se, self.lower, self.upper, self.direct, self.shrinkage)
        return head, cells_of(self.groups, *columns)

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Not tested: figures were given, and no reports."""
        return GoodnessOfFit(untested=Untested.FIGURES)

    def to_dict(self) -> Json:
        """Write the figures for JSON; None for a direct one of a group that has none."""
        written = json_of(self, keys=_KEYS)
        is_known = written.pop("is_between_known")
        return written | ({"is_between_known": True} if is_known else {})

    def _table(self) -> Listing:
        columns = (self.value, self.se, self.lower, self.upper, self.direct, self.shrinkage)
        rows = figure_rows(self.groups, *columns)
        level = f"{100 * self.level:g} % from"
        head = ["group", "value", "se", level, "to", "by itself", "borrowed"]
        coefficients = zip(self.terms, self.coefficients, self.coefficient_se, strict=True)
        notes = [
            f"{name}: {number(float(value))} (se {number(float(se))})"
            for name, value, se in coefficients
        ]
        notes.append(
            f"standard deviation between groups with equal covariates: {number(self.between_sd)}"
        )
        return "estimate of each group, shrunk towards its covariates", head, rows, notes

    def _chart(self) -> Chart:
        """Describe a row for each group with its interval; a cross is the group by itself."""
        alone = Series(
            mark=MarkKind.POINT,
            label="by itself",
            names=self.groups,
            value=self.direct,
            continues=True,
        )
        ends, x = (self.lower, self.upper), Axis(name="value")
        return rows_chart(
            self.groups, self.value, ends, level=self.level, x=x, y="group", after=(alone,)
        )

    def _by_group(self) -> Mapping[str, AreaFigure]:
        columns = [getattr(self, name).tolist() for name in _OF_A_GROUP]
        return {
            group: AreaFigure(
                group=group, level=self.level, **dict(zip(_OF_A_GROUP, cells, strict=True))
            )
            for group, *cells in zip(self.groups, *columns, strict=True)
        }

    __iter__ = group_names
    __len__ = group_count
    __getitem__ = group_estimate
    items = group_items
    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def fay_herriot(
    value: npt.ArrayLike,
    se: npt.ArrayLike,
    covariates: npt.ArrayLike | None = None,
    level: float = 0.95,
    *,
    groups: Sequence[str] | None = None,
    terms: Sequence[str] | None = None,
    support: tuple[float, float] = (0.0, 1.0),
    between_sd: float | None = None,
) -> FayHerriotEstimates:
    r"""Small area estimation with area-level covariates: the Fay–Herriot model, hierarchical Bayes.

    Direct estimates of groups are normal about the true figures, with errors that are known, and
    those are normal about a regression on what is known of the groups:

    .. math:: \hat\theta_g \sim N(\theta_g, \mathrm{se}_g^2), \qquad
              \theta_g \sim N(x_g^\top\beta, A)

    With A known this is the empirical best linear unbiased predictor (EBLUP), with the error of
    the coefficients in it. A is not known. It is integrated out with β, under even priors of both
    (of A up to the square of half the support; without ends up to 10⁹ times the square of how far
    figures lie apart, beyond which the posterior has less than 1/10,000), so that intervals allow
    for not knowing it, and no group is drawn to its covariates wholly, as it is where the
    restricted likelihood is highest at A = 0. What is said of a group is cut to the support: no
    share is 0 or 1.

    Direct estimates come from any sample and channel: weighted shares of `estimate_domains`, means
    of `scrambled_mean` or `estimate_line`. Of few protected reports take shares of
    `moment_estimate`, which may lie outside 0 and 1: those that were clipped there are biased, and
    so is what is drawn from them. Of several answers each is asked for by itself.

    Parameters
    ----------
    value : array_like, shape (groups,)
        Not a number of a group without an estimate: it gets what its covariates say.
    se : array_like, shape (groups,)
        Above 0, taken for known. Of few people errors err too: smooth them, for example by
        reckoning all at the share of everybody.
    covariates : array_like, shape (groups, c), optional
        What is known of each group. An intercept is there already.
    level : float
    groups, terms : sequence of str, optional
        Names of the groups, and of the covariates.
    support : (float, float)
        Between which figures can be; of any number (−∞, ∞).
    between_sd : float, optional
        √A, where it is known.

    Raises
    ------
    InputError
        If shapes do not fit, an error is not above 0, or there are not 3 groups with an estimate
        more than coefficients.
    NotIdentified
        If some covariates determine another one.

    References
    ----------
    Fay & Herriot (1979); Rao & Molina (2015) on the even priors; Li & Lahiri (2010) on why A should
    not be put at its most likely value, which often is 0.

    >>> value, se = [0.12, 0.31, 0.18, 0.55, 0.46, -0.04], [0.08, 0.1, 0.1, 0.12, 0.1, 0.08]
    >>> town = [0, 0, 0, 1, 1, 0]
    >>> fay_herriot(value, se, town, groups=[*"abcdef"], terms=["town"])
    estimate of each group, shrunk towards its covariates
    group    value       se  95 % from      to  by itself  borrowed
    a       0.1305  0.06622    0.01523  0.2688       0.12    0.2138
    b       0.2612  0.09578    0.08212  0.4548       0.31    0.2792
    c        0.173  0.08329    0.02518  0.3474       0.18    0.2792
    d       0.5334    0.109     0.3218  0.7502       0.55    0.3403
    e       0.4715  0.09373     0.2865  0.6542       0.46    0.2792
    f      0.06213    0.046   0.002474  0.1703      -0.04    0.2138
    intercept: 0.1369 (se 0.1259)
    town: 0.3656 (se 0.2225)
    standard deviation between groups with equal covariates: 0.1875
    """
    normal_quantile(level)
    direct, error = _read_estimates(value, se)
    predictors = covariates_of(covariates, len(direct), terms, np.isfinite(direct).astype(float))
    names = _read_names(groups, len(direct))
    _refuse_few(int(np.isfinite(direct).sum()), predictors.matrix.shape[1])
    _refuse_outside(support, between_sd)
    variances = _variance_grid(direct, error, predictors.matrix, support)
    if between_sd is not None:
        variances = np.array([between_sd**2])
    model = _Model.of(direct, error, predictors.matrix, variances)
    estimates = _average_over_variances(
        model, variances, (direct, error), (names, predictors.terms), (support, level)
    )
    return replace(estimates, is_between_sd_known=between_sd is not None)


def _average_over_variances(
    model: "_Model",
    variances: Floats,
    direct: tuple[Floats, Floats],
    names: tuple[tuple[str, ...], tuple[str, ...]],
    support_and_level: tuple[tuple[float, float], float],
) -> FayHerriotEstimates:
    """Average over the variances, weighted by their posterior probabilities."""
    weights, (support, level) = model.weights, support_and_level
    mean, deviation, lower, upper = _summarise_mixtures(model, support, level)
    coefficients = weights @ model.coefficients
    spread = weights @ (model.coefficient_variances + (model.coefficients - coefficients) ** 2)
    return FayHerriotEstimates(
        groups=names[0],
        value=mean,
        se=deviation,
        lower=lower,
        upper=upper,
        direct=direct[0],
        direct_se=direct[1],
        shrinkage=weights @ model.shrinkage,
        terms=("intercept", *names[1]),
        coefficients=coefficients,
        coefficient_se=np.sqrt(spread),
        between_sd=float(np.sqrt(np.interp(0.5, np.cumsum(weights) - weights / 2, variances))),
        support=support,
        level=level,
    )


def _read_estimates(value: npt.ArrayLike, se: npt.ArrayLike) -> tuple[Floats, Floats]:
    direct, error = doubles(value, "fay_herriot.value"), doubles(se, "fay_herriot.se")
    if direct.ndim != 1 or error.shape != direct.shape:
        raise InputError(
            "fay_herriot",
            got=f"values of shape {direct.shape}, errors of shape {error.shape}",
            allowed="one of each for every group",
        )
    some = np.isfinite(direct)
    if np.isinf(direct).any():
        row = int(np.flatnonzero(np.isinf(direct))[0])
        raise InputError(f"fay_herriot.value[{row}]", got=direct[row], allowed="a number, or none")
    wrong = np.flatnonzero(some & ~(np.isfinite(error) & (error > 0)))
    if len(wrong):
        raise InputError(
            f"fay_herriot.se[{wrong[0]}]",
            got=float(error[wrong[0]]),
            allowed="a number above 0",
            remedy="compute errors at the overall share: for few people they come out as 0",
        )
    return direct, np.where(some, error, np.nan)


def _read_names(groups: Sequence[str] | None, count: int) -> tuple[str, ...]:
    names = tuple(str(i + 1) for i in range(count)) if groups is None else tuple(groups)
    if len(names) != count or not all(isinstance(name, str) for name in names):
        raise InputError("fay_herriot.groups", got=names, allowed=f"{count} names")
    return names


_SPARE = 3  # groups more than coefficients, without which the even prior of A has no posterior


def _refuse_few(estimated: int, coefficients: int) -> None:
    needed = coefficients + _SPARE
    if estimated < needed:
        raise InputError(
            "fay_herriot",
            got=f"{estimated} groups with an estimate",
            allowed=f"{needed} or more: {_SPARE} beyond the intercept and the covariates",
            remedy="leave covariates out, or estimate groups by themselves",
        )


def _refuse_outside(support: tuple[float, float], between_sd: float | None) -> None:
    low, high = support
    if not low < high:
        raise InputError("fay_herriot.support", got=support, allowed="(low, high), low first")
    if between_sd is not None and not 0 <= between_sd <= _MOST:
        raise InputError("fay_herriot.between_sd", got=between_sd, allowed="a number in [0, 10¹⁰⁰]")


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Model:
    """Conditional posterior laws, normal at each of h variances A between groups.

    Attributes
    ----------
    weights : array, shape (h,)
        How likely each is, of all.
    mean, variance : array, shape (h, groups)
        Of the figure of each group.
    shrinkage : array, shape (h, groups)
    coefficients, coefficient_variances : array, shape (h, c + 1)
    """

    weights: Floats
    mean: Floats
    variance: Floats
    shrinkage: Floats
    coefficients: Floats
    coefficient_variances: Floats

    @classmethod
    def of(cls, direct: Floats, error: Floats, model_matrix: Floats, between: Floats) -> "_Model":
        """Fit by generalised least squares at each variance."""
        some = np.isfinite(direct)
        total_variance = np.where(some, error**2, 1.0) + between[:, None]
        precision = np.where(some, 1 / total_variance, 0.0)
        y = np.where(some, direct, 0.0)
        inverse = np.linalg.inv(np.einsum("hg,gi,gj->hij", precision, model_matrix, model_matrix))
        beta = np.einsum("hij,hg,gj->hi", inverse, precision * y, model_matrix)
        fitted = beta @ model_matrix.T
        leverage = np.einsum("gi,hij,gj->hg", model_matrix, inverse, model_matrix)
        _, volume = np.linalg.slogdet(inverse)
        lost = (precision * (y - fitted) ** 2).sum(axis=1)
        logs = (np.log(np.where(some, precision, 1.0)).sum(axis=1) + volume - lost) / 2
        likely = np.exp(logs - logs.max()) * _trapezoid_weights(between)
        shrinkage = np.where(some, np.where(some, error**2, 0.0) * precision, 1.0)
        return cls(
            weights=likely / likely.sum(),
            mean=y * (1 - shrinkage) + shrinkage * fitted,
            variance=between[:, None] * shrinkage + shrinkage**2 * leverage,
            shrinkage=shrinkage,
            coefficients=beta,
            coefficient_variances=np.diagonal(inverse, axis1=1, axis2=2),
        )


def _trapezoid_weights(grid: Floats) -> Floats:
    """Trapezoidal weights of an uneven grid; 1 for a single point."""
    ends = np.concatenate([grid[:1], (grid[1:] + grid[:-1]) / 2, grid[-1:]])
    return np.diff(ends) if len(grid) > 1 else np.ones(1)


def _variance_grid(
    direct: Floats, error: Floats, model_matrix: Floats, support: tuple[float, float]
) -> Floats:
    """Points of A from 0 on, close where it is likely: evenly by log(1 + A/the usual error²).

    Up to what no figures on the support can exceed: half of it, squared. Of a support without ends
    the posterior of A falls with a power of 1/A, by groups less coefficients: with three groups to
    spare what lies beyond x times the spread of the figures has the weight 1/√x or less.
    """
    usual, most = float(np.nanmedian(error)) ** 2, ((support[1] - support[0]) / 2) ** 2
    if np.isinf(most):
        most = _ENDLESS * (float(np.nanmax(direct) - np.nanmin(direct)) ** 2 + usual)
    logs = np.linspace(0, np.log1p(most / usual), _POINTS)
    for _ in range(2):
        points: Floats = usual * np.expm1(logs)
        weights = _Model.of(direct, error, model_matrix, points).weights
        likely = np.flatnonzero(weights > _FAINT * weights.max())
        first, last = max(likely[0] - 1, 0), min(likely[-1] + 1, _POINTS - 1)
        logs = np.linspace(logs[first], logs[last], _POINTS)
    return points


def _summarise_mixtures(
    model: _Model, support: tuple[float, float], level: float
) -> tuple[Floats, Floats, Floats, Floats]:
    """Mean, deviation and ends of each group's mixture of normal laws, cut to the support."""
    error, weights = np.sqrt(model.variance), model.weights[:, None]
    inside = weights * _normal_mass(model.mean, error, *support)
    total = inside.sum(axis=0)
    outside = np.flatnonzero(~(total > _NOWHERE))
    if len(outside):
        group = int(outside[0])
        raise InputError(
            f"fay_herriot.value[{group}]",
            got=f"what is {number(float(model.mean[0, group]))} with its covariates",
            allowed=f"figures in {support}",
            remedy="give the support of the figures",
        )
    mean = (inside * model.mean + weights * _truncation_term(model.mean, error, support, 0)).sum(
        0
    ) / total
    away = model.mean - mean
    truncation = _truncation_term(model.mean, error, support, 1, mean)
    square = (inside * (away**2 + error**2) + weights * truncation).sum(axis=0) / total
    shares = ((1 - level) / 2, (1 + level) / 2)
    lower, upper = (_mixture_quantile(model, support, share * total) for share in shares)
    return mean, np.sqrt(square), lower, upper


def _normal_mass(mean: Floats, error: Floats, low: Any, high: Any) -> Floats:
    """Probability of each normal law between two numbers, precise in either tail."""
    below, above = (low - mean) / error, (high - mean) / error
    turned = below > 0
    first, last = np.where(turned, -above, below), np.where(turned, -below, above)
    mass: Floats = ndtr(last) - ndtr(first)
    return mass


def _truncation_term(
    mean: Floats, error: Floats, support: tuple[float, float], power: int, about: Any = 0.0
) -> Floats:
    """Truncation term of a moment: error (φ(low) − φ(high)), each times its distance if squared."""
    term = np.zeros_like(mean)
    for end, sign in zip(support, (1, -1), strict=True):
        if np.isfinite(end):
            density = np.exp(-(((end - mean) / error) ** 2) / 2) / np.sqrt(2 * np.pi)
            term += sign * error * density * (end + mean - 2 * about) ** power
    return term


def _mixture_quantile(model: _Model, support: tuple[float, float], share: Floats) -> Floats:
    """Quantiles of each group's mixture, by bisection."""
    error = np.sqrt(model.variance)
    low = np.maximum((model.mean - _FAR * error).min(axis=0), support[0])
    high = np.minimum((model.mean + _FAR * error).max(axis=0), support[1])
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        below = model.weights @ _normal_mass(model.mean, error, support[0], middle) < share
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    quantile: Floats = (low + high) / 2
    return quantile
