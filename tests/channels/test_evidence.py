"""Mass functions against exact tables, and what is no mass function."""

import json
import pickle
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from askance import Channel, Frame
from askance.channels import MassFunction, ProductFrame
from askance_collect.errors import DocumentError, InputError

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "belief_tables.json").read_text())
CASES = ORACLE["cases"]
YES_NO = Frame(["yes", "no"])
ABC = Frame("abc"[index] for index in range(3))
F = Fraction


def letters(size):
    return Frame("abcdefgh"[index] for index in range(size))


def case_mass(case, number=Fraction):
    masses = {int(mask): number(Fraction(mass)) for mask, mass in case["mass"].items()}
    return MassFunction(letters(case["size"]), masses)


@pytest.mark.parametrize("number", [Fraction, float])
@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_tables_are_the_exact_ones(case, number):
    m = case_mass(case, number)
    assert np.allclose(m.beliefs().astype(float), case["bel"], rtol=1e-10, atol=1e-15)
    assert np.allclose(m.plausibilities().astype(float), case["pl"], rtol=1e-10, atol=1e-15)
    assert np.allclose(m.commonalities().astype(float), case["commonality"], rtol=1e-10, atol=1e-15)
    assert np.allclose(m.pignistic().astype(float), case["pignistic"], rtol=1e-10)
    for mask in range(1 << case["size"]):
        names = m.frame.names(mask)
        assert float(m.belief(names)) == pytest.approx(case["bel"][mask], rel=1e-10)
        assert float(m.plausibility(mask)) == pytest.approx(case["pl"][mask], rel=1e-10)
        assert float(m.commonality(names)) == pytest.approx(case["commonality"][mask], rel=1e-10)


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_the_exact_tables_lead_back_to_the_masses(case):
    m = case_mass(case, float)
    ways = (
        (MassFunction.from_belief, case["bel"]),
        (MassFunction.from_plausibility, case["pl"]),
        (MassFunction.from_commonality, case["commonality"]),
    )
    for variant, values in ways:
        again = variant(m.frame, values)
        assert again.focal_sets == m.focal_sets
        assert all(again.masses[mass] == pytest.approx(m.masses[mass]) for mass in m.masses)


def test_exact_masses_stay_exact():
    m = MassFunction(ABC, {("a",): F(1, 3), ("a", "b"): F(1, 6), ("a", "b", "c"): F(1, 2)})
    assert m.exact
    assert m.belief(["b"]) == 0
    assert isinstance(m.belief(["b"]), Fraction)
    assert m.pignistic().tolist() == [F(1, 3) + F(1, 12) + F(1, 6), F(1, 4), F(1, 6)]
    assert m.contour().tolist() == [1, F(2, 3), F(1, 2)]
    assert m.plausibility_transform().tolist() == [F(6, 13), F(4, 13), F(3, 13)]
    assert MassFunction.from_belief(ABC, m.beliefs()) == m
    assert MassFunction.from_plausibility(ABC, m.plausibilities()) == m
    assert MassFunction.from_commonality(ABC, m.commonalities()) == m
    assert m.condition(["b", "c"]).masses == {2: F(1, 4), 6: F(3, 4)}
    assert m.discount("1/2").masses == {1: F(1, 6), 3: F(1, 12), 7: F(3, 4)}
    assert hash(m) == hash(MassFunction(ABC, dict(m.masses)))
    assert repr(m) == "MassFunction(a: 1/3, a or b: 1/6, a or b or c: 1/2)"


def test_denominators_beyond_doubles_stay_exact():
    m = MassFunction(ABC, {1: F(1, 3**40), 7: 1 - F(1, 3**40)})
    assert m.beliefs()[1] == F(1, 3**40)
    assert m.plausibilities()[6] == 1 - F(1, 3**40)


def test_one_double_makes_all_doubles():
    m = MassFunction(YES_NO, {("yes",): F(1, 2), ("no",): 0.5})
    assert not m.exact
    assert m.masses == {1: 0.5, 2: 0.5}
    assert m.beliefs().dtype == np.float64
    with pytest.raises(ValueError, match="read-only"):
        m.beliefs()[0] = 1


@pytest.mark.parametrize(
    ("masses", "bayesian", "consonant", "vacuous"),
    [
        ({1: F(1, 2), 2: F(1, 2)}, True, False, False),
        ({1: 1}, True, True, False),
        ({2: F(1, 2), 6: F(1, 4), 7: F(1, 4)}, False, True, False),
        ({3: F(1, 2), 6: F(1, 2)}, False, False, False),
        ({7: 1}, False, True, True),
    ],
)
def test_kinds_are_told_apart(masses, bayesian, consonant, vacuous):
    m = MassFunction(ABC, masses)
    assert (m.is_bayesian, m.is_consonant, m.is_vacuous) == (bayesian, consonant, vacuous)
    assert m.is_normal


