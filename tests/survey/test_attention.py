"""Attention checks: who failed is counted, and estimates are made with them and without."""

import json

import pytest
from click.testing import CliRunner

import askance as ak
from askance.analysis import AttentionCheck
from askance.cli import verbs
from askance.engines import Counts
from askance_collect.errors import FormError, SurveyError
from askance_collect.wire import Form

SURVEY = """
askance = "survey-1"
title = "Study"
consent = "Say it or leave."
minimum = 10
[[question]]
name = "colour"
text = "Please choose blue here."
answers = ["red", { name = "blue", en = "Blue" }]
attention = "blue"
[[question]]
name = "used"
text = "Have you ever used it?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
"""
RED, BLUE = 0, 1


def form_of(text=SURVEY):
    return ak.publish(ak.parse_survey(text.encode()))


def reports(path, *rows):
    """Write so many reports of each row."""
    lines = (
        json.dumps({"colour": colour, "used": used}) for colour, used, n in rows for _ in range(n)
    )
    path.write_text("\n".join(lines) + "\n")
    return path


def estimate(form, path, *flags):
    written = path.with_name("study.form.json")
    written.write_bytes(form.bytes)
    result = CliRunner().invoke(verbs, ["estimate", str(written), str(path), *flags])
    return result.exit_code, result.output + str(result.exception or "")


def test_the_right_answer_is_told_beside_the_form_which_stays_of_the_first_version():
    form = form_of()
    assert form.document["askance"] == "form-1"
    assert form.document["about"]["attention"] == {"colour": "blue"}
    result = ak.check(form).questions[0].sentences
    assert any("the right answer is “blue”. The device ignores it" in item for item in result)


def test_those_who_failed_are_counted():
    counts = Counts(100, {"colour": {RED: 12, BLUE: 80, None: 8}, "used": {0: 60, 1: 40}})
    analyse_result = ak.analyse(form_of(), counts)
    (item,) = analyse_result.attention
    assert item == AttentionCheck(
        question="colour", correct_answer="blue", passed=80, failed=12, blank=8
    )
    assert (
        item.sentence == "Attention: 12 of 92 people gave another answer than “blue”; 8 gave none."
    )
    assert analyse_result.to_dict()["attention"] == [item.to_dict()]


def test_estimates_are_made_with_those_who_failed_and_without(tmp_path):
    form = form_of()
    path = reports(tmp_path / "r.jsonl", (BLUE, 0, 60), (BLUE, 1, 20), (None, 1, 20), (RED, 1, 25))
    _, result = estimate(form, path, "--json")
    every = json.loads(result)
    _, result = estimate(form, path, "--json", "--attentive", "--page", str(tmp_path / "p.html"))
    attentive = json.loads(result)
    assert (every["reports"], attentive["reports"], attentive["left_out"]) == (125, 100, 25)
    assert "left_out" not in every
    assert every["attention"] == attentive["attention"]
    shares = [item["findings"][1]["estimate"]["value"][0] for item in (every, attentive)]
    assert shares == pytest.approx([(60 / 125 - 1 / 4) * 2, (60 / 100 - 1 / 4) * 2])
    assert attentive["command"].endswith("--attentive")
    page = (tmp_path / "p.html").read_text()
    assert "The reports of 25 people are left out" in page
    assert "25 of 105 people gave another answer" in page


