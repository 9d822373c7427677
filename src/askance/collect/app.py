"""Three addresses: the page, the form, and where reports go and ask first. No cookie and no log.

One thread writes: everything that arrived during a flush shares the next one.
"""

import asyncio
import errno
import json
import logging
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic
from types import MappingProxyType
from typing import final

from askance.arguments import checked
from askance.collect.accept import CAP, STATUS, Accepted, Outcome, Store, accept
from askance.collect.integrity import REMEDY
from askance.errors import AskanceError, InputError, MissingExtra, ReportRefused
from askance.wire.answer_question import Choice
from askance.wire.form import Form
from askance.wire.spelling import canonical, fingerprint

try:
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route
    from starlette.types import ASGIApp, Receive, Scope, Send
except ImportError as error:
    raise MissingExtra("starlette", "serve") from error

_OPEN = {
    "access-control-allow-origin": "*",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
}
_PREFLIGHT = {
    **_OPEN,
    "access-control-allow-methods": "GET, HEAD, POST, OPTIONS",
    "access-control-allow-headers": "content-type",
    "access-control-max-age": "86400",
}
_REPLY = [
    (name.encode(), value.encode())
    for name, value in {**_OPEN, "content-type": "application/json"}.items()
]
_log = logging.getLogger("askance.collect")
_ORIGIN = re.compile(r"https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d{1,5})?", re.ASCII)
SAVED = "null"
"""The origin of a page that was opened from a disk."""


