"""Freeze a survey into the form that is deployed, and the page that asks it."""

from pathlib import Path

import click

from askance.cli.documents import FILE, save, write_form
from askance.respond.page import render_page
from askance.survey.publish import deployed_at


@click.command()
@click.argument("survey", type=FILE)
@click.option("--page", type=FILE, help="Write the page, too.")
def publish(survey: Path, page: Path | None) -> None:
    """Write the form of SURVEY beside it, and print its fingerprint."""
    deployed = deployed_at(survey)
    form = deployed.form
    click.echo(f"form  {write_form(form, survey)}  SHA-256 {form.fingerprint}")
    for told in deployed.rounding_notes:
        click.echo(f"note  {told}")
    if page is not None:
        rendered = render_page(form)
        save(page, rendered.bytes)
        click.echo(f"page  {page}  SHA-256 {rendered.sha256}")
