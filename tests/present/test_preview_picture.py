from xml.etree import ElementTree

import pytest

from askance import check, parse_survey, publish
from askance.present import outlook_picture
from askance_collect.errors import InputError

HEAD = """askance = "survey-1"
title = "Tea & <b>"
consent = "C"
[[question]]
name = "q"
text = "Q?"
"""


def check_question(written):
    return check(publish(parse_survey((HEAD + written).encode())))


def texts(draws):
    root = ElementTree.fromstring(draws)
    return [character.text for character in root.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.long
def test_every_question_is_drawn_with_its_two_reports(income):
    result = " ".join(texts(outlook_picture(income)))
    for question in income.questions:
        assert question.text in result
        for sentence in question.preview.sentences:
            assert sentence in result
    assert result.count("on average") == len(income.questions)


@pytest.mark.long
def test_the_same_survey_is_the_same_picture(income):
    assert outlook_picture(income) == outlook_picture(income)


@pytest.mark.long
def test_the_picture_stands_alone_in_light_and_dark(income):
    picture = outlook_picture(income)
    assert picture.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    assert "prefers-color-scheme: dark" in picture
    assert "href" not in picture.replace('href="#', "")


def test_a_report_holds_the_stretches_that_it_means(income):
    content = {question.name: question.preview for question in income.questions}
    assert content["household"].worst_held == ((0.005, 0.255),)
    assert content["getting_by"].typical_held == ((0, 0.25), (0.25, 0.5))
    assert content["income"].ends == ("0", "200,000 euros")


@pytest.mark.long
def test_names_are_escaped_and_what_may_lie_is_not_drawn():
    line = "line = { lower = 0, upper = 20 }\nmechanism = { name = 'ring', floor = 0.3 }"
    assert "Tea &amp; &lt;b&gt;" in outlook_picture(check_question(line))
    with pytest.raises(InputError, match="ranges or sets"):
        outlook_picture(
            check_question("answers = ['y', 'n']\nmechanism = { name = 'warner', truth = 0.7 }")
        )
