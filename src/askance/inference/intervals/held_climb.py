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
_PINNED = 1e100  # of the largest curvature, for levels that stay
_RIDGE = 1e-9  # of the largest curvature, where rounding leaves none
_CLOSE = 2e-4  # of the fall aimed at
_FAINT = 1e-9  # of a step, that may as well be none
_ROUNDING = 1e-14  # of what is told, in the log-likelihood
_LEAST_PRICE = 0.5  # of one over the chance
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
    inverse : array, shape (e,)
        One over the chance of each entry.
    rate : array, shape (e,)
        Nearly that: such prices that a bound is close. See `Climb.at`.
    pull : array, shape (k - 1,)
        What all entries pay for each mass at these prices.
    sides : tuple of float
        The largest pull before the level held, and after it.
    slope : float
        The derivative of the log-likelihood by the share held, others in proportion.
    gap : float
        How much log-likelihood is missing at most.
    fall : float
        Of the log-likelihood, from its top.
    """

    upto: Floats
    before: int
    share: float
    inverse: Floats
    rate: Floats
    pull: Floats
    sides: tuple[float, float]
    slope: float
    gap: float
    fall: float


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

    def at(self, upto: Floats, last: Place | None = None) -> Place | None:
        """Look at these levels; None where some range has no chance.

        At any prices y the log-likelihood is at most Σ w log(w/y) − n + F(t) max pull before t +
        (1 − F(t)) max pull after, of all with this F(t). Prices w/p at the chances p leave a gap
        that falls like the square of the last step, for they do not pull all places alike. Those
        of the quadratic that led here do: w/p (1 − d), d = p'/p − 1. What is left is w d⁴/2.
        """
        chance = upto.take(self.high)
        chance -= upto.take(self.low)
        if chance.min() <= 0:
            return None
        inverse, short, rate = 1 / chance, 0.0, None
        if last is not None:
            ratio = chance * last.inverse
            rate = np.maximum(2 - ratio, _LEAST_PRICE / ratio)
            ratio *= rate
            rate *= last.inverse
            lost = 1 - ratio
            lost += lost**2 / (2 * ratio)  # at least −log(1 − lost)
            short = float(self.told @ lost)
        rate = inverse if rate is None else rate
        before, share = self.before, float(upto[self.before])
        pull = -self._by_level(self.told * rate).cumsum()[:-1]
        left, right = float(pull[:before].max()), float(pull[before:].max())
        paid = pull * (upto[1:] - upto[:-1])
        slope = float(paid[:before].sum()) / share - float(paid[before:].sum()) / (1 - share)
        return Place(
            upto=upto,
            before=before,
            share=share,
            inverse=inverse,
            rate=rate,
            pull=pull,
            sides=(left, right),
            slope=slope,
            gap=share * left + (1 - share) * right - self.n + short,
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
            top = self._top(here, free, goal)
            found = None if top is None else self._reached(here, free, top, moves=moves)
            if found is None:
                return None
            here, free = found
        return None

    def _reached(
        self, here: Place, free: Booleans, top: "_Top", *, moves: bool
    ) -> tuple[Place, Booleans] | None:
        """Go to the top of the quadratic, or part of the way, and say which places have mass.

        Part of the way is where a first place loses its mass, or where the likelihood rises.
        """
        found = self.at(top.upto, here)
        more = self._better(top, found, free)
        if found and (moves or self._gained(here, found, joins=bool(more.any()))):
            return found, (found.upto[1:] > found.upto[:-1]) | more
        mass, new, upto = np.diff(here.upto), np.diff(top.whole), top.whole
        falling = free & (new < 0)
        if falling.any():
            reach = np.where(falling, mass / np.where(falling, mass - new, 1.0), 1.0)
            gone = falling & (reach <= reach.min() * (1 + 1e-12))
            if reach.min() < _FAINT:
                return here, free & ~gone
            new = np.where(gone, 0.0, mass + reach.min() * (new - mass))
            upto = np.concatenate([[0.0], np.cumsum(new)])
        for _ in range(_HALVINGS):
            found = self.at(upto, here)
            if found and (moves or self._gained(here, found, joins=False)):
                return found, found.upto[1:] > found.upto[:-1]
            upto = 0.5 * (here.upto + upto)
        return None

    def _gained(self, here: Place, found: Place, *, joins: bool) -> bool:
        least = here.fall + joins * _ROUNDING * self.n
        return found.gap <= here.gap / 2 or found.fall < least

    def _better(self, top: "_Top", found: Place | None, free: Booleans) -> Booleans:
        """Find places without mass that would gain some, where none had to be pooled."""
        if found is None or top.pooled or free.all():
            return np.zeros(len(free), dtype=np.bool_)
        pull, k = found.pull, self.before
        least = 1e-12 * max(found.sides)
        left, right = pull[:k][free[:k]].max(), pull[k:][free[k:]].max()
        better: Booleans = pull > np.where(np.arange(len(pull)) < k, left, right) + least
        return better

    def _by_level(self, value: Floats) -> Floats:
        """Add up a value of each pair: with its upper level, and less with its lower one."""
        return added(self.high, value, self.size) - added(self.low, value, self.size)

    def _top(
        self, here: Place, free: Booleans, goal: float | None, ridge: float = 0.0
    ) -> "_Top | None":
        """Find the top of the quadratic here, levels with no free place between moving together.

        With a goal the level held moves to where the quadratic has fallen so far.
        """
        from scipy.linalg.lapack import dposv

        block = None if free.all() else _blocks(free)
        matrix, slope, before = self._equations(here, block)
        held = matrix[before] + matrix[:, before]
        held[before] /= 2
        diagonal = matrix.ravel()[:: len(slope) + 1]
        diagonal *= 1 + ridge
        pinned, weights = [0, before, -1], diagonal.copy()
        weights[pinned] = diagonal[pinned] = _PINNED * weights.max()
        sides = np.array([slope] if goal is None else [slope, -held])
        _, found, wrong = dposv(matrix.T, sides.T, lower=1, overwrite_a=1, overwrite_b=1)
        if wrong:
            return None if ridge else self._top(here, free, goal, _RIDGE)
        found[pinned] = 0.0
        step = found[:, 0]
        if goal is not None:
            drift = found[:, 1]
            drift[before] = 1.0
            fall = here.fall - float(slope @ step) / 2
            steep, bend = float(slope[before] - held @ step), float(held @ drift)
            step = step + self._move(here, goal - fall, steep, bend) * drift
        upto = step + (here.upto if block is None else here.upto[np.append(True, free)])
        pooled = bool((upto[1:] < upto[:-1]).any())
        near = _pooled(upto, weights, pinned) if pooled else upto
        if block is not None:
            near, upto = near.take(block), upto.take(block)
        return _Top(upto=near, whole=upto, pooled=pooled)

    def _equations(self, here: Place, block: Integers | None) -> tuple[Floats, Floats, int]:
        """Write minus the second derivative, its upper half, and the first, by the blocks."""
        low, high, size, before = self.low, self.high, self.size, self.before
        ratio = self.told * here.inverse
        curve = ratio * here.inverse
        if block is not None:
            low, high, before = block.take(low), block.take(high), int(block[before])
            size = int(block[-1]) + 1
        matrix = added(low * size + high, -curve, size * size)
        matrix[:: size + 1] += added(low, curve, size) + added(high, curve, size)
        gradient = added(high, ratio, size) - added(low, ratio, size)
        return matrix.reshape(size, size), gradient, before

    def _move(self, here: Place, short: float, steep: float, bend: float) -> float:
        """Say how far the share held goes until the likelihood falls as aimed, by a parabola."""
        way = here.share - self.start
        up, far = (1 if way > 0 else -1), abs(way)
        along = -steep * up
        root = along + sqrt(max(along**2 + 2 * bend * short, 0.0))
        more = 2 * short / root if root > 0 else copysign(inf, short)
        rest = (1 - self.start if up > 0 else self.start) - far
        most = min(far * (_STRIDE - 1), rest * (1 - _LEFT))
        return up * min(max(more, far / _STRIDE - far), most)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Top:
    """The top of a quadratic.

    Attributes
    ----------
    upto, whole : array, shape (k,)
        The levels, those that would fall pooled, and as they are.
    pooled : bool
        Whether some had to be pooled.
    """

    upto: Floats
    whole: Floats
    pooled: bool


def _pooled(upto: Floats, weights: Floats, pinned: list[int]) -> Floats:
    """Let neighbouring levels that fall be one, at their mean, until none does."""
    level, weight, rank = upto, weights, np.arange(len(upto))
    while (rises := level[1:] >= level[:-1]).sum() < len(rises):
        starts = np.flatnonzero(np.append(True, rises))
        total = np.add.reduceat(weight, starts)
        level, weight = np.add.reduceat(weight * level, starts) / total, total
        rank = _blocks(rises)[rank]
    level[rank[pinned]] = upto[pinned]
    return level[rank]


def added(at: Integers, values: Floats, size: int) -> Floats:
    """Add up values by their places."""
    return np.bincount(at, values, size).astype(np.float64, copy=False)


def _blocks(free: Booleans) -> Integers:
    """Number the levels, those with no free place between the same."""
    block = np.zeros(len(free) + 1, dtype=np.int64)
    np.cumsum(free, out=block[1:])
    return block
