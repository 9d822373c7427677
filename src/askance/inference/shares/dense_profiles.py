"""Profile likelihoods of many shares at once, through any channel with a matrix.

One matrix, the curvature at the most likely shares, serves every step of every end: with it held
fixed each step costs products of matrices, and systems of the size of what is held. Steps of
Newton's method would be fewer, but each for one end alone. What does not settle is left to be
climbed to by itself.
"""

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from askance.typing import Booleans, Floats, Integers

_MOST_STEPS = 25
_MOST_EXCHANGES = 12
_CLOSE = 1e-8  # of the root of the deviance
_SINGULAR = 1e-11  # of the largest eigenvalue of the curvature
_SAME = 1e-12  # slopes that are equal but for rounding
_AT_ONCE = 1 << 22  # chances held in memory


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Top:
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
        The answer whose share is held.
    shares : array, shape (p, k)
    held : array of bool, shape (p, k)
        The shares at 0, and the own one.
    """

    own: Integers
    shares: Floats
    held: Booleans

    def here(self) -> Floats:
        """The own shares, shape (p,)."""
        here: Floats = self.shares[np.arange(len(self.own)), self.own]
        return here

    def some(self, which: Booleans) -> "_Walks":
        """Keep some of the walks."""
        return replace(self, own=self.own[which], shares=self.shares[which], held=self.held[which])


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
    spread = _spread(rows * (np.sqrt(counts) / best)[:, None])
    if spread is None:
        return ends
    top = _Top(
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
        left = np.flatnonzero(np.isnan(ends[side]))
        for start in range(0, len(left), size):
            some = left[start : start + size]
            with np.errstate(all="ignore"):  # what is not finite does not settle
                ends[side, some] = _walked(top, which[some], sign)
    return ends


def _spread(scaled: Floats) -> Floats | None:
    """Invert the curvature on changes that sum to zero; None if reports leave a change unseen."""
    values, axes = np.linalg.eigh(scaled.T @ scaled)
    if not values[0] > _SINGULAR * values[-1]:
        return None
    inverse = (axes / values) @ axes.T
    sums = inverse.sum(axis=1)
    spread: Floats = inverse - np.outer(sums, sums) / sums.sum()
    return spread


def _walked(top: _Top, own: Integers, sign: float) -> Floats:
    """Walk until the deviance is z² and the others are at their best; NaN where that fails."""
    ends, at, every = np.full(len(own), np.nan), np.arange(len(own)), np.arange(len(own))
    walks = _Walks(
        own=own,
        shares=np.repeat(top.shares[None], len(own), axis=0),
        held=np.repeat((top.shares <= 0)[None], len(own), axis=0),
    )
    walks.held[every, own] = True
    unit = np.zeros(walks.shares.shape)
    unit[every, own] = 1.0
    ahead = sign * top.z / np.sqrt(_forces(top.spread, walks.held, unit)[every, own])
    slope = np.repeat(top.slope[None], len(own), axis=0)
    for _ in range(_MOST_STEPS):
        walks, kept = _stepped(top.spread, walks, slope, ahead)
        seen, at = _looked(top, walks), at[kept]
        here = walks.here()
        reached = (np.abs(seen.excess) <= _CLOSE) | ((here <= 0) & (seen.excess <= 0))
        settled = (seen.gap <= top.tol) & reached
        ends[at[settled]] = here[settled]
        going = ~settled & np.isfinite(seen.ahead) & (sign * seen.rise < 0)
        at = at[going]
        if not len(at):
            break
        walks, slope, ahead = walks.some(going), seen.slope[going], seen.ahead[going]
    return ends


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Seen:
    """What the likelihood says at some shares.

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


def _looked(top: _Top, walks: _Walks) -> _Seen:
    """Look at the likelihood; nothing is finite where a report that was received has no chance.

    All is computed from what changed, so that 10⁹ reports cost no digits.
    """
    moved = walks.shares - top.shares
    ratio = moved @ top.rows.T / top.best
    fall = (np.log1p(ratio) - ratio) @ top.counts + moved @ top.slope
    slope = top.slope - (top.counts / top.best * (ratio / (1 + ratio))) @ top.rows
    root = np.sqrt(np.maximum(-2 * fall, 0.0))
    every = np.arange(len(moved))
    own, others = slope[every, walks.own], slope.copy()
    others[every, walks.own] = -np.inf
    most, here = others.max(axis=1), walks.here()
    spent = (slope * walks.shares).sum(axis=1) - own * here
    return _Seen(
        slope=slope,
        gap=((1 - here) * most - spent) / top.counts.sum(),
        excess=root - top.z,
        rise=own - most,
        ahead=(root - top.z) * root / (own - most),
    )


def _stepped(
    spread: Floats, walks: _Walks, slope: Floats, ahead: Floats
) -> tuple[_Walks, Booleans]:
    """Move the own share ahead, and the others to the best point of the model on the simplex.

    Shares below 0 are held there, and let go where they would rise: all at once (block principal
    pivoting, Portugal, Júdice & Vicente, 1994). Which walks settled is said, and they are given.
    """
    every, free = np.arange(len(ahead)), slope @ spread
    here = (walks.here() + ahead).clip(0, 1)
    target = -walks.shares
    target[every, walks.own] = here - walks.here()
    close = _SAME * np.abs(slope).max(axis=1)[:, None]
    held, moved = walks.held.copy(), walks.shares.copy()
    waiting: Integers = every
    for _ in range(_MOST_EXCHANGES):
        forces = _forces(spread, held[waiting], (target - free)[waiting])
        point = walks.shares[waiting] + free[waiting] + forces @ spread
        wrong = np.where(held[waiting], forces < -close[waiting], point < 0)
        wrong[np.arange(len(waiting)), walks.own[waiting]] = False
        moved[waiting] = np.where(held[waiting], 0.0, point)
        held[waiting] ^= wrong
        waiting = waiting[np.flatnonzero(wrong.any(axis=1))]
        if not len(waiting):
            break
    moved[every, walks.own] = 0.0
    moved *= ((1 - here) / moved.sum(axis=1))[:, None]
    moved[every, walks.own] = here
    kept = np.array(np.isfinite(moved).all(axis=1))
    kept[waiting] = False
    return _Walks(own=walks.own, shares=moved, held=held).some(kept), kept


def _forces(spread: Floats, held: Booleans, target: Floats) -> Floats:
    """What must push the shares held, so that they move to their targets: zero for the others."""
    most = int(held.sum(axis=1).max())
    order = np.argsort(~held, axis=1, kind="stable")[:, :most]
    used = np.take_along_axis(held, order, axis=1)
    both = used[:, :, None] & used[:, None, :]
    systems = np.where(both, spread[order[:, :, None], order[:, None, :]], np.eye(most))
    systems[held.all(axis=1)] = np.nan  # nothing is left to give way
    sides = np.where(used, np.take_along_axis(target, order, axis=1), 0.0)
    forces = np.zeros(held.shape)
    try:
        found = np.linalg.solve(systems, sides[:, :, None])[:, :, 0]
    except np.linalg.LinAlgError:
        found = np.full(sides.shape, np.nan)
    np.put_along_axis(forces, order, found, axis=1)
    return forces
