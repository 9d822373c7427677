"""The information that a mixture of columns adds up, in blocks, and its inverses."""

from collections.abc import Sequence
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
    def size(self) -> int:
        """How many rows and columns it has."""
        return int(self.features.shape[1])

    @property
    def entries(self) -> Floats:
        """What each column adds, as a row of the entries of a symmetric matrix."""
        return paired(self.features).T

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


def spectrum(moment: Floats) -> Floats:
    """Give the eigenvalues, the smallest first.

    >>> spectrum(np.diag([4.0, 1.0])).tolist()
    [1.0, 4.0]
    """
    values: Floats = np.asarray(np.linalg.eigvalsh(moment), dtype=float)
    return values


def entered(moment: Floats, length: float | None = None) -> Floats:
    """Give the entries of a symmetric matrix once each, √2 times those off the diagonal.

    >>> entered(np.array([[1.0, 2.0], [2.0, 3.0]])).round(6).tolist()
    [1.0, 2.828427, 3.0]
    """
    i, j, long = pairs(len(moment))
    found: Floats = moment[i, j] * (long if length is None else length)
    return found


def stacked(entries: Floats, sizes: Sequence[int]) -> list[Floats]:
    """Make symmetric matrices of entries, one after the other.

    >>> stacked(np.array([1.0, 2.0, 3.0]), [1, 1, 1])[2].tolist()
    [[3.0]]
    """
    found, at = [], 0
    for size in sizes:
        i, j, length = pairs(size)
        matrix = np.empty((size, size))
        matrix[i, j] = matrix[j, i] = entries[at : at + len(i)] / length
        found.append(matrix)
        at += len(i)
    return found


def congruence(turn: Floats) -> Floats:
    """Give the matrix that takes the entries of X to those of T X Tᵀ.

    >>> congruence(np.diag([2.0, 3.0])).diagonal().round(9).tolist()
    [4.0, 6.0, 9.0]
    """
    i, j, length = pairs(len(turn))
    one, other = turn[i], turn[j]
    straight = one[:, i] * other[:, j]
    crossed = one[:, j] * other[:, i]
    found: Floats = (straight + crossed) * (length[:, None] * length / 2)
    return found


def inverse(moment: Floats) -> Floats:
    """Invert, and keep it symmetric.

    >>> inverse(np.diag([4.0, 16.0])).tolist()
    [[0.25, 0.0], [0.0, 0.0625]]
    """
    found = np.linalg.inv(moment)
    even: Floats = (found + found.T) / 2
    return even
