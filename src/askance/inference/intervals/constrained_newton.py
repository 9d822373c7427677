"""Newton's method for the likelihood of ranges by the levels of F, that at one of them held.

Equal pairs of levels are one entry of a short list, so a step costs little more than one Cholesky
solve. A second side of the same solve tells how the others follow if the level held moves; so a
search for the share that costs a given likelihood moves it as it climbs.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import copysign, inf, sqrt
from typing import cast, final

import numpy as np
from scipy.linalg.lapack import dposv
from scipy.optimize import isotonic_regression

from askance.typing import Booleans, Floats, Integers

_STEPS = 60
_HALVINGS = 40
_PINNED = 1e100  # of the largest curvature, for levels that stay
_RIDGE = 1e-9  # of the largest curvature, where rounding leaves none
_CLOSE = 1e-4  # of the fall aimed at
_FAINT = 1e-9  # of a step, that may as well be none
_ROUNDING = 1e-14  # of what is told, in the log-likelihood
_LEAST_PRICE = 0.5  # of one over the chance
_SURE = 0.02  # of the way to it that may be missing where the share stays
_MOVES = 30.0  # log-likelihood that may be missing where the level held moves
_STRIDE = 2.0  # by so much the way from the estimate may grow or shrink in a step
_NONE = np.zeros(1)
_SAME = 1e-9  # shares from which no slope is seen
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
    about : float
        What the fall will be, roughly.
    """

    goal: Callable[[float, float, float], float]
    moves: bool
    about: float

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
    share : float
        That which is held.
    inverse : array, shape (e,)
        One over the chance of each entry.
    ratio : array, shape (e,)
        That times how often it was told.
    gradient : array, shape (k,)
        The derivative of the log-likelihood by each level.
    slope : float
        That by the share held, others in proportion.
    fall : float
        Of the log-likelihood, from its top.
    last : array, shape (e,), optional
        One over the chances where the quadratic was taken that led here.
    missing : float
        How much log-likelihood is missing, if nothing hindered that step: Σ w d⁴/2, d the part by
        which it changed a chance. Infinite if something did.
    """

    upto: Floats
    share: float
    inverse: Floats
    ratio: Floats
    gradient: Floats
    slope: float
    fall: float
    last: Floats | None
    missing: float


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prices:
    """What each entry pays for mass, and the bound on the likelihood that these prices give.

    Attributes
    ----------
    rate : array, shape (e,)
    pull : array, shape (k - 1,)
        What all entries pay for each mass.
    sides : tuple of float
        The largest pull before the level held, and after it.
    gap : float
        How much log-likelihood is missing at most, on the places with mass.
    slope : float
        The derivative by the share held, others in proportion.
    """

    rate: Floats
    pull: Floats
    sides: tuple[float, float]
    gap: float
    slope: float


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Climb:
    """The likelihood by levels of which one is held.

    Attributes
    ----------
    low, high, pair : array of int, shape (e,)
        Each pair of levels that was told, and its place in a table of all.
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
    pair: Integers
    told: Floats
    size: int
    before: int
    n: float
    top: float
    start: float

    def at(self, upto: Floats, last: Floats | None = None) -> Place | None:
        """Look at these levels; None where some range has no chance."""
        chance = upto.take(self.high)
        chance -= upto.take(self.low)
        if chance.min() <= 0:
            return None
        inverse, missing, share = 1 / chance, inf, float(upto[self.before])
        ratio = self.told * inverse
        gradient = self._by_level(ratio)
        tent = np.minimum(upto / share, (1 - upto) / (1 - share))
        if last is not None:
            change = chance * last
            change -= 1
            change *= change
            missing = float((self.told * change) @ change) / 2
        return Place(
            upto=upto,
            share=share,
            inverse=inverse,
            ratio=ratio,
            gradient=gradient,
            slope=float(gradient @ tent),
            fall=self.top - float(self.told @ np.log(chance)),
            last=last,
            missing=missing,
        )

    def prices(self, here: Place) -> Prices:
        """Bound how much log-likelihood is missing.

        At any prices y the log-likelihood is at most Σ w log(w/y) − n + F(t) max pull before t +
        (1 − F(t)) max pull after, of all with this F(t). Prices w/p at the chances p leave a gap
        that falls like the square of the last step, for they do not pull all places alike. Those
        of the quadratic that led here do: w/p (1 − d), d = p'/p − 1. What is left is w d⁴/2.
        """
        rate, short = here.inverse, 0.0
        if here.last is not None:
            ratio = here.last / here.inverse
            rate = np.maximum(2 - ratio, _LEAST_PRICE / ratio)
            ratio *= rate
            rate *= here.last
            lost = 1 - ratio
            lost += lost**2 / (2 * ratio)  # at least −log(1 − lost)
            short = float(self.told @ lost)
        pull = -self._by_level(self.told * rate).cumsum()[:-1]
        left, right = float(pull[: self.before].max()), float(pull[self.before :].max())
        gap = here.share * left + (1 - here.share) * right - self.n + short
        paid = pull * (here.upto[1:] - here.upto[:-1])
        below, above = float(paid[: self.before].sum()), float(paid[self.before :].sum())
        slope = below / here.share - above / (1 - here.share)
        return Prices(rate=rate, pull=pull, sides=(left, right), gap=gap, slope=slope)

    def most_likely(
        self, here: Place, enough: float, aim: Aim | None
    ) -> tuple[Place, Prices] | None:
        """Climb until so little is missing on these places, and to the goal if there is one."""
        free, goal, off = np.ones(self.size - 1, dtype=np.bool_), None, 0.0
        for _ in range(_STEPS):
            if aim is not None and aim.moves:
                goal = _Goal.of(aim.goal(here.share, here.fall, here.slope), here.share, goal)
                off = abs(goal.fall - here.fall) - _CLOSE * goal.fall
            if here.missing <= enough and off <= enough / 3:
                prices = self.prices(here)
                if prices.gap <= enough:
                    return here, prices
            top = self._top(here, free, goal)
            found = None if top is None else self._reached(here, free, top, enough)
            if found is None:
                return None
            here, free = found
        return None

    def _reached(
        self, here: Place, free: Booleans, top: "_Top", enough: float
    ) -> tuple[Place, Booleans] | None:
        """Go to the top of the quadratic, or part of the way, and say which places have mass.

        Part of the way is where a first place loses its mass, or where the likelihood rises.
        """
        there = top.gain <= enough
        found = self.at(top.upto, here.inverse if there or not top.pooled else None)
        more = self._better(top, found, free)
        joins = more is not None and bool(more.any())
        if found and (top.moves or self._gained(here, found, top, enough, joins=joins)):
            free = found.upto[1:] > found.upto[:-1]
            if more is None or not joins:
                return found, free
            return replace(found, missing=inf), free | more
        mass, new, upto = np.diff(here.upto), np.diff(top.whole), top.whole
        falling = free & (new < 0)
        if falling.any():
            reach = np.where(falling, mass / np.where(falling, mass - new, 1.0), 1.0)
            gone = falling & (reach <= reach.min() * (1 + 1e-12))
            if reach.min() < _FAINT:
                return here, free & ~gone
            new = np.where(gone, 0.0, mass + reach.min() * (new - mass))
            upto = np.concatenate([_NONE, np.cumsum(new)])
        for _ in range(_HALVINGS):
            found = self.at(upto)
            if found and (top.moves or self._gained(here, found, top, enough, joins=False)):
                return found, found.upto[1:] > found.upto[:-1]
            upto = 0.5 * (here.upto + upto)
        return None

    def _gained(
        self, here: Place, found: Place, top: "_Top", enough: float, *, joins: bool
    ) -> bool:
        least = here.fall + joins * _ROUNDING * self.n
        return found.missing <= max(top.gain / 2, enough) or found.fall < least

    def _better(self, top: "_Top", found: Place | None, free: Booleans) -> Booleans | None:
        """Find places without mass that would gain some, where none had to be pooled."""
        if found is None or top.pooled or free.all():
            return None
        pull = -found.gradient.cumsum()[:-1]
        sides = slice(self.before), slice(self.before, None)
        least = 1e-12 * float(pull.max())
        better = [pull[side] > pull[side][free[side]].max() + least for side in sides]
        return np.concatenate(better)

    def _by_level(self, value: Floats) -> Floats:
        """Add up a value of each pair: with its upper level, and less with its lower one."""
        return added(self.high, value, self.size) - added(self.low, value, self.size)

    def _top(
        self, here: Place, free: Booleans, goal: "_Goal | None", ridge: float = 0.0
    ) -> "_Top | None":
        """Find the top of the quadratic here, levels with no free place between moving together.

        With a goal the level held moves to where the quadratic has fallen so far, unless so much
        is missing yet that it tells little.
        """
        block = None if free.all() else _blocks(free)
        matrix, slope, before = self._equations(here, block)
        held = matrix[before] + matrix[:, before]
        held[before] /= 2
        diagonal = matrix.ravel()[:: len(slope) + 1]
        diagonal *= 1 + ridge
        weights = diagonal.copy()
        diagonal[0] = diagonal[before] = diagonal[-1] = pin = _PINNED * weights.max()
        sides = np.array([slope] if goal is None else [slope, -held])
        _, found, wrong = dposv(matrix.T, sides.T, lower=1, overwrite_a=1, overwrite_b=1)
        if wrong:
            return None if ridge else self._top(here, free, goal, _RIDGE)
        step = found[:, 0]
        step[0] = step[before] = step[-1] = 0.0
        gain = float(slope @ step) / 2
        was = here.upto if block is None else here.upto[np.append(True, free)]
        upto = step + was
        pooled = bool((upto[1:] < upto[:-1]).any())
        moves = not pooled and gain <= max(_MOVES, here.fall)
        if goal and moves:
            drift = found[:, 1]
            drift[0], drift[before], drift[-1] = 0.0, 1.0, 0.0
            steep, bend = float(slope[before] - held @ step), float(held @ drift)
            short = goal.fall - here.fall + gain
            upto = upto + self._move(here, short, steep + goal.slope, bend) * drift
            pooled = bool((upto[1:] < upto[:-1]).any())
        near = upto
        if pooled:
            weights[0] = weights[before] = weights[-1] = pin
            near = _pooled(upto, weights, [0, before, -1])
        if block is not None:
            near, upto = near.take(block), upto.take(block)
        return _Top(
            upto=near, whole=upto, pooled=pooled, moves=moves and goal is not None, gain=gain
        )

    def _equations(self, here: Place, block: Integers | None) -> tuple[Floats, Floats, int]:
        """Write minus the second derivative, its upper half, and the first, by the blocks."""
        low, high, pair, size, before = self.low, self.high, self.pair, self.size, self.before
        gradient, curve = here.gradient, here.ratio * here.inverse
        if block is not None:
            low, high, before = block.take(low), block.take(high), int(block[before])
            size = int(block[-1]) + 1
            gradient, pair = added(block, gradient, size), low * size + high
        matrix = added(pair, -curve, size * size)
        matrix[:: size + 1] += added(low, curve, size) + added(high, curve, size)
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
    moves : bool
        Whether the share held moves.
    gain : float
        How much log-likelihood the quadratic gains where that stays.
    """

    upto: Floats
    whole: Floats
    pooled: bool
    moves: bool
    gain: float


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Goal:
    """How far the likelihood is to fall.

    Attributes
    ----------
    fall : float
    share : float
        The share held when this was asked.
    slope : float
        How it changes with that, seen from the share before.
    """

    fall: float
    share: float
    slope: float = 0.0

    @classmethod
    def of(cls, fall: float, share: float, last: "_Goal | None") -> "_Goal":
        """Compare with what was asked last."""
        if last is None:
            return cls(fall=fall, share=share)
        way = share - last.share
        slope = (fall - last.fall) / way if abs(way) > _SAME else last.slope
        return cls(fall=fall, share=share, slope=slope)


def _pooled(upto: Floats, weights: Floats, pinned: list[int]) -> Floats:
    """Let neighbouring levels that fall be one, at their mean, until none does."""
    level: Floats = isotonic_regression(upto, weights=weights).x
    for at in pinned:
        level[level == level[at]] = upto[at]
    return level


def added(at: Integers, values: Floats, size: int) -> Floats:
    """Add up values by their places."""
    return cast(Floats, np.bincount(at, values, size)) if len(at) else np.zeros(size)


def _blocks(free: Booleans) -> Integers:
    """Number the levels, those with no free place between the same."""
    block = np.zeros(len(free) + 1, dtype=np.int64)
    np.cumsum(free, out=block[1:])
    return block
