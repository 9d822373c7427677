"""The k-fold law against 50 digits, exact rationals, published figures and itself."""

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

from askance.errors import InputError
from askance.privacy import PrivacyLossDistribution, error_floor
from askance.privacy.composition import every_cell, grid_window, kfold, likely_cells, on_grid, power
from askance.privacy.loss_distribution import Pair
from askance.privacy.tradeoff_function import neyman_pearson

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "composition.json").read_text())
ALPHA = np.linspace(0, 1, 201)


def pair_of(*rows, total=100):
    return Pair.of(*([Fraction(mass, total) for mass in row] for row in rows))


A = pair_of((55, 20, 25), (22, 58, 20))
B = pair_of((42, 37, 21), (38, 43, 19))
NEAR = pair_of((42, 37, 21), (38, 42, 20))
FOUR = pair_of((40, 30, 20, 10), (23, 37, 29, 11))


def turned(pair):
    return Pair(
        tuple(1 / ratio for ratio in reversed(pair.ratios)),
        pair.second[::-1],
        pair.first[::-1],
        pair.only_second,
        pair.only_first,
    )


def symmetric(p, q):
    p, q = (
        (Fraction(math.e / (1 + math.e)), Fraction(1 / (1 + math.e)))
        if "e" in p
        else (Fraction(p), Fraction(q))
    )
    return Pair.of([p, q, 1 - p - q], [q, p, 1 - p - q])


@pytest.mark.parametrize("case", ORACLE["kfold"]["cases"], ids=lambda c: f"{c['p']}-{c['k']}")
def test_the_law_is_the_one_of_50_digits(case):
    law = kfold([(symmetric(case["p"], case["q"]), case["k"])])
    curve = law.tradeoff()
    alpha = np.array(case["alpha"])
    assert curve.beta(alpha) == pytest.approx(case["T"], rel=1e-10, abs=1e-40)
    assert 1 - curve.beta(1 - alpha) == pytest.approx(case["U"], rel=1e-10, abs=1e-40)
    for epsilon, delta in case["delta"].items():
        assert law.delta(float(epsilon)) == pytest.approx(delta, rel=1e-10, abs=1e-40)


@pytest.mark.parametrize("case", ORACLE["kfold"]["cases"], ids=lambda c: f"{c['p']}-{c['k']}")
def test_warner_attains_the_generic_bound(case):
    ratio = Fraction(math.exp(case["eps"]))
    warner = Pair.of([ratio / (1 + ratio), 1 / (1 + ratio)], [1 / (1 + ratio), ratio / (1 + ratio)])
    curve = kfold([(warner, case["k"])]).tradeoff()
    assert curve.beta(case["alpha"]) == pytest.approx(case["f_eps_k"], rel=1e-10, abs=1e-40)
    floor = error_floor(case["eps"], times=case["k"])
    assert curve.beta(ALPHA) == pytest.approx(floor.beta(ALPHA), abs=1e-12)


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
    both = [kfold([(one, k)]).epsilon(1e-6) for one in (pair, turned(pair))]
    assert max(both) == pytest.approx(epsilon, abs=6e-5)


masses = st.lists(st.one_of(st.just(0), st.integers(1, 9)), min_size=2, max_size=4)


@st.composite
def pairs(draw):
    first = draw(masses.filter(any))
    size = {"min_size": len(first), "max_size": len(first)}
    second = draw(st.lists(st.integers(0, 9), **size).filter(any))
    return [Fraction(m, sum(first)) for m in first], [Fraction(m, sum(second)) for m in second]


@settings(deadline=None, max_examples=60)
@given(pairs(), pairs(), st.integers(1, 3), st.integers(0, 2))
def test_the_law_is_that_of_every_sequence_of_reports(one, two, k, extra):
    spent = [one] * k + [two] * extra
    laws = [
        [math.prod(cells) for cells in product(*(rows[side] for rows in spent))] for side in (0, 1)
    ]
    exact = neyman_pearson(*laws)
    law = kfold([(Pair.of(*one), k)] + [(Pair.of(*two), extra)] * bool(extra))
    assert law.exact
    proofs = [sum(p for p, q in zip(*both, strict=True) if not q) for both in (laws, laws[::-1])]
    assert (law.only_first, law.only_second) == pytest.approx(list(map(float, proofs)), abs=1e-15)
    assert law.greatest == (law.losses[0] if len(law.losses) else -math.inf)
    assert law.tradeoff().beta(ALPHA) == pytest.approx(exact.beta(ALPHA), abs=1e-12)
    for epsilon in (-0.7, 0, 1.3):
        ratio = Fraction(math.exp(epsilon))
        delta = sum(max(q - ratio * p, 0) for p, q in zip(*laws, strict=True))
        assert law.delta(epsilon) == pytest.approx(float(delta), abs=1e-12)


