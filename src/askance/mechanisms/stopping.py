"""When narrowing stops: before the answer is looked at, or after, as printed."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from askance.exact.floor import Floor

SIDE_BLIND, EXAMPLE_4 = "side-blind", "example-4"
STOPPINGS = (SIDE_BLIND, EXAMPLE_4)
"""Pass over a candidate that leaves either side too small; stop if the answer's own side is."""

Cell = tuple[int, int]


def final_ranges(
    weights: Sequence[int], number: int, floor: Floor, stopping: str
) -> dict[Cell, list[Fraction]]:
    """Give for each range that can be left the chance of it from each step, counting all draws.

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
