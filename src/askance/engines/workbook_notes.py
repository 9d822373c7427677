"""Notes on the cells of a sheet: numbers that are text, dates among texts, merged cells."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from askance.channels.written_values import MAYBE_THOUSANDS, is_written_number
from askance.results import counted

_LISTED = 5  # rows in a note
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\b[^>]*\bref="([A-Z]+\d+:[A-Z]+\d+)"')
_LAST_ROW = re.compile(rb"\d+")
_SPANNED = re.compile(rb'number-(?:rows|columns)-spanned="(?:[2-9]|\d\d+)"')


def describe_cells(rows: Sequence[Sequence[Any]]) -> tuple[str, ...]:
    """Say of columns which numbers are texts, and which texts may have become dates.

    Parameters
    ----------
    rows : sequence of sequence of object
        All rows of a sheet; the first that is not empty is its header.

    >>> describe_cells([["age", "band"], [31, "1-2"], ["40", date(2026, 6, 3)]])[0]
    "has 1 number that is stored as text in column 'age', read as a number: row 3"
    """
    header = find_header(rows)
    notes = []
    for column, name in enumerate(rows[header - 1] if rows else ()):
        cells = ((i, row[column]) for i, row in enumerate(rows, start=1) if i > header)
        below = [(number, cell) for number, cell in cells if _is_filled(cell)]
        texts = [number for number, cell in below if isinstance(cell, str)]
        as_text = [number for number, cell in below if isinstance(cell, str) and _is_number(cell)]
        dates = [number for number, cell in below if isinstance(cell, date)]
        if as_text and len(as_text) == len(texts) < len(below) and not dates:
            number = counted(len(as_text), "number that is", "numbers that are")
            notes.append(
                f"has {number} stored as text in column {str(name)!r}, read as "
                f"{'numbers' if len(as_text) > 1 else 'a number'}: {_list_rows(as_text)}"
            )
        marked = [cell for _, cell in below if isinstance(cell, str) and {".", ","} & {*cell}]
        if marked and all(map(MAYBE_THOUSANDS.fullmatch, marked)):
            notes.append(
                f"has the text {marked[0]!r} in column {str(name)!r}, which may be two numbers: "
                f"--decimal {'.' if '.' in marked[0] else ','} or --thousands "
                f"{'.' if '.' in marked[0] else ','} says which"
            )
        if dates and texts and len(texts) > len(as_text):
            notes.append(
                f"has {counted(len(dates), 'date')} among the texts of column {str(name)!r}: "
                f"{_list_rows(dates)}; a program may have made 3-6 a date"
            )
    return tuple(notes)


def describe_merged(content: bytes, header: int) -> tuple[str, ...]:
    """Note merged cells below the header of a sheet, of which only the first has a value.

    >>> describe_merged(b'<mergeCell ref="A1:B1"/><mergeCell ref="B2:B4"/>', header=1)
    ('has merged cells, whose value only the first of them holds: B2:B4',)
    """
    merged = [
        reference.decode()
        for reference in _MERGED.findall(content)
        if int(_LAST_ROW.findall(reference)[-1]) > header
    ]
    if not merged and not _SPANNED.search(content):
        return ()
    listed = f": {', '.join(merged[:_LISTED])}" if merged else ""
    more = ", …" if len(merged) > _LISTED else ""
    return (f"has merged cells, whose value only the first of them holds{listed}{more}",)


def find_header(rows: Sequence[Sequence[Any]]) -> int:
    """Number the row of the header, the first that is not empty.

    >>> find_header([["", ""], ["said", "age"]])
    2
    """
    return next((i for i, row in enumerate(rows, start=1) if any(map(_is_filled, row))), 1)


def _is_filled(cell: Any) -> bool:
    return cell is not None and cell != ""


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return is_written_number(text)


def _list_rows(numbers: Sequence[int]) -> str:
    listed = ", ".join(map(str, numbers[:_LISTED])) + (", …" if len(numbers) > _LISTED else "")
    return f"{'row' if len(numbers) == 1 else 'rows'} {listed}"
