"""How much one report leaves open: what sampling brings, what chance adds, what it is worth."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.channels.channel import Channel, Tally
from askance.channels.range_channel import AbstractRangeChannel, RangeChannel
from askance.errors import InputError, NotIdentified
from askance.inference.line.line_estimate import tick_numbers
from askance.inference.line.line_information import (
    atoms,
    cdf_covariance,
    identified,
    mean_coefficients,
    reach,
    shares_covariance,
)
from askance.inference.shares.identified import informative
from askance.inference.shares.maximum_likelihood import fisher_covariance
from askance.inference.shares.share_intervals import normal_quantile
from askance.privacy.guarantee import EVENLY
from askance.results import doubles, keep_read_only
from askance.typing import Floats

Prevalence = float | Sequence[float] | Floats | None
"""The share of the first of two answers, a share for each answer, or None for an even spread."""

Asked = Channel | AbstractRangeChannel
"""A question with named answers, or one for a number on a line."""

_MOST_TOLD = 6  # shares that are named one by one
_EVEN = 1e-12  # how far even shares may differ
_SUM = 1e-9  # how far shares may sum from one


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
        """Give the largest variance among the figures after n reports.

        (sampling · (N − n)/(N − 1) + noise)/n in a population of N: drawing without replacement
        makes sampling more precise, but no mechanism less noisy.

        >>> one = Spread(sampling=np.array([0.25]), noise=np.array([0.75]))
        >>> one.variance(100), one.variance(100, 100)
        (0.01, 0.0075)
        """
        left = 1.0 if population is None else (population - n) / max(population - 1, 1)
        return float((self.sampling * left + self.noise).max() / n)

    @property
    def design_effect(self) -> float:
        """How many reports tell as much as one plain answer, for the figure that fares worst."""
        return float((1 + self.noise / self.sampling).max())


def spread(channel: Asked, prevalence: Prevalence = None) -> Spread:
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
    >>> found = spread(q, 0.5)  # 0.25 + 0.75/(4 · 0.5²)
    >>> found.sampling.tolist(), found.noise.round(9).tolist()
    ([0.25, 0.25], [0.75, 0.75])
    """
    if isinstance(channel, AbstractRangeChannel):
        return _of_a_mean(channel, prevalence)
    shares = shares_of(prevalence, len(channel.frame))
    rows = informative(Tally(channel, {})).rows
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
    given = doubles(prevalence, where)
    if given.ndim == 0 and k == 2:
        given = np.array([float(given), 1 - float(given)])
    if given.ndim == 0:
        raise InputError(
            where,
            got=f"one share for {k} answers",
            allowed="a share for each answer, or none for an even spread",
        )
    fits = given.shape == (k,) and bool(np.all(given > 0)) and abs(given.sum() - 1) <= _SUM
    if not fits:
        raise InputError(
            where,
            got=given.tolist() if k > 2 or given.shape != (k,) else float(given[0]),
            allowed="a share strictly between 0 and 1"
            if k == 2
            else f"{k} shares above 0 that sum to one",
            remedy="plan with the smallest share that would still matter",
        )
    return given


def spread_told(shares: Floats) -> str:
    """Say how common answers are taken to be.

    >>> spread_told(shares_of(None, 2)), spread_told(shares_of(0.1, 2))
    ('if answers were spread evenly', 'if shares were 0.1 and 0.9')
    """
    if shares.max() - shares.min() < _EVEN:
        return EVENLY
    if len(shares) > _MOST_TOLD:
        return "by the shares that were given"
    *others, last = [f"{share:.6g}" for share in shares]
    return f"if shares were {', '.join(others)} and {last}"


def above_zero(n: float) -> float:
    """Refuse what is no number of reports.

    >>> above_zero(0)
    Traceback (most recent call last):
    askance.errors.InputError: n: got 0; allowed: a number of reports above 0
    """
    if not doubles(n, "n") > 0:
        raise InputError("n", got=n, allowed="a number of reports above 0")
    return n


def _of_a_mean(channel: AbstractRangeChannel, prevalence: Prevalence) -> Spread:
    numbers = tick_numbers(channel)
    shares = shares_of(prevalence, channel.line.ticks)
    middle = (numbers[1:] + numbers[:-1]) / 2
    mean = shares @ middle
    sampling = float(shares @ (middle - mean) ** 2)
    variance = mean_variance(channel, shares)
    return Spread(sampling=np.array([sampling]), noise=np.array([max(variance - sampling, 0.0)]))


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


@checked
def effective_sample_size(channel: Asked, n: float = 1, *, prevalence: Prevalence = None) -> float:
    """Say how many plain, truthful answers would tell as much as n reports.

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
    >>> [round(effective_sample_size(q, 1000, prevalence=at), 6) for at in (0.5, 0.05)]
    [250.0, 59.561129]
    """
    return above_zero(n) / spread(channel, prevalence).design_effect
