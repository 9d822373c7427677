"""Reports of a complex sample tallied: by the engine, stratum by stratum, or at hand row by row.

Reports that are bits or numbers, of an oracle, are tallied at hand: of each answer how often it is
left possible, weighted, and how that varies.
"""

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, final

import numpy as np

from askance.channels.channel import Channel
from askance.channels.named_columns import ExpectedNames, named_column, read_rows
from askance.channels.sampled_counts import SampledCounts, SampledSupports
from askance.channels.tally import SupportTally, Tally, of_arrays, oracle_of
from askance.engines.files import Kind, files_at
from askance.engines.reading import AUTOMATIC, TableReading
from askance.engines.sources import (
    GroupedRows,
    by_group,
    choose_grouping,
    columns_by,
    file_columns,
    file_groups,
    find_columns_of,
    frame_groups,
    is_listed,
    parts_of,
    plain,
    table_of,
)
from askance.engines.tables import (
    codes_of,
    decode_at_hand,
    find_wrong_group,
    first_row,
    read_aligned_column,
    row_at_hand,
)
from askance.inference.ranges.sampled import replicates_of
from askance.inference.replicate_weights import ratio_covariance
from askance.inference.sampling_columns import CountedSample, SamplingColumns, sample_of_groups
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.results import numbers
from askance.typing import Booleans, Floats, Integers
from askance_collect.errors import InputError


def grouped_sample(
    channel: Channel,
    expected: ExpectedNames,
    source: Any,
    column: str | None,
    by: Any,
    plan: SamplingColumns,
    reading: TableReading = AUTOMATIC,
) -> Tally | Mapping[Any, Tally]:
    """Group rows, in the engine that holds them, by the sampling design's columns and the report.

    Raises
    ------
    InputError
        If the source is no table, or as in `askance.tally`.
    DocumentError
        If a file cannot be read.
    """
    keys = columns_by(by)
    groups = _merge_groups(
        _groups(channel, source, column, (*keys, *plan.keys), plan.weights, expected, reading)
    )
    if not groups:
        raise InputError(expected.where, got="no report", allowed="at least one report")
    positions = _report_positions(groups, expected)
    width = len(keys)
    cells = {name: [group.cells[width + i] for group in groups] for i, name in enumerate(plan.keys)}
    sums = np.array([group[1:] for group in groups], dtype=float).T
    sample = sample_of_groups(plan, cells, positions, (sums[0], sums[1], sums[2], sums[3]))
    group_codes: dict[tuple[Any, ...], int] = {}
    codes = np.array(
        [group_codes.setdefault(group.cells[:width], len(group_codes)) for group in groups]
    )
    return _tally_groups(channel, sample, (list(group_codes), codes), by, expected.where)


def _groups(
    channel: Channel,
    source: Any,
    column: str | None,
    keys: tuple[str, ...],
    weights: str | None,
    expected: ExpectedNames,
    reading: TableReading,
) -> Iterable[GroupedRows]:
    where = expected.where
    if isinstance(source, str | Path):
        paths, kind = files_at(source)
        if kind in (Kind.STORE, Kind.COUNTED):
            raise InputError(
                "tally.sampling",
                got=kind.value,
                allowed="a table: nothing else has a sampling design",
            )
        names = file_columns(paths, kind, reading) if column is None else []
        grouping = choose_grouping(channel, names, column, keys, weights, where, reading)
        first = partial(first_row, paths, kind, grouping.keys[-1], reading=reading)
        yield from _check_groups(file_groups(paths, kind, grouping), expected, first)
        return
    parts = parts_of(source)
    for part in [source] if parts is None else parts:
        frame = table_of(part)
        if frame is None:
            raise _names_alone_error()
        names = list(frame.collect_schema().names())
        grouping = choose_grouping(channel, names, column, keys, weights, where, reading)
        first = partial(row_at_hand, frame, grouping.keys[-1], where)
        yield from _check_groups(frame_groups(frame, grouping), expected, first)


def _names_alone_error() -> InputError:
    return InputError(
        "tally.sampling",
        got="names of columns, beside a column by itself",
        allowed="names of columns with a table, or a SamplingDesign of the rows",
        remedy="sampling.of(data) reads a data frame",
    )


