"""Constraints on a channel and figures of merit, each as a value, before it is chosen.

Constraints are kept all together. A utility says how precisely shares are learnt, or how much.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from itertools import permutations
from typing import ClassVar, final

import numpy as np
import numpy.typing as npt

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.design.extremal_columns import Cap, Limits, Ratio, contrasts
from askance.inference.shares.information import fisher_information
from askance.privacy.guarantee import Guarantee
from askance.privacy.losses import (
    advantage_limit,
    guessing,
    local_loss,
    prior_weight,
    shafer_loss,
    walley_loss,
)
from askance.results import doubles, kept_mapping
from askance.typing import Floats
from askance_collect.arguments import checked
from askance_collect.errors import InputError, NotIdentified
from askance_collect.exact.level import NAMES, Names, loss_bound
from askance_collect.exact.ratio import read_ratio

_SUM = 1e-9  # how far shares may sum from one
_SINGULAR = 1e-14  # smallest over largest eigenvalue

Guess = npt.ArrayLike | None


@final
class Criterion(Enum):
    """What an optimal channel is best in.

    >>> import askance as ak
    >>> ak.design.AOptimal().criterion is ak.design.Criterion.A_OPTIMALITY
    True
    """

    A_OPTIMALITY = "the sum of the variances (A-optimality)"
    D_OPTIMALITY = "the volume of the confidence region (D-optimality)"
    E_OPTIMALITY = "the largest variance (E-optimality)"
    MEAN_SQUARED_ERROR = "the mean squared error"
    MUTUAL_INFORMATION = "the mutual information of answer and report"
    OTHER = "the utility"


class AbstractUtility(ABC):
    """A figure of merit at guessed shares; with several guesses, at the worst of them."""

    __slots__ = ()
    name: ClassVar[str]
    label: ClassVar[str]
    criterion: ClassVar[Criterion] = Criterion.OTHER
    larger_is_better: ClassVar[bool] = False
    prior: Guess

    @abstractmethod
    def evaluate(self, channel: Channel, shares: Floats) -> float:
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
    criterion: ClassVar[Criterion] = Criterion.A_OPTIMALITY
    label: ClassVar[str] = "sum of variances × n"
    prior: Guess = None

    @checked
    def evaluate(self, channel: Channel, shares: Floats) -> float:
        """Judge a channel at these shares."""
        shares = _read_shares(channel, shares)
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
    criterion: ClassVar[Criterion] = Criterion.D_OPTIMALITY
    label: ClassVar[str] = "geometric mean of variances × n"
    prior: Guess = None

    @checked
    def evaluate(self, channel: Channel, shares: Floats) -> float:
        """Judge a channel at these shares."""
        shares = _read_shares(channel, shares)
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
    criterion: ClassVar[Criterion] = Criterion.E_OPTIMALITY
    label: ClassVar[str] = "largest variance of a contrast × n"
    prior: Guess = None

    @checked
    def evaluate(self, channel: Channel, shares: Floats) -> float:
        """Judge a channel at these shares."""
        shares = _read_shares(channel, shares)
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
    criterion: ClassVar[Criterion] = Criterion.MEAN_SQUARED_ERROR
    label: ClassVar[str] = "mean squared error × n"
    prior: Guess = None

    @checked
    def evaluate(self, channel: Channel, shares: Floats) -> float:
        """Judge a channel at these shares."""
        shares = _read_shares(channel, shares)
        return AOptimal().evaluate(channel, shares) - (1 - float(shares @ shares))


@final
@dataclass(frozen=True, slots=True, eq=False)
class MutualInformation(AbstractUtility):
    """The mutual information of a report and the answer, in nats.

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
    criterion: ClassVar[Criterion] = Criterion.MUTUAL_INFORMATION
    label: ClassVar[str] = "nats per report"
    larger_is_better: ClassVar[bool] = True
    prior: Guess = None

    @checked
    def evaluate(self, channel: Channel, shares: Floats) -> float:
        """Judge a channel at these shares."""
        shares = _read_shares(channel, shares)
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
    return xlogy(columns, columns) @ shares - xlogy(chance, chance)


def _read_shares(channel: Channel, shares: Floats) -> Floats:
    read, k = doubles(shares, "shares"), len(channel.frame)
    if read.shape != (k,) or not (read >= 0).all() or not np.isfinite(read).all():
        raise InputError("shares", got=shares, allowed=f"{k} numbers, none below 0")
    return read


def _spectrum(channel: Channel, shares: Floats) -> Floats:
    basis = contrasts(len(shares))
    information = fisher_information(channel, shares)
    values: Floats = np.asarray(np.linalg.eigvalsh(basis.T @ information @ basis), dtype=float)
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

    Parameters
    ----------
    channel : Channel
    utility : AbstractUtility
        What is judged by, with its guessed shares.

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
    merits = [
        utility.evaluate(channel, guess) for guess in guesses(utility.prior, len(channel.frame))
    ]
    return min(merits) if utility.larger_is_better else max(merits)


