"""Reported ranges placed on the ticks of their line, and refused where they cannot have been."""

from dataclasses import dataclass
from typing import final

import numpy as np

from askance.channels.range_channel import AbstractRangeChannel, RangeChannel
from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.typing import Floats, Integers

MOST_TICKS = 1_000
_OFF = 1e-6  # steps by which an end may miss its tick


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reported:
    """The distinct cells that were reported.

    Attributes
    ----------
    cells : array of int, shape (c, 2)
        Ticks ``(low, high]``.
    counts : array, shape (c,)
    """

    cells: Integers
    counts: Floats


def tick_numbers(channel: AbstractRangeChannel) -> Floats:
    """Give the numbers at the ticks of the line, shape (t + 1,).

    Raises
    ------
    InputError
        If the line has more ticks than can be estimated tick by tick.
    """
    line = channel.line
    if line.ticks > MOST_TICKS:
        raise InputError(
            "line.ticks",
            got=line.ticks,
            allowed=f"at most {MOST_TICKS}",
            remedy="publish the question with a larger step",
        )
    return np.array([float(line.at(tick)) for tick in range(line.ticks + 1)])


def of_one_piece(channel: AbstractRangeChannel) -> RangeChannel:
    """Give a channel back if every answer is reported as one piece of the line.

    Raises
    ------
    InputError
        If reports may be withheld, a ring's outside, or ranges with a part left out.
    """
    if not isinstance(channel, RangeChannel) or not channel.complete:
        raise InputError(
            "channel",
            got="ranges of several pieces, or withheld ones",
            allowed="a RangeChannel that sends every cell, with no part sent exactly",
            remedy="fit channel.ranges(…) with npmle and selection=Selection.from_channel(channel)",
        )
    return channel


def reported(channel: AbstractRangeChannel, ranges: Ranges) -> Reported:
    """Place ranges on the ticks of the line and count equal ones.

    Raises
    ------
    InputError
        If an end is not a tick, or no draw of the cuts has the range as a cell.
    """
    line = channel.line
    if not ranges.plain:
        raise InputError("Ranges", got="ranges of several pieces", allowed="ranges of one piece")
    step, origin = float(line.step), float(line.lower)
    exact = np.stack([(ranges.lower - origin) / step, (ranges.upper - origin) / step], axis=1)
    exact[np.isneginf(exact)], exact[np.isposinf(exact)] = 0, line.ticks
    ticks = np.rint(exact)
    off = (np.abs(exact - ticks) > _OFF) | (ticks < 0) | (ticks > line.ticks)
    cells = np.where(off, 0, ticks).astype(np.int64)
    wrong = off.any(axis=1) | ~channel.possible(cells)
    for at in np.flatnonzero(wrong & (ranges.weights > 0)):
        raise InputError(
            f"Ranges[{at}]",
            got=f"({ranges.lower[at]}, {ranges.upper[at]}]",
            allowed="a range that some draw of the cuts reports",
            remedy="check that the reports belong to this form",
        )
    seen = ranges.weights > 0
    distinct, where = np.unique(cells[seen], axis=0, return_inverse=True)
    counts = np.bincount(where.ravel(), ranges.weights[seen], len(distinct)).astype(float)
    return Reported(cells=distinct, counts=counts)
