"""Normal noise."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
from scipy.special import erfcx, ndtr

from askance.estimators.noise.law import AbstractNoise
from askance.estimators.noise.tail import Tail
from askance.typing import Floats

_FAR = 25.0  # beyond, chances are so small that their ratio to the density is taken instead
_LEAST = -400.0
"""The exponential of less is nothing, and slow."""


@final
@dataclass(frozen=True, slots=True)
class NormalNoise(AbstractNoise):
    """The normal law; the scale is the standard deviation.

    >>> law, t = NormalNoise(), np.array([0.0, 40.0])
    >>> law.mean_beyond(law.tail(t, np.ones(2))).round(6).tolist()  # √(2/π), …
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

    def tail(self, t: Floats, side: Floats) -> Tail:
        """Give the tails beyond t: far out, by the ratio of chance to density."""
        chance, far = ndtr(-np.minimum(t, _FAR)), np.flatnonzero(t > _FAR)
        log_chance, rate = np.log(chance), np.exp(np.maximum(self.log_density(t), _LEAST)) / chance
        rate[far] = np.sqrt(2 / np.pi) / erfcx(t[far] / np.sqrt(2))
        log_chance[far] = self.log_density(t[far]) - np.log(rate[far])
        return Tail(t=t, side=side, log_chance=log_chance, rate=rate)

    def mean_beyond(self, tail: Tail) -> Floats:
        """Give the mean of tails."""
        return tail.rate
