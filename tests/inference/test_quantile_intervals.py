"""Quantiles with intervals: every end asked one by one, bad input, and the table."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.channels import Ranges
from askance.inference import cdf_intervals, npmle, quantile_intervals
from askance.inference.intervals.cdf_intervals import _last, closely
from askance.inference.intervals.constrained_npmle import ConstrainedFits
from askance.inference.intervals.profile_likelihood import CellLikelihood, ConstrainedShare
from askance_collect.errors import InputError

SHARES = (0.05, 0.3, 0.5, 0.8, 0.99)


def one_cut(n, cuts, seed):
    rng = np.random.default_rng(seed)
    cut, y = rng.choice(cuts, n).astype(float), rng.uniform(0, 10, n)
    return Ranges(np.where(y <= cut, -np.inf, cut), np.where(y <= cut, cut, np.inf))


@pytest.mark.long
@pytest.mark.parametrize("cuts", [[2, 4, 6, 8], np.linspace(0.1, 9.9, 900)])
def test_each_end_is_where_the_interval_of_the_cdf_crosses_the_share(cuts):
    cut = one_cut(150, cuts, seed=4)
    intervals = quantile_intervals(cut, SHARES)
    ends = np.unique(np.concatenate([cut.lower, cut.upper]))[1:-1]
    every = cdf_intervals(cut, ends)
    for share, low, high, lower, upper in zip(
        SHARES, intervals.low, intervals.high, intervals.lower, intervals.upper, strict=True
    ):
        below, reached = (every.upper < share).tolist(), (every.lower >= share).tolist()
        last, first = np.searchsorted(ends, [lower, upper])
        assert lower == low or np.isneginf(lower) or (below[last] and not below[last + 1])
        assert upper == high or np.isinf(upper) or (reached[first] and not reached[first - 1])
        assert not below[0] or np.isfinite(lower)
        assert not reached[-1] or np.isfinite(upper)
        assert (low, high) == npmle(cut).quantile(share)
        assert lower <= low < high <= upper


@pytest.mark.long
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([0.02, 0.2, 0.5, 0.9]))
def test_a_share_is_allowed_between_the_ends_of_its_interval(seed, share):
    rng = np.random.default_rng(seed)
    cuts, y = np.sort(rng.integers(1, 30, (60, 2)), axis=1), rng.uniform(0, 30, 60)
    ends = np.column_stack([np.full(60, -np.inf), cuts, np.full(60, np.inf)])
    cell, row = (y[:, None] > cuts).sum(axis=1), np.arange(60)
    keep = ends[row, cell] < ends[row, cell + 1]
    drawn_ranges = Ranges(ends[row, cell][keep], ends[row, cell + 1][keep])
    constrained_share = ConstrainedShare(
        ranges=drawn_ranges, fit=closely(drawn_ranges, drawn_ranges.total)
    )
    for point in np.quantile(cuts, [0.1, 0.5, 0.9], method="nearest").tolist():
        low, high = (constrained_share.end(point, 2.8, up=up)[0] for up in (False, True))
        if min(abs(share - low), abs(share - high)) > 1e-3:
            assert constrained_share.allows(point, share, 2.8) == (low < share < high)


def test_more_people_and_lower_levels_narrow_the_interval():
    few, many = one_cut(100, np.arange(1, 10), 1), one_cut(4000, np.arange(1, 10), 1)
    width = [
        float(intervals.upper[0] - intervals.lower[0])
        for intervals in (
            quantile_intervals(few, [0.55]),
            quantile_intervals(few, [0.55], level=0.6),
            quantile_intervals(many, [0.55]),
        )
    ]
    assert width[0] > max(width[1:])


def test_a_quantile_beyond_every_cut_has_no_end():
    intervals = quantile_intervals(one_cut(200, [4, 5], 2), [0.1, 0.9])
    assert (intervals.lower[0], intervals.upper[1]) == (-np.inf, np.inf)
    written = json.loads(json.dumps(intervals.to_dict(), allow_nan=False))
    assert written["upper"][1] is None
    assert "(5, inf]" in repr(intervals)
    assert "<table>" in intervals._repr_html_()
    with pytest.raises(ValueError, match="read-only"):
        intervals.lower[0] = 1


def test_shares_are_put_in_order_once():
    cut = one_cut(100, [3, 6], 3)
    assert quantile_intervals(cut, [0.5, 0.2, 0.5]).share.tolist() == [0.2, 0.5]


@pytest.mark.parametrize("shares", [[], [0], [1], [np.nan], [0.5, 1.2]])
def test_what_is_no_share_is_refused(shares):
    with pytest.raises(InputError, match="shares"):
        quantile_intervals(one_cut(50, [3, 6], 3), shares)


def test_ranges_without_an_end_are_refused():
    for ranges in (Ranges([], []), Ranges([-np.inf], [np.inf]), Ranges([1], [2], counts=[0])):
        with pytest.raises(InputError, match="Ranges"):
            quantile_intervals(ranges)
    with pytest.raises(InputError, match="level"):
        quantile_intervals(one_cut(50, [3, 6], 3), level=0.2)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.floats(0.05, 0.95))
@pytest.mark.long
def test_a_fit_serves_wherever_the_same_share_costs_the_same(seed, share):
    rng = np.random.default_rng(seed)
    cut = one_cut(120, np.linspace(0.1, 9.9, 70), seed=int(rng.integers(2**32)))
    cells = CellLikelihood.of(cut, closely(cut, cut.total))
    fits = ConstrainedFits.of(cells.runs, cells.mass, cells.tol)
    if fits is not None:
        for level in range(1, fits.m, 5):
            fit = fits.fit_with_share(level, share, fits.free)
            least, most = fit.levels
            assert least <= level <= most
            for other in (least, (least + most) // 2, most):
                assert fit.serves(other, share)
                if 0 < other < fits.m:
                    own = fits.fit_with_share(other, share, fits.free)
                    assert own.fall == pytest.approx(fit.fall, abs=3e-4)


def test_a_search_goes_by_chords_and_needs_few_fits():
    values = (np.arange(1, 5001) - 1234.5) / 300
    questions = []

    def reached(end):
        questions.append(end)
        return float(np.clip(values[end - 1], -3, 3)), end, end

    def told(end):
        return (1.0 if values[end - 1] > 0 else -1.0), end, end

    upto = np.linspace(0, 1, 5000)
    assert _last(reached, upto, 0.3, -150) == 1234
    assert len(questions) <= 6
    assert _last(told, upto, 0.2, 150) == 1234
    assert _last(lambda end: (1.0, end, end), upto, 0.3, -150) == 0
    assert _last(lambda end: (-1.0, end, end), upto, 0.3, 150) == 5000


def test_ends_that_share_a_sign_are_asked_for_once():
    questions = []

    def reached(end):
        questions.append(end)
        low = (end - 1) // 100 * 100
        return (low - 2950) / 3000, low + 1, low + 100

    assert _last(reached, np.linspace(0, 1, 5000), 0.3, 150) == 3000
    assert len(questions) == len({(end - 1) // 100 for end in questions})
