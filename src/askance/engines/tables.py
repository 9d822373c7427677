"""A table of any file: its rows as text, its columns with what cells mean, rows of several people.

How cells are understood is decided in one place, `askance.engines.reading`.
"""

import json
import sys
from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final

import numpy as np

from askance.channels.written_values import (
    find_alike_kinds,
    refuse_alike_kinds,
    refuse_truths_among_numbers,
)
from askance.engines.files import Kind, TextTable, escape_pattern, is_handed_over, kind_of
from askance.engines.labelled_files import labelled_table
from askance.engines.reading import (
    AUTOMATIC,
    MISSING_CODES,
    PLAIN,
    ColumnKind,
    ColumnReading,
    TableReading,
    TextFormat,
    decode_cell,
    format_of_texts,
    read_column,
    refuse_odd,
    refuse_unknown_columns,
)
from askance.engines.sources import (
    GroupedRows,
    cell_text,
    decode_parquet,
    engines,
    name_failing_file,
    open_engine,
    plain,
    read_lines,
    read_text_table,
)
from askance.results import holds_singles, is_missing, list_singles
from askance.typing import Integers
from askance_collect.arguments import checked
from askance_collect.errors import DocumentError, InputError, nearest
from askance_collect.wire.canonical_json import RESPONDENT, unescape_formula
from askance_collect.wire.form_schema import keep_unchangeable
from askance_collect.wire.question import Value

Columns = dict[str, Sequence[Any]]
"""Values by the name of their column, all of one length."""

ID = "id"
"""What a report's id is called, beside its values and in a table of covariates."""

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


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OtherColumns:
    """The columns of a table that are not questions of the form, as text.

    Attributes
    ----------
    cells : mapping of str to sequence of str
    where : str
        The file, as a message calls it.
    form : TextFormat
        How its numbers are written.
    rows : sequence of int or None
        The numbers of its rows.
    """

    cells: Mapping[str, Sequence[str]]
    where: str = ""
    form: TextFormat = PLAIN
    rows: Sequence[int] | None = None

    def __post_init__(self) -> None:
        keep_unchangeable(self, "cells")

    def read(
        self,
        name: str,
        reading: TableReading,
        *,
        is_identifier: bool = False,
        is_used: bool = False,
    ) -> list[Any]:
        """Read a column by its kind; a column for computation holds no odd entries.

        Raises
        ------
        DocumentError
            As `refuse_odd` does.
        """
        cells = self.cells[name]
        column = read_column(
            cells, name, reading, self.form, rows=self.rows, is_identifier=is_identifier
        )
        if is_used:
            refuse_odd(name, column, self.where, self.form)
        return column.values

    def at_rows(self, rows: Sequence[int]) -> "OtherColumns":
        """Keep some rows."""
        return replace(
            self,
            cells={name: [column[i] for i in rows] for name, column in self.cells.items()},
            rows=None if self.rows is None else [self.rows[i] for i in rows],
        )


@checked
def table_columns(
    source: str | Path,
    named: Collection[str] = (),
    *,
    id_columns: Collection[str] = (),
    valid_names: Collection[str] = (),
    used: Collection[str] = (),
    reading: TableReading = AUTOMATIC,
) -> Columns:
    r"""Read a file as columns.

    Parameters
    ----------
    source : str or Path
        A table of text, a workbook, Parquet, JSON Lines, SPSS or Stata, or columns as R hands them
        over.
    named : collection of str
        Columns whose cells are names, such as reports: they stay as they are written.
    id_columns : collection of str
        Columns that tell rows apart, such as clusters: of numbers only where these tell as many.
    valid_names : collection of str
        What is a name among ``named`` although it is missing elsewhere, such as a report called NA.
    used : collection of str
        Columns that are computed with: one that holds numbers and something else is refused.
    reading : TableReading, optional
        How the table is read.

    Raises
    ------
    InputError
        If columns are given by something else than their names.
    DocumentError
        If it cannot be read, has a column twice or no row, or numbers stand beside other entries.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from askance.engines import table_columns
    >>> with TemporaryDirectory() as folder:
    ...     table = Path(folder, "tea.csv")
    ...     _ = table.write_text("rr.q1,age,urban\n1,31,TRUE\nNA,NA,FALSE\n")
    ...     table_columns(table, ["rr.q1"])
    {'rr.q1': ['1', None], 'age': [31.0, None], 'urban': [True, False]}
    """
    lists = {"named": named, "id_columns": id_columns, "valid_names": valid_names, "used": used}
    for where, names in lists.items():
        _refuse_unless_names(where, names)
    path = Path(source)
    if is_handed_over(source):
        own, valid = _read_handed_over(path), MISSING_CODES
        rest = (used, id_columns, str(path))
        return (
            _decode_columns(own, reading, named, valid, *rest, is_typed=True)
            if reading.decodes
            else own
        )
    kind = kind_of(source)
    if kind in (Kind.LINES, Kind.LABELLED):
        is_lines = kind is Kind.LINES
        typed = _read_lines(path) if is_lines else _read_frame(labelled_table(path, named=named))
        _refuse_no_rows(max(map(len, typed.values()), default=0), path)
        return _decode_columns(typed, reading, named, valid_names, used, id_columns, str(path))
    if kind not in (Kind.TABLE, Kind.PARQUET, Kind.RESULTS, Kind.WORKBOOK):
        raise DocumentError(str(source), got=kind.value, allowed="a table")
    table = text_table(path, named, reading)
    _refuse_no_rows(len(table.rows), path)
    columns = {name: table.cells(i) for i, name in enumerate(table.header) if name not in named}
    others = OtherColumns(cells=columns, where=str(path), form=table.form, rows=table.numbers)
    return {
        name: _read_names([row[i] for row in table.rows], name, table, reading, valid_names, path)
        if name in named
        else others.read(name, reading, is_identifier=name in id_columns, is_used=name in used)
        for i, name in enumerate(table.header)
    }


