"""Weighted cross-products of the columns of a long table."""

import numpy as np

from askance.typing import Floats

_ROWS = 1 << 11
"""So many at once stay in the processor's cache."""


def gram(table: Floats, weights: Floats) -> Floats:
    """Give Σ_i w_i x_i x_iᵀ over the rows of a table.

    >>> gram(np.array([[1.0, 2.0], [1.0, 0.0]]), np.array([3.0, 1.0])).tolist()
    [[4.0, 6.0], [6.0, 12.0]]
    """
    held = np.zeros((table.shape[1], table.shape[1]))
    for first in range(0, len(table), _ROWS):
        part = table[first : first + _ROWS]
        held += (part * weights[first : first + _ROWS, None]).T @ part
    return held
