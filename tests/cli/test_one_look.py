"""What is shown of a survey that is still open says that its intervals are for one look."""

import json
import secrets
from pathlib import Path

import pytest
from click.testing import CliRunner

import askance as ak
from askance.cli import verbs
from askance.collect import Accepted, open_store

SURVEY = b"""
askance = "survey-1"
title = "Tea"
consent = "Say it or leave."
contact = "us"
[[question]]
name = "tea"
text = "Do you drink tea?"
answers = ["yes", "no"]
mechanism = { name = "abstain", truth = "3/5", lie = "1/10" }
"""


@pytest.fixture
def places(tmp_path: Path) -> tuple[str, str]:
    """A form, and its open store of 100 reports."""
    form, place = ak.publish(ak.parse_survey(SURVEY)), tmp_path / "tea.db"
    Path(tmp_path, "tea.form.json").write_bytes(form.bytes)
    store = open_store(place, form)
    sent = [0] * 25 + [1] * 45 + [2] * 30
    store.append([Accepted(secrets.token_bytes(16), f'{{"tea":{value}}}') for value in sent])
    store.close()
    return str(tmp_path / "tea.form.json"), str(place)


def typed(*words: str) -> str:
    done = CliRunner().invoke(verbs, words)
    assert done.exit_code == 0, done.output
    return done.output


def test_it_is_said_while_the_survey_is_open_and_no_longer(places, tmp_path):
    form, store = places
    page = str(tmp_path / "tea.html")
    for fieldwork in ("open", "closed"):
        still = fieldwork == "open"
        assert ("for one look" in typed("collect", "status", store)) is still
        assert ("for one look" in typed("estimate", form, store, "--page", page)) is still
        assert ("for one look" in Path(page).read_text(encoding="utf-8")) is still
        assert json.loads(typed("estimate", form, store, "--json"))["fieldwork"] == fieldwork
        if still:
            typed("collect", "close", store)


def test_of_a_file_nobody_knows(places, tmp_path):
    form, store = places
    export = str(tmp_path / "tea.csv")
    typed("collect", "export", store, export)
    assert json.loads(typed("estimate", form, export, "--json"))["fieldwork"] == "unknown"
    assert "one look" not in typed("estimate", form, export)
