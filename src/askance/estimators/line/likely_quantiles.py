"""Quantiles on a line by likelihood ratio, from ranges of any shape."""

import numpy as np

from askance.channels.identification import Selection
from askance.channels.ranges import Ranges
from askance.estimators.intervals.local_rise import cut_ends
from askance.estimators.intervals.quantile_intervals import quantile_intervals
from askance.estimators.intervals.ratio_limit import HIGHEST, LOWEST
from askance.estimators.line.band import SHARES, quantiles
from askance.estimators.ranges.distribution import Distribution
from askance.typing import Floats


def likely_quantiles(
    ranges: Ranges,
    selection: Selection | None,
    fit: Distribution,
    numbers: Floats,
    level: float,
    band: tuple[Floats, Floats],
) -> dict[float, tuple[float, float, float]]:
    """Give each reported quantile between the ends of its interval, which are ticks of the line.

    They use that no share is below 0, which the band does not. The band is inverted only where the
    law of the likelihood ratio is not tabled, or no range has an end.
    """
    if not (LOWEST <= level <= HIGHEST and len(cut_ends(ranges))):
        return quantiles(fit, numbers, band)
    found = quantile_intervals(ranges, tuple(SHARES), level, selection=selection)
    lower, upper = (np.clip(ends, numbers[0], numbers[-1]) for ends in (found.lower, found.upper))
    middle = np.clip(np.interp(found.share, fit.cdf(numbers), numbers), lower, upper)
    told = zip(lower.tolist(), middle.tolist(), upper.tolist(), strict=True)
    return dict(zip(SHARES, told, strict=True))
