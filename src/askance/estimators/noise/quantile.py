"""Quantiles of noise."""

import numpy as np

from askance.estimators.noise.law import AbstractNoise
from askance.typing import Floats

_HALVINGS = 80  # down to rounding
_FAR = 40.0  # scales; farther where a tail is heavy


def noise_quantile(noise: AbstractNoise, chance: Floats | float) -> Floats:
    """Give the standardised noise's quantiles by halving, from the nearer tail.

    Parameters
    ----------
    noise : AbstractNoise
    chance : array, in (0, 1)

    >>> from askance.estimators.noise.logistic import LogisticNoise
    >>> noise_quantile(LogisticNoise(), 0.75).round(6).tolist()  # log 3
    1.098612
    """
    wanted = np.atleast_1d(np.asarray(chance, dtype=float))
    below = np.exp(noise.tail(np.zeros(1), -np.ones(1)).log_chance)
    side = np.where(wanted < below, -1, 1)
    tail = np.log(np.where(side < 0, wanted, 1 - wanted))
    near, far = np.zeros(wanted.shape), np.full(wanted.shape, _FAR)
    while np.any(short := noise.tail(far, side).log_chance > tail):
        far = np.where(short, 2 * far, far)
    for _ in range(_HALVINGS):
        middle = (near + far) / 2
        short = noise.tail(middle, side).log_chance > tail
        near, far = np.where(short, middle, near), np.where(short, far, middle)
    return np.asarray(side * (near + far) / 2).reshape(np.shape(chance))
