"""What a "don't know" costs and buys: privacy loss and variance under three readings of it."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from askance.arguments import checked, refusal
from askance.channels.frame import Frame
from askance.errors import InputError
from askance.inference.shares.estimate import truth_lie_variance
from askance.mechanisms.randomised_response import Abstain, AtLevel, Redistribute, Warner
from askance.privacy.guarantee import Guarantee
from askance.privacy.losses import local_loss, shafer_loss, walley_loss

_TWO = Frame(["yes", "no"])
_HALF = Fraction(1, 2)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """A privacy loss and the variance of the estimated share that it buys.

    Attributes
    ----------
    loss : Guarantee
    variance : float
        Of the unbiased estimate; infinite where nothing is learnt.
    """

    loss: Guarantee
    variance: float

    @checked
    def preferred_to(self, other: "Price") -> bool:
        """Say whether neither loss nor variance is larger and one is smaller.

        A partial order (Li, Zhou, Qin & Xu, Corollary 20). By Walley's prices Q(p, q) with p > ½ is
        preferred exactly if neither p nor q is smaller; so nothing is preferred to a mechanism of
        Warner's, with p + q = 1, and no two of these are comparable.

        Raises
        ------
        NotComparable
            If the losses are of different notions.

        >>> more, less = Abstain(truth="7/10", lie="1/5"), Abstain(truth="3/5", lie="1/5")
        >>> walley_price(more, 0.3, 100).preferred_to(walley_price(less, 0.3, 100))
        True
        """
        no_worse = self.loss.at_least(other.loss) and self.variance <= other.variance
        better = self.loss.value != other.loss.value or self.variance < other.variance
        return no_worse and better


@checked
def shafer_price(mechanism: Abstain | AtLevel[Abstain], prevalence: float, n: int) -> Price:
    """Price the mechanism where a "don't know" is a message of its own.

    ε^S is Shafer's loss, ν^S = [((p + q)/(p − q))²/4 − (π − ½)²] E[1/N | N > 0] the exact variance.

    Parameters
    ----------
    mechanism : Abstain
        For two answers; at a privacy level too.
    prevalence : float
        π, the share of one answer.
    n : int
        Reports.

    Raises
    ------
    NotIdentified
        If truth and lie are equally likely.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), the last section, whose ν^S has a ratio upside down.

    >>> price = shafer_price(Abstain(truth="3/5", lie="1/10"), 0.3, 50)
    >>> price.loss.value, round(price.variance, 6)
    (Fraction(6, 1), 0.012972)
    """
    known = _known(mechanism)
    truth, lie = float(known.truth), float(known.lie)
    variance = truth_lie_variance(_share(prevalence), truth, lie, n)
    return Price(loss=shafer_loss(known.channel(_TWO)), variance=variance)


@checked
def walley_price(mechanism: Abstain | AtLevel[Abstain], prevalence: float, n: int) -> Price:
    """Price the mechanism at its worst, for both sides, over how vague reports are resolved.

    ε^W is Walley's loss; ν^W the largest variance over Q_λ, at the truthfulness in [p, 1 − q] that
    is nearest to ½: [1/(4(2p − 1)²) − (π − ½)²]/n for p > ½, infinite where ½ can be had. No single
    λ attains both.

    Parameters
    ----------
    mechanism : Abstain
    prevalence : float
    n : int

    References
    ----------
    Li, Zhou, Qin & Xu (2022), the last section.

    >>> price = walley_price(Abstain(truth="3/5", lie="1/10"), 0.3, 50)
    >>> price.loss.value, round(price.variance, 6)
    (Fraction(9, 1), 0.1242)
    """
    known = _known(mechanism)
    near, _ = _extremes(known)
    return Price(
        loss=walley_loss(known.channel(_TWO)), variance=_warner_variance(near, prevalence, n)
    )


@checked
def hopeful_price(mechanism: Abstain | AtLevel[Abstain], prevalence: float, n: int) -> Price:
    """Price the mechanism at its best, for both sides, over how vague reports are resolved.

    ε^O = ln(p/(1 − p)) and ν^O = [1/(4(1 − 2q)²) − (π − ½)²]/n for p > ½. No single λ attains both.

    Parameters
    ----------
    mechanism : Abstain
    prevalence : float
    n : int

    References
    ----------
    Li, Zhou, Qin & Xu (2022), the last section.

    >>> price = hopeful_price(Abstain(truth="3/5", lie="1/10"), 0.3, 50)
    >>> price.loss.value, round(price.variance, 6)
    (Fraction(3, 2), 0.007012)
    """
    near, far = _extremes(_known(mechanism))
    loss = local_loss(Warner(truth=near).channel(_TWO))
    return Price(loss=loss, variance=_warner_variance(far, prevalence, n))


@checked
def resolved_price(mechanism: Redistribute, prevalence: float, n: int) -> Price:
    """Price the mechanism where vague reports are resolved by a declared share λ.

    These prices are a curve between (ε^W, ν^O) at λ = 1 and (ε^O, ν^W) at λ = 0, not the rectangle
    between all four (as Li, Zhou, Qin & Xu (2022) have it).

    Parameters
    ----------
    mechanism : Redistribute
    prevalence : float
    n : int

    >>> half = Redistribute(truth="3/5", lie="1/10", share="1/2")
    >>> price = resolved_price(half, 0.3, 50)
    >>> price.loss.value, round(price.variance, 6)
    (Fraction(3, 1), 0.0192)
    """
    told = mechanism.told
    loss = local_loss(Warner(truth=told).channel(_TWO))
    return Price(loss=loss, variance=_warner_variance(told, prevalence, n))


def _known(mechanism: Abstain | AtLevel[Abstain]) -> Abstain:
    """Find the chances of a mechanism at a privacy level."""
    known = mechanism.on(_TWO) if isinstance(mechanism, AtLevel) else mechanism
    if not isinstance(known, Abstain):
        raise refusal("mechanism", known, (Abstain,))
    return known


def _extremes(mechanism: Abstain) -> tuple[Fraction, Fraction]:
    """The truthfulness in [p, 1 − q] nearest to and farthest from ½."""
    low, high = mechanism.truth, 1 - mechanism.lie
    near = min(max(_HALF, low), high)
    return near, max(low, high, key=lambda at: abs(at - _HALF))


def _warner_variance(told: Fraction, prevalence: float, n: int) -> float:
    if told == _HALF:
        return math.inf
    return truth_lie_variance(_share(prevalence), float(told), float(1 - told), n)


def _share(prevalence: float) -> float:
    if not 0 <= prevalence <= 1:
        raise InputError("prevalence", got=prevalence, allowed="a share in [0, 1]")
    return prevalence
