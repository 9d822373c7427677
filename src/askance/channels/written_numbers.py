"""Numbers as people write them: with marks of decimals and thousands, a currency or %."""

import re
import unicodedata
from collections.abc import Collection

MARKS = (
    (".", ""),
    (",", ""),
    (",", "."),
    (".", ","),
    (",", " "),
    (".", " "),
    (".", "'"),
    (",", "'"),
)
"""Decimal marks with marks of thousands, the commonest first."""

SPACES = re.compile(r"[\u00a0\u2009\u202f]")  # which programs write between thousands
LIKE_NUMBER = re.compile(
    r"\s*[-+\u2212]?[\d.,' \u2019\u00a0\u2009\u202f]*\d[\d.,]*([eE][-+]?\d+)?\s*"
)
MAYBE_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}(([.,])\d{3})(\2\d{3})*")
_INDIAN = re.compile(r"\d{1,2}(,\d{2})+,\d{3}")  # 12,34,567
_MINUS = str.maketrans({"\N{MINUS SIGN}": "-"})
APOSTROPHES = re.compile(r"(?<=\d)\N{RIGHT SINGLE QUOTATION MARK}(?=\d{3})")
_ADDRESS = re.compile(r"\d{1,3}(\.\d{1,3}){3}")  # of a computer, as Qualtrics exports it
_CODES = (
    "AUD|BRL|CAD|CHF|CNY|CZK|DKK|EGP|EUR|GBP|HKD|HUF|IDR|ILS|INR|JPY|KES|KRW|MXN|MYR|NGN|NOK|NZD"
    "|PHP|PLN|RON|RUB|SEK|SGD|THB|TRY|TWD|UAH|USD|VND|ZAR"
)
_CURRENCY = re.compile(rf"(?:{_CODES})(?=[\W\d])|(?<=[\W\d])(?:{_CODES})\Z")
_WITH_UNIT = re.compile(r"([-+\u2212]?\d[\d.,]*)\s+([^\W\d_]+)\s*")


def write_plainly(text: str, decimal: str, thousands: str) -> str:
    """Take marks of thousands away, and write the decimal mark as a point.

    Raises
    ------
    ValueError
        If a mark stands in the wrong place.

    >>> write_plainly("1.250,5", ",", ".")
    '1250.5'
    """
    text = text.translate(_MINUS)
    if thousands:
        text = SPACES.sub(" ", text) if thousands == " " else text
        text = APOSTROPHES.sub("'", text) if thousands == "'" else text
        whole, mark, rest = text.partition(decimal)
        parts = whole.lstrip("+-").split(thousands)
        right = len(parts[0]) <= 3 and all(len(part) == 3 for part in parts[1:])
        right = right or (thousands == "," and bool(_INDIAN.fullmatch(whole.lstrip("+-"))))
        if len(parts) > 1 and not (right and parts[0]):
            raise ValueError(text)
        text = whole.replace(thousands, "") + mark + rest
    if decimal == ".":
        return text
    if "." in text:
        raise ValueError(text)
    return text.replace(",", ".")


def parse_number(text: str, decimal: str, thousands: str) -> float:
    """Read a number; Python would pass over an underscore in it.

    Raises
    ------
    ValueError
        If it is no number by these marks.

    >>> parse_number("1 250", ".", " ")
    1250.0
    """
    if "_" in text:
        raise ValueError(text)
    return float(write_plainly(text, decimal, thousands))


def are_numbers(cells: Collection[str], decimal: str, thousands: str) -> bool:
    """Say whether all cells are numbers by these marks.

    >>> are_numbers(["1.250,5", "3"], ",", "."), are_numbers(["1,250", "3"], ".", "")
    (True, False)
    """
    try:
        for cell in cells:
            parse_number(cell, decimal, thousands)
    except ValueError:
        return False
    return True


def is_written_number(cell: str) -> bool:
    """Say whether a cell is a number as people write it: with another mark, a currency or %.

    >>> [is_written_number(cell) for cell in ("1,5", "20 €", "CHF 20", "30%", "10.0.0.1", "a 1")]
    [True, True, True, True, False, False]
    """
    bare = bare_number(cell)
    if not LIKE_NUMBER.fullmatch(bare) or _ADDRESS.fullmatch(bare):
        return False
    return any(are_numbers([bare], *marks) for marks in MARKS)


def bare_number(cell: str) -> str:
    """Take a currency, % and blanks away from the ends of a cell.

    >>> bare_number("$20"), bare_number("20 EUR"), bare_number("Yes")
    ('20', '20', 'Yes')
    """
    cell = _CURRENCY.sub("", cell)
    start, end = 0, len(cell)
    while start < end and _is_sign(cell[start]):
        start += 1
    while end > start and _is_sign(cell[end - 1]):
        end -= 1
    return cell[start:end]


def _is_sign(sign: str) -> bool:
    return sign in "%\N{PER MILLE SIGN}" or sign.isspace() or unicodedata.category(sign) == "Sc"


def find_unit(cells: Collection[str]) -> str:
    """Find the unit that follows a number in every cell; empty where they have no such unit.

    >>> find_unit(["20 kg", "30 kg"]), find_unit(["12 Monkeys", "20 kg"]), find_unit(["20 kg"])
    ('kg', '', '')
    """
    matches = [_WITH_UNIT.fullmatch(cell) for cell in cells]
    units = {match[2] for match in matches if match}
    return min(units) if len(matches) > 1 and all(matches) and len(units) == 1 else ""
