"""Ties of a fixed share are counted near it alone where ends are many, as over all of them."""

import numpy as np
import pytest

from askance.channels import Ranges
from askance.inference.intervals.cdf_intervals import closely
from askance.inference.intervals.profile_likelihood import ConstrainedShare


@pytest.mark.parametrize("cuts", [1, 2])
@pytest.mark.parametrize("stretch", [0.0, 0.4])
def test_ties_near_a_share_are_all_ties(cuts: int, stretch: float) -> None:
    rng = np.random.default_rng(7)
    y, cut = rng.gamma(2, 1, 2_000), np.sort(rng.uniform(0, 6, (2_000, cuts)), axis=1)
    y = np.where(abs(y - 2) < stretch, 2 + stretch, y)  # nobody is amid a stretch
    ends = np.column_stack([np.full(len(y), -np.inf), cut, np.full(len(y), np.inf)])
    cell, row = (y[:, None] > cut).sum(axis=1), np.arange(len(y))
    ranges = Ranges(ends[row, cell], ends[row, cell + 1], rng.integers(1, 4, len(y)))
    fit = closely(ranges, ranges.total)
    law = ConstrainedShare(ranges=ranges, fit=fit, level=0.95).law
    assert law is not None
    for end in np.linspace(0, len(law.ends) - 1, 9).astype(int).tolist():
        for share in (0.02, 0.5 * law.upto[end], 0.5 + 0.5 * law.upto[end]):
            shares = law.nearest_shares(end, float(np.clip(share, 1e-3, 1 - 1e-3)))
            near = law.count_ties(np.array([end]), shares[None], np.ones(1))
            both = np.array([end, (end + 1) % len(law.ends)])  # of two ends all are looked at
            of_all = law.count_ties(both, np.stack([shares, shares]), np.ones(2))
            assert near[:, 0] == pytest.approx(of_all[:, 0], rel=1e-9, abs=1e-12)
