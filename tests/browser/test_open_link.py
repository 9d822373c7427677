"""An open link in the browser: the device works before it sends, or waits, and says so."""

import asyncio
import json
import time

import pytest

import askance as ak
from askance_collect.wire import Form

SURVEY = """
askance = "survey-1"
title = "Study"
consent = "Say it or leave."
contact = "Write to study@example.org"
[open]
work = 16
rate = 1
[[question]]
name = "used"
text = "Have you ever used it?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
"""
WORKING = "Your device is working"
SLOWLY = "const now = Date.now.bind(Date); let at = 0; Date.now = () => now() + 100 * at++;"
"""A clock on which each look takes a tenth of a second, so that every slice of work is told."""


@pytest.fixture(scope="module")
def form():
    return ak.publish(ak.parse_survey(SURVEY.encode()))


@pytest.fixture
def turns(monkeypatch):
    """Make the collector's ten minutes pass at once for each thing in this list."""
    due, sleep = [], asyncio.sleep

    async def wait(_):
        while not due:
            await sleep(0.002)
        due.pop()

    monkeypatch.setattr("askance_collect.collect.rate_limit.sleep", wait)
    return due


def ready(someone):
    someone.consent()
    someone.practise()
    someone.answer(0)
    return someone


RECORD_MESSAGES = """() => {
  window.said = [];
  const note = () => window.said.push(document.querySelector(".status")?.textContent);
  const all = { childList: true, subtree: true, characterData: true };
  new MutationObserver(note).observe(document.getElementById("main"), all);
}"""


def test_everybody_is_told_then_the_device_works_and_one_stamped_report_goes_out(
    form, turns, collect, person
):
    collector = collect(form)
    someone = ready(person(collector.url, script=SLOWLY))
    text = someone.page.locator("main").inner_text()
    assert "Your device works for some seconds" in text
    assert "how many messages come from each neighbourhood" in text
    someone.page.evaluate(RECORD_MESSAGES)
    someone.send()
    ones = [item for item in someone.page.evaluate("window.said") if item]
    assert any(item.startswith(WORKING) and "of 16 parts are done" in item for item in ones)
    (post,) = someone.posts()
    assert len(post.post_data) == form.posted_size == form.size + 128
    assert len(collector.reports()) == 1
    assert not [item for item in someone.console if "Error" in item]


def test_who_comes_when_enough_have_come_from_there_waits_and_loses_nothing(
    form, turns, collect, person
):
    collector = collect(form)
    ready(person(collector.url)).send()
    late = ready(person(collector.url))
    late.page.clock.install()
    late.proceed()
    waiting = late.page.locator(".status", has_text="Yours goes out by itself")
    waiting.wait_for()
    assert "Seconds to wait: " in waiting.inner_text()
    assert late.posts() == []
    turns.append(None)
    while turns:
        time.sleep(0.002)
    late.page.clock.fast_forward(10_000)
    while not late.page.locator(".receipt").count():
        late.page.clock.run_for(1_000)
    assert len(collector.reports()) == 2


def test_a_stamp_that_came_too_late_can_be_worked_out_anew(form, turns, collect, person):
    """What the collector refuses is still here, and the same report goes out with another stamp."""
    collector = collect(form)
    someone = ready(person(collector.url))
    stale = json.dumps({"form": form.fingerprint, "open": True, "challenge": "00" * 16})
    someone.page.route(
        "**/report",
        lambda route: (
            route.fulfill(body=stale, content_type="application/json")
            if route.request.method == "GET"
            else route.continue_()
        ),
    )
    someone.proceed()
    again = someone.page.get_by_role("button", name="Send again")
    again.wait_for()
    assert "did not take the message (work)" in someone.page.locator("main").inner_text()
    assert collector.reports() == []
    someone.page.unroute("**/report")
    again.click()
    someone.page.wait_for_selector(".receipt")
    first, second = (item.post_data for item in someone.posts())
    assert first[: form.size] == second[: form.size]
    assert first != second
    assert len(collector.reports()) == 1


def test_a_pinned_page_works_for_its_report_too_and_leaves_nothing(collect, person):
    document = ak.publish(ak.parse_survey(SURVEY.replace("rate = 1", "").encode())).document
    form = Form.read(document | {"askance": "form-2", "pin": True})
    collector = collect(form)
    someone = ready(person(collector.url))
    get = someone.page.get_by_text("This browser keeps this page until you are done")
    get.wait_for(state="attached")
    someone.send()
    assert len(collector.reports()) == 1
    text = "navigator.serviceWorker.getRegistrations().then(({ length }) => length === 0)"
    someone.page.wait_for_function(text)
    assert someone.console == []
