"""Newton's method on a small support, in the levels of the cumulative share.

In levels a row bends the likelihood at its few ends alone, and a place without mass is two levels
that are one; so the model's best point on any set of places is one Cholesky solve.
"""

from collections.abc import Callable
from itertools import combinations

import numpy as np

from askance.estimators.ranges.runs import Runs
from askance.typing import Floats, Integers

_MOST_STEPS = 60
_EXCHANGES = 30
_HALVINGS = 40
_SAME = 1e-12
_ROUNDING = 4e-15


def gain(runs: Runs, new: list[Floats], old: list[Floats]) -> float:
    """Give how much log-likelihood a change of the chances gains; −∞ if one is lost."""
    total = 0.0
    for weight, now, before in zip(runs.weights(), new, old, strict=True):
        if len(now) and now.min() <= 0:
            return -np.inf
        total += float(weight @ np.log1p((now - before) / before))
    return total


def searched(
    runs: Runs, mass: Floats, target: Floats, chances: list[Floats]
) -> tuple[Floats, list[Floats]] | None:
    """Go towards the target, halving until the likelihood rises; None if it never does."""
    length, there = 1.0, runs.chances(target)
    for _ in range(_HALVINGS):
        moved = [old + length * (new - old) for new, old in zip(there, chances, strict=True)]
        if gain(runs, moved, chances) > 0:
            if length < 1:
                target = mass + length * (target - mass)
                moved = runs.chances(target)
            return target, moved
        length /= 2
    return None


def newton(runs: Runs, mass: Floats, tol: float) -> Floats:
    """Climb to the most likely masses on all places of a small problem.

    Parameters
    ----------
    runs : Runs
    mass : array, shape (m,)
        On the simplex, giving every row a positive chance.
    tol : float
        Stop when the gap is at most this, or nothing is gained any more.
    """
    chances = runs.chances(mass)
    slope, gradient = runs.pulls(runs.ratios(chances))
    for _ in range(_MOST_STEPS):
        gap = slope.max() / runs.n - 1
        if gap <= tol or runs.m == 1:
            break
        target = _best_of_model(mass, gradient, bend(runs, chances))
        there = runs.chances(target)
        pulls = _polished(runs, there, chances, gap)
        if pulls is None:
            found = searched(runs, mass, target, chances)
            if found is None:
                risen = mass * slope
                found = searched(runs, mass, risen / risen.sum(), chances)
            if found is None:
                break
            target, there = found
            pulls = runs.pulls(runs.ratios(there))
        mass, chances, (slope, gradient) = target, there, pulls
    return mass


def _polished(
    runs: Runs, there: list[Floats], chances: list[Floats], gap: float
) -> tuple[Floats, Floats] | None:
    """Give the pulls after the whole step if it at least halves the gap and loses nothing."""
    if gain(runs, there, chances) < -_ROUNDING * runs.n:
        return None
    pulls = runs.pulls(runs.ratios(there))
    return pulls if pulls[0].max() / runs.n - 1 < gap / 2 else None


def bend(runs: Runs, chances: list[Floats]) -> Floats:
    """Give minus the second derivative by each pair of the levels 1 … m − 1."""
    m = runs.m
    pairs = np.zeros((m + 1) * (m + 1))

    def add(one: Integers, two: Integers, value: Floats) -> None:
        key = one * (m + 1) + two
        if len(key) > len(pairs) // 8:
            pairs[:] += np.bincount(key, value, len(pairs))
        else:
            np.add.at(pairs, key, value)

    curves = [ratio / chance for ratio, chance in zip(runs.ratios(chances), chances, strict=True)]
    for part, curve in zip(runs.parts, curves, strict=False):
        for (one, left), (two, right) in combinations(part.signed(), 2):
            add(one, two, curve * (left * right))
    add(runs.points, runs.points + 1, -curves[-1])
    square = pairs.reshape(m + 1, m + 1)[1:-1, 1:-1]
    square = square + square.T
    np.einsum("ii->i", square)[:] += runs.by_level(curves, signed=False)[1:-1]
    return square


def _best_of_model(mass: Floats, gradient: Floats, curvature: Floats) -> Floats:
    """Maximise the quadratic model over the simplex by exchanging blocks of places.

    Portugal, Júdice & Vicente (1994); where blocks do not settle, places leave one at a time.
    """
    free = mass > 0
    fewest, patience = len(mass) + 1, 3
    for _ in range(_EXCHANGES):
        target, left = _on_places(np.flatnonzero(free), curvature, gradient, mass)
        price = left[free].max()
        wrong = np.where(free, target < 0, left > price + _SAME * np.abs(left).max())
        count = int(wrong.sum())
        if not count:
            return target
        fewest, patience = (count, 3) if count < fewest else (fewest, patience - 1)
        if not patience or not (free ^ wrong).any():
            break
        free = free ^ wrong
    return _leaving(mass, lambda at: _on_places(at, curvature, gradient, mass)[0])


def _leaving(mass: Floats, best: Callable[[Integers], Floats]) -> Floats:
    """Walk to the best point of the free places, shutting out those that would go below zero."""
    free, point = np.ones(len(mass), dtype=bool), mass
    while True:
        target = best(np.flatnonzero(free))
        falling = free & (target < 0)
        if not falling.any():
            return target
        reach = point[falling] / (point[falling] - target[falling])
        length = reach.min()
        point = np.where(free, point + length * (target - point), 0.0).clip(0)
        free[np.flatnonzero(falling)[reach <= length * (1 + 1e-12)]] = False
        point[~free] = 0.0


def _on_places(
    free: Integers, curvature: Floats, gradient: Floats, mass: Floats
) -> tuple[Floats, Floats]:
    """Solve the model with mass on the free places alone, as a change, so that faint ones last.

    Returns the masses, and the model's slope by each mass, up to a constant.
    """
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    target = np.zeros(len(mass))
    target[free] = mass[free]
    gone = mass - target
    if gone.any():
        target[free[-1]] += gone.sum()
        gone[free[-1]] -= gone.sum()
        gradient = gradient + curvature @ np.cumsum(gone)[:-1]
    step = np.zeros(len(mass) - 1)
    if len(free) > 1:
        starts, last = (
            free[:-1],
            free[-1],
        )  # a level is as high as the one after the last free place
        matrix = _folded(_folded(curvature, starts, last).T, starts, last)
        side = np.add.reduceat(gradient[:last], starts)
        try:
            value = cho_solve(cho_factor(matrix, check_finite=False), side, check_finite=False)
        except LinAlgError:
            diagonal = np.einsum("ii->i", matrix)
            diagonal += 1e-9 * max(float(diagonal.max()), 1.0)
            value = np.asarray(np.linalg.solve(matrix, side), dtype=np.float64)
        target[free] += np.diff(np.concatenate([[0.0], value, [0.0]]))
        step[free[0] : last] = np.repeat(value, np.diff(free))
    left = gradient - curvature @ step
    slope = np.append(np.cumsum(left[::-1])[::-1], 0.0)
    return target, slope


def _folded(matrix: Floats, starts: Integers, stop: int) -> Floats:
    """Add up the rows from each start to before the next; quick where most are neighbours."""
    if stop > 2 * len(starts):
        return np.asarray(np.add.reduceat(matrix[:stop], starts, axis=0), dtype=np.float64)
    ends, row, sums = np.append(starts[1:], stop), starts + 1, matrix[starts]
    at = np.flatnonzero(row < ends)
    while len(at):
        sums[at] += matrix[row[at]]
        row[at] += 1
        at = at[row[at] < ends[at]]
    return sums
