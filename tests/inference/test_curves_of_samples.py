"""Curves of complex samples: as many people as tell so much, by likelihood ratio."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import askance as ak

lab = ak.inference


def one_cut(n, seed=1, ticks=8):
    """Even numbers, and on which side of one cut of a grid each is."""
    rng = np.random.default_rng(seed)
    cut, number = rng.integers(1, ticks, n) / ticks, rng.random(n)
    low = np.where(number <= cut, -np.inf, cut)
    return low, np.where(number <= cut, cut, np.inf)


def two_cuts(n, seed=2):
    rng = np.random.default_rng(seed)
    edges = np.sort(rng.random((n, 2)), axis=1)
    edges = np.column_stack([np.full(n, -np.inf), edges, np.full(n, np.inf)])
    total = (edges < rng.random((n, 1))).sum(axis=1)
    return edges[np.arange(n), total - 1], edges[np.arange(n), total]


def rings(n, seed=3):
    """Whether a number is between two cuts, or not."""
    rng = np.random.default_rng(seed)
    cuts, number = np.sort(rng.random((n, 2)), axis=1), rng.random(n)
    inside = (cuts[:, 0] < number) & (number <= cuts[:, 1])
    pieces = [
        [(low, high)] if within else [(-np.inf, low), (high, np.inf)]
        for (low, high), within in zip(cuts.tolist(), inside.tolist(), strict=True)
    ]
    return ak.Ranges.unions(pieces)


@pytest.mark.parametrize("replicates", [False, True])
def test_one_cut_of_all_is_a_share_with_its_design_effect(replicates):
    """As many people as tell the share of an indicator as precisely, counted as people."""
    rng = np.random.default_rng(4)
    village, weight = rng.integers(0, 30, 400), rng.choice([1.0, 2.0, 5.0], 400)
    below = rng.random(400) < rng.beta(2, 3, 30)[village]
    sampling = lab.SamplingDesign(weights=weight, clusters=village, strata=village % 3)
    sampling = lab.jackknife(sampling) if replicates else sampling
    ranges = ak.Ranges(np.where(below, -np.inf, 5), np.where(below, 5, np.inf))
    intervals = lab.cdf_intervals(ranges, [5], sampling=sampling)
    mean = lab.survey_mean(sampling, below.astype(float))
    share = mean.value[0]
    stretch = ak.results.student_quantile(0.95, sampling.df) / ak.results.normal_quantile(0.95)
    people = share * (1 - share) / mean.covariance[0, 0] / stretch**2
    assert people < 250
    equal = ak.Ranges([-np.inf, 5], [5, np.inf], [people * share, people * (1 - share)])
    known_intervals = lab.cdf_intervals(equal, [5])
    for name in ("value", "lower", "upper"):
        assert_allclose(getattr(intervals, name), getattr(known_intervals, name), rtol=1e-6)
    assert intervals.n == pytest.approx(400)
    assert f"{sampling.df:g} degrees of freedom" in intervals.method
    assert ("over 30 replicates" in intervals.method) == replicates


@pytest.mark.long
@pytest.mark.parametrize("ends", [one_cut, two_cuts])
def test_people_who_are_there_three_times_count_once(ends):
    """Clusters of one person: the intervals are those of the people, whatever weights sum to."""
    low, high = ends(200)
    person = np.arange(200).repeat(3)
    thrice = ak.Ranges(low.repeat(3), high.repeat(3))
    sampling = lab.SamplingDesign(clusters=person)
    tens = lab.SamplingDesign(weights=np.full(600, 10.0), clusters=person)
    points = [0.25, 0.5, 0.7]
    once = lab.cdf_intervals(ak.Ranges(low, high), points)
    intervals = lab.cdf_intervals(thrice, points, sampling=sampling)
    assert_allclose(intervals.lower, once.lower, atol=0.006)
    assert_allclose(intervals.upper, once.upper, atol=0.006)
    again = lab.cdf_intervals(thrice, points, sampling=tens)
    assert_allclose(again.lower, intervals.lower, rtol=1e-6)
    known_intervals = lab.quantile_intervals(ak.Ranges(low, high), points)
    quantiles = lab.quantile_intervals(thrice, points, sampling=sampling)
    assert_allclose(quantiles.lower, known_intervals.lower, atol=0.02)
    assert_allclose(quantiles.upper, known_intervals.upper, atol=0.02)
    wide = lab.quantile_intervals(thrice, points, sampling=lab.SamplingDesign(weights=np.ones(600)))
    assert (wide.upper - wide.lower).sum() < (quantiles.upper - quantiles.lower).sum()
    assert quantiles.method.endswith("199 degrees of freedom")
    band = lab.simultaneous_band(thrice, sampling=sampling)
    alone = lab.simultaneous_band(ak.Ranges(low, high))
    assert band.together
    assert_allclose(np.mean(band.upper - band.lower), np.mean(alone.upper - alone.lower), rtol=0.1)


@pytest.mark.long
def test_unions_have_design_effects_too():
    ranges = rings(150)
    alone = lab.cdf_intervals(ranges, [0.5])
    thrice = ranges[np.arange(150).repeat(2)]
    intervals = lab.cdf_intervals(
        thrice, [0.5], sampling=lab.SamplingDesign(clusters=np.arange(150).repeat(2))
    )
    assert_allclose(intervals.lower, alone.lower, atol=0.02)
    assert_allclose(intervals.upper, alone.upper, atol=0.02)


def test_the_curve_of_a_domain_is_that_of_its_people():
    low, high = one_cut(300)
    result = {"clusters": np.arange(300) // 3, "weights": 1 + np.arange(300) % 2}
    women = np.arange(300) // 3 % 2 == 0
    intervals = lab.cdf_intervals(
        ak.Ranges(low, high), [0.5], sampling=lab.SamplingDesign(**result).domain(women)
    )
    alone = lab.SamplingDesign(**{name: item[women] for name, item in result.items()})
    known_intervals = lab.cdf_intervals(ak.Ranges(low[women], high[women]), [0.5], sampling=alone)
    assert intervals.n == pytest.approx(known_intervals.n)
    assert intervals.value == pytest.approx(known_intervals.value)
    assert intervals.upper == pytest.approx(known_intervals.upper, abs=0.01)


def test_a_curve_that_nobody_can_move_counts_equal_weights():
    """All are below: the share cannot go up, and clusters tell nothing of how sure it is."""
    below = ak.Ranges(np.full(60, -np.inf), np.full(60, 5.0))
    intervals = lab.cdf_intervals(
        below, [5], sampling=lab.SamplingDesign(clusters=np.arange(60) // 2)
    )
    assert intervals.upper == 1
    assert 0.85 < intervals.lower[0] < 0.97


@pytest.mark.parametrize("kind", ["cdf_intervals", "quantile_intervals", "simultaneous_band"])
def test_designs_that_cannot_be_taken_are_refused(kind):
    low, high = one_cut(40)
    ranges, sampling = ak.Ranges(low, high), lab.SamplingDesign(clusters=np.arange(40) // 2)
    more = {"points": [0.5]} if kind == "cdf_intervals" else {}
    call = getattr(lab, kind)
    with pytest.raises(ak.errors.InputError, match="counts beside a sampling design"):
        call(ak.Ranges(low, high, np.full(40, 2.0)), sampling=sampling, **more)
    with pytest.raises(ak.errors.InputError, match="40 rows"):
        call(ranges[:20], sampling=sampling, **more)
    alone = lab.SamplingDesign(clusters=["one"] * 40, lonely="certainty")
    with pytest.raises(ak.errors.InputError, match=f"{kind}.sampling: got '0 degrees"):
        call(ranges, sampling=alone, **more)


INCLUSION = ak.channels.InclusionProbability(np.arange(9) / 8, (3.5 + np.arange(8) / 2) / 7)
"""Of the seven cuts those below a number always tell of it, and those above every other time."""


def draw_sent(n, seed=5):
    """One cut of a grid each; of people who are up to theirs half were heard of, whatever else."""
    rng = np.random.default_rng(seed)
    cut, number = rng.integers(1, 8, 4 * n) / 8, rng.random(4 * n)
    up_to = number <= cut
    result = np.flatnonzero(~up_to | (rng.random(4 * n) < 0.5))[:n]
    low = np.where(up_to, -np.inf, cut)[result]
    return low, np.where(up_to, cut, np.inf)[result]


def test_chances_to_be_heard_of_are_those_of_the_ranges():
    """Of very many people the curve is that of everybody, though half of the low ranges lack."""
    low, high = draw_sent(20_000)
    intervals = lab.cdf_intervals(ak.Ranges(low, high), [0.25, 0.5, 0.75], inclusion=INCLUSION)
    assert_allclose(intervals.value, [0.25, 0.5, 0.75], atol=0.03)
    ignored = lab.cdf_intervals(ak.Ranges(low, high), [0.25, 0.5, 0.75])
    assert (ignored.value < intervals.value - 0.05).all()


@pytest.mark.long
def test_people_heard_of_who_are_there_three_times_count_once():
    """A sampling design beside chances to be heard of: intervals are those of the people."""
    low, high = draw_sent(200)
    person = np.arange(200).repeat(3)
    thrice = ak.Ranges(low.repeat(3), high.repeat(3))
    sampling = lab.SamplingDesign(weights=np.full(600, 4.0), clusters=person)
    questions = {"inclusion": INCLUSION}
    for call, index, close in (
        (lab.cdf_intervals, [0.25, 0.5, 0.75], 0.01),
        (lab.quantile_intervals, [0.25, 0.5, 0.75], 0.126),  # a step
    ):
        once = call(ak.Ranges(low, high), index, **questions)
        call_result = call(thrice, index, sampling=sampling, **questions)
        assert_allclose(call_result.lower, once.lower, atol=close)
        assert_allclose(call_result.upper, once.upper, atol=close)
        assert "199 degrees of freedom" in call_result.method
    unheard = lab.cdf_intervals(thrice, [0.5], sampling=sampling)  # of those who were heard of
    among = lab.cdf_intervals(thrice, [0.5], sampling=sampling, **questions)
    assert among.value[0] > unheard.value[0] + 0.05
    alone = lab.cdf_intervals(
        thrice, [0.5], sampling=lab.SamplingDesign(weights=np.ones(600)), **questions
    )
    assert (alone.upper - alone.lower)[0] < 0.7 * (among.upper - among.lower)[0]
