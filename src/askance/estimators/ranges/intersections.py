"""Where the mass of a most likely distribution can lie, and which ranges hold each such place."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.estimators.ranges.endpoints import encoded
from askance.estimators.ranges.runs import Alike, Runs, collapsed
from askance.typing import Booleans, Floats, Integers


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Intersections:
    """Places where mass can lie, and the ranges written over them.

    Attributes
    ----------
    lower, upper : array, shape (m,)
        Ends of the places, disjoint and ascending.
    runs : Runs
        The ranges, each a union of runs of places.
    """

    lower: Floats
    upper: Floats
    runs: Runs


def intersections(ranges: Ranges) -> Intersections:
    """Reduce ranges to what their likelihood depends on.

    A place is ``(l, r]`` with l a lower end, r an upper end and no end between them. For ranges of
    one piece these are the maximal intersections (Turnbull, 1976).

    Raises
    ------
    InputError
        If no range has a positive weight.

    >>> both = intersections(Ranges([0, 1, 4], [2, 3, 5]))
    >>> both.lower.tolist(), both.upper.tolist()
    ([1.0, 4.0], [2.0, 5.0])
    """
    if not ranges.weights.all():
        ranges = ranges[ranges.weights > 0]
    if not len(ranges):
        raise InputError("Ranges", got="no range", allowed="at least one with a positive weight")
    lower, upper, first, past = encoded(ranges.lower, ranges.upper)
    runs = runs_over(ranges, first, past, len(lower))
    return Intersections(lower=lower, upper=upper, runs=runs)


def runs_over(ranges: Ranges, first: Integers, past: Integers, m: int) -> Runs:
    """Write ranges over m places, of which piece i holds ``first[i] … past[i] − 1``."""
    parts, sums = [], np.zeros(m)
    for ends, weights in _by_pieces(ranges, first, past):
        left, right = ends[0] == 0, ends[-1] == m
        if len(ends) == 2:
            single = ends[1] - ends[0] == 1
            at = np.flatnonzero(single & (m > 1))
            sums = np.bincount(ends[0][at], weights[at], m).astype(np.float64)
            left, right = left | single, right | single  # they are counted apart
        parts += [collapsed(part, m) for part in _alike(ends, weights, left, right)]
    points = np.flatnonzero(sums)
    return Runs(m=m, parts=tuple(parts), points=points, counts=sums[points], n=ranges.total)


def _by_pieces(
    ranges: Ranges, first: Integers, past: Integers
) -> Iterator[tuple[list[Integers], Floats]]:
    """Give the ends and weights of ranges of one piece, of two, and so on."""
    if ranges.plain:
        yield [first, past], ranges.weights
        return
    pieces = np.diff(ranges.starts)
    for number in np.flatnonzero(np.bincount(pieces)).tolist():
        rows = np.flatnonzero(pieces == number)
        at = ranges.starts[rows]
        ends = [side[at + piece] for piece in range(number) for side in (first, past)]
        yield ends, ranges.weights[rows]


def _alike(
    ends: list[Integers], weights: Floats, left: Booleans, right: Booleans
) -> Iterator[Alike]:
    """Tell ranges apart by whether they hold the first place and the last, which are no ends."""
    for first, last in ((False, False), (False, True), (True, False), (True, True)):
        chosen = np.flatnonzero((left == first) & (right == last))
        inner = ends[int(first) : len(ends) - int(last)]
        if inner and len(chosen):
            told = tuple(end[chosen] for end in inner)
            yield Alike(ends=told, reach=last, weights=weights[chosen])