def _check_groups(
    groups: Iterable[GroupedRows], expected: ExpectedNames, first: Callable[[Any], str]
) -> Iterator[GroupedRows]:
    """Refuse a group whose last cell is no report, and say where it first stands."""
    valid, rest = {None, *expected.names}, iter(groups)

    def is_right(report: object) -> bool:
        return isinstance(report, str | None) and report in valid

    for group in rest:
        if not is_right(group.cells[-1]):
            wrong = find_wrong_group(group, rest, is_right)
            report = wrong.cells[-1]
            raise wrong_report_error(
                replace(expected, where=first(report) or expected.where), report, wrong.rows
            )
        yield group


def _merge_groups(groups: Iterable[GroupedRows]) -> list[GroupedRows]:
    """Put groups together that came in several parts, in an order that is always the same."""
    merged: dict[tuple[Any, ...], GroupedRows] = {}
    for group in groups:
        cells = tuple(map(plain, group.cells))
        before = merged.get(cells, GroupedRows(cells, 0, 0.0, 0.0))
        merged[cells] = GroupedRows(
            cells,
            before.rows + group.rows,
            before.weight + group.weight,
            before.square + group.square,
            before.weightless + group.weightless,
        )
    return [merged[cells] for cells in sorted(merged, key=repr)]


def _report_positions(groups: Sequence[GroupedRows], expected: ExpectedNames) -> Integers:
    positions = {name: i for i, name in enumerate(expected.names)}
    return np.array([positions.get(group.cells[-1], -1) for group in groups])


def wrong_report_error(expected: ExpectedNames, value: Any, rows: int) -> InputError:
    """Refuse rows whose value is no report of the channel."""
    error = expected.no_name(0, value)
    extent = f"in {rows:,} row{'' if rows == 1 else 's'}"
    return InputError(
        expected.where,
        got=value,
        allowed=error.allowed,
        remedy=f"{extent}; {error.remedy}" if error.remedy else extent,
        fault=error.fault,
    )


def sample_at_hand(
    channel: Channel,
    expected: ExpectedNames,
    source: Any,
    column: str | None,
    by: Any,
    sampling: AbstractSamplingDesign,
    reading: TableReading = AUTOMATIC,
) -> Tally | Mapping[Any, Tally]:
    """Count a column, or one of a data frame, whose rows are those of a sampling design.

    Raises
    ------
    InputError
        If rows are more or fewer than the sampling design's, or as in `askance.tally`.
    """
    reports, groups = _columns_at_hand(channel, expected, source, column, by)
    decoded = decode_at_hand(reports, reading)
    positions = named_column(decoded, expected).places.astype(np.int64)
    n = len(sampling.weights)
    if len(positions) != n:
        raise InputError(
            "tally.sampling", got=f"{n:,} rows", allowed=f"as many as reports: {len(positions):,}"
        )
    weights = sampling.weights
    sample = CountedSample(sampling=sampling, report=positions, rows=np.ones(n), square=weights**2)
    return _tally_groups(channel, sample, codes_of(groups, n), by, expected.where)


def _columns_at_hand(
    channel: Channel, expected: ExpectedNames, source: Any, column: str | None, by: Any
) -> tuple[Any, list[Any]]:
    """The column of reports, and those of groups."""
    lazy = isinstance(source, str | Path) or parts_of(source) is not None
    frame = None if lazy else table_of(source)
    if lazy or (frame is not None and not is_listed(frame.implementation)):
        raise _remote_rows_error(channel)
    if frame is None:
        if column is not None:
            raise InputError("tally.column", got=column, allowed="no name, beside a column alone")
        return source, [] if by is None else [by]
    if not hasattr(frame, "get_column"):
        raise _remote_rows_error(channel)
    keys = columns_by(by)
    names = list(frame.collect_schema().names())
    report = choose_grouping(channel, names, column, keys, None, expected.where).keys[-1]
    find_columns_of(names, [report, *keys], expected.where)
    native = [frame.get_column(name).to_native() for name in (report, *keys)]
    return native[0], native[1:]


def _remote_rows_error(channel: Channel) -> InputError:
    coded = channel.oracle is not None and channel.oracle.coded != "names"
    return InputError(
        "tally.sampling",
        got="rows that are not at hand",
        allowed="a column, or a data frame of pandas, polars or pyarrow",
        remedy="read the rows first: data.collect(), or polars.read_parquet(…)"
        if coded
        else "name the sampling design's columns: askance.inference.SamplingColumns(…)",
    )


