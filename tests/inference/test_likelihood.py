"""Most likely shares, against brute force and for awkward channels."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.channels import Channel, Frame, Tally
from askance.inference import Convergence, estimate, maximum_likelihood, moment_estimate
from askance_collect.errors import InputError, NotIdentified


def channel(rows):
    rows = np.asarray(rows, dtype=float)
    answers = [f"a{index}" for index in range(len(rows))]
    reports = {f"r{index}": [answers[index % len(answers)]] for index in range(rows.shape[1])}
    return Channel(Frame(answers), reports, rows)


def tally(rows, counts):
    q = channel(rows)
    return Tally(q, dict(zip(q.reports, map(int, counts), strict=True)))


def kary(k, truth):
    return np.full((k, k), (1 - truth) / (k - 1)) + np.eye(k) * (truth - (1 - truth) / (k - 1))


def likelihood(rows, counts, shares):
    chance = np.asarray(shares) @ rows
    is_seen = np.asarray(counts) > 0
    with np.errstate(divide="ignore"):
        return float((np.asarray(counts)[is_seen] * np.log(chance[..., is_seen])).sum())


def grid(k, steps):
    for cut in itertools.combinations_with_replacement(range(steps + 1), k - 1):
        yield np.diff([0, *cut, steps]) / steps


@st.composite
def problems(draw, answers=(2, 3)):
    k = draw(st.integers(*answers))
    m = draw(st.integers(k, k + 2))
    raw = draw(
        st.lists(st.lists(st.integers(0, 9), min_size=m, max_size=m), min_size=k, max_size=k)
    )
    rows = np.array(raw, dtype=float) + 5 * np.eye(k, m)
    counts = draw(st.lists(st.integers(0, 40), min_size=m, max_size=m))
    possible = rows.sum(axis=0) > 0
    return rows / rows.sum(axis=1, keepdims=True), np.array(counts) * possible


@settings(max_examples=60, deadline=None)
@given(problems())
@pytest.mark.long
def test_no_point_of_a_grid_is_likelier(problem):
    rows, counts = problem
    try:
        fit = maximum_likelihood(tally(rows, counts))
    except NotIdentified:
        assert np.linalg.matrix_rank(rows, tol=1e-9) < len(rows)
        return
    if fit.convergence is Convergence.NO_REPORTS:
        return
    best = likelihood(rows, counts, fit.value)
    assert all(likelihood(rows, counts, index) <= best + 1e-9 for index in grid(len(rows), 40))
    assert fit.gap <= 1e-12
    assert fit.value.min() >= 0
    assert fit.value.sum() == pytest.approx(1)
    assert np.all(fit.lower <= fit.value + 1e-9)
    assert np.all(fit.value <= fit.upper + 1e-9)
    assert np.all((fit.lower >= 0) & (fit.lower < fit.upper) & (fit.upper <= 1))


@settings(max_examples=12, deadline=None)
@given(problems(answers=(3, 3)))
@pytest.mark.long
def test_profile_intervals_are_those_of_a_grid(problem):
    rows, counts = problem
    counts = counts + 3 * (rows.max(axis=0) > 0)
    try:
        fit = maximum_likelihood(tally(rows, counts))
    except NotIdentified:
        return
    steps, z = 200, 1.959963984540054
    best = likelihood(rows, counts, fit.value)
    points = np.array(list(grid(3, steps)))
    is_seen = counts > 0
    with np.errstate(divide="ignore"):
        heights = np.log(points @ rows[:, is_seen]) @ counts[is_seen]
    for answer in range(3):
        point = points[2 * (best - heights) <= z * z, answer]
        if len(point):
            assert fit.lower[answer] <= point.min() + 1e-7
            assert fit.upper[answer] >= point.max() - 1e-7
            inside = points[:, answer]
            beyond = (inside < fit.lower[answer] - 1e-6) | (inside > fit.upper[answer] + 1e-6)
            assert np.all(2 * (best - heights[beyond]) > z * z)


def test_two_answers_agree_with_the_closed_form():
    rows = [[0.6, 0.1, 0.3], [0.1, 0.6, 0.3]]
    for counts in ((310, 520, 170), (1, 99, 10), (3, 0, 0)):
        closed, climbed = estimate(tally(rows, counts)), maximum_likelihood(tally(rows, counts))
        assert climbed.value == pytest.approx(closed.value, abs=1e-9)
        assert climbed.lower == pytest.approx(closed.lower, abs=1e-7)
    assert climbed.reports == closed.reports == 3


def test_k_ary_response_agrees_with_its_closed_form_inside():
    k, truth, counts = 5, 0.6, [300, 250, 200, 130, 120]
    other = (1 - truth) / (k - 1)
    closed = (np.array(counts) / 1000 - other) / (truth - other)
    fit = maximum_likelihood(tally(kary(k, truth), counts))
    assert fit.value == pytest.approx(closed, abs=1e-9)
    assert moment_estimate(tally(kary(k, truth), counts)).value == pytest.approx(closed, abs=1e-12)
    assert fit.convergence is Convergence.CONVERGED
    frequency = np.array(counts) / 1000
    assert fit.se == pytest.approx(
        np.sqrt(frequency * (1 - frequency) / 1000) / (truth - other), rel=1e-6
    )


def test_the_covariance_of_a_direct_question_is_multinomial():
    fit = maximum_likelihood(tally(np.eye(3), [20, 30, 50]))
    share = np.array([0.2, 0.3, 0.5])
    assert fit.covariance == pytest.approx((np.diag(share) - np.outer(share, share)) / 100)
    assert fit.effective_sample_size == pytest.approx([100, 100, 100])


def test_a_share_of_zero_keeps_errors_finite_and_intervals_open():
    fit = maximum_likelihood(tally(np.eye(3), [0, 30, 70]))
    assert fit.value[0] == 0
    assert fit.convergence is Convergence.ON_BOUNDARY
    assert 0 < fit.se[0] < 0.05
    assert fit.lower[0] == 0
    assert fit.upper[0] == pytest.approx(1 - np.exp(-(1.959963984540054**2) / 200), rel=1e-6)


@pytest.mark.parametrize("n", [1, 3, 10**9, 10**12])
def test_all_reports_alike(n):
    fit = maximum_likelihood(tally(kary(4, 0.7), [n, 0, 0, 0]))
    assert fit.value.tolist() == [1, 0, 0, 0]
    assert fit.gap <= 1e-12
    assert np.isfinite(fit.covariance).all()


def test_thirty_answers_and_many_reports_are_certified():
    rng = np.random.default_rng(3)
    rows = rng.dirichlet(np.full(80, 0.5), 30) * 0.5 + np.eye(30, 80) * 0.5
    shares = rng.dirichlet(np.ones(30))
    counts = rng.multinomial(10**7, shares @ rows)
    fit = maximum_likelihood(tally(rows, counts))
    assert fit.gap <= 1e-12
    assert np.abs(fit.value - shares).max() < 6 * fit.se.max()
    assert moment_estimate(tally(rows, counts)).value.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("truth", [0.6, 1.0])
def test_beyond_two_hundred_answers_intervals_are_normal_and_no_shorter_than_plain_ones(truth):
    k, n, z = 201, 5000, 1.959963984540054
    counts = np.random.default_rng(4).multinomial(n, np.linspace(0, 2, k) / k)
    fit = maximum_likelihood(tally(kary(k, truth), counts))
    assert np.all((fit.lower <= fit.value) & (fit.value <= fit.upper))
    assert np.all((fit.lower >= 0) & (fit.upper <= 1))
    assert fit.upper.min() >= z * z / (n + z * z)
    inside = (fit.lower > 0) & (fit.value > 0.005)
    width = (fit.upper - fit.lower)[inside]
    assert np.all(width >= 2 * z * fit.se[inside] * (1 - 1e-9))
    assert np.all(width <= 2 * z * fit.se[inside] * 1.2)


def test_identical_rows_are_named():
    rows = [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.5, 0.25, 0.25]]
    with pytest.raises(NotIdentified, match=r"cannot tell (a0 from a2|a2 from a0)"):
        estimate(tally(rows, [1, 2, 3]))
    with pytest.raises(NotIdentified):
        estimate(tally([[0.5, 0.5], [0.2, 0.8], [0.9, 0.1]], [1, 2]))


def test_an_impossible_report_is_refused_by_name():
    rows = [[0.75, 0.25, 0.0], [0.25, 0.75, 0.0]]
    assert estimate(tally(rows, [3, 5, 0])).reports == 8
    with pytest.raises(InputError, match="r2"):
        estimate(tally(rows, [3, 5, 1]))


def test_no_reports_teach_nothing():
    fit = maximum_likelihood(tally(kary(3, 0.6), [0, 0, 0]))
    assert fit.convergence is Convergence.NO_REPORTS
    assert np.isnan(fit.value).all()
    assert np.isnan(fit.covariance).all()
    for result, nothing in ((fit.lower, 0), (fit.upper, 1), (fit.effective_sample_size, 0)):
        assert result.tolist() == [nothing] * 3


def test_one_answer_leaves_nothing_to_learn():
    q = Channel(Frame(["only"]), {"a": ["only"], "b": ["only"]}, [[0.5, 0.5]])
    result = estimate(Tally(q, {"a": 3}))
    assert result.convergence is Convergence.NO_REPORTS


def test_moments_vary_as_the_counts_of_the_reports_do():
    """k-ary response: λ(1 − λ)/(n (p − q)²), and minus λ₁λ₂/(n (p − q)²) between two answers."""
    result = moment_estimate(tally(kary(3, 0.6), [50, 30, 20]))
    values, slope = np.array([0.5, 0.3, 0.2]), 0.6 - 0.2
    assert result.value == pytest.approx((values - 0.2) / slope)
    spread = np.diag(values) - np.outer(values, values)
    assert result.covariance == pytest.approx(spread / (100 * slope**2))


@pytest.mark.parametrize("level", [0, 1, -0.5, float("nan")])
def test_levels_outside_zero_and_one_are_refused(level):
    for method in (estimate, maximum_likelihood, moment_estimate):
        with pytest.raises(InputError, match="level"):
            method(tally(kary(3, 0.6), [1, 2, 3]), level)
        with pytest.raises(InputError, match="level"):
            method(tally(kary(2, 0.6), [0, 0]), level)


def test_higher_levels_give_wider_intervals():
    widths = [estimate(tally(kary(4, 0.7), [40, 30, 20, 10]), level) for level in (0.5, 0.9, 0.99)]
    for narrow, wide in itertools.pairwise(widths):
        assert np.all(wide.lower <= narrow.lower)
        assert np.all(wide.upper >= narrow.upper)


def test_three_answers_beyond_the_channel_keep_the_interval_of_its_border():
    rows = np.array([[0.6, 0.2, 0.2], [0.2, 0.6, 0.2], [0.2, 0.2, 0.6]])
    border, beyond = (
        maximum_likelihood(tally(rows, counts))
        for counts in ([60_000, 20_000, 20_000], [100_000, 0, 0])
    )
    assert beyond.value == pytest.approx([1, 0, 0], abs=1e-9)
    assert border.lower[0] < 0.995
    assert beyond.lower[0] == pytest.approx(border.lower[0], abs=1e-6)
    assert beyond.upper[1:] == pytest.approx(border.upper[1:], abs=1e-6)
