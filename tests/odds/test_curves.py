"""Intervals from ranges of every kind cover near their level; halved and doubled ones do not."""

import pytest
from budget import alarm, judge, trials
from curves import (
    AT_LEAST,
    DOUBLED,
    DOUBLED_COVERS,
    HALVED,
    HALVED_COVERS,
    NULL,
    average,
    beyond,
    draws,
    shares,
    tail,
)

pytestmark = [pytest.mark.odds, pytest.mark.timeout(600)]

AVERAGES = {
    "curve, one cut, average": "one cut",
    "curve, two cuts, average": "two cuts",
    "curve, ring, average": "ring",
    "curve, progressive, average": "progressive",
    "curve, two cuts, coarse grid, average": "two cuts, coarse grid",
}
BOTH_TWINS = tuple(AVERAGES)[:2]
BEYOND = {"curve, one cut, people beyond": (1, 1.0), "curve, two cuts, people beyond": (2, 0.0)}
SOME_BEYOND = 0.65
"""What intervals cover at most that take F as it is most likely beyond all cuts."""

SHARES = {
    "curve, one cut, fine grid, F(0.5)": ("one cut, fine grid", lambda _: 0.5),
    "curve, two cuts, F(0.5)": ("two cuts", lambda _: 0.5),
    "curve, one cut, few on a grid, tail": ("one cut, few on a grid", tail),
}


def verdict(readings, test, factor=1.0):
    covered = sum(one.covers(factor) for one in readings)
    return judge(covered, len(readings), NULL, alarm(test))


@pytest.mark.parametrize("test", AVERAGES)
def test_averages_are_covered_at_the_level(test):
    """Halved intervals are refused, and doubled ones; as many are read as these twins ask for."""
    twins = (HALVED_COVERS, DOUBLED_COVERS) if test in BOTH_TWINS else (HALVED_COVERS,)
    surveys = trials(NULL, twins, alarm(test))
    found = [average(ranges, ticks) for ranges, ticks in draws(AVERAGES[test], surveys)]
    assert verdict(found, test) == "holds"
    assert verdict(found, test, HALVED) == "too low"
    if test in BOTH_TWINS:
        assert verdict(found, test, DOUBLED) == "too high"


@pytest.mark.parametrize("test", BEYOND)
def test_averages_are_covered_where_people_are_beyond_all_cuts(test):
    """Intervals that trust the most likely share beyond are refused."""
    surveys = trials(AT_LEAST, (SOME_BEYOND,), alarm(test))
    found = list(beyond(test, *BEYOND[test], surveys))
    whole, trusting = (sum(one.covers() for one in column) for column in zip(*found, strict=True))
    assert judge(whole, surveys, AT_LEAST, alarm(test)) == "holds"
    assert judge(trusting, surveys, AT_LEAST, alarm(test)) == "too low"


@pytest.mark.parametrize("test", SHARES)
def test_shares_are_covered_at_the_level(test):
    """Halved intervals are refused; as many are read as this twin asks for."""
    surveys, (kind, place) = trials(NULL, (HALVED_COVERS,), alarm(test)), SHARES[test]
    found = [shares(ranges, (place(kind),))[0] for ranges, _ in draws(kind, surveys)]
    assert verdict(found, test) == "holds"
    assert verdict(found, test, HALVED) == "too low"
