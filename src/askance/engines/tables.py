"""A table of any file: its rows as text, its columns with what cells mean, rows of several people.

Cells of a text are numbers where a whole column is, truth values where it is TRUE and FALSE, and
names otherwise. An empty cell is missing, and so is NA, as R writes it.
"""

import csv
import json
import math
import sys
from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from askance.engines.files import Kind, check_width, kind_of, literally, missing_codes
from askance.engines.labelled_files import ENDINGS, labelled_rows, labelled_table
from askance.engines.platforms import export_at
from askance.engines.sources import (
    Group,
    alone,
    engines,
    plain,
    quoted,
    told_of,
)
from askance.errors import DocumentError, InputError, nearest
from askance.results import is_missing
from askance.typing import Integers
from askance.wire.label import keep_unchangeable
from askance.wire.question import Value

Columns = dict[str, Sequence[Any]]
"""Values by the name of their column, all of one length."""

ID = "id"
"""What a report's id is called, beside its values and in a table of covariates."""

_LABELLED = Kind.LABELLED.value
_FLOATS = ("DOUBLE", "FLOAT")
_TRUTH = {"TRUE": True, "FALSE": False}
_MOST = 50_000_000  # people that rows may stand for, so that a slip fills no memory


@final
@dataclass(frozen=True, slots=True)
class ReportRow:
    """One report as it was kept, with what stands beside it in its table.

    Attributes
    ----------
    values : mapping of str to Value
        What was sent, by question.
    beside : mapping of str to str
        Other columns of its table; of a store, the report's ``id``.
    """

    values: Mapping[str, Value]
    beside: Mapping[str, str]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "values beside")


def table_columns(
    source: str | Path,
    named: Collection[str] = (),
    *,
    apart: Collection[str] = (),
    kept: Collection[str] = (),
) -> Columns:
    r"""Read a file as columns.

    Parameters
    ----------
    source : str or Path
        CSV, Parquet, JSON Lines, SPSS or Stata, or columns as R hands them over.
    named : collection of str
        Columns whose cells are names, such as reports: they stay as they are written.
    apart : collection of str
        Columns that tell rows apart, such as clusters: of numbers only where these tell as many.
    kept : collection of str
        What is a name among ``named`` although it is missing elsewhere, such as a report called NA.

    Raises
    ------
    DocumentError
        If it cannot be read, or has a column twice or no row.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     table = Path(folder, "tea.csv")
    ...     _ = table.write_text("rr.q1,age,urban\n1,31,TRUE\nNA,NA,FALSE\n")
    ...     table_columns(table, ["rr.q1"])
    {'rr.q1': ['1', None], 'age': [31.0, None], 'urban': [True, False]}
    """
    path = Path(source)
    if handed_over(source):
        return _of_columns(path)
    kind = kind_of(source)
    if kind is Kind.LINES:
        return _of_lines(path)
    if kind is Kind.LABELLED:
        return _of_frame(labelled_table(path, named=named))
    if kind not in (Kind.TABLE, Kind.PARQUET, Kind.RESULTS):
        raise DocumentError(
            str(source), got=kind.value, allowed=f"a table: .csv, .parquet, .jsonl, {_LABELLED}"
        )
    header, rows = table_rows(path, named)
    if not rows:
        raise DocumentError(str(path), got="no rows", allowed="a row for each report")
    cells = zip(*rows, strict=True)
    guarded = kind is not Kind.PARQUET
    return {
        name: read_names(column, kept, guarded=guarded)
        if name in named
        else read_cells(column, apart=name in apart)
        for name, column in zip(header, cells, strict=True)
    }


def handed_over(source: str | Path) -> bool:
    """Say whether a file holds columns as another program hands them over, which are not text.

    >>> handed_over("people.columns"), handed_over("people.csv")
    (True, False)
    """
    return str(source).endswith(".columns")


def _of_columns(path: Path) -> Columns:
    """Read columns that another program hands over: no number is written out as text, or read.

    The first line is JSON, ``{"rows": 2, "columns": [{"name": "age"}, {"name": "said", "texts":
    ["yes", "no"]}]}``. Then each column has 8 bytes a row, a number with its low byte first, NaN
    where nothing stands; of texts it is a text's position from 1 on.
    """
    try:
        with path.open("rb") as file:
            head = json.loads(file.readline())
            told = {str(one["name"]): one.get("texts") for one in head["columns"]}
            rows = int(head["rows"])
            if rows < 1 or len(told) < len(head["columns"]):
                raise ValueError("no rows" if rows < 1 else "two columns of one name")
            if path.stat().st_size - file.tell() != 8 * rows * len(told):
                raise ValueError(f"not {rows:,} numbers in each of {len(told)} columns")
            held = {name: array("d") for name in told}
            for column in held.values():
                column.fromfile(file, rows)
            return {name: _handed(held[name], texts) for name, texts in told.items()}
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        raise DocumentError(
            str(path), got=str(error), allowed="columns as the R package hands them over"
        ) from error


