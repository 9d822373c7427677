"""Reports tallied from wherever they lie: a column, a data frame, files, a cluster, a store.

Where only a query reaches, the group-by is written as text of SQL, and its result read as a tally.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar, final, overload

import numpy as np

from askance.channels.channel import BLANK, Channel
from askance.channels.grouped_tally import GroupedTally
from askance.channels.named_columns import ExpectedNames, Places, named_column
from askance.channels.tally import SupportTally, Tally, fingerprint_of, of_arrays
from askance.channels.written_values import refuse_truth_as_number
from askance.engines.files import Kind, files_at
from askance.engines.reading import AUTOMATIC, TableReading
from askance.engines.sampled_tallies import (
    grouped_sample,
    sample_at_hand,
    sampled_supports,
    wrong_report_error,
)
from askance.engines.sources import (
    GroupedRows,
    by_group,
    choose_grouping,
    columns_by,
    fetch_rows,
    file_columns,
    file_groups,
    find_columns_of,
    frame_groups,
    is_listed,
    parts_of,
    plain,
    table_of,
)
from askance.engines.support_counts import SupportSums, SupportTallies, count_supports
from askance.engines.tables import (
    codes_of,
    decode_at_hand,
    find_wrong_group,
    first_row,
    list_cells,
    read_aligned_column,
    row_at_hand,
)
from askance.inference.sampling_columns import SamplingColumns
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.results import doubles, is_missing, numbers
from askance.typing import Floats, Integers
from askance_collect.arguments import checked
from askance_collect.collect.store import group_store, open_store
from askance_collect.errors import (
    DocumentError,
    InputError,
    listed_names,
    nearest,
    refuse_unknown,
    restate,
)
from askance_collect.exact.ratio import read_integer
from askance_collect.wire.form import Form
from askance_collect.wire.question import Choice, TableQuestion

Tallies = Mapping[Any, Tally]
"""A tally for each value of the column ``by``, or for each tuple of values of several."""

_WHERE = "tally.column"
_PART, _MANY = 1 << 16, 1 << 20  # rows that are counted at a time, in groups or all together
_FEW = 6  # answers that are compared with one by one
_ROOM = 1 << 17  # rows that are written as numbers of 64 bits at a time, always into one place
_PAIRED = 1 << 17  # rows for which a table of all pairs is worth its while
_DENSE = 1 << 14  # answers up to which Arrow counts numbers of 16 bits by a table
_Written = TypeVar("_Written", Tally, SupportTally)


@overload
def tally(
    channel: Channel,
    source: Any,
    column: str | None = None,
    *,
    by: None = None,
    weights: Any = None,
    sampling: AbstractSamplingDesign | SamplingColumns | None = None,
    recode: Mapping[str, str | None] | None = None,
    reading: TableReading | None = None,
) -> Tally | SupportTally: ...
@overload
def tally(
    channel: Channel,
    source: Any,
    column: str | None = None,
    *,
    by: Any,
    weights: Any = None,
    sampling: AbstractSamplingDesign | SamplingColumns | None = None,
    recode: Mapping[str, str | None] | None = None,
    reading: TableReading | None = None,
) -> Tallies | SupportTallies: ...
@checked
def tally(
    channel: Channel,
    source: Any,
    column: str | None = None,
    *,
    by: Any = None,
    weights: Any = None,
    sampling: AbstractSamplingDesign | SamplingColumns | None = None,
    recode: Mapping[str, str | None] | None = None,
    reading: TableReading | None = None,
) -> Tally | SupportTally | Tallies | SupportTallies:
    r"""Tally reports where they lie: counts by name, the sufficient statistic of a channel.

        c[j] = #{i : report_i = j},   W[j] = Σ_{i : report_i = j} w_i,   S[j] = Σ w_i²

    Rows are counted by whatever holds them, and only counts come here. Counts are the same from
    every engine, to the last one; sums of weights are too, but for rounding where weights are not
    whole or halves of halves of whole numbers.

    Parameters
    ----------
    channel : Channel
        Whose reports they are.
    source : column, table, path or store, or iterator of columns or tables
        A column is a list, a NumPy array, or one of pandas, polars or pyarrow, as text or as
        categories. A table is a data frame of pandas, polars (also lazy), pyarrow or PySpark, a
        DuckDB relation, a record batch of pyarrow or a reader of such, or what else narwhals knows.
        A path names a file, a folder or a pattern (``"2026/*.parquet"``) of Parquet, CSV, JSON
        Lines, SPSS or Stata, whose value labels are names, a survey platform's export as it is, or
        a collector's store, as does ``postgresql://…``. Iterators are counted part by part. Tallies
        that were written with `Tally.to_json` (``.json``) are read and added up. Reports that are
        bits or of local hashing are counted by a cluster's workers, or read some rows at a time
        from DuckDB, lazy frames of polars and Parquet; no other kind of file holds them.
    column : str, optional
        The column of a table that holds the reports, or the question of a store; needed where there
        are several.
    by : str or list of str, optional
        Columns that say which group a row belongs to; beside a column, another column as long.
    weights : str, optional
        The column of sampling weights; beside a column, another column as long. Rows of weight 0
        are outside the domain, and are counted neither as reports nor as blanks.
    sampling : SamplingColumns, SamplingDesign or ReplicateWeights, optional
        How the people were drawn: the names of the columns that say it, by which the engine groups
        too; or a sampling design of the very rows of a column or data frame. Rows of weight 0 were
        drawn, and are not counted. A sampling design has the weights, and gives the tally the
        design-based covariance of its weighted counts. Reports that are numbers or bits, of an
        oracle, have weights or a sampling design in a column or a data frame of pandas, polars or
        pyarrow.
    recode : mapping of str to str or None, optional
        What other entries stand for, ``{"1": "yes", "9": None}``; None is a blank. A number stands
        for itself as it is typed.
    reading : TableReading, optional
        How files are read, if their own contents do not say it.

    Returns
    -------
    Tally, SupportTally for a frequency oracle, or with ``by`` a mapping of groups to tallies
        What is missing is counted apart, as blanks, and so is −1 among numbers. A group is the
        value of its column, or a tuple of the values of several; None where they are missing.

    Raises
    ------
    InputError
        If a value is no report of the channel (numbers and truth values are never positions of
        names), there is no report at all, a column is missing or of the wrong kind, or a weight is
        missing.
    DocumentError
        If a file cannot be read, or a store is of another channel.

    >>> import askance as ak
    >>> from askance.engines import tally
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> tally(q, ["no", "yes", None, "no"]).counts.tolist()
    [1, 2]
    >>> tally(q, iter([["no"], ["yes", "no"]])).total
    3
    >>> tally(q, [1, 2, 2, 9], recode={"1": "yes", "2": "no", "9": None}).counts.tolist()
    [1, 2]
    >>> import pandas as pd
    >>> table = pd.DataFrame({"said": ["no", "yes", "no"], "town": ["a", "b", "b"], "w": [1, 2, 3]})
    >>> {town: counts.total for town, counts in tally(q, table, "said", by="town").items()}
    {'a': 1, 'b': 2}
    >>> tally(q, table, "said", weights="w").weights.tolist()
    [2.0, 4.0]
    >>> tally(q, table, "said", sampling=ak.inference.SamplingColumns(weights="w", clusters="town"))
    reports received
    report  reports  weights  squares
    yes           1        2        4
    no            2        4       10
    a complex sample, 1 degrees of freedom
    3 reports
    """
    written = _read_written(channel, source)
    if written is not None:
        if any(given is not None for given in (column, by, weights, sampling, recode)):
            raise InputError("tally.source", got="written tallies", allowed="nothing beside them")
        return written
    reading = _decoding(channel, recode, reading)
    if sampling is not None or (weights is not None and _is_coded(channel)):
        return _tally_sample(channel, source, column, by, weights, sampling, reading)
    if _is_coded(channel):
        return count_supports(channel, source, column, by=by)
    sums = TallySums(channel, weighted=weights is not None, reading=reading)
    if isinstance(source, str | Path) or hasattr(type(source), "shuffled_values"):
        _add_files_or_store(sums, source, column, columns_by(by), weights)
    else:
        parts = parts_of(source)
        for i, part in enumerate([source] if parts is None else parts):
            where = _WHERE if parts is None else f"{_WHERE}, part {i}"
            _add_part(sums, part, column, by, weights, where)
    return sums.to_tallies(by, _WHERE)


def _decoding(
    channel: Channel, recode: Mapping[str, str | None] | None, reading: TableReading | None
) -> TableReading:
    """Read what entries stand for, each for a report of the channel."""
    reading = reading or AUTOMATIC
    if recode is not None:
        reading = replace(reading, recode={entry: report or "" for entry, report in recode.items()})
    if reading.decodes and _is_coded(channel):
        raise InputError(
            "tally.recode", got="entries", allowed="none, for reports that are numbers or bits"
        )
    for entry, report in reading.recode.items():
        if report not in (*channel.reports, ""):
            raise InputError(
                "tally.recode",
                got=f"{entry}={report}",
                allowed=f"{listed_names(channel.reports)}, or nothing for a blank",
                remedy=nearest(report, channel.reports),
            )
    return reading


def _tally_sample(
    channel: Channel,
    source: Any,
    column: str | None,
    by: Any,
    weights: Any,
    sampling: AbstractSamplingDesign | SamplingColumns | None,
    reading: TableReading,
) -> Tally | SupportTally | Tallies | SupportTallies:
    if sampling is not None and weights is not None:
        raise InputError(
            "tally.weights",
            got="weights beside a sampling design",
            allowed="none: the sampling design has them",
        )
    if _is_coded(channel) or sampling is None:
        expected = ExpectedNames((), _WHERE)
        return sampled_supports(channel, expected, source, column, by, weights, sampling)
    expected = ExpectedNames(channel.reports, _WHERE)
    if isinstance(sampling, SamplingColumns):
        return grouped_sample(channel, expected, source, column, by, sampling, reading)
    return sample_at_hand(channel, expected, source, column, by, sampling, reading)


def _is_coded(channel: Channel) -> bool:
    """Say whether reports are numbers or bits, of an oracle."""
    return channel.oracle is not None and channel.oracle.coded != "names"


def _read_written(channel: Channel, source: Any) -> Tally | SupportTally | None:
    """Read tallies that were written down, and add them up."""
    if not isinstance(source, str | Path):
        return None
    paths, kind = files_at(source)
    if kind is not Kind.COUNTED:
        return None
    if _is_coded(channel):
        supports = [_read_tally(path, channel, SupportTally) for path in paths]
        return sum(supports[1:], supports[0])
    read = [_read_tally(path, channel, Tally) for path in paths]
    return sum(read[1:], read[0])


def _read_tally(path: Path, channel: Channel, kind: type[_Written]) -> _Written:
    """Read one written tally; an error names its file."""
    try:
        return kind.from_json(path.read_text(encoding="utf-8"), channel)
    except UnicodeDecodeError as error:
        raise DocumentError(
            str(path), got="bytes that are no UTF-8", allowed="a tally in UTF-8"
        ) from error
    except DocumentError as error:
        raise restate(error, f"{path}: {error.where}", DocumentError) from error


@final
@dataclass(frozen=True, slots=True)
class TallySums:
    """What was counted so far, by group."""

    channel: Channel
    weighted: bool
    reading: TableReading = AUTOMATIC
    counts: dict[Any, Integers] = field(default_factory=dict)
    sums: dict[Any, tuple[Floats, Floats]] = field(default_factory=dict)
    blanks: dict[Any, int] = field(default_factory=dict)
    groups: dict[Any, Any] = field(default_factory=dict)

    def add(self, group: Any, counts: Integers, sums: tuple[Floats, Floats] | None) -> None:
        """Add counts by position, blanks first."""
        own_counts, weighed = self.of(group)
        own_counts += counts[1:]
        self.blanks[group] += int(counts[0])
        for total, new in zip(weighed, sums or (), strict=False):
            np.add(total, new[1:], out=total)

    def add_groups(
        self, groups: Iterable[GroupedRows], where: str, first: Callable[[Any], str] | None = None
    ) -> None:
        """Add what an engine counted, whose last cell is a report; say where a wrong one stands."""
        positions = {name: i for i, name in enumerate(self.channel.reports)}
        rest = iter(groups)

        def is_right(report: object) -> bool:
            return report is None or (isinstance(report, str) and report in positions)

        for row_group in rest:
            *group, report = row_group.cells
            if not is_right(report):
                wrong = find_wrong_group(row_group, rest, is_right)
                report = wrong.cells[-1]
                location = where if first is None else first(report) or where
                raise wrong_report_error(
                    ExpectedNames(self.channel.reports, location), report, wrong.rows
                )
            counts, weighed = self.of(tuple(map(plain, group)))
            rows = row_group.rows - row_group.weightless
            if report is None:
                self.blanks[tuple(map(plain, group))] += rows
                continue
            position = positions[report]
            counts[position] += rows
            for total, new in zip(weighed, (row_group.weight, row_group.square), strict=False):
                total[position] += new

    def of(self, group: Any) -> tuple[Integers, tuple[Floats, ...]]:
        """Give the counts and sums of a group, which is a group even if none of its rows count."""
        if group not in self.counts:
            self.groups[group] = group
            m = len(self.channel.reports)
            self.counts[group], self.blanks[group] = np.zeros(m, dtype=np.int64), 0
            if self.weighted:
                self.sums[group] = np.zeros(m), np.zeros(m)
        refuse_truth_as_number(self.groups[group], group)
        return self.counts[group], self.sums.get(group, ())

    def tally(self, group: Any) -> Tally:
        """Give the tally of one group."""
        counts, _ = self.of(group)
        return of_arrays(self.channel, counts, self.sums.get(group), self.blanks[group])

    def to_tallies(self, by: Any, where: str) -> Tally | Tallies:
        """Give the tally, or all by group, in their order; refuse where there is no report."""
        if not any(counts.any() for counts in self.counts.values()):
            raise InputError(where, got="no report", allowed="at least one report")
        if by is None:
            return self.tally(())
        return by_group(self.counts, self.tally)


def _add_part(
    sums: TallySums, part: Any, column: str | None, by: Any, weights: Any, where: str
) -> None:
    frame = table_of(part)
    if frame is None:
        _add_column(sums, part, column, by, weights, where)
        return
    keys = columns_by(by)
    names = list(frame.collect_schema().names())
    grouping = choose_grouping(
        sums.channel, names, column, keys, _one_name(weights), where, sums.reading
    )
    alone = not keys and weights is None and hasattr(frame, "get_column")
    if alone and is_listed(frame.implementation):
        find_columns_of(names, grouping.keys, where)
        reports = frame.get_column(grouping.keys[0]).to_native()
        _add_column(sums, reports, None, None, None, where)
    else:
        first = partial(row_at_hand, frame, grouping.keys[-1], where)
        sums.add_groups(frame_groups(frame, grouping), where, first)


def _one_name(weights: Any) -> str | None:
    if weights is None or isinstance(weights, str):
        return weights
    raise InputError(
        "tally.weights", got=type(weights).__name__, allowed="the name of the column of weights"
    )


def _add_column(
    tally_sums: TallySums, column: Any, name: str | None, by: Any, weights: Any, where: str
) -> None:
    """Count a column at hand by position; a blank is −1, which is counted first."""
    column = decode_at_hand(_refuse_paths_and_names(column, name), tally_sums.reading)
    places = named_column(column, ExpectedNames(tally_sums.channel.reports, where)).places
    n, m = len(places), len(tally_sums.channel.reports) + 1
    if by is None and weights is None:
        for start in range(0, max(n, 1), _MANY):
            tally_sums.add((), _count_positions(places[start : start + _MANY], m - 1), None)
        return
    groups, codes = codes_of([] if by is None else [by], n)
    own_weights = None if weights is None else _weights(weights, n)
    for group in groups:
        tally_sums.of(group)
    for start in range(0, n, _PART):
        rows = slice(start, start + _PART)
        cells = places[rows].astype(np.int64) + 1 + codes[rows] * m
        counted = cells if own_weights is None else cells[own_weights[rows] > 0]
        counts = np.bincount(counted, minlength=len(groups) * m).reshape(-1, m)
        sums = [
            np.bincount(cells, own_weights[rows] ** power, len(groups) * m).reshape(-1, m)
            for power in (1, 2)
            if own_weights is not None
        ]
        for code, group in enumerate(groups):
            if counts[code].any():
                pair = (sums[0][code], sums[1][code]) if sums else None
                tally_sums.add(group, counts[code], pair)


def _refuse_paths_and_names(column: Any, name: str | None) -> Any:
    """Refuse a list of files, and the name of a column where there is no table."""
    listed = column if isinstance(column, list | tuple) else ()
    if any(isinstance(element, Path) for element in listed[:1]):
        raise InputError(
            "tally.source",
            got="a list of paths",
            allowed="one path, of a file or a folder, or a pattern of files",
            remedy="or tally each, and add: sum(ak.tally(channel, path) for path in paths)",
        )
    if name is not None:
        raise InputError(
            "tally.column",
            got=f"{name!r}, beside {type(column).__name__}",
            allowed="no name, beside a column by itself",
            remedy="a table is a data frame of pandas, polars, pyarrow, DuckDB or PySpark",
        )
    return column


def _count_positions(places: Places, count: int) -> Integers:
    """Count blanks, and then each of so many places: few by comparing, bytes two at a time.

    >>> _count_positions(np.array([2, -1, 0, 2]), 3).tolist()
    [1, 1, 0, 2]
    """
    if count <= _FEW and places.itemsize <= 2:
        counts = np.array([np.count_nonzero(places == position) for position in range(count)])
        return np.append(len(places) - counts.sum(), counts)
    if places.dtype == np.int8 and count <= 1 << 4 and places.min(initial=0) != BLANK:
        return np.append(0, _small_counts(places)[:count])
    if places.dtype == np.int8 and len(places) >= _PAIRED:
        even = np.ascontiguousarray(places[: len(places) & ~1]).view(np.uint16)
        counts = _add_margins(np.bincount(even, minlength=1 << 16).reshape(256, 256))
        counts[places[2 * len(even) :]] += 1
        return np.append(counts[BLANK], counts[:count])
    if places.dtype == np.int16 and len(places) >= _PAIRED and count < _DENSE:
        arrow = sys.modules.get("pyarrow")
        if hasattr(arrow, "compute"):
            return _count_by_arrow(arrow, places, count)
    short = places.dtype == np.int16  # whose blank, without a sign, is a number still small enough
    unsigned = places.view(np.uint16) if short else places
    first = int(not short and places.min(initial=0) == BLANK)
    step = _ROOM if count <= _ROOM else max(len(places), 1)
    counts = np.zeros(first + count, dtype=np.int64)
    room = np.empty(min(step, len(places)), dtype=np.int64)
    for start in range(0, len(places), step):
        part = unsigned[start : start + step]
        wide = room[: len(part)]
        np.copyto(wide, part)
        if first:
            wide += first
        counts += np.bincount(wide, minlength=len(counts))[: len(counts)]
    return counts if first else np.append(len(places) - counts.sum(), counts)


def _count_by_arrow(arrow: Any, places: Places, count: int) -> Integers:
    """Count blanks and places of 16 bits: Arrow does not widen them first, which NumPy does.

    >>> import pyarrow.compute
    >>> _count_by_arrow(pyarrow, np.array([2, -1, 0, 2], dtype=np.int16), 3).tolist()
    [1, 1, 0, 2]
    """
    modes = arrow.compute.mode(arrow.array(places), n=count + 1)
    counts = np.zeros(1 + count, dtype=np.int64)
    counts[modes.field(0).to_numpy().astype(np.int64) - BLANK] = modes.field(1).to_numpy()
    return counts


def _small_counts(places: Places) -> Integers:
    """Count places below 16, four at a time: two that are neighbours fit into a byte.

    >>> _small_counts(np.array([2, 15, 2, 0, 2], dtype=np.int8)).tolist()[:3]
    [1, 0, 3]
    """
    pairs = np.ascontiguousarray(places[: len(places) & ~3]).view(np.uint16)
    packed = (pairs | (pairs >> np.uint16(4))).astype(np.uint8)
    by_byte = _add_margins(np.bincount(packed.view(np.uint16), minlength=1 << 16).reshape(256, 256))
    rest = places[2 * len(pairs) :]
    return _add_margins(by_byte.reshape(16, 16)) + np.bincount(rest, minlength=16)


def _add_margins(table: Integers) -> Integers:
    """Add up how often each stands first and how often second."""
    totals: Integers = table.sum(axis=0) + table.sum(axis=1)
    return totals


def _weights(weights: Any, n: int) -> Floats:
    values = doubles(read_aligned_column(weights, n, "tally.weights"), "tally.weights")
    if values.ndim != 1:
        raise InputError("tally.weights", got=f"shape {values.shape}", allowed=f"shape ({n},)")
    wrong = ~(np.isfinite(values) & (values >= 0))
    if wrong.any():
        i = int(np.argmax(wrong))
        raise InputError(
            f"tally.weights[{i}]",
            got=None if np.isnan(values[i]) else values[i].item(),
            allowed="finite weights in [0, ∞), none missing",
        )
    return values


def _add_files_or_store(
    sums: TallySums, source: Any, column: str | None, by: tuple[str, ...], weights: Any
) -> None:
    """Count reports in files, or in a collector's store."""
    paths, kind = files_at(source) if isinstance(source, str | Path) else ([], Kind.STORE)
    if kind is not Kind.STORE:
        names = file_columns(paths, kind, sums.reading) if column is None else []
        grouping = choose_grouping(
            sums.channel, names, column, by, _one_name(weights), _WHERE, sums.reading
        )
        first = partial(first_row, paths, kind, grouping.keys[-1], reading=sums.reading)
        sums.add_groups(file_groups(paths, kind, grouping), _WHERE, first)
        return
    if by or weights is not None:
        raise InputError(
            "tally.by" if by else "tally.weights",
            got="a store",
            allowed="nothing: a store keeps nothing beside a report",
        )
    sums.add_groups(_store_groups(sums.channel, source, column), _WHERE)


