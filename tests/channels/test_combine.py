"""Combination by every rule, against pairs written out."""

from fractions import Fraction

import numpy as np
import pytest

from askance import Frame
from askance.channels import MassFunction, Rule, combine
from askance_collect.errors import InputError

ABC = Frame(["a", "b", "c"])
F = Fraction
FIRST = MassFunction(ABC, {("a",): F(1, 2), ("b", "c"): F(1, 4), ABC.full_mask: F(1, 4)})
OTHER = MassFunction(ABC, {("b",): F(2, 3), ("a", "c"): F(1, 3)})


def test_dempster_by_hand():
    combined = combine(FIRST, OTHER)
    assert combined.conflict == F(1, 3)
    assert combined.rule is Rule.DEMPSTER
    assert combined.mass.masses == {
        1: F(1, 6) / F(2, 3),
        2: (F(1, 6) + F(1, 6)) / F(2, 3),
        4: F(1, 12) / F(2, 3),
        5: F(1, 12) / F(2, 3),
    }


def test_disjunctive_by_hand():
    combined = combine(FIRST, OTHER, Rule.DISJUNCTIVE)
    assert combined.conflict == F(1, 3)
    assert combined.mass.masses == {3: F(1, 3), 5: F(1, 6), 6: F(1, 6), 7: F(1, 12) + F(1, 4)}


def test_dubois_prade_by_hand():
    combined = combine(FIRST, OTHER, Rule.DUBOIS_PRADE)
    assert combined.conflict == F(1, 3)
    assert combined.mass.masses == {1: F(1, 6), 3: F(1, 3), 2: F(1, 3), 4: F(1, 12), 5: F(1, 12)}


def test_total_conflict_is_refused_by_dempster_only():
    yes, no = (MassFunction(ABC, {name: 1}) for name in (("a",), ("b",)))
    with pytest.raises(InputError, match=r"total conflict.*discount one of them"):
        combine(yes, no)
    for rule in (Rule.DISJUNCTIVE, Rule.DUBOIS_PRADE):
        combined = combine(yes, no, rule)
        assert combined.conflict == 1
        assert combined.mass.masses == {3: 1}


def test_zadeh_sources_are_not_silently_reconciled():
    function = MassFunction(ABC, {("a",): 0.99, ("b",): 0.01})
    other = MassFunction(ABC, {("c",): 0.99, ("b",): 0.01})
    combined = combine(function, other)
    assert combined.mass.belief(["b"]) == pytest.approx(1)
    assert combined.conflict == pytest.approx(0.9999)


def test_other_frames_are_refused():
    with pytest.raises(InputError, match="product frame"):
        combine(FIRST, MassFunction(Frame(["a", "b"]), {("a",): 1}))


@pytest.mark.parametrize("rule", [Rule.DEMPSTER, Rule.DISJUNCTIVE])
def test_very_many_focal_sets_take_the_transform_and_agree(rule):
    frame, dice = Frame([*"abcdefg"]), np.random.default_rng(5)
    focal = dice.permutation(np.arange(1, 1 << 7))[:60]
    exact, doubles = [], []
    for part in (focal[:40], focal[20:]):
        units = {int(mask): int(dice.integers(1, 99)) for mask in part}
        total = sum(units.values())
        exact.append(MassFunction(frame, {mask: F(value, total) for mask, value in units.items()}))
        doubles.append(MassFunction(frame, {mask: value / total for mask, value in units.items()}))
    assert len(doubles[0].masses) * len(doubles[1].masses) > 7 << 7
    truth, swift = combine(*exact, rule), combine(*doubles, rule)
    assert swift.conflict == pytest.approx(float(truth.conflict), abs=1e-14)
    assert swift.mass.focal_sets == truth.mass.focal_sets
    for mask, mass in truth.mass.masses.items():
        assert swift.mass.masses[mask] == pytest.approx(float(mass), abs=1e-14)


@pytest.mark.long
def test_a_product_of_a_million_million_pairs_is_quick():
    frame = Frame(f"x{index}" for index in range(16))
    even = MassFunction(frame, dict.fromkeys(range(1, 1 << 16), 1 / ((1 << 16) - 1)))
    combined = combine(even, even)
    assert combined.mass.commonality(frame.full_mask) > 0
    n = (1 << 16) - 1  # a pair is disjoint 3^16 ways, less those with an empty set
    assert combined.conflict == pytest.approx((3**16 - 2 * (1 << 16) + 1) / n**2, rel=1e-9)
