"""How far a likelihood ratio goes that is true: the law of 𝔻, χ², and those of shares that tie."""

from dataclasses import dataclass
from functools import cache
from typing import final

import numpy as np
from scipy.special import gammaincinv

from askance.errors import InputError
from askance.inference.ranges.support import OrderedEnds, several_ends, some_exact
from askance.typing import Floats, Integers

LOWEST, HIGHEST = 0.5, 0.999
"""The levels at which the law is tabled."""

_QUANTILES = {
    0.5: 0.2809,
    0.6: 0.4321,
    0.7: 0.6492,
    0.75: 0.7947,
    0.8: 0.9813,
    0.85: 1.2306,
    0.9: 1.5997,
    0.925: 1.8691,
    0.95: 2.2580,
    0.975: 2.9468,
    0.98: 3.1660,
    0.99: 3.8838,
    0.995: 4.6148,
    0.999: 6.3765,
}
"""From ``papers/banerjee-wellner-2001/limit.py``: a million paths, steps of 0.00125. The standard
error at 0.95 is 0.005; four times coarser steps lower the figure by 0.003."""


def critical_value(level: float, way: float) -> float:
    """What twice the fall of the log-likelihood stays below this often.

    Parameters
    ----------
    level : float
        In [0.5, 0.999].
    way : float
        0 where cuts hardly ever tie: the law of 𝔻 (Banerjee & Wellner, 2001), simulated and
        interpolated. 1 where many people share each cut: χ² with one degree of freedom (Tang,
        Banerjee & Kosorok, 2012). In between and beyond, that far from the first to the second.

    Raises
    ------
    InputError
        If the level is outside the table.

    >>> round(critical_value(0.95, 1), 4)
    3.8415
    >>> round(critical_value(0.95, 0), 2)
    2.26
    >>> levels = np.linspace(0.5, 0.999, 200)
    >>> own, half, top = ([critical_value(one, way) for one in levels] for way in (0, 0.5, 1))
    >>> bool((np.diff(own) > 0).all() and np.less(own, half).all() and np.less(half, top).all())
    True
    """
    levels = np.array(list(_QUANTILES))
    if not LOWEST <= level <= HIGHEST:
        raise InputError("level", got=level, allowed=f"a level in [{LOWEST}, {HIGHEST}]")
    own = np.interp(-np.log1p(-level), -np.log1p(-levels), list(_QUANTILES.values()))
    return float(own + way * (2 * gammaincinv(0.5, level) - own))


_TIED = (0, 1, 2, 3, 4, 6, 9, 14, 22, 40, 80, 160, 320)
_WAY_BESIDE = (
    (1.00,),
    (1.01, 0.59),
    (1.21, 0.57, 0.44),
    (1.39, 0.69, 0.44, 0.41),
    (1.57, 0.77, 0.49, 0.41, 0.35),
    (1.81, 1.00, 0.66, 0.47, 0.39, 0.34),
    (2.09, 1.27, 0.84, 0.64, 0.51, 0.34, 0.30),
    (2.36, 1.57, 1.15, 0.91, 0.73, 0.49, 0.34, 0.27),
    (2.69, 1.87, 1.50, 1.20, 1.02, 0.73, 0.50, 0.33, 0.29),
    (3.05, 2.28, 1.93, 1.67, 1.43, 1.20, 0.90, 0.60, 0.38, 0.22),
    (3.49, 2.74, 2.41, 2.14, 1.96, 1.69, 1.39, 1.09, 0.76, 0.37, 0.29),
    (3.85, 3.23, 2.89, 2.63, 2.52, 2.23, 1.94, 1.58, 1.24, 0.82, 0.45, 0.20),
    (4.35, 3.75, 3.44, 3.13, 2.86, 2.92, 2.43, 2.13, 1.92, 1.36, 0.75, 0.41, 0.26),
)
"""How far the 0.95 quantile lies on the way from 𝔻 to χ² where so many shares are equal to that
held on one side of it, and so many on the other, and all others far away: from
``papers/tang-banerjee-kosorok-2012/beside.py``: 80,000 paths, fewer of many shares. One column
serves all levels: beyond χ² that at 0.8 is larger, that at 0.99 smaller."""

