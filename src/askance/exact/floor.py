"""The least size that a reported range must keep, counted in whole units."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import final

from askance.errors import InputError
from askance.exact.table import LARGEST_TOTAL


@final
@dataclass(frozen=True, slots=True, init=False)
class Floor:
    """A public size for each step of a line, and the least that a reported range may have.

    Parameters
    ----------
    sizes : sequence of int
        One whole size for each step ``(i, i + 1]``: how many people are thought to be there, or 1
        for each. It is fixed beforehand, never fitted to reports.
    least : int
        What every range must have at least, in the same units.

    Raises
    ------
    InputError
        If a size is negative, their sum is beyond 2^48, or the least is not within ``1 … sum``.

    >>> floor = Floor([1, 2, 3, 4], 5)
    >>> floor.size(0, 3), floor.size(3, 1), floor.keeps(1, 3)
    (6, 5, True)
    """

    sizes: tuple[int, ...] = field(repr=False)
    least: int
    upto: tuple[int, ...] = field(repr=False, compare=False)

    def __init__(self, sizes: Sequence[int], least: int) -> None:
        listed: object = sizes
        given = tuple(listed) if isinstance(listed, Sequence) else ()
        whole = all(type(size) is int and size >= 0 for size in given)
        if not whole or not 0 < sum(given) <= LARGEST_TOTAL:
            raise InputError(
                "floor.sizes", allowed="whole, non-negative sizes with a sum in [1, 2^48]"
            )
        if type(least) is not int or not 1 <= least <= sum(given):
            raise InputError(
                "floor.least", got=least, allowed=f"a whole size from 1 to the sum, {sum(given)}"
            )
        object.__setattr__(self, "sizes", given)
        object.__setattr__(self, "least", least)
        object.__setattr__(self, "upto", tuple(accumulate(given, initial=0)))

    @property
    def total(self) -> int:
        """What the sizes sum to."""
        return self.upto[-1]

    def size(self, low: int, high: int) -> int:
        """Give the size of ``(low, high]``; of the ring's outside where low > high."""
        inside = self.upto[max(low, high)] - self.upto[min(low, high)]
        return inside if low <= high else self.total - inside

    def keeps(self, low: int, high: int) -> bool:
        """Say whether a range has the least size."""
        return self.size(low, high) >= self.least

    def divides(self, low: int, tick: int, high: int) -> bool:
        """Say whether a cut leaves both sides of ``(low, high]`` with the least size."""
        return self.keeps(low, tick) and self.keeps(tick, high)
