"""Coefficients, how sure they are and how they are shown; averages of shares and of effects."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar, final

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc, ndtr, stdtr

from askance.chart import Axis, Chart, chart_frame, draw, draw_result, rows_chart, zero_line
from askance.inference.fit_result import Convergence, GoodnessOfFit
from askance.inference.maximisation import LogLikelihood, Within, maximise
from askance.inference.regression.answer_model import ShareModel
from askance.inference.regression.covariates import build_model_matrix
from askance.inference.regression.formula import Formula, PlainSum
from askance.inference.replicate_weights import ReplicateWeights, fits_to_replicates
from askance.inference.replicate_weights import replicate_covariance as spread_of
from askance.inference.sampling_design import AbstractSamplingDesign, SamplingDesign, weights_alone
from askance.inference.standard_errors import ErrorSource, StandardErrors
from askance.results import (
    Listing,
    doubles,
    figure_rows,
    is_missing,
    json_of,
    keep_doubles,
    listed,
    number,
    read_only,
    result_frame,
    result_stream,
    student_quantile,
)
from askance.typing import Booleans, Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, refuse_unknown


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Margins:
    """What a fitted model says on average, by the delta method.

    Attributes
    ----------
    title : str
    labels : tuple of str
    value : array
    covariance : array
    lower, upper : array
        Ends of the intervals; those of shares stay inside [0, 1].
    level : float
        How often such an interval holds the true value.

    >>> margins = Margins(
    ...     title="share of each answer",
    ...     labels=("yes", "no"),
    ...     value=np.array([0.25, 0.75]),
    ...     covariance=np.array([[1.0, -1.0], [-1.0, 1.0]]) / 1024,
    ...     lower=np.array([0.19, 0.68]),
    ...     upper=np.array([0.32, 0.81]),
    ...     level=0.95,
    ... )
    >>> margins
    share of each answer
         value       se  95 % from    to
    yes   0.25  0.03125       0.19  0.32
    no    0.75  0.03125       0.68  0.81
    """

    title: str
    labels: tuple[str, ...]
    value: Floats
    covariance: Floats
    lower: Floats
    upper: Floats
    level: float

    @property
    def se(self) -> Floats:
        """Standard error of each value."""
        return read_only(np.sqrt(np.diag(self.covariance).clip(0)))

    def to_dict(self) -> Json:
        """Write the averages for JSON."""
        return json_of(self, "title labels value se covariance lower upper level")

    def _table(self) -> Listing:
        columns = (self.value, self.se, self.lower, self.upper)
        rows = figure_rows(self.labels, *columns)
        return self.title, ["", "value", "se", f"{100 * self.level:g} % from", "to"], rows, []

    def _chart(self) -> Chart:
        """Describe each value with its interval, the first on top; a line at 0 if one is lower."""
        ends, axis = (self.lower, self.upper), Axis(name=self.title)
        before = (zero_line(),) if (self.lower < 0).any() else ()
        return rows_chart(
            self.labels, self.value, ends, level=self.level, x=axis, y="of", before=before
        )

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


def normal_margins(
    title: str,
    labels: tuple[str, ...],
    value: Floats,
    covariance: Floats,
    level: float,
    df: float = math.inf,
) -> Margins:
    """Values with their normal intervals, or Student's of so many degrees of freedom.

    >>> slope = normal_margins("slope", ("age",), np.array([2.0]), np.array([[0.25]]), 0.95)
    >>> slope.lower.round(4).tolist(), slope.upper.round(4).tolist()
    ([1.02], [2.98])
    """
    reach = student_quantile(level, df) * np.sqrt(np.diag(covariance).clip(0))
    return Margins(
        title=title,
        labels=labels,
        value=value,
        covariance=covariance,
        lower=value - reach,
        upper=value + reach,
        level=level,
    )


def bounded_margins(
    margins: Margins, reach: Floats, low: float = 0.0, high: float = 1.0
) -> Margins:
    r"""Values that must lie in [low, high], with the intervals that respect it.

    .. math:: \bigl[\max(a, \min(v, b) - r),\; \min(b, \max(v, a) + r)\bigr]

    The interval v ± r is joined with that about the nearest possible value, and both are cut to
    [a, b]. It covers wherever v ± r does. It never shrinks as v leaves [a, b], and is at least r
    long: a value that is not possible is no evidence that the truth is at the end. Where r is 0,
    as when all say the same, the error cannot be told, and it is all of [a, b].

    Parameters
    ----------
    margins : Margins
        With the values v; their ends are not used.
    reach : array
        r.
    low, high : float
        a and b.

    References
    ----------
    Mandelkern (2002), on estimates outside what is possible.

    >>> normal = normal_margins("share", ("x",), np.array([-0.195]), np.array([[0.063**2]]), 0.95)
    >>> bounded = bounded_margins(normal, 1.96 * normal.se)
    >>> bounded.lower.tolist(), bounded.upper.round(3).tolist()
    ([0.0], [0.123])
    """
    value, reach = margins.value, np.where(reach > 0, reach, high - low)
    return replace(
        margins,
        lower=(np.minimum(value, high) - reach).clip(low, high),
        upper=(np.maximum(value, low) + reach).clip(low, high),
    )


def share_margins(
    title: str,
    labels: tuple[str, ...],
    value: Floats,
    covariance: Floats,
    level: float,
    df: float = math.inf,
) -> Margins:
    """Estimated shares with the intervals of `bounded_margins`, normal or Student's.

    >>> share = share_margins("share", ("x",), np.array([1.2]), np.array([[0.01]]), 0.95)
    >>> share.lower.round(3).tolist(), share.upper.tolist()
    ([0.804], [1.0])
    """
    margins = normal_margins(title, labels, value, covariance, level, df)
    return bounded_margins(margins, margins.upper - value)


def wald(value: Floats, se: Floats, df: float = math.inf) -> Floats:
    """Compute two-sided p-values of Wald's test that each coefficient is 0.

    >>> wald(np.array([1.959964]), np.ones(1)).round(6).tolist()
    [0.05]
    """
    statistic = -np.abs(value) / se
    tail = ndtr(statistic) if math.isinf(df) else stdtr(df, statistic)
    return np.asarray(2 * tail, dtype=np.float64)


def akaike(log_likelihood: float, parameters: int, df: float) -> float:
    """Twice the parameters, less twice the log-likelihood (Akaike, 1974).

    NaN of a complex sample: a weighted pseudo-likelihood rises by more, or less, than one for each
    parameter that says nothing (Lumley & Scott, 2015).

    >>> akaike(-100.0, 2, math.inf), akaike(-100.0, 2, 30)
    (204.0, nan)
    """
    return 2 * parameters - 2 * log_likelihood if math.isinf(df) else math.nan


def describe_likelihood(log_likelihood: float, aic: float) -> str:
    """The log-likelihood in words, and Akaike's criterion if there is one.

    >>> describe_likelihood(-100.0, 204.0), describe_likelihood(-100.0, math.nan)
    ('log-likelihood -100; AIC 204', 'log-likelihood -100')
    """
    criterion = "" if math.isnan(aic) else f"; AIC {aic:.6g}"
    return f"log-likelihood {log_likelihood:.8g}{criterion}"


_DIGITS = (4, 4, 3, 2, 3, 3)
_ESTIMATED = "names value se p_value covariance"
_FITTED = "log_likelihood gap n level"


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CoefficientTable:
    """Estimated coefficients with their covariance, tests and intervals.

    Attributes
    ----------
    names : tuple of str
        What each coefficient multiplies.
    value : array, shape (p,)
    covariance : array, shape (p, p)
    standard_errors : StandardErrors
        What the covariance rests on.
    level : float
        How often the intervals hold the true value.

    >>> from askance.inference.standard_errors import ErrorSource, StandardErrors
    >>> table = CoefficientTable(
    ...     names=("intercept",), value=np.array([0.5]), covariance=np.eye(1) / 16,
    ...     standard_errors=StandardErrors(source=ErrorSource.OBSERVED), level=0.95)
    >>> table.se.tolist(), table.p_value.round(4).tolist(), table.margins().lower.round(2).tolist()
    ([0.25], [0.0455], [0.01])
    """

    names: tuple[str, ...]
    value: Floats
    covariance: Floats
    standard_errors: StandardErrors
    level: float

    def __post_init__(self) -> None:
        keep_doubles(self)

    @classmethod
    def unstandardised(
        cls,
        back: Floats,
        names: tuple[str, ...],
        value: Floats,
        covariance: Floats,
        standard_errors: StandardErrors,
        level: float,
    ) -> "CoefficientTable":
        """Bring coefficients of standardised covariates back to their units, by a matrix."""
        return cls(
            names=names,
            value=back @ value,
            covariance=back @ covariance @ back.T,
            standard_errors=standard_errors,
            level=level,
        )

    @property
    def df(self) -> float:
        """Degrees of freedom of the intervals, of a complex sample; infinite otherwise."""
        return self.standard_errors.df

    @property
    def se(self) -> Floats:
        """Standard error of each coefficient."""
        return read_only(np.sqrt(np.diag(self.covariance).clip(0)))

    @property
    def p_value(self) -> Floats:
        """The p-value of each coefficient, by Wald's test."""
        return read_only(wald(self.value, self.se, self.df))

    def margins(self) -> Margins:
        """The coefficients with their normal intervals, or Student's of a complex sample."""
        return normal_margins(
            "coefficient", self.names, self.value, self.covariance, self.level, self.df
        )

    def rows(self) -> tuple[list[str], list[list[str]]]:
        """The head and a row for each coefficient, with Wald's test that it is 0."""
        margins, se = self.margins(), self.se
        columns = (self.value, se, self.value / se, self.p_value, margins.lower, margins.upper)
        rows = [
            [name, *map(number, row, _DIGITS)]
            for name, row in zip(self.names, np.array(columns).T.tolist(), strict=True)
        ]
        test = "z" if math.isinf(self.df) else "t"
        return ["term", "value", "se", test, "p", f"{100 * self.level:g} % from", "to"], rows


