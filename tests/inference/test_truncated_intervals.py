"""Intervals under truncation: against a search of all masses, binomial laws, and symmetries.

The twin maximises the likelihood over the masses of all elementary cells, by quasi-Newton steps in
their logarithms from several starts, with the share up to a point fixed. There a share that goes to
nothing is no special case.
"""

import numpy as np
import pytest
from scipy.optimize import minimize

from askance import Ranges, npmle
from askance.inference import (
    Convergence,
    SamplingDesign,
    cdf_intervals,
    quantile_intervals,
    simultaneous_band,
)
from askance.inference.intervals.outermost_share import squared_deviate
from askance_collect.errors import NotIdentified

INF = np.inf
CLOSE = 0.01  # of a deviate, by which an end may miss


def cells_of(ranges):
    """Write ranges and windows over the cells in some window, without rows that say no more."""
    ends = np.unique(np.concatenate([ranges.lower, ranges.upper, ranges.entry, ranges.exit]))
    low, high = ends[:-1], ends[1:]
    pieces = (low >= ranges.lower[:, None]) & (high <= ranges.upper[:, None])
    inside = np.add.reduceat(pieces, ranges.starts[:-1], dtype=float)
    seen = (low >= ranges.entry[:, None]) & (high <= ranges.exit[:, None])
    says = inside.sum(axis=1) < seen.sum(axis=1)
    some = seen[says].any(axis=0)
    return low[some], high[some], inside[says][:, some], seen[says][:, some] * 1.0, says


def most_likely(ranges, point, share=None, *, up=False):
    """Search the highest likelihood with this share up to a point, or with any."""
    low, high, inside, seen, says = cells_of(ranges)
    weights, below = ranges.weights[says], (low < point) if up else (high <= point)
    sides = [np.ones_like(below)] if share is None else [below, ~below]
    totals = [1.0] if share is None else [share, 1 - share]

    def loss(logs):
        mass = np.zeros(len(logs))
        for side, total in zip(sides, totals, strict=True):
            part = np.exp(logs[side] - logs[side].max())
            mass[side] = total * part / part.sum()
        chance, window = inside @ mass, seen @ mass
        pull = mass * ((weights / chance) @ inside - (weights / window) @ seen)
        for side, total in zip(sides, totals, strict=True):
            pull[side] -= mass[side] / total * pull[side].sum()
        return -(weights @ np.log(chance / window)), -pull

    rng, options = np.random.default_rng(0), {"gtol": 1e-10, "maxiter": 3000}
    with np.errstate(all="ignore"):
        return max(
            -minimize(loss, spread * rng.normal(size=len(low)), jac=True, options=options).fun
            for spread in (0, 1, 1)
        )


def deviate(ranges, point, share, *, up):
    """The squared deviate of a share: of the fall, and of the slope by differences."""
    step, top = 1e-4 * min(share, 1 - share), most_likely(ranges, point)
    before, fall, after = (
        top - most_likely(ranges, point, share + move, up=up) for move in (-step, 0, step)
    )
    pull = share * (1 - share) * abs(after - before) / (2 * step)
    return squared_deviate(fall, pull, share if up else 1 - share)


def check(ranges, point):
    """Look at both ends of an interval, and beyond them."""
    interval = cdf_intervals(ranges, [point], smooth=True)
    estimate = npmle(ranges).cdf_bounds(point)
    for up, end in ((False, interval.lower[0]), (True, interval.upper[0])):
        critical = interval.critical[int(up), 0]
        if end in (0, 1) or abs(end - estimate[int(up)]) < 1e-6:
            continue
        assert deviate(ranges, point, end, up=up) == pytest.approx(critical, rel=CLOSE)
        for part in (0.1, 0.6):
            beyond = end + part * (float(up) - end)
            assert deviate(ranges, point, beyond, up=up) > critical * (1 - 2 * CLOSE)


