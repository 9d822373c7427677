"""The covariance of a fit whose model may be wrong, or whose rows depend on each other."""

from typing import Any, Protocol

import numpy as np

from askance.errors import InputError
from askance.typing import Floats, Integers


class ScoredByRow(Protocol):
    """A likelihood that adds up its rows' slopes, squared, cluster by cluster."""

    @property
    def design(self) -> Floats:
        """The covariates, a row each."""
        ...

    def clustered(self, at: Floats, cluster: Integers) -> Floats:
        """Give the sum over clusters of squared weighted scores, times G / (G − 1)."""
        ...


def inverse(information: Floats) -> Floats:
    """Invert an information matrix whose rows may be of very different size.

    >>> inverse(np.diag([1e-200, 4.0])).tolist()
    [[1e+200, 0.0], [0.0, 0.25]]
    """
    size = np.sqrt(np.abs(np.diag(information)))
    held: Floats = np.linalg.inv(information / np.outer(size, size)) / size / size[:, None]
    return held


def sandwich(
    likelihood: ScoredByRow, at: Floats, bread: Floats, clusters: Any
) -> tuple[Floats, str]:
    """Give the covariance by Huber (1967), and say of how many clusters.

    Parameters
    ----------
    likelihood : ScoredByRow
    at : array, shape (k,)
    bread : array, shape (k, k)
        The inverse of the information observed.
    clusters : array_like, shape (n,), or None
        Each row's label; every row is its own cluster if None.

    Raises
    ------
    InputError
        If the labels do not fit the rows, or are as few as the parameters.
    """
    n = len(likelihood.design)
    if clusters is None:
        return bread @ likelihood.clustered(at, np.arange(n)) @ bread, "robust"
    labels = np.asarray(clusters)
    if labels.shape != (n,):
        raise InputError("clusters", got=f"shape {labels.shape}", allowed=f"{n} labels")
    names, member = np.unique(labels, return_inverse=True)
    if len(names) <= len(at):
        raise InputError(
            "clusters", got=f"{len(names)} clusters", allowed=f"more than {len(at)} parameters"
        )
    return bread @ likelihood.clustered(at, member) @ bread, f"{len(names):,} clusters"
