"""The channel as deployed: what the form's integers say, and what they guarantee."""

from fractions import Fraction

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.channels.range_channel import RangeChannel
from askance.channels.ring_channel import RingChannel
from askance.exact.line import Line
from askance.privacy.guarantee import Guarantee
from askance.privacy.losses.advantage import advantage
from askance.privacy.losses.evidential import shafer_loss, walley_loss
from askance.privacy.losses.local import local_loss
from askance.privacy.ranges.coverage import coverage
from askance.privacy.ranges.flatness import flatness
from askance.privacy.ranges.least_coverage import least_coverage
from askance.privacy.ranges.silence import silence
from askance.privacy.ranges.truthful import set_guarantees
from askance.wire.question import (
    Choice,
    CutsQuestion,
    Number,
    Question,
    RangeQuestion,
    RingQuestion,
    TableQuestion,
)


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
    """Give how many people a form thinks to be in each step; alike where it does not say.

    Where answers are sent exactly a floor's sizes are 0, and so say nothing about the whole line.
    """
    if question.floor is None or question.open:
        return (1,) * question.line.ticks
    return question.floor.sizes


def guarantees_of(question: Question) -> tuple[Guarantee, ...]:
    """Judge a question as deployed; a question that is asked plainly guarantees nothing."""
    match question:
        case TableQuestion():
            channel = channel_of(question)
            if sets := set_guarantees(channel):
                return *sets, advantage(channel)
            judges = local_loss, shafer_loss, walley_loss, advantage
            return tuple(judge(channel) for judge in judges)
        case CutsQuestion() | RingQuestion():
            ranges = range_channel_of(question)
            wide = coverage(ranges), least_coverage(ranges, sizes_of(question))
            if question.withhold:
                return *wide, silence(ranges, Fraction(*question.blank)).guarantee
            return *wide, flatness(ranges)
        case Choice() | Number():
            return ()
