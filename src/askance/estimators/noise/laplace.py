"""Laplace noise."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from askance.estimators.noise.law import AbstractNoise
from askance.estimators.noise.tail import Tail
from askance.typing import Floats


@final
@dataclass(frozen=True, slots=True)
class LaplaceNoise(AbstractNoise):
    """The Laplace law, whose median regression is least absolute deviations.

    >>> law, t = LaplaceNoise(), np.array([0.0, 40.0])
    >>> law.mean_beyond(law.tail(t, np.ones(2))).tolist()
    [1.0, 41.0]
    """

    name: ClassVar[str] = "laplace"
    mean: ClassVar[float] = 0.0
    variance: ClassVar[float] = 2.0
    kink: ClassVar[float] = -1.0

    def log_density(self, z: Floats) -> Floats:
        """Give log f(z)."""
        return np.asarray(-np.abs(z) - np.log(2))

    def slope(self, z: Floats) -> Floats:
        """Give f'(z)/f(z)."""
        return -np.copysign(1.0, z)

    def bend(self, z: Floats) -> Floats:
        """Give f''(z)/f(z), the kink at zero aside."""
        return np.ones_like(z)

    def tail(self, t: Floats, side: Floats) -> Tail:
        """Give the tails beyond t."""
        height = np.exp(-np.abs(t)) / 2
        inner = np.where(t > 0, 0.0, height)
        return Tail(
            t=t,
            side=side,
            log_chance=np.where(t > 0, -t - np.log(2), np.log1p(-inner)),
            rate=np.where(t > 0, 1.0, height / (1 - inner)),
        )

    def mean_beyond(self, tail: Tail) -> Floats:
        """Give the mean of tails."""
        return np.asarray(tail.rate * (np.abs(tail.t) + 1))
