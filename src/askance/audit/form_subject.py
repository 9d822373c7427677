"""A question of a form, as a subject of an audit: answered as a respondent's device does."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar, final

import numpy as np

from askance.audit.other_questions import choose_answer, describe_exchange, other_questions
from askance.audit.subject import (
    LENGTH,
    MOST_CHANCES,
    NOTHING,
    AbstractSubject,
    Responses,
    table_law,
)
from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.channels.range_channel import range_written
from askance.survey.deployed import deployed
from askance.survey.random_ranges import ProtectedNumber
from askance.typing import Integers
from askance_collect.errors import InputError
from askance_collect.respond.encode import draw, encode, follow_skips, identifier, word
from askance_collect.wire.form import Form
from askance_collect.wire.question import CutsQuestion, Question, RingQuestion, TableQuestion, Value
from askance_collect.wire.report import Report

_STEPS = 64  # numbers on a line that are tried, at most


@final
@dataclass(frozen=True, slots=True)
class FormSubject(AbstractSubject):
    """A question of a form, answered as a respondent's device does, to be audited.

    Of a number every step of its line is tried; of more than 64 so many, the ends among them. The
    other questions are answered by chance, so that it is seen whether a report depends on them.
    Beside each report are the whole message, its length, and how many random words were drawn.

    Attributes
    ----------
    form : Form
    question : str
        The name of a protected question whose report the device draws.

    Raises
    ------
    InputError
        If the question is asked plainly, or protected by a coin in the world, or its channel has
        more than 2^20 chances.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> subject = FormSubject(form, "affair")
    >>> subject.answers, subject.stated_channel.reports
    (('yes', 'no'), ('yes', 'no', "don't know", 'nothing sent'))
    >>> subject.respond(np.array([0, 1])).traces["length in bytes"].tolist()
    [256.0, 256.0]
    """

    form: Form = field(repr=False)
    question: str
    name: str = field(init=False, repr=False)
    answers: tuple[str, ...] = field(init=False, repr=False)
    stated_channel: Channel = field(init=False, repr=False)
    _steps: tuple[int, ...] = field(init=False, repr=False)
    constant: ClassVar[tuple[str, ...]] = (LENGTH,)

    def __post_init__(self) -> None:
        stated_channel, steps = _state_law(self._wire_question)
        object.__setattr__(self, "name", self.question)
        object.__setattr__(self, "answers", stated_channel.frame.answers)
        object.__setattr__(self, "stated_channel", stated_channel)
        object.__setattr__(self, "_steps", steps)

    @property
    def _wire_question(self) -> Question:
        return self.form.question(self.question)

    def respond(self, places: Integers) -> Responses:
        """Answer the question, and the others by chance; the message is written out whole."""
        spell, others = _name_values(self._wire_question), other_questions(self.form, self.question)
        columns: dict[str, list[str]] = {question.name: [] for question in others}
        reports, messages, words_drawn = [], [], []
        for position in places.tolist():
            answers = self._answer_all(self._steps[position], others)
            values, counted = self._draw_values(answers)
            value = values[self.question]
            assert not isinstance(value, str)  # a text has no law
            report = Report(self.form.fingerprint, identifier(), values)
            messages.append(report.body(self.form.size))
            words_drawn.append(counted)
            reports.append(spell(value))
            for question in others:
                columns[question.name].append(
                    describe_exchange(question, answers[question.name], values[question.name])
                )
        traces = {
            LENGTH: np.array([len(message) for message in messages], float),
            "words drawn": np.array(words_drawn, float),
        }
        return Responses(
            reports=tuple(reports),
            traces=traces,
            other_answers={name: tuple(column) for name, column in columns.items()},
            messages=tuple(messages),
        )

    def _answer_all(self, step: int, others: Sequence[Question]) -> dict[str, Any]:
        """Answer all questions; this one alone where the others would let it be skipped."""
        chosen = {question.name: choose_answer(question) for question in others}
        answers = follow_skips(self.form, chosen | {self.question: step})
        if answers[self.question] == step:
            return answers
        return {question.name: None for question in self.form.questions} | {self.question: step}

    def _draw_values(self, answers: dict[str, Any]) -> tuple[dict[str, Any], int]:
        """Draw what is sent of every question, and count the words that this one's draws took."""
        values: dict[str, Any] = {}
        for question in self.form.questions:
            words, counted = _count_words()
            values[question.name] = encode(question, answers[question.name], draw(question, words))
            if question.name == self.question:
                many = len(counted)
        return values, many


