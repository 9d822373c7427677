"""Columns made as prices ask for them, against a linear programme over all columns."""

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

from askance.channels import Frame
from askance.design import LocalDifferentialPrivacy, MutualInformation, optimal_channel


def nats(columns, prior):
    """What each column tells about the answer, for every unit of its chance."""
    chance = columns @ prior
    return np.sum(columns * prior * np.log(columns), axis=1) - chance * np.log(chance)


@pytest.mark.parametrize(("epsilon", "off"), [(0.5, 1e-3), (1, 0.01), (3, 0.2)])
@pytest.mark.long
def test_no_mixture_of_all_columns_tells_more(epsilon, off):
    """From 13 answers on columns are made one by one; here all 8190 are mixed."""
    k = 13
    frame, prior = (
        Frame([f"a{index}" for index in range(k)]),
        np.random.default_rng(k).dirichlet([1] * k),
    )
    privacy = LocalDifferentialPrivacy(epsilon)
    design = optimal_channel(frame, privacy, utility=MutualInformation(prior.tolist()))
    every = np.exp(epsilon * np.array(list(itertools.product((0, 1), repeat=k))[1:-1]))
    best = -linprog(-nats(every, prior), A_eq=every.T, b_eq=np.ones(k)).fun
    assert design.value == pytest.approx(best, rel=1e-3)
    assert design.value <= best * (1 + 1e-6)
    assert best * (1 - 1e-9) <= design.bound <= best * (1 + off)
