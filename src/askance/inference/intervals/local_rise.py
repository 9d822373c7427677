"""How finely the cuts of ranges lie, seen from what is known of F there: it decides F(t)'s law."""

import numpy as np

from askance.channels.ranges import Ranges, single_numbers
from askance.inference.ranges.distribution import Distribution
from askance.typing import Floats, Integers

_NEAR = 0.15  # of the population to either side, for the slope of F


def cut_ends(ranges: Ranges) -> Floats:
    """List the distinct finite ends of the ranges that were observed, ascending."""
    lower, upper, _ = _seen(ranges)
    ends = np.concatenate([lower, upper])
    found: Floats = np.unique(ends[np.isfinite(ends)])
    return found


def inner_ends(
    ranges: Ranges, line: tuple[float, float] = (-np.inf, np.inf)
) -> tuple[float, float]:
    """The innermost of the 2√n outermost ends at either side of a line; infinite of no end.

    Of unions it is √n, since most tell two ends. Nearer the outermost end F rests on so few that
    its most likely value does not settle there: where the one person with the highest cut is below
    it, it is 1. Exact numbers are no cuts.
    """
    ends = np.stack([ranges.lower, ranges.upper])
    cut = (ends > line[0]) & (ends < line[1]) & ~single_numbers(ranges.lower, ranges.upper)
    weights = np.broadcast_to(np.repeat(ranges.weights, np.diff(ranges.starts)), ends.shape)
    cut &= weights > 0
    if not cut.any():
        return -np.inf, np.inf
    order = np.argsort(ends[cut])
    upto, places = np.cumsum(weights[cut][order]), ends[cut][order]
    few = min((1 + ranges.plain) * np.sqrt(ranges.total), upto[-1] / 4)
    first, last = np.searchsorted(upto, [few, upto[-1] - few], side="right")
    return float(places[first]), float(places[min(last, len(places) - 1)])


def some_exact(ranges: Ranges) -> bool:
    """Say whether some number was told exactly."""
    lower, upper, _ = _seen(ranges)
    return bool(single_numbers(lower, upper).any())


def several_ends(ranges: Ranges) -> bool:
    """Say whether some range has more than one finite end."""
    lower, upper, _ = _seen(ranges)
    return not ranges.plain or bool(np.any(np.isfinite(lower) & np.isfinite(upper)))


def rises(ranges: Ranges, fit: Distribution, at: Floats) -> Floats:
    """How much F rises from one cut to the next near each point, in standard errors.

    That error is what those whose range ends at the cut leave if all else is known,
    1/√(Σ w / P(range)²); for one cut a person it is √(F(1 − F)/n) of those asked there. The slope
    of F is that over the nearest 15 % of the population to either side, between the outer cuts.

    Parameters
    ----------
    ranges : Ranges
    fit : Distribution
    at : array, shape (k,)
        Points among the cuts.

    Returns
    -------
    array, shape (k,)
    """
    ends = cut_ends(ranges)
    if len(ends) < 2:
        return np.full(len(at), np.inf)
    span = ends[-1] - ends[0]
    numbers = np.concatenate([[ends[0] - span], ends, [ends[-1] + span]])
    curve = spread_curve(fit, numbers)
    known = _information(ranges, ends, curve[1:-1])
    before = np.searchsorted(ends, at, side="right") - 1
    after = np.minimum(before + (ends[before] < at), len(ends) - 1)
    first, last = np.maximum(before - 1, 0), np.minimum(after + 1, len(ends) - 1)
    step = (ends[last] - ends[first]) / np.maximum(last - first, 1)
    share = np.interp(at, numbers, curve)
    found: Floats = (
        step * _slope(share, numbers, curve) * np.sqrt((known[before] + known[after]) / 2)
    )
    return found


def _slope(share: Floats, numbers: Floats, curve: Floats) -> Floats:
    """The slope of a curve around shares, beyond the outer cuts if it has none between."""
    low, high = np.maximum(share - _NEAR, 0), np.minimum(share + _NEAR, 1)
    least, most = np.maximum(low, curve[1]), np.minimum(high, curve[-2])
    rises = least < most
    low, high = np.where(rises, least, low), np.where(rises, most, high)
    edges = np.where(rises, numbers[1], numbers[0]), np.where(rises, numbers[-2], numbers[-1])
    first, last = (np.clip(np.interp(at, curve, numbers), *edges) for at in (low, high))
    slope: Floats = (high - low) / (last - first)
    return slope


def _information(ranges: Ranges, ends: Floats, curve: Floats) -> Floats:
    """Add up w/P² over the ranges that end at each cut, shape (c,)."""
    lower, upper, weights = _seen(ranges)
    low, high = np.searchsorted(ends, lower), np.searchsorted(ends, upper)
    level = np.concatenate([curve, [1.0]])
    before, upto = np.where(np.isneginf(lower), 0.0, level[low]), level[high]
    piece = np.repeat(np.arange(len(ranges)), np.diff(ranges.starts))[_kept(ranges)]
    chance = np.bincount(piece, upto - before)[piece]
    value = weights / np.maximum(chance, 1 / (ranges.total + 1)) ** 2
    begun, ended = np.isfinite(lower), np.isfinite(upper)
    sums = np.bincount(low[begun], value[begun], len(ends)).astype(float)
    sums += np.bincount(high[ended], value[ended], len(ends))
    return sums


def _kept(ranges: Ranges) -> Integers:
    return np.flatnonzero(np.repeat(ranges.weights, np.diff(ranges.starts)) > 0)


def _seen(ranges: Ranges) -> tuple[Floats, Floats, Floats]:
    """The pieces of the observed ranges with their weights."""
    kept = _kept(ranges)
    weights = np.repeat(ranges.weights, np.diff(ranges.starts))
    return ranges.lower[kept], ranges.upper[kept], weights[kept]


def two_curves(fit: Distribution, numbers: Floats, answers: float = 1.0) -> tuple[Floats, Floats]:
    """F at ascending numbers, rising everywhere: masses where they are, then spread out.

    What makes F rise everywhere counts as so many answers more, spread over the whole line.
    """
    return _rising(fit, fit.cdf(numbers), answers), spread_curve(fit, numbers, answers)


def spread_curve(fit: Distribution, numbers: Floats, answers: float = 1.0) -> Floats:
    """The second of `two_curves`.

    A number that was told exactly keeps its mass, as in the first: it is known where that lies.
    """
    told = single_numbers(fit.lower, fit.upper)
    halfway = (fit.upper[:-1] + fit.lower[1:]) / 2
    start = np.where(told, fit.lower, np.append(numbers[0], halfway))
    end = np.where(told, fit.upper, np.append(halfway, numbers[-1]))
    upto = np.append(0.0, np.cumsum(fit.mass)) / fit.mass.sum()
    edges, levels = np.stack([start, end]), np.stack([upto[:-1], upto[1:]])
    spread = np.interp(numbers, edges.ravel(order="F"), levels.ravel(order="F"))
    return _rising(fit, spread, answers)


def _rising(fit: Distribution, curve: Floats, answers: float) -> Floats:
    even = np.linspace(0, 1, len(curve))
    found: Floats = (fit.n * curve + answers * even) / (fit.n + answers)
    return found
