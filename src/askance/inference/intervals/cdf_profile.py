"""Profile-likelihood intervals of F at every end of a grid.

`ConstrainedShare` finds one end of an interval, by Newton's method on few places. Where each range
has one end, isotonic regression of what lies on either side of each share has the likelihood in
closed form, and all ends are found together.
"""

from dataclasses import dataclass, replace
from functools import cache
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
from askance.inference.intervals.outermost_share import exclude_beyond, least_deviate
from askance.inference.intervals.profile_likelihood import (
    ConstrainedShare,
    constrained_law,
    tolerance,
)
from askance.inference.ranges.distribution import Distribution
from askance.inference.ranges.npmle import npmle
from askance.inference.ranges.support import OrderedEnds, inner_ends, several_ends
from askance.typing import Booleans, Floats, Integers

_MOST_ENDS = 48  # of a grid: every end is asked for by itself
_MOST_CUTS = 1_000  # where each range has one end
_SHARP = 1e-9  # of a fall that is aimed at
_NOTHING = 1e-9  # a deviate whose logarithm is still taken
_CLOSE = 3e-4  # a deviate's logarithm, where it is critical
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
    cuts, several = OrderedEnds.of(ranges), several_ends(ranges)
    ends, max_ends = cuts.ends, _MOST_ENDS if several else _MOST_CUTS
    coarse = ranges.is_single_piece and 0 < len(ends) <= max_ends
    if not coarse or ranges.total > MOST_PEOPLE:
        return None
    if fit.gap > tolerance(ranges.total):
        fit = npmle(ranges, tol=tolerance(ranges.total))
    effects = np.ones(len(ends)) if effects is None else effects
    critical = critical_values(cuts, fit, ends, level, effects)
    lower, upper = np.zeros(len(ends)), np.ones(len(ends))
    converged, reached = np.zeros(len(ends), dtype=np.bool_), np.tile(critical, (2, 1))
    if not several:
        problems = _Problems.of(cuts, fit, critical, effects, constrained_law(cuts, fit, level))
        (lower, upper), converged, reached = problems.solve()

    @cache
    def profile(effect: float) -> ConstrainedShare:
        fewer = OrderedEnds.of(ranges.reweighed(ranges.weights / effect) if effect != 1 else ranges)
        return ConstrainedShare(ranges=fewer.ranges, fit=fit, cuts=fewer, level=level)

    for i in np.flatnonzero(~converged).tolist():
        share, point_and_critical = profile(float(effects[i])), (float(ends[i]), float(critical[i]))
        lower[i], reached[0, i] = share.end(*point_and_critical, up=False)
        upper[i], reached[1, i] = share.end(*point_and_critical, up=True)
    bounds = _widen_near_ends(cuts, lower, upper)
    return point_intervals(cuts, fit, ends, bounds, (critical, reached), level)


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
class _Problems:
    """Which shares move, k of them: up to which end, whether up, and by which deviate.

    Of a design effect the fall of so many people's likelihood is as many times too large.

    Attributes
    ----------
    end : array of int, shape (k,)
    up : array of bool, shape (k,)
    start, critical, effect : array, shape (k,)
        The most likely shares, how large a squared deviate may be, and design effects.
    law : ConstrainedLaw, optional
        Says anew how large at each fixed share.
    """

    regressions: "_ConstrainedRegressions"
    end: Integers
    up: Booleans
    start: Floats
    critical: Floats
    effect: Floats
    law: ConstrainedLaw | None

    @classmethod
    def of(
        cls,
        cuts: OrderedEnds,
        fit: Distribution,
        critical: Floats,
        effects: Floats,
        law: ConstrainedLaw | None,
    ) -> "_Problems":
        """Both ends at each of the c ends of ranges, the lower ones first."""
        upto = np.append(0.0, np.cumsum(fit.mass / fit.mass.sum()))
        upto = np.minimum(upto[np.searchsorted(fit.upper, cuts.ends, side="right")], 1.0)
        count = len(upto)
        return cls(
            regressions=_ConstrainedRegressions.of(cuts, upto),
            end=np.tile(np.arange(count), 2),
            up=np.arange(2 * count) >= count,
            start=np.tile(upto, 2),
            critical=np.tile(critical, 2),
            effect=np.tile(effects, 2),
            law=law,
        )

    def solve(self) -> tuple[Floats, Booleans, Floats]:
        """Shares, shape (2, c), whether both were found at an end, and the largest deviates."""
        moves = self.regressions.somebody_objects(self.end, self.up)
        share, converged, reached = self.up.astype(float), ~moves, self.critical.copy()
        if moves.any():
            moving = self.select(moves)
            with np.errstate(divide="ignore", invalid="ignore"):  # 0 or 1 by rounding: not found
                share[moves], converged[moves], reached[moves] = moving.find_critical_shares()
        both = np.logical_and(*np.split(converged, 2))
        return share.reshape(2, -1), both, reached.reshape(2, -1)

    @property
    def sign(self) -> Floats:
        """Which way shares move."""
        return np.where(self.up, 1.0, -1.0)

    def find_critical_shares(self) -> tuple[Floats, Booleans, Floats]:
        """Where deviates are critical, whether that was found, and these deviates."""
        goal, last = self.critical * self.effect / 2, None
        for _ in range(_ROUNDS):
            fall, slope, share, converged = self._fix_shares(goal)
            critical, excess = self._excess(share, fall, slope)
            if not converged.all() or (np.abs(excess) <= _CLOSE).all():
                break
            now = np.log(fall), excess
            goal = fall * np.exp(-excess / _chord_slope(last, now))
            last = now
        solved = converged & (np.abs(excess) <= _CLOSE)
        solved[solved] = self.select(solved).are_outermost(share[solved])
        return share, solved, critical

    def excess(self, share: Floats) -> Floats:
        """Logarithms of deviates over their critical values."""
        return self._excess(share, *self.regressions.fall_and_slope(self.end, share))[1]

    def _excess(self, share: Floats, fall: Floats, slope: Floats) -> tuple[Floats, Floats]:
        critical = self._largest_deviates(share)
        agree = np.where(self.up, share, 1 - share)
        columns = (fall / self.effect, slope * agree / self.effect, agree, agree)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        deviate = np.array([least_deviate(*row) for row in rows])
        return critical, np.log(np.maximum(deviate, _NOTHING) / critical)

    def are_outermost(self, share: Floats) -> Booleans:
        """Whether no share beyond these is in its interval, by bounds of deviates."""
        outermost, rest = np.zeros(len(share), dtype=np.bool_), np.arange(len(share))
        for _ in range(_ROUNDS):
            problems = self.select(rest)
            agree = problems.exclude_beyond(share)
            outermost[rest[agree >= 1]] = True
            rest, agree, up = rest[agree < 1], agree[agree < 1], problems.up[agree < 1]
            share = np.where(up, agree, 1 - agree)
            out = self.select(rest).excess(share) > _CLOSE
            rest, share = rest[out], share[out]
            if not len(rest):
                break
        return outermost

    def exclude_beyond(self, share: Floats) -> Floats:
        """How many agree where the next share beyond each may be in its interval; 1 if none is."""
        fall, slope = (
            side / self.effect for side in self.regressions.fall_and_slope(self.end, share)
        )
        shares = self.regressions.shares(self.end, share)
        start, agree = (np.where(self.up, upto, 1 - upto) for upto in (self.start, share))
        ties = self.law.count_ties(self.end, shares, self.effect) if self.law else None

        def most_critical(_: int, rest: Integers, far: Floats) -> Floats:
            if self.law is None or ties is None:
                return self.critical[rest]
            fixed, inner = np.where(self.up[rest], far, 1 - far), (shares[rest], ties[:, rest])
            return self.law.most_until(self.end[rest], *inner, fixed, self.effect[rest])

        return exclude_beyond(agree, fall, slope * agree, start, most_critical)

    def select(self, which: Integers | Booleans) -> "_Problems":
        """Some of these problems."""
        names = ("end", "up", "start", "critical", "effect")
        return replace(self, **{name: getattr(self, name)[which] for name in names})

    def _largest_deviates(self, share: Floats) -> Floats:
        if self.law is None:
            return self.critical
        shares = self.regressions.shares(self.end, share)
        return self.law.critical(self.end, shares, self.effect)

    def _fix_shares(self, goal: Floats) -> tuple[Floats, Floats, Floats, Booleans]:
        """Move shares until the likelihood has fallen to a goal, by Newton's method on its root.

        A step that leaves what is between a share that is too near and one too far goes half way.
        """
        near, far, rest = self.start.copy(), self.up.astype(float), np.arange(len(self.start))
        share, fall, slope = (near + far) / 2, np.ones_like(near), np.ones_like(near)
        for _ in range(_STEPS):
            fall[rest], slope[rest] = self.regressions.fall_and_slope(self.end[rest], share[rest])
            rest = rest[np.abs(fall[rest] - goal[rest]) > _SHARP * goal[rest]]
            if not len(rest):
                break
            beyond, current = fall[rest] > goal[rest], share[rest]
            far[rest] = np.where(beyond, current, far[rest])
            near[rest] = np.where(beyond, near[rest], current)
            root = np.sqrt(fall[rest])
            step = (np.sqrt(goal[rest]) - root) * 2 * root / slope[rest]
            newton = current + self.sign[rest] * step
            inside = (newton - near[rest]) * (newton - far[rest]) < 0
            share[rest] = np.where(inside, newton, (near[rest] + far[rest]) / 2)
        converged = np.ones(len(share), dtype=np.bool_)
        converged[rest] = False
        return fall, slope, share, converged


