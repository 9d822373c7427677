"""The least variance with which an average can be learnt from ranges, estimated from them."""

import numpy as np

from askance.channels.ranges import Ranges
from askance.estimators.bounds import Average, end_values
from askance.estimators.intervals.local_rise import cut_ends
from askance.estimators.intervals.two_curves import two_curves
from askance.estimators.ranges.distribution import Distribution
from askance.estimators.ranges.trades import furthest
from askance.results import function_values
from askance.typing import Floats, Integers

_MOST_BLOCKS = 200  # directions; more are not better observed
_AT_ONCE = 20_000  # ranges that fit in memory beside all blocks
_FAINT = 1e-9  # how much of F lies where no answer was, so that no range is impossible


def efficient_error(
    ranges: Ranges, fit: Distribution, phi: Average, support: tuple[float, float]
) -> float:
    r"""Give the standard error of the most likely ∫ φ dF.

    The variance is that of the worst direction in which F could be wrong,

    .. math:: \max_h \frac{(\int (\varphi - \theta) h\,dF)^2}
              {\sum_i w_i E_F(h \mid Y \in R_i)^2}

    (Groeneboom & Wellner, 1992). Directions h are constant on blocks between cuts, of about equal
    mass and at most √n of them, so that the information is well observed; where there are fewer
    cuts, as on a grid, every direction is seen. A most likely F sits on few places, so it is taken
    twice, with its masses where they are and spread out, and the larger error counts. One plain
    answer is added, so that what is not learnt has a large error, but a finite one. It is never
    less than the error if all had told their numbers; infinite if fewer than two did.

    Parameters
    ----------
    ranges : Ranges
    fit : Distribution
    phi : callable
        φ, with a finite value at both ends of the support.
    support : (float, float)
        Of the number; infinite if φ allows.
    """
    ends = cut_ends(ranges)
    ends = ends[(ends > support[0]) & (ends < support[1])]
    if not len(ends) or ranges.total <= 1:
        return float("inf")
    span = max(float(ends[-1] - ends[0]), 1.0)
    low = support[0] if np.isfinite(support[0]) else ends[0] - span
    high = support[1] if np.isfinite(support[1]) else ends[-1] + span
    places = np.concatenate([[support[0]], ends, [support[1]]])
    ends_of = [
        function_values(phi, one, "functional_interval.phi") for one in (places[:-1], places[1:])
    ]
    least, most = end_values(fit, phi, support)
    lower = np.minimum(*ends_of) - _spared(fit, -least, places[1:])
    upper = np.maximum(*ends_of) + _spared(fit, most, places[1:])
    ranges = ranges[ranges.weights > 0]
    curves = two_curves(fit, np.concatenate([[low], ends, [high]]), _FAINT * ranges.total)
    return max(_error(ranges, ends, curve, value) for curve in curves for value in (lower, upper))


def _spared(fit: Distribution, value: Floats, at: Floats) -> Floats:
    """Say what to add to φ so that no trade of shares, which is not learnt, changes its average."""
    _, spared = furthest(fit.mass, fit.trades, value)
    found: Floats = spared[np.searchsorted(fit.upper, at).clip(0, len(spared) - 1)]
    return found


def _error(ranges: Ranges, ends: Floats, curve: Floats, value: Floats) -> float:
    mass = np.diff(curve)
    first = _blocks(curve, int(np.sqrt(ranges.total)))
    share, apart = np.add.reduceat(mass, first), value - mass @ value
    away = np.add.reduceat(mass * apart, first)
    information = np.diag(share) + _observed(ranges, ends, curve, curve[np.append(first, -1)])
    told_exactly = mass @ apart**2 / (ranges.total - 1)
    return float(np.sqrt(max(away @ np.linalg.solve(information, away), told_exactly)))


def _blocks(curve: Floats, people: int) -> Integers:
    """Cut the places into blocks of about equal mass; each place alone if there are few."""
    places, wanted = len(curve) - 1, int(np.clip(people, 2, _MOST_BLOCKS))
    if places <= wanted:
        return np.arange(places)
    level = np.searchsorted(curve, np.arange(1, wanted) / wanted)
    return np.unique(np.concatenate([[0], np.minimum(level, places - 1)]))


def _observed(ranges: Ranges, ends: Floats, curve: Floats, edges: Floats) -> Floats:
    """Add up the outer products of each range's shares of the blocks, shape (k, k)."""
    total = np.zeros((len(edges) - 1,) * 2)
    for start in range(0, len(ranges), _AT_ONCE):
        some = ranges[start : start + _AT_ONCE]
        low, high = (
            np.where(end > ends[-1], 1.0, curve[np.searchsorted(ends, end, side="right")])
            for end in (some.lower, some.upper)
        )
        pieces = np.clip(high[:, None], edges[:-1], edges[1:])
        pieces -= np.clip(low[:, None], edges[:-1], edges[1:])
        shares = np.add.reduceat(pieces, some.starts[:-1])
        shares /= shares.sum(axis=1, keepdims=True)
        total += shares.T @ (shares * some.weights[:, None])
    return total
