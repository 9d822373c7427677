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
    matches = (re.fullmatch(r" *([\w, -]+?) +\w+ = .*", line) for line in lines)
    kinds = [match[1].split(", ") for match in matches if match]
    matches = {name: names[0].replace("-", "_") for names in kinds for name in names}
    return {name: SEVERAL.get(kind, kind) for name, kind in matches.items()}


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
    deployed_question = deployed(form.question("cheated"))
    mapping = dict(deployed_question.question.about["mechanism"])
    assert mapping.pop("name") == NAMES[name]
    named = {
        key: json.loads(value) if value[:1] in "[{" else value for key, value in mapping.items()
    }
    reports = deployed_question.channel.reports
    if reports != deployed_question.channel.frame.answers:
        assert all(report in form.document["consent"]["en"] for report in reports)
    recipe = answer_mechanism(NAMES[name], named, deployed_question.channel.frame)
    assert recipe.channel(deployed_question.channel.frame) == deployed_question.channel
    result = json.loads(run("study", survey, "--people", 60, "--times", 2, "--json"))
    assert [item["question"] for item in result] == ["region", "cheated"]


@pytest.mark.long
@pytest.mark.parametrize("name", IN_TWO)
def test_a_mechanism_of_two_groups_is_checked_published_rehearsed_and_estimated(name, tmp_path):
    survey = tmp_path / "s.toml"
    run("new", survey, "--mechanism", name)
    assert "Chance puts 50 of 100 people into group “many”." in run("check", survey)
    run("publish", survey)
    form = Form.read((tmp_path / "s.form.json").read_bytes())
    assert form.document["askance"] == "form-2"
    deployed_question = deployed(form.question("cheated"))
    mechanism = deployed_question.question.about["mechanism"]
    assert {item["name"] for item in mechanism.values()} == {PAIRS[NAMES[name]]}
    groups = [
        deployed(group_question) for group_question in deployed_question.question.group_questions
    ]
    assert groups[0].channel != groups[1].channel
    for guarantee in deployed_question.guarantees:
        weakest = [
            item for own in groups for item in own.guarantees if item.notion is guarantee.notion
        ]
        assert guarantee.value == max(item.value for item in weakest)
    reports = tmp_path / "reports.jsonl"
    responses = [
        respond(form, {"region": 0, "cheated": int(index % 4 > 0)}) for index in range(400)
    ]
    reports.write_text("".join(f"{json.dumps(dict(response.values))}\n" for response in responses))
    result = json.loads(run("estimate", tmp_path / "s.form.json", reports, "--json"))
    value, errors = (result["findings"][1]["estimate"][key] for key in ("value", "se"))
    assert abs(value[0] - 1 / 4) < 6 * errors[0]
    assert result["findings"][1]["fit"]["p_value"] > 1e-9


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
    deployed_question = deployed(form.question("cheated"))
    recipe = answer_mechanism(name, {"harmless": harmless}, deployed_question.channel.frame)
    assert recipe.channel(deployed_question.channel.frame) == deployed_question.channel
    result = json.loads(run("study", survey, "--people", 60, "--times", 2, "--json"))
    assert [item["question"] for item in result] == ["region", "cheated"]


@pytest.mark.long
@pytest.mark.parametrize("name", ["unrelated-pairs", "greenberg"])
def test_two_rules_in_the_world_are_checked_published_rehearsed_and_estimated(name, tmp_path):
    survey = tmp_path / "s.toml"
    run("new", survey, "--mechanism", name)
    text = " ".join(run("check", survey).split())
    assert "Anyone who knows a person's harmless answer can learn the other one for certain" in text
    run("publish", survey)
    form = Form.read((tmp_path / "s.form.json").read_bytes())
    reports, rows = tmp_path / "reports.jsonl", deployed(form.question("cheated")).channel.matrix
    often = [round(600 * part) for part in [0.1, 0.4, 0.5, 0] @ rows]
    replies = [reply for reply, times in enumerate(often) for _ in range(times)]
    responses = [respond(form, {"region": 0, "cheated": reply}) for reply in replies]
    reports.write_text("".join(f"{json.dumps(dict(response.values))}\n" for response in responses))
    load = json.loads(run("estimate", tmp_path / "s.form.json", reports, "--json"))["findings"][1]
    assert load["estimate"]["labels"] == ["yes", "no"]
    assert abs(load["estimate"]["value"][0] - 0.5) < 0.01
    document = json.loads(run("study", survey, "--people", 60, "--times", 2, "--json"))
    assert [item["question"] for item in document] == ["region", "cheated"]


def test_a_coin_in_the_world_is_for_joint_questions(tmp_path):
    for words in (["--mechanism", "warner"], ["--mechanism", "greenberg"], []):
        with pytest.raises(InputError, match="--mechanism crosswise or triangular"):
            run("new", tmp_path / "s.toml", "--coin", "birthday", *words)


def test_reference_lists_every_name():
    part = PAGE.read_text(encoding="utf-8").split("## `askance new")[1].split("\n## ")[0]
    assert [name for name in NAMES if f"`{name}`" not in part] == []
    assert max(map(len, run("new", "--help").splitlines())) <= 80


def test_every_mechanism_of_the_catalogue_can_be_begun_with():
    with pytest.raises(InputError) as caught:
        answer_mechanism("", {}, Frame(["yes", "no"]))
    distinct = set(caught.value.allowed.split(", "))
    mine = {"kary", "abstain", "redistribute", "blocks", "runs", "partitions", "table"}
    assert set(NAMES.values()) - {*PAIRS, *RULES} == distinct - mine


def test_a_name_that_is_none_is_refused_with_those_that_are(tmp_path):
    outcome = CliRunner().invoke(
        verbs, ["new", str(tmp_path / "s.toml"), "--mechanism", "croswise"]
    )
    assert outcome.exit_code == 2
    assert re.search(r"'croswise' is not one of .*'crosswise'", outcome.output)
    assert not (tmp_path / "s.toml").exists()
