"""From reported ranges of any shape to a number's distribution, mean and quantiles."""

import numpy as np
import numpy.typing as npt

from askance.channels.identified_range import identified_range
from askance.channels.line_channel import AbstractRangeChannel
from askance.channels.selection import Selection
from askance.estimators.band import quantiles, spread
from askance.estimators.cell_information import atoms, reach, shares_covariance
from askance.estimators.distribution import Distribution
from askance.estimators.grid import tick_numbers
from askance.estimators.information import two_curves
from askance.estimators.line import LineEstimate
from askance.estimators.nothing import nothing_told
from askance.estimators.npmle import npmle
from askance.estimators.outcome import Outcome
from askance.estimators.uncertainty import normal_quantile
from askance.estimators.wilson import wilson
from askance.typing import Floats, Integers


def estimate_cells(
    channel: AbstractRangeChannel,
    cells: npt.ArrayLike,
    counts: npt.ArrayLike,
    level: float = 0.95,
) -> LineEstimate:
    """Estimate a number from rings, ranges with parts sent exactly, or reports of which some fail.

    As `estimate_line`, with the information that ranges of any shape are expected to carry. Where
    the law withholds narrow ranges, the likelihood is adjusted for it. What no report tells apart
    is spread to its ends in the bounds of the mean and in the band.

    Parameters
    ----------
    channel : RangeChannel or RingChannel
    cells : array_like of int, shape (c, 2)
        As reports carry them: ticks ``(low, high]``; a ring's outside where low > high.
    counts : array_like, shape (c,)
    level : float

    Raises
    ------
    InputError
        If a range cannot be reported by this channel.
    NotIdentified
        If withheld ranges leave the distribution open.

    >>> from askance.channels.ring_channel import RingChannel
    >>> from askance.exact.floor import Floor
    >>> from askance.exact.line import Line
    >>> ring = RingChannel(Line(0, 4, 1), [1, 1, 1], Floor([1] * 4, 1))
    >>> found = estimate_cells(ring, [[1, 2], [2, 1], [2, 3], [3, 2]], [30, 70, 20, 80])
    >>> round(found.mean_low, 6), round(found.mean_high, 6)  # .3 and .2 inside, .5 at either end
    (0.7, 3.2)
    """
    z, numbers = normal_quantile(level), tick_numbers(channel)
    ends, seen = np.asarray(cells, dtype=np.int64).reshape(-1, 2), np.asarray(counts, dtype=float)
    if not seen.sum():
        return nothing_told(numbers, level, channel.line.unit)
    fit = _fit(channel, ends, seen, (float(numbers[0]), float(numbers[-1])))
    lower, upper = _spread_to(fit, numbers, *reach(atoms(channel)))
    se, band = _uncertain(channel, fit, numbers, (lower, upper), z)
    low, high = float(fit.mass @ numbers[lower]), float(fit.mass @ numbers[upper])
    coverage = channel.inside(ends, np.diff(fit.cdf(numbers)))
    learnt = identified_range(channel)
    return LineEstimate(
        unit=channel.line.unit,
        distribution=fit,
        mean_low=low,
        mean_high=high,
        se=se,
        lower=max(low - z * se, numbers[0]),
        upper=min(high + z * se, numbers[-1]),
        level=level,
        ticks=numbers,
        cdf=fit.cdf(numbers),
        band_lower=band[0],
        band_upper=band[1],
        quantiles=quantiles(fit, numbers, band),
        coverage=coverage,
        coverage_counts=seen,
        average_coverage=float(coverage @ seen / fit.n),
        plain=min(spread(fit) / se**2, fit.n),
        reports=int(fit.n),
        method=fit.method,
        outcome=fit.outcome if learnt.complete else Outcome.PARTLY_IDENTIFIED,
        unlearnt=learnt.unlearnt,
    )


def _fit(
    channel: AbstractRangeChannel, ends: Integers, counts: Floats, support: tuple[float, float]
) -> Distribution:
    withheld = bool(channel.heard().min() < 1)
    selection = Selection.from_channel(channel) if withheld else None
    return npmle(channel.ranges(ends, counts), support, selection=selection)


def _uncertain(
    channel: AbstractRangeChannel,
    fit: Distribution,
    numbers: Floats,
    ends: tuple[Integers, Integers],
    z: float,
) -> tuple[float, tuple[Floats, Floats]]:
    """Give the error of the mean's bounds, and the band: the wider of what two curves expect."""
    first, last = reach(atoms(channel))
    ticks = np.arange(len(numbers))
    below = (last[None, :] < ticks[:, None]).astype(float)
    touching = (first[None, :] < ticks[:, None]).astype(float)
    sums = np.concatenate([np.stack([numbers[first], numbers[last + 1]]), below, touching])
    shares = [np.diff(curve) for curve in two_curves(fit, numbers)]
    variances = [np.maximum(shares_covariance(channel, fit.n, p, sums), 0) for p in shares]
    means = [sums[2:] @ p for p in shares]
    with np.errstate(divide="ignore", invalid="ignore"):
        each = [m * (1 - m) / v[2:] for m, v in zip(means, variances, strict=True)]
    worth = np.fmin(np.fmin(*each), fit.n)  # no report is worth more than a plain number
    lowest = (ends[1][None, :] <= ticks[:, None]) @ fit.mass
    highest = (ends[0][None, :] < ticks[:, None]) @ fit.mass
    sure_low, sure_high = below.sum(axis=1), touching.sum(axis=1)
    n = len(numbers)
    lower = np.where(sure_low > 0, wilson(np.clip(lowest, 0, 1), worth[:n], z)[0], 0.0)
    upper = np.where(sure_high < n - 1, wilson(np.clip(highest, 0, 1), worth[n:], z)[1], 1.0)
    upper[0], lower[-1] = 0.0, 1.0
    se = float(np.sqrt(max(v[:2].max() for v in variances)))
    return se, (lower, upper)


def _spread_to(
    fit: Distribution, numbers: Floats, first: Integers, last: Integers
) -> tuple[Integers, Integers]:
    """Give the ticks between which each mass of the fit may lie, seen by the reports alone."""
    low = np.searchsorted(numbers, fit.lower, side="right") - 1
    high = np.maximum(np.searchsorted(numbers, fit.upper), low + 1)
    held = list(zip(low.tolist(), high.tolist(), strict=True))
    return (
        np.array([first[a:b].min() for a, b in held]),
        np.array([last[a:b].max() + 1 for a, b in held]),
    )
