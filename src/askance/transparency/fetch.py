"""Fetch a page as an ordinary client: what a browser says of itself, and nothing else.

What is posted, to witnesses of logs, says by itself who posts it.

No cookie, no proxy of the environment, no cache. A redirection is followed on the same host alone.
What is read is bounded in size and in time, whatever the server does.
"""

from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import final
from urllib.parse import SplitResult, urljoin

from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.wire.http_request import (
    CLIENTS,
    REDIRECTS,
    Client,
    NoReply,
    Reply,
    plain,
    send_request,
    split_address,
)

_LONGEST = 3600
_MOVES = 3


@final
class NotFetched(Exception):
    """Why no page was received: no reply, or a redirect ``elsewhere``."""

    def __init__(self, reason: str, *, elsewhere: bool = False) -> None:
        self.elsewhere = elsewhere
        super().__init__(reason)


@final
@dataclass(frozen=True, slots=True)
class Fetched:
    """What an address handed out.

    Attributes
    ----------
    address : str
        Where it was in the end.
    body : bytes
        Uncompressed, and no more of it than is looked at.
    headers : tuple of (str, str)
        As they came.
    """

    address: str
    body: bytes = field(repr=False)
    headers: tuple[tuple[str, str], ...] = field(repr=False)


@checked
def fetch(address: str, client: Client = "firefox", seconds: float = 30.0) -> Fetched:
    """Fetch what lies at an address, and follow it on its own host.

    Parameters
    ----------
    address : str
        Of http or https.
    client : str
        As whom: ``"firefox"``, ``"chromium"`` or ``"curl"``.
    seconds : float
        For all of it.

    Returns
    -------
    Fetched

    Raises
    ------
    InputError
        If it is no address of the web, or no time is given.
    NotFetched
        If nothing is handed out there, or it leads elsewhere.

    >>> from askance.transparency import Fetched, NotFetched, fetch
    >>> try:
    ...     page: Fetched = fetch("http://127.0.0.1:9/", seconds=2.0)
    ... except NotFetched as reason:
    ...     print(reason)
    http://127.0.0.1:9/: no answer...
    """
    if not 0 < seconds <= _LONGEST:
        raise InputError("seconds", got=seconds, allowed=f"more than 0, up to {_LONGEST:,}")
    until, parts = monotonic() + seconds, split_address(address)
    for _ in range(_MOVES + 1):
        reply = _send(parts, CLIENTS[client], until)
        if reply.status not in REDIRECTS:
            break
        to = (reply.values("location") or [""])[-1]
        with suppress(ValueError):
            to = urljoin(parts.geturl(), to)
        if not _is_home(parts, to):
            raise NotFetched(f"the address leads elsewhere: {plain(to)[:200]}", elsewhere=True)
        parts = split_address(to)
    if reply.status != 200:
        raise NotFetched(f"{plain(parts.geturl())}: answered with status {reply.status}")
    return Fetched(reply.address, reply.body, reply.headers)


def post(address: str, body: bytes, seconds: float = 30.0) -> tuple[int, bytes]:
    """Send something to an address, and give the status and the body of the reply."""
    if not 0 < seconds <= _LONGEST:
        raise InputError("seconds", got=seconds, allowed=f"more than 0, up to {_LONGEST:,}")
    headers, until = (("User-Agent", "Askance"),), monotonic() + seconds
    reply = _send(split_address(address), headers, until, body)
    return reply.status, reply.body


def _is_home(parts: SplitResult, to: str) -> bool:
    """Say whether an address is on the same host, and not less protected."""
    try:
        target = split_address(to)
    except InputError:
        return False
    same = (target.scheme, target.hostname, target.port) == (
        parts.scheme,
        parts.hostname,
        parts.port,
    )
    safer = (parts.scheme, target.scheme) == ("http", "https") and parts.port == target.port is None
    return same or (safer and target.hostname == parts.hostname)


def _send(
    parts: SplitResult,
    headers: tuple[tuple[str, str], ...],
    until: float,
    body: bytes | None = None,
) -> Reply:
    try:
        return send_request(parts, headers, until, body)
    except NoReply as error:
        raise NotFetched(str(error)) from error
