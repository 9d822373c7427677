"""The energy distance of two distributions that may be known only up to intervals.

Between neighbouring ends both curves are level, each at one of two levels: that of a mass not yet
there, or there already. The least distance takes the nearest levels piece by piece. The largest has
every mass at one end of its interval, since the squared distance is convex; which one is found by
dynamic programming along the line.
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from askance.arguments import checked
from askance.errors import InputError
from askance.estimators.bounds.functional import inside
from askance.estimators.bounds.sample import sampled
from askance.estimators.ranges.distribution import Distribution
from askance.typing import Booleans, Floats

_ROUNDING = 1e-12  # a difference of levels that is none
_KNOTS = 128  # pieces of a law's middle
_NODES = 8  # a piece
_RARE = 0.5 ** np.arange(8, 37)
"""Shares at which a law's tails are cut into pieces; what lies beyond them is negligible."""


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Levels:
    """A curve that is level but for where its masses may lie.

    Attributes
    ----------
    lower, upper : array, shape (m,)
        The ends of the intervals, which are cut to the support.
    upto : array, shape (m + 1,)
    """

    lower: Floats
    upper: Floats
    upto: Floats

    def on(self, edges: Floats) -> tuple[Floats, Booleans]:
        """Give the levels of each piece, shape (2, p), and whether its interval began before."""
        begun = np.searchsorted(self.lower, edges[:-1], side="right")
        ended = np.searchsorted(self.upper, edges[:-1], side="right")
        went_on = (begun > ended) & (self.lower[begun - 1] < edges[:-1])
        return self.upto[np.stack([ended, begun])], went_on


@checked
def energy_bounds(
    fit: Distribution, other: Any, support: tuple[float, float] | None = None
) -> tuple[float, float]:
    r"""Bound the energy distance between two distributions.

    .. math:: D = \Bigl(2 \int (F(t) - G(t))^2\,dt\Bigr)^{1/2}

    Parameters
    ----------
    fit : Distribution
        F, whose masses may lie anywhere inside their intervals.
    other : Distribution, array_like or scipy distribution
        G: another fit, a sample of exact numbers, or a frozen continuous distribution of
        `scipy.stats`, which is integrated numerically.
    support : (float, float), optional
        Declared bounds of both numbers; they cut the intervals. Without them a mass on an unbounded
        interval makes the upper bound infinite.

    Returns
    -------
    low, high : float
        The least and the largest D that the intervals allow, in the unit of √t; both are attained
        or approached. Shares that can be traded (`Distribution.trades`) stay as they are divided.

    Raises
    ------
    InputError
        If mass lies outside the support, the sample is empty or holds what is no finite number, or
        the scipy distribution is not continuous.

    References
    ----------
    Székely & Rizzo (2013); it is the D of `scipy.stats.energy_distance`.

    >>> from askance.channels.ranges import Ranges
    >>> from askance.estimators.ranges.npmle import npmle
    >>> fit = npmle(Ranges([0, 2], [2, 4]))
    >>> energy_bounds(fit, [2, 4])  # at most both masses lie at lower ends: (2 · 4 · 0.25)^½
    (0.0, 1.4142135623730951)
    """
    first = _levels(fit, support)
    if hasattr(other, "cdf") and not isinstance(other, Distribution):
        return _to_law(first, other)
    rival = other if isinstance(other, Distribution) else sampled(other, "energy_bounds.other")
    second = _levels(rival, support)
    edges = np.unique(np.concatenate([first.lower, first.upper, second.lower, second.upper]))
    (one, kept), (two, held) = first.on(edges), second.on(edges)
    width = np.diff(edges)
    least = _area(np.maximum(one[0] - two[1], two[0] - one[1]).clip(0), width)
    costs = _area(one[:, None] - two[None, :], width)
    return _root(least.sum()), _root(_dearest(costs, kept, held))


def _levels(fit: Distribution, support: tuple[float, float] | None) -> _Levels:
    lower, upper = inside(fit, support)
    upto = np.concatenate([[0.0], np.cumsum(fit.mass)])
    return _Levels(lower=lower, upper=upper, upto=np.minimum(upto / upto[-1], 1.0))


def _area(height: Floats, width: Floats | float) -> Floats:
    """Square and integrate a level difference; what is only rounding counts nothing."""
    found: Floats = height**2 * np.where(np.abs(height) > _ROUNDING, width, 0.0)
    return found


def _root(half: float) -> float:
    return float(np.sqrt(2 * half))


def _dearest(costs: Floats, kept: Booleans, held: Booleans) -> float:
    """Choose a level of each curve for each of its intervals, so that the costs are largest."""
    best = np.zeros((2, 2))
    for cost, one, two in zip(np.moveaxis(costs, -1, 0), kept, held, strict=True):
        if not one:
            best = np.maximum(best[:1], best[1:])
        if not two:
            best = np.maximum(best[:, :1], best[:, 1:])
        best = best + cost
    return float(best.max())


def _to_law(levels: _Levels, law: Any) -> tuple[float, float]:
    """Bound the distance to a continuous law, its curve crossing no level inside a piece."""
    if not hasattr(law, "pdf"):
        raise InputError(
            "energy_bounds.other", got=law, allowed="a continuous distribution, a fit or a sample"
        )
    shares = np.concatenate([levels.upto, np.arange(1, _KNOTS) / _KNOTS, _RARE, 1 - _RARE])
    knots = law.ppf(shares[(shares > _ROUNDING) & (shares < 1 - _ROUNDING)])
    edges = np.unique(np.concatenate([[-np.inf], levels.lower, levels.upper, knots, [np.inf]]))
    level, kept = levels.on(edges)
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    width = np.diff(edges[1:-1])[:, None] / 2
    away = level[:, 1:-1, None] - law.cdf(edges[1:-2, None] + width * (nodes + 1))
    near = np.maximum(away[0], -away[1]).clip(0)
    outer = [_area(end, np.inf) for end in (level[:, :1], 1 - level[:, -1:])]
    costs = np.concatenate([outer[0], np.sum(away**2 * width * weights, axis=-1), outer[1]], axis=1)
    free = np.zeros(len(kept), dtype=bool)
    dearest = _dearest(np.repeat(costs[:, None], 2, axis=1), kept, free)
    return _root(float(np.sum(near**2 * width * weights))), _root(dearest)
