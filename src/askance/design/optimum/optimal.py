"""The best channel for a stated purpose at a stated privacy."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated

import numpy as np

from askance.arguments import checked, no_less
from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.design.optimum.candidates import all_columns, classes, many
from askance.design.optimum.closed import (
    as_deployed,
    beside_silence,
    closed_pair,
    from_pair,
    says_nothing,
)
from askance.design.optimum.columns import MOST_ANSWERS
from askance.design.optimum.constraint import AbstractConstraint, Advantage, PairLosses, Shafer
from askance.design.optimum.criterion import best_mixture
from askance.design.optimum.deploy import deployed, kept, unsaid
from askance.design.optimum.design import Design
from askance.design.optimum.generate import generated
from askance.design.optimum.limits import Limits
from askance.design.optimum.polygon import corners
from askance.design.optimum.realise import realise
from askance.design.optimum.utility import (
    AbstractUtility,
    AOptimal,
    MutualInformation,
    guesses,
    merit,
)
from askance.design.pairs.pair import OptimalPair
from askance.errors import InputError, NotIdentified
from askance.exact.ratio import whole
from askance.privacy.guarantee import Guarantee, meaning
from askance.privacy.guessing import guessing
from askance.typing import Floats

_ONE_EACH = "channels with one report for each answer, and silence"
_TWO = "channels with two reports"
_MESSAGES = "channels in which reports of one meaning are alike"


@checked
def optimal_channel(
    frame: Frame,
    *constraints: AbstractConstraint,
    utility: AbstractUtility | None = None,
    reports: Annotated[int | None, "a whole number of reports, 2 or more"] = None,
) -> Design:
    """Choose the channel with the best utility among all that keep the constraints.

    All channels, with any number of reports, are looked at through their extremal columns. The
    result is rounded to integers on which every constraint is checked exactly; its `gap` says how
    much any channel could still gain, rounding included, or any of those that `among` names.

    Parameters
    ----------
    frame : Frame
        Two or more answers. Up to 12 with one bound on all pairs (8 if pairs differ); up to 64 and
        more where guesses have few different shares, or for the mutual information.
    *constraints : AbstractConstraint
        `LocalPrivacy`, `Advantage`, `PairLosses`, `Shafer`, `Walley`, `Answered`; all are kept.
    utility : AbstractUtility, optional
        `AOptimal`, `DOptimal`, `EOptimal`, `MeanSquaredError` or `MutualInformation`; by default
        `AOptimal` at equal shares.
    reports : int, optional
        How many reports there may be. For two answers also fewer than the best channel needs.

    Raises
    ------
    InputError
        If nothing protects an answer, constraints contradict each other, or fewer reports are
        allowed than needed.

    References
    ----------
    Kairouz, Oh & Viswanath (2016), for extremal columns under one bounded loss; Yoshida, Yung &
    Hayashi (2019), Theorem 1, for two answers under a bounded advantage; Ye & Barg (2018), for
    equal shares.

    >>> yn = Frame(["yes", "no"])
    >>> optimal_channel(yn, Advantage(0.25, first_weight=0.5), reports=3).channel.table.rows
    ((1, 0, 3), (0, 1, 3))
    """
    wanted = AOptimal() if utility is None else utility
    if reports is not None:
        reports = whole(reports, "reports", "a whole number of reports, 2 or more", 2)
    limits = _limits(frame, constraints)
    shares = guesses(wanted.prior, len(frame))
    channel, bound, among = _best(limits.binding, wanted, shares, reports)
    if not kept(channel, limits):
        raise InputError(
            "constraints",
            got=", ".join(type(one).__name__ for one in constraints),
            allowed="constraints that one channel in whole parts keeps",
        )
    if not among and _by_meaning(limits, constraints):
        among = _MESSAGES
    return replace(_finished(channel, bound, constraints, wanted, reports), among=among)


def _limits(frame: Frame, constraints: Sequence[AbstractConstraint]) -> Limits:
    if len(frame) < 2:
        raise InputError(
            "frame", got=frame.answers, allowed="two answers or more", remedy="ask nothing"
        )
    limits = Limits.free(frame)
    for constraint in constraints:
        if not isinstance(constraint, AbstractConstraint):
            raise InputError(
                "constraints",
                got=constraint,
                allowed="LocalPrivacy, Advantage, PairLosses, Shafer, Walley or Answered",
            )
        limits = constraint.tighten(limits)
    if not limits.private:
        raise InputError(
            "constraints",
            got=", ".join(type(one).__name__ for one in constraints) or "none",
            allowed="at least one that protects an answer",
            remedy="without one the best channel is the plain question",
        )
    return limits


def _by_meaning(limits: Limits, constraints: Sequence[AbstractConstraint]) -> bool:
    """Say whether ratios are asked of messages that are not asked of reports."""
    others = Limits.free(limits.frame)
    for constraint in constraints:
        if not isinstance(constraint, Shafer):
            others = constraint.tighten(others)
    return others.ratios != limits.ratios


def _best(
    limits: Limits, utility: AbstractUtility, shares: Floats, reports: int | None
) -> tuple[Channel, float, str]:
    """Choose the best of all channels, or of those that the third thing returned names.

    Beside a fixed share that says nothing, the best of all would say nothing still more often where
    an advantage is bounded. What comes as near to it as one likes is no best, so for two answers
    the best with one report for each is given.
    """
    few = len(limits.frame) == 2 and reports == 2 and not limits.silent
    if few or _vague(limits):
        return *_two_reports(limits, utility, shares), _TWO if few else _ONE_EACH
    if (pair := closed_pair(limits, limits.common_ratio)) is not None:
        if limits.silent and says_nothing(pair):
            return *_two_reports(limits, utility, shares), _ONE_EACH
        return *from_pair(limits, utility, pair), ""
    columns, chances, bound = _searched(limits, utility, shares)
    if len(limits.frame) == 2 and limits.silent and unsaid(columns, chances):
        return *_two_reports(limits, utility, shares), _ONE_EACH
    return deployed(columns, chances, limits), bound, ""


def _vague(limits: Limits) -> bool:
    """Whether silence counts against Walley's loss, which ties all reports together."""
    if limits.walley is None or not limits.silent:
        return False
    if len(limits.frame) > 2:
        raise InputError(
            "constraints",
            got=f"Walley and Answered for {len(limits.frame)} answers",
            allowed="Walley and Answered together for two answers",
            remedy="leave Answered out: at a bounded loss silence gains nothing",
        )
    least = 2 / (1 + limits.walley)
    if 1 - limits.silent < least:
        raise InputError(
            "constraints",
            got=f"Answered({1 - limits.silent}) under Walley's ratio {float(limits.walley):.6g}",
            allowed=f"a share of answers of at least {no_less(least)}",
            remedy="every 'don't know' counts as plausible for both answers",
        )
    return True


