"""Simultaneous lower confidence bounds on privacy losses from draws.

On the first half of the draws an event is chosen for each loss; on the second half its chance is
bounded by exact binomial limits, at a share of α that is the same for each limit
(Bonferroni). What the loss is stated to be stands beside it, exactly.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import final

import numpy as np

from askance.audit.events import (
    Chance,
    best_difference,
    best_ratio,
    limits,
    telling_pairs,
    up_to_error,
)
from askance.audit.reports_by_cell import CellScheme, ReportCells, listed_names
from askance.channels.channel import Channel, meant
from askance.privacy.guarantee import Notion
from askance.privacy.losses import (
    advantage,
    belief_loss,
    local_loss,
    plausibility_loss,
    shafer_loss,
    walley_loss,
)
from askance.privacy.tradeoff import View, tradeoff
from askance.privacy.tradeoff_function import TradeoffFunction, error_floor
from askance.typing import Booleans, Floats, Integers
from askance_collect.exact.level import log_nearest

GUESSING = "guessing chance"
"""The chance that the best guess of one of the answers, all alike likely, is right."""

POWER = "power of a test"
"""What a point of the trade-off function is called: how often a test finds what it looks for."""

_MOST_PAIRS = 56  # ordered pairs of answers whose loss is bounded: of 8 answers all
_LOOKED_AT = 240  # ordered pairs of answers among which those are found
_FINE = 1 << 30
_EVERY_SET = 6  # answers of which every set is tried
_ERRORS = (0.01, 0.05, 0.2)
_SLACK = 1e-9


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class LossBound:
    """A lower confidence bound on a privacy loss, and the loss that is stated.

    Attributes
    ----------
    notion : str
        Which loss, or "guessing chance", or "power of a test".
    answers : tuple of str
        The answers that are told apart, the likelier sender first; all answers for guessing.
    event : str
        The reports by which they are.
    lower : float
        Limit from below: ε for losses, else a chance. The power of a test is one minus its type II
        error: a point of the trade-off function.
    stated : float or None
        What is stated of these answers, in the same unit; None if nothing is.
    type_one_error : float or None
        For the power of a test its type I error, at most.

    >>> bound = LossBound(notion="local privacy", answers=("yes", "no"), event="“yes”",
    ...                   lower=1.2, stated=1.1)
    >>> bound.is_loss, bound.is_violated
    (True, True)
    """

    notion: str
    answers: tuple[str, ...]
    event: str
    lower: float
    stated: float | None
    type_one_error: float | None = None

    @property
    def is_violated(self) -> bool:
        """Whether more is given away than is stated."""
        return self.stated is not None and self.lower > self.stated + _SLACK

    @property
    def is_loss(self) -> bool:
        """Whether the bound is an ε; else it is a chance."""
        return self.notion in _LOSSES


_LOSSES = {
    notion.label
    for notion in (Notion.LOCAL, Notion.SHAFER, Notion.BELIEF, Notion.PLAUSIBILITY, Notion.WALLEY)
}


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AuditSample:
    """All draws: the answer of each, its half, and the cell of its report.

    Attributes
    ----------
    answers : tuple of str
    places : array of int, shape (n,)
    first : array of bool, shape (n,)
        Draws of the half on which events are chosen.
    reading : Reading
    """

    answers: tuple[str, ...]
    places: Integers
    first: Booleans
    reading: CellScheme

    def pairs(self) -> list[tuple[int, int]]:
        """The ordered pairs of answers that are looked at: of up to 16 answers all."""
        if self.reading.means is not None:
            return telling_pairs((_FINE * self.reading.means).astype(np.int64), _LOOKED_AT)
        return telling_pairs(self.halves(self.reading.every)[0], _LOOKED_AT)

    def halves(self, cells: ReportCells) -> tuple[Integers, Integers]:
        """Count each answer's reports by cell, in both halves."""
        size = len(self.answers)
        return (
            cells.counts(self.places, self.first, size),
            cells.counts(self.places, ~self.first, size),
        )


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """What is stated of a subject: its channel, a bound on its local loss, both or neither.

    Attributes
    ----------
    channel : Channel or None
    stated_ratio : Fraction, float or None
        e^ε, the most that the chance of a report may differ; infinite for none.
    blank : str
        What a blank is called, if it is the channel's last report.
    """

    channel: Channel | None = None
    stated_ratio: Fraction | float | None = None
    blank: str = ""

    def of_pair(self, first: int, other: int) -> float | None:
        """The local loss of two answers, ε."""
        if self.stated_ratio is not None or self.channel is None:
            return self._log(self.stated_ratio)
        return self._log(local_loss(self.channel).pairs[first][other])

    def advantage(self) -> float | None:
        """The stated distinguishing advantage: the largest total variation of two answers."""
        if self.channel is not None:
            return float(advantage(self.channel).value)
        epsilon = self._log(self.stated_ratio)
        return None if epsilon is None else math.tanh(epsilon / 2)

    def guessing(self, size: int) -> float | None:
        """The stated success probability of the best guess, at a uniform prior."""
        if self.channel is not None:
            rows = self.channel.matrix
            return float(rows.max(axis=0).sum() / len(rows))
        epsilon = self._log(self.stated_ratio)
        return None if epsilon is None else 1 / (1 + (size - 1) * math.exp(-epsilon))

    def curve(self, innocent: str, other: str) -> TradeoffFunction | None:
        """The trade-off function of an innocent answer and the one that a test looks for."""
        if self.channel is not None:
            return tradeoff(self.channel, innocent, other, view=View.REPORTS)
        if self.stated_ratio is None:
            return None
        return error_floor(ratio=self.stated_ratio)

    def _log(self, value: Fraction | float | None) -> float | None:
        if value is None:
            return None
        return math.inf if value == math.inf else log_nearest(Fraction(value))


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Planned:
    """A planned bound: its number of limits, and the function from their tail to the bound."""

    limits: int
    bound: Callable[[float], LossBound]


