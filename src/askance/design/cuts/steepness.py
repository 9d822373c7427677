"""How steeply what is to be learnt rises with the answers."""

from collections.abc import Callable
from typing import Any

import numpy as np

from askance.channels.readonly import doubles
from askance.errors import InputError
from askance.typing import Floats

Slope = Callable[[Any], Any]


def steepness(slope: Slope | None) -> Callable[[Floats], Floats]:
    """Give |φ′| of an array of numbers; 1, for the mean itself, if it is left out.

    Raises
    ------
    InputError
        If the slope is no function; from what is given, if it has no number for each number.

    >>> steepness(lambda u: -2 * u)(np.array([1.0, 3.0])).tolist()
    [2.0, 6.0]
    """
    if slope is None:
        return np.ones_like
    if not callable(slope):
        raise InputError("slope", got=slope, allowed="a function of an array of numbers")

    def steep(u: Floats) -> Floats:
        with np.errstate(all="ignore"):
            found = np.abs(doubles(slope(u), "slope"))
        if found.shape not in {(), u.shape}:
            raise InputError(
                "slope",
                got=f"{found.size} numbers for {u.size}",
                allowed="as many numbers, or a single one",
            )
        return found

    return steep
