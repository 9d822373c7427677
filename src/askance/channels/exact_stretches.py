"""The acceptable range: stretches of a line in which an answer is sent exactly, as its step."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from askance.errors import InputError
from askance.exact.floor import Floor
from askance.typing import Booleans, Integers

Stretches = tuple[tuple[int, int], ...]
"""Ticks ``(a, b]``, ascending and not touching."""


def read_stretches(given: Sequence[tuple[int, int]], ticks: int) -> Stretches:
    """Read stretches of a line of so many ticks.

    >>> read_stretches([(2, 4), (6, 7)], 8)
    ((2, 4), (6, 7))
    """
    try:
        stretches = tuple((int(low), int(high)) for low, high in given)
    except (TypeError, ValueError) as error:
        raise InputError(
            "RangeChannel.open", got=str(error), allowed="pairs of ticks (a, b]"
        ) from error
    ends = [-1, *(end for stretch in stretches for end in stretch)]
    ascending = all(low < high for low, high in pairwise(ends))
    if not ascending or ends[-1] > ticks or (0, ticks) in stretches:
        raise InputError(
            "RangeChannel.open",
            got=stretches,
            allowed=f"ascending ticks (a, b] in [0, {ticks}] that do not touch or fill the line",
        )
    return stretches


def within(stretches: Stretches, ends: Integers) -> Booleans:
    """Say which ranges, shape (c, 2), lie inside a stretch.

    >>> within(((2, 4),), np.array([[2, 3], [2, 5]])).tolist()
    [True, False]
    """
    low, high = ends.T
    found = np.zeros(len(ends), dtype=bool)
    for start, end in stretches:
        found |= (start <= low) & (high <= end)
    return found


def left_over(stretches: Stretches, low: int, high: int) -> Stretches:
    """Give what a range leaves outside the stretches; all of it, if it is inside one.

    >>> left_over(((3, 5),), 0, 8), left_over(((3, 5),), 3, 4)
    (((0, 3), (5, 8)), ((3, 4),))
    """
    if any(start <= low and high <= end for start, end in stretches):
        return ((low, high),)
    inner = [end for pair in stretches if pair[0] < high and pair[1] > low for end in pair]
    ends = [low, *inner, high]
    return tuple((a, b) for a, b in zip(ends[::2], ends[1::2], strict=True) if a < b)


def floor_outside(floor: Floor, stretches: Stretches) -> Floor:
    """Count the size of what is sent exactly as 0.

    >>> floor_outside(Floor([1, 2, 3], 1), ((1, 2),)).sizes
    (1, 0, 3)
    """
    sizes = list(floor.sizes)
    for low, high in stretches:
        sizes[low:high] = [0] * (high - low)
    return Floor(sizes, floor.least)
