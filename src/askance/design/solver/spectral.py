"""Sums over the spectrum of the information: A- and D-optimality."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from askance.design.solver.moment import (
    Block,
    congruence,
    diagonal,
    entered,
    pairs,
    spectrum,
    stacked,
)
from askance.design.solver.term import AbstractPlace, AbstractTerm, AbstractTrial, Local, Move
from askance.typing import Floats, Integers

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
        """Give the figure of merit; minus infinity where the information is singular."""
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
