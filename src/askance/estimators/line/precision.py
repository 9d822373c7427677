"""How precise so many reports will be, before any is collected."""

import numpy as np

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.range_channel import RangeChannel
from askance.channels.tally import Tally
from askance.errors import InputError
from askance.estimators.line.grid import tick_numbers
from askance.estimators.line.information import cdf_covariance, mean_coefficients
from askance.estimators.shares.fisher import fisher_covariance
from askance.estimators.shares.informative import informative
from askance.estimators.shares.uncertainty import normal_quantile


@checked
def half_width(channel: Channel, n: float, level: float = 0.95) -> float:
    """Give the half-width to expect of a share's interval, where all answers are equally common.

    The normal quantile times the largest standard error of the expected information, at most 1/2.

    Parameters
    ----------
    channel : Channel
    n : float
        Reports that will arrive.
    level : float

    Raises
    ------
    NotIdentified
        If the reports cannot tell some answers apart.
    InputError
        If n is not positive or the level is not in (0, 1).

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> round(half_width(q, 400), 6)  # 1.959964 · 0.5 / (0.5 · √400)
    0.097998
    """
    rows = informative(Tally(channel, {})).rows
    k = len(channel.frame)
    variance = np.diag(fisher_covariance(rows, np.full(k, 1 / k), _positive(n)))
    return float(min(normal_quantile(level) * np.sqrt(variance.max()), 0.5))


@checked
def line_half_width(channel: RangeChannel, n: float, level: float = 0.95) -> float:
    """Give the half-width to expect of the mean's interval, where all steps are equally common.

    The normal quantile times the standard error of the expected information, and half a step, in
    which the number stays unknown; at most half the line.

    Raises
    ------
    InputError
        If n is not positive, the line has more than 1,000 ticks, or the level is not in (0, 1).

    >>> from askance.exact.line import Line
    >>> round(line_half_width(RangeChannel(Line(0, 2, 1), [1]), 400), 6)  # 1.959964 / 40 + 1 / 2
    0.548999
    """
    numbers = tick_numbers(channel)
    even = np.linspace(0, 1, len(numbers))
    covariance = cdf_covariance(channel, _positive(n), even)
    shift = mean_coefficients(channel, numbers)
    se = np.sqrt(np.einsum("ij,jk,ik->i", shift, covariance, shift).max())
    length, open_part = numbers[-1] - numbers[0], open_width(channel)
    return float(min(normal_quantile(level) * se + open_part / 2, length / 2))


def open_width(channel: RangeChannel) -> float:
    """Give the mean width of the pieces that no cut can divide, weighted by their length.

    No number of reports makes the mean better known than half of it.

    >>> from askance.exact.line import Line
    >>> open_width(RangeChannel(Line(0, 4, 1), [0, 1, 0], 1))
    2.0
    """
    numbers = tick_numbers(channel)
    inner = np.flatnonzero(np.asarray(channel.weights) > 0) + 1
    widths = np.diff(numbers[np.concatenate([[0], inner, [len(numbers) - 1]])])
    return float(widths @ widths / widths.sum())


def _positive(n: float) -> float:
    if not n > 0:
        raise InputError("n", got=n, allowed="a number of reports in (0, ∞)")
    return n
