"""Linear regression of numbers seen as ranges, by maximum likelihood."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Literal, final

import numpy as np

from askance.channels.ranges import Ranges, single_numbers
from askance.chart import Chart
from askance.inference.fit_result import Convergence, GoodnessOfFit, Untested
from askance.inference.maximisation import Optimum, maximise
from askance.inference.provenance import Computation
from askance.inference.ranges.sampled import distinct, senders
from askance.inference.regression.censored_likelihood import CensoredLikelihood, first_guess
from askance.inference.regression.coefficients import (
    CoefficientTable,
    FromTable,
    Margins,
    Per,
    Spread,
    akaike,
    coefficient_chart,
    coefficient_json,
    convergence_notes,
    covariance_by,
    describe_likelihood,
    draw_coefficients,
    inverse,
    likelihood_ratio,
    refuse_expected,
    refuse_pseudo,
    runs_away,
    spans_columns,
    tabulate_coefficients,
)
from askance.inference.regression.covariates import (
    Covariates,
    build_model_matrix,
    covariate_spreads,
    covariates_of,
)
from askance.inference.regression.error_laws import AbstractNoise, noise_of
from askance.inference.regression.formula import (
    Cases,
    Formula,
    Missing,
    RegressionColumns,
    complete_cases,
    listed_below_formula,
    look_up_columns,
)
from askance.inference.regression.profile_interval import LinearTarget, Profile
from askance.inference.sampling_columns import SamplingColumns
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.inference.standard_errors import ErrorSource, StandardErrors
from askance.results import (
    Listing,
    counted,
    normal_quantile,
    number,
    result_frame,
    result_stream,
    student_quantile,
)
from askance.typing import Floats, Json
from askance_collect.arguments import checked, same_rows
from askance_collect.errors import InputError, NotIdentified, refuse_unknown

_INTERVALS = ("wald", "profile", "score")


@final
@listed_below_formula
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CensoredRegression:
    """A linear regression y = β₀ + xβ + σε, or of log y, with y interval-censored.

    Attributes
    ----------
    noise : AbstractNoise
        The law of ε.
    log : bool
        Whether it is log y that is linear.
    terms : tuple of str
        The c covariates.
    table : CoefficientTable
        Of β₀, β and log σ. Its attributes (names, value, covariance, standard_errors, level, df, se
        and p_value) are those of the regression too.
    log_likelihood : float
    gap : float
        What a further step would add to it.
    convergence : Convergence
    likelihood : CensoredLikelihood
        The ranges, of log y if that is linear, and the covariates.
    formula : Formula or None
        What the covariates were made by. Those of others are then given as a data frame.

    >>> import askance as ak
    >>> hours = ak.Ranges([0, 2, 4, 6, 8, 10] * 2, [2, 4, 6, 8, 10, 12] * 2)
    >>> children = [[x] for x in (0, 1, 1, 2, 2, 3, 0, 0, 1, 2, 3, 3)]
    >>> ak.censored_regression(hours, children, terms=["children"]).predict([[0], [2]]).round(1)
    array([1.6, 7.5])
    """

    computation: ClassVar[Computation] = Computation.CENSORED_REGRESSION
    noise: AbstractNoise
    log: bool
    terms: tuple[str, ...]
    table: CoefficientTable
    log_likelihood: float
    gap: float
    convergence: Convergence
    likelihood: CensoredLikelihood
    formula: Formula | None = None

    names = FromTable[tuple[str, ...]]("names")
    value = FromTable[Floats]("value")
    covariance = FromTable[Floats]("covariance")
    standard_errors = FromTable[StandardErrors]("standard_errors")
    level = FromTable[float]("level")
    df = FromTable[float]("df")
    se = FromTable[Floats]("se")
    p_value = FromTable[Floats]("p_value")

    @property
    def scale(self) -> float:
        """The scale σ of the noise."""
        return float(np.exp(self.value[-1]))

    @property
    def n(self) -> float:
        """How many numbers were observed: of a sample, those of people of some weight."""
        ranges = self.likelihood.ranges
        return ranges.total if math.isinf(self.df) else float((ranges.weights > 0).sum())

    @property
    def aic(self) -> float:
        """Akaike's criterion: twice the values fitted, less twice the log-likelihood.

        NaN of a complex sample, whose likelihood is none.
        """
        return akaike(self.log_likelihood, len(self.value), self.df)

    def coefficients(self, by: Literal["wald", "profile", "score"] = "wald") -> Margins:
        """Every value with its interval.

        Parameters
        ----------
        by : {"wald", "profile", "score"}
            Value ± z se; or all values that a test on the likelihood ratio, or on its slope, does
            not reject, the others taking their most likely values. These two hold under the model,
            whatever the standard errors come from.

        Raises
        ------
        InputError
            If the kind of interval is unknown, or rests on the likelihood of a complex sample.
        """
        refuse_unknown("coefficients.by", by, _INTERVALS)
        if by == "wald":
            return self.table.margins()
        refuse_pseudo(self.df)
        plain: Floats = np.asarray(np.linalg.inv(self.likelihood.observed(self.value)), dtype=float)
        profile = Profile(
            likelihood=self.likelihood,
            top=self.value,
            plain=plain,
            covariance=plain,
            critical=normal_quantile(self.level),
            statistic=partial(_score, self.likelihood) if by == "score" else None,
            farthest=_FARTHEST,
        )
        scale = replace(profile, farthest=_WIDEST / float(np.sqrt(plain[-1, -1])))
        *others, last = (LinearTarget(factors=unit) for unit in np.eye(len(plain)))
        ends = [*map(profile.interval, others), scale.interval(last)]
        return Margins(
            title=f"coefficient, {by} interval",
            labels=self.names,
            value=self.value,
            covariance=self.covariance,
            lower=np.array(ends)[:, 0],
            upper=np.array(ends)[:, 1],
            level=self.level,
        )

    @checked
    def likelihood_ratio(self, smaller: "CensoredRegression") -> tuple[float, int, float]:
        """Test what a smaller regression of the same ranges leaves out.

        Gives twice the difference in log-likelihood, its degrees of freedom, and how often χ² is as
        large.

        Raises
        ------
        InputError
            If the other regression is not smaller, no special case of this one, or of other ranges
            or another noise; or of a complex sample, whose likelihood is none.
        """
        refuse_pseudo(self.df)
        own, other = self.likelihood, smaller.likelihood
        same = (
            self.noise == smaller.noise
            and self.log == smaller.log
            and all(
                np.array_equal(getattr(own.ranges, name), getattr(other.ranges, name))
                for name in ("lower", "upper", "starts", "entry", "exit")
            )
            and np.array_equal(own.weights, other.weights)
        )
        nested = same and spans_columns(
            (own.model_matrix, np.eye(own.model_matrix.shape[1])),
            (other.model_matrix, np.eye(other.model_matrix.shape[1])),
            own.weights > 0,
        )
        return likelihood_ratio(self, smaller, same=same, inputs="ranges and noise", nested=nested)

    @checked
    def predict(self, covariates: Any, share: float = 0.5) -> Floats:
        """The number that a share of people with these covariates do not exceed.

        Parameters
        ----------
        covariates : array_like or data frame, shape (rows, c)
        share : float
            The median, if left out; for noise that leans to no side also the mean of what is
            linear.
        """
        return self._to_number(self._predict_linear(covariates, share)[0])

    def predict_interval(self, covariates: Any) -> tuple[Floats, Floats]:
        """The range between whose ends one more number lies at the regression's level.

        What is uncertain in the coefficients is left out; `at` tells how much that is.
        """
        tail = (1 - self.level) / 2
        return self.predict(covariates, tail), self.predict(covariates, 1 - tail)

    @checked
    def predict_margins(self, covariates: Any, share: float = 0.5) -> Margins:
        """Predictions, as `predict`, with the coefficients' uncertainty by the delta method.

        The intervals are those of what is linear, so that those of log y are never negative.
        """
        linear, slope = self._predict_linear(covariates, share)
        covariance = slope @ self.covariance @ slope.T
        reach = student_quantile(self.level, self.df) * np.sqrt(np.diag(covariance).clip(0))
        grown = np.exp(linear) if self.log else np.ones(len(linear))
        return Margins(
            title="median" if share == 0.5 else f"{share:g} quantile",
            labels=tuple(f"row {row}" for row in range(len(linear))),
            value=self._to_number(linear),
            covariance=covariance * np.outer(grown, grown),
            lower=self._to_number(linear - reach),
            upper=self._to_number(linear + reach),
            level=self.level,
        )

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Not tested: the law of the cuts behind these ranges is not given."""
        return GoodnessOfFit(untested=Untested.UNKNOWN_LAW)

    def to_dict(self) -> Json:
        """Write the fit for JSON."""
        written = coefficient_json(self, "scale log aic") | {"noise": self.noise.name}
        return written if self.formula is None else {"formula": self.formula.text, **written}

    @checked
    def notes(self, *, is_brief: bool = False) -> list[str]:
        """Describe the model, the respondents, and how the fit ended.

        Parameters
        ----------
        is_brief : bool
            Whether the end of a fit that ended well is left out.
        """
        return [
            f"scale {number(self.scale)}; {counted(self.n, 'range')}; "
            f"{describe_likelihood(self.log_likelihood, self.aic)}; se by {self.standard_errors}",
            *convergence_notes(self.convergence, is_brief=is_brief),
        ]

    def _table(self) -> Listing:
        return self._title(), *self.table.rows(), self.notes()

    def _chart(self, per: Per = "sd") -> Chart:
        """Describe the coefficients of the covariates with their intervals."""
        likelihood = self.likelihood
        spreads = covariate_spreads(self.terms, likelihood.model_matrix, likelihood.weights)
        return coefficient_chart(self, range(1, len(self.terms) + 1), self._title(), spreads, per)

    plot = draw_coefficients
    plot_data = tabulate_coefficients

    def _title(self) -> str:
        return f"{'logarithm of the number' if self.log else 'number'}, {self.noise.name} noise"

    def _predict_linear(self, covariates: Any, share: float) -> tuple[Floats, Floats]:
        """A quantile of what is linear, and its slope by each value."""
        if not 0 < share < 1:
            raise InputError("share", got=share, allowed="a probability strictly between 0 and 1")
        matrix = covariates if self.formula is None else self.formula.covariates(covariates)
        model_matrix = build_model_matrix(matrix, self.terms)
        reach = float(self.noise.quantile(share)) * self.scale
        return model_matrix @ self.value[:-1] + reach, np.column_stack(
            [model_matrix, np.full(len(model_matrix), reach)]
        )

    def _to_number(self, linear: Floats) -> Floats:
        return np.exp(linear) if self.log else linear

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


