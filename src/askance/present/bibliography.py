"""Sources of methods paragraphs, from the bibliography that the documentation cites."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import final
from unicodedata import normalize

from askance_collect.errors import InputError

_PACKED = Path(__file__).parents[1] / "references.bib"

_CLONED = Path(__file__).parents[3] / "docs" / "references.bib"

_BOOK = _PACKED if _PACKED.is_file() else _CLONED

_ENTRY = re.compile(r"^@(\w+)\{(\S+?),\n(.*?)^\}", re.MULTILINE | re.DOTALL)

_FIELD = re.compile(r"^\s*(\w+)\s*=\s*\{(.*)\},?$", re.MULTILINE)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A source as it is cited and listed."""

    cited: str
    listed: str


@cache
def read_references() -> Mapping[str, Source]:
    """Read the bibliography that the documentation cites."""
    try:
        text = _BOOK.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(
            "methods", got=f"no {_BOOK.name}", allowed="the bibliography of the package"
        ) from error
    return {
        key: _format_source({name: _read_tex(value) for name, value in _FIELD.findall(fields)})
        for _, key, fields in _ENTRY.findall(text)
    }


def _format_source(entry: Mapping[str, str]) -> Source:
    """Write a source by author and year.

    >>> entry = {"author": "Warner, Stanley L.", "title": "T", "journal": "J", "volume": "60",
    ...          "number": "309", "pages": "63–69", "year": "1965"}
    >>> _format_source(entry).cited, _format_source(entry).listed
    ('Warner, 1965', 'Warner, S. L. (1965). T. J, 60(309), 63–69.')
    """
    people = [
        _format_name(who) for who in entry.get("author", entry.get("editor", "")).split(" and ")
    ]
    families = [family for family, _ in people]
    few = " & ".join(filter(None, [", ".join(families[:-1]), families[-1]]))
    cited = few if len(people) < 3 else f"{families[0]} et al."
    names = [f"{family}, {initials}".rstrip(", ") for family, initials in people]
    listed = ", & ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    volume = entry.get("volume", "") + (f"({entry['number']})" if "number" in entry else "")
    where = entry.get("journal") or entry.get("booktitle") or entry.get("publisher")
    where = where or entry.get("institution") or entry.get("school") or ""
    publication = ", ".join(filter(None, [where, volume, entry.get("pages", "")]))
    return Source(
        cited=f"{cited}, {entry.get('year', 'n.d.')}",
        listed=f"{listed} ({entry.get('year', 'n.d.')}). {_end_title(entry.get('title', ''))} "
        f"{publication}.",
    )


def _end_title(title: str) -> str:
    return title if title.endswith(("?", "!")) else f"{title}."


def _format_name(who: str) -> tuple[str, str]:
    family, _, given_names = who.partition(", ")
    initials = " ".join(
        "-".join(f"{part[0]}." for part in name.split("-") if part) for name in given_names.split()
    )
    return family, initials


_ACCENTS = {'"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303"}


def _read_tex(text: str) -> str:
    r"""Read accents and dashes of TeX.

    >>> _read_tex(r"M{\"o}bius \& Sons, 63--69")
    'Möbius & Sons, 63–69'
    """
    text = text.replace(r"\&", "&")
    accented = re.sub(r"\\([\"'`^~])\{?(\w)\}?", lambda match: match[2] + _ACCENTS[match[1]], text)
    return normalize("NFC", re.sub(r"[{}]", "", accented)).replace("--", "–")
