"""A number asked by random cuts: variances in closed form, gaps in the law, impossible cells."""

import numpy as np
import pytest

from askance.channels import RangeChannel, Ranges
from askance.inference import Convergence, estimate_line, npmle
from askance_collect.errors import InputError
from askance_collect.exact import Floor, Line


def survey(channel, n, seed=1):
    """Draw cells from a hump-shaped number."""
    rng, ticks = np.random.default_rng(seed), channel.line.ticks
    mass = np.sin((np.arange(ticks) + 0.5) / ticks * np.pi)
    upto = np.concatenate([[0.0], np.cumsum(mass / mass.sum())])
    cells, chances = channel.cells()
    chance = chances * (upto[cells[:, 1]] - upto[cells[:, 0]])
    return channel.ranges(cells, rng.multinomial(n, chance / chance.sum())), upto


def band_errors(result):
    """Give the standard error behind either end of the band, of very many reports."""
    inner = slice(1, -1)
    ends = result.band_upper - result.cdf, result.cdf - result.band_lower
    return [end[inner] / 1.959963984540054 for end in ends]


def as_expected(channel, n, cdf):
    """Estimate from ranges that come as often as expected."""
    cells, chances = channel.cells()
    return estimate_line(
        channel, channel.ranges(cells, n * chances * (cdf[cells[:, 1]] - cdf[cells[:, 0]]))
    )


def test_one_cut_has_the_variance_of_the_closed_form():
    weights = [3, 1, 4, 1, 5, 9, 2, 6, 5]
    channel, n = RangeChannel(Line(0, 5, "1/2"), weights), 1e12
    cdf = np.linspace(0, 1, 11) ** 2
    g = np.array(weights) / sum(weights)
    inner = cdf[1:-1]
    as_expected_result = as_expected(channel, n, cdf)
    for errors in band_errors(as_expected_result):
        assert errors == pytest.approx(np.sqrt(inner * (1 - inner) / (n * g)), rel=1e-4)
    assert as_expected_result.se**2 == pytest.approx(
        0.25 * (inner * (1 - inner) / g).sum() / n, rel=1e-6
    )


def test_more_cuts_have_the_information_of_all_their_cells():
    channel, n = RangeChannel(Line(0, 6, 1), [1, 2, 3, 2, 1], 3), 1e12
    mass = np.array([1, 3, 5, 4, 2, 1]) / 16
    cells, chances = channel.cells()
    information = np.zeros((6, 6))
    for (low, high), chance in zip(cells, chances, strict=True):
        inside = (np.arange(6) >= low) & (np.arange(6) < high)
        information += n * chance * np.outer(inside, inside) / mass[inside].sum()
    basis = np.linalg.svd(np.ones((1, 6)))[2][1:].T
    shares = basis @ np.linalg.inv(basis.T @ information @ basis) @ basis.T
    upto = np.tri(6)[:5]
    expected = upto @ shares @ upto.T
    as_expected_result = as_expected(channel, n, np.concatenate([[0.0], np.cumsum(mass)]))
    for errors in band_errors(as_expected_result):
        assert errors == pytest.approx(np.sqrt(np.diag(expected)), rel=1e-4)
    assert as_expected_result.se**2 == pytest.approx(
        expected.sum(), rel=1e-6
    )  # the mean falls with each F


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_estimate_holds_together(number):
    channel = RangeChannel(Line(10, 34, 2, "years"), [1] * 11, number)
    ranges, upto = survey(channel, 4000)
    estimate = estimate_line(channel, ranges, unit="Jahre")
    assert estimate.unit == "Jahre"
    assert estimate.reports == 4000
    assert estimate.gap <= 1e-10
    assert estimate.convergence is Convergence.CONVERGED
    assert estimate.mean_high - estimate.mean_low == pytest.approx(2)
    assert 10 <= estimate.lower < estimate.mean_low < estimate.mean_high < estimate.upper <= 34
    assert np.all(estimate.band_lower <= estimate.cdf + 1e-12)
    assert np.all(estimate.cdf <= estimate.band_upper + 1e-12)
    assert np.abs(estimate.cdf - upto).max() < 0.15
    for share, (low, middle, high) in estimate.quantiles.items():
        assert low <= middle <= high
        assert low < np.interp(share, upto, estimate.ticks) <= high
    assert 0 < estimate.effective_sample_size < 4000
    assert estimate.coverage.min() > 0
    assert estimate.coverage_counts.sum() == 4000
    assert estimate.average_coverage == pytest.approx(
        estimate.coverage @ estimate.coverage_counts / 4000
    )


