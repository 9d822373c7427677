"""The default: from a tally to an estimate."""

import numpy as np

from askance.arguments import checked
from askance.channels.channel import Tally
from askance.estimators.outcome import Outcome
from askance.estimators.shares.estimate import Estimate
from askance.estimators.shares.informative import informative
from askance.estimators.shares.likelihood import maximum_likelihood, nothing_learnt, with_intervals
from askance.estimators.shares.moment import two_covariance
from askance.estimators.shares.two_answers import binomial_share
from askance.estimators.shares.uncertainty import normal_quantile


@checked
def estimate(tally: Tally, level: float = 0.95) -> Estimate:
    """Estimate the share of each answer, with intervals that behave at 0 and 1.

    The most likely shares. Two answers told by two informative reports (Warner, forced response,
    truth-lie-"don't know" and the like) are solved in closed form, the unbiased estimate cut to
    [0, 1] (Li, Zhou, Qin & Xu, 2022, equation 2), with its exact variance; every other channel goes
    to `maximum_likelihood`. Intervals invert the score test for two answers and the likelihood
    ratio for more.

    Parameters
    ----------
    tally : Tally
        How often each report was received, under the channel that was deployed.
    level : float
        How often the intervals hold the true share.

    Returns
    -------
    Estimate

    Raises
    ------
    NotIdentified
        If the reports cannot tell some answers apart.
    InputError
        If a report was received that no answer can send, or the level is not in (0, 1).

    >>> from askance.channels.channel import Channel
    >>> from askance.channels.frame import Frame
    >>> reports = {"yes": ["yes"], "no": ["no"], "don't know": ["yes", "no"]}
    >>> q = Channel(Frame(["yes", "no"]), reports, [[0.6, 0.1, 0.3], [0.1, 0.6, 0.3]])
    >>> estimate(Tally(q, {"yes": 310, "no": 520, "don't know": 170}))
    share of each answer
    answer   share      se  95 % from      to  plain answers
    yes     0.3229  0.0256     0.2777  0.3697            334
    no      0.6771  0.0256     0.6303  0.7223            334
    830 reports; clipped inversion, the most likely shares; computed in closed form
    """
    normal_quantile(level)
    data = informative(tally)
    known = binomial_share(data)
    if known is None:
        return maximum_likelihood(tally, level)
    if not data.total:
        return nothing_learnt(data, level)
    share = min(max(known.raw, 0.0), 1.0)
    return with_intervals(
        data,
        np.array([share, 1 - share]),
        two_covariance(known.variance(share)),
        level,
        method="clipped inversion, the most likely shares",
        outcome=Outcome.EXACT if 0 < share < 1 else Outcome.ON_BOUNDARY,
    )
