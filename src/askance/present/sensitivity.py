"""What a figure would be if some people had not answered with care."""

import numpy as np

from askance.errors import InputError
from askance.typing import Floats


def without_random(shares: Floats, careless: float) -> Floats:
    r"""Give the shares among careful people, had so many others picked an answer at random.

    What is estimated is then a mixture, so that :math:`\pi = (\hat\pi - r/k)/(1 - r)`, held inside
    [0, 1].

    Parameters
    ----------
    shares : array of shape (k,)
        The estimated shares :math:`\hat\pi` of the k answers.
    careless : float
        The share r of people who answered at random, in [0, 1).

    >>> without_random(np.array([0.3, 0.7]), 0.1).round(3).tolist()
    [0.278, 0.722]
    """
    if not 0 <= careless < 1:
        raise InputError("careless", got=careless, allowed="a share in [0, 1)")
    return np.clip((np.asarray(shares) - careless / len(shares)) / (1 - careless), 0, 1)


def mean_without_random(mean: float, middle: float, careless: float) -> float:
    r"""Give the mean among careful people, had so many others answered at random.

    Random answers centre on the middle c of the line, so that
    :math:`\mu = (\hat\mu - r c)/(1 - r)`.

    >>> round(mean_without_random(29.0, 43.5, 0.1), 2)
    27.39
    """
    return (mean - careless * middle) / (1 - careless)
