"""askance study: from a survey or flags to how far off the estimates will be."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from askance import AskanceError
from askance.cli import verbs

ROOT = Path(__file__).parents[2]
SURVEY, ANSWERS = ROOT / "examples/affairs.toml", ROOT / "examples/affairs-answers.csv"
FLAGS = ("--line", "15,50,1", "--mechanism", "progressive:number=4,floor=1/10")
FEW = ("--people", 200, "--times", 3, "--seed", 1)


def run(*words):
    outcome = CliRunner().invoke(verbs, ["study", *map(str, words)])
    if outcome.exception:
        raise outcome.exception
    return outcome.output


@pytest.mark.long
def test_a_survey_is_rehearsed_with_recorded_answers():
    completed = run(SURVEY, "--answers", ANSWERS, *FEW)
    assert "affair: 200 people, 3 times" in completed
    assert re.search(r"^  yes +0\.32", completed, re.MULTILINE)
    risk = "What reports to affair reveal:\n  “yes” is most revealing if 29 of 100 people"
    assert risk in completed
    for name in ("bias", "rmse", "covered", "half-width", "energy distance", "possible"):
        assert re.search(rf"^(bias, )?{name}(, rmse)?: ", completed, re.MULTILINE), name
    assert max(map(len, completed.splitlines())) <= 80


@pytest.mark.long
def test_a_number_is_rehearsed_from_flags_and_json_is_the_same():
    law = ("--expect", "sensitive:normal,mean=29,sd=7")
    completed = run(*FLAGS, *law, *FEW)
    assert completed.index("round 1") < completed.index("progressive")
    (result,) = json.loads(run(*FLAGS, *law, *FEW, "--json"))
    assert result["question"] == "sensitive"
    first, more = result["collections"]
    assert first["accuracy"][0]["truth"] == pytest.approx(29, abs=0.1)
    assert more["left_possible"] < first["left_possible"]
    assert f"energy distance {more['energy_distance']:.3g}" in completed
    assert result["risk"]["population"] == "none"


@pytest.mark.long
def test_shares_and_sensitivities_are_read():
    completed = run(SURVEY, "--expect", "affair:.1,.9", *FEW, "--stops", "after")
    assert re.search(r"^  yes +0\.10*  ", completed, re.MULTILINE)
    eager = json.loads(run(*FLAGS, *FEW, "--sensitivity", "0,0", "--json"))
    loath = json.loads(run(*FLAGS, *FEW, "--sensitivity", "1,1", "--json"))
    assert loath[0]["collections"][1]["left_possible"] == pytest.approx(1)
    assert eager[0]["collections"][1]["left_possible"] < 0.7


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "a SURVEY, or --line with --mechanism"),
        (("--line", "0,9"), "a SURVEY, or --line with --mechanism"),
        ((SURVEY, "--line", "0,9"), "a survey, or a line"),
        (("--line", "0", "--mechanism", "cuts"), "lower,upper"),
        (("--line", "0,9", "--mechanism", "cut"), "cuts"),
        ((*FLAGS, "--expect", "normal,mean=1"), "QUESTION:LAW"),
        ((*FLAGS, "--expect", "sensitive:norml,mean=1,sd=1"), "normal"),
        ((*FLAGS, "--expect", "sensitive:1,2"), "a ppf"),
        ((*FLAGS, "--sensitivity", "0.5"), "2 numbers"),
        ((*FLAGS, "--sensitivity", "0.6,0.1"), "two shares"),
        ((*FLAGS, "--sensitivity", "low,high"), "number"),
        ((SURVEY, "--answers", ANSWERS, "--expect", "affair:.1,.9"), "one of the two"),
    ],
)
def test_what_cannot_be_studied_is_refused(words, message):
    with pytest.raises(AskanceError, match=message):
        run(*words, *FEW)
