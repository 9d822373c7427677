"""Newton's method on a small support."""

import numpy as np

from askance.estimators.ranges.level_model import LevelModel
from askance.estimators.ranges.line_search import advanced
from askance.estimators.ranges.runs import Runs
from askance.typing import Floats

_MOST_STEPS = 60


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
    slope = runs.pull(chances)
    most = 2 * np.count_nonzero(mass) > runs.m  # then nearly all places keep theirs
    free = (mass > 0) | most
    for _ in range(_MOST_STEPS):
        gap = slope.max() / runs.n - 1
        if gap <= tol or runs.m == 1:
            break
        target = LevelModel.near(runs, mass, chances).best(free)
        found = advanced(runs, mass, target, chances, gap)
        if found is None:
            pulled = mass * slope
            found = advanced(runs, mass, pulled / pulled.sum(), chances, gap)
        if found is None:
            break
        mass, chances, slope = found
        free = mass > 0
    return mass
