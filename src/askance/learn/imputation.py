"""Algorithm 1: fill in what ranges hide, refit, and again until the fitted values stay."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, final

import numpy as np

from askance.channels.ranges import Ranges
from askance.estimators.noise.fit import filled, first_guess, next_scale, slopes_at, working
from askance.estimators.noise.law import AbstractNoise
from askance.learn.refit import Split, folds, refit
from askance.learn.solved_line import solved_line
from askance.typing import Booleans, Floats

Response = Literal["mean", "likelihood", "score"]
Stop = Literal["converged", "settled", "max_iter"]

_LEAST = 1e-6  # of the first scale: noise smaller than that is none
_PATIENCE = 5  # iterations that move no less than those before
_RESTING = 5  # Newton steps of the scale, once the fits are averaged


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plan:
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
    chance : RandomState
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
    chance: np.random.RandomState
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
    plan: Plan,
    X: Any,
    ranges: Ranges,
    scale: float | None,
    held: Booleans | None = None,
) -> Iterator[State]:
    """Impute and refit; rows that are held out tell the scale and are not learnt from.

    The change is the root mean square of the move of the fitted values, in scales, or the move of
    the log-scale if that is more.
    """
    mean, guess = first_guess(plan.noise, ranges)
    now = guess if scale is None else scale
    least = _LEAST * guess
    reach = _reach(ranges, guess)
    fitted = np.full(len(ranges), mean)
    counted = ranges.weights if held is None else ranges.weights * held
    learner, solved = plan.learner, None
    for count in range(1, plan.max_iter + 1):
        response, weight, after = _responses(plan, ranges, fitted, now, counted, reach)
        if solved is not None:
            line, told = solved.fitted(response)
            learners = [line]
        else:
            learners, told = refit(
                learner,
                X,
                response,
                weight,
                _splits(plan, len(ranges), held),
                again=plan.again and count > 1,
                remedy='leave weights out, and choose response="mean"',
            )
        if count == 1 and held is None and plan.folds is None and plan.response != "likelihood":
            solved = solved_line(learners[-1], X, weight)  # the rows weigh the same every time
        share, learner = 2 / (count + 1) if plan.step is None else plan.step, learners[-1]
        move = share * (told - fitted)
        fitted, before = fitted + move, now
        if scale is None:
            now = max(after, least)
        moved = float(np.sqrt(ranges.weights @ move**2 / ranges.total)) / now
        change = max(moved, abs(np.log(now / before)))
        yield State(learners=learners, fitted=fitted, scale=now, change=change)


def _splits(plan: Plan, n: int, held: Booleans | None) -> list[Split]:
    if held is not None:
        return [(np.flatnonzero(~held), None)]
    return [(None, None)] if plan.folds is None else folds(plan.folds, n, plan.chance)


def averaged(plan: Plan, ranges: Ranges, late: list[State], scale: float | None) -> State:
    """Average iterations that refit with chance, and let the scale rest where they say."""
    fitted = np.mean([state.fitted for state in late], axis=0)
    now = late[-1].scale
    for _ in range(_RESTING if scale is None else 0):
        now = next_scale(
            plan.noise, slopes_at(plan.noise, ranges, fitted, now), ranges.weights, now
        )
    learners = [learner for state in late for learner in state.learners]
    return State(learners=learners, fitted=fitted, scale=now, change=late[-1].change)


def _reach(ranges: Ranges, beyond: float) -> tuple[float, float]:
    """Say between which numbers anything was told, and a little beyond."""
    ends = np.concatenate([ranges.lower, ranges.upper])
    finite = ends[np.isfinite(ends)]
    return float(finite.min()) - beyond, float(finite.max()) + beyond


def _responses(
    plan: Plan,
    ranges: Ranges,
    fitted: Floats,
    scale: float,
    counted: Floats,
    reach: tuple[float, float],
) -> tuple[Floats, Floats | None, float]:
    """Give what to regress on, with weights where they differ, and the next scale.

    A score is unbounded where the mean weight is little; no row is sent farther out of reach by it,
    or learners that follow single rows would swing ever wider.
    """
    given = None if np.all(ranges.weights == ranges.weights[0]) else ranges.weights
    if plan.response == "mean":
        means, after = filled(plan.noise, ranges, fitted, scale, counted)
        return means, given, after
    slopes = slopes_at(plan.noise, ranges, fitted, scale)
    step = working(slopes, fitted, scale)
    after = next_scale(plan.noise, slopes, counted, scale)
    if plan.response == "score":
        alike = np.average(step.weight, weights=ranges.weights)
        told = fitted + (step.response - fitted) * step.weight / alike
        inside = np.clip(told, np.minimum(fitted, reach[0]), np.maximum(fitted, reach[1]))
        return inside, given, after
    return step.response, step.weight * ranges.weights, after


def stop(plan: Plan, changes: list[float]) -> Stop | None:
    """Say whether to stop, and why: a learner that refits with chance settles but never converges.

    >>> plan = Plan(learner=None, noise=None, response="mean", step=1, again=False, folds=None,
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