def _store_groups(channel: Channel, source: Any, column: str | None) -> list[GroupedRows]:
    """Count the reports to one question of a store, which must be of this very channel."""
    store = open_store(source, read_only=True) if isinstance(source, str | Path) else source
    try:
        form = Form.read(store.form())
        judged = (
            question.underlying_question
            if isinstance(question, Choice | TableQuestion)
            else question
            for question in form.questions
        )
        questions = [question for question in judged if isinstance(question, TableQuestion)]
        names = tuple(question.name for question in questions)
        if column is None and len(names) == 1:
            column = names[0]
        find_columns_of(names, ["?"] if column is None else [column], "tally.column")
        question = next(question for question in questions if question.name == column)
        labels = tuple(report.name for report in question.reports)
        if labels != channel.reports or question.table != channel.table:
            raise DocumentError(
                f"tally.column: the question {column!r}",
                got="reports of another channel",
                allowed="the channel of the form that was deployed",
                remedy=f"askance.survey.deployed(form.question({column!r})).channel",
            )
        counted = group_store(store, form)[question.name]
    finally:
        if isinstance(source, str | Path):
            store.close()
    named_counts = (
        (labels[value] if isinstance(value, int) else None, n) for value, n in counted.items()
    )
    return [GroupedRows((name,), n, 0.0, 0.0) for name, n in named_counts]


