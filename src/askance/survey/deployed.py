"""The channel as deployed: what the form's integers say of it, guarantee, and promise to people."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np

from askance.channels.channel import Channel
from askance.channels.cut_law import step_sizes
from askance.channels.frame import Frame
from askance.channels.range_channel import AbstractRangeChannel, RangeChannel
from askance.channels.ring_channel import RingChannel
from askance.channels.transform import meant
from askance.errors import AskanceError, FormError, InputError
from askance.exact.line import Line
from askance.exact.table import LARGEST_TOTAL, Table, whole_parts
from askance.mechanisms.catalogue import answer_mechanism
from askance.mechanisms.named_law import law_read
from askance.privacy.coverage import coverage, least_coverage
from askance.privacy.guarantee import EVENLY, Guarantee
from askance.privacy.guessing import advantage
from askance.privacy.interval_privacy import flatness, set_guarantees, silence
from askance.privacy.losses import local_loss, shafer_loss, walley_loss
from askance.privacy.neyman_pearson import neyman_pearson
from askance.typing import Floats
from askance.wire.form import Form
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
            return _judged(channel_of(question)) if is_protected(question) else ()
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


def _judged(channel: Channel) -> tuple[Guarantee, ...]:
    if sets := set_guarantees(channel):
        return *sets, advantage(channel)
    judges = local_loss, shafer_loss, walley_loss, advantage
    return tuple(judge(channel) for judge in judges)


def deployable(channel: Channel) -> Channel:
    """Write a channel in whole parts that one draw of 48 bits holds, if it is not so already.

    Rounded once, towards what it promises: no guarantee of the exact channel grows weaker, and no
    test of one answer against another gains, by reports or by messages.

    Raises
    ------
    InputError
        If the channel is not exact, or nothing so near to it in whole parts promises as much.

    >>> from askance.mechanisms.randomised_response import Warner
    >>> fine = Warner(truth=Fraction(3, 4) + Fraction(1, 10**20)).channel(Frame(["yes", "no"]))
    >>> table = deployable(fine).table
    >>> table.total == 2**48, table.rows[0][0] - 3 * 2**46
    (True, 0)
    """
    table = channel.table
    if table is None:
        raise InputError("channel", got="doubles", allowed="exact chances, which can be drawn")
    if table.total <= LARGEST_TOTAL:
        return channel
    reports = meant(channel)

    def written(parts: Table) -> Channel:
        return Channel(channel.frame, reports, parts, output=channel.output)

    promised = _judged(channel)
    found = whole_parts(table, lambda parts: _keeps(written(parts), channel, promised))
    if found is None:
        raise InputError(
            "channel",
            got=f"chances in some 2^{table.total.bit_length() - 1} whole parts",
            allowed="chances that keep what they promise in 2^48 whole parts",
            remedy="write the chances with fewer digits, over one common denominator",
        )
    return written(found)


def rounding_of(question: TableQuestion) -> Fraction | None:
    """Give the most that deploying changed a chance; None if the table is the recipe's, exactly.

    >>> from askance.wire.question import Label
    >>> labels = Label("yes", {}), Label("no", {})
    >>> about = {"mechanism": {"name": "warner", "truth": "2/3"}}
    >>> rounded = Table(10, ((6, 4), (4, 6)))
    >>> question = TableQuestion(
    ...     "q", {}, labels, labels, ((0,), (1,)), rounded, (0, 1), about
    ... )
    >>> rounding_of(question)
    Fraction(1, 15)
    """
    recipe = question.about.get("mechanism")
    if not isinstance(recipe, Mapping) or not all(isinstance(one, str) for one in recipe.values()):
        return None
    try:
        told = {
            key: json.loads(one) if one[:1] in {"[", "{"} else one for key, one in recipe.items()
        }
        name = told.pop("name", "")
        frame = Frame(answer.name for answer in question.answers)
        asked = answer_mechanism(name, told, frame).channel(frame)
    except (AskanceError, ValueError, TypeError):
        return None
    if asked.table is None or asked.reports != tuple(one.name for one in question.reports):
        return None
    changes = [
        abs(one - other)
        for at in range(len(frame))
        for one, other in zip(asked.table.row(at), question.table.row(at), strict=True)
    ]
    return max(changes) or None


def rounding_told(question: Question) -> str:
    """Say in words that a question's chances were rounded when it was deployed; "" if not."""
    if not isinstance(question, TableQuestion) or not (change := rounding_of(question)):
        return ""
    return (
        f"{question.name}: its chances are rounded to {question.table.total:,} whole parts, which "
        f"one draw holds. None changed by more than {float(change):.1e}; the guarantees are those "
        "of what is drawn."
    )


def _keeps(channel: Channel, exact: Channel, promised: Sequence[Guarantee]) -> bool:
    """Say whether nothing that was promised holds less: each figure, and all tests.

    The tests of two answers hold their losses; Walley's has no such pairs that garbling lowers.
    """
    found = _judged(channel)
    if len(found) != len(promised) or not all(map(Guarantee.at_least, found, promised)):
        return False
    return all(
        neyman_pearson(*ours).at_least(neyman_pearson(*theirs))
        for ours, theirs in _tests(channel, exact)
    )


Rows = tuple[Sequence[int], Sequence[int]]


def _tests(channel: Channel, exact: Channel) -> Iterator[tuple[Rows, Rows]]:
    """List the rows of two answers in both channels, by report and by message; alike ones once."""
    by_report = {name: [at] for at, name in enumerate(channel.reports)}
    by_message: dict[int, list[int]] = {}
    for at, meaning in enumerate(channel.meanings):
        by_message.setdefault(meaning, []).append(at)
    seen = set()
    for groups in (by_report.values(), by_message.values()):
        ours, theirs = (_gathered(one, groups) for one in (channel, exact))
        for x, other in combinations(range(len(channel.frame)), 2):
            columns = zip(ours[x], ours[other], theirs[x], theirs[other], strict=True)
            rows = tuple(sorted(columns))
            if rows not in seen:
                seen.add(rows)
                one, two, first, second = zip(*rows, strict=True)
                yield (one, two), (first, second)


def _gathered(channel: Channel, groups: Iterable[Sequence[int]]) -> list[list[int]]:
    assert channel.table is not None
    return [[sum(row[at] for at in group) for group in groups] for row in channel.table.rows]


def traits_of(form: Form) -> dict[str, tuple[str, ...]]:
    """Name the questions that a form declares to be about one trait.

    Raises
    ------
    FormError
        If a trait has no name, no questions, or questions that the form does not ask.
    """
    asked = {question.name for question in form.questions}
    traits = form.document["about"].get("traits", [])
    try:
        found = {trait["name"]: tuple(trait["questions"]) for trait in traits}
        known = all(names and asked.issuperset(names) for names in found.values())
    except (LookupError, TypeError):
        known = False
    if not known or not all(isinstance(name, str) for name in found):
        raise FormError("about.traits", allowed="names, each with questions of the form")
    return found


def minimum_of(form: Form) -> int:
    """Say below how many reports a form's author wants no estimate shown.

    Raises
    ------
    FormError
        If that is no whole number.
    """
    least = form.document["about"].get("minimum", 1)
    if type(least) is not int:
        raise FormError("about.minimum", got=least, allowed="a whole number of reports")
    return least
