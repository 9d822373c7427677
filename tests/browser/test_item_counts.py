"""List experiments in the browser: the list of the drawn group is counted, and a number is sent."""

import json
from pathlib import Path

import pytest

from askance.survey import load_survey, publish

EXAMPLE = Path(__file__).parents[2] / "examples/item-count.toml"
SENSITIVE = "I have cheated in an exam."


@pytest.mark.parametrize(
    ("drawn", "letter", "size"), [(0, "A", 3), (1, "B", 4)], ids=["control", "treatment"]
)
def test_a_group_counts_its_list_and_reads_what_both_ends_say(collect, person, drawn, letter, size):
    someone = person(collect(publish(load_survey(EXAMPLE))).url, words=[0, drawn])
    page = someone.page
    page.set_viewport_size({"width": 360, "height": 740})
    someone.consent()
    assert page.locator("h1").inner_text() == "Which year are you in?"  # nothing is practised
    someone.answer(0)
    someone.proceed()
    text = page.locator("main").inner_text()
    assert f"Chance put you in the group “{letter}”" in text
    assert page.locator("ul.items li").count() == size
    assert (SENSITIVE in text) is (size == 4)
    assert f"“0” says that none of them is true of you, and “{size}” says" in text
    assert "Partly protected" in text
    assert page.locator("fieldset .option").count() == size + 2
    someone.choose(1)
    someone.proceed()
    someone.press("Show what is sent")
    assert json.loads(someone.body())["answers"]["cheated"] == (1 if drawn == 0 else 5)
    text = page.locator("main").text_content()
    assert f"The record reads “{letter}: 1”." in text
    assert "It does not say which of these are true of you." in text
    assert "Your answer (stays here)" not in text
    assert "people whose answer is" not in text
    assert someone.console == []


def test_the_highest_number_of_the_longer_list_reads_what_it_proves(collect, person):
    someone = person(collect(publish(load_survey(EXAMPLE))).url, words=[0, 1])
    someone.consent()
    someone.answer(0)
    someone.proceed()
    someone.choose(4)
    someone.proceed()
    someone.press("Show what is sent")
    assert json.loads(someone.body())["answers"]["cheated"] == 8
    text = someone.page.locator("main").text_content()
    assert "“4” says that all of them are" in text
