"""Regression of true answers: published figures, plain twins, and what cannot be."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import expit, softmax

import askance as ak
from askance.inference import maximisation
from askance.inference.maximisation import maximise

LINKS = ["logit", "probit", "loglog", "cloglog"]
YN = ak.Frame(["yes", "no"])
ABC = ak.Frame(["a", "b", "c"])
FORCED = ak.Channel(YN, {"yes": ["yes"], "no": ["no"]}, [[5 / 6, 1 / 6], [1 / 6, 5 / 6]])
ABSTAIN = ak.Abstain(truth=0.6, lie=0.1).channel(YN)
VAGUE = ak.Channel(
    ABC,
    {"a": ["a"], "b": ["b"], "c": ["c"], "a or b": ["a", "b"], "?": ["a", "b", "c"]},
    [[0.5, 0.1, 0.05, 0.3, 0.05], [0.1, 0.5, 0.1, 0.2, 0.1], [0.1, 0.1, 0.6, 0.0, 0.2]],
)


def invented(
    channel: ak.Channel, n: int, *, ordered: bool = False, seed: int = 1
) -> tuple[list[str], np.ndarray]:
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(40, 10, n), rng.integers(0, 2, n)])
    k = len(channel.frame)
    if ordered:
        upto = expit(np.linspace(1.2, 3.0, k - 1) - (X @ [0.05, -0.6])[:, None])
        shares = np.diff(upto, prepend=0, append=1, axis=1)
    else:
        values = np.array([[-1.0 + j, 0.03 - 0.02 * j, 0.5 - j] for j in range(k - 1)])
        odds = np.column_stack([np.ones(n), X]) @ values.T
        shares = softmax(np.column_stack([odds, np.zeros(n)]), axis=1)
    chances = np.cumsum(shares @ channel.matrix, axis=1)
    codes = (rng.random(n)[:, None] > chances).sum(axis=1)
    return [channel.reports[code] for code in codes.clip(max=len(channel.reports) - 1)], X


MODELS = [
    (FORCED, {}),
    (ABSTAIN, {}),
    (ABSTAIN, {"link": "probit"}),
    (ABSTAIN, {"link": "cloglog"}),
    (ABSTAIN, {"link": "loglog"}),
    (VAGUE, {}),
    (VAGUE, {"ordered": True}),
    (VAGUE, {"ordered": True, "link": "probit"}),
]


@pytest.mark.long
@pytest.mark.parametrize(("channel", "chosen"), MODELS)
def test_a_plain_twin_climbs_to_the_same_top(channel: ak.Channel, chosen: dict[str, Any]) -> None:
    """A search without derivatives, on the likelihood as it is written, finds nothing higher."""
    replies, X = invented(channel, 800, ordered="ordered" in chosen)
    fit = ak.response_regression(replies, X, channel, **chosen)
    codes = np.array([channel.column(reply) for reply in replies])
    centred = np.column_stack([np.ones(len(X)), (X - X.mean(0)) / X.std(0)])
    model = fit.model

    def loss(index: np.ndarray) -> float:
        shares = model.shares(centred @ model.weights(index))
        if not (shares > 0).all():
            return np.inf
        return -float(np.log((shares @ channel.matrix)[np.arange(len(codes)), codes]).sum())

    best = minimize(
        loss,
        model.start() + 0.01,
        method="Nelder-Mead",
        tol=1e-9,
        options={"maxiter": 20000, "maxfev": 20000, "adaptive": True},
    )
    assert fit.log_likelihood >= -best.fun - 1e-7
    assert fit.log_likelihood == pytest.approx(-best.fun, abs=1e-4)
    assert fit.convergence is ak.inference.Convergence.STATIONARY


@pytest.mark.parametrize(("channel", "chosen"), MODELS)
def test_slopes_and_curvature_are_those_of_the_likelihood(
    channel: ak.Channel, chosen: dict[str, Any]
) -> None:
    replies, X = invented(channel, 200, ordered="ordered" in chosen)
    fit = ak.response_regression(
        [*replies[:-1], None], X / 40, channel, weights=np.linspace(0.5, 2, 200), **chosen
    )
    problem, model = fit.likelihood, fit.model
    index = model.start() + np.linspace(-0.1, 0.1, len(model.names))
    steps = 1e-5 * np.eye(len(index))
    slope = [(problem.total(index + step) - problem.total(index - step)) / 2e-5 for step in steps]
    np.testing.assert_allclose(problem.slope(index), slope, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(
        problem.weights @ problem.scores(index), problem.slope(index), rtol=1e-10
    )
    bend = [(problem.slope(index - step) - problem.slope(index + step)) / 2e-5 for step in steps]
    np.testing.assert_allclose(problem.observed(index), bend, rtol=1e-5, atol=1e-5)
    assert np.linalg.eigvalsh(problem.complete(index) - problem.expected(index))[0] > -1e-9


@pytest.mark.parametrize(("channel", "chosen"), MODELS)
def test_expected_information_is_the_mean_of_the_observed_over_reports(
    channel: ak.Channel, chosen: dict[str, Any]
) -> None:
    """Every report once at either covariate, weighed by its chance: one and the same."""
    m = len(channel.reports)
    rows = {"reports": [*channel.reports] * 2, "covariates": np.repeat([0.3, -0.7], m)}
    model = ak.response_regression(**rows, channel=channel, **chosen).model
    index = model.start() + np.linspace(-0.1, 0.1, len(model.names))
    model_matrix = np.column_stack([np.ones(2), [0.3, -0.7]])
    chances = model.shares(model_matrix @ model.weights(index)) @ channel.matrix
    rows["counts"] = np.round(1e12 * chances.ravel())
    fit = ak.response_regression(**rows, channel=channel, **chosen)
    problem = fit.likelihood
    np.testing.assert_allclose(problem.expected(index), problem.observed(index), rtol=1e-9, atol=1)
    np.testing.assert_allclose(problem.slope(index), 0, atol=10)
    np.testing.assert_allclose(fit.value, index, rtol=1e-6, atol=1e-8)
    expected = ak.response_regression(**rows, channel=channel, errors="expected", **chosen)
    np.testing.assert_allclose(expected.covariance, fit.covariance, rtol=1e-6)


def test_without_protection_it_is_the_ordinary_logit() -> None:
    """Newton's logit on the answers themselves, in four lines."""
    plain = ak.Channel(YN, {"yes": ["yes"], "no": ["no"]}, np.eye(2))
    replies, X = invented(plain, 500)
    fit = ak.response_regression(replies, X, plain)
    model_matrix, y = (
        np.column_stack([np.ones(500), X]),
        np.array([reply == "yes" for reply in replies]),
    )
    values = np.zeros(3)
    for _ in range(25):
        p = 1 / (1 + np.exp(-model_matrix @ values))
        information = model_matrix.T @ (model_matrix * (p * (1 - p))[:, None])
        values = values + np.linalg.solve(information, model_matrix.T @ (y - p))
    np.testing.assert_allclose(fit.value, values, rtol=1e-8)
    np.testing.assert_allclose(fit.covariance, np.linalg.inv(information), rtol=1e-6)


