"""A form's questions as deployed: what each sends, and how it is protected.

A deployed question is built once, with its channel and with what that guarantees, and is handed on
from verb to verb. Each kind is a class; what differs by kind is a method of it. Its estimates are
another object: `askance.analysis.prepare_analysis` makes it.

Some replies identify only the shares of sets of answers. Of an unrelated question with unknown
harmless share a reply stands for pairs of answers, and the replies identify the share of each
answer to the sensitive one. Of a list experiment a number stands for types of respondents, and the
numbers identify the share for whom the sensitive item holds.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, TypeGuard, final

import numpy as np

from askance.channels.channel import Channel
from askance.channels.cut_variants import RingChannel
from askance.channels.frame import Frame
from askance.channels.range_channel import AbstractRangeChannel, RangeChannel
from askance.mechanisms.catalogue import answer_mechanism
from askance.mechanisms.randomised_response import AbstractMechanism, ChancePlace
from askance.privacy.coverage import CoverageLaw
from askance.privacy.guarantee import EVENLY, Guarantee, Notion, compose
from askance.results import is_missing
from askance.survey.deployable import deployable, find_guarantees, find_losses
from askance.survey.multi_select import describe_losses, find_tick_loss, project_channel
from askance.survey.random_ranges import (
    PlainNumber,
    ProtectedNumber,
    build_range_law,
    protected_number,
)
from askance.survey.report_preview import (
    COIN,
    LEARNT,
    SENT_AS_GIVEN,
    UNPROTECTED,
    AbstractDeployed,
    AbstractPlain,
    ReportKind,
    ReportPreview,
    correct_rounding,
    describe_blanks,
    describe_coverage,
    describe_row,
    find_narrowest,
    find_typical,
    write_blank_sentence,
)
from askance.typing import Floats, Integers
from askance_collect.arguments import checked
from askance_collect.errors import AskanceError, FormError
from askance_collect.exact.ratio import cautious, percent
from askance_collect.wire.form import Form
from askance_collect.wire.form_schema import Label, in_first_language
from askance_collect.wire.proof import can_prove
from askance_collect.wire.question import (
    Choice,
    Coin,
    CutsQuestion,
    FreeText,
    ItemCount,
    Number,
    Question,
    RangeQuestion,
    RingQuestion,
    TableQuestion,
    Value,
)

_FEW = 3
_WORDS = (
    "At most {} characters, stored word for word: a text can identify its writer. An estimate "
    "counts texts; an export writes them to a separate file, in another order."
)
_SEALED = (
    "Encrypted on the device for the study's key: the operator of the collector sees that a text "
    "was written, but neither its words nor its length."
)
_LOCKED = "Not randomised: the holder of the study's key can read the text."
_INVITED = (
    "An invitation can put its reader into group “{}”; where it names no group, the device draws "
    "one at random."
)
_INVITATION_NOTE = (
    "The report names the group, and the author of the invitations knows who is in it: make each "
    "group large. Groups may differ, so each is estimated separately."
)
_CLEAR_REPORT = (
    "Some report {what}. A guess between two answers is right at most {right} times in 100."
)
_BARE = "Every report reveals the answer: this question is not protected."


@final
@dataclass(frozen=True, slots=True)
class PlainAnswers(AbstractPlain):
    """Named answers, asked plainly: the report is the answer.

    >>> from askance_collect.exact.ratio import Table
    >>> from askance_collect.wire.form_schema import Label
    >>> from askance_collect.wire.question import Choice
    >>> plain = plain_answers(Choice("q", {}, (Label("a", {}), Label("b", {}))))
    >>> plain.channel.matrix.tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    question: Choice
    channel: Channel
    guarantees: tuple[Guarantee, ...] = ()

    @property
    def wording(self) -> Mapping[str, str]:
        """The wording of each answer by its name."""
        return {answer.name: in_first_language(answer.wording) for answer in self.question.answers}

    def column(self, values: Sequence[Value]) -> list[Any] | None:
        """Name the answers that were sent."""
        return _name_values(self.question.answers, values)