def _two_reports(limits: Limits, utility: AbstractUtility, shares: Floats) -> tuple[Channel, float]:
    """Choose the best corner; the utility is convex there at a single guess."""
    if len(shares) > 1:
        raise InputError(
            "prior",
            got=f"{len(shares)} guesses",
            allowed="one guess where the number of reports is limited",
        )
    c = 1 - limits.silent
    found = []
    for a, b in corners(limits):
        if a > b:
            pair = OptimalPair(first=(a / c, 1 - a / c), second=(b / c, 1 - b / c))
            found.append((merit(beside_silence(pair, limits), utility), pair))
    if not found:
        raise NotIdentified(
            "constraints", got="no channel that tells anything", allowed="looser ones"
        )
    bound, best = (max if utility.larger_is_better else min)(found, key=lambda one: one[0])
    return as_deployed(best, limits), bound


def _searched(
    limits: Limits, utility: AbstractUtility, shares: Floats
) -> tuple[Floats, Floats, float]:
    """Mix extremal columns, up to symmetry where there is any."""
    telling, c = limits.telling, float(1 - limits.silent)
    k = len(limits.frame)
    groups = np.unique(shares.T, axis=0, return_inverse=True)[1].ravel()
    nats = isinstance(utility, MutualInformation)
    if k > MOST_ANSWERS and nats and len(shares) == 1 and not telling.caps and many(groups):
        columns, chances, bound = generated(telling, shares[0])
        return columns, chances, c * bound
    alike = telling.symmetric and (k > MOST_ANSWERS or not groups.any())
    candidates = classes(telling, groups) if alike or k > MOST_ANSWERS else all_columns(telling)
    mixture, bound = best_mixture(candidates, utility, c)
    columns, chances = realise(candidates, mixture.chances, shares, told=not nats)
    return columns, chances, bound


def _finished(
    channel: Channel,
    bound: float,
    constraints: Sequence[AbstractConstraint],
    utility: AbstractUtility,
    reports: int | None,
) -> Design:
    needed = len(channel.reports)
    if reports is not None and needed > reports:
        raise InputError(
            "reports",
            got=reports,
            allowed=f"{needed} or more, which the best channel uses",
            remedy="fewer than the best channel needs are sought for two answers only: reports=2",
        )
    guarantees: list[Guarantee] = []
    promises: list[str] = []
    for constraint in constraints:
        guarantee = constraint.guarantee(channel)
        if guarantee is not None:
            guarantees.append(guarantee)
            promises += _promises(constraint, guarantee, channel)
    return Design(
        channel=channel,
        utility=utility,
        value=merit(channel, utility),
        bound=bound,
        guarantees=tuple(guarantees),
        promises=tuple(dict.fromkeys(promises)),
    )


def _promises(
    constraint: AbstractConstraint, guarantee: Guarantee, channel: Channel
) -> Iterator[str]:
    match constraint:
        case Advantage():
            w = constraint.first_weight
            yield guessing(channel, first_weight=w, between=constraint.between).words
            return
        case PairLosses():
            yield from _of_pairs(constraint, guarantee, channel.frame)
    yield meaning(guarantee)


def _of_pairs(constraint: PairLosses, guarantee: Guarantee, frame: Frame) -> Iterator[str]:
    """Say what the pairs are promised that were asked for, those alike together."""
    told: dict[str, list[str]] = {}
    for one, other in constraint.losses or constraint.ratios or ():
        x, y = frame.index(one), frame.index(other)
        worst = max(guarantee.pairs[x][y], guarantee.pairs[y][x])
        told.setdefault(replace(guarantee, value=worst).printed(2), []).append(f"{one} and {other}")
    for ratio, pairs in told.items():
        yield (
            f"Between {', between '.join(pairs)}: no report is more than {ratio} times as likely "
            "from one as from the other."
        )
