"""Required questions: from the survey file to the form, and what is told of them."""

import pytest

import askance as ak
from askance_collect.collect import accept
from askance_collect.errors import SurveyError
from askance_collect.respond import respond
from askance_collect.wire import Form

SURVEY = """
askance = "survey-1"
title = "Study"
consent = "Say it or leave."
[[question]]
name = "works"
text = "Do you work?"
answers = ["yes", "no"]
required = true
comment = { limit = 9 }
[[question]]
name = "used"
text = "Have you ever used it?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
"""
REQUIRED = SURVEY + "required = true\n"


def form_of(text):
    return ak.publish(ak.parse_survey(text.encode()))


def test_what_is_required_is_needed_in_the_form_and_its_comment_is_not():
    form = form_of(SURVEY)
    assert form.document["askance"] == "form-2"
    assert form.required_questions == ("works",)
    assert ["needed" in question for question in form.document["questions"]] == [True, False, False]
    assert Form.read(form.bytes).required_questions == form.required_questions
    free = SURVEY.replace("required = true", "required = false").replace(
        "comment = { limit = 9 }", ""
    )
    assert form_of(free).document["askance"] == "form-1"


def test_check_says_what_is_required_and_warns_where_it_is_protected():
    plain, forced = (ak.check(form_of(item)) for item in (SURVEY, REQUIRED))
    result = {question.name: " ".join(question.sentences) for question in forced.questions}
    assert "An answer is required" in result["works"]
    assert "An answer is required" in result["used"]
    assert "An answer is required" not in result["works_comment"]
    assert any(
        warning.startswith("Required, although protected: used.") for warning in forced.warnings
    )
    assert not any("Required" in warning for warning in plain.warnings)


def test_a_blank_is_taken_in_since_chance_and_skips_make_them_too():
    form = form_of(REQUIRED)
    assert accept(respond(form, {}).body(form.size), form).answers


def test_each_item_of_a_required_list_is_required():
    listed = REQUIRED.replace(
        '"warner", truth = "3/4" }', '"warner", truth = "3/4" }\nitems = ["a", "b"]'
    )
    assert form_of(listed).required_questions == ("works", "used_a", "used_b")


def test_what_is_neither_true_nor_false_is_refused():
    with pytest.raises(SurveyError) as refusal:
        form_of(SURVEY.replace("required = true", 'required = "yes"'))
    assert refusal.value.where == "question[0].required"
