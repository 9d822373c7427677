"""Print how often intervals from ranges of every kind cover.

    python tests/odds/curves.py [surveys [kind ...]]

Numbers are even on [0, 1], and intervals are those for a smooth law. The tail is the share up to
where five people are expected to tell that their number is, or up to the first step of the grid if
more do. The average is that of the number clipped to (0.15, 0.85), which is learnt though the
progressive questions leave the outer tenths open; on a grid it is known up to two bounds, and the
interval must hold both.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import islice

import numpy as np
from budget import dice
from designs import Reading

from askance.channels import RangeChannel, Ranges
from askance.inference import (
    cdf_intervals,
    estimate_line,
    functional_interval,
    npmle,
    quantile_intervals,
    simultaneous_band,
)
from askance.mechanisms import Cuts
from askance.results import wilson
from askance_collect.exact import Line

AT = (0.3, 0.5)
FEW, MANY = 5, 100_000
EVERYWHERE = np.linspace(0.02, 0.98, 49)
HALVED, DOUBLED = 0.5, 2.0
"""The broken twins: intervals this much shorter, or longer, about their estimate."""

HALVED_COVERS, DOUBLED_COVERS = 0.7, 0.9995
"""What the twins cover, at most and at least."""

NULL = (0.92, 0.98)
"""What the chance of covering may be."""

AT_LEAST = (0.92, 1.0)
"""The same where an interval holds all that is left possible, and the truth is at its end."""


def cells(cuts: np.ndarray, y: np.ndarray) -> Ranges:
    """Tell between which of their cuts the numbers lie."""
    n = len(y)
    edges = np.column_stack([np.full(n, -np.inf), np.sort(cuts, axis=1), np.full(n, np.inf)])
    total = (y[:, None] > cuts).sum(axis=1)
    return Ranges(edges[np.arange(n), total], edges[np.arange(n), total + 1])


def one_cut(rng: np.random.Generator, n: int) -> Ranges:
    """Ask about one uniform cut: Case I."""
    return cells(rng.random((n, 1)), rng.random(n))


def two_cuts(rng: np.random.Generator, n: int) -> Ranges:
    """Ask about two uniform cuts: Case II."""
    return cells(rng.random((n, 2)), rng.random(n))


def ring(rng: np.random.Generator, n: int) -> Ranges:
    """Tell only whether the number is between two uniform cuts."""
    y, cuts = rng.random(n), np.sort(rng.random((n, 2)), axis=1)
    between = (cuts[:, 0] < y) & (y <= cuts[:, 1])
    pairs = zip(cuts.tolist(), between.tolist(), strict=True)
    inner, outer = -np.inf, np.inf
    return Ranges.unions(
        [(low, high)] if inside else [(inner, low), (high, outer)] for (low, high), inside in pairs
    )


def progressive(rng: np.random.Generator, n: int) -> Ranges:
    """Ask on, up to four times, while both answers leave at least a tenth of the line possible."""
    y, low, high = rng.random(n), np.zeros(n), np.ones(n)
    for _ in range(4):
        cut = low + (high - low) * rng.random(n)
        is_requested = (cut - low >= 0.1) & (high - cut >= 0.1)
        low, high = (
            np.where(is_requested & (y > cut), cut, low),
            np.where(is_requested & (y <= cut), cut, high),
        )
    return Ranges(np.where(low > 0, low, -np.inf), np.where(high < 1, high, np.inf))


def rounded(cuts: int, ticks: int) -> Callable[[np.random.Generator, int], Ranges]:
    """Ask about cuts that lie on a grid."""
    return lambda rng, n: cells(rng.integers(1, ticks, (n, cuts)) / ticks, rng.random(n))


def some_exact(rng: np.random.Generator, n: int) -> Ranges:
    """Ask about two cuts; one in ten tells the number."""
    y, is_shown = rng.random(n), rng.random(n) < 0.1
    ranges = cells(rng.random((n, 2)), y)
    return Ranges(
        np.where(is_shown, np.nextafter(y, 0), ranges.lower), np.where(is_shown, y, ranges.upper)
    )


KINDS: dict[str, tuple[int, Callable[[np.random.Generator, int], Ranges], int]] = {
    "one cut": (300, one_cut, 0),
    "one cut, many people": (2000, one_cut, 0),
    "two cuts": (300, two_cuts, 0),
    "two cuts, many people": (1000, two_cuts, 0),
    "ring": (500, ring, 0),
    "progressive": (500, progressive, 0),
    "one cut, few on a grid": (200, rounded(1, 10), 10),
    "one cut, coarse grid": (1000, rounded(1, 10), 10),
    "one cut, finer grid": (1000, rounded(1, 50), 50),
    "one cut, fine grid": (1000, rounded(1, 200), 200),
    "two cuts, coarse grid": (500, rounded(2, 10), 10),
    "two cuts, twenty steps": (1000, rounded(2, 20), 20),
    "two cuts, finer grid": (500, rounded(2, 50), 50),
    "some exact": (300, some_exact, 0),
}
"""For each kind of data how many are asked, how, and the ticks of the grid."""


def clipped(y: np.ndarray) -> np.ndarray:
    """Keep what can be learnt where no cut falls in the outer tenths."""
    return np.clip(y, 0.15, 0.85)


@cache
def truth(ticks: int) -> tuple[float, float]:
    """Give the bounds of the true average, which meet without a grid."""
    if not ticks:
        return 0.5, 0.5
    places = clipped(np.arange(ticks + 1) / ticks)
    return float(places[:-1].mean()), float(places[1:].mean())


def beyond(test: str, cuts: int, end: float) -> Iterator[tuple[Reading, Reading]]:
    """Read means where three in ten are beyond all cuts; and as the broken twin does, by z errors.

    Cuts, and the others' numbers, are even on (0.2, 0.8); 500 are asked.
    """
    rng, truth, z = dice(test), 0.3 * end + 0.7 * 0.5, 1.959964
    while True:
        y = np.where(rng.random(500) < 0.3, end, rng.uniform(0.2, 0.8, 500))
        result = functional_interval(
            cells(rng.uniform(0.2, 0.8, (500, cuts)), y), np.positive, (0, 1)
        )
        reading = Reading((result.lower, result.upper), (result.low, result.high), (truth, truth))
        ends = result.low - z * result.se, result.high + z * result.se
        yield reading, replace(reading, interval=ends)


def on_a_line(test: str, *, rising: bool) -> Iterator[Reading]:
    """Read F(6) on a line of 12 steps; or as the broken twin does, to which shares need not rise.

    60 are asked about one cut each; the twin is Wilson's interval of as many as may be asked at 6.
    """
    rng, channel, people = dice(test), RangeChannel(Line(0, 12, 1), [1] * 11), 60
    cells, chances = channel.cells()
    observed = chances * np.diff(cells, axis=1)[:, 0] / 12
    while True:
        ranges = channel.ranges(cells, rng.multinomial(people, observed / observed.sum()))
        if rising:
            estimate = estimate_line(channel, ranges)
            value, *ends = estimate.cdf[6], estimate.band_lower[6], estimate.band_upper[6]
        else:
            value = npmle(ranges).cdf(6)
            ends = [end[0] for end in wilson(np.array([value]), np.array([people / 11]), 1.959964)]
        yield Reading((float(ends[0]), float(ends[1])), (float(value),) * 2, (0.5, 0.5))


def beside_a_lump(test: str, cuts: int, index: int) -> Iterator[tuple[Reading, Reading]]:
    """Read F on a line of 24 steps, of which four hold everybody; and as the broken twin does.

    800 are asked about one cut each, or two. Nobody is between 4 and 12, a fifth are in the step
    after 12; the twin takes it that F rises there as it does on the whole, and the ratio has the
    law of 𝔻.
    """
    rng, channel = dice(test), Cuts(number=cuts).channel(Line(0, 24, 1))
    upto = np.repeat([0.0, 0.3, 0.5, 0.8, 1.0], [4, 9, 5, 3, 4])
    cells, chances = channel.cells()
    observed = chances * np.diff(upto[cells], axis=1)[:, 0]
    cell = cells[observed > 0]
    while True:
        counts = rng.multinomial(800, observed[observed > 0] / observed.sum())
        intervals = cdf_intervals(channel.ranges(cell[counts > 0], counts[counts > 0]), index)
        value, low, high = (
            float(intervals.value[0]),
            float(intervals.lower[0]),
            float(intervals.upper[0]),
        )
        reading = Reading((low, high), (value, value), (0.3, 0.3))
        near = np.sqrt(2.258 / intervals.critical[:, 0])
        ends = value - near[0] * (value - low), value + near[1] * (high - value)
        yield reading, replace(reading, interval=ends)


INCOMES = {0: 0.15, 1_000: 0.2, 2_000: 0.25, 3_000: 0.2, 5_000: 0.1, 10_000: 0.1}
NONE_BELOW = {1_500: 0.3, 8_500: 0.7}
"""Shares of people on each heap."""


def heaped(
    test: str, cuts: int, index: float | None, heaps: Mapping[int, float] = INCOMES
) -> Iterator[tuple[Reading, Reading]]:
    """Read F, or a quantile, of incomes on heaps; and as the broken twin does, of a smooth F.

    500 are asked about one even cut each up to 10,000, or two. Six tenths have at most 2,000, which
    is the least of the numbers that are then such a quantile.
    """
    rng, places, shares = dice(test), np.array(list(heaps)), np.array(list(heaps.values()))
    truth = float(shares[places <= (index or 0)].sum())
    while True:
        ranges = cells(10_000 * rng.random((500, cuts)), rng.choice(places, 500, p=shares))
        result = []
        for smooth in (False, True):
            if index:
                intervals = cdf_intervals(ranges, index, smooth=smooth)
                ends, true = (intervals.lower[0], intervals.upper[0]), (truth, truth)
            else:
                six = quantile_intervals(ranges, [0.6], smooth=smooth)
                ends, true = (six.lower[0], six.upper[0]), (2_000.0, 2_000.0)
            interval = float(ends[0]), float(ends[1])
            result.append(Reading(interval, interval, true))
        yield result[0], result[1]


def average(ranges: Ranges, ticks: int) -> Reading:
    """Read the average."""
    interval = functional_interval(ranges, clipped, (0, 1))
    return Reading((interval.lower, interval.upper), (interval.low, interval.high), truth(ticks))


def shares(ranges: Ranges, index: tuple[float, ...] = AT, *, smooth: bool = False) -> list[Reading]:
    """Read the shares up to some points."""
    intervals = cdf_intervals(ranges, index, smooth=smooth)
    columns = zip(intervals.points, intervals.value, intervals.lower, intervals.upper, strict=True)
    return [
        Reading((low, high), (value, value), (position, position))
        for position, value, low, high in columns
    ]


@cache
def tail(name: str) -> float:
    """Find up to where a few people are expected to tell that their number is."""
    n, draw, _ = KINDS[name]
    ranges = draw(dice(f"tail, {name}"), MANY)
    ends = np.sort(ranges.upper[ranges.starts[1:] - 1])
    return float(ends[MANY * FEW // n])


def draws(name: str) -> Iterator[tuple[Ranges, int]]:
    """Draw surveys of a kind without end, each with the ticks of its grid."""
    n, draw, ticks = KINDS[name]
    rng = dice(f"curve, {name}")
    while True:
        yield draw(rng, n), ticks


def line(name: str, surveys: int) -> str:
    """Measure one kind: coverage and mean width of each interval, and of the band."""
    hits, widths = np.zeros(5), np.zeros(5)
    for ranges, ticks in islice(draws(name), surveys):
        result = [*shares(ranges, (tail(name), *AT), smooth=True), average(ranges, ticks)]
        band = simultaneous_band(ranges, smooth=True)
        low, high = band.bounds(EVERYWHERE)
        flag = bool(np.all((band.lower <= band.points) & (band.points <= band.upper)))
        hits += [*(item.covers() for item in result), flag]
        spans = [item.interval[1] - item.interval[0] for item in result]
        widths += [*spans, float(np.mean(high - low))]
    columns = zip(hits / surveys, widths / surveys, strict=True)
    text = "".join(f"{cover:>8.3f}{width:>7.3f}" for cover, width in columns)
    return f"{name:<24}{KINDS[name][0]:>6}{text}"


def table(surveys: int, kinds: list[str]) -> Iterator[str]:
    """Give one line for each of some kinds, or of all."""
    yield f"{surveys} surveys each: how often the 95 % interval covers, and its mean width"
    names = ["tail", *(f"F({index:g})" for index in AT), "average", "band"]
    yield f"{'':<24}{'n':>6}" + "".join(f"{name:>15}" for name in names)
    for name in kinds or KINDS:
        yield line(name, surveys)


if __name__ == "__main__":
    for row in table(int(sys.argv[1]) if len(sys.argv) > 1 else 200, sys.argv[2:]):
        sys.stdout.write(row + "\n")
        sys.stdout.flush()
