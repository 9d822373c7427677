"""What is shown of a survey that is still open says that its intervals are for one look."""

import json
import secrets
from pathlib import Path

import pytest
from click.testing import CliRunner

import askance as ak
from askance.cli import verbs
from askance_collect.collect import Accepted, open_store

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
    form, path = ak.publish(ak.parse_survey(SURVEY)), tmp_path / "tea.db"
    Path(tmp_path, "tea.form.json").write_bytes(form.bytes)
    store = open_store(path, form)
    reports = [0] * 25 + [1] * 45 + [2] * 30
    store.append([Accepted(secrets.token_bytes(16), f'{{"tea":{value}}}') for value in reports])
    store.close()
    return str(tmp_path / "tea.form.json"), str(path)


def typed(*words: str) -> str:
    done = CliRunner().invoke(verbs, words)
    assert done.exit_code == 0, done.output
    return done.output


def test_it_is_said_while_the_survey_is_open_and_no_longer(places, tmp_path):
    form, store = places
    page = str(tmp_path / "tea.html")
    for fieldwork in ("open", "closed"):
        still = fieldwork == "open"
        assert ("for a single look" in typed("collect", "status", store)) is still
        assert ("for a single look" in typed("estimate", form, store, "--page", page)) is still
        assert ("for a single look" in Path(page).read_text(encoding="utf-8")) is still
        assert json.loads(typed("estimate", form, store, "--json"))["fieldwork"] == fieldwork
        if still:
            typed("collect", "close", store)


ANALYSES = {
    "estimate": ("--column", "tea"),
    "estimate by region": ("--by", "region", "--column", "tea"),
    "compare": ("--by", "region"),
    "bounds": ("--set", "any=yes,no"),
    "bounds by region": ("--nonresponse", "--by", "region"),
    "compliance": (),
    "small-areas": ("--by", "region"),
    "regress": ("--formula", "tea ~ C(region)"),
    "regress by region": ("--formula", "tea ~ 1", "--by", "region"),
}


@pytest.mark.parametrize("name", ANALYSES)
def test_every_verb_that_reads_a_store_says_it_while_the_survey_is_open(name, tmp_path):
    """In a line beside the result, however it is written, and as a value in the JSON."""
    form = ak.publish(ak.parse_survey(SURVEY + REGION))
    written, path = tmp_path / "tea.form.json", tmp_path / "tea.db"
    written.write_bytes(form.bytes)
    store = open_store(path, form)
    pairs = [(tea, region) for tea, n in ((0, 30), (1, 50), (2, 34)) for region in (0, 1, 2) * n]
    lines = [f'{{"tea":{tea},"region":{region}}}' for tea, region in pairs]
    store.append([Accepted(secrets.token_bytes(16), line) for line in lines])
    store.close()
    verb = name.split()[0], str(written), str(path)
    for fieldwork in ("open", "closed"):
        for how in ("table", "csv", "latex", "html"):
            result = CliRunner().invoke(verbs, [*verb, *ANALYSES[name], "--format", how])
            assert result.exit_code == 0, result.output
            assert result.stderr.count("for a single look") == (fieldwork == "open"), how
        told = CliRunner().invoke(verbs, [*verb, *ANALYSES[name], "--json"])
        assert json.loads(told.stdout)["fieldwork"] == fieldwork
        assert told.stderr == ""
        if fieldwork == "open":
            typed("collect", "close", str(path))


REGION = b"""
[[question]]
name = "region"
text = "Where do you live?"
answers = ["north", "south", "west"]
"""


@pytest.mark.parametrize("name", [item for item in ANALYSES if item != "estimate"])
def test_every_verb_names_beside_a_table_without_notes_what_does_not_fit(name, tmp_path):
    """1,350 of 1,590 said nothing, where 3 in 10 would."""
    form = ak.publish(ak.parse_survey(SURVEY + REGION))
    written, path = tmp_path / "tea.form.json", tmp_path / "tea.csv"
    written.write_bytes(form.bytes)
    reports = (("yes", 30), ("no", 50), ("don't know", 450))
    rows = [f"{tea},{region}" for tea, n in reports for region in ("north", "south", "west") * n]
    path.write_text("\n".join(["tea,region", *rows, ""]), encoding="utf-8")
    verb = name.split()[0], str(written), str(path)
    for how in ("csv", "latex", "html"):
        result = CliRunner().invoke(verbs, [*verb, *ANALYSES[name], "--format", how])
        assert result.exit_code == 0, result.output
        assert "do not fit" in result.stderr or "misfit" in result.stdout, how


def test_of_a_file_nobody_knows(places, tmp_path):
    form, store = places
    export = str(tmp_path / "tea.csv")
    typed("collect", "export", store, export)
    assert json.loads(typed("estimate", form, export, "--json"))["fieldwork"] == "unknown"
    assert "one look" not in typed("estimate", form, export)
