"""Every share's profile likelihood at once: in closed form, or through any channel with a matrix.

Where all answers are protected alike (k-ary response) each answer has one report of its own, and
sends all others equally often. With one share fixed the most likely others then come from one
number, so that the intervals of all shares take a few passes over the counts.

Through any other matrix one of them, the curvature at the most likely shares, serves every step of
every end: with it fixed each step costs products of matrices, and systems of the size of what
is fixed. Steps of Newton's method would be fewer, but each for one end alone. What does not settle
is left to be found by itself.
"""

import math
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from askance.typing import Booleans, Floats, Integers

_TOLERANCE = 1e-13  # chances that are equal but for rounding
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
    >>> law = symmetric(rows, np.array([50.0, 20.0, 30.0]))
    >>> law.counts.tolist(), law.base, round(law.slope, 12)
    ([20.0, 30.0, 50.0], 0.2, 0.4)
    """

    counts: Floats
    base: float
    slope: float

    def shares(self) -> Floats:
        """The most likely shares: the unbiased ones, with those below 0 taken from the others.

        >>> law = symmetric(0.4 * np.eye(3) + 0.2, np.array([60.0, 30.0, 10.0]))
        >>> law.shares().round(9).tolist()  # 10 is fewer than 20: of 90, .8 is shared out
        [0.833333333, 0.166666667, 0.0]
        """
        price = _sort_counts(self).top
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

        >>> law = symmetric(np.eye(2), np.array([20.0, 80.0]))  # plain answers: binomial
        >>> low, high = law.intervals(
        ...     np.array([0.2, 0.8]), np.array([0.04, 0.04]), 1.959964, np.array([0])
        ... )
        >>> low.round(6).tolist(), high.round(6).tolist()
        ([0.129749], [0.285427])
        """
        order, start, reach = _sort_counts(self), shares[which], z * se[which]
        low = _find_ends(order, which, z, start, 0.0, start - reach)
        return low, _find_ends(order, which, z, start, 1.0, start + reach)


