"""The information that a mixture of columns adds up, in blocks, and its inverses."""

from dataclasses import dataclass, replace
from functools import cache
from typing import final

import numpy as np

from askance.typing import Floats, Integers


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Block:
    """Part of the information that the channel adds up, column by column.

    Attributes
    ----------
    features : array, shape (n, d)
        A column with chance z adds z f fᵀ.
    times : int
        How often the block stands on the diagonal of the whole.
    """

    features: Floats
    times: int = 1

    @property
    def freedom(self) -> int:
        """How many numbers it consists of."""
        d = int(self.features.shape[1])
        return d * (d + 1) // 2

    def restricted(self, columns: Integers) -> "Block":
        """Keep some of the columns."""
        return replace(self, features=self.features[columns])

    def moment(self, z: Floats) -> Floats:
        """Add up the information."""
        total: Floats = (self.features * z[:, None]).T @ self.features
        return total


def paired(rows: Floats) -> Floats:
    """Give for each row the products of its entries in pairs, as a column; √2 for unlike ones.

    So that the product of two such columns is the square of the product of the rows.

    >>> paired(np.array([[2.0, 3.0]])).ravel().round(6).tolist()
    [4.0, 8.485281, 9.0]
    """
    i, j, length = pairs(rows.shape[1])
    found: Floats = (rows[:, i] * rows[:, j]).T * length[:, None]
    return found


@cache
def pairs(size: int) -> tuple[Integers, Integers, Floats]:
    """List the entries of a symmetric matrix once each, with their length: √2 off the diagonal.

    >>> [part.tolist() for part in pairs(2)[:2]]
    [[0, 0, 1], [0, 1, 1]]
    """
    i, j = np.triu_indices(size)
    length = np.where(i == j, 1.0, np.sqrt(2))
    for part in (i, j, length):
        part.setflags(write=False)
    return i, j, length


def inverse_root(moment: Floats) -> Floats:
    """Give R with R Rᵀ the inverse.

    >>> inverse_root(np.diag([4.0, 16.0])).tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """
    found: Floats = np.linalg.inv(np.linalg.cholesky(moment)).T
    return found


def inverse(moment: Floats) -> Floats:
    """Invert, and keep it symmetric.

    >>> inverse(np.diag([4.0, 16.0])).tolist()
    [[0.25, 0.0], [0.0, 0.0625]]
    """
    found = np.linalg.inv(moment)
    even: Floats = (found + found.T) / 2
    return even