_Value = TypeVar("_Value", covariant=True)


class HoldsCoefficients(Protocol):
    """A fitted regression, which holds its coefficients in a table."""

    @property
    def table(self) -> CoefficientTable:
        """The coefficients."""

    @property
    def convergence(self) -> Convergence:
        """How the maximisation ended."""

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Whether the channels can have sent these reports at all."""


@final
class FromTable(Generic[_Value]):
    """An attribute of a regression that its coefficient table holds."""

    def __init__(self, name: str) -> None:
        self.name, self.__doc__ = name, getattr(CoefficientTable, name).__doc__

    def __get__(self, fit: HoldsCoefficients, owner: object = None) -> _Value:
        value: _Value = getattr(fit.table, self.name)
        return value


def coefficient_json(fit: HoldsCoefficients, more: str) -> Json:
    """Write what every regression has, and further attributes of this one."""
    table, more = fit.table, more + ("" if math.isinf(fit.table.df) else " df")
    written = json_of(table, _ESTIMATED) | {"errors": str(table.standard_errors)}
    written |= json_of(fit, f"{_FITTED} {more}") | json_of(table.margins(), "lower upper")
    written |= fit.convergence.to_dict() | json_of(fit, "goodness_of_fit")
    return written | json_of(table, "standard_errors")


Per = str | Mapping[str, float]
"""What a coefficient is the change for: a standard deviation, a unit, or so much of each."""


class ChartedFit(Protocol):
    """A fit that describes the figure of its coefficients."""

    def _chart(self, per: Per = "sd") -> Chart: ...


@checked
def draw_coefficients(
    self: ChartedFit,
    ax: Any = None,
    *,
    label: str = "",
    color: Any = None,
    per: str | Mapping[str, float] = "sd",
) -> Any:
    """Draw the coefficients of covariates with their intervals: a forest plot in one unit.

    Several fits on the same axes are beside each other, term by term.

    Parameters
    ----------
    ax : matplotlib Axes, optional
        New ones if left out. A figure without a layout gets Matplotlib's constrained one.
    label : str
        What the legend calls this fit.
    color : color, optional
    per : "sd", "unit", or mapping of str to float
        What a coefficient is the change for: a standard deviation of its covariate, a unit of it,
        or as much of each as the mapping says, and a unit of the others. A covariate that is 0 or 1
        changes from 0 to 1.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InputError
        If the axes have marks of another kind, or what is given is no axes, no colour, or no unit.
    MissingExtra
        If matplotlib is not installed.
    """
    return draw(self._chart(per), ax, label=label, color=color)


@checked
def tabulate_coefficients(
    self: ChartedFit, backend: str = "pandas", *, per: str | Mapping[str, float] = "sd"
) -> Any:
    """Return what `plot` draws as a data frame, with the amount that each coefficient is for.

    Parameters
    ----------
    backend : str
        ``"pandas"``, ``"polars"`` or ``"pyarrow"``.
    per : "sd", "unit", or mapping of str to float
        As for `plot`.

    Raises
    ------
    InputError
        If it is no unit.
    MissingExtra
        If the backend is not installed.
    """
    return result_frame(self._chart(per), backend)


def coefficient_chart(
    fit: HoldsCoefficients,
    indices: Sequence[int],
    title: str,
    spreads: Mapping[str, float],
    per: Per,
) -> Chart:
    """Describe some coefficients with their intervals and a line at 0."""
    margins, chosen = fit.table.margins(), list(indices)
    amounts = _find_amounts(spreads, per)
    terms = [_find_term(margins.labels[index], spreads) for index in chosen]
    size = np.array([amounts.get(term, 1.0) for term in terms])
    names = tuple(
        f"{margins.labels[index]}, per {amounts[term]:g}"
        if isinstance(per, Mapping) and term in per
        else margins.labels[index]
        for index, term in zip(chosen, terms, strict=True)
    )
    unit = {"sd": ", per standard deviation"}.get(per, "") if isinstance(per, str) else ""
    chart = rows_chart(
        names,
        size * margins.value[chosen],
        (size * margins.lower[chosen], size * margins.upper[chosen]),
        level=margins.level,
        x=Axis(name="coefficient", label=f"{title}{unit}"),
        y="term",
        after=(zero_line(),),
    )
    intervals = replace(chart.series[0], columns={"per": size})
    return replace(chart, series=(intervals, *chart.series[1:]))


def _find_amounts(spreads: Mapping[str, float], per: Per) -> Mapping[str, float]:
    """How much of each covariate a coefficient is for."""
    if isinstance(per, str):
        refuse_unknown("plot.per", per, ("sd", "unit"))
        return spreads if per == "sd" else {}
    for term, amount in per.items():
        if term not in spreads:
            allowed = "covariates of the model: " + (", ".join(spreads) or "it has none")
            raise InputError("plot.per", got=term, allowed=allowed)
        if not (doubles(amount, f"plot.per[{term!r}]") > 0 and np.isfinite(amount)):
            raise InputError(f"plot.per[{term!r}]", got=amount, allowed="a positive number")
    return per


def _find_term(name: str, terms: Iterable[str]) -> str:
    """The covariate that a coefficient belongs to: its name, or what stands behind a colon."""
    ends = [term for term in terms if name == term or name.endswith(f": {term}")]
    return max(ends, key=len, default="")


_ENDED_WELL = (Convergence.EXACT, Convergence.CONVERGED, Convergence.STATIONARY)


def convergence_notes(convergence: Convergence, *, is_brief: bool) -> list[str]:
    """Say how a fit ended; nothing of one that ended well, where notes are brief.

    >>> convergence_notes(Convergence.STATIONARY, is_brief=True)
    []
    """
    return [] if is_brief and convergence in _ENDED_WELL else [str(convergence.value)]


def describe_blanks(fit: Any) -> list[str]:
    """How many respondents of a regression sent a blank, if any did."""
    return [f"{fit.blanks:,} of these respondents sent a blank"] if fit.blanks else []


def describe_means(margins: Margins) -> str:
    """Each mean share with its standard error, in a line.

    >>> describe_means(normal_margins("share", ("yes",), np.array([0.25]), np.eye(1) / 64, 0.95))
    'yes 0.25 ± 0.12'
    """
    return ", ".join(
        f"{label} {number(float(share))} ± {number(float(se), 2)}"
        for label, share, se in zip(margins.labels, margins.value, margins.se, strict=True)
    )


_NUDGE = 1e-4
"""How far a covariate is moved to see its effect, as a part of its spread."""

_ROWS = 1 << 13  # so many at once stay in the processor's cache

People = tuple[Floats, Floats]
"""Covariates after a column of ones, shape (n, c + 1), and weights, shape (n,)."""

Move = tuple[People, People, float]
"""People as they might be, and as they might have been, and how far apart that is."""


def average_share(model: ShareModel, parameters: Floats, people: People) -> tuple[Floats, Floats]:
    """The mean shares, shape (k,), and their derivatives by the coefficients.

    >>> from askance.inference.regression.answer_model import answer_model
    >>> people = np.ones((1, 1)), np.ones(1)
    >>> average_share(answer_model(("yes", "no"), ()), np.zeros(1), people)
    (array([0.5, 0.5]), array([[ 0.25], [-0.25]]))
    """
    model_matrix, weights = people
    k = len(model.answers)
    value, slope = np.zeros(k), np.zeros((k, len(parameters)))
    for first in range(0, len(model_matrix), _ROWS):
        part = slice(first, first + _ROWS)
        eta = model_matrix[part] @ model.weights(parameters)
        for answer in range(k):
            share, pulled, _ = model.pull(eta, np.broadcast_to(np.eye(k)[answer], (len(eta), k)))
            value[answer] += weights[part] @ share
            by_term = (pulled * weights[part, None]).T @ model_matrix[part]
            slope[answer] += by_term.ravel() @ model.restriction
    return value / weights.sum(), slope / weights.sum()


def share_difference(model: ShareModel, parameters: Floats, move: Move) -> tuple[Floats, Floats]:
    """By how much the mean shares differ, and the derivatives of that."""
    after, before, per = move
    (high, up), (low, down) = (
        average_share(model, parameters, people) for people in (after, before)
    )
    return (high - low) / per, (up - down) / per


def nudged(people: People, column: int) -> Move:
    """Everyone a little more and a little less of a covariate; or 1 and 0, if it is a switch.

    >>> after, before, step = nudged((np.array([[1.0, 0.0], [1.0, 1.0]]), np.ones(2)), 1)
    >>> after[0][:, 1].tolist(), before[0][:, 1].tolist(), step
    ([1.0, 1.0], [0.0, 0.0], 1.0)
    """
    model_matrix, weights = people
    values = model_matrix[:, column]
    switch = bool(np.isin(values, (0.0, 1.0)).all())
    step = 1.0 if switch else _NUDGE * float(values.std())
    after, before = model_matrix.copy(), model_matrix.copy()
    after[:, column] = 1.0 if switch else values + step / 2
    before[:, column] = 0.0 if switch else values - step / 2
    return (after, weights), (before, weights), step


def one_at_a_time(people: People, terms: Sequence[str], formula: Formula | None) -> dict[str, Move]:
    """Every covariate moved by itself; with a formula every variable, wherever it stands."""
    if formula is None or isinstance(formula.spec, PlainSum):
        return {term: nudged(people, column) for column, term in enumerate(terms, start=1)}
    return {
        name: ((build_model_matrix(after), people[1]), (build_model_matrix(before), people[1]), per)
        for name, after, before, per in formula.changes()
    }


def people_among(own: People, model_matrix: Floats | None, *, respondents: bool) -> People:
    """Whose covariates they are: others, whatever their number, have weights of 1.

    >>> own = np.ones((2, 1)), np.array([3.0, 4.0])
    >>> [people_among(own, table, respondents=False)[1] for table in (None, own[0][:1])]
    [array([3., 4.]), array([1.])]
    """
    if model_matrix is None:
        return own
    if not len(model_matrix):
        raise InputError("covariates", got="no rows", allowed="at least one person")
    same = model_matrix.shape == own[0].shape and (
        respondents or np.array_equal(model_matrix, own[0])
    )
    return model_matrix, own[1] if same else np.ones(len(model_matrix))


_RUNAWAY = 1e-8
"""A likelihood that bends less than this a row, in units of a covariate's spread, has no top."""


