"""Delayed entry and other truncation: against R, lifelines, and a search of the likelihood."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize
from scipy.stats import gamma, lognorm, norm, weibull_min

from askance import (
    Line,
    RangeChannel,
    Ranges,
    censored_regression,
    estimate_line,
    fit_family,
    npmle,
)
from askance.channels import InclusionProbability, non_identified, pull_back
from askance.inference import (
    Convergence,
    cdf_intervals,
    functional_interval,
    kolmogorov_test,
    log_rank_test,
    naive_npmle,
    quantile_intervals,
    range_log_likelihood,
    simultaneous_band,
    unbiased_mean,
)
from askance.learn import IntervalRegressor
from askance.privacy import coverage_law
from askance_collect.errors import InputError, NotIdentified

INF = np.inf
GROUP = np.array(["a", "a", "b", "b", "a", "b", "a", "b", "b", "a", "b", "a"])
ENTRY = np.array([0, 1.5, 0, 2.5, 3, 0.5, 2, 4, 5.5, 1, 6, 3.5])
TIME = np.array([2.1, 3.4, 4.2, 4.9, 5.6, 6.3, 7.7, 8.1, 9.4, 9.9, 11.2, 12.8])
DEAD = np.array([1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1]) == 1


def delayed() -> Ranges:
    """Exact and right-censored times of twelve people who entered late."""
    return Ranges(TIME, np.where(DEAD, TIME, INF), closed="survival", entry=ENTRY)


@pytest.mark.checked("npmle", by="survfit of R's survival 3.5-3, delayed entry", value=1e-11)
def test_exact_times_and_delayed_entry_give_the_product_limit_of_survfit(within):
    fit = npmle(delayed())
    survfit = {
        2.1: 0.833333333333,
        3.4: 0.714285714286,
        4.9: 0.612244897959,
        5.6: 0.524781341108,
        6.3: 0.449812578092,
        8.1: 0.359850062474,
        9.4: 0.269887546855,
        9.9: 0.179925031237,
        12.8: 0,
    }
    assert fit.sf(list(survfit)) == pytest.approx(list(survfit.values()), abs=within.value)
    assert fit.convergence is Convergence.CONVERGED
    assert fit.zero_pieces == ((-INF, 0.0),)  # the distribution is that of numbers above 0


@pytest.mark.checked(
    "log_rank_test", by="martingale residuals of R's coxph, survival 3.5-3", value=1e-10
)
def test_those_at_risk_in_a_log_rank_test_are_those_who_entered(within):
    groups = {name: delayed()[name == GROUP] for name in "ab"}
    test = log_rank_test(groups, permutations=0)
    assert test.score == pytest.approx([-0.37619047619, 0.37619047619], abs=within.value)


@pytest.mark.checked("fit_family", by="lifelines 0.30.3, entry", value=3e-5, errors=1e-4)
@pytest.mark.parametrize(
    ("law", "value", "log_likelihood", "errors"),
    [
        (
            weibull_min,
            [1.8445536806467313, 8.080693075058434],
            -24.417116459508144,
            [0.658838519620511, 1.645750793713626],
        ),
        (
            lognorm,
            [0.6515611465088655, np.exp(1.8225790239396302)],
            -24.778946770943392,
            [0.18339200801615235, 0.23758982159804415 * np.exp(1.8225790239396302)],
        ),
    ],
    ids=["weibull", "lognormal"],
)
def test_families_are_those_of_lifelines(law, value, log_likelihood, errors, within):
    fit = fit_family(delayed(), law, fixed={"loc": 0})
    assert fit.value[[0, 2]] == pytest.approx(value, rel=within.value)
    assert fit.se[[0, 2]] == pytest.approx(errors, rel=within.errors)
    assert fit.log_likelihood == pytest.approx(log_likelihood, abs=1e-7)


def test_a_family_of_intervals_with_entry_is_that_of_lifelines():
    lower, upper = [0.5, 2, 3, 4, 2.5, 6, 7, 5], [2.5, 4, 5, INF, 6, 9, INF, 8]
    ranges = Ranges(lower, upper, entry=[0.2, 1, 2, 2, 2.2, 3, 4, 4.5])
    fit = fit_family(ranges, weibull_min, fixed={"loc": 0})
    assert fit.value[[2, 0]] == pytest.approx([3.493558, 1.173295], rel=1e-4)
    assert fit.log_likelihood == pytest.approx(-7.129133210891933, abs=1e-9)


@pytest.mark.checked(
    "censored_regression", by="lifelines 0.30.3, entry_col", value=1e-4, errors=1e-4
)
@pytest.mark.parametrize(
    ("noise", "value", "errors", "log_likelihood"),
    [
        (
            "gumbel",
            [2.087565, 0.004194, -0.612048],
            [0.263182, 0.364213, 0.357565],
            -24.417050391987388,
        ),
        (
            "normal",
            [1.742815, 0.198838, -0.448577],
            [0.302239, 0.454443, 0.284366],
            -24.686024961472263,
        ),
    ],
)
def test_regressions_are_those_of_lifelines(noise, value, errors, log_likelihood, within):
    fit = censored_regression(delayed(), (GROUP == "b") * 1.0, noise, log=True)
    assert fit.value == pytest.approx(value, abs=within.value)
    assert fit.se == pytest.approx(errors, abs=within.errors)
    assert fit.log_likelihood == pytest.approx(log_likelihood, abs=1e-6)


def test_a_regression_with_entries_and_exits_is_at_the_top_of_its_likelihood():
    rng = np.random.default_rng(3)
    x = rng.random(400)
    y = 2 + 3 * x + rng.normal(size=400)
    entry, exit_ = rng.uniform(-2, 4, 400), rng.uniform(2, 9, 400)
    is_seen = (entry < y) & (y <= exit_)
    x, y, entry, exit_ = x[is_seen], y[is_seen], entry[is_seen], exit_[is_seen]
    ranges = Ranges(np.floor(y), np.floor(y) + 1, entry=entry, exit=exit_)

    def loss(parameters):
        law = norm(parameters[0] + parameters[1] * x, np.exp(parameters[2]))
        inside = law.cdf(ranges.upper) - law.cdf(ranges.lower)
        return -np.log(inside / (law.cdf(exit_) - law.cdf(entry))).sum()

    top = minimize(loss, [2, 3, 0], tol=1e-10)
    fit = censored_regression(ranges, x)
    assert fit.log_likelihood == pytest.approx(-top.fun, abs=1e-8)
    assert fit.value == pytest.approx(top.x, abs=1e-4)
    assert fit.value[1] == pytest.approx(3, abs=4 * fit.se[1])
    naive = censored_regression(ranges.untruncated(), x)
    assert naive.value[1] < 2.8  # what truncation does to those who leave it out of account


def test_the_test_of_a_family_holds_under_truncation():
    rng, ps = np.random.default_rng(5), []
    for _ in range(12):
        y, entry = rng.gamma(4, 2, 200), rng.uniform(0, 8, 200)
        y, entry = y[y > entry], entry[y > entry]
        cut = rng.uniform(0, 20, (2, len(y)))
        low, high = np.sort(cut, axis=0)
        lower = np.where(y > high, high, np.where(y > low, low, 0))
        upper = np.where(y <= low, low, np.where(y <= high, high, INF))
        ps.append(fit_family(Ranges(lower, upper, entry=entry), gamma, fixed={"loc": 0}).p_value)
    assert 0.25 < np.mean(ps) < 0.75
    assert np.mean(np.array(ps) < 0.1) < 0.4


def search(lower, upper, entry, exit_, weights, seed=0):
    """Maximise the conditional likelihood over all cells between ends, by a general optimiser."""
    ends = np.unique(np.concatenate([lower, upper, entry, exit_]))
    cells = list(pairwise(ends))

    def held(low, high):
        return np.array(
            [[a <= c and d <= b for c, d in cells] for a, b in zip(low, high, strict=True)], float
        )

    inside, observed = held(lower, upper), held(entry, exit_)

    def loss(scores):
        mass = np.exp(scores - scores.max())
        mass /= mass.sum()
        by_range, by_window = inside @ mass, observed @ mass
        slope = (weights / by_range) @ inside - (weights / by_window) @ observed
        total = weights @ (np.log(by_range) - np.log(by_window))
        return -total, -mass * (slope - mass @ slope)

    rng, best = np.random.default_rng(seed), -INF
    with np.errstate(all="ignore"):
        for _ in range(2):
            best = max(best, -minimize(loss, rng.normal(size=len(cells)), jac=True).fun)
    return best


@st.composite
def samples(draw, entries=True, exits=False):
    n = draw(st.integers(2, 7))
    columns = []
    for _ in range(n):
        y = draw(st.integers(1, 10))
        entry = draw(st.sampled_from([-INF, *range(-2, y)])) if entries else -INF
        last = draw(st.sampled_from([INF, *range(y, 14)])) if exits else INF
        low, high = y - draw(st.integers(1, 5)), y + draw(st.integers(0, 5))
        high = INF if draw(st.integers(0, 4)) == 0 else high
        columns.append((max(low, entry), min(high, last), entry, last, draw(st.integers(1, 3))))
    return np.array(columns, dtype=float).T


def fitted(sample):
    lower, upper, entry, exit_, weights = sample
    try:
        ranges = Ranges(lower, upper, weights, entry=entry, exit=exit_)
        return ranges, npmle(ranges)
    except NotIdentified:
        assume(False)
        raise


def drawn(seed, exits):
    """Small samples: delayed entries, or exits, on a grid that makes ties."""
    rng, columns = np.random.default_rng(seed), []
    for _ in range(8):
        y = rng.integers(1, 11)
        lower, upper = y - rng.integers(1, 5), y + rng.integers(0, 4)
        entry = -INF if exits else rng.choice([-INF, -3, -2, -1, *range(y)])
        last = rng.choice([INF, 15, 14, *range(y, 13)]) if exits else INF
        columns.append((max(lower, entry), min(upper, last), entry, last, rng.integers(1, 4)))
    return np.array(columns, dtype=float).T


@pytest.mark.parametrize("exits", [False, True], ids=["entries", "exits"])
@pytest.mark.parametrize("seed", [3, 7, 8, 10, 13])
def test_nothing_is_more_likely_than_the_fit(seed, exits):
    lower, upper, entry, exit_, weights = sample = drawn(seed, exits)
    ranges = Ranges(lower, upper, weights, entry=entry, exit=exit_)
    fit = npmle(ranges)
    assert fit.convergence is Convergence.CONVERGED
    assert fit.log_likelihood(ranges) >= search(*sample) - 1e-5


@pytest.mark.parametrize(
    ("seed", "exits", "side"),
    [(0, False, "beyond 7"), (4, False, "beyond 2"), (2, True, "up to 2"), (9, True, "up to 9")],
)
def test_a_share_that_vanishes_is_named(seed, exits, side):
    """A search finds the same side without a share: less than 1e-8 of it."""
    lower, upper, entry, exit_, weights = drawn(seed, exits)
    with pytest.raises(NotIdentified, match=f"as the share {side} goes to nothing"):
        npmle(Ranges(lower, upper, weights, entry=entry, exit=exit_))


@settings(max_examples=10, deadline=None)
@given(samples(exits=True), st.integers(0, 1000))
def test_no_other_masses_on_the_same_places_are_more_likely(sample, seed):
    ranges, fit = fitted(sample)
    assume(fit.convergence is not Convergence.STOPPED)
    rng, top = np.random.default_rng(seed), fit.log_likelihood(ranges)
    for spread in (1e-3, 0.1):
        mass = fit.mass * np.exp(spread * rng.normal(size=len(fit.mass)))
        other = replace(fit, mass=mass / mass.sum(), null_directions=np.zeros((0, 0)))
        slack = 1e-9 if spread == 1e-3 or fit.convergence is Convergence.CONVERGED else INF
        assert other.log_likelihood(ranges) <= top + slack


@settings(max_examples=10, deadline=None)
@given(samples(entries=False))
def test_entries_and_exits_that_leave_all_out_change_no_digit(sample):
    lower, upper, _, _, weights = sample
    plain = Ranges(lower, upper, weights)
    windowed = Ranges(lower, upper, weights, entry=np.full(len(lower), -INF), exit=INF)
    assert windowed.windows is None
    assert npmle(plain).mass.tolist() == npmle(windowed).mass.tolist()
    assert npmle(plain).lower.tolist() == npmle(windowed).lower.tolist()


@settings(max_examples=10, deadline=None)
@given(samples(), st.sampled_from([(1.0, 4.0), (2.0, 0.0), (0.5, -3.0)]))
def test_shifted_and_stretched_numbers_have_the_shifted_and_stretched_distribution(sample, by):
    ranges, fit = fitted(sample)
    scale, shift = by
    ends = [
        scale * end + shift
        for end in (ranges.lower, ranges.upper, ranges.entry, ranges.exit)
        if end is not None
    ]
    assume(len(ends) == 4)
    npmle_result = npmle(Ranges(ends[0], ends[1], ranges.weights, entry=ends[2], exit=ends[3]))
    points = np.arange(0.5, 12)
    expected = fit.cdf_bounds(points)
    for side, other in zip(npmle_result.cdf_bounds(scale * points + shift), expected, strict=True):
        assert side == pytest.approx(other, abs=1e-6)


@settings(max_examples=10, deadline=None)
@given(samples())
def test_a_row_that_says_no_more_than_its_window_changes_nothing(sample):
    ranges, fit = fitted(sample)
    assume(ranges.entry is not None)
    lower, upper, entry, exit_, weights = (np.append(column, 0.0) for column in sample)
    lower[-1] = entry[-1] = entry[:-1].min()
    upper[-1], exit_[-1], weights[-1] = INF, INF, 2
    more = npmle(Ranges(lower, upper, weights, entry=entry, exit=exit_))
    assert more.cdf_bounds(range(12))[0] == pytest.approx(fit.cdf_bounds(range(12))[0], abs=1e-6)


def test_a_left_censored_row_is_cut_at_its_entry():
    ranges = Ranges([-INF, 3], [5, INF], entry=0)
    assert (ranges.lower.tolist(), ranges.upper.tolist()) == ([0, 3], [5, INF])
    unions = Ranges([0, 4, 2], [1, 9, 4], pieces=[2, 1], entry=[2, 0], exit=[8, INF])
    assert str(unions) == "Ranges((4, 8] given (2, 8], (2, 4] given (0, inf])"
    assert str(unions[[1]]) == "Ranges((2, 4] given (0, inf])"
    blank = Ranges([np.nan, 1], [np.nan, 2], entry=[np.nan, 0])
    assert blank.weights.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (([1], [5], [5]), r"Ranges\[0\].*\(1, 5\] .*observed only in \(5, inf\]"),
        (([1, 1], [5, 3], [0, 4]), r"Ranges\[1\].*ends after its entry"),
        (([1], [5], [np.nan]), r"Ranges\[0\].*a missing entry"),
        (([1], [5], [None]), r"Ranges\[0\].*a missing entry"),
        (([1], [5], [INF]), r"Ranges\[0\].*entry inf and exit inf"),
        (([1], [5], [0, 0]), r"Ranges.entry.*shape \(2,\)"),
        (([1], [5], ["a"]), r"Ranges.entry"),
    ],
)
def test_what_no_entry_can_be_is_refused_by_row(rows, says):
    lower, upper, entry = rows
    with pytest.raises(InputError, match=says):
        Ranges(lower, upper, entry=entry)


def test_an_event_at_the_moment_of_entry_was_not_at_risk():
    with pytest.raises(InputError, match="before its event"):
        Ranges([5], [5], closed="survival", entry=[5])
    assert len(Ranges([5], [5], closed="survival", exit=[5])) == 1
    with pytest.raises(InputError, match="wrong way round"):
        Ranges([5], [6], entry=8, exit=4)


def test_an_empty_risk_set_is_named_with_what_is_not_identified():
    ranges = Ranges([1, 3], [1, 3], closed="both", entry=[0, 2])
    with pytest.raises(NotIdentified, match=r"an empty risk set: of 1 range .* both sides of 1 "):
        npmle(ranges)
    with pytest.raises(NotIdentified, match=r"empty risk set.* none lies up to it"):
        npmle(Ranges([1, 2, 3], [1, 2, 3], closed="both", exit=[2, 2, 4]))
    with pytest.raises(NotIdentified, match="rises as the share beyond 1 goes to nothing"):
        npmle(Ranges([0, 0, 3, 4], [1, 5, 4, 6], entry=[0, 0, 3, 3]))
    with pytest.raises(NotIdentified, match="no range that is observable on both sides of 2"):
        npmle(Ranges([0, 0, 4, 2], [1, 2, 5, 4], entry=[0, 0, 2, 2], exit=[2, 2, 6, 6]))
    with pytest.raises(NotIdentified, match="no more than their entry and exit"):
        npmle(Ranges([1, 2], [INF, INF], entry=[1, 2]))
    late = npmle(ranges[[1]])
    assert late.zero_pieces == ((-INF, 2.0),)
    # a last event that empties the risk set is none: nobody enters after it
    assert npmle(Ranges([1, 3], [1, 3], closed="both", entry=[0, 0])).sf(3) == 0


def test_intervals_with_delayed_entry_invert_the_likelihood_ratio():
    rng = np.random.default_rng(8)
    entry, time = rng.uniform(-3, 6, 150).clip(0), 10 * rng.weibull(2, 150)
    entry, time = entry[time > entry], time[time > entry]
    ranges = Ranges(time, time, closed="survival", entry=entry)
    fit, point = npmle(ranges), 7.0
    times = np.sort(time)
    risk = np.array([np.sum((moment > entry) & (moment <= time)) for moment in times])
    early = times <= point

    def profile(share):
        """Maximise over hazards, 1/(Y + tilt) up to the point (Thomas & Grunkemeier, 1975)."""

        def excess(tilt):
            return np.prod(1 - 1 / (risk[early] + tilt)) - (1 - share)

        tilt = brentq(excess, 1 - risk[early].min() + 1e-9, 1e6)
        hazard = 1 / (risk + np.where(early, tilt, 0))
        rest = (risk - 1)[hazard < 1] @ np.log1p(-hazard[hazard < 1])
        return float(np.log(hazard).sum() + rest)

    top = fit.log_likelihood(ranges)
    assert profile(float(fit.cdf(point))) == pytest.approx(top, abs=1e-6)
    intervals = cdf_intervals(ranges, [point])
    for end in (intervals.lower[0], intervals.upper[0]):
        assert 2 * (top - profile(end)) == pytest.approx(3.84, abs=0.4)


def test_quantiles_and_bands_hold_the_curve():
    ranges = delayed()
    quartiles = quantile_intervals(ranges, [0.5])
    assert quartiles.lower[0] < 6.3 <= quartiles.upper[0]
    band = simultaneous_band(ranges)
    assert (band.lower <= band.value).all()
    assert (band.value <= band.upper).all()


def test_draws_count_given_their_windows():
    ranges = Ranges([1, 2], [3, INF], entry=[0.5, 0])
    ours = range_log_likelihood(ranges, lambda ends: 1 - np.exp(-np.maximum(ends, 0)))
    expected = [np.log((np.exp(-1) - np.exp(-3)) / np.exp(-0.5)), -2]
    assert np.ravel(ours) == pytest.approx(expected)


def test_what_cannot_allow_for_truncation_refuses_it():
    ranges, channel = Ranges([1, 2], [3, 4], entry=[0, 1]), RangeChannel(Line(0, 4, 1), [1, 1, 1])
    refusals = [
        lambda: naive_npmle(ranges),
        lambda: npmle(ranges, eligible=Ranges([0, 0], [9, 9])),
        lambda: npmle(ranges, inclusion=InclusionProbability([0, 9], [0.5])),
        lambda: kolmogorov_test({"a": ranges, "b": ranges}),
        lambda: estimate_line(channel, ranges),
        lambda: functional_interval(ranges, lambda y: y, support=(0, 9)),
        lambda: unbiased_mean(ranges, (0, 9)),
        lambda: non_identified(ranges),
        lambda: InclusionProbability.from_ranges(ranges),
        lambda: pull_back(ranges, [(0, INF, np.sqrt)]),
        lambda: coverage_law(ranges, [0, 2, 4]),
        lambda: IntervalRegressor().fit([[0.0], [1.0]], ranges),
    ]
    for refuse in refusals:
        with pytest.raises(InputError, match="truncate"):
            refuse()
