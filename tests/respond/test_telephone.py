"""A script for the telephone: all digits, through the words that are read out, give the table."""

import itertools
import re
from collections import Counter
from fractions import Fraction

import pytest

from askance.survey import parse_survey, publish
from askance_collect.errors import InputError
from askance_collect.respond import telephone_script

SURVEY = """
askance = "survey-1"
title = "Tea"
languages = ["en", "de"]
consent = { en = "Say it or leave.", de = "Sagen Sie es." }
"""
QUESTION = """
[[question]]
name = "NAME"
text = { en = "Which is so?", de = "Was trifft zu?" }
"""
RULE = re.compile(
    r"(?:If it is|If they are|Ist es|Sind es) (\d+)(?: (?:to|bis) (\d+))?, "
    r"(?:say|sagen Sie) (.*?)\.(?= (?:If|Ist|Sind|[A-Z]{2}))"
)
ANSWER_RULE = re.compile(
    "[“„](.*?)[”“](?:, (?:whatever is so|was auch zutrifft)|,? (?:if|wenn) [“„](.*?)[”“] .*)"
)


def form(*questions):
    parts = [
        QUESTION.replace("NAME", f"q{index}") + question for index, question in enumerate(questions)
    ]
    return publish(parse_survey("".join([SURVEY, *parts]).encode()))


def follow_rule(kind, answer):
    """What is said by whoever has this answer; None for going on to the next question."""
    if kind in ("your true answer", "Ihre wahre Antwort"):
        return answer
    for part in kind.split("; "):
        match = ANSWER_RULE.fullmatch(part)
        if match[2] in (None, answer):
            return None if match[1] in ("next question", "nächste Frage") else match[1]
    raise AssertionError(part)


def by_digits(script, answer):
    text = " ".join(script.split())
    rules = RULE.findall(text)
    times = len(rules[0][0])
    counted = Counter()
    for digits in map("".join, itertools.product("0123456789", repeat=times)):
        (kind,) = [rule for low, high, rule in rules if low <= digits <= (high or low)]
        counted[follow_rule(kind, answer)] += Fraction(1, 10**times)
    return counted


def by_form(question, index, language):
    units, total = question.blank
    chances = Counter({None: Fraction(units, total)} if units else {})
    for column, report in enumerate(question.reports):
        if chance := question.table.chance(index, column):
            chances[report.wording[language]] += chance * (1 - Fraction(units, total))
    return chances


YES_NO = 'answers = ["yes", "no"]\n'
FOUR = 'answers = ["north", "east", "south", "west"]\n'
QUESTIONS = {
    "one digit": YES_NO + 'mechanism = { name = "warner", truth = "4/5" }',
    "two digits": YES_NO + 'mechanism = { name = "warner", truth = "3/4" }',
    "a blank": YES_NO
    + 'mechanism = { name = "abstain", truth = "3/5", lie = "1/10" }\nblank = "1/50"',
    "four": FOUR + 'mechanism = { name = "kary", truth = "0.7" }',
    "a table": YES_NO
    + 'mechanism = { name = "table", reports = { "A" = ["yes"], "B" = ["yes", "no"] }, '
    'rows = [["1/2", "1/2"], ["1/5", "4/5"]] }',
}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", QUESTIONS)
def test_all_digits_through_the_words_give_the_forms_chances(name, language):
    form_result = form(QUESTIONS[name])
    script = telephone_script(form_result, language=language)
    assert max(map(len, script.splitlines())) <= 79
    for index, answer in enumerate(form_result.questions[0].answers):
        assert by_digits(script, answer.name) == by_form(form_result.questions[0], index, language)


def test_digits_are_noted_before_the_question_and_are_fresh_for_each():
    form_result = form(QUESTIONS["one digit"], YES_NO, QUESTIONS["two digits"])
    script = " ".join(telephone_script(form_result).split())
    order = [
        script.index(words)
        for words in (
            "write down the one digit before it",
            "1. SAY",
            "2. ASK",
            "3. SAY: Please take another banknote",
            "Write down two digits before the last digit",
            "put the banknote away",
        )
    ]
    assert order[0] > order[1]
    assert order[1:] == sorted(order[1:])
    assert script.index("Please take a banknote") < script.index("ASK: Which is so?")
    assert script.count("Never the digits, and do not ask why.") == 2


def test_without_chance_nobody_is_asked_for_a_banknote():
    assert "banknote" not in telephone_script(form(YES_NO))


def test_chances_that_digits_do_not_have_are_refused():
    with pytest.raises(InputError, match="6 parts'; allowed: by digits") as caught:
        telephone_script(form(YES_NO + 'mechanism = { name = "warner", truth = "5/6" }'))
    assert '[["83/100", "17/100"], ["17/100", "83/100"]]' in str(caught.value)


def test_each_call_has_ranges_of_its_own():
    form_result = form(
        'line = { lower = 0, upper = 90 }\nmechanism = { name = "cuts", number = 2 }'
    )
    calls = telephone_script(form_result, copies=20, first=3).split("\f")
    assert [re.search(r"Sheet (\d+)", call)[1] for call in calls] == list(map(str, range(3, 23)))
    assert len({call.split("ASK")[1] for call in calls}) > 15


def test_messages_ask_for_digits_first_and_for_each_question_anew():
    form_result = form(QUESTIONS["one digit"], YES_NO, QUESTIONS["two digits"])
    script = telephone_script(form_result, messages=True)
    parts = re.split(r"MESSAGE (\d+)\n", script)
    assert parts[1::2] == list(map(str, range(1, 8)))
    consent, digits, first, plain, others, second, end = parts[2::2]
    assert consent == "Say it or leave.\n\n"
    assert all(
        item.endswith("Then reply “ready”, and nothing else.\n\n") for item in (digits, others)
    )
    assert "one digit before it" in digits
    assert "take another banknote" in others
    assert "If it is 0 to 5, write your true answer.\n" in first
    assert "If they are" in second
    assert plain.startswith("2. Which is so?\n- yes\n- no\n\nWRITE DOWN")
    assert "Never the digits" in first
    assert "banknote away" in end


def test_messages_without_chance_are_questions_alone():
    assert telephone_script(form(YES_NO), messages=True).count("MESSAGE") == 2
