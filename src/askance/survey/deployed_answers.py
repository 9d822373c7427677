"""Questions with named answers as deployed: asked plainly, or through a table of chances."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, TypeGuard, final

import numpy as np

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.channels.grouped_tally import GroupedTally
from askance.channels.tally import Tally
from askance.design.precision import half_width
from askance.errors import AskanceError, NotIdentified
from askance.exact.ratio import cautious, percent
from askance.inference.climb import Convergence
from askance.inference.fit_result import GoodnessOfFit
from askance.inference.frequency_tests import blanks_fit
from askance.inference.goodness_of_fit import goodness_of_fit
from askance.inference.shares.estimate import estimate
from askance.inference.shares.information import Estimate, ShareEstimator, answers_worth
from askance.inference.shares.manipulation import manipulation
from askance.mechanisms.catalogue import answer_mechanism
from askance.mechanisms.randomised_response import AbstractMechanism
from askance.privacy.coverage import CoverageLaw
from askance.privacy.guarantee import EVENLY, Guarantee, Notion
from askance.results import is_missing
from askance.survey.deployable import deployable, find_guarantees, find_losses, table_channel
from askance.survey.deployed import (
    COIN,
    FALSE,
    LEARNT,
    SENT_AS_GIVEN,
    UNPROTECTED,
    AbstractDeployed,
    PoisoningBound,
    QuestionEstimate,
    ReportPreview,
    Way,
    correct_rounding,
    describe_blanks,
    describe_coverage,
    describe_row,
    expect_sent,
    find_narrowest,
    find_typical,
    write_blank_sentence,
)
from askance.survey.ticked import describe_losses, find_tick_loss, project_channel
from askance.typing import Integers
from askance.wire.answer_question import Choice, TableQuestion
from askance.wire.label import Label, in_first_language
from askance.wire.proof import can_prove
from askance.wire.question import ReportCounts, Value, sent_of
from askance.wire.text_question import TEXT_GIVEN, FreeText

_FEW = 3
_WORDS = (
    "At most {} characters, word for word: what people write can name them. An estimate counts "
    "texts; an export has them in a file of their own, in an order of their own."
)
_INVITED = "An invitation may put its reader into group “{}”; chance does where it names no group."
_INVITATION_NOTE = (
    "What is sent says the group, and whoever wrote the invitations knows whose it may be: make "
    "each group large. Groups may differ, so each is estimated by itself."
)
_BARE = "Every report tells the answer: this question is not protected."


@final
@dataclass(frozen=True, slots=True)
class PlainAnswers(AbstractDeployed):
    """Named answers, asked plainly: the report is the answer.

    >>> from askance.exact.ratio import Table
    >>> from askance.wire.label import Label
    >>> from askance.wire.answer_question import Choice
    >>> plain = plain_answers(Choice("q", {}, (Label("a", {}), Label("b", {}))))
    >>> plain.channel.matrix.tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    >>> plain.bound_poisoning(100, 1_000).sentence
    '100 false reports among 1,000 can move this by at most 10.0 points.'
    """

    question: Choice
    channel: Channel
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

    def precision(self, sizes: Sequence[int]) -> tuple[str, ...]:
        """The half-width of a 95 % interval for each number of reports."""
        return _word_precision(self.channel, sizes)

    def bound_poisoning(self, false: int, reports: int) -> PoisoningBound | None:
        """Bound how far false reports move a share; None without a bound."""
        return _bound_poisoning(self.channel, false, reports, by_chance=False)

    def estimate(self, counts: ReportCounts, level: float) -> Estimate:
        """Estimate the share of each answer."""
        return estimate(_tally_reports(self.channel, counts), level=level)

    def learn(self, values: Mapping[Value, int], level: float) -> QuestionEstimate:
        """Estimate from all that came; whatever is sent can have been answered."""
        counts = sent_of(values)
        bound = _bound_false_reports(self, counts)
        return QuestionEstimate(
            estimate=self.estimate(counts, level), fit=GoodnessOfFit(), manipulation=bound
        )

    @property
    def wording(self) -> Mapping[str, str]:
        """The wording of each answer by its name."""
        return {answer.name: in_first_language(answer.wording) for answer in self.question.answers}

    def column(self, values: Sequence[Value]) -> list[Any] | None:
        """Name the answers that were sent."""
        return _name_values(self.question.answers, values)


@final
@dataclass(frozen=True, slots=True)
class PlainText(AbstractDeployed):
    """A free-text question: texts are counted here, and read in the export.

    What is estimated is the share of people who write something at all.

    >>> text = PlainText(FreeText("more", {}, 500, 4))
    >>> fit = text.learn({0: 30, None: 70}, 0.95).estimate
    >>> fit.labels, fit.value.tolist()
    (('written', 'left empty'), [0.3, 0.7])
    """

    question: FreeText
    guarantees: tuple[Guarantee, ...] = ()
    way: ClassVar[Way] = Way.PLAINLY
    spread: ClassVar[str] = EVENLY
    by_answer: ClassVar[bool] = False
    blank_warning: ClassVar[str] = ""
    mean_warning: ClassVar[str] = ""
    rounding_note: ClassVar[str] = ""

    def sentences(self) -> tuple[str, ...]:
        """Say what is sent, and where it is read."""
        return (SENT_AS_GIVEN, _WORDS.format(f"{self.question.limit:,}"))

    def preview(self) -> ReportPreview | None:
        """Nothing: reports are the answers."""
        return None

    def protection(self) -> str:
        """State that a report is not protected."""
        return UNPROTECTED

    def precision(self, sizes: Sequence[int]) -> tuple[str, ...]:  # noqa: ARG002  the interface has it
        """Nothing: free texts have no precision."""
        return ()

    def bound_poisoning(self, false: int, reports: int) -> PoisoningBound | None:  # noqa: ARG002  the interface has it
        """Nothing: no figure is made of texts."""
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

    @property
    def wording(self) -> Mapping[str, str]:
        """No answer has a name."""
        return {}

    def column(self, values: Sequence[Value]) -> list[Any] | None:  # noqa: ARG002  the interface has it
        """Nothing: texts are never joined to other answers."""
        return None


_EMPTY = 1


def plain_answers(question: Choice) -> PlainAnswers:
    """Deploy a question that is asked plainly."""
    names = [answer.name for answer in question.answers]
    identity = [[float(x == y) for y in names] for x in names]
    return PlainAnswers(question, Channel(Frame(names), {name: [name] for name in names}, identity))


@final
@dataclass(frozen=True, slots=True)
class ProtectedAnswers(AbstractDeployed):
    """Named answers, asked through a table of chances: the report is a column drawn by them.

    Attributes
    ----------
    channel : Channel
        What the form's table says.
    recipe : Channel or None
        The channel before it was rounded to the table, where that is known.
    coin : str
        Whose coin draws the report, where that is one in the world; empty where the device draws.
    """

    question: TableQuestion
    channel: Channel
    guarantees: tuple[Guarantee, ...]
    recipe: Channel | None = None
    coin: str = ""
    spread: ClassVar[str] = EVENLY
    blank_warning: ClassVar[str] = ""
    mean_warning: ClassVar[str] = ""

    @property
    def by_answer(self) -> bool:
        """Whether pages may show only the first sentences: not for groups, which differ."""
        return not self.question.groups

    @property
    def way(self) -> Way:
        """How an answer becomes what is sent."""
        if not is_protected(self.question):
            return Way.BARE
        if can_prove(self.question):
            return Way.PROVING
        return Way.BROAD if is_always_true(self.question) else Way.PERHAPS_FALSE

    def sentences(self) -> tuple[str, ...]:
        """Say what is sent, in counts of 100 people."""
        question = self.question
        if self.coin:
            return COIN.format(self.coin), *_describe_table(question)
        if question.ticks:
            return *_describe_table(question), *self._describe_ticks()
        if not question.groups:
            return _describe_table(question)
        parts = list(zip(question.groups, question.by_group, strict=True))
        assignments = [
            _INVITED.format(group.name)
            if question.invited
            else f"Chance puts {_count_in_group(own, question)} of 100 people into group "
            f"“{group.name}”."
            for group, own in parts
        ]
        sentences = [
            sentence
            for i, (_, own) in enumerate(parts)
            for sentence in (assignments[i], *_describe_table(own))
        ]
        return *sentences, *([_INVITATION_NOTE] if question.invited else [])

    def _describe_ticks(self) -> tuple[str, ...]:
        """Describe the privacy loss of one tick and that of the whole list."""
        ratios = [
            guarantee.value for guarantee in self.guarantees if guarantee.notion is Notion.LOCAL
        ]
        ticks, tick_ratio = self.question.ticks, find_tick_loss(self.question)
        return tuple(
            describe_losses(ticks, tick_ratio, list_ratio, together=True) for list_ratio in ratios
        )

    def preview(self) -> ReportPreview | None:
        """Say what a report will look like; None where reports may lie, or are the answers."""
        if not any(guarantee.notion is Notion.COVERAGE for guarantee in self.guarantees):
            return None
        return _preview_sets(self)

    def protection(self) -> str:
        """Say in a sentence how well one report is protected."""
        by_notion = {guarantee.notion: guarantee for guarantee in self.guarantees}
        if not by_notion:
            return UNPROTECTED
        if Notion.COVERAGE in by_notion:
            return describe_coverage(self.guarantees, proves=can_prove(self.question))
        if not math.isinf(by_notion[Notion.LOCAL].value):
            return by_notion[Notion.LOCAL].promise
        right = cautious((1 + Fraction(by_notion[Notion.ADVANTAGE].value)) / 2, math.ceil)
        return f"Some report rules an answer out; of two, {right} of 100 guesses are right at most."

    def precision(self, sizes: Sequence[int]) -> tuple[str, ...]:
        """The half-width of a 95 % interval for each number of reports; of a list, for an item."""
        spoken = 1 - Fraction(*self.question.blank)
        expected = [expect_sent(n, spoken) for n in sizes]
        if not self.question.ticks:
            return _word_precision(self.channel, expected)
        least_told = max(self.item_channels, key=lambda channel: half_width(channel, 1_000))
        return _word_precision(least_told, expected)

    @property
    def item_channels(self) -> tuple[Channel, ...]:
        """The channel from each item of a list to the report of the whole list."""
        views = (project_channel(self.channel, [item]) for item in range(self.question.ticks))
        return tuple(view[0] for view in views if view is not None)

    def bound_poisoning(self, false: int, reports: int) -> PoisoningBound | None:
        """Bound how far false reports move a share; None without a bound."""
        return _bound_poisoning(self.channel, false, reports, by_chance=True)

    @property
    def rounding_note(self) -> str:
        """A note that chances were rounded when the question was deployed; empty if not."""
        if not (change := self.rounding()):
            return ""
        return (
            f"{self.question.name}: its chances are rounded to {self.question.table.total:,} whole "
            f"parts, which one draw holds. None changed by more than {float(change):.1e}; the "
            "guarantees are those of what is drawn."
        )

    def rounding(self) -> Fraction | None:
        """The most that deploying changed a chance; None if the table is the recipe's."""
        if self.question.groups:
            parts = map(protected_answers, self.question.by_group)
            return max(filter(None, (part.rounding() for part in parts)), default=None)
        exact = self.recipe or _rebuild_recipe(self.question)
        if exact is None or exact.table is None or exact.reports != self.channel.reports:
            return None
        changes = [
            abs(chance - rounded)
            for i in range(len(exact.frame))
            for chance, rounded in zip(exact.table.row(i), self.question.table.row(i), strict=True)
        ]
        return max(changes) or None

    def estimate(self, counts: ReportCounts, level: float) -> Estimate:
        """Estimate the share of each answer; groups are weighted by their observed sizes."""
        if self.question.invited and counts:
            return _estimate_over_groups(_tally_groups(self.question, counts), level)
        if self.question.groups and counts:
            return estimate(_tally_groups(self.question, counts), level=level)
        return estimate(_tally_reports(self.channel, counts), level=level)

    def learn(self, values: Mapping[Value, int], level: float) -> QuestionEstimate:
        """Estimate from all reports, and test them against the form as one family of tests."""
        counts, total = sent_of(values), sum(values.values())
        numerator, denominator = self.question.blank
        tally = _tally_reports(self.channel, counts)
        parts = [tally]
        if self.question.invited and counts:
            parts = [
                tally
                for tally in _tally_groups(self.question, counts).tallies.values()
                if tally.total
            ]
        tests = [test for part in parts if counts for test in goodness_of_fit(part).tests]
        if counts and numerator:
            tests.append(blanks_fit(total - sum(counts.values()), total, numerator / denominator))
        estimated, bound = self.estimate(counts, level), _bound_false_reports(self, counts)
        fit = GoodnessOfFit(tests=tuple(tests))
        kept_tally = tally if self.guarantees and not self.question.invited else None
        return QuestionEstimate(estimate=estimated, fit=fit, manipulation=bound, tally=kept_tally)

    @property
    def wording(self) -> Mapping[str, str]:
        """The wording of each answer by its name."""
        return {answer.name: in_first_language(answer.wording) for answer in self.question.answers}

    def column(self, values: Sequence[Value]) -> list[Any] | None:
        """Name the reports that were sent."""
        return _name_values(self.question.reports, values)


