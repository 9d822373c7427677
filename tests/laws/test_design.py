"""Laws of optimal channels: relaxing never harms, bounds are met, rounding never weakens."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from askance import Channel, Frame, local_loss
from askance.design import (
    Advantage,
    AOptimal,
    DOptimal,
    EOptimal,
    LocalDifferentialPrivacy,
    MeanSquaredError,
    MutualInformation,
    joint_pair,
    merit,
    optimal_channel,
)
from askance.design.extremal_columns import Limits
from askance.design.optimal_channel import round_channel, round_rows
from askance.privacy import guessing
from askance_collect.exact import exp_down

ABC = Frame(["a", "b", "c"])
UTILITIES = (AOptimal, DOptimal, EOptimal, MeanSquaredError, MutualInformation)

epsilons = st.integers(1, 30).map(lambda tenth: Fraction(tenth, 10))
deltas = st.integers(5, 95).map(lambda hundredth: Fraction(hundredth, 100))
weights = st.sampled_from(["1/2", "9/20", "3/5"])
priors = st.lists(st.integers(1, 9), min_size=3, max_size=3).map(
    lambda masses: [mass / sum(masses) for mass in masses]
)
utilities = st.sampled_from(UTILITIES)


@given(deltas, deltas, epsilons, epsilons, st.fractions("1/20", "19/20"))
def test_a_wider_bound_never_lowers_the_information(delta, wider, epsilon, looser, theta):
    low, high = sorted([delta, wider])
    strict, loose = sorted([epsilon, looser])
    information_result = joint_pair(low, strict).information(theta)
    assert joint_pair(high, strict).information(theta) >= information_result
    assert joint_pair(low, loose).information(theta) >= information_result


@given(deltas, epsilons, weights)
def test_a_joint_optimum_meets_its_bounds_with_equality(delta, epsilon, weight):
    delta = max(delta, abs(1 - 2 * Fraction(weight)))
    pair = joint_pair(delta, epsilon, first_weight=weight)
    assert sum(pair.first) == sum(pair.second) == 1
    assert min(*pair.first, *pair.second) >= 0
    ratios = [max(a / b, b / a) for a, b in zip(pair.first, pair.second, strict=True) if a and b]
    assert max(ratios) <= exp_down(epsilon)
    assert pair.advantage <= delta
    assert pair.advantage == delta or len(pair.first) == 2


@settings(max_examples=25, deadline=None)
@given(epsilons, epsilons, deltas, weights, priors, utilities)
@pytest.mark.long
def test_relaxing_a_constraint_never_lowers_the_optimum(one, two, delta, w, prior, utility):
    strict, loose = sorted([one, two])
    delta = max(delta, abs(1 - 2 * Fraction(w)) + Fraction(1, 20))
    wanted = utility(prior)
    chosen = [
        optimal_channel(ABC, LocalDifferentialPrivacy(epsilon), *caps, utility=wanted)
        for epsilon, caps in (
            (strict, [Advantage(delta, first_weight=w)]),
            (loose, [Advantage(delta, first_weight=w)]),
            (loose, []),
        )
    ]
    sign = 1 if utility.larger_is_better else -1
    levels = [sign * design.value for design in chosen]
    for before, after in pairwise(levels):
        assert after >= before - 1e-5 * abs(before)


@settings(max_examples=25, deadline=None)
@given(epsilons, deltas, priors, utilities)
def test_some_bound_is_met_with_equality_and_none_is_broken(epsilon, delta, prior, utility):
    questions = LocalDifferentialPrivacy(epsilon), Advantage(delta)
    design = optimal_channel(ABC, *questions, utility=utility(prior))
    loss = Fraction(local_loss(design.channel).value)
    distance = guessing(design.channel).guarantee.value
    assert loss <= exp_down(epsilon)
    assert distance <= delta
    reached = float(loss) >= math.exp(epsilon) * (1 - 1e-6), distance >= delta - Fraction(1, 10**6)
    assert any(reached)
    assert design.gap < 1e-5


@settings(max_examples=40, deadline=None)
@given(epsilons, priors, utilities, st.integers(0, 2**32 - 1))
def test_no_random_channel_beats_the_bound(epsilon, prior, utility, seed):
    rng, e = np.random.default_rng(seed), math.exp(epsilon)
    columns = rng.uniform(1, e, (6, 3)) if seed % 2 else np.where(rng.random((6, 3)) < 0.4, e, 1.0)
    chances = np.linalg.lstsq(columns.T, np.ones(3), rcond=None)[0]
    if min(chances) < 0 or np.linalg.matrix_rank(columns) < 3:
        columns = np.vstack([columns, np.where(np.eye(3, dtype=bool), e, 1.0)])
        chances = np.append(np.zeros(6), np.full(3, 1 / (e + 2)))
    matrix = (columns * chances[:, None]).T
    q = Channel(ABC, {str(index): ["a"] for index in range(matrix.shape[1])}, matrix)
    assume(np.linalg.matrix_rank(matrix, tol=1e-6) == 3)
    wanted = utility(prior)
    bound = optimal_channel(ABC, LocalDifferentialPrivacy(epsilon), utility=wanted).bound
    merit_result = merit(q, wanted)
    sign = 1 if utility.larger_is_better else -1
    assert sign * merit_result <= sign * bound + 1e-7 * abs(bound)


@given(st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=2, max_size=4))
def test_rounding_keeps_what_is_possible(masses):
    rows = np.array(
        [[mass + (index == 0) for index, mass in enumerate(row)] for row in masses], float
    )
    rows /= rows.sum(axis=1, keepdims=True)
    units = round_rows(rows, 1000)
    assert (units.sum(axis=1) == 1000).all()
    assert ((units > 0) == (rows > 0)).all()
    assert np.abs(units - 1000 * rows).max() < 2


@settings(max_examples=40, deadline=None)
@given(epsilons, st.integers(0, 2**32 - 1))
def test_rounding_never_weakens_a_guarantee(epsilon, seed):
    """Even a design that is slightly beyond its bound is deployed within it."""
    limits = LocalDifferentialPrivacy(epsilon).tighten(Limits.free(ABC))
    rng = np.random.default_rng(seed)
    e = math.exp(epsilon) * (1 + 1e-6 * rng.random())
    columns = np.where(np.eye(3, dtype=bool), e, 1.0)
    q = round_channel(columns, np.full(3, 1 / (e + 2)), limits)
    assert local_loss(q).value <= exp_down(epsilon)
    assert float(local_loss(q).value) == pytest.approx(math.exp(epsilon), rel=1e-4)
