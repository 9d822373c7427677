"""How far a likelihood ratio goes that is true: the law of 𝔻, χ², and those of shares that tie."""

from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.special import digamma, gammaincinv

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


_MEANS = (0.693, 0.72, 0.76, 0.8333, 1.0, 1.24, 1.51, 1.89, 2.16, 2.5, 3.18)
_WAY_OF_MEAN = (0.2, 0.3, 0.39, 0.59, 1.0, 1.57, 2.09, 2.69, 3.05, 3.49, 4.35)
"""How far the 0.95 quantile lies on the way from 𝔻 to χ² where shares tie, by the ratio's mean:
from ``papers/tang-banerjee-kosorok-2012/beside.py``. Of 91 numbers of shares before and after, up
to 320 each, roots of quantiles are within 2.5 % of it. One column serves all levels: beyond χ² that
at 0.8 is larger, that at 0.99 smaller."""

_APART = 2.0  # standard errors at which a share beside that held hardly ties with it
_SHARED = 1.5  # people to an end: of fewer the law is that without ties
_NOBODY = 1e-300


def way_beside(before: Floats, after: Floats) -> Floats:
    r"""Say how far the law of the ratio is from that of 𝔻, at 0, to χ², at 1, and beyond.

    Let b shares before that held be equal to it, a after it, and all others far away. Then the
    ratio is the squared length of a normal vector projected on the cone of b + 1 + a shares that
    rise, less that on the cone of those that rise to 0 and from it. Its mean is the difference of
    the cones' statistical dimensions (Godland & Kabluchko, 2020),

    .. math:: H_{b+1+a} - \tfrac12 H_b - \tfrac12 H_a, \qquad H_k = 1 + \tfrac12 + \ldots + \tfrac1k

    of which the quantile is a function, but for a few hundredths. What is counted in part is the
    chance that one more ties: the mean of both laws is taken.

    Parameters
    ----------
    before, after : array, shape (k,)
        How many shares tie with that held, on either side of it; not whole where some nearly do.

    >>> way_beside(np.array([0.0, 9, 40]), np.array([0.0, 0, 40])).round(2).tolist()
    [1.0, 2.1, 0.22]
    """
    ways = np.zeros_like(before)
    for p, b in _whole(before):
        for q, a in _whole(after):
            ways += p * q * _way_of_whole(b, a)
    return ways


def _whole(count: Floats) -> list[tuple[Floats, Floats]]:
    """Give the whole numbers on either side of a count, each with its chance."""
    more = count % 1
    return [(1 - more, np.floor(count)), (more, np.floor(count) + 1)]


def _way_of_whole(before: Floats, after: Floats) -> Floats:
    one_sided = _harmonic(before) + _harmonic(after)
    mean = _harmonic(before + 1 + after) - one_sided / 2
    return np.asarray(np.interp(mean, _MEANS, _WAY_OF_MEAN))


def _harmonic(k: Floats) -> Floats:
    return np.asarray(digamma(k + 1) + np.euler_gamma)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeldLaw:
    r"""How large a squared deviate may be at a share that is held, by the shares beside it.

    Where all with F(t) = θ are compared, the most likely of them has the law that is nearest to the
    truth's if θ is true: how many of its shares beside t are θ, or so near that they tie with it,
    decides how large the ratio gets. One that ends a stretch where nobody is, beside many people,
    has no neighbour on one side to pull it back. A share as far from θ as d of its standard errors,
    known as well as all from t up to it together, counts exp(−(d/2)²) of what is known there over
    what is known at t. If less counted, those that rise evenly would get too large quantiles; if
    more, those beside a jump that few people tell of would get too small ones.

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