class ScoredByRow(Protocol):
    """A log-likelihood that adds up over rows, each counted so often or weighted."""

    @property
    def weights(self) -> Floats:
        """How often each row counts."""

    def scores(self, parameters: Floats, /) -> Floats:
        """Each row's gradient, not weighted, shape (n, k)."""


class Weighable(Protocol):
    """A log-likelihood over weighted rows that can be maximised again with other weights."""

    @property
    def weights(self) -> Floats:
        """How often each row counts."""

    def scores(self, parameters: Floats, /) -> Floats:
        """Each row's gradient, not weighted, shape (n, k)."""

    def weighed(self, weights: Floats) -> LogLikelihood:
        """The same rows, each counted as often as these weights say."""


def inverse(information: Floats) -> Floats:
    """Invert an information matrix whose rows may be of very different size.

    >>> inverse(np.diag([1e-200, 4.0])).tolist()
    [[1e+200, 0.0], [0.0, 0.25]]
    """
    size = np.sqrt(np.abs(np.diag(information)))
    return np.linalg.inv(information / np.outer(size, size)) / size / size[:, None]


def runs_away(names: Sequence[str], information: Floats, size: Floats) -> list[str]:
    """Name the parameters along which a likelihood rises without end; none if it has a top.

    >>> runs_away(("intercept", "age"), np.diag([4.0, 1e-12]), np.ones(2))
    ['age']
    """
    values, axes = np.linalg.eigh(information / np.outer(size, size))
    part = np.abs(axes[:, 0])
    along = [names[i] for i in np.argsort(-part) if part[i] > 0.3 * part.max()]
    return sorted(along[:5]) if values[0] <= _RUNAWAY else []


