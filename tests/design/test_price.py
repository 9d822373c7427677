"""Losses and variances under three readings of "don't know", and what is preferred to what."""

import json
import math
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from askance.channels import Frame, Tally
from askance.design import hopeful_price, resolved_price, shafer_price, walley_price
from askance.inference import moment_estimate
from askance.mechanisms import Abstain, KAry, Redistribute
from askance_collect.errors import InputError, NotComparable, NotIdentified

CASES = json.loads((Path(__file__).parents[1] / "oracles" / "q_lambda.json").read_text())
YES_NO = Frame(["yes", "no"])
PI, N = 0.3, 50


@pytest.mark.parametrize("case", CASES["q_lambda"]["cases"])
def test_declared_shares_agree_with_the_oracle(case):
    redistribute = Redistribute(truth=case["p"], lie=case["q"], share=case["lambda"])
    price = resolved_price(redistribute, float(Fraction(case["pi"])), case["n"])
    assert float(redistribute.final_truth) == pytest.approx(case["yes_prob_truth"])
    assert math.log(price.loss.value) == pytest.approx(case["eps"], rel=1e-10)
    assert price.variance == pytest.approx(case["variance"], rel=1e-10)


@pytest.mark.parametrize("share", ["0", "1/4", "1"])
@pytest.mark.parametrize(("p", "q"), [("3/5", "1/10"), ("11/20", "1/5"), ("3/10", "1/10")])
def test_the_estimator_has_the_corrected_denominator(p, q, share):
    redistribute = Redistribute(truth=p, lie=q, share=share)
    n1, n = 37, 80
    rest = 1 - redistribute.truth - redistribute.lie
    shift = redistribute.lie + (1 - redistribute.share) * rest
    printed = (Fraction(n1, n) - shift) / (
        redistribute.truth - redistribute.lie + (2 * redistribute.share - 1) * rest
    )
    estimate = moment_estimate(Tally(redistribute.channel(YES_NO), {"yes": n1, "no": n - n1}))
    assert estimate.value[0] == pytest.approx(float(printed), rel=1e-12)


def test_the_corners_and_what_no_share_attains():
    q = Abstain(truth="3/5", lie="1/10")
    worst, best = walley_price(q, PI, N), hopeful_price(q, PI, N)
    assert worst.loss.epsilon == pytest.approx(math.log(0.9 / 0.1), abs=1e-5)
    assert best.loss.epsilon == pytest.approx(math.log(0.6 / 0.4), abs=1e-5)
    assert worst.variance == pytest.approx((1 / (4 * 0.2**2) - 0.2**2) / N)
    assert best.variance == pytest.approx((1 / (4 * 0.8**2) - 0.2**2) / N)
    prices = [
        resolved_price(Redistribute(truth="3/5", lie="1/10", share=Fraction(index, 20)), PI, N)
        for index in range(21)
    ]
    assert (prices[0].loss.value, prices[0].variance) == (best.loss.value, worst.variance)
    assert prices[-1].loss.value == worst.loss.value
    assert prices[-1].variance == pytest.approx(best.variance)
    losses, variances = [item.loss.value for item in prices], [item.variance for item in prices]
    assert losses == sorted(losses)
    assert variances == sorted(variances, reverse=True)
    for price in prices:  # a curve inside the rectangle, through neither of its other corners
        assert (price.loss.value, price.variance) != (best.loss.value, best.variance)
        assert (price.loss.value, price.variance) != (worst.loss.value, worst.variance)


def test_little_truth_may_be_resolved_to_nothing():
    shy = Abstain(truth="3/10", lie="1/10")
    assert walley_price(shy, PI, N).variance == math.inf
    assert hopeful_price(shy, PI, N).loss.value == 1
    half = Redistribute(truth="3/10", lie="1/10", share=Fraction(1, 3))
    assert resolved_price(half, PI, N).variance == math.inf


def test_shafers_variance_is_not_the_printed_one():
    p, q = 0.6, 0.1
    price = shafer_price(Abstain(truth=p, lie=q), PI, 10**6)
    right = (((p + q) / (p - q)) ** 2 / 4 - 0.2**2) / (10**6 * (p + q))
    printed = (((p - q) / (p + q)) ** 2 / 4 - 0.2**2) / (10**6 * (p + q))
    assert price.variance == pytest.approx(right, rel=1e-5)
    assert price.variance > 3 * printed


PROBABILITIES = [Fraction(index, 20) for index in range(21)]
MECHANISMS = [
    Abstain(truth=p, lie=q)
    for p, q in product(PROBABILITIES, repeat=2)
    if p > Fraction(1, 2) and p + q <= 1 and q > 0
]


@given(st.sampled_from(MECHANISMS), st.sampled_from(MECHANISMS), st.sampled_from([0.1, 0.5]))
def test_walleys_preference_is_that_of_the_chances(one, two, pi):
    assume(one != two)
    preferred = walley_price(one, pi, N).preferred_to(walley_price(two, pi, N))
    assert preferred == (one.truth >= two.truth and one.lie >= two.lie)


def test_nothing_is_preferred_to_warner():
    warners = [item for item in MECHANISMS if item.truth + item.lie == 1]
    prices = {item: walley_price(item, PI, N) for item in MECHANISMS}
    for warner in warners:
        assert not any(price.preferred_to(prices[warner]) for price in prices.values())


def test_prices_of_different_notions_and_bad_questions_are_refused():
    q = Abstain(truth="3/5", lie="1/10")
    with pytest.raises(NotComparable):
        walley_price(q, PI, N).preferred_to(shafer_price(q, PI, N))
    with pytest.raises(NotIdentified):
        shafer_price(Abstain(truth="1/4", lie="1/4"), PI, N)
    for pi in (-0.1, float("nan")):
        with pytest.raises(InputError, match="prevalence"):
            walley_price(q, pi, N)
    with pytest.raises(InputError, match="mean_inverse"):
        walley_price(q, PI, 0)


def test_a_mechanism_at_a_level_is_priced_for_two_answers():
    level = Abstain.at_epsilon(ratio=6, answered="7/10")
    assert level.on(Frame(["yes", "no"])) == Abstain(truth="3/5", lie="1/10")
    for price in (shafer_price, walley_price, hopeful_price):
        result, expected = (
            price(item, PI, N) for item in (level, Abstain(truth="3/5", lie="1/10"))
        )
        assert (result.loss.value, result.variance) == (expected.loss.value, expected.variance)
        with pytest.raises(InputError, match="got 'KAry'; allowed: Abstain"):
            price(KAry.at_epsilon(1), PI, N)


def test_at_equal_loss_less_silence_is_better_and_at_equal_advantage_more():
    def at_loss(answered):
        return shafer_price(Abstain.at_epsilon(1, answered=answered), PI, 400).variance

    def at_advantage(lie):
        return shafer_price(Abstain(truth=Fraction(1, 4) + lie, lie=lie), PI, 400).variance

    shares = [Fraction(index, 10) for index in range(3, 11)]
    assert np.all(np.diff([at_loss(share) for share in shares]) < 0)
    lies = [Fraction(index, 40) for index in range(16)]
    assert np.all(np.diff([at_advantage(lie) for lie in lies]) > 0)
