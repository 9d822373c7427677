"""The best of a quadratic model on a simplex: whole sets of shares enter and leave zero at once."""

import numpy as np

from askance.typing import Booleans, Floats, Integers

_EXCHANGES = 25  # mostly a handful settle
_SAME = 1e-13  # prices that are equal but for rounding


def best_of_model(shares: Floats, slope: Floats, curvature: Floats, total: float) -> Floats:
    """Maximise slope·d − d·curvature·d/2 over d with shares + d on the simplex.

    Block principal pivoting (Portugal, Júdice & Vicente, 1994): all shares on the wrong side of
    their optimality condition change sides together, which takes a handful of solves. Where that
    does not settle, a primal active set that lets one share in at a time, which must.

    Parameters
    ----------
    shares : array, shape (k,)
        On the simplex.
    slope : array, shape (k,)
    curvature : array, shape (k, k)
        Symmetric and positive definite.
    total : float
        What shares sum to.

    >>> best_of_model(np.array([0.5, 0.5]), np.array([1.0, 0.0]), np.eye(2), 1.0).tolist()
    [1.0, 0.0]
    """
    linear = slope + curvature @ shares
    point = _by_blocks(linear, curvature, shares > 0, total)
    if point is None:
        point = _one_by_one(shares, slope, curvature, total)
    scaled: Floats = point * (total / point.sum())
    return scaled


def _by_blocks(linear: Floats, curvature: Floats, free: Booleans, total: float) -> Floats | None:
    """Exchange all that is wrong at once; None if the number of wrong shares stops falling."""
    fewest, patience = len(linear) + 1, 3
    for _ in range(_EXCHANGES):
        at = np.flatnonzero(free)
        if not len(at):
            return None
        both = _solved(curvature, at, linear)
        price = (both[:, 0].sum() - total) / both[:, 1].sum()
        point = np.zeros(len(linear))
        point[at] = both[:, 0] - price * both[:, 1]
        wrong = np.where(free, point < 0, linear - curvature @ point > price + _SAME * abs(price))
        count = int(wrong.sum())
        if not count:
            return point
        fewest, patience = (count, 3) if count < fewest else (fewest, patience - 1)
        if not patience:
            return None
        free = free ^ wrong
    return None


def _one_by_one(shares: Floats, slope: Floats, curvature: Floats, total: float) -> Floats:
    """Walk along the free shares' best direction until one reaches zero; let the best one in."""
    point, free = shares.copy(), shares > 0
    left = slope.copy()
    for _ in range(10 * len(shares) + 10):
        at = np.flatnonzero(free)
        both = _solved(curvature, at, left)
        price = both[:, 0].sum() / both[:, 1].sum()
        step = both[:, 0] - price * both[:, 1]
        falling = step < 0
        reach = np.min(point[at][falling] / -step[falling], initial=1.0)
        point[at] = np.maximum(point[at] + reach * step, 0)
        if reach < 1:
            free[at[falling & (point[at] <= 1e-15 * total)]] = False
            point[~free] = 0
        left = slope - curvature @ (point - shares)
        if reach < 1:
            continue
        best = int(np.argmax(np.where(free, -np.inf, left)))
        if free.all() or left[best] <= price * (1 + _SAME):
            break
        free[best] = True
    return point


def _solved(curvature: Floats, at: Integers, right: Floats) -> Floats:
    """Solve for the free shares: towards the given slope, and towards a slope of one each."""
    sides = np.stack([right[at], np.ones(len(at))], axis=1)
    return np.asarray(np.linalg.solve(curvature[np.ix_(at, at)], sides), dtype=np.float64)
