"""Rows that are equal in some columns, counted by the engine that holds them.

A file is read by DuckDB, a data frame by its own library, a cluster's by the cluster: one narwhals
expression for all of them. Only counts, and sums of weights, leave the engine.
"""

import codecs
import csv
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache, partial
from importlib import import_module
from itertools import islice, repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, final

import numpy as np

from askance.channels.channel import Channel
from askance.channels.written_values import refuse_alike_kinds, refuse_truths_among_numbers
from askance.engines.files import Kind, TextTable, escape_pattern, export_at, plain_text_table
from askance.engines.labelled_files import (
    labelled_names,
    labelled_rows,
    labelled_table,
    refuse_padded,
    single_columns,
    workbook_rows,
)
from askance.engines.reading import (
    AUTOMATIC,
    MISSING_CODES,
    PLAIN,
    ColumnKind,
    ColumnReading,
    TableReading,
    TextFormat,
    decide_format,
    decode_cell,
    format_of_texts,
    missing_codes,
    open_bytes,
    open_rows,
    read_column,
    refuse_odd,
    refuse_repeated_columns,
    refuse_unknown_columns,
    whole_text,
)
from askance.results import counted, is_missing
from askance_collect.errors import (
    AskanceError,
    DocumentError,
    Fault,
    InputError,
    MissingExtra,
    nearest,
)
from askance_collect.wire.canonical_json import (
    RESPONDENT,
    unescape_formula,
    unguard_formula,
    unique_members,
)

_Counted = TypeVar("_Counted")
_BEGINNING = 10  # rows
_LISTED = 20  # names of columns in a message
_WITH_ZONE = "TIMESTAMP WITH TIME ZONE"


@final
class GroupedRows(NamedTuple):
    """Rows that are equal in the columns that were asked for.

    Attributes
    ----------
    cells : tuple
        What stands there; None where nothing does.
    rows : int
        How many there are.
    weight, square : float
        Σ w and Σ w²; 0 without weights.
    weightless : int
        Of the rows, how many have a weight of 0.
    """

    cells: tuple[Any, ...]
    rows: int
    weight: float
    square: float
    weightless: int = 0


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """What is counted.

    Attributes
    ----------
    keys : tuple of str
        The columns by which rows are grouped.
    weights : str or None
        The column of sampling weights.
    numbers : bool
        Whether the keys are numbers, such as the ends of ranges; otherwise the last is a name.
    names : tuple of str
        Names that are none of what else is missing, such as a report called NA.
    first : int
        Of the keys, how many may be anything.
    most : int or None
        More distinct rows than so many need not be brought here: some are then wrong.
    where : str
        What a message calls it.
    reading : TableReading
        How tables are read, and what entries stand for.
    is_file : bool
        Whether texts may be missing codes, as in any file.
    """

    keys: tuple[str, ...]
    weights: str | None
    numbers: bool = False
    names: tuple[str, ...] = ()
    first: int = 0
    most: int | None = None
    where: str
    reading: TableReading = AUTOMATIC
    is_file: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are read."""
        return self.keys if self.weights is None else (*self.keys, self.weights)


def engines() -> tuple[Any, Any]:
    """Load the embedded engine, and the expressions that it and others carry out."""
    try:
        import duckdb
        import narwhals
    except ImportError as error:
        raise MissingExtra("duckdb or narwhals", "engines") from error
    return duckdb, narwhals


def open_engine() -> Any:
    """Open an engine that fetches nothing from anywhere."""
    return engines()[0].connect(
        config={"autoinstall_known_extensions": False, "autoload_known_extensions": False}
    )


def parts_of(source: Any) -> Iterator[Any] | None:
    """List the parts of an iterator or of a record-batch reader."""
    arrow = sys.modules.get("pyarrow")
    if arrow is not None and isinstance(source, arrow.RecordBatchReader):
        return (arrow.Table.from_batches([batch]) for batch in source)
    return source if isinstance(source, Iterator) else None


def table_of(part: Any) -> Any:
    """Recognise a table of any library; None for a column."""
    arrow = sys.modules.get("pyarrow")
    columns = () if arrow is None else (arrow.Array, arrow.ChunkedArray)
    if isinstance(part, (list, tuple, np.ndarray, *columns)):
        return None
    if arrow is not None and isinstance(part, arrow.RecordBatch):
        part = arrow.Table.from_batches([part])
    _refuse_repeated_names(part)
    nw = engines()[1]
    frame = nw.from_native(part, pass_through=True)
    return frame if isinstance(frame, nw.DataFrame | nw.LazyFrame) else None


def _refuse_repeated_names(part: Any) -> None:
    """Refuse a frame of pandas with two columns of one name, or names of several levels."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(part, pandas.DataFrame):
        return
    if part.columns.nlevels > 1:
        raise InputError(
            "table",
            got=f"names of columns in {part.columns.nlevels} levels",
            allowed="one name for each column",
            remedy='data.columns = data.columns.map("_".join)',
        )
    repeated = part.columns[part.columns.duplicated()]
    if len(repeated):
        raise InputError("table", got=f"two columns {repeated[0]!r}", allowed="one each")


