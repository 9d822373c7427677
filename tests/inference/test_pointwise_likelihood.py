"""The log-likelihood of each report and range: summed it is what the estimators maximise."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm

import askance as ak
from askance.inference import range_log_likelihood, report_log_likelihood
from askance_collect.errors import InputError

YN = ak.Frame(["yes", "no"])
Q = ak.Abstain(truth="3/5", lie="1/10").channel(YN)
REPORTS = ["yes"] * 31 + ["no"] * 52 + ["don't know"] * 17


def test_shares_of_all_sum_to_the_likelihood_of_the_tally():
    draws = np.random.default_rng(1).dirichlet([3, 7], (2, 5))
    likelihood = report_log_likelihood(Q, REPORTS, draws[..., None, :])
    assert likelihood.shape == (2, 5, 100)
    share_likelihood = ak.inference.ShareLikelihood({"all": ak.tally(Q, REPORTS)})
    summed = [[share_likelihood.value([item]) for item in chain] for chain in draws]
    silent = 17 * math.log(0.3)  # of "don't know", which says nothing of the shares
    np.testing.assert_allclose(likelihood.sum(axis=-1) - silent, summed, rtol=1e-12)
    top = ak.maximum_likelihood(ak.tally(Q, REPORTS)).value
    assert report_log_likelihood(Q, REPORTS, [top]).sum() >= likelihood.sum(axis=-1).max()


def test_a_row_for_each_respondent_is_a_regression():
    x = np.linspace(-1, 1, 100)
    yes = 1 / (1 + np.exp(-np.stack([0.3 + x, -0.2 + 0 * x])))
    likelihood = report_log_likelihood(Q, np.array(REPORTS), np.stack([yes, 1 - yes], axis=-1))
    column_result = Q.column("no")
    wanted = math.log(
        yes[0, 40] * Q.matrix[0, column_result] + (1 - yes[0, 40]) * Q.matrix[1, column_result]
    )
    assert likelihood.shape == (2, 100)
    assert likelihood[0, 40] == pytest.approx(wanted)
    assert not likelihood.flags.writeable


def test_a_report_without_a_chance_has_no_logarithm():
    certain = ak.Channel(
        YN, {"yes": ["yes"], "no": ["no"]}, [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]
    )
    assert report_log_likelihood(certain, ["yes", "no"], [[1.0, 0.0]]).tolist() == [0, -np.inf]


def test_ranges_sum_to_the_likelihood_of_the_fit():
    rng = np.random.default_rng(2)
    numbers = np.clip(rng.normal(38, 9, 300), 0.5, 79.5)
    reports = ak.privatise(ak.Cuts(number=2).channel(ak.Line(0, 80, 1)), numbers, rng=rng)
    mean, sd = np.array([[36.0], [40.0]]), np.array([[8.0], [10.0]])
    likelihood = range_log_likelihood(reports, lambda x: norm.cdf(x, mean, sd))
    chance = norm.cdf(reports.upper, 36, 8) - norm.cdf(reports.lower, 36, 8)
    np.testing.assert_allclose(likelihood[0], np.log(chance), rtol=1e-12)
    best = ak.fit_family(reports, norm).value
    top = range_log_likelihood(reports, lambda x: norm.cdf(x, *best)).sum()
    assert top >= likelihood.sum(axis=-1).max()


def test_pieces_of_a_range_are_added_and_weights_are_not():
    ranges = ak.Ranges([-np.inf, 40, 20], [20, np.inf, 40], pieces=[2, 1], counts=[5, 1])
    likelihood = range_log_likelihood(ranges, lambda x: norm.cdf(x, 30, 10))
    inside = norm.cdf(1) - norm.cdf(-1)
    np.testing.assert_allclose(np.exp(likelihood), [1 - inside, inside])


@pytest.mark.parametrize(
    ("reports", "shares", "message"),
    [
        (["yes", None], [[0.5, 0.5]], r"reports\[1\].*leave out"),
        ([], [[0.5, 0.5]], r"reports\[0\].*one report or more"),
        (["maybe"], [[0.5, 0.5]], r"reports\[0\]: got 'maybe'"),
        (["yes", "no"], [0.5, 0.5], r"shape \(2,\).*\(…, 2, 2\)"),
        (["yes", "no"], [[0.5, 0.5]] * 3, r"shape \(3, 2\)"),
        (["yes"], [[0.5, 0.6]], "sum to one"),
        (["yes"], [[-0.5, 1.5]], "sum to one"),
        (["yes"], [[math.nan, 1]], "sum to one"),
    ],
)
def test_what_is_no_draw_of_shares_is_refused(reports, shares, message):
    with pytest.raises(InputError, match=message):
        report_log_likelihood(Q, reports, shares)


@pytest.mark.parametrize(
    ("cdf", "message"),
    [
        (lambda x: 0.5, r"shape \(\)"),
        (lambda x: np.zeros(5), r"shape \(5,\)"),
        (lambda x: 2 + x, "values from 0 to 1"),
        (lambda x: norm.sf(x), "does not fall"),
    ],
)
def test_what_is_no_distribution_function_is_refused(cdf, message):
    with pytest.raises(InputError, match=message):
        range_log_likelihood(ak.Ranges([-1, 0], [0, 1]), cdf)
