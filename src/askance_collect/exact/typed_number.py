"""Numbers as people type them: digits of any script, groups of three, a decimal point or comma."""

import re
from fractions import Fraction
from unicodedata import category, normalize
from unicodedata import decimal as digit_of

from askance_collect.arguments import checked
from askance_collect.exact.line import Line

MAX_DIGITS = 15
"""The most digits of a number that a person types: a double holds as many."""

_ARABIC_DECIMAL, _ARABIC_GROUP = "\u066b", "\u066c"
_APOSTROPHES = "'\u02bc\u2018\u2019"
_STROKES = dict.fromkeys((*range(0x2010, 0x2016), 0x2212), "-")
_UNCLEAR = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}", re.ASCII)


@checked
def number_readings(typed: str, *, group: str = ",", decimal: str = ".") -> tuple[Fraction, ...]:
    """Read a typed number as its language writes it, and with the other mark if that may be meant.

    Decimal digits of every script are read as ASCII ones. Spaces, apostrophes and the language's
    own mark between groups of digits are passed over. A decimal point is read in every language. A
    mark for decimals before exactly three digits may be meant for thousands, as in "1.000" where
    the language writes "1,000": such a text has two readings.

    Parameters
    ----------
    typed : str
    group, decimal : str
        The marks of the language: ``","`` and ``"."`` in "12,345.5".

    Returns
    -------
    tuple of Fraction
        Nothing if the text is no number, one reading, or two: as the language has it, and with the
        mark taken for thousands.

    >>> number_readings("12,345.5"), number_readings("1.000")
    ((Fraction(24691, 2),), (Fraction(1, 1), Fraction(1000, 1)))
    >>> number_readings("1.000", group=".", decimal=","), number_readings("a dozen")
    ((Fraction(1000, 1),), ())
    """
    plain = in_ascii(typed).strip()
    match = _pattern(group, decimal).fullmatch(plain)
    if match is None:
        return ()
    integer = re.sub(r"[^\d-]", "", match["integer"], flags=re.ASCII)
    decimals = match["decimals"] or ""
    repeated = match["mark"] is not None and match["mark"] == match["point"]
    if repeated or len(integer.lstrip("-") + decimals) > MAX_DIGITS:
        return ()
    own = Fraction(f"{integer}.{decimals or 0}")
    if match["mark"] is None and _UNCLEAR.fullmatch(plain):
        return own, Fraction(integer + decimals)
    return (own,)


@checked
def numbers_on_line(
    typed: str, line: Line, *, group: str = ",", decimal: str = "."
) -> tuple[Fraction, ...]:
    """Read a typed number that has to be a tick of a line: one, or two if it can mean two numbers.

    A mark that could separate thousands gives two numbers even if only one of them is a tick:
    whoever types "1.000" can mean a thousand, whether or not the line has a place for it. The
    smaller one is taken by itself only if the line goes by thousandths, where people write three
    decimals.

    Parameters
    ----------
    typed : str
    line : Line
    group, decimal : str
        The marks of the language, as in `number_readings`.

    Returns
    -------
    tuple of Fraction
        Nothing if no reading is a tick, the number, or the two that it can mean.

    >>> hours, weight = Line(0, 24, "0.5", "hours"), Line(0, 10, "0.001", "kg")
    >>> numbers_on_line("7.5", hours), numbers_on_line("1.000", hours)
    ((Fraction(15, 2),), (Fraction(1, 1), Fraction(1000, 1)))
    >>> numbers_on_line("1.250", weight), numbers_on_line("25", hours)
    ((Fraction(5, 4),), ())
    """
    readings = number_readings(typed, group=group, decimal=decimal)
    ticks = tuple(number for number in readings if _is_tick(line, number))
    if len(readings) < 2 or not ticks:
        return ticks
    return ticks if ticks == readings[:1] and _has_thousandths(line) else readings


@checked
def in_ascii(typed: str) -> str:
    r"""Write a text with digits, spaces and strokes of ASCII, and without marks that nobody sees.

    The digits of every script become ASCII ones. A power or a fraction, as in "5²" and "5½", is no
    further digit, and becomes a question mark.

    Parameters
    ----------
    typed : str

    >>> in_ascii("\u0661\u0662 \u2212 \uff13"), in_ascii("5\u00b2")
    ('12 - 3', '5?')
    """
    plain = normalize("NFKC", "".join("?" if category(sign) == "No" else sign for sign in typed))
    visible = (sign for sign in plain if category(sign) != "Cf")
    return "".join(str(digit_of(sign, sign)) for sign in visible).translate(_STROKES)


def _is_tick(line: Line, number: Fraction) -> bool:
    steps = (number - line.value_at(0)) / line.step
    return steps.denominator == 1 and line.spacing <= steps <= line.ticks


def _has_thousandths(line: Line) -> bool:
    return (1000 * line.step).denominator == 1 and (100 * line.step).denominator != 1


def _pattern(group: str, decimal: str) -> re.Pattern[str]:
    own = "," if group == _ARABIC_GROUP else re.sub(r"[^.,]", "", group)
    marks, points = (
        re.escape(signs)
        for signs in (f" {_APOSTROPHES}{_ARABIC_GROUP}{own}", f".{_ARABIC_DECIMAL}{decimal}")
    )
    grouped = rf"[1-9]\d{{0,2}}(?P<mark>[{marks}])(?:\d{{2,3}}(?P=mark))*\d{{3}}"
    integer = rf"(?P<integer>[+-]?(?:{grouped}|\d+|(?=[{points}]\d)))"
    return re.compile(rf"{integer}(?:(?P<point>[{points}])(?P<decimals>\d{{1,6}}))?", re.ASCII)
