"""Truth, lie and silence in whole parts of a thousand: the best that stated privacy allows."""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from askance.channels.channel import Channel
from askance.design.advice.bounds import Bounds
from askance.design.people.spread import spread
from askance.errors import InputError
from askance.exact.ratio import whole
from askance.mechanisms.abstain import Abstain
from askance.mechanisms.base import AbstractMechanism
from askance.mechanisms.kary import KAry
from askance.mechanisms.warner import Warner
from askance.typing import Floats

LARGEST = 1_000_000
"""The most parts that chances are written in."""

MOST_LOST = 0.01
"""What part of a channel's efficiency whole parts may cost."""

_STEPS = 200  # shares answered that are tried evenly
_FINE = 1 << 60  # parts so many that rounding does not show
_BESIDE = 2  # parts to either side of the best share, where rounding decides


def best_told(bounds: Bounds, shares: Floats, total: int = 1_000) -> AbstractMechanism:
    """Find the truth, lie and silence that tell most about the shares, in parts of `total`.

    As many parts tell the truth as the bounds allow, rounded down, so that rounding weakens no
    guarantee. For two answers and no bound on Walley's loss nothing tells more, but for the
    rounding (`joint_pair`).

    Raises
    ------
    InputError
        If the parts are too coarse for the bounds.

    >>> even = np.array([0.5, 0.5])
    >>> best_told(Bounds(epsilon=1), even)
    Warner(truth=Fraction(731, 1000))
    >>> best_told(Bounds(advantage="1/2"), even)
    Abstain(truth=Fraction(1, 2), lie=Fraction(0, 1))
    >>> best_told(Bounds(epsilon=2, advantage="1/2"), even)
    Abstain(truth=Fraction(579, 1000), lie=Fraction(79, 1000))
    """
    allowed = f"a number of parts in [1, {LARGEST}]"
    if whole(total, "total", allowed) > LARGEST:
        raise InputError("total", got=total, allowed=allowed)
    answered, truth, variance = _best(bounds, shares, _near(bounds, shares, total), total)
    if not math.isfinite(variance):
        raise InputError(
            "total",
            got=total,
            allowed="enough parts to be a little truthful within the bounds",
            remedy=f"write the chances in more parts, such as {10 * total}",
        )
    return recipe(Fraction(truth, total), Fraction(answered, total), len(shares))


def fine_enough(bounds: Bounds, shares: Floats) -> int:
    """Give the fewest parts, a power of ten from 1,000, that lose less than a hundredth.

    >>> even = np.array([0.5, 0.5])
    >>> fine_enough(Bounds(epsilon=1), even), fine_enough(Bounds(epsilon="0.01"), even)
    (1000, 100000)
    """
    total, least = 1_000, least_told_variance(bounds, shares)
    while total < LARGEST:
        found = _best(bounds, shares, _near(bounds, shares, total), total)
        if least > found[2] * (1 - MOST_LOST):
            return total
        total *= 10
    return LARGEST


def least_told_variance(bounds: Bounds, shares: Floats) -> float:
    """Give the variance of one report if chances were not rounded.

    Truth is the least of lines in the chance of an answer; the best is where two of them meet or
    where every report names an answer, and even steps are tried besides.

    >>> even = np.array([0.5, 0.5])
    >>> round(least_told_variance(Bounds(advantage="1/2"), even), 9)  # π(1 − π)/δ
    0.5
    """
    return _best(bounds, shares, _everywhere(bounds, len(shares)), _FINE)[2]


def _everywhere(bounds: Bounds, k: int) -> list[int]:
    """List shares answered to try: every report, every kink, and even steps."""
    kinks = [math.floor(c * _FINE) for c in bounds.kinks(k)]
    return [_FINE, *kinks, *(_FINE * step // _STEPS for step in range(1, _STEPS))]


def _near(bounds: Bounds, shares: Floats, total: int) -> range:
    """List whole parts about the best share answered; all of them where it is all."""
    best = _best(bounds, shares, _everywhere(bounds, len(shares)), _FINE)[0]
    at = best * total // _FINE
    if best == _FINE:
        return range(total, total + 1)
    return range(max(at - _BESIDE, 1), min(at + _BESIDE + 1, total) + 1)


def _best(
    bounds: Bounds, shares: Floats, tried: Sequence[int], total: int
) -> tuple[int, int, float]:
    """Give the parts that name an answer, those that tell the truth, and the variance."""
    truths = [bounds.most_truth(c, total, len(shares)) for c in tried]
    parts = np.array([tried, truths], dtype=float) / total
    variances = told_variance(parts[0], parts[1], shares)
    at = int(np.argmin(variances))
    return tried[at], truths[at], float(variances[at])


def variance_of(channel: Channel, shares: Floats) -> float:
    """Give the largest variance of a share from one report of a channel.

    >>> from askance.channels.frame import Frame
    >>> warner = Warner(truth="3/4").channel(Frame(["yes", "no"]))
    >>> round(variance_of(warner, np.array([0.5, 0.5])), 9)
    1.0
    """
    return spread(channel, shares).variance(1)


def recipe(truth: Fraction, answered: Fraction, k: int) -> AbstractMechanism:
    """Name the mechanism by its simplest recipe.

    >>> recipe(Fraction(1, 2), Fraction(3, 4), 2)
    Abstain(truth=Fraction(1, 2), lie=Fraction(1, 4))
    """
    if answered < 1:
        return Abstain(truth=truth, lie=answered - truth)
    return Warner(truth=truth) if k == 2 else KAry(truth=truth)


def told_variance(answered: Floats, truth: Floats, shares: Floats) -> Floats:
    """Give the largest variance of a share from one report; infinite where nothing is told.

    Of the c reports that name an answer one names x with chance r = (q + (p − q)π)/c, so that the
    variance is r(1 − r)c/(p − q)².

    >>> quarter = np.array([0.75])
    >>> told_variance(np.array([1.0]), quarter, np.array([0.5, 0.5])).tolist()
    [1.0]
    """
    other = (answered - truth) / (len(shares) - 1)
    slope = np.where(truth - other > 1e-12, truth - other, np.nan)
    chance = (other[:, None] + slope[:, None] * shares) / answered[:, None]
    worst = (chance * (1 - chance)).max(axis=1) * answered / slope**2
    found: Floats = np.where(np.isnan(worst), np.inf, worst)
    return found
