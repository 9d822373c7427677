"""Logistic noise."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
from scipy.special import spence

from askance.estimators.noise.law import AbstractNoise
from askance.typing import Floats

_SERIES = [(-1) ** k / k**2 for k in range(30, 0, -1)]  # Li₂(−x)/x
_SMALL = 0.3


@final
@dataclass(frozen=True, slots=True)
class LogisticNoise(AbstractNoise):
    """The logistic law; its standard deviation is π/√3 scales.

    >>> LogisticNoise().moments_beyond(np.array([0.0, 40.0]), 1)[0].round(6).tolist()  # 2 ln 2, 41
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

    def log_beyond(self, t: Floats, side: int) -> Floats:  # noqa: ARG002  both tails are alike
        """Give the log-chance of a tail."""
        return np.minimum(-t, 0) - np.log1p(np.exp(-np.abs(t)))

    def moments_beyond(self, t: Floats, side: int) -> tuple[Floats, Floats]:  # noqa: ARG002
        """Give a tail's mean distance and mean squared distance from zero.

        With x = e^−t, log(1 + x)/x and Li₂(−x)/x stay near 1 and −1 however far the tail.
        """
        x = np.maximum(np.exp(-t), np.finfo(float).tiny)
        excess = (1 + x) * np.log1p(x) / x
        dilogarithm = np.where(x < _SMALL, np.polyval(_SERIES, x), spence(1 + x) / x)
        return t + excess, t * t + 2 * t * excess - 2 * (1 + x) * dilogarithm
