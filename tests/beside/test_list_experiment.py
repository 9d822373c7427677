"""The 1991 National Race and Politics Survey, as Imai (2011) and R's list 9.2.6 regress it."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from askance.inference import count_items, item_count, item_count_regression

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "list.json").read_text())
RACE = "rr/list_race.csv"
FORMULA = "~ south + age + male + college"


@pytest.fixture(scope="module")
def race(data_beside: Callable[[str], Path]) -> dict[str, list[float]]:
    with data_beside(RACE).open(newline="") as file:
        rows = list(csv.DictReader(file))
    names = ("y", "treat", "south", "age", "male", "college")
    return {name: [float(row[name]) for row in rows] for name in names}


def test_the_difference_in_means(race: dict[str, Any]) -> None:
    found = item_count(count_items("y", "treat", items=3, data=race))
    assert found.tally.counts.sum() == 1213
    assert found.value[0] == pytest.approx(ORACLE["lm"]["value"][0], abs=1e-12)
    assert found.se[0] == pytest.approx(ORACLE["lm"]["se"][0], rel=1e-3)


@pytest.mark.long
@pytest.mark.parametrize("name", ["constrained", "unconstrained"])
def test_r_finds_the_same(race: dict[str, Any], name: str) -> None:
    """R's EM stops a little below the top of the unconstrained model."""
    known, constrained = ORACLE[name], name == "constrained"
    fit = item_count_regression("y", "treat", FORMULA, items=3, data=race, constrained=constrained)
    assert -1e-8 < fit.log_likelihood - known["log_likelihood"] < 1e-5
    assert np.abs((fit.value - known["value"]) / fit.se).max() < 3e-3
    np.testing.assert_allclose(fit.se, known["se"], rtol=5e-3)


def test_the_published_table(race: dict[str, Any]) -> None:
    """Imai (2011), Table 1, with age in tens of years: what is printed there."""
    fit = item_count_regression("y", "treat", FORMULA, items=3, data=race)
    value = [-5.508, 1.675, 0.64, 0.846, -0.315, 1.191, -0.292, 0.03, -0.251, -0.516]
    se = [1.021, 0.559, 0.16, 0.494, 0.474, 0.144, 0.097, 0.03, 0.082, 0.084]
    np.testing.assert_allclose(fit.value, value, atol=6e-3)
    np.testing.assert_allclose(fit.se, se, atol=5e-3)
