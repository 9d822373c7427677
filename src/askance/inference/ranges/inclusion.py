"""NPMLE with known inclusion probabilities: masses whose expected inclusion is one."""

from dataclasses import dataclass
from typing import final

import numpy as np

from askance.channels.identification import InclusionProbability
from askance.channels.ranges import Ranges
from askance.inference.maximisation import maximise_mixture
from askance.inference.ranges.support import RangeRows, bend, observed, runs_over, tops
from askance.typing import Booleans, Floats, Integers
from askance_collect.errors import InputError


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Steps:
    """Places where mass can lie, in ascending order.

    Between two neighbouring ends of the data every number lies in the same ranges, so the
    likelihood rises where a number is least often heard of: the place is the hull of those steps.

    Attributes
    ----------
    lower, upper : array, shape (m,)
    price : array, shape (m,)
        How likely a number there is to be heard of; positive where a range holds it.
    is_covered : array of bool, shape (m,)
        Whether a range holds it.
    upto : array of int
        How many of the places end by each of the ``breaks``.
    breaks : array
        Every end of the data and of the steps of s.
    """

    lower: Floats
    upper: Floats
    price: Floats
    is_covered: Booleans
    upto: Integers
    breaks: Floats

    @property
    def m(self) -> int:
        """How many places there are."""
        return len(self.price)

    def runs(self, ranges: Ranges) -> RangeRows:
        """Write ranges over the places, and over one more behind the last that no range holds.

        Those of weight 0 are left out: they end anywhere, and no place may hold them.
        """
        ranges = observed(ranges)
        first, past = self.reach(ranges)
        return runs_over(ranges, first, past, len(self.price) + 1)

    def reach(self, ranges: Ranges) -> tuple[Integers, Integers]:
        """Count the places before each piece of ranges, and those that end with it."""
        low, high = _clip_to_line(ranges, self.breaks[0], self.breaks[-1])
        first = self.upto[np.searchsorted(self.breaks, low)]
        return first, self.upto[np.searchsorted(self.breaks, high)]

    def start(self, upper: Floats, masses: Floats) -> Floats:
        """Place masses fitted without inclusion probabilities on the places that end there.

        Or on those of fewer ranges.
        """
        upper = np.minimum(upper, self.breaks[-1])
        mass = np.zeros(len(self.price))
        mass[self.upto[np.searchsorted(self.breaks, upper)] - 1] = masses
        return mass


_SAME_CHANCE = 1e-12  # chances that sums of doubles tell apart by less are one


def steps(ranges: Ranges, inclusion: InclusionProbability, *, silent: bool = False) -> Steps:
    """Find the places, and refuse ranges that cannot have been sent.

    Parameters
    ----------
    ranges : Ranges
    inclusion : InclusionProbability
    silent : bool
        Whether places count that no range holds, because nulls can come from there: those of them
        from which they come most often.

    Raises
    ------
    InputError
        If there is no range, or one reaches beyond the line or holds numbers that are never heard
        of.
    """
    ranges = observed(ranges)
    if not len(ranges):
        raise InputError("Ranges", got="no range", allowed="at least one with a positive weight")
    low, high = _clip_to_line(ranges, inclusion.ends[0], inclusion.ends[-1])
    _refuse_impossible(ranges, inclusion, low, high)
    breaks = np.unique(np.concatenate([inclusion.ends, low, high]))
    chance = inclusion.chance[np.searchsorted(inclusion.ends, breaks[1:]) - 1]
    low_at, high_at = np.searchsorted(breaks, low), np.searchsorted(breaks, high)
    k = len(breaks)
    begun, ended = np.bincount(low_at, minlength=k), np.bincount(high_at, minlength=k)
    atom = np.cumsum((begun + ended)[:-1] > 0)
    least = np.full(atom[-1] + 1, np.inf)
    np.minimum.at(least, atom, chance)
    is_covered = np.cumsum(begun - ended)[:-1] > 0
    least = (
        np.where(is_covered, least[atom], chance.min(where=~is_covered, initial=np.inf))
        + _SAME_CHANCE
    )
    chosen = np.flatnonzero((is_covered | silent) & (chance <= least))
    start = np.flatnonzero(np.diff(atom[chosen], prepend=-1))
    stop = np.append(start[1:], len(chosen)) - 1
    return Steps(
        lower=breaks[chosen[start]],
        upper=breaks[chosen[stop] + 1],
        price=chance[chosen[start]],
        is_covered=is_covered[chosen[start]],
        upto=np.searchsorted(chosen[stop], np.arange(k)),
        breaks=breaks,
    )


