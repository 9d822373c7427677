"""The smooth curve: a distribution, whose density is its slope, and near the truth."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from askance.channels import Ranges
from askance.inference import npmle, smoothed
from askance_collect.errors import InputError


def fitted(seed, n=200):
    rng = np.random.default_rng(seed)
    y, cut = rng.beta(2, 3, n), rng.random(n)
    return npmle(Ranges(np.where(y <= cut, -np.inf, cut), np.where(y <= cut, cut, np.inf)))


@pytest.mark.long
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.floats(0.01, 1))
def test_it_is_a_distribution_and_the_density_is_its_slope(seed, bandwidth):
    curve = smoothed(fitted(seed, 60), (0, 1), bandwidth)
    places = np.linspace(0, 1, 301)
    cdf = curve.cdf(places)
    assert cdf[[0, -1]] == pytest.approx([0, 1], abs=1e-9)
    assert np.diff(cdf).min() >= -1e-9
    assert curve.density(places).min() >= -1e-9
    inner, step = places[1:-1], 1e-6
    slope = (curve.cdf(inner + step) - curve.cdf(inner - step)) / (2 * step)
    assert slope == pytest.approx(curve.density(inner), rel=1e-3, abs=1e-3 / bandwidth)


def test_it_is_the_kernel_averaged_over_the_masses():
    curve = smoothed(fitted(1), (0, 1), 0.3)

    def kernel(u):
        return 35 / 32 * (1 - u**2) ** 3 if abs(u) < 1 else 0.0

    for number in (0.05, 0.4, 0.9):
        total = 0.0
        for low, high, mass in zip(curve.lower, curve.upper, curve.fit.mass, strict=True):
            places = low + (high - low) * (np.arange(200) + 0.5) / 200
            for mirror in (number, -number, 2 - number):
                total += (
                    mass * np.mean([kernel((mirror - position) / 0.3) for position in places]) / 0.3
                )
        assert curve.density(number) == pytest.approx(total, rel=1e-3)


def test_a_small_bandwidth_leaves_the_masses_spread_evenly():
    fit = npmle(Ranges([0, 2], [2, 4], counts=[1, 3]))
    curve = smoothed(fit, (0, 4), 1e-3)
    assert curve.cdf([1, 2, 3]) == pytest.approx(fit.cdf([1, 2, 3]), abs=1e-3)
    assert curve.density([1, 3]) == pytest.approx([0.125, 0.375])


@pytest.mark.long
def test_many_people_bring_it_near_the_truth():
    from scipy.stats import beta

    curve = smoothed(fitted(2, 20_000), (0, 1))
    places = np.linspace(0, 1, 50)
    assert np.abs(curve.cdf(places) - beta(2, 3).cdf(places)).max() < 0.03
    assert quad(curve.density, 0, 1, limit=200)[0] == pytest.approx(1, abs=1e-5)


def test_outside_the_support_there_is_nothing():
    curve = smoothed(fitted(3), (0, 1))
    assert curve.cdf([-1, 2]).tolist() == pytest.approx([0, 1], abs=1e-12)
    assert curve.density([-1, 2]).tolist() == [0, 0]
    assert len(curve.to_dict()["cdf"]) == 201
    assert curve.plot().get_ylabel() == "density"


def test_what_cannot_be_is_refused():
    fit = fitted(4)
    for support in ((0, np.inf), (1, 0), (0.9, 1)):
        with pytest.raises(InputError, match="support"):
            smoothed(fit, support)
    for bandwidth in (0, -1, 2, np.nan):
        with pytest.raises(InputError, match="bandwidth"):
            smoothed(fit, (0, 1), bandwidth)
