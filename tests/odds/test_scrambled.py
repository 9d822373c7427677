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
    asked = rng.random(1200) < pi
    y, pi = y[asked], pi[asked]
    scrambled = rng.normal(1, 0.3, len(y)) * (y + rng.normal(2, 0.5, len(y)))
    said = np.where(rng.random(len(y)) < 0.3, y, scrambled)
    found = scrambled_mean(said, SCRAMBLING, inclusion=pi)
    return Reading((found.lower, found.upper), (found.value, found.value), (5.5, 5.5))


def drawn(rng: np.random.Generator) -> Reading:
    """Days from 0 to 20, many at an end, with discrete Laplace noise."""
    y = np.minimum(rng.poisson(3, 400), 20)
    said = privatise(NOISY, [str(one) for one in y.tolist()], rng=rng)
    found = mean_of_numbers(tally(NOISY, said))
    mean = 3.0  # that of the law, but for what lies beyond 20
    return Reading((found.lower, found.upper), (found.value, found.value), (mean, mean))


SURVEYS = {"scrambled mean": survey, "mean of noisy numbers": drawn}


@pytest.mark.parametrize("name", SURVEYS)
def test_intervals_cover_at_their_level(name):
    rng, watches = dice(name), stretched(name)
    assert settle(lambda: SURVEYS[name](rng), watches) == expected(watches)
