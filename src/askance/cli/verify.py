"""Rebuild a page that somebody serves, and say whether it is the same."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import click

from askance.transparency.same_page import Outcome, Verdict, verify_page
from askance_collect.cli.documents import FILE, form_at
from askance_collect.errors import InputError
from askance_collect.wire.http_request import Client

STATUS: dict[Outcome, int] = {"same": 0, "different": 1, "unreachable": 3, "another version": 4}
"""What the verb ends with; 2 is of what was typed."""


@click.command()
@click.argument("page", metavar="URL|FILE")
@click.argument("survey", type=FILE)
@click.option("--client", type=click.Choice(get_args(Client)), default="firefox")
@click.option(
    "--digest", "printed", multiple=True, help="A SHA-256 on the invitation; again for several."
)
@click.option("--plain-host", is_flag=True, help="The host sends no headers of its own.")
@click.option("--frame", is_flag=True, help="The form's frame lies there, not its page.")
@click.option(
    "--timeout", "seconds", type=click.FloatRange(0, min_open=True), default=30, show_default=True
)
@click.option("--log", "log", type=FILE, help="Note what was seen in this signed log.")
@click.option("--webcat", is_flag=True, help="Compare WEBCAT's manifest there, not the page.")
@click.option("--quiet", is_flag=True, help="Say nothing of a page that is the same.")
def verify(
    page: str,
    survey: Path,
    client: Client,
    printed: tuple[str, ...],
    plain_host: bool,
    frame: bool,
    seconds: float,
    log: Path | None,
    webcat: bool,
    quiet: bool,
) -> None:
    """Compare the page at URL, or in FILE, with what SURVEY makes.

    Rebuilds it from SURVEY, or from its form, and compares it byte for byte. Ends with 0 if it is
    the same, 1 if it differs, 3 if it cannot be had, 4 if another version built it. Of a
    collector, the frame beside its page is compared too.
    """
    form = form_at(survey)
    if webcat and (printed or plain_host or frame):
        fault = "--digest, --plain-host or --frame beside it"
        allowed = "it alone: these are of the page"
        raise InputError("--webcat", got=fault, allowed=allowed)
    if log is not None:
        _need_log(log)
    if webcat:
        from askance.transparency.webcat import verify_webcat

        verdict = verify_webcat(form, page, client=client, seconds=seconds)
    else:
        verdict = verify_page(
            form,
            page,
            client=client,
            printed=printed,
            headers=not plain_host,
            frame=frame,
            seconds=seconds,
        )
    if not (quiet and verdict.outcome == "same"):
        _print_verdict(page, verdict)
    if log is not None:
        _note(log, page, verdict)
    sys.exit(STATUS[verdict.outcome])


def _print_verdict(page: str, verdict: Verdict) -> None:
    """Print what was found of a page."""
    click.echo(f"{verdict.outcome}  {page}")
    if verdict.sha256:
        click.echo(f"page SHA-256 {verdict.sha256}")
    for line in verdict.differences:
        click.echo(f"- {line}")


def _need_log(log: Path) -> None:
    """Refuse a malformed log before anything is fetched."""
    from askance.transparency.public_log import read_log

    read_log(log)


def _note(log: Path, page: str, verdict: Verdict) -> None:
    """Note in a log when which page was seen, and how it was."""
    from askance.transparency.public_log import append_entries

    when = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    where = "".join(sign if "!" <= sign <= "~" else "_" for sign in page)
    outcome = verdict.outcome.replace(" ", "-")
    append_entries(log, [f"seen {when} {outcome} {verdict.sha256 or '-'} {where}"])
