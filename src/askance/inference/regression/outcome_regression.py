"""Regression of another outcome on a protected answer: the answer as a cause or a predictor."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np

from askance.channels.channel import Channel
from askance.inference.fit_result import Convergence
from askance.inference.maximisation import LastEvaluation, Optimum, maximise
from askance.inference.regression.answer_model import ResponseLikelihood, answer_model
from askance.inference.regression.coefficients import covariance_by, inverse, people_counted
from askance.inference.regression.covariates import (
    Covariates,
    Received,
    covariate_spreads,
    covariates_of,
    received,
)
from askance.inference.regression.formula import Cases, Missing, complete_cases
from askance.inference.regression.outcome_law import (
    ERRORS,
    FAMILIES,
    OutcomeLaw,
    OutcomeRegression,
    outcome_first,
    outcome_law,
)
from askance.inference.regression.response_regression import fitted, unstandardised
from askance.inference.sampling_columns import read_counts, read_sampling
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.inference.standard_errors import StandardErrors
from askance.results import normal_quantile
from askance.typing import Floats
from askance_collect.arguments import checked, same_rows
from askance_collect.errors import NotIdentified, refuse_unknown


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OutcomeLikelihood:
    r"""Σ_i w_i log Σ_x p_x(x_i; θ) Q(y_i | x) f(o_i | x, x_i; φ).

    Attributes
    ----------
    answers : ResponseLikelihood
        What the answers depend on.
    law : OutcomeLaw
        f.
    """

    answers: ResponseLikelihood
    law: OutcomeLaw
    last: LastEvaluation = field(default_factory=LastEvaluation, init=False, repr=False)

    @property
    def weights(self) -> Floats:
        """How often each row counts."""
        return self.answers.weights

    def weighed(self, weights: Floats) -> "OutcomeLikelihood":
        """The same with other weights."""
        return replace(self, answers=self.answers.weighed(weights))

    @property
    def _split(self) -> int:
        return len(self.answers.model.names)

    def total(self, parameters: Floats) -> float:
        """The log-likelihood."""
        logs = self.last.once("logs", parameters, self._logs)
        return float(self.weights @ np.logaddexp.reduce(logs, axis=1))

    def slope(self, parameters: Floats) -> Floats:
        """The gradient."""
        return self.weights @ self.scores(parameters)

    def scores(self, parameters: Floats) -> Floats:
        """Each row's gradient, not weighted, shape (n, parameters)."""
        posterior = self.posterior(parameters)
        by_answer = self.last.once("scores", parameters, self._scores)
        return sum(
            (posterior[:, [x]] * score for x, score in enumerate(by_answer)),
            start=np.zeros((len(posterior), len(parameters))),
        )

    def informations(self, parameters: Floats) -> Iterator[Callable[[], Floats]]:
        """The observed information, and that of the complete data."""
        yield lambda: self.observed(parameters)
        yield lambda: self.complete(parameters)

    def observed(self, parameters: Floats) -> Floats:
        """The negative second derivatives (Louis, 1982)."""
        posterior, w, cut = self.posterior(parameters), self.weights, self._split
        scores = self.scores(parameters)
        information: Floats = (scores * w[:, None]).T @ scores
        for x, score in enumerate(self.last.once("scores", parameters, self._scores)):
            weight = w * posterior[:, x]
            information -= (score * weight[:, None]).T @ score
            information[:cut, :cut] += self._answer_bend(parameters, x, weight)
            information[cut:, cut:] += self.law.bend(
                self.outcome_matrix(x), parameters[cut:], weight
            )
        return (information + information.T) / 2

    def complete(self, parameters: Floats) -> Floats:
        """The complete-data information of EM: what it would be if true answers were known."""
        posterior, w, cut = self.posterior(parameters), self.weights, self._split
        information = np.zeros((len(parameters), len(parameters)))
        information[:cut, :cut] = self.answers.complete(parameters[:cut])
        for x in range(posterior.shape[1]):
            information[cut:, cut:] += self.law.expected(
                self.outcome_matrix(x), parameters[cut:], w * posterior[:, x]
            )
        return information

    def posterior(self, parameters: Floats) -> Floats:
        """The chance of each answer given the report, the outcome and the covariates."""
        logs = self.last.once("logs", parameters, self._logs)
        chances: Floats = np.exp(logs - np.logaddexp.reduce(logs, axis=1)[:, None])
        return chances

    def outcome_matrix(self, x: int) -> Floats:
        """What multiplies the outcome's coefficients, if everyone's answer were this one."""
        rows, dummies = len(self.weights), len(self.answers.model.answers) - 1
        indicators = np.zeros((rows, dummies))
        if x < dummies:
            indicators[:, x] = 1
        return np.column_stack(
            [self.answers.model_matrix[:, :1], indicators, self.answers.model_matrix[:, 1:]]
        )

    def _logs(self, parameters: Floats) -> Floats:
        observations, model = self.answers.received, self.answers.model
        shares = model.shares(self.answers.model_matrix @ model.weights(parameters[: self._split]))
        with np.errstate(divide="ignore"):
            logs: Floats = np.log(shares) + np.log(observations.chances[observations.index])
        for x in range(logs.shape[1]):
            logs[:, x] += self.law.logarithms(self.outcome_matrix(x), parameters[self._split :])
        return logs

    def _scores(self, parameters: Floats) -> list[Floats]:
        """Each row's gradient, were everyone's answer known, answer by answer."""
        return [self._score(parameters, x) for x in range(len(self.answers.model.answers))]

    def _score(self, parameters: Floats, x: int) -> Floats:
        model, model_matrix = self.answers.model, self.answers.model_matrix
        share, slope, _ = model.pull(
            model_matrix @ model.weights(parameters[: self._split]), self._unit(x)
        )
        row_slopes = (slope / share[:, None])[:, :, None] * model_matrix[:, None, :]
        answer = row_slopes.reshape(len(row_slopes), -1) @ model.restriction
        outcome = self.law.scores(self.outcome_matrix(x), parameters[self._split :])
        return np.column_stack([answer, outcome])

    def _answer_bend(self, parameters: Floats, x: int, weight: Floats) -> Floats:
        """The negative second derivatives of Σ weight log p_x: those of plain answers x."""
        observations = self.answers.received
        k = len(self.answers.model.answers)
        plain = replace(
            observations,
            chances=np.vstack([np.eye(k), np.ones(k)]),
            index=np.full(len(observations), x),
        )
        likelihood = replace(self.answers, received=plain, weights=weight, last=None)
        return likelihood.observed(parameters[: self._split])

    def _unit(self, x: int) -> Floats:
        k = len(self.answers.model.answers)
        return np.broadcast_to(np.eye(k)[x], (len(self.weights), k))


