"""Every share's profile likelihood at once, in closed form, where all answers are protected alike.

k-ary response is such a channel: each answer has one report of its own, and sends all others
equally often. With one share held fixed the most likely others then come from one number, so that
the intervals of all shares take a few passes over the counts.
"""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from askance.typing import Floats, Integers

_ALIKE = 1e-13  # chances that are equal but for rounding
_MOST_STEPS = 80
_CLOSE = 1e-8  # of the root of the deviance
_NARROW = 1e-13  # shares that are equal but for rounding
_BELOW = math.nextafter(1.0, 0.0)
_NONE = (np.array([-1]), np.array([0.0]))


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Symmetric:
    """Reports that come with chance β + α π, one for each answer, and how often each was received.

    Attributes
    ----------
    counts : array, shape (k,)
        In the order of the answers; not necessarily whole.
    base, slope : float
        β, how often any other answer sends the report, and α > 0, how much oftener its own does.

    >>> rows = np.array([[0.2, 0.2, 0.6], [0.6, 0.2, 0.2], [0.2, 0.6, 0.2]])
    >>> found = symmetric(rows, np.array([50.0, 20.0, 30.0]))
    >>> found.counts.tolist(), found.base, round(found.slope, 12)
    ([20.0, 30.0, 50.0], 0.2, 0.4)
    """

    counts: Floats
    base: float
    slope: float

    def shares(self) -> Floats:
        """The most likely shares: the unbiased ones, with those below 0 taken from the others.

        >>> found = symmetric(0.4 * np.eye(3) + 0.2, np.array([60.0, 30.0, 10.0]))
        >>> found.shares().round(9).tolist()  # 10 is fewer than 20: of 90, .8 is shared out
        [0.833333333, 0.166666667, 0.0]
        """
        price = _in_order(self).top
        above = np.maximum(self.counts / price - self.base, 0.0)
        scaled: Floats = above / above.sum()
        return scaled

    def intervals(
        self, shares: Floats, se: Floats, z: float, which: Integers
    ) -> tuple[Floats, Floats]:
        r"""Give the shares that the likelihood ratio does not reject, of several answers at once.

        With π_a = u the others' most likely chances are :math:`\max(n_b / \lambda, \beta)`, with λ
        such that they sum to (k − 1)β + α(1 − u): the active shares are scaled together until they
        reach 0. The log-likelihood falls with slope α (n_a / P_a − λ).

        Parameters
        ----------
        shares, se : array, shape (k,)
            The most likely shares, and where to look first.
        z : float
        which : array of int

        >>> found = symmetric(np.eye(2), np.array([20.0, 80.0]))  # plain answers: binomial
        >>> low, high = found.intervals(
        ...     np.array([0.2, 0.8]), np.array([0.04, 0.04]), 1.959964, np.array([0])
        ... )
        >>> low.round(6).tolist(), high.round(6).tolist()
        ([0.129749], [0.285427])
        """
        order, start, reach = _in_order(self), shares[which], z * se[which]
        low = _ends(order, which, z, start, 0.0, start - reach)
        return low, _ends(order, which, z, start, 1.0, start + reach)


