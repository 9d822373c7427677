"""The law of one cut that tells most about a mean."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from askance.channels.continuous import continuous_law
from askance.channels.cut_law import CutLaw
from askance.design.panelled_law import PanelledLaw, integral
from askance.errors import InputError, NotIdentified
from askance.typing import Floats

_HALVES = 2.0 ** -np.arange(1, 1001)
_TRIFLE = 1e-17
_SETTLING = 0.97
_SMALL = 1e-4
_EACH = 4
_LAST = 20
_ROUNDED = 40


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OptimalCuts:
    """The best law of one cut, and how precise it lets an estimate be.

    Attributes
    ----------
    cuts : CutLaw
    variance : float
        n times the limiting variance of the best estimate: no law of one cut has less.
    """

    cuts: CutLaw
    variance: float


def optimal_cuts(prior: Any, slope: Callable[[Any], Any] | None = None) -> OptimalCuts:
    r"""Find the law of one cut that tells most about the mean of φ(Y).

    .. math:: g(u) \propto |\varphi'(u)|\sqrt{F(u)(1 - F(u))},\qquad
              n\operatorname{Var} = \Bigl(\int|\varphi'|\sqrt{F(1 - F)}\,du\Bigr)^2

    Parameters
    ----------
    prior : distribution or callable
        F, of the answers; smooth between its ends. Without ``sf`` and ``isf``, which SciPy's have,
        the upper tail is followed to 2^-40 only.
    slope : callable, optional
        φ′, of an array of numbers; 1, for the mean itself, if left out.

    Raises
    ------
    NotIdentified
        If the integral is infinite: the tails are too heavy for the mean to be learnt at the rate
        1/√n by any law of one cut.
    InputError
        If the slope is 0 or no number everywhere.

    References
    ----------
    Ding & Ding (2022), Theorem 2; the bound has the square that its last line omits.

    >>> from scipy import stats
    >>> best = optimal_cuts(stats.logistic())
    >>> round(best.variance, 9)  # π²
    9.869604401
    >>> from askance.privacy.interval import coverage
    >>> round(float(coverage(best.cuts, stats.logistic()).value), 9)
    0.75
    """
    law = continuous_law(prior, "optimal_cuts.prior")

    above = law.sf if hasattr(law, "sf") else lambda u: 1 - law.cdf(u)

    def height(u: Any) -> Any:
        steep = np.ones_like(u) if slope is None else np.abs(np.asarray(slope(u), dtype=float))
        return steep * np.sqrt(np.asarray(law.cdf(u)) * above(u))

    far = law.isf(_HALVES) if hasattr(law, "isf") else law.ppf(1 - _HALVES[:_ROUNDED])
    tails = (
        _tail(_sound(law.ppf(_HALVES), law.cdf), height, -1),
        _tail(_sound(far, above), height, 1),
    )
    edges = np.unique(np.concatenate(tails))
    mass = integral(height, edges[:-1], edges[1:])
    whole = float(mass.sum())
    if not 0 < whole < np.inf:
        raise InputError("optimal_cuts.slope", got=f"an integral of {whole}", allowed="above 0")
    upto = np.concatenate([[0.0], np.cumsum(mass) / whole])
    found = PanelledLaw(lambda u: height(u) / whole, edges, upto)
    return OptimalCuts(cuts=CutLaw(found), variance=whole**2)


def _sound(edges: Floats, beyond: Callable[[Any], Any]) -> Floats:
    """Keep the quantiles up to where the law's own tail is lost to rounding."""
    sound = np.isclose(beyond(edges), _HALVES[: len(edges)], rtol=0.5, atol=0)
    return edges[: int(np.argmin(np.append(sound, False)))]


def _tail(edges: Floats, height: Callable[[Any], Any], side: int) -> Floats:
    """Cut a tail, given its quantiles 2^-1, 2^-2, …, until no weight is left.

    Octaves of a tail 1/y^α weigh in the ratio 2^(1/α − 1/2) in the end: the integral is finite
    where that is below 1, for α > 2; refused from α = 2.2 down, where a thousand octaves do not
    show it.
    """
    edges = edges[: int(np.argmin(np.append(side * np.diff(edges) > 0, False))) + 1]
    mass = np.abs(integral(height, edges[:-1], edges[1:]))
    ratio = mass[1:] / np.maximum(mass[:-1], np.finfo(float).tiny)
    if np.isnan(mass).any():
        raise InputError("optimal_cuts.slope", got="no number", allowed="finite numbers")
    part = mass / np.maximum(np.cumsum(mass), np.finfo(float).tiny)
    light = np.flatnonzero((part[1:] < _TRIFLE) & (part[:-1] < _SMALL)) + 1
    if not np.isfinite(mass).all() or (
        not len(light) and ratio[-_LAST:].max(initial=0) > _SETTLING
    ):
        raise NotIdentified(
            "optimal_cuts.prior",
            got=f"{'an upper' if side > 0 else 'a lower'} tail too heavy",
            allowed="tails and a slope whose integral of |φ′| √(F(1 − F)) is finite",
            remedy="declare bounds, or learn quantiles instead",
        )
    edges = edges[: light[0] + 2] if len(light) else edges
    parts = np.arange(_EACH) / _EACH
    inner = edges[:-1, None] + np.diff(edges)[:, None] * parts
    return np.append(inner.ravel(), edges[-1])
