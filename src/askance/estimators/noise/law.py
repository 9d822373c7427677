"""The law of the noise about a regression: what every family tells of its two tails."""

from abc import ABC, abstractmethod
from typing import ClassVar

from askance.estimators.noise.tail import Tail
from askance.typing import Floats


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
        """Give log f(z)."""

    @abstractmethod
    def slope(self, z: Floats) -> Floats:
        """Give f'(z)/f(z)."""

    @abstractmethod
    def bend(self, z: Floats) -> Floats:
        """Give f''(z)/f(z)."""

    @abstractmethod
    def tail(self, t: Floats, side: Floats) -> Tail:
        """Give the tails beyond t, which is finite: upper ones if side is 1, lower ones if −1."""

    @abstractmethod
    def mean_beyond(self, tail: Tail) -> Floats:
        """Give the mean of tails, counted from zero to their side."""
