"""Ends of pieces as they were given: which hold one number alone, which ends are inside."""

import numpy as np

from askance.typing import Booleans, Floats

_CLOSE = 2 * np.finfo(float).eps  # more than neighbouring doubles are apart, as a part of either
_ROUNDER = 8  # digits that the neighbouring double is shorter by, where an end was moved to it
_FAINTEST = 2 * np.finfo(float).tiny  # and near zero, where the gaps no longer shrink


def single_numbers(lower: Floats, upper: Floats) -> Booleans:
    """Say of each piece ``(lower, upper]`` whether its upper end is the next double.

    >>> single_numbers(np.array([np.nextafter(3, 0), 0.0]), np.array([3.0, np.inf])).tolist()
    [True, False]
    """
    with np.errstate(over="ignore"):
        single = upper - lower < _CLOSE * np.abs(upper) + _FAINTEST  # few are left to look at
    near = np.flatnonzero(single)
    single[near] = np.nextafter(lower[near], np.inf) == upper[near]
    return np.asarray(single)


def as_given(low: float, high: float) -> tuple[str, float, float, str]:
    """Give the ends of ``(low, high]`` with their brackets, one double moved back where moved.

    A closed lower end and an open upper end are held as the double below: it is told by how many
    more digits it takes to write.

    >>> as_given(np.nextafter(16, 0), 20.0), as_given(16.0, np.nextafter(20, 0))
    (('[', 16.0, 20.0, ']'), ('(', 16.0, 20.0, ')'))
    """
    first, past = (float(np.nextafter(end, np.inf)) + 0.0 for end in (low, high))  # no −0
    opens = ("[", first) if _rounder(first, low) else ("(", float(low))
    closes = (past, ")") if _rounder(past, high) else (float(high), "]")
    return *opens, *closes


def _rounder(one: float, other: float) -> bool:
    if not np.isfinite(other):
        return False
    return one == 0 or len(repr(float(other))) - len(repr(one)) >= _ROUNDER
