"""The desk at which a code is exchanged for a blind signature: one address, no cookie and no log.

It never hears of a report, and a collector never hears of a code. Who runs both, and listens to
both while somebody answers, can tell by addresses and times what neither keeps.
"""

import json
import logging
from collections.abc import Mapping
from types import MappingProxyType

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from askance_collect.arguments import checked
from askance_collect.tokens.issuer import Issuer, NotSigned
from askance_collect.wire.canonical_json import canonical, unique_members
from askance_collect.wire.token import from_base64url, to_base64url

CAP = 4096
"""No more than so many bytes of a body are read: a code and what is blinded take fewer."""

_HEADERS = MappingProxyType(
    {
        "access-control-allow-origin": "*",
        "cache-control": "no-store, no-transform",
        "x-content-type-options": "nosniff",
    }
)
_REASONS: Mapping[str, tuple[int, str]] = MappingProxyType(
    {
        "size": (413, f"at most {CAP} bytes are read"),
        "shape": (400, 'allowed: a JSON object with "blinded" and "code", both texts'),
        "unknown": (404, "there is no such code; compare it with the invitation"),
        "exchanged": (409, "this code was exchanged before"),
        "wrong": (422, "blinded: allowed: a number below the modulus of the code's key"),
        "not-found": (404, "there is nothing here"),
        "method": (405, "allowed: POST"),
        "failed": (500, "the issuer failed"),
    }
)
_log = logging.getLogger("askance_collect.tokens")


@checked
def create_exchange(issuer: Issuer) -> ASGIApp:
    """Make the desk of an issuer, as an ASGI app to run in any server.

    ``POST /sign`` with the JSON object ``{"blinded": …, "code": …}``, the first in URL-safe base64,
    is answered with ``{"signature": …}``, or with ``{"error": {"code": …, "message": …}}``. ``GET
    /`` says that it runs.

    Parameters
    ----------
    issuer : Issuer
        Open.

    Returns
    -------
    ASGI app

    >>> from tempfile import TemporaryDirectory
    >>> from urllib.request import urlopen
    >>> from askance_collect.collect import serving
    >>> from askance_collect.tokens import create_exchange, create_issuer
    >>> with TemporaryDirectory() as folder:
    ...     issuer = create_issuer(f"{folder}/exam.issuer")
    ...     with serving(create_exchange(issuer)) as address, urlopen(address) as reply:
    ...         reply.read()
    ...     issuer.close()
    b'{"issuer":"askance"}'
    """

    async def sign(request: Request) -> Response:
        try:
            code, blinded = await _read_request(request)
            signature = await run_in_threadpool(issuer.sign, code, blinded)
        except NotSigned as reason:
            return _refused(reason.code)
        return _reply_json({"signature": to_base64url(signature)})

    async def greet(_: Request) -> Response:
        return _reply_json({"issuer": "askance"})

    routes = [Route("/", greet), Route("/sign", sign, methods=["POST"])]
    handlers = {HTTPException: _no_such_thing, Exception: _failed}
    return Starlette(routes=routes, exception_handlers=handlers)


async def _read_request(request: Request) -> tuple[str, bytes]:
    """Read a code and what its holder has blinded."""
    body = b""
    try:
        async for piece in request.stream():
            body += piece
            if len(body) > CAP:
                raise NotSigned("size")
    except ClientDisconnect:
        raise NotSigned("shape") from None
    try:
        document = json.loads(body, object_pairs_hook=unique_members)
        code, blinded = document["code"], from_base64url(document["blinded"])
    except (ValueError, TypeError, LookupError, RecursionError):
        raise NotSigned("shape") from None
    if not isinstance(code, str) or blinded is None or set(document) != {"code", "blinded"}:
        raise NotSigned("shape")
    return code, blinded


def _reply_json(document: Mapping[str, object], status: int = 200) -> Response:
    return Response(canonical(document), status, dict(_HEADERS), media_type="application/json")


def _refused(code: str) -> Response:
    status, message = _REASONS[code]
    return _reply_json({"error": {"code": code, "message": message}}, status)


async def _no_such_thing(_: Request, error: Exception) -> Response:
    missing = isinstance(error, HTTPException) and error.status_code == 405
    return _refused("method" if missing else "not-found")


async def _failed(_: Request, error: Exception) -> Response:
    _log.error("a code was not exchanged: %s", type(error).__name__)  # its text could hold a code
    return _refused("failed")
