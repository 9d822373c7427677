"""Linear regression of ranges: against brute force, its laws, its intervals and its refusals."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import minimize

from askance.channels import Ranges
from askance.inference import (
    Convergence,
    SamplingDesign,
    StudentNoise,
    censored_regression,
)
from askance_collect.errors import InputError, NotIdentified

LAWS = {
    "normal": stats.norm,
    "logistic": stats.logistic,
    "student": stats.t(4),
    "gumbel": stats.gumbel_l,
    "laplace": stats.laplace,
}
each = pytest.mark.parametrize("noise", LAWS)


def _seen(noise="normal", n=200, seed=1):
    """Give ranges between two cuts, with covariates of very different size."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=n), rng.uniform(1990, 2020, n)])
    y = X[:, 0] + 0.05 * (X[:, 1] - 2005) + 0.8 * LAWS[noise].rvs(size=n, random_state=rng)
    cuts = np.sort(rng.normal(0, 1.5, (n, 2)), axis=1)
    cell = (y[:, None] > cuts).sum(axis=1)
    ends = np.column_stack([np.full(n, -np.inf), cuts, np.full(n, np.inf)])
    return Ranges(ends[np.arange(n), cell], ends[np.arange(n), cell + 1]), X


def _brute(law, ranges, X, index):
    mean, scale = index[0] + X @ index[1:-1], np.exp(index[-1])
    chance = law.cdf((ranges.upper - mean) / scale) - law.cdf((ranges.lower - mean) / scale)
    return float(ranges.weights @ np.log(chance))


@pytest.mark.long
@each
def test_no_place_nearby_is_more_likely(noise):
    ranges, X = _seen(noise)
    fit = censored_regression(ranges, X, noise)
    law = LAWS[noise]
    assert fit.log_likelihood == pytest.approx(_brute(law, ranges, X, fit.value), rel=1e-10)
    steps = np.random.default_rng(2).normal(size=(200, 4)) @ np.linalg.cholesky(fit.covariance).T
    for step in steps:
        for size in (0.01, 0.3, 1):
            brute_result = _brute(law, ranges, X, fit.value + size * step)
            assert brute_result <= fit.log_likelihood + 1e-9


def test_a_search_without_derivatives_finds_the_same():
    ranges, X = _seen("student")
    X = X[:, :1]
    fit = censored_regression(ranges, X, "student")
    optimum = minimize(
        lambda index: -_brute(LAWS["student"], ranges, X, index),
        np.zeros(3),
        method="Nelder-Mead",
        options={"xatol": 1e-9, "fatol": 1e-11, "maxiter": 4000},
    )
    assert fit.value == pytest.approx(optimum.x, abs=1e-5)


@pytest.mark.long
@settings(max_examples=15, deadline=None)
@given(
    shift=st.floats(-100, 100),
    stretch=st.floats(0.01, 100),
    grow=st.floats(-50, 50).filter(lambda x: abs(x) > 0.01),
)
def test_other_units_change_nothing(shift, stretch, grow):
    ranges, X = _seen(n=60)
    fit = censored_regression(ranges, X, "logistic")
    moved_ranges = Ranges(shift + stretch * ranges.lower, shift + stretch * ranges.upper)
    same = censored_regression(moved_ranges, X * [1, grow], "logistic")
    expected = fit.value * [stretch, stretch, stretch / grow, 1] + [shift, 0, 0, np.log(stretch)]
    assert same.value == pytest.approx(expected, rel=1e-5, abs=1e-5 * stretch)
    assert same.log_likelihood == pytest.approx(fit.log_likelihood, rel=1e-8)
    assert same.value[1:3] / same.se[1:3] == pytest.approx(
        np.sign([1, grow]) * fit.value[1:3] / fit.se[1:3], rel=1e-4
    )


