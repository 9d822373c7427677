"""What each respondent risks, and how precise the answers will be."""

from pathlib import Path

import click
from rich.console import Console

from askance.cli.documents import FILE, save
from askance.present.terminal import risk_tables, summary_table
from askance.survey.analyse import judged
from askance.survey.deployed import SIZES
from askance.survey.publish import deployed_at


@click.command()
@click.argument("survey", type=FILE)
@click.option("-n", "sizes", type=click.IntRange(1), multiple=True, help="Numbers of reports.")
@click.option("--summary", is_flag=True, help="The first page alone.")
@click.option("--details", is_flag=True, help="Also histograms, and what each figure means.")
@click.option("--picture", type=FILE, help="Draw what reports will look like (SVG).")
def check(
    survey: Path, sizes: tuple[int, ...], summary: bool, details: bool, picture: Path | None
) -> None:
    """Say what SURVEY, or its form, does to those who answer it."""
    found = judged(deployed_at(survey), sizes or SIZES)
    if picture is not None:
        from askance.present.figures import outlook_picture

        save(picture, outlook_picture(found))
    Console().print(summary_table(found) if summary else risk_tables(found, details=details))
