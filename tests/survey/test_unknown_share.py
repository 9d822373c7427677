"""An unrelated question whose harmless share nobody knows: from the survey file to the estimate."""

import math
from fractions import Fraction

import numpy as np
import pytest

import askance as ak
from askance.analysis import prepare_analysis
from askance.engines import Counts
from askance.study import invent_answers, operating_characteristics
from askance.survey import deployed
from askance_collect.errors import SurveyError
from askance_collect.wire import Form

SURVEY = """
askance = "survey-1"
title = "Exams"
consent = "Say it or leave."
minimum = 1
[[question]]
name = "cheated"
text = "A or B?"
answers = ["yes", "no"]
mechanism = { name = "unrelated", asked = ["7/10", "2/10"], share = "2/5" }
coin = "a die, and the house number of a friend"
"""


def form_of(text=SURVEY):
    return ak.publish(ak.parse_survey(text.encode()))


def greenberg(yes, of, questions):
    """Greenberg et al. (1969): the share with the trait, and its standard error, of two samples."""
    (item, other), (p, q) = (first / n for first, n in zip(yes, of, strict=True)), questions
    share = (item * (1 - q) - other * (1 - p)) / (p - q)
    parts = (1 - q) ** 2 * item * (1 - item) / of[0] + (1 - p) ** 2 * other * (1 - other) / of[1]
    return share, math.sqrt(parts) / abs(p - q)


def test_pairs_of_answers_stand_behind_replies_and_sets_of_them_are_learnt():
    form = form_of()
    (question,) = form.questions
    assert [answer.name for answer in question.answers] == [
        "first: yes",
        "first: no",
        "second: yes",
        "second: no",
    ]
    coin = question.coin
    assert [answer.name for answer in coin.answers] == ["yes, yes", "yes, no", "no, yes", "no, no"]
    assert [(label.name, content) for label, content in coin.sets] == [
        ("yes", (0, 1)),
        ("no", (2, 3)),
    ]
    chances = [Fraction(units, coin.table.total) for units in coin.table.rows[1]]
    assert chances == [Fraction(part, 100) for part in (28, 12, 12, 48)]
    assert Form.read(form.bytes).questions == form.questions


@pytest.mark.parametrize(
    "messages", [{0: 240, 1: 160, 2: 330, 3: 270}, {0: 60, 1: 40, 2: 99, 3: 41}]
)
def test_the_estimate_is_that_of_two_samples(messages):
    result = prepare_analysis(deployed(form_of().questions[0])).estimate(messages, 0.95)
    sizes = messages[0] + messages[1], messages[2] + messages[3]
    share, se = greenberg((messages[0], messages[2]), sizes, (0.7, 0.2))
    assert result.labels == ("yes", "no")
    assert result.value == pytest.approx([share, 1 - share], abs=1e-6)
    assert result.se == pytest.approx([se, se], rel=1e-4)
    assert result.lower[0] < share < result.upper[0]
    assert result.upper[0] - result.lower[0] == pytest.approx(2 * 1.96 * se, rel=0.05)
    assert result.reports == sum(messages.values())


def test_shares_stay_inside_and_nothing_is_learnt_of_nothing():
    deployed_question = deployed(form_of().questions[0])
    result = prepare_analysis(deployed_question).estimate({1: 50, 2: 70}, 0.95)
    assert (result.value >= 0).all()
    assert (result.lower <= result.value).all()
    assert (result.value <= result.upper).all()
    empty = prepare_analysis(deployed_question).learn({None: 5}, 0.9)
    assert np.isnan(empty.estimate.value).all()
    assert (empty.estimate.lower.tolist(), empty.estimate.upper.tolist()) == ([0, 0], [1, 1])


def test_false_replies_move_it_as_far_as_the_weights_of_replies_reach():
    deployed_question = deployed(form_of().questions[0])
    poisoning = prepare_analysis(deployed_question).bound_poisoning(10, 1_000)
    weights = np.linalg.pinv(deployed_question.channel.matrix) @ [1, 1, 0, 0]
    assert deployed_question.channel.matrix @ weights == pytest.approx([1, 1, 0, 0])
    assert poisoning.max_shift >= poisoning.direct_shift == 1
    assert "an unbiased share" in poisoning.sentence


def test_check_says_who_can_learn_what_and_analysis_names_the_shares():
    form = form_of()
    (judged,) = ak.check(form).questions
    words = " ".join(judged.sentences)
    assert (
        "Anyone who knows a person's harmless answer can learn the other one for certain"
    ) in words
    worst = max((part * a + (1 - part) * h) / ((1 - part) * h) for part, h, a in [(0.7, 0.1, 1)])
    assert f"more than {math.ceil(10 * worst) / 10:g} times as likely" in words
    assert "from anyone who knows neither" in judged.protection
    values = {"cheated": {0: 200, 1: 200, 2: 350, 3: 250, None: 3}}
    (finding,) = ak.analyse(form, Counts(1_003, values)).findings
    assert finding.protected
    assert (finding.reports, finding.blank) == (1_000, 3)
    assert set(finding.wording) == {"yes", "no"}
    assert finding.estimate.labels == ("yes", "no")


def test_a_group_share_that_is_not_the_form_s_is_told_and_moves_nothing():
    deployed_question = deployed(form_of().questions[0])
    even, odd = {0: 400, 1: 400, 2: 110, 3: 90}, {0: 100, 1: 100, 2: 440, 3: 360}
    item, other = (
        prepare_analysis(deployed_question).learn(reports, 0.95) for reports in (even, odd)
    )
    assert item.estimate.value == pytest.approx(other.estimate.value, abs=1e-6)
    assert item.fit.doubted


@pytest.mark.long
def test_it_is_rehearsed_by_the_shares_of_sets():
    form = form_of()
    people = invent_answers(form, {"cheated": [1, 1, 3, 5]}, people=1_000)
    assert people.truth["cheated"] == {"yes": 0.2, "no": 0.8}
    (result,) = operating_characteristics(form, people, people=800, repetitions=15, rng=3)
    yes = result.collections[0].accuracy[0]
    assert (yes.name, yes.truth) == ("yes", 0.2)
    assert abs(yes.bias) < 0.05
    assert yes.covered >= 0.8


@pytest.mark.parametrize(
    ("swap", "where", "message"),
    [
        (('coin = "a die, and the house number of a friend"', ""), ".coin", "protects better"),
        (('"2/10"]', '"7/10"]'), ".mechanism.asked", "differ"),
        (('"2/10"]', '"1"]'), ".mechanism.asked", "below 1"),
        (('"2/10"]', '"2/10", "1/10"]'), ".mechanism.asked", "two chances"),
        (('"2/10"]', '"few"]'), ".mechanism.asked", "few"),
        (('share = "2/5"', 'share = "1"'), ".mechanism.asked", "between 0 and 1"),
        (('share = "2/5"', 'truth = "1"'), ".mechanism", "share"),
        (('"unrelated"', '"crosswise"'), ".mechanism", 'name = "unrelated"'),
    ],
)
def test_what_is_wrong_is_said_by_its_place(swap, where, message):
    with pytest.raises(SurveyError) as refused:
        form_of(SURVEY.replace(*swap))
    assert refused.value.where == f"question[0]{where}"
    assert message in str(refused.value)
