"""The page's words for a translator: a file to fill in, and what is wrong in one, with its line."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from askance.cli import verbs
from askance_collect.errors import DocumentError, InputError


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*words):
        outcome = CliRunner().invoke(verbs, [str(word) for word in words])
        if outcome.exception:
            raise outcome.exception
        return outcome.output

    return run


@pytest.fixture
def dutch(run, tmp_path):
    """A file to fill in; say(key, text) fills in one word of it, given as TOML."""
    run("translate", "nl")
    path = tmp_path / "words-nl.toml"

    def say(key, text):
        pattern = re.compile(rf'^{re.escape(key)} = (?:""|\[.*\])$', re.MULTILINE)
        filled, times = pattern.subn(lambda _: text, path.read_text("utf-8"))
        assert times == 1
        path.write_text(filled, encoding="utf-8")

    return say


def test_the_languages_are_listed_with_what_is_not_checked(run):
    lines = run("translate").splitlines()
    assert lines[0] == "en  English"
    assert "de  Deutsch" in lines
    assert "ar  العربية  not checked by a native speaker" in lines


def test_an_empty_file_is_filled_in_word_by_word(run, dutch):
    first = run("translate", "--check", "words-nl.toml")
    every = int(re.search(r"(\d+) words are missing", first)[1])
    assert len(first.splitlines()) == every + 1 > 150
    dutch("leave", 'leave = "Meteen weg"')
    dutch("send", 'send.one = "{count} stuurt {said}"\nsend.other = "{count} sturen {said}"')
    dutch("practiceAnswers", 'practiceAnswers = ["Thee", "Koffie"]')
    completed = run("translate", "--check", "words-nl.toml")
    assert f"{every - 3} words are missing" in completed
    assert "  leave\n" not in completed
    path = Path("words-nl.toml")
    path.write_text(path.read_text("utf-8").replace('"Koffie"', '""'), encoding="utf-8")
    assert "  practiceAnswers\n" in run("translate", "--check", path)
    with pytest.raises(InputError, match="choose another name"):
        run("translate", "nl")


def test_the_file_of_a_language_that_is_there_is_what_the_page_says(run):
    for language in ("en", "ar"):
        run("translate", language)
        assert "0 words are missing and shown" in run(
            "translate", "--check", f"words-{language}.toml"
        )
    arabic = tomllib.loads(Path("words-ar.toml").read_text("utf-8"))
    assert len(arabic["words"]["send"]) == 6


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        ("leave", 'leve = "Weg"', "line [0-9]+: got 'leve'.*did you mean 'leave'"),
        ("step", 'step = "Vraag {at}"', r"line [0-9]+: .*with \{at\}, \{of\}; .*of \{of\}"),
        ("step", 'step = ["a", "b"]', r"line [0-9]+: .*like the English one"),
        ("leave", "leave = 3", "line [0-9]+: .*no blanks"),
        (
            "send",
            'send.one = "{count} {said}"',
            "line [0-9]+: got 'send.one'; .*give at least send.other",
        ),
        (
            "send",
            'send.lots = "{count} {said}"\nsend.other = "{said} {count}"',
            "send.few.*send.zero; give at least send.other",
        ),
        ("send", 'send.few = "{said}"\nsend.other = "{said} {count}"', r"\{count\}, \{said\}"),
        ("practiceAnswers", 'practiceAnswers = ["Thee"]', "line [0-9]+"),
        ("stoppedHint.unsafe", "", "give at least .*stoppedHint.unsafe"),
        ("leave", 'leave = "', "file: .*TOML"),
    ],
)
def test_what_cannot_be_right_is_told_with_its_line(run, dutch, key, text, message):
    if key.startswith("stoppedHint"):
        dutch("stoppedHint.changed", 'stoppedHint.changed = "Stop"')
    dutch(key, text)
    with pytest.raises(DocumentError, match=message):
        run("translate", "--check", "words-nl.toml")


def test_a_file_of_something_else_and_no_language_are_refused(run, tmp_path):
    (tmp_path / "x.toml").write_text('name = "x"\nchecked = 1\n')
    with pytest.raises(DocumentError, match="checked: got 1; allowed: true or false"):
        run("translate", "--check", "x.toml")
    with pytest.raises(DocumentError, match="a readable file"):
        run("translate", "--check", "y.toml")
    with pytest.raises(InputError, match="tag of a language"):
        run("translate", "../nl")
    with pytest.raises(InputError, match=r"'nl' beside --check.*askance translate --check x\.toml"):
        run("translate", "nl", "--check", "x.toml")


SURVEY = """
askance = "survey-1"
languages = {languages}
title = "Tea"
consent = "Say it or leave."
[[question]]
name = "tea"
text = "Do you drink tea?"
answers = ["yes", "no"]
"""


@pytest.mark.parametrize(
    ("languages", "notes"),
    [
        (["en", "de-AT"], []),
        (["fr", "de"], ['no native speaker has read the page\'s own words in "fr"']),
        (["cy"], ['the page has no words in "cy" and says its own sentences, and what']),
    ],
)
def test_check_tells_of_languages(run, tmp_path, languages, notes):
    survey = tmp_path / "s.toml"
    survey.write_text(SURVEY.format(languages=json.dumps(languages)))
    completed = run("check", survey, "--summary")
    lines = [line for line in completed.splitlines() if line.startswith("note  languages: ")]
    assert len(lines) == len(notes)
    assert all(note in line for note, line in zip(notes, lines, strict=True))
