"""A number cut into equal steps, exactly, and the least size that a range of it must keep."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from typing import final

from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.ratio import LARGEST_TOTAL, read_ratio


@final
@dataclass(frozen=True, slots=True, init=False)
class Line:
    """A number between two bounds, in a unit, cut into equal steps.

    Tick ``i`` stands at ``lower + i * step``. Cuts fall on the inner ticks, and ranges are
    ``(lower, upper]``. The bounds are the declared support: they make moments finite and nothing
    else, since the outermost ranges are open-ended.

    A number that is counted takes whole values alone. Its line has the values ``lower, lower + 1,
    …, upper``, so many to a step, and tick ``i`` stands at ``lower - 1 + i * step``: the last value
    of a step is its upper tick. With steps of 1 every range says which values it holds, and nothing
    is left open inside a step.

    Parameters
    ----------
    lower, upper, step : number or str
        Read exactly; ``upper - lower`` must be at least two whole steps.
    unit : str
    integer : bool
        Whether the number takes whole values alone, both bounds among them. All three are whole
        numbers then, and ``upper - lower + 1`` values must be at least two whole steps.

    Attributes
    ----------
    ticks : int
        How many steps the line has.

    Raises
    ------
    InputError
        If the bounds do not make at least two whole steps.

    >>> age = Line(17, 70, 1, "years")
    >>> age.ticks, age.value_at(0), age.cell(30)
    (53, Fraction(17, 1), 12)
    >>> drinks = Line(0, 40, 1, "drinks", integer=True)  # 41 values: a cut can tell 0 from 1
    >>> drinks.ticks, drinks.value_at(1), drinks.cell(0), drinks.cell(1)
    (41, Fraction(0, 1), 0, 1)
    """

    lower: Fraction
    upper: Fraction
    step: Fraction
    unit: str
    ticks: int
    integer: bool

    @checked
    def __init__(
        self,
        lower: object,
        upper: object,
        step: object = 1,
        unit: str = "",
        *,
        integer: bool = False,
    ) -> None:
        low, high, width = (
            read_ratio(value, f"Line.{name}")
            for name, value in (("lower", lower), ("upper", upper), ("step", step))
        )
        if width <= 0:
            raise InputError("Line.step", got=str(step), allowed="a number in (0, ∞)")
        if integer:
            _refuse_parts(lower=low, upper=high, step=width)
        steps = (high - low + integer) / width
        if steps < 2 or steps.denominator != 1:
            raise _uneven_error(low, high, width, steps, integer=integer)
        for name, value in (("lower", low), ("upper", high), ("step", width), ("unit", unit)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "ticks", int(steps))
        object.__setattr__(self, "integer", integer)

    @property
    def spacing(self) -> int:
        """How far a value is from the next: 1 of whole numbers, 0 where there are all between."""
        return int(self.integer)

    def value_at(self, tick: int) -> Fraction:
        """The number at a tick."""
        return self.lower - self.spacing + tick * self.step

    def cell(self, number: object) -> int:
        """Say in which step ``(i, i + 1]`` a number falls; the outer steps are open-ended.

        Raises
        ------
        InputError
            If the line has whole numbers alone, and this is none.
        """
        exact = read_ratio(number, "number")
        if self.integer and exact.denominator != 1:
            raise InputError("number", allowed="a whole number, as the line has no others")
        steps = -((self.value_at(0) - exact) // self.step) - 1
        return min(max(steps, 0), self.ticks - 1)


def _refuse_parts(**ends: Fraction) -> None:
    for name, value in ends.items():
        if value.denominator != 1:
            raise InputError(
                f"Line.{name}",
                got=str(value),
                allowed="a whole number on a line of whole numbers",
                remedy="count in a smaller unit, or let it take other values too",
            )


def _uneven_error(
    low: Fraction, high: Fraction, width: Fraction, steps: Fraction, *, integer: bool
) -> InputError:
    """Make the error for bounds that make no two whole steps: what they make, and what is near."""
    if not integer:
        return InputError(
            "Line",
            got=f"{steps} steps of {width} from {low} to {high}",
            allowed="at least two whole steps between lower and upper",
        )
    nearest = max(-(-steps.numerator // steps.denominator), 2)
    return InputError(
        "Line",
        got=f"{high - low + 1} whole numbers from {low} to {high} in steps of {width}",
        allowed="at least two whole steps, the first from lower on",
        remedy=f"upper = {low - 1 + nearest * width} ends a step",
    )


@final
@dataclass(frozen=True, slots=True, init=False)
class Floor:
    """A public size for each step of a line, and the least that a reported range may have.

    Parameters
    ----------
    sizes : sequence of int
        One whole size for each step ``(i, i + 1]``: how many people are thought to be there, or 1
        for each. It is fixed beforehand, never fitted to reports.
    minimum : int
        What every range must have at least, in the same units.
    cumulative_sizes : tuple of int
        Computed: the sizes up to each tick.

    Raises
    ------
    InputError
        If a size is negative, their sum is beyond 2^48, or the least is not within ``1 … sum``.

    >>> floor = Floor([1, 2, 3, 4], 5)
    >>> floor.size(0, 3), floor.size(3, 1), floor.allows_range(1, 3)
    (6, 5, True)
    """

    sizes: tuple[int, ...] = field(repr=False)
    minimum: int
    cumulative_sizes: tuple[int, ...] = field(repr=False, compare=False)

    def __init__(self, sizes: Sequence[int], minimum: int) -> None:
        listed: object = sizes
        integer_sizes = tuple(listed) if isinstance(listed, Sequence) else ()
        non_negative = all(type(size) is int and size >= 0 for size in integer_sizes)
        if not non_negative or not 0 < sum(integer_sizes) <= LARGEST_TOTAL:
            raise InputError(
                "floor.sizes", allowed="whole, non-negative sizes with a sum in [1, 2^48]"
            )
        if type(minimum) is not int or not 1 <= minimum <= sum(integer_sizes):
            raise InputError(
                "floor.least",
                got=minimum,
                allowed=f"a whole size from 1 to the sum, {sum(integer_sizes)}",
            )
        object.__setattr__(self, "sizes", integer_sizes)
        object.__setattr__(self, "minimum", minimum)
        object.__setattr__(self, "cumulative_sizes", tuple(accumulate(integer_sizes, initial=0)))

    @property
    def total(self) -> int:
        """What the sizes sum to."""
        return self.cumulative_sizes[-1]

    def size(self, low: int, high: int) -> int:
        """The size of ``(low, high]``; of the ring's outside where low > high."""
        inside = self.cumulative_sizes[max(low, high)] - self.cumulative_sizes[min(low, high)]
        return inside if low <= high else self.total - inside

    def allows_range(self, low: int, high: int) -> bool:
        """Say whether a range has the least size."""
        return self.size(low, high) >= self.minimum

    def allows_cut(self, low: int, tick: int, high: int) -> bool:
        """Say whether a cut leaves both sides of ``(low, high]`` with the least size."""
        return self.allows_range(low, tick) and self.allows_range(tick, high)


