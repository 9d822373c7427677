"""How likely it is that a number is heard of at all, where only some reports are sent."""

from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.channels.confounded import confounded
from askance.channels.line_channel import AbstractRangeChannel
from askance.channels.ranges import Ranges
from askance.channels.readonly import doubles, read_only
from askance.errors import InputError
from askance.exact.ratio import chance
from askance.typing import Floats

_ROUNDING = 1e-9  # by so much may sums of chances exceed one


@final
@dataclass(frozen=True, slots=True, init=False, eq=False)
class Selection:
    """The chance s(y) that a report is sent, given the number y: a staircase.

    A mechanism that withholds narrow ranges is heard of more often from some numbers than from
    others. s is known, because the law of the cuts is published and what counts as narrow is too.
    Only the ratios of s matter, unless nulls are counted: a blank that is drawn whatever the answer
    changes nothing else.

    Parameters
    ----------
    ends : array_like, shape (k + 1,)
        Ends of the steps ``(ends[j], ends[j + 1]]``, ascending; the outer ones may be infinite.
    chance : array_like, shape (k,)
        s on each step, in [0, 1], not all zero.

    Attributes
    ----------
    confounded : tuple of (float, float)
        Pieces ``(lower, upper]`` that trade shares without any report noticing, however many there
        are. Found where the ranges that can be sent are given, by `from_ranges`.
    sent : Ranges or None
        Those ranges.

    Raises
    ------
    InputError
        If the ends do not ascend, a chance is not in [0, 1], or all are zero.

    References
    ----------
    Ding & Ding (2022), Definition 5, selective mechanisms.

    >>> Selection([0, 2, 4, 6], [0.5, 0, 0.25]).unseen
    ((2.0, 4.0),)
    """

    ends: Floats
    chance: Floats
    confounded: tuple[tuple[float, float], ...]
    sent: Ranges | None

    def __init__(self, ends: npt.ArrayLike, chance: npt.ArrayLike) -> None:
        places = read_only(doubles(ends, "Selection.ends"))
        heard = read_only(doubles(chance, "Selection.chance"))
        if places.ndim != 1 or len(places) < 2 or not np.all(places[:-1] < places[1:]):
            raise InputError("Selection.ends", allowed="at least two numbers that ascend")
        if heard.shape != (len(places) - 1,):
            raise InputError(
                "Selection.chance", got=f"shape {heard.shape}", allowed=f"{len(places) - 1} chances"
            )
        if not np.all((heard >= 0) & (heard <= 1)) or not heard.any():
            raise InputError("Selection.chance", allowed="chances in [0, 1], not all zero")
        object.__setattr__(self, "ends", places)
        object.__setattr__(self, "chance", heard)
        object.__setattr__(self, "confounded", ())
        object.__setattr__(self, "sent", None)

    @classmethod
    @checked
    def from_ranges(cls, sent: Ranges) -> "Selection":
        """Add up s from every range that can be sent.

        Parameters
        ----------
        sent : Ranges
            Each distinct range once. Its weight is the chance that it is sent by somebody whose
            number lies in it, the same wherever in it that is. Beyond all of them nobody is thought
            to be, unless `over` says so.

        Raises
        ------
        InputError
            If no range can be sent, or the chances at some number sum to more than one.

        >>> one_cut = Ranges([0, 0, 1, 2], [1, 2, 3, 3], weights=[0, 0.5, 0.5, 0])
        >>> Selection.from_ranges(one_cut).chance.tolist()  # the middle is in both wide ranges
        [0.5, 1.0, 0.5]
        """
        sent = sent[sent.weights > 0]
        if not len(sent):
            raise InputError("Selection", got="no range", allowed="at least one that can be sent")
        ends, steps = np.unique(np.stack([sent.lower, sent.upper]), return_inverse=True)
        low, high = steps.reshape(2, -1)
        weights, k = np.repeat(sent.weights, np.diff(sent.starts)), len(ends)
        held = np.cumsum(np.bincount(low, minlength=k) - np.bincount(high, minlength=k))[:-1]
        heard = np.cumsum(np.bincount(low, weights, k) - np.bincount(high, weights, k))[:-1]
        heard = np.where(held > 0, heard, 0.0)
        if heard.max() > 1 + _ROUNDING:
            raise InputError("Selection", got=float(heard.max()), allowed="chances up to 1")
        found = cls(ends, np.clip(heard, 0, 1))
        object.__setattr__(found, "confounded", confounded(sent))
        object.__setattr__(found, "sent", sent)
        return found

    @classmethod
    @checked
    def from_channel(cls, channel: AbstractRangeChannel, blank: object = 0) -> "Selection":
        """Add up s from the cells that a channel sends, in the unit of its line.

        Parameters
        ----------
        channel : RangeChannel, RingChannel or OpenCellChannel
        blank : probability
            The chance that nothing is sent whatever the answer: 1 − ρ of a (τ, ρ)-selective
            mechanism. It matters only if nulls are counted.

        Raises
        ------
        InputError
            If the blank is not a probability below 1.

        >>> from askance.channels.range_channel import RangeChannel
        >>> from askance.exact.floor import Floor
        >>> from askance.exact.line import Line
        >>> wide = Floor([1] * 4, 2)
        >>> told = RangeChannel(Line(0, 4, 1), [1, 1, 1], 1, floor=wide, withhold=True)
        >>> Selection.from_channel(told).chance.round(6).tolist()
        [0.666667, 1.0, 1.0, 0.666667]
        """
        ends, chances = channel.cells()
        spoken = 1 - chance(blank, "Selection.blank")
        if not spoken:
            raise InputError("Selection.blank", got=blank, allowed="a probability below 1")
        found = cls.from_ranges(channel.ranges(ends, chances * float(spoken)))
        return found.over(-np.inf, np.inf)

    @checked
    def over(self, first: float, last: float) -> "Selection":
        """Give s from one end to another: 0 beyond what can be sent, cut where it ends sooner.

        >>> Selection([1, 2], [0.5]).over(0, 9).chance.tolist()
        [0.0, 0.5, 0.0]
        """
        ends = np.unique(np.clip(np.concatenate([[first], self.ends, [last]]), first, last))
        at = np.searchsorted(self.ends, ends[1:]) - 1
        inside = (ends[:-1] >= self.ends[0]) & (ends[1:] <= self.ends[-1])
        heard = np.where(inside, self.chance[np.clip(at, 0, len(self.chance) - 1)], 0.0)
        found = Selection(ends, heard)
        object.__setattr__(found, "confounded", self.confounded)
        object.__setattr__(found, "sent", self.sent)
        return found

    @property
    def unseen(self) -> tuple[tuple[float, float], ...]:
        """The parts of the line that nobody is ever heard of from."""
        hidden = np.concatenate([[False], self.chance == 0, [False]])
        change = np.flatnonzero(hidden[1:] != hidden[:-1])
        pairs = self.ends[change].reshape(-1, 2).tolist()
        return tuple((low, high) for low, high in pairs)
