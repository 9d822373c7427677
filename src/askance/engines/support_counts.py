"""Reports of a frequency oracle that are numbers or bits, counted wherever they lie.

Numbers of rows or hyperplanes are counted by whatever holds them, and only counts come here. Bits,
and the seeds of local hashing, of which hardly two are alike, are counted by a cluster's workers,
each partition where it lies; engines inside this process hand them over some rows at a time.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, final

import numpy as np

from askance.channels.channel import BLANK, Channel
from askance.channels.named_columns import Coded, read_rows
from askance.channels.tally import SupportTally, oracle_of
from askance.engines.files import Kind, files_at
from askance.engines.sources import (
    GroupedRows,
    Grouping,
    by_group,
    choose_grouping,
    columns_by,
    engines,
    file_columns,
    file_groups,
    file_parts,
    find_columns_of,
    frame_groups,
    is_listed,
    parts_of,
    plain,
    relation_parts,
    table_of,
    with_arrow,
)
from askance.engines.tables import codes_of, find_wrong_group, first_row, row_at_hand
from askance.results import is_missing
from askance.typing import Booleans, Integers
from askance_collect.errors import DocumentError, Fault, InputError

SupportTallies = Mapping[Any, SupportTally]
"""A tally for each value of the column ``by``, or for each tuple of values of several."""

_WHERE = "tally.column"
_PART = 1 << 16  # rows that are read or counted at a time
_SPELT = re.compile(r"-?[0-9]{1,18}(\.0*)?")  # as a table writes a whole number


@final
@dataclass(frozen=True, slots=True)
class SupportSums:
    """What was counted so far, by group."""

    channel: Channel
    counts: dict[Any, Integers] = field(default_factory=dict)
    totals: dict[Any, int] = field(default_factory=dict)
    blanks: dict[Any, int] = field(default_factory=dict)

    @property
    def by_number(self) -> bool:
        """Whether reports are numbers that are counted one by one."""
        oracle = oracle_of(self.channel)
        return oracle.coded == "numbers" and oracle.by_report

    @property
    def size(self) -> int:
        """How many counts there are."""
        return oracle_of(self.channel).counted

    def add(self, group: Any, reports: Coded, blanks: int) -> None:
        """Add the reports of one group."""
        counts, oracle = self._of(group), oracle_of(self.channel)
        step = max(len(reports), 1) if oracle.by_report else _PART
        for start in range(0, len(reports), step):
            counts += oracle.count(reports[start : start + step])
        self.totals[group] += len(reports)
        self.blanks[group] += blanks

    def merge(self, group: Any, counts: Integers, total: int, blanks: int) -> None:
        """Add what was counted elsewhere."""
        own_counts = self._of(group)
        own_counts += counts
        self.totals[group] += total
        self.blanks[group] += blanks

    def add_rows(
        self, reports: Coded, is_present: Booleans, groups: Sequence[Any], codes: Integers
    ) -> None:
        """Add reports, of the rows where one is given, by the number of each row's group."""
        if len(groups) == 1:
            self.add(groups[0], reports, int((~is_present).sum()))
            return
        blanks = np.bincount(codes[~is_present], minlength=len(groups))
        own = codes[is_present]
        order = np.argsort(own, kind="stable")
        ends = np.searchsorted(own[order], np.arange(len(groups) + 1))
        for code, group in enumerate(groups):
            self.add(group, reports[order[ends[code] : ends[code + 1]]], int(blanks[code]))

    def add_groups(
        self,
        groups: Iterable[GroupedRows],
        where: str,
        first: Callable[[Any], str] | None = None,
        *,
        spelt: bool = False,
    ) -> None:
        """Add what an engine counted, whose last cell is a number; say where a wrong one stands."""
        size, rest = self.size, iter(groups)
        for row_group in rest:
            *by, report = row_group.cells
            group = tuple(map(plain, by))
            counts, number = self._of(group), _read_number(report, size, spelt=spelt)
            if number is None:
                wrong = find_wrong_group(
                    row_group, rest, lambda a: _read_number(a, size, spelt=spelt) is not None
                )
                report = wrong.cells[-1]
                location = where if first is None else first(report) or where
                raise _refuse_number(location, report, wrong.rows, size)
            if number == BLANK:
                self.blanks[group] += row_group.rows
            else:
                counts[number] += row_group.rows
                self.totals[group] += row_group.rows

    def _of(self, group: Any) -> Integers:
        if group not in self.counts:
            self.counts[group] = np.zeros(self.size, dtype=np.int64)
            self.totals[group] = self.blanks[group] = 0
        return self.counts[group]

    def tally(self, group: Any) -> SupportTally:
        """Give the tally of one group."""
        return SupportTally(
            self.channel, self.counts[group], total=self.totals[group], blanks=self.blanks[group]
        )

    def to_tallies(self, by: Any) -> SupportTally | SupportTallies:
        """Give the tally, or all by group, in their order; refuse where there is no report."""
        if not any(self.totals.values()):
            raise InputError(_WHERE, got="no report", allowed="at least one report")
        return self.tally(()) if by is None else by_group(self.counts, self.tally)


