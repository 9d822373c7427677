"""Run the collector: one process, nothing logged, stopped without losing a report."""

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread, current_thread, main_thread
from types import FrameType

from askance.errors import InputError, MissingExtra

try:
    import uvicorn
    from starlette.applications import Starlette
except ImportError as error:
    raise MissingExtra("uvicorn", "serve") from error

_PATIENCE = 10
"""Seconds that a request may still take once the server has been asked to stop."""


def serve(
    make: Callable[[], Starlette],
    announce: Callable[[str], None],
    host: str = "127.0.0.1",
    port: int = 0,
) -> None:
    """Serve until SIGTERM or SIGINT; then answer what was begun, write what waits, and return.

    Parameters
    ----------
    make : callable
        Makes the app, by `askance.collect.app.create_app`. It is called once the address is ours,
        so that a port that is taken leaves no store behind.
    announce : callable
        Called with the address as soon as connections are taken.
    host, port
        Port 0 takes a free one.

    Raises
    ------
    InputError
        If the address cannot be listened on.
    """
    with _listening(host, port) as (listener, url), _until_signalled():
        app = make()
        announce(url)
        _server(app).run(sockets=[listener])


@contextmanager
def serving(app: Starlette, port: int = 0) -> Iterator[str]:
    """Serve this machine from a thread for as long as the block lasts; give the address."""
    with _listening("127.0.0.1", port) as (listener, url):
        server = _server(app)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]}, name="askance-server")
        thread.start()
        try:
            yield url
        finally:
            server.should_exit = True
            thread.join()


def _server(app: Starlette) -> uvicorn.Server:
    return uvicorn.Server(
        uvicorn.Config(
            app,
            lifespan="on",
            ws="none",
            access_log=False,
            log_config=None,
            log_level="critical",
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=_PATIENCE,
        )
    )


@contextmanager
def _listening(host: str, port: int) -> Iterator[tuple[socket.socket, str]]:
    try:
        if not 0 <= port < 1 << 16:
            raise OSError("there is no such port")
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise InputError(
            f"{host}:{port}",
            got=(error.strerror or str(error)).partition(" (while")[0],
            allowed="an address of this machine and a free port",
            remedy="port 0 takes any free one",
        ) from error
    with listener:
        bound = listener.getsockname()[1]
        yield listener, f"http://[{host}]:{bound}/" if ":" in host else f"http://{host}:{bound}/"


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
