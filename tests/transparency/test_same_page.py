"""What differs between a page and the one that its form makes is told, where it stands first."""

import json
import re
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.survey import load_survey, publish
from askance.transparency import compare_page, verify_page
from askance_collect.collect import create_app, open_store, serving
from askance_collect.errors import DocumentError, InputError
from askance_collect.respond import render_frame, render_page
from askance_collect.wire import Form

FORM = publish(load_survey(Path(__file__).parents[2] / "examples/affairs.toml"))
PAGE = render_page(FORM)
BUILT = f"Askance {version('askance')}".encode()


@contextmanager
def host(files):
    """Serve (headers, body) by path, as any host may."""

    class Desk(BaseHTTPRequestHandler):
        def do_GET(self):
            headers, body = files.get(self.path, ([], None))
            self.send_response_only(200 if body is not None else 404)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("content-length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Desk) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


def verify_served(reports, body=PAGE.bytes, **how):
    with host({"/": (reports, body)}) as address:
        return verify_page(FORM, address, seconds=10.0, **how)


def altered(old, new):
    assert PAGE.bytes.count(old) >= 1, old
    return PAGE.bytes.replace(old, new, 1)


@pytest.mark.long
def test_a_collectors_page_is_the_same(tmp_path):
    store = open_store(tmp_path / "a.db", FORM)
    app = create_app(FORM, PAGE.bytes, PAGE.headers, PAGE.sha256, store)
    with serving(app) as address:
        for client in ("firefox", "chromium", "curl"):
            verdict = verify_page(FORM, address, client=client, seconds=10.0)
            assert (verdict.outcome, verdict.differences) == ("same", ())
            assert verdict.sha256 == PAGE.sha256
    store.close()


def test_a_file_is_the_same(tmp_path):
    (tmp_path / "a.html").write_bytes(PAGE.bytes)
    assert verify_page(FORM, str(tmp_path / "a.html")).outcome == "same"
    with pytest.raises(DocumentError, match=r"nowhere\.html"):
        verify_page(FORM, str(tmp_path / "nowhere.html"))


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        (b"default-src 'none'", b"default-src 'self'", "the content security policy"),
        (BUILT, BUILT.lower(), "the name of the version"),
        (b"<title>", b"<title>x", "the title"),
        (b"box-sizing", b"bix-sizing", "the style"),
        (b'proceed:"', b'proceed:"x', "the page's words (en)"),
        (b'"questions":[', b'"questions":[ ', "the form"),
        (b'start("', b'stort("', "the script"),
        (b"noindex", b"index", "the frame of the page"),
    ],
)
def test_the_first_difference_is_named_by_its_part(old, new, part):
    verdict = compare_page(altered(old, new), FORM)
    assert verdict.outcome == "different"
    assert verdict.differences[0].startswith(f"{part}, line ")


def test_the_first_difference_is_told_by_line_and_column_and_shown():
    altered_result = altered(b"Continue", b"Contimue")
    position = PAGE.bytes.index(b"Continue") + 5
    line = PAGE.bytes[:position].count(b"\n") + 1
    column = len(PAGE.bytes[PAGE.bytes.rindex(b"\n", 0, position) + 1 : position].decode()) + 1
    (result,) = compare_page(altered_result, FORM).differences
    first, observed, right, mark = result.split("\n")
    assert first == f"the page's words (en), line {line}, column {column}"
    assert "Contimue" in observed
    assert "Continue" in right
    assert (observed[mark.index("^")], right[mark.index("^")]) == ("m", "n")
    assert max(map(len, (first, observed, right, mark))) <= 78


def test_a_page_cut_short_or_gone_on_is_told():
    (short,) = compare_page(PAGE.bytes[:-9], FORM).differences
    assert "ends 9 bytes too soon" in short
    (long,) = compare_page(PAGE.bytes + b"<script>", FORM).differences
    assert "behind the end of the page: 8 bytes more" in long
    assert compare_page(b"", FORM).outcome == "different"


def test_what_a_terminal_would_obey_is_spelt_out():
    result = compare_page(altered(b"<title>", b"<title>\x1b[2J\xe2\x80\xae"), FORM).differences
    assert "\\u001b[2J\\u202e" in result[0]
    assert all(item.isprintable() or item == "\n" for item in result[0])


