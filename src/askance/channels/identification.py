"""Identification from ranges: inclusion probabilities, and what no sample size identifies."""

from dataclasses import dataclass
from math import inf, nextafter
from typing import Protocol, final, runtime_checkable

import numpy as np
import numpy.typing as npt

from askance.channels.ranges import Ranges, as_given, refuse_truncation
from askance.results import doubles, number, read_only
from askance.typing import Floats, Integers
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.ratio import chance

_NOTHING = 1e-10  # of a squared length: what rounding leaves of a direction that changes nothing


@checked
def non_identified(
    ranges: Ranges, support: tuple[float, float] | None = None
) -> tuple[tuple[float, float], ...]:
    """Confounded pieces of a line: no range distinguishes a trade of shares between them.

    Frequencies give the chance of every range, up to one factor: how many are heard of. Written in
    the levels F(t) at the ends t of the ranges, a chance is a sum of differences. A piece between
    two neighbouring ends is confounded if the levels can move so that its difference changes and
    no chance does. If the highest level can move, so can the factor, and every piece is confounded.

    Parameters
    ----------
    ranges : Ranges
        Every distinct range that can be reported; weights are not used. What none of them holds is
        left out: the shares are those of people who can be heard of.
    support : (float, float), optional
        Where all numbers lie, if it is known too how many were asked. Then chances are known
        themselves, not up to a factor, and the shares are those of all.

    Returns
    -------
    tuple of (float, float)
        Pieces ``(lower, upper]``, ascending.

    Raises
    ------
    InputError
        If there is no range, or the whole is none.

    References
    ----------
    Ding & Ding (2022), Theorem 7, for cells of cuts, where nothing is confounded.

    >>> from askance.channels import Ranges, non_identified
    >>> non_identified(Ranges([0, 1, 0, 2, 0], [1, 3, 2, 3, 3]))
    ()
    >>> non_identified(Ranges([0, 1], [2, 3]))  # the ends can both gain what the middle loses
    ((0.0, 1.0), (1.0, 2.0), (2.0, 3.0))
    >>> ring = Ranges.unions([[(1, 2)], [(0, 1), (2, 4)], [(2, 3)], [(0, 2), (3, 4)]])
    >>> non_identified(ring)  # the two tails are always reported together
    ((0.0, 1.0), (3.0, 4.0))
    >>> non_identified(Ranges([0, 1], [2, 3]), (0, 3))  # of 10 asked 3 were below 2, 6 above 1
    ()
    """
    refuse_truncation(ranges, "non_identified", "npmle says what truncation leaves open")
    if not len(ranges):
        raise InputError("non_identified.ranges", got="no range", allowed="at least one")
    if support is not None:
        if not support[0] < support[1]:
            raise InputError("non_identified.support", got=support, allowed="ends, the lower first")
        return _non_identified_between(ranges, *support)
    ends = np.unique(np.concatenate([ranges.lower, ranges.upper]))
    low, high = np.searchsorted(ends, ranges.lower), np.searchsorted(ends, ranges.upper)
    k = len(ends)
    covered = np.cumsum(np.bincount(low, minlength=k) - np.bincount(high, minlength=k))[:-1] > 0
    unseen = np.flatnonzero(~covered)
    starts = np.append(ranges.starts, ranges.starts[-1] + 1 + np.arange(len(unseen)))
    free = directions(np.append(low, unseen), np.append(high, unseen + 1), starts, k)
    moves = np.abs(np.diff(free, axis=0)).max(axis=1, initial=0.0)
    if np.abs(free[-1]).max(initial=0.0) > np.sqrt(_NOTHING):
        moves = np.ones(len(covered))
    open_pieces = np.flatnonzero(covered & (moves > np.sqrt(_NOTHING)))
    return tuple(zip(ends[open_pieces].tolist(), ends[open_pieces + 1].tolist(), strict=True))


def _non_identified_between(
    ranges: Ranges, first: float, last: float
) -> tuple[tuple[float, float], ...]:
    """Look at levels from 0 to 1, both known."""
    lower, upper = np.clip(ranges.lower, first, last), np.clip(ranges.upper, first, last)
    ends = np.unique(np.concatenate([lower, upper, [first, last]]))
    low, high = np.searchsorted(ends, lower), np.searchsorted(ends, upper)
    k = len(ends)
    starts = np.append(ranges.starts, ranges.starts[-1] + 1)
    free = directions(np.append(low, 0), np.append(high, k - 1), starts, k)
    moves = np.abs(np.diff(free, axis=0)).max(axis=1, initial=0.0)
    open_pieces = np.flatnonzero(moves > np.sqrt(_NOTHING))
    return tuple(zip(ends[open_pieces].tolist(), ends[open_pieces + 1].tolist(), strict=True))


