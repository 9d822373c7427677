"""Exact numbers as a distribution, to set beside one that is known only up to intervals."""

from typing import Any

import numpy as np

from askance.errors import InputError
from askance.estimators.outcome import Outcome
from askance.estimators.ranges.distribution import Distribution
from askance.results import doubles


def sampled(values: Any, where: str) -> Distribution:
    """Give every number of a sample the same mass.

    Raises
    ------
    InputError
        If the sample is empty, or holds what is no finite number.

    >>> sampled([3, 5, 5, 3], "sample").mass.tolist()
    [0.5, 0.5]
    """
    numbers = doubles(values, where)
    if numbers.ndim != 1 or not numbers.size or not np.isfinite(numbers).all():
        raise InputError(
            where, got=f"shape {numbers.shape}", allowed="finite numbers, at least one, in a row"
        )
    upper, counts = np.unique(numbers, return_counts=True)
    return Distribution(
        lower=np.nextafter(upper, -np.inf),
        upper=upper,
        mass=counts / numbers.size,
        n=float(numbers.size),
        gap=0.0,
        method="sample",
        outcome=Outcome.EXACT,
    )
