"""Concave figures of merit as the climb sees them: a barrier, and a linear bound from above."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from askance.typing import Floats, Integers


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Block:
    """Part of the information that the channel adds up, column by column.

    Attributes
    ----------
    features : array, shape (n, d)
        A column with chance z adds z f fᵀ.
    times : int
        How often the block stands on the diagonal of the whole.
    """

    features: Floats
    times: int = 1

    def restricted(self, columns: Integers) -> "Block":
        """Keep some of the columns."""
        return replace(self, features=self.features[columns])


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Local:
    """A barrier with its slope by the chances z and the level t.

    Minus its second derivative is rootᵀ root, with root of shape (r, n + 1), the level last: kept
    as a root so that steep barriers do not drown the rest.
    """

    value: float
    slope: Floats
    root: Floats


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tangent:
    """A bound on the figure of merit, constant + scores · z, and its weight in the mixture."""

    weight: float
    constant: float
    scores: Floats


class AbstractTerm(ABC):
    """The figure of merit at one guess of the shares, to be kept above a level t."""

    __slots__ = ()

    @abstractmethod
    def restricted(self, columns: Integers) -> "AbstractTerm":
        """Keep some of the columns."""

    @abstractmethod
    def level(self, z: Floats) -> float:
        """Give the figure of merit; minus infinity where the information is singular."""

    @abstractmethod
    def height(self, z: Floats, t: float) -> float:
        """Give the value of the barrier; minus infinity outside its domain."""

    @abstractmethod
    def barrier(self, z: Floats, t: float, active: Integers) -> Local:
        """Give the barrier inside its domain, by the active columns; z is zero outside them."""

    @abstractmethod
    def tangent(self, z: Floats, t: float, step: tuple[Floats, float]) -> Tangent:
        """Bound the figure of merit over all columns.

        Weights are those after a last, small step by z and t, to first order: they depend on how
        far the merit is above t, which is hard to tell.
        """


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trace(AbstractTerm):
    """Minus the sum of the variances, −scale Σ tr M⁻¹ + shift."""

    blocks: Sequence[Block]
    scale: float = 1.0
    shift: float = 0.0

    def restricted(self, columns: Integers) -> "Trace":
        """Keep some of the columns."""
        return replace(self, blocks=[block.restricted(columns) for block in self.blocks])

    def level(self, z: Floats) -> float:
        """Give the figure of merit; minus infinity where the information is singular."""
        total = 0.0
        for block in self.blocks:
            values = np.linalg.eigvalsh(_moment(block, z))
            total += block.times * float((1 / values).sum()) if values[0] > 0 else np.inf
        return self.shift - self.scale * total

    def height(self, z: Floats, t: float) -> float:
        """Give the value of the barrier; minus infinity outside its domain."""
        above = self.level(z) - t
        return float(np.log(above)) if above > 0 else -np.inf

    def barrier(self, z: Floats, t: float, active: Integers) -> Local:
        """Give the barrier inside its domain, by the active columns; z is zero outside them."""
        level = self.level(z)
        slope, roots = np.zeros(len(active)), []
        for block in self.blocks:
            rows, weight = block.features[active], self.scale * block.times
            half = rows @ _root(_moment(block, z))
            once = rows @ _inverse(_moment(block, z))
            slope += weight * np.einsum("ij,ij->i", once, once)
            roots.append(np.sqrt(2 * weight) * _products(half, once))
        return logarithm(level - t, slope, np.vstack(roots))

    def tangent(self, z: Floats, t: float, step: tuple[Floats, float]) -> Tangent:
        """Bound the figure of merit over all columns."""
        scores = np.zeros(len(z))
        for block in self.blocks:
            once = block.features @ _inverse(_moment(block, z))
            scores += self.scale * block.times * np.einsum("ij,ij->i", once, once)
        return _touching(self.level(z), scores, z, t, step)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LogDeterminant(AbstractTerm):
    """Minus the mean logarithm of the variances along the axes, scale Σ ln det M + shift."""

    blocks: Sequence[Block]
    scale: float = 1.0
    shift: float = 0.0

    def restricted(self, columns: Integers) -> "LogDeterminant":
        """Keep some of the columns."""
        return replace(self, blocks=[block.restricted(columns) for block in self.blocks])

    def level(self, z: Floats) -> float:
        """Give the figure of merit; minus infinity where the information is singular."""
        total = 0.0
        for block in self.blocks:
            sign, logarithm_of = np.linalg.slogdet(_moment(block, z))
            total += block.times * (float(logarithm_of) if sign > 0 else -np.inf)
        return self.shift + self.scale * total

    def height(self, z: Floats, t: float) -> float:
        """Give the value of the barrier; minus infinity outside its domain."""
        above = self.level(z) - t
        return float(np.log(above)) if above > 0 else -np.inf

    def barrier(self, z: Floats, t: float, active: Integers) -> Local:
        """Give the barrier inside its domain, by the active columns; z is zero outside them."""
        level = self.level(z)
        slope, roots = np.zeros(len(active)), []
        for block in self.blocks:
            half = block.features[active] @ _root(_moment(block, z))
            weight = self.scale * block.times
            slope += weight * np.einsum("ij,ij->i", half, half)
            roots.append(np.sqrt(weight) * _products(half, half))
        return logarithm(level - t, slope, np.vstack(roots))

    def tangent(self, z: Floats, t: float, step: tuple[Floats, float]) -> Tangent:
        """Bound the figure of merit over all columns."""
        scores = np.zeros(len(z))
        for block in self.blocks:
            once = block.features @ _inverse(_moment(block, z))
            scores += self.scale * block.times * np.einsum("ij,ij->i", once, block.features)
        return _touching(self.level(z), scores, z, t, step)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Smallest(AbstractTerm):
    """The smallest eigenvalue of all blocks, scale λ(M), kept above t by Σ ln det(scale M − t)."""

    blocks: Sequence[Block]
    scale: float = 1.0

    def restricted(self, columns: Integers) -> "Smallest":
        """Keep some of the columns."""
        return replace(self, blocks=[block.restricted(columns) for block in self.blocks])

    def level(self, z: Floats) -> float:
        """Give the figure of merit; minus infinity where the information is singular."""
        return self.scale * float(
            min(np.linalg.eigvalsh(_moment(block, z))[0] for block in self.blocks)
        )

    def height(self, z: Floats, t: float) -> float:
        """Give the value of the barrier; minus infinity outside its domain."""
        if not self.level(z) > t:
            return -np.inf
        return float(sum(np.linalg.slogdet(self._above(block, z, t))[1] for block in self.blocks))

    def barrier(self, z: Floats, t: float, active: Integers) -> Local:
        """Give the barrier inside its domain, by the active columns; z is zero outside them."""
        value, slope, roots = 0.0, np.zeros(len(active) + 1), []
        for block in self.blocks:
            above = self._above(block, z, t)
            root = _root(above)
            half = np.sqrt(self.scale) * block.features[active] @ root
            inverse = root @ root.T
            value += float(np.linalg.slogdet(above)[1])
            slope[:-1] += np.einsum("ij,ij->i", half, half)
            slope[-1] -= float(np.trace(inverse))
            roots.append(np.column_stack([_products(half, half), -(root.T @ root).ravel()]))
        return Local(value=value, slope=slope, root=np.vstack(roots))

    def tangent(self, z: Floats, t: float, step: tuple[Floats, float]) -> Tangent:
        """Bound the figure of merit over all columns."""
        scores, trace = np.zeros(len(z)), 0.0
        for block in self.blocks:
            root = _root(self._above(block, z, t))
            move = self.scale * _moment(block, step[0]) - step[1] * np.eye(len(root))
            inverse = root @ (np.eye(len(root)) - root.T @ move @ root) @ root.T
            values, axes = np.linalg.eigh(inverse)
            inverse = (axes * np.maximum(values, 0.0)) @ axes.T
            scores += self.scale * np.einsum("ij,ij->i", block.features @ inverse, block.features)
            trace += float(np.trace(inverse))
        return Tangent(weight=trace, constant=0.0, scores=scores / trace)

    def _above(self, block: Block, z: Floats, t: float) -> Floats:
        above: Floats = self.scale * _moment(block, z) - t * np.eye(block.features.shape[1])
        return above


def logarithm(above: float, slope: Floats, root: Floats) -> Local:
    """Give ln(h − t) and its derivatives from those of h.

    Parameters
    ----------
    above : float
        h − t, positive.
    slope : array, shape (n,)
        Of h.
    root : array, shape (r, n)
        Whose square is minus the second derivative of h.

    >>> found = logarithm(2.0, np.array([1.0]), np.array([[0.0]]))
    >>> found.slope.tolist(), (found.root.T @ found.root).tolist()
    ([0.5, -0.5], [[0.25, -0.25], [-0.25, 0.25]])
    """
    steep = np.append(slope, -1.0) / above
    bent = np.column_stack([root / np.sqrt(above), np.zeros(len(root))])
    return Local(value=float(np.log(above)), slope=steep, root=np.vstack([bent, steep]))


def _touching(
    level: float, scores: Floats, z: Floats, t: float, step: tuple[Floats, float]
) -> Tangent:
    above = level - t
    nearer = (float(scores @ step[0]) - step[1]) / above
    weight = max(1 - nearer, 0.0) / above
    return Tangent(weight=weight, constant=level - float(scores @ z), scores=scores)


def _products(one: Floats, two: Floats) -> Floats:
    """Give for each row of two arrays all products of their entries, as a column."""
    products: Floats = np.einsum("ni,nj->ijn", one, two).reshape(
        one.shape[1] * two.shape[1], len(one)
    )
    return products


def _root(moment: Floats) -> Floats:
    """Give R with R Rᵀ the inverse."""
    root: Floats = np.linalg.inv(np.linalg.cholesky(moment)).T
    return root


def _moment(block: Block, z: Floats) -> Floats:
    moment: Floats = (block.features * z[:, None]).T @ block.features
    return moment


def _inverse(moment: Floats) -> Floats:
    inverse = np.linalg.inv(moment)
    even: Floats = (inverse + inverse.T) / 2
    return even