_FLAT = 1e-9
"""Less curvature than this, in the worst direction, is none."""


@checked
def outcome_regression(
    outcome: Any,
    reports: Sequence[Any],
    covariates: Any,
    channel: Channel | Sequence[Channel],
    *,
    family: str = "normal",
    group: Any = None,
    terms: Sequence[str] | None = None,
    weights: Any = None,
    counts: Any = None,
    errors: str = "observed",
    clusters: Any = None,
    sampling: AbstractSamplingDesign | None = None,
    level: float = 0.95,
    codes: Mapping[Any, str | None] | None = None,
    missing: Missing = "refuse",
) -> OutcomeRegression:
    r"""Regress an outcome on the true answer and covariates, by their joint likelihood.

    .. math:: \max_{\theta, \varphi} \sum_i w_i \log \sum_x p_x(x_i; \theta) Q(y_i \mid x)
              f(o_i \mid x, x_i; \varphi)

    The report stands in for the answer neither as it is, which would draw the effect towards 0, nor
    by a guess: every answer is weighed by its chance given the report, the outcome and the
    covariates.

    Parameters
    ----------
    outcome : array_like, shape (n,)
        Numbers; 0 and 1 for ``family="logit"``.
    reports : sequence of str or None, length n
        Of the protected question, as in `response_regression`.
    covariates : array_like, shape (n, c)
        On which both the outcome and the answer may depend.
    channel : Channel, or sequence of them
    family : {"normal", "logit"}
        f, given the answer and the covariates: normal with one σ, or log-odds of a 1.
    errors : {"observed", "robust"}
        What the standard errors come from: the information observed, or the sandwich (Huber,
        1967). The expected information would average over outcomes that nobody had.
    sampling : SamplingDesign or ReplicateWeights, optional
        A complex sample, as in `response_regression`. Finite-population corrections are left out:
        the coefficients are asked of the process behind the people.
    group, terms, weights, counts, clusters, level, codes
        As in `response_regression`.
    missing : {"refuse", "drop"}
        Whether rows of which the outcome or a covariate is missing are refused, or left out; of a
        sample they are outside the domain. It is taken that the others are like them.

    Returns
    -------
    OutcomeRegression

    Raises
    ------
    InputError
        If the outcome is missing for someone, or as in `response_regression`.
    NotIdentified
        As in `response_regression`.

    References
    ----------
    Blair, Imai and Zhou (2015), section 3.3.

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, np.eye(2))
    >>> reports, outcome = ["yes", "yes", "no", "no"] * 4, [4.0, 6, 2, 4] * 2 + [2.0, 4, 0, 2] * 2
    >>> fit = outcome_regression(outcome, reports, [[i % 2] for i in range(16)], q)
    >>> fit.names[:3], fit.value[:3].round(6).tolist()
    (('outcome: intercept', 'outcome: answer yes', 'outcome: x1'), [1.0, 2.0, 2.0])
    """
    normal_quantile(level)
    refuse_unknown("family", family, FAMILIES)
    refuse_unknown("errors", errors, ERRORS)
    rows = {"outcome": outcome, "reports": reports, "group": group}
    rows |= {"weights": weights, "counts": counts, "clusters": clusters}
    same_rows(covariates=covariates, **rows)
    cases = complete_cases(missing, None, covariates, sampling, **rows)
    observations, model_matrix, sample = _read_cases(cases, channel, terms, codes)
    model = answer_model(observations.answers, model_matrix.terms)
    first = fitted(model, observations, model_matrix, ("observed", None, None), level)
    _refuse_boundary(first.convergence)
    answers = replace(first.likelihood, model_matrix=model_matrix.standard())
    remedy = 'missing="drop" leaves out rows without one'
    law = outcome_law(cases[-1]["outcome"], len(observations), family, remedy)
    problem = OutcomeLikelihood(answers=answers, law=law)
    theta = np.linalg.solve(unstandardised(model, model_matrix), first.value)
    top = maximise(problem, _start(problem, np.asarray(theta, dtype=np.float64)))
    bread = _inverse(problem.observed(top.parameters))
    spread = covariance_by(problem, top.parameters, bread, (errors, cases[-1]["clusters"], sample))
    return _unstandardised(problem, model_matrix, top, spread, level)


