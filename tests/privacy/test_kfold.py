"""The law of many reports against 50 digits, exact rationals, published figures and itself."""

import json
import math
from fractions import Fraction
from itertools import product
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from askance import Channel, Frame
from askance.privacy import Ledger, Notion, PrivacyLossDistribution, error_floor, neyman_pearson
from askance.privacy.loss_distribution import AnswerPair, grid_window
from askance_collect.errors import InputError

YES_NO = Frame(["yes", "no"])
ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "composition.json").read_text())
ALPHA = np.linspace(0, 1, 201)


def law(*spent):
    """Give the law of independent reports: how many come by each two rows of chances."""
    ledger = Ledger()
    for rows, times in spent:
        reports = {str(index): ["yes"] for index in range(len(rows[0]))}
        ledger = ledger.spend(Channel(YES_NO, reports, rows), times)
    return ledger.loss_distribution(notion=Notion.LOCAL)


def rows_of(*rows, total=100):
    return tuple(tuple(Fraction(mass, total) for mass in row) for row in rows)


A = rows_of((55, 20, 25), (22, 58, 20))
B = rows_of((42, 37, 21), (38, 43, 19))
NEAR = rows_of((42, 37, 21), (38, 42, 20))
FOUR = rows_of((40, 30, 20, 10), (23, 37, 29, 11))


def losses_of(rows):
    return np.array([math.log(q / p) for p, q in zip(*rows, strict=True)])


def of_every_composition(rows, k):
    """Go through how often each of three reports can come, by factorials in long doubles."""
    item, two = np.nonzero(np.add.outer(np.arange(k + 1), np.arange(k + 1)) <= k)
    counts = np.stack([item, two, k - item - two])
    upto = np.log(np.arange(1, k + 1, dtype=np.longdouble)).cumsum()
    factorial = np.append(np.longdouble(0), upto)
    ways = factorial[k] - factorial[counts].sum(axis=0)
    first, second = (
        np.exp((ways + np.log(np.array(row, dtype=np.longdouble)) @ counts).astype(float))
        for row in rows
    )
    return PrivacyLossDistribution(losses_of(rows) @ counts, first, second)


def symmetric(p, q):
    p, q = (
        (Fraction(math.e / (1 + math.e)), Fraction(1 / (1 + math.e)))
        if "e" in p
        else (Fraction(p), Fraction(q))
    )
    return (p, q, 1 - p - q), (q, p, 1 - p - q)


@pytest.mark.parametrize("case", ORACLE["kfold"]["cases"], ids=lambda c: f"{c['p']}-{c['k']}")
def test_the_law_is_the_one_of_50_digits(case):
    result = law((symmetric(case["p"], case["q"]), case["k"]))
    curve = result.tradeoff()
    alpha = np.array(case["alpha"])
    assert curve.beta(alpha) == pytest.approx(case["T"], rel=1e-10, abs=1e-40)
    assert 1 - curve.beta(1 - alpha) == pytest.approx(case["U"], rel=1e-10, abs=1e-40)
    for epsilon, delta in case["delta"].items():
        assert result.delta(float(epsilon)) == pytest.approx(delta, rel=1e-10, abs=1e-40)


@pytest.mark.parametrize("case", ORACLE["kfold"]["cases"], ids=lambda c: f"{c['p']}-{c['k']}")
def test_warner_attains_the_generic_bound(case):
    ratio = Fraction(math.exp(case["eps"]))
    row = ratio / (1 + ratio), 1 / (1 + ratio)
    curve = law(((row, row[::-1]), case["k"])).tradeoff()
    assert curve.beta(case["alpha"]) == pytest.approx(case["f_eps_k"], rel=1e-10, abs=1e-40)
    floor = error_floor(case["eps"], times=case["k"])
    assert curve.beta(ALPHA) == pytest.approx(floor.beta(ALPHA), abs=1e-12)


@pytest.mark.long
@pytest.mark.parametrize(
    ("pair", "k", "epsilon"),
    [
        (A, 10, 10.6469),
        (A, 100, 74.2809),
        (A, 1000, 495.6384),
        (B, 10, 1.49818),
        (B, 100, 6.25457),
        (B, 1000, 25.64432),
    ],
)
def test_epsilon_is_what_enumeration_found_elsewhere(pair, k, epsilon):
    epsilon_results = [law((item, k)).epsilon(1e-6) for item in (pair, pair[::-1])]
    assert max(epsilon_results) == pytest.approx(epsilon, abs=6e-5)


