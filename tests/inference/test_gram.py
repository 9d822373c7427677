"""Weighted cross-products, block by block."""

import numpy as np
import pytest

from askance.inference.regression.covariates import gram


@pytest.mark.parametrize("n", [0, 1, 2047, 2048, 5001])
def test_blocks_add_up(n):
    rng = np.random.default_rng(n)
    table, weights = rng.normal(size=(n, 3)), rng.normal(size=n)
    assert gram(table, weights) == pytest.approx((table.T * weights) @ table, rel=1e-12, abs=1e-11)
