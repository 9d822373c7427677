"""What a silence tells, against values computed independently and against enumeration."""

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance import Line, RangeChannel
from askance.channels import RingChannel
from askance.privacy import Guarantee, Notion, compose, flatness, least_coverage, silence
from askance_collect.errors import InputError, NotComparable
from askance_collect.exact import Floor

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "interval.json").read_text())
TICKS = 400
EVEN = [1] * (TICKS - 1)


@pytest.mark.long
@pytest.mark.parametrize("case", ORACLE["selective_null"]["cases"], ids=["ρ=1", "ρ=0.8"])
def test_a_fine_line_tells_what_was_computed_for_the_continuum(case):
    least = int(Fraction(case["tau"]) * TICKS)
    channel = RangeChannel(Line(0, TICKS, 1), EVEN, floor=Floor([1] * TICKS, least), withhold=True)
    silence_result = silence(channel, 1 - Fraction(case["rho"]))
    steps = [min(int(y * TICKS), TICKS - 1) for y in case["y"]]
    assert [float(silence_result.chances[step]) for step in steps] == pytest.approx(
        case["prob_null_given_y"], abs=1.5 / TICKS
    )
    s, by_chance = sum(silence_result.send_chances) / TICKS, case["prob_W0_given_null"]
    assert float(s) == pytest.approx(case["prob_L_ge_tau"], abs=1 / TICKS)
    assert float(silence_result.by_chance()) == pytest.approx(by_chance, abs=0.01)
    assert float(1 - silence_result.min_blank()) == pytest.approx(
        case["rho_sharp_ignorability"], abs=1 / TICKS
    )


@st.composite
def withheld(draw):
    n = draw(st.integers(2, 6))
    weights = draw(st.lists(st.integers(0, 3), min_size=n - 1, max_size=n - 1).filter(any))
    sizes = draw(st.lists(st.integers(1, 4), min_size=n, max_size=n))
    floor = Floor(sizes, draw(st.integers(1, sum(sizes) // 2)))
    return RangeChannel(Line(0, n, 1), weights, draw(st.integers(1, 2)), floor=floor, withhold=True)


@given(withheld(), st.fractions("1/20", "19/20", max_denominator=20))
@settings(max_examples=60)
def test_the_bound_holds_and_chance_is_likelier_from_the_threshold_on(channel, blank):
    silence_result = silence(channel, blank)
    assert 1 <= silence_result.ratio <= silence_result.bound == 1 / blank
    low, high = min(silence_result.send_chances), max(silence_result.send_chances)
    assert silence_result.ratio == (1 - (1 - blank) * low) / (1 - (1 - blank) * high)
    assert (silence_result.by_chance() >= Fraction(1, 2)) == (blank >= silence_result.min_blank())
    assert silence(channel, silence_result.min_blank()).by_chance() in (Fraction(1, 2), 1)
    assert silence_result.guarantee.epsilon <= math.log(1 / blank) + 1e-6


def test_without_a_blank_nothing_bounds_a_silence():
    """One even cut of four: up to the first and from the last step is too narrow."""
    channel = RangeChannel(Line(0, 4, 1), [1] * 3, floor=Floor([1] * 4, 2), withhold=True)
    silence_result = silence(channel)
    assert (silence_result.ratio, silence_result.bound, silence_result.by_chance()) == (
        math.inf,
        math.inf,
        0,
    )
    assert silence_result.guarantee.notion is Notion.SILENCE
    assert flatness(channel).value == math.inf


def test_where_nothing_is_withheld_a_silence_tells_nothing():
    silence_result = silence(RangeChannel(Line(0, 4, 1), [1] * 3), "1/10")
    assert (silence_result.ratio, silence_result.by_chance(), silence_result.min_blank()) == (
        1,
        1,
        0,
    )
    assert silence(RangeChannel(Line(0, 4, 1), [1] * 3)).ratio == 1


def test_the_likeliest_and_the_least_likely_to_be_silent_are_named():
    floor = Floor([1] * 4, 2)
    channel = RangeChannel(Line(0, 4, 1), [3, 0, 1], floor=floor, withhold=True)
    assert silence(channel, "1/2").chances == tuple(Fraction(n, 8) for n in (7, 4, 4, 5))
    assert silence(channel, "1/2").guarantee.attained == "between steps 1 and 2 of the line"


@pytest.mark.parametrize("shares", [[1], ["1/2"] * 4, ["1/5"] * 4, [-1, 1, 1, 0]])
def test_shares_that_are_none_are_refused(shares):
    silence_result = silence(RangeChannel(Line(0, 4, 1), [1] * 3))
    with pytest.raises(InputError, match="shares"):
        silence_result.by_chance(shares)


def test_it_prints_and_writes_itself():
    channel = RangeChannel(Line(0, 4, 1), [1] * 3, floor=Floor([1] * 4, 2), withhold=True)
    silence_result = silence(channel, "1/2")
    assert silence_result.to_dict()["ratio"] == "4/3"
    assert "<table>" in silence_result._repr_html_()
    assert silence_result.by_chance(["1/2", 0, 0, "1/2"]) == Fraction(1, 2) / Fraction(2, 3)


@given(withheld())
def test_the_least_coverage_is_the_least_of_all_ranges(channel):
    sizes = channel.floor.sizes
    shares = [sum(sizes[low:high]) for low, high in channel.cells()[0].tolist()]
    assert least_coverage(channel, sizes).value == Fraction(min(shares), sum(sizes))
    assert least_coverage(channel, sizes).value >= Fraction(channel.floor.minimum, sum(sizes))


def test_a_floor_is_kept_and_does_not_compose():
    ring = RingChannel(Line(0, 6, 1), [1] * 5, Floor([1] * 6, 2))
    floor = least_coverage(ring)
    assert floor.value == Fraction(1, 3)
    assert floor.is_at_least_as_strong(Guarantee(Notion.FLOOR, Fraction(1, 4), ""))
    assert floor.printed(2) == "0.33"
    with pytest.raises(NotComparable, match="composes"):
        compose([floor, floor])
    with pytest.raises(InputError, match="6 sizes"):
        least_coverage(ring, [1, 1])
