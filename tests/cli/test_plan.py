"""askance plan: from flags or from a survey to a mechanism, a number of people and TOML."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner
from scipy import stats

from askance import AskanceError, Form, parse_survey, publish
from askance.analysis import check
from askance.cli import verbs
from askance.survey import deployed

ROOT = Path(__file__).parents[2]
HEAD = 'askance = "survey-1"\ntitle = "T"\nconsent = "C"\n'


def run(*words):
    outcome = CliRunner().invoke(verbs, ["plan", *map(str, words)])
    if outcome.exception:
        raise outcome.exception
    return outcome.output


@pytest.mark.long
def test_flags_lead_to_a_block_that_publishes(tmp_path):
    written = tmp_path / "question.toml"
    completed = run("--epsilon", 1, "--prevalence", ".05", "--half-width", 0.1, "--out", written)
    assert "warner: truth 0.731" in completed
    assert f"{written} is written" in completed
    (question,) = publish(parse_survey((HEAD + written.read_text("utf-8")).encode())).questions
    assert deployed(question).channel.table.rows == ((731, 269), (269, 731))
    with pytest.raises(AskanceError, match="a new file"):
        run("--epsilon", 1, "--out", written)


def test_what_is_printed_publishes_too():
    completed = run("--advantage", "1/2", "--answers", "never, once, often", "--blank", ".05")
    block = completed[completed.index("# askance plan") :]
    (question,) = publish(parse_survey((HEAD + block).encode())).questions
    assert [answer.name for answer in question.answers] == ["never", "once", "often"]
    assert question.blank == (1, 20)
    assert max(map(len, completed[: completed.index("# askance")].splitlines())) <= 80


def test_what_reports_tell_is_said_of_the_declared_people_now_and_as_recommended(tmp_path):
    survey, declared = (
        tmp_path / "sport.toml",
        'innocent = "no"\nexpect = { yes = "1/10", no = "9/10" }',
    )
    question = (
        'answers = ["yes", "no"]\nmechanism = { name = "abstain", truth = "1/2", lie = "1/10" }\n'
    )
    survey.write_text(f'{HEAD}[[question]]\nname = "q"\ntext = "Q?"\n{question}{declared}\n')
    risk = json.loads(run(survey, "--ratio", 3, "--json"))["q"]["risk"]
    now, recommended = risk["now"], risk["recommended"]
    assert (now["population"], now["guilty"], now["hit"]) == ("declared", "1/10", "0")
    assert now["posteriors"][0]["posterior"] == str(Fraction(5, 5 + 9))
    assert recommended["posteriors"][0]["posterior"] == str(Fraction(3, 3 + 9))
    text = " ".join(run(survey, "--ratio", 3).split())
    expected = "If 10 of 100 people have the answer “yes”, as the survey expects, then"
    assert f"as it is asked now: {expected} 35.7 of 100 who send “yes” have it" in text
    assert f"as recommended: {expected} 25 of 100 who send “yes” have it" in text


def test_what_reports_of_a_question_to_come_tell_is_said_of_the_shares_that_are_supposed():
    risk = json.loads(run("--ratio", 3, "--prevalence", "0.1", "--json"))["sensitive"]["risk"]
    assert risk["recommended"]["population"] == "declared"
    assert risk["recommended"]["posteriors"][0]["posterior"] == "1/4"
    worst = json.loads(run("--ratio", 3, "--json"))["sensitive"]["risk"]["recommended"]
    assert worst["population"] == "worst"
    assert (worst["posteriors"][0]["prior"], worst["posteriors"][0]["others"]) == ("37/100", "no")


def test_a_range_that_convicts_is_planned_with_the_people_it_hits_and_the_remedy(tmp_path):
    survey = tmp_path / "paid.toml"
    survey.write_text(
        f'{HEAD}[[question]]\nname = "q"\ntext = "Q?"\ninnocent = 0\n'
        'line = { lower = 0, upper = 200, step = 50 }\nmechanism = { name = "cuts" }\n'
        'expect = { lump = "9/10" }\nproves = "accepted"\nproves_reason = "tried"\n'
    )
    risk = json.loads(run(survey, "--half-width", 0.2, "--json"))["q"]["risk"]["now"]
    assert (risk["guilty"], risk["hit"], risk["remedy"]) == ("1/10", "1/20", "bands")
    assert risk["proofs"][0]["proves"] == ["not_innocent"]
    assert "Instead: a range never lies" in " ".join(run(survey, "--half-width", 0.2).split())


@pytest.mark.long
def test_every_protected_question_of_a_survey_is_planned():
    document = json.loads(run(ROOT / "examples/affairs.toml", "--json", "--half-width", 0.1))
    assert list(document) == ["affair", "religious", "years"]
    assert document["affair"]["current"]["guarantees"]["local"] == 1.79176
    best = document["affair"]["alternatives"][0]
    assert best["mechanism"]["name"] == "warner"
    assert best["guarantees"]["local"] <= 1.79176
    assert best["size"]["reports"] < document["affair"]["current"]["size"]["reports"]
    assert "years" in document["years"]["aim"]


@pytest.mark.long
def test_a_question_that_cannot_be_planned_says_so_and_the_others_are():
    document = json.loads(run(ROOT / "examples/income.toml", "--json"))
    assert "a number in (16520, 100000)" in document["income"]["refused"]
    assert "a part of the line, here 0.05 of 200,000" in document["income"]["refused"]
    assert "reports" in document["age"]
    assert "\nincome: half_width: got 10000.0; allowed:" in run(ROOT / "examples/income.toml")
    refused = json.loads(run(ROOT / "examples/income.toml", "--json", "--half-width", 0.3))
    assert "reports reveal two answers" in refused["getting_by"]["refused"]
    with pytest.raises(AskanceError, match=r"^age: half_width: got 7\.3e-08"):
        run(ROOT / "examples/income.toml", "--half-width", 1e-9)


@pytest.mark.long
def test_the_lines_for_a_survey_fit_in_it(tmp_path):
    survey = tmp_path / "s.toml"
    old = 'mechanism = { name = "abstain", truth = "1/2", lie = 0 }'
    survey.write_text(
        f'{HEAD}[[question]]\nname = "q"\ntext = "Q?"\nanswers = ["a", "b"]\n{old}\n'
        'proves = "accepted"\nproves_reason = "planned anew"\n',
        encoding="utf-8",
    )
    completed = run(survey, "--epsilon", 2, "--advantage", ".3", "--prevalence", "0.2,0.8")
    line = completed.splitlines()[-1]
    assert "# q" in completed
    assert "as it is asked now" in completed
    published = publish(parse_survey(survey.read_text("utf-8").replace(old, line).encode()))
    assert local_ratio(published) <= 7.389057
    kept_completed = run(survey, "--half-width", ".1")
    assert kept_completed.startswith("q: advantage ≤ 0.5")


@pytest.mark.long
def test_what_is_best_as_it_is_stays_and_technical_names_are_explained(tmp_path):
    run_new = CliRunner().invoke(verbs, ["new", str(tmp_path / "s.toml")])
    assert run_new.exit_code == 0
    completed = run(tmp_path / "s.toml")
    assert completed.endswith("# party: leave it as it is\n")
    assert "Walley   Walley's loss: " in completed


def local_ratio(form: Form) -> float:
    rows = deployed(form.questions[0]).channel.matrix
    return float((rows.max(axis=0) / rows.min(axis=0)).max())


@pytest.mark.long
def test_a_loss_may_be_said_as_a_ratio():
    completed = run("--ratio", 3)
    assert completed.startswith("local ε ≤ ln 3; ")
    assert 'mechanism = { name = "warner", truth = "3/4" }' in completed
    loss = json.loads(run("--ratio", 3, "--json"))["sensitive"]["alternatives"][0]
    assert loss["guarantees"]["local"] == 1.098613


def test_power_and_a_population_are_heard():
    arguments = (
        "--epsilon",
        2,
        "--prevalence",
        0.2,
        "--null-prevalence",
        0.1,
        "--population",
        4000,
    )
    sensitive = json.loads(run(*arguments, "--json", "--response", ".5"))["sensitive"]
    size = sensitive["alternatives"][0]["size"]
    assert "power 0.8" in sensitive["aim"]
    assert size["attained"] >= 0.8
    assert size["people"] == 2 * size["reports"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "no bound"),
        (("--epsilon", "0"), "epsilon"),
        (("--ratio", "1"), "ratio"),
        (("--epsilon", "1", "--ratio", "3"), "epsilon and ratio"),
        (("--epsilon", "1", "--prevalence", "0"), "strictly between"),
        (("--epsilon", "1", "--half-width", "0.5"), r"\(0, 0.5\)"),
        (("--epsilon", "1", "--answers", "yes"), "two or more"),
        (("--epsilon", "1", "--answers", "yes,yes"), "different names"),
        (("--epsilon", "1", "--population", "300"), "at least 0.1"),
        (("--epsilon", "1", "--answers", "3", "--prevalence", ".5,.5,0"), "above 0"),
    ],
)
def test_what_cannot_be_is_refused(words, message):
    with pytest.raises(AskanceError, match=message):
        run(*words)


def test_a_survey_without_a_protected_question_is_refused(tmp_path):
    survey = tmp_path / "s.toml"
    survey.write_text(
        f'{HEAD}[[question]]\nname = "q"\ntext = "Q?"\nanswers = ["a", "b"]\n', encoding="utf-8"
    )
    with pytest.raises(AskanceError, match="asked plainly"):
        run(survey)


@pytest.mark.long
def test_every_kind_of_range_is_planned_and_checked(tmp_path):
    line = "line = { lower = 0, upper = 40, step = 1 }"
    rules = {
        "ring": '"ring", floor = "1/5"',
        "steps": '"progressive", number = 3, floor = "1/10"',
        "held": '"selective", number = 2, floor = "1/5", sent = "3/4"',
        "some": '"cuts", open = [[10, 20]]',
    }
    questions = (
        f'[[question]]\nname = "{name}"\ntext = "Q?"\n{line}\nmechanism = {{ name = {rule} }}\n'
        for name, rule in rules.items()
    )
    survey = tmp_path / "s.toml"
    survey.write_text(HEAD + "".join(questions), encoding="utf-8")
    document = json.loads(run(survey, "--json", "--half-width", 0.1))
    assert list(document) == list(rules)
    assert all(value["reports"] >= value["plain"] > 0 for value in document.values())
    assert document["held"]["people"] > document["held"]["reports"] * 4 / 3  # blank, and withheld
    checked = CliRunner().invoke(verbs, ["check", str(survey)])
    assert checked.exit_code == 0
    assert checked.output.count("Precision of a 95 % interval: ±") == len(rules)
    assert checked.output.count("Typically:") == checked.output.count("At worst:") == len(rules)
    assert max(map(len, checked.output.splitlines())) <= 80


def test_a_number_is_planned_for_its_median(tmp_path):
    survey = tmp_path / "s.toml"
    line = "line = { lower = 0, upper = 12, whole = true }\n"
    line += "mechanism = { name = 'cuts', between = [1, 11] }"
    survey.write_text(f'{HEAD}[[question]]\nname = "n"\ntext = "N?"\n{line}\n', encoding="utf-8")
    completed = run(survey, "--quantile", 0.5, "--half-width", 0.2)
    assert "n: 95 % interval of ± 2.4 for the median" in completed
    assert "people saved by knowing that shares rise" in completed
    assert max(map(len, completed.splitlines())) <= 80
    with pytest.raises(AskanceError, match=r"^quantile: got 'a question with named answers'"):
        run("--epsilon", 1, "--quantile", 0.5)


def test_a_survey_is_planned_for_the_population_that_it_declares(tmp_path: Path) -> None:
    """It was planned for answers as common as each other, unless --prevalence said otherwise."""
    path = tmp_path / "doped.toml"
    path.write_text(
        f'{HEAD}[[question]]\nname = "q"\ntext = "Q?"\nanswers = ["yes", "no"]\n'
        'mechanism = { name = "warner", truth = "3/4" }\n'
        'expect = { yes = "4/100", no = "96/100" }',
        encoding="utf-8",
    )
    size = json.loads(run(path, "--half-width", "0.02", "--json"))["q"]["current"]["size"]
    sent = 0.04 * 0.75 + 0.96 * 0.25
    by_hand = float(stats.norm.ppf(0.975) ** 2 * sent * (1 - sent) / 0.25 / 0.02**2)
    assert abs(size["people"] / by_hand - 1) < 0.01
    assert size["spread"] == "if shares were 0.04 and 0.96"
    typed = run(path, "--half-width", "0.02", "--prevalence", "0.5")
    assert "if answers were spread evenly" in typed


LIST = """
askance = "survey-1"
title = "Tea"
consent = "Say it or leave."
[[question]]
name = "tea"
text = "Which do you take?"
choose = "all"
protect = "together"
answers = ["black", "green", "white", "red"]
mechanism = { name = "kary", ratio = 20 }
"""


def test_a_list_sent_as_one_report_is_planned_by_its_items(tmp_path: Path) -> None:
    """It was sized by one of its sixteen sets of ticks: 306 people, who tell an item to ± 10."""
    path = tmp_path / "tea.toml"
    path.write_text(LIST, encoding="utf-8")
    size = json.loads(run(path, "--half-width", "0.05", "--json"))["tea"]
    # A report holds an item with chance 20 + 7 of 35 if it is ticked, and 8 of 35 if not.
    truth, lie = Fraction(27, 35), Fraction(8, 35)
    variance = Fraction(1, 4) / (truth - lie) ** 2
    by_hand = float(stats.norm.ppf(0.975) ** 2 * variance / 0.05**2)
    assert abs(size["people"] / by_hand - 1) < 0.01
    judged = check(publish(parse_survey(LIST.encode())), sizes=[size["people"]])
    assert judged.questions[0].precision == ((size["people"], "± 5.0 points"),)
    words = ["study", str(path), "--people", "50", "--times", "2", "--seed", "1", "--json"]
    studied = json.loads(CliRunner().invoke(verbs, words).stdout)
    accuracy = studied[0]["collections"][0]["accuracy"]
    assert [figure["name"] for figure in accuracy] == ["black", "green", "white", "red"]
    assert {figure["truth"] for figure in accuracy} == {0.5}
