"""Source files of reports: which files a path names, their kind, and tables of text.

What a survey platform exports is brought into a row for each person, by what is in the file.
"""

import atexit
import gzip
import json
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, final

from askance.engines.labelled_files import ENDINGS
from askance.engines.reading import (
    AUTOMATIC,
    PLAIN,
    TableReading,
    TextFormat,
    decide_format,
    format_of_texts,
    open_rows,
)
from askance.engines.table_notes import warn_of_table
from askance.results import counted, is_missing
from askance_collect.errors import DocumentError
from askance_collect.wire.canonical_json import read_json, unguard_formula
from askance_collect.wire.form_schema import keep_unchangeable

_SQLITE = b"SQLite format 3\x00"
_BEGINNING = 64  # bytes that tell of which kind a file is
_RESULTS = re.compile(rb'(\xef\xbb\xbf)?\s*(\[|\{\s*"responses")')
"""How JSON begins that has an object for each person: SurveyJS's data, or LimeSurvey's."""


@final
class Kind(Enum):
    """How reports are kept."""

    STORE = "a collector's database"
    TABLE = ".csv, .tsv or .txt"
    LINES = ".jsonl or .ndjson"
    PARQUET = ".parquet"
    LABELLED = ".sav, .zsav or .dta"
    COUNTED = ".json"
    RESULTS = ".json with an array of results"
    WORKBOOK = ".xlsx or .ods"


_KINDS = {
    ".csv": Kind.TABLE,
    ".tsv": Kind.TABLE,
    ".txt": Kind.TABLE,
    ".jsonl": Kind.LINES,
    ".ndjson": Kind.LINES,
    ".parquet": Kind.PARQUET,
    ".json": Kind.COUNTED,
    ".xlsx": Kind.WORKBOOK,
    ".ods": Kind.WORKBOOK,
    **dict.fromkeys(ENDINGS, Kind.LABELLED),
}
_COMPRESSED = (Kind.TABLE, Kind.LINES)
_REMEDIES = {
    **dict.fromkeys((".xls", ".xlsb", ".xlsm", ".numbers"), "save it as .xlsx"),
    **dict.fromkeys((".zip", ".7z", ".tar", ".bz2", ".xz", ".zst"), "unpack it"),
    **dict.fromkeys((".rds", ".rda", ".rdata"), "in R: haven::write_sav(data, 'data.sav')"),
    **dict.fromkeys((".por", ".sas7bdat", ".xpt"), "save it as .sav, .dta or .csv"),
}
"""What to do with files of other kinds."""


def kind_of(source: str | Path) -> Kind:
    """Say how reports are kept at a path or URL: a database by what is in it, a file by its name.

    Raises
    ------
    DocumentError
        If there is no such file, or it is of none of these kinds.

    >>> kind_of("postgresql://localhost/survey")
    <Kind.STORE: "a collector's database">
    """
    if "://" in str(source):
        return Kind.STORE
    path = Path(source)
    if not path.is_file():
        raise DocumentError(str(path), got="no such file", allowed="a file of reports")
    with path.open("rb") as file:
        begins = file.read(_BEGINNING)
    if begins.startswith(_SQLITE):
        return Kind.STORE
    is_compressed = path.suffix.lower() == ".gz"
    kind = _KINDS.get(Path(path.stem if is_compressed else path.name).suffix.lower())
    if kind is None or (is_compressed and kind not in _COMPRESSED):
        raise DocumentError(
            str(path),
            got=f"a file that ends in {''.join(path.suffixes[-1 - is_compressed :])!r}",
            allowed=f"{', '.join(kind.value for kind in Kind)}; a text may be compressed, .csv.gz",
            remedy=_REMEDIES.get(path.suffix.lower(), ""),
        )
    return Kind.RESULTS if kind is Kind.COUNTED and _RESULTS.match(begins) else kind