ERRORS = ("observed", "scores", "robust")
_CONCAVE = ("normal", "logistic", "gumbel")  # in the logarithm of their density
_FEW = 2000
"""At least so many rows are fitted first, where there are many more; else one of fifty."""

_MOST_NEARBY = 6  # steps, before all rows are fitted instead
_SHORT = 3e-5
"""A step that gains no more log-likelihood than this ends within its square of the top."""

_LEAST_SCALE = 1e-9
"""Of the spread of the numbers: noise smaller than that is none."""


@checked
def censored_regression(
    ranges: Ranges,
    covariates: Any = None,
    noise: str | AbstractNoise = "normal",
    *,
    data: Any = None,
    log: bool = False,
    terms: Sequence[str] | None = None,
    weights: Any = None,
    errors: Literal["observed", "scores", "robust"] = "observed",
    clusters: Any = None,
    sampling: AbstractSamplingDesign | SamplingColumns | None = None,
    level: float = 0.95,
    missing: Missing = "refuse",
) -> CensoredRegression:
    r"""Regress interval-censored numbers on covariates, by maximum likelihood.

    .. math:: (\hat\beta, \hat\sigma) = \arg\max
        \sum_i w_i \log P(\beta_0 + x_i \beta + \sigma \varepsilon_i \in D_i)

    Of truncated ranges log P of the window ``(entry, exit]`` is taken off. A range that is an exact
    number counts by its density. The likelihood is maximised by Newton's method with exact
    derivatives, and never descends; for normal, logistic and extreme-value noise and ranges of one
    piece its top is the only one (Burridge, 1981).

    Parameters
    ----------
    ranges : Ranges, n rows
        The sets D_i, unions included; their weights say how often each row is there.
    covariates : array_like or data frame, shape (n, c), or str, optional
        Numbers, without a column of ones: an intercept is always there, and alone if they are left
        out. One covariate may have shape (n,). Or a formula of the columns of ``data``, such as
        ``"~ age + C(region)"``, in the grammar of formulaic.
    noise : {"normal", "logistic", "student", "gumbel", "laplace"} or a noise
        The law of ε, or ``StudentNoise(3)`` and the like. With ``log``, gumbel is Weibull
        regression, logistic log-logistic and normal log-normal.
    data : pandas, polars or other data frame, or mapping of str to sequence, optional
        Where ``weights`` and ``clusters`` may be names of columns too. Columns that the formula
        names have no holes.
    log : bool
        Regress the logarithm of the number, which is then positive: an accelerated failure time.
        The log-likelihood stays that of the number.
    terms : sequence of str, optional
        Names of the covariates; the formula's, those of the data frame's columns, or x1, x2, … if
        left out.
    weights : array_like, shape (n,), or str, optional
        Sampling weights, as in `response_regression`; those of the ranges are then 1.
    errors : {"observed", "scores", "robust"}
        What the standard errors come from: the information observed; the products of scores, which
        estimate the expected one (Berndt, Hall, Hall & Hausman, 1974); or the sandwich (Huber,
        1967), right whatever the noise is.
    clusters : array_like, shape (n,), optional
        Rows that bear the same label may depend on each other; errors are then robust by cluster.
    sampling : SamplingDesign, ReplicateWeights or SamplingColumns, optional
        A complex sample, as in `response_regression`; its weights replace those of the ranges,
        which are 1. Finite-population corrections count where no two ranges overlap, as of fixed
        brackets: the range then follows from the number. Of ranges that overlap it was drawn
        too, and no population is too small for that: they are left out.
    level : float
        Of the intervals.
    missing : {"refuse", "drop"}
        As in `response_regression`.

    Returns
    -------
    CensoredRegression

    Raises
    ------
    InputError
        If lengths differ, a covariate is missing or constant, a logarithm is asked of numbers that
        are not positive, or Laplace noise of exact numbers, whose likelihood has kinks; or a
        formula cannot be read or names a column that is not there.
    MissingExtra
        If formulas are not installed.
    NotIdentified
        If covariates determine each other, no range says anything, all leave the same side open, or
        the likelihood has no top.

    References
    ----------
    Tobin (1958); Kalbfleisch & Prentice (2002), chapter 3.

    >>> low, high = [-np.inf, 1, -np.inf, 3], [1, np.inf, 3, np.inf]
    >>> low, high = low + [-np.inf, 3, -np.inf, 5], high + [3, np.inf, 5, np.inf]
    >>> ranges = Ranges(low, high, counts=[1, 3, 3, 1, 1, 3, 3, 1])
    >>> fit = censored_regression(ranges, [[0]] * 4 + [[1]] * 4, "logistic")
    >>> fit.value[:2].round(6).tolist(), round(1 / fit.scale, 6)  # σ = 1/log 3
    ([2.0, 2.0], 1.098612)
    >>> lives = {"lives": ["country"] * 4 + ["town"] * 4}
    >>> fit = censored_regression(ranges, "~ lives", "logistic", data=lives)
    >>> fit.predict({"lives": ["country", "town"]}).round(6).tolist()
    [2.0, 4.0]
    """
    cases = data, covariates, sampling, {"ranges": ranges, "weights": weights, "clusters": clusters}
    same_rows(data=data, covariates=covariates, **cases[-1])
    normal_quantile(level)
    formula, model_matrix, ranges, spread = _read_cases(cases, missing, terms, errors)
    law, (outcome, stretch) = _law(noise, ranges), logarithms(ranges) if log else (ranges, 0.0)
    problem = CensoredLikelihood(noise=law, ranges=outcome, model_matrix=model_matrix.standard())
    start, back = first_guess(law, outcome), _unstandardise(model_matrix)
    top, information = _maximise_in_stages(problem, law, start)
    _refuse_runaway(information, top, model_matrix, start[1])
    bread = inverse(information)
    covariance, standard_errors = _covariance(problem, top.parameters, bread, spread)
    names = "intercept", *model_matrix.terms, "log scale"
    return CensoredRegression(
        noise=law,
        log=log,
        terms=model_matrix.terms,
        table=CoefficientTable.unstandardised(
            back, names, top.parameters, covariance, standard_errors, level
        ),
        log_likelihood=top.total - stretch,
        gap=top.gap,
        convergence=_convergence(law, ranges, top),
        likelihood=problem.of(model_matrix.matrix),
        formula=formula,
    )