def _tally_groups(
    channel: Channel,
    sample: CountedSample,
    groups: tuple[list[tuple[Any, ...]], Integers],
    by: Any,
    where: str,
) -> Tally | Mapping[Any, Tally]:
    inside = sample.sampling.weights > 0
    if not (inside & (sample.report >= 0)).any():
        raise InputError(where, got="no report", allowed="at least one report")
    labels, codes = groups
    tallies = {
        group: _tally(channel, sample, inside & (codes == code))
        for code, group in enumerate(labels)
    }
    return tallies[()] if by is None else by_group(tallies, tallies.__getitem__)


def _tally(channel: Channel, sample: CountedSample, members: Any) -> Tally:
    m = len(channel.reports)
    counts, weights, squares, repeated = sample.counted(members, m)
    sampled_counts = SampledCounts(
        sample.covariance(members, m),
        df=max(sample.df(members), 0.0),
        fpc_squares=repeated,
        samples=[sample.mark],
        replicates=replicates_of(sample.sampling),
    )
    blanks = int(sample.rows[members & (sample.report < 0)].sum())
    sums: tuple[Floats, Floats] = (weights, squares)
    return of_arrays(channel, np.asarray(counts, dtype=np.int64), sums, blanks, sampled_counts)


def sampled_supports(
    channel: Channel,
    expected: ExpectedNames,
    source: Any,
    column: str | None,
    by: Any,
    weights: Any,
    sampling: AbstractSamplingDesign | SamplingColumns | None,
) -> SupportTally | Mapping[Any, SupportTally]:
    """Count reports of an oracle in a column or data frame, weighted as a sampling design says.

    Raises
    ------
    InputError
        If rows are not at hand, or more or fewer than the sampling design's, a weight is missing or
        negative, or as in `askance.tally`.
    """
    report_column, groups = _columns_at_hand(channel, expected, source, column, by)
    reports, is_present = read_rows(report_column, oracle_of(channel), expected.where)
    n = len(is_present)
    if isinstance(sampling, SamplingColumns):
        if table_of(source) is None:
            raise _names_alone_error()
        sampling = sampling.of(source)
    own = _weights(weights, source, n) if sampling is None else sampling.weights
    if len(own) != n:
        raise InputError(
            "tally.sampling", got=f"{len(own):,} rows", allowed=f"as many as reports: {n:,}"
        )
    labels, codes = codes_of(groups, n)
    people = _People(
        channel=channel, reports=reports, is_present=is_present, weights=own, sampling=sampling
    )
    if not (is_present & (own > 0)).any():
        raise InputError(expected.where, got="no report", allowed="at least one report")
    tallies = {label: people.tally(codes == code) for code, label in enumerate(labels)}
    return tallies[()] if by is None else by_group(tallies, tallies.__getitem__)


