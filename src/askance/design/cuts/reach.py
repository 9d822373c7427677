"""Which coverages can be promised on a line, to as many decimals as an error prints."""

import math
from fractions import Fraction

from askance.typing import Floats

ROUND_OFF = 1e-9
_DECIMALS = 10_000


def reach(held: Floats) -> tuple[Fraction, Fraction]:
    """Give the least and the largest coverage, rounded down to four decimals: what each keeps.

    As fractions, since a promise is one: the double next to .52 is more than .52.

    >>> import numpy as np
    >>> reach(np.array([0.50006, 5 / 9, 0.65]))
    (Fraction(1, 2), Fraction(13, 20))
    """
    least, most = (
        Fraction(math.floor((float(end) + ROUND_OFF) * _DECIMALS), _DECIMALS)
        for end in (held.min(), held.max())
    )
    return least, most
