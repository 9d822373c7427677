"""`askance verifier` writes the page that somebody else hosts, and the link that leads there."""

import pytest
from click.testing import CliRunner

from askance.cli import verbs
from askance.survey import load_survey, publish
from askance_collect.errors import InputError
from askance_collect.respond import render_page, render_verifier, verified_link

HOME = "https://exam.example.org/"
SURVEY = f"""
askance = "survey-1"
title = "Exams"
consent = "Say it or leave."
collector = "{HOME}"
[[question]]
name = "cheated"
text = "Have you ever cheated in an exam?"
answers = ["yes", "no"]
mechanism = {{ name = "warner", truth = "3/4" }}
"""


@pytest.fixture
def survey(tmp_path):
    path = tmp_path / "exam.toml"
    path.write_text(SURVEY, "utf-8")
    return path


def typed(*words):
    return CliRunner().invoke(verbs, [str(word) for word in words])


def test_it_is_written_with_the_link_that_leads_there(survey, tmp_path):
    out = tmp_path / "exam.html"
    done = typed("verifier", survey, "--contact", "Ethics board", "--out", out)
    form = publish(load_survey(survey))
    verifier = render_verifier(form, HOME, "Ethics board")
    assert out.read_bytes() == verifier.bytes
    link = verified_link("https://library.example/exam.html", HOME, render_page(form).sha256)
    assert link in done.output
    assert verifier.sha256 in done.output
    elsewhere = "https://www.uni.example/exam.html"
    typed("verifier", survey, "--contact", "Ethics board", "--out", out, "--page", elsewhere)
    assert out.read_bytes() == render_verifier(form, elsewhere, "Ethics board").bytes


def test_without_a_collector_there_is_none(survey, tmp_path):
    survey.write_text(SURVEY.replace(f'collector = "{HOME}"', ""), "utf-8")
    out = tmp_path / "exam.html"
    done = typed("verifier", survey, "--contact", "Ethics board", "--out", out)
    assert isinstance(done.exception, InputError)
    assert "collector" in str(done.exception)
    assert not out.exists()