def _read_cases(
    cases: Cases, missing: Missing, terms: Sequence[str] | None, errors: str
) -> tuple[Formula | None, Covariates, Ranges, Spread]:
    """Read the covariates, the ranges and what errors come from."""
    data, covariates, sampling, rows = cases
    data, covariates, sampling, complete = complete_cases(
        missing, data, covariates, sampling, **rows
    )
    ranges = complete.pop("ranges")
    columns = look_up_columns(data, covariates, terms, **complete)
    sample, _ = columns.read_sample(sampling, data, len(ranges))
    ranges, spread = _weigh_ranges(ranges, sample, errors, columns)
    names = _names(columns.covariates, columns.terms)
    model_matrix = covariates_of(columns.covariates, len(ranges), names, ranges.weights)
    return columns.formula, model_matrix, ranges, spread


def _weigh_ranges(
    ranges: Ranges, sample: AbstractSamplingDesign | None, errors: str, columns: RegressionColumns
) -> tuple[Ranges, Spread]:
    """Give ranges the weights of a sample, and say what errors come from."""
    refuse_unknown("errors", errors, ERRORS)
    if sample is None:
        return ranges, (errors, columns.clusters, None)
    if not np.isin(ranges.weights, (0, 1)).all():
        raise InputError(
            "ranges",
            got="counts beside sampling weights or a sampling design",
            allowed="ranges that are each there once",
            remedy="repeat the rows, each with its weight",
        )
    sample = senders(ranges, sample)
    return ranges.reweighed(sample.weights), (errors, columns.clusters, sample)


