"""The smallest eigenvalue of the information: E-optimality."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from scipy.linalg.lapack import dpotrf, dsyevd

from askance.design.solver.moment import (
    Block,
    congruence,
    diagonal,
    entered,
    inverse,
    spectrum,
    stacked,
    unit,
)
from askance.design.solver.term import AbstractPlace, AbstractTerm, AbstractTrial, Local, Move
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

    @property
    def entries(self) -> Floats:
        """What columns add to the information."""
        return np.concatenate([block.entries for block in self.blocks])

    def restricted(self, columns: Integers) -> "Smallest":
        """Keep some of the columns."""
        return replace(self, blocks=[block.restricted(columns) for block in self.blocks])

    def level(self, z: Floats) -> float:
        """Give the figure of merit; minus infinity where the information is singular."""
        found = min(float(spectrum(block.moment(z))[0]) for block in self.blocks)
        return found if found > 0 else -np.inf

    def place(self, moment: Floats, t: float, weight: float) -> AbstractPlace:
        """Begin at an information; multipliers are inverse to what is above t."""
        above = [
            part - t * np.eye(len(part))
            for part in stacked(moment, [block.size for block in self.blocks])
        ]
        inside = [inverse(part) for part in above]
        scale = weight / sum(float(np.trace(part)) for part in inside)
        both = zip(above, inside, strict=True)
        return SmallestPlace(
            pairs=[paired_up(np.array([one, scale * other])) for one, other in both]
        )


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pair:
    """What the information has above t in a block, S, and its multipliers, G.

    Both are diag(size) in the coordinates of Nesterov & Todd: S = T diag(size) Tᵀ and
    G = R diag(size) Rᵀ with Rᵀ T = 1.

    Attributes
    ----------
    both : array, shape (2, d, d)
        S and G, positive definite.
    turns : array, shape (2, d, d)
        R and T, in units of √size: they turn S and G into the unit matrix.
    size : array, shape (d,)
    """

    both: Floats
    turns: Floats
    size: Floats

    @property
    def scaling(self) -> Floats:
        """T Tᵀ, which takes G to S."""
        stretch = self.turns[1]
        taken: Floats = (stretch * self.size) @ stretch.T
        return taken

    @property
    def dual(self) -> Floats:
        """The inverse of G."""
        stretch = self.turns[1]
        inverted: Floats = stretch @ stretch.T
        return inverted


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SmallestPlace(AbstractPlace):
    """What the information has above t, and its multipliers, block by block."""

    pairs: Sequence[Pair]

    @property
    def weight(self) -> float:
        """Of the figure of merit in the whole."""
        return sum(float(np.trace(pair.both[1])) for pair in self.pairs)

    @property
    def constant(self) -> float:
        """The smallest eigenvalue is bounded by the gradient alone."""
        return 0.0

    @property
    def gradient(self) -> Floats:
        """By the numbers that the information consists of."""
        return np.concatenate([entered(pair.both[1]) for pair in self.pairs])

    @property
    def product(self) -> float:
        """The trace of S G."""
        return sum(float(pair.size @ pair.size) for pair in self.pairs)

    @property
    def local(self) -> Local:
        """G S = κ linearised at the scaling of Nesterov & Todd."""
        sides = [np.array([-pair.both[0], pair.dual]) for pair in self.pairs]
        pull, push = np.concatenate([entered(side) for side in sides], axis=-1)
        return Local(
            yielding=diagonal([congruence(pair.scaling) for pair in self.pairs]),
            lift=np.concatenate([unit(len(pair.size)) for pair in self.pairs]),
            pull=pull,
            push=push,
        )

    def tried(self, move: Move) -> AbstractTrial:
        """Look at a whole step."""
        both = np.array([move.moment, move.multipliers])
        steps = stacked(both, [len(pair.size) for pair in self.pairs])
        for step in steps:
            step[0].flat[:: len(step[0]) + 1] -= move.level
        parts = zip(self.pairs, steps, strict=True)
        turned = [pair.turns.swapaxes(1, 2) @ step @ pair.turns for pair, step in parts]
        return SmallestTrial(pairs=self.pairs, steps=steps, turned=turned)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SmallestTrial(AbstractTrial):
    """A whole step of S and G, also where both are the unit matrix."""

    pairs: Sequence[Pair]
    steps: Sequence[Floats]
    turned: Sequence[Floats]

    @property
    def fall(self) -> float:
        """How many times over it would use up what has to stay positive."""
        return max(-float(np.linalg.eigvalsh(one).min()) for one in self.turned)

    @property
    def curved(self) -> Floats:
        """The product of both steps, as a change of S."""
        left = []
        for pair, (above, inside) in zip(self.pairs, self.turned, strict=True):
            size = pair.size
            product = above * size @ inside
            even = (product + product.T) * size[:, None] * size / (size[:, None] + size)
            left.append(entered(pair.turns[1] @ even @ pair.turns[1].T))
        return np.concatenate(left)

    def moved(self, length: float) -> AbstractPlace:
        """Go part of it."""
        steps = zip(self.pairs, self.steps, strict=True)
        return SmallestPlace(pairs=[paired_up(pair.both + length * step) for pair, step in steps])


def paired_up(both: Floats) -> Pair:
    """Find the scaling at which S and G look alike.

    References
    ----------
    Nesterov & Todd (1997).
    """
    above, inside = both
    root, singular = dpotrf(above, lower=True)
    squares, axes, failed = dsyevd(root.T @ inside @ root)
    if singular or failed or squares[0] <= 0:
        raise np.linalg.LinAlgError
    size = np.sqrt(squares)
    stretch = (root @ axes) / size
    return Pair(both=both, turns=np.array([inside @ stretch / size, stretch]), size=size)
