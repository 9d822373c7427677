"""Random ranges by cuts or by a ring: their law, and its description."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeGuard, final

import numpy as np

from askance.channels.cut_variants import RingChannel
from askance.channels.number_law import law_read, step_sizes
from askance.channels.range_channel import AbstractRangeChannel, RangeChannel, within
from askance.privacy.coverage import coverage, coverage_law, least_coverage
from askance.privacy.guarantee import EVENLY, Guarantee
from askance.privacy.interval_privacy import Silence, flatness, silence
from askance.privacy.population import declared_population
from askance.survey.report_preview import (
    LEARNT,
    AbstractDeployed,
    AbstractPlain,
    ReportKind,
    ReportPreview,
    Stretches,
    correct_rounding,
    describe_coverage,
    describe_number,
    describe_range,
    find_narrowest,
    find_typical,
    format_number,
    write_blank_sentence,
)
from askance.typing import Floats
from askance_collect.errors import InputError
from askance_collect.exact.line import Floor, Line
from askance_collect.exact.ratio import cautious, percent
from askance_collect.wire.form_schema import in_first_language
from askance_collect.wire.proof import can_prove
from askance_collect.wire.question import (
    CutsQuestion,
    Number,
    Question,
    RangeQuestion,
    RingQuestion,
    Value,
)

BY_SIZES, BY_PRIOR = "by the sizes in the form", "by the prior in the form"


class AbstractRangeLaw(ABC):
    """The law of the ranges of one kind of question, and its description.

    Attributes
    ----------
    channel : RangeChannel or RingChannel
        The law of the ranges, in the form's first unit.
    """

    __slots__ = ()
    channel: RangeChannel | RingChannel

    @abstractmethod
    def sentences(self) -> tuple[str, ...]:
        """Say what the device draws, what is sent and what the most telling report is."""

    @abstractmethod
    def learnt(self) -> tuple[str, ...]:
        """Describe what a third party learns from a report, apart from its range."""


def write_law(channel: RangeChannel | RingChannel) -> dict[str, Any]:
    """Write the kind of question and its law; every key is there, whether it is used or not.

    >>> write_law(RangeChannel(Line(0, 3, 1), [1, 2]))
    {'kind': 'cuts', 'cuts': {'number': 1, 'weights': [1, 2], 'floor': None, 'open': []}}
    """
    weights = list(channel.cut_weights)
    if isinstance(channel, RingChannel):
        weights = list(channel.law.weights)  # of two cuts; others are refused there
        sizes, least = list(channel.floor.sizes), channel.floor.minimum
        return {"kind": "ring", "ring": {"weights": weights, "sizes": sizes, "least": least}}
    floor = None
    if channel.floor is not None:
        rule = "withhold" if channel.withhold else "skip"
        sizes, least = list(channel.floor.sizes), channel.floor.minimum
        floor = {"sizes": sizes, "least": least, "rule": rule}
    opened = [list(stretch) for stretch in channel.open]
    cuts = {"number": channel.number, "weights": weights, "floor": floor, "open": opened}
    return {"kind": "cuts", "cuts": cuts}


def build_range_law(question: RangeQuestion, written: object) -> "CutsLaw | RingLaw":
    """Build the law of a question's ranges, or reuse the channel just written into the form."""
    wire_line = question.line
    line = Line(
        wire_line.lower,
        wire_line.upper,
        wire_line.step,
        in_first_language(question.unit),
        integer=wire_line.integer,
    )
    if isinstance(question, RingQuestion):
        if _matches_ring(written, question, line):
            return RingLaw(question, written)
        return RingLaw(question, RingChannel(line, question.weights, question.floor))
    if _matches_cuts(written, question, line):
        return CutsLaw(question, written)
    built = RangeChannel(
        line,
        question.weights,
        question.number,
        floor=question.floor,
        withhold=question.withhold,
        open=question.open,
    )
    return CutsLaw(question, built)


def _matches_ring(channel: object, question: RingQuestion, line: Line) -> TypeGuard[RingChannel]:
    """Say whether a channel is what the form says, to the last integer."""
    if not isinstance(channel, RingChannel):
        return False
    built = channel.line, channel.cut_weights, channel.floor, channel.number
    return built == (line, question.weights, question.floor, 2)


