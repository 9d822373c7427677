"""The climb to the most likely shares reaches the top, whatever the channel."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from askance.channels import Channel, Frame, Tally
from askance.inference import Convergence, identified, most_likely
from askance.inference import maximisation as solver
from askance.mechanisms import Warner


@st.composite
def tallies(draw):
    """Tallies of channels with reports that some answers never send, some of them never seen."""
    k = draw(st.integers(2, 7))
    m = k + draw(st.integers(0, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    rows = rng.random((k, m)) * (rng.random((k, m)) < draw(st.sampled_from([0.4, 0.8, 1.0])))
    rows[np.arange(k), rng.permutation(m)[:k]] += 0.5
    rows /= rows.sum(axis=1, keepdims=True)
    answers = [f"a{index}" for index in range(k)]
    channel = Channel(Frame(answers), {f"r{index}": [answers[0]] for index in range(m)}, rows)
    counts = rng.integers(0, 10 ** draw(st.integers(1, 9)), m) * (rows.max(axis=0) > 0)
    return Tally(channel, dict(zip(channel.reports, counts.tolist(), strict=True)))


def parts(tally):
    """Give the chances of the reports that were seen, and how often each was."""
    is_seen = tally.counts > 0
    return tally.channel.matrix[:, is_seen], tally.counts[is_seen]


def missing(tally, shares):
    """Bound what is missing to the top, per report, by the score of each answer (Kuhn–Tucker)."""
    rows, counts = parts(tally)
    return float((rows @ (counts / (shares @ rows))).max() / counts.sum()) - 1


def mean_log(tally, shares):
    rows, counts = parts(tally)
    return float(counts @ np.log(np.maximum(shares @ rows, 1e-300)) / counts.sum())


def usable(tally):
    return tally.counts.sum() > 0 and identified(tally.channel).condition < 1e6


@settings(max_examples=100, deadline=None)
@given(tallies().filter(usable), st.integers(0, 2**32))
def test_the_gap_is_closed_and_bounds_what_is_missing(tally, seed):
    likely = most_likely(tally)
    assert likely.gap <= 1e-12
    assert likely.convergence is not Convergence.STOPPED
    assert missing(tally, likely.value) <= 2e-12
    assert likely.value.min() >= 0
    assert likely.value.sum() == pytest.approx(1)
    for other in np.random.default_rng(seed).dirichlet(np.ones(len(likely.value)), 20):
        behind = mean_log(tally, likely.value) - mean_log(tally, other)
        assert -1e-9 <= behind <= missing(tally, other) + 1e-9


@pytest.mark.long
@settings(max_examples=25, deadline=None)
@given(tallies().filter(usable))
def test_a_general_optimiser_finds_nothing_higher(tally):
    result = most_likely(tally).value
    rival = minimize(
        lambda index: -mean_log(tally, index),
        np.full(len(result), 1 / len(result)),
        bounds=[(0, 1)] * len(result),
        constraints={"type": "eq", "fun": lambda position: position.sum() - 1},
        method="SLSQP",
    )
    inside = np.clip(rival.x, 0, None)
    assert mean_log(tally, result) >= mean_log(tally, inside / inside.sum()) - 1e-9


def test_without_newton_em_alone_still_climbs(monkeypatch):
    monkeypatch.setattr(solver.CurvedMixture, "best", lambda _, local, free: local.shares)
    channel = Warner(truth="3/4").channel(Frame(["yes", "no"]))
    likely = most_likely(Tally(channel, {"yes": 55, "no": 45}))
    assert likely.value == pytest.approx([0.6, 0.4], abs=1e-6)
    assert likely.gap < 1e-8
