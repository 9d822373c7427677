"""Fetch a page as an ordinary client: what a browser says of itself, and nothing else.

What is posted, to witnesses of logs, says by itself who posts it.

No cookie, no proxy of the environment, no cache. A redirection is followed on the same host alone.
What is read is bounded in size and in time, whatever the server does.
"""

import socket
import ssl
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from threading import Timer
from time import monotonic
from types import MappingProxyType
from typing import Literal, final
from urllib.parse import SplitResult, urljoin, urlsplit

from askance.arguments import checked
from askance.errors import InputError

Client = Literal["firefox", "chromium", "curl"]
"""As whom a page is fetched."""

CAP = 16 << 20
"""No more bytes of a page are read: ours are smaller, so that a larger one is another."""

_LONGEST = 3600
_MOVES = 3
_MOVED = (301, 302, 303, 307, 308)
_CODINGS = "gzip, deflate"
_CLIENTS: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        "firefox": (
            (
                "User-Agent",
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
            ),
            ("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
            ("Accept-Language", "en-US,en;q=0.5"),
            ("Accept-Encoding", _CODINGS),
            ("Connection", "keep-alive"),
            ("Upgrade-Insecure-Requests", "1"),
            ("Sec-Fetch-Dest", "document"),
            ("Sec-Fetch-Mode", "navigate"),
            ("Sec-Fetch-Site", "none"),
            ("Sec-Fetch-User", "?1"),
        ),
        "chromium": (
            ("Connection", "keep-alive"),
            ("Upgrade-Insecure-Requests", "1"),
            (
                "User-Agent",
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 "
                "(KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
            ),
            (
                "Accept",
                "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,"
                "image/apng,*/*;q=0.8",
            ),
            ("Sec-Fetch-Site", "none"),
            ("Sec-Fetch-Mode", "navigate"),
            ("Sec-Fetch-User", "?1"),
            ("Sec-Fetch-Dest", "document"),
            ("Accept-Encoding", _CODINGS),
            ("Accept-Language", "en-US,en;q=0.9"),
        ),
        "curl": (("User-Agent", "curl/8.14.1"), ("Accept", "*/*")),
    }
)


@final
class NotFetched(Exception):
    """Why no page was had: nobody there, or the address leads ``elsewhere``."""

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

    >>> from askance.witness import Fetched, NotFetched, fetch
    >>> try:
    ...     page: Fetched = fetch("http://127.0.0.1:9/", seconds=2.0)
    ... except NotFetched as reason:
    ...     print(reason)
    http://127.0.0.1:9/: no answer...
    """
    if not 0 < seconds <= _LONGEST:
        raise InputError("seconds", got=seconds, allowed=f"more than 0, up to {_LONGEST:,}")
    until, parts = monotonic() + seconds, _split(address)
    for _ in range(_MOVES + 1):
        got, status = _once(parts, client, until)
        if status not in _MOVED:
            break
        to = dict(_lower(got)).get("location", "")
        with suppress(ValueError):
            to = urljoin(parts.geturl(), to)
        if not _is_home(parts, to):
            raise NotFetched(f"the address leads elsewhere: {plain(to)[:200]}", elsewhere=True)
        parts = _split(to)
    if status != 200:
        raise NotFetched(f"{plain(parts.geturl())}: answered with status {status}")
    return got


def post(address: str, body: bytes, seconds: float = 30.0) -> tuple[int, bytes]:
    """Send something to an address, and give the status and the body of the reply."""
    if not 0 < seconds <= _LONGEST:
        raise InputError("seconds", got=seconds, allowed=f"more than 0, up to {_LONGEST:,}")
    got, status = _once(_split(address), None, monotonic() + seconds, body)
    return status, got.body


def _split(address: str) -> SplitResult:
    try:
        parts = urlsplit(address.strip())
        fits = parts.scheme in ("http", "https") and parts.hostname and parts.username is None
        if fits and parts.port != 0 and parts.path.isprintable() and parts.query.isprintable():
            return parts._replace(path=parts.path or "/", fragment="")
    except ValueError:
        pass
    raise InputError("URL", got=address, allowed="an address such as https://exam.example.org/")


def _is_home(parts: SplitResult, to: str) -> bool:
    """Say whether an address is on the same host, and not less protected."""
    try:
        there = _split(to)
    except InputError:
        return False
    same = (there.scheme, there.hostname, there.port) == (parts.scheme, parts.hostname, parts.port)
    safer = (parts.scheme, there.scheme) == ("http", "https") and parts.port == there.port is None
    return same or (safer and there.hostname == parts.hostname)


def _once(
    parts: SplitResult, client: Client | None, until: float, sent: bytes | None = None
) -> tuple[Fetched, int]:
    """Ask once. A server that is slow on purpose is hung up on when time is over."""
    left = max(until - monotonic(), 0.01)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(str(parts.hostname), parts.port, timeout=left)
    try:
        connection.connect()
        with _in_time(connection.sock, until):
            reply = _asked(connection, parts, client, sent)
            body = _body(reply)
    except (OSError, HTTPException, zlib.error, UnicodeError) as error:
        why = _LATE if monotonic() >= until - 0.005 else _why(error)
        raise NotFetched(f"{plain(parts.geturl())}: {plain(why)[:200]}") from error
    finally:
        connection.close()
    if monotonic() >= until:
        raise NotFetched(f"{plain(parts.geturl())}: {_LATE}")
    return Fetched(parts.geturl(), body, tuple(reply.getheaders())), reply.status


_LATE = "no answer in time"


def _asked(
    connection: HTTPConnection, parts: SplitResult, client: Client | None, sent: bytes | None
) -> HTTPResponse:
    target = f"{parts.path}?{parts.query}" if parts.query else parts.path
    connection.putrequest("GET" if sent is None else "POST", target, skip_accept_encoding=True)
    for name, value in _CLIENTS[client] if client else (("User-Agent", "Askance"),):
        connection.putheader(name, value)
    if sent is not None:
        connection.putheader("Content-Length", str(len(sent)))
    connection.endheaders(sent)
    return connection.getresponse()


@contextmanager
def _in_time(open: socket.socket, until: float) -> Iterator[None]:
    """Hang up when time is over, however slowly the other side still sends."""

    def hang_up() -> None:
        with suppress(OSError):
            socket.socket.shutdown(open, socket.SHUT_RDWR)  # below TLS, which would wait for more

    late = Timer(max(until - monotonic(), 0), hang_up)
    late.daemon = True
    late.start()
    try:
        yield
    finally:
        late.cancel()


def plain(text: str) -> str:
    r"""Write a text without signs that a terminal would obey.

    >>> plain("tea\x1b[2J")
    'tea\\u001b[2J'
    """
    return "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in text)


def _why(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"a certificate that is not valid: {error.verify_message}"
    if isinstance(error, socket.gaierror):
        return "no such host"
    told = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return f"no answer: {told}"


def _body(reply: HTTPResponse) -> bytes:
    """Read a body, uncompressed, up to the cap."""
    coding = (reply.headers.get("content-encoding") or "identity").strip().lower()
    if coding not in ("identity", "gzip", "x-gzip", "deflate"):
        raise HTTPException(f"content-encoding {coding[:40]}, which was not asked for")
    raw = reply.read(CAP)
    if reply.length and len(raw) < CAP:
        raise HTTPException("it broke off")
    return raw if coding == "identity" else zlib.decompressobj(47).decompress(raw, CAP)


def _lower(got: Fetched) -> list[tuple[str, str]]:
    return [(name.lower(), value) for name, value in got.headers]
