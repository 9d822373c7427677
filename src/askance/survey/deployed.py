"""The channel as deployed: what the form's integers say, and what they guarantee."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.channels.line_channel import AbstractRangeChannel
from askance.channels.range_channel import RangeChannel
from askance.channels.ring_channel import RingChannel
from askance.channels.tick_weights import step_sizes
from askance.errors import InputError
from askance.exact.line import Line
from askance.mechanisms.named_law import law_read
from askance.privacy.guarantee import EVENLY, Guarantee
from askance.privacy.losses.advantage import advantage
from askance.privacy.losses.evidential import shafer_loss, walley_loss
from askance.privacy.losses.local import local_loss
from askance.privacy.ranges.coverage import coverage
from askance.privacy.ranges.flatness import flatness
from askance.privacy.ranges.least_coverage import least_coverage
from askance.privacy.ranges.silence import silence
from askance.privacy.ranges.truthful import set_guarantees
from askance.typing import Floats
from askance.wire.question import (
    Choice,
    CutsQuestion,
    Number,
    Question,
    RangeQuestion,
    RingQuestion,
    TableQuestion,
)

BY_SIZES, BY_PRIOR = "by the sizes in the form", "by the prior in the form"
_TRACE = 1e-9


def channel_of(question: TableQuestion | Choice) -> Channel:
    """Give the channel that a form's question deploys; a plain question reports the answer itself.

    >>> from askance.wire.question import Choice, Label
    >>> plain = Choice("q", {}, (Label("a", {}), Label("b", {})))
    >>> channel_of(plain).matrix.tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    names = [answer.name for answer in question.answers]
    frame = Frame(names)
    if isinstance(question, Choice):
        identity = [[float(x == y) for y in names] for x in names]
        return Channel(frame, {name: [name] for name in names}, identity)
    means = zip(question.reports, question.means, strict=True)
    reports = {report.name: [names[at] for at in meaning] for report, meaning in means}
    return Channel(frame, reports, question.table)


def range_channel_of(question: RangeQuestion) -> RangeChannel | RingChannel:
    """Give the law of the ranges that a form's question deploys, in the form's first unit."""
    given, unit = question.line, next(iter(question.unit.values()))
    line = Line(given.lower, given.upper, given.step, unit)
    if isinstance(question, RingQuestion):
        return RingChannel(line, question.weights, question.floor)
    return RangeChannel(
        line,
        question.weights,
        question.number,
        floor=question.floor,
        withhold=question.withhold,
        open=question.open,
    )


def sizes_of(question: RangeQuestion) -> tuple[int, ...]:
    """Give how many people a form thinks to be in each step: the one population it is judged for.

    These are the sizes of a floor, or the prior of a promised coverage; alike where it declares
    neither. Where answers are sent exactly a floor's sizes are 0, and so say nothing about the
    whole line.
    """
    if question.open:
        return (1,) * question.line.ticks
    if question.floor is not None:
        return question.floor.sizes
    return _prior(question)


def spread_of(question: Question) -> str:
    """Say how common answers are taken to be, in every figure about this question.

    >>> from askance.wire.question import Choice
    >>> spread_of(Choice("q", {}, ()))
    'if answers were spread evenly'
    """
    if not isinstance(question, RangeQuestion) or len(set(sizes_of(question))) == 1:
        return EVENLY
    return BY_PRIOR if question.floor is None else BY_SIZES


def step_shares(question: RangeQuestion) -> Floats | None:
    """Give the share of people in each step, a trace where nobody is thought to be; None if even.

    Where a step is thought empty, no information bounds what is learnt about it.
    """
    if spread_of(question) == EVENLY:
        return None
    sizes = np.array(sizes_of(question), dtype=float)
    shares: Floats = np.maximum(sizes / sizes.sum(), _TRACE)
    shares /= shares.sum()
    return shares


def is_protected(question: Question) -> bool:
    """Say whether a report can come from more than one answer: else it is the answer, or a code.

    The respondent's page says of any other question that it is not protected.
    """
    if not isinstance(question, TableQuestion):
        return isinstance(question, RangeQuestion)
    columns = zip(*question.table.rows, strict=True)
    return any(sum(units > 0 for units in column) > 1 for column in columns)


def guarantees_of(question: Question) -> tuple[Guarantee, ...]:
    """Judge a question as deployed; one whose reports are the answers guarantees nothing."""
    match question:
        case TableQuestion():
            if not is_protected(question):
                return ()
            channel = channel_of(question)
            if sets := set_guarantees(channel):
                return *sets, advantage(channel)
            judges = local_loss, shafer_loss, walley_loss, advantage
            return tuple(judge(channel) for judge in judges)
        case CutsQuestion() | RingQuestion():
            ranges = range_channel_of(question)
            wide = _widths(question, ranges)
            if question.withhold:
                return *wide, silence(ranges, Fraction(*question.blank)).guarantee
            return *wide, flatness(ranges)
        case Choice() | Number():
            return ()


def _widths(question: RangeQuestion, ranges: AbstractRangeChannel) -> tuple[Guarantee, ...]:
    """Give coverage and least coverage for one population, and name it."""
    sizes, spread = sizes_of(question), spread_of(question)
    shares = None if spread == EVENLY else np.array(sizes) / sum(sizes)
    found = coverage(ranges, shares), least_coverage(ranges, sizes)
    return tuple(replace(one, spread=spread) for one in found)


def _prior(question: CutsQuestion | RingQuestion) -> tuple[int, ...]:
    """Read the prior of a promised coverage; even where there is none, or none that can be read."""
    even = (1,) * question.line.ticks
    mechanism = question.about.get("mechanism", {})
    written = mechanism.get("prior") if isinstance(mechanism, Mapping) else None
    if not isinstance(written, str):
        return even
    line = question.line
    try:
        return step_sizes(Line(line.lower, line.upper, line.step), law_read(written, "prior"))
    except (InputError, ArithmeticError):
        return even