def files_at(source: str | Path) -> tuple[list[Path], Kind]:
    """List the files at a path, in a folder or that match a pattern, with the kind of all of them.

    In a folder, what begins with a dot or an underscore is passed over, as engines that write
    folders expect.

    Raises
    ------
    DocumentError
        If there is none, or they are of several kinds.

    >>> files_at("examples/affairs-*.csv")
    ([PosixPath('examples/affairs-answers.csv')], <Kind.TABLE: '.csv, .tsv or .txt'>)
    """
    path = Path(source)
    if "://" in str(source) or path.is_file():
        return [path], kind_of(source)
    files: list[Path] = []
    with suppress(ValueError):  # of what is no pattern
        if path.is_dir() and str(source):
            files = [file for file in path.rglob("*") if _is_data(file, path)]
        elif str(source):
            files = list(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
    files = sorted(file for file in files if file.is_file())
    if not files:
        raise DocumentError(
            str(source) or "source",
            got="no such file",
            allowed="a file, a folder or a pattern of files",
            remedy="" if path.suffix or path.is_dir() else "reports themselves are given as a list",
        )
    kinds = {kind_of(file): file for file in files}
    if len(kinds) > 1 or (Kind.STORE in kinds and len(files) > 1):
        raise DocumentError(
            str(source),
            got=", ".join(sorted(file.name for file in kinds.values())),
            allowed="files of one kind: Parquet, CSV, JSON Lines, SPSS or Stata",
        )
    return files, next(iter(kinds))


def _is_data(path: Path, folder: Path) -> bool:
    parts = path.relative_to(folder).parts
    return not any(part.startswith((".", "_")) for part in parts)


def escape_pattern(path: Path) -> str:
    """Name this one file, not those that its name would match as a pattern."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in str(path))


def spool_standard_input() -> Path:
    """Keep what comes through a pipe in a file for as long as the program runs.

    Its kind is decided by how it begins: Parquet, a workbook, JSON Lines, results in JSON, or else
    a table of text.
    """
    folder = TemporaryDirectory(prefix=_SPOOL)
    atexit.register(folder.cleanup)
    path = Path(folder.name, "stdin")
    with path.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    with path.open("rb") as file:
        begins = file.read(_BEGINNING)
    compressed = begins.startswith(b"\x1f\x8b")
    if compressed:
        with gzip.open(path) as file:
            begins = file.read(_BEGINNING)
    ends = ".csv"
    if begins.startswith(b"PAR1"):
        ends = ".parquet"
    elif begins.startswith(b"PK\x03\x04"):
        ends = ".ods" if b"mimetype" in begins else ".xlsx"
    elif re.match(rb'(\xef\xbb\xbf)?[ \t]*\{[ \t]*"', begins) and not _RESULTS.match(begins):
        ends = ".jsonl"
    elif begins.lstrip().startswith((b"{", b"[")):
        ends = ".json"
    return path.rename(path.with_name(f"stdin{ends}{'.gz' * compressed}"))


_SPOOL = "askance-pipe-"
_SPOOLED = re.compile(rf"\S*[/\\]{_SPOOL}[^/\\\s]+[/\\]stdin(\.[a-z]+)*")


def name_standard_input(text: object) -> str:
    """Name standard input in a text that names the file in which it is kept.

    >>> name_standard_input("t/askance-pipe-x1/stdin.csv: row 2"), name_standard_input("a.csv")
    ('stdin: row 2', 'a.csv')
    """
    return _SPOOLED.sub("stdin", str(text))


def is_handed_over(source: str | Path) -> bool:
    """Say whether a file holds columns as another program hands them over, which are not text.

    >>> is_handed_over("people.columns"), is_handed_over("people.csv")
    (True, False)
    """
    return str(source).endswith(".columns")


_LIMESURVEY = {"submitdate", "startlanguage"}
_REDCAP = {"redcap_event_name", "redcap_repeat_instrument"}
_STATUS, _RESPONSE = "Status", "ResponseId"  # of Qualtrics
_PREVIEWS = {"Survey Preview", "Survey Test", "Survey Preview Spam", "Offline Survey Preview"}
_PREVIEWS |= {"Preview Spam", "Offline Preview", "1", "2", "9", "17"}
_SPAM = {"Spam", "Possible Spam", "Imported Spam", "8", "12"}
"""What nobody has answered, and what Qualtrics takes for spam, in words or in numbers."""
_TYPE, _TRIAL_INDEX = "trial_type", "trial_index"
_OURS = "askance"  # the type of the plug-in's trials
_IMPORT = '{"ImportId"'  # how a cell of Qualtrics' third row begins
_SET = "__js_"  # before the name of what a script has set
_REPORT = {"form", "cells"}  # what SurveyJS stores of one of ours


@final
@dataclass(frozen=True, slots=True)
class TextTable:
    """A table as text, with a row for each person.

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
    form : TextFormat
        How its numbers are written.
    is_guarded : bool
        Whether an apostrophe before a cell guards a formula.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    places: Sequence[str]
    forms: frozenset[str] = frozenset()
    unclear: frozenset[str] = frozenset()
    form: TextFormat = PLAIN
    is_guarded: bool = True

    def __post_init__(self) -> None:
        keep_unchangeable(self, "header rows places")

    @property
    def numbers(self) -> list[int]:
        """The number of each row in its file; of several rows of a person the first."""
        return [int(place.split()[1]) for place in self.places]

    def cells(self, position: int) -> list[str]:
        """List the cells of a column, without apostrophes that guard formulas."""
        if not self.is_guarded:
            return [row[position] for row in self.rows]
        return [unguard_formula(row[position]) for row in self.rows]

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
                    got="several values of one person",
                    allowed="one of each person",
                    remedy="ask each question once in a run, or at one event",
                )


