"""Regression of the true answer on covariates, from reports through any finite channel."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from askance.arguments import checked, same_rows
from askance.channels.channel import Channel
from askance.errors import NotIdentified, refuse_unknown
from askance.estimators.outcome import Outcome
from askance.estimators.regression.answer_model import AnswerModel, answer_model
from askance.estimators.regression.ascent import Top, ascend
from askance.estimators.regression.covariance import inverse, runs_away, sandwich
from askance.estimators.regression.covariates import Covariates, covariates_of
from askance.estimators.regression.received import Received, received
from askance.estimators.regression.response_fit import ResponseRegression
from askance.estimators.regression.response_likelihood import ResponseLikelihood
from askance.estimators.shares.uncertainty import normal_quantile
from askance.typing import Floats

ERRORS = ("observed", "expected", "robust")
_NOBODY = 1e-6  # a share that stands for 0, where the logarithm of its odds has no end


@checked
def response_regression(
    reports: Sequence[Any],
    covariates: Any,
    channel: Channel | Sequence[Channel],
    *,
    group: Any = None,
    terms: Sequence[str] | None = None,
    link: str = "logit",
    ordered: bool = False,
    weights: Any = None,
    errors: str = "observed",
    clusters: Any = None,
    level: float = 0.95,
    codes: Mapping[Any, str | None] | None = None,
) -> ResponseRegression:
    r"""Regress the true answer on covariates by maximum likelihood.

    .. math:: \hat\theta = \arg\max_\theta \sum_i w_i \log \sum_x p_x(x_i; \theta) Q_i(y_i \mid x)

    Two answers: the chance of the frame's first one is F(β₀ + xβ). More: log-odds of each answer
    against the frame's last, or with ``ordered`` P(answer ≤ j) = F(ζ_j − xβ). The likelihood is
    climbed by Newton's method, which falls back on scoring and on a step of EM and never descends.

    Parameters
    ----------
    reports : sequence of str or None, length n
        What was received, by the names of the channel's reports. A missing one (None, NaN, NA) is a
        blank, of which it is taken that it was sent whatever the answer.
    covariates : array_like, shape (n, c)
        Without a column of ones: an intercept is always there.
    channel : Channel, or sequence of them
        Through which the reports came: randomised response, forced response, crosswise, sets of
        answers. Several, on one frame, where respondents were asked in different ways.
    group : array_like of int, shape (n,), optional
        The number of each row's channel, where there are several.
    terms : sequence of str, optional
        Names of the covariates; x1, x2, … if left out.
    link : {"logit", "probit", "cloglog", "loglog"}
        F. Several answers without an order have the logit alone.
    ordered : bool
        Whether the frame lists the answers in their order.
    weights : array_like, shape (n,), optional
        How often each row counts; for weights of a sample ask for robust errors.
    errors : {"observed", "expected", "robust"}
        What the standard errors come from: the information observed or expected, or the sandwich
        (Huber, 1967).
    clusters : array_like, shape (n,), optional
        Rows that bear the same label may depend on each other; errors are then clustered.
    level : float
        Of the intervals.
    codes : mapping to str or None, optional
        What values stand for that are no names of reports, as ``{1: "yes", 0: "no", 9: None}``.
        Without it numbers are refused: they are never taken for the columns of the channel.

    Returns
    -------
    ResponseRegression

    Raises
    ------
    InputError
        If lengths or indexes differ, a covariate is missing or constant, or a report is none of the
        channel's or cannot have been sent.
    NotIdentified
        If the channel cannot tell the answers apart, covariates determine each other, or the
        likelihood has no top because some of them separate the answers. Without covariates it has
        none where the most likely share of an answer is 0: `prevalence` then says so.

    References
    ----------
    Scheers & Dayton (1988) and Blair, Imai & Zhou (2015) for two answers.

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> said = ["yes"] * 40 + ["no"] * 60 + ["yes"] * 60 + ["no"] * 40
    >>> fit = response_regression(said, [[0]] * 100 + [[1]] * 100, q)
    >>> fit.value.round(6).tolist()  # logit 0.3, and logit 0.7 − logit 0.3
    [-0.847298, 1.694596]
    """
    normal_quantile(level)
    same_rows(
        reports=reports, covariates=covariates, group=group, weights=weights, clusters=clusters
    )
    seen = received(reports, channel, group, codes=codes)
    given = covariates_of(covariates, len(seen), terms, weights)
    model = answer_model(seen.answers, given.terms, link, ordered=ordered)
    return fitted(model, seen, given, errors=errors, clusters=clusters, level=level)


def fitted(
    model: AnswerModel,
    seen: Received,
    given: Covariates,
    *,
    errors: str,
    clusters: Any,
    level: float,
) -> ResponseRegression:
    """Climb the likelihood of a model, in covariates of mean 0 and spread 1."""
    refuse_unknown("errors", errors, ERRORS)
    _refuse_silence(seen, given)
    problem = ResponseLikelihood(
        model=model, received=seen, design=given.standard(), weights=given.weights
    )
    top = ascend(problem, model.start())
    at, outcome = _end(problem, top)
    how = ("expected", None) if outcome is Outcome.ON_BOUNDARY else (errors, clusters)
    back = unstandardised(model, given)
    covariance, told = _covariance(problem, at, *how)
    return ResponseRegression(
        model=model,
        value=back @ at,
        covariance=back @ covariance @ back.T,
        errors=told,
        log_likelihood=top.total,
        gap=top.gap,
        outcome=outcome,
        level=level,
        likelihood=ResponseLikelihood(
            model=model, received=seen, design=given.design, weights=given.weights
        ),
        terms=given.terms,
    )


def _covariance(
    problem: ResponseLikelihood, at: Floats, errors: str, clusters: Any
) -> tuple[Floats, str]:
    if clusters is None and errors == "expected":
        return inverse(problem.expected(at)), "expected information"
    bread = inverse(problem.observed(at))
    if clusters is None and errors == "observed":
        return bread, "observed information"
    return sandwich(problem, at, bread, clusters)


def unstandardised(model: AnswerModel, given: Covariates) -> Floats:
    """Give what turns parameters of standardised covariates into those of the covariates."""
    single = np.diag(np.append(1.0, 1 / given.spread))
    single[0, 1:] = -given.mean / given.spread
    R = model.restriction
    back: Floats = np.linalg.pinv(R) @ np.kron(np.eye(model.predictors), single) @ R
    return back


def _refuse_silence(seen: Received, given: Covariates) -> None:
    speaks = np.ptp(seen.chances, axis=1) > 0
    if not (given.weights[speaks[seen.at]] > 0).any():
        raise NotIdentified(
            "reports",
            got=f"{len(seen)} reports, none of which depends on the answer",
            allowed="at least one that says something",
        )


def _end(problem: ResponseLikelihood, top: Top) -> tuple[Floats, Outcome]:
    """Say where the climb ends; refuse covariates along which the likelihood rises without end.

    Without covariates it does so where the most likely share of an answer is 0: that is known.
    """
    model = problem.model
    size = np.sqrt(np.diag(problem.complete(model.start())))
    along = runs_away(model.names, problem.observed(top.at), size)
    if not along:
        return top.at, Outcome.STATIONARY if top.settled else Outcome.STOPPED
    if problem.design.shape[1] == 1:
        shares = np.maximum(model.shares(np.ones((1, 1)) @ model.weights(top.at))[0], _NOBODY)
        return model.start(shares / shares.sum()), Outcome.ON_BOUNDARY
    raise NotIdentified(
        "response_regression",
        got=f"a likelihood that rises without end along {', '.join(along)}",
        allowed="covariates at whose every value both answers are likely",
        remedy="leave the covariate out or join its levels; where an answer is rare everywhere, "
        "estimate(Tally) gives its share with an interval",
    )
