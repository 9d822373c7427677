"""Chances that differ from person to person: the estimate knows each."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

import askance as ak
from askance.channels import GroupedTally
from askance.inference import estimate_sets
from askance.mechanisms import (
    Crosswise,
    ForcedResponse,
    IndividualChannels,
    UnrelatedQuestion,
    individual_channels,
    unknown_harmless_share,
)
from askance_collect.errors import InputError, NotIdentified

YN = ak.Frame(["yes", "no"])


def invented(n, rng):
    """Let one in four carry the trait, each asked beside a harmless trait of a share of its own."""
    shares = rng.choice([0.1, 0.15, 0.25, 0.8], n)
    carries, harmless = rng.random(n) < 0.25, rng.random(n) < shares
    said = np.where(carries == harmless, "both or neither", "just one")
    return shares, said.tolist()


def test_each_person_has_the_channel_of_their_own_numbers():
    asked = individual_channels("crosswise", {"harmless": ["1/4", 0.25, Fraction(1, 5)]}, YN)
    assert asked.channels == tuple(Crosswise(harmless=h).channel(YN) for h in (0.25, 0.2))
    assert asked.group.tolist() == [0, 0, 1]
    assert not asked.group.flags.writeable


def test_what_each_answer_is_forced_to_may_differ_too():
    asked = individual_channels("forced", {"forced": {"yes": ["1/6", "1/3"], "no": "1/6"}}, YN)
    known = [ForcedResponse(forced={"yes": one, "no": "1/6"}).channel(YN) for one in ("1/6", "1/3")]
    assert asked.channels == tuple(known)


def test_the_estimate_maximises_the_likelihood_of_each_person_s_own_chance():
    shares, said = invented(400, np.random.default_rng(3))
    found = ak.estimate(individual_channels("crosswise", {"harmless": shares}, YN).tally(said))
    same = np.array([one == "both or neither" for one in said])

    def minus(pi):
        chance = shares * pi + (1 - shares) * (1 - pi)
        return -np.log(np.where(same, chance, 1 - chance)).sum()

    best = minimize_scalar(minus, bounds=(0, 1), method="bounded", options={"xatol": 1e-10})
    assert found.value[0] == pytest.approx(best.x, abs=1e-6)
    step = 1e-4
    curved = (minus(best.x + step) - 2 * minus(best.x) + minus(best.x - step)) / step**2
    assert found.se[0] == pytest.approx(curved**-0.5, rel=0.02)
    assert found.lower[0] < 0.25 < found.upper[0]


def test_the_regression_takes_the_same_channels():
    shares, said = invented(400, np.random.default_rng(5))
    asked = individual_channels("crosswise", {"harmless": shares}, YN)
    fit = ak.response_regression(said, np.empty((400, 0)), asked.channels, group=asked.group)
    found = ak.estimate(asked.tally(said))
    assert fit.prevalence().value[0] == pytest.approx(found.value[0], abs=1e-6)


def test_one_number_for_all_stands_beside_columns_and_blanks_are_counted():
    columns = {"asked": 0.7, "harmless": np.array([0.49, 0.5, 0.49, 0.49])}
    tally = individual_channels("unrelated", columns, YN).tally(["yes", None, "no", "yes"])
    assert {name: one.total for name, one in tally.tallies.items()} == {"1": 3, "2": 0}
    assert tally.blanks == 1


@pytest.mark.parametrize(
    ("name", "columns", "told"),
    [
        ("crosswise", {"harmless": 0.25}, "no column"),
        ("crosswise", {"harmless": []}, "columns of"),
        ("unrelated", {"asked": [0.7, 0.8], "harmless": [0.1]}, r"columns of \[1, 2\]"),
        ("crosswise", {"harmless": [0.25, float("nan")]}, "individual_channels.harmless"),
        ("crosswise", {"harmless": [0.25, 1.25]}, "a probability"),
        ("crosswise", {"harmless": [[0.25], [0.2, 0.3]]}, "individual_channels.harmless"),
        ("crosswise", {"harmless": np.full((2, 2), 0.25)}, "individual_channels.harmless"),
        ("crosswise", {"harmles": [0.25]}, "did you mean 'harmless'"),
        ("croswise", {"harmless": [0.25]}, "did you mean 'crosswise'"),
    ],
)
def test_columns_that_fit_no_design_are_refused(name, columns, told):
    with pytest.raises(InputError, match=told):
        individual_channels(name, columns, YN)


@pytest.mark.parametrize("group", [[1], [-1], [0.5], [[0]]])
def test_a_person_who_was_asked_through_no_channel_is_refused(group):
    with pytest.raises(InputError, match=r"a position in \[0, 0\]"):
        IndividualChannels(channels=(Crosswise(harmless=0.25).channel(YN),), group=np.array(group))


def test_reports_that_do_not_fit_are_refused():
    asked = individual_channels("crosswise", {"harmless": [0.25, 0.2]}, YN)
    with pytest.raises(InputError, match="2, one for each person"):
        asked.tally(["just one"])
    with pytest.raises(InputError, match="just one"):
        asked.tally(["just one", "yes"])


@given(st.fractions(0, 1, max_denominator=40), st.fractions(0, 1, max_denominator=40))
def test_an_unknown_harmless_share_is_a_known_one_mixed_over_pairs(asked, harmless):
    pairs = unknown_harmless_share(asked, YN).table
    known = UnrelatedQuestion(sensitive_chance=asked, harmless=harmless).channel(YN).table
    for x in (0, 1):
        both, other = pairs.row(2 * x), pairs.row(2 * x + 1)
        mixed = [
            harmless * one + (1 - harmless) * two for one, two in zip(both, other, strict=True)
        ]
        assert mixed == list(known.row(x))


def test_reports_of_pairs_mean_all_pairs_that_may_send_them():
    channel = unknown_harmless_share("7/10", YN)
    assert channel.meanings == (0b0111, 0b1110)
    three = unknown_harmless_share("1/2", ak.Frame(["a", "b", "c"]))
    assert len(three.frame) == 9
    assert {sum(three.table.row(at)) for at in range(9)} == {1}


def test_one_group_does_not_tell_and_says_so():
    tally = ak.Tally(unknown_harmless_share("7/10", YN), {"yes": 30, "no": 70})
    with pytest.raises(NotIdentified):
        ak.estimate(tally)


TRUE = {"sensitive": ["yes, yes", "yes, no"], "harmless": ["yes, yes", "no, yes"]}


@pytest.mark.parametrize("yes", [(120, 180), (90, 120), (200, 210)])
def test_two_groups_tell_both_shares_as_the_two_equations_do(yes):
    """λ₁ = p₁ π + (1 − p₁) h and λ₂ = p₂ π + (1 − p₂) h, of Greenberg and others (1969)."""
    asked, n = (Fraction(7, 10), Fraction(3, 10)), 400
    groups = {
        str(p): ak.Tally(unknown_harmless_share(p, YN), {"yes": one, "no": n - one})
        for p, one in zip(asked, yes, strict=True)
    }
    found = estimate_sets(GroupedTally(groups), TRUE)
    first, second = (Fraction(one, n) for one in yes)
    (p, q), both = asked, asked[0] - asked[1]
    sensitive = (first * (1 - q) - second * (1 - p)) / both
    harmless = (second * p - first * q) / both
    assert found.low == pytest.approx([float(sensitive), float(harmless)], abs=1e-6)
    assert found.high == pytest.approx(found.low, abs=1e-6)
    variance = sum(
        float(weight**2 * share * (1 - share) / n)
        for weight, share in (((1 - q) / both, first), ((1 - p) / both, second))
    )
    wide = 2 * 1.96 * variance**0.5
    assert found.upper[0] - found.lower[0] == pytest.approx(wide, rel=0.05)


def test_chances_at_their_ends_need_no_channel_made_by_hand():
    """With 1 a person answers directly, with ½ says nothing; the others are as without them."""
    chances = [1, 0.5, 0.75, 0] * 50
    said = (["yes"] * 3 + ["no"] * 5) * 25
    found = ak.estimate(individual_channels("warner", {"truth": chances}, YN).tally(said))
    heard = [at for at in range(200) if chances[at] != 0.5]
    others = individual_channels("warner", {"truth": [chances[at] for at in heard]}, YN)
    without = ak.estimate(others.tally([said[at] for at in heard]))
    assert found.reports == without.reports == 150
    assert found.value == pytest.approx(without.value, abs=1e-9)
    assert found.lower == pytest.approx(without.lower, abs=1e-6)


def test_chances_that_tend_to_a_half_tend_to_nothing_and_a_half_alone_is_refused():
    said = (["yes"] * 3 + ["no"] * 5) * 25
    near, ends = (
        individual_channels("warner", {"truth": [0.75, other] * 100}, YN) for other in (0.5001, 0.5)
    )
    assert ak.estimate(near.tally(said)).se == pytest.approx(ak.estimate(ends.tally(said)).se, 1e-4)
    with pytest.raises(NotIdentified):
        ak.estimate(individual_channels("warner", {"truth": [0.5] * 200}, YN).tally(said))


def test_a_regression_knows_chances_at_their_ends():
    rng = np.random.default_rng(11)
    x, chances = rng.normal(size=600), rng.choice([1.0, 0.5, 0.8], 600)
    carries = rng.random(600) < 1 / (1 + np.exp(-x))
    said = np.where(carries == (rng.random(600) < chances), "yes", "no").tolist()
    asked = individual_channels("warner", {"truth": chances.tolist()}, YN)
    fit = ak.response_regression(said, x[:, None], asked.channels, group=asked.group)
    slope = fit.coefficients()
    assert abs(slope.value[-1] - 1) < 4 * slope.se[-1]
