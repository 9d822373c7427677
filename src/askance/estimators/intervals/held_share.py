"""How far the likelihood falls when the share up to a point is held elsewhere, for any ranges.

Adding b imagined people who say only that they are above t moves the most likely F(t) down to some
θ. What they add to the log-likelihood, b log(1 − θ), depends on θ alone, so the new fit is the most
likely one of all with F(t) = θ, and every θ below the estimate belongs to one b. The same holds
upwards for people up to t. So one fast program, `npmle`, gives the whole profile likelihood, and
the crowd it takes is its slope. Where some numbers are heard of more often than others, the crowd
is drawn from all.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from askance.channels.ranges import Ranges
from askance.channels.selection import Selection
from askance.estimators.intervals.close_fit import log_likelihood
from askance.estimators.intervals.joined import can_join, joined
from askance.estimators.intervals.squared_deviate import squared_deviate
from askance.estimators.ranges.distribution import Distribution

_CLOSE = 1e-4  # logarithms of crowds, and of deviates, that are equal
_STRIDE = 0.3  # the first step of a crowd's logarithm
_LEAST, _MOST = -50.0, 14.0  # crowds, as logarithms of parts of the people
_SURE = 1 - 1e-12  # a share that rounding may make 1
_NOTHING = 1e-9  # a deviate whose logarithm is still taken


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """Imagined people, and where they move a share.

    Attributes
    ----------
    size : float
        The logarithm of how many.
    share : float
    excess : float
        The logarithm of the share's squared deviate over the critical value: nearly straight in
        the size.
    """

    size: float
    share: float
    excess: float


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeldShare:
    """The profile likelihood of a share.

    Attributes
    ----------
    ranges : Ranges
    fit : Distribution
        The most likely one.
    selection : Selection, optional
        How likely each number was to be heard of.
    """

    ranges: Ranges
    fit: Distribution
    selection: Selection | None = None

    def interval(self, point: float, critical: float) -> tuple[float, float]:
        """Give the shares whose squared deviate is at most the critical value."""
        ends = [0.0, 1.0]
        for up in (False, True):
            for _, beyond in self._closing(point, critical, up=up):
                ends[up] = beyond.share if beyond else ends[up]
        return ends[0], ends[1]

    def allows(self, point: float, share: float, critical: float) -> bool:
        """Say whether this share is in the interval; mostly the first crowds decide."""
        up = share > float(self.fit.cdf_bounds(point)[0])
        for within, beyond in self._closing(point, critical, up=up):
            if within and (within.share >= share if up else within.share <= share):
                return True
            if beyond and (beyond.share < share if up else beyond.share > share):
                return False
        return True

    def _closing(
        self, point: float, critical: float, *, up: bool
    ) -> Iterator[tuple[Crowd | None, Crowd | None]]:
        """Close in on the crowd that reaches the critical value, from within and from beyond."""
        best, people = self._told(self.fit), float(np.log(self.ranges.total))
        size, stride = float(np.log(critical)) + people / 3, _STRIDE
        within = beyond = None
        if not can_join(_side(point, up=up), self.selection):
            yield None, Crowd(size=-np.inf, share=float(self.fit.cdf_bounds(point)[0]), excess=0.0)
            return
        while _LEAST < size - people < _MOST:
            crowd = self._crowd(point, size, critical, best, up=up)
            if crowd.excess < -_CLOSE:
                within = crowd
            else:
                beyond = crowd
            yield within, beyond
            jump = within and beyond and beyond.size - within.size < _CLOSE
            if jump or abs(crowd.excess) <= _CLOSE:
                return
            size, stride = _next(crowd, within, beyond, stride), 2 * stride

    def _crowd(self, point: float, size: float, critical: float, best: float, *, up: bool) -> Crowd:
        people = float(np.exp(size))
        moved = joined(self.ranges, _side(point, up=up), people, self.selection)
        share = float(moved.cdf_bounds(point)[int(up)])
        agree = min(share if up else 1 - share, _SURE)
        fall = max(best - self._told(moved), 0.0)
        deviate = squared_deviate(fall, people * (1 - agree), agree)
        excess = float(np.log(max(deviate, _NOTHING) / critical))
        return Crowd(size=size, share=share, excess=excess)

    def _told(self, fit: Distribution) -> float:
        return log_likelihood(fit, self.ranges, self.selection)


def _side(point: float, *, up: bool) -> tuple[float, float]:
    """Give what a crowd says that moves the share up, or down."""
    return (-np.inf, point) if up else (point, np.inf)


def _next(crowd: Crowd, within: Crowd | None, beyond: Crowd | None, stride: float) -> float:
    """Go by the straight line between two crowds, and on from the last while there is but one."""
    if within and beyond:
        part = within.excess / (within.excess - beyond.excess)
        return within.size + float(np.clip(part, 0.05, 0.95)) * (beyond.size - within.size)
    further = max(abs(crowd.excess) / 1.5, stride)
    return crowd.size + (further if within else -further)
