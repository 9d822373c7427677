"""The law of the cuts against enumeration of every draw."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance import InputError, Line, RangeChannel, Ranges

WEIGHTS = st.lists(st.integers(0, 5), min_size=1, max_size=5).filter(any)


def enumerated(channel: RangeChannel, step: int) -> dict[tuple[int, int], Fraction]:
    """Chance of each report of an answer in one step, draw by draw."""
    law: Counter[tuple[int, int]] = Counter()
    weights, n = channel.weights, channel.line.ticks
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
    seen = set()
    for step in range(channel.line.ticks):
        law = enumerated(channel, step)
        assert sum(law.values()) == 1
        for cell, chance in law.items():
            assert channel.cell_chance(*cell) == chance
            assert listed[cell] == pytest.approx(float(chance), abs=1e-12)
        seen |= set(law)
    assert seen == set(listed)


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