def test_another_form_is_told_by_its_path():
    document = json.loads(FORM.bytes)
    document["questions"][1]["table"]["rows"][0][0] -= 1
    document["questions"][1]["table"]["rows"][0][1] += 1
    other = render_page(Form.read(document)).bytes
    verdict = compare_page(other, FORM)
    assert verdict.outcome == "different"
    (result,) = (
        difference for difference in verdict.differences if difference.startswith("the form\n")
    )
    assert "\n  first in questions[1].table.rows[0][0]\n  got       " in result
    assert f"\n  should be {FORM.fingerprint}\n" in result
    assert max(map(len, result.split("\n"))) <= 78
    assert verdict.differences[-1] == (
        "what differs: the content security policy, the form, the script"
    )


@pytest.mark.parametrize(
    ("inside", "word"),
    [(b"{", "no JSON"), (b"[" * 9000, "no JSON"), (b"[]", "its root"), (b"null", "its root")],
)
def test_what_is_no_form_is_told(inside, word):
    text = re.sub(
        rb'id="form">.*?</script>', lambda _: b'id="form">' + inside + b"</script>", PAGE.bytes
    )
    assert any(word in difference for difference in compare_page(text, FORM).differences)
    without = PAGE.bytes.replace(b'id="form"', b'id="farm"')
    assert "the form: the page has none" in compare_page(without, FORM).differences


def test_another_version_is_told_and_nothing_more_is_claimed():
    verdict = compare_page(altered(BUILT, b"Askance 9.9.9"), FORM)
    assert verdict.outcome == "another version"
    assert "askance==9.9.9" in verdict.differences[0]
    text = altered(BUILT, b"Askance 9.9.9").replace(b'"questions":[', b'"questions":[ ')
    assert compare_page(text, FORM).outcome == "different"
    assert compare_page(altered(BUILT, b"Askance 9<x>"), FORM).outcome == "different"


def test_what_is_printed_is_checked():
    for right in (FORM.fingerprint, PAGE.sha256, PAGE.sha256.upper()):
        assert compare_page(PAGE.bytes, FORM, printed=[right]).outcome == "same"
    verdict = compare_page(PAGE.bytes, FORM, printed=[FORM.fingerprint, "00" * 32])
    assert verdict.outcome == "different"
    assert len(verdict.differences) == 1
    assert verdict.differences[0].startswith(f"printed {'00' * 32}: neither ")


@pytest.mark.long
@settings(max_examples=40)
@given(st.data())
def test_no_changed_byte_goes_unseen(data):
    drawn_value = data.draw(st.integers(0, len(PAGE.bytes) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda item: item != PAGE.bytes[drawn_value]))
    received = PAGE.bytes[:drawn_value] + bytes([byte]) + PAGE.bytes[drawn_value + 1 :]
    verdict = compare_page(received, FORM)
    assert verdict.outcome in ("different", "another version")
    line = PAGE.bytes[:drawn_value].count(b"\n") + 1
    assert verdict.outcome == "another version" or f"line {line}, column " in verdict.differences[0]


@pytest.mark.long
def test_headers_of_a_collector_are_wanted():
    headers = list(PAGE.headers.items())
    assert verify_served(headers).outcome == "same"
    for name, value in headers:
        without = [header for header in headers if header[0] != name]
        verdict = verify_served(without)
        assert verdict.outcome == "different"
        kind = "content-type: got 'nothing'" if name == "content-type" else f"{name}: not sent"
        assert verdict.differences[0].startswith(f"header {kind}")
        assert verify_served([*without, (name, f"{value} x")]).outcome == "different"
        assert verify_served([*headers, (name, value)]).outcome == "different", name


@pytest.mark.parametrize(
    "header",
    [
        ("Set-Cookie", "id=1"),
        ("Refresh", "0; url=https://elsewhere.example/"),
        ("Link", "<https://elsewhere.example/a.css>; rel=stylesheet"),
        ("NEL", "{}"),
        ("Content-Security-Policy-Report-Only", "default-src 'none'; report-uri /a"),
    ],
)
def test_headers_that_lead_elsewhere_are_told_of_any_host(header):
    for plain in (False, True):
        verdict = verify_served([*PAGE.headers.items(), header], headers=not plain)
        assert verdict.outcome == "different"
        assert "it should not be there" in verdict.differences[0]


