"""Run the collector: one process, nothing logged, stopped and restarted without losing a report.

It listens at an address, or where the system does so for it (systemd's socket activation): then
nobody is turned away while one process ends and the next begins.

Nobody has to be trusted to send a request's head, or its end, or to close a connection. Every
connection is limited in bytes and in time, and so is their number: where one too many comes, the
one that has been waited for longest has to go.
"""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from ipaddress import ip_address
from threading import Thread, current_thread, main_thread
from time import monotonic
from types import FrameType
from typing import Any, final

import uvicorn
from httptools import HttpRequestParser
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from askance_collect.arguments import checked
from askance_collect.collect.watch import Faults
from askance_collect.collect.writer import origin
from askance_collect.errors import InputError
from askance_collect.wire.canonical_json import canonical

if sys.platform != "win32":
    import resource

_faults = Faults()
_GRACE = 10
"""Seconds that a request may still take once the server has been asked to stop."""

_START = 1.0
"""Seconds that the check of a store has before its page is served."""

PATIENCE = 30.0
"""Seconds that a connection may be silent, a request may take to arrive, or a reply to be read.

The respondent's page gives up after as many.
"""

MAX_CONNECTIONS = 4096
"""The most connections at once, where the system allows as many."""

MAX_HEAD_BYTES = 16 * 1024
"""The most bytes of a request's head, and of anything else that is neither head nor body."""

MAX_HEADERS = 100
_PIECE = 4096
_MAX_QUEUED = 8
_MOMENT = 1.0
"""Seconds for a request to begin on a connection that was made just before the end."""

_HANDED_OVER = 3
"""The first descriptor that systemd hands over (``sd_listen_fds(3)``)."""

_BACKLOG = 512
_NO_MEMORY = (
    b"there is no memory left [no-memory]: the collector ends; nothing is lost, start it again\n"
)
_SPARE = 128
_REFUSALS = {
    "head": (431, f"the head of the request is larger than {MAX_HEAD_BYTES} bytes"),
    "request": (400, "this is not a request of HTTP/1.1"),
    "slow": (408, f"the request took longer than {PATIENCE:.0f} seconds to arrive"),
}
_MALFORMED = {
    "host": (400, "a request of HTTP/1.1 names one Host"),
    "coding": (501, "a body is sent whole or chunked, and in no other coding"),
    "version": (505, "this speaks HTTP/1.1 and HTTP/1.0"),
}
"""Requests whose meaning two readers could see differently; they are counted with "request"."""


@checked
def serve(
    make: Callable[[], tuple[ASGIApp, Callable[[], None]]],
    announce: Callable[[str], None],
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    behind_proxy: bool = False,
) -> None:
    """Serve until SIGTERM or SIGINT; then answer what was begun, write what waits, and return.

    Parameters
    ----------
    make : callable
        Makes the app, by `create_app`, and gives with it what checks its store.
        It is called once the address is ours, so that a port that is taken leaves no store behind.
        The check goes on while the page is served; if it fails, nobody is served any more.
    announce : callable
        Called with the address as soon as connections are taken.
    host, port
        Port 0 takes a free one. Where the system hands a socket over, on which it listens already
        (``LISTEN_FDS``), they are not used.
    behind_proxy : bool
        Whether a proxy with TLS stands in front, and nobody else reaches the address. Without one,
        only this machine is served.

    Raises
    ------
    InputError
        If the address cannot be listened on, or is open to others without a proxy; if more than one
        socket is handed over, or another thing.
    Exception
        Whatever the check raised.

    >>> from askance_collect.collect import serve
    >>> serve(lambda: (None, None), print, "0.0.0.0")
    Traceback (most recent call last):
    askance_collect.errors.InputError: host: got '0.0.0.0'; allowed: 127.0.0.1, ::1 or localhost...
    """
    listening_socket = _take_handed_over()
    opened = (
        _open_listener(host, port, behind_proxy)
        if listening_socket is None
        else _use_handed_over(listening_socket, behind_proxy)
    )
    with opened as (listener, url), _until_signalled():
        app, check = make()
        server = _server(_end_without_memory(app))
        with _checking(check, server):
            announce(url)
            _notify("READY=1")
            try:
                server.run(sockets=[listener])
            finally:
                _notify("STOPPING=1")


