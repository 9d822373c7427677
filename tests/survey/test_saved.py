"""Saved pages: a choice of the survey, committed by its form, which moves no form without it."""

import pytest

from askance.survey import parse_survey, publish
from askance_collect.errors import FormError, SurveyError
from askance_collect.respond import render_page
from askance_collect.wire import Form

SURVEY = """
askance = "survey-1"
title = "Tea"
consent = "Say it or leave."
collector = "https://example.org/survey/"
{saved}
[[question]]
name = "tea"
text = "Do you drink tea?"
answers = ["yes", "no"]
"""


def form_of(saved):
    return publish(parse_survey(SURVEY.replace("{saved}", saved).encode()))


def test_the_form_says_so_and_another_keeps_its_bytes():
    form = form_of("saved = true")
    assert form.saved
    assert form.document["askance"] == "form-2"
    assert Form.read(form.bytes) == form
    assert form_of("").bytes == form_of("saved = false").bytes
    assert not form_of("").saved
    assert len(render_page(form_of("")).bytes) < len(render_page(form).bytes)


def test_a_survey_without_a_collector_has_no_saved_pages():
    nowhere = SURVEY.replace("https://example.org/survey/", "").replace("{saved}", "saved = true")
    with pytest.raises(SurveyError, match="saved"):
        publish(parse_survey(nowhere.encode()))


@pytest.mark.parametrize("other", [{"saved": False}, {"saved": 1}, {"collector": ""}])
def test_a_form_that_says_otherwise_is_refused(other):
    with pytest.raises(FormError):
        Form.read(form_of("saved = true").document | other)
