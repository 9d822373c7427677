"""Questions that are skipped: from the survey file to what is sent, told and estimated."""

from collections import Counter

import pytest

import askance as ak
from askance.engines import Counts
from askance.errors import SurveyError
from askance.respond import respond
from askance.wire import Form

SURVEY = """
askance = "survey-1"
title = "Study"
consent = "Say it or leave."
minimum = 1
[[question]]
name = "works"
text = "Do you work?"
answers = ["yes", { name = "no", en = "No" }]
[[question]]
name = "hours"
text = "How many hours a week?"
line = { lower = 0, upper = 80 }
skip = { after = "works", answered = ["no"] }
[[question]]
name = "used"
text = "Have you ever used it?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
[[question]]
name = "month"
text = "In the last month?"
answers = ["often", "seldom", "never"]
mechanism = { name = "kary", truth = "1/2" }
skip = { after = "used", answered = ["no"], send = "never" }
"""


def form_of(text=SURVEY):
    return ak.publish(ak.parse_survey(text.encode()))


def test_rules_are_written_by_positions():
    form = form_of()
    assert form.document["askance"] == "form-2"
    assert form.document["skips"] == [
        {"question": 1, "after": 0, "answered": [1], "send": None},
        {"question": 3, "after": 2, "answered": [1], "send": 2},
    ]
    assert [skip.send for skip in form.skips] == [None, 2]
    assert Form.read(form.bytes).skips == form.skips


def test_what_is_skipped_sends_a_report_of_the_same_form_and_length():
    form = form_of()
    here = [respond(form, {"works": 1, "hours": 8, "used": 1, "month": 0}) for _ in range(900)]
    asked = [respond(form, {"works": 0, "hours": 8, "used": 0, "month": 0}) for _ in range(900)]
    assert {len(one.body(form.size)) for one in here + asked} == {form.size}
    assert {one.values["hours"] for one in here} == {None}
    assert {one.values["hours"] for one in asked} == {8}
    for told in (here, asked):
        assert {one.values["month"] for one in told} == {0, 1, 2}
    sent = Counter(one.values["month"] for one in here)
    assert sent[2] > sent[0]


def test_a_rule_is_passed_over_where_the_earlier_question_is_not_answered():
    values = {respond(form_of(), {"works": None, "hours": 8}).values["hours"] for _ in range(5)}
    assert values == {8}


def test_a_follow_up_left_out_is_no_blank_that_says_who_was_asked():
    form = form_of()
    for used in (0, 1, None):
        said = [respond(form, {"works": 0, "hours": 8, "used": used}) for _ in range(300)]
        assert {one.values["month"] for one in said} == {0, 1, 2}


def test_losses_of_a_protected_answer_and_of_what_follows_from_it_add_up():
    (trait,) = ak.check(form_of()).traits
    assert (trait.name, trait.questions) == ("used", ("used", "month"))
    assert trait.guarantees[0].value == 6


def test_check_and_analysis_say_who_is_not_asked():
    form = form_of()
    judged = {one.name: one.words for one in ak.check(form).questions}
    hours = "Not asked of whoever answers “no” to works: nothing is sent for them."
    month = "Not asked of whoever answers “no” to used: “never”, as any answer, is sent for them."
    assert judged["hours"][-1] == hours
    assert judged["month"][-1] == month
    assert not any("Not asked" in told for told in judged["used"])
    values = {"works": {0: 3}, "hours": {7: 3}, "used": {0: 3}, "month": {2: 2, 0: 1}}
    found = ak.analyse(form, Counts(3, values)).findings
    assert found[3].sent[-1] == month


def test_what_follows_may_be_asked_of_items_and_in_turn():
    text = SURVEY.replace('text = "In the last month?"', 'text = "?"\nitems = ["tea", "gin"]')
    text += """
[[question]]
name = "today"
text = "Today?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
skip = { after = "month_gin", answered = ["never", "seldom"], send = "no" }
"""
    form = form_of(text)
    rules = [(one.question, one.after, one.answered, one.send) for one in form.skips[1:]]
    assert rules == [(3, 2, (1,), 2), (4, 2, (1,), 2), (5, 4, (2, 1), 1)]
    (trait,) = ak.check(form).traits
    assert trait.questions == ("used", "month_tea", "month_gin", "today")
    values = respond(form, {"used": 1}).values
    assert None not in {values["month_gin"], values["today"]}


@pytest.mark.parametrize(
    ("swap", "where", "said"),
    [
        (('after = "works"', 'after = "month"'), "[1].skip.after", "move this question below"),
        (('after = "works"', 'after = "hours"'), "[1].skip.after", "a question above"),
        (('after = "works"', 'after = "wroks"'), "[1].skip.after", "works"),
        (('after = "used"', 'after = "hours"'), "[3].skip.after", "a question with answers"),
        (('answered = ["no"]', 'answered = ["on"]'), "[1].skip.answered", "yes, no"),
        (('answered = ["no"]', "answered = []"), "[1].skip.answered", "at least one"),
        (('answered = ["no"]', 'answered = ["no", "no"]'), "[1].skip.answered", "once"),
        (('["no"] }', '["no"], send = "1" }'), "[1].skip", "a line"),
        ((', send = "never"', ""), "[3].skip.send", "a report for everybody"),
        (('send = "never"', 'send = "nver"'), "[3].skip.send", "never"),
        (
            ('name = "kary", truth = "1/2" }', 'name = "kary", truth = "1/2" }\ntrait = "x"'),
            "[3].trait",
            "used",
        ),
        (('mechanism = { name = "kary", truth = "1/2" }', ""), "[3].skip.after", "protect this"),
        (('truth = "1/2" }', 'truth = "1/2" }\ncoin = "a birthday"'), "[3].skip.after", "no coin"),
        (("minimum = 1", "minim = 1"), "minim", "minimum"),
        (
            ('name = "works"\n', 'name = "works"\nsection = { title = "W", order = "random" }\n'),
            "[1].skip.after",
            "chance makes the order",
        ),
    ],
)
def test_what_is_wrong_with_a_rule_is_said_by_its_place(swap, where, said):
    with pytest.raises(SurveyError) as refused:
        form_of(SURVEY.replace(*swap, 1))
    assert refused.value.where.removeprefix("question") == where
    assert said in str(refused.value)


def test_a_rule_on_a_section_before_is_kept_whatever_its_order():
    begun = SURVEY.replace('name = "used"\n', 'name = "used"\nsection = { title = "U" }\n').replace(
        'name = "works"\n', 'name = "works"\nsection = { title = "W" }\n'
    )
    assert len(form_of(begun).skips) == 2
