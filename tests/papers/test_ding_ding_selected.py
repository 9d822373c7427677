"""Selected reports with endless data: what the paper's likelihood misses, and the others find."""

import importlib.util
from pathlib import Path

import pytest

import askance as ak

SCRIPT = Path(__file__).parents[2] / "papers" / "ding-ding" / "selected.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("ding_ding_selected", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TRUTHS = ("even", "rising", "peaked")
IDENTIFIED = ("two cuts, τ = .3", "ring of three, τ = .3")
FLAT = ("one cut, τ = .6", "two cuts, τ = .45")


@pytest.mark.parametrize("name", TRUTHS)
@pytest.mark.parametrize("design", IDENTIFIED + FLAT)
def test_the_adjusted_likelihood_finds_the_truth_and_the_naive_one_does_not(script, design, name):
    truth = script.TRUTHS[name]
    ranges, _, inclusion = script.expected(design, truth)
    fit = ak.npmle(ranges, (0, 8), 1e-12, inclusion=inclusion)
    assert fit.convergence is ak.inference.Convergence.CONVERGED
    assert script.missed(fit, truth) < 1e-8
    assert script.missed(ak.inference.naive_npmle(ranges, (0, 8)), truth) > 0.1


@pytest.mark.parametrize("rho", [1, 0.5])
@pytest.mark.parametrize("name", TRUTHS)
@pytest.mark.parametrize("design", IDENTIFIED + FLAT)
def test_counted_nulls_find_the_truth_too(script, design, name, rho):
    truth = script.TRUTHS[name]
    ranges, _, inclusion = script.expected(design, truth)
    fit = script.counted_fit(ranges, inclusion, rho)
    assert fit.convergence is ak.inference.Convergence.CONVERGED
    assert script.missed(fit, truth) < 1e-6


@pytest.mark.long
@pytest.mark.parametrize("name", TRUTHS)
@pytest.mark.parametrize("design", IDENTIFIED)
def test_the_conditional_likelihood_finds_it_where_two_ranges_are_eligible(script, design, name):
    truth = script.TRUTHS[name]
    ranges, eligible, _ = script.expected(design, truth)
    fit = ak.npmle(ranges, (0, 8), eligible=eligible)
    assert fit.convergence is ak.inference.Convergence.STATIONARY
    assert fit.gap <= 1e-10
    assert script.missed(fit, truth) < 1e-6


@pytest.mark.parametrize("design", FLAT)
def test_the_conditional_likelihood_is_refused_where_it_is_flat(script, design):
    ranges, eligible, _ = script.expected(design, script.TRUTHS["rising"])
    with pytest.raises(ak.errors.NotIdentified, match="the only one that could have been sent"):
        ak.npmle(ranges, eligible=eligible)


def test_with_one_cut_and_more_than_half_a_point_in_the_middle_is_in_every_range(script):
    ranges, _, inclusion = script.expected("one cut, τ = .6", script.TRUTHS["rising"])
    naive = ak.inference.naive_npmle(ranges)
    assert (naive.lower.tolist(), naive.upper.tolist()) == ([3.0], [5.0])
    adjusted = ak.npmle(ranges, inclusion=inclusion)
    assert (3.0, 5.0) in zip(adjusted.lower, adjusted.upper, strict=True)


def test_people_are_missed_by_the_naive_likelihood_alone(script):
    table = script.people(1, 4_000, 46).splitlines()
    error = {row.split(" | ")[0][2:]: float(row.split(" | ")[1].split()[0]) for row in table[2:]}
    assert error["naive (46)"] > 0.2
    assert error["adjusted"] < 0.15
    assert error["nulls counted"] < 0.15


@pytest.mark.long
def test_the_page_shows_what_endless_data_give(script):
    page = SCRIPT.with_name("README.md").read_text(encoding="utf-8")
    assert script.endless() in page
