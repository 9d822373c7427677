"""Required questions in the browser: no way past them, in words, and none to leave them blank."""

import json
from pathlib import Path

import pytest

from askance_collect.wire import Form

FORMS = Path(__file__).parents[2] / "src/askance_collect/wire/vectors/2/forms.json"
MESSAGE = "An answer is needed here. You can leave the survey at any time."
RATHER = "I’d rather not answer"


@pytest.fixture(scope="module")
def needed():
    good = json.loads(FORMS.read_text("ascii"))["good"]
    return Form.read(next(item["form"] for item in good if item["name"] == "needed"))


def complained(someone):
    someone.proceed()
    return someone.page.locator("#complaint").inner_text()


def test_the_page_goes_on_only_with_an_answer_and_says_so(collect, person, needed):
    collector = collect(needed)
    someone = person(collector.url)
    someone.consent()
    someone.practise()
    replies = {
        "plain": MESSAGE,
        "days": "Type a number.",
        "noisy": MESSAGE,
        "steps": MESSAGE,
        "words": MESSAGE,
    }
    for index, answer in enumerate((0, "2", 1, 0, "Tea")):
        if someone.page.locator(".card").count():
            someone.proceed()
        assert MESSAGE in someone.page.locator("main").inner_text()
        assert RATHER not in someone.page.locator("main").inner_text()
        assert "leave this empty" not in someone.page.locator("main").inner_text()
        assert complained(someone) == list(replies.values())[index]
        someone.choose(answer)
        someone.proceed()
    assert MESSAGE not in someone.page.locator("main").inner_text()
    assert RATHER in someone.page.locator("main").inner_text()
    someone.choose(2)
    someone.proceed()
    answers = json.loads(someone.body())["answers"]
    assert answers["free"] is None
    assert all(answers[name] is not None for name in replies)
    assert someone.page.locator("main details input[type=checkbox]").count() == 0
    someone.send()
    assert len(collector.reports()) == 1
    assert someone.console == []


def test_a_step_narrower_offers_no_way_out_either(collect, person, needed):
    questions = needed.document["questions"]
    document = needed.document | {"questions": [questions[3]], "size": 256}
    someone = person(collect(Form.read(document)).url)
    someone.consent()
    someone.practise()
    someone.proceed()
    someone.choose([1, 0])
    someone.proceed()
    assert RATHER not in someone.page.locator("main").inner_text()


def test_all_that_is_needed_is_said_in_the_languages_of_the_page(collect, person, needed):
    german = Form.read(json.loads(needed.bytes.replace(b'"en"', b'"de"')))
    someone = person(collect(german).url, language="de")
    someone.consent()
    someone.practise()
    assert "Hier wird eine Antwort gebraucht." in someone.page.locator("main").inner_text()
    assert "Möchte ich nicht" not in someone.page.locator("main").inner_text()
