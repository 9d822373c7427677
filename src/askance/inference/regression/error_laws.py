"""Laws of the error of a regression: normal, logistic, Laplace, Gumbel and Student's, by name."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
from scipy.special import erfcx, gammaln, logit, ndtr, ndtri, stdtr, stdtrit

from askance.typing import Floats
from askance_collect.arguments import checked
from askance_collect.errors import InputError, refuse_unknown


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tail:
    """Tails of the noise, each beyond t on its side of zero.

    Attributes
    ----------
    t : array, shape (p,)
    side : array, shape (p,)
        1 for the upper tail, beyond t; −1 for the lower one, beyond −t.
    log_chance : array, shape (p,)
    rate : array, shape (p,)
        The density at the end of the tail, by its chance.
    """

    t: Floats
    side: Floats
    log_chance: Floats
    rate: Floats


Chances = tuple[Floats, Floats, Floats]
"""A distribution function and its first two derivatives: what a regression of answers links by."""


class AbstractNoise(ABC):
    """A standardised law with density f: location 0, scale 1; not always mean 0."""

    __slots__ = ()
    name: ClassVar[str]
    kink: ClassVar[float] = 0.0
    """By how much the slope f' jumps at zero."""

    @property
    @abstractmethod
    def mean(self) -> float:
        """The mean of the law."""

    @property
    @abstractmethod
    def variance(self) -> float:
        """The variance of the law."""

    @abstractmethod
    def log_density(self, z: Floats) -> Floats:
        """The log-density log f(z)."""

    @abstractmethod
    def slope(self, z: Floats) -> Floats:
        """The ratio f'(z)/f(z)."""

    @abstractmethod
    def bend(self, z: Floats) -> Floats:
        """The ratio f''(z)/f(z)."""

    @abstractmethod
    def tail(self, t: Floats, side: Floats) -> Tail:
        """The tails beyond t, which is finite: upper ones if side is 1, lower ones if −1."""

    @abstractmethod
    def mean_beyond(self, tail: Tail) -> Floats:
        """The mean of tails, counted from zero to their side."""

    @abstractmethod
    def quantile(self, share: Floats | float) -> Floats:
        """The number that a share in (0, 1) does not exceed."""


_NORMAL_FAR = 25.0  # beyond, chances are so small that their ratio to the density is taken instead
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
        """The log-density log f(z)."""
        return np.asarray(-0.5 * (z * z + np.log(2 * np.pi)))

    def slope(self, z: Floats) -> Floats:
        """The ratio f'(z)/f(z)."""
        return -z

    def bend(self, z: Floats) -> Floats:
        """The ratio f''(z)/f(z)."""
        return z * z - 1

    def tail(self, t: Floats, side: Floats) -> Tail:
        """The tails beyond t: far out, by the ratio of chance to density."""
        chance, far = ndtr(-np.minimum(t, _NORMAL_FAR)), np.flatnonzero(t > _NORMAL_FAR)
        log_chance, rate = np.log(chance), np.exp(np.maximum(self.log_density(t), _LEAST)) / chance
        rate[far] = np.sqrt(2 / np.pi) / erfcx(t[far] / np.sqrt(2))
        log_chance[far] = self.log_density(t[far]) - np.log(rate[far])
        return Tail(t=t, side=side, log_chance=log_chance, rate=rate)

    def mean_beyond(self, tail: Tail) -> Floats:
        """The mean of tails."""
        return tail.rate

    def quantile(self, share: Floats | float) -> Floats:
        """The number that a share does not exceed."""
        return np.asarray(ndtri(share))

    def chances(self, z: Floats) -> Chances:
        """F, F′ and F″: the probit link."""
        slope = np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
        return ndtr(z), slope, -z * slope


_LEAST, _MOST = -400.0, 700.0
"""The exponential of less is nothing, and slow; that of more is no number."""


