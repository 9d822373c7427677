"""A channel read by meaning: the mass that each answer puts on each set, exact where it can be."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.channels import lattice
from askance.channels.channel import Channel
from askance.errors import InputError

_EXACT_TOTAL = 1 << 50  # sums of whole numbers up to this are doubles, exactly
_EXACT_DOUBLES = 1 << 14  # so many fractions, and sums of them, are taken before it is too slow


@final
@dataclass(frozen=True, slots=True, eq=False)
class Messages:
    """Messages are sets of answers: reports with equal meanings are one message.

    Attributes
    ----------
    masks : array of int, shape (m,)
        The messages, ascending.
    masses : array, shape (k, m)
        Whole numbers over a common total, as doubles or as integers; fractions; or, where there are
        too many doubles for fractions, doubles.
    size : int
        How many answers the messages are about.
    exact : bool
        Whether sums of these masses are exact.
    """

    masks: npt.NDArray[Any]
    masses: npt.NDArray[Any]
    size: int
    exact: bool

    def beliefs(self) -> npt.NDArray[Any]:
        """Give bel of every set, shape (k, 2^l), over the same totals as the masses.

        Raises
        ------
        InputError
            If messages are about more than 24 answers.
        """
        return lattice.subset_sums(self._dense(), copy=False)

    def plausibilities(self) -> npt.NDArray[Any]:
        """Give pl of every set, shape (k, 2^l), likewise; without cancellation where inexact."""
        if not self.exact:
            return lattice.meeting_sums(self._dense(), copy=False)
        beliefs = self.beliefs()
        found: npt.NDArray[Any] = beliefs[:, -1:] - beliefs[:, ::-1]
        return found

    def contours(self) -> npt.NDArray[Any]:
        """Give pl of every single answer, shape (k, l)."""
        held = [(self.masks >> at & 1).astype(bool) for at in range(self.size)]
        return np.stack([self.masses @ column.astype(self.masses.dtype) for column in held], axis=1)

    def singles(self) -> npt.NDArray[Any]:
        """Give bel of every single answer, shape (k, l)."""
        found = np.zeros((len(self.masses), self.size), dtype=self.masses.dtype)
        for at in range(self.size):
            column = np.flatnonzero(self.masks == 1 << at)
            if len(column):
                found[:, at] = self.masses[:, column[0]]
        return found

    def _dense(self) -> npt.NDArray[Any]:
        if self.size > lattice.LARGEST:
            raise InputError(
                "Channel.output",
                got=f"{self.size} answers",
                allowed=f"at most {lattice.LARGEST}, to look at every set of them",
                remedy="local_loss, shafer_loss and walley_loss need no more than the messages",
            )
        dense = np.zeros((len(self.masses), 1 << self.size), dtype=self.masses.dtype)
        dense[:, self.masks.astype(np.int64)] = self.masses
        return dense


def messages(channel: Channel, *, every_set: bool = False) -> Messages:
    """Read a channel by meaning, for its messages or for every set of answers.

    >>> from askance.channels.frame import Frame
    >>> rows = [[Fraction(2, 5), Fraction(1, 2), Fraction(1, 10)]] * 2
    >>> named = {"a": ["a"], "either": ["a", "b"], "a again": ["a"]}
    >>> read = messages(Channel(Frame(["a", "b"]), named, rows))
    >>> read.masks.tolist(), read.masses.tolist()
    ([1, 3], [[5.0, 5.0], [5.0, 5.0]])
    """
    size = len(channel.output)
    rows, exact = units(channel, len(channel.frame) << size if every_set else channel.matrix.size)
    masks = np.array(channel.meanings, dtype=np.int64 if size < 63 else object)
    order = np.argsort(masks, kind="stable")
    ranked = masks[order]
    first = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
    return Messages(ranked[first], np.add.reduceat(rows[:, order], first, axis=1), size, exact)


def units(channel: Channel, sums: int = 0) -> tuple[npt.NDArray[Any], bool]:
    """Give the rows in numbers whose sums are exact, if there are such; shape (k, m).

    Doubles are read as fractions where there are not too many of them, or of sums of them.

    >>> from askance.mechanisms.warner import Warner
    >>> from askance.channels.frame import Frame
    >>> units(Warner(truth="3/4").channel(Frame(["yes", "no"])))[0].tolist()
    [[3.0, 1.0], [1.0, 3.0]]
    """
    if channel.table is not None:
        if channel.table.total <= _EXACT_TOTAL:
            return np.rint(channel.matrix * channel.table.total), True
        return np.array(channel.table.rows, dtype=object), True
    if max(channel.matrix.size, sums) <= _EXACT_DOUBLES:
        return np.array(exact_rows(channel), dtype=object), True
    return channel.matrix, False


def exact_rows(channel: Channel) -> Sequence[Sequence[Fraction]]:
    """Give the rows as fractions: the deployed integers, or the doubles as they are."""
    if channel.table is not None:
        return [channel.table.row(at) for at in range(len(channel.frame))]
    return [[Fraction(entry) for entry in row] for row in channel.matrix.tolist()]
