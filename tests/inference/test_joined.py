"""Shares where some numbers are heard of more often: against a search over all distributions."""

import numpy as np
import pytest
from scipy.optimize import minimize

from askance import Line, RangeChannel, Ranges
from askance.channels import InclusionProbability
from askance.inference import cdf_intervals, quantile_intervals
from askance.inference.intervals.cdf_intervals import closely
from askance.inference.intervals.outermost_share import squared_deviate
from askance.inference.intervals.profile_likelihood import fit_with_crowd
from askance_collect.exact import Floor

COUNTS = {(0, 2): 9, (1, 4): 14, (2, 6): 17, (3, 6): 12, (0, 4): 5, (4, 6): 8}
CHANCE = np.array([0.2, 0.9, 1.0, 0.5, 0.5, 0.8])
STEP = 1e-3


def drawn(result=None):
    return Ranges.from_counts(COUNTS if result is None else result)


def best(point, share):
    """Maximise the adjusted likelihood over the shares of steps, that up to a point held."""
    inside = np.array(
        [[low <= index < high for index in range(6)] for low, high in COUNTS], dtype=float
    )
    counts = np.array(list(COUNTS.values()))

    def loss(f):
        return counts.sum() * np.log(CHANCE @ f) - counts @ np.log(np.maximum(inside @ f, 1e-12))

    below = np.arange(6) < point
    content = [
        {"type": "eq", "fun": lambda f, b=b, s=s: f[b].sum() - s}
        for b, s in ((below, share), (~below, 1 - share))
    ]
    start = np.where(below, share / point, (1 - share) / (6 - point))
    optimum = minimize(
        loss,
        start,
        bounds=[(0, 1)] * 6,
        constraints=content,
        method="SLSQP",
        options={"maxiter": 2000, "ftol": 1e-13},
    )
    return -optimum.fun


@pytest.mark.parametrize("point", [2, 4])
@pytest.mark.long
def test_an_adjusted_interval_ends_where_a_general_optimiser_says(point):
    inclusion = InclusionProbability(range(7), CHANCE)
    intervals = cdf_intervals(drawn(), point, inclusion=inclusion)
    top = max(best(point, item) for item in np.linspace(0.01, 0.99, 199))
    for end, up in ((intervals.lower[0], False), (intervals.upper[0], True)):
        slope = (best(point, end + STEP) - best(point, end - STEP)) / (2 * STEP)
        fall, pull = top - best(point, end), abs(slope) * end * (1 - end)
        far = squared_deviate(fall, pull, end if up else 1 - end)
        assert far == pytest.approx(intervals.critical[int(up), 0], abs=0.02)


@pytest.mark.parametrize(("smooth", "near"), [(True, 1e-3), (False, 3e-3)])
@pytest.mark.long
def test_everybody_heard_of_alike_is_no_selection(smooth, near):
    """For any F critical values may differ by a few per cent: shares beside move least."""
    even = InclusionProbability(range(7), [0.3] * 6)
    item, two = (cdf_intervals(drawn(), [2, 4], smooth=smooth, inclusion=of) for of in (None, even))
    assert two.lower == pytest.approx(item.lower, abs=near)
    assert two.upper == pytest.approx(item.upper, abs=near)
    intervals = quantile_intervals(drawn(), inclusion=even)
    assert intervals.lower.tolist() == quantile_intervals(drawn()).lower.tolist()


def log_likelihood(fit):
    """Give the adjusted log-likelihood of masses at the upper ends of their intervals."""
    totals = [fit.mass[(low < fit.upper) & (fit.upper <= high)].sum() for low, high in COUNTS]
    counts, received = np.array(list(COUNTS.values())), fit.mass @ CHANCE[fit.upper.astype(int) - 1]
    return counts @ np.log(totals) - counts.sum() * np.log(received)


@pytest.mark.parametrize("people", [1e-3, 1.0, 50.0, 1e5])
def test_a_crowd_moves_the_share_its_way_and_loses_likelihood(people):
    inclusion = InclusionProbability(range(7), CHANCE)
    fit = closely(drawn(), 65, inclusion)
    before = log_likelihood(fit)
    for replies, variant in (((-np.inf, 3), 1), ((3, np.inf), -1)):
        moved_fit = fit_with_crowd(drawn(), replies, people, inclusion)
        assert variant * (moved_fit.cdf_bounds(3)[0] - fit.cdf_bounds(3)[0]) >= -1e-6
        assert log_likelihood(moved_fit) <= before + 1e-3


@pytest.mark.long
def test_of_those_nobody_hears_of_nothing_is_said():
    result = {(0, 2): 9, (4, 6): 8, (1, 2): 5, (4, 5): 3}
    inclusion = InclusionProbability([0, 1, 2, 4, 5, 6], [0.3, 1, 0, 0.5, 0.8])
    intervals = cdf_intervals(drawn(result), [2, 4], smooth=True, inclusion=inclusion)
    assert intervals.lower[0] == pytest.approx(intervals.lower[1], abs=1e-3)
    assert intervals.upper[0] == pytest.approx(intervals.upper[1], abs=1e-3)
    assert 0 < intervals.lower[0] < intervals.value[0] < intervals.upper[0] < 1
    beyond = InclusionProbability([0, 2, 6], [0, 1])
    lost = cdf_intervals(Ranges([2, 3], [4, 6], counts=[5, 6]), [2, 3], inclusion=beyond)
    assert (lost.lower[0], lost.value[0], lost.upper[0]) == (0, 0, 0)


def test_the_channel_of_a_form_gives_the_selection():
    channel = RangeChannel(Line(0, 4, 1), [1, 1, 1], 1, floor=Floor([1] * 4, 2), withhold=True)
    ends, chances = channel.cells()
    ranges = channel.ranges(ends, np.round(100 * chances))
    intervals = quantile_intervals(
        ranges, [0.5], inclusion=InclusionProbability.from_channel(channel)
    )
    assert intervals.lower[0] < 2 <= intervals.upper[0]