NAMES = ("report", "reports", "weight", "square")
"""What the columns of the result are called, after those of the groups."""
_WAREHOUSE = "tally_from_sql.result"


@checked
def tally_sql(
    channel: Channel,
    table: str | Sequence[str],
    column: str,
    *,
    by: Any = None,
    weights: str | None = None,
    quote: Literal['"', "`"] = '"',
) -> str:
    """Write the group-by of `askance.tally` as SQL, for a warehouse that only a query reaches.

    The result has one row for each report of each group. `tally_from_sql` reads it: only counts,
    and sums of weights, leave the warehouse. Rows of weight 0, or of none, are not counted.

    Parameters
    ----------
    channel : Channel
        Whose reports they are, names or numbers that are counted one by one; a remark in the text
        says it by its fingerprint.
    table : str or sequence of str
        The name of the table, or its parts: ``["shop", "public", "reports"]``.
    column : str
        The column of the reports.
    by : str or list of str, optional
        Columns that say which group a row belongs to.
    weights : str, optional
        The column of sampling weights.
    quote : str
        How the warehouse quotes a name: ``"`` by the standard, a backtick in MySQL, BigQuery and
        Spark.

    Raises
    ------
    InputError
        If a name is empty, a group is called like a column of the result, there are weights beside
        reports that are numbers, or reports are bits or of local hashing.

    >>> import askance as ak
    >>> from askance.engines import tally_from_sql, tally_sql
    >>> q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    >>> print(tally_sql(q, "reports", "drinks", by="town", weights="w"))
    -- reports of the channel ...
    SELECT "town", "drinks" AS "report", COUNT(NULLIF("w", 0)) AS "reports",
      SUM(("w" * 1e0)) AS "weight", SUM(("w" * 1e0) * ("w" * 1e0)) AS "square"
    FROM "reports"
    GROUP BY "town", "drinks"
    >>> tally_from_sql(q, [("yes", 3), ("no", 5), (None, 1)])
    reports received
    report  reports
    yes           3
    no            5
    8 reports, 1 blank
    """
    _refuse_bits(channel, "tally_sql.channel")
    if weights is not None and _is_coded(channel):
        raise InputError("tally_sql.weights", got="weights", allowed="none, of a frequency oracle")
    groups = columns_by(by)
    clashing = [name for name in groups if name in NAMES]
    if clashing:
        raise InputError(
            "tally_sql.by",
            got=clashing[0],
            allowed=f"another name than {', '.join(NAMES)}",
            remedy="rename the column in a view",
        )
    parts: list[Any] = [table] if isinstance(table, str) else list(table)
    for name in (*parts, column, *groups, *([] if weights is None else [weights])):
        if not isinstance(name, str) or not name or "\0" in name:
            raise InputError("tally_sql", got=name, allowed="names of a table and its columns")
    report, reports, weight, square = (_quote(name, quote) for name in NAMES)
    keys = [_quote(name, quote) for name in (*groups, column)]
    rows = "*" if weights is None else f"NULLIF({_quote(weights, quote)}, 0)"
    selected = [*keys[:-1], f"{keys[-1]} AS {report}", f"COUNT({rows}) AS {reports}"]
    if weights is not None:
        number = f"({_quote(weights, quote)} * 1e0)"  # as a double, in every dialect
        selected += [f"SUM({number}) AS {weight}", f"SUM({number} * {number}) AS {square}"]
    mark = fingerprint_of(channel)[:16]
    lines = (
        f"-- reports of the channel {mark}",
        f"SELECT {', '.join(selected)}",
        f"FROM {'.'.join(_quote(part, quote) for part in parts)}",
        f"GROUP BY {', '.join(keys)}",
    )
    return "\n".join(lines)


