"""The constrained NPMLE with a given F(t), from ranges of one piece.

Newton's method finds it on a few places with mass (`ConstrainedLikelihood`). Equal pairs of levels
are one entry of a short list, so a step costs little more than one Cholesky solve. A second side of
the same solve tells how the others follow if the fixed level moves; so a search for the share that
costs a given likelihood moves it on the way.

Which other places deserve mass is told by the slope of the likelihood by the mass of each cell
(`ConstrainedFits`): that of ranges with one end from running sums of their weights, that of all
others added up one by one. Most cells cannot be the best of their neighbourhood whatever the
distribution, and are not looked at. The slopes also tell how much likelihood is missing at most,
which ends the search.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import copysign, inf, sqrt
from typing import cast, final

import numpy as np
from scipy.linalg.lapack import dposv, dpotrs

from askance.inference.ranges.support import RangeRows
from askance.typing import Booleans, Floats, Integers

_STEPS = 60
_HALVINGS = 40
_PINNED = 1e100  # of the largest curvature, for levels that stay
_RIDGE = 1e-9  # of the largest curvature, where rounding leaves none
_SHARP = 0.1  # of what may be missing, that may be missing of the quadratic
_CLOSE = 3e-5  # of the target fall
_FAINT = 1e-9  # of a step, that may as well be none
_ROUNDING = 1e-14  # of what is told, in the log-likelihood
_LEAST_PRICE = 0.5  # of one over the chance
_SETTLED = 1e-9  # of what may be missing, less than which only rounding is left
_SURE = 0.02  # of the way to it that may be missing where the share stays
_MOVES = 30.0  # log-likelihood that may be missing where the fixed level moves
_STRIDE = 2.0  # by so much the way from the estimate may grow or shrink in a step
_AGAIN = 4  # steps by one bend
_SHRUNK = 0.05  # of what is missing, that such a step leaves if another is worth it
_NONE = np.zeros(1)
_LEAST_DISTANCE = 3e-3  # of the way to a share, nearer than which no slope is seen
_RESERVE = 0.1  # of the way to all or nothing that stays


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TargetFall:
    """The fall of the log-likelihood that a fixed share should cause, such as a critical value.

    Attributes
    ----------
    goal : callable
        Computes that fall from the share, the fall at the share, and the slope there.
    is_solved : bool
        Whether the share is moved until the likelihood has fallen that far. If not, the likelihood
        needs less precision the further it is from the target.
    expected_fall : float
        A rough guess of that fall.
    """

    goal: Callable[[float, float, float], float]
    is_solved: bool
    expected_fall: float

    def missing(self, share: float, fall: float, slope: float, tol: float) -> float:
        """The log-likelihood that may be missing at a share: the tolerance of the fit."""
        return (
            tol if self.is_solved else max(tol, _SURE * abs(self.goal(share, fall, slope) - fall))
        )


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Iterate:
    """An iterate of Newton's method: the levels of F, and the likelihood's derivatives there.

    Attributes
    ----------
    upto : array, shape (k,)
        The levels.
    share : float
        The fixed share.
    inverse : array, shape (e,)
        One over the chance of each entry.
    ratio : array, shape (e,)
        The same, times the count of the entry.
    gradient : array, shape (k,)
        The derivative of the log-likelihood by each level.
    fall : float
        How far the log-likelihood is below its maximum.
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
    """Dual variables (prices) of the entries, and the bound on the likelihood that they give.

    Attributes
    ----------
    rate : array, shape (e,)
    pull : array, shape (k - 1,)
        The sum of prices over the entries that hold each mass.
    sides : tuple of float
        The largest pull before the fixed level, and after it.
    gap : float
        How much log-likelihood is missing at most, on the places with mass.
    slope : float
        The derivative by the fixed share, others in proportion.
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
        Each observed pair of levels, and its position in a table of all pairs.
    counts : array, shape (e,)
        How often each pair was observed.
    size : int
        The number of levels.
    before : int
        The index of the fixed level.
    n : float
        What ``counts`` sums to.
    top : float
        The log-likelihood of the most likely distribution.
    start : float
        The fixed share there.
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
        """Compute the likelihood and its slope at these levels; None if a range has chance 0."""
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
        """Bound the log-likelihood that is missing, by duality.

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

    def _certify(self, iterate: Iterate, tolerance: float, *, twice: bool) -> Prices | None:
        """Return prices that prove the tolerance; at a repeated maximum, the best that exist."""
        prices = self.prices(iterate)
        if prices.gap <= tolerance:
            return prices
        return self.prices(iterate, self._excess(iterate, prices)) if twice else None

    def _excess(self, iterate: Iterate, prices: Prices) -> Floats:
        """The part of each price that is rounding error, for entries of a single place.

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

    def maximise(
        self, iterate: Iterate, tolerance: float, target: TargetFall | None, new: Integers
    ) -> tuple[Iterate, Prices] | None:
        """Maximise on these places to a tolerance, and move the share to the target, if any.

        Places without mass gain some only if it is seen that they would, or if they are new. Twice
        at a top is tolerance: what its prices leave there is rounding, mostly of small chances.
        """
        free, goal, settled = iterate.upto[1:] > iterate.upto[:-1], None, False
        free[new] = True
        levels = _FreeLevels.of(self, free)
        target = target if target is not None and target.is_solved else None
        for _ in range(_STEPS):
            if iterate.missing <= tolerance * _SHARP:
                goal = self._next_goal(iterate, target, goal)
                if goal is None or goal.missed() <= tolerance * _SHARP:
                    before, settled = settled, iterate.missing <= tolerance * _SETTLED
                    prices = self._certify(iterate, tolerance, twice=before and settled)
                    if prices is not None:
                        return iterate, prices
            if np.count_nonzero(free != levels.free):
                levels = _FreeLevels.of(self, free)
            top = self._find_top(iterate, levels, target, goal)
            reached = None if top is None else self._advance(iterate, levels, top, tolerance)
            if top is None or reached is None:
                return None
            (iterate, free), goal = reached, top.goal
            if not top.pooled:
                iterate, goal = self._repeat_steps(iterate, levels, top, tolerance, target)
        return None

    def _next_goal(
        self, iterate: Iterate, target: TargetFall | None, last: "_Goal | None"
    ) -> "_Goal | None":
        """Compute the target fall at this iterate, unless it was computed there already."""
        if target is None or (last is not None and last.origin is iterate):
            return last
        before, share = self.before, iterate.share
        below = float(iterate.gradient[: before + 1] @ iterate.upto[: before + 1]) / share
        above = float(iterate.gradient[before + 1 :] @ (1 - iterate.upto[before + 1 :])) / (
            1 - share
        )
        fall = target.goal(share, iterate.fall, below + above)
        return _Goal.of(fall, iterate, last, _LEAST_DISTANCE * abs(share - self.start))

    def _repeat_steps(
        self,
        iterate: Iterate,
        levels: "_FreeLevels",
        top: "_QuadraticTop",
        tolerance: float,
        target: TargetFall | None,
    ) -> "tuple[Iterate, _Goal | None]":
        """Take chord steps: the slope here with the Hessian that was factored at the last step."""
        goal, last, tolerance = top.goal, inf, tolerance * _SHARP
        for _ in range(_AGAIN):
            if iterate.missing == inf or iterate.missing > max(tolerance, _SHRUNK * last):
                break
            goal = self._next_goal(iterate, target, goal)
            if iterate.missing <= tolerance and (goal is None or goal.missed() <= tolerance):
                break
            upto = iterate.upto + levels.spread(self._resolve(iterate, levels, top, goal))
            if np.count_nonzero(upto[1:] < upto[:-1]):
                break
            candidate = self.evaluate(upto, top.solve.inverse, iterate.inverse)
            if candidate is None or candidate.missing > max(tolerance, iterate.missing):
                break
            last, iterate = iterate.missing, candidate
        return iterate, goal

    def _resolve(
        self, iterate: Iterate, levels: "_FreeLevels", top: "_QuadraticTop", goal: "_Goal | None"
    ) -> Floats:
        """Solve for a step with the Hessian's factor of the last one."""
        solve, slope, before = top.solve, levels.summed(iterate.gradient), levels.before
        step: Floats = dpotrs(solve.factor, slope, lower=1)[0]
        step[0] = step[before] = step[-1] = 0.0
        if top.moves:
            gain = float(slope @ step) / 2
            steep = float(slope[before] - solve.constrained_column @ step)
            step += self._move_share(iterate, goal, gain, steep, solve.bend) * solve.drift
        return step

    def _advance(
        self, iterate: Iterate, levels: "_FreeLevels", top: "_QuadraticTop", tolerance: float
    ) -> tuple[Iterate, Booleans] | None:
        """Step to the maximum of the quadratic, or part of the way, and find the places with mass.

        A partial step ends where a first place loses its mass, or where the likelihood rises.
        """
        is_close = top.solve.gain <= tolerance
        candidate = self.evaluate(top.upto, iterate.inverse if is_close or not top.pooled else None)
        more = None if candidate is None or top.pooled else levels.better(candidate)
        joins = more is not None
        if candidate and (
            top.moves or self._has_gained(iterate, candidate, top, tolerance, joins=joins)
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
                top.moves or self._has_gained(iterate, candidate, top, tolerance, joins=False)
            ):
                return candidate, candidate.upto[1:] > candidate.upto[:-1]
            upto = 0.5 * (iterate.upto + upto)
        return None

    def _has_gained(
        self,
        iterate: Iterate,
        candidate: Iterate,
        top: "_QuadraticTop",
        tolerance: float,
        *,
        joins: bool,
    ) -> bool:
        least_fall = iterate.fall + joins * _ROUNDING * self.n
        return (
            candidate.missing <= max(top.solve.gain / 2, tolerance) or candidate.fall < least_fall
        )

    def _by_level(self, value: Floats) -> Floats:
        """Sum a value over the pairs of each level: plus as the upper level, minus as the lower."""
        return added(self.high, value, self.size) - added(self.low, value, self.size)

    def _solve(
        self, iterate: Iterate, levels: "_FreeLevels", ridge: float = 0.0, *, drifts: bool
    ) -> "_Solve | None":
        """Solve the Newton system, and how the other levels change with the fixed one."""
        matrix, slope, before = *levels.equations(iterate), levels.before
        constrained_column = matrix[before] + matrix[:, before]
        constrained_column[before] /= 2
        diagonal = matrix.ravel()[:: levels.size + 1]
        if ridge:
            diagonal *= 1 + ridge
        weights = diagonal.copy()
        diagonal[0] = diagonal[before] = diagonal[-1] = pin = _PINNED * float(weights.max())
        sides = np.array([slope, -constrained_column] if drifts else [slope])
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
            constrained_column=constrained_column,
            step=step,
            gain=float(slope @ step) / 2,
            drift=drift,
            steep=float(slope[before] - constrained_column @ step),
            bend=float(constrained_column @ drift),
        )

    def _find_top(
        self,
        iterate: Iterate,
        levels: "_FreeLevels",
        target: TargetFall | None,
        goal: "_Goal | None",
    ) -> "_QuadraticTop | None":
        """Maximise the local quadratic; levels without a free place between them move together.

        With a target the fixed level moves to where the quadratic has fallen that far, unless so
        much is missing that the quadratic is a poor guide.
        """
        solve = self._solve(iterate, levels, drifts=target is not None)
        if solve is None:
            return None
        upto = levels.firsts(iterate.upto) + solve.step
        falls = np.count_nonzero(upto[1:] < upto[:-1])
        moves = target is not None and not falls and solve.gain <= max(_MOVES, iterate.fall)
        if moves:
            goal, steep = self._next_goal(iterate, target, goal), solve.steep
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
        """The change of the fixed share after which a parabola has fallen by the target."""
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
    """Free levels: those with no free place between them are merged into one.

    Attributes
    ----------
    free : array of bool, shape (k - 1,)
        The places that may gain or lose mass.
    first : array of int, optional
        The first level of each; None where no two are one.
    block : array of int, optional
        To which of these each level belongs.
    low, high, pair : array of int, shape (e,)
        Each observed pair, and its position in a table of these.
    size : int
        The number of free levels.
    before, constrained_level : int
        The index of the fixed level among the free levels, and among all levels.
    """

    free: Booleans
    first: Integers | None
    block: Integers | None
    low: Integers
    high: Integers
    pair: Integers
    size: int
    before: int
    constrained_level: int

    @classmethod
    def of(cls, likelihood: ConstrainedLikelihood, free: Booleans) -> "_FreeLevels":
        """Merge the levels of a likelihood that have no free place between them."""
        low, high, before = likelihood.low, likelihood.high, likelihood.before
        count = int(np.count_nonzero(free))
        block = first = None
        if count == len(free):
            pair, size = likelihood.pair, likelihood.size
        else:
            first = np.zeros(count + 1, dtype=np.int64)
            np.add(free.nonzero()[0], 1, out=first[1:])
            block, size = first[1:].searchsorted(np.arange(likelihood.size), "right"), count + 1
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
            constrained_level=likelihood.before,
        )

    def firsts(self, upto: Floats) -> Floats:
        """Take the value at the first level of each free level."""
        return upto if self.first is None else upto.take(self.first)

    def spread(self, value: Floats) -> Floats:
        """Copy the value of each free level to its levels."""
        return value if self.block is None else value.take(self.block)

    def summed(self, value: Floats) -> Floats:
        """Sum a value over the levels of each free level."""
        return value if self.block is None else added(self.block, value, self.size)

    def equations(self, iterate: Iterate) -> tuple[Floats, Floats]:
        """The negative Hessian, its upper half, and the gradient."""
        low, high, size = self.low, self.high, self.size
        curve = iterate.ratio * iterate.inverse
        matrix = added(self.pair, curve, size * size)
        np.negative(matrix, out=matrix)
        diagonal = matrix[:: size + 1]
        diagonal += added(low, curve, size)
        diagonal += added(high, curve, size)
        return matrix.reshape(size, size), self.summed(iterate.gradient)

    def better(self, iterate: Iterate) -> Booleans | None:
        """Find places without mass where mass would raise the likelihood, if there are any."""
        if self.first is None:
            return None
        pull, constrained_level = -iterate.gradient.cumsum()[:-1], self.constrained_level
        mass = self.first[1:] - 1
        most, spots = pull.take(mass), int(mass.searchsorted(constrained_level))
        sides = float(most[:spots].max()), float(most[spots:].max())
        least = 1e-12 * max(sides)
        more = np.empty(len(pull), dtype=np.bool_)
        np.greater(pull[:constrained_level], sides[0] + least, out=more[:constrained_level])
        np.greater(pull[constrained_level:], sides[1] + least, out=more[constrained_level:])
        return more if np.count_nonzero(more) else None


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _QuadraticTop:
    """The maximum of the local quadratic.

    Attributes
    ----------
    upto, unpooled : array, shape (k,)
        The levels, pooled to be monotone, and as solved.
    pooled : bool
        Whether some had to be pooled.
    moves : bool
        Whether the fixed share moves.
    goal : _Goal, optional
        The target fall.
    solve : _Solve
        The Newton system that was solved.
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
    """The solved Newton system.

    Attributes
    ----------
    inverse : array, shape (e,)
        One over the chances where the Hessian was computed.
    weights : array, shape (l,)
        The diagonal of the negative Hessian.
    factor : array, shape (l, l)
        The Cholesky factor of the negative Hessian, some levels pinned.
    constrained_column : array, shape (l,)
        The column of the fixed level, not pinned.
    step : array, shape (l,)
        The Newton step.
    gain : float
        The log-likelihood that the step gains.
    drift : array, shape (l,)
        The derivative of the other levels by the fixed one; the step again where it stays.
    steep, bend : float
        The slope and the curvature along the drift, after the step.
    """

    inverse: Floats
    weights: Floats
    factor: Floats
    constrained_column: Floats
    step: Floats
    gain: float
    drift: Floats
    steep: float
    bend: float


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Goal:
    """The target fall, and where it was computed.

    Attributes
    ----------
    fall : float
    origin : Iterate
        The iterate at which it was computed.
    slope : float
        The derivative by the fixed share, from the last two iterates.
    """

    fall: float
    origin: Iterate
    slope: float = 0.0

    @classmethod
    def of(
        cls, fall: float, origin: Iterate, last: "_Goal | None", least_distance: float
    ) -> "_Goal":
        """Take a new target fall, with its slope from the last one."""
        if last is None:
            return cls(fall=fall, origin=origin)
        shift = origin.share - last.origin.share
        slope = (fall - last.fall) / shift if abs(shift) > least_distance else last.slope
        return cls(fall=fall, origin=origin, slope=slope)

    def missed(self) -> float:
        """The error of the fall, beyond the tolerance."""
        return abs(self.fall - self.origin.fall) - _CLOSE * self.fall


def _pool(upto: Floats, weights: Floats, pinned: list[int]) -> Floats:
    """Pool adjacent levels that violate monotonicity (isotonic regression), some levels pinned."""
    from scipy.optimize import isotonic_regression

    level: Floats = isotonic_regression(upto, weights=weights).x
    values = level.take(pinned)
    firsts, lasts = level.searchsorted(values), level.searchsorted(values, "right")
    for pin, first, last in zip(pinned, firsts.tolist(), lasts.tolist(), strict=True):
        level[first:last] = upto[pin]
    return level


def added(indices: Integers, values: Floats, size: int) -> Floats:
    """Sum values by index."""
    return cast(Floats, np.bincount(indices, values, size)) if len(indices) else np.zeros(size)


_LARGEST = 300  # places with mass: a table of their pairs is still small
MOST_PEOPLE = 1e10  # sums of logarithms over more are not precise tolerance
_ROUNDS = 25  # of places that join
_SAME = 1e-14  # shares that are one but for rounding
_FINE = 0.01  # of what may be missing, that may be missing on the places with mass
_ROUNDED = 1e-12  # of what is told, that rounding may leave missing
_POWER = 0.37  # of the fall, that the way of a share goes with
_FURTHER = 4.0  # by so much its first guess may grow or shrink
_MOST = 0.9  # of the way to all or nothing
_LEAST_WEIGHT = 1e-300
_SHORT = 1 << 16  # cells whose numbers are sorted by their digits
_CARRIED_MASS = 0.4  # of the masses on the way of a share that moves


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ConstrainedFit:
    """A constrained NPMLE: the likeliest distribution with a fixed share below a level.

    Attributes
    ----------
    places : array of int, shape (s,)
        Cells with mass, ascending.
    upto : array, shape (s + 1,)
        The mass before each of them, and all of it.
    fall : float
        How far the log-likelihood is below its maximum.
    slope : float
        The derivative of the log-likelihood by the fixed share.
    gap : float
        How much log-likelihood is missing at most.
    levels : tuple of int
        The first and the last level for which this is the fit with the same fixed share; empty
        for the unconstrained fit.
    """

    places: Integers
    upto: Floats
    fall: float
    slope: float
    gap: float = 0.0
    levels: tuple[int, int] = (0, -1)

    def serves(self, level: int, share: float) -> bool:
        """Whether this fit also solves the problem with a fixed share before a level."""
        least, most = self.levels
        return least <= level <= most and abs(self.before(level) - share) <= _SAME

    def before(self, level: int) -> float:
        """The share in the cells before a level."""
        return float(self.upto[self.places.searchsorted(level)])


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ConstrainedFits:
    """Constrained NPMLEs of ranges of one piece: one for each level and fixed share.

    Attributes
    ----------
    m : int
        How many cells.
    first, past, weights : array, shape (r,)
        The ranges with two ends: each holds the cells ``first[i] … past[i] − 1``.
    under, over : array, shape (m + 1,)
        How many ranges with one end are below a level up to each, and how many above it.
    ends : _RangeEnds
    tops : array of int, shape (t,)
        Cells with which some range begins and some range ends.
    under_tops, over_tops : array, shape (t,)
        The same there as at all levels.
    begun, ended : array of int, shape (r,)
        How many of these cells lie before each range with two ends, and before its end.
    n : float
        What the weights sum to.
    tol : float
        How much log-likelihood may be missing.
    free : ConstrainedFit
        The unconstrained NPMLE.
    alone : _Alone
        The likelihood with a diagonal Hessian, for starting values.
    """

    m: int
    first: Integers
    past: Integers
    weights: Floats
    under: Floats
    over: Floats
    ends: "_RangeEnds"
    tops: Integers
    under_tops: Floats
    over_tops: Floats
    begun: Integers
    ended: Integers
    n: float
    tol: float
    free: ConstrainedFit
    alone: "_Alone"

    @classmethod
    def of(cls, runs: RangeRows, mass: Floats, tol: float) -> "ConstrainedFits | None":
        """Prepare ranges; None where a range has several pieces, or a table would be too large."""
        places = np.flatnonzero(mass)
        if any(len(part.ends) + part.reach > 2 for part in runs.parts):
            return None
        if not 0 < len(places) <= _LARGEST or runs.n > MOST_PEOPLE:
            return None
        first, past, weights = _write_rows(runs)
        under, over, two = first == 0, past == runs.m, (first > 0) & (past < runs.m)
        ends = _RangeEnds.of(first, past, weights, runs.m)
        begun = np.concatenate([[0], ends.is_top.cumsum()])
        tops = np.flatnonzero(ends.is_top)
        upto = np.concatenate([[0.0], np.cumsum(mass[places])])
        upto /= upto[-1]
        every = upto.repeat(np.diff(places, prepend=-1, append=runs.m))
        low = _sum_upto(past[under], weights[under], runs.m)
        high = _sum_upto(first[over], weights[over], runs.m)
        fits = cls(
            m=runs.m,
            first=first[two],
            past=past[two],
            weights=weights[two],
            under=low,
            over=high,
            under_tops=low[tops],
            over_tops=high[tops],
            ends=ends,
            tops=tops,
            begun=begun.take(first[two]),
            ended=begun.take(past[two]),
            n=float(weights.sum()),
            tol=tol * runs.n,
            free=ConstrainedFit(places=places, upto=upto, fall=0.0, slope=0.0),
            alone=_Alone.of(every, first, past, weights),
        )
        table = fits._table(places)
        chance = fits.free.upto[table.high] - fits.free.upto[table.low]
        fall = -float(table.counts @ np.log(chance))
        return replace(fits, free=replace(fits.free, fall=fall))

    def fit_with_share(
        self, level: int, share: float, nearby_fit: ConstrainedFit, target: TargetFall | None = None
    ) -> ConstrainedFit | None:
        """Compute the NPMLE with a fixed share in the cells before a level.

        Parameters
        ----------
        level : int
            In 1 … m − 1.
        share : float
            Strictly between 0 and 1.
        nearby_fit : ConstrainedFit
            A fit to start from: near in its level and its share.
        target : TargetFall, optional
            The fall that the caller looks for; it sets the precision.

        Returns
        -------
        ConstrainedFit or None
            None where rounding leaves more log-likelihood missing than may be.
        """
        start = self.free.before(level)
        if nearby_fit is self.free:
            places, guesses = self._start_from_free(level, start, share, target)
        else:
            places, guesses = self._shift_levels(nearby_fit, level, share, np.array([level]))
        tolerance, new = self._allowed_gap(self.tol), places[:0]
        for _ in range(_ROUNDS):
            if len(places) > _LARGEST:
                return None
            table = self._table(places)
            likelihood = self._problem(level, places, table, start)
            solution = _maximise_from(
                likelihood, guesses, places.searchsorted(new), tolerance, target
            )
            if solution is None:
                return None
            iterate, prices = solution
            slopes = self._slopes(level, places, table, prices)
            gap = slopes.missing(iterate.share, prices)
            max_missing = self.tol
            if target is not None and gap > max_missing:
                max_missing = target.missing(iterate.share, iterate.fall, prices.slope, self.tol)
            if gap <= max_missing:
                return ConstrainedFit(
                    places=places,
                    upto=iterate.upto,
                    fall=iterate.fall,
                    slope=prices.slope,
                    gap=gap,
                    levels=slopes.served(prices.sides, self.tol),
                )
            tolerance, new = self._allowed_gap(max_missing), slopes.tops(places, prices, self.tol)
            places, upto = _merge_places(places, iterate.upto, new)
            guesses = upto[None]
        return None

    def _allowed_gap(self, most: float) -> float:
        """The tolerance on the places with mass: no less than rounding leaves."""
        return max(most * _FINE, min(most / 3, self.n * _ROUNDED))

    def _problem(
        self, level: int, places: Integers, table: "_LevelTable", start: float
    ) -> ConstrainedLikelihood:
        return ConstrainedLikelihood(
            low=table.low,
            high=table.high,
            pair=table.pairs,
            counts=table.counts,
            size=len(places) + 1,
            before=int(np.searchsorted(places, level)),
            n=self.n,
            top=-self.free.fall,
            start=start,
        )

    def _start_from_free(
        self, level: int, start: float, share: float, target: TargetFall | None
    ) -> tuple[Integers, Floats]:
        """Compute starting values from the unconstrained NPMLE, by a diagonal Hessian.

        A share that is solved for begins nearer to its target. On the side that it moves away from
        the levels that were tied with it separate: that is isotonic regression.
        """
        places, up = self.free.places, share > start
        block = int(places.searchsorted(level))
        if up:
            some = slice(int(places[block - 1]) + 1 if block else 1, level)
        else:
            some = slice(level + 1, int(places[block]) + 1 if block < len(places) else self.m)
        parted = self.alone.parted(some)
        if target is not None and target.is_solved:
            share = self._guess_share(level, share, target.expected_fall, (some, parted))
        parted = parted.clip(min(start, share), max(start, share))
        turns = (parted[1:] > parted[:-1]).nonzero()[0] + (some.start + up)
        places, guesses = self._shift_levels(self.free, level, share, np.append(turns, level))
        inside = slice(*places.searchsorted([some.start, some.stop]).tolist())
        guesses[:, inside] = parted.take(places[inside] - some.start)
        guesses[:, places.searchsorted(level)] = share
        return places, guesses

    def _guess_share(
        self, level: int, share: float, about: float, parted: tuple[slice, Floats]
    ) -> float:
        """Guess the share at which the likelihood has fallen by so much, by a power law."""
        places, upto = self.free.places, self.free.upto
        start = float(upto[places.searchsorted(level)])
        if share > start:
            last = int(upto.searchsorted(share))
            pooled = slice(level, int(places[last - 1]) + 1)
            rest = 1 - start
        else:
            last = int(upto.searchsorted(share, "right"))
            pooled = slice(int(places[last - 1]) + 1, level + 1)
            rest = start
        fall = self.alone.fallen(share, start, pooled, parted)
        if not fall > 0:
            return share
        far = abs(share - start) * min(max((about / fall) ** _POWER, 1 / _FURTHER), _FURTHER)
        return start + copysign(min(far, _MOST * rest), share - start)

    def _shift_levels(
        self, nearby_fit: ConstrainedFit, level: int, share: float, cells: Integers
    ) -> tuple[Integers, Floats]:
        """Compute starting values from a nearby fit: merge levels, add cells at the fixed level.

        The second row keeps part of the masses, in case the first leaves a range chance 0.
        """
        was = nearby_fit.before(level)
        up = share > was
        places, upto = _merge_places(
            nearby_fit.places, nearby_fit.upto, self.ends.neighbouring_cells(cells, up=up)
        )
        before, shifted = int(places.searchsorted(level)), np.stack([upto, upto])
        if up:
            rest = (upto[before:] - was) * ((1 - share) / (1 - was))
            np.maximum(upto[before:], share, out=shifted[0, before:])
            np.maximum(upto[before:], share + _CARRIED_MASS * rest, out=shifted[1, before:])
        else:
            rest = (was - upto[: before + 1]) * (share / was)
            np.minimum(upto[: before + 1], share, out=shifted[0, : before + 1])
            np.minimum(
                upto[: before + 1], share - _CARRIED_MASS * rest, out=shifted[1, : before + 1]
            )
        shifted[:, before] = share
        return places, shifted

    def _table(self, places: Integers) -> "_LevelTable":
        """Add up the ranges by the levels of their two ends."""
        size = len(places) + 1
        edges = np.empty(size + 1, dtype=np.int64)
        edges[0], edges[1:-1], edges[-1] = -1, places, self.m
        rank = np.arange(size).repeat(edges[1:] - edges[:-1])
        edges[0] = 0
        pair = rank.take(self.first)
        pair *= size
        pair += rank.take(self.past)
        under, over = self.under[edges], self.over[edges]
        under, over = under[1:] - under[:-1], over[1:] - over[:-1]
        counts = added(pair, self.weights, size**2)
        counts[:size] += under
        counts[size - 1 :: size] += over
        pairs = (counts != 0).nonzero()[0]
        low = pairs // size
        return _LevelTable(
            low=low,
            high=pairs - low * size,
            counts=counts.take(pairs),
            pairs=pairs,
            edges=edges,
            rank=rank,
            pair=pair,
            under=under,
            over=over,
        )

    def _slopes(
        self, level: int, places: Integers, table: "_LevelTable", prices: Prices
    ) -> "_Slopes":
        """The derivative by the mass of each cell that may be a local maximum.

        All cells count between the two places with mass beside the fixed level.
        """
        before = int(np.searchsorted(places, level))
        lower_place, upper_place = int(places[before - 1]), int(places[before])
        spots = np.searchsorted(self.tops, places)
        first, past = int(spots[before - 1]), int(np.searchsorted(self.tops, upper_place, "right"))
        rate = table.scattered(prices.rate)
        far = self._far_slopes(table, rate)
        near = rate[:, before] - rate[before]
        near = self.ends.slopes((lower_place, upper_place), table.rank, near)
        near += prices.pull[before - 1]
        cells = [self.tops[:first], np.arange(lower_place, upper_place + 1), self.tops[past:]]
        return _Slopes(
            cells=np.concatenate(cells),
            slope=np.concatenate([far[:first], near, far[past:]]),
            cut=first + level - lower_place,
            neighbours=(first, first + upper_place - lower_place),
        )

    def _far_slopes(self, table: "_LevelTable", rate: Floats) -> Floats:
        """The derivative by the mass of each cell where some range begins and some range ends."""
        before, under, over = table.edges[:-1], -rate[0], rate[:, -1]
        below, above = table.under * under, table.over * over
        sums = (below + above).cumsum() - below - above - float(below.sum())
        rank = table.rank.take(self.tops)
        slope: Floats = self.under_tops - self.under[before].take(rank)
        slope *= under.take(rank)
        more = self.over_tops - self.over[before].take(rank)
        more *= over.take(rank)
        slope += more
        slope += sums.take(rank)
        ratio = self.weights * rate.take(table.pair)
        gain = added(self.begun, ratio, len(slope) + 1)
        gain -= added(self.ended, ratio, len(slope) + 1)
        slope += gain.cumsum()[:-1]
        return slope


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Alone:
    """The likelihood near its maximum, with a diagonal Hessian.

    Attributes
    ----------
    upto : array, shape (m + 1,)
        The most likely levels.
    target, weight : array, shape (m + 1,)
        The Newton step's end of each level, and minus its second derivative.
    sums : array, shape (3, m + 2)
        Of the weights before each level; times the targets; times F (F − 2 target).
    """

    upto: Floats
    target: Floats
    weight: Floats
    sums: Floats

    @classmethod
    def of(cls, upto: Floats, first: Integers, past: Integers, weights: Floats) -> "_Alone":
        """Take the derivatives by each level."""
        inverse = 1 / (upto.take(past) - upto.take(first))
        ratio = weights * inverse
        slope = added(past, ratio, len(upto)) - added(first, ratio, len(upto))
        ratio *= inverse
        weight = added(past, ratio, len(upto)) + added(first, ratio, len(upto))
        target = upto + slope / np.maximum(weight, _LEAST_WEIGHT)
        sums = np.zeros((3, len(upto) + 1))
        np.cumsum(weight, out=sums[0, 1:])
        np.cumsum(weight * target, out=sums[1, 1:])
        np.cumsum(weight * upto * (upto - 2 * target), out=sums[2, 1:])
        return cls(upto=upto, target=target, weight=weight, sums=sums)

    def parted(self, some: slice) -> Floats:
        """Maximise over some levels, monotone, the others left aside."""
        from scipy.optimize import isotonic_regression

        if some.start == some.stop:
            return self.target[some]
        return isotonic_regression(self.target[some], weights=self.weight[some]).x

    def fallen(
        self, share: float, start: float, pooled: slice, parted: tuple[slice, Floats]
    ) -> float:
        """The fall of the likelihood if some levels move to a share, and others leave it."""
        some, wanted = parted
        near = wanted.clip(min(start, share), max(start, share))
        change = (near - start) * (near + start - 2 * self.target[some])
        weight, targets, before = self.sums[:, pooled.stop] - self.sums[:, pooled.start]
        pooled_change = share**2 * weight - 2 * share * targets - before
        return float(self.weight[some] @ change + pooled_change) / 2


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _LevelTable:
    """The count of each pair of levels, and the levels of each range."""

    low: Integers
    high: Integers
    pairs: Integers
    counts: Floats
    edges: Integers
    rank: Integers
    pair: Integers
    under: Floats
    over: Floats

    def scattered(self, rate: Floats) -> Floats:
        """Write the rate of each pair of levels into a table, 0 where none was observed."""
        size = len(self.edges) - 1
        every = np.zeros(size * size)
        every[self.pairs] = rate
        return every.reshape(size, size)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _RangeEnds:
    """The inner ends of ranges, sorted.

    Attributes
    ----------
    level, other : array of int, shape (e,)
        Each end, and the other end of its range.
    minus : array, shape (e,)
        Minus the weight of its range.
    passed : array of int, shape (m,)
        How many ends lie at or before each cell.
    begins, ended : array of int
        Cells with which some range begins, and some range ends.
    is_top : array of bool, shape (m,)
        Whether a cell is of both kinds.
    """

    level: Integers
    other: Integers
    minus: Floats
    passed: Integers
    begins: Integers
    ended: Integers
    is_top: Booleans

    @classmethod
    def of(cls, first: Integers, past: Integers, weights: Floats, m: int) -> "_RangeEnds":
        begins, ends = np.zeros(m, dtype=np.bool_), np.zeros(m, dtype=np.bool_)
        begins[first] = ends[past - 1] = begins[0] = ends[-1] = True
        begun, ended = first > 0, past < m
        level = np.concatenate([past[ended], first[begun]])
        order = np.argsort(level.astype(np.uint16) if m <= _SHORT else level, kind="stable")
        return cls(
            level=level[order],
            other=np.concatenate([first[ended], past[begun]])[order],
            minus=-np.concatenate([weights[ended], weights[begun]])[order],
            passed=np.bincount(level, minlength=m).cumsum(),
            begins=np.flatnonzero(begins),
            ended=np.flatnonzero(ends),
            is_top=begins & ends,
        )

    def neighbouring_cells(self, levels: Integers, *, up: bool) -> Integers:
        """The cells next to each level that gain mass first if the share before it moves."""
        if up:
            cells: Integers = self.begins.take(self.begins.searchsorted(levels - 1, "right") - 1)
        else:
            cells = self.ended.take(self.ended.searchsorted(levels))
        cells.sort()
        new = np.ones(len(cells), dtype=np.bool_)
        np.greater(cells[1:], cells[:-1], out=new[1:])
        return cells[new]

    def slopes(self, places: tuple[int, int], rank: Integers, rate: Floats) -> Floats:
        """The derivative by the mass of each cell between two places, less that of the first."""
        lower, upper = places
        start, stop = int(self.passed[lower]), int(self.passed[upper])
        run = np.zeros(stop - start + 1)
        value = rate.take(rank.take(self.other[start:stop]))
        np.cumsum(self.minus[start:stop] * value, out=run[1:])
        return run[self.passed[lower : upper + 1] - start]


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Slopes:
    """The slope of the log-likelihood by the mass of each of some cells.

    Attributes
    ----------
    cells : array of int, shape (c,)
    slope : array, shape (c,)
    cut : int
        The number of cells before the fixed level.
    neighbours : tuple of int
        The positions in ``cells`` of the two places with mass beside the fixed level.
    """

    cells: Integers
    slope: Floats
    cut: int
    neighbours: tuple[int, int]

    def missing(self, share: float, prices: Prices) -> float:
        """Bound the log-likelihood that is missing with this fixed share."""
        below, above = float(self.slope[: self.cut].max()), float(self.slope[self.cut :].max())
        more = max(below - prices.sides[0], 0.0), max(above - prices.sides[1], 0.0)
        return prices.gap + share * more[0] + (1 - share) * more[1]

    def tops(self, places: Integers, prices: Prices, tol: float) -> Integers:
        """Find the local maxima of the slope between places with mass, above the tolerance."""
        below = (self.slope[: self.cut] > prices.sides[0] + tol / 4).nonzero()[0]
        above = (self.slope[self.cut :] > prices.sides[1] + tol / 4).nonzero()[0]
        above += self.cut
        high = np.concatenate([below, above])
        if not len(high):
            return high
        between = places.searchsorted(self.cells.take(high))
        between[len(below) :] += 1  # the fixed level parts those between the same two places
        turns = (between[1:] != between[:-1]).nonzero()[0] + 1
        starts, slope = [0, *turns.tolist()], self.slope.take(high)
        ends = [*starts[1:], len(high)]
        tops = [
            start + int(slope[start:end].argmax()) for start, end in zip(starts, ends, strict=True)
        ]
        return self.cells[high[tops]]

    def served(self, sides: tuple[float, float], tol: float) -> tuple[int, int]:
        """The first and last level for which the fit stays optimal: no cell would gain mass."""
        (first, last), cut = self.neighbours, self.cut
        below = np.flatnonzero(self.slope[first + 1 : cut] > sides[1] + tol / 4)
        above = np.flatnonzero(self.slope[cut:last] > sides[0] + tol / 4)
        least = first + 1 + (below[-1] + 1 if len(below) else 0)
        most = cut + above[0] if len(above) else last
        return int(self.cells[least]), int(self.cells[most])


def _maximise_from(
    likelihood: ConstrainedLikelihood,
    guesses: Floats,
    new: Integers,
    tolerance: float,
    target: TargetFall | None,
) -> tuple[Iterate, Prices] | None:
    """Maximise from the first guess that leaves every range some chance."""
    for upto in _starts(likelihood, guesses):
        begun = likelihood.evaluate(upto)
        if begun is not None:
            return likelihood.maximise(begun, tolerance, target, new)
    return None


def _starts(likelihood: ConstrainedLikelihood, guesses: Floats) -> Iterator[Floats]:
    """Yield starting values: the first guess, then with the second guess's masses where needed.

    Then the second, as it is.
    """
    first, second = guesses[0], guesses[-1]
    yield first
    some = first.take(likelihood.high) <= first.take(likelihood.low)
    begun, ended = (
        np.bincount(side[some], minlength=likelihood.size)
        for side in (likelihood.low, likelihood.high)
    )
    inside, levels = (begun - ended).cumsum()[:-1] > 0, first.copy()
    if second.sum() > first.sum():
        carried = np.maximum.accumulate(np.where(inside, second[1:], 0.0))
        np.maximum(first[1:], carried, out=levels[1:])
    else:
        carried = np.minimum.accumulate(np.where(inside, second[:-1], 1.0)[::-1])[::-1]
        np.minimum(first[:-1], carried, out=levels[:-1])
    yield levels
    yield second


def _merge_places(places: Integers, upto: Floats, more: Integers) -> tuple[Integers, Floats]:
    """Leave out the places without mass, and put others between."""
    with_mass = (upto[1:] > upto[:-1]).nonzero()[0]
    old, level = places.take(with_mass), upto.take(with_mass + 1)
    more = more[old.take(old.searchsorted(more), mode="clip") != more]
    new = np.concatenate([old, more])
    new.sort()
    level = np.concatenate([upto[:1], level])
    return new, np.concatenate([level.take(old.searchsorted(new)), upto[-1:]])


def _write_rows(runs: RangeRows) -> tuple[Integers, Integers, Floats]:
    """Write all ranges by their first cell and the one past their last."""
    first, past, weights = [runs.points], [runs.points + 1], [runs.counts]
    for part in runs.parts:
        rows = len(part.weights)
        is_one_sided = len(part.ends) == 1
        first.append(np.zeros(rows, np.int64) if is_one_sided and not part.reach else part.ends[0])
        past.append(np.full(rows, runs.m) if part.reach else part.ends[-1])
        weights.append(part.weights)
    return np.concatenate(first), np.concatenate(past), np.concatenate(weights)


def _sum_upto(levels: Integers, weights: Floats, m: int) -> Floats:
    """Add up the weights at each level and before."""
    return added(levels, weights, m + 1).cumsum()
