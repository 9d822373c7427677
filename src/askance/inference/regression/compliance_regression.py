"""Regression of the true answer where some people do not comply, with covariates for either.

What is true of people depends on one list of covariates, whether they comply on another: the old
may carry more often, and the wary deny. Where several items were asked of the same people, each a
row of its own, items may differ in what is true and share who does not comply.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

import numpy as np
from scipy.special import expit, logit

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.chart import Chart
from askance.inference.fit_result import Convergence, GoodnessOfFit
from askance.inference.provenance import Computation
from askance.inference.regression.answer_model import (
    AnswerLink,
    AnswerModel,
    Pulled,
    ResponseLikelihood,
    answer_model,
)
from askance.inference.regression.coefficients import (
    CoefficientTable,
    FromTable,
    Margins,
    Per,
    Spread,
    average_share,
    coefficient_json,
    describe_means,
    draw_coefficients,
    runs_away,
    tabulate_coefficients,
)
from askance.inference.regression.covariates import (
    Covariates,
    Received,
    build_model_matrix,
    covariates_of,
    received,
)
from askance.inference.regression.formula import RegressionColumns, look_up_columns
from askance.inference.regression.response_regression import ResponseRegression, fitted
from askance.inference.sampling_columns import SamplingColumns
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.inference.shares.compliance import Noncompliers, class_names, with_noncompliers
from askance.inference.standard_errors import StandardErrors
from askance.results import (
    Listing,
    keep_read_only,
    listed,
    normal_quantile,
    result_frame,
    result_stream,
    student_quantile,
)
from askance.typing import Booleans, Floats, Json
from askance_collect.arguments import checked, same_rows
from askance_collect.errors import InputError, NotIdentified

_FEW = 0.1  # how many do not comply where the maximisation begins
_TINY = np.finfo(float).tiny


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ComplianceModel:
    r"""Shares of classes: those who comply, by their answers, and each kind that does not.

    .. math:: P(i, \text{comply}) = p_i(\eta)\, g_{i0}, \qquad
              P(c) = \sum_{i \in A_c} p_i(\eta)\, g_{ic}, \qquad
              g_{ic} = \frac{e^{\zeta_c}}{1 + \sum_{d : i \in A_d} e^{\zeta_d}}

    Attributes
    ----------
    answer_model : AnswerModel
        Of the answers, with the predictors that come first.
    answers : tuple of str
        The classes.
    may : array of bool, shape (kinds, k)
        A: which answers may be true of each kind.
    restriction : array, shape (predictors (c + 1), parameters)
    names : tuple of str
    description : str
    """

    answer_model: AnswerModel
    answers: tuple[str, ...]
    may: Booleans
    restriction: Floats
    names: tuple[str, ...]
    description: str

    def __post_init__(self) -> None:
        keep_read_only(self, "restriction may")

    @property
    def link(self) -> AnswerLink | None:
        """That of the answers."""
        return self.answer_model.link

    @property
    def questions(self) -> int:
        """How many protected answers the shares are of together."""
        return self.answer_model.questions

    @property
    def predictors(self) -> int:
        """Those of the answers, and one for each kind."""
        return self.answer_model.predictors + len(self.may)

    @property
    def slopes(self) -> tuple[bool, ...]:
        """Which parameters multiply a covariate."""
        blocks = self.restriction.reshape(self.predictors, -1, len(self.names))
        return tuple(bool(is_slope) for is_slope in (blocks[:, 1:] != 0).any(axis=(0, 1)))

    def weights(self, parameters: Floats) -> Floats:
        """What each predictor takes of each covariate, shape (c + 1, predictors)."""
        return (self.restriction @ parameters).reshape(self.predictors, -1).T

    def pull(self, eta: Floats, chances: Floats) -> Pulled:
        """The chance of what was reported and its derivatives, from the chances given each class.

        It is linear in them: with h_i the chance given answer i, whether they comply or not, it is
        that of the answers alone; so are its derivatives by ζ, with those of h.
        """
        r, k = self.answer_model.predictors, len(self.answer_model.answers)
        first = eta[:, :r]
        odds = np.exp(np.minimum(eta[:, r:], _LARGEST))[:, :, None] * self.may
        share = odds / (1 + odds.sum(axis=1, keepdims=True))  # g, shape (n, kinds, k)
        contrast = chances[:, k:, None] - chances[:, None, :k]
        h = chances[:, :k] + (share * contrast).sum(axis=1)
        gain = chances[:, k:, None] - h[:, None, :]
        by_kind = share * gain
        value, slope, bend = self.answer_model.pull(first, h)
        crossed = [self.answer_model.pull(first, by_kind[:, c]) for c in range(len(self.may))]
        slopes = np.column_stack([slope, *(pulled[0] for pulled in crossed)])

        def bends() -> Floats:
            curve = np.empty((*eta.shape, eta.shape[1]))
            curve[:, :r, :r] = bend()
            for c, (_, cross, _) in enumerate(crossed):
                curve[:, :r, r + c] = curve[:, r + c, :r] = cross
                for d in range(c + 1):
                    twice = -share[:, c] * share[:, d] * (gain[:, c] + gain[:, d])
                    twice += by_kind[:, c] if c == d else 0.0
                    pulled_twice = self.answer_model.pull(first, twice)[0]
                    curve[:, r + c, r + d] = curve[:, r + d, r + c] = pulled_twice
            return curve

        return value, slopes, bends

    def shares(self, eta: Floats) -> Floats:
        """The share of each class at each predictor, shape (n, classes)."""
        m = len(self.answers)
        columns = [
            self.pull(eta, np.broadcast_to(np.eye(m)[index], (len(eta), m)))[0]
            for index in range(m)
        ]
        return np.stack(columns, axis=1)

    def start(self, shares: Floats | None = None) -> Floats:
        """Parameters under which the classes have these shares, whatever the covariates.

        Left out: one in ten does not comply, and answers are equally common.
        """
        k, m = len(self.answer_model.answers), len(self.may)
        if shares is None:
            shares = np.append(np.full(k, (1 - _FEW) / k), np.full(m, _FEW / max(m, 1)))
        odds = shares[k:] / (self.may @ shares[:k])
        plain = self.answer_model.start(shares[:k] * (1 + odds @ self.may))
        wanted = np.zeros((self.predictors, len(self.restriction) // self.predictors))
        wanted[: k - 1, 0] = self.answer_model.weights(plain)[0]
        wanted[k - 1 :, 0] = np.log(np.maximum(odds, _TINY))
        return np.linalg.pinv(self.restriction) @ wanted.ravel()

    @property
    def of_answers(self) -> AnswerModel:
        """The model of the answers alone, as a function of all parameters."""
        r, width = self.answer_model.predictors, len(self.restriction) // self.predictors
        return replace(
            self.answer_model, restriction=self.restriction[: r * width], names=self.names
        )


_LARGEST = 700.0  # beyond which an exponential has no double


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ComplianceRegression:
    """A regression of the true answer where some people do not comply.

    Attributes
    ----------
    classes : ResponseRegression
        The fit, whose answers are the classes: its `prevalence` says how many people comply with
        which answer, and how many are of each kind; `effects` and `predict` are of classes too.
    model : ComplianceModel
        What its coefficients mean.

    >>> import askance as ak
    >>> from askance.inference import compliance_regression, stochastic_lie_detector
    >>> yn, report = ak.Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}
    >>> channels = [ak.Channel(yn, report, [[1, 0], [p, 1 - p]]) for p in (0.2, 0.8)]
    >>> reports = ["yes"] * 380 + ["no"] * 620 + ["yes"] * 740 + ["no"] * 260
    >>> compliance_regression(
    ...     reports, None, channels, stochastic_lie_detector(), group=[0] * 1000 + [1] * 1000
    ... )
    logit of the share of yes; log-odds of each kind against complying
    term               value      se      z        p  95 % from      to
    yes: intercept   -0.4055  0.1437  -2.82   0.0048     -0.687  -0.124
    deny: intercept   -0.619  0.1218  -5.08  3.8e-07     -0.858   -0.38
    share of each answer: yes 0.4 ± 0.034, no 0.6 ± 0.034
    share of each class: yes, and comply 0.26 ± 0.021, no, and comply 0.6 ± 0.034, deny 0.14 ± 0.019
    2,000 respondents; log-likelihood -1237.121; AIC 2478.24; se by observed information
    a local maximum of the likelihood; a higher one elsewhere is not ruled out
    """

    computation: ClassVar[Computation] = Computation.COMPLIANCE_REGRESSION
    classes: ResponseRegression
    model: ComplianceModel

    names = FromTable[tuple[str, ...]]("names")
    value = FromTable[Floats]("value")
    covariance = FromTable[Floats]("covariance")
    standard_errors = FromTable[StandardErrors]("standard_errors")
    level = FromTable[float]("level")
    df = FromTable[float]("df")
    se = FromTable[Floats]("se")
    p_value = FromTable[Floats]("p_value")

    @property
    def table(self) -> CoefficientTable:
        """The coefficients: log-odds of answers, then of kinds."""
        return self.classes.table

    @property
    def goodness_of_fit(self) -> GoodnessOfFit:
        """Whether people who comply, and those who do not, can have sent these reports at all."""
        return self.classes.goodness_of_fit

    @property
    def n(self) -> int:
        """How many respondents count: those outside a sample's domain, of weight 0, do not."""
        return self.classes.n

    @property
    def blanks(self) -> int:
        """How many of these sent a blank."""
        return self.classes.blanks

    @property
    def convergence(self) -> Convergence:
        """How the maximisation ended."""
        return self.classes.convergence

    def coefficients(self) -> Margins:
        """The coefficients with their normal intervals, or Student's of a complex sample."""
        return self.classes.coefficients()

    def prevalence(self, covariates: Any = None) -> Margins:
        """The mean share of each answer among all people, whether they comply or not.

        Of people of a kind of whom anything may be true it is taken that each answer is as frequent
        as among those like them who comply; who deny have the answers that they may have. The
        interval is normal on the scale of log-odds.

        Parameters
        ----------
        covariates : array_like, shape (rows, c), optional
            Those of the answers and then those of compliance that are no covariates of the answers,
            each row counting once; all respondents, by their weights, if left out.
        """
        fit = self.classes
        people = fit.likelihood.model_matrix, fit.likelihood.weights
        if covariates is not None:
            matrix = build_model_matrix(covariates, fit.terms)
            if not len(matrix):
                raise InputError("covariates", got="no rows", allowed="at least one person")
            people = matrix, np.ones(len(matrix))
        value, slope = average_share(self.model.of_answers, fit.value, people)
        covariance = slope @ fit.covariance @ slope.T
        spread = np.maximum(value * (1 - value), _TINY)
        se = np.sqrt(np.diag(covariance).clip(0))
        reach = student_quantile(fit.level, fit.df) * se / spread
        return Margins(
            title="share of each answer",
            labels=self.model.answer_model.answers,
            value=value,
            covariance=covariance,
            lower=expit(logit(value) - reach),
            upper=expit(logit(value) + reach),
            level=fit.level,
        )

    @checked
    def likelihood_ratio(self, smaller: "ComplianceRegression") -> tuple[float, int, float]:
        """Test what a smaller regression of the same reports and kinds leaves out.

        Gives twice the difference in log-likelihood, its degrees of freedom, and how often χ² is as
        large.

        Raises
        ------
        InputError
            As that of `ResponseRegression`, or if kinds differ.
        """
        if self.model.answers != smaller.model.answers:
            raise InputError(
                "likelihood_ratio",
                got=", ".join(smaller.model.answers),
                allowed=", ".join(self.model.answers),
                remedy="a kind that is left out is tested by estimate_compliance",
            )
        return self.classes.likelihood_ratio(smaller.classes)

    def to_dict(self) -> Json:
        """Write the coefficients and the shares of answers and classes for JSON."""
        fit = self.classes
        written = coefficient_json(fit, "blanks aic") | {"model": self.model.description}
        shares = {"prevalence": self.prevalence(), "classes": fit.prevalence()}
        return written | {name: margins.to_dict() for name, margins in shares.items()}

    def _chart(self, per: Per = "sd") -> Chart:
        """Describe the coefficients with their intervals, the intercepts left out."""
        return self.classes._chart(per)

    plot = draw_coefficients
    plot_data = tabulate_coefficients

    @checked
    def notes(self, *, is_brief: bool = False) -> list[str]:
        """Describe the model, the respondents, and how the fit ended.

        Parameters
        ----------
        is_brief : bool
            Whether mean shares, and the end of a fit that ended well, are left out.
        """
        notes = self.classes.notes(is_brief=is_brief)
        if is_brief:
            return notes
        shares = {"answer": self.prevalence(), "class": self.classes.prevalence()}
        means = [f"share of each {name}: {describe_means(of)}" for name, of in shares.items()]
        return means + notes[1:]

    def _table(self) -> Listing:
        return self.model.description, *self.table.rows(), self.notes()

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def compliance_regression(
    reports: str | Sequence[Any],
    covariates: Any,
    channel: Channel | Sequence[Channel],
    noncompliers: Noncompliers | Sequence[Noncompliers],
    *,
    compliance: Any = None,
    data: Any = None,
    group: Any = None,
    terms: Sequence[str] | None = None,
    compliance_terms: Sequence[str] | None = None,
    link: str = "logit",
    ordered: bool = False,
    weights: Any = None,
    counts: Any = None,
    errors: str = "observed",
    clusters: Any = None,
    sampling: AbstractSamplingDesign | SamplingColumns | None = None,
    level: float = 0.95,
    codes: Mapping[Any, str | None] | None = None,
) -> ComplianceRegression:
    r"""Regress the true answer on covariates, and noncompliance on covariates of its own.

    .. math:: P(y \mid x, z) = \sum_i p_i(x) \Bigl( g_{i0}(z)\, q_{iy}
              + \sum_{c : i \in A_c} g_{ic}(z)\, r_{cy} \Bigr), \qquad
              \log \frac{g_{ic}(z)}{g_{i0}(z)} = z \zeta_c

    with p the shares of the answers as in `response_regression`, q the channel, r the reports of
    kind c and A_c the answers that may be true of it. With `stochastic_lie_detector` g is the
    share of carriers who deny, with `cheating_detection` or `random_answerers` that of people who
    do not comply, whatever is true of them. Where `with_noncompliers` and `response_regression`
    give each class log-odds with all covariates, here what is true and who complies are told apart.

    Several items that were asked of the same people share one noncompliance if each report is a
    row: the item is a covariate of the answers and none of compliance, the person its cluster.

    Parameters
    ----------
    reports, covariates, channel, data, group, terms, link, ordered
        As in `response_regression`; None for covariates leaves an intercept alone.
    noncompliers : Noncompliers, or sequence of them
        At least one.
    compliance : array_like, shape (n, c), or str, optional
        Covariates of compliance, or a formula of the columns of ``data``; if left out all are as
        likely not to comply.
    compliance_terms : sequence of str, optional
        Their names. One that is also a covariate of the answers has the same name there.
    weights, counts, errors, clusters, sampling, level, codes
        As in `response_regression`.

    Returns
    -------
    ComplianceRegression

    Raises
    ------
    InputError
        As in `response_regression` and `with_noncompliers`, or if there is no kind.
    NotIdentified
        If covariates determine each other, or reports do not tell answers and kinds apart: one
        group mostly does not, `estimate_compliance` then gives bounds.

    References
    ----------
    Moshagen, Musch & Erdfelder (2012) and Clark & Desharnais (1998), the models without
    covariates; Heck & Moshagen (2018), one share of noncompliance beside a logit of the answer.

    >>> import askance as ak
    >>> from askance.inference import compliance_regression, stochastic_lie_detector
    >>> yn, report = ak.Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}
    >>> channels = [ak.Channel(yn, report, [[1, 0], [p, 1 - p]]) for p in (0.2, 0.8)]
    >>> reports = (["yes"] * 320 + ["no"] * 680 + ["yes"] * 680 + ["no"] * 320) * 2
    >>> fit = compliance_regression(
    ...     reports,
    ...     [[0]] * 2000 + [[1]] * 2000,
    ...     channels,
    ...     stochastic_lie_detector(),
    ...     group=([0] * 1000 + [1] * 1000) * 2,
    ...     terms=["young"],
    ... )
    >>> fit.names
    ('yes: intercept', 'yes: young', 'deny: intercept')
    """
    normal_quantile(level)
    kinds = (noncompliers,) if isinstance(noncompliers, Noncompliers) else tuple(noncompliers)
    if not kinds:
        raise InputError("noncompliers", got="none", allowed="at least one kind")
    channels = [channel] if isinstance(channel, Channel) else list(channel)
    by_row = {"group": group, "weights": weights, "counts": counts, "clusters": clusters}
    same_rows(data=data, reports=reports, covariates=covariates, compliance=compliance, **by_row)
    columns = look_up_columns(data, covariates, terms, reports=reports, **by_row)
    own = look_up_columns(data, compliance, compliance_terms)
    wide = [with_noncompliers(group_channel, kinds) for group_channel in channels]
    observations = received(columns.reports, wide, columns.group, codes=codes, identified=False)
    sample, rows = columns.read_sample(sampling, data, len(observations))
    combined = _combine_covariates(len(observations), columns, own)
    (names, table), of_answers, _ = combined
    model_matrix = covariates_of(table, len(observations), names, rows)
    frame = channels[0].frame
    plain = answer_model(frame.answers, names[: len(of_answers)], link, ordered=ordered)
    model = _model(frame, kinds, plain, combined)
    return _fit(model, observations, model_matrix, (errors, columns.clusters, sample), level)


