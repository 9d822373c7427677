"""Skips in the browser: what follows from an answer is not asked, and is sent all the same."""

import json
from pathlib import Path

import pytest

from askance.wire import Form

FORMS = Path(__file__).parents[2] / "src/askance/wire/vectors/2/forms.json"
YES, NO = 0, 1


@pytest.fixture(scope="module")
def skips():
    good = json.loads(FORMS.read_text("ascii"))["good"]
    document = next(one["form"] for one in good if one["name"] == "skips")
    questions = [one | {"text": {"en": one["name"]}} for one in document["questions"]]
    return Form.read(document | {"questions": questions})


def asked(someone):
    """Give the question shown, past the card."""
    if someone.page.locator(".card").count():
        someone.proceed()
    return someone.heading()


def begin(person, url, words=None):
    someone = person(url, words=words)
    someone.consent()
    someone.practise()
    return someone


def test_what_follows_is_not_asked_and_is_sent_in_a_message_of_the_same_length(
    collect, person, skips
):
    collector = collect(skips)
    bodies = []
    for used in (YES, NO):
        someone = begin(person, collector.url)
        assert asked(someone) == "plain"
        someone.answer(NO)
        assert asked(someone) == "days"
        someone.press("Back")
        assert asked(someone) == "plain"
        someone.proceed()
        someone.answer("2")
        assert asked(someone) == "used"
        someone.answer(used)
        if used == YES:
            assert asked(someone) == "often"
            someone.answer(YES)
        listed = someone.page.locator("main section.item h2").all_inner_texts()
        assert listed == ["plain", "days", "used", "often"][: 4 if used == YES else 3]
        bodies.append(someone.body())
        sent = json.loads(bodies[-1])["answers"]
        assert sent["more"] is None
        assert sent["often"] in (YES, NO)
        someone.send()
        assert someone.console == []
    assert len({len(body) for body in bodies}) == 1
    assert len(collector.reports()) == 2


def test_a_changed_answer_opens_what_it_let_skip_and_closes_what_it_now_does(
    collect, person, skips
):
    someone = begin(person, collect(skips).url)
    someone.answer(NO)
    someone.answer("2")
    someone.choose(NO)
    someone.proceed()
    someone.page.get_by_role("button", name="Change").nth(0).click()
    assert asked(someone) == "plain"
    someone.answer(YES)
    assert asked(someone) == "more"
    someone.answer(NO)
    assert asked(someone) == "used"
    someone.proceed()
    listed = someone.page.locator("main section.item h2").all_inner_texts()
    assert listed == ["plain", "more", "used"]
    sent = json.loads(someone.body())["answers"]
    assert (sent["plain"], sent["more"], sent["days"]) == (YES, NO, None)
    assert someone.console == []


@pytest.fixture(scope="module")
def by_sections(skips):
    """Skip a whole section, and the only protected question, after one plain answer."""
    first, more, _, _, noisy = skips.document["questions"]
    questions = [first, more, noisy, more | {"name": "last"}]
    sections = [
        {"at": 1, "title": {"en": "About it"}, "text": {"en": ""}},
        {"at": 3, "title": {"en": "The end"}, "text": {"en": ""}},
    ]
    rules = [
        {"question": 1, "after": 0, "answered": [NO], "send": None},
        {"question": 2, "after": 0, "answered": [NO], "send": 1},
    ]
    changed = {"questions": questions, "sections": sections, "skips": rules}
    return Form.read(skips.document | changed)


def test_no_screen_is_shown_before_questions_that_are_all_skipped(collect, person, by_sections):
    someone = begin(person, collect(by_sections).url)
    someone.answer(NO)
    assert someone.heading() == "The end"
    someone.press("Back")
    assert someone.heading() == "plain"
    someone.answer(YES)
    assert someone.heading() == "About it"
    someone.proceed()
    someone.answer(YES)
    assert someone.page.locator(".card").count() == 1
    someone.proceed()
    assert someone.heading() == "often"
    someone.answer(YES)
    assert someone.heading() == "The end"
    assert someone.console == []
