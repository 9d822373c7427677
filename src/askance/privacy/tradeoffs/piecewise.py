"""Piecewise-linear functions as corners by ascending argument: read, cross, hull."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

Number = Fraction | float
Point = tuple[Number, Number]
Exact = tuple[tuple[Fraction, Fraction], ...]


def lower_hull(points: Iterable[Point]) -> list[Point]:
    """Give the corners of the lower convex hull of points, by ascending α (Andrew, 1979).

    >>> lower_hull([(0, 1), (0.5, 0.75), (0.5, 0.25), (1, 0)])
    [(0, 1), (0.5, 0.25), (1, 0)]
    """
    corners: list[Point] = []
    for a, b in ascending(sorted(points)):
        while len(corners) > 1:
            (a0, b0), (a1, b1) = corners[-2:]
            if (b1 - b0) * (a - a0) < (b - b0) * (a1 - a0):
                break
            corners.pop()
        corners.append((a, b))
    return corners


def ascending(points: Iterable[Point]) -> list[Point]:
    """Keep the first of equal α, and let nothing rise.

    >>> ascending([(0, 0.75), (0, 1), (0.5, 0.8), (1, 0)])
    [(0, 0.75), (0.5, 0.75), (1, 0)]
    """
    kept: list[Point] = []
    for a, b in points:
        if not kept or a > kept[-1][0]:
            kept.append((a, min(b, kept[-1][1]) if kept else b))
    return kept


def together(one: Exact, two: Exact) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Read two curves at the knots of both and where they cross: (α, one, two).

    >>> line, step = ((0, 1), (1, 0)), ((0, Fraction(1, 2)), (1, Fraction(1, 2)))
    >>> [tuple(map(float, read)) for read in together(line, step)]
    [(0.0, 1.0, 0.5), (0.5, 0.5, 0.5), (1.0, 0.0, 0.5)]
    """
    grid = sorted({a for a, _ in one} | {a for a, _ in two})
    read = list(zip(grid, values_at(one, grid), values_at(two, grid), strict=True))
    found = read[:1]
    for (a0, b0, c0), (a1, b1, c1) in pairwise(read):
        if (b0 - c0) * (b1 - c1) < 0:
            part = (b0 - c0) / ((b0 - c0) - (b1 - c1))
            crossing = b0 + part * (b1 - b0)
            found.append((a0 + part * (a1 - a0), crossing, crossing))
        found.append((a1, b1, c1))
    return found


def values_at(knots: Exact, grid: Sequence[Fraction]) -> list[Fraction]:
    """Read a curve at ascending arguments.

    >>> values_at(((0, 1), (1, 0)), [Fraction(1, 4)])
    [Fraction(3, 4)]
    """
    found, at = [], 0
    for a in grid:
        while knots[at + 1][0] < a:
            at += 1
        (a0, b0), (a1, b1) = knots[at : at + 2]
        found.append(b0 + (b1 - b0) * (a - a0) / (a1 - a0))
    return found
