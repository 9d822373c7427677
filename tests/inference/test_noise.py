"""The law of the noise within a range: against 40 digits, and against brute force."""

import dataclasses
import json
from pathlib import Path

import mpmath as mp
import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin

from askance.channels import Ranges
from askance.inference import StudentNoise, censored_regression
from askance.learn import IntervalRegressor
from askance_collect.errors import InputError

CASES = json.loads((Path(__file__).parents[1] / "oracles/conditional_means.json").read_text())
SOME = censored_regression(Ranges([0, 1, 2, 0], [1, 3, 4, 2]))
NAMES = ["normal", "logistic", "laplace", "student", "gumbel"]
NORMAL, LOGISTIC, LAPLACE, STUDENT, GUMBEL = FAMILIES = [
    censored_regression(SOME.likelihood.ranges, noise=name).noise for name in NAMES
]
DENSITIES = {
    "normal": lambda z: mp.npdf(z),
    "logistic": lambda z: 1 / (2 * mp.cosh(z / 2)) ** 2,
    "laplace": lambda z: mp.exp(-abs(z)) / 2,
    "student": lambda z: 3 / mp.mpf(8) * (1 + z * z / 4) ** (-mp.mpf(5) / 2),
    "gumbel": lambda z: mp.exp(z - mp.exp(z)) if z < 9 else mp.mpf(0),
}


class Told(RegressorMixin, BaseEstimator):
    """Keep what was imputed; give the covariate back."""

    def fit(self, X, y):
        self.told_ = y
        return self

    def predict(self, X):
        return X[:, 0]


def likelihood(noise, ranges):
    """Give the likelihood of a location and the logarithm of a scale."""
    model_matrix = np.ones((len(ranges), 1))
    return dataclasses.replace(
        SOME.likelihood, noise=noise, ranges=ranges, model_matrix=model_matrix
    )


def log_chances(noise, ranges, location, scale):
    """Give log-chances, row by row."""
    pairs = zip(
        [likelihood(noise, ranges[[index]]) for index in range(len(ranges))], location, strict=True
    )
    return np.array([item.total(np.array([local, np.log(scale)])) for item, local in pairs])


def means_within(noise, ranges, location, scale):
    """Give the means that are imputed, in scales from the location, one row more to identify."""
    pieces = [*np.diff(ranges.starts), 1]
    more = Ranges(np.append(ranges.lower, -1), np.append(ranges.upper, 1), pieces=pieces)
    fitted = np.append(location + scale * noise.mean, 0)[:, None]
    model = IntervalRegressor(Told(), noise=noise, scale=scale, max_iter=2, tol=0)
    return (model.fit(fitted, more).estimator_.told_[:-1] - location) / scale


def within(noise, ranges, location, scale):
    """Give log-chances and means, row by row."""
    return (
        log_chances(noise, ranges, location, scale),
        means_within(noise, ranges, location, scale),
    )


named = pytest.mark.parametrize("noise", FAMILIES, ids=lambda noise: noise.name)


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda c: f"{c['noise']}-{c['type']}")
def test_conditional_means_of_the_oracle(case):
    noise = {"logistic": LOGISTIC, "gaussian": NORMAL}[case["noise"]]
    low = -np.inf if case["a"] is None else case["a"]
    high = np.inf if case["b"] is None else case["b"]
    ring = [(-np.inf, low), (high, np.inf)]
    ranges = Ranges.unions([ring if case["type"] == "ring" else [(low, high)]])
    scale = case["scale"]
    log_chance, mean = within(noise, ranges, np.zeros(1), scale)
    assert mean[0] * scale == pytest.approx(case["mean"], rel=1e-13, abs=1e-15)
    assert log_chance[0] == pytest.approx(case["log_prob"], rel=1e-13, abs=1e-15)


@pytest.mark.long
@named
@pytest.mark.parametrize(
    ("low", "high"),
    [(-1.0, 2.0), (0.1, 0.6), (0.1, 0.1001), (-0.2, 0.1), (-6.0, -2.0), (1.0, 1.4), (-9.0, 2.0)],
)
def test_means_agree_with_integration(noise, low, high):
    density = DENSITIES[noise.name]
    ends = [low, 0, high] if low < 0 < high else [low, (low + high) / 2, high]
    with mp.workdps(30):
        chance, first = (mp.quad(lambda z, k=k: z**k * density(z), ends) for k in range(2))
    log_chance, mean = within(noise, Ranges([low], [high]), np.zeros(1), 1.0)
    assert log_chance[0] == pytest.approx(float(mp.log(chance)), rel=1e-11, abs=1e-12)
    assert mean[0] == pytest.approx(float(first / chance), rel=1e-11, abs=1e-13)


