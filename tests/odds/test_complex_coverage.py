"""Intervals from complex samples cover at their level; a sample passed over is found out."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from budget import Watch, alarm, dice, each, settle
from complex_samples import CHANNEL, TARGETS, asked, designs, village_numbers
from designs import INTERIOR, NARROW_COVERS, VERDICTS, WIDE_COVERS
from scipy.special import ndtr

from askance.channels import Channel, Frame, RangeChannel, Ranges, Tally
from askance.engines import tally, tally_groups
from askance.inference import (
    FrequencyEstimate,
    FunctionalInterval,
    LineEstimate,
    SamplingDesign,
    balanced_replicates,
    cdf_intervals,
    compare_groups,
    estimate,
    estimate_joint,
    estimate_line,
    functional_interval,
    jackknife,
    nonresponse_bounds,
    quantile_intervals,
    with_no_reply,
)
from askance.mechanisms import KAry, UnaryEncoding
from askance.results import student_quantile
from askance_collect.exact import Line

pytestmark = [pytest.mark.odds, pytest.mark.timeout(600)]

SURVEYS = {
    "complex sample, share of 200": ("share", 200),
    "complex sample, share of 1,000": ("share", 1000),
    "complex sample, share of 5,000": ("share", 5000),
    "complex sample, slope of 200": ("slope", 200),
    "complex sample, slope of 1,000": ("slope", 1000),
}


@pytest.mark.parametrize("name", each(SURVEYS))
def test_intervals_know_how_people_were_drawn(name):
    """Intervals too narrow and too wide are refused, and so are those that pass over clusters."""
    (target, n), rng = SURVEYS[name], dice(name)
    read = TARGETS[target]
    verdicts = {("as drawn", stretch): value for stretch, value in VERDICTS.items()}
    verdicts["clusters ignored", 1.0] = "too low"
    if target == "share":
        verdicts["weights ignored", 1.0] = "too low"

    def survey():
        sample = asked(rng, n)
        designs_result = designs(sample)
        return cache(lambda variant: read(sample, designs_result[variant]))

    watches = {
        (way, stretch): (
            Watch(INTERIOR, (NARROW_COVERS, WIDE_COVERS), alarm(name)),
            lambda result, route=way, stretch=stretch: result(route).covers(stretch),
        )
        for way, stretch in verdicts
    }
    assert settle(survey, watches) == verdicts


Ends = tuple[float, float]


def near_the_border(rng: np.random.Generator, share: float, level: float) -> dict[str, Ends]:
    """Intervals of a small share of 300 people, of whom every fifth stands for eight times as many.

    As drawn, and by two broken twins: the normal interval cut to [0, 1], whose upper end shrinks as
    fewer say yes than the channel sends; and with weights as counts of people.
    """
    n, lie = 300, float(CHANNEL.matrix[1, 0])
    weights, villages = np.where(np.arange(n) % 5 == 0, 8.0, 1.0), np.arange(n) // 6
    has = rng.random(n) < share
    yes = rng.random(n) < np.where(has, 1 - lie, lie)
    sampling = SamplingDesign(weights=weights, clusters=villages)
    drawn_estimate = estimate(
        tally(CHANNEL, np.where(yes, "yes", "no"), sampling=sampling), level=level
    )
    number = float(np.average(yes, weights=weights))
    se = np.linalg.norm(weights * (yes - number)) / weights.sum() / (1 - 2 * lie)
    reach = np.array([-1, 1]) * student_quantile(level, sampling.df) * se
    cut = ((number - lie) / (1 - 2 * lie) + reach).clip(0, 1)
    people = Tally(CHANNEL, {"yes": round(n * number), "no": n - round(n * number)})
    counted = estimate(people, level=level)
    return {
        "as drawn": (float(drawn_estimate.lower[0]), float(drawn_estimate.upper[0])),
        "cut to shares": (float(cut[0]), float(cut[1])),
        "weights as counts": (float(counted.lower[0]), float(counted.upper[0])),
    }


BORDERS = {
    "complex sample, a hundredth": ((0.01, 0.4), "cut to shares", (0.6, 0.85), 0.45),
    "complex sample, a twentieth, weights as counts": (
        (0.05, 0.95),
        "weights as counts",
        (0.92, 0.9999),
        0.85,
    ),
}
"""The share and the level; the twin; how often the interval holds it, and the twin at most."""


@pytest.mark.parametrize("name", each(BORDERS))
def test_weighted_intervals_near_the_border_cover(name):
    """However few say yes, the upper end stays; and it knows how unequal weights are."""
    ((share, level), twin, null, defect), rng = BORDERS[name], dice(name)
    watches = {
        route: (
            Watch(null, (defect,), alarm(name)),
            lambda result, variant=route: result[variant][0] <= share <= result[variant][1],
        )
        for route in ("as drawn", twin)
    }
    outcome = settle(lambda: near_the_border(rng, share, level), watches)
    assert outcome == {"as drawn": "holds", twin: "too low"}


STEPS = RangeChannel(Line(0, 24, 1), [1] * 23, 2)
VILLAGES, EACH = 50, 24


def numbers_of_villages(rng: np.random.Generator) -> tuple[LineEstimate, LineEstimate]:
    """Evenly spread numbers of villagers, who are met the oftener the larger theirs is; two cuts.

    Estimated as drawn, and with weights as counts of people.
    """
    number = ndtr(village_numbers(rng, VILLAGES, EACH))
    chance = 0.3 + 0.7 * number
    is_met = rng.random(len(number)) < chance
    village = np.repeat(np.arange(VILLAGES), EACH)[is_met]
    cuts = 1 + np.sort(rng.random((is_met.sum(), 23)).argsort(axis=1)[:, :2], axis=1)
    edges = np.column_stack([np.zeros(len(cuts)), cuts, np.full(len(cuts), 24)]).astype(int)
    total = (edges < 24 * number[is_met, None]).sum(axis=1)
    rows = np.arange(len(cuts))
    cells = np.column_stack([edges[rows, total - 1], edges[rows, total]])
    sampling = SamplingDesign(weights=1 / chance[is_met], clusters=village)
    drawn_estimate = estimate_line(STEPS, STEPS.ranges(cells), sampling=sampling)
    return drawn_estimate, estimate_line(STEPS, STEPS.ranges(cells, sampling.weights))


def mean_covered(result: LineEstimate) -> bool:
    return abs(result.mean_low - 11.5) <= result.mean_low - result.lower


def share_covered(result: LineEstimate) -> bool:
    return bool(result.band_lower[12] <= 0.5 <= result.band_upper[12])


@pytest.mark.wide
def test_ranges_know_how_people_were_drawn():
    """A mean and a share of numbers from ranges; weights taken for people are found out."""
    name = "complex sample, a number from ranges"
    rng, null = dice(name), (0.92, 0.9999)
    judged = {
        (case, number): lambda result, kind=case, variant=number: kind(result[variant])
        for case in (mean_covered, share_covered)
        for number in (0, 1)
    }
    watches = {
        key: (Watch(null, (0.7,), alarm(name) / len(judged)), hit) for key, hit in judged.items()
    }
    outcome = settle(lambda: numbers_of_villages(rng), watches)
    assert outcome == {item: "too low" if item[1] else "holds" for item in judged}


HAMLETS, HOUSES, TICKS = 24, 14, 48
KIN = 0.9
"""How alike neighbours are: of as few ranges the step is a third of the error of numbers alike."""


def average_of_hamlets(rng: np.random.Generator) -> Callable[[str], bool]:
    """Say whether the interval of the average, ½, holds; two cuts each on a grid."""
    shared, own = rng.normal(size=(HAMLETS, 1)), rng.normal(size=(HAMLETS, HOUSES))
    number = ndtr((KIN**0.5 * shared + (1 - KIN) ** 0.5 * own).ravel())
    chance = 0.3 + 0.7 * number
    is_met = rng.random(len(number)) < chance
    cuts = np.sort(rng.integers(1, TICKS, (is_met.sum(), 2)), axis=1) / TICKS
    edges = np.column_stack([np.zeros(len(cuts)), cuts, np.ones(len(cuts))])
    total, rows = (edges < number[is_met, None]).sum(axis=1), np.arange(len(cuts))
    ranges = Ranges(edges[rows, total - 1], edges[rows, total])
    hamlet = np.repeat(np.arange(HAMLETS), HOUSES)[is_met]
    ways = {"as drawn": {"clusters": hamlet}, "clusters ignored": {}}

    @cache
    def holds(text: str) -> bool:
        sampling = SamplingDesign(weights=1 / chance[is_met], **ways[text])
        interval = functional_interval(ranges, lambda y: y, (0, 1), sampling=sampling)
        return interval.lower <= 0.5 <= interval.upper

    return holds


def test_averages_know_how_people_were_drawn():
    """Intervals that pass over who lives together are refused."""
    name = "complex sample, an average"
    rng, null = dice(name), (0.92, 0.9999)
    verdicts = {"as drawn": "holds", "clusters ignored": "too low"}
    watches = {
        verdict: (Watch(null, (0.7,), alarm(name)), lambda holds, variant=verdict: holds(variant))
        for verdict in verdicts
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
    villages, item = 40, 40
    first, other = (ndtr(village_numbers(rng, villages, item)) for _ in range(2))
    second = np.where(rng.random(len(first)) < 0.7, first, other)
    yes, often = first < 0.3, np.searchsorted([0.2, 0.6], second)
    chance = np.where(yes, 0.9, 0.45)
    is_met = rng.random(len(first)) < chance
    replies = {
        "one": sent(rng, CHANNEL, np.where(yes, 0, 1)[is_met]),
        "two": sent(rng, OFTEN, often[is_met]),
    }
    weights, clusters = 1 / chance[is_met], np.repeat(np.arange(villages), item)[is_met]
    ways = {
        "as drawn": {"weights": weights, "clusters": clusters},
        "clusters ignored": {"weights": weights},
        "weights ignored": {"clusters": clusters},
    }

    @cache
    def covered(text: str) -> bool:
        sampling = SamplingDesign(**ways[text])
        result = estimate_joint({"one": CHANNEL, "two": OFTEN}, reports=replies, sampling=sampling)
        return bool(result.lower[0, 0] <= TOGETHER <= result.upper[0, 0])

    return covered


def test_answers_together_know_how_people_were_drawn():
    """The share of two answers together; a sample of which a part is passed over is found out."""
    name = "complex sample, two questions together"
    rng, null = dice(name), (0.9, 0.9999)  # forty villages are few
    verdicts = {"as drawn": "holds", "clusters ignored": "too low", "weights ignored": "too low"}
    watches = {
        verdict: (
            Watch(null, (0.7,), alarm(name) / 3),
            lambda result, variant=verdict: result(variant),
        )
        for verdict in verdicts
    }
    assert settle(lambda: pairs_of_villages(rng), watches) == verdicts


def curves_of_villages(rng: np.random.Generator) -> Callable[[str], bool]:
    """Say whether the interval of F at a cut holds: as drawn, and with weights as counts.

    Or that of a quantile, which lies in the step up to that cut.
    """
    villages, item = 50, 50
    number = ndtr(village_numbers(rng, villages, item))
    chance = 0.3 + 0.7 * number
    is_met = rng.random(len(number)) < chance
    number, village = number[is_met], np.repeat(np.arange(villages), item)[is_met]
    cut = rng.integers(1, 6, len(number)) / 6
    lower = np.where(number <= cut, -np.inf, cut)
    upper = np.where(number <= cut, cut, np.inf)
    weights = 1 / chance[is_met]
    sampling = SamplingDesign(weights=weights, clusters=village)

    @cache
    def covered(text: str) -> bool:
        if text.startswith("quantile"):
            intervals = quantile_intervals(
                Ranges(lower, upper), [0.49], sampling=jackknife(sampling)
            )
            ends = (
                (intervals.low, intervals.high)
                if text.endswith("alone")
                else (intervals.lower, intervals.upper)
            )
            return bool(ends[0][0] <= 2 / 6 and ends[1][0] >= 0.5)
        if text != "weights as counts":
            jackknife_result = jackknife(sampling) if text == "by replicates" else sampling
            intervals = cdf_intervals(Ranges(lower, upper), [0.5], sampling=jackknife_result)
        else:
            counts = weights * (len(weights) / weights.sum())
            intervals = cdf_intervals(Ranges(lower, upper, counts), [0.5])
        return bool(intervals.lower[0] <= 0.5 <= intervals.upper[0])

    return covered


@pytest.mark.wide
def test_curves_know_how_people_were_drawn():
    """F between ticks and a quantile, by likelihood ratio; weights as counts are found out.

    By a sum of squares over villages and by leaving each out; and so is the most likely step alone.
    """
    name = "complex sample, a curve"
    rng, null = dice(name), (0.92, 0.9999)
    verdicts = {
        "as drawn": "holds",
        "by replicates": "holds",
        "weights as counts": "too low",
        "quantile by replicates": "holds",
        "quantile by replicates, its step alone": "too low",
    }
    watches = {
        verdict: (
            Watch(null, (0.72,), alarm(name) / len(verdicts)),
            lambda result, variant=verdict: result(variant),
        )
        for verdict in verdicts
    }
    assert settle(lambda: curves_of_villages(rng), watches) == verdicts


ARMS = {"plainly": KAry(truth=1).channel(Frame(["yes", "no"])), "coin": CHANNEL}
REPLYING = with_no_reply(CHANNEL)


def villagers(rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Three in ten would say yes, alike in their villages, and are met twice as often."""
    villages, item = 40, 30
    yes = ndtr(village_numbers(rng, villages, item)) < 0.3
    chance = np.where(yes, 0.9, 0.45)
    is_met = rng.random(len(yes)) < chance
    village = np.repeat(np.arange(villages), item)
    return {"yes": yes[is_met], "weights": 1 / chance[is_met], "clusters": village[is_met]}


