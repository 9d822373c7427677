"""The most likely masses over places that are not equally often heard of."""

from dataclasses import dataclass
from typing import final

import numpy as np

from askance.estimators.ranges.growing import tops
from askance.estimators.ranges.level_model import bend
from askance.estimators.ranges.runs import Runs
from askance.estimators.shares.simplex import climb
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
        slope: Floats = self.runs.pull(self._by_part(chance))[:-1] / self.price
        return slope

    def curvature(self, chance: Floats) -> Floats:
        """Give minus its second derivative by each pair of shares."""
        levels = np.arange(self.runs.m + 1)
        above = bend(self.runs, self.runs.curves(self._by_part(chance)), levels)[1:-1, 1:-1]
        by_level = above + np.triu(above, 1).T
        by_mass = by_level[::-1, ::-1].cumsum(axis=0).cumsum(axis=1)[::-1, ::-1]
        curvature: Floats = by_mass / np.multiply.outer(self.price, self.price)
        return curvature

    def _by_part(self, chance: Floats) -> list[Floats]:
        return np.split(chance, np.cumsum([len(one) for one in self.runs.weights()])[:-1])


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
    shares, support = mass * price / (mass @ price), np.zeros(0, dtype=np.int64)
    for _ in range(_ROUNDS):
        slope = whole.slope(whole.chance(shares))
        gap = float(slope.max() / runs.n - 1)
        before, support = support, _support(shares, slope, runs.n)
        if gap <= tol or np.array_equal(before, support):
            break
        part = Weighed(runs=runs.onto(np.append(support, len(price))), price=price[support])
        found, _ = climb(part, shares[support] / shares[support].sum(), tol / 2)
        shares = np.zeros(len(price))
        shares[support] = found
    return shares / price, gap


def _support(shares: Floats, slope: Floats, n: float) -> Integers:
    if len(shares) <= _FEW:
        return np.arange(len(shares))
    kept = np.flatnonzero(shares)
    return np.union1d(kept, tops(slope, kept, n))
