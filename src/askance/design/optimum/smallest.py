"""The smallest eigenvalue of the information: E-optimality."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from askance.design.optimum.moment import Block, congruence, entered, inverse, spectrum, stacked
from askance.design.optimum.term import AbstractPlace, AbstractTerm, Local, Move
from askance.typing import Floats, Integers


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Smallest(AbstractTerm):
    """The smallest eigenvalue of all blocks."""

    blocks: Sequence[Block]

    @property
    def order(self) -> int:
        """How many products have to vanish."""
        return sum(block.size for block in self.blocks)

    def restricted(self, columns: Integers) -> "Smallest":
        """Keep some of the columns."""
        return replace(self, blocks=[block.restricted(columns) for block in self.blocks])

    def level(self, z: Floats) -> float:
        """Give the figure of merit; minus infinity where the information is singular."""
        found = min(float(spectrum(block.moment(z))[0]) for block in self.blocks)
        return found if found > 0 else -np.inf

    def place(self, moment: Floats, t: float, weight: float) -> AbstractPlace:
        """Begin at an information."""
        above = [
            part - t * np.eye(len(part))
            for part in stacked(moment, [block.size for block in self.blocks])
        ]
        inside = [inverse(part) for part in above]
        scale = weight / sum(float(np.trace(part)) for part in inside)
        return stood(above, [scale * part for part in inside])


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SmallestPlace(AbstractPlace):
    """What the information has above t, S, and its multipliers G, both positive definite.

    Both are diag(size) in the coordinates of Nesterov & Todd: S = T diag(size) Tᵀ and
    G = R diag(size) Rᵀ with Rᵀ T = 1.
    """

    above: Sequence[Floats]
    inside: Sequence[Floats]
    frames: Sequence[tuple[Floats, Floats, Floats]]

    @property
    def weight(self) -> float:
        """Of the figure of merit in the whole."""
        return sum(float(np.trace(part)) for part in self.inside)

    @property
    def constant(self) -> float:
        """The smallest eigenvalue is bounded by the gradient alone."""
        return 0.0

    @property
    def gradient(self) -> Floats:
        """By the numbers that the information consists of."""
        return np.concatenate([entered(part) for part in self.inside])

    @property
    def product(self) -> float:
        """The trace of S G."""
        return sum(float(size @ size) for _, _, size in self.frames)

    def local(self, entries: Floats) -> Local:
        """Linearise G S = κ at the scaling of Nesterov & Todd."""
        q = entries.shape[1]
        yielding = np.zeros((q, q))
        push, at = [], 0
        for stretch, _, size in self.frames:
            part = congruence(stretch @ stretch.T)
            yielding[at : at + len(part), at : at + len(part)] = part
            at += len(part)
            push.append(entered((stretch / size) @ stretch.T))
        return Local(
            shadow=-entries,
            yielding=yielding,
            lift=np.concatenate([entered(np.eye(len(part))) for part in self.above]),
            pull=-np.concatenate([entered(part) for part in self.above]),
            push=np.concatenate(push),
        )

    def fall(self, move: Move) -> float:
        """Say how many times over a whole step would use up what is positive."""
        falls = []
        for (stretch, squeeze, size), above, inside in zip(
            self.frames, *self._steps(move), strict=True
        ):
            unit = np.sqrt(np.outer(size, size))
            both = np.stack([squeeze.T @ above @ squeeze, stretch.T @ inside @ stretch])
            falls.append(-float(np.linalg.eigvalsh(both / unit).min()))
        return max(falls)

    def moved(self, move: Move, length: float) -> AbstractPlace:
        """Go part of a step."""
        above, inside = self._steps(move)
        return stood(
            [one + length * step for one, step in zip(self.above, above, strict=True)],
            [one + length * step for one, step in zip(self.inside, inside, strict=True)],
        )

    def _steps(self, move: Move) -> tuple[list[Floats], list[Floats]]:
        sizes = [len(part) for part in self.above]
        inside = stacked(move.multipliers, sizes)
        above = [_lowered(part, move.level) for part in stacked(move.moment, sizes)]
        return above, inside


def stood(above: Sequence[Floats], inside: Sequence[Floats]) -> SmallestPlace:
    """Find the scaling at which both look alike.

    References
    ----------
    Nesterov & Todd (1997).
    """
    frames = []
    for one, other in zip(above, inside, strict=True):
        root, dual = np.linalg.cholesky(one), np.linalg.cholesky(other)
        left, size, right = np.linalg.svd(dual.T @ root)
        frames.append((root @ right.T / np.sqrt(size), dual @ left / np.sqrt(size), size))
    return SmallestPlace(above=above, inside=inside, frames=frames)


def _lowered(moment: Floats, t: float) -> Floats:
    lowered: Floats = moment - t * np.eye(len(moment))
    return lowered
