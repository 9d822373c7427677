"""Unequal chances: variances beside every sample that could be drawn, and equal chances."""

from itertools import combinations

import numpy as np
import pytest

import askance as ak
from askance.inference import JointInclusion, SamplingDesign, survey_mean, survey_total
from askance_collect.errors import InputError

Y = np.array([[3.0, 1.0], [8.0, 0.0], [5.0, 4.0], [9.0, 2.0], [1.0, 7.0]])


def every_sample(sizes=(3,)):
    """Give each sample of five people, how likely it is, and the chances that follow."""
    odds = np.array([0.4, 1.0, 0.7, 2.0, 1.3])
    values = [
        np.array(combination) for size in sizes for combination in combinations(range(5), size)
    ]
    chance = np.array([odds[value].prod() for value in values])
    chance /= chance.sum()
    inside = np.array([np.isin(np.arange(5), value) for value in values]).astype(float)
    return values, chance, (inside * chance[:, None]).T @ inside


@pytest.mark.parametrize(("by", "sizes"), [("yates-grundy", (3,)), ("horvitz-thompson", (2, 3, 4))])
def test_variances_are_unbiased_over_every_sample(by, sizes):
    draws, chance, joint = every_sample(sizes)
    own = np.diag(joint)
    totals = np.array([(Y[draw] / own[draw, None]).sum(axis=0) for draw in draws])
    np.testing.assert_allclose(chance @ totals, Y.sum(axis=0))
    separate = totals - Y.sum(axis=0)
    truth = (separate * chance[:, None]).T @ separate
    covariance_results = [
        JointInclusion(own[draw], joint[np.ix_(draw, draw)], by=by).covariance(Y[draw])
        for draw in draws
    ]
    np.testing.assert_allclose(np.tensordot(chance, covariance_results, 1), truth)


def test_equal_chances_are_a_simple_random_sample():
    """By all three: of fixed size each is (1 − f) n/(n − 1) Σ (z − z̄)²."""
    n, size = 12, 40
    own, y = np.full(n, n / size), np.arange(12.0) ** 2
    joint = np.full((n, n), n * (n - 1) / size / (size - 1))
    joint[np.diag_indices(n)] = own
    plain = survey_total(SamplingDesign(fpc=[size] * n), y)
    for sampling in (JointInclusion(own, joint), JointInclusion(own)):
        total = survey_total(sampling, y)
        assert total.value == pytest.approx(plain.value)
        assert total.se == pytest.approx(plain.se)
        assert total.df == plain.df
        mean = survey_mean(sampling, y)
        assert mean.se == pytest.approx(survey_mean(SamplingDesign(fpc=[size] * n), y).se)
    scattered = JointInclusion(own, joint, by="horvitz-thompson")
    assert survey_total(scattered, y).se == pytest.approx(plain.se)


def test_hajeks_variance_is_near_that_of_joint_chances():
    """Of samples drawn one by one, conditioned on their size, on average over all of them."""
    draws, chance, joint = every_sample()
    own = np.diag(joint)
    total = sum(
        c * JointInclusion(own[draw]).covariance(Y[draw])
        for c, draw in zip(chance, draws, strict=True)
    )
    exact = sum(
        c * JointInclusion(own[draw], joint[np.ix_(draw, draw)]).covariance(Y[draw])
        for c, draw in zip(chance, draws, strict=True)
    )
    assert np.diag(total) == pytest.approx(np.diag(exact), rel=0.15)


def test_shares_of_a_protected_answer_take_it():
    """A census through a channel has the error of the channel alone; a domain keeps the sample."""
    q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    replies = ["yes"] * 60 + ["no"] * 40
    everybody = JointInclusion([1.0] * 100, np.ones((100, 100)))
    census = ak.estimate(ak.tally(q, replies, sampling=SamplingDesign(fpc=[100] * 100)))
    result = ak.estimate(ak.tally(q, replies, sampling=everybody))
    np.testing.assert_allclose(result.se, census.se)
    part = JointInclusion(np.linspace(0.2, 0.9, 100))
    plain = ak.estimate(ak.tally(q, replies, sampling=part.with_replacement()))
    fewer = ak.estimate(ak.tally(q, replies, sampling=part))
    assert (fewer.se < plain.se).all()
    some = part.domain(np.arange(100) % 2 == 0)
    assert (some.df, some.n, some.mark) == (49, 100, part.mark)
    assert "unequal probabilities" in repr(part)
    assert "Hájek" in repr(part)


def test_impossible_chances_are_refused():
    good = np.array([[0.5, 0.2], [0.2, 0.5]])
    with pytest.raises(InputError, match="chances outside"):
        JointInclusion([0.5, 0.0])
    with pytest.raises(InputError, match="shape"):
        JointInclusion([0.5, 0.5, 0.5], good)
    with pytest.raises(InputError, match="another diagonal"):
        JointInclusion([0.5, 0.4], good)
    with pytest.raises(InputError, match=r"joint\[0, 1\].*could not be drawn together"):
        JointInclusion([0.5, 0.5], [[0.5, 0.0], [0.0, 0.5]])
    with pytest.raises(InputError, match="joint probabilities beside it"):
        JointInclusion([0.5, 0.5], by="horvitz-thompson")


@pytest.mark.parametrize("by", ["yates-grundy", "horvitz-thompson"])
def test_a_negative_variance_is_refused_and_no_error_of_0(by):
    """Joint chances above the product of both: the estimate may come out negative."""
    joint = 0.45 + 0.05 * np.eye(3) if by == "yates-grundy" else 0.05 + 0.45 * np.eye(3)
    sampling = JointInclusion([0.5] * 3, joint, by=by)
    with pytest.raises(InputError, match=r"negative variance by .*Hájek"):
        survey_total(sampling, [1.0, 4.0, 5.0])
    q = ak.Warner(truth="3/4").channel(ak.Frame(["yes", "no"]))
    with pytest.raises(InputError, match="negative variance"):
        ak.estimate(ak.tally(q, ["yes", "no", "yes"], sampling=sampling))


def test_an_empty_domain_keeps_its_sample():
    nobody = JointInclusion([0.5, 0.2]).domain(np.array([False, False]))
    assert nobody.with_replacement().weights.tolist() == [0, 0]
