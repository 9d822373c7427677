"""A pinned page: what was opened first stays, whatever lies at its address later.

Twenty swaps here, a thousand by `make swaps`.
"""

import os
from contextlib import contextmanager

import pytest
from swapper import Answer, canary, operating, swaps
from test_access import SMALL

from askance_collect.respond import render_page
from askance_collect.wire import Form

SWAPS = int(os.environ.get("SWAPS", "20"))
ANSWERS = (1, 0, 2, 0)
TITLE = "Marriage and faith"
KEPT = "This browser keeps this page until you are done"
CHANGED = "Another page lies at this address now."
LEFT = """async () => [
  (await navigator.serviceWorker.getRegistrations()).length, await caches.keys(),
]"""
TAKES_OVER = """
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  await self.clients.claim();
  await fetch("{home}canary?worker", {mode: "no-cors"});
  for (const one of await self.clients.matchAll()) await one.navigate("{home}canary?taken");
})()));
self.addEventListener("fetch", (event) => event.respondWith(fetch("{home}canary?fetched")));
"""
"""A worker that takes an open page over as soon as a browser takes it up."""


@pytest.fixture(scope="module")
def form(forms):
    return Form.read(forms["marriage"].document | {"askance": "form-2", "pin": True})


def kept(someone):
    someone.page.get_by_text(KEPT).wait_for()


def opened(someone):
    """Wait for the page that was opened first, and see that it says that another one lies there."""
    someone.page.get_by_role("heading", name=TITLE).wait_for()
    someone.page.get_by_text(CHANGED).wait_for()


@contextmanager
def operated(form):
    """Have an operator serve a form's page with what lies beside it."""
    published = {}
    with operating(published) as operator:
        page = render_page(form)
        published["/"] = Answer(kind="published", body=page.bytes, headers=dict(page.headers))
        published["/report"] = Answer(kind="report", body=b"{}")
        for name, (body, headers) in page.companions.items():
            published[f"/{name}"] = Answer(kind=name, body=body, headers=dict(headers))
        yield operator


def swapped_worker(home):
    body = TAKES_OVER.replace("{home}", home).encode()
    result = {"content-type": "text/javascript", "cache-control": "no-store"}
    return Answer(kind="worker", body=body, headers=result)


def test_whoever_answers_at_once_sees_that_it_is_kept_and_then_nothing_is_left(
    collect, form, person
):
    collector = collect(form)
    someone = person(collector.url)
    kept(someone)
    someone.take(*ANSWERS)
    someone.send()
    assert len(collector.reports()) == 1
    someone.page.wait_for_function("async () => (await caches.keys()).length === 0")
    someone.page.reload()
    someone.page.wait_for_selector("h1")
    assert someone.page.evaluate(LEFT) == [0, []]
    assert someone.console == []
    assert {item.url.removeprefix(collector.url).partition("?")[0] for item in someone.sent} == {
        *("", "report", "worker.js")
    }


def test_of_many_swaps_after_the_first_load_none_runs(form, forms, person):
    with operated(form) as operator:
        someone = person(operator.home)
        kept(someone)
        page = render_page(form).bytes
        operator.answers["/worker.js"] = swapped_worker(operator.home)
        for item in swaps(page, render_page(forms["evening"]).bytes, operator.home, SWAPS):
            harmful = {"clear-site-data": '"*"', **item.headers}
            operator.answers["/"] = Answer(
                kind=item.kind,
                body=item.body,
                status=item.status,
                headers=harmful,
                length=item.length,
            )
            operator.asked.clear()
            someone.page.goto(operator.home)
            someone.page.get_by_role("heading", name=TITLE).wait_for(timeout=5000)
            someone.page.locator("#pinned").wait_for(timeout=5000)
            assert someone.page.locator("#form").text_content() == form.bytes.decode()
        assert operator.calls == []
        assert "/worker.js" in " ".join(operator.asked)


def test_the_same_swaps_run_where_nothing_is_pinned(forms, person):
    with operated(forms["marriage"]) as operator:
        someone = person(operator.home)
        page = render_page(forms["marriage"]).bytes
        ran = set()
        for item in swaps(page, b"<title>other</title>", operator.home, 8):
            operator.answers["/"] = item
            operator.calls.clear()
            someone.page.goto(operator.home)
            someone.page.wait_for_timeout(150)
            if operator.calls:
                ran.add(item.kind)
        assert {"no policy", "a script before"} <= ran


