"""Where all answers are protected alike, closed forms agree with the general computation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import askance as ak


def invert_information(rows: np.ndarray, counts: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Z (Zᵀ J Z)⁻¹ Zᵀ with J the observed information, Z an orthogonal basis of contrasts."""
    k = len(shares)
    basis = np.linalg.svd(np.ones((1, k)))[2][1:].T
    information = np.zeros((k, k))
    for chances, count in zip(rows.T, counts, strict=True):
        information += count * np.outer(chances, chances) / (chances @ shares) ** 2
    return basis @ np.linalg.inv(basis.T @ information @ basis) @ basis.T


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.integers(400, 900), min_size=60, max_size=70),
    st.sampled_from(["1/2", "2/3", "9/10"]),
)
def test_shares_and_errors_are_those_of_the_general_rule(counts: list[int], truth: str) -> None:
    names = [f"answer {index}" for index in range(len(counts))]
    channel = ak.KAry(truth=truth).channel(ak.Frame(names))
    estimate = ak.estimate(ak.Tally(channel, dict(zip(names, counts, strict=True))))
    assert estimate.gap <= 1e-12
    if estimate.value.min() > 1e-6:
        received = np.array(counts, dtype=float)
        inverted = np.linalg.solve(channel.matrix.T, received / received.sum())
        assert estimate.value == pytest.approx(inverted, abs=1e-9)
        expected = invert_information(channel.matrix, received, inverted)
        assert estimate.covariance == pytest.approx(expected, rel=1e-7, abs=1e-12)


def test_a_report_that_nobody_sent_leaves_the_general_rule() -> None:
    names = [f"answer {index}" for index in range(80)]
    channel = ak.KAry(truth="2/3").channel(ak.Frame(names))
    estimate = ak.estimate(ak.Tally(channel, dict.fromkeys(names[:-1], 600)))
    assert estimate.value[-1] == 0
    assert np.isfinite(estimate.covariance).all()
    assert estimate.gap <= 1e-12


@pytest.mark.parametrize("nearly", [0, 1e-12])
def test_rows_that_hardly_differ_are_not_taken_for_independent(nearly: float) -> None:
    matrix = np.full((3, 3), 1 / 3) + nearly * (np.eye(3) - 1 / 3)
    channel = ak.Channel(ak.Frame(list("abc")), {name: [name] for name in "abc"}, matrix)
    with pytest.raises(ak.errors.NotIdentified):
        ak.estimate(ak.Tally(channel, {"a": 30, "b": 40, "c": 30}))
