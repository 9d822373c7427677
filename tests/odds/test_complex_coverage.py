"""Intervals from complex samples cover at their level; a design passed over is found out."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from budget import Watch, alarm, dice, settle
from complex_samples import CHANNEL, TARGETS, asked, designs, village_numbers
from designs import INTERIOR, NARROW_COVERS, VERDICTS, WIDE_COVERS
from scipy.special import ndtr

from askance.channels import Channel, Frame, RangeChannel, Ranges
from askance.engines import tally, tally_groups
from askance.exact import Line
from askance.inference import (
    LineEstimate,
    SamplingDesign,
    cdf_intervals,
    compare_groups,
    estimate_joint,
    estimate_line,
    functional_interval,
    nonresponse_bounds,
    with_no_reply,
)
from askance.mechanisms import KAry

pytestmark = [pytest.mark.odds, pytest.mark.timeout(600)]

SURVEYS = {
    "complex sample, share of 200": ("share", 200),
    "complex sample, share of 1,000": ("share", 1000),
    "complex sample, share of 5,000": ("share", 5000),
    "complex sample, slope of 200": ("slope", 200),
    "complex sample, slope of 1,000": ("slope", 1000),
}


@pytest.mark.parametrize("name", SURVEYS)
def test_intervals_know_how_people_were_drawn(name):
    """Intervals too narrow and too wide are refused, and so are those that pass over clusters."""
    (target, n), rng = SURVEYS[name], dice(name)
    read = TARGETS[target]
    verdicts = {("as drawn", stretch): told for stretch, told in VERDICTS.items()}
    verdicts["clusters ignored", 1.0] = "too low"
    if target == "share":
        verdicts["weights ignored", 1.0] = "too low"

    def survey():
        sample = asked(rng, n)
        held = designs(sample)
        return cache(lambda way: read(sample, held[way]))

    watches = {
        (way, stretch): (
            Watch(INTERIOR, (NARROW_COVERS, WIDE_COVERS), alarm(name)),
            lambda told, way=way, stretch=stretch: told(way).covers(stretch),
        )
        for way, stretch in verdicts
    }
    assert settle(survey, watches) == verdicts


STEPS = RangeChannel(Line(0, 24, 1), [1] * 23, 2)
VILLAGES, EACH = 50, 24


def numbers_of_villages(rng: np.random.Generator) -> tuple[LineEstimate, LineEstimate]:
    """Evenly spread numbers of villagers, who are met the oftener the larger theirs is; two cuts.

    Estimated as drawn, and with weights as counts of people.
    """
    number = ndtr(village_numbers(rng, VILLAGES, EACH))
    chance = 0.3 + 0.7 * number
    met = rng.random(len(number)) < chance
    village = np.repeat(np.arange(VILLAGES), EACH)[met]
    cuts = 1 + np.sort(rng.random((met.sum(), 23)).argsort(axis=1)[:, :2], axis=1)
    edges = np.column_stack([np.zeros(len(cuts)), cuts, np.full(len(cuts), 24)]).astype(int)
    at = (edges < 24 * number[met, None]).sum(axis=1)
    rows = np.arange(len(cuts))
    cells = np.column_stack([edges[rows, at - 1], edges[rows, at]])
    design = SamplingDesign(weights=1 / chance[met], clusters=village)
    drawn = estimate_line(STEPS, STEPS.ranges(cells), design=design)
    return drawn, estimate_line(STEPS, STEPS.ranges(cells, design.weights))


def mean_covered(found: LineEstimate) -> bool:
    return abs(found.mean_low - 11.5) <= found.mean_low - found.lower


def share_covered(found: LineEstimate) -> bool:
    return bool(found.band_lower[12] <= 0.5 <= found.band_upper[12])


def test_ranges_know_how_people_were_drawn():
    """A mean and a share of numbers from ranges; weights taken for people are found out."""
    name = "complex sample, a number from ranges"
    rng, null = dice(name), (0.92, 0.9999)
    judged = {
        (what, way): lambda told, what=what, way=way: what(told[way])
        for what in (mean_covered, share_covered)
        for way in (0, 1)
    }
    watches = {
        one: (Watch(null, (0.7,), alarm(name) / len(judged)), hit) for one, hit in judged.items()
    }
    found = settle(lambda: numbers_of_villages(rng), watches)
    assert found == {one: "too low" if one[1] else "holds" for one in judged}


HAMLETS, HOUSES, TICKS = 24, 14, 48
KIN = 0.9
"""How alike neighbours are: of as few ranges the step is a third of the error of numbers alike."""


def average_of_hamlets(rng: np.random.Generator) -> Callable[[str], bool]:
    """Say whether the interval of the average, ½, holds; two cuts each on a grid."""
    shared, own = rng.normal(size=(HAMLETS, 1)), rng.normal(size=(HAMLETS, HOUSES))
    number = ndtr((KIN**0.5 * shared + (1 - KIN) ** 0.5 * own).ravel())
    chance = 0.3 + 0.7 * number
    met = rng.random(len(number)) < chance
    cuts = np.sort(rng.integers(1, TICKS, (met.sum(), 2)), axis=1) / TICKS
    edges = np.column_stack([np.zeros(len(cuts)), cuts, np.ones(len(cuts))])
    at, rows = (edges < number[met, None]).sum(axis=1), np.arange(len(cuts))
    ranges = Ranges(edges[rows, at - 1], edges[rows, at])
    hamlet = np.repeat(np.arange(HAMLETS), HOUSES)[met]
    ways = {"as drawn": {"clusters": hamlet}, "clusters ignored": {}}

    @cache
    def holds(way: str) -> bool:
        design = SamplingDesign(weights=1 / chance[met], **ways[way])
        found = functional_interval(ranges, lambda y: y, (0, 1), design=design)
        return found.lower <= 0.5 <= found.upper

    return holds


def test_averages_know_how_people_were_drawn():
    """Intervals that pass over who lives together are refused."""
    name = "complex sample, an average"
    rng, null = dice(name), (0.92, 0.9999)
    verdicts = {"as drawn": "holds", "clusters ignored": "too low"}
    watches = {
        way: (Watch(null, (0.7,), alarm(name)), lambda holds, way=way: holds(way))
        for way in verdicts
    }
    assert settle(lambda: average_of_hamlets(rng), watches) == verdicts


OFTEN = KAry(truth="7/10").channel(Frame(["often", "now and then", "never"]))
TOGETHER = 0.7 * 0.2 + 0.3 * 0.3 * 0.2
"""How many are in the first three tenths of one number and in the first two of the other."""


def sent(rng: np.random.Generator, channel: Channel, answer: np.ndarray) -> np.ndarray:
    """Draw a report for each person."""
    upto = np.cumsum(channel.matrix, axis=1)[answer]
    return np.array(channel.reports)[(rng.random((len(answer), 1)) > upto).sum(axis=1)]


def pairs_of_villages(rng: np.random.Generator) -> Callable[[str], bool]:
    """Say whether the interval of two answers together holds, as drawn and by two broken twins."""
    villages, each = 40, 40
    first, other = (ndtr(village_numbers(rng, villages, each)) for _ in range(2))
    second = np.where(rng.random(len(first)) < 0.7, first, other)
    yes, often = first < 0.3, np.searchsorted([0.2, 0.6], second)
    chance = np.where(yes, 0.9, 0.45)
    met = rng.random(len(first)) < chance
    said = {
        "one": sent(rng, CHANNEL, np.where(yes, 0, 1)[met]),
        "two": sent(rng, OFTEN, often[met]),
    }
    weights, clusters = 1 / chance[met], np.repeat(np.arange(villages), each)[met]
    ways = {
        "as drawn": {"weights": weights, "clusters": clusters},
        "clusters ignored": {"weights": weights},
        "weights ignored": {"clusters": clusters},
    }

    @cache
    def covered(way: str) -> bool:
        design = SamplingDesign(**ways[way])
        found = estimate_joint({"one": CHANNEL, "two": OFTEN}, reports=said, design=design)
        return bool(found.lower[0, 0] <= TOGETHER <= found.upper[0, 0])

    return covered


def test_answers_together_know_how_people_were_drawn():
    """The share of two answers together; a design of which a part is passed over is found out."""
    name = "complex sample, two questions together"
    rng, null = dice(name), (0.9, 0.9999)  # forty villages are few
    verdicts = {"as drawn": "holds", "clusters ignored": "too low", "weights ignored": "too low"}
    watches = {
        way: (Watch(null, (0.7,), alarm(name) / 3), lambda told, way=way: told(way))
        for way in verdicts
    }
    assert settle(lambda: pairs_of_villages(rng), watches) == verdicts


def curves_of_villages(rng: np.random.Generator) -> Callable[[str], bool]:
    """Say whether the interval of F at a cut holds: as drawn, and with weights as counts."""
    villages, each = 50, 50
    number = ndtr(village_numbers(rng, villages, each))
    chance = 0.3 + 0.7 * number
    met = rng.random(len(number)) < chance
    number, village = number[met], np.repeat(np.arange(villages), each)[met]
    cut = rng.integers(1, 6, len(number)) / 6
    lower = np.where(number <= cut, -np.inf, cut)
    upper = np.where(number <= cut, cut, np.inf)
    weights = 1 / chance[met]

    @cache
    def covered(way: str) -> bool:
        if way == "as drawn":
            design = SamplingDesign(weights=weights, clusters=village)
            found = cdf_intervals(Ranges(lower, upper), [0.5], design=design)
        else:
            counts = weights * (len(weights) / weights.sum())
            found = cdf_intervals(Ranges(lower, upper, counts), [0.5])
        return bool(found.lower[0] <= 0.5 <= found.upper[0])

    return covered


def test_curves_know_how_people_were_drawn():
    """F between ticks, by likelihood ratio; with weights as counts it is found out."""
    name = "complex sample, a curve"
    rng, null = dice(name), (0.92, 0.9999)
    verdicts = {"as drawn": "holds", "weights as counts": "too low"}
    watches = {
        way: (Watch(null, (0.76,), alarm(name) / 2), lambda told, way=way: told(way))
        for way in verdicts
    }
    assert settle(lambda: curves_of_villages(rng), watches) == verdicts


ARMS = {"plainly": KAry(truth=1).channel(Frame(["yes", "no"])), "coin": CHANNEL}
REPLYING = with_no_reply(CHANNEL)


def villagers(rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Three in ten would say yes, alike in their villages, and are met twice as often."""
    villages, each = 40, 30
    yes = ndtr(village_numbers(rng, villages, each)) < 0.3
    chance = np.where(yes, 0.9, 0.45)
    met = rng.random(len(yes)) < chance
    village = np.repeat(np.arange(villages), each)
    return {"yes": yes[met], "weights": 1 / chance[met], "clusters": village[met]}


