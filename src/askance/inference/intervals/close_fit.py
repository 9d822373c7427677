"""The most likely distribution so close that its log-likelihood can be compared, and that."""

import numpy as np

from askance.channels.identification import InclusionProbability
from askance.channels.ranges import Ranges
from askance.inference.ranges.distribution import Distribution
from askance.inference.ranges.npmle import npmle
from askance.typing import Floats

_TIGHT = 1e-4  # how much log-likelihood of all people may be missing


def closely(
    ranges: Ranges, people: float, inclusion: InclusionProbability | None = None
) -> Distribution:
    """Fit until hardly any log-likelihood is missing, summed over so many people."""
    return npmle(ranges, tol=tolerance(people), inclusion=inclusion)


def log_likelihood(
    fit: Distribution, ranges: Ranges, inclusion: InclusionProbability | None = None
) -> float:
    """The log-likelihood of ranges, mass at the upper end of each interval."""
    upto = np.concatenate([[0.0], np.cumsum(fit.mass)])
    last = np.searchsorted(fit.upper, ranges.upper, side="right")
    first = np.searchsorted(fit.upper, ranges.lower, side="right")
    chance: Floats = np.add.reduceat(upto[last] - upto[first], ranges.starts[:-1]) / upto[-1]
    seen = ranges.weights > 0
    heard = 1.0 if inclusion is None else heard_of(fit, inclusion)
    with np.errstate(divide="ignore"):
        return float(ranges.weights[seen] @ np.log(np.maximum(chance[seen], 0.0) / heard))


def heard_of(fit: Distribution, inclusion: InclusionProbability) -> float:
    """How likely a number is to be heard of, mass at the upper end of each interval."""
    step = np.searchsorted(inclusion.ends, fit.upper) - 1
    last = len(inclusion.chance) - 1
    return float(fit.mass @ inclusion.chance[np.minimum(step, last)])


def tolerance(people: float) -> float:
    """The gap that leaves hardly any log-likelihood missing, summed over so many people."""
    return float(np.clip(_TIGHT / people, 1e-12, 1e-4))