def _fit(
    model: ComplianceModel,
    observations: Received,
    model_matrix: Covariates,
    spread: Spread,
    level: float,
) -> ComplianceRegression:
    """Fit the model, whose parameters must be identified."""
    _identify(model, observations, model_matrix)
    try:
        fit = fitted(model, observations, model_matrix, spread, level)
    except NotIdentified as error:
        raise _not_identified(str(error.got)) from error
    return ComplianceRegression(classes=fit, model=model)


def _identify(model: ComplianceModel, observations: Received, model_matrix: Covariates) -> None:
    """Refuse parameters that move the chance of no report, so that no sample identifies them.

    Asked at shares that are not special; what the reports of these people leave open is seen where
    the maximisation ends.
    """
    problem = ResponseLikelihood(
        model=model,
        received=observations,
        model_matrix=model_matrix.standard(),
        weights=model_matrix.weights,
    )
    parameters = model.start() + _TILT * np.cos(np.arange(len(model.names)))
    size = np.sqrt(np.diag(problem.complete(parameters)))
    along = runs_away(model.names, problem.expected(parameters), size)
    if along:
        raise _not_identified(
            f"reports that depend on no more than some mixture of {', '.join(along)}"
        )


_TILT = 0.03


def _not_identified(fault: str) -> NotIdentified:
    return NotIdentified(
        "compliance_regression",
        got=fault,
        allowed="reports that distinguish answers and kinds of people, at every value",
        remedy="ask groups with different chances, or leave out covariates, or a kind that nobody "
        "belongs to; estimate_compliance gives bounds",
    )


