"""The acceptable range as a person writes it, in numbers, and as a line counts it, in ticks."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from askance.errors import InputError
from askance.exact.line import Line
from askance.exact.ratio import ratio

Stretch = tuple[Fraction, Fraction]
"""Above the first number, up to the second."""


def read_open(given: Any, where: str) -> tuple[Stretch, ...]:
    """Read the stretches ``(low, high]`` in which an answer is sent exactly.

    Raises
    ------
    InputError
        If they are not pairs of numbers that ascend without touching.

    >>> read_open([[0, 1], ["5/2", 4]], "open")
    ((Fraction(0, 1), Fraction(1, 1)), (Fraction(5, 2), Fraction(4, 1)))
    """
    listed = isinstance(given, Sequence) and not isinstance(given, str)
    pairs = given if listed else [given]
    if not all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in pairs):
        raise InputError(where, got=given, allowed="pairs of numbers [[low, high], …]")
    ends = [ratio(end, where) for pair in pairs for end in pair]
    if any(low >= high for low, high in pairwise(ends)):
        raise InputError(
            where,
            got=", ".join(map(str, ends)),
            allowed="stretches above low, up to high, that ascend and do not touch",
        )
    return tuple(zip(ends[::2], ends[1::2], strict=True))


def on_ticks(line: Line, stretches: Sequence[Stretch], where: str) -> tuple[tuple[int, int], ...]:
    """Find the ticks at which stretches end.

    Raises
    ------
    InputError
        If one does not end at ticks of the line, or they fill it.

    >>> on_ticks(Line(10, 30, 5), [(Fraction(15), Fraction(25))], "open")
    ((1, 3),)
    """
    found = [[(end - line.lower) / line.step for end in stretch] for stretch in stretches]
    whole = all(at.denominator == 1 and 0 <= at <= line.ticks for pair in found for at in pair)
    if not whole or [0, line.ticks] in found:
        raise InputError(
            where,
            got=open_written(stretches),
            allowed=f"ends from {line.lower} to {line.upper} by steps of {line.step}, and not "
            "the whole line",
        )
    return tuple((int(low), int(high)) for low, high in found)


def open_written(stretches: Sequence[Stretch]) -> str:
    """Write stretches as a survey file would.

    >>> open_written([(Fraction(0), Fraction(5, 2))])
    '[[0, 5/2]]'
    """
    return f"[{', '.join(f'[{low}, {high}]' for low, high in stretches)}]"
