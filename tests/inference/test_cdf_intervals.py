"""Intervals for F(t): against a search over the constrained likelihood, and their law."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import binom, norm

from askance import Cuts, Line
from askance.channels import Ranges
from askance.inference import cdf_intervals, quantile_intervals
from askance.inference.intervals.cdf_intervals import closely
from askance.inference.intervals.constrained_npmle import ConstrainedFits
from askance.inference.intervals.outermost_share import squared_deviate
from askance.inference.intervals.profile_likelihood import (
    CellLikelihood,
    ConstrainedShare,
)
from askance_collect.errors import InputError

STEP = 1e-3


def one_cut_each(rng, n, ticks=0):
    y, cut = rng.random(n), rng.integers(1, ticks, n) / ticks if ticks else rng.random(n)
    return Ranges(np.where(y <= cut, -np.inf, cut), np.where(y <= cut, cut, np.inf))


def best(cuts, below, point=None, share=None):
    """Maximise over monotone shares by a general optimiser, F(point) held if asked."""
    n = len(cuts)
    positions = np.searchsorted(cuts, point) if point is not None else 0
    rows = [{"type": "ineq", "fun": np.diff}] if n > 1 else []
    bounds = [(1e-9, 1 - 1e-9)] * n
    if share is not None:
        bounds = [(1e-9, share)] * positions + [(share, 1 - 1e-9)] * (n - positions)

    def loss(f):
        return -float(np.sum(np.log(np.where(below, f, 1 - f))))

    start = np.linspace(0.3, 0.7, n)
    start = np.clip(start, [b[0] for b in bounds], [b[1] for b in bounds])
    options = {"maxiter": 500, "ftol": 1e-12}
    optimum = minimize(
        loss, start, bounds=bounds, constraints=rows, options=options, method="SLSQP"
    )
    return -optimum.fun


def deviate(profile, top, end, value):
    """Square the deviate at an end, its slope from two neighbouring shares."""
    slope = (profile(end + STEP) - profile(end - STEP)) / (2 * STEP)
    pull = abs(slope) * end * (1 - end)
    return squared_deviate(top - profile(end), pull, end if end > value else 1 - end)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32))
@pytest.mark.long
def test_at_each_end_the_deviate_is_at_the_critical_value(seed):
    rng = np.random.default_rng(seed)
    ranges = one_cut_each(rng, 12)
    below = np.isneginf(ranges.lower)
    cuts = np.where(below, ranges.upper, ranges.lower)
    order = np.argsort(cuts)
    cuts, below = cuts[order], below[order]
    point = float((cuts[5] + cuts[6]) / 2)
    found = cdf_intervals(ranges, point, 0.9)
    top = best(cuts, below)
    for end, critical in zip((found.lower[0], found.upper[0]), found.critical[:, 0], strict=True):
        if 2 * STEP < end < 1 - 2 * STEP:
            far = deviate(lambda share: best(cuts, below, point, share), top, end, found.value[0])
            assert far == pytest.approx(critical, abs=5e-3)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([0, 7, 40]))
@pytest.mark.long
def test_intervals_hold_the_estimate_and_grow_with_the_level(seed, ticks):
    ranges = one_cut_each(np.random.default_rng(seed), 80, ticks)
    ends = np.where(np.isneginf(ranges.lower), ranges.upper, ranges.lower)
    index = np.quantile(ends, [0, 0.3, 0.5, 0.8, 1])
    narrow, wide = (cdf_intervals(ranges, index, level) for level in (0.8, 0.99))
    assert (wide.lower >= 0).all()
    assert (wide.upper <= 1).all()
    assert (wide.lower <= narrow.lower).all()
    assert (narrow.upper <= wide.upper).all()
    assert (narrow.lower <= narrow.value + 1e-12).all()
    assert (narrow.value <= narrow.upper + 1e-12).all()


def test_turning_the_line_round_turns_the_intervals_round():
    ranges = one_cut_each(np.random.default_rng(3), 100)
    turned = Ranges(-ranges.upper, -ranges.lower)
    intervals, remote = cdf_intervals(ranges, [0.3, 0.6]), cdf_intervals(turned, [-0.6, -0.3])
    assert remote.lower == pytest.approx(1 - intervals.upper[::-1])
    assert remote.upper == pytest.approx(1 - intervals.lower[::-1])


def test_weights_count_as_repeats():
    ranges = one_cut_each(np.random.default_rng(4), 30)
    twice = Ranges(np.tile(ranges.lower, 2), np.tile(ranges.upper, 2))
    weighted = Ranges(ranges.lower, ranges.upper, np.full(30, 2.0))
    item, two = (cdf_intervals(element, 0.5) for element in (twice, weighted))
    assert item.lower == pytest.approx(two.lower, abs=1e-4)
    assert item.upper == pytest.approx(two.upper, abs=1e-4)


def test_few_cuts_shared_by_many_are_a_grid():
    rng = np.random.default_rng(5)
    intervals = cdf_intervals(one_cut_each(rng, 9000, 10), [0.3, 0.35, 0.4])
    assert intervals.method == "likelihood ratio, cuts on a grid"
    assert intervals.critical == pytest.approx(np.full((2, 3), 3.841459), abs=5e-3)
    assert intervals.lower[1] == pytest.approx(intervals.lower[0], abs=1e-4)
    assert intervals.upper[1] == pytest.approx(intervals.upper[2], abs=1e-4)
    alone = cdf_intervals(Ranges([-np.inf, 1], [1, np.inf], counts=[30, 70]), 1.0)
    few = binom.cdf(30, 100, alone.upper[0]) - binom.pmf(30, 100, alone.upper[0]) / 2
    many = binom.sf(29, 100, alone.lower[0]) - binom.pmf(30, 100, alone.lower[0]) / 2
    assert [few, many] == pytest.approx([norm.sf(alone.critical[0, 0] ** 0.5)] * 2, rel=1e-3)


def test_the_finer_the_grid_the_nearer_the_law_is_to_that_without_ties():
    rng, points = np.random.default_rng(9), np.linspace(0.25, 0.75, 9)
    coarse, alone = (
        [
            cdf_intervals(one_cut_each(rng, 2000, t), points, smooth=True).critical.mean()
            for _ in range(4)
        ]
        for t in (8, 0)
    )
    assert coarse == pytest.approx([3.85] * 4, abs=0.02)
    assert max(alone) < 2.3


def test_where_a_stretch_without_people_ends_beside_many_the_ratio_may_be_larger():
    """Three tenths are below all cuts, two between the last two, and half above all."""
    upto = np.array([0.3] * 9 + [0.5])
    up, down = ((100 * part).round() for part in (upto, 1 - upto))
    cuts, low, high = np.arange(1.0, 11), np.full(10, -np.inf), np.full(10, np.inf)
    ranges = Ranges(np.append(low, cuts), np.append(cuts, high), np.append(up, down))
    intervals = cdf_intervals(ranges, cuts)
    middle, edge = intervals.critical[:, 4], intervals.critical[:, 8]
    assert (middle < 4.7).all()
    assert edge[0] > 5.2
    widths = intervals.upper - intervals.lower
    assert widths[8] > 1.4 * widths[4]


def test_a_share_that_nobody_tells_of_is_bounded_by_the_rule_for_none_of_n():
    """Half of (1 − θ)^n is the chance of the upper end: with 60 people, one in twenty."""
    nobody = cdf_intervals(Ranges([1, -np.inf, 2], [np.inf, 2, np.inf], counts=[60, 9, 1]), 1.0)
    assert nobody.lower[0] == 0
    tail = norm.sf(nobody.critical[1, 0] ** 0.5)
    assert nobody.upper[0] == pytest.approx(1 - (2 * tail) ** (1 / 60), abs=1e-4)


def several_cuts_each(rng, n, kind):
    """Ask everyone about two cuts: between which the number is, whether between, or exactly."""
    y, cuts = rng.random(n), np.sort(rng.random((n, 2)), axis=1)
    edges = np.column_stack([np.full(n, -np.inf), cuts, np.full(n, np.inf)])
    cell = (y[:, None] > cuts).sum(axis=1)
    low, high = edges[np.arange(n), cell], edges[np.arange(n), cell + 1]
    if kind == "ring":
        outside = cell != 1
        pieces = [
            [(-np.inf, a), (b, np.inf)] if out else [(a, b)]
            for (a, b), out in zip(cuts.tolist(), outside, strict=True)
        ]
        return Ranges.unions(pieces)
    is_shown = rng.random(n) < (0.2 if kind == "mixed" else 0)
    return Ranges(np.where(is_shown, np.nextafter(y, -1), low), np.where(is_shown, y, high))


def best_of_places(ranges, point, share):
    """Maximise over masses between all ends by a general optimiser, F(point) held."""
    ends = np.unique(np.concatenate([ranges.lower, ranges.upper, [point, -np.inf, np.inf]]))
    inside = np.zeros((len(ranges), len(ends) - 1))
    for row in range(len(ranges)):
        for index in range(ranges.starts[row], ranges.starts[row + 1]):
            inside[row] += (ends[:-1] >= ranges.lower[index]) & (ends[1:] <= ranges.upper[index])
    below = ends[1:] <= point
    content = [
        {"type": "eq", "fun": lambda p: p[below].sum() - share, "jac": lambda p: 1.0 * below}
    ]
    entire = [{"type": "eq", "fun": lambda p: p.sum() - 1, "jac": np.ones_like}]
    start = np.where(below, share / below.sum(), (1 - share) / (~below).sum())
    optimum = minimize(
        lambda p: -np.sum(np.log(np.maximum(inside @ p, 1e-12))),
        start,
        jac=lambda p: -inside.T @ (1 / np.maximum(inside @ p, 1e-12)),
        bounds=[(0, 1)] * len(start),
        constraints=content + entire,
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-11},
    )
    return -optimum.fun


@pytest.mark.long
@pytest.mark.parametrize("kind", ["cells", "ring", "mixed"])
def test_ranges_of_any_shape_have_the_ends_of_a_general_optimiser(kind):
    ranges = several_cuts_each(np.random.default_rng(11), 14, kind)
    intervals = cdf_intervals(ranges, 0.5)
    low, value, high = intervals.lower[0], intervals.value[0], intervals.upper[0]
    top = max(
        best_of_places(ranges, 0.5, item) for item in np.linspace(value - 0.2, value + 0.2, 41)
    )
    for end, critical in zip((low, high), intervals.critical[:, 0], strict=True):
        far = deviate(lambda share: best_of_places(ranges, 0.5, share), top, end, value)
        assert far == pytest.approx(critical, abs=0.02)


@pytest.mark.parametrize(
    ("kind", "critical", "replies"),
    [
        ("cells", 2.62, "several cuts each, hardly shared"),
        ("ring", 2.62, "several cuts each, hardly shared"),
        ("mixed", 3.841, "some numbers exact"),
    ],
)
def test_the_kind_of_data_chooses_the_law_and_is_told(kind, critical, replies):
    ranges = several_cuts_each(np.random.default_rng(12), 300, kind)
    result, every = (cdf_intervals(ranges, [0.3, 0.7], smooth=item) for item in (True, False))
    assert replies in result.method
    assert result.critical == pytest.approx(np.full((2, 2), critical), abs=0.05)
    assert (result.lower < [0.3, 0.7]).all()
    assert (result.upper > [0.3, 0.7]).all()
    assert (every.critical >= result.critical).all()
    assert every.method == result.method


def test_a_place_nobody_was_asked_about_leaves_its_whole_share_open():
    intervals = cdf_intervals(Ranges([0, 4], [4, 8], counts=[300, 700]), [2, 4, 6])
    assert intervals.lower[0] == 0
    assert intervals.upper[2] == 1
    assert intervals.lower[2] == pytest.approx(intervals.lower[1], abs=1e-4)
    assert intervals.upper[0] == pytest.approx(intervals.upper[1], abs=1e-4)


def test_a_billion_reports_are_as_quick_as_ten():
    intervals = cdf_intervals(
        Ranges.from_counts({(-np.inf, 1): 3e8, (1, 2): 4e8, (2, np.inf): 3e8}), [1, 2]
    )
    assert intervals.upper - intervals.lower == pytest.approx(
        np.full(2, 2 * 1.96 * (0.21 / 1e9) ** 0.5), rel=0.05
    )


def test_results_are_told_written_and_drawn():
    intervals = cdf_intervals(one_cut_each(np.random.default_rng(6), 50), [0.5])
    assert "95 % from" in repr(intervals)
    assert intervals._repr_html_().startswith("<table>")
    assert intervals.to_dict()["points"] == [0.5]
    assert intervals.plot().get_ylabel() == "share up to here"
    assert not intervals.lower.flags.writeable


def test_what_cannot_be_is_refused():
    ranges = one_cut_each(np.random.default_rng(7), 50)
    for index in ([], [-1.0], [2.0], [np.nan]):
        with pytest.raises(InputError, match="where cuts fell"):
            cdf_intervals(ranges, index)
    for level in (0.4, 0.9999):
        with pytest.raises(InputError, match="level"):
            cdf_intervals(ranges, 0.5, level)
    with pytest.raises(InputError, match="finite end"):
        cdf_intervals(Ranges([-np.inf], [np.inf]), 0.5)
    with pytest.raises(InputError, match="finite end"):
        cdf_intervals(Ranges([1], [np.inf], counts=[0]), 1)


def both_ends(content, point, critical):
    return [content.end(point, critical, up=up)[0] for up in (False, True)]


def beyond_every_cut(rng, n, cuts):
    """Three in ten are beyond all cuts, which like the others' numbers are even on (0.2, 0.8)."""
    y = np.where(rng.random(n) < 0.3, 1.0, rng.uniform(0.2, 0.8, n))
    edges = np.sort(rng.uniform(0.2, 0.8, (n, cuts)), axis=1)
    edges = np.column_stack([np.full(n, -np.inf), edges, np.full(n, np.inf)])
    cell, row = (y[:, None] > edges[:, 1:-1]).sum(axis=1), np.arange(n)
    return Ranges(edges[row, cell], edges[row, cell + 1])


