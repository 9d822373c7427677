"""How far people go: their stopping tells nothing where it comes first, and something after."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.study import StoppingRule
from askance.survey import parse_survey, publish
from askance_collect.respond import draw_bounds, encode

TICKS = 8
SURVEY = b"""askance = "survey-1"
title = "T"
consent = "C"
[[question]]
name = "n"
text = "N?"
line = { lower = 0, upper = 8 }
mechanism = { name = "progressive", number = 4, floor = "1/8" }
"""
QUESTION = publish(parse_survey(SURVEY)).questions[0]
BELOW = draw_bounds(QUESTION)
drawn = st.tuples(*[st.integers(0, bound - 1) for bound in BELOW])
sizes = st.lists(st.integers(1, 9), min_size=TICKS, max_size=TICKS)


def upto(counts):
    return np.concatenate([[0.0], np.cumsum(counts) / sum(counts)])


@given(drawn, sizes, st.floats(0, 1))
def test_before_the_cut_is_seen_all_in_a_range_stop_alike(draws, counts, sensitivity):
    shares = upto(counts)
    reports = {}
    for step in range(TICKS):
        agreed = StoppingRule.BEFORE.agreed_steps(QUESTION, step, draws, sensitivity, shares)
        reports[step] = encode(QUESTION, step, draws, agreed)
    for low, high in reports.values():
        assert {reports[step] for step in range(low, high)} == {(low, high)}


@given(drawn, sizes, st.floats(0, 1), st.integers(0, TICKS - 1))
def test_after_it_is_seen_no_range_is_narrower_than_liked(draws, counts, sensitivity, step):
    shares = upto(counts)
    agreed = StoppingRule.AFTER.agreed_steps(QUESTION, step, draws, sensitivity, shares)
    low, high = encode(QUESTION, step, draws, agreed)
    assert shares[high] - shares[low] >= min(sensitivity, 1) - 1e-12
    assert agreed <= StoppingRule.BEFORE.agreed_steps(QUESTION, step, draws, sensitivity, shares)


def test_after_it_is_seen_stopping_tells_the_side():
    draws = (0, 0, 0, 0, 0)  # every candidate is the first inner tick
    shares = upto([1] * TICKS)
    stopped = [
        StoppingRule.AFTER.agreed_steps(QUESTION, step, draws, 0.3, shares) for step in range(TICKS)
    ]
    assert stopped == [0] + [1] * (TICKS - 1)


@pytest.mark.parametrize("stops", StoppingRule)
def test_the_most_sensitive_take_no_step_and_the_least_take_all(stops):
    shares, draws = upto([1] * TICKS), (0, 3, 1, 5, 2)
    assert stops.agreed_steps(QUESTION, 0, draws, 1.0, shares) == 0
    assert encode(QUESTION, 0, draws, stops.agreed_steps(QUESTION, 0, draws, 0.0, shares)) == (
        encode(QUESTION, 0, draws)
    )
