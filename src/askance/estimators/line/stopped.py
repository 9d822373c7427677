"""The law of ranges that people narrow step by step and stop where they like."""

import numpy as np

from askance.channels.range_channel import (
    AbstractRangeChannel,
    RangeChannel,
    narrowed_chances,
    within,
)
from askance.errors import InputError
from askance.typing import Floats, Integers

_ROUNDS = 200  # of EM, on no more shares than there are cuts


def stopped_law(
    channel: AbstractRangeChannel, ends: Integers, counts: Floats
) -> tuple[Integers, Floats]:
    """Give the chance of each range, if people take as many steps as these are likeliest to have.

    After j candidates a range has a chance that is the same from every answer in it. So what share
    of people stopped after each j follows from how narrow the ranges are, without their
    distribution: the most likely mixture, climbed to by EM.

    Parameters
    ----------
    channel : RangeChannel
        Of people who never stop; nothing is withheld.
    ends : array of int, shape (c, 2)
        The ranges that were sent, the whole line left out.
    counts : array, shape (c,)

    Returns
    -------
    ends : array of int, shape (d, 2)
    chances : array, shape (d,)
        Of those who took a step at all.

    Raises
    ------
    InputError
        If the channel is not one of cuts that come in turn.

    >>> from askance.exact.line import Line
    >>> two = RangeChannel(Line(0, 3, 1), [1, 1], 2)
    >>> one_step = np.array([[0, 1], [1, 3], [0, 2], [2, 3]]), np.full(4, 25.0)
    >>> ends, chances = stopped_law(two, *one_step)
    >>> {tuple(end): round(at, 1) for end, at in zip(ends.tolist(), chances.tolist())}
    {(0, 1): 0.5, (0, 2): 0.5, (1, 2): 0.0, (1, 3): 0.5, (2, 3): 0.5}
    """
    if not isinstance(channel, RangeChannel) or channel.withhold:
        raise InputError("stopped_law.channel", allowed="cuts that come in turn, none withheld")
    whole, cells = (0, channel.line.ticks), channel.cells()[0]
    cells = cells[~np.all(cells == whole, axis=1)]
    laws = [
        chance / (1 - chance[whole])
        for steps in range(1, channel.number + 1)
        for chance in [narrowed_chances(channel.weights, steps, channel.floor)]
    ]
    ranged = ~within(channel.open, ends)
    sent = np.array([law[tuple(ends[ranged].T)] for law in laws])
    weights = np.full(len(laws), 1 / len(laws))
    seen = counts[ranged] / max(counts[ranged].sum(), 1)
    for _ in range(_ROUNDS):
        mixed = weights @ sent
        weights = weights * (sent @ (seen / mixed)) if seen.any() else weights
    chances = sum(w * law[tuple(cells.T)] for w, law in zip(weights, laws, strict=True))
    return cells, np.where(within(channel.open, cells), 1.0, chances)
