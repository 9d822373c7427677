"""Intervals from ranges of every kind cover near their level; halved and doubled ones do not."""

from functools import cache

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


@cache
def averages(test):
    """Read as many averages as the twins ask for."""
    twins = (HALVED_COVERS, DOUBLED_COVERS) if test in BOTH_TWINS else (HALVED_COVERS,)
    surveys = trials(NULL, twins, alarm(test))
    return [average(ranges, ticks) for ranges, ticks in draws(AVERAGES[test], surveys)]


@cache
def beyond_all_cuts(test):
    """Read as many means as the twin asks for, each with the twin's."""
    return list(beyond(test, *BEYOND[test], trials(AT_LEAST, (SOME_BEYOND,), alarm(test))))


@cache
def points(test):
    """Read as many shares up to a point as the shorter twin asks for."""
    surveys, (kind, place) = trials(NULL, (HALVED_COVERS,), alarm(test)), SHARES[test]
    return [shares(ranges, (place(kind),))[0] for ranges, _ in draws(kind, surveys)]


def verdict(readings, test, factor=1.0):
    covered = sum(one.covers(factor) for one in readings)
    return judge(covered, len(readings), NULL, alarm(test))


@pytest.mark.parametrize("test", AVERAGES)
def test_averages_are_covered_at_the_level(test):
    assert verdict(averages(test), test) == "holds"


@pytest.mark.parametrize("test", AVERAGES)
def test_halved_intervals_of_averages_are_refused(test):
    assert verdict(averages(test), test, HALVED) == "too low"


@pytest.mark.parametrize("test", BOTH_TWINS)
def test_doubled_intervals_of_averages_are_refused(test):
    assert verdict(averages(test), test, DOUBLED) == "too high"


@pytest.mark.parametrize("test", BEYOND)
def test_averages_are_covered_where_people_are_beyond_all_cuts(test):
    found = [whole.covers() for whole, _ in beyond_all_cuts(test)]
    assert judge(sum(found), len(found), AT_LEAST, alarm(test)) == "holds"


@pytest.mark.parametrize("test", BEYOND)
def test_intervals_that_trust_the_most_likely_share_beyond_are_refused(test):
    found = [twin.covers() for _, twin in beyond_all_cuts(test)]
    assert judge(sum(found), len(found), AT_LEAST, alarm(test)) == "too low"


@pytest.mark.parametrize("test", SHARES)
def test_shares_are_covered_at_the_level(test):
    assert verdict(points(test), test) == "holds"


@pytest.mark.parametrize("test", SHARES)
def test_halved_intervals_of_shares_are_refused(test):
    assert verdict(points(test), test, HALVED) == "too low"
