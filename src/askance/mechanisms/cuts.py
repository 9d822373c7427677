"""Interval privacy: cut the line at random and report the piece that holds the answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

from askance.arguments import checked
from askance.channels.range_channel import RangeChannel
from askance.channels.tick_weights import EVEN, tick_weights
from askance.errors import InputError
from askance.exact.line import Line
from askance.exact.ratio import ratio
from askance.mechanisms.base import AbstractRangeMechanism
from askance.mechanisms.floored import cut_count
from askance.mechanisms.named_law import law_written, read_law
from askance.mechanisms.stretches import Stretch, on_ticks, open_written, read_open


@final
@dataclass(frozen=True, slots=True, init=False)
class Cuts(AbstractRangeMechanism):
    """Draw cuts independently over the inner ticks; report ``(lower, upper]``.

    One cut asks "is it t or less, or more than t?" (Case I interval censoring); two cuts ask which
    of at most three ranges holds the answer (Case II).

    Parameters
    ----------
    number : int
        How many cuts are drawn; equal ones count once.
    law : "even", distribution, callable, or sequence of number, one for each inner tick
        Of one cut. A distribution of SciPy, or a cumulative function, gives each tick what it has
        within half a step of it.
    between : pair of numbers, optional
        Draw only from the ticks in this closed interval. Outside it the distribution of the
        answers cannot be learnt.
    open : sequence of (low, high)
        The acceptable range: an answer above low and up to high is sent exactly, as its step.

    Raises
    ------
    InputError
        If a parameter cannot be right; from `channel`, if the law has no mass on the line.

    References
    ----------
    Ding & Ding (2022), Definition 2, the canonical interval mechanism, equation (4).

    >>> Cuts(number=1).channel(Line(0, 4, 1)).weights
    (1, 1, 1)
    >>> Cuts(law=[1, 2, "1/2"], open=[(0, 1)]).channel(Line(0, 4, 1))
    RangeChannel(line=Line(...), number=1, floor=None, withhold=False, open=((0, 1),))
    """

    name: ClassVar[str] = "cuts"
    narrow: ClassVar[bool] = False
    number: int
    law: Any
    between: Stretch | None
    open: tuple[Stretch, ...]

    def __init__(
        self,
        *,
        number: int = 1,
        law: Any = EVEN,
        between: Sequence[object] | None = None,
        open: Sequence[Any] = (),
    ) -> None:
        if between is not None and (not isinstance(between, list | tuple) or len(between) != 2):
            raise InputError("Cuts.between", got=between, allowed="two numbers [low, high]")
        ends = tuple(ratio(end, "Cuts.between") for end in between) if between else None
        object.__setattr__(self, "number", cut_count(number, "Cuts.number"))
        object.__setattr__(self, "law", read_law(law, "Cuts.law"))
        object.__setattr__(self, "between", ends)
        object.__setattr__(self, "open", read_open(open, "Cuts.open"))

    @checked
    def channel(self, line: Line) -> RangeChannel:
        """Yield the exact law of the cuts on this line."""
        low, high = self.between or (line.lower, line.upper)
        given = tick_weights(line, self.law, "Cuts.law")
        weights = [
            weight if low <= line.at(tick) <= high else 0
            for tick, weight in enumerate(given, start=1)
        ]
        if not any(weights):
            raise InputError(
                "Cuts.between",
                got=f"[{low}, {high}]",
                allowed=f"an interval with a tick between {line.lower} and {line.upper}",
            )
        opened = on_ticks(line, self.open, "Cuts.open")
        return RangeChannel(line, weights, self.number, open=opened)

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        between = {"between": f"[{self.between[0]}, {self.between[1]}]"} if self.between else {}
        law = {"law": law_written(self.law)} if self.law != EVEN else {}
        opened = {"open": open_written(self.open)} if self.open else {}
        return {"number": str(self.number), **law, **between, **opened}
