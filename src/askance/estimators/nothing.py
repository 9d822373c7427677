"""What is known of a number when nobody has reported one: that it is on the line."""

import numpy as np

from askance.estimators.band import SHARES
from askance.estimators.distribution import Distribution
from askance.estimators.line import LineEstimate
from askance.estimators.outcome import Outcome
from askance.typing import Floats


def nothing_told(numbers: Floats, level: float, unit: str) -> LineEstimate:
    """Give the estimate from no reports: every interval spans all that the line allows.

    Parameters
    ----------
    numbers : array, shape (t + 1,)
        The numbers at the ticks of the line.
    level : float
    unit : str

    >>> fit = nothing_told(np.array([0.0, 1.0, 2.0]), 0.95, "years")
    >>> fit.lower, fit.upper, fit.outcome.name
    (0.0, 2.0, 'NO_REPORTS')
    """
    first, last, nothing = float(numbers[0]), float(numbers[-1]), float("nan")
    return LineEstimate(
        unit=unit,
        distribution=Distribution(
            lower=np.array([first]),
            upper=np.array([last]),
            mass=np.ones(1),
            n=0,
            gap=nothing,
            method="none",
            outcome=Outcome.NO_REPORTS,
        ),
        mean_low=first,
        mean_high=last,
        se=nothing,
        lower=first,
        upper=last,
        level=level,
        ticks=numbers,
        cdf=np.full(len(numbers), nothing),
        band_lower=np.append(np.zeros(len(numbers) - 1), 1.0),
        band_upper=np.append(0.0, np.ones(len(numbers) - 1)),
        quantiles=dict.fromkeys(SHARES, (first, nothing, last)),
        coverage=np.empty(0),
        coverage_counts=np.empty(0),
        average_coverage=nothing,
        plain=0.0,
        reports=0,
        method="none",
        outcome=Outcome.NO_REPORTS,
    )
