"""What a number of reports is to reach."""

from abc import ABC, abstractmethod


class AbstractAim(ABC):
    """Something that more reports bring nearer."""

    __slots__ = ()

    @property
    @abstractmethod
    def told(self) -> str:
        """The aim in words."""

    @property
    @abstractmethod
    def design_effect(self) -> float:
        """How many reports tell as much as one plain answer."""

    @abstractmethod
    def approximate(self, population: int | None) -> int:
        """Give the least number of reports by the normal law; refuse what cannot be reached."""

    @abstractmethod
    def exact(self, near: int) -> int | None:
        """Give the least number by going through every count; None where that is too much work."""

    @abstractmethod
    def attained(self, n: int, population: int | None, exact: bool) -> float:
        """Say what so many reports reach."""
