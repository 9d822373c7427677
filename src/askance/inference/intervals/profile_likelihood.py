"""How far the likelihood falls when the share up to a point is fixed elsewhere, for any ranges.

Adding b imagined people who say only that they are above t moves the most likely F(t) down to some
θ. What they add to the log-likelihood, b log(1 − θ), depends on θ alone, so the new fit is the most
likely one of all with F(t) = θ, and every θ below the estimate belongs to one b. The same holds
upwards for people up to t. So the program that fits F gives the whole profile likelihood, and the
crowd it takes is its slope. Each fit begins where the one before ended, on the few places that had
mass there. Where some numbers are heard of more often than others, the crowd is drawn from all.

Likelihood falls all the way from the estimate, but the deviate that is read off it may dip, mostly
where it begins to be that of the fall alone, nobody agreeing: it may be critical at several shares.
An interval reaches to the outermost of these. It is looked for there first and then from outside,
by crowds each a twelfth smaller, or more while the deviate is far too large; a dip between two of
them is not seen. They are always the same ones: an end and a decision depend on the point, the
share and the critical value, not on what was asked before.

Of ranges of one piece the share itself is fixed (`ConstrainedFits`), and moves while it is fitted:
one fit finds an end. No dip was seen in the profiles of some hundred points.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import final

import numpy as np
from scipy.special import betainc, ndtr, ndtri

from askance.channels.identification import InclusionProbability
from askance.channels.ranges import Ranges
from askance.inference.fit_result import Convergence
from askance.inference.intervals.constrained_npmle import (
    ConstrainedFit,
    ConstrainedFits,
    TargetFall,
)
from askance.inference.intervals.likelihood_ratio_law import ConstrainedLaw
from askance.inference.ranges.distribution import Distribution, information_at_ends
from askance.inference.ranges.inclusion import Steps, masses_at_prices, steps
from askance.inference.ranges.npmle import truncated
from askance.inference.ranges.npmle_solver import gain, grown, newton, one_fit, roughly
from askance.inference.ranges.support import (
    OrderedEnds,
    RangeRows,
    RowGroup,
    narrower,
    runs_over,
    several_ends,
    tops,
)
from askance.typing import Floats

_CLOSE = 1e-4  # logarithms of crowds, and of deviates, that are equal
_STRIDE = 0.3  # the first step outwards of a crowd's logarithm
_STEEP = 1.6  # by about so much the logarithm of a deviate rises with that of the crowd
_STEEPEST = 3.0  # by hardly ever more
_FINE = 0.08  # the shortest step inwards of a crowd's logarithm
_SAME_DEVIATE = 1e-9  # deviates that are one but for rounding
_SHARP = 1e-5  # a crowd's logarithm, where likelihood falls by what is asked
_FAINT = 1e-9  # what a side without mass begins with
_ROUNDS = 8  # of Newton's method on a support that grows
_LEAST, _MOST = -50.0, 14.0  # crowds, as logarithms of parts of the people
_SURE = 1 - 1e-12  # a share that rounding may make 1
_NOTHING = 1e-9  # a deviate whose logarithm is still taken
_PASSES = 8  # to where a deviate is what it may be there
_FLAT = 0.7  # a slope of what it may be by what it was taken to be
_SETTLED = 0.005  # of that, by which it may still move: a chord does the rest
_REMEMBERED = 8  # fits that may serve before other levels
_NO_SPAN = 1e-7  # what is left of a share before it is all or none

_CrowdEffect = Callable[[float], tuple[float, float]]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """Imagined people, and where they move a share.

    Attributes
    ----------
    size : float
        The logarithm of how many.
    share : float
    excess : float
        The logarithm of the share's squared deviate over the critical value: nearly straight in
        the size.
    fall : float
        Of the log-likelihood, from its top.
    critical : float
        How large the squared deviate may be there.
    """

    size: float
    share: float
    excess: float
    fall: float
    critical: float

    @property
    def rarest(self) -> float:
        """The fall at which the deviate would be critical if nobody agreed."""
        return -math.log(2 * float(ndtr(-math.sqrt(self.critical))))


def constrained_law(cuts: OrderedEnds, fit: Distribution, level: float) -> ConstrainedLaw | None:
    """Return the law of the likelihood ratio of a fixed share, for any F."""
    several = several_ends(cuts.ranges)
    return ConstrainedLaw.of(
        cuts,
        level,
        upto=fit.cdf_bounds(cuts.ends)[0],
        information=information_at_ends(cuts, fit) if several else None,
    )


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ConstrainedShare:
    """The profile likelihood of a share.

    Attributes
    ----------
    ranges : Ranges
    fit : Distribution
        The most likely one.
    inclusion : InclusionProbability, optional
        How likely each number was to be heard of.
    cuts : OrderedEnds, optional
        The ends of the ranges, if they are in order already.
    level : float, optional
        At which a law says how large each share's deviate may be; without it that is given.
    """

    ranges: Ranges
    fit: Distribution
    inclusion: InclusionProbability | None = None
    cuts: OrderedEnds | None = None
    level: float | None = None
    law: ConstrainedLaw | None = field(init=False)
    cells: "CellLikelihood | None" = field(init=False)
    fits: ConstrainedFits | None = field(init=False)
    last: list[ConstrainedFit] = field(default_factory=list, init=False)
    """The fits that were found last: they save work."""

    def __post_init__(self) -> None:
        cuts = self.cuts or OrderedEnds.of(self.ranges)
        plain = self.inclusion is None and self.ranges.entry is None
        cells = CellLikelihood.between(cuts, self.fit) if plain else None
        law = None if self.level is None else constrained_law(cuts, self.fit, self.level)
        object.__setattr__(self, "law", law)
        object.__setattr__(self, "cells", cells)
        fits = None if cells is None else ConstrainedFits.of(cells.runs, cells.mass, cells.tol)
        object.__setattr__(self, "fits", fits)

    def end(self, point: float, critical: float, *, up: bool) -> tuple[float, float]:
        """The outermost share whose deviate may be as large as it is, and the square of that."""
        solution = self._find_end(point, critical, up=up)
        if solution is not None:
            return solution
        end = float(up)
        for _, beyond in self._bracket_end(point, critical, up=up):
            end, critical = (beyond.share, beyond.critical) if beyond else (end, critical)
        return end, critical

    def allows(self, point: float, share: float, critical: float) -> bool:
        """Say whether this share is in the interval."""
        up = share > float(self.fit.cdf_bounds(point)[0])
        return self.excess(point, share, critical, up=up)[0] <= 0

    def excess(
        self, point: float, share: float, critical: float, *, up: bool
    ) -> tuple[float, ConstrainedFit | None]:
        """Say by how much this share is beyond the interval, in deviates of its end, by which fit.

        The further from 0, the less precise it is, so that what was asked before may show in later
        digits, not in the sign. Where only crowds tell, it is 1 or −1, as the end they find says,
        and mostly the first of them decide.

        Parameters
        ----------
        point, share, critical : float
        up : bool
            Whether the share is above the estimate.
        """
        fit = self._fit_constrained(point, share, critical, up=up)
        if fit is not None:
            deviate = self._deviate(share, fit.fall, fit.slope, up=up)
            level = 0 if self.cells is None else self.cells.level(point, up=up)
            critical = self._critical(level, fit, critical)
            return float(np.sqrt(deviate / critical)) - 1, fit
        return self._excess_by_crowds(point, share, critical, up=up), None

    def _excess_by_crowds(self, point: float, share: float, critical: float, *, up: bool) -> float:
        for within, beyond in self._bracket_end(point, critical, up=up):
            if within and (within.share >= share if up else within.share <= share):
                return -1.0
            if beyond and (beyond.share < share if up else beyond.share > share):
                return 1.0
        return -1.0

    def _fit_constrained(
        self, point: float, share: float, critical: float, *, up: bool
    ) -> ConstrainedFit | None:
        """Fit with a fixed share, from the last fit if that is nearer than the most likely one."""
        level = 0 if self.cells is None else self.cells.level(point, up=up)
        if self.fits is None or not 0 < level < self.fits.m or not 0 < share < 1:
            return None
        free, tol = self.fits.free, self.fits.tol
        if (free.before(level) >= share) if up else (free.before(level) <= share):
            return replace(free, slope=0.0, fall=0.0)
        target = TargetFall(
            goal=partial(self._critical_fall, critical, up),
            is_solved=False,
            expected_fall=critical / 2,
        )
        for fit in self.last:
            if fit.serves(level, share) and fit.gap <= target.missing(
                share, fit.fall, fit.slope, tol
            ):
                return fit
        near = min([free, *self.last[:1]], key=lambda fit: abs(fit.before(level) - share))
        solution = self.fits.fit_with_share(level, share, near, target)
        if solution is not None:
            self.last[:] = [solution, *self.last[: _REMEMBERED - 1]]
        return solution

    def _deviate(self, share: float, fall: float, slope: float, *, up: bool) -> float:
        if fall <= _NOTHING or not slope:
            return 0.0
        agree = min(share if up else 1 - share, _SURE)
        return squared_deviate(fall, share * (1 - share) * abs(slope), agree)

    def _critical_fall(
        self, critical: float, up: bool, share: float, fall: float, slope: float
    ) -> float:
        """Extrapolate the fall at which the deviate is critical, taking both as proportional."""
        deviate = self._deviate(share, fall, slope, up=up)
        if deviate < critical and (1 - share if up else share) < _NO_SPAN:
            return fall
        return fall * critical / deviate if deviate > _NOTHING else critical / 2

    def _find_end(self, point: float, critical: float, *, up: bool) -> tuple[float, float] | None:
        """Find where the deviate reaches the critical value; None where a share cannot be fixed.

        The first guess is always as far off as F errs, in arcs (of equal variance).
        """
        if self.fits is None or self.cells is None:
            return None
        level = self.cells.level(point, up=up)
        start = self.fits.free.before(level)
        sign, span = (1, 1 - start) if up else (-1, start)
        if span < _NO_SPAN:
            return float(up), critical
        arc = math.asin(min(start, 1.0) ** 0.5) + sign * self.fits.n ** (-1 / 3)
        far = abs(math.sin(min(max(arc, 0.0), math.pi / 2)) ** 2 - start)
        share = start + sign * min(far, 0.9 * span)
        if self.law is not None:
            critical = self.law.nearly(level - 1, share)
        settled = self._settle_critical(level, share, critical, up=up)
        if settled is None:
            return None
        fit, critical = settled
        share = fit.before(level)
        if (1 - share if up else share) < _NO_SPAN:
            return float(up), critical
        far, goal = (
            abs(share - start),
            self._critical_fall(critical, up, share, fit.fall, fit.slope),
        )
        far *= float((goal / fit.fall) ** (fit.fall / (abs(fit.slope) * far)))
        return start + sign * far, critical

    def _settle_critical(
        self, level: int, share: float, critical: float, *, up: bool
    ) -> tuple[ConstrainedFit, float] | None:
        """Move a share to where its deviate is what it may be there; None if it cannot be fixed."""
        assert self.fits is not None
        fit, last = self.fits.free, None
        for _ in range(_PASSES):
            target = TargetFall(
                goal=partial(self._critical_fall, critical, up),
                is_solved=True,
                expected_fall=critical / 2,
            )
            solution = self.fits.fit_with_share(level, share, fit, target)
            if solution is None:
                return None
            fit, share = solution, solution.before(level)
            allowed = self._critical(level, fit, critical)
            close = abs(allowed - critical) <= _SETTLED * critical
            last, critical = (critical, allowed), _extrapolate_critical(last, (critical, allowed))
            if close:
                break
        return fit, critical

    def _critical(self, level: int, fit: ConstrainedFit, critical: float) -> float:
        """How large the deviate may be by the shares of this fit, where a law says so."""
        if self.law is None or self.fits is None:
            return critical
        upto = fit.upto.take(fit.places.searchsorted(np.arange(1, self.fits.m)))
        return float(self.law.critical(np.array([level - 1]), upto[None], np.ones(1))[0])

    def _bracket_end(
        self, point: float, critical: float, *, up: bool
    ) -> Iterator[tuple[Crowd | None, Crowd | None]]:
        """Close in on the outermost crowd that reaches the critical value, from both sides.

        The first of a pair moves the share to where it is allowed; of the second's and those beyond
        none is.
        """
        if not can_join(side_of(point, up=up), self.inclusion, self.ranges):
            share = float(self.fit.cdf_bounds(point)[0])
            yield None, Crowd(size=-np.inf, share=share, excess=0.0, fall=0.0, critical=critical)
            return
        ask, people = self._crowd_effect(point, up=up), float(np.log(self.ranges.total))
        limit = self._critical_function(point, critical, up=up)

        def crowd(size: float) -> Crowd:
            share, fall = ask(float(np.exp(size)))
            return _make_crowd(share, fall, size, limit(share), up=up)

        start = min(float(np.log(critical)) + people / 3, people)
        within = beyond = None
        for beyond in _search_outwards(crowd, start, people + _MOST, up=up):
            if beyond.excess <= 0:
                within = beyond
                yield within, None
        if beyond is None or beyond is within:
            return
        if beyond.fall >= beyond.rarest and _nobody_agrees(beyond):
            beyond = _find_fall(crowd, beyond, beyond.rarest)
            if _nobody_agrees(beyond):
                yield None, beyond
                return
        yield from _search_back(crowd, within, beyond, people + _LEAST)

    def _critical_function(
        self, point: float, critical: float, *, up: bool
    ) -> Callable[[float], float]:
        """The critical value of a share's deviate by its neighbours, where only crowds move it."""
        if self.law is None:
            return lambda _: critical
        law, ends = self.law, self.law.ends
        end_index = int(np.searchsorted(ends, point, side="left" if up else "right")) - (not up)
        return lambda share: law.nearly(min(max(end_index, 0), len(ends) - 1), share)

    def _crowd_effect(self, point: float, *, up: bool) -> _CrowdEffect:
        """What a crowd of some size makes of the share, and by how much likelihood falls."""
        if self.cells is not None:
            return self.cells.crowd_effect(point, up=up)
        best = log_likelihood(self.fit, self.ranges, self.inclusion)
        return partial(self._join_crowd, point, best, up)

    def _join_crowd(
        self, point: float, best: float, up: bool, people: float
    ) -> tuple[float, float]:
        side = side_of(point, up=up)
        fit = fit_with_crowd(self.ranges, side, people, self.inclusion, near=self.fit)
        fall = best - log_likelihood(fit, self.ranges, self.inclusion)
        return float(fit.cdf_bounds(point)[int(up)]), fall


