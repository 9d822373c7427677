"""Newton's method on a large support: conjugate gradients that see near and far at once."""

from collections.abc import Callable

import numpy as np

from askance.estimators.ranges.levels import searched
from askance.estimators.ranges.runs import Runs
from askance.typing import Floats

_NODES = 200
_MOST = 300
_MOST_STEPS = 12


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
    chances = runs.chances(mass)
    for _ in range(_MOST_STEPS):
        if runs.pull(chances).max() <= runs.n * (1 + tol):
            break
        gradient = runs.by_level(runs.ratios(chances), signed=True)[1:-1]
        step = _solved(runs, runs.curves(chances), gradient, mass)
        target = (mass + np.diff(np.concatenate([[0.0], step, [0.0]]))).clip(0)
        found = searched(runs, mass, target / target.sum(), chances)
        if found is None:
            break
        mass, chances = found
    return mass


def _solved(runs: Runs, curves: list[Floats], gradient: Floats, mass: Floats) -> Floats:
    """Solve H step = gradient, H the curvature by the inner levels."""

    def bent(step: Floats) -> Floats:
        levels = np.concatenate([[0.0], step, [0.0]])
        moved = [part.chance(levels) for part in runs.parts]
        moved.append(np.diff(levels)[runs.points])
        values = [curve * one for curve, one in zip(curves, moved, strict=True)]
        return runs.by_level(values, signed=True)[1:-1]

    near = _near_and_far(runs, curves, mass)
    step, left = np.zeros(len(gradient)), gradient.copy()
    aim = ahead = near(left)
    size = left @ ahead
    first = size
    for _ in range(_MOST):
        if size <= 1e-16 * first:
            break
        pull = bent(aim)
        length = size / (aim @ pull)
        step += length * aim
        left -= length * pull
        ahead = near(left)
        size, before = left @ ahead, size
        aim = ahead + (size / before) * aim
    return step


def _near_and_far(runs: Runs, curves: list[Floats], mass: Floats) -> Callable[[Floats], Floats]:
    from scipy.linalg import cho_factor, cho_solve, cho_solve_banded, cholesky_banded
    from scipy.sparse import csr_array, vstack

    m = runs.m
    band = np.zeros((2, m - 1))
    band[0] = runs.by_level(curves, signed=False)[1:-1]
    tied = np.bincount(runs.points, curves[-1], m)
    band[1, :-1] = -tied[1:-1]
    band[0] *= 1 + 1e-12
    local = cholesky_banded(band, lower=True)
    levels = np.cumsum(mass)[:-1]
    nodes = np.linspace(0, 1, _NODES + 2)
    at = np.searchsorted(nodes, levels, side="right").clip(1, _NODES + 1) - 1
    part = ((levels - nodes[at]) * (_NODES + 1)).clip(0, 1)
    rows = np.arange(m - 1)
    hats = csr_array(
        (np.concatenate([1 - part, part]), (np.tile(rows, 2), np.concatenate([at, at + 1]))),
        shape=(m - 1, _NODES + 2),
    )[:, 1:-1]
    none = csr_array((1, _NODES))
    full = vstack([none, hats, none], format="csr")
    wide = np.zeros((_NODES, _NODES))
    tied_ends = [(runs.points, -1), (runs.points + 1, 1)]
    seen = [*(list(one.signed()) for one in runs.parts), tied_ends]
    for ends, curve in zip(seen, curves, strict=True):
        told = csr_array((len(curve), _NODES))
        for end, sign in ends:
            told = told + sign * full[end]
        wide += csr_array(told.T @ (told * curve[:, None])).toarray()
    wide[np.diag_indices(_NODES)] *= 1 + 1e-10
    wide[np.diag_indices(_NODES)] += 1e-12 * wide.max()
    coarse = cho_factor(wide)

    def solve(right: Floats) -> Floats:
        far = hats @ cho_solve(coarse, hats.T @ right)
        both: Floats = cho_solve_banded((local, True), right) + far
        return both

    return solve
