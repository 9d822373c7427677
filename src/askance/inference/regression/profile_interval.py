"""Profile-likelihood and score intervals of a smooth likelihood, by constrained maximisation."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, Protocol, final

import numpy as np

from askance.inference.maximisation import LogLikelihood, Within, maximise
from askance.typing import Floats

_STIFF = 30.0  # how much more than the likelihood what fixes a value bends
_CLOSE = 1e-7  # standard errors
_WIDEN = 1.5


class Target(Protocol):
    """A number that the parameters give."""

    @property
    def ends(self) -> tuple[float, float]:
        """Between which it lies, or may as well."""

    def value(self, parameters: Floats) -> float:
        """The number."""

    def bends(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Its slope and its curvature by the parameters."""


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinearTarget:
    """A linear combination of parameters.

    Attributes
    ----------
    factors : array, shape (parameters,)
    ends : (float, float)

    >>> LinearTarget(factors=np.array([1.0, 2.0])).value(np.array([3.0, 1.0]))
    5.0
    """

    factors: Floats
    ends: tuple[float, float] = (-np.inf, np.inf)

    def value(self, parameters: Floats) -> float:
        """The number."""
        return float(self.factors @ parameters)

    def bends(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Its slope, and its curvature of 0."""
        return self.factors, np.zeros((len(parameters),) * 2)


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _PenalisedLikelihood:
    """A likelihood less what it costs to leave a number: its top lies on the profile.

    Wherever the top is, nothing that gives the same number is more likely.
    """

    likelihood: LogLikelihood
    target: Target
    value: float
    stiffness: float

    def total(self, parameters: Floats) -> float:
        away = self.target.value(parameters) - self.value
        return self.likelihood.total(parameters) - self.stiffness * away**2 / 2

    def slope(self, parameters: Floats) -> Floats:
        away, slope = self.target.value(parameters) - self.value, self.target.bends(parameters)[0]
        return self.likelihood.slope(parameters) - self.stiffness * away * slope

    def informations(self, parameters: Floats) -> Iterator[Callable[[], Floats]]:
        away = self.target.value(parameters) - self.value
        slope, curve = self.target.bends(parameters)
        bend = np.outer(slope, slope) * self.stiffness
        observed, expected = self.likelihood.informations(parameters)
        yield lambda: observed() + bend + self.stiffness * away * curve
        yield lambda: observed() + bend
        yield lambda: expected() + bend


@final
class _FixedNumber(NamedTuple):
    """A point of a profile: the number fixed away from its estimate, all else maximised."""

    steps: float
    excess: float
    value: float
    parameters: Floats


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Profile:
    """How far the log-likelihood falls at least where a number is fixed away from its top.

    Attributes
    ----------
    likelihood : LogLikelihood
    top : array, shape (parameters,)
        Where it is largest.
    plain : array, shape (parameters, parameters)
        The covariance by the curvature.
    covariance : array, shape (parameters, parameters)
        What it is thought to be. Where it is larger a fall counts less (Rao & Scott, 1984).
    critical : float
        The root of the statistic that is no longer believed.
    statistic : callable, optional
        Takes parameters with a number fixed, all else most likely. Twice the fall by default.
    within : (array, array), optional
        The bounds of the parameters.
    farthest : float
        Standard errors, beyond which a likelihood that has not fallen never will.
    """

    likelihood: LogLikelihood
    top: Floats
    plain: Floats
    covariance: Floats
    critical: float
    statistic: Callable[[Floats], float] | None = None
    within: Within | None = None
    farthest: float = 60.0

    def interval(self, target: Target) -> tuple[float, float]:
        """All values of a number that are not refused."""
        slope = target.bends(self.top)[0]
        se = float(np.sqrt(slope @ self.plain @ slope))
        critical = self.critical * float(np.sqrt(slope @ self.covariance @ slope)) / se
        low, high = (self._find_end(target, sign * se, critical) for sign in (-1, 1))
        return low, high

    def _find_end(self, target: Target, se: float, critical: float) -> float:
        """Go outward until the root of the statistic is critical; then look between.

        Between two values each ascent begins on the straight line from one's parameters to the
        other's: begun elsewhere it may end on another top, or far out on a ridge.
        """
        from scipy.optimize import brentq

        end, most = target.ends[int(se > 0)], self.likelihood.total(self.top)
        slope = target.bends(self.top)[0]

        def reach(steps: float, start: Floats) -> _FixedNumber:
            value = target.value(self.top) + steps * se
            parameters = self._fix(target, value, se, start)
            fall = 2 * (most - self.likelihood.total(parameters))
            size = self.statistic(parameters) if self.statistic else fall
            excess = float(np.sqrt(max(size, 0.0))) - critical
            return _FixedNumber(steps, excess, target.value(parameters), parameters)

        step = se / (slope @ slope) * slope
        near = _FixedNumber(0.0, -critical, target.value(self.top), self.top)
        far = reach(critical, self.top + critical * step)
        while far.excess < 0:
            near, steps = far, _WIDEN * far.steps
            if steps > self.farthest or (near.value - end) * se >= 0:
                return end
            far = reach(steps, near.parameters + (steps - near.steps) * step)

        @cache
        def between(steps: float) -> _FixedNumber:
            part = (steps - near.steps) / (far.steps - near.steps)
            if part in (0, 1):
                return far if part else near
            return reach(steps, near.parameters + part * (far.parameters - near.parameters))

        root = brentq(lambda steps: between(steps).excess, near.steps, far.steps, xtol=_CLOSE)
        return between(float(root)).value

    def _fix(self, target: Target, value: float, se: float, start: Floats) -> Floats:
        """Parameters that are most likely where a number is near a value."""
        penalised = _PenalisedLikelihood(
            likelihood=self.likelihood, target=target, value=value, stiffness=_STIFF / se**2
        )
        start = start if self.within is None else start.clip(*self.within)
        return maximise(penalised, start, self.within).parameters
