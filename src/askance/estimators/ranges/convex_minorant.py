"""Alternating expectation and isotonic regression: every place at once, quick at the start."""

import numpy as np
from scipy.optimize import isotonic_regression

from askance.estimators.ranges.levels import searched
from askance.estimators.ranges.runs import Runs
from askance.typing import Floats


def em_icm(runs: Runs, mass: Floats, steps: int, tol: float) -> Floats:
    """Take steps of EM and of the iterative convex minorant in turn (Wellner & Zhan, 1997).

    The second fits the cumulative share by an isotonic regression that sees the diagonal of the
    curvature alone, with a line search (Jongbloed, 1998).

    Parameters
    ----------
    runs : Runs
    mass : array, shape (m,)
        On the simplex, giving every row a positive chance.
    steps : int
    tol : float
        Stop when the gap is at most this.
    """
    chances = runs.chances(mass)
    for _ in range(steps):
        slope = runs.pull(chances)
        if slope.max() <= runs.n * (1 + tol):
            break
        mass = mass * slope
        mass /= mass.sum()
        chances = runs.chances(mass)
        found = searched(runs, mass, _minorant(runs, mass, chances), chances)
        if found is not None:
            mass, chances = found
    return mass


def _minorant(runs: Runs, mass: Floats, chances: list[Floats]) -> Floats:
    values = runs.ratios(chances)
    aim = runs.by_level(values, signed=True)[1:-1]
    for value, chance in zip(values, chances, strict=True):
        np.divide(value, chance, out=value)
    curve = runs.by_level(values, signed=False)[1:-1]
    aim /= curve
    aim += np.cumsum(mass)[:-1]
    level = isotonic_regression(aim, weights=curve).x.clip(0, 1)
    return np.diff(level, prepend=0.0, append=1.0)
