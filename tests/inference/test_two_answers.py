"""Two answers in closed form, against tables computed with exact rationals."""

import json
import math
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np
import pytest
from scipy.stats import binom

from askance.channels import Channel, Frame, Tally
from askance.inference import (
    Convergence,
    estimate,
    mean_inverse,
    moment_estimate,
    truth_lie_variance,
)
from askance.mechanisms import Warner
from askance_collect.errors import InputError, NotIdentified

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "estimators.json").read_text())
CASES = ORACLE["two_by_three_variance"]["cases"]
REPORTS = {"yes": ["yes"], "no": ["no"], "don't know": ["yes", "no"]}


def abstain(p, q):
    row = [p, q, 1 - p - q]
    return Channel(Frame(["yes", "no"]), REPORTS, [row, [q, p, 1 - p - q]])


def read(case):
    return [Fraction(case[name]) for name in ("pi", "p", "q")]


@pytest.mark.checked(
    "truth_lie_variance",
    "mean_inverse",
    by="every tally enumerated in exact fractions",
    value=1e-10,
)
@pytest.mark.parametrize("case", CASES, ids=lambda case: "{pi} {p} {q} {n}".format(**case))
def test_variance_agrees_with_the_oracle(case, within):
    pi, p, q = (float(value) for value in read(case))
    expected = case["var_given_positive"]
    variance = truth_lie_variance(pi, p, q, case["n"])
    assert variance == pytest.approx(expected, rel=within.value, abs=1e-15)
    assert mean_inverse(case["n"], min(p + q, 1.0)) == pytest.approx(
        case["E_inv_N_given_positive"], rel=within.value
    )


@pytest.mark.long
@pytest.mark.parametrize("case", [case for case in CASES if "clipped_mean_given_positive" in case])
def test_clipped_estimates_agree_with_the_oracle(case):
    pi, p, q = read(case)
    channel, n = abstain(p, q), case["n"]
    chance = float(pi * p + (1 - pi) * q) / float(p + q)
    values, weights = [], []
    for index in range(1, n + 1):
        for yes in range(index + 1):
            weight = binom.pmf(index, n, float(p + q)) * binom.pmf(yes, index, chance)
            if weight:
                counts = {"yes": yes, "no": index - yes, "don't know": n - index}
                values.append(estimate(Tally(channel, counts)).value[0])
                weights.append(weight)
    mean = np.average(values, weights=weights)
    square = np.average((np.array(values) - float(pi)) ** 2, weights=weights)
    assert mean == pytest.approx(case["clipped_mean_given_positive"], rel=1e-9, abs=1e-12)
    assert square == pytest.approx(case["clipped_mse_given_positive"], rel=1e-9)


@pytest.mark.long
@pytest.mark.parametrize(("n", "share"), [(1, 0.3), (7, 1e-9), (50, 0.9), (2000, 0.01)])
def test_mean_inverse_equals_the_sum(n, share):
    with mpmath.workdps(40):
        s = mpmath.mpf(share)
        terms = [mpmath.binomial(n, k) * s**k * (1 - s) ** (n - k) / k for k in range(1, n + 1)]
        exact = float(mpmath.fsum(terms) / (1 - (1 - s) ** n))
    assert mean_inverse(n, share) == pytest.approx(exact, rel=1e-13)


@pytest.mark.parametrize(("n", "share"), [(101, 0.995), (400, 0.3), (10**5, 0.002), (10**9, 0.5)])
def test_where_many_are_expected_it_is_the_mean_over_the_bulk_of_the_law(n, share):
    """Of a law so wide and smooth, terms a tenth of a standard deviation apart tell as much."""
    spread = math.sqrt(n * share * (1 - share))
    counts = range(max(1, int(n * share - 14 * spread)), min(n, int(n * share + 14 * spread)) + 1)
    with mpmath.workdps(40):
        s, mass, first = mpmath.mpf(share), mpmath.mpf(0), mpmath.mpf(0)
        for count in counts[:: max(int(spread / 10), 1)]:
            item = mpmath.binomial(n, count) * s**count * (1 - s) ** (n - count)
            mass, first = mass + item, first + item / count
        assert mean_inverse(n, share) == pytest.approx(float(first / mass), rel=1e-14)


@pytest.mark.parametrize(("n", "share"), [(130, 0.8), (1000, 0.11), (3000, 0.04)])
@pytest.mark.long
def test_the_bound_of_the_series_holds(n, share):
    with mpmath.workdps(60):
        s = mpmath.mpf(share)
        mass = [mpmath.binomial(n, k) * s**k * (1 - s) ** (n - k) for k in range(1, n + 1)]
        exact = mpmath.fsum(m / k for k, m in enumerate(mass, 1)) / mpmath.fsum(mass)
        for terms in (2, 4, 8):
            parts, term = [], mpmath.mpf(1)
            for index in range(1, terms + 1):
                term *= mpmath.mpf(max(index - 1, 1)) / ((n + index) * s)
                parts.append(term)
            bound = (terms + 2) * parts[-1] * terms / ((n + terms + 1) * s)
            assert 0 < exact - mpmath.fsum(parts) <= bound
    assert mean_inverse(n, share) == pytest.approx(float(exact), rel=1e-14)


