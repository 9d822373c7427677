"""Many reports about one person: the exact law of their loss together, or a certified one.

Each atom is split between the two grid points around its loss, so that its chance is kept under
both answers. Whoever sees the grid point sees at least as much as before, so figures on the grid
are safe. How much they overstate is bounded by how far the splits can carry a sum.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import reduce

import numpy as np
import numpy.typing as npt
from scipy.fft import irfft
from scipy.special import gammaln

from askance.privacy.loss_distribution import AnswerPair, PrivacyLossDistribution
from askance.typing import Booleans, Floats, Integers
from askance_collect.errors import InputError

MOST = 10_000
"""The most reports about one person that are accounted for together."""

_CELLS = 1 << 20
_LATTICE = 60_000  # points, which are convolved in about a second


def kfold(spent: Sequence[tuple[AnswerPair, int]]) -> PrivacyLossDistribution:
    """Compose independent reports: the law of the sum of their losses.

    It is exact to rounding where the losses of each pair lie on a lattice (every mechanism with
    ratios r, 1, 1/r), where there are up to three of them, or where all compositions number at most
    a million; otherwise certified from both sides on a fine grid.

    Parameters
    ----------
    spent : sequence of (Pair, int)
        Pairs of rows and how many reports were sent by each.

    Raises
    ------
    InputError
        If a number of reports is not in [1, 10000] or there are more in all.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Lemma 3 and Corollary 6, on messages; Dong, Roth & Su (2022),
    Definition 3.1.

    >>> from fractions import Fraction
    >>> rows = ([Fraction(n, 10) for n in row] for row in ([6, 1, 3], [1, 6, 3]))
    >>> round(kfold([(AnswerPair.of(*rows), 50)]).epsilon(1e-6), 6)
    78.748848
    """
    counts: Counter[AnswerPair] = Counter()
    for pair, times in spent:
        counts[pair] += times
    total = sum(counts.values())
    if not counts or min(counts.values()) < 1 or total > MOST:
        raise InputError("kfold.spent", got=f"{total} reports", allowed=f"1 to {MOST} reports")
    if any(not pair.ratios for pair in counts):
        return PrivacyLossDistribution([], [], [], only_first=1.0, only_second=1.0)
    parts = [_exact_law(pair, k) for pair, k in counts.items()]
    exact = [part for part in parts if part is not None]
    cells = math.prod(len(part.losses) for part in exact)
    if len(exact) < len(parts) or (len(parts) > 1 and cells > _CELLS):
        return on_grid(counts)
    return reduce(_product, exact)


def _exact_law(pair: AnswerPair, k: int) -> PrivacyLossDistribution | None:
    """The exact law of k reports by one pair, where a few million points hold it."""
    points = _points(pair, k)
    if points is None:
        return None
    losses, first, second, missing = points
    first = first * (1 - float(pair.only_first)) ** k
    second = second * (1 - float(pair.only_second)) ** k
    only_first, only_second = pair.proven(k)
    rarer = np.exp(-np.abs(losses))  # a chance flushed to zero is the other times e^±loss
    return PrivacyLossDistribution(
        losses,
        np.where(losses > 0, second * rarer, first),
        np.where(losses < 0, first * rarer, second),
        only_first=only_first,
        only_second=only_second,
        greatest=k * pair.losses[0],
        missing=missing,
    )


def _points(pair: AnswerPair, k: int) -> tuple[Floats, Floats, Floats, float] | None:
    """List losses and their chances given that no report is decisive."""
    first, second = pair.undecided
    losses, steps = np.array(pair.losses), pair.lattice()
    if steps is not None and k * steps[0] <= _LATTICE:
        under_first, missing = power(np.array(steps), first, k)
        under_second, second_missing = power(np.array(steps), second, k)
        return (
            lattice_losses(pair, np.array(steps), k),
            under_first,
            under_second,
            missing + second_missing,
        )
    if count_of_cells(k, len(losses)) <= _CELLS:
        cells, missing = every_cell(k, losses, first, second), 0.0
    elif len(losses) == 3:
        cells, missing = likely_cells(k, losses, first, second)
    else:
        return None
    return cells[0], np.exp(cells[1]), np.exp(cells[2]), missing


def _product(
    law: PrivacyLossDistribution, other: PrivacyLossDistribution
) -> PrivacyLossDistribution:
    """Add independent losses."""
    return PrivacyLossDistribution(
        np.add.outer(law.losses, other.losses).ravel(),
        np.outer(law.first, other.first).ravel(),
        np.outer(law.second, other.second).ravel(),
        only_first=law.only_first + other.only_first - law.only_first * other.only_first,
        only_second=law.only_second + other.only_second - law.only_second * other.only_second,
        greatest=law.greatest + other.greatest,
        missing=law.missing + other.missing,
    )


_STIRLING_FROM = 32  # from here on three terms of the series are right to 2e-14
_TAIL_NATS = 72.0  # each window fails with chance at most e^−72

Cells = tuple[Floats, Floats, Floats]
"""Losses, and the logarithms of the two chances."""


def count_of_cells(k: int, atoms: int) -> int:
    """The number of compositions of k into so many parts.

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
    remaining = np.array([k])
    gathered = [np.zeros(1) for _ in range(3)]
    tables = _tables(k, losses, first, second)
    for atom in range(len(losses) - 1):
        parent, n = _list_within(np.zeros_like(remaining), remaining)
        gathered = [
            old[parent] + table[atom][n] for old, table in zip(gathered, tables, strict=True)
        ]
        remaining = remaining[parent] - n
    loss, log_first, log_second = (
        old + table[-1][remaining] for old, table in zip(gathered, tables, strict=True)
    )
    return loss, log_first, log_second


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
        low, high = _bound_count(np.array([k]), float(row[0]))
        i = np.arange(low[0], high[0] + 1)
        low, high = _bound_count(k - i, float(row[1] / (row[1] + row[2])))
        parent, j = _list_within(low, high)
        i = i[parent]
        if before is not None:
            new = ~_is_likely(k, i, j, before)
            i, j = i[new], j[new]
        loss, log_first, log_second = (
            table[0][i] + table[1][j] + table[2][k - i - j] for table in tables
        )
        parts.append((loss, log_first, log_second))
    loss, log_first, log_second = (np.concatenate(pieces) for pieces in zip(*parts, strict=True))
    return (loss, log_first, log_second), 4 * math.exp(-_TAIL_NATS)


