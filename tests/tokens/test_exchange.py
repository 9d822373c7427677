"""The desk: what it is asked, what it says, and that no answer repeats a code."""

import json
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from askance_collect.collect import serving
from askance_collect.respond import blind
from askance_collect.tokens import create_exchange
from askance_collect.wire import from_base64url, to_base64url


@pytest.fixture(scope="module")
def desk(issuer):
    with serving(create_exchange(issuer)) as address:
        yield urlsplit(address)


def ask(desk, body, method="POST", path="/sign", headers=None):
    line = HTTPConnection(desk.hostname, desk.port, timeout=20)
    try:
        line.request(method, path, body, headers or {"content-type": "text/plain"})
        reply = line.getresponse()
        raw = reply.read()
        return reply.status, json.loads(raw) if raw else None, dict(reply.getheaders())
    finally:
        line.close()


def request_body(code, message):
    return json.dumps({"blinded": to_base64url(message), "code": code})


def test_a_code_is_exchanged_once(desk, issuer, form):
    (code,) = issuer.invite(1, "north")
    waiting = blind(form)
    status, replies, headers = ask(desk, request_body(code, waiting.message))
    assert status == 200
    assert waiting.token(from_base64url(replies["signature"])).key == 0
    assert headers["access-control-allow-origin"] == "*"
    assert headers["cache-control"] == "no-store, no-transform"
    assert "set-cookie" not in {name.lower() for name in headers}
    again = ask(desk, request_body(code, waiting.message))
    assert again[:2] == (200, replies)
    status, replies, _ = ask(desk, request_body(code, blind(form).message))
    assert (status, replies["error"]["code"]) == (409, "exchanged")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("", 400, "shape"),
        ("[]", 400, "shape"),
        ("{", 400, "shape"),
        ("[" * 4000, 400, "shape"),
        ('{"blinded":"AAAA","blinded":"AAAA","code":"x"}', 400, "shape"),
        ('{"blinded":"AAAA","code":"x","more":1}', 400, "shape"),
        ('{"blinded":"A+==","code":"x"}', 400, "shape"),
        ('{"blinded":5,"code":"x"}', 400, "shape"),
        ('{"blinded":"AAAA","code":5}', 400, "shape"),
        (b"\xff\xfe", 400, "shape"),
        ('{"blinded":"AAAA","code":"x"}', 404, "unknown"),
        ('{"blinded":"AAAA","code":"0000000000000000"}', 422, "wrong"),
        ("x" * 5000, 413, "size"),
    ],
)
def test_anything_else_is_refused_in_a_word(desk, body, status, code):
    result, replies, _ = ask(desk, body)
    assert (result, replies["error"]["code"]) == (status, code)
    assert "0000000000000000" not in replies["error"]["message"]


def test_there_is_nothing_else_at_this_address(desk):
    assert ask(desk, None, "GET", "/")[:2] == (200, {"issuer": "askance"})
    for method, path, status in [
        ("GET", "/sign", 405),
        ("POST", "/", 405),
        ("GET", "/report", 404),
        ("POST", "/report", 404),
        ("GET", "/codes", 404),
    ]:
        result, replies, headers = ask(desk, "{}" if method == "POST" else None, method, path)
        assert result == status, path
        assert replies["error"]["code"] in ("not-found", "method")
        assert headers["access-control-allow-origin"] == "*"
