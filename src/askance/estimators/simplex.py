"""The most likely mixture: a concave likelihood climbed to a certified top on a simplex.

One problem serves finite channels, profile likelihoods and distributions of a number: maximise
Σ_i w_i log(b_i + (A x)_i) over x ≥ 0 with Σ x = s.
"""

from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from askance.typing import Floats

_MOST_STEPS = 500
_HALVINGS = 30
_ROUNDING = 4e-15


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mixture:
    """Rows of chances, how often each row was seen, and the known part of each row's chance.

    Attributes
    ----------
    rows : array, shape (m, k)
    weights : array, shape (m,)
        All positive.
    offset : array, shape (m,)
    total : float
        What the k shares sum to.
    """

    rows: Floats
    weights: Floats
    offset: Floats
    total: float = 1.0

    def chance(self, shares: Floats) -> Floats:
        """Give the chance of each row."""
        chance: Floats = self.offset + self.rows @ shares
        return chance

    def slope(self, chance: Floats) -> Floats:
        """Give the derivative of the log-likelihood by each share."""
        slope: Floats = (self.weights / chance) @ self.rows
        return slope

    def gain(self, new: Floats, old: Floats) -> float:
        """Give how much log-likelihood a change of the chances gains, without cancellation."""
        if not np.all(new > 0):
            return -np.inf
        return float(self.weights @ np.log1p((new - old) / old))

    def gap(self, shares: Floats, slope: Floats) -> float:
        """Bound, per observation, what is missing to the maximum (the duality gap)."""
        missing = self.total * slope.max() - slope @ shares
        return float(missing / self.weights.sum())


def mixture(rows: npt.ArrayLike, weights: npt.ArrayLike) -> Mixture:
    """State the plain problem: no known part, shares that sum to one."""
    counts = np.asarray(weights, dtype=float)
    return Mixture(rows=np.asarray(rows, dtype=float), weights=counts, offset=np.zeros(len(counts)))


def em_step(problem: Mixture, shares: Floats) -> Floats:
    """Take one step of expectation and maximisation, which never descends.

    x_j ← x_j g_j s / Σ x g with g the slope (Dempster, Laird & Rubin, 1977).

    >>> em_step(mixture([[0.75, 0.25], [0.25, 0.75]], [3, 1]), np.array([0.5, 0.5])).tolist()
    [0.625, 0.375]
    """
    moved: Floats = shares * problem.slope(problem.chance(shares))
    scaled: Floats = moved * (problem.total / moved.sum())
    return scaled


def climb(problem: Mixture, start: Floats, tol: float = 1e-10) -> tuple[Floats, float]:
    """Climb to the maximum by Newton steps on the active set, with EM where one would descend.

    Each step maximises the local quadratic model over the whole simplex, so shares reach and leave
    zero exactly (after Kim, Carbonetto, Stephens & Anitescu, 2020, mix-SQP).

    Parameters
    ----------
    problem : Mixture
    start : array, shape (k,)
        Non-negative shares that give every row a positive chance.
    tol : float
        Stop when the gap per observation is at most this.

    Returns
    -------
    shares : array, shape (k,)
    gap : float
        At most this much mean log-likelihood is missing; above ``tol`` only if no step helps.

    >>> shares, gap = climb(mixture([[0.75, 0.25], [0.25, 0.75]], [3, 1]), np.array([0.5, 0.5]))
    >>> shares.round(9).tolist(), gap <= 1e-10
    ([1.0, 0.0], True)
    """
    shares = start
    chance = problem.chance(shares)
    for _ in range(_MOST_STEPS):
        slope = problem.slope(chance)
        gap = problem.gap(shares, slope)
        if gap <= tol:
            break
        moved = _newton(problem, shares, chance, slope)
        if moved is None:
            moved = em_step(problem, shares)
            if not problem.gain(problem.chance(moved), chance) > 0:
                break
        shares, chance = moved, problem.chance(moved)
    return shares, max(gap, 0.0)


def _newton(problem: Mixture, shares: Floats, chance: Floats, slope: Floats) -> Floats | None:
    """Move along the best direction of the quadratic model, halving until the likelihood rises."""
    scaled = problem.rows * (np.sqrt(problem.weights) / chance)[:, None]
    curvature = scaled.T @ scaled
    diagonal = np.einsum("ii->i", curvature)
    diagonal += 1e-12 * diagonal + 1e-14 * diagonal.max()
    target = _best_of_model(shares, slope, curvature, problem.total)
    if _polishes(problem, shares, chance, slope, target):
        return target
    length = 1.0
    for _ in range(_HALVINGS):
        moved = shares + length * (target - shares)
        if problem.gain(problem.chance(moved), chance) > 0:
            return moved
        length /= 2
    return None


def _polishes(
    problem: Mixture, shares: Floats, chance: Floats, slope: Floats, target: Floats
) -> bool:
    """Say whether the whole step at least halves the gap and loses nothing beyond rounding."""
    new = problem.chance(target)
    if not np.all(new > 0):
        return False
    rounding = _ROUNDING * float(problem.weights.sum())
    gap = problem.gap(target, problem.slope(new))
    return problem.gain(new, chance) >= -rounding and gap < problem.gap(shares, slope) / 2


def _best_of_model(shares: Floats, slope: Floats, curvature: Floats, total: float) -> Floats:
    """Maximise slope·d − d·curvature·d/2 with shares + d on the simplex, by a primal active set."""
    point, free = shares.copy(), shares > 0
    left = slope.copy()
    for _ in range(10 * len(shares) + 10):
        at = np.flatnonzero(free)
        both = np.linalg.solve(
            curvature[np.ix_(at, at)], np.stack([left[at], np.ones(len(at))], axis=1)
        )
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
        if free.all() or left[best] <= price * (1 + 1e-13):
            break
        free[best] = True
    scaled: Floats = point * (total / point.sum())
    return scaled