def _refuse_no_rows(rows: int, path: Path) -> None:
    if not rows:
        raise DocumentError(str(path), got="no rows", allowed="a row for each report")


def _refuse_unless_names(where: str, names: Any) -> None:
    is_list = isinstance(names, Collection) and not isinstance(names, str | bytes | Mapping)
    if not (is_list and all(isinstance(name, str) for name in names)):
        raise InputError(f"table_columns.{where}", got=names, allowed="a list of names")


def _read_names(
    cells: Sequence[str],
    name: str,
    table: TextTable,
    reading: TableReading,
    valid_names: Collection[str],
    path: Path,
) -> list[Any]:
    """Read a column as names, which stand for what the reading says."""
    decoded, where = {}, f"{path}: column {name!r}"
    is_export = RESPONDENT in table.header
    for cell in {*cells}:
        plain_cell = cell
        if table.is_guarded:
            plain_cell = unescape_formula(cell, valid_names, where, is_guarded=is_export)
        decoded[cell] = decode_cell(reading, name, plain_cell, valid_names, is_report=True)
    return [decoded[cell] for cell in cells]


def _decode_columns(
    columns: Columns,
    reading: TableReading,
    named: Collection[str],
    valid_names: Collection[str],
    used: Collection[str],
    id_columns: Collection[str],
    where: str,
    *,
    is_typed: bool = False,
) -> Columns:
    """Decode columns that have types of their own; texts are read as in a table of text."""
    refuse_unknown_columns(reading, list(columns), where)
    form = format_of_texts(reading)
    decoded: Columns = {}
    for name, column in columns.items():
        values: Sequence[Any] = column
        if reading.decodes or str in {*map(type, column)}:
            names = valid_names if name in named or valid_names is MISSING_CODES else ()
            values = [
                decode_cell(reading, name, cell, names, is_report=name in named) for cell in column
            ]
        own = reading.columns.get(name)
        is_alike = (own is None or own.kind is None) and bool(find_alike_kinds(values))
        if is_alike and (name in id_columns or name in used):
            refuse_alike_kinds(values, f"{where}: column {name!r}")
        has_text = not is_typed and str in {*map(type, values)}
        if name not in named and (has_text or (own is not None and own.kind is not None)):
            texts = [write_text(value, form) for value in values]
            rows, is_key = range(1, len(texts) + 1), name in id_columns
            read = read_column(texts, name, reading, form, rows=rows, is_identifier=is_key)
            if name in used:
                refuse_odd(name, read, where, form)
            if not (is_alike or (read.odd and read.kind is ColumnKind.NAME)):
                values = read.values
        decoded[name] = values
    return decoded


def write_text(value: Any, form: TextFormat) -> str:
    """Write a value as a text of its file would have it.

    >>> write_text(1.5, TextFormat(decimal=",")), write_text(None, PLAIN)
    ('1,5', '')
    """
    if value is None or isinstance(value, str):
        return value or ""
    text = cell_text(value)
    return text if isinstance(value, bool) else form.write_number(text)


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


def text_table(
    path: Path, wanted: Collection[str] = (), reading: TableReading = AUTOMATIC
) -> TextTable:
    """Read a table of any kind as text: its header, rows of as many cells, and where they stand.

    What a survey platform has exported has a row for each person.

    Raises
    ------
    DocumentError
        If it cannot be read, has two columns of one name, a row has another number of cells than
        the header, or an export has several values of one person in a wanted column.
    """
    kind = kind_of(path)
    if kind is Kind.LINES:
        return _text_of_lines(path, reading)
    table = read_text_table(path, kind, reading)
    table.refuse_unclear(wanted, path)
    return table


def _text_of_lines(path: Path, reading: TableReading) -> TextTable:
    """Read JSON Lines as a table of texts; refuse cells of two kinds that look the same."""
    lines = list(read_lines(path))
    columns, form = _read_lines(path), format_of_texts(reading)
    refuse_unknown_columns(reading, list(columns), str(path))
    for name, cells in columns.items():
        if reading.columns.get(name, ColumnReading()).kind is None:
            refuse_alike_kinds(cells, f"{path}: column {name!r}")
    texts = [[write_text(cell, form) for cell in cells] for cells in columns.values()]
    places = [f"line {number}" for number, _ in lines]
    rows = list(zip(*texts, strict=True))
    return TextTable(list(columns), rows, places, form=form, is_guarded=False)