@final
@dataclass(frozen=True, slots=True)
class LogisticNoise(AbstractNoise):
    """The logistic law; its standard deviation is π/√3 scales.

    >>> law, t = LogisticNoise(), np.array([0.0, 40.0])
    >>> law.mean_beyond(law.tail(t, np.ones(2))).round(6).tolist()  # 2 ln 2, 41
    [1.386294, 41.0]
    """

    name: ClassVar[str] = "logistic"
    mean: ClassVar[float] = 0.0
    variance: ClassVar[float] = float(np.pi**2 / 3)

    def log_density(self, z: Floats) -> Floats:
        """The log-density log f(z)."""
        far = np.abs(z)
        return np.asarray(-far - 2 * np.log1p(np.exp(-far)))

    def slope(self, z: Floats) -> Floats:
        """The ratio f'(z)/f(z)."""
        return -np.tanh(z / 2)

    def bend(self, z: Floats) -> Floats:
        """The ratio f''(z)/f(z)."""
        return 1.5 * np.tanh(z / 2) ** 2 - 0.5

    def tail(self, t: Floats, side: Floats) -> Tail:
        """The tails beyond t."""
        odds = np.exp(np.clip(t, _LEAST, _MOST))
        log_chance = -np.maximum(t, np.log1p(odds))
        return Tail(t=t, side=side, log_chance=log_chance, rate=odds / (1 + odds))

    def mean_beyond(self, tail: Tail) -> Floats:
        """The mean of tails: with x = e^−|t|, |t| x/(1 + x) + log(1 + x) by their chance."""
        odds = np.exp(np.clip(tail.t, _LEAST, _MOST))
        x = np.minimum(odds, 1 / odds)
        return np.asarray((np.abs(tail.t) * (x / (1 + x)) + np.log1p(x)) * (1 + odds))

    def quantile(self, share: Floats | float) -> Floats:
        """The number that a share does not exceed."""
        return np.asarray(logit(share))

    def chances(self, z: Floats) -> Chances:
        """F, F′ and F″: the logit link."""
        chance = 1 / (1 + np.exp(np.minimum(-z, _MOST)))  # in a quarter of the time of expit
        slope = chance * (1 - chance)
        return chance, slope, slope * (1 - 2 * chance)


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
        """The log-density log f(z)."""
        return np.asarray(-np.abs(z) - np.log(2))

    def slope(self, z: Floats) -> Floats:
        """The ratio f'(z)/f(z)."""
        return -np.copysign(1.0, z)

    def bend(self, z: Floats) -> Floats:
        """The ratio f''(z)/f(z), the kink at zero aside."""
        return np.ones_like(z)

    def tail(self, t: Floats, side: Floats) -> Tail:
        """The tails beyond t."""
        height = np.exp(-np.abs(t)) / 2
        inner = np.where(t > 0, 0.0, height)
        return Tail(
            t=t,
            side=side,
            log_chance=np.where(t > 0, -t - np.log(2), np.log1p(-inner)),
            rate=np.where(t > 0, 1.0, height / (1 - inner)),
        )

    def mean_beyond(self, tail: Tail) -> Floats:
        """The mean of tails."""
        return np.asarray(tail.rate * (np.abs(tail.t) + 1))

    def quantile(self, share: Floats | float) -> Floats:
        """The number that a share does not exceed."""
        shares = np.asarray(share)
        return np.asarray(
            np.where(shares < 0.5, 1, -1) * np.log(2 * np.minimum(shares, 1 - shares))
        )


_STEEPEST = 100.0  # the density is zero there
_POWERS = np.arange(20.0)
_SERIES = (-1) ** _POWERS / np.cumprod(np.maximum(_POWERS, 1))
"""Of e^−x, which x ≤ 1 exhausts."""

_GUMBEL_FAR = 3.0
"""Before it a polynomial in t gives the mean beyond t to rounding, after it a few nodes do."""

_MANY, _FEW = (np.polynomial.laguerre.laggauss(nodes) for nodes in (120, 16))


@final
@dataclass(frozen=True, slots=True)
class GumbelNoise(AbstractNoise):
    """The logarithm of an exponential number: Weibull regression on the logarithmic scale.

    >>> law, side = GumbelNoise(), np.ones(1)
    >>> law.mean_beyond(law.tail(0 * side, side)).round(6).tolist()  # e E₁(1)
    [0.596347]
    """

    name: ClassVar[str] = "gumbel"
    mean: ClassVar[float] = -float(np.euler_gamma)
    variance: ClassVar[float] = float(np.pi**2 / 6)

    def log_density(self, z: Floats) -> Floats:
        """The log-density log f(z)."""
        return z - np.exp(np.minimum(z, _MOST))

    def slope(self, z: Floats) -> Floats:
        """The ratio f'(z)/f(z)."""
        return -np.expm1(np.minimum(z, _STEEPEST))

    def bend(self, z: Floats) -> Floats:
        """The ratio f''(z)/f(z)."""
        rise = np.expm1(np.minimum(z, _STEEPEST))
        return rise * rise - rise - 1

    def tail(self, t: Floats, side: Floats) -> Tail:
        """The tails beyond t."""
        tails, up = np.empty((2, len(t))), side > 0
        tails[:, up], tails[:, ~up] = _upper(t[up]), _lower(t[~up])
        return Tail(t=t, side=side, log_chance=tails[0], rate=tails[1])

    def mean_beyond(self, tail: Tail) -> Floats:
        """The mean of tails; across zero, what the other tail leaves of the law's."""
        across, mean = tail.t < 0, np.abs(tail.t)
        up = (tail.side > 0) != across
        mean[up] += _above(mean[up])
        mean[~up] += _below(mean[~up])
        rest = np.expm1(-tail.log_chance[across])
        mean[across] = mean[across] * rest + tail.side[across] * self.mean * (rest + 1)
        return mean

    def quantile(self, share: Floats | float) -> Floats:
        """The number that a share does not exceed."""
        return np.asarray(np.log(-np.log1p(-np.asarray(share))))

    def chances(self, z: Floats) -> Chances:
        """F, F′ and F″: the complementary log-log link."""
        chance, slope, bend = self.mirrored(-z)
        power = np.exp(np.clip(z, -_MOST, _MOST))
        return np.where(chance > 0.5, -np.expm1(-power), 1 - chance), slope, -bend

    def mirrored(self, z: Floats) -> Chances:
        """G, G′ and G″ of the law of −ε, G(z) = 1 − F(−z): the log-log link."""
        power = np.exp(np.clip(-z, -_MOST, _MOST))
        chance = np.exp(-power)
        slope = chance * np.minimum(power, _MOST)
        return chance, slope, slope * np.minimum(power - 1, _MOST)


