"""What a channel is wanted for, each as a value: how precisely shares are learnt, or how much."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.errors import InputError, NotIdentified
from askance.inference.shares.information import contrasts, fisher_information, spectrum
from askance.results import doubles
from askance.typing import Floats

_SUM = 1e-9  # how far shares may sum from one
_SINGULAR = 1e-14  # smallest over largest eigenvalue

Guess = npt.ArrayLike | None


class AbstractUtility(ABC):
    """A figure of merit at guessed shares; with several guesses, at the worst of them."""

    __slots__ = ()
    name: ClassVar[str]
    label: ClassVar[str]
    larger_is_better: ClassVar[bool] = False
    prior: Guess

    @abstractmethod
    def at(self, channel: Channel, shares: Floats) -> float:
        """Judge a channel at these shares."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class AOptimal(AbstractUtility):
    """The sum of the variances of the estimated shares, times the number of reports.

    Parameters
    ----------
    prior : array of shape (k,) or (p, k), optional
        The shares expected, or several guesses of them, all positive. By default equal shares.

    References
    ----------
    Pukelsheim (2006), chapter 6.

    >>> from askance import Frame, Warner
    >>> from askance.design import AOptimal, merit
    >>> q = Warner(truth="3/4").channel(Frame(["yes", "no"]))
    >>> round(merit(q, AOptimal()), 9)
    2.0
    """

    name: ClassVar[str] = "A-optimality"
    label: ClassVar[str] = "sum of variances × n"
    prior: Guess = None

    @checked
    def at(self, channel: Channel, shares: Floats) -> float:
        """Judge a channel at these shares."""
        shares = _fitting(channel, shares)
        return float((1 / _spectrum(channel, shares)).sum())


@final
@dataclass(frozen=True, slots=True, eq=False)
class DOptimal(AbstractUtility):
    """The geometric mean of the variances along the axes of the confidence ellipsoid, times n.

    Its power k − 1 is in proportion to the squared volume.

    Parameters
    ----------
    prior : array of shape (k,) or (p, k), optional
        As for `AOptimal`.

    References
    ----------
    Pukelsheim (2006), chapter 6.

    >>> from askance import Frame, Warner
    >>> from askance.design import DOptimal, merit
    >>> q = Warner(truth="3/4").channel(Frame(["yes", "no"]))
    >>> round(merit(q, DOptimal([.5, .5])), 9)
    2.0
    """

    name: ClassVar[str] = "D-optimality"
    label: ClassVar[str] = "geometric mean of variances × n"
    prior: Guess = None

    @checked
    def at(self, channel: Channel, shares: Floats) -> float:
        """Judge a channel at these shares."""
        shares = _fitting(channel, shares)
        return float(np.exp(-np.log(_spectrum(channel, shares)).mean()))


@final
@dataclass(frozen=True, slots=True, eq=False)
class EOptimal(AbstractUtility):
    """The largest variance of any contrast of unit length between shares, times n.

    Parameters
    ----------
    prior : array of shape (k,) or (p, k), optional
        As for `AOptimal`.

    References
    ----------
    Pukelsheim (2006), chapter 6.

    >>> from askance import Frame, Warner
    >>> from askance.design import EOptimal, merit
    >>> q = Warner(truth="3/4").channel(Frame(["yes", "no"]))
    >>> round(merit(q, EOptimal()), 9)
    2.0
    """

    name: ClassVar[str] = "E-optimality"
    label: ClassVar[str] = "largest variance of a contrast × n"
    prior: Guess = None

    @checked
    def at(self, channel: Channel, shares: Floats) -> float:
        """Judge a channel at these shares."""
        shares = _fitting(channel, shares)
        return float(1 / _spectrum(channel, shares).min())


@final
@dataclass(frozen=True, slots=True, eq=False)
class MeanSquaredError(AbstractUtility):
    """The mean squared error of the frequencies among those who answered, summed, times n.

    What the mechanism adds: the sum of variances less 1 − Σπ², which drawing people costs anyway.

    Parameters
    ----------
    prior : array of shape (k,) or (p, k), optional
        As for `AOptimal`.

    References
    ----------
    Ye & Barg (2018), whose subset selection is best for equal shares.

    >>> from askance import Frame, Warner
    >>> from askance.design import MeanSquaredError, merit
    >>> q = Warner(truth="3/4").channel(Frame(["yes", "no"]))
    >>> round(merit(q, MeanSquaredError()), 9)
    1.5
    """

    name: ClassVar[str] = "mean squared error"
    label: ClassVar[str] = "mean squared error × n"
    prior: Guess = None

    @checked
    def at(self, channel: Channel, shares: Floats) -> float:
        """Judge a channel at these shares."""
        shares = _fitting(channel, shares)
        return AOptimal().at(channel, shares) - (1 - float(shares @ shares))