def draw(seed, *, entries, exits, unions):
    """Draw a few ranges on a grid that makes ties."""
    rng, rows = np.random.default_rng(seed), []
    for _ in range(6):
        y = int(rng.integers(1, 11))
        entry = float(rng.choice([-INF, *range(-2, y)])) if entries else -INF
        last = float(rng.choice([INF, *range(y, 14)])) if exits else INF
        pieces = [(y - int(rng.integers(1, 5)), y + int(rng.integers(0, 5)))]
        if unions and rng.random() < 0.6:
            pieces.append((pieces[0][1] + 1, pieces[0][1] + 3))
        pieces = [(max(low, entry), min(high, last)) for low, high in pieces]
        rows.append(([piece for piece in pieces if piece[0] < piece[1]], entry, last))
    low, high = np.array([piece for row in rows for piece in row[0]], dtype=float).T
    pieces, entry, last = ([row[i] for row in rows] for i in range(3))
    counts, weights = [len(row) for row in pieces], rng.integers(1, 4, 6)
    return Ranges(low, high, weights, pieces=counts, entry=entry, exit=last)


@pytest.mark.parametrize(
    ("seed", "windows", "point"),
    [
        (2, "entries", 6),
        (5, "entries", 5),
        (1, "exits", 5),
        (6, "both", 5),
        (7, "both", 8),  # where an end is sought, a share goes to nothing that others need
        (2, "unions", 8),
        (4, "both unions", 9),
    ],
)
def test_ends_are_those_of_a_search_of_all_masses(seed, windows, point):
    kinds = {
        "entries": windows in ("entries", "unions") or "both" in windows,
        "exits": windows == "exits" or "both" in windows,
        "unions": "unions" in windows,
    }
    check(draw(seed, **kinds), float(point))


@pytest.mark.parametrize(
    ("columns", "upto"),
    [
        # one person; F is all of hers
        (([2], [5], [1], [INF]), {2: 0, 5: 1}),
        # left-censored, entered at 0: cut at the entry
        (([-INF, 3, -INF], [3, INF, 5], [0, 0, 0], [INF, INF, INF]), {3: 0.5}),
        # who enters at 2 was not at risk of the event at 2: 1/2 of two, then 1/2 of two
        (([1.5, 3, 4], [2, 3.5, 4.5], [0, 2, 0], [INF, INF, INF]), {2: 0.5, 3.5: 0.75, 4.5: 1}),
        # an event at the exit is observed; backwards, of two up to 4 one is above 2
        (([1, 3], [2, 4], [0, 0], [INF, 4]), {2: 0.5, 4: 1}),
        # entries beyond lower ends: (1, 5] is (3, 5]
        (([1, 2, 5], [5, 3, 6], [3, 1, 1], [INF, INF, INF]), {3: 1 / 2, 5: 3 / 4}),
    ],
)
def test_few_ranges_with_windows_have_the_distribution_of_their_risk_sets(columns, upto):
    low, high, entry, last = columns
    ranges = Ranges(low, high, entry=entry, exit=last)
    fit = npmle(ranges)
    assert {point: pytest.approx(fit.cdf_bounds(point)[0], abs=1e-6) for point in upto} == upto
    assert fit.log_likelihood(ranges) == pytest.approx(most_likely(ranges, 0.0), abs=1e-6)


def late_events() -> Ranges:
    """One event at 1 by who was at risk since 0, and two more by who entered at 2."""
    return Ranges([1, 3, 4], [1, 3, 4], closed="both", entry=[0, 2, 2])


def test_intervals_are_given_where_the_estimate_is_a_limit():
    """Nobody passes 1: of the one at risk, none is above it, the chance of which is F(1)."""
    ranges = late_events()
    with pytest.raises(NotIdentified, match="empty risk set"):
        npmle(ranges)
    first = cdf_intervals(ranges, [1.0])
    assert first.lower[0] == pytest.approx(0.05, abs=1e-4)  # half the chance is 0.025
    assert (first.value[0], first.upper[0]) == (1, 1)
    assert "(1, inf] is not identified" in first.method
    assert deviate(ranges, 3.0, float(cdf_intervals(ranges, [3.0]).lower[0]), up=False) == (
        pytest.approx(3.84, abs=0.02)
    )
    median = quantile_intervals(ranges, [0.5])
    assert (median.lower[0], median.low[0], median.upper[0]) == (-INF, 1, 4)
    assert "(1, inf] is not identified" in median.method
    assert (simultaneous_band(ranges).upper == 1).all()