def file_columns(paths: Sequence[Path], kind: Kind, reading: TableReading = AUTOMATIC) -> list[str]:
    """Name the columns of files, as the first of them says.

    Raises
    ------
    DocumentError
        If it cannot be read.
    """
    _refuse_uncounted(paths, kind)
    if kind in _TEXTS:
        return list(text_header(paths[0], kind, reading))
    if kind is Kind.LABELLED:
        return labelled_names(paths[0])
    with open_engine() as engine, name_failing_file(paths[0]), _unmarked_lines(paths) as files:
        if kind is Kind.PARQUET:
            return list(_parquet(engine, paths[:1]).columns)
        query = "SELECT DISTINCT unnest(json_keys(json)) FROM read_ndjson_objects(?)"
        return sorted(name for (name,) in engine.execute(query, [files]).fetchall())


def file_groups(paths: Sequence[Path], kind: Kind, grouping: Grouping) -> list[GroupedRows]:
    """Count the rows of files.

    Raises
    ------
    DocumentError
        If one cannot be read or lacks a column.
    """
    _refuse_uncounted(paths, kind)
    grouping = replace(grouping, is_file=True)
    count = {
        Kind.LINES: _json_groups,
        Kind.PARQUET: _parquet_groups,
        Kind.LABELLED: _labelled_groups,
    }
    if kind in _TEXTS:
        return _text_groups(paths, kind, grouping)
    return count[kind](paths, grouping)


def _refuse_uncounted(paths: Sequence[Path], kind: Kind) -> None:
    if kind in (Kind.STORE, Kind.COUNTED):
        raise DocumentError(
            str(paths[0]),
            got=kind.value,
            allowed="files of Parquet, CSV, JSON Lines, SPSS or Stata, or workbooks",
        )


def frame_groups(frame: Any, grouping: Grouping) -> Iterator[GroupedRows]:
    """Count the rows of a data frame of any library that narwhals knows, where they are.

    Raises
    ------
    InputError
        If it lacks a column, or one is of the wrong kind.
    """
    schema = frame.collect_schema()
    find_columns_of(list(schema.names()), grouping.columns, grouping.where)
    for name in grouping.keys[grouping.first :]:
        wrong = schema[name].is_numeric() or schema[name].is_temporal() or _is_truth(schema[name])
        if wrong and not (grouping.numbers or grouping.reading.decodes):
            raise InputError(
                f"{grouping.where}: column {name!r}",
                got=f"a column of {schema[name]}",
                allowed="a column of names",
                remedy="numbers and truth values are no positions: name them first",
                fault=Fault.NOT_A_REPORT,
            )
    for name in grouping.keys:
        cells = _list_objects(frame, name, schema[name])
        if schema[name].is_nested() or any(isinstance(cell, list | dict | set) for cell in cells):
            raise InputError(
                f"{grouping.where}: column {name!r}",
                got=f"a column of {schema[name]}",
                allowed="a column with one value in each row",
            )
        refuse_truths_among_numbers(cells)
    numbers = grouping.keys[grouping.first :] if grouping.numbers else ()
    for name in (*numbers, *([grouping.weights] if grouping.weights is not None else [])):
        if not (schema[name].is_numeric() or str(schema[name]) == "Unknown"):
            raise InputError(
                f"{grouping.where}: column {name!r}",
                got=f"a column of {schema[name]}",
                allowed="a column of numbers",
            )
    nw = engines()[1]
    singles = [name for name in dict.fromkeys(grouping.columns) if schema[name] == nw.Float32]
    written = (nw.col(name).cast(nw.String).cast(nw.Float64) for name in singles)
    frame = frame.with_columns(*written) if singles else frame
    yield from _groups(frame, grouping.keys, grouping.weights, grouping)


def _list_objects(frame: Any, name: str, dtype: Any) -> list[Any]:
    """List the cells of a column of Python objects; none of a column of one type."""
    is_mixed = str(dtype) == "Object" and hasattr(frame, "get_column")
    return list(frame.get_column(name).to_list()) if is_mixed else []


def find_columns_of(names: Sequence[str], wanted: Sequence[str], where: str) -> None:
    """Refuse a table that lacks a column or has it twice.

    Raises
    ------
    InputError
        Which names the columns that there are.
    """
    for name in wanted:
        if list(names).count(name) != 1:
            listed = ", ".join(names[:_LISTED]) + (", …" if len(names) > _LISTED else "")
            remedy = nearest(name, tuple(names)) if name not in names else ""
            raise InputError(
                where,
                got=f"{'two columns' if name in names else 'no column'} {name!r}",
                allowed=f"one of the columns {listed}" if names else "at least one row",
                remedy="separate cells by commas" if {";", "\t"} & {*"".join(names)} else remedy,
            )


def _is_truth(dtype: Any) -> bool:
    return str(dtype) == "Boolean"


def _groups(
    frame: Any, keys: Sequence[str], weights: str | None, grouping: Grouping
) -> Iterator[GroupedRows]:
    """The one expression: group rows by columns, and count and sum in each group."""
    nw = engines()[1]
    named = [nw.col(name).alias(f"key {i}") for i, name in enumerate(keys)]
    if grouping.numbers:
        named[grouping.first :] = [column.cast(nw.Float64) for column in named[grouping.first :]]
    elif frame.implementation.is_pyarrow():
        schema = frame.collect_schema()
        named = [
            _decode_dictionary(column, schema[key]) for column, key in zip(named, keys, strict=True)
        ]
    sums = [nw.len().alias("rows")]
    if weights is not None:
        weight = nw.col(weights).cast(nw.Float64)
        named += [weight.alias("weight"), (weight * weight).alias("square")]
        named += [(weight == 0).cast(nw.Int64).alias("weightless")]
        sums += [
            nw.col("weight").count().alias("weighed"),
            nw.col("weight").sum(),
            nw.col("square").sum(),
            nw.col("weight").min().alias("least"),
            nw.col("weightless").sum(),
        ]
    table = frame.select(*named).group_by(*(f"key {i}" for i in range(len(keys)))).agg(*sums)
    if grouping.most is not None:
        table = table.head(grouping.most)
    for row in fetch_rows(table):
        cells = tuple(map(_decoded, grouping.keys, row[: len(keys)], repeat(grouping)))
        yield _group(cells, row[len(keys) :], grouping)