def test_what_would_tell_of_few_by_subtraction_is_withheld(tmp_path):
    """Nine failed, and the minimum is ten: what they reported is what all did but the others."""
    form = form_of()
    path = reports(tmp_path / "r.jsonl", (BLUE, 0, 60), (BLUE, 1, 40), (RED, 1, 9))
    _, result = estimate(form, path, "--json", "--attentive")
    assert [finding["withheld"] for finding in json.loads(result)["findings"]] == [True, True]
    path = reports(tmp_path / "r.jsonl", (BLUE, 0, 60), (BLUE, 1, 40), (RED, 1, 10))
    _, result = estimate(form, path, "--json", "--attentive")
    assert [finding["withheld"] for finding in json.loads(result)["findings"]] == [False, False]
    path = reports(tmp_path / "r.jsonl", (BLUE, 0, 60), (BLUE, 1, 40), (RED, 1, 9), (RED, None, 9))
    _, result = estimate(form, path, "--json", "--attentive")
    assert [finding["withheld"] for finding in json.loads(result)["findings"]] == [False, True]
    path = reports(tmp_path / "r.jsonl", (BLUE, 0, 60), (BLUE, 1, 40))
    _, result = estimate(form, path, "--json", "--attentive")
    assert [finding["withheld"] for finding in json.loads(result)["findings"]] == [False, False]


def test_lists_are_withheld_with_their_questions(tmp_path):
    more = SURVEY + '[[question]]\nname = "has"\ntext = "?"\nchoose = "all"\nanswers = ["a", "b"]\n'
    form = form_of(more)
    lines = [
        json.dumps({"colour": index > 4, "used": 0, "has_a": 0, "has_b": index % 2})
        for index in range(60)
    ]
    (tmp_path / "r.jsonl").write_text("\n".join(lines).replace("true", "1").replace("false", "0"))
    _, result = estimate(form, tmp_path / "r.jsonl", "--json", "--attentive")
    (outcome,) = json.loads(result)["lists"]
    assert all(item["withheld"] for item in (*outcome["items"], *outcome["pairs"]))


def test_without_a_check_or_without_the_reports_nobody_is_left_out(tmp_path):
    form, path = form_of(), reports(tmp_path / "r.jsonl", (BLUE, 0, 60))
    code, result = estimate(
        form_of(SURVEY.replace('attention = "blue"\n', "")), path, "--attentive"
    )
    assert code != 0
    assert "without an attention check" in result
    counts = Counts(60, {"colour": {BLUE: 60}, "used": {0: 60}}).to_dict(form)
    (tmp_path / "c.json").write_text(json.dumps(counts))
    code, result = estimate(form, tmp_path / "c.json", "--attentive")
    assert code != 0
    assert "the reports themselves" in result


def test_a_check_that_chance_or_nobody_can_pass_is_refused():
    protected = SURVEY.replace('["yes", "no"]', '["yes", "no"]\nattention = "yes"')
    for text, where, message in (
        (protected, "question[1].attention", "a protected question"),
        (
            SURVEY.replace('attention = "blue"', 'attention = "bleu"'),
            "question[0].attention",
            "blue",
        ),
        (
            SURVEY.replace(
                'answers = ["red", { name = "blue", en = "Blue" }]',
                "line = { lower = 0, upper = 9 }",
            ),
            "question[0].attention",
            "a line",
        ),
    ):
        with pytest.raises(SurveyError) as error:
            form_of(text)
        assert error.value.where == where
        assert message in str(error.value)


@pytest.mark.parametrize(
    "result", [["colour"], {"colour": "green"}, {"used": "yes"}, {"x": "yes"}, 3]
)
def test_a_form_that_names_no_answers_of_its_own_is_refused(result):
    document = form_of().document
    document["about"]["attention"] = result
    with pytest.raises(FormError, match="attention"):
        ak.analyse(Form.read(document), Counts(0, {"colour": {}, "used": {}}))


IN_TOWNS = (
    SURVEY
    + """
[[question]]
name = "town"
text = "Where do you live?"
answers = ["north", "south"]
[[question]]
name = "age"
text = "How old are you?"
line = { lower = 0, upper = 40, step = 4 }
mechanism = { name = "cuts", number = 1 }
"""
)
HEAD = "colour,used,town,age_above,age_upto,w\n"


