"""The 1991 National Race and Politics Survey, as Imai (2011) and R's list 9.2.6 regress it."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from askance.inference import (
    count_items,
    hausman_test,
    item_count,
    item_count_least_squares,
    item_count_regression,
)

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
    estimate = item_count(count_items("y", "treat", items=3, data=race))
    assert estimate.tally.counts.sum() == 1213
    assert estimate.value[0] == pytest.approx(ORACLE["lm"]["value"][0], abs=1e-12)
    assert estimate.se[0] == pytest.approx(ORACLE["lm"]["se"][0], rel=1e-3)


@pytest.mark.long
@pytest.mark.parametrize("name", ["constrained", "unconstrained"])
def test_r_finds_the_same(race: dict[str, Any], name: str) -> None:
    """R's EM stops a little below the top of the unconstrained model."""
    expected, constrained = ORACLE[name], name == "constrained"
    fit = item_count_regression("y", "treat", FORMULA, items=3, data=race, constrained=constrained)
    assert -1e-8 < fit.log_likelihood - expected["log_likelihood"] < 1e-5
    assert np.abs((fit.value - expected["value"]) / fit.se).max() < 3e-3
    np.testing.assert_allclose(fit.se, expected["se"], rtol=5e-3)


def test_the_published_table(race: dict[str, Any]) -> None:
    """Imai (2011), Table 1, with age in tens of years: what is printed there."""
    fit = item_count_regression("y", "treat", FORMULA, items=3, data=race)
    value = [-5.508, 1.675, 0.64, 0.846, -0.315, 1.191, -0.292, 0.03, -0.251, -0.516]
    se = [1.021, 0.559, 0.16, 0.494, 0.474, 0.144, 0.097, 0.03, 0.082, 0.084]
    np.testing.assert_allclose(fit.value, value, atol=6e-3)
    np.testing.assert_allclose(fit.se, se, atol=5e-3)


def test_r_finds_the_same_by_nonlinear_least_squares(race: dict[str, Any]) -> None:
    """Imai (2011), Table 1, by two steps; R divides by n and stops a little before the end."""
    nls, n = ORACLE["nls"], len(race["y"])
    fit = item_count_least_squares("y", "treat", FORMULA, items=3, data=race)
    assert np.abs((fit.value - nls["value"]) / fit.se).max() < 5e-4
    np.testing.assert_allclose(fit.se * np.sqrt((n - 1) / n), nls["se"], rtol=1e-3)
    share = fit.prevalence()
    assert share.value[0] == pytest.approx(nls["mean"], abs=1e-5)
    assert share.se[0] == pytest.approx(nls["mean_se"], rel=1e-3)


def test_r_finds_the_same_by_straight_lines(race: dict[str, Any]) -> None:
    """R's errors are HC3."""
    lines = ORACLE["lines"]
    fit = item_count_least_squares("y", "treat", FORMULA, items=3, data=race, link="identity")
    np.testing.assert_allclose(fit.value, lines["value"], atol=1e-10)
    X = np.column_stack(
        [np.ones(len(race["y"])), *(race[part] for part in FORMULA[2:].split(" + "))]
    )
    hstack_result = np.hstack([X * np.array(race["treat"])[:, None], X])
    bread = np.linalg.inv(hstack_result.T @ hstack_result)
    leverage = np.einsum("ij,jk,ik->i", hstack_result, bread, hstack_result)
    remaining = (np.array(race["y"]) - hstack_result @ fit.value) / (1 - leverage)
    hc3 = bread @ (hstack_result * remaining[:, None] ** 2).T @ hstack_result @ bread
    np.testing.assert_allclose(np.sqrt(np.diag(hc3)), lines["se_hc3"], rtol=1e-9)
    np.testing.assert_allclose(fit.se, lines["se_hc3"], rtol=0.02)


def test_the_test_of_the_model_where_r_finds_none(race: dict[str, Any]) -> None:
    """R subtracts covariances; its statistic is negative here, and it stops."""
    means = item_count_least_squares("y", "treat", FORMULA, items=3, data=race)
    likely = item_count_regression("y", "treat", FORMULA, items=3, data=race)
    test = hausman_test(means, likely)
    assert (round(test.statistic, 1), test.df, round(test.p_value, 2)) == (5.4, 5, 0.37)
