"""Numbers on a line as deployed: asked plainly, or reported as random ranges."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np

from askance.channels.cut_variants import RingChannel
from askance.channels.range_channel import AbstractRangeChannel, RangeChannel, within
from askance.design.precision import half_widths
from askance.errors import NotIdentified
from askance.exact.line import Line
from askance.exact.ratio import cautious
from askance.inference.fit_result import GoodnessOfFit
from askance.inference.frequency_tests import blanks_fit
from askance.inference.line.cells import (
    MOST_TICKS,
    Law,
    LineEstimate,
    empty_estimate,
    stopped_law,
    tick_numbers,
)
from askance.inference.line.estimate_line import estimate_cells
from askance.inference.line.manipulated import bound_manipulation
from askance.inference.line.plain_number import estimate_plain
from askance.privacy.coverage import coverage, coverage_law, least_coverage
from askance.privacy.guarantee import EVENLY, Guarantee
from askance.privacy.interval_privacy import Silence, flatness, silence
from askance.survey.deployed import (
    FALSE,
    LEARNT,
    SENT_AS_GIVEN,
    UNPROTECTED,
    AbstractDeployed,
    PoisoningBound,
    QuestionEstimate,
    ReportPreview,
    Stretches,
    Way,
    correct_rounding,
    describe_coverage,
    expect_sent,
    find_narrowest,
    find_typical,
    write_blank_sentence,
)
from askance.survey.random_ranges import (
    AbstractRangeLaw,
    build_range_law,
    collect_ranges,
    describe_range,
    describe_spread,
    describe_unidentified,
    format_number,
    read_sizes,
)
from askance.typing import Floats
from askance.wire.label import in_first_language
from askance.wire.proof import can_prove
from askance.wire.question import Number, RangeQuestion, ReportCounts, Value, sent_of

_TRACE = 1e-9


@final
@dataclass(frozen=True, slots=True)
class PlainNumber(AbstractDeployed):
    """A number on a line, asked plainly: the report is the number."""

    question: Number
    guarantees: tuple[Guarantee, ...] = ()
    way: ClassVar[Way] = Way.PLAINLY
    spread: ClassVar[str] = EVENLY
    by_answer: ClassVar[bool] = False
    blank_warning: ClassVar[str] = ""
    mean_warning: ClassVar[str] = ""
    rounding_note: ClassVar[str] = ""

    def sentences(self) -> tuple[str, ...]:
        """Say what is sent."""
        return (SENT_AS_GIVEN,)

    def preview(self) -> ReportPreview | None:
        """Nothing: reports are the answers."""
        return None

    def protection(self) -> str:
        """State that a report is not protected."""
        return UNPROTECTED

    def precision(self, sizes: Sequence[int]) -> tuple[str, ...]:  # noqa: ARG002  the interface has it
        """Nothing: how far numbers spread is not known before they are asked for."""
        return ()

    def bound_poisoning(self, false: int, reports: int) -> PoisoningBound:
        """Bound how far false reports move the mean."""
        far = _measure_length(self.question.line) * false / reports
        return _write_mean_bound(self.question, false, reports, _Bounds(far, far))

    def estimate(self, counts: ReportCounts, level: float) -> LineEstimate:
        """Estimate the distribution, and its mean."""
        question = self.question
        ticks = {value: n for value, n in counts.items() if type(value) is int}
        return estimate_plain(
            question.line, ticks, level=level, unit=in_first_language(question.unit)
        )

    def learn(self, values: Mapping[Value, int], level: float) -> QuestionEstimate:
        """Estimate from all that came; whatever is sent can have been answered."""
        counts = sent_of(values)
        n, estimate = sum(counts.values()), self.estimate(counts, level)
        bound = self.bound_poisoning(max(n // FALSE, 1), n) if n else None
        return QuestionEstimate(
            estimate=estimate,
            fit=GoodnessOfFit(),
            manipulation=bound,
            left_open=describe_unidentified(estimate),
        )

    @property
    def wording(self) -> Mapping[str, str]:
        """A number has no wording."""
        return {}

    def column(self, values: Sequence[Value]) -> list[Any] | None:
        """The numbers that were sent."""
        line = self.question.line
        return [float(line.at(value)) if isinstance(value, int) else None for value in values]


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
    law : AbstractRangeLaw
        How the ranges are drawn.
    silent : Silence or None
        What it tells that nothing was sent, where narrow ranges are withheld.
    """

    question: RangeQuestion
    law: AbstractRangeLaw
    guarantees: tuple[Guarantee, ...]
    silent: Silence | None

    @property
    def channel(self) -> RangeChannel | RingChannel:
        """The law of the ranges, in the form's first unit."""
        return self.law.channel

    @property
    def way(self) -> Way:
        """How an answer becomes what is sent."""
        return Way.PROVING if can_prove(self.question) else Way.BROAD

    @property
    def spread(self) -> str:
        """How common answers are taken to be, in every figure about this question."""
        return describe_spread(self.question)

    @property
    def by_answer(self) -> bool:
        """Sentences are few."""
        return False

    def sentences(self) -> tuple[str, ...]:
        """Say what the device draws, what is sent and what the most telling report is."""
        question = self.question
        sentences = self.law.sentences()
        return (
            *sentences,
            *write_blank_sentence(Fraction(*question.blank)),
            "What is sent is always true.",
        )

    def preview(self) -> ReportPreview:
        """Preview the ranges: typical and worst report, and law of the coverage."""
        return _preview_ranges(self)

    def protection(self) -> str:
        """Say in a sentence how well one report is protected; shares are those of `spread`."""
        exact, proves = bool(self.question.open), can_prove(self.question)
        return describe_coverage(self.guarantees, partly_exact=exact, proves=proves)

    def precision(self, sizes: Sequence[int]) -> tuple[str, ...]:
        """The half-width of a 95 % interval of the mean; empty where it is not identified."""
        if not self.law.tells_the_mean:
            return ()
        unit, shares, share_sent = (
            in_first_language(self.question.unit),
            self.shares,
            self._share_sent(),
        )
        widths = half_widths(
            self.channel, [expect_sent(n, share_sent) for n in sizes], shares=shares
        )
        return tuple(f"± {_round_width(width)} {unit}".rstrip() for width in widths.tolist())

    def _share_sent(self) -> Fraction:
        """The share of reports that chance does not leave blank, nor a floor withhold."""
        share = 1 - Fraction(*self.question.blank)
        if self.question.withhold:
            share *= Fraction(
                float(np.average(self.channel.inclusion_probability(), weights=self.shares))
            )
        return share

    @property
    def shares(self) -> Floats | None:
        """The share of people in each step, above zero everywhere; None if uniform.

        Where a step is thought empty, no information bounds what is learnt about it.
        """
        if self.spread == EVENLY:
            return None
        sizes = np.array(read_sizes(self.question), dtype=float)
        shares: Floats = np.maximum(sizes / sizes.sum(), _TRACE)
        shares /= shares.sum()
        return shares

    def bound_poisoning(self, false: int, reports: int) -> PoisoningBound | None:
        """Bound how far false reports move the mean; None without a bound.

        The mean of ranges of several cuts, of rings and of what is withheld is bounded for people
        as the form supposes them.
        """
        even = np.ones(self.question.line.ticks)
        shares = even if self.shares is None else self.shares
        people = self.spread + ", with every step taken" * self.question.narrow
        return _bound_mean(self, false, reports, shares, people)

    @property
    def blank_warning(self) -> str:
        """A warning that a blank reveals more than necessary, or an empty text."""
        return "" if self.silent is None else _warn_of_silence(self, self.silent)

    @property
    def mean_warning(self) -> str:
        """A warning that the reports do not identify the mean, or an empty text."""
        if self.law.tells_the_mean:
            return ""
        return (
            f"{self.question.name}: no number of reports tells the mean, as ranges of this law "
            "leave pieces of the line alike."
        )

    @property
    def rounding_note(self) -> str:
        """Weights are whole numbers as they are."""
        return ""

    def estimate(self, counts: ReportCounts, level: float) -> LineEstimate:
        """Estimate the distribution from ranges; the full line carries no information.

        Nor do ranges of which the narrow ones are withheld, if the others settle no share.
        """
        cells, narrow = collect_ranges(self.question, counts), self.question.narrow
        try:
            return estimate_cells(self.channel, cells, level, stopping=narrow)
        except NotIdentified:
            line, n = self.channel.line, int(cells.counts.sum())
            numbers = tick_numbers(self.channel)
            return empty_estimate(numbers, level, line.unit, n, whole_numbers=line.whole)

    def learn(self, values: Mapping[Value, int], level: float) -> QuestionEstimate:
        """Estimate from all reports, and test them against the form as one family of tests."""
        counts, total = sent_of(values), sum(values.values())
        numerator, denominator = self.question.blank
        tests = list(self.law.fit(counts)) if counts else []
        if counts and numerator:
            tests.append(blanks_fit(total - sum(counts.values()), total, numerator / denominator))
        estimate = self.estimate(counts, level)
        return QuestionEstimate(
            estimate=estimate,
            fit=GoodnessOfFit(tests=tuple(tests)),
            manipulation=_bound_false_reports(self, counts, estimate) if counts else None,
            left_open=self.law.left_open(estimate),
        )

    @property
    def wording(self) -> Mapping[str, str]:
        """A number has no wording."""
        return {}

    def column(self, values: Sequence[Value]) -> list[Any] | None:  # noqa: ARG002  the interface has it
        """Nothing: ranges have no column."""
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
    sizes, spread = read_sizes(question), describe_spread(question)
    shares = None if spread == EVENLY else np.array(sizes) / sum(sizes)
    guarantees = coverage(ranges, shares), least_coverage(ranges, sizes)
    return tuple(replace(guarantee, spread=spread) for guarantee in guarantees)