def codes_of(columns: Sequence[Any], n: int) -> tuple[list[tuple[Any, ...]], Integers]:
    """Number the groups of n rows by columns of groups; without one all are of one group."""
    if not columns:
        return [()], np.zeros(n, dtype=np.int64)
    aligned = [read_aligned_column(column, n, "tally.by") for column in columns]
    for column in aligned:
        refuse_truths_among_numbers(column)
    rows = zip(*aligned, strict=True)
    codes: dict[Any, int] = {}
    try:
        row_codes = [codes.setdefault(row, len(codes)) for row in rows]
    except TypeError as error:
        raise InputError("tally.by", got="lists", allowed="texts, numbers or dates") from error
    return list(codes), np.array(row_codes, dtype=np.int64)


def list_cells(column: Any) -> Any:
    """List the cells of a column of a library's own; anything else is left as it is."""
    methods = (getattr(column, name, None) for name in ("tolist", "to_list", "to_pylist"))
    method: Any = next(filter(callable, methods), None)
    if method is None:
        return column
    return list_singles(method()) if holds_singles(column) else method()


def read_aligned_column(values: Any, n: int, where: str) -> list[Any]:
    """Read a column that has a value for each report."""
    cells = list_cells(values)
    cells = list(cells) if isinstance(cells, tuple) else cells
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


def decode_at_hand(values: Any, reading: TableReading, name: str = "") -> Any:
    """Decode a column of reports that is at hand.

    >>> decode_at_hand([1, "no"], TableReading(recode={"1": "yes"}))
    ['yes', 'no']
    """
    if not reading.decodes:
        return values
    return [
        decode_cell(reading, name, plain(cell), MISSING_CODES, is_report=True)
        for cell in list_cells(values)
    ]


def find_wrong_group(
    wrong: GroupedRows, others: Iterable[GroupedRows], is_right: Callable[[Any], bool]
) -> GroupedRows:
    """Find the group with a wrong last cell that an error names, the same one every time.

    Engines give groups in any order. The one that was met first is `wrong`; `others` come after it.
    """
    all_wrong = [wrong, *(group for group in others if not is_right(group.cells[-1]))]
    return min(all_wrong, key=lambda group: [str(cell) for cell in reversed(group.cells)])


def first_row(
    paths: Sequence[Path], kind: Kind, column: str, value: Any, reading: TableReading = AUTOMATIC
) -> str:
    """Say in which file and row a value first stands in a column; nothing if it stands in none.

    Rows are numbered as an editor shows them: of a CSV table the header is row 1.

    >>> path = Path("examples/affairs-answers.csv")
    >>> first_row([path], Kind.TABLE, "affair", "yes")
    "examples/affairs-answers.csv: row 2, column 'affair'"
    """
    for path in paths:
        if kind is Kind.LINES:
            line = _line_of(path, column, value)
            where = "" if line is None else f"line {line}"
        elif kind is Kind.LABELLED:
            number = _row_of_labels(path, column, value)
            where = "" if number is None else f"row {number}"
        else:
            where = _place_in_text(path, kind, column, value, reading)
        if where:
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


def _place_in_text(path: Path, kind: Kind, column: str, value: Any, reading: TableReading) -> str:
    """Say where a table of text, or of Parquet, has a value first; nothing where it has none."""
    if kind is Kind.PARQUET and not isinstance(value, str):
        number = _row_of_parquet(path, column, value)
        return "" if number is None else f"row {number}"
    table = read_text_table(path, kind)
    position = list(table.header).index(column)
    for cells, place in zip(table.rows, table.places, strict=True):
        cell = unescape_formula(cells[position]) if table.is_guarded else cells[position]
        decoded = decode_cell(reading, column, cell, is_report=True)
        if value in (cell, cells[position], decoded):
            return place
    return ""


def _line_of(path: Path, column: str, value: Any) -> int | None:
    for number, record in read_lines(path):
        cell = _plain_cell(record.get(column))
        if type(cell) is type(value) and cell == value:
            return number
    return None


def _row_of_parquet(path: Path, column: str, value: Any) -> int | None:
    with open_engine() as engine, name_failing_file(path):
        table = engine.read_parquet(
            escape_pattern(path), hive_partitioning=True, file_row_number=True
        )
        table = decode_parquet(table)
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


def _read_lines(path: Path) -> Columns:
    """Read a line for each row; a key that a line has not is missing there."""
    rows = [record for _, record in read_lines(path)]
    if not rows:
        raise DocumentError(str(path), got="no lines", allowed="a line for each report")
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [_plain_cell(row.get(name)) for row in rows] for name in names}


def _plain_cell(value: Any) -> Any:
    if isinstance(value, list | dict):
        return json.dumps(value)
    return None if is_missing(value) else value


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
