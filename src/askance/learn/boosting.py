"""Rounds of boosting: what is left of the likelihood's slope, learnt and added."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from sklearn.utils import _safe_indexing

from askance.channels.ranges import Ranges
from askance.estimators.noise.fit import first_guess, next_scale, slopes_at, working
from askance.estimators.noise.law import AbstractNoise
from askance.learn.weighted_fit import weighted_fit
from askance.typing import Booleans, Floats

_LEAST = 1e-6  # of the first scale: noise smaller than that is none


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Round:
    """A learner that is added, and what was so before it was.

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
    held: Booleans | None = None,
) -> Iterator[Round]:
    """Boost without end; rows that are held out tell the scale, and are not learnt from."""
    mean, guess = first_guess(noise, ranges)
    now = guess if scale is None else scale
    fitted = np.full(len(ranges), mean)
    learnt = np.arange(len(ranges)) if held is None else np.flatnonzero(~held)
    inside = X if held is None else _safe_indexing(X, learnt)
    counted = ranges.weights if held is None else ranges.weights * held
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