masses = st.lists(st.one_of(st.just(0), st.integers(1, 9)), min_size=2, max_size=4)


@st.composite
def pairs(draw):
    first = draw(masses.filter(any))
    size = {"min_size": len(first), "max_size": len(first)}
    second = draw(st.lists(st.integers(0, 9), **size).filter(any))
    return [Fraction(m, sum(first)) for m in first], [Fraction(m, sum(second)) for m in second]


@pytest.mark.long
@settings(deadline=None, max_examples=60)
@given(pairs(), pairs(), st.integers(1, 3), st.integers(0, 2))
def test_the_law_is_that_of_every_sequence_of_reports(one, two, k, extra):
    spent = [one] * k + [two] * extra
    laws = [
        [math.prod(cells) for cells in product(*(rows[side] for rows in spent))] for side in (0, 1)
    ]
    exact = neyman_pearson(*laws)
    result = law((one, k), *[(two, extra)] * bool(extra))
    assert result.exact
    proofs = [sum(p for p, q in zip(*pair, strict=True) if not q) for pair in (laws, laws[::-1])]
    alone = result.only_first, result.only_second
    assert alone == pytest.approx(list(map(float, proofs)), abs=1e-15)
    assert result.max_loss == (result.losses[0] if len(result.losses) else -math.inf)
    assert result.tradeoff().beta(ALPHA) == pytest.approx(exact.beta(ALPHA), abs=1e-12)
    for epsilon in (-0.7, 0, 1.3):
        ratio = Fraction(math.exp(epsilon))
        delta = sum(max(q - ratio * p, 0) for p, q in zip(*laws, strict=True))
        assert result.delta(epsilon) == pytest.approx(float(delta), abs=1e-12)


@settings(deadline=None, max_examples=40)
@given(pairs(), pairs(), st.integers(1, 12), st.integers(1, 6))
@pytest.mark.long
def test_order_does_not_matter_and_more_reports_tell_more(one, two, k, extra):
    alone = law((one, k)).tradeoff().beta(ALPHA)
    local, remote = (
        law(*spent).tradeoff().beta(ALPHA)
        for spent in ([(one, k), (two, extra)], [(two, extra), (one, k)])
    )
    assert local == pytest.approx(remote, abs=1e-12)
    assert (local <= alone + 1e-12).all()


@settings(deadline=None, max_examples=30)
@given(pairs(), st.integers(1, 40), st.floats(0, 1))
def test_epsilon_inverts_delta(rows, k, delta):
    result = law((rows, k))
    epsilon = result.epsilon(delta)
    if math.isinf(epsilon):
        assert result.only_second > delta
    else:
        assert result.delta(epsilon) <= delta + 1e-12
        assert (
            not epsilon
            or result.delta(epsilon) == pytest.approx(delta, abs=1e-11)
            or (delta < result.delta(epsilon - 1e-9))
        )


def test_messages_of_one_ratio_are_one_atom():
    split, entire = (
        law((rows_of(*rows), 1))
        for rows in (
            ((30, 30, 20, 15, 5), (10, 10, 60, 15, 5)),
            ((60, 20, 20), (20, 60, 20)),
        )
    )
    assert split.losses.tolist() == entire.losses.tolist()
    assert split.first.tolist() == entire.first.tolist()
    assert split.second.tolist() == entire.second.tolist() == pytest.approx([0.6, 0.2, 0.2])
    proving = law((rows_of((30, 20, 50, 0, 0), (0, 0, 25, 45, 30)), 1))
    assert proving.first.tolist() == pytest.approx([0.5])
    assert (proving.only_first, proving.only_second) == pytest.approx((0.5, 0.75))


@pytest.mark.parametrize(
    "step", [Fraction(1, 10**15), Fraction(1, 3), Fraction(1), Fraction(10**9)]
)
def test_a_loss_keeps_all_its_digits_however_small(step):
    """Against 40 digits: two chances that differ by one in 10¹⁵ have a loss right to rounding.

    Losses so near are listed as one; the greatest is told by itself.
    """
    first, second = 1 / (2 + step), (1 + step) / (2 + step)
    with mpmath.workdps(40):
        truth = float(mpmath.log(1 + mpmath.mpf(step.numerator) / step.denominator))
    result = law((((first, second), (second, first)), 1))
    assert result.max_loss == pytest.approx(truth, rel=4e-16)


