"""Which steps of a line a report leaves possible."""

from itertools import product

import numpy as np

from askance.channels.line_channel import AbstractRangeChannel
from askance.errors import InputError
from askance.typing import Floats

_MOST_TICKS = 2_000  # the matrix is then 32 MB


def left_possible(channel: AbstractRangeChannel) -> Floats:
    """Give the chance that the report of an answer in one step leaves another step possible.

    Where nothing is sent, every step remains possible.

    Returns
    -------
    array, shape (ticks, ticks)
        Row: the step of the answer.

    Raises
    ------
    InputError
        If the line has more than 2,000 ticks.

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance.exact.line import Line
    >>> left_possible(RangeChannel(Line(0, 3, 1), [1, 1])).tolist()
    [[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]]
    """
    n = channel.line.ticks
    if n > _MOST_TICKS:
        raise InputError("coverage.channel", got=f"{n} ticks", allowed=f"at most {_MOST_TICKS}")
    corners = np.zeros((n + 1, n + 1))
    ends, chances = channel.cells()
    for (low, high), chance in zip(ends.tolist(), chances.tolist(), strict=True):
        for (a, b), (c, d) in product(channel.pieces(low, high), repeat=2):
            corners[[a, b, a, b], [c, d, d, c]] += [chance, chance, -chance, -chance]
    sent = corners.cumsum(axis=0).cumsum(axis=1)[:n, :n]
    found: Floats = np.clip(sent + (1 - channel.heard())[:, None], 0, 1)
    return found