def test_a_second_answer_within_the_first_visit_is_not_kept_in_its_place(form, person):
    with operated(form) as operator:
        page = operator.published["/"]
        bad = canary(operator.home, 0)
        answers = iter([page])
        second = Answer(kind="second", body=b"<script>" + bad + b"</script>" + page.body)
        operator.answers["/"] = lambda: next(answers, second)
        someone = person(operator.home)
        someone.page.wait_for_timeout(300)
        assert operator.asked.count("/") == 2
        assert someone.page.evaluate(LEFT) == [0, []]
        assert someone.page.get_by_text(KEPT).count() == 0
        assert operator.calls == []
    with operated(form) as operator:
        operator.answers["/worker.js"] = swapped_worker(operator.home)
        someone = person(operator.home)
        someone.page.wait_for_timeout(300)
        assert someone.page.evaluate(LEFT) == [0, []]
        assert operator.calls == []


def test_who_wants_the_new_page_gets_it(form, collect, forms, person):
    with operated(form) as operator:
        someone = person(operator.home)
        kept(someone)
        new = Form.read(form.document | {"title": {"en": "Marriage, faith and tea"}})
        operator.answers["/"] = Answer(kind="new", body=render_page(new).bytes)
        someone.page.reload()
        opened(someone)
        someone.press("Open the new page")
        someone.page.get_by_role("heading", name="Marriage, faith and tea").wait_for()
        kept(someone)
        someone.page.reload()
        kept(someone)
        assert someone.page.get_by_text(CHANGED).count() == 0


def test_without_a_network_the_page_is_there(form, person):
    with operated(form) as operator:
        someone = person(operator.home)
        kept(someone)
        someone.page.context.set_offline(True)
        someone.page.reload()
        someone.page.get_by_role("heading", name=TITLE).wait_for()
        kept(someone)


def test_what_the_browser_has_erased_is_fetched_again_and_no_other_page_is(form, person):
    with operated(form) as operator:
        someone = person(operator.home)
        kept(someone)
        erase = "async () => { for (const one of await caches.keys()) await caches.delete(one); }"
        someone.page.evaluate(erase)
        someone.page.reload()
        kept(someone)
        someone.page.evaluate(erase)
        bad = b"<script>" + canary(operator.home, 0) + b"</script>"
        operator.answers["/"] = Answer(kind="other", body=bad)
        with pytest.raises(Exception, match="net::ERR_FAILED"):
            someone.page.goto(operator.home)
        assert operator.calls == []


@pytest.mark.parametrize("limit", ["a forced reload", "cleared storage"])
def test_its_limits_are_as_told(form, person, limit):
    with operated(form) as operator:
        someone = person(operator.home)
        kept(someone)
        bad = b"<script>" + canary(operator.home, 0) + b"</script>"
        operator.answers["/"] = Answer(kind="other", body=bad)
        protocol = someone.page.context.new_cdp_session(someone.page)
        if limit == "a forced reload":
            protocol.send("Page.reload", {"ignoreCache": True})
        else:
            origin = operator.home.rstrip("/")
            wiped = {"origin": origin, "storageTypes": "all"}
            protocol.send("Storage.clearDataForOrigin", wiped)
            someone.page.reload()
        someone.page.wait_for_function("document.title === 'canary'")
        assert operator.calls


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_warning_can_be_read_by_everybody(form, person, axe, language):
    with operated(form) as operator:
        someone = person(operator.home, language=language)
        kept(someone)
        operator.answers["/"] = Answer(kind="new", body=b"<!DOCTYPE html>")
        someone.page.reload()
        opened(someone)
        problems, passed = axe(someone.page)
        assert problems == []
        assert passed > 5
        assert someone.page.evaluate(SMALL) == []
        assert someone.page.locator("#pinned[role=alert]").count() == 1


def test_by_way_of_a_verifier_nothing_is_kept_and_all_goes_on(verified, form, person):
    link, collector = verified(form)
    someone = person(link)
    someone.take(*ANSWERS)
    someone.send()
    assert len(collector.reports()) == 1
    assert someone.page.evaluate(LEFT) == [0, []]
