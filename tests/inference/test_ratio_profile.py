"""Ends of the profile likelihood of a share, against a search by a general optimiser."""

import numpy as np
import pytest
from scipy.optimize import brentq, minimize

import askance as ak

Z = 1.959963984540054


def profile_root(rows: np.ndarray, counts: np.ndarray, answer: int, share: float) -> float:
    """√deviance where one share is fixed, the others by SLSQP."""
    k = len(rows)

    def loss(shares: np.ndarray) -> float:
        return -float(counts @ np.log(np.maximum(shares @ rows, 1e-300)))

    def best(fixed: float | None) -> float:
        limits = [(0.0, 1.0)] * k
        start = np.full(k, 1 / k)
        if fixed is not None:
            start = np.full(k, (1 - fixed) / (k - 1))
            start[answer], limits[answer] = fixed, (fixed, fixed)
        entire = {"type": "eq", "fun": lambda shares: shares.sum() - 1}
        options = {"ftol": 1e-14, "maxiter": 1000}
        fit = minimize(
            loss, start, bounds=limits, constraints=entire, method="SLSQP", options=options
        )
        return float(fit.fun)

    return float(np.sqrt(max(2 * (best(share) - best(None)), 0.0)))


@pytest.mark.parametrize("counts", [(40, 120, 90, 50), (33, 26, 19, 22), (800, 620, 410, 470)])
def test_ends_are_where_a_general_optimiser_finds_the_likelihood_fallen(
    counts: tuple[int, ...],
) -> None:
    rows = np.array([[0.6, 0.2, 0.1, 0.1], [0.1, 0.5, 0.3, 0.1], [0.2, 0.1, 0.2, 0.5]])
    channel = ak.Channel(ak.Frame(list("abc")), {name: list("abc") for name in "wxyz"}, rows)
    estimate = ak.estimate(ak.Tally(channel, dict(zip("wxyz", counts, strict=True))))
    assert estimate.value.min() > 0, "at the edge an interval holds more"
    received = np.array(counts, dtype=float)
    for answer in range(3):
        share = float(estimate.value[answer])
        for end, limit in ((estimate.lower[answer], 0.0), (estimate.upper[answer], 1.0)):

            def excess(candidate: float, answer: int = answer) -> float:
                return profile_root(rows, received, answer, candidate) - Z

            if excess(limit) <= 0:
                assert end == limit
            else:
                assert end == pytest.approx(brentq(excess, share, limit, xtol=1e-9), abs=2e-5)
