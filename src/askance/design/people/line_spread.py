"""How much one range leaves open about a mean, whatever the law of the ranges."""

import numpy as np
import numpy.typing as npt

from askance.channels.line_channel import AbstractRangeChannel
from askance.channels.range_channel import RangeChannel
from askance.errors import NotIdentified
from askance.estimators.line.cell_information import atoms, identified, reach, shares_covariance
from askance.estimators.line.grid import tick_numbers
from askance.estimators.line.information import cdf_covariance, mean_coefficients
from askance.estimators.shares.uncertainty import normal_quantile
from askance.typing import Floats


def undivided(channel: AbstractRangeChannel, shares: Floats | None = None) -> float:
    """Give the mean width of the pieces that reports do not divide, over people.

    By the shares of the steps; evenly if they are left out. No number of reports makes the mean
    better known than half of it. The outside of a ring is a piece that spans the line.

    >>> from askance.exact.line import Line
    >>> undivided(RangeChannel(Line(0, 4, 1), [0, 1, 0]))
    2.0
    """
    low, high = _bounds(channel)
    return float(np.average(high - low, weights=shares))


def mean_variance(channel: AbstractRangeChannel, shares: Floats) -> float:
    """Give the variance of one report's worth of the mean's lower or upper bound, the larger.

    For independent cuts by the Laplacian of their graph; otherwise by the information that the
    ranges which are sent carry about the steps that they tell apart.

    Parameters
    ----------
    channel : AbstractRangeChannel
    shares : array, shape (ticks,)

    Raises
    ------
    InputError
        If the line has more ticks than can be estimated tick by tick.
    NotIdentified
        If the reports cannot tell some pieces apart.

    >>> from askance.exact.line import Line
    >>> cut, even = RangeChannel(Line(0, 2, 1), [1]), np.full(2, 1 / 2)
    >>> round(mean_variance(cut, even), 9)  # F(1 − F)
    0.25
    """
    numbers = tick_numbers(channel)
    if isinstance(channel, RangeChannel) and channel.plain:
        covariance = cdf_covariance(channel, 1.0, np.concatenate([[0.0], np.cumsum(shares)]))
        shift = mean_coefficients(channel, numbers)
        return float(np.einsum("ij,jk,ik->i", shift, covariance, shift).max())
    if not identified(channel):
        raise NotIdentified(
            "channel",
            got="reports that leave two pieces of the line alike",
            allowed="a law that tells every piece from the others",
            remedy="lower the floor, or draw more cuts",
        )
    return float(shares_covariance(channel, 1.0, shares, np.stack(_bounds(channel))).max())


def half_widths(
    channel: AbstractRangeChannel,
    n: npt.ArrayLike,
    level: float = 0.95,
    shares: Floats | None = None,
) -> Floats:
    """Give the half-width to expect of the mean's interval from so many reports, and so many.

    The normal quantile times the standard error of the expected information, and half the width in
    which a number stays unknown; at most half the line. Of evenly spread numbers, or with these
    shares of the steps.

    >>> from askance.exact.line import Line
    >>> half_widths(RangeChannel(Line(0, 2, 1), [1]), [100, 400]).round(6).tolist()
    [0.597998, 0.548999]
    """
    numbers = tick_numbers(channel)
    k = channel.line.ticks
    variance = mean_variance(channel, np.full(k, 1 / k) if shares is None else shares)
    error = np.sqrt(variance / np.asarray(n, dtype=float))
    width = normal_quantile(level) * error + undivided(channel, shares) / 2
    most: Floats = np.minimum(width, (numbers[-1] - numbers[0]) / 2)
    return most


def _bounds(channel: AbstractRangeChannel) -> tuple[Floats, Floats]:
    """Give for each step the ends between which a number in it stays unknown."""
    numbers = tick_numbers(channel)
    if isinstance(channel, RangeChannel) and not channel.withhold:
        ends = np.concatenate([[0], channel.cut_ticks(), [channel.line.ticks]])
        steps = np.diff(ends)
        return numbers[np.repeat(ends[:-1], steps)], numbers[np.repeat(ends[1:], steps)]
    first, last = reach(atoms(channel))
    return numbers[first], numbers[last + 1]