@pytest.mark.parametrize(("cuts", "most"), [(1, 14), (2, 17)])
@pytest.mark.long
def test_shares_near_the_outermost_cuts_are_covered(cuts, most):
    """The twin asks the likelihood ratio alone, whose law does not hold where few were asked."""
    rng, content, twin = np.random.default_rng(12), 0, 0
    for _ in range(20):
        ranges = beyond_every_cut(rng, 400, cuts)
        last = float(np.max(ranges.upper, where=np.isfinite(ranges.upper), initial=0.0))
        intervals, true = cdf_intervals(ranges, last), 0.7 * (last - 0.2) / 0.6
        content += intervals.lower[0] <= true <= intervals.upper[0]
        fit = closely(ranges, ranges.total)
        own = both_ends(
            ConstrainedShare(ranges=ranges, fit=fit), last, (2.26, 2.52)[cuts - 1]
        )  # of 𝔻
        twin += own[0] <= true <= own[1]
        assert intervals.lower[0] <= own[0] + 1e-6
    assert content >= 18
    assert twin <= most


@pytest.mark.long
def test_a_quantile_beyond_the_cuts_is_not_bounded_by_those_who_happen_to_be_below():
    rng, result = np.random.default_rng(13), []
    for _ in range(20):
        ranges = beyond_every_cut(rng, 400, 1)
        result.append(quantile_intervals(ranges, [0.75]).upper[0])
    assert np.sum(np.isinf(result)) >= 18


