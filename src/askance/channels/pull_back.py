"""Ranges of a figure read as ranges of the number it was made from."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from askance.arguments import checked
from askance.channels.ranges import Ranges
from askance.channels.readonly import function_values, numbers
from askance.errors import InputError

Branch = tuple[float, float, Callable[[Any], Any]]
"""Where a branch runs, ``(lower, upper]``, and the inverse of the function there."""


@checked
def pull_back(ranges: Ranges, branches: Sequence[Branch]) -> Ranges:
    """Read ranges of g(Y) as what they say of Y: a union, with one piece for each branch of g.

    A person may report a range of the square, or the logarithm, of a number. Of the number itself
    that says at most as much: the coverage of a range pulled back is its coverage among the values
    of g.

    Parameters
    ----------
    ranges : Ranges
        Of g(Y).
    branches : sequence of (lower, upper, inverse)
        Stretches that part the numbers, on each of which g is monotone and continuous, ascending;
        ``inverse`` takes an array of values of g, and gives numbers. What it gives beyond its
        stretch is cut off.

    Raises
    ------
    InputError
        If branches do not ascend, an inverse gives no number inside the range of g, or a range
        holds no value of g but one at an end of a branch.

    References
    ----------
    Ding & Ding (2022), Theorem 5.

    >>> squares = Ranges([-np.inf, 4], [4, np.inf])
    >>> root = lambda s: np.sqrt(np.maximum(s, 0))
    >>> pull_back(squares, [(-np.inf, 0, lambda s: -root(s)), (0, np.inf, root)])
    Ranges([-2, 2], (-inf, -2) | (2, inf])
    """
    given: Sequence[Any] = branches
    for at, one in enumerate(given):
        if not (isinstance(one, tuple | list) and len(one) == 3 and callable(one[2])):
            allowed = "(lower, upper, inverse)"
            raise InputError(f"pull_back.branches[{at}]", got=one, allowed=allowed)
        numbers(one[:2], f"pull_back.branches[{at}]")
    ends = [end for low, high, _ in branches for end in (float(low), float(high))]
    ascends = all(a <= b for a, b in pairwise(ends))
    if not ends or not ascends or any(low >= high for low, high, _ in branches):
        raise InputError("pull_back.branches", got=ends, allowed="disjoint ascending stretches")
    row = np.repeat(np.arange(len(ranges)), np.diff(ranges.starts))
    found = [_piece(ranges, one) for one in branches]
    low, high = (np.concatenate(part) for part in zip(*found, strict=True))
    rows = np.tile(row, len(branches))
    kept = low < high
    order = np.argsort(rows[kept], kind="stable")
    pieces = np.bincount(rows[kept], minlength=len(ranges))
    if (pieces == 0).any():
        raise InputError(
            f"Ranges[{int(np.argmin(pieces))}]",
            got="a range without numbers",
            allowed="values of g",
        )
    return Ranges(low[kept][order], high[kept][order], ranges.weights, pieces=pieces)


def _piece(ranges: Ranges, branch: Branch) -> tuple[Any, Any]:
    start, end, inverse = branch
    with np.errstate(all="ignore"):
        first = function_values(inverse, ranges.lower, "pull_back.branches")
        last = function_values(inverse, ranges.upper, "pull_back.branches")
    if np.isnan(first).any() or np.isnan(last).any():
        raise InputError("pull_back.branches", got="no number", allowed="an inverse on all ends")
    falls, point = first > last, (first == last) & (start < first) & (first < end)
    low = np.where(falls | point, np.nextafter(np.minimum(first, last), -np.inf), first)
    high = np.where(falls & (first < end), np.nextafter(first, -np.inf), np.maximum(first, last))
    return np.clip(low, start, end), np.clip(high, start, end)
