"""Probabilities: read exactly, told with caution, and as the whole numbers that a device draws."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any, final

from askance.arguments import checked
from askance.errors import InputError

DECIMALS = 60
"""The most decimals that a number is read with; a fraction needs none."""

_DIGITS = rf"\d{{1,{DECIMALS}}}"
_WRITTEN = re.compile(rf"[+-]?{_DIGITS}(/{_DIGITS}|(\.{_DIGITS})?([eE][+-]?\d{{1,3}})?)", re.ASCII)
_OVER_ZERO = re.compile(r"/0+$")
_NEAR = Fraction(1, 1 << 52)  # how far below the truth a simpler ratio may be, relative
_GUARD = Context(prec=60)  # ln and exp are rounded to the nearest digit: the next one is beyond
_UP = Context(prec=60, rounding=ROUND_CEILING)
_LONG = 1 << 16  # bits of a power that is told in full
_BITS = 256  # of whole numbers that a logarithm looks at: more than it is written with
_LN_2_UP, _LN_2_DOWN = _GUARD.ln(2).next_plus(_GUARD), _GUARD.ln(2).next_minus(_GUARD)
_MILLIONTH = Decimal("1e-6")
_SPELT = {"%": "write 75 % as 0.75", ",": "write a point, not a comma, before decimals"}


def ratio(value: object, where: str = "ratio") -> Fraction:
    """Read a number exactly as it is written.

    Integers, fractions, decimals and the strings ``"3/5"`` and ``"0.6"`` are exact already. A float
    is read as the shortest decimal that prints it, so that ``0.6`` means three fifths and not the
    nearest double.

    Raises
    ------
    InputError
        If the value is not a finite number.

    >>> ratio(0.6), ratio("3/5"), ratio(Decimal("0.60"))
    (Fraction(3, 5), Fraction(3, 5), Fraction(3, 5))
    """
    if not isinstance(value, bool) and isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    written = float.__repr__(value) if isinstance(value, float) else str(value)
    readable = isinstance(value, Real | Decimal | str) and _WRITTEN.fullmatch(written.strip())
    if not readable or _OVER_ZERO.search(written.strip()):
        allowed = 'a number such as 3, 0.6 or, in quotes, a fraction "3/5"'
        remedy = next((told for sign, told in _SPELT.items() if sign in written), "")
        raise InputError(where, got=value, allowed=allowed, remedy=remedy)
    return Fraction(written)


def whole(value: object, where: str, allowed: str, least: int = 1, most: int | None = None) -> int:
    """Read a whole number that is large enough, and not too large.

    Raises
    ------
    InputError
        If it is none.

    >>> whole(1e3, "people", "a number of people in [1, ∞)")
    1000
    """
    if isinstance(value, Integral) or (isinstance(value, float) and value.is_integer()):
        read = int(value)
        if least <= read and (most is None or read <= most) and not isinstance(value, bool):
            return read
    raise InputError(where, got=value, allowed=allowed)


def chance(value: object, where: str = "chance") -> Fraction:
    """Read a probability exactly.

    Raises
    ------
    InputError
        If the value is not a number in [0, 1].

    >>> chance("1/3"), chance(0), chance(1)
    (Fraction(1, 3), Fraction(0, 1), Fraction(1, 1))
    >>> chance("-1/3")
    Traceback (most recent call last):
    askance.errors.InputError: chance: got '-1/3'; allowed: a probability in [0, 1]
    >>> chance(1.1)
    Traceback (most recent call last):
    askance.errors.InputError: chance: got '1.1'; allowed: a probability in [0, 1]; write 75 % as...
    """
    read = ratio(value, where)
    if not 0 <= read <= 1:
        remedy = _SPELT["%"] if 1 < read <= 100 else ""
        raise InputError(where, got=str(value), allowed="a probability in [0, 1]", remedy=remedy)
    return read


_BARE = re.compile(r"(?<![0-9])\.(?=[0-9])")


def spelt(value: Any) -> Any:
    """Read .05 as 0.05, as people write it.

    >>> spelt(".2,.8")
    '0.2,0.8'
    """
    return _BARE.sub("0.", value) if isinstance(value, str) else value


def log_up(value: Fraction) -> Decimal:
    """The natural logarithm, rounded up to six decimals: never less than the truth.

    >>> log_up(Fraction(6))
    Decimal('1.791760')
    >>> log_up(Fraction(1)), log_up(Fraction(1, 6))
    (Decimal('0.000000'), Decimal('-1.791759'))
    >>> log_up(Fraction(0))
    Traceback (most recent call last):
    askance.errors.InputError: log_up: got '0'; allowed: a positive ratio
    """
    if value <= 0:
        raise InputError("log_up", got=str(value), allowed="a positive ratio")
    if value == 1:
        return Decimal(0).quantize(_MILLIONTH)
    over, under = (max(part.bit_length() - _BITS, 0) for part in value.as_integer_ratio())
    most, least = -(-value.numerator >> over), value.denominator >> under
    logarithm = _GUARD.ln(_UP.divide(Decimal(most), Decimal(least))).next_plus(_GUARD)
    shifted = _UP.fma(over - under, _LN_2_UP if over > under else _LN_2_DOWN, logarithm)
    return shifted.quantize(_MILLIONTH, rounding=ROUND_CEILING, context=_UP)


def just_below(value: Fraction, near: Fraction = _NEAR) -> Fraction:
    """The simplest fraction of those just below a ratio, or the ratio itself.

    At most 2^−52 of the ratio, and of what it is above 1, is given up; so a loss is used up to the
    last digit of a double. A simple fraction keeps the whole numbers of a table small. It is found
    by a walk down the Stern–Brocot tree.

    Parameters
    ----------
    value : Fraction
        1 or more.
    near : Fraction
        How much may be given up.

    References
    ----------
    Graham, Knuth & Patashnik (1994), section 4.5.

    >>> just_below(Fraction(3)), just_below(Fraction("2.718281828459045"))
    (Fraction(3, 1), Fraction(212385209, 78132152))
    """
    low, high = value - min(value, value - 1) * near, value
    parts: list[int] = []
    while -(-low // 1) > high:
        parts.append(int(low // 1))
        low, high = 1 / (high - parts[-1]), 1 / (low - parts[-1])
    simplest = Fraction(-(-low // 1))
    for part in reversed(parts):
        simplest = part + 1 / simplest
    return simplest


def over_power(value: Fraction, base: Fraction, power: int) -> Fraction:
    """Divide by a power of a base in (0, 1]; rounded up in the 50th digit where numbers get long.

    >>> over_power(Fraction(3), Fraction(1, 2), 2), over_power(Fraction(3), Fraction(9, 10), 0)
    (Fraction(12, 1), Fraction(3, 1))
    >>> float(over_power(Fraction(1), Fraction(999, 1000), 10**5))
    2.8...e+43
    """
    if base.denominator.bit_length() * power <= _LONG:
        return value / base**power
    found = _UP.divide(Decimal(value.numerator), Decimal(value.denominator))
    factor = _UP.divide(Decimal(base.denominator), Decimal(base.numerator))
    while power:
        if power & 1:
            found = _UP.multiply(found, factor)
        factor = _UP.multiply(factor, factor)
        power >>= 1
    return Fraction(found)


def percent(value: Fraction) -> str:
    """Say a probability as a count of 100 people, exactly where it is whole.

    >>> [percent(Fraction(part, 30)) for part in (0, 10, 18, 20, 30)]
    ['0', '33.3', '60', '66.7', '100']
    >>> percent(Fraction(1, 1000)), percent(Fraction(1, 1001))
    ('0.1', 'fewer than 0.1')
    >>> percent(Fraction(999, 1000)), percent(Fraction(9991, 10000))
    ('99.9', 'more than 99.9')
    """
    count = value * 100
    if count.denominator == 1:
        return str(count.numerator)
    if count < Fraction(1, 10):
        return "fewer than 0.1"
    if 100 - count < Fraction(1, 10):
        return "more than 99.9"
    return f"{float(count):.1f}"


def cautious(chance: Fraction, rounded: Callable[[Fraction], int]) -> str:
    """Say a chance as a count of 100 people that promises no more than holds.

    >>> import math
    >>> cautious(Fraction(2, 3), math.ceil)
    '66.7'
    """
    return percent(Fraction(rounded(chance * 1000), 1000))


LARGEST_TOTAL = 1 << 48
"""One draw is 48 random bits, which a browser's number holds exactly."""
_MOST_BLUR = Fraction(1, 1 << 10)  # what part of what is told may be given up for whole numbers
Whole = tuple[int, ...]


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
        object.__setattr__(self, "rows", _whole_rows(self.total, self.rows))
        object.__setattr__(self, "total", int(self.total))
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
        """The exact chance that this answer sends this report."""
        return Fraction(self.rows[answer][report], self.total)

    def row(self, answer: int) -> tuple[Fraction, ...]:
        """One answer's exact distribution over the reports."""
        return tuple(Fraction(entry, self.total) for entry in self.rows[answer])


