"""Every name of a design writes a survey file that is checked, published and rehearsed."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from askance import Form, Frame
from askance.cli import verbs
from askance.mechanisms import answer_mechanism
from askance.survey import deployed
from askance_collect.errors import InputError
from askance_collect.respond import respond

PAGE = Path(__file__).parents[2] / "docs/reference/command-line.md"


def run(*words):
    outcome = CliRunner().invoke(verbs, [str(word) for word in words])
    if outcome.exception:
        raise outcome.exception
    return outcome.output


SEVERAL = {"forced_several": "forced"}
"""Designs of more than two answers that have their recipe with one of two."""


def listed():
    """Read from the help every name of a design, and what it is called in a survey file."""
    lines = run("new", "--help").split("Mechanisms by name:\n")[1].splitlines()
    found = (re.fullmatch(r" *([\w, -]+?) +\w+ = .*", line) for line in lines)
    kinds = [one[1].split(", ") for one in found if one]
    found = {name: names[0].replace("-", "_") for names in kinds for name in names}
    return {name: SEVERAL.get(kind, kind) for name, kind in found.items()}


NAMES = listed()
PAIRS = {
    "extended_crosswise": "crosswise",
    "mangat_pairs": "mangat",
    "forced_pairs": "one_sided",
}
"""What each of two groups is asked by, of the designs that have them."""
RULES = {"unrelated_pairs"}
"""What is asked by two rules in the world."""
ALONE = [name for name, kind in NAMES.items() if kind not in {*PAIRS, *RULES}]
IN_TWO = [name for name, kind in NAMES.items() if kind in PAIRS]


@pytest.mark.long
@pytest.mark.parametrize("name", ALONE)
def test_a_mechanism_by_its_name_is_checked_published_and_rehearsed(name, tmp_path):
    survey = tmp_path / "s.toml"
    run("new", survey, "--mechanism", name)
    assert "cheated" in run("check", survey)
    run("publish", survey)
    form = Form.read((tmp_path / "s.form.json").read_bytes())
    asked = deployed(form.question("cheated"))
    told = dict(asked.question.about["mechanism"])
    assert told.pop("name") == NAMES[name]
    named = {key: json.loads(one) if one[:1] in "[{" else one for key, one in told.items()}
    reports = asked.channel.reports
    if reports != asked.channel.frame.answers:
        assert all(one in form.document["consent"]["en"] for one in reports)
    recipe = answer_mechanism(NAMES[name], named, asked.channel.frame)
    assert recipe.channel(asked.channel.frame) == asked.channel
    found = json.loads(run("study", survey, "--people", 60, "--times", 2, "--json"))
    assert [one["question"] for one in found] == ["region", "cheated"]


@pytest.mark.long
@pytest.mark.parametrize("name", IN_TWO)
def test_a_mechanism_of_two_groups_is_checked_published_rehearsed_and_estimated(name, tmp_path):
    survey = tmp_path / "s.toml"
    run("new", survey, "--mechanism", name)
    assert "Chance puts 50 of 100 people into group “many”." in run("check", survey)
    run("publish", survey)
    form = Form.read((tmp_path / "s.form.json").read_bytes())
    assert form.document["askance"] == "form-2"
    asked = deployed(form.question("cheated"))
    told = asked.question.about["mechanism"]
    assert {one["name"] for one in told.values()} == {PAIRS[NAMES[name]]}
    groups = [deployed(one) for one in asked.question.group_questions]
    assert groups[0].channel != groups[1].channel
    for one in asked.guarantees:
        weakest = [each for own in groups for each in own.guarantees if each.notion is one.notion]
        assert one.value == max(each.value for each in weakest)
    reports = tmp_path / "reports.jsonl"
    sent = [respond(form, {"region": 0, "cheated": int(at % 4 > 0)}) for at in range(400)]
    reports.write_text("".join(f"{json.dumps(dict(one.values))}\n" for one in sent))
    found = json.loads(run("estimate", tmp_path / "s.form.json", reports, "--json"))
    value, errors = (found["findings"][1]["estimate"][key] for key in ("value", "se"))
    assert abs(value[0] - 1 / 4) < 6 * errors[0]
    assert found["findings"][1]["fit"]["p_value"] > 1e-9


@pytest.mark.long
@pytest.mark.parametrize("coin", ["birthday", "house-number"])
@pytest.mark.parametrize("name", ["crosswise", "triangular"])
def test_a_coin_in_the_world_is_checked_published_rehearsed_and_estimated(name, coin, tmp_path):
    survey = tmp_path / "s.toml"
    run("new", survey, "--mechanism", name, "--coin", coin)
    assert "the device draws nothing" in " ".join(run("check", survey).split())
    run("publish", survey)
    form = Form.read((tmp_path / "s.form.json").read_bytes())
    assert (form.document["askance"], form.questions[1].kind) == ("form-2", "choice")
    harmless = {"birthday": "1/4", "house-number": "3/10"}[coin]
    asked = deployed(form.question("cheated"))
    recipe = answer_mechanism(name, {"harmless": harmless}, asked.channel.frame)
    assert recipe.channel(asked.channel.frame) == asked.channel
    found = json.loads(run("study", survey, "--people", 60, "--times", 2, "--json"))
    assert [one["question"] for one in found] == ["region", "cheated"]


@pytest.mark.long
@pytest.mark.parametrize("name", ["unrelated-pairs", "greenberg"])
def test_two_rules_in_the_world_are_checked_published_rehearsed_and_estimated(name, tmp_path):
    survey = tmp_path / "s.toml"
    run("new", survey, "--mechanism", name)
    told = " ".join(run("check", survey).split())
    assert "Whoever knows the harmless answer of a person can learn the other for certain" in told
    run("publish", survey)
    form = Form.read((tmp_path / "s.form.json").read_bytes())
    reports, rows = tmp_path / "reports.jsonl", deployed(form.question("cheated")).channel.matrix
    often = [round(600 * part) for part in [0.1, 0.4, 0.5, 0] @ rows]
    sent = [reply for reply, times in enumerate(often) for _ in range(times)]
    said = [respond(form, {"region": 0, "cheated": reply}) for reply in sent]
    reports.write_text("".join(f"{json.dumps(dict(one.values))}\n" for one in said))
    found = json.loads(run("estimate", tmp_path / "s.form.json", reports, "--json"))["findings"][1]
    assert found["estimate"]["labels"] == ["yes", "no"]
    assert abs(found["estimate"]["value"][0] - 0.5) < 0.01
    asked = json.loads(run("study", survey, "--people", 60, "--times", 2, "--json"))
    assert [one["question"] for one in asked] == ["region", "cheated"]


def test_a_coin_in_the_world_is_for_joint_questions(tmp_path):
    for words in (["--mechanism", "warner"], ["--mechanism", "greenberg"], []):
        with pytest.raises(InputError, match="--mechanism crosswise or triangular"):
            run("new", tmp_path / "s.toml", "--coin", "birthday", *words)


def test_reference_lists_every_name():
    part = PAGE.read_text(encoding="utf-8").split("## `askance new")[1].split("\n## ")[0]
    assert [name for name in NAMES if f"`{name}`" not in part] == []
    assert max(map(len, run("new", "--help").splitlines())) <= 80


def test_every_mechanism_of_the_catalogue_can_be_begun_with():
    with pytest.raises(InputError) as told:
        answer_mechanism("", {}, Frame(["yes", "no"]))
    known = set(told.value.allowed.split(", "))
    mine = {"kary", "abstain", "redistribute", "blocks", "runs", "partitions", "table"}
    assert set(NAMES.values()) - {*PAIRS, *RULES} == known - mine


def test_a_name_that_is_none_is_refused_with_those_that_are(tmp_path):
    outcome = CliRunner().invoke(
        verbs, ["new", str(tmp_path / "s.toml"), "--mechanism", "croswise"]
    )
    assert outcome.exit_code == 2
    assert re.search(r"'croswise' is not one of .*'crosswise'", outcome.output)
    assert not (tmp_path / "s.toml").exists()
