"""Mechanisms side by side at equal privacy."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from askance.arguments import checked
from askance.channels.canvas import axes
from askance.channels.frame import Frame
from askance.channels.listing import Listing, listed
from askance.design.advice.bounds import Bounds
from askance.design.advice.coarse import coarse
from askance.design.advice.told import (
    best_told,
    fine_enough,
    least_told_variance,
    recipe,
    variance_of,
)
from askance.design.optimum.optimal import optimal_channel
from askance.design.optimum.utility import AOptimal
from askance.design.people.alternative import Alternative, judged
from askance.design.people.spread import Prevalence, shares_of
from askance.mechanisms.base import AbstractMechanism
from askance.mechanisms.table import Written
from askance.typing import Floats, Json

HEAD = ["mechanism", "local ε", "Walley's ε", "guessed", "per plain answer"]
_MOST_EVEN, _MOST_UNEVEN, _EVEN = 12, 8, 1e-12  # answers; and what counts as even
_WORTH_IT = 0.01  # of the variance, before a channel without a name is put forward
_ANSWERED = Fraction(1), Fraction(3, 4), Fraction(1, 2)  # of the people; the others say nothing


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Comparison:
    """Ways to ask that keep the same bounds, the one that tells most first.

    Attributes
    ----------
    bounds : str
        What all of them keep.
    alternatives : tuple of Alternative

    >>> compare(Frame(["yes", "no"]), epsilon=1).alternatives[0].told
    'warner: truth 0.731'
    """

    bounds: str
    alternatives: tuple[Alternative, ...]

    def to_dict(self) -> Json:
        """Write the comparison for JSON."""
        return {
            "bounds": self.bounds,
            "alternatives": [one.to_dict() for one in self.alternatives],
        }

    def _table(self) -> Listing:
        return self.bounds, HEAD, [one.cells for one in self.alternatives], []

    def plot(self, ax: Any = None) -> Any:
        """Draw how many reports each needs for one plain answer, the best on top.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        ax = axes(ax)
        effects = [one.design_effect for one in self.alternatives]
        ax.barh(range(len(effects)), effects, height=0.35)
        for at, one in enumerate(self.alternatives):
            ax.text(0, at - 0.22, f" {one.told}: {one.design_effect:.2f}", va="bottom")
        ax.set(ylim=(len(effects) - 0.6, -0.6), yticks=[])
        ax.axvline(1, linestyle=":", color="black", alpha=0.4)
        ax.set_xlabel(f"reports for one plain answer (dotted), {self.bounds}")
        return ax


@checked
def compare(
    frame: Frame,
    *,
    epsilon: object = None,
    advantage: object = None,
    walley: object = None,
    ratio: object = None,
    walley_ratio: object = None,
    prevalence: Prevalence = None,
    total: int | None = None,
) -> Comparison:
    """Set mechanisms side by side that keep the same bounds, under whichever notions are bounded.

    Truth or lie (Warner's and k-ary randomised response), the same with silence for a quarter and
    for half of the people, with no lie at all where ε is not bounded, the best mixture of truth,
    lie and silence, and for three to eight answers (twelve, at even shares) the best channel of
    all, where it tells more.
    All chances are in whole parts, rounded so that the bounds hold.

    Parameters
    ----------
    frame : Frame
    epsilon : number, optional
        A bound on the local loss, and so on Shafer's.
    advantage : probability, optional
        A bound on the advantage over guessing.
    walley : number, optional
        A bound on Walley's loss.
    ratio, walley_ratio : number, optional
        Instead of ε and of Walley's loss: e to the bound, exactly.
    prevalence : float or array, optional
        The share of the first of two answers, or a share for each answer; even if left out.
    total : int

    Raises
    ------
    InputError
        If nothing is bounded, a number is outside its range, or `total` is too coarse.

    >>> compare(Frame(["yes", "no"]), advantage="1/2")
    advantage ≤ 0.5
    mechanism                        local ε  Walley's ε  guessed  per plain answer
    abstain: truth 0.5, lie 0              ∞           ∞   75.0 %              2.00
    abstain: truth 0.625, lie 0.125    1.610       1.946   75.0 %              3.00
    warner: truth 0.75                 1.099       1.099   75.0 %              4.00
    """
    bounds = Bounds(
        epsilon=epsilon, advantage=advantage, walley=walley, ratio=ratio, walley_ratio=walley_ratio
    )
    shares = shares_of(prevalence, len(frame))
    parts = fine_enough(bounds, shares) if total is None else total
    ways, _ = candidates(bounds, frame, shares, parts)
    found = [judged(one, frame, shares) for one in ways]
    ranked = sorted(found, key=lambda one: one.design_effect)
    return Comparison(bounds=bounds.told, alternatives=tuple(ranked))


def candidates(
    bounds: Bounds, frame: Frame, shares: Floats, total: int
) -> tuple[list[AbstractMechanism], float]:
    """List different mechanisms within the bounds, the best mixture first.

    For three to eight answers (twelve, at even shares) the channel that `optimal_channel` finds is
    among them, where its variance is at least a hundredth smaller.

    Returns
    -------
    list of AbstractMechanism
    float
        The least variance of one report, if chances were not rounded.

    >>> import numpy as np
    >>> yn = Frame(["yes", "no"])
    >>> found, least = candidates(Bounds(epsilon=1), yn, np.array([0.5, 0.5]), 1000)
    >>> [one.name for one in found], round(least, 6)  # ((e + 1)/(e − 1))²/4
    (['warner', 'abstain', 'abstain'], 1.170674)
    """
    found, k = [best_told(bounds, shares, total)], len(shares)
    shares_answered = list(_ANSWERED)
    if bounds.advantage is not None and bounds.local is None and bounds.walley is None:
        shares_answered.append(bounds.advantage)
    for share in shares_answered:
        answered = math.ceil(share * total)
        truth = bounds.most_truth(answered, total, k)
        if truth * k > answered:
            found.append(recipe(Fraction(truth, total), Fraction(answered, total), k))
    searched, least = _searched(bounds, frame, shares, total)
    return list(dict.fromkeys(found + searched)), least


def _searched(
    bounds: Bounds, frame: Frame, shares: Floats, total: int
) -> tuple[list[AbstractMechanism], float]:
    least = least_told_variance(bounds, shares)
    even = float(shares.max() - shares.min()) < _EVEN
    if not 2 < len(frame) <= (_MOST_EVEN if even else _MOST_UNEVEN):
        return [], least
    utility = AOptimal(prior=shares.tolist())
    channel = optimal_channel(frame, *bounds.constraints, utility=utility).channel
    variance = variance_of(channel, shares)
    if variance > least * (1 - _WORTH_IT):
        return [], least
    return [Written.of(coarse(channel, bounds.limits(frame), shares, total))], variance
