"""What protected reports are worth in plain answers."""

from askance.arguments import checked
from askance.design.people.spread import Asked, Prevalence, above_zero, spread


@checked
def worth(channel: Asked, n: float = 1, *, prevalence: Prevalence = None) -> float:
    """Say how many plain, truthful answers would tell as much as n reports.

    n over the design effect (1 + noise/sampling), for the share, or the mean, that fares worst.

    Parameters
    ----------
    channel : Channel or AbstractRangeChannel
    n : float
    prevalence : float or array, optional
        The share of the first of two answers, a share for each answer, or for each step of a line;
        even if left out.

    Raises
    ------
    InputError
        If a share or n is not above zero.
    NotIdentified
        If the reports cannot tell some answers apart.

    >>> from askance.channels.channel import Channel
    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> round(worth(q, 1000), 6), round(worth(q, 1000, prevalence=0.05), 6)
    (250.0, 59.561129)
    """
    return above_zero(n) / spread(channel, prevalence).design_effect