def protected_answers(
    question: TableQuestion,
    written: object = None,
    recipe: Channel | None = None,
    *,
    coin: str = "",
) -> ProtectedAnswers:
    """Deploy a question that is asked through a table of chances, and judge it.

    Parameters
    ----------
    question : TableQuestion
    written : Channel, optional
        The channel that was just written into the form; if it is not what the form says, it is
        built from the form's table.
    recipe : Channel, optional
        The channel before it was rounded.
    coin : str
        Whose coin draws the report, where that is one in the world.

    >>> from askance.exact.ratio import Table
    >>> from askance.wire.label import Label
    >>> labels = Label("yes", {}), Label("no", {})
    >>> about = {"mechanism": {"name": "warner", "truth": "2/3"}}
    >>> rounded = Table(10, ((6, 4), (4, 6)))
    >>> question = TableQuestion("q", {}, labels, labels, ((0,), (1,)), rounded, (0, 1), about)
    >>> protected_answers(question).rounding()
    Fraction(1, 15)
    """
    channel: Channel = written if _is_stated(written, question) else table_channel(question)
    judged: tuple[Guarantee, ...] = ()
    if is_protected(question):
        judged = _take_weakest(question) if question.groups else find_guarantees(channel)
    return ProtectedAnswers(question, channel, judged, recipe, coin)