@pytest.mark.long
@pytest.mark.parametrize("kind", ["one cut", "two cuts", "grid", "exact", "heavy"])
def test_a_share_held_and_a_crowd_that_moves_it_cost_the_same_likelihood(kind):
    rng = np.random.default_rng(7)
    cuts, y = (
        np.sort(rng.uniform(0, 10, (400, 1 + (kind == "two cuts"))), axis=1),
        rng.gamma(4, 1, 400),
    )
    cuts = np.ceil(cuts) if kind == "grid" else cuts
    ends = np.column_stack([np.full(400, -np.inf), cuts, np.full(400, np.inf)])
    cell, row = (y[:, None] > cuts).sum(axis=1), np.arange(400)
    lower, upper = ends[row, cell], ends[row, cell + 1]
    exact = (kind == "exact") & (row % 20 == 0)
    weights = np.where(row % 3, 1.0, 1e6 if kind == "heavy" else 1.0)
    ranges = Ranges(np.where(exact, y, lower), np.where(exact, y, upper), weights, closed="both")
    cells = CellLikelihood.of(ranges, closely(ranges, ranges.total))
    fits = ConstrainedFits.of(cells.runs, cells.mass, cells.tol)
    for level in np.linspace(1, len(cells.mass) - 1, 7).astype(int).tolist():
        for up in (False, True):
            point = float(cells.edges[level])
            for part in (0.01, 0.3):
                people = part * ranges.total
                share, fall = cells.crowd_effect(point, up=up)(people)
                if 0 < share < 1:
                    fit = fits.fit_with_share(level, share, fits.free)
                    assert fit.before(level) == pytest.approx(share, abs=1e-14)
                    assert fit.fall == pytest.approx(fall, abs=2e-4 + 1e-9 * ranges.total)
                    crowd = people * (1 - share if up else share)
                    pull = share * (1 - share) * abs(fit.slope)
                    assert pull == pytest.approx(crowd, rel=2e-3, abs=1e-6 * ranges.total)


