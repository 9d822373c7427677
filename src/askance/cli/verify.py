"""Rebuild a page that somebody serves, and say whether it is the same."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, final

import click
import msgspec

from askance.cli.typed_request import takes_request
from askance.transparency.same_page import Outcome, Verdict, verify_page
from askance_collect.cli.documents import form_at
from askance_collect.cli.request_options import Arg
from askance_collect.errors import InputError
from askance_collect.wire.http_request import Client

STATUS: dict[Outcome, int] = {"same": 0, "different": 1, "unreachable": 3, "another version": 4}
"""What the verb ends with; 2 is of what was typed."""


@final
class VerifyRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A page, and the survey that it should be of.

    Attributes
    ----------
    page : str
        Where the page is: an address, or a file.
    survey : Path
        A survey file, or a published form.
    client : str
        The browser to imitate.
    digest : tuple of str
        What an invitation prints: the form's fingerprint or the page's SHA-256; again for several.
    plain_host : bool
        The host sends no headers of its own; those that would lead elsewhere are looked at all the
        same.
    frame : bool
        The form's [frame](../how-to/ask-inside-another-page.md#behind-a-wall) lies there, not its
        page.
    timeout : float
        For all that is fetched, in seconds.
    log : Path, optional
        Note what was seen in this [log](#askance-log), which is there already.
    webcat : bool
        Compare not the page but what [WEBCAT](../how-to/sign-the-page-for-webcat.md) looks at: the
        manifest of a host's bundle, the hashes and policies of its replies; of a FILE, the manifest
        in it.
    quiet : bool
        Say nothing of a page that is the same.
    """

    page: Annotated[str, Arg(flag="", metavar="URL|FILE")]
    survey: Annotated[Path, Arg(flag="")]
    client: Client = "firefox"
    digest: tuple[str, ...] = ()
    plain_host: bool = False
    frame: bool = False
    timeout: Annotated[float, msgspec.Meta(gt=0)] = 30
    log: Path | None = None
    webcat: bool = False
    quiet: bool = False


@takes_request()
def verify(request: VerifyRequest) -> None:
    """Compare the page at URL, or in FILE, with what SURVEY makes.

    Rebuilds it from SURVEY, or from its form, and compares it byte for byte. Ends with 0 if it is
    the same, 1 if it differs, 3 if it cannot be had, 4 if another version built it. Of a
    collector, the frame beside its page is compared too.
    """
    form, page, client, log = form_at(request.survey), request.page, request.client, request.log
    if request.webcat and (request.digest or request.plain_host or request.frame):
        fault = "--digest, --plain-host or --frame beside it"
        allowed = "it alone: these are of the page"
        raise InputError("--webcat", got=fault, allowed=allowed)
    if log is not None:
        from askance.transparency.public_log import read_log

        read_log(log)  # refuses a malformed one before anything is fetched
    if request.webcat:
        from askance.transparency.webcat import verify_webcat

        verdict = verify_webcat(form, page, client=client, seconds=request.timeout)
    else:
        verdict = verify_page(
            form,
            page,
            client=client,
            printed=request.digest,
            headers=not request.plain_host,
            frame=request.frame,
            seconds=request.timeout,
        )
    if not (request.quiet and verdict.outcome == "same"):
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


def _note(log: Path, page: str, verdict: Verdict) -> None:
    """Note in a log when which page was seen, and how it was."""
    from askance.transparency.public_log import append_entries

    when = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    where = "".join(sign if "!" <= sign <= "~" else "_" for sign in page)
    outcome = verdict.outcome.replace(" ", "-")
    append_entries(log, [f"seen {when} {outcome} {verdict.sha256 or '-'} {where}"])