def _chord_slope(last: tuple[Floats, Floats] | None, now: tuple[Floats, Floats]) -> Floats:
    """By how much the logarithm of a deviate rises with that of the fall, by a chord."""
    if last is None:
        return np.ones_like(now[0])
    chord = (now[1] - last[1]) / (now[0] - last[0])
    return np.where(np.isfinite(chord), chord, 1.0).clip(_LEAST_STEEP, _MOST_STEEP)


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
    def of(cls, cuts: OrderedEnds, upto: Floats) -> "_ConstrainedRegressions":
        """Regress the shares before each end, and after it."""
        from scipy.optimize import isotonic_regression

        count, weights, up = len(cuts.ends), cuts.ranges.weights, cuts.first == 0
        under = np.bincount(cuts.past[up], weights[up], count + 2)[1:-1]
        over = np.bincount(cuts.first[~up], weights[~up], count + 2)[1:-1]
        people = under + over
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
        sums, totals = np.zeros((count, count + 1)), np.zeros((2, count + 1))
        np.cumsum(like, axis=1, out=sums[:, 1:])
        np.cumsum([under, over], axis=1, out=totals[:, 1:])
        top = float((xlogy(under, upto) + xlog1py(over, -upto)).sum())
        return cls(top=top, before=before, after=after, sums=sums, under=totals[0], over=totals[1])

    def somebody_objects(self, end: Integers, up: Booleans) -> Booleans:
        """Whether somebody's report is less likely the further a share up to an end moves."""
        told_more, told_less = self.over[-1] > self.over[end], self.under[end + 1] > 0
        return np.where(up, told_more, told_less)

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
