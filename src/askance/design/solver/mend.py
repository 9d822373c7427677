"""Equations that rounding put out of balance, mended."""

import numpy as np

from askance.typing import Floats

_DEPENDENT = 1e-14  # an equation that follows from the others
_LOOSE = 1e-6  # by how much a slack at 0 may still move
_EXACT = 1e-15  # an equation that rounding has not touched


def mended(z: Floats, rows: Floats, right: Floats, slacks: int = 0) -> Floats:
    """Take back what rounding did to the equations, by the least change in units of z.

    The last columns are slacks, which may change freely.

    >>> mended(np.array([0.5, 0.4]), np.array([[1.0, 1.0]]), np.array([1.0])).round(12).tolist()
    [0.560975609756, 0.439024390244]
    """
    fixed = z
    for _ in range(3):
        off = right - rows @ fixed
        if np.abs(off).max() <= _EXACT:
            break
        unit = fixed.copy()
        unit[len(z) - slacks :] = np.maximum(unit[len(z) - slacks :], _LOOSE)
        scaled = rows * unit
        price = np.linalg.lstsq(scaled @ scaled.T, off, rcond=_DEPENDENT)[0]
        change = price @ scaled
        fixed = np.maximum(fixed + unit * np.maximum(change, -0.5), 0.0)
    return fixed
