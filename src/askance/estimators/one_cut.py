"""Ranges with one cut each: how often the number was below, and above, each cut."""

from dataclasses import dataclass
from typing import final

import numpy as np

from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.typing import Floats


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OneCut:
    """Current-status data: counts at each distinct cut.

    Attributes
    ----------
    cuts : array, shape (c,)
        Distinct and ascending.
    below, above : array, shape (c,)
        How many numbers were up to the cut, and how many above it.
    """

    cuts: Floats
    below: Floats
    above: Floats

    @property
    def n(self) -> float:
        """How many numbers were observed, counting weights."""
        return float(self.below.sum() + self.above.sum())

    def isotonic(self, first: int = 0, past: int | None = None) -> Floats:
        """Fit the share below each cut, for cuts ``first … past − 1`` (Ayer et al., 1955)."""
        from scipy.optimize import isotonic_regression

        below, both = self.below[first:past], (self.below + self.above)[first:past]
        if not len(both):
            return np.zeros(0)
        return np.asarray(isotonic_regression(below / both, weights=both).x, dtype=float)


def one_cut(ranges: Ranges) -> OneCut:
    """Count ranges ``(−∞, cut]`` and ``(cut, ∞)`` by their cut.

    Raises
    ------
    InputError
        If a range has two finite ends or none, or no weight is positive.

    >>> data = one_cut(Ranges([-np.inf, 2, 1], [2, np.inf, np.inf], weights=[3, 1, 2]))
    >>> data.cuts.tolist(), data.below.tolist(), data.above.tolist()
    ([1.0, 2.0], [0.0, 3.0], [2.0, 1.0])
    """
    if not ranges.plain:
        raise InputError("Ranges", got="unions of ranges", allowed="ranges with one finite end")
    seen = ranges.weights > 0
    low, high, weights = ranges.lower[seen], ranges.upper[seen], ranges.weights[seen]
    under = np.isneginf(low)
    for at in np.flatnonzero(under == np.isposinf(high)):
        raise InputError(
            "Ranges",
            got=f"({low[at]}, {high[at]}]",
            allowed="ranges with one finite end",
            remedy="these intervals need one cut each; for other ranges see estimate_line",
        )
    if not len(weights):
        raise InputError("Ranges", got="no range", allowed="at least one with a positive weight")
    cuts, where = np.unique(np.where(under, high, low), return_inverse=True)
    below = np.bincount(where, weights * under, len(cuts)).astype(float)
    above = np.bincount(where, weights * ~under, len(cuts)).astype(float)
    return OneCut(cuts=cuts, below=below, above=above)
