"""Intervals of weighted shares hold the share as often as they say, where weights tell answers."""

import numpy as np
import pytest
from budget import Watch, alarm, dice, settle

import askance as ak

pytestmark = pytest.mark.odds

ABSTAIN = ak.Abstain(truth="3/5", lie="1/10").channel(ak.Frame(["yes", "no"]))
PEOPLE, SHARE, ASKED = 800, 0.3, np.array([0.8, 0.4])
NULL, DEFECTS = (0.92, 0.975), (0.85, 0.995)


def held(rng, *, weighted):
    """Ask people with unequal chances, and weigh each by the inverse of the chance."""
    yes = rng.binomial(PEOPLE, SHARE)
    asked = rng.binomial([yes, PEOPLE - yes], ASKED)
    sent = np.array([rng.multinomial(n, law) for n, law in zip(asked, ABSTAIN.matrix, strict=True)])
    weights = 1 / ASKED if weighted else np.ones(2)
    told = (sent.sum(axis=0), weights @ sent, weights**2 @ sent)
    counts, first, second = (dict(zip(ABSTAIN.reports, one.tolist(), strict=True)) for one in told)
    found = ak.estimate(ak.Tally(ABSTAIN, counts, weights=first, squares=second))
    return found.lower[0] <= SHARE <= found.upper[0]


def test_weighted_intervals_hold_and_unweighted_ones_do_not():
    name = "weighted shares"
    rng = dice(name)
    watches = {
        weighted: (
            Watch(NULL, DEFECTS, alarm(name)),
            lambda rng, weighted=weighted: held(rng, weighted=weighted),
        )
        for weighted in (True, False)
    }
    assert settle(lambda: rng, watches) == {True: "holds", False: "too low"}
