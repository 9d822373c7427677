"""Concave figures of merit as the climb sees them: sums over a spectrum, or its smallest value."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from scipy.linalg.lapack import dpotrf, dsyevd

from askance.design.utility import (
    Block,
    congruence,
    diagonal,
    entered,
    inverse,
    pairs,
    spectrum,
    stacked,
    unit,
)
from askance.typing import Floats, Integers


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Local:
    """How multipliers x answer to steps of the information and the level.

    A step obeys moment + yielding dx − lift dt = pull + push κ, with κ the barrier; lift · x is the
    weight of the term.

    Attributes
    ----------
    yielding : array, shape (d, d)
    lift, pull, push : array, shape (d,)
    """

    yielding: Floats
    lift: Floats
    pull: Floats
    push: Floats


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Move:
    """A whole step: of the information, of the level, and of the multipliers."""

    moment: Floats
    level: float
    multipliers: Floats


class AbstractTrial(ABC):
    """A whole step as a figure of merit sees it, before it is known how much of it can be gone."""

    __slots__ = ()

    @property
    @abstractmethod
    def fall(self) -> float:
        """How many times over it would use up what has to stay positive."""

    @property
    @abstractmethod
    def curved(self) -> Floats:
        """What it leaves of the products that it was to undo, by multipliers."""

    @abstractmethod
    def moved(self, length: float) -> "AbstractPlace":
        """Go part of it."""


class AbstractPlace(ABC):
    """Where a figure of merit stands on the way."""

    __slots__ = ()

    @property
    @abstractmethod
    def weight(self) -> float:
        """Of the figure of merit in the whole."""

    @property
    @abstractmethod
    def constant(self) -> float:
        """With the gradient a bound on the weighted figure, constant + gradient · information."""

    @property
    @abstractmethod
    def gradient(self) -> Floats:
        """By the numbers that the information consists of."""

    @property
    @abstractmethod
    def product(self) -> float:
        """The sum of products of multipliers and what they multiply, zero at the best."""

    @property
    @abstractmethod
    def local(self) -> Local:
        """What is nearly so around here."""

    @abstractmethod
    def tried(self, move: Move) -> AbstractTrial:
        """Look at a whole step."""


class AbstractTerm(ABC):
    """The figure of merit at one guess of the shares, to be kept above a level t."""

    __slots__ = ()

    @property
    @abstractmethod
    def order(self) -> int:
        """How many products have to vanish."""

    @property
    @abstractmethod
    def entries(self) -> Floats:
        """What columns add to the information, by multipliers, shape (d, n)."""

    @abstractmethod
    def restricted(self, columns: Integers) -> "AbstractTerm":
        """Keep some of the columns."""

    @abstractmethod
    def level(self, z: Floats) -> float:
        """The figure of merit; minus infinity where the information is singular."""

    @abstractmethod
    def place(self, moment: Floats, t: float, weight: float) -> AbstractPlace:
        """Begin at an information."""


_SINGULAR = 1e-14  # smallest over largest eigenvalue


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Curve:
    """A concave function f of an eigenvalue, its slope, and −(a − b)/(f′(a) − f′(b))."""

    value: Callable[[Floats], Floats]
    slope: Callable[[Floats], Floats]
    yielding: Callable[[Floats, Floats], Floats]


VARIANCE = Curve(
    value=lambda v: -1 / v,
    slope=lambda v: 1 / v**2,
    yielding=lambda a, b: (a * b) ** 2 / (a + b),
)
LOGARITHM = Curve(value=np.log, slope=lambda v: 1 / v, yielding=lambda a, b: a * b)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Spectral(AbstractTerm):
    """The sum of f over the spectrum of all blocks, scale Σ f(λ) + shift."""

    blocks: Sequence[Block]
    curve: Curve
    scale: float = 1.0
    shift: float = 0.0

    @property
    def order(self) -> int:
        """How many products have to vanish."""
        return 1

    @property
    def entries(self) -> Floats:
        """What columns add to the information, and nothing for the multiplier of the slack."""
        parts = [block.entries for block in self.blocks]
        return np.concatenate([*parts, np.zeros((1, parts[0].shape[1]))])

    def restricted(self, columns: Integers) -> "Spectral":
        """Keep some of the columns."""
        return replace(self, blocks=[block.restricted(columns) for block in self.blocks])

    def level(self, z: Floats) -> float:
        """The figure of merit; minus infinity where the information is singular."""
        return self._height([spectrum(block.moment(z)) for block in self.blocks])

    def place(self, moment: Floats, t: float, weight: float) -> AbstractPlace:
        """Begin at an information."""
        first = self.stood(moment, t, 1.0, weight)
        return replace(first, slack=first.height - t)

    def stood(self, moment: Floats, t: float, slack: float, weight: float) -> "SpectralPlace":
        """Find the height and the slope at an information."""
        spectra, slope = [], []
        for block, part in zip(
            self.blocks, stacked(moment, [block.size for block in self.blocks]), strict=True
        ):
            values, axes = np.linalg.eigh(part)
            spectra.append((values, axes))
            steep = self.scale * block.times * self.curve.slope(values)
            slope.append(entered((axes * steep) @ axes.T))
        return SpectralPlace(
            term=self,
            moment=moment,
            spectra=spectra,
            height=self._height([values for values, _ in spectra]),
            slope=np.concatenate([*slope, np.zeros(1)]),
            t=t,
            slack=slack,
            weight=weight,
        )

    def _height(self, spectra: Sequence[Floats]) -> float:
        total = self.shift
        for block, values in zip(self.blocks, spectra, strict=True):
            if not values[0] > _SINGULAR * values[-1]:
                return -np.inf
            total += self.scale * block.times * float(self.curve.value(values).sum())
        return total


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SpectralPlace(AbstractPlace):
    """A sum over the spectrum at some information, with the multiplier of its slack above t.

    That multiplier is the last one; nothing is added to the last number of the information.
    """

    term: Spectral
    moment: Floats
    spectra: Sequence[tuple[Floats, Floats]]
    height: float
    slope: Floats
    t: float
    slack: float
    weight: float

    @property
    def gradient(self) -> Floats:
        """By the numbers that the information consists of."""
        return self.weight * self.slope

    @property
    def constant(self) -> float:
        """With the gradient a bound on the weighted figure."""
        return self.weight * (self.height - float(self.slope @ self.moment))

    @property
    def product(self) -> float:
        """The product of the multiplier and the slack."""
        return self.weight * self.slack

    @property
    def local(self) -> Local:
        """What the gradient and the weight do, with the second derivative inverted along the axes.

        The gradient changes with its weight as well: that part moves no information.
        """
        parts = []
        for block, (values, axes) in zip(self.term.blocks, self.spectra, strict=True):
            i, j, _ = pairs(len(values))
            turned = congruence(axes)
            soft = (turned * self.term.curve.yielding(values[i], values[j])) @ turned.T
            parts.append(soft / (self.weight * self.term.scale * block.times))
        yielding = diagonal([*parts, np.zeros((1, 1))])
        along = yielding @ self.slope
        yielding[:, -1] = yielding[-1] = -along
        yielding[-1, -1] = self.slope @ along + self.slack / self.weight
        lift = np.zeros(len(along))
        lift[-1] = 1.0
        return Local(
            yielding=yielding,
            lift=lift,
            pull=lift * (self.t - self.height),
            push=lift / self.weight,
        )

    def tried(self, move: Move) -> AbstractTrial:
        """Look at a whole step."""
        higher = self.height + float(self.slope @ move.moment) - (self.t + move.level)
        return SpectralTrial(place=self, move=move, slacker=higher - self.slack)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SpectralTrial(AbstractTrial):
    """A whole step, with what it does to the slack."""

    place: SpectralPlace
    move: Move
    slacker: float

    @property
    def heavier(self) -> float:
        """What it does to the weight."""
        return float(self.move.multipliers[-1])

    @property
    def fall(self) -> float:
        """How many times over it would use up what has to stay positive."""
        place = self.place
        falls = [-self.heavier / place.weight, -self.slacker / place.slack]
        steps = stacked(self.move.moment, [block.size for block in place.term.blocks])
        for (values, axes), step in zip(place.spectra, steps, strict=True):
            root = axes / np.sqrt(values)
            falls.append(-float(np.linalg.eigvalsh(root.T @ step @ root)[0]))
        return max(falls)

    @property
    def curved(self) -> Floats:
        """The product of what it does to the slack and to the weight."""
        left = np.zeros(len(self.place.slope))
        left[-1] = self.slacker * self.heavier / self.place.weight
        return left

    def moved(self, length: float) -> AbstractPlace:
        """Go part of it."""
        place, move = self.place, self.move
        return place.term.stood(
            place.moment + length * move.moment,
            place.t + length * move.level,
            place.slack + length * self.slacker,
            place.weight + length * self.heavier,
        )


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
        """The figure of merit; minus infinity where the information is singular."""
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
