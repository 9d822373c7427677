"""The page's English is easy to read: school grade 8 at most, by the formula of Kincaid."""

import re
from importlib.resources import files

import pytest

WORDS = files("askance.respond") / "browser" / "words-en.js"
LINE = re.compile(r"^ {2}(\w+): (?:\([^)]*\) => )?[\"`](.*)[\"`],$", re.MULTILINE)
SAID = {
    key: re.sub(r"\$\{\w+\}", "ten", text) for key, text in LINE.findall(WORDS.read_text("utf-8"))
}
TOLD = {
    "the card": [key for key in SAID if key.startswith("card")],
    "a cut": ["cutOne", "cutMany", "cutRing", "blank", "rangeTells", "broadHint"],
    "narrowing": [*("narrowHow", "narrowPromise", "soFar", "tellsInside", "committed", "holds")],
    "what is not sent": ["neverSent", "withheld", "tooNarrow", "withheldHint", "exactly"],
    "the answers": ["nothingYet", "leaveHint", "bindHint"],
    "the review": ["reviewHint", "onceHint", "drop", "bytesHint", "frozen", "withdraw"],
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
