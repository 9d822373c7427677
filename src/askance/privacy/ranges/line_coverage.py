"""Coverage on a line of steps: exact where the answers spread evenly."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np

from askance.channels.continuous import continuous_law
from askance.channels.line_channel import AbstractRangeChannel
from askance.channels.range_channel import RangeChannel
from askance.channels.readonly import doubles
from askance.errors import InputError
from askance.exact.line import Line
from askance.privacy.guarantee import AS_GIVEN, EVENLY, Guarantee, Notion
from askance.privacy.ranges.left_possible import left_possible
from askance.typing import Floats, Integers

_MOST_PAIRS = 1_000_000  # of steps, for each channel: more are not gone through exactly
_MOST_STEPS = 10_000  # in all cells
_ROUND_OFF, _CELLS_ROUND_OFF = 1e-12, 1e-9
_ATTAINED = "on average over answers and cuts"


def line_coverage(channels: Sequence[AbstractRangeChannel], distribution: Any = None) -> Guarantee:
    """Give the coverage of the range that independent reports about one number leave together.

    >>> line_coverage([RangeChannel(Line(0, 2, 1), [1])] * 2).value
    Fraction(1, 2)
    """
    line = channels[0].line
    for one in channels:
        if one.line != line:
            raise InputError(
                "coverage.channel", got=f"{one.line} and {line}", allowed="channels on one line"
            )
    n = line.ticks
    plain = [one for one in channels if isinstance(one, RangeChannel) and one.plain]
    if len(plain) == len(channels) and distribution is None and n * n * len(plain) <= _MOST_PAIRS:
        return Guarantee(Notion.COVERAGE, _even(plain), _ATTAINED, spread=EVENLY)
    if len(channels) == 1 and not plain:
        return cell_coverage(channels[0], distribution)
    p = step_chances(line, distribution)
    laws = [np.cumsum([0, *one.weights]) / one.total for one in plain]
    numbers = [one.number for one in plain]
    others = [left_possible(one) for one in channels if one not in plain]
    mean = 0.0
    for at in np.flatnonzero(p):
        left = [matrix[at] for matrix in others]
        left += [(1 - np.abs(g - g[at])) ** m for g, m in zip(laws, numbers, strict=True)]
        mean += p[at] * float(p @ np.prod(left, axis=0))
    spread = EVENLY if distribution is None else AS_GIVEN
    return Guarantee(Notion.COVERAGE, mean * (1 - _ROUND_OFF), _ATTAINED, spread=spread)


def cell_coverage(channel: AbstractRangeChannel, distribution: Any = None) -> Guarantee:
    """Give the coverage of any law of ranges, added up over all of them.

    Σ_S g_S P(S)², over the ranges S that can be reported, each with the chance g_S that whoever is
    in it reports it. A report that is withheld leaves every number possible and counts as 1, though
    it may tell them apart (`silence`). An answer that is sent exactly leaves its step possible, and
    counts with the share of that: what is reported decides, not why. With ever finer steps it
    counts as 0, as in the paper, where the acceptable range is left out.

    References
    ----------
    Ding & Ding (2022), Definition 1, and the proof of Theorem 3 for the acceptable range.

    >>> from askance.channels.ring_channel import RingChannel
    >>> from askance.exact.floor import Floor
    >>> from askance.exact.line import Line
    >>> cell_coverage(RingChannel(Line(0, 4, 1), [1, 1, 1], Floor([1] * 4, 2))).printed()
    '0.5000'
    """
    ends, chances = channel.cells()
    if distribution is None and channel.line.ticks * len(ends) <= _MOST_STEPS:
        return Guarantee(Notion.COVERAGE, _even_cells(channel, ends), _ATTAINED, spread=EVENLY)
    p = step_chances(channel.line, distribution)
    silent = float(p @ (1 - channel.heard()))
    value = float(chances @ channel.inside(ends, p) ** 2) + silent
    spread = EVENLY if distribution is None else AS_GIVEN
    return Guarantee(Notion.COVERAGE, value * (1 - _CELLS_ROUND_OFF), _ATTAINED, spread=spread)


def step_chances(
    line: Line, distribution: Any = None, where: str = "coverage.distribution"
) -> Floats:
    """Give the chance of each step of a line, shape (ticks,); the outer steps are open-ended.

    Raises
    ------
    InputError
        If chances have another length, are negative or missing, or do not sum to 1.

    >>> from scipy import stats
    >>> step_chances(Line(0, 4, 1), stats.uniform(-1, 4)).tolist()
    [0.5, 0.25, 0.25, 0.0]
    """
    n = line.ticks
    if hasattr(distribution, "cdf") or callable(distribution):
        law = continuous_law(distribution, where)
        ticks = float(line.lower) + np.arange(1, n) * float(line.step)
        return np.diff(np.concatenate([[0.0], np.asarray(law.cdf(ticks)), [1.0]]))
    p = np.full(n, 1 / n) if distribution is None else doubles(distribution, where)
    if p.shape != (n,) or not (p >= 0).all() or not abs(p.sum() - 1) < 1e-9:
        raise InputError(
            where,
            got=f"{p.size} chances that sum to {p.sum():.12g}",
            allowed=f"{n} chances in [0, 1] that sum to one",
        )
    return p


def _even(channels: Sequence[RangeChannel]) -> Fraction:
    """Go through all pairs of steps, for cuts into every cell."""
    n = channels[0].line.ticks
    laws = [(list(accumulate(one.weights, initial=0)), one.number) for one in channels]
    units = 2 * sum(
        prod((g[-1] - g[b] + g[a]) ** number for g, number in laws)
        for b in range(n)
        for a in range(b)
    )
    whole = prod(g[-1] ** number for g, number in laws)
    return Fraction(units + n * whole, n * n * whole)


def _even_cells(channel: AbstractRangeChannel, ends: Integers) -> Fraction:
    n = channel.line.ticks
    steps = channel.inside(ends, np.ones(n))
    squares = sum(
        channel.cell_chance(low, high) * int(width) ** 2
        for (low, high), width in zip(ends.tolist(), steps, strict=True)
    )
    silent = sum(channel.null_chance(step) for step in range(n))
    return Fraction(squares, n * n) + Fraction(silent, n)
