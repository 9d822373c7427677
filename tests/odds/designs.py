"""Invented surveys with a known truth, and what the library says of each."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, final

import numpy as np
from budget import Verdict, Watch, Watches, alarm

from askance.channels import Channel, Frame, RangeChannel, Ranges, Tally
from askance.inference import (
    LineEstimate,
    cdf_intervals,
    estimate,
    estimate_joint,
    estimate_line,
    unbiased_mean,
    walley_interval,
)
from askance.mechanisms import HiddenSensitivity, Kuk, OneSided
from askance_collect.exact import Line

NARROWED, WIDENED = 0.75, 1.5
"""The broken twins: intervals this much shorter, or longer, about their estimate."""

NARROW_COVERS, WIDE_COVERS = 0.86, 0.996
"""What the twins cover, at most and at least: Φ gives 0.858 and 0.997 for a normal estimate."""


@final
@dataclass(frozen=True, slots=True)
class Reading:
    """An interval, the estimate inside it and the truth; each a pair where only bounds exist."""

    interval: tuple[float, float]
    estimate: tuple[float, float]
    truth: tuple[float, float]

    def covers(self, factor: float = 1.0) -> bool:
        """Say whether the interval, stretched about its estimate, holds the truth."""
        low, high = self.estimate
        lower = low - factor * (low - self.interval[0])
        upper = high + factor * (self.interval[1] - high)
        slack = 1e-9
        return lower - slack <= self.truth[0] and self.truth[1] <= upper + slack


@final
@dataclass(frozen=True, slots=True)
class Design:
    """A survey: how large, and how to draw and read one."""

    n: int
    draw: Callable[[np.random.Generator], dict[str, Reading]]


def _channel(rows: list[list[float]], answers: str, means: list[str]) -> Channel:
    names = {f"{index}: {meaning}": list(meaning) for index, meaning in enumerate(means)}
    return Channel(Frame(list(answers)), names, rows)


def _finite(channel: Channel, shares: list[float], n: int) -> Design:
    @cache  # small surveys repeat their counts
    def read(counts: tuple[int, ...]) -> dict[str, Reading]:
        result = estimate(Tally(channel, dict(zip(channel.reports, counts, strict=True))))
        return {
            label: Reading(
                (result.lower[index], result.upper[index]),
                (result.value[index],) * 2,
                (shares[index],) * 2,
            )
            for index, label in enumerate(channel.frame.answers)
        }

    chances = np.array(shares) @ channel.matrix

    def draw(rng: np.random.Generator) -> dict[str, Reading]:
        return read(tuple(rng.multinomial(n, chances / chances.sum()).tolist()))

    return Design(n, draw)


def _abstain(share: float, n: int) -> Design:
    channel = _channel([[0.6, 0.1, 0.3], [0.1, 0.6, 0.3]], "yn", ["y", "n", "yn"])
    return _finite(channel, [share, 1 - share], n)


def _warner(share: float, n: int) -> Design:
    channel = _channel([[0.75, 0.25], [0.25, 0.75]], "yn", ["y", "n"])
    return _finite(channel, [share, 1 - share], n)


def _unequal(share: float, n: int) -> Design:
    """Three informative reports: no closed form."""
    channel = _channel([[0.6, 0.1, 0.3], [0.1, 0.5, 0.4]], "yn", ["y", "n", "yn"])
    return _finite(channel, [share, 1 - share], n)


def _resolved(share: float, truth: float, lie: float, n: int) -> Design:
    """Every "don't know" was resolved away from the answer, which nobody is told."""
    channel = _channel(
        [[truth, lie, 1 - truth - lie], [lie, truth, 1 - truth - lie]], "yn", ["y", "n", "yn"]
    )
    chance, slope = lie + share * (truth - lie), truth - lie
    ends = (max((chance - (1 - truth)) / slope, 0.0), share)

    @cache
    def read(yes: int) -> dict[str, Reading]:
        interval = walley_interval(Tally(channel, {"0: y": yes, "1: n": n - yes}))
        between = (interval.low, interval.high)
        return {
            "share": Reading((interval.lower, interval.upper), between, (share, share)),
            "whole set": Reading((interval.outer_lower, interval.outer_upper), between, ends),
        }

    return Design(n, lambda rng: read(int(rng.binomial(n, chance))))


def _together(shares: np.ndarray, n: int) -> Design:
    rows = [[0.6, 0.1, 0.3], [0.1, 0.6, 0.3]], [[0.75, 0.25], [0.25, 0.75]]
    channel_result, two = (
        _channel(rows[0], "yn", ["y", "n", "yn"]),
        _channel(rows[1], "yn", ["y", "n"]),
    )
    chances = (channel_result.matrix.T @ shares @ two.matrix).ravel()

    def draw(rng: np.random.Generator) -> dict[str, Reading]:
        counts = rng.multinomial(n, chances / chances.sum()).reshape(3, 2)
        result = estimate_joint({"one": channel_result, "two": two}, counts)
        return {
            name: Reading(
                (result.lower[index], result.upper[index]),
                (result.value[index],) * 2,
                (shares[index],) * 2,
            )
            for name, index in (("both", (0, 0)), ("neither", (1, 1)))
        }

    return Design(n, draw)


def _kary(shares: list[float], n: int) -> Design:
    k = len(shares)
    rows = [[0.6 if i == j else 0.4 / (k - 1) for j in range(k)] for i in range(k)]
    answers = "abcdefgh"[:k]
    return _finite(_channel(rows, answers, list(answers)), shares, n)


def _named(recipe: OneSided | Kuk | HiddenSensitivity, shares: list[float], n: int) -> Design:
    frame = Frame(["y", "n"] if len(shares) == 2 else list("abcd"[: len(shares)]))
    return _finite(recipe.channel(frame), shares, n)


THREE_CARDS = Kuk(red_if_yes="7/10", red_if_no="3/10", draws=3)
THIRDS = HiddenSensitivity(harmless=["1/3", "1/3", "1/3"])

HUMP = (1, 2, 4, 6, 6, 5, 4, 3, 2, 1)
TWO_ENDS = (1, 0, 0, 0, 0, 0, 0, 0, 0, 1)


def _cuts(number: int, n: int, weights: tuple[int, ...] = HUMP, *, whole: bool = False) -> Design:
    """Ask for a step of a line, or for one of as many whole numbers."""
    ticks = len(weights)
    line = Line(int(whole), ticks, 1, "steps", integer=whole)
    channel = RangeChannel(line, [1] * (ticks - 1), number)
    mass = np.array(weights) / sum(weights)
    cells, chances = channel.cells()
    upto = np.concatenate([[0.0], np.cumsum(mass)])
    observed = chances * (upto[cells[:, 1]] - upto[cells[:, 0]])

    def draw(rng: np.random.Generator) -> dict[str, Reading]:
        counts = rng.multinomial(n, observed / observed.sum())
        return _readings(estimate_line(channel, channel.ranges(cells, counts)), mass)

    return Design(n, draw)


def _cut_each(n: int, ticks: int = 0) -> Design:
    """Ask everyone about one cut, from a continuum or a grid; numbers are even on [0, 1]."""

    def draw(rng: np.random.Generator) -> dict[str, Reading]:
        y, cut = rng.random(n), rng.integers(1, ticks, n) / ticks if ticks else rng.random(n)
        ranges = Ranges(np.where(y <= cut, -np.inf, cut), np.where(y <= cut, cut, np.inf))
        intervals = cdf_intervals(ranges, [0.3, 0.5], smooth=not ticks)
        mean = unbiased_mean(ranges, (0, 1))
        readings = {
            f"F({point:g})": Reading((low, high), (value, value), (point, point))
            for point, value, low, high in zip(
                intervals.points, intervals.value, intervals.lower, intervals.upper, strict=True
            )
        }
        own = Reading((mean.lower, mean.upper), (mean.value,) * 2, (0.5, 0.5))
        return readings | {"mean": own}

    return Design(n, draw)


def _readings(result: LineEstimate, mass: np.ndarray) -> dict[str, Reading]:
    steps, upto = np.arange(len(mass)), np.cumsum(mass)
    mean = float(mass @ steps)
    readings = {
        "mean": Reading(
            (result.lower, result.upper),
            (result.mean_low, result.mean_high),
            (mean + result.integer, mean + 1),
        )
    }
    for tick in (3, 6):
        band, value = (result.band_lower[tick], result.band_upper[tick]), result.cdf[tick]
        readings[f"F({tick})"] = Reading(band, (value, value), (upto[tick - 1],) * 2)
    low, middle, high = result.quantiles[0.5]
    median = int(np.searchsorted(upto, 0.5))
    readings["median"] = Reading(
        (low, high), (middle, middle), (median + result.integer, median + 1)
    )
    return readings


DESIGNS: dict[str, Design] = {
    "abstain": _abstain(0.3, 600),
    "abstain at 0": _abstain(0.0, 600),
    "abstain where some people are common": _abstain(0.5, 150),
    "warner": _warner(0.2, 500),
    "warner at 1": _warner(1.0, 500),
    "unequal reports": _unequal(0.25, 500),
    "resolved, nearly a point": _resolved(0.3, 0.75, 0.244, 600),
    "resolved": _resolved(0.75, 0.6, 0.1, 600),
    "two questions": _together(np.array([[0.3, 0.1], [0.2, 0.4]]), 1500),
    "k-ary": _kary([0.4, 0.3, 0.2, 0.1], 1500),
    "k-ary at 0": _kary([0.6, 0.4, 0.0], 500),
    "one-sided": _named(OneSided(forced_yes="1/5"), [0.1, 0.9], 500),
    "one-sided at 0": _named(OneSided(forced_yes="1/5"), [0.0, 1.0], 500),
    "three cards": _named(THREE_CARDS, [0.2, 0.8], 500),
    "hidden sensitivity": _named(THIRDS, [0.2, 0.0, 0.8], 1000),
    "one cut": _cuts(1, 2000),
    "one cut, whole numbers": _cuts(1, 1000, (1, 4, 5, 3, 2, 1), whole=True),
    "two cuts": _cuts(2, 1000),
    "a cut each": _cut_each(300),
    "a cut each on a grid": _cut_each(1000, 10),
    "two cuts, two ends": _cuts(2, 1000, TWO_ENDS),
}

INTERIOR = (0.935, 0.965)
AT_THE_EDGE = (0.935, 1.0)
"""What the chance of covering may be: about the level inside, at least about it at 0 and 1."""

VERDICTS: dict[float, Verdict] = {1.0: "holds", NARROWED: "too low", WIDENED: "too high"}


def stretched(
    name: str,
    read: Callable[[Any], Reading] = lambda draws: draws,
    null: tuple[float, float] = INTERIOR,
) -> Watches:
    """Watch intervals as they are, narrowed, and widened where the truth is inside."""
    inside = null[1] < 1
    defects = (NARROW_COVERS, WIDE_COVERS) if inside else (NARROW_COVERS,)
    return {
        (name, stretch): (
            Watch(null, defects, alarm(name)),
            lambda sample, stretch=stretch: read(sample).covers(stretch),
        )
        for stretch in VERDICTS
        if inside or stretch <= 1
    }


def expected(watches: Watches) -> dict[Any, Verdict]:
    """What is found of intervals that cover at their level: both broken twins are refused."""
    return {key: VERDICTS[key[1]] for key in watches}


TARGETS: dict[str, tuple[str, str, tuple[float, float]]] = {
    "abstain": ("abstain", "y", INTERIOR),
    "abstain at 0": ("abstain at 0", "y", AT_THE_EDGE),
    "abstain where some people are common": ("abstain where some people are common", "y", INTERIOR),
    "warner": ("warner", "y", INTERIOR),
    "warner at 1": ("warner at 1", "y", AT_THE_EDGE),
    "unequal reports": ("unequal reports", "y", INTERIOR),
    "resolved, share": ("resolved, nearly a point", "share", INTERIOR),
    "resolved, whole set": ("resolved", "whole set", INTERIOR),
    "two questions, both": ("two questions", "both", INTERIOR),
    "two questions, neither": ("two questions", "neither", INTERIOR),
    "k-ary a": ("k-ary", "a", INTERIOR),
    "k-ary d": ("k-ary", "d", INTERIOR),
    "k-ary at 0": ("k-ary at 0", "c", AT_THE_EDGE),
    "one-sided": ("one-sided", "y", INTERIOR),
    "one-sided at 0": ("one-sided at 0", "y", AT_THE_EDGE),
    "three cards": ("three cards", "y", INTERIOR),
    "hidden sensitivity": ("hidden sensitivity", "a", INTERIOR),
    "hidden sensitivity at 0": ("hidden sensitivity", "b", AT_THE_EDGE),
    "one cut, mean": ("one cut", "mean", INTERIOR),
    "one cut, F(3)": ("one cut", "F(3)", INTERIOR),
    "one cut, F(6)": ("one cut", "F(6)", INTERIOR),
    "one cut, median": ("one cut", "median", AT_THE_EDGE),
    "a cut each, F(0.3)": ("a cut each", "F(0.3)", INTERIOR),
    "a cut each, F(0.5)": ("a cut each", "F(0.5)", INTERIOR),
    "a cut each on a grid, F(0.3)": ("a cut each on a grid", "F(0.3)", INTERIOR),
    "a uniform cut each, unbiased mean": ("a cut each", "mean", INTERIOR),
    "one cut, whole numbers, mean": ("one cut, whole numbers", "mean", INTERIOR),
    "two cuts, mean": ("two cuts", "mean", INTERIOR),
    "two cuts, F(3)": ("two cuts", "F(3)", INTERIOR),
    "two cuts, F(6)": ("two cuts", "F(6)", INTERIOR),
    "two cuts, mean of two ends": ("two cuts, two ends", "mean", INTERIOR),
}
"""For each registered test its design, the target read, and the null."""
