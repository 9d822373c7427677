"""Intervals from ranges of every kind cover near their level; halved and doubled ones do not."""

import pytest
from budget import Watch, alarm, each, settle
from curves import (
    AT_LEAST,
    DOUBLED,
    DOUBLED_COVERS,
    HALVED,
    HALVED_COVERS,
    NONE_BELOW,
    NULL,
    average,
    beside_a_lump,
    beyond,
    draws,
    heaped,
    on_a_line,
    shares,
    tail,
)
from designs import Reading

pytestmark = [pytest.mark.odds, pytest.mark.timeout(600)]

AVERAGES = {
    "curve, one cut, average": "one cut",
    "curve, two cuts, average": "two cuts",
    "curve, ring, average": "ring",
    "curve, progressive, average": "progressive",
    "curve, two cuts, coarse grid, average": "two cuts, coarse grid",
}
BOTH_TWINS = ("curve, one cut, average", "curve, two cuts, average")
BEYOND = {"curve, one cut, people beyond": (1, 1.0), "curve, two cuts, people beyond": (2, 0.0)}
SOME_BEYOND = 0.65
"""What intervals cover at most that take F as it is most likely beyond all cuts."""

BESIDE_A_LUMP = {
    "curve, one cut, beside a lump, F(12)": (1, 12),
    "curve, two cuts, beside a lump, F(8)": (2, 8),
}
EVENLY = 0.78
"""What intervals of one cut cover there, at most, that take F to rise evenly."""

HEAPED = {
    "curve, one cut, at the first heap, F(1,500)": (1, 1_500.0, NONE_BELOW),
    "curve, one cut, heaped, F(3,000)": (1, 3_000.0),
    "curve, two cuts, heaped, F(2,000)": (2, 2_000.0),
    "curve, two cuts, heaped, six tenths": (2, None),
}
TAKEN_FOR_SMOOTH = 0.86
"""What intervals for a smooth F cover there, at most."""

SHARES = {
    "curve, one cut, fine grid, F(0.5)": ("one cut, fine grid", lambda _: 0.5),
    "curve, two cuts, F(0.5)": ("two cuts", lambda _: 0.5),
    "curve, one cut, few on a grid, tail": ("one cut, few on a grid", tail),
}


TWINS = (HALVED_COVERS, DOUBLED_COVERS)
VERDICTS = {1.0: "holds", HALVED: "too low", DOUBLED: "too high"}


def verdicts(test, draw, stretches):
    """Judge intervals as they are and stretched."""
    watches = {
        stretch: (
            Watch(NULL, TWINS, alarm(test)),
            lambda reading, stretch=stretch: reading.covers(stretch),
        )
        for stretch in stretches
    }
    return settle(draw, watches)


@pytest.mark.parametrize("test", each(AVERAGES))
def test_averages_are_covered_at_the_level(test):
    """Halved intervals are refused, and doubled ones."""
    stretches = tuple(VERDICTS) if test in BOTH_TWINS else (1.0, HALVED)
    draws_result = draws(AVERAGES[test])
    verdicts_result = verdicts(test, lambda: average(*next(draws_result)), stretches)
    assert verdicts_result == {stretch: VERDICTS[stretch] for stretch in stretches}


@pytest.mark.parametrize("test", BEYOND)
def test_averages_are_covered_where_people_are_beyond_all_cuts(test):
    """Intervals that trust the most likely share beyond are refused."""
    beyond_result = beyond(test, *BEYOND[test])
    watches = {
        number: (
            Watch(AT_LEAST, (SOME_BEYOND,), alarm(test)),
            lambda pair, index=number: pair[index].covers(),
        )
        for number in (0, 1)
    }
    assert settle(lambda: next(beyond_result), watches) == {0: "holds", 1: "too low"}


@pytest.mark.parametrize("test", SHARES)
def test_shares_of_a_smooth_law_are_covered_at_the_level(test):
    """Halved intervals are refused."""
    kind, position = SHARES[test]
    index, draws_result = (position(kind),), draws(kind)
    verdicts_result = verdicts(
        test, lambda: shares(next(draws_result)[0], index, smooth=True)[0], (1.0, HALVED)
    )
    assert verdicts_result == {1.0: "holds", HALVED: "too low"}


@pytest.mark.wide
def test_shares_on_a_line_are_covered_at_the_level_for_they_rise():
    """Intervals that do not know that shares rise hold the truth always, and are refused."""
    test = "curve, one cut, few on a line, F(6)"
    result = []
    for rising in (True, False):
        line, watch = on_a_line(test, rising=rising), Watch(NULL, TWINS, alarm(test))
        result.append(
            settle(lambda questions=line: next(questions), {0: (watch, Reading.covers)})[0]
        )
    assert result == ["holds", "too high"]


@pytest.mark.parametrize("test", BESIDE_A_LUMP)
def test_shares_beside_a_lump_of_people_are_covered_at_the_level(test):
    """Of one cut, intervals by the law of shares that rise evenly are refused; and halved ones."""
    cuts, index = BESIDE_A_LUMP[test]
    lump = beside_a_lump(test, cuts, index)
    entire, even = (lambda pair, position=number: pair[position].covers() for number in (0, 1))
    watches = {
        "as told": (Watch(NULL, (EVENLY,), alarm(test)), entire),
        "halved": (Watch(NULL, (EVENLY,), alarm(test)), lambda pair: pair[0].covers(HALVED)),
    }
    if cuts == 1:
        watches["evenly"] = (Watch(NULL, (EVENLY,), alarm(test)), even)
    outcome = settle(lambda: next(lump), watches)
    assert outcome.pop("as told") == "holds"
    assert set(outcome.values()) == {"too low"}


@pytest.mark.parametrize("test", each(HEAPED))
def test_heaped_numbers_are_covered_at_the_level_or_more(test):
    """Intervals that take F to be smooth are refused."""
    heaped_result = heaped(test, *HEAPED[test])
    watches = {
        number: (
            Watch(AT_LEAST, (TAKEN_FOR_SMOOTH,), alarm(test)),
            lambda pair, index=number: pair[index].covers(),
        )
        for number in (0, 1)
    }
    assert settle(lambda: next(heaped_result), watches) == {0: "holds", 1: "too low"}