@final
@dataclass(frozen=True, slots=True, init=False)
class PairLaw:
    """The law of two inner ticks a < b: chance w_a · w_b over the sum of the eligible pairs.

    A pair is eligible if ``(a, b]`` and what lies outside it both have the floor's least size. The
    ticks b that are eligible with one a follow each other, so one pass over a finds them all.

    Parameters
    ----------
    weights : sequence of int
        One non-negative weight for each inner tick 1 … n − 1.
    floor : Floor

    Attributes
    ----------
    total : int
        What the products of the eligible pairs sum to: one draw is below it.
    cumulative_weights : tuple of int
        Computed: the products of pairs up to each first tick.

    Raises
    ------
    InputError
        If no pair is eligible, or the total is beyond 2^48.

    >>> law = PairLaw([1, 1, 1], Floor([1, 1, 1, 1], 2))
    >>> law.total, law.pair_at(0), law.weight(1, 2)
    (1, (1, 3), 0)
    """

    weights: tuple[int, ...] = field(repr=False)
    floor: Floor
    total: int
    cumulative_weights: tuple[int, ...] = field(repr=False, compare=False)

    @checked
    def __init__(self, weights: Sequence[int], floor: Floor) -> None:
        law = tuple(weights)
        inner = len(floor.sizes) - 1
        non_negative = all(type(weight) is int and weight >= 0 for weight in law)
        if len(law) != inner or not non_negative or sum(law) > LARGEST_TOTAL:
            raise InputError(
                "ring.weights",
                allowed=f"{inner} whole, non-negative weights with a sum of at most 2^48",
            )
        object.__setattr__(self, "weights", law)
        object.__setattr__(self, "floor", floor)
        object.__setattr__(self, "cumulative_weights", (0, *accumulate(law, initial=0)))
        object.__setattr__(self, "total", sum(units for _, _, _, units in self.rows()))
        if not self.total:
            raise InputError(
                "ring",
                got=f"no pair of ticks with {floor.minimum} of {floor.total} inside and outside",
                allowed=f"up to half of {floor.total}, that some pair keeps",
                remedy="take a lower floor or a smaller step",
            )
        if self.total > LARGEST_TOTAL:
            raise InputError("ring", got=f"{self.total} units on pairs", allowed="at most 2^48")

    def rows(self) -> Iterator[tuple[int, int, int, int]]:
        """List for each a that can be drawn its first and last eligible b, and their units."""
        sizes, floor = self.floor.cumulative_sizes, self.floor
        for a, weight in enumerate(self.weights, start=1):
            first = bisect_left(sizes, sizes[a] + floor.minimum)
            last = bisect_right(sizes, sizes[a] + floor.total - floor.minimum) - 1
            last = min(last, len(self.weights))
            units = (
                weight * (self.cumulative_weights[last + 1] - self.cumulative_weights[first])
                if first <= last
                else 0
            )
            if units:
                yield a, first, last, units

    def pair_at(self, position: int) -> tuple[int, int]:
        """Say which pair covers a position when they are laid end to end, a and then b rising."""
        for a, first, _, units in self.rows():
            if position < units:
                offset = position // self.weights[a - 1] + self.cumulative_weights[first]
                return a, bisect_right(self.cumulative_weights, offset) - 1
            position -= units
        raise InputError("position", got="past the end", allowed=f"less than {self.total}")

    def weight(self, low: int, high: int) -> int:
        """The units of a pair low < high of inner ticks; 0 if it cannot be drawn."""
        eligible = self.floor.allows_range(low, high) and self.floor.allows_range(high, low)
        return self.weights[low - 1] * self.weights[high - 1] if eligible else 0
