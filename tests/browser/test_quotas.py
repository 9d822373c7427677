"""Quotas in the browser: whoever is of a full group is told at once, and nothing is sent."""

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
FULL = "Enough people like you have taken part"


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
    someone.practise()
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
    someone.practise()
    someone.answer(FEMALE)
    assert someone.page.locator(".card").count() == 1


def test_all_are_told_the_same_at_the_door(person, full):
    asked = []
    for answer in (FEMALE, MALE):
        someone = begin(person, full.url)
        someone.answer(answer)
        (request,) = (one for one in someone.sent if "report" in one.url)
        headers = {name: value for name, value in request.headers.items() if name != "user-agent"}
        asked.append((request.method, request.url, headers, request.response().text()))
    assert asked[0] == asked[1]
    assert json.loads(asked[0][3])["full"] == [[0, FEMALE]]
