"""Tests of one distribution in several groups: published figures, brute force, other programs."""

import csv
import json
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from askance.channels import Ranges
from askance.inference import kolmogorov_test, log_rank_test, npmle
from askance_collect.errors import InputError

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def cosmesis():
    """When the breast retracted, by treatment."""
    result = {"radiotherapy": [], "both": []}
    with (EXAMPLES / "breast-cosmesis.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            result[row["treatment"]].append((float(row["after"]), float(row["by"] or "inf")))
    return {treatment: Ranges(rows) for treatment, rows in result.items()}


def split(ranges, chosen):
    inside = np.isin(np.arange(len(ranges)), chosen)
    return {"one": ranges[inside], "two": ranges[~inside]}


def enumerated(ranges, size, test):
    """The share of all ways to choose the first group in which the statistic is as large."""
    statistics = [
        test(split(ranges, chosen), permutations=0).statistic
        for chosen in combinations(range(len(ranges)), size)
    ]
    return np.array(statistics)


@pytest.mark.long
def test_log_rank_is_that_of_r_on_the_cosmesis_data(cosmesis):
    """Fay & Shaw (2010), as `ictest` of R's interval prints it with Sun's scores."""
    test = log_rank_test(cosmesis, rng=3)
    assert test.score == pytest.approx([-9.141846, 9.141846], abs=1e-6)
    assert test.statistic**0.5 == pytest.approx(2.6684, abs=5e-5)
    assert test.p_asymptotic == pytest.approx(0.007622, abs=5e-7)
    assert test.p_permutation == pytest.approx(test.p_asymptotic, abs=0.012)
    assert kolmogorov_test(cosmesis, rng=3).p_value < 0.05


@pytest.mark.long
@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 3))
def test_right_censored_scores_are_observed_less_expected(seed, groups):
    rng = np.random.default_rng(seed)
    time, group = rng.integers(1, 9, 40).astype(float), np.arange(40) % groups
    is_seen = rng.random(40) < 0.7
    is_seen[:groups] = True
    least = np.where(
        time == time[is_seen].max(), True, is_seen
    )  # the last deaths are seen to be last
    ranges = Ranges(time, np.where(least, time, np.inf), closed="survival")
    score = np.zeros(groups)
    for index in np.unique(time[least]):
        risk = time >= index
        dead = least & (time == index)
        for position in range(groups):
            own = group == position
            score[position] += (dead & own).sum() - dead.sum() * (risk & own).sum() / risk.sum()
    test = log_rank_test({str(g): ranges[group == g] for g in range(groups)}, permutations=0)
    assert test.score == pytest.approx(score, abs=1e-6)
    assert test.df == groups - 1
    assert np.isnan(test.p_permutation)
    assert test.p_value == test.p_asymptotic


def test_right_censored_data_agree_with_statsmodels_where_variances_do():
    """The variances differ by O(1/n): the usual one is hypergeometric, ours that of all deals."""
    from statsmodels.duration.survfunc import survdiff

    rng = np.random.default_rng(5)
    time, group = rng.exponential(1 + 0.15 * (np.arange(4000) % 2)), np.arange(4000) % 2
    is_seen, time = time < 2, np.minimum(time, 2)
    ranges = Ranges(time, np.where(is_seen, time, np.inf), closed="survival")
    usual, p = survdiff(time, is_seen, group)
    test = log_rank_test({"a": ranges[group == 0], "b": ranges[group == 1]}, permutations=0)
    assert test.statistic == pytest.approx(usual, rel=0.02)
    assert test.p_asymptotic == pytest.approx(p, rel=0.1)


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_exact_numbers_give_kolmogorov_and_smirnov(seed):
    rng = np.random.default_rng(seed)
    astype_result, two = rng.integers(0, 12, 7).astype(float), rng.integers(3, 15, 9).astype(float)
    groups = {
        "a": Ranges(astype_result, astype_result, closed="both"),
        "b": Ranges(two, two, closed="both"),
    }
    test = kolmogorov_test(groups, permutations=1, rng=seed)
    usual = stats.ks_2samp(astype_result, two, method="asymp").statistic
    assert test.statistic == pytest.approx(usual * (7 * 9 / 16) ** 0.5, abs=1e-6)


