"""How precise an estimate will be before a report is sent: variances, worth and half-widths."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, final

import numpy as np
import numpy.typing as npt
from scipy.special import bdtrik, betainc, gammaln, xlog1py, xlogy

from askance.channels.channel import Channel
from askance.channels.range_channel import AbstractRangeChannel, RangeChannel
from askance.inference.line.cells import (
    atoms,
    cdf_covariance,
    identified,
    mean_coefficients,
    reach,
    shares_covariance,
    tick_numbers,
)
from askance.inference.shares.information import (
    BinomialShare,
    binomial_share,
    fisher_covariance,
    identifying,
)
from askance.privacy.guarantee import EVENLY
from askance.results import doubles, keep_read_only, normal_quantile
from askance.typing import Floats
from askance_collect.arguments import checked
from askance_collect.errors import InputError, NotIdentified
from askance_collect.exact.ratio import read_integer

Prevalence = float | Sequence[float] | Floats | None
"""The share of the first of two answers, a share for each answer, or None for an even spread."""

AnyChannel = Channel | AbstractRangeChannel
"""A question with named answers, or one for a number on a line."""

_MAX_LISTED = 6  # shares that are named one by one
_EVEN = 1e-12  # how far even shares may differ
_SUM = 1e-9  # how far shares may sum from one


class AbstractAim(ABC):
    """An aim that more reports bring nearer."""

    __slots__ = ()

    @property
    @abstractmethod
    def description(self) -> str:
        """The aim in words."""

    @property
    @abstractmethod
    def design_effect(self) -> float:
        """The design effect: reports with the precision of one direct answer."""

    @property
    @abstractmethod
    def quantity(self) -> str:
        """What more reports make smaller or larger."""

    @abstractmethod
    def approximate(self, population: int | None) -> int:
        """The least number of reports by the normal law; refuse what cannot be reached."""

    @abstractmethod
    def exact(self, near: int) -> int | None:
        """The least number by exact enumeration of the counts; None where that is too much work."""

    @abstractmethod
    def attained(self, n: int, population: int | None, exact: bool) -> float:
        """Say what so many reports reach."""


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Spread:
    """The variance of one report's worth of estimate, for each figure that is estimated.

    Attributes
    ----------
    sampling : array
        What a truthful, plain answer would leave: it vanishes when everyone is asked.
    noise : array
        What the mechanism adds: it stays when everyone is asked.
    """

    sampling: Floats
    noise: Floats

    def __post_init__(self) -> None:
        keep_read_only(self, "sampling noise")

    def variance(self, n: float, population: float | None = None) -> float:
        """The largest variance among the figures after n reports.

        (sampling · (N − n)/(N − 1) + noise)/n in a population of N: drawing without replacement
        makes sampling more precise, but no mechanism less noisy.

        >>> spread = Spread(sampling=np.array([0.25]), noise=np.array([0.75]))
        >>> spread.variance(100), spread.variance(100, 100)
        (0.01, 0.0075)
        """
        unsampled = 1.0 if population is None else (population - n) / max(population - 1, 1)
        return float((self.sampling * unsampled + self.noise).max() / n)

    @property
    def design_effect(self) -> float:
        """The design effect, for the figure with the largest: reports as precise as one answer."""
        return float((1 + self.noise / self.sampling).max())


def spread(channel: AnyChannel, prevalence: Prevalence = None) -> Spread:
    """Say how much one report leaves open about the shares of the answers, or about a mean.

    The inverse of the expected information at these shares; for a line, of the mean's lower or
    upper bound, whichever is larger.

    Raises
    ------
    InputError
        If the shares are not positive or do not sum to one.
    NotIdentified
        If the reports cannot tell some answers apart.

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> variances = spread(q, 0.5)  # 0.25 + 0.75/(4 · 0.5²)
    >>> variances.sampling.tolist(), variances.noise.round(9).tolist()
    ([0.25, 0.25], [0.75, 0.75])
    """
    if isinstance(channel, AbstractRangeChannel):
        return _spread_of_mean(channel, prevalence)
    shares = shares_of(prevalence, len(channel.frame))
    rows = identifying(channel).rows
    variance = np.diag(fisher_covariance(rows, shares, 1.0))
    sampling = shares * (1 - shares)
    return Spread(sampling=sampling, noise=np.maximum(variance - sampling, 0))


def shares_of(prevalence: Prevalence, k: int, where: str = "prevalence") -> Floats:
    """Read a prevalence as a positive share for each of k answers.

    >>> shares_of(0.25, 2).tolist(), shares_of(None, 4).tolist()
    ([0.25, 0.75], [0.25, 0.25, 0.25, 0.25])
    """
    if k < 2:
        raise InputError("answers", got=f"{k} answer", allowed="two or more answers")
    if prevalence is None:
        return np.full(k, 1 / k)
    shares = doubles(prevalence, where)
    if shares.ndim == 0 and k == 2:
        shares = np.array([float(shares), 1 - float(shares)])
    if shares.ndim == 0:
        raise InputError(
            where,
            got=f"one share for {k} answers",
            allowed="a share for each answer, or none for an even spread",
        )
    fits = shares.shape == (k,) and bool(np.all(shares > 0)) and abs(shares.sum() - 1) <= _SUM
    if not fits:
        raise InputError(
            where,
            got=shares.tolist() if k > 2 or shares.shape != (k,) else float(shares[0]),
            allowed="a share strictly between 0 and 1"
            if k == 2
            else f"{k} shares above 0 that sum to one",
            remedy="plan with the smallest share that would still matter",
        )
    return shares


def describe_shares(shares: Floats) -> str:
    """Say how common answers are taken to be.

    >>> describe_shares(shares_of(None, 2)), describe_shares(shares_of(0.1, 2))
    ('if answers were spread evenly', 'if shares were 0.1 and 0.9')
    """
    if shares.max() - shares.min() < _EVEN:
        return EVENLY
    if len(shares) > _MAX_LISTED:
        return "by the shares that were given"
    *others, last = [f"{share:.6g}" for share in shares]
    return f"if shares were {', '.join(others)} and {last}"


def check_report_count(n: float) -> float:
    """Refuse what is no number of reports.

    >>> check_report_count(0)
    Traceback (most recent call last):
    askance_collect.errors.InputError: n: got 0; allowed: a number of reports above 0
    """
    if not doubles(n, "n") > 0:
        raise InputError("n", got=n, allowed="a number of reports above 0")
    return n


def _spread_of_mean(channel: AbstractRangeChannel, prevalence: Prevalence) -> Spread:
    numbers = tick_numbers(channel)
    shares = shares_of(prevalence, channel.line.ticks)
    middle = (numbers[1:] + numbers[:-1]) / 2
    mean = shares @ middle
    sampling = float(shares @ (middle - mean) ** 2)
    variance = mean_variance(channel, shares)
    return Spread(sampling=np.array([sampling]), noise=np.array([max(variance - sampling, 0.0)]))


def undivided_width(channel: AbstractRangeChannel, shares: Floats | None = None) -> float:
    """The mean width of the pieces that reports do not divide, over people.

    By the shares of the steps; evenly if they are left out. No number of reports makes the mean
    better known than half of it. The outside of a ring is a piece that spans the line. Of whole
    numbers a piece is as wide as its last value is beyond its first.

    >>> from askance_collect.exact.line import Line
    >>> undivided_width(RangeChannel(Line(0, 4, 1), [0, 1, 0]))
    2.0
    >>> undivided_width(RangeChannel(Line(0, 3, 1, integer=True), [1, 1, 1]))
    0.0
    """
    low, high = _bounds(channel)
    return float(np.average(high - low - channel.line.spacing, weights=shares))


def mean_variance(channel: AbstractRangeChannel, shares: Floats) -> float:
    """The variance of one report's worth of the mean's lower or upper bound, the larger.

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

    >>> from askance_collect.exact.line import Line
    >>> cut, even = RangeChannel(Line(0, 2, 1), [1]), np.full(2, 1 / 2)
    >>> round(mean_variance(cut, even), 9)  # F(1 − F)
    0.25
    """
    numbers = tick_numbers(channel)
    if isinstance(channel, RangeChannel) and channel.reports_every_cell:
        covariance = cdf_covariance(channel, 1.0, np.concatenate([[0.0], np.cumsum(shares)]))
        shift = mean_coefficients(channel, numbers)
        return float(np.einsum("ij,jk,ik->i", shift, covariance, shift).max())
    if not identified(channel):
        raise NotIdentified(
            "channel",
            got="reports that leave two pieces of the line alike",
            allowed="a law that separates every piece from the others",
            remedy="lower the floor, or draw more cuts",
        )
    return float(shares_covariance(channel, 1.0, shares, np.stack(_bounds(channel))).max())


def saved_by_whole_numbers(
    channel: AbstractRangeChannel, n: float, half_width: float, shares: Floats | None = None
) -> float:
    """How many reports more that half-width would take, had the number any value.

    Of whole numbers the half-width h is z √(V/n) and what their steps leave open; of any others it
    is half of 1 more. The same h then takes z² V/(h − ½)² reports, and none will do if h ≤ ½.

    Parameters
    ----------
    channel : AbstractRangeChannel
    n : float
        Reports that reach it.
    half_width : float
    shares : array, shape (ticks,), optional

    Returns
    -------
    float
        0 on a line of all numbers, ∞ where no number of reports would do.

    >>> from askance_collect.exact.line import Line
    >>> cut = RangeChannel(Line(0, 10, 1, integer=True), [1] * 10)
    >>> saved_by_whole_numbers(cut, 900, 0.75), saved_by_whole_numbers(cut, 900, 0.5)
    (7200.0, inf)
    """
    if not channel.line.integer:
        return 0.0
    margin = half_width - undivided_width(channel, shares) / 2
    remaining = margin - channel.line.spacing / 2
    return n * ((margin / remaining) ** 2 - 1) if remaining > 0 else math.inf


def half_widths(
    channel: AbstractRangeChannel,
    n: npt.ArrayLike,
    level: float = 0.95,
    shares: Floats | None = None,
) -> Floats:
    """The half-width to expect of the mean's interval from so many reports, and so many.

    The normal quantile times the standard error of the expected information, and half the width in
    which a number stays unknown (0 for whole numbers in steps of 1); at most half the line. Of
    evenly spread numbers, or with these shares of the steps.

    >>> from askance_collect.exact.line import Line
    >>> half_widths(RangeChannel(Line(0, 2, 1), [1]), [100, 400]).round(6).tolist()
    [0.597998, 0.548999]
    """
    numbers = tick_numbers(channel)
    k = channel.line.ticks
    variance = mean_variance(channel, np.full(k, 1 / k) if shares is None else shares)
    error = np.sqrt(variance / np.asarray(n, dtype=float))
    width = normal_quantile(level) * error + undivided_width(channel, shares) / 2
    capped: Floats = np.minimum(width, (numbers[-1] - numbers[0] - channel.line.spacing) / 2)
    return capped


def _bounds(channel: AbstractRangeChannel) -> tuple[Floats, Floats]:
    """For each step the ends between which a number in it stays unknown."""
    numbers = tick_numbers(channel)
    if isinstance(channel, RangeChannel) and not channel.withhold:
        ends = np.concatenate([[0], channel.cut_ticks(), [channel.line.ticks]])
        steps = np.diff(ends)
        return numbers[np.repeat(ends[:-1], steps)], numbers[np.repeat(ends[1:], steps)]
    first, last = reach(atoms(channel))
    return numbers[first], numbers[last + 1]


@checked
def effective_sample_size(
    channel: AnyChannel, n: float = 1, *, prevalence: Prevalence = None
) -> float:
    """Effective sample size of n reports: the number of direct answers with the same precision.

    n over the design effect (1 + noise/sampling), for the share, or the mean, that fares worst.

    Parameters
    ----------
    channel : Channel or AbstractRangeChannel
    n : float
    prevalence : float or array, optional
        The share of the first of two answers, a share for each answer, or for each step of a line;
        even if left out.

    Raises
    ------
    InputError
        If a share or n is not above zero.
    NotIdentified
        If the reports cannot tell some answers apart.

    >>> from askance.channels.channel import Channel
    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> [round(effective_sample_size(q, 1000, prevalence=share), 6) for share in (0.5, 0.05)]
    [250.0, 59.561129]
    """
    return check_report_count(n) / spread(channel, prevalence).design_effect


_MOST_OUTCOMES = 300_000  # pairs of counts that are gone through

_MOST = 10**15  # reports, which doubles count


def name_unit(numbers: str, unit: str) -> str:
    """Write numbers with the unit of a line, which has one form for every number.

    >>> name_unit("± 1", "years"), name_unit("± 1", "")
    ('± 1, in years', '± 1')
    """
    return f"{numbers}, in {unit}" if unit else numbers


@checked
def half_width(
    channel: Channel,
    n: Annotated[float, "a number of reports above 0"],
    level: float = 0.95,
    *,
    prevalence: Prevalence = None,
) -> float:
    """Half-width to expect of a share's confidence interval, by the normal law.

    The normal quantile times the largest standard error of the expected information, at most 1/2.

    Parameters
    ----------
    channel : Channel
    n : float
        Reports that will arrive.
    level : float
    prevalence : float or array of shape (k,), optional
        The share of the first of two answers, or a share for each answer; even if left out.

    Raises
    ------
    NotIdentified
        If the reports cannot tell some answers apart.
    InputError
        If a share or n is not positive or the level is not in (0, 1).

    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> round(half_width(q, 400), 6)  # 1.959964 · 0.5 / (0.5 · √400)
    0.097998
    """
    variance = spread(channel, prevalence).variance(check_report_count(n))
    return min(normal_quantile(level) * math.sqrt(variance), 0.5)


@checked
def line_half_width(
    channel: AbstractRangeChannel,
    n: Annotated[float, "a number of reports above 0"],
    level: float = 0.95,
) -> float:
    """Half-width of the mean's confidence interval, expected for equally common steps.

    The normal quantile times the standard error of the expected information, and half the width of
    the pieces in which the number stays unknown, which of whole numbers in steps of 1 is 0; at most
    half the line.

    Parameters
    ----------
    channel : RangeChannel
    n : int
        Number of reports.
    level : float
        Of the interval.

    Raises
    ------
    NotIdentified
        If the reports cannot tell some pieces of the line apart.
    InputError
        If n is not positive, the line has more than 1,000 ticks, or the level is not in (0, 1).

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance_collect.exact.line import Line
    >>> round(line_half_width(RangeChannel(Line(0, 2, 1), [1]), 400), 6)  # 1.959964 / 40 + 1 / 2
    0.548999
    """
    return float(half_widths(channel, check_report_count(n), level))


@checked
def expected_half_width(
    channel: Channel, n: int, *, prevalence: Prevalence = None, level: float = 0.95
) -> float:
    """Expected half-width of a share's confidence interval after n reports, at given shares.

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
    count = read_integer(n, "n", f"a number of reports from 1 to {_MOST:,}", 1, _MOST)
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
    binomial = binomial_share(identifying(channel))
    if binomial is None:
        return None
    totals = likely_counts(n, binomial.share)
    chance = binomial.base + binomial.slope * share
    if (
        len(totals) * (18 * math.sqrt(n * binomial.share * chance * (1 - chance)) + 80)
        > _MOST_OUTCOMES
    ):
        return None
    weight = binomial_mass(totals, n, binomial.share)
    totals, weight = totals[weight > 0], weight[weight > 0]
    widths = _mean_wilson_half_widths(binomial, totals, chance, z)
    return min(float(weight @ widths / weight.sum()), 0.5)


