"""A visit to a survey as a stranger's browser makes it: which steps fail on the way, and how.

The page is opened, the collector is asked what the page asks first, and a test report, as long as
a real one, is posted as the page posts it. The collector acknowledges the test report and keeps
nothing. From outside nobody can see who keeps a log on the way.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from time import monotonic
from typing import Any, final
from urllib.parse import SplitResult, urljoin, urlsplit

from askance_collect.arguments import checked
from askance_collect.collect.watch import REFUSALS
from askance_collect.errors import DocumentError, InputError
from askance_collect.random_bytes import SYSTEM_BYTES
from askance_collect.wire.canonical_json import fingerprint
from askance_collect.wire.form import Form
from askance_collect.wire.http_request import (
    CLIENTS,
    FOREIGN_HEADERS,
    REDIRECTS,
    NoReply,
    Reply,
    plain,
    send_request,
    split_address,
)
from askance_collect.wire.report import probe_body

_LONGEST = 3600
_HOPS = 10
_LENGTH = 200
_FORM = re.compile(rb'<script type="application/json" id="form">(.*?)</script>', re.DOTALL)
_FOLDER = re.compile("/[^/.]+$")
_LOOPBACK = "localhost", "127.0.0.1", "::1"
_COMMON_HEADERS = ("User-Agent", "Accept-Language", "Accept-Encoding", "Connection")
_PAGE = {
    "content-type": "text/html",
    "content-security-policy": "default-src 'none'",
    "cache-control": "no-transform",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
"""By header, what must stand in it where a collector hands out the page."""
_REPLY = {"cache-control": "no-store"}
_NAMING = ("server", "via", "x-cache", "cf-ray", "x-served-by")
"""Headers by which a server or a proxy says what it is."""
_CODES = (*REFUSALS, "failed")


@final
class VisitStep(Enum):
    """A step of a respondent's visit."""

    PAGE = "page"
    QUERY = "query"
    STATUS = "status"
    REPORT = "report"
    OLD_BROWSER = "old-browser"


@final
class Problem(Enum):
    """Kinds of problems between a respondent and a collector."""

    NO_REPLY = "no-reply"
    NOT_PRIVATE = "not-private"
    REDIRECTED_AWAY = "moved"
    BLOCKED = "blocked"
    GATEWAY = "gateway"
    TOO_LARGE = "too-large"
    RATE_LIMITED = "rate-limited"
    OTHER_SERVER = "other-server"
    NO_SLASH = "no-slash"
    OTHER_FORM = "other-form"
    CLOSED = "closed"
    REFUSED = "refused"
    BODY_CHANGED = "body-changed"
    PAGE_CHANGED = "page-changed"
    HEADER_MISSING = "header-missing"
    HEADER_CHANGED = "header-changed"
    HEADER_ADDED = "header-added"
    REDIRECTED = "redirected"
    NO_HSTS = "no-hsts"