def directions(low: Integers, high: Integers, starts: Integers, k: int) -> Floats:
    """Find how k levels, but the lowest, can move without changing the chance of any range.

    Two levels that a range of one piece joins move together. What is left is linear algebra on a
    level for each such part.

    Parameters
    ----------
    low, high : array of int
        The levels at the ends of each piece.
    starts : array of int, shape (r + 1,)
        The first piece of each of r ranges, and how many pieces there are.
    k : int

    Returns
    -------
    array, shape (k, d)
        A basis of all moves, in columns.

    >>> pieces = np.array([0, 1]), np.array([2, 3]), np.array([0, 1, 2])  # (0, 2] and (1, 3]
    >>> np.abs(directions(*pieces, 4)).round(6).ravel().tolist()  # the second and fourth together
    [0.0, 1.0, 0.0, 1.0]
    """
    from scipy.linalg import eigh
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    pieces = np.diff(starts)
    alone = np.repeat(pieces == 1, pieces)
    edges = (low[alone], high[alone])
    if np.bincount(edges[1], minlength=k)[1:].all():  # each level hangs on a lower one
        return np.zeros((k, 0))
    graph = csr_array((np.ones(len(edges[0])), edges), shape=(k, k))
    parts, part = connected_components(graph, directed=False)
    if parts == 1:
        return np.zeros((k, 0))
    row = np.tile(np.repeat(np.arange(len(pieces)), pieces)[~alone], 2)
    column = np.concatenate([part[high[~alone]], part[low[~alone]]])
    sign = np.repeat([1.0, -1.0], len(row) // 2)
    incidence = csr_array((sign, (row, column)), shape=(len(pieces), parts))
    ground = np.eye(parts)[part[:1]]  # the lowest level stays where it is
    values, vectors = eigh((incidence.T @ incidence).toarray() + len(pieces) * ground.T @ ground)
    free: Floats = vectors[:, values < _NOTHING * len(pieces)][part]
    return free


_ROUNDING = 1e-9  # by so much may sums of chances exceed one


@runtime_checkable
class SendsRanges(Protocol):
    """A channel of ranges: the law of random cuts, of rings, or of cells that are sent exactly."""

    def cells(self) -> tuple[Integers, Floats]:
        """List the ranges that can be reported, and each one's chance."""
        ...

    def ranges(self, ends: npt.ArrayLike, counts: npt.ArrayLike | None = None) -> Ranges:
        """Write such ranges in the unit of its line, with counts as weights."""
        ...


@final
@dataclass(frozen=True, slots=True, init=False, eq=False)
class InclusionProbability:
    """Inclusion probability s(y): the chance that a report is sent, given the number y.

    It is a staircase. A mechanism that withholds narrow ranges is heard of more often from some
    numbers than from others. s is known, because the law of the cuts is published and what counts
    as narrow is too. Only the ratios of s matter, unless nulls are counted: a blank that is drawn
    whatever the answer changes nothing else.

    Parameters
    ----------
    ends : array_like, shape (k + 1,)
        Ends of the steps ``(ends[j], ends[j + 1]]``, ascending; the outer ones may be infinite.
    chance : array_like, shape (k,)
        s on each step, in [0, 1], not all zero.

    Attributes
    ----------
    non_identified : tuple of (float, float)
        Pieces ``(lower, upper]`` that trade shares without any report noticing, however many there
        are. Found where the ranges that can be sent are given, by `from_ranges`.
    ranges : Ranges or None
        Those ranges.

    Raises
    ------
    InputError
        If the ends do not ascend, a chance is not in [0, 1], or all are zero.

    References
    ----------
    Ding & Ding (2022), Definition 5, selective mechanisms.

    >>> InclusionProbability([0, 2, 4, 6], [0.5, 0, 0.25]).zero_pieces
    ((2.0, 4.0),)
    """

    ends: Floats
    chance: Floats
    non_identified: tuple[tuple[float, float], ...]
    ranges: Ranges | None

    def __init__(self, ends: npt.ArrayLike, chance: npt.ArrayLike) -> None:
        places = read_only(doubles(ends, "InclusionProbability.ends"))
        chances = read_only(doubles(chance, "InclusionProbability.chance"))
        if places.ndim != 1 or len(places) < 2 or not np.all(places[:-1] < places[1:]):
            raise InputError(
                "InclusionProbability.ends", allowed="at least two numbers that ascend"
            )
        if chances.shape != (len(places) - 1,):
            raise InputError(
                "InclusionProbability.chance",
                got=f"shape {chances.shape}",
                allowed=f"{len(places) - 1} chances",
            )
        if not np.all((chances >= 0) & (chances <= 1)) or not chances.any():
            raise InputError(
                "InclusionProbability.chance", allowed="chances in [0, 1], not all zero"
            )
        object.__setattr__(self, "ends", places)
        object.__setattr__(self, "chance", chances)
        object.__setattr__(self, "non_identified", ())
        object.__setattr__(self, "ranges", None)

    @classmethod
    @checked
    def from_ranges(cls, ranges: Ranges) -> "InclusionProbability":
        """Add up s from every range that can be sent.

        Parameters
        ----------
        ranges : Ranges
            Each distinct range once. Its weight is the chance that it is sent by somebody whose
            number lies in it, the same wherever in it that is. Beyond all of them nobody is thought
            to be, unless `over` says so.

        Raises
        ------
        InputError
            If no range can be sent, or the chances at some number sum to more than one.

        >>> one_cut = Ranges([0, 0, 1, 2], [1, 2, 3, 3], counts=[0, 0.5, 0.5, 0])
        >>> probability = InclusionProbability.from_ranges(one_cut)
        >>> probability.chance.tolist()  # the middle is in both wide ranges
        [0.5, 1.0, 0.5]
        """
        refuse_truncation(ranges, "InclusionProbability", "truncation is said of what was observed")
        ranges = ranges[ranges.weights > 0]
        if not len(ranges):
            raise InputError(
                "InclusionProbability", got="no range", allowed="at least one that can be sent"
            )
        ends, steps = np.unique(np.stack([ranges.lower, ranges.upper]), return_inverse=True)
        low, high = steps.reshape(2, -1)
        weights, k = np.repeat(ranges.weights, np.diff(ranges.starts)), len(ends)
        cover_counts = np.cumsum(np.bincount(low, minlength=k) - np.bincount(high, minlength=k))[
            :-1
        ]
        chances = np.cumsum(np.bincount(low, weights, k) - np.bincount(high, weights, k))[:-1]
        chances = np.where(cover_counts > 0, chances, 0.0)
        if chances.max() > 1 + _ROUNDING:
            raise InputError(
                "InclusionProbability", got=float(chances.max()), allowed="chances up to 1"
            )
        probability = cls(ends, np.clip(chances, 0, 1))
        object.__setattr__(probability, "non_identified", non_identified(ranges))
        object.__setattr__(probability, "ranges", ranges)
        return probability

    @classmethod
    @checked
    def from_channel(cls, channel: SendsRanges, blank: object = 0) -> "InclusionProbability":
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
        >>> from askance_collect.exact.line import Floor
        >>> from askance_collect.exact.line import Line
        >>> wide = Floor([1] * 4, 2)
        >>> channel = RangeChannel(Line(0, 4, 1), [1, 1, 1], 1, floor=wide, withhold=True)
        >>> InclusionProbability.from_channel(channel).chance.round(6).tolist()
        [0.666667, 1.0, 1.0, 0.666667]
        """
        ends, chances = channel.cells()
        spoken = 1 - chance(blank, "InclusionProbability.blank")
        if not spoken:
            raise InputError(
                "InclusionProbability.blank", got=blank, allowed="a probability below 1"
            )
        probability = cls.from_ranges(channel.ranges(ends, chances * float(spoken)))
        return probability.restrict(-np.inf, np.inf)

    @checked
    def restrict(self, first: float, last: float) -> "InclusionProbability":
        """s(y) from one end to another: 0 beyond what can be sent, cut where it ends sooner.

        >>> InclusionProbability([1, 2], [0.5]).restrict(0, 9).chance.tolist()
        [0.0, 0.5, 0.0]
        """
        ends = np.unique(np.clip(np.concatenate([[first], self.ends, [last]]), first, last))
        piece = np.searchsorted(self.ends, ends[1:]) - 1
        inside = (ends[:-1] >= self.ends[0]) & (ends[1:] <= self.ends[-1])
        chances = np.where(inside, self.chance[np.clip(piece, 0, len(self.chance) - 1)], 0.0)
        probability = InclusionProbability(ends, chances)
        object.__setattr__(probability, "non_identified", self.non_identified)
        object.__setattr__(probability, "ranges", self.ranges)
        return probability

    @property
    def zero_pieces(self) -> tuple[tuple[float, float], ...]:
        """The parts of the line with inclusion probability zero."""
        hidden = np.concatenate([[False], self.chance == 0, [False]])
        change = np.flatnonzero(hidden[1:] != hidden[:-1])
        pairs = self.ends[change].reshape(-1, 2).tolist()
        return tuple((low, high) for low, high in pairs)


def describe_piece(piece: tuple[float, float]) -> str:
    """Write a piece for reading, or the exact number that it holds.

    >>> describe_piece((0.0, 2.5)), describe_piece((nextafter(2.5, 0), 2.5))
    ('(0, 2.5]', '2.5')
    """
    low, high = piece
    if nextafter(low, inf) == high:
        return number(high)
    opens, first, last, closes = as_given(low, high)
    return f"{opens}{number(first)}, {number(last)}{closes}"
