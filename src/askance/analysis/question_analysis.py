"""Analysis of a deployed question: precision beforehand, estimates, tests and bounds afterwards.

Each kind of question is a class here, made from the deployed question by `prepare_analysis`.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, assert_never, final, overload

import numpy as np

from askance.analysis.form_results import PoisoningBound, QuestionEstimate
from askance.channels.channel import Channel, has_independent_rows
from askance.channels.frame import Frame
from askance.channels.grouped_tally import GroupedTally
from askance.channels.tally import Tally
from askance.design.precision import half_width, half_widths, name_unit
from askance.inference.fit_result import Convergence, FitTest, GoodnessOfFit
from askance.inference.frequency_tests import blanks_fit
from askance.inference.goodness_of_fit import goodness_of_fit
from askance.inference.line.cells import (
    MOST_TICKS,
    Law,
    LineEstimate,
    Reported,
    empty_estimate,
    identified,
    stopped_law,
    tick_numbers,
)
from askance.inference.poisoning import bound_manipulation, manipulation, mean_manipulation
from askance.inference.range_tests import range_fit, stopped_fit
from askance.inference.shares.estimate import estimate
from askance.inference.shares.information import Estimate, ShareEstimator, answers_worth, speaking
from askance.inference.shares.partial import TallyMaximum, estimate_sets
from askance.privacy.population import share_answers
from askance.survey.deployed import (
    DeployedItemCount,
    DeployedQuestion,
    DeployedSets,
    PlainAnswers,
    PlainText,
    ProtectedAnswers,
    list_item_channels,
    table_channel,
)
from askance.survey.multi_select import project_channel
from askance.survey.question_risk import AS_DECLARED, declared_shares
from askance.survey.random_ranges import CutsLaw, PlainNumber, ProtectedNumber, RingLaw
from askance.survey.report_preview import describe_number
from askance.typing import Floats
from askance_collect.arguments import checked
from askance_collect.errors import NotIdentified
from askance_collect.exact.line import Line
from askance_collect.wire.form_schema import in_first_language
from askance_collect.wire.question import (
    TEXT_GIVEN,
    Number,
    RangeQuestion,
    ReportCounts,
    TableQuestion,
    Value,
    sent_of,
)

if TYPE_CHECKING:
    from askance.inference.regression.coefficients import Margins

_REPORTS_PER_FABRICATED_ONE = 100
"""The poisoning bound of an analysis takes one report in so many to be fabricated."""


def expect_sent(n: int, share: Fraction) -> int:
    """Expected number of sent reports among n people, at least one.

    >>> expect_sent(100, Fraction(19, 20)), expect_sent(1, Fraction(1, 4))
    (95, 1)
    """
    return max(round(n * share), 1)


class AbstractQuestionAnalysis(ABC):
    """What can be estimated about one deployed question, before it is asked and after.

    Attributes
    ----------
    deployed : DeployedQuestion
        The question, with its channel and guarantees.
    """

    __slots__ = ()
    deployed: DeployedQuestion

    @abstractmethod
    def precision(self, sizes: Sequence[int], /) -> tuple[str, ...]:
        """The half-width of a 95 % interval for each number of reports; empty if unknown."""

    @property
    def declared_shares(self) -> Floats | None:
        """The share of each answer, step or set that the form declares; None where it does not."""
        return declared_shares(self.deployed.question)

    @property
    def precision_population(self) -> str:
        """How common answers are taken to be where half-widths are computed."""
        is_declared = self.declared_shares is not None
        return AS_DECLARED if is_declared else self.deployed.assumed_population

    @abstractmethod
    def bound_poisoning(self, false: int, reports: int, /) -> PoisoningBound | None:
        """Bound how far false reports move a share or a mean; None without a bound."""

    @abstractmethod
    def estimate(self, counts: ReportCounts, level: float) -> Estimate | LineEstimate:
        """Estimate from how often each value was sent, blanks left out."""

    @abstractmethod
    def learn(self, values: Mapping[Value, int], level: float) -> QuestionEstimate:
        """Estimate from all reports, test them against the form, and note what is unidentified."""


@final
@dataclass(frozen=True, slots=True)
class PlainAnswersAnalysis(AbstractQuestionAnalysis):
    """Estimates of named answers that were asked plainly.

    >>> import askance as ak
    >>> from askance_collect.wire.form_schema import Label
    >>> from askance_collect.wire.question import Choice
    >>> plain = ak.survey.deployed(Choice("q", {}, (Label("a", {}), Label("b", {}))))
    >>> prepare_analysis(plain).bound_poisoning(100, 1_000).sentence
    'If 100 of 1,000 reports were fabricated, this could shift by up to 10.0 points.'
    """

    deployed: PlainAnswers

    def precision(self, sizes: Sequence[int]) -> tuple[str, ...]:
        """The half-width of a 95 % interval for each number of reports."""
        return _word_precision(self.deployed.channel, sizes)

    def bound_poisoning(self, false: int, reports: int) -> PoisoningBound | None:
        """Bound how far false reports move a share; None without a bound."""
        return _bound_poisoning(self.deployed.channel, false, reports, is_randomised=False)

    def estimate(self, counts: ReportCounts, level: float) -> Estimate:
        """Estimate the share of each answer."""
        return estimate(_tally_reports(self.deployed.channel, counts), level=level)

    def learn(self, values: Mapping[Value, int], level: float) -> QuestionEstimate:
        """Estimate from all reports without a test of fit: a plain report is always possible."""
        counts = sent_of(values)
        bound = _bound_false_reports(self, counts)
        return QuestionEstimate(
            estimate=self.estimate(counts, level), fit=GoodnessOfFit(), manipulation=bound
        )


@final
@dataclass(frozen=True, slots=True)
class TextAnalysis(AbstractQuestionAnalysis):
    """Counts of texts: the share of people who write something at all.

    >>> from askance_collect.wire.question import FreeText
    >>> text = prepare_analysis(PlainText(FreeText("more", {}, 500, 4)))
    >>> fit = text.learn({0: 30, None: 70}, 0.95).estimate
    >>> fit.labels, fit.value.tolist()
    (('written', 'left empty'), [0.3, 0.7])
    """

    deployed: PlainText

    def precision(self, _sizes: Sequence[int], /) -> tuple[str, ...]:
        """No half-widths: the spread of texts is unknown."""
        return ()

    def bound_poisoning(self, _false: int, _reports: int, /) -> PoisoningBound | None:
        """No bound: texts are only counted."""
        return None

    def estimate(self, counts: ReportCounts, level: float) -> Estimate:
        """Estimate the share of people who write something."""
        names = "written", "left empty"
        channel = Channel(Frame(names), {name: [name] for name in names}, [[1.0, 0.0], [0.0, 1.0]])
        return estimate(_tally_reports(channel, counts), level=level)

    def learn(self, values: Mapping[Value, int], level: float) -> QuestionEstimate:
        """Count the texts and what was left empty."""
        counts: ReportCounts = {
            TEXT_GIVEN: sum(sent_of(values).values()),
            _EMPTY: values.get(None, 0),
        }
        return QuestionEstimate(
            estimate=self.estimate(counts, level), fit=GoodnessOfFit(), manipulation=None
        )


@final
@dataclass(frozen=True, slots=True)
class ProtectedAnswersAnalysis(AbstractQuestionAnalysis):
    """Estimates of named answers from reports drawn by a table of chances."""

    deployed: ProtectedAnswers

    def precision(self, sizes: Sequence[int]) -> tuple[str, ...]:
        """The half-width of a 95 % interval for each number of reports; of a list, for an item."""
        spoken = 1 - Fraction(*self.deployed.question.blank)
        expected = [expect_sent(n, spoken) for n in sizes]
        channel, shares = self.deployed.channel, self.declared_shares
        if not self.deployed.question.checkbox_count:
            return _word_precision(channel, expected, shares)
        items = list_item_channels(self.deployed.question, channel, shares)
        worst = max(items, key=lambda item: half_width(item[0], 1_000, prevalence=item[1]))
        return _word_precision(worst[0], expected, worst[1])

    def bound_poisoning(self, false: int, reports: int) -> PoisoningBound | None:
        """Bound how far false reports move a share; None without a bound."""
        return _bound_poisoning(self.deployed.channel, false, reports, is_randomised=True)

    def estimate(self, counts: ReportCounts, level: float) -> Estimate:
        """Estimate the share of each answer; groups are weighted by their observed sizes."""
        if self.deployed.question.invited and counts:
            return _estimate_over_groups(_tally_groups(self.deployed.question, counts), level)
        if self.deployed.question.groups and counts:
            return estimate(_tally_groups(self.deployed.question, counts), level=level)
        return estimate(_tally_reports(self.deployed.channel, counts), level=level)

    def learn(self, values: Mapping[Value, int], level: float) -> QuestionEstimate:
        """Estimate from all reports, and test them against the form as one family of tests."""
        counts, total = sent_of(values), sum(values.values())
        numerator, denominator = self.deployed.question.blank
        tally = _tally_reports(self.deployed.channel, counts)
        parts = [tally]
        if self.deployed.question.invited and counts:
            parts = [
                tally
                for tally in _tally_groups(self.deployed.question, counts).tallies.values()
                if tally.total
            ]
        tests = [test for part in parts if counts for test in goodness_of_fit(part).tests]
        if counts and numerator:
            tests.append(blanks_fit(total - sum(counts.values()), total, numerator / denominator))
        estimated, bound = self.estimate(counts, level), _bound_false_reports(self, counts)
        fit = GoodnessOfFit(tests=tuple(tests))
        kept_tally = (
            tally if self.deployed.guarantees and not self.deployed.question.invited else None
        )
        return QuestionEstimate(estimate=estimated, fit=fit, manipulation=bound, tally=kept_tally)


@final
@dataclass(frozen=True, slots=True)
class SetsAnalysis(AbstractQuestionAnalysis):
    """Estimates of shares of sets of answers, from a physical coin or from a list experiment."""

    deployed: DeployedSets | DeployedItemCount

    def precision(self, sizes: Sequence[int]) -> tuple[str, ...]:
        """The half-width of a 95 % interval for each number of reports."""
        chances = self._suppose_chances(self.declared_shares)
        worst = math.sqrt(
            _find_covariance(self._find_weights(chances), chances, chances).diagonal().max()
        )
        return tuple(f"± {100 * _Z * worst / math.sqrt(n):.1f} points" for n in sizes)

    def bound_poisoning(self, false: int, reports: int) -> PoisoningBound:
        """Bound how far false replies move an unbiased share."""
        weights = self._find_weights(self._suppose_chances())
        far = float((weights.max(axis=1) - weights.min(axis=1)).max())
        return PoisoningBound(
            false_reports=false,
            reports=reports,
            max_shift=100 * far * false / reports,
            direct_shift=100 * false / reports,
            unit="points",
            target="an unbiased share",
            is_randomised=True,
            unbiased=True,
        )

    def _suppose_chances(self, shares_of_sets: Floats | None = None) -> Floats:
        """The chance of each reply where sets have these shares; all are as common without them."""
        count = len(self.deployed.question.sets)
        supposed = np.full(count, 1 / count) if shares_of_sets is None else shares_of_sets
        shares = share_answers(self.deployed.question, [Fraction(share) for share in supposed])
        chances: Floats = np.array(shares, dtype=float) @ self.deployed.channel.matrix
        return chances

    def _find_weights(self, noise: Floats) -> Floats:
        """Minimum-variance unbiased weights of the replies for the share of each set.

        Of all c with Σ c_j q_xj = [x is in the set] those with the least Σ c² v, where v is the
        noise of each reply.

        Raises
        ------
        NotIdentified
            If the replies leave the share of a set open.
        """
        sets = self.deployed.question.sets
        targets = np.zeros((len(sets), len(self.deployed.channel.frame)))
        for i, (_, members) in enumerate(sets):
            targets[i, list(members)] = 1.0
        matrix = self.deployed.channel.matrix
        root = np.sqrt(np.where(noise > 0, noise, 1.0))
        weights: Floats = np.linalg.lstsq(matrix / root, targets.T, rcond=1e-12)[0].T / root
        if not np.allclose(matrix @ weights.T, targets.T, atol=1e-6):
            raise NotIdentified("coin.sets", got="a share left open", allowed="sets replies tell")
        return weights

    def estimate(self, counts: ReportCounts, level: float) -> Estimate:
        """Estimate the share of each set by the likelihood of the answers behind replies."""
        tally = _tally_reports(self.deployed.channel, counts)
        labels = tuple(label.name for label, _ in self.deployed.question.sets)
        answers = self.deployed.channel.frame.answers
        if not tally.total:
            return _estimate_without_replies(labels, level, tally)
        sets = {
            label.name: [answers[i] for i in members]
            for label, members in self.deployed.question.sets
        }
        bounds = estimate_sets(tally, sets, level)
        value, n = (bounds.low + bounds.high) / 2, tally.total
        chances = TallyMaximum.of(tally).chance
        smoothed = np.where(tally.counts > 0, tally.counts, n * chances).clip(0.25)
        noise = (n * chances**2 / smoothed).clip(0.25 / n)
        covariance = _find_covariance(self._find_weights(noise), noise, chances) / n
        informative = float(tally.counts[speaking(tally.channel)].sum())
        return Estimate(
            labels=labels,
            value=value,
            covariance=covariance,
            lower=bounds.lower,
            upper=bounds.upper,
            level=level,
            reports=n,
            effective_sample_size=answers_worth(value, covariance, informative),
            estimator=ShareEstimator.LIKELIHOOD_OF_SETS,
            convergence=bounds.convergence,
            goodness_of_fit=goodness_of_fit(tally),
        )

    def learn(self, values: Mapping[Value, int], level: float) -> QuestionEstimate:
        """Estimate from all that came, and test it against the chances of the form."""
        counts = sent_of(values)
        estimate, bound = self.estimate(counts, level), _bound_false_reports(self, counts)
        difference = None
        if isinstance(self.deployed, DeployedItemCount):
            difference = _compare_means(self.deployed.question, counts, level)
        return QuestionEstimate(
            estimate=estimate,
            fit=estimate.goodness_of_fit,
            manipulation=bound,
            difference_in_means=difference,
        )


@final
@dataclass(frozen=True, slots=True)
class PlainNumberAnalysis(AbstractQuestionAnalysis):
    """Estimates of a number that was asked plainly."""

    deployed: PlainNumber

    def precision(self, _sizes: Sequence[int], /) -> tuple[str, ...]:
        """No half-widths: the spread of the numbers is unknown beforehand."""
        return ()

    def bound_poisoning(self, false: int, reports: int) -> PoisoningBound:
        """Bound how far false reports move the mean."""
        far = _measure_length(self.deployed.question.line) * false / reports
        return _write_mean_bound(
            self.deployed.question, false, reports, max_shift=far, direct_shift=far
        )

    def estimate(self, counts: ReportCounts, level: float) -> LineEstimate:
        """Estimate the distribution, and its mean."""
        question = self.deployed.question
        ticks = {value: n for value, n in counts.items() if type(value) is int}
        from askance.inference.line.plain_number import estimate_plain

        return estimate_plain(
            question.line, ticks, level=level, unit=in_first_language(question.unit)
        )

    def learn(self, values: Mapping[Value, int], level: float) -> QuestionEstimate:
        """Estimate from all reports without a test of fit: a plain report is always possible."""
        counts = sent_of(values)
        estimate, bound = self.estimate(counts, level), _bound_false_reports(self, counts)
        return QuestionEstimate(
            estimate=estimate,
            fit=GoodnessOfFit(),
            manipulation=bound,
            left_open=describe_unidentified(estimate),
        )


@final
@dataclass(frozen=True, slots=True)
class RangesAnalysis(AbstractQuestionAnalysis):
    """Estimates of a number from random ranges that hold it."""

    deployed: ProtectedNumber
    law: "AbstractRangeLawAnalysis"

    def precision(self, sizes: Sequence[int]) -> tuple[str, ...]:
        """The half-width of a 95 % interval of the mean; empty where it is not identified."""
        if not self.law.identifies_mean:
            return ()
        question, share_sent = self.deployed.question, self._share_sent()
        expected = [expect_sent(n, share_sent) for n in sizes]
        widths = half_widths(self.deployed.channel, expected, shares=self._shares())
        return tuple(_describe_width(question, width) for width in widths.tolist())

    def _share_sent(self) -> Fraction:
        """The share of reports that chance does not leave blank, nor a floor withhold."""
        share = 1 - Fraction(*self.deployed.question.blank)
        if self.deployed.question.withhold:
            inclusion = self.deployed.channel.inclusion_probability()
            share *= Fraction(float(np.average(inclusion, weights=self._shares())))
        return share

    def _shares(self) -> Floats | None:
        """The share of people in each step, as is declared or else supposed."""
        declared = self.declared_shares
        return self.deployed.shares if declared is None else declared

    def bound_poisoning(self, false: int, reports: int) -> PoisoningBound | None:
        """Bound how far false reports move the mean; None without a bound.

        The mean of ranges of several cuts, of rings and of what is withheld is bounded for people
        as the form supposes them.
        """
        even = np.ones(self.deployed.question.line.ticks)
        shares = even if self.deployed.shares is None else self.deployed.shares
        people = (
            self.deployed.assumed_population
            + ", with every step taken" * self.deployed.question.progressive
        )
        return _bound_mean(self, false, reports, shares, people)

    @property
    def mean_warning(self) -> str:
        """A warning that the reports do not identify the mean, or an empty text."""
        if self.law.identifies_mean:
            return ""
        return (
            f"{self.deployed.question.name}: no number of reports identifies the mean: ranges of "
            "this law do not distinguish some pieces of the line."
        )

    def estimate(self, counts: ReportCounts, level: float) -> LineEstimate:
        """Estimate the distribution from ranges; the full line carries no information.

        The estimate is empty where narrow ranges are withheld and the others identify no share.
        """
        from askance.inference.line.estimate_line import estimate_cells

        question = self.deployed.question
        cells = collect_ranges(question, counts)
        try:
            return estimate_cells(
                self.deployed.channel, cells, level, stopping=question.progressive
            )
        except NotIdentified:
            line, n = self.deployed.channel.line, int(cells.counts.sum())
            numbers = tick_numbers(self.deployed.channel)
            return empty_estimate(numbers, level, line.unit, n, integer=line.integer)

    def learn(self, values: Mapping[Value, int], level: float) -> QuestionEstimate:
        """Estimate from all reports, and test them against the form as one family of tests."""
        counts, total = sent_of(values), sum(values.values())
        numerator, denominator = self.deployed.question.blank
        tests = list(self.law.fit(counts)) if counts else []
        if counts and numerator:
            tests.append(blanks_fit(total - sum(counts.values()), total, numerator / denominator))
        estimate = self.estimate(counts, level)
        return QuestionEstimate(
            estimate=estimate,
            fit=GoodnessOfFit(tests=tuple(tests)),
            manipulation=_bound_false_ranges(self, counts, estimate) if counts else None,
            left_open=self.law.left_open(estimate),
        )


class AbstractRangeLawAnalysis(ABC):
    """Identification, tests and bounds of ranges drawn by one law."""

    __slots__ = ()

    @property
    @abstractmethod
    def identifies_mean(self) -> bool:
        """Whether the reports identify the mean: the distribution at every possible cut."""

    @abstractmethod
    def bound_mean_shift(self, false: int, reports: int, /) -> float | None:
        """Bound how far false reports move the mean, for anybody's answers; None if not bounded."""

    @abstractmethod
    def fit(self, counts: ReportCounts) -> tuple[FitTest, ...]:
        """Test that the ranges were drawn by this law."""

    @abstractmethod
    def left_open(self, estimate: LineEstimate) -> tuple[str, ...]:
        """Name the part of a distribution that is not identified, and the assumption made there."""


