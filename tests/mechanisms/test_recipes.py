"""Every recipe of the catalogue: what it yields, and what it refuses."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance import (
    Abstain,
    Cuts,
    Frame,
    InputError,
    KAry,
    Line,
    Redistribute,
    Warner,
    local_loss,
)
from askance.exact.ratio import exp_down
from askance.mechanisms.catalogue import answer_mechanism, range_mechanism

YES_NO, FOUR = Frame(["yes", "no"]), Frame(["a", "b", "c", "d"])
EPSILONS = st.decimals("0.001", 12, places=3)


@given(EPSILONS, st.integers(2, 30))
def test_a_target_is_kept_and_nearly_used_up(epsilon, k):
    frame = Frame([f"a{at}" for at in range(k)])
    for recipe in (
        KAry.at_epsilon(epsilon, answers=k),
        Abstain.at_epsilon(epsilon, answered="7/10", answers=k),
    ):
        loss = math.log(local_loss(recipe.channel(frame)).value)
        assert loss <= float(epsilon) <= loss + 1e-6


@given(EPSILONS, st.fractions("1/1000", 1, max_denominator=10**14), st.integers(2, 13))
def test_a_target_is_kept_whatever_share_is_answered(epsilon, share, k):
    frame = Frame([f"a{at}" for at in range(k)])
    recipe = Abstain.at_epsilon(epsilon, answered=share, answers=k)
    assert local_loss(recipe.channel(frame)).value <= exp_down(epsilon)
    assert abs(recipe.truth + recipe.lie - share) <= Fraction(k, 2**40)


@given(EPSILONS)
def test_warner_is_kary_with_two_answers(epsilon):
    kary = KAry.at_epsilon(epsilon, answers=2).channel(YES_NO)
    assert Warner.at_epsilon(epsilon).channel(YES_NO) == kary


def test_abstain_shares_its_lies_among_the_other_answers():
    rows = Abstain(truth="1/2", lie="3/10").channel(FOUR).table.rows
    assert rows[1] == (1, 5, 1, 1, 2)


def test_abstain_that_always_answers_is_warner():
    one = Abstain(truth="3/4", lie="1/4").channel(YES_NO).matrix
    assert one[:, :2].tolist() == Warner(truth="3/4").channel(YES_NO).matrix.tolist()
    assert one[:, 2].tolist() == [0, 0]


@pytest.mark.parametrize("answers", [["only"], ["yes", "don't know"]])
def test_abstain_tells_two_answers_or_more_from_saying_nothing(answers):
    with pytest.raises(InputError, match=r"^Abstain\.channel: .*two or more answers, none of them"):
        Abstain(truth=0.7, lie=0).channel(Frame(answers))


def test_nothing_may_be_left_to_redistribute():
    assert Redistribute(truth="3/5", lie="2/5", share=1).told == Fraction(3, 5)


@given(st.integers(0, 10), st.integers(2, 5))
def test_redistribute_tells_what_abstain_would_have_kept(share, k):
    frame = Frame([f"a{at}" for at in range(k)])
    silent = Abstain(truth="1/2", lie="3/10").channel(frame).table
    told = Redistribute(truth="1/2", lie="3/10", share=Fraction(share, 10))
    kept = silent.row(0)[-1]
    row = told.channel(frame).table.row(0)
    assert row[0] == silent.row(0)[0] + told.share * kept
    assert sum(row[1:]) == Fraction(3, 10) + (1 - told.share) * kept


@pytest.mark.parametrize(
    "make",
    [
        lambda: Redistribute(truth=0.6, lie=0.5, share=0.5),
        lambda: Redistribute(truth=0.6, lie=0.1, share=1.5),
        lambda: Redistribute(truth=0.6, lie=0.1, share=0.5).channel(Frame(["only"])),
        lambda: Abstain(truth=0.6, lie=0.5),
        lambda: Abstain(truth=1.2, lie=0),
        lambda: Warner(truth=float("nan")),
        lambda: Warner(truth=-0.1),
        lambda: KAry(truth="three"),
        lambda: KAry.at_epsilon(0, answers=3),
        lambda: KAry.at_epsilon(13, answers=3),
        lambda: KAry.at_epsilon(float("inf"), answers=3),
        lambda: Warner(truth=0.7).channel(FOUR),
        lambda: KAry(truth=0.7).channel(Frame(["only"])),
        lambda: Cuts(number=0),
        lambda: Cuts(number=1.5),
        lambda: Cuts(between=[3]),
        lambda: Cuts(between=[4, 9]).channel(Line(0, 4, 1)),
    ],
)
def test_what_no_recipe_can_mean_is_refused(make):
    with pytest.raises(InputError):
        make()


def test_cuts_may_be_kept_to_a_part_of_the_line():
    assert Cuts(between=[1, "2.5"]).channel(Line(0, 4, 1)).weights == (1, 1, 0)
    assert Cuts(number=2, between=(1, 2)).parameters() == {"number": "2", "between": "[1, 2]"}


def test_the_catalogue_builds_each_recipe_from_its_own_parameters():
    resolved = Redistribute(truth="3/5", lie="1/10", share="1/3")
    recipes = (Abstain(truth="3/5", lie="1/10"), KAry(truth="1/2"), Warner(truth="3/4"), resolved)
    for recipe in recipes:
        assert answer_mechanism(recipe.name, recipe.parameters(), YES_NO) == recipe
    assert range_mechanism("cuts", {}) == Cuts(number=1)
    assert range_mechanism("cuts", {"number": 2, "between": [0, 3]}).number == 2
    assert answer_mechanism("kary", {"epsilon": 1}, FOUR) == KAry.at_epsilon(1, answers=4)
    silent = answer_mechanism("abstain", {"epsilon": 1, "answered": 0.5}, YES_NO)
    assert silent.truth + silent.lie == Fraction(1, 2)


@pytest.mark.parametrize(
    ("name", "parameters", "told"),
    [
        ("warnr", {"truth": 1}, "did you mean 'warner'"),
        ("cuts", {}, "not for a question with answers"),
        ("warner", {"truht": 1}, "did you mean 'truth'"),
        ("warner", {}, "truth or epsilon"),
        ("warner", {"truth": 1, "epsilon": 1}, "truth or epsilon"),
        ("abstain", {"truth": 1}, "truth and lie"),
    ],
)
def test_the_catalogue_says_what_it_knows(name, parameters, told):
    with pytest.raises(InputError, match=told):
        answer_mechanism(name, parameters, YES_NO)
    with pytest.raises(InputError, match="not for a line"):
        range_mechanism("warner", {"truth": 1})