@final
@dataclass(frozen=True, slots=True)
class _Bounds:
    """Poisoning bounds on a mean and on a plain one, for which people, and whether approximate."""

    at_most: float
    plain: float
    people: str = ""
    thinned: bool = False


def _write_mean_bound(
    question: Number | RangeQuestion, false: int, reports: int, far: _Bounds
) -> PoisoningBound:
    return PoisoningBound(
        false=false,
        reports=reports,
        at_most=far.at_most,
        plain=far.plain,
        unit=in_first_language(question.unit),
        target="the mean",
        by_chance=not isinstance(question, Number),
        people=far.people,
        thinned=far.thinned,
    )


def _bound_mean(
    deployed: ProtectedNumber,
    false: int,
    reports: int,
    shares: Floats,
    people: str,
    law: Law | None = None,
) -> PoisoningBound | None:
    """Bound the shift of the mean for any people, or else for people as supposed."""
    question, channel = deployed.question, deployed.channel
    sure = deployed.law.mean_moved(false, reports)
    if sure is not None:
        plainly = _measure_length(question.line) * false / reports
        return _write_mean_bound(question, false, reports, _Bounds(sure, plainly))
    if false >= reports or channel.line.ticks > MOST_TICKS:
        return None
    try:
        bound = bound_manipulation(channel, shares, false, reports, (), law)
    except NotIdentified:
        return None
    far = _Bounds(bound.mean, bound.direct, people, bound.thinned)
    return _write_mean_bound(question, false, reports, far)