def test_a_weight_is_so_many_rows():
    ranges, X = _seen(n=80)
    often = np.arange(80) % 4
    many = np.repeat(np.arange(80), often)
    masses_at_prices = censored_regression(Ranges(ranges.lower, ranges.upper, often), X)
    repeated = censored_regression(ranges[many], X[many])
    assert masses_at_prices.value == pytest.approx(repeated.value, rel=1e-7)
    assert masses_at_prices.se == pytest.approx(repeated.se, rel=1e-7)
    robust = censored_regression(Ranges(ranges.lower, ranges.upper, often), X, errors="robust")
    alone = censored_regression(ranges[many], X[many], errors="robust")
    assert robust.se == pytest.approx(alone.se, rel=1e-7)


def test_rings_and_their_outsides():
    rng = np.random.default_rng(5)
    x, middle, reach = rng.normal(size=(3, 400))
    y, reach = 0.5 + x + 0.7 * rng.normal(size=400), 0.5 + np.abs(reach)
    low, high = middle - reach, middle + reach
    inside = (low < y) & (y <= high)
    rings = Ranges.unions(
        [
            [(item, two)] if content else [(-np.inf, item), (two, np.inf)]
            for item, two, content in zip(low, high, inside, strict=True)
        ]
    )
    fit = censored_regression(rings, x[:, None])
    assert fit.convergence is Convergence.STATIONARY
    assert np.all(np.abs(fit.value - [0.5, 1, np.log(0.7)]) < 4 * fit.se)

    def total(index):
        mean, scale = index[0] + index[1] * x, np.exp(index[2])
        chance = stats.norm.cdf((high - mean) / scale) - stats.norm.cdf((low - mean) / scale)
        return np.log(np.where(inside, chance, 1 - chance)).sum()

    assert fit.log_likelihood == pytest.approx(total(fit.value), rel=1e-10)
    for step in 1e-3 * np.vstack([np.eye(3), -np.eye(3)]):
        assert total(fit.value + step) < fit.log_likelihood


def test_exact_numbers_with_normal_noise_are_least_squares():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(40, 2)), rng.normal(size=40)
    fit = censored_regression(Ranges(y, y, closed="both"), X)
    model_matrix = np.column_stack([np.ones(40), X])
    beta, rest = np.linalg.lstsq(model_matrix, y, rcond=None)[:2]
    assert fit.value[:-1] == pytest.approx(beta, rel=1e-8)
    assert fit.scale**2 == pytest.approx(rest[0] / 40, rel=1e-8)


@pytest.mark.long
@pytest.mark.parametrize("by", ["profile", "score"])
def test_intervals_end_where_their_test_turns(by):
    ranges, X = _seen("logistic", n=120)
    X = X - X.mean(axis=0)
    fit = censored_regression(ranges, X, "logistic", level=0.9)
    coefficients_result = fit.coefficients(by=by)
    assert np.all((coefficients_result.lower < fit.value) & (fit.value < coefficients_result.upper))
    assert (coefficients_result.upper - coefficients_result.lower) == pytest.approx(
        2 * 1.645 * fit.se, rel=0.25
    )
    for end in (coefficients_result.lower[1], coefficients_result.upper[1]):
        rest = minimize(
            lambda index, end=end: -_brute(LAWS["logistic"], ranges, X, np.insert(index, 1, end)),
            np.delete(fit.value, 1),
            options={"gtol": 1e-7},
        ).x
        insert_result = np.insert(rest, 1, end)
        if by == "profile":
            statistic = 2 * (
                fit.log_likelihood - _brute(LAWS["logistic"], ranges, X, insert_result)
            )
        else:
            slope = fit.likelihood.slope(insert_result)
            statistic = slope @ np.linalg.inv(fit.likelihood.observed(insert_result)) @ slope
        assert statistic == pytest.approx(stats.chi2.isf(0.1, 1), rel=1e-4)


