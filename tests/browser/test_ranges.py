"""Every kind of range question, by keyboard: what is said before, what is sent, what stays so."""

import copy
import json

import pytest

from askance.survey import parse_survey, publish
from askance_collect.wire import Form, body_size, read_question

NARROWER, STOP = 1, 0


def alone(form, name, **changes):
    """The same survey with one question only, and that one changed."""
    document = copy.deepcopy(form.document)
    (remaining,) = [question for question in document["questions"] if question["name"] == name]
    remaining |= changes
    read = read_question(remaining, form.languages, name)
    return Form.read(document | {"questions": [remaining], "size": body_size((read,))})


@pytest.fixture
def ask(collect, forms, person, money_words):
    """Seat a person before one question: asked("income", income=[…], width=360)."""
    running = {}

    def seat(name, *, width=360, language="en", blank=False, changes=None, **cuts):
        form = alone(forms["money"], name, **(changes or {}))
        index_result = [question.name for question in forms["money"].questions].index(name)
        sizes = [2, 7, 2, 3, 2]
        words = money_words(**cuts)[sum(sizes[:index_result]) : sum(sizes[: index_result + 1])]
        words[0] = 0 if blank else words[0]
        if form.fingerprint not in running:
            running[form.fingerprint] = collect(form).url
        url = running[form.fingerprint]
        someone = person(url, width=width, language=language, words=words)
        someone.consent()
        someone.practise()
        someone.proceed()
        return someone

    return seat


def options(someone):
    return [text.replace("\n", " ") for text in someone.page.locator(".option").all_inner_texts()]


def asks(someone):
    return someone.page.locator("h2.ask").inner_text()


def value(someone):
    (result,) = json.loads(someone.body())["answers"].values()
    return result


# name, the choices in turn (a number is typed), the value that is sent
KINDS = {
    "one cut": ("age", [0], [0, 36]),
    "sent exactly": ("age", [(2, "71")], [53, 54]),
    "a ring's inside": ("household", [0], [30, 85]),
    "a ring's outside": ("household", [1], [85, 30]),
    "several cuts": ("savings", [1], [12, 60]),
    "too narrow": ("savings", [0], None),
    "never narrowed": ("income", [STOP], [0, 200]),
    "narrowed once": ("income", [NARROWER, 1, STOP], [35, 200]),
    "narrowed twice": ("income", [NARROWER, 0, NARROWER, 1, STOP], [22, 35]),
    "dropped on seeing a number": ("income", [NARROWER, 2], None),
    "some of the answers": ("getting_by", [1], 1),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [360, 1280])
def test_by_keyboard_alone(ask, kind, width):
    name, moves, expected = KINDS[kind]
    someone = ask(name, width=width)
    for move in moves:
        for part in move if isinstance(move, tuple) else (move,):
            if isinstance(part, int):
                someone.tab_to_radio(part)
            else:
                someone.page.keyboard.press("Tab")
                someone.page.keyboard.type(part)
        assert someone.page.evaluate("() => document.documentElement.scrollWidth") <= width
        someone.page.keyboard.press("Enter")
    someone.press_keys("Show what is sent")
    body_result = someone.body()
    assert value(someone) == expected
    someone.press_keys("Send")
    someone.page.wait_for_selector(".receipt")
    assert [request.method for request in someone.sent] == ["GET", "GET", "POST"]
    assert someone.sent[2].post_data == body_result
    assert someone.console == []


def test_all_kinds_at_once_send_the_bytes_shown(collect, forms, person, money_words):
    collector = collect(forms["money"])
    someone = person(collector.url, words=money_words())
    someone.take((2, "71"), [NARROWER, 0, NARROWER, 1, STOP], 1, 0, 1)
    body_result = someone.body()
    someone.send()
    assert someone.sent[2].post_data == body_result
    (remaining,) = collector.reports()
    assert remaining == {
        "age": [53, 54],
        "income": [22, 35],
        "household": [85, 30],
        "savings": None,
        "getting_by": 1,
    }


def traffic(someone):
    someone.send()
    return [
        (item.method, item.url.rsplit("/", 1)[1], item.post_data_buffer, sorted(item.all_headers()))
        for item in someone.sent
    ]