def _decoded(name: str, cell: Any, grouping: Grouping) -> Any:
    """Give what a cell stands for; None where it is missing."""
    if not (grouping.reading.decodes or (grouping.is_file and isinstance(cell, str))):
        return None if is_missing(cell) else cell
    is_report = name in grouping.keys[grouping.first :]
    names = grouping.names if grouping.is_file else MISSING_CODES
    return decode_cell(grouping.reading, name, cell, names, is_report=is_report)


def _decode_dictionary(column: Any, dtype: Any) -> Any:
    """Read a dictionary of pyarrow as text: its chunks need not agree on the codes."""
    nw = engines()[1]
    return column.cast(nw.String) if str(dtype) in ("Categorical", "Enum") else column


def fetch_rows(table: Any) -> Iterator[Any]:
    """Bring the few rows of a result here, without another library where the engine can."""
    if table.implementation.is_duckdb():
        rows = table.to_native().fetchall()
    elif table.implementation.is_pyspark() or table.implementation.is_pyspark_connect():
        rows = table.to_native().collect()
    else:
        nw = engines()[1]
        rows = (table.collect() if isinstance(table, nw.LazyFrame) else table).rows()
    yield from rows


def _group(cells: tuple[Any, ...], sums: Sequence[Any], grouping: Grouping) -> GroupedRows:
    count = int(sums[0])
    if len(sums) == 1:
        return GroupedRows(cells, count, 0.0, 0.0)
    weighed, weight, square, least, weightless = (float(value or 0) for value in sums[1:])
    if weighed == count and least >= 0 and square < float("inf"):  # NaN is in no order
        return GroupedRows(cells, count, weight, square, int(weightless))
    fault = "a weight that is infinite or no number"
    if weighed < count:
        fault = counted(count - int(weighed), "missing weight")
    elif least < 0:
        fault = f"weights of {least:g}"
    raise InputError(
        f"{grouping.where}: column {grouping.weights!r}",
        got=fault,
        allowed="finite weights in [0, ∞), none missing",
    )


@contextmanager
def name_failing_file(where: object) -> Iterator[None]:
    """Name the file where the engine fails on it, in words of our own."""
    try:
        yield
    except engines()[0].ConversionException as error:
        fault, allowed = "a cell that is no number", "numbers, where numbers are counted"
        if "decode" in str(error):
            fault, allowed = "bytes that are no UTF-8", "text, also as bytes in UTF-8"
        raise DocumentError(str(where), got=fault, allowed=allowed) from error
    except engines()[0].Error as error:
        raise DocumentError(
            str(where),
            got="a file that is damaged, cut off or of another kind",
            allowed="a whole file of its kind, with the same columns in all its rows",
        ) from error


def _parquet(
    engine: Any, paths: Sequence[Path], columns: Sequence[str] = (), coded: Sequence[str] = ()
) -> Any:
    """Read files as one table; what their folders say, ``town=a``, is a column too.

    A column that files have of several types is of one that holds the values of all: else those
    of the first would round the others' numbers. What some files have, none may lack.
    """
    files, several = [escape_pattern(path) for path in paths], len(paths) > 1
    _refuse_repeated(engine, paths)
    if several:
        query = "SELECT file_name, list(name) FROM parquet_schema(?) GROUP BY ALL ORDER BY ALL"
        names = engine.execute(query, [files]).fetchall()
        all_columns = {name for _, own_columns in names for name in own_columns}
        for path, own_columns in names:
            find_columns_of(
                own_columns,
                [column for column in columns if column in all_columns - {*own_columns}],
                path,
            )
    table = engine.read_parquet(files, hive_partitioning=True, union_by_name=several)
    return decode_parquet(table, coded)


def decode_parquet(table: Any, coded: Sequence[str] = ()) -> Any:
    """Decode columns of bytes as text, of 32 bits as the numbers that were written: .1 is .1.

    Reports of a frequency oracle that are coded as bits stay bytes.

    >>> with open_engine() as engine:
    ...     decode_parquet(engine.sql("SELECT 'a'::BLOB AS a, .1::FLOAT AS b")).fetchall()
    [('a', 0.1)]
    """
    columns = list(zip(table.columns, map(str, table.types), strict=True))
    if not any(kind in _AS_VALUE for _, kind in columns):
        return table
    decoders = ["{}" if name in coded else _AS_VALUE.get(kind, "{}") for name, kind in columns]
    quoted = [quote_name(name) for name, _ in columns]
    return table.project(
        ", ".join(
            f"{decoder.format(name)} AS {name}"
            for name, decoder in zip(quoted, decoders, strict=True)
        )
    )


def _parquet_groups(paths: Sequence[Path], grouping: Grouping) -> list[GroupedRows]:
    with open_engine() as engine, name_failing_file(_name_paths(paths)):
        table = _parquet(engine, paths, grouping.columns)
        return list(frame_groups(engines()[1].from_native(table), grouping))


