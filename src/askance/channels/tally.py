"""Reports counted: all that an estimate needs to know of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.exact.ratio import whole
from askance.typing import Integers


@final
@dataclass(frozen=True, slots=True, init=False, eq=False)
class Tally:
    """How often each report of a channel was received.

    Parameters
    ----------
    channel : Channel
    counts : mapping of str to int
        Reports left out were not received.

    Raises
    ------
    InputError
        If a report is not the channel's or a count is not a whole, non-negative number.

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[1, 0], [0, 1]])
    >>> Tally(q, {"no": 4}).counts.tolist()
    [0, 4]
    """

    channel: Channel
    counts: Integers

    @checked
    def __init__(self, channel: Channel, counts: Mapping[str, int]) -> None:
        column = np.zeros(len(channel.reports), dtype=np.int64)
        for report, count in counts.items():
            where = f"Tally.counts[{report!r}]"
            column[channel.column(report)] = whole(count, where, "a whole number in [0, ∞)", 0)
        column.setflags(write=False)
        object.__setattr__(self, "channel", channel)
        object.__setattr__(self, "counts", column)

    @property
    def total(self) -> int:
        """How many reports were received."""
        return int(self.counts.sum())
