"""An exact integer draw from random bits, by rejection."""

from collections.abc import Callable, Sequence

from askance.errors import InputError
from askance.exact.table import LARGEST_TOTAL

Words = Callable[[], int]
"""A source of independent words, each uniform on 0 … 2^48 − 1."""


def uniform_below(bound: int, words: Words) -> int:
    """Draw an integer uniform on 0 … bound − 1, exactly.

    Words in the incomplete last run of ``bound`` are thrown away (von Neumann's rejection), so how
    many words are used depends on chance and on ``bound`` alone, never on an answer.

    >>> stream = iter([2**48 - 1, 7])
    >>> uniform_below(10, lambda: next(stream))
    7
    """
    if type(bound) is not int or not 1 <= bound <= LARGEST_TOTAL:
        raise InputError("bound", got=bound, allowed=f"an integer in [1, {LARGEST_TOTAL}]")
    limit = LARGEST_TOTAL - LARGEST_TOTAL % bound
    word = words()
    while word >= limit:
        word = words()
    return word % bound


def pick(weights: Sequence[int], at: int) -> int:
    """Say which weight covers the position ``at`` when they are laid end to end.

    >>> [pick((6, 1, 3), at) for at in (0, 5, 6, 7, 9)]
    [0, 0, 1, 2, 2]
    """
    for index, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return index
    raise InputError("position", got="past the end", allowed=f"less than {sum(weights)}")
