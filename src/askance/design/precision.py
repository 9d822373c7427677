"""The half-width to expect of an interval, before a report is sent."""

import math
from typing import Annotated

import numpy as np
from scipy.special import bdtrik, betainc, gammaln, xlog1py, xlogy

from askance.arguments import checked
from askance.channels.channel import Channel, Tally
from askance.channels.range_channel import AbstractRangeChannel
from askance.design.report_variance import Prevalence, above_zero, half_widths, shares_of, spread
from askance.exact.ratio import whole
from askance.inference.shares.estimate import BinomialShare, binomial_share
from askance.inference.shares.identified import informative
from askance.inference.shares.share_intervals import normal_quantile
from askance.typing import Floats

_MOST_OUTCOMES = 300_000  # pairs of counts that are gone through

_MOST = 10**15  # reports, which doubles count


@checked
def half_width(
    channel: Channel, n: Annotated[float, "a number of reports above 0"], level: float = 0.95
) -> float:
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
    variance = spread(channel).variance(above_zero(n))
    return min(normal_quantile(level) * math.sqrt(variance), 0.5)


@checked
def line_half_width(
    channel: AbstractRangeChannel,
    n: Annotated[float, "a number of reports above 0"],
    level: float = 0.95,
) -> float:
    """Give the half-width to expect of the mean's interval, where all steps are equally common.

    The normal quantile times the standard error of the expected information, and half the width of
    the pieces in which the number stays unknown; at most half the line.

    Raises
    ------
    NotIdentified
        If the reports cannot tell some pieces of the line apart.
    InputError
        If n is not positive, the line has more than 1,000 ticks, or the level is not in (0, 1).

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance.exact.line import Line
    >>> round(line_half_width(RangeChannel(Line(0, 2, 1), [1]), 400), 6)  # 1.959964 / 40 + 1 / 2
    0.548999
    """
    return float(half_widths(channel, above_zero(n), level))


@checked
def expected_half_width(
    channel: Channel, n: int, *, prevalence: Prevalence = None, level: float = 0.95
) -> float:
    """Give the mean half-width of a share's interval after n reports.

    For two answers told by two reports (and any number that say nothing), up to some thousand
    reports: exactly, the mean over every count of the half-width of Wilson's interval as `estimate`
    carries it through the channel, before it is cut to [0, 1]; at most ½. Otherwise z √V with V
    the variance that the expected information allows, for the share that fares worst.

    Parameters
    ----------
    channel : Channel
    n : int
        Reports that will arrive.
    prevalence : float or array of shape (k,), optional
        The share of the first of two answers, or a share for each answer; even if left out.
    level : float

    Raises
    ------
    InputError
        If a share is not above zero, n is below one or the level is not in (0, 1).
    NotIdentified
        If the reports cannot tell some answers apart.

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> round(expected_half_width(q, 400, prevalence=0.5), 5)  # by the normal law .09800
    0.09741
    """
    count = whole(n, "n", f"a number of reports from 1 to {_MOST:,}", 1, _MOST)
    shares, z = shares_of(prevalence, len(channel.frame)), normal_quantile(level)
    exact = exact_half_width(channel, count, float(shares[0]), z)
    if exact is not None:
        return exact
    return min(z * math.sqrt(spread(channel, shares).variance(count)), 0.5)


def exact_half_width(channel: Channel, n: int, share: float, z: float) -> float | None:
    """Average Wilson's half-width over every count; None where there are too many or no such law.

    >>> from askance.channels.frame import Frame
    >>> plain = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[1, 0], [0, 1]])
    >>> exact_half_width(plain, 10**9, 0.5, 1.96) is None
    True
    """
    known = binomial_share(informative(Tally(channel, {})))
    if known is None:
        return None
    heard = bulk(n, known.share)
    chance = known.base + known.slope * share
    if len(heard) * (18 * math.sqrt(n * known.share * chance * (1 - chance)) + 80) > _MOST_OUTCOMES:
        return None
    weight = mass(heard, n, known.share)
    widths = np.array([_given(known, int(total), chance, z) for total in heard])
    return min(float(weight @ widths / weight.sum()), 0.5)


def _given(known: BinomialShare, total: int, chance: float, z: float) -> float:
    """Average over the counts, given how many reports say anything; without one, all is open."""
    if not total:
        return 0.5 / abs(known.slope)
    counts = bulk(total, chance)
    frequency, penalty = counts / total, z * z / total
    wilson = np.sqrt(frequency * (1 - frequency) / penalty + 0.25) * penalty / (1 + penalty)
    return float(mass(counts, total, chance) @ wilson) / abs(known.slope)


MOST_EXACT = 10_000
"""The most reports for which every count is gone through."""

_REACH = 9.0  # standard deviations
_SPARE = 40  # counts, where a standard deviation is short


def bulk(n: float, chance: float) -> Floats:
    """List the counts that Binomial(n, chance) takes but for less than 1e-15 of its chance.

    >>> bulk(3, 0.5).tolist(), len(bulk(10**6, 0.5))
    ([0.0, 1.0, 2.0, 3.0], 9081)
    """
    reach = _REACH * math.sqrt(n * chance * (1 - chance)) + _SPARE
    low, high = max(0, math.floor(n * chance - reach)), min(n, math.ceil(n * chance + reach))
    return np.arange(low, high + 1.0)


def mass(counts: Floats, n: Floats | float, chance: float) -> Floats:
    """Give the chance of each count under Binomial(n, chance); zero outside 0 … n.

    >>> mass(np.array([-1.0, 0, 1, 2]), 2, 0.5).round(12).tolist()
    [0.0, 0.25, 0.5, 0.25]
    """
    inside = (counts >= 0) & (counts <= n)
    at = np.where(inside, counts, 0.0)
    ways = gammaln(np.add(n, 1.0)) - gammaln(at + 1) - gammaln(n - at + 1)
    found: Floats = np.exp(ways + xlogy(at, chance) + xlog1py(n - at, -chance)) * inside
    return found


def upper_tail(least: Floats, n: Floats, chance: float) -> Floats:
    """Give the chance of at least so many.

    >>> upper_tail(np.array([0.0, 2, 3]), np.array([2.0, 2, 2]), 0.5).tolist()
    [1.0, 0.25, 0.0]
    """
    inside = (least >= 1) & (least <= n)
    first = np.where(inside, least, 1.0)
    tail: Floats = np.where(inside, betainc(first, n - first + 1, chance), 1.0 * (least < 1))
    return tail


def critical(n: Floats, chance: float, alpha: float) -> Floats:
    """Give the least count that is reached with chance at most alpha; n + 1 where there is none.

    >>> critical(np.array([4.0, 5.0]), 0.5, 0.05).tolist()  # 0.5⁴ > 0.05 ≥ 0.5⁵
    [5.0, 5.0]
    """
    guess = np.nan_to_num(np.ceil(bdtrik(1 - alpha, np.maximum(n, 1), chance))) + 1
    found: Floats = np.clip(guess, 0, n + 1)
    settled = False
    while not settled:
        up = (upper_tail(found, n, chance) > alpha) & (found <= n)
        down = (found >= 1) & (upper_tail(found - 1, n, chance) <= alpha)
        settled = not (up | down).any()
        found = found + up - (down & ~up)
    return found