def _extrapolate_critical(last: tuple[float, float] | None, now: tuple[float, float]) -> float:
    """Foretell where what a deviate may be is what it was taken to be, by a chord of the two."""
    assumed, allowed = now
    if last is None or last[0] == assumed:
        return allowed
    slope = (allowed - last[1]) / (assumed - last[0])
    return allowed if abs(slope) > _FLAT else assumed + (allowed - assumed) / (1 - slope)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CellLikelihood:
    """The likelihood over all cells between neighbouring ends, and the most likely masses there.

    Attributes
    ----------
    edges : array, shape (m + 1,)
    runs : RangeRows
    mass : array, shape (m,)
    tol : float
        The gap that leaves hardly any log-likelihood missing.
    """

    edges: Floats
    runs: RangeRows
    mass: Floats
    tol: float

    @classmethod
    def of(cls, ranges: Ranges, fit: Distribution) -> "CellLikelihood":
        """Write the ranges over the cells, and the fit at the last cell of each interval."""
        return cls.between(OrderedEnds.of(ranges), fit)

    @classmethod
    def between(cls, cuts: OrderedEnds, fit: Distribution) -> "CellLikelihood":
        """Write the ranges over the cells between ends that are in order."""
        edges = np.concatenate([[-np.inf], cuts.ends, [np.inf]])
        mass = np.zeros(len(edges) - 1)
        mass[np.searchsorted(edges, fit.upper) - 1] = fit.mass / fit.mass.sum()
        runs = runs_over(cuts.ranges, cuts.first, cuts.past, len(mass))
        return cls(edges=edges, runs=runs, mass=mass, tol=tolerance(cuts.ranges.total))

    def level(self, point: float, *, up: bool) -> int:
        """Count the cells up to a point: all of that between two ends if it is to go up."""
        return int(np.searchsorted(self.edges, point, side="left" if up else "right")) - 1 + up

    def crowd_effect(self, point: float, *, up: bool) -> _CrowdEffect:
        """What a crowd up to a point, or above it, makes of F there, and the fall that costs.

        Between two neighbouring ends the crowd has the whole cell on its side.
        """
        level = self.level(point, up=up)
        mass, before = self.mass, self.runs.chances(self.mass)

        def ask(people: float) -> tuple[float, float]:
            nonlocal mass
            mass = self.fit_crowd(mass, level, people, up=up)
            fall = -gain(self.runs, self.runs.chances(mass), before)
            return float(mass[:level].sum() / mass.sum()), fall

        return ask

    def fit_crowd(self, mass: Floats, level: int, people: float, *, up: bool) -> Floats:
        """Fit with a crowd, from masses that are nearly right."""
        crowd = RowGroup(ends=(np.array([level]),), reach=not up, weights=np.array([people]))
        runs = replace(self.runs, parts=(*self.runs.parts, crowd), n=self.runs.n + people)
        side = mass[:level] if up else mass[level:]
        if side.sum() < _FAINT:
            mass = mass * (1 - _FAINT)
            mass[level - up] += _FAINT
        for _ in range(_ROUNDS):
            slope = runs.pull(runs.chances(mass))
            if slope.max() <= runs.n * (1 + self.tol):
                return mass
            with_mass = np.flatnonzero(mass)
            support = np.union1d(with_mass, tops(slope, with_mass, runs.n))
            shares = newton(runs.onto(support), mass[support], self.tol / 2)
            mass = np.zeros(runs.m)
            mass[support] = shares
        return grown(runs, mass, self.tol)[0]


