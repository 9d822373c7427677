"""How much one range leaves open about a mean, whatever the law of the ranges."""

from itertools import pairwise

import numpy as np

from askance.channels.line_channel import AbstractRangeChannel
from askance.channels.range_channel import RangeChannel
from askance.errors import InputError, NotIdentified
from askance.estimators.fisher import fisher_covariance
from askance.estimators.grid import tick_numbers
from askance.estimators.information import cdf_covariance, mean_coefficients
from askance.typing import Floats

_MOST_TICKS = 300


def edges(channel: AbstractRangeChannel) -> Floats:
    """Give the ends of the pieces of the line that reports can tell apart.

    >>> from askance.exact.line import Line
    >>> edges(RangeChannel(Line(0, 4, 1), [0, 1, 0])).tolist()
    [0.0, 2.0, 4.0]
    """
    inner = channel.cut_ticks()
    found: Floats = tick_numbers(channel)[np.concatenate([[0], inner, [channel.line.ticks]])]
    return found


def undivided(channel: AbstractRangeChannel) -> float:
    """Give the mean width of these pieces, weighted by their length.

    No number of reports makes the mean better known than half of it.

    >>> from askance.exact.line import Line
    >>> undivided(RangeChannel(Line(0, 4, 1), [0, 1, 0]))
    2.0
    """
    widths = np.diff(edges(channel))
    return float(widths @ widths / widths.sum())


def mean_variance(channel: AbstractRangeChannel, shares: Floats) -> float:
    """Give the variance of one report's worth of the mean's lower or upper bound, the larger.

    For independent cuts by the Laplacian of their graph; otherwise the pieces are answers, spread
    inside as the shares are, and ranges, or silence, their reports.

    Parameters
    ----------
    channel : AbstractRangeChannel
    shares : array, shape (ticks,)

    Raises
    ------
    InputError
        If the line is too long for ranges of another law than that of independent cuts.
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
    if channel.line.ticks > _MOST_TICKS:
        raise InputError(
            "line.ticks",
            got=channel.line.ticks,
            allowed=f"at most {_MOST_TICKS}, to plan with ranges of this law",
            remedy="plan with a larger step",
        )
    ends = edges(channel)
    rows, told = _as_answers(channel, shares)
    if np.linalg.matrix_rank(rows) < len(told):
        raise NotIdentified(
            "channel",
            got="reports that leave two pieces of the line alike",
            allowed="a law that tells every piece from the others",
            remedy="the outside of a ring joins both ends of the line: cut it as well",
        )
    covariance = fisher_covariance(rows, told, 1.0)
    bounds = np.stack([ends[:-1], ends[1:]])
    return float(np.einsum("ij,jk,ik->i", bounds, covariance, bounds).max())


def _as_answers(channel: AbstractRangeChannel, shares: Floats) -> tuple[Floats, Floats]:
    """Give the chance of every range, and of silence, by piece; and the pieces' shares."""
    bounds = np.concatenate([[0], channel.cut_ticks(), [channel.line.ticks]])
    cells, chances = channel.cells()
    silent, rows, told = 1 - channel.heard(), [], []
    for low, high in pairwise(bounds):
        inside = np.zeros(len(shares))
        inside[low:high] = shares[low:high] / shares[low:high].sum()
        row = np.append(channel.inside(cells, inside) * chances, silent @ inside)
        rows.append(np.maximum(row, 0.0))
        told.append(shares[low:high].sum())
    found = np.array(rows).T
    return found[found.sum(axis=1) > 0], np.array(told)
