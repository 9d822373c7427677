"""A channel as integers, exactly as it is deployed."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from askance.errors import InputError

LARGEST_TOTAL = 1 << 48
"""One draw is 48 random bits, which a browser's number holds exactly."""

ROUNDED_TOTAL = 1 << 40
"""What a table is rounded to that one draw cannot hold exactly."""


@final
@dataclass(frozen=True, slots=True)
class Table:
    """Row-stochastic integers: a report's chance is its entry over the common total.

    Attributes
    ----------
    total : int
        What every row sums to.
    rows : tuple of tuple of int
        Answers by reports.

    Raises
    ------
    InputError
        If a row has a negative entry, another length than the first, or another sum than ``total``.

    >>> Table(10, ((6, 1, 3), (1, 6, 3))).chance(0, 2)
    Fraction(3, 10)
    """

    total: int
    rows: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        if self.total < 1 or not self.rows or not self.rows[0]:
            raise InputError(
                "table", got=f"total {self.total}", allowed="at least one row and one report"
            )
        for at, row in enumerate(self.rows):
            where = f"table.rows[{at}]"
            if len(row) != len(self.rows[0]):
                raise InputError(
                    where, got=len(row), allowed=f"{len(self.rows[0])} entries, as in row 0"
                )
            if min(row) < 0:
                raise InputError(where, got=min(row), allowed="non-negative integers")
            if sum(row) != self.total:
                raise InputError(where, got=f"sum {sum(row)}", allowed=f"a sum of {self.total}")

    def chance(self, answer: int, report: int) -> Fraction:
        """Give the exact chance that this answer sends this report."""
        return Fraction(self.rows[answer][report], self.total)

    def row(self, answer: int) -> tuple[Fraction, ...]:
        """Give one answer's exact distribution over the reports."""
        return tuple(Fraction(entry, self.total) for entry in self.rows[answer])


def tabulate(rows: Sequence[Sequence[Fraction]]) -> Table:
    """Write fractions over their least common denominator; round only what cannot be drawn exactly.

    Where the common denominator exceeds 2^48, rows are rounded to a total of 2^40 by largest
    remainders, never turning a possible report into an impossible one or the reverse. Guarantees
    are computed on the integers that this returns, so rounding cannot weaken what is printed.

    Raises
    ------
    InputError
        If a row has a chance outside [0, 1] or does not sum to one.

    >>> tabulate([[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 3), Fraction(2, 3)]])
    Table(total=12, rows=((9, 3), (4, 8)))
    """
    for at, row in enumerate(rows):
        if any(not 0 <= chance <= 1 for chance in row) or sum(row) != 1:
            raise InputError(
                f"rows[{at}]",
                got=[str(chance) for chance in row],
                allowed="chances that sum to one",
            )
    total = math.lcm(*(chance.denominator for row in rows for chance in row))
    if total > LARGEST_TOTAL:
        return Table(ROUNDED_TOTAL, tuple(_round_row(row, ROUNDED_TOTAL) for row in rows))
    return unrounded(rows)


def unrounded(rows: Sequence[Sequence[Fraction]]) -> Table:
    """Write fractions over their least common denominator, however large.

    For channels that are reasoned about, not drawn from.

    Raises
    ------
    InputError
        If a row has a negative chance or does not sum to one.

    >>> unrounded([[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 3), Fraction(2, 3)]])
    Table(total=12, rows=((9, 3), (4, 8)))
    """
    total = math.lcm(*(chance.denominator for row in rows for chance in row))
    return Table(total, tuple(tuple(int(chance * total) for chance in row) for row in rows))


def _round_row(row: Sequence[Fraction], total: int) -> tuple[int, ...]:
    """Round by largest remainders; every positive chance keeps at least one unit."""
    exact = [chance * total for chance in row]
    whole = [max(1, int(value)) if value else 0 for value in exact]
    while sum(whole) != total:
        step = 1 if sum(whole) < total else -1
        movable = [at for at, units in enumerate(whole) if units + step > 0 and exact[at] > 0]
        neediest = max(movable, key=lambda at: step * (exact[at] - whole[at]))
        whole[neediest] += step
    return tuple(whole)
