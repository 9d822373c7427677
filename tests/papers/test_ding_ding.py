"""Ding and Ding (2022) on estimates: figures 5 to 9 are drawn, Table II is near its claims file."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import logistic, norm, uniform

import askance as ak

ROOT = Path(__file__).parents[2]
FOLDER = "ding-ding"
FIGURES = {
    "Figure 1": ("drawings:figure_1", "a range,"),
    "Figure 2": ("drawings:figure_2", "cuts of her own"),
    "Figure 4": ("drawings:figure_4", "c) progressive opt-in"),
    "Figure 5": ("figure5:figure_5", "logistic family"),
    "Figure 6": ("drawings:figure_6", "what is sent"),
    "Figure 7": ("drawings:figure_7", "up to 41 k, or above 85 k"),
    "Figure 8": ("drawings:figure_8", "second range"),
    "Figure 9": ("drawings:figure_9", "open"),
    "Mean error": ("figure5:mean_error", "most likely distribution, n = 1,000"),
}


@pytest.fixture(scope="module")
def figure5(script):
    return script(FOLDER, "figure5")


@pytest.mark.long
@pytest.mark.parametrize("number", FIGURES)
def test_the_figure_is_drawn(run, number):
    function, replies = FIGURES[number]
    assert replies in run(FOLDER, function, number)[1]


@pytest.mark.long
def test_a_small_part_of_table_2_bears_out_its_claims_file(remaking, run):
    output, _ = run(FOLDER, "table2:table_2", "Table II", share=0.06)
    (table,) = (item for item in remaking.Paper.read(FOLDER).shown if item.number == "Table II")
    assert set(output) == {row.label for row in table.row}
    assert table.changed(output, 0.06) == []
    shifted = output | {"E[Y], Example 2": ([0.95] * 6, [0.01] * 6)}
    assert table.changed(shifted, 0.06) == ["E[Y], Example 2"]


@pytest.mark.long
def test_coverage_agrees_with_the_oracle(figure5):
    document = json.loads((ROOT / "tests" / "oracles" / "anchors.json").read_text(encoding="ascii"))
    laws = {"normal": norm, "logistic": logistic, "uniform": uniform}
    for case in document["coverage"]:
        cut = laws[case["cut"][0]](*case["cut"][1:])
        law = laws[case["law"][0]](*case["law"][1:])
        assert figure5.coverage(cut, law) == pytest.approx(case["coverage"], abs=1e-9)
    for case in document["least_variance"]:
        law = laws[case["law"][0]](*case["law"][1:])
        assert figure5.least_variance(law) == pytest.approx(case["value"], rel=1e-10)


@pytest.mark.long
def test_the_most_likely_distribution_is_more_exact_at_every_coverage(figure5):
    """And near the least that is possible: nothing else is drawn in the figure."""
    rng = np.random.default_rng(3)
    for half in (3.5, 14.0, 45.0):
        average = figure5.simulated(half, 1000, 100, rng).mean()
        plain = figure5.error(
            ak.inference.unbiased_mean_variance((-half, half), 0.5, 1, 1000, slope=2)
        )
        least = figure5.error(2 * half * half * (1 - figure5.tau(half)) / 1000)
        assert 0.7 * least < average < 0.95 * plain
