"""Interval privacy: cut the line at random and report the piece that holds the answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

from askance.channels.range_channel import RangeChannel
from askance.errors import InputError
from askance.exact.line import Line
from askance.exact.ratio import ratio
from askance.mechanisms.base import AbstractRangeMechanism


@final
@dataclass(frozen=True, slots=True, init=False)
class Cuts(AbstractRangeMechanism):
    """Draw cuts independently and evenly over the inner ticks; report ``(lower, upper]``.

    One cut asks "is it t or less, or more than t?" (Case I interval censoring); two cuts ask which
    of at most three ranges holds the answer (Case II).

    Parameters
    ----------
    number : int
        How many cuts are drawn; equal ones count once.
    between : pair of numbers, optional
        Draw only from the ticks in this closed interval. Outside it the distribution of the
        answers cannot be learnt.

    References
    ----------
    Ding & Ding (2022), Example 1 (Case I) and the canonical interval mechanism (8).

    >>> Cuts(number=1).channel(Line(0, 4, 1)).weights
    (1, 1, 1)
    """

    name: ClassVar[str] = "cuts"
    narrow: ClassVar[bool] = False
    number: int
    between: tuple[Fraction, Fraction] | None

    def __init__(self, *, number: int = 1, between: Sequence[object] | None = None) -> None:
        if type(number) is not int or not 1 <= number <= 16:
            raise InputError("Cuts.number", got=number, allowed="an integer in [1, 16]")
        if between is not None and (not isinstance(between, list | tuple) or len(between) != 2):
            raise InputError("Cuts.between", got=between, allowed="two numbers [low, high]")
        ends = tuple(ratio(end, "Cuts.between") for end in between) if between else None
        object.__setattr__(self, "number", number)
        object.__setattr__(self, "between", ends)

    def channel(self, line: Line) -> RangeChannel:
        """Yield the exact law of the cuts on this line."""
        low, high = self.between or (line.lower, line.upper)
        weights = [int(low <= line.at(tick) <= high) for tick in range(1, line.ticks)]
        if not any(weights):
            raise InputError(
                "Cuts.between",
                got=f"[{low}, {high}]",
                allowed=f"an interval with a tick between {line.lower} and {line.upper}",
            )
        return RangeChannel(line, weights, self.number)

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        between = {"between": f"[{self.between[0]}, {self.between[1]}]"} if self.between else {}
        return {"number": str(self.number), **between}
