"""The best mixture of columns, certified: by a linear programme, or by a climb."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from askance.design.optimum.candidates import Candidates
from askance.design.solver.climb import climb, least
from askance.design.solver.mend import mended
from askance.design.solver.simplex import best_corner
from askance.design.solver.term import AbstractTerm
from askance.typing import Floats, Integers

_SHARP = 1e-8  # of the merit: what the climb and the clearing may leave
_EMPTY = 1e-9  # of an even share: a column that no mixture uses
_TRIFLES = (1e-5, 1e-6, 1e-7, 1e-8, 1e-9)  # chances that may be rounding, the boldest first
_FITS = 1e-10  # how far off the equations may be


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mixture:
    """Chances of the candidates, and a level that no mixture is above.

    Attributes
    ----------
    chances : array, shape (n,)
    level : float
        The least figure of merit that it attains.
    bound : float
        From the dual: no other mixture attains more.
    """

    chances: Floats
    level: float
    bound: float


def best_for_scores(candidates: Candidates, scores: Floats) -> Mixture:
    """Maximise the least of linear utilities.

    Parameters
    ----------
    candidates : Candidates
    scores : array, shape (p, n)

    References
    ----------
    Kairouz, Oh & Viswanath (2016), the linear programme over staircase columns.
    """
    left, right = candidates.equations
    n, m = left.shape[1], len(candidates.columns)
    gain = np.zeros(n)
    gain[:m] = scores[0]
    if len(scores) > 1:
        left, right, gain = _least_of(scores, left, right)
    corner = best_corner(gain, left, right)
    z = corner.z[:m]
    most = max(float((gain - corner.price @ left).max()), 0.0)
    bound = float(corner.price @ right) + most
    return Mixture(chances=z, level=float((scores @ z).min()), bound=bound)


def _least_of(scores: Floats, left: Floats, right: Floats) -> tuple[Floats, Floats, Floats]:
    """Add a level that no score is below, and what each is above it; the level is the gain."""
    p, n = len(scores), left.shape[1]
    more = np.zeros((p, n + 1 + p))
    more[:, : scores.shape[1]] = scores
    more[:, n] = -1.0
    more[:, n + 1 :] = -np.eye(p)
    both = np.vstack([np.hstack([left, np.zeros((len(left), 1 + p))]), more])
    return both, np.append(right, np.zeros(p)), np.eye(n + 1 + p)[n]


def best_for_terms(candidates: Candidates, terms: Sequence[AbstractTerm]) -> Mixture:
    """Maximise the least of concave figures of merit.

    A climb over all columns gives a mixture, and prices from which no mixture is above a bound.
    """
    left, right = candidates.equations
    n, slacks = left.shape[1], len(candidates.limits)
    usable = np.arange(n)
    start = _inside(left, right) if slacks else np.full(n, 1 / n)
    if start.min() <= _EMPTY / n:
        usable = _usable(left, right)
        left, slacks = left[:, usable], int((usable >= len(candidates.columns)).sum())
        terms = [term.restricted(usable) for term in terms]
        start = _inside(left, right)
    peak = climb(terms, left, right, start, slacks, _SHARP)
    chances = np.zeros(n)
    chances[usable], level = _cleared(terms, peak.z, left, right, slacks)
    return Mixture(chances=chances[: len(candidates.columns)], level=level, bound=peak.bound)


def _cleared(
    terms: Sequence[AbstractTerm], z: Floats, left: Floats, right: Floats, slacks: int
) -> tuple[Floats, float]:
    """Leave out columns that are hardly used, as far as the merit does not feel it; give both."""
    level = least(terms, z)
    used = np.append(z[: len(z) - slacks], np.full(slacks, np.inf))
    for part in (*_TRIFLES, 0.0):
        fewer = mended(np.where(used < part, 0.0, z), left, right, slacks)
        fits = np.abs(left @ fewer - right).max() <= _FITS
        found = least(terms, fewer)
        if fits and found >= level - _SHARP * abs(level):
            break
    return fewer, found


def _inside(left: Floats, right: Floats) -> Floats:
    """Find a mixture whose least chance is as large as possible."""
    evenly = np.append(np.zeros(left.shape[1]), 1.0)
    found = best_corner(evenly, np.column_stack([left, left.sum(axis=1)]), right).z
    start: Floats = found[:-1] + found[-1]
    return start


def _usable(left: Floats, right: Floats) -> Integers:
    """Leave out columns and slacks that are zero in every mixture, where caps are as low as can be.

    Maximises the sum of min(z, tiny): as many bounds as columns, so with a solver that has them.
    """
    from scipy.optimize import linprog

    n = left.shape[1]
    tiny = 1e-4 / n
    bounds: Any = np.column_stack([np.zeros(2 * n), np.repeat([np.inf, tiny], n)])
    found: Any = linprog(
        np.repeat([0.0, -1.0], n),
        A_eq=np.column_stack([left, left]),
        b_eq=right,
        bounds=bounds,
        method="highs",
    )
    return np.flatnonzero(found.x[n:] > tiny / 2)
