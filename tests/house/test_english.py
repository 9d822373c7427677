"""The pages are written for readers whose second language is English, and found by their words."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

OWN_REASONS = {
    "reference/python.md": "made from docstrings, which tests/house/test_public.py looks at",
    "explanation/how-the-project-is-run.md": "for contributors",
}
"""Pages that are not measured, and why."""

LIKELY = {
    "how many people": "how-to/plan-a-sample.md",
    "missing values": "how-to/nonresponse.md",
    "weights": "how-to/weights-strata-and-clusters.md",
    "confidence interval": "how-to/estimate-a-share.md",
    "differential privacy": "explanation/guarantees.md",
    "LimeSurvey": "how-to/ask-in-your-platform.md",
    "tablet": "how-to/ask-at-the-door-with-a-tablet.md",
    "delete data": "how-to/keep-a-survey-for-years.md",
    "cheating": "how-to/when-people-do-not-comply.md",
    "regression": "how-to/regress-a-protected-answer.md",
}
"""Ten likely searches, and the page that each must find first; `make docs` tries them."""


@pytest.fixture(scope="module")
def english(root: Path, load: Callable[[Path], Any]) -> Any:
    return load(root / "tools" / "english.py")


@pytest.fixture(scope="module")
def measured(root: Path, english: Any) -> dict[str, Any]:
    """The pages of the documentation and the three READMEs, each measured."""
    names = {
        page.relative_to(root).as_posix().removeprefix("docs/"): page for page in english.pages()
    }
    assert set(OWN_REASONS) <= set(names)
    return {
        name: english.measure(page.read_text("utf-8"))
        for name, page in names.items()
        if name not in OWN_REASONS
    }


def test_no_sentence_has_to_be_read_twice(measured: dict[str, Any]) -> None:
    turns = [
        f"{name}: {turn}: {sentence}"
        for name, page in measured.items()
        for turn, sentence in page.turns
    ]
    assert turns == [], (
        "begin with the subject and an active verb; `python tools/english.py --list PAGE` lists "
        "each sentence"
    )


def test_sentences_are_short(measured: dict[str, Any]) -> None:
    words = sum(page.words for page in measured.values())
    sentences = sum(page.sentences for page in measured.values())
    assert words / sentences < 15.5, "one idea a sentence: python tools/english.py"
    long = sum(len(page.long) for page in measured.values())
    assert long / sentences < 0.02, "python tools/english.py --list PAGE names the long ones"


@pytest.mark.parametrize(
    ("sentence", "turn"),
    [
        ("Of what is counted nothing stays unknown.", "a sentence that begins with its genitive"),
        ("Who left the question out is asked.", "a subject that begins with who"),
        ("What a logo is, is told by its file.", "a clause as the subject, cut off by a comma"),
        ("It is not kept; nor is it sent.", "a verb before its subject"),
        ("Best a second machine signs.", "best without a verb"),
        ("Ask those whom you know.", "whom"),
        ("It is told by the file.", "told by"),
        ("It takes away a right for which nothing is got.", "a right for nothing"),
        ("Each is drawn anew.", "a rare word"),
    ],
)
def test_each_turn_is_found(english: Any, sentence: str, turn: str) -> None:
    assert turn in [name for name, _ in english.measure(f"# A page\n\n{sentence}\n").turns]


PLAIN = """\
# Who is asked?

The device draws a report. Whoever reads it learns little. Of 100 people 60 say yes.

```text
Of what is counted nothing stays.
```

| what | best |
|---|---|
| `whom` | the [first](x.md) |
"""


def test_plain_sentences_and_code_pass(english: Any) -> None:
    page = english.measure(PLAIN)
    assert page.turns == ()
    assert (page.sentences, page.words) == (3, 16)


IN_FORMS = {
    "Who stops early may do so because of the answer.",
    "Whoever sees a report learns for certain that the answer fits it, and nothing more.",
}
"""Sentences that published forms hold, whose fingerprints must stay."""

HEADINGS = {"Who could do what"}


def test_no_printed_sentence_has_to_be_read_twice(english: Any) -> None:
    turns = [
        f"{name}: {turn}: {sentence}"
        for name, turn, sentence in english.printed()
        if sentence not in IN_FORMS | HEADINGS
    ]
    assert turns == [], "begin with the subject and an active verb, in the field's words"


def test_turns_are_found_in_what_is_printed(english: Any) -> None:
    source = (
        'text = f"{name}: Of what is counted" + "whoever answers is asked"\n"""Whoever is."""\n'
    )
    assert sorted(english.code_strings(source)) == sorted(
        [
            "…: Of what is counted",
            "whoever answers is asked",
        ]
    )


def test_likely_searches_lead_to_a_page(root: Path) -> None:
    document = tomllib.loads((root / "docs" / "site" / "searches.toml").read_text("utf-8"))
    home = {term: page for page, terms in document.items() for term in terms}
    assert sum(map(len, document.values())) == len(home), "a term stands at two pages"
    assert all((root / "docs" / page).is_file() for page in document)
    assert {term: home.get(term) for term in LIKELY} == LIKELY


def test_the_front_page_shows_what_strangers_look_for(root: Path) -> None:
    text = (root / "docs" / "site" / "index.md").read_text("utf-8")
    for needed in (
        "pip install",
        "askance demo",
        "pictures/moving.webp",
        "result.txt",
        "Who is it for",
    ):
        assert needed in text, needed
    assert len(re.findall(r"\{container\} door$", text, re.MULTILINE)) == 10