@settings(deadline=None, max_examples=40)
@given(pairs(), pairs(), st.integers(1, 12), st.integers(1, 6))
def test_order_does_not_matter_and_more_reports_tell_more(one, two, k, extra):
    one, two = Pair.of(*one), Pair.of(*two)
    alone = kfold([(one, k)]).tradeoff().beta(ALPHA)
    here, there = (
        kfold(spent).tradeoff().beta(ALPHA)
        for spent in ([(one, k), (two, extra)], [(two, extra), (one, k)])
    )
    assert here == pytest.approx(there, abs=1e-12)
    assert (here <= alone + 1e-12).all()


@settings(deadline=None, max_examples=30)
@given(pairs(), st.integers(1, 40), st.floats(0, 1))
def test_epsilon_inverts_delta(rows, k, delta):
    law = kfold([(Pair.of(*rows), k)])
    epsilon = law.epsilon(delta)
    if math.isinf(epsilon):
        assert law.only_second > delta
    else:
        assert law.delta(epsilon) <= delta + 1e-12
        assert (
            not epsilon
            or law.delta(epsilon) == pytest.approx(delta, abs=1e-11)
            or (delta < law.delta(epsilon - 1e-9))
        )


def test_messages_of_one_ratio_are_one_atom():
    split = pair_of((30, 30, 20, 15, 5), (10, 10, 60, 15, 5))
    assert split == pair_of((60, 20, 20), (20, 60, 20))
    assert pair_of((30, 20, 50, 0, 0), (0, 0, 25, 45, 30)).first == (Fraction(1, 2),)
    assert pair_of((30, 20, 50, 0, 0), (0, 0, 25, 45, 30)).only_second == Fraction(3, 4)


@pytest.mark.parametrize(
    "step", [Fraction(1, 10**15), Fraction(1, 3), Fraction(1), Fraction(10**9)]
)
def test_a_loss_keeps_all_its_digits_however_small(step):
    """Against 40 digits: two chances that differ by one in 10¹⁵ have a loss right to rounding."""
    first, second = 1 / (2 + step), (1 + step) / (2 + step)
    with mpmath.workdps(40):
        truth = float(mpmath.log(1 + mpmath.mpf(step.numerator) / step.denominator))
    above, below = Pair.of([first, second], [second, first]).losses
    assert (above, below) == pytest.approx((truth, -truth), rel=4e-16)


def test_without_slack_the_loss_is_the_sum_of_losses():
    for k in (1, 50, 2000):
        assert kfold([(A, k)]).epsilon(0) == pytest.approx(k * A.losses[0], rel=1e-14)


def test_a_report_that_proves_is_counted_exactly():
    pair = pair_of((9, 1, 0), (0, 1, 9), total=10)
    law = kfold([(pair, 3)])
    assert law.only_second == pytest.approx(1 - 0.1**3, rel=1e-14)
    assert law.epsilon(0.9) == math.inf
    assert law.tradeoff().beta(0) == pytest.approx(0.001, rel=1e-12)
    certain = kfold([(pair_of((1, 0), (0, 1), total=1), 2), (A, 5)])
    assert (certain.delta(9), certain.epsilon(0.5), certain.epsilon(1)) == (1, math.inf, 0)
    assert certain.tradeoff().beta(0) == 0


def test_three_ways_to_one_law():
    lattice = kfold([(symmetric("0.6", "0.1"), 60)])
    pair = symmetric("0.6", "0.1")
    cells = every_cell(60, np.array(pair.losses), *pair.undecided)
    listed = PrivacyLossDistribution(cells[0], np.exp(cells[1]), np.exp(cells[2]))
    assert len(listed.losses) == len(lattice.losses) == 121
    assert listed.first == pytest.approx(lattice.first, rel=1e-11)
    assert listed.second == pytest.approx(lattice.second, rel=1e-11)


@pytest.mark.parametrize("pair", [A, NEAR, turned(NEAR)], ids=["apart", "overlapping", "turned"])
def test_what_the_windows_leave_out_is_negligible(pair):
    """The two answers make other compositions likely, or in part the same ones."""
    arguments = 2000, np.array(pair.losses), *pair.undecided
    (losses, one, two), missing = likely_cells(*arguments)
    whole = PrivacyLossDistribution(
        *(np.exp(part) if at else part for at, part in enumerate(every_cell(*arguments)))
    )
    part = PrivacyLossDistribution(losses, np.exp(one), np.exp(two), missing=missing)
    assert missing < 1e-30
    assert part.exact
    assert len(part.losses) < len(whole.losses) / 2
    assert len(np.unique(losses)) == len(losses)
    for delta in (1e-3, 1e-9, 1e-20):
        assert part.epsilon(delta) == pytest.approx(whole.epsilon(delta), rel=1e-12)


def test_ten_thousand_reports():
    for pair in (A, symmetric("0.6", "0.1")):
        law = kfold([(pair, 10_000)])
        assert law.exact
        assert law.first.sum() == pytest.approx(1, abs=1e-11)
        assert law.second.sum() == pytest.approx(1, abs=1e-11)
        assert law.epsilon(1e-6) < 10_000 * pair.losses[0]
    with pytest.raises(InputError, match="10001 reports"):
        kfold([(A, 10_000), (B, 1)])
    for none in ([], [(A, 0)], [(A, 3), (B, -1)]):
        with pytest.raises(InputError, match=r"got '[02] reports'"):
            kfold(none)