def symmetric(rows: Floats, counts: Floats) -> Symmetric | None:
    """Recognise a channel symmetric in its answers from its rows; None if it is not.

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
    wide = max(np.ptp(others), np.ptp(highest)) > _TOLERANCE * highest[0]
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

    def price(self, fixed: Integers, share: Floats) -> Floats:
        """Find λ where one share is fixed at a value below 1."""
        return _solve_multiplier(self.own, self.rising, self.sums, (fixed, share))

    def fall(self, fixed: Integers, share: Floats) -> tuple[Floats, Floats]:
        """Log-likelihood lost by fixed shares, below 0, and its derivative by them."""
        own, count = self.own, self.own.counts[fixed]
        most = np.where(self.rising[-1] == count, self.rising[-2], self.rising[-1])
        with np.errstate(divide="ignore", invalid="ignore"):
            last = np.where(most > 0, most / own.base, 0.0)  # all others are at 0
        price = np.where(share < 1, self.price(fixed, np.minimum(share, _BELOW)), last)
        chance, best = own.base + own.slope * share, np.maximum(count / self.top, own.base)
        with np.errstate(divide="ignore", invalid="ignore"):
            itself = np.where(count > 0, count * np.log1p((chance - best) / best), 0.0)
            rise = own.slope * (np.where(count > 0, count / chance, 0.0) - price)
        return itself + self._others(fixed, price), rise

    def _others(self, fixed: Integers, price: Floats) -> Floats:
        """How much log-likelihood the others lose, from their chances max(n/λ, β)."""
        count, part = self.own.counts[fixed], self.parts[fixed]
        now = _zero_threshold(price, self.own.base)
        then = _zero_threshold(np.array([self.top]), self.own.base)
        now_rank, then_rank = (
            np.searchsorted(self.rising, least, side="right") for least in (now, then)
        )
        active = count > now
        remaining = self.sums[-1] - self.sums[now_rank] - active * count
        bent = self.bends[then_rank] - self.bends[now_rank] - part * active + part * (count > then)
        with np.errstate(divide="ignore", invalid="ignore"):
            lost: Floats = np.where(remaining > 0, remaining * np.log(self.top / price), 0.0) + bent
        return lost


def _sort_counts(own: Symmetric) -> _Sorted:
    order = np.argsort(own.counts, kind="stable")
    rising = own.counts[order]
    sums = np.concatenate([[0.0], np.cumsum(rising)])
    top = float(_solve_multiplier(own, rising, sums, _NONE)[0])
    parts = np.zeros(len(rising))
    if own.base > 0:
        is_observed = own.counts > 0
        parts[is_observed] = own.counts[is_observed] * np.log(
            own.counts[is_observed] / (top * own.base)
        )
    bends = np.concatenate([[0.0], np.cumsum(parts[order])])
    return _Sorted(own=own, rising=rising, sums=sums, parts=parts, bends=bends, top=top)


def _solve_multiplier(
    own: Symmetric, rising: Floats, sums: Floats, fixed: tuple[Integers, Floats]
) -> Floats:
    """Find the multiplier λ of the constraint on the sum of shares, with one share fixed or none.

    Shares that would fall below 0 leave, all at once, until none would (Michelot, 1986): each time
    λ rises.
    """
    which, share = fixed
    count, k = np.where(which >= 0, own.counts[which], 0.0), len(rising)
    price = np.full(len(which), -1.0)
    for _ in range(k + 1):
        least = _zero_threshold(price, own.base)
        rank = np.searchsorted(rising, least, side="right")
        itself = (which >= 0) & (count > least)
        remaining = sums[-1] - sums[rank] - itself * count
        raised = remaining / (own.slope * (1 - share) + (k - rank - itself) * own.base)
        if not np.any(raised > price):
            break
        price = np.maximum(raised, price)
    return price


def _zero_threshold(price: Floats, base: float) -> Floats:
    """The count at and below which a share is 0."""
    return price * base if base > 0 else np.minimum(price, 0.0)


def _find_ends(
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
        reached = still & ((np.abs(excess) <= _CLOSE) | ((guess == limit) & (excess <= 0)))
        ends, still = np.where(reached, guess, ends), still & ~reached
        inside, outside = np.where(excess < 0, guess, inside), np.where(excess < 0, outside, guess)
        with np.errstate(divide="ignore", invalid="ignore"):
            guess = guess + excess * root / rise
    return np.where(still, outside, ends)


_MOST_ROUNDS = 25
_MOST_EXCHANGES = 12
_SETTLED = 1e-8  # of the root of the deviance
_SINGULAR = 1e-11  # of the largest eigenvalue of the curvature
_SAME = 1e-12  # slopes that are equal but for rounding
_AT_ONCE = 1 << 22  # chances held in memory


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Maximum:
    """The likelihood about its maximum.

    Attributes
    ----------
    rows : array, shape (m, k)
        Of the reports that were received.
    counts : array, shape (m,)
    shares : array, shape (k,)
    best : array, shape (m,)
        The chance of each report at the most likely shares.
    slope : array, shape (k,)
        The derivative there by each share, less the number of reports, which all have in common.
    spread : array, shape (k, k)
        The inverse of the curvature there, on changes that sum to zero.
    z : float
    """

    rows: Floats
    counts: Floats
    shares: Floats
    best: Floats
    slope: Floats
    spread: Floats
    z: float

    @property
    def tol(self) -> float:
        """How much log-likelihood per report may be missing to the best others."""
        return float(np.clip(1e-8 / self.counts.sum(), 1e-16, 1e-9))


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Walks:
    """Walks from the most likely shares, each towards one end of the interval of one share.

    Attributes
    ----------
    own : array of int, shape (p,)
        The answer whose share is fixed.
    shares : array, shape (p, k)
    fixed : array of bool, shape (p, k)
        The shares at 0, and the own one.
    """

    own: Integers
    shares: Floats
    fixed: Booleans

    def own_shares(self) -> Floats:
        """The own shares, shape (p,)."""
        return self.shares[np.arange(len(self.own)), self.own]

    def some(self, which: Booleans) -> "_Walks":
        """Keep some of the walks."""
        return replace(
            self, own=self.own[which], shares=self.shares[which], fixed=self.fixed[which]
        )


def ends_together(
    rows: Floats, counts: Floats, shares: Floats, z: float, which: Integers
) -> Floats:
    """Find the shares that the likelihood ratio just does not reject, of many answers together.

    An end is settled when the root of its deviance is within 10⁻⁸ of z, and the likelihood of the
    others within 10⁻⁸ of its maximum by the duality gap.

    Parameters
    ----------
    rows : array, shape (m, k)
        Of the reports that were received.
    counts : array, shape (m,)
        All positive.
    shares : array, shape (k,)
        The most likely shares.
    z : float
    which : array of int, shape (p,)

    Returns
    -------
    array, shape (2, p)
        Lower and upper ends; not a number where a walk did not settle.

    >>> shares = np.array([0.5, 0.3, 0.2])  # plain answers: ½ ± .098, by the binomial likelihood
    >>> ends_together(np.eye(3), 100 * shares, shares, 1.959964, np.array([0])).round(6).tolist()
    [[0.402935], [0.597065]]
    """
    ends = np.full((2, len(which)), np.nan)
    best = rows @ shares
    spread = _invert_curvature(rows * (np.sqrt(counts) / best)[:, None])
    if spread is None:
        return ends
    top = _Maximum(
        rows=rows,
        counts=counts,
        shares=shares,
        best=best,
        slope=(counts / best) @ rows - counts.sum(),
        spread=spread,
        z=z,
    )
    ends[0, shares[which] <= 0] = 0.0
    ends[1, shares[which] >= 1] = 1.0
    size = max(_AT_ONCE // len(rows), 1)
    for side, sign in enumerate((-1.0, 1.0)):
        unsettled = np.flatnonzero(np.isnan(ends[side]))
        for start in range(0, len(unsettled), size):
            some = unsettled[start : start + size]
            with np.errstate(all="ignore"):  # what is not finite does not settle
                ends[side, some] = _walk(top, which[some], sign)
    return ends


def _invert_curvature(scaled: Floats) -> Floats | None:
    """Invert the curvature on changes that sum to zero; None if reports leave a change unseen."""
    values, axes = np.linalg.eigh(scaled.T @ scaled)
    if not values[0] > _SINGULAR * values[-1]:
        return None
    inverse = (axes / values) @ axes.T
    sums = inverse.sum(axis=1)
    spread: Floats = inverse - np.outer(sums, sums) / sums.sum()
    return spread


def _walk(top: _Maximum, own: Integers, sign: float) -> Floats:
    """Walk until the deviance is z² and the others are at their best; NaN where that fails."""
    ends, indices, every = np.full(len(own), np.nan), np.arange(len(own)), np.arange(len(own))
    walks = _Walks(
        own=own,
        shares=np.repeat(top.shares[None], len(own), axis=0),
        fixed=np.repeat((top.shares <= 0)[None], len(own), axis=0),
    )
    walks.fixed[every, own] = True
    unit = np.zeros(walks.shares.shape)
    unit[every, own] = 1.0
    ahead = sign * top.z / np.sqrt(_solve_forces(top.spread, walks.fixed, unit)[every, own])
    slope = np.repeat(top.slope[None], len(own), axis=0)
    for _ in range(_MOST_ROUNDS):
        walks, is_kept = _step(top.spread, walks, slope, ahead)
        evaluation, indices = _evaluate(top, walks), indices[is_kept]
        own_shares = walks.own_shares()
        reached = (np.abs(evaluation.excess) <= _SETTLED) | (
            (own_shares <= 0) & (evaluation.excess <= 0)
        )
        settled = (evaluation.gap <= top.tol) & reached
        ends[indices[settled]] = own_shares[settled]
        going = ~settled & np.isfinite(evaluation.ahead) & (sign * evaluation.rise < 0)
        indices = indices[going]
        if not len(indices):
            break
        walks, slope, ahead = walks.some(going), evaluation.slope[going], evaluation.ahead[going]
    return ends


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Evaluation:
    """The likelihood, its slope and gap at some shares.

    Attributes
    ----------
    slope : array, shape (p, k)
        Its derivative by each share, less what all have in common.
    gap : array, shape (p,)
        Per report, what is missing at most to the best others.
    excess : array, shape (p,)
        The root of the deviance, less z.
    rise : array, shape (p,)
        The derivative by the own share, the others giving way.
    ahead : array, shape (p,)
        How far Newton's step for the end goes.
    """

    slope: Floats
    gap: Floats
    excess: Floats
    rise: Floats
    ahead: Floats


def _evaluate(top: _Maximum, walks: _Walks) -> _Evaluation:
    """Evaluate the likelihood; nothing is finite where a received report has no chance.

    All is computed from what changed, so that 10⁹ reports cost no digits.
    """
    changes = walks.shares - top.shares
    ratio = changes @ top.rows.T / top.best
    fall = (np.log1p(ratio) - ratio) @ top.counts + changes @ top.slope
    slope = top.slope - (top.counts / top.best * (ratio / (1 + ratio))) @ top.rows
    root = np.sqrt(np.maximum(-2 * fall, 0.0))
    every = np.arange(len(changes))
    own, others = slope[every, walks.own], slope.copy()
    others[every, walks.own] = -np.inf
    most, own_shares = others.max(axis=1), walks.own_shares()
    spent = (slope * walks.shares).sum(axis=1) - own * own_shares
    return _Evaluation(
        slope=slope,
        gap=((1 - own_shares) * most - spent) / top.counts.sum(),
        excess=root - top.z,
        rise=own - most,
        ahead=(root - top.z) * root / (own - most),
    )


def _step(spread: Floats, walks: _Walks, slope: Floats, ahead: Floats) -> tuple[_Walks, Booleans]:
    """Move the own share ahead, and the others to the best point of the model on the simplex.

    Shares below 0 are held there, and let go where they would rise: all at once (block principal
    pivoting, Portugal, Júdice & Vicente, 1994). Which walks settled is said, and they are given.
    """
    every, free = np.arange(len(ahead)), slope @ spread
    own_shares = (walks.own_shares() + ahead).clip(0, 1)
    target = -walks.shares
    target[every, walks.own] = own_shares - walks.own_shares()
    close = _SAME * np.abs(slope).max(axis=1)[:, None]
    fixed, shares = walks.fixed.copy(), walks.shares.copy()
    waiting: Integers = every
    for _ in range(_MOST_EXCHANGES):
        forces = _solve_forces(spread, fixed[waiting], (target - free)[waiting])
        point = walks.shares[waiting] + free[waiting] + forces @ spread
        wrong = np.where(fixed[waiting], forces < -close[waiting], point < 0)
        wrong[np.arange(len(waiting)), walks.own[waiting]] = False
        shares[waiting] = np.where(fixed[waiting], 0.0, point)
        fixed[waiting] ^= wrong
        waiting = waiting[np.flatnonzero(wrong.any(axis=1))]
        if not len(waiting):
            break
    shares[every, walks.own] = 0.0
    shares *= ((1 - own_shares) / shares.sum(axis=1))[:, None]
    shares[every, walks.own] = own_shares
    is_kept = np.array(np.isfinite(shares).all(axis=1))
    is_kept[waiting] = False
    return _Walks(own=walks.own, shares=shares, fixed=fixed).some(is_kept), is_kept


def _solve_forces(spread: Floats, fixed: Booleans, target: Floats) -> Floats:
    """Forces that move the fixed shares to their targets: zero for the others."""
    most = int(fixed.sum(axis=1).max())
    order = np.argsort(~fixed, axis=1, kind="stable")[:, :most]
    used = np.take_along_axis(fixed, order, axis=1)
    pairs = used[:, :, None] & used[:, None, :]
    systems = np.where(pairs, spread[order[:, :, None], order[:, None, :]], np.eye(most))
    systems[fixed.all(axis=1)] = np.nan  # nothing is left to give way
    sides = np.where(used, np.take_along_axis(target, order, axis=1), 0.0)
    forces = np.zeros(fixed.shape)
    try:
        solution = np.linalg.solve(systems, sides[:, :, None])[:, :, 0]
    except np.linalg.LinAlgError:
        solution = np.full(sides.shape, np.nan)
    np.put_along_axis(forces, order, solution, axis=1)
    return forces
