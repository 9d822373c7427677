"""The HTTP addresses of a collector: page, form and reports, without cookies or a log.

Beside them one says to everybody whether the collector works, and one tells its operator counts.
"""

import asyncio
import gzip
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from math import inf
from typing import Self, final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from askance_collect.arguments import checked
from askance_collect.collect.accept import CAP, STATUS, Outcome, Store, accept
from askance_collect.collect.environment import SYSTEM, Environment
from askance_collect.collect.installed import describe_program
from askance_collect.collect.operator import CLOSED, BackupPlace, Operator, key_of, require_key
from askance_collect.collect.rate_limit import RateLimit
from askance_collect.collect.watch import MEDIA_TYPE, CoarseCounts, Health, SurveyState, openmetrics
from askance_collect.collect.writer import Writer, origin
from askance_collect.errors import InputError, ReportRefused
from askance_collect.lazy import release
from askance_collect.wire.canonical_json import canonical, fingerprint
from askance_collect.wire.form import Form
from askance_collect.wire.question import Choice
from askance_collect.wire.report import REPLY_POLICY, is_probe

_READABLE = {"access-control-allow-origin": "*"}
"""Also for pages elsewhere: a verifier fetches the page, which is public and the same for all."""
_OPEN = {
    **_READABLE,
    "cache-control": "no-store, no-transform",
    "content-security-policy": REPLY_POLICY,
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
_ORIGIN = re.compile(r"https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d{1,5})?", re.ASCII)
GRACE_SECONDS = 3600
"""Seconds after the end of the last day in which whoever has the page open can still send."""

SAVED = "null"
"""The origin of a page that was opened from a disk, and of any page's sandboxed frame."""


_REFUSED = re.compile(r"q=0(\.0{0,3})?")


@final
@dataclass(frozen=True, slots=True)
class _PublicFile:
    """A file that everybody gets, and the same compressed once: it holds no secret."""

    content: bytes
    compressed: bytes
    headers: Mapping[str, str]

    @classmethod
    def of(cls, content: bytes, headers: Mapping[str, str]) -> Self:
        compressed = gzip.compress(content, 9, mtime=0)
        return cls(content, compressed, {**headers, "vary": "accept-encoding"})

    def answer(self, request: Request) -> Response:
        """Send the compressed file to a client that accepts gzip, if it is smaller."""
        accepted = ",".join(request.headers.getlist("accept-encoding"))
        if len(self.compressed) >= len(self.content) or not _accepts_gzip(accepted):
            return Response(self.content, headers=dict(self.headers))
        return Response(self.compressed, headers={**self.headers, "content-encoding": "gzip"})


def _accepts_gzip(accepted: str) -> bool:
    """Whether an Accept-Encoding allows gzip (RFC 9110, section 12.5.3).

    >>> [_accepts_gzip(text) for text in ("gzip, br", "br;q=1, *", "*, gzip;q=0", "identity", "")]
    [True, True, False, False, False]
    """
    codings: dict[str, bool] = {}
    for member in accepted.lower().split(","):
        coding, _, weight = member.partition(";")
        codings[coding.strip()] = _REFUSED.fullmatch(weight.replace(" ", "")) is None
    return codings.get("gzip", codings.get("*", False))


@final
@dataclass(frozen=True, slots=True)
class _Desk:
    """The state from which the page, the form, ``/report`` and adjacent files are answered."""

    form: Form
    page: _PublicFile
    sha256: str
    origins: frozenset[bytes]
    cap: int
    adjacent_files: Mapping[str, _PublicFile]
    key: bytes = b""
    end: float = inf
    rate_limit: RateLimit | None = None
    environment: Environment = SYSTEM

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take a report in, or say before one is made whether it would be."""
        if scope["method"] != "POST":
            state = scope["state"]
            status: dict[str, object] = {
                "form": self.form.fingerprint,
                **state["quotas"].describe(),
            }
            status["open"] = status.get("open", True) and self._takes(state["writer"])
            status |= self.rate_limit.describe_terms(scope) if self.rate_limit is not None else {}
            response = Response(canonical(status), headers=_OPEN, media_type="application/json")
            await response(scope, receive, send)
        else:
            await self._take(scope, receive, send)

    async def _take(self, scope: Scope, receive: Receive, send: Send) -> None:
        status, extra = 500, list[tuple[bytes, bytes]]()
        payload = _error("failed", "the collector failed")
        counts = scope["state"]["counts"]
        try:
            body = await _read(receive, self.cap)
            if body is None:
                return
            status, payload = await self._keep(body, scope)
        except ReportRefused as refusal:
            counts.refused(refusal.code)
            status, payload = STATUS[refusal.code], _error(refusal.code, str(refusal))
            if status == 503:
                extra = [(b"retry-after", b"2" if refusal.code == "busy" else b"60")]
            elif status == 429 and self.rate_limit is not None:
                extra = [(b"retry-after", b"%d" % max(1, self.rate_limit.wait(scope)))]
            if len(body or b"") > self.cap:
                status, extra = 413, [(b"connection", b"close")]
        except Exception as error:  # no traceback: one could hold a report
            counts.fault(f"a report was not taken in: {origin(error)} [unforeseen]")
        length = (b"content-length", str(len(payload)).encode())
        headers = [*_REPLY, length, *extra]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": payload})

    async def show(self, request: Request) -> Response:
        request.state.counts.page()
        return self.page.answer(request)

    async def show_adjacent_file(self, name: str, request: Request) -> Response:
        return self.adjacent_files[name].answer(request)

    async def hand_out(self, _: Request) -> Response:
        return Response(self.form.bytes, headers=_OPEN, media_type="application/json")

    async def report_health(self, request: Request) -> Response:
        good = await request.state.health.good()
        payload = canonical({"healthy": good, **describe_program()})
        return Response(payload, 200 if good else 503, headers=_OPEN, media_type="application/json")

    async def count(self, request: Request) -> Response:
        """Give the counts to a request with the operator's key; answer 404 without it."""
        require_key(request, self.key)
        metrics = openmetrics({"": await request.state.see()}, release())
        return Response(metrics, headers=dict(CLOSED), media_type=MEDIA_TYPE)

    def watch(self, counts: CoarseCounts, writer: Writer) -> dict[str, object]:
        """Give the health check, and the function that collects the facts for `openmetrics`."""
        health = Health(writer.try_out, self.environment)

        async def see() -> SurveyState:
            return SurveyState(counts, able=await health.good(), taking=self._takes(writer))

        return {"health": health, "see": see}

    def _takes(self, writer: Writer) -> bool:
        return not writer.closed and self.environment.wall_clock() < self.end

    async def _keep(self, body: bytes, scope: Scope) -> tuple[int, bytes]:
        if len(body) > self.cap:
            raise ReportRefused("size", "body", allowed=f"at most {self.cap} bytes")
        if not self._is_allowed_origin(scope["headers"]):
            raise ReportRefused(
                "origin",
                "Origin",
                allowed="the survey's own page, or where it is said to lie",
                remedy="askance-collect serve --page-origin says where else the page lies; "
                "saved = true in the survey file lets saved pages post",
            )
        if is_probe(body, self.form):
            acknowledgement = {"digest": fingerprint(body), "page": self.sha256, "probe": True}
            return 200, canonical(acknowledgement)
        report = body if self.rate_limit is None else self.rate_limit.admit(body, scope)
        accepted = accept(report, self.form)
        over = self.environment.wall_clock() >= self.end + GRACE_SECONDS
        if self.rate_limit is not None:
            self.rate_limit.count(scope)
        writer: Writer = scope["state"]["writer"]
        outcome = await (writer.recall if over else writer.write)(accepted)
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
        scope["state"]["counts"].acknowledged(outcome)
        status = 201 if outcome is Outcome.NEW else 200
        return status, canonical({"accepted": True, **receipt})

    def _is_allowed_origin(self, headers: Iterable[tuple[bytes, bytes]]) -> bool:
        """Whether a report comes from the page, or from no web page at all.

        Browsers say on whose behalf they post, in headers that no page can set. What is no browser
        can write into them what it likes.
        """
        browser_headers: dict[bytes, bytes] = {}
        for name, value in headers:
            if name in (b"origin", b"sec-fetch-site", b"host"):
                if name in browser_headers:
                    return False
                browser_headers[name] = value
        site, origin = browser_headers.get(b"sec-fetch-site"), browser_headers.get(b"origin")
        if site == b"same-origin" or origin in self.origins:
            return True
        if origin is None:
            return site in (None, b"none")
        scheme, _, host = origin.partition(b"://")
        return (
            site is None and scheme in (b"http", b"https") and host == browser_headers.get(b"host")
        )


@checked
def page_origins(others: Sequence[str] = ()) -> frozenset[str]:
    """Gather the web origins whose pages may post reports, besides the collector's own.

    Pages that were opened from a disk are none of these: a form says whether they may (``saved``).

    Parameters
    ----------
    others : sequence of str
        Where else the page lies: scheme and host, without a path.

    Raises
    ------
    InputError
        If one of them is no origin.

    >>> sorted(page_origins(["https://www.example.org"]))
    ['https://www.example.org']
    """
    for other in others:
        if not _ORIGIN.fullmatch(str(other)):
            raise InputError(
                "page-origin",
                got=other,
                allowed="scheme and host in small letters, such as https://www.example.org",
            )
    return frozenset(others)


@checked
def create_app(
    form: Form,
    page_bytes: bytes,
    page_headers: Mapping[str, str],
    page_sha256: str,
    store: Store,
    origins: frozenset[str] | None = None,
    adjacent_files: Mapping[str, tuple[bytes, Mapping[str, str]]] | None = None,
    *,
    operator_key: str = "",
    last_day: date | None = None,
    backups: BackupPlace | None = None,
    address_header: str = "",
    environment: Environment = SYSTEM,
) -> ASGIApp:
    """Make the collector of one form, as an ASGI app to mount in any server.

    It answers ``GET /``, ``GET /form.json``, ``POST /report``, by ``GET /report`` whether reports
    are taken, and for the files beside the page. ``GET /health`` says by 200 or 503 whether a
    report could be written, which it tries; ``GET /metrics`` tells its operator counts, so coarse
    that nobody is seen in them, as OpenMetrics 1.0.

    A report from a web page is taken only if that page is the collector's own, lies at one of the
    ``origins`` or, of a form with ``saved``, has no origin: it was opened from a disk, or is some
    page's sandboxed frame. The reply to ``/report`` is readable from any origin, and no credentials
    exist that another site could misuse.

    Parameters
    ----------
    form : Form
    page_bytes, page_headers, page_sha256
        The respondent's page as rendered, sent to everyone byte for byte; compressed, by gzip, to
        whoever accepts that.
    store : Store
        Open for this form. While the app runs, its writer thread owns the store.
    origins : frozenset of str, optional
        Where else the page may lie, by `page_origins`. By default nowhere.
    adjacent_files : Mapping of str to tuple, optional
        By name, the bytes and headers of files that lie beside the page.
    operator_key : str
        What ``Authorization: Bearer …`` has to say at ``/metrics`` and ``/operator.json``, from
        which the page at ``/operator`` shows the same and more. Without one there is nothing.
    last_day : date, optional
        The last day on which reports are taken, by this machine's clock and zone. Who has the page
        open when it ends has an hour left to send.
    backups : BackupPlace, optional
        Where the button on the operator's page puts a backup.
    address_header : str
        The header in which a proxy of one's own says where a request comes from, for a form that
        takes few reports from one neighbourhood. Anybody can write into it who gets past the proxy.
    environment : Environment, optional
        The clocks, the randomness and the writer's runner; by default this machine's.

    Returns
    -------
    ASGI app
        With a lifespan: a server must run it, or no report is taken in.

    Raises
    ------
    InputError
        If an argument is of another kind, or the operator's key can be guessed.

    >>> from tempfile import TemporaryDirectory
    >>> from urllib.request import urlopen
    >>> from askance_collect.collect import Store, create_app, open_store, serving
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
    allowed_origins = _gather_origins(form, origins or frozenset())
    page = _PublicFile.of(page_bytes, {"content-type": "text/html", **page_headers, **_READABLE})
    files = {name: _PublicFile.of(*file) for name, file in (adjacent_files or {}).items()}
    cap, key, end = max(CAP, form.posted_size), key_of(operator_key), _end_of(last_day)
    limit = None
    if form.open_link is not None:
        limit = RateLimit(form.size, form.open_link, address_header, environment)
    options = form, page, page_sha256, allowed_origins, cap, files, key, end, limit
    desk = _Desk(*options, environment)
    operator = Operator(form, page_sha256, key, store, last_day, backups, environment)

    app = Starlette(
        routes=[*_routes(desk), *operator.routes()],
        exception_handlers={HTTPException: _answer_not_found, Exception: _answer_failure},
        lifespan=partial(_live, desk, store),
    )
    app.router.redirect_slashes = False  # a redirection would send a report on, over plain HTTP

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a report, which is most of the work, without the router."""
        posted = scope["type"] == "http" and scope["method"] == "POST"
        await (desk if posted and scope["path"] == "/report" else app)(scope, receive, send)

    return answer


def _gather_origins(form: Form, others: frozenset[str]) -> frozenset[bytes]:
    """Gather the origins of pages that may post: those others, the collector's own, and saved."""
    home = _ORIGIN.match(form.document["collector"])
    own = [*([home[0]] if home else []), *([SAVED] if form.allows_saved_pages else [])]
    return frozenset(address.encode("ascii") for address in (*others, *own))


@asynccontextmanager
async def _live(desk: _Desk, store: Store, _: Starlette) -> AsyncIterator[dict[str, object]]:
    """Let a writer keep reports for as long as the app runs, and give what requests need of it."""
    describe_program()  # while what is installed is what was loaded
    counted, counts = _Quotas(desk.form, store), CoarseCounts(desk.environment)
    writer = Writer.start(
        store,
        closed=store.closed,
        on_kept=counted.take,
        on_failed=counts.failed,
        environment=desk.environment,
    )
    state = {"writer": writer, "quotas": counted, "counts": counts}
    try:
        async with _turning(desk.rate_limit):
            yield {**state, **desk.watch(counts, writer)}
    finally:
        writer.stop()


@asynccontextmanager
async def _turning(rate_limit: RateLimit | None) -> AsyncIterator[None]:
    """Let a rate limit forget every ten minutes, for as long as reports are taken."""
    task = asyncio.create_task(rate_limit.turn_on()) if rate_limit is not None else None
    try:
        yield
    finally:
        if task is not None:
            task.cancel()


def _end_of(day: date | None) -> float:
    if day is None:
        return inf
    try:
        return datetime.combine(day + timedelta(days=1), datetime.min.time()).timestamp()
    except (OverflowError, ValueError) as error:
        raise InputError("until", got=day, allowed="a day of some calendar") from error


def _routes(desk: _Desk) -> list[Route]:
    return [
        Route("/", desk.show),
        Route("/form.json", desk.hand_out),
        Route("/report", desk, methods=["GET", "POST"]),
        Route("/health", desk.report_health),
        Route("/metrics", desk.count),
        *(
            Route(f"/{name}", partial(desk.show_adjacent_file, name))
            for name in desk.adjacent_files
        ),
        *(Route(path, _preflight, methods=["OPTIONS"]) for path in ("/", "/form.json", "/report")),
    ]


async def _read(receive: Receive, cap: int) -> bytes | None:
    """Read a body, but never much more than the cap; None if the sender disconnected."""
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


async def _answer_not_found(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    code = {404: "not-found", 405: "method"}.get(status, "request")
    request.state.counts.refused(code)
    payload = _error(code, "there is nothing here")
    response = Response(payload, status, headers=_OPEN, media_type="application/json")
    response.headers.update(getattr(error, "headers", None) or {})
    return response


async def _answer_failure(request: Request, error: Exception) -> Response:
    request.state.counts.fault(f"a request was not answered: {origin(error)} [unforeseen]")
    payload = _error("failed", "the collector failed")
    return Response(payload, 500, headers=_OPEN, media_type="application/json")


@final
class _Quotas:
    """How many reports there are with each answer that has a quota: counted once, then added to.

    Only the writer's thread adds. A report that another program takes out is missed until the
    collector starts again.
    """

    __slots__ = ("_counts", "_form")

    def __init__(self, form: Form, store: Store) -> None:
        self._form = form
        names = {form.questions[quota.question].name for quota in form.quotas}
        answer_counts = store.counts(sorted(names)) if names else {}
        self._counts = {
            (name, answer): count
            for name, values in answer_counts.items()
            for answer, count in values
        }

    def take(self, answers: str) -> None:
        """Count a report that is kept, by its values in JSON."""
        if not self._form.quotas:
            return
        values = json.loads(answers)
        for name in {self._form.questions[quota.question].name for quota in self._form.quotas}:
            key = name, json.dumps(values[name])
            self._counts[key] = self._counts.get(key, 0) + 1

    def describe(self) -> dict[str, object]:
        """List the full quotas by position, and say whether some answer is still open.

        >>> from askance.survey import load_survey, publish
        >>> _Quotas(publish(load_survey("examples/affairs.toml")), None).describe()
        {}
        """
        if not self._form.quotas:
            return {}
        full = [
            (quota.question, quota.answer)
            for quota in self._form.quotas
            if self._counts.get((self._form.questions[quota.question].name, f"{quota.answer}"), 0)
            >= quota.maximum
        ]
        answers = Counter(question for question, _ in full)
        none_left = any(
            isinstance(choice := self._form.questions[question_index], Choice)
            and n == len(choice.answers)
            for question_index, n in answers.items()
        )
        return {"full": full, "open": not none_left}
