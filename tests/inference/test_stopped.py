"""The law of ranges of people who stop, against mixtures of known laws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance import Line, RangeChannel
from askance.channels import RingChannel
from askance.inference.line.cells import stopped_law
from askance_collect.errors import InputError
from askance_collect.exact import Floor

LINE = Line(0, 7, 1)
CHANNELS = [
    RangeChannel(LINE, [1, 2, 3, 3, 2, 1], 3),
    RangeChannel(LINE, [1, 2, 3, 3, 2, 1], 3, floor=Floor([1] * 7, 2)),
    RangeChannel(LINE, [1, 2, 3, 3, 2, 1], 3, open=[(2, 4)]),
]


@given(
    st.sampled_from(CHANNELS),
    st.lists(st.integers(1, 5), min_size=3, max_size=3),
    st.lists(st.integers(1, 5), min_size=7, max_size=7),
)
@settings(max_examples=25, deadline=None)
def test_the_mixture_of_stops_is_found_whatever_the_answers(channel, stops, sizes):
    stopped, shares = np.array(stops) / sum(stops), np.array(sizes) / sum(sizes)
    ends = channel.cells()[0]
    ends = ends[~np.all(ends == (0, 7), axis=1)]
    law = np.zeros(len(ends))
    for steps, share in enumerate(stopped, start=1):
        range_channel = RangeChannel(
            LINE, channel.cut_weights, steps, floor=channel.floor, open=channel.open
        )
        expected = {
            tuple(end): chance
            for end, chance in zip(*map(list, range_channel.cells()), strict=True)
        }
        result = 1 - float(expected.get((0, 7), 0))
        law += share * np.array([expected.get(tuple(end), 0) for end in ends]) / result
    found_ends, outcome = stopped_law(
        channel, ends, 1000 * law * channel.range_probabilities(ends, shares)
    )
    assert found_ends.tolist() == ends.tolist()
    exact = np.array(
        [any(a <= low < b and high == low + 1 for a, b in channel.open) for low, high in ends]
    )
    assert outcome[~exact] == pytest.approx(law[~exact], abs=0.01)
    assert np.all(outcome[exact] == 1)


def test_laws_without_steps_are_refused():
    with pytest.raises(InputError, match="in turn"):
        stopped_law(RingChannel(LINE, [1] * 6, Floor([1] * 7, 2)), np.array([[1, 3]]), np.ones(1))