def passed_over(questions: dict[str, np.ndarray]) -> dict[str, SamplingDesign]:
    """The sample as it was drawn, and with a part of it passed over."""
    weights, clusters = questions["weights"], questions["clusters"]
    return {
        "as drawn": SamplingDesign(weights=weights, clusters=clusters),
        "clusters ignored": SamplingDesign(weights=weights),
        "weights ignored": SamplingDesign(clusters=clusters),
    }


def arms_of_villages(rng: np.random.Generator) -> Callable[[str], bool]:
    """Every other village is asked plainly, where a third of those with a yes deny it."""
    villagers_result = villagers(rng)
    coin = villagers_result["clusters"] % 2 == 1
    result = villagers_result["yes"] & (coin | (rng.random(len(coin)) < 2 / 3))
    lies = coin & (rng.random(len(coin)) < CHANNEL.matrix[0, 1])
    selected = np.where(result ^ lies, "yes", "no")
    variant, designs_of = np.where(coin, "coin", "plainly"), passed_over(villagers_result)

    @cache
    def covered(sampling: str) -> bool:
        tally = tally_groups(ARMS, selected, variant, sampling=designs_of[sampling])
        comparison = compare_groups(tally)
        return bool(comparison.lower[0, 0] <= 0.1 <= comparison.upper[0, 0])

    return covered


