"""Powers of a loss that lives on a lattice: exact sums of positive terms, no transform."""

import numpy as np

from askance.privacy.losses.pair import Pair
from askance.typing import Floats, Integers

_FLUSHED = 1e-150  # products of two such chances are still normal doubles


def power(steps: Integers, masses: Floats, k: int) -> tuple[Floats, float]:
    """Convolve a law on whole numbers with itself, k times.

    All terms are positive, so every sum is right to rounding relative to itself. Chances below
    1e−150 are set to zero on the way.

    Parameters
    ----------
    steps : array of shape (m,)
        The whole numbers, at least 0.
    masses : array of shape (m,)
        Their chances.
    k : int
        At least 1.

    Returns
    -------
    masses : array of shape (k · max(steps) + 1,)
    missing : float
        A bound on the chance set to zero.

    >>> power(np.array([1, 0]), np.array([0.5, 0.5]), 3)[0]
    array([0.125, 0.375, 0.375, 0.125])
    """
    base = np.zeros(int(steps.max()) + 1)
    np.add.at(base, steps, masses)
    result, flushed = base, 0
    for bit in bin(k)[3:]:
        for factor in (result, base) if bit == "1" else (result,):
            result = np.convolve(result, factor)
            tiny = (result > 0) & (result < _FLUSHED)
            result[tiny] = 0.0
            flushed += k * int(tiny.sum())
    return result, flushed * _FLUSHED


def lattice_losses(pair: Pair, steps: Integers, k: int) -> Floats:
    """Give the k-fold loss at every lattice point, rising.

    >>> from fractions import Fraction
    >>> pair = Pair.of(*([Fraction(n, 4) for n in row] for row in ([3, 1], [1, 3])))
    >>> lattice_losses(pair, np.array([1, 0]), 2).round(6)
    array([-2.197225,  0.      ,  2.197225])
    """
    losses = pair.losses
    span = int(steps.max())
    points = np.arange(k * span + 1)
    if not span:
        return np.array([k * losses[0]])
    high = points / span
    return np.asarray(high * losses[0] + (k - high) * losses[-1])
