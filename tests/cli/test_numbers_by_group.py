"""Numbers from the command line: by group, of a complex sample, and their methods."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result

import askance as ak
from askance.cli import verbs

lab = ak.inference
N = 480
SURVEY = """
askance = "survey-1"
title = "Drinks"
consent = "Voluntary."
minimum = {minimum}
[[question]]
name = "drinks"
text = "How many drinks did you have last week?"
line = {{ lower = 0, upper = 20, step = 1, unit = "drinks" }}
mechanism = {{ name = "cuts", number = 1 }}
[[question]]
name = "age"
text = "How old are you?"
line = {{ lower = 0, upper = 90, step = 0.5, unit = "years" }}
"""
RING = (
    SURVEY.split("[[question]]")[0]
    + """
[[question]]
name = "drinks"
text = "How many drinks did you have last week?"
line = {{ lower = 0, upper = 20, step = 1, unit = "drinks" }}
mechanism = {{ name = "ring", floor = "1/4" }}
"""
)
SAMPLE = ("--weights", "w", "--strata", "region", "--clusters", "village")


def invented() -> pd.DataFrame:
    """Ranges from one cut each, blanks among them, and how people were drawn."""
    rng = np.random.default_rng(5)
    village, number = np.arange(N) // 16, 20 * rng.beta(2, 3, N)
    cut = rng.integers(1, 20, N)
    blank = np.arange(N) % 15 == 0
    return pd.DataFrame(
        {
            "drinks_above": np.where(blank | (number <= cut), "", cut.astype(str)),
            "drinks_upto": np.where(blank | (number > cut), "", cut.astype(str)),
            "age": 20 + np.arange(N) % 80 / 2,
            "village": village,
            "region": np.where(village % 2, "north", "south"),
            "w": rng.choice([1.0, 2.0, 5.0], N),
            "town": np.array(["a", "b", "c"])[village % 3],
        }
    )


@pytest.fixture(scope="module")
def numbers_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    mktemp_result = tmp_path_factory.mktemp("numbers")
    invented().to_csv(mktemp_result / "s.csv", index=False)
    (mktemp_result / "s.toml").write_text(SURVEY.format(minimum=10), encoding="utf-8")
    (mktemp_result / "ring.toml").write_text(RING.format(minimum=1), encoding="utf-8")
    return mktemp_result


def outcome(path: Path, *words: str, form: str = "s.toml", table: str = "s.csv") -> Result:
    questions = ["estimate", str(path / form), str(path / table), *words]
    return CliRunner().invoke(verbs, questions, catch_exceptions=False)


def ranges(table: pd.DataFrame) -> tuple[ak.RangeChannel, ak.Ranges]:
    channel = ak.RangeChannel(ak.Line(0, 20, 1, "drinks"), [1] * 19)
    low = pd.to_numeric(table["drinks_above"]).fillna(0).astype(int)
    high = pd.to_numeric(table["drinks_upto"]).fillna(20).astype(int)
    return channel, channel.ranges(np.column_stack([low, high]))


@pytest.mark.long
def test_numbers_by_group_are_those_of_each_group_alone(numbers_folder: Path) -> None:
    document = json.loads(outcome(numbers_folder, "--by", "town", "--json").stdout)
    assert document["left_out"] == []
    groups = document["questions"]["drinks"]["groups"]
    assert [item["group"]["town"] for item in groups] == ["a", "b", "c"]
    table = invented()
    for group in groups:
        name = group["group"]["town"]
        table[table["town"] == name].to_csv(numbers_folder / f"{name}.csv", index=False)
        alone = json.loads(outcome(numbers_folder, "--json", table=f"{name}.csv").stdout)
        (expected,) = (finding for finding in alone["findings"] if finding["name"] == "drinks")
        assert group["reports"] == expected["reports"]
        assert group["estimate"] == expected["estimate"]
    ages = document["questions"]["age"]["groups"]
    for group in ages:
        inside = table.loc[table["town"] == group["group"]["town"], "age"]
        assert group["estimate"]["mean"] == pytest.approx(inside.mean())
        assert group["reports"] == len(inside)


@pytest.mark.long
def test_numbers_of_a_sample_have_its_errors(numbers_folder: Path) -> None:
    table = invented()
    sampling = lab.SamplingDesign(weights="w", strata="region", clusters="village", data=table)
    to_numpy_result = (table["drinks_above"] + table["drinks_upto"] != "").to_numpy()
    channel, cells = ranges(table)
    estimate = ak.estimate_line(channel, cells, sampling=sampling.domain(to_numpy_result))
    document = json.loads(outcome(numbers_folder, *SAMPLE, "--column", "drinks", "--json").stdout)
    assert document["se"] == pytest.approx(estimate.se, rel=1e-9)
    assert document["reports"] == to_numpy_result.sum()
    by = json.loads(
        outcome(numbers_folder, *SAMPLE, "--by", "town", "--column", "drinks", "--json").stdout
    )
    for group in by["groups"]:
        inside = to_numpy_result & (table["town"] == group["group"]["town"]).to_numpy()
        alone = ak.estimate_line(channel, cells, sampling=sampling.domain(inside))
        assert group["estimate"]["se"] == pytest.approx(alone.se, rel=1e-9)
        assert group["estimate"]["method"] == alone.method


def test_plain_numbers_and_rings_of_a_sample_have_its_errors(numbers_folder: Path) -> None:
    table = invented()
    sampling = lab.SamplingDesign(weights="w", strata="region", clusters="village", data=table)
    document = json.loads(outcome(numbers_folder, *SAMPLE, "--json").stdout)
    assert document["left_out"] == []
    age, mean = document["questions"]["age"], lab.survey_mean(sampling, table["age"])
    result = [age[name] for name in ("mean", "se", "lower", "upper")]
    assert result == pytest.approx([mean.value[0], mean.se[0], mean.lower[0], mean.upper[0]])
    older = table["age"] > 40
    up = lab.survey_mean(sampling, (~older).astype(float))
    assert age["unit"] == "years"
    index_result = age["ticks"].index(40)
    assert age["cdf"][index_result] == pytest.approx(up.value[0])
    assert (age["band_upper"][index_result] - age["band_lower"][index_result]) / up.se[
        0
    ] == pytest.approx(4, rel=0.05)
    by = json.loads(
        outcome(numbers_folder, *SAMPLE, "--by", "town", "--column", "age", "--json").stdout
    )
    for group in by["groups"]:
        inside = sampling.domain(table["town"] == group["group"]["town"])
        alone = lab.survey_mean(inside, table["age"])
        assert group["estimate"]["se"] == pytest.approx(alone.se[0])
    rings = "drinks_above,drinks_upto,w\n" + "5,15,1\n15,5,2\n4,14,1\n12,2,3\n" * 10
    (numbers_folder / "ring.csv").write_text(rings, encoding="utf-8")
    words = ("--weights", "w", "--column", "drinks", "--json")
    ring = json.loads(outcome(numbers_folder, *words, form="ring.toml", table="ring.csv").stdout)
    assert "39 degrees of freedom" in ring["method"]
    assert ring["reports"] == 40
    with pytest.raises(ak.errors.InputError, match="answers, or a number: drinks, age"):
        outcome(numbers_folder, "--by", "town", "--column", "town")


def test_a_group_of_one_village_tells_of_the_whole_line(numbers_folder: Path) -> None:
    words = ("--clusters", "village", "--by", "village", "--column", "drinks", "--json")
    estimate = json.loads(outcome(numbers_folder, *words).stdout)["groups"][0]["estimate"]
    assert (estimate["lower"], estimate["upper"], estimate["se"]) == (0, 20, None)


@pytest.mark.long
def test_groups_of_few_are_withheld_and_so_is_what_would_find_them(numbers_folder: Path) -> None:
    (numbers_folder / "t.toml").write_text(SURVEY.format(minimum=100), encoding="utf-8")
    table = invented()
    table["town"] = np.where(np.arange(N) < 40, "a", np.where(np.arange(N) < 200, "b", "c"))
    table.to_csv(numbers_folder / "t.csv", index=False)
    outcome_result = outcome(
        numbers_folder, "--by", "town", "--column", "drinks", form="t.toml", table="t.csv"
    )
    rows = [
        line.split()
        for line in outcome_result.stdout.splitlines()
        if line[:2] in ("a ", "b ", "c ")
    ]
    assert [row[-1] for row in rows[:2]] == ["withheld", "too"]
    assert "\u2013" not in " ".join(rows[2])
    assert "withheld too: else" in outcome_result.stdout
    everybody = outcome(numbers_folder, "--column", "drinks", "--weights", "w", "--methods")
    assert "by nonparametric maximum likelihood (Turnbull, 1976), weighted" in everybody.stdout
    assert "rule out the rest of the line" in everybody.stdout
    invented()[:20].to_csv(numbers_folder / "few.csv", index=False)
    held_outcome_result = outcome(
        numbers_folder, "--weights", "w", "--column", "drinks", form="t.toml", table="few.csv"
    )
    assert "withheld: fewer than 100 reports" in held_outcome_result.stdout


@pytest.mark.long
@pytest.mark.parametrize("how", ["csv", "latex", "html"])
def test_numbers_by_group_are_tables(numbers_folder: Path, how: str) -> None:
    words = ("--by", "town", "--column", "drinks", "--format", how)
    words = words if how == "csv" else (*words, "--methods")
    result = outcome(numbers_folder, *words).stdout
    assert result.count("average") == 3
    assert result.count("quantile 0.5") == 3
    if how == "csv":
        assert result.startswith("town,what,estimate,se,lower,upper,reports,withheld\n")
    else:
        assert "domains of the whole sample" in result


def test_methods_need_the_channel_of_the_estimate() -> None:
    channel, cells = ranges(invented())
    result = ak.estimate_line(channel, cells[np.arange(1, 15)])
    paragraph = ak.present.methods_paragraph(result, channel)
    assert "Intervals of shares and quantiles are by likelihood ratio (Banerjee" in paragraph.text
    q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    with pytest.raises(ak.errors.InputError, match="the ranges' own channel"):
        ak.present.methods_paragraph(result, q)
    with pytest.raises(ak.errors.InputError, match="a Channel"):
        ak.present.methods_paragraph(ak.estimate(ak.Tally(q, {"yes": 3, "no": 4})), channel)
