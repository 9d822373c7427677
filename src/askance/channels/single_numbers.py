"""Which pieces of ranges hold one number alone."""

import numpy as np

from askance.typing import Booleans, Floats

_CLOSE = 2 * np.finfo(float).eps  # more than neighbouring doubles are apart, as a part of either
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
