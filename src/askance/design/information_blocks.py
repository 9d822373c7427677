"""The information that a mixture of columns adds up, in blocks, as matrices or as their entries.

Entries are those of a symmetric matrix once each, √2 times those off the diagonal: so that the sum
of products of two such lists is the trace of the product of the matrices.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeVar, final

import numpy as np
import numpy.typing as npt

from askance.typing import Floats, Integers

Array = TypeVar("Array", bound=npt.NDArray[Any])


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
        """What each column adds, shape (d(d + 1)/2, n)."""
        return paired(self.features)

    def restricted(self, columns: Integers) -> "Block":
        """Keep some of the columns."""
        return replace(self, features=self.features[columns])

    def moment(self, z: Floats) -> Floats:
        """Add up the information."""
        total: Floats = (self.features * z[:, None]).T @ self.features
        return total


def paired(rows: Floats) -> Floats:
    """Give the entries of f fᵀ for each row f, as a column.

    >>> paired(np.array([[2.0, 3.0]])).ravel().round(6).tolist()
    [4.0, 8.485281, 9.0]
    """
    i, j, length = pairs(rows.shape[1])
    columns = np.ascontiguousarray(rows.T)
    found: Floats = columns[i] * (columns[j] * length[:, None])
    return found


@cache
def pairs(size: int) -> tuple[Integers, Integers, Floats]:
    """List the places of the entries, by row and column, with their length: √2 off the diagonal.

    >>> [part.tolist() for part in pairs(2)[:2]]
    [[0, 0, 1], [0, 1, 1]]
    """
    i, j = np.triu_indices(size)
    return _held(i), _held(j), _held(np.where(i == j, 1.0, np.sqrt(2)))


def spectrum(moment: Floats) -> Floats:
    """Give the eigenvalues, the smallest first.

    >>> spectrum(np.diag([4.0, 1.0])).tolist()
    [1.0, 4.0]
    """
    values: Floats = np.asarray(np.linalg.eigvalsh(moment), dtype=float)
    return values


def entered(moment: Floats) -> Floats:
    """Give the entries of symmetric matrices along the last axis.

    >>> entered(np.array([[1.0, 2.0], [2.0, 3.0]])).round(6).tolist()
    [1.0, 2.828427, 3.0]
    """
    i, j, length = pairs(moment.shape[-1])
    found: Floats = moment[..., i, j] * length
    return found


@cache
def unit(size: int) -> Floats:
    """Give the entries of the unit matrix.

    >>> unit(2).tolist()
    [1.0, 0.0, 1.0]
    """
    return _held(entered(np.eye(size)))


def stacked(entries: Floats, sizes: Sequence[int]) -> list[Floats]:
    """Make symmetric matrices of entries, one after the other along the last axis.

    >>> stacked(np.array([1.0, 2.0, 3.0]), [1, 1, 1])[2].tolist()
    [[3.0]]
    """
    found, at = [], 0
    for size in sizes:
        place, part = _places(size)
        found.append(entries[..., at + place] * part)
        at += size * (size + 1) // 2
    return found


def congruence(turn: Floats) -> Floats:
    """Give the matrix that takes the entries of X to those of T X Tᵀ.

    >>> congruence(np.diag([2.0, 3.0])).diagonal().round(9).tolist()
    [4.0, 6.0, 9.0]
    """
    ii, jj, ij, ji, length = _crossings(len(turn))
    found: Floats = (turn.take(ii) * turn.take(jj) + turn.take(ij) * turn.take(ji)) * length
    return found


@cache
def _places(size: int) -> tuple[Integers, Floats]:
    """Say which entry each place of the matrix holds, and what part of it."""
    i, j, length = pairs(size)
    place = np.zeros((size, size), dtype=np.int64)
    place[i, j] = place[j, i] = np.arange(len(i))
    return _held(place), _held(1 / length[place])


@cache
def _crossings(size: int) -> tuple[Integers, Integers, Integers, Integers, Floats]:
    """Say where T holds the four factors of what one entry of X gives to another of T X Tᵀ."""
    i, j, length = pairs(size)
    one, other = size * i[:, None], size * j[:, None]
    ii, jj, ij, ji = (_held(place) for place in (one + i, other + j, one + j, other + i))
    return ii, jj, ij, ji, _held(length[:, None] * length / 2)


def _held(array: Array) -> Array:
    array.setflags(write=False)
    return array


def diagonal(parts: Sequence[Floats]) -> Floats:
    """Put matrices on the diagonal of one.

    >>> diagonal([np.array([[1.0]]), np.array([[2.0]])]).tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """
    if len(parts) == 1:
        return parts[0]
    ends = np.cumsum([len(part) for part in parts]).tolist()
    whole = np.zeros((ends[-1], ends[-1]))
    for end, part in zip(ends, parts, strict=True):
        own = slice(end - len(part), end)
        whole[own, own] = part
    return whole


def inverse(moment: Floats) -> Floats:
    """Invert, and keep it symmetric.

    >>> inverse(np.diag([4.0, 16.0])).tolist()
    [[0.25, 0.0], [0.0, 0.0625]]
    """
    found = np.linalg.inv(moment)
    even: Floats = (found + found.T) / 2
    return even