def loss_bounds(sample: AuditSample, claims: Claims, alpha: float) -> tuple[LossBound, ...]:
    """Bound every loss from below: all bounds hold together, except with probability α.

    An event E that answer x sends so often and x′ so seldom shows a local loss of at least
    ln(lower limit of P(E | x) / upper limit of P(E | x′)).

    References
    ----------
    Jagielski, Ullman & Oprea (2020), for central mechanisms; Arcolezi & Gambs (2024), for local.
    """
    chosen = [*_plan_pairs(sample, claims, alpha), *_plan_messages(sample, claims, alpha)]
    chosen += _plan_guesses(sample, claims)
    tail = alpha / sum(plan.limits for plan in chosen)
    return tuple(plan.bound(tail) for plan in chosen)


def _plan_pairs(sample: AuditSample, claims: Claims, alpha: float) -> Iterator[_Planned]:
    """Plan the local loss of every pair of answers, or of those that promise most."""
    candidates, tail = [], alpha / (2 * _MOST_PAIRS)
    for first, other in sample.pairs():
        cells = sample.reading.between(first, other)
        begun, _ = sample.halves(cells)
        candidates.append((best_ratio(begun[first], begun[other], tail), (first, other), cells))
    candidates.sort(key=lambda candidate: -candidate[0].promise)
    for event, (first, other), cells in candidates[:_MOST_PAIRS]:
        _, counts = sample.halves(cells)
        names = sample.answers[first], sample.answers[other]
        yield _plan_ratio(
            Notion.LOCAL,
            names,
            cells.describe(event.chosen),
            (counts[first], event.chosen),
            (counts[other], event.chosen),
            claims.of_pair(first, other),
        )


_Event = tuple[Integers, Booleans]
"""Counts of one answer's reports by cell, and which cells the event holds."""


def _plan_ratio(
    notion: Notion,
    answers: tuple[str, ...],
    event: str,
    above: _Event,
    below: _Event,
    stated: float | None,
) -> _Planned:
    """Plan the bound ln(lower limit of one chance / upper limit of another)."""

    def bound(tail: float) -> LossBound:
        low, high = _count_event(above, tail).lower, _count_event(below, tail).upper
        lower = max(0.0, math.log(low / high)) if low > 0 else 0.0
        return LossBound(
            notion=notion.label, answers=answers, event=event, lower=lower, stated=stated
        )

    return _Planned(limits=2, bound=bound)


def _count_event(event: _Event, tail: float) -> Chance:
    counts, chosen = event
    return Chance(int(counts[chosen].sum()), int(counts.sum()), tail)


