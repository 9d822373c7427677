"""The other questions of a form that is audited, which are answered by chance."""

from askance_collect.random_bytes import SYSTEM_BYTES
from askance_collect.wire.form import Form
from askance_collect.wire.question import (
    Choice,
    CutsQuestion,
    Question,
    RingQuestion,
    TableQuestion,
    Value,
)


def other_questions(form: Form, question: str) -> tuple[Question, ...]:
    """List the other questions that are answered from a list or on a line."""
    kinds = (TableQuestion, CutsQuestion, RingQuestion, Choice)
    return tuple(
        other for other in form.questions if other.name != question and isinstance(other, kinds)
    )


def choose_answer(question: Question) -> int:
    """Choose one of the answers to a question by chance."""
    if isinstance(question, TableQuestion):
        return question.possible_answers[SYSTEM_BYTES.below(len(question.possible_answers))]
    if isinstance(question, CutsQuestion | RingQuestion):
        return SYSTEM_BYTES.below(question.line.ticks)
    assert isinstance(question, Choice)
    return SYSTEM_BYTES.below(len(question.answers))


def describe_exchange(question: Question, answer: int | None, value: Value | str) -> str:
    """Write an answer to another question and what was sent of it; on a line, by its quarters."""
    quarter = 1.0
    if isinstance(question, CutsQuestion | RingQuestion):
        quarter = question.line.ticks / 4
    if isinstance(value, tuple):
        sent_text = "–".join(f"{end // quarter:.0f}" for end in value)
    else:
        sent_text = "nothing" if value is None else str(value)
    return f"{'blank' if answer is None else f'{answer // quarter:.0f}'}, sent {sent_text}"