def test_without_slack_the_loss_is_the_sum_of_losses():
    for k in (1, 50, 2000):
        assert law((A, k)).epsilon(0) == pytest.approx(k * losses_of(A).max(), rel=1e-14)


def test_a_report_that_proves_is_counted_exactly():
    result = law((rows_of((9, 1, 0), (0, 1, 9), total=10), 3))
    assert result.only_second == pytest.approx(1 - 0.1**3, rel=1e-14)
    assert result.epsilon(0.9) == math.inf
    assert result.tradeoff().beta(0) == pytest.approx(0.001, rel=1e-12)
    certain = law((rows_of((1, 0), (0, 1), total=1), 2), (A, 5))
    assert (certain.delta(9), certain.epsilon(0.5), certain.epsilon(1)) == (1, math.inf, 0)
    assert certain.tradeoff().beta(0) == 0


@pytest.mark.parametrize(
    ("rows", "points"),
    [(symmetric("0.6", "0.1"), 121), (A, 1891), (NEAR, 1891)],
    ids=["on a lattice", "apart", "overlapping"],
)
def test_sixty_reports_have_the_law_of_every_composition(rows, points):
    result, every = law((rows, 60)), of_every_composition(rows, 60)
    assert len(result.losses) == len(every.losses) == points
    assert result.losses == pytest.approx(every.losses, abs=1e-11)
    assert result.first == pytest.approx(every.first, rel=1e-9, abs=1e-140)
    assert result.second == pytest.approx(every.second, rel=1e-9, abs=1e-140)


@pytest.mark.parametrize("rows", [A, NEAR, NEAR[::-1]], ids=["apart", "overlapping", "turned"])
@pytest.mark.long
def test_what_is_left_out_of_many_compositions_is_negligible(rows):
    """The two answers make other compositions likely, or in part the same ones."""
    part, of_every_composition_result = law((rows, 2000)), of_every_composition(rows, 2000)
    assert 0 < part.missing < 1e-30
    assert part.exact
    assert len(part.losses) < len(of_every_composition_result.losses) / 2
    assert len(np.unique(part.losses)) == len(part.losses)
    for delta in (1e-3, 1e-9, 1e-20):
        assert part.epsilon(delta) == pytest.approx(
            of_every_composition_result.epsilon(delta), rel=1e-12
        )


@pytest.mark.long
def test_ten_thousand_reports():
    for rows in (A, symmetric("0.6", "0.1")):
        result = law((rows, 10_000))
        assert result.exact
        assert result.first.sum() == pytest.approx(1, abs=1e-11)
        assert result.second.sum() == pytest.approx(1, abs=1e-11)
        assert result.epsilon(1e-6) < 10_000 * losses_of(rows).max()
    with pytest.raises(InputError, match="10001 reports"):
        law((A, 10_000), (B, 1))


@settings(deadline=None, max_examples=2)
@given(pairs(), pairs())
@pytest.mark.long
def test_the_grid_encloses_the_truth(one, two):
    """Where the sums of two exact laws are too many to list, this test lists them all the same."""
    assume(all(any(p and q for p, q in zip(*rows, strict=True)) for rows in (one, two)))
    local, remote, k = law((one, 8)), law((two, 8)), 8
    assume(min(len(local.losses), len(remote.losses)) > 8)
    while len(local.losses) * len(remote.losses) <= 1 << 20:
        k += 1 + k // 4
        local, remote = law((one, k)), law((two, k))
    grid, exact = law((one, k), (two, k)), both_of(local, remote)
    assume(not grid.exact)  # they were the same rows, whose reports are counted together
    low, high, true = (
        curve.beta(ALPHA) for curve in (grid.tradeoff(), grid.tradeoff_upper(), exact.tradeoff())
    )
    assert (low <= true + 1e-13).all()
    assert (true <= high + 1e-13).all()
    steepest = math.exp(min(grid.max_loss, 700))  # what is missing moves the curve sideways
    assert (high - low).max() < math.expm1(grid.shift) + (4 + 2 * steepest) * grid.missing
    for epsilon in (0, 1, 3):
        assert grid.delta_lower(epsilon) <= exact.delta(epsilon) + 1e-13
        assert exact.delta(epsilon) <= grid.delta(epsilon) + 1e-13
    for delta in (1e-6, 0.1):
        assert grid.epsilon_lower(delta) <= exact.epsilon(delta) + 1e-11
        assert exact.epsilon(delta) <= grid.epsilon(delta) + 1e-11


