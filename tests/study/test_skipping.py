"""Invented and recorded people skip what the form lets them skip, and have the answer it says."""

from collections import Counter

import numpy as np
import pytest

from askance.study import invent_answers, operating_characteristics, read_answers
from askance.survey import parse_survey, publish

SURVEY = b"""askance = "survey-1"
title = "T"
consent = "C"
[[question]]
name = "works"
text = "W?"
answers = ["yes", "no"]
[[question]]
name = "hours"
text = "H?"
line = { lower = 0, upper = 40 }
skip = { after = "works", answered = ["no"] }
[[question]]
name = "drinks"
text = "D?"
line = { lower = 0, upper = 10, whole = true }
typed = true
mechanism = { name = "cuts", number = 2 }
proves = "accepted"
proves_reason = "tried"
skip = { after = "works", answered = ["no"], send = 0 }
[[question]]
name = "spent"
text = "S?"
line = { lower = 0, upper = 100, step = 10 }
mechanism = { name = "progressive", number = 3, floor = "1/5" }
skip = { after = "works", answered = ["no"], send = 100 }
[[question]]
name = "used"
text = "U?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
skip = { after = "drinks", answered = { to = 2 }, send = "no" }
[[question]]
name = "born"
text = "B?"
answers = ["both", "one", "other", "neither"]
mechanism = { name = "kary", truth = "3/4" }
coin = "somebody's birthday"
"""


@pytest.fixture(scope="module")
def form():
    return publish(parse_survey(SURVEY))


def test_whoever_skips_has_the_answer_that_is_so_of_them(form):
    answers = invent_answers(form, {"works": [3, 1], "used": [1, 1]}, people=400)
    for person in answers.people:
        if person["works"] == 1:
            assert (person["hours"], person["drinks"], person["spent"]) == (None, 0, 9)
        if person["drinks"] <= 2:
            assert person["used"] == 1
    used = [item["used"] for item in answers.people if item["drinks"] > 2]
    assert Counter(used)[0] == pytest.approx(len(used) / 2, rel=0.2)
    assert answers.truth["used"]["yes"] == Counter(item["used"] for item in answers.people)[0] / 400
    drinks = [item["drinks"] for item in answers.people]
    assert answers.truth["drinks"]["mean"] == np.mean(drinks)
    assert len(answers.numbers["hours"]) == 300
    assert answers.numbers["spent"].count(100.0) == 100
    assert len({element["born"] for element in answers.people}) == 4


def test_a_table_of_answers_is_carried_out_too(form, tmp_path):
    path = tmp_path / "people.csv"
    head = "works,hours,drinks,spent,used,born\n"
    path.write_text(head + "no,8,3,20,yes,both\nyes,8,3,20,yes,one\nyes,,1,,yes,\n", "utf-8")
    answers = read_answers(path, form)
    assert [tuple(person.values()) for person in answers.people] == [
        (1, None, 0, 9, 1, 0),
        (0, 8, 3, 1, 0, 1),
        (0, None, 1, None, 1, None),
    ]
    assert answers.truth["used"] == {"yes": 1 / 3, "no": 2 / 3}
    assert answers.numbers["spent"] == (100.0, 20.0)


@pytest.mark.long
def test_estimates_are_of_everybody(form):
    answers = invent_answers(form, {"works": [1, 1]}, people=500)
    ran = operating_characteristics(form, answers, people=400, repetitions=3, rng=7)
    by_name = {item.question: item.collections for item in ran}
    used = by_name["used"][0].accuracy[0]
    assert used.truth == answers.truth["used"]["yes"] < 0.35
    assert abs(used.bias) < 0.1
    spent = by_name["spent"][-1]
    assert spent.name == "progressive"
    assert spent.accuracy[0].truth == pytest.approx(np.mean(answers.numbers["spent"]))
    assert abs(spent.accuracy[0].bias) < 12
