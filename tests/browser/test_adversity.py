"""What goes wrong on the way: no network, lost replies, impatient fingers, closed surveys."""

import base64
import hashlib
import json
import sqlite3

import pytest

from askance_collect.respond import render_page

ANSWERS = (1, 0, 2, 0)


@pytest.fixture
def marriage(collect, forms):
    return collect(forms["marriage"])


@pytest.fixture
def ready(marriage, person):
    """A person who has come to the review."""
    someone = person(marriage.url)
    someone.take(*ANSWERS)
    return someone


def refuse(someone, code, status):
    reply = json.dumps({"error": {"code": code, "message": ""}})
    someone.page.route(
        "**/report",
        lambda route: route.fulfill(status=status, body=reply, content_type="application/json"),
    )


def test_a_double_click_sends_once(marriage, ready):
    ready.page.get_by_role("button", name="Send", exact=True).dblclick()
    ready.page.wait_for_selector(".receipt")
    assert len(ready.posts()) == 1
    assert len(marriage.reports()) == 1


def test_an_impatient_finger_sends_once(marriage, ready):
    with ready.on_its_way():
        ready.page.evaluate(
            "() => { for (let n = 0; n < 5; n += 1) document.querySelector('.main').click() }"
        )
        ready.page.wait_for_timeout(200)
    ready.page.wait_for_selector(".receipt")
    assert len(marriage.reports()) == 1


def test_offline_then_online_sends_the_same_bytes(marriage, ready):
    body_result = ready.body()
    ready.page.context.set_offline(True)
    ready.press("Send")
    ready.page.get_by_text("The message is still here").wait_for()
    assert marriage.reports() == []
    assert ready.body() == body_result
    ready.page.context.set_offline(False)
    ready.press("Send again")
    ready.page.wait_for_selector(".receipt")
    assert [post.post_data for post in ready.posts()] == [body_result, body_result]
    assert len(marriage.reports()) == 1


def test_a_lost_acknowledgement_counts_once(marriage, ready):
    def lose(route):
        route.fetch()
        route.abort()

    ready.page.route("**/report", lose)
    ready.press("Send")
    ready.page.get_by_role("button", name="Send again").wait_for()
    assert len(marriage.reports()) == 1
    assert ready.page.get_by_role("button", name="Change").count() == 0
    assert ready.page.get_by_role("button", name="Back").count() == 0
    ready.page.unroute("**/report")
    ready.press("Send again")
    ready.page.wait_for_selector(".receipt")
    assert len(marriage.reports()) == 1


def test_after_a_lost_acknowledgement_a_reload_sends_the_same_message(marriage, ready):
    def lose(route):
        route.fetch()
        route.abort()

    ready.page.route("**/report", lose)
    ready.press("Send")
    ready.page.get_by_role("button", name="Send again").wait_for()
    ready.page.unroute("**/report")
    body_result = ready.body()
    ready.page.reload()
    ready.consent()
    assert ready.body() == body_result
    ready.press("Send again")
    ready.page.wait_for_selector(".receipt")
    (remaining,) = marriage.reports()
    assert remaining["children"] == 1


def test_another_report_under_a_number_that_was_used_is_not_taken(marriage, ready):
    other = ready.page.evaluate("() => ({...sessionStorage})")
    ready.send()
    (key,) = other
    other[key] = other[key].replace('"values":[1,', '"values":[0,')
    ready.page.evaluate("other => Object.assign(sessionStorage, other)", other)
    ready.page.reload()
    ready.consent()
    ready.press("Send")
    ready.page.get_by_text("A report from this page has arrived already").wait_for()
    (remaining,) = marriage.reports()
    assert remaining["children"] == 1


