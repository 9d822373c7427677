"""Ranges and numbers of a question in words."""

from fractions import Fraction

from askance.channels.range_channel import left_over
from askance_collect.wire.form_schema import in_first_language
from askance_collect.wire.question import (
    RangeQuestion,
)

BY_SIZES, BY_PRIOR = "by the sizes in the form", "by the prior in the form"


def describe_range(question: RangeQuestion, cell: tuple[int, int]) -> str:
    """Describe a reported range in words: above its lower end, up to its upper end.

    >>> from askance_collect.wire.question import read_question
    >>> raw = {"kind": "ring", "name": "q", "text": {"en": ""}, "ask": "cells", "about": {}}
    >>> raw |= {"line": {"lower": "0", "step": "500", "ticks": 4, "unit": {"en": "euros"}}}
    >>> ring = {"weights": [1, 1, 1], "sizes": [1, 1, 1, 1], "least": 1}
    >>> question = read_question(raw | {"ring": ring, "typed": False, "blank": [0, 1]}, ["en"], "q")
    >>> [describe_range(question, cell) for cell in [(1, 3), (3, 1)]]
    ['between 500 and 1,500 euros', '500 euros or less, or more than 1,500 euros']
    >>> cuts = {"number": 1, "weights": [1, 0, 1], "floor": None, "open": [[1, 2]]}
    >>> raw |= {"kind": "cuts", "cuts": cuts, "typed": False, "blank": [0, 1]}
    >>> question = read_question(raw, ["en"], "q")
    >>> [describe_range(question, cell) for cell in [(1, 2), (0, 1)]]
    ['1,000 euros', '500 euros or less']
    >>> describe_range(question, (0, 3))
    '1,500 euros or less, but not what is sent exactly'
    >>> describe_range(question, (0, 4))
    'any answer, but not what is sent exactly'
    >>> raw |= {"cuts": cuts | {"open": []}}
    >>> raw |= {"line": {"lower": "-1", "step": "1", "ticks": 4, "unit": {"en": ""}, "whole": True}}
    >>> question = read_question(raw, ["en"], "q")
    >>> [describe_range(question, cell) for cell in [(0, 1), (1, 2), (1, 3), (3, 4)]]
    ['0 or less', '1', '1 to 2', '3 or more']
    """
    low, high = cell
    unit = in_first_language(question.unit)
    if question.is_sent_exactly(low) and high == low + 1:
        return f"{format_number(question.line.value_at(high))} {unit}".rstrip()
    if low > high:
        outer = (0, high), (low, question.line.ticks)
        return ", or ".join(describe_range(question, end) for end in outer)
    if left_over(question.open, *cell) != (cell,):
        return f"{_describe_interval(question, cell, unit)}, but not what is sent exactly"
    return _describe_interval(question, cell, unit)


def format_number(number: Fraction) -> str:
    """Write a number for reading."""
    return f"{number.numerator:,}" if number.denominator == 1 else f"{float(number):,g}"


def _describe_interval(question: RangeQuestion, cell: tuple[int, int], unit: str) -> str:
    low, high = cell
    above, upto = (
        f"{format_number(question.line.value_at(tick))} {unit}".rstrip() for tick in cell
    )
    if (low, high) == (0, question.line.ticks):
        return "any answer"
    if not low:
        return f"{upto} or less"
    if question.line.integer:
        first = format_number(question.line.value_at(low) + 1)
        if high == question.line.ticks:
            return f"{first} {unit}".rstrip() + " or more"
        return (
            upto if first == format_number(question.line.value_at(high)) else f"{first} to {upto}"
        )
    if high == question.line.ticks:
        return f"more than {above}"
    return f"between {format_number(question.line.value_at(low))} and {upto}"
