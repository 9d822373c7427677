"""Regression of true answers on covariates, from reports through one finite channel, or two."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

import numpy as np

from askance.channels.channel import Channel
from askance.chart import Chart
from askance.inference.fit_result import Convergence, GoodnessOfFit
from askance.inference.maximisation import LastEvaluation, Optimum, maximise
from askance.inference.provenance import Computation
from askance.inference.regression.answer_model import (
    AnswerModel,
    ResponseLikelihood,
    ShareModel,
    answer_model,
)
from askance.inference.regression.coefficients import (
    CoefficientTable,
    FromTable,
    Margins,
    Move,
    People,
    Per,
    Spread,
    akaike,
    average_share,
    bounded_margins,
    coefficient_chart,
    coefficient_json,
    convergence_notes,
    covariance_by,
    describe_blanks,
    describe_likelihood,
    describe_means,
    draw_coefficients,
    inverse,
    likelihood_ratio,
    normal_margins,
    one_at_a_time,
    people_among,
    people_counted,
    refuse_expected,
    refuse_pseudo,
    runs_away,
    share_difference,
    spans_columns,
    tabulate_coefficients,
)
from askance.inference.regression.covariates import (
    Covariates,
    Received,
    build_model_matrix,
    covariate_spreads,
    covariates_of,
    received,
)
from askance.inference.regression.formula import (
    Formula,
    Missing,
    complete_cases,
    listed_below_formula,
    look_up_columns,
)
from askance.inference.sampling_columns import SamplingColumns, read_counts, read_sampling
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.inference.shares.information import speaking
from askance.inference.standard_errors import ErrorSource, StandardErrors
from askance.results import (
    Listing,
    noisy_wilson,
    normal_quantile,
    read_only,
    result_frame,
    result_stream,
    student_quantile,
)
from askance.typing import Floats, Json
from askance_collect.arguments import checked, same_rows
from askance_collect.errors import InputError, NotIdentified, refuse_unknown

_TINY = np.finfo(float).tiny


@final
@listed_below_formula
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ResponseRegression:
    """A regression of the true answer on covariates.

    Attributes
    ----------
    model : ShareModel
        How the shares of the answers depend on the coefficients.
    table : CoefficientTable
        The coefficients. Its attributes (names, value, covariance, standard_errors, level, df, se
        and p_value) are those of the regression too.
    log_likelihood : float
    gap : float
        What a further step would add to it.
    convergence : Convergence
    likelihood : ResponseLikelihood
        The reports and covariates that were given.
    terms : tuple of str
        The covariates.
    formula : Formula or None
        What they were made by. Covariates of others are then given as a data frame.

    >>> import askance as ak
    >>> q = ak.Abstain(truth=0.6, lie=0.1).channel(ak.Frame(["yes", "no"]))
    >>> reports = (["yes"] * 20 + ["no"] * 50 + ["don't know"] * 30) * 2
    >>> reports += ["yes"] * 35 + ["no"] * 35 + ["don't know"] * 30
    >>> ak.response_regression(reports, [[0]] * 200 + [[1]] * 100, q, terms=["urban"])
    logit of the share of yes
    term        value      se      z        p  95 % from      to
    intercept  -1.386  0.3341  -4.15  3.3e-05      -2.04  -0.732
    urban       1.386  0.4729   2.93   0.0034      0.459    2.31
    mean share and its se: yes 0.3 ± 0.045, no 0.7 ± 0.045
    300 respondents; log-likelihood -315.53734; AIC 635.075; se by observed information
    a local maximum of the likelihood; a higher one elsewhere is not ruled out
    """

    computation: ClassVar[Computation] = Computation.RESPONSE_REGRESSION
    model: ShareModel
    table: CoefficientTable
    log_likelihood: float
    gap: float
    convergence: Convergence
    likelihood: ResponseLikelihood
    terms: tuple[str, ...]
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
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Whether the channels can have sent these reports at all, whatever the covariates."""
        return self.likelihood.received.goodness_of_fit(self._people_counted())

    @property
    def n(self) -> int:
        """How many respondents count: those outside a sample's domain, of weight 0, do not.

        Of whom `blanks` sent none: their covariates count, in mean shares and effects.
        """
        return round(float(self._people_counted().sum()))

    @property
    def blanks(self) -> int:
        """How many of these sent a blank."""
        return self.n - round(
            float(self._people_counted()[self.likelihood.received.is_answered].sum())
        )

    def _people_counted(self) -> Floats:
        """How many respondents each row is."""
        return people_counted(self.likelihood.weights, self.df)

    @property
    def aic(self) -> float:
        """Akaike's criterion: twice the coefficients, less twice the log-likelihood.

        NaN of a complex sample, whose likelihood is none.
        """
        return akaike(self.log_likelihood, len(self.value), self.df)

    def coefficients(self) -> Margins:
        """The coefficients with their normal intervals, or Student's of a complex sample."""
        return self.table.margins()

    def predict(self, covariates: Any) -> Floats:
        """Predicted probability of each answer for each row of covariates, shape (rows, k).

        Raises
        ------
        InputError
            If a covariate is missing, or has a level that the regression has not seen.
        """
        eta = self._read_model_matrix(covariates) @ self.model.weights(self.value)
        return self.model.shares(eta)

    def prevalence(self, covariates: Any = None) -> Margins:
        """The mean predicted share of each answer, with an interval inside [0, 1].

        The interval is Wilson's (1927) with what protection adds to the variance, as that of
        `askance.estimate`: the part of the variance that the true answers themselves would have
        varies with the share as π(1 − π), the rest does not.

        The covariates are taken as given: the share is that expected of these people. Of everybody
        whom they are drawn from at random the variance is larger by that of the predicted shares,
        over their number.

        Parameters
        ----------
        covariates : array_like, shape (rows, c), or data frame, optional
            Whose mean share, each counting once; all respondents, by their weights, if left out.
            One row gives the share among people like that.
        """
        value, slope = average_share(self.model, self.value, self._people(covariates))
        covariance = slope @ self.covariance @ slope.T
        lower, upper = noisy_wilson(
            value.clip(0, 1),
            np.diag(covariance).clip(0),
            self._sampling(value, slope, np.diag(covariance)),
            student_quantile(self.level, self.df),
        )
        return Margins(
            title="share of each answer",
            labels=self.model.answers,
            value=value,
            covariance=covariance,
            lower=lower,
            upper=upper,
            level=self.level,
        )

    def difference(self, after: Any, before: Any) -> Margins:
        """How much the mean share of each answer differs between two tables of covariates.

        The normal interval, inside [−1, 1].

        Parameters
        ----------
        after, before : array_like, shape (n, c), or data frame
            Covariates of the same n respondents, or of one person each.
        """
        same = {"respondents": True}
        move = self._people(after, **same), self._people(before, **same), 1.0
        value, slope = share_difference(self.model, self.value, move)
        covariance = slope @ self.covariance @ slope.T
        margins = normal_margins(
            "difference in share", self.model.answers, value, covariance, self.level, self.df
        )
        return bounded_margins(margins, margins.upper - value, -1.0)

    def effects(self) -> Margins:
        """The average marginal effect of every covariate on the share of each answer.

        With a formula: of every variable of the data frame, changed wherever the formula has it; of
        a level against the first one, the share if all had it, less that if nobody had. Of a
        covariate that is 0 or 1 for everyone: the share if all had 1, less that if all had 0.
        Of others: the slope, averaged over respondents by their weights. Where one covariate is
        made from another, such as a square, ask `difference` what changing both does. Like
        `prevalence`, the averages take the covariates as given.
        """
        return self._average(one_at_a_time(self._people(None), self.terms, self.formula))

    def _average(self, moves: Mapping[str, Move]) -> Margins:
        differences = [share_difference(self.model, self.value, move) for move in moves.values()]
        answers = self.model.answers
        indices = range(len(answers) if len(answers) > 2 else 1)
        value = np.array([value[index] for value, _ in differences for index in indices])
        slope = np.array([slope[index] for _, slope in differences for index in indices])
        slope = slope.reshape(-1, len(self.value))
        which = answers[0] if len(answers) == 2 else "each answer"
        return normal_margins(
            f"average effect on the share of {which}",
            tuple(
                name if len(indices) == 1 else f"{answers[index]}: {name}"
                for name in moves
                for index in indices
            ),
            value,
            slope @ self.covariance @ slope.T,
            self.level,
            self.df,
        )

    @checked
    def likelihood_ratio(self, smaller: "ResponseRegression") -> tuple[float, int, float]:
        """Test what a smaller regression of the same reports leaves out.

        Gives twice the difference in log-likelihood, its degrees of freedom, and how often χ² is as
        large.

        Raises
        ------
        InputError
            If the other regression is not smaller, no special case of this one, or of other reports
            or another link; or of a complex sample, whose likelihood is none.
        """
        refuse_pseudo(self.df)
        own, other = self.likelihood, smaller.likelihood
        same = (
            self.model.link == smaller.model.link
            and self.model.answers == smaller.model.answers
            and np.array_equal(own.received.index, other.received.index)
            and np.array_equal(own.received.chances, other.received.chances)
            and np.array_equal(own.weights, other.weights)
        )
        nested = same and spans_columns(
            (own.model_matrix[own.received.is_answered], self.model.restriction),
            (other.model_matrix[own.received.is_answered], smaller.model.restriction),
            (own.weights > 0)[own.received.is_answered],
        )
        return likelihood_ratio(self, smaller, same=same, inputs="reports and link", nested=nested)

    def to_dict(self) -> Json:
        """Write the coefficients and the mean shares for JSON; with a formula, the effects too."""
        written = coefficient_json(self, "blanks aic")
        written |= {"model": self.model.description, "prevalence": self.prevalence().to_dict()}
        if self.formula is None:
            return written
        return {"formula": self.formula.text, **written, "effects": self.effects().to_dict()}

    @checked
    def notes(self, *, is_brief: bool = False) -> list[str]:
        """Describe the model, the respondents, and how the fit ended.

        Parameters
        ----------
        is_brief : bool
            Whether mean shares, and the end of a fit that ended well, are left out.
        """
        means = [] if is_brief else [f"mean share and its se: {describe_means(self.prevalence())}"]
        return [
            *means,
            f"{self.n:,} respondents; {describe_likelihood(self.log_likelihood, self.aic)}; "
            f"se by {self.standard_errors}",
            *describe_blanks(self),
            *convergence_notes(self.convergence, is_brief=is_brief),
            *self.goodness_of_fit.misfit,
        ]

    def _table(self) -> Listing:
        return self.model.description, *self.table.rows(), self.notes()

    def _chart(self, per: Per = "sd") -> Chart:
        """Describe the coefficients with their intervals, the intercepts left out."""
        indices = [index for index, name in enumerate(self.names) if self.model.slopes[index]]
        likelihood = self.likelihood
        spreads = covariate_spreads(self.terms, likelihood.model_matrix, likelihood.weights)
        return coefficient_chart(self, indices, self.model.description, spreads, per)

    plot = draw_coefficients
    plot_data = tabulate_coefficients

    def _sampling(self, value: Floats, slope: Floats, variance: Floats) -> Floats:
        """The part of the variance that plain answers would have, over π(1 − π)."""
        plain, protected = (
            np.einsum("ai,ij,aj->a", slope, inverse(information), slope)
            for information in (
                self.likelihood.complete(self.value),
                self.likelihood.expected(self.value),
            )
        )
        part = np.clip(plain / np.maximum(protected, _TINY), 0, 1)
        sampling: Floats = part * variance / np.maximum(value * (1 - value), _TINY)
        return sampling

    def _people(self, covariates: Any, *, respondents: bool = False) -> People:
        """Whose covariates they are: others, whatever their number, have weights of 1."""
        own = self.likelihood.model_matrix, self.likelihood.weights
        model_matrix = None if covariates is None else self._read_model_matrix(covariates)
        return people_among(own, model_matrix, respondents=respondents)

    def _read_model_matrix(self, covariates: Any) -> Floats:
        matrix = covariates if self.formula is None else self.formula.covariates(covariates)
        return build_model_matrix(matrix, self.terms)

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


