"""Ranges seen from a fitted value: where the noise must have been, in units of its scale."""

from dataclasses import dataclass
from typing import final

import numpy as np

from askance.channels.ranges import Ranges
from askance.typing import Floats, Integers


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Residuals:
    """Pieces ``(lower, upper]`` of the noise, row by row.

    Attributes
    ----------
    lower, upper, width : array, shape (p,)
        Ends of the pieces and how wide they are; an exact number has width 0 and counts by density.
    row : array of int, shape (p,)
        Which range each piece belongs to, ascending.
    n : int
        How many ranges.
    scale : float
    """

    lower: Floats
    upper: Floats
    width: Floats
    row: Integers
    n: int
    scale: float


def residuals(ranges: Ranges, location: Floats, scale: float) -> Residuals:
    """Say where the noise of each range lies about its location.

    Parameters
    ----------
    ranges : Ranges, n rows
    location : array, shape (n,)
    scale : float

    >>> where = residuals(Ranges([0, 2], [4, 3]), np.array([2.0, 2.0]), 2.0)
    >>> where.lower.tolist(), where.upper.tolist()
    ([-1.0, 0.0], [1.0, 0.5])
    """
    row = np.arange(len(ranges))
    if not ranges.plain:
        row = np.repeat(row, np.diff(ranges.starts))
        location = location[row]
    exact = np.nextafter(ranges.lower, np.inf) == ranges.upper
    begin = np.where(exact, ranges.upper, ranges.lower)
    return Residuals(
        lower=(begin - location) / scale,
        upper=(ranges.upper - location) / scale,
        width=(ranges.upper - begin) / scale,
        row=row,
        n=len(ranges),
        scale=scale,
    )
