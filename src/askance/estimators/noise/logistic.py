"""Logistic noise."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from askance.estimators.noise.law import AbstractNoise
from askance.estimators.noise.tail import Tail
from askance.typing import Floats

_LEAST, _MOST = -400.0, 700.0
"""The exponential of less is nothing, and slow; that of more is no number."""


@final
@dataclass(frozen=True, slots=True)
class LogisticNoise(AbstractNoise):
    """The logistic law; its standard deviation is π/√3 scales.

    >>> law, t = LogisticNoise(), np.array([0.0, 40.0])
    >>> law.mean_beyond(law.tail(t, np.ones(2))).round(6).tolist()  # 2 ln 2, 41
    [1.386294, 41.0]
    """

    name: ClassVar[str] = "logistic"
    mean: ClassVar[float] = 0.0
    variance: ClassVar[float] = float(np.pi**2 / 3)

    def log_density(self, z: Floats) -> Floats:
        """Give log f(z)."""
        far = np.abs(z)
        return np.asarray(-far - 2 * np.log1p(np.exp(-far)))

    def slope(self, z: Floats) -> Floats:
        """Give f'(z)/f(z)."""
        return -np.tanh(z / 2)

    def bend(self, z: Floats) -> Floats:
        """Give f''(z)/f(z)."""
        return 1.5 * np.tanh(z / 2) ** 2 - 0.5

    def tail(self, t: Floats, side: Floats) -> Tail:
        """Give the tails beyond t."""
        odds = np.exp(np.clip(t, _LEAST, _MOST))
        log_chance = -np.maximum(t, np.log1p(odds))
        return Tail(t=t, side=side, log_chance=log_chance, rate=odds / (1 + odds))

    def mean_beyond(self, tail: Tail) -> Floats:
        """Give the mean of tails: with x = e^−|t|, |t| x/(1 + x) + log(1 + x) by their chance."""
        odds = np.exp(np.clip(tail.t, _LEAST, _MOST))
        x = np.minimum(odds, 1 / odds)
        return np.asarray((np.abs(tail.t) * (x / (1 + x)) + np.log1p(x)) * (1 + odds))
