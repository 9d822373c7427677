"""What people write in the browser: sent word for word, beside its question, and kept nowhere."""

import json

import askance as ak
from askance_collect.wire import Form

SURVEY = """
askance = "survey-1"
title = "Study"
consent = "Say it or leave."
languages = ["en", "ar"]
[[question]]
name = "year"
text = "Which year are you in?"
answers = ["first", "second"]
comment = { limit = 40, lines = 4 }
[question.section]
title = "Life"
order = "random"
[[question]]
name = "word"
text = "What is it in one word?"
free_text = { limit = 12 }
skip = { after = "year", answered = ["second"] }
[[question]]
name = "used"
text = "Have you ever used it?"
answers = ["yes", "no"]
mechanism = { name = "warner", truth = "3/4" }
[[question]]
name = "better"
text = "What should be better?"
free_text = { limit = 500 }
"""
IN_ORDER = SURVEY.replace('order = "random"', "")
TEXT = "Mehr “Licht” 🍳 <b>\n\nund  Bücher"


def form_of(text=IN_ORDER):
    return ak.publish(ak.parse_survey(text.encode()))


def begin(someone):
    someone.consent()
    someone.practise()
    return someone


def write(someone, text, index=0):
    someone.page.locator("textarea, input.words").nth(index).fill(text)


def answer_all(someone):
    """Write in every place, and give the steps that were counted on the way."""
    counted = [someone.page.locator(".step").inner_text()]
    someone.choose(0)
    write(someone, " Both, in fact.  ")
    someone.proceed()
    counted.append(someone.page.locator(".step").inner_text())
    write(someone, "Tea\tand 🍳")
    someone.proceed()
    someone.choose(1)
    counted.append(someone.page.locator(".step").inner_text())
    someone.proceed()
    write(someone, TEXT)
    counted.append(someone.page.locator(".step").inner_text())
    someone.proceed()
    return counted


def test_what_is_written_is_shown_and_sent_word_for_word(collect, person):
    collector = collect(form_of())
    someone = begin(person(collector.url))
    assert answer_all(someone) == [f"Question {number} of 4" for number in (1, 2, 3, 4)]
    texts = someone.page.locator(".given p").all_inner_texts()
    assert [texts[number] for number in (1, 2, 4)] == ["Both, in fact.", "Tea and 🍳", TEXT]
    answers = json.loads(someone.body())["answers"]
    assert (answers["year_comment"], answers["word"], answers["better"]) == (
        texts[1],
        texts[2],
        TEXT,
    )
    shown_texts = someone.page.locator(".out dd p:first-child").all_inner_texts()
    assert shown_texts[-1] == f"The record reads “{TEXT}”."
    assert someone.page.locator("dd").nth(-2).inner_text() == TEXT
    someone.send()
    (remaining,) = collector.reports()
    assert remaining == answers
    assert someone.console == []


def test_bodies_are_as_long_whatever_is_written_and_what_is_empty_is_blank(collect, person):
    collector = collect(form_of())
    lengths = set()
    for text in ("", "x", "ä" * 500):
        someone = begin(person(collector.url))
        someone.choose(0)
        someone.proceed()
        someone.proceed()
        someone.choose(0)
        someone.proceed()
        write(someone, text)
        someone.proceed()
        body = someone.body()
        lengths.add(len(body))
        answers = json.loads(body)["answers"]
        assert (answers["year_comment"], answers["word"], answers["better"]) == (
            None,
            None,
            text or None,
        )
        assert len(someone.posts()) == 0
    assert len(lengths) == 1


def test_a_text_that_is_too_long_is_complained_of_until_it_is_shorter(collect, person):
    someone = begin(person(collect(form_of()).url))
    someone.choose(0)
    write(someone, "x" * 43)
    someone.proceed()
    assert someone.heading() == "Which year are you in?"
    text = "Characters too many: 3. Make it shorter to go on."
    assert someone.page.locator("#overlong").inner_text() == text
    assert someone.page.evaluate("document.activeElement.innerText") == "Look at this again"
    someone.page.get_by_role("link", name=text).press("Enter")
    assert someone.page.locator("textarea").evaluate("node => node === document.activeElement")
    write(someone, "x" * 40)
    assert someone.page.locator("#overlong, .problems").all_inner_texts() == [""]
    assert "Characters left: 0" in someone.page.locator("main").inner_text()
    someone.proceed()
    write(someone, "🍳" * 7)
    someone.page.keyboard.press("Enter")
    assert "Characters too many: 2." in someone.page.locator("#complaint").inner_text()
    write(someone, "🍳" * 6)
    someone.page.keyboard.press("Enter")
    assert someone.heading() == "Before the first protected question"