def _bound_false_reports(
    deployed: ProtectedNumber, counts: ReportCounts, estimate: LineEstimate
) -> PoisoningBound | None:
    """Bound the effect of one false report in a hundred, for people as estimated.

    Where people could stop at any step, the law is that of the ranges that they stopped at.
    """
    if not estimate.reports:
        n = sum(counts.values())
        return deployed.bound_poisoning(max(n // FALSE, 1), n)
    n, law = estimate.reports, None
    if deployed.question.narrow:
        cells = collect_ranges(deployed.question, counts)
        law = stopped_law(deployed.channel, cells.cells, cells.counts)
    people = "if people are as estimated"
    return _bound_mean(deployed, max(n // FALSE, 1), n, np.diff(estimate.cdf), people, law)


def _measure_length(line: Line) -> float:
    return float(line.upper - line.lower)


def _preview_ranges(deployed: ProtectedNumber) -> ReportPreview:
    question, channel = deployed.question, deployed.channel
    sizes = read_sizes(question)
    shares = np.array(sizes) / sum(sizes)
    ends, chances = channel.cells()
    inside = channel.inside(ends, shares)
    wide = channel.inside(ends, np.ones(channel.line.ticks))
    candidates = np.flatnonzero(~within(channel.open, ends) & (wide > 0))
    worst = find_narrowest(inside, candidates)
    typical = find_typical(inside, chances * inside)
    ticks, unit = question.line.ticks, in_first_language(question.unit)

    def list_stretches(report: int) -> Stretches:
        pieces = channel.pieces(*ends[report].tolist())
        return tuple((low / ticks, high / ticks) for low, high in pieces)

    return ReportPreview(
        spread=deployed.spread,
        typical=describe_range(question, tuple(ends[typical].tolist())),
        worst=describe_range(question, tuple(ends[worst].tolist())),
        worst_share=cautious(correct_rounding(float(inside[worst])), int),
        law=coverage_law(channel, shares),
        learnt=(LEARNT, *deployed.law.learnt(), *_describe_silence(deployed)),
        typical_held=list_stretches(typical),
        worst_held=list_stretches(worst),
        ends=(
            format_number(question.line.lower),
            f"{format_number(question.line.at(ticks))} {unit}".rstrip(),
        ),
        notes=_list_notes(question),
    )


def _list_notes(question: RangeQuestion) -> tuple[str, ...]:
    notes = {
        "nothing sent fits all": question.withhold,
        "what is sent exactly fits its step": bool(question.open),
        "everybody takes every step": question.narrow,
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
        f"Of 100 who send nothing, {deployed.spread}, chance alone silenced {chance}.",
    )


def _warn_of_silence(deployed: ProtectedNumber, silent: Silence) -> str:
    """Warn if a blank is more often a withheld narrow range than chance."""
    min_blank = silent.least_blank(_share_people(deployed.question))
    if silent.blank >= min_blank:
        return ""
    return (
        f"{deployed.question.name}: nothing sent is more often a narrow range than chance. From a "
        f"blank of {-(-min_blank.numerator * 1000 // min_blank.denominator) / 1000} on, chance is "
        f"the likelier reason, {deployed.spread}."
    )


def _share_people(question: RangeQuestion) -> tuple[Fraction, ...]:
    """The share of people in each step, exactly."""
    sizes = read_sizes(question)
    return tuple(Fraction(size, sum(sizes)) for size in sizes)


def _round_width(width: float) -> str:
    return f"{width:,.0f}" if width >= 10 else f"{width:.2g}"