def _labelled_groups(paths: Sequence[Path], grouping: Grouping) -> list[GroupedRows]:
    """Count file by file: labels of values are what the reports are called."""
    named = () if grouping.numbers else grouping.keys[grouping.first :]
    refuse_padded(grouping.names, paths[0])
    groups: list[GroupedRows] = []
    for path in paths:
        table = labelled_table(path, named=named)
        find_columns_of(list(table.columns), grouping.columns, str(path))
        if len(table):
            frame = engines()[1].from_native(table)
            groups += frame_groups(frame, replace(grouping, where=str(path)))
    return groups


def file_parts(paths: Sequence[Path], grouping: Grouping, rows: int) -> Iterator[Any]:
    """Read the columns of Parquet so many rows at a time, as tables of pyarrow.

    Raises
    ------
    DocumentError
        If one cannot be read.
    """
    with open_engine() as engine, name_failing_file(_name_paths(paths)):
        table = _parquet(engine, paths, grouping.columns, coded=grouping.keys[-1:])
        yield from relation_parts(table, grouping, rows)


def relation_parts(relation: Any, grouping: Grouping, rows: int) -> Iterator[Any]:
    """Read the columns of a DuckDB relation so many rows at a time, as tables of pyarrow.

    Raises
    ------
    AskanceError
        If pyarrow is not installed, which no extra brings, or a column is missing.
    """
    arrow = with_arrow()
    find_columns_of(list(relation.columns), grouping.columns, grouping.where)
    projection = relation.project(", ".join(map(quote_name, grouping.columns)))
    batches = (
        projection.to_arrow_reader
        if hasattr(projection, "to_arrow_reader")
        else projection.fetch_arrow_reader
    )
    for batch in batches(rows):
        yield arrow.Table.from_batches([batch])


def with_arrow() -> Any:
    """Load pyarrow, which no extra brings.

    Raises
    ------
    AskanceError
        If it is not installed.
    """
    try:
        return import_module("pyarrow")
    except ImportError as error:
        raise AskanceError("pyarrow is not installed", remedy="run: pip install pyarrow") from error


def quote_name(name: str) -> str:
    """Write the name of a column as text of SQL.

    >>> quote_name("rr.q1")
    '"rr.q1"'
    """
    return '"' + name.replace('"', '""') + '"'


def _name_paths(paths: Sequence[Path]) -> str:
    more = len(paths) - 1
    return f"{paths[0]} and {more:,} more" if more else str(paths[0])


_TEXTS = (Kind.TABLE, Kind.RESULTS, Kind.WORKBOOK)
"""Files whose cells are text."""


def read_text_table(path: Path, kind: Kind, reading: TableReading = AUTOMATIC) -> TextTable:
    """Read a file of any kind that is a table as text, with the places of its rows.

    Raises
    ------
    DocumentError
        If it cannot be read, has two columns of one name, or lacks a column that the reading names.
    """
    form = format_of_texts(reading)
    if kind in (Kind.PARQUET, Kind.LABELLED):
        read = parquet_rows if kind is Kind.PARQUET else labelled_rows
        header, rows = read(path, form.write_number)
        places = [f"row {number}" for number in range(1, len(rows) + 1)]
        table = TextTable(header, rows, places, form=form, is_guarded=False)
    elif kind is Kind.WORKBOOK:
        header, rows, numbers = workbook_rows(path, reading.sheet, form.write_number)
        places = [f"row {number}" for number in numbers]
        table = TextTable(header, rows, places, form=form, is_guarded=False)
    else:
        table = export_at(path, reading) or plain_text_table(path, reading)
    _check_header(table.header, path, reading)
    return table


def columns_of_32_bits(path: Path, kind: Kind) -> list[str]:
    """Name the columns of a file that hold numbers of 32 bits, which are read as written.

    Raises
    ------
    DocumentError
        If it cannot be read.
    """
    if kind is Kind.LABELLED:
        return single_columns(path)
    if kind is not Kind.PARQUET:
        return []
    with open_engine() as engine, name_failing_file(path):
        table = engine.read_parquet(escape_pattern(path))
        kinds = zip(table.columns, map(str, table.types), strict=True)
        return [name for name, column_kind in kinds if column_kind == "FLOAT"]


def text_header(path: Path, kind: Kind, reading: TableReading = AUTOMATIC) -> Sequence[str]:
    """Read the names of a table's columns.

    Raises
    ------
    DocumentError
        If there is none, or as in `read_text_table`.
    """
    export = None if kind is Kind.WORKBOOK else export_at(path, reading)
    if kind is Kind.WORKBOOK:
        header: Sequence[str] = read_text_table(path, kind, reading).header
    elif export is not None:
        header = export.header
    else:
        with open_rows(path, decide_format(path, reading)) as rows:
            beginning = list(islice(rows, _BEGINNING))  # whose widths are looked at
            _, header = beginning[0] if beginning else (1, [])
    _check_header(header, path, reading)
    return header


def _check_header(header: Sequence[str], path: Path, reading: TableReading) -> None:
    if not any(map(str.strip, header)):
        got = "a header without names" if header else "an empty file"
        raise DocumentError(str(path), got=got, allowed="a table with a header")
    refuse_repeated_columns(header, str(path))
    refuse_unknown_columns(reading, header, str(path))


