"""Unbiased draws below a bound from random words: what a device draws with."""

from collections.abc import Callable, Sequence

from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.ratio import LARGEST_TOTAL

Words = Callable[[], int]
"""A source of independent words, each uniform on 0 … 2^48 − 1."""


@checked
def uniform_below(bound: object, words: Words) -> int:
    """Draw an integer uniform on 0 … bound − 1, exactly.

    Words in the incomplete last run of ``bound`` are thrown away (von Neumann's rejection), so how
    many words are used depends on chance and on ``bound`` alone, never on an answer.

    Parameters
    ----------
    bound : int
        From 1 to 2^48.
    words : callable
        Another word with each call, uniform on 0 … 2^48 − 1: ``lambda: secrets.randbits(48)``.

    Raises
    ------
    InputError
        If the bound or a word is not a whole number in its range.

    >>> from askance_collect.exact import uniform_below
    >>> stream = iter([2**48 - 1, 7])
    >>> uniform_below(10, lambda: next(stream))
    7
    """
    if type(bound) is not int or not 1 <= bound <= LARGEST_TOTAL:
        raise InputError("bound", got=bound, allowed=f"an integer in [1, {LARGEST_TOTAL}]")
    return drawn_below(bound, words)


def drawn_below(bound: int, words: Words) -> int:
    """Draw as `uniform_below` does, below a bound that is known to be one: a device's own draws.

    >>> drawn_below(10, lambda: 7)
    7
    """
    limit = LARGEST_TOTAL - LARGEST_TOTAL % bound
    while True:
        word = words()
        if type(word) is not int or not 0 <= word < LARGEST_TOTAL:
            raise InputError("words", allowed="a source of whole numbers in [0, 2^48)")
        if word < limit:
            return word % bound


def pick(weights: Sequence[int], position: int) -> int:
    """Say which weight covers ``position`` when they are laid end to end.

    Each is covered by as many positions as it says, a weight of nothing by none.

    >>> [pick((3, 0, 1, 2), position) for position in range(6)]
    [0, 0, 0, 2, 3, 3]
    >>> pick((3, 0, 1, 2), 6)
    Traceback (most recent call last):
    askance_collect.errors.InputError: position: got 'past the end'; allowed: less than 6
    """
    for index, weight in enumerate(weights):
        position -= weight
        if position < 0:
            return index
    raise InputError("position", got="past the end", allowed=f"less than {sum(weights)}")
