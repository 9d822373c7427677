"""Selected reports with endless data: what the paper's likelihood misses, and the others find."""

from pathlib import Path

import pytest

import askance as ak

FOLDER = Path(__file__).parents[2] / "papers" / "ding-ding"


@pytest.fixture(scope="module")
def selected(script):
    return script("ding-ding", "selected")


TRUTHS = ("even", "rising", "peaked")
IDENTIFIED = ("two cuts, τ = .3", "ring of three, τ = .3")
FLAT = ("one cut, τ = .6", "two cuts, τ = .45")


@pytest.mark.parametrize("name", TRUTHS)
@pytest.mark.parametrize("design", IDENTIFIED + FLAT)
def test_the_adjusted_likelihood_finds_the_truth_and_the_naive_one_does_not(selected, design, name):
    truth = selected.TRUTHS[name]
    ranges, _, inclusion = selected.expected(design, truth)
    fit = ak.npmle(ranges, (0, 8), 1e-12, inclusion=inclusion)
    assert fit.convergence is ak.inference.Convergence.CONVERGED
    assert selected.missed(fit, truth) < 1e-8
    assert selected.missed(ak.inference.naive_npmle(ranges, (0, 8)), truth) > 0.1


@pytest.mark.parametrize("rho", [1, 0.5])
@pytest.mark.parametrize("name", TRUTHS)
@pytest.mark.parametrize("design", IDENTIFIED + FLAT)
def test_counted_nulls_find_the_truth_too(selected, design, name, rho):
    truth = selected.TRUTHS[name]
    ranges, _, inclusion = selected.expected(design, truth)
    fit = selected.counted_fit(ranges, inclusion, rho)
    assert fit.convergence is ak.inference.Convergence.CONVERGED
    assert selected.missed(fit, truth) < 1e-6


@pytest.mark.long
@pytest.mark.parametrize("name", TRUTHS)
@pytest.mark.parametrize("design", IDENTIFIED)
def test_the_conditional_likelihood_finds_it_where_two_ranges_are_eligible(selected, design, name):
    truth = selected.TRUTHS[name]
    ranges, eligible, _ = selected.expected(design, truth)
    fit = ak.npmle(ranges, (0, 8), eligible=eligible)
    assert fit.convergence is ak.inference.Convergence.STATIONARY
    assert fit.gap <= 1e-10
    assert selected.missed(fit, truth) < 1e-6


@pytest.mark.parametrize("design", FLAT)
def test_the_conditional_likelihood_is_refused_where_it_is_flat(selected, design):
    ranges, eligible, _ = selected.expected(design, selected.TRUTHS["rising"])
    with pytest.raises(ak.errors.NotIdentified, match="the only one that could have been sent"):
        ak.npmle(ranges, eligible=eligible)


def test_with_one_cut_and_more_than_half_a_point_in_the_middle_is_in_every_range(selected):
    ranges, _, inclusion = selected.expected("one cut, τ = .6", selected.TRUTHS["rising"])
    naive = ak.inference.naive_npmle(ranges)
    assert (naive.lower.tolist(), naive.upper.tolist()) == ([3.0], [5.0])
    adjusted = ak.npmle(ranges, inclusion=inclusion)
    assert (3.0, 5.0) in zip(adjusted.lower, adjusted.upper, strict=True)


def test_people_are_missed_by_the_naive_likelihood_alone(selected):
    table = selected.people(1, 4_000, 46).splitlines()
    error = {row.split(" | ")[0][2:]: float(row.split(" | ")[1].split()[0]) for row in table[2:]}
    assert error["naive (46)"] > 0.2
    assert error["adjusted"] < 0.15
    assert error["nulls counted"] < 0.15


@pytest.mark.long
def test_the_page_shows_what_endless_data_give(selected):
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert selected.endless() in page
