"""What the questions of a form share: labels, lines, chances of a blank, and how they are read."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard, final

from askance.exact.line import Line
from askance.exact.ratio import ratio
from askance.exact.table import LARGEST_TOTAL
from askance.wire.canonical import keep_unchangeable

_MOST_TICKS = 100_000
_ILLEGIBLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_LANGUAGE = re.compile(
    "[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?"
    "(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?(-x(-[A-Za-z0-9]{1,8})+)?"
)
_WRITTEN = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15}|/[0-9]{1,15})?")


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


def is_cell(value: object, ticks: int) -> TypeGuard[Sequence[int]]:
    """Say whether a value is a pair of ticks of a line."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        return False
    return is_index(value[0], ticks + 1) and is_index(value[1], ticks + 1)


def read_wording(raw: Any, languages: Sequence[str]) -> dict[str, str]:
    """Read one text for each language of the form."""
    wording = {str(language): str(raw[language]) for language in languages}
    if set(raw) != set(languages) or not all(map(is_legible, raw.values())):
        raise ValueError("one text for each language of the form, without control characters")
    return wording


def read_labels(raw: Any, languages: Sequence[str]) -> tuple[Label, ...]:
    """Read two labels or more, all of different names."""
    labels = tuple(Label(one["name"], read_wording(one["label"], languages)) for one in raw)
    if not all(label.name and is_legible(label.name) for label in labels):
        raise ValueError("a text without control characters as the name of every label")
    if len({label.name for label in labels}) != len(labels) or len(labels) < 2:
        raise ValueError("at least two labels, all different")
    return labels


def read_line(raw: Any) -> Line:
    """Read a line of a form."""
    ticks = raw["ticks"]
    if type(ticks) is not int or not 2 <= ticks <= _MOST_TICKS:
        raise ValueError(f"a line of 2 to {_MOST_TICKS} ticks")
    if not all(type(raw[end]) is str and _WRITTEN.fullmatch(raw[end]) for end in ("lower", "step")):
        raise ValueError('numbers written as "17", "0.5" or "1/2"')
    lower, step = ratio(raw["lower"], "line.lower"), ratio(raw["step"], "line.step")
    return Line(lower, lower + ticks * step, step)


def read_blank(raw: Any) -> tuple[int, int]:
    """Read the chance that nothing is sent whatever the answer, as ``(units, total)``."""
    units, total = raw
    if not (type(units) is type(total) is int and 0 <= units < total <= LARGEST_TOTAL):
        raise ValueError("blank as [units, total] with units below total")
    return units, total
