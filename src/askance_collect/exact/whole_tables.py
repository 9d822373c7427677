"""Tables of fractions in whole parts, exactly or rounded towards what they promise."""

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from numbers import Real
from typing import Any

from askance_collect.arguments import checked, is_boolean
from askance_collect.errors import InputError
from askance_collect.exact.ratio import LARGEST_TOTAL, Table, read_integer

_MOST_BLUR = Fraction(1, 1 << 10)  # what part of what is told may be given up for whole numbers

IntegerRow = tuple[int, ...]


@checked
def tabulate(rows: Sequence[Sequence[Fraction]]) -> Table:
    """Write fractions over their least common denominator, however large: exact stays exact.

    One draw holds totals up to 2^48; a table that is deployed is `quantise_table` of this one.

    Parameters
    ----------
    rows : sequence of sequence of Fraction
        How probable each report is, answer by answer.

    Raises
    ------
    InputError
        If a row has a chance outside [0, 1] or does not sum to one, or holds something else.

    >>> from fractions import Fraction
    >>> from askance_collect.exact import tabulate
    >>> tabulate([[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 3), Fraction(2, 3)]])
    Table(total=12, rows=((9, 3), (4, 8)))
    """
    try:
        parts = [[chance.as_integer_ratio() for chance in row] for row in rows]
    except (AttributeError, TypeError, ValueError, OverflowError) as error:  # no finite number
        raise _fraction_error(rows) from error
    denominators = {denominator for row in parts for _, denominator in row}
    total = math.lcm(*denominators)
    scale = {denominator: total // denominator for denominator in denominators}
    units = [
        tuple([numerator * scale[denominator] for numerator, denominator in row]) for row in parts
    ]
    for row_index, row in enumerate(units):
        if sum(row) != total or min(row, default=0) < 0:
            raise InputError(
                f"rows[{row_index}]",
                got=[str(chance) for chance in rows[row_index]],
                allowed="chances that sum to one",
            )
    return Table(total, tuple(units))


def _fraction_error(rows: Sequence[Any]) -> InputError:
    """Name the first chance that is no finite number."""
    parted = (row if isinstance(row, Iterable) else [None] for row in rows)
    chances = ((row_index, chance) for row_index, row in enumerate(parted) for chance in row)
    row_index, offender = next(
        (row_index, chance)
        for row_index, chance in chances
        if not isinstance(chance, Real) or not math.isfinite(chance)
    )
    return InputError(
        f"rows[{row_index}]", got=offender, allowed="chances as fractions: Fraction(1, 3)"
    )


@checked
def quantise_table(
    table: Table, satisfies: Callable[[Table], bool], total: int = LARGEST_TOTAL
) -> Table | None:
    """Write a table in so many whole parts, blurred as little as keeps what is promised.

    Chances above their column's mean are rounded down and those below it up, so that rows come
    nearer to each other. Where that is not enough, a growing part of all that is sent is drawn
    whatever the answer. Answers that were treated alike stay so, and no possible report becomes
    impossible or the reverse. Where any table keeps what is promised, no chance moves by as much as
    2k² parts, k being the number of reports: rounding takes fewer than k parts from one column,
    which has them once k for each of fewer than k columns are given up.

    Parameters
    ----------
    table : Table
    satisfies : callable
        Says of a table whether all that is promised holds on it, exactly.
    total : int
        What rows are to sum to: as many as there are reports, or more.

    Returns
    -------
    Table or None
        None if less than a thousandth of what is told is not enough to give up.

    Raises
    ------
    InputError
        If the total is smaller.

    >>> from fractions import Fraction
    >>> from askance_collect.exact import quantise_table, tabulate
    >>> thirds = tabulate([[Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)]])
    >>> quantise_table(thirds, lambda table: table.rows[0][0] <= 2 * table.rows[1][0], 10)
    Table(total=10, rows=((6, 4), (4, 6)))
    """
    allowed = "a whole number of parts, one or more for each report"
    total = read_integer(total, "quantise_table.total", allowed, len(table.rows[0]))
    shared, even = _most_shared_columns(table.rows), _constant_columns(table.rows)
    uneven = tuple(columns - even or columns for columns in shared)
    roomy = {
        column
        for column in even
        if table.rows[0][column] * total >= len(table.rows[0]) * table.total
    }
    takers = tuple(columns & roomy or columns for columns in shared)
    part, step = Fraction(0), Fraction(len(table.rows[0]), total)
    while part < _MOST_BLUR:
        rows = _round_rows(*_blur(table, uneven, part), takers, total)
        if rows is not None and _read_bool(satisfies(candidate := Table(total, rows))):
            return candidate
        part = max(2 * part, step)
    return None


def _read_bool(verdict: object) -> bool:
    if not is_boolean(verdict):
        kind = type(verdict).__name__
        raise InputError(
            "quantise_table.satisfies", got=kind, allowed="a function to True or False"
        )
    return bool(verdict)


Columns = tuple[frozenset[int], ...]
"""For each row some of its columns."""


def _most_shared_columns(rows: Sequence[IntegerRow]) -> Columns:
    """Find for each row the columns that it shares with the most rows."""
    counts = [sum(map(bool, column)) for column in zip(*rows, strict=True)]
    tops = [max(count for count, units in zip(counts, row, strict=True) if units) for row in rows]
    return tuple(
        frozenset(column for column, units in enumerate(row) if units and counts[column] == top)
        for row, top in zip(rows, tops, strict=True)
    )


def _constant_columns(rows: Sequence[IntegerRow]) -> frozenset[int]:
    """Find the columns that are as likely from every answer."""
    columns = enumerate(zip(*rows, strict=True))
    return frozenset(index for index, column in columns if len(set(column)) == 1)


def _blur(table: Table, among: Columns, part: Fraction) -> tuple[list[list[int]], int]:
    """Draw a part of what is sent evenly among some columns; give new units and total."""
    every = math.lcm(*map(len, among))
    own_weight, even_weight = part.denominator - part.numerator, part.numerator * table.total
    rows = [
        [
            every * own_weight * units + (column in columns) * even_weight * (every // len(columns))
            for column, units in enumerate(row)
        ]
        for row, columns in zip(table.rows, among, strict=True)
    ]
    return rows, every * part.denominator * table.total


def _round_rows(
    rows: list[list[int]], parts: int, takers: Columns, total: int
) -> tuple[IntegerRow, ...] | None:
    """Round towards the mean of each column; in each row one of some columns takes what is over."""
    every = len(rows) * parts
    means = [sum(column) * total // every for column in zip(*rows, strict=True)]
    rounded = []
    for row, columns in zip(rows, takers, strict=True):
        units = [
            max(_round_towards(n * total, parts, mean), int(n > 0))
            for n, mean in zip(row, means, strict=True)
        ]
        taker = max(columns, key=lambda column: (row[column], -column))
        units[taker] += total - sum(units)
        if units[taker] < 1:
            return None
        rounded.append(tuple(units))
    return tuple(rounded)


def _round_towards(units: int, parts: int, mean: int) -> int:
    """Divide and round down to no less than the mean, or up to no more than it."""
    return max(units // parts, mean) if units > mean * parts else min(-(-units // parts), mean)
