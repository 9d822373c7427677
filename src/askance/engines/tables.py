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

from askance.engines.files import (
    Kind,
    check_width,
    escape_pattern,
    export_at,
    is_handed_over,
    kind_of,
    missing_codes,
)
from askance.engines.labelled_files import ENDINGS, labelled_rows, labelled_table
from askance.engines.sources import (
    GroupedRows,
    engines,
    name_failing_file,
    open_engine,
    plain,
    quote_name,
)
from askance.results import is_missing
from askance.typing import Integers
from askance_collect.errors import DocumentError, InputError, nearest
from askance_collect.wire.form_schema import keep_unchangeable
from askance_collect.wire.question import Value

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
    """One report as it was stored, with the other columns of its table.

    Attributes
    ----------
    values : mapping of str to Value
        What was sent, by question.
    other_columns : mapping of str to str
        Other columns of its table; of a store, the report's ``id``.
    """

    values: Mapping[str, Value]
    other_columns: Mapping[str, str]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "values other_columns")


def table_columns(
    source: str | Path,
    named: Collection[str] = (),
    *,
    id_columns: Collection[str] = (),
    valid_names: Collection[str] = (),
) -> Columns:
    r"""Read a file as columns.

    Parameters
    ----------
    source : str or Path
        CSV, Parquet, JSON Lines, SPSS or Stata, or columns as R hands them over.
    named : collection of str
        Columns whose cells are names, such as reports: they stay as they are written.
    id_columns : collection of str
        Columns that tell rows apart, such as clusters: of numbers only where these tell as many.
    valid_names : collection of str
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
    if is_handed_over(source):
        return _read_handed_over(path)
    kind = kind_of(source)
    if kind is Kind.LINES:
        return _read_lines(path)
    if kind is Kind.LABELLED:
        return _read_frame(labelled_table(path, named=named))
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
        name: read_names(column, valid_names, guarded=guarded)
        if name in named
        else read_cells(column, is_identifier=name in id_columns)
        for name, column in zip(header, cells, strict=True)
    }


def _read_handed_over(path: Path) -> Columns:
    """Read columns that another program hands over: no number is written out as text, or read.

    The first line is JSON, ``{"rows": 2, "columns": [{"name": "age"}, {"name": "said", "texts":
    ["yes", "no"]}]}``. Then each column has 8 bytes a row, a number with its low byte first, NaN
    where nothing stands; of texts it is a text's position from 1 on.
    """
    try:
        with path.open("rb") as file:
            head = json.loads(file.readline())
            texts_by_name = {str(spec["name"]): spec.get("texts") for spec in head["columns"]}
            rows = int(head["rows"])
            if rows < 1 or len(texts_by_name) < len(head["columns"]):
                raise ValueError("no rows" if rows < 1 else "two columns of one name")
            if path.stat().st_size - file.tell() != 8 * rows * len(texts_by_name):
                raise ValueError(f"not {rows:,} numbers in each of {len(texts_by_name)} columns")
            arrays = {name: array("d") for name in texts_by_name}
            for column in arrays.values():
                column.fromfile(file, rows)
            return {
                name: _decode_column(arrays[name], texts) for name, texts in texts_by_name.items()
            }
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        raise DocumentError(
            str(path), got=str(error), allowed="columns as the R package hands them over"
        ) from error


def _decode_column(column: "array[float]", texts: Sequence[str] | None) -> Sequence[Any]:
    """Numbers, or texts by their positions."""
    if sys.byteorder == "big":
        column.byteswap()
    positions = np.asarray(column)
    if texts is None:
        return (
            [None if value != value else value for value in column]
            if np.isnan(positions).any()
            else column
        )
    if not isinstance(texts, list) or not ((positions >= 0) & (positions <= len(texts))).all():
        raise ValueError("a text that is not listed")
    decoded: list[Any] = np.array([None, *texts], dtype=object)[positions.astype(np.int64)].tolist()
    return decoded


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
    table = engine.read_parquet(escape_pattern(path))
    expressions = []
    for name, kind in zip(table.columns, table.types, strict=True):
        column = quote_name(name)
        text = f"CAST({column} AS VARCHAR)"
        expressions.append(
            (f"nullif({text}, 'nan')" if str(kind) in _FLOATS else text) + f" AS {column}"
        )
    return table.project(", ".join(expressions))


def parquet_rows(path: Path) -> tuple[list[str], list[list[str]]]:
    """Read a file of Parquet as text: its header, and its rows.

    Raises
    ------
    DocumentError
        If it cannot be read.
    """
    with open_engine() as engine, name_failing_file(path):
        table = parquet_text(engine, path)
        rows = [["" if cell is None else cell for cell in row] for row in table.fetchall()]
        return list(table.columns), rows


def codes_of(columns: Sequence[Any], n: int) -> tuple[list[tuple[Any, ...]], Integers]:
    """Number the groups of n rows by columns of groups; without one all are of one group."""
    if not columns:
        return [()], np.zeros(n, dtype=np.int64)
    rows = zip(*(read_aligned_column(column, n, "tally.by") for column in columns), strict=True)
    codes: dict[Any, int] = {}
    try:
        row_codes = [codes.setdefault(row, len(codes)) for row in rows]
    except TypeError as error:
        raise InputError("tally.by", got="lists", allowed="texts, numbers or dates") from error
    return list(codes), np.array(row_codes, dtype=np.int64)


def read_aligned_column(values: Any, n: int, where: str) -> list[Any]:
    """Read a column that has a value for each report."""
    methods = (getattr(values, name, None) for name in ("tolist", "to_list", "to_pylist"))
    listed = next(filter(callable, methods), None)
    cells = listed() if listed else list(values) if isinstance(values, list | tuple) else None
    if isinstance(values, str) or not isinstance(cells, list):
        raise InputError(
            where,
            got=values if isinstance(values, str) else type(values).__name__,
            allowed="a column as long as that of the reports",
            remedy="the name of a column goes with a table" if isinstance(values, str) else "",
        )
    if len(cells) != n:
        raise InputError(where, got=f"{len(cells):,} values", allowed=f"one for each of {n:,} rows")
    return [None if is_missing(cell) else plain(cell) for cell in cells]


def find_wrong_group(
    wrong: GroupedRows, others: Iterable[GroupedRows], is_right: Callable[[Any], bool]
) -> GroupedRows:
    """Find the group with a wrong last cell that an error names, the same one every time.

    Engines give groups in any order. The one that was met first is `wrong`; `others` come after it.
    """
    all_wrong = [wrong, *(group for group in others if not is_right(group.cells[-1]))]
    return min(all_wrong, key=lambda group: [str(cell) for cell in reversed(group.cells)])


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
        location = find[kind](path, column, value)
        if location is not None:
            where = location if isinstance(location, str) else f"{word} {location}"
            return f"{path}: {where}, column {column!r}"
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
        position = export.header.index(column)
        located_rows = zip(export.rows, export.places, strict=True)
        return next(
            (location for cells, location in located_rows if cells[position] == value), None
        )
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file)
        position = next(rows).index(column)
        same = (
            row for row, cells in enumerate(rows, 2) if cells[position].removeprefix("'") == value
        )
        return next(same, None)


def _line_of(path: Path, column: str, value: Any) -> int | None:
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            cell = _plain_cell(json.loads(line).get(column))
            if type(cell) is type(value) and cell == value:
                return number
    return None


def _row_of_parquet(path: Path, column: str, value: Any) -> int | None:
    with open_engine() as engine, name_failing_file(path):
        table = engine.read_parquet(
            escape_pattern(path), hive_partitioning=True, file_row_number=True
        )
        duckdb = engines()[0]
        expression = duckdb.ColumnExpression(column)
        cell = expression.cast("VARCHAR") if isinstance(value, str) else expression
        same = table.filter(cell == duckdb.ConstantExpression(value))
        ((row_number,),) = same.aggregate("min(file_row_number)").fetchall()
        return None if row_number is None else int(row_number) + 1


def _row_of_labels(path: Path, column: str, value: Any) -> int | None:
    named = [column] if isinstance(value, str) else []
    values = labelled_table(path, named=named)[column].tolist()
    return values.index(value) + 1 if value in values else None


def read_cells(cells: Sequence[str], *, is_identifier: bool = False) -> list[Any]:
    """Read a column as numbers or truth values if it holds nothing else, else as names.

    Identifiers of rows are names too where two of them are one number.

    >>> read_cells(["1", "NA", ""]), read_cells(["TRUE", "FALSE"]), read_cells(["1", "a"])
    ([1.0, None, None], [True, False], ['1', 'a'])
    >>> read_cells(["12_1", "1_21"])  # of a region and a school, not 121
    ['12_1', '1_21']
    >>> read_cells(["01", "1"]), read_cells(["01", "1"], is_identifier=True)
    ([1.0, 1.0], ['01', '1'])
    """
    with suppress(ValueError):  # most columns are numbers without a hole
        plain = list(map(float, cells))
        if not is_identifier and not math.isnan(sum(plain)) and "_" not in ",".join(cells):
            return plain
    names = read_names(cells)
    if next(filter(None, names), "") in _TRUTH and {*names} <= {*_TRUTH, None}:
        return [None if name is None else _TRUTH[name] for name in names]
    if "_" in ",".join(filter(None, names)):  # which Python passes over in a number
        return names
    try:
        numbers = [None if name is None else float(name) for name in names]
    except ValueError:
        return names
    return names if is_identifier and len(set(numbers)) < len(set(names)) else numbers


def read_names(
    cells: Sequence[str], valid_names: Collection[str] = (), *, guarded: bool = False
) -> list[Any]:
    """Read a column as names; an apostrophe before one guards a formula in a spreadsheet.

    >>> read_names(["01", "", "NA", "'+"], guarded=True), read_names(["NA"], valid_names=["NA"])
    (['01', None, None, '+'], ['NA'])
    """
    missing = missing_codes(valid_names)
    unguarded = (cell.removeprefix("'") for cell in cells) if guarded else cells
    return [None if cell in missing else cell for cell in unguarded]


def _read_lines(path: Path) -> Columns:
    """Read a line for each row; a key that a line has not is missing there."""
    rows = []
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                record = None
            if not isinstance(record, dict):
                raise DocumentError(
                    f"{path}: line {number}", allowed="one JSON object on each line"
                )
            rows.append(record)
    if not rows:
        raise DocumentError(str(path), got="no lines", allowed="a line for each report")
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [_plain_cell(row.get(name)) for row in rows] for name in names}


def _plain_cell(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, list | dict) else value


def _read_frame(frame: Any) -> Columns:
    """Read the columns of a data frame, with None for missing values."""
    columns = {str(name): frame[name].tolist() for name in frame.columns}
    return {
        name: [None if is_missing(cell) else cell for cell in column]
        for name, column in columns.items()
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


def repeat_rows(columns: Columns, counts: str, where: str = "--counts") -> Columns:
    """Repeat each row of a table of counts as often as its column of counts says.

    Raises
    ------
    InputError
        If there is no such column, or it holds anything but whole numbers of people.

    >>> repeat_rows({"said": ["yes", "no"], "n": [2.0, 1.0]}, "n")
    {'said': ['yes', 'yes', 'no']}
    """
    times = _read_repetitions(columns, counts, where)
    if not 0 < sum(times) <= _MOST:
        raise InputError(where, got=f"{sum(times):,} people", allowed=f"1 to {_MOST:,}")
    row_indices = np.repeat(np.arange(len(times)), times).tolist()
    return {
        name: [column[i] for i in row_indices] for name, column in columns.items() if name != counts
    }


def expand_count_columns(
    columns: Columns, reports: Sequence[str], name: str, where: str
) -> Columns:
    """Write a table with a column of counts for each report as a row for each person.

    Raises
    ------
    InputError
        If there is no such column, or it holds anything but whole numbers of people.

    >>> counts = {"age": [30, 40], "yes": [2, 0], "no": [0, 1]}
    >>> expand_count_columns(counts, ["yes", "no"], "said", "formula")
    {'age': [30, 30, 40], 'said': ['yes', 'yes', 'no']}
    """
    rows = len(next(iter(columns.values()), ()))
    counts = {report: _read_repetitions(columns, report, where) for report in reports}
    long: Columns = {
        other: [value for value in column for _ in reports]
        for other, column in columns.items()
        if other not in counts
    }
    long[name] = [*reports] * rows
    people = [count for row in zip(*counts.values(), strict=True) for count in row]
    return repeat_rows(long | {_PEOPLE: people}, _PEOPLE, where)


_PEOPLE = "\x00"


def _read_repetitions(columns: Columns, counts: str, where: str) -> list[int]:
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
