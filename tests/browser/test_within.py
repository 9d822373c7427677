"""The survey's page within another one: who may have it in a frame, and what they hear of it."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from askance.survey import parse_survey, publish
from askance_collect.collect import open_store

SURVEY = """
askance = "survey-1"
title = "Tea"
consent = "Say it or leave."
{ending}
[[question]]
name = "tea"
text = "Do you drink tea?"
answers = ["yes", "no"]
mechanism = {{ name = "warner", truth = "3/4" }}
"""
HOST = """<!DOCTYPE html><title>Study</title>
<script>
heard = [];
addEventListener("message", ({{ data, origin }}) => heard.push([data, origin]));
</script>
<button onclick="window.open('{url}')">Take the survey</button><iframe src="{url}"></iframe>"""


class Around(BaseHTTPRequestHandler):
    """The page around, which is all that its server has."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.server.body)

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def host(collect, person, tmp_path):
    """Open a page around a survey, which has an ending or none, and may be closed."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Around) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        origin = f"http://localhost:{server.server_port}"

        def seat(ending, *, closed=False):
            form = publish(parse_survey(SURVEY.format(ending=ending(origin)).encode()))
            if closed:
                store = open_store(tmp_path / f"{form.fingerprint[:8]}.db", form)
                store.close_survey()
                store.close()
            collector = collect(form)
            server.body = HOST.format(url=collector.url).encode()
            someone = person(origin, opened=False)
            someone.page.goto(origin)
            return collector, someone

        yield seat
        server.shutdown()


def within(origin):
    return f'[ending]\nwithin = ["{origin}"]'


def opened(someone, seat):
    """Press the button that opens the survey in a window of its own, and sit down there."""
    with someone.page.expect_popup() as popup:
        someone.page.get_by_role("button").click()
    seat_result = seat(popup.value)
    seat_result.page.wait_for_selector("h1")
    return seat_result


def test_who_opened_it_hears_that_it_is_sent_and_nothing_of_the_report(host, seated):
    collector, someone = host(within)
    opened_result = opened(someone, seated)
    opened_result.take(0)
    opened_result.send()
    facts = opened_result.page.locator(".receipt dd").all_text_contents()[:2]
    message = {"askance": "ended", "form": collector.form.fingerprint, "sent": True}
    value = someone.page.evaluate("heard")
    assert value == [[message, collector.url.rstrip("/")]]
    assert not any(fact in json.dumps(value) for fact in facts)


def test_a_frame_shows_it_where_its_survey_says_so(host):
    collector, someone = host(within, closed=True)
    frame = someone.page.frame_locator("iframe")
    frame.get_by_role("heading", name="This survey has closed").wait_for()
    message = {"askance": "ended", "form": collector.form.fingerprint, "sent": False}
    assert [data for data, _ in someone.page.evaluate("heard")] == [message]


@pytest.mark.parametrize(
    ("ending", "opener"),
    [
        (lambda _: within("https://elsewhere.example"), True),
        (lambda _: '[ending]\ncode = "C1"', False),
        (lambda _: "", False),
    ],
)
def test_nobody_else_has_it_in_a_frame_or_hears_of_it(host, seated, ending, opener):
    _, someone = host(ending, closed=True)
    opened_result = opened(someone, seated)
    opened_result.page.get_by_role("heading", name="This survey has closed").wait_for()
    assert opened_result.page.evaluate("window.opener !== null") is opener
    assert someone.page.evaluate("heard") == []
    assert someone.page.frames[1].query_selector("#main") is None