ERRORS = ("observed", "expected", "robust")
_NOBODY = 1e-6  # a share that stands for 0, where the logarithm of its odds has no end


@checked
def response_regression(
    reports: str | Sequence[Any],
    covariates: Any,
    channel: Channel | Sequence[Channel],
    *,
    data: Any = None,
    group: Any = None,
    terms: Sequence[str] | None = None,
    link: str = "logit",
    ordered: bool = False,
    weights: Any = None,
    counts: Any = None,
    errors: str = "observed",
    clusters: Any = None,
    sampling: AbstractSamplingDesign | SamplingColumns | None = None,
    level: float = 0.95,
    codes: Mapping[Any, str | None] | None = None,
    missing: Missing = "refuse",
) -> ResponseRegression:
    r"""Regress the true answer on covariates, from randomised responses, by maximum likelihood.

    .. math:: \hat\theta = \arg\max_\theta \sum_i w_i \log \sum_x p_x(x_i; \theta) Q_i(y_i \mid x)

    Two answers: the chance of the frame's first one is F(β₀ + xβ). More: log-odds of each answer
    against the frame's last, or with ``ordered`` P(answer ≤ j) = F(ζ_j − xβ). The likelihood is
    maximised by Newton's method, which falls back on scoring and on a step of EM; it never
    descends.

    Parameters
    ----------
    reports : sequence of str or None, length n, or str
        What was received, by the names of the channel's reports; or the column of ``data`` that
        holds it. A missing one (None, NaN, NA) is a blank, of which it is taken that it was sent
        whatever the answer.
    covariates : array_like, shape (n, c), or str
        Without a column of ones: an intercept is always there. Or a formula of the columns of
        ``data``, such as ``"~ age + C(religious)"``, in the grammar of formulaic; an intercept
        alone is ``"~ 1"``, and R's names ``rr.q1`` and ``factor(x)`` are read as they are.
    channel : Channel, or sequence of them
        Through which the reports came: randomised response, forced response, crosswise, sets of
        answers. Several, on one frame, where respondents were asked in different ways. With classes
        of people who do not comply (`with_noncompliers`) the log-odds of classes are regressed.
    data : pandas, polars or other data frame, or mapping of str to sequence, optional
        Where ``group``, ``weights``, ``counts`` and ``clusters`` may be names of columns too.
        Columns that the formula names have no holes.
    group : array_like of int, shape (n,), optional
        The number of each row's channel, where there are several.
    terms : sequence of str, optional
        Names of the covariates; the formula's, or x1, x2, … if left out.
    link : {"logit", "probit", "cloglog", "loglog"}
        F. Several answers without an order have the logit alone.
    ordered : bool
        Whether the frame lists the answers in their order.
    weights : array_like, shape (n,), optional
        Sampling weights: how many of the population each person stands for. The weighted
        pseudo-likelihood is maximised, and errors are those of rows, or of clusters, drawn with
        replacement (Binder, 1983); the unit of the weights does not matter.
    counts : array_like of int, shape (n,), optional
        How often each row is there, where rows that are alike are given once.
    errors : {"observed", "expected", "robust"}
        What the standard errors come from: the information observed or expected, or the sandwich
        (Huber, 1967).
    clusters : array_like, shape (n,), optional
        Rows that bear the same label may depend on each other; errors are then clustered.
    sampling : SamplingDesign, ReplicateWeights or SamplingColumns, optional
        A complex sample, in place of weights, errors and clusters: the weighted pseudo-likelihood
        is maximised, errors are those of the sampling design (Binder, 1983), and intervals are
        Student's. To the weights of each replicate the whole model is fitted again. Names of
        columns go with ``data``.
    level : float
        Of the intervals.
    codes : mapping to str or None, optional
        What values stand for that are no names of reports, as ``{1: "yes", 0: "no", 9: None}``.
        Without it numbers are refused: they are never taken for the columns of the channel.
    missing : {"refuse", "drop"}
        Whether rows of which a covariate is missing are refused by their number, or left out; of a
        sample they are outside the domain. It is taken that the others are like them.

    Returns
    -------
    ResponseRegression

    Raises
    ------
    InputError
        If lengths or indexes differ, a covariate is missing or constant, a report is none of the
        channel's or cannot have been sent, or a formula cannot be read or names a column that is
        not there.
    MissingExtra
        If formulas are not installed.
    NotIdentified
        If the channel cannot tell the answers apart, covariates determine each other, or the
        likelihood has no top because some of them separate the answers. Without covariates it has
        none where the most likely share of an answer is 0: `prevalence` then says so.

    References
    ----------
    Scheers & Dayton (1988) and Blair, Imai & Zhou (2015) for two answers.

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> reports = ["yes"] * 40 + ["no"] * 60 + ["yes"] * 60 + ["no"] * 40
    >>> fit = response_regression(reports, [[0]] * 100 + [[1]] * 100, q)
    >>> fit.value.round(6).tolist()  # logit 0.3, and logit 0.7 − logit 0.3
    [-0.847298, 1.694596]
    >>> table = {"lives": ["town"] * 100 + ["country"] * 100, "said": reports[::-1]}
    >>> response_regression("said", "~ lives", q, data=table).names
    ('intercept', 'lives[T.town]')
    """
    normal_quantile(level)
    by_row = {"group": group, "weights": weights, "counts": counts, "clusters": clusters}
    same_rows(data=data, reports=reports, covariates=covariates, **by_row)
    data, covariates, sampling, complete = complete_cases(
        missing, data, covariates, sampling, reports=reports, **by_row
    )
    columns = look_up_columns(data, covariates, terms, **complete)
    observations = received(columns.reports, channel, columns.group, codes=codes)
    sample, rows = columns.read_sample(sampling, data, len(observations))
    model_matrix = covariates_of(columns.covariates, len(observations), columns.terms, rows)
    model = answer_model(observations.answers, model_matrix.terms, link, ordered=ordered)
    spread = errors, columns.clusters, sample
    fit = fitted(model, observations, model_matrix, spread, level)
    return fit if columns.formula is None else replace(fit, formula=columns.formula)


