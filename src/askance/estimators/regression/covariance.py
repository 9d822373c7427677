"""The covariance of a fit whose model may be wrong, or whose rows depend on each other."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from askance.errors import InputError
from askance.results import is_missing
from askance.typing import Booleans, Floats

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