def table(path, *rows):
    """Write so many rows of each town: of those who passed, failed, and left the check blank."""
    lines = [
        f"{colour},{'yes' if index % 3 else 'no'},{town},"
        f"{'12,' if index % 2 else ',12'},{1 + index % 4}"
        for town, *counts in rows
        for colour, n in zip(("blue", "red", ""), counts, strict=True)
        for index in range(n)
    ]
    path.write_text(HEAD + "\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize(
    "columns", [["--by", "town"], ["--by", "town", "--weights", "w"], ["--weights", "w"]]
)
def test_those_who_failed_are_left_out_of_groups_and_of_samples(tmp_path, columns):
    form = form_of(IN_TOWNS)
    path = table(tmp_path / "all.csv", ("north", 60, 15, 12), ("south", 50, 30, 11))
    only = table(tmp_path / "only.csv", ("north", 60, 0, 12), ("south", 50, 0, 11))
    code, result = estimate(form, path, "--attentive", *columns)
    assert code == 0
    assert "left out: the reports of 45 people who failed an attention check" in result
    written = [
        json.loads(estimate(form, *item, "--json", *columns)[1].partition("left out: ")[0])
        for item in ((path, "--attentive"), (only,))
    ]
    if "--weights" in columns:  # in a sample they are a domain, whose errors know of the others
        used = [item["questions"]["used"] for item in written]
        groups = [item.get("groups", [{"estimate": item}]) for item in used]
        shares = [[item["estimate"]["value"] for item in group] for group in groups]
        assert shares[0] == [pytest.approx(item) for item in shares[1]]
    else:
        assert written[0] == written[1]
    page = tmp_path / "p.html"
    estimate(form, path, "--attentive", *columns, "--page", str(page))
    assert "Left out: the reports of 45 people" in page.read_text()
    assert "--attentive" in page.read_text()


def test_a_stratified_sample_keeps_those_who_failed_in_its_errors(tmp_path):
    """They are no part of the domain, but of the sample from which it was drawn."""
    form = form_of(IN_TOWNS)
    path = table(tmp_path / "all.csv", ("north", 60, 15, 0), ("south", 50, 30, 0))
    flags = ["--column", "used", "--strata", "town", "--weights", "w", "--json"]
    document = json.loads(estimate(form, path, "--attentive", *flags)[1].partition("left out: ")[0])
    every = [line.split(",") for line in path.read_text().splitlines()[1:]]
    sampling = ak.inference.SamplingDesign(
        weights=[float(item[5]) for item in every], strata=[item[2] for item in every]
    )
    passed = [item[0] == "blue" for item in every]
    tally = ak.tally(
        ak.survey.deployed(form.question("used")).channel,
        [item[1] for item in every],
        sampling=sampling.domain(passed),
    )
    expected = ak.estimate(tally)
    assert document["value"] == pytest.approx(expected.value.tolist())
    assert document["se"] == pytest.approx(expected.se.tolist())


def test_groups_of_whom_few_failed_are_withheld(tmp_path):
    """Nine of the south failed, and the minimum is ten: all of it, less the others, is theirs."""
    form = form_of(IN_TOWNS)

    def shown(*rows):
        path = table(tmp_path / "all.csv", *rows)
        flags = ["--attentive", "--by", "town", "--column", "used", "--json"]
        groups = json.loads(estimate(form, path, *flags)[1].partition("left out: ")[0])["groups"]
        return {group["group"]["town"]: group["estimate"] is not None for group in groups}

    assert shown(("north", 60, 10, 0), ("south", 50, 10, 0)) == {"north": True, "south": True}
    assert shown(("north", 60, 0, 0), ("south", 50, 0, 0)) == {"north": True, "south": True}
    assert shown(("north", 60, 30, 0), ("south", 50, 9, 0))["south"] is False
    code, result = estimate(
        form, table(tmp_path / "a.csv", ("north", 0, 30, 0)), "--attentive", "--by", "town"
    )
    assert code != 0
    assert "nobody who passed" in result