def fitted(
    model: ShareModel,
    observations: Received,
    model_matrix: Covariates,
    spread: Spread,
    level: float,
) -> ResponseRegression:
    """Maximise the likelihood of a model, in covariates of mean 0 and spread 1."""
    refuse_unknown("errors", spread[0], ERRORS)
    _refuse_silence(observations, model_matrix)
    problem = ResponseLikelihood(
        model=model,
        received=observations,
        model_matrix=model_matrix.standard(),
        weights=model_matrix.weights,
        last=LastEvaluation(),
    )
    top = maximise(problem, model.start())
    parameters, convergence = _classify_end(problem, top)
    if convergence is Convergence.ON_BOUNDARY:
        spread = _use_expected_errors(spread)
    back = unstandardised(model, model_matrix)
    covariance, errors = _covariance(problem, parameters, spread)
    return ResponseRegression(
        model=model,
        table=CoefficientTable.unstandardised(
            back, model.names, parameters, covariance, errors, level
        ),
        log_likelihood=top.total,
        gap=top.gap,
        convergence=convergence,
        likelihood=ResponseLikelihood(
            model=model,
            received=observations,
            model_matrix=model_matrix.matrix,
            weights=model_matrix.weights,
        ),
        terms=model_matrix.terms,
    )


def _use_expected_errors(spread: Spread) -> Spread:
    if spread[2] is not None:
        raise NotIdentified(
            "response_regression",
            got="an answer that nobody has, as far as the reports tell",
            allowed="reports of every answer, where the sample is complex",
            remedy="estimate(tally(channel, reports, sampling=…)) gives its share with an interval",
        )
    return "expected", None, None


