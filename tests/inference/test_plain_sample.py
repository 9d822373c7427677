"""A number told as it is, by a complex sample."""

from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_allclose

import askance as ak

lab = ak.inference
LINE = ak.Line(0, 20, 1)


def villagers(n=400):
    rng = np.random.default_rng(1)
    village = np.arange(n) // 10
    number = rng.normal(8, 3, n // 10)[village] + rng.normal(0, 2, n)
    ticks = np.clip(number, 1, 19).round().astype(int)
    return ticks, lab.SamplingDesign(weights=rng.choice([1.0, 2, 5], n), clusters=village)


def test_mean_and_shares_are_those_of_what_was_asked_openly():
    ticks, sampling = villagers()
    estimate = lab.estimate_plain_sample(LINE, ticks.tolist(), sampling, unit="days")
    known_mean = lab.survey_mean(sampling, ticks)
    result = (estimate.mean, estimate.se, estimate.lower, estimate.upper)
    assert result == pytest.approx(
        (known_mean.value[0], known_mean.se[0], known_mean.lower[0], known_mean.upper[0])
    )
    upto = lab.survey_mean(sampling, (ticks[:, None] <= np.arange(21)).astype(float))
    assert_allclose(estimate.cdf, upto.value, atol=1e-12)
    t = ak.results.student_quantile(0.95, 39)
    assert_allclose(
        (estimate.band_upper - estimate.band_lower)[4:13], 2 * t * upto.se[4:13], rtol=0.08
    )
    low, middle, high = estimate.quantiles[0.5]
    assert low <= middle <= high
    assert upto.value[int(middle)] >= 0.5 > upto.value[int(middle) - 1]
    assert estimate.unit == "days"
    assert "39 degrees of freedom" in estimate.method
    assert "400 numbers" in repr(estimate)


def test_people_drawn_one_by_one_are_as_many():
    """And copies of them tell no more; a blank, or who weighs nothing, is outside the domain."""
    ticks, _ = villagers(200)
    plain = lab.estimate_plain(LINE, Counter(ticks.tolist()))
    alone = lab.estimate_plain_sample(LINE, ticks.tolist(), lab.SamplingDesign(weights=[3.0] * 200))
    assert alone.se == pytest.approx(plain.se)
    assert_allclose(alone.band_lower, plain.band_lower, atol=0.004)
    copied = lab.SamplingDesign(clusters=np.arange(200).repeat(3))
    thrice = lab.estimate_plain_sample(LINE, ticks.repeat(3).tolist(), copied)
    assert thrice.se == pytest.approx(alone.se)
    assert_allclose(thrice.band_upper[1:], alone.band_upper[1:], atol=0.004)
    longer = [*ticks.tolist(), None, 20]
    outside = lab.SamplingDesign(weights=[3.0] * 201 + [0.0])
    again = lab.estimate_plain_sample(LINE, longer, outside)
    assert again.se == pytest.approx(alone.se, rel=1e-3)
    assert again.reports == 200
    everybody = lab.SamplingDesign(fpc=[200.0] * 200)
    assert lab.estimate_plain_sample(LINE, ticks.tolist(), everybody).se == 0


def test_all_alike_and_nobody_are_told():
    sampling = lab.SamplingDesign(weights=np.ones(20))
    estimate = lab.estimate_plain_sample(LINE, [20] * 20, sampling)
    assert estimate.mean == 20
    assert 15 < estimate.lower < 18.5
    nobody = lab.estimate_plain_sample(LINE, [None] * 20, sampling)
    assert nobody.reports == 0


@pytest.mark.parametrize(
    ("ticks", "sampling", "match"),
    [
        ([1, 2, 30], {"weights": [1.0] * 3}, "ticks from 0 to 20"),
        ([1, 2], {"weights": [1.0] * 3}, "3 rows"),
        ([1, 2, 3], {"clusters": ["a"] * 3, "lonely": "certainty"}, "0 degrees of freedom"),
    ],
)
def test_what_cannot_be_is_refused(ticks, sampling, match):
    with pytest.raises(ak.errors.InputError, match=match):
        lab.estimate_plain_sample(LINE, ticks, lab.SamplingDesign(**sampling))


@pytest.mark.parametrize("tick", [-1, 2.7, float("nan"), 11])
def test_a_number_that_is_no_tick_is_refused_and_not_taken_for_a_blank(tick):
    sampling = ak.inference.SamplingDesign(weights=[1.0] * 4)
    with pytest.raises(ak.errors.InputError, match=r"estimate_plain_sample\.ticks"):
        ak.inference.estimate_plain_sample(ak.Line(0, 10, 1), [1, 2, tick, 5], sampling)


def _designs():
    """Samples of 60 people of every kind, with what they gave."""
    rng = np.random.default_rng(7)
    village, ticks = np.arange(60) // 5, rng.integers(0, 21, 60)
    weights, region = rng.choice([1.0, 2, 5], 60), village // 4
    is_kept, aux = rng.random(60) < 0.8, rng.normal(5, 1, 60)
    chances = rng.uniform(0.2, 0.6, 60)
    joint = np.outer(chances, chances) * 0.97
    np.fill_diagonal(joint, chances)
    clustered = lab.SamplingDesign(weights=weights, strata=region, clusters=village)
    staged = lab.SamplingDesign(clusters=[village, np.arange(60)], fpc=[[30.0] * 60, [9.0] * 60])
    lonely = {"weights": weights, "strata": village // 11, "clusters": village}
    raked = lab.calibrate(clustered, aux, [9.0 * 60])
    designs = {
        "strata": clustered,
        "stages": staged,
        "domain": clustered.domain(is_kept),
        "calibrated": raked,
        "calibrated twice": lab.calibrate(raked, aux**2, [48.0 * 60]).domain(is_kept),
        "jackknife": lab.jackknife(clustered),
        "jackknife, mse": lab.jackknife(clustered, mse=True).domain(is_kept),
        "Hájek": lab.JointInclusion(chances).domain(is_kept),
        "Yates–Grundy": lab.JointInclusion(chances, joint),
        "Horvitz–Thompson": lab.JointInclusion(chances, joint, by="horvitz-thompson"),
    }
    for word in ("certainty", "adjust", "average"):
        designs[word] = lab.SamplingDesign(**lonely, lonely=word)
    return ticks, designs


TICKS, SAMPLINGS = _designs()


@pytest.mark.parametrize("name", SAMPLINGS)
def test_the_band_is_that_of_each_share_by_itself(name):
    """Running sums over clusters give what `survey_mean` gives tick by tick."""
    sampling = SAMPLINGS[name]
    ts = [t if w else None for t, w in zip(TICKS.tolist(), sampling.weights, strict=True)]
    estimate = lab.estimate_plain_sample(LINE, ts, sampling)
    upto = lab.survey_mean(sampling, (TICKS[:, None] <= np.arange(21)).astype(float))
    z, weights = ak.results.student_quantile(0.95, sampling.df), sampling.weights
    inner = (estimate.cdf > 0) & (estimate.cdf < 1 - 1e-12)
    value, n = estimate.cdf[inner], np.count_nonzero(weights)
    worth = np.minimum(value * (1 - value) / upto.se[inner] ** 2, n)
    low, high = ak.results.wilson(value, worth, z)
    assert_allclose(estimate.band_lower[inner], np.maximum.accumulate(low), rtol=1e-9)
    assert_allclose(estimate.band_upper[inner], np.minimum.accumulate(high[::-1])[::-1], rtol=1e-9)


def test_numbers_that_hardly_anybody_shares_take_no_work_for_each(instructions):
    """A share by itself for each number looked at everybody: half a minute for 30,000 of them."""
    rng, n = np.random.default_rng(1), 30_000
    sampling = lab.SamplingDesign(weights=rng.uniform(1, 3, n), clusters=np.arange(n) // 10)
    line, ticks = ak.Line(0, 10**6, 1), rng.integers(0, 10**6, n)
    estimate = lab.estimate_plain_sample(line, ticks.tolist(), sampling)
    assert estimate.effective_sample_size == pytest.approx(n / (1 + 1 / 12), rel=0.1)
    few, alone = ticks[:2000], lab.SamplingDesign(weights=sampling.weights[:2000])
    share = instructions(lambda: lab.survey_mean(alone, (few <= few[0]).astype(float)))
    every = instructions(lambda: lab.estimate_plain_sample(line, few.tolist(), alone))
    assert every <= len(np.unique(few)) * share