def test_two_ordered_answers_are_two_answers_with_the_sign_turned() -> None:
    replies, X = invented(ABSTAIN, 400)
    regression = ak.response_regression(replies, X, ABSTAIN)
    two = ak.response_regression(replies, X, ABSTAIN, ordered=True)
    np.testing.assert_allclose(two.value, regression.value * [1, -1, -1], rtol=1e-6)
    assert two.log_likelihood == pytest.approx(regression.log_likelihood)


@pytest.mark.parametrize("errors", ["observed", "expected", "robust"])
def test_a_count_of_two_is_the_row_twice(errors: str) -> None:
    replies, X = invented(VAGUE, 300)
    count = np.arange(300) % 4
    once = ak.response_regression(replies, X, VAGUE, counts=count, errors=errors)
    rows = np.repeat(np.arange(300), count)
    often = ak.response_regression([replies[row] for row in rows], X[rows], VAGUE, errors=errors)
    np.testing.assert_allclose(once.value, often.value, rtol=1e-5)
    np.testing.assert_allclose(once.covariance, often.covariance, rtol=1e-4, atol=1e-8)
    assert (once.n, once.blanks, once.aic) == (often.n, often.blanks, pytest.approx(often.aic))


def test_the_unit_of_sampling_weights_does_not_matter() -> None:
    """Errors of weights that are all alike are the sandwich's."""
    replies, X = invented(VAGUE, 300)
    weights = np.where(np.arange(300) % 3, 1.0, 4.0)
    item, hundred = (
        ak.response_regression(replies, X, VAGUE, weights=weights * unit) for unit in (1, 100)
    )
    np.testing.assert_allclose(item.value, hundred.value, rtol=1e-6)
    np.testing.assert_allclose(item.se, hundred.se, rtol=1e-6)
    regression = ak.response_regression(replies, X, VAGUE, weights=np.full(300, 7.0))
    robust = ak.response_regression(replies, X, VAGUE, errors="robust")
    np.testing.assert_allclose(regression.se, robust.se, rtol=1e-6)