@checked
@contextmanager
def serving(app: ASGIApp, port: int = 0) -> Iterator[str]:
    """Serve an app to this machine, from a thread, for as long as a block lasts.

    For notebooks and tests: `serve` is for a survey.

    Parameters
    ----------
    app : ASGI app
        By `create_app`.
    port : int
        0 takes a free one.

    Returns
    -------
    context manager
        It gives the address.

    Raises
    ------
    InputError
        If the port is taken.
    """
    with _listening("127.0.0.1", port) as (listener, url):
        server = _server(app)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]}, name="askance-server")
        thread.start()
        try:
            yield url
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def _checking(check: Callable[[], None], server: uvicorn.Server) -> Iterator[None]:
    """Check a store while the server runs, and let neither outlast damage.

    Most stores are checked before anybody is served: the check has a second's start.
    """
    faults: list[Exception] = []

    def work() -> None:
        try:
            check()
        except Exception as error:
            faults.append(error)
            server.should_exit = True

    thread = Thread(target=work, name="askance-check", daemon=True)
    thread.start()
    thread.join(_START)
    if not faults:
        yield
    if faults:
        raise faults[0]


def _end_without_memory(app: ASGIApp) -> ASGIApp:
    """Let a process end that could only seem to serve: without memory nobody is let in again."""

    async def watched(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            asyncio.get_running_loop().set_exception_handler(_unforeseen)
        await app(scope, receive, send)

    return watched


def _unforeseen(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log a fault outside all requests by its place alone."""
    error = context.get("exception")
    if isinstance(error, MemoryError):
        os.write(2, _NO_MEMORY)
        os._exit(1)
    if error is not None:
        _faults.log(f"a connection failed: {origin(error)} [unforeseen]")


def _server(app: ASGIApp) -> uvicorn.Server:
    gate = _ConnectionLimit(_max_connections())
    make: Any = partial(_Connection, gate)
    seconds = int(os.environ.get("WATCHDOG_USEC", "0")) / 2e6
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            http=make,
            lifespan="on",
            ws="none",
            access_log=False,
            log_config=None,
            log_level="critical",
            proxy_headers=False,
            server_header=False,
            backlog=_BACKLOG,
            timeout_graceful_shutdown=_GRACE,
            callback_notify=_still_alive if seconds else None,
            timeout_notify=seconds,  # type: ignore[arg-type]  # they need not be whole
        )
    )
    gate.ending = lambda: server.should_exit
    return server


async def _still_alive() -> None:
    _notify("WATCHDOG=1")


def _notify(state: str) -> None:
    """Send the state of the service to the system's supervisor (``sd_notify(3)``)."""
    if address := os.environ.get("NOTIFY_SOCKET"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.connect(f"\0{address[1:]}" if address.startswith("@") else address)
            line.sendall(state.encode("ascii"))


def _max_connections() -> int:
    """Take as many descriptors as the system gives, and say how many connections they are for.

    Some are left for the store; as many as may come at one blow are left for those to be refused.
    """
    if sys.platform == "win32":
        return MAX_CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    open_ended = hard == resource.RLIM_INFINITY
    return MAX_CONNECTIONS if open_ended else max(1, min(MAX_CONNECTIONS, hard - _BACKLOG - _SPARE))


@final
class _ConnectionLimit:
    """The connections in order of waiting: the one that has waited longest comes first."""

    __slots__ = ("_capacity", "_lines", "_sweeping", "ending")

    def __init__(self, capacity: int) -> None:
        self.ending: Callable[[], bool] = bool
        self._capacity = capacity
        self._lines: dict[_Connection, float] = {}
        self._sweeping = False

    def enter(self, line: "_Connection") -> None:
        """Admit a connection; where there is no room, close the one that has waited longest."""
        while len(self._lines) >= self._capacity:
            first = next(iter(self._lines))
            self.leave(first)
            first.drop()
        self._lines[line] = monotonic()
        if not self._sweeping:
            self._sweep()

    def wait(self, line: "_Connection") -> None:
        """Begin to wait for a connection's next step."""
        if self._lines.pop(line, None) is not None:
            self._lines[line] = monotonic()

    def leave(self, line: "_Connection") -> None:
        """Forget one that is gone."""
        self._lines.pop(line, None)

    def _sweep(self) -> None:
        """Close connections that have waited too long. It runs while there are any."""
        overdue = monotonic() - PATIENCE
        for line, since in list(self._lines.items()):
            if since > overdue:
                break
            line.expire()
        self._sweeping = bool(self._lines)
        if self._sweeping:
            asyncio.get_running_loop().call_later(min(1.0, PATIENCE / 4), self._sweep)


@final
class _Connection:
    """One connection, with limits on the bytes, the headers and the time of a request.

    uvicorn's own protocol does the rest. It is handed what the parser finds, less what is too much.
    """

    __slots__ = (
        "_before",
        "_begun",
        "_codings",
        "_counts",
        "_fault",
        "_gate",
        "_head_read",
        "_headers",
        "_hosts",
        "_inner",
        "_refused",
        "_room",
        "_transport",
    )

    def __init__(self, gate: _ConnectionLimit, **settings: Any) -> None:
        self._gate = gate
        self._inner = HttpToolsProtocol(**settings)
        self._inner.parser = HttpRequestParser(self)
        self._inner.parser.set_dangerous_leniencies(lenient_data_after_close=True)
        # What it calls of itself at these three turns is ours: it has no other place to be asked.
        self._inner.on_response_complete = self._answered  # type: ignore[method-assign]
        self._inner.send_400_response = self._malformed  # type: ignore[method-assign]
        self._inner.shutdown = self._end  # type: ignore[method-assign]
        self._begun, self._head_read, self._refused = False, False, False
        self._before: Any = None
        self._counts: Any = settings["app_state"].get("counts")
        self._headers, self._room = 0, MAX_HEAD_BYTES
        self._hosts, self._codings, self._fault = 0, list[bytes](), ""

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._inner.connection_made(transport)
        self._gate.enter(self)
        if self._gate.ending():
            self._end()

    def connection_lost(self, error: Exception | None) -> None:
        self._gate.leave(self)
        self._inner.connection_lost(error)

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), _PIECE):
            if self._refused or self._transport.is_closing():
                return
            piece = data if len(data) <= _PIECE else data[start : start + _PIECE]
            self._room -= len(piece)
            self._inner.data_received(piece)
            if self._room < 0 and not self._refused:
                self._refuse("head")

    def eof_received(self) -> None:
        self._inner.eof_received()

    def pause_writing(self) -> None:
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()

    def on_message_begin(self) -> None:
        if len(self._inner.pipeline) >= _MAX_QUEUED:
            raise ValueError("too many requests before the first is answered")
        self._begun, self._head_read, self._headers, self._room = True, False, 0, MAX_HEAD_BYTES
        self._hosts, self._codings = 0, []
        self._gate.wait(self)
        self._inner.on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._inner.on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers += 1
        if self._headers > MAX_HEADERS:
            raise ValueError("too many headers")
        folded = name.lower()
        self._hosts += folded == b"host"
        if folded == b"transfer-encoding":
            self._codings.append(value.strip().lower())
        self._inner.on_header(name, value)

    def on_headers_complete(self) -> None:
        self._room = MAX_HEAD_BYTES
        self._fault = self._misread()
        if self._fault:
            raise ValueError(_MALFORMED[self._fault][1])
        self._before = self._inner.cycle
        self._inner.on_headers_complete()  # an address that is none is found here
        self._head_read = True
        if self._gate.ending():
            self._inner.cycle.keep_alive = False

    def _misread(self) -> str:
        """Name what two readers of this head could take differently (RFC 9112, 2.3, 3.2, 6.1)."""
        version = self._inner.parser.get_http_version()
        if version not in ("1.0", "1.1"):
            return "version"
        if self._hosts > 1 or (version == "1.1" and not self._hosts):
            return "host"
        chunked = self._codings == [b"chunked"] and version == "1.1"
        return "coding" if self._codings and not chunked else ""

    def on_body(self, body: bytes) -> None:
        self._room = MAX_HEAD_BYTES
        self._inner.on_body(body)

    def on_message_complete(self) -> None:
        self._begun, self._head_read, self._room = False, False, MAX_HEAD_BYTES
        self._gate.wait(self)
        self._inner.on_message_complete()

    def drop(self) -> None:
        """Abort the connection, with whatever is still to be written."""
        self._refused = True
        self._transport.abort()

    def expire(self) -> None:
        """Answer 408 to a request that arrives too slowly, or drop an idle connection."""
        if self._begun and not self._refused:
            self._gate.wait(self)
            self._refuse("slow")
        else:
            self.drop()

    def _end(self) -> None:
        """Answer what was begun, and what may be on its way; then hang up."""
        if self._begun and self._head_read:
            self._inner.cycle.keep_alive = False
        elif self._begun or self._inner.cycle is None:
            asyncio.get_running_loop().call_later(_MOMENT, self._end_unused)
        else:
            HttpToolsProtocol.shutdown(self._inner)

    def _end_unused(self) -> None:
        """Hang up where no request came."""
        cycle: Any = self._inner.cycle
        if not self._begun and cycle is None:
            self._transport.close()

    def _answered(self) -> None:
        self._gate.wait(self)
        HttpToolsProtocol.on_response_complete(self._inner)

    def _malformed(self, msg: str) -> None:
        del msg
        code = "head" if self._headers > MAX_HEADERS else "request"
        self._refuse(code, _MALFORMED.get(self._fault))

    def _refuse(self, code: str, instead: tuple[int, str] | None = None) -> None:
        """Answer in place of the app, unless it owes a reply or has begun one; then hang up."""
        self._refused = True
        cycle: Any = self._inner.cycle  # of this request once its head is there, else of the last
        if not self._head_read and cycle is not None and not cycle.response_complete:
            cycle.keep_alive = False
            return
        if self._head_read and self._inner.pipeline:  # those before it are owed their replies
            self._inner.pipeline.popleft()
            self._inner.cycle = self._before
            self._before.keep_alive = False
            return
        if self._head_read and cycle.response_started:
            self._transport.close()
            return
        if self._head_read:
            cycle.disconnected = True  # one reply is enough: what the app says now goes nowhere
        if self._counts is not None:  # another app than a collector's counts nothing
            self._counts.refused(code)
        status, message = instead or _REFUSALS[code]
        body = canonical({"error": {"code": code, "message": message}})
        head = (
            f"HTTP/1.1 {status} Refused\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\naccess-control-allow-origin: *\r\n"
            "cache-control: no-store, no-transform\r\nconnection: close\r\n\r\n"
        )
        self._transport.write(head.encode("ascii") + body)
        self._transport.close()


@contextmanager
def _open_listener(host: str, port: int, behind_proxy: bool) -> Iterator[tuple[socket.socket, str]]:
    _refuse_strangers(host, behind_proxy)
    with _listening(host, port) as listener:
        yield listener


@contextmanager
def _use_handed_over(
    listener: socket.socket, behind_proxy: bool
) -> Iterator[tuple[socket.socket, str]]:
    name = listener.getsockname()
    with listener:
        if not isinstance(name, tuple):
            yield listener, f"unix:{name}"
        else:
            _refuse_strangers(name[0], behind_proxy)
            yield listener, _url(*name[:2])


def _refuse_strangers(host: str, behind_proxy: bool) -> None:
    """Serve nobody but this machine, unless a proxy with TLS stands in front."""
    if not (behind_proxy or _is_loopback(host)):
        raise InputError(
            "host",
            got=host,
            allowed="127.0.0.1, ::1 or localhost without a proxy in front",
            remedy="put a proxy with TLS in front, then say --behind-proxy (behind_proxy=True): "
            "over plain http the page asks nothing",
        )


def _is_loopback(host: str) -> bool:
    """Say whether every address that a name stands for is this machine's own."""
    try:
        addresses = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return True  # nothing can listen there, which is told in its own words
    return all(
        ip_address(str(address[4][0]).partition("%")[0]).is_loopback for address in addresses
    )


@contextmanager
def _listening(host: str, port: int) -> Iterator[tuple[socket.socket, str]]:
    try:
        if not 0 <= port < 1 << 16:
            raise OSError("there is no such port")
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        raise InputError(
            f"{host}:{port}",
            got=(error.strerror or str(error)).partition(" (while")[0],
            allowed="an address of this machine and a free port",
            remedy="port 0 takes any free one",
        ) from error
    with listener:
        yield listener, _url(host, listener.getsockname()[1])


def _take_handed_over() -> socket.socket | None:
    """Take the socket that the system listens on for this process, if there is one."""
    settings = {name: os.environ.pop(f"LISTEN_{name}", "") for name in ("PID", "FDS", "FDNAMES")}
    if settings["PID"] != str(os.getpid()) or settings["FDS"] in ("", "0"):
        return None
    if settings["FDS"] != "1":
        raise InputError("LISTEN_FDS", got=settings["FDS"], allowed="one socket")
    try:
        listener = socket.socket(fileno=_HANDED_OVER)
        listener.set_inheritable(False)
        listens = listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    except OSError:
        listens = 0
    if not listens:
        raise InputError("LISTEN_FDS", got="something else", allowed="a socket that listens")
    return listener


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


@contextmanager
def _until_signalled() -> Iterator[None]:
    """Turn the signals that end a server into an ordinary return, so that callers can tidy up."""
    if current_thread() is not main_thread():
        yield
        return
    former = {name: signal.signal(name, _leave) for name in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    except SystemExit as leaving:
        if leaving.code:
            raise
    finally:
        for name, handler in former.items():
            signal.signal(name, handler)


def _leave(_: int, __: FrameType | None) -> None:
    raise SystemExit(0)
