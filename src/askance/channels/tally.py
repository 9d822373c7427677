"""Reports of a channel counted: the sufficient statistic of its shares."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.errors import InputError
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

    >>> from askance.channels import Channel, Frame, Tally
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[1, 0], [0, 1]])
    >>> Tally(q, {"no": 4}).counts.tolist()
    [0, 4]
    >>> (Tally(q, {"no": 4}) + Tally(q, {"yes": 1})).counts.tolist()
    [1, 4]
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

    def __add__(self, other: "Tally") -> "Tally":
        """Put reports of one channel together that were counted in two places."""
        if not isinstance(other, Tally):
            return NotImplemented
        if other.channel != self.channel:
            raise InputError(
                "Tally.__add__",
                got="tallies of two channels",
                allowed="tallies of one channel",
                remedy="estimate from each by itself",
            )
        counts = (self.counts + other.counts).tolist()
        return Tally(self.channel, dict(zip(self.channel.reports, counts, strict=True)))

    @property
    def total(self) -> int:
        """How many reports were received."""
        return int(self.counts.sum())
