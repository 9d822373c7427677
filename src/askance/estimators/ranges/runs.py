"""Rows whose chance is a sum of runs of masses, written by the ends of their runs.

With F_t the mass before place t, every union of runs has chance c F_m + Σ ± F_e over its ends e,
where c is 1 if it reaches the last place and the signs alternate. An interval has two ends, a ring
two with c = 1, a one-sided range one, whatever the number of places.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import final

import numpy as np

from askance.typing import Floats, Integers

_LOOSE = 16  # a table of sums may be this much longer than the rows it takes
_PRECISE = 4_096  # places for which what sums round away is worth its time
_CHUNK = 1 << 15  # rows that fit in a fast cache


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Alike:
    """Rows with the same number of ends, all or none of which reach the last place.

    Attributes
    ----------
    ends : tuple of k arrays of int, each of shape (r,)
        Ascending in each row, in 1 … m − 1 before any narrowing to a support.
    reach : bool
        Whether the rows reach the last place.
    weights : array, shape (r,)
    """

    ends: tuple[Integers, ...]
    reach: bool
    weights: Floats

    def signed(self) -> Iterator[tuple[Integers, int]]:
        """Give each end with its sign; the last is + unless the rows reach the last place."""
        k = len(self.ends)
        for at, end in enumerate(self.ends):
            yield end, -1 if (k - at + self.reach) % 2 == 0 else 1

    def chance(self, upto: Floats) -> Floats:
        """Give the chance of each row."""
        *inner, (last, _) = self.signed()
        total: Floats = upto.take(last)
        if self.reach:
            np.subtract(upto[-1], total, out=total)
        for end, sign in reversed(inner):  # neighbours first: they lie closest
            (np.add if sign > 0 else np.subtract)(total, upto.take(end), out=total)
        return total


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Runs:
    """All rows of a likelihood over m places, by kind.

    Attributes
    ----------
    m : int
    parts : tuple of Alike
    points : array of int, shape (p,)
        Distinct places that are rows of their own, so that faint masses are not lost in
        differences.
    counts : array, shape (p,)
        How often each was observed.
    n : float
        What the weights sum to, rows that hold every place included.
    vacuous : float
        What the weights of rows that hold every place sum to.
    """

    m: int
    parts: tuple[Alike, ...]
    points: Integers
    counts: Floats
    n: float
    vacuous: float = field(init=False)

    def __post_init__(self) -> None:
        seen = sum(float(weight.sum()) for weight in self.weights())
        object.__setattr__(self, "vacuous", self.n - seen)

    def chances(self, mass: Floats) -> list[Floats]:
        """Give the chance of each row of each part, the points last.

        Where places are few, what the sums round away is summed too (Knuth, 1969), so that faint
        masses keep all their digits.
        """
        upto = np.zeros(self.m + 1)
        np.cumsum(mass, out=upto[1:])
        told = [part.chance(upto) for part in self.parts]
        if self.m <= _PRECISE:
            taken = upto[1:] - upto[:-1]
            lost = (upto[:-1] - (upto[1:] - taken)) + (mass - taken)
            rest = np.concatenate([[0.0], np.cumsum(lost)])
            told = [one + part.chance(rest) for one, part in zip(told, self.parts, strict=True)]
        return [*told, mass.take(self.points)]

    def weights(self) -> list[Floats]:
        """Give how often each row was observed, in the order of `chances`."""
        return [*(part.weights for part in self.parts), self.counts]

    def ratios(self, chances: list[Floats]) -> list[Floats]:
        """Give the derivative of the log-likelihood by the chance of each row."""
        return [weight / chance for weight, chance in zip(self.weights(), chances, strict=True)]

    def curves(self, chances: list[Floats]) -> list[Floats]:
        """Give minus its second derivative by the chance of each row."""
        ratios = self.ratios(chances)
        return [ratio / chance for ratio, chance in zip(ratios, chances, strict=True)]

    def by_level(self, values: list[Floats], *, signed: bool) -> Floats:
        """Add up a value of each row at its ends, with their signs or without, shape (m + 1,)."""
        sums = self._parts_by_level(values, signed=signed)
        np.add.at(sums[1:], self.points, values[-1])
        (np.subtract if signed else np.add).at(sums, self.points, values[-1])
        return sums

    def _parts_by_level(self, values: list[Floats], *, signed: bool) -> Floats:
        sums = np.zeros(self.m + 1)
        for part, value in zip(self.parts, values, strict=False):
            if part.reach and signed:
                sums[-1] += value.sum()
            for end, sign in part.signed():
                (np.subtract if signed and sign < 0 else np.add).at(sums, end, value)
        return sums

    def pull(self, chances: list[Floats]) -> Floats:
        """Give the derivative of the log-likelihood by each mass, shape (m,)."""
        ratios = self.ratios(chances)
        slope: Floats = np.cumsum(self._parts_by_level(ratios, signed=True)[:0:-1])[::-1]
        slope += self.vacuous
        np.add.at(slope, self.points, ratios[-1])
        return slope

    def bent(self, curves: list[Floats], step: Floats) -> Floats:
        """Give by how much the slope by each level falls where the levels rise by a step."""
        moved = [part.chance(step) for part in self.parts]
        moved.append(np.diff(step).take(self.points))
        values = [curve * one for curve, one in zip(curves, moved, strict=True)]
        return self.by_level(values, signed=True)

    def in_blocks(self, blocks: int) -> "Runs":
        """Widen every row to whole blocks of neighbouring places: a coarse look at the problem."""
        level = np.arange(self.m + 1)
        down, up = level * blocks // self.m, -(-level * blocks // self.m)
        parts = [
            collapsed(part, blocks, [up if sign > 0 else down for _, sign in part.signed()])
            for part in self.parts
        ]
        sums = np.bincount(down[self.points], self.counts, blocks).astype(np.float64)
        points = np.flatnonzero(sums)
        return replace(self, m=blocks, parts=tuple(parts), points=points, counts=sums[points])

    def onto(self, support: Integers) -> "Runs":
        """Narrow to the places of a support, equal rows added up."""
        rank, s = ranks(self.m, support), len(support)
        parts = [collapsed(part, s, [rank] * len(part.ends)) for part in self.parts]
        return Runs(
            m=s,
            parts=tuple(parts),
            points=rank[self.points],
            counts=self.counts,
            n=self.n,
        )


def ranks(m: int, support: Integers) -> Integers:
    """Count the places of a support before each of m + 1 levels.

    >>> ranks(3, np.array([0, 2])).tolist()
    [0, 1, 1, 2]
    """
    held = np.zeros(m + 1, dtype=np.int64)
    held[support + 1] = 1
    return np.cumsum(held)


def collapsed(part: Alike, m: int, tables: list[Integers] | None = None) -> Alike:
    """Add up equal rows, unless a table of all that are possible were much longer than they are.

    Parameters
    ----------
    part : Alike
    m : int
        How many places there are.
    tables : list of arrays of int, optional
        Where each end comes to be first.
    """
    shape = (m + 1,) * len(part.ends)
    if math.prod(shape) > _LOOSE * len(part.weights):
        ends = part.ends if tables is None else map(np.take, tables, part.ends)
        return replace(part, ends=tuple(ends))
    sums = np.zeros(math.prod(shape))
    for start in range(0, len(part.weights), _CHUNK):
        some, row = slice(start, start + _CHUNK), np.zeros(1, dtype=np.int64)
        for at, end in enumerate(part.ends):
            row = row * (m + 1) + (end[some] if tables is None else tables[at].take(end[some]))
        np.add.at(sums, row, part.weights[some])
    seen = np.flatnonzero(sums)
    return Alike(ends=np.unravel_index(seen, shape), reach=part.reach, weights=sums[seen])
