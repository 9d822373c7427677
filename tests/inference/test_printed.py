"""Li, Zhou, Qin and Xu's statements on estimation: what holds, and where the print does not."""

from fractions import Fraction
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.channels import Frame, Tally
from askance.inference import (
    Convergence,
    estimate,
    grab_savage,
    mean_inverse,
    moment_estimate,
    most_likely,
    truth_lie_variance,
)
from askance.mechanisms import Abstain, Warner
from askance.privacy import local_loss
from askance_collect.errors import NotIdentified

YES_NO = Frame(["yes", "no"])


def abstain(p, q, yes, no, silent=0):
    channel = Abstain(truth=p, lie=q).channel(YES_NO)
    return Tally(channel, {"yes": yes, "no": no, "don't know": silent})


def expectation(p, q, pi, n, value):
    """Take an exact mean over every pair of counts, given that one report is informative."""
    yes, no = pi * p + (1 - pi) * q, pi * q + (1 - pi) * p
    silent, total, mean = 1 - p - q, Fraction(0), Fraction(0)
    for first in range(n + 1):
        for second in range(n - first + 1):
            if first + second:
                ways = comb(n, first) * comb(n - first, second)
                chance = ways * yes**first * no**second * silent ** (n - first - second)
                total, mean = total + chance, mean + chance * value(first, second)
    return mean / total, total


def equation_two(p, q, first, second):
    return (second * q - first * p) / ((first + second) * (q - p))


def test_example_seven_with_its_sign_restored():
    n1, n, p = 37, 80, Fraction(3, 4)
    right = (p - 1) / (2 * p - 1) + Fraction(n1, n) / (2 * p - 1)
    q = Warner(truth=p).channel(YES_NO)
    assert moment_estimate(Tally(q, {"yes": n1, "no": n - n1})).value[0] == pytest.approx(
        float(right), rel=1e-12
    )


def test_equation_two_can_leave_the_frame_and_its_clip_is_the_most_likely_share():
    raw = moment_estimate(abstain(0.6, 0.1, 0, 10)).value[0]
    assert raw == pytest.approx(-0.1 / 0.5)
    for yes in range(11):
        tally = abstain(0.6, 0.1, yes, 10 - yes, 4)
        clipped = float(equation_two(Fraction(3, 5), Fraction(1, 10), yes, 10 - yes))
        clipped = min(max(clipped, 0), 1)
        assert estimate(tally).value[0] == pytest.approx(clipped, abs=1e-12)
        assert most_likely(tally).value[0] == pytest.approx(clipped, abs=1e-9)


def test_without_a_named_answer_or_with_equal_chances_there_is_no_estimate():
    assert moment_estimate(abstain(0.6, 0.1, 0, 0, 7)).convergence is Convergence.NO_REPORTS
    with pytest.raises(NotIdentified):
        moment_estimate(abstain(0.3, 0.3, 1, 2))


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("pi", [Fraction(0), Fraction(3, 10), Fraction(1, 2)])
def test_theorems_nine_and_ten(n, pi):
    p, q = Fraction(3, 5), Fraction(1, 10)
    mean, named = expectation(p, q, pi, n, lambda a, b: equation_two(p, q, a, b))
    assert mean == pi  # theorem 9: unbiased, given that a report names an answer
    square, _ = expectation(p, q, pi, n, lambda a, b: (equation_two(p, q, a, b) - pi) ** 2)
    variance = truth_lie_variance(float(pi), 0.6, 0.1, n)
    assert variance == pytest.approx(float(square), rel=1e-12)
    s = p + q
    printed_a = sum(comb(n, i) * s**i * (1 - s) ** (n - i) / i for i in range(1, n + 1))
    printed = ((s / (p - q)) ** 2 / 4 - (pi - Fraction(1, 2)) ** 2) * printed_a
    assert printed / square == named  # short by exactly P(N > 0): .7 for one report
    assert n > 1 or named == Fraction(7, 10)


@pytest.mark.parametrize(
    ("share", "n", "error"),
    [(0.2, 1, -2.67), (0.2, 5, 5.33), (0.5, 2, 1.40), (0.7, 1, 1.50), (0.9, 5, -0.0072)],
)
def test_grab_and_savages_approximation_errs_so_much(share, n, error):
    assert grab_savage(n, share) / mean_inverse(n, share) - 1 == pytest.approx(error, rel=6e-3)


def test_grab_and_savages_approximation_can_be_infinite_and_gets_better():
    assert grab_savage(1, 0.5) == np.inf
    errors = [abs(grab_savage(n, 0.7) / mean_inverse(n, 0.7) - 1) for n in (10, 100, 1000, 10**6)]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 1e-11


def approximated(pi, p, q, n):
    s, d = p + q, p - q
    return ((s / d) ** 2 / 4 - (pi - 0.5) ** 2) / ((n + 1) * s - 1)


def corrected_derivative(pi, p, q, n):
    s, d = p + q, p - q
    head = (n + 1) * (s**2 * (3 * p + q) / (4 * d**3) + (pi - 0.5) ** 2) - p * s / d**3
    return head / ((n + 1) * s - 1) ** 2


def test_corollary_elevens_derivative():
    right = corrected_derivative(0.3, 0.6, 0.1, 3)
    step = 1e-6
    numeric = (approximated(0.3, 0.6, 0.1 + step, 3) - approximated(0.3, 0.6, 0.1 - step, 3)) / (
        2 * step
    )
    assert right == pytest.approx(numeric, rel=1e-6)
    assert right == pytest.approx(1.3111, abs=5e-5)
    assert abs(right - 14.92) > 13  # what the printed formula gives


def test_corollary_eleven_fails_for_one_report_exactly_where_it_should():
    p = 0.6
    edge = -2 * p + sqrt(p * p + 2 * p)
    assert (
        corrected_derivative(0.5, p, edge * 0.9, 1)
        < 0
        < corrected_derivative(0.5, p, edge * 1.1, 1)
    )


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 60), st.floats(0, 1), st.floats(0.02, 0.98), st.floats(0, 0.97))
@pytest.mark.long
def test_the_exact_variance_rises_with_the_lie(n, pi, p, at):
    lies = np.linspace(0, min(p, 1 - p) * 0.99, 40)
    first = int(at * 38)
    low, high = (truth_lie_variance(pi, p, float(q), n) for q in lies[first : first + 2])
    assert high >= low * (1 - 1e-12)


def test_yet_fewer_lies_at_the_same_truth_cost_privacy():
    ratios = [
        local_loss(Abstain(truth="3/5", lie=Fraction(index, 20)).channel(YES_NO)).value
        for index in range(1, 9)
    ]
    assert ratios == sorted(ratios, reverse=True)


def test_corollary_twelves_constant():
    m = Abstain.at_epsilon(1, answered="7/10").on(YES_NO)
    assert float(m.truth) == pytest.approx(0.7 / (1 + np.exp(-1)), rel=1e-6)
    assert float(m.lie) == pytest.approx(0.7 / (1 + np.e), rel=1e-6)
    shy = Abstain.at_epsilon(1, answered="1/2").on(YES_NO)
    assert shy.truth < Fraction(1, 2)  # so that p > 1/2 loses generality