KINDS = ["one cut", "two cuts", "grid", "exact", "weighted", "one row", "three rows", "below"]


def drawn_of(kind, rng):
    """Draw ranges of one piece, few enough for a dense table of ranges and cells."""
    n = {"one row": 1, "three rows": 3}.get(kind, 60)
    y, cuts = rng.random(n), np.sort(rng.random((n, 1 if kind == "one cut" else 2)), axis=1)
    cuts = np.ceil(8 * cuts) / 8 if kind in ("grid", "weighted") else cuts
    ends = np.column_stack([np.full(n, -np.inf), cuts, np.full(n, np.inf)])
    cell, row = (y[:, None] > cuts).sum(axis=1), np.arange(n)
    low, high = ends[row, cell], ends[row, cell + 1]
    if kind == "below":
        low, high = np.full(n, -np.inf), cuts[:, 0]
    is_shown = (rng.random(n) < 0.1) & (kind == "exact")
    low, high = np.where(is_shown, np.nextafter(y, -1), low), np.where(is_shown, y, high)
    weights = rng.integers(0, 4, n) + (row == 0) if kind == "weighted" else np.ones(n)
    return Ranges(low, high, weights.astype(float))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.long
def test_an_end_is_where_crowds_find_it(kind):
    """A crowd leaves F free: it knows no held share, no places that join and no parabola."""
    for seed in range(4):
        draws = drawn_of(kind, np.random.default_rng(seed))
        fit = closely(draws, draws.total)
        content, crowd = (ConstrainedShare(ranges=draws, fit=fit) for _ in range(2))
        object.__setattr__(crowd, "fits", None)
        is_seen = draws.weights > 0
        ends = np.concatenate([draws.lower[is_seen], draws.upper[is_seen]])
        for point in np.quantile(ends[np.isfinite(ends)], [0, 0.2, 0.5, 1], method="nearest"):
            for critical in (1.0, 7.0):
                result = both_ends(content, float(point), critical)
                assert result == pytest.approx(both_ends(crowd, float(point), critical), abs=2e-4)


