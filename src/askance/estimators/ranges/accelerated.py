"""Expectation and maximisation, extrapolated: quick where many numbers are known exactly."""

import numpy as np

from askance.estimators.ranges.levels import gain
from askance.estimators.ranges.runs import Runs
from askance.typing import Floats


def squarem(runs: Runs, mass: Floats, steps: int, tol: float) -> Floats:
    """Take EM steps two at a time and extrapolate (Varadhan & Roland, 2008, scheme S3).

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
