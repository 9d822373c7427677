"""Parts of ranges as the noise sees them: how far out, on which side, and how likely.

A part's chance is the difference of two tail chances, the tail being on the side on which most of
the part lies. That is exact unless the part holds little of its tail; then the density hardly
changes over it, and ten Gauss-Legendre nodes are exact to rounding. An exact number needs one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from askance.channels.ranges import Ranges, single_numbers
from askance.estimators.noise.law import AbstractNoise
from askance.estimators.noise.tail import Tail
from askance.typing import Floats, Integers

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(10)
_FLAT = 0.8
"""A part that leaves more of its tail is narrow."""

_ROWS = 1 << 14
"""So many at once stay in the processor's cache."""

_FARTHEST = 1e30
"""Where all densities are nothing, and products of powers still numbers."""

_LEAST = -400.0  # the exponential of less is nothing, and slow
_LOWEST = -np.finfo(float).max
_TINY = np.finfo(float).tiny


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Narrow:
    """Narrow parts, by nodes.

    Attributes
    ----------
    part : array of int, shape (k,)
    place, weight : array, shape (k, nodes)
        Values of the noise, and how likely each is within its part.
    """

    part: Integers
    place: Floats
    weight: Floats


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Parts:
    """Parts of the ranges of some rows, by the distance ``near < far`` of their ends from zero.

    Attributes
    ----------
    rows : slice
        Which rows.
    row : array of int, shape (p,), or None
        Which of these each part belongs to; None if part i is all of row i.
    crossed : array of int
        Rows that hold zero, of noise with a kink there.
    near, far : Tail
        Beyond the ends of the parts.
    left : array, shape (p,)
        What share of the tail beyond the near end is beyond the far end; 0 for narrow parts.
    narrow : Narrow
    share : array, shape (p,), or None
        Of each part in the chance of its row; None if part i is all of row i.
    total : array
        Log-chance of each row; for an exact number that of its density.
    """

    rows: slice
    row: Integers | None
    crossed: Integers
    near: Tail
    far: Tail
    left: Floats
    narrow: Narrow
    share: Floats | None
    total: Floats

    def summed(self, figures: Floats) -> Floats:
        """Average figures of parts, shape (m, p), over the parts of each row."""
        if self.row is None or self.share is None:
            return figures
        n = len(self.total)
        return np.stack([np.bincount(self.row, one, minlength=n) for one in figures * self.share])


def parts(noise: AbstractNoise, ranges: Ranges, location: Floats, scale: float) -> Iterator[Parts]:
    """Give the parts of ranges about their locations, block by block.

    Parameters
    ----------
    noise : AbstractNoise
    ranges : Ranges, n rows
    location : array, shape (n,)
    scale : float

    >>> from askance.estimators.noise.logistic import LogisticNoise
    >>> (seen,) = parts(LogisticNoise(), Ranges([-6.0], [2.0]), np.array([2.0]), 2.0)
    >>> seen.near.side.tolist(), seen.near.t.tolist(), seen.far.t.tolist()
    ([-1.0], [0.0], [4.0])
    """
    for first in range(0, max(len(ranges), 1), _ROWS):
        rows = slice(first, min(first + _ROWS, len(ranges)))
        yield _parts(noise, ranges, location, scale, rows)


def _parts(
    noise: AbstractNoise, ranges: Ranges, location: Floats, scale: float, rows: slice
) -> Parts:
    low, high, width, row = _residuals(ranges, location, scale, rows)
    crossed = np.zeros(0, dtype=np.int64)
    if noise.kink:
        low, high, width, row, crossed = _halved(low, high, width, row)
    side = np.where(low > -high, 1.0, -1.0)
    near = noise.tail(np.clip(np.maximum(low, 0.0 - high), -_FARTHEST, _FARTHEST), side)
    far = noise.tail(np.minimum(np.maximum(high, -low), _FARTHEST), side)
    left = np.exp(np.maximum(far.log_chance - near.log_chance, _LEAST))
    thin = np.flatnonzero(left > _FLAT)
    left[thin] = 0
    log_chance = near.log_chance + np.log1p(-left)
    thin = thin[far.t[thin] < _FARTHEST]
    log_chance[thin], place, weight = _by_nodes(noise, near.t[thin], width[thin], side[thin], scale)
    total, share = _joined(log_chance, row, rows.stop - rows.start)
    return Parts(
        rows=rows,
        row=row,
        crossed=crossed,
        near=near,
        far=far,
        left=left,
        narrow=Narrow(part=thin, place=place, weight=weight),
        share=share,
        total=total,
    )


def _residuals(
    ranges: Ranges, location: Floats, scale: float, rows: slice
) -> tuple[Floats, Floats, Floats, Integers | None]:
    """Give the ends of the pieces about their locations, in scales, how wide they are, and rows."""
    place, row = location[rows], None
    pieces = slice(ranges.starts[rows.start], ranges.starts[rows.stop])
    if not ranges.plain:
        row = np.repeat(np.arange(len(place)), np.diff(ranges.starts[rows.start : rows.stop + 1]))
        place = place[row]
    begin, end = ranges.lower[pieces], ranges.upper[pieces]
    single = single_numbers(begin, end)
    if single.any():
        begin = np.where(single, end, begin)
    return (begin - place) / scale, (end - place) / scale, (end - begin) / scale, row


def _halved(
    low: Floats, high: Floats, width: Floats, row: Integers | None
) -> tuple[Floats, Floats, Floats, Integers, Integers]:
    """Cut pieces that hold zero in two."""
    row = np.arange(len(low)) if row is None else row
    across = np.flatnonzero((low < 0) & (high > 0))
    below, above = high.copy(), high[across]
    below[across], wide = 0, width.copy()
    wide[across] = -low[across]
    return (
        np.concatenate([low, np.zeros(len(across))]),
        np.concatenate([below, above]),
        np.concatenate([wide, above]),
        np.concatenate([row, row[across]]),
        row[across],
    )


def _by_nodes(
    noise: AbstractNoise, near: Floats, width: Floats, side: Floats, scale: float
) -> tuple[Floats, Floats, Floats]:
    """Integrate the density over narrow parts; one number counts by its density."""
    if not width.any():
        place = (side * near)[:, None]
        return noise.log_density(place[:, 0]) - np.log(scale), place, np.ones(place.shape)
    place = side[:, None] * (near[:, None] + width[:, None] * (_NODES + 1) / 2)
    heights = noise.log_density(place)
    top = heights.max(axis=1)
    weight = np.exp(np.maximum(heights - top[:, None], _LEAST)) * _WEIGHTS / 2
    mass = weight.sum(axis=1)
    size = np.log(np.where(width > 0, width, 1 / scale))
    return top + np.log(mass) + size, place, weight / mass[:, None]


def _joined(log_chance: Floats, row: Integers | None, n: int) -> tuple[Floats, Floats | None]:
    """Add the chances of the parts of each row; give each part's share in its row."""
    if row is None:
        return log_chance, None
    top = np.full(n, _LOWEST)
    np.maximum.at(top, row, log_chance)
    chance = np.exp(log_chance - top[row])
    whole = np.bincount(row, chance, minlength=n)
    with np.errstate(divide="ignore"):
        return top + np.log(whole), chance / np.maximum(whole, _TINY)[row]
