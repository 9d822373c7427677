"""Invented people follow what is expected of them as closely as their number allows."""

import numpy as np
import pytest
from scipy.stats import cauchy, norm

from askance.study import invent_answers
from askance.survey import load_survey, parse_survey, publish
from askance_collect.errors import InputError

TWO = b"""askance = "survey-1"
title = "T"
consent = "C"
[[question]]
name = "age"
text = "A?"
line = { lower = 0, upper = 10, step = 2 }
mechanism = { name = "cuts", number = 1 }
[[question]]
name = "plain"
text = "P?"
line = { lower = 0, upper = 10, step = 2 }
"""


@pytest.fixture(scope="module")
def form():
    return publish(load_survey("examples/affairs.toml"))


@pytest.fixture(scope="module")
def two():
    return publish(parse_survey(TWO))


def test_shares_and_quantiles_are_those_expected(form, two):
    answers = invent_answers(form, {"affair": [3, 1, 0][:2]}, people=400)
    assert answers.truth["affair"] == {"yes": 0.75, "no": 0.25}
    assert answers.truth["religious"] == dict.fromkeys(answers.truth["religious"], 0.25)
    ages = invent_answers(two, {"age": norm(5, 1)}, people=1_001)
    assert ages.truth["age"]["mean"] == pytest.approx(5)
    assert ages.truth["age"]["median"] == pytest.approx(5)
    assert {person["plain"] for person in ages.people} == set(range(6))


def test_numbers_beyond_the_line_stand_at_its_ends(two):
    answers = invent_answers(two, {"age": cauchy(5, 10)}, people=100)
    numbers = np.array(answers.numbers["age"])
    assert (numbers.min(), numbers.max()) == (0, 10)
    assert {person["age"] for person in answers.people} <= set(range(5))


def test_answers_to_two_questions_have_nothing_to_do_with_each_other(two):
    answers = invent_answers(two, people=2_000)
    pairs = np.array([[person["age"], person["plain"]] for person in answers.people])
    assert abs(np.corrcoef(pairs.T)[0, 1]) < 0.1


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        ({"fidelity": [1, 1]}, "marriage, affair"),
        ({"affair": [1]}, "2 shares"),
        ({"affair": [0, 0]}, "2 shares"),
        ({"affair": [float("nan"), 1]}, "2 shares"),
        ({"affair": norm()}, "2 shares"),
        ({"years": [0.5, 0.5]}, "a ppf"),
        ({"years": norm(float("nan"), 1)}, "of one number"),
    ],
)
def test_what_cannot_be_expected_is_refused(form, expected, message):
    with pytest.raises(InputError, match=message):
        invent_answers(form, expected)


@pytest.mark.parametrize("people", [0, -1, 2.5, True])
def test_somebody_is_needed(form, people):
    with pytest.raises(InputError, match="people"):
        invent_answers(form, people=people)
