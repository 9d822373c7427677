"""Concave figures of merit as the maximiser sees them: sums over a spectrum, or its smallest value.

They are functions of the information on the shares, which stands in blocks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeVar, final

import numpy as np
import numpy.typing as npt
from scipy.linalg.lapack import dpotrf, dsyevd

from askance.design.interior_point import (
    AbstractState,
    AbstractTerm,
    AbstractTrial,
    LocalModel,
    Move,
)
from askance.typing import Floats, Integers

Array = TypeVar("Array", bound=npt.NDArray[Any])


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

    @property
    def size(self) -> int:
        """The number of rows and columns."""
        return int(self.features.shape[1])

    @property
    def entries(self) -> Floats:
        """The information of each column, shape (d(d + 1)/2, n)."""
        return outer_entries(self.features)

    def restricted(self, columns: Integers) -> "Block":
        """The same term with some of the columns only."""
        return replace(self, features=self.features[columns])

    def moment(self, z: Floats) -> Floats:
        """Sum the information of the columns, weighted by the mixture."""
        return (self.features * z[:, None]).T @ self.features


def outer_entries(rows: Floats) -> Floats:
    """The entries of f fᵀ for each row f, as a column.

    >>> outer_entries(np.array([[2.0, 3.0]])).ravel().round(6).tolist()
    [4.0, 8.485281, 9.0]
    """
    i, j, length = pairs(rows.shape[1])
    columns = np.ascontiguousarray(rows.T)
    return columns[i] * (columns[j] * length[:, None])


@cache
def pairs(size: int) -> tuple[Integers, Integers, Floats]:
    """List the positions of the entries, by row and column, with their length: √2 off the diagonal.

    >>> [part.tolist() for part in pairs(2)[:2]]
    [[0, 0, 1], [0, 1, 1]]
    """
    i, j = np.triu_indices(size)
    return _freeze(i), _freeze(j), _freeze(np.where(i == j, 1.0, np.sqrt(2)))


def matrix_entries(moment: Floats) -> Floats:
    """The entries of symmetric matrices along the last axis.

    >>> matrix_entries(np.array([[1.0, 2.0], [2.0, 3.0]])).round(6).tolist()
    [1.0, 2.828427, 3.0]
    """
    i, j, length = pairs(moment.shape[-1])
    return moment[..., i, j] * length


@cache
def unit(size: int) -> Floats:
    """The entries of the unit matrix.

    >>> unit(2).tolist()
    [1.0, 0.0, 1.0]
    """
    return _freeze(matrix_entries(np.eye(size)))


def unpack_matrices(entries: Floats, sizes: Sequence[int]) -> list[Floats]:
    """Make symmetric matrices of entries, one after the other along the last axis.

    >>> unpack_matrices(np.array([1.0, 2.0, 3.0]), [1, 1, 1])[2].tolist()
    [[3.0]]
    """
    matrices, start = [], 0
    for size in sizes:
        positions, part = _entry_positions(size)
        matrices.append(entries[..., start + positions] * part)
        start += size * (size + 1) // 2
    return matrices


def congruence(turn: Floats) -> Floats:
    """The matrix that takes the entries of X to those of T X Tᵀ.

    >>> congruence(np.diag([2.0, 3.0])).diagonal().round(9).tolist()
    [4.0, 6.0, 9.0]
    """
    ii, jj, ij, ji, length = _crossings(len(turn))
    return (turn.take(ii) * turn.take(jj) + turn.take(ij) * turn.take(ji)) * length


@cache
def _entry_positions(size: int) -> tuple[Integers, Floats]:
    """The entry of each position of a symmetric matrix, and its factor."""
    i, j, length = pairs(size)
    positions = np.zeros((size, size), dtype=np.int64)
    positions[i, j] = positions[j, i] = np.arange(len(i))
    return _freeze(positions), _freeze(1 / length[positions])


@cache
def _crossings(size: int) -> tuple[Integers, Integers, Integers, Integers, Floats]:
    """Index the four factors of T that take one entry of X to another of T X Tᵀ."""
    i, j, length = pairs(size)
    first, second = size * i[:, None], size * j[:, None]
    ii, jj, ij, ji = (
        _freeze(indices) for indices in (first + i, second + j, first + j, second + i)
    )
    return ii, jj, ij, ji, _freeze(length[:, None] * length / 2)


def _freeze(array: Array) -> Array:
    array.setflags(write=False)
    return array


def diagonal(parts: Sequence[Floats]) -> Floats:
    """Put matrices on the diagonal of one.

    >>> diagonal([np.array([[1.0]]), np.array([[2.0]])]).tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """
    if len(parts) == 1:
        return parts[0]
    ends = np.cumsum([len(part) for part in parts]).tolist()
    matrix = np.zeros((ends[-1], ends[-1]))
    for end, part in zip(ends, parts, strict=True):
        own = slice(end - len(part), end)
        matrix[own, own] = part
    return matrix


def inverse(moment: Floats) -> Floats:
    """Invert, and keep it symmetric.

    >>> inverse(np.diag([4.0, 16.0])).tolist()
    [[0.25, 0.0], [0.0, 0.0625]]
    """
    inverted = np.linalg.inv(moment)
    return (inverted + inverted.T) / 2


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
        """The number of complementarity products, all 0 at the optimum."""
        return 1

    @property
    def entries(self) -> Floats:
        """The information of each column, and 0 for the multiplier of the slack."""
        parts = [block.entries for block in self.blocks]
        return np.concatenate([*parts, np.zeros((1, parts[0].shape[1]))])

    def restricted(self, columns: Integers) -> "Spectral":
        """The same term with some of the columns only."""
        return replace(self, blocks=[block.restricted(columns) for block in self.blocks])

    def level(self, z: Floats) -> float:
        """The value of the criterion; minus infinity where the information is singular."""
        return self._height([spectrum(block.moment(z)) for block in self.blocks])

    def begin(self, moment: Floats, t: float, weight: float) -> AbstractState:
        """Make the first iterate at an information."""
        first = self.state_at(moment, t, 1.0, weight)
        return replace(first, slack=first.height - t)

    def state_at(self, moment: Floats, t: float, slack: float, weight: float) -> "SpectralState":
        """The value of the criterion and its gradient at an information."""
        spectra, slope = [], []
        for block, part in zip(
            self.blocks, unpack_matrices(moment, [block.size for block in self.blocks]), strict=True
        ):
            values, axes = np.linalg.eigh(part)
            spectra.append((values, axes))
            steep = self.scale * block.times * self.curve.slope(values)
            slope.append(matrix_entries((axes * steep) @ axes.T))
        return SpectralState(
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
class SpectralState(AbstractState):
    """An iterate of a sum over the spectrum, with the multiplier of its slack above t.

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
        """The derivative of the weighted criterion by the entries of the information."""
        return self.weight * self.slope

    @property
    def constant(self) -> float:
        """The constant of the tangent bound on the weighted criterion."""
        return self.weight * (self.height - float(self.slope @ self.moment))

    @property
    def product(self) -> float:
        """The product of the multiplier and the slack."""
        return self.weight * self.slack

    @property
    def local(self) -> LocalModel:
        """The linear model of gradient and weight, by the inverse Hessian on the eigenvectors.

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
        return LocalModel(
            yielding=yielding,
            lift=lift,
            pull=lift * (self.t - self.height),
            push=lift / self.weight,
        )

    def tried(self, move: Move) -> AbstractTrial:
        """Describe the full Newton step from this iterate."""
        higher = self.height + float(self.slope @ move.moment) - (self.t + move.level)
        return SpectralTrial(state=self, move=move, slacker=higher - self.slack)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SpectralTrial(AbstractTrial):
    """A full Newton step, with the change of the slack."""

    state: SpectralState
    move: Move
    slacker: float

    @property
    def heavier(self) -> float:
        """The change of the weight."""
        return float(self.move.multipliers[-1])

    @property
    def fall(self) -> float:
        """The inverse of the longest step length that keeps everything positive."""
        state = self.state
        falls = [-self.heavier / state.weight, -self.slacker / state.slack]
        steps = unpack_matrices(self.move.moment, [block.size for block in state.term.blocks])
        for (values, axes), step in zip(state.spectra, steps, strict=True):
            root = axes / np.sqrt(values)
            falls.append(-float(np.linalg.eigvalsh(root.T @ step @ root)[0]))
        return max(falls)

    @property
    def curved(self) -> Floats:
        """The second-order error: the product of the changes of slack and weight."""
        correction = np.zeros(len(self.state.slope))
        correction[-1] = self.slacker * self.heavier / self.state.weight
        return correction

    def advance(self, length: float) -> AbstractState:
        """Take the step, shortened to this length."""
        state, move = self.state, self.move
        return state.term.state_at(
            state.moment + length * move.moment,
            state.t + length * move.level,
            state.slack + length * self.slacker,
            state.weight + length * self.heavier,
        )


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Smallest(AbstractTerm):
    """The smallest eigenvalue of all blocks."""

    blocks: Sequence[Block]

    @property
    def order(self) -> int:
        """The number of complementarity products, all 0 at the optimum."""
        return sum(block.size for block in self.blocks)

    @property
    def entries(self) -> Floats:
        """The information of each column."""
        return np.concatenate([block.entries for block in self.blocks])

    def restricted(self, columns: Integers) -> "Smallest":
        """The same term with some of the columns only."""
        return replace(self, blocks=[block.restricted(columns) for block in self.blocks])

    def level(self, z: Floats) -> float:
        """The value of the criterion; minus infinity where the information is singular."""
        smallest = min(float(spectrum(block.moment(z))[0]) for block in self.blocks)
        return smallest if smallest > 0 else -np.inf

    def begin(self, moment: Floats, t: float, weight: float) -> AbstractState:
        """Begin at an information; multipliers are inverse to what is above t."""
        above = [
            part - t * np.eye(len(part))
            for part in unpack_matrices(moment, [block.size for block in self.blocks])
        ]
        inside = [inverse(part) for part in above]
        scale = weight / sum(float(np.trace(part)) for part in inside)
        pairs = zip(above, inside, strict=True)
        return SmallestState(
            pairs=[scale_pair(np.array([excess, scale * inverted])) for excess, inverted in pairs]
        )


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScaledPair:
    """The slack S of a block above t, and its multipliers G.

    Both are diag(size) in the coordinates of Nesterov & Todd: S = T diag(size) Tᵀ and
    G = R diag(size) Rᵀ with Rᵀ T = 1.

    Attributes
    ----------
    matrices : array, shape (2, d, d)
        S and G, positive definite.
    turns : array, shape (2, d, d)
        R and T, in units of √size: they turn S and G into the unit matrix.
    size : array, shape (d,)
    """

    matrices: Floats
    turns: Floats
    size: Floats

    @property
    def scaling(self) -> Floats:
        """T Tᵀ, which takes G to S."""
        stretch = self.turns[1]
        scaled: Floats = (stretch * self.size) @ stretch.T
        return scaled

    @property
    def dual(self) -> Floats:
        """The inverse of G."""
        stretch = self.turns[1]
        inverted: Floats = stretch @ stretch.T
        return inverted


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SmallestState(AbstractState):
    """The slacks above t and their multipliers, block by block."""

    pairs: Sequence[ScaledPair]

    @property
    def weight(self) -> float:
        """The weight of this criterion among all."""
        return sum(float(np.trace(pair.matrices[1])) for pair in self.pairs)

    @property
    def constant(self) -> float:
        """0: the smallest eigenvalue is bounded by the gradient alone."""
        return 0.0

    @property
    def gradient(self) -> Floats:
        """The derivative of the weighted criterion by the entries of the information."""
        return np.concatenate([matrix_entries(pair.matrices[1]) for pair in self.pairs])

    @property
    def product(self) -> float:
        """The trace of S G."""
        return sum(float(pair.size @ pair.size) for pair in self.pairs)

    @property
    def local(self) -> LocalModel:
        """G S = κ linearised at the scaling of Nesterov & Todd."""
        sides = [np.array([-pair.matrices[0], pair.dual]) for pair in self.pairs]
        pull, push = np.concatenate([matrix_entries(side) for side in sides], axis=-1)
        return LocalModel(
            yielding=diagonal([congruence(pair.scaling) for pair in self.pairs]),
            lift=np.concatenate([unit(len(pair.size)) for pair in self.pairs]),
            pull=pull,
            push=push,
        )

    def tried(self, move: Move) -> AbstractTrial:
        """Describe the full Newton step from this iterate."""
        changes = np.array([move.moment, move.multipliers])
        steps = unpack_matrices(changes, [len(pair.size) for pair in self.pairs])
        for step in steps:
            step[0].flat[:: len(step[0]) + 1] -= move.level
        parts = zip(self.pairs, steps, strict=True)
        turned = [pair.turns.swapaxes(1, 2) @ step @ pair.turns for pair, step in parts]
        return SmallestTrial(pairs=self.pairs, steps=steps, turned=turned)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SmallestTrial(AbstractTrial):
    """A full Newton step of S and G, also in the scaled space."""

    pairs: Sequence[ScaledPair]
    steps: Sequence[Floats]
    turned: Sequence[Floats]

    @property
    def fall(self) -> float:
        """The inverse of the longest step length that keeps everything positive."""
        return max(-float(np.linalg.eigvalsh(step).min()) for step in self.turned)

    @property
    def curved(self) -> Floats:
        """The second-order error: the product of both steps, as a change of S."""
        corrections = []
        for pair, (above, inside) in zip(self.pairs, self.turned, strict=True):
            size = pair.size
            product = above * size @ inside
            even = (product + product.T) * size[:, None] * size / (size[:, None] + size)
            corrections.append(matrix_entries(pair.turns[1] @ even @ pair.turns[1].T))
        return np.concatenate(corrections)

    def advance(self, length: float) -> AbstractState:
        """Take the step, shortened to this length."""
        steps = zip(self.pairs, self.steps, strict=True)
        return SmallestState(
            pairs=[scale_pair(pair.matrices + length * step) for pair, step in steps]
        )


def scale_pair(matrices: Floats) -> ScaledPair:
    """Find the scaling of Nesterov & Todd, at which S and G are the same diagonal matrix.

    References
    ----------
    Nesterov & Todd (1997).
    """
    above, inside = matrices
    root, singular = dpotrf(above, lower=True)
    squares, axes, failed = dsyevd(root.T @ inside @ root)
    if singular or failed or squares[0] <= 0:
        raise np.linalg.LinAlgError
    size = np.sqrt(squares)
    stretch = (root @ axes) / size
    return ScaledPair(
        matrices=matrices, turns=np.array([inside @ stretch / size, stretch]), size=size
    )


def spectrum(moment: Floats) -> Floats:
    """The eigenvalues, the smallest first.

    >>> spectrum(np.diag([4.0, 1.0])).tolist()
    [1.0, 4.0]
    """
    return np.asarray(np.linalg.eigvalsh(moment), dtype=float)