def both_of(item, two):
    """Add the losses of two laws, each to each."""
    return PrivacyLossDistribution(
        np.add.outer(item.losses, two.losses).ravel(),
        np.outer(item.first, two.first).ravel(),
        np.outer(item.second, two.second).ravel(),
        only_first=1 - (1 - item.only_first) * (1 - two.only_first),
        only_second=1 - (1 - item.only_second) * (1 - two.only_second),
    )


@pytest.mark.long
def test_many_losses_are_certified_from_both_sides():
    assert law((FOUR, 100)).exact
    result = law((FOUR, 1000))
    assert not result.exact
    assert "shift" in repr(result)
    assert 0 < result.epsilon(1e-6) - result.epsilon_lower(1e-6) < 0.05
    mixed = law((FOUR, 150), (A, 150))
    assert 0 < mixed.epsilon(1e-6) - mixed.epsilon_lower(1e-6) < 0.05


@pytest.mark.parametrize("rows", [A, A[::-1], FOUR, FOUR[::-1]])
def test_the_window_of_the_grid_holds_all_but_e_to_the_minus_40(rows):
    low, high = grid_window({AnswerPair.of(*rows): 100})
    result = law((rows, 100))
    outside = [(result.losses < low), (result.losses > high)]
    for masses in (result.first, result.second):
        assert all(masses[side].sum() <= math.exp(-40) for side in outside)
    assert any(side.any() for side in outside)


@pytest.mark.long
def test_the_grid_says_what_it_leaves_out():
    proof = rows_of((4, 5, 1, 0), (5, 3, 0, 2), total=10)
    result = law((FOUR, 200), (proof, 3))
    assert 10 * math.exp(-40) < result.missing < 1e-9
    max_loss = 200 * losses_of(FOUR).max() + 3 * math.log(5 / 4)
    assert result.max_loss == pytest.approx(max_loss, rel=1e-14)
    assert (result.only_first, result.only_second) == pytest.approx((1 - 0.9**3, 1 - 0.8**3))
    assert result.first.sum() == pytest.approx(0.9**3)
    assert result.second.sum() == pytest.approx(0.8**3)


@pytest.mark.long
def test_a_rare_report_that_proves_an_answer_is_not_lost_on_the_grid():
    rare = Fraction(1, 10**20)
    first = [Fraction(n, 100) for n in (40, 30, 20, 10)] + [Fraction(0)]
    second = [Fraction(n, 100) * (1 - rare) for n in (23, 37, 29, 11)] + [rare]
    result = law(((first, second), 500))
    assert not result.exact
    assert result.only_second == pytest.approx(5e-18)
    assert result.epsilon(0) == math.inf > result.epsilon(1e-6)


def test_a_broken_grid_is_caught():
    """Rounding losses down instead of splitting them would claim too much privacy."""
    exact = law((A, 50))
    step = 0.01
    down = [Fraction(math.exp(math.floor(loss / step) * step)) for loss in losses_of(A)]
    first = [q / ratio for q, ratio in zip(A[1], down, strict=True)]
    total = sum(first)
    broken = law((([p / total for p in first], A[1]), 50))
    assert broken.delta(20) < exact.delta(20)


def test_lattices_are_found_exactly():
    """On a lattice losses coincide: so many sums are left that all can be listed."""
    powers = rows_of((1, 2, 4, 8), (8, 4, 2, 1), total=15)
    assert len(law((powers, 1000)).losses) == 3001
    assert law((powers, 1000)).exact
    assert len(law((symmetric("0.6", "0.1"), 100)).losses) == 201
    assert len(law((A, 100)).losses) == 101 * 102 // 2
    twice = law((rows_of((1, 3), (3, 1), total=4), 2))
    assert twice.first == pytest.approx(np.array([1, 6, 9]) / 16, rel=1e-15)
    assert twice.second == pytest.approx(np.array([9, 6, 1]) / 16, rel=1e-15)
    assert twice.missing == 0


@pytest.mark.parametrize("delta", [1.5, -0.1, math.nan])
def test_a_slack_is_a_chance(delta):
    with pytest.raises(InputError, match="delta"):
        law((A, 1)).epsilon(delta)
