"""A band that holds a whole distribution at once, from ranges of any shape."""

from dataclasses import replace

import numpy as np

from askance.arguments import checked, no_more
from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.estimators.intervals.cdf_intervals import cdf_intervals
from askance.estimators.intervals.local_rise import cut_ends
from askance.estimators.intervals.point_intervals import PointIntervals
from askance.estimators.intervals.ratio_limit import HIGHEST

_FEWEST = 4  # points of a band


@checked
def simultaneous_band(ranges: Ranges, level: float = 0.95) -> PointIntervals:
    """Give a band that holds F everywhere at once at the level.

    Intervals of `cdf_intervals` at K cuts, each at the level to the power 1/K. So many hold at once
    if their errors are independent, and at least so many of normal errors that are not (Šidák,
    1967). One cut a person on a grid makes them independent, cuts that hardly tie nearly so at
    places apart. F rises, so between two of them it lies above the lower end before and below the
    upper end after: `PointIntervals.bounds` gives these everywhere. K is twice the cube root of the
    number of people, about as many places as F is learnt at apart from each other, and all cuts
    where they are fewer; the places are spread over the cuts, whatever was answered.

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
    20       0.3              0.2055  0.4089
    40      0.55               0.438  0.6584
    200 ranges; likelihood ratio, cuts on a grid; critical value 5.002
    >>> [float(end.round(3)) for end in band.bounds(30)]
    [0.206, 0.658]
    """
    if not 0.5 <= level <= HIGHEST**_FEWEST:
        allowed = f"a level in [0.5, {no_more(HIGHEST**_FEWEST)}]"
        raise InputError("simultaneous_band.level", got=level, allowed=allowed)
    ends = cut_ends(ranges)
    most = int(np.log(level) / np.log(HIGHEST))
    places = min(max(int(2 * ranges.total ** (1 / 3)), _FEWEST), most)
    if len(ends) > places:
        ends = ends[np.linspace(0, len(ends) - 1, 2 * places + 1).round().astype(int)[1::2]]
    found = cdf_intervals(ranges, ends, min(level ** (1 / max(len(ends), 1)), HIGHEST))
    return replace(
        found,
        lower=np.maximum.accumulate(found.lower),
        upper=np.minimum.accumulate(found.upper[::-1])[::-1],
        level=level,
        together=True,
    )