CombinedCovariates = tuple[tuple[tuple[str, ...], Floats], list[int], list[tuple[str, int]]]
"""All covariates by name, which are of the answers, and which of compliance under which name."""


def _combine_covariates(
    n: int, for_answers: RegressionColumns, for_compliance: RegressionColumns
) -> CombinedCovariates:
    """Put the covariates of answers and of compliance side by side, each once."""
    x, names = _columns(n, for_answers, "x")
    z, others = _columns(n, for_compliance, "z")
    columns, listed_names, of_kinds = list(x.T), list(names), []
    for name, column in zip(others, z.T, strict=True):
        same = [index for index, other in enumerate(columns) if np.array_equal(other, column)]
        if not same:
            listed_names.append(f"compliance: {name}" if name in listed_names else name)
            columns.append(column)
        of_kinds.append((name, same[0] if same else len(columns) - 1))
    table = np.column_stack(columns) if columns else np.empty((n, 0))
    return (tuple(listed_names), table), list(range(len(names))), of_kinds


def _columns(n: int, columns: RegressionColumns, letter: str) -> tuple[Floats, tuple[str, ...]]:
    where = "covariates" if letter == "x" else "compliance"
    table = np.empty((n, 0)) if columns.covariates is None else columns.covariates
    model_matrix = build_model_matrix(table, columns.terms, where)
    if len(model_matrix) != n:
        raise InputError(where, got=f"{len(model_matrix)} rows", allowed=f"{n}: one per report")
    unnamed = tuple(f"{letter}{number}" for number in range(1, model_matrix.shape[1]))
    return model_matrix[:, 1:], unnamed if columns.terms is None else tuple(columns.terms)


