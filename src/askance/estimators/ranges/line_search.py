"""Steps towards a target that the likelihood does not fall along."""

import numpy as np

from askance.estimators.ranges.runs import Runs
from askance.typing import Floats

_HALVINGS = 40
_ROUNDING = 4e-15  # of the log-likelihood of one row


def gain(runs: Runs, new: list[Floats], old: list[Floats]) -> float:
    """Give how much log-likelihood a change of the chances gains; −∞ if one is lost."""
    total = 0.0
    for weight, now, before in zip(runs.weights(), new, old, strict=True):
        if len(now) and now.min() <= 0:
            return -np.inf
        change = now - before
        change /= before
        with np.errstate(divide="ignore"):  # a chance may shrink by more than doubles tell from all
            total += float(weight @ np.log1p(change, out=change))
    return total


def searched(
    runs: Runs, mass: Floats, target: Floats, chances: list[Floats]
) -> tuple[Floats, list[Floats]] | None:
    """Go towards the target, halving until the likelihood rises; None if it never does."""
    length, there = 1.0, runs.chances(target)
    moved = there
    for _ in range(_HALVINGS):
        if gain(runs, moved, chances) > 0:
            if length < 1:
                target = mass + length * (target - mass)
                moved = runs.chances(target)
            return target, moved
        length /= 2
        moved = [old + length * (new - old) for new, old in zip(there, chances, strict=True)]
    return None


def advanced(
    runs: Runs, mass: Floats, target: Floats, chances: list[Floats], gap: float
) -> tuple[Floats, list[Floats], Floats] | None:
    """Step to the target if that at least halves the gap and loses nothing, else search.

    Returns the masses, their chances and the slope there, or None if nothing is gained.
    """
    there = runs.chances(target)
    if gain(runs, there, chances) >= -_ROUNDING * runs.n:
        slope = runs.pull(there)
        if slope.max() / runs.n - 1 < gap / 2:
            return target, there, slope
    found = searched(runs, mass, target, chances)
    return None if found is None else (*found, runs.pull(found[1]))
