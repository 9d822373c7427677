"""Quotas in the browser: whoever is turned away is told at once, and nothing is sent."""

import json

import pytest

import askance as ak
from askance_collect.collect import accept, open_store
from askance_collect.respond import respond

SURVEY = """
askance = "survey-1"
title = "Study"
consent = "Say it or leave."
contact = "Write to study@example.org"
[[quota]]
question = "sex"
answer = "female"
most = 1
[[question]]
name = "sex"
text = "Are you …?"
answers = ["female", "male"]
[[question]]
name = "used"
text = "Have you ever used it?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
"""
FEMALE, MALE = 0, 1
FULL = "Thank you for wanting to take part"


@pytest.fixture(scope="module")
def form():
    return ak.publish(ak.parse_survey(SURVEY.encode()))


@pytest.fixture
def full(form, collect, tmp_path):
    """Start a collector that has its one woman."""
    store = open_store(tmp_path / f"{form.fingerprint[:8]}.db", form)
    store.append([accept(respond(form, {"sex": FEMALE, "used": 0}).body(form.size), form)])
    store.close()
    return collect(form)


def begin(person, url):
    someone = person(url)
    someone.page.wait_for_load_state("networkidle")
    someone.consent()
    return someone


def test_who_is_of_a_full_group_is_told_at_once_and_sends_nothing(person, full):
    someone = begin(person, full.url)
    someone.answer(FEMALE)
    assert someone.heading() == FULL
    assert "Nothing has been sent" in someone.page.locator("main").inner_text()
    assert "study@example.org" in someone.page.locator("#contact").inner_text()
    assert someone.page.locator("main button, main input").count() == 0
    assert [request.method for request in someone.sent if "report" in request.url] == ["GET"]
    assert len(full.reports()) == 1
    assert someone.console == []


def test_others_go_on_and_whoever_changes_that_answer_is_told(person, full):
    someone = begin(person, full.url)
    someone.answer(MALE)
    someone.practise()
    assert someone.page.locator(".card").count() == 1
    someone.answer(0)
    someone.page.get_by_role("button", name="Change").first.click()
    someone.answer(FEMALE)
    assert someone.heading() == FULL


def test_whoever_cannot_be_told_goes_on(person, full):
    someone = person(full.url, opened=False)
    someone.page.route("**/report", lambda route: route.abort())
    someone.open(full.url)
    someone.consent()
    someone.answer(FEMALE)
    someone.practise()
    assert someone.page.locator(".card").count() == 1


def test_all_are_told_the_same_at_the_door(person, full):
    questions = []
    for answer in (FEMALE, MALE):
        someone = begin(person, full.url)
        someone.answer(answer)
        (request,) = (item for item in someone.sent if "report" in item.url)
        headers = {name: value for name, value in request.headers.items() if name != "user-agent"}
        questions.append((request.method, request.url, headers, request.response().text()))
    assert questions[0] == questions[1]
    assert json.loads(questions[0][3])["full"] == [[0, FEMALE]]


PANEL = """
[ending]
url = "https://panel.example/complete?who={pid}"
full = { code = "FULL", url = "https://panel.example/full?who={pid}" }
[ending.screened]
url = "https://panel.example/out?who={pid}"
thanks = "Your points are on their way."
[[quota]]
question = "sex"
answer = "male"
most = 0
[[quota]]
"""


@pytest.fixture(scope="module")
def for_panel():
    written = SURVEY.replace("[[quota]]", PANEL.strip(), 1)
    others = written.replace('["female", "male"]', '["female", "male", "neither"]')
    return ak.publish(ak.parse_survey(others.encode()))


def go_back(someone):
    with someone.page.expect_request("https://panel.example/**") as request:
        someone.press("Back to panel.example")
    return request.value.url


def test_each_outcome_leads_back_by_its_own_address(person, collect, for_panel, tmp_path):
    url = collect(for_panel).url + "#pid=7F3A"
    observed = {}
    for outcome, answer in (("out", MALE), ("complete", FEMALE), ("full", FEMALE)):
        someone = person(url)
        someone.page.route("https://panel.example/**", lambda route: route.abort())
        someone.page.wait_for_load_state("networkidle")
        someone.consent()
        assert someone.page.locator(".step").inner_text() == "Question 1 of 2"
        someone.answer(answer)
        if outcome == "complete":
            someone.practise()
            someone.choose(0)
            someone.proceed()
            someone.proceed()
            someone.page.wait_for_selector(".receipt", state="attached")
        observed[outcome] = someone.page.locator("main").inner_text()
        assert go_back(someone) == f"https://panel.example/{outcome}?who=7F3A"
    assert "Your points are on their way." in observed["out"]
    assert "another situation" in observed["out"]
    assert "already" in observed["full"]
    assert "FULL" in observed["full"]
    assert "FULL" not in observed["complete"]


def test_who_is_screened_out_is_told_without_a_collector_too(person, collect, for_panel):
    url = collect(for_panel).url
    someone = person(url, opened=False)
    someone.page.route("**/report", lambda route: route.abort())
    someone.open(url)
    someone.consent()
    someone.answer(MALE)
    assert someone.heading() == FULL
    assert "another situation" in someone.page.locator("main").inner_text()


def test_whoever_comes_when_every_group_is_full_is_led_back_too(person, collect, tmp_path):
    form = ak.publish(ak.parse_survey(SURVEY.replace("[[quota]]", PANEL.strip(), 1).encode()))
    store = open_store(tmp_path / f"{form.fingerprint[:8]}.db", form)
    store.append([accept(respond(form, {"sex": FEMALE, "used": 0}).body(form.size), form)])
    store.close()
    someone = person(collect(form).url + "#pid=7F3A")
    someone.page.route("https://panel.example/**", lambda route: route.abort())
    someone.page.get_by_role("heading", name="This survey has closed").wait_for()
    assert go_back(someone) == "https://panel.example/full?who=7F3A"
