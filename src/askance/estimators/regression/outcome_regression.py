"""Regression of another outcome on a protected answer: the answer as a cause or a predictor."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from askance.arguments import checked, same_rows
from askance.channels.channel import Channel
from askance.errors import InputError, NotIdentified, refuse_unknown
from askance.estimators.outcome import Outcome
from askance.estimators.regression.answer_model import answer_model
from askance.estimators.regression.ascent import Top, ascend
from askance.estimators.regression.covariance import inverse, sandwich
from askance.estimators.regression.covariates import Covariates, covariates_of
from askance.estimators.regression.outcome_fit import OutcomeRegression
from askance.estimators.regression.outcome_likelihood import OutcomeLikelihood
from askance.estimators.regression.received import received
from askance.estimators.regression.response_likelihood import ResponseLikelihood
from askance.estimators.regression.response_regression import fitted, unstandardised
from askance.estimators.shares.uncertainty import normal_quantile
from askance.results import doubles
from askance.typing import Floats

FAMILIES = ("normal", "logit")
ERRORS = ("observed", "robust")
_FLAT = 1e-9
"""Less curvature than this, in the worst direction, is none."""

_EXACT = 1e-9  # of the outcome's spread: no noise is left


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
    errors: str = "observed",
    clusters: Any = None,
    level: float = 0.95,
    codes: Mapping[Any, str | None] | None = None,
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
    group, terms, weights, clusters, level, codes
        As in `response_regression`.

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
    >>> said, seen = ["yes", "yes", "no", "no"] * 4, [4.0, 6, 2, 4] * 2 + [2.0, 4, 0, 2] * 2
    >>> fit = outcome_regression(seen, said, [[at % 2] for at in range(16)], q)
    >>> fit.names[:3], fit.value[:3].round(6).tolist()
    (('outcome: intercept', 'outcome: answer yes', 'outcome: x1'), [1.0, 2.0, 2.0])
    """
    normal_quantile(level)
    refuse_unknown("family", family, FAMILIES)
    refuse_unknown("errors", errors, ERRORS)
    rows = {"covariates": covariates, "group": group, "weights": weights, "clusters": clusters}
    same_rows(outcome=outcome, reports=reports, **rows)
    seen = received(reports, channel, group, codes=codes)
    given = covariates_of(covariates, len(seen), terms, weights)
    model = answer_model(seen.answers, given.terms)
    first = fitted(model, seen, given, errors="observed", clusters=None, level=level)
    _refuse_boundary(first.outcome)
    answers = ResponseLikelihood(
        model=model, received=seen, design=given.standard(), weights=given.weights
    )
    problem = OutcomeLikelihood(
        answers=answers, outcome=_outcome(outcome, len(seen), family), normal=family == "normal"
    )
    theta = np.linalg.solve(unstandardised(model, given), first.value)
    top = ascend(problem, _start(problem, np.asarray(theta, dtype=np.float64)))
    covariance, told = _inverse(problem.observed(top.at)), "observed information"
    if clusters is not None or errors == "robust":
        covariance, told = sandwich(problem, top.at, covariance, clusters)
    return _unstandardised(problem, given, top, covariance, told, level)


def _refuse_boundary(outcome: Outcome) -> None:
    if outcome is Outcome.ON_BOUNDARY:
        raise NotIdentified(
            "outcome_regression",
            got="an answer that nobody has, as far as the reports tell",
            allowed="reports of every answer",
        )


def _unstandardised(
    problem: OutcomeLikelihood,
    given: Covariates,
    top: Top,
    covariance: Floats,
    errors: str,
    level: float,
) -> OutcomeRegression:
    model, normal = problem.answers.model, problem.normal
    back, theta = _back(problem.answers, given, normal=normal), len(model.names)
    value, covariance = back @ top.at, back @ covariance @ back.T
    effects = tuple(f"answer {answer}" for answer in model.answers[:-1])
    order = [*range(theta, len(back) - normal), *range(theta)]
    return OutcomeRegression(
        told=f"{'normal' if normal else 'logit'} outcome, given the true answer",
        names=(
            *(f"outcome: {term}" for term in ("intercept", *effects, *given.terms)),
            *(f"answer: {name}" for name in model.names),
        ),
        value=value[order],
        covariance=covariance[np.ix_(order, order)],
        errors=errors,
        scale=float(np.exp(top.at[-1])) if normal else float("nan"),
        log_likelihood=top.total,
        gap=top.gap,
        n=len(problem.outcome),
        outcome=Outcome.STATIONARY if top.settled else Outcome.STOPPED,
        level=level,
    )


def _outcome(given: Any, n: int, family: str) -> Floats:
    held = doubles(given, "outcome")
    if held.shape != (n,) or not np.isfinite(held).all():
        raise InputError(
            "outcome",
            got=f"shape {held.shape}, {int((~np.isfinite(held)).sum())} missing",
            allowed=f"{n} finite numbers: one per report",
        )
    if family == "logit" and not np.isin(held, (0, 1)).all():
        raise InputError("outcome", got="other numbers", allowed="0 and 1, for the family logit")
    if np.ptp(held) == 0:
        raise InputError("outcome", got="the same for everyone", allowed="an outcome that varies")
    return held


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
    shares = answers.model.shares(answers.design @ answers.model.weights(theta))
    held = shares * answers.received.chances[answers.received.at]
    held /= held.sum(axis=1, keepdims=True)
    design = np.column_stack([answers.design[:, :1], held[:, :-1], answers.design[:, 1:]])
    if not problem.normal:
        return np.append(theta, np.zeros(design.shape[1]))
    root = np.sqrt(answers.weights)
    phi = np.linalg.lstsq(design * root[:, None], problem.outcome * root, rcond=None)[0]
    rest = float(np.average((problem.outcome - design @ phi) ** 2, weights=answers.weights))
    if not rest**0.5 > _EXACT * float(problem.outcome.std()):
        raise NotIdentified(
            "outcome_regression",
            got="an outcome that the covariates determine",
            allowed="an outcome that varies among people who are alike",
        )
    return np.concatenate([theta, phi, [np.log(rest) / 2]])


def _back(answers: ResponseLikelihood, given: Covariates, *, normal: bool) -> Floats:
    """Give what turns parameters of standardised covariates into those of the covariates."""
    from scipy.linalg import block_diag

    dummies, c = len(answers.model.answers) - 1, len(given.terms)
    outcome = np.eye(1 + dummies + c)
    at = np.arange(1 + dummies, 1 + dummies + c)
    outcome[at, at] = 1 / given.spread
    outcome[0, at] = -given.mean / given.spread
    ends = [np.eye(1)] if normal else []
    whole: Floats = block_diag(unstandardised(answers.model, given), outcome, *ends)
    return whole