def test_a_gap_in_the_distribution_is_not_smoothed_away():
    """Half stand at either end: every tick between is a coin toss, however many cuts."""
    channel, n = RangeChannel(Line(0, 20, 1), [1] * 19, 4), 1_000_000
    cdf = np.full(21, 0.5) + np.linspace(-1e-6, 1e-6, 21)
    cdf[0], cdf[-1] = 0, 1
    cells, chances = channel.cells()
    counts = np.rint(n * chances * (cdf[cells[:, 1]] - cdf[cells[:, 0]]))
    estimate = estimate_line(channel, channel.ranges(cells, counts))
    truth = 20 * np.sqrt(0.25 / n)  # every report tells at which end its sender stands
    assert estimate.se == pytest.approx(19 / 20 * truth, rel=0.05)


def test_more_cuts_tell_more():
    result = []
    for number in (1, 2, 3):
        channel = RangeChannel(Line(0, 12, 1), [1] * 11, number)
        result.append(estimate_line(channel, survey(channel, 3000)[0]))
    assert (
        result[0].effective_sample_size
        < result[1].effective_sample_size
        < result[2].effective_sample_size
    )
    assert result[0].average_coverage > result[1].average_coverage > result[2].average_coverage


def test_ticks_that_no_cut_can_reach_widen_the_bounds():
    line, n = Line(0, 10, 1), 100_000
    holes = [1, 0, 0, 0, 1, 1, 1, 1, 1]
    channel = RangeChannel(line, holes)
    ranges, upto = survey(channel, n)
    estimate = estimate_line(channel, ranges)
    assert estimate.convergence is Convergence.PARTLY_IDENTIFIED
    assert channel.cut_ticks().tolist() == [1, 5, 6, 7, 8, 9]
    piece = upto[5] - upto[1]
    assert estimate.mean_high - estimate.mean_low == pytest.approx(1 + 3 * piece, abs=0.05)
    for tick in (2, 3, 4):
        assert estimate.band_lower[tick] <= upto[1] + 0.01
        assert estimate.band_upper[tick] >= upto[5] - 0.01


def test_the_error_of_the_mean_is_that_of_its_wider_end():
    """One cut at 1 of 4: the mean's lower end falls with F(1) once, its upper end three times."""
    channel = RangeChannel(Line(0, 4, 1), [1, 0, 0])
    estimate = estimate_line(channel, channel.ranges([[0, 1], [1, 4]], [500, 500]))
    assert (estimate.mean_low, estimate.mean_high) == pytest.approx((0.5, 2.5))
    assert estimate.se == pytest.approx(3 * (0.25 / 1000) ** 0.5, rel=1e-5)


def test_ranges_of_another_kind_are_refused():
    line = Line(0, 8, 1)
    withheld = RangeChannel(line, [1] * 7, 2, floor=Floor([1] * 8, 3), withhold=True)
    with pytest.raises(InputError, match="some draw of the cuts"):
        estimate_line(withheld, Ranges([0], [2]))
    with pytest.raises(InputError, match="some draw of the cuts"):
        estimate_line(RangeChannel(line, [1] * 7, 2), Ranges.unions([[(0, 1), (3, 4)]]))