@final
@dataclass(frozen=True, slots=True)
class _Desk:
    """What the three addresses, and those of files beside the page, answer from."""

    form: Form
    page: bytes
    headers: Mapping[str, str]
    sha256: str
    origins: frozenset[bytes]
    cap: int
    beside: Mapping[str, tuple[bytes, Mapping[str, str]]]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take a report in, or say before one is made whether it would be."""
        if scope["method"] != "POST":
            state = scope["state"]
            told: dict[str, object] = {"form": self.form.fingerprint, **state["quotas"].told()}
            told["open"] = told.get("open", True) and not state["writer"].closed
            said = Response(canonical(told), headers=_OPEN, media_type="application/json")
            await said(scope, receive, send)
        else:
            await self._take(scope, receive, send)

    async def _take(self, scope: Scope, receive: Receive, send: Send) -> None:
        status, extra = 500, list[tuple[bytes, bytes]]()
        said = _error("failed", "the collector failed")
        try:
            body = await _read(receive, self.cap)
            if body is None:
                return
            status, said = await self._keep(body, scope)
        except ReportRefused as refusal:
            status, said = STATUS[refusal.code], _error(refusal.code, str(refusal))
            if status == 503:
                extra = [(b"retry-after", b"2" if refusal.code == "busy" else b"60")]
            if len(body or b"") > self.cap:
                status, extra = 413, [(b"connection", b"close")]
        except Exception as error:  # no traceback: one could hold a report
            _log.error("a report was not taken in: %s", origin(error))
        length = (b"content-length", str(len(said)).encode())
        headers = [*_REPLY, length, *extra]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": said})

    async def show(self, _: Request) -> Response:
        return Response(self.page, headers={"content-type": "text/html", **self.headers})

    async def show_beside(self, name: str, _: Request) -> Response:
        content, headers = self.beside[name]
        return Response(content, headers=dict(headers))

    async def hand_out(self, _: Request) -> Response:
        return Response(self.form.bytes, headers=_OPEN, media_type="application/json")

    async def _keep(self, body: bytes, scope: Scope) -> tuple[int, bytes]:
        if len(body) > self.cap:
            raise ReportRefused("size", "body", allowed=f"at most {self.cap} bytes")
        if not self._welcomes(scope["headers"]):
            raise ReportRefused(
                "origin",
                "Origin",
                allowed="the survey's own page, or where it is said to lie",
                remedy="askance serve --page-origin says where else the page lies",
            )
        accepted = accept(body, self.form)
        outcome = await scope["state"]["writer"].write(accepted)
        if outcome is Outcome.CONFLICTING:
            raise ReportRefused("conflict", "id", remedy="another report has this id; it was kept")
        if outcome is Outcome.CLOSED:
            raise ReportRefused(
                "closed", "survey", remedy="it takes no more answers; none was kept"
            )
        if outcome is Outcome.SPENT:
            raise ReportRefused(
                "spent", "token", remedy="it came with another report, which was kept"
            )
        receipt = {
            "digest": fingerprint(body[: self.form.size]),
            "id": accepted.id.hex(),
            "page": self.sha256,
        }
        status = 201 if outcome is Outcome.NEW else 200
        return status, canonical({"accepted": True, **receipt})

    def _welcomes(self, headers: Iterable[tuple[bytes, bytes]]) -> bool:
        """Say whether a report comes from the page, or from no web page at all.

        Browsers say on whose behalf they post, in headers that no page can set. What is no browser
        can write into them what it likes.
        """
        told: dict[bytes, bytes] = {}
        for name, value in headers:
            if name in (b"origin", b"sec-fetch-site", b"host"):
                if name in told:
                    return False
                told[name] = value
        site, origin = told.get(b"sec-fetch-site"), told.get(b"origin")
        if site == b"same-origin" or origin in self.origins:
            return True
        if origin is None:
            return site in (None, b"none")
        scheme, _, place = origin.partition(b"://")
        return site is None and scheme in (b"http", b"https") and place == told.get(b"host")


@checked
def page_origins(others: Sequence[str] = (), *, saved: bool = True) -> frozenset[str]:
    """Gather the web origins whose pages may post reports, besides the collector's own.

    Parameters
    ----------
    others : sequence of str
        Where else the page lies: scheme and host, without a path.
    saved : bool
        Whether a page may post that somebody opened from a disk. A foreign page can pass for one.

    Raises
    ------
    InputError
        If one of them is no origin.

    >>> sorted(page_origins(["https://www.example.org"]))
    ['https://www.example.org', 'null']
    """
    for other in others:
        if not _ORIGIN.fullmatch(str(other)):
            raise InputError(
                "page-origin",
                got=other,
                allowed="scheme and host in small letters, such as https://www.example.org",
            )
    return frozenset([*others, *([SAVED] if saved else [])])


@checked
def create_app(
    form: Form,
    page_bytes: bytes,
    page_headers: Mapping[str, str],
    page_sha256: str,
    store: Store,
    origins: frozenset[str] | None = None,
    beside: Mapping[str, tuple[bytes, Mapping[str, str]]] | None = None,
) -> ASGIApp:
    """Make the collector of one form, as an ASGI app to mount in any server.

    It answers ``GET /``, ``GET /form.json``, ``POST /report``, by ``GET /report`` whether reports
    are taken, and for the files beside the page.

    A report from a web page is taken only if that page is the collector's own or lies at one of the
    ``origins``. The reply to ``/report`` is readable from any origin, and no credentials exist that
    another site could misuse.

    Parameters
    ----------
    form : Form
    page_bytes, page_headers, page_sha256
        The respondent's page as rendered, sent to everyone byte for byte.
    store : Store
        Open for this form. While the app runs, its writer thread owns the store.
    origins : frozenset of str, optional
        Where else the page may lie, by `page_origins`. By default on a disk.
    beside : Mapping of str to tuple, optional
        By name, the bytes and headers of files that lie beside the page.

    Returns
    -------
    ASGI app
        With a lifespan: a server must run it, or no report is taken in.

    Raises
    ------
    InputError
        If an argument is of another kind.
    MissingExtra
        Without ``pip install 'askance[serve]'``.

    >>> from tempfile import TemporaryDirectory
    >>> from urllib.request import urlopen
    >>> from askance.collect import Store, create_app, open_store, serving
    >>> tea = {"en": "Tea?"}
    >>> answers = [{"name": name, "label": tea} for name in ("yes", "no")]
    >>> form = Form.read({
    ...     "askance": "form-1", "title": tea, "consent": tea, "contact": tea, "languages": ["en"],
    ...     "collector": "", "size": 256, "about": {},
    ...     "questions": [{"kind": "choice", "name": "tea", "text": tea, "answers": answers}],
    ... })
    >>> with TemporaryDirectory() as folder:
    ...     store: Store = open_store(f"{folder}/tea.db", form)
    ...     with serving(create_app(form, b"<!DOCTYPE html>", {}, "00" * 32, store)) as address:
    ...         with urlopen(f"{address}form.json") as reply:
    ...             reply.read() == form.bytes
    ...     store.close()
    True
    """
    welcome = page_origins() if origins is None else origins
    home = _ORIGIN.match(form.document["collector"])
    allowed = frozenset(one.encode("ascii") for one in (*welcome, *([home[0]] if home else [])))
    headers = MappingProxyType(dict(page_headers))
    files = MappingProxyType(dict(beside or {}))
    desk = _Desk(form, page_bytes, headers, page_sha256, allowed, max(CAP, form.posted), files)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[dict[str, object]]:
        counted = _Quotas(form, store)
        writer = Writer.start(store, closed=store.closed, kept=counted.take)
        try:
            yield {"writer": writer, "quotas": counted}
        finally:
            writer.stop()

    app = Starlette(
        routes=_routes(desk),
        exception_handlers={HTTPException: _no_such_thing, Exception: _failed},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False  # a redirection would send a report on, over plain HTTP

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        """Spare a report, which is most of the work, the way through the routes."""
        posted = scope["type"] == "http" and scope["method"] == "POST"
        await (desk if posted and scope["path"] == "/report" else app)(scope, receive, send)

    return answer


def _routes(desk: _Desk) -> list[Route]:
    return [
        Route("/", desk.show),
        Route("/form.json", desk.hand_out),
        Route("/report", desk, methods=["GET", "POST"]),
        *(Route(f"/{name}", partial(desk.show_beside, name)) for name in desk.beside),
        *(Route(path, _preflight, methods=["OPTIONS"]) for path in ("/", "/form.json", "/report")),
    ]


async def _read(receive: Receive, cap: int) -> bytes | None:
    """Read a body, but never much more than the cap; None if whoever sent it is gone."""
    body = b""
    while len(body) <= cap:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message["body"]
        if not message["more_body"]:
            break
    return body


def _error(code: str, message: str) -> bytes:
    return canonical({"error": {"code": code, "message": message}})


async def _preflight(_: Request) -> Response:
    return Response(status_code=204, headers=_PREFLIGHT)


async def _no_such_thing(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    code = {404: "not-found", 405: "method"}.get(status, "request")
    said = _error(code, "there is nothing here")
    response = Response(said, status, headers=_OPEN, media_type="application/json")
    response.headers.update(getattr(error, "headers", None) or {})
    return response


async def _failed(_: Request, error: Exception) -> Response:
    _log.error("a request was not answered: %s", origin(error))
    said = _error("failed", "the collector failed")
    return Response(said, 500, headers=_OPEN, media_type="application/json")


@final
class _Quotas:
    """How many reports there are with each answer that has a quota: counted once, then added to.

    Only the writer's thread adds. A report that another program takes out is missed until the
    collector starts again.
    """

    __slots__ = ("_counts", "_form")

    def __init__(self, form: Form, store: Store) -> None:
        self._form = form
        names = {form.questions[one.question].name for one in form.quotas}
        found = store.counts(sorted(names)) if names else {}
        self._counts = {
            (name, answer): count for name, values in found.items() for answer, count in values
        }

    def take(self, answers: str) -> None:
        """Count a report that is kept, by its values in JSON."""
        if not self._form.quotas:
            return
        values = json.loads(answers)
        for name in {self._form.questions[one.question].name for one in self._form.quotas}:
            key = name, json.dumps(values[name])
            self._counts[key] = self._counts.get(key, 0) + 1

    def told(self) -> dict[str, object]:
        """Say which quotas are full, by positions; closed where an answer to a question is none.

        >>> from askance.survey import load_survey, publish
        >>> _Quotas(publish(load_survey("examples/affairs.toml")), None).told()
        {}
        """
        if not self._form.quotas:
            return {}
        full = [
            (one.question, one.answer)
            for one in self._form.quotas
            if self._counts.get((self._form.questions[one.question].name, f"{one.answer}"), 0)
            >= one.most
        ]
        answers = Counter(question for question, _ in full)
        none_left = any(
            isinstance(asked := self._form.questions[at], Choice) and n == len(asked.answers)
            for at, n in answers.items()
        )
        return {"full": full, "open": not none_left}


LIMIT = 4096
"""So many reports may wait for the disk; the next is told to come back."""
PATIENCE = 20.0
"""Seconds that a report waits for the store before its sender is told to come back.

