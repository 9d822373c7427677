"""Numbers that are counted: by brute force on small lattices, and as many reports would have it."""

from itertools import product

import numpy as np
import pytest

import askance as ak
from askance.channels import Ranges
from askance.inference import estimate_line, estimate_plain, integer_valued, npmle
from askance_collect.errors import InputError
from askance_collect.exact import Line

DRINKS = Line(0, 6, 1, "drinks", integer=True)
MASS = np.array([8, 1, 5, 4, 0, 3, 2]) / 23
VALUES = np.arange(7)


def as_expected(channel, mass, n):
    """Estimate from ranges that come as often as expected."""
    ends, chances = channel.cells()
    return estimate_line(
        channel, channel.ranges(ends, n * chances * channel.range_probabilities(ends, mass))
    )


def quantile_of(mass, share):
    return int(VALUES[np.searchsorted(np.cumsum(mass), share - 1e-12)])


def test_every_value_is_in_one_step_and_every_step_holds_as_many():
    for lower, count, step in product(range(-3, 3), range(2, 13), range(1, 5)):
        if count % step or count // step < 2:
            with pytest.raises(InputError, match="at least two whole steps"):
                Line(lower, lower + count - 1, step, integer=True)
            continue
        line = Line(lower, lower + count - 1, step, integer=True)
        values = range(lower, lower + count)
        xes = [
            [x for x in values if line.value_at(i) < x <= line.value_at(i + 1)]
            for i in range(line.ticks)
        ]
        assert [x for item in xes for x in item] == list(values)
        assert {len(item) for item in xes} == {step}
        assert all(x in xes[line.cell(x)] for x in values)
        assert (line.cell(lower - 9), line.cell(lower + 99)) == (0, line.ticks - 1)


@pytest.mark.parametrize(
    ("given", "where"),
    [((0, "5/2", 1), "Line.upper"), (("1/2", 5, 1), "Line.lower"), ((0, 5, "1/2"), "Line.step")],
)
def test_a_line_of_whole_numbers_has_whole_bounds(given, where):
    with pytest.raises(InputError, match=where):
        Line(*given, integer=True)


def test_a_bound_that_ends_a_step_is_named():
    with pytest.raises(InputError, match="upper = 104 ends a step"):
        Line(0, 100, 5, integer=True)


def test_what_is_not_whole_is_refused_and_not_repeated():
    channel = ak.Cuts(number=1).channel(DRINKS)
    for give in (
        lambda: DRINKS.cell("5/2"),
        lambda: ak.privatise(channel, [1, 2.5], rng=1, name="said"),
    ):
        with pytest.raises(InputError, match="whole number") as caught:
            give()
        assert not {"2.5", "5/2"} & set(str(caught.value).split())


def test_a_cut_tells_the_least_value_from_the_next():
    channel = ak.Cuts(law=[1, 0, 0, 0, 0, 0]).channel(DRINKS)
    reports = ak.privatise(channel, [0, 1], rng=1, name="said")
    assert [repr(item) for item in (reports[[0]], reports[[1]])] == [
        "Ranges((-inf, 0])",
        "Ranges((0, inf])",
    ]


@pytest.mark.parametrize("seed", range(12))
def test_bounds_are_those_of_all_ways_to_place_masses_on_whole_numbers(seed):
    rng = np.random.default_rng(seed)
    low = rng.integers(-2, 4, 6)
    high = low + rng.integers(1, 4, 6)
    fit = npmle(Ranges(low, high, counts=rng.integers(1, 9, 6)))
    places = [range(int(a) + 1, int(b) + 1) for a, b in zip(fit.lower, fit.upper, strict=True)]
    ways = list(product(*places))
    means = [fit.mass @ np.array(variant) for variant in ways]
    valued = integer_valued(fit)
    assert valued.mean_bounds() == pytest.approx((min(means), max(means)), abs=1e-12)
    for share in (0.1, 0.5, 0.9):
        positions = np.searchsorted(np.cumsum(fit.mass), share * (1 - 1e-12))
        result = [variant[positions] for variant in ways]
        least, most = valued.quantile(share)
        assert (round(least, 9), most) == (min(result), max(result))
    for number in range(-2, 8):
        upto = [fit.mass @ (np.array(variant) <= number) for variant in ways]
        assert [*map(float, valued.cdf_bounds(number))] == pytest.approx([min(upto), max(upto)])