@pytest.mark.parametrize("by", ["profile", "score"])
@pytest.mark.parametrize("noise", LAWS)
@pytest.mark.long
def test_an_end_at_which_nothing_turns_is_infinite(noise, by):
    """Ten say no more than which side of a cut: any wide noise about anything agrees with it."""
    cuts, weights = np.array([1.0, 2, 3]), [1, 2, 2, 2, 2, 1]
    lower, upper = np.full((3, 2), -np.inf), np.full((3, 2), np.inf)
    lower[:, 1] = upper[:, 0] = cuts
    ranges = [Ranges(unit * lower.ravel(), unit * upper.ravel(), weights) for unit in (1, 1e6)]
    result, million = (
        censored_regression(item, np.zeros((6, 0)), noise).coefficients(by) for item in ranges
    )
    assert result.lower[0] == -np.inf
    assert result.upper.tolist() == [np.inf, np.inf]
    assert result.lower[1] < result.value[1]
    assert million.lower[1] - result.lower[1] == pytest.approx(np.log(1e6), rel=1e-6)


def test_errors_of_three_kinds_agree_under_the_model():
    ranges, X = _seen("logistic", n=4000)
    kinds = ("observed", "scores", "robust")
    se = [censored_regression(ranges, X, "logistic", errors=kind).se for kind in kinds]
    assert se[1] == pytest.approx(se[0], rel=0.06)
    assert se[2] == pytest.approx(se[0], rel=0.06)


def test_many_rows_begin_with_few():
    ranges, X = _seen("logistic", n=25000)
    fit = censored_regression(ranges, X, "logistic")
    assert fit.convergence is Convergence.CONVERGED
    assert np.abs(fit.likelihood.slope(fit.value) * fit.se).max() < 1e-4


def test_likelihood_ratio_of_nested_regressions():
    ranges, X = _seen()
    regression, part = censored_regression(ranges, X), censored_regression(ranges, X[:, :1])
    statistic, df, p = regression.likelihood_ratio(part)
    assert (df, p) == (1, pytest.approx(stats.chi2.sf(statistic, 1)))
    assert statistic == pytest.approx((regression.value[2] / regression.se[2]) ** 2, rel=0.2)
    with pytest.raises(InputError, match="fewer than"):
        part.likelihood_ratio(regression)
    with pytest.raises(InputError, match="not of the same ranges and noise"):
        regression.likelihood_ratio(censored_regression(ranges, X[:, :1], "logistic"))
    shifted = censored_regression(ranges, (X[:, :1] - X[:, 1:2]) * 1e3 + 7)
    assert regression.likelihood_ratio(shifted)[1] == 1
    with pytest.raises(InputError, match=r"not nested.*AIC"):
        regression.likelihood_ratio(censored_regression(ranges, X[:, :1] ** 2))


def test_predictions_are_quantiles_on_the_scale_of_the_numbers():
    ranges, X = _seen()
    plain = censored_regression(ranges, X)
    grown = Ranges(np.exp(ranges.lower), np.exp(ranges.upper))
    log = censored_regression(grown, X, log=True)
    assert log.value == pytest.approx(plain.value, rel=1e-6)
    assert log.predict(X[:5]) == pytest.approx(np.exp(plain.predict(X[:5])), rel=1e-6)
    lower, upper = plain.predict_interval(X[:5])
    assert upper - lower == pytest.approx(2 * 1.959964 * plain.scale)
    margins = log.predict_margins(X[:2], share=0.9)
    assert margins.value == pytest.approx(log.predict(X[:2], 0.9))
    reach = 1.959964 * margins.se / margins.value
    assert np.log(margins.upper / margins.value) == pytest.approx(reach, rel=1e-6)
    assert np.log(margins.value / margins.lower) == pytest.approx(reach, rel=1e-6)


def test_delta_method_of_a_quantile():
    ranges, X = _seen()
    fit = censored_regression(ranges, X, "gumbel")
    step = 1e-6
    slope = []
    for index in range(4):
        shifted = fit.value + step * np.eye(4)[index]
        linear = np.array([1, *X[0]]) @ shifted[:-1] + np.exp(shifted[-1]) * np.log(np.log(4))
        slope.append((linear - fit.predict(X[:1], 0.75)[0]) / step)
    wanted = np.sqrt(np.array(slope) @ fit.covariance @ slope)
    assert fit.predict_margins(X[:1], 0.75).se[0] == pytest.approx(wanted, rel=1e-3)


