"""What survey platforms export, as a table with a row for each person.

Told by what is in the file: Qualtrics writes two more rows below its header and marks what a
script has set, jsPsych writes a row for each trial, LimeSurvey parts of a question in brackets, in
a table or in JSON, SurveyJS results in JSON; and where numbers have a comma, cells have semicolons
between them.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from askance.engines.files import Kind, check_width, kind_of
from askance.errors import DocumentError
from askance.wire.label import keep_unchangeable
from askance.wire.spelling import members

_LIMESURVEY = {"submitdate", "startlanguage"}
_TYPE, _AT = "trial_type", "trial_index"
_OURS = "askance"  # the type of the plug-in's trials
_IMPORT = '{"ImportId"'  # how a cell of Qualtrics' third row begins
_SET = "__js_"  # before the name of what a script has set
_REPORT = {"form", "cells"}  # what SurveyJS stores of one of ours


@final
@dataclass(frozen=True, slots=True)
class Export:
    """A platform's export as a table.

    Attributes
    ----------
    header : sequence of str
    rows : sequence of sequence of str
        One for each person.
    places : sequence of str
        Where each stands in the file, as a message says it.
    forms : frozenset of str
        The fingerprints of the forms that were asked, if it says so.
    unclear : frozenset of str
        Columns that are left out: somebody has several values there.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    places: Sequence[str]
    forms: frozenset[str] = frozenset()
    unclear: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        keep_unchangeable(self, "header rows places")

    def refuse_unclear(self, wanted: Iterable[str], path: Path) -> None:
        """Make sure that columns have one value of each person.

        Raises
        ------
        DocumentError
            With the first that has several.
        """
        for name in wanted:
            if name in self.unclear:
                raise DocumentError(
                    f"{path}: column {name}",
                    got="several values in one run",
                    allowed="one of each person",
                    remedy="ask each question once in a run",
                )


def export_at(path: Path) -> Export | None:
    r"""Read what a survey platform has exported; None if it is a plain table, or something else.

    Raises
    ------
    DocumentError
        If it is one, and damaged.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     table = Path(folder, "qualtrics.csv")
    ...     _ = table.write_text('ResponseId,tea\nResponse ID,Tea?\n"{""ImportId"":""_recordId""}",'
    ...                          '"{""ImportId"":""tea""}"\nR_1,yes\n')
    ...     found = export_at(table)
    >>> found.header, found.rows, found.places
    (('ResponseId', 'tea'), (('R_1', 'yes'),), ('row 4',))
    """
    kind = kind_of(path)
    if kind is Kind.RESULTS:
        return _of_results(path)
    if kind is not Kind.TABLE:
        return None
    try:
        separator, header, third = _beginning(path)
    except (ValueError, csv.Error):
        return None  # whoever reads it as a plain table says what is wrong
    if third[:1] and third[0].startswith(_IMPORT):
        return _of_rows(path, separator, below=2)
    if {_TYPE, _AT} <= {*header}:
        return _of_trials(path, separator)
    if separator != "," or {*header} >= _LIMESURVEY:
        return _of_rows(path, separator)
    return None


def _beginning(path: Path) -> tuple[str, list[str], list[str]]:
    """Read what is between the cells, the header, and the third row."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        line = file.readline()
        header = next(csv.reader([line]), [])
        separator = ";" if len(header) == 1 and ";" in line else ","
        file.seek(0)
        rows = csv.reader(file, delimiter=separator)
        header, _, third = (next(rows, []) for _ in range(3))
    return separator, header, third


def _read(path: Path, separator: str, below: int = 0) -> tuple[list[str], list[list[str]]]:
    """Read a table that has so many rows that are no answers below its header."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header, *rows = csv.reader(file, delimiter=separator, strict=True)
    except (ValueError, csv.Error) as error:
        raise DocumentError(str(path), got=str(error), allowed="a CSV table in UTF-8") from error
    while rows and not rows[-1]:  # LimeSurvey ends with an empty line
        rows.pop()
    for number, row in enumerate(rows, start=2):
        check_width(row, header, f"{path}: row {number}")
    return header, rows[below:]


def _of_rows(path: Path, separator: str, below: int = 0) -> Export:
    """Read a row for each person: ``pay[upto]`` of LimeSurvey, ``__js_pay_upto`` of Qualtrics."""
    header, rows = _read(path, separator, below)
    if {*header} >= _LIMESURVEY and not any(map(any, rows)):
        rows = []  # where nobody has come it writes an empty row
    names = [_column(name) for name in header]
    places = [f"row {number}" for number in range(2 + below, 2 + below + len(rows))]
    return Export(names, rows, places)