def _refuse_bits(channel: Channel, where: str) -> None:
    """Refuse reports that are nearly all different, which a group-by does not make fewer."""
    if _is_coded(channel) and not SupportSums(channel).by_number:
        raise InputError(
            where,
            got="a channel whose reports are bits or of local hashing",
            allowed="reports that are names, or numbers that are counted one by one",
            remedy="hardly two are alike: write them as Parquet, which ak.tally counts",
        )


def _quote(name: str, quote: str) -> str:
    return quote + name.replace(quote, quote * 2) + quote


@checked
def tally_from_sql(
    channel: Channel, result: Any, *, by: Any = None
) -> Tally | SupportTally | Tallies | SupportTallies:
    """Read the result of the query that `tally_sql` writes as a tally, or as tallies by group.

    Parameters
    ----------
    channel : Channel
        Whose reports they are.
    result : table or list of tuples
        A data frame of any library with the columns of the query, or its rows as a driver fetches
        them, in the order of the query's columns.
    by : str or list of str, optional
        As in the query.

    Returns
    -------
    Tally, SupportTally for a frequency oracle, or with ``by`` a mapping of groups to tallies
        As from `askance.tally`.

    Raises
    ------
    InputError
        If a column is missing, a report is not the channel's, or a count is none; or as in
        `tally_sql`.
    """
    _refuse_bits(channel, "tally_from_sql.channel")
    groups = columns_by(by)
    rows = _rows(result, groups)
    widths = {len(row) for row in rows}
    if len(widths) != 1 or widths - {len(groups) + 2, len(groups) + 4}:
        raise InputError(
            _WAREHOUSE,
            got=f"rows of {', '.join(map(str, sorted(widths)))} columns" if rows else "no row",
            allowed=f"rows of {', '.join((*groups, *NAMES[:2]))}, and {' and '.join(NAMES[2:])}",
        )
    weighted, group_count = widths == {len(groups) + 4}, len(groups)
    counted = (_row_of(row, group_count, i) for i, row in enumerate(rows))
    if _is_coded(channel) and not weighted:
        supports = SupportSums(channel)
        supports.add_groups(counted, _WAREHOUSE)
        return supports.to_tallies(by)
    sums = TallySums(channel, weighted=weighted)
    sums.add_groups(counted, _WAREHOUSE)
    return sums.to_tallies(by, _WAREHOUSE)


