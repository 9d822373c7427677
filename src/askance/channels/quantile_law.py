"""A cut drawn at a random quantile of the answers."""

from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, betaincinv

from askance.channels.continuous import ContinuousLaw
from askance.typing import Floats


@final
@dataclass(frozen=True, slots=True)
class QuantileLaw:
    r"""The law of :math:`F^{-1}(B)` with B ~ Beta(a, a): cuts among answers, not among numbers.

    Small a spreads the cuts into the tails, large a draws them to the median; a = 1 is a cut at
    another person's number.

    Attributes
    ----------
    prior : distribution
        F, with ``cdf`` and ``ppf``.
    shape : float
        a.

    References
    ----------
    Ding & Ding (2022), Theorem 1, made constructive.

    >>> from scipy import stats
    >>> round(float(QuantileLaw(stats.norm(), 2.0).cdf(0.0)), 12)
    0.5
    """

    prior: ContinuousLaw
    shape: float

    def cdf(self, x: npt.ArrayLike) -> Floats:
        """Give the chance of a cut up to here."""
        below, above = self.prior.cdf(x), self._beyond(x)
        chance = betainc(self.shape, self.shape, np.minimum(below, above))
        upto: Floats = np.where(below <= above, chance, 1 - chance)
        return upto

    def ppf(self, q: npt.ArrayLike) -> Floats:
        """Give the point that a cut does not exceed with this chance."""
        asked = np.asarray(q, dtype=float)
        tail = betaincinv(self.shape, self.shape, np.minimum(asked, 1 - asked))
        point: Floats = np.where(asked <= 0.5, self.prior.ppf(tail), self._from_above(tail))
        return point

    # A share next to 1 is told by what is left of it: small a puts half of the cuts out there.
    def _beyond(self, x: npt.ArrayLike) -> Floats:
        told = getattr(self.prior, "sf", None)
        left: Floats = 1 - self.prior.cdf(x) if told is None else told(x)
        return left

    def _from_above(self, tail: Floats) -> Floats:
        told = getattr(self.prior, "isf", None)
        point: Floats = self.prior.ppf(1 - tail) if told is None else told(tail)
        return point
