"""Honest reports are doubted as seldom as stated; a fifth that was invented is found."""

import numpy as np
import pytest
from budget import alarm, dice, judge

import askance as ak
from askance.inference import GoodnessOfFit
from askance.inference.range_tests import range_fit, stopped_fit

pytestmark = pytest.mark.odds

SURVEYS, PEOPLE = 100, 2_000
ABSTAIN = ak.Abstain(truth="3/5", lie="1/10").channel(ak.Frame(["yes", "no"]))
CUTS = ak.RangeChannel(ak.Line(0, 20, 1), [1] * 19, 2)


def table(rng, invented):
    law = np.array([0.3, 0.7]) @ ABSTAIN.matrix
    counts = rng.multinomial(PEOPLE - invented, law)
    counts[0] += invented
    return ak.inference.goodness_of_fit(
        ak.Tally(ABSTAIN, dict(zip(ABSTAIN.reports, counts.tolist(), strict=True)))
    )


def villages(rng, invented):
    """Twenty villages, in each of which all have one answer: coins are nobody's but one's own."""
    yes = PEOPLE // 20 * int(rng.binomial(20, 0.3))
    honest = PEOPLE - invented
    first = min(yes, honest)
    counts = rng.multinomial(first, ABSTAIN.matrix[0])
    counts += rng.multinomial(honest - first, ABSTAIN.matrix[1])
    counts[0] += invented
    weights = {name: 9.0 * index for index, name in enumerate(ABSTAIN.reports, start=1)}
    mapping = dict(zip(ABSTAIN.reports, counts.tolist(), strict=True))
    tally = ak.Tally(ABSTAIN, mapping, weights=weights, squares=weights)
    return ak.inference.goodness_of_fit(tally)


def ranges(rng, invented):
    cuts = np.sort(rng.integers(1, 20, (PEOPLE, 2)), axis=1)
    ticks = np.concatenate([np.zeros((PEOPLE, 1), int), cuts, np.full((PEOPLE, 1), 20)], axis=1)
    index = (ticks <= rng.binomial(19, 0.4, PEOPLE)[:, None]).sum(axis=1) - 1
    people = np.arange(PEOPLE)
    cells = np.stack([ticks[people, index], ticks[people, index + 1]], axis=1)
    cells[:invented] = np.add(rng.integers(15, 19, (invented, 1)), [0, 1])
    return GoodnessOfFit(tests=range_fit(CUTS, *np.unique(cells, axis=0, return_counts=True)))


def stopped(rng, invented):
    """People go on only while the answer is in the lower half of their range: they tell by it."""
    answer = rng.binomial(19, 0.4, PEOPLE)
    low, high, going = np.zeros(PEOPLE, int), np.full(PEOPLE, 20), np.ones(PEOPLE, bool)
    for _ in range(2):
        cut = rng.integers(1, 20, PEOPLE)
        parts = going & (low < cut) & (cut < high)
        above = cut <= answer
        low, high = np.where(parts & above, cut, low), np.where(parts & ~above, cut, high)
        going &= 2 * answer < low + high
    cells = np.stack([low, high], axis=1)
    cells[:invented] = np.add(rng.integers(15, 19, (invented, 1)), [0, 1])
    return GoodnessOfFit(tests=stopped_fit(CUTS, *np.unique(cells, axis=0, return_counts=True)))


@pytest.mark.parametrize(
    ("name", "survey"),
    [
        ("goodness of fit, table", table),
        ("goodness of fit, ranges", ranges),
        ("goodness of fit, stopped", stopped),
        ("goodness of fit, villages", villages),
    ],
)
def test_honest_surveys_pass_and_stuffed_ones_do_not(name, survey):
    rng = dice(name)
    doubted = [sum(survey(rng, fake).doubted for _ in range(SURVEYS)) for fake in (0, PEOPLE // 5)]
    null = (0.0, 0.001)  # once in 1,000 surveys
    assert judge(doubted[0], SURVEYS, null, alarm(name)) == "holds"
    assert judge(doubted[1], SURVEYS, null, alarm(name)) == "too high"
