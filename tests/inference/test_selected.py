"""Selected reports: the adjusted and the conditional likelihood, against slow climbs and laws.

What both find with endless data is in tests/papers/test_ding_ding_selected.py.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.channels import InclusionProbability, RangeChannel, Ranges, RingChannel
from askance.inference import Convergence, naive_npmle, npmle
from askance_collect.errors import InputError, NotIdentified
from askance_collect.exact import Floor, Line

LINE, RISING = Line(0, 8, 1), np.arange(1, 9) / 36


def endless(channel):
    """The expected frequency of every range, and the selection."""
    ends, chance = channel.cells()
    ranges = channel.ranges(ends, 1e4 * chance * channel.range_probabilities(ends, RISING))
    return ranges, InclusionProbability.from_channel(channel)


@st.composite
def steps_and_ranges(draw):
    """A staircase s, some of it zero, and ranges that do not enter where it is zero."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    k = draw(st.integers(1, 9))
    chance = rng.choice([0.05, 0.2, 0.5, 1.0], k)
    chance[rng.random(k) < draw(st.sampled_from([0.0, 0.3]))] = 0
    chance[rng.integers(k)] = 0.7
    rows = []
    for _ in range(draw(st.integers(1, 25))):
        low, high = np.sort(rng.choice(np.arange(k + 1), 2, replace=False))
        pieces = [
            (index, index + 1)
            for index in range(low, high)
            if chance[index] > 0 and rng.random() < 0.9
        ]
        rows.append(pieces or [(int(np.argmax(chance)), int(np.argmax(chance)) + 1)])
    return chance, Ranges.unions(rows, rng.integers(1, 9, len(rows)))


def inside(ranges, k):
    """Say which of k unit steps each range holds."""
    indices = np.arange(k)
    piece = (ranges.lower[:, None] <= indices) & (indices + 1 <= ranges.upper[:, None])
    return np.logical_or.reduceat(piece, ranges.starts[:-1], axis=0).astype(float)


def adjusted_em(held_by, weights, chance, rounds=1_000):
    """Climb slowly: each step adds who was not heard of (Askance's notes on Ding & Ding)."""
    share = np.where(chance > 0, 1.0, 0.0) * (held_by.sum(axis=0) > 0)
    share /= share.sum()
    for _ in range(rounds):
        received = chance @ share
        pull = (weights / weights.sum() / (held_by @ share)) @ held_by
        share = received * (share * pull) + share * (1 - chance)
        share /= share.sum()
    return share


def mean_log(held_by, weights, chance, share):
    n = weights.sum()
    return float(weights @ np.log(held_by @ share) / n - np.log(chance @ share))


@given(steps_and_ranges())
@settings(deadline=None, max_examples=40)
@pytest.mark.long
def test_the_adjusted_fit_is_above_every_step_of_the_em_by_less_than_nothing(drawn):
    chance, ranges = drawn
    k = len(chance)
    fit = npmle(ranges, inclusion=InclusionProbability(np.arange(k + 1), chance))
    assert fit.gap <= 1e-10
    held_by = inside(ranges, k)
    slow = mean_log(held_by, ranges.weights, chance, adjusted_em(held_by, ranges.weights, chance))
    values = np.zeros(k)
    for low, high, mass in zip(fit.lower, fit.upper, fit.mass, strict=True):
        indices = np.arange(int(low), int(high))
        least = indices[chance[indices] == chance[indices][chance[indices] > 0].min()]
        values[least[0]] += mass
    best = mean_log(held_by, ranges.weights, chance, values)
    assert best >= slow - 1e-10
    assert best - slow < 1e-2


@pytest.mark.long
@given(steps_and_ranges(), st.floats(1e-6, 1))
@settings(deadline=None, max_examples=25)
def test_where_everybody_is_heard_of_equally_nothing_is_adjusted(drawn, chance):
    _, ranges = drawn
    k = int(ranges.upper.max())
    plain = npmle(ranges)
    fit = npmle(
        ranges, inclusion=InclusionProbability([-np.inf, *range(1, k), np.inf], np.full(k, chance))
    )
    mean = [element.mass @ np.log(element.mass) for element in (plain, fit)]
    assert np.isfinite(mean).all()
    for item in (plain, fit):
        chances = [cut_mass(item, ranges[index]) for index in range(len(ranges))]
        one_log = ranges.weights @ np.log(chances) / ranges.total
        assert one_log == pytest.approx(naive_log(plain, ranges), abs=1e-9)


def cut_mass(fit, item):
    """The mass of the places that one range holds whole."""
    values = np.zeros(len(fit.mass), dtype=bool)
    for low, high in zip(item.lower, item.upper, strict=True):
        values |= (low <= fit.lower) & (fit.upper <= high)
    return fit.mass[values].sum()