def _make_crowd(share: float, fall: float, size: float, critical: float, *, up: bool) -> Crowd:
    agree = min(share if up else 1 - share, _SURE)
    deviate = squared_deviate(max(fall, 0.0), float(np.exp(size)) * (1 - agree), agree)
    excess = float(np.log(max(deviate, _NOTHING) / critical))
    return Crowd(size=size, share=share, excess=excess, fall=fall, critical=critical)


def _search_outwards(
    crowd: Callable[[float], Crowd], size: float, max_size: float, *, up: bool
) -> Iterator[Crowd]:
    """Go on until all shares beyond are too far: the deviate is least if nobody agrees."""
    current, stride = crowd(size), _STRIDE
    yield current
    while current.fall < current.rarest and size < max_size:
        if (1 - current.share if up else current.share) < _NO_SPAN:
            return
        rest = math.log(current.rarest / max(current.fall, _NOTHING)) / _STEEP
        size = min(size + max(rest, stride), max_size)
        current, stride = crowd(size), 2 * stride
        yield current


def _nobody_agrees(crowd: Crowd) -> bool:
    """Say whether the deviate is as if nobody agreed."""
    alone = math.log(float(ndtri(math.exp(-crowd.fall) / 2)) ** 2 / crowd.critical)
    return abs(crowd.excess - alone) < _SAME_DEVIATE


