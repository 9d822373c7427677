"""Sections of a questionnaire: from the survey file to the form."""

import pytest
from click.testing import CliRunner

import askance as ak
from askance.cli import verbs
from askance_collect.errors import SurveyError

SURVEY = """
askance = "survey-1"
title = "Study"
consent = "Say it or leave."
languages = ["en", "de"]
[[question]]
name = "region"
text = "Where do you live?"
answers = ["town", "country"]
[[question]]
name = "used"
text = "Have you used this?"
items = ["pills", "powder"]
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
section = { title = { en = "Substances", de = "Mittel" }, text = "Last year.", order = "random" }
[[question]]
name = "tea"
text = "Tea?"
answers = ["yes", "no"]
[question.section]
title = "At last"
"""


SIX = (
    '["a", "b", "c", "d", "e", "f"]\nmechanism = { name = "forced", '
    'forced = { a = "1/2", b = "1/20", c = "1/20", d = "1/20", e = "1/20", f = "1/20" } }'
)


def form_of(text=SURVEY):
    return ak.publish(ak.parse_survey(text.encode()))


def test_a_section_begins_at_its_first_question_or_item():
    document = form_of().document
    assert document["askance"] == "form-2"
    assert document["sections"] == [
        {
            "at": 1,
            "title": {"en": "Substances", "de": "Mittel"},
            "text": {"en": "Last year.", "de": "Last year."},
            "order": "random",
        },
        {
            "at": 3,
            "title": {"en": "At last", "de": "At last"},
            "text": {"en": "", "de": ""},
        },
    ]


def test_sections_change_nothing_of_the_questions():
    begun = SURVEY[SURVEY.index("section =") : SURVEY.index('[[question]]\nname = "tea"')]
    alone = SURVEY.replace("items = [", "grid = false\nitems = [")
    plain = form_of(alone.replace(begun, "").replace('[question.section]\ntitle = "At last"', ""))
    assert plain.document["askance"] == "form-1"
    assert plain.document["questions"] == form_of().document["questions"]
    assert "sections" not in plain.document


def test_an_order_as_written_is_told_by_saying_nothing():
    document = form_of(SURVEY.replace('"random"', '"as written"')).document
    assert "order" not in document["sections"][0]


def test_check_says_of_an_order_by_chance_what_comes_of_it():
    first, second = (ak.check(form_of()).questions[number].sentences for number in (1, 2))
    ones = [item for item in first if item.startswith("It begins section “Substances”")]
    assert ["asks its 2 questions in a random order" in item for item in ones] == [True]
    assert not any("It begins" in item for item in second)
    written = form_of(SURVEY.replace('"random"', '"as written"'))
    assert not any("It begins" in sentence for sentence in ak.check(written).questions[1].sentences)


def test_what_else_comes_of_a_question_is_told_however_many_answers_it_has(tmp_path):
    file = tmp_path / "survey.toml"
    six = SURVEY.replace('["yes", "no"]\nmechanism = { name = "warner", truth = "3/4" }', SIX)
    six = six.replace('items = ["pills", "powder"]\n', "").replace(
        '[question.section]\ntitle = "At last"', ""
    )
    file.write_text(six, "utf-8")
    result = CliRunner().invoke(verbs, ["check", str(file)]).output
    assert "… and so for 2 more.\n" in result
    assert "It begins section “Substances”" in result


@pytest.mark.parametrize(
    ("swap", "where", "message"),
    [
        (('"random"', '"randm"'), "question[1].section.order", "random"),
        ((', de = "Mittel"', ""), "question[1].section.title.de", "a text in that language"),
        (('title = "At last"', 'titel = "x"'), "question[2].section.titel", "title"),
        (('title = "At last"', 'text = "x"'), "question[2].section.title", "a value"),
        (('title = "At last"', 'title = " "'), "question[2].section.title", "a text"),
    ],
)
def test_what_is_wrong_with_a_section_is_said_by_its_place(swap, where, message):
    with pytest.raises(SurveyError) as refused:
        form_of(SURVEY.replace(*swap, 1))
    assert refused.value.where.replace("[…]", "[2]").startswith(where)
    assert message in str(refused.value)
