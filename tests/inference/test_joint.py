"""Several questions together, against the channel written out and against each question alone."""

import json
from dataclasses import replace
from functools import reduce

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.channels import Channel, Frame, Tally
from askance.engines import tally
from askance.inference import (
    Convergence,
    JointInclusion,
    SamplingDesign,
    bootstrap,
    estimate,
    estimate_joint,
    jackknife,
    maximum_likelihood,
    most_likely,
)
from askance_collect.errors import InputError, NotIdentified

TOLERANCE = 1e-12
"""What is missing at most, per report, where a maximum is certified."""


def channel(rows):
    rows = np.asarray(rows, dtype=float)
    answers = [f"a{index}" for index in range(len(rows))]
    return Channel(
        Frame(answers),
        {f"r{index}": [answers[index % len(rows)]] for index in range(rows.shape[1])},
        rows,
    )


WARNER = channel([[0.75, 0.25], [0.25, 0.75]])
ABSTAIN = channel([[0.6, 0.1, 0.3], [0.1, 0.6, 0.3]])
THREE = channel([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.1, 0.2, 0.7]])


@st.composite
def surveys(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    matrices = []
    for _ in range(draw(st.integers(1, 4))):
        k = draw(st.integers(1, 3))
        m = k + draw(st.integers(0, 1))
        matrices.append(rng.dirichlet(np.ones(m), k) * 0.5 + np.eye(k, m) * 0.5)
    shares = rng.dirichlet(np.full(np.prod([len(matrix) for matrix in matrices]), 0.7))
    reduce_result = reduce(np.kron, matrices)
    counts = rng.multinomial(draw(st.sampled_from([20, 1000, 10**9])), shares @ reduce_result)
    return matrices, reduce_result, counts


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(surveys())
def test_the_joint_fit_is_that_of_the_channel_written_out(drawn):
    """The certificate and the covariance too, each from the Kronecker product itself."""
    matrices, entire, counts = drawn
    named = {f"q{index}": channel(matrix) for index, matrix in enumerate(matrices)}
    result = estimate_joint(named, counts.reshape([item.shape[1] for item in matrices]))
    channel_result = channel(entire)
    tally = Tally(channel_result, dict(zip(channel_result.reports, counts.tolist(), strict=True)))
    alone = most_likely(tally).value if len(entire) > 1 else np.ones(1)
    assert result.value.ravel() == pytest.approx(alone, abs=1e-5)
    assert np.all((result.lower <= result.value + 1e-9) & (result.value <= result.upper + 1e-9))
    assert result.value.sum() == pytest.approx(1)
    shares, n, k = result.value.ravel(), counts.sum(), len(entire)
    observed = entire[:, counts > 0]
    score = observed @ (counts[counts > 0] / (shares @ observed)) / n
    assert result.gap <= TOLERANCE
    assert score.max() - 1 == pytest.approx(result.gap, abs=1e-12)
    basis = np.linalg.svd(np.ones((1, k)))[2][1:].T
    root = basis.T @ (observed * np.sqrt(counts[counts > 0]) / (shares @ observed))
    if shares.min() <= 0 or np.linalg.matrix_rank(root, tol=1e-6 * n**0.5) < k - 1:
        near = shares if shares.min() > 0 else (n * shares + 0.5) / (n + k / 2)
        root = basis.T @ (entire * np.sqrt(n / (near @ entire)))
    covariance = basis @ np.linalg.solve(root @ root.T, basis.T)
    assert result.covariance * n == pytest.approx(covariance * n, rel=1e-6, abs=1e-7)


def test_where_no_share_is_zero_the_margins_are_those_of_each_question_alone():
    counts = np.array([[300, 250, 260], [280, 300, 250]])
    result = estimate_joint({"one": WARNER, "two": THREE}, counts)
    assert result.convergence is Convergence.CONVERGED
    for name, q, observed in (("one", WARNER, counts.sum(1)), ("two", THREE, counts.sum(0))):
        alone = most_likely(Tally(q, dict(zip(q.reports, observed.tolist(), strict=True))))
        assert result.margin(name) == pytest.approx(alone.value, abs=1e-5)
    assert result.margin("two", "one") == pytest.approx(result.value.T)


def test_association_and_odds_of_what_was_put_in():
    shares = np.array([[0.4, 0.1], [0.2, 0.3]])
    counts = np.rint(WARNER.matrix.T @ shares @ WARNER.matrix * 10**12)
    result = estimate_joint({"a": WARNER, "b": WARNER}, counts)
    ratio, lower, upper = result.odds_ratio()
    assert ratio == pytest.approx(6, rel=1e-4)
    assert lower < ratio < upper
    phi = (0.4 * 0.3 - 0.1 * 0.2) / np.sqrt(0.5 * 0.5 * 0.6 * 0.4)
    assert result.association("a", "b") == pytest.approx(phi, abs=1e-6)
    assert estimate_joint({"a": WARNER, "b": THREE}, np.ones((2, 3)) * 100).association(
        "a", "b"
    ) == pytest.approx(0, abs=1e-6)


@pytest.mark.long
def test_the_standard_error_of_the_log_odds_is_the_spread_of_simulated_ones():
    shares = np.array([[0.35, 0.15], [0.2, 0.3]])
    chances = (WARNER.matrix.T @ shares @ WARNER.matrix).ravel()
    rng = np.random.default_rng(3)
    estimates = [
        estimate_joint({"a": WARNER, "b": WARNER}, rng.multinomial(20000, chances).reshape(2, 2))
        for _ in range(300)
    ]
    ratios = np.log([item.odds_ratio() for item in estimates])
    result = (ratios[:, 2] - ratios[:, 1]).mean() / (2 * 1.959964)
    assert result == pytest.approx(ratios[:, 0].std(), rel=0.2)


def test_a_share_of_zero_leaves_the_odds_open():
    result = estimate_joint({"a": WARNER, "b": WARNER}, [[900, 10], [10, 300]])
    assert result.convergence is Convergence.ON_BOUNDARY
    assert result.odds_ratio()[1:] == (0, np.inf)
    assert np.isfinite(result.se).all()


@pytest.mark.long
def test_four_questions_of_five_answers_and_many_reports():
    rows = channel(np.full((5, 5), 0.05) + 0.75 * np.eye(5))
    rng = np.random.default_rng(2)
    shares = rng.dirichlet(np.ones(5**4)).reshape((5,) * 4)
    counts = rng.multinomial(
        10**12,
        np.einsum("abcd,ai,bj,ck,dl->ijkl", shares, *[rows.matrix] * 4, optimize=True).ravel(),
    )
    result = estimate_joint(dict.fromkeys("abcd", rows), counts.reshape((5,) * 4))
    assert result.gap <= TOLERANCE
    assert np.abs(result.value - shares).max() < 6 * result.se.max()


def test_no_reports_teach_nothing():
    result = estimate_joint({"a": WARNER, "b": ABSTAIN}, np.zeros((2, 3)))
    assert result.convergence is Convergence.NO_REPORTS
    assert np.isnan(result.value).all()
    assert (result.lower.max(), result.upper.min()) == (0, 1)


@pytest.mark.parametrize(
    ("channels", "counts", "message"),
    [
        ({"a": WARNER}, [1, 2, 3], "shape"),
        ({}, [], "shape"),
        ({"a": WARNER}, [1.5, 2], "whole"),
        ({"a": WARNER}, [-1, 2], "whole"),
        ({"a": WARNER}, [float("nan"), 2], "whole"),
        ({"a": channel([[0.5, 0.5, 0], [0.2, 0.8, 0]])}, [1, 2, 3], "no answer can send"),
        (dict.fromkeys("abcdefghijkl", WARNER), np.zeros((2,) * 12), "at most 2,000"),
    ],
)
def test_bad_counts_are_refused(channels, counts, message):
    with pytest.raises(InputError, match=message):
        estimate_joint(channels, counts)


def test_a_question_that_tells_nothing_is_refused_by_name():
    flat = channel([[0.5, 0.5], [0.5, 0.5]])
    with pytest.raises(NotIdentified, match="a0 from a1"):
        estimate_joint({"a": WARNER, "b": flat}, np.ones((2, 2)))
    pair = estimate_joint({"a": WARNER, "b": THREE}, np.ones((2, 3)))
    with pytest.raises(InputError, match="two questions"):
        pair.odds_ratio()
    with pytest.raises(InputError, match="allowed: a, b"):
        pair.margin("c")


def test_a_share_of_one_is_worth_as_much_as_a_share_of_none():
    """Half an answer inside either end, so that neither is called worthless."""
    result = estimate_joint({"one": WARNER}, [50, 0])
    assert result.value.tolist() == [1, 0]
    assert result.effective_sample_size[0] == pytest.approx(result.effective_sample_size[1])
    assert 0 < result.effective_sample_size[0] <= 50


def test_an_odds_ratio_without_the_odd_pairs_has_no_upper_end():
    plain = channel([[1, 0], [0, 1]])
    for counts, ratio in (([[50, 30], [20, 0]], 0), ([[50, 30], [0, 20]], np.inf)):
        result = estimate_joint({"a": plain, "b": plain}, counts)
        assert result.odds_ratio() == (ratio, 0, np.inf)
    document = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert (document["questions"], document["reports"]) == (["a", "b"], 100)
    assert result._repr_html_().count("<tr>") == 5


@pytest.mark.parametrize("yes", [110, 121, 150, 240, 400])
def test_the_interval_of_one_question_is_that_of_its_share(yes):
    """Where noise is most of the variance, as many plain answers as it is worth told too little."""
    q = Channel(
        Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[11 / 12, 1 / 12], [1 / 6, 5 / 6]]
    )
    result = estimate_joint({"one": q}, [yes, 720 - yes])
    known_estimate = estimate(Tally(q, {"yes": yes, "no": 720 - yes}))
    np.testing.assert_allclose(result.lower[0], known_estimate.lower[0], atol=5e-4)
    if result.value[0]:
        np.testing.assert_allclose(result.upper[0], known_estimate.upper[0], atol=5e-4)
    else:
        assert known_estimate.upper[0] < result.upper[0] < 0.04


