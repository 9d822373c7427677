"""The most likely mixture: a concave likelihood climbed to a certified top on a simplex.

One problem serves finite channels, profile likelihoods and distributions of a number: maximise
Σ_i w_i log(b_i + (A x)_i) over x ≥ 0 with Σ x = s.
"""

from dataclasses import dataclass
from typing import Protocol, final

import numpy as np
import numpy.typing as npt

from askance.typing import Booleans, Floats, Integers

_MOST_STEPS = 500
_HALVINGS = 30
_ROUNDING = 4e-15  # of the log-likelihood of one observation
_FAINTEST = 1e-290  # below, the slope of 10^12 reports overflows


class MixtureLike(Protocol):
    """What a climb asks of a problem; the rows need not be written out."""

    @property
    def weights(self) -> Floats:
        """How often each row was seen."""

    @property
    def total(self) -> float:
        """What the shares sum to."""

    def chance(self, shares: Floats) -> Floats:
        """Give the chance of each row."""

    def slope(self, chance: Floats) -> Floats:
        """Give the derivative of the log-likelihood by each share."""

    def curvature(self, chance: Floats) -> Floats:
        """Give minus its second derivative by each pair of shares."""


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

    def curvature(self, chance: Floats) -> Floats:
        """Give minus the second derivative by each pair of shares."""
        scaled = self.rows * (np.sqrt(self.weights) / chance)[:, None]
        curvature: Floats = scaled.T @ scaled
        return curvature


def mixture(rows: npt.ArrayLike, weights: npt.ArrayLike) -> Mixture:
    """State the plain problem: no known part, shares that sum to one."""
    counts = np.asarray(weights, dtype=float)
    return Mixture(rows=np.asarray(rows, dtype=float), weights=counts, offset=np.zeros(len(counts)))


def gain(problem: MixtureLike, new: Floats, old: Floats) -> float:
    """Give how much log-likelihood a change of the chances gains, without cancellation."""
    if not np.all(new > _FAINTEST):
        return -np.inf
    with np.errstate(divide="ignore"):  # a chance all of which was lost
        return float(problem.weights @ np.log1p((new - old) / old))


def gap_at(problem: MixtureLike, shares: Floats, slope: Floats) -> float:
    """Bound, per observation, what is missing to the maximum (the duality gap)."""
    missing = problem.total * slope.max() - slope @ shares
    return float(missing / problem.weights.sum())


def em_step(problem: MixtureLike, shares: Floats) -> Floats:
    """Take one step of expectation and maximisation, which never descends.

    x_j ← x_j g_j s / Σ x g with g the slope (Dempster, Laird & Rubin, 1977).

    >>> em_step(mixture([[0.75, 0.25], [0.25, 0.75]], [3, 1]), np.array([0.5, 0.5])).tolist()
    [0.625, 0.375]
    """
    moved: Floats = shares * problem.slope(problem.chance(shares))
    scaled: Floats = moved * (problem.total / moved.sum())
    return scaled


def climb(problem: MixtureLike, start: Floats, tol: float = 1e-10) -> tuple[Floats, float]:
    """Climb to the maximum by Newton steps on the active set, with EM where one would descend.

    Each step maximises the local quadratic model over the whole simplex, so shares reach and leave
    zero exactly (after Kim, Carbonetto, Stephens & Anitescu, 2020, mix-SQP).

    Parameters
    ----------
    problem : MixtureLike
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
        gap = gap_at(problem, shares, slope)
        if gap <= tol:
            break
        moved = _newton(problem, shares, chance, slope)
        if moved is None:
            moved = em_step(problem, shares)
            if not gain(problem, problem.chance(moved), chance) > 0:
                break
        shares, chance = moved, problem.chance(moved)
    return shares, max(gap, 0.0)


def _newton(problem: MixtureLike, shares: Floats, chance: Floats, slope: Floats) -> Floats | None:
    """Move along the best direction of the quadratic model, halving until the likelihood rises."""
    curvature = problem.curvature(chance)
    diagonal = np.einsum("ii->i", curvature)
    diagonal += 1e-12 * diagonal + 1e-14 * diagonal.max()
    target = best_of_model(shares, slope, curvature, problem.total)
    if _polishes(problem, shares, chance, slope, target):
        return target
    length = 1.0
    for _ in range(_HALVINGS):
        moved = shares + length * (target - shares)
        if gain(problem, problem.chance(moved), chance) > 0:
            return moved
        length /= 2
    return None


def _polishes(
    problem: MixtureLike, shares: Floats, chance: Floats, slope: Floats, target: Floats
) -> bool:
    """Say whether the whole step at least halves the gap and loses nothing beyond rounding."""
    new = problem.chance(target)
    if not np.all(new > _FAINTEST):
        return False
    rounding = _ROUNDING * float(problem.weights.sum())
    gap = gap_at(problem, target, problem.slope(new))
    return gain(problem, new, chance) >= -rounding and gap < gap_at(problem, shares, slope) / 2


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
