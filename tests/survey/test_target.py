"""A coverage that is asked for in a survey file is the coverage of what is deployed."""

from fractions import Fraction

import pytest

from askance import parse_survey, publish
from askance.channels import RingChannel
from askance.errors import SurveyError
from askance.exact import Floor
from askance.privacy import coverage
from askance.survey import deployed

SURVEY = """askance = "survey-1"
title = "T"
consent = "C"
[[question]]
name = "q"
text = "Q?"
line = {{ lower = 0, upper = 40 }}
mechanism = {{ {} }}"""


def asked(written):
    return publish(parse_survey(SURVEY.format(written).encode())).questions[0]


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.long
def test_what_is_asked_for_is_kept_as_deployed(number):
    question = asked(f'name = "cuts", coverage = 0.6, number = {number}')
    found = coverage(deployed(question).channel).value
    assert Fraction(3, 5) <= Fraction(found) + Fraction(1, 10**9)
    assert float(found) < 0.6001
    assert question.about["mechanism"] == {
        "name": "cuts",
        "number": str(number),
        "coverage": "3/5",
        "prior": "even",
    }


def test_it_is_kept_under_the_prior_that_is_declared():
    prior = '{ name = "normal", mean = 10, sd = 5 }'
    question = asked(f'name = "cuts", coverage = "3/4", prior = {prior}')
    from scipy import stats

    assert float(coverage(deployed(question).channel, stats.norm(10, 5)).value) == pytest.approx(
        0.75, abs=1e-4
    )
    assert question.about["mechanism"]["prior"] == '{ name = "normal", mean = 10, sd = 5 }'


@pytest.mark.parametrize("target", ["0.52", "3/5", "0.63"])
def test_a_ring_has_the_highest_floor_that_keeps_its_coverage(target):
    question = asked(f'name = "ring", coverage = "{target}"')
    channel = deployed(question).channel
    higher = RingChannel(channel.line, channel.weights, Floor([1] * 40, channel.floor.least + 1))
    kept, less = (float(coverage(one).value) for one in (channel, higher))
    assert less < float(Fraction(target)) <= kept + 1e-8
    assert question.about["mechanism"]["floor"] == str(Fraction(channel.floor.least, 40))


@pytest.mark.parametrize(
    ("written", "where", "told"),
    [
        ('name = "cuts", coverage = 0.4', "coverage", r"from 0\.5\d* to 0\.\d+ for 1 cut on"),
        ('name = "cuts", coverage = 1', "coverage", "smaller step"),
        ('name = "cuts", coverage = nan', "coverage", "a number such as"),
        ('name = "cuts", coverage = 0.6, number = 99', "number", r"\[1, 16\]"),
        ('name = "cuts", coverage = 0.6, open = [[0, 1]]', "open", "coverage, number and prior"),
        ('name = "cuts", coverage = 0.6, prior = [1, 2]', "prior", "40 non-negative numbers"),
        ('name = "cuts", coverag = 0.6', "coverag", "did you mean 'coverage'"),
        ('name = "ring", coverge = 0.6', "coverge", "did you mean 'coverage'"),
        ('name = "ring", floor = 0.2, coverage = 0.6', "floor", "coverage, law and sizes"),
        ('name = "ring", coverage = 0.4', "coverage", r"from 0\.5 to 0\.6583 for a ring"),
        ('name = "ring", coverage = 0.7', "coverage", "by cuts instead"),
        ('name = "ring", coverage = 0.6, sizes = [1, 2]', "sizes", "40 non-negative numbers"),
        ('name = "selective", coverage = 0.6', "coverage", "floor and sent"),
        ('name = "cuts", prior = "even"', "prior", "number"),
    ],
)
def test_a_mistake_is_told_with_its_place(written, where, told):
    with pytest.raises(SurveyError, match=told) as caught:
        asked(written)
    assert caught.value.where == f"question[0].mechanism.{where}"
