"""One range, narrowed step by step with the person's leave, and never below a floor."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.cut_law import EVEN, law_written, read_law, tick_weights
from askance.channels.lattice import Frame
from askance.channels.range_channel import RangeChannel, Stretches, piece_written
from askance.errors import InputError
from askance.exact.line import Floor, Line
from askance.mechanisms.cuts import (
    Stretch,
    cut_count,
    floor_on,
    least_share,
    on_ticks,
    open_written,
    read_open,
)
from askance.mechanisms.recipe import AbstractRangeMechanism

SIDE_BLIND, EXAMPLE_4 = "side-blind", "example-4"
STOPPINGS = (SIDE_BLIND, EXAMPLE_4)
"""Pass over a candidate that leaves either side too small; stop if the answer's own side is."""

Cell = tuple[int, int]


def final_ranges(
    weights: Sequence[int], number: int, floor: Floor, stopping: str
) -> dict[Cell, list[Fraction]]:
    """For each range that can be left the chance of it from each step, counting all draws.

    >>> found = final_ranges([1, 1, 1], 1, Floor([1] * 4, 2), "example-4")
    >>> [str(chance) for chance in found[0, 4]]
    ['1/3', '0', '0', '1/3']
    """
    n, total = len(floor.sizes), sum(weights) ** number
    left: dict[Cell, list[Fraction]] = defaultdict(lambda: [Fraction(0)] * n)
    for step in range(n):
        for (low, high, _), units in _narrowed(step, weights, number, floor, stopping).items():
            left[low, high][step] += Fraction(units, total)
    return dict(left)


def _narrowed(
    step: int, weights: Sequence[int], number: int, floor: Floor, stopping: str
) -> dict[tuple[int, int, bool], int]:
    """Count the draws after which an answer in a step has each range, and whether it stopped."""
    states = {(0, len(floor.sizes), False): 1}
    for _ in range(number):
        after: dict[tuple[int, int, bool], int] = defaultdict(int)
        for state, units in states.items():
            for tick, weight in enumerate(weights, start=1):
                if weight:
                    after[_next(state, tick, step, floor, stopping)] += units * weight
        states = dict(after)
    return states


def _next(
    state: tuple[int, int, bool], tick: int, step: int, floor: Floor, stopping: str
) -> tuple[int, int, bool]:
    low, high, stopped = state
    if stopped or not low < tick < high:
        return state
    side = (tick, high) if tick <= step else (low, tick)
    if stopping == SIDE_BLIND:
        return (*side, False) if floor.divides(low, tick, high) else state
    return (*side, False) if floor.keeps(*side) else (low, high, True)


