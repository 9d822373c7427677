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
from askance.inference.shares.information import Estimate, answers_worth
from askance.inference.shares.manipulation import manipulation
from askance.mechanisms.catalogue import answer_mechanism
from askance.mechanisms.randomised_response import AbstractMechanism
from askance.privacy.coverage import CoverageLaw
from askance.privacy.guarantee import EVENLY, Guarantee, Notion
from askance.results import is_missing
from askance.survey.deployable import deployable, judged_as_losses, judged_by, table_channel
from askance.survey.deployed import (
    COIN,
    FALSE,
    GIVEN,
    LEARNT,
    UNPROTECTED,
    AbstractDeployed,
    Learnt,
    Moved,
    ReportPreview,
    Way,
    broad,
    kept,
    least_held,
    nothing,
    row_told,
    share_held,
    typical_of,
    whatever,
)
from askance.survey.ticked import losses_told, one_tick, seen_by
from askance.typing import Integers
from askance.wire.answer_question import Choice, TableQuestion
from askance.wire.label import Label, said
from askance.wire.proof import can_prove
from askance.wire.question import Sent, Value, sent_of
from askance.wire.text_question import TOLD, FreeText

_FEW = 3
_WORDS = (
    "At most {} characters, word for word: what people write can name them. An estimate counts "
    "texts; an export has them in a file of their own, in an order of their own."
)
_INVITED = "An invitation may put its reader into group “{}”; chance does where it names no group."
_KNOWN = (
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
    >>> plain.moved(100, 1_000).told
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
        return (GIVEN,)

    def preview(self) -> ReportPreview | None:
        """Nothing: reports are the answers."""
        return None

    def protection(self) -> str:
        """Say that a report is not protected."""
        return UNPROTECTED

    def precision(self, sizes: Sequence[int]) -> tuple[str, ...]:
        """The half-width of a 95 % interval for each number of reports."""
        return _precision(self.channel, sizes)

    def moved(self, false: int, reports: int) -> Moved | None:
        """Say how far false reports move a share; None where nothing bounds it."""
        return _moved(self.channel, false, reports, by_chance=False)

    def estimate(self, sent: Sent, level: float) -> Estimate:
        """Estimate the share of each answer."""
        return estimate(_tally(self.channel, sent), level=level)

    def learn(self, values: Mapping[Value, int], level: float) -> Learnt:
        """Estimate from all that came; whatever is sent can have been answered."""
        sent = sent_of(values)
        moved = _one_false(self, sent)
        return Learnt(estimate=self.estimate(sent, level), fit=GoodnessOfFit(), moved=moved)

    @property
    def wording(self) -> Mapping[str, str]:
        """The wording of each answer by its name."""
        return {answer.name: said(answer.wording) for answer in self.question.answers}

    def column(self, values: Sequence[Value]) -> list[Any] | None:
        """Name the answers that were sent."""
        return _named(self.question.answers, values)


@final
@dataclass(frozen=True, slots=True)
class PlainText(AbstractDeployed):
    """A text in one's own words: counted, and read elsewhere.

    What is estimated is the share of people who write something at all.

    >>> text = PlainText(FreeText("more", {}, 500, 4))
    >>> found = text.learn({0: 30, None: 70}, 0.95).estimate
    >>> found.labels, found.value.tolist()
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
        return (GIVEN, _WORDS.format(f"{self.question.limit:,}"))

    def preview(self) -> ReportPreview | None:
        """Nothing: reports are the answers."""
        return None

    def protection(self) -> str:
        """Say that a report is not protected."""
        return UNPROTECTED

    def precision(self, sizes: Sequence[int]) -> tuple[str, ...]:  # noqa: ARG002  the interface has it
        """Nothing: who writes is no answer."""
        return ()

    def moved(self, false: int, reports: int) -> Moved | None:  # noqa: ARG002  the interface has it
        """Nothing: no figure is made of texts."""
        return None

    def estimate(self, sent: Sent, level: float) -> Estimate:
        """Estimate the share of people who write something."""
        names = "written", "left empty"
        channel = Channel(Frame(names), {name: [name] for name in names}, [[1.0, 0.0], [0.0, 1.0]])
        return estimate(_tally(channel, sent), level=level)

    def learn(self, values: Mapping[Value, int], level: float) -> Learnt:
        """Count the texts and what was left empty."""
        told: Sent = {TOLD: sum(sent_of(values).values()), _EMPTY: values.get(None, 0)}
        return Learnt(estimate=self.estimate(told, level), fit=GoodnessOfFit(), moved=None)

    @property
    def wording(self) -> Mapping[str, str]:
        """No answer has a name."""
        return {}

    def column(self, values: Sequence[Value]) -> list[Any] | None:  # noqa: ARG002  the interface has it
        """Nothing: texts stand beside no other answer."""
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
        """Whether some may go unsaid: not of groups, since each is asked in its own way."""
        return not self.question.groups

    @property
    def way(self) -> Way:
        """How an answer becomes what is sent."""
        if not is_protected(self.question):
            return Way.BARE
        if can_prove(self.question):
            return Way.PROVING
        return Way.BROAD if never_lies(self.question) else Way.PERHAPS_FALSE

    def sentences(self) -> tuple[str, ...]:
        """Say what is sent, in counts of 100 people."""
        question = self.question
        if self.coin:
            return COIN.format(self.coin), *_told(question)
        if question.ticks:
            return *_told(question), *self._ticked()
        if not question.groups:
            return _told(question)
        parts = list(zip(question.groups, question.by_group, strict=True))
        put = [
            _INVITED.format(group.name)
            if question.invited
            else f"Chance puts {_part(asked, question)} of 100 people into group “{group.name}”."
            for group, asked in parts
        ]
        told = [one for at, (_, asked) in enumerate(parts) for one in (put[at], *_told(asked))]
        return *told, *([_KNOWN] if question.invited else [])

    def _ticked(self) -> tuple[str, ...]:
        """Say what one tick gives away beside the whole list."""
        whole = [one.value for one in self.guarantees if one.notion is Notion.LOCAL]
        ticks, one = self.question.ticks, one_tick(self.question)
        return tuple(losses_told(ticks, one, all_told, together=True) for all_told in whole)

    def preview(self) -> ReportPreview | None:
        """Say what a report will look like; None where reports may lie, or are the answers."""
        if not any(one.notion is Notion.COVERAGE for one in self.guarantees):
            return None
        return _preview(self)

    def protection(self) -> str:
        """Say in a sentence how well one report is protected."""
        found = {one.notion: one for one in self.guarantees}
        if not found:
            return UNPROTECTED
        if Notion.COVERAGE in found:
            return broad(self.guarantees, proves=can_prove(self.question))
        if not math.isinf(found[Notion.LOCAL].value):
            return found[Notion.LOCAL].promise
        right = cautious((1 + Fraction(found[Notion.ADVANTAGE].value)) / 2, math.ceil)
        return f"Some report rules an answer out; of two, {right} of 100 guesses are right at most."

    def precision(self, sizes: Sequence[int]) -> tuple[str, ...]:
        """The half-width of a 95 % interval for each number of reports; of a list, for an item."""
        spoken = 1 - Fraction(*self.question.blank)
        sent = [kept(n, spoken) for n in sizes]
        if not self.question.ticks:
            return _precision(self.channel, sent)
        least_told = max(self.item_channels, key=lambda channel: half_width(channel, 1_000))
        return _precision(least_told, sent)

    @property
    def item_channels(self) -> tuple[Channel, ...]:
        """The channels through which a report of a whole list is seen of each of its items."""
        each = (seen_by(self.channel, [item]) for item in range(self.question.ticks))
        return tuple(seen[0] for seen in each if seen is not None)

    def moved(self, false: int, reports: int) -> Moved | None:
        """Say how far false reports move a share; None where nothing bounds it."""
        return _moved(self.channel, false, reports, by_chance=True)

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
            return max(filter(None, (one.rounding() for one in parts)), default=None)
        asked = self.recipe or _asked(self.question)
        if asked is None or asked.table is None or asked.reports != self.channel.reports:
            return None
        changes = [
            abs(one - other)
            for at in range(len(asked.frame))
            for one, other in zip(asked.table.row(at), self.question.table.row(at), strict=True)
        ]
        return max(changes) or None

    def estimate(self, sent: Sent, level: float) -> Estimate:
        """Estimate the share of each answer; of groups by their sizes as they turned out."""
        if self.question.invited and sent:
            return _over_groups(_by_group(self.question, sent), level)
        if self.question.groups and sent:
            return estimate(_by_group(self.question, sent), level=level)
        return estimate(_tally(self.channel, sent), level=level)

    def learn(self, values: Mapping[Value, int], level: float) -> Learnt:
        """Estimate from all that came, and test all that the form promises of it as one family."""
        sent, total = sent_of(values), sum(values.values())
        units, of = self.question.blank
        tally = _tally(self.channel, sent)
        parts = [tally]
        if self.question.invited and sent:
            parts = [one for one in _by_group(self.question, sent).tallies.values() if one.total]
        tests = [one for part in parts if sent for one in goodness_of_fit(part).tests]
        if sent and units:
            tests.append(blanks_fit(total - sum(sent.values()), total, units / of))
        estimated, moved = self.estimate(sent, level), _one_false(self, sent)
        fit = GoodnessOfFit(tests=tuple(tests))
        kept = tally if self.guarantees and not self.question.invited else None
        return Learnt(estimate=estimated, fit=fit, moved=moved, tally=kept)

    @property
    def wording(self) -> Mapping[str, str]:
        """The wording of each answer by its name."""
        return {answer.name: said(answer.wording) for answer in self.question.answers}

    def column(self, values: Sequence[Value]) -> list[Any] | None:
        """Name the reports that were sent."""
        return _named(self.question.reports, values)


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
    channel: Channel = written if _says(written, question) else table_channel(question)
    judged: tuple[Guarantee, ...] = ()
    if is_protected(question):
        judged = _weakest(question) if question.groups else judged_by(channel)
    return ProtectedAnswers(question, channel, judged, recipe, coin)


def is_protected(question: TableQuestion) -> bool:
    """Say whether a report can come from more than one answer: else it is the answer, or a code.

    The respondent's page says of any other question that it is not protected.
    """
    columns = zip(*question.table.rows, strict=True)
    return any(sum(units > 0 for units in column) > 1 for column in columns)


def never_lies(question: TableQuestion) -> bool:
    """Say whether every report that an answer can send is true of it."""
    return all(
        at in means
        for at, row in enumerate(question.table.rows)
        for units, means in zip(row, question.means, strict=True)
        if units
    )


def _says(channel: object, question: TableQuestion) -> TypeGuard[Channel]:
    """Say whether a channel is what the form says, to the last integer."""
    if not isinstance(channel, Channel) or channel.table != question.table:
        return False
    names = tuple(report.name for report in question.reports)
    means = tuple(map(channel.frame.places, channel.meanings))
    answers = tuple(answer.name for answer in question.answers)
    told = channel.frame.answers, channel.output, channel.reports, means
    return told == (answers, channel.frame, names, tuple(map(tuple, question.means)))


def reports_by_group(
    question: ProtectedAnswers, reports: Sequence[Any]
) -> tuple[dict[str, Channel], list[Any], Integers]:
    """The channel of each group of a form, what each row says in its own, and which group it is."""
    asked, channels, known = question.question, dict[str, Channel](), {}
    wide = iter(asked.reports)
    for at, (group, own) in enumerate(zip(asked.groups, asked.by_group, strict=True)):
        channels[group.name] = table_channel(own)
        for report in own.reports:
            known[next(wide).name] = at, report.name
    told = [(0, None) if is_missing(one) else known[one] for one in reports]
    return channels, [one for _, one in told], np.array([at for at, _ in told])


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
    if not isinstance(recipe, Mapping) or not all(isinstance(one, str) for one in recipe.values()):
        return None
    try:
        told = {
            key: json.loads(one) if one[:1] in {"[", "{"} else one for key, one in recipe.items()
        }
        return answer_mechanism(told.pop("name", ""), told, frame_of(question))
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


def made_by(recipe: AbstractMechanism, question: TableQuestion) -> bool:
    """Say whether the table of a form is the one that deploys a recipe.

    >>> from askance.mechanisms import Warner
    >>> from askance.exact.ratio import Table
    >>> from askance.wire.label import Label
    >>> labels = Label("yes", {}), Label("no", {})
    >>> table = Table(4, ((3, 1), (1, 3)))
    >>> question = TableQuestion("q", {}, labels, labels, ((0,), (1,)), table, (0, 1), {})
    >>> made_by(Warner(truth="3/4"), question), made_by(Warner(truth="4/5"), question)
    (True, False)
    """
    try:
        return _says(deployable(recipe.channel(frame_of(question))), question)
    except AskanceError:
        return False


def _asked(question: TableQuestion) -> Channel | None:
    """Build the channel that a form says its table was rounded from, if it says so."""
    recipe = recipe_of(question)
    try:
        return None if recipe is None else recipe.channel(frame_of(question))
    except AskanceError:
        return None


def _named(labels: Sequence[Label], values: Sequence[Value]) -> list[Any]:
    return [labels[value].name if isinstance(value, int) else None for value in values]


def _tally(channel: Channel, sent: Sent) -> Tally:
    named = {channel.reports[value]: n for value, n in sent.items() if type(value) is int}
    return Tally(channel, named)


def _one_false(deployed: PlainAnswers | ProtectedAnswers, sent: Sent) -> Moved | None:
    """Let one report in a hundred be false; nothing is moved where nothing came."""
    n = sum(sent.values())
    return deployed.moved(max(n // FALSE, 1), n) if n else None


def _precision(channel: Channel, kept: Sequence[int]) -> tuple[str, ...]:
    return tuple(f"± {100 * half_width(channel, n):.1f} points" for n in kept)


def _moved(channel: Channel, false: int, reports: int, *, by_chance: bool) -> Moved | None:
    try:
        found = manipulation(channel, false, reports)
    except NotIdentified:
        return None
    return Moved(
        false=false,
        reports=reports,
        at_most=100 * float(found.cut.max()),
        plain=100 * false / reports,
        unit="points",
        what="this" if found.linear else "an unbiased share",
        by_chance=by_chance,
        unbiased=not found.linear,
    )


def _preview(deployed: ProtectedAnswers) -> ReportPreview:
    """Say what sets that never lie will look like, where answers are equally common."""
    question, channel = deployed.question, deployed.channel
    k = len(channel.frame)
    chances = channel.matrix.mean(axis=0)
    held = np.array([meant.bit_count() / k for meant in channel.meanings])
    sent = np.flatnonzero(chances > 0)
    names = [f"“{said(report.wording)}”" for report in question.reports]
    worst, typical = least_held(held, sent), typical_of(held, chances)
    stretches = [
        tuple((x / k, (x + 1) / k) for x in range(k) if meant >> x & 1)
        for meant in channel.meanings
    ]
    return ReportPreview(
        spread=EVENLY,
        typical=names[typical],
        worst=names[worst],
        worst_share=cautious(share_held(float(held[worst])), int),
        law=CoverageLaw(values=held, chances=chances, n=0.0),
        learnt=(LEARNT,),
        typical_held=stretches[typical],
        worst_held=stretches[worst],
        ends=(said(question.answers[0].wording), said(question.answers[-1].wording)),
    )


def _told(question: TableQuestion) -> tuple[str, ...]:
    """Say what is sent through one table."""
    if not is_protected(question):
        told = GIVEN if never_lies(question) else _BARE
        return (told, *whatever(Fraction(*question.blank)))
    rows = range(len(question.answers))
    return _sets(question) or _alike(question) or tuple(row_told(question, at) for at in rows)


def _part(group: TableQuestion, question: TableQuestion) -> str:
    """How many of 100 people chance puts into a group."""
    return percent(Fraction(group.table.total, question.table.total))


def _sets(question: TableQuestion) -> tuple[str, ...]:
    """Say in one sentence what is sent of many sets, each of which always holds the answer."""
    rows = question.table.rows
    sent = [sum(units > 0 for units in column) for column in zip(*rows, strict=True)]
    if not never_lies(question) or max(sum(units > 0 for units in row) for row in rows) <= _FEW:
        return ()
    alone = [
        sum(units for units, means in zip(row, question.means, strict=True) if len(means) == 1)
        for row in rows
    ]
    spoken = 1 - Fraction(*question.blank)
    least, most = (
        percent(Fraction(units, question.table.total) * spoken)
        for units in (min(alone), max(alone))
    )
    share = least if least == most else f"{least} to {most}"
    count = sum(units > 0 for units in sent)
    return (
        f"What is sent is one of {count} sets of answers, always one that holds the answer.",
        f"Of 100 people with one answer, {share} send that answer alone.",
        *whatever(1 - spoken),
        "What is sent is always true.",
    )


def _alike(question: TableQuestion) -> tuple[str, ...]:
    """Say in one sentence what more than two answers that are treated alike send."""
    k, rows = len(question.answers), question.table.rows
    truth, other = rows[0][0], rows[0][1]
    alike = all(
        row[:k] == tuple(truth if y == x else other for y in range(k)) and row[k:] == rows[0][k:]
        for x, row in enumerate(rows)
    )
    if k == 2 or not alike:
        return ()
    spoken = 1 - Fraction(*question.blank)
    own, another, *rest = (chance * spoken for chance in question.table.row(0))
    silent = [
        f"{percent(chance)} send “{report.name}”"
        for chance, report in zip(rest[k - 2 :], question.reports[k:], strict=True)
    ]
    others = f"{percent(another)} send each of the {k - 1} other answers"
    sent = ", ".join([f"{percent(own)} send it", others, *silent, *nothing(1 - spoken)])
    return (f"Of 100 people, whatever their answer, {sent}.",)


def _weakest(question: TableQuestion) -> tuple[Guarantee, ...]:
    """Of each notion the guarantee of the group in which it is weakest: no one is promised more.

    Evidence is read in each group by itself, since a report says which group it is of.
    """
    channels = [table_channel(asked) for asked in question.by_group]
    found = [{one.notion: one for one in judged_by(channel)} for channel in channels]
    if len({tuple(guarantees) for guarantees in found}) > 1:
        found = [{one.notion: one for one in judged_as_losses(channel)} for channel in channels]
    weakest = []
    for notion in found[0]:
        each = list(zip((guarantees[notion] for guarantees in found), question.groups, strict=True))
        one, group = next(
            (one, group) for one, group in each if all(other.at_least(one) for other, _ in each)
        )
        weakest.append(replace(one, attained=f"{one.attained}, in group {group.name!r}"))
    return tuple(weakest)


def _by_group(question: TableQuestion, sent: Sent) -> GroupedTally:
    """Count the reports of each group by themselves."""
    tallies, first = {}, 0
    for group, asked in zip(question.groups, question.by_group, strict=True):
        own: Sent = {at: sent.get(first + at, 0) for at in range(group.reports)}
        tallies[group.name] = _tally(table_channel(asked), own)
        first += group.reports
    return GroupedTally(tallies)


def _over_groups(groups: GroupedTally, level: float) -> Estimate:
    r"""Estimate shares of all who answered from each group's own, whoever was put into which.

    .. math:: \hat\pi = \sum_g w_g \hat\pi_g, \qquad
        \hat\pi - \sqrt{\sum_g w_g^2 (\hat\pi_g - l_g)^2},
        \qquad w_g = n_g / n

    with the lower end l of each group's interval, and the upper end alike. Groups that were not
    drawn by chance may differ, so that nothing is taken to be the same in them.

    References
    ----------
    Zou, Huang & Zhang (2009), on linear functions of proportions.
    """
    told = [one for one in groups.tallies.values() if one.total]
    each = [estimate(one, level=level) for one in told]
    parts = np.array([one.total for one in told]) / sum(one.total for one in told)
    values, lower, upper = (
        np.array([getattr(one, end) for one in each]) for end in ("value", "lower", "upper")
    )
    value = parts @ values
    below, above = (np.sqrt(parts**2 @ (values - end) ** 2) for end in (lower, upper))
    covariance = np.einsum("g,gij->ij", parts**2, np.array([one.covariance for one in each]))
    reports = sum(one.reports for one in each)
    return replace(
        each[0],
        value=value,
        covariance=covariance,
        lower=np.clip(value - below, 0, 1),
        upper=np.clip(value + above, 0, 1),
        reports=reports,
        effective_sample_size=answers_worth(value, covariance, reports),
        method="each group by itself, weighted by its size",
        convergence=max((one.convergence for one in each), key=list(Convergence).index),
        gap=max(one.gap for one in each),
    )
