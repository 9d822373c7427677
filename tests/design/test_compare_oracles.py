"""Frequency oracles side by side, against their matrices at few answers."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import askance as ak
from askance.design import compare_oracles
from askance_collect.errors import InputError


def expected_squares(oracle, shares, people):
    """Sum the variances of all estimates, each report's set by set."""
    sets, rows = oracle.written()
    separate = (oracle.true_positive_rate - oracle.false_positive_rate) ** 2 * people
    law = [
        sum(f * row[index] for f, row in zip(shares, rows, strict=True))
        for index in range(len(sets))
    ]
    totals = [
        sum(chance for chance, mask in zip(law, sets, strict=True) if mask >> x & 1)
        for x in range(oracle.answers)
    ]
    return sum(total * (1 - total) for total in totals) / separate


@pytest.mark.long
@given(st.integers(2, 6), st.sampled_from(["3/2", 3, 9]), st.integers(1, 5))
def test_errors_are_those_of_the_matrices_whatever_the_shares(k, ratio, weight):
    shares = [1 / (k + weight)] * (k - 1)
    shares.append(1 - sum(shares))
    result = compare_oracles(answers=k, people=100, ratio=ratio)
    assert len(result.oracles) == 7
    for item in result.oracles:
        channel = item.mechanism.channel(ak.Frame([f"x{index}" for index in range(k)]))
        local = ak.local_loss(channel)
        assert local.value == item.guarantees[0].value
        if channel.oracle is not None and channel.oracle.name != "hash":
            squares = expected_squares(channel.oracle, shares, 100)
            # the matrix's people are drawn anew with each report, which adds their own variance
            draws = sum(share * (1 - share) for share in shares) / 100
            assert math.isclose(squares, item.squared_error + draws, rel_tol=1e-9)


@pytest.mark.parametrize("epsilon", [0.5, 1, 4])
@pytest.mark.parametrize("answers", [2, 10, 500])
def test_the_first_is_as_good_as_the_best_and_no_dearer_than_those_as_good(answers, epsilon):
    result = compare_oracles(answers=answers, people=1000, epsilon=epsilon)
    least = min(oracle.squared_error for oracle in result.oracles)
    good = [oracle for oracle in result.oracles if oracle.squared_error <= 1.02 * least]
    assert result.best in good
    assert list(result.oracles[: len(good)]) == good
    rest = [oracle.squared_error for oracle in result.oracles[len(good) :]]
    assert rest == sorted(rest)
    assert result.best.label in result.reason
    assert all(oracle.guarantees[0].epsilon <= epsilon + 1e-6 for oracle in result.oracles)


def test_k_ary_response_wins_with_few_answers_and_loses_with_many():
    few = compare_oracles(answers=3, people=1000, epsilon=2)
    many = compare_oracles(answers=1000, people=1000, epsilon=2)
    assert few.best.label == "k-ary response"
    assert many.oracles[-1].label in {"k-ary response", "Hadamard response"}
    assert many.best.bytes <= 3


def test_long_reports_are_left_out():
    result = compare_oracles(answers=1000, people=1000, epsilon=5, max_bytes=2)
    assert {oracle.bytes for oracle in result.oracles} == {2}
    with pytest.raises(InputError, match="2 or more"):
        compare_oracles(answers=1000, people=1000, epsilon=5, max_bytes=1)


def test_it_is_written_for_json_and_as_a_frame():
    result = compare_oracles(answers=100, people=1000, epsilon=1)
    document = result.to_dict()
    assert document["oracles"][0]["oracle"] == result.best.label
    assert result.to_frame()["squared_error"].tolist() == [o.squared_error for o in result.oracles]
    assert result.to_frame()["oracle"].tolist() == [o.label for o in result.oracles]
    assert {row["walley"] for row in document["oracles"]} > {None}
    assert repr(result).splitlines()[0] == "1,000 reports on 100 answers"