def _covariance(
    problem: ResponseLikelihood, parameters: Floats, spread: Spread
) -> tuple[Floats, StandardErrors]:
    errors, clusters, sampling = spread
    if sampling is None and clusters is None and errors == "expected":
        return inverse(problem.expected(parameters)), StandardErrors(source=ErrorSource.EXPECTED)
    bread = inverse(problem.observed(parameters))
    if sampling is not None:
        refuse_expected(errors)
    speaks = speaking(problem.received.chances.T)[problem.received.index]
    covariance, standard_errors = covariance_by(problem, parameters, bread, spread, speaks=speaks)
    if sampling is not None and (sampling.sampling_fraction > 0).any():
        covariance += (
            bread
            @ problem.channel_covariance(
                parameters, sampling.sampling_fraction * sampling.weights**2
            )
            @ bread
        )
    return covariance, standard_errors


def unstandardised(model: ShareModel, model_matrix: Covariates) -> Floats:
    """What turns parameters of standardised covariates into those of the covariates."""
    R = model.restriction
    return np.linalg.pinv(R) @ np.kron(np.eye(model.predictors), model_matrix.back()) @ R


def _refuse_silence(observations: Received, model_matrix: Covariates) -> None:
    speaks = np.ptp(observations.chances, axis=1) > 0
    if not (model_matrix.weights[speaks[observations.index]] > 0).any():
        raise NotIdentified(
            "reports",
            got=f"{len(observations)} reports that do not depend on the answer",
            allowed="at least one that says something",
        )


