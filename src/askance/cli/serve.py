"""Publish a survey, ask it, and keep what is sent."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from askance.cli.documents import FILE, form_at, form_path, key_at, write_form
from askance.collect.app import create_app, page_origins
from askance.collect.serve import serve as run
from askance.collect.store import open_store
from askance.respond.page import render_page

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp


@click.command()
@click.argument("survey", type=FILE)
@click.option("--store", default="reports.db", show_default=True, help="A file or postgresql://…")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option("--behind-proxy", is_flag=True, help="A proxy with TLS is in front: any HOST may do.")
@click.option("--page-origin", multiple=True, help="Where else the page lies: https://example.org")
@click.option("--operator-key", type=FILE, help="A file with the key to /metrics.")
@click.option("--no-saved-pages", is_flag=True, help="Refuse pages opened from a disk.")
def serve(
    survey: Path,
    store: str,
    host: str,
    port: int,
    behind_proxy: bool,
    page_origin: tuple[str, ...],
    operator_key: Path | None,
    no_saved_pages: bool,
) -> None:
    """Ask SURVEY at an address of this machine, until Ctrl-C."""
    form, origins = form_at(survey), page_origins(page_origin, saved=not no_saved_pages)
    page, key = render_page(form), key_at(operator_key)
    with ExitStack() as stack:

        def make() -> "tuple[ASGIApp, Callable[[], None]]":
            kept = open_store(store, form)
            stack.callback(kept.close)
            if form_path(survey) != survey:
                write_form(form, survey)
            if kept.closed:
                click.echo("the survey is closed: no report is kept any more", err=True)
            told = page.headers, page.sha256, kept, origins, page.beside
            app = create_app(form, page.bytes, *told, operator_key=key)
            return app, kept.check

        def announce(url: str) -> None:
            click.echo(f"asking at {url}")
            click.echo(f"form {form_path(survey)}  SHA-256 {form.fingerprint}")
            click.echo(f"page SHA-256 {page.sha256}")
            click.echo("print both on the invitation")

        run(make, announce, host, port, behind_proxy=behind_proxy)
