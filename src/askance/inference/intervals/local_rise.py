"""How finely the cuts of ranges lie, seen from what is known of F there: it decides F(t)'s law."""

import numpy as np

from askance.channels.ranges import Ranges, single_numbers
from askance.inference.ranges.distribution import Distribution
from askance.inference.ranges.support import OrderedEnds
from askance.typing import Floats

_NEAR = 0.15  # of the population to either side, for the slope of F


def inner_ends(
    cuts: OrderedEnds, line: tuple[float, float] = (-np.inf, np.inf)
) -> tuple[float, float]:
    """The innermost of the 2√n outermost ends at either side of a line; infinite of no end.

    Of unions it is √n, since most tell two ends. Nearer the outermost end F rests on so few that
    its most likely value does not settle there: where the one person with the highest cut is below
    it, it is 1. Exact numbers are no cuts.
    """
    ranges, ends = cuts.ranges, cuts.ends
    told = cuts.summed(_weights(ranges) * ~single_numbers(ranges.lower, ranges.upper))
    upto = np.cumsum(told * ((ends > line[0]) & (ends < line[1])))
    if not len(upto) or not upto[-1]:
        return -np.inf, np.inf
    few = min((1 + ranges.plain) * np.sqrt(ranges.total), upto[-1] / 4)
    first, last = np.searchsorted(upto, [few, upto[-1] - few], side="right")
    return float(ends[first]), float(ends[min(last, len(ends) - 1)])


def some_exact(ranges: Ranges) -> bool:
    """Say whether some number was told exactly, by ranges that were observed."""
    return bool(single_numbers(ranges.lower, ranges.upper).any())


def several_ends(ranges: Ranges) -> bool:
    """Say whether some range that was observed has more than one finite end."""
    two = np.isfinite(ranges.lower) & np.isfinite(ranges.upper)
    return not ranges.plain or bool(two.any())


def rises(cuts: OrderedEnds, fit: Distribution, at: Floats) -> Floats:
    """How much F rises from one cut to the next near each point, in standard errors.

    That error is what those whose range ends at the cut leave if all else is known,
    1/√(Σ w / P(range)²); for one cut a person it is √(F(1 − F)/n) of those asked there. The slope
    of F is that over the nearest 15 % of the population to either side, between the outer cuts.

    Parameters
    ----------
    cuts : OrderedEnds
    fit : Distribution
    at : array, shape (k,)
        Points among the cuts.

    Returns
    -------
    array, shape (k,)
    """
    ends = cuts.ends
    if len(ends) < 2:
        return np.full(len(at), np.inf)
    span = ends[-1] - ends[0]
    numbers = np.concatenate([[ends[0] - span], ends, [ends[-1] + span]])
    curve = spread_curve(fit, numbers)
    known = _information(cuts, curve[1:-1])
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


def _information(cuts: OrderedEnds, curve: Floats) -> Floats:
    """Add up w/P² over the ranges that end at each cut, shape (c,)."""
    ranges, upto = cuts.ranges, np.concatenate([[0.0], curve, [1.0]])
    chance = upto.take(cuts.past) - upto.take(cuts.first)
    if not ranges.plain:
        piece = np.repeat(np.arange(len(ranges)), np.diff(ranges.starts))
        chance = np.bincount(piece, chance)[piece]
    return cuts.summed(_weights(ranges) / np.maximum(chance, 1 / (ranges.total + 1)) ** 2)


def _weights(ranges: Ranges) -> Floats:
    """The weight of each piece."""
    return ranges.weights if ranges.plain else np.repeat(ranges.weights, np.diff(ranges.starts))


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
