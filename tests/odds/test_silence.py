"""Standard errors of shares hold given how many reports say something, few or many."""

from math import log, sqrt

import numpy as np
import pytest
from budget import MISS, Watch, alarm, dice, settle
from scipy.stats import binom

import askance as ak
from askance.inference import estimate_joint, mean_inverse, moment_estimate

pytestmark = pytest.mark.odds

TRUTH, LIE, SHARE, PEOPLE, SURVEYS = 0.3, 0.05, 0.3, 86, 120_000
CHANNEL = ak.Abstain(truth="3/10", lie="1/20").channel(ak.Frame(["yes", "no"]))
SAYS = TRUTH + LIE
YES = (LIE + (TRUTH - LIE) * SHARE) / SAYS
SLOPE = (TRUTH - LIE) / SAYS


def estimated(result: int, yes: int) -> tuple[float, float]:
    """The unbiased share, and its squared standard error."""
    counts = {"yes": yes, "no": result - yes, "don't know": PEOPLE - result}
    estimate = moment_estimate(ak.Tally(CHANNEL, counts))
    return float(estimate.value[0]), float(estimate.se[0]) ** 2


def bound(spread: float, most: float, surveys: int, spend: float) -> float:
    """How far a mean is from what it should be, by Bernstein's inequality."""
    size = log(2 / spend)
    return sqrt(2 * spread * size / surveys) + 2 * most * size / (3 * surveys)


def test_squared_errors_are_foretold_where_few_and_where_many_say_something():
    """The twin is theorem 10's plug-in, which averages over how many could have said something.

    A squared error is f(1 − f)/(m − 1)/slope² on average, given m: that is m/(m − 1) times the
    squared standard error.
    """
    name = "silence, few and many"
    rng = dice(name)
    binomial_result = rng.binomial(PEOPLE, SAYS, SURVEYS)
    binomial_result = binomial_result[binomial_result > 1]
    yes = rng.binomial(binomial_result, YES)
    pairs, which = np.unique(np.stack([binomial_result, yes]), axis=1, return_inverse=True)
    figures = np.array([estimated(int(m), int(y)) for m, y in pairs.T])
    value, squared = figures[which.ravel()].T
    missed = (value - SHARE) ** 2
    inputs = missed - squared * binomial_result / (binomial_result - 1)
    expected = missed - squared * binomial_result * mean_inverse(PEOPLE, SAYS)
    low = binomial_result <= binom.median(PEOPLE, SAYS)
    variance = YES * (1 - YES) / SLOPE**2 / binomial_result
    for half, sign in ((low, 1), (~low, -1)):
        spread, most = 3 * float((variance[half] ** 2).mean()), 1 / SLOPE**2
        allowed = bound(spread, most, int(half.sum()), alarm(name) / 2)
        assert abs(inputs[half].mean()) <= allowed
        assert sign * expected[half].mean() > bound(spread, most, int(half.sum()), MISS)
        assert sign * expected[half].mean() > allowed


ABSTAIN = ak.Abstain(truth="3/5", lie="1/10").channel(ak.Frame(["yes", "no"]))
REFUSING, ASKED = 0.6, 1500
PAIRS = np.array([[0.2, 0.1], [0.25, 0.45]])
NULL, DEFECTS = (0.92, 0.975), (0.85, 0.999)
Z = 1.959964


def refused(rng: np.random.Generator) -> tuple[float, float]:
    """Six in ten refuse each question, beside the mechanism's own "don't know"."""
    refuse = REFUSING * (np.array(ABSTAIN.reports) == "don't know")
    law = (1 - REFUSING) * ABSTAIN.matrix + refuse
    reshape_result = rng.multinomial(ASKED, (law.T @ PAIRS @ law).ravel()).reshape(3, 3)
    estimate = estimate_joint({"one": ABSTAIN, "other": ABSTAIN}, reshape_result)
    margin = np.array([1.0, 1.0, 0.0, 0.0])
    se = sqrt(margin @ estimate.covariance @ margin)
    return abs(float(estimate.margin("one")[0]) - PAIRS[0].sum()) / se, 1 - REFUSING


def test_margins_of_two_questions_are_given_how_many_answer_each():
    """The twin takes as many to say something as the mechanism would have let."""
    name = "two questions, many refuse"
    rng = dice(name)
    watches = {
        "given": (Watch(NULL, DEFECTS, alarm(name)), lambda draws: draws[0] <= Z),
        "expected": (
            Watch(NULL, DEFECTS, alarm(name)),
            lambda sample: sample[0] <= Z * sqrt(sample[1]),
        ),
    }
    judged = settle(lambda: refused(rng), watches)
    assert judged == {"given": "holds", "expected": "too low"}
