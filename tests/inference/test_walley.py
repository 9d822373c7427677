"""What fits resolved reports, and how often the intervals hold it: exact sums, no chance."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from askance.channels import Channel, Frame, Tally
from askance.inference import estimate, walley_interval
from askance.mechanisms import Abstain, Redistribute
from askance_collect.errors import InputError, NotIdentified

YES_NO = Frame(["yes", "no"])


def interval(p, q, yes, n, level=0.95):
    channel = Abstain(truth=p, lie=q).channel(YES_NO)
    return walley_interval(Tally(channel, {"yes": yes, "no": n - yes}), level)


@given(st.integers(0, 100))
def test_the_set_is_the_printed_one_cut_to_the_frame(yes):
    p, q, r, f = 0.6, 0.1, 0.3, yes / 100
    interval_result = interval(p, q, yes, 100)
    assert interval_result.low == pytest.approx(min(max((f - q - r) / (p - q), 0), 1), abs=1e-12)
    assert interval_result.high == pytest.approx(min(max((f - q) / (p - q), 0), 1), abs=1e-12)
    assert (
        0
        <= interval_result.outer_lower
        <= interval_result.lower
        <= interval_result.low
        <= interval_result.high
        <= interval_result.upper
    )
    assert interval_result.upper <= interval_result.outer_upper <= 1
    assert interval_result.lower < interval_result.upper


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 200), st.sampled_from(["0", "1/4", "1/2", "4/5", "1"]))
def test_whatever_share_was_declared_its_estimate_fits(yes, share):
    declared = Redistribute(truth="3/5", lie="1/5", share=share).channel(YES_NO)
    point = estimate(Tally(declared, {"yes": yes, "no": 200 - yes}))
    interval_result = interval(0.6, 0.2, yes, 200)
    assert interval_result.low - 1e-9 <= point.value[0] <= interval_result.high + 1e-9


def test_nothing_vague_leaves_a_point_and_wilsons_interval():
    interval_result = interval(0.75, 0.25, 40, 100)
    warner = Channel(YES_NO, {"yes": ["yes"], "no": ["no"]}, [[0.75, 0.25], [0.25, 0.75]])
    point = estimate(Tally(warner, {"yes": 40, "no": 60}))
    assert (interval_result.low, interval_result.high) == pytest.approx((0.3, 0.3))
    assert (interval_result.lower, interval_result.upper) == pytest.approx(
        (point.lower[0], point.upper[0])
    )
    assert (interval_result.outer_lower, interval_result.outer_upper) == pytest.approx(
        (interval_result.lower, interval_result.upper)
    )


def coverage(p, q, pi, towards, n=600):
    """Sum exactly how often the share, and the whole set, is held, vague reports resolved alike."""
    r = 1 - p - q
    chance = pi * p + (1 - pi) * q + r * towards
    ends = [min(max(index, 0), 1) for index in ((chance - q - r) / (p - q), (chance - q) / (p - q))]
    share = entire = 0.0
    for yes in range(n + 1):
        weight = binom.pmf(yes, n, chance)
        if weight > 1e-12:
            interval_result = interval(p, q, yes, n)
            share += weight * (interval_result.lower - 1e-9 <= pi <= interval_result.upper + 1e-9)
            entire += weight * (
                interval_result.outer_lower - 1e-9 <= ends[0]
                and ends[1] <= interval_result.outer_upper + 1e-9
            )
    return share, entire


@pytest.mark.long
@pytest.mark.parametrize(("p", "q"), [(0.6, 0.1), (0.7, 0.25), (0.75, 0.245), (0.8, 0.0)])
@pytest.mark.parametrize("towards", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("pi", [0.0, 0.3, 0.5])
def test_the_intervals_hold_at_their_level(p, q, pi, towards):
    share, entire = coverage(p, q, pi, towards)
    assert share >= 0.935
    assert entire >= 0.935


@pytest.mark.long
def test_a_narrow_set_is_held_no_more_often_than_promised():
    share, _ = coverage(0.75, 0.249, 0.3, 0.5)
    assert share <= 0.965
    wide, _ = coverage(0.6, 0.1, 0.3, 0.0)  # the share is at an end of a wide set
    assert wide <= 0.965


def test_lies_that_prevail_are_read_the_other_way():
    straight, crossed = interval(0.6, 0.1, 130, 300), interval(0.1, 0.6, 170, 300)
    for name in ("low", "high", "lower", "upper", "outer_lower", "outer_upper"):
        assert getattr(crossed, name) == pytest.approx(getattr(straight, name), abs=1e-12)


def test_no_reports_leave_everything_open():
    interval_result = interval(0.6, 0.1, 0, 0)
    assert (
        interval_result.low,
        interval_result.high,
        interval_result.lower,
        interval_result.upper,
    ) == (0, 1, 0, 1)


def test_what_it_cannot_be_asked():
    with pytest.raises(InputError, match="vague"):
        walley_interval(Tally(Abstain(truth=0.6, lie=0.1).channel(YES_NO), {"don't know": 3}))
    three = Abstain(truth=0.6, lie=0.1).channel(Frame(["a", "b", "c"]))
    with pytest.raises(InputError, match="two answers"):
        walley_interval(Tally(three, {}))
    with pytest.raises(NotIdentified):
        interval(0.3, 0.3, 5, 10)
    with pytest.raises(InputError, match="level"):
        interval(0.6, 0.1, 5, 10, 1.0)


def test_the_set_is_drawn_with_its_interval():
    ax = interval(0.6, 0.1, 50, 100).plot()
    assert ax.get_xlim() == (0, 1)
    assert np.isclose(ax.patches[0].get_width(), 0.6)


def test_the_interval_is_written_whole():
    interval_result = interval(0.6, 0.1, 50, 100)
    document = interval_result.to_dict()
    assert (document["label"], document["reports"], document["level"]) == ("yes", 100, 0.95)
    assert (
        document["outer_lower"]
        < document["lower"]
        < document["low"]
        < document["high"]
        < document["upper"]
    )
    assert interval_result._repr_html_().count("<tr>") == 4