def _plan_messages(sample: AuditSample, claims: Claims, alpha: float) -> Iterator[_Planned]:
    """Plan the losses of reports that are read as evidence, where it is known what they mean."""
    channel = claims.channel
    if channel is None:
        return
    begun, counts = sample.halves(sample.reading.every)
    blank = _find_blank(channel, claims.blank)
    if blank is not None:
        channel = _drop_blank(channel, blank)
        begun, counts = np.delete(begun, blank, axis=1), np.delete(counts, blank, axis=1)
        if not (begun.sum(axis=1).all() and counts.sum(axis=1).all()):
            return  # of an answer nothing was sent: that it is so is found otherwise
    tail = alpha / (2 * _MOST_PAIRS)
    for notion, stated, tried in _list_events(channel, begun, tail):
        best = _choose_most_promising(begun, tried, tail)
        if best is None:
            continue
        event, (first, above), (other, below) = best
        yield _plan_ratio(
            notion,
            (sample.answers[first], sample.answers[other]),
            event,
            (counts[first], above),
            (counts[other], below),
            stated,
        )


def _find_blank(channel: Channel, name: str) -> int | None:
    """Find the blank that every answer sends as often.

    Whether it comes tells nothing, and a form states what its reports give away, not a blank. As
    evidence it would fit every answer, and so count against Walley's loss as vagueness does.
    """
    rows = channel.table
    if rows is None or channel.reports[-1] != name:
        return None
    last = len(channel.reports) - 1
    return last if len({rows.row(x)[last] for x in range(len(channel.frame))}) == 1 else None


def _drop_blank(channel: Channel, blank: int) -> Channel:
    """The stated channel, given that a report is sent."""
    assert channel.table is not None  # a blank is found in a table alone
    rows = [channel.table.row(i) for i in range(len(channel.frame))]
    share_sent = 1 - rows[0][blank]
    reports = dict(list(meant(channel).items())[:blank])
    return Channel(
        channel.frame, reports, [[chance / share_sent for chance in row[:blank]] for row in rows]
    )


_Tried = tuple[str, tuple[int, Booleans], tuple[int, Booleans]]
"""An event in words; the answer above with its cells, and the answer below with its own."""


def _list_events(
    channel: Channel, begun: Integers, tail: float
) -> Iterator[tuple[Notion, float, list[_Tried]]]:
    """Every notion with what is stated of it and the events that may show it."""
    masks = np.array(channel.meanings, dtype=object)
    pairs = telling_pairs(begun, _LOOKED_AT)
    yield (
        Notion.SHAFER,
        shafer_loss(channel).epsilon_nearest,
        _choose_messages(channel, begun, tail),
    )
    if channel.output.answers != channel.frame.answers:
        return
    size = len(channel.output)
    sets = _list_sets(size)
    within = {subset: _mark_cells([not mask & ~subset for mask in masks]) for subset in sets}
    meets = {subset: _mark_cells([bool(mask & subset) for mask in masks]) for subset in sets}
    for notion, judge, cells_by_set in (
        (Notion.BELIEF, belief_loss, within),
        (Notion.PLAUSIBILITY, plausibility_loss, meets),
    ):
        tried = [
            (_name_set(channel, subset), (x, cells), (other, cells))
            for subset, cells in cells_by_set.items()
            for x, other in pairs
        ]
        if size <= _EVERY_SET:
            yield notion, judge(channel).epsilon_nearest, tried
    tried = [
        (f"answer “{channel.output.answers[y]}”", (x, meets[1 << y]), (other, within[1 << y]))
        for y in range(size)
        for x, other in pairs
    ]
    yield Notion.WALLEY, walley_loss(channel).epsilon_nearest, tried


def _list_sets(size: int) -> list[int]:
    """All sets of answers, or only single answers if there are many."""
    return list(range(1, 1 << size)) if size <= _EVERY_SET else [1 << i for i in range(size)]


def _mark_cells(inside: Sequence[bool]) -> Booleans:
    """An event as flags of the channel's reports, and last of any other output."""
    return np.array([*inside, False])


def _name_set(channel: Channel, mask: int) -> str:
    return f"answers {listed_names(channel.output.names(mask))}"


