"""Least squares of list experiments beside their equations and other solvers."""

from typing import Any

import numpy as np
import pytest
from scipy.optimize import approx_fprime, least_squares
from scipy.special import expit

import askance as ak
from askance.inference import (
    Convergence,
    SamplingDesign,
    hausman_test,
    item_count_least_squares,
    item_count_regression,
)

J = 3


def invented(n: int, seed: int = 1, *, items: int = 1, apart: float = 0.0) -> tuple[Any, Any, Any]:
    """Give counts, arms and covariates; control items may go with the sensitive one."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=n), rng.integers(0, 2, n)])
    arm = np.arange(n) % (items + 1)
    z = rng.random(n) < expit(-0.5 + 0.6 * X[:, 0] + 0.5 * X[:, 1])
    y = rng.binomial(J, expit(0.4 + 0.3 * X[:, 0] - 0.2 * X[:, 1] + apart * (z - 0.5)))
    return y + z * (arm > 0), arm, X


def two_steps(replies: Any, arm: Any, X: Any, w: Any) -> np.ndarray:
    """Solve both steps by SciPy's own least squares."""
    D, root = np.column_stack([np.ones(len(X)), X]), np.sqrt(w)
    free, is_seen = arm == 0, arm == 1
    gamma = least_squares(
        lambda index: (root * (replies - J * expit(D @ index)))[free],
        np.zeros(3),
        xtol=1e-14,
        ftol=1e-14,
    ).x
    remaining = replies - J * expit(D @ gamma)
    delta = least_squares(
        lambda position: (root * (remaining - expit(D @ position)))[is_seen],
        np.zeros(3),
        xtol=1e-14,
        ftol=1e-14,
    ).x
    return np.append(delta, gamma)


@pytest.mark.long
def test_both_steps_are_those_of_another_solver() -> None:
    replies, arm, X = invented(900)
    w = np.random.default_rng(2).uniform(0.5, 2, 900)
    fit = item_count_least_squares(replies, arm, X, items=J, weights=w)
    np.testing.assert_allclose(fit.value, two_steps(replies, arm, X, w), atol=2e-6)
    np.testing.assert_allclose(w @ fit.squares.scores(fit.value), 0, atol=1e-4)
    assert fit.convergence is Convergence.STATIONARY
    assert fit.gap < 1e-4


def test_both_equations_are_solved_to_rounding() -> None:
    """Gauss-Newton's steps shrink by a fixed part: one short step is not the last."""
    for seed in (1, 3):
        replies, arm, X = invented(300, seed)
        fit = item_count_least_squares(replies, arm, X, items=J)
        scores = fit.squares.scores(fit.value).sum(axis=0)
        solve_result = np.linalg.solve(fit.squares.slopes(fit.value), scores)
        assert (np.abs(solve_result) < 1e-10 * fit.se).all()


@pytest.mark.long
def test_the_covariance_is_that_of_both_steps_by_hand() -> None:
    """As Imai (2011) stacks the equations, in the covariates as they are."""
    replies, arm, X = invented(400, seed=4)
    fit = item_count_least_squares(replies, arm, X, items=J)
    D = np.column_stack([np.ones(400), X])
    share, expit_result = expit(D @ fit.value[:3]), expit(D @ fit.value[3:])
    remaining = replies - J * expit_result - share * arm
    by_item = (arm * share * (1 - share))[:, None] * D
    by_control = (J * expit_result * (1 - expit_result))[:, None] * D
    free = (arm == 0)[:, None]
    scores = remaining[:, None] * np.hstack([by_item, by_control * free])
    G = np.zeros((6, 6))
    G[:3, :3], G[:3, 3:] = by_item.T @ by_item, by_item.T @ by_control
    G[3:, 3:] = (by_control * free).T @ by_control
    bread = np.linalg.inv(G)
    expected = 400 / 399 * bread @ scores.T @ scores @ bread.T
    np.testing.assert_allclose(fit.covariance, expected, rtol=1e-6)


@pytest.mark.parametrize("link", ["logit", "identity"])
def test_the_slopes_are_the_derivatives_of_the_means(link: str) -> None:
    """Of the equations, with what multiplies residuals held."""
    replies, arm, X = invented(900, items=2)
    problem = item_count_least_squares(replies, arm, X, items=J, link=link).squares
    grid = np.linspace(-0.413, 0.377, 9)
    wanted = problem.slopes(grid)
    of_means = np.array(
        [
            (problem.means(grid + step)[0] - problem.means(grid - step)[0]) / 2e-6
            for step in 1e-6 * np.eye(9)
        ]
    )
    residual = replies - problem.means(grid)[0]
    content = problem.scores(grid) / residual[:, None]
    np.testing.assert_allclose(wanted, content.T @ of_means.T, atol=1e-5)


def test_without_covariates_it_is_the_difference_in_means() -> None:
    replies, arm, _ = invented(500)
    plain = ak.inference.item_count(ak.inference.count_items(replies, arm, items=J))
    for link in ("logit", "identity"):
        share = item_count_least_squares(replies, arm, items=J, link=link).prevalence()
        assert share.value[0] == pytest.approx(plain.value[0], abs=1e-6)
        assert share.se[0] == pytest.approx(plain.se[0], rel=2e-3)


def test_straight_lines_are_ordinary_least_squares() -> None:
    replies, arm, X = invented(300)
    fit = item_count_least_squares(replies, arm, X, items=J, link="identity")
    D = np.column_stack([np.ones(300), X])
    hstack_result = np.hstack([D * arm[:, None], D])
    expected = np.linalg.lstsq(hstack_result, replies, rcond=None)[0]
    np.testing.assert_allclose(fit.value, expected, atol=1e-10)
    bread = np.linalg.inv(hstack_result.T @ hstack_result)
    scores = hstack_result * (replies - hstack_result @ expected)[:, None]
    np.testing.assert_allclose(fit.covariance, 300 / 299 * bread @ scores.T @ scores @ bread)
    assert fit.convergence is Convergence.EXACT
    np.testing.assert_allclose(fit.predict(X[:2])[:, 0], D[:2] @ expected[:3])


