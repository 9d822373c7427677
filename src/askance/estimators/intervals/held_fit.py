"""The most likely distribution of those with a given share up to a point, from ranges of one piece.

Written by the levels of F at the places with mass, equal ranges are one entry of a small table, and
a Newton step with F(t) held is one Cholesky solve. Which other places deserve mass is read off one
pass over all ends in order: the slope by the mass between two neighbouring ends is a running sum.
The slopes also tell how much likelihood is missing at most, which ends the search.
"""

from dataclasses import dataclass
from typing import final

import numpy as np

from askance.estimators.ranges.support import Runs
from askance.typing import Booleans, Floats, Integers

_LARGEST = 300  # places with mass: a table of their pairs is still small
_PEOPLE = 1e10  # sums of logarithms over more are not precise enough
_ROUNDS = 25  # of places that join
_STEPS = 40  # of Newton's method
_HALVINGS = 40
_EXCHANGES = 30
_SAME = 1e-14  # shares that are one but for rounding
_RIDGE = 1e-9  # of the largest curvature, where rounding leaves none
_ROUGH = 1.0  # log-likelihood that may be missing before the first places join


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
    levels : tuple of int
        The first and the last before which it is the most likely with this share held; none of the
        most likely distribution.
    """

    places: Integers
    upto: Floats
    fall: float
    slope: float
    levels: tuple[int, int] = (0, -1)

    def serves(self, level: int, share: float) -> bool:
        """Say whether this is the fit with a share held before a level too."""
        least, most = self.levels
        return least <= level <= most and abs(self.before(level) - share) <= _SAME

    def before(self, level: int) -> float:
        """Give the share in the cells before a level."""
        return float(self.upto[np.searchsorted(self.places, level)])


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeldFits:
    """The likelihood of ranges of one piece over cells, ready for shares to be held.

    Attributes
    ----------
    m : int
        How many cells.
    first, past : array of int, shape (r,)
        Range i holds the cells ``first[i] … past[i] − 1``.
    weights : array, shape (r,)
    at, other : array of int, shape (e,)
        Each end inside, in order, and the other end of its range.
    minus : array, shape (e,)
        Minus the weight of its range.
    passed : array of int, shape (m,)
        How many ends lie at or before each cell.
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
    at: Integers
    other: Integers
    minus: Floats
    passed: Integers
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
        begun, ended = first > 0, past < runs.m
        at = np.concatenate([past[ended], first[begun]])  # at one level what ends goes first
        order = np.argsort(at, kind="stable")
        at = at[order]
        upto = np.concatenate([[0.0], np.cumsum(mass[places])])
        upto /= upto[-1]
        table = _table(first, past, weights, _counts(runs.m, places), len(places))
        return cls(
            m=runs.m,
            first=first,
            past=past,
            weights=weights,
            at=at,
            other=np.concatenate([first[ended], past[begun]])[order],
            minus=-np.concatenate([weights[ended], weights[begun]])[order],
            passed=np.searchsorted(at, np.arange(runs.m), side="right"),
            n=float(weights.sum()),
            tol=tol * runs.n,
            free=HeldFit(
                places=places, upto=upto, fall=-_Table.of(table).likelihood(upto), slope=0
            ),
        )

    def held(self, level: int, share: float, near: HeldFit) -> HeldFit | None:
        """Fit with this share in the cells before a level, from a fit that is near.

        Parameters
        ----------
        level : int
            In 1 … m − 1.
        share : float
            Strictly between 0 and 1.
        near : HeldFit

        Returns
        -------
        HeldFit or None
            None where rounding leaves more log-likelihood missing than may be.
        """
        places, upto = _moved(near, level, share)
        enough = _ROUGH if near is self.free else self.tol / 2
        for _ in range(_ROUNDS):
            if len(places) > _LARGEST:
                return None
            counts, before = _counts(self.m, places), int(np.searchsorted(places, level))
            table = _Table.of(_table(self.first, self.past, self.weights, counts, len(places)))
            climb = _Climb(table=table, before=before, share=share, n=self.n)
            found = climb.most_likely(upto, enough)
            if found is None:
                return None
            upto, pull = found
            sides = float(pull[:before].max()), float(pull[before:].max())
            every = upto.repeat(counts)
            slope = self._slope(level, places, every, upto, pull)
            gap, more = self._missing(level, share, places, slope, sides)
            if gap <= self.tol:
                return HeldFit(
                    places=places,
                    upto=upto,
                    fall=-self.free.fall - table.likelihood(upto),
                    slope=sides[0] - sides[1],
                    levels=self._served(level, before, places, slope, sides),
                )
            enough = self.tol / 2
            kept = places[np.diff(upto) > 0]
            places = np.union1d(kept, more)
            upto = np.concatenate([[0.0], every[places + 1]])
        return None

    def _slope(
        self, level: int, places: Integers, every: Floats, upto: Floats, pull: Floats
    ) -> Floats:
        """Give the slope by the mass of a cell after each end, but none within the level held."""
        slope = np.zeros(len(self.at) + 1)
        chance = every.take(self.at)
        chance -= every.take(self.other)
        np.cumsum(np.divide(self.minus, chance, out=chance), out=slope[1:])
        widest = int(np.argmax(np.diff(upto)))
        slope += pull[widest] - slope[self.passed[places[widest]]]
        slope[self.passed[level - 1] + 1 : self.passed[level]] = -np.inf
        return slope

    def _served(
        self,
        level: int,
        before: int,
        places: Integers,
        slope: Floats,
        sides: tuple[float, float],
    ) -> tuple[int, int]:
        """Say between which levels the same would be held: as far as no cell would gain mass."""
        left, right = self.passed[places[before - 1]], self.passed[places[before]]
        last, first = self.passed[level - 1], self.passed[level]
        below = np.flatnonzero(slope[left + 1 : last + 1] > sides[1] + self.tol / 4)
        above = np.flatnonzero(slope[first:right] > sides[0] + self.tol / 4)
        least = self.at[left + below[-1]] + 1 if len(below) else places[before - 1] + 1
        return int(least), int(self.at[first + above[0] - 1] if len(above) else places[before])

    def _missing(
        self,
        level: int,
        share: float,
        places: Integers,
        slope: Floats,
        sides: tuple[float, float],
    ) -> tuple[float, Integers]:
        """Say how much log-likelihood is missing at most, and the tops between places with mass."""
        own, last = self.passed[places], int(self.passed[level - 1])
        cut = int(np.searchsorted(own, last, side="right"))
        starts = np.concatenate([[0], own[:cut], [last + 1], own[cut:]])
        starts = starts[np.append(True, np.diff(starts) > 0) & (starts < len(slope))]
        tops = np.maximum.reduceat(slope, starts)
        left = starts <= last
        gap = share * tops[left].max() + (1 - share) * tops[~left].max() - self.n
        high = np.flatnonzero(tops > np.where(left, *sides) + self.tol / 4)
        ends = np.append(starts, len(slope))
        spans = zip(ends[high].tolist(), ends[high + 1].tolist(), strict=True)
        top = np.array([one + slope[one:end].argmax() for one, end in spans], dtype=np.int64)
        return float(gap), np.where(top > 0, self.at.take(top - 1), 0)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Table:
    """How often each pair of levels was told, and where none was."""

    told: Floats
    none: Floats

    @classmethod
    def of(cls, told: Floats) -> "_Table":
        return cls(told=told, none=np.where(told > 0, 0.0, np.inf))

    def chances(self, upto: Floats) -> Floats:
        """Give the chance of each pair, infinite where it was not told."""
        chance = upto - upto[:, None]
        chance += self.none
        return chance

    def likelihood(self, upto: Floats) -> float:
        told = self.told > 0
        return float(self.told[told] @ np.log((upto - upto[:, None])[told]))


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Climb:
    """Newton's method by the levels, that at one of them held."""

    table: _Table
    before: int
    share: float
    n: float

    def most_likely(self, upto: Floats, tol: float) -> tuple[Floats, Floats] | None:
        """Climb until so little is missing on these places; give the levels and the slopes."""
        free = np.ones(len(upto) - 1, dtype=np.bool_)
        chance = self.table.chances(upto)
        ratio = self.table.told / chance
        gradient, pull, gap = self._pull(ratio)
        for _ in range(_STEPS):
            if gap <= tol:
                return upto, pull
            ratio /= chance
            target = self._target(_bend(ratio), gradient, upto, free)
            if target is None:
                return None
            found = self._reached(upto, target, gap)
            if found is None:
                return None
            upto, chance, ratio, gradient, pull, gap = found
            free = upto[1:] > upto[:-1]
        return None

    def _pull(self, ratio: Floats) -> tuple[Floats, Floats, float]:
        """Give the slopes by each level and by each mass, and how much they say is missing."""
        gradient = np.add.reduce(ratio, axis=0)
        gradient -= np.add.reduce(ratio, axis=1)
        pull = -gradient.cumsum()[:-1]
        left, right = pull[: self.before].max(), pull[self.before :].max()
        return gradient, pull, float(self.share * left + (1 - self.share) * right - self.n)

    def _reached(
        self, upto: Floats, target: Floats, gap: float
    ) -> tuple[Floats, Floats, Floats, Floats, Floats, float] | None:
        """Go to the target, or part of the way where the likelihood would fall."""
        length, here = 1.0, None
        for _ in range(_HALVINGS):
            point = target if length == 1 else upto + length * (target - upto)
            chance = self.table.chances(point)
            if chance.min() > 0:
                ratio = self.table.told / chance
                gradient, pull, left = self._pull(ratio)
                here = self.table.likelihood(upto) if here is None and left > gap / 2 else here
                if left <= gap / 2 or (here is not None and self.table.likelihood(point) > here):
                    return point, chance, ratio, gradient, pull, left
            length /= 2
        return None

    def _target(
        self, bend: Floats, gradient: Floats, upto: Floats, free: Booleans
    ) -> Floats | None:
        """Find the top of the quadratic by exchanging blocks of places, as `LevelModel.best`."""
        every, fewest, patience = free, len(free) + 1, 3
        for _ in range(_EXCHANGES):
            if not free[: self.before].any() or not free[self.before :].any():
                break
            found = self._face(bend, gradient, upto, free)
            if found is None:
                return None
            target, pull = found
            wrong = target[1:] < target[:-1]
            if not free.all():
                wrong = np.where(free, wrong, self._better(pull, free))
            count = int(np.count_nonzero(wrong))
            if not count:
                return target
            fewest, patience = (count, 3) if count < fewest else (fewest, patience - 1)
            if not patience:
                break
            free = free ^ wrong
        return self._walked(bend, gradient, upto, every)

    def _walked(
        self, bend: Floats, gradient: Floats, upto: Floats, free: Booleans
    ) -> Floats | None:
        """Walk to the top of the quadratic: one place at a time falls to 0 or joins."""
        mass, free = np.diff(upto), free.copy()
        for _ in range(len(free) + _EXCHANGES):
            found = self._face(bend, gradient, upto, free)
            if found is None:
                return None
            target, pull = found
            new = np.diff(target)
            falling = free & (new < 0)
            if falling.any():
                reach = np.where(falling, mass / np.where(falling, mass - new, 1.0), 1.0)
                mass = np.where(free, mass + reach.min() * (new - mass), 0.0).clip(0)
                gone = falling & (reach <= reach.min() * (1 + 1e-12))
                mass[gone], free[gone] = 0.0, False
                continue
            mass, better = new, self._better(pull, free)
            if not better.any():
                return target
            free[np.argmax(np.where(better, pull, -np.inf))] = True
        return None

    def _face(
        self, bend: Floats, gradient: Floats, upto: Floats, free: Booleans
    ) -> tuple[Floats, Floats] | None:
        """Find the top where only free places have mass, and the slopes by each mass there."""
        base = self._without(upto, free)
        slope = gradient if base is upto else gradient - bend @ (base - upto)
        step = self._step(bend, slope, free)
        return None if step is None else (base + step, -np.cumsum(slope - bend @ step)[:-1])

    def _better(self, pull: Floats, free: Booleans) -> Booleans:
        least, k = 1e-12 * np.abs(pull).max(), self.before
        left, right = pull[:k][free[:k]].max(), pull[k:][free[k:]].max()
        better: Booleans = pull > np.where(np.arange(len(pull)) < k, left, right) + least
        return better

    def _without(self, upto: Floats, free: Booleans) -> Floats:
        """Take the mass off the places that are not free, to the last free one on their side."""
        if free.all():
            return upto
        mass = np.diff(upto)
        if not mass[~free].any():
            return upto
        kept = np.where(free, mass, 0.0)
        for part in (slice(None, self.before), slice(self.before, None)):
            kept[part][np.flatnonzero(free[part])[-1]] += (mass - kept)[part].sum()
        return np.concatenate([[0.0], np.cumsum(kept)])

    def _step(
        self, bend: Floats, slope: Floats, free: Booleans, ridge: float = 0.0
    ) -> Floats | None:
        """Solve for the levels, of which those with no free place between are one."""
        from scipy.linalg.lapack import dposv

        matrix, side, before = bend.copy(), slope.copy(), self.before
        idle = np.flatnonzero(~free)[::-1].tolist()
        if idle:
            for one in idle:
                matrix[one] += matrix[one + 1]
                matrix[:, one] += matrix[:, one + 1]
                side[one] += side[one + 1]
            starts = np.append(0, np.flatnonzero(free) + 1)
            matrix, side = matrix.take(starts, axis=0).take(starts, axis=1), side.take(starts)
            before = int(np.count_nonzero(free[:before]))
        for at in (0, before, -1):
            matrix[at] = matrix[:, at] = side[at] = 0.0
            matrix[at, at] = 1.0
        if ridge:
            np.einsum("ii->i", matrix)[:] += ridge * matrix.diagonal().max()
        _, step, wrong = dposv(matrix.T, side, overwrite_a=True, overwrite_b=True)
        if wrong:
            return None if ridge else self._step(bend, slope, free, _RIDGE)
        found: Floats = step.take(np.append(0, np.cumsum(free))) if idle else step
        return found


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


