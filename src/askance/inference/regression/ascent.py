"""Climbing a likelihood to its top, the covariance there, and the ratio to a smaller model."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, final

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc

from askance.errors import InputError
from askance.results import is_missing
from askance.typing import Booleans, Floats

_MOST_STEPS = 200
_SETTLED = 1e-13
"""Converged when a step would gain less than this part of the log-likelihood, or of 1000."""

_SHORTEST = 2.0**-30
"""Of a step that is halved."""


class Climbable(Protocol):
    """A log-likelihood with its slope, and matrices that stand in for its curvature."""

    def total(self, at: Floats) -> float:
        """Give the log-likelihood; -∞ where the data are impossible."""
        ...

    def slope(self, at: Floats) -> Floats:
        """Give its gradient."""
        ...

    def informations(self, at: Floats) -> Iterator[Callable[[], Floats]]:
        """Give the ways to take a step, the fastest first, the safest last."""
        ...


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Top:
    """Where a climb ended.

    Attributes
    ----------
    at : array
    total : float
        The log-likelihood there.
    gap : float
        What one more step would gain.
    settled : bool
    """

    at: Floats
    total: float
    gap: float
    settled: bool


def ascend(problem: Climbable, start: Floats) -> Top:
    """Climb until a step would gain nothing.

    A step is taken along the inverse of the observed information if that ascends; else along that
    of the expected one; else along that of the complete data, which is EM's to first order (Lange,
    1995). Each is halved until the likelihood does not fall.

    Parameters
    ----------
    problem : Climbable
    start : array

    Returns
    -------
    Top
    """
    at, total, gap = start, problem.total(start), np.inf
    for _ in range(_MOST_STEPS):
        slope = problem.slope(at)
        moved = None
        for information in problem.informations(at):
            step = _step(information(), slope)
            if step is None:
                continue
            gap = float(slope @ step) / 2
            if gap <= _SETTLED * max(1000.0, abs(total)):
                last = problem.total(at + step)
                if last >= total:
                    at, total = at + step, last
                return Top(at=at, total=total, gap=gap, settled=True)
            moved = _halved(problem, at, total, step)
            if moved is not None:
                break
        if moved is None:
            break
        at, total = moved
    return Top(at=at, total=total, gap=gap, settled=False)


def _step(information: Floats, slope: Floats) -> Floats | None:
    """Solve for a step, unless the matrix is not positive definite."""
    scale = np.sqrt(np.diag(information).clip(0))
    if not np.isfinite(information).all() or not (scale > 0).all():
        return None
    values, axes = np.linalg.eigh(information / np.outer(scale, scale))
    if not values[0] > len(scale) * np.finfo(float).eps:
        return None
    step: Floats = axes @ (axes.T @ (slope / scale) / values) / scale
    return step


def _halved(
    problem: Climbable, at: Floats, total: float, step: Floats
) -> tuple[Floats, float] | None:
    length = 1.0
    while length > _SHORTEST:
        there = at + length * step
        reached = problem.total(there)
        if reached > total:
            return there, reached
        length /= 2
    return None


_RUNAWAY = 1e-8
"""A likelihood that bends less than this a row, in units of a covariate's spread, has no top."""


class ScoredByRow(Protocol):
    """A log-likelihood that adds up over weighted rows."""

    @property
    def weights(self) -> Floats:
        """How often each row counts."""
        ...

    def scores(self, at: Floats) -> Floats:
        """Give each row's gradient, not weighted, shape (n, k)."""
        ...


def inverse(information: Floats) -> Floats:
    """Invert an information matrix whose rows may be of very different size.

    >>> inverse(np.diag([1e-200, 4.0])).tolist()
    [[1e+200, 0.0], [0.0, 0.25]]
    """
    size = np.sqrt(np.abs(np.diag(information)))
    held: Floats = np.linalg.inv(information / np.outer(size, size)) / size / size[:, None]
    return held


