"""Mutual information for many unlike answers: columns made as prices ask for them."""

import math

import numpy as np

from askance.design.optimum.limits import Limits
from askance.design.optimum.utility import shared_nats
from askance.design.solver.simplex import best_corner
from askance.errors import InputError
from askance.typing import Floats

_ROUNDS = 30
_GAP = 1e-9  # relative; columns that gain less are not added
_EMPTY = 1e-12  # a chance that is only rounding


def generated(limits: Limits, shares: Floats) -> tuple[Floats, Floats, float]:
    r"""Maximise the mutual information under one bound e^ε on all ratios.

    What a staircase column tells depends on the share p = π(S) of its high answers alone: with
    r = e^ε and s = 1 + (r − 1)p it is g(p) = p r ln r − s ln s, which is concave. So columns are
    sought at the share that tells most for its weight, by exchanging answers; a linear programme
    mixes them; its prices, with g relaxed to all p, bound every other mixture.

    Parameters
    ----------
    limits : Limits
        One bounded ratio and nothing else.
    shares : array, shape (k,)
        π.

    Returns
    -------
    columns : array, shape (m, k)
    chances : array, shape (m,)
    bound : float
    """
    ratio = limits.common_ratio
    if ratio is None or limits.caps:
        raise InputError("constraints", got="unlike pairs", allowed="one bounded loss")
    r, k = float(ratio), len(shares)
    rng = np.random.default_rng(0)
    best_share = _best_share(r)
    high = np.vstack(
        [np.eye(k, dtype=bool), ~np.eye(k, dtype=bool), _near(best_share, shares, rng, 24 * k)]
    )
    bound, chances, columns = math.inf, np.zeros(0), np.zeros((0, k))
    for _ in range(_ROUNDS):
        columns = np.where(high, r, 1.0)
        scores = shared_nats(columns, shares)
        corner = best_corner(scores, columns.T, np.ones(k))
        chances, price = corner.z, corner.price
        value = float(scores @ chances)
        bound = min(bound, _relaxed(r, price, shares))
        gains = scores - columns @ price
        if bound - value <= _GAP * bound:
            break
        tried = _climbed(high[np.argsort(gains)[-2 * k :]], r, price, shares)
        more = np.unique(tried, axis=0)
        new = shared_nats(np.where(more, r, 1.0), shares) - np.where(more, r, 1.0) @ price
        more = more[new > _GAP * bound]
        if not len(more):
            break
        high = np.unique(np.vstack([high[gains > -0.1 * value], more]), axis=0)
    used = chances > _EMPTY
    return columns[used], chances[used], bound


def _best_share(r: float) -> float:
    """Give the share of high answers that tells most for the weight that the column takes."""
    from scipy.optimize import minimize_scalar

    def told(s: float) -> float:
        return -(r * math.log(r) * (s - 1) / (r - 1) / s - math.log(s))

    found = minimize_scalar(told, bounds=(1.0, r), method="bounded", options={"xatol": 1e-12})
    return (float(found.x) - 1) / (r - 1)


def _near(share: float, shares: Floats, rng: np.random.Generator, number: int) -> Floats:
    """Draw sets and exchange answers until their shares are as near as single exchanges get."""
    k = len(shares)
    sets = rng.random((number, k)) < share
    moves = np.vstack([np.eye(k), (np.eye(k)[:, None] - np.eye(k)[None, :]).reshape(-1, k)])
    moves = moves[np.abs(moves).sum(axis=1) > 0]
    gains = moves @ shares
    takes, gives = moves > 0, moves < 0
    for chosen in sets:
        for _ in range(4 * k):
            off = share - float(shares[chosen].sum())
            fits = ~(takes & chosen).any(axis=1) & ~(gives & ~chosen).any(axis=1)
            best = int(np.argmin(np.where(fits, np.abs(off - gains), np.inf)))
            if not fits[best] or abs(off - gains[best]) >= abs(off):
                break
            chosen[:] = (chosen | takes[best]) & ~gives[best]
    kept: Floats = np.unique(sets[sets.any(axis=1) & ~sets.all(axis=1)], axis=0)
    return kept


def _climbed(sets: Floats, r: float, price: Floats, shares: Floats) -> Floats:
    """Put in or take out single answers while the reduced gain grows."""
    cost = (r - 1) * price
    high = sets.copy()
    for _ in range(4 * len(shares)):
        p = high @ shares
        toggled = p[:, None] + np.where(high, -1, 1) * shares
        change = _told(toggled, r) - _told(p, r)[:, None] - np.where(high, -1, 1) * cost
        best = np.argmax(change, axis=1)
        rows = np.flatnonzero(change[np.arange(len(high)), best] > 1e-13)
        if not len(rows):
            break
        high[rows, best[rows]] = ~high[rows, best[rows]]
    return high


def _told(p: Floats, r: float) -> Floats:
    s = 1 + (r - 1) * p
    told: Floats = p * r * math.log(r) - s * np.log(s)
    return told


def _relaxed(r: float, price: Floats, shares: Floats) -> float:
    """Bound every mixture: by the best share alone, or by prices with answers divisible.

    A mixture's chances sum to one at most, since columns are one at least.
    """
    p = _best_share(r)
    alone = float(_told(np.array(p), r)) / (1 + (r - 1) * p)
    order = np.argsort(price / shares)
    cost, there = (r - 1) * price[order], shares[order]
    ends = np.concatenate([[0.0], np.cumsum(there)])
    spent = np.concatenate([[0.0], np.cumsum(cost)])
    slopes = cost / there
    level = np.clip((np.exp((r * math.log(r) - slopes) / (r - 1) - 1) - 1) / (r - 1), 0, 1)
    inside = np.clip(level, ends[:-1], ends[1:])
    gains = _told(inside, r) - spent[:-1] - slopes * (inside - ends[:-1])
    worst = max(float(gains.max()) - float(price.sum()), 0.0)
    return min(alone, float(price.sum()) + worst)
