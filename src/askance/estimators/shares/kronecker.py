"""The likelihood of several questions asked together, without writing their joint channel out.

The joint channel of independent reports is a Kronecker product; every product with it is a chain of
products with the single channels, one axis at a time.
"""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from askance.typing import Floats


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KroneckerMixture:
    """Counts of joint reports, and the channel of each question.

    Attributes
    ----------
    matrices : tuple of array, each of shape (k_i, m_i)
        Reports without counts included.
    counts : array, shape (m_1, …, m_d)
        How often each joint report was received.
    total : float
        What the shares sum to.
    """

    matrices: tuple[Floats, ...]
    counts: Floats
    total: float = 1.0

    @property
    def shape(self) -> tuple[int, ...]:
        """How many answers each question has."""
        return tuple(len(matrix) for matrix in self.matrices)

    @property
    def weights(self) -> Floats:
        """How often each joint report was seen, those that were not left out."""
        return self.counts[self.counts > 0]

    def chance(self, shares: Floats) -> Floats:
        """Give the chance of each joint report that was seen."""
        return self.chances(shares)[self.counts > 0]

    def chances(self, shares: Floats) -> Floats:
        """Give the chance of every joint report, shape (m_1, …, m_d)."""
        return along(shares.reshape(self.shape), [matrix.T for matrix in self.matrices])

    def slope(self, chance: Floats) -> Floats:
        """Give the derivative of the log-likelihood by each joint share."""
        return along(self._spread(self.weights / chance), self.matrices).ravel()

    def curvature(self, chance: Floats) -> Floats:
        """Give minus the second derivative by each pair of joint shares."""
        return information(self.matrices, self._spread(self.weights / chance**2))

    def _spread(self, values: Floats) -> Floats:
        spread = np.zeros(self.counts.shape)
        spread[self.counts > 0] = values
        return spread


def along(values: Floats, matrices: list[Floats] | tuple[Floats, ...]) -> Floats:
    """Multiply each axis of an array by its matrix.

    >>> along(np.eye(2), [np.array([[1.0, 2.0]]), np.array([[3.0, 4.0]])]).tolist()
    [[11.0]]
    """
    for matrix in matrices:
        values = np.tensordot(values, matrix, axes=(0, 1))  # the new axis goes last: d turns round
    return values


def information(matrices: tuple[Floats, ...], weights: Floats) -> Floats:
    """Give Σ_j w_j q_j q_jᵀ over joint reports j, each q_j a product of the questions' columns.

    Parameters
    ----------
    matrices : tuple of array, each of shape (k_i, m_i)
    weights : array, shape (m_1, …, m_d)

    Returns
    -------
    array, shape (K, K)
        K = k_1 ⋯ k_d joint answers, the last question's fastest.
    """
    pairs = [
        (matrix[:, None, :] * matrix[None, :, :]).reshape(-1, matrix.shape[1])
        for matrix in matrices
    ]
    sizes = [len(matrix) for matrix in matrices]
    folded = along(weights, pairs).reshape([size for size in sizes for _ in range(2)])
    order = [*range(0, 2 * len(sizes), 2), *range(1, 2 * len(sizes), 2)]
    joint = math.prod(sizes)
    return np.ascontiguousarray(folded.transpose(order)).reshape(joint, joint)
