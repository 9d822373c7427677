"""The parts of the climb to the most likely distribution, against the plain way to each."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.channels import Ranges
from askance.inference import maximisation, npmle
from askance.inference.ranges import npmle_solver
from askance.inference.ranges.npmle_solver import LevelModel
from askance.inference.ranges.support import bend, intersections

seeds = st.integers(0, 2**32)


def drawn(seed, n=400, exact=0.3):
    """Ranges between two cuts, some of them exact, with weights."""
    rng = np.random.default_rng(seed)
    y, cuts = rng.gamma(4, 1, n), np.sort(rng.uniform(0, 9, (n, 2)), axis=1)
    ends = np.pad(cuts, ((0, 0), (1, 1)), constant_values=((0, 0), (-np.inf, np.inf)))
    total, row = (y[:, None] > cuts).sum(axis=1), np.arange(n)
    is_known = rng.random(n) < exact
    low, high = np.where(is_known, y, ends[row, total]), np.where(is_known, y, ends[row, total + 1])
    return Ranges(low, high, rng.integers(1, 5, n), closed="survival")


@pytest.mark.long
@settings(max_examples=30, deadline=None)
@given(seeds, st.integers(2, 60))
def test_walking_ends_where_no_place_would_serve_better(seed, n):
    """From masses that leave places out, which may have to join again."""
    rng = np.random.default_rng(seed)
    runs = intersections(drawn(seed, n=n)).runs
    is_kept = (npmle_solver.most_likely(runs, 1e-6)[0] > 0) | (rng.random(runs.m) < 0.2)
    mass = is_kept * 10 ** rng.uniform(-3, 0, runs.m)
    mass /= mass.sum()
    model = LevelModel.near(runs, mass, runs.chances(mass))
    singly = maximisation._exchange_singly(model._solve_on_places, mass)
    rise = runs.bent(model.curves, np.append(0.0, np.cumsum(singly - mass)))
    remaining = np.cumsum((model.gradient - rise)[:0:-1])[::-1]
    size = np.abs(remaining - remaining[0]).max() + np.abs(model.gradient).max()
    assert singly.min() >= 0
    assert singly.sum() == pytest.approx(1)
    assert remaining.max() - remaining[singly > 0].min() <= 1e-6 * size


@settings(max_examples=50, deadline=None)
@given(seeds, st.floats(0, 1))
def test_levels_that_are_one_bend_as_their_sum(seed, share):
    rng = np.random.default_rng(seed)
    runs = intersections(drawn(seed, n=60)).runs
    curves = runs.curves(runs.chances(rng.dirichlet(np.ones(runs.m))))
    bend_result = bend(runs, curves, np.arange(runs.m + 1))
    bend_result += np.triu(bend_result, 1).T
    rank = np.append(0, np.cumsum(rng.random(runs.m) < share))
    item = np.eye(rank[-1] + 1)[rank]
    summed = item.T @ bend_result @ item
    result = bend(runs, curves, rank)
    assert result == pytest.approx(np.triu(summed), abs=1e-9 * np.abs(bend_result).max())


@settings(max_examples=30, deadline=None)
@given(seeds, st.integers(2, 60))
def test_blocks_keep_how_often_each_point_was_seen_and_bound_the_likelihood(seed, blocks):
    runs = intersections(drawn(seed, n=120)).runs
    coarse = runs.in_blocks(blocks)
    assert len(set(coarse.points.tolist())) == len(coarse.points)
    assert coarse.counts.sum() == pytest.approx(runs.counts.sum())
    mass = np.random.default_rng(seed).dirichlet(np.ones(runs.m))
    position = np.arange(runs.m) * blocks // runs.m
    wide = np.bincount(position, mass, blocks)
    chances = coarse.chances(wide)
    assert min(chance.min(initial=1) for chance in chances) > 0
    assert coarse.pull(chances).max() >= coarse.n * (1 - 1e-12)  # at least the mean of all


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_both_pulls_are_derivatives_of_one_likelihood(seed):
    runs = intersections(drawn(seed, n=60)).runs
    mass = np.random.default_rng(seed).dirichlet(np.ones(runs.m))
    chances = runs.chances(mass)
    by_mass = runs.pull(chances)
    by_level = runs.by_level(runs.ratios(chances), signed=True)[1:-1]
    assert by_level == pytest.approx(by_mass[:-1] - by_mass[1:], abs=1e-7 * by_mass.max())


@pytest.mark.parametrize("exact", [0.0, 0.02, 0.3])
def test_a_climb_from_blocks_ends_where_one_from_all_places_does(monkeypatch, exact):
    ranges = drawn(7, n=3_000, exact=exact)
    npmle_result = npmle(ranges)
    monkeypatch.setattr(npmle_solver, "_MANY", 10)
    monkeypatch.setattr(npmle_solver, "_EXACT", 1.0)
    blocked = npmle(ranges)
    assert npmle_result.gap <= 1e-10
    assert blocked.gap <= 1e-10
    grid = np.linspace(0, 10, 40)
    assert blocked.cdf_bounds(grid)[0] == pytest.approx(npmle_result.cdf_bounds(grid)[0], abs=1e-3)


@pytest.mark.long
def test_a_tally_of_every_range_on_a_fine_grid_is_climbed_by_dense_steps(monkeypatch):
    steps, rng = 720, np.random.default_rng(3)
    upto = np.append(0, np.cumsum(rng.dirichlet(np.full(steps, 2.0))))
    low, high = np.triu_indices(steps + 1, 1)
    share = upto[high] - upto[low]
    tally = Ranges(low, high, 1 + rng.poisson(1e9 * share / share.sum()))
    monkeypatch.delattr(npmle_solver, "far_newton")  # some twenty times the work
    assert npmle(tally).gap <= 1e-10
