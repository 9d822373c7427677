"""Tables of integers: exact where they can be, and never possible where they were impossible."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from askance_collect.errors import InputError
from askance_collect.exact import Table, quantise_table, tabulate


@st.composite
def chances(draw, most=20):
    width = draw(st.integers(1, 5))
    rows = draw(
        st.lists(st.lists(st.integers(0, most), min_size=width, max_size=width), min_size=1)
    )
    return [[Fraction(entry, sum(row)) for entry in row] for row in rows if sum(row)] or [
        [Fraction(1)]
    ]


@given(chances() | chances(most=10**40))
def test_fractions_are_kept_exactly_however_large_their_denominators(rows):
    table = tabulate(rows)
    assert [list(table.row(index)) for index in range(len(rows))] == rows
    assert all(table.chance(0, index) == table.row(0)[index] for index in range(len(rows[0])))
    assert table.total == math.lcm(*(item.denominator for row in rows for item in row))


_HALF_UNIT = Fraction(1, 2**49 + 1)


@example(
    [
        [0 * _HALF_UNIT, 0 * _HALF_UNIT, 0 * _HALF_UNIT, 1 + 0 * _HALF_UNIT],
        [0 * _HALF_UNIT, _HALF_UNIT, 1 - 2 * _HALF_UNIT, _HALF_UNIT],
    ]
)
@given(chances(most=10**18))
def test_rounding_keeps_what_is_possible_and_what_is_not(rows):
    """Where the column that takes what is over has no room, a little more is given up first."""
    table = quantise_table(tabulate(rows), lambda _: True)
    assert table.total == 2**48
    for row, entries in zip(rows, table.rows, strict=True):
        assert sum(entries) == table.total
        assert [entry > 0 for entry in entries] == [chance > 0 for chance in row]
        assert all(
            abs(Fraction(entry, table.total) - chance) < Fraction(2 * len(row) ** 2, table.total)
            for entry, chance in zip(entries, row, strict=True)
        )


@given(chances(most=10**18), st.integers(0, 12))
def test_what_is_given_up_grows_until_the_promise_is_kept(rows, tries):
    """A promise that is only kept by the last of so many tries is kept by that one."""
    observed = []

    def last(table):
        observed.append(table)
        return len(observed) > tries

    result = quantise_table(tabulate(rows), last)
    assert result == observed[tries]
    assert [[entry > 0 for entry in row] for row in result.rows] == [
        [chance > 0 for chance in row] for row in rows
    ]


def test_a_promise_that_no_whole_parts_keep_is_told():
    assert quantise_table(tabulate([[Fraction(1, 3), Fraction(2, 3)]]), lambda _: False) is None


def test_rounding_never_turns_the_order_of_a_column():
    """Chances in one unit become one whole part, though one is rounded down and the other up."""
    low, high = Fraction("0.1404"), Fraction("0.1406")
    rows = [[high, low, 1 - high - low], [low, high, 1 - high - low]]
    result = quantise_table(tabulate(rows), lambda _: True, 1000).rows
    assert result == ((140, 140, 720), (140, 140, 720))


def test_a_rare_silence_does_not_make_room_for_the_rest():
    rare = Fraction(1, 10**17)
    truth, lie = (1 - rare) * 2 / 3, (1 - rare) / 3
    rows = [[truth, lie, rare], [lie, truth, rare]]
    first, second = quantise_table(tabulate(rows), lambda _: True).rows
    assert first[2] == second[2] == 1
    assert first[:2] == second[1::-1]


def test_answers_that_were_treated_alike_stay_so():
    truth = Fraction(1, 2) + Fraction(1, 10**20)
    lie = (1 - truth) / 3
    table = tabulate([[truth if x == y else lie for y in range(4)] for x in range(4)])
    rows = quantise_table(table, lambda _: True).rows
    assert len({rows[x][x] for x in range(4)}) == 1
    assert len({rows[x][y] for x in range(4) for y in range(4) if x != y}) == 1


@pytest.mark.parametrize("chance", ["1/2", float("nan"), float("inf")])
def test_what_is_no_fraction_is_told(chance):
    with pytest.raises(InputError, match=rf"rows\[1\]: got '?{chance}"):
        tabulate([[Fraction(1)], [chance]])


@pytest.mark.parametrize("rows", [[[Fraction(1, 2)]], [[Fraction(3, 2), Fraction(-1, 2)]]])
def test_chances_that_are_none_are_refused(rows):
    with pytest.raises(InputError, match=r"rows\[0\].*chances that sum to one"):
        tabulate(rows)


@pytest.mark.parametrize(
    ("total", "rows", "where"),
    [
        (0, ((0,),), "table"),
        (1, (), "table"),
        (1, ((),), "table"),
        (2, ((1, 1), (2,)), r"table.rows\[1\]"),
        (2, ((3, -1),), r"table.rows\[0\]"),
        (2, ((1, 2),), r"table.rows\[0\]"),
    ],
)
def test_a_table_that_is_none_is_refused(total, rows, where):
    with pytest.raises(InputError, match=where):
        Table(total, rows)


def test_whole_numbers_of_numpy_become_plain_ones():
    rows = np.array([[2**62, 2**62, 2**62], [3 * 2**61, 0, 3 * 2**61]])
    table = Table(3 * 2**62, rows.tolist())
    same = Table(3 * 2**62, [list(row) for row in rows])
    few = Table(np.int64(3), [[np.int8(1), np.int64(2)]])
    assert same == table
    assert {type(entry) for row in (*same.rows, *few.rows, (few.total,)) for entry in row} == {int}
    with pytest.raises(InputError, match=rf"got 'sum {3 * 2**62}'"):
        Table(2**62, [list(row) for row in rows])
