"""Regression of a number that was only ever reported as a range, with any learner."""

from typing import Any, Literal, Self, final

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.linear_model import LinearRegression
from sklearn.utils import check_random_state, get_tags, indexable
from sklearn.utils.validation import _num_samples, check_is_fitted, validate_data

from askance.arguments import checked, same_rows
from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.estimators.noise.catalogue import noise_of
from askance.estimators.noise.law import AbstractNoise
from askance.exact.ratio import whole
from askance.learn.imputation import Plan, Response, State, averaged, iterations, stop
from askance.learn.range_prediction import likely_ranges, log_chances, score
from askance.learn.range_target import range_target
from askance.learn.settings import choice, known_scale, number, tolerance
from askance.typing import Floats

_HELD = 5  # one row in so many is held out


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
    changes_ : array of shape (n_iter_,)
        How far the fitted values moved at each iteration.
    stopped_ : {"converged", "settled", "max_iter"}
        "settled" when the moves no longer shrink, as with learners that never repeat a fit.
    path_ : array of shape (n_iter_, n)
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
        sample_weight : array of shape (n,), optional
        """
        plan = _plan(self)
        same_rows(X=X, y=y, sample_weight=sample_weight)
        validate_data(self, X, skip_check_array=True)
        (X,) = indexable(X)
        ranges = range_target(y, _num_samples(X), sample_weight)
        scale = known_scale(self.scale, "estimate", "held-out")
        if plan.folds is not None:
            _enough(len(ranges), plan.folds, "folds")
        elif scale is None and self.scale == "held-out":
            _enough(len(ranges), _HELD, "scale")
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

    def predict(self, X: Any) -> Floats:
        """Give the mean of the unseen number.

        Returns
        -------
        array of shape (n,)
        """
        check_is_fitted(self)
        told = [np.asarray(one.predict(X), dtype=float).reshape(-1) for one in self.estimators_]
        return np.asarray(np.mean(told, axis=0))

    @checked
    def predict_interval(self, X: Any, coverage: float = 0.9) -> Floats:
        """Give ends between which a new number lies with the given chance, as the noise says.

        What the learner itself does not know is left out; split conformal prediction adds it.

        Returns
        -------
        array of shape (n, 2)
        """
        return likely_ranges(self.noise_, self.predict(X), self.scale_, coverage)

    def log_chance(self, X: Any, y: Any) -> Floats:
        """Give the log-chance of each range; of a number, its log-density.

        Returns
        -------
        array of shape (n,)
        """
        fitted = self.predict(X)
        return log_chances(self.noise_, fitted, self.scale_, range_target(y, len(fitted)))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Give R² of numbers; of ranges, whose R² nobody can know, the mean log-chance."""
        return score(self, X, y, sample_weight)

    def _held_out_scale(self, plan: Plan, X: Any, ranges: Ranges) -> float:
        rows = np.arange(len(ranges)) % _HELD == 0
        held = check_random_state(self.random_state).permutation(rows)
        changes: list[float] = []
        for state in iterations(plan, X, ranges, None, held):
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
        """Tell what the learner takes."""
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(_learner(self.estimator)).input_tags
        return tags


def _learner(estimator: Any) -> Any:
    return LinearRegression() if estimator is None else estimator


def _plan(model: IntervalRegressor) -> Plan:
    learner = clone(_learner(model.estimator))
    choice(model.response, "response", "mean", "likelihood", "score")
    dealt = _folds(model)
    return Plan(
        learner=_warm(learner) if model.warm_start else learner,
        noise=noise_of(model.noise),
        response=model.response,
        step=_step(model.step),
        again=model.warm_start,
        folds=dealt,
        chance=check_random_state(model.random_state),
        max_iter=whole(model.max_iter, "max_iter", "a whole number of at least 1"),
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
    return whole(model.folds, "folds", "a whole number of at least 2, or None", 2)


def _enough(n: int, needed: int, where: str) -> None:
    if n < needed:
        raise InputError(where, got=f"n_samples={n}", allowed=f"{needed} rows or more")


def _warm(learner: Any) -> Any:
    if "warm_start" not in learner.get_params() or "sklearn.ensemble" in type(learner).__module__:
        raise InputError(
            "warm_start",
            got=type(learner).__name__,
            allowed="a learner that goes on learning, with a parameter warm_start",
            remedy="ensembles of trees are refitted: leave warm_start out",
        )
    return learner.set_params(warm_start=True)
