"""Laws in whole units on a line whose step is not one and which does not begin at nought."""

import numpy as np
import pytest
from scipy import stats

from askance import Line
from askance.channels import CutLaw
from askance.mechanisms import Cuts, Ring
from askance_collect.errors import InputError

LINE, LAW = Line(1, 3, "1/2"), stats.norm(1.2, 1)


def tick_weights(law):
    return Cuts(law=law).channel(LINE).cut_weights


def step_sizes(law):
    return Ring(floor="1/9", sizes=law).channel(LINE).floor.sizes


def split_cdf(x):
    """A cumulative function with half its mass below the line and half above."""
    return np.where(np.asarray(x) < -1, 0.0, np.where(np.asarray(x) < 9, 0.5, 1.0))


def test_a_tick_takes_what_lies_within_half_a_step_of_it():
    ticks = np.array([1.5, 2, 2.5])
    share = LAW.cdf(ticks + 0.25) - LAW.cdf(ticks - 0.25)
    weights = tick_weights(LAW)
    assert weights == pytest.approx(10**6 * share / share.sum(), abs=1)
    assert sum(weights) == 10**6


@pytest.mark.parametrize(("index", "weights"), [(1.5, (100, 0, 0)), (2.5, (0, 0, 100))])
def test_all_of_a_law_may_be_at_one_tick(index, weights):
    assert CutLaw(stats.norm(index, 0.01)).on_line(LINE, total=100).cut_weights == weights


def test_the_outer_steps_take_what_lies_beyond_the_ends():
    share = np.diff([0, *LAW.cdf([1.5, 2, 2.5]), 1])
    assert step_sizes(LAW) == pytest.approx(10**6 * share, abs=1)


@pytest.mark.parametrize("law", [split_cdf, stats.norm(-99, 1), stats.norm(99, 1)])
@pytest.mark.parametrize("write", [tick_weights, step_sizes])
def test_a_law_with_nothing_on_the_line_is_refused(write, law):
    text = r"^(Cuts\.law|Ring\.sizes): got 'a law with nothing between 1 and 3'.*scale"
    with pytest.raises(InputError, match=text):
        write(law)


@pytest.mark.parametrize(
    "law", [[1, -1, 2], [0, 0, 0], [-1, -1, -1], [1, 1], [], "evn", [1, 2**48, 0]]
)
def test_a_list_is_one_weight_for_each_tick(law):
    with pytest.raises(InputError, match=r"^Cuts\.law: "):
        tick_weights(law)


def test_fractions_become_whole_in_the_same_proportions():
    assert tick_weights(["1/2", 0, "1/3"]) == (3, 0, 2)
    assert step_sizes([0.5, 1, 0, 0.25]) == (2, 4, 0, 1)
    assert tick_weights([1, 2**48 - 1, 0]) == (1, 2**48 - 1, 0)
    assert (tick_weights("even"), step_sizes("even")) == ((1,) * 3, (1,) * 4)