def export_at(path: Path, reading: TableReading = AUTOMATIC) -> TextTable | None:
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
    ...     export = export_at(table)
    >>> export.header, export.rows, export.places
    (('ResponseId', 'tea'), (('R_1', 'yes'),), ('row 4',))
    """
    kind = kind_of(path)
    if kind is Kind.RESULTS:
        return _of_results(path, format_of_texts(reading))
    if kind is not Kind.TABLE:
        return None
    form = decide_format(path, reading)
    try:
        with open_rows(path, form) as rows:
            beginning = [row for _, row in islice(rows, 3)]
    except DocumentError:
        return None  # whoever reads it as a plain table says what is wrong
    header, third = beginning[0] if beginning else [], beginning[2:]
    if third and third[0][0].startswith(_IMPORT):
        return _of_rows(path, form, below=2)
    ours = {*header} & _REDCAP or {*header} >= _LIMESURVEY or {*header} >= {_TYPE, _TRIAL_INDEX}
    return _of_rows(path, form) if ours else None


def plain_text_table(path: Path, reading: TableReading = AUTOMATIC) -> TextTable:
    """Read a table of text that no platform has exported.

    Raises
    ------
    DocumentError
        With the first row that is wrong.
    """
    form = decide_format(path, reading)
    header, numbered = _read(path, form)
    rows, places = [row for _, row in numbered], [f"row {number}" for number, _ in numbered]
    return TextTable(header, rows, places, form=form)


def _read(path: Path, form: TextFormat, below: int = 0) -> "tuple[list[str], _Run]":
    """Read a table that has so many rows that are no answers below its header."""
    with open_rows(path, form) as rows:
        (_, header), *numbered = [*rows] or [(1, list[str]())]
    return header, numbered[below:]


def _of_rows(path: Path, form: TextFormat, below: int = 0) -> TextTable:
    """Read a row for each person: ``pay[upto]`` of LimeSurvey, ``__js_pay_upto`` of Qualtrics."""
    header, numbered = _read(path, form, below)
    if {*header} >= _LIMESURVEY and not any(any(row) for _, row in numbered):
        numbered = []  # where nobody has come it writes an empty row
    names = [_column(name) for name in header]
    if below and _STATUS in header:
        column, all_rows = header.index(_STATUS), numbered
        numbered = [(number, row) for number, row in all_rows if row[column] not in _PREVIEWS]
        previews = counted(len(all_rows) - len(numbered), "preview or test", "previews or tests")
        warn_of_table(path, [f"has {previews}, left out"] if numbered != all_rows else ())
        spam = sum(row[column] in _SPAM for _, row in numbered)
        warn_of_table(path, [f"has {_responses(spam)} marked as spam, {_LIKE}"] if spam else ())
    warn_of_table(path, _note_responses(header, numbered))
    return replace(_by_person(path, names, numbered, "row"), form=form)


_LIKE = "counted like the others"


def _responses(count: int) -> str:
    return counted(count, "response")


def _note_responses(header: Sequence[str], numbered: "_Run") -> Iterator[str]:
    """Say which responses of an export are there twice, and how many were not submitted."""
    is_limesurvey = {*header} >= _LIMESURVEY
    name = _RESPONSE if _RESPONSE in header else "id" if is_limesurvey else ""
    if name in header:
        column, rows = header.index(name), dict[str, list[int]]()
        for number, row in numbered:
            rows.setdefault(row[column], []).append(number)
        repeated = {key: places for key, places in rows.items() if key and len(places) > 1}
        for key, places in islice(repeated.items(), 1):
            more = f", as {len(repeated) - 1:,} more are" if len(repeated) > 1 else ""
            listed = ", ".join(map(str, places))
            yield f"has the response {key} in several rows, {listed}{more}: each was counted"
    if is_limesurvey:
        column = header.index("submitdate")
        unsubmitted = sum(not row[column] for _, row in numbered)
        if unsubmitted:
            yield f"has {_responses(unsubmitted)} that nobody submitted, {_LIKE}"


def _column(name: str) -> str:
    return name.removeprefix(_SET).replace("[", "_").removesuffix("]")


_Run = list[tuple[int, list[str]]]
"""Of one person: rows with their numbers in the file."""


def _by_person(path: Path, header: list[str], rows: _Run, called: str) -> TextTable:
    """Bring what is of one person into one row: what the trials, or the events, agree on.

    Of jsPsych, who left before being asked sent nothing.
    """
    if {*header} >= {_TYPE, _TRIAL_INDEX}:
        trials = _runs(path, header, rows, called)
        runs = [run for run in trials if any(_is_ours(row, header) for _, row in run)]
        if not runs:
            raise DocumentError(
                str(path), got=f"no trial of the type {_OURS}", allowed="at least one in the export"
            )
    elif {*header} & _REDCAP:  # whose first column is the person's
        records: dict[str, _Run] = {}
        for number, row in rows:
            records.setdefault(row[0], []).append((number, row))
        runs = list(records.values())
    else:
        places = [f"{called} {number}" for number, _ in rows]
        return TextTable(header, [row for _, row in rows], places)
    cells = [[_agreed_value(run, header, i) for i in range(len(header))] for run in runs]
    clear = [i for i in range(len(header)) if all(row[i] is not None for row in cells)]
    return TextTable(
        header=[header[i] for i in clear],
        rows=[[row[i] or "" for i in clear] for row in cells],
        places=[_describe_run(run, called) for run in runs],
        unclear=frozenset(header) - {header[i] for i in clear},
    )


def _describe_run(run: _Run, called: str) -> str:
    first, last = run[0][0], run[-1][0]
    return f"{called} {first}" if first == last else f"{called}s {first} to {last}"


def _runs(path: Path, header: list[str], rows: _Run, called: str) -> Iterator[_Run]:
    """Part trials where their numbers begin again."""
    column, run, last = header.index(_TRIAL_INDEX), _Run(), -1
    for number, row in rows:
        if not row[column].isdecimal():
            where = f"{path}: {called} {number}, column {_TRIAL_INDEX}"
            raise DocumentError(
                where, got=row[column], allowed="a whole number, as jsPsych writes it"
            )
        if int(row[column]) <= last:
            yield run
            run = []
        run.append((number, row))
        last = int(row[column])
    yield run


def _is_ours(row: list[str], header: list[str]) -> bool:
    return _TYPE in header and row[header.index(_TYPE)] == _OURS


def _agreed_value(run: _Run, header: list[str], column: int) -> str | None:
    """What stands in a column of a run, in trials of ours if there; None if they do not agree."""
    ours = {row[column] for _, row in run if _is_ours(row, header)} - {""}
    values = ours or {row[column] for _, row in run} - {""}
    return None if len(values) > 1 else next(iter(values), "")


def _of_results(path: Path, form: TextFormat) -> TextTable:
    """Read a JSON array of what SurveyJS calls a survey's data, of trials, or of responses.

    Where it holds arrays, each is the trials of one person.
    """
    read = read_json(path.read_bytes(), str(path), "results in JSON")
    results = read["responses"] if isinstance(read, dict) else read
    if not isinstance(results, list):
        raise DocumentError(f"{path}: responses", allowed="an array of an object for each person")
    if results and all(isinstance(run, list) for run in results):
        results = [trial for run in results for trial in run]
    forms: set[str] = set()
    rows = []
    for number, result in enumerate(results, start=1):
        where = f"{path}: result {number}"
        if not isinstance(result, dict):
            raise DocumentError(where, allowed="an object for each person")
        rows.append(dict(_cells(result, forms, where, form)))
    header = list(dict.fromkeys(name for row in rows for name in row))
    if results is not read and not any(map(any, map(dict.values, rows))):
        rows = []  # as in a table
    cells = [[row.get(name, "") for name in header] for row in rows]
    export = _by_person(path, header, list(enumerate(cells, start=1)), "result")
    return replace(export, forms=frozenset(forms), form=form)


def _cells(
    result: Mapping[str, Any], forms: set[str], where: str, form: TextFormat
) -> Iterator[tuple[str, str]]:
    """Spell one person's data by column; a report of ours brings its own columns."""
    used: set[str] = set()
    for name, value in result.items():
        cells = {_column(name): value}
        if isinstance(value, dict) and value.keys() >= _REPORT:
            cells, fingerprint = value["cells"], value["form"]
            right = isinstance(cells, dict) and all(
                isinstance(cell, str) for cell in cells.values()
            )
            if not right or not isinstance(fingerprint, str):
                allowed = '{"form": …, "cells": {…}} as it was stored'
                raise DocumentError(f"{where}, {name}", allowed=allowed)
            forms.add(fingerprint)
        for column, cell in cells.items():
            if column in used:
                raise DocumentError(where, got=f"two columns {column!r}", allowed="one each")
            used.add(column)
            is_number = isinstance(cell, int | float)
            yield column, form.write_number(_spelt(cell)) if is_number else _spelt(cell)


def _spelt(value: Any) -> str:
    if isinstance(value, str) or is_missing(value):
        return value if isinstance(value, str) else ""
    return str(value).upper() if isinstance(value, bool) else json.dumps(value)
