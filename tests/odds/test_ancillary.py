"""Standard errors are given what is ancillary: how many say something, and which cuts came."""

import numpy as np
import pytest
from budget import Watch, alarm, dice, settle

import askance as ak
from askance.channels import RangeChannel
from askance.inference import estimate_line

pytestmark = pytest.mark.odds

Z = 1.959964
NULL, DEFECTS = (0.92, 0.975), (0.85, 0.999)

ABSTAIN = ak.Abstain(truth="3/5", lie="1/10").channel(ak.Frame(["yes", "no"]))
PEOPLE, SHARE, REFUSING = 3000, 0.3, 0.6
WEIGHTS = np.array([1.0, 3.0])  # of people drawn often, and seldom


def refused(rng):
    """Six in ten refuse beside the mechanism's own "don't know"; weights go with nothing."""
    law = np.array([SHARE, 1 - SHARE]) @ ABSTAIN.matrix
    names = np.array(ABSTAIN.reports)
    law = (1 - REFUSING) * law + REFUSING * (names == "don't know")
    values = np.array([rng.multinomial(n, law) for n in (PEOPLE // 2, PEOPLE // 2)])
    sums = [values.sum(axis=0), WEIGHTS @ values, WEIGHTS**2 @ values]
    counts, first, second = (
        dict(zip(ABSTAIN.reports, item.tolist(), strict=True)) for item in sums
    )
    result = ak.estimate(ak.Tally(ABSTAIN, counts, weights=first, squares=second))
    speaks = 1 - sums[1][names == "don't know"][0] / sums[1].sum()
    return abs(result.value[0] - SHARE) / result.se[0], speaks / 0.7


def test_weighted_shares_are_given_how_many_say_something():
    """The twin takes as many to say something as the mechanism would have let."""
    name = "weighted shares, many refuse"
    rng = dice(name)
    watches = {
        "given": (Watch(NULL, DEFECTS, alarm(name)), lambda draws: draws[0] <= Z),
        "expected": (Watch(NULL, DEFECTS, alarm(name)), lambda sample: sample[0] <= Z * sample[1]),
    }
    judged = settle(lambda: refused(rng), watches)
    assert judged == {"given": "holds", "expected": "too low"}


TICKS = 12
CHANNEL = RangeChannel(ak.exact.Line(1, TICKS, 1, integer=True), [1] * (TICKS - 1))
MASSES = np.array([2, 4, 6, 9, 12, 14, 14, 12, 10, 8, 6, 3]) / 100
CDF, MEAN = np.cumsum(MASSES)[:-1], float(np.arange(1, TICKS + 1) @ MASSES)
ANSWERING = np.array([1, 1, 1, 0.5, 0.1, 0.1, 0.1, 0.1, 0.5, 1, 1])  # at each cut
ASKED = 2500


def cut_shown(rng):
    """People see their cut, and answer less often where it lies in the middle."""
    law = ANSWERING / (TICKS - 1)
    n = rng.multinomial(ASKED, np.append(law, 1 - law.sum()))[:-1]
    below = rng.binomial(n, CDF)
    cuts = np.arange(1, TICKS)
    cells = np.concatenate(
        [np.stack([0 * cuts, cuts], axis=1), np.stack([cuts, 0 * cuts + TICKS], axis=1)]
    )
    counts = np.concatenate([below, n - below])
    ranges = CHANNEL.ranges(cells[counts > 0], counts[counts > 0])
    estimate = estimate_line(CHANNEL, ranges, level=0.9995)
    as_asked = np.sqrt((CDF * (1 - CDF)).sum() * (TICKS - 1) / n.sum())
    return abs(estimate.mean - MEAN), estimate.se, as_asked


def test_a_mean_is_given_which_cuts_came():
    """The twin is Ding and Ding's variance (2022, theorem 2), with the cuts as they were drawn."""
    name = "one cut, many refuse at some"
    rng = dice(name)
    watches = {
        "given": (Watch(NULL, DEFECTS, alarm(name)), lambda draws: draws[0] <= Z * draws[1]),
        "expected": (Watch(NULL, DEFECTS, alarm(name)), lambda sample: sample[0] <= Z * sample[2]),
    }
    judged = settle(lambda: cut_shown(rng), watches)
    assert judged == {"given": "holds", "expected": "too low"}
