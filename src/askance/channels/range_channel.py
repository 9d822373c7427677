"""Answers on a line: the law of the cut points, which says how likely each range is reported."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import final

import numpy as np
import numpy.typing as npt

from askance.errors import InputError
from askance.exact.line import Line
from askance.typing import Floats


@final
@dataclass(frozen=True, slots=True, init=False)
class RangeChannel:
    """Independent cuts at random ticks of a line; the report is the cell that holds the answer.

    Parameters
    ----------
    line : Line
    weights : sequence of int
        One non-negative weight for each inner tick 1 … ``line.ticks − 1``: the law of one cut.
    number : int
        How many cuts are drawn, independently; equal ones count once.

    Raises
    ------
    InputError
        If there is not one weight per inner tick, a weight is negative, or all are zero.

    >>> RangeChannel(Line(0, 4, 1), [1, 1, 1], 1).cell_chance(0, 2)
    Fraction(1, 3)
    """

    line: Line
    weights: tuple[int, ...] = field(repr=False)
    number: int

    def __init__(self, line: Line, weights: Sequence[int], number: int = 1) -> None:
        law = tuple(int(weight) for weight in weights)
        if len(law) != line.ticks - 1 or min(law) < 0 or not sum(law):
            raise InputError(
                "RangeChannel.weights",
                got=f"{len(law)} weights",
                allowed=f"{line.ticks - 1} non-negative weights, not all zero",
            )
        if number < 1:
            raise InputError("RangeChannel.number", got=number, allowed="an integer in [1, ∞)")
        object.__setattr__(self, "line", line)
        object.__setattr__(self, "weights", law)
        object.__setattr__(self, "number", number)

    @property
    def total(self) -> int:
        """What the weights sum to."""
        return sum(self.weights)

    def share(self, low: int, high: int) -> Fraction:
        """Give the chance that one cut falls on a tick in ``low … high`` inclusive."""
        return Fraction(sum(self.weights[max(low, 1) - 1 : max(high, 0)]), self.total)

    def cell_chance(self, low: int, high: int) -> Fraction:
        r"""Give the chance that ``(low, high]`` is a cell: that it is reported by whoever is in it.

        With G(S) the chance that one cut falls in S and m cuts, by inclusion and exclusion over the
        two ends: Σ ±(1 − G(inside ∪ ends))^m. It does not depend on where in the cell the answer
        lies, which is what makes every report flat (Ding & Ding, 2022, Definition 1).
        """
        if not 0 <= low < high <= self.line.ticks:
            raise InputError(
                "cell", got=(low, high), allowed=f"ticks 0 <= low < high <= {self.line.ticks}"
            )
        lows = (low + 1, low) if low else (low + 1,)
        highs = (high - 1, high) if high < self.line.ticks else (high - 1,)
        chance = Fraction(0)
        for first in lows:
            for last in highs:
                sign = -1 if (first == low) != (last == high) else 1
                chance += sign * (1 - self.share(first, last)) ** self.number
        return chance

    def cells(self) -> tuple[npt.NDArray[np.int64], Floats]:
        """List every cell that can be reported, with its chance.

        Returns
        -------
        ends : array of int, shape (c, 2)
            Ticks ``(low, high]``.
        chances : array, shape (c,)
            Chance that each is a cell, as in `cell_chance`.
        """
        n, m = self.line.ticks, self.number
        mass = np.concatenate([[0.0], np.asarray(self.weights, dtype=float) / self.total, [0.0]])
        upto = np.cumsum(mass)  # upto[t] = chance that one cut falls at or below tick t
        low, high = (grid[np.triu_indices(n + 1, 1)] for grid in np.indices((n + 1, n + 1)))
        inner = upto[high - 1] - upto[low]
        at_low, at_high = mass[low], mass[high]
        free = np.clip(1 - inner, 0, 1) ** m
        chance = np.where(low > 0, free - np.clip(1 - inner - at_low, 0, 1) ** m, free)
        with_high = np.clip(1 - inner - at_high, 0, 1) ** m
        both = np.clip(1 - inner - at_low - at_high, 0, 1) ** m
        chance -= np.where(high < n, np.where(low > 0, with_high - both, with_high), 0)
        possible = (
            ((low == 0) | (at_low > 0))
            & ((high == n) | (at_high > 0))
            & ((low > 0) | (high < n))
            & ((m > 1) | (low == 0) | (high == n))
        )
        return np.stack([low, high], axis=1)[possible], chance[possible]
