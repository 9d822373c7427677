"""The operator's page: state of a collector, its store and its backups, and two buttons.

The page itself holds nothing. It asks with the key in a header, which no other site can send and no
browser keeps: there is no cookie, and so nothing to forge. What it is told has no person in it.
"""

import hmac
import re
from asyncio import to_thread
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from askance_collect.collect.accept import Store
from askance_collect.collect.environment import SYSTEM, Environment
from askance_collect.collect.watch import FAILURES, PERIOD, STEP
from askance_collect.collect.writer import Writer
from askance_collect.errors import AskanceError, InputError, ReportRefused
from askance_collect.lazy import release
from askance_collect.wire.canonical_json import canonical
from askance_collect.wire.form import Form

CLOSED = MappingProxyType(
    {"cache-control": "no-store, no-transform", "x-content-type-options": "nosniff"}
)
"""The headers of what only the operator reads."""

_KEY_LENGTH = 32
_KEY = re.compile(rf"[A-Za-z0-9_-]{{{_KEY_LENGTH},}}", re.ASCII)
_CAP = 64
_ROUND = 10**8
"""The bytes that are free are told so coarsely that no report is seen to take some."""


@final
@dataclass(frozen=True, slots=True)
class BackupPlace:
    """Where the operator's button puts a backup.

    Attributes
    ----------
    path : Path
        The file that is replaced by each backup.
    make : callable
        Makes one, such as by `back_up` of the store, opened a second time to be read.
    encrypted : bool
        Whether it encrypts.

    >>> from pathlib import Path
    >>> from askance_collect.collect import BackupPlace
    >>> BackupPlace(Path("exam.backup"), print).describe()["day"] is None
    True
    """

    path: Path
    make: Callable[[], object] = field(repr=False)
    encrypted: bool = False

    def describe(self) -> dict[str, object]:
        """Say where it goes, whether it is encrypted, and on which day the last was made."""
        try:
            last_backup = datetime.fromtimestamp(self.path.stat().st_mtime).astimezone().date()
        except OSError:
            last_backup = None
        day = None if last_backup is None else last_backup.isoformat()
        return {"name": self.path.name, "encrypted": self.encrypted, "day": day}


def key_of(key: str) -> bytes:
    """Read the operator's key, which nobody may guess."""
    if key and not _KEY.fullmatch(key):
        allowed = f"none, or {_KEY_LENGTH} or more letters, digits, - and _"
        raise InputError("operator_key", got="another one", allowed=allowed)
    return key.encode("ascii")


def require_key(request: Request, key: bytes) -> None:
    """Refuse a request that does not carry the operator's key.

    Raises
    ------
    HTTPException
        404 without it.
    """
    authorization = request.headers.get("authorization", "").encode("latin-1")
    if not key or not hmac.compare_digest(authorization, b"Bearer " + key):
        raise HTTPException(404)


@final
class Operator:
    """What the operator of one collector is shown, and can do."""

    __slots__ = (
        "_backups",
        "_counted",
        "_environment",
        "_form",
        "_key",
        "_sha256",
        "_store",
        "_until",
    )

    def __init__(
        self,
        form: Form,
        page_sha256: str,
        key: bytes,
        store: Store,
        until: date | None,
        backups: BackupPlace | None,
        environment: Environment = SYSTEM,
    ) -> None:
        self._form, self._sha256, self._key, self._store = form, page_sha256, key, store
        self._until, self._backups, self._environment = until, backups, environment
        self._counted: tuple[float, int] | None = None

    def routes(self) -> list[Route]:
        """Give the addresses."""
        return [
            Route("/operator", self.show),
            Route("/operator.json", self.answer, methods=["GET", "POST"]),
        ]

    async def show(self, _: Request) -> Response:
        """Give the page, which is the same for everybody."""
        if not self._key:
            raise HTTPException(404)
        return Response(_PAGE, headers=dict(_HEADERS), media_type="text/html")

    async def answer(self, request: Request) -> Response:
        """Do what is asked, and say how things stand."""
        require_key(request, self._key)
        try:
            if request.method == "POST":
                await self._do(await _word(request), request)
            state = await self._state(request)
        except ReportRefused:
            return _error_response(
                503, "it is not done, or not done yet: the log says why; look again"
            )
        except AskanceError as error:
            return _error_response(409, str(error))
        return Response(canonical(state), headers=dict(CLOSED), media_type="application/json")

    async def _do(self, word: str, request: Request) -> None:
        if word == "close":
            await request.state.writer.close_survey()
        elif word == "back up" and self._backups is not None:
            await to_thread(self._backups.make)
        else:
            raise HTTPException(400)

    async def _state(self, request: Request) -> dict[str, object]:
        state, counts = request.state, request.state.counts.published()
        title = self._form.document["title"]
        closed, able = state.writer.closed, await state.health.good()
        room = self._store.remaining_capacity()
        return {
            "title": title[self._form.languages[0]],
            "form": self._form.fingerprint,
            "page": self._sha256,
            "version": release(),
            "able": able,
            "closed": closed,
            "open": not closed and (self._until is None or self._today() <= self._until),
            "until": None if self._until is None else self._until.isoformat(),
            "reports": await self._count(state.writer),
            "free": None if room is None else room - room % _ROUND,
            "pages": counts["pages", ""],
            "kept": counts["reports", "kept"],
            "refused": {name: n for (kind, name), n in counts.items() if kind == "refusals" and n},
            "failures": {
                name: FAILURES[name]
                for (kind, name), n in counts.items()
                if kind == "failures" and n
            },
            "backup": None if self._backups is None else self._backups.describe(),
        }

    async def _count(self, writer: Writer) -> int:
        """Count the reports in the store, seldom, and as coarsely as everything is counted."""
        monotonic = self._environment.monotonic
        if self._counted is None or monotonic() - self._counted[0] >= PERIOD:
            many = await writer.ask(lambda store: store.count())
            self._counted = (monotonic(), many - many % STEP)
        return self._counted[1]

    def _today(self) -> date:
        return datetime.fromtimestamp(self._environment.wall_clock()).astimezone().date()


async def _word(request: Request) -> str:
    """Read what is to be done; nothing longer than that can be."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > _CAP:
            raise HTTPException(400)
    return body.decode("ascii", "replace")


def _error_response(status: int, message: str) -> Response:
    payload = canonical({"error": {"code": "operator", "message": message}})
    return Response(payload, status, headers=dict(CLOSED), media_type="application/json")


def _read_page() -> tuple[bytes, str]:
    """Read the page, and the policy that lets nothing but its own script and style run."""
    page = files("askance_collect.collect").joinpath("operator.html").read_bytes()
    style, script = (
        b64encode(sha256(page.partition(b"<%s>" % tag)[2].partition(b"</%s>" % tag)[0]).digest())
        for tag in (b"style", b"script")
    )
    policy = (
        f"default-src 'none'; style-src 'sha256-{style.decode()}'; "
        f"script-src 'sha256-{script.decode()}'; connect-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
        "trusted-types 'none'"
    )
    return page, policy


_PAGE, _POLICY = _read_page()
_HEADERS = {
    **CLOSED,
    "content-security-policy": _POLICY,
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