def test_ways_to_one_range_make_the_same_traffic(ask):
    straight, roundabout = ask("income"), ask("income")
    straight.answer([NARROWER, 0, STOP])
    roundabout.answer([NARROWER, 1])
    roundabout.press("Start this question again")
    roundabout.answer([0, STOP])
    assert value(straight) == value(roundabout) == [0, 35]
    assert traffic(straight) == traffic(roundabout)


def test_reasons_for_a_blank_make_the_same_traffic(ask):
    narrow, refused, chance = ask("savings"), ask("savings"), ask("savings", blank=True)
    narrow.answer(0)
    refused.answer(3)
    chance.answer(1)
    assert [value(item) for item in (narrow, refused, chance)] == [None] * 3
    records = [item.page.locator(".out dd").inner_text() for item in (narrow, refused, chance)]
    assert len(set(records)) == 1
    assert "range was too narrow" in records[0]
    assert traffic(narrow) == traffic(refused) == traffic(chance)


def test_a_number_shows_only_after_the_step_is_agreed_to(ask):
    someone = ask("income")
    assert asks(someone) == "If you stop here, the record reads “any number”."
    assert options(someone)[0] == "Stop here"
    assert someone.page.locator("input:checked").count() == 0
    someone.proceed()
    assert someone.page.locator(".complaint").inner_text().startswith("Choose one.")
    assert "35,000" not in someone.page.content()
    someone.answer(NARROWER)
    assert asks(someone) == "Is your answer above 35,000 euros?"
    assert someone.page.evaluate("() => document.activeElement.tagName") == "H2"
    assert someone.page.locator("input:checked").count() == 0
    assert options(someone) == [
        "35,000 euros or less",
        "More than 35,000 euros",
        "I’d rather not answer",
    ]
    assert "22,000" not in someone.page.content()
    someone.proceed()
    assert "Choose one" in someone.page.locator(".complaint").inner_text()
    someone.answer(0)
    assert asks(someone) == "If you stop here, the record reads “35,000 euros or less”."
    assert "50 of 100 people are in it" in someone.page.locator("main").inner_text()
    assert someone.page.locator("fieldset :is(progress, meter)").count() == 0


def test_what_was_seen_stays_seen(ask):
    someone = ask("income")
    someone.answer(NARROWER)
    number, stored = asks(someone), someone.storage()
    someone.press("Back")
    someone.proceed()
    assert asks(someone) == number
    someone.page.locator("select").select_option("de")
    assert asks(someone) == "Ist Ihre Antwort mehr als 35.000 Euro?"
    someone.page.locator("select").select_option("en")
    assert "Stop here" not in options(someone)
    someone.answer([0, STOP])
    someone.page.get_by_role("button", name="Change your answer: What did").click()
    someone.press("Start this question again")
    assert asks(someone) == number
    someone.answer([1, STOP])
    assert someone.storage() == stored
    assert value(someone) == [35, 200]


def test_another_side_has_its_own_numbers_and_its_own_question(ask):
    someone = ask("income")
    someone.answer([NARROWER, 0, NARROWER, 0])
    assert "No narrower range" in someone.page.locator("main").inner_text()
    someone.press("Start this question again")
    someone.answer(1)
    assert options(someone)[:2][0] == "Stop here"
    someone.answer(0)
    assert value(someone) == [35, 200]


def test_a_dropped_question_is_blank_and_can_be_taken_up_again(ask):
    someone = ask("income")
    someone.answer([NARROWER, 2])
    assert someone.page.locator(".item p").first.inner_text() == "No answer"
    someone.page.get_by_role("button", name="Change your answer: What did").click()
    assert asks(someone) == "Is your answer above 35,000 euros?"
    someone.answer([1, STOP])
    assert value(someone) == [35, 200]
    dropped = ask("income")
    dropped.answer([NARROWER, 2])
    assert value(dropped) is None
    assert dropped.page.locator(".sides dd").first.inner_text() == "No answer"


def test_no_range_is_narrower_than_promised(ask):
    someone = ask("income", income=[35_000, 30_000, 20_000, 22_000, 50_000, 64_000])
    text = someone.page.locator(".odds").inner_text()
    assert "never so narrow that fewer than 20 of 100 people are in it" in text
    someone.answer([NARROWER, 0, NARROWER])
    assert asks(someone) == "Is your answer above 20,000 euros?"  # 30,000 would leave too few
    someone.answer([0, STOP])
    assert value(someone) == [0, 20]


