"""Intervals for each of many shares, by profile likelihood."""

from dataclasses import dataclass
from typing import final

import numpy as np

from askance.estimators.shares.informative import Informative
from askance.estimators.shares.simplex import Mixture, climb
from askance.typing import Floats, Integers

_MOST_STEPS = 80
_CLOSE = 1e-8  # of the root of the deviance
_NARROW = 1e-13  # shares that are equal but for rounding


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Profile:
    """The likelihood as a function of one share, the others at their best."""

    own: Floats
    rows: Floats
    counts: Floats
    best: Floats
    others: Floats
    z: float

    def excess(self, share: float) -> tuple[float, float]:
        """Give √deviance − z at a share, and its derivative."""
        chance, slope = self._refit(share)
        if chance is None:
            return np.inf, np.nan
        fall = float(self.counts @ np.log1p((chance - self.best) / self.best))
        root = max(-2 * fall, 0.0) ** 0.5
        return root - self.z, -slope / root if root > 0 else np.nan

    def _refit(self, share: float) -> tuple[Floats | None, float]:
        offset, total = share * self.own, 1 - share
        if not np.all(offset + total * self.rows.max(axis=1) > 0):
            return None, np.nan
        problem = Mixture(rows=self.rows, weights=self.counts, offset=offset, total=total)
        shares = total * self.others
        if total > 0:
            tol = float(np.clip(1e-8 / self.counts.sum(), 1e-13, 1e-9))
            shares, _ = climb(problem, shares, tol)
        chance = problem.chance(shares)
        weight = self.counts / chance
        return chance, float(weight @ self.own - (weight @ self.rows).max())


def profile_intervals(
    data: Informative, shares: Floats, se: Floats, z: float, which: Integers
) -> Floats:
    """Give, for each answer, the shares that the likelihood ratio does not reject.

    All u with 2 (max l − max {l : π_i = u}) ≤ z² (Venzon & Moolgavkar, 1988); the interval holds
    the most likely share and stays in [0, 1].

    Parameters
    ----------
    data : Informative
    shares : array, shape (k,)
        The most likely shares.
    se : array, shape (k,)
        Where to look first.
    z : float
        Normal quantile of the level.
    which : array of int
        The answers to profile.

    Returns
    -------
    array, shape (2, k)
        Lower and upper ends; 0 and 1 for answers that are not profiled.
    """
    seen = data.counts > 0
    rows, counts = data.rows[seen], data.counts[seen]
    best = rows @ shares
    ends = np.stack([np.zeros(len(shares)), np.ones(len(shares))])
    for at in which.tolist():
        share = shares[at]
        others = np.delete(shares, at)
        others = 0.999 * others / (others.sum() or 1.0) + 0.001 / len(others)
        profile = _Profile(
            own=rows[:, at],
            rows=np.delete(rows, at, axis=1),
            counts=counts,
            best=best,
            others=others / others.sum(),
            z=z,
        )
        ends[0, at] = _end(profile, float(share), 0.0, float(share - z * se[at]))
        ends[1, at] = _end(profile, float(share), 1.0, float(share + z * se[at]))
    return ends


def _end(profile: _Profile, share: float, limit: float, guess: float) -> float:
    """Walk from the most likely share towards the limit, by Newton steps kept in a bracket."""
    inside, outside, tried = share, limit, False
    for _ in range(_MOST_STEPS):
        if abs(outside - inside) <= _NARROW:
            break
        if not min(inside, outside) < guess < max(inside, outside):
            guess = (inside + outside) / 2 if tried else limit
        excess, slope = profile.excess(guess)
        tried = tried or guess == limit
        if abs(excess) <= _CLOSE or (guess == limit and excess <= 0):
            return guess
        inside, outside = (guess, outside) if excess < 0 else (inside, guess)
        guess = guess - excess / slope if np.isfinite(excess) else np.nan
    return outside
