"""The texts of a form: legible as written, one in each of its languages, some with a name."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeGuard, final

from askance_collect.errors import FormError

NEVER = (0, 1)
"""The chance of a blank that no kind of plain question has, as ``(units, total)``."""

_ILLEGIBLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


_LANGUAGE = re.compile(
    "[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?"
    "(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?(-x(-[A-Za-z0-9]{1,8})+)?"
)


_WORD = re.compile("[A-Za-z]{1,40}")


@final
@dataclass(frozen=True, slots=True)
class Label:
    """A stable name with its wording in each language of the form."""

    name: str
    wording: Mapping[str, str]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "wording")


def is_legible(text: object) -> TypeGuard[str]:
    r"""Say whether a value is a text that is shown as it is written.

    A control character can rewrite a terminal; a mark that turns the direction of writing can
    rearrange the sentences in which the text stands; half a character cannot be written at all.

    >>> is_legible("Ja\n\u05db\u05df"), is_legible("Yes\u202e"), is_legible("Yes\x1b[2K")
    (True, False, False)
    """
    return isinstance(text, str) and not _ILLEGIBLE.search(text)


def is_language(tag: object) -> TypeGuard[str]:
    """Say whether a value is a language tag that every browser can write numbers and lists in.

    A language, and where they are told a script, a region, one variant and something of one's own.

    References
    ----------
    BCP 47, section 2.1. The page's program would stop at any other shape.

    >>> [is_language(tag) for tag in ("de-AT", "zh-Hant-TW", "de-1996-x-easy", "en-1", "en-US-GB")]
    [True, True, True, False, False]
    """
    return isinstance(tag, str) and bool(_LANGUAGE.fullmatch(tag))


def is_index(value: object, bound: int) -> TypeGuard[int]:
    """Say whether a value is a whole number in ``0 … bound − 1``."""
    return type(value) is int and 0 <= value < bound


def read_wording(raw: Any, languages: Sequence[str]) -> dict[str, str]:
    """Read one text for each language of the form."""
    wording = {str(language): str(raw[language]) for language in languages}
    if set(raw) != set(languages) or not all(map(is_legible, raw.values())):
        raise ValueError("one text for each language of the form, without control characters")
    return wording


def read_labels(raw: Any, languages: Sequence[str]) -> tuple[Label, ...]:
    """Read two labels or more, all of different names."""
    labels = tuple(Label(entry["name"], read_wording(entry["label"], languages)) for entry in raw)
    if not all(label.name and is_legible(label.name) for label in labels):
        raise ValueError("a text without control characters as the name of every label")
    if len({label.name for label in labels}) != len(labels) or len(labels) < 2:
        raise ValueError("at least two labels, all different")
    return labels


def read_own_words(raw: Any, languages: Sequence[str]) -> Mapping[str, Any]:
    """Read the words that a form brings for a page, by language: texts, lists of them, or cases.

    >>> dict(read_own_words({"nl": {"checked": True, "words": {"leave": "Weg"}}}, ["nl"])["nl"])
    {'checked': True, 'words': mappingproxy({'leave': 'Weg'})}
    """
    if not isinstance(raw, dict) or not raw or not set(raw) <= set(languages):
        raise ValueError("words in languages of the form")
    for entry in raw.values():
        if set(entry) != {"checked", "words"} or type(entry["checked"]) is not bool:
            raise ValueError("whether words were checked, and the words")
        if not isinstance(entry["words"], dict) or not entry["words"]:
            raise ValueError("at least one word")
        if not all(_WORD.fullmatch(key) and _is_said(text) for key, text in entry["words"].items()):
            raise ValueError("words that are legible texts, lists of them, or one for each case")
    words: Mapping[str, Any] = unchangeable(raw)
    return words


def _is_said(text: Any) -> bool:
    parts = list(text.values()) if isinstance(text, dict) else text
    parts = [parts] if isinstance(parts, str) else parts
    return isinstance(parts, list) and bool(parts) and all(map(is_legible, parts))


def in_first_language(texts: Mapping[str, str]) -> str:
    """A text in the first language of its form.

    >>> in_first_language({"en": "years", "de": "Jahre"})
    'years'
    """
    return next(iter(texts.values()))


def unchangeable(document: Any) -> Any:
    """Copy a document, at any depth, so that it can be read and not written.

    >>> unchangeable({"a": [1, {"b": 2}]})
    mappingproxy({'a': (1, mappingproxy({'b': 2}))})
    """
    if isinstance(document, dict | MappingProxyType):
        return MappingProxyType({key: unchangeable(value) for key, value in document.items()})
    if isinstance(document, list | tuple):
        return tuple(unchangeable(value) for value in document)
    return document


def keep_unchangeable(value: object, names: str) -> None:
    """Copy documents that a frozen value was given, so that nobody else can change them."""
    for name in names.split():
        object.__setattr__(value, name, unchangeable(getattr(value, name)))


def need_wording(part: str, wording: Any, languages: Sequence[str]) -> None:
    """Refuse what is not one legible text for each language."""
    if not isinstance(wording, dict) or set(wording) != set(languages):
        raise FormError(part, got=wording, allowed="one text for each language")
    if not all(map(is_legible, wording.values())):
        raise FormError(part, got=wording, allowed="texts without control characters")
