"""From reported ranges of any shape to a number's distribution, mean and quantiles."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from askance.channels.identification import Selection, identified_range
from askance.channels.range_channel import AbstractRangeChannel
from askance.channels.ranges import Ranges
from askance.estimators.intervals.cdf_intervals import HIGHEST, LOWEST
from askance.estimators.intervals.local_rise import cut_ends, two_curves
from askance.estimators.intervals.quantile_intervals import quantile_intervals
from askance.estimators.line.band import SHARES, number_variance, quantiles
from askance.estimators.line.cell_information import Law, atoms, reach, shares_covariance
from askance.estimators.line.grid import tick_numbers
from askance.estimators.line.line import LineEstimate
from askance.estimators.line.nothing import nothing_told
from askance.estimators.line.stopped import stopped_law
from askance.estimators.outcome import Outcome
from askance.estimators.ranges.distribution import Distribution
from askance.estimators.ranges.npmle import npmle
from askance.estimators.shares.share_intervals import normal_quantile, wilson
from askance.typing import Floats, Integers


def estimate_cells(
    channel: AbstractRangeChannel,
    cells: npt.ArrayLike,
    counts: npt.ArrayLike,
    level: float = 0.95,
    *,
    stopping: bool = False,
) -> LineEstimate:
    """Estimate a number from rings, ranges with parts sent exactly, or reports of which some fail.

    As `estimate_line`, with the information that ranges of any shape are expected to carry. Where
    the law withholds narrow ranges, the likelihood is adjusted for it. What no report tells apart
    is spread to its ends in the bounds of the mean and in the band. Quantiles have the intervals of
    `quantile_intervals`, by likelihood ratio.

    Parameters
    ----------
    channel : RangeChannel, RingChannel or OpenCellChannel
    cells : array_like of int, shape (c, 2)
        As reports carry them: ticks ``(low, high]``; a ring's outside where low > high.
    counts : array_like, shape (c,)
    level : float
    stopping : bool
        Whether people may stop before their range is as narrow as it could be. Errors then come
        from the law of ranges of those who stopped as these did (`stopped_law`). A choice to stop
        that depends on more of the answer than the range tells biases the estimate by what nobody
        can know.

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
    ranges, selection = channel.ranges(ends, seen), _selection(channel)
    fit = npmle(ranges, (numbers[0], numbers[-1]), selection=selection)
    hull = _spread_to(channel, fit, numbers)
    low, high = (float(fit.mass @ numbers[ticks]) for ticks in hull)
    law = stopped_law(channel, ends, seen) if stopping else None
    se, band = _uncertain(channel, fit, hull, law, z)
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
        quantiles=likely_quantiles(ranges, selection, fit, numbers, level, band),
        plain=min(number_variance(fit) / se**2, fit.n),
        reports=int(fit.n),
        method=fit.method,
        **_covered(channel, fit, ends, seen),
        **_learnt(channel, fit),
    )


def _covered(
    channel: AbstractRangeChannel, fit: Distribution, ends: Integers, seen: Floats
) -> dict[str, Any]:
    coverage = channel.inside(ends, np.diff(fit.cdf(tick_numbers(channel))))
    average = float(coverage @ seen / fit.n)
    return {"coverage": coverage, "coverage_counts": seen, "average_coverage": average}


def _learnt(channel: AbstractRangeChannel, fit: Distribution) -> dict[str, Any]:
    found = identified_range(channel)
    outcome = fit.outcome if found.complete else Outcome.PARTLY_IDENTIFIED
    return {"outcome": outcome, "unlearnt": found.unlearnt}


def _selection(channel: AbstractRangeChannel) -> Selection | None:
    return Selection.from_channel(channel) if channel.heard().min() < 1 else None