def test_counts_are_no_weights() -> None:
    replies, X = invented(VAGUE, 300)
    for wrong_counts, match in (
        ({"counts": np.full(300, 1.5)}, r"counts\[0\].*weights="),
        ({"counts": np.full(300, 2), "weights": np.ones(300)}, "beside sampling weights"),
        ({"counts": np.zeros(300)}, "all 0"),
        ({"counts": [1, 2]}, "one per row"),
    ):
        with pytest.raises(ak.errors.InputError, match=match):
            ak.response_regression(replies, X, VAGUE, **wrong_counts)


def test_a_cluster_of_copies_is_one_row() -> None:
    """Five copies of everybody, clustered by person: errors as of the persons alone.

    Clusters that say nothing are none of those that errors come from.
    """
    replies, X = invented(ABSTAIN, 300)
    alone = ak.response_regression(replies, X, ABSTAIN, errors="robust")
    copied = ak.response_regression(
        replies * 5, np.tile(X, (5, 1)), ABSTAIN, clusters=np.tile(np.arange(300), 5)
    )
    np.testing.assert_allclose(copied.se, alone.se, rtol=1e-6)
    assert (
        str(copied.standard_errors)
        == f"{sum(reply != ABSTAIN.reports[-1] for reply in replies)} clusters"
    )


def test_rows_may_have_channels_of_their_own() -> None:
    """Two channels by group are one channel whose reports tell the group, whichever is drawn."""
    replies, X = invented(ABSTAIN, 500)
    group = np.arange(500) % 2
    other = ak.Abstain(truth=0.8, lie=0.05).channel(YN)
    mixed = ak.response_regression(replies, X, [ABSTAIN, other], group=group)
    joint = ak.Channel(
        YN,
        {f"{index}{report}": [YN.answers[0]] for index in range(2) for report in ABSTAIN.reports},
        np.concatenate([ABSTAIN.matrix, other.matrix], axis=1) / 2,
    )
    same = ak.response_regression(
        [f"{index}{reply}" for index, reply in zip(group, replies, strict=True)], X, joint
    )
    np.testing.assert_allclose(mixed.value, same.value, rtol=1e-6)
    np.testing.assert_allclose(mixed.covariance, same.covariance, rtol=1e-5, atol=1e-9)
    assert mixed.log_likelihood == pytest.approx(same.log_likelihood + 500 * np.log(2))


