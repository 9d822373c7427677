"""Where the mass of a most likely distribution can lie, and which ranges hold each such place."""

from dataclasses import dataclass
from typing import final

import numpy as np

from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.estimators.ranges.endpoints import encoded
from askance.estimators.ranges.runs import Alike, Runs, collapsed
from askance.typing import Floats, Integers


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
    if ranges.plain:
        parts, points, counts = _plain(first, past, ranges.weights, m)
    else:
        parts, points, counts = _unions(first, past, ranges, m)
    return Runs(m=m, parts=tuple(parts), points=points, counts=counts, n=ranges.total)


def _plain(
    first: Integers, past: Integers, weights: Floats, m: int
) -> tuple[list[Alike], Integers, Floats]:
    """Sort ranges of one piece by where they begin and end."""
    from_left, to_right = first == 0, past == m
    single = past - first == 1
    parts = []
    for chosen, ends, reach in (
        (from_left & ~(to_right | single), (past,), False),
        (to_right & ~(from_left | single), (first,), True),
        (~(from_left | to_right | single), (first, past), False),
    ):
        at = np.flatnonzero(chosen)
        if len(at):
            part = Alike(ends=tuple(end[at] for end in ends), reach=reach, weights=weights[at])
            parts.append(collapsed(part, m))
    at = np.flatnonzero(single & (m > 1))
    sums = np.bincount(first[at], weights[at], m).astype(np.float64)
    points = np.flatnonzero(sums)
    return parts, points, sums[points]


def _unions(
    first: Integers, past: Integers, ranges: Ranges, m: int
) -> tuple[list[Alike], Integers, Floats]:
    """Sort ranges of any number of pieces by their number of ends."""
    pieces = np.diff(ranges.starts)
    plain = np.flatnonzero(pieces == 1)
    at = ranges.starts[plain]
    parts, points, counts = _plain(first[at], past[at], ranges.weights[plain], m)
    for number in np.unique(pieces[pieces > 1]).tolist():
        rows = np.flatnonzero(pieces == number)
        at = ranges.starts[rows][:, None] + np.arange(number)
        ends = np.stack([first[at], past[at]], axis=2).reshape(len(rows), -1)
        from_left, to_right = ends[:, 0] == 0, ends[:, -1] == m
        for left in (False, True):
            for right in (False, True):
                chosen = (from_left == left) & (to_right == right)
                if chosen.any():
                    inner = ends[chosen, int(left) : ends.shape[1] - int(right)]
                    part = Alike(
                        ends=tuple(np.ascontiguousarray(end) for end in inner.T),
                        reach=right,
                        weights=ranges.weights[rows[chosen]],
                    )
                    parts.append(collapsed(part, m))
    return parts, points, counts
