"""Many invented or recorded numbers at once, each reported as its own random range."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.channels.cut_variants import OpenCellChannel, RingChannel
from askance.channels.range_channel import AbstractRangeChannel, RangeChannel, reaches
from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.exact.line import Line
from askance.results import doubles
from askance.typing import Floats, Integers

_CHUNK = 1 << 15
"""How many people are dealt with at a time: what they need fits into the cache."""
_PARTS = 1 << 14
"""Into how many equal parts [0, 1) is divided, to find by a table where a number falls."""

Cells = tuple[Integers, Integers]
Drawn = Callable[[Integers], Cells]


@checked
def privatise(
    channel: RangeChannel | RingChannel | OpenCellChannel,
    numbers: npt.ArrayLike,
    *,
    rng: Any = None,
) -> Ranges:
    """Report every number of a population as a range, with the analyst's dice.

    To rehearse: a respondent's device draws cryptographic bits instead. Beyond an end of the line
    there is no limit, so that a number there is in an outer step; one on a tick is in the step
    below it.

    Parameters
    ----------
    channel : RangeChannel, RingChannel or OpenCellChannel
    numbers : array_like of shape (n,)
        In the unit of the line; ±∞ is beyond an end.
    rng : seed or numpy Generator, optional

    Returns
    -------
    Ranges
        One for each number, in their order; numbers whose range is withheld are left out.

    Raises
    ------
    InputError
        If there is no number, one is missing, or they have more than one dimension.

    >>> from askance.exact.line import Line
    >>> privatise(RangeChannel(Line(0, 40, 20), [1]), [12, 20, 31, np.inf], rng=1)
    Ranges((-inf, 20], (-inf, 20], (20, inf], (20, inf])
    """
    asked = doubles(numbers, "privatise.numbers")
    if asked.ndim != 1 or not asked.size or np.isnan(asked).any():
        missing = int(np.isnan(asked).sum()) if asked.size else 0
        raise InputError(
            "privatise.numbers",
            got=f"shape {asked.shape} with {missing} missing",
            allowed="one dimension, with at least one number and none missing",
        )
    dice, ticks = np.random.default_rng(rng), _ticks(channel.line)
    draw = _drawn(channel, dice)
    width = channel.line.ticks + 1
    codes = np.empty(len(asked), dtype=np.int64)
    for start in range(0, len(asked), _CHUNK):
        part = slice(start, start + _CHUNK)
        low, high = draw(_steps(ticks, asked[part]))
        codes[part] = low * width + high
    return _written(channel, codes, width)


def _drawn(
    channel: RangeChannel | RingChannel | OpenCellChannel, dice: np.random.Generator
) -> Drawn:
    if isinstance(channel, RingChannel):
        return _ring(channel, dice) if channel.number == 2 else _arcs(channel, dice)
    return _cuts(channel, dice) if isinstance(channel, RangeChannel) else _told(channel, dice)


def _written(channel: AbstractRangeChannel, codes: Integers, width: int) -> Ranges:
    """Write each distinct range once, and repeat it; (0, 0) is one that is withheld."""
    seen = np.zeros(width * width, dtype=bool)
    seen[codes] = True
    if seen[0]:
        codes, seen[0] = codes[codes > 0], False
    distinct = np.flatnonzero(seen)
    place = np.zeros(len(seen), dtype=np.int64)
    place[distinct] = np.arange(len(distinct))
    return channel.ranges(np.stack(np.divmod(distinct, width), axis=1))[place[codes]]


def _ticks(line: Line) -> Floats:
    inner = [float(line.at(tick)) for tick in range(1, line.ticks)]
    return np.array([-np.inf, *inner, np.inf])


def _steps(ticks: Floats, numbers: Floats) -> Integers:
    """Find the step ``(i, i + 1]`` of each number: guess, then compare with the ticks."""
    count = len(ticks) - 1
    if count == 2:
        return np.asarray(numbers > ticks[1], dtype=np.int64)
    width = (ticks[-2] - ticks[1]) / (count - 2)
    guess = np.ceil((numbers - ticks[1]) / width)
    steps: Integers = np.clip(guess, 0, count - 1).astype(np.int64)
    steps += numbers > ticks[steps + 1]
    steps -= (numbers <= ticks[steps]) & (steps > 0)
    return steps


def _ring(channel: RingChannel, dice: np.random.Generator) -> Drawn:
    law = channel.law
    rows = list(law.rows())
    lows, firsts, lasts, units = (np.array(column) for column in zip(*rows, strict=True))
    row_at, tick_at = inverse_table(units), inverse_table(channel.weights)
    upto = np.array(law.upto) / law.upto[-1]
    span = upto[lasts + 1] - upto[firsts]

    def draw(steps: Integers) -> Cells:
        row = row_at(dice.random(len(steps)))
        other = tick_at(upto[firsts[row]] + span[row] * dice.random(len(steps))) + 1
        low, high = lows[row], np.clip(other, firsts[row], lasts[row])
        inside = (low <= steps) & (steps < high)
        return np.where(inside, low, high), np.where(inside, high, low)

    return draw


def _arcs(channel: RingChannel, dice: np.random.Generator) -> Drawn:
    """Draw three or more cuts one after the other, each by what all ways to go on from it weigh."""
    nearest, _ = reaches(channel.line.ticks, channel.floor)
    law = np.array([0, *channel.weights, 0], dtype=float) / sum(channel.weights)
    upto, floor = np.array(channel.floor.upto), channel.floor
    ways = [law * (upto <= (upto + (floor.total - floor.least))[:, None])]  # by the first (row)
    for _ in range(channel.number - 1):
        beyond = np.cumsum(ways[0][:, ::-1], axis=1)[:, ::-1]
        beyond = np.append(beyond, np.zeros((len(law), 1)), axis=1)[:, nearest] * law
        ways.insert(0, beyond / beyond.max())
    first_at = inverse_table(np.diag(ways[0]))

    def draw(steps: Integers) -> Cells:
        first = first_at(dice.random(len(steps)))
        low, high, last = np.zeros_like(steps), np.zeros_like(steps), first
        for weights in ways[1:]:
            cut = _next_cut(weights, first, nearest[last], dice.random(len(steps)))
            inside = (last <= steps) & (steps < cut)
            np.copyto(low, last, where=inside)
            np.copyto(high, cut, where=inside)
            last = cut
        outside = (steps < first) | (steps >= last)
        return np.where(outside, last, low), np.where(outside, first, high)

    return draw


def _next_cut(weights: Floats, first: Integers, nearest: Integers, u: Floats) -> Integers:
    """Find the next cut, at the nearest tick allowed or above it, in the row of the first one."""
    cut = np.empty_like(first)
    for start in np.unique(first):
        at = np.flatnonzero(first == start)
        upto = np.concatenate([[0.0], np.cumsum(weights[start])])
        below = upto[nearest[at]]
        place = np.searchsorted(upto, below + u[at] * (upto[-1] - below), side="right") - 1
        cut[at] = np.clip(place, nearest[at], np.flatnonzero(weights[start])[-1])
    return cut


def _cuts(channel: RangeChannel, dice: np.random.Generator) -> Drawn:
    tick_at = inverse_table(channel.weights)
    upto = None if channel.floor is None else np.array(channel.floor.upto)
    least = 0 if channel.floor is None else channel.floor.least
    accepted = np.zeros(channel.line.ticks, dtype=bool)
    for first, last in channel.open:
        accepted[first:last] = True

    def draw(steps: Integers) -> Cells:
        low, high = np.zeros_like(steps), np.full_like(steps, channel.line.ticks)
        for _ in range(channel.number):
            cut = tick_at(dice.random(len(steps))) + 1
            counts = (low < cut) & (cut < high)
            if upto is not None and not channel.withhold:
                size = upto[cut]
                counts &= (size - upto[low] >= least) & (upto[high] - size >= least)
            above = cut <= steps
            np.copyto(low, cut, where=counts & above)
            np.copyto(high, cut, where=counts & ~above)
        if upto is not None and channel.withhold:
            small = upto[high] - upto[low] < least
            low[small & ~accepted[steps]] = high[small & ~accepted[steps]] = 0
        if channel.open:
            exact = accepted[steps]
            low, high = np.where(exact, steps, low), np.where(exact, steps + 1, high)
        return low, high

    return draw


def _told(channel: OpenCellChannel, dice: np.random.Generator) -> Drawn:
    """Draw cuts, and count how many are below each number."""
    tick_at = inverse_table(channel.cuts.weights)

    def draw(steps: Integers) -> Cells:
        low, high = np.zeros_like(steps), np.full_like(steps, channel.line.ticks)
        cell = np.ones_like(steps)
        for _ in range(channel.cuts.number):
            cut = tick_at(dice.random(len(steps))) + 1
            above = cut <= steps
            low = np.where(above, np.maximum(low, cut), low)
            high = np.where(above, high, np.minimum(high, cut))
            cell += above
        exact = np.isin(cell, channel.told)
        return np.where(exact, steps, low), np.where(exact, steps + 1, high)

    return draw


def inverse_table(weights: npt.ArrayLike) -> Callable[[Floats], Integers]:
    """Prepare to find the place of numbers in [0, 1) among weights laid end to end.

    Nearly all parts of the table belong to one place alone; in the others it is searched for.
    """
    upto = np.cumsum(weights, dtype=float)
    upto /= upto[-1]
    first = np.searchsorted(upto, np.arange(_PARTS + 1) / _PARTS, side="right")
    shared = first[1:] > first[:-1]

    def find(u: Floats) -> Integers:
        part = (u * _PARTS).astype(np.int64)
        place: Integers = first[part]
        search = np.flatnonzero(shared[part])
        place[search] = np.searchsorted(upto, u[search], side="right")
        return place

    return find
