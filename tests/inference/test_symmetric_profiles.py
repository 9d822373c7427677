"""Intervals in closed form, where all answers are protected alike, beside climbed ones.

A report that is split in two, by a toss that has nothing to do with the answer, says the same, but
the channel no longer has one report for each answer, so that every profile is climbed.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import askance as ak


def channels(k, truth, order):
    """Write k-ary response with its reports in some order, and the same with one report split."""
    frame = ak.Frame([f"answer {position}" for position in range(k)])
    rows = np.full((k, k), (1 - truth) / (k - 1))
    np.fill_diagonal(rows, truth)
    rows = rows[:, order]
    reports = {f"report {index}": 1 << index for index in order}
    split = np.column_stack([rows[:, :1] * 0.4, rows[:, :1] * 0.6, rows[:, 1:]])
    first, *others = reports
    halves = {f"{first} {half}": reports[first] for half in "ab"}
    return ak.Channel(frame, reports, rows), ak.Channel(
        frame, halves | {name: reports[name] for name in others}, split
    )


@settings(max_examples=40, deadline=None)
@given(
    k=st.integers(3, 6),
    truth=st.sampled_from([0.4, 0.55, 0.9, 0.999, 1.0]),
    level=st.sampled_from([0.5, 0.95, 0.9999]),
    data=st.data(),
)
@pytest.mark.long
def test_closed_form_and_climb_agree(k, truth, level, data):
    order = data.draw(st.permutations(range(k)))
    size = st.sampled_from([0, 0, 1, 2, 7, 30, 200, 5000, 10**6])
    counts = data.draw(st.lists(size, min_size=k, max_size=k).filter(any))
    equal, split = channels(k, truth, order)
    first, *others = counts
    result = ak.estimate(ak.Tally(equal, dict(zip(equal.reports, counts, strict=True))), level)
    parts = [first // 3, first - first // 3, *others]
    climbed = ak.estimate(ak.Tally(split, dict(zip(split.reports, parts, strict=True))), level)
    assert result.lower == pytest.approx(climbed.lower, abs=1e-8)
    assert result.upper == pytest.approx(climbed.upper, abs=1e-8)


def test_plain_answers_have_the_binomial_likelihood_ratio():
    plain = ak.Channel(
        ak.Frame(list("abc")), {character: [character] for character in "abc"}, np.eye(3)
    )
    result = ak.estimate(ak.Tally(plain, {"a": 20, "b": 80}))

    def deviance(share):
        return 2 * (20 * np.log(0.2 / share) + 80 * np.log(0.8 / (1 - share)))

    z = 1.959963984540054
    assert deviance(result.lower[0]) == pytest.approx(z * z, abs=1e-6)
    assert deviance(result.upper[0]) == pytest.approx(z * z, abs=1e-6)
    assert result.upper[2] == pytest.approx(1 - np.exp(-z * z / 200), abs=1e-9)


def test_intervals_of_a_hundred_answers_take_little_more_work_than_their_shares(instructions):
    k = 128
    equal, _ = channels(k, 0.05, range(k))
    law = 1 / np.arange(1, k + 1)
    counts = np.floor(1e6 * (law / law.sum()) @ equal.matrix).astype(int).tolist()
    tally = ak.Tally(equal, dict(zip(equal.reports, counts, strict=True)))
    ak.estimate(tally)
    shares = instructions(lambda: ak.inference.most_likely(tally))
    assert instructions(lambda: ak.estimate(tally)) <= 5 * shares
