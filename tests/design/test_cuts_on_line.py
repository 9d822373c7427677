"""Cuts on a line that keep a promised coverage with the whole weights that are deployed."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from askance import Line, RangeChannel
from askance.design import cuts_on_line
from askance.privacy import coverage
from askance_collect.errors import InputError


def held(line, weights, number, prior):
    sizes = np.ones(line.ticks)
    if prior != "even":
        inner = prior.cdf(np.array([float(line.value_at(tick)) for tick in range(1, line.ticks)]))
        sizes = np.diff(np.rint(np.concatenate([[0], inner, [1]]) * 1_000_000))
    return float(coverage(RangeChannel(line, weights, number), sizes / sizes.sum()).value)


@pytest.mark.long
@given(
    st.integers(2, 40),
    st.integers(1, 3),
    st.floats(0.3, 0.95),
    st.sampled_from(["even", stats.norm(0.4, 0.2), stats.lognorm(1, scale=0.2)]),
)
@settings(max_examples=25, deadline=None)
def test_the_promise_is_kept_and_hardly_more(ticks, number, target, prior):
    line = Line(0, 1, f"1/{ticks}")
    try:
        weights = cuts_on_line(line, target, prior, number)
    except InputError as refused:
        least, most = (float(part) for part in refused.allowed.split()[3:6:2])
        assert not least <= target <= most
        return
    result = held(line, weights, number, prior)
    assert target - 1e-9 <= result <= target + 1e-4


@pytest.mark.long
@pytest.mark.parametrize("target", ["0.55", "3/5", 0.75])
def test_on_a_fine_line_it_is_the_law_of_the_continuous_case(target):
    line, prior = Line(-6, 6, "1/25"), stats.norm()
    weights = np.array(cuts_on_line(line, target, prior))
    tau = float(Fraction(target))
    shape = (1 - tau) / (2 * tau - 1)
    ticks = np.array([float(line.value_at(tick)) for tick in range(1, line.ticks)])
    exact = np.diff(
        stats.beta(shape, shape).cdf(prior.cdf(np.append(ticks - 0.02, ticks[-1] + 0.02)))
    )
    inner = np.abs(ticks) < 2.5
    assert np.abs(weights / weights.sum() - exact)[inner].max() < 2e-3


@pytest.mark.parametrize("number", [1, 2])
def test_the_range_that_can_be_had_is_named(number):
    line = Line(0, 10, 1)
    with pytest.raises(InputError, match=rf"a coverage from 0\.\d+ to 0\.\d+ for {number} cut"):
        cuts_on_line(line, "1/100", "even", number)
    with pytest.raises(InputError, match="take a smaller step"):
        cuts_on_line(line, 1, "even", number)


def test_a_line_of_two_steps_has_one_coverage():
    assert cuts_on_line(Line(0, 2, 1), "1/2") == (1_000_000,)
    with pytest.raises(InputError, match=r"from 0\.5 to 0\.5 for 1 cut on"):
        cuts_on_line(Line(0, 2, 1), "3/5")
    with pytest.raises(InputError, match=r"from 1 to 1 for 1 cut on"):
        cuts_on_line(Line(0, 3, 1), "3/5", [1, 0, 0])


@pytest.mark.long
@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("ticks", range(2, 40, 3))
def test_both_ends_of_the_range_that_is_named_can_be_had(ticks, number):
    line = Line(0, 1, f"1/{ticks}")
    with pytest.raises(InputError) as refused:
        cuts_on_line(line, "1/100", "even", number)
    for end in refused.value.allowed.split()[3:6:2]:
        for replies in (end, float(end)):
            weights = cuts_on_line(line, replies, "even", number)
            assert held(line, weights, number, "even") >= float(end) - 1e-9


def test_what_is_no_coverage_is_refused():
    with pytest.raises(InputError, match="a number such as"):
        cuts_on_line(Line(0, 4, 1), float("nan"))
    with pytest.raises(InputError, match="mass on the line"):
        cuts_on_line(Line(0, 4, 1), "3/5", stats.norm(900, 1))
    with pytest.raises(InputError, match="4 non-negative numbers"):
        cuts_on_line(Line(0, 4, 1), "3/5", [1, 2])


@pytest.mark.parametrize("number", [0, 17, "2", None, True, float("nan")])
def test_numbers_of_cuts_are_whole(number):
    with pytest.raises(InputError, match=r"^Cuts.number: .* integer in \[1, 16\]"):
        cuts_on_line(Line(0, 4, 1), "3/5", "even", number)
