"""Intervals for F(t): against a search over the constrained likelihood, and their law."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.estimators.cdf_intervals import cdf_intervals
from askance.estimators.ratio_limit import critical_value


def one_cut_each(rng, n, ticks=0):
    y, cut = rng.random(n), rng.integers(1, ticks, n) / ticks if ticks else rng.random(n)
    return Ranges(np.where(y <= cut, -np.inf, cut), np.where(y <= cut, cut, np.inf))


def best(cuts, below, point=None, share=None):
    """Maximise over monotone shares by a general optimiser, F(point) held if asked."""
    n = len(cuts)
    at = np.searchsorted(cuts, point) if point is not None else 0
    rows = [{"type": "ineq", "fun": np.diff}] if n > 1 else []
    bounds = [(1e-9, 1 - 1e-9)] * n
    if share is not None:
        bounds = [(1e-9, share)] * at + [(share, 1 - 1e-9)] * (n - at)

    def loss(f):
        return -float(np.sum(np.log(np.where(below, f, 1 - f))))

    start = np.linspace(0.3, 0.7, n)
    start = np.clip(start, [b[0] for b in bounds], [b[1] for b in bounds])
    options = {"maxiter": 500, "ftol": 1e-12}
    found = minimize(loss, start, bounds=bounds, constraints=rows, options=options, method="SLSQP")
    return -found.fun


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32))
def test_at_each_end_the_likelihood_has_fallen_by_the_critical_value(seed):
    rng = np.random.default_rng(seed)
    ranges = one_cut_each(rng, 12)
    below = np.isneginf(ranges.lower)
    cuts = np.where(below, ranges.upper, ranges.lower)
    order = np.argsort(cuts)
    cuts, below = cuts[order], below[order]
    point = float((cuts[5] + cuts[6]) / 2)
    found = cdf_intervals(ranges, point, 0.9)
    top = best(cuts, below)
    for end in (found.lower[0], found.upper[0]):
        if 0 < end < 1:
            fall = 2 * (top - best(cuts, below, point, float(end)))
            assert fall == pytest.approx(found.critical, abs=2e-3)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([0, 7, 40]))
def test_intervals_hold_the_estimate_and_grow_with_the_level(seed, ticks):
    ranges = one_cut_each(np.random.default_rng(seed), 80, ticks)
    ends = np.where(np.isneginf(ranges.lower), ranges.upper, ranges.lower)
    at = np.quantile(ends, [0, 0.3, 0.5, 0.8, 1])
    narrow, wide = (cdf_intervals(ranges, at, level) for level in (0.8, 0.99))
    assert (wide.lower >= 0).all()
    assert (wide.upper <= 1).all()
    assert (wide.lower <= narrow.lower).all()
    assert (narrow.upper <= wide.upper).all()
    assert (narrow.lower <= narrow.value + 1e-12).all()
    assert (narrow.value <= narrow.upper + 1e-12).all()


def test_turning_the_line_round_turns_the_intervals_round():
    ranges = one_cut_each(np.random.default_rng(3), 100)
    turned = Ranges(-ranges.upper, -ranges.lower)
    here, there = cdf_intervals(ranges, [0.3, 0.6]), cdf_intervals(turned, [-0.6, -0.3])
    assert there.lower == pytest.approx(1 - here.upper[::-1])
    assert there.upper == pytest.approx(1 - here.lower[::-1])


def test_weights_count_as_repeats():
    ranges = one_cut_each(np.random.default_rng(4), 30)
    twice = Ranges(np.tile(ranges.lower, 2), np.tile(ranges.upper, 2))
    weighted = Ranges(ranges.lower, ranges.upper, np.full(30, 2.0))
    one, two = (cdf_intervals(each, 0.5, grid=False) for each in (twice, weighted))
    assert one.lower == pytest.approx(two.lower)
    assert one.upper == pytest.approx(two.upper)


def test_few_cuts_shared_by_many_are_a_grid():
    rng = np.random.default_rng(5)
    found = cdf_intervals(one_cut_each(rng, 300, 10), [0.3, 0.35, 0.4])
    assert found.method == "likelihood ratio, cuts on a grid"
    assert found.critical == pytest.approx(3.841459, abs=1e-6)
    assert found.lower[1] == found.lower[0]
    assert found.upper[1] == found.upper[2]
    alone = cdf_intervals(Ranges([-np.inf, 1], [1, np.inf], weights=[30, 70]), 1.0)
    shares = np.array([alone.lower[0], alone.upper[0]])
    fall = 2 * (30 * np.log(0.3 / shares) + 70 * np.log(0.7 / (1 - shares)))
    assert fall == pytest.approx([alone.critical] * 2)


def test_the_law_lies_below_chi_square_at_every_level():
    levels = np.linspace(0.5, 0.999, 200)
    own = np.array([critical_value(level, grid=False) for level in levels])
    assert (np.diff(own) > 0).all()
    assert (own < [critical_value(level, grid=True) for level in levels]).all()


def test_results_are_told_written_and_drawn():
    found = cdf_intervals(one_cut_each(np.random.default_rng(6), 50), [0.5])
    assert "95 % from" in repr(found)
    assert found._repr_html_().startswith("<table>")
    assert found.to_dict()["at"] == [0.5]
    assert found.plot().get_ylabel() == "share up to here"
    assert not found.lower.flags.writeable


def test_what_cannot_be_is_refused():
    ranges = one_cut_each(np.random.default_rng(7), 50)
    for at in ([], [-1.0], [2.0], [np.nan]):
        with pytest.raises(InputError, match="where cuts fell"):
            cdf_intervals(ranges, at)
    for level in (0.4, 0.9999):
        with pytest.raises(InputError, match="level"):
            cdf_intervals(ranges, 0.5, level)
    for lower, upper in (([0], [1]), ([-np.inf], [np.inf])):
        with pytest.raises(InputError, match="one finite end"):
            cdf_intervals(Ranges(lower, upper), 0.5)
    with pytest.raises(InputError, match="unions"):
        cdf_intervals(Ranges.unions([[(-np.inf, 0), (1, np.inf)]]), 0.5)
    with pytest.raises(InputError, match="at least one"):
        cdf_intervals(Ranges([1], [np.inf], weights=[0]), 1)
