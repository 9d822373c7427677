"""Intervals that stay inside [0, 1] and are never empty."""

from dataclasses import replace

import numpy as np
from scipy.special import ndtri

from askance.errors import InputError
from askance.estimators.shares.informative import Informative
from askance.estimators.shares.profile import profile_intervals
from askance.estimators.shares.score import score_interval
from askance.estimators.shares.wilson import wilson
from askance.results import doubles
from askance.typing import Floats, Integers

_SAME = 1e-9  # of all reports: frequencies that are equal but for rounding

MOST_PROFILED = 200
"""The most answers whose likelihood is profiled one by one."""


def normal_quantile(level: float) -> float:
    """Give z such that a standard normal lies within ±z this often.

    Raises
    ------
    InputError
        If the level is not strictly between 0 and 1.

    >>> round(normal_quantile(0.95), 6)
    1.959964
    """
    if not 0 < doubles(level, "level") < 1:
        raise InputError("level", got=level, allowed="a probability strictly between 0 and 1")
    return float(ndtri((1 + level) / 2))


def intervals(data: Informative, shares: Floats, se: Floats, level: float) -> tuple[Floats, Floats]:
    """Give an interval for each share.

    Two answers: the score test inverted through the channel, as in `score_interval`. More: profile
    likelihood, as in `profile_intervals`. More than 200, where profiling takes minutes: the normal
    interval cut to [0, 1], nowhere inside the one that as many plain answers would give. A share
    that is estimated as exactly 0 or 1 has at least the interval that reports at the nearest
    frequencies which shares can send would give it: those further out do not feign certainty.

    Parameters
    ----------
    data : Informative
        With at least one informative report.
    shares, se : array, shape (k,)
        The most likely shares and their standard errors.
    level : float

    Returns
    -------
    lower, upper : array, shape (k,)
    """
    z = normal_quantile(level)
    lower, upper = _tested(data, shares, se, z, np.arange(len(shares)))
    edge = np.flatnonzero((shares <= 0) | (shares >= 1))
    nearest = data.total / data.share * (data.rows @ shares)
    if len(edge) and np.abs(nearest - data.counts).max() > _SAME * data.total:
        low, high = _tested(replace(data, counts=nearest), shares, se, z, edge)
        lower[edge] = np.minimum(lower[edge], low[edge])
        upper[edge] = np.maximum(upper[edge], high[edge])
    return lower, upper


def _tested(
    data: Informative, shares: Floats, se: Floats, z: float, which: Integers
) -> tuple[Floats, Floats]:
    k = len(shares)
    if k == 2:
        first, last = score_interval(data, float(shares[0]), z)
        return np.array([first, 1 - last]), np.array([last, 1 - first])
    if k > MOST_PROFILED:
        low, high = wilson(shares, np.full(k, data.total), z)
        return np.clip(shares - z * se, 0, low), np.clip(shares + z * se, high, 1)
    lower, upper = profile_intervals(data, shares, se, z, which)
    return lower, upper
