"""A band that holds a whole distribution at once, from ranges of any shape."""

from dataclasses import replace

import numpy as np

from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.estimators.ranges.cdf_intervals import cdf_intervals
from askance.estimators.ranges.local_rise import cut_ends
from askance.estimators.ranges.point_intervals import PointIntervals

_FEWEST = 4
_RAREST = 1e-3


def simultaneous_band(ranges: Ranges, level: float = 0.95) -> PointIntervals:
    """Give a band that holds F everywhere at once at the level.

    Intervals of `cdf_intervals` at K cuts share the chance of an error equally (Bonferroni). F
    rises, so between two of them it lies above the lower end before and below the upper end after:
    `PointIntervals.bounds` gives these everywhere. K is twice the cube root of the number of
    people, about as many places as F is learnt at apart from each other, and all cuts where they
    are fewer; the places are spread over the cuts, whatever was answered.

    Parameters
    ----------
    ranges : Ranges
    level : float
        In [0.5, 0.996].

    Raises
    ------
    InputError
        If no range has an end, or the level is too high for the table of 𝔻.

    >>> told = {(-np.inf, 20): 30, (20, np.inf): 70, (-np.inf, 40): 55, (40, np.inf): 45}
    >>> band = simultaneous_band(Ranges.tallied(told))
    >>> band
    share of numbers up to a point
    up to  share  95 % together from      to
    20       0.3               0.205  0.4081
    40      0.55              0.4382  0.6585
    200 ranges; likelihood ratio, cuts on a grid; critical value 5.024
    >>> [float(end.round(3)) for end in band.bounds(30)]
    [0.205, 0.658]
    """
    if not 0.5 <= level <= 1 - _FEWEST * _RAREST:
        allowed = f"a level in [0.5, {1 - _FEWEST * _RAREST}]"
        raise InputError("simultaneous_band.level", got=level, allowed=allowed)
    ends = cut_ends(ranges)
    most = int((1 - level) / _RAREST * (1 + 1e-9))
    places = min(max(int(2 * ranges.total ** (1 / 3)), _FEWEST), most)
    if len(ends) > places:
        ends = ends[np.linspace(0, len(ends) - 1, 2 * places + 1).round().astype(int)[1::2]]
    found = cdf_intervals(ranges, ends, 1 - (1 - level) / max(len(ends), 1))
    return replace(
        found,
        lower=np.maximum.accumulate(found.lower),
        upper=np.minimum.accumulate(found.upper[::-1])[::-1],
        level=level,
        together=True,
    )
