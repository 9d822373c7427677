"""Groups by invitation: from the survey file to what is sent, told and estimated."""

from collections import Counter

import numpy as np
import pytest

import askance as ak
from askance.analysis import prepare_analysis
from askance.engines import Counts
from askance.study import invent_answers, operating_characteristics
from askance.survey import deployed
from askance_collect.errors import SurveyError
from askance_collect.respond import respond
from askance_collect.wire import Form

SURVEY = """
askance = "survey-1"
title = "Study"
consent = "Say it or leave."
minimum = 1
[[question]]
name = "used"
text = "Have you ever used it?"
answers = ["yes", "no"]
assigned = "invitation"
[[question.group]]
name = "north"
mechanism = { name = "warner", truth = "3/4" }
[[question.group]]
name = "south"
mechanism = { name = "kary", truth = "4/5" }
"""
CHANCES_BY_PERSON = SURVEY[: SURVEY.index("[[question.group]]")] + (
    'mechanism = { name = "warner", truth = { each = ["2/3", "3/4", "4/5"] } }\n'
)


def form_of(text=SURVEY):
    return ak.publish(ak.parse_survey(text.encode()))


def test_groups_are_as_wide_as_each_other_and_the_form_says_who_assigns_them():
    for text, many in ((SURVEY, 2), (CHANCES_BY_PERSON, 3)):
        form = form_of(text)
        (question,) = form.questions
        assert form.document["questions"][0]["assigned"] == "invitation"
        assert question.invited
        assert len({group_question.table.total for group_question in question.group_questions}) == 1
        assert len(question.groups) == many
        assert not any(group_question.invited for group_question in question.group_questions)
        assert Form.read(form.bytes).questions == form.questions


def test_an_invitation_chooses_the_group_and_chance_does_without_one():
    form = form_of()
    for group, columns in (("north", {0, 1}), ("south", {2, 3}), ("", {0, 1, 2, 3})):
        counts = Counter(respond(form, {"used": 0}, group=group).values["used"] for _ in range(300))
        assert set(counts) == columns
        if group == "south":
            assert 0.65 < counts[2] / 300 < 0.95


def test_what_is_promised_is_the_weakest_and_who_knows_the_group_is_told():
    judged = ak.check(form_of())
    (question,) = judged.questions
    local = next(guarantee for guarantee in question.guarantees if guarantee.notion.name == "LOCAL")
    assert local.value == 4
    assert "'south'" in local.attained
    text = " ".join(question.sentences)
    assert "An invitation can put its reader into group “north”" in text
    assert "the author of the invitations knows who is in it" in text
    assert "Chance puts" not in text


def test_groups_that_differ_are_weighted_by_their_sizes_and_nothing_is_pooled():
    form = form_of()
    messages = {0: 650, 1: 350, 2: 30, 3: 170}
    deployed_question = deployed(form.questions[0])
    result = prepare_analysis(deployed_question).estimate(messages, 0.95)
    north, south = (
        ak.estimate(ak.Tally(ak.Warner(truth=truth).channel(ak.Frame(["yes", "no"])), counts))
        for truth, counts in (
            ("3/4", {"yes": 650, "no": 350}),
            ("4/5", {"yes": 30, "no": 170}),
        )
    )
    assert result.value == pytest.approx((5 * north.value + south.value) / 6)
    assert result.se == pytest.approx(np.hypot(5 * north.se, south.se) / 6)
    below = np.hypot(5 * (north.value - north.lower), south.value - south.lower) / 6
    assert result.lower == pytest.approx(result.value - below)
    assert result.reports == 1_200
    counts = {"yes": 650, "no": 350}, {"yes": 30, "no": 170}
    pairs = zip(("north", "south"), form.questions[0].group_questions, counts, strict=True)
    grouped = {name: ak.Tally(deployed(item).channel, output) for name, item, output in pairs}
    pooled = ak.estimate(ak.channels.GroupedTally(grouped))
    assert abs(pooled.value[0] - result.value[0]) > 0.02


def test_sizes_of_groups_are_nobody_s_promise():
    values = {"used": {0: 550, 1: 450, 2: 5, 3: 8, None: 2}}
    (finding,) = ak.analyse(form_of(), Counts(1_015, values)).findings
    assert not finding.fit.doubted
    assert finding.tally is None
    (lonely,) = ak.analyse(form_of(), Counts(10, {"used": {0: 6, 1: 4}})).findings
    assert lonely.estimate.reports == 10


@pytest.mark.long
def test_intervals_hold_the_share_of_all_where_groups_differ():
    """Half of each: 20 % in one group and 60 % in the other, 400 surveys of 300 people."""
    dice, deployed_question = np.random.default_rng(11), deployed(form_of().questions[0])
    rows = [np.array([0.75, 0.25]), np.array([0.8, 0.2])]
    content = 0
    for _ in range(200):
        reports = {}
        for index, (row, share) in enumerate(zip(rows, (0.2, 0.6), strict=True)):
            chance = share * row[0] + (1 - share) * row[1]
            yes = int(dice.binomial(150, chance))
            reports |= {2 * index: yes, 2 * index + 1: 150 - yes}
        result = prepare_analysis(deployed_question).estimate(reports, 0.95)
        content += bool(result.lower[0] <= 0.4 <= result.upper[0])
    assert content >= 180


@pytest.mark.long
def test_it_is_rehearsed():
    people = invent_answers(form_of(), {"used": [1, 3]}, people=400)
    (result,) = operating_characteristics(form_of(), people, people=400, repetitions=4, rng=2)
    assert abs(result.collections[0].accuracy[0].bias) < 0.12


@pytest.mark.parametrize(
    ("swap", "where", "message"),
    [
        (('assigned = "invitation"', 'assigned = "chance"'), "assigned", '"invitation"'),
        (('assigned = "invitation"\n', ""), "group[0].share", "add share"),
        (('name = "north"', 'name = "north"\nshare = "1/2"'), "group[0].share", "leave share out"),
        (('truth = "4/5"', 'truth = "1/2"'), "group", "told apart|tells only"),
    ],
)
def test_what_is_wrong_is_said_by_its_place(swap, where, message):
    with pytest.raises(SurveyError, match=message) as refused:
        form_of(SURVEY.replace(*swap, 1))
    assert refused.value.where == f"question[0].{where}"


def test_it_stands_beside_groups_alone():
    plain = SURVEY[: SURVEY.index("[[question.group]]")]
    with pytest.raises(SurveyError, match="beside groups"):
        form_of(plain)
