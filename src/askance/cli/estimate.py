"""From a form and its reports to what was learnt."""

import shlex
from collections.abc import Sequence
from hashlib import file_digest, sha256
from pathlib import Path

import click
from rich.console import Console

from askance.cli.count import REPORTS, channel_at, columns, counts_of, refuse_columns, tally_of
from askance.cli.documents import FILE, echo_json, save
from askance.errors import InputError
from askance.inference.shares.estimate import estimate as estimate_shares
from askance.present.terminal import estimate_table
from askance.survey.analyse import analysed
from askance.survey.publish import deployed_at


@click.command()
@click.argument("form", type=FILE)
@REPORTS
@click.option("--level", default=0.95, show_default=True, help="Of the intervals.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--page", type=FILE, help="Write the page.")
@columns
def estimate(
    form: Path,
    reports: Sequence[str],
    level: float,
    as_json: bool,
    page: Path | None,
    column: str | None,
    weights: str | None,
) -> None:
    """Estimate from REPORTS under FORM.

    Each of REPORTS is a .db, .csv, .jsonl or .parquet file, postgresql://…, or counts that
    `askance count` wrote; all are added up. FORM may be a channel as JSON instead of a form;
    REPORTS then are tables with a column of its reports.
    """
    channel = channel_at(form)
    if channel is not None:
        if page is not None:
            raise InputError("--page", got=page.name, allowed="nothing, beside a channel")
        told = estimate_shares(tally_of(channel, reports, column, weights), level)
        echo_json(told.to_dict()) if as_json else click.echo(str(told))
        return
    refuse_columns(column, weights)
    deployed = deployed_at(form)
    named = " ".join(shlex.quote(_name(one)) for one in reports)
    analysis = analysed(
        deployed,
        counts_of(deployed.form, reports),
        level=level,
        command=f"askance estimate {form.name} {named} --level {level:g}",
        data_fingerprint=_digests(reports),
    )
    if page is not None:
        from askance.present.analysis_page import render_analysis

        save(page, render_analysis(analysis))
    if as_json:
        echo_json(analysis.to_dict())
    else:
        Console().print(estimate_table(analysis))


def _name(reports: str) -> str:
    """Name the reports without a folder, a user or a password."""
    return reports.rsplit("/", 1)[-1]


def _digests(reports: Sequence[str]) -> str:
    """The SHA-256 of the file; of several the SHA-256 of their digests, one after the other."""
    told = [_digest(one) for one in reports]
    if len(told) == 1 or not all(told):
        return told[0] if len(told) == 1 else ""
    return sha256("".join(told).encode("ascii")).hexdigest()


def _digest(reports: str) -> str:
    path = Path(reports)
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
