"""Going on later: a choice of the survey, in days, that moves no form without it."""

import pytest
from click.testing import CliRunner

from askance.cli import verbs
from askance.survey import parse_survey, publish
from askance_collect.errors import FormError, SurveyError
from askance_collect.wire import Form

HEAD = """
askance = "survey-1"
title = "Tea"
consent = "Say it or leave."
contact = "office@example.org"
"""
QUESTION = """
[[question]]
name = "tea"
text = "Do you drink tea?"
answers = ["yes", "no"]
"""


def form_of(later):
    return publish(parse_survey((HEAD + later + QUESTION).encode()))


@pytest.mark.parametrize(
    ("later", "days", "version"),
    [
        ("", None, "form-1"),
        ("later = false", None, "form-1"),
        ("later = true", 14, "form-2"),
        ("later = 1", 1, "form-2"),
        ("later = 90", 90, "form-2"),
    ],
)
def test_the_form_says_for_how_many_days(later, days, version):
    form = form_of(later)
    assert form.resume_days == form.document.get("later") == days
    assert form.document["askance"] == version
    assert Form.read(form.bytes) == form


def test_a_form_without_it_keeps_its_bytes():
    assert form_of("").bytes == form_of("later = false").bytes != form_of("later = true").bytes


@pytest.mark.parametrize(
    ("later", "message"),
    [
        ("later = 0", "allowed: true, which is 14 days, or 1 to 90 days; leave later out"),
        ("later = -3", "later: got -3"),
        ("later = 91", "later: got 91; allowed: true, which is 14 days, or 1 to 90 days"),
        ('later = "yes"', "later: got"),
        ("later = 1.5", "later: got"),
        ("later = nan", "later: got"),
        ("later = []", "later: got"),
    ],
)
def test_what_is_no_number_of_days_is_refused(later, message):
    with pytest.raises(SurveyError) as refused:
        form_of(later)
    assert message in str(refused.value)


@pytest.mark.parametrize("days", [None, True, 0, 91, "14", [14]])
def test_a_form_with_other_days_is_refused(days):
    document = form_of("later = true").document | {"later": days}
    with pytest.raises(FormError, match=r"^later: "):
        Form.read(document)


def test_check_says_what_lies_on_the_device_and_for_how_long(tmp_path):
    result = {}
    for later in ("", "later = 30"):
        path = tmp_path / "tea.toml"
        path.write_text(HEAD + later + QUESTION, encoding="utf-8")
        run = CliRunner().invoke(verbs, ["check", str(path)])
        assert run.exit_code == 0
        result[later] = run.output
    assert "go on later" not in result[""]
    text = " ".join(result["later = 30"].split())
    assert "their answers then lie on the device, encrypted under a code" in text
    assert "or 30 days are over" in text