def test_blanks_tell_nothing_and_are_averaged_over() -> None:
    replies, X = invented(FORCED, 300)
    more = np.full((20, 2), 45.0) + np.arange(2)
    with_blanks = ak.response_regression([*replies, *[None] * 20], np.vstack([X, more]), FORCED)
    without = ak.response_regression(replies, X, FORCED)
    np.testing.assert_allclose(with_blanks.value, without.value, rtol=1e-6)
    assert (with_blanks.n, with_blanks.blanks, without.blanks) == (320, 20, 0)
    assert "\n20 of these respondents sent a blank\n" in repr(with_blanks)
    assert with_blanks.to_dict()["blanks"] == 20
    assert with_blanks.log_likelihood == pytest.approx(without.log_likelihood)
    assert with_blanks.prevalence().value[0] != pytest.approx(without.prevalence().value[0])
    expected = [
        ak.response_regression(y, Z, FORCED, errors="expected").se
        for y, Z in ((replies, X), ([*replies, *[None] * 20], np.vstack([X, more])))
    ]
    np.testing.assert_allclose(expected[0], expected[1], rtol=1e-5)


def test_prevalence_at_a_row_is_its_prediction() -> None:
    replies, X = invented(VAGUE, 500)
    fit = ak.response_regression(replies, X, VAGUE)
    person = [[35.0, 1.0]]
    prevalence_result = fit.prevalence(person)
    np.testing.assert_allclose(prevalence_result.value, fit.predict(person)[0], rtol=1e-12)
    plain = ak.Channel(ABC, {name: [name] for name in "abc"}, np.eye(3))
    regression = ak.response_regression(
        [reply if reply in "abc" else None for reply in replies], X, plain
    )
    told_plainly = regression.prevalence(person)
    for item, part in ((prevalence_result, 1), (told_plainly, 1)):
        for end in (
            item.lower,
            item.upper,
        ):  # at an end the distance is z errors, as expected there
            spread = (end - item.value) ** 2 / 1.959964**2
            share = (spread - item.se**2) / (end * (1 - end) - item.value * (1 - item.value))
            assert (share > 0).all()
            assert (share <= part * item.se**2 / (item.value * (1 - item.value)) * (1 + 1e-6)).all()
    np.testing.assert_allclose(fit.predict(X).mean(axis=0), fit.prevalence().value, rtol=1e-12)


NEAR = ak.Channel(YN, {"yes": ["yes"], "no": ["no"]}, [[11 / 12, 1 / 12], [1 / 6, 5 / 6]])


@pytest.mark.parametrize("yes", [121, 125, 150, 240, 400])
def test_without_covariates_the_interval_is_that_of_the_share(yes: int) -> None:
    """121 of 720: one more than nobody would send. On the logit it ran from 0 to 1."""
    replies = ["yes"] * yes + ["no"] * (720 - yes)
    prevalence_result = ak.response_regression(replies, np.empty((720, 0)), NEAR).prevalence()
    known_estimate = ak.estimate(ak.Tally(NEAR, {"yes": yes, "no": 720 - yes}))
    np.testing.assert_allclose(prevalence_result.value, known_estimate.value, atol=1e-6)
    np.testing.assert_allclose(prevalence_result.lower, known_estimate.lower, atol=5e-4)
    np.testing.assert_allclose(prevalence_result.upper, known_estimate.upper, atol=5e-4)


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("yes", [60, 110, 120])
def test_a_share_of_nobody_has_an_interval_too(yes: int, link: str) -> None:
    replies = ["yes"] * yes + ["no"] * (720 - yes)
    fit = ak.response_regression(replies, np.empty((720, 0)), NEAR, link=link, errors="robust")
    assert fit.convergence is ak.inference.Convergence.ON_BOUNDARY
    prevalence_result = fit.prevalence()
    assert prevalence_result.value[0] == pytest.approx(0, abs=1.1e-6)
    assert prevalence_result.lower[0] == 0
    assert prevalence_result.upper[0] == pytest.approx(
        0.03895, abs=1e-5
    )  # z²/(n…) with the noise of 720 coins
    assert (prevalence_result.lower[1], prevalence_result.upper[1]) == (
        pytest.approx(1 - prevalence_result.upper[0], abs=2e-4),
        1,
    )
    assert json.loads(json.dumps(fit.to_dict(), allow_nan=False))
    assert "0 or 1" in repr(fit)
    with pytest.raises(ak.errors.NotIdentified, match="nobody has"):
        ak.inference.outcome_regression(np.arange(720.0), replies, np.empty((720, 0)), NEAR)


