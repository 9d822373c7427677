"""What a report will look like before anybody is asked, and what whoever sees it learns."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np

from askance.channels.range_channel import within
from askance.exact.ratio import percent
from askance.privacy.coverage import CoverageLaw, coverage_law
from askance.privacy.guarantee import EVENLY, cautious
from askance.privacy.interval_privacy import Silence, set_guarantees, silence
from askance.survey.deployed import channel_of, is_protected, range_channel_of, sizes_of, spread_of
from askance.survey.words import in_words, plain
from askance.typing import Floats, Integers, Json
from askance.wire.question import CutsQuestion, Question, RangeQuestion, RingQuestion, TableQuestion


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


_SHOWN = (0.05, 0.25, 0.5, 0.75, 0.95)
_SAME = 1e-9

Stretches = tuple[tuple[float, float], ...]
"""Parts of what lies between 0 and 1, ascending."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What reports that never lie will look like.

    Attributes
    ----------
    spread : str
        How common answers are taken to be.
    typical : str
        The report whose individual coverage is the median; of several, the likeliest.
    worst : str
        The report that fewest people's answers fit.
    worst_share : str
        How many of 100 people that are.
    law : CoverageLaw
        Of the share of people whose answers a report leaves possible. One that is withheld counts
        as 1, one that chance leaves blank does not count.
    learnt : tuple of str
        What whoever sees the report learns.
    typical_held, worst_held : tuple of (float, float)
        What those two reports hold: stretches of the line, or of the listed answers, from 0 to 1.
    ends : tuple of (str, str)
        What stands at 0 and at 1.
    notes : tuple of str
        What the law takes for granted, such as how reports count that are no ranges.
    """

    spread: str
    typical: str
    worst: str
    worst_share: str
    law: CoverageLaw
    learnt: tuple[str, ...]
    typical_held: Stretches
    worst_held: Stretches
    ends: tuple[str, str]
    notes: tuple[str, ...] = ()

    @property
    def told(self) -> tuple[str, ...]:
        """Typical and worst report, each in a sentence."""
        middle = percent(Fraction(float(self.law.quantile(0.5))).limit_denominator(1000))
        return (
            f"Typically: {self.typical}. Of 100 people, {self.spread}, {middle} would fit.",
            f"At worst: {self.worst}. That would fit {self.worst_share} of 100.",
        )

    def to_dict(self) -> Json:
        """Write the outlook for JSON; numbers as strings, as a form needs them."""
        quantiles = zip(_SHOWN, self.law.quantile(_SHOWN), strict=True)
        return {
            "spread": self.spread,
            "typical": self.typical,
            "worst": self.worst,
            "coverage": {
                "mean": f"{self.law.mean:.4f}",
                "least": f"{self.law.least:.4f}",
                **{f"{share:g}": f"{value:.4f}" for share, value in quantiles},
            },
            "learnt": list(self.learnt),
        }


def outlook(question: Question, language: str) -> Outlook | None:
    """Say what a report will look like; None where reports may lie, or are the answers.

    >>> from askance.survey.survey_file import parse_survey
    >>> from askance.survey.publish import publish
    >>> form = publish(parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Age"
    ... consent = "Voluntary."
    ... [[question]]
    ... name = "age"
    ... text = "How old are you?"
    ... line = { lower = 0, upper = 100, step = 10, unit = "years" }
    ... mechanism = { name = "cuts", number = 1 }
    ... '''))
    >>> for sentence in outlook(form.questions[0], "en").told:
    ...     print(sentence)
    Typically: 70 years or less. Of 100 people, if answers were spread evenly, 70 would fit.
    At worst: 10 years or less. That would fit 10 of 100.
    """
    match question:
        case CutsQuestion() | RingQuestion():
            return _of_ranges(question, language)
        case TableQuestion():
            return _of_sets(question, language)
    return None


def _of_ranges(question: RangeQuestion, language: str) -> Outlook:
    channel, sizes = range_channel_of(question), sizes_of(question)
    shares = np.array(sizes) / sum(sizes)
    ends, chances = channel.cells()
    inside = channel.inside(ends, shares)
    wide = channel.inside(ends, np.ones(channel.line.ticks))
    ranged = np.flatnonzero(~within(channel.open, ends) & (wide > 0))
    worst = _least(inside, ranged)
    typical = _typical(inside, chances * inside)
    whole, unit = question.line.ticks, question.unit[language]

    def held(report: int) -> Stretches:
        pieces = channel.pieces(*ends[report].tolist())
        return tuple((low / whole, high / whole) for low, high in pieces)

    return Outlook(
        spread=spread_of(question),
        typical=in_words(question, tuple(ends[typical].tolist()), language),
        worst=in_words(question, tuple(ends[worst].tolist()), language),
        worst_share=cautious(Fraction(float(inside[worst]) * (1 + _SAME)), int),
        law=coverage_law(channel, shares),
        learnt=learnt(question),
        typical_held=held(typical),
        worst_held=held(worst),
        ends=(plain(question.line.lower), f"{plain(question.line.at(whole))} {unit}".rstrip()),
        notes=_notes(question),
    )


def _notes(question: RangeQuestion) -> tuple[str, ...]:
    told = {
        "nothing sent fits all": question.withhold,
        "what is sent exactly fits its step": bool(question.open),
        "everybody takes every step": question.narrow,
    }
    return tuple(note for note, holds in told.items() if holds)


def _of_sets(question: TableQuestion, language: str) -> Outlook | None:
    channel = channel_of(question)
    if not is_protected(question) or not set_guarantees(channel):
        return None
    k = len(channel.frame)
    chances = channel.matrix.mean(axis=0)
    held = np.array([meant.bit_count() / k for meant in channel.meanings])
    sent = np.flatnonzero(chances > 0)
    names = [f"“{report.wording[language]}”" for report in question.reports]
    worst, typical = _least(held, sent), _typical(held, chances)
    stretches = [
        tuple((x / k, (x + 1) / k) for x in range(k) if meant >> x & 1)
        for meant in channel.meanings
    ]
    return Outlook(
        spread=spread_of(question),
        typical=names[typical],
        worst=names[worst],
        worst_share=cautious(Fraction(float(held[worst]) * (1 + _SAME)), int),
        law=CoverageLaw(values=held, chances=chances, n=0.0),
        learnt=learnt(question),
        typical_held=stretches[typical],
        worst_held=stretches[worst],
        ends=(question.answers[0].wording[language], question.answers[-1].wording[language]),
    )


def _least(held: Floats, among: Integers) -> int:
    return int(among[held[among] < held[among].min() + _SAME][0])


def _typical(held: Floats, chances: Floats) -> int:
    """Find the median by what reports leave possible; of those alike, the likeliest."""
    order = np.argsort(held, kind="stable")
    upto = np.cumsum(chances[order])
    median = held[order[np.searchsorted(upto, upto[-1] / 2 * (1 - _SAME))]]
    alike = np.flatnonzero(np.abs(held - median) < _SAME)
    likeliest = chances[alike].max()
    return int(alike[chances[alike] > likeliest - _SAME][0])
