"""A person takes the survey: what leaves the device, when, and what stays behind."""

import json
import re

import pytest

ANSWERS = (1, 0, 2, 0)


@pytest.fixture
def marriage(collect, forms):
    return collect(forms["marriage"])


def test_by_keyboard_alone_on_a_small_screen(marriage, person):
    someone = person(marriage.url, width=360)
    page, keys, go = someone.page, someone.page.keyboard, someone.press_keys
    go("I have read this. I am taking part of my own free will.", "Begin")
    go("Tea", "Continue", "No, they cannot be sure", "Continue")
    assert someone.heading() == "How many children do you have?"
    assert page.evaluate("() => document.activeElement.tagName") == "H1"
    go("None")
    keys.press("ArrowDown")
    keys.press("Enter")
    assert someone.heading() == "Before the first protected question"
    go("Continue", "Yes", "Continue", "Not at all")
    keys.press("ArrowDown")
    go("Continue")
    someone.tab_to(page.locator(".option").first.inner_text())
    keys.press("Space")
    go("Continue", "Show what is sent", "Send")
    page.wait_for_selector(".receipt")
    (remaining,) = marriage.reports()
    assert remaining["children"] == 1
    assert set(remaining) == {"age", "any_affair", "children", "religious"}
    assert someone.console == []


def test_the_page_one_question_at_the_door_and_one_post_of_the_bytes_shown(marriage, person):
    someone = person(marriage.url)
    someone.take(*ANSWERS)
    assert [request.method for request in someone.sent] == ["GET", "GET"]
    body_result = someone.body()
    someone.send()
    received, questions, posted = someone.sent
    assert (received.method, received.url) == ("GET", marriage.url)
    assert (questions.method, questions.url) == ("GET", f"{marriage.url}report")
    assert questions.post_data_buffer is None
    assert not {"cookie", "referer", "authorization"} & set(questions.all_headers())
    assert (posted.method, posted.url) == ("POST", f"{marriage.url}report")
    assert posted.post_data_buffer == body_result.encode()
    assert len(body_result) == marriage.form.size
    headers = posted.all_headers()
    assert headers["content-type"] == "text/plain"
    assert not {"cookie", "referer", "authorization"} & set(headers)
    (remaining,) = marriage.reports()
    assert remaining == json.loads(body_result)["answers"]
    assert someone.console == []


@pytest.mark.parametrize(
    ("name", "words", "item", "other"),
    [
        ("marriage", [19, 9, 19, 999, 0, 20], (1, 0, 0, 0), (1, 1, 1, 0)),
        ("evening", [9, 0, 40, 90, 0, 30, 60, 2, 0], ("7.5", 1, "3200", 0), ("7.5", 1, "6000", 1)),
    ],
)
def test_two_truths_with_one_report_make_the_same_traffic(
    collect, forms, person, name, words, item, other
):
    collector, traffic, replies = collect(forms[name]), [], []
    for answers in (item, other):
        someone = person(collector.url, words=words)
        someone.take(*answers)
        replies.append(someone.page.locator(".sides dd").all_inner_texts())
        someone.send()
        traffic.append(
            [
                (request.method, request.url, request.all_headers(), request.post_data_buffer)
                for request in someone.sent
            ]
        )
    assert replies[0] != replies[1]
    assert traffic[0] == traffic[1]
    assert len(traffic[0]) == 3
    assert len(collector.reports()) == 1


def test_nothing_of_the_link_is_sent_or_kept(marriage, person):
    someone = person(f"{marriage.url}?invited=telltale#telltale")
    someone.take(*ANSWERS)
    someone.send()
    (posted,) = someone.posts()
    assert posted.url == f"{marriage.url}report"
    assert "telltale" not in str(posted.all_headers()) + posted.post_data
    assert "telltale" not in json.dumps(someone.storage())
    raw = b"".join(path.read_bytes() for path in marriage.path.parent.glob("*.db*"))
    assert b'"children":1' in raw
    assert b"telltale" not in raw


def test_other_draws_make_other_traffic(marriage, person):
    bodies = []
    for words in ([19, 9, 19, 999, 0, 20], [19, 0, 19, 999, 0, 20]):
        someone = person(marriage.url, words=words)
        someone.take(*ANSWERS)
        bodies.append(someone.body())
    assert bodies[0] != bodies[1]


def test_the_markup_does_not_know_what_was_chosen(marriage, person):
    someone = person(marriage.url)
    someone.consent()
    someone.practise()
    someone.answer(1)
    someone.proceed()

    def markup():
        return someone.page.evaluate("() => document.documentElement.outerHTML")

    before, stored = markup(), someone.storage()
    for choice in (0, 1, 2):
        someone.page.locator("input[type=radio]").nth(choice).check()
        assert markup() == before
    someone.proceed()
    assert markup() != before
    assert someone.storage() == stored
    assert someone.page.url == marriage.url
    assert someone.page.evaluate("() => [history.length, history.state]") == [4, 1]


