"""Regressions with sampling weights cover; with weights that are taken for counts they do not."""

import numpy as np
import pytest
from budget import Watch, alarm, dice, settle
from scipy.special import expit

import askance as ak

pytestmark = pytest.mark.odds

NULL, DEFECTS = (0.92, 0.975), (0.85, 0.999)
CHANNEL = ak.KAry(truth="9/10").channel(ak.Frame(["yes", "no"]))
PEOPLE, INTERCEPT, SLOPE = 900, -0.4, 0.8
WEIGHT = np.array([2, 8])  # of people with the trait, and without: drawn often, and seldom


def draw_sample(rng):
    """Draw people, those with the trait four times as often, and ask them through the channel."""
    x = rng.normal(size=PEOPLE)
    answer = (rng.random(PEOPLE) > expit(INTERCEPT + SLOPE * x)).astype(int)
    is_met = rng.random(PEOPLE) < 2 / WEIGHT[answer]
    x, answer = x[is_met], answer[is_met]
    lies = rng.random(len(x)) < CHANNEL.matrix[0, 1]
    value = np.array(CHANNEL.reports)[np.where(lies, 1 - answer, answer)]
    return value, x[:, None], WEIGHT[answer]


def covers(fit):
    coefficients_result = fit.coefficients()
    return coefficients_result.lower[0] <= INTERCEPT <= coefficients_result.upper[0]


def test_sampling_weights_have_errors_of_their_own():
    """The twin takes each weight for so many people who are alike."""
    name = "regression, sampling weights"
    rng = dice(name)
    watches = {
        "weights": (
            Watch(NULL, DEFECTS, alarm(name)),
            lambda draws: covers(fitted(draws, "weights")),
        ),
        "counts": (
            Watch(NULL, DEFECTS, alarm(name)),
            lambda sample: covers(fitted(sample, "counts")),
        ),
    }
    judged = settle(lambda: draw_sample(rng), watches)
    assert judged == {"weights": "holds", "counts": "too low"}


def fitted(sample, word):
    replies, x, weights = sample
    return ak.response_regression(replies, x, CHANNEL, **{word: weights})