def sandwich(
    likelihood: ScoredByRow, parameters: Floats, bread: Floats, clusters: Any = None
) -> tuple[Floats, StandardErrors]:
    r"""The covariance by Huber (1967), and what it rests on.

    .. math:: A \Bigl( \frac{G}{G - 1} \sum_g s_g s_g^T \Bigr) A

    with A the inverse of the information observed and s_g the slope of cluster g, of which a row
    that is there c times has c. Without clusters each row, as often as it is there, is its own.

    Parameters
    ----------
    likelihood : ScoredByRow
    parameters : array, shape (k,)
    bread : array, shape (k, k)
        A.
    clusters : array_like, shape (n,), or None
        Each row's label.

    Raises
    ------
    InputError
        If the labels do not fit the rows, cannot be sorted, or are as few as the parameters.
    """
    is_counted = likelihood.weights > 0
    scores, counts = likelihood.scores(parameters)[is_counted], likelihood.weights[is_counted]
    if clusters is not None:
        totals = _sum_by_cluster(scores * counts[:, None], clusters, is_counted)
        scores, counts = totals, np.ones(len(totals))
    n = counts.sum()
    meat = (scores * counts[:, None]).T @ scores * (n / max(n - 1, 1))
    covariance = bread @ meat @ bread
    if clusters is None:
        return covariance, StandardErrors(source=ErrorSource.ROBUST)
    return covariance, StandardErrors(source=ErrorSource.CLUSTERED, clusters=len(scores))


