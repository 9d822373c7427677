"""All shares of a grid at once: as one by one, by brute force, and where it is told otherwise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from askance.channels import RangeChannel, Ranges
from askance.inference import cdf_intervals, estimate_line, quantile_intervals
from askance_collect.errors import InputError
from askance_collect.exact import Line


def asked(steps, cuts, people, seed, evenness=1.0):
    """Ask about cuts on a line whose steps have random shares."""
    rng = np.random.default_rng(seed)
    channel = RangeChannel(Line(0, steps, 1), [1] * (steps - 1), cuts)
    cells, chances = channel.cells()
    observed = chances * channel.range_probabilities(cells, rng.dirichlet(np.full(steps, evenness)))
    counts = rng.multinomial(people, observed / observed.sum())
    return channel, channel.ranges(cells[counts > 0], counts[counts > 0])


def inner(ranges):
    ends = np.unique(np.concatenate([ranges.lower, ranges.upper]))
    return ends[np.isfinite(ends)]


@settings(max_examples=12, deadline=None)
@given(
    st.integers(3, 20),
    st.integers(1, 3),
    st.sampled_from([6, 40, 300, 20_000]),
    st.integers(0, 2**32),
    st.sampled_from([0.1, 1.0, 9.0]),
    st.sampled_from([0.6, 0.95, 0.999]),
)
@pytest.mark.long
def test_the_band_is_that_of_shares_asked_for_one_by_one(steps, cuts, n, seed, evenness, level):
    channel, ranges = asked(steps, min(cuts, steps - 1), n, seed, evenness)
    ends = inner(ranges)
    if len(ends):
        found, alone = estimate_line(channel, ranges, level), cdf_intervals(ranges, ends, level)
        low, high = alone.bounds(np.arange(steps))
        assert found.band_lower[:-1] == pytest.approx(low, abs=5e-4)
        assert found.band_upper[1:-1] == pytest.approx(high[1:], abs=5e-4)
        assert (found.band_upper[0], found.band_lower[-1]) == (0, 1)


@pytest.mark.parametrize(
    ("steps", "cuts", "people", "seed", "evenness", "level"),
    [
        (11, 3, 6, 72272637, 9.0, 0.6),
        (12, 2, 40, 2954321787, 0.1, 0.95),
        (9, 3, 6, 2057433282, 1.0, 0.95),
    ],
)
def test_what_a_climb_leaves_of_a_mass_moves_no_critical_value(
    steps, cuts, people, seed, evenness, level
):
    """One of the two fits has 3e-17 of these people, 1e-8 or 1e-4 in an interval of its own."""
    channel, ranges = asked(steps, cuts, people, seed, evenness)
    ends = inner(ranges)
    estimate, alone = estimate_line(channel, ranges, level), cdf_intervals(ranges, ends, level)
    low, high = alone.bounds(np.arange(steps))
    assert estimate.band_lower[:-1] == pytest.approx(low, abs=2e-4)
    assert estimate.band_upper[1:-1] == pytest.approx(high[1:], abs=2e-4)


@pytest.mark.parametrize("cuts", [1, 2])
@pytest.mark.long
def test_its_ends_are_the_outermost_shares_by_brute_force(cuts):
    """Two shares of a line of three steps: the likelihood with the second left free."""
    channel, ranges = asked(3, cuts, 400, 1)
    estimate, intervals = estimate_line(channel, ranges), cdf_intervals(ranges, [1, 2])

    def missing(first, second):
        upto = {-np.inf: 0.0, 1: first, 2: second, np.inf: 1.0}
        chance = np.array([upto[b] - upto[a] for a, b in zip(*sides, strict=True)])
        return -float(ranges.weights @ np.log(np.maximum(chance, 1e-12)))

    sides = ranges.lower.tolist(), ranges.upper.tolist()
    top = minimize(lambda x: missing(*x), [0.3, 0.7], method="Nelder-Mead").fun
    for end, critical in zip(
        (estimate.band_lower[1], estimate.band_upper[1]), intervals.critical[:, 0], strict=True
    ):
        rest = np.linspace(end, 1, 4_001)[1:-1]
        fall = min(missing(end, item) for item in rest) - top
        assert 2 * fall == pytest.approx(critical, rel=0.03)


@pytest.mark.parametrize("steps", [12, pytest.param(60, marks=pytest.mark.long)])
def test_quantiles_are_those_of_the_likelihood_ratio(steps):
    channel, ranges = asked(steps, 2, 500, 5)
    estimate, intervals = estimate_line(channel, ranges), quantile_intervals(ranges)
    for index, share in enumerate(intervals.share.tolist()):
        low, middle, high = estimate.quantiles[share]
        assert low == max(intervals.lower[index], 0)
        assert high == min(intervals.upper[index], steps)
        assert low <= middle <= high


def test_nobody_who_objects_leaves_all_possible():
    channel = RangeChannel(Line(0, 3, 1), [1, 1])
    estimate = estimate_line(channel, channel.ranges([[0, 1], [0, 2]], [30, 20]))
    assert estimate.band_upper.tolist() == [0, 1, 1, 1]
    assert 0.9 < estimate.band_lower[1] < estimate.cdf[1] == 1


def test_of_one_cut_each_a_fine_grid_is_asked_at_every_end():
    channel, ranges = asked(200, 1, 3_000, 2, 9.0)
    estimate, alone = estimate_line(channel, ranges), cdf_intervals(ranges, [50, 100, 150])
    assert estimate.band_lower[[50, 100, 150]] == pytest.approx(alone.lower, abs=1e-5)
    assert estimate.band_upper[[50, 100, 150]] == pytest.approx(alone.upper, abs=1e-5)


@pytest.mark.long
def test_a_fine_grid_is_asked_at_some_places_and_spans_what_they_leave():
    channel, ranges = asked(80, 2, 3_000, 2, 9.0)
    estimate, alone = estimate_line(channel, ranges), cdf_intervals(ranges, [20, 40, 60])
    for number, low, high in zip((20, 40, 60), alone.lower, alone.upper, strict=True):
        assert (
            low - 0.05 <= estimate.band_lower[number] <= low + 5e-3
        )  # F rises: that of a place before
        assert high - 5e-3 <= estimate.band_upper[number] <= high + 0.05
    assert np.all(
        (estimate.band_lower <= estimate.cdf + 1e-9) & (estimate.cdf <= estimate.band_upper + 1e-9)
    )


def test_it_knows_that_shares_rise_and_is_narrower_than_one_that_does_not():
    """Beside Wilson's band, which is that of a level whose law is not tabled; of nine surveys."""
    parts = []
    for seed in range(1, 10):
        channel, ranges = asked(24, 1, 1_000, seed, 9.0)
        estimates = [estimate_line(channel, ranges, level) for level in (0.5, 0.4999)]
        widths = [
            float(np.mean(estimate.band_upper - estimate.band_lower)) for estimate in estimates
        ]
        parts.append(widths[0] / widths[1])
        assert [len(estimate.quantiles) for estimate in estimates] == [5, 5]
    assert 0.79 < np.mean(parts) < 0.83
    assert max(parts) < 0.98


