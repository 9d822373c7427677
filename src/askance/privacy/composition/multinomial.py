"""How often each message was sent among k: every composition of k, its loss and its chances."""

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import gammaln

from askance.typing import Booleans, Floats, Integers

_STIRLING_FROM = 32  # from here on three terms of the series are right to 2e-14
_NATS = 72.0  # each window fails with chance at most e^−72

Cells = tuple[Floats, Floats, Floats]
"""Losses, and the logarithms of the two chances."""


def count_of_cells(k: int, atoms: int) -> int:
    """Give the number of compositions of k into so many parts.

    >>> count_of_cells(1000, 3)
    501501
    """
    return math.comb(k + atoms - 1, atoms - 1)


def every_cell(k: int, losses: Floats, first: Floats, second: Floats) -> Cells:
    """Enumerate all compositions of k into as many parts as there are atoms.

    The logarithm of a multinomial chance is a sum of one deviance for each part, so that bulk cells
    lose no digit to large factorials (Loader, 2000).

    >>> cells = every_cell(2, np.array([1.0, -1.0]), np.array([0.5, 0.5]), np.array([0.5, 0.5]))
    >>> np.exp(cells[1])
    array([0.25, 0.5 , 0.25])
    """
    left = np.array([k])
    gathered = [np.zeros(1) for _ in range(3)]
    tables = _tables(k, losses, first, second)
    for at in range(len(losses) - 1):
        parent, n = _within(np.zeros_like(left), left)
        gathered = [old[parent] + table[at][n] for old, table in zip(gathered, tables, strict=True)]
        left = left[parent] - n
    loss, one, two = (old + table[-1][left] for old, table in zip(gathered, tables, strict=True))
    return loss, one, two


def likely_cells(k: int, losses: Floats, first: Floats, second: Floats) -> tuple[Cells, float]:
    """Enumerate, for three atoms, the compositions that either answer makes likely.

    What is left out has a chance of at most 4 e^−72 under either answer, by the inequality of
    Bernstein (1946) for the first count and for the second count given the first.

    Returns
    -------
    cells : Cells
    missing : float
        A bound on the chance left out.

    >>> cells, missing = likely_cells(50, *(np.array([1, 2, 3]) / 6,) * 3)
    >>> len(cells[0]), missing < 1e-30
    (1326, True)
    """
    tables = _tables(k, losses, first, second)
    parts: list[Cells] = []
    for row, before in ((first, None), (second, first)):
        low, high = _window(np.array([k]), float(row[0]))
        i = np.arange(low[0], high[0] + 1)
        low, high = _window(k - i, float(row[1] / (row[1] + row[2])))
        parent, j = _within(low, high)
        i = i[parent]
        if before is not None:
            new = ~_likely(k, i, j, before)
            i, j = i[new], j[new]
        loss, one, two = (table[0][i] + table[1][j] + table[2][k - i - j] for table in tables)
        parts.append((loss, one, two))
    loss, one, two = (np.concatenate(both) for both in zip(*parts, strict=True))
    return (loss, one, two), 4 * math.exp(-_NATS)


def _likely(k: int, i: Integers, j: Integers, row: Floats) -> Booleans:
    low, high = _window(np.array([k]), float(row[0]))
    beside_low, beside_high = _window(k - i, float(row[1] / (row[1] + row[2])))
    inside = (low[0] <= i) & (i <= high[0]) & (beside_low <= j) & (j <= beside_high)
    return np.asarray(inside)


def _window(n: Integers, share: float) -> tuple[Integers, Integers]:
    """Bound a binomial count on both sides; each side fails with chance at most e^−72."""
    third = _NATS / 3
    reach = third + np.sqrt(third**2 + 2 * _NATS * n * share * (1 - share))
    low = np.maximum(np.floor(n * share - reach), 0).astype(np.int64)
    return low, np.minimum(np.ceil(n * share + reach), n).astype(np.int64)


def _within(low: Integers, high: Integers) -> tuple[Integers, Integers]:
    """List low … high for each row: the row of each value, and the value."""
    lengths = high - low + 1
    parent = np.repeat(np.arange(len(low)), lengths)
    start = np.cumsum(lengths) - lengths
    return parent, np.arange(len(parent)) - start[parent] + low[parent]


def _tables(
    k: int, losses: Floats, first: Floats, second: Floats
) -> tuple[Sequence[Floats], Sequence[Floats], Sequence[Floats]]:
    """Tabulate what each count of each atom adds to the loss and to the two logarithms."""
    counts = np.arange(k + 1, dtype=float)
    return (
        [loss * counts for loss in losses],
        _deviances(counts, first),
        _deviances(counts, second),
    )


def _deviances(counts: Floats, row: Floats) -> list[Floats]:
    k = len(counts) - 1
    scale = np.where(counts > 0, -_stirling_error(counts) - 0.5 * np.log(np.maximum(counts, 1)), 0)
    scale -= np.where(counts > 0, 0.5 * math.log(2 * math.pi), 0)
    tables = [scale - _deviance(counts, k * float(share)) for share in row]
    whole = np.array([float(k)])
    tables[0] += _stirling_error(whole)[0] + 0.5 * math.log(2 * math.pi * k)
    return tables


def _deviance(counts: Floats, mean: float) -> Floats:
    """Give n ln(n / mean) − n + mean, without cancellation near the mean."""
    sent = np.maximum(counts, 1)
    near = sent * np.log1p((sent - mean) / mean) - (sent - mean)
    return np.where(counts > 0, near, mean)


def _stirling_error(n: Floats) -> Floats:
    """Give ln n! minus Stirling's formula."""
    safe = np.maximum(n, 1)
    small = gammaln(safe + 1) - (safe + 0.5) * np.log(safe) + safe - 0.5 * math.log(2 * math.pi)
    inverse = 1 / safe
    series = inverse * (1 / 12 - inverse**2 * (1 / 360 - inverse**2 * (1 / 1260)))
    return np.where(safe < _STIRLING_FROM, small, series)
