"""askance audit: what is typed, what is printed, and the exit status that CI reads."""

import json
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from askance import AskanceError
from askance.cli import verbs

ROOT = Path(__file__).parents[2]
SURVEY = ROOT / "examples/affairs.toml"
COPY = "import sys\nfor line in sys.stdin: print(line.strip())"
COIN = """
import random, sys
for line in sys.stdin:
    lie = {"yes": "no", "no": "yes"}[line.strip()]
    print(line.strip() if random.random() < .75 else lie)
"""
SURE = ("--alpha", 1e-9, "--seed", 1)


def run(*words):
    outcome = CliRunner().invoke(verbs, ["audit", *map(str, words)])
    if outcome.exception and not isinstance(outcome.exception, SystemExit):
        raise outcome.exception
    return outcome.exit_code, outcome.output


def program(code):
    return "--program", shlex.join([sys.executable, "-c", code])


@pytest.mark.long
def test_a_survey_is_audited_question_by_question():
    code, output = run(SURVEY, "--draws", 2_400, *SURE)
    assert code == 0
    for name in ("affair", "religious", "years"):
        assert f"{name}: nothing wrong in 2,400 reports\n" in output
    assert max(map(len, output.splitlines())) <= 80


def test_a_program_that_does_as_it_says_passes():
    stated = ("--answers", "yes,no", "--ratio", 3)
    code, output = run(*program(COIN), *stated, "--draws", 2_000, *SURE)
    assert code == 0
    assert "nothing wrong in 2,000 reports" in output
    assert "at least: " in output


def test_a_program_that_tells_all_fails_and_says_so_in_json():
    words = (*program(COPY), "--answers", "yes,no", "--epsilon", 1, "--draws", 400, *SURE)
    code, output = run(*words, "--json")
    assert code == 1
    (result,) = json.loads(output)
    assert result["passed"] is False
    assert "local privacy ε ≥ " in result["verdict"]


def test_a_program_stands_beside_the_question_that_it_answers():
    arguments = (SURVEY, "--question", "affair", "--draws", 400, *SURE)
    code, output = run(*arguments, *program(COPY))
    assert code == 1
    assert "every report is as frequent as is stated" in output


@pytest.mark.long
def test_a_page_has_each_table_plot_and_verdict(tmp_path):
    page = tmp_path / "audit.html"
    run(SURVEY, "--question", "affair", "--draws", 1_000, "--html", page, *SURE)
    written = page.read_text("utf-8")
    assert "affair: nothing wrong in 1,000 reports" in written
    assert written.count("<svg") == 1
    assert "<script" not in written


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "nothing to audit"),
        (program(COPY), "--program with --answers"),
        ((SURVEY, "--answers", "yes,no"), "one of the two"),
        ((SURVEY, *program(COPY)), "--question NAME"),
        ((SURVEY, "--question", "marriage"), "whose report no device draws"),
        ((SURVEY, "--question", "years", "--page"), "with named answers"),
    ],
)
def test_what_cannot_be_audited_is_refused(words, message):
    with pytest.raises(AskanceError) as refused:
        run(*words)
    assert message in str(refused.value)
