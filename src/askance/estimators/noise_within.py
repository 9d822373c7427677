"""The noise given that it lies within a range: how likely that is, its mean, and its slopes.

A piece is split at zero, so that each part lies in one tail and chances only add. Within a tail,
differences of tail chances are exact unless the part holds less than half of its tail; then the
density hardly changes over it, and sixteen Gauss-Legendre nodes are exact to rounding.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from askance.estimators.noise import AbstractNoise
from askance.estimators.residuals import Residuals
from askance.typing import Floats, Integers

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)
_NARROW = 0.5
_LOWEST = -np.finfo(float).max
_TINY = np.finfo(float).tiny


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Within:
    """What is known of the noise within each range.

    Attributes
    ----------
    log_chance : array, shape (n,)
        Logarithm of the chance of the range; for an exact number that of its density.
    mean, square : array, shape (n,)
        Mean and mean square of the noise given the range.
    """

    log_chance: Floats
    mean: Floats
    square: Floats

    @property
    def variance(self) -> Floats:
        """Variance of the noise given the range."""
        return np.maximum(self.square - self.mean**2, 0)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Slopes:
    """Derivatives of each range's log-chance.

    Attributes
    ----------
    log_chance : array, shape (n,)
    first : array, shape (2, n)
        By the location in units of the scale, and by the logarithm of the scale.
    second : array, shape (3, n)
        Twice by the location, by both, twice by the logarithm of the scale.
    """

    log_chance: Floats
    first: Floats
    second: Floats


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Parts:
    """Parts of pieces that lie on one side of zero, as distances ``near <= far`` from it."""

    near: Floats
    far: Floats
    width: Floats
    side: Integers
    row: Integers
    n: int
    scale: float


def within(noise: AbstractNoise, at: Residuals) -> Within:
    """Tell how likely each range is, and the noise's mean and mean square within it.

    >>> from askance.estimators.noise_logistic import LogisticNoise
    >>> from askance.estimators.residuals import residuals
    >>> from askance.channels.ranges import Ranges
    >>> far = residuals(Ranges([-np.inf], [-40.0]), np.zeros(1), 1.0)
    >>> within(LogisticNoise(), far).mean.tolist()
    [-41.0]
    """
    parts = _parts(at)
    near, left = _tails(noise, parts)
    narrow = left > _NARROW
    log_chance, moments = near + np.log1p(-left * ~narrow), _moments(noise, parts, left)
    log_chance[narrow], moments[:, narrow] = _by_nodes(
        noise, parts, narrow, lambda z: np.stack([z, z * z])
    )
    total, share = _shares(log_chance, parts)
    mean, square = _sums(moments * share, parts)
    return Within(log_chance=total, mean=mean, square=square)


def slopes(noise: AbstractNoise, at: Residuals) -> Slopes:
    """Tell how each range's log-chance changes with the location and the scale.

    With P = ∫ f over the range, ∂P/∂η = −∫ f', ∂P/∂log σ = −∫ (z f)' and so on: differences of
    f, z f, f', z f' and z² f' at the ends.
    """
    parts = _parts(at)
    near, left = _tails(noise, parts)
    narrow = left > _NARROW
    log_chance = near + np.log1p(-left * ~narrow)
    change = _by_ends(noise, parts, log_chance)
    log_chance[narrow], change[:, narrow] = _by_nodes(noise, parts, narrow, _rates(noise))
    total, share = _shares(log_chance, parts)
    by = _sums(change * share, parts)
    if noise.kink:
        across = np.bincount(at.row[(at.lower < 0) & (at.upper > 0)], minlength=at.n) > 0
        by[2] += noise.kink * across * np.exp(-total)
    location, scale = first = -by[:2]
    second = np.stack(
        [by[2] - location**2, by[3] + by[0] - location * scale, by[4] + by[1] - scale**2]
    )
    return Slopes(log_chance=total, first=first, second=second)


def _parts(at: Residuals) -> _Parts:
    down, low, high = at.lower < 0, at.lower, at.upper
    up = (high > 0) | ~down
    near = np.concatenate([np.maximum(-high[down], 0.0), np.maximum(low[up], 0.0)])
    far = np.concatenate([-low[down], high[up]])
    whole = np.concatenate([(high <= 0)[down], (low >= 0)[up]])
    return _Parts(
        near=near,
        far=far,
        width=np.where(whole, np.concatenate([at.width[down], at.width[up]]), far),
        side=np.repeat([-1, 1], [down.sum(), up.sum()]),
        row=np.concatenate([at.row[down], at.row[up]]),
        n=at.n,
        scale=at.scale,
    )


def _tails(noise: AbstractNoise, parts: _Parts) -> tuple[Floats, Floats]:
    """Give the log-chance of the tail beyond the near end; what share is beyond the far end."""
    near, far = np.empty((2, len(parts.row)))
    for side in (-1, 1):
        mine = parts.side == side
        near[mine] = noise.log_beyond(parts.near[mine], side)
        far[mine] = noise.log_beyond(parts.far[mine], side)
    near = np.maximum(near, _LOWEST)
    return near, np.where(near > _LOWEST, np.exp(far - near), 0.0)


def _moments(noise: AbstractNoise, parts: _Parts, left: Floats) -> Floats:
    """Take the moments beyond the far end from those beyond the near end."""
    moments, gone = np.zeros((2, 2, len(parts.row)))
    for side in (-1, 1):
        mine = parts.side == side
        moments[:, mine] = noise.moments_beyond(parts.near[mine], side)
        mine &= left > 0
        gone[:, mine] = noise.moments_beyond(parts.far[mine], side)
    kept = np.where(left > _NARROW, 1.0, 1 - left)
    moments = (moments - left * gone) / kept
    moments[0] *= parts.side
    return moments


def _by_ends(noise: AbstractNoise, parts: _Parts, log_chance: Floats) -> Floats:
    """Give the differences of f, z f, f', z f', z² f' over each part, by its chance."""
    low, high = np.where(parts.side > 0, [parts.near, parts.far], [-parts.far, -parts.near])
    change = np.zeros((5, len(low)))
    for sign, end in ((1, high), (-1, low)):
        there = np.isfinite(end)
        z = end[there]
        height = sign * np.exp(noise.log_density(z) - log_chance[there])
        steep = height * noise.slope(z)
        change[:, there] += height, z * height, steep, z * steep, z * z * steep
    return change