def villagers(n=240, none=False):
    """Reports of two questions from villages in two strata, and how people were drawn."""
    rng = np.random.default_rng(11)
    village, weight = rng.integers(0, 24, n), rng.choice([1.0, 2.0, 3.0], n)
    first = (rng.random(n) < rng.beta(2, 3, 24)[village]).astype(int)
    second = np.where(first == 1, rng.choice(3, n, p=[0.6, 0.3, 0.1]), 2 - none)
    replies = {
        name: np.array(q.reports)[(rng.random((n, 1)) > np.cumsum(q.matrix, 1)[index]).sum(1)]
        for name, q, index in (("one", WARNER, first), ("two", THREE, second))
    }
    result = {"weights": weight, "strata": village % 2, "clusters": village}
    return replies, result, np.where(village % 2, 20, 30)


def written_out(replies):
    """The channel of both questions as one, and its reports."""
    channel_result = channel(np.kron(WARNER.matrix, THREE.matrix))
    columns = [np.searchsorted(q.reports, replies[n]) for n, q in (("one", WARNER), ("two", THREE))]
    return channel_result, np.array(channel_result.reports)[columns[0] * 3 + columns[1]]


@pytest.mark.long
@pytest.mark.parametrize("none", [False, True])
def test_a_sample_has_the_covariance_of_the_channel_written_out(none):
    """Of `maximum_likelihood` of one question whose answers are the combinations."""
    replies, result, size = villagers(none=none)
    plain = SamplingDesign(**result)
    designs = {
        "plain": plain,
        "finite": SamplingDesign(**result, fpc=size),
        "jackknife": jackknife(plain),
        "bootstrap": bootstrap(plain, 40, rng=3),
        "census": SamplingDesign(fpc=[250] * 240),
        "unequal": JointInclusion(np.linspace(0.1, 0.5, 240)),
    }
    for sampling in designs.values():
        outcome = estimate_joint({"one": WARNER, "two": THREE}, reports=replies, sampling=sampling)
        entire, reports = written_out(replies)
        fit = maximum_likelihood(tally(entire, reports, sampling=sampling))
        assert outcome.convergence is fit.convergence
        np.testing.assert_allclose(outcome.value.ravel(), fit.value, atol=1e-9)
        np.testing.assert_allclose(outcome.covariance, fit.covariance, rtol=1e-6, atol=1e-12)
        assert outcome.df == sampling.df
        assert outcome.reports == 240
        np.testing.assert_allclose(outcome.upper.ravel(), fit.upper, atol=0.05)
        np.testing.assert_allclose(outcome.lower.ravel(), fit.lower, atol=0.05)
    assert "complex sample, 239 degrees of freedom" in str(outcome)


