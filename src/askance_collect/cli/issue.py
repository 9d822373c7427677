"""Sign tokens: the desk that exchanges invitation codes for them."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from askance_collect.cli.documents import FILE
from askance_collect.collect.serve import serve as run
from askance_collect.tokens.exchange import create_exchange
from askance_collect.tokens.issuer import open_issuer

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp


@click.command()
@click.argument("issuer", type=FILE)
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=8001, show_default=True)
@click.option("--behind-proxy", is_flag=True, help="A proxy with TLS is in front: any HOST may do.")
def issue(issuer: Path, host: str, port: int, behind_proxy: bool) -> None:
    """Exchange codes for tokens, until Ctrl-C.

    ISSUER is the file that askance invite made: bring it to this machine, and leave it nowhere
    else.
    """
    opened = open_issuer(issuer)

    def make() -> "tuple[ASGIApp, Callable[[], None]]":
        return create_exchange(opened), lambda: None

    def announce(url: str) -> None:
        click.echo(f"exchanging codes at {url}")
        click.echo("nothing is logged; reports go elsewhere")

    try:
        run(make, announce, host, port, behind_proxy=behind_proxy)
    finally:
        opened.close()
