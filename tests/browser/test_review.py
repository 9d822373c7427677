"""The last look: short; what may be untrue is shown to whoever asks, or to everybody."""

import copy
import json

import pytest

from askance.survey import parse_survey, publish
from askance_collect.wire import Form

ANSWERS = (1, 0, 2, 0)
EIGHT = """
askance = "survey-1"
title = "Eight questions"
consent = "Say it or leave."
""" + "".join(
    f"""
[[question]]
name = "q{index}"
text = "In the last twelve months, have you ever done the thing that question {index} asks about?"
answers = ["yes, more than once", "yes, once", "no"]
mechanism = {{ name = "kary", truth = "1/2" }}
"""
    for index in range(8)
)


def answered(collect, form, person, **how):
    collector = collect(form)
    return collector, answering(person, collector.url, **how)


def answering(person, url, **how):
    someone = person(url, **how)
    someone.consent()
    someone.practise()
    someone.answer(*ANSWERS)
    return someone


def test_whoever_does_not_ask_sends_what_was_fixed_and_sees_none_of_it(collect, forms, person):
    collector, someone = answered(collect, forms["marriage"], person)
    assert someone.heading() == "Your answers"
    someone.press_main("Send")
    someone.page.wait_for_selector(".receipt")
    (remaining,) = collector.reports()
    assert remaining["children"] == 1
    (post,) = someone.posts()
    assert json.loads(post.post_data)["answers"] == remaining
    assert someone.console == []


@pytest.mark.parametrize("tried", [False, True])
def test_nothing_that_was_drawn_stands_in_the_page_of_whoever_does_not_ask(
    collect, forms, person, tried
):
    url, observed, reports = collect(forms["marriage"]).url, [], []
    for words in ([19, 9, 19, 999, 0, 20], [0, 0, 0, 0, 0, 20]):
        someone = answering(person, url, words=words)
        someone.page.route("**/report", lambda route: route.abort())
        if tried:
            someone.press_main("Send")
            someone.page.get_by_text("The message is still here").wait_for()
        observed.append(someone.page.locator("main").inner_text())
        reports.append(json.loads(someone.body())["answers"])
    assert observed[0] == observed[1]
    assert "record" not in observed[0].lower()
    assert reports[0] != reports[1]


def test_after_a_failure_the_same_bytes_go_and_no_answer_can_be_given_anew(collect, forms, person):
    collector, someone = answered(collect, forms["marriage"], person)
    someone.page.context.set_offline(True)
    someone.press_main("Send")
    someone.page.get_by_text("The message is still here").wait_for()
    first = someone.body()
    someone.page.context.set_offline(False)
    someone.page.reload()
    someone.consent()
    assert someone.heading() == "Not confirmed yet"
    assert someone.page.get_by_role("button", name="Change").count() == 0
    assert someone.body() == first
    someone.press_main("Send again")
    someone.page.wait_for_selector(".receipt")
    assert collector.reports() == [json.loads(first)["answers"]]
    assert {post.post_data for post in someone.posts()} == {first}


def test_while_it_is_on_its_way_nothing_can_be_changed_and_an_impatient_finger_sends_once(
    collect, forms, person
):
    collector, someone = answered(collect, forms["marriage"], person)
    click = "for (let n = 0; n < 5; n += 1) document.querySelector('main .main').click()"
    with someone.on_its_way():
        someone.page.evaluate(click)
        someone.page.get_by_text("Sending").wait_for()
        others = someone.page.locator("main button:not(.main)")
        assert others.count() == 6
        assert others.evaluate_all("all => all.every((one) => one.disabled)")
    someone.page.wait_for_selector(".receipt")
    assert len(collector.reports()) == 1


def test_where_the_survey_says_so_everybody_is_shown_what_is_sent(collect, forms, person):
    document = copy.deepcopy(forms["marriage"].document) | {"askance": "form-2", "review": "open"}
    collector, someone = answered(collect, Form.read(document), person)
    assert someone.page.get_by_role("button", name="Send", exact=True).count() == 0
    someone.press_main("Show what is sent")
    shown_document = json.loads(someone.body())
    someone.press_main("Send")
    someone.page.wait_for_selector(".receipt")
    assert collector.reports() == [shown_document["answers"]]


def test_where_all_that_is_sent_is_true_everybody_is_shown_it(collect, forms, person, money_words):
    someone = person(collect(forms["money"]).url, words=money_words())
    someone.consent()
    someone.practise()
    someone.answer(0, [0], 0, 0, 0)
    assert someone.page.get_by_role("button", name="Send", exact=True).count() == 0
    someone.press_main("Show what is sent")
    assert someone.page.locator("summary p").first.inner_text().startswith("The record reads")


def test_the_last_look_at_eight_questions_is_two_screens_long(collect, person):
    someone = person(collect(publish(parse_survey(EIGHT.encode()))).url)
    someone.page.set_viewport_size({"width": 360, "height": 740})
    someone.consent()
    someone.practise()
    someone.answer(*range(3), *range(3), 0, 1)
    height = "() => document.querySelector('main').scrollHeight / innerHeight"
    assert someone.page.locator(".item").count() == 8
    assert someone.page.evaluate(height) < 2.2
    someone.show()
    assert someone.page.locator(".item").count() == 8
    assert someone.page.evaluate(height) < 2.2


def test_on_a_telephone_choices_are_in_sight_and_big_enough(collect, forms, person, money_words):
    """The first choice of each question lies above the buttons, and fingers hit what they mean."""
    someone = person(collect(forms["money"]).url, words=money_words())
    someone.page.set_viewport_size({"width": 360, "height": 740})
    someone.consent()
    someone.practise()
    for answer in (0, [0], 0, 0, 0):
        if someone.page.locator(".card").count():
            someone.proceed()
        row = someone.page.locator("main > .buttons").bounding_box()
        choice = someone.page.locator(".answers .option").first.bounding_box()
        assert row["y"] + row["height"] <= 740
        assert choice["y"] + choice["height"] <= row["y"], someone.heading()
        pressed = someone.page.locator("main button:visible, .answers .option:visible, summary")
        places = [item.bounding_box() for item in pressed.all()]
        heights = [position["height"] for position in places if position]
        assert min(heights) >= 43.9
        someone.answer(answer)
