"""A number between two bounds, cut into equal steps, exactly."""

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from askance.errors import InputError
from askance.exact.ratio import ratio


@final
@dataclass(frozen=True, slots=True, init=False)
class Line:
    """A number between two bounds, in a unit, cut into equal steps.

    Tick ``i`` stands at ``lower + i * step``. Cuts fall on the inner ticks, and ranges are
    ``(lower, upper]``. The bounds are the declared support: they make moments finite and nothing
    else, since the outermost ranges are open-ended.

    Parameters
    ----------
    lower, upper, step : number or str
        Read exactly; ``upper - lower`` must be at least two whole steps.
    unit : str

    Attributes
    ----------
    ticks : int
        How many steps the line has.

    Raises
    ------
    InputError
        If the bounds do not make at least two whole steps.

    >>> age = Line(17, 70, 1, "years")
    >>> age.ticks, age.at(0), age.cell(30)
    (53, Fraction(17, 1), 12)
    """

    lower: Fraction
    upper: Fraction
    step: Fraction
    unit: str
    ticks: int

    def __init__(self, lower: object, upper: object, step: object = 1, unit: str = "") -> None:
        low, high, width = (
            ratio(value, f"Line.{name}")
            for name, value in (("lower", lower), ("upper", upper), ("step", step))
        )
        if not isinstance(unit, str):
            raise InputError("Line.unit", got=unit, allowed="a text")
        if width <= 0:
            raise InputError("Line.step", got=str(step), allowed="a number in (0, ∞)")
        steps = (high - low) / width
        if steps < 2 or steps.denominator != 1:
            raise InputError(
                "Line",
                got=f"{steps} steps of {width} from {low} to {high}",
                allowed="at least two whole steps between lower and upper",
            )
        for name, value in (("lower", low), ("upper", high), ("step", width), ("unit", unit)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "ticks", int(steps))

    def at(self, tick: int) -> Fraction:
        """The number at a tick."""
        return self.lower + tick * self.step

    def cell(self, number: object) -> int:
        """Say in which step ``(i, i + 1]`` a number falls; the outer steps are open-ended."""
        steps = -((self.lower - ratio(number, "number")) // self.step) - 1
        return min(max(steps, 0), self.ticks - 1)
