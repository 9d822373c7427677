"""Profile likelihood of the share up to a point, for ranges of any shape.

Adding b imagined people who say only that they are above t moves the most likely F(t) down to some
θ. What they add to the log-likelihood, b log(1 − θ), depends on θ alone, so the new fit is the most
likely one of all with F(t) = θ, and every θ below the estimate belongs to one b. The same holds
upwards for people up to t. So the program that fits F gives the whole profile likelihood, and the
crowd it takes is its slope. Each fit begins where the one before ended, on the few places that had
mass there. Where some numbers are heard of more often than others, the crowd is drawn from all.

Likelihood falls all the way from the estimate, but the deviate that is read off it may dip, and
what it may be may rise: it may be critical at several shares. An interval reaches to the outermost
of these, which `OutermostSearch` finds. Crowds are always the same ones: an end and a decision
depend on the point, the share and the critical value, not on what was asked before.

Of ranges of one piece the share itself is fixed (`ConstrainedFits`), and moves while it is fitted
to where the first candidate is.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import final

import numpy as np

from askance.channels.identification import InclusionProbability
from askance.channels.ranges import Ranges
from askance.inference.fit_result import Convergence
from askance.inference.intervals.constrained_npmle import (
    ConstrainedFit,
    ConstrainedFits,
    TargetFall,
)
from askance.inference.intervals.likelihood_ratio_law import ConstrainedLaw
from askance.inference.intervals.outermost_share import (
    FURTHEST,
    CandidateShare,
    OutermostSearch,
    least_deviate,
)
from askance.inference.ranges.cumulative_hazard import HazardLikelihood
from askance.inference.ranges.distribution import Distribution, information_at_ends
from askance.inference.ranges.inclusion import Steps, masses_at_prices, steps
from askance.inference.ranges.npmle import Truncation, npmle_or_limit
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

_FAINT = 1e-9  # what a side without mass begins with
_ROUNDS = 8  # of Newton's method on a support that grows
_LEAST, _MOST = -50.0, 14.0  # crowds, as logarithms of parts of the people
_NOTHING = 1e-9  # a deviate whose logarithm is still taken
_REMEMBERED = 8  # fits that may serve before other levels
_AT_ONCE = 8_000  # ends: of more, each share by itself stays in a fast cache
_NO_SPAN = 1e-7  # what is left of a share before it is all or none

_NONE = np.zeros(0)

_CrowdEffect = Callable[[float], tuple[float, float]]


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
    truncated: "TruncatedCells | None" = field(init=False)
    fits: ConstrainedFits | None = field(init=False)
    last: list[ConstrainedFit] = field(default_factory=list, init=False)
    """The fits that were found last: they save work."""

    def __post_init__(self) -> None:
        cuts = self.cuts or OrderedEnds.of(self.ranges)
        is_truncated = self.ranges.entry is not None
        plain = self.inclusion is None and not is_truncated
        cells = CellLikelihood.between(cuts, self.fit) if plain else None
        truncated = TruncatedCells.of(self.ranges, self.fit) if is_truncated else None
        law = None if self.level is None else constrained_law(cuts, self.fit, self.level)
        object.__setattr__(self, "law", law)
        object.__setattr__(self, "cells", cells)
        object.__setattr__(self, "truncated", truncated)
        fits = None if cells is None else ConstrainedFits.of(cells.runs, cells.mass, cells.tol)
        object.__setattr__(self, "fits", fits)

    def end(self, point: float, critical: float, *, up: bool) -> tuple[float, float]:
        """The outermost share whose deviate may be as large as it is, and the square of that.

        Beyond it no deviate is less than 0.99 times what it may be, as `OutermostSearch` has it.
        """
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
        target = self.target(critical, up=up, is_solved=False)
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

    def target(self, critical: float, *, up: bool, is_solved: bool) -> TargetFall:
        """The fall of the likelihood at which the deviate is critical."""
        return TargetFall(
            goal=partial(self._critical_fall, critical, up),
            is_solved=is_solved,
            expected_fall=critical / 2,
        )

    def _deviate(self, share: float, fall: float, slope: float, *, up: bool) -> float:
        agree = share if up else 1 - share
        return least_deviate(fall, agree * abs(slope), agree, agree)

    def _critical_fall(
        self, critical: float, up: bool, share: float, fall: float, slope: float
    ) -> float:
        """Extrapolate the fall at which the deviate is critical, taking both as proportional."""
        deviate = self._deviate(share, fall, slope, up=up)
        if deviate < critical and (1 - share if up else share) < _NO_SPAN:
            return fall
        return fall * critical / deviate if deviate > _NOTHING else critical / 2

    def _find_end(self, point: float, critical: float, *, up: bool) -> tuple[float, float] | None:
        """Find the outermost share of the set; None where a share cannot be fixed.

        The first guess is always as far off as F errs, in arcs (of equal variance).
        """
        if self.fits is None or self.cells is None:
            return None
        level = self.cells.level(point, up=up)
        start = self.fits.free.before(level)
        span = 1 - start if up else start
        if span < _NO_SPAN:
            return float(up), critical
        shares = FixedShares(profile=self, level=level, start=start, critical=critical, up=up)
        first, end = shares.first(), float(up)
        if first is None:
            return None
        for within, beyond in shares.search().close_in(first):
            if within is None and beyond is None:
                return None
            end, critical = (beyond.share, beyond.critical) if beyond else (end, critical)
        return end, critical

    def _critical(self, level: int, fit: ConstrainedFit, critical: float) -> float:
        """How large the deviate may be by the shares of this fit, where a law says so."""
        if self.law is None:
            return critical
        return self.law.critical_of(level - 1, self.shares_of(fit))

    def shares_of(self, fit: ConstrainedFit) -> Floats:
        """The shares up to all ends, of a fit; none where no law asks for them."""
        if self.law is None or self.fits is None:
            return _NONE
        return fit.upto.repeat(np.diff(fit.places, prepend=0, append=self.fits.m - 1))

    def _bracket_end(
        self, point: float, critical: float, *, up: bool
    ) -> Iterator[tuple[CandidateShare | None, CandidateShare | None]]:
        """Close in on the outermost crowd that reaches the critical value, from both sides.

        The first of a pair moves the share to where it is allowed; of the second's and those beyond
        none is.
        """
        if not self.can_join(point, up=up):
            share = float(self.fit.cdf_bounds(point)[0])
            yield None, self._at_estimate(share, critical, up=up)
            return
        crowds = Crowds(profile=self, point=point, critical=critical, up=up)
        people = math.log(self.ranges.total)
        start = min(math.log(critical) + people / 3, people)
        yield from crowds.search(people).close_in(crowds.ask(start))

    def can_join(self, point: float, *, up: bool) -> bool:
        """Say whether a crowd can report that it is up to a point, or above it."""
        if self.truncated is not None:
            return self.truncated.can_join(point, up=up)
        return can_join(side_of(point, up=up), self.inclusion)

    def _at_estimate(self, share: float, critical: float, *, up: bool) -> CandidateShare:
        """Return the estimate as the interval's end, where no further people could move it."""
        agree = share if up else 1 - share
        return CandidateShare(
            position=-math.inf,
            share=share,
            agree=agree,
            fall=0.0,
            crowd=0.0,
            critical=critical,
            upto=_NONE,
        )

    def most_critical(
        self, end: int, up: bool, inner: CandidateShare
    ) -> Callable[[Floats], Floats]:
        """Bound the critical values at an end from a share to where so many agree."""
        law = self.law
        if law is None:
            return lambda agree: np.full(len(agree), inner.critical)
        upto = inner.upto[None]
        ties = law.count_ties(np.array([end]), upto, np.ones(1))

        def most_until(agree: Floats) -> Floats:
            ends, fixed = np.full(len(agree), end), agree if up else 1 - agree
            shares, both = np.repeat(upto, len(agree), axis=0), np.repeat(ties, len(agree), axis=1)
            return law.most_until(ends, shares, both, fixed, np.ones(len(agree)))

        if len(inner.upto) > _AT_ONCE:
            return lambda agree: np.concatenate([most_until(part) for part in agree[:, None]])
        return most_until

    def crowd_effect(self, point: float, *, up: bool) -> _CrowdEffect:
        """Evaluate the share and the fall of the likelihood with a crowd of this size added."""
        cells = self.cells or self.truncated
        if cells is not None:
            return cells.crowd_effect(point, up=up)
        best = log_likelihood(self.fit, self.ranges, self.inclusion)
        return partial(self._join_crowd, point, best, up)

    def _join_crowd(
        self, point: float, best: float, up: bool, people: float
    ) -> tuple[float, float]:
        side = side_of(point, up=up)
        fit = fit_with_crowd(self.ranges, side, people, self.inclusion, near=self.fit)
        fall = best - log_likelihood(fit, self.ranges, self.inclusion)
        return float(fit.cdf_bounds(point)[int(up)]), fall


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FixedShares:
    """Candidates for the end of an interval where the share itself can be fixed.

    Their position is the logarithm of the way from the estimate over what is left of it.

    Attributes
    ----------
    profile : ConstrainedShare
    level : int
        How many cells lie up to the point.
    start : float
        The estimate.
    critical : float
        How large a deviate may be, where no law says so.
    up : bool
    """

    profile: ConstrainedShare
    level: int
    start: float
    critical: float
    up: bool
    near: dict[float, ConstrainedFit] = field(default_factory=dict, init=False)
    """The fit of each position: the next begins at one of them."""

    def search(self) -> OutermostSearch:
        """The search for the outermost of them."""
        return OutermostSearch(
            ask=self.ask,
            most_critical=partial(self.profile.most_critical, self.level - 1, self.up),
            agree=self.start if self.up else 1 - self.start,
            least=-FURTHEST,
            most=FURTHEST,
        )

    def first(self) -> CandidateShare | None:
        """Move a share to where its deviate is critical if others change as little as possible."""
        profile, fits, start, up = self.profile, self.profile.fits, self.start, self.up
        assert fits is not None
        sign, span = (1, 1 - start) if up else (-1, start)
        arc = math.asin(min(start, 1.0) ** 0.5) + sign * fits.n ** (-1 / 3)
        far = abs(math.sin(min(max(arc, 0.0), math.pi / 2)) ** 2 - start)
        share = start + sign * min(far, 0.9 * span)
        critical = profile.law.nearly(self.level - 1, share) if profile.law else self.critical
        target = profile.target(critical, up=up, is_solved=True)
        return self._candidate(fits.fit_with_share(self.level, share, fits.free, target))

    def ask(self, position: float, near: CandidateShare) -> CandidateShare | None:
        """Fit with the share at a position."""
        profile, fits = self.profile, self.profile.fits
        assert fits is not None
        part = 1 / (1 + math.exp(-position))
        share = self.start + part * (1 - self.start) if self.up else self.start * (1 - part)
        target = profile.target(near.critical, up=self.up, is_solved=False)
        fit = fits.fit_with_share(self.level, share, self.near[near.position], target)
        return self._candidate(fit)

    def _candidate(self, fit: ConstrainedFit | None) -> CandidateShare | None:
        if fit is None:
            return None
        share, upto = fit.before(self.level), self.profile.shares_of(fit)
        far, rest = (share - self.start, 1 - share) if self.up else (self.start - share, share)
        if far <= 0 or rest <= 0:
            return None
        agree, law = share if self.up else 1 - share, self.profile.law
        candidate = CandidateShare(
            position=min(max(math.log(far / rest), -FURTHEST), FURTHEST),
            share=share,
            agree=agree,
            fall=fit.fall,
            crowd=abs(fit.slope) * agree,
            critical=self.critical if law is None else law.critical_of(self.level - 1, upto),
            upto=upto,
        )
        self.near[candidate.position] = fit
        return candidate


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Crowds:
    """Candidates for the end of an interval where only crowds move the share.

    Their position is the logarithm of the crowd.

    Attributes
    ----------
    profile : ConstrainedShare
    point : float
    critical : float
        How large a deviate may be, where no law says so.
    up : bool
    """

    profile: ConstrainedShare
    point: float
    critical: float
    up: bool
    effect: _CrowdEffect = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "effect", self.profile.crowd_effect(self.point, up=self.up))

    def search(self, people: float) -> OutermostSearch:
        """The search for the outermost of them, of so many people, as a logarithm."""
        start = float(self.profile.fit.cdf_bounds(self.point)[int(self.up)])
        return OutermostSearch(
            ask=self.ask,
            most_critical=partial(self.profile.most_critical, self._end(), self.up),
            agree=start if self.up else 1 - start,
            least=people + _LEAST,
            most=people + _MOST,
        )

    def ask(self, position: float, _near: CandidateShare | None = None) -> CandidateShare:
        """Fit with a crowd; of unions the critical value is that if others change the least."""
        crowd, law = math.exp(position), self.profile.law
        share, fall = self.effect(crowd)
        if law is None:
            upto = _NONE
        elif isinstance(self.effect, HazardCrowds):
            upto = self.effect.shares_of_last(law.ends)
        else:
            upto = law.nearest_shares(self._end(), share)
        return CandidateShare(
            position=position,
            share=share,
            agree=share if self.up else 1 - share,
            fall=fall,
            crowd=crowd,
            critical=self.critical if law is None else law.critical_of(self._end(), upto),
            upto=upto,
        )

    def _end(self) -> int:
        law = self.profile.law
        if law is None:
            return 0
        end = int(np.searchsorted(law.ends, self.point, side="left" if self.up else "right"))
        return min(max(end - (not self.up), 0), len(law.ends) - 1)


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
        """The share at a point and the fall of the likelihood once a crowd is added.

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


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TruncatedCells:
    """The likelihood of truncated ranges over all places, and the most likely masses there.

    Shares are of numbers in some window. An end of an interval is where the likelihood may rise as
    the share of a side vanishes on which others are observed: how large that share is, is fixed
    with F(t), or does not touch it.

    Attributes
    ----------
    truncation : Truncation
    mass : array, shape (m,)
    hazard : array, shape (m - 1,), optional
        Where the likelihood is concave in it.
    tol : float
        The gap that leaves hardly any log-likelihood missing.
    """

    truncation: Truncation
    mass: Floats
    hazard: Floats | None
    tol: float

    @classmethod
    def of(cls, ranges: Ranges, fit: Distribution) -> "TruncatedCells":
        """Write the ranges over places, and the fit."""
        truncation, tol = Truncation.of(ranges), tolerance(ranges.total)
        mass = truncation.places.start(fit.upper, fit.mass)
        hazard = truncation.maximise_hazards(tol) if truncation.is_concave else None
        mass = truncation.maximise(mass, tol) if hazard is None else mass
        return cls(truncation=truncation, mass=mass, hazard=hazard, tol=tol)

    def can_join(self, point: float, *, up: bool) -> bool:
        """Whether some place lies on the side of a point where the crowd is."""
        level = self.truncation.level(point, up=up)
        return level > 0 if up else level < self.truncation.places.m

    def crowd_effect(self, point: float, *, up: bool) -> _CrowdEffect:
        """Return the function of a crowd's size that gives F at a point and the fall."""
        level = self.truncation.level(point, up=up)
        if self.hazard is None:
            return self._by_masses(level, up)
        likelihood = self.truncation.hazards()
        return HazardCrowds(
            cells=self, likelihood=likelihood, level=level, up=up, last=[self.hazard]
        )

    def _by_masses(self, level: int, up: bool) -> _CrowdEffect:
        truncation, before, tol = self.truncation, self.mass, self.tol
        mass = before

        def ask(people: float) -> tuple[float, float]:
            nonlocal mass
            mass = truncation.maximise(mass, tol, (level, up, people))
            return float(mass[:level].sum() / mass.sum()), -truncation.rise(mass, before)

        return ask


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HazardCrowds:
    """What crowds make of the share up to a place, by hazards, each from the hazards of the last.

    Attributes
    ----------
    cells : TruncatedCells
    likelihood : HazardLikelihood
    level : int
        How many places lie up to the point.
    up : bool
    last : list of array, shape (m - 1,)
        The hazards without a crowd, then those of the last one.
    """

    cells: TruncatedCells
    likelihood: HazardLikelihood
    level: int
    up: bool
    last: list[Floats]

    def __call__(self, people: float) -> tuple[float, float]:
        """The share at the point with a crowd of this size, and the fall of the log-likelihood."""
        likelihood = self.likelihood
        joined = likelihood.with_crowd(self.level, people, up=self.up)
        hazard = joined.maximise(joined.begin(self.last[-1]), self.cells.tol)
        self.last[1:] = [hazard]
        fall = likelihood.total(self.last[0]) - likelihood.total(hazard)
        return likelihood.share(hazard, self.level), fall

    def shares_of_last(self, ends: Floats) -> Floats:
        """The shares up to some ends with the last crowd."""
        upto = np.append(0.0, np.cumsum(self.likelihood.masses(self.last[-1])))
        upper = self.cells.truncation.places.upper
        return np.asarray(upto[np.searchsorted(upper, ends, side="right")])


