"""A coverage that is asked for in a survey file is the coverage of what is deployed."""

import json
import math
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from askance import parse_survey, publish
from askance.channels import RingChannel
from askance.privacy import coverage
from askance.survey import deployed
from askance_collect.errors import SurveyError
from askance_collect.exact import Floor

SURVEY = """askance = "survey-1"
title = "T"
consent = "C"
[[question]]
name = "q"
text = "Q?"
line = {{ lower = 0, upper = 40 }}
mechanism = {{ {} }}"""


def publish_question(written):
    return publish(parse_survey(SURVEY.format(written).encode())).questions[0]


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.long
def test_what_is_asked_for_is_kept_as_deployed(number):
    question = publish_question(f'name = "cuts", coverage = 0.6, number = {number}')
    result = coverage(deployed(question).channel).value
    assert Fraction(3, 5) <= Fraction(result) + Fraction(1, 10**9)
    assert float(result) < 0.6001
    assert question.about["mechanism"] == {
        "name": "cuts",
        "number": str(number),
        "coverage": "3/5",
        "prior": "even",
    }


def test_it_is_kept_under_the_prior_that_is_declared():
    prior = '{ name = "normal", mean = 10, sd = 5 }'
    question = publish_question(f'name = "cuts", coverage = "3/4", prior = {prior}')
    from scipy import stats

    assert float(coverage(deployed(question).channel, stats.norm(10, 5)).value) == pytest.approx(
        0.75, abs=1e-4
    )
    assert question.about["mechanism"]["prior"] == '{ name = "normal", mean = 10, sd = 5 }'


@pytest.mark.parametrize("target", ["0.52", "3/5", "0.63"])
def test_a_ring_has_the_highest_floor_that_keeps_its_coverage(target):
    question = publish_question(f'name = "ring", coverage = "{target}"')
    channel = deployed(question).channel
    higher = RingChannel(
        channel.line, channel.cut_weights, Floor([1] * 40, channel.floor.minimum + 1)
    )
    remaining, less = (float(coverage(item).value) for item in (channel, higher))
    assert less < float(Fraction(target)) <= remaining + 1e-8
    assert question.about["mechanism"]["floor"] == str(Fraction(channel.floor.minimum, 40))


@pytest.mark.parametrize(
    ("written", "where", "message"),
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
def test_a_mistake_is_told_with_its_place(written, where, message):
    with pytest.raises(SurveyError, match=message) as caught:
        publish_question(written)
    assert caught.value.where == f"question[0].mechanism.{where}"


def ranges_of(candidates, sizes, floor):
    """Part a line by candidates in turn: each cuts if both sides of its range keep the floor."""
    cuts = [0, len(sizes)]
    for tick in candidates:
        low, high = max(c for c in cuts if c <= tick), min(c for c in cuts if c >= tick)
        sides = sum(sizes[low:tick]), sum(sizes[tick:high])
        if low < tick < high and (floor is None or min(sides) >= floor):
            cuts = sorted({*cuts, tick})
    return list(pairwise(cuts))


def enumerated_coverage(question, shares):
    """The chance that an unrelated answer falls in the range, over all draws of the candidates."""
    floor = question.floor
    ticks = [(t, w) for t, w in enumerate(question.weights, start=1) if w]
    total, fraction = sum(w for _, w in ticks), Fraction(0)
    for combination in product(ticks, repeat=question.number):
        candidates = [tick for tick, _ in combination]
        parts = ranges_of(candidates, floor.sizes if floor else shares, floor and floor.minimum)
        assert len(parts) <= 3
        chance = Fraction(math.prod(w for _, w in combination), total**question.number)
        fraction += chance * sum(sum(shares[low:high]) ** 2 for low, high in parts)
    return fraction / sum(shares) ** 2


@pytest.mark.parametrize("target", ["7/20", "9/25", "2/5", "1/2", "4/5"])
@pytest.mark.parametrize("prior", ["even", [1, 3, 2, 2, 3, 1]], ids=["even", "declared"])
def test_two_cuts_have_the_coverage_that_is_asked_for_as_deployed(target, prior):
    written = f'name = "two_cuts", coverage = "{target}", prior = {json.dumps(prior)}'
    raw = SURVEY.format(written).replace("upper = 40", "upper = 6")
    question = publish(parse_survey(raw.encode())).questions[0]
    result = enumerated_coverage(question, [1] * 6 if prior == "even" else prior)
    assert Fraction(target) <= result + Fraction(1, 10**9)
    assert result < Fraction(target) + Fraction(1, 10**5)
    people = np.ones(6) if prior == "even" else np.array(prior)
    computed = coverage(deployed(question).channel, people / people.sum()).value
    assert float(computed) == pytest.approx(float(result), abs=1e-9)


@pytest.mark.parametrize("target", ["0.334", "0.35", "0.45", "0.9", "0.99"])
def test_any_coverage_above_a_third_can_be_asked_for_on_a_line_of_fine_steps(target):
    written = f'name = "two_cuts", coverage = "{target}"'
    raw = SURVEY.format(written).replace("upper = 40", "upper = 60")
    question = publish(parse_survey(raw.encode())).questions[0]
    number = float(coverage(deployed(question).channel).value)
    assert float(target) - 1e-9 <= number < float(target) + 1e-3
    assert question.about["mechanism"] | {"number": ""} == {
        "name": "two_cuts",
        "number": "",
        "coverage": str(Fraction(target)),
        "prior": "even",
    }


def test_a_third_itself_is_refused_and_a_coarse_line_says_what_it_allows():
    for coverage_, upper in (("1/3", 20), ("1/2", 3)):
        raw = SURVEY.format(f'name = "two_cuts", coverage = "{coverage_}"')
        with pytest.raises(SurveyError, match=r"from 0\.33\d+ to 0\.\d+ on this line"):
            publish(parse_survey(raw.replace("upper = 40", f"upper = {upper}").encode()))


def test_two_cuts_below_what_independent_ones_have_are_said_to_make_three_ranges():
    independent, jointly = (
        " ".join(deployed(publish_question(f'name = "two_cuts", coverage = {tau}')).sentences())
        for tau in (0.6, 0.35)
    )
    assert "The device draws 2 numbers" in independent
    assert "three ranges" not in independent
    assert "So at most two of them cut, into three ranges." in jointly
