"""What a survey file says in short: chances of one's own, and a question for each item."""

from fractions import Fraction

import numpy as np
import pytest

import askance as ak
from askance.analysis import prepare_analysis
from askance.channels import GroupedTally
from askance.privacy import Notion
from askance.survey import deployed
from askance_collect.errors import SurveyError

HEAD = """
askance = "survey-1"
title = "Exam"
consent = "Say it or leave."
languages = ["en", "de"]
[[question]]
name = "cheated"
text = { en = "Have you cheated?", de = "Haben Sie betrogen?" }
"""
OWN = """answers = ["yes", "no"]
mechanism = { name = "warner", truth = { each = ["2/3", "3/4", 0.8] } }
"""
ITEMS = """items = ["exam", { name = "essay", en = "In an essay", de = "Im Aufsatz" }]
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
"""


def form_of(question, head=HEAD):
    return ak.publish(ak.parse_survey((head + question).encode()))


def test_chances_of_ones_own_are_groups_by_chance_of_equal_shares():
    form = form_of(OWN)
    (question,) = form.questions
    assert form.document["askance"] == "form-2"
    assert [group.name for group in question.groups] == ["truth 2/3", "truth 3/4", "truth 0.8"]
    assert question.groups[0].wording["de"] == "2/3"
    assert question.reports[2].name == "truth 3/4: yes"
    firsts = [group_question.table.row(0)[0] for group_question in question.group_questions]
    assert firsts == [Fraction(2, 3), Fraction(3, 4), Fraction(4, 5)]
    assert {group_question.table.total * 3 for group_question in question.group_questions} == {
        question.table.total
    }


def test_what_is_promised_is_the_loss_of_whoever_has_the_weakest_chance():
    result = {
        guarantee.notion: guarantee for guarantee in deployed(form_of(OWN).questions[0]).guarantees
    }
    assert result[Notion.LOCAL].value == 4
    assert result[Notion.LOCAL].attained.endswith("in group 'truth 0.8'")


def test_the_estimate_is_that_of_everybody_s_own_chance():
    reports = {0: 30, 1: 70, 2: 20, 3: 80, 4: 25, 5: 75}
    result = prepare_analysis(deployed(form_of(OWN).questions[0])).estimate(reports, 0.95)
    yn = ak.Frame(["yes", "no"])
    parts = {
        truth: ak.Tally(ak.Warner(truth=truth).channel(yn), {"yes": yes, "no": no})
        for truth, yes, no in (("2/3", 30, 70), ("3/4", 20, 80), ("4/5", 25, 75))
    }
    alone = ak.estimate(GroupedTally(parts))
    np.testing.assert_allclose(result.value, alone.value)
    np.testing.assert_allclose(result.se, alone.se)


def test_a_list_may_hold_what_a_parameter_is_written_as():
    text = "[{ yes = '1/6', no = '1/6' }, { yes = '1/4', no = '1/12' }]"
    forced = (
        f"answers = ['yes', 'no']\nmechanism = {{ name = 'forced', forced = {{ each = {text} }} }}"
    )
    (question,) = form_of(forced).questions
    assert [group.name for group in question.groups] == ["forced 1", "forced 2"]
    assert question.group_questions[1].table.row(1)[0] == Fraction(1, 4)
    levels = OWN.replace('truth = { each = ["2/3", "3/4", 0.8] }', "ratio = { each = [2, 3] }")
    assert deployed(form_of(levels).questions[0]).guarantees[0].value == 3


def test_an_answer_may_be_called_each():
    forced = "mechanism = { name = 'forced', forced = { each = '1/6', no = '1/6' } }"
    forced = f"answers = ['each', 'no']\n{forced}"
    assert form_of(forced).questions[0].groups == ()


def test_every_item_is_a_question_of_its_own_about_one_trait():
    form = form_of(ITEMS)
    assert form.document["askance"] == "form-2"
    assert form_of(ITEMS + "grid = false").document["askance"] == "form-1"
    assert [question.name for question in form.questions] == ["cheated_exam", "cheated_essay"]
    assert form.questions[1].text["de"] == "Haben Sie betrogen?\nIm Aufsatz"
    (trait,) = ak.check(form).traits
    assert (trait.name, trait.questions) == ("cheated", ("cheated_exam", "cheated_essay"))
    assert trait.guarantees[0].value == 9


