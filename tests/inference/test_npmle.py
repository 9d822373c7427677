"""The most likely distribution, against tables, brute force and a general convex programme."""

import json
import runpy
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.channels import Ranges
from askance.inference import Convergence, npmle
from askance.inference.ranges import npmle_solver as solver
from askance.inference.ranges.support import bend, intersections
from askance_collect.errors import InputError

CASES = json.loads((Path(__file__).parents[1] / "oracles" / "estimators.json").read_text())


@st.composite
def ranges(draw, most=30):
    n = draw(st.integers(1, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    fine = draw(st.sampled_from([3, 10, 1000]))
    ends = np.sort(rng.integers(0, fine + 1, (n, 2)) / fine, axis=1)
    ends[:, 1] += (ends[:, 0] == ends[:, 1]) / fine
    open_share = draw(st.sampled_from([0.0, 0.4]))
    ends[rng.random(n) < open_share, 0] = -np.inf
    ends[rng.random(n) < open_share, 1] = np.inf
    return Ranges(ends[:, 0], ends[:, 1], rng.integers(1, 9, n))


@st.composite
def unions(draw, most=30):
    """Ranges of one to four pieces, some of them exact, some without ends."""
    n = draw(st.integers(1, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    fine = draw(st.sampled_from([5, 12, 1000]))
    pieces = rng.integers(1, 5, n)
    ends = np.sort(rng.integers(0, fine + 1, (pieces.sum(), 2)) / fine, axis=1)
    ends[rng.random(len(ends)) < 0.2, 0] = -np.inf
    ends[rng.random(len(ends)) < 0.2, 1] = np.inf
    weights = rng.integers(1, 9, n)
    return Ranges(ends, counts=weights, closed="survival", pieces=pieces)


def brute(draws):
    """Elementary cells, and for each range which of them it holds: no reduction at all."""
    ends = np.unique(np.concatenate([draws.lower, draws.upper]))
    low, high = ends[:-1], ends[1:]
    inside = (draws.lower[:, None] <= low) & (high <= draws.upper[:, None])
    return low, high, np.logical_or.reduceat(inside, draws.starts[:-1], axis=0)


def masses(fit, low, high):
    """Write a fit over elementary cells; each of its intervals must be one of them."""
    mass = np.zeros(len(low))
    for start, end, share in zip(fit.lower, fit.upper, fit.mass, strict=True):
        mass[np.flatnonzero((low == start) & (high == end))[0]] = share
    return mass


@settings(max_examples=200, deadline=None)
@given(st.one_of(ranges(), unions()))
def test_the_gap_over_all_elementary_cells_is_closed(drawn):
    fit = npmle(drawn)
    low, high, holds = brute(drawn)
    mass = masses(fit, low, high)
    slope = (drawn.weights / (holds @ mass)) @ holds
    assert slope.max() / drawn.total - 1 <= 1e-9
    assert fit.gap <= 1e-10
    assert fit.convergence is Convergence.CONVERGED
    assert fit.mass.sum() == pytest.approx(1)
    assert fit.mass.min() > 0


def interior_point(holds, share):
    """Maximise share · log(holds m) over masses by a barrier, knowing nothing of the problem.

    Without the constraint: share · log(holds m) − Σ m + μ Σ log m has its top where Σ m = 1 + kμ
    (k places), and there no more than kμ is missing to the maximum (Boyd & Vandenberghe, 11.2).
    """
    mass = np.full(holds.shape[1], 1 / holds.shape[1])

    def height(index, barrier):
        if index.min() <= 0:
            return -np.inf
        return share @ np.log(holds @ index) - index.sum() + barrier * np.log(index).sum()

    for barrier in 0.1 ** np.arange(1, 13.5, 0.5):
        for _ in range(50):
            rows = holds / (holds @ mass)[:, None]
            slope = share @ rows - 1 + barrier / mass
            scaled = rows * mass  # in units of the masses the bend is well conditioned
            bend = scaled.T @ (share[:, None] * scaled) + barrier * np.eye(len(mass))
            step = mass * np.linalg.solve(bend, mass * slope)
            size, gain = 1.0, slope @ step
            while size > 1e-9 and height(mass + size * step, barrier) < height(mass, barrier):
                size /= 2
            if gain < 1e-14 or size <= 1e-9:
                break
            mass = mass + size * step
    return float(share @ np.log(holds @ (mass / mass.sum())))


@settings(max_examples=60, deadline=None)
@given(st.one_of(ranges(), unions()))
@pytest.mark.long
def test_a_general_convex_programme_finds_the_same_maximum(drawn):
    low, high, holds = brute(drawn)
    share = drawn.weights / drawn.total
    fit = npmle(drawn)
    own = float(share @ np.log(holds @ masses(fit, low, high)))
    assert own == pytest.approx(interior_point(holds, share), rel=0, abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_rings_of_a_survey_have_the_maximum_of_the_programme(seed):
    """Half are asked whether they are inside their two cuts; a no is two pieces."""
    n, rng = 100, np.random.default_rng(seed)
    cuts, y = np.sort(rng.uniform(0, 9, (n, 2)), axis=1), rng.gamma(4, 1, n)
    low, high = cell(y, cuts)
    outside = (rng.random(n) < 0.5) & (np.isinf(low) | np.isinf(high))
    unions_result = Ranges.unions(
        [(-np.inf, a), (b, np.inf)] if ring else [(start, end)]
        for (a, b), start, end, ring in zip(cuts, low, high, outside, strict=True)
    )
    share, (index, upto, holds) = unions_result.weights / unions_result.total, brute(unions_result)
    own = float(share @ np.log(holds @ masses(npmle(unions_result), index, upto)))
    assert own == pytest.approx(interior_point(holds, share), rel=0, abs=1e-9)


def test_the_programme_finds_a_known_maximum():
    """The two ends of (0, 1], (1, 3], (0, 3] share 2 : 1; the range over both tells nothing."""
    holds, share = np.array([[1.0, 0], [0, 1], [1, 1]]), np.array([0.4, 0.2, 0.4])
    assert interior_point(holds, share) == pytest.approx(0.4 * np.log(2 / 3) + 0.2 * np.log(1 / 3))


@settings(max_examples=100, deadline=None)
@given(ranges())
def test_intersections_are_maximal(drawn):
    reduced = intersections(drawn)
    low, high, holds = brute(drawn)
    result = {(a, b) for a, b in zip(reduced.lower, reduced.upper, strict=True)}
    patterns = [frozenset(np.flatnonzero(column)) for column in holds.T]
    maximal = {
        (low[index], high[index])
        for index, pattern in enumerate(patterns)
        if pattern and not any(pattern < other for other in patterns)
    }
    assert maximal == result


@settings(max_examples=200, deadline=None)
@given(st.one_of(ranges(), unions()), st.integers(0, 2**32))
def test_the_reduction_keeps_the_likelihood_its_slope_and_its_bend(drawn, seed):
    reduced = intersections(drawn)
    low, high, holds = brute(drawn)
    mass = np.random.default_rng(seed).dirichlet(np.ones(reduced.runs.m))
    index = [
        np.flatnonzero((low == a) & (high == b))[0]
        for a, b in zip(reduced.lower, reduced.upper, strict=True)
    ]
    rows = holds[:, index]
    chance = rows @ mass
    runs = reduced.runs
    chances = runs.chances(mass)
    total = sum(
        float(weight @ np.log(item)) for weight, item in zip(runs.weights(), chances, strict=True)
    )
    assert total == pytest.approx(float(drawn.weights @ np.log(chance)), rel=1e-9, abs=1e-7)
    slope = (drawn.weights / chance) @ rows
    assert runs.pull(chances) == pytest.approx(slope, rel=1e-6)
    steps = (rows[:, :-1].astype(float) - rows[:, 1:]) * np.sqrt(drawn.weights)[:, None]
    steps /= chance[:, None]
    bends = steps.T @ steps
    scale = np.abs(bends).max(initial=1)
    above = bend(runs, runs.curves(chances), np.arange(runs.m + 1))[1:-1, 1:-1]
    assert above / scale == pytest.approx(np.triu(bends) / scale, abs=1e-6)


@settings(max_examples=100, deadline=None)
@given(st.one_of(ranges(), unions()), st.integers(0, 2**32))
def test_both_derivatives_in_one_pass_are_those_by_level(drawn, seed):
    runs = intersections(drawn).runs
    mass = np.random.default_rng(seed).dirichlet(np.ones(runs.m))
    slope, curve = runs.derivatives(np.append(0, np.cumsum(mass)))
    chances = runs.chances(mass)
    assert slope == pytest.approx(runs.by_level(runs.ratios(chances), signed=True), rel=1e-6)
    assert curve == pytest.approx(runs.by_level(runs.curves(chances), signed=False), rel=1e-6)
    if runs.m > 1 and len(runs.points):
        mass[runs.points[0]] = 0
        assert runs.derivatives(np.append(0, np.cumsum(mass))) is None


@settings(max_examples=60, deadline=None)
@given(ranges(60), st.integers(1, 6), st.booleans())
def test_a_minorant_step_never_descends(drawn, steps, em):
    """Here from equal masses, where ranges are one-sided and not."""
    runs = intersections(drawn).runs
    start = np.full(runs.m, 1 / runs.m)
    mass = solver.icm(runs, start, steps, 0.0, em=em)
    assert mass.sum() == pytest.approx(1)
    assert mass.min() >= 0
    assert solver.gain(runs, runs.chances(mass), runs.chances(start)) >= -1e-12 * runs.n


@pytest.mark.parametrize(("n", "decades", "seed"), [(3_000, 5, 2), (13_033, 9, 1), (13_033, 12, 1)])
def test_uneven_weights_reach_the_maximum(monkeypatch, n, decades, seed):
    """Of nine decades and more the fit stopped short; of five it took a thousand solves."""
    kinds = Path(__file__).parents[2] / "benchmarks" / "npmle" / "kinds.py"
    low, high, _ = runpy.run_path(str(kinds))["make"]("visits", n, seed)
    weights = 10.0 ** np.random.default_rng(seed).uniform(-decades, 0, n)
    solves, solve = [0], solver.LevelModel._solve_on_places

    def counted(model, free):
        solves[0] += 1
        return solve(model, free)

    monkeypatch.setattr(solver.LevelModel, "_solve_on_places", counted)
    fit = npmle(Ranges(low, high, weights, closed="survival"))
    assert fit.convergence is Convergence.CONVERGED
    chance = np.array(
        [
            fit.mass[(fit.lower >= a) & (fit.upper <= b)].sum()
            for a, b in zip(low, high, strict=True)
        ]
    )
    pull = weights / chance
    ends = np.unique([low, high])
    steps = np.bincount(np.searchsorted(ends, low), pull, len(ends))
    steps -= np.bincount(np.searchsorted(ends, high), pull, len(ends))
    assert np.cumsum(steps).max() <= weights.sum() * (1 + 1e-8)
    assert solves[0] <= 300


@pytest.mark.parametrize("weighs", [False, True])
@pytest.mark.parametrize("low", [-np.inf, 0.0])
def test_equal_ranges_are_added_up_where_ends_are_few(weighs, low):
    """As many ranges as a table takes, beside the distinct ones with their counts."""
    rng = np.random.default_rng(3)
    ends = np.sort(rng.integers(0, 40, (30_000, 2)), axis=1) / 7
    lower, upper = np.where(ends[:, 0] == 0, low, ends[:, 0]), ends[:, 1] + 1 / 7
    upper[rng.random(30_000) < 0.3] = np.inf
    counts = rng.integers(0, 4, 30_000) if weighs else np.ones(30_000)
    distinct, index = np.unique(np.column_stack([lower, upper]), axis=0, return_inverse=True)
    sums = np.bincount(index, counts)
    pooled = intersections(Ranges(lower, upper, counts))
    apart = intersections(Ranges(*distinct[sums > 0].T, sums[sums > 0]))
    assert pooled.lower.tolist() == apart.lower.tolist()
    assert pooled.upper.tolist() == apart.upper.tolist()
    assert pooled.runs.n == apart.runs.n == counts.sum()
    mass = rng.dirichlet(np.ones(apart.runs.m))
    pulls = [cells.runs.pull(cells.runs.chances(mass)) for cells in (pooled, apart)]
    assert pulls[0] == pytest.approx(pulls[1], rel=1e-12)
    assert sum(len(part.weights) for part in pooled.runs.parts) <= len(distinct)


@pytest.mark.checked("npmle", by="isotonic regression in exact fractions", value=1e-12)
@pytest.mark.parametrize("case", CASES["npmle_case1"]["cases"], ids=lambda case: len(case["u"]))
def test_one_sided_ranges_agree_with_the_oracle(case, within):
    u, below = np.array(case["u"]), np.array(case["delta"], dtype=bool)
    fit = npmle(Ranges(np.where(below, -np.inf, u), np.where(below, u, np.inf)))
    low, high = fit.cdf_bounds(u)
    assert low == pytest.approx(np.array(case["F_hat"]), abs=1e-12)
    assert low == pytest.approx(np.array(case["F_hat"]), rel=within.value, abs=0)
    assert high == pytest.approx(low)
    chance = np.where(below, low, 1 - low)
    assert float(np.log(chance).sum()) == pytest.approx(case["loglik"], abs=1e-9)
    assert fit.method == "isotonic regression"


def test_one_cut_agrees_with_the_general_solver():
    rng = np.random.default_rng(8)
    u, y = rng.integers(1, 40, 3000).astype(float), rng.normal(20, 6, 3000)
    cut = Ranges(np.where(y <= u, -np.inf, u), np.where(y <= u, u, np.inf))
    more = Ranges(np.append(cut.lower, -1e3), np.append(cut.upper, 1e3))  # holds all: says nothing
    quick, slow = npmle(cut), npmle(more)
    assert quick.method != slow.method
    assert slow.mass == pytest.approx(quick.mass, abs=1e-6)
    assert slow.lower.tolist() == quick.lower.tolist()


def test_many_two_sided_ranges_are_certified():
    rng = np.random.default_rng(9)
    cuts, y = np.sort(rng.uniform(-3, 3, (5000, 2)), axis=1), rng.normal(size=5000)
    ends = np.column_stack([np.full(5000, -np.inf), cuts, np.full(5000, np.inf)])
    total = (ends < y[:, None]).sum(axis=1)
    fit = npmle(Ranges(ends[np.arange(5000), total - 1], ends[np.arange(5000), total]))
    assert fit.gap <= 1e-10
    low, high = fit.cdf_bounds(0.0)
    assert low - 0.06 < 0.5 < high + 0.06


def test_the_answer_does_not_depend_on_order_or_on_how_weights_are_split():
    low, high, weights = [0, 1, 4, 2], [3, 6, 9, 5], [3, 1, 2, 2]
    once = npmle(Ranges(low, high, weights))
    again = npmle(Ranges(np.repeat(low, weights)[::-1], np.repeat(high, weights)[::-1]))
    assert once.mass == pytest.approx(again.mass, abs=1e-9)
    assert once.lower.tolist() == again.lower.tolist()


def test_support_bounds_the_mean_and_nothing_else():
    open_ended = Ranges([-np.inf, 30], [30, np.inf], counts=[7, 5])
    free, npmle_result = npmle(open_ended), npmle(open_ended, (17, 70))
    assert free.mean_bounds() == (-np.inf, np.inf)
    assert free.mean_bounds((17, 70)) == npmle_result.mean_bounds()
    assert npmle_result.mean_bounds() == pytest.approx(
        (17 * 7 / 12 + 30 * 5 / 12, 30 * 7 / 12 + 70 * 5 / 12)
    )
    assert npmle_result.mass.tolist() == free.mass.tolist()


@pytest.mark.parametrize("support", [(31, 70), (0, 30), (0, 20), (70, 17), (np.nan, 70)])
def test_a_support_that_the_ranges_leave_is_refused(support):
    with pytest.raises(InputError, match="support"):
        npmle(Ranges([-np.inf, 30], [30, np.inf]), support)


def test_no_ranges_are_refused():
    with pytest.raises(InputError, match="Ranges"):
        npmle(Ranges([], []))
    with pytest.raises(InputError, match="Ranges"):
        npmle(Ranges([0], [1], counts=[0]))


def test_huge_counts_and_a_single_range():
    fit = npmle(Ranges([-np.inf, 2, 1], [2, np.inf, 3], counts=[3e11, 6e11, 1e11]))
    assert fit.gap <= 1e-10
    npmle_result = npmle(Ranges([-np.inf], [np.inf]))
    assert (npmle_result.lower[0], npmle_result.upper[0], npmle_result.mass[0]) == (
        -np.inf,
        np.inf,
        1,
    )


def test_unions_that_nothing_tells_apart_keep_a_certificate():
    unions_result = Ranges.unions([[(0, 1), (2, 3)], [(0.5, 1), (2.5, 4)]])
    fit = npmle(unions_result)
    assert fit.gap <= 1e-10
    assert fit.convergence is Convergence.CONVERGED


def cell(y, cuts):
    ends = np.pad(cuts, ((0, 0), (1, 1)), constant_values=((0, 0), (-np.inf, np.inf)))
    total = (cuts < y[:, None]).sum(axis=1)
    return ends[np.arange(len(y)), total], ends[np.arange(len(y)), total + 1]


def test_many_ranges_of_every_kind_are_certified():
    n, rng = 30_000, np.random.default_rng(4)
    cuts, y = np.sort(rng.uniform(0, 9, (n, 2)), axis=1), rng.gamma(4, 1, n)
    low, high = cell(y, cuts)
    exact = rng.random(n) < 0.3
    outer = (y <= cuts[:, 0]) | (y > cuts[:, 1])
    stacked = np.stack([np.where(outer, -np.inf, low), np.where(outer, cuts[:, 0], high)], axis=1)
    two = np.stack([np.where(outer, cuts[:, 1], low), np.where(outer, np.inf, high)], axis=1)
    for draws in (
        Ranges(low, high),
        Ranges(np.where(exact, y, low), np.where(exact, y, high), closed="survival"),
        Ranges(*cell(y, np.ceil(cuts * 20 + [0, 1]) / 20)),
        Ranges(np.stack([stacked, two], axis=1).reshape(-1, 2), pieces=np.full(n, 2)),
        Ranges(*cell(y, cuts[:, :1])),
    ):
        fit = npmle(draws)
        assert fit.gap <= 1e-10
        assert sum(fit.cdf_bounds(3.0)) / 2 == pytest.approx(np.mean(y <= 3), abs=0.05)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([3, 40, 3_000]), st.sampled_from([2, 9, 10**6]))
def test_current_status_is_certified_by_the_general_evaluator(seed, n, fine):
    rng = np.random.default_rng(seed)
    cut = 9 * rng.integers(0, fine + 1, n) / fine - rng.choice([0.0, 4.5])
    cut *= rng.choice([-1.0, 1.0], n, p=[0.1, 0.9]) ** (cut == 0)
    y, counts = rng.gamma(4, 1, n), rng.integers(0, 4, n)
    counts[0] = 1
    drawn_ranges = Ranges(
        *cell(y, cut[:, None]), counts=rng.choice([counts, np.ones(n), np.full(n, 0.3)])
    )
    fit, cells = npmle(drawn_ranges), intersections(drawn_ranges)
    mass = np.zeros(cells.runs.m)
    mass[np.searchsorted(cells.lower, fit.lower)] = fit.mass
    assert cells.runs.pull(cells.runs.chances(mass)).max() <= cells.runs.n * (1 + 1e-12)
    assert fit.gap <= 1e-12
    assert fit.method == "isotonic regression"


def test_a_tally_of_a_billion_on_a_grid_keeps_its_faint_places():
    steps, rng = 60, np.random.default_rng(1)
    low, high = np.triu_indices(steps + 1, 1)
    upto = np.append(0, np.cumsum(rng.dirichlet(np.full(steps, 0.2))))
    share = upto[high] - upto[low]
    counts = rng.poisson(1e9 * share / share.sum())
    fit = npmle(Ranges(low, high, counts), tol=1e-12)
    assert fit.gap <= 1e-12
    assert fit.mass.min() < 1e-6


def test_a_large_support_is_climbed_by_conjugate_gradients(monkeypatch):
    n, rng = 4_000, np.random.default_rng(5)
    y, cuts = rng.gamma(4, 1, n), np.sort(rng.uniform(0, 9, (n, 2)), axis=1)
    low, high = cell(y, cuts)
    exact = rng.random(n) < 0.1
    ends = np.where(exact, y, low), np.where(exact, y, high)
    drawn_ranges = Ranges(*ends, counts=rng.integers(1, 4, n), closed="survival")
    monkeypatch.setattr(solver, "_EXACT", 1.0)
    dense = npmle(drawn_ranges)
    monkeypatch.setattr(solver, "_TIED", 50)
    far = npmle(drawn_ranges)
    assert far.gap <= 1e-10
    grid = np.linspace(0, 10, 50)
    assert far.cdf_bounds(grid)[0] == pytest.approx(dense.cdf_bounds(grid)[0], abs=1e-3)
