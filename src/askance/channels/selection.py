"""How likely it is that a number is heard of at all, where only some reports are sent."""

from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from askance.channels.confounded import confounded
from askance.channels.line_channel import AbstractRangeChannel
from askance.channels.ranges import Ranges
from askance.channels.readonly import read_only
from askance.errors import InputError
from askance.typing import Floats

_ROUNDING = 1e-9  # by so much may sums of chances exceed one


@final
@dataclass(frozen=True, slots=True, init=False, eq=False)
class Selection:
    """The chance s(y) that a report is sent, given the number y: a staircase.

    A mechanism that withholds narrow ranges is heard of more often from some numbers than from
    others. s is known, because the law of the cuts is published and what counts as narrow is too.
    Only the ratios of s matter: a blank that is drawn whatever the answer changes nothing.

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

    def __init__(self, ends: npt.ArrayLike, chance: npt.ArrayLike) -> None:
        places, heard = read_only(ends), read_only(chance)
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

    @classmethod
    def from_ranges(cls, sent: Ranges) -> "Selection":
        """Add up s from every range that can be sent.

        Parameters
        ----------
        sent : Ranges
            Each distinct range once. Its weight is the chance that it is sent by somebody whose
            number lies in it, the same wherever in it that is.

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
        chance = np.cumsum(np.bincount(low, weights, k) - np.bincount(high, weights, k))[:-1]
        chance = np.where(held > 0, chance, 0.0)
        if chance.max() > 1 + _ROUNDING:
            raise InputError("Selection", got=float(chance.max()), allowed="chances up to 1")
        found = cls(ends, np.clip(chance, 0, 1))
        object.__setattr__(found, "confounded", confounded(sent))
        return found

    @classmethod
    def from_channel(cls, channel: AbstractRangeChannel) -> "Selection":
        """Add up s from the cells that a channel sends, in the unit of its line.

        >>> from askance.channels.range_channel import RangeChannel
        >>> from askance.exact.floor import Floor
        >>> from askance.exact.line import Line
        >>> wide = Floor([1] * 4, 2)
        >>> told = RangeChannel(Line(0, 4, 1), [1, 1, 1], 1, floor=wide, withhold=True)
        >>> Selection.from_channel(told).chance.round(6).tolist()
        [0.666667, 1.0, 1.0, 0.666667]
        """
        ends, chance = channel.cells()
        return cls.from_ranges(channel.ranges(ends, chance))

    @property
    def unseen(self) -> tuple[tuple[float, float], ...]:
        """The parts of the line that nobody is ever heard of from."""
        hidden = np.concatenate([[False], self.chance == 0, [False]])
        change = np.flatnonzero(hidden[1:] != hidden[:-1])
        pairs = self.ends[change].reshape(-1, 2).tolist()
        return tuple((low, high) for low, high in pairs)