def test_groups_compared_know_how_people_were_drawn():
    """How many more say yes with a coin; people of one village taken as drawn apart are found."""
    name = "complex sample, groups compared"
    rng, null = dice(name), (0.9, 0.9999)
    verdicts = {"as drawn": "holds", "clusters ignored": "too low"}
    watches = {
        verdict: (
            Watch(null, (0.75,), alarm(name) / 2),
            lambda result, variant=verdict: result(variant),
        )
        for verdict in verdicts
    }
    assert settle(lambda: arms_of_villages(rng), watches) == verdicts


def silence_of_villages(rng: np.random.Generator) -> Callable[[str], bool]:
    """Four in ten of those with a yes do not reply, and one in ten of all others."""
    villagers_result = villagers(rng)
    yes = villagers_result["yes"]
    answers = np.where(yes ^ (rng.random(len(yes)) < CHANNEL.matrix[0, 1]), "yes", "no")
    silent = rng.random(len(yes)) < np.where(yes, 0.4, 0.1)
    selected, designs_of = np.where(silent, "no reply", answers), passed_over(villagers_result)

    @cache
    def covered(sampling: str) -> bool:
        bounds = nonresponse_bounds(
            tally(REPLYING, selected, sampling=designs_of[sampling]), no_reply="no reply"
        )
        return bool(bounds.lower[0] <= 0.3 * 0.6 and bounds.upper[0] >= 0.3 + 0.7 * 0.1)

    return covered


