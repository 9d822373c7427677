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
from askance.channels.design_sums import DesignSums, SampledSupports
from askance.channels.named_columns import Asked, named_column, read_rows
from askance.channels.tally import SupportTally, Tally, of_arrays, oracle_of
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
from askance.engines.tables import beside, codes_of, first_row, least, row_at_hand
from askance.errors import InputError
from askance.inference.design_columns import CountedSample, DesignColumns, of_groups
from askance.inference.ranges.sampled import replicates_of
from askance.inference.replicate_weights import ratio_covariance
from askance.inference.sampling_design import AbstractDesign
from askance.results import numbers
from askance.typing import Booleans, Floats, Integers


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
            raise _names_alone()
        names = list(frame.collect_schema().names())
        told = grouping(channel, names, column, keys, weights, where)
        first = partial(row_at_hand, frame, told.keys[-1], where)
        yield from _reports(frame_groups(frame, told), asked, first)


def _names_alone() -> InputError:
    return InputError(
        "tally.design",
        got="names of columns, beside a column by itself",
        allowed="names of columns with a table, or a SamplingDesign of the rows",
        remedy="design.of(data) reads a data frame",
    )


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
    sample = CountedSample(design=design, report=place, rows=np.ones(n), square=weights**2)
    return _told(channel, sample, codes_of(groups, n), by, asked.where)


def _columns_at_hand(
    channel: Channel, asked: Asked, source: Any, column: str | None, by: Any
) -> tuple[Any, list[Any]]:
    """The column of reports, and those of groups."""
    lazy = isinstance(source, str | Path) or parts_of(source) is not None
    frame = None if lazy else table_of(source)
    if lazy or (frame is not None and not is_listed(frame.implementation)):
        raise _elsewhere(channel)
    if frame is None:
        if column is not None:
            raise InputError("tally.column", got=column, allowed="no name, beside a column alone")
        return source, [] if by is None else [by]
    if not hasattr(frame, "get_column"):
        raise _elsewhere(channel)
    keys = columns_by(by)
    names = list(frame.collect_schema().names())
    report = grouping(channel, names, column, keys, None, asked.where).keys[-1]
    find_columns_of(names, [report, *keys], asked.where)
    native = [frame.get_column(name).to_native() for name in (report, *keys)]
    return native[0], native[1:]


def _elsewhere(channel: Channel) -> InputError:
    coded = channel.oracle is not None and channel.oracle.coded != "names"
    return InputError(
        "tally.design",
        got="rows that are not at hand",
        allowed="a column, or a data frame of pandas, polars or pyarrow",
        remedy="read the rows first: data.collect(), or polars.read_parquet(…)"
        if coded
        else "name the design's columns: askance.inference.DesignColumns(…)",
    )


def _told(
    channel: Channel,
    sample: CountedSample,
    groups: tuple[list[tuple[Any, ...]], Integers],
    by: Any,
    where: str,
) -> Tally | Mapping[Any, Tally]:
    inside = sample.design.weights > 0
    if not (inside & (sample.report >= 0)).any():
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
        replicates=replicates_of(sample.design),
    )
    blanks = int(sample.rows[members & (sample.report < 0)].sum())
    held: tuple[Floats, Floats] = (weights, squares)
    return of_arrays(channel, np.asarray(counts, dtype=np.int64), held, blanks, design)


def sampled_supports(
    channel: Channel,
    asked: Asked,
    source: Any,
    column: str | None,
    by: Any,
    weights: Any,
    design: AbstractDesign | DesignColumns | None,
) -> SupportTally | Mapping[Any, SupportTally]:
    """Count reports of an oracle, of a column or data frame at hand, as weights or a design say.

    Raises
    ------
    InputError
        If rows are not at hand, or more or fewer than the design's, a weight is missing or
        negative, or as in `askance.tally`.
    """
    held, groups = _columns_at_hand(channel, asked, source, column, by)
    reports, given = read_rows(held, oracle_of(channel), asked.where)
    n = len(given)
    if isinstance(design, DesignColumns):
        if table_of(source) is None:
            raise _names_alone()
        design = design.of(source)
    own = _weights(weights, source, n) if design is None else design.weights
    if len(own) != n:
        raise InputError(
            "tally.design", got=f"{len(own):,} rows", allowed=f"as many as reports: {n:,}"
        )
    labels, codes = codes_of(groups, n)
    people = _People(channel=channel, reports=reports, given=given, weights=own, design=design)
    if not (given & (own > 0)).any():
        raise InputError(asked.where, got="no report", allowed="at least one report")
    known = {label: people.tally(codes == at) for at, label in enumerate(labels)}
    return known[()] if by is None else by_group(known, known.__getitem__)