def _mean_wilson_half_widths(
    binomial: BinomialShare, totals: Floats, chance: float, z: float
) -> Floats:
    """Average over the counts, by how many reports say anything; without one, all is open."""
    n = np.maximum(totals, 1.0)[:, None]
    reach = _REACH * np.sqrt(n * chance * (1 - chance)) + _SPARE
    first = np.maximum(np.floor(n * chance - reach), 0.0)
    counts = np.minimum(first + np.arange(2 * math.ceil(reach.max()) + 2.0), n + 1)
    frequency, penalty = np.minimum(counts / n, 1.0), z * z / n
    wilson = np.sqrt(frequency * (1 - frequency) / penalty + 0.25) * penalty / (1 + penalty)
    means = (binomial_mass(counts, n, chance) * wilson).sum(axis=1)
    return np.where(totals > 0, means, 0.5) / abs(binomial.slope)


MOST_EXACT = 10_000
"""The most reports for which every count is gone through."""

_REACH = 9.0  # standard deviations
_SPARE = 40  # counts, where a standard deviation is short


def likely_counts(n: float, chance: float) -> Floats:
    """List the counts that Binomial(n, chance) takes but for less than 1e-15 of its chance.

    >>> likely_counts(3, 0.5).tolist(), len(likely_counts(10**6, 0.5))
    ([0.0, 1.0, 2.0, 3.0], 9081)
    """
    reach = _REACH * math.sqrt(n * chance * (1 - chance)) + _SPARE
    low, high = max(0, math.floor(n * chance - reach)), min(n, math.ceil(n * chance + reach))
    return np.arange(low, high + 1.0)


