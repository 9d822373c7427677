"""The page's English is easy to read, by the formula of Kincaid; all languages say what it says."""

import json
import re
import shutil
import subprocess
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from askance_collect.respond import render_page
from askance_collect.wire import Form

FOLDER = files("askance_collect.respond") / "languages"
FILES = {
    file.name.removesuffix(".toml"): tomllib.loads(file.read_text("utf-8"))
    for file in FOLDER.iterdir()
}
WORDS = {language: file["words"] for language, file in FILES.items()}
SAID = {
    key: re.sub(r"\{\w+\}", "ten", text)
    for key, text in WORDS["en"].items()
    if isinstance(text, str)
}
TOLD = {
    "the card": [key for key in SAID if key.startswith("card")],
    "a cut": ["cutOne", "cutMany", "cutRing", "blank", "rangeTells", "broadHint"],
    "narrowing": [*("narrowHow", "narrowPromise", "soFar", "tellsInside", "committed", "holds")],
    "what is not sent": ["neverSent", "withheld", "tooNarrow", "withheldHint", "exactly"],
    "the answers": ["nothingYet", "leaveHint", "bindHint"],
    "the review": ["differs", "onceHint", "drop", "bytesHint", "frozen", "withdraw"],
}


def grade(text):
    """Give the years of school that a text asks for.

    >>> grade("The cat sat on the mat.") < 1
    True
    """
    words = re.findall(r"[A-Za-z’]+", text)
    sentences = max(1, len(re.findall(r"[.:!?]", text)))
    return 0.39 * len(words) / sentences + 11.8 * sum(map(_syllables, words)) / len(words) - 15.59


def _syllables(word):
    heard = re.sub(r"(?:[^laeiouy]es|ed|[^laeiouy]e)$", "", word.lower())
    return max(1, len(re.findall(r"[aeiouy]+", heard)))


@pytest.mark.parametrize("what", TOLD)
def test_everyone_can_read(what):
    text = " ".join(f"{SAID[key].rstrip('.')}." for key in TOLD[what])
    assert grade(text) <= 8, text


def test_officialese_is_caught():
    assert grade("Notwithstanding differential obfuscation, participation remains anonymous.") > 12


def unlike(words):
    """Name the words that a language lacks, has too many, or gives other blanks or parts."""
    return sorted(
        key
        for key in words.keys() | WORDS["en"].keys()
        if shapes(words, key) != shapes(WORDS["en"], key)
    )


def shapes(words, key):
    """Give what a text has in common in every language: its parts, and the blanks of each."""
    text = words.get(key, [])
    if isinstance(text, str):
        return {blanks(text)}
    if isinstance(text, list):
        return [blanks(one) for one in text]
    forms = {part: blanks(one) for part, one in text.items()}
    return set(forms.values()) if "other" in forms else forms


def blanks(text):
    return tuple(sorted(re.findall(r"\{\w+\}", text)))


def test_every_language_has_its_two_files():
    screens, paper = (
        {file.name for file in folder.iterdir()} for folder in (FOLDER, FOLDER.parent / "paper")
    )
    assert screens == paper, "write the words of a language in respond/languages and respond/paper"
    unmarked = [tag for tag, file in FILES.items() if not isinstance(file.get("checked"), bool)]
    assert unmarked == [], "begin with `checked = false`, or true once a native speaker has read it"


@pytest.mark.parametrize("language", WORDS)
def test_every_language_says_the_same_things(language):
    """What nobody has checked may be said in English: a new word needs no ten translations."""
    checked = FILES[language].get("checked")
    lacking = set() if checked else WORDS["en"].keys() - WORDS[language].keys()
    assert set(unlike(WORDS[language])) - lacking == set(), (
        f"respond/languages/{language}.toml: give each the parts and {{blanks}} of en.toml"
    )