def test_bounds_where_some_do_not_reply_know_how_people_were_drawn():
    """The whole set is held; a sampling design of which a part is passed over is found out."""
    name = "complex sample, some do not reply"
    rng, null = dice(name), (0.9, 0.9999)
    verdicts = {"as drawn": "holds", "clusters ignored": "too low", "weights ignored": "too low"}
    watches = {
        verdict: (
            Watch(null, (0.75,), alarm(name) / 3),
            lambda result, variant=verdict: result(variant),
        )
        for verdict in verdicts
    }
    assert settle(lambda: silence_of_villages(rng), watches) == verdicts


BITS = UnaryEncoding(truth="15/16", lie="1/16").channel(Frame(["a", "b", "c", "d"]))
SHARES = np.array([0.35, 0.3, 0.2, 0.15])
HALF = (0.4, 0.6)
"""What the chance of covering may be of intervals that should hold half the time.

Those that are far too wide are found out by few surveys: they hold nearly always, as they would at
95 % too.
"""


def bits_of_villages(rng: np.random.Generator) -> Callable[[str], FrequencyEstimate]:
    """Estimate shares of four answers from noisy bits; neighbours have neighbouring ones."""
    villages, item = 30, 24
    answer = np.searchsorted(SHARES.cumsum(), ndtr(village_numbers(rng, villages, item)))
    chance = np.array([0.9, 0.6, 0.5, 0.4])[answer]
    is_met = rng.random(len(answer)) < chance
    answer, village, weights = (
        answer[is_met],
        np.repeat(np.arange(villages), item)[is_met],
        1 / chance[is_met],
    )
    named = rng.random((len(answer), 4)) < np.where(np.eye(4, dtype=bool)[answer], 15 / 16, 1 / 16)
    packbits_result = np.packbits(named, axis=1)
    ways = {
        "as drawn": {"weights": weights, "clusters": village},
        "clusters ignored": {"weights": weights},
        "weights ignored": {"clusters": village},
    }

    @cache
    def learnt(text: str) -> FrequencyEstimate:
        result = estimate(tally(BITS, packbits_result, sampling=SamplingDesign(**ways[text])))
        assert isinstance(result, FrequencyEstimate)
        return result

    return learnt


