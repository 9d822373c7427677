"""Answers piped into later texts in the browser: shown where they are asked for, nowhere else."""

import json

import askance as ak

SURVEY = """
askance = "survey-1"
title = "Study"
consent = "Say it or leave."
languages = ["en", "de"]
[[question]]
name = "drink"
text = "What do you drink?"
answers = [
    { name = "tea", en = "Tea <b>", de = "Tee" },
    { name = "water", en = "Water", de = "Wasser" },
]
[[question]]
name = "cups"
text = { en = "How many cups of {drink|it}?", de = "Wie viele Tassen {drink|davon}?" }
line = { lower = 0, upper = 20, unit = { en = "cups", de = "Tassen" } }
[[question]]
name = "word"
text = { en = "{cups|Some}, in a word?", de = "{cups|Etwas}, in einem Wort?" }
free_text = { limit = 12 }
[[question]]
name = "why"
text = { en = "Why is {drink|it} “{word|so}”?", de = "Warum ist {drink|das} „{word|so}“?" }
answers = [{ name = "a", en = "A", de = "A" }, { name = "b", en = "B", de = "B" }]
"""
FIND_ANSWER = """said => {
  const attributes = [...document.querySelectorAll("*")].flatMap((node) => [...node.attributes]);
  const places = [sessionStorage, localStorage, document.cookie, location.href, document.title];
  const kept = JSON.stringify(places);
  return attributes.some(({ value }) => value.includes(said)) || kept.includes(said);
}"""


def begin(collect, person):
    someone = person(collect(ak.publish(ak.parse_survey(SURVEY.encode()))).url)
    someone.consent()
    return someone


def test_answers_stand_in_later_questions_in_both_languages(collect, person):
    someone = begin(collect, person)
    someone.choose(0)
    someone.proceed()
    assert someone.heading() == "How many cups of Tea <b>?"
    assert someone.page.locator("html").get_attribute("translate") == "no"
    someone.page.locator("select").select_option("de")
    assert someone.heading() == "Wie viele Tassen Tee?"
    someone.page.locator("select").select_option("en")
    someone.choose("3")
    someone.proceed()
    assert someone.heading() == "3 cups, in a word?"
    someone.page.locator("input.words").fill("Good")
    someone.proceed()
    assert someone.heading() == "Why is Tea <b> “Good”?"
    for word in ("Tea <b>", "Good"):
        assert not someone.page.evaluate(FIND_ANSWER, word)
    someone.choose(0)
    someone.proceed()
    titles = someone.page.locator("main h2").all_inner_texts()
    assert titles[1] == "How many cups of it?"
    assert titles[3] == "Why is it “so”?"
    someone.page.get_by_role("button", name="Change").nth(0).click()
    someone.choose(1)
    someone.proceed()
    someone.press("Back")
    assert someone.heading() == "Why is Water “Good”?"
    someone.proceed()
    answers = json.loads(someone.body())["answers"]
    assert (answers["drink"], answers["cups"], answers["word"]) == (1, 3, "Good")
    someone.send()
    assert someone.console == []


def test_what_is_left_out_is_said_otherwise(collect, person):
    someone = begin(collect, person)
    someone.choose(2)
    someone.proceed()
    assert someone.heading() == "How many cups of it?"
    someone.choose(0)
    someone.proceed()
    assert someone.heading() == "Some, in a word?"
    someone.proceed()
    assert someone.heading() == "Why is it “so”?"