def survey_sandwich(
    likelihood: ScoredByRow, parameters: Floats, bread: Floats, sampling: AbstractSamplingDesign
) -> tuple[Floats, StandardErrors]:
    r"""The covariance of a weighted pseudo-likelihood's top under a sampling design (Binder, 1983).

    .. math:: A \, \hat V \Bigl( \sum_i w_i s_i \Bigr) A

    with A the inverse of the information observed and the sampling design's covariance of the total
    of the weighted slopes between. Of a finite population, what the channel draws is given back
    where the likelihood says it.

    Returns
    -------
    covariance : array, shape (k, k)
    errors : StandardErrors
        Its freedom is that of the sampling design, less one for each parameter but the first.

    Raises
    ------
    InputError
        If no degree of freedom is left.
    """
    df = _residual_freedom(sampling, len(parameters))
    meat = sampling.covariance(likelihood.scores(parameters))
    return bread @ meat @ bread, StandardErrors(source=ErrorSource.LINEARISED, df=df)


def _residual_freedom(sampling: AbstractSamplingDesign, parameters: int) -> float:
    df = sampling.df + 1 - parameters
    if df < 1:
        raise InputError(
            "sampling",
            got=f"{sampling.df:g} degrees of freedom for {parameters} parameters",
            allowed="more clusters, less strata, than parameters",
            remedy="leave covariates out",
        )
    return df


