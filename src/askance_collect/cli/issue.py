"""Sign tokens: the desk that exchanges invitation codes for them."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, final

import click

from askance_collect.cli.request_options import Arg, takes_request
from askance_collect.cli.serve import BehindProxy, Host, Port
from askance_collect.collect.serve import serve as run
from askance_collect.tokens.exchange import create_exchange
from askance_collect.tokens.issuer import open_issuer

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class IssueRequest:
    """An issuer, and where it exchanges codes.

    Attributes
    ----------
    issuer : Path
        The file that `askance invite` made.
    """

    issuer: Annotated[Path, Arg(flag="")]
    host: Host = "127.0.0.1"
    port: Port = 8001
    behind_proxy: BehindProxy = False


@takes_request()
def issue(request: IssueRequest) -> None:
    """Exchange codes for tokens, until Ctrl-C.

    ISSUER is the file that askance invite made: bring it to this machine, and leave it nowhere
    else.
    """
    opened = open_issuer(request.issuer)

    def make() -> "tuple[ASGIApp, Callable[[], None]]":
        return create_exchange(opened), lambda: None

    def announce(url: str) -> None:
        click.echo(f"exchanging codes at {url}")
        click.echo("nothing is logged; reports go elsewhere")

    try:
        run(make, announce, request.host, request.port, behind_proxy=request.behind_proxy)
    finally:
        opened.close()
