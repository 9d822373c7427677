"""Intervals for averages: their error against closed forms and a brute-force information matrix."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.channels import Ranges
from askance.inference import functional_bounds, functional_interval, npmle
from askance_collect.errors import InputError


def one_cut_each(rng, n, ticks=0):
    y, cut = rng.random(n), rng.integers(1, ticks, n) / ticks if ticks else rng.random(n)
    return Ranges(np.where(y <= cut, -np.inf, cut), np.where(y <= cut, cut, np.inf))


def identity(y):
    return y


@pytest.mark.long
def test_one_uniform_cut_has_the_error_of_the_known_bound():
    ranges = one_cut_each(np.random.default_rng(1), 20_000)
    interval = functional_interval(ranges, identity, (0, 1))
    assert interval.se == pytest.approx((1 / 6 / 20_000) ** 0.5, rel=0.05)  # ∫ F(1 − F)/g
    assert interval.lower == pytest.approx(interval.low - 1.959964 * interval.se)
    assert interval.upper == pytest.approx(interval.high + 1.959964 * interval.se)


def test_exact_numbers_have_the_error_of_their_mean():
    y = np.random.default_rng(2).normal(50, 10, 400)
    interval = functional_interval(Ranges(y, y, closed="both"), identity, (0, 100))
    assert interval.low == pytest.approx(y.mean())
    assert interval.se == pytest.approx(y.std() / 20, rel=0.1)


@pytest.mark.parametrize("n", [50, 1000])
def test_whole_numbers_told_exactly_have_the_error_of_their_mean(n):
    rng = np.random.default_rng(4)
    for y in (rng.integers(0, 6, n) * 1.0, rng.lognormal(0, 1, n)):
        interval = functional_interval(Ranges(y, y, closed="both"), identity, (-5, 100))
        assert interval.se == pytest.approx(y.std() / n**0.5, rel=0.03)


@pytest.mark.long
def test_whole_numbers_told_exactly_or_in_ranges_have_the_error_of_many_surveys():
    rng, result = np.random.default_rng(5), []
    for _ in range(60):
        y, is_shown = rng.integers(0, 6, 200) * 1.0, rng.random(200) < 0.5
        low, high = y - rng.integers(0, 3, 200) - 0.5, y + rng.integers(0, 3, 200) + 0.5
        lower, upper = np.where(is_shown, np.nextafter(y, -1), low), np.where(is_shown, y, high)
        result.append(functional_interval(Ranges(lower, upper), identity, (-3, 9)))
    middle = [(item.low + item.high) / 2 for item in result]
    assert np.mean([item.se for item in result]) == pytest.approx(np.std(middle), rel=0.25)


def test_ranges_that_nobody_gave_change_no_error():
    some, none = [[1, 2], [2, 3], [0, 2]], [[7, 9], [-4, 0.5]]
    interval = functional_interval(Ranges(some), identity, (-5, 10))
    result = functional_interval(Ranges(some + none, counts=[1, 1, 1, 0, 0]), identity, (-5, 10))
    assert result.se == interval.se


def test_a_grid_has_the_inverse_of_its_information():
    result = {(-np.inf, 1): 310, (1, 3): 270, (2, np.inf): 420, (-np.inf, 2): 400, (3, np.inf): 200}
    ranges = Ranges.from_counts(result)
    inside = np.array([[1, 0, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 1, 0, 0], [0, 0, 0, 1]])
    fit = npmle(ranges)
    level = np.concatenate([[0.0], fit.cdf_bounds([1, 2, 3])[0], [1.0]])
    mass = np.diff(level)
    chance = inside @ mass
    information = (inside.T * (ranges.weights / chance**2)) @ inside
    for places in ([0, 1, 2, 3], [1, 2, 3, 4]):
        value = np.array(places, dtype=float)
        away = value - mass @ value
        variance = away @ np.linalg.solve(information, away)
        spread = functional_interval(ranges, identity, (0, 4)).se
        assert spread >= variance**0.5 * 0.98
        assert spread <= variance**0.5 * 1.2


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.floats(-50, 50), st.floats(0.1, 20), st.sampled_from([0, 9]))
@pytest.mark.long
def test_a_line_moved_and_stretched_moves_and_stretches_the_interval(seed, shift, scale, ticks):
    ranges = one_cut_each(np.random.default_rng(seed), 60, ticks)
    moved_ranges = Ranges(shift + scale * ranges.lower, shift + scale * ranges.upper)
    interval = functional_interval(ranges, identity, (0, 1))
    remote = functional_interval(moved_ranges, identity, (shift, shift + scale))
    assert remote.se == pytest.approx(scale * interval.se, rel=1e-6)
    assert remote.lower == pytest.approx(
        shift + scale * interval.lower, abs=1e-6 * (1 + abs(shift))
    )
    assert remote.upper == pytest.approx(
        shift + scale * interval.upper, abs=1e-6 * (1 + abs(shift))
    )


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 5))
@pytest.mark.long
def test_the_interval_holds_the_bounds_and_repeats_never_widen_it(seed, times):
    ranges = one_cut_each(np.random.default_rng(seed), 40)
    repeated = Ranges(ranges.lower, ranges.upper, np.full(40, float(times**2)))
    once = functional_interval(ranges, identity, (0, 1))
    often = functional_interval(repeated, identity, (0, 1))
    bounds = functional_bounds(npmle(ranges, (0, 1)), identity)
    assert (once.low, once.high) == pytest.approx(bounds)
    assert once.lower <= once.low <= once.high <= once.upper
    assert often.se <= once.se * (1 + 1e-9)


def test_rings_are_taken_and_constants_are_known():
    ranges = Ranges.unions(
        [[(0.2, 0.6)], [(-np.inf, 0.2), (0.6, np.inf)], [(0.1, 0.5)]], counts=[30, 50, 20]
    )
    assert functional_interval(ranges, identity, (0, 1)).se > 0
    interval = functional_interval(ranges, np.ones_like, (0, 1))
    assert (interval.lower, interval.upper) == pytest.approx((1, 1))


def test_what_is_open_is_beside_what_is_uncertain():
    interval = functional_interval(Ranges([0, 2], [2, 4], counts=[4e8, 6e8]), identity, (0, 4))
    assert (interval.lower, interval.upper) == pytest.approx((1.2, 3.2), abs=1e-3)


def beyond_all_cuts(rng, n, end, kind):
    """Half the people are at one end of the line; cuts and the others are even on (0.2, 0.8)."""
    y = np.where(rng.random(n) < 0.5, end, rng.uniform(0.2, 0.8, n))
    first, last = np.sort(rng.uniform(0.2, 0.8, (n, 2)), axis=1).T
    if kind == "one cut":
        return Ranges(np.where(y <= first, -np.inf, first), np.where(y <= first, first, np.inf))
    inside = (first < y) & (y <= last)
    if kind == "ring":
        rows = zip(first, last, inside, strict=True)
        return Ranges.unions(
            [[(a, b)] if item else [(-np.inf, a), (b, np.inf)] for a, b, item in rows]
        )
    lower = np.where(inside, first, np.where(y > last, last, -np.inf))
    return Ranges(lower, np.where(inside, last, np.where(y <= first, first, np.inf)))


@pytest.mark.parametrize("kind", ["one cut", "two cuts", "ring"])
@pytest.mark.parametrize("end", [0.0, 1.0])
@pytest.mark.long
def test_people_beyond_all_cuts_are_covered_though_the_most_likely_share_of_them_errs(kind, end):
    """The most likely share beyond the cuts does not settle: the twin trusts it and misses."""
    rng, truth, content, twin = np.random.default_rng(8), (end + 0.5) / 2, 0, 0
    for _ in range(20):
        interval = functional_interval(beyond_all_cuts(rng, 300, end, kind), identity, (0, 1))
        content += interval.lower <= truth <= interval.upper
        error = 1.959964 * interval.se
        twin += interval.low - error <= truth <= interval.high + error
    assert content >= 18
    assert twin <= 17


def test_the_one_person_at_the_highest_cut_decides_the_most_likely_share_beyond():
    cuts = np.arange(1, 10) / 10
    above = np.array([0, 0, 1, 0, 1, 1, 1, 1, 1], dtype=bool)
    for last, beyond in ((True, 1.0), (False, 0.0)):
        above[-1] = last
        fit = npmle(Ranges(np.where(above, cuts, -np.inf), np.where(above, np.inf, cuts)))
        assert (fit.lower[-1] >= 0.9) == bool(beyond)


def test_what_lies_beyond_the_cuts_does_not_matter_where_the_average_stays_the_same():
    ranges = beyond_all_cuts(np.random.default_rng(9), 300, 1.0, "one cut")
    interval = functional_interval(ranges, lambda y: np.clip(y, 0.3, 0.6), (0, 1))
    assert interval.lower == pytest.approx(interval.low - 1.959964 * interval.se)
    assert interval.upper == pytest.approx(interval.high + 1.959964 * interval.se)


def test_a_grid_that_many_share_and_exact_numbers_are_left_as_they_are():
    rng = np.random.default_rng(10)
    y, cut = rng.random(2000), rng.integers(2, 9, 2000) / 10
    grid = Ranges(np.where(y <= cut, -np.inf, cut), np.where(y <= cut, cut, np.inf))
    for ranges in (grid, Ranges(y, y, closed="both")):
        interval = functional_interval(ranges, identity, (0, 1))
        assert interval.lower == pytest.approx(interval.low - 1.959964 * interval.se)
        assert interval.upper == pytest.approx(interval.high + 1.959964 * interval.se)


def test_results_are_told_and_written():
    interval = functional_interval(one_cut_each(np.random.default_rng(6), 50), identity, (0, 1))
    assert "95 % from" in repr(interval)
    assert interval._repr_html_().startswith("<table>")
    assert interval.to_dict()["n"] == 50


def test_what_cannot_be_is_refused():
    ranges = one_cut_each(np.random.default_rng(7), 50)
    with pytest.raises(InputError, match="declare the support"):
        functional_interval(ranges, identity)
    with pytest.raises(InputError, match="declare the support"):
        functional_interval(ranges, lambda y: np.log(y), (0, 1))
    with pytest.raises(InputError, match="level"):
        functional_interval(ranges, identity, (0, 1), level=1.0)
    with pytest.raises(InputError, match="support"):
        functional_interval(ranges, identity, (0.4, 0.6))
    with pytest.raises(InputError, match="at least one"):
        functional_interval(ranges[:0], identity, (0, 1))
    open_ = functional_interval(Ranges([-np.inf], [np.inf]), identity, (0, 1))
    assert (open_.lower, open_.upper) == (-np.inf, np.inf)


def test_an_average_is_open_to_where_it_turns():
    ranges = Ranges([0, 1], [1, 4], counts=[40, 60])
    interval = functional_interval(ranges, lambda y: (y - 2) ** 2, (0, 4), extrema=[2])
    assert (interval.low, interval.high) == pytest.approx((0.4 * 1 + 0.6 * 0, 0.4 * 4 + 0.6 * 4))