@final
@dataclass(frozen=True, slots=True, init=False)
class Progressive(AbstractRangeMechanism):
    """Draw candidate cuts in turn; one narrows the range only if both its sides keep a floor.

    Whether a candidate counts is decided before anyone looks on which side the answer is, and only
    the final range is sent. So the report is as flat as that of a single cut. The person is asked
    before every step, and may stop at any.

    Parameters
    ----------
    number : int
        How many candidates are drawn.
    floor : number
        The least share of people, by the declared sizes, that a range holds; at most 1/2. Of those
        outside the acceptable range.
    law : "even", distribution, callable, or sequence of number, one for each inner tick
        Of one candidate.
    sizes : "even", distribution, callable, or sequence of number, one for each step
        How many people are thought to be in each step: declared, published, never fitted.
    open : sequence of (low, high)
        The acceptable range: an answer above low and up to high is sent exactly, as its step.
    stopping : "side-blind" or "example-4"
        The printed Example 4 stops if the side *that holds the answer* is too small, which tells
        that it is there. It can be computed (`final_law`), to compare, but not published.

    Raises
    ------
    InputError
        If a parameter cannot be right; from `channel`, if no cut keeps the floor, or stopping looks
        at the answer.

    References
    ----------
    Ding & Ding (2022), Example 4; the side-blind rule is ours.

    >>> Progressive(number=2, floor="1/2").channel(Line(0, 4, 1)).cell_chance(0, 2)
    Fraction(5, 9)
    """

    name: ClassVar[str] = "progressive"
    narrow: ClassVar[bool] = True
    number: int
    floor: Fraction
    law: Any
    sizes: Any
    open: tuple[Stretch, ...]
    stopping: str

    def __init__(
        self,
        *,
        number: int,
        floor: object,
        law: Any = EVEN,
        sizes: Any = EVEN,
        open: Sequence[Any] = (),
        stopping: str = SIDE_BLIND,
    ) -> None:
        asked: object = stopping
        if not isinstance(asked, str) or asked not in STOPPINGS:
            raise InputError("Progressive.stopping", got=stopping, allowed=" or ".join(STOPPINGS))
        object.__setattr__(self, "number", cut_count(number, "Progressive.number"))
        object.__setattr__(self, "floor", least_share(floor, "Progressive.floor", ranges=2))
        object.__setattr__(self, "law", read_law(law, "Progressive.law"))
        object.__setattr__(self, "sizes", read_law(sizes, "Progressive.sizes"))
        object.__setattr__(self, "open", read_open(open, "Progressive.open"))
        object.__setattr__(self, "stopping", stopping)

    @checked
    def channel(self, line: Line) -> RangeChannel:
        """Yield the exact law of the ranges on this line, for people who never stop."""
        if self.stopping == EXAMPLE_4:
            raise InputError(
                "Progressive.stopping",
                got=EXAMPLE_4,
                allowed=SIDE_BLIND,
                remedy="this rule looks at the side that holds the answer, so that stopping there "
                "tells what the range hides; final_law computes it, to compare",
            )
        weights, floor, opened = self._on(line)
        return RangeChannel(line, weights, self.number, floor=floor, open=opened)

    @checked
    def final_law(self, line: Line) -> Channel:
        """Compute the chance of every final range for every step of the line, by either rule.

        Parameters
        ----------
        line : Line
            Of at most 60 steps, and here without an acceptable range.

        Returns
        -------
        Channel
            From the steps, each named ``(lower, upper]``, to the ranges; each means on its face the
            steps in it. Compare the chances in a column: equal ones tell nothing.

        Raises
        ------
        InputError
            If the line has more steps, or an answer could be sent exactly.

        >>> line = Line(0, 4, 1)
        >>> leaky = Progressive(number=1, floor="1/2", stopping="example-4").final_law(line)
        >>> leaky.matrix[:, leaky.column("(0, 4]")].round(3).tolist()  # stopped: not (1, 3]
        [0.333, 0.0, 0.0, 0.333]
        """
        if self.open or line.ticks > 60:
            raise InputError(
                "Progressive.final_law",
                got=f"{line.ticks} steps and {len(self.open)} stretches that are sent exactly",
                allowed="at most 60 steps, and nothing that is sent exactly",
            )
        weights, floor, _ = self._on(line)
        chances = final_ranges(weights, self.number, floor, self.stopping)
        names = [piece_written(line, at, at + 1) for at in range(line.ticks)]
        meant = {piece_written(line, *cell): names[slice(*cell)] for cell in sorted(chances)}
        rows = [[chances[cell][step] for cell in sorted(chances)] for step in range(line.ticks)]
        return Channel(Frame(names), meant, rows)

    def _on(self, line: Line) -> tuple[tuple[int, ...], Floor, Stretches]:
        weights = tick_weights(line, self.law, "Progressive.law")
        opened = on_ticks(line, self.open, "Progressive.open")
        return weights, floor_on(line, self.sizes, self.floor, opened, "Progressive"), opened

    def parameters(self) -> dict[str, str]:
        """Write the parameters as a survey file would."""
        opened = {"open": open_written(self.open)} if self.open else {}
        return {
            "number": str(self.number),
            "floor": str(self.floor),
            "law": law_written(self.law),
            "sizes": law_written(self.sizes),
            "stopping": self.stopping,
            **opened,
        }
