"""How the answers to several questions go together."""

import math
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.errors import InputError
from askance.estimators.outcome import Outcome
from askance.estimators.shares.informative import identify
from askance.estimators.shares.joint_estimate import JointEstimate
from askance.estimators.shares.kronecker import KroneckerMixture, information
from askance.estimators.shares.most_likely import TOLERANCE
from askance.estimators.shares.simplex import climb
from askance.estimators.shares.uncertainty import normal_quantile
from askance.estimators.shares.wilson import noisy_wilson
from askance.results import doubles
from askance.typing import Floats

MOST = 2_000
"""How many joint answers can be estimated."""


@checked
def estimate_joint(
    channels: Mapping[str, Channel], counts: npt.ArrayLike, level: float = 0.95
) -> JointEstimate:
    """Estimate the share of each combination of answers to questions that were protected apart.

    The most likely joint shares, climbed and certified as for one question; the joint channel, a
    Kronecker product, is never written out. Covariance is that of the expected Fisher information;
    intervals are Wilson's (1927), with what protection adds to the variance.

    Parameters
    ----------
    channels : mapping of str to Channel
        The questions, in the order of the counts' axes. A report that says nothing, such as a
        blank, may be one of a channel's reports.
    counts : array_like of int, shape (m_1, …, m_d)
        How often each combination of reports was received.
    level : float

    Raises
    ------
    NotIdentified
        If a question's reports cannot tell its answers apart.
    InputError
        If counts do not fit the channels, an impossible combination was received, or there are more
        than 2,000 combinations of answers.

    >>> from askance.channels.frame import Frame
    >>> yn, reports = Frame(["yes", "no"]), {"yes": ["yes"], "no": ["no"]}
    >>> q = Channel(yn, reports, [[0.75, 0.25], [0.25, 0.75]])
    >>> estimate_joint({"smokes": q, "drinks": q}, [[300, 200], [200, 300]])
    share of each combination of smokes and drinks
    smokes  drinks  share       se  95 % from      to  plain answers
    yes        yes   0.45   0.0395     0.3729  0.5275            159
    yes         no   0.05  0.03688          0  0.1239             35
    no         yes   0.05  0.03688          0  0.1239             35
    no          no   0.45   0.0395     0.3729  0.5275            159
    1,000 reports; gap ...; the maximum of the likelihood, certified by its gap
    """
    z = normal_quantile(level)
    problem = _problem(channels, counts)
    size, n = math.prod(problem.shape), problem.counts.sum()
    if not n:
        return _joint(channels, problem, np.full(size, np.nan), z, level, Outcome.NO_REPORTS)
    shares, gap = climb(problem, np.full(size, 1 / size), TOLERANCE)
    outcome = Outcome.ON_BOUNDARY if shares.min() <= 0 else Outcome.CONVERGED
    outcome = outcome if gap <= TOLERANCE else Outcome.STOPPED
    return _joint(channels, problem, shares, z, level, outcome, gap)


def _problem(channels: Mapping[str, Channel], counts: npt.ArrayLike) -> KroneckerMixture:
    shape = tuple(len(channel.reports) for channel in channels.values())
    seen = doubles(counts, "counts")
    if not channels or seen.shape != shape:
        raise InputError("counts", got=f"shape {seen.shape}", allowed=f"shape {shape}")
    if not np.all((seen >= 0) & (seen == np.floor(seen)) & np.isfinite(seen)):
        raise InputError("counts", allowed="whole numbers in [0, ∞)")
    for channel in channels.values():
        identify(channel)
    matrices = tuple(channel.matrix for channel in channels.values())
    for axis, (name, matrix) in enumerate(zip(channels, matrices, strict=True)):
        others = tuple(at for at in range(len(shape)) if at != axis)
        if np.any((matrix.max(axis=0) == 0) & (seen.sum(axis=others) > 0)):
            raise InputError(
                f"counts, {name}",
                got="a report that no answer can send",
                allowed="reports that the channel can yield",
                remedy="check that the reports belong to this form",
            )
    size = math.prod(len(matrix) for matrix in matrices)
    if size > MOST:
        raise InputError(
            "channels",
            got=f"{size:,} combinations of answers",
            allowed=f"at most {MOST:,}",
            remedy="take fewer questions together, or merge answers",
        )
    return KroneckerMixture(matrices=matrices, counts=seen)


def _joint(
    channels: Mapping[str, Channel],
    problem: KroneckerMixture,
    shares: Floats,
    z: float,
    level: float,
    outcome: Outcome,
    gap: float = float("nan"),
) -> JointEstimate:
    n = float(problem.counts.sum())
    covariance = joint_covariance(problem, shares, n) if n else np.full((len(shares),) * 2, np.nan)
    lower, upper, worth = np.zeros(len(shares)), np.ones(len(shares)), np.zeros(len(shares))
    if n:
        inner = np.clip(shares, 0.5 / (n + 1), (n + 0.5) / (n + 1))
        worth = np.minimum(inner * (1 - inner) / np.maximum(np.diag(covariance), 1e-300), n)
        lower, upper = noisy_wilson(shares, np.diag(covariance), np.full(len(shares), 1 / n), z)
    return JointEstimate(
        questions=tuple(channels),
        labels=tuple(channel.frame.answers for channel in channels.values()),
        value=shares.reshape(problem.shape),
        covariance=covariance,
        lower=lower.reshape(problem.shape),
        upper=upper.reshape(problem.shape),
        plain=worth.reshape(problem.shape),
        level=level,
        reports=int(n),
        gap=gap,
        outcome=outcome,
    )


def joint_covariance(problem: KroneckerMixture, shares: Floats, n: float) -> Floats:
    """Invert the expected information on joint shares that sum to one.

    As for one question, half an answer inside where a share is estimated as exactly 0.

    Returns
    -------
    array, shape (K, K)
    """
    size = len(shares)
    at = shares if shares.min() > 0 else (n * shares + 0.5) / (n + size / 2)
    chances = problem.chances(at)
    possible = chances > 0
    weights = np.where(possible, n / np.where(possible, chances, 1.0), 0.0)
    bread = information(problem.matrices, weights)
    edge = np.ones((size + 1, size + 1))
    edge[:size, :size], edge[size, size] = bread / n, 0.0
    covariance = np.linalg.inv(edge)[:size, :size] / n
    return np.asarray((covariance + covariance.T) / 2, dtype=np.float64)
