"""Neyman's smooth test of a fitted family, for numbers of which only ranges were seen."""

from typing import Any

import numpy as np

from askance.channels.ranges import Ranges
from askance.estimators.families.family_likelihood import FamilyLikelihood
from askance.typing import Floats

TERMS = 4
"""How many polynomials a departure from the family may be made of."""

_RANK = 1e-5  # a range, of what the ranges cannot tell from the parameters
_LEAST = 1.0
"""Departures of which the ranges tell less than one number that is seen are not tested."""


def smooth_test(problem: FamilyLikelihood, at: Floats) -> tuple[float, int]:
    r"""Test whether the family fits, against densities f(y) exp(Σ a_k φ_k(F(y))).

    .. math:: X^2 = S^\top (I_{aa} - I_{a\theta} I_{\theta\theta}^{-1}
              I_{\theta a})^{-1} S, \quad S_k = \sum_i w_i E[\varphi_k(V) \mid V \in F(R_i)]

    with φ_k the normalised Legendre polynomials on [0, 1], V uniform, and I the observed
    information. It is the score test of a = 0, so only the fit under the family is needed; θ was
    estimated, which the projection allows for (Neyman, 1937; Rao, 1948).

    Parameters
    ----------
    problem : FamilyLikelihood
    at : array
        The fitted place of its search.

    Returns
    -------
    statistic : float
    freedom : int
        Its degrees of freedom: as many of the polynomials as the ranges can see.
    """
    ranges, family = problem.ranges, problem.family
    each, spread = _polynomials(ranges, family(*problem.values(at)))
    pull, steps = ranges.weights @ each, problem.steps(at)
    cross = np.stack(
        [
            (_pull(problem, at - step) - _pull(problem, at + step)) / (2 * step.sum())
            for step in steps
        ]
    )
    own = np.linalg.pinv(-problem.curvature(at), hermitian=True)
    seen = _seen(ranges.weights, each, problem.scores(at))
    sizes, turned = np.linalg.eigh(seen.T @ (spread - cross.T @ own @ cross) @ seen)
    kept = sizes > max(_RANK * ranges.total, _LEAST)
    pulls = turned[:, kept].T @ seen.T @ pull
    return float(np.sum(pulls**2 / sizes[kept])), int(kept.sum())


def _seen(weights: Floats, each: Floats, scores: Floats) -> Floats:
    """Give the departures that the ranges can tell from a change of the parameters."""
    own = np.linalg.pinv((scores.T * weights) @ scores, hermitian=True)
    left = each - scores @ (own @ ((scores.T * weights) @ each))
    sizes, turned = np.linalg.eigh((left.T * weights) @ left)
    found: Floats = turned[:, sizes > _RANK * weights.sum()]
    return found


def _pull(problem: FamilyLikelihood, at: Floats) -> Floats:
    return (
        problem.ranges.weights
        @ _polynomials(problem.ranges, problem.family(*problem.values(at)))[0]
    )


def _polynomials(ranges: Ranges, law: Any) -> tuple[Floats, Floats]:
    """Average each φ over each range, and give Σ w_i (1 − Cov(φ | F(R_i))); the rule is exact."""
    low, high = law.cdf(ranges.lower), law.cdf(ranges.upper)
    nodes, weights = np.polynomial.legendre.leggauss(TERMS + 1)
    places = low[:, None] + (high - low)[:, None] * (nodes + 1) / 2
    norms = np.sqrt(2 * np.arange(1, TERMS + 1) + 1)
    basis = np.polynomial.legendre.legvander(2 * places - 1, TERMS)[..., 1:] * norms
    starts = ranges.starts
    rows = np.repeat(np.arange(len(ranges)), np.diff(starts))
    width = np.maximum(high - low, np.finfo(float).tiny)
    part = (width / np.add.reduceat(width, starts[:-1])[rows])[:, None] * weights / 2
    mean = np.add.reduceat(np.einsum("nqk,nq->nk", basis, part), starts[:-1])
    square = np.einsum("nqj,nqk,nq->jk", basis, basis, part * ranges.weights[rows, None])
    within = square - (mean.T * ranges.weights) @ mean
    return mean, ranges.total * np.eye(TERMS) - within
