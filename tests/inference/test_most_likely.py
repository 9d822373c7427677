"""Certified shares of many answers, whatever the channel and however many reports."""

import numpy as np
import pytest

from askance.channels import Channel, Frame, Tally
from askance.inference import Convergence, maximum_likelihood, most_likely
from askance_collect.errors import InputError, NotIdentified


def tally(rows, counts):
    answers = [f"a{index}" for index in range(len(rows))]
    reports = {f"r{index}": [answers[index % len(answers)]] for index in range(len(rows[0]))}
    channel = Channel(Frame(answers), reports, rows)
    return Tally(channel, dict(zip(reports, map(int, counts), strict=True)))


def large(seed, evenness, n, k=128, m=1024):
    rng = np.random.default_rng(seed)
    rows = 0.5 * rng.dirichlet(np.full(m, 0.5), k) + 0.5 * np.eye(k, m)
    shares = rng.dirichlet(np.full(k, evenness))
    chances = shares @ rows
    return tally(rows, rng.multinomial(n, chances / chances.sum())), shares


@pytest.mark.parametrize("n", [10**3, 10**8, 10**12])
@pytest.mark.parametrize("evenness", [0.05, 1.0])
def test_a_hundred_answers_from_a_thousand_kinds_of_report(n, evenness):
    counted, shares = large(n % 97, evenness, n)
    likely = most_likely(counted)
    assert likely.gap <= 1e-12
    assert likely.value.sum() == pytest.approx(1)
    assert likely.value.min() >= 0
    assert n < 10**8 or np.abs(likely.value - shares).max() < 100 / np.sqrt(n)
    # The certificate, computed anew: no answer's score exceeds the mean.
    is_seen = counted.counts > 0
    rows = counted.channel.matrix[:, is_seen]
    score = rows @ (counted.counts[is_seen] / (likely.value @ rows)) / n
    assert score.max() <= 1 + 1e-11
    assert score[likely.value > 1e-9] == pytest.approx(1, abs=1e-6)


def test_it_is_what_the_estimate_with_intervals_starts_from():
    counted, _ = large(5, 0.5, 10**5, k=4, m=9)
    alone, fit = most_likely(counted), maximum_likelihood(counted)
    assert alone.value.tolist() == fit.value.tolist()
    assert (alone.gap, alone.convergence, alone.reports) == (
        fit.gap,
        fit.convergence,
        fit.reports,
    )
    assert alone.to_dict()["outcome"] == alone.convergence.name.lower()
    assert "a3" in alone._repr_html_()


def test_what_cannot_be_fitted_is_refused_or_said():
    same = [[0.5, 0.5], [0.5, 0.5]]
    with pytest.raises(NotIdentified):
        most_likely(tally(same, [1, 1]))
    with pytest.raises(InputError, match="r2"):
        most_likely(tally([[0.75, 0.25, 0.0], [0.25, 0.75, 0.0]], [1, 1, 1]))
    nothing = most_likely(tally([[0.75, 0.25], [0.25, 0.75]], [0, 0]))
    assert nothing.convergence is Convergence.NO_REPORTS
    assert np.isnan(nothing.value).all()


@pytest.mark.long
@pytest.mark.parametrize("width", [0.011, 0.02, 0.06])
@pytest.mark.parametrize("n", [20, 10**12])
def test_reports_that_hardly_any_answer_sends(width, n):
    x, y = np.linspace(0, 1, 20), np.linspace(0, 1, 60)
    rows = np.exp(-(((x[:, None] - y) / width) ** 2))
    rows /= rows.sum(axis=1, keepdims=True)
    rng = np.random.default_rng(n % 89)
    for _ in range(12):
        chances = rng.dirichlet(np.full(20, 0.1)) @ rows
        counts = rng.multinomial(n, chances / chances.sum())
        assert most_likely(tally(rows, counts)).gap <= 1e-12