def _is_likely(k: int, i: Integers, j: Integers, row: Floats) -> Booleans:
    low, high = _bound_count(np.array([k]), float(row[0]))
    beside_low, beside_high = _bound_count(k - i, float(row[1] / (row[1] + row[2])))
    inside = (low[0] <= i) & (i <= high[0]) & (beside_low <= j) & (j <= beside_high)
    return np.asarray(inside)


def _bound_count(n: Integers, share: float) -> tuple[Integers, Integers]:
    """Bound a binomial count on both sides; each side fails with chance at most e^−72."""
    third = _TAIL_NATS / 3
    reach = third + np.sqrt(third**2 + 2 * _TAIL_NATS * n * share * (1 - share))
    low = np.maximum(np.floor(n * share - reach), 0).astype(np.int64)
    return low, np.minimum(np.ceil(n * share + reach), n).astype(np.int64)


def _list_within(low: Integers, high: Integers) -> tuple[Integers, Integers]:
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
    total = np.array([float(k)])
    tables[0] += _stirling_error(total)[0] + 0.5 * math.log(2 * math.pi * k)
    return tables


def _deviance(counts: Floats, mean: float) -> Floats:
    """The term n ln(n / mean) − n + mean, without cancellation near the mean."""
    positive = np.maximum(counts, 1)
    near = positive * np.log1p((positive - mean) / mean) - (positive - mean)
    return np.where(counts > 0, near, mean)


def _stirling_error(n: Floats) -> Floats:
    """The remainder ln n! minus Stirling's formula."""
    safe = np.maximum(n, 1)
    small = gammaln(safe + 1) - (safe + 0.5) * np.log(safe) + safe - 0.5 * math.log(2 * math.pi)
    inverse = 1 / safe
    series = inverse * (1 / 12 - inverse**2 * (1 / 360 - inverse**2 * (1 / 1260)))
    return np.where(safe < _STIRLING_FROM, small, series)


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


