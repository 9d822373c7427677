"""Lists to tick: one screen each, however they are sent, and boxes that empty each other."""

import json
from pathlib import Path

import pytest

import askance as ak
from askance.engines import count_reports

ROOT = Path(__file__).parents[2]
SURVEY = """
askance = "survey-1"
title = "Nights"
consent = "Say it or leave."
languages = ["LANGUAGE"]

[[question]]
name = "awake"
text = "What kept you awake last week?"
choose = "all"
answers = ["noise", "money", "love"]
mechanism = { name = "warner", truth = "3/4" }

[[question]]
name = "took"
text = "Which of these have you taken?"
choose = "all"
protect = "together"
none = "I took nothing"
answers = ["pills", "alcohol"]
mechanism = { name = "kary", ratio = 9 }

[[question]]
name = "has"
text = "What do you have at home?"
choose = "all"
answers = ["desk", "bed"]
"""
NOISE, MONEY, LOVE, NONE, RATHER = range(5)


def form_in(language):
    return ak.publish(ak.parse_survey(SURVEY.replace("LANGUAGE", language).encode()))


@pytest.fixture(scope="module")
def nights():
    return form_in("en")


def boxes(someone):
    return someone.page.locator("main fieldset input[type=checkbox]")


def ticks(someone):
    return [box.is_checked() for box in boxes(someone).all()]


def tick(someone, *places):
    for position in places:
        boxes(someone).nth(position).check()


def begin(person, url, **how):
    someone = person(url, **how)
    someone.consent()
    someone.practise()
    if someone.page.locator(".card").count():
        someone.proceed()
    return someone


def test_each_list_is_one_screen_and_is_sent_item_by_item_or_as_one(collect, person, nights):
    collector = collect(nights)
    someone = begin(person, collector.url)
    observed = []
    for places in ((NOISE, LOVE), (0, 1), (2,)):
        observed.append((someone.page.locator(".step").inner_text(), someone.heading()))
        tick(someone, *places)
        someone.proceed()
    assert observed == [
        ("Question 1 of 3", "What kept you awake last week?"),
        ("Question 2 of 3", "Which of these have you taken?"),
        ("Question 3 of 3", "What do you have at home?"),
    ]
    texts = someone.page.locator("main section.item.given p").all_inner_texts()
    assert texts == ["noise and love", "pills + alcohol", "None of these"]
    answers = json.loads(someone.body())["answers"]
    assert sorted(answers) == sorted(question.name for question in nights.questions)
    assert (answers["has_desk"], answers["has_bed"]) == (1, 1)
    assert all(answers[f"awake_{item}"] in (0, 1) for item in ("noise", "money", "love"))
    assert answers["took"] in range(4)
    someone.send()
    assert collector.reports() == [answers]
    assert someone.console == []


def test_none_of_these_and_no_answer_empty_the_list_and_are_emptied(collect, person, nights):
    someone = begin(person, collect(nights).url)
    someone.proceed()
    assert "tick “None of these”" in someone.page.locator("#complaint").inner_text()
    assert someone.heading() == "What kept you awake last week?"
    tick(someone, NOISE, MONEY)
    assert someone.page.locator("#complaint").inner_text() == ""
    tick(someone, NONE)
    assert ticks(someone) == [False, False, False, True, False]
    tick(someone, RATHER)
    assert ticks(someone) == [False, False, False, False, True]
    tick(someone, LOVE)
    assert ticks(someone) == [False, False, True, False, False]
    tick(someone, RATHER)
    someone.proceed()
    tick(someone, 3)
    someone.proceed()
    tick(someone, 2)
    someone.proceed()
    texts = someone.page.locator("main section.item.given p").all_inner_texts()
    assert texts == ["No answer", "No answer", "None of these"]
    someone.page.get_by_role("button", name="Change").nth(0).click()
    assert ticks(someone) == [False, False, False, False, True]
    someone.proceed()
    answers = json.loads(someone.body())["answers"]
    assert [answers[name] for name in ("awake_noise", "awake_money", "awake_love", "took")] == [
        None
    ] * 4


def test_whoever_comes_back_finds_the_list_as_it_was_left(collect, person, nights):
    someone = begin(person, collect(nights).url)
    tick(someone, MONEY)
    someone.proceed()
    tick(someone, 1)
    someone.press("Back")
    assert ticks(someone) == [False, True, False, False, False]
    assert someone.page.locator("fieldset input").first.get_attribute("checked") is None


def test_both_losses_are_told_beside_each_other(collect, person, nights):
    someone = begin(person, collect(nights).url)
    assert (
        "Each line of the list is drawn and sent by itself"
        in someone.page.locator("main").inner_text()
    )
    someone.page.locator("summary", has_text="How much it tells").click()
    text = someone.page.locator("main details[open]").last.inner_text()
    assert "more than 3 times as likely under one answer" in text
    assert "more than 27 times as likely under one list of ticks" in text
    assert "ε = 3.296" in text


def test_by_keyboard_alone(collect, person, nights):
    someone = begin(person, collect(nights).url)
    someone.press_keys("money", "Continue", "I took nothing", "Continue")
    assert someone.heading() == "What do you have at home?"
    someone.press_keys("desk", "bed", "I’d rather not answer", "Continue")
    texts = someone.page.locator("main section.item.given p").all_inner_texts()
    assert texts == ["money", "I took nothing", "No answer"]


@pytest.mark.parametrize(("language", "width"), [("en", 360), ("ar", 360), ("ar", 1280)])
def test_lists_are_accessible_on_a_phone_and_from_right_to_left(
    collect, person, axe, language, width
):
    someone = begin(person, collect(form_in(language)).url, width=width)
    for _ in range(3):
        someone.proceed()
        someone.page.evaluate(
            "() => document.querySelectorAll('details').forEach((one) => (one.open = true))"
        )
        assert axe(someone.page)[0] == []
        assert someone.page.evaluate("() => document.documentElement.scrollWidth") <= width
        assert someone.page.evaluate("() => document.documentElement.dir") == (
            "rtl" if language == "ar" else "ltr"
        )
        assert someone.page.get_by_role("group", name=someone.heading()).count() == 1
        tick(someone, 0)
        someone.proceed()
    assert someone.page.locator("main section.item").count() == 3


def test_what_is_ticked_is_learnt_item_by_item_and_two_by_two(collect, person, nights):
    collector = collect(nights)
    someone = begin(person, collector.url)
    for places in ((NOISE,), (0,), (0, 1)):
        tick(someone, *places)
        someone.proceed()
    someone.reveal()
    someone.send()
    analyse_result = ak.analyse(nights, count_reports(collector.path, nights))
    assert [item.questions[0] for item in analyse_result.lists] == [
        "awake_noise",
        "took",
        "has_desk",
    ]
    assert [pair.items for pair in analyse_result.lists[2].pairs] == [("desk", "bed")]
    assert analyse_result.lists[2].pairs[0].share == 1
