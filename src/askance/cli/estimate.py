"""From a form and its reports to what was learnt."""

import shlex
from hashlib import file_digest
from pathlib import Path

import click
from rich.console import Console

from askance.cli.documents import FILE, echo_json, save
from askance.engines.count import count_reports
from askance.present.terminal import estimate_table
from askance.survey.analyse import analysed
from askance.survey.publish import deployed_at


@click.command()
@click.argument("form", type=FILE)
@click.argument("reports")
@click.option("--level", default=0.95, show_default=True, help="Of the intervals.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--page", type=FILE, help="Write the page.")
def estimate(form: Path, reports: str, level: float, as_json: bool, page: Path | None) -> None:
    """Estimate from REPORTS under FORM.

    REPORTS is a .db, .csv, .jsonl or .parquet file, or postgresql://…
    """
    deployed = deployed_at(form)
    analysis = analysed(
        deployed,
        count_reports(reports, deployed.form),
        level=level,
        command=f"askance estimate {form.name} {shlex.quote(_name(reports))} --level {level:g}",
        data_fingerprint=_digest(reports),
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


def _digest(reports: str) -> str:
    path = Path(reports)
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
