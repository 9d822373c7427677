"""Ding and Ding (2022) on learning: claims are computed, the experiments run on few data."""

import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "papers" / "ding-ding"
CLAIMS = tomllib.loads((FOLDER / "claims-learning.toml").read_text(encoding="utf-8"))["claim"]
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def scripts():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        yield {name: import_module(name) for name in ("life_expectancy", "regression_figures")}


@pytest.fixture(scope="module")
def who(scripts, data_beside):
    return scripts["life_expectancy"].table(data_beside("life_expectancy.csv"))


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: f"{claim['place']}: {claim['says']}")
def test_the_claim_is_computed(claim, scripts):
    assert eval(claim["call"], {"np": np, **scripts}) == eval(claim["ours"])
    assert claim["verdict"] in {"right", "false", "corrected", "conditional", "added"}


def test_every_number_lies_in_its_range(scripts):
    life, rng = scripts["life_expectancy"], np.random.default_rng(3)
    y = rng.normal(70, 10, 500)
    for name, (_, number) in life.DESIGNS.items():
        cut = life.cuts(name, len(y), rng)
        told = life.told(y, cut)
        assert cut.shape == (500, number)
        assert np.all((told.lower < y) & (y <= told.upper))


def test_the_declared_coverage_is_that_of_numbers_which_follow_the_law(scripts):
    life, rng = scripts["life_expectancy"], np.random.default_rng(4)
    y = life.DECLARED.ppf((np.arange(20_000) + 0.5) / 20_000)
    found = [life.covered(name, y, rng) for name in life.DESIGNS]
    assert found == pytest.approx([0.57, 0.76, 0.94], abs=0.01)


def test_the_table_has_a_row_for_each_learner(scripts):
    life = scripts["life_expectancy"]
    names = ("oracle", *life.DESIGNS)
    cell = life.Cell(np.array([0.5, 0.7]), np.array([3.0, 4.0]))
    found = {(learner, name): cell for learner in life.LEARNERS for name in names}
    lines = life.printed(found, dict.fromkeys(life.DESIGNS, 0.5)).splitlines()
    assert lines[2] == "| linear | 0.60, 3.50 | 0.60, 3.50 | 0.60, 3.50 | 0.60, 3.50 |"
    assert len(lines) == 2 + len(life.LEARNERS)


def test_the_table_of_the_who_is_read_whole(who):
    X, y = who
    assert X.shape == (2_928, 20)
    assert y.min() == 36.3
    assert y.max() == 89


def test_ranges_of_life_expectancies_are_nearly_as_good_as_the_numbers(scripts, who):
    life = scripts["life_expectancy"]
    made = {name: life.cell("linear", name, *who, 1, 1) for name in ("oracle", "M1", "M2")}
    assert made["oracle"][0] > 0.78
    assert min(made["M1"][0], made["M2"][0]) > made["oracle"][0] - 0.08


def test_the_page_shows_the_coverage_that_is_found(scripts, who):
    life = scripts["life_expectancy"]
    for name in life.DESIGNS:
        tau = life.covered(name, who[1], np.random.default_rng(9))
        shown = float(PAGE.split(f"{name}, coverage ")[1][:4])
        assert shown == pytest.approx(tau, abs=0.015)


@pytest.mark.parametrize("power", [1, 2])
def test_iterations_come_nearer_to_the_truth(scripts, power):
    figures = scripts["regression_figures"]
    x, _, path = figures.path(power)
    first, third, last = (figures.error(path[at - 1], x, power) for at in figures.SHOWN)
    assert first > third > last


def test_standard_noise_has_the_same_moments(scripts):
    rng = np.random.default_rng(5)
    for noise in scripts["regression_figures"].NOISES:
        drawn = scripts["regression_figures"].standard(noise, 200_000, rng)
        assert drawn.mean() == pytest.approx(0, abs=0.03)
        assert drawn.var() == pytest.approx(np.pi**2 / 3, rel=0.1)


def test_the_figures_are_drawn(tmp_path):
    command = [sys.executable, str(FOLDER / "regression_figures.py"), "--repetitions", "1"]
    ran = subprocess.run(
        [*command, "--folder", str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert "| parabola, two cuts |" in ran.stdout
    for number in (10, 11, 12, 13):
        drawn = (tmp_path / f"regression-{number}.svg").read_text(encoding="utf-8")
        assert drawn.count("<text") > 10