The respondent's page gives up after 30.
"""
_Waiting = tuple[Accepted, "asyncio.Future[Outcome]"]
_REASONS = {
    "disk-full": "the collector's disk is full",
    "read-only": "the collector may not write to its store",
    "disk-error": "the collector's disk cannot be written to",
    "busy": "",
}
_KNOWN: dict[str | int | None, str] = {
    errno.ENOSPC: "disk-full",
    errno.EDQUOT: "disk-full",
    errno.EROFS: "read-only",
    errno.EACCES: "read-only",
    errno.EPERM: "read-only",
    errno.EIO: "disk-error",
    "SQLITE_FULL": "disk-full",
    "SQLITE_READONLY": "read-only",
    "SQLITE_IOERR": "disk-error",
    "SQLITE_CANTOPEN": "disk-error",
    "SQLITE_CORRUPT": "disk-error",
    "SQLITE_NOTADB": "disk-error",
    "53100": "disk-full",
    "25006": "read-only",
    "58030": "disk-error",
}
"""What keeps a store from writing: by the system's number, SQLite's name or PostgreSQL's state."""
_DAMAGED = f"the store is damaged; {REMEDY}"
_TAKEN = "another program keeps the store to itself; end what reads or writes it"
_MEMORY = "there is no memory left"
_TOLD: dict[str | int | None, str] = {
    errno.EMFILE: "there are no descriptors left; raise the limit (ulimit -n)",
    errno.ENFILE: "the system has no descriptors left",
    errno.ENOMEM: _MEMORY,
    "MemoryError": _MEMORY,
    "SQLITE_NOMEM": _MEMORY,
    "SQLITE_BUSY": _TAKEN,
    "SQLITE_LOCKED": _TAKEN,
    "SQLITE_CANTOPEN": "a file beside the store cannot be opened; look at its folder and its owner,"
    " and at the limit of descriptors (ulimit -n)",
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_NOTADB": _DAMAGED,
    "40P01": _TAKEN,
    "55P03": _TAKEN,
    "53200": "the database has no memory left",
    "53300": "the database takes no more connections",
    "XX001": "the database is damaged",
    "XX002": "the database is damaged",
}
"""What its operator is told beyond that."""


