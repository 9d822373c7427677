"""Plain numbers on lines of millions of steps: from the survey file to what is estimated."""

import json
import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result
from matplotlib.figure import Figure

import askance as ak
from askance.cli import verbs
from askance_collect.collect import accept, export_csv, open_store
from askance_collect.respond import respond

SURVEY = """
askance = "survey-1"
title = "Money"
consent = "Voluntary."
minimum = 1
[[question]]
name = "income"
text = "What did you earn last year?"
line = { lower = 0, upper = 10000000, whole = true, unit = "euros" }
[[question]]
name = "spent"
text = "And what did you spend last week?"
line = { lower = 0, upper = 9999999999.99, step = 0.01, unit = "euros" }
[[question]]
name = "works"
text = "Are you looking for work?"
answers = ["yes", "no"]
skip = { after = "income", answered = { from = 500, to = 1500 } }
"""
SPENT = [9_999_999_999.99, 0.01, 12.5, 12.5]


def table(income: list[int]) -> pd.DataFrame:
    spent = (SPENT * len(income))[: len(income)]
    return pd.DataFrame({"income": income, "spent": spent, "works": "yes"})


def outcome(path: Path, *words: str) -> Result:
    return CliRunner().invoke(verbs, list(words), catch_exceptions=False)


@pytest.fixture
def survey_folder(tmp_path: Path) -> Path:
    (tmp_path / "s.toml").write_text(SURVEY, encoding="utf-8")
    return tmp_path


def estimated(path: Path, result: pd.DataFrame, *words: str) -> dict[str, dict[str, object]]:
    result.to_csv(path / "s.csv", index=False)
    arguments = ["estimate", str(path / "s.toml"), str(path / "s.csv"), *words, "--json"]
    document = json.loads(outcome(path, *arguments).stdout)
    if words:
        return document["questions"]
    return {finding["name"]: finding["estimate"] for finding in document["findings"]}


def test_the_figures_are_the_samples(survey_folder: Path) -> None:
    income = np.random.default_rng(1).lognormal(10, 1, 400).astype(int)
    estimated_result = estimated(survey_folder, table(income.tolist()))
    item = estimated_result["income"]
    assert item["reports"] == 400
    assert item["mean"] == pytest.approx(income.mean())
    assert item["se"] == pytest.approx(income.std(ddof=1) / 20)
    for share in (0.1, 0.25, 0.5, 0.75, 0.9):
        low, value, high = item["quantiles"][f"{share:g}"]
        assert value == np.quantile(income, share, method="inverted_cdf")
        assert low <= value <= high
    assert (item["ticks"][0], item["ticks"][-1]) == (-1, 10_000_000)
    assert len(item["ticks"]) <= 2 * 400 + 3
    assert estimated_result["spent"]["mean"] == pytest.approx(np.mean(SPENT))
    assert estimated_result["spent"]["quantiles"]["0.5"][1] == 12.5


def test_a_complex_sample_has_its_errors(survey_folder: Path) -> None:
    result = table(np.random.default_rng(2).lognormal(10, 1, 80).astype(int).tolist())
    result["w"] = [1.0, 3.0] * 40
    income = estimated(survey_folder, result, "--weights", "w")["income"]
    mean = ak.inference.survey_mean(
        ak.inference.SamplingDesign(weights=result["w"]), result["income"]
    )
    assert income["mean"] == pytest.approx(mean.value[0])
    assert income["se"] == pytest.approx(mean.se[0])