@pytest.mark.parametrize(
    ("n", "power", "exact", "cuts", "seed"),
    [
        (50, 0, 0, 5, 2),
        (30, 0, 0.3, 5, 47),
        (600, 2, 0.3, 2, 0),
        pytest.param(400, 3, 0.3, 2, 3, marks=pytest.mark.long),
    ],
)
def test_every_end_is_found_by_holding_the_share(n, power, exact, cuts, seed, monkeypatch):
    """Crowds take ten times as long: they are for where rounding leaves no other way."""

    def refused(*_args, **_kwargs):
        raise AssertionError("a crowd was asked")

    monkeypatch.setattr(CellLikelihood, "crowd_effect", refused)
    rng = np.random.default_rng(seed)
    y, cut = rng.gamma(2, 2, n), np.sort(rng.uniform(0, 14, (n, cuts)), axis=1)
    ends = np.column_stack([np.full(n, -np.inf), cut, np.full(n, np.inf)])
    cell, row = (y[:, None] > cut).sum(axis=1), np.arange(n)
    is_shown = rng.random(n) < exact
    low, high = np.where(is_shown, y, ends[row, cell]), np.where(is_shown, y, ends[row, cell + 1])
    drawn_ranges = Ranges(low, high, rng.integers(1, 50, n) ** float(power), closed="both")
    share = ConstrainedShare(ranges=drawn_ranges, fit=closely(drawn_ranges, drawn_ranges.total))
    for point in np.quantile(cut, np.linspace(0.01, 0.99, 9), method="nearest").tolist():
        for critical in (2.3, 6.9):
            below, above = both_ends(share, point, critical)
            assert 0 <= below <= above <= 1


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_no_cell_that_is_not_looked_at_would_gain_mass(kind):
    """All cells, in a dense table; the twin spreads a tenth of the mass over all places.

    A fit's own bound is by better prices than one over the chances: it is held against a fit of a
    gap so much smaller that plain prices tell.
    """
    for seed in range(4):
        draws = drawn_of(kind, np.random.default_rng(seed))
        cells = CellLikelihood.of(draws, closely(draws, draws.total))
        fits = ConstrainedFits.of(cells.runs, cells.mass, cells.tol)
        if fits is None:
            assert kind in ("one row", "three rows", "below")
            continue
        draw = draws[draws.weights > 0]
        first, past = (np.searchsorted(cells.edges, end) for end in (draw.lower, draw.upper))
        inside = (first[:, None] <= np.arange(fits.m)) & (np.arange(fits.m) < past[:, None])

        def missing(result, level, inside=inside, weights=draw.weights, m=fits.m):
            mass = np.zeros(m)
            mass[result.places] = np.diff(result.upto)
            slope = (weights / (inside @ mass)) @ inside
            share = mass[:level].sum()
            best = share * slope[:level].max() + (1 - share) * slope[level:].max()
            return best - weights.sum()

        for level in range(1, fits.m, 1 + fits.m // 9):
            for share in (0.02, 0.3, 0.9):
                fit = fits.fit_with_share(level, share, fits.free)
                tight = replace(fits, tol=1e-9).fit_with_share(level, share, fits.free)
                assert missing(tight, level) <= fits.tol
                assert fit.fall - tight.fall <= fit.gap + 1e-9 <= fits.tol + 1e-9
                even = np.linspace(0, 1, len(fit.upto))
                twin = replace(fit, upto=0.9 * fit.upto + 0.1 * even)
                assert missing(twin, level) > fits.tol or len(fit.places) < 4


HEAPS, STEPS = (1, 22), 24
"""In which steps of a line people are, and how many it has."""

A_SIXTH = 2.976
"""How large a squared deviate may be amid the stretch, a sixth of the way from the law of 𝔻."""


def amid_a_stretch(below, people):
    """Count reports on two cuts each as they are expected, so many people on the first heap."""
    channel = Cuts(number=2).channel(Line(0, STEPS, 1))
    cells, chances = channel.cells()
    observed = [chances * ((cells[:, 0] <= heap) & (heap < cells[:, 1])) for heap in HEAPS]
    counts = (
        below * observed[0] / observed[0].sum() + (people - below) * observed[1] / observed[1].sum()
    )
    return channel.ranges(cells[counts > 0], counts[counts > 0])


@pytest.mark.parametrize("index", [12, 17])
def test_amid_a_long_stretch_where_nobody_is_two_cuts_cover_as_plain_answers_do(index):
    """Nearly all tell on which heap they are, as binomial numbers do; a sixth is refused."""
    people, numbers, content = 400, np.arange(174, 227), []
    for below in numbers:
        ranges = amid_a_stretch(below, people)
        result, smooth = (cdf_intervals(ranges, index, smooth=law) for law in (False, True))
        ends = np.array([result.lower[0], result.upper[0]])
        near = result.value + np.sqrt(A_SIXTH / result.critical[:, 0]) * (ends - result.value)
        pairs = ends, near, np.append(smooth.lower, smooth.upper)
        content.append([low <= 0.5 <= high for low, high in pairs])
    covers, by_a_sixth, if_smooth = binom.pmf(numbers, people, 0.5) @ np.array(content)
    assert covers >= 0.95
    assert by_a_sixth < 0.935
    assert if_smooth < 0.94
