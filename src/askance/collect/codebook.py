"""What the columns of an exported table mean, and with what chance each report is sent.

One row for each report and answer: the rows of a question are its design matrix, so that any
program can invert it. A number asked by cuts has one row for each run of equally likely cuts.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from askance.collect.columns import columns, guard, written
from askance.exact.line import Line
from askance.wire.form import Form
from askance.wire.question import (
    Choice,
    CutsQuestion,
    Label,
    Number,
    Question,
    RangeQuestion,
    RingQuestion,
    TableQuestion,
)

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
_CUT = "each of {} independent cuts; the piece that holds the answer is sent"
_RING = "two cuts a < b drawn together by the product of their weights; above > upto is the outside"
_SKIPPED = "size; a cut that leaves less than {} on a side of its range is passed over"
_HELD = "size; a range of less than {} is not sent"
_NEVER = "size; a pair whose inside or outside has less than {} is never drawn"
_EXACT = "an answer in here is sent exactly; no other range includes it"


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
        case CutsQuestion() | RingQuestion():
            yield from _ranges(question, language)


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


def _ranges(question: RangeQuestion, language: str) -> Iterator[tuple[str, ...]]:
    line, unit = question.line, guard(question.unit[language])
    whole = (written(line.lower), written(line.upper), written(line.step))
    yield "line", unit, "", "", *whole, "", "", ""
    if isinstance(question, RingQuestion):
        law, rule = _RING, _NEVER
    else:
        law, rule = _CUT.format(question.number), _HELD if question.withhold else _SKIPPED
    yield from _runs("cut", law, line, question.weights, 1)
    if question.floor is not None:
        least = Fraction(question.floor.least, question.floor.total)
        yield from _runs("size", rule.format(least), line, question.floor.sizes, 0)
    for low, high in question.open:
        ends = (written(line.at(low)), written(line.at(high)))
        yield "open", _EXACT, "", "", *ends, whole[2], *_chance(Fraction(1))
    if question.blank[0]:
        yield "", _NOTHING, "", "", *whole, *_chance(Fraction(*question.blank))


def _runs(
    report: str, law: str, line: Line, units: Sequence[int], first: int
) -> Iterator[tuple[str, ...]]:
    """Give one row for each run of equal units: of ticks, or of steps named by their two ends."""
    total, step = sum(units), written(line.step)
    places = range(first, first + len(units))
    for unit, run in groupby(places, lambda at: units[at - first]):
        at = list(run)
        ends = (written(line.at(at[0])), written(line.at(at[-1] + 1 - first)))
        yield report, law, "", "", *ends, step, *_chance(Fraction(unit, total))


def _means(answers: Sequence[Label]) -> str:
    return guard(" | ".join(answer.name for answer in answers))


def _chance(chance: Fraction) -> tuple[str, str, str]:
    return str(chance.numerator), str(chance.denominator), f"{float(chance):.12g}"