def test_one_answer_of_three_that_nobody_gives() -> None:
    replies = ["a"] * 300 + ["b"] * 250 + ["c"] * 20 + ["a or b"] * 280 + ["?"] * 90
    prevalence_result = ak.response_regression(replies, np.empty((940, 0)), VAGUE).prevalence()
    fit = ak.maximum_likelihood(
        ak.Tally(VAGUE, {reply: replies.count(reply) for reply in set(replies)})
    )
    np.testing.assert_allclose(prevalence_result.value, fit.value, atol=1e-5)
    assert prevalence_result.value[2] < 1.1e-6
    assert 0 == prevalence_result.lower[2] < prevalence_result.upper[2] < 0.1


def test_near_nobody_the_mean_share_among_people_who_differ_has_the_interval_of_the_share() -> None:
    rng = np.random.default_rng(3)
    x = rng.integers(0, 2, 800)
    shares = 1 / (1 + np.exp(4.0 - x))
    yes = rng.random(800) < shares
    selected = np.where(rng.random(800) < np.where(yes, 11 / 12, 1 / 6), "yes", "no")
    prevalence_result = ak.response_regression(selected, x[:, None], NEAR).prevalence()
    counts = {word: int((selected == word).sum()) for word in ("yes", "no")}
    known_estimate = ak.estimate(ak.Tally(NEAR, counts))
    np.testing.assert_allclose(prevalence_result.lower, known_estimate.lower, atol=2e-3)
    np.testing.assert_allclose(prevalence_result.upper, known_estimate.upper, atol=2e-3)


def test_effects_are_differences_of_predictions() -> None:
    replies, X = invented(VAGUE, 500)
    fit = ak.response_regression(replies, X, VAGUE, terms=["age", "f"])
    effects_result = fit.effects()
    on, off = X.copy(), X.copy()
    on[:, 1], off[:, 1] = 1, 0
    np.testing.assert_allclose(
        effects_result.value[3:], (fit.predict(on) - fit.predict(off)).mean(axis=0), rtol=1e-10
    )
    difference_result = fit.difference(on, off)
    assert (difference_result.title, difference_result.labels) == (
        "difference in share",
        fit.model.answers,
    )
    np.testing.assert_allclose(difference_result.se, effects_result.se[3:], rtol=1e-10)
    older = (fit.predict(X + np.array([0.001, 0])) - fit.predict(X)).mean(axis=0) / 0.001
    np.testing.assert_allclose(effects_result.value[:3], older, rtol=1e-3)
    assert effects_result.labels[0] == "a: age"
    assert abs(effects_result.value[:3].sum()) < 1e-9


@pytest.mark.parametrize("unit", [1e-7, 1e7])
def test_effects_follow_the_unit_of_the_covariate(unit: float) -> None:
    replies, X = invented(VAGUE, 500)
    years, other = (
        ak.response_regression(replies, X * scale, VAGUE).effects()
        for scale in (np.ones(2), np.array([unit, 1]))
    )
    assert other.value[:3] * unit == pytest.approx(years.value[:3], rel=1e-5)
    assert other.se[:3] * unit == pytest.approx(years.se[:3], rel=1e-5)


def test_the_delta_method_agrees_with_moving_each_coefficient() -> None:
    replies, X = invented(ABSTAIN, 400)
    fit = ak.response_regression(replies, X, ABSTAIN)
    model_matrix = np.column_stack([np.ones(400), X])

    def mean(index: np.ndarray) -> float:
        return float((1 / (1 + np.exp(-model_matrix @ index))).mean())

    steps = 1e-6 * np.eye(3)
    slope = np.array([(mean(fit.value + step) - mean(fit.value - step)) / 2e-6 for step in steps])
    assert fit.prevalence().se[0] == pytest.approx(
        (slope @ fit.covariance @ slope) ** 0.5, rel=1e-5
    )


