"""A floor counts sizes exactly, on a line and around a ring, and takes only whole ones."""

import pytest

from askance_collect.errors import InputError
from askance_collect.exact import Floor

FLOOR = Floor([1, 2, 0, 4], 3)


@pytest.mark.parametrize(
    ("ends", "size"),
    [((0, 4), 7), ((2, 2), 0), ((2, 3), 0), ((1, 4), 6), ((3, 1), 5), ((4, 0), 0), ((4, 3), 3)],
)
def test_the_outside_of_a_ring_is_what_its_inside_leaves(ends, size):
    assert FLOOR.size(*ends) == size
    assert FLOOR.keeps(*ends) == (size >= 3)


def test_a_cut_must_leave_enough_on_both_sides():
    assert [FLOOR.divides(0, tick, 4) for tick in range(5)] == [False, False, True, True, False]
    assert FLOOR.total == 7


@pytest.mark.parametrize(
    "sizes", [[], [0, 0], [3, -1], [1, 1.0], [1, True], [1, "1"], [1 << 48, 1]]
)
def test_sizes_are_whole_and_someone_is_there(sizes):
    with pytest.raises(InputError, match=r"^floor\.sizes: allowed: whole, non-negative sizes"):
        Floor(sizes, 1)


@pytest.mark.parametrize("least", [0, -1, 4, 1.0, True, "1", None])
def test_what_a_range_must_keep_lies_within_the_sum(least):
    with pytest.raises(InputError, match=r"^floor\.least: .*from 1 to the sum, 3"):
        Floor([1, 2], least)


def test_the_ends_of_what_is_allowed():
    assert Floor([1, 2], 3).keeps(0, 2)
    assert Floor([1 << 48], 1 << 48).total == 1 << 48