def test_reports_without_a_design_are_counted():
    replies, _, _ = villagers()
    counts = pd.crosstab(replies["one"], replies["two"]).to_numpy()
    q = {"one": WARNER, "two": THREE}
    assert estimate_joint(q, reports=replies).to_dict() == estimate_joint(q, counts).to_dict()
    for kind in (pd.DataFrame, pl.DataFrame, pa.table):
        assert estimate_joint(q, reports=kind(replies)).reports == 240


def test_who_left_a_question_blank_stays_in_the_design():
    """As a domain does: no stratum and no village is lost, and its people count no more."""
    replies, result, _ = villagers()
    blank, sampling = np.arange(240) % 5 == 0, SamplingDesign(**result)
    holed = dict(replies, two=np.where(blank, None, replies["two"].astype(object)))
    q = {"one": WARNER, "two": THREE}
    outcome = estimate_joint(q, reports=holed, sampling=sampling)
    known_estimate = estimate_joint(q, reports=replies, sampling=sampling.domain(~blank))
    np.testing.assert_array_equal(outcome.covariance, known_estimate.covariance)
    assert outcome.reports == 192


def test_an_odds_ratio_of_a_sample_is_students():
    replies, result, _ = villagers()
    pair = {"one": replies["one"], "two": replies["one"][::-1]}
    q = dict.fromkeys(pair, WARNER)
    few = estimate_joint(q, reports=pair, sampling=SamplingDesign(clusters=result["clusters"] % 3))
    many = estimate_joint(q, reports=pair, sampling=SamplingDesign(clusters=np.arange(240)))
    plain = estimate_joint(q, reports=pair)
    width = {item.df: np.log(item.odds_ratio()[2] / item.odds_ratio()[0]) for item in (few, many)}
    assert few.df == 2
    slope = np.array([1, -1, -1, 1]) / few.value.ravel()
    se = np.sqrt(slope @ few.covariance @ slope)
    assert width[2] == pytest.approx(4.302653 * se, rel=1e-6)
    assert width[239] == pytest.approx(
        np.log(plain.odds_ratio()[2] / plain.odds_ratio()[0]), rel=0.1
    )
    alone = estimate_joint(
        q, reports=pair, sampling=SamplingDesign(clusters=[1] * 240, lonely="adjust")
    )
    assert (alone.lower.max(), alone.upper.min()) == (0, 1)
    assert alone.odds_ratio()[1:] == (0, np.inf)


