"""Every recipe of the catalogue: what it yields, and what it refuses."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance import Abstain, Cuts, Frame, KAry, Line, Warner, local_loss
from askance.mechanisms import Redistribute, answer_mechanism, range_mechanism
from askance.mechanisms.randomised_response import largest_ratio
from askance.privacy import Guarantee, Notion
from askance.survey import deployable
from askance_collect.errors import InputError
from askance_collect.exact import exp_down
from askance_collect.exact.level import log_nearest

YES_NO, FOUR = Frame(["yes", "no"]), Frame(["a", "b", "c", "d"])
EPSILONS = st.decimals("0.001", 12, places=3)


def answers(k):
    return Frame([f"a{index}" for index in range(k)])


@given(EPSILONS, st.integers(2, 30))
def test_a_target_is_kept_and_used_up(epsilon, k):
    for recipe in (
        KAry.at_epsilon(epsilon),
        Abstain.at_epsilon(epsilon, answered="7/10"),
    ):
        result = local_loss(recipe.channel(answers(k))).value
        assert result <= exp_down(epsilon)
        assert log_nearest(result) == float(epsilon)
        assert Guarantee(Notion.LOCAL, result, "").epsilon == float(epsilon)


@pytest.mark.parametrize("epsilon", [1, "0.1", 3, 12])
def test_one_recipe_has_its_level_for_every_number_of_answers(epsilon):
    for level in (KAry.at_epsilon(epsilon), Abstain.at_epsilon(epsilon)):
        for k in (2, 3, 5, 9, 40):
            result = local_loss(level.channel(answers(k))).value
            assert result <= exp_down(epsilon)
            assert log_nearest(result) == float(epsilon)


@pytest.mark.long
@given(st.fractions("1001/1000", 160_000, max_denominator=10**6), st.integers(2, 30))
def test_a_level_that_is_said_as_a_ratio_is_met_exactly(ratio, k):
    for level in (KAry.at_epsilon(ratio=ratio), Abstain.at_epsilon(ratio=ratio)):
        assert local_loss(level.channel(answers(k))).value == ratio
    half = Abstain.at_epsilon(ratio=ratio, answered="1/2")
    assert local_loss(half.channel(answers(k))).value == ratio
    if k == 2:
        assert local_loss(Warner.at_epsilon(ratio=ratio).channel(YES_NO)).value == ratio


def test_the_logarithm_of_a_ratio_gives_the_ratio_or_less():
    for ratio in range(2, 100):
        result = local_loss(KAry.at_epsilon(math.log(ratio)).channel(FOUR)).value
        assert ratio * (1 - Fraction(1, 10**14)) <= result <= ratio


@given(EPSILONS, st.fractions(0, 1, max_denominator=10**14), st.integers(2, 13))
def test_a_target_is_kept_whatever_share_is_answered(epsilon, share, k):
    recipe = Abstain.at_epsilon(epsilon, answered=share).on(answers(k))
    assert local_loss(recipe.channel(answers(k))).value <= exp_down(epsilon)
    assert recipe.truth + recipe.lie == share


@pytest.mark.long
@pytest.mark.parametrize(
    "share", [10.0**-index for index in range(18)] + ["0.99999999999999999", 0]
)
@pytest.mark.parametrize("k", [2, 3, 7])
@pytest.mark.parametrize("epsilon", ["1e-17", 0.001, 1, 12])
def test_a_target_is_kept_at_the_edges_of_what_a_table_holds(share, k, epsilon):
    channel = Abstain.at_epsilon(epsilon, answered=share).channel(answers(k))
    assert local_loss(channel).value <= exp_down(epsilon)
    if (share, epsilon) == ("0.99999999999999999", "1e-17"):  # Walley's loss sees any silence
        with pytest.raises(InputError, match="chances that keep what they promise"):
            deployable(channel)
        return
    deployable_result = deployable(channel)
    assert deployable_result.table.total <= 2**48
    assert local_loss(deployable_result).value <= exp_down(epsilon)


@given(
    st.fractions(1, 1000, max_denominator=10**6),
    st.integers(1, 5),
    st.integers(10, 400),
)
def test_the_largest_ratio_that_fits_is_found(most, others, total):
    best = max(
        Fraction(min(int(most * b), total - others * b), b)
        for b in range(1, total // (others + 1) + 1)
    )
    a, b = largest_ratio(most, others, total)
    assert Fraction(a, b) == best
    assert a + others * b <= total


def test_a_level_is_a_value():
    assert KAry.at_epsilon("1") == KAry.at_epsilon(1) != KAry.at_epsilon(2)
    assert KAry.at_epsilon(ratio=3) != Warner.at_epsilon(ratio=3)
    assert repr(KAry.at_epsilon(1)) == "KAry.at_epsilon(epsilon='1')"
    level = Abstain.at_epsilon(ratio="5/2", answered=0.7)
    assert repr(level) == "Abstain.at_epsilon(ratio='5/2', answered='7/10')"
    assert level.parameters() == {"ratio": "5/2", "answered": "7/10"}
    assert answer_mechanism("abstain", level.parameters(), FOUR) == level.on(FOUR)
    assert len({KAry.at_epsilon(1), KAry.at_epsilon("1.0"), KAry.at_epsilon(ratio=3)}) == 2


@given(EPSILONS)
def test_warner_is_kary_with_two_answers(epsilon):
    kary = KAry.at_epsilon(epsilon).channel(YES_NO)
    assert Warner.at_epsilon(epsilon).channel(YES_NO) == kary


def test_abstain_shares_its_lies_among_the_other_answers():
    rows = Abstain(truth="1/2", lie="3/10").channel(FOUR).table.rows
    assert rows[1] == (1, 5, 1, 1, 2)


def test_abstain_that_always_answers_is_warner():
    item = Abstain(truth="3/4", lie="1/4").channel(YES_NO).matrix
    assert item[:, :2].tolist() == Warner(truth="3/4").channel(YES_NO).matrix.tolist()
    assert item[:, 2].tolist() == [0, 0]


@pytest.mark.parametrize("answers", [["only"], ["yes", "don't know"]])
def test_abstain_tells_two_answers_or_more_from_saying_nothing(answers):
    with pytest.raises(InputError, match=r"^Abstain\.channel: .*two or more answers, none of them"):
        Abstain(truth=0.7, lie=0).channel(Frame(answers))


def test_nothing_may_be_left_to_redistribute():
    assert Redistribute(truth="3/5", lie="2/5", share=1).final_truth == Fraction(3, 5)


@given(st.integers(0, 10), st.integers(2, 5))
def test_redistribute_tells_what_abstain_would_have_kept(share, k):
    frame = Frame([f"a{index}" for index in range(k)])
    silent = Abstain(truth="1/2", lie="3/10").channel(frame).table
    redistribute = Redistribute(truth="1/2", lie="3/10", share=Fraction(share, 10))
    remaining = silent.row(0)[-1]
    row = redistribute.channel(frame).table.row(0)
    assert row[0] == silent.row(0)[0] + redistribute.share * remaining
    assert sum(row[1:]) == Fraction(3, 10) + (1 - redistribute.share) * remaining


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
        lambda: KAry.at_epsilon(),
        lambda: KAry.at_epsilon(1, ratio=3),
        lambda: KAry.at_epsilon(ratio=1),
        lambda: KAry.at_epsilon(ratio=162_755),
        lambda: KAry.at_epsilon(1).channel(Frame(["only"])),
        lambda: Warner.at_epsilon(1).channel(FOUR),
        lambda: Warner.at_epsilon(1).on(FOUR),
        lambda: Abstain.at_epsilon(1).channel(Frame(["yes", "don't know"])),
        lambda: KAry.at_epsilon(0),
        lambda: KAry.at_epsilon(13),
        lambda: KAry.at_epsilon(float("inf")),
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
    assert Cuts(between=[1, "2.5"]).channel(Line(0, 4, 1)).cut_weights == (1, 1, 0)
    assert Cuts(number=2, between=(1, 2)).parameters() == {"number": "2", "between": "[1, 2]"}


def test_the_catalogue_builds_each_recipe_from_its_own_parameters():
    resolved = Redistribute(truth="3/5", lie="1/10", share="1/3")
    recipes = (Abstain(truth="3/5", lie="1/10"), KAry(truth="1/2"), Warner(truth="3/4"), resolved)
    for recipe in recipes:
        assert answer_mechanism(recipe.name, recipe.parameters(), YES_NO) == recipe
    assert range_mechanism("cuts", {}) == Cuts(number=1)
    assert range_mechanism("cuts", {"number": 2, "between": [0, 3]}).number == 2
    assert answer_mechanism("kary", {"epsilon": 1}, FOUR) == KAry.at_epsilon(1).on(FOUR)
    assert answer_mechanism("warner", {"ratio": 3}, YES_NO) == Warner(truth="3/4")
    silent = answer_mechanism("abstain", {"epsilon": 1, "answered": 0.5}, YES_NO)
    assert silent.truth + silent.lie == Fraction(1, 2)


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("warnr", {"truth": 1}, "did you mean 'warner'"),
        ("cuts", {}, "not for a question with answers"),
        ("warner", {"truht": 1}, "did you mean 'truth'"),
        ("warner", {}, "truth or epsilon or ratio"),
        ("warner", {"truth": 1, "epsilon": 1}, "truth or epsilon"),
        ("abstain", {"truth": 1}, "truth and lie"),
    ],
)
def test_the_catalogue_says_what_it_knows(name, parameters, message):
    with pytest.raises(InputError, match=message):
        answer_mechanism(name, parameters, YES_NO)
    with pytest.raises(InputError, match="not for a line"):
        range_mechanism("warner", {"truth": 1})