_OTHERS: Names = ("others", "others_ratio")
_FINEST = 10**12  # denominator of a share, beside which 2^48 parts have room for the rest


class AbstractConstraint(ABC):
    """Something that a channel has to keep."""

    __slots__ = ()

    @abstractmethod
    def tighten(self, limits: Limits) -> Limits:
        """Add what this constraint asks."""

    @abstractmethod
    def guarantee(self, channel: Channel) -> Guarantee | None:
        """Compute the guarantee that this constraint is about, exactly; None for silence."""


@final
@dataclass(frozen=True, slots=True)
class LocalDifferentialPrivacy(AbstractConstraint):
    """ε-local differential privacy: no report is over e^ε times as likely from one answer.

    Parameters
    ----------
    epsilon : number, optional
        ε in (0, 12].
    ratio : number, optional
        e^ε instead, exactly.

    >>> LocalDifferentialPrivacy(1).epsilon
    1
    """

    epsilon: object = None
    ratio: object = field(default=None, kw_only=True)

    def tighten(self, limits: Limits) -> Limits:
        """Add what this constraint asks."""
        return limits.bounded(
            _equal_ratios(limits.frame, _read_ratio_bound(self.epsilon, self.ratio))
        )

    @checked
    def guarantee(self, channel: Channel) -> Guarantee:
        """Compute the local loss."""
        return local_loss(channel)


@final
@dataclass(frozen=True, slots=True)
class Shafer(AbstractConstraint):
    """No message, read as evidence, is more than e^ε times as likely from one answer.

    Evidence of the same meaning is added up. Reports of a design mean different sets, or are likely
    alike where they mean the same; so this asks for the same columns as
    `LocalDifferentialPrivacy`, and the bound is about such channels.

    Parameters
    ----------
    epsilon : number, optional
        ε in (0, 12].
    ratio : number, optional
        e^ε instead, exactly.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Definition 1.

    >>> Shafer("1/2").epsilon
    '1/2'
    """

    epsilon: object = None
    ratio: object = field(default=None, kw_only=True)

    def tighten(self, limits: Limits) -> Limits:
        """Add what this constraint asks."""
        return limits.bounded(
            _equal_ratios(limits.frame, _read_ratio_bound(self.epsilon, self.ratio))
        )

    @checked
    def guarantee(self, channel: Channel) -> Guarantee:
        """Compute Shafer's loss."""
        return shafer_loss(channel)


@final
@dataclass(frozen=True, slots=True)
class Walley(AbstractConstraint):
    """However vague reports are resolved, odds between two answers move by at most e^ε.

    Walley's loss does not count what the *name* of a vague report tells. So that no answer is sent
    by that name, the local loss has to keep to ε too. Then nothing is gained by vagueness: if
    every report is renamed to mean one answer, the plausibility and the belief of an answer are
    both the chance of its reports, whose ratio is at most e^ε. So the best channel at that local
    loss, renamed, is the best here, and its bound holds.

    With `Answered`, for two answers, silence counts as plausible for both. The best channel is
    sought among those with one report for each answer beside it; with several reports of one
    meaning, of which some are sent rather by those whose answer is the other one, names could be
    made to say less than they tell.

    Parameters
    ----------
    epsilon : number, optional
        ε in (0, 12].
    ratio : number, optional
        e^ε instead, exactly.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Definition 13.

    >>> Walley(2).epsilon
    2
    """

    epsilon: object = None
    ratio: object = field(default=None, kw_only=True)

    def tighten(self, limits: Limits) -> Limits:
        """Add what this constraint asks."""
        most = _read_ratio_bound(self.epsilon, self.ratio)
        least = most if limits.walley is None else min(most, limits.walley)
        tightened = limits.bounded(_equal_ratios(limits.frame, most))
        return replace(tightened, walley=least, precise=True)

    @checked
    def guarantee(self, channel: Channel) -> Guarantee:
        """Compute Walley's loss over different answers."""
        return walley_loss(channel)


