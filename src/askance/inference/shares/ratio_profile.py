"""The profile likelihood of one share, or of a ratio of sums of shares, through any channel.

An upper end is one less the lower end of the share of all others, so that lower ends are enough.
"""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from askance.inference.maximisation import maximise_mixture, mixture
from askance.typing import Floats

_NARROW = 1e-13  # a bracket that holds one ratio
_LAST_STEP = 1e-6  # a step of Newton's method that is the last, beside the ways to 0 and the top
_FAR = 1e3  # a root of the deviance that stands for impossible


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RatioProfile:
    """The likelihood as a function of a ratio Σ numerator·π / Σ among·π, all else at its best.

    Attributes
    ----------
    rows : array, shape (m, k)
        Chance of each report, given each answer.
    counts : array, shape (m,)
        All positive.
    best : array, shape (m,)
        The chance of each report at the most likely shares.
    numerator, among : array, shape (k,)

    >>> counts = np.array([20.0, 80.0])  # plain answers: the binomial likelihood
    >>> first, both = np.array([1.0, 0.0]), np.ones(2)
    >>> profile = RatioProfile(
    ...     rows=np.eye(2), counts=counts, best=counts / 100, numerator=first, among=both
    ... )
    >>> round(profile.lower_end(0.2, 1.959964), 6)
    0.129749
    """

    rows: Floats
    counts: Floats
    best: Floats
    numerator: Floats
    among: Floats

    def lower_end(self, low: float, z: float) -> float:
        """Find the least ratio whose √deviance is at most z, from one at the top.

        By Newton's method in a bracket: the root of the deviance is nearly straight.
        """
        if not len(self.counts) or low <= 0 or (edge := self._evaluate(0.0)).root <= z:
            return 0.0
        outside, inside, ratio, point = 0.0, low, low * (1 - z / edge.root), None
        while inside - outside > _NARROW:
            point = self._evaluate(ratio, point)
            outside, inside = (ratio, inside) if point.root > z else (outside, ratio)
            step = (point.root - z) / point.slope if point.slope < 0 else math.inf
            if abs(step) <= _LAST_STEP * min(ratio, low - ratio):
                return min(max(ratio - step, 0.0), low)
            following = ratio - step
            ratio = following if outside < following < inside else (outside + inside) / 2
        return inside

    def _evaluate(self, ratio: float, start: "_ProfilePoint | None" = None) -> "_ProfilePoint":
        """√deviance at a ratio, at most `_FAR`, from where it was found nearby.

        Shares with Σ (numerator − u·among) π = 0 are mixtures of the corners of their set: single
        answers that add nothing to the sum, and pairs that balance each other. Where the shares
        are positive the slope of the likelihood by them is n − λ (numerator − u·among), and that of
        the profile by u is −λ Σ among·π.
        """
        tilt = self.numerator - ratio * self.among
        mixed = _corners(tilt)
        corners = self.rows @ mixed
        if not mixed.shape[1] or not (corners.max(axis=1, initial=0.0) > 0).all():
            return _ProfilePoint(root=_FAR, slope=0.0, parts=None)
        parts = None if start is None else start.parts
        if parts is None or len(parts) != mixed.shape[1] or not (corners @ parts > 0).all():
            parts = np.full(mixed.shape[1], 1 / mixed.shape[1])
        n = float(self.counts.sum())
        tol = float(np.clip(1e-8 / n, 1e-13, 1e-9))
        parts, _ = maximise_mixture(mixture(corners, self.counts), parts, tol)
        shares, chance = mixed @ parts, corners @ parts
        fall = float(self.counts @ np.log1p((chance - self.best) / self.best))
        root, pull = math.sqrt(max(-2 * fall, 0.0)), n - (self.counts / chance) @ self.rows
        steep, width = float(shares @ (tilt * pull)), float(shares @ tilt**2) * root
        slope = steep * float(self.among @ shares) / width if width else 0.0
        return _ProfilePoint(root=min(root, _FAR), slope=slope, parts=parts)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _ProfilePoint:
    """√deviance at a fixed ratio, its slope by the ratio, and the parts of the corners there."""

    root: float
    slope: float
    parts: Floats | None


def _corners(tilt: Floats) -> Floats:
    """Shares of answers at the corners of the set with Σ tilt·π = 0, in columns."""
    up, down, even = (np.flatnonzero(some) for some in (tilt > 0, tilt < 0, tilt == 0))
    first, second = np.repeat(up, len(down)), np.tile(down, len(up))
    part, pairs = tilt[second] / (tilt[second] - tilt[first]), len(even) + np.arange(len(first))
    mixed = np.zeros((len(tilt), len(even) + len(first)))
    mixed[even, np.arange(len(even))] = 1.0
    mixed[first, pairs], mixed[second, pairs] = part, 1 - part
    return mixed