@pytest.mark.parametrize(
    ("variant", "values", "why"),
    [
        (MassFunction.from_belief, [0, 0.7, 0.5, 1], "mass of -0.2 on yes or no"),
        (MassFunction.from_belief, [0, -0.1, 0.5, 1], "mass of -0.1 on yes"),
        (MassFunction.from_belief, [0, 0.5, 0.5, 0.9], "whole frame.*got 0.9"),
        (MassFunction.from_belief, [0.1, 0.5, 0.5, 1], "empty set.*got 0.1"),
        (MassFunction.from_belief, [0, np.nan, 0.5, 1], "of yes: got nan.*finite"),
        (MassFunction.from_belief, [0, 0.5, 1], r"shape \(4,\)"),
        (MassFunction.from_belief, {("yes",): 0.5, ("yes", "no"): 1}, "no value for no"),
        (MassFunction.from_belief, {("yes",): F(3, 5), ("no",): F(3, 5), 3: 1}, "yes or no"),
        (MassFunction.from_belief, {("yes",): 0.5, 2: 0.5, 3: 1, 4: 1}, "a mask in"),
        (MassFunction.from_belief, [0, "much", 0.5, 1], "numbers"),
        (MassFunction.from_belief, [0, None, 0.5, 1], "of yes: .*a number"),
        (MassFunction.from_plausibility, [0, 0.4, 0.5, 1], "mass of -0.1 on yes or no"),
        (MassFunction.from_plausibility, [0, 0.5, 1.2, 1], "mass of -0.2 on yes"),
        (MassFunction.from_plausibility, [0, 0.5, 0.5, 0.9], "whole frame"),
        (MassFunction.from_commonality, [1, 0.2, 0.3, 0.4], "mass of -0.2 on yes"),
        (MassFunction.from_commonality, [1, 0.2, 0.3, 0], "mass on the empty set|on the empty set"),
        (MassFunction.from_commonality, [0.9, 0.5, 0.5, 0.1], "empty set: got 0.9"),
        (MassFunction.from_commonality, {1: 1, 2: 1}, "no value for yes or no"),
    ],
)
def test_what_is_no_belief_function_is_refused_by_a_set(variant, values, why):
    with pytest.raises(InputError, match=why):
        variant(YES_NO, values)


def test_ten_answers_given_as_beliefs_of_single_answers_only():
    """A lower probability of pairs that no mass explains is found among all 1,024 sets."""
    frame = Frame(f"x{index}" for index in range(10))
    beliefs = np.zeros(1 << 10)
    beliefs[-1] = 1
    for pair in combinations(range(10), 2):
        for mask in range(1 << 10):
            if mask & (1 << pair[0]) and mask & (1 << pair[1]):
                beliefs[mask] = max(beliefs[mask], 0.3)
    with pytest.raises(InputError, match=r"mass of -.* on x\d or x\d or x\d"):
        MassFunction.from_belief(frame, beliefs)


def test_codes_that_say_nothing_possible_were_not_used():
    m = MassFunction.from_codes(
        ABC, [(F(1, 2), ["a"]), (F(1, 4), []), (F(1, 8), ["a"]), (F(1, 8), ["a", "b"])]
    )
    assert m.masses == {1: F(5, 6), 3: F(1, 6)}
    for codes, why in (
        ([(1, [])], "no code that says anything"),
        ([(0.5, ["a"])], "sum 0.5"),
        ([(1.5, ["a"]), (-0.5, ["b"])], r"from_codes\[1\]"),
        ([(float("nan"), ["a"])], r"from_codes\[0\]"),
        ([], "sum 0"),
    ):
        with pytest.raises(InputError, match=why):
            MassFunction.from_codes(ABC, codes)


def test_conditioning_and_discounting():
    m = MassFunction(ABC, {("a",): 0.5, ("b",): 0.2, ("b", "c"): 0.3})
    assert m.condition(["b"]).masses == {2: 1.0}
    assert m.discount(0).masses == pytest.approx(m.masses)
    assert m.discount(1).is_vacuous
    with pytest.raises(InputError, match="positive plausibility"):
        MassFunction(ABC, {("a",): 1}).condition(["b"])
    with pytest.raises(InputError, match="no answer"):
        m.condition([])
    for doubt in (-0.1, 1.1, float("nan"), "half"):
        with pytest.raises(InputError, match="doubt"):
            m.discount(doubt)


