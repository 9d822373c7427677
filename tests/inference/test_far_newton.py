"""Newton's steps by conjugate gradients, against a dense solution and a dense climb."""

import numpy as np
import pytest

from askance.channels import Ranges
from askance.inference import npmle
from askance.inference.ranges import npmle_solver
from askance.inference.ranges.support import bend, intersections


def drawn(seed, exact, n=1_500):
    """Ranges between two cuts, some of them exact."""
    rng = np.random.default_rng(seed)
    y, cuts = rng.gamma(4, 1, n), np.sort(rng.uniform(0, 9, (n, 2)), axis=1)
    ends = np.pad(cuts, ((0, 0), (1, 1)), constant_values=((0, 0), (-np.inf, np.inf)))
    total, row = (y[:, None] > cuts).sum(axis=1), np.arange(n)
    is_known = rng.random(n) < exact
    low, high = np.where(is_known, y, ends[row, total]), np.where(is_known, y, ends[row, total + 1])
    return Ranges(low, high, rng.integers(1, 5, n), closed="survival")


def narrow(seed, n=3_000):
    """Short ranges, of which none ties the ends of the line together."""
    rng = np.random.default_rng(seed)
    y, width, share = rng.gamma(4, 1, n), 0.05 * rng.exponential(size=n), rng.random(n)
    is_known = rng.random(n) < 0.04
    low, high = (
        np.where(is_known, y, y - share * width),
        np.where(is_known, y, y + (1 - share) * width),
    )
    return Ranges(low, high, rng.integers(1, 5, n), closed="survival")


def solved(runs, mass):
    """Give a step, the same by a dense solution, and how many turns it took."""
    chances = runs.chances(mass)
    curves, turns = runs.curves(chances), []
    gradient = runs.by_level(runs.ratios(chances), signed=True)[1:-1]
    near = npmle_solver._near_and_far(runs, curves, *npmle_solver._far(runs, curves, mass))

    def counted(right):
        turns.append(right)
        return near(right)

    entire = bend(runs, curves, np.arange(runs.m + 1))[1:-1, 1:-1]
    entire += np.triu(entire, 1).T
    step = npmle_solver._solved(runs, curves, gradient, counted, 0.0)
    return step, np.linalg.solve(entire, gradient), len(turns)


@pytest.mark.parametrize("exact", [0.02, 0.3, 0.9])
def test_a_step_solves_the_curvature(exact):
    runs = intersections(drawn(1, exact, n=400)).runs
    step, dense, turns = solved(runs, np.random.default_rng(2).dirichlet(np.full(runs.m, 5.0)))
    assert step == pytest.approx(dense, rel=1e-5, abs=1e-9)
    assert turns <= 40


@pytest.mark.long
def test_nodes_carry_what_is_far_where_ranges_are_narrow():
    """Without them the solution stops 5 % short after 300 turns."""
    runs = intersections(narrow(3)).runs
    mass, _ = npmle_solver.most_likely(runs, 1e-3)
    step, dense, turns = solved(runs.onto(np.flatnonzero(mass)), mass[mass > 0])
    assert np.abs(step - dense).max() <= 1e-5 * np.abs(dense).max()
    assert turns <= 200


@pytest.mark.parametrize("exact", [0.0, 0.05, 0.3])
def test_a_few_steps_come_near_and_may_empty_places(monkeypatch, exact):
    """Where masses fall to 0 on the way, the rest is climbed on."""
    ranges = drawn(0, exact)
    dense, steps, emptied = npmle(ranges), [0], [0]
    taken_improve = npmle_solver.improve

    def counted(*inputs):
        result = taken_improve(*inputs)
        steps[0] += 1
        emptied[0] += result is not None and not result.shares.all()
        return result

    monkeypatch.setattr(npmle_solver, "improve", counted)
    monkeypatch.setattr(npmle_solver, "_EXACT", 1.0)
    for name, most in (("_TIED", 10), ("_DENSE", 10), ("_MOST", 10), ("_FEW", 5), ("_STEPS", 1)):
        monkeypatch.setattr(npmle_solver, name, most)
    far = npmle(ranges)
    assert far.gap <= 1e-10
    assert 0 < steps[0] <= 15
    assert emptied[0] or exact == 0.3
    grid = np.linspace(0, 10, 50)
    assert far.cdf_bounds(grid)[0] == pytest.approx(dense.cdf_bounds(grid)[0], abs=1e-4)