def test_where_no_number_keeps_the_promise_nothing_is_told(ask):
    someone = ask("income", income=[1_000] * 6, changes={"ask": "cells"})
    assert "Chance found no number for you" in someone.page.locator(".odds").inner_text()
    assert options(someone) == ["Any number", "I’d rather not answer"]
    someone.answer(0)
    assert value(someone) == [0, 200]


def test_a_range_too_narrow_is_told_before_and_in_the_review(ask):
    someone = ask("savings")
    text = someone.page.locator("main").inner_text()
    assert "A range narrower than 20,000 euros is not sent: the record is then blank." in text
    assert "Of 100 people who answer, 10 send nothing, by chance" in text
    assert options(someone)[0] == "12,000 euros or less Too narrow: nothing is sent."
    assert options(someone)[1] == "More than 12,000, up to 60,000 euros"
    someone.answer(0)
    someone.reveal()
    texts = someone.page.locator(".sides dd").all_inner_texts()
    assert texts[0] == "12,000 euros or less"
    assert texts[1].startswith("The record is blank.")


def test_a_ring_is_asked_as_yes_or_no(ask):
    someone = ask("household")
    assert asks(someone) == "Is it more than 30,000, up to 85,000 euros?"
    assert options(someone)[:2] == [
        "Yes: more than 30,000, up to 85,000 euros",
        "No: 30,000 euros or less, or more than 85,000 euros",
    ]
    text = someone.page.locator(".odds").inner_text()
    assert "Chance chose 30,000 and 85,000 for you, from 1,000 to 199,000." in text
    assert "What is sent is never narrower than 50,000 euros." in text
    someone.answer(1)
    someone.reveal()
    assert "The record reads “30,000 euros or less, or more than 85,000 euros”." in (
        someone.page.locator("main").inner_text()
    )


def test_what_is_sent_exactly_is_said_beforehand_and_never_forced(ask):
    someone = ask("age")
    text = someone.page.locator("main").inner_text()
    assert "An answer of more than 65 years is sent exactly. You can always leave it out." in text
    assert someone.page.locator("input.number").is_hidden()
    for typed in ("", "65", "seven", "40"):
        someone.choose((2, typed))
        someone.proceed()
        complaint = someone.page.locator(".complaint").inner_text()
        assert complaint == "Type a number here: more than 65 years."
    someone.answer((2, "66"))
    someone.page.get_by_role("button", name="Change your answer: How old").click()
    assert someone.page.locator("input.number").input_value() == "66"
    someone.proceed()
    assert value(someone) == [48, 49]
    assert "The record reads “More than 65, up to 66 years”." in (
        someone.page.locator("main").inner_text()
    )
    refused = ask("age")
    refused.answer((2, "66"))
    refused.page.get_by_role("button", name="Change your answer: How old").click()
    refused.answer(3)
    assert value(refused) is None


def test_a_range_with_an_exact_stretch_inside_sends_the_range(ask, forms):
    (raw,) = [
        question for question in forms["money"].document["questions"] if question["name"] == "age"
    ]
    opened = {"cuts": raw["cuts"] | {"open": [[0, 3], [20, 30]]}}
    someone = ask("age", changes=opened)
    assert options(someone)[0] == "More than 20, up to 37 years, or more than 47, up to 53 years"
    someone.answer(0)
    assert value(someone) == [0, 36]


def test_choices_stand_in_the_order_of_the_line(ask, forms):
    (raw,) = [
        question for question in forms["money"].document["questions"] if question["name"] == "age"
    ]
    someone = ask("age", changes={"cuts": raw["cuts"] | {"open": [[0, 3]]}})
    assert options(someone)[:2] == [
        "20 years or less Sent exactly",
        "More than 20, up to 53 years",
    ]