@final
@dataclass(frozen=True, slots=True)
class PlainText(AbstractPlain):
    """A free-text question: an analysis counts its texts, and the export holds them."""

    question: FreeText
    guarantees: tuple[Guarantee, ...] = ()

    def sentences(self) -> tuple[str, ...]:
        """Say what is sent, and where it is read."""
        sentence = _SEALED if self.question.is_sealed else SENT_AS_GIVEN
        return (sentence, _WORDS.format(f"{self.question.limit:,}"))

    def protection(self) -> str:
        """State who reads the text."""
        return _LOCKED if self.question.is_sealed else UNPROTECTED

    def column(self, _values: Sequence[Value], /) -> list[Any] | None:
        """No column: texts are never joined to other answers."""
        return None


def answers_channel(question: AbstractDeployed) -> Channel | None:
    """The channel from named answers to reports; None of numbers, texts and sets of answers."""
    return question.channel if isinstance(question, PlainAnswers | ProtectedAnswers) else None


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
    assumed_population: ClassVar[str] = EVENLY

    @property
    def chance_place(self) -> ChancePlace:
        """Where the chance of a report falls."""
        return ChancePlace.WORLD if self.coin else ChancePlace.DEVICE

    @property
    def by_answer(self) -> bool:
        """Whether pages may show only the first sentences: not for groups, which differ."""
        return not self.question.groups

    @property
    def report_kind(self) -> ReportKind:
        """How an answer becomes what is sent."""
        if not is_protected(self.question):
            return ReportKind.BARE
        if can_prove(self.question):
            return ReportKind.PROVING
        return ReportKind.BROAD if is_always_true(self.question) else ReportKind.PERHAPS_FALSE

    def sentences(self) -> tuple[str, ...]:
        """Say what is sent, in counts of 100 people."""
        question = self.question
        if self.coin:
            return COIN.format(self.coin), *_describe_table(question)
        if question.checkbox_count:
            return *_describe_table(question), *self._describe_ticks()
        if not question.groups:
            return _describe_table(question)
        parts = list(zip(question.groups, question.group_questions, strict=True))
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

    def answer_sentences(self) -> tuple[str, ...]:
        """Those of the sentences that say in turn what is sent for each answer."""
        question = self.question
        return () if question.groups or not is_protected(question) else _describe_rows(question)

    def _describe_ticks(self) -> tuple[str, ...]:
        """Describe the privacy loss of one tick and that of the whole list."""
        ratios = [
            guarantee.value for guarantee in self.guarantees if guarantee.notion is Notion.LOCAL
        ]
        ticks, tick_ratio = self.question.checkbox_count, find_tick_loss(self.question)
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
        what = "proves an answer" if can_prove(self.question) else "rules an answer out"
        return _CLEAR_REPORT.format(what=what, right=right)

    @property
    def rounding_note(self) -> str:
        """A note that chances were rounded when the question was deployed; empty if not."""
        if not (change := self.rounding()):
            return ""
        return (
            f"{self.question.name}: its chances are rounded to {self.question.table.total:,} whole "
            f"parts, which one draw holds. No chance changed by more than {float(change):.1e}; the "
            "guarantees hold for the rounded chances."
        )

    def rounding(self) -> Fraction | None:
        """The most that deploying changed a chance; None if the table is the recipe's."""
        if self.question.groups:
            parts = map(protected_answers, self.question.group_questions)
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

    >>> from askance_collect.exact.ratio import Table
    >>> from askance_collect.wire.form_schema import Label
    >>> labels = Label("yes", {}), Label("no", {})
    >>> about = {"mechanism": {"name": "warner", "truth": "2/3"}}
    >>> rounded = Table(10, ((6, 4), (4, 6)))
    >>> question = TableQuestion("q", {}, labels, labels, ((0,), (1,)), rounded, (0, 1), about)
    >>> protected_answers(question).rounding()
    Fraction(1, 15)
    """
    channel = _take_stated(question, written)
    judged: tuple[Guarantee, ...] = ()
    if is_protected(question):
        judged = _take_weakest(question) if question.groups else find_guarantees(channel)
    return ProtectedAnswers(question, channel, judged, recipe, coin)


def list_item_channels(
    question: TableQuestion, channel: Channel, shares: Floats | None = None
) -> list[tuple[Channel, Floats | None]]:
    """List the channels from each item of a list to the report of the whole list.

    With the shares of people who do not tick the item and who do, where those of answers are given.
    """
    items: list[tuple[Channel, Floats | None]] = []
    for item in range(question.checkbox_count):
        if (view := project_channel(channel, [item])) is None:
            continue
        if shares is None:
            items.append((view[0], None))
            continue
        ticked = shares[np.arange(len(shares)) >> item & 1 == 1].sum()
        items.append((view[0], np.array([1 - ticked, ticked])))
    return items


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
        for units, means in zip(row, question.meanings, strict=True)
        if units
    )


def _take_stated(question: TableQuestion, written: object) -> Channel:
    """Take the channel that was just written, if it is what the form says; else build it."""
    return written if _is_stated(written, question) else table_channel(question)


def _is_stated(channel: object, question: TableQuestion) -> TypeGuard[Channel]:
    """Say whether a channel is what the form says, to the last integer."""
    if not isinstance(channel, Channel) or channel.table != question.table:
        return False
    names = tuple(report.name for report in question.reports)
    means = tuple(map(channel.frame.positions, channel.meanings))
    answers = tuple(answer.name for answer in question.answers)
    stated = channel.frame.answers, channel.output, channel.reports, means
    return stated == (answers, channel.frame, names, tuple(map(tuple, question.meanings)))


def reports_by_group(
    question: ProtectedAnswers, reports: Sequence[Any]
) -> tuple[dict[str, Channel], list[Any], Integers]:
    """Split reports by group: each group's channel, each row's report in it, and its group."""
    published, channels, by_report = question.question, dict[str, Channel](), {}
    wide = iter(published.reports)
    for index, (group, own) in enumerate(
        zip(published.groups, published.group_questions, strict=True)
    ):
        channels[group.name] = table_channel(own)
        for report in own.reports:
            by_report[next(wide).name] = index, report.name
    rows = [(0, None) if is_missing(report) else by_report[report] for report in reports]
    return channels, [name for _, name in rows], np.array([index for index, _ in rows])


def recipe_of(question: TableQuestion) -> AbstractMechanism | None:
    """The recipe that a form says its table was made by, if it says so.

    >>> from askance_collect.exact.ratio import Table
    >>> from askance_collect.wire.form_schema import Label
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

    >>> from askance_collect.exact.ratio import Table
    >>> from askance_collect.wire.form_schema import Label
    >>> labels = Label("yes", {}), Label("no", {})
    >>> table = Table(4, ((3, 1), (1, 3)))
    >>> frame_of(TableQuestion("q", {}, labels, labels, ((0,), (1,)), table, (0, 1), {})).answers
    ('yes', 'no')
    """
    return Frame(answer.name for answer in question.answers)


def is_made_by(recipe: AbstractMechanism, question: TableQuestion) -> bool:
    """Say whether the table of a form is the one that deploys a recipe.

    >>> from askance.mechanisms import Warner
    >>> from askance_collect.exact.ratio import Table
    >>> from askance_collect.wire.form_schema import Label
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
        assumed_population=EVENLY,
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
    return _describe_sets(question) or _describe_symmetric(question) or _describe_answers(question)