def runs_away(names: Sequence[str], information: Floats, size: Floats) -> list[str]:
    """Name the parameters along which a likelihood rises without end; none if it has a top.

    >>> runs_away(("intercept", "age"), np.diag([4.0, 1e-12]), np.ones(2))
    ['age']
    """
    values, axes = np.linalg.eigh(information / np.outer(size, size))
    part = np.abs(axes[:, 0])
    along = [names[at] for at in np.argsort(-part) if part[at] > 0.3 * part.max()]
    return sorted(along[:5]) if values[0] <= _RUNAWAY else []


def sandwich(
    likelihood: ScoredByRow, at: Floats, bread: Floats, clusters: Any = None
) -> tuple[Floats, str]:
    r"""Give the covariance by Huber (1967), and say of how many clusters.

    .. math:: A \Big( \frac{G}{G - 1} \sum_g s_g s_g^T \Big) A

    with A the inverse of the information observed and s_g the weighted slope of cluster g. Of the G
    clusters each has a row of positive weight.

    Parameters
    ----------
    likelihood : ScoredByRow
    at : array, shape (k,)
    bread : array, shape (k, k)
        A.
    clusters : array_like, shape (n,), or None
        Each row's label; every row is its own cluster if None.

    Raises
    ------
    InputError
        If the labels do not fit the rows, cannot be sorted, or are as few as the parameters.
    """
    seen, told = likelihood.weights > 0, "robust"
    scores = likelihood.scores(at)[seen] * likelihood.weights[seen, None]
    if clusters is not None:
        scores = _by_cluster(scores, clusters, seen)
        told = f"{len(scores):,} clusters"
    meat = scores.T @ scores * (len(scores) / max(len(scores) - 1, 1))
    return bread @ meat @ bread, told


def _by_cluster(scores: Floats, clusters: Any, seen: Booleans) -> Floats:
    labels, k = _labels(clusters), scores.shape[1]
    if labels.shape != seen.shape:
        raise InputError("clusters", got=f"shape {labels.shape}", allowed=f"{len(seen)} labels")
    missing = labels.dtype.kind in "fmMO" and [is_missing(one) for one in labels.tolist()]
    if missing and any(missing):
        raise InputError(
            f"clusters[{missing.index(True)}]",
            got="nothing",
            allowed="a label for every row",
            remedy="give rows that stand alone labels of their own",
        )
    try:
        names, member = np.unique(labels[seen], return_inverse=True)
    except TypeError as error:
        raise InputError(
            "clusters", got="labels of several kinds", allowed="all text, or all numbers"
        ) from error
    if len(names) <= k:
        raise InputError(
            "clusters",
            got=f"{len(names)} clusters",
            allowed=f"more clusters than the {k} parameters",
        )
    return np.column_stack([np.bincount(member, one) for one in scores.T])


def _labels(clusters: Any) -> npt.NDArray[Any]:
    if isinstance(clusters, np.ma.MaskedArray):
        clusters = np.array(clusters.tolist(), dtype=object)
    try:
        return np.asarray(clusters)
    except ValueError as error:
        raise InputError(
            "clusters", got="rows of unequal length", allowed="a label each"
        ) from error


class Likely(Protocol):
    """A regression by maximum likelihood."""

    @property
    def value(self) -> Floats:
        """What was fitted."""
        ...

    @property
    def log_likelihood(self) -> float:
        """At what was fitted."""
        ...


def likelihood_ratio(
    larger: Likely, smaller: Likely, *, same: bool, given: str
) -> tuple[float, int, float]:
    """Give twice the difference in log-likelihood, its degrees of freedom, and the chance of more.

    Parameters
    ----------
    larger, smaller : fitted regressions
    same : bool
        Whether both were given the same.
    given : str
        What they were given, for the message.

    Raises
    ------
    InputError
        If the smaller regression is not smaller, or was given something else.
    """
    freedom = len(larger.value) - len(smaller.value)
    if freedom <= 0 or not same:
        raise InputError(
            "likelihood_ratio",
            got=f"{len(smaller.value)} values" + ("" if same else f", not of the same {given}"),
            allowed=f"fewer than {len(larger.value)}, of the same {given}",
        )
    statistic = max(2 * (larger.log_likelihood - smaller.log_likelihood), 0.0)
    return statistic, freedom, float(chdtrc(freedom, statistic))
