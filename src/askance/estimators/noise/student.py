"""Student's t noise."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
from scipy.special import gammaln, stdtr

from askance.arguments import checked
from askance.errors import InputError
from askance.estimators.noise.law import AbstractNoise
from askance.estimators.noise.tail import Tail
from askance.typing import Floats

_FAINT = 1e-290
"""Tails so unlikely are beyond what doubles can tell of them."""


@final
@dataclass(frozen=True, slots=True, init=False)
class StudentNoise(AbstractNoise):
    """Student's t law: heavy tails, so that outliers pull less.

    Parameters
    ----------
    df : float
        Degrees of freedom, above 2 so that the variance is finite.

    Raises
    ------
    InputError
        If df is not in (2, ∞).

    >>> StudentNoise(3).variance
    3.0
    """

    name: ClassVar[str] = "student"
    mean: ClassVar[float] = 0.0
    df: float

    @checked
    def __init__(self, df: float = 4.0) -> None:
        if not 2 < df < np.inf:
            raise InputError("StudentNoise.df", got=df, allowed="a number in (2, ∞)")
        object.__setattr__(self, "df", float(df))

    @property
    def variance(self) -> float:
        """The variance of the law, df/(df − 2)."""
        return self.df / (self.df - 2)

    def log_density(self, z: Floats) -> Floats:
        """Give log f(z)."""
        half = (self.df + 1) / 2
        constant = gammaln(half) - gammaln(self.df / 2) - 0.5 * np.log(self.df * np.pi)
        return np.asarray(constant - half * np.log1p(z * z / self.df))

    def slope(self, z: Floats) -> Floats:
        """Give f'(z)/f(z)."""
        return -(self.df + 1) * z / (self.df + z * z)

    def bend(self, z: Floats) -> Floats:
        """Give f''(z)/f(z)."""
        below = self.df + z * z
        return (self.df + 1) * ((self.df + 2) * z * z - self.df) / below**2

    def tail(self, t: Floats, side: Floats) -> Tail:
        """Give the tails beyond t.

        Where hardly anything is left, a series in 1/t² gives the density by the chance.
        """
        outside, density = stdtr(self.df, -np.abs(t)), self.log_density(t)
        chance = np.where(t > 0, np.maximum(outside, _FAINT), 1 - outside)
        rate = np.exp(density) / chance
        log_chance = np.where(t > 0, np.log(chance), np.log1p(-outside))
        far = np.flatnonzero(chance <= _FAINT)
        square = t[far] ** 2
        rate[far] = t[far] * self.df / (self.df + square) / (1 - self.df / (self.df + 2) / square)
        log_chance[far] = density[far] - np.log(rate[far])
        return Tail(t=t, side=side, log_chance=log_chance, rate=rate)

    def mean_beyond(self, tail: Tail) -> Floats:
        """Give the mean of tails."""
        return tail.rate * (self.df + tail.t**2) / (self.df - 1)
