"""Profile-likelihood intervals of F at every end of a grid, all solved side by side.

`ConstrainedShare` finds one end at a time, by Newton's method on few places. On a line of some
dozen steps every share is asked for, and the problems are small and alike. Where each range has one
end, isotonic regression of what lies on either side solves them all. Otherwise some people more say
that they are up to a tick, or above it, which moves the share. Their number is sought at which the
likelihood has fallen as far as it may. All these problems are solved together, one step of Newton's
method for all of them at once: inside the shares that rise, with a price for each step that could
be negative. The crowd moves with each step, to where the next is foretold to have fallen so far.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from scipy.special import xlog1py, xlogy

from askance.channels.ranges import Ranges
from askance.inference.intervals.constrained_npmle import MOST_PEOPLE
from askance.inference.intervals.likelihood_ratio_law import (
    ConstrainedLaw,
    PointIntervals,
    critical_values,
    point_intervals,
)
from askance.inference.intervals.profile_likelihood import (
    ConstrainedShare,
    constrained_law,
    squared_deviate,
    tolerance,
)
from askance.inference.ranges.distribution import Distribution
from askance.inference.ranges.npmle import npmle
from askance.inference.ranges.support import OrderedEnds, inner_ends, several_ends
from askance.typing import Booleans, Floats, Integers

_MOST_ENDS = 48  # of a grid: every problem is solved in full
_MOST_CUTS = 1_000  # where each range has one end
_SHARP = 1e-9  # of a fall that is aimed at
_MISSING = 2e-5  # log-likelihood that may be missing to the top of a problem
_EVEN = 0.1  # of the start that is even over the line
_INSIDE = 0.95  # of the way to where shares would no longer rise
_SURE = 1 - 1e-12  # a share that rounding may make 1
_NOTHING = 1e-9  # a deviate whose logarithm is still taken
_CLOSE = 0.001  # deviates so near the critical value that a straight line does the rest
_SETTLED = 1e-3  # of a crowd, by which it may still move
_STEPS, _ROUNDS = 80, 12
_LEAST_STEEP, _MOST_STEEP = 0.8, 4.0  # of a deviate's logarithm by that of the fall


def grid_intervals(
    ranges: Ranges, fit: Distribution, level: float, effects: Floats | None = None
) -> PointIntervals | None:
    """The intervals of `cdf_intervals` at all ends of a coarse grid; None where it is too fine.

    A grid of cuts of which each person told one may have 1,000 ends.

    Parameters
    ----------
    ranges : Ranges
        With an end.
    fit : Distribution
        The most likely one, perhaps roughly.
    level : float
    effects : array, shape (c,), optional
        Design effects at the ends: the likelihood of as many people falls, n over this.
    """
    cuts = OrderedEnds.of(ranges)
    if fit.gap > tolerance(ranges.total):
        fit = npmle(ranges, tol=tolerance(ranges.total))
    ends, grid = cuts.ends, GridLikelihood.of(cuts, fit)
    if grid is None:
        return None
    effects = np.ones(len(ends)) if effects is None else effects
    critical = critical_values(cuts, fit, ends, level, effects)
    lower, upper, converged, reached = grid.ends(
        critical, effects, constrained_law(cuts, fit, level)
    )
    for end_index in np.flatnonzero(~converged).tolist():
        fewer = OrderedEnds.of(_scale_weights(ranges, 1 / float(effects[end_index])))
        profile = ConstrainedShare(ranges=fewer.ranges, fit=fit, cuts=fewer, level=level)
        point_and_critical = float(ends[end_index]), float(critical[end_index])
        lower[end_index], reached[0, end_index] = profile.end(*point_and_critical, up=False)
        upper[end_index], reached[1, end_index] = profile.end(*point_and_critical, up=True)
    bounds = _widen_near_ends(cuts, lower, upper)
    return point_intervals(cuts, fit, ends, bounds, (critical, reached), level)


def _scale_weights(ranges: Ranges, times: float) -> Ranges:
    if times == 1:
        return ranges
    pieces = np.diff(ranges.starts)
    return Ranges(ranges.lower, ranges.upper, ranges.weights * times, pieces=pieces)


def _widen_near_ends(cuts: OrderedEnds, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """Let the interval beyond the outermost ends but a few be as wide as there, if it has a width.

    As `cdf_intervals` does.
    """
    low, high = np.searchsorted(cuts.ends, inner_ends(cuts))
    places, moves = np.arange(len(lower)), lower < upper
    least = np.where(moves & (places > high), np.minimum(lower, lower[high]), lower)
    most = np.where(moves & (places < low), np.maximum(upper, upper[low]), upper)
    return least, most


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GridLikelihood:
    """The likelihood of ranges of one piece by the shares up to the c ends of a grid.

    Attributes
    ----------
    low, high : array of int, shape (r,)
        The levels of the two ends of each distinct range that says something: 0 is below all ends,
        c + 1 above all.
    counts : array, shape (r,)
        How many told it.
    signs : array, shape (r + c + 1, c)
        +1 at the upper end of each of these ranges, then of each step between levels; −1 at its
        lower end.
    upto : array, shape (c + 2,)
        The most likely shares up to the levels.
    top : float
        The log-likelihood of these.
    """

    low: Integers
    high: Integers
    counts: Floats
    signs: Floats
    upto: Floats
    top: float

    @classmethod
    def of(cls, cuts: OrderedEnds, fit: Distribution) -> "GridLikelihood | None":
        """Count equal ranges; None where a range has several pieces, or there are many ends."""
        ends, ranges = len(cuts.ends), cuts.ranges
        max_ends = _MOST_ENDS if several_ends(ranges) else _MOST_CUTS
        if not ranges.is_single_piece or not 0 < ends <= max_ends or ranges.total > MOST_PEOPLE:
            return None
        size = ends + 2
        counts = np.bincount(cuts.first * size + cuts.past, ranges.weights, size**2).astype(float)
        counts[ends + 1] = 0  # the whole line says nothing
        pairs = np.flatnonzero(counts)
        low, high, steps = pairs // size, pairs % size, np.arange(ends + 1)
        below, above = np.append(low, steps), np.append(high, steps + 1)
        levels = np.arange(1, ends + 1)
        upto = np.append(0.0, np.cumsum(fit.mass / fit.mass.sum()))
        interval_index = np.searchsorted(fit.upper, cuts.ends, side="right")
        upto = np.concatenate([[0.0], np.minimum(upto[interval_index], 1.0), [1.0]])
        return cls(
            low=low,
            high=high,
            counts=counts[pairs],
            signs=(above[:, None] == levels) * 1.0 - (below[:, None] == levels),
            upto=upto,
            top=float(counts[pairs] @ np.log(upto[high] - upto[low])),
        )

    @property
    def one_sided(self) -> bool:
        """Whether each range has one end."""
        return bool(((self.low == 0) | (self.high == len(self.upto) - 1)).all())

    def by_end(self) -> tuple[Floats, Floats]:
        """Of ranges with one end: how many told that they are up to each, and above it, (c,)."""
        count = len(self.upto) - 2
        up = self.low == 0
        under = np.bincount(self.high[up] - 1, self.counts[up], count)
        over = np.bincount(self.low[~up] - 1, self.counts[~up], count)
        return under.astype(float), over.astype(float)  # whole numbers of no range

    def ends(
        self, critical: Floats, effects: Floats, law: ConstrainedLaw | None = None
    ) -> tuple[Floats, Floats, Booleans, Floats]:
        """The least and the largest share up to each end, and where they were found.

        Parameters
        ----------
        critical : array, shape (c,)
            How large a squared deviate may be.
        effects : array, shape (c,)
            Design effects.
        law : ConstrainedLaw, optional
            Says so anew at each fixed share.

        Returns
        -------
        lower, upper : arrays, shape (c,)
        found : array of bool, shape (c,)
        critical : array, shape (2, c)
            How large deviates may be at these.
        """
        count = len(critical)
        levels, up = np.tile(np.arange(1, count + 1), 2), np.arange(2 * count) >= count
        moves = np.where(
            up, levels <= self.low.max(), levels >= self.high.min()
        )  # somebody objects
        share, converged, reached = up.astype(float), ~moves, np.tile(critical, 2)
        if moves.any():
            largest, effect = (np.tile(values, 2)[moves] for values in (critical, effects))
            problems = _Problems(
                level=levels[moves], up=up[moves], critical=largest, effect=effect, law=law
            )
            by = _constrain_by_regression if self.one_sided else _move_by_crowds
            with np.errstate(divide="ignore", invalid="ignore"):  # 0 or 1 by rounding: not found
                share[moves], converged[moves], largest = _find_critical_shares(
                    self.upto[problems.level], problems, by(self, problems)
                )
            reached[moves] = largest
        lower, upper = share.reshape(2, count)
        return lower, upper, converged.reshape(2, count).all(axis=0), reached.reshape(2, count)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Problems:
    """Which shares move, k of them: up to which level, whether up, and by which deviate.

    Of a design effect the fall of so many people's likelihood is as many times too large.
    """

    level: Integers
    up: Booleans
    critical: Floats
    effect: Floats
    law: ConstrainedLaw | None

    def largest(self, shares: Floats) -> Floats:
        """How large the deviate may be with these shares up to the ends, shape (k, c)."""
        if self.law is None:
            return self.critical
        return self.law.critical(self.level - 1, shares, self.effect)

    @property
    def sign(self) -> Floats:
        return np.where(self.up, 1.0, -1.0)

    def crowd_chance(self, shares: Floats) -> Floats:
        """How likely what the crowd says is."""
        share: Floats = np.take_along_axis(shares, self.level[:, None], axis=1)[:, 0]
        return np.where(self.up, share, 1 - share)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Iterates:
    """Where k problems stand.

    Attributes
    ----------
    shares : array, shape (k, c + 2)
        At every level; they rise.
    price : array, shape (k, c + 1)
        What each step between levels would gain if it could be negative.
    barrier : array, shape (k,)
        The product of a step and its price that is aimed at.
    crowd : array, shape (k,)
    goal : array, shape (k,)
        How far the likelihood is to fall.
    settled : array of bool, shape (k,)
    """

    shares: Floats
    price: Floats
    barrier: Floats
    crowd: Floats
    goal: Floats
    settled: Booleans


_Fallen = Callable[[Floats], tuple[Floats, Floats, Floats, Floats, Booleans]]
"""From how far the likelihood is to fall: how far it has, its slopes by the shares, these, how
large deviates may be there, and whether they were found; each of shape (k,)."""


def _find_critical_shares(
    start: Floats, problems: _Problems, fallen: _Fallen
) -> tuple[Floats, Booleans, Floats]:
    """Find the shares at which deviates are critical, where they were found, and these deviates."""
    goal, last = problems.critical * problems.effect / 2, None
    for _ in range(_ROUNDS):
        fall, slope, share, critical, converged = fallen(goal)
        agree = np.minimum(np.where(problems.up, share, 1 - share), _SURE)
        pull = agree * (1 - agree) * slope / problems.effect
        triples = zip((fall / problems.effect).tolist(), pull.tolist(), agree.tolist(), strict=True)
        deviate = np.array([squared_deviate(*triple) for triple in triples])
        excess = np.log(np.maximum(deviate, _NOTHING) / critical)
        if not converged.all() or (np.abs(excess) <= _CLOSE).all():
            break
        now = np.log(fall), excess
        goal = fall * np.exp(-excess / _chord_slope(last, now))
        last = now
    far, goal = np.abs(share - start), fall * np.exp(-excess)
    far = far * (goal / fall) ** (fall / (slope * far))
    return start + problems.sign * far, converged & (np.abs(excess) <= _CLOSE), critical


def _chord_slope(last: tuple[Floats, Floats] | None, now: tuple[Floats, Floats]) -> Floats:
    """By how much the logarithm of a deviate rises with that of the fall, by a chord."""
    if last is None:
        return np.ones_like(now[0])
    chord = (now[1] - last[1]) / (now[0] - last[0])
    return np.where(np.isfinite(chord), chord, 1.0).clip(_LEAST_STEEP, _MOST_STEEP)


def _constrain_by_regression(grid: GridLikelihood, problems: _Problems) -> _Fallen:
    """Hold all shares where each range has one end, by Newton's method on the root of the fall.

    A step that leaves what is between a share that is too near and one too far goes half way.
    """
    regressions, start = _ConstrainedRegressions.of(grid), grid.upto[problems.level]

    def fallen(goal: Floats) -> tuple[Floats, Floats, Floats, Floats, Booleans]:
        near, far, rest = start.copy(), problems.up.astype(float), np.arange(len(start))
        share, fall, slope = (near + far) / 2, np.ones_like(near), np.ones_like(near)
        for _ in range(_STEPS):
            fall[rest], slope[rest] = regressions.fall_and_slope(
                problems.level[rest] - 1, share[rest]
            )
            rest = rest[np.abs(fall[rest] - goal[rest]) > _SHARP * goal[rest]]
            if not len(rest):
                break
            beyond, current = fall[rest] > goal[rest], share[rest]
            far[rest] = np.where(beyond, current, far[rest])
            near[rest] = np.where(beyond, near[rest], current)
            root = np.sqrt(fall[rest])
            newton = (
                current
                + problems.sign[rest] * (np.sqrt(goal[rest]) - root) * 2 * root / slope[rest]
            )
            inside = (newton - near[rest]) * (newton - far[rest]) < 0
            share[rest] = np.where(inside, newton, (near[rest] + far[rest]) / 2)
        converged = np.ones(len(start), dtype=np.bool_)
        converged[rest] = False
        return (
            fall,
            slope,
            share,
            problems.largest(regressions.shares(problems.level - 1, share)),
            converged,
        )

    return fallen


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _ConstrainedRegressions:
    """What is most likely on either side of each end, if nothing is known there.

    With F(t) = θ the most likely shares before t are those of their own isotonic regression, at
    most θ, and those after t of theirs, at least θ (Banerjee & Wellner, 2001). So some shares
    beside t are θ, and the others stay.

    Attributes
    ----------
    top : float
    before, after : array, shape (c, c)
        Row t has the regression of the shares before t, and of those after it; ∞ elsewhere.
    sums : array, shape (c, c + 1)
        The log-likelihood of the first of these shares, in row t; t itself counts as none.
    under, over : array, shape (c + 1,)
        How many told that they are up to the first of the ends, and above them.
    """

    top: float
    before: Floats
    after: Floats
    sums: Floats
    under: Floats
    over: Floats

    @classmethod
    def of(cls, grid: GridLikelihood) -> "_ConstrainedRegressions":
        """Regress the shares before each end, and after it."""
        from scipy.optimize import isotonic_regression

        under, over = grid.by_end()
        count, people = len(under), under + over
        before, after = np.full((2, count, count), np.inf)
        for end in range(count):
            for some, row in ((slice(0, end), before), (slice(end + 1, count), after)):
                if some.start < some.stop:
                    share = under[some] / people[some]
                    row[end, some] = isotonic_regression(share, weights=people[some]).x
        shares = np.minimum(before, after)
        np.fill_diagonal(shares, 0.5)
        like = xlogy(under, shares) + xlog1py(over, -shares)
        np.fill_diagonal(like, 0.0)
        sums, upto = np.zeros((count, count + 1)), np.zeros((2, count + 1))
        np.cumsum(like, axis=1, out=sums[:, 1:])
        np.cumsum([under, over], axis=1, out=upto[:, 1:])
        return cls(top=grid.top, before=before, after=after, sums=sums, under=upto[0], over=upto[1])

    def shares(self, end: Integers, share: Floats) -> Floats:
        """All shares with these fixed, shape (k, c)."""
        constrained_share = share[:, None]
        before, after = self.before[end], self.after[end]
        later = np.where(after < np.inf, np.maximum(after, constrained_share), constrained_share)
        return np.where(before < np.inf, np.minimum(before, constrained_share), later)

    def fall_and_slope(self, end: Integers, share: Floats) -> tuple[Floats, Floats]:
        """How far the likelihood falls with these shares fixed, and its slopes, as sizes."""
        first = (self.before[end] < share[:, None]).sum(axis=1)
        past = end + 1 + (self.after[end] <= share[:, None]).sum(axis=1)
        stays = self.sums[end, first] + self.sums[end, -1] - self.sums[end, past]
        under, over = self.under[past] - self.under[first], self.over[past] - self.over[first]
        fall = self.top - stays - xlogy(under, share) - xlog1py(over, -share)
        slope = under / share - over / (1 - share)
        return np.maximum(fall, _NOTHING), np.maximum(np.abs(slope), _NOTHING)


def _move_by_crowds(grid: GridLikelihood, problems: _Problems) -> _Fallen:
    """Move all shares by crowds; each goal is approached from the one before."""
    iterates = _initial_iterates(grid, problems)

    def fallen(goal: Floats) -> tuple[Floats, Floats, Floats, Floats, Booleans]:
        nonlocal iterates
        iterates = _maximise(grid, problems, replace(iterates, goal=goal))
        chance = iterates.shares[:, grid.high] - iterates.shares[:, grid.low]
        fall = np.maximum(grid.top - np.log(chance) @ grid.counts, _NOTHING)
        agree = np.minimum(problems.crowd_chance(iterates.shares), _SURE)
        share = np.where(problems.up, agree, 1 - agree)
        return (
            fall,
            iterates.crowd / agree,
            share,
            problems.largest(iterates.shares[:, 1:-1]),
            iterates.settled,
        )

    return fallen


def _initial_iterates(grid: GridLikelihood, problems: _Problems) -> _Iterates:
    """Begin between the most likely shares and even ones, without a crowd."""
    even = np.linspace(0, 1, len(grid.upto))
    shares = np.tile((1 - _EVEN) * grid.upto + _EVEN * even, (len(problems.level), 1))
    nobody = np.zeros(len(problems.level))
    return _Iterates(
        shares=shares,
        price=1 / np.diff(shares),
        barrier=nobody + 1,
        crowd=nobody,
        goal=nobody,
        settled=np.zeros(len(problems.level), dtype=np.bool_),
    )


def _maximise(grid: GridLikelihood, problems: _Problems, iterates: _Iterates) -> _Iterates:
    """Maximise until all have settled where the likelihood has fallen to the goal."""
    iterates = replace(iterates, settled=np.zeros(len(problems.level), dtype=np.bool_))
    for _ in range(_STEPS):
        iterates = _take_step(grid, problems, iterates)
        if iterates.settled.all():
            break
    return iterates


def _take_step(grid: GridLikelihood, problems: _Problems, iterates: _Iterates) -> _Iterates:
    """Take one step of Newton's method, as far as shares still rise and prices are positive."""
    rise = np.diff(iterates.shares)
    away, by_crowd, fallen = _solve_directions(grid, problems, iterates, rise)
    more = _grow_crowd(iterates, fallen)
    move = away + more[:, None] * by_crowd
    rising = np.diff(move, prepend=0.0, append=0.0)
    barrier = iterates.barrier[:, None]
    dearer = (barrier - iterates.price * rising) / rise - iterates.price
    far, along = _step_length(-rising / rise), _step_length(-dearer / iterates.price)
    shares = iterates.shares.copy()
    shares[:, 1:-1] += far[:, None] * move
    crowd, least = iterates.crowd + far * more, _MISSING / rise.shape[1]
    shortest = np.minimum(far, along)
    return replace(
        iterates,
        shares=shares,
        price=iterates.price + along[:, None] * dearer,
        barrier=np.maximum(
            iterates.barrier * np.select([shortest > 0.9, shortest > 0.5], [0.1, 0.3], 1), least
        ),
        crowd=crowd,
        settled=(iterates.barrier <= least) & (shortest >= 1) & (np.abs(more) <= _SETTLED * crowd),
    )


