"""The best corner: as another solver finds it, also where corners meet, and refused without one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from askance.design.interior_point import best_corner
from askance_collect.errors import InputError

_INFEASIBLE, _UNBOUNDED = 2, 3


@settings(max_examples=150, deadline=None)
@given(
    rows=st.integers(1, 6),
    columns=st.integers(1, 20),
    seed=st.integers(0, 2**32 - 1),
    fits=st.booleans(),
)
def test_it_finds_what_another_solver_finds(rows, columns, seed, fits):
    """Small whole numbers, so that corners meet, equations follow from others or contradict."""
    rng = np.random.default_rng(seed)
    astype_result = rng.integers(-2, 4, (rows, columns)).astype(float)
    some = rng.integers(0, 3, columns) * (rng.random(columns) < 0.4)
    right = astype_result @ some if fits else rng.integers(-3, 4, rows).astype(float)
    gain = rng.integers(-3, 4, columns).astype(float)
    other = linprog(-gain, A_eq=astype_result, b_eq=right, method="highs")
    if other.status:
        with pytest.raises(InputError, match=r"nothing fits|without end"):
            best_corner(gain, astype_result, right)
        return
    corner = best_corner(gain, astype_result, right)
    assert corner.z.min() >= 0
    assert np.allclose(astype_result @ corner.z, right, atol=1e-9)
    assert gain @ corner.z == pytest.approx(-other.fun, abs=1e-8)
    assert corner.price @ right == pytest.approx(-other.fun, abs=1e-8)
    assert (gain - corner.price @ astype_result).max() <= 1e-9
    assert np.count_nonzero(corner.z) <= rows


def test_what_cannot_be_is_refused():
    once = np.ones((1, 2))
    with pytest.raises(InputError, match="nothing fits"):
        best_corner(np.ones(2), once, np.array([-1.0]))
    with pytest.raises(InputError, match="nothing fits"):
        best_corner(np.ones(2), np.ones((2, 2)), np.array([1.0, 2.0]))
    with pytest.raises(InputError, match="without end"):
        best_corner(np.array([1.0, 0.0]), np.array([[1.0, -1.0]]), np.array([1.0]))


def test_it_ends_where_the_greediest_exchange_would_turn_in_a_circle():
    """Beale's example: every exchange of the first six gains nothing, and the seventh is back."""
    values = np.array(
        [
            [1.0, 0, 0, 1 / 4, -8.0, -1.0, 9.0],
            [0, 1.0, 0, 1 / 2, -12.0, -1 / 2, 3.0],
            [0, 0, 1.0, 0, 0, 1.0, 0],
        ]
    )
    gain = np.array([0, 0, 0, 3 / 4, -20.0, 1 / 2, -6.0])
    corner = best_corner(gain, values, np.array([0, 0, 1.0]))
    assert gain @ corner.z == pytest.approx(5 / 4)


def test_equations_that_follow_from_others_change_nothing():
    values = np.array([[1.0, 2.0, 0.5], [2.0, 4.0, 1.0], [1.0, 2.0, 0.5]])
    corner = best_corner(np.array([1.0, 3.0, 1.0]), values, np.array([1.0, 2.0, 1.0]))
    assert corner.z.tolist() == pytest.approx([0.0, 0.0, 2.0])