@final
@dataclass(frozen=True, slots=True)
class _CutsAnalysis(AbstractRangeLawAnalysis):
    """Ranges of independent cuts."""

    law: CutsLaw

    @property
    def identifies_mean(self) -> bool:
        return self.law.channel.reports_every_cell or identified(self.law.channel)

    def bound_mean_shift(self, false: int, reports: int) -> float | None:
        """One cut that is always drawn and sent bounds it."""
        channel = self.law.channel
        if channel.number > 1 or not channel.reports_every_answer or channel.floor is not None:
            return None
        return mean_manipulation(channel, false, reports)

    def fit(self, counts: ReportCounts) -> tuple[FitTest, ...]:
        test = stopped_fit if self.law.question.progressive else range_fit
        return test(self.law.channel, list(counts), list(counts.values()))

    def left_open(self, estimate: LineEstimate) -> tuple[str, ...]:
        stopped = (_STOPPED,) * self.law.question.progressive
        return (
            *describe_unidentified(estimate),
            *stopped,
            *(_WITHHELD,) * self.law.question.withhold,
        )


@final
@dataclass(frozen=True, slots=True)
class _RingAnalysis(AbstractRangeLawAnalysis):
    """Insides and outsides of one pair of cuts."""

    law: RingLaw

    @property
    def identifies_mean(self) -> bool:
        return identified(self.law.channel)

    def bound_mean_shift(self, _false: int, _reports: int, /) -> float | None:
        """No bound: it depends on the answers of the others."""
        return None

    def fit(self, counts: ReportCounts) -> tuple[FitTest, ...]:
        return range_fit(self.law.channel, list(counts), list(counts.values()))

    def left_open(self, estimate: LineEstimate) -> tuple[str, ...]:
        sentences = describe_unidentified(estimate)
        if not sentences and estimate.convergence is Convergence.PARTLY_IDENTIFIED:
            sentences = (_ENDS,)
        return (*sentences, *(_BAND,) * bool(estimate.reports))


