"""The mean of the noise given that it lies within a range."""

import numpy as np

from askance.estimators.noise.law import AbstractNoise
from askance.estimators.noise.parts import Parts
from askance.typing import Floats


def mean_within(noise: AbstractNoise, seen: Parts) -> Floats:
    """Give the mean of the noise within each range.

    That of the tail beyond the near end is made up of this, and of that beyond the far end.

    >>> from askance.channels.ranges import Ranges
    >>> from askance.estimators.noise.logistic import LogisticNoise
    >>> from askance.estimators.noise.parts import parts
    >>> law, far = LogisticNoise(), Ranges([40.0], [float("inf")])
    >>> [mean_within(law, seen).tolist() for seen in parts(law, far, 0 * far.lower, 1.0)]
    [[41.0]]
    """
    apart = noise.mean_beyond(seen.near) - seen.left * noise.mean_beyond(seen.far)
    mean = seen.near.side * apart / (1 - seen.left)
    narrow = seen.narrow
    mean[narrow.part] = (narrow.place * narrow.weight).sum(axis=1)
    (told,) = seen.summed(mean[None])
    return np.asarray(told)
