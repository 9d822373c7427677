"""Sections in the browser: a heading over their questions, and an order that chance makes."""

import json
from pathlib import Path

import pytest

from askance_collect.wire import Form

FORMS = Path(__file__).parents[2] / "src/askance_collect/wire/vectors/2/forms.json"


@pytest.fixture(scope="module")
def sections():
    good = json.loads(FORMS.read_text("ascii"))["good"]
    document = next(item["form"] for item in good if item["name"] == "sections")
    questions = [
        question | {"text": {"en": question["name"]}} for question in document["questions"]
    ]
    return Form.read(document | {"questions": questions})


def walk(someone):
    """Answer everything with yes, and give the heading of each screen, with its count."""
    result = []
    while True:
        card = someone.page.locator(".card").count()
        heading = "card" if card else someone.page.locator("main h1").inner_text()
        step = someone.page.locator("main .step")
        count = step.inner_text() if step.count() else ""
        section = someone.page.locator("main h2.section")
        assert not (card and section.count())
        if section.count():
            assert section.evaluate("node => node === document.activeElement")
        result.append((heading, count, section.inner_text() if section.count() else ""))
        if heading == "Your answers" or len(result) > 20:
            return result
        if count:
            someone.choose(0)
        someone.proceed()


def begin(person, url, words):
    someone = person(url, words=words)
    someone.consent()
    someone.practise()
    return someone


def test_a_section_begins_at_its_first_question_and_asks_in_an_order_by_chance(
    collect, person, sections
):
    collector = collect(sections)
    orders = {}
    for words in ([2, 1], [0, 0]):
        someone = begin(person, collector.url, words)
        walk_result = walk(someone)
        questions = [heading for heading, count, _ in walk_result if count]
        assert [count for _, count, _ in walk_result if count] == [
            f"Question {position} of 5" for position in range(1, 6)
        ]
        sections_of = [section for _, count, section in walk_result if count]
        assert sections_of == ["", "Mixed", "", "", "Last"]
        assert questions[0] == "plain_0"
        assert questions[4] == "plain_3"
        orders[tuple(words)] = questions[1:4]
        headings = [heading for heading, *_ in walk_result]
        assert headings[headings.index("card") + 1] == "noisy"
        someone.press("Show what is sent")
        assert list(json.loads(someone.body())["answers"]) == sorted(
            question.name for question in sections.questions
        )
        someone.send()
        assert someone.console == []
    assert orders[2, 1] == ["plain_1", "plain_2", "noisy"]
    assert orders[0, 0] == ["plain_2", "noisy", "plain_1"]
    assert all(report["plain_0"] == 0 for report in collector.reports())


def test_what_is_sent_plainly_is_said_once_in_a_section_and_again_behind_what_is_protected(
    collect, person, sections
):
    someone = begin(person, collect(sections).url, [2, 1])
    marked = []
    for _ in sections.questions:
        someone.page.wait_for_function("() => document.querySelector('.card, #asked')")
        if someone.page.locator(".card").count():
            someone.proceed()
        marked.append((someone.heading(), someone.page.locator(".badge.open").count()))
        someone.choose(0)
        someone.proceed()
    assert marked == [("plain_0", 1), ("plain_1", 1), ("plain_2", 0), ("noisy", 0), ("plain_3", 1)]


def test_each_line_of_a_question_stands_by_itself(collect, person, sections):
    first, *others = sections.document["questions"]
    lines = first | {"text": {"en": "Have you used this?\nSleeping pills"}}
    someone = person(collect(Form.read(sections.document | {"questions": [lines, *others]})).url)
    someone.consent()
    someone.practise()
    heading = someone.page.get_by_role(
        "heading", level=1, name="Have you used this? Sleeping pills"
    )
    assert heading.locator("span").all_inner_texts() == ["Have you used this?", "Sleeping pills"]
    above, below = (line.bounding_box() for line in heading.locator("span").all())
    assert below["y"] >= above["y"] + above["height"]
