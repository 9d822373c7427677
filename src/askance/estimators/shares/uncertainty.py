"""Intervals that stay inside [0, 1] and are never empty."""

import numpy as np
from scipy.special import ndtri

from askance.channels.readonly import doubles
from askance.errors import InputError
from askance.estimators.shares.informative import Informative
from askance.estimators.shares.profile import profile_intervals
from askance.estimators.shares.score import score_interval
from askance.estimators.shares.wilson import wilson
from askance.typing import Floats

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
    interval cut to [0, 1], nowhere inside the one that as many plain answers would give.

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
    k, z = len(shares), normal_quantile(level)
    if k == 2:
        first, last = score_interval(data, float(shares[0]), z)
        return np.array([first, 1 - last]), np.array([last, 1 - first])
    if k > MOST_PROFILED:
        low, high = wilson(shares, np.full(k, data.total), z)
        return np.clip(shares - z * se, 0, low), np.clip(shares + z * se, high, 1)
    lower, upper = profile_intervals(data, shares, se, z)
    return lower, upper
