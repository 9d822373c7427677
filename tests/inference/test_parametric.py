"""Families fitted to ranges: closed forms, scipy's own fit, invariance, and the test of fit."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import chi2, expon, gamma, genextreme, logistic, norm, uniform, weibull_min

from askance.channels import Ranges
from askance.inference import Convergence, fit_family
from askance_collect.errors import InputError, NotIdentified


def two_cuts(y, cuts):
    ends = np.pad(np.sort(cuts, axis=1), ((0, 0), (1, 1)), constant_values=np.inf)
    ends[:, 0] = -np.inf
    cell = (y[:, None] > ends[:, 1:-1]).sum(axis=1)
    rows = np.arange(len(y))
    return Ranges(ends[rows, cell], ends[rows, cell + 1])


def draw_ranges(seed, n, draw):
    rng = np.random.default_rng(seed)
    return two_cuts(draw(rng, n), rng.normal(10, 3, (n, 2)))


@pytest.mark.long
def test_three_cells_have_a_closed_form():
    fit = fit_family(Ranges([-np.inf, -1, 1], [-1, 1, np.inf], counts=[20, 60, 20]), norm)
    assert fit.value == pytest.approx([0, -1 / norm.ppf(0.2)], abs=1e-7)
    assert fit.log_likelihood == pytest.approx(40 * np.log(0.2) + 60 * np.log(0.6))
    assert fit.aic == pytest.approx(4 - 2 * fit.log_likelihood)
    assert fit.convergence is Convergence.CONVERGED
    assert fit.chi2[1] == 0
    assert np.isnan(fit.p_value)


@pytest.mark.long
def test_one_cut_and_one_parameter_have_the_binomial_error():
    fit = fit_family(Ranges([-np.inf, 2], [2, np.inf], counts=[30, 70]), expon, fixed={"loc": 0})
    scale = -2 / np.log(0.7)
    slope = 0.7 * 2 / scale**2  # of exp(−2/scale) by scale
    assert fit.value == pytest.approx([0, scale])
    assert fit.se == pytest.approx([0, np.sqrt(0.3 * 0.7 / 100) / slope], rel=1e-5)
    lower, upper = fit.intervals()
    assert lower[1] * upper[1] == pytest.approx(scale**2)


@pytest.mark.checked(
    "fit_family", by="scipy.stats.norm.fit, and its closed form", value=1e-6, errors=1e-5
)
@pytest.mark.long
def test_exact_numbers_are_fitted_as_scipy_fits_them(within):
    y = np.random.default_rng(1).normal(5, 2, 200)
    fit = fit_family(Ranges(y, y, closed="both"), norm)
    assert fit.value == pytest.approx(norm.fit(y), rel=within.value)
    errors = [y.std() / np.sqrt(200), y.std() / np.sqrt(400)]
    assert fit.se == pytest.approx(errors, rel=within.errors)
    shaped = np.random.default_rng(2).gamma(3, 2, 300)
    fit = fit_family(Ranges(shaped, shaped, closed="both"), gamma, fixed={"loc": 0})
    assert fit.value == pytest.approx(gamma.fit(shaped, floc=0), rel=1e-4)


@pytest.mark.long
def test_a_family_of_bounded_support_is_fitted_without_a_start():
    """At the shape where the search begins, some ranges lie outside of the support."""
    ranges = draw_ranges(
        5, 120, lambda rng, n: genextreme.rvs(-0.2, 8, 2, size=n, random_state=rng)
    )

    def loss(parameters):
        law = genextreme(parameters[0], parameters[1], np.exp(parameters[2]))
        with np.errstate(divide="ignore"):
            return -np.log(law.cdf(ranges.upper) - law.cdf(ranges.lower)).sum()

    best = minimize(loss, [-0.2, 8, np.log(2)], method="Nelder-Mead", options={"xatol": 1e-9})
    fit = fit_family(ranges, genextreme)
    assert fit.log_likelihood == pytest.approx(-best.fun, abs=1e-7)
    assert fit.value == pytest.approx([*best.x[:2], np.exp(best.x[2])], abs=1e-3)


def test_a_union_counts_the_chance_of_all_its_pieces():
    rings = Ranges.unions([[(-np.inf, -1), (1, np.inf)], [(-1, 1)], [(-np.inf, 1)]], [40, 60, 50])
    fit = fit_family(rings, norm, fixed={"loc": 0})
    assert fit.se[0] == 0
    result = [2 * fit.law.cdf(-1), fit.law.cdf(1) - fit.law.cdf(-1), fit.law.cdf(1)]
    assert fit.log_likelihood == pytest.approx(np.array([40, 60, 50]) @ np.log(result))


@pytest.mark.long
def test_moving_and_stretching_the_line_moves_and_stretches_the_fit():
    ranges = draw_ranges(3, 300, lambda rng, n: rng.logistic(10, 2, n))
    moved_ranges = Ranges(1000 + 50 * ranges.lower, 1000 + 50 * ranges.upper)
    family, two = fit_family(ranges, logistic), fit_family(moved_ranges, logistic)
    assert two.value == pytest.approx([1000 + 50 * family.value[0], 50 * family.value[1]], rel=1e-6)
    assert two.se == pytest.approx(50 * family.se, rel=1e-4)
    assert two.chi2[0] == pytest.approx(family.chi2[0], rel=1e-3)


@pytest.mark.long
def test_weights_count_as_repeats():
    ranges = draw_ranges(4, 100, lambda rng, n: rng.normal(10, 2, n))
    twice = Ranges(np.tile(ranges.lower, 2), np.tile(ranges.upper, 2))
    weighted = Ranges(ranges.lower, ranges.upper, np.full(100, 2.0))
    family, two = fit_family(twice, norm), fit_family(weighted, norm)
    assert family.value == pytest.approx(two.value, rel=1e-6)
    assert family.chi2[0] == pytest.approx(two.chi2[0], rel=1e-4)


@pytest.mark.long
def test_the_test_of_fit_keeps_its_size_and_finds_a_wrong_family():
    """The eleventh survey tells hardly anything of one departure, and nothing may be made of it."""
    fits = [
        fit_family(draw_ranges(seed, 300, lambda rng, n: rng.normal(10, 2, n)), norm)
        for seed in range(15)
    ]
    statistic, df = np.sum([fit.chi2 for fit in fits], axis=0)
    assert 0.001 < chi2.sf(statistic, df) < 0.999
    wrong = draw_ranges(5, 1000, lambda rng, n: 8 + rng.exponential(2, n))
    assert fit_family(wrong, norm).p_value < 1e-6


@pytest.mark.long
def test_a_better_family_has_the_smaller_criterion():
    ranges = draw_ranges(6, 2000, lambda rng, n: 10 * rng.weibull(4, n))
    right = fit_family(ranges, weibull_min, fixed={"loc": 0})
    assert right.aic < fit_family(ranges, gamma, fixed={"loc": 0}).aic
    assert right.names == ("c", "loc", "scale")


@pytest.mark.long
def test_results_are_told_written_and_drawn():
    fit = fit_family(draw_ranges(7, 100, lambda rng, n: rng.normal(10, 2, n)), norm)
    assert "goodness of fit" in repr(fit)
    assert fit._repr_html_().startswith("<table>")
    assert fit.to_dict()["family"] == "norm"
    assert fit.plot().get_ylabel() == "share up to here"


@pytest.mark.long
def test_ranges_that_leave_the_parameters_open_are_refused():
    for ranges in (
        Ranges([-np.inf, -np.inf], [np.inf, np.inf]),
        Ranges([-np.inf, 1], [1, np.inf], counts=[3, 7]),
    ):
        with pytest.raises(NotIdentified, match="fix a parameter"):
            fit_family(ranges, norm)


def test_what_cannot_be_is_refused():
    ranges = Ranges([-np.inf, 1], [1, np.inf])
    with pytest.raises(InputError, match="did you mean 'scale'"):
        fit_family(ranges, norm, fixed={"scal": 1})
    with pytest.raises(InputError, match="left free"):
        fit_family(ranges, norm, fixed={"loc": 0, "scale": 1})
    with pytest.raises(InputError, match="every range is possible"):
        fit_family(Ranges([-2, 5], [-1, 6]), uniform, start={"loc": 0, "scale": 1})
    with pytest.raises(InputError, match="at least one"):
        fit_family(Ranges([1], [2], counts=[0]), norm)
