"""Levels of privacy: losses in ε and as ratios, bounded and rounded towards caution."""

import math
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
from numbers import Real

from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.ratio import read_ratio

Names = tuple[str, str]
"""What ε and the ratio are called where they are asked for."""

NAMES: Names = ("epsilon", "ratio")

LARGEST_LOSS = 12
"""Beyond, a report all but tells the answer."""

_GUARD = Context(prec=60)  # ln and exp are rounded to the nearest digit: the next one is beyond
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