def _handed(column: "array[float]", texts: Sequence[str] | None) -> Sequence[Any]:
    """Numbers, or texts by their positions."""
    if sys.byteorder == "big":
        column.byteswap()
    at = np.asarray(column)
    if texts is None:
        return [None if one != one else one for one in column] if np.isnan(at).any() else column
    if not isinstance(texts, list) or not ((at >= 0) & (at <= len(texts))).all():
        raise ValueError("a text that is not listed")
    held: list[Any] = np.array([None, *texts], dtype=object)[at.astype(np.int64)].tolist()
    return held


def table_rows(
    path: Path, wanted: Collection[str] = ()
) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """Read a table of CSV, Parquet, SPSS or Stata as text: its header, and rows of as many cells.

    What a survey platform has exported has a row for each person.

    Raises
    ------
    DocumentError
        If it cannot be read, has two columns of one name, a row has another number of cells than
        the header, or an export has several values of one person in a wanted column.
    """
    if path.suffix.lower() == Kind.PARQUET.value:
        return parquet_rows(path)
    if path.suffix.lower() in ENDINGS:
        return labelled_rows(path)
    export = export_at(path)
    if export is None:
        header, rows = _csv_rows(path)
    else:
        export.refuse_unclear(wanted, path)
        header, rows = export.header, export.rows
    twice = [name for name in header if name and header.count(name) > 1]
    if twice:
        raise DocumentError(f"{path}: row 1", got=f"two columns {twice[0]!r}", allowed="one each")
    if {*map(len, rows)} - {len(header)}:
        for number, row in enumerate(rows, start=2):
            check_width(row, header, f"{path}: row {number}")
    return header, rows


def _csv_rows(path: Path) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header, *rows = csv.reader(file, strict=True)
    except (OSError, ValueError, csv.Error) as error:
        raise DocumentError(str(path), got=str(error), allowed="a CSV table in UTF-8") from error
    return header, rows


def parquet_text(engine: Any, path: Path) -> Any:
    """Read a file as text, nothing where nothing stands; what is no number is nothing, too."""
    table = engine.read_parquet(literally(path))
    told = []
    for name, kind in zip(table.columns, table.types, strict=True):
        column = quoted(name)
        text = f"CAST({column} AS VARCHAR)"
        told.append((f"nullif({text}, 'nan')" if str(kind) in _FLOATS else text) + f" AS {column}")
    return table.project(", ".join(told))


def parquet_rows(path: Path) -> tuple[list[str], list[list[str]]]:
    """Read a file of Parquet as text: its header, and its rows.

    Raises
    ------
    DocumentError
        If it cannot be read.
    """
    with alone() as engine, told_of(path):
        table = parquet_text(engine, path)
        rows = [["" if cell is None else cell for cell in row] for row in table.fetchall()]
        return list(table.columns), rows


def codes_of(columns: Sequence[Any], n: int) -> tuple[list[tuple[Any, ...]], Integers]:
    """Number the groups of n rows by columns of groups; without one all are of one group."""
    if not columns:
        return [()], np.zeros(n, dtype=np.int64)
    rows = zip(*(beside(one, n, "tally.by") for one in columns), strict=True)
    known: dict[Any, int] = {}
    try:
        found = [known.setdefault(row, len(known)) for row in rows]
    except TypeError as error:
        raise InputError("tally.by", got="lists", allowed="texts, numbers or dates") from error
    return list(known), np.array(found, dtype=np.int64)


def beside(values: Any, n: int, where: str) -> list[Any]:
    """List a column that stands beside the reports."""
    methods = (getattr(values, name, None) for name in ("tolist", "to_list", "to_pylist"))
    listed = next(filter(callable, methods), None)
    told = listed() if listed else list(values) if isinstance(values, list | tuple) else None
    if isinstance(values, str) or not isinstance(told, list):
        raise InputError(
            where,
            got=values if isinstance(values, str) else type(values).__name__,
            allowed="a column as long as that of the reports",
            remedy="the name of a column goes with a table" if isinstance(values, str) else "",
        )
    if len(told) != n:
        raise InputError(where, got=f"{len(told):,} values", allowed=f"one for each of {n:,} rows")
    return [None if is_missing(one) else plain(one) for one in told]


