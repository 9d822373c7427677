"""Tests of one distribution in two groups reject as often as they say where there is only one."""

import numpy as np
import pytest
from budget import Watch, alarm, dice, each, settle

from askance.channels import Ranges
from askance.inference import kolmogorov_test, log_rank_test

TESTS = {"log-rank, no difference": log_rank_test, "Kolmogorov, no difference": kolmogorov_test}
LEVEL, NULL = 0.2, (0.19, 0.2)
"""With 39 permutations the level is met exactly but for ties, which make it less."""

DEALS, SIZES = 39, (12, 18)


def visits(rng, n):
    """Tell between which two of three visits a number fell, or that it is beyond the last."""
    sort_result = np.sort(rng.uniform(0, 4, (n, 3)), axis=1)
    edges = np.column_stack([np.zeros(n), sort_result, np.full(n, np.inf)])
    total = (edges < rng.exponential(1, (n, 1))).sum(axis=1)
    return Ranges(edges[np.arange(n), total - 1], edges[np.arange(n), total])


def p_value(name, rng):
    item, two = (visits(rng, size) for size in SIZES)
    return TESTS[name]({"one": item, "two": two}, permutations=DEALS, rng=rng).p_value


@pytest.mark.odds
@pytest.mark.parametrize("name", each(TESTS))
def test_one_distribution_is_rejected_as_often_as_stated(name):
    """P-values half or twice as large are found out."""
    rng, expected = dice(name), {1: "holds", 0.5: "too high", 2: "too low"}
    watches = {
        factor: (
            Watch(NULL, (LEVEL / 2, 2 * LEVEL), alarm(name)),
            lambda result, factor=factor: factor * result <= LEVEL + 1e-9,
        )
        for factor in expected
    }
    assert settle(lambda: p_value(name, rng), watches) == expected
