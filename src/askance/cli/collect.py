"""What has been collected: count it, export it, close the survey."""

from pathlib import Path

import click

from askance.cli.documents import FILE
from askance.collect.export import export_csv, export_jsonl
from askance.collect.store import open_store
from askance.errors import DocumentError
from askance.wire.form import Form


@click.group()
def collect() -> None:
    """Look at, export or close a store of reports."""


@collect.command()
@click.argument("store")
def status(store: str) -> None:
    """Say how many reports STORE holds and for which form."""
    kept = open_store(store, read_only=True)
    form = Form.read(kept.form())
    state = "closed" if kept.closed else "open"
    click.echo(f"{kept.count()} reports, {state}, form SHA-256 {form.fingerprint}")
    kept.close()


@collect.command()
@click.argument("store")
@click.argument("output", type=FILE)
def export(store: str, output: Path) -> None:
    """Write the reports in STORE to OUTPUT.

    OUTPUT ends in .csv, and gets a codebook beside it, or in .jsonl.
    """
    writers = {".csv": export_csv, ".jsonl": export_jsonl}
    if output.suffix not in writers:
        raise DocumentError(str(output), got=output.suffix, allowed=" or ".join(writers))
    kept = open_store(store, read_only=True)
    writers[output.suffix](kept, Form.read(kept.form()), output)
    kept.close()
    click.echo(f"{output} is written, in random order")


@collect.command()
@click.argument("store")
def close(store: str) -> None:
    """Refuse further reports for good.

    STORE is rewritten so that no order of arrival is left.
    """
    kept = open_store(store)
    kept.close_survey()
    click.echo(f"closed with {kept.count()} reports")
    kept.close()
