"""Laplace noise."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from askance.estimators.noise.law import AbstractNoise
from askance.typing import Floats


@final
@dataclass(frozen=True, slots=True)
class LaplaceNoise(AbstractNoise):
    """The Laplace law, whose median regression is least absolute deviations.

    >>> LaplaceNoise().moments_beyond(np.array([0.0, 40.0]), 1)[0].tolist()
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

    def log_beyond(self, t: Floats, side: int) -> Floats:  # noqa: ARG002  both tails are alike
        """Give the log-chance of a tail."""
        with np.errstate(over="ignore"):
            return np.where(t > 0, -t - np.log(2), np.log1p(-np.exp(-np.abs(t)) / 2))

    def moments_beyond(self, t: Floats, side: int) -> tuple[Floats, Floats]:  # noqa: ARG002
        """Give a tail's mean distance and mean squared distance from zero."""
        return t + 1, t * t + 2 * t + 2
