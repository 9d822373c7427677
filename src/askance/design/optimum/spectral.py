"""Sums over the spectrum of the information: A- and D-optimality."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from askance.design.optimum.moment import Block, congruence, entered, spectrum, stacked
from askance.design.optimum.term import AbstractPlace, AbstractTerm, Local, Move
from askance.typing import Floats, Integers

_SINGULAR = 1e-14


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
            slope=np.concatenate(slope),
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
    """A sum over the spectrum at some information, with the multiplier of its slack above t."""

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

    def local(self, entries: Floats) -> Local:
        """Linearise: multipliers are the change of the gradient beside its weight, and the weight.

        The second derivative is inverted along the axes of the information.
        """
        q = len(self.slope)
        yielding, lift = np.zeros((q + 1, q + 1)), np.zeros(q + 1)
        at = 0
        for block, (values, axes) in zip(self.term.blocks, self.spectra, strict=True):
            turned = congruence(axes)
            part = slice(at, at + len(turned))
            at += len(turned)
            soft = entered(self.term.curve.yielding(values[:, None], values), 1.0)
            soft = soft / (self.weight * self.term.scale * block.times)
            yielding[part, part] = (turned * soft) @ turned.T
        yielding[q, q] = self.slack / self.weight
        lift[q] = 1.0
        return Local(
            shadow=-np.column_stack([entries, entries @ self.slope]),
            yielding=yielding,
            lift=lift,
            pull=lift * (self.t - self.height),
            push=lift / self.weight,
        )

    def fall(self, move: Move) -> float:
        """Say how many times over a whole step would use up what is positive."""
        falls = [-move.multipliers[-1] / self.weight, -self._slacker(move) / self.slack]
        for (values, axes), part in zip(
            self.spectra,
            stacked(move.moment, [block.size for block in self.term.blocks]),
            strict=True,
        ):
            root = axes / np.sqrt(values)
            falls.append(-np.linalg.eigvalsh(root.T @ part @ root)[0])
        return float(max(falls))

    def moved(self, move: Move, length: float) -> AbstractPlace:
        """Go part of a step."""
        return self.term.stood(
            self.moment + length * move.moment,
            self.t + length * move.level,
            self.slack + length * self._slacker(move),
            self.weight + length * float(move.multipliers[-1]),
        )

    def _slacker(self, move: Move) -> float:
        towards = (move.barrier - self.slack * float(move.multipliers[-1])) / self.weight
        return towards - self.slack