def _upper(t: Floats) -> Floats:
    """Log-chances and rates of upper tails, which fall doubly exponentially."""
    return np.stack([-np.exp(np.minimum(t, _MOST)), np.exp(np.minimum(t, _STEEPEST))])


def _lower(t: Floats) -> Floats:
    """Those of lower tails: 1 − e^−x with x = e^−t, which is x far out."""
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        x = np.exp(np.minimum(-t, _MOST))
        chance = np.where(x < 1, np.log(-np.expm1(-x)), np.log1p(-np.exp(-x)))
        return np.where(x > 0, [chance, x / np.expm1(x)], [-t, np.ones(len(t))])


def _nodes(t: Floats, rule: tuple[Floats, Floats]) -> Floats:
    """Beyond x = e^t an exponential number is x + E again: its logarithm is t + log(1 + E/x)."""
    return np.log1p(rule[0] * np.exp(-t)[:, None]) @ rule[1]


_PLACES = np.polynomial.chebyshev.chebpts1(25)
_NEAR = np.polynomial.polynomial.polyfit(
    _PLACES, _nodes((_PLACES + 1) * (_GUMBEL_FAR / 2), _MANY), len(_PLACES) - 1
)


def _above(t: Floats) -> Floats:
    near = t < _GUMBEL_FAR
    excess = np.empty(len(t))
    excess[near] = np.polynomial.polynomial.polyval(t[near] * (2 / _GUMBEL_FAR) - 1, _NEAR)
    excess[~near] = _nodes(t[~near], _FEW)
    return excess


def _below(t: Floats) -> Floats:
    """Below x = e^−t ≤ 1 the powers of x in ∫₀¹ (−log v)^k e^−xv dv fall off at once."""
    series = np.stack([_SERIES / (_POWERS + 1) ** k for k in (1, 2)], axis=1)
    total, first = np.polynomial.polynomial.polyval(np.exp(-t), series)
    return np.asarray(first / total)


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
        """The log-density log f(z)."""
        half = (self.df + 1) / 2
        constant = gammaln(half) - gammaln(self.df / 2) - 0.5 * np.log(self.df * np.pi)
        return np.asarray(constant - half * np.log1p(z * z / self.df))

    def slope(self, z: Floats) -> Floats:
        """The ratio f'(z)/f(z)."""
        return -(self.df + 1) * z / (self.df + z * z)

    def bend(self, z: Floats) -> Floats:
        """The ratio f''(z)/f(z)."""
        below = self.df + z * z
        return (self.df + 1) * ((self.df + 2) * z * z - self.df) / below**2

    def tail(self, t: Floats, side: Floats) -> Tail:
        """The tails beyond t.

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
        """The mean of tails."""
        return tail.rate * (self.df + tail.t**2) / (self.df - 1)

    def quantile(self, share: Floats | float) -> Floats:
        """The number that a share does not exceed."""
        return np.asarray(stdtrit(self.df, share))


NOISES: dict[str, Callable[[], AbstractNoise]] = {
    "normal": NormalNoise,
    "gaussian": NormalNoise,
    "logistic": LogisticNoise,
    "laplace": LaplaceNoise,
    "student": StudentNoise,
    "gumbel": GumbelNoise,
}


def noise_of(noise: AbstractNoise | str) -> AbstractNoise:
    """The noise of a name; a law that is given already stays as it is.

    Raises
    ------
    InputError
        If there is no noise of that name.

    >>> noise_of("gaussian").name, noise_of("student")
    ('normal', StudentNoise(df=4.0))
    """
    if isinstance(noise, AbstractNoise):
        return noise
    refuse_unknown("noise", noise, NOISES)
    return NOISES[noise]()
