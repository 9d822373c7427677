"""Concave figures of merit as the climb sees them: where each stands, with its multipliers."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from askance.design.optimum.moment import Block
from askance.typing import Floats, Integers


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Local:
    """How multipliers x answer to steps of the chances and the level.

    A step obeys −shadowᵀ dz + yielding dx − lift dt = pull + push κ, with κ the barrier. Slacks of
    the columns change by shadow dx; lift · x is the weight of the term.

    Attributes
    ----------
    shadow : array, shape (n, d)
    yielding : array, shape (d, d)
    lift, pull, push : array, shape (d,)
    """

    shadow: Floats
    yielding: Floats
    lift: Floats
    pull: Floats
    push: Floats


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Move:
    """A whole step: of the information, of the level, of the multipliers, towards a barrier."""

    moment: Floats
    level: float
    multipliers: Floats
    barrier: float


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

    @abstractmethod
    def local(self, entries: Floats) -> Local:
        """Linearise, with what each column adds to the information."""

    @abstractmethod
    def fall(self, move: Move) -> float:
        """Say how many times over a whole step would use up what is positive."""

    @abstractmethod
    def moved(self, move: Move, length: float) -> "AbstractPlace":
        """Go part of a step."""


class AbstractTerm(ABC):
    """The figure of merit at one guess of the shares, to be kept above a level t."""

    __slots__ = ()
    blocks: Sequence[Block]

    @property
    @abstractmethod
    def order(self) -> int:
        """How many products have to vanish."""

    @abstractmethod
    def restricted(self, columns: Integers) -> "AbstractTerm":
        """Keep some of the columns."""

    @abstractmethod
    def level(self, z: Floats) -> float:
        """Give the figure of merit; minus infinity where the information is singular."""

    @abstractmethod
    def place(self, moment: Floats, t: float, weight: float) -> AbstractPlace:
        """Begin at an information."""