def _choose_messages(channel: Channel, begun: Integers, tail: float) -> list[_Tried]:
    """For each pair of answers the best set of messages: reports of one meaning are one."""
    kinds, inverse = np.unique(np.array([*map(str, channel.meanings), ""]), return_inverse=True)
    added = np.zeros((len(begun), len(kinds)), dtype=np.int64)
    np.add.at(added.T, inverse, begun.T)
    names = np.array([*channel.reports, ""])
    events: list[_Tried] = []
    for first, other in telling_pairs(begun, _LOOKED_AT):
        chosen = best_ratio(added[first], added[other], tail).chosen[inverse]
        wording = listed_names(names[chosen].tolist())
        events.append((wording, (first, chosen), (other, chosen)))
    return events


def _choose_most_promising(begun: Integers, tried: Sequence[_Tried], tail: float) -> _Tried | None:
    above = np.array([begun[answer][cells].sum() for _, (answer, cells), _ in tried])
    below = np.array([begun[answer][cells].sum() for _, _, (answer, cells) in tried])
    draws = int(begun.sum(axis=1).max())
    if not len(tried) or not draws:
        return None
    low, high = limits(above, draws, tail)[0], limits(below, draws, tail)[1]
    return tried[int(np.argmax(low / high))]


def _plan_guesses(sample: AuditSample, claims: Claims) -> Iterator[_Planned]:
    """Plan what a report helps to guess: between two answers, among all, and at some errors."""
    candidates = []
    for pair in sample.pairs():
        cells = sample.reading.between(*pair)
        begun, _ = sample.halves(cells)
        candidates.append((best_difference(begun[pair[0]], begun[pair[1]]), pair, cells))
    event, (first, other), cells = max(candidates, key=lambda candidate: candidate[0].promise)
    begun, counts = sample.halves(cells)
    names = sample.answers[first], sample.answers[other]
    judged = _Pair(names=names, cells=cells, first=counts[first], other=counts[other])
    yield _Planned(limits=2, bound=partial(judged.advantage, event.chosen, claims.advantage()))
    curve = claims.curve(names[1], names[0])
    tests = [up_to_error(begun[first], begun[other], error).chosen for error in _ERRORS]
    for test in {mask.tobytes(): mask for mask in tests}.values():
        yield _Planned(limits=2, bound=partial(judged.power, test, curve))
    yield _plan_guessing(sample, claims)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Pair:
    """Two answers and the counts of their reports, on the half on which events are judged."""

    names: tuple[str, str]
    cells: ReportCells
    first: Integers
    other: Integers

    def advantage(self, chosen: Booleans, stated: float | None, tail: float) -> LossBound:
        low, high = self._limits(chosen, tail)
        return LossBound(
            notion=Notion.ADVANTAGE.label,
            answers=self.names,
            event=self.cells.describe(chosen),
            lower=max(0.0, low - high),
            stated=stated,
        )

    def power(self, chosen: Booleans, curve: TradeoffFunction | None, tail: float) -> LossBound:
        low, high = self._limits(chosen, tail)
        return LossBound(
            notion=POWER,
            answers=self.names,
            event=self.cells.describe(chosen),
            lower=low,
            stated=None if curve is None else 1 - float(curve.beta(high)),
            type_one_error=high,
        )

    def _limits(self, chosen: Booleans, tail: float) -> tuple[float, float]:
        low = _count_event((self.first, chosen), tail).lower
        return low, _count_event((self.other, chosen), tail).upper


def _plan_guessing(sample: AuditSample, claims: Claims) -> _Planned:
    """Plan the bound on the probability of guessing the sender, at a uniform prior.

    Hits are independent and not equally likely: the limit for those that are is one for their mean
    from one more than it upwards (Hoeffding, 1956).
    """
    cells = sample.reading.every
    begun, counts = sample.halves(cells)
    guess: Floats = (begun / np.maximum(begun.sum(axis=1, keepdims=True), 1)).argmax(axis=0)
    hits = int(counts[guess, np.arange(len(cells.names))].sum())
    draws = int(counts.sum())

    def bound(tail: float) -> LossBound:
        lower = min(Chance(hits, draws, tail).lower, max(0.0, (hits - 1) / draws))
        return LossBound(
            notion=GUESSING,
            answers=sample.answers,
            event="the likeliest sender",
            lower=lower,
            stated=claims.guessing(len(sample.answers)),
        )

    return _Planned(limits=1, bound=bound)
