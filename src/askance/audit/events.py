"""Events that distinguish two answers: chosen on half of the draws, tested on the other half.

The best event is a set of reports in the order of their likelihood ratio (Neyman and Pearson).
Where it ends is chosen by the bound that it promises; what it keeps to is found on draws that had
no part in the choice, so that exact limits of a binomial chance hold whatever was tried.
"""

from dataclasses import dataclass
from itertools import permutations
from typing import final

import numpy as np
import numpy.typing as npt

from askance.inference.binomial_limits import clopper_pearson
from askance.typing import Booleans, Floats, Integers


@final
@dataclass(frozen=True, slots=True, eq=False)
class Chance:
    """An event's count among some draws, and exact one-sided limits of its chance.

    Attributes
    ----------
    count, draws : int
    tail : float
        How often each of the limits may fail.
    """

    count: int
    draws: int
    tail: float

    @property
    def lower(self) -> float:
        """The lower limit of Clopper and Pearson."""
        return float(limits(np.array([self.count]), self.draws, self.tail)[0][0])

    @property
    def upper(self) -> float:
        """The upper limit of Clopper and Pearson."""
        return float(limits(np.array([self.count]), self.draws, self.tail)[1][0])


def limits(counts: npt.NDArray[np.int64], draws: int, tail: float) -> tuple[Floats, Floats]:
    """Exact one-sided limits of binomial chances: each fails at most this often.

    Clopper & Pearson (1934), as Jagielski, Ullman & Oprea (2020) audit with them.

    >>> low, high = limits(np.array([0, 10]), 10, 0.05)
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.0, 0.7411], [0.2589, 1.0])
    """
    low, high = clopper_pearson(counts.astype(np.float64), draws, tail)
    return low, high


@final
@dataclass(frozen=True, slots=True, eq=False)
class Prefix:
    """An event of the reports with the largest likelihood ratios, and what it achieved when chosen.

    Attributes
    ----------
    chosen : array of bool, shape (cells,)
    promise : float
        What the event achieved on the draws on which it was chosen.
    """

    chosen: Booleans
    promise: float


def by_ratio(first: Integers, other: Integers) -> Integers:
    """Sort observed cells by likelihood ratio, the largest first."""
    observed = np.flatnonzero((first + other) > 0)
    ratio = (first[observed] + 0.5) / (other[observed] + 0.5)
    return observed[np.argsort(-ratio, kind="stable")]


def telling_pairs(counts: Integers, most: int) -> list[tuple[int, int]]:
    """Ordered pairs of rows that may differ: all, or where these are too many the extremes.

    Of each column, the most frequent first, the rows that have the largest and the least share.

    >>> telling_pairs(np.array([[3, 1], [1, 3], [2, 2]]), 2)
    [(0, 1), (1, 0)]
    """
    if len(counts) * (len(counts) - 1) <= most:
        return list(permutations(range(len(counts)), 2))
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    order = np.argsort(-counts.sum(axis=0), kind="stable")[:most]
    ends = zip(shares[:, order].argmax(axis=0), shares[:, order].argmin(axis=0), strict=True)
    return list(dict.fromkeys((int(a), int(b)) for a, b in ends if a != b)) or [(0, 1)]


def best_ratio(first: Integers, other: Integers, tail: float) -> Prefix:
    """Choose the event with the largest ratio of its lower limit under one answer to its upper one.

    >>> best_ratio(np.array([75, 25]), np.array([25, 75]), 0.01).chosen.tolist()
    [True, False]
    """
    order = by_ratio(first, other)
    low, _ = limits(np.cumsum(first[order]), max(int(first.sum()), 1), tail)
    _, high = limits(np.cumsum(other[order]), max(int(other.sum()), 1), tail)
    ratios = low / np.maximum(high, 1e-300)
    return _take_prefix(order, int(np.argmax(ratios)), len(first), float(np.max(ratios)))


def best_difference(first: Integers, other: Integers) -> Prefix:
    """The event with the largest difference of probabilities: where the ratio exceeds 1.

    >>> best_difference(np.array([75, 25]), np.array([25, 75])).promise
    0.5
    """
    order = by_ratio(first, other)
    ahead = np.cumsum(first[order]) / max(first.sum(), 1)
    ahead = ahead - np.cumsum(other[order]) / max(other.sum(), 1)
    return _take_prefix(order, int(np.argmax(ahead)), len(first), float(np.max(ahead)))


def up_to_error(first: Integers, other: Integers, error: float) -> Prefix:
    """The likelihood-ratio event with about this type I error on the choosing half."""
    order = by_ratio(first, other)
    false = np.cumsum(other[order]) / max(other.sum(), 1)
    last = max(int(np.searchsorted(false, error, side="right")) - 1, 0)
    return _take_prefix(order, last, len(first), float(false[last]))


def _take_prefix(order: Integers, last: int, size: int, promise: float) -> Prefix:
    chosen = np.zeros(size, dtype=bool)
    chosen[order[: last + 1]] = True
    return Prefix(chosen, promise)


def two_sided(counts: Integers, draws: int, chances: Floats) -> Floats:
    """Exact p-values of binomial counts: twice the smaller tail, at most 1.

    >>> two_sided(np.array([0, 5, 10]), 10, np.array([0.5, 0.5, 0.0])).round(6).tolist()
    [0.001953, 1.0, 0.0]
    """
    from scipy.special import bdtr, bdtrc

    below = np.where(counts >= draws, 1.0, bdtr(counts, draws, chances))
    above = np.where(counts <= 0, 1.0, bdtrc(counts - 1, draws, chances))
    p_values: Floats = np.minimum(1.0, 2 * np.minimum(below, above))
    return p_values


def binomial_upper_tail(count: int, draws: int, chance: float) -> float:
    """The exact binomial probability of at least this many successes."""
    from scipy.special import bdtrc

    return 1.0 if count <= 0 else float(bdtrc(count - 1, draws, chance))


def fisher_upper_tail(count: int, draws: int, other: int, other_draws: int) -> float:
    """One-sided p-value of Fisher's exact test that an event is more frequent in the first sample.

    >>> round(fisher_upper_tail(3, 3, 0, 3), 10)
    0.05
    """
    from scipy.stats import hypergeom

    return float(hypergeom.sf(count - 1, draws + other_draws, count + other, draws))
