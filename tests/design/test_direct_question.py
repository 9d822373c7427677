"""When not to randomise: mean squared errors against brute force."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

import askance as ak
from askance.cli import verbs
from askance.design import compare_with_direct
from askance_collect.errors import InputError

YN = ak.Frame(["yes", "no"])


def exact_error(channel, people, share, bias):
    """Root mean squared error by exact enumeration of the counts of a binomial."""
    observed = share - bias
    truth, lie = channel.matrix[:, 0]
    counts = np.arange(people + 1)
    law = binom.pmf(counts, people, observed * truth + (1 - observed) * lie)
    estimates = (counts / people - lie) / (truth - lie)
    return math.sqrt(law @ (estimates - share) ** 2)


@given(
    st.integers(1, 300),
    st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20),
    st.fractions(0, 1, max_denominator=10),
    st.fractions(0, 1, max_denominator=10),
    st.fractions(Fraction(3, 5), Fraction(19, 20), max_denominator=20),
)
def test_the_errors_are_those_of_every_count(people, share, denied, denied_still, truth):
    channel = ak.Warner(truth=truth).channel(YN)
    direct, still = share * denied, share * denied_still
    compare = compare_with_direct(
        channel, people=people, prevalence=share, direct_bias=direct, randomised_bias=still
    )
    plain = ak.KAry(truth="1").channel(YN)
    pair = ((plain, direct, compare.direct_error), (channel, still, compare.randomised_error))
    for questions, bias, error in pair:
        assert error == pytest.approx(exact_error(questions, people, float(share), float(bias)))


@given(
    st.integers(2, 5_000),
    st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20),
    st.fractions(Fraction(3, 5), Fraction(19, 20), max_denominator=20),
)
def test_a_direct_question_is_closer_up_to_the_tolerable_bias_and_not_beyond(people, share, truth):
    channel = ak.Warner(truth=truth).channel(YN)

    def closer(bias):
        questions = {"people": people, "prevalence": float(share), "direct_bias": bias}
        return compare_with_direct(channel, **questions).prefers_direct

    bias = compare_with_direct(
        channel, people=people, prevalence=share, direct_bias=0
    ).tolerable_bias
    assert 0 < bias <= float(share)
    assert closer(bias * 0.999)
    if bias < float(share):
        assert not closer(min(bias * 1.001 + 1e-9, float(share)))


@given(
    st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20),
    st.fractions(Fraction(1, 20), 1, max_denominator=20),
    st.fractions(Fraction(3, 5), Fraction(19, 20), max_denominator=20),
)
def test_the_randomised_question_is_closer_from_the_break_even_on(share, denied, truth):
    channel, bias = ak.Warner(truth=truth).channel(YN), share * denied

    def prefers_direct(people):
        return compare_with_direct(
            channel, people=people, prevalence=share, direct_bias=bias
        ).prefers_direct

    first = compare_with_direct(channel, people=1, prevalence=share, direct_bias=bias).break_even
    assert not prefers_direct(int(first) + 1)
    if first > 2:
        assert prefers_direct(int(first) - 2)


def test_no_number_of_people_makes_up_for_no_bias():
    warner = ak.Warner(truth="3/4").channel(YN)
    compare = compare_with_direct(warner, people=10**6, prevalence="1/5", direct_bias=0)
    assert compare.break_even == math.inf
    assert compare.prefers_direct
    assert compare.to_dict()["break_even"] is None
    assert "for any number of people" in repr(compare)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"direct_bias": "1/2"}, "direct_bias"),
        ({"randomised_bias": "1/2"}, "randomised_bias"),
        ({"people": 0}, "people"),
        ({"prevalence": "6/5"}, "prevalence"),
        ({"channel": ak.KAry(truth="1/2").channel(ak.Frame(["a", "b", "c"]))}, "channel"),
    ],
)
def test_what_cannot_be_compared_is_refused(change, where):
    questions = {"people": 100, "prevalence": "1/5", "direct_bias": "1/20"}
    questions["channel"] = ak.Warner(truth="3/4").channel(YN)
    with pytest.raises(InputError, match=where):
        compare_with_direct(**(questions | change))


def test_a_plan_compares_what_it_recommends():
    words = ["plan", "--epsilon", "1", "--prevalence", "0.2", "--direct-bias", "0.01"]
    replies = CliRunner().invoke(verbs, words, catch_exceptions=False).output
    assert "The direct question is closer to the truth" in replies
    written = json.loads(CliRunner().invoke(verbs, [*words, "--json"]).output)["sensitive"][
        "direct"
    ]
    assert written["prefers_direct"] is True
    with pytest.raises(InputError, match="prevalence"):
        CliRunner().invoke(verbs, [*words[:3], *words[5:]], catch_exceptions=False)