def is_protected(question: TableQuestion) -> bool:
    """Whether some report can come from more than one answer; else it reveals the answer.

    The respondent's page says of any other question that it is not protected.
    """
    columns = zip(*question.table.rows, strict=True)
    return any(sum(units > 0 for units in column) > 1 for column in columns)


def is_always_true(question: TableQuestion) -> bool:
    """Whether every possible report of an answer contains that answer."""
    return all(
        i in means
        for i, row in enumerate(question.table.rows)
        for units, means in zip(row, question.means, strict=True)
        if units
    )


def _is_stated(channel: object, question: TableQuestion) -> TypeGuard[Channel]:
    """Say whether a channel is what the form says, to the last integer."""
    if not isinstance(channel, Channel) or channel.table != question.table:
        return False
    names = tuple(report.name for report in question.reports)
    means = tuple(map(channel.frame.places, channel.meanings))
    answers = tuple(answer.name for answer in question.answers)
    stated = channel.frame.answers, channel.output, channel.reports, means
    return stated == (answers, channel.frame, names, tuple(map(tuple, question.means)))


def reports_by_group(
    question: ProtectedAnswers, reports: Sequence[Any]
) -> tuple[dict[str, Channel], list[Any], Integers]:
    """Split reports by group: each group's channel, each row's report in it, and its group."""
    published, channels, by_report = question.question, dict[str, Channel](), {}
    wide = iter(published.reports)
    for index, (group, own) in enumerate(zip(published.groups, published.by_group, strict=True)):
        channels[group.name] = table_channel(own)
        for report in own.reports:
            by_report[next(wide).name] = index, report.name
    rows = [(0, None) if is_missing(report) else by_report[report] for report in reports]
    return channels, [name for _, name in rows], np.array([index for index, _ in rows])


