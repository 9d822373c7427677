"""Three addresses: the page, the form, and where reports go. No cookie and no log."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, final

from askance.collect.accept import CAP, STATUS, accept
from askance.collect.outcome import Outcome
from askance.collect.store import Store
from askance.collect.writer import Writer
from askance.errors import MissingExtra, ReportRefused
from askance.wire.canonical import canonical, fingerprint
from askance.wire.form import Form

try:
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.requests import ClientDisconnect, Request
    from starlette.responses import Response
    from starlette.routing import Route
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


@final
@dataclass(frozen=True, slots=True)
class _Desk:
    """What the three addresses answer from."""

    form: Form
    page: bytes
    headers: Mapping[str, str]
    sha256: str
    spelling: bytes
    cap: int

    async def show(self, _: Request) -> Response:
        return Response(self.page, headers={"content-type": "text/html", **self.headers})

    async def hand_out(self, _: Request) -> Response:
        return Response(self.spelling, headers=_OPEN, media_type="application/json")

    async def take_in(self, request: Request) -> Response:
        try:
            body = await _read(request, self.cap)
            if len(body) > self.cap:
                over = ReportRefused("size", "body", allowed=f"at most {self.cap} bytes")
                return _refusal(over, 413)
            accepted = accept(body, self.form)
            outcome = await request.state.writer.write(accepted)
            _refuse(outcome)
        except ReportRefused as refusal:
            return _refusal(refusal, STATUS[refusal.code])
        except ClientDisconnect:
            return Response(status_code=400)
        receipt = {"digest": fingerprint(body), "id": accepted.id.hex(), "page": self.sha256}
        return _json({"accepted": True, **receipt}, 201 if outcome is Outcome.NEW else 200)


def create_app(
    form: Form, page_bytes: bytes, page_headers: Mapping[str, str], page_sha256: str, store: Store
) -> Starlette:
    """Make the collector of one form: ``GET /``, ``GET /form.json`` and ``POST /report``.

    A page that was saved to a disk may post too: the reply to ``/report`` is readable from any
    origin, and no credentials exist that another site could misuse.

    Parameters
    ----------
    form : Form
    page_bytes, page_headers, page_sha256
        The respondent's page as rendered, sent to everyone byte for byte.
    store : Store
        Open for this form. While the app runs, its writer thread owns the store.
    """
    cap = max(CAP, form.size)
    desk = _Desk(form, page_bytes, dict(page_headers), page_sha256, form.bytes, cap)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[dict[str, Writer]]:
        writer = Writer.start(store)
        try:
            yield {"writer": writer}
        finally:
            writer.stop()

    app = Starlette(
        routes=[
            Route("/", desk.show),
            Route("/form.json", desk.hand_out),
            Route("/report", desk.take_in, methods=["POST"]),
            *(
                Route(path, _preflight, methods=["OPTIONS"])
                for path in ("/", "/form.json", "/report")
            ),
        ],
        exception_handlers={HTTPException: _no_such_thing, Exception: _failed},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False  # a redirection would send a report on, over plain HTTP
    return app


async def _read(request: Request, cap: int) -> bytes:
    """Read a body, but never much more than the cap, whatever length was announced."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > cap:
            break
    return bytes(body)


def _refuse(outcome: Outcome) -> None:
    if outcome is Outcome.CONFLICTING:
        raise ReportRefused("conflict", "id", remedy="another report has this id; it was kept")
    if outcome is Outcome.CLOSED:
        raise ReportRefused("closed", "survey", remedy="it takes no more answers; none was kept")


def _refusal(refusal: ReportRefused, status: int) -> Response:
    response = _json({"error": {"code": refusal.code, "message": str(refusal)}}, status)
    if refusal.code == "busy":
        response.headers["retry-after"] = "2"
    if status == 413:
        response.headers["connection"] = "close"
    return response


async def _preflight(_: Request) -> Response:
    return Response(status_code=204, headers=_PREFLIGHT)


async def _no_such_thing(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    code = {404: "not-found", 405: "method"}.get(status, "request")
    response = _json({"error": {"code": code, "message": "there is nothing here"}}, status)
    response.headers.update(getattr(error, "headers", None) or {})
    return response


async def _failed(_: Request, __: Exception) -> Response:
    return _json({"error": {"code": "failed", "message": "the collector failed"}}, 500)


def _json(content: Any, status: int) -> Response:
    return Response(canonical(content), status, headers=_OPEN, media_type="application/json")
