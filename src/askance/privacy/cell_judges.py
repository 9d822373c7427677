"""Coverage and flatness of any law of ranges, added up over the ranges that can be reported."""

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from askance.channels.line_channel import AbstractRangeChannel
from askance.errors import InputError
from askance.privacy.guarantee import Guarantee, Notion
from askance.typing import Integers

_ROUND_OFF = 1e-9
_ENUMERABLE = 10_000


def cell_coverage(
    channel: AbstractRangeChannel, distribution: npt.ArrayLike | None = None
) -> Guarantee:
    """Give the chance that an unrelated person's number lies in the range that one person reports.

    Σ_S g_S P(S)², over the ranges S that can be reported, each with the chance g_S that whoever is
    in it reports it. A report that is withheld leaves every number possible and counts as 1, though
    it may tell them apart (`cell_flatness`).

    Parameters
    ----------
    channel : AbstractRangeChannel
    distribution : sequence of float, shape (ticks,), optional
        Chance that an answer falls in each step; an even spread if left out.

    References
    ----------
    Ding & Ding (2022), Definition 2 and Theorem 3.

    >>> from askance.channels.ring_channel import RingChannel
    >>> from askance.exact.floor import Floor
    >>> from askance.exact.line import Line
    >>> cell_coverage(RingChannel(Line(0, 4, 1), [1, 1, 1], Floor([1] * 4, 2))).printed()
    '0.5000'
    """
    n, attained = channel.line.ticks, "on average over answers and cuts"
    ends, chances = channel.cells()
    if distribution is None and n * len(ends) <= _ENUMERABLE:
        return Guarantee(Notion.COVERAGE, _even(channel, ends), attained)
    p = np.full(n, 1 / n) if distribution is None else np.asarray(distribution, dtype=float)
    if p.shape != (n,) or not (p >= 0).all() or not abs(p.sum() - 1) < _ROUND_OFF:
        raise InputError("coverage.distribution", allowed=f"{n} chances that sum to one")
    silent = float(p @ (1 - channel.heard()))
    value = float(chances @ channel.inside(ends, p) ** 2) + silent
    return Guarantee(Notion.COVERAGE, value * (1 - _ROUND_OFF), attained)


def _even(channel: AbstractRangeChannel, ends: Integers) -> Fraction:
    n = channel.line.ticks
    steps = channel.inside(ends, np.ones(n))
    squares = sum(
        channel.cell_chance(low, high) * int(width) ** 2
        for (low, high), width in zip(ends.tolist(), steps, strict=True)
    )
    silent = sum(channel.null_chance(step) for step in range(n))
    return Fraction(squares, n * n) + Fraction(silent, n)


def cell_flatness(channel: AbstractRangeChannel, blank: Fraction = Fraction(0)) -> Guarantee:
    """Give the worst ratio of a report's chances between two numbers that it leaves possible.

    A range that is sent has the same chance from every number in it. One that is withheld is sent
    as nothing, and so is a share of all reports, ``blank``: from the numbers whose ranges are
    narrow nothing is sent more often.

    References
    ----------
    Ding & Ding (2022), Definition 1 and selective mechanisms; the bound there is 1 / blank.

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance.exact.floor import Floor
    >>> from askance.exact.line import Line
    >>> held = RangeChannel(Line(0, 4, 1), [1, 1, 1], floor=Floor([1] * 4, 2), withhold=True)
    >>> cell_flatness(held, Fraction(1, 2)).value  # 1/2 + 1/2 · 1/3, against 1/2
    Fraction(4, 3)
    """
    silent = [blank + (1 - blank) * channel.null_chance(step) for step in range(channel.line.ticks)]
    if max(silent) == min(silent):
        return Guarantee(Notion.FLATNESS, Fraction(1), "everywhere: cuts precede the answer")
    worst = Fraction(max(silent), min(silent)) if min(silent) else math.inf
    return Guarantee(Notion.FLATNESS, worst, "where nothing is sent")
