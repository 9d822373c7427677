"""What strangers send down a connection, driven through the collector's protocol in this process.

A case is one byte that says into which pieces the bytes after it are cut. Whatever they are: every
reply is a documented one and whole, what is kept is a report in its one spelling and its receipt is
for it, nothing is held beyond the limits, and afterwards the connection is closed, waits for the
rest of a request (and then ends it), or answers the next one.
"""

import asyncio
import hashlib
import json
import re
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import import_module
from pathlib import Path

from changes import STATUS, encoded, scrambled

sys.path.append(str(Path(__file__).parents[1] / "vectors"))
from sample_forms import FORMS

from askance_collect.collect import Outcome, create_app
from askance_collect.errors import ReportRefused
from askance_collect.wire import Form, Report, read_report

serve = import_module("askance_collect.collect.serve")

TALLY = Counter()
_FORM = Form.read(FORMS["marriage"])
_BLANK = {question.name: None for question in _FORM.questions}
_CODES = {*STATUS, "not-found", "method", "request", "head", "slow"}
_STATUSES = {100, 200, 201, 204, 404, 405, 408, 413, 431, 501, 505, *STATUS.values()}
_HEAD = re.compile(rb"HTTP/1\.1 ([0-9]{3})[^\r\n]*\r\n((?:[a-z-]+: ?[^\r\n]*\r\n)*)\r\n")
_TROUBLES = {"b": "busy", "c": "disk-full", "d": "read-only", "e": "disk-error"}
_NEXT = b"GET /form.json HTTP/1.1\r\nhost: a\r\n\r\n"
_MOST_HELD = 160 * 1024
_MOST_TURNS = 400


def _body(id):
    return Report(_FORM.fingerprint, id, _BLANK).body(_FORM.size)


_BODIES = [
    *(_body(digit * 32) for digit in "0123456789abcdef"),
    Report(_FORM.fingerprint, "1" * 32, _BLANK | {"children": 1}).body(_FORM.size),
    _body("0" * 32)[:-1],
    _body("0" * 32) + b" ",
    b"",
    b"x" * _FORM.size,
    b" " * 17_000,
    b"\xff" * _FORM.size,
]
_TARGETS = encoded(
    [
        *("/", "/", "/form.json", "/report", "/report", "/report", "/report", "*", "", "//", "/é"),
        *("/report/", "/report?x", "/report#x", "/%72eport", "/%", "/%ff", "/%00", "/../report"),
        *("http://a/report", "https://a:b@c/", "http:///", "a:1", "/" + "a" * 9000, "/\x00", "/ x"),
    ]
)
_METHODS = encoded(
    [
        *("POST",) * 9,
        *("GET", "GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE", "CONNECT", "PATCH", "PRI"),
        *("post", "", "G", "M-SEARCH", "PROPFIND"),
    ]
)
_VERSIONS = encoded(
    [*("HTTP/1.1",) * 12, "HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/1.10", "HTTP", "", "http/1.1"]
)
_HEADERS = encoded(
    [
        *("Host: a", "Host: survey.example.org", "Host:", "Content-Type: text/plain"),
        *("Origin: null", "Origin: http://a", "Origin: https://evil.example", "Origin: é"),
        *("Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: none"),
        *("Connection: close", "Connection: keep-alive", "Connection: upgrade, close"),
        *("Connection: Upgrade\r\nUpgrade: websocket", "Connection: Upgrade\r\nUpgrade: h2c"),
        *("Expect: 100-continue", "Expect: x", "Transfer-Encoding: chunked", "Content-Length: 0"),
        *("Transfer-Encoding: identity", "Transfer-Encoding: chunked, gzip", "Content-Length: 5"),
        *("Transfer-Encoding: gzip, chunked", "Content-Length: -1", "Content-Length: +512"),
        *(
            "Content-Length: 99999999999999999999",
            "Content-Length: 512, 512",
            "Content-Length: 1e9",
        ),
        *("Content-Length : 5", " folded", "\tfolded", ":", ": a", "a", "a b: c", "é: é", "x:\x00"),
        *("X: " + "y" * 5000, "X: " + "y" * 17_000, "\r\n".join(["A: b"] * 101), "x" * 300),
        *("Content-Encoding: gzip", "Cookie: a=b", "X-HTTP-Method-Override: GET", "TE: trailers"),
    ]
)
_TOKENS = [
    *_HEADERS,
    *(b"\r\n", b"\n", b"\r", b"\r\n\r\n", b"0\r\n\r\n", b"200\r\n", b"ffffffffffffffffff\r\n"),
    *(
        b"5;x=y\r\n",
        b"-1\r\n",
        b"0\r\nA: b\r\n\r\n",
        b"\x00",
        b"\xff",
        b" ",
        b"PRI * HTTP/2.0\r\n\r\n",
    ),
]


