"""Cuts whose narrow ranges are not sent, hidden among others that chance does not send."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

from askance.arguments import checked
from askance.channels.range_channel import RangeChannel
from askance.channels.tick_weights import EVEN, tick_weights
from askance.errors import InputError
from askance.exact.line import Line
from askance.exact.ratio import chance
from askance.mechanisms.base import AbstractRangeMechanism
from askance.mechanisms.floored import cut_count, floor_on, least_share
from askance.mechanisms.named_law import law_written, read_law
from askance.mechanisms.stretches import Stretch, on_ticks, open_written, read_open


@final
@dataclass(frozen=True, slots=True, init=False)
class Selective(AbstractRangeMechanism):
    r"""Send a range with chance ρ if it holds at least a share τ of people, else nothing.

    That nothing was sent then tells something too: the odds of two answers shift by at most
    1 / (1 − ρ), which is no bound where ρ = 1.

    Parameters
    ----------
    floor : number
        τ, the least share of people, by the declared sizes, that a range must hold to be sent; of
        those outside the acceptable range.
    sent : number
        ρ, the chance that such a range is sent. The form deploys 1 − ρ as its blank share.
    number : int
        How many cuts are drawn.
    law : "even", distribution, callable, or sequence of number, one for each inner tick
    sizes : "even", distribution, callable, or sequence of number, one for each step
        How many people are thought to be in each step: declared, published, never fitted.
    open : sequence of (low, high)
        The acceptable range: an answer above low and up to high is sent exactly, as its step.

    Raises
    ------
    InputError
        If a parameter cannot be right; from `channel`, if no range on the line is large enough.

    References
    ----------
    Ding & Ding (2022), Definition 5, (τ, ρ)-selective mechanisms; that they are flat holds for
    what is sent, not for what is withheld.

    >>> held = Selective(floor="1/2", sent="3/4").channel(Line(0, 4, 1))
    >>> [str(held.null_chance(step)) for step in range(4)]
    ['1/3', '0', '0', '1/3']
    """

    name: ClassVar[str] = "selective"
    narrow: ClassVar[bool] = False
    floor: Fraction
    sent: Fraction
    number: int
    law: Any
    sizes: Any
    open: tuple[Stretch, ...]

    def __init__(
        self,
        *,
        floor: object,
        sent: object,
        number: int = 1,
        law: Any = EVEN,
        sizes: Any = EVEN,
        open: Sequence[Any] = (),
    ) -> None:
        share = chance(sent, "Selective.sent")
        if not share:
            raise InputError("Selective.sent", got=str(sent), allowed="a probability in (0, 1]")
        object.__setattr__(self, "floor", least_share(floor, "Selective.floor"))
        object.__setattr__(self, "sent", share)
        object.__setattr__(self, "number", cut_count(number, "Selective.number"))
        object.__setattr__(self, "law", read_law(law, "Selective.law"))
        object.__setattr__(self, "sizes", read_law(sizes, "Selective.sizes"))
        object.__setattr__(self, "open", read_open(open, "Selective.open"))

    @checked
    def channel(self, line: Line) -> RangeChannel:
        """Yield the exact law of the ranges on this line, before chance sends nothing."""
        weights = tick_weights(line, self.law, "Selective.law")
        opened = on_ticks(line, self.open, "Selective.open")
        floor = floor_on(line, self.sizes, self.floor, opened, "Selective")
        return RangeChannel(line, weights, self.number, floor=floor, withhold=True, open=opened)

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        opened = {"open": open_written(self.open)} if self.open else {}
        return {
            "floor": str(self.floor),
            "sent": str(self.sent),
            "number": str(self.number),
            "law": law_written(self.law),
            "sizes": law_written(self.sizes),
            **opened,
        }