def _matches_cuts(channel: object, question: CutsQuestion, line: Line) -> TypeGuard[RangeChannel]:
    """Say whether a channel is what the form says, to the last integer."""
    if not isinstance(channel, RangeChannel):
        return False
    built = channel.line, channel.cut_weights, channel.number
    rule = channel.floor, channel.withhold, channel.open
    published = line, question.weights, question.number
    return (built, rule) == (published, (question.floor, question.withhold, question.open))


@final
@dataclass(frozen=True, slots=True)
class CutsLaw(AbstractRangeLaw):
    """Independent cuts; the report is the cell that holds the answer."""

    question: CutsQuestion
    channel: RangeChannel

    def sentences(self) -> tuple[str, ...]:
        """Say what the device draws, what is sent and what the most telling report is."""
        question, between = self.question, _describe_cut_span(self.question)
        if question.number == 1:
            drawing = f"The device draws a number {between}"
            sending = "the report says whether the answer is above it."
        else:
            drawing = f"The device draws {question.number} numbers {between}"
            sending = "the report is the range between them that contains the answer."
        if question.progressive:
            sending = "each narrows the range that is sent, for as long as the person agrees."
        return (f"{drawing}; {sending}", *_describe_rules(question), *self._most_telling())

    def _most_telling(self) -> tuple[str, ...]:
        question, cuts = self.question, _list_cut_ticks(self.question)
        if question.number == 1 and question.floor is None and not question.open:
            lower = describe_range(question, (0, cuts[0]))
            upper = describe_range(question, (cuts[-1], question.line.ticks))
            return (f"The most revealing report: “{lower}” or “{upper}”, whatever people answer.",)
        return _describe_narrowest(question, self.channel)

    def learnt(self) -> tuple[str, ...]:
        """Describe exact answers, passed-over cuts and stops."""
        question, sentences = self.question, []
        if steps := sum(high - low for low, high in question.open):
            share = percent(Fraction(steps, question.line.ticks))
            sentences.append(f"{EVENLY.capitalize()}, {share} of 100 people would be sent exactly.")
        if question.floor is not None and not question.withhold:
            sentences.append(_PASSED_OVER)
        if question.progressive:
            sentences.append(_STOPS)
        return tuple(sentences)


@final
@dataclass(frozen=True, slots=True)
class RingLaw(AbstractRangeLaw):
    """One pair of cuts; the report is their inside or their outside."""

    question: RingQuestion
    channel: RingChannel

    def sentences(self) -> tuple[str, ...]:
        """Say what the device draws, what is sent and what the most telling report is."""
        question, floor = self.question, self.question.floor
        share = cautious(Fraction(floor.minimum, floor.total), math.floor)
        people = describe_spread(question)
        return (
            f"The device draws two numbers {_describe_cut_span(question)}; the report says whether "
            "the answer is above the lower and up to the higher one, or not.",
            f"{people[0].upper()}{people[1:]}, either holds at least {share} of 100 people.",
            *_describe_narrowest(question, self.channel),
        )

    def learnt(self) -> tuple[str, ...]:
        """No further sentences: a report reveals its range and nothing else."""
        return ()


_PASSED_OVER = "What is passed over tells nothing: it does not depend on the answer."
_STOPS = (
    "Who stops early may do so because of the answer. What that tells is not bounded, though the "
    "range that is sent is only wider for it."
)


def read_sizes(question: RangeQuestion) -> tuple[int, ...]:
    """The form's assumed number of people in each step of the line.

    These are the sizes of a floor, or the prior of a promised coverage; alike where it declares
    neither. Where answers are sent exactly a floor's sizes are 0, and so say nothing about the
    whole line.
    """
    if question.open:
        return (1,) * question.line.ticks
    if question.floor is not None:
        return question.floor.sizes
    return _read_prior(question)


def is_spread_evenly(question: RangeQuestion) -> bool:
    """Whether every figure of this question assumes as many people in each step of the line."""
    return len(set(read_sizes(question))) == 1


