"""Who is shown what is sent: a choice of the survey where that may be untrue."""

import pytest

from askance.survey import parse_survey, publish
from askance_collect.errors import SurveyError
from askance_collect.wire import Form

HEAD = """
askance = "survey-1"
title = "Tea"
consent = "Say it or leave."
"""
QUESTION = """
[[question]]
name = "tea"
text = "How much tea do you drink?"
answers = ["none", "some", "much"]
"""
LIES = 'mechanism = { name = "kary", truth = "1/2" }'
TRUE = 'mechanism = { name = "runs", number = 2 }\nproves = "accepted"\nproves_reason = "tried"'


def form_of(review, mechanism=LIES):
    return publish(parse_survey((HEAD + review + QUESTION + mechanism).encode()))


@pytest.mark.parametrize(
    ("review", "mechanism", "version", "on_request"),
    [
        ("", LIES, "form-1", True),
        ('review = "on request"', LIES, "form-1", True),
        ('review = "open"', LIES, "form-2", False),
        ("", TRUE, "form-1", False),
        ('review = "open"', TRUE, "form-1", False),
        ("", "", "form-1", False),
    ],
)
def test_a_key_is_written_only_where_it_changes_something(review, mechanism, version, on_request):
    form = form_of(review, mechanism)
    assert form.document["askance"] == version
    assert form.shown_on_request == on_request
    assert ("review" in form.document) == (version == "form-2")
    assert Form.read(form.bytes) == form


def test_a_form_at_the_default_keeps_its_bytes():
    assert (
        form_of("").bytes
        == form_of('review = "on request"').bytes
        != form_of('review = "open"').bytes
    )


@pytest.mark.parametrize(
    ("review", "mechanism", "message"),
    [
        ('review = "opn"', LIES, 'review: got \'opn\'; allowed: "on request" or "open"'),
        ("review = true", LIES, "review: got 'true or false'"),
        ('review = "on request"', TRUE, "all that is sent is true"),
        ('review = "on request"', "", "leave review out"),
    ],
)
def test_what_cannot_be_chosen_is_refused(review, mechanism, message):
    with pytest.raises(SurveyError) as refused:
        form_of(review, mechanism)
    assert message in str(refused.value)


def test_a_coin_in_the_world_sends_what_is_so():
    coin = 'mechanism = { name = "crosswise", harmless = "1/4" }\ncoin = "a birthday"'
    question = QUESTION.replace('"none", "some", "much"', '"yes", "no"') + coin
    assert not publish(parse_survey((HEAD + question).encode())).shown_on_request
