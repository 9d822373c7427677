"""Nulls in the likelihood: against EM, a general optimiser, endless data and counted people."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from askance import Line, RangeChannel, Ranges, npmle, privatise
from askance.channels import InclusionProbability, RingChannel
from askance.inference import Convergence, naive_npmle
from askance.mechanisms import Selective
from askance.privacy import silence
from askance_collect.errors import InputError, NotIdentified
from askance_collect.exact import Floor

LINE, RISING = Line(0, 8, 1), np.arange(1, 9) / 36


@st.composite
def surveys(draw):
    """A staircase s, some of it zero, ranges that do not enter there, and nulls."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    k = draw(st.integers(2, 8))
    chance = rng.choice([0.05, 0.2, 0.5, 0.9], k)
    chance[rng.random(k) < draw(st.sampled_from([0.0, 0.3]))] = 0
    chance[rng.integers(k)] = 0.7
    rows = []
    for _ in range(draw(st.integers(1, 20))):
        low, high = np.sort(rng.choice(np.arange(k + 1), 2, replace=False))
        pieces = [
            (index, index + 1)
            for index in range(low, high)
            if chance[index] > 0 and rng.random() < 0.9
        ]
        rows.append(pieces or [(int(np.argmax(chance)), int(np.argmax(chance)) + 1)])
    nulls = draw(st.sampled_from([0, 0.5, 3, 40, 400]))
    return chance, Ranges.unions(rows, rng.integers(1, 9, len(rows))), nulls


def inside(ranges, k):
    """Say which of k unit steps each range holds."""
    indices = np.arange(k)
    piece = (ranges.lower[:, None] <= indices) & (indices + 1 <= ranges.upper[:, None])
    return np.logical_or.reduceat(piece, ranges.starts[:-1], axis=0).astype(float)


def mean_log(held_by, weights, chance, nulls, share):
    number = float(weights @ np.log(held_by @ share))
    silent = nulls * np.log((1 - chance) @ share) if nulls else 0.0
    return (number + silent) / (weights.sum() + nulls)


def em(held_by, weights, chance, nulls, rounds=2_000):
    """Climb slowly: each report, and each null, is shared out over where it can come from."""
    share = np.full(len(chance), 1 / len(chance))
    for _ in range(rounds):
        pull = (weights / (held_by @ share)) @ held_by
        if nulls:
            pull += nulls * (1 - chance) / ((1 - chance) @ share)
        share = share * pull / (weights.sum() + nulls)
    return share


@given(surveys())
@settings(deadline=None, max_examples=25)
@pytest.mark.long
def test_the_fit_is_above_every_step_of_the_em_by_less_than_its_gap(drawn):
    chance, ranges, nulls = drawn
    k = len(chance)
    fit = npmle(
        ranges, (0, k), inclusion=InclusionProbability(np.arange(k + 1), chance), nulls=nulls
    )
    assert fit.gap <= 1e-10
    assert fit.convergence is Convergence.CONVERGED
    held_by = inside(ranges, k)
    slow = mean_log(
        held_by, ranges.weights, chance, nulls, em(held_by, ranges.weights, chance, nulls)
    )
    steps = np.array(
        [(fit.lower <= index) & (index + 1 <= fit.upper) for index in range(k)]
    ).astype(float)
    result = (inside(ranges, k)[:, :, None] * steps[None]).any(axis=1) @ fit.mass
    least = np.array(
        [chance[int(low) : int(high)].min() for low, high in zip(fit.lower, fit.upper, strict=True)]
    )
    silent = nulls * np.log((1 - least) @ fit.mass) if nulls else 0.0
    ours = (ranges.weights @ np.log(result) + silent) / (ranges.total + nulls)
    assert slow - 1e-9 <= ours <= slow + 1e-3
    rows = np.vstack([held_by, 1 - chance]) if nulls else held_by
    weights = np.append(ranges.weights, nulls)[: len(rows)]
    bound = (weights / np.append(result, (1 - least) @ fit.mass)[: len(rows)]) @ rows
    assert bound.max() <= (ranges.total + nulls) * (1 + 1e-9)


@given(surveys())
@settings(deadline=None, max_examples=8)
@pytest.mark.long
def test_a_general_optimiser_finds_nothing_better(drawn):
    chance, ranges, nulls = drawn
    k = len(chance)
    held_by = inside(ranges, k)

    def loss(z):
        share = np.exp(z - z.max())
        return -mean_log(held_by, ranges.weights, chance, nulls, share / share.sum())

    result = -minimize(loss, np.zeros(k), method="BFGS").fun
    best = mean_log(
        held_by, ranges.weights, chance, nulls, em(held_by, ranges.weights, chance, nulls, 5_000)
    )
    assert result <= best + 1e-6


def endless(channel, rho):
    """The expected frequency of every range and of a null, and the selection."""
    ends, chance = channel.cells()
    content = chance * channel.range_probabilities(ends, RISING) * rho
    ranges = channel.ranges(ends, 1e4 * content)
    return ranges, 1e4 * (1 - content.sum()), InclusionProbability.from_channel(channel, 1 - rho)


