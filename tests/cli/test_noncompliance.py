"""People who do not comply, from the command line: the same as from Python, and what it refuses."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import askance as ak
from askance.cli import verbs
from askance.inference import compliance_regression, stochastic_lie_detector
from askance.mechanisms import OneSided
from askance.survey import parse_survey, publish
from askance_collect.collect import accept, open_store
from askance_collect.errors import AskanceError
from askance_collect.respond import respond

YN = ak.Frame(["yes", "no"])
CHANNELS = {
    "few": OneSided(forced_yes="1/6").channel(YN),
    "many": OneSided(forced_yes="5/6").channel(YN),
}
GROUPS = ["--group", "version"]
for named, forced in (("few", "1/6"), ("many", "5/6")):
    GROUPS += ["--mechanism", f"{named}=one-sided:forced_yes={forced}"]


def typed(*words: Any) -> str:
    ran = CliRunner().invoke(verbs, [str(word) for word in words], catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    return ran.stdout


@pytest.fixture(scope="module")
def people() -> dict[str, list[Any]]:
    """Carriers, half of whom deny if they are wary; one in five of the others is forced or not."""
    dice = random.Random(2012)
    rows: dict[str, list[Any]] = {name: [] for name in ("said", "wary", "version", "town", "w")}
    for index in range(900):
        wary, version = dice.randrange(2), ("few", "many")[index % 2]
        carries, denies = dice.random() < 0.5, dice.random() < 0.15 + 0.35 * wary
        yes = not denies if carries else dice.random() < (1 / 6 if version == "few" else 5 / 6)
        row = ("yes" if yes else "no", wary, version, index // 15, 1 + index % 3)
        for name, value in zip(rows, row, strict=True):
            rows[name].append(value)
    return rows


@pytest.fixture
def table(people: dict[str, list[Any]], tmp_path: Path) -> Path:
    lines = [
        ",".join(people),
        *(",".join(map(str, row)) for row in zip(*people.values(), strict=True)),
    ]
    (tmp_path / "said.csv").write_text("\n".join(lines) + "\n")
    return tmp_path / "said.csv"


def fitted(people: dict[str, list[Any]], **how: Any) -> Any:
    group = [list(CHANNELS).index(item) for item in people["version"]]
    items = list(CHANNELS.values())
    kind = stochastic_lie_detector()
    return compliance_regression("said", "~ 1", items, kind, data=people, group=group, **how)


REGRESS = ["--formula", "said ~ 1", "--model", "sld", "--compliance", "~ wary"]


def test_it_is_that_of_python(people, table):
    document = json.loads(typed("regress", table, *GROUPS, *REGRESS, "--json"))
    known_document = fitted(people, compliance="~ wary").to_dict()
    assert document["names"] == ["yes: intercept", "deny: intercept", "deny: wary"]
    for name in ("value", "se"):
        assert document[name] == pytest.approx(known_document[name], rel=1e-6)
    assert document["prevalence"]["value"] == pytest.approx(
        known_document["prevalence"]["value"], rel=1e-6
    )


def test_a_complex_sample_and_its_methods(people, table):
    arguments = ["--weights", "w", "--clusters", "town"]
    document = json.loads(
        typed("regress", table, *GROUPS, *REGRESS, *arguments, "--json", "--methods")
    )
    sampling = ak.inference.SamplingColumns(weights="w", clusters="town")
    fitted_result = fitted(people, compliance="~ wary", sampling=sampling)
    assert document["se"] == pytest.approx(fitted_result.se.tolist(), rel=1e-6)
    text = document["methods"]["text"]
    for word in ("“few” and “many”", "assumed to deny", "Moshagen et al., 2012", "Binder, 1983"):
        assert word in text


def test_tables_hold_the_shares_of_answers_and_classes(table):
    typed_result = typed("regress", table, *GROUPS, *REGRESS, "--format", "latex")
    assert typed_result.count(r"\begin{table}") == 3
    assert "classes: share of each answer" in typed_result
    assert "deny" in typed("regress", table, *GROUPS, *REGRESS, "--effects")


def test_groups_without_a_kind_are_a_plain_regression(people, table):
    document = json.loads(typed("regress", table, *GROUPS, "--formula", "said ~ wary", "--json"))
    group = [list(CHANNELS).index(item) for item in people["version"]]
    regression = ak.response_regression(
        "said", "~ wary", list(CHANNELS.values()), data=people, group=group
    )
    assert document["value"] == pytest.approx(regression.value.tolist(), rel=1e-6)


SURVEY = b"""
askance = "survey-1"
title = "Marriage"
consent = "Voluntary."
[[question]]
name = "affair"
text = "An affair?"
answers = ["yes", "no"]
[[question.group]]
name = "few"
share = "1/2"
mechanism = { name = "one_sided", forced_yes = "1/6" }
[[question.group]]
name = "many"
share = "1/2"
mechanism = { name = "one_sided", forced_yes = "5/6" }
"""


@pytest.mark.long
def test_a_form_knows_its_groups(tmp_path):
    form = publish(parse_survey(SURVEY))
    (tmp_path / "s.form.json").write_bytes(form.bytes)
    store, dice = open_store(tmp_path / "r.db", form), random.Random(3)
    numbers = [int(dice.random() < 0.6) for _ in range(800)]
    store.append(
        [accept(respond(form, {"affair": number}).body(form.size), form) for number in numbers]
    )
    store.close()
    index = tmp_path / "s.form.json", tmp_path / "r.db"
    affair = [row.values["affair"] for row in ak.engines.report_rows(str(index[1]), form)]
    reports = ["yes" if item % 2 == 0 else "no" for item in affair]
    group = [item // 2 for item in affair]
    regression = compliance_regression(
        reports, None, list(CHANNELS.values()), stochastic_lie_detector(), group=group
    )
    document = json.loads(
        typed("regress", *index, "--formula", "affair ~ 1", "--model", "sld", "--json")
    )
    assert document["value"] == pytest.approx(regression.value.tolist(), rel=1e-5)


REFUSED = {
    "no such kind": (["--model", "liars"], "cheating, sld"),
    "a key of another kind": (["--model", "cheating:carriers=yes"], "says"),
    "no report": (["--model", "self-protective"], "says=…"),
    "no such report": (["--model", "cheating:says=maybe"], "allowed: yes, no"),
    "compliance without a kind": (["--compliance", "~ wary"], "beside --model"),
    "compliance with a left side": (
        ["--model", "sld", "--compliance", "said ~ wary"],
        "right side of a formula",
    ),
    "an unknown group": (["--model", "sld", "--group", "town"], "few, many"),
    "a group twice": (["--mechanism", "few=one-sided:forced_yes=1/5"], "each group once"),
    "a group without a name": (["--mechanism", "warner:truth=3/4"], "GROUP=NAME"),
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_is_refused(why, table):
    words, result = REFUSED[why]
    with pytest.raises(AskanceError, match=result.replace("(", r"\(")):
        typed("regress", table, *GROUPS, "--formula", "said ~ 1", *words)


def test_groups_are_named_only_where_there_are_some(table):
    alone = ["--mechanism", "one-sided:forced_yes=1/6", "--formula", "said ~ 1"]
    with pytest.raises(AskanceError, match="nothing, with one mechanism"):
        typed("regress", table, *alone, "--group", "version")
    with pytest.raises(AskanceError, match="the column of groups"):
        typed("regress", table, *GROUPS[2:], "--formula", "said ~ 1")


def test_shares_of_groups_are_compared_and_counted_by_their_column(table, tmp_path):
    with pytest.raises(
        AskanceError, match="2 groups'; allowed: one mechanism; compare, compliance, "
    ):
        typed("estimate", table, *GROUPS[2:])
    with pytest.raises(AskanceError, match="--group: got 'no column'; allowed: the column of gro"):
        typed("count", table, *GROUPS[2:], "--column", "said", "--out", tmp_path / "c.json")
