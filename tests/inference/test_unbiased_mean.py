"""The unbiased mean: exact moments by integrating over the cut, and a table."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.channels import Ranges
from askance.inference import unbiased_mean, unbiased_mean_variance
from askance_collect.errors import InputError

CASES = json.loads((Path(__file__).parents[1] / "oracles" / "estimators.json").read_text())


@pytest.mark.checked("unbiased_mean_variance", by="the closed form in exact fractions", value=1e-10)
@pytest.mark.parametrize("case", CASES["example2_variance"]["cases"])
def test_the_variance_is_that_of_the_table(case, within):
    own = unbiased_mean_variance(
        (case["a"], case["b"]), case["mean"], case["var"], case["n"], slope=2
    )
    assert own == pytest.approx(case["var_mu_hat"], rel=within.value)


def one_report(answer, support, slope, power):
    """Average a power of one report's estimate over the cut: Gauss–Legendre, exact."""
    nodes, weights = np.polynomial.legendre.leggauss(4)
    total = 0.0
    for low, high in ((support[0], answer), (answer, support[1])):
        for node, weight in zip(nodes, weights, strict=True):
            cut = (low + high) / 2 + (high - low) / 2 * node
            observed = (-np.inf, cut) if answer <= cut else (cut, np.inf)
            item = unbiased_mean(Ranges([observed[0]], [observed[1]]), support, slope=slope).value
            total += weight * (high - low) / 2 * item**power
    return total / (support[1] - support[0])


@pytest.mark.long
@settings(max_examples=25, deadline=None)
@given(st.lists(st.floats(0.01, 0.99), min_size=1, max_size=4), st.floats(-5, 5), st.floats(-1, 3))
def test_it_is_unbiased_with_the_variance_told(shares, start, slope):
    support = (start, start + 4)
    answers = np.array([start + 4 * share for share in shares])
    first = np.mean([one_report(answer, support, slope, 1) for answer in answers])
    second = np.mean([one_report(answer, support, slope, 2) for answer in answers])
    assert first == pytest.approx(answers.mean(), abs=1e-9)
    variance = unbiased_mean_variance(support, answers.mean(), answers.var(), 1, slope=slope)
    assert second - first**2 == pytest.approx(variance, abs=1e-8)


@given(st.floats(0, 1), st.floats(0, 1))
def test_slope_one_is_never_less_precise_than_slope_two(place, part):
    mean = 10 * place
    variance = part * mean * (10 - mean)
    item, two = (unbiased_mean_variance((0, 10), mean, variance, 1, slope=s) for s in (1, 2))
    assert two - item == pytest.approx(variance + (mean - 5) ** 2)


def test_the_standard_error_is_that_of_a_mean():
    fit = unbiased_mean(Ranges([-np.inf, 4, 2], [6, np.inf, np.inf]), (0, 10))
    values = np.array([1.0, 9.0, 7.0])
    assert fit.value == pytest.approx(values.mean())
    assert fit.se == pytest.approx(values.std(ddof=1) / np.sqrt(3))
    assert fit.upper - fit.value == pytest.approx(1.959964 * fit.se)
    assert fit.to_dict()["n"] == 3
    assert "mean" in repr(fit)
    assert "<table>" in fit._repr_html_()


def test_ends_of_the_support_count_as_no_end():
    closed, open_ = Ranges([0, 4], [6, 10]), Ranges([-np.inf, 4], [6, np.inf])
    assert unbiased_mean(closed, (0, 10)) == unbiased_mean(open_, (0, 10))


def test_one_report_has_no_standard_error():
    assert np.isnan(unbiased_mean(Ranges([4], [np.inf]), (0, 10)).se)


@pytest.mark.parametrize(
    ("lower", "upper"), [([2], [4]), ([-np.inf], [np.inf]), ([-np.inf], [11]), ([-1], [np.inf])]
)
def test_ranges_of_another_kind_are_refused(lower, upper):
    with pytest.raises(InputError, match="one cut"):
        unbiased_mean(Ranges(lower, upper), (0, 10))


def test_what_cannot_be_is_refused():
    with pytest.raises(InputError, match="answers in"):
        unbiased_mean_variance((0, 10), 11, 0, 1)
    with pytest.raises(InputError, match="answers in"):
        unbiased_mean_variance((0, 10), 5, 26, 1)
    with pytest.raises(InputError, match="number of people"):
        unbiased_mean_variance((0, 10), 5, 1, 0)
    with pytest.raises(InputError, match="at least one"):
        unbiased_mean(Ranges([1], [np.inf], counts=[0]), (0, 10))
