"""What is known of a number when reports tell nothing: that it is on the line."""

import numpy as np

from askance.estimators.line.band import SHARES
from askance.estimators.line.line import LineEstimate
from askance.estimators.outcome import Outcome
from askance.estimators.ranges.distribution import Distribution
from askance.typing import Floats


def nothing_told(numbers: Floats, level: float, unit: str, reports: int = 0) -> LineEstimate:
    """Give the estimate where nothing was learnt: every interval spans all that the line allows.

    Parameters
    ----------
    numbers : array, shape (t + 1,)
        The numbers at the ticks of the line.
    level : float
    unit : str
    reports : int
        How many came that settle no share; if none did, that is why nothing was learnt.

    >>> fit = nothing_told(np.array([0.0, 1.0, 2.0]), 0.95, "years")
    >>> fit.lower, fit.upper, fit.outcome.name
    (0.0, 2.0, 'NO_REPORTS')
    """
    outcome = Outcome.PARTLY_IDENTIFIED if reports else Outcome.NO_REPORTS
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
            outcome=outcome,
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
        reports=reports,
        method="none",
        outcome=outcome,
        unlearnt=((first, last),) if reports else (),
    )
