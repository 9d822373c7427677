"""What several tests of judges compare with."""

from functools import partial

import pytest

from askance.privacy import TradeoffFunction


@pytest.fixture(scope="session")
def lowest():
    """Give the lowest convex curve above no point, found by wrapping."""
    return _lowest


def _lowest(points):
    """Wrap points from below, from the least α: always on to the one that falls fastest."""
    corners = [min(points)]
    while ahead := [point for point in points if point[0] > corners[-1][0]]:
        corners.append(min(ahead, key=partial(_fall, corners[-1])))
    return TradeoffFunction(corners)


def _fall(start, end):
    return (end[1] - start[1]) / (end[0] - start[0]), -end[0]
