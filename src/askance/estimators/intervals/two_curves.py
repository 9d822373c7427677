"""A most likely distribution as two curves that rise everywhere, since it sits on few places."""

import numpy as np

from askance.channels.ranges import single_numbers
from askance.estimators.ranges.distribution import Distribution
from askance.typing import Floats


def two_curves(fit: Distribution, numbers: Floats, answers: float = 1.0) -> tuple[Floats, Floats]:
    """Give F at ascending numbers, rising everywhere: masses where they are, then spread out.

    A number that was told exactly keeps its mass in both: it is known where that lies. What makes
    F rise everywhere counts as so many answers more, spread over the whole line.
    """
    told = single_numbers(fit.lower, fit.upper)
    halfway = (fit.upper[:-1] + fit.lower[1:]) / 2
    start = np.where(told, fit.lower, np.append(numbers[0], halfway))
    end = np.where(told, fit.upper, np.append(halfway, numbers[-1]))
    upto = np.append(0.0, np.cumsum(fit.mass)) / fit.mass.sum()
    edges, levels = np.stack([start, end]), np.stack([upto[:-1], upto[1:]])
    spread = np.interp(numbers, edges.ravel(order="F"), levels.ravel(order="F"))
    even = np.linspace(0, 1, len(numbers))
    kept: Floats = (fit.n * fit.cdf(numbers) + answers * even) / (fit.n + answers)
    smooth: Floats = (fit.n * spread + answers * even) / (fit.n + answers)
    return kept, smooth