def test_a_closed_survey_ends_on_a_helpful_page(marriage, ready):
    refuse(ready, "closed", 410)
    ready.press("Send")
    ready.page.get_by_text("This survey has closed").wait_for()
    assert "office@example.org" in ready.page.locator("#contact").inner_text()
    assert ready.storage() == {f"askance:{marriage.form.fingerprint}": "closed"}
    ready.page.reload()
    ready.page.wait_for_selector("h1")
    assert ready.heading() == "This survey has closed"


@pytest.mark.parametrize(
    ("code", "status", "words"),
    [
        ("busy", 503, "The collector is busy. The message is still here."),
        ("wrong-form", 409, "did not take the message (wrong-form). The message is still here."),
    ],
)
def test_a_refusal_keeps_everything_and_says_so(marriage, ready, code, status, words):
    body_result = ready.body()
    refuse(ready, code, status)
    ready.press("Send")
    ready.page.get_by_text(words).wait_for()
    assert ready.body() == body_result
    ready.page.unroute("**/report")
    ready.press("Send again")
    ready.page.wait_for_selector(".receipt")
    assert len(marriage.reports()) == 1


@pytest.mark.parametrize(
    "reply",
    ["", "{}", '{"accepted":true,"id":"0","digest":"0","page":"0"}', "<html>", '{"accepted":1}'],
)
def test_an_acknowledgement_of_something_else_is_none(marriage, ready, reply):
    ready.page.route("**/report", lambda route: route.fulfill(status=201, body=reply))
    ready.press("Send")
    ready.page.get_by_role("button", name="Send again").wait_for()
    assert ready.page.locator(".receipt").count() == 0


@pytest.mark.parametrize("wrong", ["id", "digest", "accepted"])
def test_an_acknowledgement_must_name_this_message(marriage, ready, wrong):
    def answer(route):
        body = route.request.post_data_buffer
        genuine = {
            "accepted": True,
            "id": json.loads(body)["id"],
            "digest": hashlib.sha256(body).hexdigest(),
            "page": "0" * 64,
        }
        route.fulfill(status=201, body=json.dumps(genuine | {wrong: "0" * 32}))

    ready.page.route("**/report", answer)
    ready.press("Send")
    ready.page.get_by_role("button", name="Send again").wait_for()
    assert ready.page.locator(".receipt").count() == 0


def test_the_receipt_equals_what_the_collector_knows(marriage, ready):
    body_result = ready.body()
    ready.send()
    facts = ready.page.locator(".receipt dd").all_text_contents()
    identifier = json.loads(body_result)["id"]
    with sqlite3.connect(marriage.path) as store:
        ((remaining,),) = store.execute("SELECT lower(hex(id)) FROM reports").fetchall()
    store.close()
    assert facts[0] == identifier == remaining
    assert facts[3] == marriage.form.fingerprint
    with ready.page.expect_download() as download:
        ready.unfold()
        ready.press("Save the receipt")
    saved = download.value.path().read_text("utf-8")
    assert all(fact in saved for fact in facts)
    assert "Yes" not in saved
    assert download.value.suggested_filename == f"receipt-{identifier[:8]}.txt"


def test_leaving_at_once_empties_the_page_and_keeps_no_answer(marriage, ready):
    before = ready.storage()
    ready.press("Leave now")
    ready.page.wait_for_url("about:blank")
    assert [request.method for request in ready.sent] == ["GET", "GET"]
    ready.open(marriage.url)
    assert ready.storage() == before
    assert ready.heading() == "Marriage and faith"
    ready.consent()
    ready.unfold()
    assert ready.page.locator("dt").all_inner_texts() == ["What is sent"] * 4


def test_without_storage_the_survey_still_works(marriage, person):
    closed = (
        "Object.defineProperty(window, 'sessionStorage', {get() { throw new Error('closed'); }})"
    )
    someone = person(marriage.url, script=closed)
    someone.take(*ANSWERS)
    someone.send()
    assert len(marriage.reports()) == 1
    assert someone.console == []


