"""Averages of ranges from complex samples: beside replicates, plain numbers and people once."""

from itertools import combinations

import numpy as np
import pytest

import askance as ak
from askance_collect.errors import InputError, NotIdentified
from askance_collect.exact import Floor, Line

lab = ak.inference


def same(y):
    return y


def told_between(number, rng):
    """Give the ends of the cell of two uniform cuts that holds each number."""
    n = len(number)
    edges = np.sort(rng.random((n, 2)), axis=1)
    edges = np.column_stack([np.full(n, -np.inf), edges, np.full(n, np.inf)])
    total = (edges < number[:, None]).sum(axis=1)
    return edges[np.arange(n), total - 1], edges[np.arange(n), total]


def villagers(seed=3, villages=40):
    """Numbers alike in villages, met the oftener the larger they are."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(villages, 1))
    number = 1 / (1 + np.exp(-shared - rng.normal(size=(villages, 12)))).ravel()
    chance = 0.3 + 0.7 * number
    is_met = rng.random(len(number)) < chance
    village = np.repeat(np.arange(villages), 12)[is_met]
    sampling = lab.SamplingDesign(weights=1 / chance[is_met], clusters=village)
    return number[is_met], sampling, rng


def two_by_two(sampling):
    """Villages in pairs."""
    village = sampling.stages[0].unit
    return {"clusters": village, "strata": village // 2}


@pytest.mark.long
def test_the_error_of_ranges_is_that_of_villages_left_out():
    number, sampling, rng = villagers()
    low, high = told_between(number, rng)
    interval = lab.functional_interval(ak.Ranges(low, high), same, (0, 1), sampling=sampling)
    left_out = lab.jackknife(sampling)

    def ends(weights):
        some = ak.Ranges(low, high, weights)[weights > 0]
        return lab.functional_bounds(ak.npmle(some), same, (0, 1))

    again = lab.replicated(left_out, ends)
    assert again.value == pytest.approx([interval.low, interval.high], abs=1e-4)
    assert interval.se == pytest.approx(again.se, rel=0.15)
    by = lab.functional_interval(ak.Ranges(low, high), same, (0, 1), sampling=left_out)
    assert by.se == pytest.approx(again.se.max(), rel=1e-4)
    assert (by.replicates, interval.replicates) == (40, 0)
    assert "variance over 40 replicates of a complex sample, 39 degrees" in repr(by)
    halves = lab.balanced_replicates(
        lab.SamplingDesign(weights=sampling.weights, **two_by_two(sampling)), fay=0.5
    )
    highest = lab.replicated(halves, ends).se.max()
    fit = lab.functional_interval(ak.Ranges(low, high), same, (0, 1), sampling=halves)
    assert fit.se == pytest.approx(highest, rel=1e-4)
    alone = lab.SamplingDesign(weights=sampling.weights)  # the twin: villages are ignored
    assert lab.functional_interval(ak.Ranges(low, high), same, (0, 1), sampling=alone).se < (
        0.7 * interval.se
    )
    assert interval.df == 39
    assert "complex sample, 39 degrees of freedom" in repr(interval)
    t = ak.results.student_quantile(0.95, 39)
    assert interval.lower <= interval.low - t * interval.se + 1e-12


def test_numbers_that_were_told_have_the_error_of_their_weighted_mean():
    number, sampling, _ = villagers()
    for y in (np.round(5 * number), np.exp(3 * number)):
        ranges = ak.Ranges(y, y, closed="both")
        interval = lab.functional_interval(ranges, same, (-5, 100), sampling=sampling)
        mean = lab.survey_mean(sampling, y)
        assert interval.low == pytest.approx(mean.value[0])
        assert interval.se == pytest.approx(mean.se[0], rel=1e-3)
        assert interval.upper == pytest.approx(mean.upper[0], rel=1e-3)


def test_people_who_are_there_three_times_count_once_in_averages():
    rng = np.random.default_rng(4)
    low, high = told_between(rng.random(200), rng)
    once = lab.functional_interval(ak.Ranges(low, high), same, (0, 1))
    alone = lab.SamplingDesign(clusters=np.arange(200))
    interval = lab.functional_interval(ak.Ranges(low, high), same, (0, 1), sampling=alone)
    assert interval.se == pytest.approx(once.se, rel=0.01)
    person = np.arange(200).repeat(3)
    thrice = ak.Ranges(low.repeat(3), high.repeat(3))
    for weights in (np.ones(600), np.full(600, 250.0)):
        sampling = lab.SamplingDesign(weights=weights, clusters=person)
        result = lab.functional_interval(thrice, same, (0, 1), sampling=sampling)
        assert result.low == pytest.approx(once.low)
        assert result.se == pytest.approx(interval.se)
        assert (result.lower, result.upper) == pytest.approx((interval.lower, interval.upper))
    assert once.df == np.inf
    assert "degrees" not in repr(once)


def test_the_average_of_a_domain_is_that_of_its_people():
    number, _, rng = villagers()
    low, high = told_between(number, rng)
    group = np.arange(len(number)) // 4
    women = group % 2 == 0
    domain_result = lab.SamplingDesign(clusters=group).domain(women)
    interval = lab.functional_interval(ak.Ranges(low, high), same, (0, 1), sampling=domain_result)
    alone = lab.SamplingDesign(clusters=group[women])
    known_interval = lab.functional_interval(
        ak.Ranges(low[women], high[women]), same, (0, 1), sampling=alone
    )
    assert (interval.low, interval.n) == pytest.approx((known_interval.low, known_interval.n))
    assert interval.se == pytest.approx(known_interval.se, rel=0.02)


WEIGHTS = np.array([1, 1, 1, 1, 4, 4, 4])
"""How likely each of two cuts is: beside cuts that come often, narrow ranges are."""


def withheld(n=900, seed=5):
    """Ranges of at least two steps; the others are withheld."""
    rng = np.random.default_rng(seed)
    channel = ak.RangeChannel(
        Line(0, 8, 1), list(WEIGHTS), 2, floor=Floor([1] * 8, 2), withhold=True
    )
    pairs = np.array(list(combinations(range(7), 2)))
    chance = WEIGHTS[pairs].prod(axis=1)
    cuts = 1 + pairs[rng.choice(len(pairs), n, p=chance / chance.sum())]
    edges = np.column_stack([np.zeros(n), cuts, np.full(n, 8)]).astype(int)
    total = (edges < 8 * rng.beta(2, 3, n)[:, None]).sum(axis=1)
    cells = np.column_stack([edges[np.arange(n), total - 1], edges[np.arange(n), total]])
    return channel, cells[np.diff(cells)[:, 0] >= 2]


def test_withheld_ranges_have_the_average_and_about_the_error_of_the_line():
    channel, cells = withheld()
    chance = ak.channels.InclusionProbability.from_channel(channel)
    ranges = channel.ranges(cells)
    interval = lab.functional_interval(ranges, same, (0, 8), inclusion=chance)
    line = ak.estimate_line(channel, ranges)
    assert (interval.low, interval.high) == pytest.approx((line.mean_low, line.mean_high))
    assert interval.se == pytest.approx(line.se, rel=0.3)
    ignored = lab.functional_interval(ranges, same, (0, 8))
    assert abs(ignored.low - interval.low) > 1e-3
    twice = ranges[np.arange(len(cells)).repeat(2)]
    sampling = lab.SamplingDesign(clusters=np.arange(len(cells)).repeat(2))
    drawn_interval = lab.functional_interval(
        twice, same, (0, 8), inclusion=chance, sampling=sampling
    )
    villages = lab.jackknife(lab.SamplingDesign(clusters=np.arange(len(cells)) % 12))

    def ends(weights):
        some = channel.ranges(cells, weights)[weights > 0]
        return lab.functional_bounds(ak.npmle(some, (0, 8), inclusion=chance), same, (0, 8))

    by = lab.functional_interval(ranges, same, (0, 8), inclusion=chance, sampling=villages)
    assert by.se == pytest.approx(lab.replicated(villages, ends).se.max(), rel=1e-3)
    assert drawn_interval.se == pytest.approx(interval.se, rel=0.1)


def test_averages_that_cannot_be_learnt_of_a_sample_are_refused():
    number, sampling, rng = villagers()
    low, high = told_between(number, rng)
    ranges = ak.Ranges(low, high)
    heavy = ak.Ranges(low, high, sampling.weights)
    with pytest.raises(InputError, match="counts beside a sampling design"):
        lab.functional_interval(heavy, same, (0, 1), sampling=sampling)
    with pytest.raises(InputError, match="20"):
        lab.functional_interval(ranges[:20], same, (0, 1), sampling=sampling)
    alone = lab.SamplingDesign(clusters=["one"] * len(low), lonely="certainty")
    with pytest.raises(InputError, match=r"functional_interval.sampling: got '0 degrees"):
        lab.functional_interval(ranges, same, (0, 1), sampling=alone)
    never = ak.channels.InclusionProbability([0, 0.5, 0.6, 1], [1, 0, 1])
    with pytest.raises(NotIdentified, match="never observed"):
        lab.functional_interval(ranges, same, inclusion=never)
    some = ak.channels.InclusionProbability([0, 1], [1])
    with pytest.raises(InputError, match="support"):
        lab.functional_interval(ranges, same, (0, 2), inclusion=some)
