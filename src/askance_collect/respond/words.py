"""The page's own words: what it says itself in each language, from its file into the page.

For translators there is a file to fill in, and a filled one is read with its faults.
"""

import json
import re
import tomllib
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from functools import cache
from importlib.resources import files
from textwrap import wrap
from types import MappingProxyType
from typing import Any

from askance_collect.errors import DocumentError, InputError, nearest
from askance_collect.wire.form_schema import is_language
from askance_collect.wire.toml_text import load_toml

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


_NOTHING = MappingProxyType({"name": "", "checked": False, "words": {}})
_PLURALS = ("zero", "one", "two", "few", "many", "other")
_HEAD = """\
# What the respondent's page says itself, in the language "{language}"; and below, from nameSilent
# on, what a form names where a survey leaves it to Askance. Above each word stands the English one.
# What stands in braces is filled in, and must be there once, in any order. What is left empty is
# said in English. A sentence with {{count}} may have a form for each plural:
#   send.one = "…"
#   send.other = "…"
# and so on: zero, one, two, few, many, and other, which must be there.
# Try it:   askance translate --check words-{language}.toml
# Use it, at the top of a survey file:   words = {{ {language} = "words-{language}.toml" }}

name = {name}
# true once a native speaker has read every word of it
checked = {checked}

[words]
"""


def blank_words(language: str) -> str:
    """Write a language's file of words: empty, or as the page has them, the English ones above.

    Raises
    ------
    InputError
        If this is no tag of a language.

    >>> print(blank_words("nl")[-30:], end="")
    # not true
    nameHoldsNot = ""
    """
    if not is_language(language):
        allowed = 'the tag of a language, such as "nl" or "pt-BR"'
        raise InputError("language", got=language, allowed=allowed)
    has_words = language in with_words()
    file: Mapping[str, Any] = file_of(language) if has_words else _NOTHING
    name, checked = (json.dumps(file[key], ensure_ascii=False) for key in ("name", "checked"))
    words = words_of("en").items()
    entries = [_entry(key, file["words"].get(key), english) for key, english in words]
    return _HEAD.format(language=language, name=name, checked=checked) + "\n".join(entries)


def _entry(key: str, translated: Text | None, english: Text) -> str:
    """Write one word, or its parts, each under the English one."""
    above = _parts(key, english)
    below = (
        _parts(key, translated)
        if translated is not None
        else {name: _empty(above[name]) for name in above}
    )
    lines = {
        name: f"{name} = {json.dumps(text, ensure_ascii=False)}\n" for name, text in below.items()
    }
    if key in above:
        return _remark(english) + "".join(lines.values())
    return "".join(_remark(above[name]) + line for name, line in lines.items())


def _remark(english: Any) -> str:
    text = english if isinstance(english, str) else json.dumps(english, ensure_ascii=False)
    return "".join(f"# {line}\n" for line in wrap(text, 98, break_long_words=False))


def _empty(english: Any) -> str | list[str]:
    return "" if isinstance(english, str) else [""] * len(english)


def _parts(key: str, text: Text) -> dict[str, Any]:
    """Give the parts of a text by their names in a file of words."""
    if isinstance(text, Mapping):
        return {f"{key}.{part}": value for part, value in text.items()}
    return {key: text}


def words_lacking(text: str) -> tuple[str, ...]:
    r"""Name the words that a file leaves out or empty, which the page says in English.

    Raises
    ------
    DocumentError
        With the line of the first word that cannot be right: that the page has no such word, or
        that its blanks are not those of the English one.

    >>> words_lacking('name = "x"\nchecked = true\n[words]\nleve = "Weg"')
    Traceback (most recent call last):
    askance_collect.errors.DocumentError: line 4: got 'leve'; allowed: a word of the page; ...
    """
    return missing_words(words_in(text)["words"])


def missing_words(words: Mapping[str, Any]) -> tuple[str, ...]:
    """Name the words of the page that are not said, or left empty in some part."""
    return tuple(key for key in words_of("en") if not is_whole(words.get(key, "")))


def words_in(text: str) -> dict[str, Any]:
    r"""Read a file of words: its name, whether they were checked, and those that are not empty.

    Raises
    ------
    DocumentError
        As `words_lacking` does.

    >>> words_in('name = "x"\nchecked = true\n[words]\nleave = "Weg"\nback = ""')["words"]
    {'leave': 'Weg'}
    """
    try:
        file = load_toml(text)
    except ValueError as error:
        raise DocumentError("file", got=str(error), allowed="TOML, https://toml.io") from None
    return fitting(file, lambda key: _line(key, text))