def _count_words() -> tuple[Callable[[], int], list[None]]:
    """Random words of the operating system, with a counter."""
    counted: list[None] = []

    def words() -> int:
        counted.append(None)
        return word()

    return words, counted


def _name_values(question: Question) -> Callable[[Value], str]:
    """Say how a value of a question is called among the reports of its stated channel."""
    if isinstance(question, TableQuestion):
        names = [report.name for report in question.reports]
        return lambda value: names[value] if isinstance(value, int) else NOTHING
    ranges = _deploy_number(question).channel
    named: Callable[[Any], str] = cache(lambda cell: range_written(ranges, *cell))
    return lambda value: NOTHING if value is None else named(value)


def _state_law(question: Question) -> tuple[Channel, tuple[int, ...]]:
    """The stated channel of a question, and the answers that are tried as a device takes them."""
    if isinstance(question, TableQuestion):
        return table_law(question), tuple(question.possible_answers)
    if isinstance(question, CutsQuestion | RingQuestion):
        return _state_ranges_law(question)
    raise InputError(
        f"audit.{question.name}",
        got="a question whose report no device draws",
        allowed="a question that a mechanism of the form protects",
    )


def _state_ranges_law(question: CutsQuestion | RingQuestion) -> tuple[Channel, tuple[int, ...]]:
    """The law of the ranges at some steps of the line, exactly, as a channel of named answers."""
    line, ranges = question.line, _deploy_number(question).channel
    steps = tuple(sorted({round(i * (line.ticks - 1) / (_STEPS - 1)) for i in range(_STEPS)}))
    names = {step: f"{float(line.value_at(step + 1)):.15g}" for step in steps}
    steps_by_cell: dict[tuple[int, int], list[int]] = {}
    for low, high in ranges.cells()[0].tolist():
        pieces = ranges.pieces(low, high)
        inside = [step for step in steps if any(low <= step < high for low, high in pieces)]
        steps_by_cell |= {(low, high): inside} if inside else {}
    if len(steps_by_cell) * len(steps) > MOST_CHANCES:
        problem, allowed = (
            f"{len(steps_by_cell):,} ranges",
            f"{MOST_CHANCES // len(steps):,} at most",
        )
        raise InputError(f"audit.{question.name}", got=problem, allowed=allowed)
    share_sent = 1 - Fraction(*question.blank)
    chances = {cell: share_sent * ranges.cell_chance(*cell) for cell in steps_by_cell}
    rows = [
        [chances[cell] * (step in inside) for cell, inside in steps_by_cell.items()]
        for step in steps
    ]
    silent = [1 - sum(row, Fraction(0)) for row in rows]
    spell, frame = _name_values(question), Frame([names[step] for step in steps])
    reports = {
        spell(cell): [names[step] for step in inside] for cell, inside in steps_by_cell.items()
    }
    if not any(silent):
        return Channel(frame, reports, rows), steps
    rows = [[*row, rest] for row, rest in zip(rows, silent, strict=True)]
    return Channel(frame, reports | {NOTHING: list(frame.answers)}, rows), steps


def _deploy_number(question: Question) -> ProtectedNumber:
    built = deployed(question)
    assert isinstance(built, ProtectedNumber)  # no other kind without a table is audited
    return built