def least(wrong: Group, others: Iterable[Group], is_right: Callable[[Any], bool]) -> Group:
    """Find which group with a wrong last cell to tell of, the same every time.

    Engines give groups in any order. The one that was met first is `wrong`; `others` come after it.
    """
    all_wrong = [wrong, *(one for one in others if not is_right(one.cells[-1]))]
    return min(all_wrong, key=lambda one: [str(cell) for cell in reversed(one.cells)])


def first_row(paths: Sequence[Path], kind: Kind, column: str, value: Any) -> str:
    """Say in which file and row a value first stands in a column; nothing if it stands in none.

    Rows are numbered as an editor shows them: of a CSV table the header is row 1.

    >>> path = Path("examples/affairs-answers.csv")
    >>> first_row([path], Kind.TABLE, "affair", "yes")
    "examples/affairs-answers.csv: row 2, column 'affair'"
    """
    find = {
        Kind.TABLE: _row_of_csv,
        Kind.LINES: _line_of,
        Kind.PARQUET: _row_of_parquet,
        Kind.LABELLED: _row_of_labels,
        Kind.RESULTS: _row_of_csv,
    }
    word = "line" if kind is Kind.LINES else "row"
    for path in paths:
        at = find[kind](path, column, value)
        if at is not None:
            return f"{path}: {at if isinstance(at, str) else f'{word} {at}'}, column {column!r}"
    return ""


def row_at_hand(frame: Any, column: str, where: str, value: Any) -> str:
    """Say in which row of a table at hand a value first stands; nothing of one that is not.

    >>> from askance.engines.sources import table_of
    >>> import pandas as pd
    >>> row_at_hand(table_of(pd.DataFrame({"said": ["no", "yes"]})), "said", "column", "yes")
    'column[1]'
    """
    if not hasattr(frame, "get_column"):
        return ""
    return f"{where}[{frame.get_column(column).to_list().index(value)}]"


def _row_of_csv(path: Path, column: str, value: Any) -> int | str | None:
    """Give the row; of an export the place as its own words have it."""
    if export := export_at(path):
        at = export.header.index(column)
        held = zip(export.rows, export.places, strict=True)
        return next((place for cells, place in held if cells[at] == value), None)
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file)
        at = next(rows).index(column)
        same = (row for row, cells in enumerate(rows, 2) if cells[at].removeprefix("'") == value)
        return next(same, None)


def _line_of(path: Path, column: str, value: Any) -> int | None:
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            cell = _told(json.loads(line).get(column))
            if type(cell) is type(value) and cell == value:
                return number
    return None


def _row_of_parquet(path: Path, column: str, value: Any) -> int | None:
    with alone() as engine, told_of(path):
        table = engine.read_parquet(literally(path), hive_partitioning=True, file_row_number=True)
        duckdb = engines()[0]
        held = duckdb.ColumnExpression(column)
        cell = held.cast("VARCHAR") if isinstance(value, str) else held
        same = table.filter(cell == duckdb.ConstantExpression(value))
        ((at,),) = same.aggregate("min(file_row_number)").fetchall()
        return None if at is None else int(at) + 1


def _row_of_labels(path: Path, column: str, value: Any) -> int | None:
    named = [column] if isinstance(value, str) else []
    held = labelled_table(path, named=named)[column].tolist()
    return held.index(value) + 1 if value in held else None


def read_cells(cells: Sequence[str], *, apart: bool = False) -> list[Any]:
    """Read a column as numbers or truth values if it holds nothing else, else as names.

    What tells rows ``apart`` is names too where two of them are one number.

    >>> read_cells(["1", "NA", ""]), read_cells(["TRUE", "FALSE"]), read_cells(["1", "a"])
    ([1.0, None, None], [True, False], ['1', 'a'])
    >>> read_cells(["12_1", "1_21"])  # of a region and a school, not 121
    ['12_1', '1_21']
    >>> read_cells(["01", "1"]), read_cells(["01", "1"], apart=True)
    ([1.0, 1.0], ['01', '1'])
    """
    with suppress(ValueError):  # most columns are numbers without a hole
        plain = list(map(float, cells))
        if not apart and not math.isnan(sum(plain)) and "_" not in ",".join(cells):
            return plain
    told = read_names(cells)
    if next(filter(None, told), "") in _TRUTH and {*told} <= {*_TRUTH, None}:
        return [None if one is None else _TRUTH[one] for one in told]
    if "_" in ",".join(filter(None, told)):  # which Python passes over in a number
        return told
    try:
        numbers = [None if one is None else float(one) for one in told]
    except ValueError:
        return told
    return told if apart and len(set(numbers)) < len(set(told)) else numbers