def test_with_storage_that_is_full_the_survey_still_works(marriage, person):
    full = """Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    }"""
    someone = person(marriage.url, script=full)
    someone.take(*ANSWERS)
    someone.send()
    assert len(marriage.reports()) == 1
    assert (someone.storage(), someone.console) == ({}, [])


TRANSLATED = """new MutationObserver(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    const kept = text.parentNode.closest("script, style, [translate=no], font");
    if (kept || !text.data.trim()) continue;
    const [outer, inner] = [0, 0].map(() => document.createElement("font"));
    inner.append(text.data.toUpperCase());
    outer.append(inner);
    text.replaceWith(outer);
  }
}).observe(document, { childList: true, characterData: true, subtree: true })"""
"""A browser's translator puts another text into the place of each, in elements of its own."""


@pytest.mark.parametrize("name", ["marriage", "evening"])
def test_a_page_that_a_browser_translates_sends_what_was_answered(collect, forms, person, name):
    answers = {"marriage": ANSWERS, "evening": ("7", 1, "4300", 0)}[name]
    collector, bodies, headings = collect(forms[name]), [], []
    for script in (None, TRANSLATED):
        someone = person(collector.url, words=[0] * 30, script=script)
        someone.consent()
        someone.proceed()
        assert someone.page.locator(".complaint").inner_text() != ""
        someone.practise()
        someone.answer(*answers)
        someone.proceed()
        if someone.page.locator("pre.bytes").count():
            someone.proceed()
        someone.page.wait_for_selector(".receipt")
        bodies += [item.post_data for item in someone.posts()]
        headings.append(someone.heading())
        assert someone.console == []
    assert headings == ["Your report has arrived", "YOUR REPORT HAS ARRIVED"]
    assert bodies[0] == bodies[1]
    assert len(collector.reports()) == 1


def test_a_copy_of_the_tab_counts_no_second_time(marriage, person, seated):
    someone = person(marriage.url)
    someone.consent()
    with someone.page.expect_popup() as opened:
        someone.page.evaluate("() => void window.open(location.href)")
    other = seated(opened.value)
    other.page.wait_for_selector("h1")
    assert other.storage() == someone.storage() != {}
    someone.practise()
    someone.answer(*ANSWERS)
    someone.reveal()
    someone.send()
    other.take(0, 1, 0, 1)
    other.proceed()
    other.page.get_by_role("heading", name="A report from this page has arrived already").wait_for()
    assert len(marriage.reports()) == 1


def test_a_reload_while_it_is_sent_sends_the_same_message_once(marriage, ready):
    body_result = ready.body()
    ready.page.on("dialog", lambda dialog: dialog.accept())
    ready.page.route("**/report", lambda route: None)
    ready.proceed()
    ready.page.get_by_text("Sending").wait_for()
    ready.page.reload()
    ready.consent()
    assert ready.heading() == "Not confirmed yet"
    assert ready.body() == body_result
    ready.page.unroute("**/report")
    ready.send()
    assert len(marriage.reports()) == 1
    assert {item.post_data for item in ready.posts()} == {body_result}


def hash_of(script):
    """Name a script as a content security policy does: by its SHA-256."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def test_a_form_newer_than_the_page_is_refused_and_asks_nothing(forms, hosted, person):
    form = forms["marriage"]
    page = render_page(form).bytes.decode()
    script = page.partition('<script type="module">')[2].partition("</script>")[0]
    newer = form.bytes.decode().replace('"askance":"form-1"', '"askance":"form-3"')
    started = script.replace(form.fingerprint, hashlib.sha256(newer.encode()).hexdigest())
    hashes = (hash_of(script), hash_of(started))  # the page's policy allows no other script
    changes = (form.bytes.decode(), newer), (script, started), hashes
    for old, new in changes:
        assert page.count(old) == 1
        page = page.replace(old, new)
    someone = person(hosted({"/": page.encode()}))
    assert someone.heading() == "This page cannot be used"
    assert someone.page.locator("main :is(button, input)").count() == 0
    assert someone.posts() == []
