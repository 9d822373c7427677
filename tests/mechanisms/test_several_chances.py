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
    selected = np.where(carries == harmless, "both or neither", "just one")
    return shares, selected.tolist()


def test_each_person_has_the_channel_of_their_own_numbers():
    questions = individual_channels("crosswise", {"harmless": ["1/4", 0.25, Fraction(1, 5)]}, YN)
    assert questions.channels == tuple(Crosswise(harmless=h).channel(YN) for h in (0.25, 0.2))
    assert questions.group.tolist() == [0, 0, 1]
    assert not questions.group.flags.writeable


def test_what_each_answer_is_forced_to_may_differ_too():
    questions = individual_channels("forced", {"forced": {"yes": ["1/6", "1/3"], "no": "1/6"}}, YN)
    channel_results = [
        ForcedResponse(forced={"yes": word, "no": "1/6"}).channel(YN) for word in ("1/6", "1/3")
    ]
    assert questions.channels == tuple(channel_results)


def test_the_estimate_maximises_the_likelihood_of_each_person_s_own_chance():
    shares, replies = invented(400, np.random.default_rng(3))
    result = ak.estimate(individual_channels("crosswise", {"harmless": shares}, YN).tally(replies))
    same = np.array([reply == "both or neither" for reply in replies])

    def minus(pi):
        chance = shares * pi + (1 - shares) * (1 - pi)
        return -np.log(np.where(same, chance, 1 - chance)).sum()

    best = minimize_scalar(minus, bounds=(0, 1), method="bounded", options={"xatol": 1e-10})
    assert result.value[0] == pytest.approx(best.x, abs=1e-6)
    step = 1e-4
    curved = (minus(best.x + step) - 2 * minus(best.x) + minus(best.x - step)) / step**2
    assert result.se[0] == pytest.approx(curved**-0.5, rel=0.02)
    assert result.lower[0] < 0.25 < result.upper[0]


def test_the_regression_takes_the_same_channels():
    shares, replies = invented(400, np.random.default_rng(5))
    questions = individual_channels("crosswise", {"harmless": shares}, YN)
    fit = ak.response_regression(
        replies, np.empty((400, 0)), questions.channels, group=questions.group
    )
    result = ak.estimate(questions.tally(replies))
    assert fit.prevalence().value[0] == pytest.approx(result.value[0], abs=1e-6)


def test_one_number_for_all_stands_beside_columns_and_blanks_are_counted():
    columns = {"asked": 0.7, "harmless": np.array([0.49, 0.5, 0.49, 0.49])}
    tally = individual_channels("unrelated", columns, YN).tally(["yes", None, "no", "yes"])
    assert {name: value.total for name, value in tally.tallies.items()} == {"1": 3, "2": 0}
    assert tally.blanks == 1