def binomial_mass(counts: Floats, n: Floats | float, chance: float) -> Floats:
    """The chance of each count under Binomial(n, chance); zero outside 0 … n.

    >>> binomial_mass(np.array([-1.0, 0, 1, 2]), 2, 0.5).round(12).tolist()
    [0.0, 0.25, 0.5, 0.25]
    """
    inside = (counts >= 0) & (counts <= n)
    k, most = np.where(inside, counts, 0.0), int(np.max(n, initial=0))
    if most <= k.size:  # each factorial once
        table, all_of = gammaln(np.arange(1.0, most + 2)), np.asarray(n).astype(np.intp)
        sent = k.astype(np.intp)
        log_ways = table[all_of] - table[sent] - table[all_of - sent]
    else:
        log_ways = gammaln(np.add(n, 1.0)) - gammaln(k + 1) - gammaln(n - k + 1)
    if 0 < chance < 1:
        logs = log_ways + k * math.log(chance) + (n - k) * math.log1p(-chance)
    else:
        logs = log_ways + xlogy(k, chance) + xlog1py(n - k, -chance)
    masses: Floats = np.exp(logs) * inside
    return masses


def upper_tail(least: Floats, n: Floats, chance: float) -> Floats:
    """The chance of at least so many.

    >>> upper_tail(np.array([0.0, 2, 3]), np.array([2.0, 2, 2]), 0.5).tolist()
    [1.0, 0.25, 0.0]
    """
    inside = (least >= 1) & (least <= n)
    first = np.where(inside, least, 1.0)
    return np.where(inside, betainc(first, n - first + 1, chance), 1.0 * (least < 1))


def critical_count(n: Floats, chance: float, alpha: float) -> Floats:
    """The critical count: the least with upper tail at most alpha; n + 1 where no count has it.

    >>> critical_count(np.array([4.0, 5.0]), 0.5, 0.05).tolist()  # 0.5⁴ > 0.05 ≥ 0.5⁵
    [5.0, 5.0]
    """
    guess = np.nan_to_num(np.ceil(bdtrik(1 - alpha, np.maximum(n, 1), chance))) + 1
    counts: Floats = np.clip(guess, 0, n + 1)
    settled = False
    while not settled:
        up = (upper_tail(counts, n, chance) > alpha) & (counts <= n)
        down = (counts >= 1) & (upper_tail(counts - 1, n, chance) <= alpha)
        settled = not (up | down).any()
        counts = counts + up - (down & ~up)
    return counts