def withholding(weights, number, sizes, least):
    return RangeChannel(LINE, weights, number, floor=Floor(sizes, least), withhold=True)


DESIGNS = {
    "two cuts": withholding([1] * 7, 2, [1] * 8, 3),
    "three cuts": withholding([2, 1, 3, 1, 2, 1, 1], 3, [1] * 8, 2),
    "uneven sizes": withholding([1] * 7, 2, [3, 1, 1, 2, 1, 1, 4, 1], 4),
}


@pytest.mark.parametrize("rho", [1, 0.5, 0.1])
@pytest.mark.parametrize("design", DESIGNS)
def test_endless_data_give_the_truth(design, rho):
    ranges, nulls, inclusion = endless(DESIGNS[design], rho)
    fit = npmle(ranges, inclusion=inclusion, nulls=nulls)
    assert fit.gap <= 1e-10
    low, high = fit.cdf_bounds(np.arange(1, 8))
    true = np.cumsum(RISING)[:-1]
    assert (np.maximum(low - true, true - high) < 1e-5).all()
    assert fit.zero_pieces == ()


def test_one_cut_and_a_floor_above_half_are_learnt_where_cuts_are_sent():
    """Without nulls nothing is: the two sides never meet."""
    channel = RangeChannel(LINE, [1] * 7, 1, floor=Floor([1] * 8, 5), withhold=True)
    ranges, nulls, inclusion = endless(channel, 0.5)
    with pytest.raises(NotIdentified):
        npmle(ranges, inclusion=inclusion)
    fit = npmle(ranges, inclusion=inclusion, nulls=nulls)
    assert fit.non_identified == ()
    true = np.cumsum(RISING)
    for tick in (1, 2, 3, 5, 6, 7):
        low, high = fit.cdf_bounds(tick)
        assert low == pytest.approx(true[tick - 1], abs=1e-6) == high


def test_numbers_that_are_never_heard_of_get_the_share_that_nulls_leave():
    inclusion = InclusionProbability([0, 2, 4, 6], [0.5, 0, 0.25])
    truth = {(0, 2): 0.5, (2, 4): 0.3, (4, 6): 0.2}
    ranges = Ranges([0, 4], [2, 6], counts=[1000 * 0.5 * 0.5, 1000 * 0.25 * 0.2])
    fit = npmle(ranges, (0, 6), inclusion=inclusion, nulls=1000 - ranges.total)
    mapping = dict(zip(zip(fit.lower, fit.upper, strict=True), fit.mass, strict=True))
    assert mapping == pytest.approx(truth)
    without = npmle(ranges, (0, 6), inclusion=inclusion)
    assert without.mass == pytest.approx([5 / 7, 2 / 7])
    assert without.zero_pieces == ((2.0, 4.0),)


def test_several_places_without_reports_share_and_say_so():
    inclusion = InclusionProbability([0, 1, 2, 3], [0, 0.5, 0])
    fit = npmle(Ranges([1], [2], counts=[10]), (0, 3), inclusion=inclusion, nulls=40)
    assert fit.mass == pytest.approx([0.3, 0.4, 0.3])
    assert fit.non_identified == ((0.0, 1.0), (2.0, 3.0))
    low, high = fit.cdf_bounds([1, 2])
    assert low == pytest.approx([0, 0.4])
    assert high == pytest.approx([0.6, 1])
    inner = InclusionProbability([1, 2], [0.5])
    for item, support in ((inner, (0, 3)), (inner.restrict(0, 3), None), (inclusion, None)):
        again = npmle(Ranges([1], [2], counts=[10]), support, inclusion=item, nulls=40)
        assert again.mass == pytest.approx(fit.mass)
        assert again.non_identified == fit.non_identified
    alone = npmle(Ranges([1], [2], counts=[10]), inclusion=inner, nulls=40)
    assert alone.mass.tolist() == [1]


def test_no_null_at_all_is_the_naive_likelihood():
    ranges, _, inclusion = endless(DESIGNS["two cuts"], 1)
    fit, naive = npmle(ranges, inclusion=inclusion, nulls=0), naive_npmle(ranges)
    assert fit.cdf(np.arange(9)) == pytest.approx(naive.cdf(np.arange(9)), abs=1e-6)


def test_a_blank_of_unknown_chance_leaves_the_adjusted_likelihood():
    """The most likely ρ makes nulls tell nothing more: n/(n + n₀) = ρ Σ s f."""
    rng = np.random.default_rng(5)
    ranges, _, inclusion = endless(DESIGNS["three cuts"], 1)
    multinomial_result = rng.multinomial(400, ranges.weights / ranges.total)
    some = Ranges(ranges.lower, ranges.upper, multinomial_result, pieces=np.diff(ranges.starts))
    adjusted = npmle(some, inclusion=inclusion)
    places = zip(adjusted.lower.clip(0), adjusted.upper.clip(max=8), strict=True)
    least = [inclusion.chance[int(low) : int(high)].min() for low, high in places]
    received = least @ adjusted.mass
    nulls = 500.0
    rho = 400 / 900 / received
    likely = InclusionProbability(inclusion.ends, rho * inclusion.chance)
    fit = npmle(some, inclusion=likely, nulls=nulls)
    assert fit.cdf(np.arange(9)) == pytest.approx(adjusted.cdf(np.arange(9)), abs=1e-3)