@final
@dataclass(frozen=True, slots=True)
class Writer:
    """Hands reports to the store's only writer, and answers when they are on the disk.

    There is no timer: a report that comes alone is flushed at once, and those that come during a
    flush are flushed together (group commit).
    """

    queue: SimpleQueue[_Waiting | None] = field(repr=False)
    thread: Thread = field(repr=False)
    limit: int
    trouble: "_Trouble" = field(repr=False)
    patience: "_Patience" = field(repr=False)
    ended: Event = field(repr=False)

    @classmethod
    def start(
        cls,
        store: Store,
        limit: int = LIMIT,
        *,
        closed: bool = False,
        kept: Callable[[str], None] | None = None,
    ) -> "Writer":
        """Start the thread, which tells what it has kept. From now on the store belongs to it."""
        queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        trouble, ended = _Trouble(), Event()
        if closed:
            ended.set()
        work = (store, queue, trouble, ended, kept)
        thread = Thread(target=_work, args=work, name="askance-writer", daemon=True)
        thread.start()
        return cls(queue, thread, limit, trouble, _Patience(trouble), ended)

    @property
    def closed(self) -> bool:
        """Whether the store was closed when the thread began, or has refused a report since."""
        return self.ended.is_set()

    async def write(self, report: Accepted) -> Outcome:
        """Wait until a report is on the disk and say what became of it.

        Raises
        ------
        ReportRefused
            With code ``busy`` if too many are waiting or the store does not answer, or
            ``disk-full``, ``read-only`` or ``disk-error`` if it cannot be written to; nothing is
            acknowledged.
        """
        if self.queue.qsize() >= self.limit or not self.thread.is_alive():
            raise _refusal("busy")
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self.patience.begin(future)
        self.queue.put((report, future))
        try:
            return await future
        finally:
            self.patience.end(future)

    def stop(self) -> None:
        """Write what is waiting, then end the thread; leave it if the store does not answer."""
        self.queue.put(None)
        self.thread.join(PATIENCE)
        if self.thread.is_alive():
            self.trouble.tell("the store does not answer any more")


@final
class _Trouble:
    """What keeps reports from being written, told to the operator once and not for every batch."""

    __slots__ = ("_told",)

    def __init__(self) -> None:
        self._told = ""

    def tell(self, words: str) -> None:
        """Say what is wrong, if that is news."""
        if words != self._told:
            self._told = words
            _log.error("reports are not written: %s; nobody was told they were", words)

    def over(self) -> None:
        """Say that nothing is wrong any more, if something was."""
        if self._told:
            self._told = ""
            _log.warning("reports are written again")


