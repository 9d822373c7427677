"""A law known by its density alone: a cumulative function from panels of nodes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.channels.readonly import keep_read_only
from askance.typing import Floats

_AT, _WEIGHT = np.polynomial.legendre.leggauss(24)


@final
@dataclass(frozen=True, slots=True, eq=False)
class PanelledLaw:
    """A distribution on ascending panels, smooth inside each.

    Attributes
    ----------
    density : callable
        Takes an array of numbers inside the panels.
    edges : array, shape (c + 1,)
        Ends of the panels, finite and ascending; what lies beyond is without weight.
    upto : array, shape (c + 1,)
        Cumulative chance at each edge.

    >>> law = PanelledLaw(lambda x: 2 * x, np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.25, 1.0]))
    >>> law.cdf([0.25, 0.5]).round(12).tolist(), law.ppf([0.5]).round(6).tolist()
    ([0.0625, 0.25], [0.707107])
    """

    density: Callable[[Floats], Floats] = field(repr=False)
    edges: Floats = field(repr=False)
    upto: Floats = field(repr=False)

    def __post_init__(self) -> None:
        keep_read_only(self, "edges upto")

    def pdf(self, x: npt.ArrayLike) -> Floats:
        """Give the density; 0 beyond the panels."""
        at = np.asarray(x, dtype=float)
        inside = (at >= self.edges[0]) & (at <= self.edges[-1])
        height: Floats = np.where(inside, self.density(np.clip(at, *self.edges[[0, -1]])), 0.0)
        return height

    def cdf(self, x: npt.ArrayLike) -> Floats:
        """Give the chance of a number up to here."""
        at = np.clip(np.asarray(x, dtype=float), *self.edges[[0, -1]])
        panel = np.clip(np.searchsorted(self.edges, at, side="right") - 1, 0, len(self.upto) - 2)
        found = self.upto[panel] + integral(self.density, self.edges[panel], at)
        upto: Floats = np.clip(found, 0, 1)
        return upto

    def ppf(self, q: npt.ArrayLike) -> Floats:
        """Give the point that is not exceeded with this chance, by halving its panel."""
        share = np.asarray(q, dtype=float)
        panel = np.clip(np.searchsorted(self.upto, share, side="right") - 1, 0, len(self.upto) - 2)
        low, high = self.edges[panel], self.edges[panel + 1]
        for _ in range(52):
            middle = (low + high) / 2
            short = self.cdf(middle) < share
            low, high = np.where(short, middle, low), np.where(short, high, middle)
        return np.where((share >= 0) & (share <= 1), high, np.nan)


def integral(f: Callable[[Any], Any], low: Floats, high: Floats) -> Floats:
    """Integrate a smooth function over each of several intervals by 24 Gauss nodes.

    >>> integral(lambda x: x**2, np.array([0.0]), np.array([3.0])).round(12).tolist()
    [9.0]
    """
    half = (high - low) / 2
    nodes = low[..., None] + half[..., None] * (1 + _AT)
    found: Floats = half * (f(nodes) @ _WEIGHT)
    return found
