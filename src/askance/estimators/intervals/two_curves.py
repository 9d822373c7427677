"""A most likely distribution as two curves that rise everywhere, since it sits on few places."""

import numpy as np

from askance.estimators.ranges.distribution import Distribution
from askance.typing import Floats


def two_curves(fit: Distribution, numbers: Floats) -> tuple[Floats, Floats]:
    """Give F at ascending numbers, rising everywhere: masses where they are, then spread out."""
    halfway = (fit.upper[:-1] + fit.lower[1:]) / 2
    edges = np.concatenate([[numbers[0]], halfway, [numbers[-1]]])
    upto = np.interp(numbers, edges, np.concatenate([[0.0], np.cumsum(fit.mass)]))
    even = np.linspace(0, 1, len(numbers))
    kept: Floats = (fit.n * fit.cdf(numbers) + even) / (fit.n + 1)
    smooth: Floats = (fit.n * upto / upto[-1] + even) / (fit.n + 1)
    return kept, smooth