@settings(deadline=None, max_examples=12)
@given(pairs(), pairs(), st.integers(1, 30), st.integers(1, 20))
def test_the_grid_encloses_the_truth(one, two, k, extra):
    one, two = Pair.of(*one), Pair.of(*two)
    exact = kfold([(one, k), (two, extra)])
    assume(one.ratios and two.ratios and one != two)
    grid = on_grid({one: k, two: extra}, points=1 << 14)
    low, high, true = (
        curve.beta(ALPHA) for curve in (grid.tradeoff(), grid.tradeoff_upper(), exact.tradeoff())
    )
    assert (low <= true + 1e-13).all()
    assert (true <= high + 1e-13).all()
    steepest = math.exp(min(grid.greatest, 700))  # what is missing moves the curve sideways
    assert (high - low).max() < math.expm1(grid.shift) + (4 + 2 * steepest) * grid.missing
    for epsilon in (0, 1, 3):
        assert grid.delta_lower(epsilon) <= exact.delta(epsilon) + 1e-13
        assert exact.delta(epsilon) <= grid.delta(epsilon) + 1e-13
    for delta in (1e-6, 0.1):
        assert grid.epsilon_lower(delta) <= exact.epsilon(delta) + 1e-11
        assert exact.epsilon(delta) <= grid.epsilon(delta) + 1e-11


def test_many_losses_are_certified_from_both_sides():
    assert kfold([(FOUR, 100)]).exact
    law = kfold([(FOUR, 1000)])
    assert not law.exact
    assert "shift" in repr(law)
    assert 0 < law.epsilon(1e-6) - law.epsilon_lower(1e-6) < 0.05
    mixed = kfold([(FOUR, 150), (A, 150)])
    assert 0 < mixed.epsilon(1e-6) - mixed.epsilon_lower(1e-6) < 0.05


@pytest.mark.parametrize("pair", [A, turned(A), FOUR, turned(FOUR)], ids=str)
def test_the_window_of_the_grid_holds_all_but_e_to_the_minus_40(pair):
    low, high = grid_window({pair: 100})
    law = kfold([(pair, 100)])
    outside = [(law.losses < low), (law.losses > high)]
    for masses in (law.first, law.second):
        assert all(masses[side].sum() <= math.exp(-40) for side in outside)
    assert any(side.any() for side in outside)


def test_the_grid_says_what_it_leaves_out():
    proof = pair_of((4, 5, 1, 0), (5, 3, 0, 2), total=10)
    law = on_grid({FOUR: 50, proof: 3})
    assert 10 * math.exp(-40) < law.missing < 1e-9
    assert law.greatest == pytest.approx(50 * FOUR.losses[0] + 3 * proof.losses[0], rel=1e-14)
    assert (law.only_first, law.only_second) == pytest.approx((1 - 0.9**3, 1 - 0.8**3))
    assert law.first.sum() == pytest.approx(0.9**3)
    assert law.second.sum() == pytest.approx(0.8**3)


def test_a_rare_report_that_proves_an_answer_is_not_lost_on_the_grid():
    rare = Fraction(1, 10**20)
    first = [Fraction(n, 100) for n in (40, 30, 20, 10)] + [Fraction(0)]
    second = [Fraction(n, 100) * (1 - rare) for n in (23, 37, 29, 11)] + [rare]
    law = kfold([(Pair.of(first, second), 500)])
    assert not law.exact
    assert law.only_second == pytest.approx(5e-18)
    assert law.epsilon(0) == math.inf > law.epsilon(1e-6)


def test_a_broken_grid_is_caught():
    """Rounding losses down instead of splitting them would claim too much privacy."""
    exact = kfold([(A, 50)])
    step = 0.01
    down = [Fraction(math.exp(math.floor(loss / step) * step)) for loss in A.losses]
    first = [q / ratio for q, ratio in zip(A.second, down, strict=True)]
    total = sum(first)
    broken = kfold([(Pair.of([p / total for p in first], A.second), 50)])
    assert broken.delta(20) < exact.delta(20)


def test_lattices_are_found_exactly():
    assert symmetric("0.6", "0.1").lattice() == (2, 1, 0)
    assert A.lattice() is None
    assert pair_of((1, 2, 4, 8), (8, 4, 2, 1), total=15).lattice() == (3, 2, 1, 0)
    masses, missing = power(np.array([2, 1, 0]), np.array([0.25, 0.5, 0.25]), 2)
    assert masses.tolist() == [1 / 16, 1 / 4, 3 / 8, 1 / 4, 1 / 16]
    assert missing == 0


def test_a_pair_needs_rows():
    with pytest.raises(InputError, match="Pair"):
        Pair.of([], [])
    with pytest.raises(InputError, match="delta"):
        kfold([(A, 1)]).epsilon(1.5)
