"""Two cuts that make a ring: the answer is between them, or outside."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

from askance.channels.ring_channel import RingChannel
from askance.channels.tick_weights import EVEN, tick_weights
from askance.exact.line import Line
from askance.mechanisms.base import AbstractRangeMechanism
from askance.mechanisms.floored import floor_on, least_share
from askance.mechanisms.named_law import law_written, read_law


@final
@dataclass(frozen=True, slots=True, init=False)
class Ring(AbstractRangeMechanism):
    """Draw a pair of cuts, both of whose sides keep a floor; report the inside or the outside.

    Parameters
    ----------
    floor : number
        The least share of people, by the declared sizes, both inside and outside; at most 1/2.
    law : "even", distribution, callable, or sequence of number, one for each inner tick
        Each of the two ends is drawn by it, from the pairs that keep the floor.
    sizes : "even", distribution, callable, or sequence of number, one for each step
        How many people are thought to be in each step: declared, published, never fitted.

    Raises
    ------
    InputError
        If the floor is not in (0, 1/2]; from `channel`, if no pair of ticks keeps it.

    References
    ----------
    Ding & Ding (2022), Example 3.

    >>> Ring(floor="1/4").channel(Line(0, 4, 1)).cell_chance(1, 3)
    Fraction(1, 3)
    """

    name: ClassVar[str] = "ring"
    narrow: ClassVar[bool] = False
    floor: Fraction
    law: Any
    sizes: Any

    def __init__(self, *, floor: object, law: Any = EVEN, sizes: Any = EVEN) -> None:
        object.__setattr__(self, "floor", least_share(floor, "Ring.floor", half=True))
        object.__setattr__(self, "law", read_law(law, "Ring.law"))
        object.__setattr__(self, "sizes", read_law(sizes, "Ring.sizes"))

    def channel(self, line: Line) -> RingChannel:
        """Yield the exact law of the ranges on this line."""
        weights = tick_weights(line, self.law, "Ring.law")
        return RingChannel(line, weights, floor_on(line, self.sizes, self.floor, (), "Ring"))

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        laws = {"law": law_written(self.law), "sizes": law_written(self.sizes)}
        return {"floor": str(self.floor), **laws}