def _read_number(cell: Any, count: int, *, spelt: bool) -> int | None:
    """Read the number of a report, or a blank; None for all else."""
    if cell is None:
        return BLANK
    if spelt and isinstance(cell, str) and _SPELT.fullmatch(cell):
        cell = int(cell.partition(".")[0])
    is_whole = isinstance(cell, int) or (isinstance(cell, float) and cell.is_integer())
    right = is_whole and not isinstance(cell, bool) and BLANK <= cell < count
    return int(cell) if right else None


def _refuse_number(where: str, cell: Any, rows: int, count: int) -> InputError:
    is_whole = isinstance(cell, float) and cell.is_integer()
    return InputError(
        where,
        got=int(cell) if is_whole else cell,
        allowed=f"whole numbers in [0, {count - 1}], or None for a blank",
        remedy=f"in {rows:,} row{'' if rows == 1 else 's'}",
        fault=Fault.NOT_A_REPORT,
    )


def count_supports(
    channel: Channel, source: Any, column: str | None, *, by: Any
) -> SupportTally | SupportTallies:
    """Count the reports of an oracle that are numbers or bits, as `askance.tally` says.

    Raises
    ------
    InputError
        If a value is no report, or there is none.
    DocumentError
        If a file cannot be read, or is of a kind that keeps no bytes.
    """
    sums = SupportSums(channel)
    if isinstance(source, str | Path) or hasattr(type(source), "shuffled_values"):
        _add_files(sums, source, column, columns_by(by))
        return sums.to_tallies(by)
    parts = parts_of(source)
    for i, part in enumerate([source] if parts is None else parts):
        where = _WHERE if parts is None else f"{_WHERE}, part {i}"
        _add_part(sums, part, column, by, where)
    return sums.to_tallies(by)


def _add_files(sums: SupportSums, source: Any, column: str | None, by: tuple[str, ...]) -> None:
    """Count reports in files."""
    paths, kind = files_at(source) if isinstance(source, str | Path) else ([], Kind.STORE)
    if kind is Kind.STORE:
        raise InputError(
            "tally.source", got="a store", allowed="columns, tables and files: a store keeps names"
        )
    names = file_columns(paths, kind) if column is None else []
    grouping = choose_grouping(sums.channel, names, column, by, None, _WHERE)
    if sums.by_number:
        typed = kind in (Kind.PARQUET, Kind.LABELLED)
        grouping = _as_numbers(sums, grouping) if typed else grouping
        first = partial(first_row, paths, kind, grouping.keys[-1])
        spelt = kind in (Kind.TABLE, Kind.RESULTS)
        sums.add_groups(file_groups(paths, kind, grouping), _WHERE, first, spelt=spelt)
        return
    if kind is not Kind.PARQUET:
        raise DocumentError(
            str(paths[0]),
            got=f"a file that ends in {kind.value}",
            allowed="Parquet, for reports that are bits or of local hashing",
        )
    _add_tables(sums, file_parts(paths, grouping, _PART), grouping)


def _as_numbers(sums: SupportSums, grouping: Grouping) -> Grouping:
    most = None if grouping.first else 2 * sums.size + 4  # blanks of several kinds
    return replace(grouping, numbers=True, most=most)


def _add_part(sums: SupportSums, part: Any, column: str | None, by: Any, where: str) -> None:
    frame = table_of(part)
    if frame is None:
        reports, is_present = read_rows(part, oracle_of(sums.channel), where)
        sums.add_rows(reports, is_present, *codes_of([] if by is None else [by], len(is_present)))
        return
    keys, schema = columns_by(by), frame.collect_schema()
    grouping = choose_grouping(sums.channel, list(schema.names()), column, keys, None, where)
    find_columns_of(list(schema.names()), grouping.columns, where)
    is_local = hasattr(frame, "get_column") and is_listed(frame.implementation)
    by_row = is_local and not (keys and schema[grouping.keys[-1]].is_numeric())
    if sums.by_number and not by_row:
        first = partial(row_at_hand, frame, grouping.keys[-1], where)
        sums.add_groups(frame_groups(frame, _as_numbers(sums, grouping)), where, first)
    else:
        _add_in_parts(sums, frame, grouping, where)


def _add_in_parts(sums: SupportSums, frame: Any, grouping: Grouping, where: str) -> None:
    """Count bits or hashes where they lie: by a cluster, or out of an engine some rows at a time.

    Lazy frames of other libraries, and what is in memory already, are read at once.
    """
    kind, few = frame.implementation, frame.select(*grouping.columns)
    if kind.is_pyspark() or kind.is_pyspark_connect():
        _add_partitions(sums, frame, grouping)
    elif kind.is_duckdb():
        _add_tables(sums, relation_parts(frame.to_native(), grouping, _PART), grouping)
    elif not hasattr(few, "collect"):
        _add_table(sums, few, grouping, where)
    elif hasattr(few.to_native(), "collect_batches"):
        _add_tables(sums, few.to_native().collect_batches(chunk_size=_PART), grouping)
    else:
        _add_table(sums, few.collect(), grouping, where)