def refitted(
    likelihood: Weighable, parameters: Floats, bread: Floats, within: Within | None = None
) -> Callable[[Floats], Floats | None]:
    """Maximise again with other weights, from the top that all have; None where there is no top."""
    size = np.sqrt(np.diag(inverse(bread)))

    def refit(weights: Floats) -> Floats | None:
        reweighed = likelihood.weighed(weights)
        top = maximise(reweighed, parameters, within)
        if not top.settled:
            return None
        free = (
            slice(None)
            if within is None
            else (top.parameters > within[0]) & (top.parameters < within[1])
        )
        bend = next(iter(reweighed.informations(top.parameters)))() / np.outer(size, size)
        has_top = bool(np.linalg.eigvalsh(bend[free][:, free])[0] > _RUNAWAY)
        return top.parameters if has_top else None

    return refit


def replicate_covariance(
    refit: Callable[[Floats], Floats | None], parameters: Floats, sampling: ReplicateWeights
) -> tuple[Floats, StandardErrors]:
    r"""The covariance of fitted parameters by replicates: each fits all of them again.

    .. math:: \hat V = a \sum_r a_r (\hat\theta_r - \bar\theta)(\hat\theta_r - \bar\theta)^T

    Parameters
    ----------
    refit : callable
        Gives the parameters for weights of shape (n,), or None if these have no most likely ones.
    parameters : array, shape (k,)
        The parameters for all weights.
    sampling : ReplicateWeights

    Returns
    -------
    covariance : array, shape (k, k)
    errors : StandardErrors
        Its freedom is that of the sampling design, less one for each parameter but the first.

    Raises
    ------
    InputError
        If no degree of freedom is left, or a replicate has negative weights.
    NotIdentified
        If there is no fit to one of the replicates.
    """
    df = _residual_freedom(sampling, len(parameters))
    tops = fits_to_replicates(sampling, refit, parameters, _NO_TOP)
    errors = StandardErrors(source=ErrorSource.REPLICATED, replicates=len(tops), df=df)
    return spread_of(sampling, tops, parameters), errors