def open_text_relation(
    engine: Any,
    path: Path,
    kind: Kind,
    reading: TableReading,
    missing: Sequence[str],
    numbers: Sequence[str] = (),
    *,
    is_direct: bool = True,
) -> Any:
    """Open a file as a relation of text in columns c0, c1 and so on, nothing where it is missing.

    An engine reads text that is UTF-8 itself; anything else is decoded here and handed over.

    Parameters
    ----------
    engine : DuckDB connection
    path : Path
    kind : Kind
    reading : TableReading or None
    missing : sequence of str
        Cells that hold no value, whatever the column.
    numbers : sequence of str
        Columns of numbers, which are handed over with a point.
    is_direct : bool
        Whether the engine may read text itself.
    """
    if kind is Kind.PARQUET:
        table = parquet_text(engine, path)
        names = [f"{quote_name(name)} AS c{i}" for i, name in enumerate(table.columns)]
        return table.project(", ".join(names))
    is_direct = is_direct and kind is Kind.TABLE and export_at(path, reading) is None
    if is_direct and (form := decide_format(path, reading)).is_plain:
        coded = numbers and reading.decodes
        header = text_header(path, kind, reading)
        if not coded and not form.ambiguous and _reads_alike(path, form.separator, len(header)):
            relation = _csv_relation(engine, path, form, len(header), missing)
            return _without_underscores(relation, header, numbers)
    return _hand_over(
        engine, read_text_table(path, kind, reading), reading, missing, numbers, str(path)
    )


def _csv_relation(
    engine: Any, path: Path, form: TextFormat, width: int, missing: Sequence[str]
) -> Any:
    return engine.read_csv(
        escape_pattern(path),
        auto_detect=False,
        columns={f"c{i}": "VARCHAR" for i in range(width)},
        header=True,
        skiprows=form.skip,
        delimiter=form.separator,
        quotechar='"',
        escapechar='"',
        compression="gzip" if path.suffix.lower() == ".gz" else "none",
        hive_partitioning=False,
        na_values=list(missing),
    )


def _without_underscores(relation: Any, header: Sequence[str], numbers: Sequence[str]) -> Any:
    """Refuse underscores in numbers, which the engine passes over."""
    if not numbers:
        return relation
    return relation.project(
        ", ".join(
            f"{_NO_UNDERSCORE.format(f'c{i}')} AS c{i}" if name in numbers else f"c{i}"
            for i, name in enumerate(header)
        )
    )


_NO_UNDERSCORE = "CASE WHEN contains({0}, '_') THEN error('no number') ELSE {0} END"


_LINE_END = {b"\n": re.compile(rb"\n"), b"\r": re.compile(rb"\r(?!\n)")}


def _reads_alike(path: Path, separator: str, width: int) -> bool:
    """Whether the engine splits this text into cells as `open_rows` does.

    It passes over one separator too many at the end of a row, over blanks behind a quote, and mixes
    cells up where rows end in several ways.
    """
    stat = path.stat()
    return _is_split_alike(path, stat.st_mtime_ns, stat.st_size, separator.encode(), width)


@lru_cache(64)
def _is_split_alike(path: Path, _changed: int, _size: int, separator: bytes, width: int) -> bool:
    blanks = b" " if separator == b"\t" else b" \t"
    odd = re.compile(rb'"[%b]+[%b\r\n]|"[%b]+\Z' % (blanks, separator, blanks))
    ending = re.compile(rb"%b(?=[\r\n]|\Z)" % re.escape(separator))
    with whole_text(path), open_bytes(path) as file:
        rest, ends = b"", set[bytes]()
        while part := file.read(1 << 24):
            text = rest + part
            rest = text[max(text.rfind(b"\n"), text.rfind(b"\r")) + 1 :]
            lines = text[: len(text) - len(rest)]
            ends |= {end for end in (b"\n", b"\r") if _LINE_END[end].search(lines)}
            if len(ends) > 1 or odd.search(lines) or _has_wide_row(lines, ending, separator, width):
                return False
    return not (odd.search(rest) or _has_wide_row(rest, ending, separator, width))


def _has_wide_row(text: bytes, ending: re.Pattern[bytes], separator: bytes, width: int) -> bool:
    """Whether a row that ends with a separator may have more cells than the header."""
    if not ending.search(text):
        return False
    for line in text.splitlines():
        if not line.endswith(separator) or line.count(separator) < width:
            continue
        quotes = line.count(b'"')
        if not quotes or quotes % 2 or _count_cells(line, separator) > width:
            return True
    return False


def _count_cells(line: bytes, separator: bytes) -> int:
    rows = csv.reader([line.decode("utf-8", "replace")], delimiter=separator.decode())
    return len(next(rows, []))


def _hand_over(
    engine: Any,
    table: TextTable,
    reading: TableReading,
    missing: Sequence[str],
    numbers: Sequence[str],
    where: str,
) -> Any:
    """Hand rows over as text, in columns that are named as those of a CSV table."""
    columns: list[Any] = list(zip(*table.rows, strict=True)) or [()] * len(table.header)
    for i, name in enumerate(table.header):
        if name in numbers:
            columns[i] = read_numbers(table, i, reading, where)
        else:
            columns[i] = [None if cell in missing else cell for cell in columns[i]]
    lists = ", ".join(f"unnest(CAST(? AS VARCHAR[])) AS c{i}" for i in range(len(columns)))
    return engine.sql(f"SELECT {lists}", params=columns)


