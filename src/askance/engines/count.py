"""How often each value was sent, or row by row, wherever reports lie: database, file or table."""

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, final

from askance.arguments import checked
from askance.collect.columns import columns, unspell
from askance.collect.store import open_store
from askance.errors import DocumentError, InputError, MissingExtra, ReportRefused, nearest
from askance.wire.canonical import keep_unchangeable
from askance.wire.form import Form
from askance.wire.question import Question, Value
from askance.wire.report import read_values


@final
@dataclass(frozen=True, slots=True)
class Counts:
    """Reports counted by value.

    Attributes
    ----------
    reports : int
        How many reports there are.
    values : Mapping[str, Mapping[Value, int]]
        For each question how often each column, tick, cell ``(a, b)`` or blank (None) was sent.
    """

    reports: int
    values: Mapping[str, Mapping[Value, int]]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "values")

    def __reduce__(self) -> tuple[Any, ...]:
        """Let counts cross processes."""
        values = {name: dict(found) for name, found in self.values.items()}
        return Counts, (self.reports, values)


@checked
def count_reports(source: str | Path, form: Form) -> Counts:
    r"""Count the reports of a form where they lie, and check every value against the form.

    Parameters
    ----------
    source : str or Path
        A collector's SQLite file, a ``postgresql://…`` URL, a CSV table with the columns that
        `askance.collect.export.export_csv` writes (more columns do no harm), or JSON Lines with one
        report's values on each line (``.jsonl`` or ``.ndjson``).
    form : Form

    Raises
    ------
    DocumentError
        If something is there that no respondent can have sent; the message names row and column.

    from askance.wire.form import Form
    >>> form = Form.read({
    ...     "askance": "form-1", "title": {"en": ""}, "consent": {"en": ""}, "contact": {"en": ""},
    ...     "languages": ["en"], "collector": "", "size": 256, "about": {},
    ...     "questions": [{"kind": "choice", "name": "tea", "text": {"en": "Tea?"}, "answers": [
    ...         {"name": "yes", "label": {"en": "Yes"}}, {"name": "no", "label": {"en": "No"}}]}],
    ... })
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     table = Path(folder, "tea.csv")
    ...     _ = table.write_text("tea\nyes\nno\nyes\n")
    ...     counts = count_reports(table, form)
    >>> counts.reports, dict(counts.values["tea"])
    (3, {0: 2, 1: 1})
    """
    groups = _group(source, form)
    values = {name: dict(sorted(found.items(), key=_rank)) for name, found in groups.items()}
    reports = sum(next(iter(values.values())).values())
    return Counts(reports, values)


def _group(source: str | Path, form: Form) -> dict[str, dict[Value, int]]:
    kind = kind_of(source)
    if kind is Kind.STORE:
        return group_database(source, form)

    return (group_csv if kind is Kind.TABLE else group_jsonl)(Path(source), form)


def _rank(item: tuple[Value, int]) -> tuple[int, ...]:
    value = item[0]
    if value is None:
        return (1,)
    return (0, value) if isinstance(value, int) else (0, *value)


ID = "id"
"""What a report's id is called, beside its values and in a table of covariates."""


@final
@dataclass(frozen=True, slots=True)
class ReportRow:
    """One report.

    Attributes
    ----------
    values : mapping of str to Value
        What was sent, by question.
    beside : mapping of str to str
        Other columns of its table; of a store, the report's id.
    """

    values: Mapping[str, Value]
    beside: Mapping[str, str]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "values beside")


def report_rows(source: str | Path, form: Form) -> list[ReportRow]:
    """Read the reports of a store (a file or ``postgresql://…``), a CSV table or JSON Lines.

    Raises
    ------
    DocumentError
        If something is there that no respondent can have sent; the message names the row.
    """
    path, kind = Path(source), kind_of(source)
    if kind is Kind.TABLE:
        return list(_from_table(path, form))
    if kind is Kind.LINES:
        blame_jsonl(path, form)
        lines = path.read_text(encoding="utf-8").splitlines()
        return [ReportRow(read_values(json.loads(line), form), {}) for line in lines]
    store = open_store(source, form, read_only=True)
    try:
        return [
            ReportRow(read_values(json.loads(answers), form), {ID: id})
            for id, answers in store.reports()
        ]
    finally:
        store.close()