def fitting(file: Mapping[str, Any], line: Callable[[str], str] = str) -> dict[str, Any]:
    """Give a file of words without those left empty; what is no word of the page is refused.

    ``line`` says where a word stands.
    """
    kinds = {"name": (str, "text in quotes"), "checked": (bool, "true or false")}
    for key, (kind, allowed) in (kinds | {"words": (dict, "a table [words]")}).items():
        if not isinstance(file.get(key), kind):
            raise DocumentError(key, got=file.get(key, "nothing"), allowed=allowed)
    english, words = words_of("en"), file["words"]
    for key, text in words.items():
        if key not in english:
            remedy = nearest(key, tuple(english)) or "askance translate en lists them"
            raise DocumentError(line(key), got=key, allowed="a word of the page", remedy=remedy)
        if not _is_empty(text):
            _keep_shape(line(key), key, text, english[key])
    complete = {key: text for key, text in words.items() if is_whole(text)}
    return {"name": file["name"], "checked": file["checked"], "words": complete}


def _is_empty(text: Any) -> bool:
    parts = list(text.values()) if isinstance(text, Mapping) else text
    return isinstance(parts, list | tuple | str) and not any(parts)


def _keep_shape(where: str, key: str, translated: Any, english: Text) -> None:
    """Refuse a word whose parts or blanks are not those of the English one."""
    parts, wanted = _parts(key, translated), _parts(key, english)
    needed = set(wanted)
    if isinstance(translated, dict) and isinstance(english, str) and COUNT in blanks_of(english):
        wanted = {f"{key}.{plural}": english for plural in _PLURALS}
        needed = {f"{key}.other"}
    if not needed <= set(parts) <= set(wanted):
        names, allowed, least = (", ".join(sorted(keys)) for keys in (parts, wanted, needed))
        raise DocumentError(where, got=names, allowed=allowed, remedy=f"give at least {least}")
    for name, part in parts.items():
        if not _is_same_shape(part, wanted[name]):
            blanks = ", ".join(f"{{{blank}}}" for blank in blanks_of(english)) or "no blanks"
            allowed = f"a text like the English one, with {blanks}"
            raise DocumentError(where, got=part, allowed=allowed, remedy=f"say: {wanted[name]}")


def _is_same_shape(translated: Any, english: Any) -> bool:
    if isinstance(english, str):
        return isinstance(translated, str) and sorted(blanks_of(translated)) == sorted(
            blanks_of(english)
        )
    return isinstance(translated, list) and [*map(type, translated)] == [*map(type, english)]


def _line(key: str, text: str) -> str:
    """Say on which line a word stands."""
    match = re.search(rf"^ *{re.escape(key)} *[.=]", text, re.MULTILINE)
    return f"line {text.count(chr(10), 0, match.start()) + 1}" if match else key


def notes_on_words(
    languages: Sequence[str], brought: Mapping[str, Any] = MappingProxyType({})
) -> tuple[str, ...]:
    """List what a publisher should know of the page's own words in some languages.

    Some are ``brought`` by the survey.

    >>> notes_on_words(["en", "de"])
    ()
    >>> print(*notes_on_words(["cy"]))
    languages: the page has no words in "cy" and says its own sentences, and what ...
    """
    notes = []
    for language in languages:
        if language in brought:
            notes += _notes_on_brought(language, brought[language])
            continue
        tags = [tag for tag in (language, language.partition("-")[0]) if tag in with_words()]
        if not tags:
            notes.append(
                f'languages: the page has no words in "{language}" and says its own sentences,'
                f" and what a survey leaves it to name, in English; askance translate {language}"
                f" writes a file to translate, which words ="
                f' {{ {language} = "words-{language}.toml" }} brings along'
            )
            continue
        file, words = file_of(tags[0]), words_of(tags[0])
        if lacking := [key for key in words_of("en") if key not in words]:
            notes.append(
                f'languages: the page lacks {len(lacking)} words in "{language}"'
                f" ({_first_of(lacking)}) and says them in English;"
                f" askance translate {tags[0]} writes a file to fill in"
            )
        if not file["checked"]:
            notes.append(
                f'languages: no native speaker has read the page\'s own words in "{language}";'
                f" let one read what askance translate {tags[0]} writes before you ask anyone"
            )
    return tuple(notes)


def _notes_on_brought(language: str, brought: Mapping[str, Any]) -> list[str]:
    """Say what the words lack that a survey brings in a language."""
    notes = []
    if lacking := missing_words(brought["words"]):
        notes.append(
            f"words.{language}: {len(lacking)} words are lacking ({_first_of(lacking)}), which are"
            " said in English; add them to the file, askance translate --check tells what it lacks"
        )
    if not brought["checked"]:
        notes.append(
            f"words.{language}: no native speaker has read them; let one do so before you ask"
            " anyone, and set checked = true"
        )
    return notes


def _first_of(names: Sequence[str]) -> str:
    return ", ".join([*names[:5], "…"] if len(names) > 5 else names)
