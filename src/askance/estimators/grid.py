"""Reported ranges placed on the ticks of their line, and refused where they cannot have been."""

from dataclasses import dataclass
from typing import final

import numpy as np

from askance.channels.range_channel import RangeChannel
from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.typing import Floats, Integers

MOST_TICKS = 1_000
_OFF = 1e-6


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


def tick_numbers(channel: RangeChannel) -> Floats:
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


def reported(channel: RangeChannel, ranges: Ranges) -> Reported:
    """Place ranges on the ticks of the line and count equal ones.

    Raises
    ------
    InputError
        If an end is not a tick, or no draw of the cuts has the range as a cell.
    """
    line = channel.line
    if not ranges.plain:
        raise InputError("Ranges", got="ranges of several pieces", allowed="cells, of one piece")
    step, origin = float(line.step), float(line.lower)
    exact = np.stack([(ranges.lower - origin) / step, (ranges.upper - origin) / step], axis=1)
    exact[np.isneginf(exact)], exact[np.isposinf(exact)] = 0, line.ticks
    ticks = np.rint(exact)
    weights = np.concatenate([[0], channel.weights, [0]])
    off = (np.abs(exact - ticks) > _OFF) | (ticks < 0) | (ticks > line.ticks)
    cells = np.where(off, 0, ticks).astype(np.int64)
    inner = (cells > 0) & (cells < line.ticks)
    cut = np.where(inner, weights[cells] > 0, True).all(axis=1)
    ends = inner.sum(axis=1)
    wrong = off.any(axis=1) | ~cut | (ends < 1) | (ends > channel.number)
    for at in np.flatnonzero(wrong & (ranges.weights > 0)):
        raise InputError(
            f"Ranges[{at}]",
            got=f"({ranges.lower[at]}, {ranges.upper[at]}]",
            allowed=f"a cell of the line cut by {channel.number} of its ticks with positive weight",
            remedy="check that the reports belong to this form",
        )
    seen = ranges.weights > 0
    distinct, where = np.unique(cells[seen], axis=0, return_inverse=True)
    counts = np.bincount(where.ravel(), ranges.weights[seen], len(distinct)).astype(float)
    return Reported(cells=distinct, counts=counts)


def on_line(channel: RangeChannel, cells: Integers, counts: Floats | None = None) -> Ranges:
    """Write cells given as ticks ``(low, high]``, as reports carry them, as ranges of numbers.

    Tick 0 as the lower end and the last tick as the upper end mean that there is no limit.

    Parameters
    ----------
    channel : RangeChannel
    cells : array_like of int, shape (c, 2)
    counts : array_like of shape (c,), optional

    Raises
    ------
    InputError
        If an end is not a tick, or ``low >= high``.

    >>> from askance.exact.line import Line
    >>> ranges = on_line(RangeChannel(Line(17, 20, 1), [1, 1]), [[0, 2], [1, 3]])
    >>> ranges.lower.tolist(), ranges.upper.tolist()
    ([-inf, 18.0], [19.0, inf])
    """
    numbers = tick_numbers(channel)
    low, high = np.asarray(cells, dtype=np.int64).reshape(-1, 2).T
    if np.any((low < 0) | (high > channel.line.ticks)):
        raise InputError("cells", allowed=f"ticks in [0, {channel.line.ticks}]")
    return Ranges(
        np.where(low > 0, numbers[low], -np.inf),
        np.where(high < channel.line.ticks, numbers[high], np.inf),
        counts,
    )
