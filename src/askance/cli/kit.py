"""What an operator sets a collector up with, and asks whether it works."""

import http.client
import socket
from contextlib import closing
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import click

from askance.cli.documents import FILE, form_at
from askance.collect.kit import write_kit
from askance.errors import InputError

_PATIENCE = 8.0


@click.command()
@click.argument("form", type=FILE)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--host", required=True, help="Where respondents find it: exam.example.org")
@click.option("--name", help="What files and units are called; otherwise as FORM.")
@click.option("--proxy", type=click.Choice(["nginx", "caddy"]), default="nginx", show_default=True)
@click.option("--container", is_flag=True, help="Run it in a container in place of systemd.")
def kit(
    form: Path,
    folder: Path,
    host: str,
    name: str | None,
    proxy: Literal["nginx", "caddy"],
    container: bool,
) -> None:
    """Write into FOLDER what runs a collector of FORM for years.

    A unit for systemd or a container file, the settings of a proxy with TLS, and a README.md.
    """
    called = name or form.name.partition(".")[0]
    made = write_kit(form_at(form), folder, called, host, proxy=proxy, container=container)
    for path in made:
        click.echo(path)


@click.command()
@click.argument("url", default="http://127.0.0.1:8000/")
def healthy(url: str) -> None:
    """Ask the collector at URL whether it could write a report.

    URL is http://… or unix:/run/….sock; the exit status is 1 if it could not, or does not answer.
    """
    with closing(_line(url)) as line:
        try:
            line.request("GET", "/health")
            good = line.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            good = False
    click.echo("healthy" if good else "not healthy")
    raise SystemExit(not good)


def _line(url: str) -> http.client.HTTPConnection:
    scheme, _, path = url.partition(":")
    if scheme == "unix":
        line = http.client.HTTPConnection("localhost")
        line.sock = socket.socket(socket.AF_UNIX)
        line.sock.settimeout(_PATIENCE)
        try:
            line.sock.connect(path)
        except OSError:
            line.sock.close()
            line.auto_open = 0
            line.sock = None
        return line
    place = urlsplit(url)
    if scheme != "http" or not place.hostname:
        raise InputError("URL", got=url, allowed="http://127.0.0.1:8000/ or unix:/run/exam.sock")
    return http.client.HTTPConnection(place.hostname, place.port, timeout=_PATIENCE)