def read_shares(question: RangeQuestion) -> Floats | None:
    """Read the share of people in each step, above zero everywhere; None if uniform.

    Where a step is thought empty, no information bounds what is learnt about it.
    """
    if is_spread_evenly(question):
        return None
    sizes = np.array(read_sizes(question), dtype=float)
    shares: Floats = np.maximum(sizes / sizes.sum(), _TRACE)
    shares /= shares.sum()
    return shares


def find_declared_fit(question: Question) -> tuple[float, float] | None:
    """Compute the share of people who fit a range, on average and at worst, as declared.

    None where no ranges are sent, or the form declares no population. Ranges that nobody in the
    population sends are left out.

    >>> from askance_collect.exact.line import Line
    >>> about = {"population": {"spread": "[3, 1]"}}
    >>> unit = {"en": "cups"}
    >>> question = CutsQuestion("q", {}, Line(0, 2), unit, 1, (1,), False, (0, 1), about)
    >>> find_declared_fit(question)
    (0.625, 0.25)
    """
    if not isinstance(question, CutsQuestion | RingQuestion):
        return None
    if (people := declared_population(question)) is None:
        return None
    channel = build_range_law(question, None).channel
    law = coverage_law(channel, [float(share) for share in people.shares])
    return law.mean, law.minimum


def describe_spread(question: RangeQuestion) -> str:
    """Describe the assumed distribution of answers behind every figure of this question."""
    if is_spread_evenly(question):
        return EVENLY
    return BY_PRIOR if question.floor is None else BY_SIZES


def _read_prior(question: RangeQuestion) -> tuple[int, ...]:
    """Read the prior of a promised coverage; uniform where it is missing or unreadable."""
    even = (1,) * question.line.ticks
    about: object = question.about
    mechanism = about.get("mechanism") if isinstance(about, Mapping) else None
    written = mechanism.get("prior") if isinstance(mechanism, Mapping) else None
    if not isinstance(written, str):
        return even
    try:
        return step_sizes(question.line, law_read(written, "prior"))
    except (InputError, ArithmeticError):
        return even


def _describe_rules(question: CutsQuestion) -> tuple[str, ...]:
    rules = []
    if question.floor is not None and question.withhold:
        rules.append(
            f"{_describe_size(question)} is not sent; sending nothing then reveals something."
        )
    elif question.floor is not None:
        rules.append(f"A number that would leave {_describe_size(question, 'a side')} is skipped.")
        if (
            not question.progressive
            and question.number > 2
            and _has_three_ranges_at_most(question.floor)
        ):
            rules.append("So at most two of them cut, into three ranges.")
    for low, high in question.open:
        if question.line.integer:
            first, to = question.line.value_at(low) + 1, "to"
        else:
            first, to = question.line.value_at(low), "up to"
        above = "from" if question.line.integer else "above"
        last = question.line.value_at(high)
        ends = f"{above} {format_number(first)} {to} {format_number(last)} {{}}"
        rules.append(f"An answer {describe_number(question, last, ends.format)} is sent exactly.")
    return tuple(rules)


def _has_three_ranges_at_most(floor: Floor) -> bool:
    """Whether the floor allows at most three ranges."""
    return 4 * floor.minimum > floor.total


def _describe_size(question: CutsQuestion, subject: str = "A range") -> str:
    floor = question.floor
    assert floor is not None
    share = cautious(Fraction(floor.minimum, floor.total), math.floor)
    exact = {step for low, high in question.open for step in range(low, high)}
    counted = {size for step, size in enumerate(floor.sizes) if step not in exact}
    assumed_population = EVENLY if len(counted) == 1 else BY_SIZES
    some = " whose answer is not sent exactly" if question.open else ""
    return f"{subject} with less than {share} of 100 people{some}, {assumed_population},"


def _list_cut_ticks(question: RangeQuestion) -> list[int]:
    return [tick for tick, weight in enumerate(question.weights, start=1) if weight]


def _describe_cut_span(question: RangeQuestion) -> str:
    ticks = _list_cut_ticks(question)
    low, high = (question.line.value_at(tick) for tick in (ticks[0], ticks[-1]))
    span = f"between {format_number(low)} and {format_number(high)} {{}}"
    return describe_number(question, high, span.format)


