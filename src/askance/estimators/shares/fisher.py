"""Errors of most likely shares, from the information the reports are expected to carry."""

import numpy as np

from askance.typing import Floats


def fisher_covariance(rows: Floats, shares: Floats, n: float) -> Floats:
    """Invert the expected information on the shares that sum to one.

    Cov = Z (Zᵀ n Σ_j q_j q_jᵀ / P_j Z)⁻¹ Zᵀ with q_j a report's chances, P_j its chance at the
    estimate and Z a basis of the changes that sum to zero. Where a share is estimated as exactly 0
    the chances are taken half an answer inside, at (n π + ½)/(n + k/2), since there the information
    can be infinite.

    Parameters
    ----------
    rows : array, shape (m, k)
        Chance of each informative report given each answer.
    shares : array, shape (k,)
    n : float
        All reports, those that say nothing included.

    Returns
    -------
    array, shape (k, k)

    >>> variance = fisher_covariance(np.eye(2), np.array([0.2, 0.8]), 100)[0, 0]
    >>> print(round(variance, 9))  # 0.2 · 0.8 / 100
    0.0016
    """
    k = len(shares)
    at = shares if shares.min() > 0 else (n * shares + 0.5) / (n + k / 2)
    scaled = rows / np.sqrt(rows @ at)[:, None]
    basis = np.linalg.svd(np.ones((1, k)))[2][1:].T
    inside = scaled @ basis
    covariance: Floats = basis @ np.linalg.solve(n * inside.T @ inside, basis.T)
    return (covariance + covariance.T) / 2


def plain_answers(
    shares: Floats, covariance: Floats, ends: tuple[Floats, Floats], received: int
) -> Floats:
    """Say how many truthful, plainly asked answers would estimate each share as precisely.

    π(1 − π)/Var, in [0, n]. So that an estimate of 0 or 1 is not called worthless, π is kept at
    least half the upper end of its interval from 0, and half the way from the lower end to 1 from
    1; an interval that is short against the estimate changes nothing.

    Returns
    -------
    array, shape (k,)

    >>> half = np.array([0.5, 0.5])
    >>> plain_answers(half, np.eye(2) / 100, (half - 0.2, half + 0.2), 80).tolist()  # 0.25 · 100
    [25.0, 25.0]
    """
    lower, upper = ends
    inner = np.clip(shares, upper / 2, (1 + lower) / 2)
    spread, variance = inner * (1 - inner), np.diag(covariance)
    worth = np.where(variance > 0, spread / np.where(variance > 0, variance, 1.0), received)
    return np.clip(worth, 0, received)