def test_a_variance_that_rounding_made_negative_is_0():
    result = estimate_joint({"one": WARNER}, [10, 20])
    below = replace(result, covariance=np.array([[-1e-20, 0.0], [0.0, np.nan]]))
    assert below.se[0] == 0
    assert np.isnan(below.se[1])


def test_a_sample_without_people_teaches_nothing():
    replies, result, _ = villagers()
    nobody = SamplingDesign(**result).domain(np.zeros(240, dtype=bool))
    outcome = estimate_joint({"one": WARNER, "two": THREE}, reports=replies, sampling=nobody)
    assert outcome.convergence is Convergence.NO_REPORTS


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "one of the two"),
        ({"counts": [1, 2], "reports": {"one": ["r0"]}}, "one of the two"),
        ({"counts": [1, 2], "sampling": SamplingDesign(weights=[1, 2])}, "reports of the people"),
        ({"reports": {"two": ["r0"]}}, "no column 'one'"),
        ({"reports": 5}, "no column 'one'"),
        ({"reports": np.array([["r0", "r1"], ["r1", "r0"]])}, "no column 'one'"),
        ({"reports": {"one": ["r0", "r9"]}}, r"reports\['one'\]\[1\]"),
        ({"reports": {"one": [0, 1]}}, "codes|stand"),
        ({"reports": {"one": ["r0"]}, "sampling": SamplingDesign(weights=[1, 2])}, "2 rows"),
    ],
)
def test_reports_that_do_not_fit_are_refused(given, told):
    with pytest.raises(InputError, match=told):
        estimate_joint({"one": WARNER}, **given)


def test_columns_of_other_lengths_and_rows_are_refused():
    q = {"one": WARNER, "two": WARNER}
    with pytest.raises(InputError, match=r"reports\['two'\]: got '1 reports'; allowed: 2"):
        estimate_joint(q, reports={"one": ["r0", "r1"], "two": ["r0"]})
    columns = {name: pd.Series(["r0"], index=[position]) for position, name in enumerate(q)}
    with pytest.raises(InputError, match="another index"):
        estimate_joint(q, reports=columns)
