"""The most likely distribution of those with a given share up to a point, from ranges of one piece.

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

from askance.inference.intervals.constrained_newton import Aim, Climb, Place, Prices, added
from askance.inference.ranges.support import Runs
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
_KEPT = 0.4  # of the masses on the way of a share that moves


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
    ends : _Ends
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
    ends: "_Ends"
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
    def of(cls, runs: Runs, mass: Floats, tol: float) -> "HeldFits | None":
        """Order the ends; None where a range has several pieces, or a table would be too large."""
        places = np.flatnonzero(mass)
        if any(len(part.ends) + part.reach > 2 for part in runs.parts):
            return None
        if not 0 < len(places) <= _LARGEST or runs.n > MOST_PEOPLE:
            return None
        first, past, weights = _rows(runs)
        under, over, two = first == 0, past == runs.m, (first > 0) & (past < runs.m)
        ends = _Ends.of(first, past, weights, runs.m)
        begun = np.concatenate([[0], ends.both.cumsum()])
        tops = np.flatnonzero(ends.both)
        upto = np.concatenate([[0.0], np.cumsum(mass[places])])
        upto /= upto[-1]
        every = upto.repeat(np.diff(places, prepend=-1, append=runs.m))
        low = _upto(past[under], weights[under], runs.m)
        high = _upto(first[over], weights[over], runs.m)
        made = cls(
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
        table = made._table(places)
        chance = made.free.upto[table.high] - made.free.upto[table.low]
        fall = -float(table.told @ np.log(chance))
        return replace(made, free=replace(made.free, fall=fall))

    def held(
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
            places, guesses = self._begun(level, start, share, aim)
        else:
            places, guesses = self._moved(near, level, share, np.array([level]))
        enough, new = self._enough(self.tol), places[:0]
        for _ in range(_ROUNDS):
            if len(places) > _LARGEST:
                return None
            table = self._table(places)
            climb = self._climb(level, places, table, start)
            found = _climbed(climb, guesses, places.searchsorted(new), enough, aim)
            if found is None:
                return None
            here, prices = found
            slopes = self._slopes(level, places, table, prices)
            gap = slopes.missing(here.share, prices)
            most = self.tol
            if aim is not None and gap > most:
                most = aim.missing(here.share, here.fall, prices.slope, self.tol)
            if gap <= most:
                return HeldFit(
                    places=places,
                    upto=here.upto,
                    fall=here.fall,
                    slope=prices.slope,
                    gap=gap,
                    levels=slopes.served(prices.sides, self.tol),
                )
            enough, new = self._enough(most), slopes.tops(places, prices, self.tol)
            places, upto = _joined(places, here.upto, new)
            guesses = upto[None]
        return None

    def _enough(self, most: float) -> float:
        """Say how much may be missing on the places with mass: no less than rounding leaves."""
        return max(most * _FINE, min(most / 3, self.n * _ROUNDED))

    def _climb(self, level: int, places: Integers, table: "_Table", start: float) -> Climb:
        return Climb(
            low=table.low,
            high=table.high,
            pair=table.pairs,
            told=table.told,
            size=len(places) + 1,
            before=int(np.searchsorted(places, level)),
            n=self.n,
            top=-self.free.fall,
            start=start,
        )

    def _begun(
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
            share = self._nearer(level, share, aim.about, (some, parted))
        parted = parted.clip(min(start, share), max(start, share))
        turns = (parted[1:] > parted[:-1]).nonzero()[0] + (some.start + up)
        places, guesses = self._moved(self.free, level, share, np.append(turns, level))
        inside = slice(*places.searchsorted([some.start, some.stop]).tolist())
        guesses[:, inside] = parted.take(places[inside] - some.start)
        guesses[:, places.searchsorted(level)] = share
        return places, guesses

    def _nearer(
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

    def _moved(
        self, near: HeldFit, level: int, share: float, cells: Integers
    ) -> tuple[Integers, Floats]:
        """Let the levels on the way be one, and cells beside the level held have mass.

        That may leave a range without chance: then let the levels be nearly one.
        """
        was = near.before(level)
        up = share > was
        places, upto = _joined(near.places, near.upto, self.ends.beside(cells, up=up))
        before, moved = int(places.searchsorted(level)), np.stack([upto, upto])
        if up:
            rest = (upto[before:] - was) * ((1 - share) / (1 - was))
            np.maximum(upto[before:], share, out=moved[0, before:])
            np.maximum(upto[before:], share + _KEPT * rest, out=moved[1, before:])
        else:
            rest = (was - upto[: before + 1]) * (share / was)
            np.minimum(upto[: before + 1], share, out=moved[0, : before + 1])
            np.minimum(upto[: before + 1], share - _KEPT * rest, out=moved[1, : before + 1])
        moved[:, before] = share
        return places, moved

    def _table(self, places: Integers) -> "_Table":
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
        told = added(pair, self.weights, size**2)
        told[:size] += under
        told[size - 1 :: size] += over
        pairs = (told != 0).nonzero()[0]
        low = pairs // size
        return _Table(
            low=low,
            high=pairs - low * size,
            told=told.take(pairs),
            pairs=pairs,
            edges=edges,
            rank=rank,
            pair=pair,
            under=under,
            over=over,
        )

    def _slopes(self, level: int, places: Integers, table: "_Table", prices: Prices) -> "_Slopes":
        """The slope by the mass of each cell that may be the best of its neighbourhood.

        All cells count between the two places with mass beside the level held.
        """
        before = int(np.searchsorted(places, level))
        left, right = int(places[before - 1]), int(places[before])
        spots = np.searchsorted(self.tops, places)
        first, past = int(spots[before - 1]), int(np.searchsorted(self.tops, right, "right"))
        rate = table.scattered(prices.rate)
        far = self._far(table, rate)
        near = rate[:, before] - rate[before]
        near = self.ends.slopes((left, right), table.rank, near)
        near += prices.pull[before - 1]
        cells = [self.tops[:first], np.arange(left, right + 1), self.tops[past:]]
        return _Slopes(
            cells=np.concatenate(cells),
            slope=np.concatenate([far[:first], near, far[past:]]),
            cut=first + level - left,
            beside=(first, first + right - left),
        )

    def _far(self, table: "_Table", rate: Floats) -> Floats:
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
        found: Floats = isotonic_regression(self.aim[some], weights=self.weight[some]).x
        return found

    def fallen(
        self, share: float, start: float, pooled: slice, parted: tuple[slice, Floats]
    ) -> float:
        """How much likelihood falls if some levels move to a share, and others part from it."""
        some, wanted = parted
        near = wanted.clip(min(start, share), max(start, share))
        change = (near - start) * (near + start - 2 * self.aim[some])
        weight, aims, before = self.sums[:, pooled.stop] - self.sums[:, pooled.start]
        moved = share**2 * weight - 2 * share * aims - before
        return float(self.weight[some] @ change + moved) / 2


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Table:
    """How often each pair of levels was told, and where the levels of each range are."""

    low: Integers
    high: Integers
    pairs: Integers
    told: Floats
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
class _Ends:
    """Each end inside, in order.

    Attributes
    ----------
    at, other : array of int, shape (e,)
        Each end, and the other end of its range.
    minus : array, shape (e,)
        Minus the weight of its range.
    passed : array of int, shape (m,)
        How many ends lie at or before each cell.
    begins, ended : array of int
        Cells with which some range begins, and some range ends.
    both : array of bool, shape (m,)
        Whether a cell is of both kinds.
    """

    at: Integers
    other: Integers
    minus: Floats
    passed: Integers
    begins: Integers
    ended: Integers
    both: Booleans

    @classmethod
    def of(cls, first: Integers, past: Integers, weights: Floats, m: int) -> "_Ends":
        begins, ends = np.zeros(m, dtype=np.bool_), np.zeros(m, dtype=np.bool_)
        begins[first] = ends[past - 1] = begins[0] = ends[-1] = True
        begun, ended = first > 0, past < m
        at = np.concatenate([past[ended], first[begun]])
        order = np.argsort(at.astype(np.uint16) if m <= _SHORT else at, kind="stable")
        return cls(
            at=at[order],
            other=np.concatenate([first[ended], past[begun]])[order],
            minus=-np.concatenate([weights[ended], weights[begun]])[order],
            passed=np.bincount(at, minlength=m).cumsum(),
            begins=np.flatnonzero(begins),
            ended=np.flatnonzero(ends),
            both=begins & ends,
        )

    def beside(self, levels: Integers, *, up: bool) -> Integers:
        """The cells that gain most at first where the share before each level is to rise."""
        if up:
            found: Integers = self.begins.take(self.begins.searchsorted(levels - 1, "right") - 1)
        else:
            found = self.ended.take(self.ended.searchsorted(levels))
        found.sort()
        new = np.ones(len(found), dtype=np.bool_)
        np.greater(found[1:], found[:-1], out=new[1:])
        return found[new]

    def slopes(self, beside: tuple[int, int], rank: Integers, rate: Floats) -> Floats:
        """What the slope rises by from one place beside the level held to each cell after."""
        left, right = beside
        start, stop = int(self.passed[left]), int(self.passed[right])
        run = np.zeros(stop - start + 1)
        value = rate.take(rank.take(self.other[start:stop]))
        np.cumsum(self.minus[start:stop] * value, out=run[1:])
        return run[self.passed[left : right + 1] - start]


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
    beside : tuple of int
        Where in these are the two places with mass beside the level held.
    """

    cells: Integers
    slope: Floats
    cut: int
    beside: tuple[int, int]

    def missing(self, share: float, prices: Prices) -> float:
        """Say how much log-likelihood is missing at most with this share held."""
        left, right = float(self.slope[: self.cut].max()), float(self.slope[self.cut :].max())
        more = max(left - prices.sides[0], 0.0), max(right - prices.sides[1], 0.0)
        return prices.gap + share * more[0] + (1 - share) * more[1]

    def tops(self, places: Integers, prices: Prices, tol: float) -> Integers:
        """Find the tops of the slope between places with mass, where it is high."""
        left = (self.slope[: self.cut] > prices.sides[0] + tol / 4).nonzero()[0]
        right = (self.slope[self.cut :] > prices.sides[1] + tol / 4).nonzero()[0]
        right += self.cut
        high = np.concatenate([left, right])
        if not len(high):
            return high
        between = places.searchsorted(self.cells.take(high))
        between[len(left) :] += 1  # the level held parts those between the same two places
        turns = (between[1:] != between[:-1]).nonzero()[0] + 1
        starts, slope = [0, *turns.tolist()], self.slope.take(high)
        ends = [*starts[1:], len(high)]
        tops = [one + int(slope[one:end].argmax()) for one, end in zip(starts, ends, strict=True)]
        return self.cells[high[tops]]

    def served(self, sides: tuple[float, float], tol: float) -> tuple[int, int]:
        """Say between which levels the same would be held: as far as no cell would gain mass."""
        (first, last), cut = self.beside, self.cut
        below = np.flatnonzero(self.slope[first + 1 : cut] > sides[1] + tol / 4)
        above = np.flatnonzero(self.slope[cut:last] > sides[0] + tol / 4)
        least = first + 1 + (below[-1] + 1 if len(below) else 0)
        most = cut + above[0] if len(above) else last
        return int(self.cells[least]), int(self.cells[most])