def _column(name: str) -> str:
    return name.removeprefix(_SET).replace("[", "_").removesuffix("]")


def _of_trials(path: Path, separator: str) -> Export:
    """Bring the trials of each run of jsPsych into one row: what its trials agree on.

    A run begins where the trials' numbers begin again. Who left before being asked sent nothing.
    """
    header, rows = _read(path, separator)
    runs = [
        run for run in _runs(path, header, rows) if any(_is_ours(row, header) for _, row in run)
    ]
    if not runs:
        raise DocumentError(
            str(path), got=f"no trial of the type {_OURS}", allowed="at least one in the export"
        )
    cells = [[_agreed(run, header, at) for at in range(len(header))] for run in runs]
    kept = [at for at in range(len(header)) if all(row[at] is not None for row in cells)]
    return Export(
        header=[header[at] for at in kept],
        rows=[[row[at] or "" for at in kept] for row in cells],
        places=[f"rows {run[0][0]} to {run[-1][0]}" for run in runs],
        unclear=frozenset(header) - {header[at] for at in kept},
    )


_Run = list[tuple[int, list[str]]]


def _runs(path: Path, header: list[str], rows: list[list[str]]) -> Iterator[_Run]:
    at, run, last = header.index(_AT), _Run(), -1
    for number, row in enumerate(rows, start=2):
        if not row[at].isdecimal():
            where = f"{path}: row {number}, column {_AT}"
            raise DocumentError(where, got=row[at], allowed="a whole number, as jsPsych writes it")
        if int(row[at]) <= last:
            yield run
            run = []
        run.append((number, row))
        last = int(row[at])
    yield run


def _is_ours(row: list[str], header: list[str]) -> bool:
    return row[header.index(_TYPE)] == _OURS


def _agreed(run: _Run, header: list[str], at: int) -> str | None:
    """What stands in a column of a run, in trials of ours if there; None if they do not agree."""
    ours = {row[at] for _, row in run if _is_ours(row, header)} - {""}
    told = ours or {row[at] for _, row in run} - {""}
    return None if len(told) > 1 else next(iter(told), "")


def _of_results(path: Path) -> Export:
    """Read a JSON array of what SurveyJS calls a survey's data, or LimeSurvey's responses."""
    try:
        read = json.loads(path.read_text("utf-8-sig"), object_pairs_hook=members)
    except (ValueError, RecursionError) as error:
        raise DocumentError(str(path), got=str(error), allowed="results in JSON") from error
    results = read["responses"] if isinstance(read, dict) else read
    if not isinstance(results, list):
        raise DocumentError(f"{path}: responses", allowed="an array of an object for each person")
    forms: set[str] = set()
    rows = []
    for number, result in enumerate(results, start=1):
        where = f"{path}: result {number}"
        if not isinstance(result, dict):
            raise DocumentError(where, allowed="an object for each person")
        rows.append(dict(_cells(result, forms, where)))
    header = list(dict.fromkeys(name for row in rows for name in row))
    if results is not read and not any(map(any, map(dict.values, rows))):
        rows = []  # as in a table
    cells = [[row.get(name, "") for name in header] for row in rows]
    return Export(header, cells, [f"result {at + 1}" for at in range(len(rows))], frozenset(forms))


def _cells(result: Mapping[str, Any], forms: set[str], where: str) -> Iterator[tuple[str, str]]:
    """Spell one person's data by column; a report of ours brings its own columns."""
    seen: set[str] = set()
    for name, value in result.items():
        told = {_column(name): value}
        if isinstance(value, dict) and value.keys() >= _REPORT:
            told, form = value["cells"], value["form"]
            right = isinstance(told, dict) and all(isinstance(cell, str) for cell in told.values())
            if not right or not isinstance(form, str):
                allowed = '{"form": …, "cells": {…}} as it was stored'
                raise DocumentError(f"{where}, {name}", allowed=allowed)
            forms.add(form)
        for column, cell in told.items():
            if column in seen:
                raise DocumentError(where, got=f"two columns {column!r}", allowed="one each")
            seen.add(column)
            yield column, _spelt(cell)


def _spelt(value: Any) -> str:
    if isinstance(value, str) or value is None:
        return value or ""
    return str(value).upper() if isinstance(value, bool) else json.dumps(value)
