"""From an answer to a report: draws first, in an order that no answer can change, then the answer.

The twin of ``browser/askance.js``; both are held to the vectors in ``wire/vectors``.
"""

import itertools
from collections.abc import Mapping
from typing import Any

from askance.errors import InputError
from askance.exact.draw import Words, pick, uniform_below
from askance.respond import entropy
from askance.wire.form import Form
from askance.wire.question import Choice, CutsQuestion, Number, Question, TableQuestion, Value
from askance.wire.report import Report

Draws = tuple[int, ...]
"""The integers a question's randomness consists of, one below each of its bounds."""


def bounds(question: Question) -> tuple[int, ...]:
    """List what a question draws: an integer below each bound, blank first.

    A plain question draws nothing; a table question draws a column's position; a number draws the
    position of each cut. The list depends on the form alone.
    """
    match question:
        case TableQuestion():
            return question.blank[1], question.table.total
        case CutsQuestion():
            return question.blank[1], *[sum(question.weights)] * question.number
    return ()


def draw(question: Question, words: Words) -> Draws:
    """Draw a question's randomness from a source of 48-bit words."""
    return tuple(uniform_below(bound, words) for bound in bounds(question))


def cells(question: CutsQuestion, draws: Draws) -> tuple[tuple[int, int], ...]:
    """Cut the line at the drawn ticks and list the cells, lowest first."""
    ticks = sorted({pick(question.weights, at) + 1 for at in draws[1:]})
    ends = (0, *ticks, question.line.ticks)
    return tuple(itertools.pairwise(ends))


def encode(question: Question, answer: int | None, draws: Draws) -> Value:
    """Turn an answer into what is sent. Equal draws and equal answers send equal values.

    Parameters
    ----------
    question : Question
    answer : int or None
        The index of an answer, the tick of a plain number, the step ``(i, i + 1]`` of the line that
        holds a protected number, or None for "I'd rather not answer".
    draws : tuple of int
        From `draw`.

    Raises
    ------
    InputError
        If the answer is not one of the question's; the message does not repeat it.
    """
    if answer is None:
        return None
    match question:
        case Choice():
            return _check(answer, len(question.answers), question)
        case Number():
            return _check(answer, question.line.ticks + 1, question)
        case TableQuestion():
            row = question.table.rows[_check(answer, len(question.answers), question)]
            column = pick(row, draws[1])
            return None if draws[0] < question.blank[0] else column
        case CutsQuestion():
            step = _check(answer, question.line.ticks, question)
            cell = next(cell for cell in cells(question, draws) if cell[0] <= step < cell[1])
            return None if draws[0] < question.blank[0] else cell


def respond(form: Form, answers: Mapping[str, Any]) -> Report:
    """Privatise one person's answers with fresh bits from the operating system.

    Parameters
    ----------
    form : Form
    answers : Mapping
        For each question an answer as `encode` takes it; a question left out is not answered.

    Raises
    ------
    InputError
        If there is an answer to a question that the form does not ask.
    """
    unknown = set(answers) - {question.name for question in form.questions}
    if unknown:
        raise InputError("answers", got=sorted(unknown), allowed="names of the form's questions")
    drawn = {question.name: draw(question, entropy.word) for question in form.questions}
    values = {
        question.name: encode(question, answers.get(question.name), drawn[question.name])
        for question in form.questions
    }
    return Report(form.fingerprint, entropy.identifier(), values)


def _check(answer: int, bound: int, question: Question) -> int:
    if type(answer) is not int or not 0 <= answer < bound:
        raise InputError(f"answers.{question.name}", allowed=f"an integer in [0, {bound})")
    return answer