def _weights(weights: Any, source: Any, n: int) -> Floats:
    """Sampling weights by the name of their column, or as a column."""
    column = (
        source[weights] if isinstance(weights, str) and table_of(source) is not None else weights
    )
    values = numbers(read_aligned_column(column, n, "tally.weights"), "tally.weights")
    wrong = np.flatnonzero(~(np.isfinite(values) & (values >= 0)))
    if len(wrong):
        i = int(wrong[0])
        raise InputError(f"tally.weights[{i}]", got=values[i], allowed="a finite weight in [0, ∞)")
    return values


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _People:
    """Who sent which report of an oracle, and how they were drawn.

    Attributes
    ----------
    channel : Channel
    reports : array, of those who sent one
    is_present : array of bool, shape (n,)
        Who did.
    weights : array, shape (n,)
    sampling : AbstractSamplingDesign or None
        None with weights alone: people drawn with replacement.
    """

    channel: Channel
    reports: Any
    is_present: Booleans
    weights: Floats
    sampling: AbstractSamplingDesign | None

    def tally(self, members: Booleans) -> SupportTally:
        """Count some of the people, as a domain."""
        oracle, counted = oracle_of(self.channel), members & (self.weights > 0)
        reporting = counted & self.is_present
        if int(reporting.sum()) * oracle.answers > _MOST_CELLS:
            raise InputError(
                "tally.sampling",
                got=f"{int(reporting.sum()):,} reports about {oracle.answers:,} answers",
                allowed=f"at most {_MOST_CELLS:,} of both multiplied",
                remedy="ask how a few answers vary by survey_mean(sampling, sets)",
            )
        reports = self.reports[reporting[self.is_present]]
        step = max(_AT_ONCE // max(len(self.is_present), 1), 1)
        parts = [
            self._sums(reports, reporting, slice(first, min(first + step, oracle.answers)))
            for first in range(0, oracle.answers, step)
        ]
        named, telling, repeated, moments = (
            np.concatenate(pieces) for pieces in zip(*parts, strict=True)
        )
        sample = SampledSupports(
            support_weights=named,
            informative_weights=telling,
            covariances=moments,
            fpc_squares=repeated,
            squared_weights=float(self.weights[reporting] @ self.weights[reporting]),
            replicates=replicates_of(self.sampling),
            joint_covariance=self._joint_covariance(reports, reporting),
            **self._freedom_and_mark(reporting),
        )
        return SupportTally(
            self.channel,
            oracle.count(reports),
            total=int(reporting.sum()),
            blanks=int((counted & ~self.is_present).sum()),
            sample=sample,
        )

    def _freedom_and_mark(self, reporting: Booleans) -> dict[str, Any]:
        """The degrees of freedom among some, and the mark of their sample."""
        if self.sampling is None:
            return {"df": math.inf if reporting.sum() > 1 else 0.0}
        mark = hashlib.sha256(self.sampling.mark.encode())
        mark.update(np.ascontiguousarray(self.reports).tobytes())
        df = max(self.sampling.domain(reporting).df, 0.0)
        return {"df": df, "samples": (mark.hexdigest(),)}

    def _sums(
        self, reports: Any, reporting: Booleans, answers: slice
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """Σ w of supporting and of informative reports, Σ f w², and moments, for some answers."""
        w, (sets, tells) = self.weights, self._support_matrices(reports, reporting, answers)
        repeated = np.zeros(sets.shape[1])
        if self.sampling is not None:
            repeated = (self.sampling.sampling_fraction * w**2) @ sets
        return w @ sets, w @ tells, repeated, self._moments(sets, tells, int(reporting.sum()))

    def _joint_covariance(self, reports: Any, reporting: Booleans) -> Floats | None:
        """How the sums of all answers vary together, shape (2k, 2k); None of many."""
        k, w = oracle_of(self.channel).answers, self.weights
        if k > _MOST_TOGETHER or 2 * k * len(reporting) > _MOST_AT_ONCE:
            return None
        sets, tells = self._support_matrices(reports, reporting, slice(0, k))
        scores = np.hstack([sets, tells])
        if self.sampling is None:
            people = int(reporting.sum())
            square = w**2 * (people / (people - 1) if people > 1 else 0.0)
            return np.asarray((scores.T * square) @ scores, dtype=np.float64)
        covariance = ratio_covariance(self.sampling, scores, np.hstack([tells, tells]) > 0)
        covariance[:k, :k] += (sets.T * (self.sampling.sampling_fraction * w**2)) @ sets
        return (covariance + covariance.T) / 2

    def _support_matrices(
        self, reports: Any, reporting: Booleans, answers: slice
    ) -> tuple[Floats, Floats]:
        """Which reports support each answer of a slice, and which are informative, shape (n, b)."""
        oracle = oracle_of(self.channel)
        sets, tells = np.zeros((2, len(reporting), len(range(oracle.answers)[answers])))
        sets[reporting], tells[reporting] = (
            oracle.sets(reports, answers),
            oracle.tells(reports, answers),
        )
        return sets, tells

    def _moments(self, sets: Floats, tells: Floats, people: int) -> Floats:
        """Variances of both sums of weights, the covariance between, shape (b, 3)."""
        if self.sampling is None:
            square = self.weights**2 * (people / (people - 1) if people > 1 else 0.0)
            return np.column_stack([square @ sets, square @ sets, square @ tells])
        scores = np.hstack([sets, tells])
        covariance = ratio_covariance(self.sampling, scores, np.hstack([tells, tells]) > 0)
        first, second = np.split(np.arange(scores.shape[1]), 2)
        return np.column_stack(
            [covariance[first, first], covariance[first, second], covariance[second, second]]
        )


_AT_ONCE = 1 << 21  # rows times answers that are looked at at a time
_MOST_CELLS = 4_000_000_000
_MOST_TOGETHER = 50  # answers
_MOST_AT_ONCE = 1 << 25  # rows times sums