@pytest.mark.long
def test_nulls_make_estimates_sharper():
    recipe = Selective(floor="3/8", send_chance="9/10", number=1)
    channel = recipe.channel(LINE)
    inclusion = InclusionProbability.from_channel(channel, "1/10")
    silence_result, truth, missed = (
        silence(channel, "1/10"),
        np.cumsum(RISING),
        {"adjusted": [], "nulls": []},
    )
    assert 1 - inclusion.chance == pytest.approx([float(item) for item in silence_result.chances])
    rng = np.random.default_rng(12)
    for _ in range(60):
        y = rng.choice(8, 400, p=RISING) + 0.5
        reports = privatise(channel, y, rng=rng)
        reports = reports[np.flatnonzero(rng.random(len(reports)) < 0.9)]
        fits = {
            "adjusted": npmle(reports, (0, 8), inclusion=inclusion),
            "nulls": npmle(reports, (0, 8), inclusion=inclusion, nulls=400 - len(reports)),
        }
        for name, fit in fits.items():
            missed[name].append(np.abs(fit.cdf([2, 3, 5, 6]) - truth[[1, 2, 4, 5]]).mean())
    squares = {name: np.mean(np.square(value)) for name, value in missed.items()}
    assert squares["nulls"] < 0.9 * squares["adjusted"]


def test_rings_never_are_silent():
    ring = RingChannel(LINE, [1] * 7, Floor([1] * 8, 2))
    ends, chances = ring.cells()
    ranges_result = ring.ranges(ends, chances * ring.range_probabilities(ends, RISING))
    with pytest.raises(InputError, match="always observed"):
        npmle(ranges_result, inclusion=InclusionProbability.from_channel(ring), nulls=3)
    blanks = InclusionProbability.from_channel(ring, "1/4")
    result = [
        1,
        4,
        7,
    ]  # the tails beyond are always reported together: how mass lies in them is open
    fits = (
        npmle(ranges_result, inclusion=blanks, nulls=1 / 3),
        npmle(ranges_result, inclusion=blanks),
    )
    assert [item.non_identified for item in fits] == [((-np.inf, 1), (7, np.inf))] * 2
    with_nulls, without = (np.diff(item.cdf(result)) for item in fits)
    assert with_nulls == pytest.approx(without, abs=1e-6)
    assert without == pytest.approx([RISING[1:4].sum(), RISING[4:7].sum()], abs=1e-6)
    assert fits[0].cdf(result) == pytest.approx(
        fits[1].cdf(result), abs=1e-6
    )  # divided by one rule
    for fit in fits:
        low, high = fit.cdf_bounds(1)
        assert (low, high) == (0, pytest.approx(RISING[0] + RISING[7], abs=1e-6))


@pytest.mark.parametrize("unit", [1e-150, 1e-9, 1e9, 1e150])
def test_the_unit_of_weights_is_that_of_nulls(unit):
    ranges, nulls, inclusion = endless(DESIGNS["two cuts"], 0.5)
    scaled = Ranges(ranges.lower, ranges.upper, ranges.weights * unit)
    npmle_result = npmle(ranges, inclusion=inclusion, nulls=nulls)
    other = npmle(scaled, inclusion=inclusion, nulls=nulls * unit)
    assert other.cdf(np.arange(9)) == pytest.approx(npmle_result.cdf(np.arange(9)), abs=1e-7)


def test_what_has_no_selection_or_no_sense_is_refused():
    ranges = Ranges([0, 4], [2, 6])
    inclusion = InclusionProbability([0, 2, 4, 6], [0.5, 0, 0.25])
    with pytest.raises(InputError, match="inclusion beside it"):
        npmle(ranges, nulls=3)
    with pytest.raises(InputError, match="inclusion beside it"):
        npmle(ranges, inclusion=inclusion, eligible=ranges, nulls=3)
    for wrong in (-1, np.nan, np.inf):
        with pytest.raises(InputError, match=r"^(npmle\.)?nulls: got"):
            npmle(ranges, inclusion=inclusion, nulls=wrong)
    with pytest.raises(InputError, match="belong to this inclusion"):
        npmle(Ranges([1], [3]), inclusion=inclusion, nulls=1)
    with pytest.raises(InputError, match="below 1"):
        InclusionProbability.from_channel(DESIGNS["two cuts"], 1)
    from_ranges_result = InclusionProbability.from_ranges(
        Ranges.unions([[(0, 1), (3, 4)], [(1, 2), (4, 5)]], [0.2, 0.3])
    )
    with pytest.raises(NotIdentified, match="nulls counted"):
        npmle(Ranges.unions([[(0, 1), (3, 4)]]), (0, 6), inclusion=from_ranges_result, nulls=2)
