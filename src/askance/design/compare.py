"""Mechanisms side by side at equal privacy: how truthful each may be, and what it costs."""

import json
import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, final

import numpy as np

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.chart import Axis, Chart, bars_chart, chart_frame, draw_result
from askance.design.extremal_columns import Limits
from askance.design.optimal_channel import optimal_channel, write_whole_parts
from askance.design.precision import Prevalence, shares_of, spread
from askance.design.sample_size import SampleSize
from askance.design.utility import (
    AbstractConstraint,
    Advantage,
    AOptimal,
    LocalDifferentialPrivacy,
    Walley,
)
from askance.mechanisms.randomised_response import (
    Abstain,
    AbstractMechanism,
    KAry,
    TableMechanism,
    Warner,
)
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.losses import advantage, local_loss, shafer_loss, walley_loss
from askance.results import Listing, json_of, listed, plain_json, result_frame, result_stream
from askance.typing import Floats, Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, NotIdentified
from askance_collect.exact.level import NAMES, Names, loss_bound
from askance_collect.exact.ratio import read_integer, read_ratio

_SIMPLE = 1_000
"""The largest denominator of a chance in a list that is told as a fraction."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """A mechanism judged under every notion.

    Attributes
    ----------
    mechanism : AbstractMechanism
    channel : Channel
        As it would be deployed.
    guarantees : tuple of Guarantee
        Local privacy, Shafer's and Walley's loss, advantage.
    design_effect : float
        Reports for one plain answer, for the share that fares worst.
    size : SampleSize or None
        For the aim, where there is one.
    """

    mechanism: AbstractMechanism
    channel: Channel
    guarantees: tuple[Guarantee, ...]
    design_effect: float
    size: SampleSize | None = None

    @property
    def description(self) -> str:
        """The mechanism in a few words."""
        return describe_mechanism(self.mechanism)

    @property
    def cells(self) -> tuple[str, ...]:
        """What stands in a table: mechanism, losses, chance of a right guess, price."""
        local, _, walley, gain = self.guarantees
        guesses = f"{math.ceil(500 * (1 + Fraction(gain.value))) / 10:.1f} %"
        losses = [_format_loss(guarantee) for guarantee in (local, walley)]
        return (self.description, *losses, guesses, f"{self.design_effect:.2f}")

    def to_dict(self) -> Json:
        """Write the alternative for JSON; an infinite loss becomes None."""
        named = {guarantee.notion.name.lower(): guarantee for guarantee in self.guarantees}
        written: Json = plain_json(
            {
                "mechanism": {"name": self.mechanism.name, **self.mechanism.parameters()},
                "guarantees": {
                    name: guarantee.epsilon if guarantee.notion.is_loss else float(guarantee.value)
                    for name, guarantee in named.items()
                },
                "design_effect": self.design_effect,
                "size": self.size,
            }
        )
        return written


def judge_mechanism(
    mechanism: AbstractMechanism,
    frame: Frame,
    prevalence: Prevalence = None,
    size: SampleSize | None = None,
) -> Alternative:
    """Judge a mechanism under every notion, and say what it costs.

    >>> from askance.mechanisms.randomised_response import Warner
    >>> judge_mechanism(Warner(truth="3/4"), Frame(["yes", "no"])).cells
    ('warner: truth 0.75', '1.099', '1.099', '75.0 %', '4.00')
    """
    channel = mechanism.channel(frame)
    judges = local_loss, shafer_loss, walley_loss, advantage
    return Alternative(
        mechanism=mechanism,
        channel=channel,
        guarantees=tuple(judge(channel) for judge in judges),
        design_effect=spread(channel, prevalence).design_effect,
        size=size,
    )


def describe_mechanism(mechanism: AbstractMechanism) -> str:
    """Say a mechanism in a few words.

    >>> from askance.mechanisms.randomised_response import Abstain
    >>> describe_mechanism(Abstain(truth="3/5", lie="1/10"))
    'abstain: truth 0.6, lie 0.1'
    """
    if isinstance(mechanism, TableMechanism):
        return f"table of {len(mechanism.reports)} reports"
    parameters = mechanism.parameters().items()
    phrases = ", ".join(f"{name} {_format_parameter(value)}" for name, value in parameters)
    return f"{mechanism.name}: {phrases}"


def _format_parameter(value: str) -> str:
    """Say a number, or what a list or a table holds: a fraction where it is a simple one.

    >>> [_format_parameter(value) for value in ("3/5", '["1/2", "1/2"]', '{"yes": "1/6"}')]
    ['0.6', '(1/2, 1/2)', '(yes 1/6)']
    >>> _format_parameter('["333333/1000000", "666667/1000000"]')
    '(0.333333, 0.666667)'
    """
    if value[:1] not in {"[", "{"}:
        return f"{float(Fraction(value)):.6g}"
    parsed = json.loads(value)
    parts = parsed.items() if isinstance(parsed, dict) else (("", part) for part in parsed)
    return f"({', '.join(f'{name} {_format_chance(part)}'.strip() for name, part in parts)})"


def _format_chance(part: str | list[Any]) -> str:
    """Say one chance, or one list of blocks."""
    if isinstance(part, list):
        return json.dumps(part, ensure_ascii=False).replace('"', "")
    chance = Fraction(part)
    return str(chance) if chance.denominator <= _SIMPLE else f"{float(chance):.6g}"


def _format_loss(guarantee: Guarantee) -> str:
    if guarantee.value == math.inf:
        return "∞"
    return f"{math.ceil(1000 * guarantee.epsilon - 1e-9) / 1000:.3f}"


@final
@dataclass(frozen=True, slots=True, init=False)
class Bounds:
    """Bounds that a mechanism must keep: at least one of three.

    Parameters
    ----------
    epsilon : number, optional
        The local loss, which for reports of different meanings is Shafer's loss too, in (0, 12].
    walley : number, optional
        Walley's loss, in (0, 12].
    ratio, walley_ratio : number, optional
        e to these losses instead, exactly.
    advantage : probability, optional
        How much better than chance a report lets anyone tell two answers apart, in (0, 1).

    Raises
    ------
    InputError
        If nothing is bounded or a bound is outside its range.

    >>> Bounds(epsilon=1, advantage="1/4").description, Bounds(ratio=6).description
    ('local ε ≤ 1, advantage ≤ 0.25', 'local ε ≤ ln 6')
    """

    local: Fraction | None
    walley: Fraction | None
    advantage: Fraction | None
    description: str
    constraints: tuple[AbstractConstraint, ...]

    def __init__(
        self,
        *,
        epsilon: object = None,
        walley: object = None,
        advantage: object = None,
        ratio: object = None,
        walley_ratio: object = None,
    ) -> None:
        phrases = {
            "local ε ≤ ": epsilon,
            "local ε ≤ ln ": ratio,
            "Walley's ε ≤ ": walley,
            "Walley's ε ≤ ln ": walley_ratio,
            "advantage ≤ ": advantage,
        }
        stated = {name: bound for name, bound in phrases.items() if bound is not None}
        if not stated:
            raise InputError(
                "privacy", got="no bound", allowed="a bound on epsilon, on advantage, or both"
            )
        object.__setattr__(self, "local", _as_ratio(epsilon, ratio, NAMES))
        object.__setattr__(
            self, "walley", _as_ratio(walley, walley_ratio, ("walley", "walley_ratio"))
        )
        object.__setattr__(self, "advantage", _read_advantage(advantage))
        conditions = [
            f"{name}{float(read_ratio(bound, 'bound')):g}" for name, bound in stated.items()
        ]
        object.__setattr__(self, "description", ", ".join(conditions))
        bounds = (("local", LocalDifferentialPrivacy), ("walley", Walley))
        losses = ((kind, getattr(self, name)) for name, kind in bounds)
        loss_constraints = [
            kind(ratio=bound_ratio) for kind, bound_ratio in losses if bound_ratio is not None
        ]
        caps = [Advantage(self.advantage)] if self.advantage is not None else []
        object.__setattr__(self, "constraints", (*loss_constraints, *caps))

    def limits(self, frame: Frame) -> Limits:
        """Ask all of it of a channel.

        >>> Bounds(advantage="1/2").limits(Frame(["yes", "no"])).caps[0].limit
        Fraction(1, 2)
        """
        limits = Limits.free(frame)
        for constraint in self.constraints:
            limits = constraint.tighten(limits)
        return limits

    def kept_by(self, guarantees: Sequence[Guarantee]) -> bool:
        """Say whether a channel with these guarantees keeps all of it.

        >>> from askance.mechanisms.randomised_response import Warner
        >>> from askance.privacy.losses import local_loss
        >>> loss = local_loss(Warner(truth="3/4").channel(Frame(["yes", "no"])))
        >>> [Bounds(epsilon=epsilon).kept_by([loss]) for epsilon in (1, 2)]  # ln 3
        [False, True]
        """
        limits = {
            Notion.LOCAL: self.local,
            Notion.WALLEY: self.walley,
            Notion.ADVANTAGE: self.advantage,
        }
        bounded = ((guarantee.value, limits.get(guarantee.notion)) for guarantee in guarantees)
        return all(limit is None or value <= limit for value, limit in bounded)

    def lines(self, answers: int) -> tuple[tuple[Fraction, Fraction], ...]:
        """Bounds on the truth p as lines in the chance c that a report names an answer.

        With (c − p)/(k − 1) for each other answer, p ≤ c, p/q ≤ e^ε, (p + 1 − c)/q ≤ e^ε_W and
        p − q ≤ δ are p ≤ slope · c + start.

        >>> Bounds(advantage="1/2").lines(2)
        ((Fraction(1, 1), Fraction(0, 1)), (Fraction(1, 2), Fraction(1, 4)))
        """
        others = answers - 1
        lines = [(Fraction(1), Fraction(0))]
        if self.local is not None:
            lines.append((self.local / (self.local + others), Fraction(0)))
        if self.walley is not None:
            total = self.walley + others
            lines.append((Fraction(1), Fraction(-others) / total))
        if self.advantage is not None:
            lines.append((Fraction(1, answers), self.advantage * others / answers))
        return tuple(lines)

    def most_truth(self, answered: int, total: int, answers: int) -> int:
        """Largest number of parts of `total` for the truth, if `answered` parts name an answer.

        Rounded down; it can be negative, where so much silence is not allowed.

        >>> Bounds(advantage="1/2").most_truth(10, 10, 2)
        7
        """
        return _max_truth(self.lines(answers), answered, total)

    def kinks(self, answers: int) -> tuple[Fraction, ...]:
        """List the chances of naming an answer at which one bound takes over from another.

        >>> Bounds(advantage="1/2").kinks(2)
        (Fraction(1, 2), Fraction(1, 1))
        """
        lines = combinations(self.lines(answers), 2)
        crossings = {
            (other - start) / (slope - steeper)
            for (slope, start), (steeper, other) in lines
            if slope != steeper
        }
        return tuple(
            sorted({crossing for crossing in crossings if 0 < crossing < 1} | {Fraction(1)})
        )


def _max_truth(lines: Iterable[tuple[Fraction, Fraction]], answered: int, total: int) -> int:
    """The most parts of the truth that every line allows, rounded down."""
    return min(
        (
            slope.numerator * start.denominator * answered
            + start.numerator * slope.denominator * total
        )
        // (slope.denominator * start.denominator)
        for slope, start in lines
    )


def _as_ratio(epsilon: object, ratio: object, names: Names) -> Fraction | None:
    if epsilon is None and ratio is None:
        return None
    return loss_bound(epsilon, ratio, names=names, instead="ask plainly")


def _read_advantage(advantage: object) -> Fraction | None:
    if advantage is None:
        return None
    read = read_ratio(advantage, "advantage")
    if not 0 < read < 1:
        remedy = "at 0 no report says anything" if read <= 0 else "ask plainly"
        raise InputError(
            "advantage", got=str(advantage), allowed="an advantage in (0, 1)", remedy=remedy
        )
    return read


HEAD = ["mechanism", "local ε", "Walley's ε", "guessed", "per plain answer"]
_MOST_EVEN, _MOST_UNEVEN, _EVEN = 12, 8, 1e-12  # answers; and what counts as even
_WORTH_IT = 0.01  # of the variance, before a channel without a name is put forward
_ANSWERED = Fraction(1), Fraction(3, 4), Fraction(1, 2)  # of the people; the others say nothing


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Comparison:
    """Mechanisms that keep the same bounds, the most precise first.

    Attributes
    ----------
    bounds : str
        What all of them keep.
    alternatives : tuple of Alternative

    >>> compare(Frame(["yes", "no"]), epsilon=1).alternatives[0].description
    'warner: truth 0.731'
    """

    bounds: str
    alternatives: tuple[Alternative, ...]

    def to_dict(self) -> Json:
        """Write the comparison for JSON."""
        return json_of(self)

    def _table(self) -> Listing:
        return self.bounds, HEAD, [alternative.cells for alternative in self.alternatives], []

    def _chart(self) -> Chart:
        """Describe how many reports each needs for one plain answer, the best on top."""
        names = [alternative.description for alternative in self.alternatives]
        effects = [alternative.design_effect for alternative in self.alternatives]
        axis = Axis(name="design effect", label=f"reports for one plain answer, {self.bounds}")
        return bars_chart(names, effects, [f"{effect:.2f}" for effect in effects], axis, 1.0)

    plot = draw_result
    plot_data = chart_frame
    to_frame = result_frame
    __arrow_c_stream__ = result_stream


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
    parts = sufficient_parts(bounds, shares) if total is None else total
    mechanisms, _ = candidates(bounds, frame, shares, parts)
    alternatives = [judge_mechanism(mechanism, frame, shares) for mechanism in mechanisms]
    ranked = sorted(alternatives, key=lambda alternative: alternative.design_effect)
    return Comparison(bounds=bounds.description, alternatives=tuple(ranked))


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
    >>> mechanisms, least = candidates(Bounds(epsilon=1), yn, np.array([0.5, 0.5]), 1000)
    >>> [recipe.name for recipe in mechanisms], round(least, 6)  # ((e + 1)/(e − 1))²/4
    (['warner', 'abstain', 'abstain'], 1.170674)
    """
    mechanisms, k = [most_precise_mechanism(bounds, shares, total)], len(shares)
    shares_answered = list(_ANSWERED)
    if bounds.advantage is not None and bounds.local is None and bounds.walley is None:
        shares_answered.append(bounds.advantage)
    for share in shares_answered:
        answered = math.ceil(share * total)
        truth = bounds.most_truth(answered, total, k)
        if truth * k > answered:
            mechanisms.append(recipe(Fraction(truth, total), Fraction(answered, total), k))
    searched, least = _search_channels(bounds, frame, shares, total)
    return list(dict.fromkeys(mechanisms + searched)), least


