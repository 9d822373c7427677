"""Cuts with a promised coverage, and the cuts that tell most."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from askance import Line
from askance.design import cuts_with_coverage, optimal_cuts, ring_with_floor
from askance.privacy import coverage, coverage_law
from askance_collect.errors import InputError, NotIdentified

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "interval.json").read_text())
PRIORS = {
    "logistic(0,1)": stats.logistic(),
    "normal(0,1)": stats.norm(),
    "uniform(0,1)": stats.uniform(),
}
MEANS = [case for case in ORACLE["optimal_anchor"]["cases"] if case["phi"] == "y"]


@given(st.floats(0.51, 0.99), st.integers(1, 4))
@settings(max_examples=10)
@pytest.mark.long
def test_cuts_have_the_coverage_asked_for_under_any_prior(tau, number):
    for prior in (stats.norm(45, 15), stats.expon()):
        coverage_result = coverage(cuts_with_coverage(tau, prior, number), prior)
        assert coverage_result.value == pytest.approx(tau, abs=1e-10)


@pytest.mark.long
@pytest.mark.parametrize(
    ("tau", "number", "allowed"),
    [("1/2", 1, "between 0.5 and 1 for 1 cut"), (1, 3, "and 1 for 3"), (0.41, 2, "0.419")],
)
def test_coverages_out_of_reach_are_refused_with_the_range(tau, number, allowed):
    with pytest.raises(InputError, match=allowed):
        cuts_with_coverage(tau, stats.norm(), number)


@pytest.mark.parametrize("number", [0, 65, 2.5])
def test_numbers_of_cuts_are_checked(number):
    with pytest.raises(InputError, match="number"):
        cuts_with_coverage("3/5", stats.norm(), number)


@pytest.mark.parametrize("case", MEANS, ids=lambda case: case["Y"])
def test_the_best_cuts_are_those_computed_independently(case):
    prior = PRIORS[case["Y"]]
    best = optimal_cuts(prior)
    assert best.variance == pytest.approx(case["info_bound_n_var"], rel=1e-12)
    for name, height in case["density"].items():
        assert best.cuts.law.pdf(float(name)) == pytest.approx(height, rel=1e-11)
    for name, share in case.get("cdf", {}).items():
        assert best.cuts.law.cdf(float(name)) == pytest.approx(share, abs=1e-13)
    if "coverage" in case:
        assert float(coverage(best.cuts, prior).value) == pytest.approx(case["coverage"], abs=1e-10)


def test_the_best_cuts_for_a_second_moment():
    best = optimal_cuts(stats.logistic(), lambda y: 2 * y)
    catalan = 0.915965594177219
    assert best.variance == pytest.approx((16 * catalan) ** 2, rel=1e-12)


def integral(f, low, high):
    """Integrate by Gauss and Legendre between each two ends."""
    places, weights = np.polynomial.legendre.leggauss(20)
    half = (high - low) / 2
    return half * (f((low + half)[:, None] + half[:, None] * places) @ weights)


@pytest.mark.parametrize("prior", [stats.norm(), stats.uniform(), stats.expon(), stats.beta(2, 3)])
def test_no_other_cuts_tell_more(prior):
    """The variance is ∫ F(1 − F) / g; by Cauchy and Schwarz none is below the square."""
    best = optimal_cuts(prior)
    low, high = prior.ppf([1e-9, 1 - 1e-9])
    edges = np.unique(np.concatenate([prior.ppf(np.linspace(1e-9, 1 - 1e-9, 400)), [low, high]]))
    rivals = [lambda u: prior.pdf(u), lambda u: best.cuts.law.pdf(u) * (1 + 0.5 * prior.cdf(u))]
    for rival in rivals:
        mass = integral(rival, edges[:-1], edges[1:]).sum()
        spent = integral(
            lambda u, g=rival: prior.cdf(u) * prior.sf(u) / g(u), edges[:-1], edges[1:]
        ).sum()
        assert spent * mass > best.variance * (1 - 1e-3)


@pytest.mark.parametrize(
    "prior", [stats.cauchy(), stats.t(1), stats.t(2), stats.pareto(2), stats.lomax(1.5)]
)
def test_tails_too_heavy_are_refused(prior):
    with pytest.raises(NotIdentified, match="too heavy"):
        optimal_cuts(prior)


def test_slopes_that_are_none_are_refused():
    with pytest.raises(InputError, match="integral of 0"):
        optimal_cuts(stats.norm(), lambda u: 0 * u)
    with pytest.raises(InputError, match="no number"):
        optimal_cuts(stats.norm(), lambda u: u * np.nan)
    with pytest.raises(NotIdentified, match="upper tail"):
        optimal_cuts(stats.logistic(), np.exp)
    for wrong in (1, "x", lambda u: "x", lambda u: u[:2]):
        with pytest.raises(InputError, match=r"^slope: "):
            optimal_cuts(stats.norm(), wrong)


@pytest.mark.parametrize(
    ("prior", "message"),
    [
        (stats.bernoulli(0.5), "smooth between its ends"),
        (stats.norm(0, 1e-200), "take another unit"),
        (stats.norm(0, 1e200), "take another unit"),
        (stats.norm(0, -1), "scale is above 0"),
    ],
)
def test_priors_that_cannot_be_cut_are_refused(prior, message):
    with pytest.raises(InputError, match=message):
        optimal_cuts(prior)


def test_cumulative_functions_serve_as_priors():
    best = optimal_cuts(stats.norm().cdf)
    assert best.variance == pytest.approx(2.607397712188898, rel=1e-5)


@pytest.mark.parametrize("floor", ["1/100", "1/5", "2/5", "49/100"])
@pytest.mark.parametrize("prior", [stats.uniform(0, 200), stats.norm(90, 30)])
def test_rings_keep_their_floor_and_have_the_coverage_of_the_formula(prior, floor):
    ring = ring_with_floor(Line(0, 200, 1), prior, floor)
    delta = float(Fraction(floor))
    assert coverage_law(ring, prior).minimum >= delta - 2e-6
    expected = 2 / 3 * (1 - delta + delta**2)
    assert float(coverage(ring, prior).value) == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("floor", [0, "51/100", -1, 1])
def test_floors_out_of_reach_are_refused(floor):
    with pytest.raises(InputError, match="1/2"):
        ring_with_floor(Line(0, 20, 1), stats.uniform(0, 20), floor)


def test_a_line_too_coarse_for_its_floor_is_refused():
    with pytest.raises(InputError, match="smaller step"):
        ring_with_floor(Line(0, 3, 1), [0.1, 0.8, 0.1], "2/5")


@pytest.mark.parametrize("prior", ["even", [1, 1, 1], [np.nan] * 3, {}, np.exp])
def test_answers_without_chances_are_refused_by_name(prior):
    with pytest.raises(InputError, match=r"^ring_with_floor\.prior: "):
        ring_with_floor(Line(0, 3, 1), prior, "1/5")


def test_no_cut_falls_beyond_the_panels():
    """Cuts of even answers have the law of √(u(1 − u)), which is Beta(3/2, 3/2)."""
    law, beta = optimal_cuts(stats.uniform()).cuts.law, stats.beta(1.5, 1.5)
    beyond, inside = np.array([-0.5, 1.5]), np.array([0.001, 0.25, 0.5, 0.9])
    assert law.pdf(beyond).tolist() == [0, 0]
    assert law.cdf(beyond) == pytest.approx([0, 1], abs=1e-15)
    assert law.pdf(inside) == pytest.approx(beta.pdf(inside), rel=1e-9)
    assert law.cdf(inside) == pytest.approx(beta.cdf(inside), rel=1e-9)
