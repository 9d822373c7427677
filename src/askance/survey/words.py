"""What a question as deployed does to an answer, in plain sentences."""

import math
from fractions import Fraction

from askance.exact.ratio import percent
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.interval import narrowest
from askance.survey.deployed import range_channel_of
from askance.wire.question import Choice, CutsQuestion, Number, Question, TableQuestion

_MEANINGS = {
    Notion.LOCAL: "No report is more than {} times as likely from one answer as from another.",
    Notion.SHAFER: "Read as evidence, no message is more than {} times as likely from one answer "
    "as from another.",
    Notion.WALLEY: "However vague reports are resolved, the odds between two answers move by a "
    "factor of at most {}.",
    Notion.ADVANTAGE: "Whoever holds two answers equally likely beforehand guesses right at most "
    "{} times in 100.",
    Notion.COVERAGE: "If numbers were spread evenly, an unrelated person's would lie in the "
    "reported range {} times in 100.",
    Notion.FLATNESS: "Inside the reported range no number is more than {} times as likely to have "
    "sent it as another.",
}


def sentences(question: Question) -> tuple[str, ...]:
    """Say what is sent, in counts of 100 people or as the ranges that can be sent.

    >>> from askance.wire.question import Choice, Label
    >>> sentences(Choice("q", {}, (Label("a", {}), Label("b", {}))))
    ('Sent as it is given: this question is not protected.',)
    """
    match question:
        case TableQuestion():
            return tuple(_row(question, at) for at in range(len(question.answers)))
        case CutsQuestion():
            return _cut(question)
        case Choice() | Number():
            return ("Sent as it is given: this question is not protected.",)


def meaning(guarantee: Guarantee) -> str:
    """Say what a guarantee promises to one person, in one sentence.

    >>> meaning(Guarantee(Notion.ADVANTAGE, Fraction(1, 2), ""))
    'Whoever holds two answers equally likely beforehand guesses right at most 75 times in 100.'
    """
    if math.isinf(guarantee.value):
        return "Some report rules an answer out for certain."
    told = _MEANINGS[guarantee.notion]
    match guarantee.notion:
        case Notion.ADVANTAGE:
            return told.format(percent((1 + Fraction(guarantee.value)) / 2))
        case Notion.COVERAGE:
            return told.format(percent(Fraction(guarantee.value)))
    return told.format(guarantee.printed(2))


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
    nothing = [f"{percent(blank)} send nothing"] if blank else []
    sent = ", ".join(shares + nothing)
    return f"Of 100 people whose answer is {question.answers[at].name}, {sent}."


def _cut(question: CutsQuestion) -> tuple[str, ...]:
    line, unit = question.line, next(iter(question.unit.values()), "")
    cuts = [line.at(tick) for tick, weight in enumerate(question.weights, start=1) if weight]
    times = "one number" if question.number == 1 else f"{question.number} numbers"
    width = narrowest(range_channel_of(question)) * line.step
    blank = Fraction(*question.blank)
    told = (
        f"The device draws {times} between {_plain(cuts[0])} and {_plain(cuts[-1])} {unit}".rstrip()
        + "; what is sent is the range between them that holds the answer.",
        f"The narrowest range that can be sent spans {_plain(width)} {unit}".rstrip() + ".",
        "What is sent is always true.",
    )
    nothing = f"Of 100 people, {percent(blank)} send nothing, whatever their answer."
    return (*told, nothing) if blank else told


def _plain(number: Fraction) -> str:
    return str(number) if number.denominator == 1 else f"{float(number):g}"
