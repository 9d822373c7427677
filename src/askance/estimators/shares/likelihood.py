"""The most likely shares under any finite channel."""

import numpy as np

from askance.arguments import checked
from askance.channels.channel import Tally
from askance.estimators.outcome import Outcome
from askance.estimators.shares.estimate import Estimate
from askance.estimators.shares.fisher import fisher_covariance, plain_answers
from askance.estimators.shares.informative import Informative, informative
from askance.estimators.shares.most_likely import fitted
from askance.estimators.shares.uncertainty import intervals, normal_quantile
from askance.typing import Floats


@checked
def maximum_likelihood(tally: Tally, level: float = 0.95) -> Estimate:
    """Estimate the share of each answer by maximum likelihood, with a certificate.

    Maximises Σ_j n_j log Σ_i π_i q_ij over shares π ≥ 0 that sum to one, as `most_likely` does: its
    gap bounds what is missing to the maximum. Standard errors are those of the expected Fisher
    information (Li, Zhou, Qin & Xu, remark 8, leave this to EM).

    Parameters
    ----------
    tally : Tally
    level : float
        How often the intervals hold the true share.

    Raises
    ------
    NotIdentified
        If the reports cannot tell some answers apart.
    InputError
        If a report was received that no answer can send, or the level is not in (0, 1).

    >>> from askance.channels.channel import Channel
    >>> from askance.channels.frame import Frame
    >>> q = Channel(Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}, [[.75, .25], [.25, .75]])
    >>> maximum_likelihood(Tally(q, {"yes": 40, "no": 60})).value.round(9).tolist()
    [0.3, 0.7]
    """
    normal_quantile(level)
    data = informative(tally)
    if not data.total:
        return nothing_learnt(data, level)
    found = fitted(data)
    return with_intervals(
        data,
        found.value,
        fisher_covariance(data.rows, found.value, data.received),
        level,
        method="maximum likelihood, Newton on the active set",
        outcome=found.outcome,
        gap=found.gap,
    )


def with_intervals(
    data: Informative,
    shares: Floats,
    covariance: Floats,
    level: float,
    *,
    method: str,
    outcome: Outcome,
    gap: float = float("nan"),
) -> Estimate:
    """Put intervals and the worth in plain answers beside the most likely shares."""
    ends = intervals(data, shares, np.sqrt(np.diag(covariance)), level)
    return Estimate(
        labels=data.labels,
        value=shares,
        covariance=covariance,
        lower=ends[0],
        upper=ends[1],
        level=level,
        reports=int(data.total),
        plain=plain_answers(shares, covariance, ends, data.received),
        method=method,
        outcome=outcome,
        gap=gap,
    )


def nothing_learnt(data: Informative, level: float) -> Estimate:
    """Say that no report says anything: no value, and intervals from 0 to 1."""
    k = len(data.labels)
    nothing = np.full(k, np.nan)
    return Estimate(
        labels=data.labels,
        value=nothing,
        covariance=np.full((k, k), np.nan),
        lower=np.zeros(k),
        upper=np.ones(k),
        level=level,
        reports=0,
        plain=np.zeros(k),
        method="none",
        outcome=Outcome.NO_REPORTS,
    )