def read_numbers(
    table: TextTable, position: int, reading: TableReading, where: str
) -> list[str | None]:
    """Read a column of numbers as text with a point; refuse all entries that are none.

    Raises
    ------
    DocumentError
        With every odd entry, how often it stands there and where first.
    """
    name, cells = table.header[position], [row[position] for row in table.rows]
    column = read_column(cells, name, as_numbers(reading, name), table.form, rows=table.numbers)
    refuse_odd(name, column, where, table.form)
    return [None if value is None else repr(value) for value in column.values]


def as_numbers(reading: TableReading, name: str) -> TableReading:
    """Give the reading in which a column holds numbers, whatever its cells are."""
    own = replace(reading.columns.get(name, ColumnReading()), kind=ColumnKind.NUMBER)
    return replace(reading, columns={**reading.columns, name: own})


def _text_groups(paths: Sequence[Path], kind: Kind, grouping: Grouping) -> list[GroupedRows]:
    """Count file by file: each says in which order its columns stand."""
    groups, reading = [], grouping.reading
    for path in paths:
        export = export_at(path, reading)
        if export is not None:
            export.refuse_unclear(grouping.columns, path)
        header = text_header(path, kind, reading)
        find_columns_of(header, grouping.columns, str(path))
        table = {name: f"c{list(header).index(name)}" for name in grouping.columns}
        weights = None if grouping.weights is None else table[grouping.weights]
        numbers = [] if grouping.weights is None else [grouping.weights]
        numbers += grouping.keys[grouping.first :] if grouping.numbers else []
        columns = [table[name] for name in grouping.keys], weights, numbers
        try:
            groups += _text_file_groups(path, kind, grouping, *columns, is_direct=True)
        except DocumentError:
            text = read_text_table(path, kind, reading)  # which says what is wrong, and where
            for name in numbers:
                read_numbers(text, list(text.header).index(name), reading, str(path))
            groups += _text_file_groups(path, kind, grouping, *columns, is_direct=False)
    return groups


def _text_file_groups(
    path: Path,
    kind: Kind,
    grouping: Grouping,
    keys: Sequence[str],
    weights: str | None,
    numbers: Sequence[str],
    *,
    is_direct: bool,
) -> list[GroupedRows]:
    """Count a table of text, which the engine reads itself or is handed."""
    missing = missing_codes(grouping.names)
    with open_engine() as engine, name_failing_file(path):
        relation = open_text_relation(
            engine, path, kind, grouping.reading, missing, numbers, is_direct=is_direct
        )
        plain = replace(grouping, reading=AUTOMATIC, is_file=False)
        counted = _groups(engines()[1].from_native(relation), keys, weights, plain)
        is_guarded = kind is not Kind.WORKBOOK
        is_export = RESPONDENT in text_header(path, kind, grouping.reading)
        read = partial(_read_group, grouping, path, is_text=is_guarded, is_export=is_export)
        return list(map(read, counted))


def _read_group(
    grouping: Grouping, path: Path, group: GroupedRows, *, is_text: bool, is_export: bool
) -> GroupedRows:
    """Read cells of a table: an empty one is a blank, and an apostrophe guards a formula."""
    cells = []
    for name, cell in zip(grouping.keys, group.cells, strict=True):
        is_report = name in grouping.keys[grouping.first :]
        plain_cell = cell
        if is_text and isinstance(cell, str) and cell.startswith("'"):
            where = f"{path}: column {name!r}"
            plain_cell = (
                unescape_formula(cell, grouping.names, where, is_guarded=is_export)
                if is_report
                else unguard_formula(cell)
            )
        cells.append(None if plain_cell == "" else _decoded(name, plain_cell, grouping))
    return group._replace(cells=tuple(cells))


def parquet_text(engine: Any, path: Path) -> Any:
    """Read a file as text, nothing where nothing stands; what is no number is nothing, too."""
    _refuse_repeated(engine, [path])
    table = decode_parquet(engine.read_parquet(escape_pattern(path)))
    expressions = []
    for name, kind in zip(table.columns, table.types, strict=True):
        column = quote_name(name)
        text = _AS_TEXT.get(str(kind), "CAST({} AS VARCHAR)").format(column)
        expressions.append(f"{text} AS {column}")
    return table.project(", ".join(expressions))


_AS_TEXT = {
    "DOUBLE": "nullif(CAST({} AS VARCHAR), 'nan')",
    "BOOLEAN": "upper(CAST({} AS VARCHAR))",
}
"""How numbers and truth values are written as text."""

_AS_VALUE = {
    "BLOB": "decode({})",
    "FLOAT": "CAST(CAST({} AS VARCHAR) AS DOUBLE)",
    _WITH_ZONE: "CAST(make_timestamp(epoch_us({})) AS VARCHAR) || '+00'",
}
"""How bytes, numbers of 32 bits, and moments, which are of no one's place, are decoded."""


def _refuse_repeated(engine: Any, paths: Sequence[Path]) -> None:
    """Refuse files of Parquet with two columns of one name, which the engine would rename."""
    query = "SELECT name, coalesce(num_children, 0) FROM parquet_schema(?)"
    for path in paths:
        names, skip = list[str](), 0
        for name, children in engine.execute(query, [escape_pattern(path)]).fetchall()[1:]:
            if not skip:
                names.append(name)
            skip = max(skip - 1, 0) + children
        refuse_repeated_columns(names, str(path))
        _refuse_equal_but_for_case(names, str(path))