def test_a_typed_number_is_neither_stored_nor_sent(collect, forms, person):
    collector = collect(forms["evening"])
    someone = person(collector.url)
    someone.consent()
    someone.practise()
    someone.answer("7.5", 0)
    before = someone.page.content()
    someone.choose("4321")
    assert not _names("4321", someone.page.content())
    assert someone.page.content() != before  # what was read and the range to be sent are announced
    assert "= 4,321 euros" in someone.page.locator("main").inner_text()
    someone.proceed()
    someone.answer(0)
    assert "4,321 euros" in someone.page.locator("main").inner_text()
    assert not _names("4321", json.dumps(someone.storage()))
    someone.reveal()
    assert "4,321 euros" in someone.page.locator("main").inner_text()
    assert not _names("4321", json.dumps(someone.storage()))
    body = someone.body()
    someone.send()
    assert not _names("4321", body)
    assert "4,321" not in someone.page.content()
    assert collector.reports()[0]["income"] == json.loads(body)["answers"]["income"]


def _names(number, text):
    """Whether a text has the number by itself; a random identifier may have its digits inside."""
    return re.search(rf"(?<![0-9a-f]){number}(?![0-9a-f])", text) is not None


def test_after_the_acknowledgement_nothing_is_left_but_a_mark(marriage, person):
    someone = person(marriage.url)
    someone.take(*ANSWERS)
    bound = json.loads(next(iter(someone.storage().values())))
    assert bound["id"] in someone.body()
    someone.send()
    page = someone.page
    assert someone.storage() == {f"askance:{marriage.form.fingerprint}": "receipt"}
    value = page.evaluate(
        """async () => JSON.stringify([{...localStorage}, document.cookie, location.href, name,
             document.title, history.state, await indexedDB.databases(), await caches.keys()])"""
    )
    title = "Your report has arrived – Marriage and faith"
    assert json.loads(value) == [{}, "", marriage.url, "", title, 0, [], []]
    visible = page.locator("body").inner_html().split("<script")[0]
    assert not any(word in visible for word in (">Yes<", "Fairly", "years", "pre class"))
    assert page.evaluate("() => history.length") == 4  # about:blank, and three of this page


def test_the_back_button_brings_no_answer_back(marriage, person):
    someone = person(marriage.url)
    someone.consent()
    someone.practise()
    someone.answer(*ANSWERS)
    before = someone.storage()
    assert "Fairly" in someone.page.locator("main").inner_text()
    with someone.page.expect_navigation():
        someone.page.evaluate(
            "() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
        )
    assert someone.heading() == "Marriage and faith"
    assert "Fairly" not in someone.page.locator("main").inner_text()
    assert someone.storage() == before


def test_damaged_storage_is_drawn_again(marriage, person):
    someone = person(marriage.url)
    someone.consent()
    key = f"askance:{marriage.form.fingerprint}"
    for damage in ("junk", '{"id":"0","draws":[]}', '{"id":null}', "[]"):
        someone.page.evaluate("([key, text]) => sessionStorage.setItem(key, text)", [key, damage])
        someone.page.reload()
        someone.consent()
        assert len(json.loads(someone.storage()[key])["draws"]) == 4


def test_a_changed_answer_reuses_the_draws(marriage, person):
    someone = person(marriage.url)
    someone.consent()
    someone.practise()
    someone.answer(*ANSWERS)
    before = someone.storage()
    someone.page.get_by_role("button", name="Change your answer: How many").click()
    someone.choose(3)
    someone.proceed()
    someone.page.get_by_role("button", name="Change your answer: How old").click()
    someone.choose(2)
    someone.proceed()
    assert someone.storage() == before
    after = json.loads(someone.body())
    assert after["id"] == json.loads(next(iter(before.values())))["id"]
    assert after["answers"]["children"] == 3
    assert after["answers"]["age"] is None


def test_nothing_answered_is_a_report_too(marriage, person):
    someone = person(marriage.url)
    someone.take(4, 2, 4, 2)
    someone.send()
    assert marriage.reports() == [dict.fromkeys(("age", "any_affair", "children", "religious"))]


def test_the_database_file_holds_no_address_agent_or_truth(marriage, person):
    someone = person(marriage.url)
    someone.take(*ANSWERS)
    someone.send()
    raw = b"".join(path.read_bytes() for path in marriage.path.parent.glob("*.db*"))
    assert b'"children":1' in raw
    assert not any(word in raw for word in (b"127.0.0.1", b"Mozilla", b"Chrome", b"text/plain"))
