"""The best channel for a stated purpose at a stated privacy, with how much better any could be."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any, final

import numpy as np

from askance.arguments import checked, no_less
from askance.channels.channel import DONT_KNOW, Channel, fresh
from askance.channels.frame import Frame, Names
from askance.design.constraints import AbstractConstraint, Advantage, Limits, PairLosses, Shafer
from askance.design.deploy import deployed, kept, unsaid, with_silence
from askance.design.extremal_columns import (
    MOST_ANSWERS,
    all_columns,
    classes,
    corners,
    many,
    realise,
)
from askance.design.optimal_pairs import OptimalPair, joint_rows, yoshida_pair
from askance.design.programme import best_mixture, generated
from askance.design.utility import AbstractUtility, AOptimal, MutualInformation, guesses, merit
from askance.errors import InputError, NotIdentified
from askance.exact.ratio import (
    LARGEST_TOTAL,
    Table,
    just_below,
    percent,
    tabulate,
    whole,
    whole_parts,
)
from askance.privacy.guarantee import Guarantee
from askance.privacy.guessing import guessing
from askance.results import Listing, axes, listed, number, plain_json
from askance.typing import Floats, Json

_FEW = 8  # reports that a table and sentences show


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Design:
    """A channel ready to deploy, with its certificate.

    Attributes
    ----------
    channel : Channel
        On integers, exactly as it would be deployed.
    utility : AbstractUtility
        What it was chosen for.
    value : float
        The utility of this channel, rounding included.
    bound : float
        No channel that keeps the constraints has a better utility; where `among` is not empty, none
        of those.
    guarantees : tuple of Guarantee
        What was asked for, computed on the integers.
    promises : tuple of str
        The guarantees as sentences.
    among : str
        The channels that the bound is about, where these are not all.
    """

    channel: Channel
    utility: AbstractUtility
    value: float
    bound: float
    guarantees: tuple[Guarantee, ...]
    promises: tuple[str, ...]
    among: str = ""

    @property
    def gap(self) -> float:
        """How much of the utility any other channel could gain at most, as a share."""
        if self.utility.larger_is_better:
            return max(1 - self.value / self.bound, 0.0)
        return max(1 - self.bound / self.value, 0.0)

    @property
    def words(self) -> tuple[str, ...]:
        """What the channel does and promises, in sentences."""
        table = self.channel.table
        if table is None or len(self.channel.reports) > _FEW:
            return self.promises
        sent = tuple(
            f"Of 100 people whose answer is “{answer}”, "
            + ", ".join(
                f"{percent(Fraction(chance).limit_denominator(10**6))} send “{report}”"
                for chance, report in zip(table.row(at), self.channel.reports, strict=True)
                if chance
            )
            + "."
            for at, answer in enumerate(self.channel.frame.answers)
        )
        return (*sent, *self.promises)

    def to_dict(self) -> Json:
        """Write the design for JSON; the integers are in `channel`."""
        document: Json = plain_json(
            {
                "utility": self.utility.name,
                "measure": self.utility.label,
                "value": self.value,
                "bound": self.bound,
                "gap": self.gap,
                "among": self.among,
                "guarantees": [
                    {
                        "notion": one.notion.name.lower(),
                        "value": float(one.value),
                        "attained": one.attained,
                    }
                    for one in self.guarantees
                ],
                "words": list(self.words),
            }
        )
        return {**document, "channel": self.channel.to_dict()}

    def plot(self, ax: Any = None) -> Any:
        """Draw the chances of reports by answers; returns the axes."""
        ax = axes(ax)
        image = ax.imshow(self.channel.matrix, vmin=0, vmax=1, cmap="Blues", aspect="auto")
        ax.set_yticks(range(len(self.channel.frame)), self.channel.frame.answers)
        if len(self.channel.reports) <= 4 * _FEW:
            ax.set_xticks(range(len(self.channel.reports)), self.channel.reports, rotation=90)
        ax.set(xlabel="report", ylabel="answer")
        ax.figure.colorbar(image, ax=ax, label="chance")
        return ax

    def _table(self) -> Listing:
        shown = self.channel.reports[:_FEW]
        more = len(self.channel.reports) - len(shown)
        head = ["answer", *shown, *(["…"] if more else [])]
        rows = [
            [answer, *(f"{chance:.4f}" for chance in row[: len(shown)]), *(["…"] if more else [])]
            for answer, row in zip(self.channel.frame.answers, self.channel.matrix, strict=True)
        ]
        merit = (
            f"{self.utility.label} {number(self.value, 6)}; at most {self.gap:.1e} could be gained"
        )
        among = f" among {self.among}" if self.among else ""
        notes = [f"{len(self.channel.reports)} reports; {merit}{among}", *self.promises]
        return f"optimal channel, {self.utility.name}", head, rows, notes


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
        `LocalDifferentialPrivacy`, `Advantage`, `PairLosses`, `Shafer`, `Walley`, `Answered`; all
        are kept.
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
                allowed="LocalDifferentialPrivacy, Advantage, PairLosses, Shafer, Walley, Answered",
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
    yield guarantee.promise


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


_ONE = Fraction(1)


def closed_pair(limits: Limits, ratio: Fraction | float | None) -> OptimalPair | None:
    """The best pair in closed form, if there is one: one bound on ratios and one on distance.

    Parameters
    ----------
    limits : Limits
    ratio : Fraction or float, or None
        The common ratio, or what stands for it.
    """
    telling = limits.telling
    if len(limits.frame) > 2 or ratio is None or len(telling.caps) > 1:
        return None
    if not telling.caps and ratio == math.inf:
        return OptimalPair(first=(_ONE, 0 * _ONE), second=(0 * _ONE, _ONE))
    cap = telling.caps[0] if telling.caps else None
    weight = Fraction(1, 2) if cap is None else cap.first_weight
    first = weight if cap is None or cap.pair == (0, 1) else 1 - weight
    if isinstance(ratio, Fraction):
        return joint_rows(ratio, None if cap is None else cap.limit, first)
    assert cap is not None
    return yoshida_pair(cap.limit, first_weight=first)


def from_pair(limits: Limits, utility: AbstractUtility, best: OptimalPair) -> tuple[Channel, float]:
    """Deploy a pair in closed form: with a ratio just below the bound, exactly where possible."""
    bound = merit(beside_silence(best, limits), utility)
    ratio = limits.common_ratio
    below = just_below(ratio) if isinstance(ratio, Fraction) else ratio
    pair = closed_pair(limits, below) or best
    return as_deployed(pair, limits), bound


def as_deployed(pair: OptimalPair, limits: Limits) -> Channel:
    """Write a pair as integers: exactly where they are small enough, and keep the bounds."""
    channel = beside_silence(pair, limits)
    assert channel.table is not None
    if channel.table.total <= LARGEST_TOTAL and kept(channel, limits):
        return channel
    reports, columns = _reports_of(pair, limits)
    c = 1 - limits.silent
    unit = LARGEST_TOTAL // c.denominator
    found = whole_parts(
        tabulate(list(zip(*columns, strict=True))),
        lambda parts: kept(with_silence(parts, reports, limits), limits),
        unit * c.numerator,
    )
    if found is not None:
        return with_silence(found, reports, limits)
    doubles = np.array(columns, dtype=float)
    return deployed(doubles, np.ones(len(doubles)), limits)


def beside_silence(pair: OptimalPair, limits: Limits) -> Channel:
    """Let a share of reports say nothing; not yet in integers that can be deployed."""
    reports, columns = _reports_of(pair, limits)
    telling = tabulate(list(zip(*columns, strict=True)))
    c = 1 - limits.silent
    rows = tuple(tuple(c.numerator * units for units in row) for row in telling.rows)
    return with_silence(Table(c.numerator * telling.total, rows), reports, limits)


def says_nothing(pair: OptimalPair) -> bool:
    """Say whether some report is as likely from either answer."""
    return any(one == zero != 0 for one, zero in zip(pair.first, pair.second, strict=True))


def _reports_of(
    pair: OptimalPair, limits: Limits
) -> tuple[dict[str, Names], list[tuple[Fraction, Fraction]]]:
    """Name the reports that are sent: for the answer they make the likelier one, or both.

    Beside a share that says nothing, and where every report has to mean one answer, a report that
    leaves the odds even is named for the answer that it is likelier from.
    """
    w, frame = pair.first_weight, limits.frame
    reports: dict[str, Names] = {}
    columns = []
    for one, zero in zip(pair.first, pair.second, strict=True):
        told = w * one - (1 - w) * zero if one != zero else Fraction(0)
        if limits.silent or limits.precise:
            told = told or one - zero
        several = not told and not limits.precise
        names = frame.answers if several else (frame.answers[told < 0],)
        taken = dict.fromkeys(frame.answers, ()) | reports if several else reports
        if one or zero:
            reports[fresh(DONT_KNOW if several else names[0], taken)] = names
            columns.append((one, zero))
    return reports, columns