def _search_channels(
    bounds: Bounds, frame: Frame, shares: Floats, total: int
) -> tuple[list[AbstractMechanism], float]:
    least = least_mixture_variance(bounds, shares)
    even = float(shares.max() - shares.min()) < _EVEN
    if not 2 < len(frame) <= (_MOST_EVEN if even else _MOST_UNEVEN):
        return [], least
    utility = AOptimal(prior=shares.tolist())
    channel = optimal_channel(frame, *bounds.constraints, utility=utility).channel
    variance = variance_of(channel, shares)
    if variance > least * (1 - _WORTH_IT):
        return [], least
    return [TableMechanism.of(coarsen(channel, bounds.limits(frame), shares, total))], variance


LARGEST = 1_000_000
"""The most parts that chances are written in."""

MOST_LOST = 0.01
"""What part of a channel's efficiency whole parts may cost."""

_STEPS = 200  # shares answered that are tried evenly
_FINE = 1 << 60  # parts so many that rounding does not show
_NEIGHBOURS = 2  # parts to either side of the best share, where rounding decides


def most_precise_mechanism(bounds: Bounds, shares: Floats, total: int = 1_000) -> AbstractMechanism:
    """Find the most precise chances of truth, lie and silence, in parts of `total`.

    As many parts tell the truth as the bounds allow, rounded down, so that rounding weakens no
    guarantee. For two answers and no bound on Walley's loss nothing tells more, but for the
    rounding (`joint_pair`).

    Raises
    ------
    InputError
        If the parts are too coarse for the bounds.

    >>> even = np.array([0.5, 0.5])
    >>> most_precise_mechanism(Bounds(epsilon=1), even)
    Warner(truth=Fraction(731, 1000))
    >>> most_precise_mechanism(Bounds(advantage="1/2"), even)
    Abstain(truth=Fraction(1, 2), lie=Fraction(0, 1))
    >>> most_precise_mechanism(Bounds(epsilon=2, advantage="1/2"), even)
    Abstain(truth=Fraction(579, 1000), lie=Fraction(79, 1000))
    """
    allowed = f"a number of parts in [1, {LARGEST}]"
    if read_integer(total, "total", allowed) > LARGEST:
        raise InputError("total", got=total, allowed=allowed)
    answered, truth, variance = _find_best_mixture(
        bounds, shares, _list_parts_near_best(bounds, shares, total), total
    )
    if not math.isfinite(variance):
        raise InputError(
            "total",
            got=total,
            allowed="enough parts to be a little truthful within the bounds",
            remedy=f"write the chances in more parts, such as {10 * total}",
        )
    return recipe(Fraction(truth, total), Fraction(answered, total), len(shares))