NOTES = frozenset({Problem.REDIRECTED, Problem.NO_HSTS})
"""Problems by which nothing is lost."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacle:
    """One problem, and where on the way it showed.

    Attributes
    ----------
    step : VisitStep
    problem : Problem
    address : str
        What was asked for.
    status : int
        Of the reply; 0 where there was none.
    name : str
        Of a header, or the code of the collector's refusal.
    value : str
        What was got: a header's value, an address, the reason why there is no reply.
    server : str
        What replied says of itself, in headers such as Server and Via.
    """

    step: VisitStep
    problem: Problem
    address: str
    status: int = 0
    name: str = ""
    value: str = ""
    server: str = ""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """How a visit went.

    Attributes
    ----------
    page : str
        Where the page was in the end; empty if nothing replied.
    page_sha256 : str
        Of what was handed out there.
    form : str
        The form's fingerprint; empty if none is known.
    bytes_sent : int
        The length in bytes of the test report; 0 if none was sent.
    arrived : bool
        Whether the collector acknowledged it.
    obstacles : tuple of Obstacle
        In the order of the visit.
    """

    page: str
    page_sha256: str
    form: str
    bytes_sent: int
    arrived: bool
    obstacles: tuple[Obstacle, ...]

    @property
    def has_loss(self) -> bool:
        """Whether something was lost, blocked or rewritten."""
        return any(obstacle.problem not in NOTES for obstacle in self.obstacles)


@checked
def diagnose(address: str, form: Form | None = None, *, seconds: float = 60.0) -> Diagnosis:
    """Visit a survey as a stranger would, post a test report, and name what went wrong.

    The test report is as long as a real one. The collector acknowledges it, and neither keeps nor
    counts it.

    Parameters
    ----------
    address : str
        What respondents are given, of http or https.
    form : Form, optional
        The published form. Without it, the one that stands in the page.
    seconds : float
        For all of it.

    Returns
    -------
    Diagnosis

    Raises
    ------
    InputError
        If it is no address of the web, or no time is given.

    >>> from askance_collect.collect import Diagnosis, Obstacle, Problem, VisitStep, diagnose
    >>> diagnosis: Diagnosis = diagnose("http://127.0.0.1:9/", seconds=2.0)
    >>> obstacle: Obstacle = diagnosis.obstacles[0]
    >>> (obstacle.step, obstacle.problem) == (VisitStep.PAGE, Problem.NO_REPLY), diagnosis.has_loss
    (True, True)
    """
    if not 0 < seconds <= _LONGEST:
        raise InputError("seconds", got=seconds, allowed=f"more than 0, up to {_LONGEST:,}")
    visit = _Visit(until=monotonic() + seconds)
    page = visit.open_page(split_address(address))
    page_form = visit.read_form(page, form) if page is not None else None
    published = page_form or form
    bytes_sent, receipt = 0, dict[str, Any]()
    if published is not None:
        home = page.address if page is not None else split_address(address).geturl()
        collector = _Collector(form=published, page=home)
        if visit.ask_status(collector):
            bytes_sent, receipt = published.posted_size, visit.post_report(collector)
        if page is not None and page_form is not None:
            visit.look_at(page, collector, receipt)
    return Diagnosis(
        page="" if page is None else page.address,
        page_sha256="" if page is None else fingerprint(page.body),
        form="" if published is None else published.fingerprint,
        bytes_sent=bytes_sent,
        arrived=bool(receipt),
        obstacles=tuple(visit.obstacles),
    )


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Collector:
    """The addresses to which a page sends its requests, and their headers."""

    form: Form
    page: str

    @property
    def report(self) -> str:
        return urljoin(self.form.document["collector"] or self.page, "report")

    @property
    def is_home(self) -> bool:
        return _origin(self.page) == _origin(self.report)

    def headers(self, *, posting: bool, old: bool = False) -> list[tuple[str, str]]:
        """Write the headers that a browser sends with a request of the page's script."""
        named = dict(CLIENTS["firefox"])
        headers = [(name, named[name]) for name in _COMMON_HEADERS] + [("Accept", "*/*")]
        if not old:
            site = "same-origin" if self.is_home else "cross-site"
            headers += [("Sec-Fetch-Dest", "empty"), ("Sec-Fetch-Mode", "cors")]
            headers += [("Sec-Fetch-Site", site)]
        if posting or not self.is_home:
            headers.append(("Origin", _origin(self.page)))
        if posting:
            headers.append(("Content-Type", "text/plain;charset=UTF-8"))
        return headers


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Visit:
    """The steps of a visit, which note what they find."""

    until: float
    obstacles: list[Obstacle] = field(default_factory=list)

    def open_page(self, parts: SplitResult) -> Reply | None:
        """Open the page as a browser does, wherever it leads; None if no page is handed out."""
        reply = self._send(VisitStep.PAGE, parts.geturl(), CLIENTS["firefox"])
        for _ in range(_HOPS):
            to = None if reply is None else _target(reply)
            if reply is None or to is None:
                break
            self._note(VisitStep.PAGE, Problem.REDIRECTED, reply, value=to.geturl())
            reply = self._send(VisitStep.PAGE, to.geturl(), CLIENTS["firefox"])
        if reply is None:
            return None
        if reply.status != 200:
            self._note(VisitStep.PAGE, _by_status(reply), reply, value=_location(reply))
            return None
        if not _is_private(reply.address):
            self._note(VisitStep.PAGE, Problem.NOT_PRIVATE, reply)
        return reply

    def read_form(self, page: Reply, published: Form | None) -> Form | None:
        """Read the form that stands in a page, and hold it to the published one if given."""
        inside = _FORM.search(page.body)
        try:
            form = Form.read(inside[1]) if inside is not None else None
        except (DocumentError, InputError):
            form = None
        if form is None:
            self._note(VisitStep.PAGE, Problem.OTHER_SERVER, page)
        elif published is not None and published.fingerprint != form.fingerprint:
            self._note(VisitStep.PAGE, Problem.OTHER_FORM, page, value=form.fingerprint)
        return form

    def ask_status(self, collector: _Collector) -> bool:
        """Ask what the page asks before anything else; say whether anything replied."""
        if not _is_private(collector.report) and _is_private(collector.page):
            self.obstacles.append(
                Obstacle(
                    step=VisitStep.STATUS, problem=Problem.NOT_PRIVATE, address=collector.report
                )
            )
        headers = collector.headers(posting=False)
        reply = self._send(VisitStep.STATUS, collector.report, headers)
        if reply is None:
            return False
        content = _read_json(reply)
        if reply.status != 200 or not {"form", "open"} <= content.keys():
            self._note_refusal(VisitStep.STATUS, reply, content)
            path = urlsplit(collector.page).path
            if not collector.form.document["collector"] and _FOLDER.search(path):
                self._note(VisitStep.STATUS, Problem.NO_SLASH, reply, value=path)
            return True
        if content["form"] != collector.form.fingerprint:
            self._note(VisitStep.STATUS, Problem.OTHER_FORM, reply, value=str(content["form"]))
        elif content["open"] is not True:
            self._note(VisitStep.STATUS, Problem.CLOSED, reply)
        self._look_at_headers(VisitStep.STATUS, reply, _readable(collector))
        return True

    def post_report(self, collector: _Collector) -> dict[str, Any]:
        """Post a test report, as browsers of today and older ones do; give the acknowledgement."""
        acknowledgement = dict[str, Any]()
        for step in (VisitStep.REPORT, VisitStep.OLD_BROWSER):
            body = probe_body(collector.form, SYSTEM_BYTES.draw(16).hex())
            headers = collector.headers(posting=True, old=step is VisitStep.OLD_BROWSER)
            reply = self._send(step, collector.report, headers, body)
            if reply is None:
                return acknowledgement
            receipt = _read_json(reply)
            if reply.status != 200 or receipt.get("probe") is not True:
                self._note_refusal(step, reply, receipt)
                return acknowledgement
            if receipt.get("digest") != fingerprint(body):
                self._note(step, Problem.BODY_CHANGED, reply)
                return acknowledgement
            self._look_at_headers(step, reply, _readable(collector))
            acknowledgement = acknowledgement or receipt
        return acknowledgement

    def look_at(self, page: Reply, collector: _Collector, receipt: Mapping[str, Any]) -> None:
        """Hold the page to the one that the collector says it hands out, and to its headers."""
        if receipt and receipt.get("page") != fingerprint(page.body):
            self._note(VisitStep.PAGE, Problem.PAGE_CHANGED, page, value=str(receipt.get("page")))
        self._look_at_headers(VisitStep.PAGE, page, _PAGE if collector.is_home else {})
        if page.address.startswith("https:") and not page.values("strict-transport-security"):
            self._note(VisitStep.PAGE, Problem.NO_HSTS, page)
        query = urlsplit(page.address)
        address = query._replace(query=f"{query.query}&askance=1".strip("&")).geturl()
        again = self._send(VisitStep.QUERY, address, CLIENTS["firefox"])
        if again is not None and again.status != 200:
            self._note(VisitStep.QUERY, _by_status(again), again, value=_location(again))
        elif again is not None and again.body != page.body:
            self._note(VisitStep.QUERY, Problem.PAGE_CHANGED, again)

    def _send(
        self,
        step: VisitStep,
        address: str,
        headers: Sequence[tuple[str, str]],
        body: bytes | None = None,
    ) -> Reply | None:
        try:
            return send_request(address, headers, self.until, body)
        except NoReply as reason:
            self.obstacles.append(
                Obstacle(step=step, problem=Problem.NO_REPLY, address=address, value=str(reason))
            )
            return None

    def _note_refusal(self, step: VisitStep, reply: Reply, content: Mapping[str, Any]) -> None:
        """Note why a request was not answered as a collector answers it."""
        code = _read_refusal_code(content)
        problem = Problem.REFUSED if code else _by_status(reply)
        self._note(step, problem, reply, name=code, value=_location(reply))

    def _look_at_headers(self, step: VisitStep, reply: Reply, wanted: Mapping[str, str]) -> None:
        for name, part in wanted.items():
            values = reply.values(name)
            if not values:
                self._note(step, Problem.HEADER_MISSING, reply, name=name, value=part)
            elif len(values) > 1 or part not in values[0].lower():
                self._note(step, Problem.HEADER_CHANGED, reply, name=name, value=values[-1])
        for name in FOREIGN_HEADERS:
            if values := reply.values(name):
                self._note(step, Problem.HEADER_ADDED, reply, name=name, value=values[0])

    def _note(
        self, step: VisitStep, problem: Problem, reply: Reply, *, name: str = "", value: str = ""
    ) -> None:
        self.obstacles.append(
            Obstacle(
                step=step,
                problem=problem,
                address=reply.address,
                status=reply.status,
                name=name,
                value=plain(value)[:_LENGTH],
                server=plain("; ".join(_list_server_headers(reply)))[:_LENGTH],
            )
        )


