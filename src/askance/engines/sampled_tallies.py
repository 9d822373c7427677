"""Reports of a complex sample tallied: by the engine, stratum by stratum, or at hand row by row."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from askance.channels.channel import Channel
from askance.channels.design_sums import DesignSums
from askance.channels.named_columns import Asked, named_column
from askance.channels.tally import Tally, of_arrays
from askance.engines.files import Kind, files_at
from askance.engines.sources import (
    Group,
    by_group,
    columns_by,
    file_columns,
    file_groups,
    find_columns_of,
    frame_groups,
    grouping,
    is_listed,
    parts_of,
    plain,
    table_of,
)
from askance.engines.tables import codes_of, first_row, least, row_at_hand
from askance.errors import InputError
from askance.inference.design_columns import CountedSample, DesignColumns, of_groups
from askance.inference.sampling_design import AbstractDesign
from askance.typing import Floats, Integers


def grouped_sample(
    channel: Channel, asked: Asked, source: Any, column: str | None, by: Any, plan: DesignColumns
) -> Tally | Mapping[Any, Tally]:
    """Let the engine that holds the rows group them by the design's columns and the report.

    Raises
    ------
    InputError
        If the source is no table, or as in `askance.tally`.
    DocumentError
        If a file cannot be read.
    """
    keys = columns_by(by)
    groups = _merged(_groups(channel, source, column, (*keys, *plan.keys), plan.weights, asked))
    if not groups:
        raise InputError(asked.where, got="no report", allowed="at least one report")
    place = _places(groups, asked)
    width = len(keys)
    cells = {name: [one.cells[width + at] for one in groups] for at, name in enumerate(plan.keys)}
    sums = np.array([group[1:] for group in groups], dtype=float).T
    sample = of_groups(plan, cells, place, (sums[0], sums[1], sums[2], sums[3]))
    known: dict[tuple[Any, ...], int] = {}
    codes = np.array([known.setdefault(one.cells[:width], len(known)) for one in groups])
    return _told(channel, sample, (list(known), codes), by, asked.where)


def _groups(
    channel: Channel,
    source: Any,
    column: str | None,
    keys: tuple[str, ...],
    weights: str | None,
    asked: Asked,
) -> Iterable[Group]:
    where = asked.where
    if isinstance(source, str | Path):
        paths, kind = files_at(source)
        if kind in (Kind.STORE, Kind.COUNTED):
            raise InputError(
                "tally.design", got=kind.value, allowed="a table: nothing else has a design"
            )
        names = file_columns(paths, kind) if column is None else []
        told = grouping(channel, names, column, keys, weights, where)
        first = partial(first_row, paths, kind, told.keys[-1])
        yield from _reports(file_groups(paths, kind, told), asked, first)
        return
    parts = parts_of(source)
    for part in [source] if parts is None else parts:
        frame = table_of(part)
        if frame is None:
            raise InputError(
                "tally.design",
                got="names of columns, beside a column by itself",
                allowed="names of columns with a table, or a SamplingDesign of the rows",
                remedy="design.of(data) reads a data frame",
            )
        names = list(frame.collect_schema().names())
        told = grouping(channel, names, column, keys, weights, where)
        first = partial(row_at_hand, frame, told.keys[-1], where)
        yield from _reports(frame_groups(frame, told), asked, first)


def _reports(groups: Iterable[Group], asked: Asked, first: Callable[[Any], str]) -> Iterator[Group]:
    """Refuse a group whose last cell is no report, and say where it first stands."""
    known, rest = {None, *asked.names}, iter(groups)

    def is_right(report: object) -> bool:
        return isinstance(report, str | None) and report in known

    for one in rest:
        if not is_right(one.cells[-1]):
            wrong = least(one, rest, is_right)
            report = wrong.cells[-1]
            raise no_report(replace(asked, where=first(report) or asked.where), report, wrong.rows)
        yield one


def _merged(groups: Iterable[Group]) -> list[Group]:
    """Put groups together that came in several parts, in an order that is always the same."""
    found: dict[tuple[Any, ...], Group] = {}
    for one in groups:
        cells = tuple(map(plain, one.cells))
        had = found.get(cells, Group(cells, 0, 0.0, 0.0))
        found[cells] = Group(
            cells,
            had.rows + one.rows,
            had.weight + one.weight,
            had.square + one.square,
            had.weightless + one.weightless,
        )
    return [found[cells] for cells in sorted(found, key=repr)]


def _places(groups: Sequence[Group], asked: Asked) -> Integers:
    known = {name: at for at, name in enumerate(asked.names)}
    return np.array([known.get(one.cells[-1], -1) for one in groups])


def no_report(asked: Asked, value: Any, rows: int) -> InputError:
    """Say that rows hold what is no report of the channel."""
    fault = asked.no_name(0, value)
    told = f"in {rows:,} row{'' if rows == 1 else 's'}"
    return InputError(
        asked.where,
        got=value,
        allowed=fault.allowed,
        remedy=f"{told}; {fault.remedy}" if fault.remedy else told,
    )


def sample_at_hand(
    channel: Channel, asked: Asked, source: Any, column: str | None, by: Any, design: AbstractDesign
) -> Tally | Mapping[Any, Tally]:
    """Count a column, or one of a data frame, whose rows are those of a design.

    Raises
    ------
    InputError
        If rows are more or fewer than the design's, or as in `askance.tally`.
    """
    held, groups = _columns_at_hand(channel, asked, source, column, by)
    place = named_column(held, asked).places.astype(np.int64)
    n = len(design.weights)
    if len(place) != n:
        raise InputError(
            "tally.design", got=f"{n:,} rows", allowed=f"as many as reports: {len(place):,}"
        )
    weights = design.weights
    sample = CountedSample(design=design, place=place, rows=np.ones(n), square=weights**2)
    return _told(channel, sample, codes_of(groups, n), by, asked.where)


def _columns_at_hand(
    channel: Channel, asked: Asked, source: Any, column: str | None, by: Any
) -> tuple[Any, list[Any]]:
    """The column of reports, and those of groups."""
    lazy = isinstance(source, str | Path) or parts_of(source) is not None
    frame = None if lazy else table_of(source)
    if lazy or (frame is not None and not is_listed(frame.implementation)):
        raise _elsewhere()
    if frame is None:
        if column is not None:
            raise InputError("tally.column", got=column, allowed="no name, beside a column alone")
        return source, [] if by is None else [by]
    if not hasattr(frame, "get_column"):
        raise _elsewhere()
    keys = columns_by(by)
    names = list(frame.collect_schema().names())
    report = grouping(channel, names, column, keys, None, asked.where).keys[-1]
    find_columns_of(names, [report, *keys], asked.where)
    native = [frame.get_column(name).to_native() for name in (report, *keys)]
    return native[0], native[1:]


def _elsewhere() -> InputError:
    return InputError(
        "tally.design",
        got="rows that are not at hand",
        allowed="a column, or a data frame of pandas, polars or pyarrow",
        remedy="name the design's columns: askance.inference.DesignColumns(…)",
    )


def _told(
    channel: Channel,
    sample: CountedSample,
    groups: tuple[list[tuple[Any, ...]], Integers],
    by: Any,
    where: str,
) -> Tally | Mapping[Any, Tally]:
    inside = sample.design.weights > 0
    if not (inside & (sample.place >= 0)).any():
        raise InputError(where, got="no report", allowed="at least one report")
    labels, codes = groups
    known = {
        group: _tally(channel, sample, inside & (codes == at)) for at, group in enumerate(labels)
    }
    return known[()] if by is None else by_group(known, known.__getitem__)


def _tally(channel: Channel, sample: CountedSample, members: Any) -> Tally:
    m = len(channel.reports)
    counts, weights, squares, back = sample.counted(members, m)
    design = DesignSums(
        sample.covariance(members, m),
        freedom=max(sample.freedom(members), 0.0),
        repeated=back,
        samples=[sample.mark],
    )
    blanks = int(sample.rows[members & (sample.place < 0)].sum())
    held: tuple[Floats, Floats] = (weights, squares)
    return of_arrays(channel, np.asarray(counts, dtype=np.int64), held, blanks, design)