def table_rows(path: Path) -> tuple[list[str], list[list[str]]]:
    """Read a CSV table: its header, and rows of as many cells.

    Raises
    ------
    DocumentError
        If it cannot be read, or a row has another number of cells than the header.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header, *rows = csv.reader(file, strict=True)
    except (OSError, ValueError, csv.Error) as error:
        raise DocumentError(str(path), got=str(error), allowed="a CSV table in UTF-8") from error
    for number, row in enumerate(rows, start=2):
        check_width(row, header, f"{path}: row {number}")
    return header, rows


def _from_table(path: Path, form: Form) -> Iterator[ReportRow]:
    header, rows = table_rows(path)
    places = find_columns(header, columns(form), str(path))
    asked = {at for group in places.values() for at in group}
    others = {name: at for at, name in enumerate(header) if at not in asked}
    for number, row in enumerate(rows, start=2):
        values = read_row(row, places, form, f"{path}: row {number}")
        yield ReportRow(values, {name: row[at] for name, at in others.items()})


_SQLITE = b"SQLite format 3\x00"


@final
class Kind(Enum):
    """How reports are kept."""

    STORE = "a collector's database"
    TABLE = ".csv"
    LINES = ".jsonl or .ndjson"


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
        if file.read(len(_SQLITE)) == _SQLITE:
            return Kind.STORE
    kinds = {".csv": Kind.TABLE, ".jsonl": Kind.LINES, ".ndjson": Kind.LINES}
    if path.suffix.lower() not in kinds:
        raise DocumentError(
            str(path),
            got=f"a file that ends in {path.suffix!r}",
            allowed=", ".join(kind.value for kind in Kind),
        )
    return kinds[path.suffix.lower()]


def group_database(source: str | Path, form: Form) -> dict[str, dict[Value, int]]:
    """Count the reports in a store by value, for each question.

    Raises
    ------
    DocumentError
        If the store is another form's, or holds what no respondent can have sent.
    """
    store = open_store(source, form, read_only=True)
    try:
        found = store.counts([question.name for question in form.questions])
    finally:
        store.close()
    groups: dict[str, dict[Value, int]] = {}
    for question in form.questions:
        group: dict[Value, int] = {}
        for spelling, count in found[question.name]:
            value = None if spelling is None else json.loads(spelling)
            if spelling is None or not (value is None or question.allows(value)):
                raise DocumentError(
                    f"reports.answers.{question.name}",
                    got=f"{count} reports with something else",
                    allowed="null, or a value that some respondent can send",
                    remedy="the database was changed by another program",
                )
            group[tuple(value) if isinstance(value, list) else value] = count
        groups[question.name] = group
    return groups


try:
    import duckdb
    import narwhals as nw
except ImportError as error:
    raise MissingExtra("duckdb or narwhals", "engines") from error


def group_csv(path: Path, form: Form) -> dict[str, dict[Value, int]]:
    """Count the rows of a table by value, for each question.

    Raises
    ------
    DocumentError
        With the first row and column that no respondent can have sent.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header = next(csv.reader(file), [])
        places = find_columns(header, columns(form), str(path))
        with _alone() as engine:
            table = engine.read_csv(
                _literally(path),
                auto_detect=False,
                columns={f"c{at}": "VARCHAR" for at in range(len(header))},
                header=True,
                delimiter=",",
                quotechar='"',
                escapechar='"',
                hive_partitioning=False,
            )
            return {
                question.name: _group_rows(
                    table,
                    [f"c{at}" for at in places[question.name]],
                    partial(_from_cells, question),
                )
                for question in form.questions
            }
    except (duckdb.Error, InputError, UnicodeDecodeError, csv.Error) as error:
        blame_csv(path, form)
        raise _unreadable(path, error) from error


def group_jsonl(path: Path, form: Form) -> dict[str, dict[Value, int]]:
    """Count the lines of a file by value, for each question.

    Raises
    ------
    DocumentError
        With the first line and question that no respondent can have sent.
    """
    names = [question.name for question in form.questions]
    whole = f"list_sort(json_keys(json)) = {sorted(names)}"
    picked = ", ".join(
        f"CASE WHEN {whole} THEN json -> '{name}' END AS c{at}" for at, name in enumerate(names)
    )
    query = f"SELECT {picked} FROM read_ndjson_objects(?)"  # noqa: S608 names are [a-z0-9_]
    try:
        with _alone() as engine:
            lines = engine.sql(query, params=[_literally(path)])
            return {
                question.name: _group_rows(lines, [f"c{at}"], partial(_from_json, question))
                for at, question in enumerate(form.questions)
            }
    except (duckdb.Error, InputError) as error:
        blame_jsonl(path, form)
        raise _unreadable(path, error) from error


def _group_rows(
    relation: Any, names: Iterable[str], read: Callable[[Sequence[str | None]], Value]
) -> dict[Value, int]:
    """Count equal spellings in the engine, then add up those that mean the same."""
    frame = nw.from_native(relation)
    counted = frame.group_by(*names).agg(nw.len().alias("how often")).to_native().fetchall()
    group: dict[Value, int] = {}
    for *cells, count in counted:
        value = read(cells)
        group[value] = group.get(value, 0) + count
    return group


def _from_cells(question: Question, cells: Sequence[str | None]) -> Value:
    return unspell(question, [cell or "" for cell in cells])


def _from_json(question: Question, cells: Sequence[str | None]) -> Value:
    value = json.loads(cells[0] or '""')
    if value is not None and not question.allows(value):
        raise InputError(question.name, allowed="what a respondent can send")
    return tuple(value) if isinstance(value, list) else value


def _alone() -> duckdb.DuckDBPyConnection:
    """Open an engine that fetches nothing from anywhere."""
    return duckdb.connect(
        config={"autoinstall_known_extensions": False, "autoload_known_extensions": False}
    )


def _literally(path: Path) -> str:
    """Name this one file, not those that its name would match as a pattern."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in str(path))


def _unreadable(path: Path, error: Exception) -> DocumentError:
    return DocumentError(str(path), got=type(error).__name__, allowed="a file of reports in UTF-8")


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
