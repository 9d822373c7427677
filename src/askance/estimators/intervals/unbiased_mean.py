"""The mean of a number from one uniform cut each, without bias and in closed form."""

from dataclasses import dataclass
from typing import final

import numpy as np

from askance.arguments import checked
from askance.channels.ranges import Ranges
from askance.errors import InputError
from askance.estimators.shares.share_intervals import normal_quantile
from askance.results import Listing, counted, json_of, listed, number
from askance.typing import Floats, Json

_STEEPEST = 1e6


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class UnbiasedMean:
    """An estimated mean with its standard error and normal interval.

    Attributes
    ----------
    value, se : float
    lower, upper : float
        Ends of the interval.
    level : float
    n : float
        How many numbers were observed, counting weights.

    >>> unbiased_mean(Ranges([-np.inf, 4], [6, np.inf], weights=[40, 60]), (0, 10))
    mean from one uniform cut
          value      se  95 % from     to
    mean    5.8  0.3939      5.028  6.572
    100 ranges
    """

    value: float
    se: float
    lower: float
    upper: float
    level: float
    n: float

    def to_dict(self) -> Json:
        """Write the estimate for JSON; None is a number that is not known."""
        return json_of(self)

    def _table(self) -> Listing:
        head = ["", "value", "se", f"{100 * self.level:g} % from", "to"]
        row = ["mean", *(number(one) for one in (self.value, self.se, self.lower, self.upper))]
        return "mean from one uniform cut", head, [row], [counted(self.n, "range")]


@checked
def unbiased_mean(
    ranges: Ranges, support: tuple[float, float], level: float = 0.95, *, slope: float = 1.0
) -> UnbiasedMean:
    r"""Estimate a mean without bias where each person's one cut was uniform on the support.

    .. math:: \hat\mu = \frac1n\sum_i \Bigl[a + s\,(U_i - \tfrac{a+b}2) + (b-a)\,1\{Y_i > U_i\}
              \Bigr]

    No curve is fitted, so n need not be large; all it needs is that the cuts were uniform and the
    numbers lie in [a, b]. With s = 1 the summand is the middle of the range, doubled: 2 (middle)
    − (a + b)/2. Ding & Ding (2022), Example 2, has s = 2, which is never more precise.

    Parameters
    ----------
    ranges : Ranges
        One-sided: up to the cut, or above it.
    support : (float, float)
        Where the cuts were drawn: a and b.
    level : float
    slope : float
        s. Any value is unbiased; `unbiased_mean_variance` says how precise it is.

    Raises
    ------
    InputError
        If there is no range, a range has two ends inside the support, or a cut is outside.

    References
    ----------
    Ding & Ding (2022), Proposition 1, for answers inside [a, b]; otherwise it is unbiased for the
    mean of the answers clipped to [a, b].

    >>> fit = unbiased_mean(Ranges([-np.inf, 4], [6, np.inf], weights=[1, 3]), (0, 10))
    >>> fit.value  # (1 · (6 − 5) + 3 · (4 + 5)) / 4
    7.0
    """
    low, high = _stretch("unbiased_mean", support, slope)
    cut, above = _one_cut(ranges, low, high)
    z, w, n = normal_quantile(level), ranges.weights, ranges.total
    if not n > 0:
        raise InputError("Ranges", got="no range", allowed="at least one with a positive weight")
    each = low + slope * (cut - (low + high) / 2) + (high - low) * above
    mean = float(w @ each / n)
    variance = float(w @ (each - mean) ** 2) / (n - 1) if n > 1 else float("nan")
    se = float(np.sqrt(variance / n))
    return UnbiasedMean(
        value=mean, se=se, lower=mean - z * se, upper=mean + z * se, level=level, n=n
    )


@checked
def unbiased_mean_variance(
    support: tuple[float, float], mean: float, variance: float, n: float, *, slope: float = 1.0
) -> float:
    r"""Give the exact variance of `unbiased_mean`, before anybody is asked.

    .. math:: \operatorname{Var}\hat\mu = \frac1n\Bigl[\sigma^2 + \frac{s^2 (b-a)^2}{12}
              + (1-s)\Bigl(\frac{(b-a)^2}{4} - \sigma^2 - (\mu - \tfrac{a+b}2)^2\Bigr)\Bigr]

    At s = 1 it is σ² + (b − a)²/12, whatever the answers. At s = 2 it is (b − a)²/12 + 2σ² +
    (μ − (a + b)/2)², the variance of Ding & Ding (2022), Example 2: larger by the mean square
    distance of the answers from the middle.

    Parameters
    ----------
    support : (float, float)
        a and b.
    mean, variance : float
        μ and σ² of the answers.
    n : float
        How many people are asked.
    slope : float
        s.

    Raises
    ------
    InputError
        If no answers in [a, b] have this mean and variance, or n is not positive.

    >>> round(unbiased_mean_variance((0, 10), 2, 3, 1, slope=2), 9)  # 100/12 + 2 · 3 + 3²
    23.333333333
    >>> round(unbiased_mean_variance((0, 10), 2, 3, 1), 9)  # 3 + 100/12
    11.333333333
    """
    low, high = _stretch("unbiased_mean_variance", support, slope)
    if not low <= mean <= high or not 0 <= variance <= (mean - low) * (high - mean) * (1 + 1e-12):
        raise InputError(
            "unbiased_mean_variance",
            got=f"mean {mean}, variance {variance}",
            allowed=f"those of answers in [{low}, {high}]",
        )
    if not n > 0:
        raise InputError("n", got=n, allowed="a number of people in (0, ∞)")
    width, off = high - low, mean - (low + high) / 2
    inside = width**2 / 4 - variance - off**2
    return float((variance + slope**2 * width**2 / 12 + (1 - slope) * inside) / n)


def _stretch(where: str, support: tuple[float, float], slope: float) -> tuple[float, float]:
    low, high = support
    if not -np.inf < low < high < np.inf:
        raise InputError(f"{where}.support", got=support, allowed="(low, high), both finite")
    if not abs(slope) <= _STEEPEST:
        raise InputError(f"{where}.slope", got=slope, allowed="a number in [-10⁶, 10⁶]")
    return low, high


def _one_cut(ranges: Ranges, low: float, high: float) -> tuple[Floats, Floats]:
    """Give each person's cut, and 1 where the number is above it."""
    if not ranges.plain:
        raise InputError("Ranges", got="unions of ranges", allowed="up to, or above, one cut")
    above = ranges.upper >= high
    cut = np.where(above, ranges.lower, ranges.upper)
    wrong = (above == (ranges.lower <= low)) | ~(low <= cut) | ~(cut <= high)
    for at in np.flatnonzero(wrong & (ranges.weights > 0)):
        raise InputError(
            f"Ranges[{at}]",
            got=f"({ranges.lower[at]}, {ranges.upper[at]}]",
            allowed=f"up to, or above, one cut in [{low}, {high}]",
        )
    return np.where(wrong, low, cut), above.astype(float)
