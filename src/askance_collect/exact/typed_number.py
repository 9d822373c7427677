"""Numbers as people type them: foreign digits, groups of three, a decimal point or comma."""

import re
from fractions import Fraction
from unicodedata import category, normalize

from askance_collect.arguments import checked

MAX_DIGITS = 15
"""The most digits of a number that a person types: a double holds as many."""

_ARABIC_DECIMAL, _ARABIC_GROUP = "\u066b", "\u066c"
_DIGITS = {zero + digit: str(digit) for zero in (0x0660, 0x06F0, 0x0966) for digit in range(10)}
_IN_ASCII = _DIGITS | {0x2212: "-"}
_UNCLEAR = re.compile(r"-?[1-9]\d{0,2}", re.ASCII)


@checked
def number_readings(typed: str, *, group: str = ",", decimal: str = ".") -> tuple[Fraction, ...]:
    """Read a typed number as its language writes it, and with the other mark if that may be meant.

    Arabic, Persian, Hindi and full-width digits are read as ASCII ones. Spaces, apostrophes and the
    language's own mark between groups of digits are passed over. A decimal point is read in every
    language. A mark for decimals before exactly three digits may be meant for thousands, as in
    "1.000" where the language writes "1,000": such a text has two readings.

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
    match = _pattern(group, decimal).fullmatch(_to_ascii(typed))
    if match is None:
        return ()
    integer, mark, point, decimals = (
        match["whole"],
        match["mark"],
        match["point"],
        match["decimals"],
    )
    bare = re.sub(r"[^\d-]", "", integer, flags=re.ASCII)
    if len(bare + (decimals or "")) > MAX_DIGITS or (point and point == mark):
        return ()
    own = Fraction(f"{bare}.{decimals or 0}")
    unclear = not mark and point and point != _ARABIC_DECIMAL and len(decimals) == 3
    if unclear and _UNCLEAR.fullmatch(bare):
        return own, Fraction(bare + decimals)
    return (own,)


def _to_ascii(typed: str) -> str:
    """Write a text with the digits and the signs of ASCII, and without marks of direction."""
    plain = "".join(sign for sign in normalize("NFKC", typed) if category(sign) != "Cf")
    return plain.translate(_IN_ASCII).strip()


def _pattern(group: str, decimal: str) -> re.Pattern[str]:
    own = "," if group == _ARABIC_GROUP else re.sub(r"[^.,]", "", group)
    marks, points = (
        re.escape(signs)
        for signs in (f" '\u2019{_ARABIC_GROUP}{own}", f".{_ARABIC_DECIMAL}{decimal}")
    )
    grouped = rf"[1-9]\d{{0,2}}(?P<mark>[{marks}])(?:\d{{2,3}}(?P=mark))*\d{{3}}"
    integer = rf"(?P<whole>[+-]?(?:{grouped}|\d+))"
    return re.compile(rf"{integer}(?:(?P<point>[{points}])(?P<decimals>\d{{1,6}}))?", re.ASCII)