_NO_TOP = (
    "a replicate whose likelihood has no top",
    "people enough in every replicate to fit the model again",
    "leave covariates out, join rare levels, or hand over a SamplingDesign, whose variance is "
    "linearised",
)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Influence:
    """How much each row moves an estimate, for what adds up over rows or clusters."""

    rows: Floats
    weights: Floats

    def scores(self, parameters: Floats) -> Floats:
        """Of the first so many parameters."""
        return self.rows[:, : len(parameters)]


def influence_spread(
    rows: Floats, weights: Floats, clusters_and_sampling: tuple[Any, AbstractSamplingDesign | None]
) -> tuple[Floats, StandardErrors]:
    """The covariance of what each row moves by so much, and what it rests on.

    >>> rows = np.array([[0.5], [-0.5]])
    >>> spread, errors = influence_spread(rows, np.ones(2), (None, None))
    >>> spread, errors.source is ErrorSource.ROBUST, errors.df
    (array([[1.]]), True, inf)
    """
    influence, origin = _Influence(rows=rows, weights=weights), np.zeros(rows.shape[1])
    plain = np.eye(len(origin))
    if clusters_and_sampling[1] is not None:
        return survey_sandwich(influence, origin, plain, clusters_and_sampling[1])
    return sandwich(influence, origin, plain, clusters_and_sampling[0])


Spread = tuple[str, Any, AbstractSamplingDesign | None]
"""What errors come from: their name, clusters, and a sampling design in place of both."""


def covariance_by(
    likelihood: Weighable,
    parameters: Floats,
    bread: Floats,
    spread: Spread,
    within: Within | None = None,
    speaks: Booleans | None = None,
) -> tuple[Floats, StandardErrors]:
    """The covariance at a top, and what it rests on.

    That of a sampling design: of whole fits to each of its replicates, or linearised; or the
    sandwich, where it is asked for or there are clusters; or else A, the inverse of the information
    observed.

    Parameters
    ----------
    likelihood : Weighable
    parameters : array, shape (k,)
    bread : array, shape (k, k)
        A.
    spread : Spread
    within : (array, array), optional
        Bounds of the parameters.
    speaks : array of bool, shape (n,), optional
        Which rows say something; all if left out. How many do not is ancillary: of rows or clusters
        drawn with replacement only those that do are counted. A sampling design keeps its strata
        and stages.
    """
    errors, clusters, sampling = spread
    if isinstance(sampling, ReplicateWeights):
        return replicate_covariance(
            refitted(likelihood, parameters, bread, within), parameters, sampling
        )
    if sampling is None and clusters is None and errors != "robust":
        return bread, StandardErrors(source=ErrorSource.OBSERVED)
    scored: ScoredByRow = likelihood
    alone = sampling is None or weights_alone(sampling)
    if speaks is not None and alone and not speaks.all():
        rows, weights = likelihood.scores(parameters)[speaks], likelihood.weights[speaks]
        scored = _Influence(rows=rows, weights=weights)
        clusters = clusters if clusters is None else np.asarray(clusters)[speaks]
        sampling = sampling and SamplingDesign(weights=sampling.weights[speaks])
    if sampling is not None:
        return survey_sandwich(scored, parameters, bread, sampling)
    return sandwich(scored, parameters, bread, clusters)


def people_counted(weights: Floats, df: float) -> Floats:
    """How many respondents each row is: as often as it is there, or of a sample 1 of any weight.

    >>> people_counted(np.array([3.0, 0.0]), math.inf), people_counted(np.array([2.5, 0.0]), 30)
    (array([3., 0.]), array([1., 0.]))
    """
    return weights if math.isinf(df) else (weights > 0).astype(np.float64)


def refuse_expected(errors: str) -> None:
    """Refuse model-based standard errors where a sampling design gives its own.

    >>> refuse_expected("robust")
    """
    if errors not in ("observed", "robust"):
        raise InputError(
            "errors",
            got=errors,
            allowed="none beside weights or a sampling design, which give the errors",
        )


def refuse_pseudo(df: float) -> None:
    """Refuse the likelihood ratio of a weighted pseudo-likelihood, which has another law.

    >>> refuse_pseudo(math.inf)
    """
    if not math.isinf(df):
        raise InputError(
            "likelihood_ratio",
            got="a complex sample",
            allowed="people who were drawn at random",
            remedy="test coefficients by value and covariance (Wald)",
        )


