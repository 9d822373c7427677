"""Small groups are taken as one, and compared by the flag that tells groups apart elsewhere."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import askance as ak
from askance.cli import verbs

SEXES = np.repeat(["man", "woman", "other"], [300, 280, 20])
SURVEY = """
askance = "survey-1"
title = "Study"
consent = "Say it or leave."
minimum = 50
[[question]]
name = "sex"
text = "Your sex?"
answers = ["man", "woman", "other"]
[[question]]
name = "used"
text = "Have you ever used it?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rng = np.random.default_rng(3)
    path = tmp_path / "sent.csv"
    used = np.where(rng.random(600) < 0.4, "yes", "no")
    rows = [
        f"{sex},{reply},{row % 2}" for row, (sex, reply) in enumerate(zip(SEXES, used, strict=True))
    ]
    path.write_text("\n".join(["sex,used,term", *rows]) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def form(tmp_path: Path) -> Path:
    path = tmp_path / "survey.form.json"
    path.write_bytes(ak.publish(ak.parse_survey(SURVEY.encode())).bytes)
    return path


def run(*words: object, code: int = 0) -> tuple[str, str]:
    outcome = CliRunner().invoke(verbs, [*map(str, words)])
    assert outcome.exit_code == code, outcome.output
    return outcome.stdout, f"{outcome.stderr}{outcome.exception or ''}"


def groups(*words: object) -> dict[str, int]:
    document = json.loads(run("estimate", *words, "--json")[0])
    document = document["questions"]["used"] if "questions" in document else document
    return {
        row["group"]["sex"]: None if row["estimate"] is None else row["reports"]
        for row in document["groups"]
    }


def test_a_small_group_is_shown_with_another(form: Path, table: Path) -> None:
    alone = groups(form, table, "--by", "sex", "--column", "used")
    assert alone["other"] is None
    groups_result = groups(
        form, table, "--by", "sex", "--column", "used", "--collapse", "other,woman"
    )
    assert groups_result == {"man": 300, "other or woman": 300}
    named = groups(form, table, "--by", "sex", "--column", "used", "--collapse", "sex=other, woman")
    assert named == groups_result


def test_the_message_names_the_flag(form: Path, table: Path) -> None:
    _, output = run("estimate", form, table, "--by", "sex", "--column", "used")
    assert '--collapse "other,man"' in output
    _, output = run("compare", form, table, "--by", "sex", "--column", "used", code=1)
    assert '--collapse "other,man"' in output
    _, output = run("estimate", form, table, "--by", "sex", "--collapse", "other,woman")
    assert "--collapse" not in output
    assert "Groups by sex with fewer" in run("check", form, "--details")[0]


@pytest.mark.parametrize("flag", ["--by", "--group"])
def test_groups_are_compared_by_either_flag(form: Path, table: Path, flag: str) -> None:
    words = ["compare", form, table, "--column", "used", flag, "sex", "--collapse", "other,woman"]
    document = json.loads(run(*words, "--json")[0])
    assert {*document["groups"]} == {"man", "other or woman"}


def test_the_last_of_several_columns_holds_the_groups(form: Path, table: Path) -> None:
    words = ["compare", form, table, "--column", "used", "--by", "term", "--by", "sex"]
    document = json.loads(run(*words, "--collapse", "sex=other,woman", "--json")[0])
    assert document["by"] == ["term"]
    assert len(document["groups"]) == 2


def test_a_mechanism_by_its_name_collapses_groups_too(table: Path) -> None:
    words = ["--mechanism", "warner:truth=3/4", "--column", "used", table, "--by", "sex"]
    assert groups(*words, "--collapse", "other,woman") == {"man": 300, "other or woman": 300}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--collapse", "other,woman"], "--by COLUMN"),
        (
            ["--by", "sex", "--collapse", "others,woman"],
            "got 'others'; allowed: two groups or more of",
        ),
        (["--by", "sex", "--collapse", "other"], "man, other, woman"),
        (["--by", "sex", "--by", "term", "--collapse", "other,woman"], "COLUMN=GROUP,GROUP"),
    ],
)
def test_what_cannot_be_joined_is_refused(
    form: Path, table: Path, words: list[str], message: str
) -> None:
    assert message in " ".join(run("estimate", form, table, *words, code=1)[1].split())


HOSTILE = ["missing", "", "all", "None", "x, y"]
"""Names of groups that are words of ours, and one that is no name."""


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    replies = {"missing": "yyyn", "": "yynn", "all": "ynnn", "None": "yynn", "x, y": "yyyy"}
    words = {"y": "yes", "n": "no"}
    lines = [f'{words[sign]},"{name}"' for name in HOSTILE for sign in replies[name] * 10]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["said,town", *lines]) + "\n")
    return path


WARNER = ("--mechanism", "warner:truth=3/4", "--column", "said", "--by", "town")


def test_a_group_is_never_what_is_missing_or_all(hostile: Path) -> None:
    expected = {"“missing”": 1.0, "missing": 0.5, "all": 0.0, "None": 0.5, "x, y": 1.0}
    shown = run("estimate", hostile, *WARNER)[0]
    compared = json.loads(run("compare", hostile, *WARNER, "--json")[0])
    assert all(name in shown for name in expected)
    assert {name: fit["value"][0] for name, fit in compared["groups"].items()} == pytest.approx(
        expected, abs=1e-6
    )
    table = run("compare", hostile, *WARNER, "--format", "csv")[0].splitlines()
    shares = {line.partition(",yes,")[0]: float(line.split(",yes,")[1].split(",")[0])
              for line in table if ",yes," in line and "−" not in line}  # fmt: skip
    assert shares.pop("all groups") == pytest.approx(0.7, abs=1e-6)
    assert {name.strip('"'): share for name, share in shares.items()} == pytest.approx(
        expected, abs=1e-6
    )


def test_what_is_missing_is_collapsed_by_its_name_alone(hostile: Path) -> None:
    def reports(*collapsed: str) -> dict[str, int]:
        rows = run("estimate", hostile, *WARNER, "--collapse", *collapsed, "--format", "csv")[0]
        lines = [line.replace('"', "") for line in rows.splitlines() if ",yes," in line]
        return {line.partition(",yes,")[0]: int(line.split(",")[-2]) for line in lines}

    assert reports("None,all") == {"None or all": 80, "“missing”": 40, "x, y": 40, "missing": 40}
    assert reports("missing,all")["missing or all"] == 80
    error = run("estimate", hostile, *WARNER, "--collapse", "Nonne,all", code=1)[1]
    assert "did you mean 'None'" in error


def test_a_collapsed_name_is_new(tmp_path: Path) -> None:
    rows = [f"{said},{town}" for said in ("yes", "no") for town in ("a", "b", "a or b")]
    (tmp_path / "t.csv").write_text("\n".join(["said,town", *rows]) + "\n")
    error = run("estimate", tmp_path / "t.csv", *WARNER, "--collapse", "a,b", code=1)[1]
    assert "while there is a group 'a or b'" in error
