"""What a regression from ranges says of new rows beyond the mean."""

from typing import Any

import numpy as np
from sklearn.metrics import r2_score

from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.estimators.noise.law import AbstractNoise
from askance.estimators.noise.parts import parts
from askance.estimators.noise.quantile import noise_quantile
from askance.learn.range_target import range_target
from askance.typing import Floats


def likely_ranges(noise: AbstractNoise, mean: Floats, scale: float, coverage: float) -> Floats:
    """Give the central interval of the noise about each mean.

    Raises
    ------
    InputError
        If the coverage is not in (0, 1).

    >>> from askance.estimators.noise.normal import NormalNoise
    >>> likely_ranges(NormalNoise(), np.zeros(1), 2.0, 0.95).round(2).tolist()
    [[-3.92, 3.92]]
    """
    if not 0 < coverage < 1:
        raise InputError("coverage", got=coverage, allowed="a number in (0, 1)")
    ends = noise_quantile(noise, np.array([1 - coverage, 1 + coverage]) / 2) - noise.mean
    return np.asarray(mean[:, None] + scale * ends)


def log_chances(noise: AbstractNoise, mean: Floats, scale: float, ranges: Ranges) -> Floats:
    """Give the log-chance of each range about its mean.

    >>> from askance.estimators.noise.normal import NormalNoise
    >>> log_chances(NormalNoise(), np.zeros(1), 1.0, Ranges([0.0], [np.inf])).round(3).tolist()
    [-0.693]
    """
    seen = parts(noise, ranges, mean - scale * noise.mean, scale)
    return np.concatenate([one.total for one in seen])


def score(model: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
    """Give R² where numbers are known, and the mean log-chance of ranges.

    >>> from askance.learn import IntervalRegressor
    >>> model = IntervalRegressor().fit([[0.0], [1.0], [2.0]], [0.0, 1.5, 2.0])
    >>> round(score(model, [[0.0], [1.0]], [0.0, 1.5]), 3)
    0.877
    """
    if not isinstance(y, Ranges) and np.asarray(y).ndim == 1:
        return float(r2_score(y, model.predict(X), sample_weight=sample_weight))
    chances = model.log_chance(X, y)
    weights = range_target(y, len(chances), sample_weight).weights
    return float(np.average(chances, weights=weights))
