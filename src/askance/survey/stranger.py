"""What whoever sees a report learns, and what nobody can bound: for reports that never lie."""

import math
from fractions import Fraction

from askance.exact.ratio import percent
from askance.privacy.guarantee import EVENLY, cautious
from askance.privacy.interval_privacy import Silence, silence
from askance.survey.deployed import range_channel_of, sizes_of, spread_of
from askance.wire.question import CutsQuestion, RangeQuestion, TableQuestion


def learnt(question: RangeQuestion | TableQuestion) -> tuple[str, ...]:
    """Say what a stranger learns from a report, from its absence and from stopping.

    >>> from askance.wire.question import read_question
    >>> raw = {"kind": "cuts", "name": "q", "text": {"en": ""}, "ask": "cells", "about": {}}
    >>> raw |= {"line": {"lower": "0", "step": "1", "ticks": 3, "unit": {"en": ""}}}
    >>> cuts = {"number": 1, "weights": [1, 1], "floor": None, "open": []}
    >>> raw |= {"cuts": cuts, "typed": False, "blank": [0, 1]}
    >>> learnt(read_question(raw, ["en"], "q"))
    ('Whoever sees a report learns for certain that the answer fits it, and nothing more.',)
    """
    told = ["Whoever sees a report learns for certain that the answer fits it, and nothing more."]
    if isinstance(question, CutsQuestion):
        told += _exact(question)
        told += _passed_over(question)
        told += _stops(question)
        told += _silent(question)
    return tuple(told)


def _exact(question: CutsQuestion) -> list[str]:
    steps = sum(high - low for low, high in question.open)
    if not steps:
        return []
    share = percent(Fraction(steps, question.line.ticks))
    return [f"{EVENLY.capitalize()}, {share} of 100 people would be sent exactly."]


def _passed_over(question: CutsQuestion) -> list[str]:
    if question.floor is None or question.withhold:
        return []
    return ["What was passed over tells nothing: that is settled before the answer is looked at."]


def _stops(question: CutsQuestion) -> list[str]:
    if not question.narrow:
        return []
    return [
        "Who stops early may do so because of the answer. What that tells is not bounded, though "
        "the range that is sent is only wider for it."
    ]


def _silent(question: CutsQuestion) -> list[str]:
    if not question.withhold:
        return []
    found, shares = silence_of(question)
    low = cautious(min(found.chances), math.floor)
    high = cautious(max(found.chances), math.ceil)
    chance = cautious(found.by_chance(shares), math.floor)
    return [
        f"Of 100 people with one answer, {low} to {high} send nothing, by what the answer is.",
        f"Of 100 who send nothing, {spread_of(question)}, chance alone silenced {chance}.",
    ]


def silence_of(question: CutsQuestion) -> tuple[Silence, tuple[Fraction, ...]]:
    """Give what silence tells, and the shares by which to average it."""
    sizes = sizes_of(question)
    shares = tuple(Fraction(size, sum(sizes)) for size in sizes)
    return silence(range_channel_of(question), Fraction(*question.blank)), shares


def warnings_of(question: CutsQuestion) -> tuple[str, ...]:
    """Say what a survey should be changed for."""
    if not question.withhold:
        return ()
    found, shares = silence_of(question)
    least = found.least_blank(shares)
    if found.blank >= least:
        return ()
    return (
        f"{question.name}: nothing sent is more often a narrow range than chance. From a blank of "
        f"{-(-least.numerator * 1000 // least.denominator) / 1000} on, chance is the likelier "
        f"reason, {spread_of(question)}.",
    )
