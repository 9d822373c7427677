"""What check says is what the form's integers do, rounded towards caution."""

import math
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance import FormError, Guarantee, Notion
from askance.privacy.meaning import meaning
from askance.survey.about import minimum_of
from askance.survey.check import check
from askance.survey.load import load_survey, parse_survey
from askance.survey.publish import publish
from askance.survey.words import figure
from askance.wire.form import Form

HEAD = 'askance = "survey-1"\ntitle = "T"\nconsent = "C"\n'


def checked(*questions, sizes=(400,)):
    return check(publish(parse_survey((HEAD + "".join(questions)).encode())), sizes)


def asked(name, rest):
    return f'[[question]]\nname = "{name}"\ntext = "Q?"\n{rest}\n'


YES_NO = 'answers = ["yes", "no"]\nmechanism = { name = "abstain", truth = "3/5", lie = "1/10" }'


def test_the_example_is_told_in_counts_of_a_hundred_people():
    (question,) = checked(asked("a", YES_NO)).questions
    assert question.words == (
        "Of 100 people whose answer is “yes”, 60 send “yes”, 10 send “no”, 30 send “don't know”.",
        "Of 100 people whose answer is “no”, 10 send “yes”, 60 send “no”, 30 send “don't know”.",
    )
    assert [label for label, _, _ in question.guarantees] == [
        "local privacy",
        "Shafer's loss",
        "Walley's loss",
        "advantage over guessing",
    ]
    ((n, width),) = question.precision
    spread = (Fraction(7, 5) ** 2 / 4) / Fraction(7, 10) / 400
    assert n == 400
    assert float(width.split()[1]) == pytest.approx(100 * 1.96 * math.sqrt(spread), abs=0.06)


def test_what_a_form_says_of_itself_is_not_taken_on_trust():
    form = publish(parse_survey((HEAD + asked("a", YES_NO) + asked("b", YES_NO)).encode()))
    told = {"name": "t", "questions": ["a", "b"]}

    def saying(**about):
        return Form.read({**form.document, "about": about})

    (trait,) = check(saying(traits=[told])).traits
    assert trait.guarantees[0][1] == "ε = 3.583519 (ratio 36)"
    assert check(saying()).traits == ()
    for lie in (5, "ab", [told | {"questions": ["c"]}], [told | {"questions": []}], [[]], [None]):
        with pytest.raises(FormError, match="traits"):
            check(saying(traits=lie))
    with pytest.raises(FormError, match="minimum"):
        minimum_of(saying(minimum="0"))


def test_promised_shares_of_people_are_rounded_down():
    line = "line = { lower = 0, upper = 7, unit = 'h' }\n"
    (ring,) = checked(asked("a", line + 'mechanism = { name = "ring", floor = "3/7" }')).questions
    assert "either holds at least 42.8 of 100 people." in ring.words[1]
    rest = line + 'mechanism = { name = "progressive", number = 1, floor = "3/7" }'
    (steps,) = checked(asked("a", rest)).questions
    assert "a side with less than 42.8 of 100 people" in steps.words[1]


def test_answers_that_are_treated_alike_are_told_in_one_sentence():
    rest = 'answers = ["a", "b", "c"]\nmechanism = { name = "abstain", truth = 0.5, lie = 0.3 }'
    (question,) = checked(asked("a", rest + '\nblank = "1/10"')).questions
    assert question.words == (
        "Of 100 people, whatever their answer, 45 send it, 13.5 send each of the 2 other answers, "
        "18 send “don't know”, 10 send nothing.",
    )


def test_a_number_is_told_by_its_cuts_and_its_most_telling_reports():
    line = "line = { lower = 0, upper = 100, step = 5, unit = 'kg' }\n"
    one = line + 'mechanism = { name = "cuts" }\nblank = "1/20"'
    two = line + 'mechanism = { name = "cuts", number = 2, between = [20, 60] }'
    first, second = checked(asked("a", one), asked("b", two)).questions
    assert first.words == (
        "The device draws a number between 5 and 95 kg; what is sent is whether the answer is "
        "above it.",
        "The most telling reports are “5 or less” and “more than 95”.",
        "Of 100 people, whatever their answer, 5 send nothing.",
        "What is sent is always true.",
    )
    assert second.words[0].startswith("The device draws 2 numbers between 20 and 60 kg")
    assert second.words[1] == "The most telling report is a range that is 5 kg wide."


def test_a_range_one_unit_wide_is_not_so_many_units():
    line = "line = { lower = 0, upper = 20, unit = 'years' }\n"
    (judged,) = checked(asked("a", line + 'mechanism = { name = "cuts", number = 2 }')).questions
    assert judged.words[1] == "The most telling report is a range that is 1 wide (unit: years)."
    stretch = "open = [[10, 20]], between = [4, 8]"
    mechanism = f'mechanism = {{ name = "cuts", number = 2, {stretch} }}'
    (judged,) = checked(asked("a", line + mechanism)).questions
    assert judged.words[2] == "The most telling report is a range that is 1 wide (unit: years)."


def test_many_sets_are_told_in_one_sentence():
    answers = 'answers = ["a", "b", "c", "d", "e"]\nmechanism = { name = "blocks" }'
    (judged,) = checked(asked("q", answers + '\nblank = "1/10"')).questions
    assert judged.words == (
        "What is sent is one of 30 sets of answers, always one that holds the answer.",
        "Of 100 people with one answer, 6 send that answer alone.",
        "Of 100 people, whatever their answer, 10 send nothing.",
        "What is sent is always true.",
    )
    runs = 'answers = ["a", "b", "c", "d", "e"]\nmechanism = { name = "runs" }'
    (judged,) = checked(asked("q", runs)).questions
    assert judged.words[1] == "Of 100 people with one answer, 0 to 25 send that answer alone."


def test_a_trait_is_told_together_and_plain_questions_are_warned_of():
    trait = '\ntrait = "faith"'
    plain = asked("town", 'answers = ["a", "b"]')
    judged = checked(plain, asked("a", YES_NO + trait), asked("b", YES_NO + trait))
    (together,) = judged.traits
    assert together.questions == ("a", "b")
    assert together.guarantees[0][1] == "ε = 3.583519 (ratio 36)"
    assert "town" in judged.warnings[0]
    assert checked(asked("a", YES_NO)).warnings == ()


@given(st.fractions(0, 1))
def test_words_promise_no_more_than_holds(value):
    told = meaning(Guarantee(Notion.ADVANTAGE, value, ""))
    right = Fraction(re.findall(r"[\d.]+", told)[0])
    assert 0 <= right - 50 * (1 + value) < Fraction(1, 10)
    told = meaning(Guarantee(Notion.COVERAGE, value, ""))
    inside = Fraction(re.findall(r"\d[\d.]*", told)[0])
    assert 0 <= 100 * value - inside < Fraction(1, 10)


def test_what_has_no_bound_is_said_to_have_none():
    endless = Guarantee(Notion.LOCAL, math.inf, "")
    assert figure(endless) == "ε = ∞"
    assert "for certain" in meaning(endless)
    uneven = Guarantee(Notion.FLATNESS, Fraction(3, 2), "")
    assert "1.50 times" in meaning(uneven)


def test_the_shipped_example_is_judged():
    judged = check(publish(load_survey("examples/affairs.toml")))
    assert [len(question.guarantees) for question in judged.questions] == [0, 4, 4, 3]
    assert all(question.precision for question in judged.questions[1:])
