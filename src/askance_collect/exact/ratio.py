"""Exact chances and odds: read, compared by their logarithms, and written as whole numbers.

A privacy loss is said by ε, or by the ratio e^ε that no logarithm has rounded. A `Table` holds
chances as whole numbers over one total, exactly as a device draws from it.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import (
    MAX_EMAX,
    MIN_EMIN,
    ROUND_CEILING,
    ROUND_FLOOR,
    ROUND_HALF_EVEN,
    Context,
    Decimal,
)
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any, final

from askance_collect.arguments import checked, is_boolean
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
    """Say a chance as a count of 100 people that promises no more than holds.

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


Names = tuple[str, str]
"""What ε and the ratio are called where they are asked for."""

NAMES: Names = ("epsilon", "ratio")

LARGEST_LOSS = 12
"""Beyond, a report all but tells the answer."""

_MOST = 10_000  # where a bound is drawn as a curve
_LOG_DIGITS = 40
_HUGE = 10**300  # a double holds it
_FINE = 10**49  # e^ε is rounded down by less than a part of this
_DOWN = Context(prec=60, rounding=ROUND_FLOOR)
_ROUGH = Context(prec=50, rounding=ROUND_FLOOR)


@checked
def exp_down(epsilon: object) -> Fraction:
    r"""Round the exponential of a privacy loss down in its 50th digit: never more than the truth.

    It is the largest ratio :math:`e^\varepsilon` of chances that a loss :math:`\varepsilon` allows.

    Parameters
    ----------
    epsilon : number or str
        ε in [0, 10000], read exactly as it is written.

    Raises
    ------
    InputError
        If ε is not in [0, 10000].

    >>> from askance_collect.exact import exp_down
    >>> exp_down(0), float(exp_down(1))
    (Fraction(1, 1), 2.718281828459045)
    """
    exponent = read_ratio(epsilon, "epsilon")
    if not 0 <= exponent <= 10_000:
        raise InputError("epsilon", got=str(epsilon), allowed="a privacy loss in [0, 10000]")
    return max(Fraction(_ROUGH.plus(_exp_below(exponent))), Fraction(1))


def _exp_below(exponent: Fraction) -> Decimal:
    below = _DOWN.divide(Decimal(exponent.numerator), Decimal(exponent.denominator))
    return _GUARD.exp(below).next_minus(_GUARD)


def loss_bound(
    epsilon: object = None,
    ratio: object = None,
    *,
    names: Names = NAMES,
    instead: str = "",
) -> Fraction:
    """Read a bound on a privacy loss as a ratio: e^ε rounded down in the 50th digit, or as given.

    Parameters
    ----------
    epsilon : number, optional
        ε in (0, 12].
    ratio : number, optional
        e^ε in (1, e^12], exactly.
    names : pair of str
        What the two are called where they are asked for.
    instead : str
        What to do where the bound is too large to be one.

    Raises
    ------
    InputError
        If not exactly one is given, or it is outside its range.

    >>> loss_bound(ratio="3"), float(loss_bound(1))
    (Fraction(3, 1), 2.718281828459045)
    """
    by_ratio = _is_by_ratio(epsilon, ratio, names)
    read = read_ratio(ratio if by_ratio else epsilon, names[by_ratio])
    bound = read if by_ratio else exp_down(read) if 0 <= read <= LARGEST_LOSS else Fraction(0)
    if not 1 < bound <= exp_down(LARGEST_LOSS):
        small = read <= (1 if by_ratio else 0)
        limits = f"(1, e^{LARGEST_LOSS}]" if by_ratio else f"(0, {LARGEST_LOSS}]"
        raise InputError(
            names[by_ratio],
            got=str(ratio if by_ratio else epsilon),
            allowed=f"{'the ratio e^ε of ' if by_ratio else ''}a privacy loss in {limits}",
            remedy=f"at {int(by_ratio)} no report says anything" if small else instead,
        )
    return bound


def loss_within(
    value: Fraction | float,
    epsilon: object = None,
    ratio: object = None,
    *,
    names: Names = NAMES,
) -> bool:
    """Say whether a loss with this ratio is at most ε.

    A ratio, and an ε that is an integer, a fraction, a decimal or a string, are compared exactly. A
    float is a logarithm that was rounded to a double: the loss keeps to it if its own logarithm,
    rounded to the nearest double, does. So ``math.log(6)`` is what a ratio of 6 keeps to.

    Raises
    ------
    InputError
        If not exactly one is given, or it is neither in [0, 10000], or [1, e^10000] for a ratio,
        nor infinite.

    >>> loss_within(Fraction(6), math.log(6)), loss_within(Fraction(6), str(math.log(6)))
    (True, False)
    >>> loss_within(Fraction(6), ratio=6), loss_within(Fraction(6), 2)
    (True, True)
    """
    by_ratio = _is_by_ratio(epsilon, ratio, names)
    bound = ratio if by_ratio else epsilon
    if isinstance(bound, Real) and bound == math.inf:
        return True
    read = _read_bound(bound, by_ratio, names)
    if value == math.inf:
        return False
    exact = Fraction(value)
    if by_ratio:
        return exact <= read
    if isinstance(bound, float):
        return log_nearest(exact) <= bound
    return exact == 1 or _log_below(exact, read)


