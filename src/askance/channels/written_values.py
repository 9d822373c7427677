"""Values as people write them: numbers with their marks, and texts that look like other values."""

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from askance.results import is_missing
from askance_collect.errors import InputError

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
        integer, mark, rest = text.partition(decimal)
        parts = integer.lstrip("+-").split(thousands)
        right = len(parts[0]) <= 3 and all(len(part) == 3 for part in parts[1:])
        right = right or (thousands == "," and bool(_INDIAN.fullmatch(integer.lstrip("+-"))))
        if len(parts) > 1 and not (right and parts[0]):
            raise ValueError(text)
        text = integer.replace(thousands, "") + mark + rest
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


def written_forms(cell: Any) -> tuple[str, ...]:
    """Write a cell as people type it: 1.0, as Parquet has a 1 in a column with blanks, is 1.

    >>> written_forms("1"), written_forms(1.0), written_forms(True)
    (('1',), ('1.0', '1'), ('true', 'True', 'TRUE'))
    """
    if isinstance(cell, bool):
        return json.dumps(cell), str(cell), str(cell).upper()
    text = json.dumps(cell) if isinstance(cell, int | float) else str(cell)
    short = text.removesuffix(".0")
    return (text, short) if short.lstrip("-").isdecimal() and short != text else (text,)


def refuse_truth_as_number(
    group: tuple[Any, ...], other: tuple[Any, ...], where: str = "tally.by"
) -> None:
    """Refuse two groups that are equal, one by a truth value and one by a number.

    >>> refuse_truth_as_number((1, "a"), (1.0, "a"))
    """
    for cell, same in zip(group, other, strict=True):
        if isinstance(cell, bool) is not isinstance(same, bool):
            raise InputError(
                where,
                got=f"{cell!r} and {same!r} in one column",
                allowed="truth values alone, or numbers alone",
            )


def refuse_truths_among_numbers(cells: Sequence[Any], where: str = "tally.by") -> None:
    """Refuse a column that holds a truth value and the number that equals it.

    >>> refuse_truths_among_numbers([True, 2, None, "1"])
    """
    if bool not in {*map(type, cells)}:
        return
    numbers = {cell: cell for cell in cells if type(cell) in (int, float)}
    for cell in cells:
        if isinstance(cell, bool) and cell in numbers:
            refuse_truth_as_number((cell,), (numbers[cell],), where)


def refuse_alike_kinds(cells: Iterable[Any], where: str) -> None:
    """Refuse bytes as groups, and a text that is written like another group's number or date.

    Raises
    ------
    InputError
        With both.

    >>> refuse_alike_kinds(["1", 2, True, None], "tally.by")
    """
    distinct = {*cells}
    if wrong := [cell for cell in distinct if isinstance(cell, bytes)]:
        raise InputError(
            where,
            got=f"the bytes {min(wrong)!r}",
            allowed="texts, numbers or dates",
            remedy='decode them: data["group"].str.decode("utf-8")',
        )
    for cell, text in find_alike_kinds(distinct):
        raise InputError(
            where,
            got=f"{cell!r} and the text {text!r}, which look alike",
            allowed="texts alone, or numbers alone",
            remedy="in a --reading of JSON Lines, kind = "
            '"name" takes them as one name, kind = "number" as one number',
        )


def find_alike_kinds(cells: Iterable[Any]) -> list[tuple[Any, str]]:
    """Find values with the texts that are written like them.

    >>> find_alike_kinds([1, "1", 2.0, "2", 3, "a"])
    [(1, '1'), (2.0, '2')]
    """
    distinct = [cell for cell in dict.fromkeys(cells) if not is_missing(cell)]
    texts = {cell for cell in distinct if isinstance(cell, str)}
    if not texts:
        return []
    return [
        (cell, min(twins))
        for cell in distinct
        if not isinstance(cell, str) and (twins := texts & {*written_forms(cell)})
    ]