def lattice_losses(pair: AnswerPair, steps: Integers, k: int) -> Floats:
    """The k-fold loss at every lattice point, rising.

    >>> from fractions import Fraction
    >>> pair = AnswerPair.of(*([Fraction(n, 4) for n in row] for row in ([3, 1], [1, 3])))
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


_POINTS = 1 << 20
_NATS = 40.0  # each bound fails with chance at most e^−40
_UNIT = 2.0**-53  # the relative error of one operation on doubles
_TILTS = np.geomspace(1e-4, 1e3, 300)

Spectrum = npt.NDArray[np.complex128]
Split = tuple[Integers, Floats, Floats]
"""Lower grid points; the parts of each atom that go one point up, under x and under x′."""


def on_grid(counts: Mapping[AnswerPair, int], points: int = _POINTS) -> PrivacyLossDistribution:
    r"""Compose independent reports on a grid of losses.

    With grid step h and k reports, a composed loss moves by at most
    :math:`s = k h^2 / 8 + h \sqrt{k \ln(1/r) / 2}`, except with chance r (Hoeffding, 1963, Theorem
    2). Sums run through a Fourier transform whose rounding is bounded (Higham, 2002, Theorem 24.2).

    Parameters
    ----------
    counts : mapping of Pair to int
        Each with at least one finite loss.
    points : int
        How many grid points to use: a power of two.

    Returns
    -------
    PrivacyLossDistribution
        Its ``missing`` chance holds the window, the transform and r; its ``shift`` is s.

    >>> from fractions import Fraction
    >>> pair = AnswerPair.of(*([Fraction(n, 4) for n in row] for row in ([3, 1], [1, 3])))
    >>> law = on_grid({pair: 20})
    >>> 0 <= law.delta(2) - law.delta_lower(2) < 1e-3
    True
    """
    total = sum(counts.values())
    low, high = grid_window(counts)
    reach = math.sqrt(total * _NATS / 2) + total
    step = (high - low) / (points - 2 * reach - 4) if points > 4 * reach else math.inf
    start = math.floor(low / step - reach) - 1
    spectra, rounding = _spectra(counts, points, step)
    first, second = (
        np.roll(np.maximum(irfft(spectrum, points), 0), -start) for spectrum in spectra
    )
    proven = zip(*(pair.proven(k) for pair, k in counts.items()), strict=True)
    alone = [reduce(lambda a, b: a + b - a * b, parts) for parts in proven]
    return PrivacyLossDistribution(
        (start + np.arange(points)) * step,
        first * (1 - alone[0]),
        second * (1 - alone[1]),
        only_first=alone[0],
        only_second=alone[1],
        greatest=sum(k * pair.losses[0] for pair, k in counts.items()),
        missing=rounding + 10 * math.exp(-_NATS),
        shift=total * step**2 / 8 + step * math.sqrt(total * _NATS / 2),
    )


def grid_window(counts: Mapping[AnswerPair, int]) -> tuple[float, float]:
    """Bound the composed loss on both sides and under both answers, by Chernoff (1952)."""
    ends = []
    for sign in (-1, 1):
        for side in (0, 1):
            growth = np.zeros_like(_TILTS)
            for pair, k in counts.items():
                tilted = sign * np.outer(_TILTS, pair.losses)
                top = tilted.max(axis=1)
                mean = np.exp(tilted - top[:, None]) @ pair.undecided[side]
                growth += k * (np.log(mean) + top)
            ends.append(sign * float(((growth + _NATS) / _TILTS).min()))
    return min(ends[:2]), max(ends[2:])


def _split(pair: AnswerPair, step: float) -> Split:
    losses = np.array(pair.losses)
    below = np.floor(losses / step)
    above = losses - below * step
    return (
        below.astype(np.int64),
        np.expm1(above) / math.expm1(step),
        np.expm1(-above) / math.expm1(-step),
    )


def _spectra(
    counts: Mapping[AnswerPair, int], points: int, step: float
) -> tuple[tuple[Spectrum, Spectrum], float]:
    """Multiply characteristic functions; bound the rounding of the sums they turn into.

    Each frequency is a short sum of roots of unity, so its error is a few units of rounding.
    """
    roots = np.exp(-2j * np.pi * np.arange(points) / points)
    half = np.arange(points // 2 + 1)
    results: list[Spectrum] = [np.ones(len(half), complex), np.ones(len(half), complex)]
    slopes, sizes = [np.zeros(len(half)) for _ in range(2)], [np.ones(len(half)) for _ in range(2)]
    for pair, k in counts.items():
        below, *up = _split(pair, step)
        turned = [roots[half * point % points] for point in below]
        for side, masses in enumerate(pair.undecided):
            once = np.zeros(len(half), complex)
            for atom, mass in enumerate(masses):
                once += turned[atom] * (
                    mass * (1 - up[side][atom]) + mass * up[side][atom] * roots[half]
                )
            unit = 4 * (len(masses) + 8) * _UNIT
            size = np.abs(once) + unit
            slopes[side] += k * (unit + 4 * _UNIT) / size
            sizes[side] *= size**k
            results[side] *= _raise_to_power(once, k)
    errors = []
    for slope, size in zip(slopes, sizes, strict=True):
        transform = 8 * math.log2(points) * _UNIT * math.sqrt(2 * float((size**2).sum()))
        errors.append(math.sqrt(2 * float(((slope * size) ** 2).sum())) + transform)
    return (results[0], results[1]), max(errors)


def _raise_to_power(once: Spectrum, k: int) -> Spectrum:
    """Raise to a power by squaring."""
    result = once.copy()
    for bit in bin(k)[3:]:
        result *= result
        if bit == "1":
            result *= once
    return result