def _describe_rows(question: TableQuestion) -> tuple[str, ...]:
    """Describe the reports of each answer, where no single sentence covers all answers."""
    together = _describe_sets(question) or _describe_symmetric(question)
    return () if together else _describe_answers(question)


def _describe_answers(question: TableQuestion) -> tuple[str, ...]:
    return tuple(describe_row(question, i) for i in range(len(question.answers)))


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
        sum(units for units, means in zip(row, question.meanings, strict=True) if len(means) == 1)
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
        f"The report is one of {count} sets of answers and always contains the true one.",
        f"Of 100 people with one answer, {share} send that answer alone.",
        *write_blank_sentence(1 - spoken),
        "The report is always true.",
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
    channels = [table_channel(own) for own in question.group_questions]
    judged = list(map(find_guarantees, channels))
    if len({tuple(guarantee.notion for guarantee in group) for group in judged}) > 1:
        judged = list(map(find_losses, channels))
    by_group = [{guarantee.notion: guarantee for guarantee in group} for group in judged]
    weakest = []
    for notion in by_group[0]:
        candidates = list(
            zip((guarantees[notion] for guarantees in by_group), question.groups, strict=True)
        )
        guarantee, group = next(
            (guarantee, group)
            for guarantee, group in candidates
            if all(other.is_at_least_as_strong(guarantee) for other, _ in candidates)
        )
        weakest.append(
            replace(guarantee, attained=f"{guarantee.attained}, in group {group.name!r}")
        )
    return tuple(weakest)


