"""Recommendations: within the bounds, as good as can be, and ready to paste."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance import Abstain, Frame, KAry, Warner, local_loss, parse_survey, publish
from askance.design import (
    AOptimal,
    LocalDifferentialPrivacy,
    compare,
    expected_half_width,
    joint_pair,
    optimal_channel,
    plan,
    question_block,
)
from askance.mechanisms import TableMechanism
from askance.privacy import advantage, walley_loss
from askance.survey import deployed
from askance_collect.errors import InputError

YES_NO = Frame(["yes", "no"])
HEAD = 'askance = "survey-1"\ntitle = "T"\nconsent = "C"\n'
Z = 1.959963984540054
LOSSES = st.decimals("0.05", 6, places=2)
GAINS = st.decimals("0.01", "0.99", places=2)


@given(st.integers(2, 6), st.none() | LOSSES, st.none() | GAINS, st.none() | LOSSES)
@settings(max_examples=60, deadline=None)
@pytest.mark.long
def test_every_alternative_keeps_every_bound(k, epsilon, gain, walley):
    if epsilon is gain is walley is None:
        return
    frame = Frame([f"a{index}" for index in range(k)])
    for alternative in compare(frame, epsilon=epsilon, advantage=gain, walley=walley).alternatives:
        for bound, judge in ((epsilon, local_loss), (walley, walley_loss)):
            assert bound is None or math.log(judge(alternative.channel).value) <= bound
        assert gain is None or advantage(alternative.channel).value <= Fraction(gain)


@given(st.none() | LOSSES, st.none() | GAINS, st.floats(0.05, 0.95))
@settings(max_examples=30, deadline=None)
@pytest.mark.long
def test_two_answers_are_told_as_well_as_can_be(epsilon, gain, share):
    if epsilon is gain is None:
        return
    best = 1 / float(joint_pair(gain, epsilon).information(share))
    result = plan(YES_NO, epsilon=epsilon, advantage=gain, prevalence=share, half_width=0.3)
    variance = result.recommended.design_effect * share * (1 - share)
    assert best * (1 - 1e-9) <= variance <= best * 1.011
    assert variance * (1 - result.efficiency_loss) == pytest.approx(best, rel=1e-6)


def worst_variance(channel, shares):
    """Give the variance of one report, for the share that fares worst, from many of them."""
    return expected_half_width(channel, 10**12, prevalence=shares) ** 2 * 10**12 / Z**2


@given(st.integers(2, 5), st.floats(0.1, 4), st.floats(0.05, 0.9), st.floats(1, 1.5))
@settings(max_examples=20, deadline=None)
@pytest.mark.long
def test_a_relaxed_bound_never_costs_more(k, epsilon, gain, looser):
    frame, shares = Frame([f"a{index}" for index in range(k)]), np.full(k, 1 / k)
    tight = {"epsilon": round(epsilon, 3), "advantage": round(gain, 3)}
    loose = {
        "epsilon": round(epsilon * looser, 3),
        "advantage": min(round(gain * looser, 3), 0.999),
    }
    plans = [plan(frame, **bounds, half_width=0.3) for bounds in (tight, loose)]
    before, after = (
        worst_variance(item.recommended.channel, shares) * (1 - item.efficiency_loss)
        for item in plans
    )
    assert after <= before * (1 + 1e-6)


@pytest.mark.long
def test_the_kind_of_bound_decides_between_lying_and_silence():
    recommended = {
        "lie": plan(YES_NO, epsilon=1, half_width=0.05),
        "silence": plan(YES_NO, advantage="1/2", half_width=0.05),
        "both": plan(YES_NO, epsilon=2, advantage="1/2", half_width=0.05),
    }
    result = {name: item.recommended.mechanism for name, item in recommended.items()}
    assert result == {
        "lie": Warner(truth="731/1000"),
        "silence": Abstain(truth="1/2", lie=0),
        "both": Abstain(truth="579/1000", lie="79/1000"),
    }
    assert recommended["silence"].efficiency_loss == 0
    assert "some report proves an answer" in repr(recommended["silence"])
    assert "proof" not in repr(recommended["both"])
    assert 0 < recommended["both"].efficiency_loss < 0.01


@pytest.mark.long
def test_a_plan_ranks_by_reports_and_shows_the_present_and_the_plain():
    result = plan(
        YES_NO, epsilon=1.5, prevalence=0.1, half_width=0.05, current=Abstain(truth=0.6, lie=0.2)
    )
    sizes = [alternative.size.reports for alternative in result.alternatives]
    assert sizes == sorted(sizes)
    assert result.direct.size.reports < sizes[0]
    text = repr(result)
    assert "as it is asked now" in text
    assert max(map(len, text.splitlines())) <= 80
    assert "<table>" in result._repr_html_()
    written = result.to_dict()
    assert written["alternatives"][0]["mechanism"]["name"] == "warner"
    assert written["plain"]["guarantees"]["local"] is None
    assert written["current"]["size"]["reports"] == result.current.size.reports


@pytest.mark.long
@pytest.mark.parametrize("epsilon", [0.3, 1, 1.7, 2.9])
@pytest.mark.parametrize("answers", [2, 3, 4])
def test_nothing_is_recommended_that_is_worse_than_what_is_asked_now(epsilon, answers):
    """A recipe at a loss is written in finer parts than a recommendation that people can read."""
    frame = Frame(f"answer {index}" for index in range(answers))
    often = math.exp(epsilon) / (math.exp(epsilon) + answers - 1)
    questions = TableMechanism.of(KAry(truth=Fraction(int(10**9 * often), 10**9)).channel(frame))
    result = plan(frame, epsilon=epsilon, half_width=0.05, current=questions)
    assert result.recommended.size.reports <= result.current.size.reports
    assert result.current in result.alternatives
    assert repr(result).count("as it is asked now") == 1 + (result.recommended is result.current)


def test_a_recipe_at_a_level_is_asked_now_with_the_chances_for_its_answers():
    frame = Frame(["a", "b", "c"])
    result = plan(frame, epsilon=1, half_width=0.1, current=KAry.at_epsilon(ratio=3))
    assert result.current.mechanism == KAry(truth="3/5")
    assert result.current.guarantees[0].value == 3


@pytest.mark.long
def test_what_is_asked_now_is_recommended_only_if_it_keeps_the_bounds():
    better = Warner(truth="9/10")  # tells more, but its loss is ln 9
    result = plan(YES_NO, epsilon=1, half_width=0.05, current=better)
    assert result.current.size.reports < result.recommended.size.reports
    assert result.current not in result.alternatives


@pytest.mark.long
def test_a_plan_says_for_which_shares_its_numbers_are():
    assert "if answers were spread evenly" in repr(plan(YES_NO, epsilon=1, half_width=0.1))
    result = plan(YES_NO, epsilon=1, half_width=0.1, prevalence=0.2)
    assert "if shares were 0.2 and 0.8" in repr(result)
    assert result.to_dict()["plain"]["size"]["spread"] == "if shares were 0.2 and 0.8"


def test_a_plan_can_be_for_power():
    result = plan(YES_NO, epsilon=1.7, prevalence=0.2, null_prevalence=0.1, power=0.9)
    assert result.recommended.size.attained >= 0.9
    assert "power 0.9" in result.aim


@pytest.mark.parametrize(
    "bounds", [{"epsilon": 1}, {"advantage": 0.4}, {"walley": 1.5}, {"ratio": "5/2"}]
)
@pytest.mark.parametrize("answers", [["yes", "no"], ['"a"', "b\\", "c = é", "d"]])
@pytest.mark.long
def test_the_block_is_published_as_it_was_planned(bounds, answers):
    frame = Frame(answers)
    result = plan(frame, **bounds, half_width=0.3)
    text = HEAD + result.block(name="q", text='Do you "really"?', blank="1/20")
    question = publish(parse_survey(text.encode())).questions[0]
    assert deployed(question).channel == result.recommended.channel
    assert question.blank == (1, 20)
    assert question.text["en"] == 'Do you "really"?'


@pytest.mark.long
def test_a_bound_said_as_a_ratio_is_the_same_bound():
    by_ratio = plan(YES_NO, ratio=3, walley_ratio=4, half_width=0.3)
    assert by_ratio.bounds == "local ε ≤ ln 3, Walley's ε ≤ ln 4"
    assert by_ratio.recommended.description == "warner: truth 0.75"
    assert by_ratio.recommended.guarantees[0].value == 3
    by_epsilon = compare(YES_NO, epsilon=math.log(3), walley=math.log(4))
    same = compare(YES_NO, ratio=3, walley_ratio=4)
    for alternative, other in zip(same.alternatives, by_epsilon.alternatives, strict=True):
        assert alternative.design_effect <= other.design_effect * (1 + 1e-9)
        assert alternative.guarantees[0].value <= 3
    with pytest.raises(InputError, match="epsilon and ratio"):
        compare(YES_NO, epsilon=1, ratio=3)
    with pytest.raises(InputError, match="walley and walley_ratio"):
        compare(YES_NO, walley=1, walley_ratio=3)


@pytest.mark.long
def test_for_many_answers_the_best_channel_of_all_is_recommended():
    """At a small loss naming sets of answers tells more than naming one: subset selection."""
    frame = Frame([f"a{index}" for index in range(10)])
    result = plan(frame, epsilon="0.5", half_width=0.3)
    best, named = result.alternatives[0], result.alternatives[1]
    assert isinstance(best.mechanism, TableMechanism)
    assert best.design_effect < 0.7 * named.design_effect
    assert math.log(local_loss(best.channel).value) <= 0.5
    (question,) = publish(parse_survey((HEAD + result.block(name="q")).encode())).questions
    assert deployed(question).channel == best.channel
    assert 0 < result.efficiency_loss < 0.01
    assert best.channel.table.total <= 1_000_000
    uneven = [0.5, 0.3, 0.15, 0.05]
    design = plan(Frame(["a", "b", "c", "d"]), epsilon=1, prevalence=uneven, half_width=0.3)
    assert all(
        math.log(local_loss(alternative.channel).value) <= 1 for alternative in design.alternatives
    )


def test_what_whole_parts_cost_is_what_finer_ones_would_save():
    frame = Frame([f"a{index}" for index in range(6)])
    few, many = (plan(frame, epsilon=1, half_width=0.1, total=to) for to in (1_000, 1_000_000))
    rough, fine = (item.recommended.design_effect for item in (few, many))
    assert many.efficiency_loss < 1e-6 < few.efficiency_loss
    assert 1 - fine / rough == pytest.approx(few.efficiency_loss, abs=1e-5)
    text = few.block(name="q")
    assert "/" not in text
    assert max(map(len, text.splitlines())) < 200


@given(st.integers(6, 9), st.decimals("0.3", 1, places=1), st.sampled_from([100, 1_000]))
@settings(max_examples=10, deadline=None)
@pytest.mark.long
def test_a_coarse_table_keeps_the_bounds(k, epsilon, total):
    """The best of all channels, which names sets of answers, is written in few whole parts."""
    frame, shares = Frame([f"a{index}" for index in range(k)]), [1 / k] * k
    ways = compare(frame, epsilon=epsilon, total=total).alternatives
    (result,) = (item.channel for item in ways if isinstance(item.mechanism, TableMechanism))
    assert math.log(local_loss(result).value) <= epsilon
    assert result.table.total <= 1_000_000
    utility = AOptimal(prior=shares)
    fine = optimal_channel(frame, LocalDifferentialPrivacy(epsilon), utility=utility).channel
    assert worst_variance(fine, shares) >= 0.99 * worst_variance(result, shares) * (1 - 1e-9)


def test_a_table_is_pasted_too():
    rows = [["1/3", "1/6", "1/2"], ["1/6", "1/3", "1/2"]]
    reports = {"yes": ["yes"], "no": ["no"], 'can"t say': ["yes", "no"]}
    mechanism = TableMechanism(reports=reports, rows=rows)
    text = HEAD + question_block(mechanism, YES_NO, name="q")
    question = publish(parse_survey(text.encode())).questions[0]
    assert deployed(question).channel == mechanism.channel(YES_NO)
    assert question.reports[2].wording["en"] == 'can"t say'


def test_a_comparison_is_a_table_json_and_a_picture():
    compare_result = compare(YES_NO, advantage="1/2")
    assert "per plain answer" in repr(compare_result)
    assert "<table>" in compare_result._repr_html_()
    assert compare_result.to_dict()["alternatives"][0]["design_effect"] == pytest.approx(2)
    from matplotlib import pyplot

    axes = compare_result.plot(pyplot.figure().subplots())
    assert len(axes.patches) == len(compare_result.alternatives)
    pyplot.close(axes.figure)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "no bound"),
        ({"epsilon": 0}, "epsilon"),
        ({"epsilon": 12.5}, "ask plainly"),
        ({"epsilon": "one"}, "a number"),
        ({"advantage": 0}, "no report says anything"),
        ({"advantage": 1}, "ask plainly"),
        ({"walley": -1}, "walley"),
        ({"epsilon": 1, "prevalence": 0}, "strictly between"),
        ({"epsilon": "0.0001", "total": 100}, "more parts"),
        ({"epsilon": 1, "total": 0}, "total"),
    ],
)
def test_what_cannot_be_is_refused(given, told):
    with pytest.raises(InputError, match=told):
        compare(YES_NO, **given)


def test_one_answer_is_no_question():
    with pytest.raises(InputError, match="two or more answers"):
        plan(Frame(["only"]), epsilon=1, half_width=0.3)
