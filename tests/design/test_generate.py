"""Columns made as prices ask for them, against a linear programme over all columns."""

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

from askance.channels import Frame
from askance.design import Advantage, LocalDifferentialPrivacy
from askance.design.constraints import Limits
from askance.design.programme import generated
from askance.errors import InputError


def limits(k, *constraints):
    told = Limits.free(Frame([f"a{at}" for at in range(k)]))
    for constraint in constraints:
        told = constraint.tighten(told)
    return told


def nats(columns, prior):
    """What each column tells about the answer, for every unit of its chance."""
    chance = columns @ prior
    return np.sum(columns * prior * np.log(columns), axis=1) - chance * np.log(chance)


@pytest.mark.parametrize(
    ("k", "epsilon", "off"),
    [(4, 0.5, 0.3), (8, 0.5, 1e-3), (8, 1, 0.01), (8, 3, 0.2), (9, 2, 0.05), (10, 0.1, 1e-4)],
)
def test_no_mixture_of_all_columns_tells_more(k, epsilon, off):
    prior = np.random.default_rng(k).dirichlet(np.ones(k))
    columns, chances, bound = generated(limits(k, LocalDifferentialPrivacy(epsilon)), prior)
    every = np.exp(epsilon * np.array(list(itertools.product((0, 1), repeat=k))[1:-1]))
    best = -linprog(-nats(every, prior), A_eq=every.T, b_eq=np.ones(k)).fun
    assert chances @ columns == pytest.approx(np.ones(k), abs=1e-12)
    assert columns.max() == pytest.approx(np.exp(epsilon), rel=1e-9)
    assert nats(columns, prior) @ chances == pytest.approx(best, rel=1e-3)
    assert best * (1 - 1e-9) <= bound <= best * (1 + off)


def test_unlike_bounds_are_refused():
    with pytest.raises(InputError, match="one bounded loss"):
        generated(limits(3, LocalDifferentialPrivacy(1), Advantage("1/5")), np.full(3, 1 / 3))
