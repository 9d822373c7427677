"""Regression of a number that was only ever reported as a range, with any learner (Algorithm 1)."""

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar, Literal, Self, final

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.utils import check_random_state, get_tags, indexable
from sklearn.utils.validation import check_is_fitted, validate_data

from askance.channels.ranges import Ranges
from askance.inference.provenance import Computation, LearnerProvenance, LearningAlgorithm
from askance.inference.regression.censored_likelihood import (
    filled,
    first_guess,
    next_scale,
    slopes_at,
    working,
)
from askance.inference.regression.error_laws import AbstractNoise, noise_of
from askance.learn.targets import (
    choice,
    count_rows,
    known_scale,
    likely_ranges,
    log_chances,
    number,
    range_target,
    rows_of,
    score,
    tolerance,
    weighted_fit,
)
from askance.random_streams import random_stream
from askance.typing import Booleans, Floats, Integers
from askance_collect.arguments import checked, same_rows
from askance_collect.errors import InputError
from askance_collect.exact.ratio import read_integer

Rows = Integers | None
Split = tuple[Rows, Rows]


def folds(count: int, n: int, chance: np.random.Generator) -> list[Split]:
    """Deal rows into folds; give for each the rows of the others, and its own.

    >>> [(len(learnt), len(own)) for learnt, own in folds(2, 5, np.random.default_rng(0))]
    [(2, 3), (3, 2)]
    """
    fold = chance.permutation(n) % count
    return [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(count)]


def refit(
    learner: Any, X: Any, y: Floats, weight: Floats | None, splits: list[Split], **how: Any
) -> tuple[list[Any], Floats]:
    """Fit a learner to the first rows of each split, and predict the second rows; None is all rows.

    >>> from sklearn.linear_model import LinearRegression
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0.0, 1.0, 2.0, 9.0])
    >>> first, last = np.array([0, 1]), np.array([2, 3])
    >>> refit(LinearRegression(), X, y, None, [(first, last), (last, first)])[1].round(6).tolist()
    [-12.0, -5.0, 2.0, 3.0]
    """
    learners, predictions = [], np.empty(len(y))
    for fit_rows, predict_rows in splits:
        fit_index, predict_index = (
            slice(None) if rows is None else rows for rows in (fit_rows, predict_rows)
        )
        weighed = None if weight is None else weight[fit_index]
        learners.append(
            weighted_fit(learner, _take_rows(X, fit_rows), y[fit_index], weighed, **how)
        )
        predictions[predict_index] = np.asarray(
            learners[-1].predict(_take_rows(X, predict_rows)), dtype=float
        ).reshape(-1)
    return learners, predictions


def _take_rows(X: Any, rows: Rows) -> Any:
    return X if rows is None else rows_of(X, rows)


Response = Literal["mean", "likelihood", "score"]
Stop = Literal["converged", "settled", "max_iter"]

_LEAST = 1e-6  # of the first scale: noise smaller than that is none
_PATIENCE = 5  # iterations that move no less than those before
_RESTING = 5  # Newton steps of the scale, once the fits are averaged


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FitPlan:
    """How to impute and refit.

    Attributes
    ----------
    learner : a regressor of scikit-learn, not fitted
    noise : AbstractNoise
    response : {"mean", "likelihood", "score"}
    step : float in (0, 1], or None
        Share of the way to the new fit; None averages, 2/(k + 1) at iteration k.
    again : bool
        Whether the learner goes on from where it stands.
    folds : int, or None
        How many learners an iteration fits, each asked of rows it has not learnt; None is one
        learner of all rows.
    chance : Generator
        Deals the folds.
    max_iter : int
    tol : float
    """

    learner: Any
    noise: AbstractNoise
    response: Response
    step: float | None
    again: bool
    folds: int | None
    chance: np.random.Generator
    max_iter: int
    tol: float


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class State:
    """One iteration: the learners, their fitted values, the scale, and how far both moved."""

    learners: list[Any]
    fitted: Floats
    scale: float
    change: float


