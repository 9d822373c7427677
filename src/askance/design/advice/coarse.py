"""The best channel of all in few whole parts, so that people can read it."""

from contextlib import suppress

from askance.channels.channel import Channel
from askance.design.advice.told import LARGEST, MOST_LOST, variance_of
from askance.design.optimum.deploy import settled
from askance.design.optimum.limits import Limits
from askance.errors import InputError, NotIdentified
from askance.typing import Floats


def coarse(channel: Channel, limits: Limits, shares: Floats, total: int = 1_000) -> Channel:
    """Write a channel in few whole parts, tenfold more until less than a hundredth is lost.

    Parameters
    ----------
    channel : Channel
        In fine parts.
    limits : Limits
        Kept exactly.
    shares : array, shape (k,)
        Whose variances count.
    total : int
        The fewest parts.

    >>> from askance.channels.frame import Frame
    >>> from askance.design.optimum.constraint import LocalPrivacy
    >>> from askance.design.optimum.optimal import optimal_channel
    >>> import numpy as np
    >>> abc = Frame(["a", "b", "c"])
    >>> limits = LocalPrivacy(1).tighten(Limits.free(abc))
    >>> fine = optimal_channel(abc, LocalPrivacy(1)).channel
    >>> coarse(fine, limits, np.full(3, 1 / 3)).table.rows[0]
    (576, 212, 212)
    """
    names = [channel.output.names(meaning) for meaning in channel.meanings]
    reports = dict(zip(channel.reports, names, strict=True))
    most = variance_of(channel, shares) / (1 - MOST_LOST)
    while total < LARGEST:
        with suppress(InputError, NotIdentified):
            found = settled(channel.matrix, reports, limits, total)
            if variance_of(found, shares) <= most:
                return found
        total *= 10
    return channel
