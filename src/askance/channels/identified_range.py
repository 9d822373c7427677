"""On which part of a line a distribution can be learnt, however many people are asked."""

from dataclasses import dataclass
from itertools import pairwise
from math import inf, nextafter
from typing import final

from askance.arguments import checked
from askance.channels.confounded import confounded
from askance.channels.line_channel import AbstractRangeChannel
from askance.channels.listing import Listing, listed, number
from askance.channels.range_channel import RangeChannel
from askance.channels.readonly import json_of
from askance.channels.single_numbers import as_given
from askance.errors import InputError
from askance.typing import Json


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RangeIdentification:
    """Where a law of cuts resolves a distribution.

    Attributes
    ----------
    cuts : tuple of float
        The points at which the share of numbers up to there can be learnt; ascending.
    pieces : tuple of (float, float)
        The ``(lower, upper]`` between them: how much lies in each can be learnt, where inside it
        cannot.
    step : float
        How finely the line itself is divided.
    confounded : tuple of (float, float)
        Pieces of which only sums can be learnt, because the ranges that are sent never tell them
        apart; then F is learnt only up to what they trade.

    >>> RangeIdentification(cuts=(1.0,), pieces=((0.0, 1.0), (1.0, 3.0)), step=1.0).unlearnt
    ((1.0, 3.0),)
    """

    cuts: tuple[float, ...]
    pieces: tuple[tuple[float, float], ...]
    step: float
    confounded: tuple[tuple[float, float], ...] = ()

    @property
    def unlearnt(self) -> tuple[tuple[float, float], ...]:
        """The pieces wider than one step: the part of the line that stays open."""
        return tuple(one for one in self.pieces if one[1] - one[0] > self.step * (1 + 1e-9))

    @property
    def complete(self) -> bool:
        """Whether every step of the line is told from its neighbours."""
        return not self.unlearnt and not self.confounded

    def to_dict(self) -> Json:
        """Write the diagnosis for JSON."""
        return json_of(self, "cuts pieces step unlearnt confounded complete")

    def _table(self) -> Listing:
        rows = [[told(one), number(one[1] - one[0])] for one in self.unlearnt]
        notes = [f"learnt at {len(self.cuts)} points, in steps of {number(self.step)}"]
        if self.cuts:
            notes[0] += f" from {number(self.cuts[0])} to {number(self.cuts[-1])}"
        if self.confounded:
            notes.append("only sums are learnt of " + ", ".join(map(told, self.confounded)))
        return "what stays open", ["inside", "width"], rows, notes


def told(piece: tuple[float, float]) -> str:
    """Write a piece for reading, or the exact number that it holds.

    >>> told((0.0, 2.5)), told((nextafter(2.5, 0), 2.5))
    ('(0, 2.5]', '2.5')
    """
    low, high = piece
    if nextafter(low, inf) == high:
        return number(high)
    opens, first, last, closes = as_given(low, high)
    return f"{opens}{number(first)}, {number(last)}{closes}"


@checked
def identified_range(
    channel: AbstractRangeChannel, support: tuple[float, float] | None = None
) -> RangeIdentification:
    """Say on which part of the line the distribution can be learnt.

    The share of numbers up to t is learnt exactly if a cut can fall on t: then ranges that end
    there are reported, and their frequencies give F(t). Between neighbouring possible cuts, two
    distributions with the same mass are equally likely to be reported, whatever the number of cuts.
    Where ranges are withheld, or are rings, the pieces between cuts may still be confounded.

    Parameters
    ----------
    channel : AbstractRangeChannel
    support : (float, float), optional
        Where the numbers are known to be; the whole line if left out.

    Raises
    ------
    InputError
        If the support is empty or reaches beyond the line.

    References
    ----------
    Ding & Ding (2022), Theorem 7, for cuts on a grid.

    >>> from askance.exact.line import Line
    >>> identified_range(RangeChannel(Line(0, 6, 1), [0, 1, 1, 0, 0]))
    what stays open
    inside  width
    (0, 2]      2
    (3, 6]      3
    learnt at 2 points, in steps of 1 from 2 to 3
    """
    line = channel.line
    first, last = float(line.at(0)), float(line.at(line.ticks))
    low, high = (first, last) if support is None else support
    if not first <= low < high <= last:
        raise InputError(
            "identified_range.support", got=support, allowed=f"(low, high) inside [{first}, {last}]"
        )
    places = (float(line.at(int(tick))) for tick in channel.cut_ticks())
    cuts = tuple(place for place in places if low < place < high)
    ends = (float(low), *cuts, float(high))
    return RangeIdentification(
        cuts=cuts,
        pieces=tuple(pairwise(ends)),
        step=float(line.step),
        confounded=_confounded(channel, low, high),
    )


def _confounded(
    channel: AbstractRangeChannel, low: float, high: float
) -> tuple[tuple[float, float], ...]:
    """Find what reports trade; where every cell is sent, they trade nothing."""
    if isinstance(channel, RangeChannel) and channel.complete:
        return ()
    found = confounded(channel.ranges(channel.cells()[0]))
    inside = ((max(start, low), min(end, high)) for start, end in found)
    return tuple((start, end) for start, end in inside if start < end)
