"""A survey that brings its own words: the page says them, and none in English that it was given."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from askance.survey import parse_survey, publish

ENGLISH = tomllib.loads(Path("src/askance_collect/respond/languages/en.toml").read_text("utf-8"))[
    "words"
]
SURVEY = """
askance = "survey-1"
title = "§"
consent = "§"
languages = ["pl"]
contact = "§"
[[question]]
name = "tea"
text = "§"
answers = ["tak", "nie"]
mechanism = { name = "warner", truth = "78/100" }
[[question]]
name = "cups"
text = "§"
line = { lower = 0, upper = 9, unit = "§" }
mechanism = { name = "cuts", number = 1 }
[words.pl]
name = "polski"
checked = true
[words.pl.words]
"""


def marked(text):
    """Say a word of the page so that it is known again: its letters are gone, its blanks stay."""
    if isinstance(text, dict):
        return {key: marked(part) for key, part in text.items()}
    if isinstance(text, list):
        return [marked(part) for part in text]
    return "".join(re.findall(r"\{\w+\}|[^A-Za-z]", text)).strip() + "§"


def brought():
    lines = []
    for key, text in ENGLISH.items():
        marked_result = marked(text)
        if key == "send":
            marked_result = {
                form: f"{{count}} {form} {{said}}" for form in ("one", "few", "many", "other")
            }
        for name, part in (
            marked_result.items() if isinstance(marked_result, dict) else [("", marked_result)]
        ):
            dotted = f"{key}.{name}" if name else key
            lines.append(f"{dotted} = {json.dumps(part, ensure_ascii=False)}")
    return publish(parse_survey((SURVEY + "\n".join(lines)).encode()))


@pytest.fixture(scope="module")
def polish():
    return brought()


def test_every_sentence_is_in_the_survey_s_own_words(collect, person, polish):
    someone = person(collect(polish).url, language="pl")
    english = "Leave now|Continue|Begin|Question|record|Send|answer|fingerprint"
    assert someone.page.evaluate("document.documentElement.lang") == "pl"
    someone.consent()
    someone.practise()
    someone.answer(0)
    someone.answer(0)
    someone.unfold()
    text = someone.page.locator("body").inner_text()
    assert not re.search(english, text)
    assert "§" in text
    someone.send()
    assert not re.search(english, someone.page.locator("body").inner_text())
    assert someone.console == []


def test_plurals_are_those_of_the_language(collect, person, polish):
    someone = person(collect(polish).url, language="pl")
    someone.consent()
    someone.practise()
    someone.proceed()
    someone.unfold()
    text = someone.page.locator(".odds").inner_text()
    assert "22 few" in text
    assert "78 many" in text
    assert "one" not in text
