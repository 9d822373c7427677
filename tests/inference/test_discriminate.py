"""The likelihood-ratio test between two populations: exact errors, exponent, decisions."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance import Abstain, Channel, Frame, KAry, Tally, Warner
from askance.inference import discriminate
from askance_collect.errors import InputError

YN = Frame(["yes", "no"])
MAY_PASS = Abstain(truth="3/5", lie="1/10").channel(YN)
HONEST = Abstain(truth="3/5", lie=0).channel(YN)


def least_error(channel, first, second, n, weight):
    """Sum the smaller of both joint chances over all sequences of reports."""
    item, two = (np.asarray(shares) @ channel.matrix for shares in (first, second))
    return sum(
        min(weight * item[list(combination)].prod(), (1 - weight) * two[list(combination)].prod())
        for combination in product(range(len(channel.reports)), repeat=n)
    )


@pytest.mark.parametrize("n", [0, 1, 2, 3, 6])
@pytest.mark.parametrize("weight", [0.5, 0.3])
@pytest.mark.parametrize("channel", [MAY_PASS, HONEST, Warner(truth="3/4").channel(YN)])
def test_no_rule_errs_less(channel, weight, n):
    for first, second in ((0.2, 0.5), (0.0, 0.5), (0.1, 1.0)):
        test = discriminate(channel, first, second, n, first_weight=weight)
        expected = least_error(channel, (first, 1 - first), (second, 1 - second), n, weight)
        assert test.error == pytest.approx(expected, abs=1e-13)


def test_three_answers_and_five_reports():
    q = KAry(truth="3/5").channel(Frame(["a", "b", "c"]))
    shares = [0.2, 0.3, 0.5], [0.5, 0.3, 0.2]
    test = discriminate(q, *shares, 5)
    assert test.error == pytest.approx(least_error(q, *shares, 5, 0.5), abs=1e-13)


def test_each_error_is_what_the_decisions_do():
    n, laws = 4, [np.array([s, 1 - s]) @ MAY_PASS.matrix for s in (0.2, 0.6)]
    test = discriminate(MAY_PASS, 0.2, 0.6, n)
    alpha = beta = 0.0
    for combination in product(range(3), repeat=n):
        counts = {MAY_PASS.reports[index]: combination.count(index) for index in range(3)}
        decided = test.favours_second(Tally(MAY_PASS, counts))
        alpha += laws[0][list(combination)].prod() * decided
        beta += laws[1][list(combination)].prod() * (not decided)
    assert (test.false_alarm, test.miss) == (pytest.approx(alpha), pytest.approx(beta))


def test_proof_decides():
    test = discriminate(HONEST, 0, 1, 3)
    assert test.error == pytest.approx(0.4**3 / 2)
    assert test.chernoff.exponent == pytest.approx(-math.log(0.4))
    assert test.log_likelihood_ratio(Tally(HONEST, {"yes": 1})) == math.inf
    assert test.favours_second(Tally(HONEST, {"yes": 1, "don't know": 2}))
    assert not test.favours_second(Tally(HONEST, {"no": 1, "don't know": 2}))


def test_the_exponent_is_that_of_large_n():
    q = Warner(truth="3/4").channel(YN)
    rates = [-math.log(discriminate(q, 0.1, 0.9, n).error) / n for n in (200, 2000)]
    exponent = discriminate(q, 0.1, 0.9, 1).chernoff.exponent
    assert exponent == pytest.approx(-math.log(2 * math.sqrt(0.21)))
    assert exponent < rates[1] < rates[0] < exponent + 0.03


def test_the_optimal_pair_tests_best():
    from askance.design import yoshida_pair

    lying = Abstain(truth="3/8", lie="1/8").channel(YN)
    silent = yoshida_pair("1/4").channel(YN)
    warner = Warner(truth="5/8").channel(YN)
    errors = [discriminate(q, 0.2, 0.6, 50).error for q in (silent, lying, warner)]
    assert errors == sorted(errors)
    speeds = [discriminate(q, 0.2, 0.6, 1).chernoff.exponent for q in (silent, lying, warner)]
    assert speeds == sorted(speeds, reverse=True)


@settings(max_examples=30)
@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 8))
def test_more_reports_never_harm(first, second, n):
    errors = [discriminate(MAY_PASS, first, second, index).error for index in (n, n + 1)]
    assert errors[1] <= errors[0] + 1e-12


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: discriminate(MAY_PASS, 0.2, 1.5, 3), "shares in"),
        (lambda: discriminate(MAY_PASS, [0.2, 0.2], 0.5, 3), "shares in"),
        (lambda: discriminate(MAY_PASS, 0.2, 0.5, -1), "whole number"),
        (lambda: discriminate(MAY_PASS, 0.2, 0.5, 3, first_weight=1), "weight"),
        (lambda: discriminate(MAY_PASS, 0.2, 0.5, 10**5), "tallies"),
        (
            lambda: discriminate(MAY_PASS, 0.2, 0.5, 3).favours_second(Tally(HONEST, {"yes": 1})),
            "another channel",
        ),
    ],
)
def test_bad_input_is_refused(call, words):
    with pytest.raises(InputError, match=words):
        call()


def test_reports_with_one_ratio_count_as_one():
    q = Channel(
        YN,
        {"a": ["yes"], "b": ["yes"], "c": ["no"], "d": ["no"], "e": ["yes", "no"]},
        [[0.2, 0.4, 0.1, 0.05, 0.25], [0.1, 0.2, 0.2, 0.1, 0.4]],
    )
    assert discriminate(q, 0.3, 0.6, 300).error < 0.5
