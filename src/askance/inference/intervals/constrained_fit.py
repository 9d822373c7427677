"""The constrained NPMLE with a given F(t), from ranges of one piece.

Newton's method finds it on a few places with mass (`constrained_newton`). Which other places
deserve mass is told by the slope of the likelihood by the mass of each cell: that of ranges with
one end from running sums of their weights, that of all others added up one by one. Most cells
cannot be the best of their neighbourhood whatever the distribution, and are not looked at. The
slopes also tell how much likelihood is missing at most, which ends the search.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import copysign
from typing import final

import numpy as np

from askance.inference.intervals.constrained_newton import (
    Aim,
    ConstrainedLikelihood,
    Iterate,
    Prices,
    added,
)
from askance.inference.ranges.support import RangeRows
from askance.typing import Booleans, Floats, Integers

_LARGEST = 300  # places with mass: a table of their pairs is still small
MOST_PEOPLE = 1e10  # sums of logarithms over more are not precise enough
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
class HeldFit:
    """A distribution with a share held.

    Attributes
    ----------
    places : array of int, shape (s,)
        Cells with mass, ascending.
    upto : array, shape (s + 1,)
        The mass before each of them, and all of it.
    fall : float
        Of the log-likelihood, from its top.
    slope : float
        The derivative of the log-likelihood by the share held.
    gap : float
        How much log-likelihood is missing at most.
    levels : tuple of int
        The first and the last before which it is the most likely with this share held; none of the
        most likely distribution.
    """

    places: Integers
    upto: Floats
    fall: float
    slope: float
    gap: float = 0.0
    levels: tuple[int, int] = (0, -1)

    def serves(self, level: int, share: float) -> bool:
        """Say whether this is the fit with a share held before a level too."""
        least, most = self.levels
        return least <= level <= most and abs(self.before(level) - share) <= _SAME

    def before(self, level: int) -> float:
        """The share in the cells before a level."""
        return float(self.upto[self.places.searchsorted(level)])


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeldFits:
    """The likelihood of ranges of one piece over cells, ready for shares to be held.

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
    free : HeldFit
        The most likely distribution, nothing held.
    alone : _Alone
        What its levels would do if each bent the likelihood by itself.
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
    free: HeldFit
    alone: "_Alone"

    @classmethod
    def of(cls, runs: RangeRows, mass: Floats, tol: float) -> "HeldFits | None":
        """Order the ends; None where a range has several pieces, or a table would be too large."""
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
            free=HeldFit(places=places, upto=upto, fall=0.0, slope=0.0),
            alone=_Alone.of(every, first, past, weights),
        )
        table = fits._table(places)
        chance = fits.free.upto[table.high] - fits.free.upto[table.low]
        fall = -float(table.counts @ np.log(chance))
        return replace(fits, free=replace(fits.free, fall=fall))

    def fit_with_share(
        self, level: int, share: float, near: HeldFit, aim: Aim | None = None
    ) -> HeldFit | None:
        """Fit with this share in the cells before a level, from a fit that is near.

        Parameters
        ----------
        level : int
            In 1 … m − 1.
        share : float
            Strictly between 0 and 1.
        near : HeldFit
        aim : Aim, optional
            What the fit is for.

        Returns
        -------
        HeldFit or None
            None where rounding leaves more log-likelihood missing than may be.
        """
        start = self.free.before(level)
        if near is self.free:
            places, guesses = self._start_from_free(level, start, share, aim)
        else:
            places, guesses = self._shift_levels(near, level, share, np.array([level]))
        enough, new = self._allowed_gap(self.tol), places[:0]
        for _ in range(_ROUNDS):
            if len(places) > _LARGEST:
                return None
            table = self._table(places)
            climb = self._problem(level, places, table, start)
            solution = _maximise_from(climb, guesses, places.searchsorted(new), enough, aim)
            if solution is None:
                return None
            iterate, prices = solution
            slopes = self._slopes(level, places, table, prices)
            gap = slopes.missing(iterate.share, prices)
            max_missing = self.tol
            if aim is not None and gap > max_missing:
                max_missing = aim.missing(iterate.share, iterate.fall, prices.slope, self.tol)
            if gap <= max_missing:
                return HeldFit(
                    places=places,
                    upto=iterate.upto,
                    fall=iterate.fall,
                    slope=prices.slope,
                    gap=gap,
                    levels=slopes.served(prices.sides, self.tol),
                )
            enough, new = self._allowed_gap(max_missing), slopes.tops(places, prices, self.tol)
            places, upto = _merge_places(places, iterate.upto, new)
            guesses = upto[None]
        return None

    def _allowed_gap(self, most: float) -> float:
        """Say how much may be missing on the places with mass: no less than rounding leaves."""
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
        self, level: int, start: float, share: float, aim: Aim | None
    ) -> tuple[Integers, Floats]:
        """Begin from the most likely distribution, as if each level bent the likelihood by itself.

        A share that moves begins nearer to its goal. On the side that it moves away from, the
        levels that were one with it part: that is isotonic regression.
        """
        places, up = self.free.places, share > start
        block = int(places.searchsorted(level))
        if up:
            some = slice(int(places[block - 1]) + 1 if block else 1, level)
        else:
            some = slice(level + 1, int(places[block]) + 1 if block < len(places) else self.m)
        parted = self.alone.parted(some)
        if aim is not None and aim.moves:
            share = self._guess_share(level, share, aim.about, (some, parted))
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
        """Guess where the likelihood falls so far: a power of how far the share has moved."""
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
        self, near: HeldFit, level: int, share: float, cells: Integers
    ) -> tuple[Integers, Floats]:
        """Merge the levels that the share passes, and give mass to cells next to the held level.

        That may leave a range without chance: then let the levels be nearly one.
        """
        was = near.before(level)
        up = share > was
        places, upto = _merge_places(
            near.places, near.upto, self.ends.neighbouring_cells(cells, up=up)
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
        """The slope by the mass of each cell that may be the best of its neighbourhood.

        All cells count between the two places with mass beside the level held.
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
        """The slope by the mass of each cell where some range begins and some range ends."""
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
    """The likelihood near its top as if each level bent it by itself: the diagonal of its bend.

    Attributes
    ----------
    upto : array, shape (m + 1,)
        The most likely levels.
    aim, weight : array, shape (m + 1,)
        Where a Newton step would bring each, and how stiff it is.
    sums : array, shape (3, m + 2)
        Of the weights before each level; times the aims; times F (F − 2 aim).
    """

    upto: Floats
    aim: Floats
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
        aim = upto + slope / np.maximum(weight, _LEAST_WEIGHT)
        sums = np.zeros((3, len(upto) + 1))
        np.cumsum(weight, out=sums[0, 1:])
        np.cumsum(weight * aim, out=sums[1, 1:])
        np.cumsum(weight * upto * (upto - 2 * aim), out=sums[2, 1:])
        return cls(upto=upto, aim=aim, weight=weight, sums=sums)

    def parted(self, some: slice) -> Floats:
        """Where these levels would go if the others let them."""
        from scipy.optimize import isotonic_regression

        if some.start == some.stop:
            return self.aim[some]
        levels: Floats = isotonic_regression(self.aim[some], weights=self.weight[some]).x
        return levels

    def fallen(
        self, share: float, start: float, pooled: slice, parted: tuple[slice, Floats]
    ) -> float:
        """How much likelihood falls if some levels move to a share, and others part from it."""
        some, wanted = parted
        near = wanted.clip(min(start, share), max(start, share))
        change = (near - start) * (near + start - 2 * self.aim[some])
        weight, aims, before = self.sums[:, pooled.stop] - self.sums[:, pooled.start]
        pooled_change = share**2 * weight - 2 * share * aims - before
        return float(self.weight[some] @ change + pooled_change) / 2


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _LevelTable:
    """How often each pair of levels was told, and where the levels of each range are."""

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
        """Write the rate of each pair of levels into a table, 0 where none was told."""
        size = len(self.edges) - 1
        every = np.zeros(size * size)
        every[self.pairs] = rate
        return every.reshape(size, size)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _RangeEnds:
    """Each end inside, in order.

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
        """The cells that gain most at first where the share before each level is to rise."""
        if up:
            cells: Integers = self.begins.take(self.begins.searchsorted(levels - 1, "right") - 1)
        else:
            cells = self.ended.take(self.ended.searchsorted(levels))
        cells.sort()
        new = np.ones(len(cells), dtype=np.bool_)
        np.greater(cells[1:], cells[:-1], out=new[1:])
        return cells[new]

    def slopes(self, places: tuple[int, int], rank: Integers, rate: Floats) -> Floats:
        """The rise of the slope from a place next to the held level to each later cell."""
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
        How many of these lie before the level held.
    neighbours : tuple of int
        Where in these are the two places with mass beside the level held.
    """

    cells: Integers
    slope: Floats
    cut: int
    neighbours: tuple[int, int]

    def missing(self, share: float, prices: Prices) -> float:
        """Say how much log-likelihood is missing at most with this share held."""
        below, above = float(self.slope[: self.cut].max()), float(self.slope[self.cut :].max())
        more = max(below - prices.sides[0], 0.0), max(above - prices.sides[1], 0.0)
        return prices.gap + share * more[0] + (1 - share) * more[1]

    def tops(self, places: Integers, prices: Prices, tol: float) -> Integers:
        """Find the tops of the slope between places with mass, where it is high."""
        below = (self.slope[: self.cut] > prices.sides[0] + tol / 4).nonzero()[0]
        above = (self.slope[self.cut :] > prices.sides[1] + tol / 4).nonzero()[0]
        above += self.cut
        high = np.concatenate([below, above])
        if not len(high):
            return high
        between = places.searchsorted(self.cells.take(high))
        between[len(below) :] += 1  # the level held parts those between the same two places
        turns = (between[1:] != between[:-1]).nonzero()[0] + 1
        starts, slope = [0, *turns.tolist()], self.slope.take(high)
        ends = [*starts[1:], len(high)]
        tops = [
            start + int(slope[start:end].argmax()) for start, end in zip(starts, ends, strict=True)
        ]
        return self.cells[high[tops]]

    def served(self, sides: tuple[float, float], tol: float) -> tuple[int, int]:
        """Say between which levels the same would be held: as far as no cell would gain mass."""
        (first, last), cut = self.neighbours, self.cut
        below = np.flatnonzero(self.slope[first + 1 : cut] > sides[1] + tol / 4)
        above = np.flatnonzero(self.slope[cut:last] > sides[0] + tol / 4)
        least = first + 1 + (below[-1] + 1 if len(below) else 0)
        most = cut + above[0] if len(above) else last
        return int(self.cells[least]), int(self.cells[most])


def _maximise_from(
    climb: ConstrainedLikelihood, guesses: Floats, new: Integers, enough: float, aim: Aim | None
) -> tuple[Iterate, Prices] | None:
    """Climb from the first guess that leaves every range some chance."""
    for upto in _starts(climb, guesses):
        begun = climb.evaluate(upto)
        if begun is not None:
            return climb.most_likely(begun, enough, aim, new)
    return None


def _starts(climb: ConstrainedLikelihood, guesses: Floats) -> Iterator[Floats]:
    """Give the first guess; where it leaves ranges no chance, with the second's masses in these.

    Then the second, as it is.
    """
    first, second = guesses[0], guesses[-1]
    yield first
    some = first.take(climb.high) <= first.take(climb.low)
    begun, ended = (
        np.bincount(side[some], minlength=climb.size) for side in (climb.low, climb.high)
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
