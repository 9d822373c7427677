"""A question of a form, as a subject of an audit: answered as a respondent's device does."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar, final

import numpy as np

from askance.audit.other_questions import answered_and_sent, choose_answer, other_questions
from askance.audit.subject import (
    LENGTH,
    MOST_CHANCES,
    NOTHING,
    AbstractSubject,
    Heard,
    table_law,
)
from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.channels.range_channel import range_written
from askance.errors import InputError
from askance.respond.encode import draw, encode, follow_skips, identifier, word
from askance.survey.deployed_numbers import ProtectedNumber
from askance.survey.publish import deployed
from askance.typing import Integers
from askance.wire.answer_question import TableQuestion
from askance.wire.form import Form
from askance.wire.question import CutsQuestion, Question, RingQuestion, Value
from askance.wire.report import Report

_STEPS = 64  # numbers on a line that are tried, at most


@final
@dataclass(frozen=True, slots=True)
class AskedForm(AbstractSubject):
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
    >>> subject = AskedForm(form, "affair")
    >>> subject.answers, subject.stated.reports
    (('yes', 'no'), ('yes', 'no', "don't know", 'nothing sent'))
    >>> subject.hear(np.array([0, 1])).traces["length in bytes"].tolist()
    [256.0, 256.0]
    """

    form: Form = field(repr=False)
    question: str
    name: str = field(init=False, repr=False)
    answers: tuple[str, ...] = field(init=False, repr=False)
    stated: Channel = field(init=False, repr=False)
    _steps: tuple[int, ...] = field(init=False, repr=False)
    constant: ClassVar[tuple[str, ...]] = (LENGTH,)

    def __post_init__(self) -> None:
        stated, steps = _law_of(self._asked)
        object.__setattr__(self, "name", self.question)
        object.__setattr__(self, "answers", stated.frame.answers)
        object.__setattr__(self, "stated", stated)
        object.__setattr__(self, "_steps", steps)

    @property
    def _asked(self) -> Question:
        return self.form.question(self.question)

    def hear(self, places: Integers) -> Heard:
        """Answer the question, and the others by chance; the message is written out whole."""
        spell, others = _spelling(self._asked), other_questions(self.form, self.question)
        columns: dict[str, list[str]] = {one.name: [] for one in others}
        sent, messages, drawn = [], [], []
        for place in places.tolist():
            given = self._answered(self._steps[place], others)
            values, counted = self._values(given)
            value = values[self.question]
            assert not isinstance(value, str)  # a text has no law
            report = Report(self.form.fingerprint, identifier(), values)
            messages.append(report.body(self.form.size))
            drawn.append(counted)
            sent.append(spell(value))
            for one in others:
                columns[one.name].append(answered_and_sent(one, given[one.name], values[one.name]))
        traces = {
            LENGTH: np.array([len(one) for one in messages], float),
            "words drawn": np.array(drawn, float),
        }
        return Heard(
            reports=tuple(sent),
            traces=traces,
            others={name: tuple(column) for name, column in columns.items()},
            messages=tuple(messages),
        )

    def _answered(self, step: int, others: Sequence[Question]) -> dict[str, Any]:
        """Answer all questions; this one alone where the others would let it be skipped."""
        chosen = {one.name: choose_answer(one) for one in others}
        given = follow_skips(self.form, chosen | {self.question: step})
        if given[self.question] == step:
            return given
        return {one.name: None for one in self.form.questions} | {self.question: step}

    def _values(self, given: dict[str, Any]) -> tuple[dict[str, Any], int]:
        """Draw what is sent of every question, and count the words that this one's draws took."""
        values: dict[str, Any] = {}
        for question in self.form.questions:
            words, counted = _counted()
            values[question.name] = encode(question, given[question.name], draw(question, words))
            if question.name == self.question:
                many = len(counted)
        return values, many


def _counted() -> tuple[Callable[[], int], list[None]]:
    """Fresh words of the operating system, and how many were drawn."""
    counted: list[None] = []

    def words() -> int:
        counted.append(None)
        return word()

    return words, counted


def _spelling(question: Question) -> Callable[[Value], str]:
    """Say how a value of a question is called among the reports of its stated channel."""
    if isinstance(question, TableQuestion):
        names = [report.name for report in question.reports]
        return lambda value: names[value] if isinstance(value, int) else NOTHING
    ranges = _protected(question).channel
    named: Callable[[Any], str] = cache(lambda cell: range_written(ranges, *cell))
    return lambda value: NOTHING if value is None else named(value)


def _law_of(question: Question) -> tuple[Channel, tuple[int, ...]]:
    """The stated channel of a question, and the answers that are tried as a device takes them."""
    if isinstance(question, TableQuestion):
        return table_law(question), tuple(question.possible)
    if isinstance(question, CutsQuestion | RingQuestion):
        return _ranges_law(question)
    raise InputError(
        f"audit.{question.name}",
        got="a question whose report no device draws",
        allowed="a question that a mechanism of the form protects",
    )


def _ranges_law(question: CutsQuestion | RingQuestion) -> tuple[Channel, tuple[int, ...]]:
    """The law of the ranges at some steps of the line, exactly, as a channel of named answers."""
    line, ranges = question.line, _protected(question).channel
    steps = tuple(sorted({round(at * (line.ticks - 1) / (_STEPS - 1)) for at in range(_STEPS)}))
    names = {step: f"{float(line.at(step + 1)):.15g}" for step in steps}
    held: dict[tuple[int, int], list[int]] = {}
    for low, high in ranges.cells()[0].tolist():
        pieces = ranges.pieces(low, high)
        inside = [step for step in steps if any(low <= step < high for low, high in pieces)]
        held |= {(low, high): inside} if inside else {}
    if len(held) * len(steps) > MOST_CHANCES:
        got, allowed = f"{len(held):,} ranges", f"{MOST_CHANCES // len(steps):,} at most"
        raise InputError(f"audit.{question.name}", got=got, allowed=allowed)
    sent = 1 - Fraction(*question.blank)
    chances = {cell: sent * ranges.cell_chance(*cell) for cell in held}
    rows = [[chances[cell] * (step in inside) for cell, inside in held.items()] for step in steps]
    silent = [1 - sum(row, Fraction(0)) for row in rows]
    spell, frame = _spelling(question), Frame([names[step] for step in steps])
    reports = {spell(cell): [names[step] for step in inside] for cell, inside in held.items()}
    if not any(silent):
        return Channel(frame, reports, rows), steps
    rows = [[*row, one] for row, one in zip(rows, silent, strict=True)]
    return Channel(frame, reports | {NOTHING: list(frame.answers)}, rows), steps


def _protected(question: Question) -> ProtectedNumber:
    built = deployed(question)
    assert isinstance(built, ProtectedNumber)  # no other kind without a table is audited
    return built