@final
class _Patience:
    """How long each report has waited: one clock for all, as one for each costs more than they do.

    It stands still while none waits.
    """

    __slots__ = ("_since", "_ticking", "_trouble")

    def __init__(self, trouble: _Trouble) -> None:
        self._trouble = trouble
        self._since: dict[asyncio.Future[Outcome], float] = {}
        self._ticking = False

    def begin(self, future: "asyncio.Future[Outcome]") -> None:
        """Wait for a report from now on."""
        self._since[future] = monotonic()
        if not self._ticking:
            self._tick()

    def end(self, future: "asyncio.Future[Outcome]") -> None:
        """Wait for it no more."""
        del self._since[future]

    def _tick(self) -> None:
        """Give up what was waited for too long, the oldest first."""
        overdue = monotonic() - PATIENCE
        for future, since in self._since.items():
            if since > overdue:
                break
            if not future.done():
                self._trouble.tell(f"the store has not answered for {PATIENCE:.0f} seconds")
                future.set_exception(_refusal("busy"))
        self._ticking = bool(self._since)
        if self._ticking:
            asyncio.get_running_loop().call_later(PATIENCE / 20, self._tick)


_Kept = Callable[[str], None] | None


def _work(
    store: Store,
    queue: SimpleQueue[_Waiting | None],
    trouble: _Trouble,
    ended: Event,
    kept: _Kept,
) -> None:
    going = True
    while going:
        waiting = [queue.get(), *_at_hand(queue)]
        going = None not in waiting
        _flush(store, [one for one in waiting if one is not None], trouble, ended, kept)


def _at_hand(queue: SimpleQueue[_Waiting | None]) -> list[_Waiting | None]:
    taken: list[_Waiting | None] = []
    try:
        while len(taken) < LIMIT:
            taken.append(queue.get_nowait())
    except Empty:
        pass
    return taken


def _flush(
    store: Store, waiting: Sequence[_Waiting], trouble: _Trouble, ended: Event, kept: _Kept
) -> None:
    if not waiting:
        return
    outcomes: Sequence[Outcome] | str
    try:
        outcomes = store.append([report for report, _ in waiting])
        trouble.over()
        if Outcome.CLOSED in outcomes:
            ended.set()
        for (report, _), outcome in zip(waiting, outcomes, strict=True):
            if kept is not None and outcome is Outcome.NEW:
                kept(report.answers)
    except Exception as error:
        outcomes = _reason(error)
        trouble.tell(_words(error, outcomes))
    loop = waiting[0][1].get_loop()
    loop.call_soon_threadsafe(_tell, [future for _, future in waiting], outcomes)


def _tell(futures: Sequence["asyncio.Future[Outcome]"], outcomes: Sequence[Outcome] | str) -> None:
    for at, future in enumerate(futures):
        if future.done():
            continue
        if isinstance(outcomes, str):
            future.set_exception(_refusal(outcomes))
        else:
            future.set_result(outcomes[at])


def _facts(error: BaseException | None) -> Iterator[str | int | None]:
    """What an error, and those that it came from, say of themselves but in words."""
    while error is not None:
        yield "_".join(str(getattr(error, "sqlite_errorname", "")).split("_")[:2])
        yield getattr(error, "sqlstate", None)
        yield getattr(error, "errno", None)
        yield type(error).__name__
        error = error.__cause__ or error.__context__


def _reason(error: BaseException) -> str:
    """Say by its code what kept a store from writing; ``busy`` where it may pass by itself."""
    return next((_KNOWN[fact] for fact in _facts(error) if fact in _KNOWN), "busy")


def _words(error: BaseException, code: str) -> str:
    """Say in words what kept a store from writing; where there are none, what it was and where."""
    if isinstance(error, AskanceError):
        return str(error)
    for words in (_TOLD[fact] for fact in _facts(error) if fact in _TOLD):
        return words
    if hasattr(error, "sqlstate") and (error.sqlstate or "08")[:3] in ("08", "57P"):
        return "the database cannot be reached"
    return _REASONS[code] or origin(error)


def origin(error: BaseException) -> str:
    """Say of what type an error is and where it was raised, and nothing that it holds.

    >>> try:
    ...     int("a secret")
    ... except ValueError as error:
    ...     origin(error)
    'ValueError at askance.collect.app:2'
    """
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    place = f" at {at.tb_frame.f_globals.get('__name__')}:{at.tb_lineno}" if at else ""
    return f"{type(error).__name__}{place}"


def _refusal(code: str) -> ReportRefused:
    told = (_REASONS[code], "it was not kept; send it again in a moment")
    return ReportRefused(code, "report", remedy="; ".join(one for one in told if one))
