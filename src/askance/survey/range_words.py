"""What a question that is answered by a range does to an answer, in plain sentences."""

import math
from fractions import Fraction

from askance.channels.range_channel import left_over, within
from askance.exact.ratio import percent
from askance.privacy.guarantee import EVENLY, cautious
from askance.survey.deployed import BY_SIZES, range_channel_of, spread_of
from askance.wire.question import CutsQuestion, RangeQuestion, RingQuestion


def nothing(blank: Fraction) -> list[str]:
    """Say how many of 100 people send nothing; no sentence if nobody does.

    >>> nothing(Fraction(1, 20)), nothing(Fraction(0))
    (['5 send nothing'], [])
    """
    return [f"{percent(blank)} send nothing"] if blank else []


def ranged(question: RangeQuestion) -> tuple[str, ...]:
    """Say what the device draws, what is sent and what the most telling report is."""
    told = _ring(question) if isinstance(question, RingQuestion) else _cut(question)
    blank = nothing(Fraction(*question.blank))
    silent = tuple(f"Of 100 people, whatever their answer, {one}." for one in blank)
    return (*told, *silent, "What is sent is always true.")


def in_words(question: RangeQuestion, cell: tuple[int, int], language: str) -> str:
    """Say a reported range: above its lower end and up to its upper one.

    >>> from askance.wire.question import read_question
    >>> raw = {"kind": "ring", "name": "q", "text": {"en": ""}, "ask": "cells", "about": {}}
    >>> raw |= {"line": {"lower": "0", "step": "500", "ticks": 4, "unit": {"en": "euros"}}}
    >>> ring = {"weights": [1, 1, 1], "sizes": [1, 1, 1, 1], "least": 1}
    >>> question = read_question(raw | {"ring": ring, "typed": False, "blank": [0, 1]}, ["en"], "q")
    >>> [in_words(question, cell, "en") for cell in [(1, 3), (3, 1)]]
    ['between 500 and 1,500 euros', '500 euros or less, or more than 1,500 euros']
    """
    low, high = cell
    unit = question.unit[language]
    if isinstance(question, CutsQuestion) and question.accepts(low) and high == low + 1:
        return f"{plain(question.line.at(high))} {unit}".rstrip()
    if low > high:
        outer = (0, high), (low, question.line.ticks)
        return ", or ".join(in_words(question, end, language) for end in outer)
    if left_over(question.open, *cell) != (cell,):
        return f"{_run(question, cell, unit)}, but not what is sent exactly"
    return _run(question, cell, unit)


def _run(question: RangeQuestion, cell: tuple[int, int], unit: str) -> str:
    low, high = cell
    above, upto = (f"{plain(question.line.at(tick))} {unit}".rstrip() for tick in cell)
    if (low, high) == (0, question.line.ticks):
        return "any answer"
    if not low:
        return f"{upto} or less"
    if high == question.line.ticks:
        return f"more than {above}"
    return f"between {plain(question.line.at(low))} and {upto}"


def _cut(question: CutsQuestion) -> tuple[str, ...]:
    between = _between(question)
    if question.number == 1:
        drawn = f"The device draws a number {between}"
        sent = "what is sent is whether the answer is above it."
    else:
        drawn = f"The device draws {question.number} numbers {between}"
        sent = "what is sent is the range between them that holds the answer."
    if question.narrow:
        sent = "each narrows the range that is sent, for as long as the person agrees."
    return (f"{drawn}; {sent}", *_rules(question), _most_telling(question))


def _most_telling(question: CutsQuestion) -> str:
    cuts = _cuts(question)
    if question.number == 1 and question.floor is None and not question.open:
        ends = f"“{plain(cuts[0])} or less” and “more than {plain(cuts[-1])}”"
        return f"The most telling reports are {ends}."
    return _narrowest(question)


def _rules(question: CutsQuestion) -> tuple[str, ...]:
    told = []
    if question.floor is not None and question.withhold:
        told.append(f"{_size(question)} is not sent; that nothing was sent then tells something.")
    elif question.floor is not None:
        told.append(f"A number that would leave {_size(question, 'a side')} is passed over.")
    for low, high in question.open:
        ends = f"above {plain(question.line.at(low))} up to {plain(question.line.at(high))}"
        told.append(f"An answer {ends} {_unit(question)}".rstrip() + " is sent exactly.")
    return tuple(told)


def _size(question: CutsQuestion, what: str = "A range") -> str:
    floor = question.floor
    assert floor is not None
    share = cautious(Fraction(floor.least, floor.total), math.floor)
    exact = {step for low, high in question.open for step in range(low, high)}
    counted = {size for step, size in enumerate(floor.sizes) if step not in exact}
    spread = EVENLY if len(counted) == 1 else BY_SIZES
    some = " whose answer is not sent exactly" if question.open else ""
    return f"{what} with less than {share} of 100 people{some}, {spread},"


def _ring(question: RingQuestion) -> tuple[str, ...]:
    share = cautious(Fraction(question.floor.least, question.floor.total), math.floor)
    spread = spread_of(question)
    return (
        f"The device draws two numbers {_between(question)}; what is sent is whether the answer is "
        "above the lower and up to the higher one, or not.",
        f"{spread[0].upper()}{spread[1:]}, either holds at least {share} of 100 people.",
        _narrowest(question),
    )


def _cuts(question: RangeQuestion) -> list[Fraction]:
    return [question.line.at(at) for at, weight in enumerate(question.weights, start=1) if weight]


def _between(question: RangeQuestion) -> str:
    cuts = _cuts(question)
    return f"between {plain(cuts[0])} and {plain(cuts[-1])} {_unit(question)}".rstrip()


def _narrowest(question: RangeQuestion) -> str:
    """Say how wide the narrowest range is, beside what is sent exactly."""
    channel = range_channel_of(question)
    ends = channel.cells()[0]
    wide = channel.inside(ends, [1] * channel.line.ticks)[~within(channel.open, ends)]
    told = int(wide[wide > 0].min()) * channel.line.step
    unit = _unit(question)
    size = f"1 wide (unit: {unit})" if unit and told == 1 else f"{plain(told)} {unit}".rstrip()
    end = "." if unit and told == 1 else " wide."
    return f"The most telling report is a range that is {size}{end}"


def _unit(question: RangeQuestion) -> str:
    return next(iter(question.unit.values()))


def plain(number: Fraction) -> str:
    """Write a number for reading."""
    return f"{number.numerator:,}" if number.denominator == 1 else f"{float(number):,g}"
