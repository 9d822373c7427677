"""Student's t noise."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
from scipy.special import gammaln, stdtr

from askance.errors import InputError
from askance.estimators.noise.law import AbstractNoise
from askance.typing import Floats


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

    def log_beyond(self, t: Floats, side: int) -> Floats:  # noqa: ARG002  both tails are alike
        """Give the log-chance of a tail."""
        outside = stdtr(self.df, -np.abs(t))
        with np.errstate(divide="ignore"):
            return np.where(t > 0, np.log(outside), np.log1p(-outside))

    def moments_beyond(self, t: Floats, side: int) -> tuple[Floats, Floats]:  # noqa: ARG002
        """Give a tail's mean distance and mean squared distance from zero.

        (1 + z²/df) f is, but for a factor, the t density with two degrees of freedom fewer.
        """
        df, chance = self.df, stdtr(self.df, -t)
        mean = np.exp(self.log_density(t)) * (df + t * t) / ((df - 1) * chance)
        fewer = stdtr(df - 2, -t * np.sqrt((df - 2) / df)) * (df - 1) / (df - 2)
        return mean, df * (fewer / chance - 1)
