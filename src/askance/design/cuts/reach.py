"""Which coverages can be promised on a line, to as many decimals as an error prints."""

import math

from askance.typing import Floats

ROUND_OFF = 1e-9
_DECIMALS = 10_000


def reach(held: Floats) -> tuple[float, float]:
    """Give the least and the largest coverage, rounded down to four decimals: what each keeps.

    >>> import numpy as np
    >>> reach(np.array([0.50006, 5 / 9, 0.65]))
    (0.5, 0.65)
    """
    least, most = (
        math.floor((float(end) + ROUND_OFF) * _DECIMALS) / _DECIMALS
        for end in (held.min(), held.max())
    )
    return least, most