def _classify_end(problem: ResponseLikelihood, top: Optimum) -> tuple[Floats, Convergence]:
    """Say how the maximisation ended; refuse covariates along which the likelihood has no top.

    Without covariates it does so where the most likely share of an answer is 0: that is known.
    """
    model = problem.model
    size = np.sqrt(np.diag(problem.complete(model.start())))
    along = runs_away(model.names, problem.observed(top.parameters), size)
    if not along:
        return top.parameters, Convergence.STATIONARY if top.settled else Convergence.STOPPED
    if problem.model_matrix.shape[1] == 1:
        shares = np.maximum(
            model.shares(np.ones((1, 1)) @ model.weights(top.parameters))[0], _NOBODY
        )
        return model.start(shares / shares.sum()), Convergence.ON_BOUNDARY
    raise NotIdentified(
        "response_regression",
        got=f"a likelihood that rises without end along {', '.join(along)}",
        allowed="covariates at whose every value both answers are likely",
        remedy="leave the covariate out or join its levels; where an answer is rare everywhere, "
        "estimate(Tally) gives its share with an interval",
    )


@checked
def paired_regression(
    reports: Mapping[str, Sequence[Any]],
    covariates: Any,
    channels: Mapping[str, Channel],
    *,
    terms: Sequence[str] | None = None,
    weights: Any = None,
    counts: Any = None,
    errors: str = "observed",
    clusters: Any = None,
    sampling: AbstractSamplingDesign | None = None,
    level: float = 0.95,
    codes: Mapping[Any, Any] | None = None,
    missing: Missing = "refuse",
) -> ResponseRegression:
    r"""Regress two protected answers on covariates, and estimate their association.

    .. math:: \log \frac{P(a, b \mid x)}{P(a_0, b_0 \mid x)} = \eta_a + \eta_b + \omega_{ab}

    with η_a = (1, x) β_a, η_b = (1, x) γ_b and 0 for the frame's last answer. ω is the logarithm of
    the odds ratio between the two answers among people who are alike; 0 says that, given the
    covariates, one answer tells nothing of the other. β_a are log-odds of a among people who give
    the other question's last answer. Each report is drawn independently of the other, given the
    answers.

    Parameters
    ----------
    reports : mapping of str to sequence, each of length n
        For each of two questions what was received, as in `response_regression`.
    covariates : array_like, shape (n, c)
    channels : mapping of str to Channel
        For the same two questions.
    terms, weights, counts, errors, clusters, sampling, level, missing
        As in `response_regression`; a sampling design is one of rows.
    codes : mapping, optional
        As in `response_regression`, for both questions; or one such mapping for each of them.

    Returns
    -------
    ResponseRegression
        Whose answers are the combinations of the two, so that ``prevalence()`` is their table.

    Raises
    ------
    InputError
        If there are not two questions, or as in `response_regression`.
    NotIdentified
        As in `response_regression`.

    References
    ----------
    McCullagh and Nelder (1989), section 6.5, for log-linear models of two answers.

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, np.eye(2))
    >>> reports = {"first": ["yes"] * 40 + ["no"] * 60, "second": ["yes"] * 30 + ["no"] * 70}
    >>> fit = paired_regression(reports, [[i % 2] for i in range(100)], {"first": q, "second": q})
    Traceback (most recent call last):
    askance_collect.errors.NotIdentified: ...
    >>> reports["second"][-20:] = ["yes"] * 20
    >>> fit = paired_regression(reports, [[i % 2] for i in range(100)], {"first": q, "second": q})
    >>> fit.names[-1], round(float(fit.value[-1]), 4)  # log(30 · 40 / (10 · 20))
    ('first yes × second yes', 1.7918)
    """
    normal_quantile(level)
    names = _read_two_names(reports, channels)
    by_row = {f"reports[{name!r}]": reports[name] for name in names}
    by_row |= {"weights": weights, "counts": counts, "clusters": clusters}
    same_rows(covariates=covariates, **by_row)
    _, covariates, sampling, columns = complete_cases(missing, None, covariates, sampling, **by_row)
    instead = {name: columns.pop(name) for name in ("weights", "counts", "clusters")}
    first, second = (
        received(column, channels[name], codes=_select_codes(codes, name), where=where)
        for name, (where, column) in zip(names, columns.items(), strict=True)
    )
    if len(first) != len(second):
        raise InputError(
            f"reports[{names[1]!r}]", got=f"{len(second)} reports", allowed=f"{len(first)}"
        )
    observations = _pair_observations(names, first, second)
    sample = read_sampling(sampling, None, len(observations), **instead)
    rows = read_counts(instead["counts"], len(observations)) if sample is None else sample.weights
    model_matrix = covariates_of(covariates, len(observations), terms, rows)
    model = _log_linear(
        names, (first.answers, second.answers), observations.answers, model_matrix.terms
    )
    return fitted(model, observations, model_matrix, (errors, instead["clusters"], sample), level)