def passed_over(asked: dict[str, np.ndarray]) -> dict[str, SamplingDesign]:
    """The sample as it was drawn, and with a part of it passed over."""
    weights, clusters = asked["weights"], asked["clusters"]
    return {
        "as drawn": SamplingDesign(weights=weights, clusters=clusters),
        "clusters ignored": SamplingDesign(weights=weights),
        "weights ignored": SamplingDesign(clusters=clusters),
    }


def arms_of_villages(rng: np.random.Generator) -> Callable[[str], bool]:
    """Every other village is asked plainly, where a third of those with a yes deny it."""
    asked = villagers(rng)
    coin = asked["clusters"] % 2 == 1
    told = asked["yes"] & (coin | (rng.random(len(coin)) < 2 / 3))
    lies = coin & (rng.random(len(coin)) < CHANNEL.matrix[0, 1])
    said = np.where(told ^ lies, "yes", "no")
    way, designs_of = np.where(coin, "coin", "plainly"), passed_over(asked)

    @cache
    def covered(design: str) -> bool:
        tally = tally_groups(ARMS, said, way, design=designs_of[design])
        found = compare_groups(tally)
        return bool(found.lower[0, 0] <= 0.1 <= found.upper[0, 0])

    return covered


def test_groups_compared_know_how_people_were_drawn():
    """How many more say yes with a coin; people of one village taken as drawn apart are found."""
    name = "complex sample, groups compared"
    rng, null = dice(name), (0.9, 0.9999)
    verdicts = {"as drawn": "holds", "clusters ignored": "too low"}
    watches = {
        way: (Watch(null, (0.75,), alarm(name) / 2), lambda told, way=way: told(way))
        for way in verdicts
    }
    assert settle(lambda: arms_of_villages(rng), watches) == verdicts