def _law(noise: str | AbstractNoise, ranges: Ranges) -> AbstractNoise:
    law = noise_of(noise)
    _refuse_kinks(law, ranges)
    return law


def _convergence(noise: AbstractNoise, ranges: Ranges, top: Optimum) -> Convergence:
    if not top.settled:
        return Convergence.STOPPED
    concave = noise.name in _CONCAVE and ranges.is_single_piece and ranges.entry is None
    return Convergence.CONVERGED if concave else Convergence.STATIONARY


def logarithms(ranges: Ranges) -> tuple[Ranges, float]:
    """The ranges of the logarithm, and Σ w log y over the exact numbers.

    Raises
    ------
    InputError
        If a range holds no positive number, or numbers below zero.

    >>> logarithms(Ranges([0, 1], [1, np.inf]))
    (Ranges((-inf, 0], (0, inf]), 0.0)
    """
    wrong = (ranges.upper <= 0) | ((ranges.lower < 0) & np.isfinite(ranges.lower))
    exact = single_numbers(ranges.lower, ranges.upper)
    wrong &= ~(exact & (ranges.upper > 0))
    if wrong.any():
        piece = int(np.argmax(wrong))
        raise InputError(
            f"ranges[{int(np.searchsorted(ranges.starts, piece, side='right')) - 1}]",
            got=f"ends {ranges.lower[piece]} and {ranges.upper[piece]}",
            allowed="positive numbers, whose lower end may be 0 or -inf",
            remedy="leave log=False for numbers that can be negative",
        )
    with np.errstate(divide="ignore"):
        lower, upper = np.log(np.maximum(ranges.lower, 0)), np.log(ranges.upper)
    lower = np.where(exact, np.nextafter(upper, -np.inf), lower)
    row = np.repeat(np.arange(len(ranges)), np.diff(ranges.starts))
    stretch = float(ranges.weights[row[exact]] @ upper[exact])
    entry, exit_ = ranges.entry, ranges.exit
    if entry is not None and exit_ is not None:
        with np.errstate(divide="ignore"):
            entry, exit_ = np.log(np.maximum(entry, 0)), np.log(exit_)
    pieces = np.diff(ranges.starts)
    return Ranges(lower, upper, ranges.weights, pieces=pieces, entry=entry, exit=exit_), stretch