def _refuse_equal_but_for_case(names: Sequence[str], where: str) -> None:
    """Refuse columns whose names differ in capitals alone, which the engine would rename."""
    spelt: dict[str, str] = {}
    for name in names:
        other = spelt.setdefault(name.lower(), name)
        if other != name:
            raise DocumentError(
                where,
                got=f"the columns {other!r} and {name!r}, which differ in capitals alone",
                allowed="columns whose names differ in more, in Parquet",
                remedy="rename one of them, or save the table as .csv",
            )


def parquet_rows(
    path: Path, write_number: Callable[[str], str] = str
) -> tuple[list[str], list[list[str]]]:
    """Read a file of Parquet as text: its header, and its rows.

    Parameters
    ----------
    path : Path
    write_number : callable
        Writes the text of a number with a point as texts in the file have it.

    Raises
    ------
    DocumentError
        If it cannot be read.
    """
    with open_engine() as engine, name_failing_file(path):
        table = parquet_text(engine, path)
        typed = decode_parquet(engine.read_parquet(escape_pattern(path)))
        have_points = [kind.id in ("double", "decimal") for kind in typed.types]
        rows = [
            [
                "" if cell is None else write_number(cell) if has_point else cell
                for cell, has_point in zip(row, have_points, strict=True)
            ]
            for row in table.fetchall()
        ]
        return list(table.columns), rows


def _json_groups(paths: Sequence[Path], grouping: Grouping) -> list[GroupedRows]:
    """Count lines by the spelling of their values; a line that has no such key is a blank."""
    spelt = [f"json -> {_key(name)} AS c{i}" for i, name in enumerate(grouping.keys)]
    if grouping.weights is not None:
        spelt.append(
            f"CAST({_weight_query(grouping.weights, grouping.reading)} AS DOUBLE) AS weight"
        )
    is_object = "json_type(json) = 'OBJECT' AND list_unique(json_keys(json)) = len(json_keys(json))"
    checked_object = f"CASE WHEN {is_object} THEN json ELSE error('no object') END AS json"
    query = f"SELECT {', '.join(spelt)} FROM (SELECT {checked_object} FROM read_ndjson_objects(?))"  # noqa: S608 keys are quoted
    keys = [f"c{i}" for i in range(len(grouping.keys))]
    where, weights = _name_paths(paths), None if grouping.weights is None else "weight"
    text = replace(grouping, numbers=False, reading=AUTOMATIC, is_file=False)
    try:
        with open_engine() as engine, name_failing_file(where), _unmarked_lines(paths) as files:
            frame = engines()[1].from_native(engine.sql(query, params=[files]))
            groups = [
                group._replace(
                    cells=tuple(
                        _read_json_cell(name, cell, grouping)
                        for name, cell in zip(grouping.keys, group.cells, strict=True)
                    )
                )
                for group in _groups(frame, keys, weights, text)
            ]
    except (DocumentError, RecursionError, _NoNumber):
        _blame_lines(paths, grouping)
        raise
    for i, name in enumerate(grouping.keys):
        if all(group.cells[i] is None for group in groups):  # not even null
            find_columns_of(file_columns(paths, Kind.LINES), [name], where)
    return groups


def _weight_query(name: str, reading: TableReading) -> str:
    """Write the query of a weight; refuse texts if a reading gives marks of numbers."""
    key = _key(name)
    weight = _NO_UNDERSCORE.format(f"(json ->> {key})")
    if format_of_texts(reading).is_plain:
        return weight
    is_text = f"json_type(json -> {key}) = 'VARCHAR'"
    return f"CASE WHEN {is_text} THEN error('no number') ELSE {weight} END"


def _blame_lines(paths: Sequence[Path], grouping: Grouping) -> None:
    """Raise for what is wrong in the lines of files."""
    weights, reading = grouping.weights, grouping.reading
    numbers = grouping.keys[grouping.first :] if grouping.numbers else ()
    for path in paths:
        for column in (weights, *numbers):
            _blame_line(path, column, reading)
    if weights is not None and not format_of_texts(reading).is_plain:
        raise DocumentError(
            f"{_name_paths(paths)}: column {weights!r}",
            got="numbers that are texts",
            allowed="numbers without quotes, where weights are summed",
        )


@contextmanager
def _unmarked_lines(paths: Sequence[Path]) -> Iterator[list[str]]:
    """Name files as the engine takes them: a copy of each that begins with a byte-order mark."""
    with TemporaryDirectory(prefix="askance-") as folder:
        files = []
        for i, path in enumerate(paths):
            with whole_text(path), open_bytes(path) as file:
                copy = path
                if file.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8:
                    copy = Path(folder, f"{i}.jsonl")
                    with copy.open("wb") as unmarked:
                        shutil.copyfileobj(file, unmarked)
            files.append(escape_pattern(copy))
        yield files


def _key(name: str) -> str:
    """Write the path of a key as text of SQL."""
    path = "$." + json.dumps(name, ensure_ascii=False)
    return "'" + path.replace("'", "''") + "'"


def _read_json_cell(name: str, cell: Any, grouping: Grouping) -> Any:
    """Read what a cell stands for, in a column of names also numbers as they are written."""
    value = None if cell is None else json.loads(cell)
    value = json.dumps(value) if isinstance(value, list | dict) else value
    kind = grouping.reading.columns.get(name, ColumnReading()).kind
    if grouping.numbers and name in grouping.keys[grouping.first :]:
        return _read_json_number(_decoded(name, value, grouping), grouping.reading)
    if kind is ColumnKind.NAME and value is not None:
        value = cell_text(value)
    decoded = _decoded(name, value, grouping)
    if kind is ColumnKind.NUMBER and isinstance(decoded, str):
        with suppress(ValueError):
            return PLAIN.parse_number(decoded)
    return decoded


