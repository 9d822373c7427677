"""Ding and Ding (2022) on collection: figures 3 and 14 are drawn, Table III is computed."""

import csv
import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import energy_distance

ROOT = Path(__file__).parents[2]
FEW = 8


@pytest.fixture(scope="module")
def figures(script):
    return script("ding-ding", "figures")


@pytest.fixture(scope="module")
def table3(script):
    return script("ding-ding", "table3")


@pytest.fixture(scope="module")
def ages(table3):
    """Collect from 1,000 women of mixed sensitivities."""
    return table3.collected(*table3.AGES, 1000, "mixed", FEW)


@pytest.mark.long
@pytest.mark.parametrize(
    ("number", "function", "said"),
    [
        ("Figure 3", "figures:figure_3", "given a noisy 2"),
        ("Figure 14", "figures:figure_14", "noise of scale 2/α"),
        ("Coverage cost", "figures:coverage_cost", "E[Y²], normal"),
    ],
)
def test_the_figure_is_drawn(run, number, function, said):
    assert said in run("ding-ding", function, number)[1]


def test_densities_of_figure_3_are_what_is_known(figures):
    fine = np.linspace(-9, 9, 18_001)
    for density in (figures.in_range, figures.given_noisy):
        assert np.trapezoid(density(fine), fine) == pytest.approx(1, abs=1e-3)
    assert figures.in_range(np.array([-1, 2.001])).tolist() == [0, 0]


def test_pairs_of_figure_14_err_alike(figures):
    """The mean of Example 2, and the mean of numbers with noise of scale 1/α."""
    rng = np.random.default_rng(4)
    for half in (1, 5):
        alpha, n, times = figures.as_precise(half), 100, 4000
        y, cut = rng.uniform(size=(times, n)), rng.uniform(-half, 1 + half, (times, n))
        average = np.where(y <= cut, 2 * cut - (1 + half), 2 * cut + half).mean(axis=1)
        noisy = (rng.uniform(size=(times, n)) + rng.laplace(0, 1 / alpha, (times, n))).mean(axis=1)
        ratio = np.abs(average - 0.5).mean() / np.abs(noisy - 0.5).mean()
        assert ratio == pytest.approx(1, abs=0.06)


def assert_nearer_unless_people_look(result):
    first, before, after = (item.energy for item in result)
    assert before < 0.75 * first
    assert after > 1.5 * first


@pytest.mark.long
def test_progressive_collection_of_ages_is_nearer_unless_people_look(ages):
    assert_nearer_unless_people_look(ages)


@pytest.mark.long
@pytest.mark.wide
def test_progressive_collection_of_life_expectancies_is_too(table3, tmp_path):
    """Of the WHO's, to the whole year: so many rows have each."""
    document = json.loads((ROOT / "tests/oracles/life_expectancy.json").read_text(encoding="ascii"))
    table = tmp_path / "years.csv"
    with table.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["Life expectancy "])
        for year, count in document["life_expectancy"]["by_whole_years"].items():
            rows.writerows([[year]] * count)
    years = table, "Life expectancy ", ("35", "90", "1")
    assert_nearer_unless_people_look(table3.collected(*years, 1000, "mixed", FEW))


@pytest.mark.long
def test_the_claims_file_has_this_table(remaking, ages):
    """Few collections come near the many that it tells of; the paper's ED is the squared one."""
    (displayed,) = [
        item for item in remaking.Paper.read("ding-ding").shown if item.number == "Table III"
    ]
    (row,) = [item for item in displayed.row if item.label == "mixed sensitivities, 1,000 women"]
    roots = [collection.energy for collection in ages]
    assert (2 * np.array(row.ours[:3])) ** 0.5 == pytest.approx(roots, rel=0.25)


def test_the_distance_of_the_table_is_squared_and_in_years(table3):
    """∫ (F̂ − F)² of two steps a year apart is one year, whatever the root of twice that is."""
    once = SimpleNamespace(energy=energy_distance([0.0], [1.0]))
    assert table3.squared_distance(once) == pytest.approx(1)