def test_what_is_said_otherwise_is_told():
    lacking = {key: text for key, text in WORDS["de"].items() if key != "leave"}
    strange = {"step": "Frage {at}", "practiceAnswers": ["Tee"], "stoppedHint": {}, "more": "{n}"}
    assert unlike(lacking | strange | {"own": "?"}) == sorted([*strange, "leave", "own"])


@pytest.mark.long
def test_every_plural_of_a_language_is_there():
    node = shutil.which("node")
    assert node, "node is not installed: nobody else here knows plurals"
    script = Path(__file__).with_name("plurals.mjs")
    told = subprocess.run([node, script, *WORDS], capture_output=True, check=True, timeout=60)
    for language, known in json.loads(told.stdout).items():
        given = [set(one) for one in WORDS[language].values() if isinstance(one, dict)]
        assert [one for one in given if "other" in one and one != set(known)] == [], language


@pytest.mark.parametrize("language", WORDS)
def test_no_loss_is_broken_over_two_lines(language):
    ratio = WORDS[language].get("ratio", "").translate({0xFF08: "(", 0xFF09: ")"})
    assert "(ε\u00a0=\u00a0{loss})" in ratio, (
        f"respond/languages/{language}.toml: write no-break spaces in (ε = {{loss}}) of `ratio`"
    )


def page_put():
    """Give the words that a page in German and Frisian carries, by language, and the page."""
    tea = {"de": "Tee?", "fy": "Tee?"}
    answers = [{"name": name, "label": tea} for name in ("yes", "no")]
    question = {"kind": "choice", "name": "tea", "text": tea, "answers": answers}
    about = {"title": tea, "consent": tea, "contact": tea, "languages": ["de", "fy"], "about": {}}
    fixed = {"askance": "form-1", "collector": "", "size": 256, "questions": [question]}
    page = render_page(Form.read(about | fixed)).bytes.decode()
    put = dict(re.findall(r'^WORDS_OF\["([\w-]+)"\]=(.*);$', page, re.MULTILINE))
    return put, page


def test_a_page_says_every_word_of_its_language():
    put, page = page_put()
    assert list(put) == ["en", "de"]
    for language, script in put.items():
        keys = set(re.findall(r"\bwords\.(\w+)", page))
        said, stopped = {key: WORDS[language][key] for key in keys}, WORDS[language]["stoppedHint"]
        for text in [*filter(lambda one: isinstance(one, str), said.values()), *stopped.values()]:
            blanks = list(dict.fromkeys(re.findall(r"\{\w+\}", text)))
            assert len(blanks) > 1 or text.replace("".join(blanks) or "{", "{0}") in script


def test_what_a_language_leaves_empty_is_said_in_english(monkeypatch):
    """As a translator's file begins: on a button there must be something."""
    hints = WORDS["de"]["stoppedHint"] | {"unsafe": ""}
    empty = {"leave": "", "practiceAnswers": ["Tee", ""], "stoppedHint": hints}

    def put(said):
        files = FILES | {"de": FILES["de"] | {"words": said}}
        monkeypatch.setattr("askance_collect.respond.words.file_of", files.__getitem__)
        return page_put()[0]["de"]

    in_english = put(WORDS["de"] | {key: WORDS["en"][key] for key in empty})
    assert put(WORDS["de"] | empty) == in_english != put(WORDS["de"])


@pytest.mark.parametrize("language", WORDS)
def test_what_a_survey_leaves_to_askance_has_a_name_in_every_language(language):
    names = {key for key in WORDS["en"] if key.startswith("name")}
    assert len(names) == 17
    assert names - WORDS[language].keys() == set(), (
        f"respond/languages/{language}.toml: translate each of these, checked or not"
    )
    same = {key for key in names if WORDS[language][key] == WORDS["en"][key]}
    assert same == (names if language == "en" else set())


def test_no_page_carries_the_names_of_what_a_form_says_itself():
    assert "nameSilent" not in page_put()[1]