def _rates(noise: AbstractNoise) -> Callable[[Floats], Floats]:
    """Give (f)', (z f)', (f')', (z f')', (z² f')' over f."""

    def rates(z: Floats) -> Floats:
        slope, bend = noise.slope(z), noise.bend(z)
        return np.stack(
            [slope, 1 + z * slope, bend, slope + z * bend, 2 * z * slope + z * z * bend]
        )

    return rates


def _by_nodes(
    noise: AbstractNoise,
    parts: _Parts,
    chosen: npt.NDArray[np.bool_],
    of: Callable[[Floats], Floats],
) -> tuple[Floats, Floats]:
    """Average over parts on which the density hardly changes; one number counts by its density."""
    near, width, side = parts.near[chosen], parts.width[chosen], parts.side[chosen]
    z = side[:, None] * (near[:, None] + width[:, None] * (_NODES + 1) / 2)
    heights = noise.log_density(z)
    top = heights.max(axis=1)
    weights = np.exp(heights - top[:, None]) * _WEIGHTS / 2
    mass = weights.sum(axis=1)
    size = np.log(np.where(width > 0, width, 1 / parts.scale))
    return top + np.log(mass) + size, (of(z) * weights).sum(axis=2) / mass


def _shares(log_chance: Floats, parts: _Parts) -> tuple[Floats, Floats]:
    """Add the chances of the parts of each range; give each part's share in its range."""
    top = np.full(parts.n, -np.inf)
    np.maximum.at(top, parts.row, log_chance)
    top = np.maximum(top, _LOWEST)
    chance = np.exp(log_chance - top[parts.row])
    whole = np.bincount(parts.row, chance, minlength=parts.n)
    with np.errstate(divide="ignore"):
        return top + np.log(whole), chance / np.maximum(whole, _TINY)[parts.row]


def _sums(figures: Floats, parts: _Parts) -> Floats:
    return np.stack([np.bincount(parts.row, one, minlength=parts.n) for one in figures])
