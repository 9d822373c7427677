"""Many numbers as ranges at once: by the same law as one at a time, in order, and all of them."""

import json
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance import Cuts, Line, Progressive, RangeChannel, Ranges, Ring, privatise
from askance.channels.bulk_draws import inverse_table
from askance.mechanisms import Selective
from askance_collect.errors import InputError

LINE = Line(0, 6, 1)
RECIPES = {
    "cuts": Cuts(number=3, law=[1, 0, 2, 1, 3]),
    "open": Cuts(number=2, open=[(1, 3)]),
    "ring": Ring(floor="1/4", law=[1, 2, 0, 2, 1], sizes=[1, 2, 1, 1, 2, 1]),
    "selective": Selective(floor="1/3", send_chance="1/2", number=2, open=[(5, 6)]),
    "progressive": Progressive(number=3, floor="1/4", law=[1, 2, 1, 2, 1]),
}


def rows(ranges):
    """Write each range as its pieces."""
    ends = list(zip(ranges.lower.tolist(), ranges.upper.tolist(), strict=True))
    return [tuple(ends[a:b]) for a, b in zip(ranges.starts, ranges.starts[1:], strict=False)]


@pytest.mark.long
@pytest.mark.parametrize("name", RECIPES)
def test_ranges_come_by_the_law_of_the_channel(name):
    """Deviations beyond the bound of Hoeffding have a chance of 1e-9 for each range."""
    channel, n = RECIPES[name].channel(LINE), 40_000
    listed, chances = channel.cells()
    bound = math.sqrt(math.log(2e9) / (2 * n))
    for step in range(LINE.ticks):
        counts = Counter(
            rows(privatise(channel, np.full(n, step + 0.5), rng=17 + step, name="said"))
        )
        expected = Counter()  # cells that differ by open steps alone mean the same
        for cell, chance in zip(listed, chances, strict=True):
            (written,) = rows(channel.ranges([cell]))
            expected[written] += chance * any(low < step + 0.5 <= high for low, high in written)
        assert counts.keys() <= expected.keys()
        assert all(abs(counts[key] / n - chance) < bound for key, chance in expected.items())


@pytest.mark.parametrize("name", ["cuts", "open", "ring", "progressive"])
def test_every_range_holds_its_own_number(name):
    channel = RECIPES[name].channel(LINE)
    numbers = np.random.default_rng(3).uniform(-1, 7, 70_000)
    reports = privatise(channel, numbers, rng=4, name="said")
    assert len(reports) == len(numbers)
    row = np.repeat(np.arange(len(reports)), np.diff(reports.starts))
    inside = (reports.lower < numbers[row]) & (numbers[row] <= reports.upper)
    assert (np.bincount(row[inside], minlength=len(reports)) == 1).all()


def test_what_is_withheld_is_left_out():
    channel = Selective(floor="1/2", send_chance=1).channel(Line(0, 4, 1))
    assert len(privatise(channel, np.full(3_000, 0.5), rng=5, name="said")) < 3_000
    assert len(privatise(channel, np.full(3_000, 1.5), rng=5, name="said")) == 3_000


def assert_steps(line, numbers, expected):
    """Ask by channels that send each step exactly, one all but the lowest, one all but the last."""
    ends = np.array([float(line.value_at(tick)) for tick in range(line.ticks + 1)])
    ends[[0, -1]] = -np.inf, np.inf
    expected = np.array(expected)
    for opened in ((1, line.ticks), (0, line.ticks - 1)):
        channel = RangeChannel(line, [1] * (line.ticks - 1), open=[opened])
        reports = privatise(channel, numbers, rng=1, name="said")
        is_shown = (opened[0] <= expected) & (expected < opened[1])
        assert (reports.lower[is_shown] == ends[expected[is_shown]]).all()
        assert (reports.upper[is_shown] == ends[expected[is_shown] + 1]).all()


@pytest.mark.long
@given(
    st.integers(-20, 20),
    st.sampled_from(["1", "0.1", "0.3", "2.5", "1/3"]),
    st.integers(2, 300),
    st.data(),
)
@settings(max_examples=60)
def test_a_number_on_a_tick_is_in_the_step_below(lower, step, ticks, data):
    from fractions import Fraction

    line = Line(lower, lower + Fraction(step) * ticks, step)
    drawn_value = data.draw(st.lists(st.integers(0, ticks), min_size=1, max_size=20))
    numbers = np.array([float(line.value_at(tick)) for tick in drawn_value])
    assert_steps(line, numbers, [max(tick - 1, 0) for tick in drawn_value])
    above = np.nextafter(numbers, np.inf)
    assert_steps(line, above, [min(tick, ticks - 1) for tick in drawn_value])


def test_there_is_no_limit_beyond_the_ends():
    assert_steps(LINE, [-np.inf, -1e300, 0.0, 6.0, 1e300, np.inf], [0, 0, 0, 5, 5, 5])
    assert_steps(Line(0, 2, 1), [-np.inf, 1, 1.1], [0, 0, 1])
    with pytest.raises(AssertionError):
        assert_steps(LINE, [2.5], [3])


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40).filter(any), st.data())
@settings(max_examples=60)
def test_the_table_finds_what_a_search_finds(weights, data):
    u = np.array(data.draw(st.lists(st.floats(0, 1, exclude_max=True), min_size=1, max_size=20)))
    upto = np.cumsum(weights) / sum(weights)
    assert (inverse_table(weights)(u) == np.searchsorted(upto, u, side="right")).all()


def test_equal_dice_send_equal_ranges():
    channel = RECIPES["ring"].channel(LINE)
    item, other = (privatise(channel, [1, 2, 3, 4], rng=9, name="said") for _ in range(2))
    assert isinstance(item, Ranges)
    assert json.dumps(rows(item)) == json.dumps(rows(other))


@pytest.mark.parametrize(
    "numbers", [[], [np.nan], [1, None], [[1, 2]], 3.0, ["a"], [1 + 2j]], ids=str
)
def test_what_is_no_list_of_numbers_is_refused(numbers):
    with pytest.raises(InputError, match="privatise"):
        privatise(RECIPES["cuts"].channel(LINE), numbers)
