"""Several collectors in one process: each has a path, a store and a thread of its own.

What happens to one happens to it alone. One whose store cannot be opened, or turns out to be
damaged, is set aside: it answers that it is, and the others go on.
"""

import asyncio
import logging
import re
from collections.abc import Callable, Mapping
from typing import Any, final

from askance.arguments import checked
from askance.collect.writer import origin
from askance.errors import AskanceError, InputError, MissingExtra
from askance.wire.spelling import canonical

try:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send
except ImportError as error:
    raise MissingExtra("starlette", "serve") from error

_log = logging.getLogger("askance.collect")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}", re.ASCII)
_HEADERS = [
    (b"content-type", b"application/json"),
    (b"access-control-allow-origin", b"*"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
]


Make = Callable[[], tuple[ASGIApp, Callable[[], None]]]
"""What makes an app, and gives with it what checks its store."""


@checked
def mount(collectors: Mapping[str, Make]) -> tuple[ASGIApp, Callable[[], None]]:
    """Put several collectors side by side, each under its name: ``/exam/``, ``/exam/report``, ….

    Parameters
    ----------
    collectors : Mapping of str to callable
        By name, what makes its app, by `create_app`, and gives with it what checks its store; as
        for `serve`. One that cannot be made, or whose check fails, is set aside.

    Returns
    -------
    (ASGI app, callable)
        What `serve` wants of its ``make``: the app, and the check of all stores. The check fails
        only if no collector is left.

    Raises
    ------
    InputError
        If a name cannot stand in an address.
    AskanceError
        If not one of them can be made: what was wrong with the last.

    >>> from askance.collect import mount
    >>> mount({"Exam 1": lambda: (None, None)})
    Traceback (most recent call last):
    askance.errors.InputError: survey: got 'Exam 1'; allowed: a name of small letters, digits, ...
    """
    for name in collectors:
        if not _NAME.fullmatch(name):
            raise InputError(
                "survey",
                got=name,
                allowed="a name of small letters, digits, - and _, at most 40",
                remedy="rename the file: its name is part of the survey's address",
            )
    several = _Several()
    for name, make in collectors.items():
        several.make(name, make)
    several.need_one()
    return several, several.check


@final
class _One:
    """One of several: its app, what checks its store, and what its app keeps for its requests."""

    __slots__ = ("_queue", "_said", "_task", "app", "check", "state", "usable")

    def __init__(self, app: ASGIApp, check: Callable[[], None]) -> None:
        self.app, self.check, self.usable = app, check, True
        self.state: dict[str, Any] = {}
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin its life, and wait until it can be asked."""
        self._queue: asyncio.Queue[Message] = asyncio.Queue()
        self._said: asyncio.Queue[str] = asyncio.Queue()
        self._queue.put_nowait({"type": "lifespan.startup"})
        self._task = asyncio.create_task(self._live())
        if await self._said.get() != "lifespan.startup.complete":
            task, self._task = self._task, None
            await task  # which raises what was wrong
            raise RuntimeError("it did not start")

    async def stop(self) -> None:
        """End its life: what it has taken in is written."""
        if self._task is not None:
            self._queue.put_nowait({"type": "lifespan.shutdown"})
            await self._task

    async def _live(self) -> None:
        async def say(message: Message) -> None:
            self._said.put_nowait(message["type"])

        scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": self.state}
        try:
            await self.app(scope, self._queue.get, say)
        finally:
            self._said.put_nowait("ended")


@final
class _Several:
    """Hands each request to the collector whose name its path begins with."""

    __slots__ = ("_collectors", "_fault")

    def __init__(self) -> None:
        self._collectors: dict[str, _One | None] = {}
        self._fault: Exception | None = None

    def make(self, name: str, make: Make) -> None:
        """Make a collector, or set it aside."""
        self._collectors[name] = None
        try:
            self._collectors[name] = _One(*make())
        except AskanceError as error:
            self._set_aside(name, error)

    def check(self) -> None:
        """Check every store; whose is damaged is set aside."""
        for name, one in self._collectors.items():
            if one is not None:
                try:
                    one.check()
                except Exception as error:
                    self._set_aside(name, error)
        self.need_one()

    def need_one(self) -> None:
        """Give up where none is left that could be asked."""
        left = any(one is not None and one.usable for one in self._collectors.values())
        if self._fault is not None and not left:
            raise self._fault

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer in the name of the collector, which sees its own path alone."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        name, slash, rest = scope["path"].removeprefix("/").partition("/")
        if name not in self._collectors:
            await _say(send, 404, "not-found", "there is nothing here")
        elif not slash and scope["method"] in ("GET", "HEAD"):
            await _say(send, 308, "moved", "the survey", (b"location", f"{name}/".encode()))
        elif not slash:
            await _say(send, 404, "not-found", "there is nothing here")
        elif (one := self._collectors[name]) is None or not one.usable:
            await _say(send, 503, "disk-error", "this survey cannot be asked at present")
        else:
            await one.app({**scope, "path": f"/{rest}", "state": {**one.state}}, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        for name, one in self._collectors.items():
            try:
                if one is not None:
                    await one.start()
            except Exception as error:
                self._set_aside(name, error)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for name, one in self._collectors.items():
            try:
                if one is not None:
                    await one.stop()
            except Exception as error:
                self._set_aside(name, error)
        await send({"type": "lifespan.shutdown.complete"})

    def _set_aside(self, name: str, error: Exception) -> None:
        """Ask one no more, and tell its operator why; the others go on."""
        self._fault = error
        one = self._collectors[name]
        if one is not None:
            one.usable = False
        told = str(error) if isinstance(error, AskanceError) else origin(error)
        _log.error("%s is not asked any more: %s", name, told)


async def _say(
    send: Send, status: int, code: str, message: str, *more: tuple[bytes, bytes]
) -> None:
    said = canonical({"error": {"code": code, "message": message}})
    headers = [*_HEADERS, (b"content-length", b"%d" % len(said)), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": said})
