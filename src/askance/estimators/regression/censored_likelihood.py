"""The likelihood of a linear model whose outcomes were seen as ranges."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import final

import numpy as np

from askance.channels.ranges import Ranges
from askance.estimators.noise.law import AbstractNoise
from askance.estimators.noise.parts import parts
from askance.estimators.noise.slopes import Slopes, slopes_within
from askance.estimators.regression.gram import gram
from askance.typing import Floats

_WIDEST = 700.0
"""The largest logarithm of a scale, either way, that doubles can hold."""

_LEAST = -1e300
"""The log-chance of what cannot be."""


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Local:
    """A log-likelihood at one place, with its gradient and minus its second derivatives."""

    total: float
    slope: Floats
    information: Floats


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
    latest: dict[bytes, Local] = field(default_factory=dict, init=False, repr=False)
    """The place last looked at, so that the likelihood and its derivatives share one pass."""

    def total(self, at: Floats) -> float:
        """Give the log-likelihood; -∞ where the data are impossible or the scale is no number."""
        if not np.isfinite(at).all() or abs(at[-1]) > _WIDEST:
            return -np.inf
        total = self._seen(at).total
        return total if np.isfinite(total) else -np.inf

    def slope(self, at: Floats) -> Floats:
        """Give the gradient, shape (c + 2,)."""
        return self._seen(at).slope

    def observed(self, at: Floats) -> Floats:
        """Give minus the second derivatives."""
        return self._seen(at).information

    def informations(self, at: Floats) -> Iterator[Callable[[], Floats]]:
        """Give the observed information, and that from the products of scores."""
        yield lambda: self.observed(at)
        yield lambda: self.products(at)

    def scores(self, at: Floats) -> Floats:
        """Give each row's gradient, not weighted, shape (n, c + 2)."""
        told = [one.first for _, one in self._blocks(at)]
        by_location, by_scale = np.concatenate(told, axis=1)
        return np.column_stack([self.design * (by_location / np.exp(at[-1]))[:, None], by_scale])

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

    def _seen(self, at: Floats) -> Local:
        key = at.tobytes()
        if key not in self.latest:
            self.latest.clear()
            self.latest[key] = self._looked(at)
        return self.latest[key]

    def _looked(self, at: Floats) -> Local:
        """Add up the rows, block by block, while they are in the processor's cache."""
        total, slope, held = 0.0, np.zeros(len(at)), np.zeros((len(at), len(at)))
        for rows, told in self._blocks(at):
            design, weights = self.design[rows], self.weights[rows]
            total += float(weights @ np.maximum(told.log_chance, _LEAST))
            first, second = told.first * weights, told.second * weights
            slope[:-1] += first[0] @ design
            slope[-1] += first[1].sum()
            held[:-1, :-1] -= gram(design, second[0])
            held[:-1, -1] -= second[1] @ design
            held[-1, -1] -= second[2].sum()
        size = np.append(np.full(len(at) - 1, np.exp(-at[-1])), 1.0)
        held[-1, :-1] = held[:-1, -1]
        with np.errstate(over="ignore"):  # of a scale so small nothing but the total is asked
            return Local(total=total, slope=slope * size, information=held * size * size[:, None])

    def _blocks(self, at: Floats) -> Iterator[tuple[slice, Slopes]]:
        location = self.design @ at[:-1]
        for seen in parts(self.noise, self.ranges, location, float(np.exp(at[-1]))):
            yield seen.rows, slopes_within(self.noise, seen)