def recipe_of(question: TableQuestion) -> AbstractMechanism | None:
    """The recipe that a form says its table was made by, if it says so.

    >>> from askance.exact.ratio import Table
    >>> from askance.wire.label import Label
    >>> labels, about = (Label("yes", {}), Label("no", {})), {"mechanism": {"name": "?"}}
    >>> table = Table(4, ((3, 1), (1, 3)))
    >>> question = TableQuestion("q", {}, labels, labels, ((0,), (1,)), table, (0, 1), about)
    >>> recipe_of(question) is None
    True
    """
    about: object = question.about
    recipe = about.get("mechanism") if isinstance(about, Mapping) else None
    if not isinstance(recipe, Mapping) or not all(
        isinstance(text, str) for text in recipe.values()
    ):
        return None
    try:
        parameters = {
            key: json.loads(text) if text[:1] in {"[", "{"} else text
            for key, text in recipe.items()
        }
        return answer_mechanism(parameters.pop("name", ""), parameters, frame_of(question))
    except (AskanceError, ValueError, TypeError):
        return None


def frame_of(question: TableQuestion) -> Frame:
    """The answers of a question.

    >>> from askance.exact.ratio import Table
    >>> from askance.wire.label import Label
    >>> labels = Label("yes", {}), Label("no", {})
    >>> table = Table(4, ((3, 1), (1, 3)))
    >>> frame_of(TableQuestion("q", {}, labels, labels, ((0,), (1,)), table, (0, 1), {})).answers
    ('yes', 'no')
    """
    return Frame(answer.name for answer in question.answers)