def test_a_rule_lists_few_numbers_and_gives_the_ends_of_many(survey_folder: Path) -> None:
    form = ak.publish(ak.parse_survey(SURVEY.encode()))
    assert form.document["askance"] == "form-2"
    assert form.skips[0].answered == tuple(range(501, 1502))
    wider = SURVEY.replace("to = 1500", "to = 1501")
    many = ak.publish(ak.parse_survey(wider.encode()))
    assert many.document["skips"][0]["answered"] == {"from": 501, "to": 1502}
    assert [number in many.skips[0].answered for number in (500, 501, 1502, 1503)] == [0, 1, 1, 0]
    beyond = SURVEY.replace("to = 1500", "to = 10000001")
    with pytest.raises(ak.errors.SurveyError, match="numbers from 0 to 10000000"):
        ak.publish(ak.parse_survey(beyond.encode()))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("step = 0.01", "step = 0.001"), "got '9,999,999,999,990 steps"),
        (("step = 0.01", "step = 0.02"), "at least two whole steps"),
        (("upper = 9999999999.99", "upper = 10000000000.01"), "at most 1,000,000,000,000 steps"),
        (('unit = "euros" }', 'unit = "euros" }\nmechanism = { name = "cuts" }'), "at most 1,000 "),
    ],
)
def test_a_line_too_long_is_refused(change: tuple[str, str], message: str) -> None:
    with pytest.raises(ak.errors.SurveyError, match=message):
        ak.publish(ak.parse_survey(SURVEY.replace(*change).encode()))


def test_every_number_is_sent_and_exported_as_it_is(survey_folder: Path) -> None:
    form = ak.publish(ak.parse_survey(SURVEY.encode()))
    ticks = {0: "0", 1: "0.01", 999_999_999_998: "9999999999.98", 999_999_999_999: "9999999999.99"}
    store = open_store(str(survey_folder / "s.db"), form)
    for tick in ticks:
        body = respond(form, {"income": 10_000_001, "spent": tick, "works": 0}).body(form.size)
        assert len(body) == form.size
        store.append([accept(body, form)])
    export_csv(store, form, survey_folder / "out.csv")
    store.close()
    written = pd.read_csv(survey_folder / "out.csv", dtype=str)
    assert sorted(written["spent"]) == sorted(ticks.values())
    assert set(written["income"]) == {"10000000"}
    with pytest.raises(ak.errors.InputError, match="spent"):
        respond(form, {"income": 1, "spent": 10**12, "works": 0})


def test_no_room_is_taken_for_numbers_that_nobody_gave() -> None:
    """A double for each of ten million ticks would take 80 MB."""
    line = ak.Line(0, 10**7, 1)
    ak.inference.estimate_plain(line, {1: 1})
    tracemalloc.start()
    estimate = ak.inference.estimate_plain(line, {7 * index: 1 for index in range(1, 501)})
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert estimate.quantiles[0.5][1] == 7 * 250
    assert peak < 2_000_000


def test_a_long_line_is_told_as_a_short_one_is() -> None:
    """Twice as fine, beyond a thousand ticks: the same figures, at the numbers that were given."""
    counts = {3: 5, 90: 2, 400: 9, 1_000: 1}
    short = ak.inference.estimate_plain(ak.Line(0, 1_000, 1), counts)
    long = ak.inference.estimate_plain(
        ak.Line(0, 1_000, "1/2"), {2 * tick: n for tick, n in counts.items()}
    )
    assert (long.mean, long.se, long.lower, long.upper) == pytest.approx(
        (short.mean, short.se, short.lower, short.upper)
    )
    assert long.quantiles == short.quantiles
    index = np.searchsorted(long.ticks, short.ticks, side="right") - 1
    assert long.cdf[index].tolist() == short.cdf.tolist()
    assert long.band_lower[index].tolist() == short.band_lower.tolist()
    assert long.band_upper[index].tolist() == short.band_upper.tolist()


@pytest.mark.parametrize(
    ("counts", "ends"), [({2_000: 1, 42_000: 3}, (0, 44_000)), ({7: 2}, (6, 8))]
)
def test_a_long_line_is_drawn_where_somebody_stands(
    counts: dict[int, int], ends: tuple[int, int]
) -> None:
    estimate = ak.inference.estimate_plain(ak.Line(0, 10**7, 1), counts)
    margin = 0.01 * (ends[1] - ends[0])  # in which a curve on the edge is seen
    limits = estimate.plot(ax=Figure().subplots()).get_xlim()
    assert limits == pytest.approx((ends[0] - margin, ends[1] + margin))
