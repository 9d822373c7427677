"""The law of the cuts against enumeration of every draw."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from askance import Line, RangeChannel, Ranges, fit_family, npmle
from askance.inference import cdf_intervals, censored_regression, kolmogorov_test
from askance_collect.errors import InputError

WEIGHTS = st.lists(st.integers(0, 5), min_size=1, max_size=5).filter(any)


def enumerated(channel: RangeChannel, step: int) -> dict[tuple[int, int], Fraction]:
    """Chance of each report of an answer in one step, draw by draw."""
    law: Counter[tuple[int, int]] = Counter()
    weights, n = channel.cut_weights, channel.line.ticks
    for cuts in product(range(1, n), repeat=channel.number):
        chance = Fraction(1)
        for tick in cuts:
            chance *= Fraction(weights[tick - 1], sum(weights))
        for low, high in pairwise([0, *sorted(set(cuts)), n]):
            if low <= step < high:
                law[low, high] += chance
    return {cell: chance for cell, chance in law.items() if chance}


@given(WEIGHTS, st.integers(1, 3))
def test_cell_chances_are_those_of_every_draw(weights, number):
    channel = RangeChannel(Line(0, len(weights) + 1, 1), weights, number)
    listed = {tuple(ends): chance for ends, chance in zip(*channel.cells(), strict=True)}
    distinct = set()
    for step in range(channel.line.ticks):
        law = enumerated(channel, step)
        assert sum(law.values()) == 1
        for cell, chance in law.items():
            assert channel.cell_chance(*cell) == chance
            assert listed[cell] == pytest.approx(float(chance), abs=1e-12)
        distinct |= set(law)
    assert distinct == set(listed)


@pytest.mark.parametrize(
    ("lower", "upper", "step"), [(0, 1, 1), (5, 1, 1), (0, 10, 0), (0, 10, 3), (0, 10, -1)]
)
def test_a_line_needs_whole_steps(lower, upper, step):
    with pytest.raises(InputError, match="Line"):
        Line(lower, upper, step)


@pytest.mark.parametrize("bound", [float("nan"), float("inf"), "ten", None, True])
def test_a_line_needs_numbers(bound):
    with pytest.raises(InputError, match=r"Line\.upper"):
        Line(0, bound)


def test_an_answer_on_a_tick_belongs_to_the_step_below():
    line = Line("0.5", "2.5", "0.5")
    assert [line.cell(number) for number in ("0.2", 0.5, 1, "1.0001", 2.5, 99)] == [
        0,
        0,
        0,
        1,
        3,
        3,
    ]


@pytest.mark.parametrize("weights", [[], [1], [0, 0, 0], [1, -1, 1]])
def test_the_law_of_a_cut_is_a_law(weights):
    with pytest.raises(InputError, match="weights"):
        RangeChannel(Line(0, 4, 1), weights)


def test_cells_outside_the_line_are_refused():
    with pytest.raises(InputError, match="cell"):
        RangeChannel(Line(0, 4, 1), [1, 1, 1]).cell_chance(3, 3)


@pytest.mark.parametrize(
    ("lower", "upper", "weights"),
    [
        ([1.0], [1.0], None),
        ([2.0], [1.0], None),
        ([float("nan")], [1.0], None),
        ([0.0], [1.0], [-1]),
        ([0.0], [1.0], [float("inf")]),
        ([0.0, 1.0], [1.0], None),
    ],
)
def test_ranges_are_ranges(lower, upper, weights):
    with pytest.raises(InputError, match="Ranges"):
        Ranges(lower, upper, weights)


def test_ranges_hold_infinite_ends_and_cannot_be_written_to():
    ranges = Ranges([-np.inf, 3], [3, np.inf], [2, 5])
    assert (len(ranges), ranges.total) == (2, 7)
    with pytest.raises(ValueError, match="read-only"):
        ranges.lower[0] = 1


ENDS = st.integers(-4, 9).map(float)


@given(st.lists(st.tuples(ENDS, ENDS, st.booleans(), st.booleans()), min_size=1, max_size=5))
def test_conventions_say_which_numbers_are_inside(drawn):
    line = np.arange(-10, 24) / 2
    for name, low_inside, high_inside in (
        ("right", False, True),
        ("left", True, False),
        ("both", True, True),
        ("neither", False, False),
        ("survival", False, True),
    ):
        for item, two, open_low, open_high in drawn:
            low, high = (
                -np.inf if open_low else min(item, two),
                np.inf if open_high else max(item, two),
            )
            inside = (line > low) & (line < high)
            inside |= (line == low) & (low_inside or (low == high and name == "survival"))
            inside |= (line == high) & (high_inside or (low == high and name == "survival"))
            if low == high and name in ("right", "left", "neither"):
                with pytest.raises(InputError, match="Ranges"):
                    Ranges([low], [high], closed=name)
                continue
            ranges = Ranges([low], [high], closed=name)
            assert (
                (line > ranges.lower[0]) & (line <= ranges.upper[0])
            ).tolist() == inside.tolist()


@given(st.lists(st.lists(st.tuples(ENDS, ENDS), min_size=1, max_size=5), min_size=1, max_size=6))
def test_unions_are_sets_whatever_the_order_and_overlap(rows):
    rows = [[(min(piece), max(piece) + 1) for piece in row] for row in rows]
    line = np.arange(-12, 26) / 2
    unions_result = Ranges.unions(rows)
    assert len(unions_result) == len(rows)
    for index, row in enumerate(rows):
        item = unions_result[index]
        flag = ((line[:, None] > item.lower) & (line[:, None] <= item.upper)).any(axis=1)
        meant = [any(low < x <= high for low, high in row) for x in line]
        assert flag.tolist() == meant
        assert np.all(item.upper[:-1] < item.lower[1:])
    back = unions_result[::-1][::-1]
    assert (back.lower.tolist(), back.starts.tolist()) == (
        unions_result.lower.tolist(),
        unions_result.starts.tolist(),
    )


def test_ranges_index_like_an_array():
    ranges = Ranges([0, 1, 2], [5, 6, np.inf], counts=[1, 2, 3])
    assert ranges[ranges.upper < 9].total == 3
    assert ranges[[2, 0]].lower.tolist() == [2, 0]
    assert ranges[-1].weights.tolist() == [3]
    assert [item.total for item in ranges] == [1, 2, 3]
    with pytest.raises(IndexError):
        ranges[3]


def test_columns_of_data_frames_are_taken_as_they_are():
    table = pd.DataFrame({"from": [1, 2], "to": [3.0, np.inf], "often": [4, 5]})
    split = Ranges(table["from"], table["to"], table["often"])
    assert (split.upper.tolist(), split.total) == ([3, np.inf], 9)
    assert Ranges(table[["from", "to"]]).lower.tolist() == [1, 2]
    missing = pd.Series([1, None], dtype="Int64")
    with pytest.raises(InputError, match="Ranges"):
        Ranges(missing, [3, 4])


BINS = [-np.inf, 30, 40, 50, np.inf]


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize(
    "as_data",
    [
        lambda cut: cut,
        lambda cut: pd.Series(cut, index=[9, 7, 5, 3]),
        pd.CategoricalIndex,
        lambda cut: cut.astype(object),
        lambda cut: pd.Series(cut.astype(object)),
        list,
        pd.IntervalIndex,
        lambda cut: pd.arrays.IntervalArray(pd.IntervalIndex(cut)),
        lambda cut: pd.Series(pd.IntervalIndex(cut)),
    ],
)
def test_binned_columns_are_ranges_with_the_ends_that_their_bins_hold(as_data, right):
    numbers = [30.0, 31, 45, 62]
    ranges = Ranges(as_data(pd.cut(numbers, BINS, right=right)))
    closed = "right" if right else "left"
    lower = [-np.inf, 30, 40, 50] if right else [30, 30, 40, 50]
    upper = [30, 40, 50, np.inf] if right else [40, 40, 50, np.inf]
    wanted = Ranges(lower, upper, closed=closed)
    assert ranges.lower.tolist() == wanted.lower.tolist()
    assert ranges.upper.tolist() == wanted.upper.tolist()
    assert all(
        low < y <= high for low, y, high in zip(ranges.lower, numbers, ranges.upper, strict=True)
    )
    assert npmle(as_data(pd.cut(numbers, BINS, right=right))).n == 4


def test_intervals_that_cannot_be_are_refused():
    with pytest.raises(InputError, match=r"Ranges\[1\]"):
        Ranges(pd.cut([1, 99], [0, 5, 10]))
    with pytest.raises(InputError, match="left, of intervals closed right"):
        Ranges(pd.cut([1, 2], [0, 5, 10]), closed="left")
    with pytest.raises(InputError, match="closed left and right"):
        Ranges([pd.Interval(0, 1), pd.Interval(1, 2, closed="left")])
    with pytest.raises(InputError, match="dates as numbers"):
        Ranges(pd.IntervalIndex.from_breaks(pd.date_range("2020", periods=3)))


@pytest.mark.parametrize(
    "data",
    [
        np.array([[0.0, 1], [1, 3], [3, 5]]),
        [[0, 1], [1, 3], [3, 5]],
        [(0, 1), (1, 3), (3, 5)],
        pd.DataFrame({"from": [0, 1, 3], "to": [1, 3, 5]}),
        pl.DataFrame({"from": [0, 1, 3], "to": [1, 3, 5]}),
        pd.cut([0.5, 2, 4], [0, 1, 3, 5]),
    ],
)
@pytest.mark.long
def test_what_takes_ranges_takes_data_as_people_have_them(data):
    assert (npmle(data).lower.tolist(), npmle(data).upper.tolist()) == ([0, 1, 3], [1, 3, 5])
    assert fit_family(data, norm).n == 3
    assert censored_regression(data).n == censored_regression(ranges=data).n == 3
    assert cdf_intervals(data, [1]).n == 3
    assert kolmogorov_test({"a": data, "b": Ranges(data)}, permutations=9, rng=1).p_value == 1


@pytest.mark.parametrize("data", [np.ones((2, 3)), [1, 2], pd.Series([1.0, 2]), "ab", {1: 2}, []])
def test_other_data_are_still_refused_by_name(data):
    with pytest.raises(InputError, match=r"npmle\.ranges: got"):
        npmle(data)


def test_columns_of_other_rows_are_refused():
    binned = pd.cut(pd.Series([1, 2, 3, 4, 5.0], index=[5, 4, 3, 2, 1]), [0, 2.5, 3.5, 9])
    with pytest.raises(InputError, match="another index"):
        censored_regression(binned, pd.Series([1, 2, 3, 4, 6.0]))


def test_ends_are_written_as_they_were_given():
    assert repr(Ranges([14], [20], closed="left")) == "Ranges([14, 20))"
    assert repr(Ranges([0, 16], [20, 16], closed="both")) == "Ranges([0, 20], {16})"
    assert repr(Ranges([0.1 + 0.2], [1 / 3])) == "Ranges((0.3, 0.333333])"
    assert (
        repr(Ranges([-np.inf, 1], [1, np.inf], closed="neither")) == "Ranges((-inf, 1), (1, inf])"
    )
    assert "[16, 20]" in repr(npmle(Ranges([14, 16], [20, 30], closed="both")))


def test_missing_ends_are_no_ends_in_the_survival_convention():
    ranges = Ranges([np.nan, 2, 3], [1, np.nan, 3], closed="survival")
    assert repr(ranges) == "Ranges((-inf, 1], (2, inf], {3})"
    with pytest.raises(InputError, match="Ranges"):
        Ranges([np.nan, 1], [np.nan, 2], closed="survival", pieces=[2])


@pytest.mark.parametrize("closed", ["right", "left", "both", "neither", "survival"])
def test_a_row_without_both_ends_is_a_blank_in_its_place(closed):
    ranges = Ranges([0, np.nan, 2], [1, np.nan, 3], counts=[2, 3, 4], closed=closed)
    assert len(ranges) == 3
    assert ranges.weights.tolist() == [2, 0, 4]
    assert (ranges.lower[1], ranges.upper[1]) == (-np.inf, np.inf)
    if closed != "survival":
        with pytest.raises(InputError, match=r"ends nan and 1\.0"):
            Ranges([np.nan], [1], closed=closed)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Ranges([[1, 2, 3]]),
        lambda: Ranges([1, 2]),
        lambda: Ranges(["a"], ["b"]),
        lambda: Ranges([1], [2], closed="open"),
        lambda: Ranges([1], [2], [[1]]),
        lambda: Ranges([1, 3], [2, 4], pieces=[2, 0]),
        lambda: Ranges([1, 3], [2, 4], pieces=[1]),
        lambda: Ranges([1, 3], [2, 4], pieces=[0.5, 1.5]),
        lambda: Ranges.unions([[(1, 2)], []]),
        lambda: Ranges.unions([[(1, 2, 3)]]),
        lambda: Ranges([np.inf], [np.inf], closed="survival"),
        lambda: Ranges([5], [3], closed="both"),
    ],
)
def test_what_is_no_range_is_refused(wrong):
    with pytest.raises(InputError, match="Ranges"):
        wrong()