def _rows(result: Any, groups: Sequence[str]) -> list[tuple[Any, ...]]:
    """List the rows of a result in the order of the query's columns."""
    if isinstance(result, list | tuple):
        if not all(isinstance(row, list | tuple) for row in result):
            raise InputError(_WAREHOUSE, got="a list", allowed="a table, or rows as tuples")
        return [tuple(row) for row in result]
    frame = None if isinstance(result, str | bytes) else table_of(result)
    if frame is None:
        raise InputError(
            _WAREHOUSE, got=type(result).__name__, allowed="a table, or rows as tuples"
        )
    names = list(frame.collect_schema().names())
    wanted = [*groups, *NAMES[: 4 if NAMES[2] in names else 2]]
    find_columns_of(names, wanted, _WAREHOUSE)
    return [tuple(row) for row in fetch_rows(frame.select(*wanted))]


def _row_of(row: Sequence[Any], groups: int, row_index: int) -> GroupedRows:
    """Read one row of a result, whose numbers may be decimals."""
    cells = tuple(None if is_missing(cell) else cell for cell in row[: groups + 1])
    values = [float(value) if isinstance(value, Decimal) else value for value in row[groups + 1 :]]
    where = f"{_WAREHOUSE}[{row_index}]"
    count = read_integer(values[0], f"{where}.{NAMES[1]}", "a whole number in [0, 2^53]", 0, 2**53)
    sums = [
        numbers(value, f"{where}.{name}")
        for value, name in zip(values[1:], NAMES[2:], strict=False)
    ]
    weight, square = (float(value) for value in sums or (0.0, 0.0))
    return GroupedRows(cells, count, weight, square)


