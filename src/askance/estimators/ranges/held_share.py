"""How far the likelihood falls when the share up to a point is held elsewhere, for any ranges.

Adding b imagined people who say only that they are above t moves the most likely F(t) down to some
θ. What they add to the log-likelihood, b log(1 − θ), depends on θ alone, so the new fit is the most
likely one of all with F(t) = θ, and every θ below the estimate belongs to one b. The same holds
upwards for people up to t. So one fast program, `npmle`, gives the whole profile likelihood.
"""

from dataclasses import dataclass
from typing import final

import numpy as np

from askance.channels.ranges import Ranges
from askance.estimators.ranges.distribution import Distribution
from askance.estimators.ranges.npmle import npmle
from askance.typing import Floats

_TIGHT = 1e-4  # how much log-likelihood of all people may be missing
_CLOSE = 1e-4
_CROWD = 1e6
_NOTHING = 1e-9
_LEAST = 1e-300
_STEPS = 60


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeldShare:
    """The profile likelihood of a share.

    Attributes
    ----------
    ranges : Ranges
    fit : Distribution
        The most likely one.
    """

    ranges: Ranges
    fit: Distribution

    def interval(self, point: float, critical: float) -> tuple[float, float]:
        """Give the shares at which twice the log-likelihood has fallen by the critical value."""
        upper = self.ranges.upper[self.ranges.starts[1:] - 1]
        lower = self.ranges.lower[self.ranges.starts[:-1]]
        seen = self.ranges.weights > 0
        below, above = bool((upper <= point)[seen].any()), bool((lower >= point)[seen].any())
        low = self._end(point, critical, (point, np.inf), must=below)
        high = self._end(point, critical, (-np.inf, point), must=above)
        return (0.0 if low is None else low), (1.0 if high is None else high)

    def allows(self, point: float, share: float, critical: float) -> bool:
        """Say whether twice the log-likelihood falls by at most this where F(point) is the share.

        A crowd of b that moves F(point) from below the share θ to θ' bounds the fall of l: by
        duality fall(θ) ≥ fall(θ') − b log(θ'/θ), and if θ' ≥ θ also fall(θ) ≤ fall(θ'). The first
        two or three crowds decide, nearly always.
        """
        value = float(self.fit.cdf_bounds(point)[0])
        up = share > value
        said = (-np.inf, point) if up else (point, np.inf)
        start, goal = _logs([value, share] if up else [1 - value, 1 - share])
        best = log_likelihood(self.fit, self.ranges)
        low, high = (0.0, start), (np.inf, np.inf)
        size = critical * self.ranges.total ** (1 / 3)
        for step in range(_STEPS):
            moved = self._joined(said, float(np.log(size)))
            fall = best - log_likelihood(moved, self.ranges)
            upto = float(moved.cdf_bounds(point)[0])
            (here,) = _logs([upto if up else 1 - upto])
            if 2 * (fall - size * (here - goal)) > critical:
                return False
            if here >= goal and 2 * fall <= critical:
                return True
            low, high = (low, (size, here)) if here >= goal else ((size, here), high)
            size = _towards(goal, low, high, halve=step % 3 == 2)
        return True

    def _end(
        self, point: float, critical: float, said: tuple[float, float], *, must: bool
    ) -> float | None:
        """Find the crowd that makes the likelihood fall so far; None if no crowd does."""
        from scipy.optimize import brentq

        best = log_likelihood(self.fit, self.ranges)

        def excess(size: float) -> float:
            fall = 2 * (best - log_likelihood(self._joined(said, size), self.ranges))
            return float(np.log(max(fall, _NOTHING) / critical))  # nearly straight in the log size

        most = float(np.log(self.ranges.total * _CROWD))
        if not must and excess(most) < 0:
            return None
        low = high = float(np.log(critical * self.ranges.total ** (1 / 3)))
        over = under = excess(low)
        while under >= 0 and low > most - 60:
            low -= max(under / 1.5, 0.3)
            under = excess(low)
        while over < 0 and high < most:
            low, high = high, high + max(-over / 1.5, 0.3)
            over = excess(high)
        size = high
        if under < 0 < over:
            size = float(brentq(excess, low, high, xtol=_CLOSE))
        moved = self._joined(said, size)
        return float(moved.cdf_bounds(point)[0 if np.isposinf(said[1]) else 1])

    def _joined(self, said: tuple[float, float], size: float) -> Distribution:
        known = self.ranges
        pieces = None if known.plain else np.append(np.diff(known.starts), 1)
        ends = np.append(known.lower, said[0]), np.append(known.upper, said[1])
        return closely(
            Ranges(*ends, np.append(known.weights, np.exp(size)), pieces=pieces), known.total
        )


def _logs(shares: list[float]) -> list[float]:
    logs: list[float] = np.log(np.maximum(shares, _LEAST)).tolist()
    return logs


def _towards(
    goal: float, low: tuple[float, float], high: tuple[float, float], *, halve: bool
) -> float:
    """Choose the next crowd: on the line between the last two, or more where none is enough yet."""
    if np.isinf(high[0]):
        return 4 * low[0]
    part = 0.5 if halve else (goal - low[1]) / (high[1] - low[1])
    return low[0] + float(np.clip(part, 0.1, 0.9)) * (high[0] - low[0])


def closely(ranges: Ranges, people: float) -> Distribution:
    """Fit until hardly any log-likelihood is missing, summed over so many people."""
    return npmle(ranges, tol=float(np.clip(_TIGHT / people, 1e-12, 1e-4)))


def log_likelihood(fit: Distribution, ranges: Ranges) -> float:
    """Give the log-likelihood of ranges, mass at the upper end of each interval."""
    upto = np.concatenate([[0.0], np.cumsum(fit.mass)])
    last = np.searchsorted(fit.upper, ranges.upper, side="right")
    first = np.searchsorted(fit.upper, ranges.lower, side="right")
    chance: Floats = np.add.reduceat(upto[last] - upto[first], ranges.starts[:-1]) / upto[-1]
    seen = ranges.weights > 0
    with np.errstate(divide="ignore"):
        return float(ranges.weights[seen] @ np.log(np.maximum(chance[seen], 0.0)))