def is_made_by(recipe: AbstractMechanism, question: TableQuestion) -> bool:
    """Say whether the table of a form is the one that deploys a recipe.

    >>> from askance.mechanisms import Warner
    >>> from askance.exact.ratio import Table
    >>> from askance.wire.label import Label
    >>> labels = Label("yes", {}), Label("no", {})
    >>> table = Table(4, ((3, 1), (1, 3)))
    >>> question = TableQuestion("q", {}, labels, labels, ((0,), (1,)), table, (0, 1), {})
    >>> is_made_by(Warner(truth="3/4"), question), is_made_by(Warner(truth="4/5"), question)
    (True, False)
    """
    try:
        return _is_stated(deployable(recipe.channel(frame_of(question))), question)
    except AskanceError:
        return False


def _rebuild_recipe(question: TableQuestion) -> Channel | None:
    """Build the channel that a form says its table was rounded from, if it says so."""
    recipe = recipe_of(question)
    try:
        return None if recipe is None else recipe.channel(frame_of(question))
    except AskanceError:
        return None


def _name_values(labels: Sequence[Label], values: Sequence[Value]) -> list[Any]:
    return [labels[value].name if isinstance(value, int) else None for value in values]


def _tally_reports(channel: Channel, counts: ReportCounts) -> Tally:
    named = {channel.reports[value]: n for value, n in counts.items() if type(value) is int}
    return Tally(channel, named)


