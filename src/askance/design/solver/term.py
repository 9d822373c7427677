"""Concave figures of merit as the climb sees them: where each stands, with its multipliers."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

from askance.typing import Floats, Integers


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Local:
    """How multipliers x answer to steps of the information and the level.

    A step obeys moment + yielding dx − lift dt = pull + push κ, with κ the barrier; lift · x is the
    weight of the term.

    Attributes
    ----------
    yielding : array, shape (d, d)
    lift, pull, push : array, shape (d,)
    """

    yielding: Floats
    lift: Floats
    pull: Floats
    push: Floats


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Move:
    """A whole step: of the information, of the level, and of the multipliers."""

    moment: Floats
    level: float
    multipliers: Floats


class AbstractTrial(ABC):
    """A whole step as a figure of merit sees it, before it is known how much of it can be gone."""

    __slots__ = ()

    @property
    @abstractmethod
    def fall(self) -> float:
        """How many times over it would use up what has to stay positive."""

    @property
    @abstractmethod
    def curved(self) -> Floats:
        """What it leaves of the products that it was to undo, by multipliers."""

    @abstractmethod
    def moved(self, length: float) -> "AbstractPlace":
        """Go part of it."""


class AbstractPlace(ABC):
    """Where a figure of merit stands on the way."""

    __slots__ = ()

    @property
    @abstractmethod
    def weight(self) -> float:
        """Of the figure of merit in the whole."""

    @property
    @abstractmethod
    def constant(self) -> float:
        """With the gradient a bound on the weighted figure, constant + gradient · information."""

    @property
    @abstractmethod
    def gradient(self) -> Floats:
        """By the numbers that the information consists of."""

    @property
    @abstractmethod
    def product(self) -> float:
        """The sum of products of multipliers and what they multiply, zero at the best."""

    @property
    @abstractmethod
    def local(self) -> Local:
        """What is nearly so around here."""

    @abstractmethod
    def tried(self, move: Move) -> AbstractTrial:
        """Look at a whole step."""


class AbstractTerm(ABC):
    """The figure of merit at one guess of the shares, to be kept above a level t."""

    __slots__ = ()

    @property
    @abstractmethod
    def order(self) -> int:
        """How many products have to vanish."""

    @property
    @abstractmethod
    def entries(self) -> Floats:
        """What columns add to the information, by multipliers, shape (d, n)."""

    @abstractmethod
    def restricted(self, columns: Integers) -> "AbstractTerm":
        """Keep some of the columns."""

    @abstractmethod
    def level(self, z: Floats) -> float:
        """Give the figure of merit; minus infinity where the information is singular."""

    @abstractmethod
    def place(self, moment: Floats, t: float, weight: float) -> AbstractPlace:
        """Begin at an information."""