def inside(error: float, se: float, df: float, level: float) -> bool:
    return abs(error) <= student_quantile(level, df) * se


def test_noisy_bits_know_how_people_were_drawn():
    """One answer; with a part of the sample passed over, or twice as wide, it is found out."""
    name = "complex sample, bits of an oracle"
    rng = dice(name)

    def held(learnt, variant, level, times=1.0):
        learnt_result = learnt(variant)
        if level > 0.5:
            return bool(learnt_result.lower[0] <= SHARES[0] <= learnt_result.upper[0])
        df = learnt_result.survey_estimate.df
        return inside(learnt_result.value[0] - SHARES[0], times * learnt_result.se[0], df, level)

    watches = {
        ("as drawn", 0.95): (0.92, 0.9999, 0.75),
        ("clusters ignored", 0.95): (0.92, 0.9999, 0.82),
        ("weights ignored", 0.95): (0.92, 0.9999, 0.75),
        ("as drawn", 0.5): (*HALF, 0.8),
        ("as drawn", 0.5, 2.0): (*HALF, 0.8),
    }
    judged = {
        how: (
            Watch((low, high), (defect,), alarm(name) / len(watches)),
            lambda learnt, how=how: held(learnt, *how),
        )
        for how, (low, high, defect) in watches.items()
    }
    result = ["holds", "too low", "too low", "holds", "too high"]
    assert settle(lambda: bits_of_villages(rng), judged) == dict(zip(watches, result, strict=True))