def _find_fall(crowd: Callable[[float], Crowd], beyond: Crowd, rarest: float) -> Crowd:
    """Find the crowd at which likelihood falls so far, from one at which it falls further."""
    from scipy.optimize import brentq

    def over(size: float) -> float:
        fall = beyond.fall if size == beyond.size else crowd(size).fall
        return math.log(max(fall, _NOTHING) / rarest)

    low, stride = beyond.size - _STRIDE, _STRIDE
    while over(low) > 0:
        stride *= 2
        low -= stride
    return crowd(float(brentq(over, low, beyond.size, xtol=_SHARP)))


def _search_back(
    crowd: Callable[[float], Crowd], within: Crowd | None, beyond: Crowd, least_size: float
) -> Iterator[tuple[Crowd | None, Crowd]]:
    """Come from a share beyond all that are allowed to the first that is."""
    yield within, beyond
    for inner in _search_inwards(crowd, beyond, within.size if within else least_size):
        within, beyond = (inner, beyond) if inner.excess <= 0 else (within, inner)
        yield within, beyond
    if within:
        yield from _search_between(crowd, within, beyond)


def _search_inwards(
    crowd: Callable[[float], Crowd], beyond: Crowd, least_size: float
) -> Iterator[Crowd]:
    """Go back to the first share that is allowed, by steps that the deviate's own fall outlasts.

    Where the share stays, steps grow.
    """
    stride = _FINE
    while beyond.excess > 0:
        size = beyond.size - max(stride, beyond.excess / _STEEPEST)
        if size <= least_size:
            return
        inner = crowd(size)
        stride = 2 * stride if abs(inner.share - beyond.share) < _NO_SPAN else _FINE
        yield inner
        beyond = inner


