"""A smooth curve through the most likely distribution, with its density."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from askance.arguments import checked
from askance.errors import InputError
from askance.inference.ranges.distribution import Distribution
from askance.results import axes, keep_read_only, numbers, plain_json, read_only
from askance.typing import Floats, Json

_KERNEL = np.polynomial.Polynomial([35 / 32, 0, -105 / 32, 0, 105 / 32, 0, -35 / 32])
_UPTO = _KERNEL.integ(lbnd=-1)
_UPTO_UPTO = _UPTO.integ(lbnd=-1)
_NARROW = 1e-4  # bandwidths: an interval so short is widened, for its own width is divided by


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SmoothDistribution:
    """A distribution with a density: masses spread by a kernel, reflected at the support's ends.

    Attributes
    ----------
    fit : Distribution
        What was smoothed.
    support : (float, float)
    bandwidth : float
        How far mass is spread to either side.
    lower, upper : array, shape (m,)
        The intervals of the fit, cut to the support; mass is spread evenly inside them first.

    >>> from askance.channels.ranges import Ranges
    >>> from askance.inference.ranges.npmle import npmle
    >>> curve = smoothed(npmle(Ranges([0, 2], [2, 4])), (0, 4), bandwidth=1.5)
    >>> curve.cdf([0, 2, 4]).round(12).tolist()
    [0.0, 0.5, 1.0]
    """

    fit: Distribution
    support: tuple[float, float]
    bandwidth: float
    lower: Floats
    upper: Floats

    def __post_init__(self) -> None:
        keep_read_only(self, "lower upper")

    def cdf(self, at: Any) -> Floats:
        """Give the share of numbers up to each point."""
        points = np.clip(numbers(at, "cdf.at"), *self.support)
        low, high = self.support
        inside = self._spread(points) - self._spread(2 * low - points)
        return read_only(inside + 1 - self._spread(2 * high - points))

    def density(self, at: Any) -> Floats:
        """Give the density at each point; 0 outside the support."""
        asked, (low, high) = numbers(at, "density.at"), self.support
        points = np.clip(asked, low, high)
        both = sum(self._spread(one, 1) for one in (points, 2 * low - points, 2 * high - points))
        return read_only(np.where(points == asked, both, 0.0))

    def _spread(self, points: Floats, order: int = 0) -> Floats:
        """Average the kernel, integrated once or not at all, over where each mass may lie."""
        h, shape = self.bandwidth, points.shape
        near = np.maximum(self.upper - self.lower, _NARROW * h)
        middle = (self.upper + self.lower) / 2
        above, once = (_UPTO, _KERNEL)[order], (_UPTO_UPTO, _UPTO)[order]
        flat = points.reshape(-1, 1)
        start, end = (flat - middle + near / 2) / h, (flat - middle - near / 2) / h
        beyond = np.maximum(start, 1.0) - np.maximum(end, 1.0)
        inner = once(np.clip(start, -1, 1)) - once(np.clip(end, -1, 1)) + above(1.0) * beyond
        found: Floats = (inner / near * h / h**order) @ self.fit.mass
        return found.reshape(shape)

    def to_dict(self) -> Json:
        """Write the curve for JSON: its settings, and cdf and density at 201 points."""
        places = np.linspace(*self.support, 201)
        written: Json = plain_json(
            {
                "support": self.support,
                "bandwidth": self.bandwidth,
                "at": places,
                "cdf": self.cdf(places),
                "density": self.density(places),
            }
        )
        return written

    def __repr__(self) -> str:
        low, high = self.support
        return f"SmoothDistribution on [{low:g}, {high:g}], bandwidth {self.bandwidth:.4g}"

    def plot(self, ax: Any = None) -> Any:
        """Draw the density.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        ax = axes(ax)
        places = np.linspace(*self.support, 401)
        ax.plot(places, self.density(places), linewidth=1.5)
        ax.set_ylim(bottom=0)
        ax.set_ylabel("density")
        return ax


@checked
def smoothed(
    fit: Distribution, support: tuple[float, float], bandwidth: float | None = None
) -> SmoothDistribution:
    r"""Smooth the most likely distribution, for a density or for people who want a curve.

    .. math:: \tilde F(t) = \int \mathbb K\Bigl(\frac{t-u}{h}\Bigr) d\hat F(u)

    with the triweight kernel and reflection at both ends. Smoothing answers how the curve looks,
    not how well it is known: `Distribution.cdf_bounds` and `cdf_intervals` do that.

    Parameters
    ----------
    fit : Distribution
    support : (float, float)
        Declared bounds of the number.
    bandwidth : float, optional
        h; the width of the support times n to the power −1/5 if left out.

    Raises
    ------
    InputError
        If the support is infinite or cuts mass away, or the bandwidth is not positive or wider than
        the support.

    References
    ----------
    Groeneboom, Jongbloed & Witte (2010), for one cut a person; the power −1/5 is theirs.

    >>> from askance.channels.ranges import Ranges
    >>> from askance.inference.ranges.npmle import npmle
    >>> smoothed(npmle(Ranges([0, 2], [2, 4], weights=[16, 16])), (0, 4))
    SmoothDistribution on [0, 4], bandwidth 2
    """
    low, high = support
    lower, upper = np.maximum(fit.lower, low), np.minimum(fit.upper, high)
    if not (np.isfinite(low) and np.isfinite(high) and low < high) or np.any(lower >= upper):
        raise InputError(
            "smoothed.support", got=support, allowed="finite (low, high) that cuts no mass away"
        )
    h = (high - low) * fit.n**-0.2 if bandwidth is None else bandwidth
    if not 0 < h <= high - low:
        raise InputError("smoothed.bandwidth", got=h, allowed=f"a width in (0, {high - low}]")
    return SmoothDistribution(
        fit=fit, support=(float(low), float(high)), bandwidth=float(h), lower=lower, upper=upper
    )
