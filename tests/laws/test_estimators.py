"""What must hold for every estimator."""

from itertools import product
from math import factorial, prod

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from askance.channels import Channel, Frame, Tally
from askance.inference import estimate, identified, moment_estimate
from askance.learn import corrected_accuracy
from askance_collect.exact import Table


def tallied(channel, counts):
    return Tally(channel, dict(zip(channel.reports, counts.tolist(), strict=True)))


@st.composite
def tables(draw):
    """An identified channel of whole numbers, with the weights of its answers."""
    k = draw(st.integers(2, 3))
    m = draw(st.integers(k, 4))
    total = 24
    rows = []
    for _ in range(k):
        cuts = sorted(draw(st.lists(st.integers(0, total), min_size=m - 1, max_size=m - 1)))
        rows.append(tuple(int(width) for width in np.diff([0, *cuts, total])))
    names = [f"a{index}" for index in range(k)]
    reports = {f"r{index}": [names[index % k]] for index in range(m)}
    channel = Channel(Frame(names), reports, Table(total, tuple(rows)))
    assume(identified(channel).complete)
    assume(np.linalg.cond(channel.matrix) < 50)
    weights = draw(st.lists(st.integers(1, 9), min_size=k, max_size=k))
    return channel, np.array(weights)


@settings(max_examples=60, deadline=None)
@given(tables())
def test_inversion_undoes_the_channel(drawn):
    channel, _ = drawn
    """The weight of a report for an answer is what it scores where that answer is predicted."""
    possible = channel.matrix.max(axis=0) > 0
    matrix = channel.matrix[:, possible]
    reports = [
        report for report, messages in zip(channel.reports, possible, strict=True) if messages
    ]
    inverse = np.array(
        [
            [
                corrected_accuracy([report], [answer], channel=channel)
                for answer in channel.frame.answers
            ]
            for report in reports
        ]
    )
    assert matrix @ inverse == pytest.approx(np.eye(len(matrix)), abs=1e-9)
    assert inverse.sum(axis=1) == pytest.approx(np.ones(len(inverse)), abs=1e-9)


@settings(max_examples=20, deadline=None)
@given(tables(), st.integers(1, 4))
@pytest.mark.long
def test_inversion_is_unbiased_over_every_possible_tally(drawn, n):
    channel, weights = drawn
    shares = weights / weights.sum()
    chances = shares @ channel.matrix
    total, mean = 0.0, np.zeros(len(shares))
    for counts in product(range(n + 1), repeat=len(chances)):
        if sum(counts) != n:
            continue
        ways = factorial(n) / prod(map(factorial, counts))
        chance = ways * float(np.prod(chances ** np.array(counts)))
        if chance == 0:
            continue
        result = moment_estimate(tallied(channel, np.array(counts)))
        if result.reports:
            total, mean = total + chance, mean + chance * result.value
    assert mean / total == pytest.approx(shares, abs=1e-8)


@settings(max_examples=40, deadline=None)
@given(tables(), st.integers(1, 10**6))
@pytest.mark.long
def test_shares_are_found_again_where_the_reports_are_just_as_expected(drawn, scale):
    channel, weights = drawn
    expected = weights @ np.array(channel.table.rows) * scale
    tally = tallied(channel, expected)
    result = estimate(tally)
    truth = weights / weights.sum()
    assert result.value == pytest.approx(truth, abs=1e-6)
    assert moment_estimate(tally).value == pytest.approx(truth, abs=1e-9)
    assert np.all((result.lower <= truth + 1e-9) & (truth <= result.upper + 1e-9))


@settings(max_examples=25, deadline=None)
@given(tables(), st.data())
@pytest.mark.long
def test_renaming_and_reordering_change_nothing(drawn, data):
    channel, _ = drawn
    m = len(channel.reports)
    drawn_counts = data.draw(st.lists(st.integers(0, 30), min_size=m, max_size=m))
    counts = np.array(drawn_counts) * (channel.matrix.max(axis=0) > 0)
    straight = estimate(tallied(channel, counts))
    turned_rows = tuple(row[::-1] for row in channel.table.rows[::-1])
    names = channel.frame.answers
    turned = Channel(
        Frame(names), {name: [names[0]] for name in channel.reports}, Table(24, turned_rows)
    )
    swapped = estimate(
        Tally(turned, dict(zip(channel.reports, counts[::-1].tolist(), strict=True)))
    )
    for name in ("value", "lower", "upper", "se"):
        assert getattr(swapped, name)[::-1] == pytest.approx(
            getattr(straight, name), abs=1e-5, nan_ok=True
        )