_COUNTED = ("reports", "blanks", "counts", "fault")


def _add_partitions(sums: SupportSums, frame: Any, grouping: Grouping) -> None:
    """Let a cluster's workers count: of each partition one row for each group comes here."""
    with_arrow()
    types, channel, nw = import_module("pyspark.sql.types"), sums.channel, engines()[1]
    columns = [nw.col(name).alias(f"key {i}") for i, name in enumerate(grouping.columns)]
    native = frame.select(*columns).to_native()
    kinds = (types.LongType(), types.LongType(), types.BinaryType(), types.StringType())
    count_fields = [
        types.StructField(name, kind) for name, kind in zip(_COUNTED, kinds, strict=True)
    ]
    keys = [
        types.StructField(key_field.name, key_field.dataType)
        for key_field in native.schema.fields[:-1]
    ]
    schema = types.StructType([*keys, *count_fields])  # keys may be missing: a fault is of no group

    def partition(batches: Iterator[Any]) -> Iterator[Any]:
        return counted_partition(batches, channel)

    for *group, reports, blanks, counts, fault in native.mapInArrow(partition, schema).collect():
        if fault is not None:
            value, allowed, remedy = json.loads(fault)
            raise InputError(grouping.where, got=value, allowed=allowed, remedy=remedy)
        cells = tuple(None if is_missing(cell) else plain(cell) for cell in group)
        sums.merge(cells, np.frombuffer(counts, dtype="<i8"), reports, blanks)


def counted_partition(batches: Iterator[Any], channel: Channel) -> Iterator[Any]:
    r"""Count the reports of one partition, as a worker of a cluster does: a row for each group.

    Parameters
    ----------
    batches : iterator of record batches of pyarrow
        Columns of groups, and last that of the reports.
    channel : Channel

    >>> import pyarrow as pa
    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms import UnaryEncoding
    >>> q = UnaryEncoding(truth="1/2", lie="1/4").channel(Frame(["a", "b"]))
    >>> batch = pa.record_batch({"town": ["x", "y", "x"], "said": [b"\x80", b"\xc0", None]})
    >>> (counted,) = counted_partition(iter([batch]), q)
    >>> counted.select(["town", "reports", "blanks"]).to_pylist()
    [{'town': 'x', 'reports': 1, 'blanks': 1}, {'town': 'y', 'reports': 1, 'blanks': 0}]
    """
    sums, keys = SupportSums(channel), []
    for batch in batches:
        keys = list(batch.schema)[:-1]
        *group_columns, values = batch.columns
        try:
            reports, is_present = read_rows(values, oracle_of(channel), _WHERE)
        except InputError as error:
            yield _partition_rows(keys, [[None] * len(keys)], [(0, 0, b"", _fault(error))])
            return
        sums.add_rows(reports, is_present, *codes_of(group_columns, len(is_present)))
    if sums.counts:
        rows = [
            (sums.totals[group], sums.blanks[group], counts.astype("<i8").tobytes(), None)
            for group, counts in sums.counts.items()
        ]
        yield _partition_rows(keys, list(sums.counts), rows)


def _fault(error: InputError) -> str:
    """Write what was wrong, so that it can be told where counts are put together."""
    plainly = error.got if isinstance(error.got, str | int | float | None) else str(error.got)
    return json.dumps([plainly, error.allowed, error.remedy])


def _partition_rows(keys: list[Any], groups: Sequence[Any], counts: list[Any]) -> Any:
    """Write a row for each group: its values, of the types that they came in, and its counts."""
    arrow = with_arrow()
    kinds = (arrow.int64(), arrow.int64(), arrow.binary(), arrow.string())
    fields = [*keys, *(arrow.field(name, kind) for name, kind in zip(_COUNTED, kinds, strict=True))]
    rows = [(*group, *counted) for group, counted in zip(groups, counts, strict=True)]
    columns = [
        arrow.array(column, field.type)
        for column, field in zip(zip(*rows, strict=True), fields, strict=True)
    ]
    return arrow.record_batch(columns, schema=arrow.schema(fields))


def _add_tables(sums: SupportSums, tables: Iterator[Any], grouping: Grouping) -> None:
    """Count tables that follow each other; a message says where the one begins that it is of."""
    first = 0
    for table in tables:
        where = f"{grouping.where}, after {first:,} rows" if first else grouping.where
        _add_table(sums, table_of(table), grouping, where)
        first += len(table)


def _add_table(sums: SupportSums, table: Any, grouping: Grouping, where: str) -> None:
    """Count a table that is here."""
    *keys, column = grouping.keys
    values = table.get_column(column).to_native()
    reports, is_present = read_rows(values, oracle_of(sums.channel), where)
    group_columns = [table.get_column(key).to_list() for key in keys]
    sums.add_rows(reports, is_present, *codes_of(group_columns, len(is_present)))
