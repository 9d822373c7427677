"""Skips in the browser: what follows from an answer is not asked, and is sent all the same."""

import json
from pathlib import Path

import pytest

from askance_collect.respond import draw, encode, follow_skips
from askance_collect.wire import Form

FORMS = Path(__file__).parents[2] / "src/askance_collect/wire/vectors/2/forms.json"
YES, NO = 0, 1


def english(name):
    """Give a form of the vectors, whose questions read as they are called."""
    good = json.loads(FORMS.read_text("ascii"))["good"]
    document = next(item["form"] for item in good if item["name"] == name)
    questions = [
        question | {"text": {"en": question["name"]}} for question in document["questions"]
    ]
    return Form.read(document | {"questions": questions})


@pytest.fixture(scope="module")
def skips():
    return english("skips")


@pytest.fixture(scope="module")
def numbers():
    return english("skipped numbers")


def encoded(form, answers, words):
    """Encode answers and what follows from them, with the words that chance is given."""
    queue = iter(words)
    draws = {question.name: draw(question, lambda: next(queue)) for question in form.questions}
    given_skips = follow_skips(form, answers)
    reports = {
        question.name: encode(question, given_skips[question.name], draws[question.name])
        for question in form.questions
    }
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in reports.items()
    }


def read_question_shown(someone):
    """Give the question shown, past the card."""
    if someone.page.locator(".card").count():
        someone.proceed()
    return someone.heading()


def begin(person, url, words=None):
    someone = person(url, words=words)
    someone.consent()
    someone.practise()
    return someone


def words_of(used, often):
    """Write the words of both protected questions: none is left blank, each draws its place."""
    return [0, used, 0, often]


@pytest.mark.parametrize(
    ("used", "often", "value"),
    [
        (YES, 1, YES),  # "yes" was answered
        (NO, 1, NO),  # "no" is so of whoever skips
        (NO, 0, YES),  # and is sent by the same chance
    ],
)
def test_what_follows_is_not_asked_and_is_sent_by_the_same_chance(
    collect, person, skips, used, often, value
):
    collector, words = collect(skips), words_of(2, often)
    someone = begin(person, collector.url, words)
    assert read_question_shown(someone) == "plain"
    someone.answer(NO)
    assert read_question_shown(someone) == "days"
    someone.press("Back")
    assert read_question_shown(someone) == "plain"
    someone.proceed()
    someone.answer("2")
    assert read_question_shown(someone) == "used"
    someone.answer(used)
    if used == YES:
        assert read_question_shown(someone) == "often"
        someone.answer(YES)
    listed = someone.page.locator("main section.item h2").all_inner_texts()
    assert listed == ["plain", "days", "used", "often"][: 4 if used == YES else 3]
    body = someone.body()
    sent_answers = json.loads(body)["answers"]
    answers = {"plain": NO, "days": 2, "used": used, "often": YES}
    assert sent_answers == encoded(skips, answers, words)
    assert sent_answers["often"] == value
    assert sent_answers["more"] is None
    recorded = someone.page.locator("main details.item h2").all_text_contents()
    assert recorded == ["plain", "days", "used", "often"]  # nobody left "more" blank
    assert len(body) == skips.size
    someone.send()
    assert collector.reports() == [sent_answers]
    assert someone.console == []


def test_numbers_are_skipped_by_numbers_and_send_what_is_so(collect, person, numbers):
    """Who says 1 is asked of nothing but what a protected number decides, which is 0 for them."""
    words = [1, 3, 4, 0, 2, 3, 0, 9, 0, 3]
    someone = begin(person, collect(numbers).url, [0, *words])  # the first word: a section's order
    assert someone.page.locator("h2.section").inner_text() == "First"
    assert read_question_shown(someone) == "plain"
    someone.answer("0")
    assert read_question_shown(someone) == "ring"
    someone.answer(0)
    body = someone.body()
    answers = json.loads(body)["answers"]
    ring = answers["ring"]
    assert answers | {"ring": None} == encoded(numbers, {"plain": 1}, words)
    assert ring is not None
    assert (answers["more"], answers["last"]) == (0, NO)
    assert answers["typed"] is None or answers["typed"][0] == 0
    records = someone.page.locator("main details.item").all_text_contents()
    assert any(record.startswith("more") and "0 times" in record for record in records)
    assert someone.console == []


def test_a_changed_answer_opens_what_it_let_skip_and_closes_what_it_now_does(
    collect, person, skips
):
    someone = begin(person, collect(skips).url)
    someone.answer(NO)
    someone.answer("2")
    someone.choose(NO)
    someone.proceed()
    someone.page.get_by_role("button", name="Change").nth(0).click()
    assert read_question_shown(someone) == "plain"
    someone.answer(YES)
    assert read_question_shown(someone) == "more"
    someone.answer(NO)
    assert read_question_shown(someone) == "used"
    someone.proceed()
    listed = someone.page.locator("main section.item h2").all_inner_texts()
    assert listed == ["plain", "more", "used"]
    answers = json.loads(someone.body())["answers"]
    assert (answers["plain"], answers["more"], answers["days"]) == (YES, NO, None)
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


def test_a_section_begins_at_the_first_question_that_is_asked(collect, person, by_sections):
    """Who is asked nothing of a section hears nothing of it."""

    def shown():
        section = someone.page.locator("h2.section")
        return section.inner_text() if section.count() else "", someone.heading()

    someone = begin(person, collect(by_sections).url)
    someone.answer(NO)
    assert shown() == ("The end", "more")
    assert someone.page.locator("#step").inner_text() == "Question 2 of 2"
    someone.press("Back")
    assert shown() == ("", "plain")
    someone.answer(YES)
    assert shown() == ("About it", "more")
    assert someone.page.locator("#step").inner_text() == "Question 2 of 4"
    someone.answer(YES)
    assert someone.page.locator(".card").count() == 1
    someone.proceed()
    assert shown() == ("", "often")
    someone.answer(YES)
    assert shown() == ("The end", "more")
    assert someone.console == []
