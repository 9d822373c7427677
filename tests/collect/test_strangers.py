"""Strangers who send too much, too slowly or nothing harm nobody else, and soon have to go."""

import http.client
import json
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from askance_collect.collect import Store, create_app, open_store, serve, serving
from askance_collect.errors import InputError
from askance_collect.wire import Form

serve_module = import_module("askance_collect.collect.serve")

PAGE = b"<!doctype html>" + b"p" * 100_000
HEAD = b"POST /report HTTP/1.1\r\nHost: x\r\n"
Make = Callable[[], bytes]
MOST_HEAD, MOST_HEADERS = 16 * 1024, 100
"""As docs/how-to/run-a-collector.md says."""


@pytest.fixture
def store(tmp_path: Path, affairs_form: Form) -> Iterator[Store]:
    store = open_store(tmp_path / "survey.db", affairs_form)
    yield store
    store.close()


@pytest.fixture
def start(
    store: Store, affairs_form: Form, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., str]]:
    """Start the collector with other limits."""
    with ExitStack() as stack:

        def start(**limits: float) -> str:
            for name, limit in limits.items():
                monkeypatch.setattr(serve_module, name, limit)
            app = create_app(affairs_form, PAGE, {}, "ab" * 32, store)
            return stack.enter_context(serving(app))

        yield start


@contextmanager
def _line(url: str) -> Iterator[socket.socket]:
    urlsplit_result = urlsplit(url)
    with socket.create_connection(
        (urlsplit_result.hostname or "", urlsplit_result.port or 0), timeout=60
    ) as line:
        yield line


def _rest(line: socket.socket) -> bytes:
    """Read until the collector hangs up."""
    text = b""
    with suppress(ConnectionResetError):
        while piece := line.recv(1 << 16):
            text += piece
    return text


def _code(replies: bytes) -> tuple[int, str]:
    head, _, body = replies.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["error"]["code"]


def _post(url: str, body: bytes) -> int:
    line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
    try:
        line.request("POST", "/report", body)
        return line.getresponse().status
    finally:
        line.close()


@pytest.mark.parametrize(
    "endless",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\nCookie: ",
        b"GET / HTTP/1.1\r\nHost: x\r\n",
        b"GET /",
        b"\r\n" * 9,
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n1;",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\nTrailer: ",
    ],
    ids=["one header", "headers", "an address", "line ends", "a chunk's name", "a trailer"],
)
def test_a_head_without_an_end_is_cut_off_and_takes_no_memory(
    endless: bytes, start: Callable[..., str], make_body: Make
) -> None:
    url, more = start(), b"a: b\r\n" if endless == b"GET / HTTP/1.1\r\nHost: x\r\n" else b"x"
    more = b"\r\n" if endless.startswith(b"\r") else more
    before, reports = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, 0
    with _line(url) as line, suppress(OSError):
        line.sendall(endless)
        while reports < 130_000_000:
            reports += line.send(more * 10_000)
    assert reports < 20_000_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30_000  # kilobytes
    assert _post(url, make_body()) == 201


def test_too_large_a_head_is_told_so(start: Callable[..., str]) -> None:
    url = start()
    for size, many, expected in [(MOST_HEAD - 100, 1, 200), (20, MOST_HEADERS - 2, 200)]:
        with _line(url) as line:
            extra = b"".join(b"X-%d: %s\r\n" % (index, b"x" * size) for index in range(many))
            line.sendall(
                b"GET /form.json HTTP/1.1\r\nHost: x\r\n" + extra + b"Connection: close\r\n\r\n"
            )
            assert int(_rest(line).split()[1]) == expected
    for replies in (b"X: " + b"x" * 2 * MOST_HEAD, b"a: b\r\n" * (MOST_HEADERS + 1)):
        with _line(url) as line:
            line.sendall(b"GET /form.json HTTP/1.1\r\nHost: x\r\n" + replies + b"\r\n\r\n")
            assert _code(_rest(line)) == (431, "head")