def _describe_narrowest(question: RangeQuestion, channel: AbstractRangeChannel) -> tuple[str, str]:
    """State the width of the narrowest range, apart from answers that are sent exactly."""
    ends = channel.cells()[0]
    wide = channel.range_probabilities(ends, [1] * channel.line.ticks)[~within(channel.open, ends)]
    width = int(wide[wide > 0].min()) * channel.line.step
    if question.line.integer:
        wording = "a single number" if width == 1 else f"{format_number(width)} numbers wide"
        return f"The narrowest range is {wording}.", _TELLS_MOST
    size = describe_number(question, width, f"{format_number(width)} {{}} wide".format)
    return f"The narrowest range is {size}.", _TELLS_MOST


_TELLS_MOST = (
    "The most revealing range is the one with the fewest people, among those that contain no other."
)

_TRACE = 1e-9


@final
@dataclass(frozen=True, slots=True)
class PlainNumber(AbstractPlain):
    """A number on a line, asked plainly: the report is the number."""

    question: Number
    guarantees: tuple[Guarantee, ...] = ()

    def column(self, values: Sequence[Value]) -> list[Any] | None:
        """The numbers that were sent."""
        line = self.question.line
        return [float(line.value_at(value)) if isinstance(value, int) else None for value in values]


@final
@dataclass(frozen=True, slots=True)
class ProtectedNumber(AbstractDeployed):
    """A number on a line, reported as a random range that holds it.

    >>> from askance.survey.publish import deploy
    >>> from askance.survey.survey_file import parse_survey
    >>> (age,) = deploy(parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Age"
    ... consent = "Voluntary."
    ... [[question]]
    ... name = "age"
    ... text = "How old are you?"
    ... line = { lower = 0, upper = 100, step = 10, unit = "years" }
    ... mechanism = { name = "cuts", number = 1 }
    ... ''')).questions
    >>> for sentence in age.preview().sentences:
    ...     print(sentence)
    Typically: 70 years or less. Of 100 people, if answers were spread evenly, 70 would fit.
    At worst: 10 years or less. That would fit 10 of 100.

    Attributes
    ----------
    law : CutsLaw or RingLaw
        How the ranges are drawn.
    silent : Silence or None
        What it tells that nothing was sent, where narrow ranges are withheld.
    """

    question: RangeQuestion
    law: CutsLaw | RingLaw
    guarantees: tuple[Guarantee, ...]
    silent: Silence | None

    @property
    def channel(self) -> RangeChannel | RingChannel:
        """The law of the ranges, in the form's first unit."""
        return self.law.channel

    @property
    def report_kind(self) -> ReportKind:
        """How an answer becomes what is sent."""
        return ReportKind.PROVING if can_prove(self.question) else ReportKind.BROAD

    @property
    def assumed_population(self) -> str:
        """How common answers are taken to be, in every figure about this question."""
        return describe_spread(self.question)

    @property
    def by_answer(self) -> bool:
        """Whether there is a sentence for each answer: there is not."""
        return False

    def sentences(self) -> tuple[str, ...]:
        """Say what the device draws, what is sent and what the most telling report is."""
        question = self.question
        sentences = self.law.sentences()
        return (
            *sentences,
            *write_blank_sentence(Fraction(*question.blank)),
            "The report is always true.",
        )

    def preview(self) -> ReportPreview:
        """Preview the ranges: typical and worst report, and law of the coverage."""
        return _preview_ranges(self)

    def protection(self) -> str:
        """Say in a sentence how well one report is protected; for `assumed_population`."""
        exact, proves = bool(self.question.open), can_prove(self.question)
        return describe_coverage(self.guarantees, partly_exact=exact, proves=proves)

    @property
    def shares(self) -> Floats | None:
        """The share of people in each step, above zero everywhere; None if uniform."""
        return read_shares(self.question)

    @property
    def blank_warning(self) -> str:
        """A warning that a blank reveals more than necessary, or an empty text."""
        return "" if self.silent is None else _warn_of_silence(self, self.silent)

    def column(self, _values: Sequence[Value], /) -> list[Any] | None:
        """No column: a range is no single value."""
        return None


