"""Extreme-value noise."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from askance.estimators.noise.law import AbstractNoise
from askance.typing import Floats

_STEEPEST = 100.0  # the density is zero there
_POWERS = np.arange(20.0)
_SERIES = (-1) ** _POWERS / np.cumprod(np.maximum(_POWERS, 1))
"""Of e^−x, which x ≤ 1 exhausts."""

_FAR = 3.0
"""Before it a polynomial in t gives the moments beyond t to rounding, after it a few nodes do."""

_MANY, _FEW = (np.polynomial.laguerre.laggauss(nodes) for nodes in (120, 16))


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


def _nodes(t: Floats, rule: tuple[Floats, Floats]) -> Floats:
    """Beyond x = e^t an exponential number is x + E again: its logarithm is t + log(1 + E/x)."""
    excess = np.log1p(rule[0] * np.exp(-t)[:, None])
    return np.stack([excess @ rule[1], excess**2 @ rule[1]])


_PLACES = np.polynomial.chebyshev.chebpts1(25)
_NEAR = np.polynomial.polynomial.polyfit(
    _PLACES, _nodes((_PLACES + 1) * (_FAR / 2), _MANY).T, len(_PLACES) - 1
)


def _above(t: Floats) -> Floats:
    near = t < _FAR
    moments = np.empty((2, len(t)))
    moments[:, near] = np.polynomial.polynomial.polyval(t[near] * (2 / _FAR) - 1, _NEAR)
    moments[:, ~near] = _nodes(t[~near], _FEW)
    return moments


def _below(t: Floats) -> tuple[Floats, Floats]:
    """Below x = e^−t ≤ 1 the powers of x in ∫₀¹ (−log v)^k e^−xv dv fall off at once."""
    series = np.stack([_SERIES / (_POWERS + 1) ** k for k in (1, 2, 3)], axis=1)
    whole, first, second = np.polynomial.polynomial.polyval(np.exp(-t), series)
    return first / whole, 2 * second / whole