def test_marks_that_nobody_sees_are_left_out_of_what_is_sent(collect, person):
    someone = begin(person(collect(form_of()).url))
    someone.choose(0)
    write(someone, "a\u202eb\u0007c\u2028d\u00ade")
    someone.proceed()
    someone.press("Back")
    assert someone.page.locator("textarea").input_value() == "abcd\u00ade"


def test_back_change_and_another_language_keep_what_is_written(collect, person):
    someone = begin(person(collect(form_of()).url))
    answer_all(someone)
    someone.page.get_by_role("button", name="Change").nth(1).click()
    assert someone.heading() == "Which year are you in?"
    assert someone.page.locator("textarea").input_value() == "Both, in fact."
    write(someone, "Neither")
    someone.proceed()
    assert someone.page.locator(".given p").nth(1).inner_text() == "Neither"
    someone.press("Back")
    assert someone.page.locator("textarea").input_value() == TEXT
    someone.page.locator("select").select_option("ar")
    assert someone.page.locator("textarea").input_value() == TEXT


def test_what_is_skipped_takes_its_text_with_it(collect, person):
    someone = begin(person(collect(form_of()).url))
    answer_all(someone)
    someone.page.get_by_role("button", name="Change").nth(0).click()
    someone.choose(1)
    someone.proceed()
    assert "Tea" not in someone.page.locator("main").inner_text()
    assert json.loads(someone.body())["answers"]["word"] is None


def test_a_comment_stays_with_its_question_in_an_order_by_chance(collect, person):
    mixed = SURVEY.replace('skip = { after = "year", answered = ["second"] }', "")
    someone = begin(person(collect(form_of(mixed)).url))
    observed = []
    while someone.page.locator(".step, .card").count():
        if someone.page.locator(".card").count():
            someone.proceed()
        observed.append(someone.page.locator(".step").inner_text())
        if someone.heading() == "Which year are you in?":
            write(someone, "Here")
        if someone.page.locator("input[type=radio]").count():
            someone.choose(0)
        someone.proceed()
    assert observed == [f"Question {number} of 4" for number in (1, 2, 3, 4)]
    assert json.loads(someone.body())["answers"]["year_comment"] == "Here"


def test_nothing_that_is_written_is_at_rest_before_it_is_shown(collect, person):
    someone = begin(person(collect(form_of()).url))
    answer_all(someone)
    value = someone.page.evaluate(
        "() => JSON.stringify([sessionStorage, localStorage, document.cookie, location.href,"
        " document.title, history.state])"
    )
    assert "Licht" not in value
    assert "Both" not in value
    someone.page.reload()
    someone.page.wait_for_selector("h1")
    assert "Licht" not in someone.page.content()


def test_a_screen_reader_hears_what_is_asked_for_and_how_it_is_sent(collect, person):
    someone = begin(person(collect(form_of()).url))
    box = someone.page.get_by_role("textbox", name="Comment")
    parts = box.get_attribute("aria-describedby").split()
    text = " ".join(someone.page.locator(f"#{part}").inner_text() for part in parts)
    assert text.startswith("You can leave this empty. What you write is sent word for word.")
    assert text.endswith("Characters left: 40")
    assert box.get_attribute("spellcheck") == "false"
    assert box.get_attribute("autocomplete") == "off"


def test_texts_are_written_by_keyboard_alone(collect, person):
    someone = begin(person(collect(form_of()).url))
    someone.tab_to_radio(0)
    someone._tab_until("() => document.activeElement.matches('textarea')")
    someone.page.keyboard.type("One\nTwo")
    someone.press_keys("Continue")
    assert someone.heading() == "What is it in one word?"
    someone._tab_until("() => document.activeElement.matches('input.words')")
    someone.page.keyboard.type("Tea")
    someone.page.keyboard.press("Enter")
    someone.press("Back")
    someone.press("Back")
    assert someone.page.locator("textarea").input_value() == "One\nTwo"


def test_what_is_bound_is_the_same_after_a_reload_and_can_be_left_out(collect, person):
    someone = begin(person(collect(form_of()).url))
    answer_all(someone)
    body = someone.body()
    someone.page.reload()
    someone.page.wait_for_selector("h1")
    someone.consent()
    assert someone.page.locator("pre.bytes").evaluate("node => node.textContent") == body
    someone.page.locator("details.item summary").last.click()
    someone.page.locator("main input[type=checkbox]").last.check()
    assert json.loads(someone.body())["answers"]["better"] is None


def test_a_page_without_its_module_asks_for_no_text(collect, person):
    form = form_of()
    ones = [question for question in form.document["questions"] if question["kind"] != "text"]
    assert Form.read(form.bytes).fingerprint == form.fingerprint
    plain = {key: part for key, part in form.document.items() if key not in {"sections", "skips"}}
    less = Form.read(plain | {"askance": "form-1", "questions": ones, "size": 256})
    someone = begin(person(collect(less).url))
    assert "questionKinds.text" not in someone.page.content()
