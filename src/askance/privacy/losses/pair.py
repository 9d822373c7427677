"""Two rows of a channel as a test between two answers sees them: ratios and their chances."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from askance.errors import InputError
from askance.exact.level import log_double
from askance.typing import Floats

_FINEST = 64  # the most steps between the extreme losses on a lattice


@final
@dataclass(frozen=True, slots=True)
class Pair:
    """What two answers' rows say about telling the answers apart, and nothing else.

    Messages with the same likelihood ratio are one atom: a test needs no more (Neyman & Pearson,
    1933).

    Parameters
    ----------
    ratios : tuple of Fraction
        The distinct positive ratios of the second chance to the first, falling.
    first, second : tuple of Fraction
        The chance of each ratio under the first and the second answer.
    only_first, only_second : Fraction
        Chances of messages that the other answer cannot send.

    >>> warner = Pair.of([Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)])
    >>> warner.ratios
    (Fraction(3, 1), Fraction(1, 3))
    """

    ratios: tuple[Fraction, ...]
    first: tuple[Fraction, ...]
    second: tuple[Fraction, ...]
    only_first: Fraction
    only_second: Fraction

    @classmethod
    def of(cls, first: Iterable[Fraction], second: Iterable[Fraction]) -> "Pair":
        """Gather two rows, message by message, into atoms."""
        gathered: dict[Fraction, tuple[Fraction, Fraction]] = {}
        alone = [Fraction(0), Fraction(0)]
        for one, two in zip(first, second, strict=True):
            if one and two:
                had = gathered.get(two / one, (Fraction(0), Fraction(0)))
                gathered[two / one] = had[0] + one, had[1] + two
            else:
                alone = [alone[0] + one, alone[1] + two]
        if not gathered and not any(alone):
            raise InputError("Pair", got="no message", allowed="rows that sum to one")
        ratios = sorted(gathered, reverse=True)
        return cls(
            tuple(ratios),
            tuple(gathered[ratio][0] for ratio in ratios),
            tuple(gathered[ratio][1] for ratio in ratios),
            alone[0],
            alone[1],
        )

    @property
    def losses(self) -> tuple[float, ...]:
        """The logarithms of the ratios, falling."""
        return tuple(log_double(ratio) for ratio in self.ratios)

    @property
    def undecided(self) -> tuple[Floats, Floats]:
        """The chances of each ratio under either answer, given that the message proves neither."""
        first, second = sum(self.first), sum(self.second)
        return (
            np.array([float(chance / first) for chance in self.first]),
            np.array([float(chance / second) for chance in self.second]),
        )

    def proven(self, k: int) -> tuple[float, float]:
        """Give the chances that one of k messages proves the first answer, and the second.

        A chance that is too small beside 1 is not lost.

        >>> Pair.of([1, 0], [1 - Fraction(1, 10**20), Fraction(1, 10**20)]).proven(2)
        (0.0, 2e-20)
        """
        once = float(self.only_first), float(self.only_second)
        first, second = (-math.expm1(k * math.log1p(-p)) if p < 1 else 1.0 for p in once)
        return first + 0.0, second + 0.0

    def lattice(self) -> tuple[int, ...] | None:
        """Give whole numbers whose differences are in proportion to those of the losses.

        None where there are no such numbers up to 64. Proportions are checked on the exact ratios.

        >>> Pair.of(*([Fraction(n, 10) for n in row] for row in ([6, 1, 3], [1, 6, 3]))).lattice()
        (2, 1, 0)
        """
        if len(self.ratios) < 2:
            return (0,) * len(self.ratios)
        steps = [ratio / self.ratios[-1] for ratio in self.ratios]
        shares = []
        for step in steps:
            share = Fraction(log_double(step) / log_double(steps[0])).limit_denominator(_FINEST)
            if step**share.denominator != steps[0] ** share.numerator:
                return None
            shares.append(share)
        unit = math.lcm(*(share.denominator for share in shares))
        return tuple(int(share * unit) for share in shares) if unit <= _FINEST else None