@pytest.mark.long
def test_items_share_their_control_group_and_nothing_else() -> None:
    replies, arm, X = invented(900, items=2)
    squares = item_count_least_squares(replies, arm, X, items=J)
    assert squares.prevalence().value.shape == (2,)
    for item in (1, 2):
        is_kept = (arm == 0) | (arm == item)
        alone = item_count_least_squares(replies[is_kept], arm[is_kept] > 0, X[is_kept], items=J)
        own = np.r_[3 * (item - 1) : 3 * item, 6:9]
        np.testing.assert_allclose(squares.value[own], alone.value, atol=1e-5)
        np.testing.assert_allclose(squares.se[own], alone.se, rtol=2e-3)


def test_a_design_of_single_people_is_the_robust_one_and_clusters_are_clusters() -> None:
    replies, arm, X = invented(400)
    w, school = np.random.default_rng(3).uniform(0.5, 2, 400), np.arange(400) // 8
    plain = item_count_least_squares(replies, arm, X, items=J, weights=w)
    squares = item_count_least_squares(replies, arm, X, items=J, sampling=SamplingDesign(weights=w))
    np.testing.assert_allclose(squares.covariance, plain.covariance, rtol=1e-9)
    assert squares.df == 400 - 6
    by_school = item_count_least_squares(replies, arm, X, items=J, weights=w, clusters=school)
    sampling = SamplingDesign(weights=w, clusters=school)
    of_schools = item_count_least_squares(replies, arm, X, items=J, sampling=sampling)
    np.testing.assert_allclose(of_schools.covariance, by_school.covariance, rtol=1e-9)
    assert not np.allclose(of_schools.se, plain.se, rtol=1e-3)
    assert of_schools.to_dict()["df"] == 50 - 6


@pytest.mark.long
def test_the_test_of_the_model_finds_what_it_should() -> None:
    """Control items that go with the sensitive one break the constrained likelihood alone."""
    replies, arm, X = invented(8000, apart=-2.0)
    means = item_count_least_squares(replies, arm, X, items=J)
    wrong = item_count_regression(replies, arm, X, items=J)
    right = item_count_regression(replies, arm, X, items=J, constrained=False)
    refuses = hausman_test(means, wrong)
    assert refuses.df == 3
    assert refuses.p_value < 1e-6 < 1e-3 < hausman_test(means, right).p_value
    assert refuses.statistic > 0
    assert set(refuses.to_dict()) == {"statistic", "df", "p_value"}
    school = np.arange(8000) // 20
    sampling = SamplingDesign(clusters=school)
    survey_variances = item_count_least_squares(replies, arm, X, items=J, sampling=sampling)
    clustered = item_count_least_squares(replies, arm, X, items=J, clusters=school)
    result, also = (hausman_test(item, wrong) for item in (survey_variances, clustered))
    assert result.statistic == pytest.approx(also.statistic, rel=1e-9)
    assert result.p_value > also.p_value  # F in place of χ²
    assert result.to_dict()["denominator_df"] == 399 - 2
    assert "against F with 397 degrees of freedom" in ak.present.methods_paragraph(result).text


def test_what_is_no_pair_of_fits_is_refused() -> None:
    replies, arm, X = invented(300)
    means = item_count_least_squares(replies, arm, X, items=J)
    likely = item_count_regression(replies, arm, X[:, :1], items=J)
    with pytest.raises(ak.errors.InputError, match="other people"):
        hausman_test(means, likely)
    lines = item_count_least_squares(replies, arm, X, items=J, link="identity")
    with pytest.raises(ak.errors.InputError, match="another link"):
        hausman_test(lines, item_count_regression(replies, arm, X, items=J))


def test_a_sum_without_a_lowest_point_is_refused() -> None:
    """Those who saw the item count fewer than the others."""
    replies = [0, 0, 1, 1, 2] * 10 + [0, 1, 0, 1, 1] * 10
    arm = [0] * 50 + [1] * 50
    with pytest.raises(ak.errors.NotIdentified, match="falls without end"):
        item_count_least_squares(replies, arm, items=2)
    shares = item_count_least_squares(replies, arm, items=2, link="identity").prevalence()
    assert shares.value[0] == pytest.approx(-0.2)
    assert shares.lower[0] == 0 < shares.upper[0]


@pytest.mark.long
def test_averages_and_differences_follow_from_the_coefficients() -> None:
    replies, arm, X = invented(700)
    table = {"said": replies, "arm": arm, "age": X[:, 0], "town": X[:, 1]}
    fit = item_count_least_squares("said", "arm", "~ age + town", items=J, data=table)

    def mean(index: np.ndarray) -> float:
        return float(expit(np.column_stack([np.ones(700), X]) @ index[:3]).mean())

    slope = approx_fprime(fit.value, mean, 1e-7)
    share = fit.prevalence()
    assert share.value[0] == pytest.approx(mean(fit.value))
    assert share.se[0] == pytest.approx(np.sqrt(slope @ fit.covariance @ slope), rel=1e-4)
    assert 0 < share.lower[0] < share.value[0] < share.upper[0] < 1
    item, other = table | {"town": np.ones(700)}, table | {"town": np.zeros(700)}
    difference_result = fit.difference(item, other)
    assert fit.effects().value[1] == pytest.approx(difference_result.value[0])
    assert "~ age + town" in repr(fit)
    assert fit.to_dict()["effects"]["labels"] == ["age", "town"]