@pytest.mark.parametrize(
    "first", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"], ids=["at once", "after another"]
)
def test_an_address_that_is_none_is_told_so(first: bytes, start: Callable[..., str]) -> None:
    url = start()
    for nowhere in (b"http:///", b"http://"):
        with _line(url) as line:
            line.sendall(first)
            if first:
                line.recv(200_000)
            line.sendall(b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n" % nowhere)
            rest_result = _rest(line)
            assert _code(rest_result[rest_result.rindex(b"HTTP/1.1 ") :]) == (400, "request")


@pytest.mark.parametrize(
    ("begun", "code"),
    [
        (b"", None),
        (b"\r\n", None),
        (b"GET / HT", 408),
        (HEAD + b"Content-Length: 256\r\n\r\n{", 408),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{", 408),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 256\r\n\r\n{", 405),
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 2 + b"GET / HT", 200),
    ],
    ids=["silence", "a line end", "a head", "a body", "chunks", "a refused body", "after others"],
)
def test_whoever_stops_in_the_middle_is_hung_up_on(
    begun: bytes, code: int | None, start: Callable[..., str], store: Store
) -> None:
    url, called = start(PATIENCE=1.0), time.monotonic()
    with _line(url) as line:
        line.sendall(begun)
        rest_result = _rest(line)
        assert 0.9 < time.monotonic() - called < 60
    assert (int(rest_result.split()[1]) if rest_result else None) == code
    assert rest_result.count(b"HTTP/1.1 ") == (3 if code == 200 else 1 if rest_result else 0)
    if code in (200, 408):
        assert _code(rest_result[rest_result.rindex(b"HTTP/1.1 ") :]) == (408, "slow")
    assert store.count() == 0


def test_a_byte_now_and_then_is_no_progress(start: Callable[..., str], make_body: Make) -> None:
    """The time is for the whole request, however it is spread."""
    url, body = start(PATIENCE=0.5), make_body()
    for entire in (HEAD + b"X: " + b"x" * 500, HEAD + b"Content-Length: 256\r\n\r\n" + body):
        called = time.monotonic()
        with _line(url) as line, suppress(OSError):
            for index in range(len(entire)):
                line.sendall(entire[index : index + 1])
                time.sleep(0.05)
        assert 0.4 < time.monotonic() - called < 60
    assert _post(url, body) == 201


def test_whoever_does_not_read_is_hung_up_on(start: Callable[..., str], make_body: Make) -> None:
    url = start(PATIENCE=0.5)
    with _line(url) as line:
        with suppress(OSError):
            for _ in range(2000):
                line.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                line.settimeout(0.05)
        time.sleep(1.5)
        assert len(_rest(line)) < 20_000_000
    assert _post(url, make_body()) == 201


