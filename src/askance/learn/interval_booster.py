"""Gradient boosting of the likelihood of ranges."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, Literal, Self, final

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.utils import check_random_state, get_tags, indexable
from sklearn.utils.validation import check_is_fitted, validate_data

from askance.channels.ranges import Ranges
from askance.inference.provenance import Computation, LearnerProvenance, LearningAlgorithm
from askance.inference.regression.censored_likelihood import (
    first_guess,
    next_scale,
    slopes_at,
    working,
)
from askance.inference.regression.error_laws import AbstractNoise, noise_of
from askance.learn.targets import (
    count_rows,
    known_scale,
    likely_ranges,
    log_chances,
    range_target,
    rows_of,
    score,
    weighted_fit,
)
from askance.random_streams import random_stream
from askance.typing import Booleans, Floats
from askance_collect.arguments import checked, same_rows
from askance_collect.errors import InputError
from askance_collect.exact.ratio import read_integer

_HOLD_OUT_EVERY = 5  # one row in so many is held out


@final
class IntervalBooster(RegressorMixin, BaseEstimator):
    """Learn the mean of a number from ranges by boosting their likelihood.

    Each round fits a small learner to what is left, ``σ ℓ'/w`` with weights
    ``w = max(−ℓ'', |ℓ'|/4, 0.02)`` and ℓ the log-chance of a range, and adds it (Friedman 2001).
    Every fifth row is held out to find the number of rounds and the scale of the noise; then all
    rows are learnt from.

    Parameters
    ----------
    estimator : regressor that takes weights, optional
        A small one; ten boosted trees of five leaves each if left out.
    noise : {"logistic", "normal", "laplace", "student", "gumbel"} or a noise
    scale : "held-out" or float
        "held-out" fits the scale of the noise on rows held out; a number is taken as known.
    max_iter : int
        Most rounds.
    patience : int
        Stop after so many rounds in which the rows held out became no likelier.
    random_state : int, optional
        Chooses the rows held out.

    Attributes
    ----------
    estimators_ : list of the fitted learners
    start_ : float
    scale_ : float
    n_iter_ : int
        Rounds taken.
    loglik_ : float
        Log-likelihood of the ranges learnt from.
    held_out_ : array
        Mean log-chance of the rows held out after each round.

    Raises
    ------
    NotIdentified
        If no range says anything, or all leave the same side open.

    >>> from askance import Ranges
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((400, 1))
    >>> y = np.where(X[:, 0] > 0.5, 3.0, 0.0) + rng.logistic(0, 0.3, 400)
    >>> cut = rng.uniform(-1, 4, 400)
    >>> ranges = Ranges(np.where(y > cut, cut, -np.inf), np.where(y > cut, np.inf, cut))
    >>> stump = DecisionTreeRegressor(max_depth=1)
    >>> model = IntervalBooster(stump, max_iter=9, random_state=0).fit(X, ranges)
    >>> bool(model.predict([[0.2]])[0] < 1 < 2 < model.predict([[0.8]])[0])
    True
    """

    computation: ClassVar[Computation] = Computation.LEARNER

    def __init__(
        self,
        estimator: Any = None,
        *,
        noise: AbstractNoise | str = "logistic",
        scale: float | Literal["held-out"] = "held-out",
        max_iter: int = 100,
        patience: int = 10,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.noise = noise
        self.scale = scale
        self.max_iter = max_iter
        self.patience = patience
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
        noise, learner = noise_of(self.noise), clone(_learner(self.estimator))
        fixed_scale = known_scale(self.scale, "held-out")
        most, patience = (
            read_integer(getattr(self, name), name, "a whole number of at least 1")
            for name in ("max_iter", "patience")
        )
        same_rows(X=X, y=y, sample_weight=sample_weight)
        validate_data(self, X, skip_check_array=True)
        (X,) = indexable(X)
        ranges = range_target(y, count_rows(X), sample_weight)
        if len(ranges) < _HOLD_OUT_EVERY:
            raise InputError(
                "X", got=f"n_samples={len(ranges)}", allowed=f"{_HOLD_OUT_EVERY} rows or more"
            )
        rows = np.arange(len(ranges)) % _HOLD_OUT_EVERY == 0
        dice = random_stream(check_random_state(self.random_state), "IntervalBooster.fit")
        held_out = dice.permutation(rows)
        tried, scales = [], []
        for state in rounds(learner, noise, X, ranges, fixed_scale, held_out):
            tried.append(float(np.average(state.log_chance, weights=ranges.weights * held_out)))
            scales.append(state.scale)
            best = int(np.argmax(tried))
            if len(tried) > min(best + patience, most):
                break
        self.n_iter_ = max(best, 1)
        self.scale_, self.held_out_ = scales[self.n_iter_], np.array(tried)
        self.noise_, self.start_ = noise, first_guess(noise, ranges)[0]
        fitted_rounds = islice(rounds(learner, noise, X, ranges, self.scale_), self.n_iter_)
        self.estimators_ = [state.learner for state in fitted_rounds]
        self.loglik_ = float(ranges.weights @ self.log_chance(X, ranges))
        return self

    @property
    def provenance(self) -> LearnerProvenance:
        """By which algorithm ranges are learnt from, and which learner that fits."""
        learner = type(_learner(self.estimator)).__name__
        return LearnerProvenance(algorithm=LearningAlgorithm.BOOSTING, learner=learner)

    def predict(self, X: Any) -> Floats:
        """The mean of the unseen number.

        Returns
        -------
        array of shape (n,)
        """
        check_is_fitted(self)
        added = [
            np.asarray(learner.predict(X), dtype=float).reshape(-1) for learner in self.estimators_
        ]
        return np.asarray(self.start_ + np.sum(added, axis=0))

    @checked
    def predict_interval(self, X: Any, coverage: float = 0.9) -> Floats:
        """Ends between which a new number lies with the given chance, as the noise says.

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

    def __sklearn_tags__(self) -> Any:
        """Describe the input that the learner takes."""
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(_learner(self.estimator)).input_tags
        return tags


def _learner(estimator: Any) -> Any:
    if estimator is not None:
        return estimator
    return HistGradientBoostingRegressor(
        max_iter=10, max_leaf_nodes=5, early_stopping=False, random_state=0
    )


_LEAST = 1e-6  # of the first scale: noise smaller than that is none


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Round:
    """A learner that was added, and the model's state before it was.

    Attributes
    ----------
    learner : the fitted learner
    scale : float
    log_chance : array, shape (n,)
        Log-chance of each range before the learner is added.
    """

    learner: Any
    scale: float
    log_chance: Floats


def rounds(
    learner: Any,
    noise: AbstractNoise,
    X: Any,
    ranges: Ranges,
    scale: float | None,
    held_out: Booleans | None = None,
) -> Iterator[Round]:
    """Boost without end; rows held out estimate the scale and are not learnt from."""
    mean, guess = first_guess(noise, ranges)
    now = guess if scale is None else scale
    fitted = np.full(len(ranges), mean)
    learnt = np.arange(len(ranges)) if held_out is None else np.flatnonzero(~held_out)
    inside = X if held_out is None else rows_of(X, learnt)
    counted = ranges.weights if held_out is None else ranges.weights * held_out
    while True:
        slopes = slopes_at(noise, ranges, fitted, now)
        step = working(slopes, np.zeros(len(ranges)), now)
        fresh = weighted_fit(
            learner, inside, step.response[learnt], (step.weight * ranges.weights)[learnt]
        )
        yield Round(learner=fresh, scale=now, log_chance=slopes.log_chance)
        if scale is None:
            now = max(next_scale(noise, slopes, counted, now), _LEAST * guess)
        fitted = fitted + np.asarray(fresh.predict(X), dtype=float).reshape(-1)