def _climbed(
    climb: Climb, guesses: Floats, new: Integers, enough: float, aim: Aim | None
) -> tuple[Place, Prices] | None:
    """Climb from the first guess that leaves every range some chance."""
    for upto in _starts(climb, guesses):
        begun = climb.at(upto)
        if begun is not None:
            return climb.most_likely(begun, enough, aim, new)
    return None


def _starts(climb: Climb, guesses: Floats) -> Iterator[Floats]:
    """Give the first guess; where it leaves ranges no chance, with the second's masses in these.

    Then the second, as it is.
    """
    first, second = guesses[0], guesses[-1]
    yield first
    some = first.take(climb.high) <= first.take(climb.low)
    begun, ended = (np.bincount(at[some], minlength=climb.size) for at in (climb.low, climb.high))
    inside, levels = (begun - ended).cumsum()[:-1] > 0, first.copy()
    if second.sum() > first.sum():
        carried = np.maximum.accumulate(np.where(inside, second[1:], 0.0))
        np.maximum(first[1:], carried, out=levels[1:])
    else:
        carried = np.minimum.accumulate(np.where(inside, second[:-1], 1.0)[::-1])[::-1]
        np.minimum(first[:-1], carried, out=levels[:-1])
    yield levels
    yield second


def _joined(places: Integers, upto: Floats, more: Integers) -> tuple[Integers, Floats]:
    """Leave out the places without mass, and put others between."""
    kept = (upto[1:] > upto[:-1]).nonzero()[0]
    old, level = places.take(kept), upto.take(kept + 1)
    more = more[old.take(old.searchsorted(more), mode="clip") != more]
    new = np.concatenate([old, more])
    new.sort()
    level = np.concatenate([upto[:1], level])
    return new, np.concatenate([level.take(old.searchsorted(new)), upto[-1:]])


def _rows(runs: Runs) -> tuple[Integers, Integers, Floats]:
    """Write all ranges by their first cell and the one past their last."""
    first, past, weights = [runs.points], [runs.points + 1], [runs.counts]
    for part in runs.parts:
        rows = len(part.weights)
        one = len(part.ends) == 1
        first.append(np.zeros(rows, np.int64) if one and not part.reach else part.ends[0])
        past.append(np.full(rows, runs.m) if part.reach else part.ends[-1])
        weights.append(part.weights)
    return np.concatenate(first), np.concatenate(past), np.concatenate(weights)


def _upto(levels: Integers, weights: Floats, m: int) -> Floats:
    """Add up the weights at each level and before."""
    return added(levels, weights, m + 1).cumsum()
