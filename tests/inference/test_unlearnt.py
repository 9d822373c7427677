"""The estimate of a number says where the design left it open."""

import pytest

from askance.channels import RangeChannel, RingChannel
from askance.inference import Convergence, estimate_line
from askance_collect.exact import Floor, Line


def test_the_estimate_says_where_nothing_is_learnt():
    channel = RangeChannel(Line(0, 6, 1), [0, 1, 1, 0, 0])
    estimate = estimate_line(
        channel, channel.ranges([[0, 2], [2, 6], [0, 3], [3, 6]], [9, 9, 9, 9])
    )
    assert estimate.convergence is Convergence.PARTLY_IDENTIFIED
    assert estimate.unresolved == ((0.0, 2.0), (3.0, 6.0))
    assert "nothing is learnt inside (0, 2], (3, 6]" in repr(estimate)
    assert estimate.to_dict()["unlearnt"] == [[0.0, 2.0], [3.0, 6.0]]


def test_where_every_step_is_told_apart_nothing_is_said():
    channel = RangeChannel(Line(0, 3, 1), [1, 1])
    estimate = estimate_line(
        channel, channel.ranges([[0, 1], [1, 3], [0, 2], [2, 3]], [9, 9, 9, 9])
    )
    assert estimate.unresolved == ()
    assert "nothing is learnt" not in repr(estimate)


@pytest.mark.long
def test_the_estimate_from_rings_says_that_the_tails_stay_open():
    ring = RingChannel(Line(0, 4, 1), [1, 1, 1], Floor([1] * 4, 1))
    estimate = estimate_line(ring, ring.ranges([[1, 2], [2, 1], [2, 3], [3, 2]], [30, 70, 20, 80]))
    assert estimate.convergence is Convergence.PARTLY_IDENTIFIED
    assert estimate.unresolved == ()
