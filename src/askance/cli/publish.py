"""Freeze a survey into the form that is deployed, and the page that asks it."""

from pathlib import Path

import click

from askance.cli.documents import FILE, deployed_at, form_path, save
from askance.respond.page import render_page
from askance.wire.form import Form


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


def write_form(form: Form, survey: Path) -> Path:
    """Write a form beside its survey file and say where."""
    path = form_path(survey)
    save(path, form.bytes)
    return path
