"""The probabilities that a mass function allows, against selections and linear programmes."""

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from scipy.optimize import linprog

from askance import Frame
from askance.channels import CredalSet, MassFunction
from askance_collect.errors import InputError

F = Fraction
ABCD = Frame([*"abcd"])
M = MassFunction(ABCD, {1: F(1, 8), 3: F(1, 4), 14: F(1, 2), 12: F(1, 8)})


def by_orders(m):
    """List the corners by all k! orders: each focal set goes to its first answer."""
    distinct = set()
    for order in permutations(range(len(m.frame))):
        point = [F(0)] * len(m.frame)
        for focal, mass in m.masses.items():
            point[next(index for index in order if focal >> index & 1)] += mass
        distinct.add(tuple(point))
    return distinct


def test_corners_are_those_of_all_orders():
    corners = CredalSet(M).extreme_points()
    assert {tuple(corner) for corner in corners} == by_orders(M)
    assert len(corners) == len(by_orders(M))


def test_corners_of_a_probability_and_of_nothing_known():
    even = MassFunction(
        Frame([*"abcdefgh"]), dict.fromkeys((1 << index for index in range(8)), F(1, 8))
    )
    assert CredalSet(even).extreme_points().tolist() == [[F(1, 8)] * 8]
    vacuous = MassFunction(ABCD, {15: 1.0})
    assert np.array_equal(np.sort(CredalSet(vacuous).extreme_points(), axis=0)[-1], np.ones(4))


@pytest.mark.long
def test_eight_answers_with_every_focal_set():
    every = MassFunction(Frame([*"abcdefgh"]), {mask: F(1, 255) for mask in range(1, 256)})
    corners = CredalSet(every).extreme_points()
    assert len(corners) == 40320
    assert all(sum(corner) == 1 for corner in corners[::1000])


def test_means_are_attained_at_corners():
    allowed, corners = CredalSet(M), CredalSet(M).extreme_points()
    for values in product([F(-2), F(0), F(3, 7), F(5)], repeat=4):
        means = corners @ np.array(values, dtype=object)
        assert allowed.lower(values) == min(means)
        assert allowed.upper(values) == max(means)


def test_events_have_belief_and_plausibility_as_bounds():
    allowed = CredalSet(M)
    for mask in range(16):
        event = [mask >> index & 1 for index in range(4)]
        assert allowed.lower(event) == M.belief(mask)
        assert allowed.upper(event) == M.plausibility(mask)


def test_lower_means_are_those_of_a_linear_programme():
    dice = np.random.default_rng(2)
    m = MassFunction(ABCD, dict(zip(range(1, 16), dice.dirichlet(np.ones(15)), strict=True)))
    inside = np.array([[mask >> index & 1 for index in range(4)] for mask in range(16)])
    for _ in range(20):
        values = dice.normal(size=4)
        least = linprog(values, A_ub=-inside, b_ub=-m.beliefs(), A_eq=[np.ones(4)], b_eq=[1]).fun
        assert CredalSet(m).lower(values) == pytest.approx(least, abs=1e-9)


def test_what_is_allowed():
    allowed = CredalSet(M)
    for corner in allowed.extreme_points():
        assert allowed.contains(corner)
    assert allowed.contains(M.pignistic())
    assert not allowed.contains([F(1, 8) - F(1, 10**12), F(1, 4), F(1, 2), F(1, 8) + F(1, 10**12)])
    assert not allowed.contains([F(1), F(0), F(0), F(0)])
    assert allowed.contains([0.25, 0.25, 0.25, 0.25])


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda allowed: allowed.contains([0.5, 0.6, 0, 0]), "sum to one"),
        (lambda allowed: allowed.contains([1.5, -0.5, 0, 0]), "sum to one"),
        (lambda allowed: allowed.contains([1, 0]), "4 numbers"),
        (lambda allowed: allowed.lower([1, 0, float("nan"), 0]), "finite"),
        (lambda allowed: allowed.upper(3), "4 numbers"),
        (lambda allowed: allowed.upper([[1, 0, 0, 0]] * 4), "finite numbers"),
        (lambda allowed: allowed.upper(["x", 0, 0, 0]), "finite numbers"),
    ],
)
def test_what_does_not_fit_is_refused(call, why):
    with pytest.raises(InputError, match=why):
        call(CredalSet(M))


def test_large_frames_say_what_still_works():
    frame = Frame(f"x{index}" for index in range(40))
    allowed = CredalSet(MassFunction(frame, {3: F(1, 2), frame.full_mask: F(1, 2)}))
    assert allowed.lower(range(40)) == 0
    assert allowed.upper(range(40)) == F(1, 2) + F(39, 2)
    with pytest.raises(InputError, match="at most 8"):
        allowed.extreme_points()
    with pytest.raises(InputError, match="at most 24"):
        allowed.contains([1, *[0] * 39])