def _model(
    frame: Frame,
    kinds: tuple[Noncompliers, ...],
    plain: AnswerModel,
    combined: CombinedCovariates,
) -> ComplianceModel:
    """Say which covariates move which predictor."""
    (names, _), of_answers, of_kinds = combined
    r, k, width = plain.predictors, len(plain.names), 1 + len(names)
    size = k + len(kinds) * (1 + len(of_kinds))
    full = np.zeros((r + len(kinds), width, size))
    full[:r, [0, *(1 + index for index in of_answers)], :k] = plain.restriction.reshape(r, -1, k)
    places = [0, *(1 + index for _, index in of_kinds)]
    labels = list(plain.names)
    if len(plain.answers) == 2 and r == 1 and labels[0] == "intercept":
        labels = [f"{plain.answers[0]}: {label}" for label in labels]
    for kind_index, kind in enumerate(kinds):
        own = k + kind_index * len(places) + np.arange(len(places))
        full[r + kind_index, places, own] = 1.0
        labels += [
            f"{kind.name}: {term}" for term in ("intercept", *(name for name, _ in of_kinds))
        ]
    may = [
        [kind.answers is None or answer in kind.answers for answer in frame.answers]
        for kind in kinds
    ]
    return ComplianceModel(
        answer_model=plain,
        answers=class_names(frame, kinds),
        may=np.array(may),
        restriction=full.reshape(-1, size),
        names=tuple(labels),
        description=f"{plain.description}; log-odds of each kind against complying",
    )
