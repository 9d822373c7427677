"""What the columns of an exported table mean, and with what chance each report is sent.

One row for each report and answer: the rows of a question are its design matrix, so that any
program can invert it. A number asked by cuts has one row for each run of equally likely cuts.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from askance.collect.columns import columns, guard, written
from askance.wire.form import Form
from askance.wire.question import Choice, CutsQuestion, Label, Number, Question, TableQuestion

HEADER = (
    "question",
    "kind",
    "columns",
    "report",
    "reads",
    "means",
    "answer",
    "lower",
    "upper",
    "step",
    "numerator",
    "denominator",
    "chance",
)
"""The chance of the report, given the answer, is numerator / denominator exactly."""

_NOTHING = "nothing was sent, whatever the answer"


def codebook(form: Form) -> Iterator[tuple[str, ...]]:
    """Give the rows of the codebook, header first."""
    yield HEADER
    for question in form.questions:
        head = (question.name, question.kind, " ".join(columns(form)[question.name]))
        for row in _rows(question, form.languages[0]):
            yield (*head, *row)


def _rows(question: Question, language: str) -> Iterator[tuple[str, ...]]:
    match question:
        case Choice():
            for label in question.answers:
                named = (guard(label.name), guard(label.wording[language]))
                yield (*named, named[0], named[0], "", "", "", *_chance(Fraction(1)))
        case Number():
            ends = (written(question.line.lower), written(question.line.upper))
            unit = guard(question.unit[language])
            yield "number", unit, "", "", *ends, written(question.line.step), *_chance(Fraction(1))
        case TableQuestion():
            yield from _table(question, language)
        case CutsQuestion():
            yield from _cuts(question, language)


def _table(question: TableQuestion, language: str) -> Iterator[tuple[str, ...]]:
    sent = 1 - Fraction(*question.blank)
    for column, label in enumerate(question.reports):
        head = (
            guard(label.name),
            guard(label.wording[language]),
            _means([question.answers[at] for at in question.means[column]]),
        )
        for row, answer in enumerate(question.answers):
            chance = sent * question.table.chance(row, column)
            yield *head, guard(answer.name), "", "", "", *_chance(chance)
    if sent != 1:
        for answer in question.answers:
            named = ("", _NOTHING, _means(question.answers), guard(answer.name))
            yield *named, "", "", "", *_chance(1 - sent)


def _cuts(question: CutsQuestion, language: str) -> Iterator[tuple[str, ...]]:
    line, total = question.line, sum(question.weights)
    unit = guard(question.unit[language])
    whole = (written(line.lower), written(line.upper), written(line.step))
    yield "line", unit, "", "", *whole, "", "", ""
    law = f"each of {question.number} independent cuts; the piece that holds the answer is sent"
    for weight, run in groupby(range(1, line.ticks), lambda tick: question.weights[tick - 1]):
        ticks = list(run)
        ends = (written(line.at(ticks[0])), written(line.at(ticks[-1])))
        yield "cut", law, "", "", *ends, whole[2], *_chance(Fraction(weight, total))
    if question.blank[0]:
        yield "", _NOTHING, "", "", *whole, *_chance(Fraction(*question.blank))


def _means(answers: Sequence[Label]) -> str:
    return guard(" | ".join(answer.name for answer in answers))


def _chance(chance: Fraction) -> tuple[str, str, str]:
    return str(chance.numerator), str(chance.denominator), f"{float(chance):.12g}"
