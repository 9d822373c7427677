"""Count reports where they lie, and put together what was counted in many places."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from askance.channels.channel import Channel
from askance.channels.tally import Tally
from askance.cli.documents import FILE, save
from askance.engines.count import Counts, count_reports
from askance.engines.tallies import tally
from askance.errors import DocumentError, InputError
from askance.survey.publish import deployed_at
from askance.wire.form import Form, read_form

_Command = TypeVar("_Command", bound=Callable[..., Any])

REPORTS = click.argument("reports", nargs=-1, required=True)


def columns(command: _Command) -> _Command:
    """Let a command name columns of a table, which goes with a channel."""
    for name, told in (
        ("--weights", "With a channel: the column of sampling weights."),
        ("--column", "With a channel: the column that holds the reports."),
    ):
        command = click.option(name, help=told)(command)
    return command


@click.command()
@click.argument("form", type=FILE)
@REPORTS
@click.option("--out", type=FILE, required=True, help="Write the counts: a .json file.")
@columns
def count(
    form: Path, reports: Sequence[str], out: Path, column: str | None, weights: str | None
) -> None:
    """Count REPORTS under FORM, and write only counts.

    Each of REPORTS is a .db, .csv, .jsonl or .parquet file, postgresql://…, or counts that this
    verb wrote; all are added up. FORM may be a channel as JSON instead of a form; REPORTS then are
    tables with a column of its reports.
    """
    if out.suffix != ".json":
        raise InputError("--out", got=out.name, allowed="a file that ends in .json")
    channel = channel_at(form)
    if channel is None:
        refuse_columns(column, weights)
        published = read_form(form) if form.suffix == ".json" else deployed_at(form).form
        found = counts_of(published, reports)
        told, received = found.to_dict(published), found.reports
    else:
        tallied = tally_of(channel, reports, column, weights)
        told, received = tallied.to_dict(), tallied.total
    save(out, json.dumps(told, ensure_ascii=False, indent=1) + "\n")
    click.echo(f"{received:,} report{'' if received == 1 else 's'}  {out}")


def channel_at(path: Path) -> Channel | None:
    """Read a channel as JSON; None for a form or a survey file.

    >>> channel_at(Path("examples/affairs.toml")) is None
    True
    """
    if path.suffix != ".json" or not path.is_file():
        return None
    try:
        written = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return None  # whoever reads it as a form says what is wrong
    if not isinstance(written, dict) or "matrix" not in written:
        return None
    return Channel.from_dict(written)


def counts_of(form: Form, reports: Sequence[str]) -> Counts:
    """Count the reports of every place, and add them up."""
    first, *more = (count_reports(place, form) for place in different(reports))
    return sum(more, first)


def tally_of(
    channel: Channel, reports: Sequence[str], column: str | None, weights: str | None
) -> Tally:
    """Tally the reports of every place, and add them up; written tallies have no columns."""
    found: list[Tally] = []
    for place in different(reports):
        written = place.lower().endswith(".json")
        named = (None, None) if written else (column, weights)
        one = tally(channel, place, named[0], weights=named[1])
        assert isinstance(one, Tally)  # of a channel with a matrix
        found.append(one)
    return sum(found[1:], found[0])


def different(reports: Sequence[str]) -> Sequence[str]:
    """Refuse a place that is named twice: its reports would count twice.

    Raises
    ------
    DocumentError
        With its name.
    """
    for at, place in enumerate(reports):
        if place in reports[:at]:
            raise DocumentError(place.rsplit("/", 1)[-1], got="twice", allowed="each place once")
    return reports


def refuse_columns(column: str | None, weights: str | None) -> None:
    """Refuse columns where there is a form, which says what they are called."""
    for name, given in (("--column", column), ("--weights", weights)):
        if given is not None:
            raise InputError(name, got=given, allowed="nothing, beside a form")
