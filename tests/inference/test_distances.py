"""Distances between distributions, against scipy and against every placing of the masses."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from askance.channels import Ranges
from askance.inference import Convergence, Distribution, energy_bounds, kolmogorov_bounds, npmle
from askance_collect.errors import InputError

NUMBERS = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=8)


@st.composite
def fits(draw, most=4):
    """A few masses on intervals that may touch, or on exact numbers."""
    ends = sorted(draw(st.lists(st.integers(-6, 6), min_size=2, max_size=2 * most, unique=True)))
    pairs = np.column_stack([ends[:-1], ends[1:]]).astype(float)
    drawn_value = draw(st.sets(st.integers(0, len(pairs) - 1), max_size=len(pairs) - 1))
    ends = pairs[[index for index in range(len(pairs)) if index not in drawn_value]][:most]
    exact = np.array([draw(st.booleans()) for _ in ends])
    ends[exact, 0] = np.nextafter(ends[exact, 1], -np.inf)
    mass = np.array([draw(st.integers(1, 5)) for _ in ends], dtype=float)
    return Distribution(
        lower=ends[:, 0],
        upper=ends[:, 1],
        mass=mass / mass.sum(),
        n=mass.sum(),
        gap=0.0,
        method="drawn",
        convergence=Convergence.EXACT,
    )


def placings(fit, parts):
    """Every way to put each mass whole on one of a few places of its interval, open at the left."""
    places = [
        np.unique(np.linspace(low, high, parts + 1)[1:])
        for low, high in zip(fit.lower, fit.upper, strict=True)
    ]
    places = [
        np.append(position, np.nextafter(low, np.inf))
        for position, low in zip(places, fit.lower, strict=True)
    ]
    return [np.array(combination) for combination in product(*places)]


def kolmogorov(item, mass, two, share):
    union1d_result = np.union1d(item, two)
    first = ((item[None, :] <= union1d_result[:, None]) * mass).sum(axis=1)
    return np.abs(first - ((two[None, :] <= union1d_result[:, None]) * share).sum(axis=1)).max()


@settings(deadline=None)
@given(NUMBERS, NUMBERS)
def test_between_exact_numbers_they_are_scipys(one, two):
    fit = npmle(Ranges(one, one, closed="both"))
    energy = stats.energy_distance(one, two)
    assert energy_bounds(fit, two) == pytest.approx((energy, energy), abs=1e-7)
    largest = kolmogorov(np.array(one), 1 / len(one), np.array(two), 1 / len(two))
    assert kolmogorov_bounds(fit, two) == pytest.approx((largest, largest), abs=1e-12)


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(fits(), fits(most=3))
def test_no_placing_of_the_masses_leaves_the_bounds_and_some_reach_them(fit, rival):
    energies, largest = [], []
    for item in placings(fit, 1):
        for two in placings(rival, 1):
            energies.append(stats.energy_distance(item, two, fit.mass, rival.mass))
            largest.append(kolmogorov(item, fit.mass, two, rival.mass))
    low, high = energy_bounds(fit, rival)
    assert low - 1e-7 <= min(energies)
    assert high == pytest.approx(max(energies), abs=1e-6)
    low, high = kolmogorov_bounds(fit, rival)
    assert low - 1e-12 <= min(largest)
    assert high >= max(largest) - 1e-12
    assert energy_bounds(rival, fit) == pytest.approx(energy_bounds(fit, rival), abs=1e-9)
    assert kolmogorov_bounds(rival, fit) == pytest.approx((low, high), abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(fits(), fits())
def test_the_least_largest_difference_is_that_of_a_linear_programme(fit, rival):
    """Over all rising curves between the bounds, at every end and between the ends."""
    from scipy.optimize import linprog

    distinct = np.unique(np.concatenate([fit.lower, fit.upper, rival.lower, rival.upper]))
    distinct = np.unique(np.concatenate([distinct, distinct[:-1] + np.diff(distinct) / 2]))
    k, lows, highs = len(distinct), [], []
    for item in (fit, rival):
        low, high = item.cdf_bounds(distinct)
        lows.append(low)
        highs.append(high)
    step = np.zeros((k - 1, k))
    step[np.arange(k - 1), np.arange(k - 1)], step[np.arange(k - 1), np.arange(1, k)] = 1, -1
    nil, item = np.zeros((k - 1, k)), np.eye(k)
    above = np.block(
        [
            [item, -item, -np.ones((k, 1))],
            [-item, item, -np.ones((k, 1))],
            [step, nil, np.zeros((k - 1, 1))],
            [nil, step, np.zeros((k - 1, 1))],
        ]
    )
    bounds = [*zip(np.concatenate(lows), np.concatenate(highs), strict=True), (0, 1)]
    cost = np.append(np.zeros(2 * k), 1)
    solved = linprog(cost, A_ub=above, b_ub=np.zeros(len(above)), bounds=bounds)
    assert kolmogorov_bounds(fit, rival)[0] == pytest.approx(solved.fun, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(fits(), st.floats(-3, 3), st.floats(0.3, 4))
@pytest.mark.long
def test_a_law_is_the_limit_of_its_quantiles(fit, loc, scale):
    law = stats.logistic(loc, scale)
    fine = law.ppf((np.arange(4000) + 0.5) / 4000)
    assert energy_bounds(fit, law) == pytest.approx(energy_bounds(fit, fine), abs=0.01 * scale**0.5)
    assert kolmogorov_bounds(fit, law) == pytest.approx(kolmogorov_bounds(fit, fine), abs=3e-4)


def test_a_law_against_itself_cut_into_intervals():
    law = stats.norm()
    ends = np.append(law.ppf(np.arange(10) / 10), np.inf)
    fit = npmle(Ranges(ends[:-1], ends[1:]))
    assert kolmogorov_bounds(fit, law) == pytest.approx((0, 0.1), abs=1e-12)
    assert energy_bounds(fit, law) == (pytest.approx(0, abs=1e-7), np.inf)
    assert energy_bounds(fit, law, (-6, 6))[1] < 1


def test_a_point_against_the_uniform_law():
    half = npmle(Ranges([0.5], [0.5], closed="both"))
    exact = (2 * 2 * 0.5**3 / 3) ** 0.5
    assert energy_bounds(half, stats.uniform()) == pytest.approx((exact, exact), rel=1e-9)
    assert kolmogorov_bounds(half, stats.uniform()) == pytest.approx((0.5, 0.5))


def test_a_discrete_law_has_a_largest_difference():
    fit = npmle(Ranges([0, 1, 2], [0, 1, 2], closed="both"))
    law = stats.binom(2, 0.5)
    assert kolmogorov_bounds(fit, law) == pytest.approx((1 / 12, 1 / 12))
    with pytest.raises(InputError, match="continuous"):
        energy_bounds(fit, law)


def test_unbounded_masses_need_a_support():
    fit = npmle(Ranges([-np.inf, 1], [1, np.inf]))
    assert energy_bounds(fit, [1.0, 2.0]) == (0, np.inf)
    low, high = energy_bounds(fit, [1.0, 2.0], (0, 3))
    assert (low, high) == (0, pytest.approx(1.0))
    assert kolmogorov_bounds(fit, fit) == (0, 0.5)
    with pytest.raises(InputError, match="support"):
        energy_bounds(fit, [1.0, 2.0], (1.5, 3))
    with pytest.raises(InputError, match="support"):
        energy_bounds(fit, [5.0], (0, 3))


@pytest.mark.parametrize("sample", [[], [np.nan], [np.inf], [[1.0]], ["a"], None])
@pytest.mark.parametrize("distance", [energy_bounds, kolmogorov_bounds])
def test_what_is_no_sample_is_refused(distance, sample):
    with pytest.raises(InputError, match=distance.__name__):
        distance(npmle(Ranges([0], [1])), sample)
