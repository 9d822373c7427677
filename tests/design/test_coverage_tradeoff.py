"""What coverage costs, against closed forms, rivals and simulation."""

import math

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import beta

from askance import Ranges
from askance.channels import CutLaw
from askance.design import analogous_epsilon, coverage_tradeoff
from askance.inference import unbiased_mean
from askance.privacy import coverage
from askance_collect.errors import InputError, NotIdentified

mpl.use("Agg")


@settings(max_examples=25)
@given(st.floats(0.6, 0.97))
@pytest.mark.long
def test_even_answers_have_a_closed_form(tau):
    """∫ B(a, a) (p(1 − p))^(2 − a) dp = B(a, a) B(3 − a, 3 − a)."""
    a = (1 - tau) / (2 * tau - 1)
    curve = coverage_tradeoff(stats.uniform(), [tau])
    assert curve.variance[0] == pytest.approx(beta(a, a) * beta(3 - a, 3 - a), rel=1e-7)
    assert curve.best == pytest.approx((0.625, (math.pi / 8) ** 2), abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("prior", [stats.norm(3, 2), stats.logistic(), stats.expon(), stats.t(3)])
def test_no_coverage_does_better_than_the_best_cuts(prior):
    curve = coverage_tradeoff(prior)
    assert (curve.variance >= curve.best[1] * (1 - 1e-9)).all()
    at_best = coverage_tradeoff(prior, [curve.best[0]]).variance[0]
    even = prior.dist.name != "expon"
    assert (at_best < 1.06 * curve.best[1]) == even


def test_low_coverages_lose_the_rate():
    """With normal answers the tails are cut too seldom from τ = 2/3 down."""
    curve = coverage_tradeoff(stats.norm(), [0.6, 0.66, 0.68])
    assert np.isinf(curve.variance).tolist() == [True, True, False]
    assert curve.to_dict()["variance"][:2] == [None, None]


def test_coverages_are_put_in_order():
    item, two = (coverage_tradeoff(stats.uniform(), taus) for taus in ([0.8, 0.7], [0.7, 0.8]))
    assert item.coverage.tolist() == two.coverage.tolist() == [0.7, 0.8]
    assert item.variance == pytest.approx(two.variance)


@pytest.mark.long
def test_scale_and_place_only_scale():
    tradeoff, two = coverage_tradeoff(stats.norm()), coverage_tradeoff(stats.norm(50, 10))
    isfinite_result = np.isfinite(tradeoff.variance)
    assert two.variance[isfinite_result] == pytest.approx(
        100 * tradeoff.variance[isfinite_result], rel=1e-9
    )
    assert tradeoff.se(400)[-1] == pytest.approx(math.sqrt(tradeoff.variance[-1] / 400))


@pytest.mark.long
def test_it_draws_and_prints():
    curve = coverage_tradeoff(stats.norm(), [0.7, 0.8])
    assert curve.plot(n=400).get_xlabel() == "coverage τ"
    assert "inf" not in repr(curve)
    assert "<table>" in curve._repr_html_()


@pytest.mark.parametrize(
    ("prior", "taus", "error"),
    [
        (stats.norm(), [0.5], InputError),
        (stats.norm(), [1.0], InputError),
        (stats.norm(), [0.7, 0.4], InputError),
        (stats.norm(), [math.nan], InputError),
        (stats.norm(), 0.7, InputError),
        (stats.norm(), ["x"], InputError),
        (stats.norm(), [[0.7]], InputError),
        (stats.norm().cdf, [0.7], InputError),
        (stats.cauchy(), [0.7], NotIdentified),
        (None, [0.7], InputError),
    ],
)
def test_what_has_no_curve_is_refused(prior, taus, error):
    with pytest.raises(error):
        coverage_tradeoff(prior, taus)


@pytest.mark.parametrize("n", [0, -1, math.nan, "x"])
def test_an_error_needs_reports(n):
    with pytest.raises(InputError, match=r"^n: "):
        coverage_tradeoff(stats.uniform(), [0.7]).se(n)


@given(st.fractions("2/3", "99/100"))
@pytest.mark.long
def test_analogous_parameters_cost_the_same(tau):
    """Even answers on (0, 10): the width of the cuts gives the coverage and the variance."""
    prior, epsilon = stats.uniform(0, 10), analogous_epsilon(tau, stats.uniform(0, 10), (0, 10))
    width = math.sqrt(12 * 2) * 10 / epsilon
    cuts = CutLaw(stats.uniform(5 - width / 2, width))
    assert float(coverage(cuts, prior).value) == pytest.approx(float(tau), abs=1e-9)


@pytest.mark.long
def test_analogous_parameters_in_a_simulation():
    rng, n = np.random.default_rng(8), 200_000
    prior = stats.beta(2, 5)
    epsilon = analogous_epsilon("9/10", prior, (0, 1))
    width = math.sqrt(24) / epsilon
    y, cut = prior.rvs(n, random_state=rng), rng.uniform(0.5 - width / 2, 0.5 + width / 2, n)
    ranges = Ranges(np.where(y > cut, cut, -np.inf), np.where(y > cut, np.inf, cut))
    ranged = unbiased_mean(ranges, (0.5 - width / 2, 0.5 + width / 2)).se
    noisy = np.std(y + rng.laplace(0, 1 / epsilon, n)) / math.sqrt(n)
    assert ranged == pytest.approx(noisy, rel=0.03)


@pytest.mark.parametrize(
    ("tau", "prior", "support", "where"),
    [
        ("3/5", stats.uniform(), (0, 1), "0.6667, 1"),
        (1, stats.uniform(), (0, 1), "coverage"),
        ("9/10", stats.norm(), (0, 1), "support"),
        ("9/10", stats.uniform(), (1, 0), "support"),
        ("9/10", stats.uniform(), (0, math.inf), "support"),
        ("9/10", stats.uniform(), 1, "support"),
        ("9/10", stats.uniform(), ("a", "b"), "support"),
    ],
)
def test_parameters_without_an_analogue_are_refused(tau, prior, support, where):
    with pytest.raises(InputError, match=where):
        analogous_epsilon(tau, prior, support)
