"""Numbers from ranges that a floor keeps wide: ticks at which no cut can fall tell nothing."""

import pytest

import askance as ak
from askance.inference import estimate_line

LINE = ak.Line(0, 10, 1)


@pytest.mark.parametrize("number", [1, 3])
def test_a_floor_leaves_the_outer_ticks_unlearnt_and_the_others_as_they_are(number):
    floored = ak.RangeChannel(LINE, [1] * 9, number, floor=ak.exact.Floor([1] * 10, 3))
    cells, counts = [[0, 4], [4, 10], [0, 6], [6, 10]], [30, 70, 60, 40]
    estimate = estimate_line(floored, floored.ranges(cells, counts))
    assert estimate.lower <= estimate.mean_low < estimate.mean_high <= estimate.upper
    assert estimate.se > 0


def test_one_floored_cut_is_a_cut_between_the_outer_ticks():
    floored = ak.RangeChannel(LINE, [1] * 9, 1, floor=ak.exact.Floor([1] * 10, 3))
    between = ak.Cuts(number=1, between=(3, 7)).channel(LINE)
    cells, counts = [[0, 4], [4, 10], [0, 6], [6, 10]], [30, 70, 60, 40]
    item, other = (
        estimate_line(channel, channel.ranges(cells, counts)) for channel in (floored, between)
    )
    assert (item.mean_low, item.mean_high) == (other.mean_low, other.mean_high)
    assert item.se == pytest.approx(other.se)  # draws that do not cut bear on no report given
