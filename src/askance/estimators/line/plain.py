"""A number that was asked plainly: the sample's own mean and distribution."""

from collections.abc import Mapping

import numpy as np

from askance.arguments import checked
from askance.estimators.line.band import SHARES
from askance.estimators.line.line import LineEstimate
from askance.estimators.line.nothing import nothing_told
from askance.estimators.outcome import Outcome
from askance.estimators.ranges.distribution import Distribution
from askance.estimators.shares.share_intervals import normal_quantile, wilson
from askance.exact.line import Line
from askance.exact.ratio import whole
from askance.typing import Floats


@checked
def estimate_plain(
    line: Line, counts: Mapping[int, int], *, level: float = 0.95, unit: str = ""
) -> LineEstimate:
    """Estimate the distribution of a number that everyone gave as it is.

    Parameters
    ----------
    line : Line
    counts : mapping of int to int
        How often each tick was given.
    level : float
    unit : str

    Returns
    -------
    LineEstimate
        With the sample mean, its normal interval, and Wilson's (1927) interval for the share up to
        each tick. Where all gave the same number the mean's interval is that of everybody whom
        Wilson's interval of 0 of n still allows, at either end of the line.

    Raises
    ------
    InputError
        If a tick is not the line's, or a count is no whole number.

    >>> fit = estimate_plain(Line(0, 10, 1), {2: 1, 4: 3})
    >>> fit.mean, fit.plain
    (3.5, 4.0)
    >>> alike = estimate_plain(Line(0, 10, 1), {10: 1_000})  # 0 of 1,000: up to .38 % may be at 0
    >>> alike.mean, round(alike.lower, 4), alike.upper
    (10.0, 9.9617, 10.0)
    """
    z = normal_quantile(level)
    for tick, count in counts.items():
        whole(tick, "estimate_plain.counts", f"ticks from 0 to {line.ticks}", 0, line.ticks)
        whole(count, f"estimate_plain.counts[{tick!r}]", "a whole number in [0, ∞)", 0)
    numbers = np.array([float(line.at(tick)) for tick in range(line.ticks + 1)])
    given = np.array([counts.get(tick, 0) for tick in range(line.ticks + 1)], dtype=float)
    n = float(given.sum())
    if not n:
        return nothing_told(numbers, level, unit)
    sample = _as_given(numbers, given, float(line.step))
    upto = np.minimum(np.cumsum(given) / n, 1)
    low, high = wilson(upto, np.array(n), z)
    _, mean = sample.mean_bounds()
    se = float(np.sqrt(given @ (numbers - mean) ** 2 / (n - 1) / n)) if n > 1 else np.inf
    lower, upper = _mean_interval(line, mean, se, n, z)
    return LineEstimate(
        unit=unit,
        distribution=sample,
        mean_low=mean,
        mean_high=mean,
        se=se,
        lower=lower,
        upper=upper,
        level=level,
        ticks=numbers,
        cdf=upto,
        band_lower=low,
        band_upper=high,
        quantiles={share: _quantile(numbers, share, upto, low, high) for share in SHARES},
        coverage=np.empty(0),
        coverage_counts=np.empty(0),
        average_coverage=0.0,
        plain=n,
        reports=int(n),
        method=sample.method,
        outcome=sample.outcome,
    )


def _mean_interval(line: Line, mean: float, se: float, n: float, z: float) -> tuple[float, float]:
    ends = float(line.lower), float(line.upper)
    if se:
        return max(mean - z * se, ends[0]), min(mean + z * se, ends[1])
    unseen = float(wilson(np.zeros(1), np.array(n), z)[1][0])
    return mean + unseen * (ends[0] - mean), mean + unseen * (ends[1] - mean)


def _as_given(numbers: Floats, given: Floats, step: float) -> Distribution:
    seen = given > 0
    return Distribution(
        lower=numbers[seen] - step,
        upper=numbers[seen],
        mass=given[seen] / given.sum(),
        n=float(given.sum()),
        gap=0.0,
        method="the sample itself",
        outcome=Outcome.EXACT,
    )


def _quantile(
    numbers: Floats, share: float, upto: Floats, low: Floats, high: Floats
) -> tuple[float, float, float]:
    """Read a quantile and its interval off the cumulative share and its band."""
    last = len(numbers) - 1
    first, middle, final = (
        float(numbers[min(int(np.searchsorted(curve, share - 1e-12)), last)])
        for curve in (high, upto, low)
    )
    return first, middle, final
