"""What is read off the fit of a number: its band, quantiles, spread and coverage."""

from collections.abc import Mapping

import numpy as np

from askance.channels.range_channel import RangeChannel
from askance.estimators.line.grid import Reported
from askance.estimators.ranges.distribution import Distribution
from askance.estimators.shares.share_intervals import wilson
from askance.typing import Floats

SHARES: Mapping[float, str] = {
    0.1: "10th percentile",
    0.25: "lower quartile",
    0.5: "median",
    0.75: "upper quartile",
    0.9: "90th percentile",
}
"""The quantiles that are reported, with what they are called."""


def cdf_band(
    channel: RangeChannel, fit: Distribution, numbers: Floats, worth: Floats, z: float
) -> tuple[Floats, Floats]:
    """Give an interval for F at every tick; where no cut falls, from the nearest cuts around."""
    cuts = channel.cut_ticks()
    low, high = fit.cdf_bounds(numbers[cuts])
    lower = np.concatenate([[0.0], wilson(low, worth, z)[0], [1.0]])
    upper = np.concatenate([[0.0], wilson(high, worth, z)[1], [1.0]])
    ends = np.concatenate([[0], cuts, [len(numbers) - 1]])
    every = np.arange(len(numbers))
    before = np.searchsorted(ends, every, side="right") - 1
    after = np.searchsorted(ends, every, side="left")
    return lower[before], upper[after]


def quantiles(
    fit: Distribution, numbers: Floats, band: tuple[Floats, Floats]
) -> dict[float, tuple[float, float, float]]:
    """Invert the band: a quantile lies in ``(low, high]`` where it lets the cdf cross the share."""
    cdf, found = fit.cdf(numbers), {}
    for share in SHARES:
        low = numbers[int(np.argmax(band[1] >= share)) - 1]
        high = numbers[int(np.flatnonzero(band[0] < share)[-1]) + 1]
        middle = float(np.clip(np.interp(share, cdf, numbers), low, high))
        found[share] = (float(low), middle, float(high))
    return found


def coverage_of(fit: Distribution, numbers: Floats, cells: Reported) -> Floats:
    """Give the estimated share of the population inside each reported cell."""
    upto, _ = fit.cdf_bounds(numbers[cells.cells])
    inside: Floats = upto[:, 1] - upto[:, 0]
    return inside


def number_variance(fit: Distribution) -> float:
    """Give the variance of the number, masses spread evenly over their intervals."""
    middle, width = (fit.lower + fit.upper) / 2, fit.upper - fit.lower
    return float(fit.mass @ (middle**2 + width**2 / 12) - (fit.mass @ middle) ** 2)
