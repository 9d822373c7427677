"""The page's English is easy to read, by the formula of Kincaid; all languages say what it says."""

import hashlib
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
PAPER = tomllib.loads((FOLDER.parent / "paper" / "en.toml").read_text("utf-8"))["words"]
KEYS_BY_PART = {
    "the card": [key for key in WORDS["en"] if key.startswith("card")],
    "a cut": ["cutOne", "cutMany", "cutRing", "blank", "rangeTells", "broadHint"],
    "narrowing": [*("narrowHow", "narrowPromise", "soFar", "tellsInside", "committed", "holds")],
    "what is not sent": ["neverSent", "withheld", "tooNarrow", "withheldHint", "exactly"],
    "the answers": ["nothingYet", "leaveHint", "bindHint"],
    "the review": ["differs", "onceHint", "drop", "bytesHint", "frozen", "withdraw"],
}
GRADE, MOST_WORDS = 8, 20
"""Years of school that any text may ask for, and words of its longest sentence."""


def read_syllables():
    """Count the syllables of each word by the list, whose sections are numbers of syllables."""
    syllables, count = {}, 0
    for line in (Path(__file__).parent / "syllables.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            count = int(line.strip("[]"))
        elif not line.startswith("#"):
            syllables |= dict.fromkeys(line.split(), count)
    return syllables


SYLLABLES = read_syllables()


def list_words(text):
    return re.findall(r"[a-z]+(?:’[a-z]+)?", text.lower().replace("'", "’"))


def list_sentences(text):
    """Split a text into sentences; what stands in braces is one word."""
    filled = re.sub(r"\{\w+\}", " ten ", text)
    return [part for part in re.split(r"(?<=[.:!?…])[\s”]+", filled) if list_words(part)]


def grade(text):
    """Give the years of school that a text asks for.

    Kincaid, Fishburne, Rogers and Chissom (1975), Derivation of New Readability Formulas for Navy
    Enlisted Personnel, the recalculated formula of Flesch: .39 words a sentence, 11.8 syllables a
    word, less 15.59.
    """
    sentences = list_sentences(text)
    words = [word for sentence in sentences for word in list_words(sentence)]
    syllables = sum(SYLLABLES[word] for word in words)
    return 0.39 * len(words) / len(sentences) + 11.8 * syllables / len(words) - 15.59


def list_texts(words):
    """List the texts of a catalogue, each with the name of its word."""
    for key, text in words.items():
        parts = text.values() if isinstance(text, dict) else text
        yield from ((key, part) for part in ([text] if isinstance(text, str) else parts))


ENGLISH = [*list_texts(WORDS["en"]), *list_texts(PAPER)]


def test_every_word_is_counted():
    used = {
        word for _, text in ENGLISH for part in list_sentences(text) for word in list_words(part)
    }
    assert used - SYLLABLES.keys() == set(), (
        "tests/respond/syllables.txt: add each word where its number of syllables stands"
    )
    assert SYLLABLES.keys() - used == set(), "tests/respond/syllables.txt: take these out"


def test_everyone_can_read_every_text():
    """A label of a few words says too little for the formula: from five words on, each is easy."""
    hard = {
        key: round(grade(text), 1)
        for key, text in ENGLISH
        if len(list_words(" ".join(list_sentences(text)))) >= 5 and grade(text) > GRADE
    }
    assert hard == {}, "say it in shorter words and sentences"


def test_a_sentence_has_one_idea():
    long = {
        key: sentence
        for key, text in ENGLISH
        for sentence in list_sentences(text)
        if len(list_words(sentence)) > MOST_WORDS
    }
    assert long == {}, f"make several of these: a sentence has at most {MOST_WORDS} words"


@pytest.mark.parametrize("kind", KEYS_BY_PART)
def test_everyone_can_read(kind):
    texts = (WORDS["en"][key].rstrip(".") for key in KEYS_BY_PART[kind])
    assert grade(" ".join(f"{text}." for text in texts)) <= GRADE


def test_officialese_is_caught(monkeypatch):
    hard = {"notwithstanding": 4, "differential": 4, "obfuscation": 4, "participation": 5}
    hard |= {"remains": 2, "anonymous": 4}
    monkeypatch.setitem(globals(), "SYLLABLES", hard)
    assert grade("Notwithstanding differential obfuscation, participation remains anonymous.") > 12


STINGS = re.compile(
    r"\b(cheat\w*|invalid|fail\w*|illegal|liars?|lying|dishonest|suspicious|forged|guilty)\b",
    re.IGNORECASE,
)


def test_no_word_stings():
    stung = {key: text for key, text in ENGLISH if STINGS.search(text)}
    assert stung == {}, "say what happened and what to do, not what somebody did wrong"


def test_a_button_does_not_say_whose_answer_it_is_not():
    """“Not my own answer” can be read as that somebody answers for another."""
    for language, words in WORDS.items():
        denied, agreed = words["checkYes"], words["checkNo"]
        assert not denied.lower().endswith(agreed.lower()), language
        assert len(denied) > len(agreed) / 2, language
    assert "la suya" not in WORDS["es"]["checkWhy"]
    assert not WORDS["pt"]["checkWhy"].endswith("a sua com certeza.")


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
        return [blanks(item) for item in text]
    forms = {part: blanks(value) for part, value in text.items()}
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
    completed = subprocess.run([node, script, *WORDS], capture_output=True, check=True, timeout=60)
    for language, value in json.loads(completed.stdout).items():
        distincts = [set(item) for item in WORDS[language].values() if isinstance(item, dict)]
        assert [
            distinct for distinct in distincts if "other" in distinct and distinct != set(value)
        ] == [], language


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
        replies, stopped = (
            {key: WORDS[language][key] for key in keys},
            WORDS[language]["stoppedHint"],
        )
        for text in [
            *filter(lambda item: isinstance(item, str), replies.values()),
            *stopped.values(),
        ]:
            blanks = list(dict.fromkeys(re.findall(r"\{\w+\}", text)))
            assert len(blanks) > 1 or text.replace("".join(blanks) or "{", "{0}") in script


def test_what_a_language_leaves_empty_is_said_in_english(monkeypatch):
    """As a translator's file begins: on a button there must be something."""
    hints = WORDS["de"]["stoppedHint"] | {"unsafe": ""}
    empty = {"leave": "", "practiceAnswers": ["Tee", ""], "stoppedHint": hints}

    def put(replies):
        files = FILES | {"de": FILES["de"] | {"words": replies}}
        monkeypatch.setattr("askance_collect.respond.words.file_of", files.__getitem__)
        return page_put()[0]["de"]

    in_english = put(WORDS["de"] | {key: WORDS["en"][key] for key in empty})
    assert put(WORDS["de"] | empty) == in_english != put(WORDS["de"])


@pytest.mark.parametrize("language", WORDS)
def test_what_a_survey_leaves_to_askance_has_a_name_in_every_language(language):
    names = {key for key in WORDS["en"] if key.startswith("name")}
    assert len(names) == 19
    assert names - WORDS[language].keys() == set(), (
        f"respond/languages/{language}.toml: translate each of these, checked or not"
    )
    same = {key for key in names if WORDS[language][key] == WORDS["en"][key]}
    assert same == (names if language == "en" else set())


def test_no_page_carries_the_names_of_what_a_form_says_itself():
    assert "nameSilent" not in page_put()[1]


COMPARED = tomllib.loads(Path("docs/translations.toml").read_text("utf-8"))
PRINTED = {
    path.stem: tomllib.loads(path.read_text("utf-8"))["words"]
    for path in Path("src/askance_collect/respond/paper").glob("*.toml")
}
CATALOGUES = {"page": WORDS, "paper": PRINTED}


def flattened(words, key=""):
    """List the texts of a catalogue by their keys: plurals and steps each by its own."""
    if isinstance(words, str):
        return {key: words}
    entries = words.items() if isinstance(words, dict) else enumerate(words)
    return {
        name: text
        for part, nested in entries
        for name, text in flattened(nested, f"{key}.{part}".lstrip(".")).items()
    }


def test_what_was_mended_in_a_translation_stays_mended():
    """The file lists, language by language, where a text said something else than the English."""
    assert COMPARED["languages"] == sorted(WORDS.keys() - {"en"})
    for line in COMPARED["disagreement"]:
        text = flattened(CATALOGUES[line["catalogue"]][line["language"]])[line["word"]]
        assert text == line["mended"] != line["said"], (
            f"docs/translations.toml, {line['language']} {line['word']}: write what it says now,"
            " and compare it with the English again"
        )


@pytest.mark.parametrize("language", COMPARED["languages"])
@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_every_text_was_put_back_into_english_by_somebody_else(language, catalogue):
    path = Path("docs/back-translations") / f"{language}.toml"
    back = tomllib.loads(path.read_text("utf-8"))
    texts = flattened(CATALOGUES[catalogue][language])
    assert list(back[catalogue]) == list(texts)
    assert all(text.strip() for text in back[catalogue].values())
    for line in COMPARED["disagreement"]:
        if (line["language"], line["catalogue"]) == (language, catalogue) and "why" in line:
            texts[line["word"]] = line["said"]
    listed = json.dumps(texts, ensure_ascii=False, sort_keys=True)
    digest = hashlib.sha256(listed.encode()).hexdigest()
    assert digest == back["texts"][catalogue], (
        f"a text of {language} was changed since it was put back into English: let a reader do that"
        f" again, and write it to {path}, with texts.{catalogue} = {digest!r}; if it deviates, to"
        " docs/translations.toml"
    )