def _list_server_headers(reply: Reply) -> Iterator[str]:
    for name in _NAMING:
        for value in reply.values(name):
            yield f"{name} {value}"


def _location(reply: Reply) -> str:
    return (reply.values("location") or [""])[-1]


def _target(reply: Reply) -> SplitResult | None:
    """Give where a reply sends a browser, if it is an address of the web."""
    if reply.status not in REDIRECTS:
        return None
    try:
        return split_address(urljoin(reply.address, _location(reply)))
    except (InputError, ValueError):
        return None


def _by_status(reply: Reply) -> Problem:
    """Name what a reply that is no collector's makes of a request."""
    by_status = {413: Problem.TOO_LARGE, 429: Problem.RATE_LIMITED}
    by_status |= dict.fromkeys((200, 201, 202, 204, 404), Problem.OTHER_SERVER)
    by_status |= dict.fromkeys(REDIRECTS, Problem.REDIRECTED_AWAY)
    by_status |= dict.fromkeys((502, 503, 504), Problem.GATEWAY)
    return by_status.get(reply.status, Problem.BLOCKED)


def _read_json(reply: Reply) -> dict[str, Any]:
    """Read what a collector says; nothing, where something else replied."""
    try:
        content = json.loads(reply.body)
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def _read_refusal_code(content: Mapping[str, Any]) -> str:
    """Read the code of a collector's refusal; empty if the collector has no such code."""
    error = content.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, str) and code in _CODES else ""


def _readable(collector: _Collector) -> dict[str, str]:
    """Say which headers a reply needs for the page's script to read it."""
    return _REPLY if collector.is_home else {**_REPLY, "access-control-allow-origin": "*"}


def _origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def _is_private(address: str) -> bool:
    """Say whether an address keeps what is sent from being read on the way."""
    parts = urlsplit(address)
    return parts.scheme == "https" or parts.hostname in _LOOPBACK
