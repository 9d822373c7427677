"""Regressions of lists held at the differences in means, beside other solvers."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

import askance as ak
from askance.inference import (
    Convergence,
    ReplicateWeights,
    SamplingDesign,
    count_items,
    hausman_test,
    item_count,
    item_count_least_squares,
    item_count_regression,
)

J = 3
ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "list_robust.json").read_text())


def invented(n: int, seed: int = 1, *, items: int = 1) -> tuple[Any, Any, Any, Any]:
    """Give counts, arms, covariates and weights."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=n), rng.integers(0, 2, n)])
    arm = np.arange(n) % (items + 1)
    z = rng.random(n) < expit(-0.5 + 0.6 * X[:, 0] + 0.5 * X[:, 1])
    y = rng.binomial(J, expit(0.4 + 0.3 * X[:, 0] - 0.2 * X[:, 1]))
    return y + z * (arm > 0), arm, X, rng.uniform(0.5, 2, n)


@pytest.mark.parametrize("link", ["logit", "identity"])
def test_it_is_what_another_solver_finds_under_the_constraint(link: str) -> None:
    replies, arm, X, w = invented(900)
    fit = item_count_least_squares(replies, arm, X, items=J, weights=w, link=link, anchored=True)
    estimate = item_count(count_items(replies, arm, items=J, weights=w))
    D, is_seen = np.column_stack([np.ones(900), X]), arm == 1
    share = expit if link == "logit" else np.asarray
    remaining = replies - (J * expit(D @ fit.value[3:]) if link == "logit" else D @ fit.value[3:])
    content = {
        "type": "eq",
        "fun": lambda index: w @ share(D @ index) / w.sum() - estimate.value[0],
    }
    optimum = minimize(
        lambda position: (w * (remaining - share(D @ position)) ** 2)[is_seen].sum(),
        np.zeros(3),
        method="SLSQP",
        constraints=[content],
        options={"ftol": 1e-13, "maxiter": 500},
    )
    np.testing.assert_allclose(fit.value[:3], optimum.x, atol=2e-4)
    lowest = (w * (remaining - share(D @ fit.value[:3])) ** 2)[is_seen].sum()
    assert lowest <= optimum.fun + 1e-9
    free = item_count_least_squares(replies, arm, X, items=J, weights=w, link=link)
    np.testing.assert_array_equal(fit.value[3:], free.value[3:])
    assert np.abs(fit.value[:3] - free.value[:3]).max() > 1e-3
    assert fit.convergence is (Convergence.STATIONARY if link == "logit" else Convergence.EXACT)


@pytest.mark.parametrize("link", ["logit", "identity"])
def test_the_mean_share_is_the_difference_in_means_of_every_item(link: str) -> None:
    replies, arm, X, w = invented(1200, items=2)
    fit = item_count_least_squares(replies, arm, X, items=J, weights=w, link=link, anchored=True)
    estimate = item_count(count_items(replies, arm, items=J, weights=w))
    np.testing.assert_allclose(fit.prevalence().value, estimate.value, atol=1e-12)
    assert "mean share held at the difference in means" in repr(fit)
    assert fit.to_dict()["anchored"] is True
    for item in (1, 2):
        is_kept = (arm == 0) | (arm == item)
        alone = item_count_least_squares(
            replies[is_kept],
            arm[is_kept] > 0,
            X[is_kept],
            items=J,
            weights=w[is_kept],
            link=link,
            anchored=True,
        )
        assert alone.prevalence().value[0] == pytest.approx(estimate.value[item - 1], abs=1e-12)