def seeds():
    """Give a request of every kind that the page makes, two at once, and one in chunks."""
    post = b"POST /report HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s"
    posts = [post % (len(body), body) for body in _BODIES]
    plain = [b"%s / HTTP/1.1\r\nHost: a\r\n\r\n" % word for word in (b"GET", b"HEAD", b"OPTIONS")]
    chunked = b"POST /report HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunked += _chunks(_BODIES[0], 100)
    return [b"\x00" + item for item in (*posts, *plain, _NEXT, chunked, b"".join(posts[:9]))]


def vary(dice):
    """Make one request or several, most of them nearly right, and change their bytes or not."""
    stream = b"".join(_request(dice) for _ in range(dice.choice((1, 1, 1, 2, 3, 12))))
    if dice.random() < 0.3:
        stream = scrambled(dice, stream, _TOKENS)
    return bytes([dice.choice((0, 0, 0, 0, 1, 2, 3, 7, 50, 200))]) + stream


def _request(dice):
    body = dice.choice(_BODIES)
    end = b"\n" if dice.random() < 0.02 else b"\r\n"
    headers = [b"Host: a"] * (dice.random() < 0.95)
    headers += [dice.choice(_HEADERS) for _ in range(dice.choice((0, 0, 1, 1, 2, 3)))]
    draws = dice.random()
    if draws < 0.7:
        headers.append(b"Content-Length: %d" % (len(body) + dice.choice((0,) * 12 + (-1, 1, 9))))
    elif draws < 0.9:
        headers.append(b"Transfer-Encoding: chunked")
        body = _chunks(body, dice.choice((1, 7, 64, 100, 10_000)), dice)
    dice.shuffle(headers)
    first = (dice.choice(_METHODS), dice.choice(_TARGETS), dice.choice(_VERSIONS))
    if dice.random() < 0.5:
        first = (b"POST", b"/report", b"HTTP/1.1")
    return end.join((b" ".join(first), *headers, b"", body))


def _chunks(body, size, dice=None):
    pieces = [body[index : index + size] for index in range(0, min(len(body), 300 * size), size)]
    odd = dice is not None and dice.random() < 0.2
    more = dice.choice((b";a=b", b" ", b";" + b"x" * 9000, b"\t")) if odd else b""
    trailer = dice.choice((b"A: b\r\n", b"X: " + b"y" * 17_000 + b"\r\n", b"x")) if odd else b""
    parts = [b"%x%s\r\n%s\r\n" % (len(piece), more, piece) for piece in pieces]
    return b"".join(parts) + b"0\r\n" + trailer + b"\r\n"


