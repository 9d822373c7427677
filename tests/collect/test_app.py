"""What a respondent's device, a stranger and a fool get from the three addresses."""

import gzip
import hashlib
import http.client
import json
import logging
import random
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from askance_collect.collect import Store, create_app, open_store, page_origins, serving
from askance_collect.errors import InputError
from askance_collect.wire import Form, Report

PAGE = b"<!doctype html><title>Marriage</title>"
HEADERS = {"content-type": "text/html; charset=utf-8", "content-security-policy": "default-src x"}
Ask = Callable[..., tuple[int, dict[str, str], bytes]]
Make = Callable[[], bytes]


@pytest.fixture
def store(tmp_path: Path, affairs_form: Form) -> Iterator[Store]:
    store = open_store(tmp_path / "survey.db", affairs_form)
    yield store
    store.close()


@pytest.fixture
def url(store: Store, affairs_form: Form) -> Iterator[str]:
    with serving(create_app(affairs_form, PAGE, HEADERS, "ab" * 32, store)) as url:
        yield url


@pytest.fixture
def ask(url: str) -> Iterator[Ask]:
    line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)

    def ask(
        method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        line.request(method, path, body, headers or {"content-type": "text/plain;charset=UTF-8"})
        reply = line.getresponse()
        result = {name.lower(): value for name, value in reply.getheaders()}
        return reply.status, result, reply.read()

    yield ask
    line.close()


def _code(reply: tuple[int, dict[str, str], bytes]) -> tuple[int, str]:
    return reply[0], json.loads(reply[2])["error"]["code"]


def test_the_reference_lists_the_refusals_that_are_not_the_bodys(
    documented: dict[str, int],
) -> None:
    """The tests below meet each with this status; those of a body are met beside `accept`."""
    statuses = {"origin": 403, "conflict": 409, "closed": 410}
    statuses |= dict.fromkeys(["busy", "disk-full", "read-only", "disk-error"], 503)
    assert statuses.items() <= documented.items()


def test_everybody_gets_the_page_as_rendered(ask: Ask) -> None:
    status, headers, body = ask("GET", "/")
    assert (status, body) == (200, PAGE)
    assert HEADERS.items() <= headers.items()
    assert ask("GET", "/?invited=me")[2] == PAGE


ACCEPTED = [
    ("gzip, deflate, br, zstd", True),
    ("GZIP;Q=0.5", True),
    ("*", True),
    ("gzip;q=0, *", False),
    ("gzip; q=0.000", False),
    ("br", False),
    ("identity", False),
    ("", False),
]


def test_a_browser_that_takes_gzip_gets_the_page_and_what_lies_beside_it_in_it(
    store: Store, affairs_form: Form
) -> None:
    page, frame = PAGE * 100, b"<!doctype html>" * 100
    further = {"frame": (frame, {"content-type": "text/html"}), "small": (b"a", {})}
    app = create_app(affairs_form, page, HEADERS, "ab" * 32, store, adjacent_files=further)
    with serving(app) as url, closing(http.client.HTTPConnection(urlsplit(url).netloc)) as line:
        for path, content in (("/", page), ("/frame", frame), ("/small", b"a")):
            for accepted, packed in ACCEPTED:
                for method in ("GET", "HEAD"):
                    line.request(method, path, headers={"accept-encoding": accepted})
                    reply = line.getresponse()
                    body, length = reply.read(), int(reply.headers["content-length"])
                    packed_here = packed and path != "/small"
                    assert reply.headers["vary"] == "accept-encoding"
                    assert reply.headers["content-encoding"] == ("gzip" if packed_here else None)
                    assert (length < len(content)) is packed_here
                    if method == "GET":
                        assert length == len(body)
                        assert (gzip.decompress(body) if packed_here else body) == content


def test_the_form_is_handed_out_in_its_canonical_bytes(ask: Ask, affairs_form: Form) -> None:
    status, _, body = ask("GET", "/form.json")
    assert status == 200
    assert hashlib.sha256(body).hexdigest() == affairs_form.fingerprint


def test_nobody_is_marked_or_told_what_runs_here(ask: Ask, make_body: Make) -> None:
    for reply in (ask("GET", "/"), ask("GET", "/form.json"), ask("POST", "/report", make_body())):
        assert not {"set-cookie", "server", "etag", "last-modified", "x-request-id"} & set(reply[1])


def test_head_says_what_get_says_without_the_body(ask: Ask) -> None:
    for path in ("/", "/form.json", "/report"):
        questions, received = ask("HEAD", path), ask("GET", path)
        assert questions[2] == b""
        assert (questions[0], questions[1]["content-length"]) == (200, str(len(received[2])))


def test_a_page_from_a_disk_hears_that_it_may_not_post(ask: Ask, make_body: Make) -> None:
    status, headers, _ = ask("OPTIONS", "/report", None, {"origin": "null"})
    assert status == 204
    assert headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in headers
    status, headers, _ = ask("POST", "/report", make_body(), {"origin": "null"})
    assert (status, headers["access-control-allow-origin"]) == (403, "*")


OWN, ELSEWHERE = "https://survey.example.org", "https://www.example.org"
COLLECTOR = "https://collect.example.org/s/"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 201),
        ({"Sec-Fetch-Site": "none"}, 201),
        ({"Sec-Fetch-Site": "same-origin", "Origin": OWN}, 201),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "null"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": ELSEWHERE}, 201),
        ({"Sec-Fetch-Site": "same-site", "Origin": ELSEWHERE}, 201),
        ({"Origin": "https://collect.example.org"}, 201),
        ({"Origin": OWN, "Host": "survey.example.org"}, 201),
        ({"Origin": OWN, "Host": "127.0.0.1:8102"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "same-site", "Origin": OWN, "Host": "survey.example.org"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "https://www.example.org.evil.example"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": f"null, {ELSEWHERE}"}, 403),
        ({"Origin": "data:", "Host": ""}, 403),
    ],
    ids=str,
)
def test_only_the_surveys_own_pages_and_no_page_may_post(
    headers: dict[str, str], status: int, store: Store, affairs_form: Form, make_body: Make
) -> None:
    """What browsers say of a page decides; a form that names its collector counts as that place."""
    named = Form.read(affairs_form.document | {"collector": COLLECTOR})
    body = make_body().replace(affairs_form.fingerprint.encode(), named.fingerprint.encode())
    app = create_app(named, PAGE, HEADERS, "ab" * 32, store, page_origins([ELSEWHERE]))
    with serving(app) as url:
        line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
        line.request("POST", "/report", body, headers)
        reply = line.getresponse()
        mapping, replies = dict(reply.getheaders()), json.loads(reply.read())
        line.close()
    assert reply.status == status
    assert store.count() == (status == 201)
    if status == 403:
        assert replies["error"]["code"] == "origin"
        assert "evil" not in str(replies)
        assert mapping["access-control-allow-origin"] == "*"