def test_rows_move_coefficients_as_they_do_when_their_weight_changes() -> None:
    """Each row's influence beside fits with a little more and a little less of that row."""
    replies, arm, X, w = invented(240, items=2)
    for link in ("logit", "identity"):
        how: dict[str, Any] = {"items": J, "link": link, "anchored": True}
        fit = item_count_least_squares(replies, arm, X, weights=w, **how)
        rows = fit.influence()
        assert rows.shape == (240, 9)
        np.testing.assert_allclose(w @ rows, 0, atol=1e-8)
        for number in (0, 1, 2, 77):
            step = 1e-4 * np.eye(240)[number]
            up, down = (
                item_count_least_squares(replies, arm, X, weights=w + variant * step, **how).value
                for variant in (1, -1)
            )
            np.testing.assert_allclose((up - down) / 2e-4, rows[number], rtol=1e-5, atol=1e-8)
        expected = 240 / 239 * (rows * w[:, None]).T @ (rows * w[:, None])
        np.testing.assert_allclose(fit.covariance, expected, rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("link", ["logit", "identity"])
def test_without_covariates_it_is_the_difference_in_means(link: str) -> None:
    replies, arm, _, w = invented(500)
    plain = item_count(count_items(replies, arm, items=J, weights=w))
    fit = item_count_least_squares(replies, arm, items=J, weights=w, link=link, anchored=True)
    share = fit.prevalence()
    assert share.value[0] == pytest.approx(plain.value[0], abs=1e-12)
    assert share.se[0] == pytest.approx(plain.se[0], rel=2e-3)


def test_the_mean_share_is_right_where_the_model_of_shares_is_not() -> None:
    """A whole population, each kind of person as often as it is: log-odds are no line."""
    shares, people = {0: 0.9, 1: 0.1, 2: 0.3}, {0: 0.2, 1: 0.5, 2: 0.3}
    rows = [
        (y + z * arm, arm, x, people[x] * (shares[x] if z else 1 - shares[x]) / 4)
        for arm, x, z, y in product((0, 1), (0, 1, 2), (0, 1), (0, 1))
    ]
    replies, arm, x, w = (np.array(column) for column in zip(*rows, strict=True))
    truth = sum(shares[person] * people[person] for person in people)
    free, content = (
        item_count_least_squares(
            replies, arm, x, items=1, weights=w, anchored=anchored
        ).prevalence()
        for anchored in (False, True)
    )
    assert abs(free.value[0] - truth) > 0.05
    assert content.value[0] == pytest.approx(truth, abs=1e-12)


def test_a_design_of_single_people_is_the_robust_one_and_clusters_are_clusters() -> None:
    replies, arm, X, w = invented(400)
    how: dict[str, Any] = {"items": J, "anchored": True}
    plain = item_count_least_squares(replies, arm, X, weights=w, **how)
    squares = item_count_least_squares(replies, arm, X, sampling=SamplingDesign(weights=w), **how)
    np.testing.assert_allclose(squares.covariance, plain.covariance, rtol=1e-8, atol=1e-12)
    school, region = np.arange(400) // 8, np.arange(400) // 80
    by_school = item_count_least_squares(replies, arm, X, weights=w, clusters=school, **how)
    sampling = SamplingDesign(weights=w, clusters=school)
    of_schools = item_count_least_squares(replies, arm, X, sampling=sampling, **how)
    np.testing.assert_allclose(of_schools.covariance, by_school.covariance, rtol=1e-8, atol=1e-12)
    layers = SamplingDesign(weights=w, clusters=school, strata=region)
    assert item_count_least_squares(replies, arm, X, sampling=layers, **how).df == 45 - 5
    nobody = np.append(w, np.zeros(3))
    more = item_count_least_squares(
        np.append(replies, [0, 3, 0]), np.append(arm, [0, 1, 0]), np.vstack([X, 9 * X[:3]]),
        weights=nobody, **how,
    )  # fmt: skip
    np.testing.assert_allclose(more.value, plain.value, rtol=1e-9)
    np.testing.assert_allclose(more.se, plain.se, rtol=1e-9)


def test_hausman_finds_a_mean_share_that_the_likelihood_misses() -> None:
    """Control items that go with the sensitive one break the likelihood; means stay right."""
    rng = np.random.default_rng(7)
    x, arm = rng.integers(0, 2, 4000), np.arange(4000) % 2
    z = rng.random(4000) < np.where(x, 0.6, 0.3)
    y = rng.binomial(J, np.where(z, 0.35, 0.65)) + z * arm
    squares = item_count_least_squares(y, arm, x, items=J, anchored=True)
    assert hausman_test(squares, item_count_regression(y, arm, x, items=J)).p_value < 1e-6
    right = item_count_regression(y, arm, x, items=J, constrained=False)
    assert hausman_test(squares, right).p_value > 1e-3


def test_a_difference_that_is_no_share_is_refused_and_straight_lines_take_it() -> None:
    replies = [0, 0, 1, 1, 2] * 10 + [0, 1, 0, 1, 1] * 10
    arm = [0] * 50 + [1] * 50
    with pytest.raises(ak.errors.NotIdentified, match=r"a difference in means of -0\.2"):
        item_count_least_squares(replies, arm, items=2, anchored=True)
    lines = item_count_least_squares(replies, arm, items=2, link="identity", anchored=True)
    assert lines.value[0] == pytest.approx(-0.2, abs=1e-12)


def test_a_share_that_one_kind_of_people_must_make_up_alone_is_refused() -> None:
    """Nobody of the first kind has the item: their log-odds fall without end."""
    x = np.repeat([0, 1], 60)
    arm = np.tile([0, 1], 60)
    y = np.tile([0, 0, 1, 1], 30)
    replies = y + arm * x * np.tile([1, 1, 1, 1, 1, 0], 20)
    with pytest.raises(ak.errors.NotIdentified, match="falls without end along sensitive item: x1"):
        item_count_least_squares(replies, arm, x, items=1, anchored=True)


def fitted(method: str, *replies: Any, **how: Any) -> Any:
    """By nonlinear least squares or by maximum likelihood, mean shares held."""
    fit = item_count_least_squares if method == "nls" else item_count_regression
    return fit(*replies, anchored=True, **how)


@pytest.mark.parametrize("method", ["nls", "ml"])
@pytest.mark.parametrize("name", ["900", "2500"])
def test_it_lies_by_what_ictreg_finds_with_its_robust_methods(name: str, method: str) -> None:
    """R's list weighs the agreement with the difference in means heavily; here it holds.

    Its errors of intercepts are too large: of the difference they take the totals of both groups
    for what varies, not the counts about their means.
    """
    replies, arm, X, _ = invented(int(name))
    expected = ORACLE[f"{method}, {name}"]
    fit = fitted(method, replies, arm, X, items=J)
    assert fit.prevalence().value[0] == pytest.approx(expected["mean"], abs=1e-3)
    assert np.abs((fit.value - expected["value"]) / fit.se).max() < 0.2
    slopes, off = [1, 2, 4, 5], 0.15 if method == "nls" or name == "2500" else 0.3
    np.testing.assert_allclose(fit.se[slopes], np.array(expected["se"])[slopes], rtol=off)
    assert (np.array(expected["se"])[[0, 3]] > 1.3 * fit.se[[0, 3]]).all()


@pytest.mark.parametrize("constrained", [True, False])
def test_the_likelihood_is_highest_among_those_with_that_mean_share(constrained: bool) -> None:
    """Beside another solver under the constraint; intervals of the profile are no part of it."""
    replies, arm, X, _ = invented(600)
    how: dict[str, Any] = {"items": J, "constrained": constrained}
    fit, free = fitted("ml", replies, arm, X, **how), item_count_regression(replies, arm, X, **how)
    result = item_count(count_items(replies, arm, items=J)).value[0]
    likelihood, D = free.likelihood, np.column_stack([np.ones(600), X])
    content = {"type": "eq", "fun": lambda index: expit(D @ index[:3]).mean() - result}
    optimum = minimize(
        lambda position: -likelihood.total(position),
        free.value,
        jac=lambda at: -likelihood.slope(at),
        method="SLSQP",
        constraints=[content],
        options={"ftol": 1e-13, "maxiter": 500},
    )
    np.testing.assert_allclose(fit.value, optimum.x, atol=1e-5)
    assert fit.log_likelihood == pytest.approx(-optimum.fun, abs=1e-8)
    assert fit.log_likelihood < free.log_likelihood
    assert fit.convergence is Convergence.STATIONARY
    assert np.isnan(fit.aic)
    assert fit.to_dict()["anchored"] is True
    with pytest.raises(ak.errors.InputError, match="allowed: wald"):
        fit.coefficients("profile")
    for pair in ((free, fit), (fit, free)):
        with pytest.raises(ak.errors.InputError, match="mean shares that are held"):
            pair[0].likelihood_ratio(pair[1])
    means = item_count_least_squares(replies, arm, X, items=J)
    with pytest.raises(ak.errors.InputError, match="whose mean share is held"):
        hausman_test(means, fit)


@pytest.mark.long
def test_errors_of_the_held_likelihood_are_those_of_replicates_a_little_heavier() -> None:
    """Each row's weight a little more, two items held anew: it is what influences add up to."""
    n, step = 100, 1e-4
    replies, arm, X, w = invented(n, items=2)
    fit = fitted("ml", replies, arm, X[:, :1], items=J, weights=w)
    estimate = item_count(count_items(replies, arm, items=J, weights=w))
    np.testing.assert_allclose(fit.prevalence().value, estimate.value, atol=1e-12)
    assert "mean share held at the difference in means" in repr(fit)
    assert "AIC" not in repr(fit)
    heavier = ReplicateWeights(
        weights=w,
        replicates=w[:, None] * (1 + step * np.eye(n)),
        scale=n / (n - 1) / step**2,
        mse=True,
        df=n - 1,
    )
    fitted_result = fitted("ml", replies, arm, X[:, :1], items=J, sampling=heavier)
    assert fitted_result.standard_errors.replicates == n
    spread = np.sqrt(np.outer(fitted_result.se, fitted_result.se))
    np.testing.assert_allclose(
        fit.covariance / spread, fitted_result.covariance / spread, atol=2e-3
    )


def test_a_likelihood_without_covariates_is_the_difference_in_means() -> None:
    replies, arm, _, w = invented(500)
    plain = item_count(count_items(replies, arm, items=J, weights=w))
    share = fitted("ml", replies, arm, items=J, weights=w).prevalence()
    assert share.value[0] == pytest.approx(plain.value[0], abs=1e-12)
    assert share.se[0] == pytest.approx(plain.se[0], rel=2e-2)


@pytest.mark.parametrize(
    ("how", "message"),
    [({"misreport": "top"}, "misreport='top'"), ({"overdispersed": True}, "overdispersed=True")],
)
def test_a_difference_that_people_spoil_holds_nothing(how: dict[str, Any], message: str) -> None:
    replies, arm, X, _ = invented(60)
    with pytest.raises(ak.errors.InputError, match=message):
        fitted("ml", replies, arm, X, items=J, **how)


def test_a_likelihood_is_not_held_at_a_difference_that_is_no_share() -> None:
    replies = [0, 0, 1, 1, 2] * 10 + [0, 1, 0, 1, 1] * 10
    with pytest.raises(ak.errors.NotIdentified, match=r"a difference in means of -0\.2"):
        fitted("ml", replies, [0] * 50 + [1] * 50, items=2)
