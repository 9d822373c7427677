"""Ends at which a test of one coefficient turns: its likelihood ratio, or its score."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, final

import numpy as np

from askance.estimators.regression.ascent import ascend
from askance.estimators.regression.censored_likelihood import CensoredLikelihood
from askance.typing import Floats

_FARTHEST = 4096
"""How many standard errors away a test is still asked to turn; beyond, the end is infinite."""

_WIDEST = 300.0
"""By how much the logarithm of the scale may move; what ranges tell has long come to rest there."""

_CLOSE = 1e-7  # standard errors


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Held:
    """The likelihood with one parameter held at a value."""

    whole: CensoredLikelihood
    index: int
    value: float

    def total(self, at: Floats) -> float:
        return self.whole.total(self.put(at))

    def slope(self, at: Floats) -> Floats:
        return np.delete(self.whole.slope(self.put(at)), self.index)

    def informations(self, at: Floats) -> Iterator[Callable[[], Floats]]:
        whole = self.put(at)
        yield lambda: self._without(self.whole.observed(whole))
        yield lambda: self._without(self.whole.products(whole))

    def put(self, at: Floats) -> Floats:
        """Give all parameters."""
        return np.insert(at, self.index, self.value)

    def _without(self, information: Floats) -> Floats:
        return np.delete(np.delete(information, self.index, 0), self.index, 1)


def turning(
    whole: CensoredLikelihood,
    top: Floats,
    index: int,
    se: float,
    z: float,
    by: Literal["profile", "score"],
) -> tuple[float, float]:
    r"""Give the ends between which a test does not reject the value of one parameter.

    The others take their most likely values θ̃ given it. Profile: 2 (ℓ(θ̂) − ℓ(θ̃)) ≤ z². Score:
    s' I⁻¹ s ≤ z², with the slope s and the information I at θ̃ (Rao, 1948).

    Parameters
    ----------
    whole : CensoredLikelihood
    top : array, shape (c + 2,)
        Where the likelihood is largest.
    index : int
        Which parameter.
    se : float
        Its standard error, for a first guess.
    z : float
    by : {"profile", "score"}
    """
    return (
        _crossing(whole, top, index, -se, z, by),
        _crossing(whole, top, index, se, z, by),
    )


def _crossing(
    whole: CensoredLikelihood, top: Floats, index: int, se: float, z: float, by: str
) -> float:
    """Go outward until the root of the statistic reaches z; then look between."""
    from scipy.optimize import brentq

    most, rest = whole.total(top), np.delete(top, index)

    def excess(steps: float) -> float:
        nonlocal rest
        held = _Held(whole=whole, index=index, value=float(top[index] + steps * se))
        rest = ascend(held, rest).at
        at = held.put(rest)
        fall = 2 * (most - whole.total(at)) if by == "profile" else _score(whole, at)
        return float(np.sqrt(max(fall, 0.0))) - z

    farthest = _WIDEST / abs(se) if index == len(rest) else _FARTHEST
    near, far = 0.0, z
    while excess(far) < 0:
        near, far = far, 1.5 * far
        if far > farthest:
            return float(np.copysign(np.inf, se))
    steps = float(brentq(lambda at: excess(at) if at else -z, near, far, xtol=_CLOSE))
    return float(top[index]) + steps * se


def _score(whole: CensoredLikelihood, at: Floats) -> float:
    slope, information = whole.slope(at), whole.observed(at)
    if not np.linalg.eigvalsh(information)[0] > 0:
        information = whole.products(at)
    return float(slope @ np.linalg.pinv(information) @ slope)