@overload
def prepare_analysis(
    deployed: PlainNumber | ProtectedNumber,
) -> PlainNumberAnalysis | RangesAnalysis: ...
@overload
def prepare_analysis(deployed: DeployedQuestion) -> AbstractQuestionAnalysis: ...
@checked
def prepare_analysis(deployed: DeployedQuestion) -> AbstractQuestionAnalysis:
    """Prepare the analysis of a deployed question of any kind.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> affair = prepare_analysis(ak.survey.deployed(form.question("affair")))
    >>> affair.precision([1_000])
    ('± 5.2 points',)
    >>> bound: ak.analysis.PoisoningBound = affair.bound_poisoning(10, 1_000)
    >>> round(bound.max_shift, 2)
    1.71
    >>> learnt: ak.analysis.QuestionEstimate = affair.learn({0: 30, 1: 50, 2: 20}, 0.95)
    >>> learnt.fit.doubted
    False
    """
    match deployed:
        case PlainAnswers():
            return PlainAnswersAnalysis(deployed)
        case PlainText():
            return TextAnalysis(deployed)
        case ProtectedAnswers():
            return ProtectedAnswersAnalysis(deployed)
        case DeployedSets() | DeployedItemCount():
            return SetsAnalysis(deployed)
        case PlainNumber():
            return PlainNumberAnalysis(deployed)
        case ProtectedNumber():
            law = deployed.law
            ranges = _CutsAnalysis(law) if isinstance(law, CutsLaw) else _RingAnalysis(law)
            return RangesAnalysis(deployed, ranges)
        case _:
            assert_never(deployed)


