"""What cuts can tell apart: against the ranks of the chances of all cells."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.channels import RangeChannel, identified_range
from askance_collect.errors import InputError
from askance_collect.exact import Line


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 2), min_size=1, max_size=7).filter(any),
    st.integers(1, 3),
    st.integers(-5, 5),
)
def test_exactly_the_shares_up_to_possible_cuts_are_determined(weights, number, start):
    ticks = len(weights) + 1
    channel = RangeChannel(Line(start, start + ticks, 1), weights, number)
    cells, chances = channel.cells()
    steps = np.arange(ticks)
    holds = (cells[:, :1] <= steps) & (steps < cells[:, 1:])
    seen_T = (holds * chances[:, None]).T  # steps × reports
    result = identified_range(channel)
    for tick in range(1, ticks):
        below = (steps < tick).astype(float)
        rest = below - seen_T @ np.linalg.lstsq(seen_T, below, rcond=None)[0]
        assert (np.abs(rest).max() < 1e-9) == (start + tick in result.cuts)
    assert result.complete == all(weights)
    assert sum(high - low for low, high in result.pieces) == ticks


def test_a_support_cuts_the_line():
    channel = RangeChannel(Line(0, 10, 1), [1, 1, 1, 0, 0, 0, 0, 0, 1])
    assert identified_range(channel, (0, 3)).complete
    assert identified_range(channel, (2, 8)).unresolved == ((3.0, 8.0),)
    nothing = identified_range(channel, (4, 8))
    assert nothing.cuts == ()
    assert nothing.pieces == ((4.0, 8.0),)
    assert "learnt at 0 points" in repr(nothing)
    assert nothing._repr_html_().startswith("<table>")
    assert nothing.to_dict()["complete"] is False


def test_a_support_beyond_the_line_is_refused():
    channel = RangeChannel(Line(0, 4, 1), [1, 1, 1])
    for support in ((-1, 3), (0, 5), (3, 3), (3, 1)):
        with pytest.raises(InputError, match="support"):
            identified_range(channel, support)
