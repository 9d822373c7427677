"""The likely distribution of a number of which each person told one side of one cut."""

from dataclasses import dataclass
from typing import final

import numpy as np

from askance.channels.ranges import Ranges
from askance.estimators.ranges.endpoints import ordered
from askance.typing import Floats, Integers


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """Masses on disjoint intervals, with what is missing to the maximum.

    Attributes
    ----------
    lower, upper, mass : array, shape (m,)
    gap : float
    method : str
    unseen, confounded : tuple of (float, float)
        As in `Distribution`.
    """

    lower: Floats
    upper: Floats
    mass: Floats
    gap: float
    method: str
    unseen: tuple[tuple[float, float], ...] = ()
    confounded: tuple[tuple[float, float], ...] = ()


def current_status(ranges: Ranges) -> Fit | None:
    """Fit ranges that are all one-sided by isotonic regression; None if one is not.

    The share up to each cut is the isotonic share of ranges that end there (Ayer, Brunk, Ewing,
    Reid & Silverman, 1955). It takes one sort.

    >>> fit = current_status(Ranges([-np.inf, 1, 2], [1, np.inf, np.inf]))
    >>> fit.upper.tolist(), fit.mass.tolist()
    ([1.0, inf], [0.3333333333333333, 0.6666666666666667])
    """
    from scipy.optimize import isotonic_regression

    below = ranges.lower == -np.inf
    if not ranges.plain or not len(ranges) or np.any(below == (ranges.upper == np.inf)):
        return None
    order, cuts = ordered(np.where(below, ranges.upper, ranges.lower))
    share = below.take(order).astype(float)
    alike = bool(ranges.weights.min() == ranges.weights.max())
    counts = ranges.weights if alike else ranges.weights.take(order)
    new = cuts[1:] != cuts[:-1]
    if not new.all() or counts.min() == 0:
        starts, alike = np.append(0, np.flatnonzero(new) + 1), False
        sums, share = np.add.reduceat(counts, starts), np.add.reduceat(share * counts, starts)
        seen = sums > 0
        cuts, counts, share = cuts[starts][seen], sums[seen], share[seen] / sums[seen]
    if not len(cuts):
        return None
    solved = isotonic_regression(share, weights=None if alike else counts)
    level = np.concatenate([[0.0], solved.x[solved.blocks[:-1]], [1.0]])
    ends = np.concatenate([[0], solved.blocks[:-1], [len(cuts)]])
    jump = np.flatnonzero(level[1:] > level[:-1])
    at = ends[np.minimum(jump + 1, len(ends) - 1)]
    return Fit(
        lower=np.where(at > 0, cuts[at - 1], -np.inf),
        upper=np.where(at < len(cuts), cuts[np.minimum(at, len(cuts) - 1)], np.inf),
        mass=np.diff(level)[jump],
        gap=_gap(share, counts, solved.x, solved.blocks[:-1]),
        method="isotonic regression",
    )


def _gap(share: Floats, counts: Floats, level: Floats, blocks: Integers) -> float:
    """Bound the mean log-likelihood that is missing, from the slope at every place.

    The slope is n at both ends of a block of equal levels and differs inside it by what the ranges
    that end there leave over; where the level is 0 or 1 it is below n.
    """
    left = share - level
    left *= counts
    np.cumsum(left, out=left)
    least = np.minimum.reduceat(left, blocks)
    before = np.append(0.0, left[blocks[1:] - 1])
    at = level[blocks]
    inner = (at > 0) & (at < 1)
    over = (before - least)[inner] / (at * (1 - at))[inner]
    return float(over.max(initial=0.0) / counts.sum())
