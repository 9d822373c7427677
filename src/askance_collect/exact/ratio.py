"""Exact chances: read as fractions, rounded with caution in print, held as whole numbers.

A `Table` holds chances as whole numbers over one total, exactly as a device draws from it.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any, final

from askance_collect.errors import InputError

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


def read_ratio(value: object, where: str = "ratio") -> Fraction:
    """Read a number exactly as it is written.

    Integers, fractions, decimals and the strings ``"3/5"`` and ``"0.6"`` are exact already. A float
    is read as the shortest decimal that prints it, so that ``0.6`` means three fifths and not the
    nearest double.

    Raises
    ------
    InputError
        If the value is not a finite number.

    >>> read_ratio(0.6), read_ratio("3/5"), read_ratio(Decimal("0.60"))
    (Fraction(3, 5), Fraction(3, 5), Fraction(3, 5))
    """
    if not isinstance(value, bool) and isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    written = float.__repr__(value) if isinstance(value, float) else str(value)
    readable = isinstance(value, Real | Decimal | str) and _WRITTEN.fullmatch(written.strip())
    if not readable or _OVER_ZERO.search(written.strip()):
        allowed = 'a number such as 3, 0.6 or, in quotes, a fraction "3/5"'
        remedy = next((hint for sign, hint in _SPELT.items() if sign in written), "")
        raise InputError(where, got=value, allowed=allowed, remedy=remedy)
    return Fraction(written)


def read_integer(
    value: object, where: str, allowed: str, minimum: int = 1, maximum: int | None = None
) -> int:
    """Read a whole number that is large enough, and not too large.

    Raises
    ------
    InputError
        If it is none.

    >>> read_integer(1e3, "people", "a number of people in [1, ∞)")
    1000
    """
    if isinstance(value, Integral) or (isinstance(value, float) and value.is_integer()):
        read = int(value)
        if minimum <= read and (maximum is None or read <= maximum) and not isinstance(value, bool):
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
    askance_collect.errors.InputError: chance: got '-1/3'; allowed: a probability in [0, 1]
    >>> chance(1.1)
    Traceback (most recent call last):
    askance_collect.errors.InputError: chance: got '1.1'; allowed: a probability in [0, 1]; write...
    """
    read = read_ratio(value, where)
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
    askance_collect.errors.InputError: log_up: got '0'; allowed: a positive ratio
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


def just_below(value: Fraction, tolerance: Fraction = _NEAR) -> Fraction:
    """The simplest fraction of those just below a ratio, or the ratio itself.

    At most 2^−52 of the ratio, and of what it is above 1, is given up; so a loss is used up to the
    last digit of a double. A simple fraction keeps the whole numbers of a table small. It is found
    by a walk down the Stern–Brocot tree.

    Parameters
    ----------
    value : Fraction
        1 or more.
    tolerance : Fraction
        How much may be given up.

    References
    ----------
    Graham, Knuth & Patashnik (1994), section 4.5.

    >>> just_below(Fraction(3)), just_below(Fraction("2.718281828459045"))
    (Fraction(3, 1), Fraction(212385209, 78132152))
    """
    low, high = value - min(value, value - 1) * tolerance, value
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
    quotient = _UP.divide(Decimal(value.numerator), Decimal(value.denominator))
    factor = _UP.divide(Decimal(base.denominator), Decimal(base.numerator))
    while power:
        if power & 1:
            quotient = _UP.multiply(quotient, factor)
        factor = _UP.multiply(factor, factor)
        power >>= 1
    return Fraction(quotient)


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
    """Write a chance as a count of 100 people, rounded so that it never overstates.

    >>> import math
    >>> cautious(Fraction(2, 3), math.ceil)
    '66.7'
    """
    return percent(Fraction(rounded(chance * 1000), 1000))


def written(number: Fraction) -> str:
    """Write a number exactly: as a decimal if it has an end that is read back, else as a fraction.

    >>> written(Fraction(35, 2)), written(Fraction(-3)), written(Fraction(1, 3))
    ('17.5', '-3', '1/3')
    >>> written(Fraction(1, 2**61))
    '1/2305843009213693952'
    """
    places = max(_power(number.denominator, 2), _power(number.denominator, 5))
    scaled = number * 10**places
    if scaled.denominator != 1 or places > DECIMALS:
        return str(number)
    digits = str(abs(scaled.numerator)).zfill(places + 1)
    integer_part, decimals = digits[: len(digits) - places], digits[len(digits) - places :]
    return f"{'-' if number < 0 else ''}{integer_part}{'.' if decimals else ''}{decimals}"


def _power(number: int, base: int) -> int:
    power = 0
    while number % base == 0:
        number, power = number // base, power + 1
    return power


LARGEST_TOTAL = 1 << 48
"""One draw is 48 random bits, which a browser's number holds exactly."""


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
        for row_index, row in enumerate(self.rows):
            where = f"table.rows[{row_index}]"
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
