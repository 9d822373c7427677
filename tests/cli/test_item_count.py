"""`askance item-count`: the same as from Python, and what it refuses."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import askance as ak
from askance.cli import verbs
from askance_collect.errors import AskanceError

TABLE = Path(__file__).parents[2] / "r" / "inst" / "extdata" / "practices.csv"
LISTS = ["--list", "list", "--control", "short", "--items", "3"]
SAMPLE = ["--weights", "weight", "--strata", "region", "--clusters", "school"]


def typed(*words: str, table: Path = TABLE) -> str:
    ran = CliRunner().invoke(verbs, ["item-count", str(table), *words], catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def run_json(*words: str) -> dict:
    return json.loads(typed(*words, *LISTS, "--json"))


@pytest.fixture(scope="module")
def people():
    import pandas as pd

    return pd.read_csv(TABLE)


def counted(people, **how):
    return ak.inference.count_items("items", "list", items=3, control="short", data=people, **how)


def test_the_difference_in_means_is_that_of_python(people):
    assert run_json("--column", "items") == ak.inference.item_count(counted(people)).to_dict()
    assert "difference in means" in typed("--column", "items", *LISTS)


def test_a_complex_sample_is_that_of_python(people):
    columns = ak.inference.SamplingColumns(weights="weight", strata="region", clusters="school")
    document = ak.inference.item_count(counted(people, sampling=columns), level=0.9).to_dict()
    result = run_json("--column", "items", "--level", "0.9", *SAMPLE)
    assert result["value"] == pytest.approx(document["value"], rel=1e-12)
    assert result["lower"] == pytest.approx(document["lower"], rel=1e-12)


@pytest.mark.long
def test_a_regression_is_that_of_python_without_the_rows_that_have_holes(people):
    result = run_json("--formula", "items ~ age + female", "--missing", "drop", "--overdispersed")
    person = people[~people.age.isna()]
    how = {"items": 3, "control": "short", "overdispersed": True}
    fit = ak.inference.item_count_regression("items", "list", "~ age + female", data=person, **how)
    assert result["value"] == pytest.approx(fit.value.tolist(), rel=1e-6)
    assert result["n"] == 1188


@pytest.mark.long
def test_of_a_complex_sample_rows_with_holes_are_outside(people):
    """Every school keeps somebody: dropping rows and leaving them outside are one thing."""
    result = run_json("--formula", "items ~ age", "--missing", "drop", *SAMPLE)
    columns = ak.inference.SamplingColumns(weights="weight", strata="region", clusters="school")
    person = people[~people.age.isna()]
    how = {"items": 3, "control": "short", "sampling": columns}
    fit = ak.inference.item_count_regression("items", "list", "~ age", data=person, **how)
    assert result["value"] == pytest.approx(fit.value.tolist(), rel=1e-6)
    assert result["se"] == pytest.approx(fit.se.tolist(), rel=1e-6)


@pytest.mark.parametrize(("method", "link"), [("nls", "logit"), ("lm", "identity")])
def test_least_squares_are_those_of_python(people, method, link):
    result = run_json("--formula", "items ~ female", "--method", method, *SAMPLE)
    columns = ak.inference.SamplingColumns(weights="weight", strata="region", clusters="school")
    how = {"items": 3, "control": "short", "sampling": columns, "link": link}
    fit = ak.inference.item_count_least_squares("items", "list", "~ female", data=people, **how)
    assert result["value"] == pytest.approx(fit.value.tolist(), rel=1e-6)
    assert result["se"] == pytest.approx(fit.se.tolist(), rel=1e-6)
    assert result["link"] == link


@pytest.mark.parametrize("method", ["nls", "ml"])
def test_mean_shares_held_are_those_of_python(people, method):
    result = run_json("--formula", "items ~ female", "--method", method, "--anchored", *SAMPLE)
    columns = ak.inference.SamplingColumns(weights="weight", strata="region", clusters="school")
    how = {"items": 3, "control": "short", "sampling": columns, "anchored": True}
    fitted = {
        "nls": ak.inference.item_count_least_squares,
        "ml": ak.inference.item_count_regression,
    }
    fit = fitted[method]("items", "list", "~ female", data=people, **how)
    assert result["anchored"] is True
    assert result["value"] == pytest.approx(fit.value.tolist(), rel=1e-6)
    assert result["se"] == pytest.approx(fit.se.tolist(), rel=1e-6)
    means = run_json("--column", "items", *SAMPLE)
    assert result["prevalence"]["value"] == pytest.approx(means["value"], rel=1e-12)


def test_an_item_that_goes_with_the_others_is_that_of_python(people):
    result = run_json("--formula", "items ~ 1", "--condition", "level")
    how = {"items": 3, "control": "short", "condition": "level"}
    fit = ak.inference.item_count_regression("items", "list", "~ 1", data=people, **how)
    assert result["names"][-1] == "long: control items"
    assert result["value"] == pytest.approx(fit.value.tolist(), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(
    ("words", "how"),
    [
        ([], {}),
        (["--unconstrained", "--errors", "robust"], {"constrained": False, "errors": "robust"}),
        (["--family", "logit", *SAMPLE], {"family": "logit", "sampling": "drawn"}),
    ],
)
def test_an_outcome_of_the_item_is_that_of_python(people, words, how):
    """Ages have holes, of which the outcome is one as any other."""
    outcome = "female" if "logit" in words else "age"
    result = run_json("--formula", "items ~ 1", "--outcome", outcome, "--missing", "drop", *words)
    if "sampling" in how:
        draws = {"weights": "weight", "strata": "region", "clusters": "school"}
        how |= {"sampling": ak.inference.SamplingColumns(**draws)}
    person = people[~people[outcome].isna()]
    how |= {"items": 3, "control": "short", "data": person}
    count_outcome = ak.inference.item_count_outcome("items", "list", outcome, "~ 1", **how)
    assert result["names"] == list(count_outcome.names)
    assert result["value"] == pytest.approx(count_outcome.value.tolist(), rel=1e-6, abs=1e-9)
    assert result["se"] == pytest.approx(count_outcome.se.tolist(), rel=1e-6)
    assert result["description"] == count_outcome.description


def test_rows_left_out_are_told():
    words = ["--formula", "items ~ age", "--missing", "drop", *LISTS]
    ran = CliRunner().invoke(verbs, ["item-count", str(TABLE), *words])
    assert "12 of 1,200 rows left out; nothing in age 12" in ran.stderr


def test_groups_are_those_of_python_and_domains_of_a_sample(people):
    result = run_json("--column", "items", "--by", "region")
    assert result["by"] == ["region"]
    for item in result["groups"]:
        of = people[people.region == item["group"]["region"]]
        estimate = ak.inference.item_count(counted(of))
        assert (item["rows"], item["estimate"]) == (len(of), estimate.to_dict())
    sampling = ak.inference.SamplingColumns(weights="weight", strata="region", clusters="school")
    entire = sampling.of(people)
    groups = run_json("--column", "items", "--by", "female", "--by", "region", *SAMPLE)["groups"]
    assert len(groups) == 6
    for item in groups:
        group = item["group"]
        is_kept = (people.female == group["female"]) & (people.region == group["region"])
        estimate = ak.inference.item_count(
            counted(people, sampling=entire.domain(is_kept.to_numpy()))
        )
        assert item["estimate"]["value"] == pytest.approx(estimate.value.tolist(), rel=1e-12)
        assert item["estimate"]["se"] == pytest.approx(estimate.se.tolist(), rel=1e-12)
    typed_result = typed("--column", "items", "--by", "region", *LISTS)
    assert typed_result.count("difference in means") == 3
    assert "region: south\n" in typed_result


def test_a_regression_of_each_group_says_where_it_has_none(people, tmp_path):
    table = people.assign(few=["few"] * 4 + ["many"] * (len(people) - 4))
    table.to_csv(tmp_path / "few.csv", index=False)
    words = ("--formula", "items ~ female", "--by", "few", *LISTS)
    few, many = json.loads(typed(*words, "--json", table=tmp_path / "few.csv"))["groups"]
    assert (few["rows"], few["fit"]) == (4, None)
    assert few["refused"]
    how = {"items": 3, "control": "short"}
    remaining = table[table.few == "many"]
    regression = ak.inference.item_count_regression(
        "items", "list", "~ female", data=remaining, **how
    )
    assert many["fit"]["value"] == pytest.approx(regression.value.tolist(), rel=1e-6)
    assert f"few: few\nnot estimated: {few['refused']}" in typed(*words, table=tmp_path / "few.csv")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "neither --column nor --formula"),
        (["--column", "items", "--formula", "items ~ age"], "both --column and --formula"),
        (["--column", "itms"], "did you mean 'items'"),
        (["--column", "items", "--overdispersed"], "nothing, without --formula"),
        (["--column", "items", "--misreport", "top"], "got 'top'; allowed: nothing"),
        (["--column", "items", "--method", "lm"], "nothing, without --formula"),
        (["--column", "items", "--anchored"], "nothing, without --formula"),
        (["--formula", "items ~ 1", "--outcome", "female", "--anchored"], "with --outcome"),
        (["--formula", "items ~ 1", "--anchored", "--misreport", "top"], "misreport='top'"),
        (
            ["--formula", "items ~ female", "--method", "nls", "--overdispersed"],
            "nothing, with --method nls",
        ),
        (["--formula", "items ~ female", "--family", "logit"], "nothing, with --method ml"),
        (["--formula", "items ~ 1", "--outcome", "female", "--overdispersed"], "with --outcome"),
        (["--formula", "items ~ 1", "--outcome", "female", "--method", "ml"], "with --outcome"),
        (["--formula", "items ~ 1", "--outcome", "femal"], "did you mean 'female'"),
        (["--formula", "items ~ 1", "--outcome", "age"], "nothing in age 12.*--missing drop"),
        (["--formula", "items ~ 1", "--outcome", "forced", "--missing", "drop"], "outcome"),
        (["--column", "items", "--outcome", "female"], "nothing, without --formula"),
        (["--formula", "items ~ female", "--method", "lm", "--errors", "robust"], "--method lm"),
        (["--formula", "items ~ age"], "nothing in age 12.*--missing drop"),
        (["--formula", "items ~ height"], "height"),
        (["--column", "age"], "nothing in age 12"),
        (["--column", "weight"], "a whole number"),
        (["--column", "items", "--strata", "country"], "country"),
        (["--column", "items", "--by", "country"], "country"),
        (["--column", "items", "--by", "items"], "compared with themselves"),
        (["--column", "items", "--by", "list"], "control group"),
    ],
)
def test_what_cannot_be_meant_is_refused(words, message):
    with pytest.raises(AskanceError, match=message):
        typed(*words, *LISTS)


def test_a_table_is_written_for_a_paper_and_for_a_program(people):
    estimate = ak.inference.item_count(counted(people))
    head, row = typed("--column", "items", *LISTS, "--format", "csv").splitlines()
    assert head == "item,share,se,lower,upper,said 0,said all"
    assert [float(part) for part in row.split(",")[1:5]] == [
        item.tolist()[0] for item in (estimate.value, estimate.se, estimate.lower, estimate.upper)
    ]
    groups = typed("--column", "items", "--by", "female", *LISTS, "--format", "csv").splitlines()
    assert [line.split(",")[0] for line in groups] == ["female", "0", "1"]
    latex = typed("--formula", "items ~ 1", "--method", "lm", *LISTS, "--format", "latex")
    assert r"\caption{share for whom each item holds, from a list experiment" in latex
    assert "1,200 respondents; robust se" in latex
    html = typed("--column", "items", *LISTS, "--format", "html", "--methods")
    assert "<caption" in html
    assert "<p>References</p>" in html


def test_a_control_group_that_nobody_is_in_is_refused():
    with pytest.raises(AskanceError, match="the control group"):
        typed("--column", "items", "--list", "list", "--control", "none", "--items", "3")
