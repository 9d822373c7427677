"""Where the mass of a most likely distribution can lie, and which ranges hold each such place."""

from dataclasses import dataclass
from typing import final

import numpy as np

from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.typing import Floats, Integers


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Intersections:
    """The maximal intersections of ranges (Turnbull, 1976), and the distinct ranges over them.

    Attributes
    ----------
    lower, upper : array, shape (m,)
        Ends of the maximal intersections, disjoint and ascending.
    first, past : array of int, shape (r,)
        Distinct range i holds the intersections ``first[i] … past[i] − 1``.
    weights : array, shape (r,)
        How often each distinct range was observed.
    """

    lower: Floats
    upper: Floats
    first: Integers
    past: Integers
    weights: Floats


def intersections(ranges: Ranges) -> Intersections:
    """Reduce ranges ``(lower, upper]`` to what their likelihood depends on.

    A maximal intersection is ``(l, r]`` with l a lower end, r an upper end and no end between them.

    Raises
    ------
    InputError
        If no range has a positive weight.

    >>> both = intersections(Ranges([0, 1, 4], [2, 3, 5]))
    >>> both.lower.tolist(), both.upper.tolist(), both.first.tolist(), both.past.tolist()
    ([1.0, 4.0], [2.0, 5.0], [0, 1], [1, 2])
    """
    seen = ranges.weights > 0
    if not seen.any():
        raise InputError("Ranges", got="no range", allowed="at least one with a positive weight")
    low, high = ranges.lower[seen], ranges.upper[seen]
    ends = np.unique(np.concatenate([low, high]))
    begins = np.isin(ends[:-1], low) & np.isin(ends[1:], high)
    lower, upper = ends[:-1][begins], ends[1:][begins]
    first = np.searchsorted(lower, low, side="left")
    past = np.searchsorted(upper, high, side="right")
    pairs, weights = collapse(first, past, ranges.weights[seen], len(lower))
    return Intersections(lower=lower, upper=upper, first=pairs[0], past=pairs[1], weights=weights)


def collapse(
    first: Integers, past: Integers, weights: Floats, m: int
) -> tuple[tuple[Integers, Integers], Floats]:
    """Add up the weights of equal runs ``first … past − 1`` of m places.

    >>> collapse(np.array([0, 0, 1]), np.array([2, 2, 2]), np.ones(3), 2)
    ((array([0, 1]), array([2, 2])), array([2., 1.]))
    """
    keys, where = np.unique(first * (m + 1) + past, return_inverse=True)
    return (keys // (m + 1), keys % (m + 1)), np.bincount(where, weights).astype(float)