def test_a_climb_that_is_cut_short_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    replies, X = invented(ABSTAIN, 400)
    ranges = ak.Ranges(X[:, 0] - 1, X[:, 0] + 1)
    fits = (
        lambda: ak.response_regression(replies, X, ABSTAIN),
        lambda: ak.inference.outcome_regression(
            X[:, 1], replies, X[:, :1], ABSTAIN, family="logit"
        ),
        lambda: ak.censored_regression(ranges, X[:, 1:]),
    )
    assert not any(fit().convergence is ak.inference.Convergence.STOPPED for fit in fits)
    monkeypatch.setattr(maximisation, "_MOST_FREE_STEPS", 1)
    assert all(fit().convergence is ak.inference.Convergence.STOPPED for fit in fits)


@pytest.mark.long
def test_models_that_are_not_nested_are_told_by_rank() -> None:
    """A count of parameters let these through, with p = 1 or next to nothing."""
    replies, X = invented(ABSTAIN, 600)
    x, z = X.T
    fits = {
        name: ak.response_regression(replies, np.column_stack(columns), ABSTAIN)
        for name, columns in {
            "x": [x],
            "z": [z],
            "x, x²": [x, x**2],
            "x, z": [x, z],
            "sum, z": [3 + 1e4 * (x + z), z],
            "sum": [x + z],
        }.items()
    }
    for larger, smaller in (("x, z", "x"), ("x, z", "sum"), ("sum, z", "x"), ("x, x²", "x")):
        statistic, df, _ = fits[larger].likelihood_ratio(fits[smaller])
        wanted = 2 * (fits[larger].log_likelihood - fits[smaller].log_likelihood)
        assert (df, statistic) == (1, pytest.approx(wanted))
    for larger, smaller in (("x, x²", "z"), ("x, x²", "sum")):
        with pytest.raises(ak.errors.InputError, match=r"not nested.*combinations.*AIC"):
            fits[larger].likelihood_ratio(fits[smaller])


def test_likelihood_ratio_of_nested_regressions() -> None:
    replies, X = invented(ABSTAIN, 600)
    large = ak.response_regression(replies, X, ABSTAIN)
    small = ak.response_regression(replies, X[:, :1], ABSTAIN)
    statistic, df, p = large.likelihood_ratio(small)
    assert df == 1
    assert statistic == pytest.approx(2 * (large.log_likelihood - small.log_likelihood))
    assert 0 <= p <= 1
    with pytest.raises(ak.errors.InputError, match="fewer than 2"):
        small.likelihood_ratio(large)
    for other in ({"link": "probit"}, {"weights": np.full(600, 2.0)}, {"channel": FORCED}):
        ones = [reply if reply in FORCED.reports else None for reply in replies]
        inputs = {"reports": ones, "covariates": X[:, :1], "channel": ABSTAIN} | other
        with pytest.raises(ak.errors.InputError, match="not of the same reports and link"):
            large.likelihood_ratio(ak.response_regression(**inputs))