def test_items_may_be_asked_plainly_or_on_a_line():
    plain = ITEMS.replace('mechanism = { name = "warner", truth = "3/4" }', "")
    assert [question.kind for question in form_of(plain).questions] == ["choice", "choice"]
    line = plain.replace('answers = ["yes", "no"]', "line = { lower = 0, upper = 9 }")
    assert [question.kind for question in form_of(line).questions] == ["number", "number"]


def test_items_may_have_chances_of_their_own():
    form = form_of(ITEMS.replace('"3/4"', '{ each = ["2/3", "3/4"] }'))
    assert [len(question.groups) for question in form.questions] == [2, 2]


@pytest.mark.parametrize(
    ("swap", "where", "message"),
    [
        (('["2/3", "3/4", 0.8]', '["2/3"]'), ".mechanism.truth.each", "2 to 16 chances"),
        (('["2/3", "3/4", 0.8]', "[]"), ".mechanism.truth.each", "2 to 16 chances"),
        (('["2/3", "3/4", 0.8]', '["2/3", "2/3"]'), ".mechanism.truth.each[1]", "again"),
        (('["2/3", "3/4", 0.8]', '["1/2", "1/2 "]'), ".mechanism.truth.each[1]", "again"),
        (('["2/3", "3/4", 0.8]', '["1/2", 0.5]'), ".mechanism.truth.each", "only 1 of 2"),
        (("0.8]", "2]"), ".mechanism.truth.each[2]", "got '2'"),
        (("0.8] }", "0.8] }, lie = 1"), ".mechanism.lie", "truth"),
        (("0.8] }", "0.8] }, epsilon = { each = [1, 2] }"), ".mechanism.truth", "one list"),
        (("0.8] }", "0.8], share = 1 }"), ".mechanism.truth", "one list"),
        (('name = "warner", ', ""), ".mechanism.name", "the name of a mechanism"),
        (("answers", "coin = 'my birthday'\nanswers"), ".mechanism.truth", "without line, coin"),
    ],
)
def test_what_is_wrong_with_chances_of_ones_own_is_said_by_its_place(swap, where, message):
    with pytest.raises(SurveyError) as refused:
        form_of(OWN.replace(*swap, 1))
    assert refused.value.where == f"question[0]{where}"
    assert message in str(refused.value)


def test_cuts_of_ones_own_are_refused_on_a_line():
    line = (
        "line = { lower = 0, upper = 9 }\nmechanism = { name = 'cuts', number = { each = [1, 2] } }"
    )
    with pytest.raises(SurveyError, match=r"question\[0\].mechanism.number: .*without line"):
        form_of(line)


@pytest.mark.parametrize(
    ("swap", "where", "message"),
    [
        (('"exam", ', ""), ".items", "2 to 100 items"),
        (('"exam"', '"An exam"'), ".items[0]", "give it a short name"),
        (('"exam"', '"essay"'), ".items[1]", "again"),
        ((', de = "Im Aufsatz"', ""), ".items[1].de", "a text in that language"),
        (('answers = ["yes", "no"]', 'answers = ["yes"]'), ".answers", "2 to 200"),
        (('truth = "3/4"', 'truth = "1/2"'), ".mechanism", "only 1 of 2"),
        (('truth = "3/4"', 'truth = "3/4" }\ncoin = { en = "x", de = "y"'), ".coin", "again"),
    ],
)
def test_what_is_wrong_with_items_is_said_by_its_place(swap, where, message):
    with pytest.raises(SurveyError) as refused:
        form_of(ITEMS.replace(*swap, 1))
    assert refused.value.where == f"question[0]{where}"
    assert message in str(refused.value)


def test_places_behind_items_are_those_of_the_file():
    behind = """
[[question]]
name = "Tea"
text = "Tea?"
answers = ["yes", "no"]
"""
    with pytest.raises(SurveyError) as refused:
        form_of(ITEMS + behind)
    assert refused.value.where == "question[1].name"
    with pytest.raises(SurveyError) as refused:
        form_of(ITEMS + behind.replace("Tea", "cheated_exam"))
    assert refused.value.where == "question[1]"
