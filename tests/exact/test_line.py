"""A line holds every number, in the step whose upper end it does not pass."""

from fractions import Fraction

import pytest

from askance_collect.errors import InputError
from askance_collect.exact import Line

HALVES = Line("-1/2", 1, "1/2", "m")


@pytest.mark.parametrize(
    ("number", "cell"),
    [(-99, 0), ("-1/2", 0), (-0.49, 0), (0, 0), ("0.0001", 1), (0.5, 1), (0.6, 2), (1, 2), (99, 2)],
)
def test_steps_take_their_upper_end_and_the_outer_ones_what_lies_beyond(number, cell):
    assert HALVES.cell(number) == cell


def test_ticks_stand_where_they_are_said_to():
    assert [HALVES.value_at(tick) for tick in range(HALVES.ticks + 1)] == [
        *(Fraction(number, 2) for number in (-1, 0, 1, 2))
    ]
    assert Line(0, 2).ticks == 2


@pytest.mark.parametrize("ends", [(0, 1), (0, 0), (2, 0), (0, "5/2")])
def test_a_line_has_two_whole_steps_or_more(ends):
    with pytest.raises(InputError, match=r"^Line: .*at least two whole steps"):
        Line(*ends)


@pytest.mark.parametrize("step", [0, -1])
def test_a_step_leads_upwards(step):
    with pytest.raises(InputError, match=r"^Line\.step: got .*allowed: a number in \(0, ∞\)"):
        Line(0, 4 * step, step)
