"""Extreme-value noise."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from askance.estimators.noise.law import AbstractNoise
from askance.estimators.noise.tail import Tail
from askance.typing import Floats

_STEEPEST = 100.0  # the density is zero there
_MOST = 700.0  # whose exponential is a number still
_POWERS = np.arange(20.0)
_SERIES = (-1) ** _POWERS / np.cumprod(np.maximum(_POWERS, 1))
"""Of e^−x, which x ≤ 1 exhausts."""

_FAR = 3.0
"""Before it a polynomial in t gives the mean beyond t to rounding, after it a few nodes do."""

_MANY, _FEW = (np.polynomial.laguerre.laggauss(nodes) for nodes in (120, 16))


@final
@dataclass(frozen=True, slots=True)
class GumbelNoise(AbstractNoise):
    """The logarithm of an exponential number: Weibull regression on the logarithmic scale.

    >>> law, one = GumbelNoise(), np.ones(1)
    >>> law.mean_beyond(law.tail(0 * one, one)).round(6).tolist()  # e E₁(1)
    [0.596347]
    """

    name: ClassVar[str] = "gumbel"
    mean: ClassVar[float] = -float(np.euler_gamma)
    variance: ClassVar[float] = float(np.pi**2 / 6)

    def log_density(self, z: Floats) -> Floats:
        """Give log f(z)."""
        return z - np.exp(np.minimum(z, _MOST))

    def slope(self, z: Floats) -> Floats:
        """Give f'(z)/f(z)."""
        return -np.expm1(np.minimum(z, _STEEPEST))

    def bend(self, z: Floats) -> Floats:
        """Give f''(z)/f(z)."""
        rise = np.expm1(np.minimum(z, _STEEPEST))
        return rise * rise - rise - 1

    def tail(self, t: Floats, side: Floats) -> Tail:
        """Give the tails beyond t."""
        told, up = np.empty((2, len(t))), side > 0
        told[:, up], told[:, ~up] = _upper(t[up]), _lower(t[~up])
        return Tail(t=t, side=side, log_chance=told[0], rate=told[1])

    def mean_beyond(self, tail: Tail) -> Floats:
        """Give the mean of tails; across zero, what the other tail leaves of the law's."""
        across, mean = tail.t < 0, np.abs(tail.t)
        up = (tail.side > 0) != across
        mean[up] += _above(mean[up])
        mean[~up] += _below(mean[~up])
        rest = np.expm1(-tail.log_chance[across])
        mean[across] = mean[across] * rest + tail.side[across] * self.mean * (rest + 1)
        return mean


def _upper(t: Floats) -> Floats:
    """Give log-chances and rates of upper tails, which fall doubly exponentially."""
    return np.stack([-np.exp(np.minimum(t, _MOST)), np.exp(np.minimum(t, _STEEPEST))])


def _lower(t: Floats) -> Floats:
    """Give those of lower tails: 1 − e^−x with x = e^−t, which is x far out."""
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        x = np.exp(np.minimum(-t, _MOST))
        chance = np.where(x < 1, np.log(-np.expm1(-x)), np.log1p(-np.exp(-x)))
        return np.where(x > 0, [chance, x / np.expm1(x)], [-t, np.ones(len(t))])


def _nodes(t: Floats, rule: tuple[Floats, Floats]) -> Floats:
    """Beyond x = e^t an exponential number is x + E again: its logarithm is t + log(1 + E/x)."""
    held: Floats = np.log1p(rule[0] * np.exp(-t)[:, None]) @ rule[1]
    return held


_PLACES = np.polynomial.chebyshev.chebpts1(25)
_NEAR = np.polynomial.polynomial.polyfit(
    _PLACES, _nodes((_PLACES + 1) * (_FAR / 2), _MANY), len(_PLACES) - 1
)


def _above(t: Floats) -> Floats:
    near = t < _FAR
    excess = np.empty(len(t))
    excess[near] = np.polynomial.polynomial.polyval(t[near] * (2 / _FAR) - 1, _NEAR)
    excess[~near] = _nodes(t[~near], _FEW)
    return excess


def _below(t: Floats) -> Floats:
    """Below x = e^−t ≤ 1 the powers of x in ∫₀¹ (−log v)^k e^−xv dv fall off at once."""
    series = np.stack([_SERIES / (_POWERS + 1) ** k for k in (1, 2)], axis=1)
    whole, first = np.polynomial.polynomial.polyval(np.exp(-t), series)
    return np.asarray(first / whole)
