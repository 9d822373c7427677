"""What every recipe can do, for questions with named answers and for numbers on a line."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from askance.channels.channel import Channel
from askance.channels.frame import Frame

if TYPE_CHECKING:
    from askance.channels import RangeChannel, RingChannel
    from askance.exact import Line


class AbstractMechanism(ABC):
    """A recipe for questions with named answers."""

    __slots__ = ()
    name: ClassVar[str]

    @abstractmethod
    def channel(self, frame: Frame) -> Channel:
        """Yield the exact channel over these answers."""

    @abstractmethod
    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""


class AbstractRangeMechanism(ABC):
    """A recipe for numbers on a line.

    ``narrow`` says whether a person is asked one step narrower at a time and may stop at any.
    """

    __slots__ = ()
    name: ClassVar[str]
    narrow: ClassVar[bool]

    @abstractmethod
    def channel(self, line: "Line") -> "RangeChannel | RingChannel":
        """Yield the exact law of the ranges on this line."""

    @abstractmethod
    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