_SUPPOSED = Fraction(1, 10), Fraction(1, 4), Fraction(1, 2)
_NOTES = (
    "The replies identify the share of {}, but not the joint distribution of the answers behind a "
    "reply.",
    "Anyone who knows a person's harmless answer can learn the other one for certain from a reply.",
)


@final
@dataclass(frozen=True, slots=True)
class DeployedSets(AbstractDeployed):
    """Named answers behind a physical coin; the replies identify only shares of sets of them.

    Attributes
    ----------
    question : TableQuestion
        The question through the coin's table.
    coin : Coin
    channel : Channel
        From answers to replies.
    """

    question: TableQuestion
    coin: Coin
    channel: Channel
    guarantees: tuple[Guarantee, ...]
    assumed_population: ClassVar[str] = EVENLY
    by_answer: ClassVar[bool] = False

    @property
    def report_kind(self) -> ReportKind:
        """How an answer becomes what is replied."""
        return ReportKind.PROVING if can_prove(self.question) else ReportKind.BROAD

    def sentences(self) -> tuple[str, ...]:
        """Say what is replied, what is learnt of it, and what protects it."""
        coin = COIN.format(in_first_language(self.coin.text))
        named = " and of ".join(f"“{label.name}”" for label, _ in self.question.sets)
        learnt, warning = _NOTES
        rows = (describe_row(self.question, i) for i in range(len(self.question.answers)))
        return (coin, warning, *self._describe_suppositions(), learnt.format(named), *rows)

    def _describe_suppositions(self) -> tuple[str, ...]:
        """Describe the privacy loss to others by how common the harmless trait is."""
        if [len(members) for _, members in self.question.sets] != [2, 2]:
            return ()
        ratios = [(_find_worst_ratio(self.question, share), share) for share in _SUPPOSED]
        first, *others = [f"{math.ceil(10 * ratio) / 10:g} times" for ratio, _ in ratios]
        common, *rest = [f"where {100 * share}" for _, share in ratios]
        more = ", ".join(" ".join(parts) for parts in zip(others, rest, strict=True))
        return (
            f"For others, no reply is more than {first} as likely from one answer as from the "
            f"other, {common} of 100 people have the harmless trait, independently of the answer; "
            f"{more}.",
        )

    def protection(self) -> str:
        """Say in a sentence how well a reply is protected."""
        return "Protected from anyone who knows neither the coin nor the harmless answer."

    @property
    def wording(self) -> Mapping[str, str]:
        """The wording of each set by its name."""
        return {label.name: in_first_language(label.wording) for label, _ in self.question.sets}

    def column(self, values: Sequence[Value]) -> list[Any] | None:
        """Name the replies that were sent."""
        return _name_values(self.question.reports, values)


def deployed_sets(question: Choice, coin: Coin) -> DeployedSets:
    """Deploy a question whose replies identify shares of sets, with its guarantees.

    Parameters
    ----------
    question : Choice
    coin : Coin
        Its own, with sets.
    """
    judged = question.underlying_question
    assert isinstance(judged, TableQuestion)
    channel = table_channel(judged)
    return DeployedSets(judged, coin, channel, find_guarantees(channel))


def _find_worst_ratio(question: TableQuestion, share: Fraction) -> Fraction:
    """The largest likelihood ratio of a reply, at this share of the harmless trait."""
    rows = [
        [share * chance + (1 - share) * other for chance, other in zip(*pair, strict=True)]
        for pair in ([question.table.row(i) for i in members] for _, members in question.sets)
    ]
    ratios = [Fraction(first, second) for first, second in zip(*rows, strict=True)]
    return max(*ratios, *(1 / ratio for ratio in ratios))


