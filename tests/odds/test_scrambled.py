"""Intervals of means of scrambled numbers cover at their level; wrong errors are found out."""

import numpy as np
import pytest
from budget import dice, settle
from designs import Reading, expected, stretched

from askance import Frame, privatise, tally
from askance.inference import Scrambling, mean_of_numbers, scrambled_mean
from askance.mechanisms import DiscreteLaplace

pytestmark = pytest.mark.odds

SCRAMBLING = Scrambling.diana_perri_1(truth_chance=0.3, factor=(1.0, 0.3), added=(2.0, 0.5))
NOISY = DiscreteLaplace.at_epsilon(4).channel(Frame([str(day) for day in range(21)]))


def survey(rng: np.random.Generator) -> Reading:
    """People of whom those with large numbers are asked more often."""
    large = rng.random(1200) < 0.5
    y = rng.gamma(4, 1, 1200) + 3 * large
    pi = np.where(large, 0.5, 0.25)
    is_requested = rng.random(1200) < pi
    y, pi = y[is_requested], pi[is_requested]
    scrambled = rng.normal(1, 0.3, len(y)) * (y + rng.normal(2, 0.5, len(y)))
    selected = np.where(rng.random(len(y)) < 0.3, y, scrambled)
    mean = scrambled_mean(selected, SCRAMBLING, inclusion=pi)
    return Reading((mean.lower, mean.upper), (mean.value, mean.value), (5.5, 5.5))


def draw_reading(rng: np.random.Generator) -> Reading:
    """Days from 0 to 20, many at an end, with discrete Laplace noise."""
    y = np.minimum(rng.poisson(3, 400), 20)
    reports = privatise(NOISY, [str(item) for item in y.tolist()], rng=rng)
    result = mean_of_numbers(tally(NOISY, reports))
    mean = 3.0  # that of the law, but for what lies beyond 20
    return Reading((result.lower, result.upper), (result.value, result.value), (mean, mean))


SURVEYS = {"scrambled mean": survey, "mean of noisy numbers": draw_reading}


@pytest.mark.parametrize("name", SURVEYS)
def test_intervals_cover_at_their_level(name):
    rng, watches = dice(name), stretched(name)
    assert settle(lambda: SURVEYS[name](rng), watches) == expected(watches)
