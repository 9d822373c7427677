"""The most likely distribution of an unseen number, whatever its shape."""

import numpy as np

from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.estimators.distribution import Distribution
from askance.estimators.intersections import Intersections, collapse, intersections
from askance.estimators.outcome import Outcome
from askance.estimators.simplex import climb, mixture
from askance.typing import Floats, Integers

_MOST_ROUNDS = 200


def npmle(
    ranges: Ranges, support: tuple[float, float] | None = None, tol: float = 1e-10
) -> Distribution:
    """Estimate the distribution of a number of which only ranges were seen.

    Maximises Σ w_i log(F(upper_i) − F(lower_i)) over all distributions F. Where every range is
    one-sided this is an isotonic regression (Ayer, Brunk, Ewing, Reid & Silverman, 1955); otherwise
    masses on the maximal intersections (Turnbull, 1976) are fitted on a support that grows where
    the likelihood still rises (Wang, 2007).

    Parameters
    ----------
    ranges : Ranges
    support : (float, float), optional
        Declared bounds of the number; they replace infinite ends and change nothing else.
    tol : float
        Stop when the gap, max_j (Σ_i w_i 1{j in i}/P_i)/n − 1, is at most this.

    Returns
    -------
    Distribution
        Where inside an intersection its mass lies is not known; ``cdf_bounds`` shows it.

    Raises
    ------
    InputError
        If there is no range, or one reaches beyond the support.

    >>> fit = npmle(Ranges([-np.inf, 1.5, 2.5], [0.5, np.inf, np.inf], weights=[1, 2, 1]))
    >>> fit.lower.tolist(), fit.upper.tolist(), fit.mass.tolist()
    ([-inf, 2.5], [0.5, inf], [0.25, 0.75])
    """
    cells = intersections(ranges)
    one_sided = bool(np.all((cells.first == 0) | (cells.past == len(cells.lower))))
    mass = _isotonic(cells) if one_sided else grown(cells, tol)
    gap = max(float(_slope(cells, mass).max() / cells.weights.sum()) - 1, 0.0)
    kept = mass > 0
    low, high = _inside(ranges, support)
    return Distribution(
        lower=np.maximum(cells.lower[kept], low),
        upper=np.minimum(cells.upper[kept], high),
        mass=mass[kept] / mass.sum(),
        n=ranges.total,
        gap=gap,
        method="isotonic regression" if one_sided else "most likely distribution, growing support",
        outcome=Outcome.CONVERGED if gap <= tol else Outcome.STOPPED,
    )


def _inside(ranges: Ranges, support: tuple[float, float] | None) -> tuple[float, float]:
    low, high = (-np.inf, np.inf) if support is None else support
    begun, ended = ranges.lower[np.isfinite(ranges.lower)], ranges.upper[np.isfinite(ranges.upper)]
    beyond = np.any((begun < low) | (begun >= high)) or np.any((ended <= low) | (ended > high))
    if not low < high or beyond:
        raise InputError(
            "npmle.support", got=support, allowed="(low, high) that holds every finite end"
        )
    return low, high


def _chance(cells: Intersections, mass: Floats) -> Floats:
    upto = np.concatenate([[0.0], np.cumsum(mass)])
    chance: Floats = upto[cells.past] - upto[cells.first]
    return chance


def _slope(cells: Intersections, mass: Floats) -> Floats:
    """Give the derivative of the log-likelihood by each mass."""
    pull = cells.weights / _chance(cells, mass)
    m = len(mass)
    steps = np.bincount(cells.first, pull, m + 1) - np.bincount(cells.past, pull, m + 1)
    return np.cumsum(steps[:-1]).astype(float)


def _isotonic(cells: Intersections) -> Floats:
    """Fit one-sided ranges: F at each cut is the isotonic share of ranges that end there."""
    from scipy.optimize import isotonic_regression

    m = len(cells.lower)
    below = np.bincount(cells.past, np.where(cells.first == 0, cells.weights, 0), m + 1)[1:m]
    above = np.bincount(cells.first, np.where(cells.first > 0, cells.weights, 0), m + 1)[1:m]
    if m == 1:
        return np.ones(1)
    share = isotonic_regression(below / (below + above), weights=below + above).x
    return np.diff(np.concatenate([[0.0], share, [1.0]])).clip(0)


def grown(cells: Intersections, tol: float) -> Floats:
    """Fit on a support that starts as a stabbing set and gains the tops of the slope."""
    m, n = len(cells.lower), cells.weights.sum()
    support, shares = _stabbing(cells), np.ones(0)
    for _ in range(_MOST_ROUNDS):
        shares = np.full(len(support), 1 / len(support)) if not len(shares) else shares
        shares = _fit(cells, support, shares, tol / 2)
        mass = np.zeros(m)
        mass[support] = shares
        slope = _slope(cells, mass)
        if slope.max() <= n * (1 + tol):
            break
        kept = support[shares > 0]
        tops = _tops(slope, kept, n * (1 + tol / 2))
        support = np.union1d(kept, tops)
        if len(support) == len(kept):
            break
        shares = 0.99 * mass[support] + 0.01 / len(support)
    return mass


def _fit(cells: Intersections, support: Integers, shares: Floats, tol: float) -> Floats:
    """Climb to the best masses on the support, ranges collapsed onto it."""
    first, past = np.searchsorted(support, cells.first), np.searchsorted(support, cells.past)
    (start, end), weights = collapse(first, past, cells.weights, len(support))
    place = np.arange(len(support))
    rows = (start[:, None] <= place) & (place < end[:, None])
    return climb(mixture(rows, weights), shares, tol)[0]


def _stabbing(cells: Intersections) -> Integers:
    """Choose the fewest intersections such that every range holds one."""
    last, chosen = -1, []
    order = np.argsort(cells.past, kind="stable")
    for first, past in zip(cells.first[order].tolist(), cells.past[order].tolist(), strict=True):
        if first > last:
            last = past - 1
            chosen.append(last)
    return np.array(chosen, dtype=np.int64)


def _tops(slope: Floats, support: Integers, above: float) -> Integers:
    """Find the top of the slope between each two neighbours of the support, where it is high."""
    edges = np.concatenate([[-1], support, [len(slope)]])
    tops = [
        low + 1 + int(np.argmax(slope[low + 1 : high]))
        for low, high in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
        if high - low > 1
    ]
    found = np.array(tops, dtype=np.int64)
    return found[slope[found] > above]
