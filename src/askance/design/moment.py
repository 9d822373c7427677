"""The information that a mixture of columns adds up, in blocks, and its inverses."""

from dataclasses import dataclass, replace
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


def products(one: Floats, two: Floats) -> Floats:
    """Give for each row of two arrays all products of their entries, as a column.

    >>> products(np.array([[2.0, 3.0]]), np.array([[5.0, 7.0]])).ravel().tolist()
    [10.0, 14.0, 15.0, 21.0]
    """
    found: Floats = np.einsum("ni,nj->ijn", one, two).reshape(one.shape[1] * two.shape[1], len(one))
    return found


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
