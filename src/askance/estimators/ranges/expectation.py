"""Steps of expectation and maximisation, each with something that makes them quick.

All places move at once, which is quick at the start. Both climbs begin on the simplex, at masses
that give every row a positive chance, and stop after so many steps or when the gap is at most tol.
"""

import numpy as np
from scipy.optimize import isotonic_regression

from askance.estimators.ranges.line_search import gain, searched
from askance.estimators.ranges.runs import Runs
from askance.typing import Floats


def em_icm(runs: Runs, mass: Floats, steps: int, tol: float) -> Floats:
    """Take steps of EM and of the iterative convex minorant in turn (Wellner & Zhan, 1997).

    The second fits the cumulative share by an isotonic regression that sees the diagonal of the
    curvature alone, with a line search (Jongbloed, 1998). Only where it went the whole way are most
    masses zero, so the last step is such a one if it can be.
    """
    chances, whole = runs.chances(mass), True
    for _ in range(steps):
        slope = runs.pull(chances)
        if whole and slope.max() <= runs.n * (1 + tol):
            break
        mass = mass * slope
        mass /= mass.sum()
        chances = runs.chances(mass)
        target = _minorant(runs, mass, chances)
        found = searched(runs, mass, target, chances)
        if found is not None:
            mass, chances = found
        whole = mass is target
    return mass


def squarem(runs: Runs, mass: Floats, steps: int, tol: float) -> Floats:
    """Take EM steps two at a time and extrapolate (Varadhan & Roland, 2008, scheme S3).

    Quick where many numbers are known exactly.
    """
    chances = runs.chances(mass)
    for _ in range(steps):
        slope = runs.pull(chances)
        if slope.max() <= runs.n * (1 + tol):
            break
        once = mass * slope
        once /= once.sum()
        twice = once * runs.pull(runs.chances(once))
        twice /= twice.sum()
        first, second = once - mass, twice - once
        bend = second - first
        stretch = np.sqrt(first @ first / max(float(bend @ bend), 1e-300))
        far = mass + 2 * stretch * first + stretch**2 * bend if stretch > 1 else twice
        far = np.maximum(far, twice * 1e-3)
        far /= far.sum()
        beyond = runs.chances(far)
        if gain(runs, beyond, chances) < 0:
            far, beyond = twice, runs.chances(twice)
        mass, chances = far, beyond
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