def symmetric(rows: Floats, counts: Floats) -> Symmetric | None:
    """Read the rows of a channel that protects all answers alike; None if it does not.

    Parameters
    ----------
    rows : array, shape (m, k)
        Chance of each report given each answer.
    counts : array, shape (m,)

    >>> symmetric(np.array([[0.6, 0.2], [0.3, 0.5], [0.1, 0.3]]), np.ones(3)) is None
    True
    """
    m, k = rows.shape
    if m != k or k < 2:
        return None
    own = rows.argmax(axis=1)
    if not np.array_equal(np.sort(own), np.arange(k)):
        return None
    highest = rows[np.arange(k), own]
    others = rows.copy()
    others[np.arange(k), own] = rows[0, 1 - min(own[0], 1)]
    wide = max(np.ptp(others), np.ptp(highest)) > _ALIKE * highest[0]
    if wide or highest[0] <= others[0, 0]:
        return None
    ordered = np.empty(k)
    ordered[own] = counts
    base = float(others[0, 0])
    return Symmetric(counts=ordered, base=base, slope=float(highest[0]) - base)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Sorted:
    """The counts in rising order with their sums, and λ at the maximum over all shares.

    Of a count n, ``parts`` and their sums ``bends`` hold n ln(n/λβ): what it adds to the
    log-likelihood by not being at 0.
    """

    own: Symmetric
    rising: Floats
    sums: Floats
    parts: Floats
    bends: Floats
    top: float

    def price(self, held: Integers, share: Floats) -> Floats:
        """Find λ where one share is held at a value below 1."""
        return _price(self.own, self.rising, self.sums, (held, share))

    def fall(self, held: Integers, share: Floats) -> tuple[Floats, Floats]:
        """How much log-likelihood held shares lose, below 0, and how fast that rises with them."""
        own, count = self.own, self.own.counts[held]
        most = np.where(self.rising[-1] == count, self.rising[-2], self.rising[-1])
        with np.errstate(divide="ignore", invalid="ignore"):
            last = np.where(most > 0, most / own.base, 0.0)  # all others are at 0
        price = np.where(share < 1, self.price(held, np.minimum(share, _BELOW)), last)
        chance, best = own.base + own.slope * share, np.maximum(count / self.top, own.base)
        with np.errstate(divide="ignore", invalid="ignore"):
            itself = np.where(count > 0, count * np.log1p((chance - best) / best), 0.0)
            rise = own.slope * (np.where(count > 0, count / chance, 0.0) - price)
        return itself + self._others(held, price), rise

    def _others(self, held: Integers, price: Floats) -> Floats:
        """How much log-likelihood the others lose, from their chances max(n/λ, β)."""
        count, part = self.own.counts[held], self.parts[held]
        now, then = _least(price, self.own.base), _least(np.array([self.top]), self.own.base)
        at, was = (np.searchsorted(self.rising, least, side="right") for least in (now, then))
        active = count > now
        kept = self.sums[-1] - self.sums[at] - active * count
        bent = self.bends[was] - self.bends[at] - part * active + part * (count > then)
        with np.errstate(divide="ignore", invalid="ignore"):
            lost: Floats = np.where(kept > 0, kept * np.log(self.top / price), 0.0) + bent
        return lost


def _in_order(own: Symmetric) -> _Sorted:
    order = np.argsort(own.counts, kind="stable")
    rising = own.counts[order]
    sums = np.concatenate([[0.0], np.cumsum(rising)])
    top = float(_price(own, rising, sums, _NONE)[0])
    parts = np.zeros(len(rising))
    if own.base > 0:
        seen = own.counts > 0
        parts[seen] = own.counts[seen] * np.log(own.counts[seen] / (top * own.base))
    bends = np.concatenate([[0.0], np.cumsum(parts[order])])
    return _Sorted(own=own, rising=rising, sums=sums, parts=parts, bends=bends, top=top)


def _price(own: Symmetric, rising: Floats, sums: Floats, held: tuple[Integers, Floats]) -> Floats:
    """Find λ, where shares are held one by one; −1 holds none.

    Shares that would fall below 0 leave, all at once, until none would (Michelot, 1986): each time
    λ rises.
    """
    which, share = held
    count, k = np.where(which >= 0, own.counts[which], 0.0), len(rising)
    price = np.full(len(which), -1.0)
    for _ in range(k + 1):
        least = _least(price, own.base)
        at = np.searchsorted(rising, least, side="right")
        itself = (which >= 0) & (count > least)
        left = sums[-1] - sums[at] - itself * count
        moved = left / (own.slope * (1 - share) + (k - at - itself) * own.base)
        if not np.any(moved > price):
            break
        price = np.maximum(moved, price)
    return price


def _least(price: Floats, base: float) -> Floats:
    """The count at and below which a share is 0."""
    return price * base if base > 0 else np.minimum(price, 0.0)


def _ends(
    order: _Sorted, which: Integers, z: float, share: Floats, limit: float, guess: Floats
) -> Floats:
    """Walk from the most likely shares towards a limit, by Newton steps kept in brackets."""
    inside, outside = share.copy(), np.full(len(which), limit)
    tried = np.zeros(len(which), dtype=bool)
    still, ends = np.ones(len(which), dtype=bool), outside.copy()
    for _ in range(_MOST_STEPS):
        narrow = still & (np.abs(outside - inside) <= _NARROW)
        ends, still = np.where(narrow, outside, ends), still & ~narrow
        if not still.any():
            break
        between = (np.minimum(inside, outside) < guess) & (guess < np.maximum(inside, outside))
        guess = np.where(between, guess, np.where(tried, (inside + outside) / 2, limit))
        fall, rise = order.fall(which, guess)
        root = np.sqrt(np.maximum(-2 * fall, 0.0))
        excess, tried = root - z, tried | (guess == limit)
        found = still & ((np.abs(excess) <= _CLOSE) | ((guess == limit) & (excess <= 0)))
        ends, still = np.where(found, guess, ends), still & ~found
        inside, outside = np.where(excess < 0, guess, inside), np.where(excess < 0, outside, guess)
        with np.errstate(divide="ignore", invalid="ignore"):
            guess = guess + excess * root / rise
    return np.where(still, outside, ends)