def test_mass_where_no_whole_number_is_is_refused():
    with pytest.raises(InputError, match="holds no whole number"):
        integer_valued(npmle(Ranges([0.2], [0.8])))
    with pytest.raises(InputError, match=r"2\.5, which has mass"):
        integer_valued(npmle(Ranges([2.5], [2.5], closed="both")))
    result = {(-np.inf, 1.2): 10, (1.2, np.inf): 90, (-np.inf, 1.8): 60, (1.8, np.inf): 40}
    with pytest.raises(InputError, match=r"\(1\.2, 1\.8\], which has mass"):
        integer_valued(ak.inference.quantile_intervals(Ranges.from_counts(result), [0.5]))


def test_quantile_intervals_of_whole_numbers_hold_the_values_that_theirs_do():
    result = {(-np.inf, 2): 30, (2, np.inf): 70, (-np.inf, 3): 55, (3, np.inf): 45}
    any_number = ak.inference.quantile_intervals(Ranges.from_counts(result), [0.25, 0.5])
    valued = integer_valued(any_number)
    assert [valued.lower.tolist(), valued.upper.tolist()] == [[-np.inf, 3], [3, np.inf]]
    assert [valued.low.tolist(), valued.high.tolist()] == [[-np.inf, 3], [2, 3]]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_many_reports_tell_the_mean_and_every_quantile_as_points(number):
    channel = ak.Cuts(number=number).channel(DRINKS)
    as_expected_result = as_expected(channel, MASS, 1e9)
    mean = float(MASS @ VALUES)
    assert (
        as_expected_result.mean_low == as_expected_result.mean_high == pytest.approx(mean, abs=1e-6)
    )
    assert as_expected_result.upper - as_expected_result.lower == pytest.approx(
        2 * 1.959964 * as_expected_result.se
    )
    for share, value in as_expected_result.quantiles.items():
        assert set(value) == {quantile_of(MASS, share)}


def test_the_most_likely_mean_is_that_of_the_best_of_all_divisions():
    channel = ak.Cuts(number=1).channel(Line(0, 2, 1, integer=True))
    cells, counts = np.array([[0, 1], [1, 3], [0, 2], [2, 3]]), np.array([25, 15, 22, 18])
    grid = np.linspace(0, 1, 401)
    first, second = np.meshgrid(grid, grid, indexing="ij")
    with np.errstate(divide="ignore", invalid="ignore"):
        log = sum(
            count * np.log(share)
            for count, share in zip(
                counts, (first, 1 - first, first + second, 1 - first - second), strict=True
            )
        )
    log[first + second > 1] = -np.inf
    index = np.unravel_index(np.nanargmax(log), log.shape)
    best = second[index] + 2 * (1 - first[index] - second[index])
    assert estimate_line(channel, channel.ranges(cells, counts)).mean == pytest.approx(
        best, abs=4e-3
    )


def test_numbers_that_doubles_hardly_tell_apart_are_values_too():
    far = 10**12
    near, line = (Line(position, position + 6, 1, integer=True) for position in (0, far))
    small, large = (
        as_expected(ak.Cuts(number=1).channel(item), MASS, 1e6) for item in (near, line)
    )
    assert large.mean_low == large.mean_high == pytest.approx(far + small.mean_low, abs=1e-2)
    assert large.effective_sample_size == pytest.approx(small.effective_sample_size, rel=1e-3)
    for share, value in small.quantiles.items():
        assert large.quantiles[share] == tuple(far + item for item in value)