@given(st.integers(0, 2**32 - 1), st.floats(0.1, 1e6), st.floats(-1e6, 1e6))
@settings(max_examples=15, deadline=None)
def test_units_of_a_covariate_do_not_matter(seed: int, unit: float, zero: float) -> None:
    replies, X = invented(FORCED, 400, seed=seed)
    shifted = X * [unit, 1] + [zero * unit, 0]
    try:
        regression = ak.response_regression(replies, X, FORCED)
    except ak.errors.NotIdentified:
        return
    two = ak.response_regression(replies, shifted, FORCED)
    assert two.log_likelihood == pytest.approx(regression.log_likelihood, abs=1e-6)
    np.testing.assert_allclose(two.value[1] * unit, regression.value[1], rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("link", LINKS)
def test_a_fit_ends_where_its_slope_is_nothing_but_rounding(link: str) -> None:
    """Values near the top differ by rounding alone, long before the coefficients do."""
    for seed in range(5):
        replies, X = invented(FORCED, 250, seed=seed)
        fit = ak.response_regression(replies, X, FORCED, link=link)
        slope, information = (
            of(fit.value) for of in (fit.likelihood.slope, fit.likelihood.observed)
        )
        assert slope @ np.linalg.solve(information, slope) < 1e-22


def test_the_climb_never_descends_where_the_curvature_is_of_no_use() -> None:
    replies, X = invented(ABSTAIN, 300)
    fit = ak.response_regression(replies, X / [10, 1], ABSTAIN)
    problem = fit.likelihood

    observed: list[float] = []

    class Slow:
        def total(self, index: np.ndarray) -> float:
            return problem.total(index)

        def slope(self, position: np.ndarray) -> np.ndarray:
            observed.append(problem.total(position))
            return problem.slope(position)

        def informations(self, at: np.ndarray) -> Iterator[Any]:
            yield lambda: -np.eye(len(at))
            yield lambda: problem.complete(at)

    top = maximise(Slow(), np.zeros(3))
    assert top.settled
    assert (np.diff(observed) > 0).all()
    np.testing.assert_allclose(top.parameters, fit.value, rtol=1e-3, atol=1e-4)


def test_what_is_written_and_drawn(tmp_path: Path) -> None:
    from matplotlib import pyplot

    replies, X = invented(ABSTAIN, 200)
    fit = ak.response_regression(replies, X, ABSTAIN, terms=["Größe", "<f>"])
    assert "Größe" in repr(fit)
    assert "&lt;f&gt;" in fit._repr_html_()
    document = json.loads(json.dumps(fit.to_dict(), allow_nan=False))
    assert document["names"] == ["intercept", "Größe", "<f>"]
    assert document["prevalence"]["labels"] == ["yes", "no"]
    for item in (fit, fit.effects(), fit.prevalence()):
        ax = item.plot()
        assert ax.get_xlabel()
        pyplot.close("all")
    assert "share of yes" in repr(fit.effects())
    assert not fit.value.flags.writeable


def wrong() -> list[tuple[str, dict[str, Any], type[ak.AskanceError], str]]:
    replies, X = invented(FORCED, 40)
    ok: dict[str, Any] = {"reports": replies, "covariates": X, "channel": FORCED}
    holes = X.copy()
    holes[3, 1], holes[7, 1] = np.nan, np.inf
    silent = ak.Channel(YN, {"?": ["yes", "no"]}, [[1.0], [1.0]])
    certain = ak.Channel(
        YN, {"yes": ["yes"], "no": ["no"], "never": ["no"]}, [[0.8, 0.2, 0], [0.2, 0.8, 0]]
    )
    cases = [
        (
            "missing",
            {"covariates": holes, "terms": ["age", "f"]},
            ak.errors.InputError,
            r"f missing .* 3, 7",
        ),
        ("lengths", {"covariates": X[1:]}, ak.errors.InputError, "39 rows"),
        ("shape", {"covariates": X[None]}, ak.errors.InputError, "a table"),
        ("text", {"covariates": [["x", "y"]] * 40}, ak.errors.InputError, "numbers"),
        ("terms", {"terms": ["age"]}, ak.errors.InputError, "1 terms"),
        ("constant", {"covariates": X * [1, 0]}, ak.errors.InputError, "no variation in x2"),
        ("double", {"covariates": X[:, [0, 0]]}, ak.errors.NotIdentified, "x1, x2 that are each"),
        (
            "wide",
            {"covariates": np.random.default_rng(1).random((40, 60))},
            ak.errors.NotIdentified,
            "fewer",
        ),
        ("report", {"reports": ["maybe", *replies[1:]]}, ak.errors.InputError, r"reports\[0\]"),
        (
            "column",
            {"reports": np.full(40, 2)},
            ak.errors.InputError,
            r"reports\[0\]: got 2;.*codes=",
        ),
        (
            "impossible",
            {"reports": ["never", *replies[1:]], "channel": certain},
            ak.errors.InputError,
            "no answer",
        ),
        ("silent", {"reports": ["?"] * 40, "channel": silent}, ak.errors.NotIdentified, "channel"),
        ("blanks", {"reports": [None] * 40}, ak.errors.NotIdentified, "that do not depend"),
        ("no group", {"channel": [FORCED, FORCED]}, ak.errors.InputError, "group"),
        (
            "group",
            {"channel": [FORCED, FORCED], "group": [0, 1, 2] + [0] * 37},
            ak.errors.InputError,
            r"^group\[2\]: got 2; allowed: 0 to 1",
        ),
        (
            "group below",
            {"channel": [FORCED, FORCED], "group": [0] * 39 + [-1]},
            ak.errors.InputError,
            r"^group\[39\]: got -1; allowed: 0 to 1",
        ),
        (
            "groups",
            {"channel": [FORCED, FORCED], "group": [0.5] * 40},
            ak.errors.InputError,
            "whole",
        ),
        ("none", {"channel": []}, ak.errors.InputError, "0 channels"),
        (
            "deaf",
            {"channel": [silent, silent], "group": [0] * 40},
            ak.errors.NotIdentified,
            "2 channels",
        ),
        ("link", {"link": "probity"}, ak.errors.InputError, "did you mean 'probit'"),
        ("errors", {"errors": "sandwich"}, ak.errors.InputError, "observed, expected, robust"),
        ("level", {"level": 1.0}, ak.errors.InputError, "level"),
        (
            "weights",
            {"weights": -np.ones(40)},
            ak.errors.InputError,
            r"weights\[0\]: got -1.0.*of at least 0",
        ),
        ("weightless", {"weights": np.zeros(40)}, ak.errors.InputError, "weights: .* all 0"),
        (
            "nobody",
            {"reports": [], "covariates": np.empty((0, 2))},
            ak.errors.InputError,
            "reports: got 'no rows'",
        ),
        ("weight", {"weights": np.ones(3)}, ak.errors.InputError, "one per report"),
        ("clusters", {"clusters": [1, 2]}, ak.errors.InputError, "40 labels"),
        (
            "few",
            {"clusters": [1, 2] * 20},
            ak.errors.InputError,
            "2 clusters.*more clusters than the 3",
        ),
    ]
    return [(name, ok | changed, kind, match) for name, changed, kind, match in cases]


@pytest.mark.parametrize(
    ("name", "given", "kind", "match"), wrong(), ids=[item[0] for item in wrong()]
)
def test_what_cannot_be_is_refused(
    name: str, given: dict[str, Any], kind: type[Exception], match: str
) -> None:
    with pytest.raises(kind, match=match):
        ak.response_regression(**given)


def test_separation_names_the_covariate() -> None:
    """All who have it say what only a yes can send: its odds have no top."""
    certain = ak.Channel(YN, {"yes": ["yes"], "no": ["no"]}, [[0.9, 0.1], [0.0, 1.0]])
    rng = np.random.default_rng(2)
    f = np.arange(200) % 2
    age = rng.normal(size=200)
    texts = [
        "yes" if item or chance < 0.3 else "no"
        for item, chance in zip(f, rng.random(200), strict=True)
    ]
    with pytest.raises(ak.errors.NotIdentified, match="without end along f"):
        ak.response_regression(texts, np.column_stack([age, f]), certain, terms=["age", "f"])


def test_several_answers_without_order_have_the_logit_alone() -> None:
    replies, X = invented(VAGUE, 50)
    with pytest.raises(ak.errors.InputError, match="ordered=True"):
        ak.response_regression(replies, X, VAGUE, link="probit")


@pytest.mark.parametrize("name", LINKS)
def test_links_and_their_derivatives(name: str) -> None:
    replies, X = invented(FORCED, 200)
    link = ak.response_regression(replies, X, FORCED, link=name).model.link
    assert link.name == name
    eta = np.linspace(-4, 2.5, 40)
    chance, slope, bend = link.chances(eta)
    up, down = (link.chances(eta + step) for step in (1e-6, -1e-6))
    np.testing.assert_allclose(link.inverse(chance), eta, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(slope, (up[0] - down[0]) / 2e-6, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(bend, (up[1] - down[1]) / 2e-6, rtol=1e-6, atol=1e-8)
    for item in link.chances(np.array([-1e6, -40.0, 40.0, 1e6])):
        assert np.isfinite(item).all()