def test_sums_of_noisy_bits_know_how_answers_go_together():
    """How many have one of three answers; by variances alone it is found out, and halved."""
    name = "complex sample, answers of an oracle together"
    rng, first = dice(name), np.array([1.0, 1.0, 1.0, 0.0])

    def held(result, level, variance=None, times=1.0):
        variance = result.covariance.variance(first) if variance is None else variance
        error = (result.unbiased - SHARES) @ first
        return inside(error, times * variance**0.5, result.survey_estimate.df, level)

    ways = {
        "together": ((0.91, 0.9999), 0.72, lambda outcome: held(outcome, 0.95)),
        "halved": ((0.91, 0.9999), 0.72, lambda found: held(found, 0.95, times=0.5)),
        "half": (HALF, 0.8, lambda found: held(found, 0.5)),
        "alone": (HALF, 0.8, lambda found: held(found, 0.5, found.se**2 @ first)),
    }
    watches = {
        key: (Watch(null, (defect,), alarm(name) / len(ways)), hit)
        for key, (null, defect, hit) in ways.items()
    }
    output = ["holds", "too low", "holds", "too high"]
    found = settle(lambda: bits_of_villages(rng)("as drawn"), watches)
    assert found == dict(zip(ways, output, strict=True))


def average_again(rng: np.random.Generator) -> Callable[[str], FunctionalInterval]:
    """Find the average of numbers from a cut each, by fits to half-samples.

    Two hamlets are drawn in each of three strata, where neighbours are much alike.
    """
    strata, houses, steps = 3, 40, 12
    shared, own = rng.normal(size=(2 * strata, 1)), rng.normal(size=(2 * strata, houses))
    number = ndtr((KIN**0.5 * shared + (1 - KIN) ** 0.5 * own).ravel())
    chance = 0.3 + 0.7 * number
    is_met = rng.random(len(number)) < chance
    cut, hamlet = rng.integers(1, steps, is_met.sum()) / steps, np.arange(2 * strata).repeat(houses)
    below = number[is_met] <= cut
    ranges = Ranges(np.where(below, 0, cut), np.where(below, cut, 1))
    sampling = SamplingDesign(
        weights=1 / chance[is_met], clusters=hamlet[is_met], strata=hamlet[is_met] // 2
    )

    @cache
    def found(text: str) -> FunctionalInterval:
        replicates = balanced_replicates(sampling) if text == "refitted" else None
        alone = SamplingDesign(weights=sampling.weights)
        return functional_interval(ranges, lambda y: y, (0, 1), sampling=replicates or alone)

    return found


@pytest.mark.wide
def test_averages_refitted_by_replicates_know_how_people_were_drawn():
    """Intervals that pass over who lives together are refused, and those that are far too wide."""
    name = "complex sample, an average refitted"
    rng, low = dice(name), 0.5 - 1 / 24

    def held(result, level, times=1.0):
        return inside(result.low - low, times * result.se, result.df, level)

    ways = {
        "refitted": ((0.85, 0.9999), 0.6, lambda output: held(output("refitted"), 0.95)),
        "clusters ignored": ((0.85, 0.9999), 0.6, lambda told: held(told("alone"), 0.95)),
        "half": ((0.3, 0.65), 0.93, lambda told: held(told("refitted"), 0.5)),
        "half, fourfold": ((0.3, 0.65), 0.93, lambda told: held(told("refitted"), 0.5, 4.0)),
    }
    watches = {
        key: (Watch(null, (defect,), alarm(name) / len(ways)), hit)
        for key, (null, defect, hit) in ways.items()
    }
    told = ["holds", "too low", "holds", "too high"]
    outcome = settle(lambda: average_again(rng), watches)
    assert outcome == dict(zip(ways, told, strict=True))
