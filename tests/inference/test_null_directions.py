"""Shares that unions of ranges leave open: bounds against linear programmes over every cell."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from askance.channels import Ranges
from askance.inference import cdf_intervals, functional_bounds, functional_interval, npmle


@st.composite
def unions(draw):
    """Up to ten unions of up to three of the unit steps of a short line."""
    k = draw(st.integers(3, 8))
    rows = st.lists(st.sets(st.integers(0, k - 1), min_size=1, max_size=3), min_size=1, max_size=10)
    told = draw(rows)
    weights = draw(st.lists(st.integers(1, 9), min_size=len(told), max_size=len(told)))
    return k, told, weights


def drawn_from(told, weights):
    return Ranges.unions([[(at, at + 1) for at in sorted(row)] for row in told], weights)


@settings(deadline=None, max_examples=60)
@given(unions())
@pytest.mark.long
def test_bounds_are_those_of_linear_programmes_over_every_step(drawn):
    k, told, weights = drawn
    fit = npmle(drawn_from(told, weights))
    holds = np.array([[at in row for at in range(k)] for row in told], dtype=float)
    mass = np.zeros(k)
    mass[np.searchsorted(np.arange(1, k + 1), fit.upper)] = fit.mass
    rows = {"A_eq": np.vstack([holds, np.ones(k)]), "b_eq": np.append(holds @ mass, 1.0)}

    def extreme(value):
        return -linprog(-np.asarray(value, dtype=float), **rows).fun

    at = np.arange(1.0, k)
    low, high = fit.cdf_bounds(at)
    for place, least, most in zip(at, low, high, strict=True):
        assert least == pytest.approx(-extreme(-1.0 * (np.arange(k) < place)), abs=1e-5)
        assert most == pytest.approx(extreme(np.arange(k) < place), abs=1e-5)
    found = functional_bounds(fit, np.square, (0, k))
    assert found[0] == pytest.approx(-extreme(-(np.arange(k) ** 2)), abs=1e-3)
    assert found[1] == pytest.approx(extreme(np.arange(1, k + 1) ** 2), abs=1e-3)
    assert fit.mean_bounds()[1] == pytest.approx(extreme(np.arange(1, k + 1)), abs=1e-4)
    moved = []
    for low, high in zip(fit.lower, fit.upper, strict=True):
        inside = (np.arange(k) >= low) & (np.arange(k) < high)
        if extreme(inside) + extreme(-1.0 * inside) > 1e-4:
            moved.append((low, high))
    assert moved == list(fit.non_identified)


@settings(deadline=None, max_examples=40)
@given(unions(), st.randoms(use_true_random=False))
@pytest.mark.long
def test_neither_order_nor_splitting_of_rows_changes_bounds(drawn, dice):
    _, told, weights = drawn
    fit = npmle(drawn_from(told, weights))
    rows = [row for row, count in zip(told, weights, strict=True) for _ in range(count)]
    dice.shuffle(rows)
    again = npmle(drawn_from(rows, None))
    assert again.upper.tolist() == fit.upper.tolist()
    for one, two in zip(fit.cdf_bounds(fit.upper), again.cdf_bounds(fit.upper), strict=True):
        assert one == pytest.approx(two, abs=1e-5)


@pytest.mark.long
def test_tails_that_are_always_told_together_are_shown_as_one_sum():
    rng = np.random.default_rng(1)
    y, cuts = rng.random(500), np.sort(rng.uniform(0.3, 0.7, (500, 2)), axis=1)
    pairs = zip(cuts.tolist(), ((cuts[:, 0] < y) & (y <= cuts[:, 1])).tolist(), strict=True)
    rows = [[(a, b)] if inside else [(-np.inf, a), (b, np.inf)] for (a, b), inside in pairs]
    ranges = Ranges.unions(rows)
    fit = npmle(ranges, (0, 1))
    assert fit.non_identified == ((0, fit.upper[0]), (fit.lower[-1], 1))
    assert "only sums are learnt of the shares in (0, 0.3], (0.6999, 1]" in repr(fit)
    low, high = fit.cdf_bounds(0.5)
    assert low < 0.25
    assert high > 0.75
    assert fit.quantile(0.5)[1] - fit.quantile(0.5)[0] > 0.39
    assert low <= fit.cdf(0.5) <= high
    found = functional_interval(ranges, lambda v: v, (0, 1))
    assert (found.low, found.high) == pytest.approx((0.236, 0.782), abs=0.001)
    assert found.se == pytest.approx(0.12, rel=0.2)  # that of many such surveys
    middle = cdf_intervals(ranges, 0.5)
    assert middle.value[0] == pytest.approx(float(fit.cdf(0.5)))  # as the shares are divided
    assert middle.lower[0] < low < high < middle.upper[0]


def test_ranges_of_one_piece_leave_no_choice():
    rng = np.random.default_rng(2)
    lower = rng.integers(0, 9, 200)
    fit = npmle(Ranges(lower, lower + rng.integers(1, 5, 200)))
    assert fit.null_directions.shape == (0, len(fit.mass))
    assert fit.non_identified == ()