@final
@dataclass(frozen=True, slots=True)
class PairLosses(AbstractConstraint):
    """Some pairs of answers need more protection than others.

    Parameters
    ----------
    losses : mapping of pairs of str to number
        For two answers, in either order, the ε in (0, 12] between them, both ways.
    others : number, optional
        ε between all other pairs; by default nothing is asked of them.
    ratios : mapping of pairs of str to number
        Instead of losses, e^ε for each, exactly.
    others_ratio : number, optional
        Instead of others, e^ε, exactly.

    References
    ----------
    Acharya, Bonawitz, Kairouz, Ramage & Sun (2020), context-aware local privacy.

    >>> PairLosses({("ill", "well"): 0.5}, others=2).others
    2
    """

    losses: Mapping[tuple[str, str], object] | None = None
    others: object | None = None
    ratios: Mapping[tuple[str, str], object] | None = field(default=None, kw_only=True)
    others_ratio: object | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        for name in ("losses", "ratios"):
            if isinstance(bounds := getattr(self, name), Mapping):
                object.__setattr__(self, name, kept_mapping(bounds))

    def tighten(self, limits: Limits) -> Limits:
        """Add what this constraint asks."""
        frame, by_ratio = limits.frame, self.losses is None
        bounds = self.ratios if by_ratio else self.losses
        if not isinstance(bounds, Mapping) or None not in (self.losses, self.ratios):
            both_kinds = "losses and ratios"
            raise InputError(
                "PairLosses",
                got=bounds if self.losses is None or self.ratios is None else both_kinds,
                allowed='losses such as {("a", "b"): 1}, or ratios such as {("a", "b"): 3}',
            )
        unasked = self.others is None and self.others_ratio is None
        rest = math.inf if unasked else _read_ratio_bound(self.others, self.others_ratio, _OTHERS)
        ratios = [list(row) for row in _equal_ratios(frame, rest)]
        lowest: dict[tuple[int, int], Fraction] = {}
        for pair, bound in bounds.items():
            x, other = _pair_indices(frame, pair, "PairLosses")
            most = _read_ratio_bound(*((None, bound) if by_ratio else (bound, None)))
            least = min(lowest.get((x, other), most), most)
            lowest[x, other] = lowest[other, x] = ratios[x][other] = ratios[other][x] = least
        return limits.bounded(tuple(map(tuple, ratios)))

    @checked
    def guarantee(self, channel: Channel) -> Guarantee:
        """Compute the local loss; its `pairs` are what this constraint is about."""
        return local_loss(channel)


@final
@dataclass(frozen=True, slots=True)
class Advantage(AbstractConstraint):
    """A bound on the advantage of guessing between two answers from a report.

    ‖w Q(· given x) − (1 − w) Q(· given x′)‖₁ ≤ δ, for every ordered pair or for one.

    Parameters
    ----------
    limit : probability
        δ in :math:`[|1 - 2w|, 1)`, above 0.
    first_weight : probability
        w in (0, 1), the chance of x, the first answer of the pair, beforehand.
    between : pair of str, optional
        x and x′, to protect one pair only.

    References
    ----------
    Yoshida, Yung & Hayashi (2019), equation (1).

    >>> Advantage(0.25, first_weight=0.4).first_weight
    0.4
    """

    limit: object
    first_weight: object = "1/2"
    between: tuple[str, str] | None = None

    def tighten(self, limits: Limits) -> Limits:
        """Add what this constraint asks."""
        w = prior_weight(self.first_weight)
        delta = advantage_limit(self.limit, w)
        if self.between is None:
            pairs = list(permutations(range(len(limits.frame)), 2))
            if w == Fraction(1, 2):
                pairs = [pair for pair in pairs if pair[0] < pair[1]]
        else:
            pairs = [_pair_indices(limits.frame, self.between, "Advantage.between")]
        return limits.capped(Cap(pair=pair, first_weight=w, limit=delta) for pair in pairs)

    @checked
    def guarantee(self, channel: Channel) -> Guarantee:
        """Compute the weighted advantage."""
        gain = guessing(channel, first_weight=self.first_weight, between=self.between)
        return gain.guarantee


@final
@dataclass(frozen=True, slots=True)
class Answered(AbstractConstraint):
    """A report says something with this chance, whatever the answer, and "don't know" otherwise.

    Kept exactly. Where the best channel would say nothing more often, as a bounded advantage can
    ask, the best with one report for each of two answers is given beside it; for more answers it is
    refused.

    Parameters
    ----------
    share : probability
        c in (0, 1), of at most 12 decimals.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Corollary 12: with two answers and a bounded Shafer loss, the
    generalised Warner mechanism is the best of these.

    >>> Answered("7/10").share
    '7/10'
    """

    share: object

    def tighten(self, limits: Limits) -> Limits:
        """Add what this constraint asks."""
        read = read_ratio(self.share, "Answered.share")
        if not 0 < read < 1 or read.denominator > _FINEST:
            remedy = "where all answer, leave it out" if read == 1 else ""
            raise InputError(
                "Answered.share",
                got=str(self.share),
                allowed="a share in (0, 1) of at most 12 decimals, which whole parts hold exactly",
                remedy=remedy,
            )
        return limits.silenced(1 - read)

    @checked
    def guarantee(self, channel: Channel) -> None:  # noqa: ARG002  the interface has it
        """Promise nothing about privacy."""
        return


def _read_ratio_bound(epsilon: object, ratio: object, names: Names = NAMES) -> Fraction:
    return loss_bound(epsilon, ratio, names=names, instead="leave the constraint out")


def _pair_indices(frame: Frame, pair: object, where: str) -> tuple[int, int]:
    if not isinstance(pair, tuple | list) or len(pair) != 2 or pair[0] == pair[1]:
        raise InputError(where, got=pair, allowed="two different answers")
    return frame.index(pair[0]), frame.index(pair[1])


def _equal_ratios(frame: Frame, most: Ratio) -> tuple[tuple[Ratio, ...], ...]:
    k = len(frame)
    return tuple(tuple(Fraction(1) if x == y else most for y in range(k)) for x in range(k))