def _sums(numbers: Floats, first: Integers, last: Integers) -> Floats:
    """Weigh the steps: by either end of the mean, then below each tick for sure, and perhaps."""
    ticks = np.arange(len(numbers))
    below = (last[None, :] < ticks[:, None]).astype(float)
    touching = (first[None, :] < ticks[:, None]).astype(float)
    return np.concatenate([np.stack([numbers[first], numbers[last + 1]]), below, touching])


def _uncertain(
    channel: AbstractRangeChannel,
    fit: Distribution,
    ends: tuple[Integers, Integers],
    law: Law | None,
    z: float,
) -> tuple[float, tuple[Floats, Floats]]:
    """Give the error of the mean's bounds, and the band: the wider of what two curves expect."""
    numbers = tick_numbers(channel)
    sums = _sums(numbers, *reach(atoms(channel)))
    shares = [np.diff(curve) for curve in two_curves(fit, numbers)]
    variances = [shares_covariance(channel, fit.n, p, sums, law) for p in shares]
    se = float(np.sqrt(max(0.0, *(v[:2].max() for v in variances))))
    return se, _band(fit, ends, sums, list(zip(shares, variances, strict=True)), z)


def _band(
    fit: Distribution,
    ends: tuple[Integers, Integers],
    sums: Floats,
    curves: Sequence[tuple[Floats, Floats]],
    z: float,
) -> tuple[Floats, Floats]:
    n = len(sums) // 2 - 1
    ticks = np.arange(n)
    each = []
    for shares, variance in curves:
        mean = sums[2:] @ shares
        with np.errstate(divide="ignore", invalid="ignore"):
            each.append(mean * (1 - mean) / np.maximum(variance[2:], 0))
    worth = np.fmin(np.fmin(*each), fit.n)  # no report is worth more than a plain number
    lowest = (ends[1][None, :] <= ticks[:, None]) @ fit.mass
    highest = (ends[0][None, :] < ticks[:, None]) @ fit.mass
    sure_low, sure_high = sums[2 : 2 + n].sum(axis=1), sums[2 + n :].sum(axis=1)
    lower = np.where(sure_low > 0, wilson(np.clip(lowest, 0, 1), worth[:n], z)[0], 0.0)
    upper = np.where(sure_high < n - 1, wilson(np.clip(highest, 0, 1), worth[n:], z)[1], 1.0)
    upper[0], lower[-1] = 0.0, 1.0
    return lower, upper


def _spread_to(
    channel: AbstractRangeChannel, fit: Distribution, numbers: Floats
) -> tuple[Integers, Integers]:
    """Give the ticks between which each mass of the fit may lie, seen by the reports alone."""
    first, last = reach(atoms(channel))
    low = np.searchsorted(numbers, fit.lower, side="right") - 1
    high = np.maximum(np.searchsorted(numbers, fit.upper), low + 1)
    held = list(zip(low.tolist(), high.tolist(), strict=True))
    return (
        np.array([first[a:b].min() for a, b in held]),
        np.array([last[a:b].max() + 1 for a, b in held]),
    )


def likely_quantiles(
    ranges: Ranges,
    selection: Selection | None,
    fit: Distribution,
    numbers: Floats,
    level: float,
    band: tuple[Floats, Floats],
) -> dict[float, tuple[float, float, float]]:
    """Give each reported quantile between the ends of its interval, which are ticks of the line.

    They use that no share is below 0, which the band does not. The band is inverted only where the
    law of the likelihood ratio is not tabled, or no range has an end.
    """
    if not (LOWEST <= level <= HIGHEST and len(cut_ends(ranges))):
        return quantiles(fit, numbers, band)
    found = quantile_intervals(ranges, tuple(SHARES), level, selection=selection)
    lower, upper = (np.clip(ends, numbers[0], numbers[-1]) for ends in (found.lower, found.upper))
    middle = np.clip(np.interp(found.share, fit.cdf(numbers), numbers), lower, upper)
    told = zip(lower.tolist(), middle.tolist(), upper.tolist(), strict=True)
    return dict(zip(SHARES, told, strict=True))
