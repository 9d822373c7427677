"""Extreme-value noise."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from askance.estimators.noise import AbstractNoise
from askance.typing import Floats

_NODES, _WEIGHTS = np.polynomial.laguerre.laggauss(120)
_STEEPEST = 100.0  # the density is zero there
_TERMS = np.arange(24)
_FACTORIALS = np.cumprod(np.maximum(_TERMS, 1.0))


@final
@dataclass(frozen=True, slots=True)
class GumbelNoise(AbstractNoise):
    """The logarithm of an exponential number: Weibull regression on the logarithmic scale.

    >>> GumbelNoise().moments_beyond(np.array([0.0]), 1)[0].round(6).tolist()  # e E₁(1)
    [0.596347]
    """

    name: ClassVar[str] = "gumbel"
    symmetric: ClassVar[bool] = False
    mean: ClassVar[float] = -float(np.euler_gamma)
    variance: ClassVar[float] = float(np.pi**2 / 6)

    def log_density(self, z: Floats) -> Floats:
        """Give log f(z)."""
        with np.errstate(over="ignore"):
            return z - np.exp(z)

    def slope(self, z: Floats) -> Floats:
        """Give f'(z)/f(z)."""
        return -np.expm1(np.minimum(z, _STEEPEST))

    def bend(self, z: Floats) -> Floats:
        """Give f''(z)/f(z)."""
        rise = np.expm1(np.minimum(z, _STEEPEST))
        return rise * rise - rise - 1

    def log_beyond(self, t: Floats, side: int) -> Floats:
        """Give the log-chance of a tail: the upper falls doubly exponentially."""
        with np.errstate(over="ignore", divide="ignore"):
            if side > 0:
                return np.asarray(-np.exp(t))
            most = np.exp(-t)
            return np.where(most < 1, np.log(-np.expm1(-most)), np.log1p(-np.exp(-most)))

    def moments_beyond(self, t: Floats, side: int) -> tuple[Floats, Floats]:
        """Give a tail's mean distance and mean squared distance from zero."""
        first, second = _above(t) if side > 0 else _below(t)
        return t + first, t * t + 2 * t * first + second


def _above(t: Floats) -> tuple[Floats, Floats]:
    """Beyond x = e^t an exponential number is x + E again: its logarithm is t + log(1 + E/x)."""
    excess = np.log1p(_NODES * np.exp(-t)[:, None])
    return excess @ _WEIGHTS, excess**2 @ _WEIGHTS


def _below(t: Floats) -> tuple[Floats, Floats]:
    """Below x = e^−t ≤ 1 the powers of x in ∫₀¹ (−log v)^k e^−xv dv fall off at once."""
    powers = (-np.exp(-t)[:, None]) ** _TERMS / _FACTORIALS
    whole, first, second = (powers @ (1.0 / (_TERMS + 1)) ** k for k in (1, 2, 3))
    return first / whole, 2 * second / whole
