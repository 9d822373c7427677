"""A number from ranges of a complex sample: linearised errors beside replicates and by hand."""

import numpy as np
import pytest

import askance as ak
from askance.channels import RangeChannel, RingChannel
from askance.inference import (
    ReplicateWeights,
    SamplingDesign,
    bootstrap,
    estimate_line,
    jackknife,
    replicated,
)
from askance_collect.errors import InputError
from askance_collect.exact import Floor, Line

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
    sampling = SamplingDesign(weights=weights, clusters=village)
    estimate = estimate_line(CHANNEL, CHANNEL.ranges(cells), sampling=sampling)
    t = 1.984217  # 99 degrees of freedom
    for tick in range(1, 6):
        hit = cells.sum(axis=1) == np.where(cells[:, 0] == 0, tick, tick + 6)
        up = hit & (cells[:, 0] == 0)
        ratio = ak.inference.survey_ratio(sampling, up.astype(float), hit.astype(float))
        assert estimate.cdf[tick] == pytest.approx(ratio.value[0])
        width = estimate.band_upper[tick] - estimate.band_lower[tick]
        plain = estimate_line(CHANNEL, CHANNEL.ranges(cells, weights / weights.mean()))
        least = (plain.band_upper - plain.band_lower)[tick] * t / 1.959964
        assert width == pytest.approx(max(2 * t * ratio.se[0], least), rel=0.12)


def by_hand(channel, cells, sampling):
    """Both bounds of the mean, estimated anew with the weights of each replicate as counts."""

    def ends(weights):
        is_seen = weights > 0
        estimate = estimate_line(
            channel, channel.ranges(cells[is_seen], weights[is_seen]), level=0.9999
        )
        return [estimate.mean_low, estimate.mean_high]

    return replicated(sampling, ends)


@pytest.mark.long
def test_the_mean_has_the_error_of_replicates():
    cells, weights, village = sampled(600)
    plan = SamplingDesign(weights=weights, clusters=village)
    ranges = CHANNEL.ranges(cells)
    linearised = estimate_line(CHANNEL, ranges, sampling=plan)
    for how in (jackknife(plan), jackknife(plan, mse=True), bootstrap(plan, 30, rng=2)):
        again, estimate = by_hand(CHANNEL, cells, how), estimate_line(CHANNEL, ranges, sampling=how)
        assert again.value == pytest.approx([linearised.mean_low, linearised.mean_high], rel=1e-6)
        assert estimate.se == pytest.approx(again.se.max(), rel=1e-6)
        assert f"variance over {how.replicates.shape[1]} replicates" in estimate.method
    assert again.se == pytest.approx(linearised.se, rel=0.25)  # of so few bootstraps
    assert estimate_line(CHANNEL, ranges, sampling=jackknife(plan)).se == pytest.approx(
        linearised.se, rel=0.1
    )
    assert "complex sample, 39 degrees of freedom" in linearised.method
    assert linearised.reports == 600
    assert (linearised.mean_low - linearised.lower) / linearised.se == pytest.approx(2.022691)


def test_the_curve_of_a_design_is_the_weighted_one():
    cells, weights, village = sampled(600)
    plan = SamplingDesign(weights=weights, clusters=village)
    npmle_result = ak.npmle(CHANNEL.ranges(cells), sampling=plan)
    result = ak.npmle(CHANNEL.ranges(cells, weights))
    np.testing.assert_allclose(npmle_result.mass, result.mass, atol=1e-8)
    assert npmle_result.n == pytest.approx(600)
    with pytest.raises(InputError, match="counts beside a sampling design"):
        ak.npmle(CHANNEL.ranges(cells, weights), sampling=plan)


def test_people_drawn_one_by_one_have_the_errors_of_counts():
    cells, _, _ = sampled()
    alone = SamplingDesign(weights=[7.0] * len(cells), fpc=[5000.0] * len(cells))
    estimate = estimate_line(CHANNEL, CHANNEL.ranges(cells), sampling=alone)
    plain = estimate_line(CHANNEL, CHANNEL.ranges(cells))
    assert estimate.se == pytest.approx(plain.se, rel=0.05)
    assert estimate.mean_low == pytest.approx(plain.mean_low)
    np.testing.assert_allclose(estimate.band_lower, plain.band_lower, atol=0.01)


def test_people_outside_the_domain_do_not_count():
    cells, weights, village = sampled(600)
    plan = SamplingDesign(weights=weights, clusters=village)
    some = np.arange(600) % 3 > 0
    ranges = CHANNEL.ranges(cells)
    estimate = estimate_line(CHANNEL, ranges, sampling=plan.domain(some))
    alone = estimate_line(
        CHANNEL,
        ranges[some],
        sampling=SamplingDesign(weights=weights[some], clusters=village[some]),
    )
    assert (estimate.se, estimate.mean_low) == pytest.approx((alone.se, alone.mean_low))


