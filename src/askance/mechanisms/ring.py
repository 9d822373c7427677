"""Cuts that make a ring: which arc between two neighbours of them holds the answer."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

from askance.arguments import checked
from askance.channels.ring_channel import RingChannel
from askance.channels.tick_weights import EVEN, tick_weights
from askance.exact.line import Line
from askance.exact.ratio import whole
from askance.mechanisms.base import AbstractRangeMechanism
from askance.mechanisms.floored import floor_on, least_share
from askance.mechanisms.named_law import law_written, read_law
from askance.wire.cuts import MOST_CUTS


@final
@dataclass(frozen=True, slots=True, init=False)
class Ring(AbstractRangeMechanism):
    """Draw cuts on a line whose ends are joined, each arc of which keeps a floor; report one.

    With two cuts the report is the inside or the outside.

    Parameters
    ----------
    floor : number
        The least share of people, by the declared sizes, on each arc; at most one over `number`.
    number : int
        How many cuts are drawn, in [2, 16]. A form asks two; more of them stay in Python.
    law : "even", distribution, callable, or sequence of number, one for each inner tick
        Each cut is drawn by it, from those that keep the floor together.
    sizes : "even", distribution, callable, or sequence of number, one for each step
        How many people are thought to be in each step: declared, published, never fitted.

    Raises
    ------
    InputError
        If the floor is not in (0, 1/number]; from `channel`, if no ticks keep it.

    References
    ----------
    Ding & Ding (2022), Example 3.

    >>> Ring(floor="1/4").channel(Line(0, 4, 1)).cell_chance(1, 3)
    Fraction(1, 3)
    >>> Ring(floor="1/6", number=3).channel(Line(0, 6, 1)).cell_chance(5, 1)
    Fraction(3, 10)
    """

    name: ClassVar[str] = "ring"
    narrow: ClassVar[bool] = False
    floor: Fraction
    number: int
    law: Any
    sizes: Any

    def __init__(
        self, *, floor: object, number: int = 2, law: Any = EVEN, sizes: Any = EVEN
    ) -> None:
        allowed = f"an integer in [2, {MOST_CUTS}]"
        count = whole(number, "Ring.number", allowed, 2, MOST_CUTS)
        object.__setattr__(self, "floor", least_share(floor, "Ring.floor", ranges=count))
        object.__setattr__(self, "number", count)
        object.__setattr__(self, "law", read_law(law, "Ring.law"))
        object.__setattr__(self, "sizes", read_law(sizes, "Ring.sizes"))

    @checked
    def channel(self, line: Line) -> RingChannel:
        """Yield the exact law of the ranges on this line."""
        weights = tick_weights(line, self.law, "Ring.law")
        floor = floor_on(line, self.sizes, self.floor, (), "Ring")
        return RingChannel(line, weights, floor, self.number)

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        laws = {"law": law_written(self.law), "sizes": law_written(self.sizes)}
        number = {"number": str(self.number)} if self.number != 2 else {}
        return {"floor": str(self.floor), **number, **laws}
