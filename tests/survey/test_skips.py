"""Questions that are skipped: from the survey file to what is sent, told and estimated."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from rich.console import Console

import askance as ak
from askance.engines import Counts
from askance.present import describe_instrument, estimate_table, render_analysis
from askance_collect.errors import SurveyError
from askance_collect.respond import encode, follow_skips, respond
from askance_collect.wire import Form

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
    responses = [respond(form, {"works": 1, "hours": 8, "used": 1, "month": 0}) for _ in range(900)]
    questions = [respond(form, {"works": 0, "hours": 8, "used": 0, "month": 0}) for _ in range(900)]
    assert {len(response.body(form.size)) for response in responses + questions} == {form.size}
    assert {response.values["hours"] for response in responses} == {None}
    assert {question.values["hours"] for question in questions} == {8}
    for result in (responses, questions):
        assert {item.values["month"] for item in result} == {0, 1, 2}
    counts = Counter(response.values["month"] for response in responses)
    assert counts[2] > counts[0]


def test_a_rule_is_passed_over_where_the_earlier_question_is_not_answered():
    values = {respond(form_of(), {"works": None, "hours": 8}).values["hours"] for _ in range(5)}
    assert values == {8}


def test_a_follow_up_left_out_is_no_blank_that_says_who_was_asked():
    form = form_of()
    for used in (0, 1, None):
        responses = [respond(form, {"works": 0, "hours": 8, "used": used}) for _ in range(300)]
        assert {response.values["month"] for response in responses} == {0, 1, 2}


def test_losses_of_a_protected_answer_and_of_what_follows_from_it_add_up():
    (trait,) = ak.check(form_of()).traits
    assert (trait.name, trait.questions) == ("used", ("used", "month"))
    assert trait.guarantees[0].value == 6


def test_check_and_analysis_say_who_is_not_asked():
    form = form_of()
    judged = {question.name: question.sentences for question in ak.check(form).questions}
    hours = "Not asked after “no” to works: nothing is sent."
    month = "Not asked after “no” to used: a report drawn from “never” is sent."
    assert judged["hours"][-1] == hours
    assert judged["month"][-1] == month
    assert not any("Not asked" in output for output in judged["used"])
    values = {"works": {0: 3}, "hours": {7: 3}, "used": {0: 3}, "month": {2: 2, 0: 1}}
    result = ak.analyse(form, Counts(3, values)).findings
    assert result[3].sentences[-1] == month


def test_a_plain_answer_for_people_who_are_not_asked_is_said_to_be_sent_as_it_is():
    """The check, and the instrument of a deposit, said that a report was drawn from it."""
    number = "line = { lower = 0, upper = 80 }"
    plain = SURVEY.replace(number, 'answers = ["none", "some"]')
    form = form_of(plain.replace('["no"] }', '["no"], send = "none" }'))
    assert respond(form, {"works": 1}).values["hours"] == 0
    sentence = ak.check(form).questions[1].sentences[-1]
    assert sentence == "Not asked after “no” to works: “none” is sent."
    written = " ".join(describe_instrument(form).split())
    assert "the device sends the answer none for them" in written
    assert "the device draws their report from the answer never" in written


def test_who_was_not_asked_has_left_nothing_blank() -> None:
    """People whom a skip rule spares were counted among those who left the question blank."""
    form = form_of()
    values = {
        "works": {0: 60, 1: 30, None: 10},
        "hours": {7: 50, None: 50},  # 30 were not asked, 20 left it blank
        "used": {0: 40, 1: 60},
        "month": {0: 40, 2: 60},  # whoever skips this sends an answer
    }
    analysis = ak.analyse(form, Counts(100, values))
    counted = {finding.name: (finding.blank, finding.not_asked) for finding in analysis.findings}
    assert counted == {"works": (10, 0), "hours": (20, 30), "used": (0, 0), "month": (0, 0)}
    hours = analysis.findings[1].to_dict()
    assert (hours["blank"], hours["not_asked"]) == (20, 30)
    console = Console(width=80)
    with console.capture() as printed:
        console.print(estimate_table(analysis))
    assert "50 reports, 20 blank, 30 not asked" in printed.get()
    page = render_analysis(analysis)
    assert "Left blank: 20. Not asked, because of an earlier answer: 30." in page
    forged = Counts(100, values | {"hours": {7: 90, None: 10}})
    hours = ak.analyse(form, forged).findings[1]
    assert (hours.blank, hours.not_asked) == (0, 10)


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
    rules = [(skip.question, skip.after, skip.answered, skip.send) for skip in form.skips[1:]]
    assert rules == [(3, 2, (1,), 2), (4, 2, (1,), 2), (5, 4, (2, 1), 1)]
    (trait,) = ak.check(form).traits
    assert trait.questions == ("used", "month_tea", "month_gin", "today")
    values = respond(form, {"used": 1}).values
    assert None not in {values["month_gin"], values["today"]}


@pytest.mark.parametrize(
    ("swap", "where", "message"),
    [
        (('after = "works"', 'after = "month"'), "[1].skip.after", "move this question below"),
        (('after = "works"', 'after = "hours"'), "[1].skip.after", "a question above"),
        (('after = "works"', 'after = "wroks"'), "[1].skip.after", "works"),
        (('after = "used"', 'after = "hours"'), "[3].skip.answered", "{ from = …, to = … }"),
        (('answered = ["no"]', 'answered = ["on"]'), "[1].skip.answered", "yes, no"),
        (('answered = ["no"]', "answered = []"), "[1].skip.answered", "at least one"),
        (('answered = ["no"]', 'answered = ["no", "no"]'), "[1].skip.answered", "once"),
        (('["no"] }', '["no"], send = 81 }'), "[1].skip.send", "0 to 80"),
        (('["no"] }', '["no"], send = 0.5 }'), "[1].skip.send", "can be answered"),
        (('["no"] }', '["no"], send = "few" }'), "[1].skip.send", "a number"),
        (
            ('answered = ["no"]', "answered = { from = 1 }"),
            "[1].skip.answered",
            "a list of answers",
        ),
        ((', send = "never"', ""), "[3].skip.send", "a report for everybody"),
        (('send = "never"', 'send = "nver"'), "[3].skip.send", "never"),
        (
            ('name = "kary", truth = "1/2" }', 'name = "kary", truth = "1/2" }\ntrait = "x"'),
            "[3].trait",
            "used",
        ),
        (('mechanism = { name = "kary", truth = "1/2" }', ""), "[3].skip.after", "protect this"),
        (
            ('truth = "1/2" }', 'truth = "1/2" }\ncoin = "a birthday"'),
            "[3].skip.after",
            "without a coin",
        ),
        (("minimum = 1", "minim = 1"), "minim", "minimum"),
        (
            ('name = "works"\n', 'name = "works"\nsection = { title = "W", order = "random" }\n'),
            "[1].skip.after",
            "chance makes the order",
        ),
    ],
)
def test_what_is_wrong_with_a_rule_is_said_by_its_place(swap, where, message):
    with pytest.raises(SurveyError) as refused:
        form_of(SURVEY.replace(*swap, 1))
    assert refused.value.where.removeprefix("question") == where
    assert message in str(refused.value)


NUMBERS = """
askance = "survey-1"
title = "Study"
consent = "Say it or leave."
minimum = 1
[[question]]
name = "age"
text = "How old are you?"
line = { lower = 10, upper = 80, whole = true, unit = "years" }
[[question]]
name = "vote"
text = "Did you vote?"
answers = ["yes", "no"]
skip = { after = "age", answered = { to = 17 }, send = "no" }
[[question]]
name = "drinks"
text = "How many drinks a week?"
line = { lower = 0, upper = 20, whole = true }
typed = true
mechanism = { name = "cuts", number = 2 }
proves = "accepted"
proves_reason = "tried"
skip = { after = "age", answered = { to = 15 }, send = 0 }
[[question]]
name = "spent"
text = "How much did you spend?"
line = { lower = 0, upper = 100, step = 10, unit = "euros" }
mechanism = { name = "progressive", number = 3, floor = "1/5" }
skip = { after = "vote", answered = ["no"], send = 25 }
[[question]]
name = "blackout"
text = "Did you ever not remember?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
skip = { after = "drinks", answered = { from = 0, to = 4 }, send = "no" }
"""


def test_rules_are_on_numbers_and_send_numbers():
    form = form_of(NUMBERS)
    rules = [(skip.question, skip.after, skip.answered, skip.send) for skip in form.skips]
    assert rules == [
        (1, 0, tuple(range(1, 9)), 1),
        (2, 0, tuple(range(1, 7)), 0),
        (3, 1, (1,), 2),
        (4, 2, tuple(range(5)), 1),
    ]
    young = [respond(form, {"age": 6, "drinks": 9, "vote": 0}) for _ in range(300)]
    assert {item.values["vote"] for item in young} == {1}
    assert all(low == 0 for low, _ in (item.values["drinks"] for item in young))
    assert all(low <= 2 < high for low, high in (item.values["spent"] for item in young))
    assert {item.values["blackout"] for item in young} == {0, 1}
    assert {len(item.body(form.size)) for item in young} == {form.size}
    left_out = [respond(form, {"age": 40, "drinks": 9}) for _ in range(99)]
    assert {item.values["blackout"] for item in left_out} == {0, 1}
    assert {item.values["spent"] for item in left_out} == {None}


def test_a_number_that_decides_keeps_its_range_and_a_ratio_inside_it():
    form = form_of(NUMBERS)
    (trait,) = ak.check(form).traits
    assert (trait.name, trait.questions) == ("drinks", ("drinks", "blackout"))
    result = {guarantee.notion.name: guarantee.value for guarantee in trait.guarantees}
    alone = {
        guarantee.notion.name: guarantee.value
        for guarantee in ak.check(form).questions[2].guarantees
    }
    assert result == {"COVERAGE": alone["COVERAGE"], "FLATNESS": 3}
    words = {question.name: question.sentences[-1] for question in ak.check(form).questions}
    assert words["vote"] == ("Not asked after “10 to 17 years” to age: “no” is sent.")
    assert "a report drawn from “20 to 30 euros” is sent" in words["spent"]
    assert "after “0 to 4” to drinks" in words["blackout"]


def test_what_a_range_and_what_follows_from_it_tell_is_what_is_accounted_for():
    """Follow every draw: what both reports tell of two numbers in a range, by counting."""
    form = form_of(NUMBERS)
    drinks, blackout = form.questions[2], form.questions[4]
    steps, rows = drinks.line.ticks, blackout.table.rows
    weight = Fraction(1, len(drinks.weights))
    chances = {}
    for item, other in product(range(steps - 1), repeat=2):
        for step, used in product(range(steps), (0, 1)):
            answer = 1 if step < 5 else used
            cell = encode(drinks, step, (0, item, other))
            for report in (0, 1):
                part = weight**2 * Fraction(rows[answer][report], blackout.table.total)
                setdefault_result = chances.setdefault((cell, report), {})
                setdefault_result[step, used] = setdefault_result.get((step, used), 0) + part
    inside = [max(chance.values()) / min(chance.values()) for chance in chances.values()]
    assert max(inside) == 3
    for (low, high), _ in chances:
        assert {step for step, _ in chances[(low, high), 0]} == set(range(low, high))


@pytest.mark.parametrize(
    ("swap", "where", "message"),
    [
        (("typed = true\n", ""), "[4].skip.after", "write typed = true"),
        (("upper = 20, whole = true", "upper = 20"), "[4].skip.after", "whole = true"),
        (('"cuts", number = 2', '"progressive", number = 2, floor = "1/5"'), "[4].skip.after", ""),
        (("{ from = 0, to = 4 }", "{ from = 4, to = 0 }"), "[4].skip.answered", "0 to 20"),
        (("{ from = 0, to = 4 }", "{ from = 0, to = 21 }"), "[4].skip.answered", "0 to 20"),
        (("{ from = 0, to = 4 }", '{ from = "few" }'), "[4].skip.answered.from", "a number"),
        (("{ from = 0, to = 4 }", "{ frm = 0 }"), "[4].skip.answered.frm", "from, to"),
        (("{ from = 0, to = 4 }", "4"), "[4].skip.answered", "list"),
        (("upper = 20, whole", "upper = 19, step = 4, whole"), "[4].skip.answered", "steps of 4"),
        (('skip = { after = "vote"', 'skip = { after = "blackout"'), "[3].skip.after", "below"),
    ],
)
def test_what_is_wrong_with_a_rule_on_numbers_is_said_by_its_place(swap, where, message):
    with pytest.raises(SurveyError) as refused:
        form_of(NUMBERS.replace(*swap, 1))
    assert refused.value.where.removeprefix("question") == where
    assert message in str(refused.value)


ONE_SIDED = 'mechanism = { name = "one_sided", forced_yes = "1/4" }'


def test_what_would_tell_a_protected_answer_for_certain_is_refused():
    """A range leaves out what those send who skip; so does a report that never comes from them."""
    ranged = (
        SURVEY
        + """