@pytest.mark.parametrize(
    ("name", "columns", "message"),
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
def test_columns_that_fit_no_design_are_refused(name, columns, message):
    with pytest.raises(InputError, match=message):
        individual_channels(name, columns, YN)


@pytest.mark.parametrize("group", [[1], [-1], [0.5], [[0]]])
def test_a_person_who_was_asked_through_no_channel_is_refused(group):
    with pytest.raises(InputError, match=r"a position in \[0, 0\]"):
        IndividualChannels(channels=(Crosswise(harmless=0.25).channel(YN),), group=np.array(group))


def test_reports_that_do_not_fit_are_refused():
    channels = individual_channels("crosswise", {"harmless": [0.25, 0.2]}, YN)
    with pytest.raises(InputError, match="2, one for each person"):
        channels.tally(["just one"])
    with pytest.raises(InputError, match="just one"):
        channels.tally(["just one", "yes"])


@given(st.fractions(0, 1, max_denominator=40), st.fractions(0, 1, max_denominator=40))
def test_an_unknown_harmless_share_is_a_known_one_mixed_over_pairs(asked, harmless):
    pairs = unknown_harmless_share(asked, YN).table
    known_table = UnrelatedQuestion(sensitive_chance=asked, harmless=harmless).channel(YN).table
    for x in (0, 1):
        pair, other = pairs.row(2 * x), pairs.row(2 * x + 1)
        mixed = [
            harmless * item + (1 - harmless) * two for item, two in zip(pair, other, strict=True)
        ]
        assert mixed == list(known_table.row(x))


def test_reports_of_pairs_mean_all_pairs_that_may_send_them():
    channel = unknown_harmless_share("7/10", YN)
    assert channel.meanings == (0b0111, 0b1110)
    three = unknown_harmless_share("1/2", ak.Frame(["a", "b", "c"]))
    assert len(three.frame) == 9
    assert {sum(three.table.row(index)) for index in range(9)} == {1}


def test_one_group_does_not_tell_and_says_so():
    tally = ak.Tally(unknown_harmless_share("7/10", YN), {"yes": 30, "no": 70})
    with pytest.raises(NotIdentified):
        ak.estimate(tally)


TRUE = {"sensitive": ["yes, yes", "yes, no"], "harmless": ["yes, yes", "no, yes"]}


@pytest.mark.parametrize("yes", [(120, 180), (90, 120), (200, 210)])
def test_two_groups_tell_both_shares_as_the_two_equations_do(yes):
    """λ₁ = p₁ π + (1 − p₁) h and λ₂ = p₂ π + (1 − p₂) h, of Greenberg and others (1969)."""
    questions, n = (Fraction(7, 10), Fraction(3, 10)), 400
    groups = {
        str(p): ak.Tally(unknown_harmless_share(p, YN), {"yes": item, "no": n - item})
        for p, item in zip(questions, yes, strict=True)
    }
    estimate = estimate_sets(GroupedTally(groups), TRUE)
    first, second = (Fraction(item, n) for item in yes)
    (p, q), pair = questions, questions[0] - questions[1]
    sensitive = (first * (1 - q) - second * (1 - p)) / pair
    harmless = (second * p - first * q) / pair
    assert estimate.low == pytest.approx([float(sensitive), float(harmless)], abs=1e-6)
    assert estimate.high == pytest.approx(estimate.low, abs=1e-6)
    variance = sum(
        float(weight**2 * share * (1 - share) / n)
        for weight, share in (((1 - q) / pair, first), ((1 - p) / pair, second))
    )
    wide = 2 * 1.96 * variance**0.5
    assert estimate.upper[0] - estimate.lower[0] == pytest.approx(wide, rel=0.05)


def test_chances_at_their_ends_need_no_channel_made_by_hand():
    """With 1 a person answers directly, with ½ says nothing; the others are as without them."""
    chances = [1, 0.5, 0.75, 0] * 50
    replies = (["yes"] * 3 + ["no"] * 5) * 25
    result = ak.estimate(individual_channels("warner", {"truth": chances}, YN).tally(replies))
    ats = [index for index in range(200) if chances[index] != 0.5]
    others = individual_channels("warner", {"truth": [chances[index] for index in ats]}, YN)
    without = ak.estimate(others.tally([replies[index] for index in ats]))
    assert result.reports == without.reports == 150
    assert result.value == pytest.approx(without.value, abs=1e-9)
    assert result.lower == pytest.approx(without.lower, abs=1e-6)


def test_chances_that_tend_to_a_half_tend_to_nothing_and_a_half_alone_is_refused():
    replies = (["yes"] * 3 + ["no"] * 5) * 25
    near, ends = (
        individual_channels("warner", {"truth": [0.75, other] * 100}, YN) for other in (0.5001, 0.5)
    )
    assert ak.estimate(near.tally(replies)).se == pytest.approx(
        ak.estimate(ends.tally(replies)).se, 1e-4
    )
    with pytest.raises(NotIdentified):
        ak.estimate(individual_channels("warner", {"truth": [0.5] * 200}, YN).tally(replies))


def test_a_regression_knows_chances_at_their_ends():
    rng = np.random.default_rng(11)
    x, chances = rng.normal(size=600), rng.choice([1.0, 0.5, 0.8], 600)
    carries = rng.random(600) < 1 / (1 + np.exp(-x))
    tolist_result = np.where(carries == (rng.random(600) < chances), "yes", "no").tolist()
    questions = individual_channels("warner", {"truth": chances.tolist()}, YN)
    fit = ak.response_regression(
        tolist_result, x[:, None], questions.channels, group=questions.group
    )
    slope = fit.coefficients()
    assert abs(slope.value[-1] - 1) < 4 * slope.se[-1]
