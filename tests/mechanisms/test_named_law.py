"""Named distributions have the parameters that they are named by."""

import math

import numpy as np
import pytest
from scipy import stats

from askance.mechanisms import Ring

ONE_SD = 0.8413447460685429  # Φ(1)


@pytest.mark.parametrize(
    ("law", "index", "chance"),
    [
        ({"name": "normal", "mean": 45, "sd": 15}, 60, ONE_SD),
        ({"name": "logistic", "mean": 45, "sd": 15}, 60, 1 / (1 + math.exp(-math.pi / 3**0.5))),
        ({"name": "lognormal", "median": 30_000, "spread": "5/2"}, 75_000, ONE_SD),
        ({"name": "lognormal", "median": 30_000, "spread": "5/2"}, 30_000, 0.5),
        ({"name": "uniform", "lower": 10, "upper": 30}, 25, 0.75),
        ({"name": "uniform", "lower": -10, "upper": 30}, 10, 0.5),
    ],
)
def test_a_law_is_the_one_that_its_parameters_name(law, index, chance):
    read = Ring(floor="1/4", law=law).law
    assert float(read.cdf(index)) == pytest.approx(chance, rel=1e-14)
    assert float(read.ppf(chance)) == pytest.approx(index, rel=1e-12)


@pytest.mark.parametrize(("name", "mean", "sd"), [("normal", -3, 2), ("logistic", 45, 15)])
def test_a_mean_and_a_standard_deviation_are_what_they_are_called(name, mean, sd):
    """Read back from the quantiles: the mean of them, and their mean square about it."""
    share = (np.arange(200_000) + 0.5) / 200_000
    numbers = Ring(floor="1/4", law={"name": name, "mean": mean, "sd": sd}).law.ppf(share)
    assert numbers.mean() == pytest.approx(mean, abs=1e-9)
    assert numbers.std() == pytest.approx(sd, rel=1e-3)


@pytest.mark.parametrize(
    ("law", "replies"),
    [
        ("even", "even"),
        (np.array([1, 2]), "[1, 2]"),
        ({"name": "uniform", "lower": 0, "upper": 1}, None),
        (stats.norm(2, scale=3), "norm(2, scale=3)"),
        (np.cos, "ufunc"),
        (stats.gaussian_kde([1, 2, 4]), "gaussian_kde"),
    ],
)
def test_a_law_is_written_as_it_was_given_or_said_by_its_kind(law, replies):
    written = Ring(floor="1/4", law=law).parameters()["law"]
    assert written == (replies or '{ name = "uniform", lower = 0, upper = 1 }')
