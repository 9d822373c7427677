"""Normal noise."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
from scipy.special import erfcx, log_ndtr

from askance.estimators.noise.law import AbstractNoise
from askance.typing import Floats


@final
@dataclass(frozen=True, slots=True)
class NormalNoise(AbstractNoise):
    """The normal law; the scale is the standard deviation.

    >>> NormalNoise().moments_beyond(np.array([0.0, 40.0]), 1)[0].round(6).tolist()  # √(2/π), …
    [0.797885, 40.024969]
    """

    name: ClassVar[str] = "normal"
    mean: ClassVar[float] = 0.0
    variance: ClassVar[float] = 1.0

    def log_density(self, z: Floats) -> Floats:
        """Give log f(z)."""
        return np.asarray(-0.5 * (z * z + np.log(2 * np.pi)))

    def slope(self, z: Floats) -> Floats:
        """Give f'(z)/f(z)."""
        return -z

    def bend(self, z: Floats) -> Floats:
        """Give f''(z)/f(z)."""
        return z * z - 1

    def log_beyond(self, t: Floats, side: int) -> Floats:  # noqa: ARG002  both tails are alike
        """Give the log-chance of a tail."""
        return np.asarray(log_ndtr(-t))

    def moments_beyond(self, t: Floats, side: int) -> tuple[Floats, Floats]:  # noqa: ARG002
        """Give a tail's mean distance and mean squared distance from zero."""
        mean = np.sqrt(2 / np.pi) / erfcx(t / np.sqrt(2))
        return mean, 1 + t * mean
