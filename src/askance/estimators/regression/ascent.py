"""Newton's method where a likelihood need not be concave: it never descends."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, final

import numpy as np

from askance.typing import Floats

_MOST_STEPS = 200
_SETTLED = 1e-13
"""Converged when a step would gain less than this part of the log-likelihood, or of 1000."""

_SHORTEST = 2.0**-30
"""Of a step that is halved."""


class Climbable(Protocol):
    """A log-likelihood with its slope, and matrices that stand in for its curvature."""

    def total(self, at: Floats) -> float:
        """Give the log-likelihood; -∞ where the data are impossible."""
        ...

    def slope(self, at: Floats) -> Floats:
        """Give its gradient."""
        ...

    def informations(self, at: Floats) -> Iterator[Callable[[], Floats]]:
        """Give the ways to take a step, the fastest first, the safest last."""
        ...


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Top:
    """Where a climb ended.

    Attributes
    ----------
    at : array
    total : float
        The log-likelihood there.
    gap : float
        What one more step would gain.
    settled : bool
    """

    at: Floats
    total: float
    gap: float
    settled: bool


def ascend(problem: Climbable, start: Floats) -> Top:
    """Climb until a step would gain nothing.

    A step is taken along the inverse of the observed information if that ascends; else along that
    of the expected one; else along that of the complete data, which is EM's to first order (Lange,
    1995). Each is halved until the likelihood does not fall.

    Parameters
    ----------
    problem : Climbable
    start : array

    Returns
    -------
    Top
    """
    at, total, gap = start, problem.total(start), np.inf
    for _ in range(_MOST_STEPS):
        slope = problem.slope(at)
        moved = None
        for information in problem.informations(at):
            step = _step(information(), slope)
            if step is None:
                continue
            gap = float(slope @ step) / 2
            if gap <= _SETTLED * max(1000.0, abs(total)):
                last = problem.total(at + step)
                if last >= total:
                    at, total = at + step, last
                return Top(at=at, total=total, gap=gap, settled=True)
            moved = _halved(problem, at, total, step)
            if moved is not None:
                break
        if moved is None:
            break
        at, total = moved
    return Top(at=at, total=total, gap=gap, settled=False)


def _step(information: Floats, slope: Floats) -> Floats | None:
    """Solve for a step, unless the matrix is not positive definite."""
    scale = np.sqrt(np.diag(information).clip(0))
    if not np.isfinite(information).all() or not (scale > 0).all():
        return None
    values, axes = np.linalg.eigh(information / np.outer(scale, scale))
    if not values[0] > len(scale) * np.finfo(float).eps:
        return None
    step: Floats = axes @ (axes.T @ (slope / scale) / values) / scale
    return step


def _halved(
    problem: Climbable, at: Floats, total: float, step: Floats
) -> tuple[Floats, float] | None:
    length = 1.0
    while length > _SHORTEST:
        there = at + length * step
        reached = problem.total(there)
        if reached > total:
            return there, reached
        length /= 2
    return None