_EMPTY = 1
"""The report that counts a text left empty, beside `TEXT_GIVEN`."""


def tally_items(channel: Channel, items: Sequence[int], counts: ReportCounts) -> Tally | None:
    """Tally the reports of a whole list through the marginal channel of some items.

    None where no channel leads from these items to reports, or it does not tell them apart. The
    last answer of the tally's frame is that all of these items are ticked.

    >>> from askance.mechanisms import KAry
    >>> from askance.channels import Frame
    >>> sets = Frame(["none", "a", "b", "a + b"])
    >>> tally_items(KAry(truth="2/5").channel(sets), [0], {0: 3, 1: 2, 3: 4}).counts.tolist()
    [3, 6]
    """
    view = project_channel(channel, items)
    if view is None or not has_independent_rows(view[0]):
        return None
    own, which = view
    counted = dict.fromkeys(own.reports, 0)
    for value, count in counts.items():
        if type(value) is int:
            counted[own.reports[which[value]]] += count
    return Tally(own, counted)


def sum_shares_with(
    question: TableQuestion, items: Sequence[int], shares: Mapping[str, float]
) -> float:
    """Add up the shares of all answers to a list in which these items are ticked."""
    bits = sum(1 << item for item in items)
    names = enumerate(answer.name for answer in question.answers)
    return sum(shares.get(name, 0.0) for answer, name in names if answer & bits == bits)