def _bound_false_reports(
    deployed: PlainAnswers | ProtectedAnswers, counts: ReportCounts
) -> PoisoningBound | None:
    """Bound the effect of one false report in a hundred; None without reports."""
    n = sum(counts.values())
    return deployed.bound_poisoning(max(n // FALSE, 1), n) if n else None


def _word_precision(channel: Channel, sizes: Sequence[int]) -> tuple[str, ...]:
    return tuple(f"± {100 * half_width(channel, n):.1f} points" for n in sizes)


def _bound_poisoning(
    channel: Channel, false: int, reports: int, *, by_chance: bool
) -> PoisoningBound | None:
    try:
        bound = manipulation(channel, false, reports)
    except NotIdentified:
        return None
    return PoisoningBound(
        false=false,
        reports=reports,
        at_most=100 * float(bound.cut.max()),
        plain=100 * false / reports,
        unit="points",
        target="this" if bound.linear else "an unbiased share",
        by_chance=by_chance,
        unbiased=not bound.linear,
    )


def _preview_sets(deployed: ProtectedAnswers) -> ReportPreview:
    """Preview reports that are sets containing the answer, at a uniform distribution."""
    question, channel = deployed.question, deployed.channel
    k = len(channel.frame)
    chances = channel.matrix.mean(axis=0)
    coverages = np.array([meant.bit_count() / k for meant in channel.meanings])
    possible = np.flatnonzero(chances > 0)
    names = [f"“{in_first_language(report.wording)}”" for report in question.reports]
    worst, typical = find_narrowest(coverages, possible), find_typical(coverages, chances)
    stretches = [
        tuple((x / k, (x + 1) / k) for x in range(k) if meant >> x & 1)
        for meant in channel.meanings
    ]
    return ReportPreview(
        spread=EVENLY,
        typical=names[typical],
        worst=names[worst],
        worst_share=cautious(correct_rounding(float(coverages[worst])), int),
        law=CoverageLaw(values=coverages, chances=chances, n=0.0),
        learnt=(LEARNT,),
        typical_held=stretches[typical],
        worst_held=stretches[worst],
        ends=(
            in_first_language(question.answers[0].wording),
            in_first_language(question.answers[-1].wording),
        ),
    )


def _describe_table(question: TableQuestion) -> tuple[str, ...]:
    """Describe the reports of one table."""
    if not is_protected(question):
        sentence = SENT_AS_GIVEN if is_always_true(question) else _BARE
        return (sentence, *write_blank_sentence(Fraction(*question.blank)))
    rows = range(len(question.answers))
    return (
        _describe_sets(question)
        or _describe_symmetric(question)
        or tuple(describe_row(question, i) for i in rows)
    )


def _count_in_group(group: TableQuestion, question: TableQuestion) -> str:
    """How many of 100 people chance puts into a group."""
    return percent(Fraction(group.table.total, question.table.total))


def _describe_sets(question: TableQuestion) -> tuple[str, ...]:
    """Describe reports that are always true sets of answers in one sentence."""
    rows = question.table.rows
    answer_counts = [sum(units > 0 for units in column) for column in zip(*rows, strict=True)]
    if not is_always_true(question) or max(sum(units > 0 for units in row) for row in rows) <= _FEW:
        return ()
    alone = [
        sum(units for units, means in zip(row, question.means, strict=True) if len(means) == 1)
        for row in rows
    ]
    spoken = 1 - Fraction(*question.blank)
    low, high = (
        percent(Fraction(units, question.table.total) * spoken)
        for units in (min(alone), max(alone))
    )
    share = low if low == high else f"{low} to {high}"
    count = sum(units > 0 for units in answer_counts)
    return (
        f"What is sent is one of {count} sets of answers, always one that holds the answer.",
        f"Of 100 people with one answer, {share} send that answer alone.",
        *write_blank_sentence(1 - spoken),
        "What is sent is always true.",
    )


def _describe_symmetric(question: TableQuestion) -> tuple[str, ...]:
    """Describe a symmetric channel with more than two answers in one sentence."""
    k, rows = len(question.answers), question.table.rows
    truth, other = rows[0][0], rows[0][1]
    is_symmetric = all(
        row[:k] == tuple(truth if y == x else other for y in range(k)) and row[k:] == rows[0][k:]
        for x, row in enumerate(rows)
    )
    if k == 2 or not is_symmetric:
        return ()
    spoken = 1 - Fraction(*question.blank)
    own, another, *rest = (chance * spoken for chance in question.table.row(0))
    silent = [
        f"{percent(chance)} send “{report.name}”"
        for chance, report in zip(rest[k - 2 :], question.reports[k:], strict=True)
    ]
    others = f"{percent(another)} send each of the {k - 1} other answers"
    listing = ", ".join([f"{percent(own)} send it", others, *silent, *describe_blanks(1 - spoken)])
    return (f"Of 100 people, whatever their answer, {listing}.",)


def _take_weakest(question: TableQuestion) -> tuple[Guarantee, ...]:
    """For each privacy notion, the weakest guarantee among the groups.

    Evidence is read in each group by itself, since a report says which group it is of.
    """
    channels = [table_channel(own) for own in question.by_group]
    by_group = [
        {guarantee.notion: guarantee for guarantee in find_guarantees(channel)}
        for channel in channels
    ]
    if len({tuple(guarantees) for guarantees in by_group}) > 1:
        by_group = [
            {guarantee.notion: guarantee for guarantee in find_losses(channel)}
            for channel in channels
        ]
    weakest = []
    for notion in by_group[0]:
        candidates = list(
            zip((guarantees[notion] for guarantees in by_group), question.groups, strict=True)
        )
        guarantee, group = next(
            (guarantee, group)
            for guarantee, group in candidates
            if all(other.at_least(guarantee) for other, _ in candidates)
        )
        weakest.append(
            replace(guarantee, attained=f"{guarantee.attained}, in group {group.name!r}")
        )
    return tuple(weakest)


def _tally_groups(question: TableQuestion, counts: ReportCounts) -> GroupedTally:
    """Count the reports of each group by themselves."""
    tallies, first = {}, 0
    for group, own in zip(question.groups, question.by_group, strict=True):
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
