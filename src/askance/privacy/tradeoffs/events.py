"""Belief and plausibility of every set of answers, for one pair of rows, in whole numbers."""

from dataclasses import dataclass
from typing import final

import numpy as np

from askance.channels import lattice
from askance.channels.channel import Channel
from askance.errors import InputError
from askance.privacy.losses.messages import messages
from askance.privacy.tradeoffs.neyman_pearson import whole

MOST_ANSWERS = 16
"""There are 2^l sets."""


@final
@dataclass(frozen=True, slots=True)
class Events:
    """What two rows say of every set A of answers, indexed by mask.

    Attributes
    ----------
    size : int
        l, how many answers there are to make sets of.
    focal : tuple of int
        The messages.
    masses : pair of tuple of int
        Their masses in each row, up to a factor.
    low : pair of list of int
        Belief of every set in each row.
    """

    size: int
    focal: tuple[int, ...]
    masses: tuple[tuple[int, ...], tuple[int, ...]]
    low: tuple[list[int], list[int]]

    @property
    def totals(self) -> tuple[int, int]:
        """What each row sums to."""
        return self.low[0][-1], self.low[1][-1]

    def high(self, row: int) -> list[int]:
        """Give the plausibility of every set: the total less the belief of what is outside."""
        return [self.totals[row] - low for low in reversed(self.low[row])]

    def cautious(self) -> list[tuple[int, int]]:
        """Give (pl_x(A), 1 − bel_x′(A)) for every set: its errors, each resolved for the worse."""
        missed = (self.totals[1] - low for low in self.low[1])
        return list(zip(self.high(0), missed, strict=True))

    def bold(self) -> list[tuple[int, int]]:
        """Give (bel_x(A), 1 − pl_x′(A)) for every set: its errors, each resolved for the better."""
        return list(zip(self.low[0], reversed(self.low[1]), strict=True))


def events(channel: Channel, first: int, second: int, most: int = MOST_ANSWERS) -> Events:
    """Go through every set of answers that messages are about.

    Raises
    ------
    InputError
        If there are more answers than ``most``.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.abstain import Abstain
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> events(q, 0, 1).low
    ([0, 6, 1, 10], [0, 1, 6, 10])
    """
    read = messages(channel)
    if read.size > most:
        raise InputError(
            "tradeoff",
            got=f"messages about {read.size} answers",
            allowed=f"at most {most} for this view, which goes through their sets",
            remedy="View.MESSAGES needs no more than the messages",
        )
    rows = whole(read.masses[first]), whole(read.masses[second])
    focal = tuple(int(mask) for mask in read.masks)
    dense = np.zeros((2, 1 << read.size), dtype=object)
    dense[:, focal] = rows
    low: list[list[int]] = lattice.subset_sums(dense).tolist()
    return Events(read.size, focal, rows, (low[0], low[1]))


def rows_of(channel: Channel, x: str, other: str) -> tuple[int, int]:
    """Find two different answers.

    Raises
    ------
    InputError
        If an answer is not in the frame, or both are the same.
    """
    if x == other:
        raise InputError("tradeoff", got=f"{x!r} twice", allowed="two different answers")
    return channel.frame.index(x), channel.frame.index(other)