def _read_cases(
    cases: Cases, channel: Channel | Sequence[Channel], terms: Any, codes: Any
) -> tuple[Received, Covariates, AbstractSamplingDesign | None]:
    """Read the reports, the covariates and how people were drawn, with replacement."""
    _, covariates, sampling, columns = cases
    observations = received(columns["reports"], channel, columns["group"], codes=codes)
    instead = {name: columns[name] for name in ("weights", "counts", "clusters")}
    sample = read_sampling(sampling, None, len(observations), **instead)
    sample = None if sample is None else sample.with_replacement()
    rows = read_counts(columns["counts"], len(observations)) if sample is None else sample.weights
    return observations, covariates_of(covariates, len(observations), terms, rows), sample


def _refuse_boundary(convergence: Convergence) -> None:
    if convergence is Convergence.ON_BOUNDARY:
        raise NotIdentified(
            "outcome_regression",
            got="an answer that nobody has, as far as the reports tell",
            allowed="reports of every answer",
        )


def _unstandardised(
    problem: OutcomeLikelihood,
    model_matrix: Covariates,
    top: Optimum,
    spread: tuple[Floats, StandardErrors],
    level: float,
) -> OutcomeRegression:
    model = problem.answers.model
    effects = [f"answer {answer}" for answer in model.answers[:-1]]
    names = (
        *(f"answer: {name}" for name in model.names),
        *(f"outcome: {term}" for term in ("intercept", *effects, *model_matrix.terms)),
    )
    blocks = [unstandardised(model, model_matrix), model_matrix.back(before=len(effects))]
    regression = outcome_first(problem.law, "the true answer", names, blocks, top, spread, level)
    counts = people_counted(problem.weights, spread[1].df)
    blanks = round(float(counts[~problem.answers.received.is_answered].sum()))
    fit = problem.answers.received.goodness_of_fit(counts)
    return replace(
        regression,
        n=round(float(counts.sum())),
        blanks=blanks,
        spreads=covariate_spreads(model_matrix.terms, model_matrix.matrix, model_matrix.weights),
        goodness_of_fit=fit,
    )


def _inverse(information: Floats) -> Floats:
    """Invert, where the likelihood has a top."""
    scale = np.sqrt(np.diag(information).clip(np.finfo(float).tiny))
    if not np.linalg.eigvalsh(information / np.outer(scale, scale))[0] > _FLAT:
        raise NotIdentified(
            "outcome_regression",
            got="a likelihood that rises without end",
            allowed="an outcome that varies among people who are alike",
            remedy="leave a covariate out, or join answers that are rare",
        )
    return inverse(information)


def _start(problem: OutcomeLikelihood, theta: Floats) -> Floats:
    """Begin with least squares on each answer's chance, given the report and the covariates."""
    answers = problem.answers
    shares = answers.model.shares(answers.model_matrix @ answers.model.weights(theta))
    chances = shares * answers.received.chances[answers.received.index]
    chances /= chances.sum(axis=1, keepdims=True)
    model_matrix = np.column_stack(
        [answers.model_matrix[:, :1], chances[:, :-1], answers.model_matrix[:, 1:]]
    )
    return np.append(theta, problem.law.start(model_matrix, answers.weights))