@pytest.mark.parametrize(
    ("masses", "why"),
    [
        ({("a",): F(1, 3), ("b",): F(1, 3)}, "sum 2/3"),
        ({("a",): float("inf")}, "sum inf"),
        ({("a",): "1"}, "a mass in"),
        ({8: 1.0}, "a mask in"),
        ({-1: 1.0}, "a mask in"),
        ({0: 1.0}, "empty set"),
        ({}, "sum 0"),
    ],
)
def test_what_is_no_mass_function_is_refused(masses, why):
    with pytest.raises(InputError, match=why):
        MassFunction(ABC, masses)


def test_large_frames_say_what_still_works():
    frame = Frame(f"x{index}" for index in range(100))
    m = MassFunction(frame, {("x1",): F(1, 4), ("x1", "x99"): F(1, 2), frame.full_mask: F(1, 4)})
    assert (m.belief(["x1", "x99"]), m.plausibility(["x99"])) == (F(3, 4), F(3, 4))
    assert m.pignistic().sum() == 1
    assert m.condition(["x99"]).masses == {1 << 99: 1}
    for table in (m.beliefs, m.plausibilities, m.commonalities):
        with pytest.raises(InputError, match=r"at most 24 answers; belief, .* focal sets alone"):
            table()
    with pytest.raises(InputError, match="masses of the focal sets instead"):
        MassFunction.from_belief(frame, {})


def test_twenty_answers_in_doubles_survive_the_round_trip():
    frame = Frame(f"x{index}" for index in range(20))
    dice = np.random.default_rng(8)
    focal = {int(mask) for mask in dice.integers(1, 1 << 20, 85)}
    shares = dice.dirichlet(np.ones(len(focal)))
    m = MassFunction(frame, dict(zip(focal, shares, strict=True)))
    for variant, table in (
        (MassFunction.from_belief, m.beliefs),
        (MassFunction.from_plausibility, m.plausibilities),
        (MassFunction.from_commonality, m.commonalities),
    ):
        again = variant(frame, table())
        assert again.focal_sets == m.focal_sets
        assert all(abs(again.masses[mass] - m.masses[mass]) < 1e-11 for mass in m.masses)


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ([], "an object with frame, masses"),
        ({"frame": ["a"]}, "an object with frame, masses"),
        ({"frame": "a", "masses": []}, "a list of names"),
        ({"frame": ["a"], "masses": {}}, "a list"),
        ({"frame": ["a"], "masses": [{"set": ["a"]}]}, r"masses\[0\]"),
        ({"frame": ["a"], "masses": [{"set": ["a"], "mass": "x"}]}, r"masses\[0\].*a number"),
        ({"frame": ["a"], "masses": [{"set": ["a"], "mass": None}]}, "a number"),
        ({"frame": ["a"], "masses": [{"set": ["a"], "mass": "1/2"}] * 2}, "each set once"),
    ],
)
def test_damaged_documents_are_refused_with_the_place(written, why):
    with pytest.raises(DocumentError, match=why):
        MassFunction.from_dict(written)


def test_copies_are_equal():
    m = MassFunction(ABC, {1: F(1, 10), 7: F(9, 10)})
    assert pickle.loads(pickle.dumps(m)) == m
    crossed = ProductFrame({"one": ABC, "other": YES_NO})
    assert pickle.loads(pickle.dumps(crossed)).joint == crossed.joint


def test_messages_show_plain_numbers():
    with pytest.raises(InputError, match=r"got -0\.5;"):
        MassFunction(ABC, {1: np.float64(-0.5), 2: np.float64(1.5)})


@pytest.mark.long
def test_every_set_may_be_focal():
    frame = Frame(f"x{index}" for index in range(16))
    units = np.random.default_rng(6).integers(1, 99, (1 << 16) - 1)
    m = MassFunction(frame, dict(enumerate((units / units.sum()).tolist(), 1)))
    q = Channel.from_masses({"yes": m, "no": m})
    assert q.matrix.shape == (2, (1 << 16) - 1)
    assert q.mass("no") == m


def test_documents_keep_doubles_and_fractions():
    for masses in ({1: 0.1, 7: 0.9}, {1: F(1, 10), 7: F(9, 10)}):
        m = MassFunction(ABC, masses)
        assert MassFunction.from_dict(json.loads(json.dumps(m.to_dict()))) == m
