"""The page's own words: what it says itself in each language, from its file into the page."""

import json
import re
import tomllib
from collections.abc import Collection, Container, Mapping, Sequence
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

Text = str | Sequence[str] | Mapping[str, str]
"""What is said in one place: a sentence, several, or one for each case or each plural."""

_FOLDER = files("askance_collect.respond") / "languages"
_BLANK = re.compile(r"\{(\w+)\}")
COUNT = "count"
"""The blank whose number chooses among the plurals of a sentence."""


@cache
def with_words() -> tuple[str, ...]:
    """Name the languages that the page has words of, English first."""
    tags = sorted(file.name.removesuffix(".toml") for file in _FOLDER.iterdir())
    return ("en", *(tag for tag in tags if tag != "en"))


def spoken(languages: Sequence[str]) -> tuple[str, ...]:
    """Name the languages whose words a page carries, English first where a form has need of it.

    It has where somebody reads English, and where it could lack a word in another language.

    >>> spoken(["fr", "de-AT"]), spoken(["fr", "en"]), spoken(["fr", "nl"])
    (('de', 'fr'), ('en', 'fr'), ('en', 'fr'))
    """
    wanted = {spoken_in(language) for language in languages} or {"en"}
    if any(words_of("en").keys() - words_of(tag).keys() for tag in wanted):
        wanted.add("en")
    return tuple(tag for tag in with_words() if tag in wanted)


def spoken_in(language: str) -> str:
    """Name the language of the page's own words for a reader of another language.

    >>> spoken_in("de-AT"), spoken_in("nl")
    ('de', 'en')
    """
    tags = language, language.partition("-")[0]
    return next((tag for tag in tags if tag in with_words()), "en")


def script_of_words(
    languages: Sequence[str], names: Collection[str], alone: Container[str] = frozenset()
) -> str:
    """Write the words of some languages that a script names, a line each: the first has the names.

    It stands as English does, where it is another. Those languages that are ``alone`` have no
    contact in the form, and words that send nobody to it. A language that lacks a word has the
    English one. Blanks are numbered as the English sentence has them. No text can end the script
    that it stands in.
    """
    english = _in_english(names)
    words_by_tag = {
        tag: _alone(words_of(tag)) if tag in alone else words_of(tag) for tag in languages
    }
    first, *more = languages
    spelt = {"en": _by_name(words_by_tag[first], english)}
    if first != "en":
        spelt[first] = 'WORDS_OF["en"]'
    spelt |= {tag: _in_order(words_by_tag[tag], english) for tag in more}
    return "\n".join(f'WORDS_OF["{tag}"]={entries};' for tag, entries in spelt.items())


def script_of_names(languages: Sequence[str]) -> str:
    """Write what the languages of a form are called, of those that the page has words of.

    >>> script_of_names(["en", "nl", "tr"])
    'Object.assign(NAMES,{"en":"English","tr":"Türkçe"});'
    """
    names = {tag: file_of(tag)["name"] for tag in languages if tag in with_words()}
    return f"Object.assign(NAMES,{json.dumps(names, ensure_ascii=False, separators=(',', ':'))});"


def words_by_name(language: str, names: Collection[str]) -> str:
    """Write the words of one language that a script names, each under its name, as JavaScript."""
    return _by_name(words_of(language), _in_english(names))


def script_of_own(own: Mapping[str, Any], names: Collection[str]) -> str:
    """Write what a form brings of the words that a script names, a language a line."""
    english = _in_english(names)
    words_by_tag = {tag: brought["words"] for tag, brought in own.items()}
    return "\n".join(
        f'WORDS_OF["{tag}"]={_by_name(words, english)};' for tag, words in words_by_tag.items()
    )


def script_of_blanks(names: Collection[str]) -> str:
    """Write the blanks of the words that a script names, as the English sentences have them."""
    named = {key: blanks_of(text) for key, text in _in_english(names).items()}
    blanks_by_key = {key: blanks for key, blanks in named.items() if blanks}
    return f"Object.assign(BLANKS,{json.dumps(blanks_by_key, separators=(',', ':'))});"


def _in_english(names: Collection[str]) -> dict[str, Text]:
    """Give the English words that a script names: outright, or as an ending of a visit."""
    words = words_of("en").items()
    return {key: text for key, text in words if {key, key.removesuffix("Hint")} & set(names)}


def _alone(words: Mapping[str, Text]) -> Mapping[str, Text]:
    """Say each word as it is said where a form names no contact."""
    return {key: words.get(f"{key}Alone", text) for key, text in words.items()}


def _by_name(words: Mapping[str, Text], english: Mapping[str, Text]) -> str:
    entries = (f"{key}:{_spelt(words.get(key, text), text)}" for key, text in english.items())
    return f"{{{','.join(entries)}}}"


def _in_order(words: Mapping[str, Text], english: Mapping[str, Text]) -> str:
    return f"[{','.join(_spelt(words.get(key, text), text) for key, text in english.items())}]"


def _spelt(text: Text, english: Text) -> str:
    """Spell a text as JSON: its blanks numbered, and with plurals the number of the one counted."""
    blanks = {name: index for index, name in enumerate(blanks_of(english))}
    numbered: Any = text
    if isinstance(text, Mapping) and "other" in text:
        numbered = {"by": blanks[COUNT], **text}
    spelling = json.dumps(numbered, ensure_ascii=False, separators=(",", ":")).replace(
        "<", r"\u003c"
    )
    return _BLANK.sub(lambda blank: f"{{{blanks[blank[1]]}}}", spelling)


def blanks_of(text: Text) -> tuple[str, ...]:
    """Name the blanks of a text, in the order in which they first stand in it.

    >>> blanks_of("Question {at} of {of}")
    ('at', 'of')
    """
    return tuple(dict.fromkeys(_BLANK.findall(str(text))))


def words_of(language: str) -> Mapping[str, Text]:
    """Give the page's words in a language that it has words of, without those left empty."""
    words: Mapping[str, Text] = file_of(language)["words"]
    return {key: text for key, text in words.items() if is_whole(text)}


def is_whole(text: Text) -> bool:
    """Say whether something is said in a place, and nothing of it is left empty.

    >>> is_whole("Leave"), is_whole(""), is_whole({"chance": "Chance", "unsafe": ""})
    (True, False, False)
    """
    parts = list(text.values()) if isinstance(text, Mapping) else text
    return bool(parts) and all(parts)


@cache
def file_of(language: str) -> Mapping[str, Any]:
    """Read the file of a language's words: its name, whether they were checked, and the words."""
    text = (_FOLDER / f"{language}.toml").read_text(encoding="utf-8")
    return MappingProxyType(tomllib.loads(text))
