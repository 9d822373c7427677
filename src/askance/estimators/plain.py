"""A number that was asked plainly: the sample's own mean and distribution."""

from collections.abc import Mapping

import numpy as np

from askance.errors import InputError
from askance.estimators.distribution import Distribution
from askance.estimators.line import LineEstimate
from askance.estimators.outcome import Outcome
from askance.estimators.uncertainty import normal_quantile
from askance.estimators.wilson import wilson
from askance.exact.line import Line
from askance.typing import Floats

SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)
"""The quantiles that are always told."""


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
        each tick.

    >>> fit = estimate_plain(Line(0, 10, 1), {2: 1, 4: 3})
    >>> fit.mean, fit.plain
    (3.5, 4.0)
    """
    z = normal_quantile(level)
    numbers = np.array([float(line.at(tick)) for tick in range(line.ticks + 1)])
    given = np.array([counts.get(tick, 0) for tick in range(line.ticks + 1)], dtype=float)
    n = float(given.sum())
    if not n:
        raise InputError("estimate_plain.counts", got="no reports", allowed="at least one report")
    upto = np.minimum(np.cumsum(given) / n, 1)
    low, high = wilson(upto, np.array(n), z)
    mean = float(given @ numbers / n)
    se = float(np.sqrt(given @ (numbers - mean) ** 2 / max(n - 1, 1) / n)) if n > 1 else np.inf
    ends = float(line.lower), float(line.upper)
    seen = given > 0
    return LineEstimate(
        unit=unit,
        distribution=Distribution(
            lower=numbers[seen] - float(line.step),
            upper=numbers[seen],
            mass=given[seen] / n,
            n=n,
            gap=0.0,
            method="the sample itself",
            outcome=Outcome.EXACT,
        ),
        mean_low=mean,
        mean_high=mean,
        se=se,
        lower=max(mean - z * se, ends[0]),
        upper=min(mean + z * se, ends[1]),
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