def _search_between(
    crowd: Callable[[float], Crowd], within: Crowd, beyond: Crowd
) -> Iterator[tuple[Crowd, Crowd]]:
    """Close in on where the deviate is critical between two crowds."""
    current, last = beyond, within
    while beyond.size - within.size >= _CLOSE:
        current, last = crowd(_next_size(current, last, within, beyond)), current
        if abs(current.excess) <= _CLOSE:
            yield within, _interpolate_end(current, last, (within, beyond))
            return
        within, beyond = (current, beyond) if current.excess < 0 else (within, current)
        yield within, beyond


def _interpolate_end(crowd: Crowd, last: Crowd, bracket: tuple[Crowd, Crowd]) -> Crowd:
    """Go the rest of the way to the critical value by the straight line through two crowds."""
    rest = crowd.excess / (crowd.excess - last.excess) if crowd.excess != last.excess else 0.0
    least, most = sorted(side.share for side in bracket)
    share = min(max(crowd.share - rest * (crowd.share - last.share), least), most)
    return replace(crowd, share=share, excess=0.0)


def side_of(point: float, *, up: bool) -> tuple[float, float]:
    """The range that a crowd reports to move the share up, or down."""
    return (-np.inf, point) if up else (point, np.inf)


def _next_size(crowd: Crowd, last: Crowd, within: Crowd, beyond: Crowd) -> float:
    """Go by the straight line through the last two crowds, but never out of what is known."""
    steep = (crowd.excess - last.excess) / (crowd.size - last.size)
    size = crowd.size - crowd.excess / float(np.clip(steep, 0.7, _STEEPEST))
    if within.size < size < beyond.size:
        return size
    part = within.excess / (within.excess - beyond.excess)
    return within.size + float(np.clip(part, 0.05, 0.95)) * (beyond.size - within.size)