def _step_length(nearer: Floats) -> Floats:
    """How far to go, by the largest part of the way to 0 that a whole step would take."""
    length: Floats = np.minimum(1.0, _INSIDE / np.maximum(nearer.max(axis=1), _NOTHING))
    return length


def _solve_directions(
    grid: GridLikelihood, problems: _Problems, iterates: _Iterates, rise: Floats
) -> tuple[Floats, Floats, tuple[Floats, Floats, Floats]]:
    """Solve for the step with the crowd as it is, and for what one person more in it adds.

    Gives too what the likelihood is foretold to be above the goal after the step, and how that
    falls and bends by the size of the crowd.
    """
    people, rows = len(grid.counts), np.arange(len(problems.level))
    chance = iterates.shares[:, grid.high] - iterates.shares[:, grid.low]
    pull = grid.counts / chance
    slope = pull @ grid.signs[:people]
    crowd_slope, constrained_end = (
        problems.sign / problems.crowd_chance(iterates.shares),
        problems.level - 1,
    )
    rest = slope + (iterates.barrier[:, None] / rise) @ grid.signs[people:]
    rest[rows, constrained_end] += iterates.crowd * crowd_slope
    bend = _curvature(grid, pull / chance, iterates.price / rise)
    bend[rows, constrained_end, constrained_end] += iterates.crowd * crowd_slope**2
    sides = np.zeros((*rest.shape, 2))
    sides[..., 0] = rest
    sides[rows, constrained_end, 1] = crowd_slope
    away, by_crowd = np.moveaxis(np.linalg.solve(bend, sides), 2, 0)
    above = np.log(chance) @ grid.counts - grid.top + iterates.goal
    foretold = above + (slope * away).sum(axis=1) - (rest * away).sum(axis=1) / 2
    falls = ((rest - slope) * by_crowd).sum(axis=1)
    return away, by_crowd, (foretold, falls, crowd_slope * by_crowd[rows, constrained_end])