def iterations(
    plan: FitPlan,
    X: Any,
    ranges: Ranges,
    scale: float | None,
    held_out: Booleans | None = None,
) -> Iterator[State]:
    """Impute and refit; rows held out estimate the scale and are not learnt from.

    The change is the root mean square of the move of the fitted values, in scales, or the move of
    the log-scale if that is more.
    """
    mean, guess = first_guess(plan.noise, ranges)
    now = guess if scale is None else scale
    least = _LEAST * guess
    reach = _bound_responses(ranges, guess)
    fitted = np.full(len(ranges), mean)
    counted = ranges.weights if held_out is None else ranges.weights * held_out
    learner, solved = plan.learner, None
    for count in range(1, plan.max_iter + 1):
        response, weight, after = _responses(plan, ranges, fitted, now, counted, reach)
        if solved is not None:
            line, predictions = solved.fitted(response)
            learners = [line]
        else:
            learners, predictions = refit(
                learner,
                X,
                response,
                weight,
                _splits(plan, len(ranges), held_out),
                again=plan.again and count > 1,
                remedy='leave weights out, and choose response="mean"',
            )
        if count == 1 and held_out is None and plan.folds is None and plan.response != "likelihood":
            solved = solved_line(learners[-1], X, weight)  # the rows weigh the same every time
        share, learner = 2 / (count + 1) if plan.step is None else plan.step, learners[-1]
        move = share * (predictions - fitted)
        fitted, before = fitted + move, now
        if scale is None:
            now = max(after, least)
        fit_change = float(np.sqrt(ranges.weights @ move**2 / ranges.total)) / now
        change = max(fit_change, abs(np.log(now / before)))
        yield State(learners=learners, fitted=fitted, scale=now, change=change)


def _splits(plan: FitPlan, n: int, held_out: Booleans | None) -> list[Split]:
    if held_out is not None:
        return [(np.flatnonzero(~held_out), None)]
    return [(None, None)] if plan.folds is None else folds(plan.folds, n, plan.chance)


def averaged(plan: FitPlan, ranges: Ranges, late: list[State], scale: float | None) -> State:
    """Average iterations that refit with chance, and let the scale rest where they say."""
    fitted = np.mean([state.fitted for state in late], axis=0)
    now = late[-1].scale
    for _ in range(_RESTING if scale is None else 0):
        now = next_scale(
            plan.noise, slopes_at(plan.noise, ranges, fitted, now), ranges.weights, now
        )
    learners = [learner for state in late for learner in state.learners]
    return State(learners=learners, fitted=fitted, scale=now, change=late[-1].change)


def _bound_responses(ranges: Ranges, beyond: float) -> tuple[float, float]:
    """The least and greatest finite end of the ranges, a little further out."""
    ends = np.concatenate([ranges.lower, ranges.upper])
    finite = ends[np.isfinite(ends)]
    return float(finite.min()) - beyond, float(finite.max()) + beyond


def _responses(
    plan: FitPlan,
    ranges: Ranges,
    fitted: Floats,
    scale: float,
    counted: Floats,
    reach: tuple[float, float],
) -> tuple[Floats, Floats | None, float]:
    """What to regress on, with weights where they differ, and the next scale.

    A score is unbounded where the mean weight is little; no row is sent farther out of reach by it,
    or learners that follow single rows would swing ever wider.
    """
    weights = None if np.all(ranges.weights == ranges.weights[0]) else ranges.weights
    if plan.response == "mean":
        means, after = filled(plan.noise, ranges, fitted, scale, counted)
        return means, weights, after
    slopes = slopes_at(plan.noise, ranges, fitted, scale)
    step = working(slopes, fitted, scale)
    after = next_scale(plan.noise, slopes, counted, scale)
    if plan.response == "score":
        mean_weight = np.average(step.weight, weights=ranges.weights)
        response = fitted + (step.response - fitted) * step.weight / mean_weight
        inside = np.clip(response, np.minimum(fitted, reach[0]), np.maximum(fitted, reach[1]))
        return inside, weights, after
    return step.response, step.weight * ranges.weights, after


def stop(plan: FitPlan, changes: list[float]) -> Stop | None:
    """Say whether to stop, and why: a learner that refits with chance settles but never converges.

    >>> plan = FitPlan(learner=None, noise=None, response="mean", step=1, again=False, folds=None,
    ...             chance=None, max_iter=50, tol=1e-3)
    >>> stop(plan, [0.5, 0.1]), stop(plan, [0.5, 0.0005])
    (None, 'converged')
    >>> stop(plan, [0.5, 0.2, 0.1, 0.08, 0.09, 0.11, 0.09, 0.08, 0.1])
    'settled'
    """
    if changes[-1] <= plan.tol:
        return "converged"
    earlier, late = changes[:-_PATIENCE], changes[-_PATIENCE:]
    if len(earlier) >= _PATIENCE - 1 and min(late) >= min(earlier):
        return "settled"
    return "max_iter" if len(changes) == plan.max_iter else None


