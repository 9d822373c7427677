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
        upto: Floats = betainc(self.shape, self.shape, self.prior.cdf(x))
        return upto

    def ppf(self, q: npt.ArrayLike) -> Floats:
        """Give the point that a cut does not exceed with this chance."""
        point: Floats = self.prior.ppf(betaincinv(self.shape, self.shape, np.asarray(q)))
        return point
