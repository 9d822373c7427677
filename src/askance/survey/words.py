"""What a question as deployed does to an answer, in plain sentences."""

import math
from fractions import Fraction
from functools import partial

from askance.exact.ratio import percent
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.interval import narrowest
from askance.privacy.meaning import meaning as meaning
from askance.survey.deployed import range_channel_of
from askance.wire.question import Choice, CutsQuestion, Number, Question, TableQuestion


def sentences(question: Question) -> tuple[str, ...]:
    """Say what is sent, in counts of 100 people or as the ranges that can be sent.

    >>> from askance.wire.question import Choice, Label
    >>> sentences(Choice("q", {}, (Label("a", {}), Label("b", {}))))
    ('Sent as it is given: this question is not protected.',)
    """
    match question:
        case TableQuestion():
            return _alike(question) or tuple(
                map(partial(_row, question), range(len(question.answers)))
            )
        case CutsQuestion():
            return _cut(question)
        case Choice() | Number():
            return ("Sent as it is given: this question is not protected.",)


def figure(guarantee: Guarantee) -> str:
    """Print a guarantee as its figure, rounded towards caution.

    >>> figure(Guarantee(Notion.LOCAL, Fraction(6), ""))
    'ε = 1.791760 (ratio 6)'
    """
    if not guarantee.notion.is_loss:
        return guarantee.printed(4)
    if guarantee.notion is Notion.FLATNESS:
        return f"ratio {guarantee.printed(4)}"
    if math.isinf(guarantee.value):
        return "ε = ∞"
    return f"ε = {guarantee.epsilon:.6f} (ratio {guarantee.printed(4)})"


def _row(question: TableQuestion, at: int) -> str:
    blank = Fraction(*question.blank)
    shares = [
        f"{percent(chance * (1 - blank))} send {report.name}"
        for chance, report in zip(question.table.row(at), question.reports, strict=True)
        if chance
    ]
    sent = ", ".join(shares + _nothing(blank))
    return f"Of 100 people whose answer is {question.answers[at].name}, {sent}."


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
        f"{percent(chance)} send {report.name}"
        for chance, report in zip(rest[k - 2 :], question.reports[k:], strict=True)
    ]
    others = f"{percent(another)} send each of the {k - 1} other answers"
    sent = ", ".join([f"{percent(own)} send it", others, *silent, *_nothing(1 - spoken)])
    return (f"Of 100 people, whatever their answer, {sent}.",)


def _nothing(blank: Fraction) -> list[str]:
    return [f"{percent(blank)} send nothing"] if blank else []


def _cut(question: CutsQuestion) -> tuple[str, ...]:
    line, unit = question.line, next(iter(question.unit.values()))
    cuts = [line.at(tick) for tick, weight in enumerate(question.weights, start=1) if weight]
    between = f"between {_plain(cuts[0])} and {_plain(cuts[-1])} {unit}".rstrip()
    if question.number == 1:
        drawn = f"The device draws a number {between}"
        sent = "what is sent is whether the answer is above it."
        ends = f'"{_plain(cuts[0])} or less" and "more than {_plain(cuts[-1])}"'
        most = f"The most telling reports are {ends}."
    else:
        width = _plain(narrowest(range_channel_of(question)) * line.step)
        drawn = f"The device draws {question.number} numbers {between}"
        sent = "what is sent is the range between them that holds the answer."
        most = f"The most telling report is a range that is {width} {unit}".rstrip() + " wide."
    nothing = _nothing(Fraction(*question.blank))
    blank = tuple(f"Of 100 people, whatever their answer, {told}." for told in nothing)
    return (f"{drawn}; {sent}", most, *blank, "What is sent is always true.")


def _plain(number: Fraction) -> str:
    return str(number) if number.denominator == 1 else f"{float(number):g}"
