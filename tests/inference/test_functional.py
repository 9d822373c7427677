"""Bounds on averages hold for every way to place the mass, and are reached by some."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.channels import Ranges
from askance.inference import functional_bounds, moment_bounds, npmle
from askance_collect.errors import InputError


def fitted(seed, n=40):
    rng = np.random.default_rng(seed)
    y, cut = rng.normal(size=n), rng.normal(size=n)
    return npmle(Ranges(np.where(y <= cut, -np.inf, cut), np.where(y <= cut, cut, np.inf)))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 5), st.floats(-2, 2))
def test_every_placing_of_the_mass_is_within_the_bounds(seed, order, about):
    fit, rng = fitted(seed), np.random.default_rng(seed)
    lower, upper = np.maximum(fit.lower, -5), np.minimum(fit.upper, 5)
    low, high = moment_bounds(fit, order, (-5, 5), about)
    for _ in range(20):
        placed = upper - (upper - lower) * rng.random(len(lower)) ** rng.choice([0.01, 1, 100])
        average = fit.mass @ (placed - about) ** order
        assert low - 1e-9 <= average <= high + 1e-9
    ends = [(end - about) ** order for end in (lower, upper)]
    top = np.maximum(*ends)
    inside = (lower < about) & (about < upper) & (order % 2 == 0)
    assert high == pytest.approx(fit.mass @ top)
    assert low == pytest.approx(fit.mass @ np.where(inside, 0.0, np.minimum(*ends)))


def test_the_mean_is_that_of_the_distribution():
    fit = fitted(1)
    assert moment_bounds(fit, 1, (-9, 9)) == pytest.approx(fit.mean_bounds((-9, 9)))
    assert moment_bounds(fit, 1) == fit.mean_bounds()


def test_a_falling_average_is_bounded_from_the_other_ends():
    fit = fitted(2)
    low, high = moment_bounds(fit, 1, (-9, 9))
    assert functional_bounds(fit, lambda y: -y, (-9, 9)) == pytest.approx((-high, -low))


def test_a_bounded_average_needs_no_support():
    low, high = functional_bounds(fitted(3), lambda y: 1 / (1 + np.exp(-y)))
    assert 0 <= low < high <= 1


def test_without_support_an_open_end_makes_a_bound_infinite():
    fit = npmle(Ranges([-np.inf, 1], [1, np.inf]))
    assert moment_bounds(fit, 1) == (-np.inf, np.inf)
    assert moment_bounds(fit, 2) == (0.5, np.inf)


def test_what_cannot_be_is_refused():
    fit = npmle(Ranges([-np.inf, 1], [1, np.inf]))
    with pytest.raises(InputError, match="declare the support"):
        functional_bounds(fit, np.sin)
    with pytest.raises(InputError, match="cuts no interval"):
        moment_bounds(fit, 1, (2, 3))
    with pytest.raises(InputError, match="cuts no interval"):
        moment_bounds(fit, 1, (3, -3))
    for order in (0, -1, 1.5):
        with pytest.raises(InputError, match="order"):
            moment_bounds(fit, order)
