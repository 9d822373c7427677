"""The noise given that it lies within a range: how likely that is, its mean, and its slopes.

Moments need a piece split at zero, so that each part lies in one tail; slopes need that only where
the density has a kink. Chances are differences of tail chances, the tail being on the side on which
most of the part lies. They are exact unless the part holds less than half of its tail; then the
density hardly changes over it, and ten Gauss-Legendre nodes are exact to rounding. An exact number
needs one.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from askance.estimators.noise.law import AbstractNoise
from askance.estimators.noise.residuals import Residuals
from askance.typing import Floats, Integers

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(10)
_NARROW = 0.5
_FLAT = 0.8
_ROWS = 1 << 13
_HIGHEST = 100.0  # beyond, both logarithms have lost all digits
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
    """Parts of pieces, by the distance ``near < far`` of their ends on their side of zero."""

    near: Floats
    far: Floats
    width: Floats
    side: Integers
    row: Integers
    n: int
    scale: float
    plain: bool = False
    """Whether part i is all of range i."""


def within(noise: AbstractNoise, at: Residuals) -> Within:
    """Tell how likely each range is, and the noise's mean and mean square within it.

    >>> from askance.estimators.noise.logistic import LogisticNoise
    >>> from askance.estimators.noise.residuals import residuals
    >>> from askance.channels.ranges import Ranges
    >>> far = residuals(Ranges([-np.inf], [-40.0]), np.zeros(1), 1.0)
    >>> within(LogisticNoise(), far).mean.tolist()
    [-41.0]
    """
    told = [_within(noise, block) for block in _blocks(at)]
    log_chance, mean, square = np.concatenate(told, axis=1)
    return Within(log_chance=log_chance, mean=mean, square=square)


def _within(noise: AbstractNoise, at: Residuals) -> Floats:
    parts = _halves(at)
    near, left = _tails(noise, parts)
    narrow = left > _NARROW
    log_chance, moments = near + np.log1p(-left * ~narrow), _moments(noise, parts, left)
    log_chance[narrow], moments[:, narrow] = _by_nodes(
        noise, parts, narrow, lambda z: np.stack([z, z * z])
    )
    total, share = _shares(log_chance, parts)
    return np.stack([total, *_sums(moments, share, parts)])


def slopes(noise: AbstractNoise, at: Residuals) -> Slopes:
    """Tell how each range's log-chance changes with the location and the scale.

    With P = ∫ f over the range, ∂P/∂η = −∫ f', ∂P/∂log σ = −∫ (z f)' and so on: differences of
    f, z f, f', z f' and z² f' at the ends.
    """
    told = [_slopes(noise, block) for block in _blocks(at)]
    figures = np.concatenate(told, axis=1)
    return Slopes(log_chance=figures[0], first=figures[1:3], second=figures[3:])


def _slopes(noise: AbstractNoise, at: Residuals) -> Floats:
    parts = _halves(at) if noise.kink else _wholes(at)
    near, left = _tails(noise, parts)
    narrow = left > _FLAT
    log_chance = near + np.log1p(-left * ~narrow)
    change = _by_ends(noise, parts, log_chance)
    if narrow.any():
        log_chance[narrow], change[:, narrow] = _by_nodes(noise, parts, narrow, _rates(noise))
    total, share = _shares(log_chance, parts)
    by = _sums(change, share, parts)
    if noise.kink:
        across = np.bincount(at.row[(at.lower < 0) & (at.upper > 0)], minlength=at.n) > 0
        by[2] += noise.kink * across * np.exp(-total)
    location, scale = -by[:2]
    second = [by[2] - location**2, by[3] + by[0] - location * scale, by[4] + by[1] - scale**2]
    return np.stack([total, location, scale, *second])


def _blocks(at: Residuals) -> Iterator[Residuals]:
    """Give the rows block by block, few enough for the processor's cache."""
    for first in range(0, max(at.n, 1), _ROWS):
        begin, end = np.searchsorted(at.row, [first, first + _ROWS])
        yield Residuals(
            lower=at.lower[begin:end],
            upper=at.upper[begin:end],
            width=at.width[begin:end],
            row=at.row[begin:end] - first,
            n=min(_ROWS, at.n - first),
            scale=at.scale,
        )


def _wholes(at: Residuals) -> _Parts:
    """Take each piece as it is, on the side on which most of it lies."""
    up = at.lower > -at.upper
    return _Parts(
        near=np.where(up, at.lower, -at.upper),
        far=np.where(up, at.upper, -at.lower),
        width=at.width,
        side=np.where(up, 1, -1),
        row=at.row,
        n=at.n,
        scale=at.scale,
        plain=len(at.row) == at.n,
    )


def _halves(at: Residuals) -> _Parts:
    """Split pieces at zero."""
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
    near = np.maximum(_beyond(noise, parts.near, parts.side), _LOWEST)
    far = _beyond(noise, parts.far, parts.side)
    return near, np.where(near > _LOWEST, np.exp(far - near), 0.0)


def _beyond(noise: AbstractNoise, t: Floats, side: Integers) -> Floats:
    """Give the log-chance of the tails beyond t on their sides."""
    if noise.symmetric:
        return noise.log_beyond(t, 1)
    return np.where(side > 0, noise.log_beyond(t, 1), noise.log_beyond(t, -1))


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
    end = np.stack([parts.far, parts.near])
    there = np.isfinite(end)
    z = np.where(there, end * parts.side, 0.0)
    height = np.exp(np.minimum(noise.log_density(z) - log_chance, _HIGHEST)) * there
    height *= parts.side * np.array([[1], [-1]])
    steep = height * noise.slope(z)
    change = np.empty((5, len(log_chance)))
    for at, one in enumerate((height, z * height, steep, z * steep, z * z * steep)):
        np.add(one[0], one[1], out=change[at])
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
    if not width.any():
        z = side * near
        return noise.log_density(z) - np.log(parts.scale), of(z)
    z = side[:, None] * (near[:, None] + width[:, None] * (_NODES + 1) / 2)
    heights = noise.log_density(z)
    top = heights.max(axis=1)
    weights = np.exp(heights - top[:, None]) * _WEIGHTS / 2
    mass = weights.sum(axis=1)
    size = np.log(np.where(width > 0, width, 1 / parts.scale))
    return top + np.log(mass) + size, (of(z) * weights).sum(axis=2) / mass


def _shares(log_chance: Floats, parts: _Parts) -> tuple[Floats, Floats]:
    """Add the chances of the parts of each range; give each part's share in its range."""
    if parts.plain:
        return log_chance, np.ones(parts.n)
    top = np.full(parts.n, -np.inf)
    np.maximum.at(top, parts.row, log_chance)
    top = np.maximum(top, _LOWEST)
    chance = np.exp(log_chance - top[parts.row])
    whole = np.bincount(parts.row, chance, minlength=parts.n)
    with np.errstate(divide="ignore"):
        return top + np.log(whole), chance / np.maximum(whole, _TINY)[parts.row]


def _sums(figures: Floats, share: Floats, parts: _Parts) -> Floats:
    if parts.plain:
        return figures
    return np.stack([np.bincount(parts.row, one, minlength=parts.n) for one in figures * share])