@pytest.mark.long
def test_a_line_of_whole_numbers_is_that_of_any_but_for_what_a_step_leaves_open():
    line, rng = Line(-1, 6, 1), np.random.default_rng(3)
    for make in (
        lambda index: ak.Cuts(number=2).channel(index),
        lambda position: ak.Ring(floor="1/7").channel(position),
    ):
        channel, other = make(DRINKS), make(line)
        reports = ak.privatise(channel, rng.choice(VALUES, 400, p=MASS), rng=4, name="said")
        estimate, any_number = estimate_line(channel, reports), estimate_line(other, reports)
        assert estimate.se == any_number.se
        assert estimate.mean_high == pytest.approx(any_number.mean_high)
        assert estimate.mean_low == pytest.approx(any_number.mean_low + 1)
        assert np.array_equal(estimate.cdf, any_number.cdf)
        assert np.array_equal(estimate.band_lower, any_number.band_lower)
        for share, (low, value, high) in estimate.quantiles.items():
            least, middle, most = any_number.quantiles[share]
            assert (low, value, high) == (least + 1, np.ceil(middle), most)
        assert [item.to_dict().get("whole") for item in (estimate, any_number)] == [True, None]


@pytest.mark.long
def test_false_reports_leave_quantiles_at_values():
    channel, other = (ak.Cuts(number=1).channel(index) for index in (DRINKS, Line(-1, 6, 1)))
    result, output = (
        ak.inference.range_manipulation(item, MASS, 100, 1_000, [0.25, 0.5])
        for item in (channel, other)
    )
    assert (result.mean, result.direct) == pytest.approx((output.mean, output.direct))
    for share, (low, high) in output.quantiles.items():
        assert result.quantiles[share] == (low + 1, high)
    none = ak.inference.range_manipulation(channel, MASS, 0, 1_000, [0.3])
    assert none.quantiles[0.3] == (quantile_of(MASS, 0.3),) * 2


def test_values_in_steps_leave_open_which_of_a_step_it_is():
    line = Line(0, 99, 5, "years", integer=True)
    as_expected_result = as_expected(ak.Cuts(number=1).channel(line), np.full(20, 1 / 20), 1e9)
    assert (as_expected_result.mean_low, as_expected_result.mean_high) == pytest.approx(
        (47.5, 51.5), abs=1e-4
    )
    assert ak.design.line_half_width(ak.Cuts(number=1).channel(line), 1e15) == pytest.approx(
        2, abs=1e-5
    )


def test_nobody_tells_nothing_of_whole_numbers_alone():
    channel = ak.Cuts(number=1).channel(DRINKS)
    estimate = estimate_line(channel, channel.ranges(np.zeros((0, 2), dtype=int)))
    assert (estimate.lower, estimate.upper, estimate.mean_low, estimate.mean_high) == (0, 6, 0, 6)


def test_plain_whole_numbers_are_the_values_that_were_given():
    estimate = estimate_plain(DRINKS, {1: 3, 2: 1})  # ticks: three said 0, one said 1
    assert (estimate.mean, estimate.lower) == (0.25, 0)
    assert estimate.quantiles[0.5][:2] == (0, 0)
    assert estimate.distribution.mean_bounds() == pytest.approx((0.25, 0.25))
    for line, counts in ((DRINKS, {0: 1}), (Line(0, 5, 2, integer=True), {1: 1})):
        with pytest.raises(InputError, match=r"estimate_plain\."):
            estimate_plain(line, counts)


def test_half_widths_have_no_half_step_and_shrink_to_nothing():
    channel_result = ak.Cuts(number=1).channel(DRINKS)
    other = ak.Cuts(number=1).channel(Line(-1, 6, 1))
    for n in (100, 10_000, 10**12):
        width = ak.design.line_half_width(channel_result, n)
        assert width == pytest.approx(ak.design.line_half_width(other, n) - 0.5)
    assert width < 1e-4