def _curvature(grid: GridLikelihood, ranges: Floats, steps: Floats) -> Floats:
    """Add up the curvatures of ranges and of steps by the shares up to the ends, (k, c, c)."""
    ends = steps.shape[1] - 1
    two_sided = (grid.low > 0) & (grid.high <= ends)
    low, high, last = grid.low[two_sided] - 1, grid.high[two_sided] - 1, np.arange(ends)
    bend = np.zeros((len(steps), ends, ends))
    bend[:, low, high] = -ranges[:, two_sided]
    bend[:, last[:-1], last[1:]] -= steps[:, 1:-1]
    bend += bend.transpose(0, 2, 1)
    bend[:, last, last] = np.concatenate([ranges, steps], axis=1) @ np.abs(grid.signs)
    return bend


def _grow_crowd(iterates: _Iterates, fallen: tuple[Floats, Floats, Floats]) -> Floats:
    """Say by how many the crowd grows, so that the likelihood falls to the goal.

    Foretold by a parabola; the crowd shrinks by 70 % at most, and grows to three times itself, or
    to the size that would do alone.
    """
    foretold, falls, bends = fallen
    root = np.sqrt(np.maximum(falls**2 + 2 * bends * foretold, 0.0))
    alone = np.maximum(iterates.crowd, np.sqrt(iterates.goal / np.maximum(bends, 1e-300)))
    return np.clip((root - falls) / bends, -0.7 * iterates.crowd, 2 * alone)
