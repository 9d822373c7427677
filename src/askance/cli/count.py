"""Reports counted where they lie, and put together as they were counted in many places."""

import csv
import json
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, final

import click
import msgspec

from askance.channels.grouped_tally import GroupedTally
from askance.channels.tally import Tally
from askance.cli.reports import (
    ReportOptions,
    ReportSource,
    TableOptions,
    count_source,
    read_source,
    tally_question,
)
from askance.cli.sample import SampleColumns, count_by_report, show_replicates
from askance.cli.typed_request import GroupColumn, takes_request
from askance_collect.cli.documents import save
from askance_collect.cli.request_options import Arg
from askance_collect.errors import InputError
from askance_collect.wire.canonical_json import escape_formula


@final
class CountRequest(msgspec.Struct, frozen=True, kw_only=True):
    """How many reports of each kind there are.

    Attributes
    ----------
    out : Path
        Write the counts: a .json or .csv file.
    """

    out: Path
    source: ReportOptions = ReportOptions()
    tables: TableOptions = TableOptions()
    group: GroupColumn = None
    sample: Annotated[SampleColumns, Arg(without=("counts", "recode", "collapse"))] = (
        SampleColumns()
    )


@takes_request()
@show_replicates
def count(request: CountRequest) -> None:
    """Count REPORTS under FORM, and write only counts.

    Each of REPORTS is a .db, .csv, .jsonl, .parquet, .sav or .dta file, postgresql://…, or counts
    that this verb wrote; all are added up. FORM may be a channel as JSON instead of a form, or a
    --mechanism takes its place; REPORTS then are tables with a column of its reports. Where a
    number of the mechanism differs from person to person, @COLUMN, the reports of each value are
    counted separately. A .csv file has a row for each report of each group --by columns, with how
    many people sent it: estimate and regress read it by --counts people.
    """
    out, sample, group = request.out, request.sample, request.group
    if out.suffix not in (".json", ".csv") or (sample.by and out.suffix == ".json"):
        ends = ".csv, with --by" if sample.by else ".json or .csv"
        raise InputError("--out", got=out.name, allowed=f"a file that ends in {ends}")
    source = read_source(request.source, request.tables)
    if out.suffix == ".csv":
        table, received = _count_patterns(source, sample, group)
        save(out, table)
        click.echo(f"{received:,} report{'' if received == 1 else 's'}  {out}")
        return
    if source.form is not None:
        _refuse_columns(sample.flags | {"group": group})
        form = source.form.form
        counts = count_source(source, source.reading)
        document, received = counts.to_dict(form), counts.reports
    else:
        counted = tally_question(source, sample, group).overall
        document, received = counted.to_dict(), counted.total
    save(out, json.dumps(document, ensure_ascii=False, indent=1) + "\n")
    click.echo(f"{received:,} report{'' if received == 1 else 's'}  {out}")


def _count_patterns(
    source: ReportSource, sample: SampleColumns, group: str | None
) -> tuple[str, int]:
    """Write a row for each report and group of people that sent it; count all but blanks."""
    if source.form is not None:
        raise InputError("--out", got="a table, of a form", allowed="a file that ends in .json")
    if _PEOPLE in (*sample.by, sample.column, group):
        allowed = f"other columns: {_PEOPLE} says how many sent a report"
        raise InputError("--by", got=_PEOPLE, allowed=allowed)
    counted = tally_question(source, sample, group).counted
    several_groups = any(isinstance(tally, GroupedTally) for tally in counted.values())
    rows, total = list[list[Any]](), 0
    for people, tallies in counted.items():
        parts: Mapping[str, Any] = (
            tallies.tallies if isinstance(tallies, GroupedTally) else {"": tallies}
        )
        for name, tally in parts.items():
            if not isinstance(tally, Tally) or tally.weighted:
                raise InputError(
                    "--out",
                    got="sums of weights" if isinstance(tally, Tally) else "bits without names",
                    allowed="a file that ends in .json",
                    remedy="a table holds how many people sent each report, by its name",
                )
            total += tally.total
            labels = [*map(_plain, people), *([name] if several_groups else [])]
            rows += [[*labels, report, n] for report, n in count_by_report(tally) if n]
    head = [
        *sample.by,
        *([group or "group"] if several_groups else []),
        sample.column or "report",
        _PEOPLE,
    ]
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerows(
        [escape_formula(cell) if isinstance(cell, str) else cell for cell in row]
        for row in (head, *rows)
    )
    return out.getvalue(), total


_PEOPLE = "people"


def _plain(cell: Any) -> Any:
    """A number as it is typed: 1, not 1.0."""
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


def _refuse_columns(columns: Mapping[str, Any]) -> None:
    """Refuse columns where there is a form, which says what they are called."""
    for name, value in columns.items():
        if value:
            raise InputError(f"--{name}", got=value, allowed="nothing, beside a form")