@pytest.mark.long
@named
@pytest.mark.parametrize("t", [-4.0, -0.7, 0.0, 0.7, 4.0])
@pytest.mark.parametrize("side", [-1, 1])
def test_means_of_tails_agree_with_integration(noise, t, side):
    """Beyond t to the one side of zero, or beyond −t to the other, counted from zero."""
    density = DENSITIES[noise.name]
    near = np.array([t])
    with mp.workdps(30):
        ends = [t, 0, 8, 40, mp.inf] if t < 0 else [t, 8, 40, mp.inf]
        chance, first = (mp.quad(lambda z, k=k: z**k * density(side * z), ends) for k in range(2))
    tail = noise.tail(near, np.array([float(side)]))
    assert tail.log_chance[0] == pytest.approx(float(mp.log(chance)), rel=1e-11, abs=1e-13)
    assert noise.mean_beyond(tail)[0] == pytest.approx(float(first / chance), rel=1e-9)


@named
@pytest.mark.parametrize("share", [1e-12, 0.3, 1 - 1e-9])
def test_quantiles_have_that_share_below_them(noise, share):
    """However far out: Student's law has some beyond a thousand."""
    index = noise.quantile(share)
    side = 1.0 if share > 0.5 else -1.0
    tail = noise.tail(side * np.array([index]), np.array([side])).log_chance[0]
    assert tail == pytest.approx(np.log(min(share, 1 - share)), rel=1e-9)


@named
def test_whole_line_holds_the_mean_of_the_law(noise):
    log_chance, mean = within(noise, Ranges([-np.inf], [np.inf]), np.zeros(1), 1.0)
    assert log_chance[0] == pytest.approx(0, abs=1e-14)
    assert mean[0] == pytest.approx(noise.mean, abs=1e-12)


@named
def test_the_two_tails_add_up_to_everything(noise):
    t = np.array([-1e30, -30.0, -2.0, -0.3, 0.0, 0.3, 2.0, 30.0, 1e30])
    side = np.ones(len(t))
    upper, lower = noise.tail(t, side).log_chance, noise.tail(-t, -side).log_chance
    assert np.exp(upper) + np.exp(lower) == pytest.approx(np.ones(len(t)), rel=1e-14)
    assert max(upper[-1], lower[0]) < -100
    assert max(abs(upper[0]), abs(lower[-1])) < 1e-100


@named
def test_a_union_weighs_its_pieces(noise):
    log_chances, means = within(noise, Ranges([-2, 1], [-1, 3]), np.full(2, 0.3), 1.5)
    union = Ranges.unions([[(-2, -1), (1, 3)]])
    log_chance, mean = within(noise, union, np.full(1, 0.3), 1.5)
    chance = np.exp(log_chances)
    assert np.exp(log_chance[0]) == pytest.approx(chance.sum())
    assert mean[0] == pytest.approx(means @ chance / chance.sum())


@named
def test_an_exact_number_counts_by_its_density(noise):
    log_chance, mean = within(noise, Ranges([5], [5], closed="both"), np.full(1, 3.0), 2.0)
    density = DENSITIES[noise.name](mp.mpf(1)) / 2
    assert log_chance[0] == pytest.approx(float(mp.log(density)))
    assert mean[0] == 1


def _ranges(kind):
    rng = np.random.default_rng(3)
    ends = np.sort(rng.normal(0, 2, (40, 2)), axis=1)
    if kind == "open":
        ends[:20, 0], ends[20:, 1] = -np.inf, np.inf
    if kind == "narrow":
        ends[:, 1] = ends[:, 0] + 1e-3
    if kind == "exact":
        ends[:, 1] = ends[:, 0]
    if kind == "union":
        return Ranges.unions([[(low - 1, low), (high, high + 2)] for low, high in ends])
    return Ranges(ends, closed="both" if kind == "exact" else "right")


