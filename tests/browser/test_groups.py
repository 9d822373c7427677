"""Groups by chance in the browser: who is in which is drawn first, said, and sent."""

import json
from pathlib import Path

import pytest

from askance_collect.wire import Form

FORMS = Path(__file__).parents[2] / "src/askance_collect/wire/vectors/2/forms.json"
FIRST, SECOND = 0, 8
"""Draws of the question with two groups: the first unit of the first group, and of the second."""


@pytest.fixture(scope="module")
def groups():
    good = json.loads(FORMS.read_text("ascii"))["good"]
    first = next(item for item in good if item["name"] == "groups")
    form = Form.read(first["form"])
    questions = form.document["questions"][:2]
    return Form.read(form.document | {"questions": questions, "size": 256})


def asked_in(someone):
    someone.consent()
    someone.practise()
    someone.answer(0)
    someone.proceed()
    return someone.page.locator("main").inner_text()


def words(position):
    """Chance: of the practice question, of a blank that is none, of the group and the report."""
    return [8, position, 8, position]


def test_the_group_is_said_before_an_answer_and_sent_with_it(collect, person, groups):
    collector = collect(groups)
    for position, group, share in ((FIRST, "Group 1", "66 or 67"), (SECOND, "Group 2", "33 or 34")):
        someone = person(collector.url, words=words(position))
        shown_asked = asked_in(someone)
        assert f"Chance put you in the group “{group}”, as it does {share} of 100" in shown_asked
        number = group[-1]
        other = str(3 - int(number))
        assert f"{number}: Just one" in shown_asked
        assert f"{other}: Just one" not in shown_asked
        someone.choose(1)
        someone.proceed()
        someone.press("Show what is sent")
        pairs = json.loads(someone.body())["answers"]["pairs"]
        assert pairs // 2 == int(number) - 1
        assert f"The record reads “{number}: " in someone.page.locator("main").inner_text()
        assert someone.console == []


def test_the_group_does_not_depend_on_the_answer(collect, person, groups):
    collector, result = collect(groups), []
    for answer in (0, 1):
        someone = person(collector.url, words=words(FIRST))
        result.append(asked_in(someone))
        someone.choose(answer)
        someone.proceed()
        someone.press("Show what is sent")
        assert json.loads(someone.body())["answers"]["pairs"] in (0, 1)
    assert result[0] == result[1]


@pytest.fixture(scope="module")
def invited():
    good = json.loads(FORMS.read_text("ascii"))["good"]
    return Form.read(next(item["form"] for item in good if item["name"] == "invited"))


def test_an_invitation_puts_its_reader_into_the_group_that_it_names(collect, person, invited):
    """The name stands behind the #: no server sees it; the draw is as it was inside the group."""
    collector, draws = collect(invited), [1, 2, 0, 3]
    for address, first, second in (("", 0, 0), ("#group=group%202", 2, 2), ("#group=3", 0, 0)):
        someone = person(collector.url + address, words=draws)
        someone.consent()
        someone.practise()
        someone.proceed()
        text = someone.page.locator("main").inner_text()
        by_invitation = "Your invitation put you in the group “Group 2”" in text
        assert by_invitation == address.endswith("202")
        assert ("Chance put you in the group “Group 1”" in text) != by_invitation
        someone.answer(0, 0)
        answers = json.loads(someone.body())["answers"]
        assert (answers["two"], answers["three"]) == (first, second)
        assert "group" not in " ".join(request.url for request in someone.posts())
        assert someone.console == []