def test_what_a_person_sees():
    ranges, X = _seen()
    frame = pd.DataFrame(X, columns=["größe", "year"])
    fit = censored_regression(ranges, frame, StudentNoise(5))
    assert fit.names == ("intercept", "größe", "year", "log scale")
    assert "student noise" in repr(fit)
    assert "größe" in fit._repr_html_()
    assert fit.to_dict()["noise"] == "student"
    assert len(fit.to_dict()["lower"]) == 4
    ax = fit.plot()
    assert [label.get_text() for label in ax.get_yticklabels()] == ["größe", "year"]
    with pytest.raises(ValueError, match="read-only"):
        fit.value[0] = 1


def test_covariates_that_separate_are_named():
    x = np.repeat([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], 20, axis=0)
    low = np.tile([-np.inf, 0.0, 1.0, -np.inf], 15)
    high = np.tile([0.5, 1.0, np.inf, 2.0], 15)
    low[40:], high[40:] = 3.0, np.inf
    with pytest.raises(NotIdentified, match=r"along .*village"):
        censored_regression(Ranges(low, high), x, terms=["age", "village"])


def test_a_line_through_everything_leaves_no_noise():
    x = np.arange(12.0)
    with pytest.raises(NotIdentified, match="log scale"):
        censored_regression(Ranges(x, x, closed="both"), x[:, None])
    with pytest.raises(NotIdentified, match="without end"):
        censored_regression(Ranges(x - 0.5, x + 0.5), x[:, None])


@pytest.mark.parametrize(
    ("low", "high"),
    [
        ([0.0, 1, 2, 3], [np.inf] * 4),
        ([-np.inf] * 4, [0.0, 1, 2, 3]),
        ([-np.inf] * 4, [np.inf] * 4),
    ],
)
def test_one_side_alone_tells_nothing(low, high):
    with pytest.raises(NotIdentified):
        censored_regression(Ranges(low, high), np.array([[0.0], [1], [0], [2]]))


def test_refusals_name_the_columns():
    ranges, X = _seen(n=30)
    named = {"terms": ["a", "b"]}
    with pytest.raises(InputError, match="b missing or infinite in row 3"):
        censored_regression(ranges, np.where(np.arange(60).reshape(30, 2) == 7, np.nan, X), **named)
    with pytest.raises(InputError, match="no variation in b"):
        censored_regression(ranges, X * [1, 0], **named)
    with pytest.raises(NotIdentified, match="a, b"):
        censored_regression(ranges, X[:, [0, 0]], **named)
    with pytest.raises(NotIdentified, match="determined"):
        censored_regression(ranges, np.random.default_rng(1).normal(size=(30, 40)))
    with pytest.raises(InputError, match="29 rows"):
        censored_regression(ranges, X[:29])
    with pytest.raises(InputError):
        censored_regression(ranges[:0], X[:0])
    with pytest.raises(InputError, match="clusters"):
        censored_regression(ranges, X, clusters=[1, 2] * 15)
    with pytest.raises(InputError, match="clusters"):
        censored_regression(ranges, X, clusters=[1, 2])
    with pytest.raises(InputError, match="several kinds"):
        censored_regression(ranges, X, clusters=np.array(["north", 1] * 15, dtype=object))
    with pytest.raises(InputError, match=r"clusters\[1\]: got 'nothing'"):
        censored_regression(ranges, X, clusters=["north", None] * 15)


def test_refusals_of_choices():
    ranges, X = _seen(n=30)
    with pytest.raises(InputError, match="did you mean 'logistic'"):
        censored_regression(ranges, X, "logistc")
    with pytest.raises(InputError, match="noise"):
        censored_regression(ranges, X, ["normal"])
    with pytest.raises(InputError, match="errors"):
        censored_regression(ranges, X, errors="sandwich")
    with pytest.raises(InputError, match="level"):
        censored_regression(ranges, X, level=1.0)
    with pytest.raises(InputError, match="laplace"):
        censored_regression(Ranges(X[:, 0], X[:, 0], closed="both"), X[:, 1:], "laplace")
    with pytest.raises(InputError, match="positive"):
        censored_regression(ranges, X, log=True)
    fit = censored_regression(ranges, X)
    with pytest.raises(InputError, match=r"coefficients\.by"):
        fit.coefficients(by="bootstrap")
    with pytest.raises(InputError, match="share"):
        fit.predict(X, 1.0)
    with pytest.raises(InputError, match="2 terms"):
        fit.predict(X[:, :1])