def sufficient_parts(bounds: Bounds, shares: Floats) -> int:
    """The fewest parts, a power of ten from 1,000, that lose less than a hundredth.

    >>> even = np.array([0.5, 0.5])
    >>> sufficient_parts(Bounds(epsilon=1), even), sufficient_parts(Bounds(epsilon="0.01"), even)
    (1000, 100000)
    """
    total, least = 1_000, least_mixture_variance(bounds, shares)
    while total < LARGEST:
        mixture = _find_best_mixture(
            bounds, shares, _list_parts_near_best(bounds, shares, total), total
        )
        if least > mixture[2] * (1 - MOST_LOST):
            return total
        total *= 10
    return LARGEST


def least_mixture_variance(bounds: Bounds, shares: Floats) -> float:
    """The variance of one report if chances were not rounded.

    Truth is the least of lines in the chance of an answer; the best is where two of them meet or
    where every report names an answer, and even steps are tried besides.

    >>> even = np.array([0.5, 0.5])
    >>> round(least_mixture_variance(Bounds(advantage="1/2"), even), 9)  # π(1 − π)/δ
    0.5
    """
    return _find_best_mixture(bounds, shares, _list_shares_answered(bounds, len(shares)), _FINE)[2]


def _list_shares_answered(bounds: Bounds, k: int) -> list[int]:
    """List shares answered to try: every report, every kink, and even steps."""
    kinks = [math.floor(c * _FINE) for c in bounds.kinks(k)]
    return [_FINE, *kinks, *(_FINE * step // _STEPS for step in range(1, _STEPS))]


def _list_parts_near_best(bounds: Bounds, shares: Floats, total: int) -> range:
    """List whole parts about the best share answered; all of them where it is all."""
    best = _find_best_mixture(bounds, shares, _list_shares_answered(bounds, len(shares)), _FINE)[0]
    centre = best * total // _FINE
    if best == _FINE:
        return range(total, total + 1)
    return range(max(centre - _NEIGHBOURS, 1), min(centre + _NEIGHBOURS + 1, total) + 1)


def _find_best_mixture(
    bounds: Bounds, shares: Floats, tried: Sequence[int], total: int
) -> tuple[int, int, float]:
    """The parts that name an answer, those for the truth, and the variance."""
    lines = bounds.lines(len(shares))
    truths = [_max_truth(lines, c, total) for c in tried]
    parts = np.array([tried, truths], dtype=float) / total
    variances = mixture_variance(parts[0], parts[1], shares)
    best = int(np.argmin(variances))
    return tried[best], truths[best], float(variances[best])


def variance_of(channel: Channel, shares: Floats) -> float:
    """The largest variance of a share from one report of a channel.

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


def mixture_variance(answered: Floats, truth: Floats, shares: Floats) -> Floats:
    """Largest variance of a share from one report; infinite where truth and lie are equally likely.

    Of the c reports that name an answer one names x with chance r = (q + (p − q)π)/c, so that the
    variance is r(1 − r)c/(p − q)².

    >>> quarter = np.array([0.75])
    >>> mixture_variance(np.array([1.0]), quarter, np.array([0.5, 0.5])).tolist()
    [1.0]
    """
    other = (answered - truth) / (len(shares) - 1)
    slope = np.where(truth - other > 1e-12, truth - other, np.nan)
    chance = (other[:, None] + slope[:, None] * shares) / answered[:, None]
    worst = (chance * (1 - chance)).max(axis=1) * answered / slope**2
    return np.where(np.isnan(worst), np.inf, worst)


def coarsen(channel: Channel, limits: Limits, shares: Floats, total: int = 1_000) -> Channel:
    """Write a channel in few whole parts, tenfold more until less than a hundredth is lost.

    Parameters
    ----------
    channel : Channel
        In fine parts.
    limits : Limits
        Kept exactly.
    shares : array, shape (k,)
        Whose variances count.
    total : int
        The fewest parts.

    >>> from askance.channels.frame import Frame
    >>> from askance.design.utility import LocalDifferentialPrivacy
    >>> from askance.design.optimal_channel import optimal_channel
    >>> import numpy as np
    >>> abc = Frame(["a", "b", "c"])
    >>> limits = LocalDifferentialPrivacy(1).tighten(Limits.free(abc))
    >>> fine = optimal_channel(abc, LocalDifferentialPrivacy(1)).channel
    >>> coarsen(fine, limits, np.full(3, 1 / 3)).table.rows[0]
    (576, 212, 212)
    """
    names = [channel.output.names(meaning) for meaning in channel.meanings]
    reports = dict(zip(channel.reports, names, strict=True))
    max_variance = variance_of(channel, shares) / (1 - MOST_LOST)
    while total < LARGEST:
        with suppress(InputError, NotIdentified):
            coarse = write_whole_parts(channel.matrix, reports, limits, total)
            if variance_of(coarse, shares) <= max_variance:
                return coarse
        total *= 10
    return channel
