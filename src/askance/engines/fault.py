"""Find the first row of a damaged or foreign file that could not have been exported."""

import csv
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from askance.collect.columns import columns, unspell
from askance.errors import DocumentError, InputError, ReportRefused, nearest
from askance.wire.form import Form
from askance.wire.question import Value
from askance.wire.report import read_values


def find_columns(
    header: Sequence[str], wanted: Mapping[str, tuple[str, ...]], where: str
) -> dict[str, tuple[int, ...]]:
    """Say where each question's columns stand in a table.

    Raises
    ------
    DocumentError
        If a column is missing or stands there twice.

    >>> find_columns(["respondent", "tea"], {"tea": ("tea",)}, "tea.csv")
    {'tea': (1,)}
    """
    for name in (name for names in wanted.values() for name in names):
        if header.count(name) != 1:
            raise DocumentError(
                f"{where}: row 1",
                got=f"{header.count(name) or 'no'} columns named {name!r}",
                allowed="exactly one column for each question, or two for a range",
                remedy=_column_remedy(name, header),
            )
    return {
        question: tuple(header.index(name) for name in names) for question, names in wanted.items()
    }


def _column_remedy(name: str, header: Sequence[str]) -> str:
    if len(header) == 1 and name in re.split("[;\t|]", header[0]):
        return "put commas between the cells, and points into numbers"
    near = nearest(name, [other for other in header if other != name])
    return near or "give the column in the table the name of the question in the survey file"


def check_width(row: Sequence[str], header: Sequence[str], where: str) -> None:
    """Refuse a row that has not as many cells as the header."""
    if len(row) != len(header):
        raise DocumentError(where, got=f"{len(row)} cells", allowed=f"{len(header)} cells")


def read_row(
    row: Sequence[str], places: Mapping[str, tuple[int, ...]], form: Form, where: str
) -> dict[str, Value]:
    """Read the values in a row of a table; a refusal names the column and does not repeat the cell.

    Raises
    ------
    DocumentError
        If there is something that no respondent can have sent.
    """
    values = {}
    for question in form.questions:
        try:
            values[question.name] = unspell(question, [row[at] for at in places[question.name]])
        except InputError as error:
            named = columns(form)[question.name]
            if len(named) == 1:
                place, empty = f"column {named[0]}", "an empty cell for a blank"
            else:
                place, empty = f"columns {' and '.join(named)}", "an empty cell for an open end"
            allowed = f"{error.allowed}; or {empty}"
            raise DocumentError(f"{where}, {place}", allowed=allowed) from None
    return values


def blame_csv(path: Path, form: Form) -> None:
    """Raise for the first row of a table that is wrong, if there is one; the cell is not repeated.

    Raises
    ------
    DocumentError
        With row and column. Row 1 is the header.
    """
    where = f"{path}: row 1"
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file, strict=True)
            header = next(rows, [])
            places = find_columns(header, columns(form), str(path))
            for number, row in enumerate(rows, start=2):
                where = f"{path}: row {number}"
                check_width(row, header, where)
                read_row(row, places, form, where)
    except (csv.Error, UnicodeDecodeError) as error:
        raise DocumentError(where, got=str(error), allowed="a CSV table in UTF-8") from error


def blame_jsonl(path: Path, form: Form) -> None:
    """Raise for the first line of a file that is wrong, if there is one; it is not repeated.

    Raises
    ------
    DocumentError
        With line and question.
    """
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            where = f"{path}: line {number}"
            try:
                values = json.loads(line)
                if not isinstance(values, dict):
                    raise TypeError
                read_values(values, form)
            except ReportRefused as error:
                raise DocumentError(f"{where}: {error.where}", allowed=error.allowed) from None
            except (ValueError, TypeError, RecursionError):
                raise DocumentError(where, allowed="one JSON object on each line") from None
