"""Composition on a fine grid, where losses are too many to list: certified from both sides.

Each atom is split between the two grid points around its loss, so that its chance is kept under
both answers. Whoever sees the grid point sees at least as much as before, so figures on the grid
are safe. How much they overstate is bounded by how far the splits can carry a sum.
"""

import math
from collections.abc import Mapping
from functools import reduce

import numpy as np
import numpy.typing as npt
from scipy.fft import irfft

from askance.privacy.composition.law import LossLaw
from askance.privacy.losses.pair import Pair
from askance.typing import Floats, Integers

_POINTS = 1 << 20
_NATS = 40.0  # each bound fails with chance at most e^−40
_UNIT = 2.0**-53  # the relative error of one operation on doubles
_TILTS = np.geomspace(1e-4, 1e3, 300)

Spectrum = npt.NDArray[np.complex128]
Split = tuple[Integers, Floats, Floats]
"""Lower grid points; the parts of each atom that go one point up, under x and under x′."""


def on_grid(counts: Mapping[Pair, int], points: int = _POINTS) -> LossLaw:
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
    LossLaw
        Its ``missing`` chance holds the window, the transform and r; its ``shift`` is s.

    >>> from fractions import Fraction
    >>> pair = Pair.of(*([Fraction(n, 4) for n in row] for row in ([3, 1], [1, 3])))
    >>> law = on_grid({pair: 20})
    >>> 0 <= law.delta(2) - law.delta_lower(2) < 1e-3
    True
    """
    total = sum(counts.values())
    low, high = _window(counts)
    reach = math.sqrt(total * _NATS / 2) + total
    step = (high - low) / (points - 2 * reach - 4) if points > 4 * reach else math.inf
    start = math.floor(low / step - reach) - 1
    spectra, rounding = _spectra(counts, points, step)
    first, second = (np.roll(np.maximum(irfft(one, points), 0), -start) for one in spectra)
    proven = zip(*(pair.proven(k) for pair, k in counts.items()), strict=True)
    alone = [reduce(lambda one, two: one + two - one * two, parts) for parts in proven]
    return LossLaw(
        (start + np.arange(points)) * step,
        first * (1 - alone[0]),
        second * (1 - alone[1]),
        only_first=alone[0],
        only_second=alone[1],
        greatest=sum(k * pair.losses[0] for pair, k in counts.items()),
        missing=rounding + 10 * math.exp(-_NATS),
        shift=total * step**2 / 8 + step * math.sqrt(total * _NATS / 2),
    )


def _window(counts: Mapping[Pair, int]) -> tuple[float, float]:
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


def _split(pair: Pair, step: float) -> Split:
    losses = np.array(pair.losses)
    below = np.floor(losses / step)
    above = losses - below * step
    return (
        below.astype(np.int64),
        np.expm1(above) / math.expm1(step),
        np.expm1(-above) / math.expm1(-step),
    )


def _spectra(
    counts: Mapping[Pair, int], points: int, step: float
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
        turned = [roots[half * at % points] for at in below]
        for side, masses in enumerate(pair.undecided):
            once = np.zeros(len(half), complex)
            for at, mass in enumerate(masses):
                once += turned[at] * (mass * (1 - up[side][at]) + mass * up[side][at] * roots[half])
            unit = 4 * (len(masses) + 8) * _UNIT
            size = np.abs(once) + unit
            slopes[side] += k * (unit + 4 * _UNIT) / size
            sizes[side] *= size**k
            results[side] *= _to_the(once, k)
    errors = []
    for slope, size in zip(slopes, sizes, strict=True):
        transform = 8 * math.log2(points) * _UNIT * math.sqrt(2 * float((size**2).sum()))
        errors.append(math.sqrt(2 * float(((slope * size) ** 2).sum())) + transform)
    return (results[0], results[1]), max(errors)


def _to_the(once: Spectrum, k: int) -> Spectrum:
    """Raise to a power by squaring."""
    result = once.copy()
    for bit in bin(k)[3:]:
        result *= result
        if bit == "1":
            result *= once
    return result
