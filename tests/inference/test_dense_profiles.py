"""Likelihood-ratio intervals of many answers through any channel, beside a slow search for each.

The search is by expectation and maximisation with one share held, which never descends and needs no
derivative of ours.
"""

import numpy as np
import pytest

import askance as ak

Z = 1.959963984540054


def channel(k, m, rng, zeros=0.0):
    rows = rng.random((k, m)) ** 3 * (rng.random((k, m)) >= zeros)
    rows[:, :k] += np.eye(k)
    rows /= rows.sum(axis=1, keepdims=True)
    frame = ak.Frame([f"answer {index}" for index in range(k)])
    return ak.Channel(frame, {f"report {index}": [frame.answers[0]] for index in range(m)}, rows)


def tally(q, counts):
    return ak.Tally(q, dict(zip(q.reports, counts.tolist(), strict=True)))


def best_with(rows, counts, index, share, steps=10_000):
    """The greatest log-likelihood with one share held."""
    others = np.delete(rows, index, axis=0)
    part = np.full(len(others), (1 - share) / len(others))
    for _ in range(steps):
        chance = share * rows[index] + part @ others
        part = part * (others @ (counts / chance))
        part *= (1 - share) / part.sum()
    return counts @ np.log(share * rows[index] + part @ others)


def deviances(q, counts, result):
    """Twice the log-likelihood that either end of each interval loses."""
    is_seen = counts > 0
    rows, count = q.matrix[:, is_seen], counts[is_seen]
    most = count @ np.log(result.value @ rows)
    for index in range(len(result.value)):
        for end in (result.lower[index], result.upper[index]):
            yield end, 2 * (most - best_with(rows, count, index, end))


@pytest.mark.parametrize(
    ("k", "m", "people", "shape", "zeros"),
    [(8, 30, 3_000, 5.0, 0.0), (9, 25, 20_000, 1.0, 0.3), (12, 40, 2_000, 0.5, 0.0)],
)
@pytest.mark.long
def test_ends_lose_as_much_likelihood_as_the_level_says(k, m, people, shape, zeros):
    rng = np.random.default_rng(k)
    q = channel(k, m, rng, zeros)
    law = rng.dirichlet(np.full(k, shape)) @ q.matrix
    counts = rng.multinomial(people, law)
    result = ak.estimate(tally(q, counts))
    expected = result.value @ q.matrix * people
    inside = result.value > 0
    items = list(deviances(q, counts, result))
    for index in np.flatnonzero(inside):
        for end, deviance in items[2 * index : 2 * index + 2]:
            assert deviance == pytest.approx(Z * Z, abs=1e-4) or (end == 0 and deviance < Z * Z)
    assert inside.sum() >= 4
    for index in np.flatnonzero(~inside):  # held open by the nearest reports that shares can send
        upper = best_with(q.matrix, expected, index, result.upper[index])
        lost = 2 * (expected @ np.log(result.value @ q.matrix) - upper)
        assert result.lower[index] == 0
        assert min(lost, items[2 * index + 1][1]) == pytest.approx(Z * Z, abs=1e-3)


def test_a_hundred_million_reports_cost_no_digits():
    """Ten thousand times the reports give a hundredth of the width."""
    rng = np.random.default_rng(2)
    q = channel(16, 60, rng)
    shares = np.arange(16, 32) / np.arange(16, 32).sum()
    wide, narrow = (
        ak.estimate(tally(q, np.round(people * (shares @ q.matrix)).astype(int)))
        for people in (10**8, 10**12)
    )
    ratio = (wide.upper - wide.lower) / (narrow.upper - narrow.lower)
    assert ratio == pytest.approx(np.full(16, 100.0), rel=1e-3)
    assert np.all((narrow.lower < shares) & (shares < narrow.upper))
