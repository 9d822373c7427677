"""The likelihood of a linear model whose outcomes were seen as ranges."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import final

import numpy as np

from askance.channels.ranges import Ranges
from askance.estimators.noise.law import AbstractNoise
from askance.estimators.noise.residuals import residuals
from askance.estimators.noise.within import Slopes, slopes
from askance.estimators.regression.gram import gram
from askance.typing import Floats

_WIDEST = 700.0
"""The largest logarithm of a scale, either way, that doubles can hold."""


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CensoredLikelihood:
    r"""Σ_i w_i log P(x_i β + σ ε ∈ D_i), as a function of (β, log σ).

    Attributes
    ----------
    noise : AbstractNoise
        The law of ε.
    ranges : Ranges, n rows
        The sets D_i, with their weights.
    design : array, shape (n, c + 1)
        Covariates, after a column of ones.
    """

    noise: AbstractNoise
    ranges: Ranges
    design: Floats
    latest: dict[bytes, Slopes] = field(default_factory=dict, init=False, repr=False)
    """The place last looked at, so that the likelihood and its derivatives share one pass."""

    def total(self, at: Floats) -> float:
        """Give the log-likelihood; -∞ where the data are impossible or the scale is no number."""
        if not np.isfinite(at).all() or abs(at[-1]) > _WIDEST:
            return -np.inf
        total = float(self.weights @ np.maximum(self._seen(at).log_chance, -1e300))
        return total if np.isfinite(total) else -np.inf

    def slope(self, at: Floats) -> Floats:
        """Give the gradient, shape (c + 2,)."""
        by_location, by_scale = self._seen(at).first * self.weights
        return np.append(self.design.T @ by_location / np.exp(at[-1]), by_scale.sum())

    def scores(self, at: Floats) -> Floats:
        """Give each row's gradient, not weighted, shape (n, c + 2)."""
        by_location, by_scale = self._seen(at).first
        return np.column_stack([self.design * (by_location / np.exp(at[-1]))[:, None], by_scale])

    def informations(self, at: Floats) -> Iterator[Callable[[], Floats]]:
        """Give the observed information, and that from the products of scores."""
        yield lambda: self.observed(at)
        yield lambda: self.products(at)

    def observed(self, at: Floats) -> Floats:
        """Give minus the second derivatives."""
        twice, both, by_scale = -self._seen(at).second * self.weights
        scale = np.exp(at[-1])
        held = np.zeros((len(at), len(at)))
        held[:-1, :-1] = gram(self.design, twice) / scale**2
        held[:-1, -1] = held[-1, :-1] = self.design.T @ both / scale
        held[-1, -1] = by_scale.sum()
        return held

    def products(self, at: Floats) -> Floats:
        """Give the sum of products of scores, an estimate of the expected information."""
        return gram(self.scores(at), self.weights)

    @property
    def weights(self) -> Floats:
        """How often each range was observed."""
        return self.ranges.weights

    def of(self, design: Floats) -> "CensoredLikelihood":
        """Write the covariates otherwise."""
        return CensoredLikelihood(noise=self.noise, ranges=self.ranges, design=design)

    def some(self, rows: slice) -> "CensoredLikelihood":
        """Choose rows."""
        return CensoredLikelihood(
            noise=self.noise, ranges=self.ranges[rows], design=self.design[rows]
        )

    def _seen(self, at: Floats) -> Slopes:
        key = at.tobytes()
        if key not in self.latest:
            where = residuals(self.ranges, self.design @ at[:-1], float(np.exp(at[-1])))
            self.latest.clear()
            self.latest[key] = slopes(self.noise, where)
        return self.latest[key]
