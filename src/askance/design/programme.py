"""The best mixture of columns, certified: by a linear programme, or by a climb."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from askance.design.candidates import Candidates
from askance.design.climb import climb, mended
from askance.design.term import AbstractTerm
from askance.errors import InputError, NotIdentified
from askance.typing import Floats, Integers

_SHARP = 1e-9
_EMPTY = 1e-9
_TRIFLES = (1e-5, 1e-6, 1e-7, 1e-8, 1e-9)
_FITS = 1e-10


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
    n = left.shape[1]
    p = len(scores)
    padded = np.zeros((p, n + 1))
    padded[:, : scores.shape[1]] = -scores
    padded[:, n] = 1.0
    found = _solved(
        np.append(np.zeros(n), -1.0),
        np.column_stack([left, np.zeros(len(left))]),
        right,
        upper=(padded, np.zeros(p)),
    )
    m = len(candidates.columns)

    def least(z: Floats) -> float:
        return float((scores @ z[:m]).min())

    z = _cleared(least, np.maximum(found.x[:n], 0.0), left, right, n - m)
    bound = -float(right @ found.eqlin.marginals)
    return Mixture(chances=z[:m], level=least(z), bound=bound)


def best_for_terms(candidates: Candidates, terms: Sequence[AbstractTerm]) -> Mixture:
    """Maximise the least of concave figures of merit.

    A climb over all columns gives a mixture, and prices from which no mixture is above a bound.
    """
    left, right = candidates.equations
    usable = _usable(left, right, len(candidates.limits))
    left, slacks = left[:, usable], int((usable >= len(candidates.columns)).sum())
    terms = [term.restricted(usable) for term in terms]
    start = _start(left, right, slacks)
    if not np.isfinite(_least(terms, start)):
        raise NotIdentified(
            "constraints", got="no channel that tells all shares apart", allowed="wider bounds"
        )
    peak = climb(terms, left, right, start, slacks, _SHARP)
    best = mended(peak.z, left, right, slacks)
    best = _cleared(lambda z: _least(terms, z), best, left, right, slacks)
    chances = np.zeros(len(candidates.columns) + len(candidates.limits))
    chances[usable] = best
    return Mixture(
        chances=chances[: len(candidates.columns)], level=_least(terms, best), bound=peak.bound
    )


def _cleared(
    merit: Callable[[Floats], float], z: Floats, left: Floats, right: Floats, slacks: int
) -> Floats:
    """Leave out columns that are hardly used, as far as the merit does not feel it."""
    level = merit(z)
    for part in _TRIFLES:
        fewer = z.copy()
        fewer[: len(z) - slacks][z[: len(z) - slacks] < part] = 0.0
        fewer = mended(fewer, left, right, slacks)
        fits = np.abs(left @ fewer - right).max() <= _FITS
        if fits and merit(fewer) >= level - _SHARP * abs(level):
            return fewer
    return z


def _least(terms: Sequence[AbstractTerm], z: Floats) -> float:
    return min(term.level(z) for term in terms)


def _start(left: Floats, right: Floats, slacks: int) -> Floats:
    """Use all columns alike, or, where distances are bounded, as much as they allow."""
    n = left.shape[1]
    return _inside(left, right, np.arange(n)) if slacks else np.full(n, 1 / n)


def _inside(left: Floats, right: Floats, active: Integers) -> Floats:
    """Find a mixture whose least chance among these columns is as large as possible."""
    rows = left[:, active]
    evenly = np.append(np.zeros(len(active)), -1.0)
    found = _solved(evenly, np.column_stack([rows, rows.sum(axis=1)]), right).x
    start = np.zeros(left.shape[1])
    start[active] = np.maximum(found[:-1], 0.0) + found[-1]
    return start


def _usable(left: Floats, right: Floats, caps: int) -> Integers:
    """Leave out columns and slacks that are zero in every mixture, where caps are as low as can be.

    Maximises the sum of min(z, tiny).
    """
    n = left.shape[1]
    everything = np.arange(n)
    if not caps or _inside(left, right, everything).min() > _EMPTY / n:
        return everything
    tiny = 1e-4 / n
    cost = np.repeat([0.0, -1.0], n)
    most = np.repeat([np.inf, tiny], n)
    found = _solved(cost, np.column_stack([left, left]), right, most=most).x
    return np.flatnonzero(found[n:] > tiny / 2)


def _solved(
    cost: Floats,
    left: Floats,
    right: Floats,
    *,
    upper: tuple[Floats, Floats] | None = None,
    most: Floats | None = None,
) -> Any:
    from scipy.optimize import linprog

    bounds = np.column_stack([np.zeros(len(cost)), np.full(len(cost), np.inf)])
    asked: dict[str, Any] = {"A_eq": left, "b_eq": right, "bounds": bounds, "method": "highs"}
    if upper is not None:
        bounds[-1, 0] = -np.inf
        asked |= {"A_ub": upper[0], "b_ub": upper[1]}
    if most is not None:
        bounds[:, 1] = most
    found = linprog(cost, **asked)
    if found.status != 0:
        raise InputError(
            "optimal_channel", got=found.message, allowed="constraints that leave a channel"
        )
    return found
