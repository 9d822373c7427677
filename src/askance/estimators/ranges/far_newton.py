"""Newton's method on a large support: conjugate gradients that see near and far at once."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from askance.estimators.ranges.level_model import bend
from askance.estimators.ranges.line_search import advanced
from askance.estimators.ranges.runs import Runs
from askance.typing import Floats

_NODES = 60  # levels by which far places are tied
_FINE = 360  # shares of the whole that rows end in, as far as the nodes are concerned
_MOST = 300  # steps of conjugate gradients
_MOST_STEPS = 12
_LOOSEST, _TIGHTEST = 1e-2, 1e-8  # what a solution may lack: a step is as good as its start


def far_newton(runs: Runs, mass: Floats, tol: float) -> Floats:
    """Climb by Newton steps whose model is solved by preconditioned conjugate gradients.

    Near levels are tied by exact numbers, far ones by wide ranges; so a tridiagonal factor and a
    dense one over a few nodes precondition together (Nicolaides, 1987).

    Parameters
    ----------
    runs : Runs
    mass : array, shape (m,)
        On the simplex, giving every row a positive chance.
    tol : float
        Stop when the gap is at most this, or a step gains nothing.
    """
    places, shares = np.arange(runs.m), np.zeros(runs.m)
    chances = runs.chances(mass)
    slope = runs.pull(chances)
    inverse, hats = _far(runs, runs.curves(chances), mass)
    for _ in range(_MOST_STEPS):
        gap = slope.max() / runs.n - 1
        if gap <= tol:
            break
        curves = runs.curves(chances)
        gradient = runs.by_level(runs.ratios(chances), signed=True)[1:-1]
        near = _near_and_far(runs, curves, inverse, hats)
        step = _solved(runs, curves, gradient, near, min(gap, _LOOSEST))
        target = (mass + np.diff(step, prepend=0.0, append=0.0)).clip(0)
        found = advanced(runs, mass, target / target.sum(), chances, gap)
        if found is None:
            break
        mass, chances, slope = found
        if not mass.all():
            kept = np.flatnonzero(mass)
            runs, mass, places, hats = runs.onto(kept), mass[kept], places[kept], hats[kept[:-1]]
            chances = runs.chances(mass)
    shares[places] = mass
    return shares


def _solved(
    runs: Runs,
    curves: list[Floats],
    gradient: Floats,
    near: Callable[[Floats], Floats],
    loose: float,
) -> Floats:
    """Solve H step = gradient, H the curvature by the inner levels, but for a part so large."""

    def bent(step: Floats) -> Floats:
        return runs.bent(curves, np.concatenate([[0.0], step, [0.0]]))[1:-1]

    step, left = np.zeros(len(gradient)), gradient.copy()
    aim = ahead = near(left)
    size = left @ ahead
    first = size
    for _ in range(_MOST):
        if size <= max(loose, _TIGHTEST) ** 2 * first:
            break
        pull = bent(aim)
        length = size / (aim @ pull)
        step += length * aim
        left -= length * pull
        ahead = near(left)
        size, before = left @ ahead, size
        aim = ahead + (size / before) * aim
    return step


def _near_and_far(
    runs: Runs, curves: list[Floats], inverse: Floats, hats: Any
) -> Callable[[Floats], Floats]:
    from scipy.linalg import cho_solve_banded, cholesky_banded

    band = np.zeros((2, runs.m - 1))
    band[0] = runs.by_level(curves, signed=False)[1:-1] * (1 + 1e-12)
    band[1, :-1] = -np.bincount(runs.points, curves[-1], runs.m)[1:-1]
    local = cholesky_banded(band, lower=True)

    def solve(right: Floats) -> Floats:
        near: Floats = cho_solve_banded((local, True), right)
        near += hats @ (inverse @ (hats.T @ right))
        return near

    return solve


def _far(runs: Runs, curves: list[Floats], mass: Floats) -> tuple[Floats, Any]:
    """Give the inverse bend over a few nodes, and how each inner level hangs between them."""
    levels = np.concatenate([[0.0], np.cumsum(mass)[:-1].clip(0, 1), [1.0]])
    rank = 1 + (levels * (_FINE - 1e-9)).astype(np.int64)
    rank[0], rank[-1] = 0, _FINE + 1
    rows = replace(runs, points=runs.points[:0], counts=runs.counts[:0])
    fine = bend(rows, [*curves[:-1], curves[-1][:0]], rank)[1:-1, 1:-1]
    fine += np.triu(fine, 1).T
    middle, hats = _hats((np.arange(_FINE) + 0.5) / _FINE), _hats(levels)
    tied = hats[runs.points + 1] - hats[runs.points]
    wide = middle.T @ (middle.T @ fine).T + (tied.T @ (tied * curves[-1][:, None])).toarray()
    wide[np.diag_indices(_NODES)] *= 1 + 1e-10
    wide[np.diag_indices(_NODES)] += 1e-12 * wide.max()
    return np.linalg.inv(wide), hats[1:-1]


def _hats(levels: Floats) -> Any:
    """Write levels between 0 and 1 by the two nodes around each, shape (levels, nodes)."""
    from scipy.sparse import csr_array

    nodes = levels * (_NODES + 1)
    at = nodes.astype(np.int64).clip(0, _NODES)
    part, row = nodes - at, np.arange(len(levels))
    value, place = np.concatenate([1 - part, part]), np.concatenate([at, at + 1])
    shape = (len(levels), _NODES + 2)
    return csr_array((value, (np.tile(row, 2), place)), shape=shape)[:, 1:-1]