def test_an_idle_connection_is_ended_and_a_lively_one_kept(
    start: Callable[..., str], make_body: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the collector's clock, which stands still while a busy machine lets nobody do anything."""
    now, url = 0.0, start(PATIENCE=0.4)
    monkeypatch.setattr(serve_module, "monotonic", lambda: now)
    line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
    for _ in range(8):
        line.request("POST", "/report", make_body())
        assert line.getresponse().read().startswith(b'{"accepted":true')
        now += 0.3
        time.sleep(0.15)  # in which the collector looks for idle ones
    now += 0.3
    assert line.sock is not None
    assert line.sock.recv(1) == b""
    line.close()


@pytest.mark.long
def test_too_many_at_once_make_room_for_the_next(
    start: Callable[..., str], make_body: Make, store: Store
) -> None:
    """Twelve hundred half-open connections where there is room for five hundred."""
    url = start(MAX_CONNECTIONS=500)
    with ExitStack() as stack:
        lines = []
        for index in range(1200):
            line = stack.enter_context(_line(url))
            line.sendall(b"" if index % 3 else HEAD)
            lines.append(line)
            if index % 100 == 99:
                assert _post(url, make_body()) == 201
        lines[0].settimeout(5)
        assert _rest(lines[0]) == b""
        lines[-1].sendall(b"GET /form.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert _rest(lines[-1]).startswith(b"HTTP/1.1 200")
    assert store.count() == 12


def test_requests_in_a_row_are_answered_in_a_row_and_a_flood_is_refused(
    start: Callable[..., str], make_body: Make
) -> None:
    url, body = start(), make_body()
    post = HEAD + b"Content-Length: %d\r\n\r\n" % len(body)
    with _line(url) as line:
        line.sendall(
            (post + body) * 3 + b"GET /form.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        )
        rest_result = _rest(line)
    assert [part.split()[0] for part in rest_result.split(b"HTTP/1.1 ")[1:]] == [
        b"201",
        b"200",
        b"200",
        b"200",
    ]
    with _line(url) as line:
        line.sendall(b"GET /form.json HTTP/1.1\r\nHost: x\r\n\r\n" * 5000)
        assert _rest(line).count(b"HTTP/1.1 200") < 20


@pytest.mark.parametrize("before", [1, 2, 3])
@pytest.mark.parametrize(
    "broken",
    [
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nno number\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n" + b"X: y\r\n" * (MOST_HEADERS + 1),
        b"no request\r\n\r\n",
    ],
    ids=["body", "trailer", "head"],
)
def test_a_broken_request_takes_no_reply_from_those_before_it(
    broken: bytes, before: int, start: Callable[..., str], make_body: Make, store: Store
) -> None:
    url, body = start(), make_body()
    post = b"%sContent-Length: %d\r\n\r\n%s" % (HEAD, len(body), body)
    with _line(url) as line:
        line.sendall(post + (before - 1) * b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" + broken)
        rest_result = _rest(line)
    assert rest_result.count(b"HTTP/1.1 2") == rest_result.count(b"HTTP/1.1 ") == before
    assert rest_result.startswith(b"HTTP/1.1 201 ")
    assert store.count() == 1
    assert _post(url, make_body()) == 201


def test_a_length_that_is_not_true_keeps_nothing(
    start: Callable[..., str], make_body: Make, store: Store
) -> None:
    url, body = start(PATIENCE=0.4), make_body()
    for result, expected in [(len(body) + 1, 408), (len(body) - 1, 400), (-5, 400), (10**30, 400)]:
        with _line(url) as line:
            line.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % result + body)
            assert int(_rest(line).split()[1]) == expected
    assert store.count() == 0


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"GET /form.json HTTP/1.1\r\n", 400),
        (b"GET /form.json HTTP/1.1\r\nHost: a\r\nHost: b\r\n", 400),
        (b"GET /form.json\r\n", 505),
        (b"POST /report HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n", 501),
        (
            b"POST /report HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n"
            b"Transfer-Encoding: chunked\r\n",
            501,
        ),
        (b"POST /report HTTP/1.0\r\nTransfer-Encoding: chunked\r\n", 501),
    ],
    ids=["no host", "two hosts", "HTTP/0.9", "gzip", "gzip apart", "chunks of HTTP/1.0"],
)
def test_what_two_readers_could_take_differently_is_refused(
    head: bytes, status: int, start: Callable[..., str]
) -> None:
    with _line(start()) as line:
        line.sendall(head + b"\r\n0\r\n\r\n")
        assert _code(_rest(line)) == (status, "request")


def test_a_proxy_may_speak_the_older_version(start: Callable[..., str]) -> None:
    for head in (b"GET /form.json HTTP/1.0\r\n\r\n", b"GET / HTTP/1.0\r\nHost: x\r\n\r\n"):
        with _line(start()) as line:
            line.sendall(head)
            assert int(_rest(line).split()[1]) == 200


def test_a_body_may_come_in_chunks(start: Callable[..., str], make_body: Make) -> None:
    body = make_body()
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n"
    with _line(start()) as line:
        line.sendall(HEAD + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
        assert _rest(line).startswith(b"HTTP/1.1 201")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_others_are_served_through_a_proxy_only(host: str) -> None:
    with pytest.raises(InputError, match="behind-proxy"):
        serve(lambda: pytest.fail("nothing is opened"), print, host)


def test_with_a_proxy_any_address_may_be_listened_on(store: Store, affairs_form: Form) -> None:
    def make() -> object:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        serve(make, print, "0.0.0.0", behind_proxy=True)  # type: ignore[arg-type]
    assert threading.active_count() < 50
