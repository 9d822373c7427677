"""Unbiased shares: the channel inverted."""

import numpy as np

from askance.arguments import checked
from askance.channels.channel import Tally
from askance.estimators.outcome import Outcome
from askance.estimators.shares.estimate import Estimate
from askance.estimators.shares.fisher import plain_answers
from askance.estimators.shares.informative import Informative, informative
from askance.estimators.shares.likelihood import maximum_likelihood, nothing_learnt
from askance.estimators.shares.two_answers import BinomialShare, binomial_share
from askance.estimators.shares.uncertainty import normal_quantile
from askance.typing import Floats


@checked
def moment_estimate(tally: Tally, level: float = 0.95) -> Estimate:
    """Estimate the share of each answer without bias; shares sum to one but can leave [0, 1].

    Two answers told by two informative reports: (f − q/s)/((p − q)/s) with f the frequency among
    informative reports (Warner, 1965; Li, Zhou, Qin & Xu, 2022, equation 2), with its exact
    variance given that there is one, at the estimate. Otherwise frequencies times a right inverse
    of the channel, with the multinomial covariance at the frequencies. Intervals are those of the
    most likely shares, since an estimate outside [0, 1] has none of its own.

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
    >>> moment_estimate(Tally(q, {"yes": 20, "no": 80})).value.round(9).tolist()
    [-0.1, 1.1]
    """
    normal_quantile(level)
    data = informative(tally)
    if not data.total:
        return nothing_learnt(data, level)
    known = binomial_share(data)
    value, covariance = _binomial(known) if known is not None else _inverted(data)
    likely = maximum_likelihood(tally, level)
    ends = (likely.lower, likely.upper)
    return Estimate(
        labels=data.labels,
        value=value,
        covariance=covariance,
        lower=likely.lower,
        upper=likely.upper,
        level=level,
        reports=likely.reports,
        plain=plain_answers(np.clip(value, 0, 1), covariance, ends, data.received),
        method="unbiased inversion of the channel",
        outcome=Outcome.EXACT,
    )


def right_inverse(matrix: Floats) -> Floats:
    """Give G with matrix · G = 1, weighted so that estimated shares always sum to one.

    G = W⁻¹Qᵀ(QW⁻¹Qᵀ)⁻¹ with W the mean chance of each report: weighted least squares at equal
    shares.

    Parameters
    ----------
    matrix : array, shape (k, m)
        Of full row rank, without impossible reports.

    >>> right_inverse(np.array([[0.75, 0.25], [0.25, 0.75]])).round(9).tolist()
    [[1.5, -0.5], [-0.5, 1.5]]
    """
    weighted = matrix.T / matrix.mean(axis=0)[:, None]
    inverse: Floats = np.linalg.solve((matrix @ weighted).T, weighted.T).T
    return inverse


def two_covariance(variance: float) -> Floats:
    """Spread the variance of one share over two that sum to one."""
    return variance * np.array([[1.0, -1.0], [-1.0, 1.0]])


def _binomial(known: BinomialShare) -> tuple[Floats, Floats]:
    value = np.array([known.raw, 1 - known.raw])
    return value, two_covariance(known.variance(known.raw))


def _inverted(data: Informative) -> tuple[Floats, Floats]:
    """Invert the informative reports alone: the others say nothing, and their number is given."""
    inverse = right_inverse(data.rows.T / data.share)
    frequency = data.counts / data.total
    spread = np.diag(frequency) - np.outer(frequency, frequency)
    return frequency @ inverse, inverse.T @ spread @ inverse / data.total