def protected_number(question: RangeQuestion, written: object = None) -> ProtectedNumber:
    """Deploy a question that is asked by random ranges, and judge it.

    Parameters
    ----------
    question : CutsQuestion or RingQuestion
    written : RangeChannel or RingChannel, optional
        The channel that was just written into the form; if it is not what the form says, it is
        built from the form's law.
    """
    law = build_range_law(question, written)
    wide = _measure_coverage(question, law.channel)
    if not question.withhold:
        return ProtectedNumber(question, law, (*wide, flatness(law.channel)), None)
    silent = silence(law.channel, Fraction(*question.blank))
    return ProtectedNumber(question, law, (*wide, silent.guarantee), silent)


def _measure_coverage(
    question: RangeQuestion, ranges: AbstractRangeChannel
) -> tuple[Guarantee, ...]:
    """Mean and minimum coverage of the ranges for the form's population."""
    sizes, assumed_population = read_sizes(question), describe_spread(question)
    shares = None if is_spread_evenly(question) else np.array(sizes) / sum(sizes)
    guarantees = coverage(ranges, shares), least_coverage(ranges, sizes)
    return tuple(
        replace(guarantee, assumed_population=assumed_population) for guarantee in guarantees
    )


def _preview_ranges(deployed: ProtectedNumber) -> ReportPreview:
    question, channel = deployed.question, deployed.channel
    sizes = read_sizes(question)
    shares = np.array(sizes) / sum(sizes)
    ends, chances = channel.cells()
    inside = channel.range_probabilities(ends, shares)
    wide = channel.range_probabilities(ends, np.ones(channel.line.ticks))
    candidates = np.flatnonzero(~within(channel.open, ends) & (wide > 0))
    worst = find_narrowest(inside, candidates)
    typical = find_typical(inside, chances * inside)
    ticks = question.line.ticks

    def list_stretches(report: int) -> Stretches:
        pieces = channel.pieces(*ends[report].tolist())
        return tuple((low / ticks, high / ticks) for low, high in pieces)

    return ReportPreview(
        assumed_population=deployed.assumed_population,
        typical=describe_range(question, tuple(ends[typical].tolist())),
        worst=describe_range(question, tuple(ends[worst].tolist())),
        worst_share=cautious(correct_rounding(float(inside[worst])), int),
        law=coverage_law(channel, shares),
        learnt=(LEARNT, *deployed.law.learnt(), *_describe_silence(deployed)),
        typical_held=list_stretches(typical),
        worst_held=list_stretches(worst),
        ends=(
            format_number(question.line.lower),
            describe_number(question, question.line.value_at(ticks)),
        ),
        notes=_list_notes(question),
    )


def _list_notes(question: RangeQuestion) -> tuple[str, ...]:
    notes = {
        "nothing sent fits all": question.withhold,
        "what is sent exactly fits its step": bool(question.open),
        "everybody takes every step": question.progressive,
    }
    return tuple(note for note, holds in notes.items() if holds)


def _describe_silence(deployed: ProtectedNumber) -> tuple[str, ...]:
    """Describe what a blank reveals, where narrow ranges are withheld."""
    silent = deployed.silent
    if silent is None:
        return ()
    low = cautious(min(silent.chances), math.floor)
    high = cautious(max(silent.chances), math.ceil)
    chance = cautious(silent.by_chance(_share_people(deployed.question)), math.floor)
    return (
        f"Of 100 people with one answer, {low} to {high} send nothing, by what the answer is.",
        f"Of 100 who send nothing, {deployed.assumed_population}, chance alone silenced {chance}.",
    )


def _warn_of_silence(deployed: ProtectedNumber, silent: Silence) -> str:
    """Warn if a blank is more often a withheld narrow range than chance."""
    min_blank = silent.min_blank(_share_people(deployed.question))
    if silent.blank >= min_blank:
        return ""
    return (
        f"{deployed.question.name}: sending nothing is due to a narrow range more often than to "
        f"chance. From a blank of {-(-min_blank.numerator * 1000 // min_blank.denominator) / 1000} "
        f"on, chance is the likelier reason, {deployed.assumed_population}."
    )


def _share_people(question: RangeQuestion) -> tuple[Fraction, ...]:
    """The share of people in each step, exactly."""
    sizes = read_sizes(question)
    return tuple(Fraction(size, sum(sizes)) for size in sizes)