def _names(covariates: Any, terms: Sequence[str] | None) -> tuple[str, ...] | None:
    if terms is not None:
        return tuple(terms)
    columns = getattr(covariates, "columns", None)
    if columns is None and isinstance(getattr(covariates, "name", None), str):
        return (covariates.name,) if covariates.name else None
    return None if columns is None else tuple(str(name) for name in columns)


def _refuse_kinks(noise: AbstractNoise, ranges: Ranges) -> None:
    if noise.kink and single_numbers(ranges.lower, ranges.upper).any():
        raise InputError(
            "noise",
            got=f"{noise.name}, and exact numbers among the ranges",
            allowed="noise without a kink in its density, or ranges alone",
            remedy='"logistic" or "student" noise resists outliers as well',
        )


def _maximise_in_stages(
    problem: CensoredLikelihood, noise: AbstractNoise, start: tuple[float, float]
) -> tuple[Optimum, Floats]:
    """Maximise, of very many rows by some first; give the information where it ended."""
    n, width = problem.model_matrix.shape
    parameters = np.zeros(width + 1)
    parameters[0], parameters[-1] = start[0] - start[1] * noise.mean, np.log(start[1])
    few = max(_FEW, n // 50)
    if n > 4 * few:
        some = maximise(problem.some(slice(None, None, n // few)), parameters)
        reached = _refine_optimum(problem, some.parameters) if some.settled else None
        if reached is not None:
            return reached
    top = maximise(problem, parameters)
    return top, problem.observed(top.parameters)


def _refine_optimum(
    problem: CensoredLikelihood, parameters: Floats
) -> tuple[Optimum, Floats] | None:
    """Take Newton's steps near the top; the last is so short that nobody need look again."""
    total = -np.inf
    for _ in range(_MOST_NEARBY):
        reached, slope = problem.total(parameters), problem.slope(parameters)
        information = problem.observed(parameters)
        if not reached > total or not np.linalg.eigvalsh(information)[0] > 0:
            return None
        step = np.linalg.solve(information, slope)
        gap = float(slope @ step) / 2
        parameters, total = parameters + step, reached
        if gap <= _SHORT:
            return Optimum(
                parameters=parameters, total=total + gap, gap=gap, settled=True
            ), information
    return None


def _refuse_runaway(
    information: Floats, top: Optimum, model_matrix: Covariates, spread: float
) -> None:
    """Say along what a likelihood without a top runs away."""
    scale = np.exp(top.parameters[-1])
    names = ("intercept", *model_matrix.terms, "log scale")
    size = np.append(np.full(len(names) - 1, 1 / scale), 1.0) * np.sqrt(model_matrix.weights.sum())
    noiseless = scale < _LEAST_SCALE * spread
    along = ["log scale"] if noiseless else runs_away(names, information, size)
    if not along:
        return
    raise NotIdentified(
        "censored_regression",
        got=f"a likelihood that rises without end along {', '.join(along)}",
        allowed="ranges that no line passes through all of, and ends on both sides at every level",
        remedy="leave the covariate out or join its levels; a line that explains everything leaves "
        "no noise to estimate",
    )


def _covariance(
    problem: CensoredLikelihood,
    parameters: Floats,
    bread: Floats,
    spread: Spread,
) -> tuple[Floats, StandardErrors]:
    errors, clusters, sampling = spread
    if sampling is not None:
        refuse_expected(errors)
        sampling = sampling if disjoint(problem.ranges) else sampling.with_replacement()
    elif clusters is None and errors == "scores":
        return inverse(problem.products(parameters)), StandardErrors(source=ErrorSource.SCORES)
    speaks = np.isfinite(problem.ranges.lower) | np.isfinite(problem.ranges.upper)
    return covariance_by(problem, parameters, bread, (errors, clusters, sampling), speaks=speaks)


def disjoint(ranges: Ranges) -> bool:
    """Say whether no two different ranges overlap, so that a number has one range alone.

    >>> disjoint(Ranges([0, 5, 0], [5, 9, 5])), disjoint(Ranges([0, 4], [5, 9]))
    (True, False)
    """
    once, _ = distinct(ranges[ranges.weights > 0])
    order = np.argsort(once.lower, kind="stable")
    return bool(np.all(once.upper[order][:-1] <= once.lower[order][1:]))


def _unstandardise(model_matrix: Covariates) -> Floats:
    """What turns values of standardised covariates into those of the covariates."""
    back = np.eye(len(model_matrix.terms) + 2)
    back[:-1, :-1] = model_matrix.back()
    return back


_FARTHEST = 4096
"""How many standard errors away a test is still asked to turn; beyond, the end is infinite."""

_WIDEST = 300.0
"""By how much the logarithm of the scale may move; what ranges tell has long come to rest there."""


def _score(likelihood: CensoredLikelihood, parameters: Floats) -> float:
    """The score statistic s' I⁻¹ s, with the slope s and the information I (Rao, 1948)."""
    slope, information = likelihood.slope(parameters), likelihood.observed(parameters)
    if not np.linalg.eigvalsh(information)[0] > 0:
        information = likelihood.products(parameters)
    return float(slope @ np.linalg.pinv(information) @ slope)