def test_a_plain_host_may_send_no_headers_but_no_other_charset():
    assert verify_served([("content-type", "text/html")], headers=False).outcome == "same"
    assert (
        verify_served([("content-type", "text/html; charset=UTF-8")], headers=False).outcome
        == "same"
    )
    for kind in ("text/html; charset=utf-16", "text/plain", "application/xhtml+xml"):
        assert verify_served([("content-type", kind)], headers=False).outcome == "different"
    assert verify_served([], headers=False).outcome == "different"
    assert verify_served([("content-type", "text/html")]).outcome == "different"


def test_what_leads_elsewhere_differs_and_what_is_not_there_is_unreachable():
    assert verify_served([], None).outcome == "unreachable"
    with pytest.raises(InputError):
        verify_page(FORM, "ftp://example.org/")


def test_where_headers_part_is_shown_however_long_they_are():
    policy = PAGE.headers["content-security-policy"]
    reports = dict(PAGE.headers) | {
        "content-security-policy": policy.replace("frame-ance", "frame-unce")
    }
    (result,) = verify_served(reports.items()).differences
    name, received, right, mark = result.split("\n")
    assert name == "header content-security-policy"
    assert (received[mark.index("^")], right[mark.index("^")]) == ("u", "a")


def test_files_beside_a_tablets_page_are_compared():
    survey = Path(__file__).parents[2] / "examples/affairs.toml"
    form = Form.read({**publish(load_survey(survey)).document, "askance": "form-2", "tablet": True})
    page = render_page(form)
    files = {"/": (page.headers.items(), page.bytes)}
    files |= {
        f"/{name}": (result.items(), body) for name, (body, result) in page.companions.items()
    }
    with host(files) as address:
        assert verify_page(form, address, seconds=10.0).outcome == "same"
    files["/worker.js"] = (files["/worker.js"][0], files["/worker.js"][1] + b" ")
    with host(files) as address:
        verdict = verify_page(form, address, seconds=10.0)
    assert (verdict.outcome, len(verdict.differences)) == ("different", 1)
    assert verdict.differences[0].startswith("worker.js: ")


FRAME = render_frame(FORM)


def framed(body=FRAME.bytes, headers=FRAME.headers, **how):
    """Verify a collector's page that has a frame beside it."""
    files = {"/": (PAGE.headers.items(), PAGE.bytes), "/frame": (headers.items(), body)}
    with host(files) as address:
        return verify_page(FORM, address + how.pop("path", ""), seconds=10.0, **how)


def test_a_changed_frame_beside_the_page_is_found():
    """The twin that looks at the page alone finds nothing."""
    changed = FRAME.bytes.replace(b"noindex", b"noimdex")
    assert framed().outcome == "same"
    verdict = framed(changed)
    assert verdict.outcome == "different"
    assert [difference.split(",")[0] for difference in verdict.differences] == [
        "frame: the frame of the page"
    ]
    assert verify_served(PAGE.headers.items()).outcome == "same"  # no frame there
    opened = dict(FRAME.headers) | {"content-security-policy": "frame-ancestors *"}
    (result,) = framed(headers=opened).differences
    assert result.startswith("frame: header content-security-policy")
    assert compare_page(PAGE.bytes, FORM).outcome == "same"


def test_a_frame_by_itself_is_compared():
    changed = FRAME.bytes.replace(b'"rows":[[', b'"rows":[[1')
    assert changed != FRAME.bytes
    assert framed(path="frame", frame=True).outcome == "same"
    verdict = framed(changed, path="frame", frame=True)
    assert verdict.outcome == "different"
    assert any(difference.startswith("the form") for difference in verdict.differences)
    assert framed(path="frame").outcome == "different"  # a frame is no page
    assert compare_page(FRAME.bytes, FORM, frame=True, printed=[FRAME.sha256]).outcome == "same"
    assert compare_page(PAGE.bytes, FORM, frame=True).outcome == "different"
