"""Pairs of ticks against a list of all of them."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance_collect.errors import InputError
from askance_collect.exact import Floor, PairLaw

few = st.integers(0, 3)


@st.composite
def laws(draw):
    """Weights, sizes and a least size on a short line, whether or not some pair is eligible."""
    ticks = draw(st.integers(2, 6))
    weights = draw(st.lists(few, min_size=ticks - 1, max_size=ticks - 1))
    sizes = draw(st.lists(few, min_size=ticks, max_size=ticks).filter(any))
    return weights, Floor(sizes, draw(st.integers(1, sum(sizes))))


@given(laws())
def test_the_law_is_that_of_all_pairs_that_leave_enough_on_both_sides(law):
    weights, floor = law
    pairs = list(itertools.combinations(range(1, len(floor.sizes)), 2))
    units = {}
    for low, high in pairs:
        inside = sum(floor.sizes[low:high])
        enough = floor.least <= inside <= sum(floor.sizes) - floor.least
        units[low, high] = weights[low - 1] * weights[high - 1] * enough
    listed = [pair for pair in pairs for _ in range(units[pair])]
    if not listed:
        with pytest.raises(InputError, match=r"^ring: got 'no pair of ticks"):
            PairLaw(weights, floor)
        return
    read = PairLaw(weights, floor)
    assert read.total == len(listed)
    assert [read.at(position) for position in range(read.total)] == listed
    assert {pair: read.weight(*pair) for pair in pairs} == units
    assert [a for a, *_ in read.rows()] == sorted({a for a, _ in listed})
    with pytest.raises(InputError, match=r"^position: .*less than"):
        read.at(read.total)


@pytest.mark.parametrize("weights", [[1], [1, 1, 1], [1, -1], [1, True], [1, 1.0], [1 << 48, 1]])
def test_a_weight_for_each_inner_tick_is_a_whole_number(weights):
    with pytest.raises(InputError, match=r"^ring\.weights: allowed: 2 whole, non-negative"):
        PairLaw(weights, Floor([1, 1, 1], 1))


def test_all_pairs_together_take_one_draw():
    floor, half = Floor([1, 1, 1], 1), 1 << 24
    assert PairLaw([half, half], floor).total == 1 << 48
    with pytest.raises(InputError, match=r"^ring: .*at most 2\^48"):
        PairLaw([half, half + 1], floor)
