"""Answers piped into later texts: from the survey file to the form, and what may not be piped."""

import pytest

import askance as ak
from askance_collect.errors import FormError, SurveyError
from askance_collect.wire import Form

SURVEY = """
askance = "survey-1"
title = "Study"
consent = "Say it or leave."
languages = ["en", "de"]
[[question]]
name = "drink"
text = "What do you drink?"
answers = [{ name = "tea", en = "Tea", de = "Tee" }, "water"]
[[question]]
name = "used"
text = "Have you ever used it?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
[[question]]
name = "often"
text = { en = "How often do you drink {drink|it}?", de = "Wie oft trinken Sie {drink|das}?" }
answers = ["daily", "seldom"]
"""


def form_of(text=SURVEY):
    return ak.publish(ak.parse_survey(text.encode()))


def test_a_text_with_blanks_is_said_to_have_them():
    form = form_of()
    assert form.document["askance"] == "form-2"
    assert ["piped" in question for question in form.document["questions"]] == [False, False, True]
    assert form.document["questions"][2]["text"]["de"] == "Wie oft trinken Sie {drink|das}?"
    assert Form.read(form.bytes).fingerprint == form.fingerprint


def test_check_says_who_can_read_what_is_piped():
    words = [question.sentences for question in ak.check(form_of()).questions]
    assert words[2][-1].startswith("Its text shows the answer to drink")
    assert not any("Its text shows" in replies for word in words[:2] for replies in word)


def test_braces_that_are_no_blanks_stay_as_they_are():
    plain = SURVEY.replace("{drink|it}", "{drink}").replace("{drink|das}", "{A|b}")
    assert form_of(plain).document["askance"] == "form-1"


@pytest.mark.parametrize(
    ("replies", "otherwise", "message"),
    [
        ("{drink|it}", "{drnk|it}", "asked plainly: drink"),
        ("{drink|it}", "{often|it}", "a question above"),
        ("{drink|it}", "{used|it}", "whoever looks at the screen would read it"),
        ("{drink|it}", "it", "a blank in each language"),
        (
            'text = "What do you drink?"',
            'text = "What do you drink?"\nsection = { title = "Mixed", order = "random" }',
            "chance makes the order",
        ),
    ],
)
def test_what_may_not_be_piped_is_refused_by_name(replies, otherwise, message):
    with pytest.raises(SurveyError) as refusal:
        form_of(SURVEY.replace(replies, otherwise, 1))
    assert refusal.value.where.startswith("question[2]")
    assert message in str(refusal.value)


def test_a_list_to_tick_has_no_blanks():
    listed = SURVEY.replace('answers = ["daily", "seldom"]', 'choose = "all"\nanswers = ["a", "b"]')
    with pytest.raises(SurveyError) as refusal:
        form_of(listed)
    assert refusal.value.where.startswith("question[2]")


def test_a_coin_in_the_world_is_not_piped():
    tossed = 'truth = "3/4" }\ncoin = "a birthday"'.replace('truth = "3/4"', 'truth = "3/4"')
    with pytest.raises(SurveyError, match="protected"):
        form_of(SURVEY.replace('truth = "3/4" }', tossed).replace("{drink|it}", "{used|it}"))


def test_a_form_that_marks_a_text_without_blanks_is_refused():
    document = form_of().document
    document["questions"][0]["piped"] = True
    with pytest.raises(FormError) as refusal:
        Form.read(document)
    assert refusal.value.where == "questions[0].piped"
