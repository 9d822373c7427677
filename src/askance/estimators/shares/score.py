"""Intervals for one share of two, by inverting the score test through the channel."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from askance.estimators.shares.informative import Informative
from askance.typing import Floats

_TINY = 1e-200  # a share beside which 0 makes no difference
_CLOSE = 1e-13  # relative


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Seen:
    """Informative reports, read towards one of the two answers."""

    here: Floats
    there: Floats
    counts: Floats
    share: float

    def chance(self, share: float) -> Floats:
        chance: Floats = share * self.here + (1 - share) * self.there
        return chance

    def excess(self, share: float, z: float) -> float:
        """Give how far the score exceeds z of its standard deviations, given the report count."""
        chance, slope = self.chance(share), self.here - self.there
        seen = self.counts > 0
        score = float((self.counts[seen] * slope[seen] / chance[seen]).sum())
        with np.errstate(divide="ignore", over="ignore"):
            information = self.counts.sum() / self.share * float((slope**2 / chance).sum())
        return score - z * float(np.sqrt(information))

    def deviance(self, share: float) -> float:
        """Give twice the log-likelihood lost at this share against a share of one."""
        seen = self.counts > 0
        best, here = self.chance(1.0)[seen], self.chance(share)[seen]
        return float(-2 * self.counts[seen] @ np.log1p((here - best) / best))


def score_interval(data: Informative, share: float, z: float) -> tuple[float, float]:
    """Give the shares of the first answer that the score test does not reject.

    All π with |S(π)| ≤ z √I(π), where S is the slope of the log-likelihood and I the information
    expected of as many informative reports. For a binomial report this is Wilson's (1927) interval
    of the report's frequency, mapped through the channel and cut to [0, 1]. Where the estimate is 0
    or 1 the shares that the likelihood ratio does not reject are added, so that the interval is
    never empty, however far outside the frame the frequencies lie.

    Parameters
    ----------
    data : Informative
        With two answers.
    share : float
        The most likely share of the first.
    z : float
        Normal quantile of the level.

    >>> data = Informative(
    ...     labels=("a", "b"), rows=np.eye(2), counts=np.array([0, 10.0]), share=1.0, received=10
    ... )
    >>> low, high = score_interval(data, 0.0, 1.959964)  # Wilson: z²/(n + z²)
    >>> low, round(high, 6)
    (0.0, 0.277533)
    """
    first, second = data.rows[:, 0], data.rows[:, 1]
    low = _lower(_Seen(here=first, there=second, counts=data.counts, share=data.share), share, z)
    mirrored = _Seen(here=second, there=first, counts=data.counts, share=data.share)
    return low, 1 - _lower(mirrored, 1 - share, z)


def _lower(seen: _Seen, share: float, z: float) -> float:
    if share <= 0 or seen.excess(_TINY, z) <= 0:
        return 0.0
    low = share
    if seen.excess(share, z) < 0:
        low = _bisect(lambda at: seen.excess(at, z) > 0, _TINY, share)
    if share >= 1:
        low = min(low, _bisect(lambda at: seen.deviance(at) > z * z, _TINY, 1.0))
    return low


def _bisect(rejected: Callable[[float], bool], low: float, high: float) -> float:
    """Find where rejection ends, from a rejected low to a kept high; None rejected gives low."""
    while high - low > _CLOSE * high:
        middle = (low + high) / 2
        if rejected(middle):
            low = middle
        else:
            high = middle
    return high