@pytest.mark.long
@named
@pytest.mark.parametrize("kind", ["bounded", "open", "narrow", "exact", "union"])
def test_slopes_are_the_derivatives(noise, kind):
    ranges, step = _ranges(kind), 1e-4
    location = np.random.default_rng(4).normal(0, 0.5, len(ranges))

    def log_chance(shift, stretch):
        return log_chances(noise, ranges, location + 1.3 * shift, 1.3 * np.exp(stretch))

    units = np.array([1.3, 1.0])  # shifts are told in scales
    first, second = np.empty((2, len(ranges))), np.empty((3, len(ranges)))
    for row in range(len(ranges)):
        likelihood_result, values = (
            likelihood(noise, ranges[[row]]),
            np.array([location[row], np.log(1.3)]),
        )
        first[:, row] = likelihood_result.slope(values) * units
        second[:, row] = -(likelihood_result.observed(values) * np.outer(units, units))[
            [0, 0, 1], [0, 1, 1]
        ]
    chance = log_chance(0, 0)
    by_location = (log_chance(step, 0) - log_chance(-step, 0)) / (2 * step)
    by_scale = (log_chance(0, step) - log_chance(0, -step)) / (2 * step)
    twice = [
        (log_chance(step, 0) - 2 * chance + log_chance(-step, 0)) / step**2,
        (
            log_chance(step, step)
            - log_chance(step, -step)
            - log_chance(-step, step)
            + log_chance(-step, -step)
        )
        / (4 * step**2),
        (log_chance(0, step) - 2 * chance + log_chance(0, -step)) / step**2,
    ]
    near_kink = noise.kink and kind in ("narrow", "exact")
    smooth = slice(None) if not near_kink else np.abs(ranges.upper - location) > 0.01
    assert first[0][smooth] == pytest.approx(by_location[smooth], rel=1e-6, abs=1e-6)
    assert first[1][smooth] == pytest.approx(by_scale[smooth], rel=1e-6, abs=1e-6)
    for figure, brute in zip(second, twice, strict=True):
        assert figure[smooth] == pytest.approx(brute[smooth], rel=1e-5, abs=1e-5)


@named
def test_figures_stay_finite_far_out(noise):
    far = 1e3 if noise.name != "gumbel" else 600.0
    ranges = Ranges([-np.inf, far, -far - 1, far], [-far, np.inf, -far, far + 1])
    mean = means_within(noise, ranges, np.zeros(4), 1.0)
    assert np.isfinite(mean).all()
    assert mean[0] <= -far
    assert mean[1] >= far


@pytest.mark.parametrize("df", [2.0, 1.0, np.nan, np.inf])
def test_student_needs_a_variance(df):
    with pytest.raises(InputError, match="df"):
        StudentNoise(df)


@pytest.mark.parametrize(
    ("noise", "t", "rate"),
    [
        (NORMAL, 100.0, 100.009998000999),  # t + 1/t − 2/t³ + 10/t⁵ − …
        (LOGISTIC, 1000.0, 1.0),
        (LAPLACE, 1000.0, 1.0),
        (STUDENT, 1e4, 4e-4),
        (GUMBEL, 60.0, float(mp.exp(60))),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_the_slope_of_a_half_line_is_the_rate_of_its_tail(noise, t, rate):
    by_location, by_scale = likelihood(noise, Ranges([t], [np.inf])).slope(np.zeros(2))
    assert by_location == pytest.approx(rate, rel=1e-7)
    assert by_scale == pytest.approx(t * rate, rel=1e-7)


@pytest.mark.parametrize(
    "noise",
    [*FAMILIES, StudentNoise(100), StudentNoise(1e6)],
    ids=[*(item.name for item in FAMILIES), "student 100", "student 1e6"],
)
def test_wide_ranges_are_finite_however_far_they_reach(noise):
    ranges = Ranges([300.0, -1e12, -5000.0], [1e12, 2454.0, np.inf])
    mean = means_within(noise, ranges, np.zeros(3), 1.0)
    for row in range(3):
        likelihood_result, values = likelihood(noise, ranges[[row]]), np.zeros(2)
        assert np.isfinite(
            [
                likelihood_result.total(values),
                *likelihood_result.slope(values),
                *likelihood_result.observed(values).ravel(),
            ]
        ).all()
    assert 300 <= mean[0] < 600
    assert mean[1:] == pytest.approx([noise.mean] * 2, abs=1e-3)
