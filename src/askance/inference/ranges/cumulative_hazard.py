"""The likelihood of truncated ranges in the cumulative hazard, in which it is concave.

Where entries alone truncate ranges of one piece, or exits alone, log{P(l < Y ≤ r)/P(Y > e)} is
H(e) − H(l) + log{1 − exp(H(l) − H(r))} with H the cumulative hazard. So Newton's method finds the
one top, and with people who tell only on which side of a point they are, the top at each share. A
hazard without bound is a share of nothing, which is a number here and no exception.
"""

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from askance.inference.ranges.support import ranks, tops
from askance.typing import Floats, Integers

_STEPS, _HALVINGS = 200, 40
_SURE = 40.0  # a hazard after which nobody is left but for rounding
_CERTAIN = 25.0  # one that was on the way there
_RIDGE = 1e-12  # of the largest curvature
_SETTLED = 1e-13  # log-likelihood a person, that a step may still promise


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HazardLikelihood:
    r"""The likelihood of ranges of one piece with delayed entry, concave in the hazard's sum H.

    .. math:: \sum_i w_i [H(e_i) - H(l_i) + \log\{1 - e^{H(l_i) - H(r_i)}\}]

    Behind the last place nobody is left, so that ranges up to it have no second term. Ranges with
    exits are those of the number's negative, places in reverse.

    Attributes
    ----------
    m : int
        How many places there are.
    first, past : array of int
        What each range holds that ends before the last place.
    weights : array
        Those of these ranges.
    exposure : array, shape (m - 1,)
        How many people, entered, pass each place before their range begins.
    n : float
        What the weights of all ranges sum to.
    backwards : bool
        Whether places are in reverse.
    """

    m: int
    first: Integers
    past: Integers
    weights: Floats
    exposure: Floats
    n: float
    backwards: bool

    @classmethod
    def over(
        cls,
        m: int,
        ranges: tuple[Integers, Integers],
        windows: tuple[Integers, Integers],
        weights: Floats,
    ) -> "HazardLikelihood":
        """Write ranges and their windows, both by first place and past, over m places."""
        (first, past), (entry, end) = ranges, windows
        backwards = bool((end < m).any())
        if backwards:
            first, past, entry = m - past, m - first, m - end
        is_closed, n = past < m, float(weights.sum())
        change = np.bincount(entry, weights, m + 1) - np.bincount(first, weights, m + 1)
        passing = np.cumsum(change)[: m - 1]
        return cls(
            m=m,
            first=first[is_closed],
            past=past[is_closed],
            weights=weights[is_closed],
            exposure=np.where(passing > _RIDGE * n, passing, 0.0),
            n=n,
            backwards=backwards,
        )

    def with_crowd(self, level: int, people: float, *, up: bool) -> "HazardLikelihood":
        """Add a crowd of binary observations: in the first places, or in the others."""
        level, up = (self.m - level, not up) if self.backwards else (level, up)
        if not up:
            exposure = self.exposure + people * (np.arange(self.m - 1) < level)
            return replace(self, exposure=exposure, n=self.n + people)
        if level == self.m:
            return replace(self, n=self.n + people)
        return replace(
            self,
            first=np.append(self.first, 0),
            past=np.append(self.past, level),
            weights=np.append(self.weights, people),
            n=self.n + people,
        )

    def hazards(self, mass: Floats) -> Floats:
        """The hazards of masses, at most a bound."""
        mass = mass[::-1] if self.backwards else mass
        beyond = np.cumsum(mass[::-1])[::-1]
        part = np.divide(mass, beyond, out=np.zeros(self.m), where=beyond > 0)[:-1]
        with np.errstate(divide="ignore"):
            return np.minimum(-np.log1p(-np.minimum(part, 1.0)), _SURE)

    def masses(self, hazard: Floats) -> Floats:
        """The masses of hazards; none beyond one without bound."""
        nobody = np.logical_or.accumulate(np.append(False, hazard >= _CERTAIN))
        survival = np.where(nobody, 0.0, np.exp(-np.append(0.0, np.cumsum(hazard))))
        mass = np.append(-np.diff(survival), survival[-1]).clip(0)
        return mass[::-1] if self.backwards else mass

    def share(self, hazard: Floats, level: int) -> float:
        """The share in the first places."""
        if self.backwards:
            return float(np.exp(-hazard[: self.m - level].sum()))
        return float(-np.expm1(-hazard[:level].sum())) if level < self.m else 1.0

    def certain(self, hazard: Floats) -> Integers:
        """Places behind which, or in reverse before which, a hazard without bound leaves nobody."""
        places = np.flatnonzero(hazard >= _CERTAIN)
        return self.m - 2 - places if self.backwards else places

    def total(self, hazard: Floats) -> float:
        """The log-likelihood of hazards by place."""
        rise = self._rise(hazard)
        if not (rise > 0).all():
            return -np.inf
        return float(self.weights @ np.log(-np.expm1(-rise)) - self.exposure @ hazard)

    def maximise(self, hazard: Floats, tol: float) -> Floats:
        """Maximise by Newton's method among hazards from 0 to a bound (Bertsekas, 1982).

        Until no place promises more than a part tol of all people's weight, and no step anything.
        """
        total = self.total(hazard)
        for _ in range(_STEPS):
            slope = self._slope(hazard)
            moving = np.flatnonzero((hazard > 0) & ~((hazard >= _SURE) & (slope >= 0)))
            better = tops(slope, np.flatnonzero(hazard), tol * self.n)
            step = self._step(hazard, slope, np.union1d(moving, better))
            if not len(better) and slope @ step <= _SETTLED * self.n:
                return np.clip(hazard + step, 0, _SURE)
            for halving in range(_HALVINGS):
                trial = np.clip(hazard + 0.5**halving * step, 0, _SURE)
                if (trial_total := self.total(trial)) > total:
                    break
            else:
                break
            hazard, total = trial, trial_total
        return hazard

    def product_limit(self, hazard: Floats) -> Floats:
        """Put in the hazards of places that are ranges of their own, as though all were such.

        Where nobody passes, a hazard has no bound.
        """
        single = self.past - self.first == 1
        events = np.bincount(self.first[single], self.weights[single], self.m)[: self.m - 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            alone = np.minimum(np.log1p(events / self.exposure), _SURE)
        hazard = np.where(events > 0, alone, hazard)
        return np.where((self.exposure == 0) & (hazard > 0), _SURE, hazard)

    def begin(self, hazard: Floats) -> Floats:
        """Start hazards for a crowd that is impossible under these, as if it alone were at risk."""
        rise = self._rise(hazard)
        if (rise > 0).all():
            return hazard
        row, started = int(np.argmin(rise)), hazard.copy()
        first, past = int(self.first[row]), int(self.past[row])
        jump = first + int(np.argmax(self._slope_of_rest(hazard, row)[first:past]))
        started[jump] = np.log1p(self.weights[row] / self.n)
        return started

    def _slope_of_rest(self, hazard: Floats, row: int) -> Floats:
        """The derivative without a row."""
        rest = np.arange(len(self.weights)) != row
        others = replace(
            self, first=self.first[rest], past=self.past[rest], weights=self.weights[rest]
        )
        return others._slope(hazard)

    def _slope(self, hazard: Floats) -> Floats:
        """The derivative of the log-likelihood by the hazard of each place."""
        size = self.m + 1
        with np.errstate(over="ignore"):
            pull = self.weights / np.expm1(self._rise(hazard))
        change = np.bincount(self.first, pull, size) - np.bincount(self.past, pull, size)
        return np.asarray(np.cumsum(change)[: self.m - 1] - self.exposure, dtype=np.float64)

    def _curvature(self, hazard: Floats, support: Integers) -> Floats:
        """Its negative second derivative by the hazards of some places."""
        rise, rank = self._rise(hazard), ranks(self.m, support)
        size = len(support) + 1
        with np.errstate(over="ignore"):
            bend = self.weights / (4 * np.sinh(rise / 2) ** 2)
        pairs = np.bincount(rank[self.first] * size + rank[self.past], bend, size * size)
        begun = np.cumsum(pairs.reshape(size, size), axis=0)
        bends: Floats = np.triu(np.cumsum(begun[:, ::-1], axis=1)[:, ::-1][:-1, 1:])
        return np.asarray(bends + np.triu(bends, 1).T, dtype=np.float64)

    def _step(self, hazard: Floats, slope: Floats, support: Integers) -> Floats:
        """Newton's step on a support, without places at 0 that it would move below."""
        step = np.zeros(len(hazard))
        while len(support):
            matrix = self._curvature(hazard, support)
            ridge = _RIDGE * max(float(np.diag(matrix).max()), 1.0)
            move = np.linalg.solve(matrix + ridge * np.eye(len(support)), slope[support])
            is_kept = (hazard[support] > 0) | (move > 0)
            if is_kept.all():
                step[support] = move
                break
            support = support[is_kept]
        return step

    def _rise(self, hazard: Floats) -> Floats:
        upto = np.append(0.0, np.cumsum(hazard))
        return np.asarray(upto[self.past] - upto[self.first], dtype=np.float64)