def _weights(given: Any, source: Any, n: int) -> Floats:
    """Sampling weights by the name of their column, or as a column."""
    column = source[given] if isinstance(given, str) and table_of(source) is not None else given
    held = numbers(beside(column, n, "tally.weights"), "tally.weights")
    wrong = np.flatnonzero(~(np.isfinite(held) & (held >= 0)))
    if len(wrong):
        at = int(wrong[0])
        raise InputError(f"tally.weights[{at}]", got=held[at], allowed="a finite weight in [0, ∞)")
    return held


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _People:
    """Who sent which report of an oracle, and how they were drawn.

    Attributes
    ----------
    channel : Channel
    reports : array, of those who sent one
    given : array of bool, shape (n,)
        Who did.
    weights : array, shape (n,)
    design : AbstractDesign or None
        None with weights alone: people drawn with replacement.
    """

    channel: Channel
    reports: Any
    given: Booleans
    weights: Floats
    design: AbstractDesign | None

    def tally(self, members: Booleans) -> SupportTally:
        """Count some of the people, as a domain."""
        oracle, counted = oracle_of(self.channel), members & (self.weights > 0)
        seen = counted & self.given
        if int(seen.sum()) * oracle.answers > _MOST_CELLS:
            raise InputError(
                "tally.design",
                got=f"{int(seen.sum()):,} reports about {oracle.answers:,} answers",
                allowed=f"at most {_MOST_CELLS:,} of both multiplied",
                remedy="ask how a few answers vary by design_mean(design, sets)",
            )
        reports = self.reports[seen[self.given]]
        step = max(_AT_ONCE // max(len(self.given), 1), 1)
        parts = [
            self._sums(reports, seen, slice(first, min(first + step, oracle.answers)))
            for first in range(0, oracle.answers, step)
        ]
        named, heard, repeated, moments = (np.concatenate(one) for one in zip(*parts, strict=True))
        sample = SampledSupports(
            named=named,
            heard=heard,
            moments=moments,
            repeated=repeated,
            squares=float(self.weights[seen] @ self.weights[seen]),
            replicates=replicates_of(self.design),
            together=self._together(reports, seen),
            **self._drawn(seen),
        )
        return SupportTally(
            self.channel,
            oracle.count(reports),
            total=int(seen.sum()),
            blanks=int((counted & ~self.given).sum()),
            sample=sample,
        )

    def _drawn(self, seen: Booleans) -> dict[str, Any]:
        """The degrees of freedom among some, and the mark of their sample."""
        if self.design is None:
            return {"freedom": math.inf if seen.sum() > 1 else 0.0}
        mark = hashlib.sha256(self.design.mark.encode())
        mark.update(np.ascontiguousarray(self.reports).tobytes())
        freedom = max(self.design.domain(seen).freedom, 0.0)
        return {"freedom": freedom, "samples": (mark.hexdigest(),)}

    def _sums(
        self, reports: Any, seen: Booleans, answers: slice
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """Of some neighbouring answers Σ w of who names and who tells, Σ f w², and moments."""
        w, (sets, told) = self.weights, self._said(reports, seen, answers)
        repeated = np.zeros(sets.shape[1])
        if self.design is not None:
            repeated = (self.design.sampled * w**2) @ sets
        return w @ sets, w @ told, repeated, self._moments(sets, told, int(seen.sum()))

    def _together(self, reports: Any, seen: Booleans) -> Floats | None:
        """How the sums of all answers vary together, shape (2k, 2k); None of many."""
        k, w = oracle_of(self.channel).answers, self.weights
        if k > _MOST_TOGETHER or 2 * k * len(seen) > _MOST_AT_ONCE:
            return None
        sets, told = self._said(reports, seen, slice(0, k))
        scores = np.hstack([sets, told])
        if self.design is None:
            people = int(seen.sum())
            square = w**2 * (people / (people - 1) if people > 1 else 0.0)
            return np.asarray((scores.T * square) @ scores, dtype=np.float64)
        held = ratio_covariance(self.design, scores, np.hstack([told, told]) > 0)
        held[:k, :k] += (sets.T * (self.design.sampled * w**2)) @ sets
        return (held + held.T) / 2

    def _said(self, reports: Any, seen: Booleans, answers: slice) -> tuple[Floats, Floats]:
        """Of some neighbouring answers who names them, and who tells, shape (n, b)."""
        oracle = oracle_of(self.channel)
        sets, told = np.zeros((2, len(seen), len(range(oracle.answers)[answers])))
        sets[seen], told[seen] = oracle.sets(reports, answers), oracle.tells(reports, answers)
        return sets, told

    def _moments(self, sets: Floats, told: Floats, people: int) -> Floats:
        """Variances of both sums of weights, the covariance between, shape (b, 3)."""
        if self.design is None:
            square = self.weights**2 * (people / (people - 1) if people > 1 else 0.0)
            return np.column_stack([square @ sets, square @ sets, square @ told])
        scores = np.hstack([sets, told])
        held = ratio_covariance(self.design, scores, np.hstack([told, told]) > 0)
        one, other = np.split(np.arange(scores.shape[1]), 2)
        return np.column_stack([held[one, one], held[one, other], held[other, other]])


_AT_ONCE = 1 << 21  # rows times answers that are looked at at a time
_MOST_CELLS = 4_000_000_000
_MOST_TOGETHER = 50  # answers
_MOST_AT_ONCE = 1 << 25  # rows times sums