def _counts(m: int, places: Integers) -> Integers:
    """Say at how many of the m + 1 levels F has each of its values."""
    counts = np.empty(len(places) + 1, dtype=np.int64)
    counts[0], counts[-1] = places[0] + 1, m - places[-1]
    np.subtract(places[1:], places[:-1], out=counts[1:-1])
    return counts


def _table(first: Integers, past: Integers, weights: Floats, counts: Integers, size: int) -> Floats:
    """Add up the ranges by the levels of their two ends."""
    rank = np.arange(size + 1).repeat(counts)
    key = rank.take(first)
    key *= size + 1
    key += rank.take(past)
    told = np.bincount(key, weights, (size + 1) ** 2).astype(np.float64, copy=False)
    return told.reshape(size + 1, size + 1)


def _bend(curve: Floats) -> Floats:
    """Give minus the second derivative by each pair of levels."""
    bend: Floats = -curve - curve.T
    np.einsum("ii->i", bend)[:] += curve.sum(axis=0) + curve.sum(axis=1)
    return bend


def _moved(near: HeldFit, level: int, share: float) -> tuple[Integers, Floats]:
    """Move the share of a fit: what is near is stretched, what is far stays."""
    places, upto = near.places, near.upto
    before = int(np.searchsorted(places, level))
    if before == 0:
        return np.insert(places, 0, level - 1), np.append(0.0, share + (1 - share) * upto)
    if before == len(places):
        return np.append(places, level), np.append(share * upto, 1.0)
    was = float(upto[before])
    far = abs(share - was)
    low, high = max(min(share, was) - far, 0.0), min(max(share, was) + far, 1.0)
    moved = np.interp(upto, [-1.0, low, was, high, 2.0], [-1.0, low, share, high, 2.0])
    moved[before] = share
    return places, moved