def test_two_origins_are_none(url: str, make_body: Make, store: Store) -> None:
    line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
    line.putrequest("POST", "/report")
    for origin in ("null", "https://evil.example"):
        line.putheader("Origin", origin)
    body = make_body()
    line.putheader("Content-Length", str(len(body)))
    line.endheaders(body)
    assert line.getresponse().status == 403
    assert store.count() == 0
    line.close()


@pytest.mark.parametrize(("saved", "chosen"), [({}, 0), ({"saved": True}, 20)])
def test_frames_without_an_origin_post_only_where_saved_pages_may(
    saved: dict[str, bool], chosen: int, tmp_path: Path, affairs_form: Form, make_body: Make
) -> None:
    """The twin asks on saved pages too, from which a collector cannot tell a sandboxed frame."""
    version = {"askance": "form-2"} if saved else {}
    form = Form.read(affairs_form.document | version | {"collector": COLLECTOR} | saved)
    store = open_store(tmp_path / "saved.db", form)
    with serving(create_app(form, PAGE, HEADERS, "ab" * 32, store)) as url:
        line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
        for _ in range(10):
            for site in ({}, {"Sec-Fetch-Site": "cross-site"}):
                body = make_body().replace(
                    affairs_form.fingerprint.encode(), form.fingerprint.encode()
                )
                line.request("POST", "/report", body, site | {"Origin": "null"})
                assert line.getresponse().read()
        line.close()
    assert store.count() == chosen
    store.close()


@pytest.mark.parametrize(
    "origin",
    ["", "*", "null", "example.org", "https://example.org/", "https://EXAMPLE.org", "file://"],
)
def test_an_origin_is_scheme_and_host(origin: str) -> None:
    with pytest.raises(InputError, match="page-origin"):
        page_origins([origin])


def test_a_report_is_acknowledged_once_and_again(ask: Ask, make_body: Make, store: Store) -> None:
    body = make_body()
    first, again = ask("POST", "/report", body), ask("POST", "/report", body)
    assert (first[0], again[0]) == (201, 200)
    assert first[2] == again[2]
    assert json.loads(first[2]) == {
        "accepted": True,
        "id": json.loads(body)["id"],
        "digest": hashlib.sha256(body).hexdigest(),
        "page": "ab" * 32,
    }
    assert store.count() == 1


