"""Climbing to the best mixture of columns: Newton's steps along a path inside the polytope."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from askance.design.term import AbstractTerm, Local
from askance.typing import Floats, Integers

_SHARPER = 100.0
_STEPS = 40
_NEAR = 1e-6
_SHORT = 1e-12
_SHRINK = 0.5
_WIDE = 1e3
_ENOUGH = 0.1
_ROUGH = 0.1
_DEPENDENT = 1e-9
_LOOSE = 1e-6


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Peak:
    """A maximum on the way: the chances of the columns, and the level that the merits are above.

    Attributes
    ----------
    z : array, shape (n,)
    t : float
    step : pair of array, shape (n,), and float
        What one more of Newton's steps would add.
    """

    z: Floats
    t: float
    step: tuple[Floats, float]


def climb(
    terms: Sequence[AbstractTerm],
    rows: Floats,
    start: Floats,
    active: Integers,
    precision: float,
) -> list[Peak]:
    r"""Maximise the least of concave merits over z ≥ 0 with rows z fixed.

    Follows the maxima of κ t + ω Σ_i barrier_i(z, t) + Σ_j ln z_j as κ grows, with ω such that the
    merits weigh as much as the columns; at one of them the merit is short of the best by about the
    number of parts over κ.

    Parameters
    ----------
    terms : sequence of AbstractTerm
    rows : array, shape (r, n)
        Equations that the start fulfils.
    start : array, shape (n,)
        Positive exactly on the active columns.
    active : array of int
    precision : float
        How far below the best the merit may end, as a part of its size.

    Returns
    -------
    list of Peak
        The maxima for each κ, the best merit last.

    References
    ----------
    Boyd & Vandenberghe (2004), chapter 11.
    """
    z = start.copy()
    level = min(term.level(z) for term in terms)
    size = abs(level)
    first = Peak(z=z, t=level - size / 2, step=(np.zeros(len(z)), 0.0))
    parts = 2 * len(active)
    kappa = parts / size
    path: list[Peak] = []
    while parts / kappa > precision * size / 2:
        peak = _centre(terms, rows, path[-1] if path else first, active, kappa)
        if peak is None:
            break
        path.append(peak)
        size = abs(min(term.level(peak.z) for term in terms))
        kappa *= _SHARPER
    return path


def _centre(
    terms: Sequence[AbstractTerm], rows: Floats, peak: Peak, active: Integers, kappa: float
) -> Peak | None:
    """Step to the maximum for one κ; None where rounding hides the way."""
    for _ in range(_STEPS):
        z, t = peak.z, peak.t
        here = [term.barrier(z, t, active) for term in terms]
        step, rise, decrement = _newton(here, rows, z, active, kappa)
        move = np.zeros(len(z))
        move[active] = step
        peak = Peak(z=z, t=t, step=(move, rise))
        if abs(decrement) < _NEAR:
            return peak
        length = _length(step / z[active], decrement)
        value = _height(terms, z, t, active, kappa)
        while length > _SHORT:
            ahead = z + length * move, t + length * rise
            if _height(terms, *ahead, active, kappa) - value >= _ENOUGH * length * decrement > 0:
                break
            length *= _SHRINK
        else:
            return peak if abs(decrement) < _ROUGH else None
        peak = Peak(z=ahead[0], t=ahead[1], step=(move, rise))
    return None


def _length(relative: Floats, decrement: float) -> float:
    """Give the length to try first: as far as nine tenths of the way to the boundary."""
    if decrement < 1 / 4:
        return 1.0
    falls = relative[relative < 0]
    return min(1.0, 0.9 * float(np.min(-1 / falls))) if len(falls) else 1.0


def _height(
    terms: Sequence[AbstractTerm], z: Floats, t: float, active: Integers, kappa: float
) -> float:
    if np.any(z[active] <= 0):
        return -np.inf
    heights = sum(term.height(z, t) for term in terms)
    evenly = len(active) / len(terms)
    return kappa * t + float(np.log(z[active]).sum()) + evenly * heights


def _newton(
    here: Sequence[Local],
    rows: Floats,
    z: Floats,
    active: Integers,
    kappa: float,
) -> tuple[Floats, float, float]:
    """Solve for the step by z and t that keeps the equations; give how much it promises.

    In units of z the second derivative is 1 + RᵀR, inverted by the singular values of R on what
    the equations leave; a level is measured in units so large that the 1 does not count for it.
    """
    evenly = len(active) / len(here)
    steep = evenly * np.sum([one.slope for one in here], axis=0)
    unit = np.append(z[active], _WIDE / abs(steep[-1]))
    slope = steep * unit
    slope[:-1] += 1
    slope[-1] += kappa * unit[-1]
    kept = _spanned(np.column_stack([rows[:, active] * unit[:-1], np.zeros(len(rows))]))
    bent = np.sqrt(evenly) * np.vstack([one.root for one in here]) * unit
    slope -= kept @ (kept.T @ slope)
    bent -= (bent @ kept) @ kept.T
    values, across = np.linalg.svd(bent, full_matrices=False)[1:]
    along = across @ slope
    move = slope - across.T @ along + across.T @ (along / (1 + values**2))
    move -= kept @ (kept.T @ move)
    return move[:-1] * unit[:-1], float(move[-1] * unit[-1]), float(slope @ move)


def _spanned(rows: Floats) -> Floats:
    """Give an orthonormal basis of what rows span, some of which may follow from others."""
    long = np.linalg.norm(rows, axis=1, keepdims=True)
    basis, size, _ = np.linalg.svd((rows / long).T, full_matrices=False)
    spanned: Floats = basis[:, size > _DEPENDENT * size[0]]
    return spanned


def mended(z: Floats, rows: Floats, right: Floats, slacks: int = 0) -> Floats:
    """Take back what rounding did to the equations, by the least change in units of z.

    The last columns are slacks, which may change freely.

    >>> mended(np.array([0.5, 0.4]), np.array([[1.0, 1.0]]), np.array([1.0])).round(12).tolist()
    [0.560975609756, 0.439024390244]
    """
    fixed = z
    for _ in range(3):
        unit = fixed.copy()
        unit[len(z) - slacks :] = np.maximum(unit[len(z) - slacks :], _LOOSE)
        change = np.linalg.lstsq(rows * unit, right - rows @ fixed, rcond=_DEPENDENT)[0]
        fixed = np.maximum(fixed + unit * np.maximum(change, -0.5), 0.0)
    return fixed