def _read_two_names(reports: Mapping[str, Any], channels: Mapping[str, Channel]) -> tuple[str, ...]:
    if len(reports) != 2 or set(reports) != set(channels):
        raise InputError(
            "reports",
            got=f"{', '.join(reports)} with channels for {', '.join(channels)}",
            allowed="two questions, with a channel for each",
        )
    return tuple(reports)


def _select_codes(codes: Any, name: str) -> Any:
    """One question's codes, where each has its own."""
    by_question = isinstance(codes, Mapping) and isinstance(codes.get(name), Mapping)
    return codes[name] if by_question else codes


def _pair_observations(names: tuple[str, ...], first: Received, second: Received) -> Received:
    """Pair the reports of two questions; a blank in one leaves what the other says."""
    first_name, second_name = names
    columns = len(second.chances)
    (a,), (b,) = first.matrices, second.matrices
    no_a, no_b = np.ones((len(a), 1)), np.ones((len(b), 1))
    return Received(
        answers=tuple(
            f"{first_name} {a}, {second_name} {b}" for a in first.answers for b in second.answers
        ),
        matrices=tuple(read_only(np.kron(*pair)) for pair in ((a, b), (a, no_b), (no_a, b))),
        chances=read_only(np.kron(first.chances, second.chances)),
        index=first.index * columns + second.index,
        group=np.where(first.is_answered, 1 - second.is_answered, 2),
        names=tuple(
            f"{first_name} {a}, {second_name} {b}" for a in first.names for b in second.names
        ),
        source=np.where(
            np.add.outer(first.source, second.source) < -1,
            -1,
            np.where(first.source[:, None] < 0, 2, -second.source),
        ).ravel(),
    )


