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
    ticks, design = villagers()
    found = lab.estimate_plain_sample(LINE, ticks.tolist(), design, unit="days")
    known = lab.design_mean(design, ticks)
    told = (found.mean, found.se, found.lower, found.upper)
    assert told == pytest.approx((known.value[0], known.se[0], known.lower[0], known.upper[0]))
    upto = lab.design_mean(design, (ticks[:, None] <= np.arange(21)).astype(float))
    assert_allclose(found.cdf, upto.value, atol=1e-12)
    t = ak.results.student_quantile(0.95, 39)
    assert_allclose((found.band_upper - found.band_lower)[4:13], 2 * t * upto.se[4:13], rtol=0.08)
    low, middle, high = found.quantiles[0.5]
    assert low <= middle <= high
    assert upto.value[int(middle)] >= 0.5 > upto.value[int(middle) - 1]
    assert found.unit == "days"
    assert "39 degrees of freedom" in found.method
    assert "400 numbers" in repr(found)


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
    design = lab.SamplingDesign(weights=np.ones(20))
    alike = lab.estimate_plain_sample(LINE, [20] * 20, design)
    assert alike.mean == 20
    assert 15 < alike.lower < 18.5
    nobody = lab.estimate_plain_sample(LINE, [None] * 20, design)
    assert nobody.reports == 0


@pytest.mark.parametrize(
    ("ticks", "design", "match"),
    [
        ([1, 2, 30], {"weights": [1.0] * 3}, "ticks from 0 to 20"),
        ([1, 2], {"weights": [1.0] * 3}, "3 rows"),
        ([1, 2, 3], {"clusters": ["a"] * 3, "lonely": "certainty"}, "0 degrees of freedom"),
    ],
)
def test_what_cannot_be_is_refused(ticks, design, match):
    with pytest.raises(ak.errors.InputError, match=match):
        lab.estimate_plain_sample(LINE, ticks, lab.SamplingDesign(**design))


@pytest.mark.parametrize("tick", [-1, 2.7, float("nan"), 11])
def test_a_number_that_is_no_tick_is_refused_and_not_taken_for_a_blank(tick):
    design = ak.inference.SamplingDesign(weights=[1.0] * 4)
    with pytest.raises(ak.errors.InputError, match=r"estimate_plain_sample\.ticks"):
        ak.inference.estimate_plain_sample(ak.Line(0, 10, 1), [1, 2, tick, 5], design)
