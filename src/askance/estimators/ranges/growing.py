"""The most likely masses over any number of places, by a support that grows where it must."""

import numpy as np

from askance.estimators.ranges.expectation import em_icm, squarem
from askance.estimators.ranges.far_newton import far_newton
from askance.estimators.ranges.newton import newton
from askance.estimators.ranges.runs import Runs
from askance.typing import Floats, Integers

_DENSE = 2_000  # places that a dense Cholesky factor may have
_TIED = 700  # the same where exact numbers tie neighbours, which far steps like
_MOST = 5_000  # the same where rows are very many, which far steps dislike
_FULL = 4  # pairs of places a row, at most, where rows are very many
_FEW = 300  # places that need no growing
_PATIENCE = 40  # rounds in which the gap does not halve
_EXACT = 0.08  # of the numbers exact: from there extrapolated EM begins best
_MANY = 1_000  # places of which blocks are fitted first
_STEPS = 6  # over all places, to begin
_NEAR = 5e-3  # the gap from which Newton's method is quicker


def most_likely(runs: Runs, tol: float) -> tuple[Floats, float]:
    """Find the masses that maximise the likelihood, and by how much they may miss.

    Coarse blocks of places first, a few steps of EM and isotonic regression over all places, then
    Newton's method on the places with mass and the top of the slope between each two of them
    (Wang, 2007), until the slope at no place promises more.

    Parameters
    ----------
    runs : Runs
    tol : float
        Stop when the gap is at most this.

    Returns
    -------
    mass : array, shape (m,)
    gap : float
    """
    mass = np.full(runs.m, 1 / runs.m)
    near = max(tol, _NEAR)
    if runs.counts.sum() > _EXACT * runs.n and runs.m > _FEW:
        mass, near = squarem(runs, mass, 60, tol), tol
    elif runs.m > _MANY:
        mass = _coarse(runs)
    mass = em_icm(runs, mass, _STEPS, near)
    return grown(runs, mass, tol)


def _coarse(runs: Runs) -> Floats:
    """Fit whole blocks of places roughly, and spread the mass of each over its places.

    There are as many blocks as places with mass at the end, of the order of the cube root of all.
    """
    m = round(5 * runs.m ** (1 / 3))
    rough = em_icm(runs.in_blocks(m), np.full(m, 1 / m), 4, 1e-4)
    place = np.arange(runs.m) * m // runs.m
    mass = (rough / np.bincount(place, minlength=m))[place] + 0.01 / runs.m
    spread: Floats = mass / mass.sum()
    return spread


def grown(runs: Runs, mass: Floats, tol: float) -> tuple[Floats, float]:
    """Climb from masses that give every row a chance; see `most_likely`."""
    least, patience = np.inf, _PATIENCE
    while True:
        slope = runs.pull(runs.chances(mass))
        gap, begun = float(slope.max() / runs.n - 1), least < np.inf
        least, patience = (gap, _PATIENCE) if gap < least / 2 else (least, patience - 1)
        if gap <= tol or not patience:
            return mass, gap
        if runs.m <= _FEW:
            mass = newton(runs, mass, tol / 2)
            continue
        if patience < _PATIENCE - 1:
            mass = em_icm(runs, mass, 3, tol)
            slope = runs.pull(runs.chances(mass))
        support = kept = np.flatnonzero(mass)
        if begun:
            support = np.union1d(kept, tops(slope, kept, runs.n))
        climb = newton if len(support) <= _most(runs, len(support)) else far_newton
        shares = climb(runs.onto(support), mass[support], max(tol / 2, gap * min(gap, 0.1)))
        mass = np.zeros(runs.m)
        mass[support] = shares


def _most(runs: Runs, size: int) -> int:
    """Give how many places a dense factor may have; rows may be too many for far steps."""
    if size**2 < _FULL * sum(len(part.weights) for part in runs.parts):
        return _MOST
    return _DENSE if 2 * len(runs.points) < size else _TIED


def tops(slope: Floats, kept: Integers, above: float) -> Integers:
    """Find the top of the slope between each two neighbours of the support, where it is high."""
    high = slope > above
    high[kept] = False
    at = np.flatnonzero(high)
    if not len(at):
        return at
    between, height = np.searchsorted(kept, at), slope[at]
    starts = np.flatnonzero(np.diff(between, prepend=-1))
    highest = np.maximum.reduceat(height, starts)
    top = height == np.repeat(highest, np.diff(starts, append=len(at)))
    first = np.diff(between[top], prepend=-1) > 0
    found: Integers = at[top][first]
    return found