def test_the_first_under_an_id_is_kept(ask: Ask, affairs_form: Form, store: Store) -> None:
    values = {"any_affair": 2, "age": (0, 12), "children": None, "years": 7}
    report = Report(affairs_form.fingerprint, "0f" * 16, values)
    other = Report(affairs_form.fingerprint, "0f" * 16, values | {"years": 8})
    assert ask("POST", "/report", report.body(affairs_form.size))[0] == 201
    refused = ask("POST", "/report", other.body(affairs_form.size))
    assert _code(refused) == (409, "conflict")
    ((_, answers),) = store.reports()
    assert answers == '{"age":[0,12],"any_affair":2,"children":null,"years":7}'


def test_refusals_have_their_codes_and_echo_nothing(ask: Ask, affairs_form: Form) -> None:
    size = affairs_form.size
    wrong = {"answers": {}, "form": "0" * 64, "id": "31415926"}
    for body, expected in [
        (b"", (400, "size")),
        (b"x" * 20_000, (413, "size")),
        (b"31415926".ljust(size, b"x"), (400, "not-json")),
        (json.dumps(wrong).encode().ljust(size), (409, "wrong-form")),
        (json.dumps(wrong | {"form": affairs_form.fingerprint}).encode().ljust(size), (422, "id")),
    ]:
        reply = ask("POST", "/report", body)
        assert _code(reply) == expected
        assert b"31415926" not in reply[2]
        assert b"xxx" not in reply[2]


def test_there_is_nothing_else_here(ask: Ask) -> None:
    assert _code(ask("GET", "/reports")) == (404, "not-found")
    assert _code(ask("PUT", "/report")) == (405, "method")
    assert _code(ask("DELETE", "/")) == (405, "method")
    assert _code(ask("GET", "/../survey.db"))[0] == 404
    assert set(ask("PUT", "/report")[1]["allow"].split(", ")) == {"GET", "HEAD", "POST"}


def test_no_report_is_sent_on_to_another_address(ask: Ask, make_body: Make) -> None:
    for method, path in (("POST", "/report/"), ("GET", "/form.json/")):
        reply = ask(method, path, make_body() if method == "POST" else b"")
        assert _code(reply) == (404, "not-found")
        assert "location" not in reply[1]


def test_no_more_than_the_cap_is_read(url: str, ask: Ask, make_body: Make) -> None:
    """Someone who announces a gigabyte, or nothing, is cut off soon after the cap."""
    host, port = urlsplit(url).hostname, urlsplit(url).port
    for head in (b"Content-Length: 1000000000", b"Transfer-Encoding: chunked"):
        with socket.create_connection((host, port), timeout=10) as line:
            line.sendall(b"POST /report HTTP/1.1\r\nHost: x\r\n" + head + b"\r\n\r\n")
            reports = 0
            piece = b"3e8\r\n" + b"x" * 1000 + b"\r\n" if b"chunked" in head else b"x" * 1000
            try:
                while reports < 50_000_000:
                    line.sendall(piece)
                    reports += len(piece)
            except OSError:
                pass
            assert reports < 20_000_000
    assert ask("POST", "/report", make_body())[0] == 201