[[question]]
name = "days"
text = "On how many days?"
line = { lower = 0, upper = 30 }
mechanism = { name = "cuts", number = 1 }
skip = { after = "used", answered = ["no"], send = 0 }
"""
    )
    with pytest.raises(SurveyError, match="a range that leaves it out would tell"):
        form_of(ranged)
    follow = (
        'answers = ["yes", "no"]\n'
        + ONE_SIDED
        + '\nskip = { after = "used", answered = ["no"], send = "'
    )
    text = SURVEY + '[[question]]\nname = "today"\ntext = "Today?"\n' + follow
    assert form_of(text + 'no" }').skips[-1].send == 1
    with pytest.raises(SurveyError, match="for certain who was asked"):
        form_of(text + 'yes" }')


def test_a_rule_on_a_section_before_is_kept_whatever_its_order():
    begun = SURVEY.replace('name = "used"\n', 'name = "used"\nsection = { title = "U" }\n').replace(
        'name = "works"\n', 'name = "works"\nsection = { title = "W" }\n'
    )
    assert len(form_of(begun).skips) == 2


INCOME = """
askance = "survey-1"
title = "Income"
consent = "Say it or leave."
[[question]]
name = "income"
text = "What do you earn in a year?"
line = { lower = 0, upper = 1_000_000, whole = true, unit = "euros" }
[[question]]
name = "help"
text = "Do you get help from the state?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
skip = { after = "income", answered = { from = 30_000 }, send = "no" }
"""


def test_a_rule_on_a_long_line_names_its_ends():
    form = form_of(INCOME)
    assert form.document["skips"][0]["answered"] == {
        "from": 30_001,
        "to": 1_000_001,
    }  # of ticks: the first is 0 euros
    assert Form.read(form.bytes) == form
    result = {
        tick: follow_skips(form, {"income": tick, "help": 0})["help"]
        for tick in (1, 30_000, 30_001, 1_000_001, None)
    }
    assert result == {1: 0, 30_000: 0, 30_001: 1, 1_000_001: 1, None: 0}
    text = "Not asked after “30,000 to 1,000,000 euros” to income: a report drawn from “no”"
    assert text in " ".join(ak.check(form).questions[1].sentences)


def test_few_numbers_are_listed_as_ever():
    listed = form_of(INCOME.replace("{ from = 30_000 }", "{ to = 1_000 }"))
    assert listed.document["skips"][0]["answered"] == list(range(1, 1_002))
    ends = form_of(INCOME.replace("{ from = 30_000 }", "{ to = 1_001 }"))
    assert ends.document["skips"][0]["answered"] == {"from": 1, "to": 1_002}
