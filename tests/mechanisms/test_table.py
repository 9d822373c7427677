"""Channels written out in a survey file."""

from fractions import Fraction

import pytest

from askance import Channel, Frame, Warner, parse_survey, publish
from askance.mechanisms import TableMechanism, answer_mechanism
from askance.survey import deployed
from askance_collect.errors import InputError, SurveyError

YES_NO = Frame(["yes", "no"])
SURVEY = """
askance = "survey-1"
title = "T"
consent = "C"
[[question]]
name = "q"
text = "Q?"
answers = ["yes", "no"]
mechanism = {{ name = "table", reports = {reports}, rows = {rows} }}
"""


def test_it_is_what_it_says():
    mechanism = answer_mechanism(
        "table",
        {"reports": {"yes": ["yes"], "either": ["no", "yes"]}, "rows": [[0.5, 0.5], ["0", 1]]},
        YES_NO,
    )
    channel = mechanism.channel(YES_NO)
    assert channel.table.rows == ((1, 1), (0, 2))
    assert channel.meanings == (1, 3)
    assert TableMechanism.of(channel) == TableMechanism(
        reports={"yes": ["yes"], "either": ["yes", "no"]}, rows=mechanism.rows
    )


def test_any_exact_channel_can_be_written_out():
    channel = Warner(truth="2/3").channel(YES_NO)
    assert TableMechanism.of(channel).channel(YES_NO) == channel
    with pytest.raises(InputError, match="exact"):
        TableMechanism.of(Channel(YES_NO, {"yes": ["yes"], "no": ["no"]}, [[0.6, 0.4], [0.4, 0.6]]))


def test_names_of_reports_are_written_as_they_are():
    mechanism = TableMechanism(reports={"né": ["yes"], "b": ["no"]}, rows=[[1, 0], [0, 1]])
    assert mechanism.parameters() == {
        "reports": '{"né": ["yes"], "b": ["no"]}',
        "rows": '[["1", "0"], ["0", "1"]]',
    }


@pytest.mark.parametrize(
    ("reports", "rows"),
    [
        ([("a", ["yes"]), ("b", ["no"])], [[1, 0], [0, 1]]),
        ({"": ["yes"], "b": ["no"]}, [[1, 0], [0, 1]]),
        ({"a": [3], "b": ["no"]}, [[1, 0], [0, 1]]),
        ({"a": ["yes"], "b": ["no"]}, 3),
        ({"a": ["yes"], "b": ["no"]}, [[1, 0], "01"]),
        ({"a": ["yes"], "b": ["no"]}, [[1, 0], [1, 1]]),
    ],
)
def test_what_is_no_channel_is_refused_at_once(reports, rows):
    with pytest.raises(InputError, match=r"^TableMechanism\.(reports|rows)"):
        TableMechanism(reports=reports, rows=rows)


def test_a_survey_deploys_it():
    text = SURVEY.format(
        reports='{ yes = ["yes"], no = ["no"], pass = ["yes", "no"] }',
        rows='[["1/3", 0.5, "1/6"], ["1/6", "2/3", "1/6"]]',
    )
    form = publish(parse_survey(text.encode()))
    assert deployed(form.questions[0]).channel.table.row(0) == (
        Fraction(1, 3),
        Fraction(1, 2),
        Fraction(1, 6),
    )
    assert form.questions[0].reports[2].wording == {"en": "pass"}
    assert '"1/3"' in form.questions[0].about["mechanism"]["rows"]


@pytest.mark.parametrize(
    ("reports", "rows", "where", "message"),
    [
        ('{ a = ["yes"], b = ["no"] }', '[["1/2", "1/2"]]', "rows", "2 rows"),
        ('{ a = ["yes"], b = ["no"] }', "[[1, 0], [1, 1]]", r"rows\[1\]", "sum to one"),
        ('{ a = ["yes"], b = ["no"] }', "[[1, 0], [1]]", r"rows\[1\]", "2 chances"),
        ('{ a = ["yes"], b = ["no"] }', "[[1, 0], [2, -1]]", "rows", "a probability"),
        ('{ a = ["yes"], b = ["no"] }', '"half"', "rows", "lists of chances"),
        ('{ a = ["yes"] }', "[[1], [1]]", "reports", "two or more reports"),
        ('["a", "b"]', "[[1, 0], [0, 1]]", "reports", "two or more reports"),
        ('{ a = "yes", b = ["no"] }', "[[1, 0], [0, 1]]", "reports", "what they mean"),
        ('{ a = ["yess"], b = ["no"] }', "[[1, 0], [0, 1]]", "answer", "did you mean 'yes'"),
        ('{ a = [], b = ["no"] }', "[[1, 0], [0, 1]]", "mechanism", "at least one answer"),
        ('{ a = ["yes"], b = ["no"] }', '[["1/2", "1/2"], [0.5, 0.5]]', "mechanism", "only 1 of 2"),
    ],
)
def test_what_is_wrong_is_named(reports, rows, where, message):
    with pytest.raises(SurveyError, match=message) as caught:
        publish(parse_survey(SURVEY.format(reports=reports, rows=rows).encode()))
    assert caught.value.where.startswith("question[0].mechanism")
    assert where.replace("\\", "") in caught.value.where