def test_a_narrowed_question_asks_first_whether_the_answer_is_sent_exactly(ask, forms):
    (raw,) = [
        question for question in forms["money"].document["questions"] if question["name"] == "age"
    ]
    sizes = {"sizes": [1] * 24 + [2] * 24 + [0] * 25, "least": 10, "rule": "skip"}
    narrow = {"cuts": raw["cuts"] | {"number": 1, "floor": sizes}, "ask": "narrow"}
    someone = ask("age", changes=narrow)
    assert asks(someone) == "Where is your answer?"
    assert options(someone)[0] == "65 years or less"
    someone.choose(0)
    someone.proceed()
    assert "of 100 people are in it" not in someone.page.locator("fieldset").inner_text()
    someone.answer([NARROWER, 1, STOP])
    elsewhere = ask("age", changes=narrow)
    elsewhere.answer([0, NARROWER, 1, STOP])
    assert value(elsewhere) == [36, 73]
    someone.page.get_by_role("button", name="Change your answer: How old").click()
    someone.press("Start this question again")
    someone.answer((1, "80"))
    assert value(someone) == [62, 63]


def test_a_typed_number_is_told_what_becomes_of_it(ask):
    someone = ask("savings", changes={"typed": True})
    preview = someone.page.locator(".read-back")
    someone.choose("5000")
    assert preview.inner_text() == "= 5,000 euros\nToo narrow: nothing is sent."
    someone.choose("13000")
    assert preview.inner_text() == (
        "= 13,000 euros\nWhat will be sent: “More than 12,000, up to 60,000 euros”."
    )
    someone.choose("13.000")
    assert preview.inner_text() == "This can mean two numbers: 13000 or 13."
    someone.choose("13,000")
    someone.proceed()
    assert value(someone) == [12, 60]


def test_numbers_are_written_as_the_language_writes_them(ask):
    someone = ask("household", language="de-AT")
    assert asks(someone) == "Ist es mehr als 30.000, bis 85.000 Euro?"
    assert options(someone)[1] == "Nein: 30.000 Euro oder weniger, oder mehr als 85.000 Euro"


def test_years_are_not_grouped(ask):
    born = {"lower": "1900", "step": "1", "ticks": 200, "unit": {"en": "", "de": ""}}
    someone = ask("household", changes={"line": born})
    assert asks(someone) == "Is it more than 1930, up to 1985?"


def test_a_survey_of_numbers_alone_can_be_practised(ask):
    someone = ask("household")
    assert someone.heading() == "What did your whole household earn last year?"


def test_answers_are_true_and_those_that_are_proved_are_not_called_broad(ask):
    someone = ask("getting_by")
    text = someone.page.locator("main").inner_text()
    assert "Partly protected: some of what can be sent proves an answer" in text
    assert "broad" not in text
    assert "Of 100 people whose answer is “Badly”, 33 or 34 send “Badly”" in text
    someone.answer(1)
    someone.reveal()
    record = someone.page.locator(".out dd").inner_text()
    proved = " or " not in record.splitlines()[0]
    assert ("It can come from one answer only: it proves it." in record) == proved
    assert ("Always true, but broad on purpose." in record) != proved


def test_the_card_tells_what_each_kind_gives_away(collect, forms, person, money_words):
    someone = person(collect(forms["money"]).url, words=money_words())
    someone.consent()
    someone.practise()
    card = someone.page.locator(".card").inner_text()
    for text in ("only its range", "how far", "too narrow to send", "the exact number"):
        assert text in card.lower()
    assert "unless your record proves it, or something about it" in card
    assert "could come from people with other answers" not in card
    plain = person(collect(forms["marriage"]).url)
    plain.consent()
    plain.practise()
    plain.answer(1)
    card = plain.page.locator(".card").inner_text().lower()
    assert "only its range" in card
    assert not any(word in card for word in ("narrow", "exact"))


def test_of_many_sets_only_the_number_is_told(collect, person):
    raw = b"""askance = "survey-1"
title = "T"
consent = "C"
[[question]]
name = "party"
text = "Which party?"
answers = ["a", "b", "c", "d", "e"]
mechanism = { name = "blocks" }
proves = "accepted"
proves_reason = "tried"
"""
    someone = person(collect(publish(parse_survey(raw))).url)
    someone.consent()
    someone.practise()
    someone.proceed()
    text = someone.page.locator("main").inner_text()
    assert "One of 30 groups of answers is sent. Your answer is always in it." in text
    assert "Of 100 people" not in text