@final
@dataclass(frozen=True, slots=True)
class DeployedItemCount(AbstractDeployed):
    """A list experiment: a number of items is sent; the share of the sensitive one is learnt.

    Attributes
    ----------
    question : TableQuestion
    item_count : ItemCount
        Its own lists.
    channel : Channel
        From types of respondents to the group and the number.
    guarantees : tuple of Guarantee
        Between people for whom the sensitive item holds and others, in the worst population.
    """

    question: TableQuestion
    item_count: ItemCount
    channel: Channel
    guarantees: tuple[Guarantee, ...]
    report_kind: ClassVar[ReportKind] = ReportKind.PROVING
    assumed_population: ClassVar[str] = EVENLY
    by_answer: ClassVar[bool] = False

    def sentences(self) -> tuple[str, ...]:
        """Say who counts which items, what is sent of it, and when that proves something."""
        question, most = self.question, len(self.item_count.items)
        in_treatment = Fraction(question.group_questions[1].table.total, question.table.total)
        spoken = {
            "share": percent(in_treatment),
            "group": question.groups[1].name,
            "items": most,
            "more": most + 1,
            "sensitive": in_first_language(self.item_count.sensitive),
        }
        blank = write_blank_sentence(Fraction(*question.blank))
        return *(sentence.format(**spoken) for sentence in _COUNTED), *blank

    def protection(self) -> str:
        """Say in a sentence how well a number is protected, however many items people have."""
        (advantage,) = (bound for bound in self.guarantees if bound.notion is Notion.ADVANTAGE)
        right = cautious((1 + Fraction(advantage.value)) / 2, math.ceil)
        return _CLEAR_REPORT.format(what="proves an answer", right=right)

    @property
    def wording(self) -> Mapping[str, str]:
        """The wording of both answers to the sensitive item."""
        return {label.name: in_first_language(label.wording) for label, _ in self.question.sets}

    def column(self, values: Sequence[Value]) -> list[Any] | None:
        """Name the groups and numbers that were sent."""
        return _name_values(self.question.reports, values)


_COUNTED = (
    "Chance puts {share} of 100 people into group “{group}”: they count {more} items, including "
    "“{sensitive}”. All others count {items}, without it.",
    "The number and the group are sent, but not which items are true.",
    "In group “{group}” a 0 proves that the sensitive item is not true, and a {more} that it is. "
    "Choose items so that few people have none or all of them.",
)


def deployed_item_count(question: TableQuestion, item_count: ItemCount) -> DeployedItemCount:
    """Deploy a list experiment, and judge it in the population where a count reveals most.

    That is where everybody has all other items: no population lets anybody tell two people apart
    more often, and of any population the ends of the list prove an answer.

    Parameters
    ----------
    question : TableQuestion
    item_count : ItemCount
        Its own.
    """
    rows = [question.table.row(members[-1]) for _, members in question.sets]
    names = [label.name for label, _ in question.sets]
    meant = {
        report.name: [name for name, row in zip(names, rows, strict=True) if row[column]] or names
        for column, report in enumerate(question.reports)
    }
    losses = find_losses(Channel(Frame(names), meant, rows))
    return DeployedItemCount(question, item_count, table_channel(question), losses)


DeployedQuestion = (
    PlainAnswers
    | PlainText
    | ProtectedAnswers
    | DeployedSets
    | DeployedItemCount
    | PlainNumber
    | ProtectedNumber
)
"""A deployed question of any kind."""