def _tally_reports(channel: Channel, counts: ReportCounts) -> Tally:
    named = {channel.reports[value]: n for value, n in counts.items() if type(value) is int}
    return Tally(channel, named)


def _bound_false_reports(
    analysis: AbstractQuestionAnalysis, counts: ReportCounts
) -> PoisoningBound | None:
    """Bound the effect of one false report in a hundred; None without reports."""
    n = sum(counts.values())
    return analysis.bound_poisoning(_count_fabricated(n), n) if n else None


def _count_fabricated(reports: int) -> int:
    return max(reports // _REPORTS_PER_FABRICATED_ONE, 1)


def _word_precision(
    channel: Channel, sizes: Sequence[int], shares: Floats | None = None
) -> tuple[str, ...]:
    widths = (half_width(channel, n, prevalence=shares) for n in sizes)
    return tuple(f"± {100 * width:.1f} points" for width in widths)


def _bound_poisoning(
    channel: Channel, false: int, reports: int, *, is_randomised: bool
) -> PoisoningBound | None:
    try:
        bound = manipulation(channel, false, reports)
    except NotIdentified:
        return None
    return PoisoningBound(
        false_reports=false,
        reports=reports,
        max_shift=100 * float(bound.clipped.max()),
        direct_shift=100 * false / reports,
        unit="points",
        target="this" if bound.linear else "an unbiased share",
        is_randomised=is_randomised,
        unbiased=not bound.linear,
    )


def _tally_groups(question: TableQuestion, counts: ReportCounts) -> GroupedTally:
    """Count the reports of each group by themselves."""
    tallies, first = {}, 0
    for group, own in zip(question.groups, question.group_questions, strict=True):
        group_counts: ReportCounts = {i: counts.get(first + i, 0) for i in range(group.reports)}
        tallies[group.name] = _tally_reports(table_channel(own), group_counts)
        first += group.reports
    return GroupedTally(tallies)


def _estimate_over_groups(groups: GroupedTally, level: float) -> Estimate:
    r"""Estimate everybody's shares as weighted means of the groups' own estimates.

    .. math:: \hat\pi = \sum_g w_g \hat\pi_g, \qquad
        \hat\pi - \sqrt{\sum_g w_g^2 (\hat\pi_g - l_g)^2},
        \qquad w_g = n_g / n

    with the lower end l of each group's interval, and the upper end alike. Groups that were not
    drawn by chance may differ, so that nothing is taken to be the same in them.

    References
    ----------
    Zou, Huang & Zhang (2009), on linear functions of proportions.
    """
    tallies = [tally for tally in groups.tallies.values() if tally.total]
    estimates = [estimate(tally, level=level) for tally in tallies]
    parts = np.array([tally.total for tally in tallies]) / sum(tally.total for tally in tallies)
    values, lower, upper = (
        np.array([getattr(group, end) for group in estimates])
        for end in ("value", "lower", "upper")
    )
    value = parts @ values
    below, above = (np.sqrt(parts**2 @ (values - end) ** 2) for end in (lower, upper))
    covariance = np.einsum(
        "g,gij->ij", parts**2, np.array([group.covariance for group in estimates])
    )
    reports = sum(group.reports for group in estimates)
    return replace(
        estimates[0],
        value=value,
        covariance=covariance,
        lower=np.clip(value - below, 0, 1),
        upper=np.clip(value + above, 0, 1),
        reports=reports,
        effective_sample_size=answers_worth(value, covariance, reports),
        estimator=ShareEstimator.BY_GROUP,
        convergence=max((group.convergence for group in estimates), key=list(Convergence).index),
        gap=max(group.gap for group in estimates),
    )


def _estimate_without_replies(labels: tuple[str, ...], level: float, tally: Tally) -> Estimate:
    """Make the estimate of shares without any reply: undefined values, intervals from 0 to 1."""
    count = len(labels)
    nothing = np.full(count, math.nan)
    return Estimate(
        labels=labels,
        value=nothing,
        covariance=np.full((count, count), math.nan),
        lower=np.zeros(count),
        upper=np.ones(count),
        level=level,
        reports=0,
        effective_sample_size=nothing,
        estimator=ShareEstimator.NONE,
        convergence=Convergence.NO_REPORTS,
        goodness_of_fit=goodness_of_fit(tally),
    )


def _compare_means(question: TableQuestion, counts: ReportCounts, level: float) -> "Margins | None":
    r"""Estimate the share of a sensitive item by the difference in means between groups.

    .. math:: \hat\pi = \bar y_1 - \bar y_0, \qquad \hat V = s_1^2 / n_1 + s_0^2 / n_0

    None where a group has fewer than two people.

    References
    ----------
    Miller (1984); Blair & Imai (2012), equation 1.
    """
    from askance.inference.regression.coefficients import share_margins

    tallies = _tally_groups(question, counts).tallies.values()
    if min(tally.total for tally in tallies) < 2:
        return None
    means, variances = [], []
    for tally in tallies:
        numbers, n = np.arange(len(tally.counts)), tally.total
        mean = float(numbers @ tally.counts) / n
        means.append(mean)
        variances.append(float((numbers - mean) ** 2 @ tally.counts) / (n - 1) / n)
    value, covariance = np.array([means[1] - means[0]]), np.array([[sum(variances)]])
    (holds, _), *_ = question.sets
    return share_margins("difference in means", (holds.name,), value, covariance, level)


_Z = 1.959963984540054


def _find_covariance(weights: Floats, noise: Floats, chances: Floats) -> Floats:
    """The covariance matrix of the weights of one reply."""
    means = weights @ chances
    assumed_population: Floats = (weights * noise) @ weights.T - np.outer(means, means)
    return assumed_population


def _write_mean_bound(
    question: Number | RangeQuestion, false: int, reports: int, **shifts: Any
) -> PoisoningBound:
    return PoisoningBound(
        false_reports=false,
        reports=reports,
        unit=in_first_language(question.unit),
        target="the mean",
        is_randomised=not isinstance(question, Number),
        **shifts,
    )


def _bound_mean(
    analysis: RangesAnalysis,
    false: int,
    reports: int,
    shares: Floats,
    people: str,
    law: Law | None = None,
) -> PoisoningBound | None:
    """Bound the shift of the mean for any population, or else for the assumed one."""
    question, channel = analysis.deployed.question, analysis.deployed.channel
    sure = analysis.law.bound_mean_shift(false, reports)
    if sure is not None:
        plainly = _measure_length(question.line) * false / reports
        return _write_mean_bound(question, false, reports, max_shift=sure, direct_shift=plainly)
    if false >= reports or channel.line.ticks > MOST_TICKS:
        return None
    try:
        bound = bound_manipulation(channel, shares, false, reports, (), law)
    except NotIdentified:
        return None
    shifts = {"max_shift": bound.mean, "direct_shift": bound.direct}
    how = {"population": people, "is_approximate": bound.is_approximate}
    return _write_mean_bound(question, false, reports, **shifts, **how)


def _bound_false_ranges(
    analysis: RangesAnalysis, counts: ReportCounts, estimate: LineEstimate
) -> PoisoningBound | None:
    """Bound the effect of one false report in a hundred, for the estimated population.

    Where people could stop at any step, the law is that of the ranges that they stopped at.
    """
    if not estimate.reports:
        return _bound_false_reports(analysis, counts)
    n, law = estimate.reports, None
    if analysis.deployed.question.progressive:
        cells = collect_ranges(analysis.deployed.question, counts)
        law = stopped_law(analysis.deployed.channel, cells.cells, cells.counts)
    people = "if people are as estimated"
    return _bound_mean(analysis, _count_fabricated(n), n, np.diff(estimate.cdf), people, law)


def _measure_length(line: Line) -> float:
    return float(line.upper - line.lower)


def _describe_width(question: RangeQuestion, width: float) -> str:
    """Describe a half-width to two digits, or whole from 10 on, with the unit in its plural."""
    digits = 0 if width >= 10 else max(0, 1 - math.floor(math.log10(width))) if width > 0 else 1
    rounded = round(Fraction(width), digits)
    text = f"{width:,.0f}" if width >= 10 else f"{width:.2g}"
    return describe_number(question, rounded, f"± {text} {{}}".format)


_ENDS = (
    "Rings do not distinguish the two ends of the line: only the sum of their shares is identified."
)

_BAND = (
    "The band around the curve treats each step separately, so it is wide where steps are fine for "
    "so few reports. The intervals of the quantiles also use the fact that no share is below 0."
)

_STOPPED = (
    "People could stop before their range was narrow. If stopping depended on more of the answer "
    "than the range shows, the estimate has a bias that nobody can know."
)

_WITHHELD = (
    "Narrow ranges were withheld. The estimate corrects for this by the form's law; it cannot "
    f"correct for people who declined. {_BAND}"
)


def describe_unidentified(estimate: LineEstimate) -> tuple[str, ...]:
    """Describe the intervals inside which the distribution is not identified."""
    if not estimate.unresolved:
        return ()
    pieces = [f"{low + estimate.integer:,g} to {high:,g}" for low, high in estimate.unresolved]
    places = name_unit(", ".join(pieces), estimate.unit)
    return (f"Nothing is learnt inside {places}: no report divides it.",)


def collect_ranges(question: RangeQuestion, counts: ReportCounts) -> Reported:
    """Collect the reported ranges, without the full line of people who took no step."""
    whole_line = (0, question.line.ticks)
    cells = [value for value in counts if isinstance(value, tuple) and value != whole_line]
    frequencies = np.array([counts[cell] for cell in cells], dtype=float)
    return Reported(cells=np.array(cells, dtype=np.int64).reshape(-1, 2), counts=frequencies)