def _clip_to_line(ranges: Ranges, first: float, last: float) -> tuple[Floats, Floats]:
    """Bring infinite ends onto the line; leave the others, which must lie on it already."""
    low = np.where(np.isneginf(ranges.lower), first, ranges.lower)
    high = np.where(np.isposinf(ranges.upper), last, ranges.upper)
    return low, high


def _refuse_impossible(
    ranges: Ranges, inclusion: InclusionProbability, low: Floats, high: Floats
) -> None:
    first, last = inclusion.ends[0], inclusion.ends[-1]
    wrong = (low < first) | (high > last) | (low >= high)
    for begin, end in inclusion.zero_pieces:
        wrong |= (low < end) & (high > begin)
    if wrong.any():
        piece = int(np.argmax(wrong))
        raise InputError(
            f"Ranges[{int(np.searchsorted(ranges.starts, piece, side='right')) - 1}]",
            got=f"({ranges.lower[piece]}, {ranges.upper[piece]}]",
            allowed=f"ranges in ({first}, {last}] that hold nobody whose report is never sent",
            remedy="check that the reports belong to this inclusion probability",
        )


_FEW = 100  # places that need no growing
_ROUNDS = 200


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Weighed:
    """Maximise Σ w_i log P_i over masses whose prices sum to one: a `MixtureLike` of what is paid.

    Attributes
    ----------
    runs : RangeRows
        Over m places and one more behind them, which no row holds.
    price : array, shape (m,)
        Positive.
    """

    runs: RangeRows
    price: Floats

    def on(self, support: Integers) -> "Weighed":
        """Keep these places alone."""
        return Weighed(runs=_narrow_rows(self.runs, support), price=self.price[support])

    @property
    def weights(self) -> Floats:
        """How often each row was seen."""
        return np.concatenate(self.runs.weights())

    def chance(self, shares: Floats) -> Floats:
        """The mass of each row, where place j has shares_j / price_j."""
        return np.concatenate(self.runs.chances(np.append(shares / self.price, 0.0)))

    def slope(self, chance: Floats) -> Floats:
        """The derivative of the log-likelihood by each share."""
        return self.runs.pull(_split_by_part(self.runs, chance))[:-1] / self.price

    def curvature(self, chance: Floats) -> Floats:
        """Its negative second derivative by each pair of shares."""
        by_mass = _curvature(self.runs, _split_by_part(self.runs, chance))
        return by_mass / np.multiply.outer(self.price, self.price)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counted:
    """Maximise Σ w_i log P_i + n₀ log Σ c_j f_j: one row more, to which places add parts.

    Attributes
    ----------
    runs : RangeRows
        Over m places and one more behind them, which no row holds.
    silent : array, shape (m,)
        c, the chance that nobody is heard of from a place.
    nulls : float
        n₀, how many were not; positive.
    """

    runs: RangeRows
    silent: Floats
    nulls: float

    def on(self, support: Integers) -> "Counted":
        """Keep these places alone."""
        runs = _narrow_rows(self.runs, support)
        return Counted(runs=runs, silent=self.silent[support], nulls=self.nulls)

    @property
    def weights(self) -> Floats:
        """How often each row was seen."""
        return np.append(np.concatenate(self.runs.weights()), self.nulls)

    def chance(self, shares: Floats) -> Floats:
        """The chance of each row."""
        by_range = self.runs.chances(np.append(shares, 0.0))
        return np.concatenate([*by_range, [self.silent @ shares]])

    def slope(self, chance: Floats) -> Floats:
        """The derivative of the log-likelihood by each share."""
        by_range = self.runs.pull(_split_by_part(self.runs, chance[:-1]))[:-1]
        slope: Floats = by_range + self.nulls / chance[-1] * self.silent
        return slope

    def curvature(self, chance: Floats) -> Floats:
        """Its negative second derivative by each pair of shares."""
        by_range = _curvature(self.runs, _split_by_part(self.runs, chance[:-1]))
        part = self.silent / chance[-1]
        curvature: Floats = by_range + self.nulls * np.multiply.outer(part, part)
        return curvature