def test_mean_inverse_needs_a_chance():
    for n, share in ((0, 0.5), (5, 0.0), (5, 1.1)):
        with pytest.raises(InputError, match="mean_inverse"):
            mean_inverse(n, share)
    with pytest.raises(InputError, match=r"^share: got nan"):
        mean_inverse(5, float("nan"))


def test_warners_variance_is_his_equation():
    p, n, pi = 0.7, 37, 0.2
    warner = (1 / (4 * (2 * p - 1) ** 2) - (pi - 0.5) ** 2) / n
    assert truth_lie_variance(pi, p, 1 - p, n) == pytest.approx(warner, rel=1e-12)


def test_truth_no_likelier_than_a_lie_tells_nothing():
    with pytest.raises(NotIdentified, match="truth"):
        truth_lie_variance(0.3, 0.25, 0.25, 10)
    with pytest.raises(NotIdentified, match=r"yes.*no|no.*yes"):
        estimate(Tally(abstain(0.3, 0.3), {"yes": 3}))


def test_the_estimate_is_equation_two_and_its_clip():
    tally = Tally(abstain(0.6, 0.1), {"yes": 5, "no": 95, "don't know": 40})
    raw = (95 * 0.1 - 5 * 0.6) / (100 * (0.1 - 0.6))
    assert moment_estimate(tally).value[0] == pytest.approx(raw, rel=1e-12)
    assert raw < 0
    clipped = estimate(tally)
    assert clipped.value.tolist() == [0, 1]
    assert clipped.convergence is Convergence.ON_BOUNDARY
    inside = 0.5 / 101  # half an answer inside, of the 100 that name one
    spread = (0.7 / 0.5) ** 2 / 4 - (inside - 0.5) ** 2  # theorem 10, but for E[1/N]
    assert clipped.covariance[0, 0] == pytest.approx(spread / 100, rel=1e-12)


def test_structure_is_read_from_the_matrix_not_from_names():
    lopsided = Channel(
        Frame(["a", "b"]),
        {"1": ["a", "b"], "2": ["b"], "3": ["a"], "4": ["a", "b"]},
        [[0.1, 0.2, 0.3, 0.4], [0.1, 0.4, 0.1, 0.4]],
    )
    tally = Tally(lopsided, {"2": 30, "3": 20})
    assert moment_estimate(tally).value[0] == pytest.approx((30 / 50 - 0.8) / (0.4 - 0.8))
    assert math.isnan(estimate(tally).gap)  # in closed form
    three = Channel(
        Frame(["a", "b"]), {"1": ["a"], "2": ["b"], "3": ["a"]}, [[0.5, 0.2, 0.3], [0.2, 0.7, 0.1]]
    )
    assert estimate(Tally(three, {"1": 3})).gap <= 1e-12  # climbed


def wilson(x, n, z):
    centre, spread = (x + z * z / 2) / (n + z * z), math.sqrt(x * (n - x) / n + z * z / 4)
    return centre - z * spread / (n + z * z), centre + z * spread / (n + z * z)


@pytest.mark.parametrize("yes", [30, 55, 99])
@pytest.mark.parametrize(("top", "base"), [(5 / 6, 1 / 6), (1.0, 0.2), (0.75, 0.25)])
def test_the_interval_is_wilsons_mapped_through_the_channel(yes, top, base):
    rows = [[top, 1 - top], [base, 1 - base]]
    channel = Channel(Frame(["y", "n"]), {"1": ["y"], "2": ["n"]}, rows)
    result = estimate(Tally(channel, {"1": yes, "2": 100 - yes}))
    if 0 < result.value[0] < 1:
        mapped = [(end - base) / (top - base) for end in wilson(yes, 100, 1.959963984540054)]
        assert result.lower[0] == pytest.approx(max(mapped[0], 0), abs=1e-10)
        assert result.upper[0] == pytest.approx(min(mapped[1], 1), abs=1e-10)
        assert result.lower[1] == pytest.approx(1 - result.upper[0])


