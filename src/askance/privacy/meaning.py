"""What a guarantee promises to one person, in plain words."""

import math
from collections.abc import Callable
from fractions import Fraction

from askance.exact.ratio import percent
from askance.privacy.guarantee import Guarantee, Notion

_MEANINGS = {
    Notion.LOCAL: "No report is more than {} times as likely from one answer as from another.",
    Notion.SHAFER: "Read as evidence, no message is more than {} times as likely from one answer "
    "as from another.",
    Notion.BELIEF: "Read as evidence, the belief in no set of answers differs between two answers "
    "by more than a factor of {}.",
    Notion.PLAUSIBILITY: "Read as evidence, the plausibility of no set of answers differs between "
    "two answers by more than a factor of {}.",
    Notion.WALLEY: "However vague reports are resolved, the odds between two answers move by a "
    "factor of at most {}.",
    Notion.ADVANTAGE: "Whoever holds two answers equally likely beforehand guesses right at most "
    "{} times in 100.",
    Notion.COVERAGE: "An unrelated person's answer would be among those that a report leaves "
    "possible {} times in 100",
    Notion.FLOOR: "Even the most telling report leaves possible what {} of 100 people would answer",
    Notion.FLATNESS: "Of the answers that a report leaves possible, none is more than {} times as "
    "likely to have sent it as another.",
    Notion.SILENCE: "Where nothing is sent, no answer is more than {} times as likely to be the "
    "reason as another.",
    Notion.INFORMATION: "No report makes an answer more than {} times as likely, or as unlikely, "
    "as it was",
}


def meaning(guarantee: Guarantee) -> str:
    """Say what a guarantee promises to one person, in one sentence.

    >>> meaning(Guarantee(Notion.ADVANTAGE, Fraction(1, 2), ""))
    'Whoever holds two answers equally likely beforehand guesses right at most 75 times in 100.'
    """
    if math.isinf(guarantee.value):
        silent = guarantee.notion is Notion.SILENCE
        return f"{'Silence' if silent else 'Some report'} rules an answer out for certain."
    if guarantee.notion is Notion.FLATNESS and guarantee.value == 1:
        return "Every answer that a report leaves possible is as likely to have sent it as another."
    told = _MEANINGS[guarantee.notion]
    match guarantee.notion:
        case Notion.ADVANTAGE:
            return told.format(cautious((1 + Fraction(guarantee.value)) / 2, math.ceil))
        case Notion.COVERAGE | Notion.FLOOR:
            said = told.format(cautious(Fraction(guarantee.value), math.floor))
            return f"{said}, {guarantee.spread}." if guarantee.spread else f"{said}."
        case Notion.INFORMATION:
            said = told.format(guarantee.printed(2))
            return f"{said}, {guarantee.spread}." if guarantee.spread else f"{said}."
    return told.format(guarantee.printed(2))


def cautious(chance: Fraction, rounded: Callable[[Fraction], int]) -> str:
    """Say a chance as a count of 100 people that promises no more than holds.

    >>> cautious(Fraction(2, 3), math.ceil)
    '66.7'
    """
    return percent(Fraction(rounded(chance * 1000), 1000))
