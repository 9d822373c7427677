"""The likelihood near some masses as a quadratic, in the levels of the cumulative share.

In levels a row bends the likelihood at its few ends alone, and a place without mass is two levels
that are one; so the model's best point on any set of places is one Cholesky solve.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import final

import numpy as np

from askance.estimators.ranges.runs import Runs
from askance.typing import Booleans, Floats, Integers

_EXCHANGES = 30  # mostly a handful settle
_SAME = 1e-12  # slopes that are equal but for rounding


def bend(runs: Runs, curves: list[Floats], rank: Integers) -> Floats:
    """Give minus the second derivative by each pair of levels, on the diagonal and above it.

    Parameters
    ----------
    runs : Runs
    curves : list of arrays
        As `Runs.curves` gives them.
    rank : array of int, shape (m + 1,)
        Ascending by at most one, from 0: levels of the same rank are one.
    """
    size = int(rank[-1]) + 1
    pairs, own = np.zeros(size * size), np.zeros(size)
    for part, curve in zip(runs.parts, curves, strict=False):
        for (one, left), (two, right) in combinations(part.signed(), 2):
            key = rank.take(one)
            key *= size
            key += rank.take(two)
            (np.add if left == right else np.subtract).at(pairs, key, curve)
    np.subtract.at(pairs, rank[runs.points] * size + rank[runs.points + 1], curves[-1])
    np.add.at(own, rank, runs.by_level(curves, signed=False))
    diagonal = pairs[:: size + 1]
    diagonal *= 2  # two ends that are one level meet twice
    diagonal += own
    return pairs.reshape(size, size)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LevelModel:
    """A quadratic with the likelihood's first two derivatives at some masses.

    Attributes
    ----------
    runs : Runs
    mass : array, shape (m,)
    gradient : array, shape (m + 1,)
        By the levels; 0 by the first and the last, which are fixed.
    curves : list of arrays
        Minus the second derivative by the chance of each row.
    """

    runs: Runs
    mass: Floats
    gradient: Floats
    curves: list[Floats]

    @classmethod
    def near(cls, runs: Runs, mass: Floats, chances: list[Floats]) -> "LevelModel":
        """Take the derivatives at masses that give the rows these chances."""
        gradient = _inside(runs.by_level(runs.ratios(chances), signed=True))
        return cls(runs=runs, mass=mass, gradient=gradient, curves=runs.curves(chances))

    def best(self, free: Booleans) -> Floats:
        """Maximise over the simplex by exchanging blocks of places, from those that are free.

        Portugal, Júdice & Vicente (1994); where blocks do not settle, one place at a time.
        """
        fewest, patience = len(free) + 1, 3
        for _ in range(_EXCHANGES):
            target, left = self._on_places(np.flatnonzero(free))
            wrong = np.where(free, target < 0, _better(left, free))
            count = int(wrong.sum())
            if not count:
                return target
            fewest, patience = (count, 3) if count < fewest else (fewest, patience - 1)
            if not patience or not (free ^ wrong).any():
                break
            free = free ^ wrong
        return self._walked()

    def _walked(self) -> Floats:
        """Walk to the best point of the free places, of which one at a time falls to 0 or joins."""
        free, point = np.ones(len(self.mass), dtype=bool), self.mass
        for _ in range(len(free) + _EXCHANGES):
            target, left = self._on_places(np.flatnonzero(free))
            falling = free & (target < 0)
            if falling.any():
                reach = point[falling] / (point[falling] - target[falling])
                length = reach.min()
                point = np.where(free, point + length * (target - point), 0.0).clip(0)
                free[np.flatnonzero(falling)[reach <= length * (1 + 1e-12)]] = False
                point[~free] = 0.0
                continue
            point = target
            if not _better(left, free).any():
                break
            free[np.argmax(left)] = True
        return point

    def _on_places(self, free: Integers) -> tuple[Floats, Floats]:
        """Solve with mass on the free places alone, as a change, so that faint ones last.

        Returns the masses, and the model's slope by each mass, up to a constant.
        """
        target = np.zeros(len(self.mass))
        target[free] = self.mass[free]
        gone, gradient = self.mass - target, self.gradient
        if gone.any():
            target[free[-1]] += gone.sum()
            gone[free[-1]] -= gone.sum()
            gradient = gradient + self._change(np.append(0.0, np.cumsum(gone)))
        ends = np.zeros(len(self.mass) + 1, dtype=np.int64)
        ends[free + 1] = 1
        rank = np.cumsum(ends)
        step = self._solved(rank, _inside(np.bincount(rank, gradient).astype(np.float64)))
        target[free] += np.diff(step)
        left = gradient - self._change(step[rank])
        return target, np.cumsum(left[:0:-1])[::-1]

    def _solved(self, rank: Integers, side: Floats) -> Floats:
        from scipy.linalg import LinAlgError, cho_factor, cho_solve

        matrix = self._bend_inside(rank)
        try:
            factor = cho_factor(matrix.T, lower=True, overwrite_a=True, check_finite=False)
            return np.asarray(cho_solve(factor, side, check_finite=False), dtype=np.float64)
        except LinAlgError:
            matrix = self._bend_inside(rank)  # the factor was written over it
            diagonal = np.einsum("ii->i", matrix)
            diagonal += 1e-9 * max(float(diagonal.max()), 1.0)
            matrix += np.triu(matrix, 1).T
            return np.asarray(np.linalg.solve(matrix, side), dtype=np.float64)

    def _bend_inside(self, rank: Integers) -> Floats:
        matrix = bend(self.runs, self.curves, rank)
        matrix[0] = matrix[:, -1] = 0.0
        matrix[0, 0] = matrix[-1, -1] = 1.0
        return matrix

    def _change(self, step: Floats) -> Floats:
        """Give by how much the gradient falls where the levels rise by a step, 0 at both ends."""
        return _inside(self.runs.bent(self.curves, step))


def _better(left: Floats, free: Booleans) -> Booleans:
    """Find the places outside that would serve better than the free ones, by the slope there."""
    better: Booleans = left > left[free].max() + _SAME * np.abs(left).max()
    return better


def _inside(by_level: Floats) -> Floats:
    """Leave the first level and the last where they are."""
    by_level[0] = by_level[-1] = 0.0
    return by_level
