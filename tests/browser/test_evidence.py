"""Evidence in the browser: a group sees its screen first, and none which answer is right."""

import json

import pytest

import askance as ak

SURVEY = """
askance = "survey-1"
title = "Sport"
consent = "Say it or leave."
contact = "Write to study@example.org"
[[question]]
name = "doped"
text = "Have you doped?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
[evidence]
question = "doped"
[[evidence.group]]
name = "card first"
first = "card"
[[evidence.group]]
name = "story"
text = "Imagine that a coin is thrown."
[evidence.teach_back]
text = "What is sent?"
answers = ["my answer", "a drawn answer", "nothing", "my name"]
right = "a drawn answer"
"""
CARD, PRACTICE = "Before the first protected question", "A practice question"
STORY = "Imagine that a coin is thrown."
RIGHT, WRONG = 1, 3
FIRST, SECOND = 0, 4
"""Draws of the teach-back: the first unit of the first group, and of the second."""


@pytest.fixture
def collector(collect):
    return collect(ak.publish(ak.parse_survey(SURVEY.encode())))


def read_screen(someone):
    return someone.page.locator("main").inner_text()


@pytest.mark.parametrize(
    ("position", "group", "headings"),
    [(FIRST, "card first", [CARD, PRACTICE]), (SECOND, "story", [PRACTICE, CARD])],
)
def test_a_group_sees_its_screen_first_and_its_report_says_so(
    collector, person, position, group, headings
):
    someone = person(collector.url, words=[8, position])
    someone.consent()
    observed = [someone.heading()]
    assert (STORY in read_screen(someone)) is (group == "story")
    for _ in range(2):
        if someone.heading() == PRACTICE:
            someone.practise()
        else:
            someone.proceed()
        observed.append(someone.heading())
    assert observed == [*headings, "What is sent?"]
    assert STORY not in read_screen(someone)
    assert f"Chance put you in the group “{group}”" in read_screen(someone)
    someone.answer(RIGHT)
    someone.answer(1)
    someone.press("Show what is sent")
    assert json.loads(someone.body())["answers"]["teach_back"] // 2 == (position == SECOND)
    assert someone.console == []


def test_the_screen_does_not_show_which_answer_is_right(collector, person):
    """Its chances are those of right and of other answers, and of no answer by name."""
    someone = person(collector.url, words=[8, SECOND])
    someone.consent()
    someone.practise()
    someone.proceed()
    odds = someone.page.locator(".odds").all_inner_texts()
    assert len(odds) == 1
    assert "Of 100 people whose answer is “the right answer”" in odds[0]
    assert "Of 100 people whose answer is “another answer”" in odds[0]
    assert not any(answer in odds[0] for answer in ("my answer", "drawn", "nothing", "name"))
