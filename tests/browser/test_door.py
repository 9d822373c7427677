"""At the door: a survey that takes no answers says so before it asks, and names a contact."""

import copy
import re
import socket

import pytest

from askance_collect.collect import open_store
from askance_collect.respond import render_page
from askance_collect.wire import Form

CONTACT = "Write to study@example.org"


@pytest.fixture
def marriage(forms):
    document = copy.deepcopy(forms["marriage"].document)
    tags = forms["marriage"].languages
    return Form.read(document | {"contact": dict.fromkeys(tags, CONTACT)})


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


def saved_page(form, port, folder):
    """Save the page of a form whose collector is to be found at a port of this machine."""
    remote = {"askance": "form-2", "saved": True, "collector": f"http://127.0.0.1:{port}/"}
    home = Form.read(form.document | remote)
    path = folder / "survey.html"
    path.write_bytes(render_page(home).bytes)
    return home, path.as_uri()


def turned_away(someone, words):
    """Wait until the page says so, with a contact and without anything to answer."""
    someone.page.get_by_role("heading", name=words, level=1).wait_for()
    assert CONTACT in someone.page.locator("#contact").inner_text()
    assert someone.page.locator("main button, main input").count() == 0
    assert someone.posts() == []
    assert someone.storage() == {}


def test_a_closed_survey_asks_nothing(collect, marriage, person, tmp_path):
    store = open_store(tmp_path / f"{marriage.fingerprint[:8]}.db", marriage)
    store.close_survey()
    store.close()
    someone = person(collect(marriage).url)
    turned_away(someone, "This survey has closed")
    german = Form.read(in_german(marriage.document))
    store = open_store(tmp_path / f"{german.fingerprint[:8]}.db", german)
    store.close_survey()
    store.close()
    turned_away(person(collect(german).url, language="de"), "Diese Umfrage ist beendet")


def in_german(part):
    if isinstance(part, list):
        return [in_german(item) for item in part]
    if not isinstance(part, dict):
        return "de" if part == "en" else part
    return {"de" if key == "en" else key: in_german(value) for key, value in part.items()}


def test_a_saved_page_of_other_questions_says_that_the_survey_has_changed(
    collect, forms, marriage, person, tmp_path
):
    port = free_port()
    _, page = saved_page(marriage, port, tmp_path)
    collect(forms["money"], port=port)
    turned_away(person(page), "This survey has changed")


def test_a_collector_that_does_not_know_the_survey_says_so(collect, marriage, person):
    url = collect(marriage).url
    someone = person("about:blank", opened=False)
    # An address below a running collector's, such as a folder that was moved away.
    reply = someone.page.request.get(f"{url}elsewhere/report")
    assert reply.status == 404
    someone.page.route("**/report", lambda route: route.fulfill(response=reply))
    someone.open(url)
    turned_away(someone, "Nobody takes answers here")


@pytest.mark.parametrize(
    "reply",
    [
        {"status": 503, "body": '{"error":{"code":"busy","message":""}}'},
        {"status": 405, "body": '{"error":{"code":"method","message":""}}'},
        {"status": 502, "body": "<html><head><title>502 Bad Gateway</title></head></html>"},
        {"status": 429, "body": "<html><head><title>429</title></head></html>"},
        {"status": 404, "body": '{"message":"no Route matched with those values"}'},
    ],
)
def test_what_is_no_word_of_the_collector_turns_nobody_away(collect, marriage, person, reply):
    """A busy or an older collector, a proxy in an outage or with too many at once."""
    url = collect(marriage).url
    someone = person("about:blank", opened=False)
    someone.page.route("**/report", lambda route: route.fulfill(**reply))
    someone.open(url)
    someone.page.get_by_text("The collector did not answer").wait_for()
    someone.consent()
    assert someone.heading() == "A practice question"


@pytest.mark.parametrize(
    "reply",
    [
        {"status": 200, "body": "<!DOCTYPE html><title>Hotel</title>"},
        {"status": 403, "body": "<!DOCTYPE html><title>Forbidden</title>"},
        {"status": 404, "body": "<html><head><title>404 Not Found</title></head></html>"},
    ],
)
def test_an_address_where_something_else_answers_asks_nothing(collect, marriage, person, reply):
    """As where a proxy has `location = /survey` without a slash, or a network wants a sign-in."""
    url = collect(marriage).url
    someone = person("about:blank", opened=False)
    someone.page.route("**/report", lambda route: route.fulfill(**reply))
    someone.open(url)
    turned_away(someone, "Nobody takes answers here")
    someone.page.get_by_text("Is the address complete?").wait_for()


PROXY = """
events {{ worker_connections 64; }}
http {{
    access_log off;
    proxy_set_header Host $http_host;
    server {{
        listen 127.0.0.1:{port};
        location / {{ return 404; }}
        location {location} {{ proxy_pass {upstream}; }}
    }}
}}
"""