@final
class _NoNumber(Exception):
    """A cell in a column of numbers holds something else."""


def _read_json_number(value: Any, reading: TableReading) -> float | None:
    """Read a number, or a text that is one."""
    if value is None or type(value) in (int, float):
        return value if value is None else float(value)
    try:
        if isinstance(value, str):
            return format_of_texts(reading).parse_number(value)
    except ValueError:
        pass
    raise _NoNumber(value)


def cell_text(value: Any) -> str:
    """Write a value as a table of text has it.

    >>> cell_text(True), cell_text(2.0), cell_text("a")
    ('TRUE', '2', 'a')
    """
    if isinstance(value, bool):
        return str(value).upper()
    return f"{value:.17g}" if isinstance(value, float) else str(value)


def _blame_line(path: Path, name: str | None, reading: TableReading) -> None:
    """Raise for the first line that is no JSON object, or for a column that is not of numbers."""
    cells: dict[int, str] = {}
    form = format_of_texts(reading)
    for number, record in read_lines(path):
        cell = None if name is None else record.get(name)
        if isinstance(cell, str):
            cells[number] = cell
        else:
            cells[number] = "" if is_missing(cell) else form.write_number(json.dumps(cell))
    if name is not None:
        texts = list(cells.values())
        read = read_column(texts, name, as_numbers(reading, name), form, rows=list(cells))
        refuse_odd(name, read, str(path), form)


def read_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read the object on each line of JSON Lines, with its line number; an empty line gives None.

    Raises
    ------
    DocumentError
        With the first line that is no JSON object, or has a key twice.
    """
    with whole_text(path), open_bytes(path) as file:
        for number, line in enumerate(file, start=1):
            text = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
            if text.isspace():
                continue
            try:
                record = json.loads(text, object_pairs_hook=unique_members)
                if b"\\u" in text:  # half of a pair of escapes is no text
                    json.dumps(record, ensure_ascii=False).encode()
            except (ValueError, RecursionError):
                record = None
            if not isinstance(record, dict):
                raise DocumentError(
                    f"{path}: line {number}",
                    allowed="one JSON object on each line, in UTF-8, with each key once",
                )
            yield number, record


def columns_by(by: Any) -> tuple[str, ...]:
    """Read the names of columns, one or several."""
    named = (by,) if isinstance(by, str) else () if by is None else by
    listed = isinstance(named, list | tuple) and all(isinstance(name, str) for name in named)
    if not listed or len(set(named)) != len(named) or (by is not None and not named):
        raise InputError(
            "by",
            got=by if isinstance(by, str | list | tuple) else type(by).__name__,
            allowed="the name of a column, or a list of different names",
        )
    return tuple(named)


def choose_grouping(
    channel: Channel,
    names: Sequence[str],
    column: str | None,
    by: tuple[str, ...],
    weights: str | None,
    where: str,
    reading: TableReading = AUTOMATIC,
) -> Grouping:
    """Say what is counted; the column of reports is the only one left, where none is named."""
    if column is None:
        candidates = [name for name in names if name not in (*by, weights)]
        if len(candidates) != 1:
            find_columns_of(names, [*by, *([weights] if weights else [])], where)
            raise InputError(
                where,
                got=f"a table with the columns {', '.join(names[:20])}",
                allowed="the name of the column that holds the reports",
                remedy=f'say which: column="{candidates[0] if candidates else "report"}"; '
                "or pick one of its columns",
            )
        column = candidates[0]
    named = channel.oracle is None or channel.oracle.coded == "names"
    read_own = reading.decodes
    # guarded or not, and blanks
    most = None if by or not named or read_own else 2 * len(channel.reports) + 4
    names = channel.reports if named else ()
    keys, first = (*by, column), len(by)
    return Grouping(
        keys=keys,
        weights=weights,
        names=names,
        first=first,
        most=most,
        where=where,
        reading=reading,
    )


def is_listed(library: Any) -> bool:
    """Whether the columns of a data frame library are read row by row in Python."""
    return bool(library.is_pandas() or library.is_polars() or library.is_pyarrow())


def by_group(groups: Iterable[Any], of: Callable[[Any], _Counted]) -> Mapping[Any, _Counted]:
    """Give what was counted by group, in their order; a group of one column is its value."""
    ordered = sorted(groups, key=lambda group: [_rank(cell) for cell in group])
    for cells in zip(*ordered, strict=True):
        refuse_alike_kinds(cells, "tally.by")
    return MappingProxyType({group if len(group) > 1 else group[0]: of(group) for group in ordered})


def plain(value: Any) -> Any:
    """Write a group as a plain value, so that it is the same group from every engine."""
    value = value.item() if isinstance(value, np.generic) else value
    value = float(value) if isinstance(value, Decimal) else value
    return value.to_pydatetime() if hasattr(value, "to_pydatetime") else value


def _rank(value: Any) -> tuple[bool, str, Any]:
    if isinstance(value, tuple):
        return False, "", [_rank(part) for part in value]
    number = isinstance(value, int | float)
    return value is None, "" if number else type(value).__name__, 0 if value is None else value
