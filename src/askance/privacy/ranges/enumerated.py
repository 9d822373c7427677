"""How evenly reports treat the numbers they leave possible: every draw and answer gone through."""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise, product

from askance.channels.line_channel import AbstractRangeChannel
from askance.channels.open_cell_channel import OpenCellChannel
from askance.channels.range_channel import RangeChannel
from askance.channels.ring_channel import RingChannel

Cell = tuple[int, int]

_MOST = 250_000  # pairs of draw and answer, which take a fraction of a second


def worst_ratio(channel: AbstractRangeChannel) -> Fraction | float | None:
    """Give the worst ratio of a sent range's chances between two numbers that it leaves possible.

    None where there are too many draws to be followed.

    >>> from askance.exact.floor import Floor
    >>> from askance.exact.line import Line
    >>> worst_ratio(RangeChannel(Line(0, 4, 1), [1, 2, 1], 2, floor=Floor([1] * 4, 2)))
    Fraction(1, 1)
    """
    draws = followed(channel)
    if draws is None:
        return None
    return max(
        Fraction(max(row), min(row)) if min(row) else math.inf
        for cell, held in draws.items()
        for row in [[held[step] for piece in channel.pieces(*cell) for step in range(*piece)]]
    )


def followed(channel: AbstractRangeChannel) -> dict[Cell, Counter[int]] | None:
    """Count the draws on which each step sends each range, following them as a device does.

    None where pairs of draw and step are more than a quarter of a million.

    >>> from askance.exact.line import Line
    >>> {cell: dict(held) for cell, held in followed(RangeChannel(Line(0, 2, 1), [3])).items()}
    {(0, 1): {0: 3}, (1, 2): {1: 3}}
    """
    if isinstance(channel, RingChannel):
        draws_of = math.comb(channel.line.ticks - 1, channel.number)
        sent = _rings(channel) if draws_of * channel.line.ticks <= _MOST else None
    elif isinstance(channel, RangeChannel):
        drawn = sum(weight > 0 for weight in channel.weights) ** channel.number
        sent = _cuts(channel) if drawn * channel.line.ticks <= _MOST else None
    elif isinstance(channel, OpenCellChannel):
        drawn = sum(weight > 0 for weight in channel.cuts.weights) ** channel.cuts.number
        sent = _told(channel) if drawn * channel.line.ticks <= _MOST else None
    else:
        sent = None
    if sent is None:
        return None
    draws: dict[Cell, Counter[int]] = {}
    for cell, step, weight in sent:
        draws.setdefault(cell, Counter())[step] += weight
    return draws


def _rings(channel: RingChannel) -> Iterator[tuple[Cell, int, int]]:
    for cuts in combinations(range(1, channel.line.ticks), channel.number):
        weight = math.prod(channel.weights[tick - 1] for tick in cuts)
        arcs = [(cuts[-1], cuts[0]), *pairwise(cuts), (cuts[-1], cuts[0])]
        if weight and all(channel.floor.keeps(*arc) for arc in arcs):
            for step in range(channel.line.ticks):
                yield arcs[bisect_right(cuts, step)], step, weight


def _draws(channel: RangeChannel) -> Iterator[tuple[tuple[int, ...], int]]:
    ticks = [tick for tick, weight in enumerate(channel.weights, start=1) if weight]
    for cuts in product(ticks, repeat=channel.number):
        yield cuts, math.prod(channel.weights[tick - 1] for tick in cuts)


def _told(channel: OpenCellChannel) -> Iterator[tuple[Cell, int, int]]:
    for cuts, weight in _draws(channel.cuts):
        ends = [0, *sorted(cuts), channel.line.ticks]
        for step in range(channel.line.ticks):
            k = bisect_right(ends, step, 1, len(ends) - 1)
            yield ((step, step + 1) if k in channel.told else (ends[k - 1], ends[k])), step, weight


def _cuts(channel: RangeChannel) -> Iterator[tuple[Cell, int, int]]:
    for cuts, weight in _draws(channel):
        for step in range(channel.line.ticks):
            if (cell := _narrowed(channel, cuts, step)) is not None:
                yield cell, step, weight


def _narrowed(channel: RangeChannel, cuts: tuple[int, ...], step: int) -> Cell | None:
    if any(start <= step < end for start, end in channel.open):
        return step, step + 1
    low, high = 0, channel.line.ticks
    floor = channel.floor
    for tick in cuts:
        asked = floor is None or channel.withhold or floor.divides(low, tick, high)
        if low < tick < high and asked:
            low, high = (tick, high) if tick <= step else (low, tick)
    kept = floor is None or not channel.withhold or floor.keeps(low, high)
    return (low, high) if kept else None