_LEAST_PART = 1e-300  # a chance whose deviate is a number still
_CLOSE_SHARE = 1e-10  # of that part
_PART_STEPS = 100
_SHRINKS = 10
_NEAR_ENDS = 1e-9  # the estimate and θ are one


def squared_deviate(fall: float, pull: float, share: float) -> float:
    r"""The square of the normal deviate that is as rare as what was told.

    Twice the fall of the log-likelihood has a known law where many tell of a share, not where few
    do. So it is read as what m people told plainly, each whether the number is up to the point: for
    one part p of them that says so, and one m, the fall from p to the share θ and the slope there
    are the same. (One cut a person, on a coarse grid: they are those who were asked there.) How
    rare at most pm of m are, pm itself counted half (Lancaster, 1961), tells the normal deviate.

    Parameters
    ----------
    fall : float
        Of the log-likelihood, from its top to θ; 0 is no deviate.
    pull : float
        m(θ − p) = −θ(1 − θ) dl/dθ, positive.
    share : float
        θ, above the estimate.

    >>> squared_deviate(10 * math.log(2), 5, 0.5)  # none of ten is up to the median: chance 1/2048
    10.8...
    >>> round(squared_deviate(2, 1000, 0.5), 3)  # two standard errors, of a million people
    4.0
    """
    if fall <= 0:
        return 0.0
    part = _solve_part(fall / pull, share)
    if part == 0:
        rare = math.exp(-fall) / 2
    else:
        people = pull / (share - part)
        agreeing = people * part
        upto = betainc(people - agreeing, agreeing + 1, 1 - share)
        rare = float(upto + betainc(people - agreeing + 1, agreeing, 1 - share)) / 2
    return float(ndtri(min(max(rare, _LEAST_PART), 0.5)) ** 2)


def _solve_part(ratio: float, share: float) -> float:
    """Solve KL(p ‖ θ) = ratio (θ − p) for p in [0, θ), by Newton's method: the left is convex.

    Where the ratio is too large for any, p is 0.
    """
    if -math.log1p(-share) <= ratio * share:
        return 0.0
    nearest, odds = share * (1 - _NEAR_ENDS), share * math.exp(-2 * ratio)
    part = max(odds / (1 - share + odds), _LEAST_PART)  # before where the left is least
    for _ in range(_PART_STEPS):
        off = part - share
        lower = math.log1p(-off / (1 - share))
        upper = math.log1p(off / share) if -off < part else math.log(part / share)
        step = ((1 - part) * lower + part * upper + ratio * off) / (upper - lower + ratio)
        part = part - step if step < part else part / _SHRINKS
        if part >= nearest:
            return nearest
        if abs(step) <= _CLOSE_SHARE * part:
            break
    return part


_JOINED_ROUNDS = 50
_SAME = 1e-8  # a ratio that has settled