_APART = 2.2  # standard errors at which a share beside that held hardly ties with it
_SHARED = 1.5  # people to an end: of fewer the law is that without ties
_NOBODY = 1e-300


def way_beside(before: Floats, after: Floats) -> Floats:
    """Say how far the law of the ratio is from that of 𝔻, at 0, to χ², at 1, and beyond.

    Parameters
    ----------
    before, after : array, shape (k,)
        How many shares tie with that held, on either side of it.

    >>> way_beside(np.array([0.0, 9, 40]), np.array([0.0, 0, 40])).round(2).tolist()
    [1.0, 2.09, 0.22]
    """
    table, known = _ways(), np.log1p(_TIED)
    place = [np.interp(np.log1p(one), known, np.arange(len(known))) for one in (before, after)]
    (low, high), cell = place, [np.minimum(one.astype(int), len(known) - 2) for one in place]
    (a, b), (s, t) = cell, (low - cell[0], high - cell[1])
    near = (1 - t) * table[a, b] + t * table[a, b + 1]
    far = (1 - t) * table[a + 1, b] + t * table[a + 1, b + 1]
    found: Floats = (1 - s) * near + s * far
    return found


@cache
def _ways() -> Floats:
    half = np.zeros((len(_TIED), len(_TIED)))
    for row, told in zip(half, _WAY_BESIDE, strict=True):
        row[: len(told)] = told
    return np.maximum(half, half.T)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeldLaw:
    r"""How large a squared deviate may be at a share that is held, by the shares beside it.

    Where all with F(t) = θ are compared, the most likely of them has the law that is nearest to the
    truth's if θ is true: how many of its shares beside t are θ, or so near that they tie with it,
    decides how large the ratio gets. One that ends a stretch where nobody is, beside many people,
    has no neighbour on one side to pull it back. A share as far from θ as d of its standard errors,
    known as well as all from t up to it together, counts exp(−(d/2.2)²) of what is known there over
    what is known at t: 2.2 is where shares that rise evenly get the quantiles of
    `way_to_chi_square`.

    Attributes
    ----------
    level : float
    people : array, shape (c,)
        How many told of each end.
    """

    level: float
    people: Floats

    @classmethod
    def of(cls, cuts: OrderedEnds, level: float) -> "HeldLaw | None":
        """Count who told of each end; None where hardly any is shared, or some told otherwise."""
        shared = cuts.ranges.total > _SHARED * len(cuts.ends)
        if not shared or some_exact(cuts.ranges) or several_ends(cuts.ranges):
            return None
        return cls(level=level, people=cuts.summed(cuts.ranges.weights))

    def critical(self, at: Integers, shares: Floats, effect: Floats) -> Floats:
        """Say how large a squared deviate may be.

        Parameters
        ----------
        at : array of int, shape (k,)
            At which end each share is held.
        shares : array, shape (k, c)
            Up to all ends, as they are most likely then.
        effect : array, shape (k,)
            Design effects: so many times fewer people are known of.
        """
        nearest, furthest = critical_value(self.level, 0), critical_value(self.level, 1)
        way = way_beside(*self._tied(at, shares, effect))
        found: Floats = nearest + way * (furthest - nearest)
        return found

    def _tied(self, at: Integers, shares: Floats, effect: Floats) -> Floats:
        """How many shares tie with that held, before it and after it, shape (2, k)."""
        rows, ends = np.arange(len(at)), np.arange(len(self.people))
        share, upto, here = shares[rows, at], np.cumsum(self.people), at[:, None]
        variance = np.maximum(share * (1 - share) * effect, _NOBODY)[:, None]
        first, last = upto - self.people, upto[here]
        between = np.where(ends < here, first[here] - first, upto - last)
        apart = (shares - share[:, None]) ** 2 * between / variance
        tied = self.people * np.exp(-apart / _APART**2)
        before = np.where(ends < here, tied, 0.0).sum(axis=1)
        after = np.where(ends > here, tied, 0.0).sum(axis=1)
        return np.stack([before, after]) / self.people[at]
