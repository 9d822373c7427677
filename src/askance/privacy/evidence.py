"""Evidence of reports: what each proves, excludes or makes likelier, by the integers of a form."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import final

import numpy as np

from askance.channels.range_channel import left_over, narrowed_units
from askance_collect.arguments import checked
from askance_collect.errors import FormError, InputError
from askance_collect.wire.proof import (
    ProofKind,
    find_cell_without,
    find_innocent,
    find_proof,
    list_proving_cells,
    read_about,
)
from askance_collect.wire.question import (
    Choice,
    CutsQuestion,
    FreeText,
    Number,
    Question,
    RangeQuestion,
    RingQuestion,
    TableQuestion,
    Value,
)

Stretches = tuple[tuple[int, int], ...]
"""Answers by position, as ascending stretches ``[first, end)``."""


@final
class Disclosure(Enum):
    """The strongest effect of a report on beliefs about the answer, from least to most.

    >>> [disclosure.name for disclosure in Disclosure]
    ['NOTHING', 'ODDS', 'EXCLUSION', 'PROOF']
    """

    NOTHING = "every answer sends it alike"
    ODDS = "every answer can send it, some more often"
    EXCLUSION = "some answers cannot send it"
    PROOF = "a single answer, or a single part of an answer, can send it"


@final
class ClaimKind(Enum):
    """What of an answer a report proves.

    >>> ClaimKind.ANSWER.value
    'the answer'
    """

    ANSWER = "the answer"
    ITEM_TICKED = "that an item of a list is ticked"
    ITEM_LEFT = "that an item of a list is not ticked"
    SET = "in which set the answer is"
    NOT_INNOCENT = "that the answer is not the innocent one"


@final
@dataclass(frozen=True, slots=True)
class Claim:
    """What a report proves: a kind, and the position of the answer, item or set that it names.

    Of a claim that the answer is not the innocent one the position is that of the innocent answer.

    >>> Claim(ClaimKind.ANSWER, 0).position
    0
    """

    kind: ClaimKind
    position: int


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ReportEvidence:
    """The evidence of one report about the answer behind it.

    Attributes
    ----------
    report : int, tuple of int, or None
        A column of a table, a cell of a line, or a blank.
    disclosure : Disclosure
    possible : tuple of (int, int)
        The answers that can send it, as stretches ``[first, end)`` of their positions.
    ratio : Fraction
        The largest ratio of its chances between two answers that can send it: 1 or more. Where the
        report excludes nothing, no two answers' odds move further, in either direction.
    claims : tuple of Claim
        What it proves; none where it proves nothing.

    >>> from askance_collect.exact.ratio import Table
    >>> from askance_collect.wire import Label
    >>> yn = Label("yes", {}), Label("no", {})
    >>> forced = Table(6, ((6, 0), (1, 5)))
    >>> question = TableQuestion("q", {}, yn, yn, ((0,), (1,)), forced, (0, 1), {})
    >>> yes: ReportEvidence = report_evidence(question, 0)
    >>> yes.disclosure.name, yes.possible, yes.ratio, yes.proves
    ('ODDS', ((0, 2),), Fraction(6, 1), False)
    """

    report: Value
    disclosure: Disclosure
    possible: Stretches
    ratio: Fraction
    claims: tuple[Claim, ...] = ()

    @property
    def proves(self) -> bool:
        """Whether the report proves something of the answer."""
        return bool(self.claims)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionEvidence:
    """The evidence of the reports to one question about the answers behind them.

    Attributes
    ----------
    name : str
    is_protected : bool
        Whether some report can come from more than one answer.
    disclosure : Disclosure
        The most that any report does.
    reports : tuple of ReportEvidence
        Every report, of named answers. Of ranges, which are many, those that prove something: of
        each number one, and one that excludes the innocent number. A blank is among them if its
        chance depends on the answer.
    exact : tuple of (int, int)
        Stretches of a line in which the form says beforehand that an answer is sent exactly.
    innocent : int, optional
        The position of the answer that harms nobody, if the form declares one.

    >>> from askance_collect.exact import Line
    >>> line = Line(0, 4, integer=True)
    >>> cups = CutsQuestion("cups", {}, line, {}, 2, (1, 1, 1, 1), False, (0, 1), {})
    >>> evidence: QuestionEvidence = question_evidence(cups)
    >>> evidence.disclosure.name, [proof.report for proof in evidence.proofs]
    ('PROOF', [(0, 1), (1, 2), (2, 3), (3, 4)])
    """

    name: str
    is_protected: bool
    disclosure: Disclosure
    reports: tuple[ReportEvidence, ...]
    exact: Stretches = ()
    innocent: int | None = None

    @property
    def proofs(self) -> tuple[ReportEvidence, ...]:
        """The reports that prove something, apart from what is sent exactly as the form says."""
        return tuple(report for report in self.reports if report.proves)

    @property
    def harmful_proofs(self) -> tuple[ReportEvidence, ...]:
        """The proofs of anything but the innocent answer; none where nothing is protected."""
        if not self.is_protected:
            return ()
        return tuple(
            report
            for report in self.proofs
            if any(is_harmful(claim, self.innocent) for claim in report.claims)
        )


def is_harmful(claim: Claim, innocent: int | None) -> bool:
    """Say whether a claim is about another answer than the innocent one.

    >>> is_harmful(Claim(ClaimKind.ANSWER, 1), 1), is_harmful(Claim(ClaimKind.ANSWER, 0), 1)
    (False, True)
    """
    names_answer = claim.kind in (ClaimKind.ANSWER, ClaimKind.SET)
    return not (names_answer and claim.position == innocent)


@checked
def report_evidence(question: Question, report: Value) -> ReportEvidence:
    r"""Compute the evidence of one report about the answer behind it, exactly.

    .. math:: S_y = \{x : Q(y|x) > 0\}, \qquad
              \lambda_y = \max_{x, x' \in S_y} \frac{Q(y|x)}{Q(y|x')}

    A report y excludes the answers outside S_y, proves the answer where S_y has a single one, and
    moves the odds of two answers by the ratio of their chances: by at most λ_y inside S_y. A range
    is flat: λ_y is 1. Beside the answer it may prove a part of it: that an item is ticked, in which
    set the answer is, or that it is not the innocent one.

    Parameters
    ----------
    question : Question
        Of a form.
    report : int, tuple of (int, int), or None
        A column of its table or a cell of its line; None is a blank that the person did not choose.

    Raises
    ------
    InputError
        If nobody can send this report to this question.

    References
    ----------
    Warner (1965) for the ratio; Ding & Ding (2022), Definition 1, for ranges.

    >>> from askance_collect.exact.ratio import Table
    >>> from askance_collect.wire import Label
    >>> yn = Label("yes", {}), Label("no", {})
    >>> forced = Table(6, ((6, 0), (1, 5)))
    >>> question = TableQuestion("q", {}, yn, yn, ((0,), (1,)), forced, (0, 1), {})
    >>> no = report_evidence(question, 1)
    >>> no.disclosure.name, no.claims
    ('PROOF', (Claim(kind=<ClaimKind.ANSWER: 'the answer'>, position=1),))
    """
    judged = question.underlying_question if isinstance(question, Choice) else question
    innocent = innocent_position(question)
    if report is None and (blank := _judge_blank(judged, innocent)) is not None:
        return blank
    if report is None or isinstance(judged, FreeText) or not judged.allows(report):
        raise InputError("report", got=report, allowed=f"a report to {question.name}")
    if isinstance(judged, TableQuestion):
        chances = _column(judged, report)
        return _judge(report, chances, _parts(judged), innocent)
    if isinstance(judged, CutsQuestion | RingQuestion):
        assert isinstance(report, tuple)
        return _judge_cell(judged, report, innocent)
    assert isinstance(report, int)
    position = report - judged.line.spacing if isinstance(judged, Number) else report
    return ReportEvidence(
        report=report,
        disclosure=Disclosure.PROOF,
        possible=((position, position + 1),),
        ratio=Fraction(1),
        claims=(Claim(ClaimKind.ANSWER, position),),
    )


@checked
def question_evidence(question: Question) -> QuestionEvidence:
    """Compute the evidence of the reports to a question about the answers behind them, exactly.

    Parameters
    ----------
    question : Question
        Of a form.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Definition 5, for reports that name sets of answers.

    >>> from askance_collect.exact.ratio import Table
    >>> from askance_collect.wire import Label
    >>> yn = Label("yes", {}), Label("no", {})
    >>> forced = Table(6, ((6, 0), (1, 5)))
    >>> about = {"innocent": "no"}
    >>> question = TableQuestion("q", {}, yn, yn, ((0,), (1,)), forced, (0, 1), about)
    >>> evidence = question_evidence(question)
    >>> evidence.disclosure.name, len(evidence.proofs), evidence.harmful_proofs
    ('PROOF', 1, ())
    """
    judged = question.underlying_question if isinstance(question, Choice) else question
    if isinstance(judged, TableQuestion):
        columns = [column for column in range(len(judged.reports)) if judged.allows(column)]
        reports = tuple(report_evidence(question, column) for column in columns)
        answers = [sum(end - first for first, end in report.possible) for report in reports]
        return _collect(question, reports, is_protected=max(answers) > 1)
    if isinstance(judged, CutsQuestion | RingQuestion):
        cells = dict.fromkeys(list_proving_cells(judged))
        innocent = innocent_position(question)
        if innocent is not None and (cell := find_cell_without(judged, innocent)) is not None:
            cells[cell] = None
        reports = tuple(_judge_cell(judged, cell, innocent) for cell in cells)
        if judged.withhold and (blank := _judge_blank(judged, innocent)) is not None:
            reports = *reports, blank
        return _collect(question, reports, is_protected=True)
    return _collect(question, (), is_protected=False)


def innocent_position(question: Question) -> int | None:
    """Find the answer that a form declares to harm nobody: its position, or that of its set.

    Raises
    ------
    FormError
        If it declares one that is no answer of the question.

    >>> from askance_collect.exact import Line
    >>> line, about = Line(0, 3, integer=True), {"innocent": "0"}
    >>> drinks = CutsQuestion("q", {}, line, {}, 1, (1, 1, 1), False, (0, 1), about)
    >>> innocent_position(drinks)
    0
    """
    position = find_innocent(question)
    if position is None and (written := read_about(question).get("innocent")) is not None:
        where = f"{question.name}.about.innocent"
        raise FormError(where, got=written, allowed="an answer of the question")
    return position


def _collect(
    question: Question, reports: tuple[ReportEvidence, ...], *, is_protected: bool
) -> QuestionEvidence:
    exact: Stretches = ()
    least = Disclosure.NOTHING if is_protected else Disclosure.PROOF
    if isinstance(question, CutsQuestion | RingQuestion):
        exact, least = question.open, Disclosure.EXCLUSION
    disclosures = [least, *(report.disclosure for report in reports)]
    return QuestionEvidence(
        name=question.name,
        is_protected=is_protected,
        disclosure=max(disclosures, key=list(Disclosure).index),
        reports=reports,
        exact=exact,
        innocent=innocent_position(question),
    )


def _column(question: TableQuestion, report: Value) -> list[Fraction]:
    """The chance of a report for each answer: of one that is not left blank by chance."""
    assert isinstance(report, int)
    return [Fraction(row[report], question.table.total) for row in question.table.rows]


Part = tuple[ClaimKind, int, frozenset[int]]
"""A part of the answers that a report may prove: its kind, its position, the answers in it."""


def _parts(judged: TableQuestion) -> list[Part]:
    """List the sets of answers that a report proves if only their members can send it."""
    everything = range(len(judged.answers))
    if judged.sets:
        members = (frozenset(positions) for _, positions in judged.sets)
        return [(ClaimKind.SET, index, positions) for index, positions in enumerate(members)]
    parts: list[Part] = [(ClaimKind.ANSWER, x, frozenset([x])) for x in everything]
    for item in range(judged.checkbox_count):
        ticked = frozenset(x for x in everything if x >> item & 1)
        parts.append((ClaimKind.ITEM_TICKED, item, ticked))
        parts.append((ClaimKind.ITEM_LEFT, item, frozenset(everything) - ticked))
    return parts


def _judge(
    report: Value, chances: Sequence[Fraction], parts: Sequence[Part], innocent: int | None
) -> ReportEvidence:
    """Judge a report by its chance for each answer."""
    possible = frozenset(x for x, chance in enumerate(chances) if chance)
    sending = [chances[x] for x in possible]
    ratio = max(sending) / min(sending)
    claims = [Claim(kind, position) for kind, position, part in parts if possible <= part]
    by_answer = all(kind is not ClaimKind.SET for kind, *_ in parts)
    if not claims and by_answer and innocent is not None and innocent not in possible:
        claims = [Claim(ClaimKind.NOT_INNOCENT, innocent)]
    if claims:
        disclosure = Disclosure.PROOF
    elif len(possible) < len(chances):
        disclosure = Disclosure.EXCLUSION
    else:
        disclosure = Disclosure.ODDS if ratio > 1 else Disclosure.NOTHING
    return ReportEvidence(
        report=report,
        disclosure=disclosure,
        possible=_as_stretches(sorted(possible)),
        ratio=ratio,
        claims=tuple(claims),
    )


def _as_stretches(positions: Sequence[int]) -> Stretches:
    stretches: list[tuple[int, int]] = []
    for position in positions:
        if stretches and stretches[-1][1] == position:
            stretches[-1] = stretches[-1][0], position + 1
        else:
            stretches.append((position, position + 1))
    return tuple(stretches)


def _judge_cell(
    question: RangeQuestion, report: tuple[int, int], innocent: int | None
) -> ReportEvidence:
    """Judge a range: it excludes what it does not hold, and is flat inside."""
    low, high = report
    if low > high:
        pieces: Stretches = ((0, high), (low, question.line.ticks))
    else:
        pieces = left_over(question.open, low, high)
    claims = []
    is_exact = question.is_sent_exactly(low) and high == low + 1
    if is_exact or find_proof(question, report) is ProofKind.ANSWER:
        claims = [Claim(ClaimKind.ANSWER, pieces[0][0])]
    elif innocent is not None and not any(first <= innocent < end for first, end in pieces):
        claims = [Claim(ClaimKind.NOT_INNOCENT, innocent)]
    is_whole = sum(end - first for first, end in pieces) == question.line.ticks
    disclosure = Disclosure.NOTHING if is_whole else Disclosure.EXCLUSION
    return ReportEvidence(
        report=report,
        disclosure=Disclosure.PROOF if claims else disclosure,
        possible=pieces,
        ratio=Fraction(1),
        claims=tuple(claims),
    )


def _judge_blank(question: Question, innocent: int | None) -> ReportEvidence | None:
    """Judge a blank that chance leaves, or the rule that withholds narrow ranges, if any does."""
    units, total = question.blank if question.is_randomised else (0, 1)
    if isinstance(question, CutsQuestion) and question.withhold:
        chance = Fraction(units, total)
        chances = [1 - (1 - chance) * (1 - withheld) for withheld in _withheld_chances(question)]
        if any(chances):
            return _judge(None, chances, _numbers(question), innocent)
    if not units or isinstance(question, FreeText):
        return None
    ticks = len(question.possible_answers)
    return ReportEvidence(
        report=None,
        disclosure=Disclosure.NOTHING,
        possible=((0, ticks),),
        ratio=Fraction(1),
    )


def _withheld_chances(question: CutsQuestion) -> list[Fraction]:
    """Compute for each step the exact chance that its range is smaller than the floor."""
    assert question.floor is not None
    upto = np.array(question.floor.cumulative_sizes)
    units = narrowed_units(question.weights, question.number, None)
    small = np.where(upto[None, :] - upto[:, None] < question.floor.minimum, units, 0)
    change = small.sum(axis=1) - small.sum(axis=0)
    draws = sum(question.weights) ** question.number
    return [
        Fraction(0) if question.is_sent_exactly(step) else Fraction(int(withheld), draws)
        for step, withheld in enumerate(np.cumsum(change)[:-1])
    ]


def _numbers(question: CutsQuestion) -> list[Part]:
    """List the steps that are single numbers, so that a blank from one alone proves it."""
    if not question.line.integer or question.line.step != 1:
        return []
    first = 0 if question.line.lower == 0 else 1
    steps = range(first, question.line.ticks - 1)
    return [(ClaimKind.ANSWER, step, frozenset([step])) for step in steps]