def fit_with_crowd(
    ranges: Ranges,
    crowd_range: tuple[float, float],
    people: float,
    inclusion: InclusionProbability | None = None,
    *,
    near: Distribution | None = None,
) -> Distribution:
    """Fit ranges together with a crowd of the population who all report one possible range.

    Where some numbers are heard of more often than others, the crowd is not chosen so:
    b log F(crowd range) is added to the adjusted likelihood.

    Parameters
    ----------
    ranges : Ranges
    crowd_range : (float, float)
        What the crowd tells.
    people : float
        b.
    inclusion : InclusionProbability, optional
        How likely each number was to be heard of.
    near : Distribution, optional
        The most likely one without the crowd, from which fewer steps are needed.
    """
    if inclusion is None:
        more, tol = _append_range(ranges, [crowd_range], people), tolerance(ranges.total)
        fit = one_fit(more, tol) if more.entry is None else truncated(more, tol)[0]
        return _as_distribution(fit.lower, fit.upper, fit.mass, more.total, (fit.gap, tol))
    return _fit_with_outsiders(
        _append_range(ranges, _observable_pieces(crowd_range, inclusion), people),
        people,
        inclusion,
        near,
    )


def can_join(
    crowd_range: tuple[float, float], inclusion: InclusionProbability | None, ranges: Ranges
) -> bool:
    """Say whether some number in a range can be included, so that a crowd can report it."""
    first, last = _window(ranges)
    if max(first, crowd_range[0]) >= min(last, crowd_range[1]):
        return False
    return inclusion is None or bool(_observable_pieces(crowd_range, inclusion))


def _window(ranges: Ranges) -> tuple[float, float]:
    """From where to where numbers of some ranges would have been observed."""
    if ranges.entry is None or ranges.exit is None:
        return -np.inf, np.inf
    return float(ranges.entry.min()), float(ranges.exit.max())


def _fit_with_outsiders(
    more: Ranges, people: float, inclusion: InclusionProbability, near: Distribution | None
) -> Distribution:
    """Fit ranges with unequal inclusion, the last range reported by people drawn from all.

    In masses h of any size n log Σ s h + b log Σ h is taken off Σ w log h(R). Both logarithms are
    replaced by their tangents until these settle (Lange, Hunter & Yang, 2000); every round is as
    `adjusted`, with prices between s and 1.
    """
    places, observed = steps(more, inclusion), more.total - people
    runs, tol = places.runs(more), tolerance(observed)
    mass = (
        places.start(*roughly(more))
        if near is None
        else _add_crowd_mass(places, more, near, people)
    )
    part, ratio, gap = observed / more.total, 0.0, np.inf
    for _ in range(_JOINED_ROUNDS):
        before, ratio = ratio, float(mass.sum() / (places.price @ mass))
        if abs(ratio - before) <= _SAME * ratio:
            break
        mass, gap = masses_at_prices(runs, part * places.price + (1 - part) / ratio, mass, tol)
    has_mass = mass > 0
    return _as_distribution(
        places.lower[has_mass], places.upper[has_mass], mass[has_mass], more.total, (gap, tol)
    )


def _add_crowd_mass(places: Steps, more: Ranges, near: Distribution, people: float) -> Floats:
    """Add the crowd to the masses without it, as these are where it may be."""
    mass = places.start(near.upper, near.mass)
    first, past = places.reach(more)
    crowd, level = np.zeros(len(mass)), np.arange(len(mass))
    for low, high in zip(*(ends[more.starts[-2] :] for ends in (first, past)), strict=True):
        crowd += mass * ((level >= low) & (level < high))
        if low < high:
            crowd[low] += _FAINT
    mass_with_crowd: Floats = mass + people / (more.total - people) * crowd / crowd.sum()
    return mass_with_crowd


def _as_distribution(
    lower: Floats, upper: Floats, mass: Floats, n: float, closeness: tuple[float, float]
) -> Distribution:
    gap, tol = closeness
    return Distribution(
        lower=lower,
        upper=upper,
        mass=mass / mass.sum(),
        n=n,
        gap=max(gap, 0.0),
        method="most likely distribution, with a crowd",
        convergence=Convergence.CONVERGED if gap <= tol else Convergence.STOPPED,
    )