@pytest.mark.long
def test_the_interval_is_never_empty_and_never_narrower_than_wilsons():
    channel = Channel(Frame(["y", "n"]), {"1": ["y"], "2": ["n"]}, [[0.75, 0.25], [0.25, 0.75]])
    for yes in range(201):
        result = estimate(Tally(channel, {"1": yes, "2": 200 - yes}))
        mapped = [2 * end - 0.5 for end in wilson(yes, 200, 1.959963984540054)]
        assert 0 <= result.lower[0] < result.upper[0] <= 1
        assert result.lower[0] <= result.value[0] <= result.upper[0]
        assert result.lower[0] <= min(max(mapped[0], 0), 1) + 1e-9
        assert result.upper[0] >= min(max(mapped[1], 0), 1) - 1e-9


def test_plain_answers_are_bounded_and_worth_something_at_zero():
    direct = Channel(Frame(["y", "n"]), {"1": ["y"], "2": ["n"]}, [[1, 0], [0, 1]])
    assert estimate(Tally(direct, {"1": 30, "2": 70})).effective_sample_size == pytest.approx(
        [100, 100]
    )
    assert estimate(Tally(direct, {"2": 100})).effective_sample_size == pytest.approx([100, 100])
    noisy = estimate(Tally(abstain(0.6, 0.1), {"yes": 100, "no": 600, "don't know": 300}))
    assert noisy.value[0] == pytest.approx(0, abs=1e-12)
    assert 1 < noisy.effective_sample_size[0] < 500


@pytest.mark.parametrize("n", [1, 10**6, 10**12])
@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 1.0])
def test_any_size_and_any_split_gives_finite_answers(n, share):
    yes = int(n * share)
    result = estimate(Tally(abstain(0.6, 0.1), {"yes": yes, "no": n - yes}))
    for array in (
        result.value,
        result.se,
        result.lower,
        result.upper,
        result.effective_sample_size,
    ):
        assert np.isfinite(array).all()
    assert result.value.sum() == pytest.approx(1)


def test_only_uninformative_reports_teach_nothing():
    result = estimate(Tally(abstain(0.6, 0.1), {"don't know": 12}))
    assert result.convergence is Convergence.NO_REPORTS
    assert (result.lower.tolist(), result.upper.tolist()) == ([0, 0], [1, 1])
    assert np.isnan(result.value).all()
    assert result.reports == 0


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ((2, 0.6, 0.1, 10), "prevalence"),
        ((-0.1, 0.6, 0.1, 10), "prevalence"),
        ((float("nan"), 0.6, 0.1, 10), "prevalence"),
        ((0.3, 0.6, 0.5, 10), ""),
        ((0.3, 0.6, -0.1, 10), "lie"),
        ((0.3, 1.2, 0.1, 10), "truth"),
        ((0.3, 0.6, 0.1, 2.5), "n"),
        ((0.3, 0.6, 0.1, 0), ""),
        ((0.3, 0.0, 0.0, 10), ""),
    ],
)
def test_a_variance_of_no_design_is_refused(given, where):
    """It gave −0.265 for a share of 2."""
    with pytest.raises(InputError) as caught:
        truth_lie_variance(*given)
    assert caught.value.where.endswith(where)


def test_a_count_of_trials_is_whole():
    for n in (2.5, float("nan"), "3", True):
        with pytest.raises(InputError, match=r"^n: got .*a whole number"):
            mean_inverse(n, 0.5)
    assert mean_inverse(3.0, 0.5) == mean_inverse(3, 0.5)


@pytest.mark.parametrize("yes", [75_000, 90_000, 100_000])
def test_reports_beyond_what_any_share_sends_do_not_feign_certainty(yes):
    """From the border on the interval stays that of the border: z √(pq/n)/(p − q), and no less."""
    channel = Warner(truth="3/4").channel(Frame(["yes", "no"]))
    result = estimate(Tally(channel, {"yes": yes, "no": 100_000 - yes}))
    assert result.value.tolist() == [1, 0]
    assert result.upper[0] == 1
    width = 1.959964 * (0.75 * 0.25 / 100_000) ** 0.5 / 0.5
    assert result.lower[0] == pytest.approx(1 - width, rel=1e-4)
    assert result.upper[1] == pytest.approx(width, rel=0.01)


@pytest.mark.parametrize("n", [100, 10**4, 10**6])
def test_an_interval_at_the_edge_shrinks_as_one_over_n(n):
    plain = Warner(truth=1).channel(Frame(["yes", "no"]))
    result = estimate(Tally(plain, {"yes": n}))
    assert 1 - result.lower[0] == pytest.approx(3.841459 / (n + 3.841459), rel=1e-6)


def test_a_limit_at_the_border_is_exactly_zero_or_one():
    reports = Tally(Warner(truth="3/4").channel(Frame(["yes", "no"])), {"yes": 3})
    told = estimate(reports)
    # Twice the log-likelihood lost at a share of 0 by counts of 9/4 and 3/4, the nearest possible:
    assert 3 * math.log(3) < 1.96**2
    assert (told.lower.tolist(), told.upper.tolist()) == ([0.0, 0.0], [1.0, 1.0])