def test_half_a_request_and_junk_on_the_line_harm_nobody(
    url: str,
    ask: Ask,
    make_body: Make,
    store: Store,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    urlsplit_result = urlsplit(url)
    half = b"POST /report HTTP/1.1\r\nHost: x\r\nContent-Length: 256\r\n\r\n" + make_body()[:90]
    for reports in (half, b"\x16\x03\x01" + random.randbytes(500), b"GET\r\n\r\n", b""):
        with socket.create_connection(
            (urlsplit_result.hostname, urlsplit_result.port), timeout=10
        ) as line:
            line.sendall(reports)
    assert ask("POST", "/report", make_body())[0] == 201
    assert store.count() == 1
    assert capfd.readouterr() == ("", "")
    assert not caplog.records


def test_a_closed_survey_says_so(ask: Ask, make_body: Make, store: Store) -> None:
    body = make_body()
    assert ask("POST", "/report", body)[0] == 201
    store.close_survey()
    assert _code(ask("POST", "/report", make_body())) == (410, "closed")
    assert ask("POST", "/report", body)[0] == 200
    assert ask("GET", "/")[0] == 200
    assert json.loads(ask("GET", "/report")[2])["open"] is False


def test_whoever_asks_is_told_which_form_is_taken_and_nothing_of_who_asks(
    ask: Ask, make_body: Make, affairs_form: Form
) -> None:
    before = ask("GET", "/report")
    assert json.loads(before[2]) == {"form": affairs_form.fingerprint, "open": True}
    assert before[1]["access-control-allow-origin"] == "*"
    ask("POST", "/report", make_body())
    after = ask("GET", "/report?invited=me", headers={"origin": "null", "cookie": "a=b"})
    same = [
        {name: value for name, value in item[1].items() if name != "date"}
        for item in (before, after)
    ]
    assert (after[0], after[2], same[1]) == (200, before[2], same[0])


def test_a_survey_that_was_closed_before_says_so_at_the_door(
    store: Store, affairs_form: Form
) -> None:
    store.close_survey()
    with serving(create_app(affairs_form, PAGE, HEADERS, "ab" * 32, store)) as url:
        line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
        line.request("GET", "/report")
        assert json.loads(line.getresponse().read())["open"] is False
        line.close()


@pytest.mark.parametrize(
    ("wrong", "code", "wait"),
    [
        (OSError(5, "input/output error"), "disk-error", "60"),
        (OSError(28, "no space left"), "disk-full", "60"),
        (OSError(30, "read-only file system"), "read-only", "60"),
        (RuntimeError("a lock"), "busy", "2"),
    ],
    ids=str,
)
def test_a_disk_that_does_not_write_is_named_and_asks_to_come_back(
    wrong: Exception,
    code: str,
    wait: str,
    ask: Ask,
    make_body: Make,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(self: object, batch: object) -> None:
        raise wrong

    with monkeypatch.context() as broken:
        broken.setattr(type(store), "append", fail)
        body = make_body()
        reply = ask("POST", "/report", body)
        assert _code(reply) == (503, code)
        assert reply[1]["retry-after"] == wait
    assert ask("POST", "/report", body)[0] == 201


def test_a_fault_of_the_collector_is_logged_by_its_place_alone(
    ask: Ask,
    make_body: Make,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def fail(spelling: bytes) -> None:
        raise KeyError(spelling)

    body = make_body()
    with monkeypatch.context() as broken:
        broken.setattr(json, "loads", fail)
        reply = ask("POST", "/report", body)
    assert (_code(reply), json.loads(reply[2])["error"]["message"]) == (
        (500, "failed"),
        "the collector failed",
    )
    (result,) = caplog.messages
    assert re.fullmatch(
        r"a report was not taken in: KeyError at tests\.collect\.test_app:\d+ \[unforeseen\]",
        result,
    )
    assert caplog.records[0].exc_info is None
    assert capfd.readouterr() == ("", "")
    assert ask("POST", "/report", body)[0] == 201


@pytest.mark.parametrize(
    ("break_it", "mend_it", "code"),
    [
        ("PRAGMA max_page_count = 1", "PRAGMA max_page_count = 100000", "disk-full"),
        ("PRAGMA query_only = 1", "PRAGMA query_only = 0", "read-only"),
    ],
)
def test_what_sqlite_says_of_the_disk_is_told(
    break_it: str,
    mend_it: str,
    code: str,
    ask: Ask,
    make_body: Make,
    store: Store,
    caplog: pytest.LogCaptureFixture,
) -> None:
    connection = store.connection  # type: ignore[attr-defined]
    connection.execute(break_it).fetchall()
    remaining, result = 0, (201, "")
    while result[0] == 201 and remaining < 500:
        reply = ask("POST", "/report", make_body())
        remaining += reply[0] == 201
        result = (201, "") if reply[0] == 201 else _code(reply)
    assert result == (503, code)
    assert "the collector" in json.loads(reply[2])["error"]["message"]
    assert "not written: the collector" in caplog.text
    connection.execute(mend_it).fetchall()
    assert ask("POST", "/report", make_body())[0] == 201
    assert store.count() == remaining + 1


@pytest.mark.long
def test_ten_thousand_random_bodies_change_nothing(
    ask: Ask,
    make_body: Make,
    affairs_form: Form,
    store: Store,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    chance = random.Random(1)
    good = make_body()
    assert ask("POST", "/report", good)[0] == 201
    with caplog.at_level(logging.INFO):
        for _ in range(10_000):
            size = chance.choice([affairs_form.size, affairs_form.size, chance.randrange(600)])
            body = chance.choice([chance.randbytes(size), _spoilt(chance, good)])
            status, _, replies = ask("POST", "/report", body)
            assert 400 <= status < 500 or replies.startswith(b'{"accepted":true')
    assert ask("POST", "/report", good)[0] == 200
    for _, answers in store.reports():
        assert set(json.loads(answers)) == {q.name for q in affairs_form.questions}
    assert capfd.readouterr() == ("", "")
    assert not caplog.records


def _spoilt(chance: random.Random, good: bytes) -> bytes:
    start = chance.randrange(len(good))
    end = min(len(good), start + chance.randrange(1, 9))
    return good[:start] + chance.randbytes(end - start) + good[end:]
