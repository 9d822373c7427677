"""A number from ranges of a complex sample: linearised errors beside replicates and by hand."""

import numpy as np
import pytest

import askance as ak
from askance.channels import RangeChannel, RingChannel
from askance.errors import InputError
from askance.exact import Floor, Line
from askance.inference import SamplingDesign, estimate_line, jackknife, replicated

CHANNEL = RangeChannel(Line(0, 6, 1), [1, 2, 3, 2, 1])


def sampled(n=1500):
    """Give cells of villagers with one cut each, their weights and villages."""
    rng = np.random.default_rng(8)
    village = np.arange(n) // 15
    number = np.clip(rng.normal(3, 0.7, n // 15)[village] + rng.normal(0, 1, n), 0.01, 5.99)
    cut = rng.choice(5, n, p=np.array([1, 2, 3, 2, 1]) / 9) + 1
    below = number <= cut
    cells = np.column_stack([np.where(below, 0, cut), np.where(below, cut, 6)])
    return cells, 1 + number / 3, village


def test_one_cut_is_a_ratio_at_each_tick():
    """F is there the weighted share up to the cut; its error is that of a ratio."""
    cells, weights, village = sampled()
    design = SamplingDesign(weights=weights, clusters=village)
    found = estimate_line(CHANNEL, CHANNEL.ranges(cells), design=design)
    t = 1.984217  # 99 degrees of freedom
    for tick in range(1, 6):
        hit = cells.sum(axis=1) == np.where(cells[:, 0] == 0, tick, tick + 6)
        up = hit & (cells[:, 0] == 0)
        ratio = ak.inference.design_ratio(design, up.astype(float), hit.astype(float))
        assert found.cdf[tick] == pytest.approx(ratio.value[0])
        width = found.band_upper[tick] - found.band_lower[tick]
        plain = estimate_line(CHANNEL, CHANNEL.ranges(cells, weights / weights.mean()))
        least = (plain.band_upper - plain.band_lower)[tick] * t / 1.959964
        assert width == pytest.approx(max(2 * t * ratio.se[0], least), rel=0.12)


@pytest.mark.long
def test_the_mean_has_the_error_of_replicates():
    cells, weights, village = sampled(600)
    plan = SamplingDesign(weights=weights, clusters=village)
    ranges = CHANNEL.ranges(cells)
    linearised = estimate_line(CHANNEL, ranges, design=plan)
    left_out = jackknife(plan)
    assert estimate_line(CHANNEL, ranges, design=left_out).se == pytest.approx(linearised.se)

    def mean(replicate):
        return estimate_line(CHANNEL, CHANNEL.ranges(cells, replicate)).mean_low

    again = replicated(left_out, mean)
    assert again.value[0] == pytest.approx(linearised.mean_low, rel=1e-6)
    assert again.se[0] == pytest.approx(linearised.se, rel=0.1)
    assert "complex sample, 39 degrees of freedom" in linearised.method
    assert linearised.reports == 600
    assert (linearised.mean_low - linearised.lower) / linearised.se == pytest.approx(2.022691)


def test_the_curve_of_a_design_is_the_weighted_one():
    cells, weights, village = sampled(600)
    plan = SamplingDesign(weights=weights, clusters=village)
    found = ak.npmle(CHANNEL.ranges(cells), design=plan)
    told = ak.npmle(CHANNEL.ranges(cells, weights))
    np.testing.assert_allclose(found.mass, told.mass, atol=1e-8)
    assert found.n == pytest.approx(600)
    with pytest.raises(InputError, match="weights beside a design"):
        ak.npmle(CHANNEL.ranges(cells, weights), design=plan)


def test_people_drawn_one_by_one_have_the_errors_of_counts():
    cells, _, _ = sampled()
    alone = SamplingDesign(weights=[7.0] * len(cells), fpc=[5000.0] * len(cells))
    found = estimate_line(CHANNEL, CHANNEL.ranges(cells), design=alone)
    plain = estimate_line(CHANNEL, CHANNEL.ranges(cells))
    assert found.se == pytest.approx(plain.se, rel=0.05)
    assert found.mean_low == pytest.approx(plain.mean_low)
    np.testing.assert_allclose(found.band_lower, plain.band_lower, atol=0.01)


def test_people_outside_the_domain_do_not_count():
    cells, weights, village = sampled(600)
    plan = SamplingDesign(weights=weights, clusters=village)
    some = np.arange(600) % 3 > 0
    ranges = CHANNEL.ranges(cells)
    found = estimate_line(CHANNEL, ranges, design=plan.domain(some))
    alone = estimate_line(
        CHANNEL, ranges[some], design=SamplingDesign(weights=weights[some], clusters=village[some])
    )
    assert (found.se, found.mean_low) == pytest.approx((alone.se, alone.mean_low))


def test_what_people_without_weight_sent_is_not_looked_at():
    cells, weights, village = sampled(600)
    weights[:3] = 0
    plan, ranges = SamplingDesign(weights=weights, clusters=village), CHANNEL.ranges(cells)
    lower, upper = ranges.lower.copy(), ranges.upper.copy()
    lower[:3], upper[:3] = 0.2, 0.4  # on no tick
    found, told = (
        estimate_line(CHANNEL, some, design=plan) for some in (ak.Ranges(lower, upper), ranges)
    )
    assert (found.se, found.mean_low) == (told.se, told.mean_low)


def test_what_has_no_law_is_refused():
    cells, weights, village = sampled(600)
    plan, ranges = SamplingDesign(weights=weights, clusters=village), CHANNEL.ranges(cells)
    ring = RingChannel(Line(0, 4, 1), [1, 1, 1], Floor([1] * 4, 1))
    few = ring.ranges([[1, 2], [2, 1]] * 2)
    with pytest.raises(InputError, match="independent cuts of which every cell is sent"):
        estimate_line(ring, few, design=SamplingDesign(clusters=[1, 2, 3, 4]))
    with pytest.raises(InputError, match="people who stop"):
        estimate_line(CHANNEL, ranges, design=plan, stopping=True)
    with pytest.raises(InputError, match="weights beside a design"):
        estimate_line(CHANNEL, CHANNEL.ranges(cells, weights), design=plan)
    with pytest.raises(InputError, match="600"):
        estimate_line(CHANNEL, ranges, design=SamplingDesign(clusters=[1, 2, 3]))
    alone = SamplingDesign(clusters=np.zeros(600), lonely="certainty")
    with pytest.raises(InputError, match="0 degrees of freedom"):
        estimate_line(CHANNEL, ranges, design=alone)