_HOLD_OUT_EVERY = 5  # one row in so many is held out


@final
class IntervalRegressor(RegressorMixin, BaseEstimator):
    """Learn the mean of a number from ranges that hold it, with any regressor of scikit-learn.

    Ding and Ding 2022, Algorithm 1: each unseen number is replaced by its mean given its range and
    the fitted value, ``ỹ = f + σ E[ε | range]``; the learner is refitted to these; and so on. The
    scale σ of the noise is fitted by likelihood.

    Parameters
    ----------
    estimator : regressor or pipeline, optional
        `LinearRegression` if left out.
    noise : {"logistic", "normal", "laplace", "student", "gumbel"} or a noise
        Law of the number about its mean; ``StudentNoise(df=3)`` and the like for another shape.
    scale : {"estimate", "held-out"} or float
        "estimate" fits the scale where the learner was fitted, which a flexible learner makes too
        small; "held-out" fits it on every fifth row, which are not learnt from until the scale is
        found; a number is taken as known.
    response : {"mean", "likelihood", "score"}
        "mean" imputes means, as above. "likelihood" regresses on ``f + σ ℓ'/w`` with weights w of
        about ``−ℓ''``, with ℓ the log-chance of a range: for linear learners the fit of highest
        likelihood, whatever the noise. The learner must take weights. "score" gives all rows the
        mean of these weights, for forests: leaves of few rows cannot weigh.
    step : float in (0, 1] or "average"
        How far the fitted values move to the new fit. Below 1 damps a learner that swings;
        "average" takes 2/(k + 1) at iteration k, which averages out a learner that refits with
        chance.
    warm_start : bool
        Whether the learner goes on from where it stands, as a neural network may. Ensembles of
        trees would keep their first trees, and are refused.
    folds : int, optional
        For learners flexible enough to follow single rows, such as trees. Each iteration deals the
        rows anew into so many folds and imputes each from a learner of the others (cross-fitting);
        the learners of the latter half of the iterations are averaged. The scale is then that of
        rows held out. 2 costs about one fit of all rows.
    max_iter : int
    tol : float
        Stop when the fitted values move by less, in scales (root mean square), and log σ too.
    keep_path : bool
        Whether to keep the fitted values of every iteration.
    random_state : int, optional
        Chooses the rows held out, and the folds.

    Attributes
    ----------
    estimator_ : the learner fitted last
    estimators_ : list of learners
        Those whose mean is the prediction: with folds many, else one.
    scale_ : float
    loglik_ : float
        Log-likelihood of the ranges learnt from.
    n_iter_ : int
    changes_ : array of shape (n iterations,)
        How far the fitted values moved at each iteration.
    stopped_ : {"converged", "settled", "max_iter"}
        "settled" when the moves no longer shrink, as with learners that never repeat a fit.
    path_ : array of shape (n iterations, n)
        Fitted values, if kept.

    Raises
    ------
    NotIdentified
        If no range says anything, or all leave the same side open.

    >>> X, ends = [[0.0], [1.0], [2.0], [3.0]], [[-np.inf, 2], [1, 4], [3, 6], [6, 6]]
    >>> model = IntervalRegressor(noise="normal", scale=1.0).fit(X, ends)
    >>> model.predict([[4.0]]).round(2).tolist(), model.stopped_
    ([8.04], 'converged')
    """

    computation: ClassVar[Computation] = Computation.LEARNER

    def __init__(
        self,
        estimator: Any = None,
        *,
        noise: AbstractNoise | str = "logistic",
        scale: float | Literal["estimate", "held-out"] = "estimate",
        response: Response = "mean",
        step: float | Literal["average"] = 1.0,
        warm_start: bool = False,
        folds: int | None = None,
        max_iter: int = 100,
        tol: float = 1e-4,
        keep_path: bool = False,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.noise = noise
        self.scale = scale
        self.response = response
        self.step = step
        self.warm_start = warm_start
        self.folds = folds
        self.max_iter = max_iter
        self.tol = tol
        self.keep_path = keep_path
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from ranges, from two columns of ends, or from numbers.

        Parameters
        ----------
        X : array or data frame of shape (n, p)
        y : Ranges of n rows, array of shape (n, 2), or array of shape (n,)
        sample_weight : array_like of shape (n,), optional
            As scikit-learn has it: how much each row counts in what is fitted. No error comes of
            it, so that sampling weights and counts of repeated rows may both be given so.
        """
        plan = _plan(self)
        same_rows(X=X, y=y, sample_weight=sample_weight)
        validate_data(self, X, skip_check_array=True)
        (X,) = indexable(X)
        ranges = range_target(y, count_rows(X), sample_weight)
        scale = known_scale(self.scale, "estimate", "held-out")
        if plan.folds is not None:
            _demand_rows(len(ranges), plan.folds, "folds")
        elif scale is None and self.scale == "held-out":
            _demand_rows(len(ranges), _HOLD_OUT_EVERY, "scale")
            scale = self._held_out_scale(plan, X, ranges)
        changes: list[float] = []
        path: list[Floats] = []
        late: list[State] = []
        for state in iterations(plan, X, ranges, scale):
            changes.append(state.change)
            path = [*path, state.fitted] if self.keep_path else path
            late = [*late, state][-((len(changes) + 1) // 2) :] if plan.folds else [state]
            if reason := stop(plan, changes):
                self.stopped_ = reason
                break
        self._keep(averaged(plan, ranges, late, scale) if plan.folds else state, ranges, changes)
        if self.keep_path:
            self.path_ = np.array(path)
        return self

    @property
    def provenance(self) -> LearnerProvenance:
        """By which algorithm ranges are learnt from, and which learner that fits."""
        learner = type(_learner(self.estimator)).__name__
        return LearnerProvenance(algorithm=LearningAlgorithm.IMPUTATION, learner=learner)

    def predict(self, X: Any) -> Floats:
        """The mean of the unseen number.

        Returns
        -------
        array of shape (n,)
        """
        check_is_fitted(self)
        predictions = [
            np.asarray(learner.predict(X), dtype=float).reshape(-1) for learner in self.estimators_
        ]
        return np.asarray(np.mean(predictions, axis=0))

    @checked
    def predict_interval(self, X: Any, coverage: float = 0.9) -> Floats:
        """Ends between which a new number lies with the given chance, as the noise says.

        What the learner itself does not know is left out; split conformal prediction adds it.

        Returns
        -------
        array of shape (n, 2)
        """
        return likely_ranges(self.noise_, self.predict(X), self.scale_, coverage)

    def log_chance(self, X: Any, y: Any) -> Floats:
        """Log-likelihood of each range; of a number, its log-density.

        Returns
        -------
        array of shape (n,)
        """
        fitted = self.predict(X)
        return log_chances(self.noise_, fitted, self.scale_, range_target(y, len(fitted)))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R² of numbers; of ranges, whose R² nobody can know, the mean log-chance."""
        return score(self, X, y, sample_weight)

    def _held_out_scale(self, plan: FitPlan, X: Any, ranges: Ranges) -> float:
        rows = np.arange(len(ranges)) % _HOLD_OUT_EVERY == 0
        dice = random_stream(check_random_state(self.random_state), "IntervalRegressor.scale_")
        held_out = dice.permutation(rows)
        changes: list[float] = []
        for state in iterations(plan, X, ranges, None, held_out):
            changes.append(state.change)
            if stop(plan, changes):
                break
        return state.scale

    def _keep(self, state: State, ranges: Ranges, changes: list[float]) -> None:
        self.noise_ = noise_of(self.noise)
        self.estimators_, self.scale_ = state.learners, state.scale
        self.estimator_ = self.estimators_[-1]
        chances = log_chances(self.noise_, state.fitted, state.scale, ranges)
        self.loglik_ = float(ranges.weights @ chances)
        self.changes_, self.n_iter_ = np.array(changes), len(changes)

    def __sklearn_tags__(self) -> Any:
        """Describe the input that the learner takes."""
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(_learner(self.estimator)).input_tags
        return tags


def _learner(estimator: Any) -> Any:
    return LinearRegression() if estimator is None else estimator


def _plan(model: IntervalRegressor) -> FitPlan:
    learner = clone(_learner(model.estimator))
    choice(model.response, "response", "mean", "likelihood", "score")
    dealt = _folds(model)
    return FitPlan(
        learner=_read_warm_learner(learner) if model.warm_start else learner,
        noise=noise_of(model.noise),
        response=model.response,
        step=_step(model.step),
        again=model.warm_start,
        folds=dealt,
        chance=random_stream(check_random_state(model.random_state), "IntervalRegressor.fit"),
        max_iter=read_integer(model.max_iter, "max_iter", "a whole number of at least 1"),
        tol=tolerance(model.tol),
    )


def _step(step: Any) -> float | None:
    if isinstance(step, str) and step == "average":
        return None
    read = number(step)
    if not 0 < read <= 1:
        raise InputError("step", got=step, allowed='"average" or a number in (0, 1]')
    return read


def _folds(model: IntervalRegressor) -> int | None:
    """Read how many folds to deal; a learner that goes on would have learnt them all."""
    if model.folds is None:
        return None
    if model.warm_start:
        raise InputError("folds", got=model.folds, allowed="None, or no warm_start")
    return read_integer(model.folds, "folds", "a whole number of at least 2, or None", 2)


def _demand_rows(n: int, needed: int, where: str) -> None:
    if n < needed:
        raise InputError(where, got=f"n_samples={n}", allowed=f"{needed} rows or more")


def _read_warm_learner(learner: Any) -> Any:
    if "warm_start" not in learner.get_params() or "sklearn.ensemble" in type(learner).__module__:
        raise InputError(
            "warm_start",
            got=type(learner).__name__,
            allowed="a learner that goes on learning, with a parameter warm_start",
            remedy="ensembles of trees are refitted: leave warm_start out",
        )
    return learner.set_params(warm_start=True)


_EXACT = ("auto", "svd", "cholesky")  # solvers of ridge that do not iterate


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SolvedLine:
    """The least squares of a fitted line, solved for any response.

    Attributes
    ----------
    line : LinearRegression or Ridge
        Fitted to some response.
    X : array, shape (n, p)
    share : array of shape (n,), or None
        Of each row in the weighted mean of the response; None if there is no intercept.
    centre : array, shape (p,)
        Weighted means of the covariates, or zeros.
    solution : array, shape (p, n)
        Coefficients are its product with the centred response.
    """

    line: Any
    X: Floats
    share: Floats | None
    centre: Floats
    solution: Floats

    def fitted(self, y: Floats) -> tuple[Any, Floats]:
        """The line fitted to another response, and its values."""
        level = 0.0 if self.share is None else float(self.share @ y)
        line = copy(self.line)
        line.coef_ = self.solution @ (y - level)
        line.intercept_ = level - float(self.centre @ line.coef_)
        return line, self.X @ line.coef_ + line.intercept_


def solved_line(line: Any, X: Any, weight: Floats | None) -> SolvedLine | None:
    """Solve the least squares of a line that was fitted to these rows; None of other learners.

    The singular values of the centred, weighted covariates serve both learners: s/(s² + α), with
    α = 0 for `LinearRegression` (Hastie, Tibshirani & Friedman, 2009, (3.47)); only those that
    the line itself took for more than rounding.

    >>> X = np.array([[0.0], [1.0], [3.0]])
    >>> once = solved_line(LinearRegression().fit(X, [0.0, 1.0, 3.0]), X, None)
    >>> once.fitted(np.array([1.0, 3.0, 7.0]))[1].round(12).tolist()
    [1.0, 3.0, 7.0]
    """
    penalty = _penalty(line)
    if penalty is None or issparse(X):
        return None
    rows = np.asarray(X)
    if rows.dtype.kind not in "iu" and rows.dtype != np.float64:
        return None
    rows = rows.astype(np.float64, copy=False)
    shares = np.full(len(rows), 1 / len(rows)) if weight is None else weight / weight.sum()
    mean = np.average(rows, axis=0, weights=weight)  # exact where a covariate is constant
    centre = mean if line.fit_intercept else np.zeros(rows.shape[1])
    root = np.ones(len(rows)) if weight is None else np.sqrt(weight)
    left_vectors, singular_values, right_vectors = np.linalg.svd(
        root[:, None] * (rows - centre), full_matrices=False
    )
    is_determined = np.arange(len(singular_values)) < getattr(
        line, "rank_", np.count_nonzero(singular_values)
    )
    factor = np.divide(
        singular_values,
        singular_values**2 + penalty,
        out=np.zeros_like(singular_values),
        where=is_determined,
    )
    return SolvedLine(
        line=line,
        X=rows,
        share=shares if line.fit_intercept else None,
        centre=centre,
        solution=(right_vectors.T * factor) @ (left_vectors * root[:, None]).T,
    )


def _penalty(line: Any) -> float | None:
    """The penalty on squares of coefficients; None where least squares alone do not decide."""
    if type(line) is LinearRegression and not line.positive:
        return 0.0
    plain = type(line) is Ridge and not line.positive and line.solver in _EXACT
    return float(line.alpha) if plain and isinstance(line.alpha, Real) else None