@checked
def tally_groups(
    channels: Mapping[str, Channel],
    reports: Any,
    group: Any,
    *,
    data: Any = None,
    weights: Any = None,
    sampling: AbstractSamplingDesign | SamplingColumns | None = None,
) -> GroupedTally:
    """Tally the reports of groups that were asked differently, also of one complex sample.

    Who was asked in which way is left to chance, so that shares are the same in each group. Groups
    that share strata and clusters vary together: their tallies cannot be put together afterwards.

    Parameters
    ----------
    channels : mapping of str to Channel
        Of each group, by its name: all of one frame.
    reports : column, or str
        What each person reported; what is missing is a blank.
    group : column, or str
        The name of each person's group.
    data : data frame or mapping, optional
        Where texts name columns.
    weights : column, or str, optional
        Sampling weights, of people drawn with replacement.
    sampling : SamplingDesign, ReplicateWeights or SamplingColumns, optional
        How people were drawn, in place of weights. Rows of weight 0 are outside the domain.

    Raises
    ------
    InputError
        If columns differ in length, a group has no channel, or a report is not its channel's.

    >>> import askance as ak
    >>> yn, chances = ak.Frame(["yes", "no"]), {"few": "1/5", "many": "4/5"}
    >>> sided = ak.mechanisms.OneSided
    >>> channels = {name: sided(forced_yes=p).channel(yn) for name, p in chances.items()}
    >>> table = {"said": ["no", "yes", "yes", None], "way": ["few", "few", "many", "many"]}
    >>> towns = ak.inference.SamplingDesign(clusters=["a", "a", "b", "c"])
    >>> grouped = tally_groups(channels, "said", "way", data=table, sampling=towns)
    >>> grouped
    reports received
    group  report  reports  weights  squares
    few    yes           1        1        1
    few    no            1        1        1
    many   yes           1        1        1
    many   no            0        0        0
    3 reports of 2 groups, 1 blank
    >>> grouped.sample.df
    1.0
    """
    columns = data.values() if isinstance(data, Mapping) else ()
    if data is not None and not (columns or hasattr(data, "columns")):
        raise InputError("data", got=data, allowed="a data frame, or a mapping of columns")
    for column in columns:
        _read_column(column, None, "data")
    stacked = GroupedTally(
        {name: Tally(channel, {}) for name, channel in channels.items()}
    ).stacked.channel
    reported, members = _read_column(reports, data, "reports"), _read_column(group, data, "group")
    if len(reported) != len(members):
        raise InputError(
            "group", got=f"{len(members):,} rows", allowed=f"{len(reported):,}: one a report"
        )
    first, places = 0, dict[str, dict[Any, int]]()
    for name, channel in channels.items():
        places[name] = {report: first + i for i, report in enumerate(channel.reports)}
        first += len(channel.reports)
    names = _name_reports(reported, members, places, stacked)
    weighing = None if weights is None else _read_column(weights, data, "weights")
    if isinstance(sampling, SamplingColumns):
        sampling = sampling.of(data)
    total = tally(stacked, names, weights=weighing, sampling=sampling)
    assert isinstance(total, Tally)
    counted = np.ones(len(reported)) if sampling is None else sampling.weights
    blanks = [report is None and w > 0 for report, w in zip(names, counted, strict=True)]
    parts = dict[str, Tally]()
    for name, own in places.items():
        silent = sum(blank and label == name for blank, label in zip(blanks, members, strict=True))
        parts[name] = _slice_tally(channels[name], total, np.array(list(own.values())), silent)
    return GroupedTally(parts, sample=total.sample)


