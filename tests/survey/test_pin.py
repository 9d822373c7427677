"""A pinned page: a choice of the survey, which moves no form without it."""

import hashlib
import re

import pytest

from askance.survey import parse_survey, publish
from askance_collect.errors import FormError, SurveyError
from askance_collect.respond import render_page
from askance_collect.wire import Form

SURVEY = """
askance = "survey-1"
title = "Tea"
consent = "Say it or leave."
{pin}
[[question]]
name = "tea"
text = "Do you drink tea?"
answers = ["yes", "no"]
"""


def form_of(pin):
    return publish(parse_survey(SURVEY.replace("{pin}", pin).encode()))


def test_the_form_says_so_and_another_keeps_its_bytes():
    form = form_of("pin = true")
    assert form.pins_page
    assert form.document["askance"] == "form-2"
    assert Form.read(form.bytes) == form
    assert form_of("").bytes == form_of("pin = false").bytes
    assert render_page(form_of("")).companions == {}


def test_the_page_knows_itself_by_all_but_what_follows_from_that():
    page = render_page(form_of("pin = true"))
    assert page == render_page(form_of("pin = true"))
    own, worker = re.search(rb'\npin\("(\w{64})","(\w{64})"\);', page.bytes).groups()
    bare = page.bytes.replace(b'pin("' + own + b'"', b"pin(", 1)
    bare = re.sub(rb"script-src 'sha256-[^']*'", b"script-src", bare, count=1)
    assert hashlib.sha256(bare).hexdigest().encode() == own
    content, headers = page.companions["worker.js"]
    assert hashlib.sha256(content).hexdigest().encode() == worker
    assert "immutable" in headers["cache-control"]


@pytest.mark.parametrize("further", ["tablet = true", '[ending]\nwithin = ["https://p.example"]'])
def test_what_keeps_the_page_already_or_cannot_is_refused(further):
    with pytest.raises(SurveyError):
        form_of(f"pin = true\n{further}")


@pytest.mark.parametrize("other", [{"pin": False}, {"pin": 1}, {"tablet": True}])
def test_a_form_that_says_otherwise_is_refused(other):
    with pytest.raises(FormError):
        Form.read(form_of("pin = true").document | other)
