"""Newton's method for the likelihood of ranges in the levels of F, with one level fixed.

Equal pairs of levels are one entry of a short list, so a step costs little more than one Cholesky
solve. A second side of the same solve tells how the others follow if the level held moves; so a
search for the share that costs a given likelihood moves it as it climbs.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import copysign, inf, sqrt
from typing import cast, final

import numpy as np
from scipy.linalg.lapack import dposv, dpotrs

from askance.typing import Booleans, Floats, Integers

_STEPS = 60
_HALVINGS = 40
_PINNED = 1e100  # of the largest curvature, for levels that stay
_RIDGE = 1e-9  # of the largest curvature, where rounding leaves none
_SHARP = 0.1  # of what may be missing, that may be missing of the quadratic
_CLOSE = 3e-5  # of the fall aimed at
_FAINT = 1e-9  # of a step, that may as well be none
_ROUNDING = 1e-14  # of what is told, in the log-likelihood
_LEAST_PRICE = 0.5  # of one over the chance
_SETTLED = 1e-9  # of what may be missing, less than which only rounding is left
_SURE = 0.02  # of the way to it that may be missing where the share stays
_MOVES = 30.0  # log-likelihood that may be missing where the level held moves
_STRIDE = 2.0  # by so much the way from the estimate may grow or shrink in a step
_AGAIN = 4  # steps by one bend
_SHRUNK = 0.05  # of what is missing, that such a step leaves if another is worth it
_NONE = np.zeros(1)
_LEAST_DISTANCE = 3e-3  # of the way to a share, nearer than which no slope is seen
_RESERVE = 0.1  # of the way to all or nothing that stays


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
class Iterate:
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
    fall : float
        Of the log-likelihood, from its top.
    last : array, shape (e,), optional
        One over the chances where the quadratic bends that led here.
    origin : array, shape (e,), optional
        The same where its slope was taken.
    missing : float
        How much log-likelihood is missing, if nothing hindered that step: Σ w d²/2, d the part of
        the chances that the prices of that quadratic leave. Infinite if something did.
    """

    upto: Floats
    share: float
    inverse: Floats
    ratio: Floats
    gradient: Floats
    fall: float
    last: Floats | None
    origin: Floats | None
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
class ConstrainedLikelihood:
    """The likelihood in the levels of F, with one level fixed.

    Attributes
    ----------
    low, high, pair : array of int, shape (e,)
        Each pair of levels that was told, and its place in a table of all.
    counts : array, shape (e,)
        How often.
    size : int
        How many levels.
    before : int
        Which is held.
    n : float
        What ``counts`` sums to.
    top : float
        The log-likelihood of the most likely distribution.
    start : float
        The share held there.
    """

    low: Integers
    high: Integers
    pair: Integers
    counts: Floats
    size: int
    before: int
    n: float
    top: float
    start: float

    def evaluate(
        self, upto: Floats, last: Floats | None = None, origin: Floats | None = None
    ) -> Iterate | None:
        """Look at these levels; None where some range has no chance."""
        chance = upto.take(self.high)
        chance -= upto.take(self.low)
        if chance.min() <= 0:
            return None
        inverse, missing = 1 / chance, inf
        if last is not None:
            residual = chance * last
            if origin is None:
                residual -= 1
                residual *= residual
            else:
                residual *= residual - last / origin
                residual -= chance * origin
                residual += 1
            missing = float((self.counts * residual) @ residual) / 2
        ratio = self.counts * inverse
        return Iterate(
            upto=upto,
            share=float(upto[self.before]),
            inverse=inverse,
            ratio=ratio,
            gradient=self._by_level(ratio),
            fall=self.top - float(self.counts @ np.log(chance)),
            last=last,
            origin=last if origin is None else origin,
            missing=missing,
        )

    def prices(self, iterate: Iterate, lowered: Floats | float = 0.0) -> Prices:
        """Bound how much log-likelihood is missing.

        At any prices y the log-likelihood is at most Σ w log(w/y) − n + F(t) max pull before t +
        (1 − F(t)) max pull after, of all with this F(t). Prices w/p at the chances p leave a gap
        that falls like the square of the last step, for they do not pull all places alike. Those
        of the quadratic that led here do: w/q − w (p' − q)/p², where its slope is that at the
        chances q and its bend that at p. With q = p what is left is w d⁴/2, d = p'/p − 1.
        Some may be lowered by parts of them.
        """
        rate, short = iterate.inverse, 0.0
        if iterate.last is not None and iterate.origin is not None:
            ratio = iterate.last / iterate.inverse
            ratio *= iterate.last / iterate.origin - ratio
            ratio += iterate.origin / iterate.inverse
            ratio *= 1 - lowered
            np.maximum(ratio, _LEAST_PRICE, out=ratio)
            rate = ratio * iterate.inverse
            lost = 1 - ratio
            lost += lost * lost / (2 * ratio)  # at least −log(1 − lost)
            short = float(self.counts @ lost)
        pull = -self._by_level(self.counts * rate).cumsum()[:-1]
        pull_before, pull_after = float(pull[: self.before].max()), float(pull[self.before :].max())
        gap = iterate.share * pull_before + (1 - iterate.share) * pull_after - self.n + short
        paid = pull * (iterate.upto[1:] - iterate.upto[:-1])
        below, above = float(paid[: self.before].sum()), float(paid[self.before :].sum())
        slope = below / iterate.share - above / (1 - iterate.share)
        return Prices(rate=rate, pull=pull, sides=(pull_before, pull_after), gap=gap, slope=slope)

    def _certify(self, iterate: Iterate, enough: float, *, twice: bool) -> Prices | None:
        """Give the prices if so little is missing; if this is a top twice, the best that can be."""
        prices = self.prices(iterate)
        if prices.gap <= enough:
            return prices
        return self.prices(iterate, self._excess(iterate, prices)) if twice else None

    def _excess(self, iterate: Iterate, prices: Prices) -> Floats:
        """Say which part of its price rounding makes an entry of one place ask too much.

        One over a chance next to nothing errs by more than all that may be missing, and the bound
        would count it as if all mass could go there. To lower that one price costs next to nothing;
        by more than half is never asked.
        """
        paid, before = prices.pull * (iterate.upto[1:] - iterate.upto[:-1]), self.before
        fair = np.empty(len(paid))
        fair[:before] = paid[:before].sum() / iterate.share
        fair[before:] = paid[before:].sum() / (1 - iterate.share)
        more = (prices.pull - fair).take(self.low)
        more[self.high > self.low + 1] = 0.0
        return np.clip(more / (self.counts * prices.rate), 0.0, 1 - _LEAST_PRICE)

    def most_likely(
        self, iterate: Iterate, enough: float, aim: Aim | None, new: Integers
    ) -> tuple[Iterate, Prices] | None:
        """Climb until so little is missing on these places, and to the goal if there is one.

        Places without mass gain some only if it is seen that they would, or if they are new. Twice
        at a top is enough: what its prices leave there is rounding, mostly of small chances.
        """
        free, goal, settled = iterate.upto[1:] > iterate.upto[:-1], None, False
        free[new] = True
        levels = _FreeLevels.of(self, free)
        aim = aim if aim is not None and aim.moves else None
        for _ in range(_STEPS):
            if iterate.missing <= enough * _SHARP:
                goal = self._next_goal(iterate, aim, goal)
                if goal is None or goal.missed() <= enough * _SHARP:
                    before, settled = settled, iterate.missing <= enough * _SETTLED
                    prices = self._certify(iterate, enough, twice=before and settled)
                    if prices is not None:
                        return iterate, prices
            if np.count_nonzero(free != levels.free):
                levels = _FreeLevels.of(self, free)
            top = self._find_top(iterate, levels, aim, goal)
            reached = None if top is None else self._advance(iterate, levels, top, enough)
            if top is None or reached is None:
                return None
            (iterate, free), goal = reached, top.goal
            if not top.pooled:
                iterate, goal = self._repeat_steps(iterate, levels, top, enough, aim)
        return None

    def _next_goal(self, iterate: Iterate, aim: Aim | None, last: "_Goal | None") -> "_Goal | None":
        """Ask for the fall that is aimed at from here, unless that was asked last."""
        if aim is None or (last is not None and last.origin is iterate):
            return last
        before, share = self.before, iterate.share
        below = float(iterate.gradient[: before + 1] @ iterate.upto[: before + 1]) / share
        above = float(iterate.gradient[before + 1 :] @ (1 - iterate.upto[before + 1 :])) / (
            1 - share
        )
        fall = aim.goal(share, iterate.fall, below + above)
        return _Goal.of(fall, iterate, last, _LEAST_DISTANCE * abs(share - self.start))

    def _repeat_steps(
        self,
        iterate: Iterate,
        levels: "_FreeLevels",
        top: "_QuadraticTop",
        enough: float,
        aim: Aim | None,
    ) -> "tuple[Iterate, _Goal | None]":
        """Go on by the slope here and the bend where the last step began: its solve is at hand."""
        goal, last, enough = top.goal, inf, enough * _SHARP
        for _ in range(_AGAIN):
            if iterate.missing == inf or iterate.missing > max(enough, _SHRUNK * last):
                break
            goal = self._next_goal(iterate, aim, goal)
            if iterate.missing <= enough and (goal is None or goal.missed() <= enough):
                break
            upto = iterate.upto + levels.spread(self._resolve(iterate, levels, top, goal))
            if np.count_nonzero(upto[1:] < upto[:-1]):
                break
            candidate = self.evaluate(upto, top.solve.inverse, iterate.inverse)
            if candidate is None or candidate.missing > max(enough, iterate.missing):
                break
            last, iterate = iterate.missing, candidate
        return iterate, goal

    def _resolve(
        self, iterate: Iterate, levels: "_FreeLevels", top: "_QuadraticTop", goal: "_Goal | None"
    ) -> Floats:
        """Solve for a step with the factor of the last one."""
        solve, slope, before = top.solve, levels.summed(iterate.gradient), levels.before
        step: Floats = dpotrs(solve.factor, slope, lower=1)[0]
        step[0] = step[before] = step[-1] = 0.0
        if top.moves:
            gain, steep = float(slope @ step) / 2, float(slope[before] - solve.held_column @ step)
            step += self._move_share(iterate, goal, gain, steep, solve.bend) * solve.drift
        return step

    def _advance(
        self, iterate: Iterate, levels: "_FreeLevels", top: "_QuadraticTop", enough: float
    ) -> tuple[Iterate, Booleans] | None:
        """Go to the top of the quadratic, or part of the way, and say which places have mass.

        Part of the way is where a first place loses its mass, or where the likelihood rises.
        """
        is_close = top.solve.gain <= enough
        candidate = self.evaluate(top.upto, iterate.inverse if is_close or not top.pooled else None)
        more = None if candidate is None or top.pooled else levels.better(candidate)
        joins = more is not None
        if candidate and (
            top.moves or self._has_gained(iterate, candidate, top, enough, joins=joins)
        ):
            free = candidate.upto[1:] > candidate.upto[:-1]
            return (
                (candidate, free)
                if more is None
                else (replace(candidate, missing=inf), free | more)
            )
        free, upto = levels.free, top.unpooled
        mass, new = np.diff(iterate.upto), np.diff(upto)
        falling = free & (new < 0)
        if falling.any():
            reach = np.where(falling, mass / np.where(falling, mass - new, 1.0), 1.0)
            emptied = falling & (reach <= reach.min() * (1 + 1e-12))
            if reach.min() < _FAINT:
                return iterate, free & ~emptied
            new = np.where(emptied, 0.0, mass + reach.min() * (new - mass))
            upto = np.concatenate([_NONE, np.cumsum(new)])
        for _ in range(_HALVINGS):
            candidate = self.evaluate(upto)
            if candidate and (
                top.moves or self._has_gained(iterate, candidate, top, enough, joins=False)
            ):
                return candidate, candidate.upto[1:] > candidate.upto[:-1]
            upto = 0.5 * (iterate.upto + upto)
        return None

    def _has_gained(
        self,
        iterate: Iterate,
        candidate: Iterate,
        top: "_QuadraticTop",
        enough: float,
        *,
        joins: bool,
    ) -> bool:
        least_fall = iterate.fall + joins * _ROUNDING * self.n
        return candidate.missing <= max(top.solve.gain / 2, enough) or candidate.fall < least_fall

    def _by_level(self, value: Floats) -> Floats:
        """Add up a value of each pair: with its upper level, and less with its lower one."""
        return added(self.high, value, self.size) - added(self.low, value, self.size)

    def _solve(
        self, iterate: Iterate, levels: "_FreeLevels", ridge: float = 0.0, *, drifts: bool
    ) -> "_Solve | None":
        """Take the quadratic here, and find its top, and how levels follow that held if it does."""
        matrix, slope, before = *levels.equations(iterate), levels.before
        held_column = matrix[before] + matrix[:, before]
        held_column[before] /= 2
        diagonal = matrix.ravel()[:: levels.size + 1]
        if ridge:
            diagonal *= 1 + ridge
        weights = diagonal.copy()
        diagonal[0] = diagonal[before] = diagonal[-1] = pin = _PINNED * float(weights.max())
        sides = np.array([slope, -held_column] if drifts else [slope])
        factor, solution, wrong = dposv(matrix.T, sides.T, lower=1, overwrite_a=1, overwrite_b=1)
        if wrong:
            return None if ridge else self._solve(iterate, levels, _RIDGE, drifts=drifts)
        solution[0] = solution[before] = solution[-1] = 0.0
        weights[0] = weights[before] = weights[-1] = pin
        step, drift = solution[:, 0], solution[:, -1]
        if drifts:
            drift[before] = 1.0
        return _Solve(
            inverse=iterate.inverse,
            weights=weights,
            factor=factor,
            held_column=held_column,
            step=step,
            gain=float(slope @ step) / 2,
            drift=drift,
            steep=float(slope[before] - held_column @ step),
            bend=float(held_column @ drift),
        )

    def _find_top(
        self, iterate: Iterate, levels: "_FreeLevels", aim: Aim | None, goal: "_Goal | None"
    ) -> "_QuadraticTop | None":
        """Find the top of the quadratic here, levels with no free place between moving together.

        With an aim the level held moves to where the quadratic has fallen so far, unless so much
        is missing yet that it tells little.
        """
        solve = self._solve(iterate, levels, drifts=aim is not None)
        if solve is None:
            return None
        upto = levels.firsts(iterate.upto) + solve.step
        falls = np.count_nonzero(upto[1:] < upto[:-1])
        moves = aim is not None and not falls and solve.gain <= max(_MOVES, iterate.fall)
        if moves:
            goal, steep = self._next_goal(iterate, aim, goal), solve.steep
            upto += self._move_share(iterate, goal, solve.gain, steep, solve.bend) * solve.drift
            falls = np.count_nonzero(upto[1:] < upto[:-1])
        unpooled = pooled = levels.spread(upto)
        if falls:
            pooled = levels.spread(_pool(upto, solve.weights, [0, levels.before, -1]))
        return _QuadraticTop(
            upto=pooled, unpooled=unpooled, pooled=bool(falls), moves=moves, goal=goal, solve=solve
        )

    def _move_share(
        self, iterate: Iterate, goal: "_Goal | None", gain: float, steep: float, bend: float
    ) -> float:
        """Say how far the share held goes until the likelihood falls as aimed, by a parabola."""
        if goal is None:
            return 0.0
        short, steep = goal.fall - iterate.fall + gain, steep + goal.slope
        shift = iterate.share - self.start
        up, far = (1 if shift > 0 else -1), abs(shift)
        along = -steep * up
        root = along + sqrt(max(along**2 + 2 * bend * short, 0.0))
        more = 2 * short / root if root > 0 else copysign(inf, short)
        rest = (1 - self.start if up > 0 else self.start) - far
        max_move = min(far * (_STRIDE - 1), rest * (1 - _RESERVE))
        return up * min(max(more, far / _STRIDE - far), max_move)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _FreeLevels:
    """Levels that move apart: those with no free place between them are one.

    Attributes
    ----------
    free : array of bool, shape (k - 1,)
        The places that may gain or lose mass.
    first : array of int, optional
        The first level of each; None where no two are one.
    block : array of int, optional
        To which of these each level belongs.
    low, high, pair : array of int, shape (e,)
        Each pair that was told, and its place in a table of these.
    size : int
        How many.
    before, held_level : int
        Which of these, and which level, is held.
    """

    free: Booleans
    first: Integers | None
    block: Integers | None
    low: Integers
    high: Integers
    pair: Integers
    size: int
    before: int
    held_level: int

    @classmethod
    def of(cls, climb: ConstrainedLikelihood, free: Booleans) -> "_FreeLevels":
        """Number them."""
        low, high, before = climb.low, climb.high, climb.before
        count = int(np.count_nonzero(free))
        block = first = None
        if count == len(free):
            pair, size = climb.pair, climb.size
        else:
            first = np.zeros(count + 1, dtype=np.int64)
            np.add(free.nonzero()[0], 1, out=first[1:])
            block, size = first[1:].searchsorted(np.arange(climb.size), "right"), count + 1
            low, high, before = block.take(low), block.take(high), int(block[before])
            pair = low * size + high
        return cls(
            free=free,
            first=first,
            block=block,
            low=low,
            high=high,
            pair=pair,
            size=size,
            before=before,
            held_level=climb.before,
        )

    def firsts(self, upto: Floats) -> Floats:
        """Give a value of each level to each of these."""
        return upto if self.first is None else upto.take(self.first)

    def spread(self, value: Floats) -> Floats:
        """Give a value of each of these to each of its levels."""
        return value if self.block is None else value.take(self.block)

    def summed(self, value: Floats) -> Floats:
        """Add up a value of each level over each of these."""
        return value if self.block is None else added(self.block, value, self.size)

    def equations(self, iterate: Iterate) -> tuple[Floats, Floats]:
        """Write minus the second derivative, its upper half, and the first."""
        low, high, size = self.low, self.high, self.size
        curve = iterate.ratio * iterate.inverse
        matrix = added(self.pair, curve, size * size)
        np.negative(matrix, out=matrix)
        diagonal = matrix[:: size + 1]
        diagonal += added(low, curve, size)
        diagonal += added(high, curve, size)
        return matrix.reshape(size, size), self.summed(iterate.gradient)

    def better(self, iterate: Iterate) -> Booleans | None:
        """Find places without mass that would gain some, if any."""
        if self.first is None:
            return None
        pull, held_level = -iterate.gradient.cumsum()[:-1], self.held_level
        mass = self.first[1:] - 1
        most, spots = pull.take(mass), int(mass.searchsorted(held_level))
        sides = float(most[:spots].max()), float(most[spots:].max())
        least = 1e-12 * max(sides)
        more = np.empty(len(pull), dtype=np.bool_)
        np.greater(pull[:held_level], sides[0] + least, out=more[:held_level])
        np.greater(pull[held_level:], sides[1] + least, out=more[held_level:])
        return more if np.count_nonzero(more) else None


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _QuadraticTop:
    """The top of a quadratic.

    Attributes
    ----------
    upto, unpooled : array, shape (k,)
        The levels, those that would fall pooled, and as they are.
    pooled : bool
        Whether some had to be pooled.
    moves : bool
        Whether the share held moves.
    goal : _Goal, optional
        What was aimed at.
    solve : _Solve
        How it was found.
    """

    upto: Floats
    unpooled: Floats
    pooled: bool
    moves: bool
    goal: "_Goal | None"
    solve: "_Solve"


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Solve:
    """A quadratic's equations, solved.

    Attributes
    ----------
    inverse : array, shape (e,)
        One over the chances where it bends as it does.
    weights : array, shape (l,)
        How stiff each is.
    factor : array, shape (l, l)
        The triangular factor of its bend, some levels pinned.
    held_column : array, shape (l,)
        The column of the level held, not pinned.
    step : array, shape (l,)
        From here to its top.
    gain : float
        How much log-likelihood that gains.
    drift : array, shape (l,)
        How the others follow if the level held moves: the step again where it does not.
    steep, bend : float
        The slope along it after the step, and how the quadratic bends.
    """

    inverse: Floats
    weights: Floats
    factor: Floats
    held_column: Floats
    step: Floats
    gain: float
    drift: Floats
    steep: float
    bend: float


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Goal:
    """How far the likelihood is to fall.

    Attributes
    ----------
    fall : float
    origin : Iterate
        From where this was asked.
    slope : float
        How it changes with the share held, seen from the place before.
    """

    fall: float
    origin: Iterate
    slope: float = 0.0

    @classmethod
    def of(
        cls, fall: float, origin: Iterate, last: "_Goal | None", least_distance: float
    ) -> "_Goal":
        """Compare with what was asked last."""
        if last is None:
            return cls(fall=fall, origin=origin)
        shift = origin.share - last.origin.share
        slope = (fall - last.fall) / shift if abs(shift) > least_distance else last.slope
        return cls(fall=fall, origin=origin, slope=slope)

    def missed(self) -> float:
        """Say by how much more it is missed than need be."""
        return abs(self.fall - self.origin.fall) - _CLOSE * self.fall


def _pool(upto: Floats, weights: Floats, pinned: list[int]) -> Floats:
    """Let neighbouring levels that fall be one, at their mean, until none does."""
    from scipy.optimize import isotonic_regression

    level: Floats = isotonic_regression(upto, weights=weights).x
    values = level.take(pinned)
    firsts, lasts = level.searchsorted(values), level.searchsorted(values, "right")
    for pin, first, last in zip(pinned, firsts.tolist(), lasts.tolist(), strict=True):
        level[first:last] = upto[pin]
    return level


def added(indices: Integers, values: Floats, size: int) -> Floats:
    """Add up values by their places."""
    return cast(Floats, np.bincount(indices, values, size)) if len(indices) else np.zeros(size)