@final
@dataclass(frozen=True, slots=True)
class DeployedForm:
    """A form and its questions as deployed, in the form's order.

    >>> from askance.survey.publish import deploy
    >>> from askance.survey.survey_file import load_survey
    >>> deployed_form = deploy(load_survey("examples/affairs.toml"))
    >>> [entry.question.kind for entry in deployed_form.questions]
    ['choice', 'table', 'table', 'cuts']
    >>> deployed_form.questions[1].guarantees[0]
    Guarantee(LOCAL, ε = 1.79176, attained by 'yes' between 'yes' and 'no')
    """

    form: Form
    questions: tuple[DeployedQuestion, ...]

    @classmethod
    def of(cls, form: Form) -> "DeployedForm":
        """Build every question of a form from its integers."""
        return cls(form, tuple(map(deployed, form.questions)))

    @property
    def language(self) -> str:
        """The first language of the form, in which everything is said."""
        return self.form.languages[0]

    @property
    def guarantees(self) -> dict[str, tuple[Guarantee, ...]]:
        """The guarantees of each question, by its name; none of a plain one."""
        return {entry.question.name: entry.guarantees for entry in self.questions}

    @property
    def rounding_notes(self) -> tuple[str, ...]:
        """A note for each question whose chances were rounded when it was deployed."""
        protected = (entry for entry in self.questions if isinstance(entry, ProtectedAnswers))
        return tuple(filter(None, (question.rounding_note for question in protected)))


@checked
def deployed(
    question: Question,
    channel: Channel | RangeChannel | RingChannel | None = None,
    recipe: Channel | None = None,
) -> DeployedQuestion:
    """Build the channel and the guarantees of a published question from the integers of its form.

    Parameters
    ----------
    question : Question
        One of ``form.questions``.
    channel : Channel, RangeChannel or RingChannel, optional
        What was just written into the form, so that it need not be built again.
    recipe : Channel, optional
        The channel before it was rounded to the form's table.

    Returns
    -------
    PlainAnswers, ProtectedAnswers, ProtectedNumber or another kind
        With ``channel`` (None where a number is asked plainly), ``guarantees``,
        ``assumed_population`` (how common answers are taken to be) and ``preview()`` of what a
        report will look like.

    Raises
    ------
    InputError
        If it is not a question of a form.

    >>> from askance.survey import deployed, load_survey, publish
    >>> form = publish(load_survey("examples/affairs.toml"))
    >>> affair = deployed(form.question("affair"))
    >>> affair.channel.table.rows
    ((6, 1, 3), (1, 6, 3))
    >>> affair.guarantees[0]
    Guarantee(LOCAL, ε = 1.79176, attained by 'yes' between 'yes' and 'no')
    >>> from askance_collect.wire.form_schema import Label
    >>> plain = deployed(Choice("q", {}, (Label("a", {}), Label("b", {}))))
    >>> from askance.survey import ReportKind
    >>> plain.report_kind is ReportKind.PLAINLY, plain.guarantees
    (True, ())
    """
    match question:
        case Choice(coin=Coin(sets=sets) as coin) if sets:
            return deployed_sets(question, coin)
        case Choice(coin=Coin(text=text)) if isinstance(
            judged := question.underlying_question, TableQuestion
        ):
            return protected_answers(judged, channel, recipe, coin=in_first_language(text))
        case Choice():
            return plain_answers(question)
        case Number():
            return PlainNumber(question)
        case FreeText():
            return PlainText(question)
        case TableQuestion(item_count=ItemCount() as item_count):
            return deployed_item_count(question, item_count)
        case TableQuestion():
            return protected_answers(question.underlying_question, channel, recipe)
        case _:
            return protected_number(question, channel)


ChannelOfQuestion = tuple[TableQuestion, Channel] | tuple[RangeQuestion, AbstractRangeChannel]
"""A protected question of a form with its channel."""


def list_protected_channels(
    questions: Iterable[tuple[Question, object]],
) -> list[ChannelOfQuestion]:
    """List the protected questions whose replies identify shares of answers, with their channels.

    Each is given with the channel that was just written into it, or with None.

    >>> from pathlib import Path
    >>> from askance.survey.publish import questions_at
    >>> questions = questions_at(Path("examples/affairs.toml"))
    >>> [question.name for question, _ in list_protected_channels(questions)]
    ['affair', 'religious', 'years']
    """
    channels: list[ChannelOfQuestion] = []
    for published, written in questions:
        question: object = published
        if isinstance(published, Choice):
            coin = published.coin
            question = None if coin is None or coin.sets else published.underlying_question
        if isinstance(question, TableQuestion) and question.item_count is None:
            channels.append((question, _take_stated(question, written)))
        elif isinstance(question, CutsQuestion | RingQuestion):
            channels.append((question, build_range_law(question, written).channel))
    return channels


