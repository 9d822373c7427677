"""Intervals for a distribution at a point, from ranges with one cut each, by likelihood ratio."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.special import xlogy

from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.estimators.one_cut import OneCut, one_cut
from askance.estimators.point_intervals import PointIntervals
from askance.estimators.ratio_limit import critical_value
from askance.typing import Floats

_HALVINGS = 50


def cdf_intervals(
    ranges: Ranges, at: npt.ArrayLike, level: float = 0.95, *, grid: bool | None = None
) -> PointIntervals:
    r"""Give an interval for the share of numbers up to each point, from one cut a person.

    All θ with 2 (max l − max {l : F(t) = θ}) at most a critical value. Cuts that hardly ever tie:
    the law of 𝔻, which needs no estimate of a density and no bandwidth (Banerjee & Wellner, 2001).
    Cuts on a grid, where many people share each: χ² with one degree of freedom (Tang, Banerjee &
    Kosorok, 2012), which is the larger of the two, so that it is cautious in between.

    Parameters
    ----------
    ranges : Ranges
        One-sided: ``(−∞, cut]`` or ``(cut, ∞)``.
    at : array_like
        The points t, each between the smallest and the largest cut.
    level : float
        In [0.5, 0.999].
    grid : bool, optional
        Whether the cuts are on a grid; left out, they are if fewer than half of them differ.
        Between two points of a grid nothing is learnt: the interval spans those of its neighbours.

    Raises
    ------
    InputError
        If a range has two ends, no range has a positive weight, a point is outside the cuts, or the
        level is outside the table of the law of 𝔻.

    References
    ----------
    Banerjee & Wellner (2001). The plain bootstrap of F(t) fails here: Kosorok (2008).

    >>> cuts = np.arange(1, 201)
    >>> below = (77 * cuts) % 200 < cuts  # numbers spread evenly up to 200
    >>> lower, upper = np.where(below, -np.inf, cuts), np.where(below, cuts, np.inf)
    >>> cdf_intervals(Ranges(lower, upper), [50, 100, 150])
    share of numbers up to a point
    up to   share  95 % from      to
    50      0.2308     0.1076  0.4222
    100     0.4615     0.3026  0.6563
    150     0.6923     0.5283   0.853
    200 ranges; likelihood ratio; critical value 2.258
    """
    points = np.unique(np.asarray(at, dtype=float))
    data = one_cut(ranges)
    if not len(points) or not (data.cuts[0] <= points[0] and points[-1] <= data.cuts[-1]):
        raise InputError(
            "cdf_intervals.at",
            got=points.tolist(),
            allowed=f"points in [{data.cuts[0]}, {data.cuts[-1]}], where cuts fell",
        )
    on_grid = 2 * len(data.cuts) < data.n if grid is None else grid
    critical = critical_value(level, grid=on_grid)
    fit = data.isotonic()
    ends = np.array([_between(data, fit, float(point), critical, on_grid) for point in points])
    return PointIntervals(
        at=points,
        value=fit[np.searchsorted(data.cuts, points, side="right") - 1],
        lower=ends[:, 0],
        upper=ends[:, 1],
        level=level,
        critical=critical,
        n=data.n,
        method="likelihood ratio, cuts on a grid" if on_grid else "likelihood ratio",
    )


def _between(
    data: OneCut, fit: Floats, point: float, critical: float, on_grid: bool
) -> tuple[float, float]:
    """Give the interval at one point; between the points of a grid, from its two neighbours."""
    at = int(np.searchsorted(data.cuts, point))
    if not on_grid or data.cuts[at] == point:
        return _interval(data, fit, point, critical)
    low, _ = _interval(data, fit, float(data.cuts[at - 1]), critical)
    _, high = _interval(data, fit, float(data.cuts[at]), critical)
    return low, high


def _interval(data: OneCut, fit: Floats, point: float, critical: float) -> tuple[float, float]:
    """Halve towards the two shares at which the likelihood has fallen by the critical value."""
    best = _log_likelihood(data, fit)
    split = int(np.searchsorted(data.cuts, point, side="left"))
    after = int(np.searchsorted(data.cuts, point, side="right"))
    left, right = data.isotonic(0, split), data.isotonic(after)

    def kept(share: float) -> bool:
        middle = np.full(after - split, share)
        held = np.concatenate([np.minimum(left, share), middle, np.maximum(right, share)])
        return 2 * (best - _log_likelihood(data, held)) <= critical

    start = float(fit[split] if split < after else (fit[split - 1] + fit[split]) / 2)
    return _reach(kept, start, 0.0), _reach(kept, start, 1.0)


def _reach(kept: Callable[[float], bool], inside: float, limit: float) -> float:
    if kept(limit):
        return limit
    outside = limit
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if kept(middle) else (inside, middle)
    return outside


def _log_likelihood(data: OneCut, share: Floats) -> float:
    return float(np.sum(xlogy(data.below, share) + xlogy(data.above, 1 - share)))