def test_who_says_no_more_than_her_window_leaves_the_distribution_alone():
    """Three at risk since 1 pass 3: F(3) among numbers above 1 is at most 1 − .05^(1/3)."""
    rows = Ranges([3], [INF], [3], entry=[1])
    more = Ranges([0, 3], [INF, INF], [2, 3], entry=[0, 1])
    for ranges in (rows, more):
        interval = cdf_intervals(ranges, [3.0], smooth=True)
        critical = float(interval.critical[1, 0])
        share = float(interval.upper[0])
        none_of_three = squared_deviate(-3 * np.log1p(-share), 3 * share, share)
        assert none_of_three == pytest.approx(critical, rel=1e-3)
        assert npmle(ranges).zero_pieces == ((-INF, 1.0),)


def crowded(n=40, seed=4):
    """Entries, and two visits a person, without ties."""
    rng = np.random.default_rng(seed)
    y = rng.gamma(4, 2, 3 * n)
    entry = np.where(rng.random(3 * n) < 0.5, 0, rng.uniform(0, 6, 3 * n))
    some = np.flatnonzero(y > entry)[:n]
    y, entry, visits = y[some], entry[some], np.sort(rng.uniform(0, 16, (n, 2)), axis=1)
    edges = np.column_stack([np.zeros(n), visits, np.full(n, INF)])
    cell, row = (y[:, None] > visits).sum(axis=1), np.arange(n)
    return np.maximum(edges[row, cell], entry), edges[row, cell + 1], entry


def test_exits_are_entries_of_the_negative():
    lower, upper, entry = crowded()
    points = np.array([4.0, 8.0])
    forwards = cdf_intervals(Ranges(lower, upper, entry=entry), points)
    backwards = cdf_intervals(Ranges(-upper, -lower, exit=-entry), -points)
    assert 1 - backwards.upper[::-1] == pytest.approx(forwards.lower, abs=1e-4)
    assert 1 - backwards.lower[::-1] == pytest.approx(forwards.upper, abs=1e-4)


def test_an_entry_that_all_share_truncates_nothing():
    lower, upper, _ = crowded()
    plain, late = Ranges(lower, upper), Ranges(lower, upper, entry=0)
    fits = [npmle(ranges) for ranges in (plain, late)]
    assert fits[1].mass == pytest.approx(fits[0].mass, abs=1e-6)
    exits = npmle(Ranges([0, 1, 2], [3, 4, 5], entry=0, exit=[6, 7, INF]))
    assert exits.convergence is fits[0].convergence is Convergence.CONVERGED
    points = [4.0, 8.0]
    first, second = (cdf_intervals(ranges, points) for ranges in (plain, late))
    assert second.lower == pytest.approx(first.lower, abs=2e-4)
    assert second.upper == pytest.approx(first.upper, abs=2e-4)


def test_the_design_effect_of_truncated_ranges_is_that_of_clusters():
    lower, upper, entry = crowded()
    ranges = Ranges(np.repeat(lower, 2), np.repeat(upper, 2), entry=np.repeat(entry, 2))
    design = SamplingDesign(clusters=np.repeat(np.arange(40), 2))
    pairs = cdf_intervals(ranges, [6.0], sampling=design)
    alone = cdf_intervals(Ranges(lower, upper, entry=entry), [6.0])
    assert pairs.upper[0] - pairs.lower[0] == pytest.approx(
        alone.upper[0] - alone.lower[0], rel=0.1
    )