def naive_log(fit, ranges):
    chances = [cut_mass(fit, ranges[index]) for index in range(len(ranges))]
    return ranges.weights @ np.log(chances) / ranges.total


def test_many_cuts_between_steps_are_fitted_on_a_support_that_grows():
    rng = np.random.default_rng(4)
    n, tau = 2_000, 0.3
    number, cuts = rng.random(n), np.sort(rng.random((n, 2)), axis=1)
    ends = np.concatenate([np.zeros((n, 1)), cuts, np.ones((n, 1))], axis=1)
    total = (number[:, None] > cuts).sum(axis=1)
    low, high = ends[np.arange(n), total], ends[np.arange(n), total + 1]
    is_sent = high - low >= tau
    grid = (np.arange(50) + 0.5) / 50
    others = np.concatenate([ends[:, None, :-1], ends[:, None, 1:]], axis=1)
    holds = (others[:, 0, None] < grid[:, None]) & (grid[:, None] <= others[:, 1, None])
    wide = (others[:, 1] - others[:, 0] >= tau)[:, None]
    chance = (holds & wide).any(axis=2).mean(axis=0)
    ranges = Ranges(low[is_sent], high[is_sent])
    fit = npmle(ranges, inclusion=InclusionProbability(np.arange(51) / 50, chance))
    assert fit.convergence is Convergence.CONVERGED
    total = np.linspace(0.1, 0.9, 9)
    assert np.abs(fit.cdf(total) - total).max() < 0.12
    naive = naive_npmle(ranges, (0, 1))
    assert np.abs(naive.cdf(total) - total).max() > 0.2
    assert naive.method.startswith("naive: ")


def test_a_number_that_is_least_often_heard_of_weighs_most():
    ranges = Ranges([0, 3], [3, 4], counts=[1, 1])
    fit = npmle(ranges, inclusion=InclusionProbability([0, 1, 2, 3, 4], [0.5, 0.25, 0.5, 0.5]))
    assert fit.lower.tolist(), fit.upper.tolist() == ([1, 3], [2, 4])
    assert fit.mass == pytest.approx([2 / 3, 1 / 3])  # 1/2 : 1/2 heard of, twice as seldom


def test_what_is_never_heard_of_is_said():
    inclusion = InclusionProbability([0, 2, 4, 6], [0.5, 0, 0.25])
    fit = npmle(Ranges([0, 4], [2, 6], counts=[2, 1]), inclusion=inclusion)
    assert fit.zero_pieces == ((2.0, 4.0),)
    assert fit.mass == pytest.approx([0.5, 0.5])
    assert "shares of the rest: nobody is observed from (2, 4]" in repr(fit)
    assert fit.to_dict()["unseen"] == [[2.0, 4.0]]
    with pytest.raises(InputError, match=r"Ranges\[1\].*never sent"):
        npmle(Ranges([0, 3], [2, 6]), inclusion=inclusion)


def test_tails_that_are_always_told_together_are_said():
    ranges, inclusion = endless(RingChannel(LINE, [1] * 7, Floor([1] * 8, 3)))
    fit = npmle(ranges, (0, 8), inclusion=inclusion)
    assert fit.non_identified == ((0.0, 1.0), (7.0, 8.0))
    assert "only sums are identified of the shares in (0, 1], (7, 8]" in repr(fit)
    low, high = fit.cdf_bounds([1, 4])
    tails = RISING[0] + RISING[7]
    assert low == pytest.approx([0, RISING[1:4].sum()], abs=1e-8)
    assert high == pytest.approx([tails, tails + RISING[1:4].sum()], abs=1e-8)
    middle = [fit.mass[fit.upper == end].sum() for end in range(2, 8)]
    assert middle == pytest.approx(RISING[1:7], abs=1e-8)


def test_a_channel_that_withholds_narrow_cells_is_learnt_from():
    floor = Floor([1] * 8, 3)
    ranges, inclusion = endless(RangeChannel(LINE, [1] * 7, 2, floor=floor, withhold=True))
    fit = npmle(ranges, (0, 8), 1e-12, inclusion=inclusion)
    assert fit.upper.tolist() == list(range(1, 9))
    assert fit.mass == pytest.approx(RISING, abs=1e-8)
    assert np.abs(naive_npmle(ranges, (0, 8)).cdf(range(9)) - np.cumsum([0, *RISING])).max() > 0.1


def test_a_flat_adjusted_likelihood_is_refused():
    floor = Floor([1] * 8, 5)
    ranges, inclusion = endless(RangeChannel(LINE, [1] * 7, 1, floor=floor, withhold=True))
    assert len(inclusion.non_identified) == 7
    with pytest.raises(NotIdentified, match="identify no share"):
        npmle(ranges, inclusion=inclusion)


