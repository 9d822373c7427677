"""Groups by chance: one question through several tables, from the survey file to what is learnt."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import askance as ak
from askance.analysis import prepare_analysis
from askance.channels import GroupedTally
from askance.privacy import Notion
from askance.survey import deployed
from askance_collect.errors import SurveyError
from askance_collect.respond import assigned_group, encode

HEAD = """
askance = "survey-1"
title = "Exam"
consent = "Say it or leave."
minimum = 1
[[question]]
name = "cheated"
text = "Have you cheated?"
answers = ["yes", "no"]
"""
GROUPS = """
[[question.group]]
name = "few"
label = "A few"
share = "2/3"
mechanism = { name = "crosswise", harmless = "1/4" }
[[question.group]]
name = "many"
share = "1/3"
mechanism = { name = "warner", truth = "4/5" }
"""


ACCEPTED = 'proves = "accepted"\nproves_reason = "tried"\n'


def form_of(groups=GROUPS, head=HEAD):
    return ak.publish(ak.parse_survey((head + groups).encode()))


@pytest.fixture(scope="module")
def deployed_groups():
    return deployed(form_of().questions[0])


def test_the_tables_stand_side_by_side_as_wide_as_their_groups(deployed_groups):
    question = deployed_groups.question
    assert [report.name for report in question.reports] == [
        "few: both or neither",
        "few: just one",
        "many: yes",
        "many: no",
    ]
    assert question.reports[2].wording["en"] == "many: yes"
    assert question.groups[0].wording["en"] == "A few"
    rows = [
        [Fraction(2, 3) / 4, Fraction(2, 3) * 3 / 4, Fraction(4, 15), Fraction(1, 15)],
        [Fraction(2, 3) * 3 / 4, Fraction(2, 3) / 4, Fraction(1, 15), Fraction(4, 15)],
    ]
    assert [list(question.table.row(number)) for number in (0, 1)] == rows
    few, many = (group_question.table for group_question in question.group_questions)
    assert few.row(0) == (Fraction(1, 4), Fraction(3, 4))
    assert many.row(1) == (Fraction(1, 5), Fraction(4, 5))
    assert few.total == 2 * many.total == Fraction(2, 3) * question.table.total


def test_every_draw_falls_into_one_group_whatever_the_answer(deployed_groups):
    question = deployed_groups.question
    counts = Counter()
    for index in range(question.table.total):
        group = assigned_group(question, (0, index))
        for answer in (0, 1):
            column = encode(question, answer, (0, index))
            assert (column >= 2) == group
            counts[answer, column] += 1
    assert [[counts[x, y] for y in range(4)] for x in (0, 1)] == [
        list(r) for r in question.table.rows
    ]


def test_a_question_without_groups_puts_nobody_anywhere():
    alone = form_of('mechanism = { name = "warner", truth = "3/4" }')
    assert alone.document["askance"] == "form-1"
    assert assigned_group(alone.questions[0], (0, 3)) is None
    assert alone.questions[0].group_questions == ()


def test_each_guarantee_is_that_of_the_weakest_group(deployed_groups):
    by_notion = {guarantee.notion: guarantee for guarantee in deployed_groups.guarantees}
    assert by_notion[Notion.LOCAL].value == 4
    assert by_notion[Notion.SHAFER].value == 4
    assert by_notion[Notion.ADVANTAGE].value == Fraction(3, 5)
    assert by_notion[Notion.LOCAL].attained.endswith("in group 'many'")


def test_a_group_that_is_asked_directly_is_promised_nothing_and_so_is_everybody():
    plainly = GROUPS.replace('truth = "4/5"', 'truth = "1"')
    result = {
        guarantee.notion: guarantee
        for guarantee in deployed(form_of(ACCEPTED + plainly).questions[0]).guarantees
    }
    assert result[Notion.LOCAL].epsilon == float("inf")
    assert result[Notion.ADVANTAGE].value == 1


def test_groups_whose_reports_never_lie_are_judged_by_their_losses_beside_one_that_may():
    text = HEAD.replace('["yes", "no"]', '["a", "b", "c"]')
    broad = GROUPS.replace('name = "crosswise", harmless = "1/4"', 'name = "blocks", number = 2')
    mixed = broad.replace('"warner", truth = "4/5"', '"kary", truth = "3/5"')
    pair = broad.replace('"warner", truth = "4/5"', '"runs", number = 2')
    losses, sets = (
        {
            guarantee.notion
            for guarantee in deployed(form_of(ACCEPTED + item, text).questions[0]).guarantees
        }
        for item in (mixed, pair)
    )
    assert Notion.LOCAL in losses
    assert Notion.COVERAGE not in losses
    assert Notion.COVERAGE in sets


def test_the_estimate_is_that_of_both_groups_by_their_sizes_as_they_turned_out(deployed_groups):
    messages = {0: 210, 1: 190, 2: 60, 3: 140}
    learn_result = prepare_analysis(deployed_groups).learn({**messages, None: 7}, 0.95)
    yn = ak.Frame(["yes", "no"])
    crosswise = ak.mechanisms.Crosswise(harmless="1/4").channel(yn)
    tally = GroupedTally(
        {
            "few": ak.Tally(crosswise, {"both or neither": 210, "just one": 190}),
            "many": ak.Tally(ak.Warner(truth="4/5").channel(yn), {"yes": 60, "no": 140}),
        }
    )
    alone = ak.estimate(tally)
    np.testing.assert_allclose(learn_result.estimate.value, alone.value)
    np.testing.assert_allclose(learn_result.estimate.se, alone.se)
    assert prepare_analysis(deployed_groups).estimate({}, 0.95).reports == 0


def test_people_who_choose_their_group_are_found_out(deployed_groups):
    honest = {0: 2_000, 1: 2_000, 2: 1_000, 3: 1_000}
    assert not prepare_analysis(deployed_groups).learn(honest, 0.95).fit.doubted
    assert (
        prepare_analysis(deployed_groups)
        .learn({0: 1_000, 1: 1_000, 2: 2_000, 3: 2_000}, 0.95)
        .fit.doubted
    )


def test_what_is_sent_is_said_group_by_group(deployed_groups):
    sentences_result = deployed_groups.sentences()
    assert sentences_result[0] == "Chance puts 66.7 of 100 people into group “few”."
    assert "75 send “just one”" in sentences_result[1]
    assert sentences_result[3] == "Chance puts 33.3 of 100 people into group “many”."
    assert "80 send “yes”" in sentences_result[4]


def test_a_check_says_how_every_group_is_asked(deployed_groups):
    (result,) = ak.check(form_of()).questions
    assert result.sentences == deployed_groups.sentences()
    assert not result.by_answer


def test_what_was_learnt_says_how_every_group_was_asked(deployed_groups):
    form = form_of()
    (result,) = ak.analyse(form, ak.engines.Counts(0, {"cheated": {}})).findings
    assert (result.sentences, result.by_answer) == (
        deployed_groups.sentences(),
        False,
    )  # so that all are set


@pytest.mark.parametrize(
    ("swap", "where", "allowed"),
    [
        (('share = "1/3"', 'share = "1/2"'), "question[0].group.share", "sum to one"),
        (('share = "2/3"', "share = 2"), "question[0].group[0].share", "[0, 1]"),
        (("mechanism = { name", 'mechanism = { nam = "x", name'), "question[0].group[0]", "harm"),
        (('name = "many"', 'name = "few"'), "question[0].group[1]", "different names"),
        (('name = "many"', 'name = " few "'), "question[0].group[1]", "different names"),
        (('name = "many"', 'name = " "'), "question[0].group[1].name", "a text"),
        (('label = "A few"', 'lable = "A few"'), "question[0].group[0].lable", "label"),
        (('label = "A few"', 'label = { de = "x" }'), "question[0].group[0].label.de", "en"),
        (
            ("[[question.group]]", 'mechanism = { name = "kary" }\n[[question.group]]'),
            "question[0].group",
            "a mechanism of the question too",
        ),
        (('"4/5"', '"0.80000000000001"'), "question[0].group", "2^48"),
    ],
)
def test_what_is_wrong_with_groups_is_said_by_its_place(swap, where, allowed):
    groups = GROUPS.replace(*swap, 1)
    with pytest.raises(SurveyError) as refused:
        form_of(groups)
    assert refused.value.where.startswith(where)
    assert allowed in str(refused.value)


def test_a_group_is_known_by_its_name_without_spaces_around_it():
    (question,) = form_of(GROUPS.replace('"many"', '" many "')).questions
    assert [group.name for group in question.groups] == ["few", "many"]
    assert question.about["mechanism"]["many"]["name"] == "warner"


def test_names_of_group_and_report_that_read_alike_are_refused():
    head = HEAD.replace('["yes", "no"]', '["c", "b: c"]')
    groups = GROUPS.replace("crosswise", "warner").replace('harmless = "1/4"', 'truth = "3/4"')
    groups = groups.replace('"few"', '"a: b"').replace('"many"', '"a"')
    with pytest.raises(SurveyError, match=r"'a: b: c' again.*; allowed: different names"):
        form_of(groups, head)


def test_groups_in_which_nothing_is_learnt_are_refused():
    idle = GROUPS.replace('"4/5"', '"1/2"').replace('"1/4"', '"1/2"')
    with pytest.raises(SurveyError, match=r"question\[0\].group: .*only 1 of 2 answers apart"):
        form_of(idle)


def test_one_group_is_none():
    with pytest.raises(SurveyError, match="2 to 16 groups"):
        form_of(GROUPS[: GROUPS.rindex("[[")].replace("2/3", "1"))


def test_a_number_has_no_groups():
    line = HEAD.replace('answers = ["yes", "no"]', "line = { lower = 0, upper = 9 }")
    with pytest.raises(SurveyError, match=r"question\[0\].group: got 'a line'"):
        form_of(head=line)


def test_a_level_holds_in_each_group():
    tight = GROUPS.replace('truth = "4/5"', "ratio = 4")
    result = deployed(form_of(tight).questions[0]).guarantees
    assert result[0].value == 4


def test_chances_that_are_rounded_are_said_to_be(deployed_groups):
    fine = GROUPS.replace('"4/5"', '"0.800000000000000001"')
    deployed_question = deployed(form_of(fine).questions[0])
    assert 0 < deployed_question.rounding() < Fraction(1, 10**12)
    assert "its chances are rounded" in deployed_question.rounding_note
    assert deployed_groups.rounding() is None
    assert deployed_groups.rounding_note == ""


@pytest.mark.parametrize(
    ("recipe", "result", "of_two"),
    [
        ('"crosswise", harmless = "1/4"', ["beides oder keines", "nur eines"], True),
        ('"triangular", harmless = "1/4"', ["eines oder beides", "keines"], True),
        ('"kuk", red_if_yes = "3/4", red_if_no = "1/4"', ["rot", "schwarz"], False),
        (
            '"kuk", red_if_yes = "3/4", red_if_no = "1/4", draws = 2',
            ["0 × rot", "1 × rot", "2 × rot"],
            False,
        ),
    ],
)
def test_mechanisms_name_their_reports_in_the_languages_of_the_survey(recipe, result, of_two):
    head = HEAD.replace("minimum = 1", 'minimum = 1\nlanguages = ["de", "nl"]')
    design = GROUPS.replace('"crosswise", harmless = "1/4"', recipe)
    question = form_of(design, head).questions[0]
    own = [report for report in question.reports if report.name.startswith("few: ")]
    german = ", von „yes“ und einer Zufallsziehung" if of_two else ""
    draw = ", of “yes” and a chance draw" if of_two else ""
    assert [item.wording["de"] for item in own] == [
        f"A few: {replies}{german}" for replies in result
    ]
    english = [item.name.replace("few", "A few", 1) + draw for item in own]
    assert [item.wording["nl"] for item in own] == english


def test_reports_that_the_survey_names_itself_are_not_translated():
    rows = 'rows = [["3/4", "1/4"], ["1/4", "3/4"]]'
    table = f'reports = {{ red = ["yes"], neither = ["no"] }}, {rows}'
    head = HEAD.replace("minimum = 1", 'minimum = 1\nlanguages = ["de"]')
    question = form_of(f'mechanism = {{ name = "table", {table} }}', head).questions[0]
    assert [report.wording["de"] for report in question.reports] == ["red", "neither"]