def _narrow_rows(runs: RangeRows, support: Integers) -> RangeRows:
    return runs.onto(np.append(support, runs.m - 1))


def _split_by_part(runs: RangeRows, chance: Floats) -> list[Floats]:
    return np.split(chance, np.cumsum([len(weights) for weights in runs.weights()])[:-1])


def _curvature(runs: RangeRows, chance: list[Floats]) -> Floats:
    levels = np.arange(runs.m + 1)
    above = bend(runs, runs.curves(chance), levels)[1:-1, 1:-1]
    by_level = above + np.triu(above, 1).T
    return by_level[::-1, ::-1].cumsum(axis=0).cumsum(axis=1)[::-1, ::-1]


def masses_at_prices(
    runs: RangeRows, price: Floats, mass: Floats, tol: float
) -> tuple[Floats, float]:
    r"""Find h ≥ 0 with Σ price h = 1 that maximises the likelihood.

    With g = price h this is a concave problem on a simplex; it is maximised on the places with mass
    and the tops of the slope between them (Wang, 2007), until no place promises more.

    Parameters
    ----------
    runs : RangeRows
        Over m places and one more behind them, which no row holds.
    price : array, shape (m,)
    mass : array, shape (m,)
        A start, up to a factor, that gives every row a positive chance.
    tol : float

    Returns
    -------
    mass : array, shape (m,)
    gap : float
        The largest slope for its price, over n, minus 1: at most this much mean log-likelihood is
        missing.
    """
    problem = Weighed(runs=runs, price=price)
    shares, gap = _maximise_growing(problem, mass * price / (mass @ price), runs.n, tol)
    return shares / price, gap


def counted(
    runs: RangeRows, silent: Floats, nulls: float, mass: Floats, tol: float
) -> tuple[Floats, float]:
    r"""NPMLE of the shares f from ranges that were sent and a count of nulls.

    Parameters
    ----------
    runs : RangeRows
        Over m places and one more behind them, which no row holds.
    silent : array, shape (m,)
        The chance of a null from each place, not all zero where there are nulls.
    nulls : float
    mass : array, shape (m,)
        A start that gives every row, but that of the nulls, a positive chance.
    tol : float

    Returns
    -------
    mass : array, shape (m,)
    gap : float
        The largest slope over all that were asked, minus 1.
    """
    if not nulls:
        return masses_at_prices(runs, np.ones(len(mass)), mass, tol)
    start = 0.9 * mass / mass.sum()
    start[np.argmax(silent)] += 0.1  # nulls must have a chance
    problem = Counted(runs=runs, silent=silent, nulls=nulls)
    return _maximise_growing(problem, start, runs.n + nulls, tol)


def _maximise_growing(
    problem: Weighed | Counted, shares: Floats, n: float, tol: float
) -> tuple[Floats, float]:
    """Maximise on the places with mass and the tops between them, until no place promises more."""
    support = np.zeros(0, dtype=np.int64)
    for _ in range(_ROUNDS):
        slope = problem.slope(problem.chance(shares))
        gap = float(slope.max() / n - 1)
        before, support = support, _support(shares, slope, n)
        if gap <= tol or np.array_equal(before, support):
            break
        part = problem.on(support)
        part_shares, _ = maximise_mixture(part, shares[support] / shares[support].sum(), tol / 2)
        shares = np.zeros(len(shares))
        shares[support] = part_shares
    return shares, gap


def _support(shares: Floats, slope: Floats, n: float) -> Integers:
    if len(shares) <= _FEW:
        return np.arange(len(shares))
    with_mass = np.flatnonzero(shares)
    return np.union1d(with_mass, tops(slope, with_mass, n))