@pytest.mark.parametrize("test", [log_rank_test, kolmogorov_test])
@pytest.mark.long
def test_permutations_approach_all_deals_of_rings_unions_and_exact_numbers(test):
    unions_result = Ranges.unions(
        [
            [(0, 1), (3, 9)],
            [(0, 2)],
            [(1, 4)],
            [(3, np.inf)],
            [(np.nextafter(2, 0), 2)],
            [(-np.inf, 1), (2, 5)],
            [(4, 6)],
            [(5, 9)],
        ]
    )
    every = enumerated(unions_result, 3, test)
    assert len(every) == comb(8, 3)
    for chosen in ((0, 1, 2), (5, 6, 7), (0, 4, 6)):
        test_result = test(split(unions_result, chosen), permutations=4000, rng=11)
        exact = np.mean(every >= test_result.statistic * (1 - 1e-9))
        assert test_result.p_permutation == pytest.approx(exact, abs=0.04)


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_conditional_shares_against_every_place_and_range(seed):
    """Kolmogorov's score written out with a matrix of ranges by places."""
    rng = np.random.default_rng(seed)
    ends = np.sort(rng.integers(0, 12, (14, 2)), axis=1).astype(float)
    ends[:, 1] += 1
    ranges, own = Ranges(ends), np.arange(14) % 2 == 0
    fit = npmle(ranges)
    holds = (ends[:, :1] <= fit.lower) & (fit.upper <= ends[:, 1:])
    shares = holds * fit.mass / (holds @ fit.mass)[:, None]
    away = np.cumsum(shares[own].mean(axis=0) - fit.mass)
    test = kolmogorov_test({"even": ranges[own], "odd": ranges[~own]}, permutations=0)
    assert abs(test.score[0]) == pytest.approx(np.abs(away).max(), abs=1e-6)


@pytest.mark.long
@pytest.mark.parametrize("test", [log_rank_test, kolmogorov_test])
def test_weights_are_counts(test):
    low, high, weights = [0, 1, 4, 2, 3], [3, 6, 9, 5, 7], [3, 1, 2, 2, 0]
    folded = test({"ä": Ranges(low, high, weights), "β": Ranges([5], [8], [4])}, rng=1)
    spread = Ranges(np.repeat(low, weights), np.repeat(high, weights))
    flat = test({"ä": spread, "β": Ranges([5] * 4, [8] * 4)}, rng=1)
    assert folded.statistic == pytest.approx(flat.statistic)
    assert folded.n.tolist() == [8, 4]
    assert folded.p_permutation == pytest.approx(flat.p_permutation, abs=0.05)


@pytest.mark.long
@pytest.mark.parametrize("test", [log_rank_test, kolmogorov_test])
def test_ranges_that_say_nothing_tell_no_groups_apart(test):
    open_ended = Ranges([-np.inf] * 3, [np.inf] * 3)
    test_result = test({"a": open_ended, "b": open_ended[:2], "c": open_ended[:1]}, rng=1)
    assert (test_result.statistic, test_result.p_value) == (0, 1)


def test_a_thousand_million_reports_are_tested_without_permutations():
    cut = {(-np.inf, 5): 4 * 10**8, (5, np.inf): 10**8}
    more = {(-np.inf, 5): 4 * 10**8 + 10**5, (5, np.inf): 10**8 - 10**5}
    groups = {"a": Ranges.from_counts(cut), "b": Ranges.from_counts(more)}
    test = log_rank_test(groups, permutations=0)
    below = np.array([[4e8, 1e8], [4e8 + 1e5, 1e8 - 1e5]])
    usual = stats.chi2_contingency(below, correction=False).statistic
    assert test.statistic == pytest.approx(usual, rel=1e-6)
    with pytest.raises(InputError, match="permutations"):
        log_rank_test(groups)


@pytest.mark.parametrize("test", [log_rank_test, kolmogorov_test])
@pytest.mark.parametrize(
    "samples",
    [
        {},
        {"only": Ranges([0], [1])},
        {"a": Ranges([0], [1]), "b": Ranges([], [])},
        {"a": Ranges([0], [1]), "b": Ranges([0], [1], [0])},
        {"a": Ranges([0], [1]), "b": Ranges([0], [1], [0.5])},
    ],
)
def test_what_is_no_two_groups_is_refused(test, samples):
    with pytest.raises(InputError, match="samples"):
        test(samples)


@pytest.mark.parametrize("times", [-1, 1.5])
def test_permutations_are_counted(cosmesis, times):
    with pytest.raises(InputError, match="permutations"):
        log_rank_test(cosmesis, permutations=times)


def test_the_result_is_json_and_a_table(cosmesis):
    test = kolmogorov_test(cosmesis, permutations=9, rng=1)
    written = json.loads(json.dumps(test.to_dict(), allow_nan=False))
    assert written["p_asymptotic"] is None
    assert "9 permutations" in repr(test)
    assert "<table>" in test._repr_html_()
    with pytest.raises(ValueError, match="read-only"):
        test.score[0] = 1
