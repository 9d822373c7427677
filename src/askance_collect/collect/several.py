"""Several collectors in one process: each has a path, a store and a thread of its own.

What happens to one happens to it alone. One whose store cannot be opened, or turns out to be
damaged, is set aside: it answers that it is, and the others go on.
"""

import asyncio
import logging
import re
from collections.abc import Callable, Mapping
from typing import Any, final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from askance_collect.arguments import checked
from askance_collect.collect.installed import describe_program
from askance_collect.collect.operator import CLOSED, key_of, require_key
from askance_collect.collect.watch import MEDIA_TYPE, SurveyState, openmetrics
from askance_collect.collect.writer import origin
from askance_collect.errors import AskanceError, InputError
from askance_collect.lazy import release
from askance_collect.wire.spelling import canonical

_log = logging.getLogger("askance_collect.collect")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}", re.ASCII)
_HEADERS = {
    "content-type": "application/json",
    "access-control-allow-origin": "*",
    "cache-control": "no-store, no-transform",
    "x-content-type-options": "nosniff",
}


Make = Callable[[], tuple[ASGIApp, Callable[[], None]]]
"""What makes an app, and gives with it what checks its store."""


@checked
def mount(
    collectors: Mapping[str, Make], *, operator_key: str = ""
) -> tuple[ASGIApp, Callable[[], None]]:
    """Put several collectors side by side, each under its name: ``/exam/``, ``/exam/report``, ….

    ``GET /health`` gives 200 if a report could be written to each, else 503 and the names of those
    to which none could; ``GET /metrics`` gives its operator the counts of all.

    Parameters
    ----------
    collectors : Mapping of str to callable
        By name, what makes its app, by `create_app`, and gives with it what checks its store; as
        for `serve`. One that cannot be made, or whose check fails, is set aside.
    operator_key : str
        What opens ``/metrics``, as that of `create_app` opens each collector's own.

    Returns
    -------
    (ASGI app, callable)
        What `serve` wants of its ``make``: the app, and the check of all stores. The check fails
        only if no collector is left.

    Raises
    ------
    InputError
        If a name cannot stand in an address, or the operator's key can be guessed.
    AskanceError
        If not one of them can be made: what was wrong with the last.

    >>> from askance_collect.collect import mount
    >>> mount({"Exam 1": lambda: (None, None)})
    Traceback (most recent call last):
    askance_collect.errors.InputError: survey: got 'Exam 1'; allowed: a name of small letters, di...
    """
    for name in collectors:
        if not _NAME.fullmatch(name):
            raise InputError(
                "survey",
                got=name,
                allowed="a name of small letters, digits, - and _, at most 40",
                remedy="rename the file: its name is part of the survey's address",
            )
    several = _Several(key_of(operator_key))
    for name, make in collectors.items():
        several.make(name, make)
    several.need_one()
    return several, several.check


@final
class _Mounted:
    """One of several: its app, what checks its store, and what its app keeps for its requests."""

    __slots__ = ("_events", "_queue", "_task", "app", "check", "state", "usable")

    def __init__(self, app: ASGIApp, check: Callable[[], None]) -> None:
        self.app, self.check, self.usable = app, check, True
        self.state: dict[str, Any] = {}
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin its life, and wait until it can be asked."""
        self._queue: asyncio.Queue[Message] = asyncio.Queue()
        self._events: asyncio.Queue[str] = asyncio.Queue()
        self._queue.put_nowait({"type": "lifespan.startup"})
        self._task = asyncio.create_task(self._live())
        if await self._events.get() != "lifespan.startup.complete":
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
            self._events.put_nowait(message["type"])

        scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": self.state}
        try:
            await self.app(scope, self._queue.get, say)
        finally:
            self._events.put_nowait("ended")


@final
class _Several:
    """Hands each request to the collector whose name its path begins with."""

    __slots__ = ("_collectors", "_fault", "_key")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._collectors: dict[str, _Mounted | None] = {}
        self._fault: Exception | None = None

    def make(self, name: str, make: Make) -> None:
        """Make a collector, or set it aside."""
        self._collectors[name] = None
        try:
            self._collectors[name] = _Mounted(*make())
        except AskanceError as error:
            self._set_aside(name, error)

    def check(self) -> None:
        """Check every store; whose is damaged is set aside."""
        for name, collector in self._collectors.items():
            if collector is not None:
                try:
                    collector.check()
                except Exception as error:
                    self._set_aside(name, error)
        self.need_one()

    def need_one(self) -> None:
        """Give up where none is left that could be asked."""
        is_any_usable = any(
            collector is not None and collector.usable for collector in self._collectors.values()
        )
        if self._fault is not None and not is_any_usable:
            raise self._fault

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer in the name of the collector, which sees its own path alone."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        name, slash, rest = scope["path"].removeprefix("/").partition("/")
        reading = scope["method"] in ("GET", "HEAD")
        answer: ASGIApp
        if reading and scope["path"] == "/health":
            answer = await self._answer_health()
        elif reading and scope["path"] == "/metrics":
            answer = await self._answer_counts(Request(scope))
        elif name not in self._collectors or not (slash or reading):
            answer = _refusal(404, "not-found", "there is nothing here")
        elif not slash:
            answer = _refusal(308, "moved", "the survey", location=f"{name}/")
        elif (collector := self._collectors[name]) is None or not collector.usable:
            answer = _refusal(503, "disk-error", "this survey cannot be asked at present")
        else:
            answer, scope = (
                collector.app,
                {**scope, "path": f"/{rest}", "state": {**collector.state}},
            )
        await answer(scope, receive, send)

    async def _answer_health(self) -> Response:
        """Say to everybody whether all work, and which do not."""
        bad = [name for name, state in (await self._see()).items() if not state.able]
        health = {"healthy": not bad, **({"unhealthy": bad} if bad else {}), **describe_program()}
        return Response(canonical(health), 503 if bad else 200, headers=_HEADERS)

    async def _answer_counts(self, request: Request) -> Response:
        """Give the counts of all to a request with the operator's key; answer 404 without it."""
        try:
            require_key(request, self._key)
        except HTTPException:
            return _refusal(404, "not-found", "there is nothing here")
        metrics = openmetrics(await self._see(), release())
        return Response(metrics, headers=dict(CLOSED), media_type=MEDIA_TYPE)

    async def _see(self) -> dict[str, SurveyState]:
        """Look at all at once: each tries to write."""

        async def see(collector: _Mounted | None) -> SurveyState:
            state = collector.state if collector is not None and collector.usable else {}
            condition: SurveyState = await state["see"]() if "see" in state else SurveyState()
            return condition

        states = await asyncio.gather(*map(see, self._collectors.values()))
        return dict(zip(self._collectors, states, strict=True))

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        for name, collector in self._collectors.items():
            try:
                if collector is not None:
                    await collector.start()
            except Exception as error:
                self._set_aside(name, error)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for name, collector in self._collectors.items():
            try:
                if collector is not None:
                    await collector.stop()
            except Exception as error:
                self._set_aside(name, error)
        await send({"type": "lifespan.shutdown.complete"})

    def _set_aside(self, name: str, error: Exception) -> None:
        """Send a failed collector no more requests, and log the reason; the others go on."""
        self._fault = error
        collector = self._collectors[name]
        if collector is not None:
            collector.usable = False
        reason = str(error) if isinstance(error, AskanceError) else origin(error)
        _log.error("%s is not asked any more: %s", name, reason)


def _refusal(status: int, code: str, message: str, **headers: str) -> Response:
    payload = canonical({"error": {"code": code, "message": message}})
    return Response(payload, status, headers={**_HEADERS, **headers})
