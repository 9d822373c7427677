"""How wide the ranges of any law are, on average and at least, added up over all of them."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.channels.line_channel import AbstractRangeChannel
from askance.errors import InputError
from askance.exact.floor import Floor
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
    it may tell them apart (`silence`). An answer that is sent exactly leaves its step possible, and
    counts with the share of that: what is reported decides, not why. With ever finer steps it
    counts as 0, as in the paper, where the acceptable range is left out.

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


@checked
def least_coverage(channel: AbstractRangeChannel, sizes: Sequence[int] | None = None) -> Guarantee:
    """Give the least share of people whose answers a report leaves possible: the floor.

    An answer in the acceptable range leaves its step. A report that is withheld leaves all.

    Parameters
    ----------
    channel : AbstractRangeChannel
    sizes : sequence of int, shape (ticks,), optional
        How many people are thought to be in each step; equally many if left out.

    Raises
    ------
    InputError
        If there is not one whole, non-negative size for each step, not all zero.

    References
    ----------
    Ding & Ding (2022), the size of a range in selective and progressive mechanisms.

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance.exact.floor import Floor
    >>> from askance.exact.line import Line
    >>> least_coverage(RangeChannel(Line(0, 9, 1), [1] * 8, 3, floor=Floor([1] * 9, 3))).value
    Fraction(1, 3)
    """
    counted = Floor([1] * channel.line.ticks if sizes is None else sizes, 1)
    if len(counted.sizes) != channel.line.ticks:
        raise InputError(
            "least_coverage.sizes",
            got=f"{len(counted.sizes)} sizes",
            allowed=f"{channel.line.ticks} sizes",
        )
    ends, _ = channel.cells()
    held = channel.inside(ends, counted.sizes)
    at = int(held.argmin())
    pieces = (map(channel.line.at, piece) for piece in channel.pieces(*ends[at].tolist()))
    told = " or ".join(f"({low}, {high}]" for low, high in pieces)
    return Guarantee(Notion.FLOOR, Fraction(int(held[at]), counted.total), f"by {told}")