def traits_of(form: Form) -> dict[str, tuple[str, ...]]:
    """Name the questions that a form declares to be about one trait.

    Raises
    ------
    FormError
        If a trait has no name, no questions, or questions that the form does not ask.
    """
    names_asked = {question.name for question in form.questions}
    traits = form.document["about"].get("traits", [])
    try:
        names_by_trait = {trait["name"]: tuple(trait["questions"]) for trait in traits}
        are_known = all(
            names and names_asked.issuperset(names) for names in names_by_trait.values()
        )
    except (LookupError, TypeError):
        are_known = False
    if not are_known or not all(isinstance(name, str) for name in names_by_trait):
        raise FormError("about.traits", allowed="names, each with questions of the form")
    return names_by_trait


def together(
    judged: Sequence[Sequence[Guarantee]], *, led_by_range: bool = False
) -> tuple[Guarantee, ...]:
    """Compose the guarantees of several questions, notion by notion.

    A question without a notion breaks it: next to a range, which rules answers out, no local loss
    of the group is finite. Where a number that is sent as a range decides who is asked others
    (``led_by_range``), these rule none of its values out, and shift the odds of two of them by
    their own local loss: so the range keeps its coverage, and the losses multiply inside it.
    """
    by_notion = [{guarantee.notion: guarantee for guarantee in guarantees} for guarantees in judged]
    if led_by_range:
        return _inside_ranges(by_notion)
    notions = [Notion.LOCAL, Notion.SHAFER, Notion.WALLEY, Notion.COVERAGE]
    return tuple(
        compose([guarantees[notion] for guarantees in by_notion])
        for notion in notions
        if all(notion in guarantees for guarantees in by_notion)
    )


def _inside_ranges(by_notion: Sequence[Mapping[Notion, Guarantee]]) -> tuple[Guarantee, ...]:
    """Compose ranges with questions that have a local loss: coverage, and ratios in a report."""
    composed = []
    lost = [
        guarantees[Notion.LOCAL].value if Notion.LOCAL in guarantees else math.inf
        for guarantees in by_notion
    ]
    wide = [
        guarantees for guarantees, loss in zip(by_notion, lost, strict=True) if loss == math.inf
    ]
    if all(Notion.COVERAGE in guarantees for guarantees in wide):
        composed.append(compose([guarantees[Notion.COVERAGE] for guarantees in wide]))
    for notion in Notion.FLATNESS, Notion.SILENCE:
        parts = [guarantees.get(notion) or guarantees.get(Notion.LOCAL) for guarantees in by_notion]
        losses = [replace(guarantee, notion=notion) for guarantee in parts if guarantee is not None]
        if len(losses) == len(parts) and any(notion in guarantees for guarantees in by_notion):
            composed.append(compose(losses))
    return tuple(composed)


def led_by_ranges(form: Form) -> frozenset[str]:
    """Name the numbers, sent as ranges, whose answers decide who is asked another question."""
    after = (form.questions[skip.after] for skip in form.skips)
    return frozenset(
        question.name for question in after if isinstance(question, CutsQuestion | RingQuestion)
    )


def table_channel(question: TableQuestion) -> Channel:
    """Build the channel of a form's table, for everybody or for one group.

    >>> from askance_collect.exact.ratio import Table
    >>> from askance_collect.wire.form_schema import Label
    >>> labels = Label("yes", {}), Label("no", {})
    >>> table = Table(4, ((3, 1), (1, 3)))
    >>> question = TableQuestion("q", {}, labels, labels, ((0,), (1,)), table, (0, 1), {})
    >>> table_channel(question).matrix.tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    names = [answer.name for answer in question.answers]
    means = zip(question.reports, question.meanings, strict=True)
    reports = {report.name: [names[i] for i in meant] for report, meant in means}
    return Channel(Frame(names), reports, question.table)


def minimum_of(form: Form) -> int:
    """Read the minimum number of reports for which a form's author shows an estimate.

    Raises
    ------
    FormError
        If that is no whole number.
    """
    least = form.document["about"].get("minimum", 1)
    if type(least) is not int:
        raise FormError("about.minimum", got=least, allowed="a whole number of reports")
    return least
