"""Ding and Ding (2022) on collection: figures 3 and 14 are drawn, Table III is computed."""

import csv
import json
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "papers" / "ding-ding"
HERE = (ROOT / "examples" / "fair-1978.csv", "age", ("15", "50", "1"))
FEW = 8


@pytest.fixture(scope="module")
def scripts():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        yield {name: import_module(name) for name in ("figures", "table3")}


@pytest.fixture(scope="module")
def ages(scripts):
    """Give the energy distances of 1,000 women of mixed sensitivities."""
    return scripts["table3"].energies(*HERE, 1000, "mixed", FEW)


@pytest.mark.long
def test_the_figures_are_drawn(scripts, tmp_path):
    scripts["figures"].main(tmp_path)
    for folder in (tmp_path, FOLDER):
        drawn = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.svg")}
        assert "Figure 3: what a report tells" in drawn["figure-3.svg"]
        assert "given a noisy 2" in drawn["figure-3.svg"]
        assert "Figure 14: coverage and α, equally precise" in drawn["figure-14.svg"]
        assert "E[Y²], normal" in drawn["coverage-cost.svg"]


def test_densities_of_figure_3_are_what_is_known(scripts):
    figures, fine = scripts["figures"], np.linspace(-9, 9, 18_001)
    for density in (figures.in_range, figures.given_noisy):
        assert np.trapezoid(density(fine), fine) == pytest.approx(1, abs=1e-3)
    assert figures.in_range(np.array([-1, 2.001])).tolist() == [0, 0]


def test_pairs_of_figure_14_err_alike(scripts):
    """The mean of Example 2, and the mean of numbers with noise of scale 1/α."""
    figures, rng = scripts["figures"], np.random.default_rng(4)
    for half in (1, 5):
        alpha, n, times = figures.as_precise(half), 100, 4000
        y, cut = rng.uniform(size=(times, n)), rng.uniform(-half, 1 + half, (times, n))
        told = np.where(y <= cut, 2 * cut - (1 + half), 2 * cut + half).mean(axis=1)
        noisy = (rng.uniform(size=(times, n)) + rng.laplace(0, 1 / alpha, (times, n))).mean(axis=1)
        ratio = np.abs(told - 0.5).mean() / np.abs(noisy - 0.5).mean()
        assert ratio == pytest.approx(1, abs=0.06)


def assert_nearer_unless_people_look(found):
    first, before, after = found.values()
    assert before < 0.75 * first
    assert after > 1.5 * first


@pytest.mark.long
def test_progressive_collection_of_ages_is_nearer_unless_people_look(ages):
    assert_nearer_unless_people_look(ages)


@pytest.mark.long
def test_progressive_collection_of_life_expectancies_is_too(scripts, tmp_path):
    """Of the WHO's, to the whole year: so many rows have each."""
    found = json.loads((ROOT / "tests/oracles/life_expectancy.json").read_text(encoding="ascii"))
    table = tmp_path / "years.csv"
    with table.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["Life expectancy "])
        for year, count in found["life_expectancy"]["by_whole_years"].items():
            rows.writerows([[year]] * count)
    years = table, "Life expectancy ", ("35", "90", "1")
    assert_nearer_unless_people_look(scripts["table3"].energies(*years, 1000, "mixed", FEW))


@pytest.mark.long
def test_the_page_shows_this_table(scripts, ages):
    lines = (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()
    at = lines.index(scripts["table3"].HEAD)
    rows = [line.strip("| ").split(" | ") for line in lines[at + 2 : at + 8]]
    assert [row[0] for row in rows[::2]] == list(scripts["table3"].SENSITIVITIES)
    (told,) = [row[2:] for row in rows if row[:2] == ["mixed", "1,000"]]
    assert [float(one) for one in told] == pytest.approx(list(ages.values()), rel=0.25)