@final
@dataclass(frozen=True, slots=True, eq=False)
class MutualInformation(AbstractUtility):
    """What a report is expected to tell of one answer, in nats.

    Parameters
    ----------
    prior : array of shape (k,) or (p, k), optional
        As for `AOptimal`.

    References
    ----------
    Kairouz, Oh & Viswanath (2016), who maximise it among others.

    >>> from askance import Frame, Warner
    >>> from askance.design import MutualInformation, merit
    >>> q = Warner(truth="3/4").channel(Frame(["yes", "no"]))
    >>> round(merit(q, MutualInformation()), 6)
    0.130812
    """

    name: ClassVar[str] = "mutual information"
    label: ClassVar[str] = "nats per report"
    larger_is_better: ClassVar[bool] = True
    prior: Guess = None

    @checked
    def at(self, channel: Channel, shares: Floats) -> float:
        """Judge a channel at these shares."""
        shares = _fitting(channel, shares)
        return float(shared_nats(channel.matrix.T, shares).sum())


def guesses(prior: Guess, k: int) -> Floats:
    """Read one guess of the shares or several.

    Returns
    -------
    array, shape (p, k)

    Raises
    ------
    InputError
        If shares are zero or negative, or do not sum to one.

    >>> guesses([0.2, 0.8], 2).shape, guesses(None, 4).tolist()
    ((1, 2), [[0.25, 0.25, 0.25, 0.25]])
    """
    if prior is None:
        return np.full((1, k), 1 / k)
    read = np.atleast_2d(doubles(prior, "prior"))
    fits = read.ndim == 2 and read.shape[1] == k and len(read) > 0
    if not fits or not np.all(np.abs(read.sum(axis=1) - 1) <= _SUM) or not np.all(read > 0):
        zero = fits and bool(np.any(read == 0))
        raise InputError(
            "prior",
            got=read.tolist() if len(read) > 1 else read[0].tolist(),
            allowed=f"{k} positive shares that sum to one, or rows of them",
            remedy="give an answer that nobody may have a small share, or leave it out"
            if zero
            else "",
        )
    return read


def shared_nats(columns: Floats, shares: Floats) -> Floats:
    """Each column's part of the mutual information, Σ π_x q_x ln q_x − s ln s, s = π·q.

    >>> shared_nats(np.array([[1.0, 1.0], [1.0, 0.0]]), np.array([0.5, 0.5])).round(6).tolist()
    [0.0, 0.346574]
    """
    from scipy.special import xlogy

    chance = columns @ shares
    told: Floats = xlogy(columns, columns) @ shares - xlogy(chance, chance)
    return told


def _fitting(channel: Channel, shares: Floats) -> Floats:
    read, k = doubles(shares, "shares"), len(channel.frame)
    if read.shape != (k,) or not (read >= 0).all() or not np.isfinite(read).all():
        raise InputError("shares", got=shares, allowed=f"{k} numbers, none below 0")
    return read


def _spectrum(channel: Channel, shares: Floats) -> Floats:
    basis = contrasts(len(shares))
    information = fisher_information(channel, shares)
    values = spectrum(basis.T @ information @ basis)
    if values[0] <= _SINGULAR * max(float(values[-1]), _SINGULAR):
        raise NotIdentified(
            "channel",
            got="rows that do not differ enough",
            allowed="rows that are linearly independent",
        )
    return values


@checked
def merit(channel: Channel, utility: AbstractUtility) -> float:
    """Judge a channel at the worst of the guessed shares.

    Raises
    ------
    InputError
        If a guess is no positive shares of the answers.
    NotIdentified
        If some shares cannot be told apart by its reports.

    >>> from askance import Frame, Warner
    >>> from askance.design import AOptimal, merit
    >>> q = Warner(truth="3/4").channel(Frame(["yes", "no"]))
    >>> round(merit(q, AOptimal([[0.5, 0.5], [0.1, 0.9]])), 9)  # the worse guess is one half
    2.0
    """
    found = [utility.at(channel, guess) for guess in guesses(utility.prior, len(channel.frame))]
    return min(found) if utility.larger_is_better else max(found)
