"""The chance to notice that a share is not what it was thought to be."""

import numpy as np

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.design.people.detection import detection
from askance.exact.ratio import whole


@checked
def power(
    channel: Channel,
    n: int,
    *,
    prevalence: float,
    against: float,
    level: float = 0.95,
    sides: int = 2,
) -> float:
    """Give the chance that n reports reject one share where another is true.

    Exact for two answers told by two reports (and any number that say nothing) up to 10,000
    reports, and by three reports up to some two hundred, where every count can be gone through; the
    test then is the most powerful one that never errs more often than it may. Otherwise by the
    normal law.

    Parameters
    ----------
    channel : Channel
        For two answers.
    n : int
        Reports that will arrive.
    prevalence : float
        The true share of the first answer.
    against : float
        The share that is tested.
    level : float
        1 − α, with α the chance of a false alarm.
    sides : int
        1 where only deviations towards the truth count, 2 where α is halved for either side.

    Raises
    ------
    InputError
        If there are not two answers, the shares are equal or not in (0, 1), or sides is not 1 or 2.

    >>> from askance.channels.frame import Frame
    >>> plain = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[1, 0], [0, 1]])
    >>> round(power(plain, 5, prevalence=0.9, against=0.5, sides=1), 6)  # five of five: 0.9⁵
    0.59049
    """
    test = detection(channel, prevalence, against, level=level, sides=sides)
    count = whole(n, "n", "a number of reports in [1, ∞)")
    exact = test.exact_power(np.array([float(count)]))
    return test.normal(count) if exact is None else float(exact[0])