def silence_of_villages(rng: np.random.Generator) -> Callable[[str], bool]:
    """Four in ten of those with a yes do not reply, and one in ten of all others."""
    asked = villagers(rng)
    yes = asked["yes"]
    answers = np.where(yes ^ (rng.random(len(yes)) < CHANNEL.matrix[0, 1]), "yes", "no")
    silent = rng.random(len(yes)) < np.where(yes, 0.4, 0.1)
    said, designs_of = np.where(silent, "no reply", answers), passed_over(asked)

    @cache
    def covered(design: str) -> bool:
        found = nonresponse_bounds(
            tally(REPLYING, said, design=designs_of[design]), no_reply="no reply"
        )
        return bool(found.lower[0] <= 0.3 * 0.6 and found.upper[0] >= 0.3 + 0.7 * 0.1)

    return covered


def test_bounds_where_some_do_not_reply_know_how_people_were_drawn():
    """The whole set is held; a design of which a part is passed over is found out."""
    name = "complex sample, some do not reply"
    rng, null = dice(name), (0.9, 0.9999)
    verdicts = {"as drawn": "holds", "clusters ignored": "too low", "weights ignored": "too low"}
    watches = {
        way: (Watch(null, (0.75,), alarm(name) / 3), lambda told, way=way: told(way))
        for way in verdicts
    }
    assert settle(lambda: silence_of_villages(rng), watches) == verdicts