def _sum_by_cluster(scores: Floats, clusters: Any, is_counted: Booleans) -> Floats:
    labels, k = _labels(clusters), scores.shape[1]
    if labels.shape != is_counted.shape:
        raise InputError(
            "clusters", got=f"shape {labels.shape}", allowed=f"{len(is_counted)} labels"
        )
    missing = labels.dtype.kind in "fmMO" and [is_missing(label) for label in labels.tolist()]
    if missing and any(missing):
        raise InputError(
            f"clusters[{missing.index(True)}]",
            got="nothing",
            allowed="a label for every row",
            remedy="give rows that stand alone labels of their own",
        )
    try:
        names, member = np.unique(labels[is_counted], return_inverse=True)
    except TypeError as error:
        raise InputError(
            "clusters", got="labels of several kinds", allowed="all text, or all numbers"
        ) from error
    if len(names) <= k:
        raise InputError(
            "clusters",
            got=f"{len(names)} clusters",
            allowed=f"more clusters than the {k} parameters",
        )
    return np.column_stack([np.bincount(member, score) for score in scores.T])


def _labels(clusters: Any) -> npt.NDArray[Any]:
    if isinstance(clusters, np.ma.MaskedArray):
        clusters = np.array(clusters.tolist(), dtype=object)
    try:
        return np.asarray(clusters)
    except ValueError as error:
        raise InputError(
            "clusters", got="rows of unequal length", allowed="a label each"
        ) from error


class Likely(Protocol):
    """A regression by maximum likelihood."""

    @property
    def table(self) -> CoefficientTable:
        """What was fitted."""

    @property
    def log_likelihood(self) -> float:
        """At what was fitted."""


def spans_columns(
    larger: tuple[Floats, Floats], smaller: tuple[Floats, Floats], rows: Booleans
) -> bool:
    """Decide by rank whether a model's linear predictors include all those of another.

    Parameters
    ----------
    larger, smaller : (array of shape (n, c), array of shape (r c, parameters))
        Covariates X, and R: the r predictors are η = X B with vec B = Rθ.
    rows : array of bool, shape (n,)
        Those that count.

    >>> x, every = np.arange(4.0), np.ones(4, dtype=bool)
    >>> line = np.column_stack([np.ones(4), x]), np.eye(2)
    >>> spans_columns(line, ((3 - 2 * x)[:, None], np.eye(1)), every)
    True
    >>> spans_columns(line, ((x**2)[:, None], np.eye(1)), every)
    False
    """
    width = larger[0].shape[1]
    stacked = np.hstack([larger[0][rows], smaller[0][rows]])
    factor = np.asarray(np.linalg.qr(stacked, mode="r"), dtype=np.float64)
    wide, narrow = (
        np.kron(np.eye(len(restriction) // columns.shape[1]), columns) @ restriction
        for columns, restriction in (
            (factor[:, :width], larger[1]),
            (factor[:, width:], smaller[1]),
        )
    )
    if len(wide) != len(narrow):
        return False
    size = np.linalg.norm(wide, axis=0)
    basis, singular, _ = np.linalg.svd(wide / np.where(size > 0, size, 1), full_matrices=False)
    basis = basis[:, singular > _RANK * singular.max(initial=0)]
    residual = np.linalg.norm(narrow - basis @ (basis.T @ narrow), axis=0)
    return bool((residual <= _RANK * np.linalg.norm(narrow, axis=0)).all())


_RANK = 1e-8  # of a column's length: less that is left of it is rounding


def likelihood_ratio(
    larger: Likely, smaller: Likely, *, same: bool, inputs: str, nested: bool
) -> tuple[float, int, float]:
    """Twice the difference in log-likelihood, its degrees of freedom, and the chance of more.

    Parameters
    ----------
    larger, smaller : fitted regressions
    same : bool
        Whether both were given the same.
    inputs : str
        What they were given, for the message.
    nested : bool
        Whether the smaller is a special case of the larger, as `spans_columns` decides.

    Raises
    ------
    InputError
        If the smaller regression is not smaller, was given something else, or is no special case.
    """
    df = len(larger.table.value) - len(smaller.table.value)
    if df <= 0 or not same:
        raise InputError(
            "likelihood_ratio",
            got=f"{len(smaller.table.value)} values"
            + ("" if same else f", not of the same {inputs}"),
            allowed=f"fewer than {len(larger.table.value)}, of the same {inputs}",
        )
    if not nested:
        raise InputError(
            "likelihood_ratio",
            got="models that are not nested",
            allowed="a smaller one whose columns are all combinations of columns of the larger",
            remedy="compare them by AIC",
        )
    statistic = max(2 * (larger.log_likelihood - smaller.log_likelihood), 0.0)
    return statistic, df, float(chdtrc(df, statistic))