@pytest.mark.parametrize(("location", "path"), [("= /survey", "survey"), ("/survey/", "survey/")])
def test_a_page_behind_nginx_asks_nothing_where_its_reports_would_be_lost(
    collect, marriage, person, run_nginx, tmp_path, location, path
):
    """Without its slash `location = /survey` hands on the page alone, and no report."""
    collector, port = collect(marriage), free_port()
    settings = PROXY.format(port=port, location=location, upstream=collector.url)
    with run_nginx(tmp_path, settings):
        someone = person(f"http://127.0.0.1:{port}/{path}")
        if path.endswith("/"):
            someone.take(0, 0, 0, 0)
            someone.send()
        else:
            turned_away(someone, "Nobody takes answers here")
    assert len(collector.reports()) == path.count("/")


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ({"status": 200, "body": "<!DOCTYPE html><title>Hotel</title>"}, "refused on the way"),
        ({"status": 403, "body": "<!DOCTYPE html><title>No</title>"}, "refused on the way"),
        ({"status": 429, "body": "<!DOCTYPE html><title>Slow</title>"}, "collector is busy"),
    ],
)
def test_what_turns_a_message_back_on_the_way_has_words_of_its_own(
    collect, marriage, person, reply, words
):
    collector = collect(marriage)
    someone = person(collector.url)
    someone.take(0, 0, 0, 0)
    someone.page.route("**/report", lambda route: route.fulfill(**reply))
    someone.proceed()
    someone.page.get_by_text(words).wait_for()
    someone.page.unroute("**/report")
    someone.send()
    assert len(collector.reports()) == 1


def test_a_saved_page_works_offline_and_says_what_it_cannot_know(
    collect, marriage, person, tmp_path
):
    port = free_port()
    home, page = saved_page(marriage, port, tmp_path)
    someone = person(page)
    someone.page.get_by_text("cannot tell whether the survey is still open").wait_for()
    someone.take(0, 0, 0, 0)
    someone.proceed()
    someone.page.get_by_role("button", name="Send again").wait_for()
    collector = collect(home, port=port)
    someone.send()
    assert len(collector.reports()) == 1


def test_what_is_asked_at_the_door_tells_nothing_of_who_asks(collect, marriage, person):
    """From two people who were invited by different links, answered or not: the same request."""
    url = collect(marriage).url
    questions = []
    for link, answers in (("?a=1#b", ()), ("", (0, 1, 0, 1))):
        someone = person(f"{url}{link}")
        if answers:
            someone.take(*answers)
            someone.page.reload()
            someone.page.wait_for_selector("h1")
        doors = [item for item in someone.sent if item.url.endswith("report")]
        result = [
            (door.method, door.url, door.post_data, clean(door.all_headers())) for door in doors
        ]
        questions += result
    assert len(questions) == 3
    assert questions[0] == questions[1] == questions[2]
    assert not {"cookie", "referer", "authorization"} & set(questions[0][3])


def clean(headers):
    """Leave out what a reload adds by itself."""
    return {
        name: value for name, value in headers.items() if name not in ("cache-control", "pragma")
    }


def test_what_was_bound_can_still_be_sent_to_a_closed_survey(collect, marriage, person):
    """A report that arrived, but whose receipt was lost, is acknowledged again."""
    url = collect(marriage).url
    someone = person(url)
    someone.take(0, 0, 0, 0)
    someone.page.route(
        "**/report",
        lambda route: (
            route.continue_()
            if route.request.method == "POST"
            else route.fulfill(
                json={"open": False, "form": marriage.fingerprint}, content_type="application/json"
            )
        ),
    )
    with someone.page.expect_response("**/report"):
        someone.page.reload()
    someone.page.wait_for_timeout(100)
    assert someone.heading() != "This survey has closed"


def test_the_contact_stands_on_every_screen(collect, marriage, person):
    someone = person(collect(marriage).url)
    observed = []
    for name in someone.screens(0, 0, 0, 0):
        assert someone.page.locator("#contact").text_content().endswith(CONTACT), name
        observed.append(name)
    assert {"consent", "card", "review", "receipt"} <= set(observed)


def test_where_there_is_no_contact_no_heading_waits_for_one(chromium, collect, marriage, person):
    document = marriage.document
    form = Form.read(document | {"contact": dict.fromkeys(document["languages"], "")})
    url = collect(form).url
    assert not person(url).page.locator("#contact").is_visible()
    without = chromium.new_context(java_script_enabled=False).new_page()
    without.goto(url)
    without.locator("noscript p").wait_for()
    assert not without.locator("#contact").is_visible()
    without.context.close()


def test_without_scripts_the_contact_is_told(chromium, collect, marriage):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(collect(marriage).url)
    page.locator("#contact").wait_for()
    assert re.search("needs JavaScript.*contact above", page.locator("main").inner_text())
    page.wait_for_timeout(2100)
    assert page.locator("#contact").inner_text() == CONTACT
    assert page.locator("#contact").is_visible()
    context.close()


CONTACT_LINES = f"Questions, complaints, withdrawal\n\n{CONTACT}"


@pytest.mark.parametrize(
    ("script", "result"),
    [
        ("Object.defineProperty(crypto, 'getRandomValues', {value: undefined})", CONTACT_LINES),
        ("crypto.subtle.digest = () => Promise.resolve(new ArrayBuffer(32))", None),
    ],
    ids=["no chance", "changed"],
)
def test_a_page_that_cannot_be_used_names_the_contact_unless_that_may_be_changed_too(
    collect, marriage, person, script, result
):
    someone = person(collect(marriage).url, script=script)
    assert someone.heading() == "This page cannot be used"
    contact = someone.page.locator("#contact")
    assert (contact.inner_text() if contact.count() else None) == result
