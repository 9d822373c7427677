"""A privacy loss as it is said: compared exactly, or to double precision where a float says it."""

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from askance_collect.errors import InputError
from askance_collect.exact import exp_down
from askance_collect.exact.level import (
    log_double,
    log_nearest,
    loss_bound,
    loss_nearest,
    loss_reach,
    loss_within,
)

RATIOS = st.fractions(1, 10**6, max_denominator=10**9)


def log(value):
    """Take the logarithm in 200 digits, independently."""
    with mp.workdps(200):
        return mp.log(mpf(value.numerator) / value.denominator)


@given(RATIOS | st.fractions(1, 1 + Fraction(1, 10**12), max_denominator=10**30))
def test_the_nearest_logarithm_is_the_nearest(ratio):
    assert log_nearest(ratio) == float(log(ratio))
    assert log_nearest(1 / ratio) == -float(log(ratio))


@pytest.mark.parametrize("ratio", [1 + Fraction(1, 10**70), Fraction(10**5000), Fraction(3**2000)])
def test_logarithms_of_extreme_ratios(ratio):
    assert log_nearest(ratio) == float(log(ratio))


@given(st.integers(2, 10**6))
def test_a_whole_ratio_keeps_to_its_own_logarithm_and_no_less(ratio):
    epsilon = float(log(Fraction(ratio)))
    assert loss_within(Fraction(ratio), epsilon)
    assert loss_within(ratio, ratio=ratio)
    assert not loss_within(Fraction(ratio), math.nextafter(epsilon, 0))
    assert not loss_within(Fraction(ratio), ratio=ratio - Fraction(1, 10**40))


@given(RATIOS, st.fractions("1/1000", 12, max_denominator=10**6))
def test_what_is_not_a_float_is_compared_exactly(ratio, epsilon):
    with mp.workdps(200):
        small = bool(log(ratio) <= mpf(epsilon.numerator) / epsilon.denominator)
    assert loss_within(ratio, epsilon) == loss_within(ratio, str(epsilon)) == small


def test_exact_numbers_that_are_very_near_are_told_apart():
    with mp.workdps(120):
        below, above = (mp.nstr(mp.log(6) + sign * mpf(10) ** -55, 59) for sign in (-1, 1))
    assert loss_within(Fraction(6), above)
    assert loss_within(Fraction(6), Decimal(above))
    assert not loss_within(Fraction(6), below)
    assert not loss_within(Fraction(6), Decimal(below))


def test_nothing_is_told_within_no_loss_and_nothing_beyond_infinity():
    assert loss_within(Fraction(1), 0)
    assert loss_within(Fraction(1), ratio=1)
    assert not loss_within(1 + Fraction(1, 10**30), 0)
    assert not loss_within(math.inf, 10_000)
    assert not loss_within(math.inf, ratio=10_000)
    assert loss_within(math.inf, math.inf)
    assert loss_within(math.inf, ratio=math.inf)


@given(st.floats(0.001, 12))
def test_the_reach_of_a_float_is_that_of_what_keeps_to_it(epsilon):
    reach = loss_reach(epsilon)
    assert not loss_within(reach * (1 + Fraction(1, 10**13)), epsilon)
    for ratio in (exp_down(epsilon), Fraction(math.exp(epsilon)).limit_denominator(10**6)):
        assert ratio <= reach or not loss_within(ratio, epsilon)
    with mp.workdps(80):
        edge = mp.exp(mpf(epsilon) + mpf(math.ulp(epsilon)) / 2)
        assert mpf(reach.numerator) / reach.denominator >= edge


def test_the_reach_of_what_is_exact_is_it_rounded_up():
    assert loss_reach(ratio="7/3") == Fraction(7, 3)
    assert exp_down(1) < loss_reach(1) < exp_down(1) * (1 + Fraction(1, 10**48))
    assert loss_reach(0) == loss_reach(0.0) == 1
    assert loss_reach(10_000) > exp_down(10_000)
    assert loss_reach(10_000.0) > loss_reach(10_000)
    assert loss_reach(math.inf) == loss_reach(ratio=math.inf) == math.inf


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "no bound"),
        ({"epsilon": 1, "ratio": 3}, "epsilon and ratio"),
        ({"epsilon": -1}, "epsilon: got '-1'"),
        ({"ratio": "0.5"}, "ratio: got '0.5'; allowed: the ratio"),
        ({"ratio": "three"}, "ratio: got 'three'"),
        ({"epsilon": float("nan")}, "epsilon"),
        ({"epsilon": 20_000}, "epsilon"),
        ({"ratio": "1e5000"}, "ratio"),
    ],
)
def test_a_loss_is_said_once_and_in_its_range(given, told):
    for read in (loss_bound, loss_reach, lambda **inputs: loss_within(Fraction(2), **inputs)):
        with pytest.raises(InputError, match=told):
            read(**given)


def test_a_loss_in_double_precision_may_be_any():
    assert loss_nearest(math.log(6)) == loss_nearest(ratio=6) == math.log(6)
    assert loss_nearest(-2) == -2
    assert loss_nearest(ratio="1/6") == -math.log(6)
    assert loss_nearest(-math.inf) == -math.inf
    assert loss_nearest(ratio=math.inf) == math.inf
    for wrong in ({}, {"epsilon": 1, "ratio": 2}, {"ratio": 0}, {"epsilon": "one"}):
        with pytest.raises(InputError):
            loss_nearest(**wrong)


@given(st.fractions("1/1000000", 10**6, max_denominator=10**9))
def test_a_quick_logarithm_is_right_but_for_rounding(ratio):
    assert log_double(ratio) == pytest.approx(log_nearest(ratio), rel=5e-16)


@pytest.mark.parametrize("given", [{"epsilon": 0}, {"ratio": 1}, {"epsilon": 13}, {"ratio": 2e5}])
def test_a_bound_that_says_nothing_or_all_is_refused(given):
    with pytest.raises(InputError, match=r"a privacy loss in \(|no report"):
        loss_bound(**given)