def read_names(
    cells: Sequence[str], kept: Collection[str] = (), *, guarded: bool = False
) -> list[Any]:
    """Read a column as names; an apostrophe before one guards a formula in a spreadsheet.

    >>> read_names(["01", "", "NA", "'+"], guarded=True), read_names(["NA"], kept=["NA"])
    (['01', None, None, '+'], ['NA'])
    """
    missing = missing_codes(kept)
    told = (cell.removeprefix("'") for cell in cells) if guarded else cells
    return [None if cell in missing else cell for cell in told]


def _of_lines(path: Path) -> Columns:
    """Read a line for each row; a key that a line has not is missing there."""
    rows = []
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                told = json.loads(line)
            except (ValueError, RecursionError):
                told = None
            if not isinstance(told, dict):
                raise DocumentError(
                    f"{path}: line {number}", allowed="one JSON object on each line"
                )
            rows.append(told)
    if not rows:
        raise DocumentError(str(path), got="no lines", allowed="a line for each report")
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [_told(row.get(name)) for row in rows] for name in names}


def _told(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, list | dict) else value


def _of_frame(frame: Any) -> Columns:
    """List the columns of a data frame; what is missing is None."""
    told = {str(name): frame[name].tolist() for name in frame.columns}
    return {
        name: [None if is_missing(one) else one for one in column] for name, column in told.items()
    }


def column_of(columns: Mapping[str, Sequence[Any]], name: str, where: str) -> Sequence[Any]:
    """Find a column by its name.

    Raises
    ------
    InputError
        If there is none.

    >>> column_of({"age": [31.0]}, "age", "--by")
    [31.0]
    """
    if name not in columns:
        raise InputError(
            where,
            got=f"no column {name!r}",
            allowed=f"one of the columns {', '.join(list(columns)[:20])}",
            remedy=nearest(name, tuple(columns)),
        )
    return columns[name]


def repeated(columns: Columns, counts: str, where: str = "--counts") -> Columns:
    """Repeat each row of a table of counts as often as its column of counts says.

    Raises
    ------
    InputError
        If there is no such column, or it holds anything but whole numbers of people.

    >>> repeated({"said": ["yes", "no"], "n": [2.0, 1.0]}, "n")
    {'said': ['yes', 'yes', 'no']}
    """
    times = _times(columns, counts, where)
    if not 0 < sum(times) <= _MOST:
        raise InputError(where, got=f"{sum(times):,} people", allowed=f"1 to {_MOST:,}")
    at = np.repeat(np.arange(len(times)), times).tolist()
    return {name: [column[one] for one in at] for name, column in columns.items() if name != counts}


def counted_apart(columns: Columns, reports: Sequence[str], name: str, where: str) -> Columns:
    """Write a table with a column of counts for each report as a row for each person.

    Raises
    ------
    InputError
        If there is no such column, or it holds anything but whole numbers of people.

    >>> told = {"age": [30, 40], "yes": [2, 0], "no": [0, 1]}
    >>> counted_apart(told, ["yes", "no"], "said", "formula")
    {'age': [30, 30, 40], 'said': ['yes', 'yes', 'no']}
    """
    rows = len(next(iter(columns.values()), ()))
    each = {report: _times(columns, report, where) for report in reports}
    long: Columns = {
        other: [value for value in column for _ in reports]
        for other, column in columns.items()
        if other not in each
    }
    long[name] = [*reports] * rows
    people = [count for row in zip(*each.values(), strict=True) for count in row]
    return repeated(long | {_PEOPLE: people}, _PEOPLE, where)


_PEOPLE = "\x00"


def _times(columns: Columns, counts: str, where: str) -> list[int]:
    """How often each row is repeated."""
    times = []
    for row, value in enumerate(column_of(columns, counts, where), start=1):
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not 0 <= value <= _MOST or value != int(value):
            raise InputError(
                f"{where}: column {counts!r}, row {row} of the counts",
                got=value,
                allowed=f"whole numbers of people, at most {_MOST:,}, none missing",
            )
        times.append(int(value))
    return times