def side_of(point: float, *, up: bool) -> tuple[float, float]:
    """The range that a crowd reports to move the share up, or down."""
    return (-np.inf, point) if up else (point, np.inf)


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
    if ranges.entry is not None and inclusion is None:
        return _fit_truncated_with_crowd(ranges, crowd_range, people, near)
    if inclusion is None:
        more, tol = _append_range(ranges, [crowd_range], people), tolerance(ranges.total)
        fit = one_fit(more, tol)
        return _as_distribution(fit.lower, fit.upper, fit.mass, more.total, (fit.gap, tol))
    return _fit_with_outsiders(
        _append_range(ranges, _observable_pieces(crowd_range, inclusion), people),
        people,
        inclusion,
        near,
    )


def _fit_truncated_with_crowd(
    ranges: Ranges, crowd_range: tuple[float, float], people: float, near: Distribution | None
) -> Distribution:
    """Fit truncated ranges with a crowd on one side of a point."""
    cells = TruncatedCells.of(ranges, near or npmle_or_limit(ranges, tolerance(ranges.total)))
    truncation, tol, up = cells.truncation, cells.tol, bool(np.isneginf(crowd_range[0]))
    level = truncation.level(crowd_range[int(up)], up=up)
    if cells.hazard is None:
        mass = truncation.maximise(cells.mass, tol, (level, up, people))
    else:
        joined = truncation.hazards().with_crowd(level, people, up=up)
        mass = joined.masses(joined.maximise(joined.begin(cells.hazard), tol))
    has_mass, places = mass > 0, truncation.places
    sides = places.lower[has_mass], places.upper[has_mass]
    return _as_distribution(*sides, mass[has_mass], ranges.total + people, (0.0, tol))


def can_join(crowd_range: tuple[float, float], inclusion: InclusionProbability | None) -> bool:
    """Say whether some number in a range can be included, so that a crowd can report it."""
    return inclusion is None or bool(_observable_pieces(crowd_range, inclusion))


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
    """Add one range of one or more pieces."""
    low, high = zip(*pieces, strict=True)
    plain = ranges.is_single_piece and len(pieces) == 1
    return Ranges(
        np.append(ranges.lower, low),
        np.append(ranges.upper, high),
        np.append(ranges.weights, people),
        pieces=None if plain else np.append(np.diff(ranges.starts), len(pieces)),
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
    """The chance of each range given its window; 1 where the window has no mass.

    >>> from askance.inference.intervals.cdf_intervals import closely
    >>> ranges = Ranges([2, 3, 5], [2, 3, 5], closed="both", entry=[0, 0, 2.5])
    >>> conditional_chances(closely(ranges, 3), ranges).round(6).tolist()
    [0.5, 0.25, 0.5]
    """
    chance, windows = chances(fit, ranges), ranges.windows
    if windows is not None:
        window_chance = chances(fit, windows)
        informative = narrower(ranges) & (window_chance > 0)
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