def test_the_same_people_told_in_any_order_have_the_same_band():
    channel, ranges = asked(10, 2, 200, 8)
    turned = np.arange(len(ranges))[::-1]
    again = Ranges(ranges.lower[turned], ranges.upper[turned], ranges.weights[turned])
    item, two = (estimate_line(channel, some) for some in (ranges, again))
    assert item.band_lower.tolist() == two.band_lower.tolist()
    assert item.band_upper.tolist() == two.band_upper.tolist()


@pytest.mark.parametrize("cuts", [1, 2])
@pytest.mark.parametrize("little", [1e-8, 1e-20])
def test_expected_counts_of_next_to_nothing_hardly_move_it(cuts, little):
    """As if they had not come, by likelihood ratio; where they are lost, by Wilson's interval."""
    channel = RangeChannel(Line(0, 4, 1), [1, 1, 1], cuts)
    cells = [[0, 1], [1, 4], [0, 3], [3, 4]]
    estimate = estimate_line(channel, channel.ranges(cells, [40, 60, 90, little]))
    alone = estimate_line(channel, channel.ranges(cells[:3], [40, 60, 90]))
    assert estimate.cdf == pytest.approx(alone.cdf, abs=1e-8)
    if little > 1e-12:
        assert estimate.band_lower == pytest.approx(alone.band_lower, abs=1e-4)
    assert np.all(
        (estimate.band_lower <= estimate.cdf + 1e-9) & (estimate.cdf <= estimate.band_upper + 1e-9)
    )


def test_weights_that_are_lost_beside_others_are_refused():
    ranges = Ranges([-np.inf, 10], [10, np.inf], [1e9, 1e-9])
    for ask in (lambda: cdf_intervals(ranges, [10]), lambda: quantile_intervals(ranges)):
        with pytest.raises(InputError, match=r"Ranges\.counts.*1e-09 among 1e\+09"):
            ask()
