"""Intervals of weighted shares hold the share as often as they say, where weights tell answers."""

import numpy as np
import pytest
from budget import Watch, alarm, dice, settle

import askance as ak

pytestmark = pytest.mark.odds

ABSTAIN = ak.Abstain(truth="3/5", lie="1/10").channel(ak.Frame(["yes", "no"]))
PEOPLE, SHARE, INCLUSION = 800, 0.3, np.array([0.8, 0.4])
NULL, DEFECTS = (0.92, 0.975), (0.85, 0.995)


def draw_reading(rng, *, weighted):
    """Ask people with unequal chances, and weigh each by the inverse of the chance."""
    yes = rng.binomial(PEOPLE, SHARE)
    binomial_result = rng.binomial([yes, PEOPLE - yes], INCLUSION)
    values = np.array(
        [rng.multinomial(n, law) for n, law in zip(binomial_result, ABSTAIN.matrix, strict=True)]
    )
    weights = 1 / INCLUSION if weighted else np.ones(2)
    result = (values.sum(axis=0), weights @ values, weights**2 @ values)
    counts, first, second = (
        dict(zip(ABSTAIN.reports, item.tolist(), strict=True)) for item in result
    )
    outcome = ak.estimate(ak.Tally(ABSTAIN, counts, weights=first, squares=second))
    return outcome.lower[0] <= SHARE <= outcome.upper[0]


def test_weighted_intervals_hold_and_unweighted_ones_do_not():
    name = "weighted shares"
    rng = dice(name)
    watches = {
        weighted: (
            Watch(NULL, DEFECTS, alarm(name)),
            lambda rng, weighted=weighted: draw_reading(rng, weighted=weighted),
        )
        for weighted in (True, False)
    }
    assert settle(lambda: rng, watches) == {True: "holds", False: "too low"}