def _observable_pieces(
    crowd_range: tuple[float, float], inclusion: InclusionProbability
) -> list[tuple[float, float]]:
    """Cut a range to the line, without the stretches that are never included."""
    first, last = np.clip(crowd_range, inclusion.ends[0], inclusion.ends[-1]).tolist()
    edges = [first, *np.clip(inclusion.zero_pieces, first, last).ravel().tolist(), last]
    return [(low, high) for low, high in zip(edges[::2], edges[1::2], strict=True) if low < high]


def _append_range(ranges: Ranges, pieces: list[tuple[float, float]], people: float) -> Ranges:
    """Add one range of one or more pieces, of numbers that are observed wherever any is."""
    low, high = zip(*pieces, strict=True)
    plain, (first, last) = ranges.is_single_piece and len(pieces) == 1, _window(ranges)
    return Ranges(
        np.append(ranges.lower, low),
        np.append(ranges.upper, high),
        np.append(ranges.weights, people),
        pieces=None if plain else np.append(np.diff(ranges.starts), len(pieces)),
        entry=None if ranges.entry is None else np.append(ranges.entry, first),
        exit=None if ranges.exit is None else np.append(ranges.exit, last),
    )


_TIGHT = 1e-4  # how much log-likelihood of all people may be missing


def log_likelihood(
    fit: Distribution, ranges: Ranges, inclusion: InclusionProbability | None = None
) -> float:
    """The log-likelihood of ranges, mass at the upper end of each interval."""
    chance, is_counted = conditional_chances(fit, ranges), ranges.weights > 0
    mean_chance = 1.0 if inclusion is None else mean_inclusion_chance(fit, inclusion)
    with np.errstate(divide="ignore"):
        return float(
            ranges.weights[is_counted] @ np.log(np.maximum(chance[is_counted], 0.0) / mean_chance)
        )


def conditional_chances(fit: Distribution, ranges: Ranges) -> Floats:
    """How likely each range is given its window.

    >>> from askance.inference.intervals.cdf_intervals import closely
    >>> ranges = Ranges([2, 3, 5], [2, 3, 5], closed="both", entry=[0, 0, 2.5])
    >>> conditional_chances(closely(ranges, 3), ranges).round(6).tolist()
    [0.5, 0.25, 0.5]
    """
    chance, windows = chances(fit, ranges), ranges.windows
    if windows is not None:
        window_chance, informative = chances(fit, windows), narrower(ranges)
        chance = np.where(informative, chance / np.where(informative, window_chance, 1.0), 1.0)
    return chance


def chances(fit: Distribution, ranges: Ranges) -> Floats:
    """How likely each range is, mass at the upper end of each interval.

    >>> from askance.inference.intervals.cdf_intervals import closely
    >>> ranges = Ranges([0, 1, 4], [2, 2, 5], [1, 2, 1])
    >>> chances(closely(ranges, 4), ranges).tolist()
    [0.75, 0.75, 0.25]
    """
    upto = np.concatenate([[0.0], np.cumsum(fit.mass)])
    last = np.searchsorted(fit.upper, ranges.upper, side="right")
    first = np.searchsorted(fit.upper, ranges.lower, side="right")
    by_range: Floats = np.add.reduceat(upto[last] - upto[first], ranges.starts[:-1]) / upto[-1]
    return by_range


def mean_inclusion_chance(fit: Distribution, inclusion: InclusionProbability) -> float:
    """The mean inclusion probability, mass at the upper end of each interval.

    >>> from askance.inference.intervals.cdf_intervals import closely
    >>> fit = closely(Ranges([0, 1, 4, 4], [2, 2, 5, 6], [9, 5, 3, 8]), 25)
    >>> fit.upper.tolist()
    [2.0, 5.0]
    >>> inclusion = InclusionProbability([0, 1, 2, 4, 5, 6], [0.3, 1, 0, 0.5, 0.8])
    >>> round(mean_inclusion_chance(fit, inclusion), 9)  # 14/25 · 1 + 11/25 · 0.5
    0.78
    """
    step = np.searchsorted(inclusion.ends, fit.upper) - 1
    last = len(inclusion.chance) - 1
    return float(fit.mass @ inclusion.chance[np.minimum(step, last)])


def tolerance(people: float) -> float:
    """The gap that leaves hardly any log-likelihood missing, summed over so many people."""
    return float(np.clip(_TIGHT / people, 1e-12, 1e-4))
