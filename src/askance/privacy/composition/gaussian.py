"""What many small losses come to: the Gaussian trade-off curve, and how far off it is."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from askance.channels.readonly import doubles
from askance.errors import InputError
from askance.privacy.composition.law import LossLaw
from askance.privacy.losses.pair import Pair
from askance.privacy.tradeoffs.curve import Curve
from askance.typing import Floats

_SHEVTSOVA = 0.56


@final
@dataclass(frozen=True, slots=True, eq=False)
class GaussianLimit:
    r"""The curve of telling N(0, 1) from N(μ, 1), beside the exact one.

    .. math:: G_\mu(\alpha) = \Phi(\Phi^{-1}(1 - \alpha) - \mu)

    Attributes
    ----------
    mu : float
        By how many standard deviations the two answers stand apart.
    bound : float
        η with :math:`G_\mu(\alpha + \eta) - \eta \le T(\alpha) \le G_\mu(\alpha - \eta) + \eta`,
        from the inequality of Berry and Esseen; it shrinks like 1/√k.
    distance : float
        The largest difference between the exact curve and this one, at any α.

    References
    ----------
    Dong, Roth & Su (2022), Definition 2.6 and Theorem 3.4; Shevtsova (2010) for the constant 0.56.
    """

    mu: float
    bound: float
    distance: float

    def beta(self, alpha: npt.ArrayLike) -> Any:
        """Give the type II error at a type I error.

        >>> round(GaussianLimit(1.0, 0.1, 0.01).beta(0.05), 6)
        0.740489
        """
        at = doubles(alpha, "GaussianLimit.beta")
        if not np.all((at >= 0) & (at <= 1)):
            raise InputError("GaussianLimit.beta", got=alpha, allowed="chances in [0, 1]")
        found = _beta(at, self.mu)
        return found if found.ndim else float(found)


def gaussian_limit(counts: Mapping[Pair, int], law: LossLaw) -> GaussianLimit:
    """Fit the Gaussian curve to the mean and spread of the composed loss.

    μ is the difference of the mean losses under the two answers over their common standard
    deviation; where the two deviations differ, the bound counts the difference.

    Raises
    ------
    InputError
        If a report can prove an answer, or no report says anything.

    >>> from fractions import Fraction
    >>> from askance.privacy.composition.kfold import kfold
    >>> pair = Pair.of(*([Fraction(n, 20) for n in row] for row in ([11, 9], [9, 11])))
    >>> limit = gaussian_limit({pair: 400}, kfold([(pair, 400)]))
    >>> round(limit.mu, 4), round(limit.distance, 4), limit.distance < limit.bound
    (4.0202, 0.0065, True)
    """
    if any(pair.only_first or pair.only_second for pair in counts):
        raise InputError(
            "gaussian_limit", got="a report that proves an answer", allowed="finite losses"
        )
    (low, spread, skew), (high, beside, tail) = (_moments(counts, side) for side in (0, 1))
    if not spread:
        raise InputError(
            "gaussian_limit", got="reports that say nothing", allowed="a loss that is not zero"
        )
    mu = (high - low) / math.sqrt((spread + beside) / 2)
    errors = [_SHEVTSOVA * skew / spread**1.5, _SHEVTSOVA * tail / beside**1.5]
    errors[1] += _apart(math.sqrt(spread / beside), (high - low) / math.sqrt(beside), mu)
    curves = (law.tradeoff(), law.tradeoff_upper())
    return GaussianLimit(mu, max(errors), max(distance(curve, mu) for curve in curves))


def distance(curve: Curve, mu: float) -> float:
    """Give the largest difference between a curve and the Gaussian one, at any α.

    On a straight piece the difference is concave, so it is largest where the slopes agree and
    smallest at the ends.

    >>> round(distance(Curve([(0, 1), (1, 0)]), 0.5), 6)
    0.197413
    """
    alpha, beta = curve.knots.T
    with np.errstate(divide="ignore"):
        slope = np.log(-np.diff(beta)) - np.log(np.diff(alpha))
        z = (slope + mu**2 / 2) / mu
    touching = np.unique(np.r_[alpha, np.clip(ndtr(-z), alpha[:-1], alpha[1:])])
    return float(np.abs(curve.beta(touching) - _beta(touching, mu)).max())


def _beta(alpha: Floats, mu: float) -> Floats:
    return np.asarray(ndtr(-ndtri(alpha) - mu))


def _moments(counts: Mapping[Pair, int], side: int) -> tuple[float, float, float]:
    """Add up means, variances and third absolute central moments of the losses."""
    sums = np.zeros(3)
    for pair, k in counts.items():
        losses, masses = np.array(pair.losses), pair.undecided[side]
        mean = masses @ losses
        off = np.abs(losses - mean)
        sums += k * np.array([mean, masses @ off**2, masses @ off**3])
    return float(sums[0]), float(sums[1]), float(sums[2])


def _apart(scale: float, offset: float, mu: float) -> float:
    """Give the largest difference between Φ(a z − b) and Φ(z − μ), at any z."""
    a, b, c = scale**2 - 1, -2 * (scale * offset - mu), offset**2 - mu**2 - 2 * math.log(scale)
    if abs(a) < 1e-12:
        points = np.array([mu / 2 if not b else -c / b])
    else:
        root = math.sqrt(max(b**2 - 4 * a * c, 0.0))
        points = np.array([(-b - root) / (2 * a), (-b + root) / (2 * a)])
    return float(np.abs(ndtr(scale * points - offset) - ndtr(points - mu)).max())
