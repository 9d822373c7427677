"""How precise an estimate will be, before anyone is asked."""

from dataclasses import replace

import numpy as np

from askance.channels.channel import Channel
from askance.channels.ranges import RangeChannel
from askance.channels.tally import Tally
from askance.errors import InputError
from askance.estimators.fisher import fisher_covariance
from askance.estimators.grid import tick_numbers
from askance.estimators.information import cdf_covariance, cut_ticks, mean_coefficients
from askance.estimators.informative import informative
from askance.estimators.uncertainty import normal_quantile


def half_width(channel: Channel, n: int, level: float = 0.95) -> float:
    """Expect half the width of the widest interval of a share, if all answers are equally common.

    z √max Cov with the covariance of `fisher_covariance`; the interval is narrower for rarer
    answers in most designs.

    Parameters
    ----------
    channel : Channel
    n : int
        Reports.
    level : float

    Raises
    ------
    InputError
        If n is not positive or the level not in (0, 1).
    NotIdentified
        If the reports cannot tell some answers apart.

    >>> from askance.channels.frame import Frame
    >>> plain = Channel(Frame(["a", "b"]), {"a": ["a"], "b": ["b"]}, [[1, 0], [0, 1]])
    >>> round(half_width(plain, 100), 4)
    0.098
    """
    data = replace(informative(Tally(channel, {})), received=_positive(n))
    shares = np.full(len(channel.frame), 1 / len(channel.frame))
    variance = np.diag(fisher_covariance(data, shares)).max()
    return normal_quantile(level) * float(np.sqrt(variance))


def line_half_width(channel: RangeChannel, n: int, level: float = 0.95) -> float:
    """Expect half the width of the interval of the mean, if numbers are spread evenly.

    The sampling error from `cdf_covariance`, and half of what the steps without a cut leave open.

    >>> from askance.exact.line import Line
    >>> round(line_half_width(RangeChannel(Line(0, 10, 1), [1] * 9), 1000), 3)
    0.739
    """
    numbers = tick_numbers(channel)
    even = np.linspace(0, 1, len(numbers))
    covariance = cdf_covariance(channel, _positive(n), even)
    shift = mean_coefficients(channel, numbers)
    variance = np.einsum("ij,jk,ik->i", shift, covariance, shift).max()
    steps = np.diff(numbers[np.concatenate([[0], cut_ticks(channel), [-1]])])
    open_ended = float(steps @ steps / steps.sum())
    return normal_quantile(level) * float(np.sqrt(variance)) + open_ended / 2


def _positive(n: int) -> int:
    if not n > 0:
        raise InputError("n", got=n, allowed="a number of reports in [1, ∞)")
    return n
