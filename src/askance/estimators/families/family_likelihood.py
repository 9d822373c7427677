"""The log-likelihood of ranges under a family of distributions, with its derivatives."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from askance.channels.ranges import Ranges, single_numbers
from askance.typing import Floats

_STEP = 1e-4  # of central differences: the fourth root of rounding


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FamilyLikelihood:
    """Parameters on a scale without bounds: shapes as they are, location in scales, log scale.

    Attributes
    ----------
    ranges : Ranges
    family : scipy.stats continuous distribution
    first : array
        Shapes, location and scale where the search begins; fixed ones stay there.
    free : tuple of int
        Which of them are sought.
    """

    ranges: Ranges
    family: Any
    first: Floats
    free: tuple[int, ...]

    @property
    def weights(self) -> Floats:
        """How often each range was observed."""
        return self.ranges.weights

    @property
    def origin(self) -> Floats:
        """Where the search begins."""
        start = self.first.copy()
        start[-2:] = 0.0
        return start[list(self.free)]

    def values(self, at: Floats) -> Floats:
        """Give shapes, location and scale at a place of the search."""
        move = self.first.copy()
        move[-2:] = 0.0
        move[list(self.free)] = at
        with np.errstate(over="ignore"):
            location = self.first[-2] + self.first[-1] * move[-2]
            return np.array([*move[:-2], location, self.first[-1] * np.exp(move[-1])])

    def stretch(self, at: Floats) -> Floats:
        """Give the derivative of all parameters by the place of the search."""
        slopes = np.ones(len(self.first))
        slopes[-2:] = self.first[-1], self.values(at)[-1]
        return np.diag(slopes)[:, list(self.free)]

    def each(self, at: Floats) -> Floats:
        """Give log P(Y in R_i) for every range; −∞ where the parameters cannot be."""
        values = self.values(at)
        if not np.isfinite(values).all() or not np.all(self.family._argcheck(*values[:-2])):
            return np.full(len(self.ranges), -np.inf)
        return log_chance(self.ranges, self.family(*values))

    def total(self, at: Floats) -> float:
        """Give the log-likelihood."""
        seen = self.weights > 0
        return float(self.weights[seen] @ self.each(at)[seen])

    def steps(self, at: Floats) -> Floats:
        """Give the moves of the central differences, one row a parameter."""
        moves: Floats = np.diag(_STEP * np.maximum(1.0, np.abs(at)))
        return moves

    def scores(self, at: Floats) -> Floats:
        """Give the derivative of each range's log-likelihood, shape (n, p): central differences."""
        moves = self.steps(at)
        with np.errstate(invalid="ignore"):
            columns = [
                (self.each(at + move) - self.each(at - move)) / (2 * move.sum()) for move in moves
            ]
        slopes: Floats = np.nan_to_num(np.stack(columns, axis=1), posinf=0.0, neginf=0.0)
        return slopes

    def curvature(self, at: Floats) -> Floats:
        """Give the second derivative of the log-likelihood."""
        moves = self.steps(at)
        rows = [
            self.weights @ (self.scores(at + move) - self.scores(at - move)) / (2 * move.sum())
            for move in moves
        ]
        both = np.stack(rows)
        return np.asarray((both + both.T) / 2)


def log_chance(ranges: Ranges, law: Any) -> Floats:
    """Give the log-probability of each range; an exact number counts with its density.

    >>> from scipy.stats import uniform
    >>> np.exp(log_chance(Ranges([-np.inf, 0.25], [0.5, 0.5]), uniform())).tolist()
    [0.5, 0.25]
    """
    lower, upper = ranges.lower, ranges.upper
    told = np.empty(len(lower))
    begun, ended = np.isneginf(lower), np.isposinf(upper)
    exact = single_numbers(lower, upper)
    inner = ~(begun | ended | exact)
    with np.errstate(divide="ignore", invalid="ignore"):
        told[ended] = law.logsf(lower[ended])
        told[begun] = law.logcdf(upper[begun])
        told[exact] = law.logpdf(upper[exact])
        told[inner] = np.log(np.maximum(_between(law, lower[inner], upper[inner]), 0.0))
    if ranges.plain:
        return told
    return np.asarray(np.logaddexp.reduceat(told, ranges.starts[:-1]), dtype=float)


def _between(law: Any, lower: Floats, upper: Floats) -> Floats:
    """Give the chance of each range, from the tail that it is nearer to."""
    low, high = law.cdf(lower), law.cdf(upper)
    right = low > 0.5
    inside = np.asarray(high - low, dtype=float)
    if right.any():
        inside[right] = law.sf(lower[right]) - law.sf(upper[right])
    return inside
