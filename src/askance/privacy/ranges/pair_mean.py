"""The chance that two independent people are reported in one range, by quadrature."""

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import product

import numpy as np

from askance.channels.continuous import ContinuousLaw
from askance.channels.cut_law import CutLaw
from askance.errors import InputError
from askance.typing import Floats

_NODES = 16
_HALVINGS = 52  # the last panel next to 0 or 1 is as short as doubles there are apart
_MOST_TERMS = 4096
_ROUND_OFF = 1e-14

Term = tuple[float, int, int, int, int]
"""A coefficient and the powers of 1 − a, a, 1 − b and b in one term."""


def pair_mean(mechanisms: Sequence[CutLaw], prior: ContinuousLaw) -> tuple[float, float]:
    r"""Give the chance that no report of several tells Y from Y', and a bound on its error.

    .. math:: E\prod_j s_j\bigl(|G_j(Y) - G_j(Y')|\bigr)

    With d = a − b, where a ≥ b are chances G, and s(d) = (1 − d)^m for m cuts; for a ring
    (1 − d)^m + d^m, since its outer arc holds both where all cuts fall between them. Terms are
    split into a function of a times a function of b, all of one sign for cuts; so the double
    integral over quantiles is two single ones. Panels halve towards both tails and at the quantiles
    of every G. The error is how far sixteen nodes a panel move when panels are halved.
    """
    edges = _edges(mechanisms, prior)
    halved = np.sort(np.concatenate([edges, (edges[:-1] + edges[1:]) / 2]))
    coarse, fine = (_integral(mechanisms, prior, one) for one in (edges, halved))
    signs = math.prod(2.0**one.number for one in mechanisms if one.ring)  # d^m takes differences
    return fine, abs(fine - coarse) + _ROUND_OFF * signs


def _edges(mechanisms: Sequence[CutLaw], prior: ContinuousLaw) -> Floats:
    tail = 2.0 ** -np.arange(1.0, _HALVINGS)
    grid = np.unique(np.concatenate([tail, 1 - tail, np.arange(1, 32) / 32]))
    grid = np.concatenate([[0.0], grid, [1.0]])
    upto = np.append(0.0, np.cumsum(getattr(prior, "mass", 1.0)))  # of a fit, where it turns
    edges = [grid, upto, (upto[:-1] + upto[1:]) / 2]
    for one in mechanisms:
        edges += [prior.cdf(one.law.ppf(grid)), prior.cdf(np.array(one.open).ravel())]
    found: Floats = np.unique(np.clip(np.concatenate(edges), 0, 1))
    return found


@lru_cache(maxsize=1)
def _rule() -> tuple[Floats, Floats, Floats]:
    """Give nodes on [0, 1], their weights, and weights for integrals from 0 up to each node."""
    at, weight = np.polynomial.legendre.leggauss(_NODES)
    values = np.polynomial.legendre.legvander(at, _NODES)
    upto = np.empty((_NODES, _NODES))
    for k in range(_NODES):
        below = values[:, k - 1] if k else np.full(_NODES, -1.0)
        upto[:, k] = (values[:, k + 1] - below) / (2 * k + 1)
    scale = (2 * np.arange(_NODES) + 1) / 2
    return (at + 1) / 2, weight / 2, upto @ (scale[:, None] * values[:, :-1].T * weight) / 2


def _integral(mechanisms: Sequence[CutLaw], prior: ContinuousLaw, edges: Floats) -> float:
    nodes, weights, upto = _rule()
    width = np.diff(edges)[:, None]
    quantile = prior.ppf(edges[:-1, None] + width * nodes)
    closed = np.ones(quantile.shape)
    for low, high in (interval for one in mechanisms for interval in one.open):
        closed[(quantile > low) & (quantile <= high)] = 0
    cut = [np.clip(one.law.cdf(quantile), 0, 1) for one in mechanisms]
    terms = [_terms(one) for one in mechanisms]
    if math.prod(len(each) for each in terms) > _MOST_TERMS:
        raise InputError("coverage", got=f"{len(terms)} mechanisms", allowed="fewer cuts in all")
    total = 0.0
    for combined in product(*terms):
        upper, lower = closed.copy(), closed.copy()
        for (sign, up_free, up, low_free, low), a in zip(combined, cut, strict=True):
            upper *= sign * (1 - a) ** up_free * a**up
            lower *= (1 - a) ** low_free * a**low
        panel = width * (lower @ weights)[:, None]
        below = np.cumsum(panel, axis=0) - panel + width * (lower @ upto.T)
        total += float(np.sum(width * weights * upper * below))
    return 2 * total


def _terms(mechanism: CutLaw) -> list[Term]:
    m = mechanism.number
    closed = [j for j in range(m + 1) if j + 1 not in mechanism.open_cells]
    apart = [(float(math.comb(m, j)), m - j, 0, 0, j) for j in closed]  # j cuts below both
    outer = [((-1.0) ** j * math.comb(m, j), 0, m - j, 0, j) for j in range(m + 1)]
    return apart + outer if mechanism.ring else apart
