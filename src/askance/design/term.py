"""Concave figures of merit as the climb sees them: a barrier, and a linear bound from above."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from askance.design.moment import Block, inverse, inverse_root, paired, pairs
from askance.typing import Floats, Integers


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

    @property
    @abstractmethod
    def freedom(self) -> int:
        """How many numbers the information consists of: so many columns may be needed."""

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

    @property
    def freedom(self) -> int:
        """How many numbers the information consists of: so many columns may be needed."""
        return sum(block.freedom for block in self.blocks)

    def restricted(self, columns: Integers) -> "Trace":
        """Keep some of the columns."""
        return replace(self, blocks=[block.restricted(columns) for block in self.blocks])

    def level(self, z: Floats) -> float:
        """Give the figure of merit; minus infinity where the information is singular."""
        total = 0.0
        for block in self.blocks:
            values = np.linalg.eigvalsh(block.moment(z))
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
            values, axes = np.linalg.eigh(block.moment(z))
            along = rows @ axes
            slope += weight * ((along / values) ** 2).sum(axis=1)
            i, j, _ = pairs(len(values))
            stretch = np.sqrt(weight * (values[i] + values[j])) / (values[i] * values[j])
            roots.append(stretch[:, None] * paired(along))
        return logarithm(level - t, slope, np.vstack(roots))

    def tangent(self, z: Floats, t: float, step: tuple[Floats, float]) -> Tangent:
        """Bound the figure of merit over all columns."""
        scores = np.zeros(len(z))
        for block in self.blocks:
            once = block.features @ inverse(block.moment(z))
            scores += self.scale * block.times * np.einsum("ij,ij->i", once, once)
        return _touching(self.level(z), scores, z, t, step)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LogDeterminant(AbstractTerm):
    """Minus the mean logarithm of the variances along the axes, scale Σ ln det M + shift."""

    blocks: Sequence[Block]
    scale: float = 1.0
    shift: float = 0.0

    @property
    def freedom(self) -> int:
        """How many numbers the information consists of: so many columns may be needed."""
        return sum(block.freedom for block in self.blocks)

    def restricted(self, columns: Integers) -> "LogDeterminant":
        """Keep some of the columns."""
        return replace(self, blocks=[block.restricted(columns) for block in self.blocks])

    def level(self, z: Floats) -> float:
        """Give the figure of merit; minus infinity where the information is singular."""
        total = 0.0
        for block in self.blocks:
            sign, logarithm_of = np.linalg.slogdet(block.moment(z))
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
            half = block.features[active] @ inverse_root(block.moment(z))
            weight = self.scale * block.times
            slope += weight * np.einsum("ij,ij->i", half, half)
            roots.append(np.sqrt(weight) * paired(half))
        return logarithm(level - t, slope, np.vstack(roots))

    def tangent(self, z: Floats, t: float, step: tuple[Floats, float]) -> Tangent:
        """Bound the figure of merit over all columns."""
        scores = np.zeros(len(z))
        for block in self.blocks:
            once = block.features @ inverse(block.moment(z))
            scores += self.scale * block.times * np.einsum("ij,ij->i", once, block.features)
        return _touching(self.level(z), scores, z, t, step)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Smallest(AbstractTerm):
    """The smallest eigenvalue of all blocks, scale λ(M), kept above t by Σ ln det(scale M − t)."""

    blocks: Sequence[Block]
    scale: float = 1.0

    @property
    def freedom(self) -> int:
        """How many numbers the information consists of: so many columns may be needed."""
        return sum(block.freedom for block in self.blocks)

    def restricted(self, columns: Integers) -> "Smallest":
        """Keep some of the columns."""
        return replace(self, blocks=[block.restricted(columns) for block in self.blocks])

    def level(self, z: Floats) -> float:
        """Give the figure of merit; minus infinity where the information is singular."""
        return self.scale * float(
            min(np.linalg.eigvalsh(block.moment(z))[0] for block in self.blocks)
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
            root = inverse_root(above)
            half = np.sqrt(self.scale) * block.features[active] @ root
            value += float(np.linalg.slogdet(above)[1])
            slope[:-1] += np.einsum("ij,ij->i", half, half)
            slope[-1] -= float(np.sum(root**2))
            level = root.T @ root
            i, j, length = pairs(len(level))
            roots.append(np.column_stack([paired(half), -level[i, j] * length]))
        return Local(value=value, slope=slope, root=np.vstack(roots))

    def tangent(self, z: Floats, t: float, step: tuple[Floats, float]) -> Tangent:
        """Bound the figure of merit over all columns."""
        scores, trace = np.zeros(len(z)), 0.0
        for block in self.blocks:
            root = inverse_root(self._above(block, z, t))
            move = self.scale * block.moment(step[0]) - step[1] * np.eye(len(root))
            weight = root @ (np.eye(len(root)) - root.T @ move @ root) @ root.T
            values, axes = np.linalg.eigh(weight)
            weight = (axes * np.maximum(values, 0.0)) @ axes.T
            scores += self.scale * np.einsum("ij,ij->i", block.features @ weight, block.features)
            trace += float(np.trace(weight))
        return Tangent(weight=trace, constant=0.0, scores=scores / trace)

    def _above(self, block: Block, z: Floats, t: float) -> Floats:
        above: Floats = self.scale * block.moment(z) - t * np.eye(block.features.shape[1])
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
