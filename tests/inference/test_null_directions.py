"""Shares that unions of ranges leave open: bounds against linear programmes over every cell."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from askance import Line, estimate_line
from askance.channels import InclusionProbability, Ranges, RingChannel
from askance.inference import cdf_intervals, functional_bounds, functional_interval, npmle
from askance_collect.exact import Floor


@st.composite
def unions(draw):
    """Up to ten unions of up to three of the unit steps of a short line."""
    k = draw(st.integers(3, 8))
    rows = st.lists(st.sets(st.integers(0, k - 1), min_size=1, max_size=3), min_size=1, max_size=10)
    drawn_value = draw(rows)
    weights = draw(
        st.lists(st.integers(1, 9), min_size=len(drawn_value), max_size=len(drawn_value))
    )
    return k, drawn_value, weights


def drawn_from(result, weights):
    return Ranges.unions([[(index, index + 1) for index in sorted(row)] for row in result], weights)


@settings(deadline=None, max_examples=60)
@given(unions())
@pytest.mark.long
def test_bounds_are_those_of_linear_programmes_over_every_step(drawn):
    k, result, weights = drawn
    fit = npmle(drawn_from(result, weights))
    holds = np.array([[position in row for position in range(k)] for row in result], dtype=float)
    mass = np.zeros(k)
    mass[np.searchsorted(np.arange(1, k + 1), fit.upper)] = fit.mass
    rows = {"A_eq": np.vstack([holds, np.ones(k)]), "b_eq": np.append(holds @ mass, 1.0)}

    def extreme(value):
        return -linprog(-np.asarray(value, dtype=float), **rows).fun

    indices = np.arange(1.0, k)
    low, high = fit.cdf_bounds(indices)
    for index, least, most in zip(indices, low, high, strict=True):
        assert least == pytest.approx(-extreme(-1.0 * (np.arange(k) < index)), abs=1e-5)
        assert most == pytest.approx(extreme(np.arange(k) < index), abs=1e-5)
    bounds = functional_bounds(fit, np.square, (0, k))
    assert bounds[0] == pytest.approx(-extreme(-(np.arange(k) ** 2)), abs=1e-3)
    assert bounds[1] == pytest.approx(extreme(np.arange(1, k + 1) ** 2), abs=1e-3)
    assert fit.mean_bounds()[1] == pytest.approx(extreme(np.arange(1, k + 1)), abs=1e-4)
    shifted = []
    for low, high in zip(fit.lower, fit.upper, strict=True):
        inside = (np.arange(k) >= low) & (np.arange(k) < high)
        if extreme(inside) + extreme(-1.0 * inside) > 1e-4:
            shifted.append((low, high))
    assert shifted == list(fit.non_identified)


@settings(deadline=None, max_examples=40)
@given(unions(), st.randoms(use_true_random=False))
@pytest.mark.long
def test_neither_order_nor_splitting_of_rows_changes_bounds(drawn, dice):
    _, result, weights = drawn
    fit = npmle(drawn_from(result, weights))
    rows = [row for row, count in zip(result, weights, strict=True) for _ in range(count)]
    dice.shuffle(rows)
    again = npmle(drawn_from(rows, None))
    assert again.upper.tolist() == fit.upper.tolist()
    for bound, two in zip(fit.cdf_bounds(fit.upper), again.cdf_bounds(fit.upper), strict=True):
        assert bound == pytest.approx(two, abs=1e-5)


@pytest.mark.long
def test_tails_that_are_always_told_together_are_shown_as_one_sum():
    rng = np.random.default_rng(1)
    y, cuts = rng.random(500), np.sort(rng.uniform(0.3, 0.7, (500, 2)), axis=1)
    pairs = zip(cuts.tolist(), ((cuts[:, 0] < y) & (y <= cuts[:, 1])).tolist(), strict=True)
    rows = [[(a, b)] if inside else [(-np.inf, a), (b, np.inf)] for (a, b), inside in pairs]
    ranges = Ranges.unions(rows)
    fit = npmle(ranges, (0, 1))
    assert fit.non_identified == ((0, fit.upper[0]), (fit.lower[-1], 1))
    assert "only sums are identified of the shares in (0, 0.3], (0.6999, 1]" in repr(fit)
    low, high = fit.cdf_bounds(0.5)
    assert low < 0.25
    assert high > 0.75
    assert fit.quantile(0.5)[1] - fit.quantile(0.5)[0] > 0.39
    assert low <= fit.cdf(0.5) <= high
    interval = functional_interval(ranges, lambda v: v, (0, 1))
    assert (interval.low, interval.high) == pytest.approx((0.236, 0.782), abs=0.001)
    assert interval.se == pytest.approx(0.12, rel=0.2)  # that of many such surveys
    middle = cdf_intervals(ranges, 0.5)
    assert middle.value[0] == pytest.approx(float(fit.cdf(0.5)))  # as the shares are divided
    assert middle.lower[0] < low < high < middle.upper[0]


def test_ranges_of_one_piece_leave_no_choice():
    rng = np.random.default_rng(2)
    lower = rng.integers(0, 9, 200)
    fit = npmle(Ranges(lower, lower + rng.integers(1, 5, 200)))
    assert fit.null_directions.shape == (0, len(fit.mass))
    assert fit.non_identified == ()


@st.composite
def selections(draw):
    """Unions of steps with a law of who is heard of, of their own or any; and how many were not."""
    k, result, weights = draw(unions())
    if draw(st.booleans()):
        rows = draw(
            st.lists(st.sampled_from([0.02, 0.1]), min_size=len(result), max_size=len(result))
        )
        values = np.array([[index in row for index in range(k)] for row in result], dtype=float)
        chance = np.array(rows) @ values
    else:
        chance = np.array(draw(st.lists(st.sampled_from([0.25, 0.5]), min_size=k, max_size=k)))
    return k, result, weights, chance, draw(st.sampled_from([None, 0, 3, 40]))


def as_likely(result, chance, share, nulls):
    """Say which masses of every step are as likely: two sides of an equation, a factor behind."""
    holds = np.array(
        [[index in row for index in range(len(chance))] for row in result], dtype=float
    )
    if nulls is None:
        rows = np.vstack([holds, chance])
        rows = np.column_stack([rows, -rows @ share])
        append_result = np.append(np.ones(len(chance)), 0.0)
    else:
        rows = np.vstack([holds, (1 - chance) * min(nulls, 1)])
        append_result = np.ones(len(chance))
    value = rows @ np.append(share, 1.0)[: len(append_result)]
    return np.vstack([rows, append_result]), np.append(value, 1.0)


@settings(deadline=None, max_examples=50)
@given(selections())
@pytest.mark.long
def test_under_selection_bounds_are_those_of_linear_programmes_over_every_step(drawn):
    k, result, weights, chance, nulls = drawn
    inclusion, ranges = InclusionProbability(np.arange(k + 1), chance), drawn_from(result, weights)
    fit = npmle(ranges, (0, k), inclusion=inclusion, nulls=nulls)
    share = np.zeros(k)
    for low, high, mass in zip(fit.lower.astype(int), fit.upper.astype(int), fit.mass, strict=True):
        share[low + np.argmin(chance[low:high])] += mass
    assert fit.gap <= 1e-10
    rows, value = as_likely(result, chance, share, nulls)
    is_heard = nulls is not None
    ends = [(0, None if is_heard or item else 0) for item in [*chance, 1.0][: rows.shape[1]]]

    def extreme(of):
        of = np.append(of, 0.0)[: rows.shape[1]]
        return -linprog(-of, A_eq=rows, b_eq=value, bounds=ends).fun

    indices = np.arange(1.0, k)
    low, high = fit.cdf_bounds(indices)
    for index, least, most in zip(indices, low, high, strict=True):
        below = np.where(np.arange(k) < index, 1.0, 0.0)
        assert least == pytest.approx(-extreme(-below), abs=1e-5)
        assert most == pytest.approx(extreme(below), abs=1e-5)


@settings(deadline=None, max_examples=30)
@given(selections(), st.integers(0, 2**32))
@pytest.mark.long
def test_under_selection_traded_masses_are_as_likely_and_the_ones_told_are_their_centre(
    drawn, seed
):
    k, result, weights, chance, nulls = drawn
    inclusion, ranges = InclusionProbability(np.arange(k + 1), chance), drawn_from(result, weights)
    fit = npmle(ranges, (0, k), inclusion=inclusion, nulls=nulls)
    moves = fit.null_directions
    cheap = [chance[int(a) : int(b)].min() for a, b in zip(fit.lower, fit.upper, strict=True)]
    values = np.array([[int(low) in row for low in fit.lower] for row in result], dtype=float)
    step = np.random.default_rng(seed).normal(size=len(moves)) @ moves
    step *= 0.9 / max(np.max(-step / fit.mass, initial=0), 1)

    def log_likelihood(mass):
        if nulls is None:
            return weights @ np.log(values @ mass) - sum(weights) * np.log(cheap @ mass)
        silent = nulls * np.log(1 - cheap @ mass) if nulls else 0.0
        return weights @ np.log(values @ mass) + silent

    assert log_likelihood(fit.mass + step) == pytest.approx(log_likelihood(fit.mass), abs=1e-7)
    assert np.abs(moves.sum(axis=1)).max(initial=0) < 1e-9
    assert np.abs(moves @ (1 / fit.mass)).max(initial=0) * fit.mass.min() < 1e-6


def test_rings_that_were_heard_of_leave_open_what_plain_rings_do():
    """All rings are sent equally often, or could all have been: selection changes nothing."""
    rings = Ranges.unions([[(1, 3)], [(0, 1), (3, 4)], [(1, 2)], [(0, 1), (2, 4)]], [3, 1, 2, 2])
    even = InclusionProbability([0, 4], [0.5])
    plain, *others = [
        npmle(rings, (0, 4), **more)
        for more in (
            {},
            {"inclusion": even},
            {"inclusion": even, "nulls": 8},
            {"eligible": Ranges([0] * 4, [4] * 4)},
        )
    ]
    assert plain.non_identified == ((0, 1), (3, 4))
    for other in others:
        assert other.non_identified == plain.non_identified
        assert other.mass == pytest.approx(plain.mass, abs=1e-8)
        for bound, cdf_bound in zip(
            other.cdf_bounds([1, 2, 3]), plain.cdf_bounds([1, 2, 3]), strict=True
        ):
            assert bound == pytest.approx(cdf_bound, abs=1e-8)
        assert other.quantile(0.3) == plain.quantile(0.3)
        assert other.mean_bounds() == pytest.approx(plain.mean_bounds(), abs=1e-8)


def test_a_law_that_settles_no_level_leaves_every_share_open():
    """The ends can both gain what the middle loses: of whoever is not heard of nothing is known."""
    inclusion = InclusionProbability([0, 1, 2, 3], [0.25, 0.5, 0.25])
    fit = npmle(Ranges([0, 1], [2, 3]), (0, 3), inclusion=inclusion)
    assert fit.mass == pytest.approx([1 / 3] * 3)
    assert fit.non_identified == ((0, 1), (1, 2), (2, 3))
    low, high = fit.cdf_bounds([1, 2])
    assert (low.tolist(), high.tolist()) == (pytest.approx([0, 0.5]), pytest.approx([0.5, 1]))
    counted = npmle(Ranges([0, 1], [2, 3]), (0, 3), inclusion=inclusion, nulls=4)
    assert counted.null_directions.shape[0] == 0  # (0, 2] and the rest are all


def compared(seed):
    """Draw unions of steps, each with what else could have been sent."""
    rng = np.random.default_rng(seed)
    k = int(rng.integers(3, 8))
    could = [rng.choice(k, rng.integers(2, min(k, 5) + 1), replace=False) for _ in range(seed % 5)]
    choices = [rng.choice(item, rng.integers(1, len(item)), replace=False) for item in could]
    return k, could, choices, rng.integers(1, 9, len(could))


def held_by(rows, k):
    return np.array([np.isin(np.arange(k), row) for row in rows]).astype(float)


@pytest.mark.parametrize("seed", [4, 7, 38, 64, 72, 78])  # those have trades
def test_where_reports_are_compared_bounds_are_those_of_linear_programmes(seed):
    k, could, reports, weights = compared(seed)
    fit = npmle(drawn_from(reports, weights), (0, k), eligible=drawn_from(could, None))
    assert fit.gap <= 1e-10
    assert len(fit.null_directions)
    share = np.zeros(k)
    share[fit.lower.astype(int)] = fit.mass
    part, whole_held = held_by(reports, k), held_by(could, k)
    rows = part - ((part @ share) / (whole_held @ share))[:, None] * whole_held
    equal = {"A_eq": np.vstack([rows, np.ones(k)]), "b_eq": np.append(np.zeros(len(rows)), 1.0)}
    ends = [(0, None if content else 0) for content in whole_held.any(axis=0)]
    low, high = fit.cdf_bounds(np.arange(1.0, k))
    for index, (least, most) in enumerate(zip(low, high, strict=True), 1):
        below = np.where(np.arange(k) < index, 1.0, 0.0)
        assert least == pytest.approx(linprog(below, bounds=ends, **equal).fun, abs=1e-5)
        assert most == pytest.approx(-linprog(-below, bounds=ends, **equal).fun, abs=1e-5)
    assert np.abs(fit.null_directions @ (1 / fit.mass)).max() * fit.mass.min() < 1e-6


def test_parts_of_a_line_that_touch_where_nobody_is_are_not_compared():
    """Those below 2 are all below 1, those above 1 all above 2: nothing says how many each are."""
    could = Ranges([0, 1], [2, 3])
    for observed in ([3, 4], [400, 1]):
        fit = npmle(Ranges([0, 2], [1, 3], observed), (0, 3), eligible=could)
        assert fit.mass == pytest.approx([0.5, 0.5])
        assert fit.non_identified == ((0, 1), (2, 3))
        low, high = fit.cdf_bounds([1, 2])
        assert (low.tolist(), high.tolist()) == (pytest.approx([0, 0]), pytest.approx([1, 1]))


@pytest.mark.parametrize("result", [[19, 4, 24], [24, 3, 20], [25, 24, 4]])
def test_the_mean_and_the_band_of_a_number_are_over_all_that_few_rings_leave_open(result):
    """Endless rings would tell these shares apart; three of them do not."""
    channel = RingChannel(Line(0, 8, 1), [1] * 7, Floor([1] * 8, 2))
    reports = channel.ranges(channel.cells()[0])[np.array(result)]
    fit, estimate = npmle(reports, (0, 8)), estimate_line(channel, reports)
    assert len(fit.null_directions)
    least, most = fit.mean_bounds()
    assert estimate.mean_low <= least + 1e-9
    assert estimate.mean_high >= most - 1e-9
    assert fit.mass @ fit.lower > least + 0.4  # one division alone says more than is known
    low, high = fit.cdf_bounds(estimate.ticks)
    assert (estimate.band_lower <= low + 1e-9).all()
    assert (estimate.band_upper >= high - 1e-9).all()
