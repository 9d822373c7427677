"""Intervals for a distribution at a point, from ranges of any shape, by likelihood ratio."""

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.channels.identification import Selection
from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.estimators.intervals.close_fit import closely
from askance.estimators.intervals.held_share import HeldShare
from askance.estimators.intervals.local_rise import (
    cut_ends,
    inner_ends,
    rises,
    several_ends,
    some_exact,
)
from askance.estimators.intervals.point_intervals import PointIntervals
from askance.estimators.intervals.ratio_limit import critical_value, way_to_chi_square
from askance.estimators.ranges.distribution import Distribution
from askance.results import doubles
from askance.typing import Floats

_SEVERAL = 1 / 6  # of the way from 𝔻 to χ², for ranges with two ends
_FINE, _COARSE = 0.1, 0.9  # of that way: where a grid is told of as none, or as coarse


@checked
def cdf_intervals(
    ranges: Ranges,
    at: npt.ArrayLike,
    level: float = 0.95,
    *,
    selection: Selection | None = None,
) -> PointIntervals:
    r"""Give an interval for the share of numbers up to each point, from ranges of any shape.

    All θ whose likelihood ratio 2 (max l − max {l : F(t) = θ}) is at most a critical value. Where
    few people tell of a share, the ratio is replaced by the squared normal deviate that is as rare
    under a binomial law with the same ratio and slope (`squared_deviate`): the two agree where many
    do. The critical value depends on the data:

    - one cut a person, hardly ever shared: the law of 𝔻, which needs no estimate of a density and
      no bandwidth (Banerjee & Wellner, 2001);
    - one cut a person, on a grid where many share each: χ² with one degree of freedom; on finer
      grids between the two, by how much F rises from one cut to the next in standard errors (the
      three cases of Tang, Banerjee & Kosorok, 2012);
    - ranges with two ends, rings and other unions: the same and a sixth of the way from 𝔻 to χ²
      more; for ends that come close together no law is known, and this is what covers;
    - some numbers told exactly: χ².

    These laws hold inside the cuts. Beyond all but the 2√n outermost ends at either side (√n if
    there are unions) the share is bounded by what is known of it there: from below at the upper
    side, from above at the lower one.

    Parameters
    ----------
    ranges : Ranges
    at : array_like
        The points t, each between the smallest and the largest finite end of a range. Between two
        points of a grid nothing is learnt: the interval spans those of its neighbours.
    level : float
        In [0.5, 0.999].
    selection : Selection, optional
        How likely each number was to be heard of at all, as in `npmle`.

    Raises
    ------
    InputError
        If no range with a positive weight has an end, a point is outside the ends, or the level is
        outside the table of the law of 𝔻.

    References
    ----------
    Banerjee & Wellner (2001); Tang, Banerjee & Kosorok (2012); for few people Lancaster (1961). The
    plain bootstrap of F(t) fails here: Kosorok (2008).

    >>> cuts = np.arange(1, 201)
    >>> below = (77 * cuts) % 200 < cuts  # numbers spread evenly up to 200
    >>> lower, upper = np.where(below, -np.inf, cuts), np.where(below, cuts, np.inf)
    >>> cdf_intervals(Ranges(lower, upper), [50, 100, 150])
    share of numbers up to a point
    up to   share  95 % from      to
    50     0.2308     0.1083  0.4281
    100    0.4615     0.3017  0.6586
    150    0.6923     0.5241  0.8542
    200 ranges; likelihood ratio, cuts hardly shared; critical value 2.276 to 2.319
    """
    points = np.unique(doubles(at, "cdf_intervals.at"))
    ends = cut_ends(ranges)
    if not len(ends):
        raise InputError("Ranges", got="no end", allowed="at least one range with a finite end")
    if not len(points) or not (ends[0] <= points[0] and points[-1] <= ends[-1]):
        raise InputError(
            "cdf_intervals.at",
            got=points.tolist(),
            allowed=f"points in [{ends[0]}, {ends[-1]}], where cuts fell",
        )
    critical_value(level, 0)
    fit = closely(ranges, ranges.total, selection)
    inner = np.clip(inner_ends(ranges), ends[0], ends[-1])
    critical = critical_values(ranges, fit, np.append(points, inner), level)
    held = HeldShare(ranges=ranges, fit=fit, selection=selection)
    pairs = zip(points.tolist(), critical.tolist(), strict=False)
    found = np.array([held.interval(point, fall) for point, fall in pairs])
    lower, upper = _near_the_ends(held, points, found, (inner, critical[-2:]))
    critical = critical[:-2]
    return PointIntervals(
        at=points,
        value=np.append(0.0, np.cumsum(fit.mass))[np.searchsorted(fit.upper, points, side="right")],
        lower=lower,
        upper=upper,
        level=level,
        critical=critical,
        n=ranges.total,
        method=law(ranges, critical, level),
    )


def _near_the_ends(
    held: HeldShare, points: Floats, found: Floats, inner: tuple[Floats, Floats]
) -> tuple[Floats, Floats]:
    """Let the interval beyond the outermost ends but a few be as wide as there: F rises.

    What nobody can tell otherwise stays as it is.

    Parameters
    ----------
    held : HeldShare
    points : array, shape (k,)
    found : array, shape (k, 2)
    inner : tuple of array
        The two ends but a few, and how large a squared deviate may be there.
    """
    lower, upper = found.T
    (low, high), (least, most) = inner[0].tolist(), inner[1].tolist()
    moves = lower < upper
    before, beyond = moves & (points < low), moves & (points > high)
    if beyond.any():
        end = held.end(high, most, up=False)
        lower = np.where(beyond, np.minimum(lower, end), lower)
    if before.any():
        end = held.end(low, least, up=True)
        upper = np.where(before, np.maximum(upper, end), upper)
    return lower, upper


def critical_values(ranges: Ranges, fit: Distribution, points: Floats, level: float) -> Floats:
    """Say how large a squared deviate may be at each point."""
    nearest, furthest = critical_value(level, 0), critical_value(level, 1)
    if some_exact(ranges):
        return np.full(len(points), furthest)
    way = way_to_chi_square(rises(ranges, fit, points)) + several_ends(ranges) * _SEVERAL
    return nearest + way * (furthest - nearest)


def law(ranges: Ranges, critical: Floats, level: float) -> str:
    """Say by which law squared deviates may be so large."""
    if some_exact(ranges):
        return "likelihood ratio, some numbers exact"
    nearest, furthest = critical_value(level, 0), critical_value(level, 1)
    several = several_ends(ranges)
    way = (critical - nearest) / (furthest - nearest) - several * _SEVERAL
    grid = "hardly shared" if way.max() < _FINE else "partly shared"
    grid = "on a grid" if way.min() > _COARSE else grid
    return f"likelihood ratio, {'several cuts each,' if several else 'cuts'} {grid}"