def _name_reports(
    reported: list[Any],
    members: list[Any],
    places: Mapping[str, Mapping[Any, int]],
    stacked: Channel,
) -> list[str | None]:
    """What each person reported, by the names of the reports of all groups."""
    names_by_group = {
        name: {report: stacked.reports[position] for report, position in own.items()}
        for name, own in places.items()
    }
    names: list[str | None] = []
    for row, (report, name) in enumerate(zip(reported, members, strict=True)):
        try:
            names.append(names_by_group[name][report])
        except (KeyError, TypeError):  # blank, or nothing that anybody could say
            refuse_unknown(f"group[{row}]", name, places)
            if not is_missing(report):
                refuse_unknown(f"reports[{row}]", report, places[name])
            names.append(None)
    return names


def _slice_tally(channel: Channel, stacked_tally: Tally, positions: Integers, blanks: int) -> Tally:
    sums = None
    if stacked_tally.weights is not None and stacked_tally.squares is not None:
        sums = stacked_tally.weights[positions], stacked_tally.squares[positions]
    return of_arrays(channel, stacked_tally.counts[positions], sums, blanks)


def _read_column(column: Any, data: Any, where: str) -> list[Any]:
    if isinstance(column, str):
        if data is None:
            raise InputError(where, got=column, allowed="a column, or its name beside data")
        try:
            column = data[column]
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(where, got=column, allowed="the name of a column") from error
    try:
        return list(list_cells(column))
    except TypeError as error:
        raise InputError(where, got=type(column).__name__, allowed="a column") from error
