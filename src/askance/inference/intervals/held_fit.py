"""The most likely distribution of those with a given share up to a point, from ranges of one piece.

Newton's method finds it on a few places with mass (`held_climb`). Which other places deserve mass
is told by the slope of the likelihood by the mass of each cell: that of ranges with one end from
running sums of their weights, that of all others added up one by one. Most cells cannot be the best
of their neighbourhood whatever the distribution, and are not looked at. The slopes also tell how
much likelihood is missing at most, which ends the search.
"""

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from askance.inference.intervals.held_climb import Aim, Climb, Place, added
from askance.inference.ranges.support import Runs
from askance.typing import Floats, Integers

_LARGEST = 300  # places with mass: a table of their pairs is still small
_PEOPLE = 1e10  # sums of logarithms over more are not precise enough
_ROUNDS = 25  # of places that join
_SAME = 1e-14  # shares that are one but for rounding
_ROUGH = 1.0  # log-likelihood that may be missing before the first places join
_FINE = 1e-3  # of what may be missing, that may be missing on the places with mass
_ROUNDED = 1e-14  # of what is told, that rounding may leave missing
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
        return float(self.upto[np.searchsorted(self.places, level)])


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

    @classmethod
    def of(cls, runs: Runs, mass: Floats, tol: float) -> "HeldFits | None":
        """Order the ends; None where a range has several pieces, or a table would be too large."""
        places = np.flatnonzero(mass)
        if any(len(part.ends) + part.reach > 2 for part in runs.parts):
            return None
        if not 1 < len(places) <= _LARGEST or runs.n > _PEOPLE:
            return None
        first, past, weights = _rows(runs)
        under, over, two = first == 0, past == runs.m, (first > 0) & (past < runs.m)
        ends = _Ends.of(first, past, weights, runs.m)
        tops = np.intersect1d(ends.begins, ends.ended, assume_unique=True)
        upto = np.concatenate([[0.0], np.cumsum(mass[places])])
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
            begun=np.searchsorted(tops, first[two]),
            ended=np.searchsorted(tops, past[two]),
            n=float(weights.sum()),
            tol=tol * runs.n,
            free=HeldFit(places=places, upto=upto / upto[-1], fall=0.0, slope=0.0),
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
        places, upto = self._moved(near, level, share)
        enough = _ROUGH if near is self.free else self._enough(self.tol)
        for _ in range(_ROUNDS):
            if len(places) > _LARGEST:
                return None
            table = self._table(places)
            climb = self._climb(level, places, table)
            here = climb.at(upto)
            here = None if here is None else climb.most_likely(here, enough, aim)
            if here is None:
                return None
            slopes = self._slopes(level, places, table, here)
            gap, more = slopes.missing(places, here, self.tol)
            most = self.tol
            if aim is not None and gap > most:
                most = aim.missing(here.share, here.fall, here.slope, self.tol)
            if gap <= most and (enough < _ROUGH or most > self.tol):
                return HeldFit(
                    places=places,
                    upto=here.upto,
                    fall=here.fall,
                    slope=here.slope,
                    gap=gap,
                    levels=slopes.served(here.sides, self.tol),
                )
            enough = self._enough(most)
            places, upto = _joined(places, here.upto, more)
        return None

    def _enough(self, most: float) -> float:
        """Say how much may be missing on the places with mass: no less than rounding leaves."""
        return max(most * _FINE, min(most / 3, self.n * _ROUNDED))

    def _climb(self, level: int, places: Integers, table: "_Table") -> Climb:
        return Climb(
            low=table.low,
            high=table.high,
            told=table.told,
            size=len(places) + 1,
            before=int(np.searchsorted(places, level)),
            n=self.n,
            top=-self.free.fall,
            start=self.free.before(level),
        )

    def _moved(self, near: HeldFit, level: int, share: float) -> tuple[Integers, Floats]:
        """Let the levels on the way be nearly one, and the cell beside the level held have mass."""
        was = near.before(level)
        up = share > was
        places, upto = _joined(near.places, near.upto, np.array([self.ends.beside(level, up=up)]))
        before, moved = int(np.searchsorted(places, level)), upto.copy()
        if up:
            rest = (upto[before:] - was) * ((1 - share) / (1 - was))
            moved[before:] = np.maximum(upto[before:], share + _KEPT * rest)
        else:
            rest = (was - upto[: before + 1]) * (share / was)
            moved[: before + 1] = np.minimum(upto[: before + 1], share - _KEPT * rest)
        moved[before] = share
        return places, moved

    def _table(self, places: Integers) -> "_Table":
        """Add up the ranges by the levels of their two ends."""
        size = len(places) + 1
        edges = np.concatenate([[-1], places, [self.m]])
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
        pairs = np.flatnonzero(told > 0)
        low = pairs // size
        return _Table(
            low=low,
            high=pairs - low * size,
            told=told[pairs],
            edges=edges,
            rank=rank,
            pair=pair,
            under=under,
            over=over,
        )

    def _slopes(self, level: int, places: Integers, table: "_Table", here: Place) -> "_Slopes":
        """The slope by the mass of each cell that may be the best of its neighbourhood.

        All cells count between the two places with mass beside the level held.
        """
        left, right = int(places[here.before - 1]), int(places[here.before])
        spots = np.searchsorted(self.tops, places)
        first, past = int(spots[here.before - 1]), int(np.searchsorted(self.tops, right, "right"))
        rate = table.scattered(here.rate)
        far = self._far(table, spots, rate)
        near = rate[:, here.before] - rate[here.before]
        near = self.ends.slopes((left, right), table.rank, near)
        near += here.pull[here.before - 1]
        cells = [self.tops[:first], np.arange(left, right + 1), self.tops[past:]]
        return _Slopes(
            cells=np.concatenate(cells),
            slope=np.concatenate([far[:first], near, far[past:]]),
            cut=first + level - left,
            beside=(first, first + right - left),
        )

    def _far(self, table: "_Table", spots: Integers, rate: Floats) -> Floats:
        """The slope by the mass of each cell where some range begins and some range ends."""
        counts, before = np.append(spots, len(self.tops)), table.edges[:-1]
        counts[1:] -= spots
        under, over = -rate[0], rate[:, -1]
        below, above = table.under * under, table.over * over
        sums = (below + above).cumsum() - below - above - float(below.sum())
        slope: Floats = self.under_tops - self.under[before].repeat(counts)
        slope *= under.repeat(counts)
        more = self.over_tops - self.over[before].repeat(counts)
        more *= over.repeat(counts)
        slope += more
        slope += sums.repeat(counts)
        ratio = self.weights * rate.take(table.pair)
        gain = added(self.begun, ratio, len(slope) + 1)
        gain -= added(self.ended, ratio, len(slope) + 1)
        slope += gain.cumsum()[:-1]
        return slope


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Table:
    """How often each pair of levels was told, and where the levels of each range are."""

    low: Integers
    high: Integers
    told: Floats
    edges: Integers
    rank: Integers
    pair: Integers
    under: Floats
    over: Floats

    def scattered(self, rate: Floats) -> Floats:
        """Write the rate of each pair of levels into a table, 0 where none was told."""
        size = len(self.edges) - 1
        every = np.zeros((size, size))
        every[self.low, self.high] = rate
        return every


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
    """

    at: Integers
    other: Integers
    minus: Floats
    passed: Integers
    begins: Integers
    ended: Integers

    @classmethod
    def of(cls, first: Integers, past: Integers, weights: Floats, m: int) -> "_Ends":
        begins, ends = np.zeros(m, dtype=np.bool_), np.zeros(m, dtype=np.bool_)
        begins[first] = ends[past - 1] = begins[0] = ends[-1] = True
        begun, ended = first > 0, past < m
        at = np.concatenate([past[ended], first[begun]])
        order = np.argsort(at, kind="stable")
        return cls(
            at=at[order],
            other=np.concatenate([first[ended], past[begun]])[order],
            minus=-np.concatenate([weights[ended], weights[begun]])[order],
            passed=np.bincount(at, minlength=m).cumsum(),
            begins=np.flatnonzero(begins),
            ended=np.flatnonzero(ends),
        )

    def beside(self, level: int, *, up: bool) -> int:
        """The cell that gains most at first where the share before a level is to rise."""
        if up:
            return int(self.begins[np.searchsorted(self.begins, level - 1, side="right") - 1])
        return int(self.ended[np.searchsorted(self.ended, level)])

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

    def missing(self, places: Integers, here: Place, tol: float) -> tuple[float, Integers]:
        """Say how much log-likelihood is missing at most, and the tops between places with mass."""
        sides = self.slope[: self.cut], self.slope[self.cut :]
        more = [float(side.max()) - most for side, most in zip(sides, here.sides, strict=True)]
        gap = here.gap + here.share * max(more[0], 0.0) + (1 - here.share) * max(more[1], 0.0)
        left, right = (
            np.flatnonzero(side > most + tol / 4)
            for side, most in zip(sides, here.sides, strict=True)
        )
        high = np.concatenate([left, right + self.cut])
        between = np.searchsorted(places, self.cells[high])
        between[len(left) :] += 1  # the level held parts those between the same two places
        starts = np.flatnonzero(np.diff(between, prepend=-1)).tolist()
        slope, ends = self.slope[high], [*starts, len(high)][1:]
        tops = [one + int(slope[one:end].argmax()) for one, end in zip(starts, ends, strict=True)]
        return gap, self.cells[high[tops]]

    def served(self, sides: tuple[float, float], tol: float) -> tuple[int, int]:
        """Say between which levels the same would be held: as far as no cell would gain mass."""
        (first, last), cut = self.beside, self.cut
        below = np.flatnonzero(self.slope[first + 1 : cut] > sides[1] + tol / 4)
        above = np.flatnonzero(self.slope[cut:last] > sides[0] + tol / 4)
        least = first + 1 + (below[-1] + 1 if len(below) else 0)
        most = cut + above[0] if len(above) else last
        return int(self.cells[least]), int(self.cells[most])


def _joined(places: Integers, upto: Floats, more: Integers) -> tuple[Integers, Floats]:
    """Leave out the places without mass, and put others between."""
    kept = upto[1:] > upto[:-1]
    old, upto = places[kept], upto[np.append(True, kept)]
    more = more[old.take(np.searchsorted(old, more), mode="clip") != more]
    new = np.sort(np.append(old, more))
    return new, upto[np.append(np.searchsorted(old, new), len(old))]


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
