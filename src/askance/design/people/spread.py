"""How much one report leaves open: the part that sampling brings and the part that chance adds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from askance.channels.channel import Channel
from askance.channels.line_channel import AbstractRangeChannel
from askance.channels.readonly import doubles, keep_read_only
from askance.channels.tally import Tally
from askance.design.people.line_spread import mean_variance
from askance.errors import InputError
from askance.estimators.line.grid import tick_numbers
from askance.estimators.shares.fisher import fisher_covariance
from askance.estimators.shares.informative import informative
from askance.privacy.guarantee import EVENLY
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
