"""Newton's method for the likelihood of ranges by the levels of F, that at one of them held.

Equal pairs of levels are one entry of a short list, so a step costs little more than one Cholesky
solve. A second side of the same solve tells how the others follow if the level held moves; so a
search for the share that costs a given likelihood moves it as it climbs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import copysign, inf, sqrt
from typing import final

import numpy as np

from askance.typing import Booleans, Floats, Integers

_STEPS = 60
_HALVINGS = 40
_EXCHANGES = 30
_PATIENCE = 10
_RIDGE = 1e-9  # of the largest curvature, where rounding leaves none
_CLOSE = 1e-4  # of the fall aimed at
_SURE = 0.02  # of the way to it that may be missing where the share stays
_MOVES = 30.0  # log-likelihood that may be missing where the level held moves
_STRIDE = 2.0  # by so much the way from the estimate may grow or shrink in a step
_LEFT = 0.1  # of the way to all or nothing that stays


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Aim:
    """A fall of the log-likelihood to which a share is to be brought, or only compared.

    Attributes
    ----------
    goal : callable
        Gives that fall from a share, what its likelihood has fallen by, and the slope there.
    moves : bool
        Whether the share is brought there. If not, the likelihood may stay the less precise the
        further it is from there.
    """

    goal: Callable[[float, float, float], float]
    moves: bool

    def missing(self, share: float, fall: float, slope: float, tol: float) -> float:
        """Say how much log-likelihood may be missing."""
        return tol if self.moves else max(tol, _SURE * abs(self.goal(share, fall, slope) - fall))


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Place:
    """Levels, and what the likelihood says there.

    Attributes
    ----------
    upto : array, shape (k,)
        The levels.
    before : int
        Which is held.
    share : float
        That.
    curve : array, shape (e,)
        Minus the second derivative of each entry by its chance.
    gradient : array, shape (k,)
        By each level.
    pull : array, shape (k - 1,)
        By each mass.
    sides : tuple of float
        The largest pull before the level held, and after it.
    gap : float
        How much log-likelihood is missing at most.
    fall : float
        Of the log-likelihood, from its top.
    """

    upto: Floats
    before: int
    share: float
    curve: Floats
    gradient: Floats
    pull: Floats
    sides: tuple[float, float]
    gap: float
    fall: float

    @property
    def slope(self) -> float:
        """The derivative of the log-likelihood by the share held, others in proportion."""
        before, mass = self.before, self.upto[1:] - self.upto[:-1]
        left = float(mass[:before] @ self.pull[:before])
        right = float(mass[before:] @ self.pull[before:])
        return left / self.share - right / (1 - self.share)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Climb:
    """The likelihood by levels of which one is held.

    Attributes
    ----------
    low, high : array of int, shape (e,)
        Each pair of levels that was told.
    told : array, shape (e,)
        How often.
    size : int
        How many levels.
    before : int
        Which is held.
    n : float
        What ``told`` sums to.
    top : float
        The log-likelihood of the most likely distribution.
    start : float
        The share held there.
    """

    low: Integers
    high: Integers
    told: Floats
    size: int
    before: int
    n: float
    top: float
    start: float

    def at(self, upto: Floats) -> Place | None:
        """Look at these levels; None where some range has no chance."""
        chance = upto.take(self.high)
        chance -= upto.take(self.low)
        if chance.min() <= 0:
            return None
        ratio = self.told / chance
        gradient = self._by_level(ratio)
        pull = -gradient.cumsum()[:-1]
        share = float(upto[self.before])
        left, right = float(pull[: self.before].max()), float(pull[self.before :].max())
        return Place(
            upto=upto,
            before=self.before,
            share=share,
            curve=ratio / chance,
            gradient=gradient,
            pull=pull,
            sides=(left, right),
            gap=share * left + (1 - share) * right - self.n,
            fall=self.top - float(self.told @ np.log(chance)),
        )

    def most_likely(self, here: Place, enough: float, aim: Aim | None) -> Place | None:
        """Climb until so little is missing on these places, and to the goal if there is one."""
        free = np.ones(self.size - 1, dtype=np.bool_)
        for _ in range(_STEPS):
            moves = aim is not None and aim.moves and here.gap <= max(_MOVES, here.fall)
            goal = aim.goal(here.share, here.fall, here.slope) if aim and moves else None
            off = 0.0 if goal is None else abs(goal - here.fall) - _CLOSE * goal
            if here.gap <= enough and off <= enough / 3:
                return here
            target = _Face(climb=self, here=here, goal=goal).best(free)
            found = None if target is None else self._reached(here, target, moves=moves)
            if found is None:
                return None
            here, free = found, found.upto[1:] > found.upto[:-1]
        return None

    def _reached(self, here: Place, target: Floats, *, moves: bool) -> Place | None:
        """Go to the target, or part of the way where the likelihood would fall."""
        length = 1.0
        for _ in range(_HALVINGS):
            found = self.at(target if length == 1 else here.upto + length * (target - here.upto))
            if found and (moves or found.gap <= here.gap / 2 or found.fall < here.fall):
                return found
            length /= 2
        return None

    def _by_level(self, value: Floats) -> Floats:
        """Add up a value of each pair: with its upper level, and less with its lower one."""
        return added(self.high, value, self.size) - added(self.low, value, self.size)

    def bent(self, curve: Floats, step: Floats) -> Floats:
        """How much of the gradient a step takes off."""
        change = step.take(self.high)
        change -= step.take(self.low)
        change *= curve
        return self._by_level(change)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Face:
    """The quadratic at some levels, and its top where levels that are one stay one.

    Attributes
    ----------
    climb : Climb
    here : Place
    goal : float or None
        The fall to which the level held should move; None where it stays.
    """

    climb: Climb
    here: Place
    goal: float | None

    def best(self, free: Booleans) -> Floats | None:
        """Find the top of the quadratic by exchanging blocks of places, as `LevelModel.best`."""
        every, before = free, self.climb.before
        fewest, patience = self.climb.size, _PATIENCE
        for _ in range(_EXCHANGES):
            if not free[:before].any() or not free[before:].any():
                break
            found = self._top(free)
            if found is None:
                return None
            target, pull = found
            wrong = target[1:] < target[:-1]
            wrong[before:] |= target[before + 1 :] < target[before]
            wrong[:before] |= target[:before] > target[before]
            if pull is not None:
                wrong = np.where(free, wrong, self._better(pull, free))
            count = int(np.count_nonzero(wrong))
            if not count:
                return target
            fewest, patience = (count, _PATIENCE) if count < fewest else (fewest, patience - 1)
            if not patience:
                break
            free = free ^ wrong
        return _Face(climb=self.climb, here=self.here, goal=None)._walked(every)

    def _walked(self, free: Booleans) -> Floats | None:
        """Walk to the top of the quadratic: one place at a time falls to 0 or joins."""
        mass, free = np.diff(self.here.upto), free.copy()
        for _ in range(len(free) + _EXCHANGES):
            found = self._top(free)
            if found is None:
                return None
            target, pull = found
            new = np.diff(target)
            falling = free & (new < 0)
            if falling.any():
                reach = np.where(falling, mass / np.where(falling, mass - new, 1.0), 1.0)
                mass = np.where(free, mass + reach.min() * (new - mass), 0.0).clip(0)
                gone = falling & (reach <= reach.min() * (1 + 1e-12))
                mass[gone], free[gone] = 0.0, False
                continue
            if pull is None or not (better := self._better(pull, free)).any():
                return target
            mass = new
            free[np.argmax(np.where(better, pull, -np.inf))] = True
        return None

    def _better(self, pull: Floats, free: Booleans) -> Booleans:
        least, k = 1e-12 * np.abs(pull).max(), self.climb.before
        left, right = pull[:k][free[:k]].max(), pull[k:][free[k:]].max()
        better: Booleans = pull > np.where(np.arange(len(pull)) < k, left, right) + least
        return better

    def _top(self, free: Booleans) -> tuple[Floats, Floats | None] | None:
        """Find the top where only free places have mass, and the pulls there if others have not."""
        climb, here = self.climb, self.here
        if free.all():
            step = self._step(here.gradient, None, here.fall)
            return None if step is None else (here.upto + step, None)
        base, gradient, fall = self._without(free)
        step = self._step(gradient, _blocks(free), fall)
        if step is None:
            return None
        return base + step, -np.cumsum(gradient - climb.bent(here.curve, step))[:-1]

    def _without(self, free: Booleans) -> tuple[Floats, Floats, float]:
        """Take the mass off the places that are not free, to the last free one on their side."""
        here, before = self.here, self.climb.before
        mass = here.upto[1:] - here.upto[:-1]
        if not mass[~free].any():
            return here.upto, here.gradient, here.fall
        kept = np.where(free, mass, 0.0)
        for part in (slice(None, before), slice(before, None)):
            kept[part][np.flatnonzero(free[part])[-1]] += (mass - kept)[part].sum()
        base = np.concatenate([[0.0], np.cumsum(kept)])
        change = base - here.upto
        gradient = here.gradient - self.climb.bent(here.curve, change)
        return base, gradient, here.fall - float((here.gradient + gradient) @ change) / 2

    def _step(
        self, gradient: Floats, block: Integers | None, fall: float, ridge: float = 0.0
    ) -> Floats | None:
        """Solve for the levels, of which those of one block move together."""
        from scipy.linalg.lapack import dposv

        matrix, slope, before = self._equations(gradient, block)
        size = len(slope)
        held = matrix[before] + matrix[:, before]
        held[before] /= 2
        sides = np.zeros((1 if self.goal is None else 2, size))
        sides[0], sides[1:] = slope, -held
        for at in (0, before, -1):
            matrix[at] = matrix[:, at] = sides[:, at] = 0.0
            matrix[at, at] = 1.0
        sides[1:, before] = 1.0
        if ridge:
            matrix.ravel()[:: size + 1] += ridge * matrix.diagonal().max()
        _, found, wrong = dposv(matrix.T, sides.T, lower=1, overwrite_a=1, overwrite_b=1)
        if wrong:
            return None if ridge else self._step(gradient, block, fall, _RIDGE)
        step: Floats = found[:, 0]
        if self.goal is not None:
            fall -= float(slope @ step) / 2
            steep, drift = float(slope[before] - held @ step), found[:, 1]
            step = step + self._move(fall, steep, float(held @ drift)) * drift
        return step if block is None else step.take(block)

    def _equations(self, gradient: Floats, block: Integers | None) -> tuple[Floats, Floats, int]:
        """Write minus the second derivative, its upper half, and the first, by the blocks."""
        climb, curve = self.climb, self.here.curve
        low, high, size, before = climb.low, climb.high, climb.size, climb.before
        if block is not None:
            low, high, before = block.take(low), block.take(high), int(block[before])
            size = int(block[-1]) + 1
            gradient = added(block, gradient, size)
            curve = np.where(low < high, curve, 0.0)
        matrix = added(low * size + high, -curve, size * size)
        matrix[:: size + 1] += added(low, curve, size) + added(high, curve, size)
        return matrix.reshape(size, size), gradient, before

    def _move(self, fall: float, steep: float, bend: float) -> float:
        """Say how far the share held goes until the likelihood falls as aimed, by a parabola."""
        way = self.here.share - self.climb.start
        up, far = (1 if way > 0 else -1), abs(way)
        short, along = (self.goal or 0.0) - fall, -steep * up
        root = along + sqrt(max(along**2 + 2 * bend * short, 0.0))
        more = 2 * short / root if root > 0 else copysign(inf, short)
        rest = (1 - self.climb.start if up > 0 else self.climb.start) - far
        most = min(far * (_STRIDE - 1), rest * (1 - _LEFT))
        return up * min(max(more, far / _STRIDE - far), most)


def added(at: Integers, values: Floats, size: int) -> Floats:
    """Add up values by their places."""
    return np.bincount(at, values, size).astype(np.float64, copy=False)


def _blocks(free: Booleans) -> Integers:
    """Give levels a number, those with no free place between the same."""
    block = np.zeros(len(free) + 1, dtype=np.int64)
    np.cumsum(free, out=block[1:])
    return block
