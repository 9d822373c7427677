"""One HTTP request and its reply, bounded in size and in time, whatever the server does.

No cookie, no proxy of the environment, no cache, and no redirection is followed.
"""

import socket
import ssl
import tomllib
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from importlib.resources import files
from threading import Timer
from time import monotonic
from types import MappingProxyType
from typing import Literal, final
from urllib.parse import SplitResult, urlsplit

from askance_collect.errors import InputError

Client = Literal["firefox", "chromium", "curl"]
"""As whom a page is fetched."""

CAP = 16 << 20
"""No more bytes of a reply are read: our pages are smaller, so that a larger one is another."""

REDIRECTS = (301, 302, 303, 307, 308)
"""Statuses that send elsewhere."""

FOREIGN_HEADERS = (
    "clear-site-data",
    "content-security-policy-report-only",
    "link",
    "nel",
    "refresh",
    "report-to",
    "reporting-endpoints",
    "service-worker-allowed",
    "set-cookie",
    "sourcemap",
    "speculation-rules",
    "x-sourcemap",
)
"""Headers that no page of ours has: each sends a visitor or a message elsewhere, or marks one."""

CLIENTS: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        client: tuple(headers.items())
        for client, headers in tomllib.loads(
            (files("askance_collect.wire") / "clients.toml").read_text("utf-8")
        ).items()
    }
)
"""The headers with which each client opens a page."""


@final
class NoReply(Exception):
    """Reason for no reply: no such host, no connection, a certificate, or a timeout."""


@final
@dataclass(frozen=True, slots=True)
class Reply:
    """What a server replied.

    Attributes
    ----------
    address : str
        What was asked for.
    status : int
    headers : tuple of (str, str)
        As they came.
    body : bytes
        Uncompressed, and no more of it than is looked at.
    """

    address: str
    status: int
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    body: bytes = field(repr=False)

    def values(self, name: str) -> list[str]:
        """Give the values of a header, by its name in small letters.

        >>> Reply("http://127.0.0.1/", 200, (("Via", "1.1 a"), ("via", "1.1 b")), b"").values("via")
        ['1.1 a', '1.1 b']
        """
        return [value for written, value in self.headers if written.lower() == name]


def send_request(
    address: str | SplitResult,
    headers: Iterable[tuple[str, str]],
    until: float,
    body: bytes | None = None,
) -> Reply:
    """Send one GET, or with a body a POST, and read the reply.

    Parameters
    ----------
    address : str or SplitResult
        Of http or https.
    headers : iterable of (str, str)
        Besides Host and Content-Length.
    until : float
        When to hang up on a server that is slow on purpose, by the monotonic clock.
    body : bytes, optional

    Raises
    ------
    InputError
        If it is no address of the web.
    NoReply
        If no whole reply came in time.

    >>> try:
    ...     send_request("http://127.0.0.1:9/", [], monotonic() + 2)
    ... except NoReply as reason:
    ...     print(reason)
    http://127.0.0.1:9/: no answer...
    """
    parts = split_address(address) if isinstance(address, str) else address
    seconds_left = max(until - monotonic(), 0.01)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(str(parts.hostname), parts.port, timeout=seconds_left)
    try:
        connection.connect()
        with _in_time(connection.sock, until):
            reply = _request(connection, parts, headers, body)
            content = _body(reply)
    except (OSError, HTTPException, zlib.error, UnicodeError) as error:
        why = _LATE if monotonic() >= until - 0.005 else _why(error)
        raise NoReply(f"{plain(parts.geturl())}: {plain(why)[:200]}") from error
    finally:
        connection.close()
    if monotonic() >= until:
        raise NoReply(f"{plain(parts.geturl())}: {_LATE}")
    return Reply(parts.geturl(), reply.status, tuple(reply.getheaders()), content)


def split_address(address: str) -> SplitResult:
    """Take an address of the web apart, less what stands behind its #.

    Raises
    ------
    InputError
        If it is none.

    >>> split_address("https://exam.example.org#a").geturl()
    'https://exam.example.org/'
    """
    try:
        parts = urlsplit(address.strip())
        fits = parts.scheme in ("http", "https") and parts.hostname and parts.username is None
        if fits and parts.port != 0 and parts.path.isprintable() and parts.query.isprintable():
            return parts._replace(path=parts.path or "/", fragment="")
    except ValueError:
        pass
    raise InputError("URL", got=address, allowed="an address such as https://exam.example.org/")


_LATE = "no answer in time"


def _request(
    connection: HTTPConnection,
    parts: SplitResult,
    headers: Iterable[tuple[str, str]],
    body: bytes | None,
) -> HTTPResponse:
    target = f"{parts.path}?{parts.query}" if parts.query else parts.path
    connection.putrequest("GET" if body is None else "POST", target, skip_accept_encoding=True)
    for name, value in headers:
        connection.putheader(name, value)
    if body is not None:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body)
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
    return "".join(
        character if character.isprintable() else f"\\u{ord(character):04x}" for character in text
    )


def _why(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"a certificate that is not valid: {error.verify_message}"
    if isinstance(error, socket.gaierror):
        return "no such host"
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return f"no answer: {reason}"


def _body(reply: HTTPResponse) -> bytes:
    """Read a body, uncompressed, up to the cap."""
    coding = (reply.headers.get("content-encoding") or "identity").strip().lower()
    if coding not in ("identity", "gzip", "x-gzip", "deflate"):
        raise HTTPException(f"content-encoding {coding[:40]}, which was not asked for")
    raw = reply.read(CAP)
    if reply.length and len(raw) < CAP:
        raise HTTPException("it broke off")
    return raw if coding == "identity" else zlib.decompressobj(47).decompress(raw, CAP)