def test_nobody_reported():
    channel = RangeChannel(Line(17, 20, 1), [1, 1])
    estimate = estimate_line(channel, Ranges([], []))
    assert estimate.convergence is Convergence.NO_REPORTS
    assert (estimate.lower, estimate.upper, estimate.reports) == (17, 20, 0)
    assert (estimate.effective_sample_size, estimate.distribution.n, estimate.unresolved) == (
        0,
        0,
        (),
    )
    assert estimate.distribution.mass.tolist() == [1]
    assert estimate.band_lower.tolist() == [0, 0, 0, 1]
    assert estimate.band_upper.tolist() == [0, 1, 1, 1]
    assert "nothing was estimated" in repr(estimate)
    assert "nan" not in repr(estimate)


@pytest.mark.parametrize("n", [1, 10**12])
@pytest.mark.parametrize("number", [1, 2])
def test_one_report_and_a_great_many(n, number):
    channel = RangeChannel(Line(0, 4, 1), [1, 1, 1], number)
    estimate = estimate_line(channel, channel.ranges([[0, 2]], [n]))
    assert np.isfinite(
        [estimate.se, estimate.lower, estimate.upper, estimate.effective_sample_size]
    ).all()
    assert 0 <= estimate.lower < estimate.upper <= 4
    assert np.all(estimate.band_lower <= estimate.band_upper)


@pytest.mark.parametrize(
    ("lower", "upper"),
    [(2.5, np.inf), (-np.inf, 11), (-3, 5), (-np.inf, np.inf), (2, 5), (4, np.inf), (-np.inf, 10)],
)
def test_ranges_that_no_cut_could_give_are_refused(lower, upper):
    channel = RangeChannel(Line(0, 10, 1), [1, 1, 1, 0, 1, 1, 1, 1, 1])
    with pytest.raises(InputError, match=r"Ranges\[1\]"):
        estimate_line(channel, Ranges([-np.inf, lower], [3, upper]))


def test_declared_bounds_read_as_no_limit():
    channel = RangeChannel(Line(0, 4, 1), [1, 1, 1])
    open_ended = estimate_line(channel, Ranges([-np.inf, 2], [2, np.inf], counts=[3, 4]))
    bounded = estimate_line(channel, Ranges([0, 2], [2, 4], counts=[3, 4]))
    assert open_ended.to_dict() == bounded.to_dict()


def test_cells_outside_the_line_are_refused():
    channel = RangeChannel(Line(0, 4, 1), [1, 1, 1])
    for cell in ([-1, 2], [2, 5]):
        with pytest.raises(InputError, match="cells"):
            channel.ranges([cell])


@pytest.mark.long
def test_a_thousand_ticks_are_fitted_and_more_are_refused():
    channel = RangeChannel(Line(0, 1000, 1), [1] * 999, 2)
    ranges, _ = survey(channel, 5000)
    estimate = estimate_line(channel, ranges)
    assert estimate.gap <= 1e-10
    with pytest.raises(InputError, match="larger step"):
        estimate_line(RangeChannel(Line(0, 1001, 1), [1] * 1000), ranges)


@pytest.mark.parametrize("level", [0, 1, float("nan")])
def test_levels_outside_zero_and_one_are_refused(level):
    channel = RangeChannel(Line(0, 4, 1), [1, 1, 1])
    with pytest.raises(InputError, match="level"):
        estimate_line(channel, Ranges([2], [np.inf]), level)


def test_the_unbiased_mean_of_example_two_is_beaten_by_the_likelihood():
    """One uniform cut: the unbiased mean's variance is ((b − a)²/12 + 2 Var(Y) + (μ − c)²)/n."""
    channel, n = RangeChannel(Line(0, 40, "1/4"), [1] * 159), 4000
    ranges, upto = survey(channel, n)
    estimate = estimate_line(channel, ranges)
    mass, middle = np.diff(upto), estimate.ticks[:-1] + 0.125
    mean = mass @ middle
    variance = mass @ (middle - mean) ** 2
    unbiased = 40**2 / 12 + 2 * variance + (mean - 20) ** 2
    assert estimate.se < np.sqrt(unbiased / n)
    fit = npmle(ranges, (0, 40))
    assert fit.mean_bounds() == pytest.approx((estimate.mean_low, estimate.mean_high))