def test_an_intercept_alone_needs_no_covariates_and_one_covariate_no_table():
    low = np.array([0.0, 1, 2, 3, 1, 2])
    ranges, age = Ranges(low, low + 1.5), np.array([1.0, 2, 2, 4, 3, 1])
    alone = censored_regression(ranges)
    assert alone.value == pytest.approx(censored_regression(ranges, np.empty((6, 0))).value)
    table = censored_regression(ranges, age[:, None])
    column = censored_regression(ranges, pd.Series(age, name="age"))
    assert column.terms == ("age",)
    assert column.value == pytest.approx(table.value)
    assert censored_regression(ranges, age.tolist()).terms == ("x1",)
    assert column.predict([1.0, 2.0]) == pytest.approx(table.predict([[1.0], [2.0]]))
    assert column.likelihood_ratio(alone)[1] == 1
    with pytest.raises(InputError, match="one per report"):
        censored_regression(ranges, [1.0, 2.0])


def bracketed():
    """Ten people of each of two strata, a number known to its bracket, and how they were drawn."""
    x = np.array([0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 1, 3, 5, 7.0])
    lower = np.array([-np.inf, 0, 2, 2, 4, 4, 6, 6, 0, 0, 2, 4, 2, 6, 4, 8, -np.inf, 2, 6, 8])
    upper = np.where(np.isinf(lower), 0, lower + 2)
    upper[lower == 8] = np.inf
    weights = np.array([3, 1, 2, 4, 5, 1, 2, 3, 3, 1, 2, 4, 5, 1, 2, 3, 2, 2, 1, 4.0])
    result = {"strata": ["a"] * 10 + ["b"] * 10, "fpc": [30] * 10 + [16] * 10}
    return Ranges(lower, upper), x, weights, result


def test_brackets_of_a_finite_population_have_its_correction():
    """By refits: each weight is moved a little; the total of that has the sample's covariance.

    Coefficients are R's: survey 4.1.1, svysurvreg(Surv(L, U, type = "interval2") ~ x).
    """
    ranges, x, weights, result = bracketed()

    def value(weights):
        return censored_regression(ranges, x, sampling=SamplingDesign(weights=weights)).value

    step = 1e-4 * np.eye(20)
    values = np.array([(value(weights + item) - value(weights - item)) / 2e-4 for item in step])
    for expected in (result, {"strata": result["strata"]}):
        sampling = SamplingDesign(weights=weights, **expected)
        regression = censored_regression(ranges, x, sampling=sampling)
        np.testing.assert_allclose(regression.value[:2], [-0.2303027737, 1.1973562122], atol=1e-7)
        np.testing.assert_allclose(regression.covariance, sampling.covariance(values), rtol=1e-5)
        assert regression.n == 20


def test_ranges_that_were_drawn_have_no_finite_population():
    """Two of them overlap: the cuts were drawn too, and are no better known."""
    ranges, x, weights, result = bracketed()
    shifted = Ranges(ranges.lower, np.where(x == 1, ranges.upper + 1, ranges.upper))
    finite = censored_regression(shifted, x, sampling=SamplingDesign(weights=weights, **result))
    strata = {"strata": result["strata"]}
    endless = censored_regression(shifted, x, sampling=SamplingDesign(weights=weights, **strata))
    np.testing.assert_array_equal(finite.se, endless.se)


def test_sampling_weights_have_a_unit_that_does_not_matter():
    ranges, x, weights, _ = bracketed()
    item, many = (censored_regression(ranges, x, weights=weights * unit) for unit in (1, 1000))
    np.testing.assert_allclose(item.se, many.se, rtol=1e-6)
    regression = censored_regression(ranges, x, weights=np.full(20, 5.0))
    robust = censored_regression(ranges, x, errors="robust")
    np.testing.assert_allclose(regression.se, robust.se, rtol=1e-6)
