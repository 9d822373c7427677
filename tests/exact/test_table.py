"""Tables of integers: exact where they can be, and never possible where they were impossible."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.errors import InputError
from askance.exact.table import LARGEST_TOTAL, Table, tabulate


@st.composite
def chances(draw, most=20):
    width = draw(st.integers(1, 5))
    rows = draw(
        st.lists(st.lists(st.integers(0, most), min_size=width, max_size=width), min_size=1)
    )
    return [[Fraction(entry, sum(row)) for entry in row] for row in rows if sum(row)] or [
        [Fraction(1)]
    ]


@given(chances())
def test_small_denominators_are_kept_exactly(rows):
    table = tabulate(rows)
    if table.total != 1 << 40:
        assert [list(table.row(at)) for at in range(len(rows))] == rows
    assert all(table.chance(0, at) == table.row(0)[at] for at in range(len(rows[0])))


@given(chances(most=10**18))
def test_rounding_keeps_what_is_possible_and_what_is_not(rows):
    table = tabulate(rows)
    assert table.total <= LARGEST_TOTAL
    for row, entries in zip(rows, table.rows, strict=True):
        assert sum(entries) == table.total
        assert [entry > 0 for entry in entries] == [chance > 0 for chance in row]
        assert all(
            abs(Fraction(entry, table.total) - chance) <= Fraction(len(row), table.total)
            for entry, chance in zip(entries, row, strict=True)
        )


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
