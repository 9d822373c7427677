"""Several sensitive items that go with the control items, beside all that people may be."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import comb, expit

import askance as ak
from askance.inference import (
    SamplingDesign,
    count_items,
    hausman_test,
    item_count,
    item_count_least_squares,
    item_count_regression,
)

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "list_multi.json").read_text())
J = 3
CONDITIONS = ["none", "level", "indicators"]


def people(n: int, seed: int = 5) -> tuple[Any, Any, Any]:
    """Two items, of which the second goes with the control items."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=n), rng.integers(0, 2, n)])
    arm, y = np.arange(n) % 3, rng.binomial(J, expit(0.3 + 0.3 * X[:, 0]))
    eta = np.where(arm == 1, -0.4 + 0.6 * X[:, 0], -1.2 + 0.5 * X[:, 1] + 0.7 * y)
    return y + (rng.random(n) < expit(eta)) * (arm > 0), arm, X


def log_likelihood(index: Any, replies: Any, arm: Any, X: Any, condition: str) -> Any:
    """Add up all that people may be, as it is written."""
    D, element = (
        np.column_stack([np.ones(len(replies)), X]),
        {"none": 0, "level": 1, "indicators": J},
    )
    k, steps = D.shape[1], element[condition]
    chance = expit(D @ index[2 * k : 3 * k])
    total = 0.0
    for y in range(J + 1):
        count = comb(J, y) * chance**y * (1 - chance) ** (J - y)
        added = np.zeros(len(replies))
        for item in (1, 2):
            levels = index[3 * k + (item - 1) * steps :][:steps]
            result = {
                "none": 0.0,
                "level": y * levels.sum(),
                "indicators": [*levels, 0.0][min(y, steps)],
            }
            holds = expit(D @ index[(item - 1) * k : item * k] + result[condition])
            added += (arm == item) * ((replies == y + 1) * holds + (replies == y) * (1 - holds))
        total = total + count * ((arm == 0) * (replies == y) + added)
    return float(np.log(total).sum())


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_top_is_that_of_the_likelihood_as_it_is_written(condition: str) -> None:
    replies, arm, X = people(900)
    fit = item_count_regression(replies, arm, X, items=J, condition=condition)
    likelihood = log_likelihood(fit.value, replies, arm, X, condition)
    assert fit.log_likelihood == pytest.approx(likelihood, rel=1e-12)
    for step in np.diag(fit.se) / 100:
        likelihoods = [
            log_likelihood(fit.value + number * step, replies, arm, X, condition)
            for number in (1, -1)
        ]
        assert max(likelihoods) < likelihood
        assert likelihoods[0] - likelihoods[1] == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("condition", ["none", "level"])
def test_it_is_what_ictreg_finds(condition: str) -> None:
    """Its EM stops a little early; its errors are by differences of the likelihood."""
    replies, arm, X = people(1500)
    fit = item_count_regression(replies, arm, X, items=J, condition=condition)
    expected = ORACLE[condition]
    assert expected["log_likelihood"] - 1e-5 <= fit.log_likelihood
    assert fit.log_likelihood == pytest.approx(expected["log_likelihood"], abs=1e-3)
    np.testing.assert_allclose((fit.value - expected["value"]) / fit.se, 0, atol=2e-2)
    np.testing.assert_allclose(fit.se, expected["se"], rtol=2e-2)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_mean_shares_are_over_control_counts_and_know_how_unsure_they_are(condition: str) -> None:
    replies, arm, X = people(900)
    fit = item_count_regression(replies, arm, X, items=J, condition=condition)
    shares, k = fit.prevalence(), 3
    D, value = np.column_stack([np.ones(900), X]), fit.value
    chance = expit(D @ value[2 * k : 3 * k])
    for item in (0, 1):
        values = np.zeros(900)
        for y in range(J + 1):
            steps = fit.model.steps(y)
            levels = value[3 * k + item * len(steps) :][: len(steps)]
            holds = expit(D @ value[item * k : (item + 1) * k] + steps @ levels)
            values += comb(J, y) * chance**y * (1 - chance) ** (J - y) * holds
        np.testing.assert_allclose(fit.predict(X)[:, item], values, rtol=1e-12)
        assert shares.value[item] == pytest.approx(values.mean(), rel=1e-12)
    means = item_count(count_items(replies, arm, items=J))
    assert (np.abs(shares.value - means.value) < 2 * means.se).all()
    effects = fit.effects()
    assert effects.labels[:2] == ("1: x1", "2: x1")
    difference_result = fit.difference(np.column_stack([X[:, 0], np.ones(900)]), X * [1, 0])
    np.testing.assert_allclose(effects.value[2:], difference_result.value, rtol=1e-9)
    np.testing.assert_allclose(effects.se[2:], difference_result.se, rtol=1e-9)


def test_the_errors_of_mean_shares_are_those_of_the_coefficients_by_the_delta_method() -> None:
    replies, arm, X = people(600)
    fit = item_count_regression(replies, arm, X, items=J, condition="level")

    slopes = []
    for step in np.eye(len(fit.value)) * 1e-5:
        up, down = (
            replace(fit, table=replace(fit.table, value=fit.value + number * step))
            .prevalence()
            .value
            for number in (1, -1)
        )
        slopes.append((up - down) / 2e-5)
    expected = np.array(slopes).T @ fit.covariance @ np.array(slopes)
    np.testing.assert_allclose(fit.prevalence().covariance, expected, rtol=1e-6)


def test_items_that_go_with_control_items_are_found() -> None:
    replies, arm, X = people(3000)
    plain, level, item = (
        item_count_regression(replies, arm, X, items=J, condition=element) for element in CONDITIONS
    )
    assert level.likelihood_ratio(plain)[2] < 1e-6
    assert item.likelihood_ratio(level)[2] > 1e-3
    assert level.names[-2:] == ("1: control items", "2: control items")
    assert np.abs((level.value[-2:] - [0, 0.7]) / level.se[-2:]).max() < 3


def test_samples_and_profiles_are_taken() -> None:
    replies, arm, X = people(600)
    how: dict[str, Any] = {"items": J, "condition": "level"}
    fit = item_count_regression(replies, arm, X[:, :1], errors="robust", **how)
    regression = item_count_regression(
        replies, arm, X[:, :1], sampling=SamplingDesign(weights=np.ones(600)), **how
    )
    np.testing.assert_allclose(regression.se, fit.se, rtol=1e-6)
    assert fit.to_dict()["condition"] == "level"
    assert "2: control items" in repr(fit)
    wald, profile = (fit.coefficients(by) for by in ("wald", "profile"))
    assert wald.labels == profile.labels
    assert (profile.lower < fit.value).all()
    with pytest.raises(ak.errors.InputError, match="items that go with control items"):
        hausman_test(item_count_least_squares(replies, arm, X[:, :1], items=J), fit)


@pytest.mark.parametrize(
    ("how", "text"),
    [
        ({"constrained": False}, "constrained=False"),
        ({"overdispersed": True}, "overdispersed=True"),
        ({"misreport": "floor"}, "misreport='floor'"),
        ({"anchored": True}, "anchored=True"),
    ],
)
def test_what_has_no_meaning_beside_it_is_refused(how: dict[str, Any], text: str) -> None:
    replies, arm, _ = people(60)
    is_single = arm < 2
    with pytest.raises(ak.errors.InputError, match=rf"condition: got .{text}"):
        item_count_regression(replies[is_single], arm[is_single], items=J, condition="level", **how)