def test_parts_of_the_line_that_no_report_compares_are_refused():
    eligible = Ranges([0, 0, 4, 4], [2, 2, 6, 6])
    with pytest.raises(NotIdentified, match=r"2 parts.*\(0.0?, 2.0?\]|2 parts"):
        npmle(Ranges([0, 1, 4, 5], [1, 2, 5, 6]), eligible=eligible)


def test_what_was_never_compared_is_left_out_of_the_conditional_fit_and_said():
    fit = npmle(Ranges([0, 1, 4], [1, 2, 9]), eligible=Ranges([0, 0, 4], [2, 2, 9]))
    assert fit.mass == pytest.approx([0.5, 0.5])
    assert fit.zero_pieces == ((2.0, 9.0),)


@given(steps_and_ranges(), st.integers(0, 2**32))
@settings(deadline=None, max_examples=12)
@pytest.mark.long
def test_no_small_move_raises_the_conditional_likelihood_by_more_than_the_gap(drawn, seed):
    _, ranges = drawn
    k, rng = int(ranges.upper.max()), np.random.default_rng(seed)
    held_by = inside(ranges, k)
    may = np.maximum(held_by, rng.random(held_by.shape) < 0.3)
    eligible = Ranges.unions([[(index, index + 1) for index in np.flatnonzero(row)] for row in may])
    try:
        fit = npmle(ranges, eligible=eligible)
    except NotIdentified:
        return
    share = np.zeros(k)
    for upper, mass in zip(fit.upper, fit.mass, strict=True):
        share[int(upper) - 1] += mass
    is_shown = may.sum(axis=1) > held_by.sum(axis=1)
    ratios = [ranges.weights[is_shown, None] * item[is_shown] for item in (held_by, may)]
    observed, possible = (
        (ratio / (one_of[is_shown] @ share)[:, None]).sum(axis=0)
        for ratio, one_of in zip(ratios, (held_by, may), strict=True)
    )
    covered = possible > 0
    assert np.max(observed[covered] / possible[covered]) - 1 <= fit.gap + 1e-9
    assert fit.convergence is (Convergence.STATIONARY if fit.gap <= 1e-10 else Convergence.STOPPED)


@pytest.mark.parametrize(
    ("ends", "chance"),
    [
        ([0, 1], [0.5, 0.5]),
        ([0, 1, 1], [0.5, 0.5]),
        ([1, 0], [0.5]),
        ([0], []),
        ([0, np.nan], [0.5]),
        ([0, 1], [0]),
        ([0, 1], [1.5]),
        ([0, 1], [-0.5]),
        ([0, 1], [np.nan]),
    ],
)
def test_a_staircase_that_cannot_be_is_refused(ends, chance):
    with pytest.raises(InputError, match="InclusionProbability"):
        InclusionProbability(ends, chance)


def test_ranges_that_cannot_be_selected_are_refused():
    inclusion = InclusionProbability([0, 1, 2], [0.5, 1])
    with pytest.raises(InputError, match="chances up to 1"):
        InclusionProbability.from_ranges(Ranges([0, 0], [2, 1], counts=[0.7, 0.4]))
    with pytest.raises(InputError, match="no range"):
        InclusionProbability.from_ranges(Ranges([0], [1], counts=[0]))
    with pytest.raises(InputError, match=r"Ranges\[0\]"):
        npmle(Ranges([-1], [1]), inclusion=inclusion)
    with pytest.raises(InputError, match="one of the two"):
        npmle(Ranges([0], [1]), inclusion=inclusion, eligible=Ranges([0], [2]))
    with pytest.raises(InputError, match="no range"):
        npmle(Ranges([], []), inclusion=inclusion)
    with pytest.raises(InputError, match="one for each"):
        npmle(Ranges([0], [1]), eligible=Ranges([0, 0], [1, 2]))
    with pytest.raises(InputError, match="outside its eligible set"):
        npmle(Ranges([0], [3]), eligible=Ranges([0], [2]))


def test_one_report_and_open_ends_are_fitted():
    fit = npmle(
        Ranges([-np.inf], [5]), inclusion=InclusionProbability([-np.inf, 5, np.inf], [0.5, 0.1])
    )
    assert (fit.lower[0], fit.upper[0], fit.mass[0]) == (-np.inf, 5.0, 1.0)
    exact = npmle(Ranges([2], [2], closed="both"), inclusion=InclusionProbability([0, 5], [1.0]))
    assert exact.quantile(0.5)[1] == 2.0
