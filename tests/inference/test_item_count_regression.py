"""Regressions from list experiments beside every kind of person counted out one by one."""

import json
from dataclasses import replace
from itertools import product
from math import comb, log, prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from scipy.special import expit
from scipy.stats import betabinom

import askance as ak
from askance.inference import Convergence, item_count_regression

J = 3
MISREPORTS = ("none", "ceiling", "floor", "ceiling and floor", "top", "uniform")
MODELS = [
    {"misreport": misreport, "constrained": constrained, "overdispersed": dispersed}
    for misreport, constrained, dispersed in product(MISREPORTS, (True, False), (True, False))
]


def invented(n: int, seed: int = 1, *, items: int = 1) -> tuple[Any, Any, Any]:
    """Give counts, arms and covariates of people with a sensitive item or more."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=n), rng.integers(0, 2, n)])
    arm = np.arange(n) % (items + 1)
    y = rng.binomial(J, expit(0.4 + 0.3 * X[:, 0] - 0.2 * X[:, 1]))
    z = rng.random(n) < expit(-0.8 + 0.9 * X[:, 0] + 0.5 * X[:, 1] + 0.3 * (arm == 2))
    return y + z * (arm > 0), arm, X


def control_law(h: float, rho: float) -> list[float]:
    """Give the beta-binomial law by its products; binomial if rho is 0."""
    up = [prod(h * (1 - rho) + k * rho for k in range(y)) for y in range(J + 1)]
    down = [prod((1 - h) * (1 - rho) + k * rho for k in range(J - y)) for y in range(J + 1)]
    prod_result = prod(1 - rho + k * rho for k in range(J))
    return [comb(J, y) * up[y] * down[y] / prod_result for y in range(J + 1)]


def chance_of(replies: int, arm: int, g: float, laws: Any, mis: dict[str, float]) -> float:
    """Add the chances of all who may have said so up."""
    total, most = 0.0, J + (arm > 0)
    for z, y in product((0, 1), range(J + 1)):
        says = [0.0] * (J + 2)
        says[y + z * (arm > 0)] = 1.0
        if arm and z and y == J:
            says[J], says[J + 1] = mis["ceiling"], 1 - mis["ceiling"]
        if arm and z and y == 0:
            says[0], says[1] = mis["floor"], 1 - mis["floor"]
        at_random = mis["uniform, treated" if arm else "uniform, control"]
        chance = (1 - mis["top"]) * says[replies] + mis["top"] * (replies == most)
        chance = (1 - at_random) * chance + at_random / (most + 1)
        total += laws[z][y] * (g if z else 1 - g) * chance
    return total


def by_hand(result: Any, index: np.ndarray) -> float:
    """The log-likelihood, row by row."""
    model = result.model
    width = result.model_matrix.shape[1]
    names = dict(zip(model.names, index, strict=True))
    first = np.array(index[: width * len(model.blocks)]).reshape(-1, width)
    shares = {chance: expit(names[f"logit of {chance}"]) for chance in model.chances}
    shares |= {item: float(edge) for item, edge in model.fixed}
    every = ("ceiling", "floor", "top", "uniform, control", "uniform, treated")
    mis = {item: shares.get(item, 0.0) for item in every}
    rho = [shares.get(f"overdispersion{end}") for end in ("", " if not", " if it holds")]
    spread = [rho[0]] * 2 if rho[0] is not None else rho[1:]
    total = 0.0
    for x, arm, replies in zip(
        result.model_matrix, result.answers.arm, result.answers.count, strict=True
    ):
        eta = expit(first @ x)
        g, h = eta[max(arm - 1, 0)], eta[len(model.sensitive) :]
        laws = [control_law(item, r or 0.0) for item, r in zip((h[0], h[-1]), spread, strict=True)]
        total += log(chance_of(replies, arm, g, laws, mis))
    return total


def test_the_control_law_is_scipys() -> None:
    law = betabinom(J, 0.3 * 4, 0.7 * 4)
    np.testing.assert_allclose(control_law(0.3, 0.2), law.pmf(range(J + 1)))


@pytest.mark.long
@pytest.mark.parametrize("chosen", MODELS, ids=str)
def test_likelihood_and_its_derivatives_by_hand(chosen: dict[str, Any]) -> None:
    replies, arm, X = invented(200)
    fit = item_count_regression(replies, arm, X, items=J)
    model, weights = replace(fit.model, **chosen), np.random.default_rng(2).uniform(0.5, 2, 200)
    plain = replace(fit.likelihood, model=model)
    problem = replace(plain, weights=weights)
    draws = np.random.default_rng(3).normal(0, 0.7, len(model.names))
    assert plain.total(draws) == pytest.approx(by_hand(plain, draws), rel=1e-10)
    slope = approx_fprime(draws, problem.total, 1e-7)
    np.testing.assert_allclose(problem.slope(draws), slope, atol=2e-4)
    np.testing.assert_allclose(problem.scores(draws).T @ problem.weights, problem.slope(draws))
    steps = 1e-5 * np.eye(len(draws))
    bend = [(problem.slope(draws + step) - problem.slope(draws - step)) / 2e-5 for step in steps]
    np.testing.assert_allclose(problem.observed(draws), -np.array(bend), rtol=1e-5, atol=1e-4)


@pytest.mark.long
def test_the_top_is_one() -> None:
    """Nothing near is likelier, and errors are those of the curvature there."""
    replies, arm, X = invented(600)
    fit = item_count_regression(replies, arm, X, items=J)
    assert fit.convergence is Convergence.STATIONARY
    assert fit.log_likelihood == pytest.approx(by_hand(fit.likelihood, fit.value), rel=1e-12)
    np.testing.assert_allclose(fit.likelihood.slope(fit.value), 0, atol=1e-4)
    inverse = np.linalg.inv(fit.likelihood.observed(fit.value))
    np.testing.assert_allclose(fit.covariance, inverse, rtol=1e-6)
    assert abs((fit.value[:3] - [-0.8, 0.9, 0.5]) / fit.se[:3]).max() < 3


@pytest.mark.long
def test_several_items_each_have_their_own_coefficients() -> None:
    """With one control group the likelihood is that of both, by hand."""
    replies, arm, X = invented(900, items=2)
    names = np.array(["none", "tea", "wine"])[arm]
    fit = item_count_regression(replies, names, X, items=J, control="none")
    assert fit.model.sensitive == ("tea", "wine")
    assert fit.log_likelihood == pytest.approx(by_hand(fit.likelihood, fit.value), rel=1e-12)
    assert fit.prevalence().value.shape == (2,)
    assert fit.effects().labels == ("tea: x1", "wine: x1", "tea: x2", "wine: x2")
    with pytest.raises(ak.errors.InputError, match="control group alone"):
        item_count_regression(replies, names, X, items=J, control="none", constrained=False)


def test_without_covariates_the_share_is_near_the_difference_in_means() -> None:
    replies, arm, _ = invented(4000)
    fit = item_count_regression(replies, arm, items=J)
    plain = ak.inference.item_count(ak.inference.count_items(replies, arm, items=J))
    share = fit.prevalence()
    assert abs(share.value[0] - plain.value[0]) < 2 * plain.se[0]
    assert share.se[0] < plain.se[0]
    assert 0 < share.lower[0] < share.value[0] < share.upper[0] < 1
    treated = ak.inference.item_count(ak.inference.count_items(replies, arm, items=J)).revealed
    np.testing.assert_allclose(fit.revealed, treated, atol=0.03)


@pytest.mark.long
def test_a_larger_model_is_no_less_likely() -> None:
    replies, arm, X = invented(500)
    small = item_count_regression(replies, arm, X, items=J)
    for misreport in MISREPORTS[1:5]:
        large = item_count_regression(replies, arm, X, items=J, misreport=misreport)
        assert large.log_likelihood >= small.log_likelihood - 1e-6, misreport
    free = item_count_regression(replies, arm, X, items=J, constrained=False)
    statistic, df, p = free.likelihood_ratio(small)
    assert (df, 0 < p <= 1) == (3, True)
    assert statistic == pytest.approx(2 * (free.log_likelihood - small.log_likelihood))
    other = item_count_regression(replies, arm, X[:, :1], items=J, weights=[2.0] * 500)
    with pytest.raises(ak.errors.InputError, match="not of the same reports"):
        free.likelihood_ratio(other)
    squared = item_count_regression(replies, arm, X[:, :1] ** 2, items=J)
    lies = item_count_regression(replies, arm, X[:, :1], items=J, misreport="top")
    for larger, smaller in ((small, squared), (free, lies)):
        with pytest.raises(ak.errors.InputError, match=r"not nested.*AIC"):
            larger.likelihood_ratio(smaller)


@pytest.mark.long
@pytest.mark.parametrize("misreport", ["ceiling", "floor", "top"])
def test_misreports_are_found(misreport: str) -> None:
    """Of many people, four in ten of whom depart from the truth where they might."""
    rng, n = np.random.default_rng(5), 6_000
    arm, y, z = np.arange(n) % 2, rng.binomial(J, 0.5, n), rng.random(n) < 0.5
    replies, lies = y + z * arm, rng.random(n) < 0.4
    if misreport == "top":
        replies = np.where(lies, J + arm, replies)
    else:
        edge, displayed = (J, J) if misreport == "ceiling" else (0, 0)
        replies = np.where((arm == 1) & z & (y == edge) & lies, displayed, replies)
    fit = item_count_regression(replies, arm, items=J, misreport=misreport)
    chance = fit.misreports()
    assert chance.labels == (misreport,)
    assert abs(chance.value[0] - 0.4) < 3.5 * chance.se[0] < 0.5
    assert 0 < chance.lower[0] < chance.value[0] < chance.upper[0] < 1
    assert abs(fit.prevalence().value[0] - 0.5) < 3.5 * fit.prevalence().se[0]
    plain = item_count_regression(replies, arm, items=J).prevalence()
    assert fit.log_likelihood > item_count_regression(replies, arm, items=J).log_likelihood + 5
    assert plain.value[0] != pytest.approx(fit.prevalence().value[0], abs=0.01)


@pytest.mark.long
def test_chances_that_are_likeliest_none_are_held_there() -> None:
    replies, arm, X = invented(500)
    fit = item_count_regression(replies, arm, X, items=J, misreport="uniform")
    assert fit.model.fixed or min(fit.misreports().value) > 1e-3
    for name, edge in fit.model.fixed:
        assert fit.convergence is Convergence.ON_BOUNDARY
        assert f"{name} most likely {edge}; errors allow for others, but trust" in repr(fit)
        misreports_result = fit.misreports()
        assert misreports_result.value[misreports_result.labels.index(name)] == edge
    json.dumps(fit.to_dict(), allow_nan=False)


@pytest.mark.long
@given(st.integers(0, 2**32 - 1), st.floats(0.1, 1e4), st.floats(-1e3, 1e3))
@settings(max_examples=5, deadline=None)
def test_units_of_a_covariate_do_not_matter(seed: int, unit: float, zero: float) -> None:
    replies, arm, X = invented(400, seed)
    try:
        regression = item_count_regression(replies, arm, X, items=J)
    except ak.errors.NotIdentified:
        return
    two = item_count_regression(replies, arm, X * [unit, 1] + [zero * unit, 0], items=J)
    assert two.log_likelihood == pytest.approx(regression.log_likelihood, abs=1e-6)
    np.testing.assert_allclose(two.value[1] * unit, regression.value[1], rtol=1e-3, atol=1e-5)


@pytest.mark.long
def test_a_formula_says_the_same_as_columns() -> None:
    replies, arm, X = invented(400)
    data = {
        "y": replies.tolist(),
        "t": arm.tolist(),
        "age": X[:, 0],
        "rural": X[:, 1],
        "w": [2.0] * 400,
    }
    by_name = item_count_regression("y", "t", "~ age + rural", items=J, data=data)
    plain = item_count_regression(replies, arm, X, items=J, terms=["age", "rural"])
    np.testing.assert_allclose(by_name.value, plain.value)
    assert repr(by_name).startswith("~ age + rural\n")
    np.testing.assert_allclose(by_name.predict(data), plain.predict(X))
    np.testing.assert_allclose(by_name.effects().value, plain.effects().value, rtol=1e-6)
    heavy = item_count_regression("y", "t", "~ age + rural", items=J, data=data, weights="w")
    own = item_count_regression(replies, arm, X, items=J, clusters=np.arange(400))
    np.testing.assert_allclose(heavy.covariance, own.covariance, rtol=1e-4)
    assert str(own.standard_errors) == "400 clusters"


def test_margins_by_differences() -> None:
    """Delta-method errors, with the slopes of the mean taken by small steps."""
    replies, arm, X = invented(500)
    fit = item_count_regression(replies, arm, X, items=J)
    model_matrix = fit.likelihood.model_matrix

    def mean(index: np.ndarray) -> float:
        return float(expit(model_matrix @ index[:3]).mean())

    slope = approx_fprime(fit.value, mean, 1e-7)
    prevalence_result = fit.prevalence()
    assert prevalence_result.value[0] == pytest.approx(mean(fit.value))
    assert prevalence_result.se[0] == pytest.approx(
        np.sqrt(slope @ fit.covariance @ slope), rel=1e-4
    )
    up, down = X.copy(), X.copy()
    up[:, 1], down[:, 1] = 1, 0
    difference_result = fit.difference(up, down)
    assert difference_result.value[0] == pytest.approx(fit.effects().value[1])
    assert difference_result.se[0] == pytest.approx(fit.effects().se[1])
    assert difference_result.value[0] == pytest.approx(
        float((fit.predict(up) - fit.predict(down)).mean())
    )


def test_what_is_written_and_drawn() -> None:
    from matplotlib import pyplot

    replies, arm, X = invented(400)
    fit = item_count_regression(replies, arm, X, items=J, terms=["Größe", "<f>"])
    document = json.loads(json.dumps(fit.to_dict(), allow_nan=False))
    assert document["names"][1] == "sensitive item: Größe"
    assert document["effects"]["labels"] == ["Größe", "<f>"]
    assert "&lt;f&gt;" in fit._repr_html_()
    ax = fit.plot()
    assert len(ax.get_yticklabels()) == 3
    pyplot.close(ax.figure)


def test_what_cannot_be_told_is_refused() -> None:
    replies, arm, X = invented(200)
    with pytest.raises(ak.errors.NotIdentified, match="rises without end along sensitive item"):
        item_count_regression(np.minimum(replies, J - arm), arm, items=J)
    with pytest.raises(ak.errors.InputError, match="0 for all of control"):
        item_count_regression(replies, arm, X, items=J, weights=arm)
    with pytest.raises(ak.errors.InputError, match="misreport"):
        item_count_regression(replies, arm, X, items=J, misreport="roof")
    with pytest.raises(ak.errors.InputError, match="observed, robust"):
        item_count_regression(replies, arm, X, items=J, errors="expected")
    with pytest.raises(ak.errors.NotIdentified, match="are each determined"):
        item_count_regression(replies, arm, X[:, [0, 0]], items=J)


def most_likely(problem: Any, content: Any) -> float:
    """The most of the log-likelihood, by scipy, where something of chances is held at 0."""
    from scipy.optimize import minimize
    from scipy.special import logit

    count = len(problem.model.names) - len(problem.model.chances)

    def away(index: np.ndarray) -> float:
        chances = logit(index[count:].clip(1e-9, 1 - 1e-9))
        return -problem.total(np.append(index[:count], chances)) / 100

    bounds = [(-8.0, 8.0)] * count + [(0.0, 1.0)] * len(problem.model.chances)
    starts = (
        [-1.0] + [0.5] * (count - 1) + [number] * len(problem.model.chances)
        for number in (0.1, 0.6)
    )
    optimums = [
        minimize(
            away,
            start,
            method="SLSQP",
            bounds=bounds,
            constraints={"type": "eq", "fun": content},
            options={"maxiter": 500, "ftol": 1e-12},
        )
        for start in starts
    ]
    return -100 * min(optimum.fun for optimum in optimums)


@pytest.mark.long
@pytest.mark.parametrize("hide", [0.0, 0.6])
def test_profile_intervals_end_where_the_likelihood_has_fallen(hide: float) -> None:
    """Beside another program that climbs with the share, coefficient or chance held there."""
    rng, n = np.random.default_rng(6 if hide else 5), 1500
    arm, x = np.arange(n) % 2, rng.integers(0, 2, n)
    y = rng.binomial(J, 0.7, n) + arm * (rng.random(n) < 0.15 + 0.2 * x)
    replies = y - ((y > J) & (rng.random(n) < hide))
    fit = item_count_regression(replies, arm, x, items=J, misreport="ceiling")
    assert bool(fit.model.fixed) == (hide == 0)  # so the seeds were chosen
    problem = replace(fit.likelihood, model=replace(fit.model, fixed=()))
    share, slope, hidden = fit.prevalence(), fit.coefficients("profile"), fit.misreports()

    def mean(index: np.ndarray) -> float:
        return float(expit(fit.likelihood.model_matrix @ index[:2]).mean())

    result = [
        (share.lower[0], mean),
        (share.upper[0], mean),
        (slope.lower[1], lambda position: position[1]),
        (slope.upper[1], lambda at: at[1]),
        (hidden.upper[0], lambda at: at[-1]),
    ]
    if hide:
        result.append((hidden.lower[0], lambda at: at[-1]))
    else:
        assert hidden.lower[0] == hidden.value[0] == 0
    for end, number in result:
        most = most_likely(problem, lambda at, number=number, end=end: number(at) - end)
        assert 2 * (fit.log_likelihood - most) == pytest.approx(3.8415, abs=0.02)
    assert slope.title == "coefficient, profile interval"
    assert slope.labels == fit.names[: len(slope.labels)]


def test_errors_of_a_chance_that_is_held_allow_for_others() -> None:
    """They are those of the curvature with the chance free, and larger than with it known."""
    replies, arm, X = invented(500, 3)
    fit = item_count_regression(replies, arm, X[:, :1], items=J, misreport="top")
    assert fit.model.fixed == (("top", 0),)  # so the seed was chosen
    expected = np.linalg.inv(fit.likelihood.observed(fit.value))
    assert (np.diag(fit.covariance) >= np.diag(expected) * (1 - 1e-9)).all()
    assert fit.covariance[0, 0] > 1.0001 * expected[0, 0]
    free = replace(fit.likelihood, model=replace(fit.model, fixed=()))

    def total(index: np.ndarray) -> float:
        return free.total(np.append(index[:-1], np.log(index[-1] / (1 - index[-1]))))

    append_result, step = np.append(fit.value, 2e-3), 1e-3
    moves = step * np.eye(len(append_result))
    bend = [
        [
            (
                total(append_result + a + b)
                - total(append_result + a - b)
                - total(append_result - a + b)
                + total(append_result - a - b)
            )
            / (4 * step**2)
            for a in moves
        ]
        for b in moves / 2
    ]
    result = np.linalg.inv(-2 * np.array(bend))
    np.testing.assert_allclose(fit.free_covariance, result, rtol=0.1, atol=2e-4)


@pytest.mark.long
def test_robust_errors_widen_the_profile() -> None:
    """Everybody counted four times over in clusters of four: the interval of one each."""
    rng = np.random.default_rng(6)
    arm, y = np.arange(800) % 2, rng.binomial(J, 0.5, 800)
    replies = y + arm * (rng.random(800) < 0.4)
    replies -= (replies > J) & (rng.random(800) < 0.5)
    once = item_count_regression(replies, arm, items=J, misreport="ceiling").prevalence()
    four = item_count_regression(
        np.repeat(replies, 4),
        np.repeat(arm, 4),
        items=J,
        misreport="ceiling",
        clusters=np.repeat(np.arange(800), 4),
    ).prevalence()
    assert once.upper - once.lower == pytest.approx(four.upper - four.lower, rel=0.1)


def test_a_design_of_clusters_gives_clustered_errors() -> None:
    """Weights and clusters in a sampling design are those beside the likelihood."""
    replies, arm, X = invented(400)
    village, weights = np.arange(400) // 8, np.random.default_rng(1).uniform(1, 2, 400)
    sampling = ak.inference.SamplingDesign(weights=weights, clusters=village)
    own = item_count_regression(replies, arm, X, items=J, sampling=sampling)
    regression = item_count_regression(replies, arm, X, items=J, weights=weights, clusters=village)
    np.testing.assert_allclose(own.value, regression.value)
    np.testing.assert_allclose(own.covariance, regression.covariance, rtol=1e-9)
    assert str(own.standard_errors) == "complex sample, 44 degrees of freedom"
    coefficients_result, plain = own.coefficients(), regression.coefficients()
    np.testing.assert_allclose(coefficients_result.upper, plain.upper, rtol=1e-6)
    np.testing.assert_allclose(
        coefficients_result.upper - coefficients_result.value, 2.015368 * own.se, rtol=1e-6
    )
    fewer = ak.inference.SamplingDesign(weights=weights, clusters=village, fpc=[60] * 400)
    count_regression = item_count_regression(replies, arm, X, items=J, sampling=fewer)
    np.testing.assert_allclose(count_regression.covariance, own.covariance)
    with pytest.raises(ak.errors.InputError, match="complex sample"):
        own.likelihood_ratio(own)
    with pytest.raises(ak.errors.InputError, match="the sampling design says it"):
        item_count_regression(replies, arm, X, items=J, sampling=sampling, clusters=village)
    few = ak.inference.SamplingDesign(clusters=np.arange(400) % 5)
    with pytest.raises(ak.errors.InputError, match="degrees of freedom for 6 parameters"):
        item_count_regression(replies, arm, X, items=J, sampling=few)


@pytest.mark.long
def test_a_design_widens_the_profile() -> None:
    rng = np.random.default_rng(6)
    arm, y = np.arange(800) % 2, rng.binomial(J, 0.5, 800)
    replies = y + arm * (rng.random(800) < 0.4)
    replies -= (replies > J) & (rng.random(800) < 0.5)
    four, village = np.repeat(np.arange(800), 4), np.repeat(np.arange(800), 4)
    sampling = ak.inference.SamplingDesign(clusters=village)
    once = item_count_regression(replies, arm, items=J, misreport="ceiling").prevalence()
    prevalence_result = item_count_regression(
        replies[four], arm[four], items=J, misreport="ceiling", sampling=sampling
    ).prevalence()
    assert once.upper - once.lower == pytest.approx(
        prevalence_result.upper - prevalence_result.lower, rel=0.1
    )