class Transport:
    """What a connection writes, and whether it was closed; nothing leaves this process."""

    def __init__(self, loop):
        self._loop, self.line, self.late = loop, None, False
        self.written, self.closing, self.dropped, self.paused = bytearray(), False, False, False

    def get_extra_info(self, name, default=None):
        return {"peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 2)}.get(name, default)

    def is_closing(self):
        return self.closing

    def write(self, data):
        self.late |= self.closing and b" Refused\r\n" in self.written
        self.written += data

    def close(self):
        if not self.closing:
            self.closing = True
            self._loop.call_soon(self.line.connection_lost, None)

    def abort(self):
        self.dropped = True
        self.close()

    def pause_reading(self):
        self.paused = True

    def resume_reading(self):
        self.paused = False


class Writer:
    """Keeps reports in memory; their ids say what becomes of them."""

    closed = False

    def __init__(self):
        self.kept = {}

    async def write(self, report):
        await asyncio.sleep(0)
        id = report.id.hex()
        if id[0] in "bcde":
            raise ReportRefused(_TROUBLES[id[0]], "report")
        if id[0] == "f":
            return Outcome.CLOSED
        if id in self.kept:
            same = self.kept[id] == report.answers
            return Outcome.REPEATED if same else Outcome.CONFLICTING
        self.kept[id] = report.answers
        return Outcome.NEW


@cache
def _collector():
    """Give a loop, a server that listens nowhere, and a list of errors that nobody sees."""
    loop, removed = asyncio.new_event_loop(), []
    loop.set_exception_handler(lambda _, result: removed.append(str(result.get("exception"))))
    app = create_app(_FORM, b"<!doctype html>", {}, "ab" * 32, None)
    server = serve._server(app)
    server.config.load()
    return loop, server, removed


def close():
    """Let go of the loop."""
    _collector()[0].close()
    _collector.cache_clear()


def judge(cases):
    """Say of each case what is wrong: nothing, as a rule."""
    with ThreadPoolExecutor(1) as executor:  # this thread may have a loop of its own, a browser's
        return executor.submit(_collector()[0].run_until_complete, _judged(cases)).result()


async def _judged(cases):
    loop, server, removed = _collector()
    result = []
    for case in cases:
        try:
            await _tried(case, server, loop)
            wrong = f"unseen: {removed}" if removed else ""
        except Exception as error:
            wrong = f"{type(error).__name__}: {str(error)[:200]}"
        removed.clear()
        result.append(wrong)
    return result


class NoCounts:
    """What is counted is looked at elsewhere."""

    def refused(self, cause):
        assert cause in _CODES

    def page(self):
        pass

    acknowledged = failed = lambda self, _: None


class NoQuotas:
    """None of the forms has any."""

    def describe(self):
        return {}


async def _tried(case, server, loop):
    transport, writer = Transport(loop), Writer()
    line = server.config.http_protocol_class(
        config=server.config,
        server_state=server.server_state,
        app_state={"writer": writer, "quotas": NoQuotas(), "counts": NoCounts()},
        _loop=loop,
    )
    transport.line = line
    line.connection_made(transport)
    try:
        await _sent(line, transport, case)
        replies_result = _replies(transport)
        _check_kept(writer, replies_result, case)
        TALLY["taken in"] += any(status == 201 for status, _ in replies_result)
        await _check_goes_on(line, transport)
    finally:
        transport.close()
        await _settle(transport, server)
    assert not transport.late, "a second reply after a refusal"
    assert not server.server_state.tasks, "a request that is never done with"
    assert not line._gate._lines, "a connection that is never forgotten"


async def _sent(line, transport, case):
    stream = case[1:]
    size = case[0] if case and case[0] else len(stream)
    size = max(size, len(stream) // 500, 1)
    for index in range(0, len(stream), size):
        for _ in range(_MOST_TURNS):
            if not transport.paused or transport.closing:
                break
            await asyncio.sleep(0)
        if transport.closing:
            break
        assert not transport.paused, "nothing more is ever read"
        line.data_received(stream[index : index + size])
        inner = line._inner
        content = sum(len(cycle.body) for cycle, _ in inner.pipeline) + len(transport.written)
        content += len(inner.cycle.body) if inner.cycle else 0
        assert content < _MOST_HELD + len(stream) // 20, f"{content} bytes held"
        assert len(inner.pipeline) <= serve._MAX_QUEUED, "too many requests wait"
    await _settle(transport)


async def _settle(transport, server=None):
    """Let all that has been begun go as far as it goes."""
    quiet = 0
    for _ in range(_MOST_TURNS):
        before = len(transport.written)
        await asyncio.sleep(0)
        busy = server is not None and server.server_state.tasks
        quiet = 0 if busy or len(transport.written) != before else quiet + 1
        if quiet > 8:
            return


def _replies(transport):
    """Take what was written apart; give the status and the body of each reply."""
    rest, result = bytes(transport.written), []
    while rest:
        head = _HEAD.match(rest)
        assert head, f"no reply begins so: {rest[:60]!r}"
        status, headers = int(head[1]), head[2]
        rest = rest[head.end() :]
        length = re.search(rb"content-length: ([0-9]+)\r\n", headers)
        assert length or status in (100, 204), "a reply of no length"
        bodiless = status in (100, 204) or rest.startswith(b"HTTP/1.1 ")
        body = b"" if bodiless else rest[: int(length[1])]
        assert len(body) in (0, int(length[1]) if length else 0) or transport.dropped, "cut off"
        rest = rest[len(body) :]
        assert status in _STATUSES, f"status {status}"
        if status >= 400 and body:
            assert json.loads(body)["error"]["code"] in _CODES, f"code {body!r}"
        result.append((status, body))
    return result


def _check_kept(writer, result, case):
    receipts = [json.loads(body) for status, body in result if status == 201]
    assert len(receipts) == len({receipt["id"] for receipt in receipts}) <= len(writer.kept)
    for id, answers in writer.kept.items():
        body = Report(_FORM.fingerprint, id, json.loads(answers)).body(_FORM.size)
        assert read_report(body, _FORM).id == id
        assert body in case or b"chunked" in case.lower(), "kept what nobody sent"
        digests = [receipt["digest"] for receipt in receipts if receipt["id"] == id]
        assert digests in ([], [hashlib.sha256(body).hexdigest()]), "a receipt for something else"


async def _check_goes_on(line, transport):
    """See that a connection does not hang: it is closed, or waits for a rest, or answers again."""
    if transport.closing:
        return
    assert not transport.paused, "nothing more is ever read"
    if line._begun:
        line.expire()
        await _settle(transport)
        assert transport.closing, "a request that is never ended"
    else:
        before = len(transport.written)
        line.data_received(_NEXT)
        await _settle(transport)
        answered = transport.written[before:].startswith(b"HTTP/1.1 ")
        assert answered or transport.closing, "the next request is not answered"
    _replies(transport)
