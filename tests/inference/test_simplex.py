"""The climb to the most likely mixture never descends and reaches the top."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from askance.inference import climb as solver
from askance.inference.climb import (
    Mixture,
    advanced,
    climb,
    curved,
    em_target,
    gain,
    mixture,
    place_of,
)


@st.composite
def problems(draw):
    k, m = draw(st.integers(2, 7)), draw(st.integers(1, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    rows = rng.random((m, k)) * (rng.random((m, k)) < draw(st.sampled_from([0.4, 0.8, 1.0])))
    rows[np.arange(m), rng.integers(0, k, m)] += 0.5
    weights = rng.integers(1, 10 ** draw(st.integers(1, 9)), m).astype(float)
    return mixture(rows, weights), rng.dirichlet(np.ones(k))


@settings(max_examples=150, deadline=None)
@given(problems())
def test_the_gap_is_closed_and_bounds_what_is_missing(drawn):
    problem, start = drawn
    shares, gap = climb(problem, start)
    assert gap <= 1e-10
    assert shares.min() >= 0
    assert shares.sum() == pytest.approx(1)
    gained = gain(problem.weights, problem.chance(start), problem.chance(shares))
    at_start = place_of(curved(problem), start, problem.chance(start)).gap
    n = problem.weights.sum()
    assert gained <= n * 1e-9
    assert -gained <= n * (at_start + 1e-9)


@settings(max_examples=60, deadline=None)
@given(problems())
def test_em_never_descends(drawn):
    problem, shares = drawn
    for _ in range(5):
        here = place_of(curved(problem), shares, problem.chance(shares))
        moved = em_target(curved(problem), here)
        gained = gain(problem.weights, problem.chance(moved), problem.chance(shares))
        assert gained >= -1e-13 * problem.weights.sum()
        assert moved.sum() == pytest.approx(1)
        shares = moved


@settings(max_examples=60, deadline=None)
@given(problems())
def test_no_newton_step_descends(drawn):
    problem, shares = drawn
    whole = curved(problem)
    here = place_of(whole, shares, problem.chance(shares))
    for _ in range(8):
        moved = advanced(whole, here, whole.best(here, here.shares > 0))
        if moved is None:
            break
        gained = gain(problem.weights, moved.chance, here.chance)
        assert gained >= -1e-14 * problem.weights.sum()
        here = moved


@settings(max_examples=25, deadline=None)
@given(problems())
def test_a_general_optimiser_finds_nothing_higher(drawn):
    problem, start = drawn
    shares, _ = climb(problem, start)
    n = problem.weights.sum()

    def loss(at):
        return -float(problem.weights @ np.log(np.maximum(problem.rows @ at, 1e-300))) / n

    rival = minimize(
        loss,
        start,
        bounds=[(0, 1)] * len(start),
        constraints={"type": "eq", "fun": lambda at: at.sum() - 1},
        method="SLSQP",
    )
    inside = np.clip(rival.x, 0, None)
    assert loss(shares) <= loss(inside / inside.sum()) + 1e-9


def test_a_known_part_is_kept_and_the_rest_fills_the_total():
    rng = np.random.default_rng(5)
    rows, weights = rng.random((6, 4)), rng.integers(1, 50, 6).astype(float)
    own, share = rng.random(6), 0.3
    problem = Mixture(rows=rows, weights=weights, offset=share * own, total=1 - share)
    shares, gap = climb(problem, np.full(4, 0.7 / 4))
    assert shares.sum() == pytest.approx(0.7)
    assert gap <= 1e-10
    for other in rng.dirichlet(np.ones(4), 500):
        assert gain(problem.weights, problem.chance(0.7 * other), problem.chance(shares)) <= 1e-9


def test_without_newton_em_alone_still_climbs(monkeypatch):
    monkeypatch.setattr(solver.Curved, "best", lambda _, here, free: here.shares)
    shares, gap = climb(mixture([[0.75, 0.25], [0.25, 0.75]], [55, 45]), np.array([0.5, 0.5]))
    assert shares == pytest.approx([0.6, 0.4], abs=1e-6)
    assert gap < 1e-8