def test_what_people_without_weight_sent_is_not_looked_at():
    cells, weights, village = sampled(600)
    weights[:3] = 0
    plan, ranges = SamplingDesign(weights=weights, clusters=village), CHANNEL.ranges(cells)
    lower, upper = ranges.lower.copy(), ranges.upper.copy()
    lower[:3], upper[:3] = 0.2, 0.4  # on no tick
    result, output = (
        estimate_line(CHANNEL, some, sampling=plan) for some in (ak.Ranges(lower, upper), ranges)
    )
    assert (result.se, result.mean_low) == (output.se, output.mean_low)


OTHERS = {
    "ring": RingChannel(Line(0, 6, 1), [1, 2, 3, 2, 1], Floor([1] * 6, 2)),
    "withheld": RangeChannel(Line(0, 6, 1), [1] * 5, 2, floor=Floor([1] * 6, 2), withhold=True),
    "open": RangeChannel(Line(0, 6, 1), [1] * 5, 2, open=[(2, 4)]),
}


def draw_ranges(channel, n=450, seed=9):
    """What villagers of an uneven number report through any channel, and who did."""
    rng, ticks = np.random.default_rng(seed), channel.line.ticks
    village = np.arange(n) // 15
    number = np.clip(rng.normal(3, 0.7, n // 15)[village] + rng.normal(0, 1, n), 0.01, 5.99)
    ends, chances = channel.cells()
    inside = np.array(
        [channel.range_probabilities(ends, np.arange(ticks) == step) for step in range(ticks)]
    )
    item, cells, values = inside * chances, np.zeros((n, 2), dtype=int), np.zeros(n, dtype=bool)
    for index, step in enumerate(number.astype(int).tolist()):
        positions = np.searchsorted(np.cumsum(item[step]), rng.random())
        exact = any(low <= step < high for low, high in getattr(channel, "open", ()))
        values[index] = exact or positions < len(ends)
        cells[index] = (step, step + 1) if exact else ends[min(positions, len(ends) - 1)]
    return cells[values], (1 + number / 3)[values], village[values]


@pytest.mark.long
@pytest.mark.parametrize("name", ["ring", "open"])
def test_any_ranges_have_the_errors_of_their_sample(name):
    """Of people drawn one by one those of counts; of each person thrice no smaller ones."""
    channel = OTHERS[name]
    cells = draw_ranges(channel)[0]
    ranges, n = channel.ranges(cells), len(cells)
    plain = estimate_line(channel, ranges)
    alone = estimate_line(channel, ranges, sampling=SamplingDesign(weights=np.full(n, 3.0)))
    assert alone.se == pytest.approx(plain.se, rel=0.08)
    assert (alone.mean_low, alone.mean_high) == pytest.approx((plain.mean_low, plain.mean_high))
    np.testing.assert_allclose(alone.band_lower, plain.band_lower, atol=0.02)
    person = np.arange(n).repeat(3)
    thrice = channel.ranges(cells.repeat(3, axis=0))
    copied = estimate_line(channel, thrice, sampling=SamplingDesign(clusters=person))
    assert copied.se == pytest.approx(alone.se, rel=0.03)
    np.testing.assert_allclose(copied.band_upper, alone.band_upper, atol=0.01)
    as_if = estimate_line(channel, thrice, sampling=SamplingDesign(weights=np.ones(3 * n)))
    assert as_if.se < 0.65 * copied.se


@pytest.mark.long
@pytest.mark.parametrize(("name", "n"), [("ring", 450), ("open", 450), ("withheld", 150)])
def test_villages_alike_make_errors_of_any_ranges_larger(name, n):
    channel = OTHERS[name]
    cells, weights, village = draw_ranges(channel, n)
    ranges = channel.ranges(cells)
    plain = estimate_line(channel, ranges)
    sampling = SamplingDesign(weights=weights, clusters=village)
    estimate = estimate_line(channel, ranges, sampling=sampling)
    left_out = jackknife(sampling)
    by = estimate_line(channel, ranges, sampling=left_out)
    assert by.se == pytest.approx(by_hand(channel, cells, left_out).se.max(), rel=1e-5)
    assert by.se == pytest.approx(estimate.se, rel=0.25)
    assert estimate.se > 1.1 * plain.se
    assert f"{sampling.df:g} degrees of freedom" in estimate.method


SHARES = np.array([0.1, 0.2, 0.25, 0.2, 0.15, 0.1])


@pytest.mark.long
@pytest.mark.parametrize("name", ["withheld", "open"])
def test_each_report_moves_the_mean_as_its_error_says(name):
    """Of reports as they are expected: a replicate counts one cell a little more often."""
    channel = OTHERS[name]
    cells, chances = channel.cells()
    for low, high in getattr(channel, "open", ()):
        steps = np.arange(low, high)
        ranged = (cells[:, 0] < low) | (cells[:, 1] > high)
        cells = np.vstack([cells[ranged], np.column_stack([steps, steps + 1])])
        chances = np.append(chances[ranged], np.ones(len(steps)))
    expected = chances * channel.range_probabilities(cells, SHARES) * 1000
    cells, expected = cells[expected > 0], expected[expected > 0]
    more = expected[:, None] * (1 + 0.01 * np.eye(len(cells)))
    sampling = ak.inference.ReplicateWeights(
        weights=expected, replicates=more, scale=1.0, mse=True, df=50
    )
    estimate = estimate_line(channel, channel.ranges(cells), sampling=sampling)
    from_channel_result = (
        ak.channels.InclusionProbability.from_channel(channel) if name == "withheld" else None
    )

    def mean(weights):
        return ak.npmle(
            channel.ranges(cells, weights), (0, 6), inclusion=from_channel_result
        ).mean_bounds()[0]

    again = replicated(sampling, mean)
    assert estimate.mean_low == pytest.approx(np.arange(6) @ SHARES, rel=1e-4)
    assert again.se[0] == pytest.approx(estimate.se, rel=0.02)


@pytest.mark.long
def test_people_who_stop_have_the_errors_of_their_sample():
    channel = RangeChannel(Line(0, 6, 1), [1] * 5, 2)
    cells, _, village = draw_ranges(channel, 300)
    ranges = channel.ranges(cells)
    plain = estimate_line(channel, ranges, stopping=True)
    sampling = SamplingDesign(weights=np.full(len(cells), 2.0))
    alone = estimate_line(channel, ranges, sampling=sampling, stopping=True)
    assert alone.se == pytest.approx(plain.se, rel=0.1)
    clustered = estimate_line(
        channel, ranges, sampling=SamplingDesign(clusters=village), stopping=True
    )
    assert clustered.se > 1.05 * plain.se


def test_the_band_is_that_of_intervals_of_the_sample():
    """By likelihood ratio, of as many people as tell so much at each tick."""
    cells, weights, village = sampled(600)
    plan, ranges = SamplingDesign(weights=weights, clusters=village), CHANNEL.ranges(cells)
    estimate = estimate_line(CHANNEL, ranges, sampling=plan)
    intervals = ak.inference.cdf_intervals(ranges, np.arange(1.0, 6.0), sampling=plan)
    inner = slice(1, 5)  # the outermost spans what the one before it allows, by its own effect
    np.testing.assert_allclose(estimate.band_lower[inner], intervals.lower[:-1], atol=0.012)
    np.testing.assert_allclose(estimate.band_upper[inner], intervals.upper[:-1], atol=0.012)
    alone = estimate_line(CHANNEL, ranges, sampling=SamplingDesign(weights=np.ones(600)))
    assert (estimate.band_upper - estimate.band_lower)[3] > 1.2 * (
        alone.band_upper - alone.band_lower
    )[3]


def test_what_has_no_law_is_refused():
    cells, weights, village = sampled(600)
    plan, ranges = SamplingDesign(weights=weights, clusters=village), CHANNEL.ranges(cells)
    with pytest.raises(InputError, match="counts beside a sampling design"):
        estimate_line(CHANNEL, CHANNEL.ranges(cells, weights), sampling=plan)
    with pytest.raises(InputError, match="600"):
        estimate_line(CHANNEL, ranges, sampling=SamplingDesign(clusters=[1, 2, 3]))
    alone = SamplingDesign(clusters=np.zeros(600), lonely="certainty")
    with pytest.raises(InputError, match="0 degrees of freedom"):
        estimate_line(CHANNEL, ranges, sampling=alone)


def test_replicates_that_tell_nothing_of_a_number_are_named_and_alike_ones_linearised():
    cells, weights, village = sampled(150)
    plan = SamplingDesign(weights=weights, clusters=village)
    ranges, jackknife_result = CHANNEL.ranges(cells), jackknife(plan)
    result = {"weights": jackknife_result.weights, "scale": 1.0}
    empty = ReplicateWeights(
        replicates=jackknife_result.replicates * (np.arange(10) != 4), **result
    )
    with pytest.raises(ak.errors.NotIdentified, match=r"replicates\[:, 4\].*settle nothing"):
        estimate_line(CHANNEL, ranges, sampling=empty)
    less = ReplicateWeights(replicates=jackknife_result.replicates - 2, **result)
    with pytest.raises(InputError, match=r"replicates\[:, 0\].*negative"):
        estimate_line(CHANNEL, ranges, sampling=less)
    same = CHANNEL.ranges(np.tile([0, 3], (150, 1)))
    estimate = estimate_line(CHANNEL, same, sampling=jackknife_result)
    assert estimate.se > 0
    assert estimate.se == pytest.approx(estimate_line(CHANNEL, same, sampling=plan).se, rel=0.2)