def _log_linear(
    names: tuple[str, ...],
    answers: tuple[tuple[str, ...], tuple[str, ...]],
    joint: tuple[str, ...],
    terms: tuple[str, ...],
) -> AnswerModel:
    k, m, width = len(answers[0]), len(answers[1]), len(terms) + 1
    blocks, labels = [], []
    for side in range(2):
        for index, answer in enumerate(answers[side][:-1]):
            block = np.zeros((k, m, width, width))
            block[(index, slice(None)) if side == 0 else (slice(None), index)] = np.eye(width)
            blocks.append(block)
            labels += [f"{names[side]} {answer}: {term}" for term in ("intercept", *terms)]
    for a, of_first in enumerate(answers[0][:-1]):
        for b, of_second in enumerate(answers[1][:-1]):
            block = np.zeros((k, m, width, 1))
            block[a, b, 0] = 1
            blocks.append(block)
            labels.append(f"{names[0]} {of_first} × {names[1]} {of_second}")
    full: Floats = np.concatenate(blocks, axis=-1).reshape(k * m * width, -1)
    return AnswerModel(
        answers=joint,
        link=None,
        restriction=full[:-width],
        names=tuple(labels),
        description=f"log-odds of {names[0]} and {names[1]}, and their association",
        questions=2,
    )