def _whole_rows(total: Any, rows: Any) -> tuple[tuple[int, ...], ...]:
    """Read rows of integers, so that nobody else can change them."""
    listed = isinstance(rows, Sequence) and all(isinstance(row, Sequence) for row in rows)
    kinds = {type(total)}.union(*(map(type, row) for row in rows)) if listed else {object}
    if not all(issubclass(kind, Integral) and kind is not bool for kind in kinds):
        raise InputError("table", got=type(rows).__name__, allowed="a total and rows of integers")
    plain = kinds == {int}
    return tuple(tuple(row if plain else map(int, row)) for row in rows)


@checked
def tabulate(rows: Sequence[Sequence[Fraction]]) -> Table:
    """Write fractions over their least common denominator, however large: exact stays exact.

    One draw holds totals up to 2^48; a table that is deployed is `whole_parts` of this one.

    Parameters
    ----------
    rows : sequence of sequence of Fraction
        How probable each report is, answer by answer.

    Raises
    ------
    InputError
        If a row has a chance outside [0, 1] or does not sum to one, or holds something else.

    >>> from fractions import Fraction
    >>> from askance.exact import tabulate
    >>> tabulate([[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 3), Fraction(2, 3)]])
    Table(total=12, rows=((9, 3), (4, 8)))
    """
    try:
        parts = [[chance.as_integer_ratio() for chance in row] for row in rows]
    except (
        AttributeError,
        TypeError,
        ValueError,
        OverflowError,
    ) as error:  # a text, not a number, infinite
        told = "chances as fractions: Fraction(1, 3), not 0.333"
        raise InputError("tabulate.rows", got=str(error), allowed=told) from error
    unders = {under for row in parts for _, under in row}
    total = math.lcm(*unders)
    scale = {under: total // under for under in unders}
    units = [tuple([whole * scale[under] for whole, under in row]) for row in parts]
    for at, row in enumerate(units):
        if sum(row) != total or min(row, default=0) < 0:
            raise InputError(
                f"rows[{at}]",
                got=[str(chance) for chance in rows[at]],
                allowed="chances that sum to one",
            )
    return Table(total, tuple(units))


@checked
def whole_parts(
    table: Table, keeps: Callable[[Table], bool], total: int = LARGEST_TOTAL
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
    keeps : callable
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
    >>> from askance.exact import tabulate, whole_parts
    >>> thirds = tabulate([[Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)]])
    >>> whole_parts(thirds, lambda one: one.rows[0][0] <= 2 * one.rows[1][0], 10)
    Table(total=10, rows=((6, 4), (4, 6)))
    """
    told = "a whole number of parts, one or more for each report"
    total = whole(total, "whole_parts.total", told, len(table.rows[0]))
    shared, even = _most_shared(table.rows), _even(table.rows)
    uneven = tuple(columns - even or columns for columns in shared)
    roomy = {at for at in even if table.rows[0][at] * total >= len(table.rows[0]) * table.total}
    takers = tuple(columns & roomy or columns for columns in shared)
    part, step = Fraction(0), Fraction(len(table.rows[0]), total)
    while part < _MOST_BLUR:
        rows = _rounded(*_blurred(table, uneven, part), takers, total)
        if rows is not None and _truth(keeps(found := Table(total, rows))):
            return found
        part = max(2 * part, step)
    return None


def _truth(said: object) -> bool:
    if type(said).__name__ not in ("bool", "bool_"):
        got = type(said).__name__
        raise InputError("whole_parts.keeps", got=got, allowed="a function to True or False")
    return bool(said)


Columns = tuple[frozenset[int], ...]
"""For each row some of its columns."""


def _most_shared(rows: Sequence[Whole]) -> Columns:
    """Find for each row the columns that it shares with the most rows."""
    counts = [sum(map(bool, column)) for column in zip(*rows, strict=True)]
    tops = [max(count for count, units in zip(counts, row, strict=True) if units) for row in rows]
    return tuple(
        frozenset(at for at, units in enumerate(row) if units and counts[at] == top)
        for row, top in zip(rows, tops, strict=True)
    )


def _even(rows: Sequence[Whole]) -> frozenset[int]:
    """Find the columns that are as likely from every answer."""
    columns = enumerate(zip(*rows, strict=True))
    return frozenset(at for at, column in columns if len(set(column)) == 1)


def _blurred(table: Table, among: Columns, part: Fraction) -> tuple[list[list[int]], int]:
    """Draw a part of what is sent evenly among some columns; give new units and total."""
    every = math.lcm(*map(len, among))
    kept, drawn = part.denominator - part.numerator, part.numerator * table.total
    rows = [
        [
            every * kept * units + (at in columns) * drawn * (every // len(columns))
            for at, units in enumerate(row)
        ]
        for row, columns in zip(table.rows, among, strict=True)
    ]
    return rows, every * part.denominator * table.total


def _rounded(
    rows: list[list[int]], parts: int, takers: Columns, total: int
) -> tuple[Whole, ...] | None:
    """Round towards the mean of each column; in each row one of some columns takes what is over."""
    every = len(rows) * parts
    means = [sum(column) * total // every for column in zip(*rows, strict=True)]
    found = []
    for row, columns in zip(rows, takers, strict=True):
        units = [
            max(_towards(n * total, parts, mean), int(n > 0))
            for n, mean in zip(row, means, strict=True)
        ]
        taker = max(columns, key=lambda at: (row[at], -at))
        units[taker] += total - sum(units)
        if units[taker] < 1:
            return None
        found.append(tuple(units))
    return tuple(found)


def _towards(units: int, parts: int, mean: int) -> int:
    """Divide and round down to no less than the mean, or up to no more than it."""
    return max(units // parts, mean) if units > mean * parts else min(-(-units // parts), mean)


Words = Callable[[], int]
"""A source of independent words, each uniform on 0 … 2^48 − 1."""


@checked
def uniform_below(bound: object, words: Words) -> int:
    """Draw an integer uniform on 0 … bound − 1, exactly.

    Words in the incomplete last run of ``bound`` are thrown away (von Neumann's rejection), so how
    many words are used depends on chance and on ``bound`` alone, never on an answer.

    Parameters
    ----------
    bound : int
        From 1 to 2^48.
    words : callable
        Another word with each call, uniform on 0 … 2^48 − 1: ``lambda: secrets.randbits(48)``.

    Raises
    ------
    InputError
        If the bound or a word is not a whole number in its range.

    >>> from askance.exact import uniform_below
    >>> stream = iter([2**48 - 1, 7])
    >>> uniform_below(10, lambda: next(stream))
    7
    """
    if type(bound) is not int or not 1 <= bound <= LARGEST_TOTAL:
        raise InputError("bound", got=bound, allowed=f"an integer in [1, {LARGEST_TOTAL}]")
    limit = LARGEST_TOTAL - LARGEST_TOTAL % bound
    word = _word(words)
    while word >= limit:
        word = _word(words)
    return word % bound


def _word(words: Words) -> int:
    word = words()
    if type(word) is not int or not 0 <= word < LARGEST_TOTAL:
        raise InputError("words", allowed="a source of whole numbers in [0, 2^48)")
    return word


def pick(weights: Sequence[int], at: int) -> int:
    """Say which weight covers the position ``at`` when they are laid end to end.

    Each is covered by as many positions as it says, a weight of nothing by none.

    >>> [pick((3, 0, 1, 2), at) for at in range(6)]
    [0, 0, 0, 2, 3, 3]
    >>> pick((3, 0, 1, 2), 6)
    Traceback (most recent call last):
    askance.errors.InputError: position: got 'past the end'; allowed: less than 6
    """
    for index, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return index
    raise InputError("position", got="past the end", allowed=f"less than {sum(weights)}")