def loss_nearest(epsilon: object = None, ratio: object = None, *, names: Names = NAMES) -> float:
    """Read a privacy loss in double precision, for what is computed in doubles.

    Raises
    ------
    InputError
        If not exactly one is given, or it is no number, or no positive one for a ratio.

    >>> loss_nearest(ratio="6"), loss_nearest("1/2"), loss_nearest(-1)
    (1.791759469228055, 0.5, -1.0)
    """
    by_ratio = _is_by_ratio(epsilon, ratio, names)
    bound = ratio if by_ratio else epsilon
    if isinstance(bound, float) and math.isinf(bound) and (bound > 0 or not by_ratio):
        return bound
    read = read_ratio(bound, names[by_ratio])
    if by_ratio and read <= 0:
        allowed = "the ratio e^ε of a privacy loss, above 0"
        raise InputError(names[by_ratio], got=str(bound), allowed=allowed)
    if by_ratio:
        return log_nearest(read)
    return float(read)


def log_double(value: Fraction) -> float:
    """The natural logarithm of a positive ratio in double precision, up to rounding.

    >>> log_double(Fraction(6)), log_double(1 + Fraction(1, 10**12))
    (1.791759469228055, 9.999999999995e-13)
    """
    if Fraction(1, 2) < value < 2:
        return math.log1p(value - 1)
    return math.log(value) if 1 / _HUGE < value < _HUGE else log_nearest(value)


def log_nearest(value: Fraction) -> float:
    """The natural logarithm of a positive ratio, as the nearest double.

    >>> log_nearest(Fraction(6)) == math.log(6), log_nearest(1 + Fraction(1, 10**30))
    (True, 1e-30)
    """
    if value <= 0:
        raise InputError("log_nearest", got=str(value), allowed="a positive ratio")
    digits = _LOG_DIGITS
    while value != 1:
        low, high = _log_between(value, digits)
        if float(low) == float(high):
            return float(low)
        digits *= 2
    return 0.0


def loss_reach(epsilon: object = None, ratio: object = None) -> Fraction | float:
    """Read a privacy loss as the largest ratio that keeps to it, rounded up; or infinity.

    A float stands for all logarithms that round to it, as in `loss_within`.

    Parameters
    ----------
    epsilon : number, optional
        ε in [0, 10000], or infinite.
    ratio : number, optional
        e^ε in [1, e^10000], exactly, or infinite.

    Raises
    ------
    InputError
        If not exactly one is given, or it is outside its range.

    >>> loss_reach(ratio="6"), loss_reach(math.log(6)) > 6 > loss_reach(str(math.log(6)))
    (Fraction(6, 1), True)
    """
    by_ratio = _is_by_ratio(epsilon, ratio, NAMES)
    bound = ratio if by_ratio else epsilon
    if isinstance(bound, Real) and bound == math.inf:
        return math.inf
    read = _read_bound(bound, by_ratio, NAMES)
    if by_ratio:
        return read
    if not read:
        return Fraction(1)
    half = Fraction(0)
    if isinstance(bound, float):
        read, half = Fraction(bound), Fraction(math.ulp(bound)) / 2
    above = exp_down(read) * (1 + Fraction(1, _FINE)) * (1 + half + half**2)
    return Fraction(math.ceil(above * _FINE), _FINE)


def log_down(value: Fraction) -> Fraction:
    """The natural logarithm of a ratio above 1, rounded down to 15 digits.

    >>> log_down(Fraction(9))
    Fraction(219722457733621, 100000000000000)
    """
    low, _ = _log_between(value, _LOG_DIGITS)
    return Fraction(Context(prec=15, rounding=ROUND_FLOOR).plus(low))


def _is_by_ratio(epsilon: object, ratio: object, names: Names) -> bool:
    if (epsilon is None) == (ratio is None):
        loss, power = (name.rpartition(".")[2] for name in names)
        raise InputError(
            names[0],
            got="no bound" if ratio is None else f"{loss} and {power}",
            allowed=f"{loss} = ε, or {power} = e^ε",
            remedy=f"a loss ε of ln 3 is {power}=3",
        )
    return epsilon is None


def _read_bound(bound: object, by_ratio: bool, names: Names) -> Fraction:
    read = read_ratio(bound, names[by_ratio])
    least, most = (Fraction(1), exp_down(_MOST)) if by_ratio else (Fraction(0), Fraction(_MOST))
    if not least <= read <= most:
        loss = f"a privacy loss in [0, {_MOST}], or infinite"
        allowed = f"the ratio e^ε of {loss}" if by_ratio else loss
        raise InputError(names[by_ratio], got=str(bound), allowed=allowed)
    return read


def _log_below(value: Fraction, epsilon: Fraction) -> bool:
    """Compare exactly: a logarithm of a fraction other than one is never a fraction."""
    digits = _LOG_DIGITS
    while True:
        low, high = (Fraction(end) for end in _log_between(value, digits))
        if high <= epsilon or low >= epsilon:
            return high <= epsilon
        digits *= 2


def _log_between(value: Fraction, digits: int) -> tuple[Decimal, Decimal]:
    """Bound a logarithm from both sides."""
    near, down, up = (
        Context(prec=digits, rounding=rounding, Emax=MAX_EMAX, Emin=MIN_EMIN)
        for rounding in (ROUND_HALF_EVEN, ROUND_FLOOR, ROUND_CEILING)
    )
    parts = Decimal(value.numerator), Decimal(value.denominator)
    low, high = down.divide(*parts), up.divide(*parts)
    return near.ln(low).next_minus(near), near.ln(high).next_plus(near)


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
