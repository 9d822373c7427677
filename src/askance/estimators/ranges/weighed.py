"""The most likely masses over places that are not equally often heard of."""

from dataclasses import dataclass
from typing import final

import numpy as np

from askance.estimators.ranges.growing import tops
from askance.estimators.ranges.level_model import bend
from askance.estimators.ranges.runs import Runs
from askance.estimators.shares.mixture import climb
from askance.typing import Floats, Integers

_FEW = 100  # places that need no growing
_ROUNDS = 200


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Weighed:
    """Maximise Σ w_i log P_i over masses whose prices sum to one: a `MixtureLike` of what is paid.

    Attributes
    ----------
    runs : Runs
        Over m places and one more behind them, which no row holds.
    price : array, shape (m,)
        Positive.
    """

    runs: Runs
    price: Floats

    def on(self, support: Integers) -> "Weighed":
        """Keep these places alone."""
        return Weighed(runs=_onto(self.runs, support), price=self.price[support])

    @property
    def weights(self) -> Floats:
        """How often each row was seen."""
        return np.concatenate(self.runs.weights())

    @property
    def total(self) -> float:
        """What is paid for all masses together."""
        return 1.0

    def chance(self, shares: Floats) -> Floats:
        """Give the mass of each row, where place j has shares_j / price_j."""
        return np.concatenate(self.runs.chances(np.append(shares / self.price, 0.0)))

    def slope(self, chance: Floats) -> Floats:
        """Give the derivative of the log-likelihood by each share."""
        slope: Floats = self.runs.pull(_by_part(self.runs, chance))[:-1] / self.price
        return slope

    def curvature(self, chance: Floats) -> Floats:
        """Give minus its second derivative by each pair of shares."""
        by_mass = _curvature(self.runs, _by_part(self.runs, chance))
        curvature: Floats = by_mass / np.multiply.outer(self.price, self.price)
        return curvature


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counted:
    """Maximise Σ w_i log P_i + n₀ log Σ c_j f_j: one row more, to which places add parts.

    Attributes
    ----------
    runs : Runs
        Over m places and one more behind them, which no row holds.
    silent : array, shape (m,)
        c, the chance that nobody is heard of from a place.
    nulls : float
        n₀, how many were not; positive.
    """

    runs: Runs
    silent: Floats
    nulls: float

    def on(self, support: Integers) -> "Counted":
        """Keep these places alone."""
        runs = _onto(self.runs, support)
        return Counted(runs=runs, silent=self.silent[support], nulls=self.nulls)

    @property
    def weights(self) -> Floats:
        """How often each row was seen."""
        return np.append(np.concatenate(self.runs.weights()), self.nulls)

    @property
    def total(self) -> float:
        """What all masses sum to."""
        return 1.0

    def chance(self, shares: Floats) -> Floats:
        """Give the chance of each row."""
        held = self.runs.chances(np.append(shares, 0.0))
        return np.concatenate([*held, [self.silent @ shares]])

    def slope(self, chance: Floats) -> Floats:
        """Give the derivative of the log-likelihood by each share."""
        heard = self.runs.pull(_by_part(self.runs, chance[:-1]))[:-1]
        slope: Floats = heard + self.nulls / chance[-1] * self.silent
        return slope

    def curvature(self, chance: Floats) -> Floats:
        """Give minus its second derivative by each pair of shares."""
        heard = _curvature(self.runs, _by_part(self.runs, chance[:-1]))
        part = self.silent / chance[-1]
        curvature: Floats = heard + self.nulls * np.multiply.outer(part, part)
        return curvature


def _onto(runs: Runs, support: Integers) -> Runs:
    return runs.onto(np.append(support, runs.m - 1))


def _by_part(runs: Runs, chance: Floats) -> list[Floats]:
    return np.split(chance, np.cumsum([len(one) for one in runs.weights()])[:-1])


def _curvature(runs: Runs, chance: list[Floats]) -> Floats:
    levels = np.arange(runs.m + 1)
    above = bend(runs, runs.curves(chance), levels)[1:-1, 1:-1]
    by_level = above + np.triu(above, 1).T
    by_mass: Floats = by_level[::-1, ::-1].cumsum(axis=0).cumsum(axis=1)[::-1, ::-1]
    return by_mass


def weighed(runs: Runs, price: Floats, mass: Floats, tol: float) -> tuple[Floats, float]:
    r"""Find h ≥ 0 with Σ price h = 1 that maximises the likelihood.

    With g = price h this is a concave problem on a simplex; it is climbed on the places with mass
    and the tops of the slope between them (Wang, 2007), until no place promises more.

    Parameters
    ----------
    runs : Runs
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
    whole = Weighed(runs=runs, price=price)
    shares, gap = _grown(whole, mass * price / (mass @ price), runs.n, tol)
    return shares / price, gap


def counted(
    runs: Runs, silent: Floats, nulls: float, mass: Floats, tol: float
) -> tuple[Floats, float]:
    r"""Find f ≥ 0 with Σ f = 1 that makes what was sent, and so many nulls, most likely.

    Parameters
    ----------
    runs : Runs
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
        return weighed(runs, np.ones(len(mass)), mass, tol)
    start = 0.9 * mass / mass.sum()
    start[np.argmax(silent)] += 0.1  # nulls must have a chance
    whole = Counted(runs=runs, silent=silent, nulls=nulls)
    return _grown(whole, start, runs.n + nulls, tol)


def _grown(whole: Weighed | Counted, shares: Floats, n: float, tol: float) -> tuple[Floats, float]:
    """Climb on the places with mass and the tops between them, until no place promises more."""
    support = np.zeros(0, dtype=np.int64)
    for _ in range(_ROUNDS):
        slope = whole.slope(whole.chance(shares))
        gap = float(slope.max() / n - 1)
        before, support = support, _support(shares, slope, n)
        if gap <= tol or np.array_equal(before, support):
            break
        part = whole.on(support)
        found, _ = climb(part, shares[support] / shares[support].sum(), tol / 2)
        shares = np.zeros(len(shares))
        shares[support] = found
    return shares, gap


def _support(shares: Floats, slope: Floats, n: float) -> Integers:
    if len(shares) <= _FEW:
        return np.arange(len(shares))
    kept = np.flatnonzero(shares)
    return np.union1d(kept, tops(slope, kept, n))
